// SPDX-License-Identifier: MIT
#include "calibration/targets/board_corners.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>
#include <opencv2/aruco/charuco.hpp>
#include <opencv2/calib3d.hpp>
#include <opencv2/imgproc.hpp>

#include "calibration/camera/pose_fit.h"
#include "calibration/camera/sampling.h"
#include "calibration/targets/dictionary.h"
#include "calibration/targets/fiducials.h"

namespace fos {
namespace {

// A window of a quarter of a square about a corner holds nothing but that corner.
constexpr double kWindowShare = 0.28;
constexpr double kSmallestWindow_px = 3.0;
constexpr double kLargestWindow_px = 12.0;

struct MarkerOnBoard {
  std::array<cv::Point2f, 4> board;
  std::array<cv::Point2f, 4> image;
  cv::Point2f centre;  // on the board
};

// Where a corner should be, by the markers nearest to it: near enough for distortion to matter
// little.
std::optional<ImagePoint> Predict(const std::vector<MarkerOnBoard>& markers, cv::Point2f corner,
                                  double square) {
  std::vector<const MarkerOnBoard*> nearest;
  for (const MarkerOnBoard& m : markers) nearest.push_back(&m);
  std::sort(nearest.begin(), nearest.end(), [&](const MarkerOnBoard* a, const MarkerOnBoard* b) {
    return cv::norm(a->centre - corner) < cv::norm(b->centre - corner);
  });
  // A corner is only measured beside a marker that was read: else it may be hidden.
  if (nearest.empty() || cv::norm(nearest[0]->centre - corner) > 0.75 * square) return std::nullopt;
  constexpr std::size_t kEnough = 4;
  if (nearest.size() > kEnough) nearest.resize(kEnough);
  std::vector<cv::Point2f> from;
  std::vector<cv::Point2f> to;
  for (const MarkerOnBoard* m : nearest) {
    from.insert(from.end(), m->board.begin(), m->board.end());
    to.insert(to.end(), m->image.begin(), m->image.end());
  }
  const cv::Mat h = cv::findHomography(from, to, 0);
  if (h.empty()) return std::nullopt;
  std::vector<cv::Point2f> out;
  cv::perspectiveTransform(std::vector<cv::Point2f>{corner}, out, h);
  if (!std::isfinite(out[0].x) || !std::isfinite(out[0].y)) return std::nullopt;
  return ImagePoint{static_cast<double>(out[0].x), static_cast<double>(out[0].y)};
}

// The fewest markers of a board that say where it lies.
constexpr std::size_t kFewestMarkers = 3;

// Why a view shows too few of the board's markers.
// mirrored  how many are read in the picture seen in a mirror
Error TooFewMarkers(const std::string& name, std::size_t read, std::size_t mirrored) {
  if (mirrored >= kFewestMarkers) {
    return Error{ErrorCode::kNotFound, fmt::format("{}: {}", name, kMirrored)};
  }
  return Error{
      ErrorCode::kNotFound,
      fmt::format("{}: {} of the board's markers can be read: blurred, dark or another board", name,
                  read)};
}

cv::Mat InAMirror(const cv::Mat& picture) {
  cv::Mat out;
  cv::flip(picture, out, 1);
  return out;
}

// Of the corners of the markers that are read, for the board that is described.
constexpr double kLeastOnBoard = 0.6;

// The share of markers that lie as the board has them.
double AsOnBoard(const std::vector<MarkerOnBoard>& markers) {
  std::vector<cv::Point2f> from;
  std::vector<cv::Point2f> to;
  for (const MarkerOnBoard& m : markers) {
    from.insert(from.end(), m.board.begin(), m.board.end());
    to.insert(to.end(), m.image.begin(), m.image.end());
  }
  double side = 0;
  for (const MarkerOnBoard& m : markers) side += cv::norm(m.image[0] - m.image[1]);
  side /= static_cast<double>(markers.size());
  cv::Mat inliers;
  // Distortion bends a whole board by less than a quarter of a marker.
  const cv::Mat h = cv::findHomography(from, to, cv::RANSAC, 0.25 * side + 2, inliers);
  if (h.empty()) return 0;
  return static_cast<double>(cv::countNonZero(inliers)) / static_cast<double>(from.size());
}

// Those of the board's markers that can be read.
std::vector<MarkerOnBoard> MarkersIn(const cv::Mat& grey, const cv::aruco::CharucoBoard& board) {
  const auto options = cv::aruco::DetectorParameters::create();
  options->cornerRefinementMethod = cv::aruco::CORNER_REFINE_NONE;
  std::vector<std::vector<cv::Point2f>> quads;
  std::vector<int> ids;
  cv::aruco::detectMarkers(grey, board.dictionary, quads, ids, options);
  std::vector<MarkerOnBoard> markers;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const auto known = std::find(board.ids.begin(), board.ids.end(), ids[i]);
    if (known == board.ids.end()) continue;
    const auto& points = board.objPoints[static_cast<std::size_t>(known - board.ids.begin())];
    MarkerOnBoard m;
    for (std::size_t k = 0; k < 4; ++k) {
      m.board[k] = {points[k].x, points[k].y};
      m.image[k] = quads[i][k];
      m.centre += 0.25F * m.board[k];
    }
    markers.push_back(m);
  }
  return markers;
}

// value = q0 + q1 u + q2 v + q3 u^2 + q4 u v + q5 v^2 about `at`, by least squares with Gaussian
// weights; empty at the picture's border.
struct Quadratic {
  cv::Vec<double, 6> q;
  double contrast = 0;  // highest less lowest in the window
};
std::optional<Quadratic> FitQuadratic(const cv::Mat& grey, ImagePoint at, double window,
                                      double sigma) {
  if (!(std::abs(at.x_px) < 1e6 && std::abs(at.y_px) < 1e6)) return std::nullopt;
  const int half = static_cast<int>(std::ceil(window));
  const int x0 = static_cast<int>(std::lround(at.x_px));
  const int y0 = static_cast<int>(std::lround(at.y_px));
  if (x0 < half || y0 < half || x0 + half >= grey.cols || y0 + half >= grey.rows) {
    return std::nullopt;
  }
  cv::Matx<double, 6, 6> normal = cv::Matx<double, 6, 6>::zeros();
  cv::Vec<double, 6> right;
  double lowest = 255;
  double highest = 0;
  for (int y = y0 - half; y <= y0 + half; ++y) {
    const std::uint8_t* row = grey.ptr<std::uint8_t>(y);
    for (int x = x0 - half; x <= x0 + half; ++x) {
      const double u = x - at.x_px;
      const double v = y - at.y_px;
      const double r2 = u * u + v * v;
      if (r2 > window * window) continue;
      const double w = std::exp(-0.5 * r2 / (sigma * sigma));
      const cv::Vec<double, 6> basis(1, u, v, u * u, u * v, v * v);
      const double value = row[x];
      lowest = std::min(lowest, value);
      highest = std::max(highest, value);
      for (int i = 0; i < 6; ++i) {
        right[i] += w * basis[i] * value;
        for (int j = 0; j <= i; ++j) normal(i, j) += w * basis[i] * basis[j];
      }
    }
  }
  for (int i = 0; i < 6; ++i) {
    for (int j = i + 1; j < 6; ++j) normal(i, j) = normal(j, i);
  }
  bool solvable = false;
  const cv::Vec<double, 6> q = normal.inv(cv::DECOMP_CHOLESKY, &solvable) * right;
  if (!solvable) return std::nullopt;
  return Quadratic{q, highest - lowest};
}

// A board's view in the making: each corner measured where it should be, those without a saddle
// left out.
class Gathering {
 public:
  Gathering(const std::string& name, const cv::Mat& grey) : grey_(grey) { view_.name = name; }
  void Add(Vec2 board_in, ImagePoint near, double square_px) {
    const auto saddle = FitSaddle(grey_, near, kWindowShare * square_px);
    if (!saddle) return;
    view_.board_in.push_back(board_in);
    view_.seen.push_back(saddle->at);
    blurs_.push_back(saddle->blur_px);
    squares_.push_back(square_px);
  }
  BoardView Take() {
    view_.blur_px = Median(blurs_);
    view_.square_px = Median(squares_);
    return std::move(view_);
  }

