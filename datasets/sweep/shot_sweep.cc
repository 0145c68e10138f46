// SPDX-License-Identifier: MIT
#include "datasets/sweep/shot_sweep.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <random>
#include <variant>

#include <fmt/format.h>
#include <opencv2/imgproc.hpp>

#include "datasets/render/shot_table.h"
#include "engine/shots/fall_of_shot.h"
#include "vision/pipeline/pipeline.h"
#include "vision/shots/evidence.h"

namespace fos {
namespace {

constexpr int kStepsATable = 7;

// Faults of real webcams, in addition to those that every made-up one has.
enum class Fault { kNone, kBands, kExposure, kWhite, kDark, kCoarse, kSlowShutter };
constexpr int kFaults = 6;

const char* NameOf(Fault fault) {
  switch (fault) {
    case Fault::kNone:
      return "";
    case Fault::kBands:
      return "camera: lamps flicker";
    case Fault::kExposure:
      return "camera: exposure hunts";
    case Fault::kWhite:
      return "camera: white rolls";
    case Fault::kDark:
      return "camera: low light";
    case Fault::kCoarse:
      return "camera: coarse coding";
    case Fault::kSlowShutter:
      return "camera: slow shutter";
  }
  return "";
}

// The camera at a time in the recording.
CameraMoment MomentOf(Fault fault, double time_s) {
  CameraMoment out;
  switch (fault) {
    case Fault::kBands: {
      // A lamp flashes a hundred times a second; other light in the room weakens the flicker.
      constexpr double kFlashes = 100;
      out.band = 0.06;
      out.band_from = std::fmod(time_s * kFlashes, 1.0);
      break;
    }
    case Fault::kExposure: {
      // A step to and fro every second and a half, in a fifth of a second.
      const double phase = std::fmod(time_s, 3.0);
      const double up =
          std::clamp(phase / 0.2, 0.0, 1.0) - std::clamp((phase - 1.5) / 0.2, 0.0, 1.0);
      out.exposure = 1 - 0.15 * up;
      break;
    }
    case Fault::kWhite: {
      const double roll = 0.05 * std::sin(2 * CV_PI * time_s / 4);
      out.white = {1 + roll, 1, 1 - roll};
      break;
    }
    default:
      break;
  }
  return out;
}

// One table, one pipeline, frame after frame.
class Table {
 public:
  Table(std::uint32_t seed, bool faults, ShotSweep& sweep, const std::string& out)
      : seed_(seed),
        sweep_(sweep),
        out_(out),
        random_(seed * 7919U + 5U),
        made_(MakeShotTable(seed)),
        pipeline_(made_.table, made_.scenario, made_.lens, made_.fps),
        fault_(faults ? static_cast<Fault>(1 + seed % kFaults) : Fault::kNone) {
    Webcam& webcam = made_.webcam;
    if (fault_ == Fault::kDark) {
      // A third of the light, and the gain turned up for most of it.
      webcam.exposure *= 0.7;
      webcam.read_noise *= 2;
      webcam.shot_noise *= 3;
    }
    if (fault_ == Fault::kCoarse) webcam.jpeg_quality = std::min(webcam.jpeg_quality, 60);
    light_ = LightOf(made_.camera, With(made_, {}), Whole());
  }

  Status Play() {
    constexpr int kFramesToStart = 12;
    if (const Status started = Watch(kFramesToStart); !started.ok()) return started;
    ++sweep_.tables;
    if (!pipeline_.Found()) {
      ++sweep_.unread_tables;
      sweep_.details.push_back(
          fmt::format("table {}: not found: {}", seed_, pipeline_.WhyNotFound()));
      return Ok();
    }
    for (int step = 0; step < kStepsATable; ++step) {
      const Status stepped = Step(step);
      if (!stepped.ok()) return stepped;
      if (!status_.ok()) return status_;
    }
    return Ok();
  }

