#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "calibration/registration/table_registration.h"
#include "calibration/watch/camera_watch.h"
#include "engine/table/scenario.h"
#include "vision/change/change_detector.h"
#include "vision/image/diagnostics.h"
#include "vision/image/frame.h"
#include "vision/scene/stand_scene.h"
#include "vision/scene/terrain_map.h"
#include "vision/shots/shot_detector.h"
#include "vision/stands/stand_detector.h"

// The stages in order: pictures in, what happened on the table out. Knows no rule.
namespace fos {

// The table has been found (or found again).
struct TableFound {
  TableRegistration registration;
};
// Every stand, at the start and after each change.
struct StandsSeen {
  StandScene scene;
  // At the start: the picture they were looked for in, and its camera. Others have come since, with
  // hands in them or from a camera that was knocked. Else empty.
  cv::Mat picture = {};
  std::optional<TableCamera> camera = {};
};
struct ViewChanged {
  bool obstructed = false;
};
struct CameraMoved {
  double shift_px = 0;
};
// A projectile has come to rest.
struct ShotSeen {
  ProjectileFinding finding;
  cv::Mat before;  // CV_8UC3, the part of the picture about it before it fell, in the exposure of
                   // `after`
  cv::Mat after;   // CV_8UC3, the same part with it
  TableCamera camera;  // of that part
  // What else it was measured from: to measure it again, these give the same.
  cv::Mat changed;   // CV_8UC1, of the same size: 255 where the picture is new and still
  double noise = 1;  // grey levels, one sigma of a pixel of `after`
  TableBox where;    // in which something is new
  std::vector<LyingSwab> lying;  // that lay there already and may hold it up
  std::vector<Lump> unknown;     // likewise
};
// Something the program cannot settle by itself, in words.
struct NeedsPeople {
  std::string text;
};
// What happened, and the frame from which it was known.
struct Sighting {
  std::variant<TableFound, StandsSeen, ViewChanged, CameraMoved, ShotSeen, StandChange, NeedsPeople,
               IdentityDoubt>
      what;
  FrameId frame;
  double time_s = 0;
};

struct PipelineOptions {
  ChangeDetectorOptions watch;
  ShotDetectorOptions shots;
  StandDetectorOptions stands;
  // How long the table must lie still before it is first measured, seconds.
  double start_still_s = 0.15;
  int least_start_frames = 4;  // averaged for the first measurement
  // How often the paints are learnt anew while the light drifts, seconds: the sun goes behind a
  // cloud in a few, and learning takes the time of a frame. When a lamp was switched it is done
  // at once. Infinite: never.
  double paints_every_s = 5;
  // For so long a table may be hidden, or out of focus, before it is looked for elsewhere, seconds:
  // a webcam's search for its focus takes less.
  double hidden_s = 1.5;
  // What is known of the camera before the table is first looked for.
  RegistrationOptions registration;
};

// Made once for a table, its scenario and a lens; takes every frame in order.
class Pipeline {
 public:
  Pipeline(TableSpec table, Scenario scenario, CameraModel lens, double fps,
           PipelineOptions options = {});
  ~Pipeline();

  // From now on every look for stands is traced, and handed over with the scene it came to. Before
  // the first frame.
  using Traced = std::function<void(const StandTrace&, const StandScene&)>;
  void TraceStands(Traced traced);

  // What this frame brought, in order; most frames bring nothing.
  // errors  kBadFormat for a picture of another size than the lens's.
  Result<std::vector<Sighting>> Observe(const Frame& frame);
  // At the end of a recording.
  // errors  why the table was never found, when it was not.
  Result<std::vector<Sighting>> Finish();

  // Each of those stands is the one it may be: the players say so. False, and nothing is changed,
  // where they are no longer all there.
  bool ChangeNames(const IdentityDoubt& doubt);

  // The table now. FOS_CHECKs that it has been found.
  const TableRegistration& Registration() const;
  const StandScene& Scene() const { return scene_; }
  bool Found() const { return registration_.has_value(); }
  // The camera was moved and the table has not been found again yet.
  bool Lost() const { return lost_; }
  // Why the last look for the table found none; empty before the first look.
  const std::string& WhyNotFound() const { return why_not_found_; }
  const StageTimes& Times() const { return times_; }

 private:
  struct Lying {  // a projectile that was seen and not yet taken
    ProjectileFinding finding;
    cv::Mat bare;        // CV_8UC3, the part of the picture about it before it came
    TableCamera camera;  // of that part
    cv::Rect part;       // where that is in the whole picture; empty once the camera was moved
  };

