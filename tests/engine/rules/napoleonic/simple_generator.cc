// SPDX-License-Identifier: MIT
#include "tests/engine/rules/napoleonic/simple_generator.h"

#include <cmath>

namespace fos::napoleonic::test {
namespace {

struct At {
  int column, row;
};

// Queries to the position, written as plainly as possible.
class Plain {
 public:
  explicit Plain(const State& s) : s_(s), columns_(s.setup->board.columns) {}

  At Where(int square) const { return {square % columns_, square / columns_}; }
  int Square(At at) const { return at.row * columns_ + at.column; }
  bool OnTable(At at) const {
    return at.column >= 0 && at.row >= 0 && at.column < columns_ && at.row < s_.setup->board.rows;
  }
  int Stands(int side, int square) const {
    int count = 0;
    for (const Stand& stand : s_.stands)
      count += stand.fate == Fate::kOnBoard && stand.side == side && stand.cell == square;
    return count;
  }
  const UnitType& Type(const Stand& stand) const {
    return s_.setup->tables.types[static_cast<std::size_t>(stand.type)];
  }
  bool Closed(int square) const {
    const CellTerrain& t = s_.setup->terrain[static_cast<std::size_t>(square)];
    return s_.burning[static_cast<std::size_t>(square)] || t.impassable || (t.water && !t.bridge);
  }

  // Every end square within the given cost, found by trying every path.
  void Walk(int side, At from, At at, double left, bool road_only, std::set<int>& ends) const {
    for (int dx = -1; dx <= 1; ++dx)
      for (int dy = -1; dy <= 1; ++dy) {
        const At next{at.column + dx, at.row + dy};
        if ((dx == 0 && dy == 0) || !OnTable(next) || Closed(Square(next))) continue;
        const double cost =
            (dx != 0 && dy != 0 ? 1.5 : 1.0) +
            s_.setup->terrain[static_cast<std::size_t>(Square(next))].move_cost / 100.0;
        if (cost > left + 1e-9) continue;
        if (dx != 0 && dy != 0 && Stands(1 - side, Square({at.column + dx, at.row})) > 0 &&
            Stands(1 - side, Square({at.column, at.row + dy})) > 0)
          continue;
        if (road_only && !RoadJoins(at, dx, dy)) continue;
        if (Square(next) != Square(from)) ends.insert(Square(next));
        if (Stands(1 - side, Square(next)) == 0)
          Walk(side, from, next, left - cost, road_only, ends);
      }
  }
  bool RoadJoins(At at, int dx, int dy) const {
    // Clockwise from north: N NE E SE S SW W NW.
    const int around[3][3] = {{5, 6, 7}, {4, 0, 0}, {3, 2, 1}};
    return s_.setup->terrain[static_cast<std::size_t>(Square(at))].road >> around[dx + 1][dy + 1] &
           1;
  }

  // May these end there? Checks room and who may enter an enemy's square.
  bool MayEnd(int side, const std::vector<int>& stands, const std::vector<int>& equipment,
              int to) const {
    std::set<int> units;
    int crew = 0, commanders = 0, guns = 0, wagons = 0, arriving_crew = 0, formed_there = 0;
    bool arriving_commander = false, arriving_formed = false;
    int arriving_unit = -1, arriving_count = 0;
    const auto count = [&](const Stand& stand) {
      switch (Type(stand).arm) {
        case Arm::kArtillery:
          ++crew;
          break;
        case Arm::kCommander:
          ++commanders;
          break;
        default:
          units.insert(stand.unit);
      }
    };
    for (const int i : stands) {
      const Stand& stand = s_.stands[static_cast<std::size_t>(i)];
      count(stand);
      if (Type(stand).arm == Arm::kArtillery) ++arriving_crew;
      if (Type(stand).arm == Arm::kCommander) arriving_commander = true;
      if (Type(stand).arm == Arm::kInfantry || Type(stand).arm == Arm::kCavalry) {
        arriving_formed = true;
        arriving_unit = stand.unit;
        ++arriving_count;
      }
    }
    for (const Stand& stand : s_.stands) {
      if (stand.fate != Fate::kOnBoard || stand.side != side || stand.cell != to) continue;
      count(stand);
      if (stand.unit == arriving_unit) ++formed_there;
    }
    const auto count_piece = [&](const Equipment& e) {
      const auto& type = s_.setup->tables.equipment[static_cast<std::size_t>(e.type)];
      ++(type.role == EquipmentRole::kWagon ? wagons : guns);
    };
    for (const int i : equipment) count_piece(s_.equipment[static_cast<std::size_t>(i)]);
    for (const Equipment& e : s_.equipment)
      if (e.fate == Fate::kOnBoard && e.owner == side && e.cell == to) count_piece(e);
    if (units.size() > 1 || crew > 6 || commanders > 1 || guns > 2 || wagons > 1) return false;
    if (Stands(1 - side, to) == 0) return true;
    if (arriving_formed) return arriving_count + formed_there >= 2;
    return arriving_commander || Stands(side, to) > 0 || arriving_crew >= 2;
  }

