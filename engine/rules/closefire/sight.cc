// SPDX-License-Identifier: MIT
#include "engine/rules/closefire/sight.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace fos::closefire {
namespace {

using open_table::Inside;

constexpr double kUnbounded = std::numeric_limits<double>::infinity();
constexpr std::size_t kPoints = 5;  // per base: the centre and four corners
// A shadow counts only if every line clears the screen's ends by this much: far more than rounding
// errors, far less than anything on a table.
constexpr double kClear_yd = 1e-3;

bool Apart(Vec2 from, Vec2 to, Vec2 low, Vec2 high) {
  return std::max(from.x, to.x) < low.x || std::min(from.x, to.x) > high.x ||
         std::max(from.y, to.y) < low.y || std::min(from.y, to.y) > high.y;
}

template <typename Box>
void Grow(Box& box, Vec2 by) {
  box.low = {std::min(box.low.x, by.x), std::min(box.low.y, by.y)};
  box.high = {std::max(box.high.x, by.x), std::max(box.high.y, by.y)};
}

// Whether the whole outline is well to one side of the line, so no part of the line is inside.
template <typename Outline>
bool PassesBy(Segment2 line, const Outline& outline, double by_yd) {
  const Vec2 along = line.to - line.from;
  const double clear = by_yd * (std::abs(along.x) + std::abs(along.y));
  bool left = true;
  bool right = true;
  for (const Vec2 corner : outline) {
    const double side = Cross(along, corner - line.from);
    left = left && side > clear;
    right = right && side < -clear;
    if (!left && !right) return false;
  }
  return true;
}

bool Convex(const Polygon& outline) {
  bool left = false;
  bool right = false;
  for (std::size_t i = 0; i < outline.size(); ++i) {
    const Vec2 a = outline[i];
    const Vec2 b = outline[(i + 1) % outline.size()];
    const double turn = Cross(b - a, outline[(i + 2) % outline.size()] - b);
    left = left || turn > 0;
    right = right || turn < 0;
  }
  return outline.size() >= 4 && left != right;
}

open_table::Placed PointAt(Vec2 at) { return open_table::Place({at, 0, 0, 0}); }

template <typename Spot>
double GapOf(const Spot& a, const Spot& b) {
  return open_table::Gap(a.base, b.base) - a.radius_yd - b.radius_yd;
}

// The index of a direction, counter-clockwise, in sectors of equal diamond angle (|x| + |y| = 1).
std::uint16_t Direction(Vec2 line, int directions) {
  const double share = line.y / std::max(1e-12, std::abs(line.x) + std::abs(line.y));
  const double angle = line.x < 0 ? 2 - share : line.y < 0 ? 4 + share : share;
  return static_cast<std::uint16_t>(
      std::min(directions - 1, static_cast<int>(angle * directions / 4)));
}

}  // namespace

Sight::Sight(const State& s, std::vector<const Footprint*> bodies)
    : s_(s), bodies_(std::move(bodies)) {
  grounds_.reserve(s.setup->terrain.size());
  for (const Terrain& t : s.setup->terrain) {
    Box box{{kUnbounded, kUnbounded}, {-kUnbounded, -kUnbounded}};
    for (const Vec2 corner : t.outline_yd) Grow(box, corner);
    grounds_.push_back(box);
  }
  blockers_.reserve(s.units.size());
  for (int u = 0; u < static_cast<int>(s.units.size()); ++u)
    if (At(s, u).OnTable() && (!IsGun(s, u) || s.Rulings().guns_block_sight))
      blockers_.push_back({Around(u), u});
  seen_.resize(s.units.size());
  views_.resize(s.units.size());
}

Sight::Sight(const State& s, std::vector<const Footprint*> bodies, const Sight& like, int moved)
    : s_(s),
      bodies_(std::move(bodies)),
      grounds_(like.grounds_),
      blockers_(like.blockers_),
      like_(&like),
      moved_(moved) {
  for (Blocker& blocker : blockers_)
    if (blocker.unit == moved) blocker.box = Around(moved);
  seen_.resize(s.units.size());
  views_.resize(s.units.size());
}

