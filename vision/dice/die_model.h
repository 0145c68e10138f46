// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <opencv2/core.hpp>
#include <optional>
#include <span>
#include <vector>

#include "calibration/camera/table_camera.h"
#include "engine/table/vec2.h"
#include "vision/dice/die_pixels.h"
#include "vision/image/point_spread.h"
#include "vision/shots/change_window.h"

// A die as a hypothesis that predicts pixels: a cube of one colour on the ground, flat or tilted,
// with the pips of one number on its upper face, all blurred by the camera. Colours come from the
// picture.
namespace fos {

// The pips of a number on a face of half sides 1, at `off` along both ways: places in units of off.
struct DiePattern {
  int value = 0;  // 0: a blank face
  std::vector<Vec2> pips;
  Vec2 stripe = {};  // instead of pips: the way of a stripe as wide as a pip through the middle
};
// Blank first, then 1 to 6; those that look otherwise after a quarter turn twice.
const std::vector<DiePattern>& DiePatterns();
// Stripes across a face, along a side or a diagonal: what a stick shows.
const std::vector<DiePattern>& StripePatterns();

// What a search may change.
struct DiePose {
  cv::Point2d middle;  // of the cube, pixels of the window
  double yaw_rad = 0;  // of a side of the upper face; table frame
  double side_in = 0.58;
  double tilt_rad = 0;       // of the upper face: 0 lies flat
  double tilt_way_rad = 0;   // where the upper face looks down to; table frame
  double pip_radius = 0.19;  // shares of half a side
  double pip_off = 0.5;
  double psf_px = 0.8;
  double rim = 0.15;   // width of the rounded edge, of half a side
  double round = 0.2;  // corner radius, of half a side: 1 is a disc, which is no die
};

// What is known of dice before the picture is seen.
struct DiePriors {
  // Sides of 10 to 19 mm; sets for children and casinos lie outside.
  double side_in = 0.57;
  double side_sigma = 0.16;  // of its logarithm
  // Wider than any: what grows to the end of it is something larger.
  double side_range_in[2] = {0.36, 0.88};
  double pip_radius = 0.19;
  double pip_radius_sigma = 0.035;
  double first_pip_radius_sigma = 0.09;  // the single pip is larger on some dice
  double pip_off = 0.5;
  double pip_off_sigma = 0.07;
  double rim = 0.15;
  double rim_sigma = 0.08;
};
inline constexpr DiePriors kDiePriors;

// Compares poses with the pixels of one window.
class DieModel : public DiePixels {
 public:
  // level_in  height of what the dice lie on; the rest as DiePixels has it
  DieModel(const ChangeWindow& window, const TableCamera& camera, Vec2 at, double level_in,
           const PointSpread& blur);

  struct Colours {
    // Light, in the middle of the upper face. Where it fills the sensor, the picture tells only by
    // what its blur leaves of the pips how far it lies beyond 1.
    cv::Vec3d body;
    cv::Vec3d along_u;  // how it grows along the face's sides: lamps and glints
    cv::Vec3d along_v;
    cv::Vec3d pips;
    std::array<cv::Vec3d, 2> sides;
    std::array<cv::Vec3d, 4> rims;  // the rounded edges of the upper face, each lit its own way
  };
  struct Evaluation {
    double score = -1e18;  // log likelihood over "no die", and log prior
    // For comparing poses: as score, but for the pattern that pips leave on the upper face instead
    // of that which they explain. A face that is too large has the ground in its corners: much
    // pattern that pips there explain, and more that they leave.
    double of_pose = -1e18;
    double pixels = 0;   // independent samples under its outline
    double by_body = 0;  // of the score, what comes from beside the pips
    double misfit = 0;   // mean square of the pixels' residuals on its upper face, in sigmas
    double pips = 0;     // of the score, what the pips explain of the upper face's pattern
    double left = 0;     // nats that the pattern which they leave would need
    Colours colours;
  };
  // stride: every so many pixels, for a quick look
  Evaluation Evaluate(const DiePose& pose, const DiePattern& pattern, int stride = 1) const;

  // The log odds that the places of a pip on the upper face show the pattern, over the likeliest
  // that differs from it at one place or two: spots that are no pips differ in strength, and what
  // is part of a larger number shows others.
  // source  linear least squares of all nine places with their joint covariance, against what the
  //         pattern's pips do together
  double PlacesShow(const DiePose& pose, const DiePattern& pattern) const;

  // From now on the pixels under this die are explained by it: another one there must do better.
  void Own(const DiePose& pose, const DiePattern& pattern);
  // What one die explains of each pixel over "no die", whatever explains them now; returns what its
  // pips and prior add.
  struct PixelGain {
    std::size_t pixel = 0;
    float nats = 0;
  };
  double Gains(const DiePose& pose, const DiePattern& pattern, std::vector<PixelGain>& out) const;
  std::size_t PixelCount() const { return pixels_.size(); }

