#include "vision/stand_assignment.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>

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

// Pairs two lists of places for the least sum of squared distances in their own groups' frames.
// Units have at most a dozen stands: exchange until nothing improves.
std::vector<std::pair<int, int>> PairUp(std::span<const StandObservation> lost,
                                        std::vector<int> from,
                                        std::span<const StandObservation> found,
                                        std::vector<int> to) {
  const Pose2 lost_frame = MeanPose(lost, from);
  const Pose2 found_frame = MeanPose(found, to);
  const auto cost = [&](int f, int t) {
    const Vec2 a = Inverse(lost_frame) * lost[static_cast<std::size_t>(f)].table_from_stand.origin;
    const Vec2 b =
        Inverse(found_frame) * found[static_cast<std::size_t>(t)].table_from_stand.origin;
    return Dot(a - b, a - b);
  };
  // The longer list keeps its extra entries at its end, unpaired.
  const std::size_t n = std::min(from.size(), to.size());
  std::vector<int>& longer = from.size() > to.size() ? from : to;
  bool better = true;
  for (int round = 0; better && round < 100; ++round) {
    better = false;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = i + 1; j < longer.size(); ++j) {
        const auto sum = [&] {
          return cost(from[i], to[i]) + (j < n ? cost(from[j], to[j]) : 0.0);
        };
        const double now = sum();
        std::swap(longer[i], longer[j]);
        if (sum() < now - 1e-9) {
          better = true;
        } else {
          std::swap(longer[i], longer[j]);
        }
      }
    }
  }
  std::vector<std::pair<int, int>> pairs;
  for (std::size_t i = 0; i < n; ++i) pairs.emplace_back(from[i], to[i]);
  return pairs;
}

// What stands in those places may be these stands.
void AddStands(std::span<const StandObservation> lost, const std::vector<int>& stands,
               std::span<const StandObservation> found, const std::vector<int>& places,
               const std::vector<int>& lost_of_found, IdentityDoubt& doubt) {
  for (const auto& [l, f] : PairUp(lost, stands, found, places)) {
    const int taken_for = lost_of_found[static_cast<std::size_t>(f)];
    if (taken_for < 0) continue;
    const StandObservation& may_be = lost[static_cast<std::size_t>(l)];
    doubt.stands.push_back(
        {lost[static_cast<std::size_t>(taken_for)].stand, may_be.stand, may_be.unit});
  }
}

void Raise(IdentityDoubt doubt, StandAssignment& out) {
  std::sort(doubt.stands.begin(), doubt.stands.end(),
            [](const auto& a, const auto& b) { return a.now < b.now; });
  out.doubts.push_back(std::move(doubt));
}

}  // namespace

StandAssignment AssignStands(std::span<const StandObservation> lost,
                             std::span<const StandObservation> found) {
  StandAssignment out;
  out.lost_of_found.assign(found.size(), -1);
  std::map<std::pair<int, int>, std::pair<std::vector<int>, std::vector<int>>> classes;
  for (std::size_t i = 0; i < lost.size(); ++i)
    classes[{lost[i].side, lost[i].kind}].first.push_back(static_cast<int>(i));
  for (std::size_t i = 0; i < found.size(); ++i)
    classes[{found[i].side, found[i].kind}].second.push_back(static_cast<int>(i));

  for (const auto& [what, members] : classes) {
    std::map<std::string, std::vector<int>> units;
    for (const int i : members.first) units[lost[static_cast<std::size_t>(i)].unit].push_back(i);
    std::vector<std::vector<int>> groups = Groups(found, members.second);
    struct Carried {  // a whole unit, and where it was put down
      std::string unit;
      std::vector<int> stands;  // of lost
      std::vector<int> group;   // of found
      Vec2 from, to;
    };
    std::vector<Carried> carried;
    while (!units.empty() && !groups.empty()) {
      // Stands short or over weigh like this many inches of way: hands take whole units.
      constexpr double kOdd_in = 6;
      struct Choice {
        double cost;
        std::string unit;
        std::size_t group;
      };
      std::vector<Choice> choices;
      for (const auto& [unit, stands] : units) {
        const Vec2 from = MeanPose(lost, stands).origin;
        for (std::size_t g = 0; g < groups.size(); ++g) {
          const double odd =
              std::abs(static_cast<double>(stands.size()) - static_cast<double>(groups[g].size()));
          choices.push_back(
              {Distance(from, MeanPose(found, groups[g]).origin) + kOdd_in * odd, unit, g});
        }
      }
      const auto best =
          *std::min_element(choices.begin(), choices.end(), [](const auto& a, const auto& b) {
            return std::tie(a.cost, a.unit, a.group) < std::tie(b.cost, b.unit, b.group);
          });
      std::vector<int>& stands = units[best.unit];
      std::vector<int>& group = groups[best.group];
      const Carried now{best.unit, stands, group, MeanPose(lost, stands).origin,
                        MeanPose(found, group).origin};
      for (const auto& [l, f] : PairUp(lost, stands, found, group)) {
        out.lost_of_found[static_cast<std::size_t>(f)] = l;
        std::erase(stands, l);
        std::erase(group, f);
      }
      // Another unit with as good a claim to the same place, and no place of its own for each: the
      // picture cannot tell them apart.
      for (const Choice& c : choices) {
        constexpr double kAlike_in = 1;
        if (groups.size() >= units.size() || c.group != best.group || c.unit == best.unit ||
            c.cost >= best.cost + kAlike_in)
          continue;
        IdentityDoubt doubt;
        doubt.text = best.unit + " or " + c.unit +
                     ": both were handled and look alike; taken for the nearer, " + best.unit;
        AddStands(lost, units[c.unit], found, now.group, out.lost_of_found, doubt);
        Raise(std::move(doubt), out);
      }
      // Or the two changed places: were it little further in all, nobody could tell.
      for (const Carried& other : carried) {
        // Half a square: how far hands stray from the straight way.
        constexpr double kLittle_in = 2;
        const double further = Distance(now.from, other.to) + Distance(other.from, now.to) -
                               Distance(now.from, now.to) - Distance(other.from, other.to);
        if (now.stands.size() != now.group.size() || other.stands.size() != now.stands.size() ||
            further >= kLittle_in)
          continue;
        IdentityDoubt doubt;
        doubt.text = other.unit + " and " + now.unit +
                     ": both were handled and look alike, and may have changed places; each taken "
                     "for the nearer";
        AddStands(lost, other.stands, found, now.group, out.lost_of_found, doubt);
        AddStands(lost, now.stands, found, other.group, out.lost_of_found, doubt);
        Raise(std::move(doubt), out);
      }
      if (now.stands.size() == now.group.size()) carried.push_back(now);
      if (stands.empty()) units.erase(best.unit);
      if (group.empty()) groups.erase(groups.begin() + static_cast<long>(best.group));
    }
  }
  return out;
}

}  // namespace fos
