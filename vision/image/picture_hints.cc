// SPDX-License-Identifier: MIT
#include "vision/image/picture_hints.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <opencv2/imgproc.hpp>

#include "vision/image/veil.h"

namespace fos {
namespace {

// The white of paper under a lamp stays below it in a picture that is not clipped.
constexpr int kBurnt = 252;
// Below it a paint's hue is noise: three or four code values of it in each channel.
constexpr int kDark = 24;

constexpr int kCells = 24;         // across the picture, in each of which one edge is measured
constexpr int kReach_px = 12;      // to either side of an edge
constexpr double kLeastStep = 40;  // code values: well above noise and cloth
constexpr std::size_t kLeastEdges = 12;

double At(const cv::Mat& grey, double x, double y) {
  const int x0 = static_cast<int>(x);
  const int y0 = static_cast<int>(y);
  const double fx = x - x0;
  const double fy = y - y0;
  const auto* row = grey.ptr<std::uint8_t>(y0);
  const auto* next = grey.ptr<std::uint8_t>(y0 + 1);
  return (1 - fy) * ((1 - fx) * row[x0] + fx * row[x0 + 1]) +
         fy * ((1 - fx) * next[x0] + fx * next[x0 + 1]);
}

// How far the edge there is smeared: of a step that is smeared by a Gaussian, the steepest slope is
// the step over sigma and the root of two pi. Empty where it is no plain step.
std::optional<double> Smear(const cv::Mat& grey, cv::Point at, cv::Point2d along) {
  std::array<double, 2 * kReach_px + 1> values{};
  for (int k = -kReach_px; k <= kReach_px; ++k) {
    const double x = at.x + k * along.x;
    const double y = at.y + k * along.y;
    if (!(x >= 0 && y >= 0 && x < grey.cols - 1 && y < grey.rows - 1)) return std::nullopt;
    values[static_cast<std::size_t>(k + kReach_px)] = At(grey, x, y);
  }
  const auto v = [&](int k) { return values[static_cast<std::size_t>(k + kReach_px)]; };
  int low = 0;
  int high = 0;
  while (low > -kReach_px && v(low - 1) < v(low)) --low;
  while (high < kReach_px && v(high + 1) > v(high)) ++high;
  const double step = v(high) - v(low);
  if (step < kLeastStep || low == -kReach_px || high == kReach_px) return std::nullopt;
  double steepest = 0;
  for (int k = low; k < high; ++k) steepest = std::max(steepest, v(k + 1) - v(k));
  return step / (steepest * std::sqrt(2 * std::numbers::pi));
}

}  // namespace

PictureHints LookAtPicture(const cv::Mat& bgr, const cv::Mat& board) {
  PictureHints out;
  if (bgr.empty() || bgr.type() != CV_8UC3) return out;
  const bool masked = board.size() == bgr.size() && board.type() == CV_8UC1;
  // Every second pixel of every second row tells shares well enough.
  std::int64_t all = 0;
  std::int64_t seen = 0;
  std::int64_t burnt = 0;
  std::int64_t dark = 0;
  std::array<std::int64_t, 256> lights{};  // pixels by their lightest channel
  for (int y = 0; y < bgr.rows; y += 2) {
    const auto* row = bgr.ptr<cv::Vec3b>(y);
    const std::uint8_t* counts = masked ? board.ptr<std::uint8_t>(y) : nullptr;
    for (int x = 0; x < bgr.cols; x += 2) {
      // Paper and markers beside the board count for the brightest level too.
      const std::uint8_t lightest = std::max({row[x][0], row[x][1], row[x][2]});
      ++lights[lightest];
      ++all;
      if (counts != nullptr && counts[x] == 0) continue;
      ++seen;
      burnt += std::min({row[x][0], row[x][1], row[x][2]}) >= kBurnt;
      dark += lightest <= kDark;
    }
  }
  if (seen > 0) {
    out.burnt = static_cast<double>(burnt) / static_cast<double>(seen);
    out.dark = static_cast<double>(dark) / static_cast<double>(seen);
  }
  std::int64_t below = 0;
  std::size_t level = 0;
  while (level < 255 && 50 * (below += lights[level]) < 49 * all) ++level;
  out.bright = static_cast<double>(level) / 255;
  // Markers lie outside the board and have the best edges there are: focus is told by the whole
  // picture.
  if (bgr.cols < 4 * kReach_px || bgr.rows < 4 * kReach_px) return out;
  cv::Mat grey;
  cv::cvtColor(bgr, grey, cv::COLOR_BGR2GRAY);
  cv::Mat dx;
  cv::Mat dy;
  cv::Sobel(grey, dx, CV_16S, 1, 0);
  cv::Sobel(grey, dy, CV_16S, 0, 1);
  const int cell = std::max(2 * kReach_px, bgr.cols / kCells);
  std::vector<double> smears;
  for (int top = 0; top + cell <= bgr.rows; top += cell) {
    for (int left = 0; left + cell <= bgr.cols; left += cell) {
      int most = 0;
      cv::Point at;
      for (int y = top; y < top + cell; ++y) {
        const auto* gx = dx.ptr<std::int16_t>(y);
        const auto* gy = dy.ptr<std::int16_t>(y);
        for (int x = left; x < left + cell; ++x) {
          const int steep = gx[x] * gx[x] + gy[x] * gy[x];
          if (steep > most) {
            most = steep;
            at = {x, y};
          }
        }
      }
      if (most == 0) continue;
      const double length = std::sqrt(static_cast<double>(most));
      const cv::Point2d along(dx.at<std::int16_t>(at) / length, dy.at<std::int16_t>(at) / length);
      if (const auto smear = Smear(grey, at, along)) smears.push_back(*smear);
    }
  }
  if (smears.size() < kLeastEdges) return out;
  // Many edges are soft of themselves (shadows, felt); what the lens gives, the sharpest show.
  const auto quarter = smears.begin() + static_cast<std::ptrdiff_t>(smears.size() / 4);
  std::nth_element(smears.begin(), quarter, smears.end());
  out.blur_px = *quarter;
  return out;
}

ViewHints LookAtView(const TableCamera& camera, const TableSpec& table, const cv::Mat& bgr) {
  ViewHints out;
  if (!bgr.empty()) {
    const cv::Vec3d veil = VeilOf(bgr, camera, table).light;
    out.veil = (veil[0] + veil[1] + veil[2]) / 3;
  }
  const TableFrame& frame = table.frame;
  out.height_in = CameraCentre(camera)[2];
  // The camera's axis is the third row of the rotation, in table coordinates.
  const double down = -camera.rotation(2, 2);
  out.tilt_deg = std::acos(std::clamp(down, -1.0, 1.0)) * 180 / std::numbers::pi;
  const auto before = [&](Vec2 at) {
    const cv::Vec3d seen = camera.rotation * cv::Vec3d(at.x, at.y, 0) + camera.tvec;
    return seen[2] > 1;
  };
  const auto inside = [&](Vec2 at) {
    if (!before(at)) return false;
    const ImagePoint p = ImageFromTable(camera, at, 0);
    return p.x_px >= 0 && p.y_px >= 0 && p.x_px < camera.lens.width_px &&
           p.y_px < camera.lens.height_px;
  };
  out.least_px_per_in = INFINITY;
  for (const Vec2 corner : frame.Corners()) {
    out.corners_outside += !inside(corner);
    if (before(corner)) {
      out.least_px_per_in = std::min(out.least_px_per_in, PixelsPerInch(camera, corner, 0));
    }
  }
  if (!std::isfinite(out.least_px_per_in)) out.least_px_per_in = 0;
  if (table.fiducials) {
    for (const FiducialMarker& marker : table.fiducials->markers) {
      out.markers_outside += !inside(marker.centre);
    }
  }
  const cv::Mat mask = BoardMask(camera, frame);
  if (!mask.empty()) {
    out.share_of_picture = static_cast<double>(cv::countNonZero(mask)) /
                           (static_cast<double>(mask.cols) * static_cast<double>(mask.rows));
  }
  return out;
}

cv::Mat BoardMask(const TableCamera& camera, const TableFrame& frame) {
  cv::Mat mask(camera.lens.height_px, camera.lens.width_px, CV_8UC1, cv::Scalar(0));
  std::vector<cv::Point> outline;
  constexpr int kSteps = 12;  // along each edge: as the lens bends it
  const std::array<Vec2, 4> corners = frame.Corners();
  for (std::size_t i = 0; i < corners.size(); ++i) {
    for (int k = 0; k < kSteps; ++k) {
      const Vec2 at = corners[i] + (static_cast<double>(k) / kSteps) *
                                       (corners[(i + 1) % corners.size()] - corners[i]);
      const cv::Vec3d seen = camera.rotation * cv::Vec3d(at.x, at.y, 0) + camera.tvec;
      if (seen[2] <= 1) return {};  // partly behind the camera: no outline to fill
      const ImagePoint p = ImageFromTable(camera, at, 0);
      const auto whole = [](double v) { return cvRound(std::clamp(v, -1e4, 1e4)); };
      outline.emplace_back(whole(p.x_px), whole(p.y_px));
    }
  }
  cv::fillPoly(mask, std::vector<std::vector<cv::Point>>{outline}, cv::Scalar(255));
  return mask;
}

std::vector<Hint> HintsOf(const PictureHints& picture, const std::optional<ViewHints>& view) {
  using Tone = Hint::Tone;
  std::vector<Hint> out;
  const auto say = [&](Tone tone, std::string text) { out.push_back({tone, std::move(text)}); };
  const auto percent = [](double share) { return fmt::format("{:.0f} %", 100 * share); };

  // A sensor behind its colour mosaic smears an edge by 0.6 to 1 px in the best of lenses. Smeared
  // by 2 px, a stick 0.1 in thick at 20 pixels an inch is no line any more.
  constexpr double kSharp_px = 1.3;
  constexpr double kSoft_px = 2.0;
  if (!picture.blur_px) {
    say(Tone::kCould, "Focus: too little is in view to tell; lay the markers or some print there");
  } else if (*picture.blur_px <= kSharp_px) {
    say(Tone::kGood, fmt::format("Focus: sharp (edges {:.1f} px wide)", *picture.blur_px));
  } else if (*picture.blur_px <= kSoft_px) {
    say(Tone::kCould, fmt::format("Focus: a little soft (edges {:.1f} px wide); turn the ring or "
                                  "touch up the focus on the markers",
                                  *picture.blur_px));
  } else {
    say(Tone::kMust, fmt::format("Focus: blurred (edges {:.1f} px wide); focus on the table and "
                                 "switch automatic focus off",
                                 *picture.blur_px));
  }

  // Paper and white bases are a few hundredths of a table; more than that is glare.
  constexpr double kGlare = 0.03;
  constexpr double kMuchGlare = 0.12;
  constexpr double kGloom = 0.35;
  if (picture.burnt > kMuchGlare) {
    say(Tone::kMust, fmt::format("Light: {} is burnt white; lower the exposure, or move the lamp",
                                 percent(picture.burnt)));
  } else if (picture.burnt > kGlare) {
    say(Tone::kCould, fmt::format("Light: {} is burnt white; a little less exposure, or less glare",
                                  percent(picture.burnt)));
  } else if (picture.dark > kGloom) {
    say(Tone::kMust, fmt::format("Light: {} is too dark to tell paints; more light, or a longer "
                                 "exposure",
                                 percent(picture.dark)));
  } else if (picture.bright < 0.25) {  // two stops of the camera's range unused
    say(Tone::kMust, "Light: much too dark; more light, or a longer exposure");
  } else if (picture.bright < 0.5) {  // one stop
    say(Tone::kCould, "Light: on the dark side; twice the light, or twice the exposure");
  } else {
    say(Tone::kGood, "Light: well exposed");
  }
  if (!view) {
    say(Tone::kCould, "Coverage and tilt are told once the table is found");
    return out;
  }

  // It is taken off, but the codes that it took are lost to what is dark.
  constexpr double kHaze = 0.04;
  constexpr double kThickHaze = 0.12;
  if (view->veil > kHaze) {
    say(view->veil > kThickHaze ? Tone::kMust : Tone::kCould,
        fmt::format("Haze: {} of full light lies over the whole picture; wipe the lens, or shade "
                    "it from the window or lamp",
                    percent(view->veil)));
  }
  if (view->corners_outside > 0) {
    say(Tone::kMust, fmt::format("Coverage: {} of the board's corners {} outside the picture; hang "
                                 "it higher, or turn it",
                                 view->corners_outside, view->corners_outside == 1 ? "is" : "are"));
  } else if (view->markers_outside > 0) {
    say(Tone::kCould,
        fmt::format("Coverage: the whole board, but {} of its markers {} outside the "
                    "picture",
                    view->markers_outside, view->markers_outside == 1 ? "is" : "are"));
  } else {
    say(Tone::kGood, fmt::format("Coverage: the whole board, {} of the picture",
                                 percent(view->share_of_picture)));
  }
  // The stick of a cotton swab is 0.1 in thick: two pixels of it make a line, one does not.
  constexpr double kFine_px = 20;
  constexpr double kCoarse_px = 12;
  const double inch = view->least_px_per_in;
  if (inch >= kFine_px) {
    say(Tone::kGood, fmt::format("Size: {:.0f} pixels an inch at the farthest corner", inch));
  } else {
    say(inch >= kCoarse_px ? Tone::kCould : Tone::kMust,
        fmt::format("Size: only {:.0f} pixels an inch at the farthest corner; {}", inch,
                    view->share_of_picture < 0.5
                        ? "hang it lower or zoom in until the board fills the picture"
                        : "choose a larger picture of this camera"));
  }
  // Figures an inch and a quarter high hide a base three quarters of an inch deep behind them from
  // 31 degrees on.
  constexpr double kSteep_deg = 20;
  constexpr double kFlat_deg = 31;
  say(view->tilt_deg <= kSteep_deg  ? Tone::kGood
      : view->tilt_deg <= kFlat_deg ? Tone::kCould
                                    : Tone::kMust,
      fmt::format("Height: {:.0f} in above the cloth, {:.0f} degrees from straight down{}",
                  view->height_in, view->tilt_deg,
                  view->tilt_deg <= kSteep_deg  ? ""
                  : view->tilt_deg <= kFlat_deg ? "; figures begin to hide their bases"
                                                : "; figures hide the bases behind them: hang it "
                                                  "nearer the middle"));
  return out;
}

}  // namespace fos