  // No die explains anything again.
  void Disown();

  // The log likelihood over "no die" of some thing of five colours and any outline that covers the
  // same pixels as the die.
  double UnknownThing(const DiePose& pose) const;

  // The log likelihood over "no die" of the ground that lay there before in a light that changes
  // evenly over what the die would cover: in a shadow its spots are where they were. What the
  // ground's pattern explains of the upper face counts as a die's pips do.
  double RelitGround(const DiePose& pose) const;

  // The log likelihood over "no die" of a cast shadow with any outline over what the die would
  // cover: every pixel shows what lay there before, in a light between all of it and that of the
  // darkest place there; most shadows know few depths. Its edges may look like pips, and count as
  // they do.
  double CastShadow(const DiePose& pose, const DiePattern& pattern) const;

  // By how much the picture changed on its upper face, or on its pips where that is more: means of
  // the channel that changed most, code values. A die may have the colour of the ground.
  double ChangeOn(const DiePose& pose, const DiePattern& pattern) const;
  double BodyChangeOn(const DiePose& pose, const DiePattern& pattern) const;

  // Moves a pose by so many pixels in one of its ways: 0 to 3 place, yaw and size; 4 and 5 tilt;
  // 6 to 9 pips, blur and rim.
  static constexpr std::array<std::size_t, 4> kPlaceWays{0, 1, 2, 3};
  static constexpr std::array<std::size_t, 6> kTiltWays{0, 1, 2, 3, 4, 5};
  static constexpr std::array<std::size_t, 6> kPipWays{0, 1, 2, 3, 6, 7};
  static constexpr std::array<std::size_t, 8> kFlatWays{0, 1, 2, 3, 6, 7, 8, 9};
  static constexpr std::array<std::size_t, 10> kAllWays{0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  DiePose Moved(DiePose pose, std::size_t way, double by_px) const;

  // Half of the height of the cube so tilted, inches.
  static double HalfHeight(const DiePose& pose);
  // The upper face: its middle and half its sides, pixels of the window.
  struct UpperFace {
    cv::Point2d centre;
    cv::Point2d u;
    cv::Point2d v;
  };
  UpperFace Upper(const DiePose& pose) const;
  // The corners of the upper face, pixels of the window.
  std::array<cv::Point2d, 4> TopCorners(const DiePose& pose) const;
  // What the die covers, with its sides: CV_8UC1 of the window's size, 255 where it is.
  cv::Mat Covered(const DiePose& pose) const;

 private:
  struct Sample {
    int pixel = 0;
    float top = 0;
    float pip = 0;
    float rim = 0;
    float u = 0;  // on the upper face, in half sides
    float v = 0;
    std::uint8_t edge = 0;  // whose rim
    std::array<float, 2> side{};
  };
  // The luma and chroma of the parts' colours.
  struct Codes {
    cv::Vec3f body, pips;
    std::array<cv::Vec3f, 2> sides;
    std::array<cv::Vec3f, 4> rims;
    cv::Vec3d range;  // how far they lie apart, and from the ground: of luma, and of chroma
  };
  Codes CodesOfAll(const Colours& colours) const;
  void Cover(const DiePose& pose, const DiePattern& pattern, int stride,
             std::vector<Sample>& out) const;
  Colours Fit(const std::vector<Sample>& samples) const;
  // Sets how far the light of a body that fills the sensor lies beyond what it holds.
  void FitBeyondFull(const std::vector<Sample>& samples, Colours& colours) const;
  double LogPixel(const Sample& s, const Colours& colours, const Codes& codes,
                  double& square) const;
  double Prior(const DiePose& pose, const DiePattern& pattern) const;
  struct FacePlaces;
  FacePlaces PlacesOf(const DiePose& pose, const DiePattern& pattern, const Colours& colours) const;
  struct FaceFit {
    double explained = 0;  // nats by which the pips explain the face's pattern
    double left = 0;       // nats that the pattern they leave would need
    // Likewise, were there as many samples on every face: a small one has fewer to explain.
    double left_at_usual_size = 0;
  };
  FaceFit FitFace(const std::vector<Sample>& samples, const Colours& colours, int stride) const;
  // What is left of each channel's light in the darkest of some pixels, if no channel has gained.
  std::optional<cv::Vec3d> UmbraOf(std::vector<std::size_t> covered) const;
  // From light to umbra, in steps as small as a coder leaves at an edge.
  static constexpr std::size_t kDepths = 13;
  using ByDepth = std::array<double, kDepths>;
  // The log likelihood of a pixel as the ground that lay there, by how deep in shade it lies.
  ByDepth LogShaded(std::size_t pixel, const cv::Vec3d& umbra) const;
  cv::Matx33d Turned(const DiePose& pose) const;

  PointSpread blur_;
  mutable std::vector<Sample> samples_;
};

}  // namespace fos
