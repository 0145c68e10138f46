// SPDX-License-Identifier: MIT
#include "vision/dice/dice_finder.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <opencv2/imgproc.hpp>
#include <optional>
#include <span>

#include "vision/dice/die_model.h"
#include "vision/dice/face_search.h"
#include "vision/shots/pattern_search.h"
#include "vision/shots/place_on_table.h"

namespace fos {
namespace {

using std::numbers::pi;

struct DieCandidate {
  DiePose pose;
  double score = -1e18;
  std::size_t pattern = 0;
  double by_pips = 0;  // how much its pips help, over how well it fits
};

DieCandidate Refined(const DieModel& model, DieCandidate at, double step_px, double least_px,
                     std::span<const std::size_t> ways, int stride) {
  const DiePattern& pattern = DiePatterns()[at.pattern];
  const auto score = [&](const DiePose& pose) {
    return model.Evaluate(pose, pattern, stride).score;
  };
  const auto moved = [&](const DiePose& pose, std::size_t way, double by) {
    return model.Moved(pose, ways[way], by);
  };
  at.pose = PatternSearch(at.pose, step_px, least_px, ways.size(), score, moved);
  at.score = score(at.pose);
  return at;
}

// The pips that suit the pose best, each moved a little to suit them.
DieCandidate WithPips(const DieModel& model, DieCandidate at) {
  DieCandidate best;
  for (std::size_t i = 0; i < DiePatterns().size(); ++i) {
    for (const double off : {0.42, 0.5, at.pose.pip_off}) {
      DieCandidate one = at;
      one.pattern = i;
      one.pose.pip_off = off;
      one.score = model.Evaluate(one.pose, DiePatterns()[i]).score;
      if (one.score > best.score) best = one;
    }
  }
  return best;
}

// The pixels that changed, as far as the change detector saw something there too.
cv::Mat ChangedPixels(const ChangeWindow& window, const ShotPictures& pictures, double ppi) {
  constexpr double kLeast = 16;  // code values: coding changes less where nothing happened
  const cv::Mat change = window.Change() > std::max(kLeast, 3.0 * window.noise);
  cv::Mat seen = pictures.changed(window.rect).clone();
  const int grow = std::max(1, static_cast<int>(std::lround(0.15 * ppi)));
  cv::dilate(seen, seen, cv::getStructuringElement(cv::MORPH_ELLIPSE, {2 * grow + 1, 2 * grow + 1}));
  cv::Mat out;
  cv::bitwise_and(change, seen, out);
  return out;
}

// Places about which most of a small die's face has changed, pixels.
std::vector<cv::Point2d> ChangedPlaces(const cv::Mat& changed, double ppi, double psf_px) {
  cv::Mat sums;
  cv::integral(changed / 255, sums, CV_32S);
  const int reach = std::max(2, static_cast<int>(0.2 * ppi));
  // A step as wide as a small die's pip in the picture.
  const double pip_px = 0.5 * kDiePriors.pip_radius * 0.5 * kDiePriors.side_range_in[0] * ppi;
  const double step = std::max(1.5, 1.3 * std::hypot(psf_px, pip_px));
  constexpr double kMostlyNew = 0.6;
  std::vector<cv::Point2d> out;
  for (double y = reach; y < changed.rows - reach - 1; y += step) {
    for (double x = reach; x < changed.cols - reach - 1; x += step) {
      const int row = static_cast<int>(y);
      const int column = static_cast<int>(x);
      const int area = sums.at<int>(row + reach + 1, column + reach + 1) -
                       sums.at<int>(row - reach, column + reach + 1) -
                       sums.at<int>(row + reach + 1, column - reach) +
                       sums.at<int>(row - reach, column - reach);
      if (area >= kMostlyNew * (2 * reach + 1) * (2 * reach + 1)) out.emplace_back(x, y);
    }
  }
  return out;
}

// Where pips show that a die may lie; the best first.
// places  where to look
std::vector<DieCandidate> Proposals(const DieModel& model, const std::vector<cv::Point2d>& places,
                                    int changed_px, const PointSpread& blur) {
  const double ppi = model.PixelsPerInch();
  const double inch2 = changed_px / (ppi * ppi);
  const auto most = static_cast<std::size_t>(std::min(4 + 4 * inch2, 20.0));
  std::vector<DieCandidate> out;
  for (const FaceProposal& face : FacesByPips(model, places, blur.sigma_px, most)) {
    DieCandidate one;
    one.pose = face.pose;
    one.pattern = face.pattern;
    out.push_back(one);
  }
  return out;
}

// Whether two dice would lie in one another, whichever way they are turned.
bool Overlap(const DiePose& a, const DiePose& b, double ppi) {
  return cv::norm(a.middle - b.middle) < 0.45 * (a.side_in + b.side_in) * ppi;
}

// The best first: those that do not overlap a better one.
std::vector<DieCandidate> ApartFromEachOther(const std::vector<DieCandidate>& all, double ppi) {
  std::vector<DieCandidate> out;
  for (const DieCandidate& one : all) {
    const bool overlaps = std::any_of(out.begin(), out.end(), [&](const DieCandidate& other) {
      return Overlap(one.pose, other.pose, ppi);
    });
    if (!overlaps) out.push_back(one);
  }
  return out;
}

// Of those whose searches have ended at much the same place, size and way, the best: what follows
// would come to the same end for each.
std::vector<DieCandidate> WithoutTwins(std::vector<DieCandidate> all, double ppi) {
  std::sort(all.begin(), all.end(),
            [](const DieCandidate& a, const DieCandidate& b) { return a.score > b.score; });
  const auto twins = [&](const DieCandidate& a, const DieCandidate& b) {
    constexpr double kApart_in = 0.06;
    constexpr double kSizes = 0.04;  // of the larger side
    constexpr double kTurned_rad = 0.25;
    const double turned = std::abs(std::remainder(a.pose.yaw_rad - b.pose.yaw_rad, pi / 2));
    return cv::norm(a.pose.middle - b.pose.middle) < kApart_in * ppi && turned < kTurned_rad &&
           std::abs(a.pose.side_in - b.pose.side_in) <
               kSizes * std::max(a.pose.side_in, b.pose.side_in);
  };
  std::vector<DieCandidate> out;
  for (const DieCandidate& one : all) {
    const bool known = std::any_of(out.begin(), out.end(),
                                   [&](const DieCandidate& other) { return twins(one, other); });
    if (!known) out.push_back(one);
  }
  return out;
}

// The best tilted pose about a flat one: its upper face stays where pips are seen.
DieCandidate Cocked(const DieModel& model, const DieCandidate& flat) {
  DieCandidate best;
  const DiePattern& pattern = DiePatterns()[flat.pattern];
  for (const double tilt : {0.2, 0.4, 0.6}) {
    for (int way = 0; way < 8; ++way) {
      for (const double larger : {0.9, 1.0, 1.1}) {
        DieCandidate one = flat;
        one.pose.tilt_rad = tilt;
        one.pose.tilt_way_rad = way * pi / 4;
        one.pose.side_in *= larger;
        one.pose.middle += model.Upper(flat.pose).centre - model.Upper(one.pose).centre;
        one.score = model.Evaluate(one.pose, pattern, 2).score;
        if (one.score > best.score) best = one;
      }
    }
  }
  best = Refined(model, best, 1.5, 0.4, DieModel::kTiltWays, 2);
  best = WithPips(model, best);
  return Refined(model, best, 0.6, 0.3, DieModel::kAllWays, 1);
}

// Of two lights, code values of the channel that differs most.
double ContrastOf(const cv::Vec3d& a, const cv::Vec3d& b) {
  double out = 0;
  for (int c = 0; c < 3; ++c) out = std::max(out, std::abs(CodeOfLight(a[c]) - CodeOfLight(b[c])));
  return out;
}

// The last step of a search for where a die lies.
constexpr double kLeastStep_px = 0.25;

// Where a picture fits better than its doubt, which allows for worse cameras, differences mean more,
// but no more than this tells.
constexpr double kBestMisfit = 0.25;

// Whether the search has run against the largest size that a die may have: what lies there is larger.
bool TooLarge(const DieModel& model, const DiePose& pose) {
  return pose.side_in + 2 * kLeastStep_px / model.PixelsPerInch() > kDiePriors.side_range_in[1];
}

// Of what a die's pips explain, what its body must explain at the least: spots on the ground have no
// body, and a stick that looks like three of them in a row has little.
constexpr double kBodyOfPips = 0.22;

// One box about two dice explains more than either, but its pips less.
double HelpOfPips(const DieModel& model, const DieCandidate& at) {
  if (TooLarge(model, at.pose)) return 0;
  const double blank = model.Evaluate(at.pose, DiePatterns().front()).score;
  const DieModel::Evaluation with = model.Evaluate(at.pose, DiePatterns()[at.pattern]);
  // Spots without a body: no search would make a die of them.
  if (with.by_body < 0.5 * kBodyOfPips * (at.score - blank)) return 0;
  return (at.score - blank) / std::max(with.misfit, kBestMisfit);
}

Colour ColourOf(const cv::Vec3d& light) {
  const auto code = [](double l) {
    return static_cast<std::uint8_t>(std::lround(CodeOfLight(std::clamp(l, 0.0, 1.0))));
  };
  return {code(light[2]), code(light[1]), code(light[0])};
}

// What a candidate is, by its chances.
std::optional<DieFound> Judge(const DieModel& model, const DieCandidate& candidate,
                              const ChangeWindow& window, const TableCamera& camera,
                              double level_in, DieCandidate& chosen) {
  const DiceMargins& margins = kDiceMargins;
  // The pose by the pips that suit it best, then every number at its best about there.
  DieCandidate about = Refined(model, candidate, 0.6, 0.3, DieModel::kAllWays, 1);
  about = WithPips(model, about);
  about = Refined(model, about, 0.4, 0.2, DieModel::kAllWays, 1);
  std::array<DieCandidate, 7> best;
  for (std::size_t i = 0; i < DiePatterns().size(); ++i) {
    DieCandidate one = about;
    one.pattern = i;
    one.score = model.Evaluate(one.pose, DiePatterns()[i]).score;
    constexpr double kHopeless = 60;  // nats: no search makes up for it
    if (i != about.pattern && one.score > about.score - kHopeless) {
      one = Refined(model, one, 0.5, 0.25, DieModel::kPlaceWays, 1);
      const DiePattern& pattern = DiePatterns()[i];
      const auto score = [&](const DiePose& pose) { return model.Evaluate(pose, pattern).score; };
      const auto pips = [&](const DiePose& pose, std::size_t way, double by) {
        return model.Moved(pose, way + DieModel::kTiltWays.size(), by);
      };
      one.pose = PatternSearch(one.pose, 0.5, 0.25, 4, score, pips);
      one.score = score(one.pose);
    }
    DieCandidate& of = best[static_cast<std::size_t>(DiePatterns()[i].value)];
    if (one.score > of.score) of = one;
  }
  const auto top = std::max_element(best.begin() + 1, best.end(), [](auto& a, auto& b) {
    return a.score < b.score;
  });
  chosen = *top;
  const DieModel::Evaluation at = model.Evaluate(chosen.pose, DiePatterns()[chosen.pattern]);
  constexpr double kNoFit = 6;  // sigmas squared: no camera does so much to the picture of a die
  const double blank_misfit = model.Evaluate(chosen.pose, DiePatterns().front()).misfit;
  const double left = at.misfit / std::max(at.misfit, blank_misfit);
  if (top->score < margins.evidence || TooLarge(model, chosen.pose) ||
      (at.misfit > kNoFit && left > margins.left))
    return std::nullopt;
  const double blank = best[0].score;
  // Where the best explanation leaves more than its doubt, all differences mean as much less
  // (Birge, 1932).
  const double birge = std::max(kBestMisfit, at.misfit);
  const double least_body = std::max(margins.body * birge, kBodyOfPips * (top->score - blank));
  if (top->score - blank < margins.pips * birge || at.by_body < least_body ||
      ContrastOf(at.colours.body, at.colours.pips) < margins.contrast ||
      model.ChangeOn(chosen.pose, DiePatterns()[chosen.pattern]) < margins.change)
    return std::nullopt;
  // A coin, a lid or a button with something in its middle is round.
  DieCandidate disc = chosen;
  disc.pose.round = 1;
  disc.pose.side_in *= 1.05;
  disc = Refined(model, disc, 1, 0.25, DieModel::kPlaceWays, 1);
  constexpr double kRounder = 3;  // nats: few things but dice have such pips
  if (disc.score > top->score + kRounder * birge) return std::nullopt;
  // Where a stand or a die lay, the ground is bare again.
  if (ExplainOtherwise(window, model.Covered(chosen.pose)).came < 0) return std::nullopt;
  DieFound out;
  out.value = static_cast<int>(top - best.begin());
  out.misfit = at.misfit;
  out.left = left;
  std::array<double, 6> odds{};
  double sum = 0;
  for (std::size_t v = 1; v <= 6; ++v) {
    odds[v - 1] = std::exp((best[v].score - top->score) / (birge * margins.shared));
    sum += odds[v - 1];
  }
  for (std::size_t v = 1; v <= 6; ++v)
    out.p[v - 1] = (1 - 6 * margins.floor) * odds[v - 1] / sum + margins.floor;
  const auto chance = [](double nats) { return 1 / (1 + std::exp(-std::clamp(nats, -500.0, 500.0))); };
  const DieCandidate cocked = Cocked(model, chosen);
  const double unknown = model.UnknownThing(chosen.pose);
  // A tilted cube has more ways to suit a picture that the model does not quite fit, and the smaller
  // the tilt the more it makes up for rounded edges and perspective.
  const double less_tilt = margins.cocked_tilt_rad / std::max(cocked.pose.tilt_rad, 0.1);
  const double needed = margins.cocked_share * less_tilt * less_tilt * top->score;
  constexpr double kUpright_rad = 0.12;  // seven degrees: it lies on a fold
  const double cocked_blank = model.Evaluate(cocked.pose, DiePatterns().front()).score;
  const bool cocked_shows = cocked.score - cocked_blank > margins.pips;
  if (cocked.pose.tilt_rad > kUpright_rad && cocked_shows) {
    out.p_cocked = chance(std::log(margins.cocked / (1 - margins.cocked)) +
                          4 * (cocked.score - top->score - needed) / needed);
  }
  const bool leans = out.p_cocked > margins.called_cocked;
  const double die = leans ? std::max(top->score, cocked.score) : top->score;
  // No model of another thing is exact either: where the picture is smooth, all of them fit well.
  const double rival = std::max({blank, margins.explained * unknown, disc.score});
  out.p_die = chance((die - rival) / std::max(birge, 1.0) -
                     std::log(margins.no_die / (1 - margins.no_die)));
  if (leans) chosen = cocked;

  const DiePose& pose = chosen.pose;
  const double half = DieModel::HalfHeight(pose);
  const cv::Point2d middle = pose.middle + cv::Point2d(window.rect.tl());
  const auto centre = TableFromImage(camera, {middle.x, middle.y}, level_in + half, 0);
  if (!centre.ok()) return std::nullopt;
  out.centre = centre->at;
  out.side_in = pose.side_in;
  out.height_in = level_in + 2 * half;
  const std::array<cv::Point2d, 4> corners = model.TopCorners(pose);
  for (std::size_t i = 0; i < 4; ++i) {
    const cv::Point2d p = corners[i] + cv::Point2d(window.rect.tl());
    const auto corner = TableFromImage(camera, {p.x, p.y}, out.height_in, 0);
    if (!corner.ok()) return std::nullopt;
    out.top[i] = corner->at;
  }
  out.body = ColourOf(at.colours.body);
  out.pips = ColourOf(at.colours.pips);
  std::vector<cv::Point> places;
  cv::findNonZero(model.Covered(pose), places);
  if (places.empty()) return std::nullopt;
  cv::convexHull(places, out.covered);
  for (cv::Point& p : out.covered) p += window.rect.tl();
  return out;
}

// Of candidates that share pixels, those whose pips help most; each then has to do with what the
// others leave: a box about two dice explains more than either.
std::vector<DieCandidate> Compatible(DieModel& model, std::vector<DieCandidate> open) {
  std::vector<DieCandidate> out;
  while (!open.empty()) {
    const auto best = std::max_element(open.begin(), open.end(), [](const auto& a, const auto& b) {
      return a.by_pips < b.by_pips;
    });
    if (best->by_pips < 0.5 * kDiceMargins.pips) break;
    const DieCandidate chosen = *best;
    open.erase(best);
    if (chosen.score < kDiceMargins.evidence) continue;
    model.Own(chosen.pose, DiePatterns()[chosen.pattern]);
    out.push_back(chosen);
    for (DieCandidate& one : open) {
      if (cv::norm(one.pose.middle - chosen.pose.middle) > 2 * model.PixelsPerInch()) continue;
      one.score = model.Evaluate(one.pose, DiePatterns()[one.pattern]).score;
      one = Refined(model, one, 1, kLeastStep_px, DieModel::kPipWays, 1);
      one = WithPips(model, one);
      one.by_pips = HelpOfPips(model, one);
    }
  }
  return out;
}

// The dice among the candidates: each judged on what the others do not explain. Where one turns out
// to be none, what it had explained is open again.
// judge(candidate, chosen)  what a candidate is, if it may be a die; chosen: its pose in the end
template <typename JudgeOne>
std::vector<DieFound> Agreed(DieModel& model, std::vector<DieCandidate> open,
                             const JudgeOne& judge) {
  struct Accepted {
    DieCandidate candidate;
    DieFound die;
  };
  std::vector<Accepted> accepted;
  const auto own = [&](const DieCandidate& one) {
    model.Own(one.pose, DiePatterns()[one.pattern]);
  };
  const auto own_accepted = [&] {
    model.Disown();
    for (const Accepted& one : accepted) own(one.candidate);
  };
  constexpr int kRounds = 2;
  for (int round = 0; round < kRounds && !open.empty(); ++round) {
    own_accepted();
    std::vector<DieCandidate> together = Compatible(model, open);
    if (together.empty()) break;
    bool refused = false;
    for (std::size_t i = 0; i < together.size(); ++i) {
      own_accepted();
      for (std::size_t j = i + 1; j < together.size(); ++j) own(together[j]);
      DieCandidate chosen;
      std::optional<DieFound> die = judge(together[i], chosen);
      const bool is_die = die && die->p_die >= kDiceMargins.is_die;
      refused = refused || !is_die;
      if (is_die) accepted.push_back({chosen, std::move(*die)});
      // It has been judged, and so have others in its place.
      std::erase_if(open, [&](const DieCandidate& one) {
        return cv::norm(one.pose.middle - together[i].pose.middle) <
               0.1 * model.PixelsPerInch();
      });
    }
    if (!refused) break;
  }
  std::vector<DieFound> out;
  for (Accepted& one : accepted) out.push_back(std::move(one.die));
  return out;
}

}  // namespace

double ChanceOf(const DieFound& die) { return die.p_die * (1 - die.p_cocked) * die.P(); }
bool IsCocked(const DieFound& die) { return die.p_cocked > kDiceMargins.called_cocked; }
bool IsRead(const DieFound& die) {
  return ChanceOf(die) >= kDiceMargins.read &&
         (die.misfit <= kDiceMargins.misfit ||
          (die.left <= kDiceMargins.left && die.misfit <= kDiceMargins.most_misfit));
}

std::vector<DieFound> FindDice(const ShotPictures& pictures, const TerrainMap& terrain,
                               const TableBox& where) {
  const Vec2 middle = 0.5 * (where.low + where.high);
  const double level = terrain.GroundAt(middle);
  constexpr double kRoom_in = 1;  // a die leans away from the camera by its height
  const cv::Rect rect =
      PixelsOf(pictures.camera, Grown(where, kRoom_in), level) & cv::Rect({}, pictures.after.size());
  if (rect.empty()) return {};
  const ChangeWindow window = CutWindow(pictures, rect, {});
  const double ppi = PixelsPerInch(pictures.camera, middle, level + kDiePriors.side_in / 2);
  const cv::Mat changed = ChangedPixels(window, pictures, ppi);
  constexpr double kLeast_in2 = 0.08;  // half of the smallest die's face
  // What covers more is a unit, a sheet or a shadow: a dozen dice with theirs.
  constexpr double kMost_in2 = 8;
  const int changed_px = cv::countNonZero(changed);
  if (changed_px < kLeast_in2 * ppi * ppi || changed_px > kMost_in2 * ppi * ppi) return {};

  const std::vector<cv::Point2d> places = ChangedPlaces(changed, ppi, pictures.blur.sigma_px);
  if (places.empty()) return {};

  DieModel model(window, pictures.camera, middle, level, pictures.blur);
  std::vector<DieCandidate> open = Proposals(model, places, changed_px, pictures.blur);
  const int stride = ppi > 26 ? 2 : 1;
  const std::vector<DieCandidate> likely = ApartFromEachOther(open, ppi);
  for (DieCandidate& one : open) {
    // The pixels of a neighbour are its own: a box about both would explain more than either.
    model.Disown();
    for (const DieCandidate& other : likely) {
      if (Overlap(one.pose, other.pose, ppi)) continue;
      if (cv::norm(one.pose.middle - other.pose.middle) > 2 * ppi) continue;
      model.Own(other.pose, DiePatterns()[other.pattern]);
    }
    one = Refined(model, one, 2, 0.5, DieModel::kPipWays, stride);
  }
  model.Disown();
  std::erase_if(open, [](const DieCandidate& one) { return one.score < kDiceMargins.evidence; });
  open = WithoutTwins(std::move(open), ppi);
  for (DieCandidate& one : open) {
    one = WithPips(model, Refined(model, one, 0.5, kLeastStep_px, DieModel::kPipWays, 1));
    one.by_pips = HelpOfPips(model, one);
  }
  open = WithoutTwins(std::move(open), ppi);
  return Agreed(model, std::move(open), [&](const DieCandidate& candidate, DieCandidate& chosen) {
    return Judge(model, candidate, window, pictures.camera, level, chosen);
  });
}

void HideDice(const std::vector<DieFound>& dice, ShotPictures& pictures) {
  if (dice.empty()) return;
  cv::Mat hidden(pictures.after.size(), CV_8UC1, cv::Scalar(0));
  cv::Mat near(pictures.after.size(), CV_8UC1, cv::Scalar(0));
  for (const DieFound& die : dice) {
    cv::fillConvexPoly(hidden, die.covered, cv::Scalar(255));
    // A lamp at 30 degrees casts a shadow of 1.7 heights.
    const double ppi = PixelsPerInch(pictures.camera, die.centre, die.height_in);
    const cv::Rect box = cv::boundingRect(die.covered);
    cv::circle(near, (box.tl() + box.br()) / 2, static_cast<int>(2.4 * die.side_in * ppi),
               cv::Scalar(255), cv::FILLED);
  }
  cv::dilate(hidden, hidden, cv::getStructuringElement(cv::MORPH_ELLIPSE, {5, 5}));
  // Of what is near, what is no more than darker is their shadow.
  constexpr float kLighter = 8;  // code values: noise
  for (int row = 0; row < near.rows; ++row) {
    for (int column = 0; column < near.cols; ++column) {
      if (near.at<std::uint8_t>(row, column) == 0) continue;
      bool darker = true;
      for (int c = 0; c < 3; ++c) {
        const auto value = [&](const cv::Mat& of) {
          return of.type() == CV_8UC3 ? static_cast<float>(of.at<cv::Vec3b>(row, column)[c])
                                      : of.at<cv::Vec3f>(row, column)[c];
        };
        darker = darker && value(pictures.after) < value(pictures.before) + kLighter;
      }
      if (darker) hidden.at<std::uint8_t>(row, column) = 255;
    }
  }
  cv::Mat before = pictures.before.clone();
  pictures.after.copyTo(before, hidden);
  pictures.before = before;
  cv::Mat changed = pictures.changed.clone();
  changed.setTo(0, hidden);
  pictures.changed = changed;
}

}  // namespace fos
