// SPDX-License-Identifier: MIT
#include "datasets/score/score.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>
#include <opencv2/imgproc.hpp>

#include "engine/table/pose2.h"

namespace fos {
namespace {

// Contract, section 5.
constexpr double kCalledWithin_in = 1.5;
constexpr double kTooCloseMargin_in = 0.06;
constexpr double kWrongMargin_in = 0.1;
// A reported shot farther than this from a true one is not that one: a base's depth.
constexpr double kSameShot_in = 1.0;
// A stand reported this near to where one was put down is that one.
constexpr double kSamePlace_in = 1.0;
// How long the referee may take before a change, a move or a knock must be known, seconds.
constexpr double kTimeToReport_s = 3;
// A stand found farther off than this is listed: a tenth of an inch turns calls.
constexpr double kFarOff_in = 0.1;
// A stretch without hands must be this long before the stands must be known again, seconds.
constexpr double kTimeToLook_s = 0.5;
// Shifting a footprint by half its width or depth leaves a third of the union in common.
constexpr double kLeastOverlap = 1.0 / 3;
// Radius in sigmas of the circle that holds 95 % of a two-dimensional normal: sqrt(-2 ln 0.05).
const double kNinetyFive = std::sqrt(-2 * std::log(0.05));

std::string At(Vec2 p) { return fmt::format("({:.2f}, {:.2f})", p.x, p.y); }

// ---- Pairing of reported and true stands ----

struct Pairing {
  std::map<std::size_t, std::size_t> truth_of;  // reported index to true index
};

double Overlap(const std::array<Vec2, 4>& a, const std::array<Vec2, 4>& b) {
  const auto points = [](const std::array<Vec2, 4>& polygon) {
    std::vector<cv::Point2f> out;
    for (const Vec2 p : polygon) {
      out.emplace_back(static_cast<float>(p.x), static_cast<float>(p.y));
    }
    return out;
  };
  std::vector<cv::Point2f> common;
  const double shared = cv::intersectConvexConvex(points(a), points(b), common);
  const double whole = Area(ToPolygon(a)) + Area(ToPolygon(b)) - shared;
  return whole > 0 ? shared / whole : 0;
}

// Nearest pairs first, each stand in one pair at most.
Pairing Pair(const std::vector<StandRecord>& reported, const Truth& truth, std::int64_t frame) {
  struct Candidate {
    double distance_in;
    std::size_t reported;
    std::size_t truth;
  };
  std::vector<Candidate> candidates;
  for (std::size_t t = 0; t < truth.stands.size(); ++t) {
    const TruthPlace* place = truth.stands[t].At(frame);
    if (place == nullptr) continue;
    const double shorter = std::min(Distance(place->polygon[0], place->polygon[1]),
                                    Distance(place->polygon[1], place->polygon[2]));
    for (std::size_t r = 0; r < reported.size(); ++r) {
      const double distance = Distance(place->Centre(), reported[r].centre);
      constexpr double kFarthest_in = 6;  // beyond any footprint: spares the polygons
      if (distance > kFarthest_in) continue;
      if (distance <= shorter / 2 ||
          Overlap(place->polygon, reported[r].polygon) >= kLeastOverlap) {
        candidates.push_back({distance, r, t});
      }
    }
  }
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const auto& a, const auto& b) { return a.distance_in < b.distance_in; });
  Pairing out;
  std::set<std::size_t> taken;
  for (const Candidate& c : candidates) {
    if (out.truth_of.count(c.reported) != 0 || !taken.insert(c.truth).second) continue;
    out.truth_of[c.reported] = c.truth;
  }
  return out;
}

// The list of stands that was current at a frame; null before the first.
const StandsEvent* StandsAt(const std::vector<EventRecord>& events, std::int64_t frame) {
  const StandsEvent* current = nullptr;
  for (const EventRecord& event : events) {
    const auto* stands = std::get_if<StandsEvent>(&event.body);
    if (stands != nullptr && event.frame <= frame) current = stands;
  }
  return current;
}

// ---- Shots and calls ----

struct ReportedShot {
  const ShotEvent* shot;
  std::int64_t frame;
};