Sight::By Sight::Quickest(By how) const {
  constexpr std::size_t kMany = 20;
  if (how != By::kQuickest) return how;
  return blockers_.size() > kMany ? By::kShadows : By::kEveryLine;
}

Sight::Seen Sight::Look(int unit) const {
  const Footprint& body = *bodies_[static_cast<std::size_t>(unit)];
  Seen seen;
  seen.bodies = body.placed;
  seen.spots.reserve(kPoints * body.placed.size());
  // The bounding box in the frame of the first base.
  double ahead_low = kUnbounded, ahead_high = -kUnbounded, right_low = kUnbounded,
         right_high = -kUnbounded;
  for (const open_table::Placed& base : body.placed) {
    seen.spots.push_back(SpotAt(base.centre, base));
    for (const Vec2 corner : base.corners) {
      seen.spots.push_back(SpotAt(corner, base));
      const double ahead = Dot(corner, body.placed.front().ahead);
      const double right = Dot(corner, body.placed.front().right);
      ahead_low = std::min(ahead_low, ahead);
      ahead_high = std::max(ahead_high, ahead);
      right_low = std::min(right_low, right);
      right_high = std::max(right_high, right);
    }
  }
  // Bases in contact are one body: there is no line of sight through the joint.
  for (open_table::Placed& base : seen.bodies) base.half_width += s_.Rulings().contact_gap_yd / 2;
  if (!seen.bodies.empty()) {
    const Vec2 ahead = seen.bodies.front().ahead;
    const Vec2 right = seen.bodies.front().right;
    seen.around = {ahead_high * ahead + right_low * right, ahead_high * ahead + right_high * right,
                   ahead_low * ahead + right_high * right, ahead_low * ahead + right_low * right};
  }
  for (std::size_t i = 0; i < seen.spots.size(); ++i) {
    bool again = false;
    for (std::size_t j = 0; j < i && i % kPoints != 0 && !again; ++j)
      again = j % kPoints != 0 && seen.spots[j].at == seen.spots[i].at;
    seen.repeated.push_back(again);
  }
  for (const Spot& spot : seen.spots) {
    seen.top_level = std::max(seen.top_level, spot.level);
    if (spot.cover != nullptr &&
        std::find(seen.covers.begin(), seen.covers.end(), spot.cover) == seen.covers.end())
      seen.covers.push_back(spot.cover);
  }
  return seen;
}

const Sight::Seen& Sight::SeenOf(int unit) const {
  if (like_ != nullptr && unit != moved_) return like_->SeenOf(unit);
  std::optional<Seen>& seen = seen_[static_cast<std::size_t>(unit)];
  if (!seen) seen = Look(unit);
  return *seen;
}

const std::vector<Sight::Screen>& Sight::Screens() const {
  if (!screens_) {
    screens_.emplace();
    for (const Terrain& t : s_.setup->terrain) AddScreens(t);
    for (const Blocker& blocker : blockers_) AddScreens(blocker.unit);
  }
  return *screens_;
}

Sight::Spot Sight::SpotAt(Vec2 at, const open_table::Placed& base, double radius_yd) const {
  Spot spot{at, 0, nullptr, base, radius_yd};
  for (std::size_t i = 0; i < grounds_.size(); ++i) {
    const Terrain& t = s_.setup->terrain[i];
    const bool cover = (t.wood || t.town) && spot.cover == nullptr;
    if (t.level <= spot.level && !cover) continue;
    if (Apart(at, at, grounds_[i].low, grounds_[i].high) || !Contains(t.outline_yd, at)) continue;
    spot.level = std::max(spot.level, t.level);
    if (cover) spot.cover = &t;
  }
  return spot;
}

