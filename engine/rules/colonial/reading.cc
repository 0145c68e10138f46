// SPDX-License-Identifier: MIT
#include "engine/rules/colonial/reading.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace fos::colonial {
namespace {

double ToNearestLine(double mm, double square_mm) {
  const double past = std::fmod(mm, square_mm);
  return std::min(past, square_mm - past);
}

// The part of an outline on one side of a line: where normal * p >= limit (Sutherland, Hodgman).
Polygon Clipped(const Polygon& outline, Vec2 normal, double limit) {
  Polygon out;
  const auto over = [&](Vec2 p) { return normal.x * p.x + normal.y * p.y - limit; };
  for (std::size_t i = 0; i < outline.size(); ++i) {
    const Vec2 a = outline[i];
    const Vec2 b = outline[(i + 1) % outline.size()];
    const double at_a = over(a);
    const double at_b = over(b);
    if (at_a >= 0) out.push_back(a);
    if ((at_a >= 0) != (at_b >= 0)) out.push_back(a + (b - a) * (at_a / (at_a - at_b)));
  }
  return out;
}

}  // namespace

// COL-1.2.
SquareReading ReadSquare(const Tables& tables, const Settings& settings, const Board& board,
                         double x_mm, double y_mm) {
  const double side = tables.square_mm;
  // The north and east edges belong to the last square, as everywhere (table_frame.h).
  if (!(x_mm >= 0 && y_mm >= 0 && x_mm <= board.columns * side && y_mm <= board.rows * side))
    return {};
  const SquareIndex index{std::min(board.columns - 1, static_cast<int>(x_mm / side)),
                          std::min(board.rows - 1, static_cast<int>(y_mm / side))};
  SquareReading out{board.At(index), false, {}};
  // The squares beyond the lines that are too near, and the one beyond both.
  const double doubt = settings.grid_line_doubt_mm;
  const auto beyond = [&](double mm, int at) {
    return ToNearestLine(mm, side) > doubt ? 0 : mm / side - at < 0.5 ? -1 : 1;
  };
  const int dx = beyond(x_mm, index.column);
  const int dy = beyond(y_mm, index.row);
  out.doubtful = dx != 0 || dy != 0;
  for (const auto& [x, y] : {std::pair{dx, 0}, {0, dy}, {dx, dy}}) {
    const SquareIndex other{index.column + x, index.row + y};
    if ((x == 0 && y == 0) || !board.Contains(other)) continue;
    const Cell cell = board.At(other);
    if (std::find(out.near.begin(), out.near.end(), cell) == out.near.end())
      out.near.push_back(cell);
  }
  return out;
}

// COL-1.3.
bool InFrontHalf(const Tables& tables, const Board& board, Cell cell, Facing facing,
                 Vec2 centre_mm) {
  const SquareIndex at = board.IndexOf(cell);
  const double side = tables.square_mm;
  const squares::Offset f = squares::StepOf(facing);
  return f.dx * (centre_mm.x - (at.column + 0.5) * side) +
             f.dy * (centre_mm.y - (at.row + 0.5) * side) >
         0;
}

// COL-1.6.
FacingReading ReadFacing(const Settings& settings, double bearing_deg) {
  if (!std::isfinite(bearing_deg)) return {Facing::kNorth, Facing::kNorth, true};
  const double step = 360.0 / settings.facing_steps;
  const double bearing = std::fmod(std::fmod(bearing_deg, 360.0) + 360.0, 360.0);
  const int nearest = static_cast<int>(std::floor(bearing / step + 0.5));
  const int next = bearing > nearest * step ? nearest + 1 : nearest - 1;
  const auto facing = [&](int n) {
    return static_cast<Facing>((n + settings.facing_steps) % settings.facing_steps *
                               (8 / settings.facing_steps));
  };
  // Degrees to the limit between the two facings.
  const double margin = step / 2 - std::abs(bearing - nearest * step);
  return {facing(nearest), facing(next), margin < settings.facing_doubt_deg};
}