const VerdictEvent* VerdictOf(const std::vector<EventRecord>& events, int shot,
                              std::int64_t* frame) {
  for (const EventRecord& event : events) {
    const auto* verdict = std::get_if<VerdictEvent>(&event.body);
    if (verdict == nullptr || verdict->shot != shot) continue;
    *frame = event.frame;
    return verdict;
  }
  return nullptr;
}

const ProjectileSpec* SpecOf(const Scenario& scenario, const std::string& projectile) {
  const Projectile type = projectile == "shell" ? Projectile::kShell : Projectile::kQtip;
  for (const ProjectileSpec& spec : scenario.projectiles) {
    if (spec.type == type) return &spec;
  }
  return nullptr;
}

const KindSpec* KindOf(const Scenario& scenario, const std::string& name) {
  for (const KindSpec& kind : scenario.kinds) {
    if (kind.name == name) return &kind;
  }
  return nullptr;
}

// From a true point to where the rule measures: the kind's target points, or the footprint.
double TrueDistance(const TruthPlace& place, const KindSpec* kind, Vec2 point) {
  if (kind == nullptr || kind->target.empty()) return DistanceTo(ToPolygon(place.polygon), point);
  const Pose2 pose{place.Centre(), HeadingFromBearing(place.bearing_deg)};
  double least = Distance(pose * kind->target[0], point);
  for (const Vec2 leg : kind->target) least = std::min(least, Distance(pose * leg, point));
  if (kind->target_points.value_or(false)) return least;
  for (std::size_t i = 0; i + 1 < kind->target.size(); ++i) {
    const Segment2 segment{pose * kind->target[i], pose * kind->target[i + 1]};
    least = std::min(least, Distance(NearestPoint(segment, point), point));
  }
  return least;
}

void ScoreCalls(const Truth& truth, const Scenario& scenario, const TruthShot& shot,
                const std::vector<EventRecord>& events, int reported_shot, ClipScore& score) {
  const ProjectileSpec* spec = SpecOf(scenario, shot.projectile);
  if (spec == nullptr) return;
  std::int64_t frame = 0;
  const VerdictEvent* verdict = VerdictOf(events, reported_shot, &frame);
  std::map<std::size_t, const VerdictStand*> called;  // by true stand
  if (verdict != nullptr) {
    const double delay = static_cast<double>(frame - shot.frames.from);
    score.verdict_delays.push_back(delay);
    if (truth.fps > 0) score.verdict_delays_s.push_back(delay / truth.fps);
    const StandsEvent* stands = StandsAt(events, frame);
    const Pairing pairing =
        stands != nullptr ? Pair(stands->stands, truth, shot.frames.from) : Pairing{};
    for (const VerdictStand& one : verdict->stands) {
      bool there = false;
      for (const auto& [reported, true_stand] : pairing.truth_of) {
        if (stands->stands[reported].id != one.id) continue;
        called[true_stand] = &one;
        there = true;
      }
      if (!there) ++score.calls_invented;
    }
  }
  for (std::size_t t = 0; t < truth.stands.size(); ++t) {
    const TruthStand& stand = truth.stands[t];
    const TruthPlace* place = stand.At(shot.frames.from);
    if (place == nullptr) continue;
    const double to_footprint = DistanceTo(ToPolygon(place->polygon), shot.point);
    if (to_footprint >= spec->hit_radius_in + kCalledWithin_in) continue;
    const auto found = called.find(t);
    if (found == called.end()) {
      ++score.uncalled;
      continue;
    }
    const KindSpec* kind = KindOf(scenario, stand.kind);
    const bool touch = kind != nullptr && kind->equipment;
    const double margin = TrueDistance(*place, kind, shot.point) -
                          (touch ? spec->touch_radius_in : spec->hit_radius_in);
    const VerdictStand& call = *found->second;
    score.calls.push_back(
        {stand.key, reported_shot, call.call, call.p_hit, margin <= 0, margin, call.distance_in});
  }
}

