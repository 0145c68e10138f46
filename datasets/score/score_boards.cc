// SPDX-License-Identifier: MIT
#include "datasets/score/score_boards.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <fstream>
#include <numeric>

#include <fmt/format.h>
#include <opencv2/imgcodecs.hpp>

#include "calibration/lens/lens_calibration.h"
#include "calibration/lens/lens_fit.h"
#include "calibration/registration/table_registration.h"
#include "calibration/targets/fiducials.h"
#include "datasets/score/score.h"
#include "datasets/score/score_lens.h"
#include "engine/files/json.h"

namespace fos {
namespace {

namespace fs = std::filesystem;

constexpr double kMmPerInch = 25.4;
constexpr const char* kTruthCorners = "truth_corners.json";

// One fold of so many: every so-manyth view, or all the others.
std::vector<LensView> Fold(const std::vector<LensView>& views, std::size_t fold, std::size_t folds,
                           bool in) {
  std::vector<LensView> out;
  for (std::size_t i = 0; i < views.size(); ++i) {
    if ((i % folds == fold) == in) out.push_back(views[i]);
  }
  return out;
}

}  // namespace

MarkerGridSpec MarkerBoardSpec() {
  return {4, 5, 37.5 / kMmPerInch, 5.0 / kMmPerInch, "DICT_6X6_1000"};
}

ChessboardSpec ChessboardPhotoSpec() { return {9, 6, 25.0 / kMmPerInch}; }

std::map<std::string, std::vector<LensView>> ChessboardCameras(const fs::path& folder) {
  std::map<std::string, std::vector<LensView>> cameras;
  for (LensView& view : ReadGreyViews(folder)) {
    std::string letters;
    for (const char c : view.name) {
      if (std::isalpha(static_cast<unsigned char>(c)) == 0) break;
      letters += c;
    }
    cameras[letters].push_back(std::move(view));
  }
  return cameras;
}

Result<std::vector<MarkerBoardFold>> MarkerBoardFolds(const fs::path& folder) {
  const std::vector<LensView> views = ReadGreyViews(folder);
  std::vector<MarkerBoardFold> out;
  for (const std::size_t scored : {0U, 1U}) {
    const auto lens = CalibrateLens(Fold(views, scored, 2, false), MarkerBoardSpec());
    if (!lens.ok()) return lens.error();
    out.push_back({*lens, Fold(views, scored, 2, true)});
  }
  return out;
}

Result<MarkerBoardPose> PoseByCornerMarkers(const LensView& view, const CameraModel& lens) {
  const MarkerGridSpec spec = MarkerBoardSpec();
  // A table whose only square lies well outside the board: nothing but markers tells the pose.
  constexpr double kAround_in = 2;
  FiducialSpec all = MarkersOf(spec);
  double side = 0;
  for (FiducialMarker& m : all.markers) {
    m.centre = m.centre + Vec2{kAround_in, kAround_in};
    side = std::max({side, m.centre.x, m.centre.y});
  }
  TableSpec table;
  table.frame = {1, 1, side + kAround_in};
  FiducialSpec corners = all;
  corners.markers.clear();
  const int last = spec.markers_x * spec.markers_y - 1;
  for (const int id : {0, spec.markers_x - 1, last - (spec.markers_x - 1), last}) {
    corners.markers.push_back(all.markers[static_cast<std::size_t>(id)]);
  }
  table.fiducials = corners;
  const auto found = RegisterTable(view.grey, lens, table);
  if (!found.ok()) return found.error();
  MarkerBoardPose out{*found, {}};
  const auto seen = FindMarkers(view.grey, lens, all);
  if (!seen.ok()) return seen.error();
  double inward_px = 0;
  for (const double shift : found->marker_shift_px) {
    inward_px += shift / static_cast<double>(found->marker_shift_px.size());
  }
  for (const MarkerSighting& m : *seen) {
    const auto is = [&](const FiducialMarker& k) { return k.id == m.id; };
    if (std::any_of(corners.markers.begin(), corners.markers.end(), is)) continue;
    const auto marker = std::find_if(all.markers.begin(), all.markers.end(), is);
    const auto truth = MarkerCorners(*marker, all.size_in);
    double noise_px = 0;
    for (const LineSight& sight : m.sights) noise_px = std::max(noise_px, sight.sigma_px);
    // Ink and blur move the edges of all markers alike: by as much as those of the four.
    ImagePoint middle;
    for (const ImagePoint& corner : m.corner_px) {
      middle.x_px += corner.x_px / 4;
      middle.y_px += corner.y_px / 4;
    }
    for (std::size_t i = 0; i < 4; ++i) {
      const ImagePoint& corner = m.corner_px[i];
      const ImagePoint& next = m.corner_px[(i + 1) % 4];
      const double side_px = std::hypot(next.x_px - corner.x_px, next.y_px - corner.y_px);
      const double larger = 1 + 2 * inward_px / side_px;
      const ImagePoint there{middle.x_px + larger * (corner.x_px - middle.x_px),
                             middle.y_px + larger * (corner.y_px - middle.y_px)};
      // All markers lie on the same sheet, as high above the cloth as the fit takes sheets to lie.
      auto at = TableFromImage(found->camera, there, PosePriors().paper_in, noise_px);
      if (!at.ok()) continue;
      at->cov.xx += kPrintSigma_in * kPrintSigma_in;
      at->cov.yy += kPrintSigma_in * kPrintSigma_in;
      out.corners.push_back({truth[i], *at});
    }
  }
  return out;
}

namespace {

void ScoreMarkerBoards(const fs::path& folder, BoardSetScore& score) {
  score.what = "other corners, pose from 4 markers";
  score.unit = "mm";
  score.pictures = static_cast<int>(ReadGreyViews(folder).size());
  const auto folds = MarkerBoardFolds(folder);
  if (!folds.ok()) {
    score.error = folds.error().message;
    return;
  }
  for (const MarkerBoardFold& fold : *folds) {
    score.details.push_back(fmt::format("lens: {} views, {}, left-out views {:.3f} px",
                                        fold.lens.used.size(), fold.lens.model,
                                        fold.lens.held_out_rms_px));
    for (const LensView& view : fold.scored) {
      const auto posed = PoseByCornerMarkers(view, fold.lens.camera);
      if (!posed.ok()) {
        score.details.push_back(view.name + ": " + posed.error().message);
        continue;
      }
      ++score.found;
      double worst = 0;
      for (const MarkerBoardPose::Corner& corner : posed->corners) {
        score.errors.push_back(Distance(corner.seen.at, corner.truth) * kMmPerInch);
        worst = std::max(worst, score.errors.back());
      }
      score.details.push_back(
          fmt::format("{}: {} corners, worst {:.2f} mm", view.name, posed->corners.size(), worst));
    }
  }
}

void ScoreChessboards(const fs::path& folder, BoardSetScore& score) {
  const ChessboardSpec spec = ChessboardPhotoSpec();
  score.unit = "px";
  for (const auto& [camera, views] : ChessboardCameras(folder)) {
    score.pictures += static_cast<int>(views.size());
    constexpr std::size_t kFolds = 4;
    for (std::size_t scored = 0; scored < kFolds; ++scored) {
      const auto lens = CalibrateLens(Fold(views, scored, kFolds, false), spec);
      if (!lens.ok()) score.details.push_back(camera + ": " + lens.error().message);
      for (const LensView& view : Fold(views, scored, kFolds, true)) {
        const auto board = FindChessboard(view.name, view.grey, spec);
        if (!board.ok()) {
          score.details.push_back(board.error().message);
          continue;
        }
        ++score.found;
        // A board is found by itself; how well a lens fits it, views that were refused do not say.
        if (!lens.ok()) {
          score.details.push_back(view.name + ": found; no lens of the other views to score it by");
          continue;
        }
        const auto posed = PoseBoard(board.value(), lens->camera);
        if (!posed.ok()) {
          score.details.push_back(posed.error().message);
          continue;
        }
        score.errors.push_back(posed->rms_px);
        score.details.push_back(
            fmt::format("{}: {:.3f} px ({})", view.name, posed->rms_px, lens->model));
      }
    }
  }
  score.what = fmt::format("corners of {} left-out views", score.errors.size());
}

void ScoreSquares(const fs::path& folder, BoardSetScore& score) {
  score.what = "outer corners of 8 x 8 squares, no lens";
  score.unit = "px";
  std::ifstream in(folder / kTruthCorners);
  const Json truth = Json::parse(in);
  for (const auto& [name, entry] : truth.items()) {
    const cv::Mat picture = cv::imread((folder / name).string(), cv::IMREAD_COLOR);
    if (picture.empty()) continue;
    ++score.pictures;
    const TableFrame frame{8, 8, 2.0};
    const auto found = RegisterFromGrid(picture, AssumedLens(picture.size()), frame);
    if (!found.ok()) {
      score.details.push_back(name + ": " + found.error().message);
      continue;
    }
    std::array<ImagePoint, 4> corner;  // clockwise in the picture
    for (std::size_t i = 0; i < 4; ++i) {
      const auto& at = entry.at("refined").at(i);
      corner[i] = {at.at(0).get<double>(), at.at(1).get<double>()};
    }
    // Squares alone do not tell which corner is which: the placement that fits best is meant.
    std::vector<double> best;
    const double w = frame.Width();
    const std::array<Vec2, 4> table = {Vec2{0, w}, Vec2{w, w}, Vec2{w, 0}, Vec2{0, 0}};
    const auto sum = [](const std::vector<double>& v) {
      return std::accumulate(v.begin(), v.end(), 0.0);
    };
    for (const TableRegistration& placement : *found) {
      std::vector<double> errors;
      for (std::size_t i = 0; i < 4; ++i) {
        const ImagePoint at = ImageFromTable(placement.camera, table[i], 0);
        errors.push_back(std::hypot(at.x_px - corner[i].x_px, at.y_px - corner[i].y_px));
      }
      if (best.empty() || sum(errors) < sum(best)) best = errors;
    }
    const double square =
        std::hypot(corner[1].x_px - corner[0].x_px, corner[1].y_px - corner[0].y_px) / 8;
    double worst = 0;
    for (const double error : best) worst = std::max(worst, error);
    // Half a square off is another grid.
    if (worst < 0.5 * square) ++score.found;
    score.errors.insert(score.errors.end(), best.begin(), best.end());
    score.details.push_back(
        fmt::format("{}: worst corner {:.1f} px of squares {:.0f} px wide", name, worst, square));
  }
}

}  // namespace

std::vector<BoardSetScore> ScoreBoardSets(const fs::path& root) {
  const auto is_set = [](const fs::path& folder) {
    std::error_code unknown;
    const std::string name = folder.filename().string();
    return fs::is_directory(folder, unknown) &&
           (name == "aruco_gridboard" || name == "opencv_chessboard" ||
            fs::is_regular_file(folder / kTruthCorners, unknown));
  };
  std::vector<fs::path> sets;
  const fs::path top = root.has_filename() ? root : root.parent_path();
  if (is_set(top)) sets.push_back(top);
  std::error_code failed;
  fs::recursive_directory_iterator it(root, fs::directory_options::skip_permission_denied, failed);
  for (const fs::recursive_directory_iterator end; !failed && it != end; it.increment(failed)) {
    if (is_set(it->path())) sets.push_back(it->path());
  }
  std::sort(sets.begin(), sets.end());
  std::vector<BoardSetScore> scores;
  for (const fs::path& set : sets) {
    BoardSetScore score;
    score.name = set == top ? set.filename().string() : fs::relative(set, root).string();
    try {
      if (set.filename() == "aruco_gridboard") {
        ScoreMarkerBoards(set, score);
      } else if (set.filename() == "opencv_chessboard") {
        ScoreChessboards(set, score);
      } else {
        ScoreSquares(set, score);
      }
    } catch (const std::exception& e) {  // the JSON library's, OpenCV's and the file system's
      score.error = e.what();
    }
    scores.push_back(std::move(score));
  }
  return scores;
}

std::string BoardTable(const std::vector<BoardSetScore>& scores, bool details) {
  std::string out;
  for (const BoardSetScore& score : scores) {
    out += fmt::format("{}: ", score.name);
    if (!score.error.empty()) {
      out += score.error + '\n';
    } else {
      const double count = std::max(1.0, static_cast<double>(score.errors.size()));
      const double mean = std::accumulate(score.errors.begin(), score.errors.end(), 0.0) / count;
      out += fmt::format(
          "found in {} of {}; {}: mean {:.3f}, median {:.3f}, p95 {:.3f}, max "
          "{:.3f} {}\n",
          score.found, score.pictures, score.what, mean, Quantile(score.errors, 0.5).value_or(0),
          Quantile(score.errors, 0.95).value_or(0), Quantile(score.errors, 1).value_or(0),
          score.unit);
    }
    if (!details) continue;
    for (const std::string& line : score.details) out += "  " + line + '\n';
  }
  return out;
}

}  // namespace fos
