// SPDX-License-Identifier: MIT
#include "vision/change/light_memory.h"

#include <opencv2/imgproc.hpp>
#include <optional>

#include "vision/change/light_or_thing.h"
#include "vision/change/local_light.h"
#include "vision/change/picture_difference.h"
#include "vision/image/mask_shapes.h"

namespace fos {
namespace {

// Adds to `light` the specks beside it that are as lit as it is.
// changed  CV_8UC1, of the pictures' size: 255 in what has changed
// off      OffLitAbout(light)
void TakeBackSpecks(const PicturePair& pair, const cv::Mat& changed, const cv::Mat& off,
                    cv::Mat& light) {
  // Noise takes out no larger ones, and of a projectile more is in view.
  constexpr double kSpeck_in2 = 0.08;
  const cv::Mat rest = changed & ~light;
  cv::Mat labels;
  cv::Mat stats;
  LabelComponents(rest, labels, stats);
  for (int i = 1; i < stats.rows; ++i) {
    if (stats.at<int>(i, cv::CC_STAT_AREA) >= kSpeck_in2 * pair.px_per_in2) continue;
    const cv::Rect about = Widened(RectOf(stats, i), 1, pair.now.size());
    const cv::Mat it = labels(about) == i;
    if (cv::countNonZero(light(about)) > 0)
      light(about).setTo(255, it & (off(about) <= pair.threshold));
  }
}

}  // namespace

LightMemory::LightMemory(const LightMemoryOptions& options)
    : options_(options), light_moves_(options.size, CV_8UC1, cv::Scalar(0)) {}

void LightMemory::Forget() {
  lit_for_.release();
  light_.release();
  fell_.release();
}

void LightMemory::Reset() {
  Forget();
  light_moves_.setTo(0);
}

void LightMemory::Next(int steps) {
  steps_ = steps;
  other_light_.release();
  cv::subtract(light_moves_, cv::Scalar(steps), light_moves_);
}

cv::Mat LightMemory::ThatStays(const PicturePair& pair, const cv::Mat& before,
                               const cv::Mat& changed) {
  light_ = StillFalls(pair, before, changed);
  if (light_.empty()) fell_.release();
  return light_;
}

cv::Mat LightMemory::StillFalls(const PicturePair& pair, const cv::Mat& before,
                                const cv::Mat& changed) {
  if (light_.empty() || before.empty()) return {};
  // The light's edge creeps by less than this from one picture to the next.
  constexpr double kCreeps_in = 0.1;
  cv::Mat about;
  cv::dilate(light_, about, Disc(PixelsFor(kCreeps_in, pair.px_per_in2)));
  Difference(pair.now, before, difference_);
  const cv::Mat jumped = difference_ > pair.threshold;
  // Where the light has stood and the picture jumps now, something came.
  cv::Mat out = light_.clone();
  if (!lit_for_.empty()) out &= ~(jumped & (lit_for_ >= options_.settle_frames));
  // However near it something fell, that does not become light.
  cv::Mat crept = about & ~light_;
  if (!fell_.empty()) crept &= ~fell_;
  out = (out | crept) & changed;
  if (cv::countNonZero(out) == 0) return {};
  const cv::Mat off = OffLitAbout(pair, out);
  // What has been taken for light stays so until it is clearly none.
  constexpr double kSure = 2;
  out &= (off <= pair.threshold) | (light_ & (off <= kSure * pair.threshold));
  TakeBackSpecks(pair, changed, off, out);
  if (fell_.empty()) fell_ = cv::Mat(pair.now.size(), CV_8UC1, cv::Scalar(0));
  fell_ = (fell_ | jumped) & changed & ~out;
  return out;
}

LightMemory::Aside LightMemory::SetAside(const PicturePair& pair, const LabelledChange& change,
                                         cv::Mat& all_changed) {
  const cv::Mat& changed = change.changed;
  const cv::Mat& labels = change.labels;
  cv::Mat out;
  std::vector<Lit> lit;  // the wide ones, with their soft edges
  if (!light_.empty()) {
    out = changed.clone();
    const cv::Rect about = AboutOf(pair, cv::boundingRect(light_));
    cv::Mat things;
    cv::dilate(changed(about), things, Disc(PixelsFor(0.1, pair.px_per_in2)));
    cv::Mat with_edge;
    cv::dilate(light_(about), with_edge, Disc(PixelsFor(kLightsEdge_in, pair.px_per_in2)));
    lit.push_back({about, with_edge & ~things, true});
  }
  for (const ChangedComponent& c : change.components) {
    const cv::Rect about = AboutOf(pair, c.rect);
    const cv::Mat it = labels(about) == c.label;
    cv::Mat things;
    // Over a wide place the light may have edges of any shape: there only the colours tell.
    const bool wide = c.area_px > options_.wide_in2 * pair.px_per_in2;
    if (wide) {
      cv::Mat alone(pair.now.size(), CV_8UC1, cv::Scalar(0));
      cv::bitwise_and(changed(about), it, alone(about));
      const Cover cover = CoverOf(pair, labels, c.label, c.rect);
      if (cover != Cover::kLight && !IsLightsEdge(pair, alone, c, cover)) continue;
      things = OtherTint(pair, it, about);
    } else {
      const std::optional<cv::Mat> other = OtherThanLightAbout(pair, it, about, changed);
      if (!other) continue;
      things = *other;
    }
    if (out.empty()) out = changed.clone();
    out(about).setTo(0, it);
    cv::bitwise_or(out(about), things, out(about));
    cv::Mat about_things;
    cv::dilate(things, about_things, Disc(PixelsFor(0.1, pair.px_per_in2)));
    if (wide) {
      cv::Mat with_edge;  // where it changes too little to be noticed
      cv::dilate(it, with_edge, Disc(PixelsFor(kLightsEdge_in, pair.px_per_in2)));
      lit.push_back({about, with_edge & ~about_things});
      if (light_.empty()) light_ = cv::Mat(pair.now.size(), CV_8UC1, cv::Scalar(0));
      light_(about).setTo(255, it & changed(about) & ~about_things);
    } else {
      // The cloth about it follows the light already, for it changes by less than paint.
      all_changed(about).setTo(0, it & ~about_things);
    }
  }
  return {out, FollowLights(pair, lit, out)};
}

cv::Mat LightMemory::FollowLights(const PicturePair& pair, const std::vector<Lit>& lit,
                                  const cv::Mat& others) {
  if (lit.empty()) {
    lit_for_.release();
    return {};
  }
  if (lit_for_.empty()) {
    lit_for_ = cv::Mat(pair.now.size(), CV_8UC1, cv::Scalar(0));
    lit_look_ = pair.now.clone();
  }
  cv::Mat all(pair.now.size(), CV_8UC1, cv::Scalar(0));
  for (const Lit& one : lit) all(one.about).setTo(255, one.where);
  // A shadow that glides on differs little from one picture to the next.
  const cv::Mat other = (Difference(pair.now, lit_look_) > 0.5 * pair.threshold) | ~all;
  pair.now.copyTo(lit_look_, other);
  cv::add(lit_for_, cv::Scalar(steps_), lit_for_);  // saturates at 255
  lit_for_.setTo(0, other);
  cv::Mat standing(pair.now.size(), CV_8UC1, cv::Scalar(0));
  for (const Lit& one : lit) {
    cv::Mat stood = (lit_for_(one.about) >= options_.light_frames) & one.where;
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
      cv::morphologyEx(stood, stood, cv::MORPH_CLOSE, Disc(PixelsFor(kNoise_in, pair.px_per_in2)));
      standing(one.about).setTo(255, stood & one.where);
    }
  }
  light_moves_.setTo(0, all);
  light_moves_.setTo(options_.light_frames, all & ~standing);
  return standing & ~others;
}