void Sight::AddScreens(int unit) const {
  if (IsUnformed(s_, unit)) return;  // CF-7.4: unformed units hide only what is far behind them
  const Seen& seen = SeenOf(unit);
  const std::vector<open_table::Placed>& bodies = seen.bodies;
  Screen screen;
  screen.unit = unit;
  screen.always = At(s_, unit).fire.fired_last;
  screen.level = std::numeric_limits<int>::max();
  for (std::size_t i = 0; i < bodies.size(); ++i)
    screen.level = std::min(screen.level, seen.spots[i * kPoints].level);
  // The bases of one rank from the left, as intervals on its middle line.
  std::vector<const open_table::Placed*> order;
  for (const open_table::Placed& body : bodies) order.push_back(&body);
  const Vec2 ahead = bodies.empty() ? Vec2{} : bodies.front().ahead;
  const Vec2 right = bodies.empty() ? Vec2{} : bodies.front().right;
  std::sort(order.begin(), order.end(),
            [&](const open_table::Placed* a, const open_table::Placed* b) {
              const double da = Dot(a->centre, ahead);
              const double db = Dot(b->centre, ahead);
              return std::abs(da - db) > kClear_yd ? da > db
                                                   : Dot(a->centre, right) < Dot(b->centre, right);
            });
  // Shrunk inwards so that a line across it stays inside a base for some length. The outer ends are
  // those of the bases.
  constexpr double kInset_yd = 10 * kClear_yd;
  const double gap = s_.Rulings().contact_gap_yd;
  const open_table::Placed* first = nullptr;
  for (const open_table::Placed* body : order) {
    if (body->half_depth <= 2 * kInset_yd) return;
    const Vec2 across = (body->half_width - gap / 2 - kInset_yd) * body->right;
    const Vec2 along = (body->half_depth - kInset_yd) * body->ahead;
    const bool goes_on =
        first != nullptr && body->ahead == first->ahead && body->half_depth == first->half_depth &&
        std::abs(Dot(body->centre - first->centre, ahead)) < kClear_yd &&
        Dot(body->centre - across - screen.corners[1], body->right) < gap - 4 * kInset_yd;
    if (!goes_on) {
      if (first != nullptr) screens_->push_back(screen);
      first = body;
      screen.corners[0] = body->centre + along - across;
      screen.corners[3] = body->centre - along - across;
    }
    screen.corners[1] = body->centre + along + across;
    screen.corners[2] = body->centre - along + across;
  }
  if (first != nullptr) screens_->push_back(screen);
}

void Sight::AddScreens(const Terrain& t) const {
  if ((!t.wood && !t.town && t.level == 0) || !Convex(t.outline_yd)) return;
  Screen screen;
  screen.ground = &t;
  const std::size_t count = t.outline_yd.size();
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = i + 2; j < count; ++j) {
      if (i == 0 && j + 1 == count) continue;
      const Vec2 along = t.outline_yd[j] - t.outline_yd[i];
      const double length = Norm(along);
      if (length < 1) continue;
      screen.corners[0] = t.outline_yd[i] + (kClear_yd / length) * along;
      screen.corners[1] = t.outline_yd[j] - (kClear_yd / length) * along;
      screens_->push_back(screen);
    }
}

template <typename Points>
bool Sight::Wedge::Covers(Vec2 from, const Points& points) const {
  for (const Vec2 point : points) {
    const Vec2 line = point - from;
    if (Cross(first, line) <= first_clear || Cross(line, second) <= second_clear ||
        Cross(across, line) >= beyond)
      return false;
  }
  return true;
}

std::pair<Vec2, Vec2> Sight::Screen::EndsFrom(Vec2 point) const {
  if (ground != nullptr) return {corners[0], corners[1]};
  // The outermost corners of a body as seen from the point: of the side that faces it, or of two
  // adjacent sides.
  for (std::size_t i = 0; i < 4; ++i) {
    const auto faces = [&](std::size_t side) {
      const Vec2 at = corners[side % 4];
      return Cross(corners[(side + 1) % 4] - at, point - at) > 0;
    };
    if (!faces(i) || faces(i + 3)) continue;
    return {corners[i], corners[(faces(i + 1) ? i + 2 : i + 1) % 4]};
  }
  return {};
}

