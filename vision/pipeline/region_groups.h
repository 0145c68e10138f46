// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <opencv2/core.hpp>
#include <vector>

#include "calibration/camera/table_camera.h"
#include "engine/table/scenario.h"
#include "vision/change/change_detector.h"
#include "vision/image/frame.h"
#include "vision/scene/stand_scene.h"

namespace fos {

// Merges settled regions that may be parts of one object: a swab half under a tree shows as
// several. Only small regions are merged, so that a moved unit does not swallow the swab beside it.
std::vector<SettledRegion> MergedRegions(const std::vector<SettledRegion>& regions);

// The region's rectangle in the whole picture, grown by margin_px on each side.
// scale    how many times the change detector shrinks the picture
cv::Rect PictureRect(const SettledRegion& region, int scale, int margin_px, cv::Size picture);

// The smallest rectangle around the region's changed pixels, any way turned; inches, on the cloth.
// Corners that are not on the table plane are left out.
Polygon NarrowOutline(const SettledRegion& region, int scale, const TableCamera& camera);

// Whether most of the region lies in a tray for dice.
bool InTray(const SettledRegion& region, int scale, const TableCamera& camera,
            const std::vector<TraySpec>& trays);

// `after` without the changes that no hand can have made. Stands come, go and travel by hand: where
// none has been, what looks like a new stand was thrown or dropped, and a missing one is covered.
// A stand nearby may have been pushed by less than an inch.
// regions  what changed between the two
StandScene KeepChangesByHand(const StandScene& before, StandScene after,
                             const std::vector<SettledRegion>& regions);

// When to search a region while hands are in view. An arm's shadow settles a little larger in every
// frame, and a search takes longer than a frame.
class RegionsBesideHands {
 public:
  // Whether to search this region in this frame: when it has been much the same since the frame
  // before, and something in it has come since it was last searched.
  bool IsDue(const SettledRegion& region, FrameId now);

 private:
  struct Entry {
    cv::Rect rect;
    cv::Mat mask;  // a settled region's
    double area_in2 = 0;
    std::int64_t frame = 0;  // last seen, or searched
    bool searched = false;
  };
  bool NothingCame(const SettledRegion& region) const;

  std::vector<Entry> entries_;
};

}  // namespace fos
