// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <opencv2/core.hpp>
#include <vector>

#include "vision/dice/die_pixels.h"
#include "vision/image/point_spread.h"

// A twelve-sided die as a hypothesis that predicts pixels: a regular dodecahedron that lies on a
// face, each face of one colour, with a number on the upper one, all blurred by the camera. Colours
// come from the picture.
namespace fos {

struct TwelvePose {
  cv::Point2d middle;      // of the die, pixels of the window
  double yaw_rad = 0;      // of a corner of the upper face; table frame
  double across_in = 0.7;  // between opposite faces
  double psf_px = 0.8;
};

struct TwelvePriors {
  // 15 to 22 mm; most have 18.
  double across_in = 0.71;
  double across_sigma = 0.13;  // of its logarithm
  double across_range_in[2] = {0.52, 0.98};
};
inline constexpr TwelvePriors kTwelvePriors;

class TwelveModel : public DiePixels {
 public:
  // level_in  height of what the dice lie on; the rest as DiePixels has it
  TwelveModel(const ChangeWindow& window, const TableCamera& camera, Vec2 at, double level_in,
              const PointSpread& blur);

  // The log likelihood over "no die", and log prior.
  // stride  every so many pixels, for a quick look
  double Evaluate(const TwelvePose& pose, int stride = 1) const;

  // How well each number explains the upper face over a blank one.
  struct Numbers {
    std::array<double, 12> nats{};  // of the likeliest form of each; [0] is that of a one
    std::array<double, 12> p{};     // given that it shows one of them
    double best = 0;                // nats of the likeliest
    double explained = 0;           // share of the face's pattern in luma that it explains
    double height = 0;              // of its digits, of the face's edge
    double off = 0;                 // how far it lies from the face's middle, of the face's edge
    double pixels = 0;              // of the face
  };
  Numbers Read(const TwelvePose& pose) const;

  // From now on the pixels under this die are explained by it.
  void Own(const TwelvePose& pose);

  // Moves a pose by so many pixels in one of its ways: place, yaw, size and blur.
  static constexpr std::size_t kWays = 5;
  TwelvePose Moved(TwelvePose pose, std::size_t way, double by_px) const;

  // The corners of the upper face, and the outline of all: pixels of the window.
  std::vector<cv::Point2d> TopCorners(const TwelvePose& pose) const;
  std::vector<cv::Point2d> Outline(const TwelvePose& pose) const;
  // How bright the upper face is, light.
  cv::Vec3d TopLight(const TwelvePose& pose) const;

 private:
  static constexpr std::size_t kParts = 11;  // all faces but the lowest, the upper one first
  struct Sample {
    int pixel = 0;
    float all = 0;  // share that the die covers
    std::array<float, kParts> part{};
  };
  std::vector<Sample> Cover(const TwelvePose& pose, int stride) const;
  using Colours = std::array<cv::Vec3d, kParts>;
  Colours Fit(const std::vector<Sample>& samples) const;
  double LogPixel(const Sample& s, const Colours& colours) const;
  double Prior(const TwelvePose& pose) const;

  PointSpread blur_;
};

}  // namespace fos
