// SPDX-License-Identifier: MIT
#include "vision/change/table_background.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <opencv2/imgproc.hpp>

#include "vision/change/other_exposure.h"
#include "vision/change/picture_difference.h"
#include "vision/image/shrink.h"

namespace fos {
namespace {

// How often a new part of the background follows everywhere: then it is as smooth as a mean of
// seven frames, for each time brings a quarter of a frame in.
constexpr int kFollowsToSettle = 12;

// Whether multiplying by these gains leaves every level of 8 bits as it is.
bool ChangesNothing(const cv::Scalar& gain) {
  constexpr double kHalfLevel = 0.49 / 255;
  return std::abs(gain[0] - 1) < kHalfLevel && std::abs(gain[1] - 1) < kHalfLevel &&
         std::abs(gain[2] - 1) < kHalfLevel;
}

}  // namespace

void TableBackground::Set(const cv::Mat& bgr) {
  full_ = bgr.clone();
  small_ = Shrunk(bgr, scale_);
  too_bright_ = TooBright(small_);
  unsettled_follows_ = kFollowsToSettle;
  gain_ = {1, 1, 1};
  steady_gain_ = {1, 1, 1};
  gains_.clear();
}

bool TableBackground::MeasureExposure(const cv::Mat& now, const cv::Mat& same, int steps) {
  const cv::Scalar is = cv::mean(now, same);
  const cv::Scalar was = cv::mean(small_, same);
  for (int c = 0; c < 3; ++c) {
    const double ratio = was[c] > 1 ? is[c] / was[c] : 1;
    gain_[c] = std::clamp(ratio, 0.2, 5.0);
  }
  // Follow drift, but not a jump: that waits until the picture becomes the new background.
  double off = 0;
  for (int c = 0; c < 3; ++c) {
    off = std::max(off, std::abs(gain_[c] / steady_gain_[c] - 1));
  }
  const bool jumped = off > lamp_gain_;
  gains_.push_back(gain_);
  while (gains_.size() > static_cast<std::size_t>(settle_frames_)) gains_.erase(gains_.begin());
  constexpr double kFollow = 0.02;  // a second and a half's memory at 30 frames a second
  if (!jumped) steady_gain_ += (1 - std::pow(1 - kFollow, steps)) * (gain_ - steady_gain_);
  return jumped;
}

bool TableBackground::ExposureStands() const {
  constexpr double kSame = 0.01;  // two grey levels of a bright pixel: noise and things that come
  return gains_.size() == static_cast<std::size_t>(settle_frames_) &&
         std::all_of(gains_.begin(), gains_.end(), [&](const cv::Vec3d& gain) {
           return cv::norm(gain - gain_, cv::NORM_INF) < kSame * cv::norm(gain_, cv::NORM_INF);
         });
}

const cv::Mat& TableBackground::SmallAs(const cv::Mat& now) {
  constexpr double kNoticeable = 0.006;  // one grey level of a bright pixel
  const bool lit =
      std::abs(gain_[0] - 1) + std::abs(gain_[1] - 1) + std::abs(gain_[2] - 1) > kNoticeable;
  if (!lit) return small_;
  LightAs(now, small_, gain_, lit_);
  return lit_;
}

const cv::Mat& TableBackground::SmallInSteadyLight() {
  const cv::Scalar steady(steady_gain_[0], steady_gain_[1], steady_gain_[2]);
  if (ChangesNothing(steady)) return small_;
  cv::multiply(small_, steady, lit_);
  return lit_;
}

void TableBackground::FollowExposure(const cv::Mat& bgr, const cv::Mat& now) {
  const cv::Scalar gain(gain_[0], gain_[1], gain_[2]);
  const auto follow = [&](cv::Mat& background, const cv::Mat& picture) {
    const cv::Mat too_bright = TooBright(background);
    cv::multiply(background, gain, background);
    picture.copyTo(background, too_bright);  // its brightness is known now
  };
  follow(full_, bgr);
  follow(small_, now);
  Renew();
}

void TableBackground::FollowTones(const ToneChange& tones, const cv::Mat& bgr, const cv::Mat& now) {
  const auto follow = [&](cv::Mat& background, const cv::Mat& picture) {
    const cv::Mat too_bright = TooBright(background);
    background = tones.InTonesOfNow(background);
    picture.copyTo(background, too_bright);
  };
  follow(full_, bgr);
  follow(small_, now);
  gains_.clear();
  Renew();
}

void TableBackground::Renew() {
  unsettled_follows_ = kFollowsToSettle;
  too_bright_ = TooBright(small_);
  gain_ = {1, 1, 1};
  steady_gain_ = {1, 1, 1};
}

std::vector<cv::Rect> TableBackground::DriftedTiles(const cv::Mat& now, const cv::Mat& same) {
  constexpr int kMean_px = 15;  // an inch and a half: noise and coding are averaged away
  // Grey levels: a blend by quarters in whole levels comes no nearer.
  constexpr float kDrifted = 1.5F;
  constexpr int kTile_px = 32;
  cv::multiply(now, cv::Scalar(1 / gain_[0], 1 / gain_[1], 1 / gain_[2]), off_, 1, CV_32F);
  cv::subtract(off_, small_, off_, cv::noArray(), CV_32F);
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
  const cv::Rect all({}, now.size());
  for (int y = 0; y < now.rows; y += kTile_px) {
    for (int x = 0; x < now.cols; x += kTile_px) {
      const cv::Rect tile = cv::Rect(x, y, kTile_px, kTile_px) & all;
      if (drifted(tile)) out.push_back(tile);
    }
  }
  return out;
}

void TableBackground::Follow(const cv::Mat& bgr, const cv::Mat& now, const cv::Mat& same) {
  constexpr double kShare = 0.25;
  const auto follow = [&](cv::Mat background, const cv::Mat& picture, const cv::Mat& mask) {
    cv::Mat blended;
    // In the background's own exposure.
    cv::multiply(picture, cv::Scalar(kShare / gain_[0], kShare / gain_[1], kShare / gain_[2]),
                 blended);
    cv::scaleAdd(background, 1 - kShare, blended, blended);
    // How much brighter than it can show a picture is, it does not tell.
    cv::max(blended, background & BurntChannels(picture), blended);
    blended.copyTo(background, mask);
  };
  const bool settled = unsettled_follows_ == 0;
  if (!settled) --unsettled_follows_;
  for (const cv::Rect& tile :
       settled ? DriftedTiles(now, same) : std::vector<cv::Rect>{{{}, now.size()}}) {
    follow(small_(tile), now(tile), same(tile));
    const cv::Rect full(tile.x * scale_, tile.y * scale_, tile.width * scale_,
                        tile.height * scale_);
    cv::Mat full_same;
    cv::resize(same(tile), full_same, full.size(), 0, 0, cv::INTER_NEAREST);
    follow(full_(full), bgr(full), full_same);
  }
}

void TableBackground::TakePicture(const cv::Mat& bgr, const cv::Rect& about, const cv::Mat& where) {
  const cv::Rect full(about.tl() * scale_, about.size() * scale_);
  cv::Mat full_where;
  cv::resize(where, full_where, full.size(), 0, 0, cv::INTER_NEAREST);
  // In the background's own exposure, so that one gain serves the whole picture.
  cv::Mat piece;
  cv::multiply(bgr(full), cv::Scalar(1 / gain_[0], 1 / gain_[1], 1 / gain_[2]), piece);
  cv::max(piece, BurntChannels(bgr(full)), piece);
  piece.copyTo(full_(full), full_where);
  cv::Mat small_piece;
  cv::resize(piece, small_piece, about.size(), 0, 0, cv::INTER_AREA);
  small_piece.copyTo(small_(about), where);
  unsettled_follows_ = kFollowsToSettle;  // that was one frame
}

void TableBackground::TakeLight(const cv::Mat& bgr, const cv::Mat& now, const cv::Mat& where,
                                double threshold) {
  if (cv::countNonZero(where) == 0) return;
  // As sharp as the light's edges; a mean, for one frame's noise is to stay out of the background.
  // A plain mean of three turns over stripes of two pixels, which would grow by a third each time.
  const auto level = [](const cv::Mat& picture, const cv::Vec3d& by) {
    cv::Mat out;
    picture.convertTo(out, CV_32F);
    cv::multiply(out, cv::Scalar(by[0], by[1], by[2]), out);
    cv::GaussianBlur(out, out, {3, 3}, 0);  // 1 2 1
    return cv::Mat(out + cv::Scalar(1, 1, 1));
  };
  cv::Mat gain;
  cv::divide(level(now, {1 / gain_[0], 1 / gain_[1], 1 / gain_[2]}), level(small_, {1, 1, 1}),
             gain);
  gain.setTo(cv::Scalar(1, 1, 1), ~where);
  const auto light = [](cv::Mat background, const cv::Mat& by) {
    cv::Mat in_light;
    cv::multiply(background, by, in_light, 1, CV_32F);
    in_light.convertTo(background, CV_8U);
  };
  light(small_, gain);
  const cv::Rect part = cv::boundingRect(where);
  cv::Mat full_gain;
  cv::resize(gain(part), full_gain, part.size() * scale_, 0, 0, cv::INTER_LINEAR);
  light(full_(cv::Rect(part.tl() * scale_, full_gain.size())), full_gain);
  unsettled_follows_ = kFollowsToSettle;
  // An edge of light that is sharper than the mean would be new at once.
  if (bgr.empty()) return;
  LightAs(now, small_, gain_, lit_);
  Difference(now, lit_, difference_);
  cv::Mat sharp;
  cv::dilate(difference_ > 0.5 * threshold, sharp, {});
  sharp &= where;
  if (const cv::Rect about = cv::boundingRect(sharp); !about.empty())
    TakePicture(bgr, about, sharp(about));
}

void TableBackground::TakeKnown(const cv::Mat& known, const cv::Mat& where) {
  cv::Mat full;
  cv::resize(where, full, {where.cols * scale_, where.rows * scale_}, 0, 0, cv::INTER_NEAREST);
  const cv::Rect part({}, full.size());
  known(part).copyTo(full_(part), full);
  unsettled_follows_ = kFollowsToSettle;
  small_ = Shrunk(full_, scale_);
}

}  // namespace fos
