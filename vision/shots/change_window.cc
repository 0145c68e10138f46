// SPDX-License-Identifier: MIT
#include "vision/shots/change_window.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <opencv2/core/hal/intrin.hpp>
#include <opencv2/imgproc.hpp>

#include "calibration/camera/response.h"
#include "engine/table/quantile.h"
#include "vision/image/square.h"

namespace fos {
namespace {

// Light between the whole code values: averaged pictures have fractions.
float LightOf(float code) {
  const std::array<float, 256>& table = LightOfSrgbCode();
  const float c = std::clamp(code, 0.F, 255.F);
  const auto i = std::min<std::size_t>(static_cast<std::size_t>(c), 254);
  return table[i] + (c - static_cast<float>(i)) * (table[i + 1] - table[i]);
}
float LightPerCode(float code) {
  return std::max(LightOf(code + 1) - LightOf(code - 1), 1e-4F) / 2;
}

// Student's t with four degrees of freedom: noise has outliers (coding, hot pixels, glints). Its
// constant is common to all hypotheses and left out. Three channels at once: 1 / density^2.
double InverseStudentSquared(const std::array<double, 3>& square,
                             const std::array<double, 3>& variance) {
  const double all = variance[0] * variance[1] * variance[2];
  // Of 1 + square / (4 * variance), the three together: one division.
  const double abc = (4 * variance[0] + square[0]) * (4 * variance[1] + square[1]) *
                     (4 * variance[2] + square[2]) / (64 * all);
  return abc * abc * abc * abc * abc * all;
}
double LogStudent(const std::array<double, 3>& square, const std::array<double, 3>& variance) {
  return -0.5 * std::log(InverseStudentSquared(square, variance));
}

// The sum of LogStudent over many pixels: a logarithm takes as long as all the rest of a pixel, so
// it is taken of their product.
class LogStudentSum {
 public:
  void Add(const std::array<double, 3>& square, const std::array<double, 3>& variance) {
    product_ *= InverseStudentSquared(square, variance);
    // Code values end at 255 and sigmas are one at least: a pixel's factor is below 1e75.
    constexpr double kFull = 1e200;
    if (product_ > kFull) TakeLog();
  }
  double Sum() {
    TakeLog();
    return sum_;
  }
  double SoFar() const { return sum_ - 0.5 * std::log(product_); }