 private:
  cv::Rect Whole() const { return {0, 0, made_.camera.lens.width_px, made_.camera.lens.height_px}; }
  int Pick(int count) { return static_cast<int>(random_() % static_cast<std::uint32_t>(count)); }

  void Show() {
    // A moving thing is smeared over the way it moved while the shutter was open.
    const bool smears = fault_ == Fault::kSlowShutter && !shown_light_.empty();
    cv::Mat smeared;
    if (smears) cv::addWeighted(light_, 0.5, shown_light_, 0.5, 0, smeared);
    shown_light_ = light_.clone();
    behind_lens_ = ThroughLens(made_.webcam, smears ? smeared : light_);
    smeared_ = smears;
  }

  // Shows some frames of the table as it is and adds what is detected to seen_.
  Status Watch(int frames) {
    if (behind_lens_.empty()) Show();
    for (int i = 0; i < frames; ++i, ++frame_) {
      Frame frame;
      frame.bgr = Delivered(made_.webcam, behind_lens_,
                            seed_ * 100003ULL + static_cast<std::uint64_t>(frame_),
                            MomentOf(fault_, static_cast<double>(frame_) / made_.fps));
      frame.id = {frame_};
      frame.time_s = static_cast<double>(frame_) / made_.fps;
      if (smeared_) {
        behind_lens_ = ThroughLens(made_.webcam, light_);
        smeared_ = false;
      }
      const Result<std::vector<Sighting>> seen = pipeline_.Observe(frame);
      if (!seen.ok()) return seen.error();
      for (const Sighting& sighting : *seen) {
        if (const auto* shot = std::get_if<ShotSeen>(&sighting.what))
          seen_.push_back({*shot, frame_});
      }
    }
    return Ok();
  }

  // Shows frames until every fallen shot has its verdict, at most as long as players wait, and a
  // little longer.
  Status WatchFor(const std::vector<Dropped>& fresh) {
    const auto fallen = static_cast<std::size_t>(
        std::count_if(fresh.begin(), fresh.end(), [](const Dropped& d) { return d.shot; }));
    const int least = Settle() + 4;
    constexpr double kPatience_s = 2;
    const int most = static_cast<int>(kPatience_s * made_.fps);
    for (int i = 0; i < most && (i < least || seen_.size() < fallen); ++i) {
      if (const Status watched = Watch(1); !watched.ok()) return watched;
    }
    return Ok();
  }

  void Relight(const Dropped& changed) {
    const cv::Rect part = PartChanged(made_, changed);
    if (part.empty()) return;
    LightOf(made_.camera, With(made_, lying_), part).copyTo(light_(part));
  }

  // A forearm from the picture's edge to a place.
  Status Reach(Vec2 place, const std::function<void()>& under_it) {
    const cv::Mat clear = light_.clone();
    const ImagePoint at = ImageFromTable(made_.camera, place, 0.8);
    const double ppi = PixelsPerInch(made_.camera, place, 0.8);
    const cv::Point to(cvRound(at.x_px), cvRound(at.y_px));
    const bool from_left = to.x < light_.cols / 2;
    const cv::Point from(from_left ? -50 : light_.cols + 50, to.y + cvRound(2 * ppi));
    for (int i = 1; i <= 5; ++i) {
      clear.copyTo(light_);
      if (i == 4) {
        under_it();
        light_.copyTo(clear);
      }
      const double share = i <= 3 ? i / 3.0 : (6 - i) / 3.0;
      const cv::Point tip(cvRound(from.x + share * (to.x - from.x)),
                          cvRound(from.y + share * (to.y - from.y)));
      cv::line(light_, from, tip, cv::Scalar(0.14, 0.24, 0.42), cvRound(2.4 * ppi), cv::LINE_AA);
      Show();
      if (const Status watched = Watch(1); !watched.ok()) return watched;
    }
    clear.copyTo(light_);
    Show();
    return Watch(Settle() * 2 + 4);
  }