Sight::View Sight::ViewFrom(const Spot& from, int observer) const {
  View view;
  // |x| + |y| is never less than the length.
  const auto clear_of = [](Vec2 v) { return kClear_yd * (std::abs(v.x) + std::abs(v.y)); };
  const std::vector<Screen>& screens = Screens();
  view.wedges.reserve(screens.size());
  std::array<std::uint32_t, View::kDirections> count{};
  for (std::size_t s = 0; s < screens.size(); ++s) {
    const Screen& screen = screens[s];
    if (screen.unit >= 0 && screen.unit == observer) continue;
    const auto [one, other] = screen.EndsFrom(from.at);
    const Vec2 along = other - one;
    const double here = Cross(along, from.at - one);
    const double clear = clear_of(along);
    if (std::abs(here) <= clear) continue;
    // Order the screen's ends counter-clockwise as seen from the point.
    const bool left = here > 0;
    Wedge wedge;
    wedge.unit = screen.unit;
    wedge.screen = static_cast<std::uint16_t>(s);
    wedge.across = left ? along : -along;
    wedge.beyond = -clear - std::abs(here);
    wedge.first = (left ? one : other) - from.at;
    wedge.second = (left ? other : one) - from.at;
    wedge.first_clear = clear_of(wedge.first);
    wedge.second_clear = clear_of(wedge.second);
    wedge.from_direction = Direction(wedge.first, View::kDirections);
    wedge.to_direction = Direction(wedge.second, View::kDirections);
    if (wedge.to_direction < wedge.from_direction) wedge.to_direction += View::kDirections;
    for (std::size_t d = wedge.from_direction; d <= wedge.to_direction; ++d)
      ++count[d % View::kDirections];
    view.wedges.push_back(wedge);
  }
  for (std::size_t d = 0; d < View::kDirections; ++d) view.begin[d + 1] = view.begin[d] + count[d];
  view.order.resize(view.begin.back());
  for (std::size_t w = 0; w < view.wedges.size(); ++w)
    for (std::size_t d = view.wedges[w].from_direction; d <= view.wedges[w].to_direction; ++d) {
      const std::size_t at = d % View::kDirections;
      view.order[view.begin[at + 1] - count[at]--] = static_cast<std::uint16_t>(w);
    }
  return view;
}

const std::vector<Sight::View>& Sight::ViewsOf(int unit) const {
  std::vector<View>& views = views_[static_cast<std::size_t>(unit)];
  const std::vector<Spot>& spots = SeenOf(unit).spots;
  if (views.empty())
    for (std::size_t i = 0; i < spots.size(); i += kPoints)
      views.push_back(ViewFrom(spots[i], unit));
  return views;
}

template <typename Covers>
bool Sight::Opaque(const Screen& screen, const Spot& from, int to_level, const Covers& in) {
  const int highest = std::max(from.level, to_level);
  if (screen.ground == nullptr) return screen.always || highest <= screen.level;
  if (screen.ground->level > highest) return true;
  if (!screen.ground->wood && !screen.ground->town) return false;
  return screen.ground != from.cover && std::find(in.begin(), in.end(), screen.ground) == in.end();
}