 private:
  void TakeLog() {
    sum_ -= 0.5 * std::log(product_);
    product_ = 1;
  }
  double product_ = 1;
  double sum_ = 0;
};

// The changed pixels of `near`, without what may be hidden.
cv::Mat ChangedIn(const ChangeWindow& window, const cv::Mat& near) {
  // Three sigmas: one pixel in four hundred by chance.
  cv::Mat body;
  cv::bitwise_and(window.Change() > 3 * window.noise, near, body);
  for (int row = 0; row < body.rows; ++row) {
    for (int column = 0; column < body.cols; ++column) {
      if (window.At(row, column).unseen) body.at<std::uint8_t>(row, column) = 0;
    }
  }
  return body;
}

// What it takes to say where a body's outline turns: about a bit a pixel (a chain code's entropy;
// Leclerc, 1989), for an outline as coarse as the picture's independent samples.
double OutlineCost(const cv::Mat& body, const PixelModel& model) {
  std::vector<std::vector<cv::Point>> outlines;
  cv::findContours(body, outlines, cv::RETR_LIST, cv::CHAIN_APPROX_NONE);
  double rim = 0;
  for (const auto& outline : outlines) rim += static_cast<double>(outline.size());
  return rim * std::log(2.0) / std::sqrt(model.pixels_per_sample);
}

// Every pixel of the body by the one of a few colours that suits it, which must be said too.
double UnknownThing(const ChangeWindow& window, const std::vector<cv::Point>& places,
                    const PixelModel& model) {
  constexpr int kColours = 5;
  std::vector<cv::Vec3f> codes;
  codes.reserve(places.size());
  for (const cv::Point p : places) codes.push_back(window.At(p.y, p.x).code);
  const cv::Mat data(static_cast<int>(codes.size()), 3, CV_32F, codes.data());
  cv::Mat which;
  cv::Mat centres;
  cv::theRNG().state = 20;  // the same picture, the same answer
  constexpr int kRounds = 12;
  constexpr int kStarts = 2;
  cv::kmeans(data, kColours, which, cv::TermCriteria(cv::TermCriteria::COUNT, kRounds, 0), kStarts,
             cv::KMEANS_PP_CENTERS, centres);
  double log = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const int k = which.at<int>(static_cast<int>(i));
    std::array<double, 3> square;
    std::array<double, 3> variance;
    for (int c = 0; c < 3; ++c) {
      const double mean = centres.at<float>(k, c);
      square[static_cast<std::size_t>(c)] = Square(codes[i][c] - mean);
      variance[static_cast<std::size_t>(c)] =
          Square(window.noise) + Square(model.appearance_sigma * mean);
    }
    log += LogStudent(square, variance) - window.At(places[i].y, places[i].x).nothing -
           std::log(kColours);
  }
  const double samples = static_cast<double>(places.size()) / model.SampleSize();
  return log / model.SampleSize() - 0.5 * 3 * kColours * std::log(std::max(samples, 2.0));
}

// Every pixel of the body as it was, in a light between its own and one that is lighter or darker:
// shadows have soft edges.
double OtherLight(const ChangeWindow& window, const std::vector<cv::Point>& places,
                  const PixelModel& model) {
  std::array<std::array<std::vector<double>, 3>, 2> ratios;  // darker and lighter, by channel
  const auto lighter = [&](const ChangeWindow::Pixel& p) {
    return p.after[0] + p.after[1] + p.after[2] > p.before[0] + p.before[1] + p.before[2] ? 1U : 0U;
  };
  constexpr float kDark = 0.003F;  // light below which a ratio says nothing: code value 10
  // What was burnt out was lighter than the picture could show, by nobody knows how much.
  const float burnt = LightOfSrgbCode()[kBurntCode];
  for (const cv::Point at : places) {
    const ChangeWindow::Pixel& p = window.At(at.y, at.x);
    for (int c = 0; c < 3; ++c) {
      if (p.before[c] > kDark && p.before[c] < burnt)
        ratios[lighter(p)][static_cast<std::size_t>(c)].push_back(p.after[c] / p.before[c]);
    }
  }
  // The full gains: a tenth of the pixels may go further by noise.
  std::array<cv::Vec3d, 2> gain;
  for (std::size_t k = 0; k < 2; ++k) {
    for (std::size_t c = 0; c < 3; ++c) {
      gain[k][static_cast<int>(c)] =
          Quantile(std::move(ratios[k][c]), k == 1 ? 0.9 : 0.1).value_or(1);
    }
    // A lamp that is shaded leaves another lamp's light: 2,700 K against 6,500 K parts red from
    // blue by about twice, once the camera has balanced them; here the middle channel is kept.
    constexpr double kPart = 1.4;
    const double all = (gain[k][0] + gain[k][1] + gain[k][2]) / 3;
    for (int c = 0; c < 3; ++c) gain[k][c] = std::clamp(gain[k][c], all / kPart, all * kPart);
  }
  constexpr int kSteps = 6;  // between no change and the full gain; which one must be said
  double log = 0;
  for (const cv::Point at : places) {
    const ChangeWindow::Pixel& p = window.At(at.y, at.x);
    const cv::Vec3d& full = gain[lighter(p)];
    double best = -1e18;
    for (int step = 1; step <= kSteps; ++step) {
      std::array<double, 3> square;
      std::array<double, 3> variance;
      for (int c = 0; c < 3; ++c) {
        const double times = 1 + (full[c] - 1) * step / kSteps;
        const double light = times * p.before[c];
        const double code = CodeOfLight(light);
        // More light makes more of the noise of what was there before, too: much, where that was
        // dark.
        const auto before = static_cast<float>(CodeOfLight(p.before[c]));
        const double noise = times * LightPerCode(before) / LightPerCode(static_cast<float>(code));
        const bool at_least = p.before[c] >= burnt && p.code[c] > code;
        square[static_cast<std::size_t>(c)] = at_least ? 0 : Square(p.code[c] - code);
        variance[static_cast<std::size_t>(c)] = Square(window.noise * std::max(noise, 1.0)) +
                                                Square(model.appearance_sigma * code);
      }
      best = std::max(best, LogStudent(square, variance));
    }
    log += best - p.nothing - std::log(kSteps);
  }
  const double samples = static_cast<double>(places.size()) / model.SampleSize();
  return log / model.SampleSize() - 0.5 * 3 * 2 * std::log(std::max(samples, 2.0));
}

struct Bared {
  double log = 0;   // over that of "nothing came"
  double came = 0;  // by how much the picture before looks more like ground than the one now
};
// Every pixel of the body as the ground about it looks now: what lay there has gone.
Bared BaredGround(const ChangeWindow& window, const std::vector<cv::Point>& places,
                  const PixelModel& model) {
  constexpr int kColours = 3;  // cloth, a line, a road
  constexpr std::size_t kLeast = 50;
  std::vector<cv::Vec3f> ground;
  for (const ChangeWindow::Pixel& p : window.pixels) {
    if (p.change < 2 * window.noise) ground.push_back(p.code);
  }
  if (ground.size() < kLeast) return {};
  const std::size_t stride = ground.size() / 2000 + 1;  // enough for three colours
  for (std::size_t i = 0; i * stride < ground.size(); ++i) ground[i] = ground[i * stride];
  ground.resize((ground.size() + stride - 1) / stride);
  const cv::Mat data(static_cast<int>(ground.size()), 3, CV_32F, ground.data());
  cv::Mat which;
  cv::Mat centres;
  cv::theRNG().state = 20;  // the same picture, the same answer
  cv::kmeans(data, kColours, which, cv::TermCriteria(cv::TermCriteria::COUNT, 12, 0), 2,
             cv::KMEANS_PP_CENTERS, centres);
  std::array<std::array<double, 3>, kColours> spread{};
  std::array<double, kColours> count{};
  for (std::size_t i = 0; i < ground.size(); ++i) {
    const int k = which.at<int>(static_cast<int>(i));
    for (int c = 0; c < 3; ++c) {
      spread[static_cast<std::size_t>(k)][static_cast<std::size_t>(c)] +=
          Square(ground[i][c] - centres.at<float>(k, c));
    }
    count[static_cast<std::size_t>(k)] += 1;
  }
  // ln of how likely ground looks so.
  const auto as_ground = [&](const cv::Vec3f& code) {
    double best = -1e18;
    for (std::size_t k = 0; k < kColours; ++k) {
      if (count[k] < 2) continue;
      std::array<double, 3> square;
      std::array<double, 3> variance;
      for (std::size_t c = 0; c < 3; ++c) {
        const double mean = centres.at<float>(static_cast<int>(k), static_cast<int>(c));
        square[c] = Square(code[static_cast<int>(c)] - mean);
        variance[c] = Square(window.noise) + spread[k][c] / count[k];
      }
      best = std::max(best, LogStudent(square, variance) +
                                std::log(count[k] / static_cast<double>(ground.size())));
    }
    return best;
  };
  double log = 0;
  double came = 0;
  for (const cv::Point at : places) {
    const ChangeWindow::Pixel& p = window.At(at.y, at.x);
    const double now = as_ground(p.code);
    log += now - p.nothing;
    cv::Vec3f before;
    for (int c = 0; c < 3; ++c) before[c] = static_cast<float>(CodeOfLight(p.before[c]));
    came += as_ground(before) - now;
  }
  // Where the picture before looks more like ground, something has come and nothing gone.
  return {(log - std::max(came, 0.0)) / model.SampleSize(), came / model.SampleSize()};
}

// Two numbers of each channel at once: blue and green, and red. Each is what it would come to alone,
// to the last bit.
struct Channels {
  cv::v_float64x2 low;
  cv::v_float64x2 high;  // red, and what is not used

