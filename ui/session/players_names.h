// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/table/scenario.h"

namespace fos {

// A unit or piece of equipment as the scenario names it.
struct NamedUnit {
  std::string id, side, kind;
  int stands = 1;
};

// What players call stands and units, instead of their ids. Files and typed lines keep the ids.
class PlayersNames {
 public:
  PlayersNames() = default;
  explicit PlayersNames(std::vector<NamedUnit> units) : units_(std::move(units)) {}
  explicit PlayersNames(const Scenario& scenario);

  // "British line infantry, stand 2" of `B-1L1#2`. The id stands with it where the side has several
  // units of the kind: "British line infantry B-1L1, stand 2". An unknown id stays as it is.
  std::string Of(std::string_view id) const;
  // A sentence with the ids in it replaced.
  std::string In(std::string_view sentence) const;

 private:
  std::vector<NamedUnit> units_;
};

}  // namespace fos