// CF-7.1, 7.2 (CF-7.2), CF-7.3, CF-7.4.
bool Sight::Visible(const Spot& from, int target, const Spot& to,
                    std::vector<int>& between_them) const {
  const auto& book = s_.Book().visibility;
  const Segment2 line{from.at, to.at};
  const auto length = [&] { return Distance(from.at, to.at); };
  // CF-1.3: between the outlines of the two bases.
  const auto within = [&](const Spot& a, const Spot& b, double limit) {
    return GapOf(a, b) <= limit + open_table::kTiny;
  };
  const int from_level = from.level;
  const int to_level = to.level;
  if (!s_.setup->terrain.empty()) {
    const Terrain* from_wood = from.cover;
    const Terrain* to_wood = to.cover;
    for (std::size_t i = 0; i < grounds_.size(); ++i) {
      const Terrain& t = s_.setup->terrain[i];
      if (t.level <= std::max(from_level, to_level) && !t.wood && !t.town) continue;
      if (Apart(from.at, to.at, grounds_[i].low, grounds_[i].high)) continue;
      if (PassesBy(line, t.outline_yd, kClear_yd)) continue;
      if (!open_table::AnyInside(line, t.outline_yd)) continue;
      if (t.level > std::max(from_level, to_level)) return false;
      if (!t.wood && !t.town) continue;
      if (&t != from_wood && &t != to_wood) return false;
      const std::vector<Inside> parts = open_table::PartsInside(line, t.outline_yd);
      if (&t == from_wood && &t == to_wood && parts.size() == 1 && parts[0].enter <= 0 &&
          parts[0].leave >= 1) {
        if (!within(from, to, book.wood_town)) return false;
        continue;
      }
      if (&t == from_wood) {
        const double out_yd = parts.front().leave * length();
        if (out_yd > s_.Rulings().wood_edge_yd && !within(from, to, book.wood_town)) return false;
      }
      if (&t == to_wood) {
        const double in_yd = (1 - parts.back().enter) * length();
        const bool shot =
            target >= 0 && (At(s_, target).fire.fired || At(s_, target).fire.fired_last);
        if (!(shot && in_yd <= s_.Rulings().wood_edge_yd) && !within(from, to, book.wood_town))
          return false;
      }
      // A line that leaves the wood and enters it again is blocked.
      if (parts.size() > 2 || (parts.size() == 2 && !(&t == from_wood && &t == to_wood)))
        return false;
    }
  }
  const double wider = s_.Rulings().contact_gap_yd + kClear_yd;
  // CF-7.4: from the far side of the last unformed base on the line to its end.
  double beyond_unformed = kUnbounded;
  for (std::size_t i = 0; i < between_them.size(); ++i) {
    const int v = between_them[i];
    const auto hidden = [&] { std::swap(between_them[0], between_them[i]); };
    const Box& box = Around(v);
    if (Apart(from.at, to.at, box.low, box.high)) continue;
    const Seen& there = SeenOf(v);
    if (PassesBy(line, there.around, wider)) continue;
    const bool unformed = IsUnformed(s_, v);
    const std::vector<open_table::Placed>& bodies = there.bodies;
    for (std::size_t b = 0; b < bodies.size(); ++b) {
      const open_table::Placed& body = bodies[b];
      const std::optional<Inside> part = open_table::PartInside(line, body);
      if (!part) continue;
      if (unformed) {
        beyond_unformed = std::min(beyond_unformed, (1 - part->leave) * length());
        continue;
      }
      // CF-7.3: from a higher level a unit sees over silent units that are not too near the target.
      const int between = there.spots[b * kPoints].level;
      const bool from_high = from_level > between && from_level > to_level;
      const bool to_high = to_level > between && to_level > from_level && s_.Rulings().sight_mutual;
      const bool both_high = from_level > between && to_level > between;
      const Spot& stand = there.spots[b * kPoints];
      const auto far_from = [&](const Spot& end) {
        return GapOf(end, stand) >= book.over_units_min - open_table::kTiny;
      };
      const bool over = !At(s_, v).fire.fired_last &&
                        ((from_high && far_from(from)) || (to_high && far_from(to)) ||
                         (both_high && (far_from(from) || far_from(to))));
      if (!over) {
        hidden();
        return false;
      }
    }
  }
  return beyond_unformed == kUnbounded ||
         beyond_unformed <= book.beyond_unformed + open_table::kTiny;
}

