#include "ui/app/calibrate_command.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <ostream>

#include <fmt/format.h>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>

#include "calibration/deployment.h"
#include "engine/files/scenario_file.h"
#include "engine/files/table_file.h"
#include "ui/app/lens_views.h"
#include "ui/app/options.h"
#include "vision/frame_source.h"

namespace fos {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> PicturesIn(const fs::path& folder) {
  std::vector<fs::path> out;
  std::error_code ec;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ec)) {
    std::string end = entry.path().extension().string();
    std::transform(end.begin(), end.end(), end.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (end == ".png" || end == ".jpg" || end == ".jpeg") out.push_back(entry.path());
  }
  std::sort(out.begin(), out.end());
  return out;
}

int RunLens(const std::vector<std::string>& arguments, Console& console) {
  std::string folder;
  std::string out = "camera.yaml";
  CharucoSpec charuco{9, 6, 1.0, 0.75, "DICT_5X5_100"};
  std::string table;
  bool chessboard = false;
  ChessboardSpec chess;
  Options options("calibrate lens VIEWS [options]",
                  "Finds the lens from pictures of a calibration board: hold it near and far, into "
                  "every corner of the picture, tilted to all four sides.");
  options.Argument("VIEWS", folder, "folder with the pictures, .jpg or .png")
      .Text("out", "FILE", out, "where the lens is written")
      .Text("table", "FILE", table, "table.toml whose [charuco] describes the board")
      .Integer("squares-x", charuco.squares_x, 3, 50, "squares across the ChArUco board")
      .Integer("squares-y", charuco.squares_y, 3, 50, "squares down it")
      .Number("square", charuco.square_length_in, 0.05, 20.0, "side of a square, inches")
      .Number("marker", charuco.marker_length_in, 0.02, 20.0, "side of a marker in it, inches")
      .Text("dictionary", "NAME", charuco.dictionary, "of the markers, as OpenCV calls it")
      .Flag("chessboard", chessboard, "a plain chessboard instead")
      .Integer("corners-x", chess.corners_x, 3, 50, "inner corners across the chessboard")
      .Integer("corners-y", chess.corners_y, 3, 50, "inner corners down it");
  const Result<bool> parsed = options.Parse(arguments);
  if (!parsed.ok()) return BadUsage(console, "calibrate lens", parsed.error().message);
  if (*parsed) {
    console.out << options.Help();
    return kExitDone;
  }
  if (!table.empty()) {
    const Result<TableSpec> spec = ReadTable(table);
    if (!spec.ok()) return BadInput(console, spec.error().message);
    if (!spec->charuco) {
      return BadInput(console, fmt::format("{}: no [charuco]; describe the board there or by the "
                                           "flags",
                                           table));
    }
    charuco = *spec->charuco;
  }
  chess.square_length_in = charuco.square_length_in;
  std::vector<fs::path> pictures = PicturesIn(folder);
  // A clip's own views, when the clip is given.
  if (pictures.empty()) pictures = PicturesIn(fs::path(folder) / "lens");
  if (pictures.empty()) {
    return BadInput(
        console,
        fmt::format("{}: no .jpg or .png pictures; put the views of the board there", folder));
  }
  const Result<LensCalibration> lens = chessboard ? CalibrateFromPictures(pictures, chess)
                                                  : CalibrateFromPictures(pictures, charuco);
  if (!lens.ok()) return BadInput(console, lens.error().message);
  const Status written = WriteCamera(lens->camera, out);
  if (!written.ok()) return BadInput(console, written.error().message);

  const CameraModel& camera = lens->camera;
  const auto& covariance = *camera.covariance;
  console.out << fmt::format("{} of {} views used; distortion {}\n", lens->used.size(),
                             pictures.size(), lens->model);
  for (const std::string& line : lens->left_out) console.out << "  left out: " << line << '\n';
  console.out << fmt::format(
      "focal length {:.1f} +- {:.1f} px, centre ({:.1f} +- {:.1f}, {:.1f} +- {:.1f}) px\n",
      camera.fx_px, std::sqrt(covariance(0, 0)), camera.cx_px, std::sqrt(covariance(2, 2)),
      camera.cy_px, std::sqrt(covariance(3, 3)));
  console.out << fmt::format(
      "corners of left-out views are met to {:.3f} px rms ({:.3f} in the "
      "fit)\n",
      lens->held_out_rms_px, lens->fit_rms_px);
  // What matters at the table: a board four feet wide that fills the picture.
  constexpr double kTable_in = 48;
  const double px_per_in = camera.width_px / kTable_in;
  console.out << fmt::format(
      "expected error at the corners of a 48 in table that fills the "
      "picture: {:.3f} in\n",
      TableErrorOfLens(camera) / px_per_in);
  console.out << "written to " << out << '\n';
  return kExitDone;
}

