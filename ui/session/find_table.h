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

// The table found by whatever people and picture can tell, as `calibrate table` and the set-up ask
// for it.
namespace fos {

// Where north is in the picture, for boards whose lines alone are seen.
enum class PictureNorth { kUp, kRight, kDown, kLeft };
inline constexpr std::array<const char*, 4> kPictureNorths = {"up", "right", "down", "left"};
std::optional<PictureNorth> ParseNorth(std::string_view name);

struct TableWays {
  std::vector<Click> clicks;  // crossings that were pointed at; empty: found by itself
  std::optional<PictureNorth> north;
  std::optional<TapedHeight> height;
};
struct PlacedTable {
  TableRegistration table;
  // Lines cannot tell which side is north, and nobody said: taken to be up in the picture.
  bool north_guessed = false;
};
// frame     of the size of the lens.
// scenario  tells north by who stands where; nullptr: nobody stands there yet.
// errors    those of RegisterFromClicks, RegisterTable and RegisterFromGrid.
Result<PlacedTable> FindTable(const Frame& frame, const CameraModel& lens, const TableSpec& table,
                              const Scenario* scenario, const TableWays& ways);

// The board's four corners, clicked in any order, named by where north is.
// errors  kDegenerate: they are not the corners of anything four-cornered.
Result<std::vector<Click>> CornerClicks(const std::array<ImagePoint, 4>& clicks, PictureNorth north,
                                        const TableFrame& frame);

// The sides' paints under this light, and whether they can be told apart.
struct ColoursSeen {
  std::map<std::string, Colour> paints;  // of sides with a stand that was found, by name
  std::size_t stands = 0;                // found on the table
  std::string text;                      // what cannot be told apart and what to do; empty: nothing
};
// errors  those of StandDetector::Start.
Result<ColoursSeen> LookAtColours(const Frame& frame, const TableCamera& camera,
                                  const TableSpec& table, const Scenario& scenario);

// A rig's profile of what was found, of today; a lens nobody calibrated is saved as the table has
// shown it to be.
RigProfile RigOf(const TableRegistration& found, const TableSpec& table);

// "the markers", "the drawn grid", "your clicks".
const char* HowFound(TableRegistration::Method method);

}  // namespace fos
