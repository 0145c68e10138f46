#include "vision/pipeline/pipeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <future>
#include <limits>
#include <opencv2/core/ocl.hpp>
#include <opencv2/imgproc.hpp>
#include <utility>

#include "calibration/registration/deployment.h"
#include "vision/image/rectify.h"

namespace fos {
namespace {

// A thrown thing and what it pushed over lie within a swab's length of each other.
constexpr double kOneEvent_in = 3.3;

TableBox Joined(const TableBox& a, const TableBox& b) {
  return BoundsOf({a.low, a.high, b.low, b.high});
}

Polygon OutlineOf(const TableBox& b) {
  return {b.low, {b.high.x, b.low.y}, b.high, {b.low.x, b.high.y}};
}

double GapBetween(const TableBox& a, const TableBox& b) {
  const double dx = std::max({a.low.x - b.high.x, b.low.x - a.high.x, 0.0});
  const double dy = std::max({a.low.y - b.high.y, b.low.y - a.high.y, 0.0});
  return std::hypot(dx, dy);
}

// The picture's own rectangle about a region of the watch's scale, grown by `margin` pixels.
cv::Rect FullRect(const cv::Rect& small, int scale, int margin, cv::Size picture) {
  const cv::Rect grown(small.x * scale - margin, small.y * scale - margin,
                       small.width * scale + 2 * margin, small.height * scale + 2 * margin);
  return grown & cv::Rect({}, picture);
}

// Regions that may be parts of one thing, as lists of indices: a swab half under a tree comes in
// pieces.
std::vector<std::vector<std::size_t>> Groups(const std::vector<SettledRegion>& regions) {
  std::vector<std::vector<std::size_t>> groups;
  std::vector<bool> taken(regions.size(), false);
  for (std::size_t i = 0; i < regions.size(); ++i) {
    if (taken[i]) continue;
    std::vector<std::size_t> group{i};
    taken[i] = true;
    for (std::size_t at = 0; at < group.size(); ++at) {
      for (std::size_t j = 0; j < regions.size(); ++j) {
        if (taken[j] || GapBetween(regions[group[at]].box, regions[j].box) > kOneEvent_in) continue;
        // Only small pieces are joined: a moved regiment is no part of the swab beside it.
        constexpr double kPiece_in2 = 1.0;
        if (regions[group[at]].area_in2 > kPiece_in2 || regions[j].area_in2 > kPiece_in2) continue;
        taken[j] = true;
        group.push_back(j);
      }
    }
    groups.push_back(std::move(group));
  }
  return groups;
}

SettledRegion JoinedRegion(const std::vector<SettledRegion>& regions,
                           const std::vector<std::size_t>& group) {
  SettledRegion joined = regions[group.front()];
  for (std::size_t k = 1; k < group.size(); ++k) {
    const SettledRegion& other = regions[group[k]];
    const cv::Rect both = joined.rect | other.rect;
    cv::Mat mask(both.size(), CV_8UC1, cv::Scalar(0));
    joined.mask.copyTo(mask(joined.rect - both.tl()));
    cv::bitwise_or(mask(other.rect - both.tl()), other.mask, mask(other.rect - both.tl()));
    joined.mask = mask;
    joined.rect = both;
    joined.box = Joined(joined.box, other.box);
    joined.at_rest.index = std::max(joined.at_rest.index, other.at_rest.index);
    joined.area_in2 += other.area_in2;
    joined.was_under_hand = joined.was_under_hand || other.was_under_hand;
    joined.on_board = joined.on_board || other.on_board;
  }
  return joined;
}

// Stands come, go and travel by hand. Where none has been, what looks like a new stand is something
// that was thrown or dropped, and one that seems gone is covered; it may have been pushed by a
// hand's breadth.
StandScene OnlyByHand(const StandScene& before, StandScene after,
                      const std::vector<SettledRegion>& regions) {
  constexpr double kPushed_in = 1.0;
  const auto by_hand = [&](const StandObservation& stand) {
    return std::any_of(regions.begin(), regions.end(), [&](const SettledRegion& region) {
      return region.was_under_hand &&
             Grown(region.box, 0.5).Contains(stand.table_from_stand.origin);
    });
  };
  for (const StandChange& change : DiffScenes(before, after)) {
    if ((change.from && by_hand(*change.from)) || (change.to && by_hand(*change.to))) continue;
    if (change.from && change.to &&
        Distance(change.from->table_from_stand.origin, change.to->table_from_stand.origin) <
            kPushed_in) {
      continue;
    }
    std::erase_if(after.stands, [&](const StandObservation& s) { return s.stand == change.stand; });
    if (change.from) after.stands.push_back(*change.from);
  }
  return after;
}

cv::Vec3f ColourAt(const cv::Mat& bgr, const ImagePoint& at) {
  cv::Mat pixel;
  cv::getRectSubPix(bgr, {1, 1},
                    {static_cast<float>(std::clamp(at.x_px, 0.0, bgr.cols - 1.0)),
                     static_cast<float>(std::clamp(at.y_px, 0.0, bgr.rows - 1.0))},
                    pixel);
  const cv::Vec3b c = pixel.at<cv::Vec3b>(0, 0);
  return {static_cast<float>(c[0]), static_cast<float>(c[1]), static_cast<float>(c[2])};
}

// The share of a projectile's own length that is no longer as it was: along its axis, or over a
// shell's middle.
double ChangedShare(const ShotPictures& pictures, const ProjectileFinding& finding) {
  constexpr int kSteps = 20;
  int inside = 0;
  int changed = 0;
  for (int i = 0; i <= kSteps; ++i) {
    const double t = static_cast<double>(i) / kSteps;
    const ImagePoint at =
        ImageFromTable(pictures.camera, (1 - t) * finding.shot.point + t * finding.shot.tail,
                       (1 - t) * finding.shot.height_in + t * finding.tail_height_in);
    const cv::Point pixel(static_cast<int>(std::lround(at.x_px)),
                          static_cast<int>(std::lround(at.y_px)));
    if (!cv::Rect({}, pictures.changed.size()).contains(pixel)) continue;
    ++inside;
    changed += pictures.changed.at<std::uint8_t>(pixel) != 0 ? 1 : 0;
  }
  return inside > 0 ? static_cast<double>(changed) / inside : 0;
}

// A place of a projectile's and the two beside it, seen three times.
struct Station {
  std::array<cv::Vec3f, 3> now;   // beside, on it, beside
  std::array<cv::Vec3f, 3> with;  // when it lay there
  std::array<cv::Vec3f, 3> bare;  // before it came
};

std::vector<Station> StationsOf(const ShotPictures& pictures, const cv::Mat& bare,
                                const TableCamera& bare_camera, const ProjectileFinding& finding) {
  constexpr int kStations = 21;
  constexpr double kBeside_in = 0.35;  // clear of the cotton, its blur and most of its shadow
  constexpr double kShell_in = 0.15;   // of a shell, across its middle
  const ShotObservation& shot = finding.shot;
  const bool swab = shot.projectile == Projectile::kQtip;
  const Vec2 along = swab ? Normalized(shot.tail - shot.point) : Vec2{1, 0};
  const Vec2 across = Perpendicular(along);
  std::vector<Station> out(kStations);
  for (int i = 0; i < kStations; ++i) {
    const double t = static_cast<double>(i) / (kStations - 1);
    const Vec2 on = swab ? (1 - t) * shot.point + t * shot.tail
                         : shot.point + ((2 * t - 1) * kShell_in) * along;
    const double height = (1 - t) * shot.height_in + t * finding.tail_height_in;
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec2 place = on + (kBeside_in * (static_cast<double>(k) - 1)) * across;
      const ImagePoint at = ImageFromTable(pictures.camera, place, height);
      Station& station = out[static_cast<std::size_t>(i)];
      station.now[k] = ColourAt(pictures.after, at);
      station.with[k] = ColourAt(pictures.before, at);
      station.bare[k] = ColourAt(bare, ImageFromTable(bare_camera, place, height));
    }
  }
  return out;
}

// How unlike three places look what they looked, but for how much light there is: the sine of the
// angle between their colours as one vector.
double Unlike(const std::array<cv::Vec3f, 3>& now, const std::array<cv::Vec3f, 3>& known) {
  double nn = 0, kk = 0, nk = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    nn += now[i].dot(now[i]);
    kk += known[i].dot(known[i]);
    nk += now[i].dot(known[i]);
  }
  return nn > 0 && kk > 0 ? std::sqrt(std::max(0.0, 1 - nk * nk / (nn * kk))) : 1;
}

