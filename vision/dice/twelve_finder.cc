// SPDX-License-Identifier: MIT
#include "vision/dice/twelve_finder.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <opencv2/imgproc.hpp>
#include <optional>
#include <utility>

#include "vision/dice/die_model.h"
#include "vision/dice/numerals.h"
#include "vision/dice/twelve_sided.h"
#include "vision/image/in_parallel.h"
#include "vision/shots/pattern_search.h"
#include "vision/shots/place_on_table.h"

namespace fos {
namespace {

using std::numbers::pi;

// From when a place is taken for a die.
struct TwelveMargins {
  double score = 60;  // nats over "no die": of 282 dice of made-up throws two have less
  // A face with next to nothing on it is a block's, or a lid's: nineteen of twenty dice have more.
  double number = 5;       // nats that a number explains
  double explained = 0.3;  // and its share of the face's pattern
  double taken = 0.6;      // a thing with less chance to be a die is left to others
};
constexpr TwelveMargins kMargins;

struct Candidate {
  TwelvePose pose;
  double score = -1e18;
};
bool Better(const Candidate& a, const Candidate& b) { return a.score > b.score; }

Candidate Weighed(const TwelveModel& model, const TwelvePose& pose, int stride) {
  return {pose, model.Evaluate(pose, stride)};
}

Candidate Refined(const TwelveModel& model, const Candidate& at, double step_px, double least_px,
                  int stride) {
  const auto score = [&](const TwelvePose& pose) { return model.Evaluate(pose, stride); };
  const auto moved = [&](const TwelvePose& pose, std::size_t way, double by) {
    return model.Moved(pose, way, by);
  };
  const TwelvePose pose =
      PatternSearch(at.pose, step_px, least_px, TwelveModel::kWays, score, moved);
  return Weighed(model, pose, stride);
}

// Places where a die explains what is seen; the best first, none in another.
std::vector<Candidate> Proposals(const TwelveModel& model, const std::vector<cv::Point2d>& places,
                                 double psf_px) {
  std::vector<Candidate> all(places.size());
  InParallel(places.size(), [&](std::size_t i) {
    for (const double across : {0.6, 0.71, 0.84}) {
      for (const double yaw : {0.0, pi / 5}) {
        const Candidate one = Weighed(model, {places[i], yaw, across, psf_px}, 3);
        if (one.score > all[i].score) all[i] = one;
      }
    }
  });
  std::sort(all.begin(), all.end(), Better);
  std::vector<Candidate> out;
  constexpr std::size_t kMost = 8;
  for (const Candidate& one : all) {
    if (one.score <= 0 || out.size() >= kMost) break;
    const bool overlaps = std::any_of(out.begin(), out.end(), [&](const Candidate& other) {
      return cv::norm(one.pose.middle - other.pose.middle) <
             0.3 * other.pose.across_in * model.PixelsPerInch();
    });
    if (!overlaps) out.push_back(one);
  }
  return out;
}

// The pose that suits best about a place: which way it is turned is not to be seen from afar.
Candidate AtBest(const TwelveModel& model, const Candidate& about) {
  constexpr int kTurns = 4;
  std::array<Candidate, kTurns> turned;
  InParallel(kTurns, [&](std::size_t i) {
    Candidate start = about;
    start.pose.yaw_rad = 2 * pi / 5 * static_cast<double>(i) / kTurns;
    turned[i] = Refined(model, start, 2, 0.5, 2);
  });
  const Candidate best = *std::min_element(turned.begin(), turned.end(), Better);
  return Refined(model, best, 0.5, 0.25, 1);
}

// What speaks for a number on a die.
struct Reading {
  int value = 0;
  double lead = 0;  // nats over the likeliest other number
  TwelveModel::Numbers numbers;
  double cube = 0;  // nats by which a cube with pips explains the place better, of what this does
  double across_in = 0;
};

// How far the digits' height is from the usual one: of its logarithm.
double OddHeight(const Reading& reading) {
  return std::abs(
      std::log(std::max(reading.numbers.height, 0.3) / UsualDigitHeight(reading.value)));
}

// Cubes that explain still less tell no more.
constexpr double kFarthestCube = -0.6;

// The chance that it is a die, whatever it shows: a logistic regression on 376 such dice of made-up
// throws (`evaluate --throws 50 --dice 12`, seeds 790000, 792000, 794000 and 796000), and on what
// else was looked at there, in throws of cubes (seed 770000), among other things (`--shots 60
// --world wild`, seed 435000) and in the labelled clips: 339 places. Only what does not depend on
// how large a die is in the picture. A fifth judged by a fit to the others: above 0.6 are 326 of
// the dice, 26 of the cubes and other things.
double ChanceOfADie(const Reading& reading) {
  const TwelveModel::Numbers& numbers = reading.numbers;
  const double a_pixel = std::clamp(numbers.best, 0.0, 400.0) / std::max(numbers.pixels, 10.0);
  double odds = 1.702;
  odds += 12.045 * std::sqrt(a_pixel);
  odds -= 5.121 * std::clamp(numbers.explained, 0.0, 1.0);
  odds -= 2.854 * std::clamp(reading.cube, kFarthestCube, 1.0);
  odds -= 12.373 * std::abs(std::log(reading.across_in / kTwelvePriors.across_in));
  odds -= 4.078 * OddHeight(reading);
  return ChanceOfOdds(odds);
}

// The chance that the number is right: a logistic regression on 251 such dice of the same throws
// that are taken for dice, of which 139 are right. An eighth judged by a fit to the others: of 45
// above 0.9 one is wrong, of 29 above 0.95 none.
double TrustOf(const Reading& reading) {
  const double lead = std::clamp(reading.lead, 0.0, 60.0);
  double odds = -1.586 + 1.112 * std::log1p(lead) + 0.078 * lead;
  odds += 1.291 * std::clamp(reading.numbers.explained, 0.0, 1.0);
  odds -= 1.368 * OddHeight(reading) + 5.807 * reading.numbers.off;
  return ChanceOfOdds(odds);
}

bool Place(const TwelveModel& model, const TwelvePose& pose, const ChangeWindow& window,
           const TableCamera& camera, double level_in, DieFound& out) {
  const cv::Point2d shift(window.rect.tl());
  const cv::Point2d middle = pose.middle + shift;
  const auto centre =
      TableFromImage(camera, {middle.x, middle.y}, level_in + pose.across_in / 2, 0);
  if (!centre.ok()) return false;
  out.centre = centre->at;
  out.side_in = pose.across_in;
  out.height_in = level_in + pose.across_in;
  for (const cv::Point2d& at : model.TopCorners(pose)) {
    const auto corner = TableFromImage(camera, {at.x + shift.x, at.y + shift.y}, out.height_in, 0);
    if (!corner.ok()) return false;
    out.top.push_back(corner->at);
  }
  for (const cv::Point2d& at : model.Outline(pose)) out.covered.emplace_back(at + shift);
  return true;
}

// What a candidate is, if it is likely to be a die.
// cube_there(about)  as CubeThere
template <typename Cube>
std::optional<DieFound> Judge(const TwelveModel& model, const Cube& cube_there, const Candidate& at,
                              const ChangeWindow& window, const TableCamera& camera,
                              double level_in) {
  Reading reading;
  reading.numbers = model.Read(at.pose);
  reading.across_in = at.pose.across_in;
  const std::array<double, 12>& p = reading.numbers.p;
  reading.value = 1 + static_cast<int>(std::max_element(p.begin(), p.end()) - p.begin());
  std::array<double, 12> nats = reading.numbers.nats;
  std::partial_sort(nats.begin(), nats.begin() + 2, nats.end(), std::greater<>());
  reading.lead = nats[0] - nats[1];
  if (reading.numbers.best < kMargins.number || reading.numbers.explained < kMargins.explained)
    return std::nullopt;
  reading.cube = kFarthestCube;  // what speaks best for it, to spare the look at a cube
  if (ChanceOfADie(reading) < kMargins.taken) return std::nullopt;
  DiePose cube;
  cube.middle = at.pose.middle;
  cube.side_in = at.pose.across_in;
  cube.psf_px = at.pose.psf_px;
  const double explained = std::max(at.score, 1.0);
  reading.cube = (cube_there(cube) - explained - std::max(reading.numbers.best, 0.0)) / explained;

  DieFound out;
  out.faces = 12;
  out.value = reading.value;
  std::copy(p.begin(), p.end(), out.p.begin());
  out.p_die = ChanceOfADie(reading);
  if (out.p_die < kMargins.taken) return std::nullopt;
  out.p_right = TrustOf(reading);
  out.body = ColourOf(model.TopLight(at.pose));
  if (!Place(model, at.pose, window, camera, level_in, out)) return std::nullopt;
  return out;
}

}  // namespace

std::vector<DieFound> FindTwelveSided(const ShotPictures& pictures, const DicePart& part) {
  const auto& [middle, level, window] = part;
  const double ppi = PixelsPerInch(pictures.camera, middle, level + kTwelvePriors.across_in / 2);
  const cv::Mat changed = ChangedPixels(window, pictures, ppi);
  constexpr double kLeast_in2 = 0.1;  // half of the smallest die's upper face
  // What covers more is a unit, a sheet or a shadow: a dozen dice with theirs.
  constexpr double kMost_in2 = 14;
  const int changed_px = cv::countNonZero(changed);
  if (changed_px < kLeast_in2 * ppi * ppi || changed_px > kMost_in2 * ppi * ppi) return {};
  const int reach = std::max(2, static_cast<int>(0.5 * kTwelvePriors.across_range_in[0] * ppi));
  const std::vector<cv::Point2d> places =
      ChangedPlaces(changed, reach, std::max(2, reach / 2), std::max(1.5, 0.1 * ppi));
  if (places.empty()) return {};

  TwelveModel model(window, pictures.camera, middle, level, pictures.blur);
  std::optional<DieModel> cubes;  // made where one is looked at: most places are none of a die
  const auto cube_there = [&](const DiePose& about) {
    if (!cubes) cubes.emplace(window, pictures.camera, middle, level, pictures.blur);
    return CubeThere(*cubes, about);
  };
  std::vector<Candidate> open = Proposals(model, places, pictures.blur.sigma_px);
  for (Candidate& one : open) one = AtBest(model, one);
  std::vector<DieFound> out;
  while (!open.empty()) {
    const Candidate best = *std::min_element(open.begin(), open.end(), Better);
    if (best.score < kMargins.score) break;
    std::optional<DieFound> die = Judge(model, cube_there, best, window, pictures.camera, level);
    const double across_px = best.pose.across_in * ppi;
    std::erase_if(open, [&](const Candidate& one) {
      return cv::norm(one.pose.middle - best.pose.middle) < 0.7 * across_px;
    });
    if (!die) continue;
    out.push_back(std::move(*die));
    model.Own(best.pose);
    for (Candidate& one : open) {
      if (cv::norm(one.pose.middle - best.pose.middle) < 2 * across_px) one = AtBest(model, one);
    }
  }
  return out;
}

}  // namespace fos
