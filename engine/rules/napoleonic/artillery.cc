// SPDX-License-Identifier: MIT
#include "engine/rules/napoleonic/artillery.h"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "engine/game/refuse.h"
#include "engine/rules/napoleonic/query.h"
#include "engine/table/counted.h"
#include "engine/table/result.h"

namespace fos::napoleonic {
namespace {

bool IsGun(const State& s, const Equipment& e) { return s.TypeOf(e).role != EquipmentRole::kWagon; }
int Index(ShotKind kind) { return static_cast<int>(kind); }

// One battery (NAP-3C): its remaining guns and wagon, and the guns' numbers.
struct BatteryLeft {
  std::int8_t side = 0;
  int battery = -1;  // for captured pieces not yet pooled: their square
  Cell cell = kNowhere;
  std::vector<PieceNo> guns;
  int wagons = 0;
};

// NAP-3C: the table row for the battery's remaining pieces.
BatteryRight ShotsOf(const State& s, const BatteryLeft& group) {
  BatteryRight right;
  right.side = group.side;
  int most = 0;
  for (const BatteryRow& row : s.Book().battery_rows) most = std::max(most, row.guns);
  const int guns = std::min(most, static_cast<int>(group.guns.size()));
  for (const BatteryRow& row : s.Book().battery_rows) {
    if (row.guns != guns || row.wagon != (group.wagons > 0)) continue;
    right.field = static_cast<std::int8_t>(row.field);
    right.howitzer = static_cast<std::int8_t>(row.howitzer);
    right.either = static_cast<std::int8_t>(row.either);
  }
  return right;
}

BatteryLeft& BatteryFor(std::vector<BatteryLeft>& groups, const Equipment& e) {
  for (BatteryLeft& g : groups) {
    if (g.side != e.owner || g.battery != e.battery) continue;
    if (e.battery >= 0 || g.cell == e.cell) return g;
  }
  BatteryLeft fresh;
  fresh.side = e.owner;
  fresh.battery = e.battery;
  fresh.cell = e.cell;
  groups.push_back(fresh);
  return groups.back();
}

std::int8_t SlotsFor(State& s, std::int8_t side, Cell cell) {
  for (std::size_t i = 0; i < s.crew_slots.size(); ++i)
    if (s.crew_slots[i].side == side && s.crew_slots[i].cell == cell)
      return static_cast<std::int8_t>(i);
  CrewSlots slots{side, cell, 0};
  ForStandsIn(s, side, cell, [&](PieceNo, const Stand& stand) {
    if (s.TypeOf(stand).arm == Arm::kArtillery) ++slots.left;
  });
  s.crew_slots.push_back(slots);
  return static_cast<std::int8_t>(s.crew_slots.size() - 1);
}

void AddGun(State& s, PieceNo gun) {
  const Equipment& e = s.EquipmentAt(gun);
  GunRight right;
  right.gun = gun;
  right.battery_right = static_cast<std::int8_t>(s.battery_rights.size());
  right.slots = SlotsFor(s, e.owner, e.cell);
  s.gun_rights.push_back(right);
}

const GunRight* RightOf(const State& s, PieceNo gun) {
  for (const GunRight& right : s.gun_rights)
    if (right.gun == gun) return &right;
  return nullptr;
}

}  // namespace

// NAP-3A to 3D.
std::optional<Refusal> CheckGun(const State& s, int side, PieceNo gun, ShotKind kind) {
  if (s.step != Step::kArtillery)
    return Impossible("NAP-2A", fmt::format("guns fire in the artillery step; this is the {} step",
                                            StepName(s.step)));
  const Equipment& e = s.EquipmentAt(gun);
  const std::string name = EquipmentAndKind(s, gun);
  if (!IsGun(s, e)) return Impossible("NAP-3C", fmt::format("{} is not a gun", name));
  const GunRight* right = RightOf(s, gun);
  if (!right || s.battery_rights[static_cast<std::size_t>(right->battery_right)].side != side)
    return Impossible("NAP-3A", fmt::format("{} did not have {} at the start of this step",
                                            SideName(s, side), name));
  if (e.fate == Fate::kOffBoard)
    return Impossible("NAP-3A", fmt::format("{} has left the board", name));
  if (!right->manned && s.crew_slots[static_cast<std::size_t>(right->slots)].left == 0)
    return Refuse("NAP-3B", fmt::format("{} had no crew stand of its own in its square", name));
  if (e.limbered) return Refuse("NAP-3B", fmt::format("{} is limbered", name));
  if (right->held)
    return Refuse("NAP-3H", fmt::format("{} holds canister and cannot fire anything else", name));
  const BatteryRight& battery = s.battery_rights[static_cast<std::size_t>(right->battery_right)];
  if (s.TypeOf(e).role == EquipmentRole::kHorseGun) {
    if (kind != ShotKind::kHorse)
      return Refuse("NAP-3D",
                    fmt::format("{} is a horse gun and fires only horse gun shots", name));
    if (battery.horse == 0)
      return Refuse("NAP-3D", fmt::format("{} has already fired this turn", name));
    return std::nullopt;
  }
  if (kind == ShotKind::kHorse) return Refuse("NAP-3D", fmt::format("{} is not a horse gun", name));
  if (kind == ShotKind::kField && right->normal_used)
    return Refuse("NAP-3C", fmt::format("{} has already fired its field gun shot", name));
  const int left = (kind == ShotKind::kField ? battery.field : battery.howitzer) + battery.either;
  if (left == 0)
    return Refuse("NAP-3C", fmt::format("{}'s battery has no {} shot left", name,
                                        kind == ShotKind::kField ? "field gun" : "howitzer"));
  return std::nullopt;
}

namespace {

// NAP-3H: adjacent, within 45 degrees, no stands of the firer's side.
std::optional<Refusal> CheckCanisterTarget(const State& s, int side, Cell from, Facing facing,
                                           Cell target) {
  const squares::Offset to = s.setup->board.Between(from, target);
  if (!squares::Adjacent(to))
    return Refuse("NAP-3H",
                  fmt::format("canister reaches adjacent squares only; {} is not next to {}",
                              CellName(s, target), CellName(s, from)));
  if (!squares::Within45(facing, to))
    return Refuse("NAP-3H", fmt::format("{} is not within 45 degrees of {}", CellName(s, target),
                                        FacingName(facing)));
  if (s.CountIn(side, target) > 0)
    return Refuse("NAP-3H", fmt::format("friendly stands are in {}", CellName(s, target)));
  return std::nullopt;
}

int CrewStandsIn(const State& s, int side, Cell cell) {
  int crew = 0;
  ForStandsIn(s, side, cell,
              [&](PieceNo, const Stand& stand) { crew += s.TypeOf(stand).arm == Arm::kArtillery; });
  return crew;
}

// NAP-3B: a crew stand serves one gun, so count the guns of this square that fired held canister.
int HeldShotsFired(const State& s, int side, Cell cell) {
  return static_cast<int>(
      std::count_if(s.held_fired.begin(), s.held_fired.end(), [&](const Held& fired) {
        return fired.side == side && OnBoard(s.EquipmentAt(fired.gun)) &&
               s.EquipmentAt(fired.gun).cell == cell;
      }));
}

}  // namespace

void FixFireRights(State& s) {
  s.battery_rights.clear();
  s.gun_rights.clear();
  s.crew_slots.clear();
  std::vector<BatteryLeft> groups;
  for (std::size_t i = 0; i < s.equipment.size(); ++i) {
    const Equipment& e = s.equipment[i];
    if (!OnBoard(e) || e.owner == kNobody) continue;
    switch (s.TypeOf(e).role) {
      case EquipmentRole::kHorseGun: {
        AddGun(s, static_cast<PieceNo>(i));  // NAP-3D: a battery of its own
        BatteryRight right;
        right.side = e.owner;
        right.horse = 1;
        s.battery_rights.push_back(right);
        break;
      }
      case EquipmentRole::kFootGun:
        BatteryFor(groups, e).guns.push_back(static_cast<PieceNo>(i));
        break;
      case EquipmentRole::kWagon:
        ++BatteryFor(groups, e).wagons;
        break;
    }
  }
  for (const BatteryLeft& group : groups) {
    if (group.guns.empty()) continue;
    for (const PieceNo gun : group.guns) AddGun(s, gun);
    s.battery_rights.push_back(ShotsOf(s, group));
  }
}

void UseRight(State& s, PieceNo gun, ShotKind kind, bool held) {
  const auto found = std::find_if(s.gun_rights.begin(), s.gun_rights.end(),
                                  [&](const GunRight& right) { return right.gun == gun; });
  FOS_CHECK(found != s.gun_rights.end());
  if (!found->manned) {
    CrewSlots& slots = s.crew_slots[static_cast<std::size_t>(found->slots)];
    if (slots.left > 0) --slots.left;  // zero only when the players overruled the refusal
    found->manned = true;
  }
  found->fired = true;
  found->held = held;
  if (kind != ShotKind::kHowitzer) found->normal_used = true;
  BatteryRight& battery = s.battery_rights[static_cast<std::size_t>(found->battery_right)];
  std::int8_t& own = kind == ShotKind::kField      ? battery.field
                     : kind == ShotKind::kHowitzer ? battery.howitzer
                                                   : battery.horse;
  if (own > 0) {
    --own;
  } else if (battery.either > 0) {
    --battery.either;
  }
}

std::optional<Refusal> CheckAim(const State& s, int side, ShotKind kind, Cell from, Facing facing,
                                Cell target) {
  const squares::Offset to = s.setup->board.Between(from, target);
  if (!squares::Within45(facing, to))
    return Refuse("NAP-3E",
                  fmt::format("{} is not within 45 degrees of {} from {}", CellName(s, target),
                              FacingName(facing), CellName(s, from)));
  const int distance = DistanceBetween(s, from, target);
  const int range = s.Book().gun_range[static_cast<std::size_t>(Index(kind))];
  if (distance > range)
    return Refuse("NAP-3E", fmt::format("{} is {} away; the range is {:g}", CellName(s, target),
                                        Counted(distance / 100.0, "square"), range / 100.0));
  if (kind == ShotKind::kHowitzer) return std::nullopt;  // NAP-3G: nothing screens it
  for (const Cell cell : squares::CellsInTheWay(s.setup->board, from, target)) {
    if (!squares::Adjacent(s.setup->board.Between(from, cell))) continue;
    if (s.CountIn(side, cell) > 0)
      return Refuse("NAP-3E", fmt::format("friendly stands in {}, next to the gun, screen {}",
                                          CellName(s, cell), CellName(s, target)));
    if (s.burning[static_cast<std::size_t>(cell)])
      return Refuse("NAP-6D", fmt::format("{} is burning and screens {}", CellName(s, cell),
                                          CellName(s, target)));
  }
  return std::nullopt;
}

std::optional<Refusal> CheckShot(const State& s, const CallShot& a) {
  if (auto refusal = CheckGun(s, a.side, a.gun, a.kind)) return refusal;
  if (s.done[static_cast<std::size_t>(a.side)])
    return Impossible("NAP-2A",
                      fmt::format("{} has ended its artillery step", SideName(s, a.side)));
  const Equipment& gun = s.EquipmentAt(a.gun);
  if (a.target == kNowhere) {
    if (a.canister || s.Ruling().aim_declared)
      return Impossible("NAP-3E", "the shot needs a target square");
    return std::nullopt;
  }
  if (a.target == gun.cell) return Impossible("NAP-3E", "a gun does not fire into its own square");
  if (a.canister) return CheckCanisterTarget(s, a.side, gun.cell, gun.facing, a.target);
  if (!s.Ruling().aim_declared) return std::nullopt;
  return CheckAim(s, a.side, a.kind, gun.cell, gun.facing, a.target);
}

std::optional<Refusal> CheckHold(const State& s, const HoldCanister& a) {
  if (auto refusal = CheckGun(s, a.side, a.gun, a.kind)) return refusal;
  if (s.done[static_cast<std::size_t>(a.side)])
    return Impossible("NAP-2A",
                      fmt::format("{} has ended its artillery step", SideName(s, a.side)));
  if (a.side == s.attacker) return Refuse("NAP-3H", "only the defender may hold canister");
  for (const GunRight& right : s.gun_rights)
    if (right.gun == a.gun && right.fired)
      return Refuse("NAP-3H",
                    fmt::format("{} has already fired this turn", EquipmentAndKind(s, a.gun)));
  return std::nullopt;
}

std::optional<Refusal> CheckHeldShot(const State& s, const FireHeld& a) {
  if (s.step != Step::kHeldCanister)
    return Impossible("NAP-2A",
                      fmt::format("held canister is fired in its own step; this is the {} step",
                                  StepName(s.step)));
  const Equipment& gun = s.EquipmentAt(a.gun);
  const std::string name = EquipmentAndKind(s, a.gun);
  const auto held = std::find_if(s.held.begin(), s.held.end(),
                                 [&](const Held& h) { return h.gun == a.gun && h.side == a.side; });
  if (held == s.held.end()) return Impossible("NAP-3H", fmt::format("{} holds no canister", name));
  if (!OnBoard(gun) || gun.owner != a.side)
    return Impossible("NAP-3H", fmt::format("{} is lost, and so is the canister it held", name));
  if (gun.limbered) return Refuse("NAP-3B", fmt::format("{} is limbered", name));
  if (HeldShotsFired(s, a.side, gun.cell) >= CrewStandsIn(s, a.side, gun.cell))
    return Refuse("NAP-3B", fmt::format("{} has no crew stand of its own left", name));
  if (a.target == kNowhere || a.target == gun.cell)
    return Impossible("NAP-3H", "canister needs an adjacent square");
  if (auto refusal = CheckCanisterTarget(s, a.side, gun.cell, gun.facing, a.target)) return refusal;
  const bool there = std::any_of(s.passages.begin(), s.passages.end(), [&](const Passage& p) {
    const Stand& stand = s.StandAt(p.stand);
    if (p.cell != a.target || stand.unit != a.unit || !OnBoard(stand)) return false;
    return s.Ruling().held_if_passed || stand.cell == a.target;
  });
  if (!there)
    return Refuse("NAP-3H", fmt::format("no stand of that unit {} {} in this movement step",
                                        s.Ruling().held_if_passed ? "was in" : "ended its move in",
                                        CellName(s, a.target)));
  return std::nullopt;
}

// NAP-3C: captured guns and wagons are pooled with the captor's batteries only if declared.
std::optional<Refusal> CheckPool(const State& s, const Pool& a) {
  const Equipment& e = s.EquipmentAt(a.equipment);
  const std::string name = EquipmentAndKind(s, a.equipment);
  if (a.battery < 0 || static_cast<std::size_t>(a.battery) >= s.setup->batteries.size() ||
      s.setup->batteries[static_cast<std::size_t>(a.battery)].side != a.side)
    return Impossible("NAP-3C", fmt::format("{} has no such battery", SideName(s, a.side)));
  if (!OnBoard(e) || e.owner != a.side || e.side == a.side ||
      s.TypeOf(e).role == EquipmentRole::kHorseGun)
    return Impossible("NAP-3C", fmt::format("{} is not a foot battery piece that {} has captured",
                                            name, SideName(s, a.side)));
  if (e.battery == a.battery)
    return Impossible("NAP-3C", fmt::format("{} already belongs to that battery", name));
  if (s.step == Step::kArtillery)
    return Impossible("NAP-3C",
                      "the shots of this step are already fixed; pool it after the artillery step");
  int guns = 0;
  int wagons = 0;
  for (const Equipment& other : s.equipment) {
    if (!OnBoard(other) || other.owner != a.side || other.battery != a.battery) continue;
    (s.TypeOf(other).role == EquipmentRole::kWagon ? wagons : guns) += 1;
  }
  int most_guns = 0;
  for (const BatteryRow& row : s.Book().battery_rows) most_guns = std::max(most_guns, row.guns);
  const bool wagon = s.TypeOf(e).role == EquipmentRole::kWagon;
  if (wagon ? wagons > 0 : guns >= most_guns) return Impossible("NAP-3C", "that battery is full");
  return std::nullopt;
}

int CanisterDiceAt(const State& s, int side, ShotKind kind, Cell target) {
  int dice = s.Book().canister_dice[static_cast<std::size_t>(Index(kind))];
  if (Protected(s, target)) dice += s.Book().canister_protection;
  dice += ExtraDiceAt(s, target);  // NAP-6B: per shot, as in NAP-6A
  if (s.Ruling().canister_later_unit_bonus)
    for (const CanisterDice& earlier : s.canister_dice)
      if (earlier.side == side && earlier.target == target) dice += s.Book().musketry.later_unit;
  return std::max(0, dice);
}

std::vector<PieceNo> CanisterTargets(const State& s, const Shot& shot) {
  if (shot.victim < 0) return StandsIn(s, 1 - shot.side, shot.target);
  std::vector<PieceNo> out;
  for (const Passage& p : s.passages) {
    const Stand& stand = s.StandAt(p.stand);
    // NAP-3H: "ended" spares a detachment that only passed.
    const bool there = s.Ruling().held_if_passed || stand.cell == shot.target;
    if (p.cell == shot.target && stand.unit == shot.victim && OnBoard(stand) && there &&
        std::find(out.begin(), out.end(), p.stand) == out.end())
      out.push_back(p.stand);
  }
  std::sort(out.begin(), out.end());
  return out;
}

namespace {

struct Rest {
  const State& s;
  const Shot& shot;
  int circle = 0;
  int touch = 0;