// What has become of a projectile's place.
struct Place {
  int told = 0;              // stations at which it stood out from what lay there before
  bool bare = false;         // that is what is seen there again
  cv::Vec3d light{1, 1, 1};  // now, over the light when that was seen, by channel
};

// A shadow that falls over a projectile dims it and the cloth beside it alike, so that at every
// station those places are compared with what they were with it and without it. What neither
// explains is covered.
// least_told  grey levels by which it stood out where a station is asked
Place LookAt(const ShotPictures& pictures, const cv::Mat& bare, const TableCamera& bare_camera,
             const ProjectileFinding& finding, double least_told) {
  Place out;
  std::vector<Station> stations = StationsOf(pictures, bare, bare_camera, finding);
  cv::Vec3d now;
  cv::Vec3d then;
  for (const Station& station : stations) {
    for (const std::size_t side : {0U, 2U}) {
      now += cv::Vec3d(station.now[side]);
      then += cv::Vec3d(station.bare[side]);
    }
  }
  for (int c = 0; c < 3; ++c) out.light[c] = (now[c] + 1) / (then[c] + 1);
  int gone = 0;
  int there = 0;
  for (Station& station : stations) {
    for (cv::Vec3f& colour : station.bare) {
      for (int c = 0; c < 3; ++c) colour[c] *= static_cast<float>(out.light[c]);
    }
    if (cv::norm(station.with[1] - station.bare[1], cv::NORM_INF) < least_told) continue;
    ++out.told;
    const double with = Unlike(station.now, station.with);
    const double without = Unlike(station.now, station.bare);
    constexpr double kExplained = 0.2;  // shadows' edges, noise, the cloth's own grain
    if (std::min(with, without) > kExplained) continue;
    (without < with ? gone : there) += 1;
  }
  out.bare = gone > there && gone >= 2 && gone > 0.4 * out.told;
  return out;
}

