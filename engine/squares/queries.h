// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/squares/geometry.h"
#include "engine/table/sentence.h"

// Queries to the state of any grid game. The State has
//   stands     with unit, side, cell and fate;   equipment   with owner, cell and fate
//   setup      with board, sides, units and equipment;   CountIn(side, cell)
namespace fos::squares {

// Index into State::stands, State::equipment or Setup::units.
using PieceNo = std::int16_t;
constexpr int kNobody = 2;  // owner value for neither side
enum class Fate : std::uint8_t { kOnBoard, kDestroyed, kOffBoard };

template <typename Piece>
bool OnBoard(const Piece& piece) {
  return piece.fate == Fate::kOnBoard;
}

// Calls f(PieceNo, const Stand&) for every stand of `side` in the square, in order of number.
template <typename State, typename F>
void ForStandsIn(const State& s, int side, Cell cell, F f) {
  int left = s.CountIn(side, cell);
  for (std::size_t i = 0; left > 0 && i < s.stands.size(); ++i) {
    const auto& stand = s.stands[i];
    if (stand.cell != cell || stand.side != side || !OnBoard(stand)) continue;
    f(static_cast<PieceNo>(i), stand);
    --left;
  }
}
template <typename State>
std::vector<PieceNo> StandsIn(const State& s, int side, Cell cell) {
  std::vector<PieceNo> out;
  ForStandsIn(s, side, cell, [&](PieceNo i, const auto&) { out.push_back(i); });
  return out;
}
// A unit's stands on the board, in one square or (kNowhere) in any.
template <typename State>
std::vector<PieceNo> StandsOf(const State& s, PieceNo unit, Cell cell = kNowhere) {
  std::vector<PieceNo> out;
  for (std::size_t i = 0; i < s.stands.size(); ++i) {
    const auto& stand = s.stands[i];
    if (stand.unit == unit && OnBoard(stand) && (cell == kNowhere || stand.cell == cell))
      out.push_back(static_cast<PieceNo>(i));
  }
  return out;
}
template <typename State>
int CountStandsOf(const State& s, PieceNo unit) {
  return static_cast<int>(std::count_if(s.stands.begin(), s.stands.end(), [&](const auto& stand) {
    return stand.unit == unit && OnBoard(stand);
  }));
}
template <typename State>
std::vector<PieceNo> EquipmentIn(const State& s, Cell cell) {
  std::vector<PieceNo> out;
  for (std::size_t i = 0; i < s.equipment.size(); ++i)
    if (OnBoard(s.equipment[i]) && s.equipment[i].cell == cell)
      out.push_back(static_cast<PieceNo>(i));
  return out;
}
template <typename State>
std::vector<PieceNo> EquipmentIn(const State& s, int owner, Cell cell) {
  std::vector<PieceNo> out = EquipmentIn(s, cell);
  std::erase_if(out,
                [&](PieceNo i) { return s.equipment[static_cast<std::size_t>(i)].owner != owner; });
  return out;
}

template <typename State>
const auto& UnitOf(const State& s, PieceNo unit) {
  return s.setup->units[static_cast<std::size_t>(unit)];
}
template <typename State>
const auto& TypeOfUnit(const State& s, PieceNo unit) {
  return s.Book().types[static_cast<std::size_t>(UnitOf(s, unit).type)];
}

// The unit that decides what a group counts as in a square (DEF-7): the unit that holds it, or one
// of those with it. RoleOf(const UnitType&) is found beside the State.
enum class TroopRole : std::uint8_t { kFormed, kCrew, kCommander };
template <typename UnitType>
bool IsFormed(const UnitType& type) {
  return RoleOf(type) == TroopRole::kFormed;
}
template <typename State>
bool HasRole(const State& s, int side, Cell cell, TroopRole role) {
  bool has = false;
  ForStandsIn(s, side, cell,
              [&](PieceNo, const auto& stand) { has = has || RoleOf(s.TypeOf(stand)) == role; });
  return has;
}
// The first formed unit of a side in a square; -1 if there is none.
template <typename State>
PieceNo FormedUnitIn(const State& s, int side, Cell cell) {
  PieceNo unit = -1;
  ForStandsIn(s, side, cell, [&](PieceNo, const auto& stand) {
    if (unit < 0 && IsFormed(s.TypeOf(stand))) unit = stand.unit;
  });
  return unit;
}

// Names as players and files write them: "F-1L1#3", "F-1A1g#2", "E5".
template <typename State>
std::string UnitName(const State& s, PieceNo unit) {
  return UnitOf(s, unit).id;
}
template <typename State>
std::string StandName(const State& s, PieceNo stand) {
  const PieceNo unit = s.stands[static_cast<std::size_t>(stand)].unit;
  int number = 1;
  for (std::size_t i = 0; i < static_cast<std::size_t>(stand); ++i)
    number += s.stands[i].unit == unit;
  return fmt::format("{}#{}", UnitOf(s, unit).id, number);
}
template <typename State>
std::string EquipmentName(const State& s, PieceNo equipment) {
  return s.setup->equipment[static_cast<std::size_t>(equipment)].id;
}
template <typename State>
std::string CellName(const State& s, Cell cell) {
  return cell == kNowhere ? "off the board" : SquareName(s.setup->board.IndexOf(cell));
}
template <typename State>
const std::string& SideName(const State& s, int side) {
  static const std::string nobody = "nobody";
  return side == kNobody ? nobody : s.setup->sides[static_cast<std::size_t>(side)].name;
}

// "; NE would do": the facing nearest to this one that passes the test, for a refusal.
template <typename Test>
std::string FacingThatWouldDo(Facing facing, Test would_do) {
  for (const int turn : {1, -1, 2, -2, 3, -3, 4})
    if (would_do(Turned(facing, turn)))
      return fmt::format("; facing {} it would be", FacingName(Turned(facing, turn)));
  return {};
}
// "A, B or C".
inline std::string Either(const std::vector<std::string>& names) {
  std::string out;
  for (std::size_t i = 0; i < names.size(); ++i)
    out += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + names[i];
  return out;
}
// For sentences, with their kind: "Line infantry N-3"; "2nd line infantry, N-3#2" where the side
// has several units of the kind.
template <typename State>
std::string NameWithKind(const State& s, PieceNo unit, const std::string& id) {
  const auto& units = s.setup->units;
  const auto& own = units[static_cast<std::size_t>(unit)];
  const int number = NumberOfKind(unit, static_cast<int>(units.size()), [&](int i) {
    const auto& other = units[static_cast<std::size_t>(i)];
    return other.side == own.side && other.type == own.type;
  });
  const auto& type = TypeOfUnit(s, unit);
  return NumberedName(number == 0 ? type.name : type.kind, number, id);
}
template <typename State>
std::string UnitAndKind(const State& s, PieceNo unit) {
  return NameWithKind(s, unit, UnitName(s, unit));
}
template <typename State>
std::string StandAndKind(const State& s, PieceNo stand) {
  return NameWithKind(s, s.stands[static_cast<std::size_t>(stand)].unit, StandName(s, stand));
}
template <typename State>
std::string EquipmentAndKind(const State& s, PieceNo equipment) {
  return fmt::format("{} {}", s.TypeOf(s.equipment[static_cast<std::size_t>(equipment)]).name,
                     EquipmentName(s, equipment));
}
// The same for several: a unit is named once for its stands that follow each other.
template <typename State>
std::vector<std::string> StandsAndKinds(const State& s, const std::vector<PieceNo>& stands) {
  std::vector<std::string> out;
  PieceNo before = -1;
  for (const PieceNo i : stands) {
    const PieceNo unit = s.stands[static_cast<std::size_t>(i)].unit;
    out.push_back(before == unit ? StandName(s, i) : StandAndKind(s, i));
    before = unit;
  }
  return out;
}
template <typename State>
std::string StandNames(const State& s, const std::vector<PieceNo>& stands) {
  return fmt::format("{}", fmt::join(StandsAndKinds(s, stands), ", "));
}

// DEF-3 on this board.
template <typename State>
int DistanceBetween(const State& s, Cell a, Cell b) {
  return Distance(s.setup->board.Between(a, b), s.Book().diagonal_cost);
}

// Pieces that enter or leave a square together.
struct Stacked {
  std::vector<PieceNo> stands;
  std::vector<PieceNo> equipment;
};

// NAP-2F, ANC-V5: the move allowance of the slowest piece; hundredths of a square.
template <typename State>
int AllowanceOf(const State& s, const std::vector<PieceNo>& stands,
                const std::vector<PieceNo>& equipment) {
  if (stands.empty()) return 0;
  int allowance = std::numeric_limits<int>::max();
  for (const PieceNo i : stands) allowance = std::min(allowance, s.TypeOf(s.StandAt(i)).move);
  for (const PieceNo i : equipment)
    allowance = std::min(allowance, s.TypeOf(s.EquipmentAt(i)).move);
  return allowance;
}

// The side whose points captured equipment counts for.
enum class CapturedPoints : std::uint8_t { kCaptor, kOriginalOwner, kNeither };
// NAP-10, NAP-12, ANC-M2, ANC-M4: the points of a side's stands and equipment on and off the board.
template <typename State>
int TroopPointsOf(const State& s, int side) {
  int points = 0;
  for (const auto& stand : s.stands)
    if (stand.side == side && stand.fate != Fate::kDestroyed) points += s.TypeOf(stand).points;
  for (const auto& e : s.equipment) {
    if (e.fate == Fate::kDestroyed || e.owner == kNobody) continue;
    int counts_for = e.owner;
    if (e.owner != e.side) {
      if (s.Ruling().captured == CapturedPoints::kNeither) continue;
      if (s.Ruling().captured == CapturedPoints::kOriginalOwner) counts_for = e.side;
    }
    if constexpr (requires { s.Ruling().unmanned_counts; })
      if (!s.Ruling().unmanned_counts && OnBoard(e) && s.CountIn(e.owner, e.cell) == 0) continue;
    if (counts_for == side) points += s.TypeOf(e).points;
  }
  return points;
}
// NAP-12, ANC-M4: the points of the objectives a side holds with no enemy in any of their squares.
template <typename State>
int ObjectivePoints(const State& s, int side) {
  int points = 0;
  for (const auto& objective : s.setup->objectives) {
    const auto held = [&](int who) {
      return std::any_of(objective.cells.begin(), objective.cells.end(),
                         [&](Cell c) { return s.CountIn(who, c) > 0; });
    };
    if (held(side) && !held(1 - side)) points += objective.points;
  }
  return points;
}

// A side's points including objectives.
template <typename State>
int PointsOf(const State& s, int side) {
  return TroopPointsOf(s, side) + ObjectivePoints(s, side);
}

// The stands of one unit in one square.
struct Group {
  PieceNo unit = 0;
  Cell cell = kNowhere;
  friend bool operator==(const Group&, const Group&) = default;
};
template <typename State>
std::vector<Group> GroupsOf(const State& s, int side) {
  std::vector<Group> out;
  for (const auto& stand : s.stands) {
    const Group group{stand.unit, stand.cell};
    if (stand.side == side && OnBoard(stand) &&
        std::find(out.begin(), out.end(), group) == out.end())
      out.push_back(group);
  }
  return out;
}

}  // namespace fos::squares