  // NAP-6A: edges included.
  bool LiesIn(Cell cell) const {
    const auto side = static_cast<std::int64_t>(s.Book().square_in * 1000 + 0.5);
    const SquareIndex at = s.setup->board.IndexOf(cell);
    const std::int64_t x = shot.facts.x_milli_in;
    const std::int64_t y = shot.facts.y_milli_in;
    return x >= at.column * side && x <= (at.column + 1) * side && y >= at.row * side &&
           y <= (at.row + 1) * side;
  }
  bool Barred(Cell cell) const { return Protected(s, cell) && !LiesIn(cell); }
  Cell Square() const {
    const auto side = static_cast<std::int64_t>(s.Book().square_in * 1000 + 0.5);
    const Board& board = s.setup->board;
    const auto bounded = [](std::int64_t v, int most) {
      return static_cast<int>(std::clamp<std::int64_t>(v, 0, most - 1));
    };
    return board.At({bounded(shot.facts.x_milli_in / side, board.columns),
                     bounded(shot.facts.y_milli_in / side, board.rows)});
  }
  // artillery.overrange and artillery.out_of_arc.
  std::string BarredBySetting() const {
    if (s.Ruling().overrange_counts && s.Ruling().out_of_arc_counts) return {};
    if (shot.from == kNowhere) return {};  // the camera saw the shot and not the gun
    const Cell cell = Square();
    if (cell == shot.from) return {};
    const int range = s.Book().gun_range[static_cast<std::size_t>(Index(shot.kind))];
    if (!s.Ruling().overrange_counts && DistanceBetween(s, shot.from, cell) > range)
      return "the shot came to rest beyond the gun's range";
    if (!s.Ruling().out_of_arc_counts &&
        !squares::Within45(shot.facing, s.setup->board.Between(shot.from, cell)))
      return "the shot came to rest outside the gun's arc";
    return {};
  }
};

// NAP-3F, 2: the touched piece at the smallest distance; of equals the one with the nearest centre.
PieceNo EquipmentTouched(const Rest& rest) {
  const Near* touched = nullptr;
  for (const Near& near : rest.shot.facts.equipment) {
    const Equipment& e = rest.s.EquipmentAt(near.piece);
    if (!OnBoard(e) || near.milli_in > rest.touch || rest.Barred(e.cell)) continue;
    if (!touched || near.milli_in < touched->milli_in ||
        (near.milli_in == touched->milli_in && near.centre_milli_in < touched->centre_milli_in))
      touched = &near;
  }
  return touched ? touched->piece : PieceNo{-1};
}

// NAP-3F, 3: the owner's nearest crew stand in the same square. A stand without a measured distance
// counts as farther away than any measured one.
PieceNo CrewOf(const Rest& rest, PieceNo equipment) {
  const Equipment& e = rest.s.EquipmentAt(equipment);
  PieceNo crew = -1;
  std::int32_t least = 0;
  if (e.owner == kNobody) return crew;
  ForStandsIn(rest.s, e.owner, e.cell, [&](PieceNo i, const Stand& stand) {
    if (rest.s.TypeOf(stand).arm != Arm::kArtillery) return;
    std::int32_t distance = INT32_MAX;
    for (const Near& near : rest.shot.facts.stands)
      if (near.piece == i) distance = near.milli_in;
    if (crew >= 0 && distance >= least) return;
    crew = i;
    least = distance;
  });
  return crew;
}

// NAP-3F, 4 and 6A.
void FindEligible(const Rest& rest, ShotVerdict& verdict) {
  const State& s = rest.s;
  std::int32_t nearest = INT32_MAX;
  PieceNo nearest_stand = -1;
  for (const Near& near : rest.shot.facts.stands) {
    const Stand& stand = s.StandAt(near.piece);
    if (!OnBoard(stand) || near.piece == verdict.crew || rest.Barred(stand.cell)) continue;
    if (std::abs(near.milli_in - rest.circle) <= s.Ruling().close_call_milli_in)
      verdict.close_calls.push_back({near.piece, -1, kNowhere, near.milli_in, rest.circle});
    if (near.milli_in > rest.circle) continue;
    verdict.eligible.push_back(near.piece);
    if (near.milli_in < nearest) {
      nearest = near.milli_in;
      nearest_stand = near.piece;
    }
  }
  if (!s.Ruling().shooter_chooses && nearest_stand >= 0) verdict.eligible = {nearest_stand};
  std::sort(verdict.eligible.begin(), verdict.eligible.end());
}

// DEF-14: touching can be a close call, as the circle can.
void FindCloseTouches(const Rest& rest, ShotVerdict& verdict) {
  const auto close = [&](std::int32_t milli_in) {
    return std::abs(milli_in - rest.touch) <= rest.s.Ruling().close_call_milli_in;
  };
  for (const Near& near : rest.shot.facts.equipment) {
    const Equipment& e = rest.s.EquipmentAt(near.piece);
    if (OnBoard(e) && !rest.Barred(e.cell) && close(near.milli_in))
      verdict.close_calls.push_back({-1, near.piece, kNowhere, near.milli_in, rest.touch});
  }
  for (const NearModel& model : rest.shot.facts.models)
    if (Inflammable(rest.s, model.cell) && close(model.milli_in))
      verdict.close_calls.push_back({-1, -1, model.cell, model.milli_in, rest.touch});
}

// NAP-6D: the square of the nearest touched model, if it can burn and is not burning.
Cell SquareOnFire(const Rest& rest) {
  const NearModel* touched = nullptr;
  for (const NearModel& model : rest.shot.facts.models)
    if (model.milli_in <= rest.touch && Inflammable(rest.s, model.cell) &&
        (!touched || model.milli_in < touched->milli_in))
      touched = &model;
  const bool in_fire = rest.s.burning[static_cast<std::size_t>(rest.Square())];
  return touched && !in_fire ? touched->cell : kNowhere;
}

}  // namespace

ShotVerdict JudgeShot(const State& s, const Shot& shot) {
  const auto projectile = static_cast<std::size_t>(
      shot.kind == ShotKind::kHowitzer ? Projectile::kShell : Projectile::kQtip);
  const Rest rest{s, shot, s.setup->circle_milli_in[projectile],
                  s.setup->touch_milli_in[projectile]};
  ShotVerdict verdict;
  if (shot.facts.off_board) {
    verdict.why = "the shot came to rest off the board: no effect";
  } else if (shot.facts.over_water) {
    verdict.why = "the shot lies over water: no effect (NAP-3F)";
  } else if (const std::string barred = rest.BarredBySetting(); !barred.empty()) {
    verdict.why = barred + ": no effect (NAP-3E)";
  }
  if (!verdict.why.empty()) {
    verdict.no_effect = true;
    return verdict;
  }
  verdict.equipment = EquipmentTouched(rest);
  if (verdict.equipment >= 0) verdict.crew = CrewOf(rest, verdict.equipment);
  if (verdict.crew < 0 || s.Ruling().gun_hit_extra_stand) FindEligible(rest, verdict);
  verdict.fire = SquareOnFire(rest);
  FindCloseTouches(rest, verdict);
  if (verdict.equipment >= 0)
    verdict.why =
        fmt::format("the shot touches {} (NAP-3F)", EquipmentAndKind(s, verdict.equipment));
  else if (verdict.eligible.empty())
    verdict.why = "no stand is within the circle (NAP-3F)";
  else
    verdict.why = fmt::format("{} within the circle (NAP-3F)",
                              Counted(static_cast<double>(verdict.eligible.size()), "stand"));
  return verdict;
}

}  // namespace fos::napoleonic
