#pragma once

#include <functional>
#include <optional>
#include <string>

#include "engine/game/rule_game.h"
#include "engine/table/table_frame.h"
#include "ui/window/projection.h"
#include "ui/window/theme.h"

namespace fos {

// What the chosen piece could do, whatever the rule set: where its fire reaches, whom it sees,
// where it may go; and what dice will be thrown for, item by item.

// Where a piece or unit stands on the table; empty: nowhere.
using PlaceOf = std::function<std::optional<Vec2>(const std::string&)>;

// On the map or the picture: the squares its fire covers under an amber rim, what it sees by solid
// green lines, what is hidden or out of its arc by dashed red ones with crosses in the squares that
// hide it, and what a move to each square costs.
void DrawReach(ImDrawList& list, const Theme& theme, const Projection& on, const TableFrame& frame,
               const PieceReach& reach, const std::string& piece, const PlaceOf& place_of);
// The same in words.
void DescribeReach(const Theme& theme, const PieceReach& reach);
// Beside the target: both sums and the chances, a line each.
void DrawForecastPlates(ImDrawList& list, const Theme& theme, ImVec2 at, const Forecast& forecast);
// The sums item by item, each with its clause, and the chances.
void DescribeForecast(const Theme& theme, const Forecast& forecast);

}  // namespace fos
