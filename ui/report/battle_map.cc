// SPDX-License-Identifier: MIT
#include "ui/report/battle_map.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include <fmt/format.h>

namespace fos {
namespace {

// The map's width on the page, and the margin around the board for its letters and numbers.
constexpr double kWidth = 900;
constexpr double kMargin = 26;

constexpr Colour kPaper{251, 248, 238};
constexpr Colour kGrid{214, 207, 186};
constexpr Colour kWhite{255, 253, 246};
constexpr Colour kShot{150, 20, 20};

Colour Mixed(Colour a, Colour b, double share_of_b) {
  const auto mix = [&](std::uint8_t x, std::uint8_t y) {
    return static_cast<std::uint8_t>(std::lround(x + share_of_b * (y - x)));
  };
  return {mix(a.r, b.r), mix(a.g, b.g), mix(a.b, b.b)};
}

struct GroundLook {
  Colour fill;
  Colour edge;
};
GroundLook LookOf(const std::string& type) {
  if (type == "wood" || type == "tree") return {{205, 220, 184}, {122, 148, 92}};
  if (type == "rocks") return {{214, 210, 202}, {140, 134, 122}};
  if (type == "house" || type == "town" || type == "village")
    return {{226, 203, 186}, {146, 96, 72}};
  if (type == "fort" || type == "wall") return {{210, 204, 196}, {104, 98, 88}};
  if (type == "river" || type == "water" || type == "stream")
    return {{190, 214, 230}, {104, 148, 182}};
  if (type == "hedge" || type == "fence" || type == "scrub" || type == "brush")
    return {{196, 206, 164}, {122, 132, 84}};
  if (type == "marsh" || type == "soft" || type == "swamp")
    return {{206, 220, 212}, {120, 160, 150}};
  if (type == "road") return {{232, 220, 192}, {190, 168, 122}};
  if (type == "bridge") return {{222, 200, 160}, {140, 108, 62}};
  if (type == "hill") return {{236, 226, 200}, {190, 172, 128}};
  if (type == "field") return {{240, 232, 190}, {206, 190, 120}};
  return {{230, 226, 214}, {160, 152, 134}};
}

// Mean width of a letter of the maps' bold sans, as a share of the font size.
constexpr double kLetterWidth = 0.6;

// A possible place of a name: the middle of its baseline, in the drawing's units.
struct NamePlace {
  double x = 0, y = 0, half_width = 0, height = 0;
  NamePlace At(double new_y) const { return {x, new_y, half_width, height}; }
  NamePlace Lower(double by) const { return At(y + by); }
  bool Overlaps(const NamePlace& other) const {
    return std::abs(x - other.x) < half_width + other.half_width &&
           std::abs(y - other.y) < 0.5 * (height + other.height);
  }
};

class Map {
 public:
  Map(const Battle& battle, std::string title) : battle_(battle) {
    const TableFrame& board = battle.board;
    const double width = std::max(board.Width(), 1.0);
    scale_ = (kWidth - 2 * kMargin) / width;
    // Limits the height of the map of a deep table.
    scale_ = std::min(scale_, 1100 / std::max(board.Depth(), 1.0));
    out_.width = 2 * kMargin + scale_ * width;
    out_.height = 2 * kMargin + scale_ * board.Depth();
    out_.title = std::move(title);
    square_ = scale_ * board.square_in;
    Table();
  }

  void Pieces(const std::vector<PieceView>& pieces, bool named) {
    for (const PieceView& piece : pieces) {
      if (piece.on_table) Piece(piece, 1);
    }
    if (named) Names(pieces);
  }

