// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <opencv2/core.hpp>
#include <optional>

namespace fos {

// From here on a picture is as bright as it can be: coding and shrinking take some levels off 255.
inline constexpr double kCutOff = 250;

// CV_8UC1, 255 where a picture is as bright as it can be, and beside it. bgr: CV_8UC3.
cv::Mat TooBright(const cv::Mat& bgr);

// CV_8UC3, 255 in each channel that is as bright as it can be. bgr: CV_8UC3.
cv::Mat BurntChannels(const cv::Mat& bgr);

// A level of 8 bits in another exposure, as LightAs has it.
inline double InLight(double known, double gain, double now) {
  const double lit = known * gain;
  return known >= kCutOff && gain < 1 ? std::clamp(now, lit, known) : lit;
}

// A known picture as it would look in another exposure. What is as bright as a picture can be may
// be brighter still: in less light it stays as bright, or darkens, as it does in `now`.
// now, known  CV_8UC3, of one size
// gain        that exposure over the known picture's, by channel
// out         CV_8UC3; written over where it has the size already
void LightAs(const cv::Mat& now, const cv::Mat& known, const cv::Vec3d& gain, cv::Mat& out);

// How a camera shows now what it showed before, where more than the exposure has changed: the tone
// curve, the range of levels, the contrast, or how strong the colours are. Webcams and recorders
// switch these as they run.
class ToneChange {
 public:
  // Fits a smooth curve for each channel and shares of the other two, by least squares that leave
  // out what differs from most (Tukey's biweight). Empty where one gain explains the pictures about
  // as well, and where little explains them.
  // now, known  CV_8UC3, of one size
  // gain        the exposure of the first over the second's, by channel
  // where       CV_8UC1, not 0 where both show the table, most of it unchanged
  // threshold   grey levels by which pixels differ that show something else
  // source      Beaton and Tukey, Technometrics 16 (1974), 147
  static std::optional<ToneChange> Between(const cv::Mat& now, const cv::Mat& known,
                                           const cv::Vec3d& gain, const cv::Mat& where,
                                           double threshold);

  // The known picture, or one of another size, in the tones of now. CV_8UC3.
  cv::Mat InTonesOfNow(const cv::Mat& known) const;

 private:
  // What one channel shows now: curve[own level] and shares of the others' levels.
  struct Channel {
    std::array<float, 256> curve{};
    cv::Vec3f shares{0, 0, 0};
  };
  std::array<Channel, 3> channels_;
};

}  // namespace fos
