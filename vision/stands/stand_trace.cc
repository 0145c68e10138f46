// SPDX-License-Identifier: MIT
#include "vision/stands/stand_trace.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>
#include <opencv2/imgproc.hpp>

#include "engine/table/shapes.h"
#include "vision/scene/terrain_map.h"

namespace fos {
namespace {

constexpr int kShift = 4;  // OpenCV draws to a sixteenth of a pixel
const cv::Scalar kInk(20, 20, 20);
const cv::Scalar kDropped(60, 60, 235);
const cv::Scalar kTerrain(80, 220, 220);

cv::Scalar Bgr(Colour c) { return cv::Scalar(c.b, c.g, c.r); }

class Stage {
 public:
  Stage(const StandTrace& trace, const Scenario& scenario)
      : camera_(trace.camera), scenario_(scenario), picture_(trace.picture.clone()) {}

  cv::Point At(Vec2 p, double z_in) const {
    const ImagePoint at = ImageFromTable(camera_, p, z_in);
    return {static_cast<int>(std::lround(at.x_px * (1 << kShift))),
            static_cast<int>(std::lround(at.y_px * (1 << kShift)))};
  }
  void Line(Vec2 a, Vec2 b, double z_in, const cv::Scalar& colour, int thickness) {
    cv::line(picture_, At(a, z_in), At(b, z_in), colour, thickness, cv::LINE_AA, kShift);
  }
  // The top of a base, its front edge in the bar's colour.
  void Base(int side, int kind, const Pose2& pose, double ground_in,
            std::optional<cv::Scalar> colour = std::nullopt) {
    const KindSpec& spec = scenario_.kinds.at(static_cast<std::size_t>(kind));
    const double top = ground_in + spec.thickness_in;
    const std::array<Vec2, 4> corners = Corners(pose, spec.footprint);
    const cv::Scalar line =
        colour.value_or(Bgr(scenario_.sides.at(static_cast<std::size_t>(side)).paint));
    for (const auto& [ink, thickness] : {std::pair{kInk, 4}, std::pair{line, 2}}) {
      for (std::size_t i = 0; i < 4; ++i)
        Line(corners[i], corners[(i + 1) % 4], top, ink, thickness);
    }
    Line(pose.origin, pose * Vec2{0, 0.5 * spec.footprint.depth_in}, top, Bgr(spec.bar), 2);
  }
  // The scenario's trees, houses and hedges as they are taken to stand: outlines on the ground and,
  // leaning away from the camera's foot, at their tops.
  void Terrain() {
    const TerrainMap ground(scenario_);
    for (const TerrainArea& area : scenario_.terrain) {
      Solid(area.polygon, 0, area.type == "house" || area.type == "hill" ? area.height_in : 0);
      for (const TerrainObject& object : area.objects) {
        Polygon outline = object.polygon;
        constexpr int kCorners = 20;
        for (int i = 0; object.circle && outline.size() < kCorners; ++i) {
          outline.push_back(object.circle->centre +
                            Rotated({object.circle->radius_in, 0}, 2 * CV_PI * i / kCorners));
        }
        if (outline.empty()) continue;
        const double foot = ground.GroundAt(outline.front());
        Solid(outline, foot, object.height_in);
      }
    }
  }
  void Text(Vec2 at, double z_in, const std::string& words) {
    const cv::Point p = At(at, z_in);
    const cv::Point where(p.x >> kShift, p.y >> kShift);
    for (const auto& [ink, thickness] :
         {std::pair{kInk, 3}, std::pair{cv::Scalar(255, 255, 255), 1}})
      cv::putText(picture_, words, where, cv::FONT_HERSHEY_SIMPLEX, 0.4, ink, thickness,
                  cv::LINE_AA);
  }
  void Solid(const Polygon& outline, double foot_in, double height_in) {
    for (const double z : {foot_in, foot_in + height_in}) {
      for (std::size_t i = 0; i < outline.size(); ++i)
        Line(outline[i], outline[(i + 1) % outline.size()], z, kTerrain, 1);
    }
  }
  // Two sigma about a centre.
  void Doubt(Vec2 centre, const Cov2& cov, double z_in) {
    const cv::Matx22d matrix(cov.xx, cov.xy, cov.xy, cov.yy);
    cv::Mat values;
    cv::Mat vectors;
    cv::eigen(cv::Mat(matrix), values, vectors);
    constexpr int kSteps = 36;
    std::vector<cv::Point> ring;
    for (int i = 0; i < kSteps; ++i) {
      const double angle = 2 * CV_PI * i / kSteps;
      const double a = 2 * std::sqrt(std::max(0.0, values.at<double>(0))) * std::cos(angle);
      const double b = 2 * std::sqrt(std::max(0.0, values.at<double>(1))) * std::sin(angle);
      ring.push_back(At(centre + Vec2{a * vectors.at<double>(0, 0) + b * vectors.at<double>(1, 0),
                                      a * vectors.at<double>(0, 1) + b * vectors.at<double>(1, 1)},
                        z_in));
    }
    cv::polylines(picture_, ring, true, cv::Scalar(255, 255, 0), 1, cv::LINE_AA, kShift);
  }
  cv::Mat Done() && { return std::move(picture_); }

