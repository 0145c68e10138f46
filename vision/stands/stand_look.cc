// SPDX-License-Identifier: MIT
#include "vision/stands/stand_look.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace fos {

bool IsHill(const TerrainArea& area) { return area.type == "hill" && area.height_in > 0; }

double HalfDiagonal(Box2 box) { return 0.5 * std::hypot(box.width_in, box.depth_in); }

void AddHeadings(std::vector<double>& headings, double middle_rad, double reach_rad,
                 double step_rad) {
  const int n = static_cast<int>(std::lround(reach_rad / step_rad));
  for (int i = -n; i <= n; ++i) {
    const double h = WrappedAngle(middle_rad + i * step_rad);
    if (std::none_of(headings.begin(), headings.end(),
                     [h](double o) { return std::abs(WrappedAngle(o - h)) < 0.01; }))
      headings.push_back(h);
  }
}

bool MayBelongTo(const StandLook& look, const UnitSpec& unit, const StandHypothesis& h) {
  const Vec2 off = h.table_from_stand.origin - look.table.frame.CentreOf(unit.square);
  const double reach = look.table.frame.square_in / 2 + kLeanOut_in;
  return h.what == StandClass{unit.side, unit.kind} && std::abs(off.x) < reach &&
         std::abs(off.y) < reach;
}

double StandLook::GroundAt(Vec2 at) const {
  double ground = 0;
  for (const TerrainArea& area : scenario.terrain) {
    if (IsHill(area) && Contains(area.polygon, at)) ground = std::max(ground, area.height_in);
  }
  return ground;
}

void StandLook::BeginTrace() const {
  if (!trace) return;
  *trace = {};
  trace->picture = bgr.clone();
  trace->camera = camera;
}

void StandLook::Note(const char* stage, std::span<const StandHypothesis> stands) const {
  if (trace) trace->stages.push_back({stage, {stands.begin(), stands.end()}});
}

void StandLook::NoteDropped(const StandHypothesis& h, std::string why) const {
  if (trace) trace->dropped.push_back({h, std::move(why)});
}

}  // namespace fos
