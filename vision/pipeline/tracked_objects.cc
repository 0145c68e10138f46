// SPDX-License-Identifier: MIT
#include "vision/pipeline/tracked_objects.h"

#include <algorithm>

namespace fos {
namespace {

double Area(const TableBox& box) {
  return std::max(box.high.x - box.low.x, 0.0) * std::max(box.high.y - box.low.y, 0.0);
}

// Whether two boxes share more than half of the larger one.
bool MostlyOverlap(const TableBox& a, const TableBox& b) {
  const TableBox both{{std::max(a.low.x, b.low.x), std::max(a.low.y, b.low.y)},
                      {std::min(a.high.x, b.high.x), std::min(a.high.y, b.high.y)}};
  const bool meet = both.high.x > both.low.x && both.high.y > both.low.y;
  return meet && Area(both) > 0.5 * std::max(Area(a), Area(b));
}

Polygon OutlineOf(const TableBox& b) {
  return {b.low, {b.high.x, b.low.y}, b.high, {b.low.x, b.high.y}};
}

}  // namespace

bool TrackedObjects::Tracks(const ProjectileFinding& finding) const {
  constexpr double kSame_in = 0.1;
  const ShotObservation& shot = finding.shot;
  return std::any_of(projectiles_.begin(), projectiles_.end(), [&](const TrackedProjectile& t) {
    return t.finding.shot.projectile == shot.projectile &&
           Distance(t.finding.shot.point, shot.point) < kSame_in &&
           Distance(t.finding.shot.tail, shot.tail) < kSame_in;
  });
}

std::vector<Polygon> TrackedObjects::RemovePickedUp(const TableBox& where, ShotPictures& pictures) {
  std::vector<Polygon> taken;
  std::erase_if(projectiles_, [&](const TrackedProjectile& t) {
    if (!where.Contains(t.finding.shot.point) && !where.Contains(t.finding.shot.tail)) return false;
    if (!WasPickedUp(t, pictures)) return false;
    taken.push_back(t.finding.outline);
    return true;
  });
  return taken;
}

std::optional<TrackedObjects::Toggled> TrackedObjects::ToggleUnexplained(const TableBox& box,
                                                                         const Polygon& outline,
                                                                         ThingChange change) {
  const bool new_thing = change == ThingChange::kCame;
  const auto same =
      std::find_if(unexplained_.begin(), unexplained_.end(),
                   [&](const UnexplainedObject& u) { return MostlyOverlap(box, u.box); });
  if (same != unexplained_.end()) {
    const std::optional<int> number = same->number;
    if (number && change == ThingChange::kNone) return std::nullopt;
    unexplained_.erase(same);
    if (number) return Toggled{*number, true};
    // What nobody was told of has gone, or something lies there now.
    if (!new_thing) return std::nullopt;
  }
  constexpr std::size_t kMost = 60;
  UnexplainedObject object{box, outline, std::nullopt};
  if (new_thing) object.number = ++last_number_;
  unexplained_.push_back(object);
  if (unexplained_.size() > kMost) unexplained_.erase(unexplained_.begin());
  if (!new_thing) return std::nullopt;
  return Toggled{last_number_, false};
}

bool TrackedObjects::LiesUnexplained(const TableBox& box) const {
  return std::any_of(
      unexplained_.begin(), unexplained_.end(),
      [&](const UnexplainedObject& u) { return u.number && MostlyOverlap(box, u.box); });
}

bool TrackedObjects::HasUnexplained(int number) const {
  return std::any_of(unexplained_.begin(), unexplained_.end(),
                     [&](const UnexplainedObject& u) { return u.number == number; });
}

void TrackedObjects::DropExplainedBy(const std::vector<StandChange>& changes) {
  std::erase_if(unexplained_, [&](const UnexplainedObject& u) {
    return std::any_of(changes.begin(), changes.end(), [&](const StandChange& change) {
      return (change.from && u.box.Contains(change.from->table_from_stand.origin)) ||
             (change.to && u.box.Contains(change.to->table_from_stand.origin));
    });
  });
}

std::vector<Polygon> TrackedObjects::Outlines() const {
  std::vector<Polygon> out;
  for (const UnexplainedObject& u : unexplained_) out.push_back(OutlineOf(u.box));
  for (const TrackedProjectile& t : projectiles_) out.push_back(t.finding.outline);
  return out;
}

void TrackedObjects::ShowSwabs(TerrainMap& terrain) const {
  std::vector<LyingSwab> swabs;
  for (const TrackedProjectile& t : projectiles_) {
    const ShotObservation& shot = t.finding.shot;
    if (shot.projectile == Projectile::kQtip && t.finding.measured)
      swabs.push_back({shot.point, shot.tail, shot.height_in, t.finding.tail_height_in,
                       ShapeOf(SpecOf(t.finding))});
  }
  terrain.SetLying(std::move(swabs));
}

void TrackedObjects::ShowSupports(TerrainMap& terrain) const {
  // Pencils and rubbers: what players put down and a swab comes to rest on. Dice are higher, and a
  // swab rolls off them.
  constexpr double kPutDown_in = 0.3;
  std::vector<Lump> places;
  for (const UnexplainedObject& u : unexplained_) {
    const TableBox& box = u.box;
    places.push_back({u.outline, terrain.GroundAt(0.5 * (box.low + box.high)) + kPutDown_in});
  }
  // Which way a shell is turned was not measured, nor how an unmeasured swab lies: assume the
  // greatest height for what lies across them.
  for (const TrackedProjectile& t : projectiles_) {
    const ShotObservation& shot = t.finding.shot;
    const ProjectileSpec& spec = SpecOf(t.finding);
    const double ground_in = terrain.GroundAt(shot.point);
    if (shot.projectile == Projectile::kShell) {
      const double top_in = t.finding.measured ? shot.height_in : ground_in + spec.size_in / 2;
      places.push_back({t.finding.outline, top_in});
    } else if (!t.finding.measured) {
      places.push_back({t.finding.outline, ground_in + 2 * ShapeOf(spec).cotton_radius_in});
    }
  }
  terrain.SetUnknown(std::move(places));
}

}  // namespace fos
