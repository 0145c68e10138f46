#include <algorithm>

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
  for (double at = 0; at <= d; at += kStep_yd) {
    const std::vector<Base> bases = ShiftedBases(start, bearing, at);
    way.rough = way.rough || field.RoughUnder(bases);
    for (const Base& base : bases) {
      for (int v = 0; v < static_cast<int>(s.units.size()); ++v) {
        if (v == unit || Info(s, v).side != Info(s, unit).side || !At(s, v).OnTable()) continue;
        for (const Base& other : field.Bases(v))
          way.friends = way.friends || open_table::Overlap(base, other);
      }
      for (const Terrain& t : s.setup->terrain) {
        if (!t.obstacle || Contains(t.outline_yd, base.centre)) continue;
        const Vec2 step = kStep_yd * Ahead(bearing);
        way.obstacle =
            way.obstacle ||
            !open_table::PartsInside({base.centre, base.centre + step}, t.outline_yd).empty();
      }
    }
  }
  return way;
}

// Would going on for so many yards run through a friend or into a feature (CF-11.3)?
bool AheadIsBroken(const Field& field, int unit, double yards) {
  const State& s = field.Game();
  const double bearing = field.FrontOf(unit).facing_deg;
  for (double d = 1; d <= yards; d += 2)
    for (const Base& base : ShiftedBases(field.Bases(unit), bearing, d)) {
      for (int v = 0; v < static_cast<int>(s.units.size()); ++v)
        if (v != unit && Info(s, v).side == Info(s, unit).side && At(s, v).OnTable())
          for (const Base& other : field.Bases(v))
            if (open_table::Overlap(base, other)) return true;
      for (const Terrain& t : s.setup->terrain)
        if (!t.road && Contains(t.outline_yd, open_table::FrontCentre(base))) return true;
      if (field.OffTable(base.centre)) return true;
    }
  return false;
}

}  // namespace fos::closefire