void Sight::FillBetween(Way& way, int target) const {
  if (way.known) return;
  way.known = true;
  way.units.reserve(blockers_.size());
  const Box& there = Around(target);
  const Vec2 low{std::min(way.low.x, there.low.x), std::min(way.low.y, there.low.y)};
  const Vec2 high{std::max(way.high.x, there.high.x), std::max(way.high.y, there.high.y)};
  for (const auto& [box, v] : blockers_)
    if (v != way.observer && v != target && !Apart(low, high, box.low, box.high))
      way.units.push_back(v);
}

bool Sight::PointSees(const Spot& from, const View* view, int b, Way& way) const {
  const Seen& there = SeenOf(b);
  const Wedge* last = nullptr;
  const auto hidden = [&](const auto& points, int level, const auto& covers) {
    if (view == nullptr) return false;
    const auto by = [&](const Wedge& wedge) {
      return wedge.Covers(from.at, points) && wedge.unit != b &&
             Opaque((*screens_)[wedge.screen], from, level, covers);
    };
    // The units that hid the last target most likely hide this one too: test them first.
    if (last != nullptr && by(*last)) return true;
    const std::size_t d = Direction(points[0] - from.at, View::kDirections);
    for (std::uint32_t i = view->begin[d]; i < view->begin[d + 1]; ++i) {
      const Wedge& wedge = view->wedges[view->order[i]];
      if (!by(wedge)) continue;
      last = &wedge;
      return true;
    }
    return false;
  };
  if (hidden(there.around, there.top_level, there.covers)) return false;
  const std::vector<open_table::Placed>& bodies = there.bodies;
  const std::size_t points = s_.Rulings().sight_points == 1 ? 1 : kPoints;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (bodies.size() > 1 && hidden(bodies[i].corners, there.top_level, there.covers)) continue;
    for (std::size_t p = 0; p < points; ++p) {
      if (there.repeated[i * kPoints + p] != 0) continue;
      const Spot& to = there.spots[i * kPoints + p];
      if (hidden(std::array{to.at}, to.level, std::array{to.cover})) continue;
      FillBetween(way, b);
      if (Visible(from, b, to, way.units)) return true;
    }
  }
  return false;
}

bool Sight::PointSees(int observer, Vec2 from, double radius_yd, int b, By how) const {
  Way way;
  way.low = way.high = from;
  way.observer = observer;
  how = Quickest(how);
  if (observer >= 0) {
    const Seen& here = SeenOf(observer);
    for (std::size_t i = 0; i < here.spots.size(); i += kPoints)
      if (here.spots[i].at == from)
        return PointSees(here.spots[i],
                         how == By::kShadows ? &ViewsOf(observer)[i / kPoints] : nullptr, b, way);
  }
  const Spot spot = SpotAt(from, PointAt(from), radius_yd);
  std::optional<View> view;
  if (how == By::kShadows) view = ViewFrom(spot, observer);
  return PointSees(spot, view ? &*view : nullptr, b, way);
}

bool Sight::SeesPlace(int observer, const Base& from, Vec2 to, double radius_yd) const {
  std::vector<int> between;
  for (const auto& [box, v] : blockers_)
    if (v != observer && !Apart(from.centre, to, box.low, box.high)) between.push_back(v);
  return Visible(SpotAt(from.centre, open_table::Place(from)), -1,
                 SpotAt(to, PointAt(to), radius_yd), between);
}

bool Sight::Sees(int a, int b, By how) const {
  Way way;
  way.low = Around(a).low;
  way.high = Around(a).high;
  way.observer = a;
  how = Quickest(how);
  const std::vector<View>* views = how == By::kShadows ? &ViewsOf(a) : nullptr;
  const std::vector<Spot>& spots = SeenOf(a).spots;
  for (std::size_t i = 0; i < spots.size(); i += kPoints)
    if (PointSees(spots[i], views != nullptr ? &(*views)[i / kPoints] : nullptr, b, way))
      return true;
  return false;
}

}  // namespace fos::closefire
