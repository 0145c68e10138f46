// SPDX-License-Identifier: MIT
#include "vision/pipeline/stand_tracker.h"

#include <chrono>
#include <future>
#include <utility>

#include "vision/pipeline/region_groups.h"

namespace fos {

struct StandTracker::Running {
  std::future<FirstLook> result;
};

StandTracker::StandTracker(const TableSpec& table, const Scenario& scenario,
                           const StandDetectorOptions& options)
    : detector_(table, scenario, options) {}

StandTracker::~StandTracker() = default;

void StandTracker::Trace(Traced traced) {
  traced_ = std::move(traced);
  detector_.Trace(traced_ ? &trace_ : nullptr);
}

bool StandTracker::ChangeNames(const IdentityDoubt& doubt) {
  std::optional<StandScene> renamed = WithNamesChanged(scene_, doubt);
  if (!renamed) return false;
  scene_ = std::move(*renamed);
  return true;
}

void StandTracker::StartFirstLook(const Frame& frame, const cv::Mat& bgr,
                                  const TableCamera& camera) {
  running_ = std::make_unique<Running>();
  running_->result = std::async(std::launch::async, [this, frame, bgr, camera] {
    const auto start = std::chrono::steady_clock::now();
    Result<StandScene> scene = detector_.Start(bgr, camera, {});
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    return FirstLook{frame, camera, std::move(scene), took.count()};
  });
}

bool StandTracker::FirstLookReady() const {
  return running_ &&
         running_->result.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

std::optional<StandTracker::FirstLook> StandTracker::JoinFirstLook() {
  if (!running_) return std::nullopt;
  FirstLook look = running_->result.get();
  running_ = nullptr;
  if (look.scene.ok()) scene_ = *look.scene;
  if (traced_) traced_(trace_, scene_);
  return look;
}

StandScene StandTracker::Look(const cv::Mat& bgr, const TableCamera& camera, const cv::Mat& changed,
                              const std::vector<SettledRegion>& regions) {
  Result<StandScene> seen = detector_.Update(bgr, camera, scene_, changed, {});
  FOS_CHECK(seen.ok());  // the pipeline has checked the pictures
  if (traced_) traced_(trace_, *seen);
  return KeepChangesByHand(scene_, std::move(seen).value(), regions);
}

std::vector<StandChange> StandTracker::Adopt(StandScene now) {
  std::vector<StandChange> changes = DiffScenes(scene_, now);
  scene_ = std::move(now);
  return changes;
}

bool StandTracker::FollowLight(const cv::Mat& was, const cv::Mat& now, const TableCamera& camera,
                               const std::vector<Polygon>& covered) {
  if (running_) return false;
  const Status followed = detector_.FollowLight(was, now, camera, scene_, covered);
  FOS_CHECK(followed.ok());  // the pipeline has checked the pictures
  return true;
}

}  // namespace fos
