// SPDX-License-Identifier: MIT
#include "calibration/watch/camera_watch.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>

#include <opencv2/calib3d.hpp>
#include <opencv2/imgproc.hpp>

#include "calibration/camera/sampling.h"
#include "calibration/targets/fiducials.h"

namespace fos {
namespace {

constexpr int kHalf = 10;  // a patch is 21 x 21 pixels: a corner and some of both edges
constexpr int kSide = 2 * kHalf + 1;
constexpr int kPixels = kSide * kSide;
// Found again after a knock of up to so much; at 1080p that is an inch at the table.
constexpr int kSearch_px = 22;
constexpr std::size_t kMostPatches = 28;
constexpr std::size_t kMostSearches = 12;  // in one frame, to stay within a millisecond or two
constexpr double kRecognised = 0.8;        // correlation of a patch with its reference
constexpr int kSteps = 6;                  // of a patch towards where it is
constexpr double kFurthest_px = 2;         // of a step: what the gradients of a corner can pull in

// The picture about `centre`, brightness and contrast taken out; false where it is flat or cut off.
bool Normalised(const cv::Mat& grey, cv::Point2d centre, std::vector<float>& look,
                double least_spread) {
  const double left = centre.x - kHalf;
  const double top = centre.y - kHalf;
  if (!(left >= 0 && top >= 0 && left + kSide < grey.cols && top + kSide < grey.rows)) return false;
  const int x0 = static_cast<int>(left);
  const int y0 = static_cast<int>(top);
  const auto u = static_cast<float>(left - x0);
  const auto v = static_cast<float>(top - y0);
  look.resize(kPixels);
  float sum = 0;
  float squares = 0;
  for (int y = 0; y < kSide; ++y) {
    const std::uint8_t* a = grey.ptr<std::uint8_t>(y0 + y) + x0;
    const std::uint8_t* b = grey.ptr<std::uint8_t>(y0 + y + 1) + x0;
    float* out = look.data() + static_cast<std::ptrdiff_t>(y) * kSide;
    for (int x = 0; x < kSide; ++x) {
      const float value =
          (1 - v) * ((1 - u) * static_cast<float>(a[x]) + u * static_cast<float>(a[x + 1])) +
          v * ((1 - u) * static_cast<float>(b[x]) + u * static_cast<float>(b[x + 1]));
      out[x] = value;
      sum += value;
      squares += value * value;
    }
  }
  const float mean = sum / kPixels;
  const float variance = squares / kPixels - mean * mean;
  if (!(static_cast<double>(variance) > least_spread * least_spread)) return false;
  const float scale = 1 / std::sqrt(variance);
  for (float& value : look) value = (value - mean) * scale;
  return true;
}

// The sum of squared differences between neighbours two apart, each way: blur lowers it.
double SteepnessOf(const std::vector<float>& look) {
  double sum = 0;
  for (int y = 1; y + 1 < kSide; ++y) {
    for (int x = 1; x + 1 < kSide; ++x) {
      const float* at = look.data() + static_cast<std::ptrdiff_t>(y) * kSide + x;
      const float dx = at[1] - at[-1];
      const float dy = at[kSide] - at[-kSide];
      sum += static_cast<double>(dx * dx + dy * dy);
    }
  }
  return sum;
}

cv::Point2d PixelOf(const TableCamera& camera, Vec2 at) {
  const ImagePoint p = ImageFromTable(camera, at, 0);
  return {p.x_px, p.y_px};
}

// The mean colour of 3 x 3 pixels: a line drawn by hand strays by a pixel. Empty out of the
// picture.
std::optional<cv::Vec3d> ColourAt(const cv::Mat& bgr, cv::Point2d at) {
  if (!(at.x >= 1 && at.y >= 1 && at.x < bgr.cols - 2 && at.y < bgr.rows - 2)) return std::nullopt;
  const cv::Rect box(static_cast<int>(std::lround(at.x)) - 1,
                     static_cast<int>(std::lround(at.y)) - 1, 3, 3);
  const cv::Scalar mean = cv::mean(bgr(box));
  return cv::Vec3d(mean[0], mean[1], mean[2]);
}

// What blue, green and red are to be weighed by, and what is to be added, for lines to stand out
// that are hardly lighter or darker than their cloth; empty where lightness shows them, or nothing.
std::optional<cv::Matx14f> LineColour(const cv::Mat& bgr, const TableCamera& camera,
                                      const TableFrame& frame) {
  // Lines half-way between crossings, and the cloth to both sides; medians, for troops and terrain
  // hide some.
  std::array<std::vector<double>, 3> differences;
  std::array<std::vector<double>, 3> cloths;
  const auto look = [&](Vec2 line, Vec2 aside) {
    const auto on = ColourAt(bgr, PixelOf(camera, line));
    const auto low = ColourAt(bgr, PixelOf(camera, line - aside));
    const auto high = ColourAt(bgr, PixelOf(camera, line + aside));
    if (!on || !low || !high) return;
    const cv::Vec3d cloth = 0.5 * (*low + *high);
    for (int c = 0; c < 3; ++c) {
      differences[static_cast<std::size_t>(c)].push_back((*on)[c] - cloth[c]);
      cloths[static_cast<std::size_t>(c)].push_back(cloth[c]);
    }
  };
  const double square = frame.square_in;
  const double aside = square / 4;
  // The outermost lines may have something else on their far side.
  for (int c = 0; c < frame.columns; ++c) {
    for (int r = 0; r < frame.rows; ++r) {
      if (c > 0) look({c * square, (r + 0.5) * square}, {aside, 0});
      if (r > 0) look({(c + 0.5) * square, r * square}, {0, aside});
    }
  }
  const cv::Vec3d difference(Median(differences[0]), Median(differences[1]),
                             Median(differences[2]));
  const cv::Vec3d cloth(Median(cloths[0]), Median(cloths[1]), Median(cloths[2]));
  const double contrast = cv::norm(difference);
  constexpr double kLeastContrast = 2;  // code values: a third of the nine pixels is line
  if (contrast < kLeastContrast) return std::nullopt;
  const cv::Vec3d way = (1 / contrast) * difference;
  // Lightness as OpenCV weighs it (ITU-R BT.601), brought to the same noise.
  const cv::Vec3d lightness = cv::normalize(cv::Vec3d(0.114, 0.587, 0.299));
  constexpr double kHardly = 1.0 / 3;  // of the difference: beyond that what works is left alone
  if (std::abs(lightness.dot(way)) > kHardly) return std::nullopt;
  constexpr double kMiddle = 128;  // of the code values: the cloth goes there
  return cv::Matx14f(static_cast<float>(way[0]), static_cast<float>(way[1]),
                     static_cast<float>(way[2]), static_cast<float>(kMiddle - way.dot(cloth)));
}

}  // namespace

CameraWatch::CameraWatch(const cv::Mat& picture, const TableRegistration& table,
                         const TableSpec& spec, const Options& options)
    : options_(options),
      size_(picture.size()),
      type_(picture.type()),
      rest_(options.frames_to_be_sure) {
  FOS_CHECK(type_ == CV_8UC1 || type_ == CV_8UC3);
  const TableFrame& frame = spec.frame;
  px_per_in_ = PixelsPerInch(table.camera, {frame.Width() / 2, frame.Depth() / 2}, 0);
  for (const Vec2 corner : frame.Corners()) corners_.push_back(PixelOf(table.camera, corner));
  grey_.create(size_, CV_8UC1);
  Watch(picture, grey_);
  if (spec.fiducials) AddMarkers(grey_, table, *spec.fiducials);
  if (patches_.empty() && type_ == CV_8UC3) {
    by_colour_ = LineColour(picture, table.camera, frame);
    Watch(picture, grey_);
  }
  AddCrossings(grey_, table.camera, frame);
}

// What the patches are taken from: lightness, or the lines' colour.
void CameraWatch::Watch(const cv::Mat& picture, cv::Mat out) const {
  if (by_colour_) {
    cv::transform(picture, out, *by_colour_);
  } else if (type_ == CV_8UC3) {
    cv::cvtColor(picture, out, cv::COLOR_BGR2GRAY);
  } else {
    picture.copyTo(out);
  }
}

void CameraWatch::AddMarkers(const cv::Mat& grey, const TableRegistration& table,
                             const FiducialSpec& spec) {
  for (const FiducialMarker& m : spec.markers) {
    const bool used = std::find(table.markers_used.begin(), table.markers_used.end(), m.id) !=
                      table.markers_used.end();
    if (!used) continue;
    for (const Vec2 corner : MarkerCorners(m, spec.size_in)) {
      if (patches_.size() < kMostPatches / 2 + 2) AddPatch(grey, PixelOf(table.camera, corner));
    }
  }
}

// From all over the board: every so many, until there are enough.
void CameraWatch::AddCrossings(const cv::Mat& grey, const TableCamera& camera,
                               const TableFrame& frame) {
  std::vector<cv::Point2d> crossings;
  for (int c = 0; c <= frame.columns; ++c) {
    for (int r = 0; r <= frame.rows; ++r) {
      crossings.push_back(PixelOf(camera, {c * frame.square_in, r * frame.square_in}));
    }
  }
  const std::size_t wanted = kMostPatches - patches_.size();
  // A stride that shares no factor with the rows spreads them; crossings under models are refused
  // by having no contrast of their own or drop out when the models move.
  const std::size_t stride = std::max<std::size_t>(1, crossings.size() / (2 * wanted) | 1U);
  for (std::size_t first = 0; first < stride && patches_.size() < kMostPatches; ++first) {
    for (std::size_t i = first; i < crossings.size() && patches_.size() < kMostPatches;
         i += 2 * stride) {
      AddPatch(grey, crossings[i]);
    }
  }
}

bool CameraWatch::AddPatch(const cv::Mat& grey, cv::Point2d centre) {
  constexpr double kLeastContrast = 3;  // code values: below it there is only noise
  Patch patch;
  patch.centre = centre;
  constexpr double kMargin = 1;  // for the gradients
  if (centre.x < kHalf + kMargin || centre.y < kHalf + kMargin) return false;
  std::vector<float> left, right, above, below;
  if (!Normalised(grey, centre, patch.look, kLeastContrast) ||
      !Normalised(grey, centre - cv::Point2d(1, 0), left, 0) ||
      !Normalised(grey, centre + cv::Point2d(1, 0), right, 0) ||
      !Normalised(grey, centre - cv::Point2d(0, 1), above, 0) ||
      !Normalised(grey, centre + cv::Point2d(0, 1), below, 0)) {
    return false;
  }
  double xx = 0, xy = 0, yy = 0;
  for (std::size_t i = 0; i < kPixels; ++i) {
    patch.gradient_x.push_back(0.5F * (right[i] - left[i]));
    patch.gradient_y.push_back(0.5F * (below[i] - above[i]));
    const double gx = patch.gradient_x.back();
    const double gy = patch.gradient_y.back();
    xx += gx * gx;
    xy += gx * gy;
    yy += gy * gy;
  }
  // Both directions must show: along an edge alone a patch may slide unseen.
  const double trace = xx + yy;
  const double det = xx * yy - xy * xy;
  const double smaller = 0.5 * (trace - std::sqrt(std::max(0.0, trace * trace - 4 * det)));
  constexpr double kBothWays = 0.004 * kPixels;
  if (smaller < kBothWays) return false;
  patch.steepness = SteepnessOf(patch.look);
  patch.inverse = {yy / det, -xy / det, -xy / det, xx / det};
  const cv::Rect box(static_cast<int>(std::lround(centre.x)) - kHalf,
                     static_cast<int>(std::lround(centre.y)) - kHalf, kSide + 1, kSide + 1);
  if ((box & cv::Rect({}, grey.size())) != box) return false;
  cv::resize(grey(box), patch.coarse, {}, 0.5, 0.5, cv::INTER_AREA);
  patches_.push_back(std::move(patch));
  return true;
}

bool CameraWatch::Align(const cv::Mat& grey, const Patch& patch, cv::Point2d& shift,
                        double* sharpness) const {
  thread_local std::vector<float> seen;  // keeps its memory
  double correlation = 0;
  for (int step = 0; step < kSteps; ++step) {
    if (!Normalised(grey, patch.centre + shift, seen, 1.0)) return false;
    float bx = 0;
    float by = 0;
    float same = 0;
    for (std::size_t i = 0; i < kPixels; ++i) {
      const float off = seen[i] - patch.look[i];
      bx += patch.gradient_x[i] * off;
      by += patch.gradient_y[i] * off;
      same += seen[i] * patch.look[i];
    }
    correlation = static_cast<double>(same) / kPixels;
    const cv::Vec2d move =
        patch.inverse * cv::Vec2d(static_cast<double>(bx), static_cast<double>(by));
    const double length = cv::norm(move);
    const double damp = length > kFurthest_px ? kFurthest_px / length : 1.0;
    shift.x -= damp * move[0];
    shift.y -= damp * move[1];
    if (length < 0.01) break;
  }
  if (sharpness != nullptr) *sharpness = SteepnessOf(seen) / patch.steepness;
  return correlation >= kRecognised && std::hypot(shift.x, shift.y) < 2 * kSearch_px;
}

bool CameraWatch::Search(const cv::Mat& grey, const Patch& patch, cv::Point2d& shift) const {
  const cv::Rect wanted(static_cast<int>(std::lround(patch.centre.x)) - kHalf - kSearch_px,
                        static_cast<int>(std::lround(patch.centre.y)) - kHalf - kSearch_px,
                        kSide + 1 + 2 * kSearch_px, kSide + 1 + 2 * kSearch_px);
  const cv::Rect box = wanted & cv::Rect({}, grey.size());
  if (box.width < kSide + 1 || box.height < kSide + 1) return false;
  cv::Mat smaller, score;
  cv::resize(grey(box), smaller, {}, 0.5, 0.5, cv::INTER_AREA);
  if (smaller.cols < patch.coarse.cols || smaller.rows < patch.coarse.rows) return false;
  cv::matchTemplate(smaller, patch.coarse, score, cv::TM_CCOEFF_NORMED);
  double best = 0;
  cv::Point at;
  cv::minMaxLoc(score, nullptr, &best, nullptr, &at);
  // Shifted by half of such a pixel a sharp corner looks less like itself; Align has the last word.
  constexpr double kPromising = 0.55;
  if (best < kPromising) return false;
  shift = {box.x - wanted.x + 2.0 * at.x - kSearch_px, box.y - wanted.y + 2.0 * at.y - kSearch_px};
  return Align(grey, patch, shift);
}

// The motion at least half of the sightings agree on; empty when there is none or too few are seen.
// Medians first (a pushed marker or a moved stand is outvoted), then least squares on those that
// agree.
std::optional<CameraWatch::Motion> CameraWatch::CommonMotion(const std::vector<Seen>& seen,
                                                             const Motion& near) {
  constexpr std::size_t kFewest = 4;
  if (seen.size() < kFewest) return std::nullopt;
  // What has changed beyond the motion they were looked for at.
  std::vector<double> x, y;
  for (const Seen& s : seen) {
    const cv::Point2d off = s.shift - near.At(s.at);
    x.push_back(off.x);
    y.push_back(off.y);
  }
  Motion motion = near;
  motion.dx += Median(x);
  motion.dy += Median(y);
  const double change = std::hypot(Median(x), Median(y));
  constexpr int kRounds = 3;
  for (int round = 0; round < kRounds; ++round) {
    // A knock turns as well as shifts: the first guess is only a shift.
    const double tolerance_px = round == 0 ? 0.6 + change : 0.4;
    cv::Matx44d a = cv::Matx44d::eye() * 1e-6;
    cv::Vec4d b;
    std::size_t agree = 0;
    for (const Seen& s : seen) {
      const cv::Point2d off = s.shift - motion.At(s.at);
      if (std::hypot(off.x, off.y) > tolerance_px) continue;
      ++agree;
      const cv::Vec4d gx(1, 0, -s.at.y, s.at.x);
      const cv::Vec4d gy(0, 1, s.at.x, s.at.y);
      a += gx * gx.t() + gy * gy.t();
      b += gx * s.shift.x + gy * s.shift.y;
    }
    if (agree < kFewest || 2 * agree < seen.size()) return std::nullopt;
    const cv::Vec4d m = a.solve(b, cv::DECOMP_CHOLESKY);
    motion = Motion{m[0], m[1], m[2], m[3]};
  }
  return motion;
}

// Where the patches are now, each looked for near where the motion has it. Only what may be looked
// at is converted.
std::vector<CameraWatch::Seen> CameraWatch::Track(const cv::Mat& picture, const Motion& near) {
  const cv::Point2d middle(0.5 * size_.width, 0.5 * size_.height);
  std::vector<Seen> seen;
  seen.reserve(patches_.size());
  const cv::Mat& grey = grey_;
  for (const Patch& patch : patches_) {
    const cv::Point2d start = near.At(patch.centre - middle);
    cv::Point2d shift = start;
    const int reach = kHalf + cvCeil(kSteps * kFurthest_px) + 2;  // with the next pixel
    const cv::Rect about =
        cv::Rect(cvFloor(patch.centre.x + start.x) - reach,
                 cvFloor(patch.centre.y + start.y) - reach, 2 * reach + 1, 2 * reach + 1) &
        cv::Rect({}, size_);
    if (about.empty()) continue;
    Watch(picture(about), grey_(about));
    // Further off it has slid to something that looks alike.
    constexpr double kReach_px = 3;
    double sharpness = 0;
    if (Align(grey, patch, shift, &sharpness) &&
        std::hypot(shift.x - start.x, shift.y - start.y) < kReach_px) {
      seen.push_back({patch.centre - middle, shift, sharpness});
    }
  }
  return seen;
}

// After a knock: a few patches are looked for far and wide, and the motion found on which most of
// them agree.
std::optional<CameraWatch::Motion> CameraWatch::SearchAll(const cv::Mat& grey) const {
  const cv::Point2d middle(0.5 * size_.width, 0.5 * size_.height);
  std::vector<Seen> seen;
  const std::size_t stride = std::max<std::size_t>(1, patches_.size() / kMostSearches);
  for (std::size_t i = 0; i < patches_.size(); i += stride) {
    cv::Point2d shift;
    if (Search(grey, patches_[i], shift)) seen.push_back({patches_[i].centre - middle, shift});
  }
  std::optional<Motion> best;
  std::size_t most = 3;  // any two agree with some motion, and a third may by chance
  for (std::size_t i = 0; i < seen.size(); ++i) {
    for (std::size_t j = i + 1; j < seen.size(); ++j) {
      const cv::Point2d along = seen[j].at - seen[i].at;
      const cv::Point2d moved = seen[j].shift - seen[i].shift;
      const double length2 = along.dot(along);
      constexpr double kApart_px = 100;
      if (length2 < kApart_px * kApart_px) continue;
      Motion trial;
      trial.growth = along.dot(moved) / length2;
      trial.turn = along.cross(moved) / length2;
      constexpr double kMostTurn = 0.05;  // 3 degrees, or as much nearer: no knock, a new set-up
      if (std::abs(trial.growth) > kMostTurn || std::abs(trial.turn) > kMostTurn) continue;
      const cv::Point2d rest = seen[i].shift - trial.At(seen[i].at);
      trial.dx = rest.x;
      trial.dy = rest.y;
      const auto agree =
          static_cast<std::size_t>(std::count_if(seen.begin(), seen.end(), [&](const Seen& s) {
            const cv::Point2d off = s.shift - trial.At(s.at);
            return std::hypot(off.x, off.y) < 1.5;
          }));
      if (agree > most) {
        most = agree;
        best = trial;
      }
    }
  }
  return best;
}

cv::Matx33d CameraWatch::NowFromReference(const std::vector<Seen>& seen,
                                          const Motion& motion) const {
  const cv::Point2d middle(0.5 * size_.width, 0.5 * size_.height);
  std::vector<cv::Point2f> from;
  std::vector<cv::Point2f> to;
  for (const Seen& s : seen) {
    const cv::Point2d off = s.shift - motion.At(s.at);
    constexpr double kPerspective_px = 1;  // what a turn of the camera adds to a similarity
    if (std::hypot(off.x, off.y) > kPerspective_px) continue;
    from.emplace_back(s.at + middle);
    to.emplace_back(s.at + middle + s.shift);
  }
  constexpr std::size_t kEnough = 12;  // three for each pair of unknowns
  if (from.size() >= kEnough) {
    const cv::Mat found = cv::findHomography(from, to, 0);
    if (!found.empty()) return cv::Matx33d(found.ptr<double>());
  }
  const double a = 1 + motion.growth;
  const double b = motion.turn;
  return {a, -b, middle.x + motion.dx - a * middle.x + b * middle.y,
          b, a,  middle.y + motion.dy - b * middle.x - a * middle.y,
          0, 0,  1};
}

WatchReading CameraWatch::operator()(const cv::Mat& picture) {
  WatchReading out;
  const auto cannot_tell = [&] {
    out.state = WatchReading::State::kCannotTell;
    out.at_rest = false;
    rest_ = 0;
    return out;
  };
  if (picture.type() != type_ || picture.size() != size_ || patches_.empty()) return cannot_tell();
  std::vector<Seen> seen = Track(picture, last_motion_);
  std::optional<Motion> motion = CommonMotion(seen, last_motion_);
  if (!motion) {
    Watch(picture, grey_);
    if (const auto knocked = SearchAll(grey_)) {
      seen = Track(picture, *knocked);
      motion = CommonMotion(seen, *knocked);
    }
  }
  out.in_view = static_cast<double>(seen.size()) / static_cast<double>(patches_.size());
  if (!motion) return cannot_tell();
  const cv::Point2d middle(0.5 * size_.width, 0.5 * size_.height);
  double sum = 0;
  for (const cv::Point2d& corner : corners_) {
    const cv::Point2d d = motion->At(corner - middle);
    sum += std::hypot(d.x, d.y);
  }
  out.shift_px = sum / static_cast<double>(corners_.size());
  out.shift_in = out.shift_px / px_per_in_;
  double changed = 0;
  for (const cv::Point2d& corner : corners_) {
    const cv::Point2d d = motion->At(corner - middle) - rest_motion_.At(corner - middle);
    changed = std::max(changed, std::hypot(d.x, d.y));
  }
  constexpr double kSame_px = 0.3;
  if (changed < kSame_px) {
    ++rest_;
  } else {
    rest_ = 0;
    rest_motion_ = *motion;
  }
  last_motion_ = *motion;
  std::vector<double> sharpness;
  for (const Seen& s : seen) sharpness.push_back(s.sharpness);
  out.sharpness = Median(std::move(sharpness));
  if (out.shift_in > options_.tolerance_in)
    out.now_from_reference = NowFromReference(seen, *motion);
  over_ = out.shift_in > options_.tolerance_in ? over_ + 1 : 0;
  out.at_rest = rest_ >= options_.frames_to_be_sure;
  if (over_ >= options_.frames_to_be_sure) out.state = WatchReading::State::kMoved;
  return out;
}

}  // namespace fos
