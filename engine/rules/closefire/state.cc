// SPDX-License-Identifier: MIT
#include "engine/rules/closefire/state.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>

#include "engine/table/sentence.h"

namespace fos::closefire {

bool SameGame(const State& a, const State& b) {
  const auto key = [](const State& s) {
    return std::tie(s.units, s.leaders, s.turn, s.phase, s.first, s.initiative, s.to_act,
                    s.generator, s.engaged, s.shocks, s.felt, s.fascines);
  };
  if (key(a) != key(b) || a.waiting.has_value() != b.waiting.has_value()) return false;
  return !a.waiting ||
         (a.waiting->line == b.waiting->line && a.waiting->answers == b.waiting->answers &&
          a.waiting->ask == b.waiting->ask);
}

std::int32_t Milli(double yd) { return static_cast<std::int32_t>(std::llround(yd * 1000)); }

Base ToBase(const State& s, int unit, const BaseState& base) {
  const UnitInfo& info = Info(s, unit);
  return {{Yd(base.x), Yd(base.y)}, base.facing / 1000.0, info.width_yd, info.depth_yd};
}

BaseState ToState(const Base& base, const BaseState& like) {
  BaseState out = like;
  out.x = Milli(base.centre.x);
  out.y = Milli(base.centre.y);
  out.facing = Milli(open_table::WrappedBearing(base.facing_deg)) % 360000;
  return out;
}

std::vector<Base> BasesOf(const State& s, int unit) {
  std::vector<Base> out;
  out.reserve(At(s, unit).bases.size());
  for (const BaseState& base : At(s, unit).bases) out.push_back(ToBase(s, unit, base));
  return out;
}

bool IsGun(const State& s, int unit) { return Info(s, unit).arm == Arm::kGun; }
bool IsDismounted(const State& s, int unit) {
  return Info(s, unit).arm == Arm::kDragoons && !At(s, unit).body.mounted;
}
bool IsCavalry(const State& s, int unit) {
  const Arm arm = Info(s, unit).arm;
  return arm == Arm::kHorse || arm == Arm::kHussars ||
         (arm == Arm::kDragoons && At(s, unit).body.mounted);
}
bool IsFoot(const State& s, int unit) { return Info(s, unit).arm == Arm::kFoot; }

bool IsFormed(const State& s, int unit) {
  const Formation f = At(s, unit).body.formation;
  return f == Formation::kLine || f == Formation::kMarch || f == Formation::kAssault;
}
bool IsUnformed(const State& s, int unit) {
  return At(s, unit).body.formation == Formation::kUnformed;
}
bool InCombat(const State& s, int unit) {
  if (!s.Rulings().in_combat_now && At(s, unit).charge.fought) return true;
  return std::any_of(s.engaged.begin(), s.engaged.end(),
                     [&](const Engaged& e) { return e.a == unit || e.b == unit; });
}
bool UnderFire(const State& s, int unit) {
  const Firing& fire = At(s, unit).fire;
  return s.Rulings().under_fire_when_shot_at ? fire.shot_at : fire.took_dp;
}

int BasesLeft(const State& s, int unit) { return static_cast<int>(At(s, unit).bases.size()); }
int PartsLeft(const State& s, int unit) {
  std::vector<std::int8_t> parts;
  for (const BaseState& base : At(s, unit).bases) parts.push_back(base.part);
  std::sort(parts.begin(), parts.end());
  return static_cast<int>(std::unique(parts.begin(), parts.end()) - parts.begin());
}
int DpLimit(const State& s, int unit) {
  if (IsGun(s, unit)) return s.Rulings().battery_dp_limit;
  return std::min(BasesLeft(s, unit), s.Book().dp.limit_max);
}

std::optional<LeaderId> SuperiorOf(const State& s, int leader) {
  const std::optional<LeaderId> now = LeaderAt(s, leader).superior;
  return now ? now : LeaderInfoOf(s, leader).superior;
}
std::optional<LeaderId> BrigadierOf(const State& s, int unit) {
  const std::optional<LeaderId> assigned = At(s, unit).obeys.assigned;
  return assigned ? assigned : Info(s, unit).commander;
}
bool InChain(const State& s, int leader, int unit) {
  const LeaderInfo& l = LeaderInfoOf(s, leader);
  if (l.side != Info(s, unit).side || l.messenger) return false;
  if (l.rank == Rank::kMarshal) return true;
  for (std::optional<LeaderId> above = BrigadierOf(s, unit); above; above = SuperiorOf(s, *above))
    if (above == leader) return true;
  return false;
}
std::optional<UnitId> FindUnit(const State& s, std::string_view id) {
  for (std::size_t i = 0; i < s.setup->units.size(); ++i)
    if (s.setup->units[i].id == id) return static_cast<int>(i);
  return std::nullopt;
}
std::optional<LeaderId> FindLeader(const State& s, std::string_view id) {
  for (std::size_t i = 0; i < s.setup->leaders.size(); ++i)
    if (s.setup->leaders[i].id == id) return static_cast<int>(i);
  return std::nullopt;
}

std::string SpareName(std::string_view id) { return std::string(id) + "/held"; }

void AddSpares(Setup& setup, State& s) {
  const std::size_t units = setup.units.size();
  for (std::size_t u = 0; u < units; ++u) {
    if (s.units[u].bases.size() < 2) continue;
    UnitInfo info = setup.units[u];
    info.id = SpareName(info.id);
    Unit unit;
    unit.Put(Of::kPresence, static_cast<int>(Presence::kMerged));
    setup.units.push_back(std::move(info));
    s.units.push_back(std::move(unit));
  }
}

std::string_view FormationName(Formation f) {
  constexpr std::array<std::string_view, 6> kNames = {"line",     "march column", "assault column",
                                                      "unformed", "limbered",     "unlimbered"};
  return kNames[static_cast<std::size_t>(f)];
}
std::string_view PhaseName(Phase p) {
  constexpr std::array<std::string_view, 9> kNames = {"Initiative", "Artillery", "Musketry",
                                                      "Command",    "Movement",  "Charges",
                                                      "Combat",     "Morale",    "Over"};
  return kNames[static_cast<std::size_t>(p)];
}
std::string_view PhaseTitle(Phase p) { return p == Phase::kCharges ? "Combat" : PhaseName(p); }
std::string_view StatusName(Conduct s) {
  constexpr std::array<std::string_view, 6> kNames = {"ready",   "evading",  "retiring",
                                                      "routing", "pursuing", "looting"};
  return kNames[static_cast<std::size_t>(s)];
}

std::string KindName(const UnitInfo& unit) {
  constexpr std::array<std::string_view, 6> kArms = {"foot",    "horse", "dragoons",
                                                     "hussars", "gun",   "civilians"};
  constexpr std::array<std::string_view, 4> kGuns = {"battalion gun", "field gun", "heavy gun",
                                                     "howitzer"};
  return std::string(unit.arm == Arm::kGun ? kGuns[static_cast<std::size_t>(unit.gun)]
                                           : kArms[static_cast<std::size_t>(unit.arm)]);
}

std::string UnitName(const State& s, int unit) {
  const UnitInfo& own = Info(s, unit);
  // A spare shares the number of its unit.
  const auto spare = own.id.find('/');
  const auto of = spare == std::string::npos
                      ? std::optional<UnitId>(unit)
                      : FindUnit(s, std::string_view(own.id).substr(0, spare));
  const int number =
      NumberOfKind(of.value_or(unit), static_cast<int>(s.setup->units.size()), [&](int i) {
        const UnitInfo& other = Info(s, i);
        return other.side == own.side && other.arm == own.arm && other.gun == own.gun &&
               other.id.find('/') == std::string::npos;
      });
  return NumberedName(KindName(own), number, own.id);
}

std::string LeaderName(const State& s, int leader) {
  constexpr std::array<std::string_view, 3> kRanks = {"brigadier", "general", "marshal"};
  const LeaderInfo& info = LeaderInfoOf(s, leader);
  return fmt::format(
      "{} {}", info.messenger ? "messenger" : kRanks[static_cast<std::size_t>(info.rank)], info.id);
}

const DiceSet& FastDice(const State& s, int unit) {
  return IsCavalry(s, unit) ? s.Book().move.fast_cavalry : s.Book().move.fast_foot;
}

DiceArm DiceArmOf(const State& s, int unit) {
  if (IsGun(s, unit))
    return At(s, unit).body.formation == Formation::kLimbered ? DiceArm::kLimbered
                                                              : DiceArm::kUnlimbered;
  if (IsCavalry(s, unit)) return DiceArm::kCavalry;
  if (IsDismounted(s, unit)) return DiceArm::kDismounted;
  return IsFoot(s, unit) ? DiceArm::kFoot : DiceArm::kOther;
}

const std::vector<DiceSet>& DiceSetsOf(const State& s, int unit, bool rough) {
  const auto& move = s.Book().move;
  static const std::vector<DiceSet> kNone;
  if (IsGun(s, unit)) {
    if (At(s, unit).body.formation == Formation::kLimbered)
      return rough ? move.limbered_rough : move.limbered_good;
    return Info(s, unit).gun == GunClass::kBattalion ? move.battalion_gun_unlimbered : kNone;
  }
  if (IsCavalry(s, unit)) return move.cavalry;
  return IsDismounted(s, unit) ? move.dismounted_dragoons : move.foot;
}

}  // namespace fos::closefire