  int Settle() const { return std::max(3, static_cast<int>(std::lround(0.2 * made_.fps))); }

  // A shot at a free place; of one type, or of any.
  Dropped Shot(const std::vector<Dropped>& there, std::optional<Projectile> kind = {}) {
    const Projectile any = Pick(10) < 7 ? Projectile::kQtip : Projectile::kShell;
    return DropShot(made_, kind.value_or(any), there, random_);
  }

  // A lamp goes on or off and stays so: the whole picture changes, but nothing has fallen.
  Status SwitchLamp(int step) {
    scene_ = "a lamp switched";
    constexpr std::array<double, 4> kLights{0.6, 0.75, 1.3, 1.6};
    made_.webcam.exposure =
        std::clamp(made_.webcam.exposure * kLights[static_cast<std::size_t>(Pick(4))], 0.4, 1.3);
    Show();
    seen_.clear();
    // Twice as long as the pipeline takes to accept a new light.
    if (const Status watched = Watch(Settle() * 4 + 8); !watched.ok()) return watched;
    Score({}, step);
    scene_ = "after a lamp was switched";
    return Ok();
  }

  Status PickOneUp(int step) {
    const auto which = static_cast<std::size_t>(Pick(static_cast<int>(lying_.size())));
    const Dropped taken = lying_[which];
    std::vector<Dropped> fresh;
    // Now and then the next shot falls while the hand is there.
    const bool falls = Pick(3) == 0;
    scene_ = falls                   ? "as one is picked up"
             : taken.what == "shell" ? "a shell picked up"
                                     : "one picked up";
    seen_.clear();
    const Status reached = Reach({taken.axis_from[0], taken.axis_from[1]}, [&] {
      lying_.erase(lying_.begin() + static_cast<std::ptrdiff_t>(which));
      Relight(taken);
      if (!falls) return;
      const Dropped shot = Shot(lying_);
      if (!shot.shot) return;
      fresh.push_back(shot);
      lying_.push_back(shot);
      Relight(shot);
    });
    if (!reached.ok()) return reached;
    // The hand is off when the last frames begin.
    came_ = frame_ - (Settle() * 2 + 4);
    Score(fresh, step);
    scene_.clear();
    return Ok();
  }

  // A finger's shadow that stays for a while.
  Status CastShadow(int step) {
    SceneShade shade;
    const double side = made_.table.frame.Width();
    shade.from = {0.1 * side * Pick(10), 0.1 * side * Pick(10)};
    // Sometimes over a projectile, which then still lies there.
    const bool over = !lying_.empty() && Pick(2) == 0;
    if (over) {
      const Dropped& one = lying_[static_cast<std::size_t>(Pick(static_cast<int>(lying_.size())))];
      shade.from = {one.axis_from[0], one.axis_from[1]};
    }
    shade.to = shade.from + Vec2{0.4 * Pick(8), 0.4 * Pick(8)};
    if (over) {
      const Dropped& one = lying_.back();
      shade.to = {one.axis_to[0], one.axis_to[1]};
    }
    shade.radius_in = 0.1 + 0.1 * Pick(5);
    shade.light = 0.5 + 0.04 * Pick(10);
    scene_ = over ? "a shadow over shots" : "a shadow";
    const cv::Mat clear = light_.clone();
    const std::vector<SceneShade> none = std::exchange(made_.scene.shades, {shade});
    light_ = LightOf(made_.camera, With(made_, lying_), Whole());
    Show();
    if (const Status watched = Watch(Settle() + 6); !watched.ok()) return watched;
    made_.scene.shades = none;
    light_ = clear;
    Show();
    if (const Status watched = Watch(Settle() + 4); !watched.ok()) return watched;
    Score({}, step);
    scene_.clear();
    return Ok();
  }