  static Channels Of(const cv::v_float32x4& values) {
    return {cv::v_cvt_f64(values), cv::v_cvt_f64_high(values)};
  }
  static Channels Of(const cv::Vec3d& values) {
    return {cv::v_load(values.val), cv::v_float64x2(values[2], 0)};
  }
  static Channels All(double value) {
    return {cv::v_setall_f64(value), cv::v_setall_f64(value)};
  }
  Channels operator+(const Channels& b) const { return {low + b.low, high + b.high}; }
  Channels operator-(const Channels& b) const { return {low - b.low, high - b.high}; }
  Channels operator*(const Channels& b) const { return {low * b.low, high * b.high}; }
  // Blue, green and red.
  std::array<double, 3> Each() const {
    std::array<double, 4> all;
    cv::v_store(all.data(), low);
    cv::v_store(all.data() + 2, high);
    return {all[0], all[1], all[2]};
  }
};
// The last of the four is whatever lies behind the three.
static_assert(offsetof(ChangeWindow::Pixel, weight) + sizeof(cv::v_float32x4) <=
              sizeof(ChangeWindow::Pixel));
cv::v_float32x4 Loaded(const cv::Vec3f& of_pixel) { return cv::v_load(of_pixel.val); }

// What a pixel shows under a hypothesis, code values.
class PredictedCodes {
 public:
  explicit PredictedCodes(const PartColours& colours) : shadow_(Channels::Of(colours.shadow)) {
    for (std::size_t k = 0; k < part_.size(); ++k) part_[k] = Channels::Of(colours.part[k]);
  }
  cv::Vec3f operator()(const ChangeWindow::Pixel& p, const PixelParts& s) const {
    Channels light = Channels::All(s.bare) *
                     (Channels::All(1) - Channels::All(s.shade) * shadow_) *
                     Channels::Of(Loaded(p.before));
    // Most pixels show one part alone.
    for (std::size_t k = 0; k < part_.size(); ++k) {
      if (s.part[k] != 0) light = light + Channels::All(s.part[k]) * part_[k];
    }
    return CodesOfLight(cv::v_cvt_f32(light.low, light.high));
  }