  void Marks(const std::vector<std::pair<std::string, std::string>>& squares) {
    for (const auto& [name, what] : squares) {
      const auto square = ParseSquare(name);
      if (!square) continue;
      const Vec2 corner = At(battle_.board.CentreOf(*square)) - Vec2{square_ / 2, square_ / 2};
      if (what == "burning" || what == "burnt") {
        const Colour c = what == "burning" ? Colour{222, 116, 36} : Colour{70, 62, 54};
        out_.Box(corner, {square_, square_}, {c, std::nullopt, 1, 0.35, 0});
        Flame(corner + Vec2{square_ * 0.84, square_ * 0.22}, square_ * 0.16, c);
      } else if (what == "contact") {
        out_.Box(corner + Vec2{2, 2}, {square_ - 4, square_ - 4},
                 {std::nullopt, Colour{168, 40, 40}, 2, 0.8, 4});
      }
    }
  }

  void Move(const BattleMove& move) {
    if (move.path.size() < 2) return;
    std::vector<Vec2> points;
    for (const Vec2 p : move.path) points.push_back(At(p));
    const Colour colour = Mixed(ColourOf(move.side), kWhite, 0.15);
    const Vec2 before = points[points.size() - 2];
    const Vec2 along = Normalized(points.back() - before);
    // Stops before the blocks that moved there, if the arrow is long enough.
    const double back = std::min(0.24 * square_, 0.5 * Distance(points.back(), before));
    const Vec2 end = points.back() - back * along;
    const double head = std::clamp(square_ * 0.2, 6.0, 12.0);
    points.back() = end - along * (head * 0.8);
    out_.marks.push_back(Outline{{points}, false, {std::nullopt, kWhite, 5.5, 0.8, 0}});
    out_.marks.push_back(Outline{{points}, false, {std::nullopt, colour, 3, 0.9, 0}});
    out_.Shape({end, end - head * along + 0.5 * head * Perpendicular(along),
                end - head * along - 0.5 * head * Perpendicular(along)},
               {colour, std::nullopt, 1, 0.95, 0});
    out_.marks.push_back(Disc{points.front(), 2.6, {colour, kWhite, 1, 1, 0}});
  }

  void Shot(const BattleShot& shot, int number) {
    const std::optional<Vec2> to = shot.landed ? shot.landed : shot.target;
    if (!to) return;
    const Vec2 end = At(*to);
    const Colour colour = shot.thrown ? kShot : Mixed(ColourOf(shot.side), kInk, 0.35);
    if (shot.from) {
      const Vec2 from = At(*shot.from);
      out_.Line(from, end, {std::nullopt, kWhite, 3, 0.7, 0});
      out_.Line(from, end, {std::nullopt, colour, 1.3, 0.95, shot.thrown ? 0.0 : 4.0});
    }
    if (shot.landed && shot.target && Distance(*shot.landed, *shot.target) > 0.05) {
      out_.Line(At(*shot.target), end, {std::nullopt, colour, 0.9, 0.8, 2});
      Cross(At(*shot.target), 3.5, {std::nullopt, colour, 1.1, 0.8, 0});
    }
    if (!shot.thrown) {
      Arrow(shot.from ? At(*shot.from) : end - Vec2{0, 10}, end, colour);
      return;
    }
    // A swab's hit circle has a radius of one inch (NAP-3F).
    out_.marks.push_back(Disc{end, scale_ * 1.0, {std::nullopt, colour, 1.1, 0.75, 2.5}});
    Star(end, 6.5, colour);
    if (number > 0) {
      const Vec2 badge = end + Vec2{11, -10};
      out_.marks.push_back(Disc{badge, 7.5, {colour, kWhite, 1.2, 1, 0}});
      Text(badge + Vec2{0, 3.4}, fmt::format("{}", number), 9.5, kWhite, true, false);
    }
  }

  void Lost(const PieceView& piece) {
    Piece(piece, 0.28);
    const double r = std::clamp(square_ * 0.14, 4.5, 9.0);
    Cross(At(piece.at_in), r, {std::nullopt, kWhite, 4.6, 0.9, 0});
    Cross(At(piece.at_in), r, {std::nullopt, Mixed(ColourOf(piece.side), kInk, 0.2), 2.4, 1, 0});
  }

