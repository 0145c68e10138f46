// SPDX-License-Identifier: MIT
#include "engine/rules/napoleonic/movement.h"

#include <algorithm>
#include <iterator>
#include <tuple>

#include <fmt/format.h>

#include "engine/game/refuse.h"
#include "engine/rules/napoleonic/melee.h"
#include "engine/rules/napoleonic/query.h"
#include "engine/rules/napoleonic/retreat.h"
#include "engine/squares/grid_moves.h"
#include "engine/table/counted.h"

namespace fos::napoleonic {
namespace {

double Squares(int hundredths) { return hundredths / 100.0; }

// The board as one side's movers see it.
struct Ground : squares::GridGround<State> {
  using GridGround::GridGround;
  bool Stops(Cell c) const { return Enemy(c); }
  // NAP-6B; a burnt-up square is open ground (NAP-6D).
  int Extra(Cell c) const {
    return s.burnt[static_cast<std::size_t>(c)] ? 0 : s.setup->At(c).move_cost;
  }
};

constexpr squares::MoveClauses kMoveClauses{"NAP-2A", "NAP-2F", "NAP-2B", "NAP-1"};

// NAP-2B: a unit that may not separate moves as a whole.
std::optional<Refusal> CheckTogether(const State& s, const Move& a) {
  for (const PieceNo i : a.stands) {
    const Stand& stand = s.StandAt(i);
    if (stand.moved && MustRetreatAlone(s, stand))
      return Refuse("NAP-9", fmt::format("{} is down to its last stand and may only go home",
                                         UnitAndKind(s, stand.unit)));
    if (stand.moved)
      return Refuse("NAP-1", fmt::format("{} has already moved this turn", StandAndKind(s, i)));
    if (auto refusal = WhyNotApart(s, a, stand, kMoveClauses)) return refusal;
  }
  return std::nullopt;
}

std::optional<Refusal> CheckPath(const State& s, const Move& a, Cell from) {
  const Ground ground(s, a.side);
  Cell at = from;
  for (std::size_t n = 0; n < a.path.size(); ++n) {
    const Cell next = a.path[n];
    if (Impassable(s, next))
      return Refuse(s.burning[static_cast<std::size_t>(next)] ? "NAP-6D" : "NAP-6B",
                    fmt::format("{} is impassable", CellName(s, next)));
    if (n > 0 && s.CountIn(1 - a.side, at) > 0)
      return Refuse("NAP-2E", fmt::format("enemies in {} are in the way", CellName(s, at)));
    if (squares::ThroughGap(ground, at, next))
      return Refuse("NAP-2E", fmt::format("enemies block the diagonal from {} to {}",
                                          CellName(s, at), CellName(s, next)));
    if (n > 0 && !s.Ruling().pass_through_friends && s.CountIn(a.side, at) > 0)
      return Refuse("NAP-2C", fmt::format("friends in {} are in the way", CellName(s, at)));
    at = next;
  }
  return std::nullopt;
}

std::optional<Refusal> CheckDistance(const State& s, const Move& a, Cell from) {
  const int cost = CostOf(s, from, a.path);
  const int bonus = OnRoad(s, from, a.path) ? s.Book().road_bonus : 0;
  for (const PieceNo i : a.stands) {
    const UnitType& type = s.TypeOf(s.StandAt(i));
    if (cost > type.move + bonus)
      return Refuse(
          bonus > 0 ? "NAP-2D" : "NAP-1",
          fmt::format("{} may move {}{}; this move takes {:g}{}", UnitAndKind(s, s.StandAt(i).unit),
                      Counted(Squares(type.move + bonus), "square"), bonus > 0 ? " by road" : "",
                      Squares(cost),
                      squares::AsFarAs(s, Ground(s, a.side), from, a.path, type.move + bonus)));
  }
  return std::nullopt;
}

// NAP-2F.
std::optional<Refusal> CheckEquipment(const State& s, const Move& a, Cell from) {
  const int cost = CostOf(s, from, a.path);
  const int bonus = OnRoad(s, from, a.path) ? s.Book().road_bonus : 0;
  if (s.Ruling().one_stand_per_gun && a.equipment.size() > a.stands.size())
    return Refuse("NAP-2F", fmt::format("{} cannot move {} pieces of equipment",
                                        Counted(static_cast<double>(a.stands.size()), "stand"),
                                        a.equipment.size()));
  for (const PieceNo i : a.equipment) {
    const Equipment& e = s.EquipmentAt(i);
    if (e.moved)
      return Refuse("NAP-1", fmt::format("{} has already moved this turn", EquipmentAndKind(s, i)));
    if (s.Ruling().must_limber_to_move && s.TypeOf(e).role != EquipmentRole::kWagon && !e.limbered)
      return Refuse("NAP-2F", fmt::format("{} must be limbered to move", EquipmentAndKind(s, i)));
    if (cost > s.TypeOf(e).move + bonus)
      return Refuse(
          "NAP-2F",
          fmt::format("{} may move {}; this move takes {:g}", EquipmentAndKind(s, i),
                      Counted(Squares(s.TypeOf(e).move + bonus), "square"), Squares(cost)));
  }
  return std::nullopt;
}

// NAP-5B: may these stands start a melee in the square?
std::optional<Refusal> CheckContact(const State& s, const Move& a, Cell to) {
  const int least = s.Book().melee.least_stands;
  int crew = 0;
  int others = 0;
  bool commander = false;
  for (const PieceNo i : a.stands) {
    const Arm arm = s.TypeOf(s.StandAt(i)).arm;
    crew += arm == Arm::kArtillery;
    others += IsFormed(s.TypeOf(s.StandAt(i)));
    commander = commander || arm == Arm::kCommander;
  }
  PieceNo formed = -1;
  for (const PieceNo i : a.stands)
    if (IsFormed(s.TypeOf(s.StandAt(i)))) formed = s.StandAt(i).unit;
  ForStandsIn(s, a.side, to, [&](PieceNo, const Stand& stand) {
    if (formed >= 0 && stand.unit == formed) ++others;
  });
  const bool joins = s.CountIn(a.side, to) > 0;  // a commander or artillery moves with them
  if (others > 0 && others < least)
    return Refuse("NAP-5B", fmt::format("a unit of {} may not enter {}, which enemies hold",
                                        Counted(others, "stand"), CellName(s, to)));
  if (others == 0 && !commander && !joins && crew < least)
    return Refuse("NAP-5B", fmt::format("{} may not enter {}, which enemies hold",
                                        Counted(crew, "crew stand"), CellName(s, to)));
  if (HeldByUnbrokenSquare(s, 1 - a.side, to))
    for (const PieceNo i : a.stands)
      if (s.TypeOf(s.StandAt(i)).arm == Arm::kCavalry)
        return Refuse("NAP-8B", fmt::format("cavalry may not enter the unbroken Square in {}",
                                            CellName(s, to)));
  return std::nullopt;
}

}  // namespace

// NAP-1.
int CostOf(const State& s, Cell from, const std::vector<Cell>& path) {
  return squares::PathCost(Ground(s, s.attacker), from, path);
}

// NAP-2D.
bool OnRoad(const State& s, Cell from, const std::vector<Cell>& path) {
  return squares::OnRoad(Ground(s, s.attacker), from, path);
}

std::optional<Refusal> CheckArrival(const State& s, const Move& a, bool strict) {
  const Cell to = a.path.back();
  if (s.CountIn(1 - a.side, to) > 0)
    if (auto refusal = CheckContact(s, a, to)) return refusal;
  const std::string fault = StackingFault(s, a.side, to, {a.stands, a.equipment}, !strict);
  if (!fault.empty()) return Refuse("NAP-2C", fault);
  return std::nullopt;
}

std::optional<Refusal> CheckMove(const State& s, const Move& a) {
  if (auto refusal = WhyNotNow(s, a.side, kMoveClauses)) return refusal;
  const auto not_in_square = [&](const Stand& stand) -> std::optional<Refusal> {
    if (stand.formation < 0) return std::nullopt;
    return Impossible(
        "NAP-8B", fmt::format("{} is in a Square, which cannot move", UnitAndKind(s, stand.unit)));
  };
  if (auto refusal = WhyNoMove(s, a, kMoveClauses, not_in_square)) return refusal;
  const Cell from = s.StandAt(a.stands.front()).cell;
  if (auto refusal = CheckTogether(s, a)) return refusal;
  if (auto refusal = CheckPath(s, a, from)) return refusal;
  if (auto refusal = CheckDistance(s, a, from)) return refusal;
  if (auto refusal = CheckEquipment(s, a, from)) return refusal;
  return CheckArrival(s, a, /*strict=*/false);
}

std::vector<std::vector<Cell>> Reach(const State& s, const std::vector<PieceNo>& stands,
                                     const std::vector<PieceNo>& equipment) {
  if (stands.empty()) return {};
  const Stand& first = s.StandAt(stands.front());
  return squares::Reach(Ground(s, first.side), first.cell, AllowanceOf(s, stands, equipment));
}

namespace {

// NAP-2G and 5I for the defender.
std::optional<Refusal> CheckDefenderTurn(const State& s, const std::string& name, Cell cell,
                                         Facing at_turn_start, Facing facing) {
  if (s.step < Step::kMovement || s.step > Step::kMelee || !NextToContact(s, cell))
    return Refuse(
        "NAP-2G",
        fmt::format("{} belongs to the defender and is not next to a contact square", name));
  if (squares::TurnBetween(at_turn_start, facing) > s.Book().defender_turns)
    return Refuse("NAP-2G", fmt::format("{} may turn {} degrees from {}; {} is farther", name,
                                        s.Book().defender_turns * 45, FacingName(at_turn_start),
                                        FacingName(facing)));
  return std::nullopt;
}

// NAP-5A: a supporter keeps a facing from which it supports until its melee is over.
std::optional<Refusal> CheckSupporterTurn(const State& s, const TurnUnit& a, int melee) {
  const Cell contact = s.melees[static_cast<std::size_t>(melee)].contact;
  if (a.cell == contact || SupportsFrom(s, a.unit, a.cell, contact, a.facing)) return std::nullopt;
  std::string others;
  for (int way = 0; way < 8; ++way)
    if (const auto facing = static_cast<Facing>(way);
        SupportsFrom(s, a.unit, a.cell, contact, facing))
      others += (others.empty() ? "" : " or ") + std::string(FacingName(facing));
  return Refuse("NAP-5A", fmt::format("{} supports in {} and must face {} until the melee is over",
                                      UnitAndKind(s, a.unit), CellName(s, contact), others));
}

// NAP-3A: a gun lost in this artillery step still fires in it, so it can still be aimed.
bool LostAndStillFires(const State& s, PieceNo gun) {
  return s.step == Step::kArtillery && s.EquipmentAt(gun).fate == Fate::kDestroyed &&
         std::any_of(s.gun_rights.begin(), s.gun_rights.end(),
                     [&](const GunRight& right) { return right.gun == gun; });
}

bool TurnsArePlayed(const State& s) { return s.step >= Step::kArtillery && s.step <= Step::kEnd; }

}  // namespace

std::optional<Refusal> CheckTurn(const State& s, const TurnUnit& a) {
  const std::vector<PieceNo> stands = StandsOf(s, a.unit, a.cell);
  if (stands.empty() || UnitOf(s, a.unit).side != a.side)
    return Impossible("NAP-2G", fmt::format("{} has no stand of {} in {}", SideName(s, a.side),
                                            UnitAndKind(s, a.unit), CellName(s, a.cell)));
  if (!TurnsArePlayed(s)) return Impossible("NAP-2A", "no turn is being played");
  const Stand& stand = s.StandAt(stands.front());
  if (stand.formation >= 0)
    return Refuse("NAP-8B",
                  fmt::format("{} is in a Square and must face outward", UnitAndKind(s, a.unit)));
  const bool fights = stand.melee >= 0 &&
                      s.melees[static_cast<std::size_t>(stand.melee)].stage != MeleeStage::kDone;
  if (fights)
    if (auto refusal = CheckSupporterTurn(s, a, stand.melee)) return refusal;
  if (a.side == s.attacker || stand.free_turn) return std::nullopt;
  if (stand.melee >= 0 && !fights) return std::nullopt;  // NAP-5I
  return CheckDefenderTurn(s, UnitAndKind(s, a.unit), a.cell, stand.turn_facing, a.facing);
}

std::optional<Refusal> CheckTurn(const State& s, const TurnEquipment& a) {
  const Equipment& e = s.EquipmentAt(a.equipment);
  if ((!OnBoard(e) && !LostAndStillFires(s, a.equipment)) || e.owner != a.side)
    return Impossible("NAP-2G", fmt::format("{} does not belong to {}",
                                            EquipmentAndKind(s, a.equipment), SideName(s, a.side)));
  if (!TurnsArePlayed(s)) return Impossible("NAP-2A", "no turn is being played");
  if (a.side == s.attacker) return std::nullopt;
  return CheckDefenderTurn(s, EquipmentAndKind(s, a.equipment), e.cell, e.turn_facing, a.facing);
}

std::optional<Refusal> CheckLimber(const State& s, const Limber& a) {
  const Equipment& e = s.EquipmentAt(a.equipment);
  const std::string name = EquipmentAndKind(s, a.equipment);
  if ((!OnBoard(e) && !LostAndStillFires(s, a.equipment)) || e.owner != a.side ||
      s.TypeOf(e).role == EquipmentRole::kWagon)
    return Impossible("NAP-2G", fmt::format("{} has no gun {}", SideName(s, a.side), name));
  if (!TurnsArePlayed(s)) return Impossible("NAP-2A", "no turn is being played");
  if (a.side != s.attacker)
    return Refuse("NAP-2G", fmt::format("{} belongs to the defender, who may not {} this turn",
                                        name, a.limbered ? "limber" : "unlimber"));
  return std::nullopt;
}

namespace {

struct Block {
  SquareIndex corner;
  int n = 1;
  bool Holds(SquareIndex at) const {
    return at.column >= corner.column && at.row >= corner.row && at.column < corner.column + n &&
           at.row < corner.row + n;
  }
  // Calls f(SquareIndex) for each, row by row.
  template <typename F>
  void ForEach(F f) const {
    for (int row = corner.row; row < corner.row + n; ++row)
      for (int column = corner.column; column < corner.column + n; ++column) f({column, row});
  }
};

std::optional<Refusal> CheckFormingUnits(const State& s, const FormSquare& a) {
  for (const PieceNo unit : a.units) {
    if (UnitOf(s, unit).side != a.side || CountStandsOf(s, unit) == 0)
      return Impossible("NAP-8A", fmt::format("{} does not belong to {}", UnitAndKind(s, unit),
                                              SideName(s, a.side)));
    for (const PieceNo i : StandsOf(s, unit)) {
      if (s.StandAt(i).formation >= 0)
        return Impossible("NAP-8A", fmt::format("{} is already in a Square", UnitAndKind(s, unit)));
      if (std::none_of(a.placements.begin(), a.placements.end(),
                       [&](const Placement& p) { return p.stand == i; }))
        return Impossible("NAP-8A",
                          fmt::format("{} has no place in the Square", StandAndKind(s, i)));
    }
  }
  for (const PieceNo unit : a.units) {
    const UnitType& type = TypeOfUnit(s, unit);
    if (!type.may_form_square)
      return Refuse("NAP-8A", fmt::format("{} cannot form a Square", type.name));
    for (const PieceNo i : StandsOf(s, unit))
      if (s.StandAt(i).moved)
        return Refuse("NAP-8A", fmt::format("{} has moved; forming a Square takes its whole move",
                                            UnitAndKind(s, unit)));
  }
  return std::nullopt;
}

std::optional<Refusal> CheckPlacements(const State& s, const FormSquare& a, const Block& block) {
  for (std::size_t n = 0; n < a.placements.size(); ++n) {
    const Placement& p = a.placements[n];
    const Stand& stand = s.StandAt(p.stand);
    const bool twice =
        std::any_of(a.placements.begin(), a.placements.begin() + static_cast<std::ptrdiff_t>(n),
                    [&](const Placement& other) { return other.stand == p.stand; });
    if (twice || !OnBoard(stand) ||
        std::find(a.units.begin(), a.units.end(), stand.unit) == a.units.end())
      return Impossible("NAP-8A",
                        fmt::format("{} does not belong to the units that form the Square",
                                    StandAndKind(s, p.stand)));
    if (p.cell == kNowhere || !block.Holds(s.setup->board.IndexOf(p.cell)))
      return Impossible("NAP-8A",
                        fmt::format("{} would stand outside the Square", StandAndKind(s, p.stand)));
  }
  for (const Placement& p : a.placements) {
    if (squares::StepsBetween(s.setup->board.Between(s.StandAt(p.stand).cell, p.cell)) >
        s.Ruling().square_form_from)
      return Refuse(
          "NAP-8A",
          fmt::format("{} may go {} to form the Square; {} is farther", StandAndKind(s, p.stand),
                      Counted(s.Ruling().square_form_from, "square"), CellName(s, p.cell)));
  }
  return std::nullopt;
}

// Room for the block: no enemy, no fire, no other formed unit. `strict` counts friends who have yet
// to move; else only the end of the step shows whether they made room (NAP-2C).
std::optional<Refusal> CheckBlock(const State& s, const FormSquare& a, const Block& block,
                                  bool strict) {
  for (int column = block.corner.column; column < block.corner.column + block.n; ++column) {
    for (int row = block.corner.row; row < block.corner.row + block.n; ++row) {
      const SquareIndex at{column, row};
      if (!s.setup->board.Contains(at))
        return Impossible("NAP-8A", "the Square would reach off the board");
      const Cell cell = s.setup->board.At(at);
      if (s.CountIn(1 - a.side, cell) > 0 || Impassable(s, cell))
        return Impossible("NAP-8A", fmt::format("a Square cannot stand in {}", CellName(s, cell)));
      bool other = false;
      ForStandsIn(s, a.side, cell, [&](PieceNo, const Stand& stand) {
        other = other || (IsFormed(s.TypeOf(stand)) && (strict || stand.moved) &&
                          std::find(a.units.begin(), a.units.end(), stand.unit) == a.units.end());
      });
      if (other) return Refuse("NAP-2C", fmt::format("{} holds another unit", CellName(s, cell)));
    }
  }
  return std::nullopt;
}

}  // namespace

std::vector<Placement> StandardPlaces(const State& s, const FormSquare& form) {
  const Block block{s.setup->board.IndexOf(form.corner), form.columns};
  const int last = block.n - 1;
  std::vector<Placement> places;  // N, E, S, W along the sides
  for (int i = 0; i < block.n; ++i)
    for (const auto& [column, row, facing] : {std::tuple{i, last, Facing::kNorth},
                                              {last, i, Facing::kEast},
                                              {i, 0, Facing::kSouth},
                                              {0, i, Facing::kWest}}) {
      const SquareIndex at{block.corner.column + column, block.corner.row + row};
      if (!s.setup->board.Contains(at)) return {};
      places.push_back({-1, s.setup->board.At(at), facing});
    }
  std::vector<PieceNo> stands;
  for (const PieceNo unit : form.units)
    for (const PieceNo i : StandsOf(s, unit)) stands.push_back(i);
  const auto reaches = [&](PieceNo stand, const Placement& place) {
    return squares::StepsBetween(s.setup->board.Between(s.StandAt(stand).cell, place.cell)) <=
           s.Ruling().square_form_from;
  };
  // Each stand takes a free place in reach, or one whose stand can take another (Kuhn, 1955).
  const auto seat = [&](const auto& self, PieceNo stand, std::vector<bool>& tried) -> bool {
    for (const bool taken : {false, true})
      for (std::size_t p = 0; p < places.size(); ++p) {
        if (tried[p] || (places[p].stand >= 0) != taken || !reaches(stand, places[p])) continue;
        tried[p] = true;
        if (taken && !self(self, places[p].stand, tried)) continue;
        places[p].stand = stand;
        return true;
      }
    return false;
  };
  std::vector<Placement> spare;
  for (const PieceNo stand : stands) {
    std::vector<bool> tried(places.size());
    if (seat(seat, stand, tried)) continue;
    std::vector<Placement> near;
    std::copy_if(places.begin(), places.end(), std::back_inserter(near),
                 [&](const Placement& p) { return reaches(stand, p); });
    if (near.empty()) return {};
    const Placement& beside = near[spare.size() % near.size()];
    spare.push_back({stand, beside.cell, beside.facing});
  }
  if (std::any_of(places.begin(), places.end(), [](const Placement& p) { return p.stand < 0; }))
    return {};
  places.insert(places.end(), spare.begin(), spare.end());
  // Stand by stand, as a line of the script lists them.
  std::stable_sort(places.begin(), places.end(), [&](const Placement& a, const Placement& b) {
    return std::find(stands.begin(), stands.end(), a.stand) <
           std::find(stands.begin(), stands.end(), b.stand);
  });
  return places;
}

std::optional<Refusal> CheckFormSquare(const State& s, const FormSquare& a, bool strict) {
  if (auto refusal = WhyNotNow(s, a.side, kMoveClauses)) return refusal;
  if (a.units.empty() || a.corner == kNowhere)
    return Impossible("NAP-8A", "name the units that form the Square and its corner");
  if (a.columns != a.rows || a.columns < 1)
    return Impossible("NAP-8A",
                      fmt::format("a Square is as wide as deep, not {} by {}", a.columns, a.rows));
  const Block block{s.setup->board.IndexOf(a.corner), a.columns};
  // Check what cannot be overruled first.
  std::optional<Refusal> doubtful;
  for (auto& refusal :
       {CheckFormingUnits(s, a), CheckBlock(s, a, block, strict), CheckPlacements(s, a, block)}) {
    if (refusal && !refusal->may_overrule) return refusal;
    if (!doubtful) doubtful = refusal;
  }
  // NAP-8A: without a stand facing outward in every square of frontage it is not a Square.
  const int n = block.n;
  const auto outward = [&](int column, int row, Facing facing) {
    const Cell cell = s.setup->board.At({block.corner.column + column, block.corner.row + row});
    return std::count_if(a.placements.begin(), a.placements.end(), [&](const Placement& p) {
             return p.cell == cell && p.facing == facing;
           }) >= s.Book().square_stands_per_side;
  };
  for (int i = 0; i < n; ++i)
    if (!outward(i, n - 1, Facing::kNorth) || !outward(i, 0, Facing::kSouth) ||
        !outward(n - 1, i, Facing::kEast) || !outward(0, i, Facing::kWest))
      return Impossible("NAP-8A",
                        "every square of frontage needs a stand facing outward on each "
                        "of the four sides");
  return doubtful;
}

namespace {

// The squares of a unit's Square: the one it stands in, or the last one that broke around it.
std::optional<Block> BlockOf(const State& s, PieceNo unit) {
  const std::vector<PieceNo> stands = StandsOf(s, unit);
  const int formation = s.StandAt(stands.front()).formation;
  for (std::size_t f = s.formations.size(); f-- > 0;) {
    const Formation& square = s.formations[f];
    const Block block{s.setup->board.IndexOf(square.corner), square.n};
    const bool around = square.side == UnitOf(s, unit).side && !square.formed &&
                        std::all_of(stands.begin(), stands.end(), [&](PieceNo i) {
                          return block.Holds(s.setup->board.IndexOf(s.StandAt(i).cell));
                        });
    if (formation >= 0 ? formation == static_cast<int>(f) : around) return block;
  }
  return std::nullopt;
}

// Is this a square where a unit of a broken Square may gather, and is it free?
std::optional<Refusal> CheckGathering(const State& s, PieceNo unit, Cell cell,
                                      const std::vector<Regroup>& others) {
  const int side = UnitOf(s, unit).side;
  if (cell == kNowhere || cell >= s.setup->board.Cells())
    return Impossible("NAP-8C", "the unit must gather on a square of the board");
  const std::vector<PieceNo> stands = StandsOf(s, unit);
  if (stands.empty())
    return Impossible("NAP-8C", fmt::format("{} has no stand left", UnitAndKind(s, unit)));
  // NAP-6D: a unit driven out of a burning square has gathered where it fell back to.
  const Stand& first = s.StandAt(stands.front());
  const bool driven_out = first.free_turn;
  const std::optional<Block> block = BlockOf(s, unit);
  if (driven_out ? cell != first.cell : !block || !block->Holds(s.setup->board.IndexOf(cell)))
    return Impossible("NAP-8C", driven_out
                                    ? fmt::format("{} has fallen back to {} and gathers there",
                                                  UnitAndKind(s, unit), CellName(s, first.cell))
                                    : fmt::format("{} is not a square of {}'s Square",
                                                  CellName(s, cell), UnitAndKind(s, unit)));
  if (driven_out) return std::nullopt;
  const auto taken = [&](Cell at) {
    bool by_another = std::any_of(others.begin(), others.end(), [&](const Regroup& other) {
      return other.unit != unit && other.cell == at;
    });
    ForStandsIn(s, side, at, [&](PieceNo, const Stand& stand) {
      by_another = by_another ||
                   (stand.unit != unit && IsFormed(s.TypeOf(stand)) && stand.formation < 0 &&
                    std::find(s.regroup.begin(), s.regroup.end(), stand.unit) == s.regroup.end());
    });
    return by_another;
  };
  if (taken(cell))
    return Impossible("NAP-8C", fmt::format("another unit has gathered in {}", CellName(s, cell)));
  const auto enemy = [&](Cell at) { return s.CountIn(1 - side, at) > 0; };
  if (!enemy(cell) && !Impassable(s, cell)) return std::nullopt;
  // A unit that fights where no other square is left for it stays there until the melee is over.
  bool elsewhere = false;
  block->ForEach([&](SquareIndex index) {
    const Cell at = s.setup->board.At(index);
    elsewhere = elsewhere || (!enemy(at) && !Impassable(s, at) && !taken(at));
  });
  const bool stays = !StandsOf(s, unit, cell).empty() && !Impassable(s, cell);
  if (stays && !elsewhere) return std::nullopt;
  return Impossible("NAP-8C", fmt::format("{} {}", CellName(s, cell),
                                          enemy(cell) ? "is held by the enemy" : "is impassable"));
}

}  // namespace

std::optional<Refusal> CheckRegroup(const State& s, const Regroup& a) {
  if (UnitToGather(s) != a.unit)
    return Impossible("NAP-8C",
                      fmt::format("{} is not the unit to place now", UnitAndKind(s, a.unit)));
  return CheckGathering(s, a.unit, a.cell, {});
}

std::optional<Refusal> CheckBreakSquare(const State& s, const BreakSquare& a) {
  if (auto refusal = WhyNotNow(s, a.side, kMoveClauses)) return refusal;
  const std::vector<PieceNo> stands = StandsOf(s, a.unit);
  if (stands.empty() || UnitOf(s, a.unit).side != a.side || s.StandAt(stands.front()).formation < 0)
    return Impossible("NAP-8A", fmt::format("{} is not in a Square", UnitAndKind(s, a.unit)));
  const int formation = s.StandAt(stands.front()).formation;
  bool moved = false;
  for (const Stand& stand : s.stands) {
    if (stand.formation != formation || !OnBoard(stand)) continue;
    moved = moved || stand.moved;
    const auto place = std::find_if(a.places.begin(), a.places.end(),
                                    [&](const Regroup& p) { return p.unit == stand.unit; });
    if (place == a.places.end())
      return Impossible("NAP-8A", fmt::format("name a square for {}", UnitAndKind(s, stand.unit)));
    if (auto refusal = CheckGathering(s, stand.unit, place->cell, a.places)) return refusal;
  }
  if (moved)
    return Refuse("NAP-8A", "breaking the Square takes a whole move, and part of it has moved");
  return std::nullopt;
}

}  // namespace fos::napoleonic