 private:
  Channels shadow_;
  std::array<Channels, PixelParts::kParts> part_;
};
// The share of a pixel that is the thing's or in its shadow.
double Own(const PixelParts& s) { return std::max(1 - s.bare, s.bare * s.shade); }

// What a hypothesis changes, code values, in the part of a window that it says something about.
struct CodeChange {
  cv::Rect box;    // of the window
  cv::Mat grey;    // CV_32F, the luma's change
  cv::Mat colour;  // CV_32FC3, what each channel changes beyond that
  cv::Mat own;     // CV_32F, the share of the pixel that is the thing's or in its shadow
};
// blurred  colours as 4:2:0 coding keeps them. What was there before has been blurred already.
CodeChange ChangeOfCodes(const ChangeWindow& window, const std::vector<PixelParts>& parts,
                         const PartColours& colours, bool blurred) {
  constexpr int kReach = 2;  // of the blur, pixels
  int low_row = window.rect.height;
  int high_row = 0;
  int low_column = window.rect.width;
  int high_column = 0;
  for (const PixelParts& s : parts) {
    low_row = std::min(low_row, s.row);
    high_row = std::max(high_row, s.row);
    low_column = std::min(low_column, s.column);
    high_column = std::max(high_column, s.column);
  }
  CodeChange out;
  out.box = cv::Rect(low_column - kReach, low_row - kReach, high_column - low_column + 1 + 2 * kReach,
                     high_row - low_row + 1 + 2 * kReach) &
            cv::Rect({}, window.rect.size());
  out.grey = cv::Mat(out.box.size(), CV_32F, cv::Scalar(0));
  out.colour = cv::Mat(out.box.size(), CV_32FC3, cv::Scalar::all(0));
  out.own = cv::Mat(out.box.size(), CV_32F, cv::Scalar(0));
  const PredictedCodes predicted(colours);
  for (const PixelParts& s : parts) {
    const ChangeWindow::Pixel& p = window.At(s.row, s.column);
    const cv::Vec3d codes = predicted(p, s);
    cv::Vec3f change;
    for (int c = 0; c < 3; ++c)
      change[c] = static_cast<float>(codes[c] - CodeOfLight(p.before[c]));
    const float luma = 0.114F * change[0] + 0.587F * change[1] + 0.299F * change[2];
    const cv::Point at(s.column - out.box.x, s.row - out.box.y);
    out.grey.at<float>(at) = luma;
    out.colour.at<cv::Vec3f>(at) = change - cv::Vec3f::all(luma);
    out.own.at<float>(at) = static_cast<float>(Own(s));
  }
  if (!blurred) return out;
  // Two by two pixels averaged, and spread again between their middles: about a binomial of five.
  const cv::Mat taps = (cv::Mat_<float>(1, 5) << 1, 4, 6, 4, 1) / 16;
  cv::sepFilter2D(out.colour, out.colour, CV_32F, taps, taps, {-1, -1}, 0, cv::BORDER_CONSTANT);
  return out;
}

// What a pixel of its box shows with that change, code values.
cv::Vec3d CodesWith(const CodeChange& change, const ChangeWindow::Pixel& p, int row, int column) {
  cv::Vec3d out = change.colour.at<cv::Vec3f>(row, column);
  for (int c = 0; c < 3; ++c)
    out[c] += change.grey.at<float>(row, column) + CodeOfLight(p.before[c]);
  return out;
}

// Every pixel of the body as the picture before was a little aside: what stood there has been pushed.
// Half pixels between its own are enough, since what was pushed is soft by the lens.
double PushedThing(const ChangeWindow& window, const std::vector<cv::Point>& places,
                   double farthest_px, const PixelModel& model) {
  const int reach = static_cast<int>(farthest_px);
  if (reach < 1) return 0;
  cv::Mat before(window.rect.size(), CV_32FC3);
  for (int row = 0; row < before.rows; ++row) {
    for (int column = 0; column < before.cols; ++column) {
      for (int c = 0; c < 3; ++c) {
        before.at<cv::Vec3f>(row, column)[c] =
            static_cast<float>(CodeOfLight(window.At(row, column).before[c]));
      }
    }
  }
  double nothing = 0;
  for (const cv::Point at : places) nothing += window.At(at.y, at.x).nothing;
  // A pixel that is predicted exactly.
  const double most_of_one = -0.5 * 3 * std::log(2 * Square(window.noise));
  double best = 0;
  int tried = 0;
  cv::Mat pushed;
  for (const cv::Point2d half : {cv::Point2d(0, 0), cv::Point2d(0.5, 0), cv::Point2d(0, 0.5),
                                 cv::Point2d(0.5, 0.5)}) {
    const cv::Matx23d by(1, 0, half.x, 0, 1, half.y);
    cv::warpAffine(before, pushed, by, before.size(), cv::INTER_LINEAR, cv::BORDER_REPLICATE);
    for (int y = -reach; y <= reach; ++y) {
      for (int x = -reach; x <= reach; ++x) {
        const double far = std::hypot(x + half.x, y + half.y);
        if (far < 1 || far > farthest_px) continue;
        ++tried;
        LogStudentSum sum;
        // Left where it comes to less than the best even if the rest is predicted exactly.
        constexpr std::size_t kAsked = 16;  // places apart
        constexpr double kRounding = 1e-6;
        bool left = false;
        for (std::size_t i = 0; i < places.size() && !left; ++i) {
          const cv::Point at = places[i];
          const cv::Point from(std::clamp(at.x - x, 0, before.cols - 1),
                               std::clamp(at.y - y, 0, before.rows - 1));
          const auto& code = pushed.at<cv::Vec3f>(from);
          const ChangeWindow::Pixel& p = window.At(at.y, at.x);
          std::array<double, 3> square;
          std::array<double, 3> variance;
          for (int c = 0; c < 3; ++c) {
            square[static_cast<std::size_t>(c)] = Square(p.code[c] - code[c]);
            variance[static_cast<std::size_t>(c)] =
                2 * Square(window.noise) + Square(model.appearance_sigma * code[c]);
          }
          sum.Add(square, variance);
          const auto rest = static_cast<double>(places.size() - i - 1);
          left = i % kAsked == kAsked - 1 &&
                 sum.SoFar() + rest * most_of_one - nothing + kRounding < best;
        }
        if (!left) best = std::max(best, sum.Sum() - nothing);
      }
    }
  }
  return best / model.SampleSize() - std::log(std::max(tried, 1));
}

}  // namespace