  // Names below their blocks: every unit's name where blocks stand free; in a shared square the
  // first name and the number of the others.
  void Names(const std::vector<PieceView>& pieces) {
    struct Group {
      std::vector<std::string> units;
      int side = -1;
      double left = 1e9, right = -1e9, top = 1e9, bottom = -1e9;
    };
    std::map<std::string, Group> groups;
    for (const PieceView& piece : pieces) {
      if (!piece.on_table) continue;
      const bool own = !battle_.kinds.empty() || piece.square.empty();  // measured positions
      Group& group = groups[own ? piece.unit + "@" + piece.square
                                : fmt::format("{} {}", piece.square, piece.side)];
      if (std::find(group.units.begin(), group.units.end(), piece.unit) == group.units.end()) {
        group.units.push_back(piece.unit);
      }
      group.side = piece.side;
      const Vec2 at = At(piece.at_in);
      const double reach = Norm(Half(piece)) * 0.85;
      group.left = std::min(group.left, at.x - reach);
      group.right = std::max(group.right, at.x + reach);
      group.top = std::min(group.top, at.y - reach);
      group.bottom = std::max(group.bottom, at.y + reach);
    }
    const double size = std::clamp(square_ * 0.17, 7.5, 11.0);
    std::vector<NamePlace> taken;
    for (const auto& [where, group] : groups) {
      std::string text = group.units.front();
      if (group.units.size() == 2) text += ", " + group.units[1];
      if (group.units.size() > 2) text += fmt::format(" +{}", group.units.size() - 1);
      // Two long names would overlap their neighbours.
      if (group.units.size() == 2 &&
          kLetterWidth * size * static_cast<double>(text.size()) > 0.98 * square_) {
        text = group.units.front() + " +1";
      }
      // Below its blocks; else one line lower, above, or two lines lower.
      const NamePlace below{(group.left + group.right) / 2, group.bottom + size * 0.95,
                            0.5 * kLetterWidth * size * static_cast<double>(text.size()), size};
      const NamePlace places[] = {below, below.Lower(size), below.At(group.top - 0.25 * size),
                                  below.Lower(2 * size)};
      const NamePlace* place =
          std::find_if(std::begin(places), std::end(places), [&](const auto& p) {
            return std::none_of(taken.begin(), taken.end(),
                                [&](const NamePlace& other) { return p.Overlaps(other); });
          });
      if (place == std::end(places)) place = places;
      taken.push_back(*place);
      Text({place->x, place->y}, text, size, Mixed(ColourOf(group.side), kInk, 0.35), true, true);
    }
  }

  Drawing Done() && { return std::move(out_); }

 private:
  Vec2 At(Vec2 inches) const {
    const auto inside = [](double value, double most) {
      return std::isfinite(value) ? std::clamp(value, -24.0, most + 24.0) : 0.0;
    };
    return {kMargin + scale_ * inside(inches.x, battle_.board.Width()),
            out_.height - kMargin - scale_ * inside(inches.y, battle_.board.Depth())};
  }
  Colour ColourOf(int side) const {
    return side >= 0 && static_cast<std::size_t>(side) < battle_.sides.size()
               ? battle_.sides[static_cast<std::size_t>(side)].colour
               : Colour{110, 104, 92};
  }
  void Text(Vec2 at, std::string text, double size, Colour colour, bool bold, bool halo) {
    out_.marks.push_back(
        Label{at, std::move(text), size, colour, Label::Anchor::kMiddle, bold, halo});
  }
  void Cross(Vec2 at, double r, const Ink& ink) {
    out_.marks.push_back(Outline{
        {{at - Vec2{r, r}, at + Vec2{r, r}}, {at + Vec2{-r, r}, at + Vec2{r, -r}}}, false, ink});
  }
  void Star(Vec2 at, double r, Colour colour) {
    std::vector<Vec2> points;
    constexpr int kPoints = 8;
    for (int i = 0; i < 2 * kPoints; ++i) {
      const double angle = std::numbers::pi * i / kPoints;
      points.push_back(at + (i % 2 == 0 ? r : 0.42 * r) * Vec2{std::sin(angle), std::cos(angle)});
    }
    out_.Shape(std::move(points), {colour, kWhite, 0.8, 1, 0});
  }
  void Flame(Vec2 at, double r, Colour colour) {
    out_.Shape({at + Vec2{0, -1.6 * r}, at + Vec2{0.8 * r, -0.1 * r}, at + Vec2{0.5 * r, 0.9 * r},
                at + Vec2{-0.5 * r, 0.9 * r}, at + Vec2{-0.8 * r, -0.1 * r}},
               {colour, kWhite, 0.8, 1, 0});
  }
  void Arrow(Vec2 from, Vec2 to, Colour colour) {
    const Vec2 along = Normalized(to - from);
    out_.Shape({to, to - 8.0 * along + 3.2 * Perpendicular(along),
                to - 8.0 * along - 3.2 * Perpendicular(along)},
               {colour, kWhite, 0.6, 1, 0});
  }

