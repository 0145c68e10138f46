// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

// The text files of a small valid clip, for tests that read them whole or break one line.
namespace fos::test {

inline constexpr std::string_view kTableToml = R"([board]
columns = 12
rows = 9
square = 4.0

[fiducials]
dictionary = "DICT_4X4_50"
size = 2.0
[[fiducials.marker]]
id = 0
centre = [-1.5, -1.5]
[[fiducials.marker]]
id = 1
centre = [49.5, -1.5]
[[fiducials.marker]]
id = 2
centre = [49.5, 37.5]
[[fiducials.marker]]
id = 3
centre = [-1.5, 37.5]

[charuco]
squares_x = 9
squares_y = 6
square_length = 1.0
marker_length = 0.75
dictionary = "DICT_5X5_100"
)";

inline constexpr std::string_view kScenarioToml = R"(ruleset = "napoleonic"

[scenario]
name = "a skirmish"
turns = 8

[[side]]
name = "French"
paint = "#2f4fa8"
baseline = "south"
[[side]]
name = "British"
paint = "#b03028"
baseline = "north"

[[projectile]]
type = "qtip"
length = 3.0
diameter = 0.1
tip_paint = "#5a1414"
hit_radius = 1.0
touch_radius = 0.125
[[projectile]]
type = "shell"
size = 0.4
body = "#c9a227"
mark = "#141414"
hit_radius = 1
touch_radius = 0.25

[[kind]]
name = "line_infantry"
footprint = [1.5, 0.75]
thickness = 0.1
bar = "#f2f2ea"
bar_depth = 0.18
figures_height = 1.0
equipment = false
[[kind]]
name = "chariot"
footprint = [1.5, 2.0]
thickness = 0.1
bar = "#151515"
bar_depth = 0.18
figures_height = 1.2
equipment = true
target = [[-0.4, 0.3], [0.4, 0.3]]

[[unit]]
id = "F-1L1"
side = "French"
kind = "line_infantry"
stands = 4
square = "C2"
facing = "N"
[[unit]]
id = "B-1H1"
side = "British"
kind = "chariot"
stands = 1
square = "L9"
facing = "SW"

[[terrain]]
type = "wood"
polygon = [[12.2, 8.3], [15.6, 8.1], [15.9, 11.7], [12.4, 11.8]]
height = 0.0
objects = [
  { type = "tree", centre = [13.1, 9.4], radius = 0.7, height = 2.2 },
  { type = "hedge", polygon = [[14.0, 9.0], [15.0, 9.0], [15.0, 9.2]], height = 0.4 },
]
[[terrain]]
type = "hill"
polygon = [[20, 20], [26, 20], [26, 26]]
height = 0.75
)";

// `text` with the first `from` replaced by `to`; `from` must occur.
inline std::string Replaced(std::string_view text, std::string_view from, std::string_view to) {
  std::string out(text);
  const std::size_t at = out.find(from);
  if (at == std::string::npos) return "(no such text: " + std::string(from) + ")";
  return out.replace(at, from.size(), to);
}

}  // namespace fos::test
