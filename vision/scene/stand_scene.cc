// SPDX-License-Identifier: MIT
#include "vision/scene/stand_scene.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <opencv2/imgproc.hpp>

#include "vision/image/rectify.h"

namespace fos {
namespace {

bool HasMoved(const StandObservation& a, const StandObservation& b) {
  constexpr double kLeast_in = 0.06;
  constexpr double kLeast_rad = 3 * std::numbers::pi / 180;
  constexpr double kSigmas = 3;
  const Vec2 way = b.table_from_stand.origin - a.table_from_stand.origin;
  const double far = Norm(way);
  const double sigma =
      std::sqrt(std::max(0.0, VarianceAlong(a.centre_cov + b.centre_cov, Normalized(way))));
  if (far > std::max(kLeast_in, kSigmas * sigma)) return true;
  const double turn =
      std::abs(WrappedAngle(b.table_from_stand.heading_rad - a.table_from_stand.heading_rad));
  return turn >
         std::max(kLeast_rad, kSigmas * std::hypot(a.heading_sigma_rad, b.heading_sigma_rad));
}

}  // namespace

cv::Mat CoveredBy(const std::vector<StandObservation>& stands, const Scenario& scenario,
                  const TableCamera& camera) {
  cv::Mat out(camera.lens.height_px, camera.lens.width_px, CV_8UC1, cv::Scalar(0));
  // Whatever a scenario says, no model reaches half way up to the camera.
  const double highest = CameraCentre(camera)[2] / 2;
  for (const StandObservation& stand : stands) {
    const KindSpec& kind = scenario.kinds.at(static_cast<std::size_t>(stand.kind));
    const std::array<Vec2, 4> corners = Corners(stand.table_from_stand, stand.footprint);
    const double top = stand.ground_in + std::max(kind.thickness_in, kind.figures_height_in);
    std::vector<cv::Point> all = PixelsAt(camera, corners, stand.ground_in);
    const std::vector<cv::Point> above = PixelsAt(camera, corners, std::min(top, highest));
    all.insert(all.end(), above.begin(), above.end());
    std::vector<cv::Point> outline;
    cv::convexHull(all, outline);
    cv::fillConvexPoly(out, outline, cv::Scalar(255));
  }
  return out;
}

std::vector<StandChange> DiffScenes(const StandScene& before, const StandScene& after) {
  std::map<StandId, StandChange> all;
  for (const StandObservation& o : before.stands) {
    all[o.stand].stand = o.stand;
    all[o.stand].from = o;
  }
  for (const StandObservation& o : after.stands) {
    all[o.stand].stand = o.stand;
    all[o.stand].to = o;
  }
  std::vector<StandChange> out;
  for (auto& [id, change] : all) {
    if (change.from && change.to && !HasMoved(*change.from, *change.to)) continue;
    out.push_back(std::move(change));
  }
  return out;
}

bool SameStands(const IdentityDoubt& a, const IdentityDoubt& b) {
  return std::equal(
      a.stands.begin(), a.stands.end(), b.stands.begin(), b.stands.end(),
      [](const auto& x, const auto& y) { return x.now == y.now && x.may_be == y.may_be; });
}

std::optional<StandScene> WithNamesChanged(StandScene scene, const IdentityDoubt& doubt) {
  std::vector<StandObservation*> changed;
  for (const IdentityDoubt::Stand& one : doubt.stands) {
    const auto at = std::find_if(scene.stands.begin(), scene.stands.end(),
                                 [&](const auto& stand) { return stand.stand == one.now; });
    if (at == scene.stands.end()) return std::nullopt;
    changed.push_back(&*at);
  }
  for (std::size_t i = 0; i < changed.size(); ++i) {
    changed[i]->stand = doubt.stands[i].may_be;
    changed[i]->unit = doubt.stands[i].unit;
  }
  std::sort(scene.stands.begin(), scene.stands.end(),
            [](const auto& a, const auto& b) { return a.stand < b.stand; });
  const auto twice =
      std::adjacent_find(scene.stands.begin(), scene.stands.end(),
                         [](const auto& a, const auto& b) { return a.stand == b.stand; });
  if (twice != scene.stands.end()) return std::nullopt;
  return scene;
}

}  // namespace fos
