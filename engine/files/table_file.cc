// SPDX-License-Identifier: MIT
#include "engine/files/table_file.h"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "engine/files/toml_number.h"
#include "engine/files/toml_reader.h"

namespace fos {
namespace {

// The possible sizes of a table, from a tea tray to a row of tables in a hall, in inches.
constexpr TomlRange kSquares = {1, 200};
constexpr TomlRange kSquare_in = {0.25, 48};
constexpr double kLongestSide_in = 480;
constexpr TomlRange kMarker_in = {0.25, 24};
// The farthest that markers may lie from the board, inches.
constexpr double kMarkerOffBoard_in = 60;
// From a saucer to a third of a large table.
constexpr TomlRange kTray_in = {2, 60};
constexpr std::size_t kMostTrays = 8;
constexpr TomlRange kCharucoSquares = {2, 60};
constexpr TomlRange kCharucoLength_in = {0.05, 24};

// OpenCV's predefined dictionaries and how many markers each holds (opencv2/aruco/dictionary.hpp).
constexpr std::array<std::pair<const char*, int>, 21> kDictionaries = {{
    {"DICT_4X4_50", 50},        {"DICT_4X4_100", 100},         {"DICT_4X4_250", 250},
    {"DICT_4X4_1000", 1000},    {"DICT_5X5_50", 50},           {"DICT_5X5_100", 100},
    {"DICT_5X5_250", 250},      {"DICT_5X5_1000", 1000},       {"DICT_6X6_50", 50},
    {"DICT_6X6_100", 100},      {"DICT_6X6_250", 250},         {"DICT_6X6_1000", 1000},
    {"DICT_7X7_50", 50},        {"DICT_7X7_100", 100},         {"DICT_7X7_250", 250},
    {"DICT_7X7_1000", 1000},    {"DICT_ARUCO_ORIGINAL", 1024}, {"DICT_APRILTAG_16h5", 30},
    {"DICT_APRILTAG_25h9", 35}, {"DICT_APRILTAG_36h10", 2320}, {"DICT_APRILTAG_36h11", 587},
}};

// The dictionary's name and its number of markers (0 if refused).
std::pair<std::string, int> ReadDictionary(TomlTable& in) {
  std::vector<std::string> names;
  for (const auto& entry : kDictionaries) names.emplace_back(entry.first);
  const int chosen = in.Choice("dictionary", "ArUco dictionary", names);
  if (chosen < 0) return {{}, 0};
  return kDictionaries[static_cast<std::size_t>(chosen)];
}

TableFrame ReadBoard(TomlTable& in) {
  TableFrame frame{in.Integer("columns", kSquares), in.Integer("rows", kSquares),
                   in.Number("square", kSquare_in)};
  in.NoOtherKeys();
  if (frame.columns * frame.rows > kMostSquaresOfBoard) {
    in.Refuse("columns", ErrorCode::kOutOfRange,
              fmt::format("[board] has {} x {} squares, {} in all; want at most {}", frame.columns,
                          frame.rows, frame.columns * frame.rows, kMostSquaresOfBoard));
  }
  const double longest = std::max(frame.Width(), frame.Depth());
  if (longest > kLongestSide_in) {
    in.Refuse("square", ErrorCode::kOutOfRange,
              fmt::format("[board] is {:.0f} in long; want at most {:.0f}: `square` is in inches",
                          longest, kLongestSide_in));
  }
  return frame;
}

FiducialSpec ReadFiducials(TomlTable& in, const TableFrame& frame) {
  FiducialSpec out;
  int dictionary_size = 0;
  std::tie(out.dictionary, dictionary_size) = ReadDictionary(in);
  out.size_in = in.Number("size", kMarker_in);
  std::vector<TomlTable> markers = in.Tables("marker");
  in.NoOtherKeys();
  if (markers.empty()) {
    in.Refuse("marker", ErrorCode::kBadFormat,
              "[fiducials] lists no [[fiducials.marker]]; add them, or leave [fiducials] out to "
              "find the table from its grid lines");
  }
  for (TomlTable& one : markers) {
    FiducialMarker marker;
    marker.id = one.Integer("id", {0, std::max(dictionary_size - 1, 0) * 1.0});
    marker.centre = one.Point("centre", {-kMarkerOffBoard_in, frame.Width() + kMarkerOffBoard_in},
                              {-kMarkerOffBoard_in, frame.Depth() + kMarkerOffBoard_in});
    one.NoOtherKeys();
    for (const FiducialMarker& other : out.markers) {
      if (other.id == marker.id) {
        one.Refuse(
            "id", ErrorCode::kBadFormat,
            fmt::format("marker {} is listed twice; every id may occur only once", marker.id));
      } else if (Distance(other.centre, marker.centre) < out.size_in) {
        one.Refuse("centre", ErrorCode::kOutOfRange,
                   fmt::format("markers {} and {} overlap ({:.2f} in apart); measure "
                               "their centres again",
                               other.id, marker.id, Distance(other.centre, marker.centre)));
      }
    }
    out.markers.push_back(marker);
  }
  return out;
}

CharucoSpec ReadCharuco(TomlTable& in) {
  CharucoSpec out;
  out.squares_x = in.Integer("squares_x", kCharucoSquares);
  out.squares_y = in.Integer("squares_y", kCharucoSquares);
  out.square_length_in = in.Number("square_length", kCharucoLength_in);
  out.marker_length_in = in.Number("marker_length", kCharucoLength_in);
  int dictionary_size = 0;
  std::tie(out.dictionary, dictionary_size) = ReadDictionary(in);
  in.NoOtherKeys();
  if (out.marker_length_in >= out.square_length_in) {
    in.Refuse("marker_length", ErrorCode::kOutOfRange,
              fmt::format("`marker_length` of [charuco] is {:.6g}; want less than `square_length`, "
                          "{:.6g}",
                          out.marker_length_in, out.square_length_in));
  }
  // One marker in every white square.
  const int needed = out.squares_x * out.squares_y / 2;
  if (dictionary_size > 0 && needed > dictionary_size) {
    in.Refuse("dictionary", ErrorCode::kOutOfRange,
              fmt::format("a [charuco] board of {} x {} needs {} markers and {} has {}; name a "
                          "larger dictionary",
                          out.squares_x, out.squares_y, needed, out.dictionary, dictionary_size));
  }
  return out;
}

// The area of the tray that lies in a rectangle, square inches.
double AreaWithin(const TraySpec& tray, Vec2 low, Vec2 high) {
  const double x = std::min(tray.High().x, high.x) - std::max(tray.Low().x, low.x);
  const double y = std::min(tray.High().y, high.y) - std::max(tray.Low().y, low.y);
  return std::max(x, 0.0) * std::max(y, 0.0);
}

TraySpec ReadTray(TomlTable& in, const TableFrame& frame) {
  TraySpec out;
  out.centre = in.Point("centre", {-kMarkerOffBoard_in, frame.Width() + kMarkerOffBoard_in},
                        {-kMarkerOffBoard_in, frame.Depth() + kMarkerOffBoard_in});
  out.size_in = in.Point("size", kTray_in, kTray_in);
  in.NoOtherKeys();
  return out;
}

}  // namespace

Result<TableSpec> ReadTable(const std::filesystem::path& path) {
  Result<TomlFile> file = TomlFile::Read(path);
  if (!file.ok()) return file.error();
  TomlTable root = file->Root();
  TableSpec out = ReadTableSections(root);
  root.NoOtherKeys();
  if (Status problem = file->Problem(); !problem.ok()) return problem.error();
  return out;
}

TableSpec ReadTableSections(TomlTable& root) {
  TableSpec out;
  if (std::optional<TomlTable> board = root.Table("board")) out.frame = ReadBoard(*board);
  if (root.Has("fiducials")) {
    if (auto fiducials = root.Table("fiducials")) {
      out.fiducials = ReadFiducials(*fiducials, out.frame);
    }
  }
  if (root.Has("charuco")) {
    if (auto charuco = root.Table("charuco")) out.charuco = ReadCharuco(*charuco);
  }
  for (TomlTable& tray : root.Tables("tray")) {
    out.trays.push_back(ReadTray(tray, out.frame));
    const std::optional<std::string> fault = TrayFault(out);
    if (!fault) continue;
    tray.Refuse("centre", ErrorCode::kOutOfRange, *fault);
    break;
  }
  return out;
}

std::optional<std::string> TrayFault(const TableSpec& table) {
  if (table.trays.size() > kMostTrays)
    return fmt::format("more than {} trays; list only those that dice are thrown in", kMostTrays);
  const TableFrame& frame = table.frame;
  for (std::size_t i = 0; i < table.trays.size(); ++i) {
    const TraySpec& tray = table.trays[i];
    if (table.fiducials) {
      const Vec2 half = 0.5 * Vec2{table.fiducials->size_in, table.fiducials->size_in};
      for (const FiducialMarker& marker : table.fiducials->markers) {
        if (AreaWithin(tray, marker.centre - half, marker.centre + half) <= 0) continue;
        return fmt::format("the tray lies on marker {}, which dice would hide; put it elsewhere",
                           marker.id);
      }
    }
    for (std::size_t j = 0; j < i; ++j) {
      if (AreaWithin(tray, table.trays[j].Low(), table.trays[j].High()) > 0)
        return "two trays overlap; make one of them, or move one away";
    }
    constexpr double kMostOfBoard = 0.5;
    if (AreaWithin(tray, {0, 0}, {frame.Width(), frame.Depth()}) >
        kMostOfBoard * frame.Width() * frame.Depth()) {
      return "the tray covers more than half of the board, where no shot would be judged; make it "
             "smaller or put it beside the board";
    }
  }
  return std::nullopt;
}

std::string TableText(const TableSpec& table) {
  std::string out =
      fmt::format("[board]\ncolumns = {}\nrows = {}\nsquare = {}\n", table.frame.columns,
                  table.frame.rows, TomlNumber(table.frame.square_in));
  if (table.fiducials) {
    out += fmt::format("\n[fiducials]\ndictionary = \"{}\"\nsize = {}\n",
                       table.fiducials->dictionary, TomlNumber(table.fiducials->size_in));
    for (const FiducialMarker& marker : table.fiducials->markers) {
      out += fmt::format("[[fiducials.marker]]\nid = {}\ncentre = [{}, {}]\n", marker.id,
                         TomlNumber(marker.centre.x), TomlNumber(marker.centre.y));
    }
  }
  if (table.charuco) {
    const CharucoSpec& board = *table.charuco;
    out += fmt::format(
        "\n[charuco]\nsquares_x = {}\nsquares_y = {}\nsquare_length = {}\n"
        "marker_length = {}\ndictionary = \"{}\"\n",
        board.squares_x, board.squares_y, TomlNumber(board.square_length_in),
        TomlNumber(board.marker_length_in), board.dictionary);
  }
  for (const TraySpec& tray : table.trays) {
    out += fmt::format("\n[[tray]]\ncentre = [{}, {}]\nsize = [{}, {}]\n",
                       TomlNumber(tray.centre.x), TomlNumber(tray.centre.y),
                       TomlNumber(tray.size_in.x), TomlNumber(tray.size_in.y));
  }
  return out;
}

}  // namespace fos