// COL-1.5.
std::string FootprintNote(const Tables& tables, const Settings& settings, int type, double width_mm,
                          double depth_mm) {
  const double tolerance = settings.stand_size_tolerance_mm;
  const auto fits = [&](const StandType& t) {
    return std::abs(width_mm - t.width_mm) <= tolerance &&
           std::abs(depth_mm - t.depth_mm) <= tolerance;
  };
  const StandType& own = tables.types[static_cast<std::size_t>(type)];
  if (fits(own)) return "";
  // Dismounted figures may still stand on their cavalry base.
  if (own.id == "dismounted_cavalry" &&
      std::any_of(tables.types.begin(), tables.types.end(),
                  [&](const StandType& t) { return t.arm == Arm::kCavalry && fits(t); }))
    return "";
  static const std::vector<std::string> kLooks = {"infantry",    "cavalry",   "artillery",
                                                  "machine gun", "transport", "a Command stand"};
  std::string looks = "like none of the rules' stands";
  for (const StandType& t : tables.types)
    if (fits(t)) {
      looks = "like " + kLooks[static_cast<std::size_t>(t.arm)];
      break;
    }
  return fmt::format("{} should be {} by {} mm and measures {:.0f} by {:.0f}: looks {}", own.name,
                     own.width_mm, own.depth_mm, width_mm, depth_mm, looks);
}

// COL-1.4.
std::vector<Cell> CellsTaken(const Tables& tables, const Settings& settings, const Board& board,
                             const Polygon& outline_mm) {
  std::vector<Cell> out;
  const double side = tables.square_mm;
  for (Cell cell = 0; cell < board.Cells(); ++cell) {
    const SquareIndex at = board.IndexOf(cell);
    Polygon part = Clipped(outline_mm, {1, 0}, at.column * side);
    part = Clipped(part, {-1, 0}, -(at.column + 1) * side);
    part = Clipped(part, {0, 1}, at.row * side);
    part = Clipped(part, {0, -1}, -(at.row + 1) * side);
    // An exact share counts. An outline in inches to three decimals misses the lines of a metric grid
    // by up to 0.0005 in along two sides, which is a thousandth of the square.
    constexpr double kRounding = 1e-3;
    const double share = part.size() < 3 ? 0 : Area(part) / (side * side);
    if (share > kRounding && share + kRounding >= settings.terrain_cover_fraction)
      out.push_back(cell);
  }
  return out;
}

// COL-1.4: the edges that an outline runs along for at least the settings' share of their length.
void AddEdgesUnder(Setup& setup, const Polygon& outline_mm, EdgeBit bit) {
  // Tolerance, as a share of the square, for outlines drawn along a grid line.
  constexpr double kBeside = 0.2;
  constexpr int kSamples = 20;
  const double side = setup.tables.square_mm;
  const auto along = [&](Vec2 from, Vec2 step) {
    int near = 0;
    for (int n = 0; n < kSamples; ++n) {
      const Vec2 at = from + step * ((n + 0.5) / kSamples);
      near += Contains(outline_mm, at) || DistanceTo(outline_mm, at) <= kBeside * side;
    }
    return near >= setup.settings.terrain_cover_fraction * kSamples;
  };
  for (Cell cell = 0; cell < setup.board.Cells(); ++cell) {
    const SquareIndex at = setup.board.IndexOf(cell);
    const Vec2 north_east{(at.column + 1) * side, (at.row + 1) * side};
    if (const Cell north = setup.board.Step(cell, Facing::kNorth);
        north != kNowhere && along(north_east, Vec2{-side, 0}))
      setup.AddEdge(cell, north, bit);
    if (const Cell east = setup.board.Step(cell, Facing::kEast);
        east != kNowhere && along(north_east, Vec2{0, -side}))
      setup.AddEdge(cell, east, bit);
  }
}

}  // namespace fos::colonial
