// SPDX-License-Identifier: MIT
#include "tests/engine/rules/colonial/simple_generator.h"

#include <cmath>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

namespace fos::colonial::test {
namespace {

struct Place {
  int c = 0, r = 0;
  friend bool operator==(Place a, Place b) = default;
};

// Queries on the table.
class Plain {
 public:
  explicit Plain(const State& s)
      : s_(s), columns_(s.setup->board.columns), rows_(s.setup->board.rows) {}

  Place Of(int square) const { return {square % columns_, square / columns_}; }
  int Number(Place p) const { return p.r * columns_ + p.c; }
  bool OnTable(Place p) const { return p.c >= 0 && p.r >= 0 && p.c < columns_ && p.r < rows_; }
  const Ground& GroundAt(Place p) const {
    return s_.setup->ground[static_cast<std::size_t>(Number(p))];
  }
  int Level(Place p) const { return GroundAt(p).level; }

  std::vector<int> Here(Place p) const {
    std::vector<int> out;
    for (std::size_t i = 0; i < s_.stands.size(); ++i)
      if (s_.stands[i].fate == Fate::kOnTable && Of(s_.stands[i].cell) == p)
        out.push_back(static_cast<int>(i));
    return out;
  }
  const colonial::Stand& Stand(int i) const { return s_.stands[static_cast<std::size_t>(i)]; }
  const StandType& Type(int i) const {
    return s_.setup->tables.types[static_cast<std::size_t>(Stand(i).type)];
  }
  bool Enemy(int of_side, Place p) const {
    if (!OnTable(p)) return false;
    for (const int i : Here(p))
      if (Stand(i).side != of_side) return true;
    return false;
  }
  // The edge between two squares that share one.
  int Edge(Place a, Place b) const {
    const bool upright = a.r == b.r;  // they are side by side
    const Place low = upright ? (a.c < b.c ? a : b) : (a.r < b.r ? a : b);
    return s_.setup->edges[static_cast<std::size_t>(2 * Number(low) + (upright ? 1 : 0))];
  }
  bool Road(Place a, Place b) const {
    static const std::map<std::pair<int, int>, int> kBit = {
        {{0, 1}, 0},  {{1, 1}, 1},   {{1, 0}, 2},  {{1, -1}, 3},
        {{0, -1}, 4}, {{-1, -1}, 5}, {{-1, 0}, 6}, {{-1, 1}, 7}};
    return GroundAt(a).road >> kBit.at({b.c - a.c, b.r - a.r}) & 1;
  }
  // COL-5.4.
  bool Squeeze(int side, Place a, Place b) const {
    if (a.c == b.c || a.r == b.r) return false;
    const Place p{b.c, a.r}, q{a.c, b.r};
    const auto obstructed = [&](Place x) {
      return GroundAt(x).obstacle || GroundAt(x).impassable || Edge(a, x) != 0 || Edge(x, b) != 0;
    };
    if (Enemy(side, p) && Enemy(side, q)) return true;
    return (Enemy(side, p) && obstructed(q)) || (Enemy(side, q) && obstructed(p));
  }
  bool Crosses(Place a, Place b, int kinds) const {
    if (a.c == b.c || a.r == b.r) return (Edge(a, b) & kinds) != 0;
    const Place p{b.c, a.r}, q{a.c, b.r};
    return ((Edge(a, p) & kinds) != 0 || (Edge(p, b) & kinds) != 0) &&
           ((Edge(a, q) & kinds) != 0 || (Edge(q, b) & kinds) != 0);
  }
  bool NextToEnemy(int side, Place p) const {
    for (int dc = -1; dc <= 1; ++dc)
      for (int dr = -1; dr <= 1; ++dr)
        if ((dc != 0 || dr != 0) && Enemy(side, {p.c + dc, p.r + dr})) return true;
    return false;
  }
  static bool OnFoot(const StandType& type) {
    return type.arm == Arm::kInfantry || type.id == "command_foot";
  }
  // COL-1.3 for one stand with its facing.
  bool Fits(int stand, Place p) const {
    int others = 0;
    for (const int i : Here(p)) {
      if (i == stand) continue;
      ++others;
      if (Stand(i).side != Stand(stand).side || Stand(i).facing != Stand(stand).facing)
        return false;
      if (Type(i).depth_mm + Type(stand).depth_mm > 50) return false;
    }
    return others < 2;
  }

