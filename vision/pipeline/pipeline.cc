// SPDX-License-Identifier: MIT
#include "vision/pipeline/pipeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <opencv2/core/ocl.hpp>
#include <opencv2/imgproc.hpp>
#include <utility>

#include "calibration/registration/deployment.h"
#include "vision/change/broken_blocks.h"
#include "vision/image/rectify.h"
#include "vision/shots/projectile_judge.h"

namespace fos {
namespace {

double Tolerance_in() { return CameraWatch::Options().tolerance_in; }

// A camera that trembles or creeps by no more than this is followed frame by frame. A figure of an
// inch is then displaced against the cloth by a two hundredth of an inch at most, as seen from 50
// inches up.
constexpr double kFollowed_in = 0.25;

// Edges less steep than this, as a share of the table's own, are blurred by as much again as the
// lens blurred them when the table was found: 1 / sqrt(2).
constexpr double kLeastSharp = 0.7;

// A webcam that hunts for its focus comes back in less. Seconds.
constexpr double kNewFocus_s = 3;

// Edges that are softer or steeper than the background's by more than this share differ from it as
// things do: pictures of half the size, enlarged, are softer by an eighth, and bring up to 22
// objects that are none. In focus, noise and coding make a fortieth (seven labelled clips).
constexpr double kOtherSharpness = 0.08;

// A camera in the dark delivers five pictures a second, and a recorder may repeat each of them for
// as long. Seconds.
constexpr double kSamePicture_s = 0.21;

// A camera or table that was moved further than the watch can follow, 22 pixels at 33 to the inch.
// No picture out of focus is misplaced by as much. Inches.
constexpr double kFarOff_in = 0.67;

// A knock and its swinging are over in less; after that, hands may have been anywhere. Seconds.
constexpr double kHandsLost_s = 1.5;

// Pictures of which the settled one is made, at the least: two more show what came in the first.
constexpr std::size_t kLeastRecent = 3;

// Recorders send a whole picture every ten seconds at least.
constexpr double kWholePicture_s = 10;

Vec2 MiddleOf(const TableSpec& table) { return {table.frame.Width() / 2, table.frame.Depth() / 2}; }

}  // namespace

Pipeline::Pipeline(TableSpec table, Scenario scenario, CameraModel lens, double fps,
                   PipelineOptions options)
    : table_(std::move(table)),
      scenario_(std::move(scenario)),
      lens_(std::move(lens)),
      fps_(fps),
      options_(std::move(options)),
      still_(options_.watch.least_change),
      projectiles_(table_.frame, scenario_, options_.shots),
      dice_(scenario_),
      view_(fps_),
      stands_(table_, scenario_, options_.stands) {
  // Looking for a graphics card's OpenCL takes a tenth of a second and wins nothing on pictures of
  // this size.
  cv::ocl::setUseOpenCL(false);
}

const TableRegistration& Pipeline::Registration() const {
  FOS_CHECK(registration_.has_value());
  return *registration_;
}

bool Pipeline::ChangeNames(const IdentityDoubt& doubt) {
  JoinFirstLook();
  return stands_.ChangeNames(doubt);
}

Result<std::vector<Sighting>> Pipeline::Observe(const Frame& given) try {
  Frame frame = given;
  if (frame.bgr.type() != CV_8UC3 || frame.bgr.cols != lens_.width_px ||
      frame.bgr.rows != lens_.height_px) {
    return Error{
        ErrorCode::kBadFormat,
        fmt::format("frame {}: is {} x {}, the lens was calibrated for {} x {}; use the camera "
                    "file of this camera and picture size",
                    frame.id.index, frame.bgr.cols, frame.bgr.rows, lens_.width_px,
                    lens_.height_px)};
  }
  if (veil_.Any()) {
    const StageTimes::Scope timed(times_, "veil");
    frame.bgr = WithoutVeil(frame.bgr, veil_, &unveiled_);
  }
  const bool concealed = concealed_since_s_.has_value();
  if (IsConcealed(frame)) {
    if (!Lost()) ReportView(frame, view_.HandInView(), Blindness::kDamaged);
    return std::exchange(sightings_, {});
  }
  const bool missed = MissedSomething(frame);
  // Frames do not wait for the first look; it is reported when done, with the frame it was made
  // from.
  if (stands_.FirstLookReady()) JoinFirstLook();
  switch (phase_) {
    case Phase::kSearching:
      recent_.Add(frame, static_cast<std::size_t>(std::max(options_.least_start_frames, 2)));
      ObserveSearching(frame);
      break;
    case Phase::kHidden:
      KeepRecent(frame);
      ObserveHidden(frame);
      break;
    case Phase::kMoved:
      KeepRecent(frame);
      ObserveMoved(frame);
      break;
    case Phase::kWatching:
    case Phase::kNewLight:
      if (HasSettledSince(frame.time_s)) unjudged_ = Unjudged::kNothing;
      if (missed) {
        LookAnew(frame.bgr);
        // Blindness is told within a second, and what came between two pictures cannot be.
        constexpr double kToldGap_s = 1;
        if (const double gap_s = frame.time_s - last_.time_s; gap_s > kToldGap_s) {
          Report(frame, NeedsPeople{fmt::format("no {}pictures came for {:.1f} s; what fell and "
                                                "was taken up meanwhile was not seen",
                                                concealed ? "whole " : "", gap_s)});
        }
      }
      if (!missed && ShowsNothingNew(frame)) {
        ObserveQuiet(frame);
        break;
      }
      const std::optional<Readings> read = Read(frame);
      if (!read) break;
      const Readings& now = *read;
      const bool was_new_light = phase_ == Phase::kNewLight;
      EnterPhase(PhaseAfter(now), frame);
      // Hands that come change the light on the table themselves.
      if (!was_new_light && phase_ == Phase::kNewLight && HandsOff() && !now.change.obstructed &&
          unjudged_ == Unjudged::kNothing)
        unjudged_ = Unjudged::kLight;
      if (phase_ == Phase::kMoved) {  // a knock hides nothing, but a hand may be there still
        ReportView(frame, view_.HandInView(), Blindness::kMoved);
        quiet_gate_->Forget();
        break;
      }
      const bool light = phase_ == Phase::kNewLight;
      const bool hidden = phase_ == Phase::kHidden;
      ReportView(frame, hidden || now.change.obstructed,
                 hidden                                   ? Blindness::kHidden
                 : light && now.blind == Blindness::kNone ? Blindness::kLight
                                                          : now.blind);
      TellUnjudged(frame, now);
      if (now.blind == Blindness::kNone) {
        KeepRecent(now.frame);
        ReportBands(frame);
      } else {
        recent_.Clear();
      }
      FollowFocus(now.frame, now);
      if (phase_ == Phase::kWatching) {
        ObserveWatching(now.frame, now);
      } else if (light) {
        ObserveNewLight(now.frame, now);
      }
      if (now.blind == Blindness::kNone && !hidden)
        hands_unjudged_ = change_detector_->SuspectsHands();
      WatchForNews(frame, now);
  }
  last_ = frame;
  return std::exchange(sightings_, {});
} catch (const cv::Exception& e) {  // OpenCV's exceptions stop here
  return Error{ErrorCode::kDegenerate, fmt::format("frame {}: {}", given.id.index, e.what())};
}

Result<std::vector<Sighting>> Pipeline::Finish() try {
  if (!registration_) {
    return Error{ErrorCode::kNotFound,
                 why_not_found_.empty()
                     ? "the table never lay still long enough to be measured; keep hands "
                       "off it for a second"
                     : why_not_found_};
  }
  JoinFirstLook();
  if (not_told_apart_ && !not_told_apart_->told)
    Report(last_, NeedsPeople{not_told_apart_->remark});
  if (!recent_.empty()) Report(recent_.Newest(), StandsSeen{stands_.Scene()});
  return std::exchange(sightings_, {});
} catch (const cv::Exception& e) {
  return Error{ErrorCode::kDegenerate, std::string("at the end: ") + e.what()};
}

bool Pipeline::ShowsNothingNew(const Frame& frame) {
  // What differs too little for the gate waits for the next full look: less than half as long as
  // it must lie still anyway.
  const int every = std::max(2, change_detector_->SettleFrames() / 2);
  const bool frozen = grainy_ && frame.time_s - last_new_s_ > kSamePicture_s;
  const std::int64_t pictures = frame.id.index - looked_;
  const bool rare =
      pictures >= 2 && frame.time_s - looked_s_ > (every + 0.5) / FrameSteps::PerSecond(fps_);
  if (frozen || pictures >= every || rare) return false;
  const StageTimes::Scope timed(times_, "quiet gate");
  return quiet_gate_->ShowsTheSame(frame.bgr);
}

void Pipeline::ObserveQuiet(const Frame& frame) {
  change_detector_->Skip();
  if (frame.id.index % change_detector_->SettleFrames() == 0) follow_missed_ = true;
  last_judged_s_ = frame.time_s;
  ReportView(frame, false);
  KeepRecent(frame);
  if (auto dice = dice_.Throw(frame.time_s, HandsOff(), stands_.Scene().stands))
    Report(frame, std::move(*dice));
}

void Pipeline::WatchForNews(const Frame& frame, const Readings& now) {
  const WatchReport& change = now.change;
  const bool happens = change.obstructed || change.moving || change.picture_shifted ||
                       change.light_changed || change.new_exposure || !change.settled.empty();
  const bool steady = now.blind == Blindness::kNone && !now.shifting &&
                      now.camera.state == WatchReading::State::kSteady &&
                      change_detector_->Settled();
  if (happens || !steady || !HandsOff() || phase_ != Phase::kWatching) {
    quiet_gate_->Forget();
    return;
  }
  const StageTimes::Scope timed(times_, "quiet gate");
  quiet_gate_->Remember(frame.bgr);
  looked_ = frame.id.index;
  looked_s_ = frame.time_s;
}

bool Pipeline::MissedSomething(const Frame& frame) {
  if (last_.bgr.empty()) {
    last_new_s_ = frame.time_s;
    return false;
  }
  // A sensor's grain never comes twice. A strip of each picture is enough to tell.
  constexpr int kStrip_px = 8;
  const cv::Rect strip(0, frame.bgr.rows / 2, frame.bgr.cols, std::min(kStrip_px, frame.bgr.rows));
  const cv::Rect part = strip & cv::Rect({}, frame.bgr.size());
  const bool same = cv::norm(frame.bgr(part), last_.bgr(part), cv::NORM_INF) <= 0 &&
                    cv::norm(frame.bgr, last_.bgr, cv::NORM_INF) <= 0;
  if (same) return false;
  const double since_s = grainy_ ? last_new_s_ : last_.time_s;
  last_new_s_ = frame.time_s;
  return frame.time_s - since_s > kGap_s;
}

void Pipeline::LookAnew(const cv::Mat& bgr) {
  change_detector_->SuspectHands(bgr);
  recent_.Clear();
}

cv::Mat Pipeline::InPlace(const cv::Mat& bgr, const WatchReading& camera) const {
  if (!camera.now_from_reference) return bgr;
  // What the frame does not show is as it was.
  cv::Mat out = change_detector_->Background().clone();
  cv::warpPerspective(bgr, out, *camera.now_from_reference, bgr.size(),
                      cv::INTER_CUBIC | cv::WARP_INVERSE_MAP, cv::BORDER_TRANSPARENT);
  return out;
}

void Pipeline::KeepRecent(const Frame& frame) {
  // Half a step less: what came to rest a settling time ago was moving in the picture before.
  const double span_s = (change_detector_->SettleFrames() - 0.5) / FrameSteps::PerSecond(fps_);
  recent_.AddWithin(frame, span_s, kLeastRecent);
}

double Pipeline::LeastSettled_s() const {
  return (change_detector_->SettleFrames() - 1.5) / FrameSteps::PerSecond(fps_);
}

bool Pipeline::RecentHaveSettled() const {
  return recent_.size() >= kLeastRecent && recent_.Watched_s() > LeastSettled_s();
}

std::optional<Pipeline::Readings> Pipeline::Read(const Frame& frame) {
  Readings now;
  now.frame = frame;
  {
    const StageTimes::Scope timed(times_, "camera watch");
    now.camera = (*camera_watch_)(frame.bgr);
  }
  if (MayBeBroken(frame, now.camera)) return std::nullopt;
  now.shifting = now.camera.shift_in > Tolerance_in();
  const bool in_reach = now.camera.shift_in <= kFollowed_in;
  if (now.shifting && in_reach) {
    const StageTimes::Scope timed(times_, "follow the camera");
    now.frame.bgr = InPlace(frame.bgr, now.camera);
  }
  {
    const StageTimes::Scope timed(times_, "watch");
    now.frame.bgr = change_detector_->SteadyLight(now.frame.bgr);
    now.change = change_detector_->Look(now.frame);
  }
  const bool tells = now.camera.state != WatchReading::State::kCannotTell;
  if (now.shifting && !in_reach) now.blind = Blindness::kShaking;
  if (tells) blurred_s_ = OutOfFocus(now) ? std::optional(frame.time_s) : std::nullopt;
  // A blur that grows hides the marks in the end; a hand that covers them later does not blur them.
  if (blurred_s_ && frame.time_s - *blurred_s_ < kNewFocus_s) now.blind = Blindness::kUnsharp;
  if (grainy_ && frame.time_s - last_new_s_ > kSamePicture_s) now.blind = Blindness::kFrozen;
  if (now.blind == Blindness::kNone) {
    // More blocks break until the next whole picture, and not all can be told from things.
    constexpr double kMore_s = 1;
    if (IsDamaged(now)) damaged_until_s_ = frame.time_s + kMore_s;
    if (damaged_until_s_) now.blind = Blindness::kDamaged;
    if (damaged_until_s_ && frame.time_s >= *damaged_until_s_) damaged_until_s_.reset();
  }
  if (now.blind != Blindness::kNone) blind_until_s_ = frame.time_s;
  // Hands are seen out of focus too.
  if (now.blind == Blindness::kNone) last_judged_s_ = frame.time_s;
  return now;
}

bool Pipeline::IsConcealed(const Frame& frame) {
  if (!grainy_ || !change_detector_) return false;
  constexpr double kLeast = 0.01;  // of the picture's blocks: a row of them
  if (ShareOfConcealedBlocks(frame.bgr, change_detector_->Background()) < kLeast) {
    concealed_since_s_.reset();
    return false;
  }
  if (!concealed_since_s_) concealed_since_s_ = frame.time_s;
  // What stays longer was drawn into the picture.
  return frame.time_s - *concealed_since_s_ < kWholePicture_s;
}

bool Pipeline::MayBeBroken(const Frame& frame, const WatchReading& camera) {
  // An arm moves five inches in an eighth of a second: it covers a third of the marks in no less.
  constexpr double kAtOnce_s = 0.125;
  constexpr double kThird = 1.0 / 3;
  const bool vanished = camera.in_view < (1 - kThird) * marks_in_view_;
  broken_ = vanished && !broken_ && frame.time_s - last_.time_s <= kAtOnce_s;
  if (!broken_) marks_in_view_ = camera.in_view;
  return broken_;
}

bool Pipeline::OutOfFocus(const Readings& now) const {
  return now.camera.sharpness < kLeastSharp ||
         std::abs(now.camera.sharpness / usual_sharpness_ - 1) > kOtherSharpness;
}

void Pipeline::FollowFocus(const Frame& frame, const Readings& now) {
  if (now.blind != Blindness::kUnsharp || now.camera.sharpness < kLeastSharp || now.shifting ||
      now.change.obstructed) {
    other_focus_.reset();
    return;
  }
  if (!other_focus_ ||
      std::abs(now.camera.sharpness / other_focus_->sharpness - 1) > kOtherSharpness / 2)
    other_focus_ = OtherFocus{frame.time_s, now.camera.sharpness};
  if (frame.time_s - other_focus_->since_s < kNewFocus_s) return;
  usual_sharpness_ = now.camera.sharpness;
  other_focus_.reset();
  PictureFromElsewhere known = KnownTable();
  change_detector_->SetBackground(frame.bgr, noise_);
  TellApart(frame, std::move(known),
            "the camera has changed its focus, and the table looks too different "
            "to say what is new; what fell meanwhile was not judged");
  blur_ = PointSpreadOf(frame.bgr, registration_->camera, table_);
}

bool Pipeline::IsDamaged(const Readings& now) const {
  if (now.shifting) return false;  // the picture has been moved off its blocks
  const int scale = change_detector_->Scale();
  const auto is_broken = [&](const SettledRegion& region) {
    const cv::Rect part(region.rect.tl() * scale, region.rect.size() * scale);
    return now.frame.time_s - region.at_rest_s < kWholePicture_s &&
           HasBrokenBlocks(now.frame.bgr, change_detector_->Background(), now.change.gain, part,
                           noise_);
  };
  // Of so many places some may look so by chance; of 1,000 in a labelled clip under fog and other
  // light none did. Where a whole picture was lost, one in eight does.
  constexpr double kLeast = 0.05;
  const std::vector<SettledRegion>& many = now.change.too_many;
  const auto broken = std::count_if(many.begin(), many.end(), is_broken);
  if (static_cast<double>(broken) > kLeast * static_cast<double>(many.size())) return true;
  return std::any_of(now.change.settled.begin(), now.change.settled.end(), is_broken);
}

Pipeline::Phase Pipeline::PhaseAfter(const Readings& now) const {
  // While the camera's marks are seen where they were, a change of the whole picture is light.
  const bool all_changed = now.change.picture_shifted && !now.change.light_changed;
  using State = WatchReading::State;
  const bool followed = now.shifting && now.camera.shift_in <= kFollowed_in;
  const bool elsewhere = now.camera.state == State::kMoved && (now.camera.at_rest || !followed);
  if (elsewhere || (now.shifting && !followed && all_changed)) return Phase::kMoved;
  // Out of focus every edge differs, whatever hides the table or lights it.
  if (now.blind == Blindness::kUnsharp) return phase_;
  // A light in which no mark is seen shows no table: all lamps are out, or the lens has its cap on.
  const bool changed = now.change.picture_shifted || now.change.light_changed;
  if (now.camera.state == State::kCannotTell && changed) return Phase::kHidden;
  if (now.blind != Blindness::kNone) return phase_;
  return changed ? Phase::kNewLight : Phase::kWatching;
}

void Pipeline::EnterPhase(Phase phase, const Frame& frame) {
  if (phase == phase_) return;
  phase_ = phase;
  if (phase == Phase::kWatching) watching_since_s_ = frame.time_s;
  if (phase == Phase::kNewLight) {
    calm_since_s_.reset();
    hand_in_new_light_ = hands_unjudged_;
    exposure_jumped_ = false;
  }
  if (phase == Phase::kHidden) hidden_since_s_ = frame.time_s;
  if (phase == Phase::kHidden || phase == Phase::kMoved) {
    still_.Reset();
    recent_.Clear();
    lost_since_s_ = last_judged_s_;
    hand_while_lost_ = hands_unjudged_;
    // In the picture that shows the table elsewhere, everything looks like hands.
    change_detector_->ForgetHands();
    frames_in_place_ = 0;
    unjudged_ = phase == Phase::kMoved ? Unjudged::kMove : Unjudged::kNothing;
  }
}

int Pipeline::StillFramesWanted() const {
  // In the dark fewer come than were promised.
  constexpr double kRounded = 0.9;  // stamps are
  const double came_fps = recent_.Rate_fps();
  const double rate_fps = came_fps > 0 && came_fps < kRounded * fps_ ? came_fps : fps_;
  return std::max(static_cast<int>(recent_.size()),
                  static_cast<int>(std::lround(options_.start_still_s * rate_fps)));
}

bool Pipeline::StillLongEnough() const { return still_.Frames() >= StillFramesWanted(); }

std::vector<cv::Point> Pipeline::BoardOutline(const TableCamera& camera) const {
  return PixelsAt(camera, table_.frame.Corners(), 0);
}

// kSearching: finds the table in the first settled picture.
void Pipeline::ObserveSearching(const Frame& frame) {
  still_.Add(frame);
  // Only the board has to lie still. Where it is, a search must tell first; while people move
  // beside it one is worth its time now and then.
  constexpr double kSearchEvery_s = 0.5;
  const bool all_still = StillLongEnough();
  if (!all_still && (recent_.size() < 2 || frame.time_s < next_search_s_)) return;
  next_search_s_ = frame.time_s + kSearchEvery_s;
  cv::Mat bgr = recent_.Mean();
  const Result<TableRegistration> found = Register(bgr);
  if (!found.ok()) {
    if (all_still) {
      why_not_found_ = found.error().message;
      still_.Recount();  // search again after as many frames: a hand may cover a marker
    }
    return;
  }
  if (!all_still && !still_.StillInside(BoardOutline(found->camera), StillFramesWanted())) {
    why_not_found_ = "the board never lay still; keep hands off it until the table is found";
    return;
  }
  registration_ = found.value();
  veil_ = VeilOf(bgr, registration_->camera, table_);
  if (veil_.Any()) {
    recent_.TakeOff(veil_);
    bgr = recent_.Mean();
  }
  paints_.time_s = frame.time_s;
  Report(frame, TableFound{*registration_});
  grainy_ = recent_.size() >= 2 &&
            cv::norm(recent_.BeforeNewest().bgr, recent_.Newest().bgr, cv::NORM_INF) > 0;
  last_judged_s_ = frame.time_s;
  noise_ = recent_.size() >= 2 ? NoiseOf(recent_.BeforeNewest().bgr, recent_.Newest().bgr) : 1;
  WatchFrom(bgr);
  stands_.StartFirstLook(frame, bgr, registration_->camera);
  EnterPhase(Phase::kWatching, frame);
}

PictureFromElsewhere Pipeline::KnownTable() const {
  if (not_told_apart_) return not_told_apart_->known;
  const cv::Mat& known = change_detector_->Background();
  return {known.clone(), cv::Mat(known.size(), CV_8UC1, cv::Scalar(255))};
}

void Pipeline::TellApart(const Frame& frame, PictureFromElsewhere known, const char* remark) {
  not_told_apart_.reset();
  if (!change_detector_->KeepWhatIsNew(known.bgr, known.seen))
    not_told_apart_ = NotToldApart{std::move(known), remark, frame.time_s};
}

bool Pipeline::TellApartAgain(const Frame& frame, const Readings& now) {
  not_told_apart_->hands = not_told_apart_->hands || now.change.obstructed;
  // An arm that is part of the new background looks like one when it has gone.
  if (now.change.moving || !RecentHaveSettled()) return false;
  NotToldApart before = std::move(*not_told_apart_);
  not_told_apart_.reset();
  // What rests there may be an arm, which nothing tells until it moves.
  const bool may_be_arm = frame.time_s - before.since_s < options_.watch.still_hand_s;
  if (!before.told || before.hands) {
    const cv::Mat bgr = recent_.Mean();
    if (CanTellApart(registration_->camera, bgr, before.known)) {
      change_detector_->SetBackground(bgr, noise_);
      change_detector_->KeepWhatIsNew(before.known.bgr, before.known.seen);
      if (before.hands) change_detector_->SuspectHands(bgr);
      return true;
    }
    if (!before.told) Report(frame, NeedsPeople{before.remark});
    before.told = true;
    before.hands = false;
  }
  if (may_be_arm) not_told_apart_ = std::move(before);
  return false;
}

bool Pipeline::CanTellApart(const TableCamera& camera, const cv::Mat& bgr,
                            const PictureFromElsewhere& known) const {
  ChangeDetector there(camera, table_.frame, bgr.size(), fps_, options_.watch);
  there.SetBackground(bgr, noise_);
  return there.KeepWhatIsNew(known.bgr, known.seen);
}

// kWatching: judges what has settled, and follows slow changes of the light.
void Pipeline::ObserveWatching(const Frame& frame, const Readings& now) {
  if (now.change.new_exposure) paints_.time_s.reset();
  if (now.blind != Blindness::kNone) return;
  // What differed from the background before it is no news from the new one.
  if (not_told_apart_ && TellApartAgain(frame, now)) return;
  constexpr double kRarely_s = 0.4;
  if (frame.id.index % change_detector_->SettleFrames() == 0 || follow_missed_ ||
      frame.time_s - followed_s_ > kRarely_s) {
    follow_missed_ = false;
    followed_s_ = frame.time_s;
    const StageTimes::Scope timed(times_, "follow the light");
    change_detector_->Follow(frame.bgr);
  }
  const bool paints_due =
      !paints_.time_s || frame.time_s - *paints_.time_s >= options_.paints_every_s;
  if (paints_due && HandsOff() && !now.change.moving && now.change.settled.empty())
    FollowPaints(recent_.Mean(), frame.time_s);
  if (RecentHaveSettled()) {
    if (HandsOff() && !now.change.moving) unjudged_ = Unjudged::kNothing;
    JudgeSettled(frame, now.change);
  }
  if (auto dice =
          dice_.Throw(frame.time_s, HandsOff() && !now.change.moving, stands_.Scene().stands))
    Report(frame, std::move(*dice));
}

// kNewLight: judges nothing. When the new light has stood, the table as it looks now is the
// background, but for what came or went meanwhile.
void Pipeline::ObserveNewLight(const Frame& frame, const Readings& now) {
  const bool calm = !now.change.obstructed && !now.change.moving && !now.shifting &&
                    now.blind == Blindness::kNone;
  hand_in_new_light_ = hand_in_new_light_ || now.change.obstructed;
  exposure_jumped_ = exposure_jumped_ || now.change.by_exposure;
  if (!calm) calm_since_s_.reset();
  if (calm && !calm_since_s_) calm_since_s_ = frame.time_s;
  if (!calm || !RecentHaveSettled() || frame.time_s - *calm_since_s_ < LeastSettled_s()) return;
  const cv::Mat bgr = recent_.Mean();
  PictureFromElsewhere known = KnownTable();
  change_detector_->SetBackground(bgr, noise_);
  const char* const remark = "the light changed; what fell while it did was not judged";
  if (exposure_jumped_) {
    TellApart(frame, std::move(known), remark);
  } else {  // changes in so many places that they are taken for the light
    Report(frame, NeedsPeople{remark});
  }
  // That shows a unit that was taken where the paints are known to be.
  FollowPaints(change_detector_->Background().clone(), frame.time_s);
  if (hand_in_new_light_) change_detector_->SuspectHands(bgr);
  EnterPhase(Phase::kWatching, frame);
}

// kHidden: waits until the camera's marks are back, or searches for the table after a while.
void Pipeline::ObserveHidden(const Frame& frame) {
  still_.Add(frame);
  WatchReading camera;
  {
    const StageTimes::Scope timed(times_, "camera watch");
    camera = (*camera_watch_)(frame.bgr);
  }
  if (IsInItsPlace(camera)) {
    ResumeAfterHiding(frame);
    return;
  }
  // Not by EnterPhase: the picture has been watched for stillness since the table was lost.
  if (camera.state == WatchReading::State::kMoved) phase_ = Phase::kMoved;
  LookForMovingHand(frame);
  const bool hidden_long = frame.time_s - hidden_since_s_ > options_.hidden_s;
  // The table may lie still elsewhere, out of the watch's reach.
  constexpr double kSearchEvery_s = 0.5;
  const bool search = frame.time_s - hidden_since_s_ > kGap_s && frame.time_s >= next_search_s_;
  if (!StillLongEnough() || (phase_ == Phase::kHidden && !hidden_long && !search)) return;
  next_search_s_ = frame.time_s + kSearchEvery_s;
  FindTableAgain(frame);
}

bool Pipeline::IsInItsPlace(const WatchReading& camera) {
  constexpr double kMostMarks = 0.5;  // fewer may be where they were by chance
  return camera.state == WatchReading::State::kSteady && camera.in_view > kMostMarks &&
         camera.shift_in <= Tolerance_in() && camera.sharpness >= kLeastSharp;
}

// kMoved: waits until the camera hangs still, then finds the table again. A camera that is back in
// its place is known at once: what fell meanwhile may be taken up a third of a second later.
void Pipeline::ObserveMoved(const Frame& frame) {
  still_.Add(frame);
  {
    const StageTimes::Scope timed(times_, "camera watch");
    frames_in_place_ = IsInItsPlace((*camera_watch_)(frame.bgr)) ? frames_in_place_ + 1 : 0;
  }
  constexpr int kBack = 2;  // one frame may only pass through it
  if (frames_in_place_ >= kBack) {
    JoinFirstLook();
    ResumeAfterHiding(frame);
    return;
  }
  LookForMovingHand(frame);
  if (StillLongEnough()) FindTableAgain(frame);
}

bool Pipeline::HasSettledSince(double now_s) const {
  // What lay there has settled: it is compared with the frame before the last.
  const int wanted = change_detector_->SettleFrames() + 3;
  return phase_ == Phase::kWatching && view_.ClearSteps() >= wanted &&
         (now_s - watching_since_s_) * FrameSteps::PerSecond(fps_) > wanted - 0.5;
}

void Pipeline::TellUnjudged(const Frame& frame, const Readings& now) {
  // A picture that still swings looks like hands.
  const bool hands = now.change.obstructed && !now.shifting && now.blind == Blindness::kNone;
  if (unjudged_ == Unjudged::kNothing || !hands) return;
  const bool moved = std::exchange(unjudged_, Unjudged::kNothing) == Unjudged::kMove;
  const char* const what =
      moved ? "the camera or the table was moved" : "the light on the table changed";
  Report(frame,
         NeedsPeople{fmt::format("{}, and hands came before it could be looked at again; what fell "
                                 "and was taken up meanwhile was not judged",
                                 what)});
}

void Pipeline::LookForMovingHand(const Frame& frame) {
  const double inch_px =
      PixelsPerInch(registration_->camera, MiddleOf(table_), 0) / StillPicture::kShrink;
  const bool hand = still_.MovesOverStillTable(options_.watch.arm_area_in2 * inch_px * inch_px);
  hand_while_lost_ = hand_while_lost_ || hand;
  // Hidden, the table counts as under a hand until it is seen again.
  if (hand || phase_ == Phase::kMoved)
    ReportView(frame, hand || view_.HandInView(), Blindness::kMoved);
}

void Pipeline::FindTableAgain(const Frame& frame) {
  const cv::Mat bgr = recent_.Mean();
  const Result<TableRegistration> found = Register(bgr);
  still_.Recount();
  if (!found.ok()) return;  // judge nothing, and search again later
  // Pictures of another shape or zoom, as while a camera changes its mode, look like a table that
  // fits its lens badly. The table that is back a moment later must find what is known of it.
  constexpr double kOtherMode_s = 5;
  if (frame.time_s - lost_since_s_ < kOtherMode_s && !IsThisTable(*found, bgr)) return;
  const bool hidden_long = frame.time_s - hidden_since_s_ > options_.hidden_s;
  if (phase_ == Phase::kHidden && !hidden_long && WithinReach(found->camera, kFarOff_in)) return;
  JoinFirstLook();
  if (WithinReach(found->camera, Tolerance_in())) {
    ResumeAfterHiding(frame);
  } else {
    AdoptMovedCamera(frame, bgr, *found);
  }
}

bool Pipeline::WithinReach(const TableCamera& camera, double reach_in) const {
  return CornersApart(registration_->camera, camera, table_.frame) <= reach_in;
}

bool Pipeline::IsThisTable(const TableRegistration& found, const cv::Mat& bgr) const {
  if (found.trust <= registration_->trust) return true;
  if (found.trust == TableTrust::kUntrusted) return false;
  // The lens that explained the table before explains it wherever it lies. A focus that breathes
  // changes the focal length by a hundredth or two.
  constexpr double kOtherLens = 0.04;
  const double fx_px = registration_->camera.lens.fx_px;
  if (std::abs(found.camera.lens.fx_px / fx_px - 1) > kOtherLens) return false;
  if (found.unexplained_in > Tolerance_in() + 2 * registration_->unexplained_in) return false;
  return CanTellApart(found.camera, bgr,
                      SeenFrom(KnownTable(), registration_->camera, found.camera));
}

bool Pipeline::MayHaveBeenHandled(const Frame& frame) const {
  // Nobody moves a unit in less, or unseen.
  return hand_while_lost_ || frame.time_s - lost_since_s_ > kHandsLost_s;
}

void Pipeline::ResumeAfterHiding(const Frame& frame) {
  // What changed out of sight may have been changed by hand.
  if (phase_ == Phase::kHidden || MayHaveBeenHandled(frame))
    change_detector_->SuspectHands(frame.bgr);
  last_judged_s_ = frame.time_s;
  recent_.Clear();  // those before may show the table elsewhere
  KeepRecent(frame);
  const bool obstructed = change_detector_->Look(frame).obstructed;
  view_.Restart();
  ReportView(frame, obstructed);
  EnterPhase(Phase::kWatching, frame);
}

void Pipeline::AdoptMovedCamera(const Frame& frame, const cv::Mat& bgr,
                                const TableRegistration& found) {
  const ImagePoint was = ImageFromTable(registration_->camera, MiddleOf(table_), 0);
  const ImagePoint is = ImageFromTable(found.camera, MiddleOf(table_), 0);
  const double shift_px = std::hypot(is.x_px - was.x_px, is.y_px - was.y_px);
  PictureFromElsewhere known = SeenFrom(KnownTable(), registration_->camera, found.camera);
  registration_ = found;
  WatchFrom(bgr);
  TellApart(frame, std::move(known),
            "after the camera was moved the table looks too different to say "
            "what is new; what fell meanwhile was not judged");
  // A hand that is there now was there before.
  const bool hand = cv::countNonZero(change_detector_->HandMask()) > 0;
  if (hand || MayHaveBeenHandled(frame)) change_detector_->SuspectHands(bgr);
  last_judged_s_ = frame.time_s;
  Report(frame, CameraMoved{shift_px});
  Report(frame, TableFound{*registration_});
  // The table can be found with a hand resting on it, but what the hand hides has not been seen.
  const bool obstructed = change_detector_->Look(frame).obstructed;
  view_.Restart();
  ReportView(frame, obstructed);
  EnterPhase(Phase::kWatching, frame);
}

Result<TableRegistration> Pipeline::Register(const cv::Mat& bgr) {
  const StageTimes::Scope timed(times_, "register");
  RegistrationOptions known = options_.registration;
  if (registration_)
    known.before = KnownPose{registration_->camera.rvec, registration_->camera.tvec, true};
  return RegisterTable(bgr, lens_, table_, scenario_, known);
}

void Pipeline::WatchFrom(const cv::Mat& bgr) {
  change_detector_ = std::make_unique<ChangeDetector>(registration_->camera, table_.frame,
                                                      bgr.size(), fps_, options_.watch);
  change_detector_->SetBackground(bgr, noise_);
  quiet_gate_.emplace(bgr.size(), PixelsPerInch(registration_->camera, MiddleOf(table_), 0),
                      options_.watch.least_change);
  blur_ = PointSpreadOf(bgr, registration_->camera, table_);
  paper_ = PaperLightOf(bgr, registration_->camera, table_);
  camera_watch_.emplace(bgr, *registration_, table_);
  usual_sharpness_ = SharpnessOfRecent();
  other_focus_.reset();
  blurred_s_.reset();
  paints_.picture = bgr;
  dice_.CameraMoved(registration_->camera);
}

// The background is a mean of pictures. Each of them has more grain, and looks the steeper for it:
// in the dark by a fifth.
double Pipeline::SharpnessOfRecent() {
  double sum = 0;
  int count = 0;
  for (const Frame& frame : recent_) {
    const WatchReading seen = (*camera_watch_)(frame.bgr);
    if (seen.state == WatchReading::State::kCannotTell) continue;
    sum += seen.sharpness;
    ++count;
  }
  return count > 0 ? sum / count : 1;
}

void Pipeline::JoinFirstLook() {
  const std::optional<StandTracker::FirstLook> look = stands_.JoinFirstLook();
  if (!look) return;
  times_.Add("stands at the start", look->ms);
  const StandScene& scene = stands_.Scene();
  projectiles_.SetStands(scene.stands, {});
  for (const std::string& remark : scene.remarks) Report(look->frame, NeedsPeople{remark});
  if (!look->scene.ok())
    Report(look->frame, NeedsPeople{"the stands cannot be told: " + look->scene.error().message});
  Report(look->frame, StandsSeen{scene, look->frame.bgr, look->camera});
}

void Pipeline::ReportView(const Frame& frame, bool hand_in_view, Blindness why) {
  std::optional<ViewChanged> changed = view_.Update(frame.time_s, hand_in_view, why);
  if (changed) Report(frame, std::move(*changed));
}

void Pipeline::ReportBands(const Frame& frame) {
  // Each change of the light looks like a band until the pictures before it are forgotten, half a
  // second later. Lamps flicker all the time.
  constexpr double kPause_s = 0.6;
  constexpr double kLong_s = 2;  // four times as long: a shade that comes and goes is over
  if (bands_told_ || !change_detector_->LightBands()) return;
  if (!bands_seen_s_ || frame.time_s - *bands_seen_s_ > kPause_s) bands_since_s_ = frame.time_s;
  bands_seen_s_ = frame.time_s;
  if (frame.time_s - bands_since_s_ < kLong_s) return;
  bands_told_ = true;
  Report(frame, NeedsPeople{"the lamps flicker in bands across the picture; shots are measured all "
                            "the same. Set the camera's anti-flicker to the mains (50 or 60 Hz)"});
}

void Pipeline::JudgeSettled(const Frame& frame, const WatchReport& report) {
  if (HandsOff()) change_detector_->ForgetHandsWhereNothingChanged();
  if (report.settled.empty()) {
    if (HandsOff() && !report.moving) change_detector_->ForgetHands();
    return;
  }
  JoinFirstLook();
  std::vector<SettledRegion> for_stands;
  std::vector<ObjectSeen> objects;
  std::vector<SettledRegion> on_table;
  std::vector<SettledRegion> in_tray;
  for (const SettledRegion& region : report.settled) {
    const bool tray =
        InTray(region, change_detector_->Scale(), registration_->camera, table_.trays);
    (tray ? in_tray : on_table).push_back(region);
  }
  for (const SettledRegion& region : MergedRegions(in_tray)) ReadTray(frame, region, report);
  const std::vector<SettledRegion> merged = MergedRegions(on_table);
  // A stand that a hand put down is missed where it stood before, so all that has settled is looked
  // at, once.
  cv::Mat bgr;  // settled
  const auto look_for_stands = [&](const std::vector<SettledRegion>& regions) {
    if (bgr.empty()) bgr = recent_.Mean();
    return LookForStands(bgr, regions);
  };
  std::optional<StandScene> with_newcomers;
  const auto as_left = [&]() -> const StandScene& {
    if (!with_newcomers) with_newcomers = look_for_stands(merged);
    return *with_newcomers;
  };
  for (const SettledRegion& region : merged) {
    switch (ActionFor(region, report, frame)) {
      case Action::kAddToBackground:
        change_detector_->Absorb(region, frame.bgr);
        break;
      case Action::kWait:
        break;
      case Action::kJudge:
        if (JudgeRegion(frame, region, report.gain, as_left, objects))
          for_stands.push_back(region);
    }
  }
  AskAboutThrown();
  if (!for_stands.empty()) {
    const bool looked = with_newcomers && for_stands.size() == merged.size();
    ReportStands(frame, looked ? *std::move(with_newcomers) : look_for_stands(for_stands));
    for (const SettledRegion& region : for_stands) change_detector_->Absorb(region, bgr);
  }
  ReportObjects(frame, objects);
}

void Pipeline::AskAboutThrown() {
  if (options_.shots.learning) return;
  std::vector<ShotSeen*> shells;
  for (Sighting& sighting : sightings_) {
    ShotSeen* shot = std::get_if<ShotSeen>(&sighting.what);
    if (shot && shot->finding.measured && shot->finding.shot.projectile == Projectile::kShell)
      shells.push_back(shot);
  }
  // Dice of one throw come to rest within this of one another.
  constexpr double kThrow_s = 0.5;
  const auto together = static_cast<std::int64_t>(kThrow_s * fps_);
  for (ShotSeen* shot : shells) {
    const FrameId at_rest = shot->finding.shot.at_rest;
    const bool with_another = std::any_of(shells.begin(), shells.end(), [&](const ShotSeen* other) {
      return other != shot &&
             std::abs(other->finding.shot.at_rest.index - at_rest.index) <= together;
    });
    if (with_another || dice_.CameWith(at_rest, together))
      AskAbout(shot->finding, "it came with others, as dice do");
  }
}

bool Pipeline::LiesAsLeft(const WatchReport& report, double now_s) const {
  if (!HandsOff()) return false;
  // A fly or a leaf before the lamp may move all evening. Hands that were only out of the picture
  // for a moment are back sooner. In frames that cannot be judged they may have been there.
  const double off_s =
      std::min(view_.ClearSteps() / FrameSteps::PerSecond(fps_), now_s - blind_until_s_);
  return !report.moving || off_s > kGap_s;
}

Pipeline::Action Pipeline::ActionFor(const SettledRegion& region, const WatchReport& report,
                                     const Frame& now) {
  // What was still for seconds and never seen to arrive is drift of the light.
  const double since_s = std::max(region.at_rest_s, blind_until_s_);
  const bool drifted = !region.was_under_hand && now.time_s - since_s > options_.watch.news_s;
  if (!region.on_board || drifted) return Action::kAddToBackground;
  // What hands left may be half of a move until they are off and everything lies still.
  if (region.was_under_hand && !LiesAsLeft(report, now.time_s)) return Action::kWait;
  if (!HandsOff() && !beside_hands_.IsDue(region, now.id)) return Action::kWait;
  return Action::kJudge;
}

cv::Rect Pipeline::PartAbout(const SettledRegion& region, cv::Size picture) const {
  // Room around a change for the evidence picture and for a swab that is mostly hidden.
  constexpr double kRoom_in = 3.5;
  const int margin_px =
      static_cast<int>(kRoom_in * PixelsPerInch(registration_->camera, MiddleOf(table_), 0));
  return PictureRect(region, change_detector_->Scale(), margin_px, picture);
}

// Dice, or nothing: whatever else lies there belongs to the background.
void Pipeline::ReadTray(const Frame& frame, SettledRegion region, const WatchReport& report) {
  if (region.was_under_hand && !LiesAsLeft(report, frame.time_s)) return;
  const StageTimes::Scope timed(times_, "dice");
  const cv::Rect part = PartAbout(region, frame.bgr.size());
  ShotPictures pictures = PicturesOf(region, part, report.gain);
  const SettledRegion whole = region;
  const DiceTracker::Looked dice =
      dice_.Look(region, pictures, part, change_detector_->Scale(), projectiles_.Terrain(), {});
  if (!dice.taken.empty()) Report(frame, DiceTaken{dice.taken});
  change_detector_->Absorb(whole, frame.bgr);
}

bool Pipeline::JudgeRegion(const Frame& frame, SettledRegion region, const cv::Vec3d& gain,
                           const std::function<const StandScene&()>& as_left,
                           std::vector<ObjectSeen>& objects) {
  const TableCamera& camera = registration_->camera;
  const int scale = change_detector_->Scale();
  const cv::Rect part = PartAbout(region, frame.bgr.size());
  ShotPictures pictures = PicturesOf(region, part, gain);
  // A quarter of the smallest stand that is half hidden by its figures.
  constexpr double kLeastOfStand_in2 = 0.1;
  const double ppi = PixelsPerInch(camera, 0.5 * (region.box.low + region.box.high), 0);
  const double least_of_stand_px = kLeastOfStand_in2 * ppi * ppi;
  // The figures of stands that hands put down may look like dice or shells, and a search through them
  // takes long.
  cv::Mat by_stands;
  if (region.was_under_hand && cv::countNonZero(pictures.changed) >= least_of_stand_px) {
    std::vector<StandObservation> newcomers;
    for (StandChange& change : DiffScenes(stands_.Scene(), as_left()))
      if (change.to) newcomers.push_back(std::move(*change.to));
    by_stands = CoveredBy(newcomers, scenario_, pictures.camera);
  }
  // Before anything is looked for: what lay under a projectile that was picked up looks new.
  std::vector<Polygon> taken;
  {
    const StageTimes::Scope timed(times_, "shot");
    taken = projectiles_.RemovePickedUp(region, pictures);
  }
  std::optional<std::vector<ProjectileFinding>> shots;  // in the pictures, once they are looked for
  // A shot comes oftener than a die, and leaves little to search for one. Dice that lie there may
  // have gone, which is seen sooner.
  if (!dice_.Any()) {
    const StageTimes::Scope timed(times_, "shot");
    shots = projectiles_.FindNew(region, pictures, by_stands);
  }
  {
    const StageTimes::Scope timed(times_, "dice");
    // Held, so that no other picture takes their place in memory.
    cv::Mat before = pictures.before;
    cv::Mat changed = pictures.changed;
    // Dice that came or went are taken out of the pictures: what was found with them may be none.
    const auto forget_shots = [&] {
      if (before.data == pictures.before.data && changed.data == pictures.changed.data) return;
      shots.reset();
      before = pictures.before;
      changed = pictures.changed;
    };
    // A shell or a swab's end may look like a die. Where a stand stood, it has gone or moved.
    const auto is_other = [&](const DieFound& die, std::span<const DieFound> beside) {
      if (OnAStand(die, stands_.Scene().stands)) return true;
      if (region.was_under_hand && OnAStand(die, as_left().stands)) return true;
      forget_shots();
      if (!shots) shots = projectiles_.FindNew(region, pictures, by_stands);
      return std::any_of(shots->begin(), shots->end(), [&](const ProjectileFinding& f) {
        return dice_.IsLeftTo(f, die, beside);
      });
    };
    const DiceTracker::Looked dice =
        dice_.Look(region, pictures, part, scale, projectiles_.Terrain(), is_other,
                   shots.value_or(std::vector<ProjectileFinding>()), by_stands);
    forget_shots();
    if (!dice.by_dice.mask.empty()) change_detector_->Absorb(dice.by_dice, frame.bgr);
    if (!dice.taken.empty()) Report(frame, DiceTaken{dice.taken});
  }
  ProjectileTracker::Judgement judged;
  ThingChange thing = ThingChange::kNone;
  {
    const StageTimes::Scope timed(times_, "shot");
    judged = projectiles_.Judge(region, pictures, by_stands, {recent_.Oldest().id, frame.id}, taken,
                                std::move(shots));
    if (judged.shots.empty() && HandsOff()) thing = ChangeOfThings(pictures);
  }
  const auto note_object = [&] {
    const Polygon outline = NarrowOutline(region, scale, camera);
    const auto toggled = projectiles_.ToggleUnexplained(region.box, outline, thing);
    if (!toggled) return;
    ObjectSeen object{toggled->number, toggled->gone, outline, region.at_rest};
    if (!toggled->gone) {
      object.pictures = std::make_shared<const ShotSeen>(
          projectiles_.Unmeasured(region, pictures, {recent_.Oldest().id, frame.id}));
    }
    objects.push_back(std::move(object));
  };
  for (std::string& remark : judged.remarks) Report(frame, NeedsPeople{std::move(remark)});
  const bool any_shot = !judged.shots.empty();
  for (ShotSeen& shot : judged.shots) Report(frame, std::move(shot));
  if (judged.unexplained_px < least_of_stand_px) {
    const bool went = thing == ThingChange::kWent && projectiles_.LiesUnexplained(region.box);
    if (thing == ThingChange::kCame || went) note_object();
    change_detector_->Absorb(region, frame.bgr);
    return false;
  }
  if (any_shot) return true;
  if (!HandsOff()) return false;  // the change stays until hands are off
  note_object();
  return true;
}

void Pipeline::ReportObjects(const Frame& frame, const std::vector<ObjectSeen>& objects) {
  for (const ObjectSeen& object : objects) {
    if (object.gone || projectiles_.HasUnexplained(object.number)) Report(frame, object);
  }
}

ShotPictures Pipeline::PicturesOf(const SettledRegion& region, const cv::Rect& part,
                                  const cv::Vec3d& gain) const {
  ShotPictures out;
  out.after = recent_.Mean(part);
  out.before = change_detector_->BackgroundAs(out.after, part, gain);
  out.changed = change_detector_->FullMask(region, part);
  out.camera = Cropped(registration_->camera, part);
  out.noise = noise_ / std::sqrt(static_cast<double>(recent_.size()));
  out.blur = blur_;
  out.paper = paper_;
  return out;
}

cv::Mat Pipeline::MaskOf(const std::vector<SettledRegion>& regions, cv::Size picture) const {
  cv::Mat out(picture, CV_8UC1, cv::Scalar(0));
  for (const SettledRegion& region : regions)
    cv::bitwise_or(out, change_detector_->FullMask(region, cv::Rect({}, picture)), out);
  return out;
}

StandScene Pipeline::LookForStands(const cv::Mat& bgr, const std::vector<SettledRegion>& regions) {
  const StageTimes::Scope timed(times_, "stands again");
  return stands_.Look(bgr, registration_->camera, MaskOf(regions, bgr.size()), regions);
}

void Pipeline::ReportStands(const Frame& frame, StandScene seen) {
  const std::vector<StandChange> changes = stands_.Adopt(std::move(seen));
  const StandScene& scene = stands_.Scene();
  projectiles_.SetStands(scene.stands, changes);
  for (const StandChange& change : changes) Report(frame, change);
  for (const std::string& remark : scene.remarks) Report(frame, NeedsPeople{remark});
  if (!changes.empty()) Report(frame, StandsSeen{scene});
  for (const IdentityDoubt& doubt : scene.doubts) Report(frame, doubt);
}

void Pipeline::FollowPaints(const cv::Mat& bgr, double time_s) {
  if (!std::isfinite(options_.paints_every_s)) return;
  const StageTimes::Scope timed(times_, "follow the paints");
  if (!stands_.FollowLight(paints_.picture, bgr, registration_->camera, projectiles_.Outlines()))
    return;
  paints_.picture = bgr;
  paints_.time_s = time_s;
}

}  // namespace fos