void ScoreShots(const Truth& truth, const Scenario& scenario,
                const std::vector<EventRecord>& events, ClipScore& score) {
  std::vector<ReportedShot> reported;
  for (const EventRecord& event : events) {
    if (const auto* shot = std::get_if<ShotEvent>(&event.body)) {
      reported.push_back({shot, event.frame});
    }
  }
  struct Candidate {
    double distance_in;
    std::size_t reported;
    std::size_t truth;
  };
  std::vector<Candidate> candidates;
  for (std::size_t t = 0; t < truth.shots.size(); ++t) {
    for (std::size_t r = 0; r < reported.size(); ++r) {
      const double distance = Distance(truth.shots[t].point, reported[r].shot->point);
      // A shot known before this one came, or at rest only after it was taken, is another one.
      const bool in_time = reported[r].frame >= truth.shots[t].frames.from &&
                           reported[r].shot->at_rest_frame <= truth.shots[t].frames.to;
      if (distance <= kSameShot_in && in_time) candidates.push_back({distance, r, t});
    }
  }
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const auto& a, const auto& b) { return a.distance_in < b.distance_in; });
  std::set<std::size_t> true_taken;
  std::set<std::size_t> reported_taken;
  for (const Candidate& c : candidates) {
    if (true_taken.count(c.truth) != 0 || reported_taken.count(c.reported) != 0) continue;
    true_taken.insert(c.truth);
    reported_taken.insert(c.reported);
    const ShotEvent& shot = *reported[c.reported].shot;
    score.shot_errors_in.push_back(c.distance_in);
    if (c.distance_in <= 2 * shot.sigma_in) ++score.shots_within_two_sigma;
    if (shot.projectile != truth.shots[c.truth].projectile) ++score.shots_wrong_type;
    ScoreCalls(truth, scenario, truth.shots[c.truth], events, shot.shot, score);
  }
  for (std::size_t t = 0; t < truth.shots.size(); ++t) {
    if (true_taken.count(t) != 0) continue;
    const TruthShot& shot = truth.shots[t];
    score.details.push_back(fmt::format("shot missed: {} at {}, frames {} to {}, visible {:.2f}",
                                        shot.projectile, At(shot.point), shot.frames.from,
                                        shot.frames.to, shot.visible));
  }
  for (std::size_t r = 0; r < reported.size(); ++r) {
    if (reported_taken.count(r) != 0) continue;
    score.details.push_back(fmt::format("shot invented: {} {} at {}, frame {}",
                                        reported[r].shot->shot, reported[r].shot->projectile,
                                        At(reported[r].shot->point), reported[r].frame));
  }
  score.shots_found = static_cast<int>(true_taken.size());
  score.shots_missed = static_cast<int>(truth.shots.size() - true_taken.size());
  score.shots_invented = static_cast<int>(reported.size() - reported_taken.size());
}

// ---- Stands ----

// The last frame of every stretch in which nobody reaches over the table and nothing is in a hand,
// long enough to look.
std::vector<std::int64_t> FramesToLookAt(const Truth& truth) {
  std::set<std::int64_t> changes;  // frames that begin something else
  for (const TruthStand& stand : truth.stands) {
    for (const TruthPlace& place : stand.places) {
      changes.insert(place.frames.from);
      changes.insert(place.frames.to + 1);
    }
  }
  for (const FrameSpan& span : truth.obstructed) {
    changes.insert(span.from);
    changes.insert(span.to + 1);
  }
  for (const TruthCameraMove& move : truth.camera_moves) {
    changes.insert(move.frames.from);
    changes.insert(move.frames.to);
  }
  changes.insert(truth.frames);
  const auto moving = [&truth](std::int64_t frame) {
    return std::any_of(truth.camera_moves.begin(), truth.camera_moves.end(), [&](const auto& move) {
      return frame >= move.frames.from && frame < move.frames.to;
    });
  };
  const double needed = std::max(1.0, kTimeToLook_s * truth.fps);
  std::vector<std::int64_t> frames;
  std::int64_t begin = 0;
  for (const std::int64_t next : changes) {
    if (next <= 0 || next > truth.frames) continue;
    const std::int64_t last = next - 1;
    const bool long_enough = static_cast<double>(next - begin) >= needed;
    if (long_enough && !truth.Obstructed(last) && !moving(last)) frames.push_back(last);
    begin = next;
  }
  return frames;
}

double BearingError(double a_deg, double b_deg) {
  return std::abs(std::remainder(a_deg - b_deg, 360.0));
}

