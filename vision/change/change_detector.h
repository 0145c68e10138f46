// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <opencv2/core.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "calibration/camera/table_camera.h"
#include "engine/table/table_frame.h"
#include "vision/change/changed_components.h"
#include "vision/change/light_memory.h"
#include "vision/change/light_steadier.h"
#include "vision/change/picture_pair.h"
#include "vision/change/table_background.h"
#include "vision/image/frame.h"
#include "vision/image/frame_steps.h"
#include "vision/image/free_pictures.h"
#include "vision/image/patch.h"

namespace fos {

struct ChangeDetectorOptions {
  // An object is at rest when nothing in it has moved for this long. The verdict must fall within
  // half a second of the last motion.
  double settle_s = 0.2;
  double least_change = 12;      // grey levels; coding errors of webcams' H.264 stay below
  double noise_factor = 6;       // and this many sigmas of the picture's own noise
  double least_area_in2 = 0.02;  // smaller than any projectile of which a third is in view
  double hand_area_in2 = 3.5;  // a hand with its wrist is larger; no projectile or single stand is
  // An arm comes from outside: it changes at least this much off the playing area or at the
  // picture's edge.
  double arm_area_in2 = 1.0;
  // A slender adult wrist. Nearer the camera it looks wider.
  double wrist_in = 1.8;
  double still_hand_s = 8;  // or 255 frames, to which ages are counted
  double left_s = 0.5;      // what an arm has left there has lain still for so long
  // A change of light that has stood this long is the new normal, and what has lain still in it for
  // as long is no shadow's edge. Who walks past is gone in less; people wait no longer for a
  // verdict.
  double absorb_light_s = 1;
  // What has come is judged within this. What is still there then is drift of the light, as is what
  // came to differ though it has not moved for as long.
  double news_s = 2;
  // An exposure this far from the background's, in any channel, is a lamp or a shade, not drift: a
  // hand in the picture moves a webcam's exposure by a few hundredths.
  double lamp_gain = 0.08;
  // More separate changes than this at once are one change of light: nobody puts down as many
  // objects in a fifth of a second.
  int most_things = 60;
};

// A swab's length, and a little more: the rest of one lies so near to an end that is plain, and a
// thrown object so near to what it pushed over.
inline constexpr double kOneEvent_in = 3.3;

// A changed region that lies still, not under a hand.
struct SettledRegion {
  cv::Mat mask;     // CV_8UC1, at the detector's scale, 255 where it is new; the size of `rect`
  cv::Rect rect;    // at the detector's scale
  TableBox box;     // inches, on the cloth
  FrameId at_rest;  // first frame in which it lies still
  double at_rest_s = 0;  // its time
  double area_in2 = 0;
  bool was_under_hand = false;  // a hand has been over it since the table was last known there
  bool was_unseen = false;  // that is only likely: the table was not seen meanwhile, nor was a hand
  bool on_board = true;     // touches the playing area
};

// What one frame shows.
struct WatchReport {
  bool obstructed = false;       // a hand, an arm, a head is over the playing area
  bool moving = false;           // anything on the playing area moves, hands included
  bool picture_shifted = false;  // most of what has structure is no longer where it was
  bool light_changed = false;    // a lamp was switched or the exposure jumped: not settled yet
  bool by_exposure = false;      // the exposure tells that; else so many changes at once do
  bool new_exposure = false;     // the exposure has settled on a new level and nothing else changed
  std::vector<SettledRegion> settled;
  // Instead of them, where they are more than things that come at once: light, or damage.
  std::vector<SettledRegion> too_many;
  cv::Vec3d gain{1, 1, 1};  // this frame's exposure over the background's, by channel
};

// Change detection against a background, at a scale of about ten pixels an inch. Reports what is
// new and still, and whether hands are in view. Remembers the background and the last pictures.
class ChangeDetector {
 public:
  // picture  the size of the frames. The camera places the playing area in it.
  ChangeDetector(const TableCamera& camera, const TableFrame& frame, cv::Size picture, double fps,
                 ChangeDetectorOptions options = {});

