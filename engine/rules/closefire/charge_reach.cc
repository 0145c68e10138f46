// SPDX-License-Identifier: MIT
#include "engine/rules/closefire/charge_reach.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "engine/rules/closefire/room.h"

namespace fos::closefire {

double OverHurdles(const std::vector<Hurdle>& hurdles, double yards) {
  if (hurdles.empty() || hurdles.front().at_yd >= yards) return yards;
  const double over = std::max(yards / 2, hurdles.front().at_yd);
  return hurdles.size() > 1 ? std::min(over, hurdles[1].at_yd) : over;
}

double GapAhead(const Field& field, int unit, int target) {
  const Setup& table = *field.Game().setup;
  return AlongToContact(field, unit, target, table.length_yd + table.width_yd);
}

// CF-12.4, CF-13.1, CF-13.2.
Charged ChargeOf(const Field& field, int unit, const DiceSet& set, const std::vector<int>& faces,
                 double gap_yd) {
  const State& s = field.Game();
  Charged out{{faces, At(s, unit).obeys.inspired > 0, false, false}, 0, 0};
  const double good = std::min(gap_yd, AllowanceYd(s.Book(), out.roll));
  out.roll.rough = RoughAfter(field, unit, field.FrontOf(unit).facing_deg, good) < good;
  out.dp = FatigueDp(s.Book(), s.Rulings(), FatigueOf(s, unit, out.roll.rough), set, faces);
  out.yards = AllowanceYd(s.Book(), out.roll);
  return out;
}

// CF-2.8: hussars in a mixed unit follow the style of the others.
bool MayChargeOutrance(const State& s, int unit) {
  const UnitInfo& info = Info(s, unit);
  return IsCavalry(s, unit) && ((info.arm == Arm::kHussars && !info.mixed) || info.new_style);
}

bool BehindFlank(const Field& field, int unit, int target) {
  if (IsUnformed(field.Game(), unit) || IsUnformed(field.Game(), target)) return false;
  const Field::Front front = field.FrontOf(target);
  return Dot(field.FrontOf(unit).centre - front.centre, open_table::Ahead(front.facing_deg)) < 0;
}

std::string ChargeReading(const Field& field, int unit, int target) {
  const State& s = field.Game();
  const DiceSet& dice = SetAt(At(s, unit).charge.set);
  const double gap = GapAhead(field, unit, target);
  const std::string where = BehindFlank(field, unit, target) ? ", in flank or rear" : "";
  if (gap < 0) return "no roll reaches";
  if (gap <= s.Book().charge.free_from) return "contact is certain" + where;
  const bool rough = RoughAfter(field, unit, field.FrontOf(unit).facing_deg, gap) < gap;
  const auto total = [&](int average, int d6) {
    Roll roll{{}, At(s, unit).obeys.inspired > 0, rough, false};
    for (const Die die : dice) roll.dice.push_back(die == Die::kD6 ? d6 : average);
    return AllowanceYd(s.Book(), roll);
  };
  // CF-14.6: half the roll must get it over one obstacle; no roll gets it over two.
  const std::vector<Hurdle> hurdles = HurdlesAhead(field, unit, gap);
  const double wanted = hurdles.empty() ? gap : 2 * gap;
  if (hurdles.size() > 1 || total(5, 6) < wanted) return "no roll reaches";
  if (total(2, 1) >= wanted) return "any roll reaches" + where;
  return fmt::format("{:g} yd reach{}", 10 * std::ceil((wanted - open_table::kTiny) / 10), where);
}

}  // namespace fos::closefire