  void Walk(int stand, Place at, int left, bool road_only, std::set<int>& ends) const {
    const int side = Stand(stand).side;
    for (int dc = -1; dc <= 1; ++dc)
      for (int dr = -1; dr <= 1; ++dr) {
        const Place to{at.c + dc, at.r + dr};
        if ((dc == 0 && dr == 0) || !OnTable(to)) continue;
        const bool road = Road(at, to);
        if (road_only && !road) continue;
        const int cost = 1 + std::abs(Level(to) - Level(at));
        if (cost > left || Enemy(side, to) || GroundAt(to).impassable || Squeeze(side, at, to))
          continue;
        if (Type(stand).arm == Arm::kArtillery && NextToEnemy(side, to)) continue;
        if (!OnFoot(Type(stand)) && !road && (GroundAt(to).wood || Crosses(at, to, 1 | 2 | 4)))
          continue;
        if (!(to == Of(Stand(stand).cell)) && Fits(stand, to)) ends.insert(Number(to));
        Walk(stand, to, left - cost, road_only, ends);
      }
  }

  Place Ahead(int stand) const {
    static const Place kWays[8] = {{0, 1},  {1, 1},   {1, 0},  {1, -1},
                                   {0, -1}, {-1, -1}, {-1, 0}, {-1, 1}};
    return kWays[static_cast<int>(Stand(stand).facing)];
  }
  bool InFront(int stand, Place p) const {
    const Place at = Of(Stand(stand).cell);
    const Place f = Ahead(stand);
    const int forward = (p.c - at.c) * f.c + (p.r - at.r) * f.r;
    const int side = std::abs((p.c - at.c) * f.r - (p.r - at.r) * f.c);
    return forward > 0 && side <= forward;
  }

  bool Blocks(Place p, int most) const {
    if (Level(p) > most) return true;
    if ((GroundAt(p).wood || GroundAt(p).built_up) && Level(p) + 1 > most) return true;
    return !Here(p).empty() && Level(p) >= most;
  }
  // Walks along the line in steps far smaller than its shortest segment in any square.
  bool Sees(Place a, Place b) const {
    constexpr int kSteps = 10007;
    const int most = std::max(Level(a), Level(b));
    Place last = a;
    for (int n = 1; n <= kSteps; ++n) {
      const double t = static_cast<double>(n) / kSteps;
      const double x = a.c + 0.5 + (b.c - a.c) * t;
      const double y = a.r + 0.5 + (b.r - a.r) * t;
      if (std::abs(x - std::round(x)) < 1e-9 && b.c != a.c) continue;
      if (std::abs(y - std::round(y)) < 1e-9 && b.r != a.r) continue;
      const Place now{static_cast<int>(std::floor(x)), static_cast<int>(std::floor(y))};
      if (now == last) continue;
      if (now.c != last.c && now.r != last.r && Blocks({now.c, last.r}, most) &&
          Blocks({last.c, now.r}, most))
        return false;
      if (!(now == b) && Blocks(now, most)) return false;
      last = now;
    }
    return true;
  }

  bool Covered(Place from, Place to, bool wood_too) const {
    if (wood_too && GroundAt(to).wood) return true;
    const int dc = from.c - to.c, dr = from.r - to.r;
    int bits = 0;
    if (std::abs(dc) >= std::abs(dr) && dc != 0) bits |= Edge(to, {to.c + (dc > 0 ? 1 : -1), to.r});
    if (std::abs(dr) >= std::abs(dc) && dr != 0) bits |= Edge(to, {to.c, to.r + (dr > 0 ? 1 : -1)});
    return (bits & (1 | 64)) != 0;
  }
  bool Flat(Place a, Place b) const {
    const auto bare = [&](Place p) {
      const Ground& g = GroundAt(p);
      return !(g.wood || g.built_up || g.impassable || g.obstacle || g.other);
    };
    if (!bare(a) || !bare(b) || Level(a) != Level(b)) return false;
    if (a.c == b.c || a.r == b.r) return Edge(a, b) == 0;
    const Place p{b.c, a.r}, q{a.c, b.r};
    return Edge(a, p) == 0 && Edge(p, b) == 0 && Edge(a, q) == 0 && Edge(q, b) == 0;
  }
  static int Apart(Place a, Place b) { return std::max(std::abs(a.c - b.c), std::abs(a.r - b.r)); }

  // Modifiers of Generals and support.
  int Helped(int stand, bool close) const {
    int sum = Stand(stand).value;
    const Place at = Of(Stand(stand).cell);
    for (std::size_t n = 0; n < s_.stands.size(); ++n) {
      const int i = static_cast<int>(n);
      if (i == stand || Stand(i).fate != Fate::kOnTable || Stand(i).side != Stand(stand).side)
        continue;
      const int apart = Apart(at, Of(Stand(i).cell));
      if (apart > 1) continue;
      if (Type(i).arm == Arm::kCommand) {
        sum += Stand(i).value;
      } else if (close && Stand(i).type == Stand(stand).type) {
        sum += apart == 0 ? 2 : 1;
      }
    }
    return sum;
  }

