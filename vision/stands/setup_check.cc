// SPDX-License-Identifier: MIT
#include "vision/stands/setup_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <opencv2/imgproc.hpp>

#include "vision/image/rectify.h"

namespace fos {
namespace {

// Prior: players leave out or misplace a unit on one table of ten, which has some twenty units.
constexpr double kUnitMisplaced = 1.0 / 200;
// Prior: the scenario is another table's, or the board lies turned.
constexpr double kOtherTable = 1.0 / 100;
// Prior: players add stands that the scenario does not have, a unit or two.
constexpr double kAddedStands = 1.0 / 100;
constexpr int kMostAdded = 8;
// Strangers on a table by chance. None was invented on 22 clips and 200 made-up tables, and players
// leave a stand behind on some tables.
constexpr double kStrayStands = 0.1;
// Of the stands in view on the clips 3 in 1,000 are missed, and players err with as many. The
// stands of a unit share their light, their paint and their neighbours, and are missed together:
// correlation of a beta-binomial distribution.
constexpr double kMissed = 0.01;
constexpr double kMissedTogether = 0.05;
// A unit that is not there: each stand seen in its place is another's, or invented.
constexpr double kSeenInstead = 0.02;

// Probability of so many misses among the stands of a unit in view.
double BetaBinomial(int misses, int stands) {
  const double sum = 1 / kMissedTogether - 1;
  const double a = kMissed * sum;
  const double b = sum - a;
  const auto log_beta = [](double p, double q) {
    return std::lgamma(p) + std::lgamma(q) - std::lgamma(p + q);
  };
  const double ways =
      std::lgamma(stands + 1.0) - std::lgamma(misses + 1.0) - std::lgamma(stands - misses + 1.0);
  return std::exp(ways + log_beta(misses + a, stands - misses + b) - log_beta(a, b));
}

double ChanceInPlace(const UnitSeen& unit) {
  const double hidden = unit.hidden / (unit.stands + 1);  // as many of them as it happens
  return hidden + (1 - unit.hidden) * BetaBinomial(unit.stands - unit.seen, unit.stands);
}

double ChanceElsewhere(const UnitSeen& unit) { return std::pow(kSeenInstead, unit.seen); }

double Poisson(int count, double mean) {
  return std::exp(count * std::log(mean) - mean - std::lgamma(count + 1.0));
}

// Whether something hides most of a stand there, or the camera does not see the place.
bool OutOfView(const StandLook& look, const TerrainView& terrain, const KindSpec& kind,
               const Pose2& pose) {
  constexpr double kEnoughInView = 0.4;  // with less of it in view it need not be found
  const double top = look.GroundAt(pose.origin) + kind.thickness_in;
  if (1 - terrain.HiddenShare(pose, kind.footprint, top) < kEnoughInView) return true;
  const ImagePoint at = ImageFromTable(look.camera, pose.origin, top);
  const cv::Point pixel(cvRound(at.x_px), cvRound(at.y_px));
  if (!cv::Rect({}, look.bgr.size()).contains(pixel)) return true;
  return !look.blind.empty() && look.blind.at<std::uint8_t>(pixel) != 0;
}

double HiddenShareOfSquare(const StandLook& look, const UnitSpec& unit) {
  const KindSpec& kind = look.scenario.kinds.at(static_cast<std::size_t>(unit.kind));
  const Vec2 centre = look.table.frame.CentreOf(unit.square);
  const double half = look.table.frame.square_in / 2;
  const TerrainView terrain =
      look.terrain.Near(centre, half * M_SQRT2 + HalfDiagonal(kind.footprint));
  const double heading = HeadingFromBearing(BearingOf(unit.facing));
  constexpr int kAcross = 6;
  int hidden = 0;
  int places = 0;
  for (int i = 0; i <= kAcross; ++i) {
    for (int j = 0; j <= kAcross; ++j) {
      const Vec2 off{(2.0 * i / kAcross - 1) * half, (2.0 * j / kAcross - 1) * half};
      const Pose2 pose{centre + off, heading};
      if (terrain.Fills(pose, kind.footprint)) continue;
      ++places;
      hidden += OutOfView(look, terrain, kind, pose) ? 1 : 0;
    }
  }
  return places > 0 ? static_cast<double>(hidden) / places : 1;
}

// Whether a stand is one that the scenario places in a unit's square.
bool Belongs(const StandLook& look, const UnitSpec& unit, const StandObservation& stand) {
  const Vec2 off = stand.table_from_stand.origin - look.table.frame.CentreOf(unit.square);
  const double reach = look.table.frame.square_in / 2 + kLeanOut_in;
  return stand.side == unit.side && stand.kind == unit.kind && std::abs(off.x) < reach &&
         std::abs(off.y) < reach;
}

std::string Joined(const std::vector<std::string>& parts) {
  std::string out;
  for (const std::string& part : parts) out += (out.empty() ? "" : ", ") + part;
  return out;
}

}  // namespace

double ChanceThatSetupFits(std::span<const UnitSeen> units, int strangers) {
  const double stray = Poisson(strangers, kStrayStands);
  const double added = strangers > 0 && strangers <= kMostAdded ? 1.0 / kMostAdded : 0;
  // All units in place, every one in place but for mistakes, and any arrangement: a share of the
  // units happens to be in place, each share as likely as another (integrated by the midpoint
  // rule). Logarithms: forty units make small numbers.
  double in_place = std::log1p(-kOtherTable);
  double with_mistakes = in_place;
  constexpr int kShares = 50;
  std::array<double, kShares> other{};
  int stands = 0;
  for (const UnitSeen& unit : units) {
    const double here = ChanceInPlace(unit);
    const double elsewhere = ChanceElsewhere(unit);
    stands += unit.stands;
    in_place += std::log((1 - kUnitMisplaced) * here);
    with_mistakes += std::log((1 - kUnitMisplaced) * here + kUnitMisplaced * elsewhere);
    for (int k = 0; k < kShares; ++k) {
      const double share = (k + 0.5) / kShares;
      other[static_cast<std::size_t>(k)] += std::log(share * here + (1 - share) * elsewhere);
    }
  }
  const double largest = std::max(with_mistakes, *std::max_element(other.begin(), other.end()));
  const double fits = std::exp(in_place - largest) * (1 - kAddedStands) * stray;
  const double mistakes =
      std::exp(with_mistakes - largest) * ((1 - kAddedStands) * stray + kAddedStands * added);
  double another = 0;
  for (const double of_share : other) another += std::exp(of_share - largest) / kShares;
  // Misplaced stands are seen elsewhere as strangers, or nowhere.
  another *= kOtherTable * 0.5 * (stray + 1.0 / (stands + 1));
  const double misplaced = (std::exp(with_mistakes - largest) - std::exp(in_place - largest)) *
                           0.5 * (strangers <= stands ? 1.0 / (stands + 1) : 0);
  return fits / (mistakes + misplaced + another);
}

std::optional<SetupDoubt> CheckSetup(const StandLook& look,
                                     std::span<const StandObservation> stands) {
  const std::vector<UnitSpec>& specs = look.scenario.units;
  std::vector<UnitSeen> units;
  for (const UnitSpec& unit : specs)
    units.push_back({unit.stands, 0, HiddenShareOfSquare(look, unit)});
  SetupDoubt doubt;
  for (const StandObservation& stand : stands) {
    std::size_t u = 0;
    while (u < specs.size() &&
           (units[u].seen == units[u].stands || !Belongs(look, specs[u], stand)))
      ++u;
    if (u < specs.size()) {
      ++units[u].seen;
    } else {
      doubt.strangers.push_back(stand.stand);
    }
  }
  doubt.fits = ChanceThatSetupFits(units, static_cast<int>(doubt.strangers.size()));
  constexpr double kLeast = 0.01;
  if (doubt.fits > kLeast) return std::nullopt;
  for (std::size_t u = 0; u < units.size(); ++u)
    if (2 * units[u].seen < units[u].stands) doubt.missing.push_back({u, units[u].seen});
  return doubt;
}

std::string SetupQuestion(const SetupDoubt& doubt, const Scenario& scenario) {
  constexpr std::size_t kNamed = 4;
  std::vector<std::string> parts;
  for (const SetupDoubt::Unit& unit : doubt.missing) {
    if (parts.size() == kNamed) break;
    const UnitSpec& spec = scenario.units.at(unit.unit);
    parts.push_back(fmt::format("{} of {} in {}: {} of {} stand{} seen", spec.id,
                                scenario.sides.at(static_cast<std::size_t>(spec.side)).name,
                                SquareName(spec.square), unit.seen, spec.stands,
                                spec.stands == 1 ? "" : "s"));
  }
  if (doubt.missing.size() > kNamed) {
    const std::size_t more = doubt.missing.size() - kNamed;
    parts.push_back(fmt::format("{} more unit{} not seen", more, more == 1 ? "" : "s"));
  }
  const std::size_t strangers = doubt.strangers.size();
  if (strangers > 0) {
    parts.push_back(fmt::format("{} stand{} where the scenario places none of {} kind", strangers,
                                strangers == 1 ? "" : "s", strangers == 1 ? "its" : "their"));
  }
  return fmt::format(
      "Is this the table of the scenario? {}; put the stands right or start with the right "
      "scenario, until then no hit or miss is called",
      Joined(parts));
}

cv::Mat DrawSetup(const cv::Mat& bgr, const TableCamera& camera, const TableFrame& frame,
                  const Scenario& scenario, const StandScene& scene) {
  cv::Mat out = bgr.clone();
  if (!scene.setup_doubt) return out;
  const cv::Scalar dark(20, 20, 20);
  const cv::Scalar red(60, 60, 235);
  const cv::Scalar yellow(80, 220, 220);
  const auto draw = [&](const std::array<Vec2, 4>& corners, double height_in,
                        const cv::Scalar& colour) {
    const std::vector<cv::Point> outline = PixelsAt(camera, corners, height_in);
    cv::polylines(out, outline, true, dark, 5, cv::LINE_AA);
    cv::polylines(out, outline, true, colour, 2, cv::LINE_AA);
    return outline;
  };
  const auto write = [&](cv::Point at, const std::string& text, const cv::Scalar& colour) {
    constexpr double kSize = 0.55;
    cv::putText(out, text, at, cv::FONT_HERSHEY_SIMPLEX, kSize, dark, 4, cv::LINE_AA);
    cv::putText(out, text, at, cv::FONT_HERSHEY_SIMPLEX, kSize, colour, 1, cv::LINE_AA);
  };
  for (const SetupDoubt::Unit& missing : scene.setup_doubt->missing) {
    const UnitSpec& unit = scenario.units.at(missing.unit);
    const auto outline =
        draw(Corners({frame.CentreOf(unit.square), 0}, {frame.square_in, frame.square_in}), 0, red);
    const cv::Rect box = cv::boundingRect(outline);
    write({box.x + 4, box.y + box.height / 2},
          fmt::format("{}: {} of {}", unit.id, missing.seen, unit.stands), red);
  }
  for (const StandObservation& stand : scene.stands) {
    const auto& strangers = scene.setup_doubt->strangers;
    if (std::find(strangers.begin(), strangers.end(), stand.stand) == strangers.end()) continue;
    const auto outline =
        draw(Corners(stand.table_from_stand, stand.footprint), stand.ground_in, yellow);
    write(cv::boundingRect(outline).tl(), stand.stand.text, yellow);
  }
  return out;
}

}  // namespace fos
