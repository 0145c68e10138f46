// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <opencv2/core.hpp>
#include <vector>

#include "calibration/camera/table_camera.h"
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

// `after` without the changes that no hand can have made. Stands come, go and travel by hand: where
// none has been, what looks like a new stand was thrown or dropped, and a missing one is covered.
// A stand nearby may have been pushed by less than an inch.
// regions  what changed between the two
StandScene KeepChangesByHand(const StandScene& before, StandScene after,
                             const std::vector<SettledRegion>& regions);

// Regions in which nothing was found while hands were in view. They are not searched again in every
// frame.
class SearchedRegions {
 public:
  // Whether much the same region was searched in the last frames; if not, notes it as searched now.
  bool CheckAndAdd(const SettledRegion& region, FrameId now);

 private:
  struct Entry {
    cv::Rect rect;
    double area_in2;
    std::int64_t frame;
  };
  std::vector<Entry> entries_;
};

}  // namespace fos