 private:
  const State& s_;
  int columns_;
};

}  // namespace

std::set<int> SimpleMoves(const State& s, const std::vector<int>& stands,
                          const std::vector<int>& equipment) {
  const Plain plain(s);
  const Stand& first = s.stands[static_cast<std::size_t>(stands.front())];
  double move = 1000;
  for (const int i : stands)
    move = std::min(move, plain.Type(s.stands[static_cast<std::size_t>(i)]).move / 100.0);
  for (const int i : equipment) {
    const Equipment& e = s.equipment[static_cast<std::size_t>(i)];
    move = std::min(move, s.setup->tables.equipment[static_cast<std::size_t>(e.type)].move / 100.0);
  }
  std::set<int> ends;
  const At from = plain.Where(first.cell);
  plain.Walk(first.side, from, from, move, false, ends);
  plain.Walk(first.side, from, from, move + 1, true, ends);
  std::set<int> legal;
  for (const int to : ends)
    if (plain.MayEnd(first.side, stands, equipment, to)) legal.insert(to);
  return legal;
}

std::vector<SimpleMove> AllSimpleMoves(const State& s) {
  std::vector<SimpleMove> out;
  const Plain plain(s);
  // By unit and square, in the order of their first stands.
  std::map<std::pair<int, int>, std::vector<int>> groups;
  std::map<int, int> left;
  for (std::size_t i = 0; i < s.stands.size(); ++i) {
    const Stand& stand = s.stands[i];
    if (stand.fate != Fate::kOnBoard || stand.side != s.attacker) continue;
    ++left[stand.unit];
    groups[{stand.unit, stand.cell}].push_back(static_cast<int>(i));
  }
  for (const auto& [key, all] : groups) {
    std::vector<int> free;
    for (const int i : all)
      if (!s.stands[static_cast<std::size_t>(i)].moved) free.push_back(i);
    const bool parts = plain.Type(s.stands[static_cast<std::size_t>(all.front())]).may_separate;
    if (free.empty() || (!parts && static_cast<int>(free.size()) != left[key.first])) continue;
    std::vector<int> pieces;
    for (std::size_t e = 0; e < s.equipment.size(); ++e) {
      const Equipment& piece = s.equipment[e];
      const bool wagon = s.setup->tables.equipment[static_cast<std::size_t>(piece.type)].role ==
                         EquipmentRole::kWagon;
      if (piece.fate == Fate::kOnBoard && piece.owner == s.attacker && piece.cell == key.second &&
          !piece.moved && (wagon || piece.limbered))
        pieces.push_back(static_cast<int>(e));
    }
    for (std::size_t n = parts ? 1 : free.size(); n <= free.size(); ++n) {
      const std::vector<int> stands(free.begin(), free.begin() + static_cast<std::ptrdiff_t>(n));
      for (unsigned set = 0; set < 1u << pieces.size(); ++set) {
        std::vector<int> load;
        for (std::size_t e = 0; e < pieces.size(); ++e)
          if (set >> e & 1) load.push_back(pieces[e]);
        if (load.size() > n) continue;
        for (const int to : SimpleMoves(s, stands, load)) out.push_back({stands, load, to});
      }
    }
  }
  return out;
}

}  // namespace fos::napoleonic::test
