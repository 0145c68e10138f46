// SPDX-License-Identifier: MIT
#include "engine/rules/closefire/base_list.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/table/result.h"

namespace fos::closefire {
namespace {

constexpr double kUnbounded = std::numeric_limits<double>::infinity();

// CF-10.1, CF-10.2, CF-10.3: counts files and ranks from the places of the bases.
Front FrontOf(const Footprint& body) {
  Front front;
  const std::vector<Base>& bases = body.bases;
  if (bases.empty()) return front;
  // The unit's facing is that of its leading base. For a bent line it is the mean of the unit
  // vectors.
  Vec2 mean;
  for (const open_table::Placed& base : body.placed) mean = mean + base.ahead;
  front.facing_deg =
      Norm(mean) > open_table::kTiny ? open_table::BearingTo({}, mean) : bases[0].facing_deg;
  const bool straight = std::all_of(bases.begin(), bases.end(), [&](const Base& b) {
    return b.facing_deg == bases[0].facing_deg;
  });
  if (straight) front.facing_deg = bases[0].facing_deg;
  const Vec2 ahead = open_table::Ahead(front.facing_deg);
  const auto edge_of = [&](std::size_t i) {
    return bases[i].centre + 0.5 * bases[i].depth * body.placed[i].ahead;
  };
  double most = -kUnbounded;
  for (std::size_t i = 0; i < bases.size(); ++i) most = std::max(most, Dot(edge_of(i), ahead));
  // Ranks are a base's depth apart. The wings of a bent line hang back by less.
  Vec2 sum;
  for (std::size_t i = 0; i < bases.size(); ++i) {
    const Vec2 edge = edge_of(i);
    if (Dot(edge, ahead) < most - 0.5 * bases[i].depth && straight) continue;
    sum = sum + edge;
    ++front.files;
    front.width += bases[i].width;
  }
  front.centre = sum / std::max(1, front.files);
  const int count = static_cast<int>(bases.size());
  front.ranks = (count + front.files - 1) / std::max(1, front.files);
  return front;
}

Footprint Measured(const std::vector<BaseState>& list, double width_yd, double depth_yd) {
  Footprint out;
  out.width_yd = width_yd;
  out.depth_yd = depth_yd;
  out.around = {{kUnbounded, kUnbounded}, {-kUnbounded, -kUnbounded}};
  out.bases.reserve(list.size());
  out.placed.reserve(list.size());
  Vec2 sum;
  for (const BaseState& base : list) {
    out.bases.push_back(
        {{base.x / 1000.0, base.y / 1000.0}, base.facing / 1000.0, width_yd, depth_yd});
    out.placed.push_back(open_table::Place(out.bases.back()));
    sum = sum + out.bases.back().centre;
    for (const Vec2 corner : out.placed.back().corners) {
      out.around.low = {std::min(out.around.low.x, corner.x), std::min(out.around.low.y, corner.y)};
      out.around.high = {std::max(out.around.high.x, corner.x),
                         std::max(out.around.high.y, corner.y)};
    }
  }
  out.centre = sum / static_cast<double>(std::max<std::size_t>(1, list.size()));
  out.front = FrontOf(out);
  return out;
}

}  // namespace

double Box::GapTo(const Box& other) const {
  const double dx = std::max({0.0, other.low.x - high.x, low.x - other.high.x});
  const double dy = std::max({0.0, other.low.y - high.y, low.y - other.high.y});
  return std::sqrt(dx * dx + dy * dy);
}

Box BoxAround(const std::vector<Base>& bases, Vec2 by) {
  Box box{{kUnbounded, kUnbounded}, {-kUnbounded, -kUnbounded}};
  for (const Base& base : bases) {
    const Vec2 to = base.centre + by;
    // The largest distance of any part of the base from its centre is less.
    const double reach = base.width + base.depth;
    box.low = {std::min(box.low.x, std::min(base.centre.x, to.x) - reach),
               std::min(box.low.y, std::min(base.centre.y, to.y) - reach)};
    box.high = {std::max(box.high.x, std::max(base.centre.x, to.x) + reach),
                std::max(box.high.y, std::max(base.centre.y, to.y) + reach)};
  }
  return box;
}

BaseList::BaseList(std::vector<BaseState> list) {
  if (!list.empty()) shared_ = std::make_shared<Shared>(std::move(list));
}

const std::vector<BaseState>& BaseList::List() const {
  static const std::vector<BaseState> kNone;
  return shared_ ? shared_->list : kNone;
}

std::vector<BaseState>& BaseList::Edit() {
  shared_ = std::make_shared<Shared>(List());
  return shared_->list;
}

const Footprint& BaseList::On(double width_yd, double depth_yd) const {
  static const Footprint kNowhere = Measured({}, 0, 0);
  if (!shared_) return kNowhere;
  const Footprint* known = shared_->measured.load(std::memory_order_acquire);
  if (known == nullptr) {
    auto mine = std::make_unique<const Footprint>(Measured(shared_->list, width_yd, depth_yd));
    if (shared_->measured.compare_exchange_strong(known, mine.get(), std::memory_order_acq_rel))
      known = mine.release();
  }
  // The bases of a unit keep their size as long as they keep their places.
  FOS_CHECK(known->width_yd == width_yd && known->depth_yd == depth_yd);
  return *known;
}

}  // namespace fos::closefire
