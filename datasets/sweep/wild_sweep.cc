// SPDX-License-Identifier: MIT
#include "datasets/sweep/wild_sweep.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "datasets/sweep/wild_session.h"
#include "engine/shots/fall_of_shot.h"
#include "vision/shots/evidence.h"

namespace fos {
namespace {

constexpr int kStepsATable = 6;
constexpr double kLeastInView = 0.3;  // of a shot that must be told
constexpr double kInItsPlace_in = 0.5;

// Plays a table and scores what its detector says.
class Scorer {
 public:
  Scorer(std::uint32_t seed, const WildSweepOptions& options, WildSweep& sweep)
      : seed_(seed),
        options_(options),
        sweep_(sweep),
        labels_(std::to_string(seed)),
        session_(seed, options.unseen, options.terms ? Labelled() : OnJudged()) {}

  Status Play() {
    if (const Status started = session_.Start(); !started.ok()) return started;
    ++sweep_.tables;
    if (!session_.Detector().Found()) {
      ++sweep_.unread_tables;
      sweep_.details.push_back(fmt::format("table {} ({}, {}): not found: {}", seed_,
                                           made_.scene.ground.look, made_.light,
                                           session_.Detector().WhyNotFound()));
      return Ok();
    }
    for (step_ = 0; step_ < kStepsATable; ++step_) {
      Result<std::optional<WildStep>> played = session_.Step();
      if (!played.ok()) return played.error();
      if (!*played) continue;
      now_ = std::move(**played);
      Score();
      if (!status_.ok()) return status_;
    }
    const std::vector<LabelledThing> judged = labels_.Things();
    sweep_.judged.insert(sweep_.judged.end(), judged.begin(), judged.end());
    return Ok();
  }

 private:
  OnJudged Labelled() {
    return [this](const JudgedThing& judged) { labels_.Add(judged, session_.Lying()); };
  }
  // Notes what went wrong, with a picture of it before and after: the detector's, or of the truth.
  void Tell(const std::string& words, const ShotSeen* seen, const WildThing& truth) {
    sweep_.details.push_back(words);
    if (options_.out.empty()) return;
    cv::Mat picture;
    if (seen != nullptr) {
      cv::hconcat(seen->pictures.before, seen->pictures.after, picture);
    } else {
      cv::Rect part;
      const double around = PixelsPerInch(made_.camera, truth.point, 0);
      for (const Vec2 end : {truth.point, truth.tail}) {
        const ImagePoint at = ImageFromTable(made_.camera, end, 0);
        part |= cv::Rect(cvRound(at.x_px - around), cvRound(at.y_px - around), cvRound(2 * around),
                         cvRound(2 * around));
      }
      part &= cv::Rect({}, now_.after.size());
      cv::hconcat(now_.before(part), now_.after(part), picture);
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
    for (std::size_t i = 0; i < now_.seen.size(); ++i) {
      const ShotObservation& shot = now_.seen[i].finding.shot;
      if (shot.projectile != truth.projectile) continue;
      double off = std::min(Distance(shot.point, truth.point), Distance(shot.point, truth.tail));
      if (!now_.seen[i].finding.measured) off = std::min(off, Distance(shot.tail, truth.point));
      if (off >= nearest) continue;
      nearest = off;
      best = i;
    }
    return best;
  }

  // A question about another kind of projectile in its place, which is a question about it all the
  // same.
  std::optional<std::size_t> QuestionAbout(const WildThing& truth) const {
    const Segment2 body{truth.point, truth.tail};
    for (std::size_t i = 0; i < now_.seen.size(); ++i) {
      const ProjectileFinding& f = now_.seen[i].finding;
      const Vec2 middle = 0.5 * (f.shot.point + f.shot.tail);
      if (!f.measured && Distance(NearestPoint(body, middle), middle) < kInItsPlace_in) return i;
    }
    return std::nullopt;
  }
  bool ToldAsObject(const WildThing& truth) const {
    return std::any_of(now_.objects.begin(), now_.objects.end(), [&](const ObjectSeen& object) {
      const Vec2 middle = 0.5 * (truth.point + truth.tail);
      return DistanceTo(object.outline, middle) < kInItsPlace_in ||
             DistanceTo(object.outline, truth.point) < kInItsPlace_in;
    });
  }

  // Whether a finding is of a shot that an earlier step passed in silence.
  bool IsLate(const ShotObservation& shot) const {
    constexpr double kSame_in = 0.3;
    return std::any_of(silent_.begin(), silent_.end(), [&](const WildThing& truth) {
      return truth.projectile == shot.projectile && Distance(truth.point, shot.point) < kSame_in;
    });
  }

  // What was seen in this step against what truly came to rest.
  void Score() {
    const WildThing& truth = now_.truth;
    if (now_.taken)
      std::erase_if(silent_, [&](const WildThing& thing) { return thing.point == *now_.taken; });
    std::vector<WildTally*> tallies{&sweep_.all};
    for (const std::string& name : now_.classes) tallies.push_back(&sweep_.by[name]);
    const auto count = [&](int WildTally::*what) {
      for (WildTally* t : tallies) ++(t->*what);
    };
    count(&WildTally::times);
    const std::string where = fmt::format("table {}, step {}: {} on {} in {}", seed_, step_,
                                          truth.what.empty() ? now_.classes.back() : truth.what,
                                          made_.scene.ground.look, made_.light);
    std::optional<std::size_t> own;
    if (truth.shot) {
      own = FindingOf(truth);
      const double view = ShareInView(made_.camera, made_.scene, truth.visible_points);
      if (view >= kLeastInView) {
        count(&WildTally::shots);
        const bool measured = own && now_.seen[*own].finding.measured;
        if (!own) own = QuestionAbout(truth);
        const bool told = !own && ToldAsObject(truth);
        count(measured ? &WildTally::measured
              : own    ? &WildTally::asked
              : told   ? &WildTally::told
                       : &WildTally::silent);
        const std::string words =
            fmt::format("{}, {}, {:.0f} % in view at {:.2f} {:.2f}", where, truth.looks.back(),
                        100 * view, truth.point.x, truth.point.y);
        if (!own) Tell(words + (told ? ": told as an object" : ": silent"), nullptr, truth);
        if (!own) silent_.push_back(truth);
        if (own && !measured)
          Tell(words + ": asked: " + now_.seen[*own].finding.how, &now_.seen[*own], truth);
        if (measured) ScoreShot(truth, now_.seen[*own], words, tallies);
      }
    }
    for (std::size_t i = 0; i < now_.seen.size(); ++i) {
      if (own == i) continue;
      const ProjectileFinding& f = now_.seen[i].finding;
      if (IsLate(f.shot)) {
        count(&WildTally::late);
        continue;
      }
      count(f.measured ? &WildTally::invented : &WildTally::asked_of_nothing);
      Tell(fmt::format("{}: {} {} at {:.2f} {:.2f}: {}", where,
                       f.shot.projectile == Projectile::kQtip ? "swab" : "shell",
                       f.measured ? "invented" : "asked of nothing", f.shot.point.x, f.shot.point.y,
                       f.how),
           &now_.seen[i], truth);
    }
  }

  void ScoreShot(const WildThing& truth, const ShotSeen& seen, const std::string& words,
                 const std::vector<WildTally*>& tallies) {
    const ProjectileFinding& finding = seen.finding;
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
      // A shell has no tail: its error is told along the table's axes.
      const Vec2 along = truth.projectile == Projectile::kQtip
                             ? Normalized(truth.tail - truth.point)
                             : Vec2{1, 0};
      Tell(fmt::format("{}: {}off by {:.3f} in ({:+.3f} along, {:+.3f} across; {:.1f} sigma; "
                       "height {:.2f} for {:.2f}; {})",
                       words, wrong_end ? "WRONG END, " : "", Norm(e), -Dot(e, along),
                       -Cross(along, e), std::sqrt(mahalanobis), finding.shot.height_in,
                       truth.height_in, finding.how),
           &seen, truth);
    }
    ScoreCalls(truth, seen, words, tallies);
  }

