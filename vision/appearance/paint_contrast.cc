// SPDX-License-Identifier: MIT
#include "vision/appearance/paint_contrast.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include <fmt/format.h>
#include <opencv2/imgproc.hpp>

#include "engine/table/quantile.h"
#include "engine/table/shapes.h"

namespace fos {
namespace {

// Between the middles of two sides' stands, in standard deviations from stand to stand of both
// together: at less than two, a line drawn half way would take one stand in six for the other
// side's (a normal distribution's tail beyond one deviation).
constexpr double kToldApart = 2;

struct Samples {
  std::array<std::vector<float>, 3> colour;  // lightness, red_green, yellow_blue
  std::array<std::vector<float>, 3> bgr;
  std::vector<Vec2> at;  // on the table
  void Add(const cv::Vec3b& pixel, Vec2 place) {
    at.push_back(place);
    const PaintColour c = PaintColourOf(pixel);
    colour[0].push_back(c.lightness);
    colour[1].push_back(c.red_green);
    colour[2].push_back(c.yellow_blue);
    for (std::size_t k = 0; k < 3; ++k) bgr[k].push_back(pixel[static_cast<int>(k)]);
  }
  bool Empty() const { return colour[0].empty(); }
  // One stand's middle: figures and shadows on some of its rim do not count.
  void AddMiddleOf(const Samples& stand, Vec2 place);
};

float Middle(std::vector<float> values) { return UpperMedian(values); }

void Samples::AddMiddleOf(const Samples& stand, Vec2 place) {
  if (stand.Empty()) return;
  at.push_back(place);
  for (std::size_t k = 0; k < 3; ++k) {
    colour[k].push_back(Middle(stand.colour[k]));
    bgr[k].push_back(Middle(stand.bgr[k]));
  }
}

float Spread(std::vector<float> values, float middle) {
  constexpr float kSigmaFromMad = 1.4826F;  // of a normal distribution
  for (float& v : values) v = std::abs(v - middle);
  return kSigmaFromMad * Middle(std::move(values));
}

// How one part of the colours changes an inch east and an inch north, whatever is looked at: a lamp
// at one side shines on all alike. Least squares about each group's own middle; what lies off by
// more than three deviations is something else and is left out of a second fit. Where the places
// are hardly a square apart there is little to tell a slope by, and it is held near none.
Vec2 SlopeOf(const std::vector<const Samples*>& groups, std::size_t part, double square_in) {
  struct Place {
    Vec2 from_middle;
    double value = 0;
  };
  std::vector<Place> places;
  for (const Samples* group : groups) {
    if (group->Empty()) continue;
    const double count = static_cast<double>(group->at.size());
    Vec2 middle;
    double mean = 0;
    for (std::size_t i = 0; i < group->at.size(); ++i) {
      middle = middle + group->at[i] / count;
      mean += static_cast<double>(group->colour[part][i]) / count;
    }
    for (std::size_t i = 0; i < group->at.size(); ++i) {
      places.push_back({group->at[i] - middle, static_cast<double>(group->colour[part][i]) - mean});
    }
  }
  Vec2 slope;
  constexpr int kFits = 2;
  constexpr double kElse = 3;
  double most = INFINITY;
  for (int fit = 0; fit < kFits && !places.empty(); ++fit) {
    double xx = 0, xy = 0, yy = 0, xv = 0, yv = 0;
    for (const auto& [p, value] : places) {
      if (std::abs(value - Dot(slope, p)) > most) continue;
      xx += p.x * p.x + square_in * square_in;
      yy += p.y * p.y + square_in * square_in;
      xy += p.x * p.y;
      xv += p.x * value;
      yv += p.y * value;
    }
    const double det = xx * yy - xy * xy;
    if (!(det > 0)) break;
    slope = {(xv * yy - yv * xy) / det, (yv * xx - xv * xy) / det};
    std::vector<float> off;
    for (const auto& [p, value] : places) off.push_back(static_cast<float>(value - Dot(slope, p)));
    most = kElse * static_cast<double>(Spread(off, Middle(off)));
  }
  return slope;
}

// As all of it would look in the middle of the board.
void BringToMiddle(const std::vector<Samples*>& groups, const TableFrame& frame) {
  const Vec2 middle{frame.Width() / 2, frame.Depth() / 2};
  for (std::size_t part = 0; part < 3; ++part) {
    const Vec2 slope = SlopeOf({groups.begin(), groups.end()}, part, frame.square_in);
    for (Samples* group : groups) {
      for (std::size_t i = 0; i < group->at.size(); ++i) {
        group->colour[part][i] -= static_cast<float>(Dot(slope, group->at[i] - middle));
      }
    }
  }
}

void Settle(const Samples& samples, PaintSeen& seen) {
  if (samples.Empty()) return;
  // Sensor noise and coding alone: two steps of lightness, and their share of the colours.
  constexpr std::array<float, 3> kLeast = {2.0F, 0.03F, 0.03F};
  const std::array<float*, 3> mean = {&seen.paint.mean.lightness, &seen.paint.mean.red_green,
                                      &seen.paint.mean.yellow_blue};
  const std::array<float*, 3> sigma = {&seen.paint.sigma.lightness, &seen.paint.sigma.red_green,
                                       &seen.paint.sigma.yellow_blue};
  for (std::size_t k = 0; k < 3; ++k) {
    *mean[k] = Middle(samples.colour[k]);
    *sigma[k] = std::max(kLeast[k], Spread(samples.colour[k], *mean[k]));
    seen.bgr[static_cast<int>(k)] = cv::saturate_cast<std::uint8_t>(Middle(samples.bgr[k]));
  }
}

std::optional<cv::Vec3b> PixelAt(const cv::Mat& bgr, const TableCamera& camera, Vec2 at,
                                 double height_in) {
  const ImagePoint p = ImageFromTable(camera, at, height_in);
  if (!(p.x_px >= 0 && p.y_px >= 0 && p.x_px <= bgr.cols - 1 && p.y_px <= bgr.rows - 1)) {
    return std::nullopt;
  }
  return bgr.at<cv::Vec3b>(static_cast<int>(std::lround(p.y_px)),
                           static_cast<int>(std::lround(p.x_px)));
}

double Apart(const Paint& a, const Paint& b) {
  const auto part = [](float x, float y, float sx, float sy) {
    return (x - y) * (x - y) / (sx * sx + sy * sy);
  };
  return std::sqrt(static_cast<double>(
      part(a.mean.lightness, b.mean.lightness, a.sigma.lightness, b.sigma.lightness) +
      part(a.mean.red_green, b.mean.red_green, a.sigma.red_green, b.sigma.red_green) +
      part(a.mean.yellow_blue, b.mean.yellow_blue, a.sigma.yellow_blue, b.sigma.yellow_blue)));
}

}  // namespace

PaintContrast ComparePaints(const cv::Mat& bgr, const TableCamera& camera, const TableFrame& frame,
                            const std::vector<StandObservation>& stands, const Scenario& scenario) {
  FOS_CHECK(bgr.type() == CV_8UC3);
  std::vector<Samples> samples(scenario.sides.size() + 1);
  PaintContrast out;
  for (const SideSpec& side : scenario.sides) out.seen.push_back({side.name, {}, {}, 0});
  out.seen.push_back({"the cloth", {}, {}, 0});
  for (const StandObservation& stand : stands) {
    const auto side = static_cast<std::size_t>(stand.side);
    const auto kind = static_cast<std::size_t>(stand.kind);
    if (side >= scenario.sides.size() || kind >= scenario.kinds.size()) continue;
    const KindSpec& spec = scenario.kinds[kind];
    // Figures stand in the middle: along the sides and the back the paint is bare.
    constexpr double kRim_in = 0.08;
    const double half = stand.footprint.width_in / 2 - kRim_in;
    const double back = -stand.footprint.depth_in / 2 + kRim_in;
    const double front = stand.footprint.depth_in / 2 - spec.bar_depth_in - kRim_in;
    if (!(half > 0) || !(front > back)) continue;
    constexpr int kAlong = 6;
    Samples rim;
    for (int i = 0; i <= kAlong; ++i) {
      const double t = static_cast<double>(i) / kAlong;
      const double across = -half + 2 * half * t;
      const double along = back + (front - back) * t;
      // A stand's own x runs to its right, y to its front.
      for (const Vec2 own : {Vec2{across, back}, Vec2{half, along}, Vec2{-half, along}}) {
        const auto pixel =
            PixelAt(bgr, camera, stand.table_from_stand * own, stand.ground_in + spec.thickness_in);
        if (pixel) rim.Add(*pixel, stand.table_from_stand * own);
      }
    }
    samples[side].AddMiddleOf(rim, stand.table_from_stand.origin);
    ++out.seen[side].stands;
  }
  constexpr double kEvery_in = 0.8;
  constexpr double kClear_in = 1.3;  // of stands: figures and shadows
  for (double x = kEvery_in / 2; x < frame.Width(); x += kEvery_in) {
    for (double y = kEvery_in / 2; y < frame.Depth(); y += kEvery_in) {
      const Vec2 at{x, y};
      const bool near_stand =
          std::any_of(stands.begin(), stands.end(), [&](const StandObservation& s) {
            return Distance(s.table_from_stand.origin, at) <
                   kClear_in + std::max(s.footprint.width_in, s.footprint.depth_in) / 2;
          });
      const bool on_terrain = std::any_of(
          scenario.terrain.begin(), scenario.terrain.end(), [&](const TerrainArea& area) {
            return area.polygon.size() >= 3 && DistanceTo(area.polygon, at) <= 0;
          });
      if (near_stand || on_terrain) continue;
      if (const auto pixel = PixelAt(bgr, camera, at, 0)) {
        samples.back().Add(*pixel, at);
        ++out.seen.back().stands;
      }
    }
  }
  // Paints are told apart where they lie; what the light does from one end of the table to the
  // other makes none of them like another. Cloth takes light otherwise than paint.
  std::vector<Samples*> paints;
  for (std::size_t i = 0; i + 1 < samples.size(); ++i) paints.push_back(&samples[i]);
  BringToMiddle(paints, frame);
  BringToMiddle({&samples.back()}, frame);
  for (std::size_t i = 0; i < out.seen.size(); ++i) Settle(samples[i], out.seen[i]);
  for (std::size_t a = 0; a + 1 < out.seen.size(); ++a) {
    if (out.seen[a].stands == 0) {
      const bool deployed =
          std::any_of(scenario.units.begin(), scenario.units.end(),
                      [&](const UnitSpec& unit) { return unit.side == static_cast<int>(a); });
      if (deployed) out.unseen.push_back(a);
      continue;
    }
    for (std::size_t b = a + 1; b < out.seen.size(); ++b) {
      if (out.seen[b].stands == 0) continue;
      const double apart = Apart(out.seen[a].paint, out.seen[b].paint);
      if (apart < kToldApart) out.doubts.push_back({a, b, apart});
    }
  }
  return out;
}

std::string ContrastText(const PaintContrast& contrast) {
  std::string out;
  const auto add = [&](const std::string& text) { out += (out.empty() ? "" : "; ") + text; };
  for (const PaintContrast::Doubt& doubt : contrast.doubts) {
    add(fmt::format(
        "the paint of {} can hardly be told from {} under this light", contrast.seen[doubt.a].name,
        doubt.b + 1 == contrast.seen.size() ? contrast.seen[doubt.b].name
                                            : "that of " + contrast.seen[doubt.b].name));
  }
  for (const std::size_t side : contrast.unseen) {
    add(fmt::format("no stand of {} is found: its paint may not stand out from the cloth",
                    contrast.seen[side].name));
  }
  if (out.empty()) return out;
  return out + "; bring more or whiter light, or paint the bases of one side another colour";
}

cv::Mat DrawContrast(const PaintContrast& contrast) {
  constexpr int kRow_px = 70;
  constexpr int kWidth_px = 900;
  constexpr int kSwatch_px = 160;
  cv::Mat out(kRow_px * static_cast<int>(std::max<std::size_t>(1, contrast.seen.size())), kWidth_px,
              CV_8UC3, cv::Scalar(245, 245, 245));
  for (std::size_t i = 0; i < contrast.seen.size(); ++i) {
    const PaintSeen& seen = contrast.seen[i];
    const int y = kRow_px * static_cast<int>(i);
    std::string text = seen.name;
    if (seen.stands == 0) {
      text += ": not seen";
    } else {
      cv::rectangle(out, cv::Rect(10, y + 8, kSwatch_px, kRow_px - 16),
                    cv::Scalar(seen.bgr[0], seen.bgr[1], seen.bgr[2]), cv::FILLED);
    }
    for (const PaintContrast::Doubt& doubt : contrast.doubts) {
      if (doubt.a != i && doubt.b != i) continue;
      text += fmt::format("  = {}? ({:.1f} sigma)",
                          contrast.seen[doubt.a == i ? doubt.b : doubt.a].name, doubt.apart);
    }
    constexpr std::size_t kFits = 70;
    cv::putText(out, text.substr(0, kFits), {kSwatch_px + 30, y + kRow_px / 2 + 6},
                cv::FONT_HERSHEY_SIMPLEX, 0.6, cv::Scalar(20, 20, 20), 1, cv::LINE_AA);
  }
  return out;
}

}  // namespace fos
