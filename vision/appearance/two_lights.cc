// SPDX-License-Identifier: MIT
#include "vision/appearance/two_lights.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <utility>

#include <opencv2/imgproc.hpp>

#include "calibration/camera/response.h"
#include "engine/table/quantile.h"
#include "vision/image/in_parallel.h"
#include "vision/image/rectify.h"

namespace fos {
namespace {

// The scale at which the ground is looked at: enough for the edge of a shadow.
constexpr double kPixelsPerIn = 8;
// Lines of the grid, a tenth of an inch wide, and figures vanish in a median so wide, pixels.
constexpr int kMedian_px = 5;
// How far one ground's colour strays, in logs of linear light: mottling, a lamp's gradient.
constexpr float kGroundSpread = 0.3F;

// Added before taking logs, of full light: three code values, a webcam's noise in black.
constexpr float kBlack = 0.001F;
cv::Vec3f LogLight(const cv::Vec3b& code) {
  static const std::array<float, 256> table = [] {
    std::array<float, 256> t{};
    for (std::size_t i = 0; i < t.size(); ++i) t[i] = std::log(LightOfSrgbCode()[i] + kBlack);
    return t;
  }();
  return {table[code[0]], table[code[1]], table[code[2]]};
}

struct GroundView {
  TablePatch patch;  // its picture through the median
  cv::Mat log;       // CV_32FC3, of that picture's linear light
  cv::Mat on_board;  // CV_8UC1, 255 where it is seen
};

GroundView ViewGround(const cv::Mat& bgr, const cv::Mat& blind, const TableCamera& camera,
                      const TableFrame& frame) {
  constexpr double kBeside_in = 1;
  GroundView out{
      RectifyPatch(bgr, blind, camera, {frame.Width() / 2, frame.Depth() / 2},
                   0.5 * std::max(frame.Width(), frame.Depth()) + kBeside_in, kPixelsPerIn, 0),
      {},
      {}};
  cv::medianBlur(out.patch.bgr, out.patch.bgr, kMedian_px);
  out.log = cv::Mat(out.patch.bgr.size(), CV_32FC3);
  out.on_board = out.patch.seen.clone();
  for (int r = 0; r < out.on_board.rows; ++r) {
    for (int c = 0; c < out.on_board.cols; ++c) {
      out.log.at<cv::Vec3f>(r, c) = LogLight(out.patch.bgr.at<cv::Vec3b>(r, c));
      if (!frame.Contains(out.patch.TableFromPixel(c, r))) out.on_board.at<std::uint8_t>(r, c) = 0;
    }
  }
  return out;
}

// A colour that much of the table has.
struct GroundMode {
  cv::Vec3f log;     // of linear light
  double share = 0;  // of the table
};

// The commonest colours, by mean shift from the fullest bin of those that are left.
std::vector<GroundMode> CommonColours(std::vector<cv::Vec3f> colours) {
  constexpr int kMost = 6;
  constexpr double kLeastShare = 0.025;  // of the table: two squares of a usual board
  constexpr float kBin = 0.2F;
  constexpr int kBins = 35;  // down to black, e^-6.9 of full light
  std::vector<GroundMode> out;
  const auto all = static_cast<double>(colours.size());
  while (static_cast<int>(out.size()) < kMost && !colours.empty()) {
    std::vector<int> counts(kBins * kBins * kBins, 0);
    const auto bin_of = [](const cv::Vec3f& c) {
      int bin = 0;
      for (int k = 0; k < 3; ++k)
        bin = bin * kBins + std::clamp(static_cast<int>(-c[k] / kBin), 0, kBins - 1);
      return bin;
    };
    for (const cv::Vec3f& c : colours) ++counts[static_cast<std::size_t>(bin_of(c))];
    const auto fullest =
        static_cast<int>(std::max_element(counts.begin(), counts.end()) - counts.begin());
    cv::Vec3f mode{-kBin * (static_cast<float>(fullest / (kBins * kBins)) + 0.5F),
                   -kBin * (static_cast<float>(fullest / kBins % kBins) + 0.5F),
                   -kBin * (static_cast<float>(fullest % kBins) + 0.5F)};
    const auto near = [&mode](const cv::Vec3f& c) {
      return cv::norm(c - mode, cv::NORM_L2SQR) < kGroundSpread * kGroundSpread;
    };
    constexpr int kShifts = 4;
    double count = 0;
    for (int i = 0; i < kShifts; ++i) {
      cv::Vec3f sum{0, 0, 0};
      count = 0;
      for (const cv::Vec3f& c : colours) {
        if (!near(c)) continue;
        sum += c;
        ++count;
      }
      if (count > 0) mode = sum / static_cast<float>(count);
    }
    if (count < kLeastShare * all) break;
    out.push_back({mode, count / all});
    std::erase_if(colours, near);
  }
  return out;
}

// How far a colour lies on the way from the darker ground to the brighter, 0 to 1; below 0 where it
// is no such colour.
float Brightness(const cv::Vec3f& log, const cv::Vec3f& darker, const cv::Vec3f& brighter) {
  const cv::Vec3f way = brighter - darker;
  const float along = (log - darker).dot(way) / way.dot(way);
  const float clipped = std::clamp(along, 0.0F, 1.0F);
  const double off = cv::norm(log - (darker + clipped * way));
  return off < static_cast<double>(kGroundSpread) ? clipped : -1.0F;
}

// A colour of the ground in the darker of two lights, and one in the brighter.
struct ModePair {
  const GroundMode* dark = nullptr;
  const GroundMode* bright = nullptr;

