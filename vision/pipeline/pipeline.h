// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "calibration/registration/table_registration.h"
#include "calibration/watch/camera_watch.h"
#include "engine/table/scenario.h"
#include "vision/change/change_detector.h"
#include "vision/change/quiet_gate.h"
#include "vision/image/diagnostics.h"
#include "vision/image/frame.h"
#include "vision/image/rectify.h"
#include "vision/pipeline/dice_tracker.h"
#include "vision/pipeline/projectile_tracker.h"
#include "vision/pipeline/recent_frames.h"
#include "vision/pipeline/region_groups.h"
#include "vision/pipeline/sight.h"
#include "vision/pipeline/sighting.h"
#include "vision/pipeline/stand_tracker.h"
#include "vision/pipeline/still_picture.h"
#include "vision/scene/stand_scene.h"
#include "vision/stands/stand_detector.h"

// The stages in order: pictures in, what happened on the table out. Knows no rule.
namespace fos {

struct PipelineOptions {
  ChangeDetectorOptions watch;
  ShotDetectorOptions shots;
  StandDetectorOptions stands;
  // How long the table must lie still before it is first measured, seconds.
  double start_still_s = 0.15;
  int least_start_frames = 4;  // averaged for the first measurement
  // How often the paints are learnt again while the light drifts, seconds. A cloud covers the sun
  // in a few seconds, and learning takes the time of a frame. After a lamp was switched they are
  // learnt at once. Infinite: never.
  double paints_every_s = 5;
  // How long the table may be hidden or out of focus before it is looked for elsewhere, seconds.
  // A webcam finds its focus again in less.
  double hidden_s = 1.5;
  // What is known of the camera before the table is first looked for.
  RegistrationOptions registration;
};

// Made once for a table, its scenario and a lens; takes every frame in order.
class Pipeline {
 public:
  Pipeline(TableSpec table, Scenario scenario, CameraModel lens, double fps,
           PipelineOptions options = {});

  // From now on every search for stands is traced, and the trace handed over with the scene it led
  // to. Call before the first frame.
  void TraceStands(StandTracker::Traced traced) { stands_.Trace(std::move(traced)); }

  // What this frame brought, in order; most frames bring nothing.
  // errors  kBadFormat for a picture of another size than the lens's.
  Result<std::vector<Sighting>> Observe(const Frame& frame);
  // At the end of a recording.
  // errors  why the table was never found, when it was not.
  Result<std::vector<Sighting>> Finish();

  // The players say that each of these stands is the one it may be. False, and nothing is changed,
  // where they are no longer all there.
  bool ChangeNames(const IdentityDoubt& doubt);

  // The table now. FOS_CHECKs that it has been found.
  const TableRegistration& Registration() const;
  const StandScene& Scene() const { return stands_.Scene(); }
  bool Found() const { return registration_.has_value(); }
  // The table is out of sight, or the camera was moved and the table not yet found again.
  bool Lost() const { return phase_ == Phase::kHidden || phase_ == Phase::kMoved; }
  // Why the last search for the table failed; empty before the first search.
  const std::string& WhyNotFound() const { return why_not_found_; }
  const StageTimes& Times() const { return times_; }

 private:
  // What the pipeline is doing. Hands over the board are no phase of their own (see view_): what
  // comes to rest beside a hand is judged all the same.
  //
  //   phase        begins when                         ends with
  //   kSearching   the program starts                  kWatching  the table is found
  //   kWatching    table and light are known           kNewLight, kHidden or kMoved
  //   kNewLight    the exposure or most of the         kWatching  the old light is back, or the new
  //                picture has changed                            one has stood
  //                                                    kHidden or kMoved
  //   kHidden      most of the picture has changed     kWatching  the marks are back, or the table
  //                and the camera's marks are not                 is found
  //                seen                                kMoved     the marks are seen elsewhere
  //   kMoved       the camera's marks are seen         kWatching  the table is found again
  //                elsewhere
  enum class Phase { kSearching, kWatching, kNewLight, kHidden, kMoved };

  // What the two watchers read in one frame.
  struct Readings {
    // As the camera would have taken it from its place, in steady light.
    Frame frame;
    WatchReport change;
    WatchReading camera;
    bool shifting = false;  // the camera's marks are off by more than the tolerance in this frame
    Blindness blind = Blindness::kNone;  // nothing may be judged from this frame
  };

  // One function per phase; each reports what it finds and may change phase_.
  void ObserveSearching(const Frame& frame);
  void ObserveWatching(const Frame& frame, const Readings& now);
  void ObserveNewLight(const Frame& frame, const Readings& now);
  void ObserveHidden(const Frame& frame);
  void ObserveMoved(const Frame& frame);
  // Whether the camera's marks are seen where they were when the table was found.
  static bool IsInItsPlace(const WatchReading& camera);