  // The last inch and a half of a swab's roll, a quarter of an inch a frame.
  Status RollIn(const Dropped& swab) {
    constexpr int kFrames = 6;
    constexpr double kStep_in = 0.25;
    const Vec2 across = Perpendicular(Normalized(swab.tail - swab.point));
    const cv::Mat clear = light_.clone();
    for (int i = kFrames; i > 0; --i) {
      Dropped rolling = swab;
      const Vec2 off = (kStep_in * i) * across;
      for (ScenePill& pill : rolling.pills) {
        pill.from += cv::Vec3d(off.x, off.y, 0);
        pill.to += cv::Vec3d(off.x, off.y, 0);
      }
      lying_.push_back(rolling);
      clear.copyTo(light_);
      Relight(rolling);
      lying_.pop_back();
      Show();
      if (const Status watched = Watch(1); !watched.ok()) return watched;
    }
    clear.copyTo(light_);
    return Ok();
  }

  Status Step(int step) {
    scene_.clear();
    // Old ones are picked up now and then.
    if (!lying_.empty() && Pick(3) == 0) {
      if (const Status picked = PickOneUp(step); !picked.ok()) return picked;
    }
    if (Pick(12) == 0) {
      if (const Status switched = SwitchLamp(step); !switched.ok()) return switched;
    }
    seen_.clear();
    std::vector<Dropped> fresh;
    const int what = Pick(10);
    if (what < 7) {
      const int count = what == 0 ? 2 : 1;
      for (int i = 0; i < count; ++i) {
        std::vector<Dropped> there = lying_;
        there.insert(there.end(), fresh.begin(), fresh.end());
        Dropped shot = Shot(there);
        // A shell may stick to a base.
        constexpr int kTries = 30;
        for (int t = 0; what == 1 && shot.lies == "flat" && t < kTries; ++t)
          shot = Shot(there, Projectile::kShell);
        if (what == 1 && shot.what == "shell" && shot.lies != "flat") scene_ = "a shell on a base";
        if (shot.shot) fresh.push_back(shot);
      }
    } else if (what < 9) {
      fresh.push_back(DropOther(made_, random_));
    }
    if (fresh.empty()) return CastShadow(step);
    if (what == 2 && fresh.front().what == "qtip") {
      scene_ = "rolled in";
      if (const Status rolled = RollIn(fresh.front()); !rolled.ok()) return rolled;
    }
    lying_.insert(lying_.end(), fresh.begin(), fresh.end());
    for (const Dropped& one : fresh) Relight(one);
    Show();
    came_ = frame_;
    if (const Status watched = WatchFor(fresh); !watched.ok()) return watched;
    Score(fresh, step);
    return Ok();
  }

  struct Seen {
    ShotSeen shot;
    std::int64_t frame;
  };

  void Tell(const std::string& words, const Seen* seen) {
    sweep_.details.push_back(words);
    if (out_.empty()) return;
    cv::Mat picture;
    if (seen != nullptr) {
      cv::hconcat(seen->shot.pictures.before, seen->shot.pictures.after, picture);
    } else {
      picture = Delivered(made_.webcam, behind_lens_, 1);
    }
    std::string name = words.substr(0, words.find(':'));
    std::replace(name.begin(), name.end(), ' ', '_');
    std::replace(name.begin(), name.end(), ',', '_');
    status_ = WritePicture(picture, std::filesystem::path(out_) /
                                        fmt::format("{}_{}.png", name, sweep_.details.size()));
  }

