// SPDX-License-Identifier: MIT
#include "vision/appearance/paint_model.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "calibration/camera/response.h"
#include "engine/table/result.h"

namespace fos {
namespace {

// How far a camera's idea of a paint lies from the nominal one: lamps of 2700 to 6500 K, exposure.
constexpr PaintColour kNominalSpread{18, 8, 8};
// Flock, flare and a camera's matrix leave about this much of a paint's nominal saturation.
constexpr float kNominalSaturation = 0.8F;
// Of a base's pixels about a third are none of the paints but figures, their shadows and flock;
// these have some three thousand of the bins to be in.
constexpr float kOtherShare = 0.3F;
constexpr float kOther = 1.0F / 3000;

float CubeRoot(float t) {  // CIE 15: linear near black
  constexpr float kLimit = 216.0F / 24389.0F;
  if (!(t > kLimit)) return (24389.0F / 27.0F * t + 16) / 116;
  // A third of the exponent is right to 4 %; two of Newton's steps leave 2 in a million. Every
  // pixel that is looked at needs three of these.
  float root = std::bit_cast<float>(std::bit_cast<std::uint32_t>(t) / 3 + 0x2a5137a0U);
  for (int step = 0; step < 2; ++step) root = (2 * root + t / (root * root)) / 3;
  return root;
}

const std::vector<PaintColour>& BinColours() {
  static const std::vector<PaintColour> colours = [] {
    std::vector<PaintColour> c(kPaintBins);
    for (int i = 0; i < kPaintBins; ++i) {
      const auto level = [](int v) { return static_cast<std::uint8_t>((v & 31) * 8 + 4); };
      c[static_cast<std::size_t>(i)] = PaintColourOf({level(i >> 10), level(i >> 5), level(i)});
    }
    return c;
  }();
  return colours;
}

// Lamps' shadows leave a fifth of the light and more: L* + 16 goes with its cube root, and the
// levels of a picture with its 1 / 2.2nd power.
constexpr float kDarkestShade = 0.58F;
constexpr std::array<float, 5> kShadeLevels{0.5F, 0.6F, 0.7F, 0.8F, 0.9F};

// One pass of 1-2-1 along one of the three axes of the bins.
void Smooth(std::vector<float>& bins, int stride) {
  std::array<float, 32> line{};
  for (int i = 0; i < kPaintBins; ++i) {
    if (((i / stride) & 31) != 0) continue;
    for (int k = 0; k < 32; ++k) line[static_cast<std::size_t>(k)] = bins[i + k * stride];
    for (int k = 0; k < 32; ++k) {
      const float low = line[static_cast<std::size_t>(std::max(0, k - 1))];
      const float high = line[static_cast<std::size_t>(std::min(31, k + 1))];
      bins[i + k * stride] = 0.5F * line[static_cast<std::size_t>(k)] + 0.25F * (low + high);
    }
  }
}

void MakeShares(std::vector<float>& counts) {
  float total = 0;
  for (const float v : counts) total += v;
  for (float& v : counts) v = total > 0 ? v / total : 1.0F / kPaintBins;
}

std::vector<float> SmoothShares(const std::vector<float>& counts_by_bin) {
  FOS_CHECK(counts_by_bin.size() == kPaintBins);
  std::vector<float> shares = counts_by_bin;
  for (int pass = 0; pass < 2; ++pass) {
    for (const int stride : {1, 32, 1024}) Smooth(shares, stride);
  }
  MakeShares(shares);
  return shares;
}

}  // namespace

PaintColour PaintColourOf(const cv::Vec3b& bgr) {
  const auto& linear = LightOfSrgbCode();
  return PaintColourOfLinear({linear[bgr[0]], linear[bgr[1]], linear[bgr[2]]});
}

// a*, b* over (L* + 16) are 500 (x - y) / 116 y and 200 (y - z) / 116 y; times 40 they are about as
// large as a*, b* of a paint of middling lightness.
constexpr float kRedGreen = 40.0F * 500 / 116;
constexpr float kYellowBlue = 40.0F * 200 / 116;

PaintColour PaintColourOfLinear(const cv::Vec3f& bgr) {
  const float b = bgr[0];
  const float g = bgr[1];
  const float r = bgr[2];
  // sRGB to XYZ over the D65 white (IEC 61966-2-1).
  const float x = CubeRoot((0.4124F * r + 0.3576F * g + 0.1805F * b) / 0.9505F);
  const float y = CubeRoot(0.2126F * r + 0.7152F * g + 0.0722F * b);
  const float z = CubeRoot((0.0193F * r + 0.1192F * g + 0.9505F * b) / 1.089F);
  return {116 * y - 16, kRedGreen * (x - y) / y, kYellowBlue * (y - z) / y};
}

cv::Vec3f LinearOf(PaintColour colour) {
  const auto cube = [](float f) {  // the inverse of CubeRoot
    constexpr float kLimit = 6.0F / 29;
    return f > kLimit ? f * f * f : std::max(0.0F, (116 * f - 16) * 27 / 24389);
  };
  const float fy = (colour.lightness + 16) / 116;
  const float x = 0.9505F * cube(fy * (1 + colour.red_green / kRedGreen));
  const float y = cube(fy);
  const float z = 1.089F * cube(fy * (1 - colour.yellow_blue / kYellowBlue));
  return {0.0557F * x - 0.2040F * y + 1.0570F * z, -0.9689F * x + 1.8758F * y + 0.0415F * z,
          3.2406F * x - 1.5372F * y - 0.4986F * z};
}

// A bar 0.18 in deep at 24 px/in has 4.3 px; over its middle half a spread of 1.5 px (a lens's and
// a mosaic's 1 px, chroma in blocks of 2) brings a tenth to an eighth of what lies behind it.
constexpr float kBesideShare = 0.12F;

PaintColour BarBeside(PaintColour paint, PaintColour bar) {
  return PaintColourOfLinear(kBesideShare * LinearOf(paint) + (1 - kBesideShare) * LinearOf(bar));
}

PaintColour BarAlone(PaintColour paint, PaintColour seen) {
  cv::Vec3f bar = (LinearOf(seen) - kBesideShare * LinearOf(paint)) / (1 - kBesideShare);
  for (float& light : bar.val) light = std::max(light, 0.0F);
  return PaintColourOfLinear(bar);
}

float DistanceSquared(const Paint& paint, PaintColour c) {
  // Noise and neighbours' light tint a dark paint more: the same a* counts for more over a small
  // L*.
  constexpr float kDark = 50;  // L* + 16 below which it shows
  const float sure = std::min(1.0F, (paint.mean.lightness + 16) / kDark);
  const float l = (c.lightness - paint.mean.lightness) / paint.sigma.lightness;
  const float a = sure * (c.red_green - paint.mean.red_green) / paint.sigma.red_green;
  const float b = sure * (c.yellow_blue - paint.mean.yellow_blue) / paint.sigma.yellow_blue;
  return l * l + a * a + b * b;
}

PaintModel::PaintModel(const Scenario& scenario)
    : table_(kPaintBins, 1.0F / kPaintBins),
      background_(table_),
      evidence_(scenario.sides.size() * scenario.kinds.size()) {
  const auto nominal = [](Colour c) {
    PaintColour seen = PaintColourOf({c.b, c.g, c.r});
    seen.red_green *= kNominalSaturation;
    seen.yellow_blue *= kNominalSaturation;
    return seen;
  };
  for (const SideSpec& side : scenario.sides) {
    sides_.push_back({Paint{nominal(side.paint), kNominalSpread}, {}});
    for (const KindSpec& kind : scenario.kinds) {
      const PaintColour bar = BarBeside(nominal(side.paint), nominal(kind.bar));
      bars_.push_back({Paint{bar, kNominalSpread}, {}});
    }
  }
}

void PaintModel::SetBackground(const std::vector<float>& counts_by_bin) {
  table_ = SmoothShares(counts_by_bin);
  ShadeBackground();
}

bool PaintModel::AddBackground(const std::vector<float>& counts_by_bin) {
  const std::vector<float> shares = SmoothShares(counts_by_bin);
  std::vector<float> more = table_;
  float added = 0;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    added += std::max(0.0F, shares[i] - table_[i]);
    more[i] = std::max(table_[i], shares[i]);
  }
  // Two parts of one cloth in one light differ by 0.02 to 0.06 (six labelled clips).
  constexpr float kLeastNew = 0.1F;
  if (added < kLeastNew) return false;
  MakeShares(more);
  table_ = std::move(more);
  ShadeBackground();
  return true;
}