void ScoreStands(const Truth& truth, const std::vector<EventRecord>& events, ClipScore& score) {
  std::map<std::string, std::string> meant;  // reported id to true key, as last seen
  for (const std::int64_t frame : FramesToLookAt(truth)) {
    const StandsEvent* event = StandsAt(events, frame);
    const std::vector<StandRecord> reported =
        event != nullptr ? event->stands : std::vector<StandRecord>{};
    const Pairing pairing = Pair(reported, truth, frame);
    score.stands_invented += static_cast<int>(reported.size() - pairing.truth_of.size());
    std::vector<Polygon> footprints;
    for (const TruthStand& stand : truth.stands)
      if (const TruthPlace* place = stand.At(frame))
        footprints.push_back(ToPolygon(place->polygon));
    std::set<std::size_t> found;
    for (const auto& [r, t] : pairing.truth_of) {
      found.insert(t);
      const StandRecord& seen = reported[r];
      const TruthStand& stand = truth.stands[t];
      const TruthPlace& place = *stand.At(frame);
      const double error = Distance(place.Centre(), seen.centre);
      score.centre_errors_in.push_back(error);
      if (place.visible >= 0.5) score.half_centre_errors_in.push_back(error);
      if (error > kFarOff_in) {
        const Vec2 off = seen.centre - place.Centre();
        score.details.push_back(
            fmt::format("frame {}: stand far off: {} {} at {} by ({:.2f}, {:.2f}), sigma {:.3f}, "
                        "visible {:.2f}",
                        frame, stand.key, stand.kind, At(place.Centre()), off.x, off.y,
                        seen.sigma_in, place.visible));
      }
      score.bearing_errors_deg.push_back(BearingError(place.bearing_deg, seen.bearing_deg));
      StandError how;
      how.kind = stand.kind;
      how.in_view = place.visible;
      how.px_per_in = PixelsPerInch(truth.CameraAt(frame), place.Centre(), 0);
      how.beside = IsBeside(ToPolygon(place.polygon), footprints);
      how.error_in = error;
      how.sigma_in = seen.sigma_in;
      how.sigmas = InSigmas(seen.centre - place.Centre(), IsotropicCov(seen.sigma_in));
      how.bearing_deg = score.bearing_errors_deg.back();
      score.stand_errors.push_back(how);
      if (error <= kNinetyFive * seen.sigma_in) ++score.centres_within_95;
      if (seen.confidence) {
        score.stand_predictions.push_back(
            {*seen.confidence, seen.side == stand.side && seen.kind == stand.kind});
      }
      if (seen.side == stand.side) ++score.side_right;
      if (seen.kind == stand.kind) ++score.kind_right;
      if (seen.unit == stand.unit) ++score.unit_right;
      const auto before = meant.find(seen.id);
      if (before != meant.end() && before->second != stand.key) {
        ++score.identity_swaps;
        score.details.push_back(fmt::format("frame {}: {} was {} and is now {}", frame, seen.id,
                                            before->second, stand.key));
      }
      meant[seen.id] = stand.key;
      if (seen.side != stand.side || seen.kind != stand.kind || seen.unit != stand.unit) {
        score.details.push_back(fmt::format("frame {}: {} at {} taken for {} {} {}", frame,
                                            stand.key, At(place.Centre()), seen.side, seen.kind,
                                            seen.unit));
      }
    }
    for (std::size_t r = 0; r < reported.size(); ++r) {
      if (pairing.truth_of.count(r) != 0) continue;
      if (reported[r].confidence)
        score.stand_predictions.push_back({*reported[r].confidence, false});
      score.details.push_back(fmt::format("frame {}: stand invented: {} {} at {}", frame,
                                          reported[r].id, reported[r].kind,
                                          At(reported[r].centre)));
    }
    for (std::size_t t = 0; t < truth.stands.size(); ++t) {
      const TruthPlace* place = truth.stands[t].At(frame);
      if (place == nullptr) continue;
      StandCount& count = place->visible >= 0.5   ? score.half_visible
                          : place->visible >= 0.4 ? score.some_visible
                                                  : score.less_visible;
      ++count.there;
      if (found.count(t) != 0) {
        ++count.found;
      } else {
        score.details.push_back(fmt::format("frame {}: stand missed: {} {} at {}, visible {:.2f}",
                                            frame, truth.stands[t].key, truth.stands[t].kind,
                                            At(place->Centre()), place->visible));
      }
    }
  }
}