// A picture, or the first settled frame of a video or clip.
Result<cv::Mat> PictureOf(const fs::path& source) {
  fs::path file = source;
  std::error_code ec;
  if (fs::is_directory(file, ec)) file /= "video.mkv";
  const std::string end = file.extension().string();
  if (end == ".png" || end == ".jpg" || end == ".jpeg") {
    cv::Mat bgr;
    try {
      bgr = cv::imread(file.string(), cv::IMREAD_COLOR | cv::IMREAD_IGNORE_ORIENTATION);
    } catch (const cv::Exception&) {
      bgr.release();
    }
    if (!bgr.empty()) return bgr;
    return Error{ErrorCode::kNotFound, file.string() + ": not a picture that can be read"};
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

// A small map: residuals at the left-out crossings, drawn on the picture a hundred times as long.
cv::Mat ResidualMap(const cv::Mat& bgr, const TableRegistration& table, const TableFrame& frame) {
  cv::Mat map = bgr.clone();
  const auto pixel = [&](Vec2 at) {
    const ImagePoint p = ImageFromTable(table.camera, at, 0);
    return cv::Point(static_cast<int>(std::lround(p.x_px)), static_cast<int>(std::lround(p.y_px)));
  };
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

int RunTable(const std::vector<std::string>& arguments, Console& console) {
  std::string source;
  std::string table_path;
  std::string scenario_path;
  std::string camera_path;
  std::string map_path;
  Options options("calibrate table PICTURE [options]",
                  "Finds the table in a picture and says how far it can be trusted.");
  options.Argument("PICTURE", source, "a picture, a video, or a clip's folder")
      .Text("table", "FILE", table_path, "table.toml; a clip has its own")
      .Text("scenario", "FILE", scenario_path,
            "scenario.toml: tells which side is north when there are no markers")
      .Text("camera", "FILE", camera_path, "the lens, from `calibrate lens`; a clip has its own")
      .Text("map", "FILE", map_path, "write the picture with the grid and the residuals drawn in");
  const Result<bool> parsed = options.Parse(arguments);
  if (!parsed.ok()) return BadUsage(console, "calibrate table", parsed.error().message);
  if (*parsed) {
    console.out << options.Help();
    return kExitDone;
  }
  std::error_code ec;
  const fs::path folder =
      fs::is_directory(source, ec) ? fs::path(source) : fs::path(source).parent_path();
  const auto or_beside = [&](const std::string& given, const char* name) {
    return given.empty() ? folder / name : fs::path(given);
  };
  const Result<TableSpec> table = ReadTable(or_beside(table_path, "table.toml"));
  if (!table.ok()) return BadInput(console, table.error().message);
  const Result<CameraModel> lens = ReadCamera(or_beside(camera_path, "camera.yaml"));
  if (!lens.ok()) return BadInput(console, lens.error().message);
  const Result<cv::Mat> bgr = PictureOf(source);
  if (!bgr.ok()) return BadInput(console, bgr.error().message);

  const fs::path scenario_file = or_beside(scenario_path, "scenario.toml");
  Result<TableRegistration> found = Error{};
  if (fs::is_regular_file(scenario_file, ec) || !scenario_path.empty()) {
    const Result<Scenario> scenario = ReadScenario(scenario_file, table->frame);
    if (!scenario.ok()) return BadInput(console, scenario.error().message);
    found = RegisterTable(*bgr, *lens, *table, *scenario);
  } else {
    cv::Mat grey;
    cv::cvtColor(*bgr, grey, cv::COLOR_BGR2GRAY);
    found = RegisterTable(grey, *lens, *table);
  }
  if (!found.ok()) return BadInput(console, fmt::format("{}: {}", source, found.error().message));

  const cv::Vec3d eye = CameraCentre(found->camera);
  console.out << found->sentence << '\n';
  console.out << fmt::format(
      "found by {}; the camera is {:.1f} in above ({:.1f}, {:.1f}), relying on the lens file for "
      "that height\n",
      found->method == TableRegistration::Method::kGrid ? "the drawn grid" : "the markers", eye[2],
      eye[0], eye[1]);
  console.out << "left-out crossings, how far the drawn one is from its place:\n";
  for (const TableRegistration::Residual& r : found->held_out) {
    console.out << fmt::format("  ({:5.1f}, {:5.1f}) in   {:+.3f} east {:+.3f} north\n", r.at.x,
                               r.at.y, r.error_in.x, r.error_in.y);
  }
  if (!map_path.empty()) {
    bool written = false;
    try {
      written = cv::imwrite(map_path, ResidualMap(*bgr, *found, table->frame));
    } catch (const cv::Exception&) {
      written = false;
    }
    if (!written) {
      return BadInput(console, fmt::format("{}: cannot be written; name a .png in a folder that "
                                           "exists",
                                           map_path));
    }
    console.out << "map written to " << map_path << '\n';
  }
  return kExitDone;
}

}  // namespace

int RunCalibrate(const std::vector<std::string>& arguments, Console& console) {
  const std::string what = arguments.empty() ? "" : arguments.front();
  const std::vector<std::string> rest(arguments.begin() + (arguments.empty() ? 0 : 1),
                                      arguments.end());
  if (what == "lens") return RunLens(rest, console);
  if (what == "table") return RunTable(rest, console);
  if (what == "--help" || what == "-h") {
    console.out << "Usage: fallofshot calibrate lens|table ...\n\n"
                   "calibrate lens VIEWS      the lens, from pictures of a calibration board\n"
                   "calibrate table PICTURE   where the table lies, and how far to trust it\n"
                   "Each has a --help of its own.\n";
    return kExitDone;
  }
  return BadUsage(
      console, "calibrate",
      fmt::format("`{}` cannot be calibrated; say `calibrate lens` or `calibrate table`",
                  what.substr(0, 100)));
}

}  // namespace fos