  // Each appends what it finds.
  void Start(const Frame& frame);
  void JoinStart();  // the first look at the stands runs beside the watch; waits for it
  void LookWhileLost(const Frame& frame);
  void Relocate(const Frame& frame);
  // The table was hidden, and its marks are seen again where they were.
  bool MarksAreBack(const Frame& frame);
  void Resume(const Frame& frame);
  // The corners of the board are where they were, as far as a knock matters.
  bool StillHangsAs(const TableCamera& camera) const;
  void Settle(const Frame& frame, const WatchReport& report);
  enum class Do { kJudge, kWait, kAbsorb };
  Do WhatToDoWith(const SettledRegion& region, const WatchReport& report, FrameId now);
  struct Judged {
    bool any_shot = false;
    int unexplained_px = 0;  // of the change, by no projectile that came or was taken
  };
  Judged JudgeShots(const Frame& frame, const SettledRegion& region, const cv::Vec3d& gain);
  // Forgets those whose place is seen bare again, and shows in `before` what lay there. part: of
  // the whole picture, what the pictures show. Returns their outlines.
  std::vector<Polygon> TakeAway(const SettledRegion& region, const cv::Rect& part,
                                ShotPictures& pictures);
  void ShowLying();
  bool HandsOff() const { return clear_frames_ >= watch_->SettleFrames(); }
  // Something that is no projectile was put down, or taken, there.
  void NoteUnknown(const SettledRegion& region);
  void ShowUnknown();
  void LookForStands(const Frame& frame, const std::vector<SettledRegion>& regions);
  // Learns the paints anew from this settled picture, when nothing but the light is new in it.
  void FollowPaints(const cv::Mat& bgr, double time_s);
  void TellView(const Frame& frame, bool obstructed);
  template <typename What>
  void Tell(const Frame& frame, What what) {
    told_.push_back({std::move(what), frame.id, frame.time_s});
  }
  // The narrowest rectangle about what a region shows to be new, on the cloth, inches.
  Polygon NarrowOutline(const SettledRegion& region) const;
  Result<TableRegistration> Register(const cv::Mat& bgr);
  void WatchFrom(const cv::Mat& bgr);  // from this settled picture, by the new registration
  cv::Mat Settled(const cv::Rect& part) const;  // the mean of the last pictures, CV_8UC3
  ShotPictures PicturesOf(const SettledRegion& region, const cv::Rect& part,
                          const cv::Vec3d& gain) const;
  bool StillSince(const Frame& frame);
  std::vector<ProjectileFinding> FindShots(const SettledRegion& region,
                                           const ShotPictures& pictures);
  bool TriedAlready(const SettledRegion& region, FrameId now);

  TableSpec table_;
  Scenario scenario_;
  CameraModel lens_;
  double fps_;
  PipelineOptions options_;
  ShotDetector shot_detector_;
  StandDetector stand_detector_;
  StandTrace stand_trace_;
  Traced traced_;
  TerrainMap terrain_;
  StageTimes times_;

  std::optional<TableRegistration> registration_;
  std::string why_not_found_;
  std::unique_ptr<ChangeDetector> watch_;
  std::optional<CameraWatch> camera_watch_;
  StandScene scene_;
  std::vector<Lying> lying_;
  struct Unknown {
    TableBox box;
    Polygon outline;  // as narrow as may be
  };
  std::vector<Unknown> unknown_;  // where something lies that is no projectile
  std::deque<Frame> last_;        // the settled pictures are the mean of these
  std::deque<cv::Mat> thumbs_;    // small, for telling a still picture before the table is known
  int still_frames_ = 0;
  double noise_ = 1;
  bool obstructed_ = false;
  int clear_frames_ = 0;
  bool lost_ = false;           // the camera was knocked; the table must be found again
  double lost_time_s_ = 0;      // since when
  bool seen_to_move_ = false;   // that it was, and not only that its marks are hidden
  int new_light_frames_ = 0;    // for how long a new light has stood
  cv::Mat paints_of_;           // the settled picture the paints were last learnt from
  double paints_time_s_ = 0;    // of that
  std::vector<Sighting> told_;  // by the frame being observed
  Frame start_frame_;
  struct Tried {
    cv::Rect rect;
    double area_in2;
    std::int64_t frame;
  };
  std::vector<Tried> tried_;  // regions looked at in vain while hands were about
  // The first look at the stands, on a thread of its own. Last: ends before what it uses.
  struct StartLook;
  std::unique_ptr<StartLook> start_look_;
};

}  // namespace fos