  // Compares what was detected since seen_ was cleared with what truly came to rest.
  void Score(const std::vector<Dropped>& fresh, int step) {
    std::vector<ShotSweep::Scene*> scenes;
    if (!scene_.empty()) scenes.push_back(&sweep_.scenes[scene_]);
    if (fault_ != Fault::kNone) scenes.push_back(&sweep_.scenes[NameOf(fault_)]);
    for (ShotSweep::Scene* scene : scenes) ++scene->times;
    std::vector<bool> taken(seen_.size(), false);
    for (const Dropped& truth : fresh) {
      if (!truth.shot) {
        ++sweep_.others;
        continue;
      }
      const double visible = ShareSeen(made_.camera, With(made_, lying_), truth.visible_points);
      const std::string view = visible > 0.99   ? "in the open"
                               : visible >= 0.3 ? "partly hidden"
                                                : "hidden";
      ShotSweep::Count& count = sweep_.shots[view];
      ++count.there;
      for (ShotSweep::Scene* scene : scenes) ++scene->shots.there;
      const std::string words =
          fmt::format("table {}, step {}: {} {}, tip {:.0f} % in view at {:.2f} {:.2f}", seed_,
                      step, truth.what, truth.lies, 100 * visible, truth.point.x, truth.point.y);
      std::size_t best = seen_.size();
      double nearest = 1;
      for (std::size_t i = 0; i < seen_.size(); ++i) {
        const ProjectileFinding& f = seen_[i].shot.finding;
        if (taken[i] || f.shot.projectile != truth.projectile) continue;
        double off = Distance(f.shot.point, truth.point);
        // The players have not answered yet which end it is.
        if (!f.measured) off = std::min(off, Distance(f.shot.tail, truth.point));
        if (off > nearest) continue;
        nearest = off;
        best = i;
      }
      if (best == seen_.size()) {
        Tell(words + ": missed", nullptr);
        continue;
      }
      taken[best] = true;
      if (!seen_[best].shot.finding.measured) {
        ++count.asked;
        for (ShotSweep::Scene* scene : scenes) ++scene->shots.asked;
        Tell(words + ": asked about: " + seen_[best].shot.finding.how, &seen_[best]);
        continue;
      }
      ++count.found;
      for (ShotSweep::Scene* scene : scenes) ++scene->shots.found;
      ScoreOne(truth, seen_[best], words);
    }
    for (std::size_t i = 0; i < seen_.size(); ++i) {
      if (taken[i]) continue;
      const ProjectileFinding& f = seen_[i].shot.finding;
      if (!f.measured) {
        ++sweep_.asked_of_others;
        continue;
      }
      ++sweep_.invented;
      for (ShotSweep::Scene* scene : scenes) ++scene->invented;
      Tell(fmt::format("table {}, step {}: {} invented for {} at {:.2f} {:.2f}: {}", seed_, step,
                       f.shot.projectile == Projectile::kQtip ? "swab" : "shell",
                       fresh.empty() ? "nothing" : fresh.front().what, f.shot.point.x,
                       f.shot.point.y, f.how),
           &seen_[i]);
    }
  }

