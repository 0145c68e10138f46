// SPDX-License-Identifier: MIT
#include "vision/change/other_exposure.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <opencv2/imgproc.hpp>
#include <vector>

#include "engine/table/quantile.h"
#include "vision/change/picture_difference.h"

namespace fos {
namespace {

// Levels at which a curve may bend. Tone curves are steepest in the dark.
constexpr std::array<double, 9> kKnots{0, 16, 32, 64, 96, 128, 160, 208, 255};
constexpr int kUnknowns = static_cast<int>(kKnots.size()) + 2;
using Row = cv::Vec<double, kUnknowns>;
using Normal = cv::Matx<double, kUnknowns, kUnknowns>;

// A pixel of both pictures.
struct Sample {
  cv::Vec3d lit;  // known, in the exposure of now
  cv::Vec3d now;
};

// From here down a picture is as dark as it can be.
constexpr double kBlack = 3;

std::vector<Sample> SamplesOf(const cv::Mat& now, const cv::Mat& known, const cv::Vec3d& gain,
                              const cv::Mat& where) {
  constexpr int kMost = 20000;  // more than a thousand for each unknown
  const int every = std::max(1, cv::countNonZero(where) / kMost);
  std::vector<Sample> out;
  int count = 0;
  for (int row = 0; row < now.rows; ++row) {
    for (int column = 0; column < now.cols; ++column) {
      if (where.at<std::uint8_t>(row, column) == 0 || count++ % every != 0) continue;
      out.push_back({cv::Vec3d(known.at<cv::Vec3b>(row, column)).mul(gain),
                     cv::Vec3d(now.at<cv::Vec3b>(row, column))});
    }
  }
  return out;
}

// What the unknowns are multiplied by: the hat functions of the knots, and by how much the other
// channels are brighter.
Row RowOf(const cv::Vec3d& lit, int channel) {
  Row out = Row::all(0);
  const double level = std::clamp(lit[channel], 0.0, 255.0);
  const auto next = static_cast<std::size_t>(
      std::upper_bound(kKnots.begin() + 1, kKnots.end() - 1, level) - kKnots.begin());
  const double part = (level - kKnots[next - 1]) / (kKnots[next] - kKnots[next - 1]);
  out[static_cast<int>(next) - 1] = 1 - part;
  out[static_cast<int>(next)] = part;
  out[kUnknowns - 2] = lit[(channel + 1) % 3] - lit[channel];
  out[kUnknowns - 1] = lit[(channel + 2) % 3] - lit[channel];
  return out;
}

// Holds a curve straight where few levels are seen, and the shares small. Bends weigh a thousandth
// of the samples, sizes a hundredth of that: what is seen overrules both.
Normal PriorOf(double samples) {
  Normal out = Normal::zeros();
  constexpr double kBends = 1e-3;
  constexpr double kSizes = 1e-5;
  constexpr double kUsual = 32;  // levels from one knot to the next
  for (int i = 1; i + 1 < static_cast<int>(kKnots.size()); ++i) {
    const auto knot = static_cast<std::size_t>(i);
    const double left = kUsual / (kKnots[knot] - kKnots[knot - 1]);
    const double right = kUsual / (kKnots[knot + 1] - kKnots[knot]);
    const double bend[3] = {left, -left - right, right};
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) out(i - 1 + a, i - 1 + b) += kBends * samples * bend[a] * bend[b];
  }
  for (int i = 0; i < kUnknowns; ++i) out(i, i) += kSizes * samples;
  return out;
}

// Whether a curve still tells dark from light, as every camera's does: over the levels that most
// samples have it rises by a fair share of what they differ by. Under a cover all levels look alike.
// shows  of each level of the known picture, in the exposure of now
bool TellsLevelsApart(const std::vector<Sample>& samples, int channel, double gain,
                      const std::array<double, 256>& shows) {
  constexpr double kMost = 0.8;     // of the samples
  constexpr double kLeastRise = 0.3;  // the flattest part of a gamma of 2.2 rises by 0.45
  std::vector<double> levels;
  for (const Sample& s : samples) levels.push_back(s.lit[channel] / gain);
  const double low = Quantile(levels, 0.5 - kMost / 2).value_or(0);
  const double high = Quantile(std::move(levels), 0.5 + kMost / 2).value_or(0);
  const auto at = [&](double level) {
    return shows[static_cast<std::size_t>(std::clamp(std::lround(level), 0L, 255L))];
  };
  return at(high) - at(low) >= kLeastRise * gain * (high - low);
}

// The unknowns of a channel's change; empty where too little is seen.
std::optional<Row> FitOf(const std::vector<Sample>& samples, int channel) {
  std::vector<Row> rows;
  std::vector<double> off;
  for (const Sample& s : samples) {
    const bool cut = s.now[channel] >= kCutOff || s.now[channel] <= kBlack ||
                     s.lit[channel] >= kCutOff || s.lit[channel] <= kBlack;
    if (cut) continue;
    rows.push_back(RowOf(s.lit, channel));
    off.push_back(s.now[channel] - s.lit[channel]);
  }
  constexpr std::size_t kEnough = 50 * static_cast<std::size_t>(kUnknowns);
  if (rows.size() < kEnough) return std::nullopt;
  const Normal prior = PriorOf(static_cast<double>(rows.size()));
  Row fit = Row::all(0);
  std::vector<double> left = off;
  constexpr int kRounds = 8;
  for (int round = 0; round < kRounds; ++round) {
    std::vector<double> sizes;
    for (const double one : left) sizes.push_back(std::abs(one));
    // What most pixels show, which may be one cloth alone, is not to hide how the others change.
    constexpr double kFirst = 32;   // grey levels: half of the range lies within Tukey's bound
    constexpr double kLeast = 1.5;  // rounding, and some noise
    const double sigma =
        std::max({1.4826 * UpperMedian(sizes), kFirst / static_cast<double>(1 << round), kLeast});
    constexpr double kTukey = 4.685;
    Normal a = prior;
    Row b = Row::all(0);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const double u = left[i] / (kTukey * sigma);
      if (std::abs(u) >= 1) continue;
      const double weight = (1 - u * u) * (1 - u * u);
      const Row& x = rows[i];
      for (int r = 0; r < kUnknowns; ++r) {
        if (x[r] == 0) continue;
        for (int c = 0; c < kUnknowns; ++c) a(r, c) += weight * x[r] * x[c];
        b[r] += weight * x[r] * off[i];
      }
    }
    fit = a.solve(b, cv::DECOMP_CHOLESKY);
    for (std::size_t i = 0; i < rows.size(); ++i) left[i] = off[i] - rows[i].dot(fit);
  }
  return fit;
}

}  // namespace

