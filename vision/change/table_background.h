// SPDX-License-Identifier: MIT
#pragma once

#include <opencv2/core.hpp>
#include <vector>

#include "vision/change/other_exposure.h"

namespace fos {

// The table's picture with nothing new in it, at full size and shrunk, and the exposure of the
// frames over it. Both sizes show the same, but for SetSmall.
class TableBackground {
 public:
  // scale          how many times the frames are shrunk
  // settle_frames  an exposure that has been constant for so many frames stands
  // lamp_gain      an exposure this far from the usual one, in any channel, is a lamp or a shade
  TableBackground(int scale, int settle_frames, double lamp_gain)
      : scale_(scale), settle_frames_(settle_frames), lamp_gain_(lamp_gain) {}

  // CV_8UC3, in its own exposure; empty before the first Set.
  const cv::Mat& Full() const { return full_; }
  const cv::Mat& Small() const { return small_; }
  // CV_8UC1, 255 where the shrunk one is as bright as it can be.
  const cv::Mat& Saturated() const { return too_bright_; }
  // The exposure of the last frame over the background's, by channel, and its slow mean.
  const cv::Vec3d& Gain() const { return gain_; }
  const cv::Vec3d& SteadyGain() const { return steady_gain_; }
  // It follows nowhere but where the picture drifts.
  bool Settled() const { return unsettled_follows_ == 0; }

  // Takes a picture. bgr: CV_8UC3.
  void Set(const cv::Mat& bgr);
  // Compares the next frames with another shrunk picture, whose pixels are then shared.
  void SetSmall(const cv::Mat& small) { small_ = small; }

  // Measures a frame's exposure. Whether it has jumped from the usual one.
  // now    CV_8UC3, the shrunk frame
  // same   CV_8UC1, not 0 where nothing is new; empty: everywhere
  // steps  since the frame that was looked at last
  bool MeasureExposure(const cv::Mat& now, const cv::Mat& same, int steps);
  // Whether the exposure has been constant for the settling time.
  bool ExposureStands() const;
  // The shrunk background in this frame's exposure, and in the steady one. CV_8UC3, written over by
  // the next such call. now: the shrunk frame.
  const cv::Mat& SmallAs(const cv::Mat& now);
  const cv::Mat& SmallInSteadyLight();

  // Converts the background to a frame's exposure.
  // bgr, now  CV_8UC3, the frame at full size and shrunk
  void FollowExposure(const cv::Mat& bgr, const cv::Mat& now);
  // Converts it to other tones of the camera's that stand. now: the shrunk frame, at full size bgr.
  void FollowTones(const ToneChange& tones, const cv::Mat& bgr, const cv::Mat& now);
  // Moves the background a quarter of the way to a frame where nothing is new. Once it has settled,
  // only the parts of the picture that have drifted.
  // bgr, now  as above
  // same      CV_8UC1, shrunk: 255 where nothing is new
  void Follow(const cv::Mat& bgr, const cv::Mat& now, const cv::Mat& same);
  // Takes a part of a picture for the background's. bgr: CV_8UC3, full size.
  // about  of the shrunk picture; where  CV_8UC1, of its size
  void TakePicture(const cv::Mat& bgr, const cv::Rect& about, const cv::Mat& where);
  // Takes the light of now for the background's, where `where` (CV_8UC1, shrunk) is.
  // bgr, now   as above; the first may be empty: then edges are no sharper than a mean
  // threshold  grey levels by which what is new differs
  void TakeLight(const cv::Mat& bgr, const cv::Mat& now, const cv::Mat& where, double threshold);
  // Takes `known`, in the light of now, for the background where `where` (CV_8UC1, shrunk) is.
  // known  CV_8UC3, full size
  void TakeKnown(const cv::Mat& known, const cv::Mat& where);

 private:
  // It is in the exposure of now, and is one frame's.
  void Renew();
  // The parts of the shrunk picture that have drifted from the background where nothing is new.
  std::vector<cv::Rect> DriftedTiles(const cv::Mat& now, const cv::Mat& same);

  int scale_;
  int settle_frames_;
  double lamp_gain_;
  cv::Mat full_;
  cv::Mat small_;
  cv::Mat too_bright_;
  int unsettled_follows_ = 0;  // how often it still follows everywhere
  cv::Vec3d gain_{1, 1, 1};
  cv::Vec3d steady_gain_{1, 1, 1};  // of the background's time, following slow drift
  std::vector<cv::Vec3d> gains_;    // the last settle_frames_
  // Written over.
  cv::Mat lit_;
  cv::Mat difference_;
  cv::Mat off_;  // CV_32FC3
};

}  // namespace fos
