#include "datasets/sweep/wild_sweep.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <optional>
#include <variant>

#include <fmt/format.h>

#include "datasets/render/wild_table.h"
#include "engine/shots/fall_of_shot.h"
#include "vision/pipeline/pipeline.h"
#include "vision/shots/evidence.h"

namespace fos {
namespace {

constexpr int kStepsATable = 6;
constexpr double kLeastInView = 0.3;  // of a shot that must be told

struct Seen {
  ShotSeen shot;
  std::int64_t frame;
};

// One table, one camera, one pipeline, frame after frame.
class Session {
 public:
  Session(std::uint32_t seed, const WildSweepOptions& options, WildSweep& sweep)
      : seed_(seed),
        options_(options),
        sweep_(sweep),
        made_(MakeWildTable(seed)),
        draws_(seed * 31U + 17U),
        pipeline_(made_.table, made_.scenario, made_.lens, made_.fps),
        layers_(Rendered(made_.camera, made_.scene, Whole())),
        camera_(OpticsOf(), seed) {}

  Status Play() {
    constexpr double kToStart_s = 0.8;
    if (const Status s = Watch(static_cast<int>(kToStart_s * made_.fps)); !s.ok()) return s;
    ++sweep_.tables;
    if (!pipeline_.Found()) {
      ++sweep_.unread_tables;
      ++sweep_.by["ground: " + made_.scene.ground.look].times;
      sweep_.details.push_back(fmt::format("table {} ({}, {}): not found: {}", seed_,
                                           made_.scene.ground.look, made_.light,
                                           pipeline_.WhyNotFound()));
      return Ok();
    }
    for (int step = 0; step < kStepsATable; ++step) {
      if (const Status stepped = Step(step); !stepped.ok()) return stepped;
      if (!status_.ok()) return status_;
    }
    return Ok();
  }

 private:
  cv::Rect Whole() const { return {0, 0, made_.camera.lens.width_px, made_.camera.lens.height_px}; }
  int Settle() const { return std::max(3, static_cast<int>(std::lround(0.2 * made_.fps))); }

  WildOptics OpticsOf() {
    WildOptics o =
        DrawOptics(LightAt(layers_, made_.scene, made_.moment), made_.light == "dim", draws_);
    o.axis_px = {made_.camera.lens.cx_px, made_.camera.lens.cy_px};
    // The whole picture's corner is 16:9's at the lens's angle of view.
    constexpr double kCornerOfFocal = 0.6;
    o.corner_px = kCornerOfFocal * made_.camera.lens.fx_px;
    return o;
  }

  Status Watch(int frames) {
    for (int i = 0; i < frames; ++i, ++frame_) {
      if (made_.moment.edge && made_.edge_creeps_in != 0) {
        made_.moment.edge->at_in += made_.edge_creeps_in;
        focused_.release();
      }
      if (shade_moves_ > 0) {
        --shade_moves_;
        made_.moment.shade->from = made_.moment.shade->from + shade_step_;
        made_.moment.shade->to = made_.moment.shade->to + shade_step_;
        focused_.release();
      }
      if (focused_.empty()) focused_ = camera_.Focused(LightAt(layers_, made_.scene, made_.moment));
      Frame frame;
      frame.time_s = static_cast<double>(frame_) / made_.fps;
      frame.bgr = last_ = camera_.Next(focused_, frame.time_s);
      frame.id = {frame_};
      const Result<std::vector<Sighting>> seen = pipeline_.Observe(frame);
      if (!seen.ok()) return seen.error();
      for (const Sighting& sighting : *seen) {
        if (const auto* shot = std::get_if<ShotSeen>(&sighting.what))
          seen_.push_back({*shot, frame_});
      }
    }
    return Ok();
  }