  void ScoreOne(const Dropped& truth, const Seen& seen, const std::string& words) {
    const ProjectileFinding& finding = seen.shot.finding;
    const ShotObservation& shot = finding.shot;
    const Vec2 e = truth.point - shot.point;
    const double error = Norm(e);
    sweep_.errors_in.push_back(error);
    sweep_.errors_by[truth.what + " " + truth.lies].push_back(error);
    sweep_
        .errors_by[fmt::format("{:.0f} pixels an inch",
                               10 * std::round(PixelsPerInch(made_.camera, {6, 6}, 0) / 10))]
        .push_back(error);
    if (!scene_.empty()) sweep_.errors_by[scene_].push_back(error);
    if (fault_ != Fault::kNone) sweep_.errors_by[NameOf(fault_)].push_back(error);
    sweep_.delays.push_back(static_cast<double>(seen.frame - came_));
    const Cov2 c = shot.point_cov;
    const double determinant = c.xx * c.yy - c.xy * c.xy;
    constexpr double kChiSquare95 = 5.991;  // two degrees of freedom
    const double mahalanobis =
        determinant > 0 ? (c.yy * e.x * e.x - 2 * c.xy * e.x * e.y + c.xx * e.y * e.y) / determinant
                        : 1e9;
    sweep_.inside_95 += mahalanobis < kChiSquare95 ? 1 : 0;
    constexpr double kWorthALook_in = 0.06;
    if (error > kWorthALook_in || mahalanobis > 2 * kChiSquare95) {
      const Vec2 along = Normalized(truth.tail - truth.point);
      Tell(
          fmt::format("{}: off by {:.3f} in ({:+.3f} along, {:+.3f} across; {:.1f} sigma; two ways "
                      "{:.3f}; height {:.2f} for {:.2f}; {})",
                      words, error, -Dot(e, along), -Cross(along, e), std::sqrt(mahalanobis),
                      finding.tip_disagreement_in, shot.height_in, truth.height_in, finding.how),
          &seen);
    }
    const ProjectileSpec& spec = made_.scenario.projectiles[static_cast<std::size_t>(finding.spec)];
    const ShotVerdict verdict = JudgeShot(shot, pipeline_.Scene().stands, spec, made_.scenario,
                                          made_.table.frame, DecisionPolicy{});
    for (const StandObservation& stand : made_.stands) {
      const double distance =
          Distance(NearestPoint(stand.table_from_stand, stand.footprint, truth.point), truth.point);
      if (distance >= spec.hit_radius_in + kLookAround_in) continue;
      const StandVerdict* called = nullptr;
      double least = 0.5 * std::min(stand.footprint.width_in, stand.footprint.depth_in);
      for (const StandVerdict& v : verdict.stands) {
        const double off = Distance(v.stand.table_from_stand.origin, stand.table_from_stand.origin);
        if (off < least) {
          least = off;
          called = &v;
        }
      }
      if (called == nullptr) {
        ++sweep_.uncalled;
        continue;
      }
      ScoredCall call;
      call.stand = stand.stand.text;
      call.call = called->call;
      call.p_hit = called->measured.p_within;
      call.distance_in = called->measured.gap.inches;
      call.margin_in = distance - called->limit_in;
      call.truly_hit = distance <= called->limit_in;
      sweep_.gap_errors_in.push_back(call.distance_in - distance);
      if (called->measured.gap.sigma_in > 0)
        sweep_.gap_errors_sigma.push_back((call.distance_in - distance) /
                                          called->measured.gap.sigma_in);
      const bool wrong = (call.call == Call::kHit && !call.truly_hit) ||
                         (call.call == Call::kMiss && call.truly_hit);
      constexpr double kSmallMargin_in = 0.06;
      const bool shy = call.call == Call::kTooClose && std::abs(call.margin_in) > kSmallMargin_in;
      if (wrong || shy) {
        Tell(fmt::format(
                 "{}: {} {} ({}): distance {:.3f} +/- {:.3f} for {:.3f}, p {:.3f}, shot "
                 "off by {:.3f} with sigma {:.3f}, stand by {:.3f} with sigma {:.3f}",
                 words, wrong ? "WRONG" : "too close", stand.stand.text, CallName(call.call),
                 call.distance_in, called->measured.gap.sigma_in, distance, call.p_hit, error,
                 RmsSigma(shot.point_cov),
                 Distance(called->stand.table_from_stand.origin, stand.table_from_stand.origin),
                 RmsSigma(called->stand.centre_cov)),
             wrong ? &seen : nullptr);
      }
      sweep_.calls.push_back(call);
    }
  }

