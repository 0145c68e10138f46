// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "calibration/registration/table_registration.h"
#include "engine/table/result.h"
#include "engine/table/table_frame.h"
#include "ui/cli/commands.h"

namespace fos {

// `fallofshot calibrate table PICTURE`: finds the table, prints its uncertainty, saves a rig.
int RunCalibrateTable(const std::vector<std::string>& arguments, Console& console);

// Clicks as text: "312,540:A1-SW 1500,530:L1-SE ...", pixels and the corner of a square; or four
// pixel pairs alone for the board's corners SW, SE, NE, NW.
// errors  kBadFormat; kOutOfRange: the square is not on the board. Both say which click.
Result<std::vector<Click>> ParseClicks(const std::string& text, const TableFrame& frame);

}  // namespace fos
