// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "engine/game/rule_game.h"
#include "engine/table/table_frame.h"
#include "ui/window/projection.h"
#include "ui/window/theme.h"

namespace fos {

// What the chosen piece could do under any rule set: its field of fire, whom it sees, where it may
// go; and the sums that dice will decide, item by item.

// Where a piece or unit stands on the table; empty when it is off the table.
using PlaceOf = std::function<std::optional<Vec2>(const std::string&)>;

// Draws on map or picture: an amber outline around the field of fire, solid green lines to what it
// sees, dashed red lines to what it does not, crosses in the squares that block the view, and the
// cost of a move to each square.
void DrawReach(ImDrawList& list, const Theme& theme, const Projection& on, const TableFrame& frame,
               const PieceReach& reach, const std::string& piece, const PlaceOf& place_of);
// The same in words.
void DescribeReach(const Theme& theme, const PieceReach& reach);
// Draws both sums and the chances beside the target, a line each.
void DrawForecastPlates(ImDrawList& list, const Theme& theme, ImVec2 at, const Forecast& forecast);
// The sums item by item, each with its clause, and the chances.
void DescribeForecast(const Theme& theme, const Forecast& forecast);

}  // namespace fos
