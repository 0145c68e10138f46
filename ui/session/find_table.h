// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "calibration/registration/rig_profile.h"
#include "calibration/registration/table_registration.h"
#include "engine/table/result.h"
#include "engine/table/scenario.h"
#include "vision/image/frame.h"

// Finds the table in one picture, with the players' hints: for `calibrate table` and the set-up.
namespace fos {

// Where north is in the picture, for boards without markers.
enum class PictureNorth { kUp, kRight, kDown, kLeft };
inline constexpr std::array<const char*, 4> kPictureNorths = {"up", "right", "down", "left"};
std::optional<PictureNorth> ParseNorth(std::string_view name);

struct TableWays {
  std::vector<Click> clicks;  // crossings people clicked; empty: found automatically
  std::optional<PictureNorth> north;
  std::optional<TapedHeight> height;
};
struct PlacedTable {
  TableRegistration table;
  // Grid lines do not show which side is north and nobody said: assumed to be up in the picture.
  bool north_guessed = false;
};
// frame     must have the lens's picture size.
// scenario  its deployment shows which side is north; nullptr: nothing is deployed yet.
// errors    those of RegisterFromClicks, RegisterTable and RegisterFromGrid.
Result<PlacedTable> FindTable(const Frame& frame, const CameraModel& lens, const TableSpec& table,
                              const Scenario* scenario, const TableWays& ways);

// Assigns four clicks, in any order, to the board's corners.
// errors  kDegenerate: the clicks do not form a quadrilateral.
Result<std::vector<Click>> CornerClicks(const std::array<ImagePoint, 4>& clicks, PictureNorth north,
                                        const TableFrame& frame);

// The sides' paints under this light, and whether they can be distinguished.
struct ColoursSeen {
  std::map<std::string, Colour> paints;  // by side, for the sides with a detected stand
  std::size_t stands = 0;                // number of stands detected
  std::string text;                      // which paints are too alike and what to do; empty: none
};
// errors  those of StandDetector::Start.
Result<ColoursSeen> LookAtColours(const Frame& frame, const TableCamera& camera,
                                  const TableSpec& table, const Scenario& scenario);

// A rig's profile with today's date. An uncalibrated lens is saved as estimated from the table.
RigProfile RigOf(const TableRegistration& found, const TableSpec& table);

// "the markers", "the drawn grid", "your clicks".
const char* HowFound(TableRegistration::Method method);

}  // namespace fos