  void ScoreCalls(const WildThing& truth, const ShotSeen& seen, const std::string& words,
                  const std::vector<WildTally*>& tallies) {
    const ProjectileFinding& finding = seen.finding;
    const ProjectileSpec& spec = made_.scenario.projectiles[static_cast<std::size_t>(finding.spec)];
    const ShotVerdict verdict = JudgeShot(finding.shot, session_.Detector().Scene().stands, spec,
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
  ThingLabels labels_;
  WildSession session_;
  const WildTable& made_ = session_.Table();
  int step_ = 0;
  WildStep now_;
  std::vector<WildThing> silent_;  // shots of which nothing was said
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
      "{:<26} {:>5} {:>5} {:>8} {:>5} {:>5} {:>6} {:>5} {:>9} {:>8} {:>12} {:>5} {:>5} {:>5} {:>6} "
      "{:>6} {:>6} {:>7}\n",
      name, t.times, t.shots, t.measured, t.asked, t.told, t.silent, t.late, t.wrong_end, t.invented,
      t.asked_of_nothing, t.calls, t.wrong_calls, t.too_close, quantile(0.5), quantile(0.95),
      quantile(0.99), Share(t.inside_95, t.measured));
}

}  // namespace

Result<WildSweep> SweepWildShots(const WildSweepOptions& options) {
  WildSweep sweep;
  // A detector that finds no table must not keep this going for ever.
  for (int i = 0; sweep.all.shots < options.shots && i <= 20 + 2 * options.shots; ++i) {
    const auto seed = static_cast<std::uint32_t>(options.seed + i);
    Scorer scorer(seed, options, sweep);
    if (const Status played = scorer.Play(); !played.ok()) {
      return Error{played.error().code,
                   fmt::format("table of seed {}: {}", seed, played.error().message)};
    }
    if (options.progress) options.progress(sweep.all.shots);
  }
  return sweep;
}

std::string SweepText(const WildSweep& s, bool details) {
  std::string out = fmt::format(
      "{} wild tables, {} of them not read\n{:<26} {:>5} {:>5} {:>8} {:>5} {:>5} {:>6} {:>5} {:>9} {:>8} "
      "{:>12} {:>5} {:>5} {:>5} {:>6} {:>6} {:>6} {:>7}\n",
      s.tables, s.unread_tables, "", "times", "shots", "measured", "asked", "told", "silent", "late",
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