 private:
  const State& s_;
  int columns_, rows_;
};

}  // namespace

std::set<int> SimpleMoves(const State& s, int stand) {
  const Plain plain(s);
  std::set<int> ends;
  const int squares = plain.Type(stand).move / 100;
  const Place from = plain.Of(plain.Stand(stand).cell);
  plain.Walk(stand, from, squares, false, ends);
  plain.Walk(stand, from, squares + 1, true, ends);
  return ends;
}

std::set<int> SimpleWithdrawals(const State& s, int stand) {
  const Plain plain(s);
  const int side = plain.Stand(stand).side;
  const Place ahead = plain.Ahead(stand);
  std::set<int> reached = {static_cast<int>(plain.Stand(stand).cell)};
  for (int k = 1; k <= 4; ++k) {
    std::set<int> next, stops;
    for (const int number : reached) {
      const Place at = plain.Of(number);
      for (int turn = -1; turn <= 1; ++turn) {
        // Straight back, and the two diagonals beside it (facings are N, E, S, W).
        const Place to{at.c - ahead.c + turn * ahead.r, at.r - ahead.r + turn * ahead.c};
        if (!plain.OnTable(to) || plain.Enemy(side, to) || plain.Squeeze(side, at, to)) continue;
        const Ground& ground = plain.GroundAt(to);
        if (ground.obstacle || ground.impassable) continue;
        if (!plain.Road(at, to) && plain.Crosses(at, to, 127)) continue;
        if (ground.wood && !Plain::OnFoot(plain.Type(stand)) && !plain.Road(at, to)) continue;
        next.insert(plain.Number(to));
      }
    }
    for (const int number : next) {
      const Place at = plain.Of(number);
      bool clear = plain.Fits(stand, at);
      for (int dc = -1; dc <= 1; ++dc)
        for (int dr = -1; dr <= 1; ++dr)
          clear = clear && !plain.Enemy(side, {at.c + dc, at.r + dr});
      if (clear) stops.insert(number);
    }
    if (!stops.empty()) return stops;
    reached = next;
  }
  return {};
}

std::set<int> SimpleTargets(const State& s, bool close, int stand) {
  const Plain plain(s);
  std::set<int> out;
  const Place at = plain.Of(plain.Stand(stand).cell);
  const int range =
      s.setup->tables.weapons[static_cast<std::size_t>(plain.Stand(stand).weapon)].range;
  for (std::size_t n = 0; n < s.stands.size(); ++n) {
    const int i = static_cast<int>(n);
    const colonial::Stand& enemy = plain.Stand(i);
    if (enemy.fate != Fate::kOnTable || enemy.side == plain.Stand(stand).side) continue;
    const Place there = plain.Of(enemy.cell);
    const int apart = Plain::Apart(at, there);
    if (close ? apart != 1
              : apart > range || !plain.InFront(stand, there) || !plain.Sees(at, there))
      continue;
    if (plain.Here(there).size() == 2) {
      const Place f = plain.Ahead(i);
      const int forward = (at.c - there.c) * f.c + (at.r - there.r) * f.r;
      if ((forward > 0 && enemy.rear) || (forward < 0 && !enemy.rear)) continue;
    }
    out.insert(i);
  }
  return out;
}

std::pair<int, int> SimpleSums(const State& s, bool close, int initiator, int enemy) {
  const Plain plain(s);
  int own = plain.Helped(initiator, close);
  const int other = plain.Helped(enemy, close);
  const Place at = plain.Of(plain.Stand(initiator).cell);
  const Place there = plain.Of(plain.Stand(enemy).cell);
  const StandType& type = plain.Type(initiator);
  const StandType& met = plain.Type(enemy);
  if (!close) {
    if (type.arm == Arm::kArtillery && Plain::Apart(at, there) == 1) own += 1;
    if (plain.Covered(at, there, true)) own -= 2;
    return {own, other};
  }
  if (!plain.InFront(enemy, at)) own += 2;
  if (type.arm == Arm::kCavalry && (met.arm == Arm::kInfantry || met.arm == Arm::kArtillery) &&
      plain.Flat(at, there))
    own += 3;
  if (plain.Level(at) < plain.Level(there)) own -= 2;
  if (plain.Covered(at, there, false)) own -= 2;
  return {own, other};
}

}  // namespace fos::colonial::test