 private:
  const cv::Mat& grey_;
  BoardView view_;
  std::vector<double> blurs_;
  std::vector<double> squares_;
};

}  // namespace

std::optional<Saddle> FitSaddle(const cv::Mat& grey, ImagePoint start, double reach_px) {
  const double window = std::clamp(reach_px, kSmallestWindow_px, kLargestWindow_px);
  ImagePoint at = start;
  constexpr int kSteps = 20;
  for (int step = 0; step < kSteps; ++step) {
    const auto fit = FitQuadratic(grey, at, window, 0.5 * window);
    constexpr double kLeastContrast = 12;  // code values
    if (!fit || fit->contrast < kLeastContrast) return std::nullopt;
    const auto& q = fit->q;
    const double det = 4 * q[3] * q[5] - q[4] * q[4];
    if (!(det < 0)) return std::nullopt;  // a hill or a valley, no saddle
    const double dx = -(2 * q[5] * q[1] - q[4] * q[2]) / det;
    const double dy = -(2 * q[3] * q[2] - q[4] * q[1]) / det;
    const double length = std::hypot(dx, dy);
    const double damp = length > 1 ? 1 / length : 1.0;
    at.x_px += damp * dx;
    at.y_px += damp * dy;
    if (std::hypot(at.x_px - start.x_px, at.y_px - start.y_px) > window) return std::nullopt;
    constexpr double kSettled_px = 1e-3;
    if (length > kSettled_px) continue;
    // Two edges that are smeared by s cross with a mixed curvature of (2/pi) (half the contrast) /
    // (s^2 + sigma^2), where sigma is the fit's own window: a small one tells s.
    constexpr double kFine_px = 1.5;
    const auto close = FitQuadratic(grey, at, 3 * kFine_px, kFine_px);
    if (!close) return std::nullopt;
    const auto& c = close->q;
    const double curvature = 0.5 * std::sqrt(std::max(1e-9, c[4] * c[4] - 4 * c[3] * c[5]));
    const double smear2 = (2 / CV_PI) * fit->contrast / 2 / curvature / 2;
    return Saddle{at, std::sqrt(std::max(0.0, smear2 - kFine_px * kFine_px))};
  }
  return std::nullopt;
}