cv::Mat TooBright(const cv::Mat& bgr) {
  cv::Mat channels[3];
  cv::split(bgr, channels);
  cv::Mat out = cv::max(cv::max(channels[0], channels[1]), channels[2]) >= kCutOff;
  cv::dilate(out, out, {});
  return out;
}

cv::Mat BurntChannels(const cv::Mat& bgr) {
  cv::Mat out;
  cv::threshold(bgr, out, kCutOff - 1, 255, cv::THRESH_BINARY);
  return out;
}

void LightAs(const cv::Mat& now, const cv::Mat& known, const cv::Vec3d& gain, cv::Mat& out) {
  cv::multiply(known, cv::Scalar(gain[0], gain[1], gain[2]), out);
  if (std::min({gain[0], gain[1], gain[2]}) >= 1) return;
  const cv::Mat too_bright = TooBright(known);
  if (cv::countNonZero(too_bright) == 0) return;
  cv::Mat as_bright;
  cv::max(out, cv::min(now, known), as_bright);
  as_bright.copyTo(out, too_bright);
}

std::optional<ToneChange> ToneChange::Between(const cv::Mat& now, const cv::Mat& known,
                                              const cv::Vec3d& gain, const cv::Mat& where,
                                              double threshold) {
  const std::vector<Sample> samples = SamplesOf(now, known, gain, where);
  ToneChange out;
  for (int c = 0; c < 3; ++c) {
    const std::optional<Row> fit = FitOf(samples, c);
    if (!fit) return std::nullopt;
    Channel& channel = out.channels_[static_cast<std::size_t>(c)];
    const double share_a = (*fit)[kUnknowns - 2];
    const double share_b = (*fit)[kUnknowns - 1];
    channel.shares[(c + 1) % 3] = static_cast<float>(share_a * gain[(c + 1) % 3]);
    channel.shares[(c + 2) % 3] = static_cast<float>(share_b * gain[(c + 2) % 3]);
    double highest = 0;
    std::array<double, 256> shows{};
    for (std::size_t level = 0; level < shows.size(); ++level) {
      const double lit = static_cast<double>(level) * gain[c];
      // A camera shows more light nowhere as darker.
      highest = std::max(highest, lit + RowOf(cv::Vec3d::all(lit), c).dot(*fit));
      shows[level] = highest;
      channel.curve[level] = static_cast<float>(highest - (share_a + share_b) * lit);
    }
    if (!TellsLevelsApart(samples, c, gain[c], shows)) return std::nullopt;
  }
  cv::Mat lit;
  LightAs(now, known, gain, lit);
  const auto differ = [&](const cv::Mat& as) {
    return cv::countNonZero((Difference(now, as) > threshold) & where);
  };
  constexpr double kLeft = 0.5;
  if (differ(out.InTonesOfNow(known)) >= kLeft * differ(lit)) return std::nullopt;
  return out;
}

cv::Mat ToneChange::InTonesOfNow(const cv::Mat& known) const {
  cv::Mat out(known.size(), CV_8UC3);
  for (int row = 0; row < known.rows; ++row) {
    const auto* from = known.ptr<cv::Vec3b>(row);
    auto* to = out.ptr<cv::Vec3b>(row);
    for (int column = 0; column < known.cols; ++column) {
      const cv::Vec3b& bgr = from[column];
      for (int c = 0; c < 3; ++c) {
        const Channel& channel = channels_[static_cast<std::size_t>(c)];
        const float level = channel.curve[bgr[c]] + channel.shares.dot(cv::Vec3f(bgr));
        to[column][c] = cv::saturate_cast<std::uint8_t>(level);
      }
    }
  }
  return out;
}

}  // namespace fos