  void Table() {
    const TableFrame& board = battle_.board;
    out_.Box({0, 0}, {out_.width, out_.height}, {kPaper, std::nullopt, 1, 1, 0});
    const Vec2 corner = At({0, board.Depth()});
    const Vec2 size{scale_ * board.Width(), scale_ * board.Depth()};
    out_.Box(corner, size, {Colour{245, 240, 222}, std::nullopt, 1, 1, 0});
    // Drawn in this order: hills, water, woods, roads.
    for (const char* layer :
         {"hill", "field", "marsh", "river", "water", "wood", "*", "road", "bridge"}) {
      for (const MapTerrain& ground : battle_.terrain) {
        const std::string own = std::string(" hill field marsh river water wood road bridge ");
        const bool listed = own.find(" " + ground.type + " ") != std::string::npos;
        if (ground.type == layer || (!listed && layer == std::string("*"))) Area(ground);
      }
    }
    for (int c = 0; c <= board.columns; ++c) {
      const double x = c * board.square_in;
      out_.Line(At({x, 0}), At({x, board.Depth()}), {std::nullopt, kGrid, 0.8, 0.9, 0});
    }
    for (int r = 0; r <= board.rows; ++r) {
      const double y = r * board.square_in;
      out_.Line(At({0, y}), At({board.Width(), y}), {std::nullopt, kGrid, 0.8, 0.9, 0});
    }
    out_.Box(corner, size, {std::nullopt, kInk, 1.6, 1, 0});
    const double letters = std::clamp(square_ * 0.24, 8.0, 12.0);
    battle_.gridded ? Letters(letters) : Feet(letters);
    for (const MapObjective& objective : battle_.objectives) Name(objective);
  }

  // Column letters and row numbers on all four sides.
  void Letters(double letters) {
    const TableFrame& board = battle_.board;
    for (int c = 0; c < board.columns; ++c) {
      const Vec2 middle = At(board.CentreOf({c, 0}));
      std::string name = SquareName({c, 0});
      name.resize(name.find_first_of("0123456789"));
      Text({middle.x, out_.height - kMargin + 14}, name, letters, kFaint, false, false);
      Text({middle.x, kMargin - 7}, name, letters, kFaint, false, false);
    }
    for (int r = 0; r < board.rows; ++r) {
      const Vec2 middle = At(board.CentreOf({0, r}));
      for (const double x : {kMargin - 12, out_.width - kMargin + 12}) {
        Text({x, middle.y + letters * 0.35}, fmt::format("{}", r + 1), letters, kFaint, false,
             false);
      }
    }
  }
  // Without squares: inches from the south-west corner.
  void Feet(double letters) {
    const TableFrame& board = battle_.board;
    for (int c = 0; c <= board.columns; ++c) {
      const double x_in = c * board.square_in;
      Text({At({x_in, 0}).x, out_.height - kMargin + 14}, fmt::format("{:g}", x_in), letters,
           kFaint, false, false);
    }
    for (int r = 1; r <= board.rows; ++r) {
      const double y_in = r * board.square_in;
      Text({kMargin - 13, At({0, y_in}).y + letters * 0.35}, fmt::format("{:g}", y_in), letters,
           kFaint, false, false);
    }
  }