Result<BoardView> FindCharuco(const std::string& name, const cv::Mat& grey,
                              const CharucoSpec& spec) try {
  const auto dictionary = DictionaryNamed(spec.dictionary);
  if (!dictionary.ok()) return dictionary.error();
  constexpr int kMostSquares = 100;
  if (spec.squares_x < 2 || spec.squares_y < 2 || spec.squares_x > kMostSquares ||
      spec.squares_y > kMostSquares || !(spec.marker_length_in > 0) ||
      !(spec.square_length_in > spec.marker_length_in) ||
      spec.squares_x * spec.squares_y / 2 > dictionary.value()->bytesList.rows) {
    return Error{ErrorCode::kBadFormat,
                 "[charuco] is no board that can be: check squares, lengths and dictionary"};
  }
  if (grey.empty() || grey.type() != CV_8UC1) {
    return Error{ErrorCode::kBadFormat, name + ": want a grey 8-bit picture"};
  }
  const auto board = cv::aruco::CharucoBoard::create(
      spec.squares_x, spec.squares_y, static_cast<float>(spec.square_length_in),
      static_cast<float>(spec.marker_length_in), dictionary.value());
  const std::vector<MarkerOnBoard> markers = MarkersIn(grey, *board);
  if (markers.size() < kFewestMarkers) {
    return TooFewMarkers(name, markers.size(), MarkersIn(InAMirror(grey), *board).size());
  }
  if (AsOnBoard(markers) < kLeastOnBoard) {
    return Error{ErrorCode::kNotFound,
                 fmt::format("{}: the markers do not lie as on the board of [charuco]: another "
                             "board, or one drawn with a white square at its top left",
                             name)};
  }
  Gathering view(name, grey);
  for (const cv::Point3f& c : board->chessboardCorners) {
    const cv::Point2f corner(c.x, c.y);
    const auto at = Predict(markers, corner, spec.square_length_in);
    if (!at) continue;
    const auto beside =
        Predict(markers, corner + cv::Point2f(0.25F * static_cast<float>(spec.square_length_in), 0),
                spec.square_length_in);
    const auto below =
        Predict(markers, corner + cv::Point2f(0, 0.25F * static_cast<float>(spec.square_length_in)),
                spec.square_length_in);
    if (!beside || !below) continue;
    const double across = 4 * std::hypot(beside->x_px - at->x_px, beside->y_px - at->y_px);
    const double down = 4 * std::hypot(below->x_px - at->x_px, below->y_px - at->y_px);
    view.Add({static_cast<double>(corner.x), static_cast<double>(corner.y)}, *at,
             std::min(across, down));
  }
  return view.Take();
} catch (const cv::Exception& e) {
  return Error{ErrorCode::kNotFound, fmt::format("{}: {}", name, e.err)};
}