  // Renders anew what some solids change.
  void Rerender(std::span<const WildSolid> changed) {
    const cv::Rect part = PartChanged(made_, changed);
    if (part.empty()) return;
    const LightLayers fresh = Rendered(made_.camera, made_.scene, part);
    for (std::size_t i = 0; i < layers_.lamps.size(); ++i)
      fresh.lamps[i].copyTo(layers_.lamps[i](part));
    fresh.sky.copyTo(layers_.sky(part));
    fresh.at.copyTo(layers_.at(part));
    focused_.release();
  }

  void Lay(const WildThing& thing) {
    made_.scene.solids.insert(made_.scene.solids.end(), thing.solids.begin(), thing.solids.end());
    Rerender(thing.solids);
  }

  // Something without a shot or a thing: returns what.
  std::string Disturb() {
    const double side = made_.table.frame.Width();
    int most = -1;
    for (const WildSolid& s : made_.scene.solids) most = std::max(most, s.group);
    const int what = draws_.Below(made_.moment.edge ? 4 : 3);
    if (what == 0 && most >= 0) {
      const int group = draws_.Below(most + 1);
      const double turn = draws_.Uniform(0, 6.28);
      const double by = draws_.Uniform(0.04, 0.2);
      std::vector<WildSolid> changed;
      for (WildSolid& s : made_.scene.solids) {
        if (s.group != group) continue;
        changed.push_back(s);
        s = Moved(s, {by * std::cos(turn), by * std::sin(turn), 0});
        changed.push_back(s);
      }
      Rerender(changed);
      return "event: figure nudged";
    }
    focused_.release();
    if (what == 1) {
      made_.moment.lamp_gains.assign(made_.scene.lamps.size(), 1);
      made_.moment.lamp_gains[0] = draws_.LogUniform(0.55, 1.6);
      return "event: light changes";
    }
    if (what == 2 && made_.moment.shade) {
      made_.moment.shade.reset();
      shade_moves_ = 0;
      return "event: shadow leaves";
    }
    if (what == 3) {
      made_.moment.edge->at_in += draws_.Uniform(-0.5, 0.5);
      return "event: sun steps";
    }
    Shade shade;
    shade.from = {draws_.Uniform(0, side), draws_.Uniform(0, side)};
    shade.to = shade.from + Vec2{draws_.Uniform(-4, 4), draws_.Uniform(-4, 4)};
    shade.radius_in = draws_.LogUniform(0.1, 3);
    shade.soft_in = draws_.LogUniform(0.1, 1.5);
    shade.left = draws_.Uniform(0.35, 0.85);
    // Someone leans in.
    constexpr int kMoves = 6;
    shade_moves_ = kMoves;
    shade_step_ = {draws_.Uniform(-0.5, 0.5), draws_.Uniform(-0.5, 0.5)};
    made_.moment.shade = shade;
    return "event: shadow stays";
  }

  Status Step(int step) {
    seen_.clear();
    before_ = last_;
    const double what = draws_.Uniform(0, 1);
    constexpr double kShots = 0.55;
    constexpr double kJunk = 0.85;
    WildThing thing;
    std::vector<std::string> classes{
        "ground: " + made_.scene.ground.look, "light: " + made_.light,
        std::string("camera: ") + camera_.optics().CoderName(),
        fmt::format("pixels an inch: {:.0f}",
                    std::round(PixelsPerInch(made_.camera, {6, 6}, 0) / 8) * 8)};
    if (what < kShots) {
      thing =
          DropWildShot(made_, draws_.Happens(0.6) ? Projectile::kQtip : Projectile::kShell, draws_);
    } else if (what < kJunk) {
      thing = DropWildJunk(made_, draws_.OneOf(JunkClasses(options_.unseen)), draws_);
    } else {
      classes.push_back(Disturb());
    }
    if (what < kJunk) {
      if (thing.what.empty()) return Ok();  // no place for it
      classes.insert(classes.end(), thing.looks.begin(), thing.looks.end());
      Lay(thing);
    }
    // Players wait no longer than this for a verdict.
    constexpr double kPatience_s = 2;
    const int least = 2 * Settle() + 6;
    const int most = static_cast<int>(kPatience_s * made_.fps);
    for (int i = 0; i < most && (i < least || (thing.shot && seen_.empty())); ++i) {
      if (const Status watched = Watch(1); !watched.ok()) return watched;
    }
    Score(thing, step, classes);
    return Ok();
  }

