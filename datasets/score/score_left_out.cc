// SPDX-License-Identifier: MIT
#include "datasets/score/score_left_out.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include <fmt/format.h>
#include <opencv2/calib3d.hpp>
#include <opencv2/imgproc.hpp>

#include "calibration/lens/lens_calibration.h"
#include "calibration/lens/lens_fit.h"
#include "datasets/score/score_boards.h"
#include "datasets/score/score_lens.h"

namespace fos {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kFolds = 4;

struct SquareSum {
  double squares = 0;
  double count = 0;
  void Add(double distance) {
    squares += distance * distance;
    count += 1;
  }
  void Add(const SquareSum& other) {
    squares += other.squares;
    count += other.count;
  }
  double Rms() const { return count > 0 ? std::sqrt(squares / count) : 0; }
};

// OpenCV's own fit of the views.
CameraModel OpenCvLens(const std::vector<BoardView>& views, cv::Size picture) {
  const BoardPoints points = PointsOf(views);
  cv::Mat matrix;
  cv::Mat distortion;
  std::vector<cv::Mat> turns;
  std::vector<cv::Mat> shifts;
  cv::calibrateCamera(points.board, points.image, picture, matrix, distortion, turns, shifts);
  CameraModel out;
  out.width_px = picture.width;
  out.height_px = picture.height;
  out.fx_px = matrix.at<double>(0, 0);
  out.fy_px = matrix.at<double>(1, 1);
  out.cx_px = matrix.at<double>(0, 2);
  out.cy_px = matrix.at<double>(1, 2);
  for (int i = 0; i < 5; ++i) {
    out.distortion[static_cast<std::size_t>(i)] = distortion.at<double>(i);
  }
  return out;
}

// The view with its corners as OpenCV refines them.
BoardView RefinedByOpenCv(BoardView view, const cv::Mat& grey) {
  std::vector<cv::Point2f> corners;
  for (const ImagePoint& at : view.seen) {
    corners.emplace_back(static_cast<float>(at.x_px), static_cast<float>(at.y_px));
  }
  // No further than a bit of a marker (an eighth), no wider than what the samples of OpenCV use.
  constexpr double kOfSquare = 0.12;
  const int half = std::clamp(static_cast<int>(kOfSquare * view.square_px), 2, 11);
  cv::cornerSubPix(grey, corners, {half, half}, {-1, -1},
                   {cv::TermCriteria::COUNT + cv::TermCriteria::EPS, 100, 1e-4});
  for (std::size_t i = 0; i < corners.size(); ++i) view.seen[i] = {corners[i].x, corners[i].y};
  return view;
}

// Which ninth of the picture, row by row from the top left, as LensCalibration::regions.
std::size_t NinthOf(ImagePoint at, cv::Size picture) {
  const auto third = [](double share) {
    return static_cast<std::size_t>(std::clamp(static_cast<int>(3 * share), 0, 2));
  };
  return 3 * third(at.y_px / picture.height) + third(at.x_px / picture.width);
}

struct Missed {
  SquareSum all;
  std::array<SquareSum, 9> by_ninth;
};
Missed MissedBy(const CameraModel& lens, const std::vector<BoardView>& views, cv::Size picture) {
  Missed out;
  for (const BoardView& view : views) {
    const auto posed = PoseBoard(view, lens);
    if (!posed.ok()) continue;
    for (std::size_t i = 0; i < view.seen.size(); ++i) {
      out.all.Add(posed->distance_px[i]);
      out.by_ninth[NinthOf(view.seen[i], picture)].Add(posed->distance_px[i]);
    }
  }
  return out;
}

std::vector<BoardView> Fold(const std::vector<BoardView>& views, std::size_t fold, bool in) {
  std::vector<BoardView> out;
  for (std::size_t i = 0; i < views.size(); ++i) {
    if ((i % kFolds == fold) == in) out.push_back(views[i]);
  }
  return out;
}

std::vector<BoardView> Named(const std::vector<BoardView>& views,
                             const std::vector<std::string>& names) {
  const std::set<std::string> wanted(names.begin(), names.end());
  std::vector<BoardView> out;
  for (const BoardView& view : views) {
    if (wanted.count(view.name) > 0) out.push_back(view);
  }
  return out;
}

// Sums over folds.
struct Sums {
  SquareSum ours, opencv, ours_on_theirs, opencv_on_theirs, printed, ninths, printed_ninths;
};

// Adds one fold's figures.
// theirs  the same views with OpenCV's corners; empty for none.
Status AddFold(const std::vector<BoardView>& views, const std::vector<BoardView>& theirs,
               std::size_t fold, cv::Size picture, LeftOutScore& score, Sums& sums) {
  const auto lens = CalibrateLens(Fold(views, fold, false), picture);
  if (!lens.ok()) return lens.error();
  const std::vector<BoardView> scored = Fold(views, fold, true);
  const CameraModel rival = OpenCvLens(Named(views, lens->used), picture);
  const Missed missed = MissedBy(lens->camera, scored, picture);
  const Missed by_rival = MissedBy(rival, scored, picture);
  sums.ours.Add(missed.all);
  sums.opencv.Add(by_rival.all);
  score.worst_fold = std::max(score.worst_fold, missed.all.Rms() / by_rival.all.Rms());
  const double printed = lens->held_out_rms_px;
  sums.printed.Add({printed * printed * missed.all.count, missed.all.count});
  const double over_printed = missed.all.Rms() / printed;
  score.printed_least =
      score.folds == 0 ? over_printed : std::min(score.printed_least, over_printed);
  score.printed_most = std::max(score.printed_most, over_printed);
  for (std::size_t i = 0; i < lens->regions.size(); ++i) {
    const double stated = lens->regions[i].held_out_rms_px;
    if (!(stated > 0)) continue;
    sums.ninths.Add(missed.by_ninth[i]);
    sums.printed_ninths.Add({stated * stated * missed.by_ninth[i].count, missed.by_ninth[i].count});
  }
  if (!theirs.empty()) {
    const CameraModel their_lens = OpenCvLens(Named(theirs, lens->used), picture);
    const std::vector<BoardView> left_out = Fold(theirs, fold, true);
    sums.ours_on_theirs.Add(MissedBy(lens->camera, left_out, picture).all);
    sums.opencv_on_theirs.Add(MissedBy(their_lens, left_out, picture).all);
  }
  ++score.folds;
  return Ok();
}

using Finder = std::function<Result<BoardView>(const LensView&)>;

LeftOutScore ScoreSet(const std::string& name, const std::vector<LensView>& pictures,
                      const Finder& find) {
  std::vector<BoardView> views;
  std::vector<cv::Mat> grey;
  cv::Size size;
  for (const LensView& picture : pictures) {
    const auto found = find(picture);
    if (!found.ok()) continue;
    views.push_back(*found);
    grey.push_back(picture.grey);
    size = picture.grey.size();
  }
  const auto score = ScoreLeftOut(views, grey, size);
  LeftOutScore out;
  if (score.ok()) {
    out = *score;
  } else {
    out.error = score.error().message;
  }
  out.name = name;
  return out;
}

}  // namespace

