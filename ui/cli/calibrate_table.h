#pragma once

#include <string>
#include <vector>

#include "calibration/registration/table_registration.h"
#include "engine/table/result.h"
#include "engine/table/table_frame.h"
#include "ui/cli/commands.h"

namespace fos {

// `fallofshot calibrate table PICTURE`: where the table lies, how far to trust it, and the rig's
// profile.
int RunCalibrateTable(const std::vector<std::string>& arguments, Console& console);

// Clicks as people write them: "312,540:A1-SW 1500,530:L1-SE ...", pixels and the corner of a
// square; or four pixels alone for the board's corners SW, SE, NE, NW. errors  kBadFormat,
// kOutOfRange (a square that is not on the board): which click, and the mend.
Result<std::vector<Click>> ParseClicks(const std::string& text, const TableFrame& frame);

}  // namespace fos
