#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "engine/open_table/base.h"
#include "engine/rules/closefire/state.h"

// Section 7: who sees whom, on one State. Lines from a point to the centre and the corners of every
// base, as the clauses have it; but where one body, wood or hill hides all of a unit, of a base or
// a corner from the point, the line is not measured against everything that lies along it.
namespace fos::closefire {

class Sight {
 public:
  // bases: of every unit of the state.
  Sight(const State& s, const std::vector<std::vector<Base>>& bases);

  // How an answer is found; both give the same one.
  enum class By { kShadows, kEveryLine };
  // From a place; the observer's own unit (-1: none) is not in its own way. b is on the table.
  bool PointSees(int observer_unit, Vec2 from, int b, By how = By::kShadows) const;
  bool Sees(int a, int b, By how = By::kShadows) const;
  // A leader or messenger there.
  bool SeesPlace(int observer_unit, Vec2 from, Vec2 to) const;

 private:
  struct Box {
    Vec2 low, high;
  };
  struct Blocker {
    Box box;
    int unit = -1;
  };
  struct Spot {
    Vec2 at;
    int level = 0;
    const Terrain* cover = nullptr;  // the wood or town it lies in
  };
  // What nobody looks through: a body of bases side by side, or a chord of a convex wood, town or
  // hill. A line between points on either side of it that crosses it is blocked, unless heights or
  // covers say otherwise.
  struct Screen {
    std::array<Vec2, 4> corners{};  // clockwise; of a chord its ends alone
    int unit = -1;
    const Terrain* ground = nullptr;
    int level = 0;        // the lowest of the unit's bases
    bool always = false;  // CF-7.3: a unit that fired is never seen over
    std::pair<Vec2, Vec2> EndsFrom(Vec2 point) const;  // both the same inside it
  };
  struct Seen {
    std::vector<Spot> spots;       // five for each base: centre, corners
    std::vector<char> repeated;    // a corner that an earlier base has as well
    std::array<Vec2, 4> around{};  // a box about all of them
    int top_level = 0;
    std::vector<const Terrain*> covers;
  };

  // A screen as seen from one point: what lies beyond it, between its ends, is hidden. Lines are
  // from the point.
  struct Wedge {
    Vec2 first, second;  // its ends, counter-clockwise
    Vec2 across;         // along it, the point to the left
    double first_clear = 0, second_clear = 0, beyond = 0;
    int unit = -1;
    std::uint16_t screen = 0;
    std::uint16_t from_direction = 0, to_direction = 0;  // the second may go once round
    // Everything of the convex hull of the points? It is convex, so they answer for all of it.
    template <typename Points>
    bool Covers(Vec2 from, const Points& points) const;
  };
  // A point and the wedges that lie in each of the directions from it, by diamond angle.
  struct View {
    static constexpr int kDirections = 64;  // about a company's front at 500 yd
    Spot from;
    std::vector<Wedge> wedges;
    std::vector<std::uint16_t> order;  // wedges by direction
    std::array<std::uint32_t, kDirections + 1> begin{};
  };
  // Units that may lie between.
  struct Way {
    bool known = false;
    Vec2 low, high;  // about the observer
    int observer = -1;
    std::vector<int> units;  // those first that hid the last thing
  };

  Spot SpotAt(Vec2 at) const;
  void AddScreens(int unit);
  void AddScreens(const Terrain& ground);
  View ViewFrom(const Spot& from, int observer) const;
  const std::vector<View>& ViewsOf(int unit) const;
  // May the screen be looked over, or into?
  template <typename Covers>
  static bool Opaque(const Screen& screen, const Spot& from, int to_level, const Covers& in);
  bool Visible(const Spot& from, int target, const Spot& to, std::vector<int>& between) const;
  bool PointSees(const View& view, int b, Way& way, By how) const;
  void FillBetween(Way& way, int target) const;

  const State& s_;
  std::vector<Box> boxes_;                               // by unit
  std::vector<std::vector<open_table::Placed>> bodies_;  // by unit; wider by the contact gap
  std::vector<Seen> seen_;                               // by unit
  std::vector<Box> grounds_;                             // by terrain
  std::vector<Blocker> blockers_;                        // units that may stand in the way
  std::vector<Screen> screens_;                          // the ground's first
  mutable std::vector<std::vector<View>> views_;         // by unit; of each base, when first asked
};

}  // namespace fos::closefire
