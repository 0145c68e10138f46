// SPDX-License-Identifier: MIT
#include "vision/change/light_steadier.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <opencv2/core/hal/intrin.hpp>
#include <opencv2/imgproc.hpp>
#include <vector>

#include "engine/table/result.h"

namespace fos {
namespace {

// A row is measured in so many parts of its own, and their median counts: a hand or a unit that
// covers three of them does not matter.
constexpr int kParts = 9;
constexpr std::size_t kLeastParts = 5;
constexpr int kLeastPixels = 4;  // of a part

// Over the pixels of a part of a row in which both pictures can be compared, by channel.
struct RowSums {
  std::array<int, 3> now{};
  std::array<int, 3> known{};
  int pixels = 0;
};
RowSums SumsOf(const std::uint8_t* now, const std::uint8_t* known, const std::uint8_t* where,
               int pixels) {
  constexpr std::uint8_t kDark = 8;      // of 255: coding errors are a fifth of that
  constexpr std::uint8_t kBright = 247;  // what is cut off above
  RowSums out;
  int x = 0;
#if CV_SIMD128
  using Sixteen = cv::v_uint8x16;
  for (; x + Sixteen::nlanes <= pixels; x += Sixteen::nlanes) {
    std::array<Sixteen, 3> a;
    std::array<Sixteen, 3> b;
    cv::v_load_deinterleave(now + 3 * x, a[0], a[1], a[2]);
    cv::v_load_deinterleave(known + 3 * x, b[0], b[1], b[2]);
    const Sixteen low =
        cv::v_min(cv::v_min(cv::v_min(a[0], a[1]), cv::v_min(a[2], b[0])), cv::v_min(b[1], b[2]));
    const Sixteen high =
        cv::v_max(cv::v_max(cv::v_max(a[0], a[1]), cv::v_max(a[2], b[0])), cv::v_max(b[1], b[2]));
    const Sixteen good = (low >= cv::v_setall_u8(kDark)) & (high <= cv::v_setall_u8(kBright)) &
                         (cv::v_load(where + x) != cv::v_setzero_u8());
    out.pixels += static_cast<int>(cv::v_reduce_sum(good & cv::v_setall_u8(1)));
    for (std::size_t c = 0; c < 3; ++c) {
      out.now[c] += static_cast<int>(cv::v_reduce_sum(good & a[c]));
      out.known[c] += static_cast<int>(cv::v_reduce_sum(good & b[c]));
    }
  }
#endif
  for (; x < pixels; ++x) {
    const std::uint8_t* a = now + 3 * x;
    const std::uint8_t* b = known + 3 * x;
    const auto [low, high] = std::minmax({a[0], a[1], a[2], b[0], b[1], b[2]});
    if (where[x] == 0 || low < kDark || high > kBright) continue;
    ++out.pixels;
    for (std::size_t c = 0; c < 3; ++c) {
      out.now[c] += a[c];
      out.known[c] += b[c];
    }
  }
  return out;
}

// The ratio of the two pictures by row and channel; empty where most rows cannot be measured.
std::optional<cv::Mat> RowGains(const cv::Mat& now, const cv::Mat& known, const cv::Mat& where) {
  cv::Mat gains(now.rows, 1, CV_32FC3);
  std::vector<int> measured;
  measured.reserve(static_cast<std::size_t>(now.rows));
  for (int row = 0; row < now.rows; ++row) {
    const auto* a = now.ptr<std::uint8_t>(row);
    const auto* b = known.ptr<std::uint8_t>(row);
    const auto* w = where.ptr<std::uint8_t>(row);
    std::array<std::array<float, kParts>, 3> ratios{};
    std::size_t parts = 0;
    for (int part = 0; part < kParts; ++part) {
      const int from = now.cols * part / kParts;
      const int to = now.cols * (part + 1) / kParts;
      const RowSums sums = SumsOf(a + 3 * from, b + 3 * from, w + from, to - from);
      if (sums.pixels < kLeastPixels) continue;
      for (std::size_t c = 0; c < 3; ++c)
        ratios[c][parts] = static_cast<float>(sums.now[c]) / static_cast<float>(sums.known[c]);
      ++parts;
    }
    if (parts < kLeastParts) continue;
    for (std::size_t c = 0; c < 3; ++c) {
      auto* middle = ratios[c].data() + parts / 2;  // of two, the upper one
      std::nth_element(ratios[c].data(), middle, ratios[c].data() + parts);
      gains.at<cv::Vec3f>(row)[static_cast<int>(c)] = *middle;
    }
    measured.push_back(row);
  }
  if (2 * std::ssize(measured) < now.rows) return std::nullopt;
  // Rows that cannot be measured take the next one's gain.
  std::size_t next = 0;
  for (int row = 0; row < now.rows; ++row) {
    while (next + 1 < measured.size() &&
           std::abs(measured[next + 1] - row) <= std::abs(measured[next] - row)) {
      ++next;
    }
    gains.at<cv::Vec3f>(row) = gains.at<cv::Vec3f>(measured[next]);
  }
  // Bands are waves: a lamp of 100 or 120 Hz is read out in no more than about ten of them.
  constexpr double kSmooth = 0.01;  // of the rows, one sigma: an eighth of such a wave
  cv::GaussianBlur(gains, gains, {1, 2 * cvCeil(3 * kSmooth * now.rows) + 1}, 0.1,
                   kSmooth * now.rows, cv::BORDER_REPLICATE);
  return gains;
}

cv::Vec3f MeanOf(const cv::Mat& gains) {
  const cv::Scalar mean = cv::mean(gains);
  return {static_cast<float>(mean[0]), static_cast<float>(mean[1]), static_cast<float>(mean[2])};
}

// How much the rows' gains differ from their mean, as a share of it: root mean square, the channels
// together, because a weak channel has much noise.
double BandsIn(const cv::Mat& gains) {
  const cv::Vec3f mean = MeanOf(gains);
  double squares = 0;
  for (int row = 0; row < gains.rows; ++row) {
    const cv::Vec3f g = gains.at<cv::Vec3f>(row);
    const double off =
        static_cast<double>(g[0] / mean[0] + g[1] / mean[1] + g[2] / mean[2]) / 3 - 1;
    squares += off * off;
  }
  return std::sqrt(squares / gains.rows);
}

}  // namespace

LightSteadier::LightSteadier(double fps)
    : remembered_(std::max(2, static_cast<int>(std::lround(0.5 * fps)))) {}

std::optional<cv::Mat> LightSteadier::GainsOf(const cv::Mat& now, const cv::Mat& known,
                                              const cv::Mat& unchanged, double threshold,
                                              int frames) {
  FOS_CHECK(now.size() == known.size() && unchanged.size() == now.size());
  bands_ = false;
  std::optional<cv::Mat> gains = RowGains(now, known, unchanged);
  if (!gains) return std::nullopt;
  // A hand in the picture moves a webcam's exposure by a few hundredths. A dim picture's noise
  // leaves a hundredth between rows, waves of a twentieth leave three.
  constexpr double kHunts = 0.03;
  constexpr double kBands = 0.02;
  double hunts = 0;
  double bands = 0;
  for (Past& then : last_) then.frames_ago += frames;
  while (!last_.empty() && last_.front().frames_ago > remembered_) last_.pop_front();
  cv::Mat ratio;  // the gains, each as a share of the other's
  for (const Past& then : last_) {
    cv::divide(*gains, then.gains, ratio);
    const cv::Vec3f mean = MeanOf(ratio);
    for (int c = 0; c < 3; ++c) hunts = std::max(hunts, std::abs(static_cast<double>(mean[c]) - 1));
    bands = std::max(bands, BandsIn(ratio));
  }
  last_.push_back({gains->clone(), 0});
  if (hunts < kHunts && bands < kBands) return std::nullopt;
  if (bands < kBands) {
    const cv::Vec3f mean = MeanOf(*gains);
    gains->setTo(cv::Scalar(mean[0], mean[1], mean[2]));
  }
  // A lamp to one side, or a shadow, is no matter of rows.
  const cv::Mat steadied = Steadied(now, known, *gains);
  cv::Mat off;
  cv::absdiff(steadied, known, off);
  cv::Mat channels[3];
  cv::split(off, channels);
  const cv::Mat wrong =
      (cv::max(cv::max(channels[0], channels[1]), channels[2]) > threshold) & unchanged;
  constexpr double kExplained = 0.03;  // of what is not known to have changed: a hand that comes
  if (cv::countNonZero(wrong) > kExplained * cv::countNonZero(unchanged)) return std::nullopt;
  bands_ = bands >= kBands;
  return gains;
}

cv::Mat LightSteadier::Steadied(const cv::Mat& bgr, const cv::Mat& before, const cv::Mat& gains) {
  FOS_CHECK(bgr.type() == CV_8UC3 && before.size() == bgr.size() && gains.type() == CV_32FC3);
  constexpr int kFull = 250;  // of 255
  const double step = static_cast<double>(gains.rows) / bgr.rows;
  cv::Mat out(bgr.size(), CV_8UC3);
  for (int row = 0; row < bgr.rows; ++row) {
    // Between the middles of the shrunk picture's rows.
    const double at = std::clamp((row + 0.5) * step - 0.5, 0.0, gains.rows - 1.0);
    const int above = static_cast<int>(at);
    const int below = std::min(above + 1, gains.rows - 1);
    const auto share = static_cast<float>(at - above);
    const cv::Vec3f gain =
        (1 - share) * gains.at<cv::Vec3f>(above) + share * gains.at<cv::Vec3f>(below);
    std::array<std::array<std::uint8_t, 256>, 3> tables{};
    for (std::size_t c = 0; c < 3; ++c) {
      for (int level = 0; level < 256; ++level) {
        tables[c][static_cast<std::size_t>(level)] = cv::saturate_cast<std::uint8_t>(
            static_cast<float>(level) / std::max(gain[static_cast<int>(c)], 0.05F));
      }
    }
    const auto* in = bgr.ptr<cv::Vec3b>(row);
    const auto* back = before.ptr<cv::Vec3b>(row);
    auto* to = out.ptr<cv::Vec3b>(row);
    for (int x = 0; x < bgr.cols; ++x) {
      to[x] = cv::Vec3b(tables[0][in[x][0]], tables[1][in[x][1]], tables[2][in[x][2]]);
      for (int c = 0; c < 3; ++c) {
        if (in[x][c] >= kFull) to[x][c] = std::max(to[x][c], back[x][c]);
      }
    }
  }
  return out;
}

}  // namespace fos
