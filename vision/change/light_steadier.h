// SPDX-License-Identifier: MIT
#pragma once

#include <deque>
#include <opencv2/core.hpp>
#include <optional>

namespace fos {

// Takes unsteady light out of pictures: an exposure or a white balance that hunts, a lamp that
// pulses, and the bands that mains lamps leave on a rolling shutter. All of them multiply whole
// rows of a picture, channel by channel. Light that stands, and light that falls on a part of the
// table, is left as it is. Remembers the light of the last half second.
class LightSteadier {
 public:
  // fps  of the pictures
  explicit LightSteadier(double fps);

  // The rows' gains over the known picture in this one, CV_32FC3, a row for each of `now`: set
  // while the light is unsteady and the gains explain the picture.
  // now, known  CV_8UC3, of one size: shrunk pictures
  // unchanged   CV_8UC1, 255 where nothing is new
  // threshold   grey levels by which pixels differ that show something else
  // frames      since the picture that was looked at last: more than one where some were left out
  std::optional<cv::Mat> GainsOf(const cv::Mat& now, const cv::Mat& known, const cv::Mat& unchanged,
                                 double threshold, int frames = 1);
  // The picture in the light of the known one. A pixel that is cut off above is at least as bright
  // as that: it is taken for as bright as it was before, if that is brighter. So what is white
  // looks alike in dark pictures and in bright ones. bgr, before  CV_8UC3, of one size: whole
  // pictures; the second in the light of the known one gains        as above
  static cv::Mat Steadied(const cv::Mat& bgr, const cv::Mat& before, const cv::Mat& gains);

  // Bands have been taken out of the last picture.
  bool Bands() const { return bands_; }

 private:
  struct Past {
    cv::Mat gains;   // of its rows
    int frames_ago;  // before the picture that was looked at last
  };

  int remembered_;         // frames
  std::deque<Past> last_;  // the pictures of those that were looked at
  bool bands_ = false;
};

}  // namespace fos
