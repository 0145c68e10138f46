// SPDX-License-Identifier: MIT
#include "vision/dice/dice_finder.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <numbers>
#include <opencv2/imgproc.hpp>
#include <optional>
#include <span>
#include <utility>

#include "vision/dice/die_model.h"
#include "vision/dice/face_search.h"
#include "vision/dice/twelve_finder.h"
#include "vision/image/in_parallel.h"
#include "vision/image/mask_shapes.h"
#include "vision/shots/pattern_search.h"
#include "vision/shots/place_on_table.h"

namespace fos {
namespace {

using std::numbers::pi;

// How much pips explain of a face over a blank one, and that less what they leave: nats.
struct PipHelp {
  double all = 0;
  double net = 0;
};

struct DieCandidate {
  DiePose pose;
  double score = -1e18;    // nats over "no die"
  double of_pose = -1e18;  // for choosing between poses: DieModel::Evaluation
  std::size_t pattern = 0;
  PipHelp by_pips;
};

// For sorting: the best first.
bool Better(const DieCandidate& a, const DieCandidate& b) { return a.score > b.score; }
bool BetterPose(const DieCandidate& a, const DieCandidate& b) { return a.of_pose > b.of_pose; }

// Sets how well its pattern suits its pose.
void Weigh(const DieModel& model, int stride, DieCandidate& one) {
  const DieModel::Evaluation fit = model.Evaluate(one.pose, DiePatterns()[one.pattern], stride);
  one.score = fit.score;
  one.of_pose = fit.of_pose;
}

DieCandidate Refined(const DieModel& model, DieCandidate at, double step_px, double least_px,
                     std::span<const std::size_t> ways, int stride) {
  const DiePattern& pattern = DiePatterns()[at.pattern];
  const auto score = [&](const DiePose& pose) {
    return model.Evaluate(pose, pattern, stride).of_pose;
  };
  const auto moved = [&](const DiePose& pose, std::size_t way, double by) {
    return model.Moved(pose, ways[way], by);
  };
  at.pose = PatternSearch(at.pose, step_px, least_px, ways.size(), score, moved);
  Weigh(model, stride, at);
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
      Weigh(model, 1, one);
      if (one.score > best.score) best = one;
    }
  }
  return best;
}