cv::Mat ChangeWindow::Change() const {
  cv::Mat out(rect.size(), CV_32F);
  for (int row = 0; row < out.rows; ++row) {
    for (int column = 0; column < out.cols; ++column)
      out.at<float>(row, column) = At(row, column).change;
  }
  return out;
}

ChangeWindow CutWindow(const ShotPictures& pictures, const cv::Rect& rect, const cv::Mat& unseen,
                       const PixelModel& model) {
  ChangeWindow out;
  out.rect = rect & cv::Rect({}, pictures.after.size());
  cv::Mat before;
  cv::Mat after;
  pictures.before(out.rect).convertTo(before, CV_32FC3);
  pictures.after(out.rect).convertTo(after, CV_32FC3);
  // The noise where nothing changed, from this window itself: what coding, texture and a pose that
  // trembles leave. The median change belongs to the ground wherever the new thing covers less than
  // half.
  std::vector<double> changes;
  for (int row = 0; row < after.rows; row += 2) {
    for (int column = 0; column < after.cols; column += 2) {
      const cv::Vec3f d = after.at<cv::Vec3f>(row, column) - before.at<cv::Vec3f>(row, column);
      for (int c = 0; c < 3; ++c) changes.push_back(std::abs(d[c]));
    }
  }
  constexpr double kMadToSigma = 1.4826;  // of a normal distribution
  out.noise = std::max({kMadToSigma * Quantile(std::move(changes), 0.5).value_or(0),
                        std::sqrt(2.0) * pictures.noise, 1.0});
  out.pixels.reserve(static_cast<std::size_t>(out.rect.area()));
  for (int row = 0; row < after.rows; ++row) {
    for (int column = 0; column < after.cols; ++column) {
      const auto& b = before.at<cv::Vec3f>(row, column);
      ChangeWindow::Pixel p;
      p.code = after.at<cv::Vec3f>(row, column);
      std::array<double, 3> square;
      for (int c = 0; c < 3; ++c) {
        p.before[c] = LightOf(b[c]);
        p.after[c] = LightOf(p.code[c]);
        const double sigma = LightPerCode(p.code[c]) *
                             std::hypot(out.noise, model.appearance_sigma * p.code[c]);
        p.weight[c] = static_cast<float>(1 / (sigma * sigma));
        square[static_cast<std::size_t>(c)] = Square(p.code[c] - b[c]);
        p.change = std::max(p.change, std::abs(p.code[c] - b[c]));
      }
      const double variance = Square(out.noise);
      p.nothing = static_cast<float>(LogStudent(square, {variance, variance, variance}));
      constexpr float kSigmas = 3;
      const std::uint8_t hidden =
          unseen.empty() ? 0 : unseen.at<std::uint8_t>(out.rect.y + row, out.rect.x + column);
      p.unseen =
          hidden == kAnothers || (hidden != 0 && p.change < kSigmas * static_cast<float>(out.noise));
      out.pixels.push_back(p);
    }
  }
  return out;
}

cv::Vec3d LampAt(const ChangeWindow& window, ImagePoint at, double about_px,
                 const PaperLight& paper) {
  constexpr double kBlack = 0.003;  // light
  std::array<std::vector<double>, 3> ground;
  for (int row = 0; row < window.rect.height; ++row) {
    for (int column = 0; column < window.rect.width; ++column) {
      const double x = column + window.rect.x - at.x_px;
      const double y = row + window.rect.y - at.y_px;
      if (std::hypot(x, y) > 1.5 * about_px) continue;
      for (std::size_t c = 0; c < 3; ++c)
        ground[c].push_back(window.At(row, column).before[static_cast<int>(c)]);
    }
  }
  cv::Vec3d out(1, 1, 1);
  if (ground[0].empty()) return out;
  for (std::size_t c = 0; c < 3; ++c) {
    const int channel = static_cast<int>(c);
    const double light = *Quantile(std::move(ground[c]), 0.5);
    if (light < kBlack || paper.ground_bgr[channel] < kBlack) return {1, 1, 1};
    out[channel] = light / paper.ground_bgr[channel];
  }
  return out * (3 / (out[0] + out[1] + out[2]));
}