// For how many frames no hand must be seen to be gone: for less it may be its blur at the very
// edge.
int ClearFrames(double fps) {
  constexpr double kBlur_s = 1.0 / 15;  // two frames of the usual webcam
  return std::max(1, static_cast<int>(std::lround(kBlur_s * fps)));
}

// An eighth of the picture each way is enough to see a hand or a swinging camera.
constexpr int kThumb = 8;

// Whether something moves over a table that is at rest itself: at least least_px change between two
// small grey pictures, while most of what has edges stays as it was. In a camera that swings hardly
// any of that does.
bool MovesOverStillTable(const cv::Mat& before, const cv::Mat& now, double least_change,
                         double least_px) {
  cv::Mat moved;
  cv::absdiff(before, now, moved);
  moved = moved > least_change;
  cv::Mat high;
  cv::Mat low;
  cv::dilate(before, high, {});
  cv::erode(before, low, {});
  const cv::Mat range = high - low;
  // A table that trembles changes at its edges alone; a hand, wherever it is.
  if (cv::countNonZero(moved & (range < least_change)) < least_px) return false;
  const cv::Mat edges = range > 2 * least_change;
  // Tiles of which a hand covers a few and an arm across the picture less than half.
  constexpr int kTiles = 8;
  constexpr double kShare = 0.01;  // of a tile: less is noise
  int with_edges = 0;
  int at_rest = 0;
  for (int row = 0; row < kTiles; ++row) {
    for (int column = 0; column < kTiles; ++column) {
      const cv::Rect tile(
          {before.cols * column / kTiles, before.rows * row / kTiles},
          cv::Point{before.cols * (column + 1) / kTiles, before.rows * (row + 1) / kTiles});
      if (cv::countNonZero(edges(tile)) < kShare * tile.area()) continue;
      ++with_edges;
      at_rest += cv::countNonZero(moved(tile)) < kShare * tile.area() ? 1 : 0;
    }
  }
  return 2 * at_rest > with_edges;
}

}  // namespace

struct Pipeline::StartLook {
  struct Found {
    Result<StandScene> scene;
    double ms;
  };
  std::future<Found> found;

  bool Ready() const {
    return found.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
  }
};

Pipeline::~Pipeline() = default;

Pipeline::Pipeline(TableSpec table, Scenario scenario, CameraModel lens, double fps,
                   PipelineOptions options)
    : table_(std::move(table)),
      scenario_(std::move(scenario)),
      lens_(std::move(lens)),
      fps_(fps),
      options_(std::move(options)),
      shot_detector_(scenario_, options_.shots),
      stand_detector_(table_, scenario_, options_.stands),
      terrain_(scenario_) {
  // Looking for a graphics card's OpenCL takes a tenth of a second and wins nothing on pictures of
  // this size.
  cv::ocl::setUseOpenCL(false);
}

void Pipeline::TraceStands(Traced traced) {
  traced_ = std::move(traced);
  stand_detector_.Trace(traced_ ? &stand_trace_ : nullptr);
}

const TableRegistration& Pipeline::Registration() const {
  FOS_CHECK(registration_.has_value());
  return *registration_;
}

bool Pipeline::ChangeNames(const IdentityDoubt& doubt) {
  JoinStart();
  std::optional<StandScene> renamed = WithNamesChanged(scene_, doubt);
  if (!renamed) return false;
  scene_ = std::move(*renamed);
  return true;
}