// Where pips show that a die may lie; the best first.
// places  where to look
std::vector<DieCandidate> Proposals(const DieModel& model, const std::vector<cv::Point2d>& places,
                                    int changed_px, const PointSpread& blur) {
  const double ppi = model.PixelsPerInch();
  const double inch2 = changed_px / (ppi * ppi);
  const auto most = static_cast<std::size_t>(std::min(8 + 6 * inch2, 30.0));
  std::vector<DieCandidate> out;
  for (const FaceProposal& face : FacesByPips(model, places, blur.sigma_px, 3 * most)) {
    DieCandidate one;
    one.pose = face.pose;
    one.pattern = face.pattern;
    Weigh(model, 2, one);
    out.push_back(one);
  }
  std::stable_sort(out.begin(), out.end(), Better);
  // Within a step of the search's grid a die explains more than no die does: of 254 dice of made-up
  // throws all but two.
  std::erase_if(out, [](const DieCandidate& one) { return one.score < 0; });
  if (out.size() > most) out.resize(most);
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
  std::sort(all.begin(), all.end(), Better);
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
  constexpr int kWays = 8;
  std::array<DieCandidate, kWays> starts;
  for (int way = 0; way < kWays; ++way) {
    DieCandidate& best = starts[static_cast<std::size_t>(way)];
    for (const double tilt : {0.25, 0.5}) {
      for (const double larger : {0.9, 1.0}) {
        DieCandidate one = flat;
        one.pose.tilt_rad = tilt;
        one.pose.tilt_way_rad = way * 2 * pi / kWays;
        one.pose.side_in *= larger;
        one.pose.middle += model.Upper(flat.pose).centre - model.Upper(one.pose).centre;
        Weigh(model, 2, one);
        if (one.of_pose > best.of_pose) best = one;
      }
    }
  }
  std::sort(starts.begin(), starts.end(), BetterPose);
  // Ways beside each other end alike, and some in a dead end.
  constexpr std::size_t kFollowed = 4;
  DieCandidate best;
  for (std::size_t i = 0; i < kFollowed; ++i) {
    const DieCandidate one = Refined(model, starts[i], 1.5, 0.4, DieModel::kTiltWays, 2);
    if (one.of_pose > best.of_pose) best = one;
  }
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

// Where a picture fits better than its doubt, which allows for worse cameras, differences mean
// more, but no more than this tells.
constexpr double kBestMisfit = 0.25;

// Where the best explanation leaves more than its doubt, all differences mean as much less
// (Birge, 1932).
double BirgeOf(double misfit) { return std::max(kBestMisfit, misfit); }

// Whether the search has run against the largest size that a die may have: what lies there is
// larger.
bool TooLarge(const DieModel& model, const DiePose& pose) {
  return pose.side_in + 2 * kLeastStep_px / model.PixelsPerInch() > kDiePriors.side_range_in[1];
}

// Of what a die's pips explain, what its body must explain at the least: spots on the ground have
// no body, and a stick that looks like three of them in a row has little.
constexpr double kBodyOfPips = 0.15;

// Whether there is a body about the pips.
// beside  nats by which they explain pixels, over a blank face
// least   nats that the body must explain, or this share of kBodyOfPips of what they do
bool HasBody(const DieModel& model, const DieCandidate& at, const DieModel::Evaluation& fit,
             double beside, double least, double share) {
  const DiePattern& pattern = DiePatterns()[at.pattern];
  // One, two or three spots in a row may be anything's. Four, five or six in the order of a number
  // are hardly ever, and a die of the ground's colour has little else to show: where what is about
  // them has changed too, or they show that number and no other, they are a die's.
  constexpr std::size_t kRare = 4;
  constexpr double kPlain = 8;  // log odds: two in three right numbers have more
  if (pattern.pips.size() >= kRare &&
      (model.BodyChangeOn(at.pose, pattern) >= kDiceMargins.change ||
       model.PlacesShow(at.pose, pattern) >= kPlain))
    return true;
  return fit.by_body >= std::max(least, share * kBodyOfPips * beside);
}

// One box about two dice explains more than either, but its pips less.
PipHelp HelpOfPips(const DieModel& model, const DieCandidate& at) {
  if (TooLarge(model, at.pose)) return {};
  const double blank = model.Evaluate(at.pose, DiePatterns().front()).score;
  const DieModel::Evaluation with = model.Evaluate(at.pose, DiePatterns()[at.pattern]);
  // Spots without a body: no search would make a die of them.
  const double beside = at.score - with.pips - blank;
  if (!HasBody(model, at, with, beside, -1e18, 0.5)) return {};
  const double all = with.pips + beside / BirgeOf(with.misfit);
  return {all, all - with.left};
}

// Every number at its best about a place; 0 is a blank face.
using NumbersAtBest = std::array<DieCandidate, 7>;

// The flat pose by the pips that suit it best.
DieCandidate FlatPose(const DieModel& model, const DieCandidate& candidate) {
  DieCandidate out = Refined(model, candidate, 0.6, 0.3, DieModel::kFlatWays, 1);
  out = WithPips(model, out);
  out = Refined(model, out, 0.4, 0.2, DieModel::kFlatWays, 1);
  // Some dice have corners that are rounder.
  std::array<DieCandidate, 2> rounder;
  InParallel(rounder.size(), [&](std::size_t i) {
    const DieModel own = model;  // it works in a buffer of its own
    rounder[i] = out;
    rounder[i].pose.round = i == 0 ? 0.45 : 0.65;
    rounder[i] = Refined(own, rounder[i], 0.5, 0.25, DieModel::kPlaceWays, 1);
  });
  for (const DieCandidate& one : rounder)
    if (one.of_pose > out.of_pose) out = one;
  return out;
}

// A number at its best about a pose of another one's.
DieCandidate NumberAtBest(const DieModel& model, const DieCandidate& about, std::size_t number) {
  DieCandidate out = about;
  out.pattern = number;
  Weigh(model, 1, out);
  constexpr double kHopeless = 60;  // nats: no search makes up for it
  if (number == about.pattern || out.score <= about.score - kHopeless) return out;
  out = Refined(model, out, 0.5, 0.25, DieModel::kPlaceWays, 1);
  const DiePattern& pattern = DiePatterns()[number];
  const auto score = [&](const DiePose& pose) { return model.Evaluate(pose, pattern).of_pose; };
  const auto pips = [&](const DiePose& pose, std::size_t way, double by) {
    return model.Moved(pose, way + DieModel::kTiltWays.size(), by);
  };
  out.pose = PatternSearch(out.pose, 0.5, 0.25, 4, score, pips);
  Weigh(model, 1, out);
  return out;
}

NumbersAtBest EachNumber(const DieModel& model, const DieCandidate& about) {
  std::vector<DieCandidate> all(DiePatterns().size());
  InParallel(all.size(), [&](std::size_t i) {
    const DieModel own = model;  // it works in a buffer of its own
    all[i] = NumberAtBest(own, about, i);
  });
  NumbersAtBest out;
  for (const DieCandidate& one : all) {
    DieCandidate& of = out[static_cast<std::size_t>(DiePatterns()[one.pattern].value)];
    if (one.score > of.score) of = one;
  }
  return out;
}

// Sigmas squared: no camera does so much to the picture of a die.
constexpr double kNoFit = 6;
// But strong pips may leave more, where that is little of what a face without them leaves: an
// eighth beside a sharpened picture's fringes.
constexpr double kLittleLeft = 0.12;

// Whether what lies there shows a body and pips as a die does.
// left  of the pattern on its upper face, the share that the pips leave
bool ShowsADie(const DieModel& model, const DieCandidate& at, const DieModel::Evaluation& fit,
               double blank, double left) {
  const DiceMargins& margins = kDiceMargins;
  if (at.score < margins.evidence || TooLarge(model, at.pose) ||
      (fit.misfit > kNoFit && left > kLittleLeft))
    return false;
  const double birge = BirgeOf(fit.misfit);
  const double beside = at.score - fit.pips - blank;
  return fit.pips + beside / birge >= margins.pips &&
         HasBody(model, at, fit, beside, margins.body * birge, 1) &&
         ContrastOf(fit.colours.body, fit.colours.pips) >= margins.contrast &&
         model.ChangeOn(at.pose, DiePatterns()[at.pattern]) >= margins.change;
}

// Whether the ground is bare again where a stand or a die lay: nothing there is worth a search.
bool IsBared(const DieModel& model, const ChangeWindow& window, const DiePose& pose) {
  return ExplainOtherwise(window, model.Covered(pose)).came < 0;
}

// Log likelihood of the round thing that suits the place best: a coin, a lid, or a button with
// something in its middle.
double RoundThing(const DieModel& model, const DieCandidate& die) {
  DieCandidate disc = die;
  disc.pose.round = 1;
  disc.pose.side_in *= 1.05;
  return Refined(model, disc, 1, 0.25, DieModel::kPlaceWays, 1).score;
}

// Nats by which round things with such a pattern are rarer than dice. Coins have something in their
// middle, buttons two or four holes; hardly anything else that is round has three, five or six
// spots in such an order.
double RarityOfRound(int value) {
  constexpr double kFew = 3;
  constexpr double kHardlyAny = 8;
  return value == 3 || value >= 5 ? kHardlyAny : kFew;
}

std::array<double, 6> ChancesOf(const NumbersAtBest& best, double top, double birge) {
  const DiceMargins& margins = kDiceMargins;
  std::array<double, 6> out{};
  double sum = 0;
  for (std::size_t v = 1; v <= 6; ++v) {
    out[v - 1] = std::exp((best[v].score - top) / (birge * margins.shared));
    sum += out[v - 1];
  }
  for (double& p : out) p = (1 - 6 * margins.floor) * p / sum + margins.floor;
  return out;
}

// The chance that a die leans as the best tilted pose says.
double ChanceOfLeaning(const DieModel& model, const DieCandidate& flat,
                       const DieCandidate& cocked) {
  const DiceMargins& margins = kDiceMargins;
  constexpr double kUpright_rad = 0.12;  // seven degrees: it lies on a fold
  if (cocked.pose.tilt_rad <= kUpright_rad || TooLarge(model, cocked.pose)) return 0;
  const double blank = model.Evaluate(cocked.pose, DiePatterns().front()).score;
  if (cocked.score - blank <= margins.pips) return 0;
  // A tilted cube has more ways to suit a picture that the model does not quite fit, and the
  // smaller the tilt the more it makes up for rounded edges and perspective.
  const double less_tilt = margins.cocked_tilt_rad / std::max(cocked.pose.tilt_rad, 0.1);
  const double needed = margins.cocked_share * less_tilt * less_tilt * flat.score;
  return ChanceOfOdds(std::log(margins.cocked / (1 - margins.cocked)) +
                      4 * (cocked.of_pose - flat.of_pose - needed) / needed);
}

// The chance that a die shows this face, and not another one beside it.
// help  nats by which its pips help, less what they leave
double ChanceOfFace(const DieCandidate& die, double help, const DieCandidate& other) {
  if (other.by_pips.net <= 0) return help > 0 ? 1 : 0.5;
  const DiceMargins& margins = kDiceMargins;
  const double by_pips =
      (help - other.by_pips.net) / std::max(margins.shared, margins.face_share * help);
  const double by_pose = (die.of_pose - other.of_pose) /
                         std::max(margins.shared, margins.pose_share * std::abs(die.of_pose));
  return ChanceOfOdds(by_pips + std::max(by_pose, 0.0));
}

// The log likelihood of the stripe that suits a die's face best: a stick shows one where a die
// shows pips in a row.
double AsStripe(const DieModel& model, const DieCandidate& die) {
  double out = -1e18;
  for (const DiePattern& stripe : StripePatterns()) {
    for (const double width : {0.7, 1.0, 1.4}) {
      DiePose as_wide = die.pose;
      as_wide.pip_radius *= width;
      out = std::max(out, model.Evaluate(as_wide, stripe).score);
    }
  }
  return out;
}

// The chance that what lies there is a die in this pose and nothing else.
// rival  log likelihood of what else is known that it may be
double ChanceOfDie(const DieModel& model, const DieCandidate& die, double rival) {
  const DiceMargins& margins = kDiceMargins;
  const DieModel::Evaluation fit = model.Evaluate(die.pose, DiePatterns()[die.pattern]);
  // No model of another thing is exact either: where the picture is smooth, all of them fit well.
  // An unknown thing's colours explain the pips as well. It covers what the die would.
  rival = std::max(rival, margins.explained * model.UnknownThing(die.pose) + fit.pips);
  rival = std::max(rival, model.RelitGround(die.pose));
  // A shadow fits none of the colours of a face: body, its two slopes and pips, of three channels.
  // source  Schwarz, 1978 (the Bayesian information criterion)
  constexpr double kNumbers = 12;
  const double fitted = 0.5 * kNumbers * std::log(std::max(fit.pixels, 2.0));
  const double shadow = model.CastShadow(die.pose, DiePatterns()[die.pattern]);
  rival = std::max(rival, shadow + fitted);
  return ChanceOfOdds((die.score - rival) / std::max(BirgeOf(fit.misfit), 1.0) -
                      std::log(margins.no_die / (1 - margins.no_die)));
}

// Where the die lies on the table, and what it covers; false where the camera cannot tell.
bool Place(const DieModel& model, const DiePose& pose, const ChangeWindow& window,
           const TableCamera& camera, double level_in, DieFound& out) {
  const double half = DieModel::HalfHeight(pose);
  const cv::Point2d middle = pose.middle + cv::Point2d(window.rect.tl());
  const auto centre = TableFromImage(camera, {middle.x, middle.y}, level_in + half, 0);
  if (!centre.ok()) return false;
  out.centre = centre->at;
  out.side_in = pose.side_in;
  out.height_in = level_in + 2 * half;
  const std::array<cv::Point2d, 4> corners = model.TopCorners(pose);
  for (const cv::Point2d& at : corners) {
    const cv::Point2d p = at + cv::Point2d(window.rect.tl());
    const auto corner = TableFromImage(camera, {p.x, p.y}, out.height_in, 0);
    if (!corner.ok()) return false;
    out.top.push_back(corner->at);
  }
  std::vector<cv::Point> places;
  cv::findNonZero(model.Covered(pose), places);
  if (places.empty()) return false;
  cv::convexHull(places, out.covered);
  for (cv::Point& p : out.covered) p += window.rect.tl();
  return true;
}

// Whether two candidates cannot both be dice: the middle of one lies well inside the other.
bool Exclude(const DiePose& a, const DiePose& b, double ppi) {
  // Of both sides: 0.5 where dice touch, 0.25 for a box about the halves of two of them.
  constexpr double kApart = 0.38;
  return cv::norm(a.middle - b.middle) < kApart * (a.side_in + b.side_in) * ppi;
}

// Where a pip of a pattern is seen on a face, pixels.
cv::Point2d PipOn(const DieModel::UpperFace& face, Vec2 pip, double off) {
  return face.centre + off * (pip.x * face.u + pip.y * face.v);
}

// Faces on which a pip that a die shows is one of another number's: the likeliest of each pattern,
// the best first.
std::vector<DieCandidate> FacesWithItsPips(const DieModel& model, const DieCandidate& die) {
  const DiePattern& known = DiePatterns()[die.pattern];
  const DieModel::UpperFace face = model.Upper(die.pose);
  std::vector<DieCandidate> out;
  for (std::size_t k = 1; k < DiePatterns().size(); ++k) {
    if (DiePatterns()[k].value == known.value) continue;
    DieCandidate best;
    const auto try_with = [&](Vec2 seen, Vec2 pip, double turn, double size) {
      DieCandidate one = die;
      one.pattern = k;
      one.pose.yaw_rad += turn;
      one.pose.side_in *= size;
      one.pose.pip_off = kDiePriors.pip_off;
      one.pose.pip_radius = kDiePriors.pip_radius;
      one.pose.middle +=
          PipOn(face, seen, die.pose.pip_off) - PipOn(model.Upper(one.pose), pip, one.pose.pip_off);
      Weigh(model, 2, one);
      if (one.score > best.score) best = one;
    };
    for (const Vec2 seen : known.pips) {
      for (const Vec2 pip : DiePatterns()[k].pips) {
        // A search goes on from here: of a quarter turn the half, of sizes what a side or a shadow
        // may add to a face.
        for (const double turn : {0.0, pi / 4})
          for (const double size : {0.75, 0.87, 1.0}) try_with(seen, pip, turn, size);
      }
    }
    if (best.pattern == k) out.push_back(best);
  }
  std::sort(out.begin(), out.end(), Better);
  return out;
}

// The likeliest other number, on this face or on one beside it, by how much its pips help: of the
// candidates that exclude the die, and of faces that share a pip with it.
DieCandidate OtherNumber(const DieModel& model, const DieCandidate& die,
                         std::span<const DieCandidate> candidates) {
  DieCandidate out;
  const auto take = [&](const DieCandidate& one) {
    const DiePattern& pattern = DiePatterns()[one.pattern];
    if (pattern.value > 0 && pattern.value != DiePatterns()[die.pattern].value &&
        one.by_pips.net > out.by_pips.net && Exclude(one.pose, die.pose, model.PixelsPerInch()))
      out = one;
  };
  for (const DieCandidate& one : candidates) take(one);
  std::vector<DieCandidate> faces = FacesWithItsPips(model, die);
  constexpr std::size_t kFew = 4;
  if (faces.size() > kFew) faces.resize(kFew);
  for (DieCandidate& face : faces) {
    face = Refined(model, face, 1, kLeastStep_px, DieModel::kPipWays, 1);
    face.by_pips = HelpOfPips(model, face);
    take(face);
  }
  return out;
}

// A cube without pips of `size` of a box's side and turned against it, whose middle lies by `off`
// half sides of the box in its direction `way_rad`.
DieCandidate BlankBeside(const DieModel& model, const DieCandidate& box, double way_rad, double off,
                         double size, double turn_rad) {
  DieCandidate one = box;
  one.pattern = 0;
  one.pose.side_in = std::max(size * box.pose.side_in, kDiePriors.side_range_in[0]);
  one.pose.yaw_rad += turn_rad;
  const DieModel::UpperFace face = model.Upper(box.pose);
  one.pose.middle += off * (std::cos(way_rad) * face.u + std::sin(way_rad) * face.v);
  Weigh(model, 2, one);
  return one;
}

// By how much cubes without pips explain the pixels that a box covers better than it does, nats.
double ByBlanks(const DieModel& model, const DieCandidate& box,
                std::span<const DieCandidate> cubes) {
  std::vector<DieModel::PixelGain> of_box;
  std::vector<DieModel::PixelGain> of_cube;
  const double help = model.Evaluate(box.pose, DiePatterns()[box.pattern]).pips;
  double out = help - model.Gains(box.pose, DiePatterns()[box.pattern], of_box);
  std::vector<float> explained(model.PixelCount());
  for (const DieCandidate& cube : cubes) {
    out += model.Gains(cube.pose, DiePatterns().front(), of_cube);
    for (const DieModel::PixelGain& g : of_cube)
      explained[g.pixel] = std::max(explained[g.pixel], g.nats);
  }
  for (const DieModel::PixelGain& g : of_box) out += double{explained[g.pixel]} - double{g.nats};
  return out;
}

// A cube without pips that lies beside the box: the box's corners take its outline and its shadow
// for pips.
double ByBlankBeside(const DieModel& model, const DieCandidate& box) {
  constexpr int kWays = 8;
  std::array<DieCandidate, kWays> starts;
  for (int way = 0; way < kWays; ++way) {
    DieCandidate& best = starts[static_cast<std::size_t>(way)];
    for (const double size : {0.87, 1.0}) {
      for (const double turn : {0.0, pi / 4}) {
        const DieCandidate one = BlankBeside(model, box, way * 2 * pi / kWays, 0.7, size, turn);
        if (one.score > best.score) best = one;
      }
    }
  }
  std::sort(starts.begin(), starts.end(), Better);
  double out = -1e18;
  constexpr std::size_t kFew = 3;  // ways beside each other end alike
  for (std::size_t i = 0; i < kFew; ++i) {
    const DieCandidate cube = Refined(model, starts[i], 1, kLeastStep_px, DieModel::kPlaceWays, 1);
    // In the box's own place it is the die without its pips, which is compared for itself.
    constexpr double kBeside = 0.25;  // of a side
    const double apart_px = cv::norm(cube.pose.middle - box.pose.middle);
    if (apart_px >= kBeside * box.pose.side_in * model.PixelsPerInch())
      out = std::max(out, ByBlanks(model, box, {&cube, 1}));
  }
  return out;
}

// Two cubes without pips, side by side: a box about two dice takes the ground in their gaps for
// pips.
double ByTwoBlanks(const DieModel& model, const DieCandidate& box) {
  const DiePattern& blank = DiePatterns().front();
  std::array<DieCandidate, 2> cubes;
  double most = -1e18;
  for (int way = 0; way < 4; ++way) {
    for (const double size : {0.55, 0.7}) {
      for (const double turn : {0.0, pi / 4}) {
        const std::array<DieCandidate, 2> two{
            BlankBeside(model, box, way * pi / 4, size, size, turn),
            BlankBeside(model, box, way * pi / 4, -size, size, turn)};
        if (two[0].score + two[1].score <= most) continue;
        most = two[0].score + two[1].score;
        cubes = two;
      }
    }
  }
  constexpr int kRounds = 2;
  for (int round = 0; round < kRounds; ++round) {
    for (std::size_t k = 0; k < 2; ++k) {
      DieModel beside_other = model;
      beside_other.Own(cubes[1 - k].pose, blank);
      cubes[k] = Refined(beside_other, cubes[k], 1, kLeastStep_px, DieModel::kPlaceWays, 1);
    }
  }
  return ByBlanks(model, box, cubes);
}

// What speaks for a number on a die that lies flat.
struct Reading {
  int value = 0;
  double p_value = 0;  // over the other numbers of this face
  double p_face = 0;   // over another face beside this one
  double p_die = 0;    // over all that is none
  double shown = 0;    // DieModel::PlacesShow
  DiePose pose;
  DieModel::Evaluation fit;
};

// The log odds of a chance that is told to no more than `least` from 0 and 1.
double LogOddsOf(double chance, double least) {
  const double told = std::clamp(chance, least, 1 - least);
  return std::log(told / (1 - told));
}

// The chance that what shows a body and pips as a die does is one, whatever it shows. No model of
// what else it may be is exact, so how much each counts is fitted: a logistic regression on 997
// such places on made-up tables (`evaluate --throws 80`, seeds 750000 to 758000, and `--shots 100
// --world wild`, 397000 to 399000) and in the labelled clips, of which 801 were dice. A fifth
// judged by a fit to the others: above 0.4 are 773 of those dice, and 77 of the 196 others.
// cubes   nats by which cubes without pips explain it better than a die does
// stripe  likewise a stripe in place of its pips
double ChanceOfADie(const Reading& reading, double cubes, double stripe, double px_per_in) {
  const DieModel::Evaluation& fit = reading.fit;
  // One, two or three spots are oftener something else's.
  constexpr std::array<double, 6> kOfValue{-2.771, -0.798, -0.739, 0, 0, 0};
  double odds = 15.907 + kOfValue[static_cast<std::size_t>(reading.value - 1)];
  odds += (reading.value == 1 ? 0.179 : 0.382) * std::clamp(reading.shown, -3.0, 12.0);
  constexpr double kLinear = 5;  // nats: from here on the logarithm of a lead counts
  odds -= 0.607 * std::asinh(cubes / kLinear);
  odds -= 0.873 * std::asinh(stripe / (kLinear * std::max(BirgeOf(fit.misfit), 1.0)));
  odds += 0.663 * std::log(std::max(fit.by_body, 1.0));
  // Tape and paper have more contrast than most dice.
  constexpr double kStrong = 150;  // code values
  odds -= 0.0185 * std::min(ContrastOf(fit.colours.body, fit.colours.pips), kStrong);
  odds -= 54.13 * std::max(reading.pose.side_in - 0.76, 0.0);  // a box about a larger thing
  const double off = reading.pose.pip_off - kDiePriors.pip_off;
  odds -= 11.887 * off + 12.336 * std::abs(off);
  return ChanceOfOdds(odds - 6.301 * std::log(px_per_in));
}

// The chance that it is a die and that the number is right. The chances of a reading depend on one
// another and none is exact, so their product says too little: dice whose product was 90 % were
// right 98 times of 100. How much each counts is fitted: a logistic regression on 2375 dice found
// in made-up throws (`evaluate --throws 200`, seeds 500000 and 510000 to 550000), of which 2178 are
// right, and on 129 things of the labelled clips, in four looks, that are no dice and count 0.3
// each. A fifth judged by a fit to the others: of 1724 above 0.97 six are wrong.
double TrustOf(const Reading& reading, double px_per_in) {
  const DieModel::Evaluation& fit = reading.fit;
  // A shell's or a coin's middle is a one, the gap between two dice a two: fewer things look like
  // four pips and more in their places.
  constexpr std::array<double, 6> kOfValue{-3.651, -2.853, -1.023, 0, 0, 0};
  double odds = 7.343 + kOfValue[static_cast<std::size_t>(reading.value - 1)];
  odds += 0.23 * std::clamp(reading.shown, -3.0, 12.0);
  odds += 0.101 * LogOddsOf(reading.p_die, 1e-4);
  odds += 0.159 * LogOddsOf(reading.p_face, 1e-4);
  odds += 0.089 * LogOddsOf(reading.p_value, 1e-3);
  // What it explains, for the pixels that it has.
  odds += 0.908 * std::log(std::max(fit.pips, 1.0)) + 0.844 * std::log(std::max(fit.score, 1.0)) -
          4.901 * std::log(px_per_in);
  odds += 4.152 * fit.by_body / std::max(fit.score, 1.0);
  odds -= 0.785 * std::log(std::max(fit.misfit, 0.05));
  odds -= 2.922 * reading.pose.side_in;  // a box about two dice, or a shell, is larger than a die
  constexpr double kUsualOff = 0.1;      // pips of every make lie so near to half way
  odds -= 57.457 * std::max(std::abs(reading.pose.pip_off - kDiePriors.pip_off) - kUsualOff, 0.0);
  const double chance = ChanceOfOdds(odds);
  // Where the places of the pips speak against it, one in three was right: too few to trust more.
  constexpr double kAgainst = 0.9;
  return reading.shown < 0 ? std::min(chance, kAgainst) : chance;
}

// What a candidate is, by its chances.
// candidates  all that were found beside it
// chosen      its number and pose in the end
// other       what it shows if not that number
std::optional<DieFound> JudgeOne(const DieModel& model, const DieCandidate& candidate,
                                 std::span<const DieCandidate> candidates,
                                 const ChangeWindow& window, const TableCamera& camera,
                                 double level_in, DieCandidate& chosen, DieCandidate& other) {
  const NumbersAtBest best = EachNumber(model, FlatPose(model, candidate));
  const auto top = std::max_element(best.begin() + 1, best.end(),
                                    [](auto& a, auto& b) { return a.score < b.score; });
  chosen = *top;
  const DieModel::Evaluation at = model.Evaluate(chosen.pose, DiePatterns()[chosen.pattern]);
  const double blank = best[0].score;
  DieFound out;
  out.value = static_cast<int>(top - best.begin());
  const double left =
      at.misfit / std::max(at.misfit, model.Evaluate(chosen.pose, DiePatterns().front()).misfit);
  if (!ShowsADie(model, chosen, at, blank, left)) return std::nullopt;
  const double birge = BirgeOf(at.misfit);
  const double disc = RoundThing(model, chosen);
  const double round = disc - RarityOfRound(out.value) * std::max(birge, 1.0);
  if (round > top->score) return std::nullopt;
  if (IsBared(model, window, chosen.pose)) return std::nullopt;
  const std::array<double, 6> chances = ChancesOf(best, top->score, birge);
  std::copy(chances.begin(), chances.end(), out.p.begin());
  Reading reading;
  reading.value = out.value;
  reading.p_value = out.P();
  reading.shown = model.PlacesShow(chosen.pose, DiePatterns()[chosen.pattern]);
  reading.pose = chosen.pose;
  reading.fit = at;
  // A second cube costs what any die does.
  const double cubes =
      std::max(ByBlankBeside(model, chosen), ByTwoBlanks(model, chosen) - kDiceMargins.evidence);
  const double stripe = AsStripe(model, chosen);
  reading.p_die =
      ChanceOfDie(model, chosen, std::max({blank, round, stripe, chosen.score + cubes}));
  if (reading.p_die < kDiceMargins.is_die) return std::nullopt;
  out.p_die = ChanceOfADie(reading, cubes, stripe - chosen.score, model.PixelsPerInch());
  if (out.p_die < kDiceMargins.taken) return std::nullopt;

  other = OtherNumber(model, chosen, candidates);
  reading.p_face = ChanceOfFace(chosen, HelpOfPips(model, chosen).net, other);
  // Pips that leave more than the picture's doubt, and much of the face's pattern, are not what it
  // shows: a box about two dice has the gap between them, and their own pips.
  constexpr double kMuchLeft = 1.0 / 3;
  constexpr double kEvenOdds = 2.7;  // of those in 120 made-up throws that showed so much, half did
  if (at.misfit > 1 && left > kMuchLeft) reading.shown = std::min(reading.shown, kEvenOdds);
  out.body = ColourOf(at.colours.body);
  out.pips = ColourOf(at.colours.pips);
  out.p_right = TrustOf(reading, model.PixelsPerInch());

  const DieCandidate cocked = Cocked(model, chosen);
  out.p_cocked = ChanceOfLeaning(model, chosen, cocked);
  if (out.p_cocked > kDiceMargins.called_cocked) chosen = cocked;
  if (!Place(model, chosen.pose, window, camera, level_in, out)) return std::nullopt;
  return out;
}

// What a candidate is; where another number suits its pips better, what that is.
std::optional<DieFound> Judge(const DieModel& model, const DieCandidate& candidate,
                              std::span<const DieCandidate> candidates, const ChangeWindow& window,
                              const TableCamera& camera, double level_in, DieCandidate& chosen) {
  DieCandidate other;
  std::optional<DieFound> out =
      JudgeOne(model, candidate, candidates, window, camera, level_in, chosen, other);
  if (!out || other.by_pips.net <= HelpOfPips(model, chosen).net) return out;
  DieCandidate other_chosen;
  DieCandidate third;
  std::optional<DieFound> instead =
      JudgeOne(model, other, candidates, window, camera, level_in, other_chosen, third);
  if (!instead) return out;
  chosen = other_chosen;
  return instead;
}

// A candidate, with what it explains of each pixel and beside them.
struct Choice {
  const DieCandidate* candidate = nullptr;
  std::vector<DieModel::PixelGain> gains;
  double beside = 0;  // nats of its pips, its prior, and the price of a die
};

// Candidates that can all be dice, and what they explain together, nats.
struct Together {
  std::vector<const Choice*> dice;
  double total = 0;
};

// Adds to one choice the others that explain most of what is left, as long as any explains more
// than a die costs.
Together WithOthers(const Choice& first, const std::vector<Choice>& choices,
                    const DieModel& model) {
  Together out;
  std::vector<float> explained(model.PixelCount());
  const auto adds = [&](const Choice& one) {
    double sum = one.beside;
    for (const DieModel::PixelGain& g : one.gains)
      sum += std::max(g.nats - explained[g.pixel], 0.F);
    return sum;
  };
  const auto excluded = [&](const Choice& one) {
    return std::any_of(out.dice.begin(), out.dice.end(), [&](const Choice* other) {
      return Exclude(one.candidate->pose, other->candidate->pose, model.PixelsPerInch());
    });
  };
  for (const Choice* next = &first; next != nullptr;) {
    out.total += adds(*next);
    for (const DieModel::PixelGain& g : next->gains)
      explained[g.pixel] = std::max(explained[g.pixel], g.nats);
    out.dice.push_back(next);
    next = nullptr;
    double most = 0;
    for (const Choice& one : choices) {
      if (excluded(one)) continue;
      const double more = adds(one);
      if (more <= most) continue;
      most = more;
      next = &one;
    }
  }
  return out;
}

// Of candidates that share pixels, the set that explains most: a box about the halves of two dice
// explains more than either, but less than both.
std::vector<DieCandidate> Compatible(const DieModel& model, const std::vector<DieCandidate>& open) {
  std::vector<Choice> choices;
  for (const DieCandidate& one : open) {
    // What is larger than a die is none, but what lies within it is none either.
    const bool shows_pips = one.by_pips.all >= 0.5 * kDiceMargins.pips || TooLarge(model, one.pose);
    if (!shows_pips || one.score < 0.5 * kDiceMargins.evidence) continue;
    Choice choice;
    choice.candidate = &one;
    choice.beside =
        model.Gains(one.pose, DiePatterns()[one.pattern], choice.gains) - kDiceMargins.evidence;
    choices.push_back(std::move(choice));
  }
  Together best;
  for (const Choice& first : choices) {
    Together one = WithOthers(first, choices, model);
    if (best.dice.empty() || one.total > best.total) best = std::move(one);
  }
  std::vector<DieCandidate> out;
  for (const Choice* one : best.dice)
    if (!TooLarge(model, one->candidate->pose)) out.push_back(*one->candidate);
  return out;
}

// Each of some dice once more, where the others are.
void RefineTogether(DieModel& model, std::vector<DieCandidate>& dice) {
  for (std::size_t i = 0; i < dice.size(); ++i) {
    bool near = false;
    model.Disown();
    for (std::size_t j = 0; j < dice.size(); ++j) {
      if (j == i || cv::norm(dice[i].pose.middle - dice[j].pose.middle) > 2 * model.PixelsPerInch())
        continue;
      near = true;
      model.Own(dice[j].pose, DiePatterns()[dice[j].pattern]);
    }
    if (!near) continue;
    DieCandidate one = Refined(model, dice[i], 1, kLeastStep_px, DieModel::kPipWays, 1);
    dice[i] = WithPips(model, one);
    dice[i].by_pips = HelpOfPips(model, dice[i]);
  }
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
  constexpr int kRounds = 3;
  for (int round = 0; round < kRounds && !open.empty(); ++round) {
    own_accepted();
    std::vector<DieCandidate> apart;
    std::copy_if(open.begin(), open.end(), std::back_inserter(apart), [&](const DieCandidate& one) {
      return std::none_of(accepted.begin(), accepted.end(), [&](const Accepted& other) {
        return Exclude(one.pose, other.candidate.pose, model.PixelsPerInch());
      });
    });
    std::vector<DieCandidate> together = Compatible(model, apart);
    if (together.empty()) break;
    const std::vector<DieCandidate> judged = together;
    RefineTogether(model, together);
    std::sort(together.begin(), together.end(),
              [](const auto& a, const auto& b) { return a.by_pips.all > b.by_pips.all; });
    bool refused = false;
    for (std::size_t i = 0; i < together.size(); ++i) {
      own_accepted();
      for (std::size_t j = i + 1; j < together.size(); ++j) own(together[j]);
      DieCandidate chosen;
      std::optional<DieFound> die = judge(together[i], chosen);
      refused = refused || !die;
      if (die) accepted.push_back({chosen, std::move(*die)});
    }
    // They have been judged, and so have others in their places.
    for (const DieCandidate& known : judged) {
      std::erase_if(open, [&](const DieCandidate& one) {
        return cv::norm(one.pose.middle - known.pose.middle) < 0.1 * model.PixelsPerInch();
      });
    }
    if (!refused) break;
  }
  std::vector<DieFound> out;
  for (Accepted& one : accepted) out.push_back(std::move(one.die));
  return out;
}

}  // namespace

