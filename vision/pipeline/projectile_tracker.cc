// SPDX-License-Identifier: MIT
#include "vision/pipeline/projectile_tracker.h"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>
#include <utility>

#include "vision/image/rectify.h"

namespace fos {
namespace {

// Clears an outline on the table from a mask of the picture.
void Erase(const Polygon& outline, const TableCamera& camera, cv::Mat& mask) {
  constexpr double kHeight_in = 0.1;  // of a lying projectile's axis, about
  cv::fillConvexPoly(mask, PixelsAt(camera, outline, kHeight_in), cv::Scalar(0));
}

constexpr double kInView = 0.6;  // the share of a projectile that is seen as a whole

// Both ways of measuring agree on it, and most of it is seen.
bool IsWhole(const ProjectileFinding& f) {
  constexpr double kAgree_in = 0.08;  // between the two ways of measuring
  return f.shot.visible >= kInView && f.tip_disagreement_in > 0 &&
         f.tip_disagreement_in <= kAgree_in;
}

// Where a hand has been, people may have put down anything: only a whole swab, seen from end to
// end, or a whole shell with its mark counts as a shot there. A swab of which only the painted end
// is seen is reported as not measured, so that the players are asked.
void RequireWholeProjectiles(std::vector<ProjectileFinding>& found) {
  std::erase_if(found, [&](const ProjectileFinding& f) {
    const bool one_end = f.tip_disagreement_in <= 0 && f.shot.visible >= kInView &&
                         f.shot.projectile == Projectile::kQtip;
    return !IsWhole(f) && !one_end;
  });
  for (ProjectileFinding& f : found) {
    if (!IsWhole(f)) AskAbout(f, "it fell beside a hand, and only one of its ends is seen");
  }
}

// What came while nothing was seen was shot or put down: the players are asked about all that is
// not seen as a whole.
void AskAboutParts(std::vector<ProjectileFinding>& found) {
  for (ProjectileFinding& f : found) {
    if (f.measured && !IsWhole(f)) AskAbout(f, "it came while the table was not seen");
  }
}

}  // namespace

void AskAbout(ProjectileFinding& finding, std::string why) {
  finding.measured = false;
  finding.how = "nothing: " + std::move(why);
}

ProjectileTracker::ProjectileTracker(const TableFrame& frame, const Scenario& scenario,
                                     const ShotDetectorOptions& options)
    : frame_(frame),
      specs_(scenario.projectiles),
      detector_(scenario, options),
      objects_(scenario.projectiles),
      terrain_(scenario) {}

std::vector<Polygon> ProjectileTracker::RemovePickedUp(const SettledRegion& region,
                                                       ShotPictures& pictures) {
  std::vector<Polygon> taken = objects_.RemovePickedUp(region.box, pictures);
  if (!taken.empty()) objects_.ShowSwabs(terrain_);
  return taken;
}

ProjectileTracker::Judgement ProjectileTracker::Judge(
    const SettledRegion& region, const ShotPictures& pictures, const cv::Mat& by_stands,
    std::array<FrameId, 2> seen, std::span<const Polygon> taken,
    std::optional<std::vector<ProjectileFinding>> known) {
  Judgement out;
  cv::Mat unexplained = pictures.changed.clone();
  for (const Polygon& outline : taken) Erase(outline, pictures.camera, unexplained);
  const std::vector<ProjectileFinding> found =
      known ? *std::move(known) : FindNew(region, pictures, by_stands);
  const std::vector<LyingSwab> swabs = terrain_.Lying();
  const std::vector<Lump> supports = terrain_.Unknown();
  for (ProjectileFinding finding : found) {
    Erase(finding.outline, pictures.camera, unexplained);
    finding.shot.at_rest = region.at_rest;
    finding.shot.seen = seen;
    std::string remark = detector_.Learn(finding);
    if (!remark.empty()) out.remarks.push_back(std::move(remark));
    objects_.Add({finding, pictures.before, pictures.camera});
    out.shots.push_back({std::move(finding), pictures, region.box, swabs, supports});
  }
  objects_.ShowSwabs(terrain_);
  objects_.ShowSupports(terrain_);
  out.unexplained_px = cv::countNonZero(unexplained);
  return out;
}

std::vector<ProjectileFinding> ProjectileTracker::FindNew(const SettledRegion& region,
                                                          const ShotPictures& pictures,
                                                          const cv::Mat& by_stands) const {
  // What hands left is looked through as a whole when they are off; people put down much.
  const bool by_hand = region.was_under_hand && !region.was_unseen;
  const auto effort = by_hand ? ShotDetector::Effort::kDetectorsOnly : ShotDetector::Effort::kFull;
  const ShotPictures looked = by_hand ? AlreadyThere(pictures, by_stands) : pictures;
  std::vector<ProjectileFinding> found = detector_.Find(looked, terrain_, region.box, effort);
  if (by_hand) RequireWholeProjectiles(found);
  if (region.was_unseen) AskAboutParts(found);
  std::erase_if(
      found, [&](const ProjectileFinding& f) { return !InReachOfBoard(f) || objects_.Tracks(f); });
  return found;
}

// A projectile further off the board than its circle reaches hits nothing.
bool ProjectileTracker::InReachOfBoard(const ProjectileFinding& finding) const {
  const double radius_in = specs_[static_cast<std::size_t>(finding.spec)].hit_radius_in;
  return Grown({{0, 0}, {frame_.Width(), frame_.Depth()}}, radius_in).Contains(finding.shot.point);
}

ShotSeen ProjectileTracker::Unmeasured(const SettledRegion& region, const ShotPictures& pictures,
                                       std::array<FrameId, 2> seen) const {
  ProjectileFinding finding;
  finding.measured = false;
  finding.how = "nothing: it was taken for no projectile";
  finding.shot.at_rest = region.at_rest;
  finding.shot.seen = seen;
  return {std::move(finding), pictures, region.box, terrain_.Lying(), terrain_.Unknown()};
}

std::optional<TrackedObjects::Toggled> ProjectileTracker::ToggleUnexplained(const TableBox& box,
                                                                            const Polygon& outline,
                                                                            ThingChange change) {
  const std::optional<TrackedObjects::Toggled> toggled =
      objects_.ToggleUnexplained(box, outline, change);
  objects_.ShowSupports(terrain_);
  return toggled;
}

void ProjectileTracker::SetStands(const std::vector<StandObservation>& stands,
                                  const std::vector<StandChange>& changes) {
  terrain_.SetStands(stands);
  if (changes.empty()) return;
  objects_.DropExplainedBy(changes);
  objects_.ShowSupports(terrain_);
}

}  // namespace fos
