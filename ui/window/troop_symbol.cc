// SPDX-License-Identifier: MIT
#include "ui/window/troop_symbol.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

namespace fos {
namespace {

// Draws in the frame of a base: x to its right and y to its front, from -1 to 1 at its edges.
class OnBase {
 public:
  OnBase(ImDrawList& list, const Projection& on, const StandObservation& stand, double top_in,
         ImU32 colour)
      : list_(list), on_(on), stand_(stand), top_in_(top_in), colour_(colour) {
    const float inch = on.PixelsPerInch(stand.table_from_stand.origin, top_in);
    const double half_in = 0.5 * std::min(stand.footprint.width_in, stand.footprint.depth_in);
    half_px_ = static_cast<float>(half_in) * inch;
    thickness_ = std::clamp(0.07F * inch, 1.0F, 4.0F);
  }

  void Line(Vec2 from, Vec2 to, float wider = 1) {
    const auto a = At(from);
    const auto b = At(to);
    if (a && b) list_.AddLine(*a, *b, colour_, wider * thickness_);
  }
  // Whether a symbol could be told from a blot.
  bool IsLargeEnough() const { return half_px_ >= 2; }
  // Radii are shares of half the base's shorter side.
  void Disc(Vec2 centre, float radius) {
    if (const auto at = At(centre)) list_.AddCircleFilled(*at, radius * half_px_, colour_);
  }
  void Ring(Vec2 centre, float radius) {
    if (const auto at = At(centre)) list_.AddCircle(*at, radius * half_px_, colour_, 0, thickness_);
  }
  void Star(float radius) {
    const auto centre = At({0, 0});
    if (!centre) return;
    constexpr int kCorners = 10;  // five points and five notches
    constexpr float kNotch = 0.45F;
    const auto corner = [&](int i) {
      const double angle = 2 * std::numbers::pi * i / kCorners;
      const float r = radius * half_px_ * (i % 2 == 0 ? 1.0F : kNotch);
      return ImVec2{centre->x + r * static_cast<float>(std::sin(angle)),
                    centre->y - r * static_cast<float>(std::cos(angle))};
    };
    for (int i = 0; i < kCorners; ++i)
      list_.AddTriangleFilled(*centre, corner(i), corner(i + 1), colour_);
  }

 private:
  std::optional<ImVec2> At(Vec2 of_base) const {
    const Vec2 in_stand{of_base.x * stand_.footprint.width_in / 2,
                        of_base.y * stand_.footprint.depth_in / 2};
    return on_.At(stand_.table_from_stand * in_stand, top_in_);
  }

  ImDrawList& list_;
  const Projection& on_;
  const StandObservation& stand_;
  double top_in_;
  ImU32 colour_;
  float half_px_ = 0;
  float thickness_ = 1;
};

}  // namespace

void DrawTroopSymbol(ImDrawList& list, const Projection& on, const StandObservation& stand,
                     double top_in, TroopSymbol symbol, ImU32 colour) {
  OnBase base(list, on, stand, top_in, colour);
  if (!base.IsLargeEnough()) return;
  switch (symbol) {
    case TroopSymbol::kNone:
      return;
    case TroopSymbol::kFoot:
      base.Line({-1, 1}, {1, -1});
      [[fallthrough]];
    case TroopSymbol::kHorse:
      base.Line({-1, -1}, {1, 1});
      return;
    case TroopSymbol::kCrew:
      return base.Ring({0, 0}, 0.55F);
    case TroopSymbol::kGun:
      return base.Disc({0, 0}, 0.55F);
    case TroopSymbol::kMachineGun:
      base.Disc({0, -0.3}, 0.45F);
      return base.Line({0, -0.3}, {0, 1});
    case TroopSymbol::kWagon:
      base.Ring({0, 0}, 0.7F);
      base.Line({-0.5, 0}, {0.5, 0});
      return base.Line({0, -0.5}, {0, 0.5});
    case TroopSymbol::kChariot:
      base.Line({-0.6, -0.3}, {0.6, -0.3});
      base.Line({-0.6, -0.7}, {-0.6, 0.1}, 2);
      base.Line({0.6, -0.7}, {0.6, 0.1}, 2);
      return base.Line({0, -0.3}, {0, 0.9});
    case TroopSymbol::kElephant:
      base.Disc({0, -0.2}, 0.6F);
      base.Line({-0.3, 0.2}, {-0.3, 0.95});
      return base.Line({0.3, 0.2}, {0.3, 0.95});
    case TroopSymbol::kLeader:
      return base.Star(0.85F);
  }
}

}  // namespace fos