Result<std::vector<Sighting>> Pipeline::Observe(const Frame& frame) try {
  if (frame.bgr.type() != CV_8UC3 || frame.bgr.cols != lens_.width_px ||
      frame.bgr.rows != lens_.height_px) {
    return Error{
        ErrorCode::kBadFormat,
        fmt::format("frame {}: is {} x {}, the lens was calibrated for {} x {}; use the camera "
                    "file of this camera and picture size",
                    frame.id.index, frame.bgr.cols, frame.bgr.rows, lens_.width_px,
                    lens_.height_px)};
  }
  last_.push_back(frame);
  const std::size_t keep = watch_
                               ? static_cast<std::size_t>(watch_->SettleFrames())
                               : static_cast<std::size_t>(std::max(options_.least_start_frames, 2));
  while (last_.size() > keep) last_.pop_front();

  if (!registration_) {
    if (StillSince(frame)) Start(frame);
    return std::exchange(told_, {});
  }
  // Nobody waits for the first look here; when it is done it is told, with the frame it was of.
  if (start_look_ && start_look_->Ready()) {
    JoinStart();
  }
  if (lost_) {
    LookWhileLost(frame);
    return std::exchange(told_, {});
  }
  WatchReport report;
  {
    const StageTimes::Scope timed(times_, "watch");
    report = watch_->Look(frame);
  }
  WatchReading camera;
  {
    const StageTimes::Scope timed(times_, "camera watch");
    camera = (*camera_watch_)(frame.bgr);
  }
  // Where the camera's own marks are seen where they were, what changes all of the picture is
  // light.
  const bool shifting = camera.shift_in > CameraWatch::Options().tolerance_in;
  const bool all_changed = report.picture_shifted && !report.light_changed;
  const bool moved = camera.state == WatchReading::State::kMoved || (shifting && all_changed);
  if (moved || (camera.state == WatchReading::State::kCannotTell && all_changed)) {
    lost_ = true;
    lost_time_s_ = frame.time_s;
    seen_to_move_ = moved;
    still_frames_ = 0;
    thumbs_.clear();
    // A knock hides nothing: its marks are all seen, a little further on. What they are not seen
    // through may be a head.
    if (!moved) TellView(frame, true);
    return std::exchange(told_, {});
  }
  TellView(frame, report.obstructed);
  if (report.light_changed || report.picture_shifted) {
    // Nothing is judged while the light changes; when it has stood, this is what the table looks
    // like.
    const bool calm = !report.obstructed && !report.moving && !shifting;
    new_light_frames_ = calm ? new_light_frames_ + 1 : 0;
    if (new_light_frames_ >= watch_->SettleFrames()) {
      const cv::Mat bgr = Settled(cv::Rect({}, frame.bgr.size()));
      watch_->SetBackground(bgr, noise_);
      FollowPaints(bgr, frame.time_s);
      new_light_frames_ = 0;
      Tell(frame, NeedsPeople{"the light changed; what fell while it did was not judged"});
    }
    return std::exchange(told_, {});
  }
  new_light_frames_ = 0;
  if (report.new_exposure) paints_time_s_ = -std::numeric_limits<double>::infinity();  // now
  // A shift that may be a knock: wait until it is one, or is gone.
  if (shifting) return std::exchange(told_, {});
  if (frame.id.index % watch_->SettleFrames() == 0) {
    const StageTimes::Scope timed(times_, "follow the light");
    watch_->Follow(frame.bgr);
  }
  if (frame.time_s - paints_time_s_ >= options_.paints_every_s && HandsOff() && !report.moving &&
      report.settled.empty()) {
    FollowPaints(Settled(cv::Rect({}, frame.bgr.size())), frame.time_s);
  }
  Settle(frame, report);
  return std::exchange(told_, {});
} catch (const cv::Exception& e) {  // OpenCV's exceptions stop here
  return Error{ErrorCode::kDegenerate, fmt::format("frame {}: {}", frame.id.index, e.what())};
}

Result<std::vector<Sighting>> Pipeline::Finish() try {
  if (!registration_) {
    return Error{ErrorCode::kNotFound,
                 why_not_found_.empty()
                     ? "the table never lay still long enough to be measured; keep hands "
                       "off it for a second"
                     : why_not_found_};
  }
  JoinStart();
  if (!last_.empty()) Tell(last_.back(), StandsSeen{scene_});
  return std::exchange(told_, {});
} catch (const cv::Exception& e) {
  return Error{ErrorCode::kDegenerate, std::string("at the end: ") + e.what()};
}

void Pipeline::TellView(const Frame& frame, bool obstructed) {
  clear_frames_ = obstructed ? 0 : clear_frames_ + 1;
  if (obstructed && !obstructed_) {
    obstructed_ = true;
    Tell(frame, ViewChanged{true});
  } else if (obstructed_ && clear_frames_ >= ClearFrames(fps_)) {
    obstructed_ = false;
    Tell(frame, ViewChanged{false});
  }
}

bool Pipeline::StillSince(const Frame& frame) {
  cv::Mat thumb;
  cv::resize(frame.bgr, thumb, {frame.bgr.cols / kThumb, frame.bgr.rows / kThumb}, 0, 0,
             cv::INTER_AREA);
  cv::cvtColor(thumb, thumb, cv::COLOR_BGR2GRAY);
  bool still = false;
  if (!thumbs_.empty()) {
    cv::Mat moved;
    cv::absdiff(thumb, thumbs_.back(), moved);
    // A thousandth of the picture is a tenth of a hand.
    still = cv::countNonZero(moved > options_.watch.least_change) <
            0.001 * static_cast<double>(thumb.total());
  }
  thumbs_.push_back(thumb);
  if (thumbs_.size() > 2) thumbs_.pop_front();
  still_frames_ = still ? still_frames_ + 1 : 0;
  const int wanted = std::max(static_cast<int>(last_.size()),
                              static_cast<int>(std::lround(options_.start_still_s * fps_)));
  return still_frames_ + 1 >= wanted;
}

cv::Mat Pipeline::Settled(const cv::Rect& part) const {
  cv::Mat sum(part.size(), CV_32FC3, cv::Scalar(0, 0, 0));
  for (const Frame& frame : last_) cv::accumulate(frame.bgr(part), sum);
  cv::Mat mean;
  sum.convertTo(mean, CV_8UC3, 1.0 / static_cast<double>(last_.size()));
  return mean;
}

ShotPictures Pipeline::PicturesOf(const SettledRegion& region, const cv::Rect& part,
                                  const cv::Vec3d& gain) const {
  ShotPictures out;
  cv::multiply(watch_->Background()(part), cv::Scalar(gain[0], gain[1], gain[2]), out.before);
  out.after = Settled(part);
  out.changed = watch_->FullMask(region, part);
  out.camera = Cropped(registration_->camera, part);
  out.noise = noise_ / std::sqrt(static_cast<double>(last_.size()));
  return out;
}

Result<TableRegistration> Pipeline::Register(const cv::Mat& bgr) {
  const StageTimes::Scope timed(times_, "register");
  RegistrationOptions known = options_.registration;
  if (registration_)
    known.before = KnownPose{registration_->camera.rvec, registration_->camera.tvec, true};
  return RegisterTable(bgr, lens_, table_, scenario_, known);
}

