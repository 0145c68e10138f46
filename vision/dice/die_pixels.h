// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <opencv2/core.hpp>
#include <optional>
#include <vector>

#include "calibration/camera/table_camera.h"
#include "engine/table/vec2.h"
#include "vision/image/sampled.h"
#include "vision/scene/terrain_map.h"
#include "vision/shots/change_window.h"
#include "vision/shots/shot_detector.h"

// What all models of dice compare their predictions with: the pixels of one window, as luma and
// chroma, and how likely each is where no die lies. Cameras code chroma at half the resolution,
// which washes out a pip or a numeral but leaves its luma.
namespace fos {

// How much a die's picture may depart from a right prediction, beside noise.
struct DieAppearance {
  double uneven = 0.02;         // share of the code value, one sigma: wear, glints
  double uneven_aside = 0.08;   // of sides and rounded edges, whose shading is not modelled
  double uneven_ground = 0.03;  // of ground in shadow
  double tinted = 0.03;         // likewise of chroma
  // Share of the contrast within a pixel: outlines and blur are not quite so.
  double at_edges = 0.1;
  double chroma_at_edges = 0.3;  // coded at half the resolution
  // Shares of the largest contrast between the parts: sharpening and coding leave fringes.
  double fringes = 0.02;
  double chroma_fringes = 0.09;
  double coding = 3;  // code values: what coding changes about a new thing
};
inline constexpr DieAppearance kDieLooks;

// Of luma and chroma. Demosaicing and sharpening correlate the luma of neighbours, coding the
// chroma of 2 x 2.
inline constexpr std::array<double, 3> kPixelsPerSample{2.5, 8, 8};

// Blue, green, red code values as luma, and blue and red less luma (BT.601).
inline cv::Vec3f LumaChroma(const cv::Vec3f& bgr) {
  const float luma = 0.114F * bgr[0] + 0.587F * bgr[1] + 0.299F * bgr[2];
  return {luma, bgr[0] - luma, bgr[2] - luma};
}
// What a sensor holds of some light.
inline cv::Vec3d HeldLight(const cv::Vec3d& light) {
  return {std::min(light[0], 1.0), std::min(light[1], 1.0), std::min(light[2], 1.0)};
}
// The luma and chroma of some light.
inline cv::Vec3f CodesOf(const cv::Vec3d& light) {
  const cv::Vec3d held = HeldLight(light);
  return LumaChroma({static_cast<float>(CodeOfLight(held[0])),
                     static_cast<float>(CodeOfLight(held[1])),
                     static_cast<float>(CodeOfLight(held[2]))});
}

// A full sensor hides how bright a thing was, by up to these factors.
inline constexpr std::array<double, 4> kBeyondFull{1, 1.25, 1.6, 2.1};
inline constexpr float kFull = 0.93F;  // light; demosaicing and coding leave a little less than 1

// A lamp's shadow is lit by the sky and the room: under a warm lamp it is bluer than what lies in
// the light. By how much its blue is more and its red less, as a share.
inline constexpr std::array<double, 5> kTints{0, 0.15, 0.3, 0.45, -0.15};
inline cv::Vec3d TintOf(double tint) { return {1 + tint, 1, 1 - tint}; }

inline double ChanceOfOdds(double nats) {
  return 1 / (1 + std::exp(-std::clamp(nats, -500.0, 500.0)));
}

// As files and windows name it.
Colour ColourOf(const cv::Vec3d& light);

// Log likelihood by Student's t with four degrees of freedom, of three independent values.
// square  grows by their mean square, in sigmas
double LogDieNoise(const cv::Vec3f& off, const cv::Vec3d& variance, double& square);

// A part of the pictures in which dice on a part of the table are seen, cut out for all kinds of
// them.
struct DicePart {
  Vec2 middle;          // of that part of the table
  double level_in = 0;  // of the ground there
  ChangeWindow window;
};
// Empty where that part of the table is out of the picture.
std::optional<DicePart> PartWithDice(const ShotPictures& pictures, const TerrainMap& terrain,
                                     const TableBox& where);

// The pixels that changed, as far as the change detector saw something there too: CV_8UC1.
cv::Mat ChangedPixels(const ChangeWindow& window, const ShotPictures& pictures, double ppi);

// Places about which most has changed, or lies within what has: a face of the ground's colour
// changes at its marks, its edges and its shadow. Pixels.
// reach_px  of a small die's face, from its middle
// gap_px    how far apart its marks and edges may be
// step_px   from place to place
std::vector<cv::Point2d> ChangedPlaces(const cv::Mat& changed, int reach_px, int gap_px,
                                       double step_px);

class DiePixels {
 public:
  // camera     of the pictures that the window was cut from
  // at         somewhere on the table in the window: perspective is linear about it
  // height_in  of the dice's middles above the table
  DiePixels(const ChangeWindow& window, const TableCamera& camera, Vec2 at, double height_in);

  double PixelsPerInch() const { return ppi_; }
  // What is seen now, as luma and as blue and red less luma, code values: CV_32FC3.
  cv::Mat SeenLumaChroma() const;

 protected:
  struct PixelData {
    cv::Vec3f seen;        // luma, and blue and red less luma, code values
    cv::Vec3f before;      // likewise
    float no_die = 0;      // log likelihood
    float own_before = 0;  // of that, what was set at the start
  };

  const ChangeWindow& window_;
  double noise_ = 0;  // of a code value, and of coding: a variance
  cv::Matx<double, 2, 3> pixel_from_inch_;
  cv::Vec3d towards_camera_;
  double ppi_ = 24;
  cv::Vec3f ground_;           // the median of what was there before
  cv::Vec3d shadow_{1, 1, 1};  // the colour of shadows, of the light that falls beside them
  std::vector<PixelData> pixels_;

 private:
  double TintOfShadows() const;
  void SetUndisturbed(const ChangeWindow::Pixel& p, PixelData& d) const;
};

}  // namespace fos
