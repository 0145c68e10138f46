// SPDX-License-Identifier: MIT
#include "ui/cli/calibrate_command.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <ostream>

#include <fmt/format.h>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>

#include "calibration/lens/lens_collector.h"
#include "calibration/print/print_sheets.h"
#include "engine/files/table_file.h"
#include "ui/cli/calibrate_projectiles.h"
#include "ui/cli/calibrate_table.h"
#include "ui/cli/options.h"
#include "ui/cli/output_file.h"
#include "ui/session/lens_views.h"
#include "vision/image/frame_source.h"
#include "vision/image/picture_file.h"

namespace fos {
namespace {

namespace fs = std::filesystem;

// Prints the calibration's result and its expected error at the table.
void PrintLens(const LensCalibration& lens, std::size_t views, std::ostream& out) {
  const CameraModel& camera = lens.camera;
  const auto& covariance = *camera.covariance;
  out << fmt::format("{} of {} views used; distortion {}\n", lens.used.size(), views, lens.model);
  for (const std::string& line : lens.left_out) out << "  left out: " << line << '\n';
  out << fmt::format(
      "focal length {:.1f} +- {:.1f} px, centre ({:.1f} +- {:.1f}, {:.1f} +- {:.1f}) px\n",
      camera.fx_px, std::sqrt(covariance(0, 0)), camera.cx_px, std::sqrt(covariance(2, 2)),
      camera.cy_px, std::sqrt(covariance(3, 3)));
  double worst_px = 0;
  for (const LensRegion& region : lens.regions) {
    worst_px = std::max(worst_px, region.held_out_rms_px);
  }
  out << fmt::format(
      "reprojection error {:.3f} px rms on held-out views, {:.3f} px in the worst ninth of the "
      "picture ({:.3f} px in the fit)\n",
      lens.held_out_rms_px, worst_px, lens.fit_rms_px);
  out << fmt::format(
      "expected error on a {:.0f} in table that fills the picture: {:.3f} in at its worst corner\n",
      kCommonTable_in, kCommonTable_in / camera.width_px * TableErrorOfLens(camera));
  out << fmt::format("{}, worst at the {} of the picture{}{}\n", NameOf(lens.quality),
                     lens.worst_region, lens.advice.empty() ? "" : ": ", lens.advice);
}

// Calibrates from a running camera or a recording: says which view to show next, and stops when
// there are enough.
Result<LensCalibration> Collect(const std::string& source, const LensCollector::Board& board,
                                std::ostream& out) {
  Result<std::unique_ptr<FrameSource>> opened = OpenCameraOrUrl(source);
  if (!opened.ok()) return opened.error();
  LensCollector collector(board);
  std::string told;
  for (;;) {
    const Result<std::optional<Frame>> frame = (*opened)->Next();
    if (!frame.ok()) return frame.error();
    if (!frame->has_value()) break;
    cv::Mat grey;
    cv::cvtColor((*frame)->bgr, grey, cv::COLOR_BGR2GRAY);
    const LensCollection& now = collector(fmt::format("frame {}", (*frame)->id.index), grey);
    if (now.taken) out << CollectionText(now) << '\n';
    if (now.next != told && !now.done) {
      told = now.next;
      out << "  next: " << told << '\n' << std::flush;
    }
    if (now.done) break;
  }
  auto lens = collector.Lens();
  if (lens.ok()) return lens;
  return Error{lens.error().code, fmt::format("{}: {}", source, lens.error().message)};
}

int RunLens(const std::vector<std::string>& arguments, Console& console) {
  std::string source;
  std::string out = "camera.yaml";
  CharucoSpec charuco = UsualCharuco();
  std::string table;
  bool chessboard = false;
  ChessboardSpec chess;
  bool marker_grid = false;
  MarkerGridSpec markers;
  Options options("calibrate lens SOURCE [options]",
                  "Calibrates a lens from views of a calibration board. Show the board near and "
                  "far, in every corner of the picture, and tilted to all four sides. With a "
                  "camera the command says which view to show next, and stops when it has enough.");
  options
      .Argument("SOURCE", source,
                "folder with pictures (.jpg, .png or .webp), a video, or a camera's number or URL")
      .Text("out", "FILE", out, "file to write the lens to")
      .Text("table", "FILE", table, "table.toml whose [charuco] describes the board")
      .Integer("squares-x", charuco.squares_x, 3, 50, "columns of squares of the ChArUco board")
      .Integer("squares-y", charuco.squares_y, 3, 50, "rows of squares of the ChArUco board")
      .Number("square", charuco.square_length_in, 0.05, 20.0, "side of a square, inches")
      .Number("marker", charuco.marker_length_in, 0.02, 20.0, "side of a marker, inches")
      .Text("dictionary", "NAME", charuco.dictionary, "OpenCV's name of the marker dictionary")
      .Flag("chessboard", chessboard, "the board is a plain chessboard")
      .Integer("corners-x", chess.corners_x, 3, 50, "columns of inner corners of the chessboard")
      .Integer("corners-y", chess.corners_y, 3, 50, "rows of inner corners of the chessboard")
      .Flag("marker-grid", marker_grid, "the board is a grid of markers, ids from the top left")
      .Integer("markers-x", markers.markers_x, 1, 50, "columns of markers")
      .Integer("markers-y", markers.markers_y, 1, 50, "rows of markers")
      .Number("gap", markers.gap_in, 0.005, 20.0, "gap between two markers, inches");
  if (const auto status = ReadArguments(options, "calibrate lens", arguments, console))
    return *status;
  if (chessboard && marker_grid) {
    return BadUsage(console, "calibrate lens",
                    "--chessboard and --marker-grid are two kinds of board; give the one you have");
  }
  const bool plain = chessboard || marker_grid;
  if (!plain && table.empty() && charuco.marker_length_in >= charuco.square_length_in) {
    return BadUsage(console, "calibrate lens",
                    fmt::format("--marker is {:g} and --square {:g}; a marker lies inside its "
                                "square and must be smaller",
                                charuco.marker_length_in, charuco.square_length_in));
  }
  std::error_code ec;
  if (fs::is_regular_file(source, ec) && IsPictureName(source)) {
    return BadInput(console,
                    source + ": is one picture; give the folder with all views of the board");
  }
  if (!table.empty()) {
    const Result<TableSpec> spec = ReadTable(table);
    if (!spec.ok()) return BadInput(console, spec.error().message);
    if (!spec->charuco) {
      return BadInput(console,
                      fmt::format("{}: no [charuco]; leave out --table for the board that "
                                  "`fallofshot print` makes, or describe another there or with "
                                  "options such as --squares-x",
                                  table));
    }
    charuco = *spec->charuco;
  }
  chess.square_length_in = charuco.square_length_in;
  markers.marker_length_in = charuco.marker_length_in;
  markers.dictionary = charuco.dictionary;
  const std::vector<fs::path> pictures = LensPictures(source);
  const std::vector<fs::path> unread = UnreadPictureFiles(source);
  if (pictures.empty() && fs::is_directory(source, ec)) {
    return BadInput(
        console,
        unread.empty()
            ? fmt::format("{}: no .jpg, .png or .webp pictures; put views of the board there",
                          source)
            : fmt::format("{}: cannot be read; save the pictures as .jpg or .png",
                          unread.front().string()));
  }
  for (const fs::path& file : unread) {
    console.err << fmt::format(
        "fallofshot: {}: left out, as this kind of picture cannot be read; "
        "save it as .jpg or .png\n",
        file.string());
  }
  const auto from = [&](const auto& board) {
    return pictures.empty() ? Collect(source, board, console.out)
                            : CalibrateFromPictures(pictures, board);
  };
  const Result<LensCalibration> lens = marker_grid  ? from(markers)
                                       : chessboard ? from(chess)
                                                    : from(charuco);
  if (!lens.ok()) return BadInput(console, lens.error().message);
  const Status made = MakeFolderOf(out);
  const Status written = made.ok() ? WriteCamera(lens->camera, out) : made;
  if (!written.ok()) return BadInput(console, written.error().message);
  PrintLens(*lens, pictures.empty() ? lens->used.size() + lens->left_out.size() : pictures.size(),
            console.out);
  console.out << "written to " << out << '\n';
  return kExitDone;
}

}  // namespace

int RunCalibrate(const std::vector<std::string>& arguments, Console& console) {
  const std::string what = arguments.empty() ? "" : arguments.front();
  const std::vector<std::string> rest(arguments.begin() + (arguments.empty() ? 0 : 1),
                                      arguments.end());
  if (what == "lens") return RunLens(rest, console);
  if (what == "table") return RunCalibrateTable(rest, console);
  if (what == "projectiles") return RunCalibrateProjectiles(rest, console);
  if (what == "--help" || what == "-h") {
    if (console.pages != nullptr) {
      for (const auto& form : {RunLens, RunCalibrateTable, RunCalibrateProjectiles}) {
        (void)form({"--help"}, console);
      }
      return kExitDone;
    }
    console.out
        << "Usage: fallofshot calibrate lens|table|projectiles ...\n\n"
           "calibrate lens SOURCE         calibrate a lens from a camera or from pictures of a "
           "board\n"
           "calibrate table PICTURE       find the table in a picture, with its uncertainty\n"
           "calibrate projectiles SOURCE  measure your swabs and shells\n"
           "Each has its own --help.\n";
    return kExitDone;
  }
  return BadUsage(console, "calibrate",
                  (what.empty() ? "nothing to calibrate given"
                                : fmt::format("`{}` cannot be calibrated", what.substr(0, 100))) +
                      "; use `calibrate lens`, `calibrate table` or `calibrate projectiles`");
}

}  // namespace fos
