// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <opencv2/core.hpp>
#include <optional>
#include <vector>

#include "calibration/camera/table_camera.h"
#include "engine/table/scenario.h"
#include "vision/change/change_detector.h"
#include "vision/image/frame.h"
#include "vision/scene/stand_scene.h"
#include "vision/stands/stand_detector.h"

namespace fos {

// Knows the stands on the table: searches for all of them at the start, on a thread of its own,
// and again for those in a changed part of the picture; follows the light on their paints.
class StandTracker {
 public:
  StandTracker(const TableSpec& table, const Scenario& scenario,
               const StandDetectorOptions& options);
  ~StandTracker();

  // From now on every search is traced. Call before the first one.
  using Traced = std::function<void(const StandTrace&, const StandScene&)>;
  void Trace(Traced traced);

  // The stands as last seen.
  const StandScene& Scene() const { return scene_; }
  // False, and nothing is changed, where those stands are no longer all there.
  bool ChangeNames(const IdentityDoubt& doubt);

  // Starts the first search, in the settled picture that ends with this frame.
  void StartFirstLook(const Frame& frame, const cv::Mat& bgr, const TableCamera& camera);
  bool FirstLookReady() const;
  struct FirstLook {
    Frame frame;
    TableCamera camera;
    Result<StandScene> scene;
    double ms = 0;
  };
  // Waits for the first search and adopts its scene. Empty when there is none, or it has been
  // joined before.
  std::optional<FirstLook> JoinFirstLook();

  // Searches again where the picture has changed, and returns how the stands stand now.
  // bgr      the settled picture
  // changed  CV_8UC1, of the same size: 255 in `regions`
  StandScene Look(const cv::Mat& bgr, const TableCamera& camera, const cv::Mat& changed,
                  const std::vector<SettledRegion>& regions);
  // They stand like this from now on. Returns what changed.
  std::vector<StandChange> Adopt(StandScene now);

  // Learns the paints again by comparing two settled pictures that differ in their light alone.
  // False while the first look runs: it is learning them itself.
  // covered  outlines of what lies on the table beside the stands, inches
  bool FollowLight(const cv::Mat& was, const cv::Mat& now, const TableCamera& camera,
                   const std::vector<Polygon>& covered);

 private:
  StandDetector detector_;
  StandTrace trace_;
  Traced traced_;
  StandScene scene_;
  // Last: its thread ends before what it uses.
  struct Running;
  std::unique_ptr<Running> running_;
};

}  // namespace fos
