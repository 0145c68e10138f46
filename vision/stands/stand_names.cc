// SPDX-License-Identifier: MIT
#include "vision/stands/stand_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "vision/stands/stand_packing.h"

namespace fos {
namespace {

// Whatever of the terrain may hide another stand of a kind in a square, between those that are seen
// there: "tree"; empty if nothing does.
std::string MayHide(const StandLook& look, SquareIndex square, int kind,
                    std::span<const StandObservation> seen) {
  const KindSpec& spec = look.scenario.kinds.at(static_cast<std::size_t>(kind));
  const Vec2 centre = look.table.frame.CentreOf(square);
  const double half = look.table.frame.square_in / 2;
  const TerrainView terrain =
      look.terrain.Near(centre, half * M_SQRT2 + HalfDiagonal(spec.footprint));
  if (terrain.empty()) return {};
  constexpr double kStep_in = 0.25;
  // With less of it in view than this it need not be found.
  constexpr double kEnoughInView = 0.4;
  for (double y = -half; y <= half; y += kStep_in) {
    for (double x = -half; x <= half; x += kStep_in) {
      for (const double heading : {0.0, CV_PI / 4, CV_PI / 2, 3 * CV_PI / 4}) {
        const Pose2 pose{centre + Vec2{x, y}, heading};
        const double top = look.GroundAt(pose.origin) + spec.thickness_in;
        if (1 - terrain.HiddenShare(pose, spec.footprint, top) >= kEnoughInView ||
            terrain.Fills(pose, spec.footprint))
          continue;
        const auto in = [&](const StandObservation& s) {
          return OverlapDepth(pose, spec.footprint, s.table_from_stand, s.footprint) > 0;
        };
        if (std::none_of(seen.begin(), seen.end(), in)) return terrain.NameOfTallest();
      }
    }
  }
  return {};
}

}  // namespace

void NameByDeployment(const StandLook& look, std::vector<StandObservation>& stands,
                      std::vector<std::string>& remarks) {
  std::vector<int> room;
  for (const UnitSpec& unit : look.scenario.units) room.push_back(unit.stands);
  struct Match {
    double distance;
    std::size_t stand, unit;
  };
  std::vector<Match> matches;
  for (std::size_t s = 0; s < stands.size(); ++s) {
    for (std::size_t u = 0; u < look.scenario.units.size(); ++u) {
      const UnitSpec& unit = look.scenario.units[u];
      if (unit.side != stands[s].side || unit.kind != stands[s].kind) continue;
      // How far outside its square; within, all places are as good.
      const Vec2 off = stands[s].table_from_stand.origin - look.table.frame.CentreOf(unit.square);
      const double half = look.table.frame.square_in / 2;
      matches.push_back({std::hypot(std::max(0.0, std::abs(off.x) - half),
                                    std::max(0.0, std::abs(off.y) - half)) +
                             1e-3 * Norm(off),
                         s, u});
    }
  }
  std::sort(matches.begin(), matches.end(),
            [](const Match& a, const Match& b) { return a.distance < b.distance; });
  std::vector<int> unit_of(stands.size(), -1);
  std::vector<char> astray(stands.size(), 0);
  std::vector<int> missing = room;
  for (const Match& m : matches) {
    if (unit_of[m.stand] >= 0 || room[m.unit] == 0) continue;
    unit_of[m.stand] = static_cast<int>(m.unit);
    --room[m.unit];
    // A surplus stand elsewhere is taken for the one of its kind that is missing from its unit's
    // square, with a remark to the players.
    astray[m.stand] = m.distance > kLeanOut_in ? 1 : 0;
    if (astray[m.stand] == 0) --missing[m.unit];
  }
  // Numbers run as the unit itself would count: front rank first, each from its left.
  std::vector<std::size_t> order(stands.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (unit_of[a] != unit_of[b]) return unit_of[a] < unit_of[b];
    if (unit_of[a] < 0) return a < b;
    const double heading = HeadingFromBearing(
        BearingOf(look.scenario.units[static_cast<std::size_t>(unit_of[a])].facing));
    const Vec2 pa = Rotated(stands[a].table_from_stand.origin, -heading);
    const Vec2 pb = Rotated(stands[b].table_from_stand.origin, -heading);
    const double rank_a = std::round(-pa.y / 0.5);
    const double rank_b = std::round(-pb.y / 0.5);
    return rank_a != rank_b ? rank_a < rank_b : pa.x < pb.x;
  });
  std::vector<StandObservation> named;
  std::map<std::string, int> last;
  for (const std::size_t i : order) {
    StandObservation o = stands[i];
    const std::optional<SquareIndex> square = look.table.frame.SquareAt(o.table_from_stand.origin);
    const std::string where = square ? SquareName(*square) : "a place off the board";
    if (unit_of[i] >= 0) {
      const UnitSpec& unit = look.scenario.units[static_cast<std::size_t>(unit_of[i])];
      o.unit = unit.id;
      o.stand.text = fmt::format("{}#{}", unit.id, ++last[unit.id]);
      if (astray[i] != 0) {
        remarks.push_back(fmt::format(
            "one {} stand ({}) seen in {} that the scenario does not place there; taken for {}",
            look.scenario.sides[static_cast<std::size_t>(o.side)].name,
            look.scenario.kinds[static_cast<std::size_t>(o.kind)].name, where, o.stand.text));
      }
    } else {
      const std::string& side = look.scenario.sides[static_cast<std::size_t>(o.side)].name;
      o.stand.text = fmt::format("?{}#{}", side, ++last["?" + side]);
      remarks.push_back(
          fmt::format("one {} stand ({}) seen in {} that the scenario does not place", side,
                      look.scenario.kinds[static_cast<std::size_t>(o.kind)].name, where));
    }
    named.push_back(std::move(o));
  }
  for (std::size_t u = 0; u < look.scenario.units.size(); ++u) {
    const UnitSpec& unit = look.scenario.units[u];
    if (missing[u] == 0) continue;
    const std::string before = MayHide(look, unit.square, unit.kind, stands);
    remarks.push_back(
        fmt::format("{}: {} stands expected in {}, {} seen{}", unit.id, unit.stands,
                    SquareName(unit.square), unit.stands - missing[u],
                    before.empty() ? "" : fmt::format("; a {} there may hide the rest", before)));
  }
  stands = std::move(named);
}

void NameNewcomer(const Scenario& scenario, StandObservation& stand, const StandScene& before,
                  StandScene& scene) {
  const auto used = [&](const std::string& id) {
    const auto is = [&](const StandObservation& o) { return o.stand.text == id; };
    return std::any_of(before.stands.begin(), before.stands.end(), is) ||
           std::any_of(scene.stands.begin(), scene.stands.end(), is);
  };
  for (const UnitSpec& unit : scenario.units) {
    if (unit.side != stand.side || unit.kind != stand.kind) continue;
    for (int n = 1; n <= unit.stands; ++n) {
      const std::string id = fmt::format("{}#{}", unit.id, n);
      if (used(id)) continue;
      stand.unit = unit.id;
      stand.stand.text = id;
      return;
    }
  }
  const std::string& side = scenario.sides[static_cast<std::size_t>(stand.side)].name;
  for (int n = 1;; ++n) {
    stand.stand.text = fmt::format("?{}#{}", side, n);
    if (!used(stand.stand.text)) break;
  }
  scene.remarks.push_back(
      fmt::format("one {} stand ({}) has appeared that the scenario does not have", side,
                  scenario.kinds[static_cast<std::size_t>(stand.kind)].name));
}

}  // namespace fos