void Pipeline::WatchFrom(const cv::Mat& bgr) {
  watch_ = std::make_unique<ChangeDetector>(registration_->camera, table_.frame, bgr.size(), fps_,
                                            options_.watch);
  watch_->SetBackground(bgr, noise_);
  camera_watch_.emplace(bgr, *registration_, table_);
  paints_of_ = bgr;
  // Elsewhere in the picture now.
  for (Lying& l : lying_) l.part = {};
}

void Pipeline::Start(const Frame& frame) {
  const cv::Mat bgr = Settled(cv::Rect({}, frame.bgr.size()));
  const Result<TableRegistration> found = Register(bgr);
  if (!found.ok()) {
    why_not_found_ = found.error().message;
    still_frames_ = 0;  // look again when as many frames have passed: a hand may cover a marker
    return;
  }
  registration_ = found.value();
  paints_time_s_ = frame.time_s;
  Tell(frame, TableFound{*registration_});
  noise_ = last_.size() >= 2 ? NoiseOf(last_[last_.size() - 2].bgr, last_.back().bgr) : 1;
  WatchFrom(bgr);
  start_frame_ = frame;
  start_look_ = std::make_unique<StartLook>();
  start_look_->found = std::async(std::launch::async, [this, bgr, camera = registration_->camera] {
    const auto start = std::chrono::steady_clock::now();
    Result<StandScene> scene = stand_detector_.Start(bgr, camera, {});
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    return StartLook::Found{std::move(scene), took.count()};
  });
}

void Pipeline::FollowPaints(const cv::Mat& bgr, double time_s) {
  // The first look is learning them itself.
  if (start_look_ || !std::isfinite(options_.paints_every_s)) return;
  const StageTimes::Scope timed(times_, "follow the paints");
  std::vector<Polygon> covered;
  for (const Unknown& u : unknown_) covered.push_back(OutlineOf(u.box));
  for (const Lying& l : lying_) covered.push_back(l.finding.outline);
  const Status followed =
      stand_detector_.FollowLight(paints_of_, bgr, registration_->camera, scene_, covered);
  FOS_CHECK(followed.ok());  // Observe has checked the picture
  paints_of_ = bgr;
  paints_time_s_ = time_s;
}

void Pipeline::JoinStart() {
  if (!start_look_) return;
  const StartLook::Found look = start_look_->found.get();
  start_look_ = nullptr;
  times_.Add("stands at the start", look.ms);
  if (look.scene.ok()) {
    scene_ = look.scene.value();
    terrain_.SetStands(scene_.stands);
    for (const std::string& remark : scene_.remarks) Tell(start_frame_, NeedsPeople{remark});
  } else {
    Tell(start_frame_, NeedsPeople{"the stands cannot be told: " + look.scene.error().message});
  }
  if (traced_) traced_(stand_trace_, scene_);
  Tell(start_frame_, StandsSeen{scene_, start_frame_.bgr, registration_->camera});
}

void Pipeline::LookWhileLost(const Frame& frame) {
  const bool still = StillSince(frame);
  if (!seen_to_move_ && MarksAreBack(frame)) {
    Resume(frame);
    return;
  }
  // What is over the table is not known, but that a hand comes is seen all the same.
  const double inch_px = PixelsPerInch(registration_->camera,
                                       {table_.frame.Width() / 2, table_.frame.Depth() / 2}, 0) /
                         kThumb;
  if (thumbs_.size() == 2 &&
      MovesOverStillTable(thumbs_.front(), thumbs_.back(), options_.watch.least_change,
                          options_.watch.arm_area_in2 * inch_px * inch_px)) {
    TellView(frame, true);
  }
  if (still && (seen_to_move_ || frame.time_s - lost_time_s_ > options_.hidden_s)) Relocate(frame);
}

bool Pipeline::MarksAreBack(const Frame& frame) {
  const StageTimes::Scope timed(times_, "camera watch");
  const WatchReading camera = (*camera_watch_)(frame.bgr);
  seen_to_move_ = camera.state == WatchReading::State::kMoved;
  constexpr double kMost = 0.5;  // of its marks; fewer may be where they were by chance
  return camera.state == WatchReading::State::kSteady && camera.in_view > kMost &&
         camera.shift_in <= CameraWatch::Options().tolerance_in;
}

void Pipeline::Resume(const Frame& frame) {
  lost_ = false;
  // Nobody knows by what it was hidden, so that what changed meanwhile changed by hand.
  watch_->SuspectHands(frame.bgr);
  const bool obstructed = watch_->Look(frame).obstructed;
  clear_frames_ = ClearFrames(fps_);
  TellView(frame, obstructed);
}

bool Pipeline::StillHangsAs(const TableCamera& camera) const {
  for (const Vec2 corner : table_.frame.Corners()) {
    const auto now = TableFromImage(camera, ImageFromTable(registration_->camera, corner, 0), 0, 0);
    if (!now.ok() || Distance(now->at, corner) > CameraWatch::Options().tolerance_in) return false;
  }
  return true;
}