  // Notes what went wrong, with a picture of it before and after: the detector's, or of the truth.
  void Tell(const std::string& words, const Seen* seen, const WildThing& truth) {
    sweep_.details.push_back(words);
    if (options_.out.empty()) return;
    cv::Mat picture;
    if (seen != nullptr) {
      cv::hconcat(seen->shot.before, seen->shot.after, picture);
    } else {
      cv::Rect part;
      const double around = PixelsPerInch(made_.camera, truth.point, 0);
      for (const Vec2 end : {truth.point, truth.tail}) {
        const ImagePoint at = ImageFromTable(made_.camera, end, 0);
        part |= cv::Rect(cvRound(at.x_px - around), cvRound(at.y_px - around), cvRound(2 * around),
                         cvRound(2 * around));
      }
      part &= Whole();
      cv::hconcat(before_(part), last_(part), picture);
    }
    std::string name = words.substr(0, words.find(':'));
    std::replace(name.begin(), name.end(), ' ', '_');
    std::replace(name.begin(), name.end(), ',', '_');
    status_ = WritePicture(picture, std::filesystem::path(options_.out) /
                                        fmt::format("{}_{}.png", name, sweep_.details.size()));
  }

  // Which of the findings is of this shot: by either end, since a wrong end is a find all the same.
  std::optional<std::size_t> FindingOf(const WildThing& truth) const {
    std::optional<std::size_t> best;
    double nearest = 1;
    for (std::size_t i = 0; i < seen_.size(); ++i) {
      const ShotObservation& shot = seen_[i].shot.finding.shot;
      if (shot.projectile != truth.projectile) continue;
      double off = std::min(Distance(shot.point, truth.point), Distance(shot.point, truth.tail));
      if (!seen_[i].shot.finding.measured) off = std::min(off, Distance(shot.tail, truth.point));
      if (off >= nearest) continue;
      nearest = off;
      best = i;
    }
    return best;
  }

  // Whether a finding is of a shot that an earlier step passed in silence.
  bool IsLate(const ShotObservation& shot) const {
    constexpr double kSame_in = 0.3;
    return std::any_of(silent_.begin(), silent_.end(), [&](const WildThing& truth) {
      return truth.projectile == shot.projectile && Distance(truth.point, shot.point) < kSame_in;
    });
  }

  // What was seen since seen_ was cleared against what truly came to rest.
  void Score(const WildThing& truth, int step, const std::vector<std::string>& classes) {
    std::vector<WildTally*> tallies{&sweep_.all};
    for (const std::string& name : classes) tallies.push_back(&sweep_.by[name]);
    const auto count = [&](int WildTally::*what) {
      for (WildTally* t : tallies) ++(t->*what);
    };
    count(&WildTally::times);
    const std::string where = fmt::format("table {}, step {}: {} on {} in {}", seed_, step,
                                          truth.what.empty() ? classes.back() : truth.what,
                                          made_.scene.ground.look, made_.light);
    std::optional<std::size_t> own;
    if (truth.shot) {
      own = FindingOf(truth);
      const double view = ShareInView(made_.camera, made_.scene, truth.visible_points);
      if (view >= kLeastInView) {
        count(&WildTally::shots);
        const bool measured = own && seen_[*own].shot.finding.measured;
        count(measured ? &WildTally::measured : own ? &WildTally::asked : &WildTally::silent);
        const std::string words =
            fmt::format("{}, {}, {:.0f} % in view at {:.2f} {:.2f}", where, truth.looks.back(),
                        100 * view, truth.point.x, truth.point.y);
        if (!own) Tell(words + ": silent", nullptr, truth);
        if (!own) silent_.push_back(truth);
        if (own && !measured)
          Tell(words + ": asked: " + seen_[*own].shot.finding.how, &seen_[*own], truth);
        if (measured) ScoreShot(truth, seen_[*own], words, tallies);
      }
    }
    for (std::size_t i = 0; i < seen_.size(); ++i) {
      if (own == i) continue;
      const ProjectileFinding& f = seen_[i].shot.finding;
      if (IsLate(f.shot)) {
        count(&WildTally::late);
        continue;
      }
      count(f.measured ? &WildTally::invented : &WildTally::asked_of_nothing);
      Tell(fmt::format("{}: {} {} at {:.2f} {:.2f}: {}", where,
                       f.shot.projectile == Projectile::kQtip ? "swab" : "shell",
                       f.measured ? "invented" : "asked of nothing", f.shot.point.x, f.shot.point.y,
                       f.how),
           &seen_[i], truth);
    }
  }