  // Whether a frame shows what the last one did while nothing happened, so that it is enough to
  // note that it came. Every few frames are looked at in full all the same.
  bool ShowsNothingNew(const Frame& frame);
  void ObserveQuiet(const Frame& frame);
  // Notes whether the frames after this one may show nothing new.
  void WatchForNews(const Frame& frame, const Readings& now);
  // Notes how long no new picture has come, or the same one. True when hands may have come and gone
  // meanwhile.
  bool MissedSomething(const Frame& frame);
  // The table again after such a time, or after frames that could not be judged.
  void LookAnew(const cv::Mat& bgr);
  // A frame's picture as the camera would have taken it from its place.
  cv::Mat InPlace(const cv::Mat& bgr, const WatchReading& camera) const;
  // Reads a frame while the table is in view, and the phase that follows from the readings.
  // Empty for a picture that may be broken.
  std::optional<Readings> Read(const Frame& frame);
  // Whether a decoder has put one colour in the place of what it could not read. Such a picture
  // counts as none.
  bool IsConcealed(const Frame& frame);
  // Whether many of the marks have vanished at once, as in a single picture that a decoder could
  // not read: it is believed when the next one shows the same.
  bool MayBeBroken(const Frame& frame, const WatchReading& camera);
  Phase PhaseAfter(const Readings& now) const;
  // Whether the picture is sharper or softer than the background. Out of focus every edge differs.
  bool OutOfFocus(const Readings& now) const;
  // A focus that stays is the new one.
  void FollowFocus(const Frame& frame, const Readings& now);
  void EnterPhase(Phase phase, const Frame& frame);

  // Frames for which the picture, or the board in it, must lie still before it is measured.
  int StillFramesWanted() const;
  bool StillLongEnough() const;
  // Tells the players once that the lamps flicker in bands.
  void ReportBands(const Frame& frame);
  // The board's corners in the picture, pixels, in order round it.
  std::vector<cv::Point> BoardOutline(const TableCamera& camera) const;
  Result<TableRegistration> Register(const cv::Mat& bgr);
  // Watches for changes from this settled picture on, by the new registration.
  void WatchFrom(const cv::Mat& bgr);
  double SharpnessOfRecent();
  void FindTableAgain(const Frame& frame);
  // Whether the table that was found fits its lens as well as before, or nearly, and looks as it
  // did.
  bool IsThisTable(const TableRegistration& found, const cv::Mat& bgr) const;
  // Whether hands may have moved something since the table was lost.
  bool MayHaveBeenHandled(const Frame& frame) const;
  void ResumeAfterHiding(const Frame& frame);
  void AdoptMovedCamera(const Frame& frame, const cv::Mat& bgr, const TableRegistration& found);
  // Whether this camera places the corners of the board where the present one does, within so much.
  bool WithinReach(const TableCamera& camera, double reach_in) const;
  // Reports a hand that moves over the table while its place in the picture is not known.
  void LookForMovingHand(const Frame& frame);
  // The recent frames show what has just come to rest, and nothing from before.
  void KeepRecent(const Frame& frame);
  // Whether they go back to before that, and how long that takes at the least.
  bool RecentHaveSettled() const;
  double LeastSettled_s() const;
  // The table as it was when what is new on it was last known, as this camera sees it.
  PictureFromElsewhere KnownTable() const;
  // Keeps what the new background shows and the known table does not as new. Where they differ too
  // much, as with an arm in the picture, they are compared again when hands are off.
  // remark  what people are told where that does not help either
  void TellApart(const Frame& frame, PictureFromElsewhere known, const char* remark);
  // True where the background has been replaced.
  bool TellApartAgain(const Frame& frame, const Readings& now);
  bool CanTellApart(const TableCamera& camera, const cv::Mat& bgr,
                    const PictureFromElsewhere& known) const;
  // Tells the players once of hands that came before the table could be judged after a move, or
  // after the light changed.
  void TellUnjudged(const Frame& frame, const Readings& now);
  // Whether the table has been watched without hands for so long that what lay there was judged.
  bool HasSettledSince(double now_s) const;

  void JoinFirstLook();  // waits for the first search for stands, and reports it

  void JudgeSettled(const Frame& frame, const WatchReport& report);
  enum class Action { kJudge, kWait, kAddToBackground };
  Action ActionFor(const SettledRegion& region, const WatchReport& report, const Frame& now);
  // Whether what has settled is a damaged stream's broken blocks, as far as a whole picture may
  // still come.
  bool IsDamaged(const Readings& now) const;
  // Reports the projectiles in a settled region. Returns it where stands must explain the rest.
  // as_left  how the stands stand after hands moved them
  // objects  takes what was put down or taken and is no projectile; the stands explain some
  bool JudgeRegion(const Frame& frame, SettledRegion region, const cv::Vec3d& gain,
                   const std::function<const StandScene&()>& as_left,
                   std::vector<ObjectSeen>& objects);
  // Reads the dice in a tray; nothing else is looked for there.
  void ReadTray(const Frame& frame, SettledRegion region, const WatchReport& report);
  // The part of the picture about a region that is looked at.
  cv::Rect PartAbout(const SettledRegion& region, cv::Size picture) const;
  // Reports the objects that no stand explains.
  // A shot comes alone. What is taken for a shell, and came with a die or with another of its kind,
  // may be a die whose pips are not seen: people are asked.
  void AskAboutThrown();
  void ReportObjects(const Frame& frame, const std::vector<ObjectSeen>& objects);
  ShotPictures PicturesOf(const SettledRegion& region, const cv::Rect& part,
                          const cv::Vec3d& gain) const;
  // The pixels of these regions, CV_8UC1 of the whole picture's size.
  cv::Mat MaskOf(const std::vector<SettledRegion>& regions, cv::Size picture) const;
  bool HandsOff() const { return view_.ClearSteps() >= change_detector_->SettleFrames(); }
  // What hands left is no half of a move: they are off, and nothing moves, or they have been off
  // for longer than it takes to come back.
  bool LiesAsLeft(const WatchReport& report, double now_s) const;
  // How the stands stand in a settled picture, where it differs in these regions.
  StandScene LookForStands(const cv::Mat& bgr, const std::vector<SettledRegion>& regions);
  // They stand like this now. Reports what changed.
  void ReportStands(const Frame& frame, StandScene seen);
  // Learns the paints again from this settled picture, in which nothing but the light is new.
  void FollowPaints(const cv::Mat& bgr, double time_s);

