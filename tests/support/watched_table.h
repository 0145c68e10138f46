// SPDX-License-Identifier: MIT
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <opencv2/imgproc.hpp>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "datasets/render/synthetic.h"
#include "tests/support/small_table.h"
#include "tests/support/view_faults.h"
#include "vision/pipeline/pipeline.h"

// A made-up table before a camera, and what the pipeline tells of it.
namespace fos::test {

// Without grain, which differs in each frame.
inline SyntheticOptions WatchedTable() {
  SyntheticOptions options = SmallTable(6);
  options.noise_levels = 0;
  return options;
}

inline ProjectileSpec Shell() {
  ProjectileSpec shell;
  shell.type = Projectile::kShell;
  shell.size_in = 0.4;
  shell.body = {201, 162, 39};
  shell.mark = {20, 20, 20};
  return shell;
}
// A square of a colour, with a dark mark as a shell has.
inline void LayShell(cv::Mat& picture, const TableCamera& camera, Vec2 middle,
                     const cv::Scalar& colour, bool marked = true) {
  constexpr double kHigh_in = 0.2;
  constexpr int kFine = 4;  // bits of a pixel
  const auto pixel = [&](Vec2 at) {
    const ImagePoint p = ImageFromTable(camera, at, kHigh_in);
    return cv::Point(cvRound(p.x_px * (1 << kFine)), cvRound(p.y_px * (1 << kFine)));
  };
  std::vector<cv::Point> corners;
  for (const Vec2 d : {Vec2{-0.2, -0.2}, Vec2{0.2, -0.2}, Vec2{0.2, 0.2}, Vec2{-0.2, 0.2}})
    corners.push_back(pixel(middle + d));
  cv::fillConvexPoly(picture, corners, colour, cv::LINE_AA, kFine);
  if (!marked) return;
  const int radius = cvRound(0.06 * PixelsPerInch(camera, middle, kHigh_in) * (1 << kFine));
  cv::circle(picture, pixel(middle), radius, cv::Scalar(20, 30, 30), cv::FILLED, cv::LINE_AA,
             kFine);
}

// A camera at ten frames a second, each with its own grain.
class Watched {
 public:
  static constexpr double kFps = 10;
  // grain         code values, one sigma
  // promised_fps  more than come
  explicit Watched(const SyntheticTable& made, const PipelineOptions& options = {},
                   double grain = 1.5, double promised_fps = kFps)
      : pipeline_(made.table, made.scenario, made.camera.lens, promised_fps, options),
        grain_(grain) {}
  void See(const cv::Mat& picture, int frames = 1) {
    for (int i = 0; i < frames; ++i, ++shown_) {
      cv::Mat grain(picture.size(), CV_16SC3);
      noise_.fill(grain, cv::RNG::NORMAL, 0, grain_);
      cv::Mat seen;
      cv::add(picture, grain, seen, cv::noArray(), CV_8UC3);
      const Frame frame{{frame_}, shown_ / kFps, seen};
      const std::vector<Frame> frames_seen =
          fault_ ? fault_->Take(frame) : std::vector<Frame>{frame};
      for (Frame one : frames_seen) {
        one.id.index = frame_++;
        const auto told = pipeline_.Observe(one);
        ASSERT_TRUE(told.ok()) << told.error().message;
        for (const Sighting& sighting : *told) told_.push_back(sighting);
      }
    }
  }
  // From now on, for so many seconds, a fault of the camera's (MakeViewFault).
  void Spoil(const std::string& fault, double for_s) {
    fault_.emplace(fault, Time(), Time() + for_s);
  }
  double Time() const { return shown_ / kFps; }
  // All that was told, a line each, for messages of failures.
  std::string Story() const {
    std::string out;
    for (const Sighting& one : told_) {
      out += fmt::format("{:.1f} s: ", one.time_s);
      if (const auto* remark = std::get_if<NeedsPeople>(&one.what)) out += remark->text;
      if (const auto* view = std::get_if<ViewChanged>(&one.what))
        out += view->obstructed ? "obstructed " + view->why : "clear";
      if (const auto* moved = std::get_if<CameraMoved>(&one.what))
        out += fmt::format("moved by {:.1f} px", moved->shift_px);
      if (const auto* shot = std::get_if<ShotSeen>(&one.what))
        out += fmt::format("shot at {:.2f}, {:.2f}", shot->finding.shot.point.x,
                           shot->finding.shot.point.y);
      if (std::holds_alternative<StandChange>(one.what)) out += "a stand changed";
      if (std::holds_alternative<StandsSeen>(one.what)) out += "stands";
      if (std::holds_alternative<ObjectSeen>(one.what)) out += "an object";
      out += '\n';
    }
    return out;
  }
  // What was told of that kind, and when.
  template <typename What>
  std::vector<Sighting> When() const {
    std::vector<Sighting> out;
    for (const Sighting& one : told_) {
      if (std::holds_alternative<What>(one.what)) out.push_back(one);
    }
    return out;
  }
  template <typename What>
  std::vector<What> Told() const {
    std::vector<What> out;
    for (const Sighting& one : told_) {
      if (const auto* what = std::get_if<What>(&one.what)) out.push_back(*what);
    }
    return out;
  }
  Pipeline& pipeline() { return pipeline_; }

 private:
  Pipeline pipeline_;
  double grain_;
  int frame_ = 0;  // that the pipeline saw
  int shown_ = 0;  // that the camera saw
  std::optional<FaultyView> fault_;
  cv::RNG noise_{5};
  std::vector<Sighting> told_;
};

}  // namespace fos::test
