// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <opencv2/core.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "engine/table/scenario.h"
#include "vision/image/patch.h"
#include "vision/pipeline/picked_up.h"
#include "vision/scene/stand_scene.h"
#include "vision/scene/terrain_map.h"
#include "vision/shots/shot_odds.h"

namespace fos {

// The projectiles that lie on the table, and the places where something else was put down. Both may
// support the next projectile.
class TrackedObjects {
 public:
  explicit TrackedObjects(std::vector<ProjectileSpec> specs) : specs_(std::move(specs)) {}

  void Add(TrackedProjectile projectile) { projectiles_.push_back(std::move(projectile)); }
  // Whether the finding is a projectile that is tracked already.
  bool Tracks(const ProjectileFinding& finding) const;
  // Drops the projectiles in `where` that have been picked up, restores their places and their
  // shadows' in pictures.before, and takes what is bare again out of pictures.changed. Returns
  // their outlines.
  std::vector<Polygon> RemovePickedUp(const TableBox& where, ShotPictures& pictures);

  // What to tell of a change that is neither projectile nor stand.
  struct Toggled {
    int number = 0;  // of the object, from 1
    bool gone = false;
  };
  // Something else was put down in `box`, or what was put down there before was taken. Empty where
  // there is nothing to tell: what came was no clear thing, or people were not told of it when it
  // came, as of a patch of light. What they were told of stays where only the light is another.
  std::optional<Toggled> ToggleUnexplained(const TableBox& box, const Polygon& outline,
                                           ThingChange change);
  // Whether something lies there that people were told of.
  bool LiesUnexplained(const TableBox& box) const;
  // Whether that object still lies there and no stand explains it.
  bool HasUnexplained(int number) const;
  // A stand came or went there: that explains the object.
  void DropExplainedBy(const std::vector<StandChange>& changes);

  // Outlines of everything tracked, inches.
  std::vector<Polygon> Outlines() const;

  // Tells the terrain which swabs lie on the table.
  void ShowSwabs(TerrainMap& terrain) const;
  // Tells the terrain where other objects may support a projectile.
  void ShowSupports(TerrainMap& terrain) const;

 private:
  struct UnexplainedObject {
    TableBox box;
    Polygon outline;            // narrower than the box
    std::optional<int> number;  // where people were told of it
  };
  const ProjectileSpec& SpecOf(const ProjectileFinding& finding) const {
    return specs_[static_cast<std::size_t>(finding.spec)];
  }

  std::vector<ProjectileSpec> specs_;  // as in the scenario
  std::vector<TrackedProjectile> projectiles_;
  std::vector<UnexplainedObject> unexplained_;
  int last_number_ = 0;
};

}  // namespace fos