double ChanceOf(const DieFound& die) { return die.p_right * (1 - die.p_cocked); }
bool IsCocked(const DieFound& die) { return die.p_cocked > kDiceMargins.called_cocked; }
bool IsRead(const DieFound& die) { return ChanceOf(die) >= kDiceMargins.read; }

bool OfOneMake(const DieFound& a, const DieFound& b) {
  // Of 227 pairs of dice of made-up throws that were read right, nineteen in twenty differ by no
  // more.
  constexpr double kSizes = 0.16;  // of the logarithm of their sides
  constexpr int kColours = 52;     // code values of any channel
  const auto alike = [](Colour one, Colour other) {
    return std::max({std::abs(one.r - other.r), std::abs(one.g - other.g),
                     std::abs(one.b - other.b)}) <= kColours;
  };
  return std::abs(std::log(a.side_in / b.side_in)) <= kSizes && alike(a.body, b.body) &&
         alike(a.pips, b.pips);
}

namespace {

// Cubes with pips, the surest first.
std::vector<DieFound> FindCubes(const ShotPictures& pictures, const DicePart& part) {
  const auto& [middle, level, window] = part;
  const double ppi = PixelsPerInch(pictures.camera, middle, level + kDiePriors.side_in / 2);
  const cv::Mat changed = ChangedPixels(window, pictures, ppi);
  constexpr double kLeast_in2 = 0.08;  // half of the smallest die's face
  // What covers more is a unit, a sheet or a shadow: a dozen dice with theirs.
  constexpr double kMost_in2 = 8;
  const int changed_px = cv::countNonZero(changed);
  if (changed_px < kLeast_in2 * ppi * ppi || changed_px > kMost_in2 * ppi * ppi) return {};

  // A step as wide as a small die's pip in the picture.
  const double pip_px = 0.5 * kDiePriors.pip_radius * 0.5 * kDiePriors.side_range_in[0] * ppi;
  const double step = std::max(1.5, 1.3 * std::hypot(pictures.blur.sigma_px, pip_px));
  const int reach = std::max(2, static_cast<int>(0.2 * ppi));
  const std::vector<cv::Point2d> places = ChangedPlaces(changed, reach, reach, step);
  if (places.empty()) return {};

  DieModel model(window, pictures.camera, middle, level, pictures.blur);
  std::vector<DieCandidate> open = Proposals(model, places, changed_px, pictures.blur);
  std::erase_if(open, [&](const DieCandidate& one) { return IsBared(model, window, one.pose); });
  const int stride = ppi > 26 ? 2 : 1;
  const std::vector<DieCandidate> likely = ApartFromEachOther(open, ppi);
  InParallel(open.size(), [&](std::size_t i) {
    // The pixels of a neighbour are its own: a box about both would explain more than either.
    DieModel beside = model;
    for (const DieCandidate& other : likely) {
      if (Overlap(open[i].pose, other.pose, ppi)) continue;
      if (cv::norm(open[i].pose.middle - other.pose.middle) > 2 * ppi) continue;
      beside.Own(other.pose, DiePatterns()[other.pattern]);
    }
    open[i] = Refined(beside, open[i], 2, 0.5, DieModel::kPipWays, stride);
  });
  constexpr double kWorthwhile = 15;  // nats: what follows may still add to them
  std::erase_if(open, [](const DieCandidate& one) { return one.score < kWorthwhile; });
  open = WithoutTwins(std::move(open), ppi);
  InParallel(open.size(), [&](std::size_t i) {
    const DieModel own = model;  // it works in a buffer of its own
    open[i] = WithPips(own, Refined(own, open[i], 0.5, kLeastStep_px, DieModel::kPipWays, 1));
    open[i].by_pips = HelpOfPips(own, open[i]);
  });
  open = WithoutTwins(std::move(open), ppi);
  return Agreed(model, open, [&](const DieCandidate& candidate, DieCandidate& chosen) {
    return Judge(model, candidate, open, window, pictures.camera, level, chosen);
  });
}

}  // namespace

