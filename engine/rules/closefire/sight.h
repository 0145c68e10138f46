#pragma once

#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "engine/open_table/base.h"
#include "engine/rules/closefire/state.h"

// Section 7: who sees whom, on one State. Lines from a point to the centre and the corners of every
// base, as the clauses have it; but where one body, wood or hill hides all of a base, or of a unit,
// from the point, its lines are not drawn one by one.
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
  // A stretch that nobody looks through: the middle line of bases side by side, or a chord of a
  // convex wood, town or hill. A line between points on either side of it that crosses it is
  // blocked, unless heights or covers say otherwise.
  struct Screen {
    Vec2 from, to;
    const Terrain* ground = nullptr;
    int level = 0;        // the lowest of the unit's bases
    bool always = false;  // CF-7.3: a unit that fired is never seen over
  };
  struct Seen {
    std::vector<Spot> spots;       // five for each base: centre, corners
    std::array<Vec2, 4> around{};  // a box about all of them
    int top_level = 0;
    std::vector<const Terrain*> covers;
  };

  // What may lie between: units and screens, those first that hid the last thing.
  struct Way {
    std::vector<int> units;
    std::vector<const Screen*> screens;
  };

  Spot SpotAt(Vec2 at) const;
  void AddScreens(int unit);
  void AddScreens(const Terrain& ground);
  static bool Hides(const Screen& screen, const Spot& from, const Seen& there,
                    const std::array<Vec2, 4>& around);
  bool Visible(const Spot& from, int target, const Spot& to, std::vector<int>& between) const;
  bool PointSees(const Spot& from, int b, Way& way, By how) const;
  Way Between(int observer, Vec2 low, Vec2 high, int target) const;

  const State& s_;
  std::vector<Box> boxes_;                               // by unit
  std::vector<std::vector<open_table::Placed>> bodies_;  // by unit; wider by the contact gap
  std::vector<Seen> seen_;                               // by unit
  std::vector<Box> grounds_;                             // by terrain
  std::vector<Blocker> blockers_;                        // units that may stand in the way
  std::vector<Screen> screens_;                          // the ground's first
  std::size_t ground_screens_ = 0;
  std::vector<std::pair<std::size_t, std::size_t>> screens_of_;  // by unit: from, to before
};

}  // namespace fos::closefire
