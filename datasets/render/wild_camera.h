// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <opencv2/core.hpp>

#include "datasets/render/wild_draws.h"

// The optics, sensor, processing and coding of a webcam over a wild table: light adds and blurs in
// linear sRGB; the mosaic of pixels has photon and read noise; the processor sharpens and may
// average frames; the coder halves the chroma and quantizes blocks.
namespace fos {

struct WildOptics {
  double blur_px = 0.6;     // one sigma of the sharp part of the point spread
  double glow_px = 4;       // of the part that scatters
  double glow = 0.05;       // its share of the light
  double fringe = 0;        // red's magnification over green's, less 1; blue's the other way
  double vignette = 0.2;    // share of the light lost at the whole picture's corners
  cv::Point2d axis_px;      // where the lens's axis meets the picture
  double corner_px = 1000;  // from there to the whole picture's corner
  double exposure = 1;      // sensor levels of unit light; 1 is full scale
  std::array<double, 3> white{1, 1, 1};  // gains: blue, green, red
  double drift = 0;                      // of the exposure, peak share
  double white_drift = 0;                // of red against blue, peak share
  double drift_s = 5;                    // their period
  double electrons = 8000;               // of a full pixel: photon noise
  double read_electrons = 4;             // read noise, one sigma
  bool edge_aware = false;               // how the mosaic is interpolated
  double contrast = 0;                   // share of an S-shaped curve in the response
  double saturation = 1;
  double sharpen = 0.5;   // share of what a blur takes away, of the luma
  double sharpen_px = 1;  // that blur, one sigma
  double keeps = 0;       // share of the last frame in this one: temporal denoising
  enum class Coder { kNone, kJpeg, kVideo } coder = Coder::kJpeg;
  int jpeg_quality = 85;
  double video_step = 10;  // quantization step of the transform, grey levels
  int video_refresh = 60;  // frames from one that is coded alone to the next

  const char* CoderName() const;  // for reports: "JPEG"
};

// light: a picture of the table's, from which the exposure and the white balance are taken.
WildOptics DrawOptics(const cv::Mat& light, bool dim, Draws& draws);

// A camera that delivers frame after frame.
class WildCamera {
 public:
  WildCamera(WildOptics optics, std::uint32_t seed);

  const WildOptics& optics() const { return optics_; }
  // The light on the sensor. light: CV_32FC3, linear
  cv::Mat Focused(const cv::Mat& light) const;
  // The next frame, CV_8UC3, of light that Focused returned.
  cv::Mat Next(const cv::Mat& focused, double time_s);

 private:
  cv::Mat Exposed(const cv::Mat& focused, double time_s);  // the mosaic, CV_16UC1
  cv::Mat Processed(const cv::Mat& mosaic);                // CV_32FC3, 0 to 255
  cv::Mat Coded(const cv::Mat& picture);

  WildOptics optics_;
  std::uint32_t seed_;
  std::vector<float> response_;  // grey levels by the sensor's
  int frame_ = 0;
  cv::Mat kept_;                   // the last processed frame
  std::array<cv::Mat, 3> planes_;  // as last decoded: luma, and the chroma at half size
};

}  // namespace fos