Result<LeftOutScore> ScoreLeftOut(const std::vector<BoardView>& views,
                                  const std::vector<cv::Mat>& grey, cv::Size picture) {
  const auto all = CalibrateLens(views, picture);
  if (!all.ok()) return all.error();
  const std::vector<BoardView> good = Named(views, all->used);
  std::vector<BoardView> theirs;
  for (std::size_t i = 0; i < grey.size(); ++i) {
    if (std::find(all->used.begin(), all->used.end(), views[i].name) == all->used.end()) continue;
    theirs.push_back(RefinedByOpenCv(views[i], grey[i]));
  }
  LeftOutScore out;
  out.views = static_cast<int>(good.size());
  Sums sums;
  for (std::size_t fold = 0; fold < kFolds; ++fold) {
    if (const Status added = AddFold(good, theirs, fold, picture, out, sums); !added.ok()) {
      return added.error();
    }
  }
  out.ours_px = sums.ours.Rms();
  out.opencv_px = sums.opencv.Rms();
  out.ours_on_theirs_px = sums.ours_on_theirs.Rms();
  out.opencv_on_theirs_px = sums.opencv_on_theirs.Rms();
  out.printed_px = sums.printed.Rms();
  out.ninths_ratio = sums.ninths.Rms() / sums.printed_ninths.Rms();
  return out;
}

std::vector<LeftOutScore> ScoreLeftOutSets(const fs::path& root) {
  std::vector<fs::path> folders = {root.has_filename() ? root : root.parent_path()};
  std::error_code failed;
  fs::recursive_directory_iterator it(root, fs::directory_options::skip_permission_denied, failed);
  for (const fs::recursive_directory_iterator end; !failed && it != end; it.increment(failed)) {
    std::error_code unknown;
    if (it->is_directory(unknown)) folders.push_back(it->path());
  }
  std::sort(folders.begin(), folders.end());
  std::vector<LeftOutScore> out;
  for (const fs::path& folder : folders) {
    const std::string name = folder.filename().string();
    if (IsLensSet(folder)) {
      const auto board = BoardOfLensSet(folder);
      if (!board.ok()) continue;  // ScoreLensSets says why
      out.push_back(ScoreSet(name, ReadGreyViews(folder / "lens"), [&](const LensView& view) {
        return FindCharuco(view.name, view.grey, *board);
      }));
    } else if (name == "aruco_gridboard") {
      out.push_back(ScoreSet(name, ReadGreyViews(folder), [](const LensView& view) {
        return FindMarkerGrid(view.name, view.grey, MarkerBoardSpec());
      }));
    } else if (name == "opencv_chessboard") {
      for (const auto& [camera, views] : ChessboardCameras(folder)) {
        out.push_back(ScoreSet(name + ' ' + camera, views, [](const LensView& view) {
          return FindChessboard(view.name, view.grey, ChessboardPhotoSpec());
        }));
      }
    }
  }
  return out;
}

std::string LeftOutTable(const std::vector<LeftOutScore>& scores) {
  if (scores.empty()) return {};
  std::string out =
      fmt::format("{:<24} {:>6} {:>8} {:>8} {:>7} {:>11} {:>22} {:>8} {:>17} {:>8}\n",
                  "left-out views, rms px", "views", "ours", "OpenCV", "ratio", "worst fold",
                  "on OpenCV's corners", "printed", "seen / printed", "ninths");
  for (const LeftOutScore& s : scores) {
    if (!s.error.empty()) {
      out += fmt::format("{:<24} not scored: {}\n", s.name, s.error);
      continue;
    }
    out += fmt::format(
        "{:<24} {:>6} {:>8.3f} {:>8.3f} {:>7.2f} {:>11.2f} {:>8.3f} {:>6.3f} {:>6.2f} {:>8.3f} "
        "{:>5.2f} to {:>5.2f} {:>11.2f}\n",
        s.name, s.views, s.ours_px, s.opencv_px, s.ours_px / s.opencv_px, s.worst_fold,
        s.ours_on_theirs_px, s.opencv_on_theirs_px,
        s.opencv_on_theirs_px > 0 ? s.ours_on_theirs_px / s.opencv_on_theirs_px : 0.0, s.printed_px,
        s.printed_least, s.printed_most, s.ninths_ratio);
  }
  return out + '\n';
}

}  // namespace fos
