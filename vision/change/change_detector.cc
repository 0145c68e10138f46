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
#include "vision/change/other_exposure.h"
#include "vision/change/picture_difference.h"
#include "vision/image/mask_shapes.h"
#include "vision/image/shrink.h"

namespace fos {
namespace {

// About ten pixels an inch: a swab's stick is then one pixel wide, and a frame costs few
// milliseconds.
constexpr double kWatchedPixelsPerInch = 10;

// In so many pictures flicker is learnt: a hand may be in some of them, not in all.
constexpr int kFlickerLooks = 10;

// What ages are counted to, in steps.
constexpr int kOldest = 255;

// How far from a hand its shadow and what it is about to touch may lie.
constexpr double kAboutHand_in = 1.0;

// Of the frames, at the table's middle.
double PixelsPerInchOf(const TableCamera& camera, const TableFrame& frame) {
  return PixelsPerInch(camera, {frame.Width() / 2, frame.Depth() / 2}, 0);
}

// How many times they are shrunk.
int ScaleOf(double pixels_per_inch) {
  return std::max(1, static_cast<int>(pixels_per_inch / kWatchedPixelsPerInch));
}

int StepsIn(double time_s, double fps) {
  return std::clamp(static_cast<int>(std::lround(time_s * FrameSteps::PerSecond(fps))), 1, kOldest);
}

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
    : options_(options),
      camera_(camera),
      steadier_(fps),
      scale_(ScaleOf(PixelsPerInchOf(camera, frame))),
      settle_frames_(StepsIn(options.settle_s, fps)),
      left_frames_(StepsIn(options.left_s, fps)),
      light_frames_(StepsIn(options.absorb_light_s, fps)),
      still_hand_frames_(StepsIn(options.still_hand_s, fps)),
      news_frames_(StepsIn(options.news_s, fps)),
      background_(scale_, settle_frames_, options.lamp_gain),
      light_memory_({picture / scale_, scale_, settle_frames_, light_frames_,
                     options.hand_area_in2}),
      steps_(fps) {
  const double ppi = PixelsPerInchOf(camera, frame) / scale_;
  px_per_in2_ = ppi * ppi;
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
}

void ChangeDetector::SetBackground(const cv::Mat& bgr, double noise) {
  FOS_CHECK(bgr.type() == CV_8UC3);
  background_.Set(bgr);
  FOS_CHECK(background_.Small().size() == board_.size());
  // Shrinking and the 3 x 3 mean average noise away, but a sensor's mosaic and coding leave
  // neighbours alike, so only half of what independence would give is counted on.
  const double small_noise = noise / std::sqrt(std::max(1.0, 9 * scale_ * scale_ / 4.0));
  threshold_ = std::max(options_.least_change, options_.noise_factor * small_noise);
  flicker_looks_ = 0;
  flicker_ = 255;
  cv::Mat grey;
  cv::cvtColor(background_.Small(), grey, cv::COLOR_BGR2GRAY);
  cv::Mat dx;
  cv::Mat dy;
  cv::Sobel(grey, dx, CV_16S, 1, 0);
  cv::Sobel(grey, dy, CV_16S, 0, 1);
  structure_ = (cv::abs(dx) + cv::abs(dy)) > 16 * threshold_;
  changed_.setTo(0);
  crept_.setTo(0);
  under_hand_.setTo(0);
  hand_.setTo(0);
  light_memory_.Reset();
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
  FOS_CHECK(!background_.Small().empty() && small_.size() == background_.Small().size());

  // Exposure, from the pixels that had not changed by the last frame.
  const bool any_changed = cv::countNonZero(changed_) > 0;
  if (any_changed) cv::compare(changed_, 0, same_, cv::CMP_EQ);
  report.by_exposure =
      background_.MeasureExposure(small_, any_changed ? same_ : cv::Mat(), frames_);
  report.light_changed = report.by_exposure;
  report.gain = background_.Gain();
  Difference(small_, background_.SmallAs(small_), difference_);
  changed_.copyTo(changed_before_);
  cv::compare(difference_, threshold_, changed_, cv::CMP_GT);
  const bool other_tones = FollowTones(frame.bgr);
  if (other_tones) {
    report.by_exposure = false;
    report.light_changed = false;
    report.gain = background_.Gain();
  }
  if (report.light_changed) changed_.setTo(0, background_.Saturated());

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
    background_.FollowExposure(frame.bgr, small_);
    report.gain = background_.Gain();
  }
  report.new_exposure = report.new_exposure || other_tones;
  if (report.new_exposure) {
    // More light is more noise.
    flicker_looks_ = 0;
    flicker_ = 255;
  }
  return report;
}

bool ChangeDetector::FollowTones(const cv::Mat& bgr) {
  // Other tones are seen wherever the levels are that they change: in half of the board's parts at
  // least. An arm or a lamp changes some of them.
  const double least_px = options_.arm_area_in2 * px_per_in2_;
  if (cv::countNonZero(changed_) < least_px || !background_.ExposureStands()) return false;
  const cv::Mat changed = changed_ & board_;
  if (cv::countNonZero(changed) < least_px) return false;
  constexpr int kAcross = 4;
  constexpr int kDown = 3;
  const cv::Rect all = cv::boundingRect(board_);
  const cv::Size part(all.width / kAcross, all.height / kDown);
  int parts = 0;
  for (int i = 0; i < kAcross * kDown; ++i) {
    const cv::Point at(i % kAcross * part.width, i / kAcross * part.height);
    const int changed_px = cv::countNonZero(changed(cv::Rect(all.tl() + at, part)));
    parts += changed_px >= options_.least_area_in2 * px_per_in2_ ? 1 : 0;
  }
  if (2 * parts < kAcross * kDown) return false;
  const std::optional<ToneChange> tones =
      ToneChange::Between(small_, background_.Small(), background_.Gain(), board_, threshold_);
  if (!tones) return false;
  background_.FollowTones(*tones, bgr, small_);
  light_memory_.Reset();
  Difference(small_, background_.Small(), difference_);
  cv::compare(difference_, threshold_, changed_, cv::CMP_GT);
  return true;
}

cv::Mat ChangeDetector::BackgroundAs(const cv::Mat& now, const cv::Rect& part,
                                     const cv::Vec3d& gain) const {
  cv::Mat out;
  LightAs(now, background_.Full()(part), gain, out);
  light_memory_.Relight(Pair(), now, part, out);
  return out;
}

bool ChangeDetector::Settled() const {
  return background_.Settled() && flicker_looks_ >= kFlickerLooks && !steadying_ &&
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

bool ChangeDetector::IsNewExposure(const WatchReport& report, int new_px) const {
  // If what still looks new is smaller than a hand, it came meanwhile and is not part of the light.
  return report.light_changed && !report.picture_shifted && !report.obstructed &&
         background_.ExposureStands() && new_px < options_.hand_area_in2 * px_per_in2_;
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
  FOS_CHECK(bgr.type() == CV_8UC3 && bgr.size() == background_.Full().size());
  under_hand_.setTo(kUnseen);
  arm_in_view_ = false;  // what lies there now is no part of what hid it
  const cv::Mat now = Shrunk(bgr, scale_);
  const std::optional<cv::Scalar> gain = MedianGain(now, background_.Small(), board_);
  if (!gain) return;
  cv::Mat expected;
  LightAs(now, background_.Small(), {(*gain)[0], (*gain)[1], (*gain)[2]}, expected);
  changed_ = Difference(now, expected) > threshold_;
  ForgetHandsWhereNothingChanged();
}

void ChangeDetector::ForgetHandsWhereNothingChanged() {
  if (!SuspectsHands()) return;
  // What looks as it did was left alone. A hand's shadow and soft edge lie within an inch of it.
  cv::Mat near;
  cv::dilate(changed_, near, Disc(PixelsFor(kAboutHand_in, px_per_in2_)));
  under_hand_ &= near;
}

cv::Mat ChangeDetector::SteadyLight(const cv::Mat& bgr) {
  FOS_CHECK(bgr.type() == CV_8UC3 && bgr.size() == background_.Full().size());
  const cv::Mat& known = background_.SmallInSteadyLight();
  LeaveOutWhatIsNew(0.1, same_);
  shrunk_ = free_.Take(board_.size(), CV_8UC3);
  Shrink(bgr, scale_, shrunk_);
  shrunk_of_ = bgr;
  const std::optional<cv::Mat> gains =
      steadier_.GainsOf(shrunk_, known, same_, threshold_, 1 + skipped_);
  steadying_ = gains.has_value();
  if (!gains) {
    steadied_ = bgr;
    return bgr;
  }
  const cv::Vec3d& steady = background_.SteadyGain();
  if (steadied_.empty())
    cv::multiply(background_.Full(), cv::Scalar(steady[0], steady[1], steady[2]), steadied_);
  steadied_ = LightSteadier::Steadied(bgr, steadied_, *gains);
  return steadied_;
}

void ChangeDetector::LeaveOutWhatIsNew(double about_in, cv::Mat& same) const {
  same.create(board_.size(), CV_8UC1);
  cv::bitwise_or(changed_, hand_, same);
  if (cv::countNonZero(same) > 0) cv::dilate(same, same, Disc(PixelsFor(about_in, px_per_in2_)));
  cv::bitwise_not(same, same);
}

bool ChangeDetector::KeepWhatIsNew(const cv::Mat& known, const cv::Mat& seen) {
  FOS_CHECK(known.type() == CV_8UC3 && known.size() == background_.Full().size());
  FOS_CHECK(seen.type() == CV_8UC1 && seen.size() == background_.Full().size());
  cv::Mat small_known = Shrunk(known, scale_);
  const cv::Mat small_seen = Shrunk(seen, scale_) == 255;
  // Match the exposure of the new picture. The median works: a hand covers less than half.
  const std::optional<cv::Scalar> gain =
      MedianGain(background_.Small(), small_known, board_ & small_seen);
  if (!gain) return false;
  small_ = background_.Small();
  const cv::Vec3d by((*gain)[0], (*gain)[1], (*gain)[2]);
  const std::optional<ToneChange> tones =
      ToneChange::Between(small_, small_known, by, small_seen, threshold_);
  cv::Mat in_light;
  if (tones) {
    in_light = tones->InTonesOfNow(small_known);
  } else {
    LightAs(small_, small_known, by, in_light);
  }
  small_known = in_light;
  background_.SetSmall(small_known);
  changed_ = (Difference(small_, small_known) > threshold_) & small_seen;
  // Lines and figures are displaced a little; drop what is thinner than a finger.
  constexpr double kThin_in = 0.25;
  cv::morphologyEx(changed_, changed_, cv::MORPH_OPEN, Disc(PixelsFor(kThin_in / 2, px_per_in2_)));
  // The table is found only in a picture that lies still.
  age_.setTo(settle_frames_);
  light_memory_.Forget();
  WatchReport report;
  FindComponents(report);
  changed_.setTo(0);
  light_memory_.Reset();
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
  background_.SetSmall(small_);
  // A thing that lies there now may have been rolling a moment ago.
  age_.setTo(0);
  if (cv::countNonZero(hands) > 0) {
    cv::Mat lit;
    if (tones) {
      lit = tones->InTonesOfNow(known);
    } else {
      cv::multiply(known, *gain, lit);
    }
    background_.TakeKnown(lit, hands);
    changed_ |= hands;  // leaves them out of the exposure
  }
  return told_apart;
}

void ChangeDetector::TakeLight(cv::Mat where) {
  // What has come and is not judged yet may be too faint in part to be told from the light.
  for (const Coming& one : coming_) where(one.about).setTo(0);
  background_.TakeLight(now_, small_, where, threshold_);
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
  light_memory_.Next(frames_);
  const int changed_px = cv::countNonZero(changed_);
  if (changed_px * 1.0 < options_.least_area_in2 * px_per_in2_) {
    coming_.clear();
    light_memory_.Forget();
    report.new_exposure = IsNewExposure(report, changed_px);
    report.light_changed = report.light_changed && !report.new_exposure;
    return;
  }

  // A knocked camera moves everything that has structure, and nothing else does.
  cv::Mat shifted;
  cv::bitwise_and(changed_, structure_, shifted);
  const int structured_px = cv::countNonZero(structure_);
  report.picture_shifted = structured_px > 0 && cv::countNonZero(shifted) > 0.5 * structured_px;

  const cv::Mat light = light_memory_.ThatStays(
      Pair(), before_.size() < 2 ? cv::Mat() : before_.front(), changed_);
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
  const auto [left, standing] =
      light_memory_.SetAside(Pair(), {rest, labels, components}, changed_);
  if (!standing.empty()) TakeLight(standing);
  if (!left.empty()) {
    components.clear();
    if (cv::countNonZero(left) >= least_px) {
      LabelChanges(left, labels, stats);
      components = measured(left);
    }
    things = left;
  }
  light_memory_.Keep(all_changed, things & ~Crept(things));
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
      coming_.push_back({Widened(c.rect, PixelsFor(kOneEvent_in, px_per_in2_), small_.size()),
                         c.still_frames >= settle_frames_});
    if (c.still_frames < settle_frames_) {
      report.moving = report.moving || c.board_px > 0;
      continue;
    }
    still.push_back(c);
  }
  if (report.obstructed) NoteHands(labels, arms, still);
  arm_in_view_ = report.obstructed;
  const auto apart = std::count_if(still.begin(), still.end(),
                                   [](const ChangedComponent& c) { return c.under_hand_px == 0; });
  if (IsNewExposure(report, new_px)) {
    report.light_changed = false;
    report.new_exposure = true;
  }
  const bool too_many = apart > options_.most_things;
  if (too_many) report.light_changed = true;
  if (too_many && !report.picture_shifted) report.too_many = SettledOf(labels, still);
  if (report.picture_shifted || report.light_changed) return;
  report.settled = SettledOf(labels, still);
}

void ChangeDetector::NoteHands(const cv::Mat& labels, const std::vector<ChangedComponent>& arms,
                               std::vector<ChangedComponent>& still) {
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

std::vector<SettledRegion> ChangeDetector::SettledOf(
    const cv::Mat& labels, const std::vector<ChangedComponent>& still) const {
  std::vector<SettledRegion> out;
  for (const ChangedComponent& c : still) {
    // While a shadow glides over it, its edges on what is high or bright look like things. What a
    // hand left is no shadow's.
    if (c.under_hand_px == 0 && c.still_frames < light_frames_ &&
        light_memory_.MovesIn(AboutOf(Pair(), c.rect)))
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
    out.push_back(std::move(*region));
  }
  return out;
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

void ChangeDetector::Follow(const cv::Mat& bgr) {
  FOS_CHECK(bgr.type() == CV_8UC3 && bgr.size() == background_.Full().size());
  LeaveOutWhatIsNew(0.5, same_);
  for (const Coming& one : coming_)
    if (one.waits) same_(one.about).setTo(0);
  background_.Follow(bgr, small_, same_);
}

void ChangeDetector::Absorb(const SettledRegion& region, const cv::Mat& bgr) {
  FOS_CHECK(bgr.type() == CV_8UC3 && bgr.size() == background_.Full().size());
  const int margin = PixelsFor(0.25, px_per_in2_);
  const cv::Rect around = Widened(region.rect, margin, background_.Small().size());
  cv::Mat mask(background_.Small().size(), CV_8UC1, cv::Scalar(0));
  region.mask.copyTo(mask(region.rect));
  cv::Mat grown;
  cv::dilate(mask(around), grown, Disc(margin));
  background_.TakePicture(bgr, around, grown);
  changed_(around).setTo(0, grown);
  under_hand_(around).setTo(0, grown);
}

}  // namespace fos