// ---- Moves and removals ----

// A stand moved or taken off; `to` is empty if it was taken off.
struct TrueChange {
  std::string unit;
  Vec2 from;
  std::optional<Vec2> to;
  std::int64_t lifted = 0;
};

std::vector<TrueChange> TrueChanges(const Truth& truth) {
  std::vector<TrueChange> out;
  for (const TruthStand& stand : truth.stands) {
    for (std::size_t i = 0; i < stand.places.size(); ++i) {
      const TruthPlace& place = stand.places[i];
      const bool last = i + 1 == stand.places.size();
      if (last && place.frames.to + 1 >= truth.frames) continue;
      TrueChange change{stand.unit, place.Centre(), std::nullopt, place.frames.to + 1};
      if (!last) change.to = stand.places[i + 1].Centre();
      out.push_back(change);
    }
  }
  return out;
}

// The stands of a unit look alike, so any of them counts: the reported change must start where one
// stand of the unit was lifted and end where one was put down.
bool IsChange(const StandChangeEvent& event, std::int64_t frame, const TrueChange& change,
              const std::vector<TrueChange>& all, double fps) {
  using What = StandChangeEvent::What;
  const What what = change.to ? What::kMoved : What::kRemoved;
  if (event.what != what || frame < change.lifted) return false;
  // A hand may stay over the table: the time to report begins when it leaves, which the end of the
  // clip bounds; a change of minutes ago is still not this one.
  constexpr double kHandStays_s = 4;
  if (static_cast<double>(frame - change.lifted) > (kHandStays_s + kTimeToReport_s) * fps) {
    return false;
  }
  if (change.to) {
    if (!event.to || Distance(event.to->centre, *change.to) > kSamePlace_in) return false;
  }
  if (!event.from) return false;
  return std::any_of(all.begin(), all.end(), [&](const TrueChange& other) {
    return other.unit == change.unit && other.to.has_value() == change.to.has_value() &&
           Distance(other.from, event.from->centre) <= kSamePlace_in;
  });
}

const char* ChangeName(StandChangeEvent::What what) {
  static constexpr const char* kNames[] = {"moved to", "removed from", "added at"};
  return kNames[static_cast<std::size_t>(what)];
}

void ScoreChanges(const Truth& truth, const std::vector<EventRecord>& events, ClipScore& score) {
  const std::vector<TrueChange> changes = TrueChanges(truth);
  std::vector<bool> reported(changes.size());
  for (const EventRecord& event : events) {
    const auto* change = std::get_if<StandChangeEvent>(&event.body);
    if (change == nullptr) continue;
    std::size_t best = changes.size();
    double least = 0;
    for (std::size_t i = 0; i < changes.size(); ++i) {
      if (reported[i] || !IsChange(*change, event.frame, changes[i], changes, truth.fps)) continue;
      const double distance = changes[i].to ? Distance(change->to->centre, *changes[i].to)
                                            : Distance(change->from->centre, changes[i].from);
      if (best == changes.size() || distance < least) {
        best = i;
        least = distance;
      }
    }
    if (best == changes.size()) {
      ++score.changes_invented;
      const auto& place = change->to ? change->to : change->from;
      score.details.push_back(fmt::format("frame {}: change invented: {} {} {}", event.frame,
                                          change->id, ChangeName(change->what),
                                          place ? At(place->centre) : ""));
    } else {
      reported[best] = true;
      ++score.changes_right;
    }
  }
  for (std::size_t i = 0; i < changes.size(); ++i) {
    if (reported[i]) continue;
    score.details.push_back(fmt::format(
        "frame {}: change missed: one of {} {} {}", changes[i].lifted, changes[i].unit,
        changes[i].to ? "moved to" : "removed from", At(changes[i].to.value_or(changes[i].from))));
  }
  score.changes_missed = static_cast<int>(changes.size()) - score.changes_right;
}

// ---- Hands, knocks, calibration ----