void Pipeline::Relocate(const Frame& frame) {
  const cv::Mat bgr = Settled(cv::Rect({}, frame.bgr.size()));
  const Result<TableRegistration> found = Register(bgr);
  still_frames_ = 0;
  if (!found.ok()) return;  // withhold and look again
  JoinStart();
  if (!seen_to_move_ && StillHangsAs(found->camera)) {
    Resume(frame);
    return;
  }
  lost_ = false;
  // How far the middle of the table has gone in the picture.
  const Vec2 middle{table_.frame.Width() / 2, table_.frame.Depth() / 2};
  const ImagePoint was = ImageFromTable(registration_->camera, middle, 0);
  const ImagePoint is = ImageFromTable(found->camera, middle, 0);
  const double shift = std::hypot(is.x_px - was.x_px, is.y_px - was.y_px);
  const PictureFromElsewhere known =
      SeenFrom(watch_->Background(), registration_->camera, found->camera);
  registration_ = found.value();
  WatchFrom(bgr);
  watch_->KeepUnderHands(known.bgr, known.seen);
  Tell(frame, CameraMoved{shift});
  Tell(frame, TableFound{*registration_});
  // A hand that rests on the table lets it be found, but what it hides has not been seen.
  const bool obstructed = watch_->Look(frame).obstructed;
  clear_frames_ = ClearFrames(fps_);
  TellView(frame, obstructed);
}

bool Pipeline::TriedAlready(const SettledRegion& region, FrameId now) {
  constexpr std::int64_t kForget = 90;  // frames: look again now and then, light changes
  std::erase_if(tried_, [&](const Tried& t) { return now.index - t.frame > kForget; });
  for (const Tried& t : tried_) {
    const double both = static_cast<double>((t.rect & region.rect).area());
    const double either = static_cast<double>((t.rect | region.rect).area());
    if (both > 0.8 * either && std::abs(t.area_in2 - region.area_in2) < 0.2 * region.area_in2)
      return true;
  }
  tried_.push_back({region.rect, region.area_in2, now.index});
  return false;
}

std::vector<ProjectileFinding> Pipeline::FindShots(const SettledRegion& region,
                                                   const ShotPictures& pictures) {
  const StageTimes::Scope timed(times_, "shot");
  std::vector<ProjectileFinding> found = shot_detector_.Find(pictures, terrain_, region.box);
  // Where a hand has been, people may have put down anything: only a whole swab, seen from end to
  // end, or a whole shell with its mark is taken for a shot there. Of a swab with its painted end
  // in view and the other hidden they are asked.
  constexpr double kAgree_in = 0.08;  // two ways of measuring one thing
  constexpr double kInView = 0.6;
  if (region.was_under_hand) {
    std::erase_if(found, [&](const ProjectileFinding& f) {
      const bool one_way = f.tip_disagreement_in <= 0;
      return f.shot.visible < kInView || f.tip_disagreement_in > kAgree_in ||
             (one_way && f.shot.projectile != Projectile::kQtip);
    });
    for (ProjectileFinding& f : found) {
      if (f.tip_disagreement_in > 0) continue;
      f.measured = false;
      f.how = "nothing: it fell beside a hand, and only one of its ends is seen";
    }
  }
  std::erase_if(found, [&](const ProjectileFinding& f) {
    // What lies further off the board than the circle reaches concerns nobody.
    const double radius = scenario_.projectiles[static_cast<std::size_t>(f.spec)].hit_radius_in;
    const TableBox reach = Grown({{0, 0}, {table_.frame.Width(), table_.frame.Depth()}}, radius);
    if (!reach.Contains(f.shot.point)) return true;
    // One that lay here already is not a new shot.
    return std::any_of(lying_.begin(), lying_.end(), [&](const Lying& l) {
      return l.finding.shot.projectile == f.shot.projectile &&
             Distance(l.finding.shot.point, f.shot.point) < 0.1 &&
             Distance(l.finding.shot.tail, f.shot.tail) < 0.1;
    });
  });
  return found;
}

void Pipeline::Settle(const Frame& frame, const WatchReport& report) {
  const bool hands_off = HandsOff();
  if (report.settled.empty()) {
    if (hands_off && !report.moving) watch_->ForgetHands();
    return;
  }
  JoinStart();
  std::vector<SettledRegion> for_stands;
  for (const std::vector<std::size_t>& group : Groups(report.settled)) {
    const SettledRegion region = JoinedRegion(report.settled, group);
    switch (WhatToDoWith(region, report, frame.id)) {
      case Do::kAbsorb:
        watch_->Absorb(region, frame.bgr);
        break;
      case Do::kWait:
        break;
      case Do::kJudge: {
        const Judged judged = JudgeShots(frame, region, report.gain);
        const double ppi =
            PixelsPerInch(registration_->camera, 0.5 * (region.box.low + region.box.high), 0);
        // A tenth of a square inch is a quarter of the smallest stand that is half hidden by its
        // figures.
        constexpr double kWorthALook_in2 = 0.1;
        if (judged.unexplained_px < kWorthALook_in2 * ppi * ppi) {
          watch_->Absorb(region, frame.bgr);
        } else if (hands_off || judged.any_shot) {
          if (!judged.any_shot) NoteUnknown(region);
          for_stands.push_back(region);
        }  // else the change stays until hands are off
      }
    }
  }
  if (!for_stands.empty()) LookForStands(frame, for_stands);
}

