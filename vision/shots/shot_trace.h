// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <vector>

#include "engine/table/observation.h"

namespace fos {

// What the image model made of one thing as a projectile of one kind: what its odds are fitted to
// (vision/shots/shot_odds.h). A thing is judged anew whenever its place is looked at.
struct JudgedThing {
  struct Number {
    const char* name;
    double value;
  };
  Projectile as = Projectile::kQtip;
  bool possible = true;       // no condition that physics sets is broken: its odds decide
  Vec2 point;                 // a swab's tip or a shell's mark, inches
  Vec2 tail;                  // a swab's other end
  std::vector<Number> terms;  // of SwabOdds or ShellOdds
  std::vector<Number> ends;   // of a swab: of TipOdds
  std::vector<Number> seen;   // what the explanation says besides; names are its fields'
};
using OnJudged = std::function<void(const JudgedThing&)>;

}  // namespace fos