  void Name(const MapObjective& objective) {
    if (objective.squares.empty()) return;
    Vec2 sum;
    for (const SquareIndex square : objective.squares) {
      const Vec2 corner = At(battle_.board.CentreOf(square)) - Vec2{square_ / 2, square_ / 2};
      out_.Box(corner + Vec2{1.5, 1.5}, {square_ - 3, square_ - 3},
               {std::nullopt, Colour{168, 120, 32}, 2, 0.9, 5});
      sum = sum + battle_.board.CentreOf(square);
    }
    const Vec2 at = At(sum / static_cast<double>(objective.squares.size()));
    Text(at - Vec2{0, square_ * 0.5 + 4},
         objective.points > 0 ? fmt::format("{} ({:g})", objective.name, objective.points)
                              : objective.name,
         std::clamp(square_ * 0.22, 9.0, 12.5), Colour{122, 84, 16}, true, true);
  }

  void Area(const MapTerrain& ground) {
    const GroundLook look = LookOf(ground.type);
    if (ground.polygon.size() >= 3) {
      std::vector<Vec2> corners;
      for (const Vec2 p : ground.polygon) corners.push_back(At(p));
      out_.Shape(std::move(corners), {look.fill, look.edge, 1.2, 1, 0});
      if (ground.type == "wood") {
        Vec2 sum;
        for (const Vec2 p : ground.polygon) sum = sum + p;
        Tree(At(sum / static_cast<double>(ground.polygon.size())));
      }
      return;
    }
    for (const auto& [one, other] : ground.edges) {
      // The edge crosses the middle of the line between the two squares' centres.
      const Vec2 a = battle_.board.CentreOf(one);
      const Vec2 b = battle_.board.CentreOf(other);
      const Vec2 middle = 0.5 * (a + b);
      const Vec2 across = 0.5 * battle_.board.square_in * Perpendicular(Normalized(b - a));
      out_.Line(At(middle - across), At(middle + across), {std::nullopt, look.edge, 3.5, 0.9, 0});
    }
    if (ground.type == "road") return Road(ground, look);
    for (const SquareIndex square : ground.squares) {
      if (!battle_.board.Contains(square)) continue;
      const Vec2 middle = At(battle_.board.CentreOf(square));
      const Vec2 corner = middle - Vec2{square_ / 2, square_ / 2};
      if (ground.type == "bridge") {
        out_.Box(middle - Vec2{square_ * 0.22, square_ * 0.5}, {square_ * 0.44, square_},
                 {look.fill, look.edge, 1.4, 1, 0});
        continue;
      }
      out_.Box(corner, {square_, square_}, {look.fill, std::nullopt, 1, 1, 0});
      if (ground.type == "wood") {
        for (const Vec2 at :
             {Vec2{-0.28, -0.26}, Vec2{0.28, -0.2}, Vec2{-0.05, 0.26}, Vec2{0.3, 0.3}}) {
          Tree(middle + square_ * at);
        }
      } else if (ground.type == "house") {
        const double r = square_ * 0.15;
        for (const Vec2 at :
             {Vec2{-0.26, -0.25}, Vec2{0.24, -0.28}, Vec2{0.26, 0.25}, Vec2{-0.24, 0.28}}) {
          House(middle + square_ * at, r, look);
        }
      } else if (ground.type == "fort" || ground.type == "wall") {
        out_.Box(corner + Vec2{3, 3}, {square_ - 6, square_ - 6},
                 {std::nullopt, look.edge, 3, 1, 0});
      } else if (ground.type == "river" || ground.type == "water" || ground.type == "marsh") {
        for (const double dy : {-0.22, 0.02, 0.26}) Wave(middle + Vec2{0, dy * square_}, look.edge);
      } else if (ground.type == "rocks") {
        for (const Vec2 at : {Vec2{-0.2, -0.15}, Vec2{0.22, 0.05}, Vec2{-0.1, 0.25}}) {
          const Vec2 c = middle + square_ * at;
          const double r = square_ * 0.12;
          out_.Shape({c + Vec2{-r, r * 0.7}, c + Vec2{-r * 0.3, -r}, c + Vec2{r, r * 0.7}},
                     {Mixed(look.fill, look.edge, 0.3), look.edge, 1, 1, 0});
        }
      }
    }
  }