Result<BoardView> FindChessboard(const std::string& name, const cv::Mat& grey,
                                 const ChessboardSpec& spec) try {
  constexpr int kMostCorners = 100;
  if (spec.corners_x < 2 || spec.corners_y < 2 || spec.corners_x > kMostCorners ||
      spec.corners_y > kMostCorners || !(spec.square_length_in > 0)) {
    return Error{ErrorCode::kBadFormat,
                 "no chessboard has such numbers of corners or such squares"};
  }
  if (grey.empty() || grey.type() != CV_8UC1) {
    return Error{ErrorCode::kBadFormat, name + ": want a grey 8-bit picture"};
  }
  std::vector<cv::Point2f> found;
  const cv::Size size(spec.corners_x, spec.corners_y);
  if (!cv::findChessboardCorners(
          grey, size, found,
          cv::CALIB_CB_ADAPTIVE_THRESH | cv::CALIB_CB_NORMALIZE_IMAGE | cv::CALIB_CB_FAST_CHECK)) {
    return Error{ErrorCode::kNotFound,
                 fmt::format("{}: no chessboard of {} x {} inner corners is seen whole", name,
                             spec.corners_x, spec.corners_y)};
  }
  Gathering view(name, grey);
  for (int y = 0; y < spec.corners_y; ++y) {
    for (int x = 0; x < spec.corners_x; ++x) {
      const auto at = [&](int i, int j) {
        return found[static_cast<std::size_t>(j * spec.corners_x + i)];
      };
      const cv::Point2f here = at(x, y);
      const double across = cv::norm(here - at(x > 0 ? x - 1 : x + 1, y));
      const double down = cv::norm(here - at(x, y > 0 ? y - 1 : y + 1));
      view.Add({x * spec.square_length_in, y * spec.square_length_in},
               {static_cast<double>(here.x), static_cast<double>(here.y)}, std::min(across, down));
    }
  }
  return view.Take();
} catch (const cv::Exception& e) {
  return Error{ErrorCode::kNotFound, fmt::format("{}: {}", name, e.err)};
}

FiducialSpec MarkersOf(const MarkerGridSpec& spec) {
  FiducialSpec out;
  out.dictionary = spec.dictionary;
  out.size_in = spec.marker_length_in;
  const double pitch = spec.marker_length_in + spec.gap_in;
  for (int y = 0; y < spec.markers_y; ++y) {
    for (int x = 0; x < spec.markers_x; ++x) {
      out.markers.push_back({y * spec.markers_x + x,
                             {x * pitch + spec.marker_length_in / 2,
                              (spec.markers_y - 1 - y) * pitch + spec.marker_length_in / 2}});
    }
  }
  return out;
}

Result<BoardView> FindMarkerGrid(const std::string& name, const cv::Mat& grey,
                                 const MarkerGridSpec& spec) try {
  constexpr int kMost = 50;
  if (spec.markers_x < 1 || spec.markers_y < 1 || spec.markers_x > kMost ||
      spec.markers_y > kMost || !(spec.marker_length_in > 0) || !(spec.gap_in > 0)) {
    return Error{ErrorCode::kBadFormat, "no board of markers has such numbers or lengths"};
  }
  if (grey.empty() || grey.type() != CV_8UC1) {
    return Error{ErrorCode::kBadFormat, name + ": want a grey 8-bit picture"};
  }
  // Edges are straight over one marker through any lens.
  CameraModel plain = AssumedLens(grey.size());
  plain.covariance.reset();
  const FiducialSpec markers = MarkersOf(spec);
  const auto seen = FindMarkers(grey, plain, markers);
  if (!seen.ok()) return seen.error();
  if (seen->size() < kFewestMarkers) {
    const auto mirrored = FindMarkers(InAMirror(grey), plain, markers);
    return TooFewMarkers(name, seen->size(), mirrored.ok() ? mirrored->size() : 0);
  }
  BoardView view;
  view.name = name;
  std::vector<MarkerOnBoard> on_board;
  std::vector<double> sides;
  for (const MarkerSighting& m : *seen) {
    const auto at = std::find_if(markers.markers.begin(), markers.markers.end(),
                                 [&](const FiducialMarker& k) { return k.id == m.id; });
    const auto corners = MarkerCorners(*at, spec.marker_length_in);
    MarkerOnBoard& marker = on_board.emplace_back();
    for (std::size_t i = 0; i < 4; ++i) {
      marker.board[i] = {static_cast<float>(corners[i].x), static_cast<float>(corners[i].y)};
      marker.image[i] = {static_cast<float>(m.corner_px[i].x_px),
                         static_cast<float>(m.corner_px[i].y_px)};
      view.board_in.push_back({corners[i].x, -corners[i].y});
      view.seen.push_back(m.corner_px[i]);
      const ImagePoint next = m.corner_px[(i + 1) % 4];
      sides.push_back(std::hypot(next.x_px - m.corner_px[i].x_px, next.y_px - m.corner_px[i].y_px));
    }
  }
  view.square_px = Median(sides);
  if (AsOnBoard(on_board) < kLeastOnBoard) {
    return Error{ErrorCode::kNotFound,
                 fmt::format("{}: the markers do not lie as {} x {} with such gaps do: "
                             "another board",
                             name, spec.markers_x, spec.markers_y)};
  }
  return view;
} catch (const cv::Exception& e) {
  return Error{ErrorCode::kNotFound, fmt::format("{}: {}", name, e.err)};
}

}  // namespace fos
