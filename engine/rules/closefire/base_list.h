// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/open_table/base.h"

// The bases of one unit, and what their places come to.
namespace fos::closefire {

using open_table::Base;

struct BaseState {
  std::int32_t x = 0, y = 0;  // thousandths of a yard
  std::int32_t facing = 0;    // thousandths of a degree, [0, 360000)
  std::int8_t part = 0;       // index of its battalion or squadron
  bool command = false;       // CF-17.2: the battalion's command stand
  bool pike = false;
  friend bool operator==(const BaseState&, const BaseState&) = default;
};

// Along the axes of the table, yards.
struct Box {
  Vec2 low, high;
  bool Meets(const Box& other) const {
    return low.x <= other.high.x && high.x >= other.low.x && low.y <= other.high.y &&
           high.y >= other.low.y;
  }
  // No two points of the boxes are nearer to each other; 0 if they meet.
  double GapTo(const Box& other) const;
};
// Holds every part of the bases while they move straight `by`.
Box BoxAround(const std::vector<Base>& bases, Vec2 by);

// The middle of the front edge and the facing of the unit's front rank.
struct Front {
  Vec2 centre;
  double facing_deg = 0;
  double width = 0;
  int files = 0, ranks = 0;
};

// Measured once for each place of a unit. Yards.
struct Footprint {
  double width_yd = 0, depth_yd = 0;  // of one base
  std::vector<Base> bases;
  std::vector<open_table::Placed> placed;
  Vec2 centre;  // the mean of the bases' centres
  Box around;   // the corners of all bases
  Front front;
};

// Copies share one list until one of them is edited.
class BaseList {
 public:
  BaseList() = default;
  BaseList(std::vector<BaseState> list);  // NOLINT: a list of bases is a value of this type

  const std::vector<BaseState>& List() const;
  operator const std::vector<BaseState>&() const { return List(); }  // NOLINT
  std::size_t size() const { return List().size(); }
  bool empty() const { return List().empty(); }
  auto begin() const { return List().begin(); }
  auto end() const { return List().end(); }
  const BaseState& operator[](std::size_t i) const { return List()[i]; }

  // The list of this copy alone. The reference holds until the next measurement or copy.
  std::vector<BaseState>& Edit();

  // Valid as long as a copy of these stands lives unedited. Several threads may measure at once.
  const Footprint& On(double width_yd, double depth_yd) const;

  friend bool operator==(const BaseList& a, const BaseList& b) {
    return a.shared_ == b.shared_ || a.List() == b.List();
  }

 private:
  struct Shared {
    explicit Shared(std::vector<BaseState> bases) : list(std::move(bases)) {}
    ~Shared() { delete measured.load(); }
    Shared(const Shared&) = delete;
    Shared& operator=(const Shared&) = delete;
    std::vector<BaseState> list;
    std::atomic<const Footprint*> measured = nullptr;  // by the first who asks
  };
  std::shared_ptr<Shared> shared_;
};

}  // namespace fos::closefire