  void Tree(Vec2 at) {
    const double r = std::clamp(square_ * 0.13, 4.0, 12.0);
    out_.marks.push_back(Disc{at, r, {Colour{146, 174, 112}, Colour{100, 130, 72}, 0.8, 0.85, 0}});
  }
  void House(Vec2 at, double r, const GroundLook& look) {
    out_.Box(at - Vec2{r, r * 0.7}, {2 * r, 1.4 * r},
             {Colour{190, 128, 100}, look.edge, 0.9, 1, 0});
    out_.Line(at - Vec2{r, 0}, at + Vec2{r, 0}, {std::nullopt, look.edge, 0.8, 1, 0});
  }
  void Wave(Vec2 at, Colour colour) {
    std::vector<Vec2> points;
    for (int i = -6; i <= 6; ++i) {
      points.push_back(at + Vec2{i * square_ * 0.06, std::sin(i * 1.05) * square_ * 0.03});
    }
    out_.marks.push_back(Outline{{points}, false, {std::nullopt, colour, 1, 0.7, 0}});
  }
  void Road(const MapTerrain& ground, const GroundLook& look) {
    std::vector<std::vector<Vec2>> lines;
    for (std::size_t i = 0; i < ground.squares.size(); ++i) {
      const SquareIndex square = ground.squares[i];
      const bool joins = i > 0 && std::abs(square.column - ground.squares[i - 1].column) <= 1 &&
                         std::abs(square.row - ground.squares[i - 1].row) <= 1;
      if (!joins) lines.emplace_back();
      lines.back().push_back(At(battle_.board.CentreOf(square)));
    }
    const double width = square_ * 0.24;
    out_.marks.push_back(Outline{lines, false, {std::nullopt, look.edge, width + 2, 1, 0}});
    out_.marks.push_back(Outline{lines, false, {std::nullopt, look.fill, width, 1, 0}});
  }

  // Half of a block's width and depth, in the drawing's units.
  Vec2 Half(const PieceView& piece) const {
    Vec2 half{square_ * 0.15, square_ * 0.085};
    // Without squares a block has about a base's size: a front of an inch and a half.
    if (!battle_.gridded) half = scale_ * Vec2{0.72, 0.4};
    if (const auto kind = battle_.kinds.find(piece.kind); kind != battle_.kinds.end()) {
      half = 0.5 * scale_ * Vec2{kind->second.footprint.width_in, kind->second.footprint.depth_in};
    }
    return {std::max(half.x, 3.5), std::max(half.y, 2.5)};
  }