void LightMemory::Keep(const cv::Mat& all_changed, const cv::Mat& things) {
  things_ = things;
  other_light_ = all_changed & ~things;
}

bool LightMemory::MovesIn(const cv::Rect& part) const {
  return cv::countNonZero(light_moves_(part)) > 0;
}

void LightMemory::Relight(const PicturePair& pair, const cv::Mat& now, const cv::Rect& part,
                          cv::Mat& out) const {
  if (other_light_.empty() || cv::countNonZero(other_light_) == 0) return;
  constexpr double kSoft_in = 0.1;
  constexpr double kUnder_in = 0.3;  // a swab's cotton with its shadow is no wider
  const cv::Mat soft = Disc(PixelsFor(kSoft_in, pair.px_per_in2));
  // The table as it looks now.
  cv::Mat bare;
  cv::Mat near;
  cv::dilate(other_light_, bare, soft);
  cv::dilate(things_, near, soft);
  // What lies under a thing and about it is as lit as what is beside it.
  cv::Mat under;
  cv::morphologyEx(bare, under, cv::MORPH_CLOSE, Disc(PixelsFor(kUnder_in, pair.px_per_in2)));
  under &= near;
  bare &= ~near;
  const cv::Mat by = GainsUnder(pair.now, pair.known, pair.gain, other_light_, under,
                                PixelsFor(2 * kUnder_in, pair.px_per_in2));
  const auto at_full_size = [&](const cv::Mat& small, int how) {
    cv::Mat full;
    cv::resize(small, full, small.size() * options_.scale, 0, 0, how);
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

}  // namespace fos