Pipeline::Do Pipeline::WhatToDoWith(const SettledRegion& region, const WatchReport& report,
                                    FrameId now) {
  // What has been still for seconds and yet was never seen to arrive has drifted with the light.
  constexpr double kDrift_s = 2;
  const bool drifted = !region.was_under_hand &&
                       static_cast<double>(now.index - region.at_rest.index) > kDrift_s * fps_;
  if (!region.on_board || drifted) return Do::kAbsorb;
  // What hands left is judged when they are off and all of it lies still: until then it may be half
  // of a move.
  if (region.was_under_hand && (!HandsOff() || report.moving)) return Do::kWait;
  if (!HandsOff() && TriedAlready(region, now)) return Do::kWait;
  return Do::kJudge;
}

Pipeline::Judged Pipeline::JudgeShots(const Frame& frame, const SettledRegion& region,
                                      const cv::Vec3d& gain) {
  const Vec2 middle{table_.frame.Width() / 2, table_.frame.Depth() / 2};
  // Room about a change for the evidence picture and for a swab that is mostly hidden.
  constexpr double kRoom_in = 3.5;
  const int margin = static_cast<int>(kRoom_in * PixelsPerInch(registration_->camera, middle, 0));
  const cv::Rect part = FullRect(region.rect, watch_->Scale(), margin, frame.bgr.size());
  ShotPictures pictures = PicturesOf(region, part, gain);
  // What neither a new projectile nor one that was picked up explains.
  cv::Mat unexplained = pictures.changed.clone();
  const auto explain = [&](const Polygon& outline) {
    std::vector<cv::Point> corners;
    for (const Vec2 p : outline) {
      const ImagePoint at = ImageFromTable(pictures.camera, p, 0.1);
      corners.emplace_back(static_cast<int>(std::lround(at.x_px)),
                           static_cast<int>(std::lround(at.y_px)));
    }
    cv::fillConvexPoly(unexplained, corners, cv::Scalar(0));
  };
  for (const Polygon& outline : TakeAway(region, part, pictures)) explain(outline);
  const std::vector<ProjectileFinding> found = FindShots(region, pictures);
  const std::vector<LyingSwab> lying = terrain_.Lying();
  const std::vector<Lump> unknown = terrain_.Unknown();
  for (ProjectileFinding finding : found) {
    explain(finding.outline);
    finding.shot.at_rest = region.at_rest;
    finding.shot.seen = {last_.front().id, frame.id};
    lying_.push_back({finding, pictures.before, pictures.camera, part});
    Tell(frame, ShotSeen{finding, pictures.before, pictures.after, pictures.camera,
                         pictures.changed, pictures.noise, region.box, lying, unknown});
  }
  ShowLying();
  ShowUnknown();
  return {!found.empty(), cv::countNonZero(unexplained)};
}

std::vector<Polygon> Pipeline::TakeAway(const SettledRegion& region, const cv::Rect& part,
                                        ShotPictures& pictures) {
  std::vector<Polygon> taken;
  std::erase_if(lying_, [&](const Lying& l) {
    if (!region.box.Contains(l.finding.shot.point) && !region.box.Contains(l.finding.shot.tail))
      return false;
    // Grey levels by which white or plasticine stands out, at the least, to be missed.
    constexpr double kTold = 30;
    Place place = LookAt(pictures, l.bare, l.camera, l.finding, kTold);
    // One that hardly stands out, grey on grey or under a tree, is gone when most of it changed.
    constexpr int kTooFew = 3;
    const bool gone = place.told < kTooFew ? ChangedShare(pictures, l.finding) >= 0.5 : place.bare;
    if (!gone) return false;
    taken.push_back(l.finding.outline);
    // Then its bare place still looks new beside the picture with it there, as a shell may: in dim
    // light, or on a bar of its own colour. That it is as it was before shows at half the contrast.
    if (place.told < kTooFew) {
      place = LookAt(pictures, l.bare, l.camera, l.finding, kTold / 2);
      if (place.told < kTooFew || !place.bare) return true;
    }
    const cv::Rect common = l.part & part;
    if (common.empty()) return true;
    // What fell where it lay is new against the cloth, not against it.
    cv::Mat bare = pictures.before.clone();
    cv::multiply(l.bare(common - l.part.tl()),
                 cv::Scalar(place.light[0], place.light[1], place.light[2]),
                 bare(common - part.tl()));
    cv::Mat where(part.size(), CV_8UC1, cv::Scalar(0));
    std::vector<cv::Point> corners;
    for (const Vec2 p : l.finding.outline) {
      const ImagePoint at = ImageFromTable(pictures.camera, p, l.finding.shot.height_in);
      corners.emplace_back(static_cast<int>(std::lround(at.x_px)),
                           static_cast<int>(std::lround(at.y_px)));
    }
    cv::fillConvexPoly(where, corners, cv::Scalar(255));
    bare.copyTo(pictures.before, where);
    return true;
  });
  if (!taken.empty()) ShowLying();
  return taken;
}