void PaintModel::ShadeBackground() {
  std::vector<float> share = table_;
  // The samples come from the open table: beside stands their shadows fall on it.
  std::vector<float> shaded(kPaintBins, 0);
  for (int i = 0; i < kPaintBins; ++i) {
    const float mass = share[static_cast<std::size_t>(i)];
    if (mass <= 0) continue;
    for (const float level : kShadeLevels) {
      const auto dimmed = [level](int v) {
        return static_cast<int>((static_cast<float>(v & 31) + 0.5F) * level);
      };
      shaded[static_cast<std::size_t>(dimmed(i >> 10) << 10 | dimmed(i >> 5) << 5 | dimmed(i))] +=
          mass / static_cast<float>(kShadeLevels.size());
    }
  }
  for (int i = 0; i < kPaintBins; ++i) {
    const auto n = static_cast<std::size_t>(i);
    share[n] = (1 - kInShade) * share[n] + kInShade * shaded[n];
  }
  background_ = std::move(share);
  for (StandEvidence& e : evidence_) e = {};
}

double PaintModel::ShareOfTable(const Paint& paint) const {
  constexpr float kLike = 4;
  const std::vector<PaintColour>& colours = BinColours();
  double sum = 0;
  for (std::size_t i = 0; i < background_.size(); ++i)
    if (background_[i] > 0 && DistanceSquared(paint, colours[i]) < kLike)
      sum += static_cast<double>(background_[i]);
  return sum;
}