void ScoreView(const Truth& truth, const std::vector<EventRecord>& events, ClipScore& score) {
  bool obstructed = false;
  auto next = events.begin();
  for (std::int64_t frame = 0; frame < truth.frames; ++frame) {
    for (; next != events.end() && next->frame <= frame; ++next) {
      if (const auto* view = std::get_if<ViewEvent>(&next->body)) obstructed = view->obstructed;
    }
    if (truth.Obstructed(frame)) {
      ++score.obstructed_frames;
      score.obstructed_seen += obstructed ? 1 : 0;
    } else {
      ++score.clear_frames;
      score.clear_called_obstructed += obstructed ? 1 : 0;
    }
  }
}

void ScoreCameraMoves(const Truth& truth, const std::vector<EventRecord>& events,
                      ClipScore& score) {
  std::vector<bool> found(truth.camera_moves.size());
  for (const EventRecord& event : events) {
    if (!std::holds_alternative<CameraMovedEvent>(event.body)) continue;
    bool known = false;
    for (std::size_t i = 0; i < truth.camera_moves.size(); ++i) {
      const FrameSpan& span = truth.camera_moves[i].frames;
      const double latest = static_cast<double>(span.to) + kTimeToReport_s * truth.fps;
      if (event.frame < span.from || static_cast<double>(event.frame) > latest) continue;
      // One knock may be reported in steps while it lasts.
      known = true;
      found[i] = true;
    }
    if (!known) ++score.camera_moves_invented;
  }
  score.camera_moves_found = static_cast<int>(std::count(found.begin(), found.end(), true));
  score.camera_moves_missed = static_cast<int>(found.size()) - score.camera_moves_found;
}

void ScoreDice(const Truth& truth, const std::vector<EventRecord>& events, ClipScore& score) {
  constexpr double kSame_in = 0.4;  // less than a die's side
  std::vector<bool> told(truth.dice.size());
  const auto lying_at = [&](Vec2 centre, std::int64_t frame) {
    std::optional<std::size_t> nearest;
    for (std::size_t i = 0; i < truth.dice.size(); ++i) {
      const TruthDie& die = truth.dice[i];
      const double far = Distance(die.centre, centre);
      if (told[i] || !die.frames.Contains(frame) || far > kSame_in) continue;
      if (!nearest || far < Distance(truth.dice[*nearest].centre, centre)) nearest = i;
    }
    return nearest;
  };
  for (const EventRecord& event : events) {
    const auto* dice = std::get_if<DiceEvent>(&event.body);
    if (dice == nullptr || dice->taken) continue;
    for (std::size_t k = 0; k < dice->values.size() && k < dice->centres.size(); ++k) {
      const auto die = lying_at(dice->centres[k], event.frame);
      if (!die) {
        ++score.dice_invented;
        score.details.push_back(fmt::format("{}: frame {}: a die that shows {} was invented",
                                            truth.clip, event.frame, dice->values[k]));
        continue;
      }
      told[*die] = true;
      const TruthDie& shown = truth.dice[*die];
      const bool alike = shown.faces == dice->FacesOf(k);
      const bool right = alike && shown.value == dice->values[k];
      ++(right ? score.dice_right : score.dice_wrong);
      if (!right) {
        score.details.push_back(fmt::format(
            "{}: frame {}: a die that shows {} was read as {}{}", truth.clip, event.frame,
            shown.value, dice->values[k], alike ? "" : fmt::format(" of a D{}", dice->FacesOf(k))));
      }
    }
    for (const DiceEvent::Asked& one : dice->asked) {
      const auto die = lying_at(one.centre, event.frame);
      if (!die) {
        ++score.dice_invented;
        score.details.push_back(fmt::format("{}: frame {}: asked about a die where none lies",
                                            truth.clip, event.frame));
        continue;
      }
      told[*die] = true;
      ++score.dice_asked;
    }
  }
  for (std::size_t i = 0; i < told.size(); ++i) {
    if (told[i]) continue;
    ++score.dice_missed;
    score.details.push_back(fmt::format("{}: the die that shows {} from frame {} was missed",
                                        truth.clip, truth.dice[i].value,
                                        truth.dice[i].frames.from));
  }
}