  // Sets the background.
  // bgr    CV_8UC3
  // noise  one sigma of a pixel of one frame, grey levels
  void SetBackground(const cv::Mat& bgr, double noise);
  // Removes from a new background what `known` does not show: hands, and whatever was put down or
  // taken. Takes `known` there instead, so that the next frames show it as a change. Call after
  // SetBackground. False where too much differs to say what is new: only hands are removed then.
  // known  CV_8UC3, of the picture's size: the table as it was, seen by the camera in its new pose
  // seen   CV_8UC1, likewise: 255 where `known` is valid
  bool KeepWhatIsNew(const cv::Mat& known, const cv::Mat& seen);

  // A frame's picture without unsteady light (LightSteadier), or as it is. Call before Look, in
  // order. bgr: CV_8UC3.
  cv::Mat SteadyLight(const cv::Mat& bgr);
  // Bands of light have been taken out of the last such picture.
  bool LightBands() const { return steadier_.Bands(); }
  // Takes one frame. Call in order.
  WatchReport Look(const Frame& frame);
  // A frame shows what the last one did and is not looked at.
  void Skip() { ++skipped_; }
  // Whether frames may be skipped: the background and its flicker are known, the light is steady,
  // and the last frame showed nothing new, beside the board neither.
  bool Settled() const;
  // Takes a settled region into the background.
  void Absorb(const SettledRegion& region, const cv::Mat& bgr);

  // The table was out of sight. Hands may have been wherever this picture differs, and may still be
  // there; anywhere, where the exposure cannot be told. Re-estimates that from the unchanged
  // pixels. bgr: CV_8UC3.
  void SuspectHands(const cv::Mat& bgr);
  // Forgets where hands have been: they are off and nothing is left to settle.
  void ForgetHands() { under_hand_.setTo(0); }
  // Forgets where hands have been, but within an inch of what the last picture shows changed. Call
  // when they are off.
  void ForgetHandsWhereNothingChanged();
  // Hands are there, or what they left has not settled.
  bool SuspectsHands() const { return cv::countNonZero(under_hand_) > 0; }

  // Moves the background a quarter of the way to this frame where nothing is new: follows slow
  // drift of light and coding. Once it has settled, only the parts of the picture that have
  // drifted.
  void Follow(const cv::Mat& bgr);

  // The background at full size, CV_8UC3, in its own exposure.
  const cv::Mat& Background() const { return background_.Full(); }
  // A part of it as it would look in another exposure and in the light that falls in the last frame,
  // where nothing else has changed. What is as bright as a picture can be may be brighter still: in
  // less light it stays as bright, or darkens, as it does in `now`.
  // now   CV_8UC3, of the part's size
  // gain  as WatchReport::gain
  cv::Mat BackgroundAs(const cv::Mat& now, const cv::Rect& part, const cv::Vec3d& gain) const;
  // A region's mask at the picture's own scale, cut to `roi` of it.
  cv::Mat FullMask(const SettledRegion& region, const cv::Rect& roi) const;
  // How many steps (FrameSteps) an object lies still before it is at rest.
  int SettleFrames() const { return settle_frames_; }
  int Scale() const { return scale_; }
  // CV_8UC1 at the detector's scale: 255 where a hand is now.
  const cv::Mat& HandMask() const { return hand_; }

