// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <opencv2/core.hpp>
#include <utility>
#include <vector>

#include "vision/image/sampled.h"
#include "vision/shots/shot_detector.h"

// How well hypotheses explain the pixels of a change. Light adds linearly, so every hypothesis
// predicts linear light; it is compared with the picture in code values, where the noise is.
namespace fos {

// How far a picture may depart from a right prediction.
struct PixelModel {
  // Neighbouring pixels are not independent: demosaicing, chroma subsampling and the block coding
  // of webcams correlate about 2 x 2 pixels, and their three channels carry about two values.
  double pixels_per_sample = 4;
  double channels_per_sample = 2;
  // How far a real thing's light departs from its flat colour: cotton has shaded flanks and fibres,
  // sticks have grain, paint is uneven. One sigma as a share of the predicted code value.
  double appearance_sigma = 0.07;

  // How many of the values of a picture make one independent sample.
  double SampleSize() const { return pixels_per_sample * 3 / channels_per_sample; }
};
inline constexpr PixelModel kPixelModel;

// Coding leaves the lightest that a picture can show so far below 255.
inline constexpr int kBurntCode = 250;

// The pixels about a change. All log likelihoods are natural logarithms and leave out the same
// constant.
struct ChangeWindow {
  struct Pixel {
    cv::Vec3f before;   // light, 0 to 1
    cv::Vec3f after;    // light
    cv::Vec3f code;     // of `after`, 0 to 255
    cv::Vec3f weight;   // 1 / variance of `after`, in light
    float nothing = 0;  // log likelihood if nothing came, all three channels, values independent
    float change = 0;   // of the channel that changed most, code values
    // Nothing is new there, but something that stands there may hide it: says nothing.
    bool unseen = false;
  };
  cv::Rect rect;  // of the pictures
  std::vector<Pixel> pixels;
  double noise = 2;  // code values, one sigma of after - before where nothing changed

  std::size_t Index(int row, int column) const {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(rect.width) +
           static_cast<std::size_t>(column);
  }
  const Pixel& At(int row, int column) const { return pixels[Index(row, column)]; }
  // The change of every pixel in a picture of its own, CV_32F.
  cv::Mat Change() const;
};
// unseen  CV_8UC1 of the pictures' size, or empty: not 0 where something may hide what lies there;
//         kAnothers where another new thing lies, which says nothing whatever it shows
inline constexpr std::uint8_t kAnothers = 1;
ChangeWindow CutWindow(const ShotPictures& pictures, const cv::Rect& rect, const cv::Mat& unseen,
                       const PixelModel& model = kPixelModel);

// The colour of the light in a place, its channels' mean 1: what the ground there has of each
// channel, of what the ground beside the markers has of their paper's. In the shade of a low sun
// the sky lights it blue, while the camera's white is the sun's. Takes the ground for the same
// everywhere.
cv::Vec3d LampAt(const ChangeWindow& window, ImagePoint at, double about_px,
                 const PaperLight& paper);

// What a hypothesis shows in one pixel: shares of the pixel.
struct PixelParts {
  static constexpr std::size_t kParts = 4;
  int row = 0;
  int column = 0;
  float bare = 1;   // of what was there before and still shows
  float shade = 0;  // of that, in the thing's shadow
  std::array<float, kParts> part{};  // of each of the thing's parts
};
// What is known of a part's light in each channel before the picture is seen: a normal distribution.
struct PartPrior {
  cv::Vec3d mean;
  cv::Vec3d sigma{1, 1, 1};
  double low = 0;   // the light is at least and at most this
  double high = 1.1;  // or kMostBurnt, where the picture is burnt
};
// No camera that shows the ground overexposes cotton by more: two stops.
inline constexpr double kMostBurnt = 4;
// The light of the parts and the depth of the shadow (0: none, 1: black) that explain the pixels
// best, by weighted least squares.
struct PartColours {
  std::array<cv::Vec3d, PixelParts::kParts> part{};
  cv::Vec3d shadow;
};
// Sums over the pixels of a hypothesis, from which its colours follow for any priors. A pixel that
// is as light as the picture can show had that light at least: it says nothing against a part that
// would be lighter (a censored regression; Tobin, 1958). What such a part's light is its blurred
// edge tells.
class ColourSums {
 public:
  ColourSums(const ChangeWindow& window, const std::vector<PixelParts>& parts, double sample_size);
  PartColours Solve(const std::array<PartPrior, PixelParts::kParts>& priors) const;
  // How well a part's light is known then, one sigma.
  cv::Vec3d SigmaOf(std::size_t part,
                    const std::array<PartPrior, PixelParts::kParts>& priors) const;