  // A stand: a block in its side's colour with its front edge and the symbol of its arm.
  void Piece(const PieceView& piece, double opacity) {
    const Vec2 half = Half(piece);
    const Vec2 at = At(piece.at_in);
    const double bearing = std::isfinite(piece.bearing_deg) ? piece.bearing_deg : 0;
    const double angle = bearing * std::numbers::pi / 180;
    const Vec2 front{std::sin(angle), -std::cos(angle)};
    const Vec2 right{-front.y, front.x};
    const auto corner = [&](double x, double y) {
      return at + x * half.x * right + y * half.y * front;
    };
    const Colour colour = ColourOf(piece.side);
    const bool gun = piece.kind.find("gun") != std::string::npos ||
                     piece.kind.find("wagon") != std::string::npos;
    out_.Shape(
        {corner(-1, 1), corner(1, 1), corner(1, -1), corner(-1, -1)},
        {gun ? Mixed(colour, kWhite, 0.75) : colour, Mixed(colour, kInk, 0.6), 0.9, opacity, 0});
    const Colour sign = gun ? Mixed(colour, kInk, 0.3) : kWhite;
    const auto has = [&](const char* word) { return piece.kind.find(word) != std::string::npos; };
    const Ink thin{std::nullopt, sign, 0.9, opacity * 0.9, 0};
    if (has("cavalry") || has("horse")) {
      out_.Line(corner(-1, -1), corner(1, 1), thin);
    } else if (gun || has("crew") || has("artillery")) {
      out_.marks.push_back(
          Disc{at, std::min(half.x, half.y) * 0.5, {sign, std::nullopt, 1, opacity, 0}});
    } else if (has("infantry") || has("guard")) {
      out_.Line(corner(-1, -1), corner(1, 1), thin);
      out_.Line(corner(-1, 1), corner(1, -1), thin);
    }
    // The front edge.
    out_.Line(corner(-1, 1), corner(1, 1), {std::nullopt, kWhite, 2.2, opacity, 0});
    out_.Shape({corner(-0.28, 1.05), corner(0, 1.7), corner(0.28, 1.05)},
               {Mixed(colour, kInk, 0.6), std::nullopt, 1, opacity, 0});
  }

