// SPDX-License-Identifier: MIT
#include "engine/squares/terrain.h"

#include <algorithm>

#include "engine/table/shapes.h"

namespace fos::squares {

void Merge(CellTerrain& into, const CellTerrain& more) {
  into.protection |= more.protection;
  into.inflammable |= more.inflammable;
  into.impassable |= more.impassable;
  into.water |= more.water;
  into.bridge |= more.bridge;
  into.move_cost += more.move_cost;
  into.extra_dice += more.extra_dice;
  if (more.melee_reduction) into.melee_reduction = more.melee_reduction;
}

CellTerrain UsualTerrain(std::string_view type) {
  CellTerrain t;
  if (type == "wood" || type == "house" || type == "tree") t.protection = t.inflammable = true;
  if (type == "rocks" || type == "fort" || type == "wall") t.protection = true;
  if (type == "river" || type == "water") t.water = true;
  if (type == "bridge") t.bridge = t.inflammable = true;
  return t;
}

namespace {

void Join(std::vector<CellTerrain>& terrain, Cell from, Facing way) {
  terrain[static_cast<std::size_t>(from)].road |=
      static_cast<std::uint8_t>(1 << static_cast<int>(way));
}

}  // namespace

bool LinkRoad(const Board& board, std::vector<CellTerrain>& terrain,
              const std::vector<Cell>& squares) {
  for (std::size_t i = 0; i + 1 < squares.size(); ++i) {
    const Offset step = board.Between(squares[i], squares[i + 1]);
    if (!Adjacent(step)) return false;
    const Facing way = NearestDirection(step);
    Join(terrain, squares[i], way);
    Join(terrain, squares[i + 1], Opposite(way));
  }
  return true;
}

namespace {

// The part of a polygon on which `inside` is not negative: one step of Sutherland and Hodgman's
// clipping. inside is linear.
template <typename Inside>
Polygon ClippedBy(const Polygon& polygon, const Inside& inside) {
  Polygon out;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Vec2 a = polygon[i];
    const Vec2 b = polygon[(i + 1) % polygon.size()];
    const double at_a = inside(a);
    const double at_b = inside(b);
    if (at_a >= 0) out.push_back(a);
    if ((at_a >= 0) != (at_b >= 0)) out.push_back(a + at_a / (at_a - at_b) * (b - a));
  }
  return out;
}

double AreaWithin(Polygon polygon, SquareIndex square, double square_in) {
  const Vec2 low{square.column * square_in, square.row * square_in};
  polygon = ClippedBy(polygon, [&](Vec2 p) { return p.x - low.x; });
  polygon = ClippedBy(polygon, [&](Vec2 p) { return low.x + square_in - p.x; });
  polygon = ClippedBy(polygon, [&](Vec2 p) { return p.y - low.y; });
  polygon = ClippedBy(polygon, [&](Vec2 p) { return low.y + square_in - p.y; });
  return Area(polygon);
}

}  // namespace

std::optional<SquareIndex> MostlyIn(const Polygon& model, const TableFrame& frame) {
  if (model.empty()) return std::nullopt;
  Vec2 low = model.front();
  Vec2 high = low;
  for (const Vec2 p : model) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y)};
  }
  const auto index = [&](double at_in, int most) {
    return static_cast<int>(std::clamp(at_in / frame.square_in, 0.0, most - 1.0));
  };
  std::optional<SquareIndex> out;
  double most = 0;
  for (int row = index(low.y, frame.rows); row <= index(high.y, frame.rows); ++row) {
    for (int column = index(low.x, frame.columns); column <= index(high.x, frame.columns);
         ++column) {
      constexpr double kSame = 1e-9;  // square inches
      const double area = AreaWithin(model, {column, row}, frame.square_in);
      if (area <= most + kSame) continue;
      most = area;
      out = SquareIndex{column, row};
    }
  }
  return out ? out : frame.SquareAt(model.front());  // a mere line has no area
}
std::optional<SquareIndex> MostlyIn(const TerrainObject& object, const TableFrame& frame) {
  return object.circle ? frame.SquareAt(object.circle->centre) : MostlyIn(object.polygon, frame);
}

namespace {

// The squares that an area counts for.
std::vector<Cell> CellsUnder(const TerrainArea& area, const TableFrame& frame, const Board& board) {
  std::vector<Cell> out;
  for (int row = 0; row < board.rows; ++row)
    for (int column = 0; column < board.columns; ++column)
      if (Contains(area.polygon, frame.CentreOf({column, row})))
        out.push_back(board.At({column, row}));
  if (!out.empty() || area.polygon.empty()) return out;
  // An area that covers no square's centre counts for the square its own centre lies in.
  Vec2 middle;
  for (const Vec2 corner : area.polygon) middle = middle + corner;
  if (const auto square = frame.SquareAt(middle / static_cast<double>(area.polygon.size())))
    out.push_back(board.At(*square));
  return out;
}

}  // namespace

std::vector<CellTerrain> TerrainOf(const Scenario& scenario, const TableFrame& frame) {
  const Board board{frame.columns, frame.rows};
  std::vector<CellTerrain> terrain(static_cast<std::size_t>(board.Cells()));
  for (const TerrainArea& area : scenario.terrain) {
    const std::vector<Cell> cells = CellsUnder(area, frame, board);
    for (const Cell cell : cells)
      Merge(terrain[static_cast<std::size_t>(cell)], UsualTerrain(area.type));
    if (area.type == "road") {
      // An outline gives no order, so join every two squares that touch.
      std::vector<bool> covered(terrain.size());
      for (const Cell cell : cells) covered[static_cast<std::size_t>(cell)] = true;
      for (const Cell cell : cells) {
        for (int way = 0; way < 8; ++way) {
          const Cell next = board.Step(cell, static_cast<Facing>(way));
          if (next != kNowhere && covered[static_cast<std::size_t>(next)])
            Join(terrain, cell, static_cast<Facing>(way));
        }
      }
    }
    // Trees and houses burn on any terrain (NAP-6D).
    for (const TerrainObject& object : area.objects) {
      if (const auto square = MostlyIn(object, frame))
        terrain[static_cast<std::size_t>(board.At(*square))].inflammable = true;
    }
  }
  return terrain;
}

}  // namespace fos::squares