 private:
  static constexpr int kUnknowns = static_cast<int>(PixelParts::kParts) + 1;
  using Matrix = cv::Matx<double, kUnknowns, kUnknowns>;
  using Vector = cv::Vec<double, kUnknowns>;
  // A pixel as light as the picture can show, in one channel.
  struct Burnt {
    std::array<float, kUnknowns> basis;
    float target;
    float weight;
  };
  struct Solved {
    Matrix normal;
    Vector at;
  };
  Solved SolveChannel(int c, const std::array<PartPrior, PixelParts::kParts>& priors) const;

  std::array<Matrix, 3> normal_;
  std::array<Vector, 3> right_;
  std::array<std::vector<Burnt>, 3> burnt_;
};
// Log likelihood of the pixels under a hypothesis, over that of "nothing came". One independent
// sample is sample_size values.
double LogOverNothing(const ChangeWindow& window, const std::vector<PixelParts>& parts,
                      const PartColours& colours, double sample_size,
                      const PixelModel& model = kPixelModel);

// The same where the camera's coding has blurred the colours: it keeps them at half the resolution
// of the light (4:2:0 of JPEG and of video), so that a yellow thing has a halo.
double LogOverNothingSubsampled(const ChangeWindow& window, const std::vector<PixelParts>& parts,
                                const PartColours& colours, double sample_size,
                                const PixelModel& model = kPixelModel);

// What poses near one pose predict of the pixels that it says something about: code values, each by
// the root of its weight in the log likelihood. Their differences tell the likelihood's curvature.
class WeightedCodes {
 public:
  // parts, colours  of the pose about which others are looked at
  // subsampled      whether colours are blurred as LogOverNothingSubsampled blurs them
  WeightedCodes(const ChangeWindow& window, const std::vector<PixelParts>& parts,
                const PartColours& colours, bool subsampled, double sample_size,
                const PixelModel& model = kPixelModel);
  // Of another pose. Always as many values, in the same order.
  void Of(const std::vector<PixelParts>& parts, const PartColours& colours,
          std::vector<float>& out) const;

 private:
  const ChangeWindow& window_;
  bool subsampled_;
  std::vector<int> index_;         // by pixel of the window; below zero: not looked at
  std::vector<cv::Vec3f> weight_;  // roots
  std::vector<float> nothing_;     // the values if nothing came
};

// The picture that a hypothesis predicts: CV_8UC3, of the window's size. Where it says nothing, the
// picture before; where something may hide what lies there, the picture now.
// subsampled  as LogOverNothingSubsampled blurs colours
cv::Mat PredictedPicture(const ChangeWindow& window, const std::vector<PixelParts>& parts,
                         const PartColours& colours, bool subsampled);

// What other hypotheses make of the change in `near` (CV_8UC1, of the window's size):
// log likelihoods over that of "nothing came", with what their outline and colours take to tell.
struct Alternatives {
  double unknown = 0;  // some thing of five colours and any outline
  double relit = 0;    // the same table in other light within any outline, with soft edges
  double bared = 0;    // what lay there has gone: it looks like the ground about it now
  // By how much the place looked more like the ground about it before than now: below zero where
  // something has gone. Not one of the hypotheses.
  double came = 0;
  double pushed = 0;   // what lay there has been pushed a little; not one of the best
  double changed_px = 0;

  double Best() const { return std::max({unknown, relit, bared, 0.0}); }
  // What a hypothesis of such a log likelihood ratio explains of what the best one does: 1 where it
  // is the best.
  double ShareOf(double over_nothing) const {
    return over_nothing / std::max({Best(), over_nothing, 1.0});
  }
};
// farthest_push_px  how far things are thought to have been pushed; 0: that is not looked at
Alternatives ExplainOtherwise(const ChangeWindow& window, const cv::Mat& near,
                              double farthest_push_px = 0,
                              const PixelModel& model = kPixelModel);

}  // namespace fos
