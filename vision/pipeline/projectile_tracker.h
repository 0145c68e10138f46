// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <opencv2/core.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/table/observation.h"
#include "engine/table/scenario.h"
#include "engine/table/table_frame.h"
#include "vision/change/change_detector.h"
#include "vision/pipeline/sighting.h"
#include "vision/pipeline/tracked_objects.h"
#include "vision/scene/terrain_map.h"
#include "vision/shots/shot_detector.h"

namespace fos {

// Leaves it to the players.
void AskAbout(ProjectileFinding& finding, std::string why);

// Finds projectiles in what is new on the table, and remembers what lies there, so that none is
// reported twice and each is measured at the height of what supports it.
class ProjectileTracker {
 public:
  ProjectileTracker(const TableFrame& frame, const Scenario& scenario,
                    const ShotDetectorOptions& options);

  struct Judgement {
    std::vector<ShotSeen> shots;  // that have come to rest
    int unexplained_px = 0;       // changed pixels that no projectile explains, come or picked up
    std::vector<std::string> remarks;  // for the players, about the projectiles
  };
  // Forgets projectiles of a settled region that were picked up: their outlines. What lay under
  // them is painted into the pictures, as by WasPickedUp, so that it looks no longer new.
  std::vector<Polygon> RemovePickedUp(const SettledRegion& region, ShotPictures& pictures);
  // Explains a settled region by projectiles that came to rest.
  // pictures   the part of the picture around the region, and room; what RemovePickedUp left
  // by_stands  as for FindNew
  // seen       the first and last frame that pictures.after is the mean of
  // taken      what RemovePickedUp returned
  // known      what FindNew finds in these pictures, where that has been asked
  Judgement Judge(const SettledRegion& region, const ShotPictures& pictures,
                  const cv::Mat& by_stands, std::array<FrameId, 2> seen,
                  std::span<const Polygon> taken,
                  std::optional<std::vector<ProjectileFinding>> known = {});

  // The pictures of a region that no projectile explains, as those of one that is not measured.
  ShotSeen Unmeasured(const SettledRegion& region, const ShotPictures& pictures,
                      std::array<FrameId, 2> seen) const;
  // Something that is neither projectile nor stand was put down there, or taken; as
  // TrackedObjects::ToggleUnexplained.
  std::optional<TrackedObjects::Toggled> ToggleUnexplained(const TableBox& box,
                                                           const Polygon& outline,
                                                           ThingChange change);
  bool LiesUnexplained(const TableBox& box) const { return objects_.LiesUnexplained(box); }
  const TerrainMap& Terrain() const { return terrain_; }
  bool HasUnexplained(int number) const { return objects_.HasUnexplained(number); }
  // The stands now, and what changed among them since the last call.
  void SetStands(const std::vector<StandObservation>& stands,
                 const std::vector<StandChange>& changes);
  // Outlines of everything that lies on the table beside the stands, inches.
  std::vector<Polygon> Outlines() const { return objects_.Outlines(); }

  // The projectiles in a region that are not known yet, without taking note of them.
  // by_stands  CV_8UC1 of the pictures' size, not 0 where stands that hands put down explain what
  //            came: nobody shoots while they do. Or empty.
  std::vector<ProjectileFinding> FindNew(const SettledRegion& region, const ShotPictures& pictures,
                                         const cv::Mat& by_stands) const;

 private:
  bool InReachOfBoard(const ProjectileFinding& finding) const;

  TableFrame frame_;
  std::vector<ProjectileSpec> specs_;
  ShotDetector detector_;
  TrackedObjects objects_;
  TerrainMap terrain_;
};

}  // namespace fos
