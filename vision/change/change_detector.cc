// SPDX-License-Identifier: MIT
#include "vision/change/change_detector.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <opencv2/imgproc.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "engine/table/result.h"
#include "engine/table/shapes.h"
#include "vision/change/light_or_thing.h"
#include "vision/change/local_light.h"
#include "vision/change/mask_shapes.h"
#include "vision/change/other_exposure.h"
#include "vision/change/picture_difference.h"
#include "vision/image/shrink.h"

namespace fos {
namespace {

// About ten pixels an inch: a swab's stick is then one pixel wide, and a frame costs few
// milliseconds.
constexpr double kWatchedPixelsPerInch = 10;

// How often a new part of the background follows everywhere: then it is as smooth as a mean of
// seven frames, for each time brings a quarter of a frame in.
constexpr int kFollowsToSettle = 12;

// In so many pictures flicker is learnt: a hand may be in some of them, not in all.
constexpr int kFlickerLooks = 10;

// What ages are counted to, in steps.
constexpr int kOldest = 255;

// Whether multiplying by these gains leaves every level of 8 bits as it is.
bool ChangesNothing(const cv::Scalar& gain) {
  constexpr double kHalfLevel = 0.49 / 255;
  return std::abs(gain[0] - 1) < kHalfLevel && std::abs(gain[1] - 1) < kHalfLevel &&
         std::abs(gain[2] - 1) < kHalfLevel;
}

// How far from a hand its shadow and what it is about to touch may lie.
constexpr double kAboutHand_in = 1.0;

// A swab is so long. Where only an end of it is plain, the rest lies within this.
constexpr double kReach_in = 3.3;

}  // namespace

double NoiseOf(const cv::Mat& bgr_a, const cv::Mat& bgr_b) {
  FOS_CHECK(bgr_a.size() == bgr_b.size() && bgr_a.type() == CV_8UC3 && bgr_b.type() == CV_8UC3);
  std::array<int, 256> histogram{};
  int count = 0;
  constexpr int kStride = 3;  // a ninth of the pixels is plenty for a median
  for (int row = 0; row < bgr_a.rows; row += kStride) {
    const auto* a = bgr_a.ptr<cv::Vec3b>(row);
    const auto* b = bgr_b.ptr<cv::Vec3b>(row);
    for (int column = 0; column < bgr_a.cols; column += kStride, ++count) {
      ++histogram[static_cast<std::size_t>(std::abs(a[column][1] - b[column][1]))];
    }
  }
  // Median of |difference|, interpolated inside its grey level; a normal's is 0.6745 sigma *
  // sqrt(2).
  int below = 0;
  for (int level = 0; level < 256; ++level) {
    const int here = histogram[static_cast<std::size_t>(level)];
    if (2 * (below + here) >= count) {
      const double inside = here > 0 ? (count / 2.0 - below) / here : 0;
      const double median = std::max(0.0, level - 0.5 + inside);
      // Rounding to whole levels alone leaves a third of one.
      return std::max(median / 0.6745 / std::sqrt(2.0), 0.3);
    }
    below += here;
  }
  return 0.3;
}

ChangeDetector::ChangeDetector(const TableCamera& camera, const TableFrame& frame, cv::Size picture,
                               double fps, ChangeDetectorOptions options)
    : options_(options), camera_(camera), steadier_(fps), steps_(fps) {
  const Vec2 middle{frame.Width() / 2, frame.Depth() / 2};
  const double ppi = ::fos::PixelsPerInch(camera, middle, 0);
  scale_ = std::max(1, static_cast<int>(ppi / kWatchedPixelsPerInch));
  px_per_in2_ = (ppi / scale_) * (ppi / scale_);
  const auto steps = [&](double time_s) {
    return std::clamp(static_cast<int>(std::lround(time_s * FrameSteps::PerSecond(fps))), 1,
                      kOldest);
  };
  settle_frames_ = steps(options.settle_s);
  left_frames_ = steps(options.left_s);
  light_frames_ = steps(options.absorb_light_s);
  still_hand_frames_ = steps(options.still_hand_s);
  news_frames_ = steps(options.news_s);

  const cv::Size small{picture.width / scale_, picture.height / scale_};
  board_ = cv::Mat(small, CV_8UC1, cv::Scalar(0));
  std::vector<cv::Point> outline;
  constexpr int kPerSide = 24;  // the board's edges are curved by the lens
  const std::array<Vec2, 4> corners = frame.Corners();
  for (std::size_t side = 0; side < 4; ++side) {
    for (int i = 0; i < kPerSide; ++i) {
      const Vec2 at = corners[side] + (static_cast<double>(i) / kPerSide) *
                                          (corners[(side + 1) % 4] - corners[side]);
      const ImagePoint p = ImageFromTable(camera, at, 0);
      outline.emplace_back(static_cast<int>(std::lround(p.x_px / scale_)),
                           static_cast<int>(std::lround(p.y_px / scale_)));
    }
  }
  cv::fillPoly(board_, std::vector<std::vector<cv::Point>>{outline}, cv::Scalar(255));
  age_ = cv::Mat(small, CV_8UC1, cv::Scalar(0));
  hand_ = cv::Mat(small, CV_8UC1, cv::Scalar(0));
  under_hand_ = cv::Mat(small, CV_8UC1, cv::Scalar(0));
  arm_px_ = cv::Mat(small, CV_32SC1, cv::Scalar(0));
  changed_ = cv::Mat(small, CV_8UC1, cv::Scalar(0));
  crept_ = cv::Mat(small, CV_8UC1, cv::Scalar(0));
  light_moves_ = cv::Mat(small, CV_8UC1, cv::Scalar(0));
}

void ChangeDetector::SetBackground(const cv::Mat& bgr, double noise) {
  FOS_CHECK(bgr.type() == CV_8UC3);
  background_ = bgr.clone();
  small_background_ = Shrunk(bgr, scale_);
  FOS_CHECK(small_background_.size() == board_.size());
  unsettled_follows_ = kFollowsToSettle;
  // Shrinking and the 3 x 3 mean average noise away, but a sensor's mosaic and coding leave
  // neighbours alike, so only half of what independence would give is counted on.
  const double small_noise = noise / std::sqrt(std::max(1.0, 9 * scale_ * scale_ / 4.0));
  threshold_ = std::max(options_.least_change, options_.noise_factor * small_noise);
  flicker_looks_ = 0;
  flicker_ = 255;
  cv::Mat grey;
  cv::cvtColor(small_background_, grey, cv::COLOR_BGR2GRAY);
  cv::Mat dx;
  cv::Mat dy;
  cv::Sobel(grey, dx, CV_16S, 1, 0);
  cv::Sobel(grey, dy, CV_16S, 0, 1);
  structure_ = (cv::abs(dx) + cv::abs(dy)) > 16 * threshold_;
  changed_.setTo(0);
  crept_.setTo(0);
  under_hand_.setTo(0);
  hand_.setTo(0);
  gain_ = {1, 1, 1};
  steady_gain_ = {1, 1, 1};
  gains_.clear();
  lit_for_.release();
  light_.release();
  fell_.release();
  light_moves_.setTo(0);
  too_bright_ = TooBright(small_background_);
}

WatchReport ChangeDetector::Look(const Frame& frame) {
  WatchReport report;
  frames_ = steps_.Next(frame.time_s, std::exchange(skipped_, 0));
  const std::int64_t step = looked_at_.empty() ? 0 : looked_at_.back().step + frames_;
  looked_at_.push_back({step, frame.id, frame.time_s});
  while (looked_at_.size() > 2 && looked_at_[1].step + kOldest < step) looked_at_.pop_front();
  if (frame.bgr.data == shrunk_of_.data) {
    small_ = shrunk_;
  } else {
    small_ = free_.Take(board_.size(), CV_8UC3);
    Shrink(frame.bgr, scale_, small_);
  }
  shrunk_of_.release();
  FOS_CHECK(!small_background_.empty() && small_.size() == small_background_.size());

  // Exposure, from the pixels that had not changed by the last frame.
  const bool any_changed = cv::countNonZero(changed_) > 0;
  if (any_changed) cv::compare(changed_, 0, same_, cv::CMP_EQ);
  const cv::Mat same = any_changed ? same_ : cv::Mat();
  const cv::Scalar now = cv::mean(small_, same);
  const cv::Scalar known = cv::mean(small_background_, same);
  for (int c = 0; c < 3; ++c) {
    const double ratio = known[c] > 1 ? now[c] / known[c] : 1;
    gain_[c] = std::clamp(ratio, 0.2, 5.0);
  }
  report.gain = gain_;
  // Follow drift, but not a jump: that waits until the picture becomes the new background.
  double off = 0;
  for (int c = 0; c < 3; ++c) {
    off = std::max(off, std::abs(gain_[c] / steady_gain_[c] - 1));
  }
  report.by_exposure = off > options_.lamp_gain;
  report.light_changed = report.by_exposure;
  gains_.push_back(gain_);
  while (gains_.size() > static_cast<std::size_t>(settle_frames_)) gains_.erase(gains_.begin());
  constexpr double kFollow = 0.02;  // a second and a half's memory at 30 frames a second
  if (!report.light_changed)
    steady_gain_ += (1 - std::pow(1 - kFollow, frames_)) * (gain_ - steady_gain_);
  constexpr double kNoticeable = 0.006;  // one grey level of a bright pixel
  const bool lit =
      std::abs(gain_[0] - 1) + std::abs(gain_[1] - 1) + std::abs(gain_[2] - 1) > kNoticeable;
  if (lit) LightAs(small_, small_background_, gain_, lit_);
  Difference(small_, lit ? lit_ : small_background_, difference_);
  changed_.copyTo(changed_before_);
  cv::compare(difference_, threshold_, changed_, cv::CMP_GT);
  if (report.light_changed) changed_.setTo(0, too_bright_);

  // Slow rolling may not show from one frame to the next: compare with two frames ago, but where
  // pictures are rare.
  if (before_.size() == 2) {
    constexpr double kRare_s = 0.1;
    const bool rare = frame.time_s - looked_at_[looked_at_.size() - 2].time_s >= kRare_s;
    Difference(small_, rare ? before_.back() : before_.front(), difference_);
    LearnFlicker(difference_);
    cv::compare(difference_, threshold_, same_, cv::CMP_GT);
    cv::add(age_, cv::Scalar(frames_), age_);  // saturates at 255
    age_.setTo(0, same_);
  }
  // An edge of light that creeps on is never seen to arrive.
  if (cv::countNonZero(changed_) > 0)
    crept_ = changed_ & (age_ > 0) & (crept_ | (~changed_before_ & (age_ >= news_frames_)));
  else
    crept_.setTo(0);
  before_.push_back(small_);
  if (before_.size() > 2) before_.erase(before_.begin());

  now_ = frame.bgr;
  FindComponents(report);
  now_.release();
  if (report.new_exposure) {
    FollowExposure(frame.bgr);
    report.gain = gain_;
  }
  return report;
}

cv::Mat ChangeDetector::BackgroundAs(const cv::Mat& now, const cv::Rect& part,
                                     const cv::Vec3d& gain) const {
  cv::Mat out;
  LightAs(now, background_(part), gain, out);
  Relight(now, part, out);
  return out;
}

void ChangeDetector::Relight(const cv::Mat& now, const cv::Rect& part, cv::Mat& out) const {
  if (other_light_.empty() || cv::countNonZero(other_light_) == 0) return;
  constexpr double kSoft_in = 0.1;
  constexpr double kUnder_in = 0.3;  // a swab's cotton with its shadow is no wider
  const cv::Mat soft = Disc(PixelsFor(kSoft_in, px_per_in2_));
  // The table as it looks now.
  cv::Mat bare;
  cv::Mat near;
  cv::dilate(other_light_, bare, soft);
  cv::dilate(things_, near, soft);
  // What lies under a thing and about it is as lit as what is beside it.
  cv::Mat under;
  cv::morphologyEx(bare, under, cv::MORPH_CLOSE, Disc(PixelsFor(kUnder_in, px_per_in2_)));
  under &= near;
  bare &= ~near;
  const cv::Mat by = GainsUnder(small_, small_background_, gain_, other_light_, under,
                                PixelsFor(2 * kUnder_in, px_per_in2_));
  const auto at_full_size = [&](const cv::Mat& small, int how) {
    cv::Mat full;
    cv::resize(small, full, small.size() * scale_, 0, 0, how);
    cv::Mat in_part = cv::Mat::zeros(part.size(), small.type());
    const cv::Rect inside = part & cv::Rect({}, full.size());
    full(inside).copyTo(in_part(inside - part.tl()));
    return in_part;
  };
  cv::Mat lit;
  cv::multiply(out, at_full_size(by, cv::INTER_LINEAR), lit, 1, CV_32F);
  lit.convertTo(lit, out.type());
  lit.copyTo(out, at_full_size(under, cv::INTER_NEAREST));
  now.copyTo(out, at_full_size(bare, cv::INTER_NEAREST));
}

bool ChangeDetector::Settled() const {
  return unsettled_follows_ == 0 && flicker_looks_ >= kFlickerLooks && !steadying_ &&
         cv::countNonZero(changed_) < options_.least_area_in2 * px_per_in2_;
}

void ChangeDetector::LearnFlicker(const cv::Mat& difference) {
  if (flicker_looks_ >= kFlickerLooks) return;
  ++flicker_looks_;
  std::array<int, 256> histogram{};
  int count = 0;
  for (int row = 0; row < difference.rows; ++row) {
    const auto* d = difference.ptr<std::uint8_t>(row);
    const auto* b = board_.ptr<std::uint8_t>(row);
    for (int column = 0; column < difference.cols; ++column) {
      if (b[column] == 0) continue;
      ++histogram[d[column]];
      ++count;
    }
  }
  int above = 0;
  int level = 255;
  while (level > 0 && above + histogram[static_cast<std::size_t>(level)] < 0.01 * count) {
    above += histogram[static_cast<std::size_t>(level)];
    --level;
  }
  flicker_ = std::min(flicker_, level);
  // One pixel in a hundred is above that. For a mean of nine pixels, one in a hundred thousand is
  // above nearly twice as much.
  constexpr double kNever = 1.8;
  if (flicker_looks_ == kFlickerLooks) threshold_ = std::max(threshold_, kNever * flicker_);
}

bool ChangeDetector::ExposureStands() const {
  constexpr double kSame = 0.01;  // two grey levels of a bright pixel: noise and things that come
  return gains_.size() == static_cast<std::size_t>(settle_frames_) &&
         std::all_of(gains_.begin(), gains_.end(), [&](const cv::Vec3d& gain) {
           return cv::norm(gain - gain_, cv::NORM_INF) < kSame * cv::norm(gain_, cv::NORM_INF);
         });
}

bool ChangeDetector::IsNewExposure(const WatchReport& report, int new_px) const {
  // If what still looks new is smaller than a hand, it came meanwhile and is not part of the light.
  return report.light_changed && !report.picture_shifted && !report.obstructed &&
         ExposureStands() && new_px < options_.hand_area_in2 * px_per_in2_;
}

void ChangeDetector::FollowExposure(const cv::Mat& bgr) {
  const cv::Scalar gain(gain_[0], gain_[1], gain_[2]);
  const auto follow = [&](cv::Mat& background, const cv::Mat& now) {
    const cv::Mat too_bright = TooBright(background);
    cv::multiply(background, gain, background);
    now.copyTo(background, too_bright);  // its brightness is known now
  };
  follow(background_, bgr);
  follow(small_background_, small_);
  unsettled_follows_ = kFollowsToSettle;
  too_bright_ = TooBright(small_background_);
  gain_ = {1, 1, 1};
  steady_gain_ = {1, 1, 1};
  // More light is more noise.
  flicker_looks_ = 0;
  flicker_ = 255;
}

cv::Mat ChangeDetector::LightThatStays() {
  if (light_.empty() || before_.size() < 2) return {};
  // The light's edge creeps by less than this from one picture to the next.
  constexpr double kCreeps_in = 0.1;
  cv::Mat about;
  cv::dilate(light_, about, Disc(PixelsFor(kCreeps_in, px_per_in2_)));
  Difference(small_, before_.front(), difference_);
  const cv::Mat jumped = difference_ > threshold_;
  // Where the light has stood and the picture jumps now, something came.
  cv::Mat out = light_.clone();
  if (!lit_for_.empty()) out &= ~(jumped & (lit_for_ >= settle_frames_));
  // However near it something fell, that does not become light.
  cv::Mat crept = about & ~light_;
  if (!fell_.empty()) crept &= ~fell_;
  out = (out | crept) & changed_;
  if (cv::countNonZero(out) == 0) return {};
  const cv::Mat off = OffLitAbout(Pair(), out);
  // What has been taken for light stays so until it is clearly none.
  constexpr double kSure = 2;
  out &= (off <= threshold_) | (light_ & (off <= kSure * threshold_));
  TakeBackSpecks(off, out);
  if (fell_.empty()) fell_ = cv::Mat(small_.size(), CV_8UC1, cv::Scalar(0));
  fell_ = (fell_ | jumped) & changed_ & ~out;
  return out;
}

void ChangeDetector::TakeBackSpecks(const cv::Mat& off, cv::Mat& light) const {
  // Noise takes out no larger ones, and of a projectile more is in view.
  constexpr double kSpeck_in2 = 0.08;
  const cv::Mat rest = changed_ & ~light;
  cv::Mat labels;
  cv::Mat stats;
  LabelComponents(rest, labels, stats);
  for (int i = 1; i < stats.rows; ++i) {
    if (stats.at<int>(i, cv::CC_STAT_AREA) >= kSpeck_in2 * px_per_in2_) continue;
    const cv::Rect about = Widened(RectOf(stats, i), 1, small_.size());
    const cv::Mat it = labels(about) == i;
    if (cv::countNonZero(light(about)) > 0)
      light(about).setTo(255, it & (off(about) <= threshold_));
  }
}

cv::Mat ChangeDetector::SetLightAside(const cv::Mat& labels,
                                      const std::vector<ChangedComponent>& components,
                                      const cv::Mat& changed, const cv::Mat& known) {
  cv::Mat out;
  std::vector<Lit> lit;  // the wide ones, with their soft edges
  light_ = known;
  if (known.empty()) fell_.release();
  if (!known.empty()) {
    out = changed.clone();
    const cv::Rect about = AboutOf(Pair(), cv::boundingRect(known));
    cv::Mat things;
    cv::dilate(changed(about), things, Disc(PixelsFor(0.1, px_per_in2_)));
    cv::Mat with_edge;
    cv::dilate(known(about), with_edge, Disc(PixelsFor(kLightsEdge_in, px_per_in2_)));
    lit.push_back({about, with_edge & ~things, true});
  }
  for (const ChangedComponent& c : components) {
    const cv::Rect about = AboutOf(Pair(), c.rect);
    const cv::Mat it = labels(about) == c.label;
    cv::Mat things;
    // Over a wide place the light may have edges of any shape: there only the colours tell.
    const bool wide = c.area_px > options_.hand_area_in2 * px_per_in2_;
    if (wide) {
      cv::Mat alone(small_.size(), CV_8UC1, cv::Scalar(0));
      cv::bitwise_and(changed(about), it, alone(about));
      const Cover cover = CoverOf(Pair(), labels, c.label, c.rect);
      if (cover != Cover::kLight && !IsLightsEdge(Pair(), alone, c, cover)) continue;
      things = OtherTint(Pair(), it, about);
    } else {
      const std::optional<cv::Mat> other = OtherThanLightAbout(Pair(), it, about, changed);
      if (!other) continue;
      things = *other;
    }
    if (out.empty()) out = changed.clone();
    out(about).setTo(0, it);
    cv::bitwise_or(out(about), things, out(about));
    cv::Mat about_things;
    cv::dilate(things, about_things, Disc(PixelsFor(0.1, px_per_in2_)));
    if (wide) {
      cv::Mat with_edge;  // where it changes too little to be noticed
      cv::dilate(it, with_edge, Disc(PixelsFor(kLightsEdge_in, px_per_in2_)));
      lit.push_back({about, with_edge & ~about_things});
      if (light_.empty()) light_ = cv::Mat(small_.size(), CV_8UC1, cv::Scalar(0));
      light_(about).setTo(255, it & changed(about) & ~about_things);
    } else {
      // The cloth about it follows the light already, for it changes by less than paint.
      changed_(about).setTo(0, it & ~about_things);
    }
  }
  FollowLights(lit, out);
  return out;
}

void ChangeDetector::FollowLights(const std::vector<Lit>& lit, const cv::Mat& others) {
  if (lit.empty()) {
    lit_for_.release();
    return;
  }
  if (lit_for_.empty()) {
    lit_for_ = cv::Mat(small_.size(), CV_8UC1, cv::Scalar(0));
    lit_look_ = small_.clone();
  }
  cv::Mat all(small_.size(), CV_8UC1, cv::Scalar(0));
  for (const Lit& one : lit) all(one.about).setTo(255, one.where);
  // A shadow that glides on differs little from one picture to the next.
  const cv::Mat other = (Difference(small_, lit_look_) > 0.5 * threshold_) | ~all;
  small_.copyTo(lit_look_, other);
  cv::add(lit_for_, cv::Scalar(frames_), lit_for_);  // saturates at 255
  lit_for_.setTo(0, other);
  cv::Mat standing(small_.size(), CV_8UC1, cv::Scalar(0));
  for (const Lit& one : lit) {
    cv::Mat stood = (lit_for_(one.about) >= light_frames_) & one.where;
    const int all_px = cv::countNonZero(one.where);
    const int stood_px = cv::countNonZero(stood);
    // As a whole: in patches it would leave edges in the background. Noise moves a pixel now and
    // then.
    constexpr double kMost = 0.9;
    // Behind an edge that creeps on, what stands is of one piece.
    constexpr double kCreptOver = 0.5;
    constexpr double kNoise_in = 0.1;
    if (stood_px >= kMost * all_px) {
      standing(one.about).setTo(255, one.where);
    } else if (one.stays && stood_px >= kCreptOver * all_px) {
      cv::morphologyEx(stood, stood, cv::MORPH_CLOSE, Disc(PixelsFor(kNoise_in, px_per_in2_)));
      standing(one.about).setTo(255, stood & one.where);
    }
  }
  light_moves_.setTo(0, all);
  light_moves_.setTo(light_frames_, all & ~standing);
  // What has come and is not judged yet may be too faint in part to be told from the light.
  for (const Coming& one : coming_) standing(one.about).setTo(0);
  TakeLight(standing & ~others);
}

void ChangeDetector::TakeLight(const cv::Mat& where) {
  if (cv::countNonZero(where) == 0) return;
  // As sharp as the light's edges; a mean, for one frame's noise is to stay out of the background.
  const auto level = [](const cv::Mat& bgr, const cv::Vec3d& by) {
    cv::Mat out;
    bgr.convertTo(out, CV_32F);
    cv::multiply(out, cv::Scalar(by[0], by[1], by[2]), out);
    cv::blur(out, out, {3, 3});
    return cv::Mat(out + cv::Scalar(1, 1, 1));
  };
  cv::Mat gain;
  cv::divide(level(small_, {1 / gain_[0], 1 / gain_[1], 1 / gain_[2]}),
             level(small_background_, {1, 1, 1}), gain);
  gain.setTo(cv::Scalar(1, 1, 1), ~where);
  const auto light = [](cv::Mat background, const cv::Mat& by) {
    cv::Mat in_light;
    cv::multiply(background, by, in_light, 1, CV_32F);
    in_light.convertTo(background, CV_8U);
  };
  light(small_background_, gain);
  const cv::Rect part = cv::boundingRect(where);
  cv::Mat full_gain;
  cv::resize(gain(part), full_gain, part.size() * scale_, 0, 0, cv::INTER_LINEAR);
  light(background_(cv::Rect(part.tl() * scale_, full_gain.size())), full_gain);
  unsettled_follows_ = kFollowsToSettle;
  // An edge of light that is sharper than the mean would be new at once.
  if (now_.empty()) return;
  LightAs(small_, small_background_, gain_, lit_);
  Difference(small_, lit_, difference_);
  cv::Mat sharp;
  cv::dilate(difference_ > 0.5 * threshold_, sharp, {});
  sharp &= where;
  if (const cv::Rect about = cv::boundingRect(sharp); !about.empty())
    TakePicture(now_, about, sharp(about));
}

void ChangeDetector::TakePicture(const cv::Mat& bgr, const cv::Rect& about, const cv::Mat& where) {
  const cv::Rect full(about.tl() * scale_, about.size() * scale_);
  cv::Mat full_where;
  cv::resize(where, full_where, full.size(), 0, 0, cv::INTER_NEAREST);
  // In the background's own exposure, so that one gain serves the whole picture.
  cv::Mat piece;
  cv::multiply(bgr(full), cv::Scalar(1 / gain_[0], 1 / gain_[1], 1 / gain_[2]), piece);
  cv::max(piece, BurntChannels(bgr(full)), piece);
  piece.copyTo(background_(full), full_where);
  cv::Mat small_piece;
  cv::resize(piece, small_piece, about.size(), 0, 0, cv::INTER_AREA);
  small_piece.copyTo(small_background_(about), where);
  unsettled_follows_ = kFollowsToSettle;  // that was one frame
}

bool ChangeDetector::LeftByArm(const cv::Mat& labels, int label, int area_px,
                               int still_frames) const {
  // A resting arm with its hand keeps at least a third of its area in view; a stand or two are
  // less.
  constexpr double kArm = 1.0 / 3;
  if (still_frames < left_frames_) return false;
  const int under_arm = cv::countNonZero((labels == label) & (kArm * arm_px_ > area_px));
  constexpr double kMost = 0.8;  // of it: an arm's edge is soft
  return under_arm > kMost * area_px;
}

bool ChangeDetector::IsArm(const cv::Mat& labels, const ChangedComponent& component) const {
  // Nobody holds an arm quite still for long: what does not move at all is an object.
  if (component.youngest >= still_hand_frames_) return false;
  const bool moves = component.youngest < settle_frames_;
  // An arm comes in over the picture's edge, or, if it looks cut off from there, it moves and also
  // lies beside the board, and there is a hand to it.
  const auto shows_hand = [&] {
    const cv::Rect about = AboutOf(Pair(), component.rect);
    return IsAsWideAs(kWrist_in, (labels(about) == component.label) & changed_(about), px_per_in2_);
  };
  const bool beside = component.outside_px > options_.arm_area_in2 * px_per_in2_ &&
                      (component.at_edge || shows_hand());
  if (beside && moves) return true;
  // At rest it is an arm if the edge cuts it as wide as a wrist, or if it came as one and has not
  // gone: near the camera its edge is so soft that it looks cut off. A shade that stays is none.
  const bool wide = component.cut_px >= PixelsFor(options_.wrist_in, px_per_in2_);
  const bool comes = component.at_edge && (wide || moves);
  if (!comes && !(beside && arm_in_view_)) return false;
  if (LeftByArm(labels, component.label, component.area_px, component.youngest)) return false;
  return comes || CoverOf(Pair(), labels, component.label, component.rect) != Cover::kLight;
}

void ChangeDetector::SuspectHands(const cv::Mat& bgr) {
  FOS_CHECK(bgr.type() == CV_8UC3 && bgr.size() == background_.size());
  under_hand_.setTo(kUnseen);
  arm_in_view_ = false;  // what lies there now is no part of what hid it
  const cv::Mat now = Shrunk(bgr, scale_);
  const std::optional<cv::Scalar> gain = MedianGain(now, small_background_, board_);
  if (!gain) return;
  cv::Mat expected;
  LightAs(now, small_background_, {(*gain)[0], (*gain)[1], (*gain)[2]}, expected);
  changed_ = Difference(now, expected) > threshold_;
  // What looks as it did was left alone. A hand's shadow and soft edge lie within an inch of it.
  cv::dilate(changed_, under_hand_, Disc(PixelsFor(kAboutHand_in, px_per_in2_)));
  under_hand_ &= kUnseen;
}

cv::Mat ChangeDetector::SteadyLight(const cv::Mat& bgr) {
  FOS_CHECK(bgr.type() == CV_8UC3 && bgr.size() == background_.size());
  const cv::Scalar steady(steady_gain_[0], steady_gain_[1], steady_gain_[2]);
  const bool lit = !ChangesNothing(steady);
  if (lit) cv::multiply(small_background_, steady, lit_);
  LeaveOutWhatIsNew(0.1, same_);
  shrunk_ = free_.Take(board_.size(), CV_8UC3);
  Shrink(bgr, scale_, shrunk_);
  shrunk_of_ = bgr;
  const std::optional<cv::Mat> gains =
      steadier_.GainsOf(shrunk_, lit ? lit_ : small_background_, same_, threshold_, 1 + skipped_);
  steadying_ = gains.has_value();
  if (!gains) {
    steadied_ = bgr;
    return bgr;
  }
  if (steadied_.empty()) cv::multiply(background_, steady, steadied_);
  steadied_ = LightSteadier::Steadied(bgr, steadied_, *gains);
  return steadied_;
}

void ChangeDetector::LeaveOutWhatIsNew(double about_in, cv::Mat& same) const {
  same.create(board_.size(), CV_8UC1);
  cv::bitwise_or(changed_, hand_, same);
  if (cv::countNonZero(same) > 0) cv::dilate(same, same, Disc(PixelsFor(about_in, px_per_in2_)));
  cv::bitwise_not(same, same);
}

void ChangeDetector::TakeKnown(const cv::Mat& known, const cv::Scalar& gain, const cv::Mat& where) {
  cv::Mat full;
  cv::resize(where, full, {where.cols * scale_, where.rows * scale_}, 0, 0, cv::INTER_NEAREST);
  const cv::Rect part({}, full.size());
  cv::Mat full_known;
  cv::multiply(known(part), gain, full_known);
  full_known.copyTo(background_(part), full);
  unsettled_follows_ = kFollowsToSettle;
  small_background_ = Shrunk(background_, scale_);
  changed_ |= where;  // leaves them out of the exposure
}

bool ChangeDetector::KeepWhatIsNew(const cv::Mat& known, const cv::Mat& seen) {
  FOS_CHECK(known.type() == CV_8UC3 && known.size() == background_.size());
  FOS_CHECK(seen.type() == CV_8UC1 && seen.size() == background_.size());
  cv::Mat small_known = Shrunk(known, scale_);
  const cv::Mat small_seen = Shrunk(seen, scale_) == 255;
  // Match the exposure of the new picture. The median works: a hand covers less than half.
  const std::optional<cv::Scalar> gain =
      MedianGain(small_background_, small_known, board_ & small_seen);
  if (!gain) return false;
  small_ = small_background_;
  cv::Mat in_light;
  LightAs(small_, small_known, {(*gain)[0], (*gain)[1], (*gain)[2]}, in_light);
  small_known = in_light;
  small_background_ = small_known;
  changed_ = (Difference(small_, small_known) > threshold_) & small_seen;
  // Lines and figures are displaced a little; drop what is thinner than a finger.
  constexpr double kThin_in = 0.25;
  cv::morphologyEx(changed_, changed_, cv::MORPH_OPEN, Disc(PixelsFor(kThin_in / 2, px_per_in2_)));
  // The table is found only in a picture that lies still.
  age_.setTo(settle_frames_);
  light_.release();
  WatchReport report;
  FindComponents(report);
  changed_.setTo(0);
  lit_for_.release();
  light_.release();
  fell_.release();
  light_moves_.setTo(0);
  // With the hand's soft edge and the shadow close to it.
  constexpr double kAbout_in = 0.5;
  cv::Mat hands;
  cv::dilate(hand_, hands, Disc(PixelsFor(kAbout_in, px_per_in2_)));
  hands &= small_seen;
  cv::Mat fresh = SomethingElse(Pair(), small_seen, board_) & ~hands;
  // What changed by light, or by a parallax that the cloth does not show, is all over the table.
  constexpr double kMost = 0.03;
  const int fresh_px = cv::countNonZero(fresh);
  const bool told_apart = fresh_px <= kMost * cv::countNonZero(board_);
  if (told_apart && fresh_px > 0) {
    // Whole components, no single pixels, and nothing that the light there explains.
    const cv::Mat narrow = fresh.clone();
    cv::dilate(fresh, fresh, Disc(PixelsFor(0.1, px_per_in2_)));
    cv::Mat labels;
    cv::Mat stats;
    LabelComponents(fresh, labels, stats);
    for (int i = 1; i < stats.rows; ++i) {
      const cv::Rect about = AboutOf(Pair(), RectOf(stats, i));
      const cv::Mat it = labels(about) == i;
      const auto too_small = [&](const cv::Mat& things) {
        return cv::countNonZero(things) < options_.least_area_in2 * px_per_in2_;
      };
      const auto lit_alone = [&] {
        const std::optional<cv::Mat> things = OtherThanLightAbout(Pair(), it, about, narrow);
        return things && too_small(*things);
      };
      if (too_small(it & narrow(about)) || lit_alone()) fresh(about).setTo(0, it);
    }
    cv::dilate(fresh, fresh, Disc(PixelsFor(kAbout_in / 2, px_per_in2_)));
    hands |= fresh & small_seen;
  }
  small_background_ = small_;
  // A thing that lies there now may have been rolling a moment ago.
  age_.setTo(0);
  if (cv::countNonZero(hands) > 0) TakeKnown(known, *gain, hands);
  return told_apart;
}

cv::Mat ChangeDetector::Crept(const cv::Mat& changed) const {
  cv::Mat out = changed & crept_;
  if (cv::countNonZero(out) == 0) return out;
  // Beside what came, noise leaves pixels that do not show its coming.
  constexpr double kBeside_in = 0.15;
  cv::Mat about;
  cv::dilate(changed & ~crept_, about, Disc(PixelsFor(kBeside_in, px_per_in2_)));
  return out & ~about;
}

void ChangeDetector::LabelChanges(const cv::Mat& changed, cv::Mat& labels, cv::Mat& stats) const {
  // Join what lies within a tenth of an inch: a swab's ends and its stick.
  const auto label = [&](const cv::Mat& one, cv::Mat& its_labels, cv::Mat& its_stats) {
    cv::Mat joined;
    cv::dilate(one, joined, Disc(PixelsFor(0.1, px_per_in2_)));
    LabelComponents(joined, its_labels, its_stats);
  };
  const cv::Mat crept = Crept(changed);
  if (cv::countNonZero(crept) == 0) {
    label(changed, labels, stats);
    return;
  }
  label(crept, labels, stats);
  cv::Mat labels_came;
  cv::Mat stats_came;
  label(changed & ~crept, labels_came, stats_came);
  const cv::Mat where = labels_came > 0;
  cv::Mat(labels_came + (stats.rows - 1)).copyTo(labels, where);
  stats.push_back(stats_came.rowRange(1, stats_came.rows));
}

void ChangeDetector::FindComponents(WatchReport& report) {
  hand_.setTo(0);
  other_light_.release();
  cv::subtract(light_moves_, cv::Scalar(frames_), light_moves_);
  const int changed_px = cv::countNonZero(changed_);
  if (changed_px * 1.0 < options_.least_area_in2 * px_per_in2_) {
    coming_.clear();
    lit_for_.release();
    light_.release();
    fell_.release();
    report.new_exposure = IsNewExposure(report, changed_px);
    report.light_changed = report.light_changed && !report.new_exposure;
    return;
  }

  // A knocked camera moves everything that has structure, and nothing else does.
  cv::Mat shifted;
  cv::bitwise_and(changed_, structure_, shifted);
  const int structured_px = cv::countNonZero(structure_);
  report.picture_shifted = structured_px > 0 && cv::countNonZero(shifted) > 0.5 * structured_px;

  const cv::Mat light = LightThatStays();
  const cv::Mat rest = light.empty() ? changed_ : cv::Mat(changed_ & ~light);
  cv::Mat labels;
  cv::Mat stats;
  LabelChanges(rest, labels, stats);

  const double least_px = options_.least_area_in2 * px_per_in2_;
  const auto measured = [&](const cv::Mat& changed) {
    return MeasureComponents(labels, stats, {changed, board_, age_, under_hand_}, least_px);
  };
  std::vector<ChangedComponent> components = measured(rest);
  // On the board, without hands; what a light covers counts.
  int new_px = light.empty() ? 0 : cv::countNonZero(light & board_);
  for (const ChangedComponent& c : components) new_px += c.board_px;
  const cv::Mat all_changed = changed_.clone();
  cv::Mat things = rest;
  if (const cv::Mat left = SetLightAside(labels, components, rest, light); !left.empty()) {
    components.clear();
    if (cv::countNonZero(left) >= least_px) {
      LabelChanges(left, labels, stats);
      components = measured(left);
    }
    things = left;
  }
  things_ = things & ~Crept(things);
  other_light_ = all_changed & ~things_;
  coming_.clear();

  std::vector<ChangedComponent> still;
  std::vector<ChangedComponent> arms;
  for (const ChangedComponent& c : components) {
    const double area_in2 = c.area_px / px_per_in2_;
    const bool large = area_in2 > options_.hand_area_in2;
    if (large && c.board_px > 0 && IsArm(labels, c)) {
      report.obstructed = true;
      hand_.setTo(255, labels == c.label);
      arms.push_back(c);
      new_px -= c.board_px;
      report.moving = report.moving || c.youngest < settle_frames_;
      continue;
    }
    if (!large && c.still_frames < news_frames_)
      coming_.push_back({Widened(c.rect, PixelsFor(kReach_in, px_per_in2_), small_.size()),
                         c.still_frames >= settle_frames_});
    if (c.still_frames < settle_frames_) {
      report.moving = report.moving || c.board_px > 0;
      continue;
    }
    still.push_back(c);
  }
  if (report.obstructed) {
    if (!arm_in_view_) arm_px_.setTo(0);
    for (const ChangedComponent& c : arms) {
      cv::Mat part = arm_px_(c.rect);
      part.setTo(c.area_px, (labels(c.rect) == c.label) & (part < c.area_px));
    }
    // The hand's shadow and what it is about to touch are not settled.
    cv::Mat about;
    cv::dilate(hand_, about, Disc(PixelsFor(kAboutHand_in, px_per_in2_)));
    cv::bitwise_or(under_hand_, about, under_hand_);
    std::erase_if(still, [&](const ChangedComponent& c) {
      return cv::countNonZero((labels(c.rect) == c.label) & about(c.rect)) > 0;
    });
  }
  arm_in_view_ = report.obstructed;
  const auto apart = std::count_if(still.begin(), still.end(),
                                   [](const ChangedComponent& c) { return c.under_hand_px == 0; });
  if (IsNewExposure(report, new_px)) {
    report.light_changed = false;
    report.new_exposure = true;
  }
  if (apart > options_.most_things) report.light_changed = true;
  if (report.picture_shifted || report.light_changed) return;

  for (const ChangedComponent& c : still) {
    // While a shadow glides over it, its edges on what is high or bright look like things. What a
    // hand left is no shadow's.
    if (c.under_hand_px == 0 && c.still_frames < light_frames_ &&
        cv::countNonZero(light_moves_(AboutOf(Pair(), c.rect))) > 0)
      continue;
    // What drifts there may be the faint part of what has come.
    const bool drifts = c.under_hand_px == 0 && c.still_frames >= news_frames_;
    if (drifts && std::any_of(coming_.begin(), coming_.end(), [&](const Coming& one) {
          return !(one.about & c.rect).empty();
        }))
      continue;
    std::optional<SettledRegion> region = RegionOf(c);
    if (!region) continue;
    region->mask = (labels(c.rect) == c.label) & changed_(c.rect);
    region->area_in2 = c.area_px / px_per_in2_;
    report.settled.push_back(std::move(*region));
  }
}

ChangeDetector::LookedAt ChangeDetector::StepsAgo(int steps) const {
  if (looked_at_.empty()) return {};
  const std::int64_t step = looked_at_.back().step - steps;
  const auto after = std::find_if(looked_at_.begin(), looked_at_.end(),
                                  [&](const LookedAt& one) { return one.step > step; });
  if (after == looked_at_.begin()) return looked_at_.front();
  const LookedAt& before = *std::prev(after);
  if (after == looked_at_.end()) return before;
  // Between two looks are pictures that were skipped.
  const double share =
      static_cast<double>(step - before.step) / static_cast<double>(after->step - before.step);
  const auto pictures = static_cast<double>(after->frame.index - before.frame.index);
  return {step,
          {before.frame.index + static_cast<std::int64_t>(share * pictures)},
          before.time_s + share * (after->time_s - before.time_s)};
}

std::optional<SettledRegion> ChangeDetector::RegionOf(const ChangedComponent& c) const {
  SettledRegion region;
  region.rect = c.rect;
  const LookedAt at_rest = StepsAgo(c.still_frames);
  region.at_rest = at_rest.frame;
  region.at_rest_s = at_rest.time_s;
  region.was_under_hand = c.under_hand_px > 0;
  region.was_unseen = c.unseen_px > 0 && c.unseen_px == c.under_hand_px;
  region.on_board = c.board_px > 0;
  std::vector<Vec2> corners;
  for (const cv::Point corner : {c.rect.tl(), cv::Point(c.rect.br().x, c.rect.y), c.rect.br(),
                                 cv::Point(c.rect.x, c.rect.br().y)}) {
    const auto at =
        TableFromImage(camera_, {(corner.x - 0.5) * scale_, (corner.y - 0.5) * scale_}, 0, 0);
    if (at.ok()) corners.push_back(at->at);
  }
  if (corners.size() < 4) return std::nullopt;
  region.box = BoundsOf(corners);
  return region;
}

cv::Mat ChangeDetector::FullMask(const SettledRegion& region, const cv::Rect& roi) const {
  cv::Mat full(roi.size(), CV_8UC1, cv::Scalar(0));
  cv::Mat grown;
  cv::resize(region.mask, grown, {}, scale_, scale_, cv::INTER_NEAREST);
  const cv::Rect at(region.rect.x * scale_, region.rect.y * scale_, grown.cols, grown.rows);
  const cv::Rect inside = at & roi;
  if (!inside.empty()) grown(inside - at.tl()).copyTo(full(inside - roi.tl()));
  return full;
}

std::vector<cv::Rect> ChangeDetector::DriftedTiles(const cv::Mat& same) {
  constexpr int kMean_px = 15;  // an inch and a half: noise and coding are averaged away
  // Grey levels: a blend by quarters in whole levels comes no nearer.
  constexpr float kDrifted = 1.5F;
  constexpr int kTile_px = 32;
  cv::multiply(small_, cv::Scalar(1 / gain_[0], 1 / gain_[1], 1 / gain_[2]), off_, 1, CV_32F);
  cv::subtract(off_, small_background_, off_, cv::noArray(), CV_32F);
  cv::bitwise_not(same, difference_);
  off_.setTo(0, difference_);
  cv::blur(off_, off_, {kMean_px, kMean_px});
  const auto drifted = [&](const cv::Rect& tile) {
    for (int row = tile.y; row < tile.br().y; ++row) {
      const float* off = off_.ptr<float>(row, tile.x);
      if (std::any_of(off, off + 3 * tile.width,
                      [&](float level) { return std::abs(level) > kDrifted; }))
        return true;
    }
    return false;
  };
  std::vector<cv::Rect> out;
  const cv::Rect all({}, small_.size());
  for (int y = 0; y < small_.rows; y += kTile_px) {
    for (int x = 0; x < small_.cols; x += kTile_px) {
      const cv::Rect tile = cv::Rect(x, y, kTile_px, kTile_px) & all;
      if (drifted(tile)) out.push_back(tile);
    }
  }
  return out;
}

void ChangeDetector::Follow(const cv::Mat& bgr) {
  FOS_CHECK(bgr.type() == CV_8UC3 && bgr.size() == background_.size());
  constexpr double kShare = 0.25;
  LeaveOutWhatIsNew(0.5, same_);
  for (const Coming& one : coming_)
    if (one.waits) same_(one.about).setTo(0);
  const cv::Mat& same = same_;
  const auto follow = [&](cv::Mat background, const cv::Mat& now, const cv::Mat& mask) {
    cv::Mat blended;
    // In the background's own exposure.
    cv::multiply(now, cv::Scalar(kShare / gain_[0], kShare / gain_[1], kShare / gain_[2]), blended);
    cv::scaleAdd(background, 1 - kShare, blended, blended);
    // How much brighter than it can show a picture is, it does not tell.
    cv::max(blended, background & BurntChannels(now), blended);
    blended.copyTo(background, mask);
  };
  const bool settled = unsettled_follows_ == 0;
  if (!settled) --unsettled_follows_;
  for (const cv::Rect& tile :
       settled ? DriftedTiles(same) : std::vector<cv::Rect>{{{}, small_.size()}}) {
    follow(small_background_(tile), small_(tile), same(tile));
    const cv::Rect full(tile.x * scale_, tile.y * scale_, tile.width * scale_,
                        tile.height * scale_);
    cv::Mat full_same;
    cv::resize(same(tile), full_same, full.size(), 0, 0, cv::INTER_NEAREST);
    follow(background_(full), bgr(full), full_same);
  }
}

void ChangeDetector::Absorb(const SettledRegion& region, const cv::Mat& bgr) {
  FOS_CHECK(bgr.type() == CV_8UC3 && bgr.size() == background_.size());
  const int margin = PixelsFor(0.25, px_per_in2_);
  const cv::Rect around = Widened(region.rect, margin, small_background_.size());
  cv::Mat mask(small_background_.size(), CV_8UC1, cv::Scalar(0));
  region.mask.copyTo(mask(region.rect));
  cv::Mat grown;
  cv::dilate(mask(around), grown, Disc(margin));
  TakePicture(bgr, around, grown);
  changed_(around).setTo(0, grown);
  under_hand_(around).setTo(0, grown);
}

}  // namespace fos