  void ScoreShot(const WildThing& truth, const Seen& seen, const std::string& words,
                 const std::vector<WildTally*>& tallies) {
    const ProjectileFinding& finding = seen.shot.finding;
    const Vec2 e = truth.point - finding.shot.point;
    const Cov2 c = finding.shot.point_cov;
    const double determinant = c.xx * c.yy - c.xy * c.xy;
    const double mahalanobis =
        determinant > 0 ? (c.yy * e.x * e.x - 2 * c.xy * e.x * e.y + c.xx * e.y * e.y) / determinant
                        : 1e9;
    constexpr double kChiSquare95 = 5.991;  // two degrees of freedom
    const bool wrong_end =
        truth.projectile == Projectile::kQtip && Norm(e) > Distance(finding.shot.point, truth.tail);
    for (WildTally* t : tallies) {
      t->wrong_end += wrong_end ? 1 : 0;
      t->inside_95 += mahalanobis < kChiSquare95 ? 1 : 0;
      if (!wrong_end) t->errors_in.push_back(Norm(e));
    }
    constexpr double kWorthALook_in = 0.06;
    if (Norm(e) > kWorthALook_in || mahalanobis > 2 * kChiSquare95) {
      const Vec2 along = Normalized(truth.tail - truth.point);
      Tell(fmt::format("{}: {}off by {:.3f} in ({:+.3f} along, {:+.3f} across; {:.1f} sigma; "
                       "height {:.2f} for {:.2f}; {})",
                       words, wrong_end ? "WRONG END, " : "", Norm(e), -Dot(e, along),
                       -Cross(along, e), std::sqrt(mahalanobis), finding.shot.height_in,
                       truth.height_in, finding.how),
           &seen, truth);
    }
    ScoreCalls(truth, seen, words, tallies);
  }

  void ScoreCalls(const WildThing& truth, const Seen& seen, const std::string& words,
                  const std::vector<WildTally*>& tallies) {
    const ProjectileFinding& finding = seen.shot.finding;
    const ProjectileSpec& spec = made_.scenario.projectiles[static_cast<std::size_t>(finding.spec)];
    const ShotVerdict verdict = JudgeShot(finding.shot, pipeline_.Scene().stands, spec,
                                          made_.scenario, made_.table.frame, DecisionPolicy{});
    for (const StandVerdict& v : verdict.stands) {
      const auto is_it = [&](const StandObservation& stand) {
        return Distance(v.stand.table_from_stand.origin, stand.table_from_stand.origin) <
               0.5 * std::min(stand.footprint.width_in, stand.footprint.depth_in);
      };
      const auto stand = std::find_if(made_.stands.begin(), made_.stands.end(), is_it);
      if (stand == made_.stands.end()) continue;
      const double distance = Distance(
          NearestPoint(stand->table_from_stand, stand->footprint, truth.point), truth.point);
      if (distance >= spec.hit_radius_in + kLookAround_in && v.call != Call::kHit) continue;
      ScoredCall call;
      call.stand = stand->stand.text;
      call.call = v.call;
      call.p_hit = v.measured.p_within;
      call.distance_in = v.measured.gap.inches;
      call.margin_in = distance - v.limit_in;
      call.truly_hit = distance <= v.limit_in;
      const bool close = call.call == Call::kTooClose;
      const bool wrong = !close && (call.call == Call::kHit) != call.truly_hit;
      for (WildTally* t : tallies) {
        ++t->calls;
        t->wrong_calls += wrong ? 1 : 0;
        t->too_close += close ? 1 : 0;
      }
      if (wrong) {
        Tell(fmt::format("{}: WRONG {} ({}): distance {:.3f} +/- {:.3f} for {:.3f}, p {:.3f}",
                         words, call.stand, CallName(call.call), call.distance_in,
                         v.measured.gap.sigma_in, distance, call.p_hit),
             &seen, truth);
      }
      sweep_.calls.push_back(call);
    }
  }

