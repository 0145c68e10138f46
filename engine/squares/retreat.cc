// SPDX-License-Identifier: MIT
#include "engine/squares/retreat.h"

#include <algorithm>
#include <array>
#include <optional>

namespace fos::squares {
namespace {

// The search never lengthens a retreat beyond this many steps: every square that far back would
// have to be full of friends.
constexpr int kMostSteps = 24;

// The cost of the best continuation: the sum of deviations, then the deviations in order (two bits
// each, the earliest highest), then the sides turned to (0 for clockwise).
struct Cost {
  int sum = 0;
  std::uint64_t deviations = 0;
  std::uint64_t turns = 0;
  bool SameButForTurns(const Cost& o) const { return sum == o.sum && deviations == o.deviations; }
  friend auto operator<=>(const Cost&, const Cost&) = default;
};

class Search {
 public:
  Search(const RetreatProblem& problem, int steps, bool friends_count)
      : p_(problem), steps_(steps), friends_count_(friends_count) {
    memo_.resize(static_cast<std::size_t>(p_.board.Cells()) * 3 * static_cast<std::size_t>(steps));
  }

  // The best cost of `left` more steps from `at`. Within 90 degrees of the direction, a unit can
  // return to a square only by reversing a sideways step, so the last sideways turn (-2, 2, or 0
  // for none) is all the history needed.
  std::optional<Cost> Best(Cell at, int sideways, int left) {
    if (left == 0) return MayEnd(at) ? std::optional<Cost>(Cost{}) : std::nullopt;
    Known& known = Memo(at, sideways, left);
    if (known.done) return known.best;
    std::optional<Cost> best;
    for (int turn = -p_.max_turns; turn <= p_.max_turns; ++turn) {
      const std::optional<Cost> cost = Through(at, sideways, turn, left);
      if (cost && (!best || *cost < *best)) best = cost;
    }
    Known& slot = Memo(at, sideways, left);
    slot = {true, best};
    return best;
  }

  // Every path that costs no more than the best except for the sides it turns to; the best first.
  void Collect(Cell at, int sideways, int left, const Cost& target, RetreatPath& path,
               std::vector<RetreatPath>& out) {
    if (left == 0) {
      AddNew(path, out);
      return;
    }
    struct Way {
      int turn;
      Cost cost;
    };
    std::vector<Way> ways;
    for (int turn = -p_.max_turns; turn <= p_.max_turns; ++turn) {
      const std::optional<Cost> cost = Through(at, sideways, turn, left);
      if (cost && cost->SameButForTurns(target)) ways.push_back({turn, *cost});
    }
    std::sort(ways.begin(), ways.end(), [](const Way& a, const Way& b) { return a.cost < b.cost; });
    for (const Way& way : ways) {
      const Cell next = p_.board.Step(at, Turned(p_.direction, way.turn));
      path.push_back(next);
      if (next == kNowhere) {
        AddNew(path, out);
      } else {
        const std::optional<Cost> rest = Best(next, SidewaysOf(way.turn), left - 1);
        Collect(next, SidewaysOf(way.turn), left - 1, *rest, path, out);
      }
      path.pop_back();
    }
  }

 private:
  struct Known {
    bool done = false;
    std::optional<Cost> best;
  };

  static int SidewaysOf(int turn) { return std::abs(turn) == 2 ? turn : 0; }
  bool MayEnd(Cell at) const {
    return !friends_count_ || !p_.occupied[static_cast<std::size_t>(at)];
  }

  // The cost of taking this step first; empty if it is illegal or leads nowhere.
  std::optional<Cost> Through(Cell at, int sideways, int turn, int left) {
    if (sideways != 0 && turn == -sideways) return std::nullopt;  // back to a square visited
    const Facing way = Turned(p_.direction, turn);
    const Cell next = p_.board.Step(at, way);
    const int deviation = std::abs(turn);
    const int shift = left - 1;
    Cost cost;
    if (next != kNowhere) {
      if (!MayStep(at, way, next)) return std::nullopt;
      const std::optional<Cost> rest = Best(next, SidewaysOf(turn), left - 1);
      if (!rest) return std::nullopt;
      cost = *rest;
    }
    cost.sum += deviation;
    cost.deviations |= static_cast<std::uint64_t>(deviation) << (2 * shift);
    cost.turns |= static_cast<std::uint64_t>(turn < 0) << shift;
    return cost;
  }

  bool MayStep(Cell at, Facing way, Cell next) const {
    const auto holds = [&](const std::vector<bool>& set, Cell c) {
      return c != kNowhere && set[static_cast<std::size_t>(c)];
    };
    if (holds(p_.enemy, next) || holds(p_.barred, next)) return false;
    if (!p_.extend && friends_count_ && holds(p_.occupied, next)) return false;
    if (!IsDiagonal(way)) return true;
    return !(holds(p_.enemy, p_.board.Step(at, Turned(way, -1))) &&
             holds(p_.enemy, p_.board.Step(at, Turned(way, 1))));
  }

  Known& Memo(Cell at, int sideways, int left) {
    const auto row = static_cast<std::size_t>(at) * 3 + static_cast<std::size_t>(sideways / 2 + 1);
    return memo_[row * static_cast<std::size_t>(steps_) + static_cast<std::size_t>(left - 1)];
  }

  void AddNew(const RetreatPath& path, std::vector<RetreatPath>& out) const {
    for (const RetreatPath& known : out)
      if (known.back() == path.back()) return;
    out.push_back(path);
  }

  const RetreatProblem& p_;
  int steps_;
  bool friends_count_;
  std::vector<Known> memo_;
};

// The direct path back if nothing is in the way: no other path deviates less.
std::optional<RetreatPath> Straight(const RetreatProblem& p) {
  RetreatPath path;
  Cell at = p.from;
  for (int i = 0; i < p.steps; ++i) {
    const Cell next = p.board.Step(at, p.direction);
    path.push_back(next);
    if (next == kNowhere) return path;
    const auto n = static_cast<std::size_t>(next);
    if (p.enemy[n] || p.barred[n]) return std::nullopt;
    const bool last = i + 1 == p.steps;
    if ((last || !p.extend) && p.occupied[n]) return std::nullopt;
    if (IsDiagonal(p.direction)) {
      const Cell a = p.board.Step(at, Turned(p.direction, -1));
      const Cell b = p.board.Step(at, Turned(p.direction, 1));
      if (a != kNowhere && b != kNowhere && p.enemy[static_cast<std::size_t>(a)] &&
          p.enemy[static_cast<std::size_t>(b)])
        return std::nullopt;
    }
    at = next;
  }
  return path;
}

}  // namespace

RetreatAnswer FindRetreat(const RetreatProblem& problem) {
  if (std::optional<RetreatPath> path = Straight(problem)) return {{*path}};
  // A way of the first length must exist even with friends ignored (DEF-13, 6).
  if (!Search(problem, problem.steps, false).Best(problem.from, 0, problem.steps)) return {};
  const int most = problem.extend ? kMostSteps : problem.steps;
  for (int steps = problem.steps; steps <= most; ++steps) {
    Search search(problem, steps, true);
    const std::optional<Cost> best = search.Best(problem.from, 0, steps);
    if (!best) continue;
    RetreatAnswer answer;
    RetreatPath path;
    search.Collect(problem.from, 0, steps, *best, path, answer.paths);
    return answer;
  }
  return {};
}

}  // namespace fos::squares
