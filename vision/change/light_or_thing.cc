// SPDX-License-Identifier: MIT
#include "vision/change/light_or_thing.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <opencv2/imgproc.hpp>
#include <utility>
#include <vector>

#include "engine/table/quantile.h"
#include "vision/change/local_light.h"
#include "vision/change/other_exposure.h"
#include "vision/change/picture_difference.h"
#include "vision/image/mask_shapes.h"

namespace fos {
namespace {

// Narrower than any finger: what is nearer to the camera looks wider still.
constexpr double kFinger_in = 0.5;

// A shadow of a lamp is lit by the other lamps: its colour shifts by up to a quarter.
constexpr double kMostTinted = 1.25;
// Whether the sun's going can change the light by these ratios, blue first: what is left is the
// sky's light, which is bluer.
bool IsShadeOfSun(const cv::Vec3d& ratios) {
  return ratios[0] < 1 && ratios[0] >= ratios[1] && ratios[1] >= ratios[2];
}

// Sums over those pixels of a tile that belong to a component.
struct TileSums {
  double pixels = 0;
  cv::Vec3d now;    // by channel
  cv::Vec3d known;  // the same, in this frame's exposure
  // Of the pixels' means of the channels, and of their squares and products.
  double grey_now = 0;
  double grey_now2 = 0;
  double grey_known = 0;
  double grey_known2 = 0;
  double grey_both = 0;
};

// Calls visit(place in the tile, pixel now, the pixel as it was known in this frame's exposure) for
// every pixel of the tile that belongs to the component.
template <typename Visit>
void EachOf(const PicturePair& pair, const cv::Mat& labels, int label, const cv::Rect& tile,
            const Visit& visit) {
  for (int row = tile.y; row < tile.br().y; ++row) {
    const auto* l = labels.ptr<int>(row);
    const auto* now = pair.now.ptr<cv::Vec3b>(row);
    const auto* known = pair.known.ptr<cv::Vec3b>(row);
    for (int column = tile.x; column < tile.br().x; ++column) {
      if (l[column] != label) continue;
      cv::Vec3d was;
      for (int c = 0; c < 3; ++c)
        was[c] = InLight(known[column][c], pair.gain[c], now[column][c]);
      visit(cv::Point(column, row) - tile.tl(), cv::Vec3d(now[column]), was);
    }
  }
}

TileSums SumsOf(const PicturePair& pair, const cv::Mat& labels, int label, const cv::Rect& tile) {
  TileSums out;
  EachOf(pair, labels, label, tile, [&](cv::Point, const cv::Vec3d& now, const cv::Vec3d& was) {
    out.pixels += 1;
    out.now += now;
    out.known += was;
    const double luma_now = now[0] + now[1] + now[2];
    const double luma_known = was[0] + was[1] + was[2];
    out.grey_now += luma_now / 3, out.grey_now2 += luma_now * luma_now / 9;
    out.grey_known += luma_known / 3, out.grey_known2 += luma_known * luma_known / 9;
    out.grey_both += luma_now * luma_known / 9;
  });
  return out;
}

// What a light whose strength slopes across a tile leaves unexplained: a pixel's mean square, grey
// levels squared.
// sums  of that tile
double LeftBySlope(const PicturePair& pair, const cv::Mat& labels, int label, const cv::Rect& tile,
                   const TileSums& sums) {
  const double ratio = sums.grey_now / std::max(sums.grey_known, 1.0);
  // A plane through what even light leaves, by least squares.
  cv::Matx33d places = cv::Matx33d::zeros();
  cv::Vec3d off;
  double square = 0;
  EachOf(pair, labels, label, tile, [&](cv::Point in, const cv::Vec3d& now, const cv::Vec3d& was) {
    double left = 0;
    for (int c = 0; c < 3; ++c) left += (now[c] - ratio * was[c]) / 3;
    const cv::Vec3d at(1, in.y, in.x);
    places += at * at.t();
    off += left * at;
    square += left * left;
  });
  cv::Vec3d slope;
  if (!cv::solve(places, off, slope, cv::DECOMP_CHOLESKY)) return square / sums.pixels;
  return std::max(square - slope.dot(off), 0.0) / sums.pixels;
}

// Whether what has changed is as light as the table on one side of it, and was as light as that on
// the other.
// changed  CV_8UC1, of the pictures' size: 255 in what has changed, which lies in `about`
bool GoesOnBeside(const PicturePair& pair, const cv::Mat& changed, const cv::Rect& about) {
  constexpr double kSoft_in = 0.1;    // the light's own edge
  constexpr double kBeside_in = 0.3;  // of a cloth's weave enough for a median
  cv::Mat near;
  cv::Mat beside;
  cv::dilate(changed(about), near, Disc(PixelsFor(kSoft_in, pair.px_per_in2)));
  cv::dilate(changed(about), beside, Disc(PixelsFor(kBeside_in, pair.px_per_in2)));
  beside &= ~near;
  std::vector<double> was;
  std::vector<double> is;
  std::vector<double> other;
  for (int row = 0; row < about.height; ++row) {
    const auto* now = pair.now.ptr<cv::Vec3b>(about.y + row, about.x);
    const auto* known = pair.known.ptr<cv::Vec3b>(about.y + row, about.x);
    const auto* in = changed.ptr<std::uint8_t>(about.y + row, about.x);
    for (int column = 0; column < about.width; ++column) {
      const double grey = now[column][0] + now[column][1] + now[column][2];
      if (in[column] != 0) {
        is.push_back(grey);
        was.push_back(cv::Vec3d(known[column]).dot(pair.gain));
      } else if (beside.at<std::uint8_t>(row, column) != 0) {
        other.push_back(grey);
      }
    }
  }
  const double from = Quantile(std::move(was), 0.5).value_or(0);
  const double to = Quantile(std::move(is), 0.5).value_or(0);
  constexpr double kAlike = 0.35;  // of the step: two thirds of it lie between the two lights
  const auto share = [&](double level) {
    return static_cast<double>(std::count_if(other.begin(), other.end(),
                                             [&](double grey) {
                                               return std::abs(grey - level) <
                                                      kAlike * std::abs(to - from);
                                             })) /
           std::max(static_cast<double>(other.size()), 1.0);
  };
  constexpr double kLeast = 0.25;  // half of it lies on either side, and some has lines on it
  return share(from) >= kLeast && share(to) >= kLeast;
}

// How much more light than on the background falls about a small component: CV_32FC3, of the
// rectangle `about` it. Empty where no other light falls.
// it  CV_8UC1, of that rectangle's size, not 0 in the component
std::optional<cv::Mat> LightAbout(const PicturePair& pair, const cv::Mat& it,
                                  const cv::Rect& about) {
  // Nearer, a thing's own blur and contact shadow may lie.
  constexpr double kNear_in = 0.2;
  cv::Mat near;
  cv::Mat far;
  cv::dilate(it, near, Disc(PixelsFor(kNear_in, pair.px_per_in2)));
  cv::dilate(it, far, Disc(PixelsFor(kLightsEdge_in, pair.px_per_in2)));
  const std::optional<cv::Mat> light =
      GainsAbout(pair.now(about), pair.known(about), pair.gain, far & ~near);
  if (!light) return std::nullopt;
  // By how much it alone changes the component.
  cv::Mat change;
  cv::absdiff(*light, cv::Scalar(1, 1, 1), change);
  cv::multiply(change, pair.known(about), change, 1, CV_32F);
  const cv::Scalar most = cv::mean(change, it);
  if (std::max({most[0] * pair.gain[0], most[1] * pair.gain[1], most[2] * pair.gain[2]}) <
      0.5 * pair.threshold)
    return std::nullopt;
  return light;
}

// By how much a part of the picture differs from the background in a light, more than the light
// may change paints: grey levels, CV_8UC1.
// light  as LightAbout gives it
cv::Mat OffLight(const PicturePair& pair, const cv::Mat& light, const cv::Rect& about) {
  cv::Mat expected(about.size(), CV_8UC3);
  cv::Mat doubt(about.size(), CV_8UC1);
  for (int row = 0; row < about.height; ++row) {
    const auto* known = pair.known.ptr<cv::Vec3b>(about.y + row, about.x);
    const auto* now = pair.now.ptr<cv::Vec3b>(about.y + row, about.x);
    const auto* by = light.ptr<cv::Vec3f>(row);
    for (int column = 0; column < about.width; ++column) {
      double most = 0;
      for (int c = 0; c < 3; ++c) {
        const double was = known[column][c] * pair.gain[c];
        double is = was * static_cast<double>(by[column][c]);
        most = std::max(most, std::abs(is - was));
        // What the camera cut off may have been far brighter, and be as bright still.
        if (known[column][c] >= kCutOff)
          is = std::clamp<double>(now[column][c], std::min(is, was), std::max(is, was));
        expected.at<cv::Vec3b>(row, column)[c] = cv::saturate_cast<std::uint8_t>(is);
      }
      // The camera's tone curve and the sky's tint change bright paints otherwise than cloth.
      doubt.at<std::uint8_t>(row, column) =
          cv::saturate_cast<std::uint8_t>((kMostTinted - 1) * most);
    }
  }
  cv::Mat off;
  cv::subtract(Difference(pair.now(about), expected), doubt, off);
  return off;
}

}  // namespace

Cover CoverOf(const PicturePair& pair, const cv::Mat& labels, int label, const cv::Rect& rect) {
  // Light changes all channels alike and leaves the pattern of the table in place. Test it tile by
  // tile, half an inch each.
  const int tile = std::max(4, PixelsFor(0.5, pair.px_per_in2));
  int tiles = 0;
  int tinted = 0;
  int alike = 0;
  int structured_tiles = 0;
  int structured_alike = 0;
  int sloped = 0;  // of the others, those that a light's slope explains
  // What is too weak to be seen in one tile, as a cloth's weave in a dim picture, shows in all of
  // them together: the sums of a regression of the picture now on the known one.
  double pixels = 0;
  double var_sum_known = 0;
  double var_sum_now = 0;
  double covariance_sum = 0;
  double expected_sum = 0;  // of the covariance, in light alone
  for (int top = rect.y; top + tile <= rect.br().y; top += tile) {
    for (int left = rect.x; left + tile <= rect.br().x; left += tile) {
      const cv::Rect place(left, top, tile, tile);
      const TileSums sums = SumsOf(pair, labels, label, place);
      const double n = sums.pixels;
      if (n < 0.6 * tile * tile) continue;
      ++tiles;
      cv::Vec3d ratios;
      double lowest = 1e9;
      double highest = 0;
      for (int c = 0; c < 3; ++c) {
        const double ratio = (sums.now[c] + n) / (sums.known[c] + n);
        ratios[c] = ratio;
        lowest = std::min(lowest, ratio);
        highest = std::max(highest, ratio);
      }
      if (highest > kMostTinted * lowest) {
        if (!IsShadeOfSun(ratios) && !IsShadeOfSun({1 / ratios[0], 1 / ratios[1], 1 / ratios[2]}))
          ++tinted;
        continue;
      }
      if (lowest < 0.25 || highest > 4) continue;
      const double mean_now = sums.grey_now / n;
      const double mean_known = sums.grey_known / n;
      const double var_now = std::max(sums.grey_now2 / n - mean_now * mean_now, 0.0);
      const double var_known = std::max(sums.grey_known2 / n - mean_known * mean_known, 0.0);
      const double covariance = sums.grey_both / n - mean_now * mean_known;
      pixels += n;
      var_sum_known += n * var_known;
      var_sum_now += n * var_now;
      covariance_sum += n * covariance;
      expected_sum += n * var_known * (sums.grey_now + n) / (sums.grey_known + n);
      const double structured = (pair.threshold / 2) * (pair.threshold / 2);
      if (var_known > structured || var_now > structured) {
        ++structured_tiles;
        constexpr double kAlike = 0.7;  // correlation
        if (covariance < kAlike * std::sqrt(var_now * var_known)) {
          const double unexplained = LeftBySlope(pair, labels, label, place, sums);
          sloped += unexplained < (1 - kAlike * kAlike) * var_now ? 1 : 0;
          continue;
        }
        ++structured_alike;
      }
      ++alike;
    }
  }
  // Most of a hand has another tint than any light or shade. That the pattern is gone does not tell
  // a hand: the sun's light may burn it out.
  const Cover other = tiles >= 4 && tinted > 0.5 * tiles ? Cover::kOtherTint : Cover::kUnclear;
  // On bare cloth a dark finger looks like a shadow but for the cloth's weave, which a shadow
  // leaves in place. Where the weave would stand out of the noise by six sigmas, less than half of
  // what light would leave of it is no light. (Neighbouring pixels' noise is not independent; the
  // picture is shrunk, so that little of that is left.)
  if (pixels > 0 && var_sum_known > 0) {
    const double slope = covariance_sum / var_sum_known;
    const double rest = std::max(0.0, var_sum_now - slope * covariance_sum) / pixels;
    const double sigma = std::sqrt(rest * var_sum_known);  // of covariance_sum
    constexpr double kSure = 6;
    const bool sure = expected_sum > kSure * sigma;
    if (sure && covariance_sum < 0.5 * expected_sum) return other;
    // Where the whole pattern is seen to be in place, a shade's wide soft edge may slope across
    // many tiles. Elsewhere a sleeve's own shading looks like that.
    constexpr double kInPlace = 0.9;
    if (sure && covariance_sum > kInPlace * expected_sum) {
      alike += sloped;
      structured_alike += sloped;
    }
  }
  // Lines and stands tell, where there are any; here and there a tile has the shade's own soft edge
  // in it.
  const double unlike = structured_tiles - structured_alike;
  const bool light = tiles >= 4 && alike >= 0.8 * tiles &&
                     unlike <= std::max(0.3 * structured_tiles, 0.01 * tiles);
  return light ? Cover::kLight : other;
}

cv::Rect AboutOf(const PicturePair& pair, const cv::Rect& component) {
  return Widened(component, PixelsFor(kLightsEdge_in, pair.px_per_in2), pair.now.size());
}

cv::Mat OffLitAbout(const PicturePair& pair, const cv::Mat& lit) {
  constexpr double kAbout_in = 1;
  const cv::Rect all = Widened(cv::boundingRect(lit), 1, pair.now.size());
  const cv::Mat light = GainsOfLit(pair.now(all), pair.known(all), pair.gain, lit(all),
                                   PixelsFor(kAbout_in, pair.px_per_in2));
  cv::Mat out(pair.now.size(), CV_8UC1, cv::Scalar(255));
  OffLight(pair, light, all).copyTo(out(all));
  return out;
}

bool IsLightsEdge(const PicturePair& pair, const cv::Mat& changed,
                  const ChangedComponent& component, Cover cover) {
  const cv::Rect about = AboutOf(pair, component.rect);
  if (IsAsWideAs(kFinger_in, changed(about), pair.px_per_in2)) {
    // What is as long as this and an arm has a wrist to it; and what is as lit as the table on one
    // side of it now, and was as that on the other, is nothing that lies there.
    constexpr double kArm_in = 8;
    const bool as_long = std::hypot(component.rect.width, component.rect.height) >=
                         PixelsFor(kArm_in, pair.px_per_in2);
    if (!as_long || cover == Cover::kOtherTint ||
        IsAsWideAs(kWrist_in, changed(about), pair.px_per_in2) ||
        !GoesOnBeside(pair, changed, about))
      return false;
  }
  constexpr double kMost = 0.9;
  const cv::Mat as_lit = (OffLitAbout(pair, changed) <= pair.threshold) & changed;
  return cv::countNonZero(as_lit) >= kMost * cv::countNonZero(changed);
}

std::optional<cv::Mat> OtherThanLightAbout(const PicturePair& pair, const cv::Mat& it,
                                           const cv::Rect& about, const cv::Mat& changed) {
  const std::optional<cv::Mat> light = LightAbout(pair, it, about);
  if (!light) return std::nullopt;
  return (OffLight(pair, *light, about) > pair.threshold) & changed(about) & it;
}

cv::Mat OtherTint(const PicturePair& pair, const cv::Mat& lit, const cv::Rect& rect) {
  cv::Mat out(rect.size(), CV_8UC1, cv::Scalar(0));
  const double noise = 0.5 * pair.threshold;
  for (int row = 0; row < rect.height; ++row) {
    for (int column = 0; column < rect.width; ++column) {
      if (lit.at<std::uint8_t>(row, column) == 0) continue;
      const auto& now = pair.now.at<cv::Vec3b>(rect.y + row, rect.x + column);
      const auto& known = pair.known.at<cv::Vec3b>(rect.y + row, rect.x + column);
      double lowest = 1e9;
      double highest = 0;
      for (int c = 0; c < 3; ++c) {
        const double was = known[c] * pair.gain[c] + 1;
        lowest = std::min(lowest, (now[c] + noise) / was);
        highest = std::max(highest, (now[c] - noise) / was);
      }
      if (highest > kMostTinted * lowest) out.at<std::uint8_t>(row, column) = 255;
    }
  }
  return out;
}

cv::Mat SomethingElse(const PicturePair& pair, const cv::Mat& seen, const cv::Mat& board) {
  // What stands up from the cloth is displaced by its parallax.
  constexpr double kDisplaced_in = 0.1;
  const int reach = 2 * PixelsFor(kDisplaced_in, pair.px_per_in2) + 1;
  const cv::Mat about(reach, reach, CV_8UC1, cv::Scalar(1));
  cv::Mat high;
  cv::Mat low;
  cv::dilate(pair.known, high, about);
  cv::erode(pair.known, low, about);
  cv::Mat above;
  cv::Mat below;
  cv::subtract(pair.now, high, above);
  cv::subtract(low, pair.now, below);
  cv::Mat channels[3];
  cv::split(cv::max(above, below), channels);
  const cv::Mat off = cv::max(cv::max(channels[0], channels[1]), channels[2]);
  // The known picture has been resampled, and its light may come from elsewhere now.
  constexpr double kSure = 2;
  cv::Mat inside;
  cv::erode(seen, inside, {});
  return (off > kSure * pair.threshold) & inside & board;
}

}  // namespace fos