  void ReportView(const Frame& frame, bool hand_in_view, Blindness why = Blindness::kNone);
  template <typename What>
  void Report(const Frame& frame, What what) {
    sightings_.push_back({std::move(what), frame.id, frame.time_s});
  }

  TableSpec table_;
  Scenario scenario_;
  CameraModel lens_;
  double fps_;
  PipelineOptions options_;
  StageTimes times_;

  Phase phase_ = Phase::kSearching;
  StillPicture still_;         // in kSearching, kHidden and kMoved
  std::string why_not_found_;  // in kSearching
  double next_search_s_ = 0;   // in kSearching and kHidden: not before, while something moves
  std::optional<double> calm_since_s_;  // in kNewLight: since when the new light has stood
  bool exposure_jumped_ = false;        // in kNewLight
  bool hand_in_new_light_ = false;      // or it left something when the light began to change
  struct NotToldApart {
    PictureFromElsewhere known;
    const char* remark = nullptr;
    double since_s = 0;
    bool told = false;   // the remark
    bool hands = false;  // were seen since
  };
  std::optional<NotToldApart> not_told_apart_;
  double hidden_since_s_ = 0;  // in kHidden
  double lost_since_s_ = 0;    // in kMoved: since the table was last judged
  bool hand_while_lost_ = false;
  bool hands_unjudged_ = false;  // when the table was last judged: what hands left, or hands
  int frames_in_place_ = 0;      // in kMoved: in a row
  // What happened since the table was last judged, with no hand there.
  enum class Unjudged { kNothing, kMove, kLight } unjudged_ = Unjudged::kNothing;
  double watching_since_s_ = 0;  // in kWatching

  // From kWatching on.
  std::optional<TableRegistration> registration_;
  std::unique_ptr<ChangeDetector> change_detector_;
  std::optional<CameraWatch> camera_watch_;
  std::optional<QuietGate> quiet_gate_;
  std::int64_t looked_ = 0;     // the frame that was looked at in full last
  double looked_s_ = 0;         // its time
  double followed_s_ = 0;       // when the light was followed last
  bool follow_missed_ = false;  // the light ought to have been followed since
  double noise_ = 1;            // grey levels, one sigma of a pixel of one frame
  PointSpread blur_;
  double usual_sharpness_ = 1;  // of pictures in the background's focus, as CameraWatch tells it
  std::optional<double> blurred_s_;  // when the marks were last seen, if out of focus
  struct OtherFocus {
    double since_s;
    double sharpness;
  };
  std::optional<OtherFocus> other_focus_;  // as far as it stands
  PaperLight paper_;
  Veil veil_;  // of all pictures since the table was found; taken off them
  FreePictures unveiled_;
  ProjectileTracker projectiles_;
  DiceTracker dice_;
  RegionsBesideHands beside_hands_;
  struct LearntPaints {
    cv::Mat picture;               // the settled picture they were last learnt from
    std::optional<double> time_s;  // of that; empty when they must be learnt again at once
  } paints_;

  Frame last_;                             // as it came, without the veil
  double last_new_s_ = 0;                  // when a picture last differed from the one before
  bool grainy_ = false;                    // no two pictures of this camera are the same
  double marks_in_view_ = 0;               // in the last picture that was believed
  bool broken_ = false;                    // the last picture was not
  std::optional<double> concealed_since_s_;  // since when the pictures have been concealed in part
  std::optional<double> damaged_until_s_;  // broken blocks were seen a moment before
  double blind_until_s_ = 0;               // the last frame that could not be judged
  double last_judged_s_ = 0;               // when a frame could last be judged
  std::optional<double> bands_seen_s_;     // the last frame with bands of light
  double bands_since_s_ = 0;               // and the first, without a pause
  bool bands_told_ = false;
  RecentFrames recent_;
  Sight view_;
  std::vector<Sighting> sightings_;  // of the frame being observed
  StandTracker stands_;              // last: its thread may still run
};

}  // namespace fos