void ScoreObjects(const Truth& truth, const std::vector<EventRecord>& events, ClipScore& score) {
  constexpr double kSwab_in = 3.5;  // the outline of one end may be told
  constexpr double kThing_in = 1.5;
  for (const EventRecord& event : events) {
    const auto* object = std::get_if<ObjectEvent>(&event.body);
    if (object == nullptr || object->gone || object->outline.empty()) continue;
    ++score.objects_told;
    const auto near = [&](Vec2 at, std::int64_t from, double reach_in) {
      return from <= event.frame && DistanceTo(object->outline, at) < reach_in;
    };
    bool known = false;
    for (const TruthObject& one : truth.objects)
      known = known || near(one.centre, one.from, kThing_in);
    for (const TruthShot& one : truth.shots)
      known = known || near(one.point, one.frames.from, kSwab_in);
    for (const TruthDie& one : truth.dice)
      known = known || near(one.centre, one.frames.from, kThing_in);
    for (const TruthStand& stand : truth.stands) {
      for (const TruthPlace& place : stand.places) {
        const bool there_all_the_time =
            place.frames.from <= 0 && place.frames.to + 1 >= truth.frames;
        known = known || (!there_all_the_time && near(place.Centre(), 0, kThing_in));
      }
    }
    if (known) continue;
    ++score.objects_invented;
    score.details.push_back(fmt::format("{}: frame {}: a new object was told in {}, where none lies",
                                        truth.clip, event.frame, object->square));
  }
}

TableCamera ReportedCamera(const CalibrationEvent& e) {
  CameraModel lens;
  lens.width_px = e.width_px;
  lens.height_px = e.height_px;
  lens.fx_px = e.camera_matrix[0];
  lens.fy_px = e.camera_matrix[4];
  lens.cx_px = e.camera_matrix[2];
  lens.cy_px = e.camera_matrix[5];
  lens.distortion = e.distortion;
  return MakeTableCamera(lens, {e.rvec[0], e.rvec[1], e.rvec[2]},
                         {e.tvec[0], e.tvec[1], e.tvec[2]});
}

void ScoreCalibration(const Truth& truth, const TableFrame& frame,
                      const std::vector<EventRecord>& events, ClipScore& score) {
  for (const EventRecord& event : events) {
    const auto* calibration = std::get_if<CalibrationEvent>(&event.body);
    if (calibration == nullptr) continue;
    const TableCamera reported = ReportedCamera(*calibration);
    const TableCamera& actual = truth.CameraAt(event.frame);
    for (int column = 0; column <= frame.columns; ++column) {
      for (int row = 0; row <= frame.rows; ++row) {
        const Vec2 crossing{column * frame.square_in, row * frame.square_in};
        const ImagePoint pixel = ImageFromTable(actual, crossing, 0);
        const bool in_picture = pixel.x_px >= 0 && pixel.y_px >= 0 &&
                                pixel.x_px < actual.lens.width_px &&
                                pixel.y_px < actual.lens.height_px;
        if (!in_picture) continue;
        const Result<TablePoint> back = TableFromImage(reported, pixel, 0, 0);
        // A camera that does not even see the crossing is wrong by the whole board.
        score.calibration_errors_in.push_back(back.ok() ? Distance(back->at, crossing)
                                                        : frame.Width());
      }
    }
  }
}

template <typename T>
void Append(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

void Add(StandCount& to, const StandCount& from) {
  to.there += from.there;
  to.found += from.found;
}

bool IsWrong(const ScoredCall& call) {
  return (call.call == Call::kHit && !call.truly_hit) ||
         (call.call == Call::kMiss && call.truly_hit);
}

template <typename Wanted>
int CountCalls(const std::vector<ScoredCall>& calls, const Wanted& wanted) {
  return static_cast<int>(std::count_if(calls.begin(), calls.end(), wanted));
}

}  // namespace