std::vector<DieFound> FindDice(const ShotPictures& pictures, const TerrainMap& terrain,
                               const TableBox& where, const std::vector<int>& faces) {
  const auto thrown = [&](int sides) {
    return std::find(faces.begin(), faces.end(), sides) != faces.end();
  };
  const std::optional<DicePart> part = PartWithDice(pictures, terrain, where);
  if (!part) return {};
  std::vector<DieFound> out;
  if (thrown(6)) out = FindCubes(pictures, *part);
  if (!thrown(12)) return out;
  // Numbers may look like pips, and pips like numbers: of two in one place the likelier is a die. A
  // pip that is read tells no more: glints and numbers on a twelve-sided die look like one.
  for (DieFound& die : FindTwelveSided(pictures, *part)) {
    const auto overlaps = [&](const DieFound& other) {
      return other.faces != die.faces &&
             Distance(other.centre, die.centre) < 0.5 * (other.side_in + die.side_in);
    };
    const bool loses = std::any_of(out.begin(), out.end(), [&](const DieFound& other) {
      return overlaps(other) && other.p_die >= die.p_die;
    });
    if (loses) continue;
    std::erase_if(out, overlaps);
    out.push_back(std::move(die));
  }
  return out;
}

double CubeThere(const DieModel& model, const DiePose& about) {
  DieCandidate best;
  for (const double size : {0.75, 0.9}) {
    for (const double turn : {0.0, pi / 8, pi / 4, 3 * pi / 8}) {
      DieCandidate one;
      one.pose = about;
      one.pose.side_in *= size;
      one.pose.yaw_rad += turn;
      one = WithPips(model, Refined(model, one, 2, 0.5, DieModel::kPlaceWays, 2));
      if (one.score > best.score) best = one;
    }
  }
  best = Refined(model, best, 0.5, kLeastStep_px, DieModel::kPipWays, 1);
  return best.score;
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
  constexpr int kEdge_px = 2;
  hidden = Grown(hidden, kEdge_px);
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
  pictures = AlreadyThere(std::move(pictures), hidden);
}

}  // namespace fos