ColourSums::ColourSums(const ChangeWindow& window, const std::vector<PixelParts>& parts,
                       double sample_size) {
  const double per_sample = 1 / sample_size;
  constexpr std::size_t kShadow = PixelParts::kParts;
  constexpr float kOwn = 0.05F;  // of a pixel: less of it is ground
  std::array<Channels, kUnknowns * kUnknowns> normal;
  std::array<Channels, kUnknowns> right;
  normal.fill(Channels::All(0));
  right.fill(Channels::All(0));
  for (const PixelParts& s : parts) {
    const ChangeWindow::Pixel& p = window.At(s.row, s.column);
    // Most pixels show one part alone.
    std::array<std::size_t, kUnknowns> shown;
    std::size_t count = 0;
    std::array<Channels, kUnknowns> basis;
    for (std::size_t k = 0; k < PixelParts::kParts; ++k) {
      if (s.part[k] == 0) continue;
      basis[k] = Channels::All(s.part[k]);
      shown[count++] = k;
    }
    const float shade = -s.bare * s.shade;
    const cv::v_float32x4 before = Loaded(p.before);
    if (shade != 0) {
      basis[kShadow] = Channels::Of(cv::v_setall_f32(shade) * before);
      shown[count++] = kShadow;
    }
    const cv::v_float32x4 target = Loaded(p.after) - cv::v_setall_f32(s.bare) * before;
    const Channels weight = Channels::All(per_sample) * Channels::Of(Loaded(p.weight));
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t at = shown[i];
      const Channels weighted = weight * basis[at];
      right[at] = right[at] + weighted * Channels::Of(target);
      for (std::size_t j = i; j < count; ++j) {
        Channels& sum = normal[at * kUnknowns + shown[j]];
        sum = sum + weighted * basis[shown[j]];
      }
    }
    if (s.bare > 1 - kOwn || std::max({p.code[0], p.code[1], p.code[2]}) < kBurntCode) continue;
    const std::array<double, 3> targets = Channels::Of(target).Each();
    const std::array<double, 3> weights = weight.Each();
    for (std::size_t c = 0; c < burnt_.size(); ++c) {
      if (p.code[static_cast<int>(c)] < kBurntCode) continue;
      Burnt burnt{{}, static_cast<float>(targets[c]), static_cast<float>(weights[c])};
      for (std::size_t i = 0; i < count; ++i)
        burnt.basis[shown[i]] = static_cast<float>(basis[shown[i]].Each()[c]);
      burnt_[c].push_back(burnt);
    }
  }
  for (int i = 0; i < kUnknowns; ++i) {
    const auto row = static_cast<std::size_t>(i);
    const std::array<double, 3> of_right = right[row].Each();
    for (std::size_t c = 0; c < right_.size(); ++c) right_[c][i] = of_right[c];
    for (int j = 0; j < kUnknowns; ++j) {
      const std::array<double, 3> sums =
          normal[row * kUnknowns + static_cast<std::size_t>(j)].Each();
      for (std::size_t c = 0; c < normal_.size(); ++c) normal_[c](i, j) = sums[c];
    }
  }
}

namespace {

// A lamp's share of a room's light: shadows keep a tenth at least, and three tenths are usual.
constexpr double kShadow = 0.3;
constexpr double kShadowSigma = 0.35;
constexpr double kDeepest = 0.9;

}  // namespace

