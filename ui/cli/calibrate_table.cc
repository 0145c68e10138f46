// SPDX-License-Identifier: MIT
#include "ui/cli/calibrate_table.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <ostream>
#include <sstream>

#include <fmt/format.h>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>

#include "calibration/registration/rig_profile.h"
#include "engine/files/table_file.h"
#include "engine/rules/rule_sets.h"
#include "ui/cli/options.h"
#include "ui/cli/output_file.h"
#include "ui/session/clip.h"
#include "ui/session/find_table.h"
#include "vision/image/frame_source.h"
#include "vision/image/picture_file.h"
#include "vision/image/rectify.h"

namespace fos {
namespace {

namespace fs = std::filesystem;

// A picture, or the first frame of a video or clip.
Result<cv::Mat> PictureOf(const fs::path& source) {
  fs::path file = source;
  std::error_code ec;
  if (fs::is_directory(file, ec)) {
    file = RecordingIn(source);
    if (file.empty()) {
      const std::vector<fs::path> frames = PictureFiles(source / "frames");
      if (frames.empty()) {
        return Error{ErrorCode::kNotFound, source.string() +
                                               ": neither a recording nor frames/ is in it; give a "
                                               "picture, a video, or a clip's folder"};
      }
      file = frames.front();
    }
  }
  if (IsPictureName(file)) {
    cv::Mat bgr = ReadPicture(file, cv::IMREAD_COLOR | cv::IMREAD_IGNORE_ORIENTATION);
    if (!bgr.empty()) return bgr;
    return Error{ErrorCode::kNotFound,
                 file.string() + ": cannot be read as a picture; save it again as PNG"};
  }
  Result<std::unique_ptr<FrameSource>> video = OpenVideo(file);
  if (!video.ok()) return video.error();
  const Result<std::optional<Frame>> frame = (*video)->Next();
  if (!frame.ok()) return frame.error();
  if (!frame->has_value()) {
    return Error{ErrorCode::kBadFormat, file.string() + ": holds no pictures; record it again"};
  }
  return (*frame)->bgr.clone();
}

// The residuals at the held-out crossings, drawn on the picture fifty times as long.
cv::Mat ResidualMap(const cv::Mat& bgr, const TableRegistration& table, const TableFrame& frame) {
  cv::Mat map = bgr.clone();
  const auto pixel = [&](Vec2 at) { return PixelAt(table.camera, at, 0); };
  const cv::Scalar kGridColour(255, 255, 0);
  for (int c = 0; c <= frame.columns; ++c) {
    const double x = c * frame.square_in;
    cv::line(map, pixel({x, 0}), pixel({x, frame.Depth()}), kGridColour, 1, cv::LINE_AA);
  }
  for (int r = 0; r <= frame.rows; ++r) {
    const double y = r * frame.square_in;
    cv::line(map, pixel({0, y}), pixel({frame.Width(), y}), kGridColour, 1, cv::LINE_AA);
  }
  constexpr double kLonger = 50;
  for (const TableRegistration::Residual& r : table.held_out) {
    const bool fine = Norm(r.error_in) < 0.06;
    cv::arrowedLine(map, pixel(r.at), pixel(r.at + kLonger * r.error_in),
                    fine ? cv::Scalar(80, 255, 80) : cv::Scalar(60, 60, 255), 2, cv::LINE_AA);
  }
  return map;
}

struct Request {
  std::string source, table, scenario, camera, map, rig, clicks, north;
  std::vector<Click> clicked;  // what `clicks` says
  double height_in = 0;
  double height_sigma_in = TapedHeight().sigma_in;
};

// The table, and what was assumed to find it.
struct FoundTable {
  TableRegistration table;
  std::string note;  // empty: nothing was assumed
};
// Finds the table in the way the request asks for, else in the way the files allow.
Result<FoundTable> Find(const cv::Mat& bgr, const CameraModel& lens, const TableSpec& table,
                        const std::optional<Scenario>& scenario, const Request& asked) {
  TableWays ways;
  if (asked.height_in > 0) ways.height = TapedHeight{asked.height_in, asked.height_sigma_in};
  ways.north = ParseNorth(asked.north);
  ways.clicks = asked.clicked;
  Result<PlacedTable> found =
      FindTable({{}, 0, bgr}, lens, table, scenario ? &*scenario : nullptr, ways);
  if (!found.ok()) return found.error();
  FoundTable out{std::move(found.value().table), ""};
  if (found->north_guessed) {
    out.note =
        "grid lines do not show which side is north; assumed to be at the top of the picture. "
        "Give --north, or the --scenario that is deployed";
  }
  return out;
}

void PrintTable(const TableRegistration& found, const TableFrame& frame, std::ostream& out) {
  const cv::Vec3d eye = CameraCentre(found.camera);
  out << found.sentence << '\n';
  out << fmt::format("found by {}; the camera is {:.1f} in above ({:.1f}, {:.1f})\n",
                     HowFound(found.method), eye[2], eye[0], eye[1]);
  out << fmt::format("based on {}\n", found.relies_on);
  out << "the board's corners in the picture:";
  for (const auto& [name, at] :
       {std::pair{"SW", Vec2{0, 0}}, std::pair{"SE", Vec2{frame.Width(), 0}},
        std::pair{"NE", Vec2{frame.Width(), frame.Depth()}},
        std::pair{"NW", Vec2{0, frame.Depth()}}}) {
    const ImagePoint p = ImageFromTable(found.camera, at, 0);
    out << fmt::format(" {} ({:.2f}, {:.2f})", name, p.x_px, p.y_px);
  }
  out << '\n';
  if (!found.marker_shift_px.empty()) {
    double sum = 0;
    for (const double shift : found.marker_shift_px) sum += shift;
    out << fmt::format("blur shifts the markers' edges {:+.2f} px inward; corrected\n",
                       sum / static_cast<double>(found.marker_shift_px.size()));
  }
  out << "residuals at held-out crossings:\n";
  for (const TableRegistration::Residual& r : found.held_out) {
    out << fmt::format("  ({:5.1f}, {:5.1f}) in   {:+.3f} east {:+.3f} north\n", r.at.x, r.at.y,
                       r.error_in.x, r.error_in.y);
  }
}

}  // namespace

Result<std::vector<Click>> ParseClicks(const std::string& text, const TableFrame& frame) {
  std::vector<Click> out;
  std::istringstream in(text);
  std::string word;
  std::vector<std::string> names;
  while (in >> word) {
    const std::string shown = word.substr(0, 40);
    const Error broken{ErrorCode::kBadFormat,
                       fmt::format("click {} is `{}`; give pixels and a corner of a square, like "
                                   "312,540:A1-SW",
                                   out.size() + 1, shown)};
    const char* at = word.c_str();
    char* end = nullptr;
    Click click;
    click.at.x_px = std::strtod(at, &end);
    if (end == at || *end != ',') return broken;
    at = end + 1;
    click.at.y_px = std::strtod(at, &end);
    if (end == at || (*end != ':' && *end != '\0')) return broken;
    constexpr double kLargest_px = 20000;
    if (!(std::abs(click.at.x_px) < kLargest_px && std::abs(click.at.y_px) < kLargest_px)) {
      return broken;
    }
    names.emplace_back(*end == ':' ? end + 1 : "");
    out.push_back(click);
    constexpr std::size_t kMost = 100;
    if (out.size() > kMost) {
      return Error{ErrorCode::kOutOfRange, "more than 100 clicks; give the best of them"};
    }
  }
  const bool bare =
      std::all_of(names.begin(), names.end(), [](const std::string& name) { return name.empty(); });
  if (bare) {
    if (out.size() != 4) {
      return Error{ErrorCode::kOutOfRange,
                   fmt::format("{} click{}; give the board's four corners SW, SE, NE, NW, or name "
                               "each click's crossing, like 312,540:A1-SW",
                               out.size(), out.size() == 1 ? "" : "s")};
    }
    out[1].crossing_in = {frame.Width(), 0};
    out[2].crossing_in = {frame.Width(), frame.Depth()};
    out[3].crossing_in = {0, frame.Depth()};
    return out;
  }
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::string shown = names[i].substr(0, 40);
    const std::size_t dash = names[i].find('-');
    const auto square = ParseSquare(names[i].substr(0, dash));
    std::string corner = dash == std::string::npos ? "" : names[i].substr(dash + 1);
    std::transform(corner.begin(), corner.end(), corner.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    const bool east = corner == "SE" || corner == "NE";
    const bool north = corner == "NE" || corner == "NW";
    if (!square || !(east || north || corner == "SW")) {
      return Error{ErrorCode::kBadFormat,
                   fmt::format("click {}: `{}` is no corner of a square; give one like A1-SW",
                               i + 1, shown)};
    }
    if (!frame.Contains(*square)) {
      return Error{ErrorCode::kOutOfRange,
                   fmt::format("click {}: the board of {} x {} has no square `{}`", i + 1,
                               frame.columns, frame.rows, shown)};
    }
    out[i].crossing_in = {(square->column + (east ? 1 : 0)) * frame.square_in,
                          (square->row + (north ? 1 : 0)) * frame.square_in};
  }
  return out;
}

namespace {

// Writes the residuals' picture.
Status WriteMap(const cv::Mat& map, const std::string& file) {
  if (Status made = MakeFolderOf(file); !made.ok()) return made;
  bool written = false;
  try {
    written = cv::imwrite(file, map);
  } catch (const cv::Exception&) {
    written = false;
  }
  if (written) return Ok();
  return Error{ErrorCode::kIo,
               file + ": cannot be written; give a .png file in a folder that may be written to"};
}

// Saves lens, table, height and, with a scenario, the paints under this light.
// Returns what cannot be told apart under this light; empty: nothing.
Result<std::string> SaveRig(const Request& asked, const cv::Mat& bgr,
                            const TableRegistration& found, const TableSpec& table,
                            const std::optional<Scenario>& scenario) {
  RigProfile rig = RigOf(found, table);
  if (asked.height_in > 0) rig.height = TapedHeight{asked.height_in, asked.height_sigma_in};
  std::string note;
  if (scenario) {
    const Result<ColoursSeen> colours = LookAtColours({{}, 0, bgr}, found.camera, table, *scenario);
    if (!colours.ok()) return colours.error();
    rig.paints = colours->paints;
    note = colours->text;
  }
  if (const Status made = MakeFolderOf(asked.rig); !made.ok()) return made.error();
  if (const Status written = WriteRig(rig, asked.rig); !written.ok()) return written.error();
  return note;
}

}  // namespace

int RunCalibrateTable(const std::vector<std::string>& arguments, Console& console) {
  Request asked;
  Options options("calibrate table PICTURE [options]",
                  "Finds the table in a picture and prints its uncertainty.");
  options.Argument("PICTURE", asked.source, "a picture, a video, or a clip's folder")
      .Text("table", "FILE", asked.table, "table.toml; default: the one beside PICTURE")
      .Text("scenario", "FILE", asked.scenario,
            "scenario.toml: its deployment shows which side is north when there are no markers")
      .Text("camera", "FILE", asked.camera,
            "the lens, written by `calibrate lens`; default: camera.yaml beside PICTURE, else a "
            "typical webcam lens with its larger uncertainty")
      .Number("height", asked.height_in, 0, 1000,
              "the camera's height above the cloth, measured by tape, inches; 0: not measured")
      .Number("height-sigma", asked.height_sigma_in, 0.001, 100,
              "standard deviation of that height, inches")
      .Text("north", "WAY", asked.north,
            "up, right, down or left: where north is in the picture, for boards without markers")
      .Text("clicks", "LIST", asked.clicks,
            "crossings you point at, \"312,540:A1-SW 1500,530:L1-SE ...\", or the board's corners "
            "SW SE NE NW as \"x,y x,y x,y x,y\"; each snaps to the nearest drawn crossing")
      .Text("map", "FILE", asked.map, "write the picture with grid and residuals drawn in")
      .Text("rig", "FILE", asked.rig,
            "save lens, table, height and paints here, for `judge --rig` and `live --rig`");
  if (const auto status = ReadArguments(options, "calibrate table", arguments, console))
    return *status;
  if (!asked.north.empty() && !ParseNorth(asked.north)) {
    return BadUsage(
        console, "calibrate table",
        fmt::format("--north is `{}`; use up, right, down or left", asked.north.substr(0, 100)));
  }
  std::error_code ec;
  if (!fs::exists(asked.source, ec)) {
    return BadInput(console,
                    asked.source + ": no such file; give a picture, a video, or a clip's folder");
  }
  const auto table_file = NamedOrBeside(asked.table, asked.source, "table.toml", "--table");
  if (!table_file.ok()) return BadInput(console, table_file.error().message);
  const Result<TableSpec> table = ReadTable(*table_file);
  if (!table.ok()) return BadInput(console, table.error().message);
  if (!asked.clicks.empty()) {
    Result<std::vector<Click>> clicks = ParseClicks(asked.clicks, table->frame);
    if (!clicks.ok()) {
      return BadUsage(console, "calibrate table", "--clicks: " + clicks.error().message);
    }
    asked.clicked = std::move(clicks).value();
  }
  const Result<cv::Mat> bgr = PictureOf(asked.source);
  if (!bgr.ok()) return BadInput(console, bgr.error().message);
  // Without a lens file a common webcam's lens is assumed.
  const auto camera_file = NamedOrBeside(asked.camera, asked.source, "camera.yaml", "--camera");
  CameraModel lens = AssumedLens(bgr->size());
  if (camera_file.ok()) {
    const Result<CameraModel> read = ReadCamera(*camera_file);
    if (!read.ok()) return BadInput(console, read.error().message);
    lens = *read;
    if (bgr->cols != lens.width_px || bgr->rows != lens.height_px) {
      return BadInput(console,
                      fmt::format("{}: the picture is {} x {}, but {} is for {} x {}; calibrate "
                                  "the lens at the size that is played at",
                                  asked.source, bgr->cols, bgr->rows, camera_file->string(),
                                  lens.width_px, lens.height_px));
    }
  }
  const auto scenario_file =
      NamedOrBeside(asked.scenario, asked.source, "scenario.toml", "--scenario");
  std::optional<Scenario> scenario;
  if (scenario_file.ok()) {
    Result<Scenario> read = ReadScenarioUnderRules(*scenario_file, table->frame);
    if (!read.ok()) return BadInput(console, read.error().message);
    scenario = std::move(read).value();
  }
  const Result<FoundTable> found = Find(*bgr, lens, *table, scenario, asked);
  if (!found.ok()) {
    return BadInput(console, fmt::format("{}: {}", asked.source, found.error().message));
  }
  PrintTable(found->table, table->frame, console.out);
  if (!found->note.empty()) console.out << "Note: " << found->note << '\n';
  if (!asked.map.empty()) {
    const Status written = WriteMap(ResidualMap(*bgr, found->table, table->frame), asked.map);
    if (!written.ok()) return BadInput(console, written.error().message);
    console.out << "map written to " << asked.map << '\n';
  }
  if (!asked.rig.empty()) {
    const Result<std::string> note = SaveRig(asked, *bgr, found->table, *table, scenario);
    if (!note.ok()) return BadInput(console, note.error().message);
    if (!note->empty()) console.out << "Note: " << *note << '\n';
    console.out << "rig written to " << asked.rig << '\n';
  }
  return kExitDone;
}

}  // namespace fos
