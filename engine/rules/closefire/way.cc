#include <algorithm>
#include <limits>

#include "engine/rules/closefire/moving.h"
#include "engine/rules/closefire/room.h"

// What lies along a way.
namespace fos::closefire {

using open_table::Ahead;

Way WayAlong(const Field& field, int unit, double bearing, double yards) {
  const State& s = field.Game();
  const auto& book = s.Book();
  Way way;
  const bool doubled = At(s, unit)[Of::kDoubled] != 0;
  const std::vector<Base> start = field.Bases(unit);
  const auto too_near_for_double = [&](const std::vector<Base>& at) {
    if (field.SuspectGap(at) < book.move.far_distance - open_table::kTiny) return true;
    for (int v = 0; v < static_cast<int>(s.units.size()); ++v)
      if (Info(s, v).side != Info(s, unit).side && At(s, v).OnTable() &&
          open_table::Gap(at, field.Bases(v)) < book.move.far_distance - open_table::kTiny)
        return true;
    return false;
  };
  // A step a base cannot be jumped in; the last free step is then halved down to a hundredth.
  constexpr double kStep_yd = 2;
  const auto stopped = [&](double d, Way* out) {
    const std::vector<Base> at = ShiftedBases(start, bearing, d);
    for (const Base& base : at) {
      if (field.ForbiddenAt(base, unit)) {
        if (out != nullptr) out->forbidden = true;
        return true;
      }
      if (field.OffTable(base.centre)) {
        if (out != nullptr) out->edge = true;
        return true;
      }
    }
    if (EnemyTooNear(field, unit, at)) {
      if (out != nullptr) out->enemy_stop = true;
      return true;
    }
    if (doubled && too_near_for_double(at)) {
      if (out != nullptr) out->double_stop = true;
      return true;
    }
    return false;
  };
  double d = 0;
  while (d < yards) {
    const double next = std::min(yards, d + kStep_yd);
    if (stopped(next, nullptr)) {
      double low = d;
      double high = next;
      for (int i = 0; i < 10; ++i) {
        const double middle = 0.5 * (low + high);
        (stopped(middle, nullptr) ? high : low) = middle;
      }
      stopped(high, &way);
      d = low;
      break;
    }
    d = next;
  }
  way.free_yd = d;
  // The ground and the friends on the free part.
  std::vector<bool> crossed(s.setup->terrain.size(), false);
  for (double at = 0; at <= d; at += kStep_yd) {
    const std::vector<Base> bases = ShiftedBases(start, bearing, at);
    way.rough = way.rough || field.RoughUnder(bases);
    for (const Base& base : bases) {
      for (int v = 0; v < static_cast<int>(s.units.size()); ++v) {
        if (v == unit || Info(s, v).side != Info(s, unit).side || !At(s, v).OnTable()) continue;
        for (const Base& other : field.Bases(v))
          way.friends = way.friends || open_table::Overlap(base, other);
      }
      for (std::size_t i = 0; i < s.setup->terrain.size(); ++i) {
        const Terrain& t = s.setup->terrain[i];
        if (!t.obstacle || crossed[i] || Contains(t.outline_yd, base.centre)) continue;
        const Vec2 step = std::min(kStep_yd, d - at) * Ahead(bearing);
        crossed[i] =
            !open_table::PartsInside({base.centre, base.centre + step}, t.outline_yd).empty();
      }
    }
  }
  way.obstacles = static_cast<int>(std::count(crossed.begin(), crossed.end(), true));
  return way;
}

Broken AheadIsBroken(const Field& field, int unit, double bearing, double yards) {
  const State& s = field.Game();
  const auto enters = [&](const Terrain& t, std::size_t i, const Base& there) {
    // What a stand's front is in already it does not enter.
    return !t.road && Contains(t.outline_yd, open_table::FrontCentre(there)) &&
           !Contains(t.outline_yd, open_table::FrontCentre(field.Bases(unit)[i]));
  };
  Broken out;
  for (double d = 1; d <= yards; d += 2) {
    const std::vector<Base> there = ShiftedBases(field.Bases(unit), bearing, d);
    for (std::size_t i = 0; i < there.size(); ++i) {
      for (int v = 0; v < static_cast<int>(s.units.size()) && out.friends < 0; ++v)
        if (v != unit && Info(s, v).side == Info(s, unit).side && At(s, v).OnTable())
          for (const Base& other : field.Bases(v))
            if (open_table::Overlap(there[i], other)) out.friends = v;
      out.ground = out.ground || field.OffTable(there[i].centre) ||
                   std::any_of(s.setup->terrain.begin(), s.setup->terrain.end(),
                               [&](const Terrain& t) { return enters(t, i, there[i]); });
    }
  }
  return out;
}

std::vector<Hurdle> HurdlesAhead(const Field& field, int unit, double yards, bool by_centre) {
  std::vector<Hurdle> out;
  const Vec2 by = yards * Ahead(field.FrontOf(unit).facing_deg);
  for (const Terrain& t : field.Game().setup->terrain) {
    if (!t.obstacle) continue;
    double nearest = std::numeric_limits<double>::infinity();
    bool in_it = false;
    for (const Base& base : field.Bases(unit)) {
      const Vec2 front = by_centre ? base.centre : open_table::FrontCentre(base);
      in_it = in_it || Contains(t.outline_yd, front);
      for (const auto& part : open_table::PartsInside({front, front + by}, t.outline_yd))
        nearest = std::min(nearest, yards * part.enter);
    }
    if (!in_it && nearest < yards) out.push_back({nearest, t.hard_for_cavalry});
  }
  std::sort(out.begin(), out.end(),
            [](const Hurdle& a, const Hurdle& b) { return a.at_yd < b.at_yd; });
  return out;
}

}  // namespace fos::closefire