  const Battle& battle_;
  Drawing out_;
  double scale_ = 1;
  double square_ = 1;
};

}  // namespace

Drawing TurnMap(const Battle& battle, const BattleTurn& turn) {
  Map map(battle, fmt::format("Map of {}: {}", battle.name, turn.title));
  map.Marks(turn.square_marks);
  for (const PieceView& piece : turn.lost) map.Lost(piece);
  for (const BattleMove& move : turn.moves) map.Move(move);
  map.Pieces(turn.after, false);
  int number = 0;
  for (const BattleShot& shot : turn.shots) map.Shot(shot, shot.thrown ? ++number : 0);
  map.Names(turn.after);
  return std::move(map).Done();
}

Drawing StartMap(const Battle& battle) {
  Map map(battle, fmt::format("Map of {}: the deployment", battle.name));
  if (!battle.turns.empty()) map.Pieces(battle.turns.front().before, true);
  return std::move(map).Done();
}

Drawing LossPlot(const Battle& battle) {
  constexpr double kPlotWidth = 640, kPlotHeight = 260;
  constexpr double kLeft = 46, kRight = 130, kTop = 18, kBottom = 36;
  Drawing out;
  out.width = kPlotWidth;
  out.height = kPlotHeight;
  out.title = "Losses over time";
  int most = 1;
  int last = 1;
  for (const Strength& one : battle.strength) {
    for (const int lost : one.lost) most = std::max(most, lost);
    last = std::max(last, one.turn);
  }
  // At most eight lines across.
  int step = 1;
  while (most / step > 8)
    step = step % 2 == 1 && step > 1 ? step * 2 : step == 1 ? 2 : step * 5 / 2;
  const int top = (most + step - 1) / step * step;
  const auto at = [&](double turn, double lost) {
    return Vec2{kLeft + (kPlotWidth - kLeft - kRight) * turn / last,
                kPlotHeight - kBottom - (kPlotHeight - kTop - kBottom) * lost / top};
  };
  for (int lost = 0; lost <= top; lost += step) {
    out.Line(at(0, lost), at(last, lost), {std::nullopt, kGrid, 0.8, 1, 0});
    out.marks.push_back(Label{at(0, lost) + Vec2{-8, 4}, fmt::format("{}", lost), 11, kFaint,
                              Label::Anchor::kEnd, false, false});
  }
  const int every = std::max(1, last / 12);
  for (int turn = 0; turn <= last; turn += every) {
    out.marks.push_back(Label{at(turn, 0) + Vec2{0, 17},
                              turn == 0 ? "start" : fmt::format("{}", turn), 11, kFaint,
                              Label::Anchor::kMiddle, false, false});
  }
  out.marks.push_back(Label{at(last / 2.0, 0) + Vec2{0, 32}, "turn", 11, kFaint,
                            Label::Anchor::kMiddle, false, false});
  std::vector<double> ends;
  for (std::size_t side = 0; side < battle.sides.size(); ++side) {
    std::vector<Vec2> line;
    for (const Strength& one : battle.strength) {
      if (side < one.lost.size()) line.push_back(at(one.turn, one.lost[side]));
    }
    if (line.empty()) continue;
    const Colour colour = battle.sides[side].colour;
    out.marks.push_back(Outline{{line}, false, {std::nullopt, colour, 2.6, 1, 0}});
    for (const Vec2 p : line) out.marks.push_back(Disc{p, 3.4, {colour, kWhite, 1.2, 1, 0}});
    double y = line.back().y + 4;
    while (std::any_of(ends.begin(), ends.end(),
                       [&](double other) { return std::abs(other - y) < 14; }))
      y += 14;
    ends.push_back(y);
    out.marks.push_back(
        Label{{line.back().x + 10, y},
              fmt::format("{} {}", battle.sides[side].name, battle.strength.back().lost[side]),
              12,
              colour,
              Label::Anchor::kStart,
              true,
              false});
  }
  return out;
}

Drawing MapKey(const Battle& battle) {
  Battle blank;
  blank.board = {14, 1, 4.0};
  blank.sides = battle.sides;
  Drawing out;
  out.width = 900;
  out.height = 30;
  out.title = "Key to the map";
  double x = 8;
  const auto word = [&](const std::string& text) {
    out.marks.push_back(Label{{x, 19.5}, text, 11.5, kInk, Label::Anchor::kStart, false, false});
    x += 6.2 * static_cast<double>(text.size()) + 20;
  };
  for (const BattleSide& side : battle.sides) {
    out.Box({x, 10}, {20, 11}, {side.colour, Mixed(side.colour, kInk, 0.6), 0.9, 1, 0});
    out.Line({x, 10}, {x + 20, 10}, {std::nullopt, kWhite, 2.2, 1, 0});
    x += 27;
    word(side.name);
  }
  const Colour moved =
      battle.sides.empty() ? kInk : Mixed(battle.sides.front().colour, kWhite, 0.15);
  out.Line({x, 15}, {x + 22, 15}, {std::nullopt, moved, 3, 0.9, 0});
  out.Shape({{x + 31, 15}, {x + 21, 10.5}, {x + 21, 19.5}}, {moved, std::nullopt, 1, 1, 0});
  x += 38;
  word("moved");
  out.marks.push_back(Disc{{x + 9, 15}, 9, {std::nullopt, kShot, 1.1, 0.8, 2.5}});
  out.marks.push_back(Disc{{x + 9, 15}, 3.5, {kShot, std::nullopt, 1, 1, 0}});
  x += 25;
  word("where a shot landed");
  out.Line({x, 15}, {x + 24, 15}, {std::nullopt, kInk, 1.3, 0.95, 4});
  x += 31;
  word("volley");
  out.marks.push_back(Outline{
      {{{x, 10}, {x + 10, 20}}, {{x, 20}, {x + 10, 10}}}, false, {std::nullopt, kInk, 2.4, 1, 0}});
  x += 17;
  word("lost");
  out.marks.push_back(
      Label{{892, 19.5}, "north is up", 11.5, kFaint, Label::Anchor::kEnd, false, false});
  return out;
}

}  // namespace fos
