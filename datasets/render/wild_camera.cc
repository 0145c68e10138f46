// SPDX-License-Identifier: MIT
#include "datasets/render/wild_camera.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>

#include "datasets/render/srgb.h"

namespace fos {
namespace {

constexpr int kWhiteLevel = 16383;  // levels of the sensor

// Sensor levels to grey levels.
std::vector<float> ResponseOf(double contrast) {
  std::vector<float> curve(kWhiteLevel + 1);
  for (int i = 0; i <= kWhiteLevel; ++i) {
    const double v = SrgbOfLight(static_cast<double>(i) / kWhiteLevel);
    const double bent = v * v * (3 - 2 * v);
    curve[static_cast<std::size_t>(i)] = static_cast<float>(255 * (v + contrast * (bent - v)));
  }
  return curve;
}

// Magnified about the lens's axis.
cv::Mat Magnified(const cv::Mat& channel, cv::Point2d axis, double by) {
  cv::Mat out;
  const cv::Matx23d map(by, 0, (1 - by) * axis.x, 0, by, (1 - by) * axis.y);
  cv::warpAffine(channel, out, map, channel.size(), cv::INTER_LINEAR, cv::BORDER_REPLICATE);
  return out;
}

// The cosine transform of four by four pixels, orthonormal.
cv::Matx44f CosineTransform() {
  cv::Matx44f t;
  for (int k = 0; k < 4; ++k) {
    for (int n = 0; n < 4; ++n) {
      t(k, n) = static_cast<float>((k == 0 ? std::sqrt(0.25) : std::sqrt(0.5)) *
                                   std::cos(std::numbers::pi * (n + 0.5) * k / 4));
    }
  }
  return t;
}

// Codes a plane block by block: what differs from the prediction, transformed and quantized. The
// prediction is the last decoded plane, or with `alone` the decoded pixels above and to the left.
void CodePlane(const cv::Mat& plane, float step, bool alone, cv::Mat& decoded) {
  static const cv::Matx44f kTransform = CosineTransform();
  // Rounding offsets of the reference encoder: inter blocks tend to zero more.
  const float offset = alone ? 1 / 3.0F : 1 / 6.0F;
  for (int y = 0; y + 4 <= plane.rows; y += 4) {
    for (int x = 0; x + 4 <= plane.cols; x += 4) {
      const cv::Rect block(x, y, 4, 4);
      if (alone) {
        double level = 128;
        if (x > 0 && y > 0) {
          level = 0.5 * (cv::mean(decoded(cv::Rect(x - 1, y, 1, 4)))[0] +
                         cv::mean(decoded(cv::Rect(x, y - 1, 4, 1)))[0]);
        }
        decoded(block).setTo(level);
      }
      cv::Matx44f residual;
      for (int j = 0; j < 4; ++j) {
        for (int i = 0; i < 4; ++i)
          residual(j, i) = plane.at<float>(y + j, x + i) - decoded.at<float>(y + j, x + i);
      }
      cv::Matx44f c = kTransform * residual * kTransform.t();
      bool any = false;
      for (float& v : c.val) {
        const float level = std::floor(std::abs(v) / step + offset);
        any = any || level > 0;
        v = std::copysign(level * step, v);
      }
      if (!any) continue;
      const cv::Matx44f back = kTransform.t() * c * kTransform;
      for (int j = 0; j < 4; ++j) {
        for (int i = 0; i < 4; ++i) decoded.at<float>(y + j, x + i) += back(j, i);
      }
    }
  }
  // What is left of a block at the right and below.
  const cv::Rect right(plane.cols / 4 * 4, 0, plane.cols % 4, plane.rows);
  const cv::Rect below(0, plane.rows / 4 * 4, plane.cols, plane.rows % 4);
  for (const cv::Rect& rest : {right, below}) {
    if (!rest.empty()) plane(rest).copyTo(decoded(rest));
  }
}

// Luma and halved chroma of a picture, 0 to 255. source  ITU-T T.871 (JFIF), 7
std::array<cv::Mat, 3> PlanesOf(const cv::Mat& picture) {
  cv::Mat ycrcb;
  cv::Mat unit;
  picture.convertTo(unit, CV_32F, 1 / 255.0);
  cv::cvtColor(unit, ycrcb, cv::COLOR_BGR2YCrCb);
  ycrcb.convertTo(ycrcb, CV_32F, 255);
  std::array<cv::Mat, 3> planes;
  cv::split(ycrcb, planes.data());
  for (std::size_t i : {1U, 2U}) cv::resize(planes[i], planes[i], {}, 0.5, 0.5, cv::INTER_AREA);
  return planes;
}

cv::Mat PictureOf(const std::array<cv::Mat, 3>& planes) {
  std::array<cv::Mat, 3> full = planes;
  for (std::size_t i : {1U, 2U})
    cv::resize(planes[i], full[i], planes[0].size(), 0, 0, cv::INTER_LINEAR);
  cv::Mat ycrcb;
  cv::merge(full.data(), 3, ycrcb);
  ycrcb.convertTo(ycrcb, CV_32F, 1 / 255.0);
  cv::Mat picture;
  cv::cvtColor(ycrcb, picture, cv::COLOR_YCrCb2BGR);
  picture.convertTo(picture, CV_8UC3, 255);
  return picture;
}

}  // namespace

const char* WildOptics::CoderName() const {
  switch (coder) {
    case Coder::kNone:
      return "not coded";
    case Coder::kJpeg:
      return "JPEG";
    case Coder::kVideo:
      return "video";
  }
  return "";
}

WildOptics DrawOptics(const cv::Mat& light, bool dim, Draws& draws) {
  WildOptics o;
  o.blur_px = draws.LogUniform(0.5, 1.15);
  o.glow_px = draws.LogUniform(2, 12);
  o.glow = draws.Uniform(0, 0.12);
  o.fringe = draws.Uniform(-8e-4, 8e-4);
  o.vignette = draws.Uniform(0, 0.45);
  // The exposure puts a bright place of the picture at a drawn level; the white balance takes out a
  // part of the light's colour.
  cv::Mat small;
  cv::resize(light, small, {}, 0.125, 0.125, cv::INTER_AREA);
  std::array<std::vector<float>, 3> values;
  for (int c = 0; c < 3; ++c) {
    for (int row = 0; row < small.rows; ++row) {
      for (int column = 0; column < small.cols; ++column)
        values[static_cast<std::size_t>(c)].push_back(small.at<cv::Vec3f>(row, column)[c]);
    }
    auto& v = values[static_cast<std::size_t>(c)];
    std::sort(v.begin(), v.end());
  }
  // Cameras meter differently: some let the brightest fifth clip.
  const double metered = draws.Uniform(0.8, 0.97);
  const auto bright = [&](std::size_t c) {
    return static_cast<double>(
        values[c][static_cast<std::size_t>(metered * static_cast<double>(values[c].size()))]);
  };
  o.exposure = (dim ? draws.Uniform(0.12, 0.35) : draws.LogUniform(0.3, 0.95)) / bright(1);
  const double balanced = draws.Uniform(0.3, 1);
  for (const std::size_t c : {0U, 2U})
    o.white[c] = std::pow(bright(1) / bright(c), balanced) * draws.Uniform(0.92, 1.08);
  o.drift = draws.Uniform(0, 0.03);
  o.white_drift = draws.Uniform(0, 0.015);
  o.drift_s = draws.LogUniform(3, 30);
  o.electrons = dim ? draws.LogUniform(350, 2500) : draws.LogUniform(1500, 20000);
  o.read_electrons = draws.Uniform(1.5, 8);
  o.edge_aware = draws.Happens(0.5);
  o.contrast = draws.Happens(0.25) ? draws.Uniform(0.05, 0.35) : 0;
  o.saturation = draws.Uniform(0.8, 1.35);
  o.sharpen = draws.Happens(0.2) ? 0 : draws.Uniform(0.2, 1.6);
  o.sharpen_px = draws.Uniform(0.7, 1.5);
  o.keeps = draws.Happens(0.4) ? draws.Uniform(0.2, 0.6) : 0;
  constexpr std::array<WildOptics::Coder, 6> kCoders{
      WildOptics::Coder::kNone,  WildOptics::Coder::kJpeg,  WildOptics::Coder::kJpeg,
      WildOptics::Coder::kVideo, WildOptics::Coder::kVideo, WildOptics::Coder::kVideo};
  o.coder = draws.OneOf(kCoders);
  o.jpeg_quality = 60 + draws.Below(36);
  o.video_step = draws.LogUniform(4, 22);
  o.video_refresh = 20 + draws.Below(100);
  return o;
}

WildCamera::WildCamera(WildOptics optics, std::uint32_t seed)
    : optics_(optics), seed_(seed), response_(ResponseOf(optics.contrast)) {}

cv::Mat WildCamera::Focused(const cv::Mat& light) const {
  cv::Mat sharp;
  cv::Mat glow;
  cv::GaussianBlur(light, sharp, {}, optics_.blur_px);
  // Wide scatter: of a smaller picture.
  cv::resize(light, glow, {}, 0.5, 0.5, cv::INTER_AREA);
  cv::GaussianBlur(glow, glow, {}, 0.5 * optics_.glow_px);
  cv::resize(glow, glow, light.size(), 0, 0, cv::INTER_LINEAR);
  cv::Mat out;
  cv::addWeighted(sharp, 1 - optics_.glow, glow, optics_.glow, 0, out);
  std::vector<cv::Mat> channels;
  cv::split(out, channels);
  channels[0] = Magnified(channels[0], optics_.axis_px, 1 - 0.6 * optics_.fringe);
  channels[2] = Magnified(channels[2], optics_.axis_px, 1 + optics_.fringe);
  cv::merge(channels, out);
  for (int row = 0; row < out.rows; ++row) {
    auto* line = out.ptr<cv::Vec3f>(row);
    for (int column = 0; column < out.cols; ++column) {
      const cv::Point2d off(column - optics_.axis_px.x, row - optics_.axis_px.y);
      const double far2 = off.ddot(off) / (optics_.corner_px * optics_.corner_px);
      line[column] *= static_cast<float>(1 - optics_.vignette * far2);
    }
  }
  return out;
}

cv::Mat WildCamera::Exposed(const cv::Mat& focused, double time_s) {
  cv::Mat grain(focused.size(), CV_32FC1);
  cv::RNG(seed_ * 1000003ULL + static_cast<std::uint64_t>(frame_))
      .fill(grain, cv::RNG::NORMAL, 0, 1);
  const double swing =
      std::sin(2 * std::numbers::pi * (time_s / optics_.drift_s + 0.01 * (seed_ % 100)));
  std::array<float, 3> gain;
  for (std::size_t c = 0; c < 3; ++c) {
    const double white =
        optics_.white[c] * (1 + optics_.white_drift * swing * (static_cast<double>(c) - 1));
    gain[c] = static_cast<float>(optics_.exposure * (1 + optics_.drift * swing) * white);
  }
  cv::Mat mosaic(focused.size(), CV_16UC1);
  const auto photons = static_cast<float>(1 / optics_.electrons);
  const auto read = static_cast<float>(optics_.read_electrons / optics_.electrons);
  for (int row = 0; row < mosaic.rows; ++row) {
    const auto* light = focused.ptr<cv::Vec3f>(row);
    const auto* noise = grain.ptr<float>(row);
    auto* out = mosaic.ptr<std::uint16_t>(row);
    for (int column = 0; column < mosaic.cols; ++column) {
      // OpenCV's "BG": red where row and column are even, blue where both are odd.
      const int c = row % 2 != column % 2 ? 1 : row % 2 == 0 ? 2 : 0;
      const float v = light[column][c] * gain[static_cast<std::size_t>(c)];
      // The white balance multiplies the noise with the light.
      const float sigma =
          std::sqrt(std::max(v, 0.0F) * photons *
                        static_cast<float>(optics_.white[static_cast<std::size_t>(c)]) +
                    read * read);
      out[column] = static_cast<std::uint16_t>(std::clamp(v + sigma * noise[column], 0.0F, 1.0F) *
                                               static_cast<float>(kWhiteLevel));
    }
  }
  return mosaic;
}

cv::Mat WildCamera::Processed(const cv::Mat& mosaic) {
  cv::Mat colour;
  cv::demosaicing(mosaic, colour,
                  optics_.edge_aware ? cv::COLOR_BayerBG2BGR_EA : cv::COLOR_BayerBG2BGR);
  cv::Mat out(colour.size(), CV_32FC3);
  const auto saturation = static_cast<float>(optics_.saturation);
  for (int row = 0; row < colour.rows; ++row) {
    const auto* in = colour.ptr<cv::Vec3w>(row);
    auto* to = out.ptr<cv::Vec3f>(row);
    for (int column = 0; column < colour.cols; ++column) {
      const cv::Vec3f v(in[column]);
      const float grey = 0.0722F * v[0] + 0.7152F * v[1] + 0.2126F * v[2];
      for (int c = 0; c < 3; ++c) {
        const float level =
            std::clamp(grey + saturation * (v[c] - grey), 0.0F, static_cast<float>(kWhiteLevel));
        to[column][c] = response_[static_cast<std::size_t>(level)];
      }
    }
  }
  if (optics_.sharpen > 0) {
    cv::Mat luma;
    cv::Mat soft;
    cv::cvtColor(out, luma, cv::COLOR_BGR2GRAY);
    cv::GaussianBlur(luma, soft, {}, optics_.sharpen_px);
    cv::Mat halo = optics_.sharpen * (luma - soft);
    cv::Mat three;
    cv::merge(std::vector<cv::Mat>{halo, halo, halo}, three);
    out += three;
  }
  cv::min(out, 255.0, out);
  cv::max(out, 0.0, out);
  if (optics_.keeps > 0 && !kept_.empty())
    cv::addWeighted(kept_, optics_.keeps, out, 1 - optics_.keeps, 0, out);
  kept_ = out;
  return out;
}

cv::Mat WildCamera::Coded(const cv::Mat& picture) {
  cv::Mat out;
  if (optics_.coder == WildOptics::Coder::kJpeg) {
    picture.convertTo(out, CV_8UC3);
    std::vector<std::uint8_t> bytes;
    cv::imencode(".jpg", out, bytes, {cv::IMWRITE_JPEG_QUALITY, optics_.jpeg_quality});
    return cv::imdecode(bytes, cv::IMREAD_COLOR);
  }
  std::array<cv::Mat, 3> planes = PlanesOf(picture);
  if (optics_.coder == WildOptics::Coder::kVideo) {
    const bool alone = planes_[0].empty() || frame_ % optics_.video_refresh == 0;
    for (std::size_t i = 0; i < 3; ++i) {
      if (planes_[i].empty()) planes_[i] = planes[i].clone();
      CodePlane(planes[i], static_cast<float>(optics_.video_step * (i == 0 ? 1 : 1.2)), alone,
                planes_[i]);
    }
    planes = planes_;
  }
  return PictureOf(planes);
}

cv::Mat WildCamera::Next(const cv::Mat& focused, double time_s) {
  const cv::Mat picture = Coded(Processed(Exposed(focused, time_s)));
  ++frame_;
  return picture;
}

}  // namespace fos