  cv::Vec3f Way() const { return bright->log - dark->log; }
};
// Whether two pairs may be two colours of one ground, a printed mat's, in the same two lights: both
// gain as much.
bool AreInTheSameLights(const ModePair& a, const ModePair& b) {
  constexpr double kSame = 0.15;  // in logs of linear light: a seventh, as mottling leaves it
  return a.dark != b.dark && a.bright != b.bright && a.dark != b.bright && a.bright != b.dark &&
         cv::norm(a.Way() - b.Way(), cv::NORM_INF) < kSame;
}

// The share of the table that some pairs have in the darker light or in the brighter, the smaller.
double SmallerShare(std::span<const ModePair> pairs) {
  double dark = 0;
  double bright = 0;
  for (const ModePair& pair : pairs) {
    dark += pair.dark->share;
    bright += pair.bright->share;
  }
  return std::min(dark, bright);
}

// By how much the ground in the brighter light is brighter than that in the darker light next to
// it: over the whole table a lamp's gradient adds to it. Empty where the two lie hardly anywhere
// side by side, as the darkest and the lightest spots of a mottled cloth, or all over the table, as
// other such spots: a shadow is a large piece, and has an edge.
// pairs  of the ground's colours in the same two lights. The answer is of the first; along the edge
//        the spots of a printed mat meet those of its other colours.
std::optional<cv::Vec3f> BrighterAtTheEdge(const GroundView& view,
                                           std::span<const ModePair> pairs) {
  const cv::Size size = view.log.size();
  std::array<cv::Mat, 2> counts, sums;
  for (cv::Mat& one : counts) one = cv::Mat(size, CV_32FC1, cv::Scalar(0));
  for (cv::Mat& one : sums) one = cv::Mat(size, CV_32FC3, cv::Scalar::all(0));
  for (int r = 0; r < size.height; ++r) {
    for (int c = 0; c < size.width; ++c) {
      if (view.on_board.at<std::uint8_t>(r, c) == 0) continue;
      const cv::Vec3f& log = view.log.at<cv::Vec3f>(r, c);
      double nearest = static_cast<double>(kGroundSpread);
      const ModePair* of = nullptr;
      bool is_bright = false;
      for (const ModePair& pair : pairs) {
        for (const bool bright : {false, true}) {
          const double off = cv::norm(log - (bright ? pair.bright : pair.dark)->log);
          if (off > nearest) continue;
          nearest = off;
          of = &pair;
          is_bright = bright;
        }
      }
      if (of == nullptr) continue;
      const std::size_t i = is_bright ? 1 : 0;
      counts[i].at<float>(r, c) = 1;
      // As if the first pair's ground lay there.
      sums[i].at<cv::Vec3f>(r, c) = is_bright ? log - of->bright->log + pairs[0].bright->log
                                              : log - of->dark->log + pairs[0].dark->log;
    }
  }
  constexpr double kBeside_in = 0.6;
  constexpr float kEnough = 0.15F;  // of what lies about it
  for (std::size_t i = 0; i < 2; ++i) {
    cv::GaussianBlur(counts[i], counts[i], {}, kBeside_in * kPixelsPerIn);
    cv::GaussianBlur(sums[i], sums[i], {}, kBeside_in * kPixelsPerIn);
  }
  std::array<std::vector<float>, 3> more;
  std::size_t there = 0;  // places where either lies
  for (int r = 0; r < size.height; r += 2) {
    for (int c = 0; c < size.width; c += 2) {
      const float dark = counts[0].at<float>(r, c);
      const float bright = counts[1].at<float>(r, c);
      if (std::max(dark, bright) < kEnough) continue;
      ++there;
      if (std::min(dark, bright) < kEnough) continue;
      for (int k = 0; k < 3; ++k)
        more[static_cast<std::size_t>(k)].push_back(sums[1].at<cv::Vec3f>(r, c)[k] / bright -
                                                    sums[0].at<cv::Vec3f>(r, c)[k] / dark);
    }
  }
  // One place of three lies by an edge. Of those where either lies: the spots of a printed mat are
  // not all over the table where a part of it is in the shade, which has colours of its own.
  constexpr std::size_t kTooMuch = 3;
  if (more[0].empty() || more[0].size() * kTooMuch > there) return std::nullopt;
  const auto places = static_cast<std::size_t>(cv::countNonZero(view.on_board)) / 4;
  // No piece has a shorter edge on the board than the quarter of a disc in a corner. What passes
  // the least share lies within 1.04 sigmas of a straight edge.
  const double smaller = SmallerShare(pairs) * static_cast<double>(places);
  // Stands hide some of the edge; so does what is half in shade.
  constexpr double kInSight = 1.0 / 4;
  constexpr double kPlacesPerIn = kPixelsPerIn / 2;
  const double least = std::sqrt(CV_PI * smaller) * 2 * 1.04 * kBeside_in * kPlacesPerIn;
  if (static_cast<double>(more[0].size()) < kInSight * least) return std::nullopt;
  return cv::Vec3f(UpperMedian(more[0]), UpperMedian(more[1]), UpperMedian(more[2]));
}

// A window's sun at 25 degrees above the table beside a bright sky is twice as much as the sky
// alone.
constexpr float kLeastGreen = 0.65F;
// edge  by how much the one ground is brighter than the other beside it
// way   by how much over the whole table
bool IsAnEdgeOfLight(const cv::Vec3f& edge, const cv::Vec3f& way) {
  constexpr float kLeastMore = 0.18F;  // a light adds in every channel
  constexpr double kOfAll = 0.7;       // a lamp's gradient has no edge
  return std::min({edge[0], edge[1], edge[2]}) > kLeastMore && edge[1] > kLeastGreen &&
         cv::norm(edge) > kOfAll * cv::norm(way);
}

// How bright the light is at each place of the patch, CV_32FC1, 0 in the darker one to 1.
cv::Mat LightMap(const GroundView& view, const TwoLights& lights) {
  const cv::Size size = view.log.size();
  cv::Mat known(size, CV_32FC1, cv::Scalar(0));
  cv::Mat sum(size, CV_32FC1, cv::Scalar(0));
  for (int r = 0; r < size.height; ++r) {
    for (int c = 0; c < size.width; ++c) {
      if (view.patch.seen.at<std::uint8_t>(r, c) == 0) continue;
      const float bright = Brightness(view.log.at<cv::Vec3f>(r, c), lights.darker, lights.brighter);
      if (bright < 0) continue;
      known.at<float>(r, c) = 1;
      sum.at<float>(r, c) = bright;
    }
  }
  // Where no ground is seen: as it is around, from near to far. Far away the picture may be coarse.
  cv::Mat map(size, CV_32FC1, cv::Scalar(-1));
  sum.copyTo(map, known > 0.5F);
  constexpr double kNear_in = 0.3;
  constexpr double kFar_in = 10;
  constexpr float kEnough = 0.2F;  // of what lies about it
  for (double reach = kNear_in; reach < kFar_in; reach *= 2) {
    const auto around = [&](const cv::Mat& of) {
      cv::Mat out;
      cv::GaussianBlur(of, out, {}, kNear_in * kPixelsPerIn);
      if (out.size() != size) cv::resize(out, out, size, 0, 0, cv::INTER_LINEAR);
      return out;
    };
    const cv::Mat weight = around(known);
    const cv::Mat mean = around(sum);
    bool left = false;
    for (int r = 0; r < map.rows; ++r) {
      for (int c = 0; c < map.cols; ++c) {
        float& at = map.at<float>(r, c);
        if (at >= 0) continue;
        const float w = weight.at<float>(r, c);
        if (w < kEnough) {
          left = true;
          continue;
        }
        // The edge of a shadow is sharper than the mean over the ground on both its sides.
        constexpr float kSharper = 4;
        at = std::clamp(0.5F + kSharper * (mean.at<float>(r, c) / w - 0.5F), 0.0F, 1.0F);
      }
    }
    if (!left) break;
    const cv::Size half((known.cols + 1) / 2, (known.rows + 1) / 2);
    cv::resize(known, known, half, 0, 0, cv::INTER_AREA);
    cv::resize(sum, sum, half, 0, 0, cv::INTER_AREA);
  }
  map.setTo(0, map < 0);
  return map;
}

}  // namespace

std::vector<TwoLights> FindTwoLights(const cv::Mat& bgr, const cv::Mat& blind,
                                     const TableCamera& camera, const TableFrame& frame) {
  const GroundView view = ViewGround(bgr, blind, camera, frame);
  std::vector<cv::Vec3f> colours;
  for (int r = 0; r < view.on_board.rows; r += 2) {
    for (int c = 0; c < view.on_board.cols; c += 2)
      if (view.on_board.at<std::uint8_t>(r, c) != 0)
        colours.push_back(view.log.at<cv::Vec3f>(r, c));
  }
  const std::vector<GroundMode> modes = CommonColours(colours);
  std::vector<ModePair> may_be;
  for (const GroundMode& dark : modes) {
    for (const GroundMode& bright : modes) {
      const cv::Vec3f way = bright.log - dark.log;
      // More than thirty times as much light a camera does not show beside the other.
      constexpr float kMostMore = 3.4F;
      if (std::max({way[0], way[1], way[2]}) <= kMostMore && way[1] >= kLeastGreen)
        may_be.push_back({&dark, &bright});
    }
  }
  std::vector<std::optional<cv::Vec3f>> edges(may_be.size());
  std::vector<double> shares(may_be.size());  // of the smaller part
  std::vector<int> grounds(may_be.size());
  InParallel(may_be.size(), [&](std::size_t i) {
    std::vector<ModePair> same{may_be[i]};
    std::copy_if(may_be.begin(), may_be.end(), std::back_inserter(same),
                 [&](const ModePair& other) { return AreInTheSameLights(may_be[i], other); });
    shares[i] = SmallerShare(same);
    grounds[i] = static_cast<int>(same.size());
    edges[i] = BrighterAtTheEdge(view, same);
  });
  std::vector<std::pair<double, TwoLights>> pairs;  // by the share of the smaller part
  for (std::size_t i = 0; i < may_be.size(); ++i) {
    const auto [dark, bright] = may_be[i];
    if (!edges[i] || !IsAnEdgeOfLight(*edges[i], may_be[i].Way())) continue;
    pairs.push_back({shares[i], {dark->log, bright->log, *edges[i], grounds[i]}});
  }
  std::sort(pairs.begin(), pairs.end(),
            [](const auto& a, const auto& b) { return a.first > b.first; });
  constexpr std::size_t kMostPairs = 2;
  if (pairs.size() > kMostPairs) pairs.resize(kMostPairs);
  std::vector<TwoLights> out;
  for (const auto& [share, lights] : pairs) out.push_back(lights);
  return out;
}

cv::Mat InOneLight(const cv::Mat& bgr, const cv::Mat& blind, const TableCamera& camera,
                   const TableFrame& frame, const TwoLights& lights) {
  const GroundView view = ViewGround(bgr, blind, camera, frame);
  const cv::Mat bright = LaidInPicture(LightMap(view, lights), view.patch, camera);

  // Ground that is cut off at the picture's white would make every paint in the shade white, too.
  // There all of it is shown as behind a grey glass, which leaves of the brighter light as much as
  // the shade has of its own brightest channel.
  constexpr float kCutOff = -0.1F;  // nine tenths of its white
  const bool cut_off =
      std::max({lights.brighter[0], lights.brighter[1], lights.brighter[2]}) >= kCutOff;
  const cv::Vec3f& by = lights.brighter_by;
  const float glass = cut_off ? std::max(std::min({by[0], by[1], by[2]}), 0.0F) : 0.0F;
  // By how bright it is, in steps, and the code: the code in the one light.
  constexpr int kSteps = 32;
  std::vector<std::array<std::array<std::uint8_t, 256>, 3>> codes(kSteps + 1);
  for (int s = 0; s <= kSteps; ++s) {
    const float there = static_cast<float>(s) / kSteps;
    for (int k = 0; k < 3; ++k) {
      const float gain = std::exp(by[k] * (1 - there) - glass);
      for (std::size_t code = 0; code < 256; ++code)
        codes[static_cast<std::size_t>(s)][static_cast<std::size_t>(k)][code] =
            cv::saturate_cast<std::uint8_t>(
                SrgbCodeOfLight(static_cast<double>(gain * LightOfSrgbCode()[code])));
    }
  }
  cv::Mat out(bgr.size(), CV_8UC3);
  InParallel(static_cast<std::size_t>(bgr.rows), [&](std::size_t row) {
    const int r = static_cast<int>(row);
    const auto* from = bgr.ptr<cv::Vec3b>(r);
    const auto* b = bright.ptr<float>(r);
    auto* to = out.ptr<cv::Vec3b>(r);
    for (int c = 0; c < bgr.cols; ++c) {
      const auto& table = codes[static_cast<std::size_t>(cvRound(b[c] * kSteps))];
      to[c] = {table[0][from[c][0]], table[1][from[c][1]], table[2][from[c][2]]};
    }
  });
  return out;
}

}  // namespace fos
