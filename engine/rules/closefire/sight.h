// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "engine/open_table/base.h"
#include "engine/rules/closefire/state.h"

// Section 7: who sees whom, on one State. Lines run from a point to the centre and corners of each
// base. Among many units, where one body, wood or hill hides a whole unit, base or corner from the
// point, its lines are not tested one by one. Every part is made when it is first asked for.
namespace fos::closefire {

class Sight {
 public:
  // bodies  of every unit of the state; they outlive this.
  Sight(const State& s, std::vector<const Footprint*> bodies);
  // like  of a state that differs in the place of one unit alone; outlives this.
  Sight(const State& s, std::vector<const Footprint*> bodies, const Sight& like, int moved);

  // How an answer is found. Both ways give the same answer: shadows cost more to make, and pay
  // among many units.
  enum class By { kQuickest, kShadows, kEveryLine };
  // Whether a place sees unit b, which is on the table. The observer's own unit (-1: none) does not
  // block the view.
  // radius_yd  of the observing leader's base; 0 for the centre of a stand of observer_unit.
  bool PointSees(int observer_unit, Vec2 from, double radius_yd, int b,
                 By how = By::kQuickest) const;
  bool Sees(int a, int b, By how = By::kQuickest) const;
  // Whether a stand sees a leader or messenger on a round base.
  bool SeesPlace(int observer_unit, const Base& from, Vec2 to, double radius_yd) const;

 private:
  struct Blocker {
    Box box;
    int unit = -1;
  };
  struct Spot {
    Vec2 at;
    int level = 0;
    const Terrain* cover = nullptr;  // the wood or town it lies in
    // The base that the point belongs to: distances run between outlines (CF-1.3). A leader's base
    // is a point with a radius.
    open_table::Placed base = {};
    double radius_yd = 0;
  };
  // Something that blocks the view: a body of bases side by side, or a chord of a convex wood, town
  // or hill. A line that crosses it between points on either side is blocked, unless heights or
  // cover decide otherwise.
  struct Screen {
    std::array<Vec2, 4> corners{};  // clockwise; a chord has only its two ends
    int unit = -1;
    const Terrain* ground = nullptr;
    int level = 0;        // the lowest of the unit's bases
    bool always = false;  // CF-7.3: no line passes over a unit that fired
    std::pair<Vec2, Vec2> EndsFrom(Vec2 point) const;  // equal if the point is inside it
  };
  struct Seen {
    std::vector<open_table::Placed> bodies;  // widened by the contact gap
    std::vector<Spot> spots;                 // five for each base: centre, corners
    std::vector<char> repeated;              // whether an earlier base has the same corner
    std::array<Vec2, 4> around{};            // the bounding box of all of them
    int top_level = 0;
    std::vector<const Terrain*> covers;
  };

  // The shadow of a screen from one point: what lies beyond the screen between its ends is hidden.
  struct Wedge {
    Vec2 first, second;  // its ends, counter-clockwise
    Vec2 across;         // along the screen, with the point to its left
    double first_clear = 0, second_clear = 0, beyond = 0;
    int unit = -1;
    std::uint16_t screen = 0;
    std::uint16_t from_direction = 0, to_direction = 0;  // the second may exceed a full turn
    // Whether the wedge hides the convex hull of the points. The wedge is convex, so testing the
    // points is enough.
    template <typename Points>
    bool Covers(Vec2 from, const Points& points) const;
  };
  // The wedges in each direction from a point, by diamond angle.
  struct View {
    static constexpr int kDirections = 64;  // one sector is about a company's front at 500 yd
    std::vector<Wedge> wedges;
    std::vector<std::uint16_t> order;  // wedges by direction
    std::array<std::uint32_t, kDirections + 1> begin{};
  };
  // Units that may stand in between.
  struct Way {
    bool known = false;
    Vec2 low, high;  // bounding box of the observer
    int observer = -1;
    std::vector<int> units;  // those that hid the last target come first
  };

  Spot SpotAt(Vec2 at, const open_table::Placed& base, double radius_yd = 0) const;
  By Quickest(By how) const;
  Seen Look(int unit) const;
  const Seen& SeenOf(int unit) const;
  const Box& Around(int unit) const { return bodies_[static_cast<std::size_t>(unit)]->around; }
  const std::vector<Screen>& Screens() const;
  void AddScreens(int unit) const;
  void AddScreens(const Terrain& ground) const;
  View ViewFrom(const Spot& from, int observer) const;
  const std::vector<View>& ViewsOf(int unit) const;
  // Whether a line may pass over the screen or into it.
  template <typename Covers>
  static bool Opaque(const Screen& screen, const Spot& from, int to_level, const Covers& in);
  bool Visible(const Spot& from, int target, const Spot& to, std::vector<int>& between) const;
  // view  its shadows; without them every line is tested.
  bool PointSees(const Spot& from, const View* view, int b, Way& way) const;
  void FillBetween(Way& way, int target) const;

  const State& s_;
  std::vector<const Footprint*> bodies_;  // by unit
  std::vector<Box> grounds_;              // by terrain
  std::vector<Blocker> blockers_;         // units that may block a line
  const Sight* like_ = nullptr;           // what it knows of units but moved_
  int moved_ = -1;
  mutable std::vector<std::optional<Seen>> seen_;       // by unit
  mutable std::optional<std::vector<Screen>> screens_;  // terrain first, then units
  mutable std::vector<std::vector<View>> views_;        // by unit and base
};

}  // namespace fos::closefire
