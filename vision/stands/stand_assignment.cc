// SPDX-License-Identifier: MIT
#include "vision/stands/stand_assignment.h"

#include <algorithm>
#include <bitset>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>

#include "vision/stands/linear_assignment.h"

namespace fos {
namespace {

// Stands of a group lie at most this far from the next one, centre to centre, beyond their size.
constexpr double kGroupGap_in = 0.8;

std::vector<std::vector<int>> Groups(std::span<const StandObservation> stands,
                                     const std::vector<int>& which) {
  std::vector<std::vector<int>> groups;
  std::vector<char> done(which.size(), 0);
  for (std::size_t first = 0; first < which.size(); ++first) {
    if (done[first] != 0) continue;
    std::vector<std::size_t> open{first};
    std::vector<int> group;
    done[first] = 1;
    while (!open.empty()) {
      const std::size_t i = open.back();
      open.pop_back();
      group.push_back(which[i]);
      const StandObservation& a = stands[static_cast<std::size_t>(which[i])];
      for (std::size_t j = 0; j < which.size(); ++j) {
        if (done[j] != 0) continue;
        const StandObservation& b = stands[static_cast<std::size_t>(which[j])];
        const double reach = std::max(a.footprint.width_in, a.footprint.depth_in) + kGroupGap_in;
        if (Distance(a.table_from_stand.origin, b.table_from_stand.origin) > reach) continue;
        done[j] = 1;
        open.push_back(j);
      }
    }
    groups.push_back(std::move(group));
  }
  return groups;
}

Pose2 MeanPose(std::span<const StandObservation> stands, const std::vector<int>& which) {
  Vec2 sum;
  Vec2 front;
  for (const int i : which) {
    const Pose2& p = stands[static_cast<std::size_t>(i)].table_from_stand;
    sum = sum + p.origin;
    front = front + Rotated({0, 1}, p.heading_rad);
  }
  const double n = static_cast<double>(std::max<std::size_t>(1, which.size()));
  return {sum / n, std::atan2(front.y, front.x) - std::atan2(1, 0)};
}

// At most this many places of a class are assigned at once; the rest follow in the next round.
constexpr std::size_t kMostPlaces = 128;
using Places = std::bitset<kMostPlaces>;  // a set of them

// One way a unit may have been moved: which of its stands went to which places.
struct AssignmentHypothesis {
  Places places;
  AssignedPairs pairs;
  double cost_in = 0;
  bool past_reach = false;
};

struct HandledUnit {
  std::string name;
  std::vector<int> stands;                       // of lost
  std::vector<AssignmentHypothesis> hypotheses;  // the last places no stand
};

// Cost of a stand without a place. More than any move over a table, so that as many as possible are
// placed.
constexpr double kUnplaced_in = 1000;
// Cost of each stand that was left behind or put down elsewhere: hands take whole units.
constexpr double kOdd_in = 6;
// Extra cost of a move past the unit's reach: less than leaving the unit without a place, more than
// hands stray.
constexpr double kPastReach_in = 6;

void ScoreHypothesis(std::span<const StandObservation> lost,
                     std::span<const StandObservation> found, std::size_t stands,
                     const Pose2& moved, double reach_in, AssignmentHypothesis& hypothesis) {
  Vec2 way;
  double square = 0;
  for (const auto& [l, f] : hypothesis.pairs) {
    const Vec2 from = lost[static_cast<std::size_t>(l)].table_from_stand.origin;
    const Vec2 to = found[static_cast<std::size_t>(f)].table_from_stand.origin;
    way = way + (to - from);
    const Vec2 off = to - moved * from;
    square += Dot(off, off);
  }
  const double n = static_cast<double>(hypothesis.pairs.size());
  const double travel = Norm(way / n);
  hypothesis.past_reach = travel > reach_in;
  // Breaks ties between equal totals in favour of even moves.
  constexpr double kEven = 1e-3;
  hypothesis.cost_in = travel + kEven * travel * travel + std::sqrt(square / n) +
                       (kUnplaced_in + kOdd_in) * (static_cast<double>(stands) - n) +
                       (hypothesis.past_reach ? kPastReach_in : 0);
}

// All ways a unit may have been moved to some of these places: rigidly, with each of its stands
// matched to each one seen; to each group of stands, in any layout; and stand by stand.
void FindHypotheses(std::span<const StandObservation> lost, std::span<const StandObservation> found,
                    const std::vector<int>& places, const std::vector<std::vector<int>>& groups,
                    double reach_in, HandledUnit& unit) {
  std::vector<Pose2> motions{Pose2{}};
  for (const int l : unit.stands) {
    for (const int f : places) {
      motions.push_back(found[static_cast<std::size_t>(f)].table_from_stand *
                        Inverse(lost[static_cast<std::size_t>(l)].table_from_stand));
    }
  }
  const Pose2 stood = MeanPose(lost, unit.stands);
  for (const std::vector<int>& group : groups)
    motions.push_back(MeanPose(found, group) * Inverse(stood));

  std::unordered_map<Places, AssignmentHypothesis> by_places;
  const auto offer = [&](AssignedPairs pairs, const Pose2& moved) {
    if (pairs.empty()) return;
    AssignmentHypothesis now;
    for (const auto& [l, f] : pairs)
      now.places.set(
          static_cast<std::size_t>(std::find(places.begin(), places.end(), f) - places.begin()));
    now.pairs = std::move(pairs);
    ScoreHypothesis(lost, found, unit.stands.size(), moved, reach_in, now);
    const auto [at, is_new] = by_places.try_emplace(now.places, now);
    if (!is_new && now.cost_in < at->second.cost_in) at->second = now;
  };
  for (const Pose2& moved : motions) {
    std::vector<std::vector<double>> cost;
    for (const int l : unit.stands) {
      const Vec2 to = moved * lost[static_cast<std::size_t>(l)].table_from_stand.origin;
      std::vector<double>& row = cost.emplace_back();
      for (const int f : places) {
        const Vec2 off = found[static_cast<std::size_t>(f)].table_from_stand.origin - to;
        row.push_back(Dot(off, off));
      }
    }
    const AssignedPairs pairs = SolveAssignment(unit.stands, places, cost);
    offer(pairs, moved);
    // The same without the stands that left their places in the unit.
    constexpr double kKept_in = 1;  // two thirds of the usual base
    AssignedPairs kept;
    for (const auto& [l, f] : pairs) {
      const Vec2 to = moved * lost[static_cast<std::size_t>(l)].table_from_stand.origin;
      if (Distance(found[static_cast<std::size_t>(f)].table_from_stand.origin, to) < kKept_in)
        kept.emplace_back(l, f);
    }
    if (kept.size() < pairs.size()) offer(std::move(kept), moved);
  }
  for (auto& [at, hypothesis] : by_places) unit.hypotheses.push_back(std::move(hypothesis));
  std::sort(unit.hypotheses.begin(), unit.hypotheses.end(), [](const auto& a, const auto& b) {
    return a.cost_in != b.cost_in ? a.cost_in < b.cost_in : a.pairs < b.pairs;
  });
  constexpr std::size_t kMost = 80;
  if (unit.hypotheses.size() > kMost) unit.hypotheses.resize(kMost);
  unit.hypotheses.push_back(
      {{}, {}, kUnplaced_in * static_cast<double>(unit.stands.size()), false});
}

struct Choice {
  std::vector<std::size_t> of_unit;  // index into HandledUnit::hypotheses
  double cost_in = 0;
};

// Chooses one hypothesis for each unit, with no place taken twice, for the least total cost:
// dynamic programming over sets of taken places, unit by unit. Exact up to kMostStates sets, which
// four units of four stands seldom reach. barred  a unit and the places it must not have
Choice SolveUnits(const std::vector<HandledUnit>& units,
                  std::optional<std::pair<std::size_t, Places>> barred) {
  constexpr std::size_t kMostStates = 20000;
  struct State {
    Places taken;
    double cost_in = 0;
    std::size_t before = 0;
    std::size_t hypothesis = 0;
  };
  std::vector<std::vector<State>> steps{{State{}}};
  for (std::size_t u = 0; u < units.size(); ++u) {
    std::vector<State> next;
    std::unordered_map<Places, std::size_t> index;
    for (std::size_t s = 0; s < steps.back().size(); ++s) {
      const State& state = steps.back()[s];
      for (std::size_t c = 0; c < units[u].hypotheses.size(); ++c) {
        const AssignmentHypothesis& hypothesis = units[u].hypotheses[c];
        if ((hypothesis.places & state.taken).any() ||
            (barred && barred->first == u && barred->second == hypothesis.places))
          continue;
        const State now{hypothesis.places | state.taken, state.cost_in + hypothesis.cost_in, s, c};
        const auto [at, is_new] = index.try_emplace(now.taken, next.size());
        if (is_new) {
          next.push_back(now);
        } else if (now.cost_in < next[at->second].cost_in) {
          next[at->second] = now;
        }
      }
    }
    std::sort(next.begin(), next.end(), [](const State& a, const State& b) {
      return a.cost_in != b.cost_in ? a.cost_in < b.cost_in
             : a.before != b.before ? a.before < b.before
                                    : a.hypothesis < b.hypothesis;
    });
    if (next.size() > kMostStates) next.resize(kMostStates);
    steps.push_back(std::move(next));
  }
  Choice out{std::vector<std::size_t>(units.size()), steps.back().front().cost_in};
  std::size_t s = 0;
  for (std::size_t u = units.size(); u > 0; --u) {
    out.of_unit[u - 1] = steps[u][s].hypothesis;
    s = steps[u][s].before;
  }
  return out;
}

std::string Listed(const std::vector<std::string>& names) {
  std::string out = names.front();
  for (std::size_t i = 1; i < names.size(); ++i)
    out += (i + 1 < names.size() ? ", " : " and ") + names[i];
  return out;
}

// The doubt whether the stands are as in `chosen` or as in `other`.
IdentityDoubt DoubtBetween(std::span<const StandObservation> lost,
                           const std::vector<HandledUnit>& units, const Choice& chosen,
                           const Choice& other) {
  std::map<int, int> taken_for;  // by place
  std::vector<std::string> placed, unplaced;
  for (std::size_t u = 0; u < units.size(); ++u) {
    const AssignmentHypothesis& now = units[u].hypotheses[chosen.of_unit[u]];
    for (const auto& [l, f] : now.pairs) taken_for[f] = l;
    if (now.places == units[u].hypotheses[other.of_unit[u]].places) continue;
    (now.pairs.empty() ? unplaced : placed).push_back(units[u].name);
  }
  IdentityDoubt doubt;
  for (std::size_t u = 0; u < units.size(); ++u) {
    const AssignmentHypothesis& may_be = units[u].hypotheses[other.of_unit[u]];
    if (may_be.places == units[u].hypotheses[chosen.of_unit[u]].places) continue;
    for (const auto& [l, f] : may_be.pairs) {
      const auto taken = taken_for.find(f);
      if (taken == taken_for.end() || taken->second == l) continue;
      const StandObservation& stand = lost[static_cast<std::size_t>(l)];
      doubt.stands.push_back(
          {lost[static_cast<std::size_t>(taken->second)].stand, stand.stand, stand.unit});
    }
  }
  std::sort(doubt.stands.begin(), doubt.stands.end(),
            [](const auto& a, const auto& b) { return a.now < b.now; });
  const char* all = placed.size() + unplaced.size() > 2 ? "all" : "both";
  if (unplaced.empty()) {
    doubt.text = Listed(placed) + ": " + all +
                 " were handled and look alike, and may have changed places; each taken for the "
                 "nearer";
  } else {
    doubt.text = Listed(placed) + " or " + Listed(unplaced) + ": " + all +
                 " were handled and look alike; taken for the nearer, " + Listed(placed);
  }
  return doubt;
}

struct Round {
  std::vector<HandledUnit> units;
  Choice best;
};

Round BestRound(std::span<const StandObservation> lost, std::span<const StandObservation> found,
                double reach_in, const std::vector<int>& left, const std::vector<int>& places) {
  std::map<std::string, std::vector<int>> by_name;
  for (const int l : left) by_name[lost[static_cast<std::size_t>(l)].unit].push_back(l);
  const std::vector<std::vector<int>> groups = Groups(found, places);
  Round out;
  for (auto& [name, stands] : by_name) {
    out.units.push_back({name, stands, {}});
    FindHypotheses(lost, found, places, groups, reach_in, out.units.back());
  }
  out.best = SolveUnits(out.units, std::nullopt);
  return out;
}

// Assigns the stands of one class that are still unassigned, once. Returns whether any were.
bool AssignRound(std::span<const StandObservation> lost, std::span<const StandObservation> found,
                 double reach_in, std::vector<int>& left, std::vector<int>& open,
                 StandAssignment& out) {
  if (left.empty() || open.empty()) return false;
  std::vector<int> places = open;
  if (places.size() > kMostPlaces) places.resize(kMostPlaces);
  Round round = BestRound(lost, found, reach_in, left, places);
  // If the best choice breaks the reach, the reach is no guide: solve again without it.
  const auto past_reach = [&] {
    for (std::size_t u = 0; u < round.units.size(); ++u)
      if (round.units[u].hypotheses[round.best.of_unit[u]].past_reach) return true;
    return false;
  };
  if (past_reach())
    round = BestRound(lost, found, std::numeric_limits<double>::infinity(), left, places);
  const auto& [units, best] = round;
  const std::size_t left_before = left.size();
  for (std::size_t u = 0; u < units.size(); ++u) {
    for (const auto& [l, f] : units[u].hypotheses[best.of_unit[u]].pairs) {
      out.lost_of_found[static_cast<std::size_t>(f)] = l;
      std::erase(left, l);
      std::erase(open, f);
    }
  }
  // A different choice of nearly the same cost is a doubt.
  std::vector<IdentityDoubt> doubts;
  for (std::size_t u = 0; u < units.size(); ++u) {
    const AssignmentHypothesis& now = units[u].hypotheses[best.of_unit[u]];
    if (now.pairs.empty()) continue;
    const Choice other = SolveUnits(units, std::pair{u, now.places});
    // half a square: how far hands stray from the straight line
    constexpr double kLittle_in = 2;
    if (other.cost_in >= best.cost_in + kLittle_in) continue;
    // Two units that exchanged places raise the same doubt: ask once.
    IdentityDoubt doubt = DoubtBetween(lost, units, best, other);
    if (doubt.stands.empty() || std::any_of(doubts.begin(), doubts.end(),
                                            [&](const auto& d) { return SameStands(d, doubt); }))
      continue;
    doubts.push_back(std::move(doubt));
  }
  out.doubts.insert(out.doubts.end(), doubts.begin(), doubts.end());
  return left.size() < left_before;
}

// The found stands renamed by the assignment. Unmatched stands keep their id, or take one that
// another stand gave up. Appends those whose id changes.
std::vector<StandObservation> Named(const StandAssignment& assignment,
                                    const std::vector<StandObservation>& lost,
                                    std::vector<StandObservation> found,
                                    std::vector<IdentityDoubt::Stand>& changed) {
  std::map<StandId, std::string> left;  // and the unit
  for (const StandObservation& one : found) left[one.stand] = one.unit;
  std::vector<std::size_t> nameless;
  const auto name = [&](StandObservation& one, const StandId& id, const std::string& unit) {
    if (one.stand != id) changed.push_back({one.stand, id, unit});
    one.stand = id;
    one.unit = unit;
    left.erase(id);
  };
  for (std::size_t i = 0; i < found.size(); ++i) {
    const int l = assignment.lost_of_found[i];
    if (l < 0) {
      nameless.push_back(i);
    } else {
      name(found[i], lost[static_cast<std::size_t>(l)].stand,
           lost[static_cast<std::size_t>(l)].unit);
    }
  }
  std::erase_if(nameless, [&](std::size_t i) {
    const bool own = left.contains(found[i].stand);
    if (own) left.erase(found[i].stand);
    return own;
  });
  for (const std::size_t i : nameless) {
    if (left.empty()) break;
    const auto [id, unit] = *left.begin();
    name(found[i], id, unit);
  }
  return found;
}

}  // namespace

NamesLeft NamesOf(const HandledStands& handled) {
  NamesLeft out;
  const StandAssignment again = AssignStands(handled.lost, handled.found, handled.reach_in);
  auto named = std::make_shared<HandledStands>(handled);
  named->found = Named(again, handled.lost, handled.found, out.changed);
  out.doubts = again.doubts;
  for (IdentityDoubt& doubt : out.doubts) doubt.handled = named;
  return out;
}

NamesLeft NamesAfterAnswer(const IdentityDoubt& doubt, bool changed) {
  std::vector<IdentityDoubt::Stand> said;
  if (changed) said = doubt.stands;
  if (!doubt.handled) return {said, {}};
  HandledStands rest{{}, {}, doubt.handled->reach_in};
  std::vector<StandId> known;
  std::vector<std::string> units;  // theirs
  for (const StandObservation& one : doubt.handled->found) {
    const auto at = std::find_if(doubt.stands.begin(), doubt.stands.end(),
                                 [&](const auto& stand) { return stand.now == one.stand; });
    if (at == doubt.stands.end()) {
      rest.found.push_back(one);
    } else {
      known.push_back(changed ? at->may_be : at->now);
      units.push_back(changed ? at->unit : one.unit);
    }
  }
  // The other stands of those units stay where they are either way.
  std::erase_if(rest.found, [&](const StandObservation& one) {
    const bool theirs = std::find(units.begin(), units.end(), one.unit) != units.end();
    if (theirs) known.push_back(one.stand);
    return theirs;
  });
  for (const StandObservation& one : doubt.handled->lost) {
    if (std::find(known.begin(), known.end(), one.stand) == known.end()) rest.lost.push_back(one);
  }
  NamesLeft out = NamesOf(rest);
  out.changed.insert(out.changed.begin(), said.begin(), said.end());
  return out;
}

bool RenameIn(HandledStands& handled, const std::vector<IdentityDoubt::Stand>& changed) {
  bool any = false;
  for (auto* stands : {&handled.lost, &handled.found}) {
    for (StandObservation& one : *stands) {
      const auto at = std::find_if(changed.begin(), changed.end(),
                                   [&](const auto& stand) { return stand.now == one.stand; });
      if (at == changed.end()) continue;
      one.stand = at->may_be;
      one.unit = at->unit;
      any = true;
    }
  }
  return any;
}

StandAssignment AssignStands(std::span<const StandObservation> lost,
                             std::span<const StandObservation> found,
                             std::span<const double> reach_in) {
  StandAssignment out;
  out.lost_of_found.assign(found.size(), -1);
  std::map<std::pair<int, int>, std::pair<std::vector<int>, std::vector<int>>> classes;
  for (std::size_t i = 0; i < lost.size(); ++i)
    classes[{lost[i].side, lost[i].kind}].first.push_back(static_cast<int>(i));
  for (std::size_t i = 0; i < found.size(); ++i)
    classes[{found[i].side, found[i].kind}].second.push_back(static_cast<int>(i));
  for (auto& [what, members] : classes) {
    const auto kind = static_cast<std::size_t>(what.second);
    const double reach =
        kind < reach_in.size() ? reach_in[kind] : std::numeric_limits<double>::infinity();
    // Each round finds one part of a unit that was put down in several places.
    while (AssignRound(lost, found, reach, members.first, members.second, out)) {
    }
  }
  return out;
}

}  // namespace fos
