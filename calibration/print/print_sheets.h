// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "engine/table/result.h"
#include "engine/table/scenario.h"

namespace fos {

// Sheets of paper, inches, upright.
struct Paper {
  double width_in = 8.27;  // A4
  double height_in = 11.69;
};
inline constexpr Paper kA4{8.27, 11.69};
inline constexpr Paper kLetter{8.5, 11.0};

// A black rectangle of a print, inches, x right and y down from the print's top left.
struct InkRect {
  double x_in = 0;
  double y_in = 0;
  double width_in = 0;
  double height_in = 0;
};
// The black of one marker with its border, `size_in` on a side.
// errors  kBadFormat: an unknown dictionary, an id it does not have.
Result<std::vector<InkRect>> MarkerInk(const std::string& dictionary, int id, double size_in);
// The black of a ChArUco board, its top-left square black.
// errors  kBadFormat: an unknown dictionary, a board that cannot be.
Result<std::vector<InkRect>> CharucoInk(const CharucoSpec& board);

// The board that is printed and looked for where none is described. It fits A4 and Letter.
inline CharucoSpec UsualCharuco() { return {9, 6, 1.0, 0.75, "DICT_5X5_100"}; }

// Everything a club prints, as one PDF at true scale, each page with rulers to check the printer
// by: the table's corner markers (with white margins to cut to), the ChArUco board
// (UsualCharuco where the table describes none), a template for marking out the grid, a gauge for
// the hit circle, and, with a scenario, its paints and bars.
// scenario  may be null.
// errors    kBadFormat as above; kOutOfRange when the board does not fit the paper.
Result<std::string> SheetsPdf(const TableSpec& table, const Scenario* scenario, Paper paper);

}  // namespace fos