ColourSums::Solved ColourSums::SolveChannel(
    int c, const std::array<PartPrior, PixelParts::kParts>& priors) const {
  auto normal = normal_[static_cast<std::size_t>(c)];
  auto right = right_[static_cast<std::size_t>(c)];
  for (int k = 0; k < kUnknowns; ++k) {
    const bool shadow = k == kUnknowns - 1;
    const double mean = shadow ? kShadow : priors[static_cast<std::size_t>(k)].mean[c];
    const double sigma = shadow ? kShadowSigma : priors[static_cast<std::size_t>(k)].sigma[c];
    normal(k, k) += 1 / Square(sigma);
    right[k] += mean / Square(sigma);
  }
  const auto solve = [](Matrix& upper, const Vector& values) {
    for (int k = 0; k < kUnknowns; ++k) {
      for (int j = 0; j < k; ++j) upper(k, j) = upper(j, k);
    }
    return upper.solve(values, cv::DECOMP_CHOLESKY);
  };
  Solved out;
  out.at = solve(normal, right);
  out.normal = normal;
  const std::vector<Burnt>& burnt = burnt_[static_cast<std::size_t>(c)];
  // Without those that the solution makes lighter still, until they are the same ones: each round
  // comes nearer by Newton's way.
  constexpr int kRounds = 4;
  for (int round = 0; round < kRounds && !burnt.empty(); ++round) {
    Matrix left = normal;
    Vector left_right = right;
    for (const Burnt& pixel : burnt) {
      double light = 0;
      for (int k = 0; k < kUnknowns; ++k)
        light += pixel.basis[static_cast<std::size_t>(k)] * out.at[k];
      if (light < pixel.target) continue;
      for (int k = 0; k < kUnknowns; ++k) {
        const double weighted = pixel.weight * pixel.basis[static_cast<std::size_t>(k)];
        if (weighted == 0) continue;
        left_right[k] -= weighted * pixel.target;
        for (int j = k; j < kUnknowns; ++j)
          left(k, j) -= weighted * pixel.basis[static_cast<std::size_t>(j)];
      }
    }
    const Vector next = solve(left, left_right);
    const double moved = cv::norm(next - out.at);
    out = {left, next};
    constexpr double kStill = 0.01;  // light
    if (moved < kStill) break;
  }
  return out;
}

PartColours ColourSums::Solve(const std::array<PartPrior, PixelParts::kParts>& priors) const {
  PartColours out;
  for (int c = 0; c < 3; ++c) {
    const Vector solved = SolveChannel(c, priors).at;
    const bool burnt = !burnt_[static_cast<std::size_t>(c)].empty();
    for (std::size_t k = 0; k < PixelParts::kParts; ++k) {
      const double high = burnt && priors[k].low >= 0 ? kMostBurnt : priors[k].high;
      out.part[k][c] = std::clamp(solved[static_cast<int>(k)], priors[k].low, high);
    }
    out.shadow[c] = std::clamp(solved[kUnknowns - 1], 0.0, kDeepest);
  }
  return out;
}

cv::Vec3d ColourSums::SigmaOf(std::size_t part,
                              const std::array<PartPrior, PixelParts::kParts>& priors) const {
  cv::Vec3d out;
  for (int c = 0; c < 3; ++c) {
    const Matrix inverse = SolveChannel(c, priors).normal.inv(cv::DECOMP_CHOLESKY);
    out[c] = std::sqrt(inverse(static_cast<int>(part), static_cast<int>(part)));
  }
  return out;
}

double LogOverNothing(const ChangeWindow& window, const std::vector<PixelParts>& parts,
                      const PartColours& colours, double sample_size, const PixelModel& model) {
  LogStudentSum sum;
  double nothing = 0;
  const double noise = Square(window.noise);
  const PredictedCodes predicted(colours);
  for (const PixelParts& s : parts) {
    const ChangeWindow::Pixel& p = window.At(s.row, s.column);
    const double own = Square(model.appearance_sigma * Own(s));
    const cv::Vec3d codes = predicted(p, s);
    std::array<double, 3> square;
    std::array<double, 3> variance;
    for (int c = 0; c < 3; ++c) {
      square[static_cast<std::size_t>(c)] = Square(p.code[c] - codes[c]);
      variance[static_cast<std::size_t>(c)] = noise + own * Square(codes[c]);
    }
    sum.Add(square, variance);
    nothing += p.nothing;
  }
  return (sum.Sum() - nothing) / sample_size;
}

double LogOverNothingSubsampled(const ChangeWindow& window, const std::vector<PixelParts>& parts,
                                const PartColours& colours, double sample_size,
                                const PixelModel& model) {
  if (parts.empty()) return 0;
  const CodeChange change = ChangeOfCodes(window, parts, colours, true);
  LogStudentSum sum;
  double nothing = 0;
  const double noise = Square(window.noise);
  for (int row = 0; row < change.box.height; ++row) {
    for (int column = 0; column < change.box.width; ++column) {
      const ChangeWindow::Pixel& p = window.At(row + change.box.y, column + change.box.x);
      if (p.unseen) continue;
      const auto& blurred = change.colour.at<cv::Vec3f>(row, column);
      const float luma = change.grey.at<float>(row, column);
      constexpr float kNone = 0.1F;  // of a code value
      if (std::abs(luma) + std::abs(blurred[0]) + std::abs(blurred[1]) + std::abs(blurred[2]) < kNone)
        continue;
      const double uneven = Square(model.appearance_sigma * change.own.at<float>(row, column));
      std::array<double, 3> square;
      std::array<double, 3> variance;
      const cv::Vec3d codes = CodesWith(change, p, row, column);
      for (int c = 0; c < 3; ++c) {
        const double code = std::clamp(codes[c], 0.0, 255.0);
        square[static_cast<std::size_t>(c)] = Square(p.code[c] - code);
        variance[static_cast<std::size_t>(c)] = noise + uneven * code * code;
      }
      sum.Add(square, variance);
      nothing += p.nothing;
    }
  }
  return (sum.Sum() - nothing) / sample_size;
}

