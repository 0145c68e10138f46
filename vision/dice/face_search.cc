// SPDX-License-Identifier: MIT
#include "vision/dice/face_search.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include "calibration/camera/bilinear.h"
#include "vision/shots/pattern_search.h"

namespace fos {
namespace {

using std::numbers::pi;

constexpr int kAcross = 9;  // samples along a side of the face
constexpr int kFaceSamples = kAcross * kAcross;
constexpr double kFaceReach = 0.8;  // of half a side: inside the rounded edges
using FaceTemplate = std::array<float, kFaceSamples>;

// u and v of the samples, in half sides.
float SampleAt(int i) { return static_cast<float>(kFaceReach * (2.0 * i / (kAcross - 1) - 1)); }

// What a constant and slopes along u and v leave of a face.
struct Level {
  float mean = 0;
  float square = 0;  // sum of squares of what is left
};
Level TakeOutPlane(FaceTemplate& t) {
  Level out;
  float along_u = 0;
  float along_v = 0;
  float square_u = 0;
  for (int i = 0; i < kAcross; ++i) square_u += SampleAt(i) * SampleAt(i) * kAcross;
  for (int row = 0; row < kAcross; ++row) {
    for (int column = 0; column < kAcross; ++column) {
      const float value = t[static_cast<std::size_t>(row * kAcross + column)];
      out.mean += value;
      along_u += value * SampleAt(column);
      along_v += value * SampleAt(row);
    }
  }
  out.mean /= kFaceSamples;
  along_u /= square_u;
  along_v /= square_u;
  for (int row = 0; row < kAcross; ++row) {
    for (int column = 0; column < kAcross; ++column) {
      float& value = t[static_cast<std::size_t>(row * kAcross + column)];
      value -= out.mean + along_u * SampleAt(column) + along_v * SampleAt(row);
      out.square += value * value;
    }
  }
  return out;
}

// What the pips of every pattern but the blank one add to a face, whatever their colour.
// blur  of the picture, in half sides
std::vector<FaceTemplate> TemplatesFor(double blur) {
  std::vector<FaceTemplate> out;
  // A disc of radius r spreads like r / 2 either way.
  const double spread = blur * blur + kDiePriors.pip_radius * kDiePriors.pip_radius / 4;
  for (std::size_t i = 1; i < DiePatterns().size(); ++i) {
    FaceTemplate t{};
    for (int row = 0; row < kAcross; ++row) {
      for (int column = 0; column < kAcross; ++column) {
        double sum = 0;
        for (const Vec2 pip : DiePatterns()[i].pips) {
          const double du = SampleAt(column) - kDiePriors.pip_off * pip.x;
          const double dv = SampleAt(row) - kDiePriors.pip_off * pip.y;
          sum += std::exp(-0.5 * (du * du + dv * dv) / spread);
        }
        t[static_cast<std::size_t>(row * kAcross + column)] = static_cast<float>(sum);
      }
    }
    const float length = std::sqrt(std::max(TakeOutPlane(t).square, 1e-9F));
    for (float& value : t) value /= length;
    out.push_back(t);
  }
  return out;
}

// What one face shows: luma and chroma without their mean and slopes.
struct FaceLook {
  std::array<FaceTemplate, 3> seen;
  std::array<double, 3> square{};  // sums of squares
  double luma = 0;                 // mean
  bool burnt = false;              // most of it fills the sensor
};

bool LookAt(const cv::Mat& picture, const DieModel::UpperFace& face, FaceLook& out) {
  int burnt = 0;
  for (int row = 0; row < kAcross; ++row) {
    for (int column = 0; column < kAcross; ++column) {
      const cv::Point2d at =
          face.centre + double{SampleAt(column)} * face.u + double{SampleAt(row)} * face.v;
      const auto seen =
          BilinearAt<cv::Vec3f>(picture, at.x, at.y, [](float value) { return value; });
      if (!seen) return false;
      const auto n = static_cast<std::size_t>(row * kAcross + column);
      for (std::size_t c = 0; c < 3; ++c) out.seen[c][n] = (*seen)[static_cast<int>(c)];
      burnt += (*seen)[0] >= kBurntCode ? 1 : 0;
    }
  }
  out.burnt = 2 * burnt > kFaceSamples;
  for (std::size_t c = 0; c < 3; ++c) {
    const Level level = TakeOutPlane(out.seen[c]);
    out.square[c] = level.square;
    if (c == 0) out.luma = level.mean;
  }
  return true;
}

constexpr std::array<double, 4> kFaceSides_in{0.42, 0.5, 0.59, 0.7};

// How much better a face with pips explains a picture than one without.
class FaceScore {
 public:
  FaceScore(const DieModel& model, double psf_px)
      : model_(model), picture_(model.SeenLumaChroma()) {
    for (std::size_t s = 0; s < kFaceSides_in.size(); ++s)
      templates_[s] = TemplatesFor(psf_px / (0.5 * kFaceSides_in[s] * model.PixelsPerInch()));
  }