void Pipeline::ShowLying() {
  std::vector<LyingSwab> swabs;
  for (const Lying& l : lying_) {
    const ShotObservation& shot = l.finding.shot;
    if (shot.projectile == Projectile::kQtip && l.finding.measured)
      swabs.push_back({shot.point, shot.tail, shot.height_in, l.finding.tail_height_in,
                       ShapeOf(scenario_.projectiles[static_cast<std::size_t>(l.finding.spec)])});
  }
  terrain_.SetLying(std::move(swabs));
}

Polygon Pipeline::NarrowOutline(const SettledRegion& region) const {
  std::vector<cv::Point> places;
  cv::findNonZero(region.mask, places);
  cv::Point2f corners[4];
  if (!places.empty()) cv::minAreaRect(places).points(corners);
  Polygon out;
  const double scale = watch_->Scale();
  for (const cv::Point2f& corner : corners) {
    const ImagePoint full{(static_cast<double>(corner.x) + region.rect.x + 0.5) * scale - 0.5,
                          (static_cast<double>(corner.y) + region.rect.y + 0.5) * scale - 0.5};
    const auto at = TableFromImage(registration_->camera, full, 0, 0);
    if (at.ok()) out.push_back(at->at);
  }
  return out;
}

void Pipeline::NoteUnknown(const SettledRegion& region) {
  const TableBox& box = region.box;
  // The same place a second time: what lay there was taken.
  const auto area = [](const TableBox& b) {
    return std::max(b.high.x - b.low.x, 0.0) * std::max(b.high.y - b.low.y, 0.0);
  };
  const auto same = std::find_if(unknown_.begin(), unknown_.end(), [&](const Unknown& u) {
    const TableBox& other = u.box;
    const TableBox both{{std::max(box.low.x, other.low.x), std::max(box.low.y, other.low.y)},
                        {std::min(box.high.x, other.high.x), std::min(box.high.y, other.high.y)}};
    const bool meet = both.high.x > both.low.x && both.high.y > both.low.y;
    return meet && area(both) > 0.5 * std::max(area(box), area(other));
  });
  constexpr std::size_t kMost = 60;
  if (same != unknown_.end()) {
    unknown_.erase(same);
  } else {
    unknown_.push_back({box, NarrowOutline(region)});
    if (unknown_.size() > kMost) unknown_.erase(unknown_.begin());
  }
  ShowUnknown();
}

void Pipeline::ShowUnknown() {
  // What players put down and a swab comes to rest on: pencils and rubbers. Dice are higher, and
  // off these it rolls.
  constexpr double kPutDown_in = 0.3;
  std::vector<Lump> places;
  for (const Unknown& u : unknown_) {
    const TableBox& box = u.box;
    places.push_back({u.outline, terrain_.GroundAt(0.5 * (box.low + box.high)) + kPutDown_in});
  }
  // How a shell is turned nobody has measured, nor where a swab lies that people were asked about:
  // one that lies across them is as high as may be.
  for (const Lying& l : lying_) {
    const ShotObservation& shot = l.finding.shot;
    const ProjectileSpec& spec = scenario_.projectiles[static_cast<std::size_t>(l.finding.spec)];
    const double ground_in = terrain_.GroundAt(shot.point);
    if (shot.projectile == Projectile::kShell) {
      const double top_in = l.finding.measured ? shot.height_in : ground_in + spec.size_in / 2;
      places.push_back({l.finding.outline, top_in});
    } else if (!l.finding.measured) {
      places.push_back({l.finding.outline, ground_in + 2 * ShapeOf(spec).cotton_radius_in});
    }
  }
  terrain_.SetUnknown(std::move(places));
}

void Pipeline::LookForStands(const Frame& frame, const std::vector<SettledRegion>& regions) {
  const StageTimes::Scope timed(times_, "stands again");
  const cv::Rect all({}, frame.bgr.size());
  const cv::Mat bgr = Settled(all);
  cv::Mat changed(frame.bgr.size(), CV_8UC1, cv::Scalar(0));
  for (const SettledRegion& region : regions)
    cv::bitwise_or(changed, watch_->FullMask(region, all), changed);
  const Result<StandScene> scene =
      stand_detector_.Update(bgr, registration_->camera, scene_, changed, {});
  if (traced_ && scene.ok()) traced_(stand_trace_, scene.value());
  if (scene.ok()) {
    StandScene now = OnlyByHand(scene_, scene.value(), regions);
    const std::vector<StandChange> changes = DiffScenes(scene_, now);
    for (const StandChange& change : changes) Tell(frame, change);
    // A stand that was put down or taken is nothing unknown.
    std::erase_if(unknown_, [&](const Unknown& u) {
      return std::any_of(changes.begin(), changes.end(), [&](const StandChange& change) {
        return (change.from && u.box.Contains(change.from->table_from_stand.origin)) ||
               (change.to && u.box.Contains(change.to->table_from_stand.origin));
      });
    });
    if (!changes.empty()) ShowUnknown();
    for (const std::string& remark : now.remarks) Tell(frame, NeedsPeople{remark});
    scene_ = std::move(now);
    terrain_.SetStands(scene_.stands);
    if (!changes.empty()) Tell(frame, StandsSeen{scene_});
    for (const IdentityDoubt& doubt : scene_.doubts) Tell(frame, doubt);
  }
  for (const SettledRegion& region : regions) watch_->Absorb(region, bgr);
}

}  // namespace fos