void PaintModel::SetSide(int side, const Paint& paint) {
  sides_.at(static_cast<std::size_t>(side)) = {paint, {}};
  for (StandEvidence& e : evidence_) e = {};
}

void PaintModel::SetBar(int side, int kind, const Paint& paint) {
  bars_.at(Index(side, kind)) = {paint, {}};
  evidence_.at(Index(side, kind)) = {};
}

const std::vector<float>& PaintModel::Chance(Known& known) {
  if (!known.chance.empty()) return known.chance;
  const std::vector<PaintColour>& colours = BinColours();
  std::vector<float> lit(kPaintBins);
  std::vector<float> shade(kPaintBins);
  float lit_total = 0;
  float shade_total = 0;
  const float full = known.paint.mean.lightness + 16;
  for (int i = 0; i < kPaintBins; ++i) {
    const auto n = static_cast<std::size_t>(i);
    const PaintColour c = colours[n];
    constexpr float kFar = 30;
    const float d2 = DistanceSquared(known.paint, c);
    // A bin is a piece of the colours' space: the two hues go with 1 / (L* + 16).
    const float room = 1 / ((c.lightness + 16) * (c.lightness + 16));
    lit[n] = d2 < kFar ? room * std::exp(-0.5F * d2) : 0;
    lit_total += lit[n];
    // The same hue in less light.
    PaintColour hue = c;
    hue.lightness = known.paint.mean.lightness;
    const float h2 = DistanceSquared(known.paint, hue);
    const bool dimmer = c.lightness + 16 > kDarkestShade * full && c.lightness + 16 < full;
    shade[n] = dimmer && h2 < kFar ? room * std::exp(-0.5F * h2) : 0;
    shade_total += shade[n];
  }
  std::vector<float> out(kPaintBins);
  for (std::size_t n = 0; n < out.size(); ++n) {
    out[n] = (lit_total > 0 ? (1 - kInShade) * lit[n] / lit_total : 0) +
             (shade_total > 0 ? kInShade * shade[n] / shade_total : 0);
  }
  known.chance = std::move(out);
  return known.chance;
}

void PaintModel::PrepareSides() const {
  for (Known& side : sides_) Chance(side);
}

const StandEvidence& PaintModel::Evidence(int side, int kind) const {
  StandEvidence& e = evidence_.at(Index(side, kind));
  if (!e.bar.empty()) return e;
  const std::vector<float>& top = Chance(sides_.at(static_cast<std::size_t>(side)));
  const std::vector<float>& bar = Chance(bars_.at(Index(side, kind)));
  e.bar.assign(kPaintBins, 0);
  e.top.assign(kPaintBins, 0);
  e.outside.assign(kPaintBins, 0);
  for (int i = 0; i < kPaintBins; ++i) {
    const float g = background_[i];
    const float t = top[i];
    const float b = bar[i];
    if (g + t + b < 0.01F * kOther) continue;  // neither paint nor table: says nothing
    const float other = kOtherShare * kOther;
    constexpr float kPaint = 1 - kOtherShare;
    e.bar[i] = std::log((kPaint * b + other) / (kPaint * std::max(g, 0.5F * t) + other));
    e.top[i] = std::log((kPaint * t + other) / (kPaint * std::max(g, 0.5F * b) + other));
    e.outside[i] = std::log((kPaint * g + other) / (kPaint * std::max(b, t) + other));
  }
  return e;
}

}  // namespace fos
