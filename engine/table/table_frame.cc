// SPDX-License-Identifier: MIT
#include "engine/table/table_frame.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace fos {
namespace {

constexpr std::array<std::string_view, 8> kFacingNames = {"N", "NE", "E", "SE",
                                                          "S", "SW", "W", "NW"};

}  // namespace

std::optional<SquareIndex> TableFrame::SquareAt(Vec2 p) const {
  if (!Contains(p)) return std::nullopt;
  return SquareIndex{std::min(static_cast<int>(p.x / square_in), columns - 1),
                     std::min(static_cast<int>(p.y / square_in), rows - 1)};
}

std::string SquareName(SquareIndex square) {
  std::string letters;
  for (int c = square.column + 1; c > 0; c = (c - 1) / 26) {
    letters.insert(letters.begin(), static_cast<char>('A' + (c - 1) % 26));
  }
  return letters + std::to_string(square.row + 1);
}

std::optional<SquareIndex> ParseSquare(std::string_view name) {
  constexpr int kTooLarge = 10000;  // far above any table; prevents overflow
  std::size_t at = 0;
  int column = 0;
  for (; at < name.size() && name[at] >= 'A' && name[at] <= 'Z'; ++at) {
    column = column * 26 + (name[at] - 'A' + 1);
    if (column > kTooLarge) return std::nullopt;
  }
  if (at == 0 || at == name.size() || name[at] == '0') return std::nullopt;
  int row = 0;
  for (; at < name.size(); ++at) {
    if (name[at] < '0' || name[at] > '9') return std::nullopt;
    row = row * 10 + (name[at] - '0');
    if (row > kTooLarge) return std::nullopt;
  }
  return SquareIndex{column - 1, row - 1};
}

std::string NotASquare(std::string_view name, int columns, int rows) {
  constexpr std::size_t kQuoted = 100;
  std::string out = "`";
  out.append(name.substr(0, kQuoted)).append("` is not a square of this board; ");
  std::string capitals(name.substr(0, kQuoted));
  for (char& c : capitals) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  const auto meant = ParseSquare(capitals);
  const bool on_board = meant && meant->column < columns && meant->row < rows;
  if (capitals != name && on_board) return out + "the nearest is `" + capitals + "`";
  return out + "want A1 to " + SquareName({columns - 1, rows - 1});
}

std::string_view FacingName(Facing facing) {
  return kFacingNames[static_cast<std::size_t>(facing)];
}

std::optional<Facing> ParseFacing(std::string_view name) {
  const auto found = std::find(kFacingNames.begin(), kFacingNames.end(), name);
  if (found == kFacingNames.end()) return std::nullopt;
  return static_cast<Facing>(found - kFacingNames.begin());
}

Facing NearestFacing(double bearing_deg) {
  const int eighth = static_cast<int>(std::lround(bearing_deg / 45.0)) % 8;
  return static_cast<Facing>((eighth + 8) % 8);
}

double BearingOf(Facing facing) { return 45.0 * static_cast<int>(facing); }

}  // namespace fos
