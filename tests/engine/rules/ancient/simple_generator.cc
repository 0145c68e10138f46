// SPDX-License-Identifier: MIT
#include "tests/engine/rules/ancient/simple_generator.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace fos::ancient::test {
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
  const UnitType& Type(const Stand& stand) const {
    return s_.setup->tables.types[static_cast<std::size_t>(stand.type)];
  }
  std::vector<const Stand*> In(int side, int square) const {
    std::vector<const Stand*> out;
    for (const Stand& stand : s_.stands)
      if (stand.fate == Fate::kOnBoard && stand.side == side && stand.cell == square)
        out.push_back(&stand);
    return out;
  }
  bool Held(int side, int square) const { return !In(side, square).empty(); }
  bool Closed(int square) const {
    const CellTerrain& t = s_.setup->terrain[static_cast<std::size_t>(square)];
    return t.impassable || (t.water && !t.bridge);
  }

  // ANC-M3 for these movers.
  bool MayRunDown(const std::vector<int>& movers, int square) const {
    const auto there = In(1 - s_.attacker, square);
    if (there.size() != 1 || s_.setup->terrain[static_cast<std::size_t>(square)].protection)
      return false;
    const UnitType& prey = Type(*there.front());
    if (prey.arm != Arm::kInfantry && prey.id != "foot_crew") return false;
    for (const int i : movers) {
      const Stand& stand = s_.stands[static_cast<std::size_t>(i)];
      const Arm arm = Type(stand).arm;
      if (arm == Arm::kInfantry || arm == Arm::kCrew || arm == Arm::kCommander) return false;
      if (stand.busy || (arm == Arm::kElephant && stand.will != Will::kWilling)) return false;
    }
    return true;
  }

  // Every end square within the given cost, found by trying every path; over single stands only if
  // `riding`.
  void Walk(const std::vector<int>& movers, At from, At at, double left, bool road_only,
            bool riding, std::set<int>& ends) const {
    const int enemy = 1 - s_.attacker;
    for (int dx = -1; dx <= 1; ++dx)
      for (int dy = -1; dy <= 1; ++dy) {
        const At next{at.column + dx, at.row + dy};
        if ((dx == 0 && dy == 0) || !OnTable(next) || Closed(Square(next))) continue;
        const double cost =
            (dx != 0 && dy != 0 ? 1.5 : 1.0) +
            s_.setup->terrain[static_cast<std::size_t>(Square(next))].move_cost / 100.0;
        if (cost > left + 1e-9) continue;
        if (dx != 0 && dy != 0 && Held(enemy, Square({at.column + dx, at.row})) &&
            Held(enemy, Square({at.column, at.row + dy})))
          continue;
        if (road_only && !RoadJoins(at, dx, dy)) continue;
        if (Square(next) != Square(from)) ends.insert(Square(next));
        const bool on = !Held(enemy, Square(next)) || (riding && MayRunDown(movers, Square(next)));
        if (on) Walk(movers, from, next, left - cost, road_only, riding, ends);
      }
  }
  bool RoadJoins(At at, int dx, int dy) const {
    // Clockwise from north: N NE E SE S SW W NW.
    const int around[3][3] = {{5, 6, 7}, {4, 0, 0}, {3, 2, 1}};
    return s_.setup->terrain[static_cast<std::size_t>(Square(at))].road >> around[dx + 1][dy + 1] &
           1;
  }

  // Is there room for them at the end?
  bool Room(const std::vector<int>& movers, const std::vector<int>& load, int to) const {
    std::set<int> units;
    int crew = 0, leaders = 0;
    std::size_t catapults = load.size();
    const auto count = [&](const Stand& stand) {
      const Arm arm = Type(stand).arm;
      if (arm == Arm::kCrew) {
        ++crew;
      } else if (arm == Arm::kCommander) {
        ++leaders;
      } else {
        units.insert(stand.unit);
      }
    };
    for (const int i : movers) count(s_.stands[static_cast<std::size_t>(i)]);
    for (const Stand* stand : In(s_.attacker, to)) count(*stand);
    for (const Equipment& e : s_.equipment)
      catapults += e.fate == Fate::kOnBoard && e.owner == s_.attacker && e.cell == to;
    return units.size() <= 1 && crew <= 6 && leaders <= 1 && catapults <= 1;
  }

  // May they fight the stands there?
  bool MayFight(const std::vector<int>& movers, int to) const {
    int pikes = 0;
    for (const Stand* stand : In(1 - s_.attacker, to))
      pikes += Type(*stand).id == "roman_legionary" || Type(*stand).id == "macedonian_phalanx";
    for (const int i : movers) {
      const Stand& stand = s_.stands[static_cast<std::size_t>(i)];
      const Arm arm = Type(stand).arm;
      if (stand.busy || (arm == Arm::kElephant && stand.will != Will::kWilling)) return false;
      if (arm == Arm::kCavalry && pikes >= 4) return false;
      const auto left = std::count_if(s_.stands.begin(), s_.stands.end(), [&](const Stand& other) {
        return other.fate == Fate::kOnBoard && other.unit == stand.unit;
      });
      const std::string& id = Type(stand).id;
      if (left == 1 && (id == "heavy_infantry" || id == "heavy_cavalry" || id == "light_cavalry"))
        return false;
    }
    return true;
  }

 private:
  const State& s_;
  int columns_;
};

}  // namespace

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
    const std::string& family = plain.Type(s.stands[static_cast<std::size_t>(all[0])]).family;
    const bool parts = family == "light_infantry" || family == "light_cavalry" ||
                       family == "foot_crew" || family == "horse_crew" || family == "commander";
    if (free.empty() || (!parts && static_cast<int>(free.size()) != left[key.first])) continue;
    std::vector<std::vector<int>> loads{{}};
    for (std::size_t e = 0; e < s.equipment.size(); ++e)
      if (s.equipment[e].fate == Fate::kOnBoard && s.equipment[e].owner == s.attacker &&
          s.equipment[e].cell == key.second && !s.equipment[e].moved)
        loads.push_back({static_cast<int>(e)});
    for (std::size_t n = parts ? 1 : free.size(); n <= free.size(); ++n) {
      const std::vector<int> movers(free.begin(), free.begin() + static_cast<std::ptrdiff_t>(n));
      for (const std::vector<int>& load : loads) {
        double move = plain.Type(s.stands[static_cast<std::size_t>(free[0])]).move / 100.0;
        for (const int e : load)
          move = std::min(move, s.setup->tables
                                        .equipment[static_cast<std::size_t>(
                                            s.equipment[static_cast<std::size_t>(e)].type)]
                                        .move /
                                    100.0);
        const At from = plain.Where(key.second);
        std::set<int> plainly, riding;
        plain.Walk(movers, from, from, move, false, false, plainly);
        plain.Walk(movers, from, from, move + 1, true, false, plainly);
        plain.Walk(movers, from, from, move, false, true, riding);
        plain.Walk(movers, from, from, move + 1, true, true, riding);
        riding.insert(plainly.begin(), plainly.end());
        for (const int to : riding) {
          if (!plain.Room(movers, load, to)) continue;
          const bool held = plain.Held(1 - s.attacker, to);
          if (!held || plain.MayFight(movers, to)) out.push_back({movers, load, to, false});
          if (held && plain.MayRunDown(movers, to)) out.push_back({movers, load, to, true});
        }
      }
    }
  }
  return out;
}

}  // namespace fos::ancient::test