  std::uint32_t seed_;
  ShotSweep& sweep_;
  const std::string& out_;
  std::mt19937 random_;
  ShotTable made_;
  Pipeline pipeline_;
  cv::Mat light_;
  Fault fault_;
  cv::Mat behind_lens_;
  cv::Mat shown_light_;   // as last shown
  bool smeared_ = false;  // the picture behind the lens is, by a movement
  std::vector<Dropped> lying_;
  std::vector<Seen> seen_;
  std::int64_t frame_ = 0;
  std::int64_t came_ = 0;  // the frame in which the last thing arrived
  std::string scene_;      // what else happens; empty: nothing
  Status status_ = Ok();
};

std::string ShareText(int part, int whole) {
  return whole > 0 ? fmt::format("{:.1f} %", 100.0 * part / whole) : "-";
}

}  // namespace

Result<ShotSweep> SweepShots(const ShotSweepOptions& options) {
  ShotSweep sweep;
  const auto shots = [&] {
    int sum = 0;
    for (const auto& [view, count] : sweep.shots) sum += count.there;
    return sum;
  };
  for (int i = 0; shots() < options.shots; ++i) {
    Table table(static_cast<std::uint32_t>(options.seed + i), options.faults, sweep, options.out);
    const Status played = table.Play();
    if (!played.ok()) {
      return Error{played.error().code,
                   fmt::format("table of seed {}: {}", options.seed + i, played.error().message)};
    }
    // A detector that finds no table must not make this loop forever.
    if (i > 20 + 2 * options.shots) break;
    if (options.progress) options.progress(shots());
  }
  return sweep;
}

Status WriteReliability(const std::vector<ScoredCall>& calls, const std::filesystem::path& file) {
  constexpr int kSide = 600;
  constexpr int kEdge = 60;
  cv::Mat picture(kSide + 2 * kEdge, kSide + 2 * kEdge, CV_8UC3, cv::Scalar(255, 255, 255));
  const auto at = [&](double said, double were) {
    return cv::Point(kEdge + static_cast<int>(std::lround(said * kSide)),
                     kEdge + static_cast<int>(std::lround((1 - were) * kSide)));
  };
  const auto write = [&](const std::string& words, cv::Point place) {
    cv::putText(picture, words, place, cv::FONT_HERSHEY_SIMPLEX, 0.5, cv::Scalar(40, 40, 40), 1,
                cv::LINE_AA);
  };
  for (int i = 0; i <= 10; ++i) {
    const double v = i / 10.0;
    cv::line(picture, at(v, 0), at(v, 1), cv::Scalar(225, 225, 225));
    cv::line(picture, at(0, v), at(1, v), cv::Scalar(225, 225, 225));
    write(fmt::format("{:.1f}", v), at(v, 0) + cv::Point(-12, 20));
    write(fmt::format("{:.1f}", v), at(0, v) + cv::Point(-34, 5));
  }
  cv::line(picture, at(0, 0), at(1, 1), cv::Scalar(160, 160, 160), 1, cv::LINE_AA);
  for (const PredictionBin& bin : Reliability(calls)) {
    if (bin.count == 0) continue;
    // The error by chance alone: one sigma of a share of this many calls.
    const double spread = std::sqrt(bin.mean_stated * (1 - bin.mean_stated) / bin.count);
    cv::line(picture, at(bin.mean_stated, std::max(bin.share_true - spread, 0.0)),
             at(bin.mean_stated, std::min(bin.share_true + spread, 1.0)), cv::Scalar(190, 120, 40), 1,
             cv::LINE_AA);
    const int radius = 3 + static_cast<int>(std::lround(2 * std::log10(bin.count)));
    cv::circle(picture, at(bin.mean_stated, bin.share_true), radius, cv::Scalar(190, 80, 20),
               cv::FILLED, cv::LINE_AA);
    write(fmt::format("{}", bin.count), at(bin.mean_stated, bin.share_true) + cv::Point(8, -8));
  }
  write("chance of a hit as stated", {kEdge + kSide / 2 - 100, 2 * kEdge + kSide - 15});
  write(fmt::format("share that were hits; {} calls, expected calibration error {:.2f} %",
                    calls.size(), 100 * ExpectedCalibrationError(calls)),
        {kEdge, 35});
  return WritePicture(picture, file);
}

std::string SweepText(const ShotSweep& s, bool details) {
  std::string out =
      fmt::format("{} made-up tables, {} of them not read\n", s.tables, s.unread_tables);
  for (const auto& [view, count] : s.shots) {
    out += fmt::format("shots {:<14} {:>5}: found {:>5} ({}), asked about {}, missed {}\n", view,
                       count.there, count.found, ShareText(count.found, count.there), count.asked,
                       count.there - count.found - count.asked);
  }
  for (const auto& [name, scene] : s.scenes) {
    out += fmt::format("  {:<26} {:>4} times: {} shots, found {}, asked about {}, invented {}\n",
                       name, scene.times, scene.shots.there, scene.shots.found, scene.shots.asked,
                       scene.invented);
  }
  out += fmt::format("invented {}; {} other things dropped, asked about {}\n", s.invented, s.others,
                     s.asked_of_others);
  const auto line = [&](const std::string& name, std::vector<double> v) {
    const double most = v.empty() ? 0 : *std::max_element(v.begin(), v.end());
    out += fmt::format("  {:<26} {:>5}: median {:.4f}  p95 {:.4f}  p99 {:.4f}  max {:.4f}\n", name,
                       v.size(), Quantile(v, 0.5).value_or(0), Quantile(v, 0.95).value_or(0),
                       Quantile(v, 0.99).value_or(0), most);
  };
  out += "error of the point, inches\n";
  line("all", s.errors_in);
  for (const auto& [name, errors] : s.errors_by) line(name, errors);
  const int found = static_cast<int>(s.errors_in.size());
  out += fmt::format(
      "inside the stated 95 % ellipse: {}; frames from rest to verdict: median {:.0f}, max "
      "{:.0f}\n",
      ShareText(s.inside_95, found), Quantile(s.delays, 0.5).value_or(0),
      s.delays.empty() ? 0 : *std::max_element(s.delays.begin(), s.delays.end()));
  int right = 0;
  int wrong = 0;
  int close = 0;
  int close_far = 0;
  int close_margin = 0;
  for (const ScoredCall& c : s.calls) {
    const bool small = std::abs(c.margin_in) <= 0.06;
    close_margin += small ? 1 : 0;
    if (c.call == Call::kTooClose) {
      ++close;
      close_far += small ? 0 : 1;
    } else {
      ((c.call == Call::kHit) == c.truly_hit ? right : wrong) += 1;
    }
  }
  const int calls = static_cast<int>(s.calls.size());
  out += fmt::format(
      "calls {}: right {}, wrong {}, too close {} ({}), {} of them with a margin over 0.06 in; {} "
      "stands had less; {} stands not named\n",
      calls, right, wrong, close, ShareText(close, calls), close_far, close_margin, s.uncalled);
  double squares = 0;
  int beyond = 0;
  for (const double z : s.gap_errors_sigma) {
    squares += z * z;
    beyond += std::abs(z) > 2 ? 1 : 0;
  }
  std::vector<double> gaps;
  for (const double g : s.gap_errors_in) gaps.push_back(std::abs(g));
  const int gap_count = static_cast<int>(s.gap_errors_sigma.size());
  out += fmt::format(
      "distances: median error {:.4f}, p95 {:.4f} in; rms {:.2f} stated sigmas, {} beyond two\n",
      Quantile(gaps, 0.5).value_or(0), Quantile(gaps, 0.95).value_or(0),
      gap_count > 0 ? std::sqrt(squares / gap_count) : 0, ShareText(beyond, gap_count));
  out += fmt::format("p_hit: expected calibration error {:.2f} %\n",
                     100 * ExpectedCalibrationError(s.calls));
  for (const PredictionBin& bin : Reliability(s.calls)) {
    if (bin.count == 0) continue;
    out += fmt::format("  said {:.3f}: {:.3f} were hits, of {}\n", bin.mean_stated, bin.share_true,
                       bin.count);
  }
  if (details) {
    for (const std::string& line_of : s.details) out += line_of + '\n';
  }
  return out;
}

}  // namespace fos