int ClipScore::CallsRight() const {
  return static_cast<int>(calls.size()) - CallsWrong() - CallsTooClose();
}
int ClipScore::CallsWrong() const { return CountCalls(calls, IsWrong); }
int ClipScore::CallsTooClose() const {
  return CountCalls(calls, [](const ScoredCall& c) { return c.call == Call::kTooClose; });
}
int ClipScore::WrongFar() const {
  return CountCalls(calls, [](const ScoredCall& c) {
    return IsWrong(c) && std::abs(c.margin_in) > kWrongMargin_in;
  });
}
int ClipScore::TooCloseFar() const {
  return CountCalls(calls, [](const ScoredCall& c) {
    return c.call == Call::kTooClose && std::abs(c.margin_in) > kTooCloseMargin_in;
  });
}

ClipScore ScoreClip(const Truth& truth, const TableSpec& table, const Scenario& scenario,
                    const std::vector<EventRecord>& events) {
  ClipScore score;
  score.clip = truth.clip;
  ScoreShots(truth, scenario, events, score);
  ScoreStands(truth, events, score);
  ScoreChanges(truth, events, score);
  ScoreView(truth, events, score);
  ScoreCameraMoves(truth, events, score);
  ScoreDice(truth, events, score);
  ScoreObjects(truth, events, score);
  ScoreCalibration(truth, table.frame, events, score);
  return score;
}

ClipScore Total(const std::vector<ClipScore>& scores) {
  ClipScore total;
  total.clip = "all";
  for (const ClipScore& s : scores) {
    total.shots_found += s.shots_found;
    total.shots_missed += s.shots_missed;
    total.shots_invented += s.shots_invented;
    total.shots_wrong_type += s.shots_wrong_type;
    total.shots_within_two_sigma += s.shots_within_two_sigma;
    Append(total.shot_errors_in, s.shot_errors_in);
    Append(total.verdict_delays, s.verdict_delays);
    Append(total.verdict_delays_s, s.verdict_delays_s);
    Append(total.calls, s.calls);
    total.uncalled += s.uncalled;
    total.calls_invented += s.calls_invented;
    Add(total.half_visible, s.half_visible);
    Add(total.some_visible, s.some_visible);
    Add(total.less_visible, s.less_visible);
    total.stands_invented += s.stands_invented;
    total.side_right += s.side_right;
    total.kind_right += s.kind_right;
    total.unit_right += s.unit_right;
    Append(total.centre_errors_in, s.centre_errors_in);
    Append(total.half_centre_errors_in, s.half_centre_errors_in);
    Append(total.bearing_errors_deg, s.bearing_errors_deg);
    Append(total.stand_errors, s.stand_errors);
    Append(total.stand_predictions, s.stand_predictions);
    total.centres_within_95 += s.centres_within_95;
    total.identity_swaps += s.identity_swaps;
    total.changes_right += s.changes_right;
    total.changes_missed += s.changes_missed;
    total.changes_invented += s.changes_invented;
    total.obstructed_frames += s.obstructed_frames;
    total.obstructed_seen += s.obstructed_seen;
    total.clear_called_obstructed += s.clear_called_obstructed;
    total.clear_frames += s.clear_frames;
    total.dice_right += s.dice_right;
    total.dice_wrong += s.dice_wrong;
    total.dice_asked += s.dice_asked;
    total.dice_missed += s.dice_missed;
    total.dice_invented += s.dice_invented;
    total.objects_told += s.objects_told;
    total.objects_invented += s.objects_invented;
    total.camera_moves_found += s.camera_moves_found;
    total.camera_moves_missed += s.camera_moves_missed;
    total.camera_moves_invented += s.camera_moves_invented;
    Append(total.calibration_errors_in, s.calibration_errors_in);
    if (s.work_s && s.decode_s) {
      total.work_s = total.work_s.value_or(0) + *s.work_s;
      total.decode_s = total.decode_s.value_or(0) + *s.decode_s;
    }
  }
  return total;
}

namespace {

std::vector<Prediction> PredictionsOf(const std::vector<ScoredCall>& calls) {
  std::vector<Prediction> out;
  for (const ScoredCall& call : calls) out.push_back({call.p_hit, call.truly_hit});
  return out;
}

}  // namespace

std::vector<PredictionBin> Reliability(const std::vector<ScoredCall>& calls) {
  return BinsOf(PredictionsOf(calls));
}

double ExpectedCalibrationError(const std::vector<ScoredCall>& calls) {
  return CalibrationError(PredictionsOf(calls));
}

}  // namespace fos