WeightedCodes::WeightedCodes(const ChangeWindow& window, const std::vector<PixelParts>& parts,
                             const PartColours& colours, bool subsampled, double sample_size,
                             const PixelModel& model)
    : window_(window), subsampled_(subsampled), index_(window.pixels.size(), -1) {
  weight_.reserve(parts.size());
  nothing_.reserve(3 * parts.size());
  const PredictedCodes predicted_codes(colours);
  for (const PixelParts& s : parts) {
    const ChangeWindow::Pixel& p = window.At(s.row, s.column);
    index_[window.Index(s.row, s.column)] = static_cast<int>(weight_.size());
    const cv::Vec3d predicted = predicted_codes(p, s);
    const double own = Square(model.appearance_sigma * Own(s));
    cv::Vec3f weight;
    for (int c = 0; c < 3; ++c) {
      const double variance = Square(window.noise) + own * Square(predicted[c]);
      // Of LogStudent's terms, as of a normal distribution's by iterated weights.
      weight[c] = static_cast<float>(
          std::sqrt(5 / ((4 * variance + Square(p.code[c] - predicted[c])) * sample_size)));
      nothing_.push_back(weight[c] * static_cast<float>(CodeOfLight(p.before[c])));
    }
    weight_.push_back(weight);
  }
}

void WeightedCodes::Of(const std::vector<PixelParts>& parts, const PartColours& colours,
                       std::vector<float>& out) const {
  out = nothing_;
  const auto put = [&](std::size_t index, const cv::Vec3f& codes) {
    for (int c = 0; c < 3; ++c)
      out[3 * index + static_cast<std::size_t>(c)] = weight_[index][c] * codes[c];
  };
  if (!subsampled_) {
    const PredictedCodes predicted(colours);
    for (const PixelParts& s : parts) {
      const int index = index_[window_.Index(s.row, s.column)];
      if (index < 0) continue;
      put(static_cast<std::size_t>(index),
          predicted(window_.At(s.row, s.column), s));
    }
    return;
  }
  if (parts.empty()) return;
  const CodeChange change = ChangeOfCodes(window_, parts, colours, true);
  for (int row = 0; row < change.box.height; ++row) {
    for (int column = 0; column < change.box.width; ++column) {
      const int index = index_[window_.Index(row + change.box.y, column + change.box.x)];
      if (index < 0) continue;
      const ChangeWindow::Pixel& p = window_.At(row + change.box.y, column + change.box.x);
      put(static_cast<std::size_t>(index), cv::Vec3f(CodesWith(change, p, row, column)));
    }
  }
}

cv::Mat PredictedPicture(const ChangeWindow& window, const std::vector<PixelParts>& parts,
                         const PartColours& colours, bool subsampled) {
  cv::Mat out(window.rect.size(), CV_8UC3);
  for (int row = 0; row < out.rows; ++row) {
    for (int column = 0; column < out.cols; ++column) {
      const ChangeWindow::Pixel& p = window.At(row, column);
      auto& pixel = out.at<cv::Vec3b>(row, column);
      for (int c = 0; c < 3; ++c)
        pixel[c] = cv::saturate_cast<std::uint8_t>(p.unseen ? p.code[c] : CodeOfLight(p.before[c]));
    }
  }
  if (parts.empty()) return out;
  const CodeChange change = ChangeOfCodes(window, parts, colours, subsampled);
  for (int row = 0; row < change.box.height; ++row) {
    for (int column = 0; column < change.box.width; ++column) {
      const cv::Point at(column + change.box.x, row + change.box.y);
      const ChangeWindow::Pixel& p = window.At(at.y, at.x);
      if (p.unseen) continue;
      out.at<cv::Vec3b>(at) = cv::Vec3b(CodesWith(change, p, row, column));
    }
  }
  return out;
}

Alternatives ExplainOtherwise(const ChangeWindow& window, const cv::Mat& near,
                              double farthest_push_px, const PixelModel& model) {
  Alternatives out;
  const cv::Mat body = ChangedIn(window, near);
  std::vector<cv::Point> places;
  cv::findNonZero(body, places);
  out.changed_px = static_cast<double>(places.size());
  constexpr std::size_t kLeast_px = 10;  // two a colour
  if (places.size() < kLeast_px) return out;
  const double outline = OutlineCost(body, model);
  out.unknown = UnknownThing(window, places, model) - outline;
  out.relit = OtherLight(window, places, model) - outline;
  const Bared bared = BaredGround(window, places, model);
  out.bared = bared.log - outline;
  out.came = bared.came;
  out.pushed = PushedThing(window, places, farthest_push_px, model) - outline;
  return out;
}

}  // namespace fos