  // Looks at one pose; false where it reaches out of the picture.
  bool Look(const DiePose& pose) {
    const auto nearest =
        std::min_element(kFaceSides_in.begin(), kFaceSides_in.end(), [&](double a, double b) {
          return std::abs(a - pose.side_in) < std::abs(b - pose.side_in);
        });
    at_size_ = &templates_[static_cast<std::size_t>(nearest - kFaceSides_in.begin())];
    // As many samples for each size: a large face about the edges of several things has more of
    // them than a die's, but no more of what it shows is pips.
    const double side_px = kDiePriors.side_in * model_.PixelsPerInch();
    const double unusual = std::log(pose.side_in / kDiePriors.side_in) / kDiePriors.side_sigma;
    prior_ = -0.5 * unusual * unusual;
    samples_ = side_px * side_px * kFaceReach * kFaceReach / kPixelModel.SampleSize();
    return LookAt(picture_, model_.Upper(pose), look_);
  }
  // Of pips that leave nothing unexplained there, nats.
  double AtBest() const {
    double out = 0;
    for (std::size_t c = 0; c < 3; ++c)
      out += kWeights[c] * 0.5 * samples_ * std::log((look_.square[c] + Floor()) / Floor());
    return out;
  }
  // Of a pattern but the blank one at the pose looked at, nats.
  double Of(std::size_t pattern) const {
    const double floor = Floor();
    const FaceTemplate& t = (*at_size_)[pattern - 1];
    double out = prior_;
    for (std::size_t c = 0; c < 3; ++c) {
      float sum = 0;
      for (std::size_t n = 0; n < t.size(); ++n) sum += t[n] * look_.seen[c][n];
      const double left = std::max(look_.square[c] - double{sum} * sum, 0.0);
      out += kWeights[c] * 0.5 * samples_ *
             (std::log((look_.square[c] + floor) / (left + floor)) -
              kOtherwise * look_.square[c] / (look_.square[c] + floor));
    }
    return out;
  }

 private:
  // Chroma is coded at half the resolution.
  static constexpr std::array<double, 3> kWeights{1, 0.5, 0.5};

  // Nats a sample that another cause than pips would explain of a strong pattern: pips that explain
  // less than a fifth of it are not its cause, as e^-0.2 is 0.82. A large face about the edges of
  // several things has some pattern too.
  static constexpr double kOtherwise = 0.2;

  // What a face shows beside pips: noise, coding, wear and streaks. A full sensor shows no wear.
  double Floor() const {
    constexpr double kUneven = 0.03;
    constexpr double kCoding = 3;
    const double uneven = look_.burnt ? 0 : kUneven * look_.luma;
    return kFaceSamples * (kCoding * kCoding + uneven * uneven);
  }

  const DieModel& model_;
  cv::Mat picture_;
  std::array<std::vector<FaceTemplate>, kFaceSides_in.size()> templates_;
  const std::vector<FaceTemplate>* at_size_ = nullptr;
  double samples_ = 0;
  double prior_ = 0;
  FaceLook look_;
};

// The best of each number about each place.
std::vector<FaceProposal> FacesAbout(const DieModel& model, FaceScore& score,
                                     const std::vector<cv::Point2d>& places, double psf_px) {
  constexpr int kTurns = 6;
  std::vector<FaceProposal> out;
  DiePose pose;
  pose.psf_px = psf_px;
  for (const cv::Point2d& place : places) {
    std::array<FaceProposal, 7> best;
    for (const double side : kFaceSides_in) {
      pose.side_in = side;
      for (int turn = 0; turn < kTurns; ++turn) {
        pose.yaw_rad = turn * pi / (2 * kTurns);
        pose.middle = {};
        pose.middle = place - model.Upper(pose).centre;
        constexpr double kLeast = 1;  // nats: what shows less is refused later
        if (!score.Look(pose) || score.AtBest() < kLeast) continue;
        for (std::size_t i = 1; i < DiePatterns().size(); ++i) {
          FaceProposal& of = best[static_cast<std::size_t>(DiePatterns()[i].value)];
          const double now = score.Of(i);
          if (now > of.score) of = {pose, i, now};
        }
      }
    }
    for (const FaceProposal& one : best)
      if (one.pattern > 0) out.push_back(one);
  }
  return out;
}

// The best first; few of one place: a five contains a three, and no number twice.
std::vector<FaceProposal> FewOfEachPlace(std::vector<FaceProposal> all, double ppi,
                                         int of_one_place, std::size_t most) {
  constexpr double kOnePlace_in = 0.2;
  constexpr double kSame_in = 0.1;
  std::sort(all.begin(), all.end(),
            [](const FaceProposal& a, const FaceProposal& b) { return a.score > b.score; });
  std::vector<FaceProposal> out;
  for (const FaceProposal& one : all) {
    if (out.size() >= most) break;
    int near = 0;
    bool same = false;
    for (const FaceProposal& other : out) {
      const double far = cv::norm(one.pose.middle - other.pose.middle) / ppi;
      near += far < kOnePlace_in ? 1 : 0;
      same = same || (far < kSame_in &&
                      DiePatterns()[one.pattern].value == DiePatterns()[other.pattern].value);
    }
    if (near < of_one_place && !same) out.push_back(one);
  }
  return out;
}

}  // namespace

std::vector<FaceProposal> FacesByPips(const DieModel& model, const std::vector<cv::Point2d>& places,
                                      double psf_px, std::size_t most) {
  FaceScore score(model, psf_px);
  const double ppi = model.PixelsPerInch();
  // A pip of a small die is as wide as the steps between places: half a step off, half is lost. So
  // more are followed than are returned.
  std::vector<FaceProposal> all =
      FewOfEachPlace(FacesAbout(model, score, places, psf_px), ppi, 14, 3 * most);
  for (FaceProposal& one : all) {
    const auto of = [&](const DiePose& pose) {
      const bool likely =
          pose.side_in > kDiePriors.side_range_in[0] && pose.side_in < kDiePriors.side_range_in[1];
      return likely && score.Look(pose) ? score.Of(one.pattern) : -1e18;
    };
    const auto moved = [&](const DiePose& pose, std::size_t way, double by) {
      return model.Moved(pose, way, by);
    };
    one.pose = PatternSearch(one.pose, 1, 0.5, DieModel::kPlaceWays.size(), of, moved);
    one.score = of(one.pose);
  }
  return FewOfEachPlace(std::move(all), ppi, 3, most);
}

}  // namespace fos
