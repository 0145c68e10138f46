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

using Pairs = std::vector<std::pair<int, int>>;  // of lost and of found

// Pairs each row with a column of its own, or each column with a row where those are fewer, for the
// least sum of costs. Source: Jonker & Volgenant, Computing 38 (1987), shortest augmenting paths.
Pairs CheapestPairs(const std::vector<int>& rows, const std::vector<int>& columns,
                    const std::vector<std::vector<double>>& cost) {
  const bool turned = rows.size() > columns.size();
  const std::size_t n = turned ? columns.size() : rows.size();
  const std::size_t m = turned ? rows.size() : columns.size();
  const auto at = [&](std::size_t i, std::size_t j) { return turned ? cost[j][i] : cost[i][j]; };
  constexpr double kFar = std::numeric_limits<double>::max();
  // Rows and columns are counted from 1; 0 is the row being placed.
  std::vector<double> row_price(n + 1, 0), column_price(m + 1, 0);
  std::vector<std::size_t> row_of(m + 1, 0), came_from(m + 1, 0);
  for (std::size_t i = 1; i <= n; ++i) {
    row_of[0] = i;
    std::size_t j = 0;
    std::vector<double> least(m + 1, kFar);
    std::vector<char> done(m + 1, 0);
    do {
      done[j] = 1;
      const std::size_t row = row_of[j];
      double step = kFar;
      std::size_t next = 0;
      for (std::size_t k = 1; k <= m; ++k) {
        if (done[k] != 0) continue;
        const double reduced = at(row - 1, k - 1) - row_price[row] - column_price[k];
        if (reduced < least[k]) {
          least[k] = reduced;
          came_from[k] = j;
        }
        if (least[k] < step) {
          step = least[k];
          next = k;
        }
      }
      for (std::size_t k = 0; k <= m; ++k) {
        if (done[k] != 0) {
          row_price[row_of[k]] += step;
          column_price[k] -= step;
        } else {
          least[k] -= step;
        }
      }
      j = next;
    } while (row_of[j] != 0);
    for (; j != 0; j = came_from[j]) row_of[j] = row_of[came_from[j]];
  }
  Pairs pairs;
  for (std::size_t k = 1; k <= m; ++k) {
    if (row_of[k] == 0) continue;
    const std::size_t i = row_of[k] - 1;
    pairs.emplace_back(rows[turned ? k - 1 : i], columns[turned ? i : k - 1]);
  }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

// So many of a class are looked at together; what there is beyond them is next.
constexpr std::size_t kMostPlaces = 128;
using Places = std::bitset<kMostPlaces>;  // of those of a class

// One way a unit may have been carried.
struct AssignmentHypothesis {
  Places places;
  Pairs pairs;
  double cost_in = 0;
  bool past_reach = false;
};

struct HandledUnit {
  std::string name;
  std::vector<int> stands;                      // of lost
  std::vector<AssignmentHypothesis> carriages;  // the last is none at all
};

// What no place is found for weighs more than any way over a table: as many as can be are placed.
constexpr double kUnplaced_in = 1000;
// Each stand that was left behind or put down elsewhere weighs like this much way: hands take whole
// units.
constexpr double kOdd_in = 6;
// A move past the unit's reach weighs this much more: less than what nobody carried it to, more
// than hands stray.
constexpr double kPastReach_in = 6;

void Weigh(std::span<const StandObservation> lost, std::span<const StandObservation> found,
           std::size_t stands, const Pose2& moved, double reach_in,
           AssignmentHypothesis& carriage) {
  Vec2 way;
  double square = 0;
  for (const auto& [l, f] : carriage.pairs) {
    const Vec2 from = lost[static_cast<std::size_t>(l)].table_from_stand.origin;
    const Vec2 to = found[static_cast<std::size_t>(f)].table_from_stand.origin;
    way = way + (to - from);
    const Vec2 off = to - moved * from;
    square += Dot(off, off);
  }
  const double n = static_cast<double>(carriage.pairs.size());
  const double travel = Norm(way / n);
  carriage.past_reach = travel > reach_in;
  // Of two ways as long in all the more even one.
  constexpr double kEven = 1e-3;
  carriage.cost_in = travel + kEven * travel * travel + std::sqrt(square / n) +
                     (kUnplaced_in + kOdd_in) * (static_cast<double>(stands) - n) +
                     (carriage.past_reach ? kPastReach_in : 0);
}

// Every way a unit may have been carried to some of these places: as a whole, each of its stands
// taken for each that is seen; to each group, however it now stands in it; and stand by stand.
void FindCarriages(std::span<const StandObservation> lost, std::span<const StandObservation> found,
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
  const auto offer = [&](Pairs pairs, const Pose2& moved) {
    if (pairs.empty()) return;
    AssignmentHypothesis now;
    for (const auto& [l, f] : pairs)
      now.places.set(
          static_cast<std::size_t>(std::find(places.begin(), places.end(), f) - places.begin()));
    now.pairs = std::move(pairs);
    Weigh(lost, found, unit.stands.size(), moved, reach_in, now);
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
    const Pairs pairs = CheapestPairs(unit.stands, places, cost);
    offer(pairs, moved);
    // Those alone that kept their places in it.
    constexpr double kKept_in = 1;  // two thirds of the usual base
    Pairs kept;
    for (const auto& [l, f] : pairs) {
      const Vec2 to = moved * lost[static_cast<std::size_t>(l)].table_from_stand.origin;
      if (Distance(found[static_cast<std::size_t>(f)].table_from_stand.origin, to) < kKept_in)
        kept.emplace_back(l, f);
    }
    if (kept.size() < pairs.size()) offer(std::move(kept), moved);
  }
  for (auto& [at, carriage] : by_places) unit.carriages.push_back(std::move(carriage));
  std::sort(unit.carriages.begin(), unit.carriages.end(), [](const auto& a, const auto& b) {
    return a.cost_in != b.cost_in ? a.cost_in < b.cost_in : a.pairs < b.pairs;
  });
  constexpr std::size_t kMost = 80;
  if (unit.carriages.size() > kMost) unit.carriages.resize(kMost);
  unit.carriages.push_back({{}, {}, kUnplaced_in * static_cast<double>(unit.stands.size()), false});
}

struct Choice {
  std::vector<std::size_t> of_unit;  // index into HandledUnit::carriages
  double cost_in = 0;
};

// One carriage for each unit, no place twice, for the least cost in all: over sets of places taken,
// unit by unit. Exact up to kMostStates sets, which four units of four seldom come to.
// barred  a unit and the places it must not have
Choice Cheapest(const std::vector<HandledUnit>& units,
                std::optional<std::pair<std::size_t, Places>> barred) {
  constexpr std::size_t kMostStates = 20000;
  struct State {
    Places taken;
    double cost_in = 0;
    std::size_t before = 0;
    std::size_t carriage = 0;
  };
  std::vector<std::vector<State>> steps{{State{}}};
  for (std::size_t u = 0; u < units.size(); ++u) {
    std::vector<State> next;
    std::unordered_map<Places, std::size_t> index;
    for (std::size_t s = 0; s < steps.back().size(); ++s) {
      const State& state = steps.back()[s];
      for (std::size_t c = 0; c < units[u].carriages.size(); ++c) {
        const AssignmentHypothesis& carriage = units[u].carriages[c];
        if ((carriage.places & state.taken).any() ||
            (barred && barred->first == u && barred->second == carriage.places))
          continue;
        const State now{carriage.places | state.taken, state.cost_in + carriage.cost_in, s, c};
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
                                    : a.carriage < b.carriage;
    });
    if (next.size() > kMostStates) next.resize(kMostStates);
    steps.push_back(std::move(next));
  }
  Choice out{std::vector<std::size_t>(units.size()), steps.back().front().cost_in};
  std::size_t s = 0;
  for (std::size_t u = units.size(); u > 0; --u) {
    out.of_unit[u - 1] = steps[u][s].carriage;
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

// What is taken for the `chosen` may be as in `other`.
IdentityDoubt DoubtBetween(std::span<const StandObservation> lost,
                           const std::vector<HandledUnit>& units, const Choice& chosen,
                           const Choice& other) {
  std::map<int, int> taken_for;  // by place
  std::vector<std::string> placed, unplaced;
  for (std::size_t u = 0; u < units.size(); ++u) {
    const AssignmentHypothesis& now = units[u].carriages[chosen.of_unit[u]];
    for (const auto& [l, f] : now.pairs) taken_for[f] = l;
    if (now.places == units[u].carriages[other.of_unit[u]].places) continue;
    (now.pairs.empty() ? unplaced : placed).push_back(units[u].name);
  }
  IdentityDoubt doubt;
  for (std::size_t u = 0; u < units.size(); ++u) {
    const AssignmentHypothesis& may_be = units[u].carriages[other.of_unit[u]];
    if (may_be.places == units[u].carriages[chosen.of_unit[u]].places) continue;
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
    FindCarriages(lost, found, places, groups, reach_in, out.units.back());
  }
  out.best = Cheapest(out.units, std::nullopt);
  return out;
}

// Those of one class that have neither name nor place yet, once. Returns whether any got them.
bool AssignRound(std::span<const StandObservation> lost, std::span<const StandObservation> found,
                 double reach_in, std::vector<int>& left, std::vector<int>& open,
                 StandAssignment& out) {
  if (left.empty() || open.empty()) return false;
  std::vector<int> places = open;
  if (places.size() > kMostPlaces) places.resize(kMostPlaces);
  Round round = BestRound(lost, found, reach_in, left, places);
  // Where the reach was not kept anyhow it tells nothing.
  const auto past_reach = [&] {
    for (std::size_t u = 0; u < round.units.size(); ++u)
      if (round.units[u].carriages[round.best.of_unit[u]].past_reach) return true;
    return false;
  };
  if (past_reach())
    round = BestRound(lost, found, std::numeric_limits<double>::infinity(), left, places);
  const auto& [units, best] = round;
  const std::size_t left_before = left.size();
  for (std::size_t u = 0; u < units.size(); ++u) {
    for (const auto& [l, f] : units[u].carriages[best.of_unit[u]].pairs) {
      out.lost_of_found[static_cast<std::size_t>(f)] = l;
      std::erase(left, l);
      std::erase(open, f);
    }
  }
  // Another way that is little dearer in all: nobody could tell which it was.
  std::vector<IdentityDoubt> doubts;
  for (std::size_t u = 0; u < units.size(); ++u) {
    const AssignmentHypothesis& now = units[u].carriages[best.of_unit[u]];
    if (now.pairs.empty()) continue;
    const Choice other = Cheapest(units, std::pair{u, now.places});
    // Half a square: how far hands stray from the straight way.
    constexpr double kLittle_in = 2;
    if (other.cost_in >= best.cost_in + kLittle_in) continue;
    // The same for units that have exchanged what they took: not worth asking twice.
    IdentityDoubt doubt = DoubtBetween(lost, units, best, other);
    if (doubt.stands.empty() || std::any_of(doubts.begin(), doubts.end(),
                                            [&](const auto& d) { return SameStands(d, doubt); }))
      continue;
    doubts.push_back(std::move(doubt));
  }
  out.doubts.insert(out.doubts.end(), doubts.begin(), doubts.end());
  return left.size() < left_before;
}

// Those stands named anew, by what the assignment makes of them: who is given no name keeps his
// own, or has one that another left. Appends whose name changes.
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
  // What else belongs to such a unit stands where it does either way.
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
    // Of a unit that was put down in several places one is found at a time.
    while (AssignRound(lost, found, reach, members.first, members.second, out)) {
    }
  }
  return out;
}

}  // namespace fos
