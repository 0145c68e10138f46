// SPDX-License-Identifier: MIT
#include "ui/setup/drawn_up.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>

#include <fmt/format.h>

namespace fos {
namespace {

// How many bases fit side by side.
int MostAbreast(Box2 footprint, double square_in) {
  return std::max(1,
                  static_cast<int>((square_in - kBaseGap_in) / (footprint.width_in + kBaseGap_in)));
}

// How a unit stands in its square.
struct Block {
  int abreast = 1;
  int ranks = 1;
  double depth_in = 0;  // with the gap behind it
};

Block BlockOf(int stands, Box2 footprint, double square_in) {
  Block out;
  // In two ranks where they fit, at least two abreast, as units of these games are drawn up.
  out.abreast = std::min(
      {MostAbreast(footprint, square_in), std::max(2, (stands + 1) / 2), std::max(1, stands)});
  out.ranks = (stands + out.abreast - 1) / out.abreast;
  out.depth_in = out.ranks * (footprint.depth_in + kBaseGap_in);
  return out;
}

}  // namespace

double DepthDrawnUp(int stands, Box2 footprint, double square_in) {
  return BlockOf(stands, footprint, square_in).depth_in;
}

std::vector<StandObservation> DrawnUp(const Scenario& scenario, const TableFrame& frame) {
  // The units of each square, in the file's order.
  std::map<std::pair<int, int>, std::vector<std::size_t>> squares;
  for (std::size_t i = 0; i < scenario.units.size(); ++i) {
    const SquareIndex at = scenario.units[i].square;
    squares[{at.row, at.column}].push_back(i);
  }
  std::vector<StandObservation> out;
  for (const auto& [key, units] : squares) {
    double depth = 0;
    for (const std::size_t i : units) {
      const UnitSpec& unit = scenario.units[i];
      const KindSpec& kind = scenario.kinds.at(static_cast<std::size_t>(unit.kind));
      depth += DepthDrawnUp(unit.stands, kind.footprint, frame.square_in);
    }
    const Vec2 centre = frame.CentreOf({key.second, key.first});
    double front = depth / 2;
    for (const std::size_t i : units) {
      const UnitSpec& unit = scenario.units[i];
      const KindSpec& kind = scenario.kinds.at(static_cast<std::size_t>(unit.kind));
      const Block block = BlockOf(unit.stands, kind.footprint, frame.square_in);
      const Pose2 table_from_unit{centre, HeadingFromBearing(BearingOf(unit.facing))};
      const double dx = kind.footprint.width_in + kBaseGap_in;
      const double dy = kind.footprint.depth_in + kBaseGap_in;
      for (int n = 0; n < unit.stands; ++n) {
        const int rank = n / block.abreast;
        const int in_rank = std::min(block.abreast, unit.stands - rank * block.abreast);
        StandObservation stand;
        stand.unit = unit.id;
        stand.stand.text = fmt::format("{}#{}", unit.id, n + 1);
        stand.side = unit.side;
        stand.kind = unit.kind;
        stand.footprint = kind.footprint;
        stand.confidence = 1;
        stand.table_from_stand =
            table_from_unit *
            Pose2{{(n % block.abreast - 0.5 * (in_rank - 1)) * dx, front - (rank + 0.5) * dy}, 0};
        out.push_back(std::move(stand));
      }
      front -= block.depth_in;
    }
  }
  return out;
}

}  // namespace fos