 private:
  const TableCamera& camera_;
  const Scenario& scenario_;
  cv::Mat picture_;
};

// What each pixel is read as: the side whose paint, or the kind whose bar, it speaks for most; what
// speaks for none is the picture, darker.
cv::Mat DrawPaints(const StandTrace& trace, const Scenario& scenario) {
  struct Reading {
    float evidence = 0;
    cv::Vec3b colour;
  };
  std::vector<Reading> readings(static_cast<std::size_t>(kPaintBins));
  for (const UnitSpec& unit : scenario.units) {
    const StandEvidence& says = trace.paints->Evidence(unit.side, unit.kind);
    const Colour paint = scenario.sides[static_cast<std::size_t>(unit.side)].paint;
    const Colour bar = scenario.kinds[static_cast<std::size_t>(unit.kind)].bar;
    for (std::size_t bin = 0; bin < readings.size(); ++bin) {
      if (says.top[bin] > readings[bin].evidence)
        readings[bin] = {says.top[bin], {paint.b, paint.g, paint.r}};
      if (says.bar[bin] > readings[bin].evidence)
        readings[bin] = {says.bar[bin], {bar.b, bar.g, bar.r}};
    }
  }
  cv::Mat out = trace.picture * 0.35;
  for (int y = 0; y < out.rows; ++y) {
    const cv::Vec3b* in = trace.picture.ptr<cv::Vec3b>(y);
    cv::Vec3b* row = out.ptr<cv::Vec3b>(y);
    for (int x = 0; x < out.cols; ++x) {
      const Reading& reading = readings[static_cast<std::size_t>(PaintBin(in[x]))];
      if (reading.evidence > 0) row[x] = reading.colour;
    }
  }
  return out;
}

}  // namespace

std::vector<StagePicture> DrawStages(const StandTrace& trace, const Scenario& scenario,
                                     const StandScene& scene) {
  std::vector<StagePicture> out;
  const auto add = [&](std::string_view name, cv::Mat picture) {
    std::string file = fmt::format("{}_{}", out.size() + 1, name);
    std::replace(file.begin(), file.end(), ' ', '_');
    out.push_back({std::move(file), std::move(picture)});
  };
  add("picture", trace.picture);
  if (trace.paints) add("paints", DrawPaints(trace, scenario));
  for (const StandTrace::Stage& stage : trace.stages) {
    Stage picture(trace, scenario);
    picture.Terrain();
    for (const StandHypothesis& h : stage.stands) {
      picture.Base(h.what.side, h.what.kind, h.table_from_stand, h.ground_in);
      picture.Text(h.table_from_stand.origin, h.ground_in, fmt::format("{:.1f}", h.score));
    }
    add(stage.name, std::move(picture).Done());
  }
  Stage dropped(trace, scenario);
  dropped.Terrain();
  for (std::size_t i = 0; i < trace.dropped.size(); ++i) {
    const StandHypothesis& h = trace.dropped[i].stand;
    dropped.Base(h.what.side, h.what.kind, h.table_from_stand, h.ground_in, kDropped);
    dropped.Text(h.table_from_stand.origin, h.ground_in, fmt::format("{}", i + 1));
  }
  add("dropped", std::move(dropped).Done());
  Stage measured(trace, scenario);
  measured.Terrain();
  for (const StandObservation& o : scene.stands) {
    const double top =
        o.ground_in + scenario.kinds.at(static_cast<std::size_t>(o.kind)).thickness_in;
    measured.Base(o.side, o.kind, o.table_from_stand, o.ground_in);
    measured.Doubt(o.table_from_stand.origin, o.centre_cov, top);
    measured.Text(o.table_from_stand.origin, top, o.stand.text);
  }
  add("measured", std::move(measured).Done());
  return out;
}

std::string PaintWords(const StandTrace& trace, const Scenario& scenario) {
  std::string out;
  if (!trace.paints) return out;
  const auto colour = [](PaintColour c) {
    return fmt::format("{:.0f} {:.0f} {:.0f}", c.lightness, c.red_green, c.yellow_blue);
  };
  const auto paint = [&](const std::string& name, Colour nominal, const Paint& is) {
    out += fmt::format("{}: {}, spread {}, as painted {}\n", name, colour(is.mean),
                       colour(is.sigma), colour(PaintColourOf({nominal.b, nominal.g, nominal.r})));
  };
  for (std::size_t s = 0; s < scenario.sides.size(); ++s) {
    const int side = static_cast<int>(s);
    const std::string& name = scenario.sides[s].name;
    paint(name, scenario.sides[s].paint, trace.paints->side(side));
    for (std::size_t k = 0; k < scenario.kinds.size(); ++k)
      paint(fmt::format("{} {}'s bar", name, scenario.kinds[k].name), scenario.kinds[k].bar,
            trace.paints->bar(side, static_cast<int>(k)));
  }
  return out;
}

std::string StageWords(const StandTrace& trace, const Scenario& scenario) {
  std::string out;
  for (std::size_t i = 0; i < trace.dropped.size(); ++i) {
    const StandTrace::Dropped& one = trace.dropped[i];
    const Vec2 at = one.stand.table_from_stand.origin;
    out += fmt::format("{:>3}  {} {} at ({:.2f}, {:.2f}): {}\n", i + 1,
                       scenario.sides.at(static_cast<std::size_t>(one.stand.what.side)).name,
                       scenario.kinds.at(static_cast<std::size_t>(one.stand.what.kind)).name, at.x,
                       at.y, one.why);
  }
  return out;
}

}  // namespace fos
