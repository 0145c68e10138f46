#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <opencv2/core.hpp>
#include <vector>

#include "calibration/camera/table_camera.h"
#include "engine/table/table_frame.h"
#include "vision/image/frame.h"
#include "vision/image/patch.h"

namespace fos {

struct ChangeDetectorOptions {
  // A thing is at rest when nothing about it has moved for this long. The verdict must fall within
  // half a second of the last motion, and the hands of a clock are read at about this pace.
  double settle_s = 0.2;
  int least_settle_frames = 3;   // at slow cameras: one to see it still, two to be sure
  double least_change = 12;      // grey levels; coding errors of webcams' H.264 stay below
  double noise_factor = 6;       // and this many sigmas of the picture's own noise
  double least_area_in2 = 0.02;  // smaller than any projectile seen at a third
  double hand_area_in2 = 3.5;  // a hand with its wrist is larger; no projectile or single stand is
  // An arm comes from outside: what is changed off the playing area or at the picture's edge, this
  // much.
  double arm_area_in2 = 1.0;
  // A slender wrist of grown people; what is nearer the camera looks wider.
  double wrist_in = 1.8;
  double still_hand_s = 8;      // or 255 frames, to which ages are counted
  double absorb_light_s = 0.5;  // a change of light that has stood this long is the new normal
  // An exposure this far from the background's, in any channel, is a lamp or a shade, not drift: a
  // hand in the picture moves a webcam's exposure by a few hundredths.
  double lamp_gain = 0.08;
  // More separate things than players can put down in a fifth of a second are one change of light.
  int most_things = 60;
};

// Something new that lies still, not under a hand.
struct SettledRegion {
  cv::Mat mask;     // CV_8UC1 of the watch's own scale, 255 where it is new; only inside `rect`
  cv::Rect rect;    // in the watch's own pixels
  TableBox box;     // inches, on the cloth
  FrameId at_rest;  // first frame in which it lies still
  double area_in2 = 0;
  bool was_under_hand = false;  // a hand has been over it since the table was last known there
  bool on_board = true;         // touches the playing area
};

// What the watch makes of one frame.
struct WatchReport {
  bool obstructed = false;       // a hand, an arm, a head is over the playing area
  bool moving = false;           // anything on the playing area moves, hands included
  bool picture_shifted = false;  // most of what has structure is no longer where it was
  bool light_changed = false;    // a lamp was switched or the exposure jumped: not settled yet
  bool new_exposure = false;  // it has, and but for that the table is as it was: known from now on
  std::vector<SettledRegion> settled;
  cv::Vec3d gain{1, 1, 1};  // this frame's exposure over the background's, by channel
};

// Compares each picture with the table as last known, at a scale of about eight pixels an inch, and
// says what is new and still, and whether hands are off. Remembers the background and the last
// pictures.
class ChangeDetector {
 public:
  // picture  the size of the frames. The camera places the playing area in it.
  ChangeDetector(const TableCamera& camera, const TableFrame& frame, cv::Size picture, double fps,
                 ChangeDetectorOptions options = {});

  // The table as known now. bgr: CV_8UC3. noise: grey levels of one pixel of one frame.
  void SetBackground(const cv::Mat& bgr, double noise);
  // The background was taken with hands still in it, perhaps. Where something large that comes from
  // outside the board is in it and not in `known`, the table is known as that shows it, so that the
  // next look sees the hand and what it leaves. After SetBackground.
  // known  CV_8UC3, of the picture's size: the table as it was, with the camera as it hangs now
  // seen   CV_8UC1, likewise: 255 where `known` shows it
  void KeepUnderHands(const cv::Mat& known, const cv::Mat& seen);
  // Takes one frame. Call in order.
  WatchReport Look(const Frame& frame);
  // What was reported as settled is known from now on.
  void Absorb(const SettledRegion& region, const cv::Mat& bgr);

  // Hands may have been anywhere while nobody looked, and may be there still: the next picture's
  // exposure is told from what is in this one as it was known. bgr: CV_8UC3.
  void SuspectHands(const cv::Mat& bgr);
  // Hands are off and nothing is left to settle: where they have been counts as known again.
  void ForgetHands() { under_hand_.setTo(0); }

  // Follows slow drift of light and coding where nothing is new: a quarter of the way to this
  // frame.
  void Follow(const cv::Mat& bgr);

  // The background at full size, CV_8UC3, in its own exposure.
  const cv::Mat& Background() const { return background_; }
  // A region's mask at the picture's own scale, cut to `roi` of it.
  cv::Mat FullMask(const SettledRegion& region, const cv::Rect& roi) const;
  int SettleFrames() const { return settle_frames_; }
  int Scale() const { return scale_; }
  // CV_8UC1 of the watch's own scale: 255 where a hand is now.
  const cv::Mat& HandMask() const { return hand_; }

 private:
  // How much still pictures of this camera differ: a weak channel under a warm lamp flickers far
  // more than the green one, of which the noise is known.
  void LearnFlicker(const cv::Mat& difference);
  void FindComponents(WatchReport& report, FrameId frame);
  // The exposure has been what it is now for as long as a thing must lie still.
  bool ExposureStands() const;
  // Whether an exposure that has jumped is all that has changed, but for new_px of the board.
  bool IsNewExposure(const WatchReport& report, int new_px) const;
  // The background from now on as this frame's exposure shows it.
  void FollowExposure(const cv::Mat& bgr);
  // Whether what lies still at the picture's edge is what an arm has left there that has gone: it
  // was under the arm, of which it is but a part.
  bool LeftByArm(const cv::Mat& labels, int label, int area_px, int still_frames) const;
  bool IsChangeOfLight(const cv::Mat& labels, int label, const cv::Rect& rect) const;

  ChangeDetectorOptions options_;
  TableCamera camera_;
  int scale_ = 1;  // the picture is shrunk by this
  int settle_frames_ = 3;
  int light_frames_ = 15;
  int still_hand_frames_ = 240;
  double px_per_in2_ = 100;  // of the shrunk picture, at the table's middle
  double threshold_ = 12;
  int flicker_ = 255;      // grey levels of the largest hundredth of differences in still pictures
  int flicker_looks_ = 0;  // from how many pictures
  cv::Mat board_;          // CV_8UC1, 255 on the playing area
  cv::Mat background_;     // full size
  cv::Mat small_background_;
  cv::Mat too_bright_;  // CV_8UC1, 255 where that is as bright as can be: how bright is not known
  cv::Mat
      structure_;  // CV_8UC1, 255 where the background has edges that a shifted picture would move
  cv::Mat small_;  // the frame now
  std::deque<cv::Mat> before_;  // the last two
  cv::Mat changed_;
  cv::Mat age_;  // CV_8UC1: frames since this pixel last moved, at most 255
  cv::Mat hand_;
  cv::Mat arm_;     // CV_8UC1: where hands have been since they came in last
  int arm_px_ = 0;  // the largest of them in one frame
  bool arm_in_view_ = false;
  cv::Mat under_hand_;  // where hands have been since the background was known
  cv::Vec3d gain_{1, 1, 1};
  cv::Vec3d steady_gain_{1, 1, 1};  // of the background's time, following slow drift
  std::deque<cv::Vec3d> gains_;     // the last settle_frames_
};

// One sigma of a pixel's noise, grey levels, from two pictures of the same still scene: the median
// absolute difference, which moving things do not touch.
double NoiseOf(const cv::Mat& bgr_a, const cv::Mat& bgr_b);

}  // namespace fos
