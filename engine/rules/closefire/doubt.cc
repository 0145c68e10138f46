// SPDX-License-Identifier: MIT
#include "engine/rules/closefire/doubt.h"

#include <algorithm>
#include <cmath>

namespace fos::closefire {

double DoubtYd(const State& s, int a, int b) {
  return std::hypot(Yd(At(s, a).body.doubt_milli_yd), Yd(At(s, b).body.doubt_milli_yd));
}

namespace {
void Displace(BaseList& bases, Vec2 by) {
  for (BaseState& base : bases.Edit()) {
    base.x += Milli(by.x);
    base.y += Milli(by.y);
  }
}
}  // namespace

State Displaced(const State& s, int unit, Vec2 by) {
  State out = s;
  Displace(out.units[static_cast<std::size_t>(unit)].bases, by);
  return out;
}

std::vector<Reading> ReadingsOf(const State& s, int unit, double sigma,
                                const std::function<std::string(const State&)>& key) {
  std::vector<Reading> out = {{key(s), {}}};
  if (sigma <= 0) return out;
  // Straight ahead and sideways first: gaps and ranges change fastest that way.
  State displaced = s;
  BaseList& bases = displaced.units[static_cast<std::size_t>(unit)].bases;
  const double facing = At(s, unit).bases.empty() ? 0 : At(s, unit).bases[0].facing / 1000.0;
  for (const double turn : {0.0, 180.0, 90.0, 270.0, 45.0, 135.0, 225.0, 315.0}) {
    const Vec2 by = kSigmas * sigma * open_table::Ahead(facing + turn);
    bases = At(s, unit).bases;
    Displace(bases, by);
    const std::string says = key(displaced);
    if (std::none_of(out.begin(), out.end(), [&](const Reading& r) { return r.says == says; }))
      out.push_back({says, by});
  }
  return out;
}

}  // namespace fos::closefire