 private:
  // The shrunk frame now beside the background.
  PicturePair Pair() const {
    return {small_, background_.Small(), background_.Gain(), threshold_, px_per_in2_};
  }
  // Learns how much still pictures of this camera differ. A weak channel under a warm lamp flickers
  // far more than the green one, whose noise is known.
  void LearnFlicker(const cv::Mat& difference);
  // Takes other tones of the camera's for the background's, where they have stood for the settling
  // time and explain a change that is seen all over the table. Whether it did.
  bool FollowTones(const cv::Mat& bgr);
  void FindComponents(WatchReport& report);
  // Remembers where arms are and have been, and takes out of `still` what lies at their hands.
  void NoteHands(const cv::Mat& labels, const std::vector<ChangedComponent>& arms,
                 std::vector<ChangedComponent>& still);
  // What lies still, but what moving light or the drift beside what comes may be.
  std::vector<SettledRegion> SettledOf(const cv::Mat& labels,
                                       const std::vector<ChangedComponent>& still) const;
  // What of a change was not seen to come, and lies beside nothing that was.
  cv::Mat Crept(const cv::Mat& changed) const;
  // The components of what has changed, and their numbers (LabelComponents): what came apart from
  // what an edge of light has crept over.
  void LabelChanges(const cv::Mat& changed, cv::Mat& labels, cv::Mat& stats) const;
  // A component as a region on the table, without its mask and area; empty where its rectangle is
  // not on the table plane.
  std::optional<SettledRegion> RegionOf(const ChangedComponent& component) const;
  // The picture that was looked at so many steps ago, or one between two such.
  struct LookedAt {
    std::int64_t step = 0;
    FrameId frame;
    double time_s = 0;
  };
  LookedAt StepsAgo(int steps) const;
  // Whether only the exposure has jumped, apart from new_px of the board.
  bool IsNewExposure(const WatchReport& report, int new_px) const;
  // Whether a still component at the picture's edge was left there by an arm that has gone: it lies
  // where the arm was and is much smaller.
  bool LeftByArm(const cv::Mat& labels, int label, int area_px, int still_frames) const;
  // Whether a large component is an arm: it came from outside, and moves or has not gone.
  bool IsArm(const cv::Mat& labels, const ChangedComponent& component) const;
  // Takes a light that stands for the background's, but where something has come.
  // where  CV_8UC1, of the shrunk picture: 255 where it falls; is written to
  void TakeLight(cv::Mat where);
  // 255 where nothing is new, nor within so much of it; of the shrunk picture.
  void LeaveOutWhatIsNew(double about_in, cv::Mat& same) const;

  ChangeDetectorOptions options_;
  TableCamera camera_;
  LightSteadier steadier_;
  cv::Mat steadied_;  // the last picture that SteadyLight returned
  int scale_;         // how many times the picture is shrunk
  int settle_frames_;
  int left_frames_;
  int light_frames_;
  int still_hand_frames_;
  int news_frames_;
  TableBackground background_;
  LightMemory light_memory_;
  double px_per_in2_ = 100;  // of the shrunk picture, at the table's middle
  double threshold_ = 12;
  int flicker_ = 255;      // grey levels of the largest hundredth of differences in still pictures
  int flicker_looks_ = 0;  // from how many pictures
  cv::Mat board_;          // CV_8UC1, 255 on the playing area
  // CV_8UC1, 255 where the background has edges that a shifted picture would move.
  cv::Mat structure_;
  cv::Mat small_;  // the frame now
  cv::Mat now_;    // the same at full size, while it is looked at
  bool steadying_ = false;  // unsteady light has been taken out of the last picture
  // Written over in every frame.
  cv::Mat same_;
  cv::Mat difference_;
  FreePictures free_;  // for shrunk ones
  // The picture that SteadyLight has shrunk, as far as Look takes the same one; else empty.
  cv::Mat shrunk_of_;
  cv::Mat shrunk_;
  std::vector<cv::Mat> before_;  // the last two that were looked at
  FrameSteps steps_;
  std::deque<LookedAt> looked_at_;  // the last ones, this one too
  cv::Mat changed_;
  cv::Mat changed_before_;  // in the frame before
  cv::Mat crept_;           // CV_8UC1: 255 where a pixel came to differ and was not seen to change
  cv::Mat age_;  // CV_8UC1: steps since this pixel last moved, at most 255
  cv::Mat hand_;
  // What has come and is not judged yet.
  struct Coming {
    cv::Rect about;      // where the rest of it may lie, of the shrunk picture
    bool waits = false;  // it lies still: light that moves beside it holds the verdict up
  };
  std::vector<Coming> coming_;
  // CV_32SC1: how large the largest hand was that has been there since hands came in last.
  cv::Mat arm_px_;
  bool arm_in_view_ = false;
  cv::Mat under_hand_;  // where hands have been since the background was known
  int skipped_ = 0;     // frames since the one that was looked at last
  int frames_ = 1;      // steps from that one to this
};

// One sigma of a pixel's noise, grey levels, from two pictures of the same still scene: from the
// median absolute difference, which small moving objects do not affect.
double NoiseOf(const cv::Mat& bgr_a, const cv::Mat& bgr_b);

}  // namespace fos