  std::uint32_t seed_;
  const WildSweepOptions& options_;
  WildSweep& sweep_;
  WildTable made_;
  Draws draws_;
  Pipeline pipeline_;
  LightLayers layers_;
  WildCamera camera_;
  cv::Mat focused_;  // the light behind the lens; empty when it must be made anew
  cv::Mat last_;     // the last frame
  cv::Mat before_;   // the last one of the step before
  std::vector<Seen> seen_;
  std::vector<WildThing> silent_;  // shots of which nothing was said
  int shade_moves_ = 0;            // frames for which the shadow still moves
  Vec2 shade_step_;                // inches a frame
  std::int64_t frame_ = 0;
  Status status_ = Ok();
};

std::string Share(int part, int whole) {
  return whole > 0 ? fmt::format("{:.1f} %", 100.0 * part / whole) : "-";
}

std::string Row(const std::string& name, const WildTally& t) {
  const auto quantile = [&](double q) {
    const std::optional<double> v = Quantile(t.errors_in, q);
    return v ? fmt::format("{:.3f}", *v) : std::string("-");
  };
  return fmt::format(
      "{:<26} {:>5} {:>5} {:>8} {:>5} {:>6} {:>5} {:>9} {:>8} {:>12} {:>5} {:>5} {:>5} {:>6} {:>6} "
      "{:>6} {:>7}\n",
      name, t.times, t.shots, t.measured, t.asked, t.silent, t.late, t.wrong_end, t.invented,
      t.asked_of_nothing, t.calls, t.wrong_calls, t.too_close, quantile(0.5), quantile(0.95),
      quantile(0.99), Share(t.inside_95, t.measured));
}

}  // namespace

Result<WildSweep> SweepWildShots(const WildSweepOptions& options) {
  WildSweep sweep;
  // A detector that finds no table must not keep this going for ever.
  for (int i = 0; sweep.all.shots < options.shots && i <= 20 + 2 * options.shots; ++i) {
    const auto seed = static_cast<std::uint32_t>(options.seed + i);
    Session session(seed, options, sweep);
    if (const Status played = session.Play(); !played.ok()) {
      return Error{played.error().code,
                   fmt::format("table of seed {}: {}", seed, played.error().message)};
    }
    if (options.progress) options.progress(sweep.all.shots);
  }
  return sweep;
}

std::string SweepText(const WildSweep& s, bool details) {
  std::string out = fmt::format(
      "{} wild tables, {} of them not read\n{:<26} {:>5} {:>5} {:>8} {:>5} {:>6} {:>5} {:>9} {:>8} "
      "{:>12} {:>5} {:>5} {:>5} {:>6} {:>6} {:>6} {:>7}\n",
      s.tables, s.unread_tables, "", "times", "shots", "measured", "asked", "silent", "late",
      "wrong end", "invented", "asked of no", "calls", "wrong", "close", "median", "p95", "p99",
      "in 95%");
  out += Row("all", s.all);
  out += fmt::format("p_hit: expected calibration error {:.2f} %\n",
                     100 * ExpectedCalibrationError(s.calls));
  if (!details) return out;
  for (const auto& [name, tally] : s.by) out += Row(name, tally);
  for (const std::string& line : s.details) out += line + '\n';
  return out;
}

}  // namespace fos
