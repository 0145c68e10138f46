// SPDX-License-Identifier: MIT
#include "datasets/render/augmentation.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <vector>

#include <fmt/format.h>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>

#include "datasets/render/srgb.h"

namespace fos {
namespace {

constexpr std::string_view kHue = "hue";

struct NamedLook {
  std::string_view name;
  Augmentation look;
};
const std::vector<NamedLook>& NamedLooks() {
  static const std::vector<NamedLook> looks{
      // Two fifths of the light, at the gain's noise.
      {"dark", {.light = {0.4, 0.4, 0.4}, .noise_levels = 2}},
      // About half the way from daylight to a 2,700 K lamp, and as far to the other side: the tint
      // that remains after a camera's white balance.
      {"warm", {.light = {0.6, 0.9, 1.15}}},
      {"cold", {.light = {1.2, 0.95, 0.75}}},
      {"pale", {.saturation = 0.6}},
      {"soft", {.blur_px = 1.2}},
      // Sun through a window beside a ceiling's light.
      {"sunny", {.light = {1.1, 1.1, 1.1}, .sun = 3}},
      // Exposed for a dark room: what is white burns out.
      {"bright", {.light = {1.8, 1.8, 1.8}}},
      // Against a window, the lens not wiped.
      {"veiled", {.light = {0.75, 0.75, 0.75}, .veil = 0.2}},
      {"noisy", {.noise_levels = 6}},
      {"sharpened", {.sharpened = 1.2}},
      // 1080p becomes 720p.
      {"coarse", {.noise_levels = 2.5, .fewer_pixels = 2.0 / 3}},
  };
  return looks;
}

// Each channel by its gain of linear light.
cv::Mat Lit(const cv::Mat& bgr, const cv::Vec3d& light) {
  cv::Mat curve(1, 256, CV_8UC3);
  for (int level = 0; level < 256; ++level) {
    const double linear = LightOfSrgb(level / 255.0);
    for (int c = 0; c < 3; ++c) {
      const double code = SrgbOfLight(std::clamp(light[c] * linear, 0.0, 1.0));
      curve.at<cv::Vec3b>(0, level)[c] = cv::saturate_cast<std::uint8_t>(255 * code);
    }
  }
  cv::Mat out;
  cv::LUT(bgr, curve, out);
  return out;
}

// CV_32FC3, linear light from 0 to 1.
cv::Mat LightOf(const cv::Mat& bgr) {
  cv::Mat light_of(1, 256, CV_32FC1);
  for (int level = 0; level < 256; ++level)
    light_of.at<float>(level) = static_cast<float>(LightOfSrgb(level / 255.0));
  cv::Mat light;
  cv::LUT(bgr, light_of, light);
  return light;
}
// The codes of such light; what is brighter than 1 burns out.
cv::Mat CodesOf(const cv::Mat& light) {
  constexpr int kSteps = 65535;  // the darkest codes are 20 of them apart
  static const std::vector<std::uint8_t> code_of = [] {
    std::vector<std::uint8_t> out(kSteps + 1);
    for (int i = 0; i <= kSteps; ++i)
      out[static_cast<std::size_t>(i)] =
          cv::saturate_cast<std::uint8_t>(255 * SrgbOfLight(static_cast<double>(i) / kSteps));
    return out;
  }();
  cv::Mat out(light.size(), CV_8UC3);
  for (int row = 0; row < out.rows; ++row) {
    const auto* from = light.ptr<float>(row);
    auto* to = out.ptr<std::uint8_t>(row);
    for (int i = 0; i < 3 * out.cols; ++i) {
      const int step = std::clamp(cvRound(kSteps * from[i]), 0, kSteps);
      to[i] = code_of[static_cast<std::size_t>(step)];
    }
  }
  return out;
}

// As a lens out of focus shows it: it blurs light, not codes.
cv::Mat Blurred(const cv::Mat& bgr, double sigma_px) {
  cv::Mat light = LightOf(bgr);
  cv::GaussianBlur(light, light, {}, sigma_px);
  return CodesOf(light);
}

// In the shade but for a window's patch of sun, which is `sun` times as bright.
cv::Mat InPatchOfSun(const cv::Mat& bgr, double sun, std::uint64_t frame) {
  constexpr double kWide = 0.4;       // of the picture's width
  constexpr double kSlant = 0.35;     // columns a row
  constexpr double kPenumbra_px = 4;  // the sun is half a degree wide: 0.2 in at 2 ft, at 20 px/in
  constexpr double kCreep_px = 0.1;   // a frame
  const cv::Vec3d sky(1.1, 1, 0.95);  // shade is lit by the sky: bluer
  cv::Mat light = LightOf(bgr);
  const double middle = 0.5 * bgr.cols + kCreep_px * static_cast<double>(frame);
  for (int row = 0; row < light.rows; ++row) {
    auto* at = light.ptr<cv::Vec3f>(row);
    const double centre = middle + kSlant * (row - 0.5 * bgr.rows);
    for (int col = 0; col < light.cols; ++col) {
      const double inside_px = 0.5 * kWide * bgr.cols - std::abs(col - centre);
      const double lit = 0.5 * std::erfc(-inside_px / (std::sqrt(2.0) * kPenumbra_px));
      for (int c = 0; c < 3; ++c) {
        at[col][c] *= static_cast<float>(lit + (1 - lit) * sky[c] / sun);
      }
    }
  }
  return CodesOf(light);
}

cv::Mat Veiled(const cv::Mat& bgr, double veil) {
  cv::Mat light = LightOf(bgr);
  light += cv::Scalar::all(veil);
  return CodesOf(light);
}

// As webcams do it, on codes: edges get bright and dark lines beside them.
cv::Mat Sharpened(const cv::Mat& bgr, double amount) {
  constexpr double kFiner_px = 1.2;
  cv::Mat smooth;
  cv::GaussianBlur(bgr, smooth, {}, kFiner_px);
  cv::Mat out;
  cv::addWeighted(bgr, 1 + amount, smooth, -amount, 0, out);
  return out;
}

cv::Mat Coloured(const cv::Mat& bgr, double saturation, double hue_deg) {
  cv::Mat ycc;
  cv::cvtColor(bgr, ycc, cv::COLOR_BGR2YCrCb);
  const double c = saturation * std::cos(hue_deg * CV_PI / 180);
  const double s = saturation * std::sin(hue_deg * CV_PI / 180);
  constexpr double kGrey = 128;
  const cv::Matx34d turn(1, 0, 0, 0,                               //
                         0, c, -s, kGrey - kGrey * c + kGrey * s,  //
                         0, s, c, kGrey - kGrey * s - kGrey * c);
  cv::transform(ycc, ycc, turn);
  cv::Mat out;
  cv::cvtColor(ycc, out, cv::COLOR_YCrCb2BGR);
  return out;
}

Colour Coloured(Colour colour, const Augmentation& look) {
  const cv::Mat one(1, 1, CV_8UC3, cv::Scalar(colour.b, colour.g, colour.r));
  const auto bgr = Coloured(one, 1, look.hue_deg).at<cv::Vec3b>(0, 0);
  return {bgr[2], bgr[1], bgr[0]};
}

}  // namespace

std::string AugmentationNames() {
  std::string out;
  for (const NamedLook& one : NamedLooks()) out += fmt::format("{}, ", one.name);
  return out + "hue0 to hue359";
}

Result<Augmentation> AugmentationNamed(std::string_view name) {
  for (const NamedLook& one : NamedLooks())
    if (one.name == name) return one.look;
  if (name.substr(0, kHue.size()) == kHue) {
    const std::string_view degrees = name.substr(kHue.size());
    int turned = 0;
    const auto read = std::from_chars(degrees.data(), degrees.data() + degrees.size(), turned);
    if (read.ec == std::errc() && read.ptr == degrees.data() + degrees.size() && turned >= 0 &&
        turned < 360)
      return Augmentation{.hue_deg = static_cast<double>(turned)};
  }
  return Error{ErrorCode::kNotFound,
               fmt::format("there is no look \"{}\"; take one of {}", name, AugmentationNames())};
}

cv::Mat Augmented(const Augmentation& look, const cv::Mat& bgr, std::uint64_t frame) {
  cv::Mat out = bgr;
  if (look.sun > 1) out = InPatchOfSun(out, look.sun, frame);
  if (look.light != cv::Vec3d(1, 1, 1)) out = Lit(out, look.light);
  if (look.saturation != 1 || look.hue_deg != 0) out = Coloured(out, look.saturation, look.hue_deg);
  if (look.veil > 0) out = Veiled(out, look.veil);
  if (look.blur_px > 0) out = Blurred(out, look.blur_px);
  if (look.fewer_pixels < 1) {
    cv::Mat small;
    cv::resize(out, small, {}, look.fewer_pixels, look.fewer_pixels, cv::INTER_AREA);
    out = small;
  }
  if (look.noise_levels > 0) {
    // Demosaicing spreads the noise over neighbours, so add that much more before it.
    constexpr double kSpread_px = 0.6;
    constexpr double kBefore = 1.6;
    cv::RNG random(frame + 1);
    cv::Mat noise(out.size(), CV_32FC3);
    random.fill(noise, cv::RNG::NORMAL, 0, kBefore * look.noise_levels);
    cv::GaussianBlur(noise, noise, {}, kSpread_px);
    cv::Mat noisy;
    cv::add(out, noise, noisy, cv::noArray(), CV_8U);
    out = noisy;
  }
  if (look.sharpened > 0) out = Sharpened(out, look.sharpened);
  if (look.fewer_pixels < 1) {
    constexpr int kQuality = 80;
    std::vector<std::uint8_t> coded;
    cv::imencode(".jpg", out, coded, {cv::IMWRITE_JPEG_QUALITY, kQuality});
    cv::Mat large;
    cv::resize(cv::imdecode(coded, cv::IMREAD_COLOR), large, bgr.size(), 0, 0, cv::INTER_CUBIC);
    out = large;
  }
  return out;
}

Scenario Augmented(const Augmentation& look, Scenario scenario) {
  if (look.hue_deg == 0) return scenario;
  for (SideSpec& side : scenario.sides) side.paint = Coloured(side.paint, look);
  for (KindSpec& kind : scenario.kinds) kind.bar = Coloured(kind.bar, look);
  for (ProjectileSpec& projectile : scenario.projectiles)
    for (Colour* colour : {&projectile.tip_paint, &projectile.body, &projectile.mark})
      *colour = Coloured(*colour, look);
  return scenario;
}

}  // namespace fos
