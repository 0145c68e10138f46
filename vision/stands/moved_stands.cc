// SPDX-License-Identifier: MIT
#include "vision/stands/moved_stands.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <opencv2/imgproc.hpp>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "vision/image/in_parallel.h"
#include "vision/image/rectify.h"
#include "vision/stands/formed_units.h"
#include "vision/stands/outline_search.h"
#include "vision/stands/stand_candidates.h"
#include "vision/stands/stand_groups.h"
#include "vision/stands/stand_measurement.h"
#include "vision/stands/stand_packing.h"

namespace fos {
namespace {

struct Cover {
  bool changed = false;  // something changed on or at the base
  double blind = 0;      // share of it that is hidden
};
Cover CoverOf(const StandLook& look, const StandObservation& stand, const cv::Mat& changed) {
  const double top =
      stand.ground_in + look.scenario.kinds.at(static_cast<std::size_t>(stand.kind)).thickness_in;
  // A little beyond the base: what touches it may have pushed it.
  constexpr double kMargin_in = 0.05;
  const Box2 box{stand.footprint.width_in + 2 * kMargin_in,
                 stand.footprint.depth_in + 2 * kMargin_in};
  std::vector<cv::Point> outline = PixelsAt(look.camera, Corners(stand.table_from_stand, box), top);
  const cv::Rect frame = cv::boundingRect(outline) & cv::Rect({0, 0}, look.bgr.size());
  Cover cover;
  if (frame.empty()) return cover;
  cv::Mat mask(frame.size(), CV_8UC1, cv::Scalar(0));
  for (cv::Point& p : outline) p -= frame.tl();
  cv::fillConvexPoly(mask, outline, cv::Scalar(255));
  const int area = std::max(1, cv::countNonZero(mask));
  constexpr double kTouched = 0.03;  // of the base: less is noise at its rim
  cover.changed =
      changed.empty() || cv::countNonZero(mask & (changed(frame) != 0)) > kTouched * area;
  if (!look.blind.empty())
    cover.blind = static_cast<double>(cv::countNonZero(mask & (look.blind(frame) != 0))) / area;
  return cover;
}

// Where stands may have come to.
class NewPlaces {
 public:
  // lost  stands that left their places
  NewPlaces(const StandLook& look, std::span<const StandObservation> lost, const cv::Mat& changed)
      : look_(look), changed_(changed) {
    for (const StandObservation& o : lost)
      left_.push_back(ToPolygon(Corners(o.table_from_stand, o.footprint)));
  }

  // Whether the picture has changed there. Where a stand has left, it may show another of the same
  // paint, which changes little: that says nothing.
  bool MayHold(const StandHypothesis& h) const {
    if (changed_.empty()) return true;
    const KindSpec& kind = look_.KindOf(h);
    const double top_in = h.ground_in + kind.thickness_in;
    constexpr double kStep_in = 0.1;  // about a pixel of the search
    int probes = 0;
    int changed = 0;
    for (double v = (kStep_in - kind.footprint.depth_in) / 2; v < kind.footprint.depth_in / 2;
         v += kStep_in) {
      for (double u = (kStep_in - kind.footprint.width_in) / 2; u < kind.footprint.width_in / 2;
           u += kStep_in) {
        const Vec2 at = h.table_from_stand * Vec2{u, v};
        if (std::any_of(left_.begin(), left_.end(),
                        [&](const Polygon& left) { return Contains(left, at); }))
          continue;
        const ImagePoint p = ImageFromTable(look_.camera, at, top_in);
        const cv::Point px(cvRound(p.x_px), cvRound(p.y_px));
        if (!cv::Rect({0, 0}, changed_.size()).contains(px) || IsBlind(px)) continue;
        ++probes;
        changed += changed_.at<std::uint8_t>(px) != 0 ? 1 : 0;
      }
    }
    // Of 370 stands that were moved, on clips and on made-up tables, none changed less than 0.85.
    // What passed for one, on ground that was bare before or is now, had changed up to 0.53.
    constexpr double kLeast = 0.6;
    return changed >= kLeast * probes;
  }

 private:
  bool IsBlind(cv::Point px) const {
    return !look_.blind.empty() && look_.blind.at<std::uint8_t>(px) != 0;
  }

  const StandLook& look_;
  const cv::Mat& changed_;
  std::vector<Polygon> left_;
};

// Centres of the tiles of the board with anything changed in them. Tiles overlap so that every
// stand lies whole in one.
std::vector<Vec2> PlacesToSearch(const StandLook& look, const cv::Mat& changed) {
  // Tiles of the board with anything changed in them, a little over each other so that every stand
  // lies whole in one.
  constexpr double kStep_in = 2 * kTileHalf_in - 2.4;  // less the longest base's diagonal
  constexpr double kProbe_in = 0.2;
  constexpr int kLeastProbes = 6;  // a quarter of a square inch: less than half the smallest base
  std::vector<Vec2> out;
  const TableFrame& frame = look.table.frame;
  for (double y = kStep_in / 2; y < frame.Depth() + kStep_in / 2; y += kStep_in) {
    for (double x = kStep_in / 2; x < frame.Width() + kStep_in / 2; x += kStep_in) {
      int probes = 0;
      for (double v = -kStep_in / 2; v < kStep_in / 2; v += kProbe_in) {
        for (double u = -kStep_in / 2; u < kStep_in / 2; u += kProbe_in) {
          const ImagePoint p = ImageFromTable(look.camera, {x + u, y + v}, 0);
          const int px = cvRound(p.x_px);
          const int py = cvRound(p.y_px);
          if (px < 0 || py < 0 || px >= look.bgr.cols || py >= look.bgr.rows) continue;
          if (changed.empty() || changed.at<std::uint8_t>(py, px) != 0) ++probes;
        }
      }
      if (probes >= kLeastProbes) out.push_back({x, y});
    }
  }
  return out;
}

// Measures a stand where it last stood. Empty if it is no longer there.
std::optional<StandObservation> Recheck(const StandLook& look, const StandHypothesis& last,
                                        std::span<const StandHypothesis> around) {
  StandHypothesis h = RefineStand(look, last, around);
  // If further, it is searched for like any other.
  const auto nudged = [&](const MeasuredStand& m) {
    constexpr double kNudge_in = 0.3;
    return Distance(m.stand.table_from_stand.origin, last.table_from_stand.origin) <= kNudge_in;
  };
  bool seen = false;
  const auto by_paint = [&](const MeasuredStand& m) {
    seen = h.score >= look.options.least_score && IsBelievable(look, h, m, around);
    return seen && nudged(m);
  };
  const std::optional<StandObservation> measured = PlaceStand(look, h, around, by_paint);
  if (seen) return measured;
  // Its place is known: in another light, or half covered, its outline is enough. But hands were
  // there, so it is as likely gone: its own bar must be seen too, by the odds that a search asks.
  constexpr double kOwnBar_nats = 10;
  constexpr double kLeastBarSeen = 0.6;
  h.by_outline = true;
  return PlaceStand(look, h, around, [&](const MeasuredStand& again) {
    const bool there = h.top > kLeastTop && IsBelievable(look, h, again, around) &&
                       again.bar_evidence > kOwnBar_nats && again.bar_seen > kLeastBarSeen;
    look.NoteDropped(h,
                     fmt::format("{}: evidence {:.0f} (top {:.0f}), bar {:.0f} nats, seen {:.2f}",
                                 there ? "kept by its outline" : "no longer there", again.evidence,
                                 again.top_evidence, again.bar_evidence, again.bar_seen));
    return there && nudged(again);
  });
}

// How many stands of each class to look for.
struct Wanted {
  std::vector<StandClass> classes;
  std::vector<int> counts;  // 0: possible, but none is missed

  void Add(StandClass what, int count) {
    const auto at = std::find(classes.begin(), classes.end(), what);
    if (at == classes.end()) {
      classes.push_back(what);
      counts.push_back(count);
    } else {
      counts[static_cast<std::size_t>(at - classes.begin())] += count;
    }
  }
  int& Of(StandClass what) {
    const auto at = std::find(classes.begin(), classes.end(), what);
    return counts[static_cast<std::size_t>(at - classes.begin())];
  }
  // Those of which some are missed.
  Wanted Missed() const {
    Wanted out;
    for (std::size_t c = 0; c < classes.size(); ++c)
      if (counts[c] > 0) out.Add(classes[c], counts[c]);
    return out;
  }
};

Wanted WantedStands(const Scenario& scenario, const StandScene& before,
                    std::span<const StandObservation> lost) {
  Wanted wanted;
  for (const StandObservation& o : lost) wanted.Add({o.side, o.kind}, 1);
  for (const UnitSpec& unit : scenario.units) {
    const auto known = std::count_if(before.stands.begin(), before.stands.end(),
                                     [&](const auto& o) { return o.unit == unit.id; });
    if (known < unit.stands) wanted.Add({unit.side, unit.kind}, 0);
  }
  return wanted;
}

std::vector<StandHypothesis> Joined(std::vector<StandHypothesis> a,
                                    std::span<const StandHypothesis> b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

// Tiles lie over each other: what two of them hold counts once, by its best score.
std::vector<StandHypothesis> BestOfEachPlace(
    const StandLook& look, std::span<const std::vector<StandHypothesis>> at_place) {
  std::vector<StandHypothesis> all;
  for (const auto& here : at_place) all.insert(all.end(), here.begin(), here.end());
  std::stable_sort(all.begin(), all.end(),
                   [](const auto& a, const auto& b) { return a.score > b.score; });
  std::vector<StandHypothesis> best;
  for (const StandHypothesis& h : all) {
    constexpr double kSame_in = 0.3;
    const bool taken = std::any_of(best.begin(), best.end(), [&](const StandHypothesis& o) {
      return OverlapDepth(h.table_from_stand, look.KindOf(h).footprint, o.table_from_stand,
                          look.KindOf(o).footprint) > kSame_in;
    });
    if (!taken) best.push_back(h);
  }
  return best;
}

// Keeps of each class no more than are wanted, the best first; surplus ones only on strong
// evidence. Takes those kept off `wanted`.
std::vector<StandHypothesis> KeepWanted(const StandLook& look,
                                        std::span<const StandHypothesis> found, Wanted& wanted) {
  std::vector<StandHypothesis> kept;
  for (const StandHypothesis& h : found) {
    int& left = wanted.Of(h.what);
    if (left <= 0 && h.score < look.options.least_score_unexpected) continue;
    --left;
    kept.push_back(h);
  }
  return kept;
}

// Units move together: what is still wanted may stand beside what was found.
void FindBesideMates(const StandLook& look, std::span<const StandHypothesis> obstacles,
                     const NewPlaces& new_places, Wanted& wanted,
                     std::vector<StandHypothesis>& found) {
  for (std::size_t c = 0; c < wanted.classes.size(); ++c) {
    const std::vector<StandHypothesis> mates = found;
    for (const StandHypothesis& mate : mates) {
      if (wanted.counts[c] <= 0) break;
      if (mate.what != wanted.classes[c]) continue;
      std::vector<double> headings;
      AddHeadings(headings, mate.table_from_stand.heading_rad, 24 * kDegree, 4 * kDegree);
      std::vector<StandHypothesis> faint =
          SearchByOutline(look, mate.table_from_stand.origin, kTileHalf_in, wanted.classes[c],
                          headings, Joined({obstacles.begin(), obstacles.end()}, found), found,
                          static_cast<std::size_t>(wanted.counts[c]), -kUnexpectedStand_nats);
      std::erase_if(faint, [&](const StandHypothesis& h) { return !new_places.MayHold(h); });
      wanted.counts[c] -= static_cast<int>(faint.size());
      found.insert(found.end(), faint.begin(), faint.end());
    }
  }
}

// Whether one stand of a class explains much less of the picture than another.
bool AnyWeak(std::span<const MeasuredStand> measured, StandClass what) {
  constexpr double kWeak = 0.4;  // figures cover up to half of a base
  double least = 1e9;
  double most = 0;
  for (const MeasuredStand& m : measured) {
    if (StandClass{m.stand.side, m.stand.kind} != what) continue;
    least = std::min(least, m.log_odds);
    most = std::max(most, m.log_odds);
  }
  return least < kWeak * most;
}

// Looks for a unit that was handled as a whole where its stands were not all found one by one, or
// one of them explains little: a place between two may have taken the room of both. Returns whether
// any was found so.
// measured  of `found`
bool FindFormed(const StandLook& look, std::span<const Vec2> places,
                const std::vector<double>& headings, const RecheckedStands& rechecked,
                const NewPlaces& new_places, std::span<const MeasuredStand> measured,
                std::vector<StandHypothesis>& found) {
  bool any = false;
  std::map<std::string, std::vector<const StandObservation*>> units;
  for (const StandObservation& o : rechecked.lost) units[o.unit].push_back(&o);
  for (const auto& [name, lost] : units) {
    const StandClass what{lost.front()->side, lost.front()->kind};
    const std::size_t count = lost.size();
    const auto is_of_class = [&](const StandObservation& o) {
      return StandClass{o.side, o.kind} == what;
    };
    const auto seen = std::count_if(found.begin(), found.end(),
                                    [&](const StandHypothesis& h) { return h.what == what; });
    const bool all_seen =
        seen >= std::count_if(rechecked.lost.begin(), rechecked.lost.end(), is_of_class);
    if (count < 2 || count > kMostFormed || (all_seen && !AnyWeak(measured, what))) continue;
    std::vector<StandHypothesis> others = rechecked.obstacles;
    for (const StandHypothesis& h : found)
      if (h.what != what) others.push_back(h);
    std::vector<WeighedUnit> at_place(places.size());
    InParallel(places.size(), [&](std::size_t i) {
      WeighedUnit formed =
          SearchFormation(look, places[i], kTileHalf_in, what, headings, count, others);
      if (std::all_of(formed.stands.begin(), formed.stands.end(),
                      [&](const StandHypothesis& h) { return new_places.MayHold(h); }))
        at_place[i] = std::move(formed);
    });
    const auto best = std::max_element(
        at_place.begin(), at_place.end(),
        [](const WeighedUnit& a, const WeighedUnit& b) { return a.log_odds < b.log_odds; });
    if (best == at_place.end()) continue;
    // What was found of its class lies in it, or is another unit's.
    const auto in_it = [&](const StandHypothesis& h) {
      const Box2 box = look.KindOf(h).footprint;
      return h.what == what &&
             std::any_of(best->stands.begin(), best->stands.end(), [&](const auto& o) {
               return OverlapDepth(h.table_from_stand, box, o.table_from_stand, box) > 0;
             });
    };
    std::vector<StandHypothesis> own;
    for (const StandHypothesis& h : found) {
      if (in_it(h)) own.push_back(h);
      if (h.what == what && !in_it(h)) others.push_back(h);
    }
    if (best->stands.size() < own.size()) continue;
    const double now = WeighTogether(look, own, others, 2).log_odds;
    const bool explains_more = best->stands.size() > own.size()
                                   ? best->log_odds >= now + kUnexpectedStand_nats
                                   : IsPlainlyMore(best->log_odds, now);
    if (!explains_more) continue;
    std::erase_if(found, in_it);
    found.insert(found.end(), best->stands.begin(), best->stands.end());
    any = true;
  }
  return any;
}

// How many of these are of wanted classes.
std::size_t CountOf(const Wanted& wanted, std::span<const MeasuredStand> stands) {
  return static_cast<std::size_t>(
      std::count_if(stands.begin(), stands.end(), [&](const MeasuredStand& m) {
        return std::find(wanted.classes.begin(), wanted.classes.end(),
                         StandClass{m.stand.side, m.stand.kind}) != wanted.classes.end();
      }));
}

// The wanted stands that have come to these places.
std::vector<MeasuredStand> FindWanted(StandLook look, Wanted wanted, std::span<const Vec2> places,
                                      const RecheckedStands& rechecked, const cv::Mat& changed) {
  std::vector<double> headings;
  AddHeadings(headings, 0, CV_PI, 6 * kDegree);
  PreparePaints(look, wanted.classes);
  const NewPlaces new_places(look, rechecked.lost, changed);
  std::vector<std::vector<StandHypothesis>> at_place(places.size());
  InParallel(places.size(), [&](std::size_t i) {
    at_place[i] = SearchPaints(look, places[i], kTileHalf_in, wanted.classes, headings,
                               rechecked.obstacles, look.options.least_score,
                               [&](const StandHypothesis& h) { return new_places.MayHold(h); });
  });
  std::vector<StandHypothesis> found = BestOfEachPlace(look, at_place);
  // What nobody misses is only told where it is strong.
  DropWithinStronger(look, found, [&](const StandHypothesis& h) { return wanted.Of(h.what) <= 0; });
  SettleStands(look, found, rechecked.obstacles);
  found = KeepWanted(look, found, wanted);
  FindBesideMates(look, rechecked.obstacles, new_places, wanted, found);
  std::vector<MeasuredGroup> known;
  std::vector<MeasuredStand> measured = MeasureAll(look, found, rechecked.obstacles, known);
  if (FindFormed(look, places, headings, rechecked, new_places, measured, found))
    measured = MeasureAll(look, found, rechecked.obstacles, known);
  if (CloseRanks(look, found, measured, rechecked.obstacles))
    measured = MeasureAll(look, found, rechecked.obstacles, known);
  return measured;
}

}  // namespace

StandHypothesis AsHypothesis(const StandObservation& stand) {
  return {{stand.side, stand.kind}, stand.table_from_stand, stand.ground_in, 0, 0, 0};
}

RecheckedStands RecheckStands(const StandLook& all, const StandScene& before,
                              const cv::Mat& changed) {
  StandLook look = all;
  look.log_expected = 0;  // it stands there still, or it does not
  RecheckedStands out;
  std::vector<const StandObservation*> handled;
  for (const StandObservation& o : before.stands) {
    const Cover cover = CoverOf(look, o, changed);
    constexpr double kHidden = 0.3;  // of the base: if more is hidden nothing can be said about it
    const bool was_covered =
        std::find(before.covered.begin(), before.covered.end(), o.stand) != before.covered.end();
    if ((!cover.changed && !was_covered) || cover.blind > kHidden) {
      out.kept.push_back(o);
      out.obstacles.push_back(AsHypothesis(o));
    } else {
      handled.push_back(&o);
    }
  }
  const std::size_t untouched = out.obstacles.size();
  std::vector<StandHypothesis> around = out.obstacles;
  for (const StandObservation* o : handled) around.push_back(AsHypothesis(*o));
  for (std::size_t k = 0; k < handled.size(); ++k) {
    const StandObservation& o = *handled[k];
    const std::optional<StandObservation> seen = Recheck(look, around[untouched + k], around);
    if (!seen) {
      out.lost.push_back(o);
      continue;
    }
    // No stand of the clips that stood still is seen so far off its place.
    constexpr double kPushed_in = 0.06;
    if (Distance(seen->table_from_stand.origin, o.table_from_stand.origin) > kPushed_in)
      out.pushed.push_back(o);
    StandObservation now = *seen;
    now.stand = o.stand;
    now.unit = o.unit;
    out.kept.push_back(now);
  }
  for (const StandObservation& o : out.kept) {
    if (std::none_of(out.obstacles.begin(), out.obstacles.end(), [&](const StandHypothesis& h) {
          return h.table_from_stand.origin == o.table_from_stand.origin;
        }))
      out.obstacles.push_back(AsHypothesis(o));
  }
  return out;
}

RecheckedStands AsLost(RecheckedStands rechecked) {
  for (const StandObservation& o : rechecked.pushed) {
    const auto now = std::find_if(rechecked.kept.begin(), rechecked.kept.end(),
                                  [&](const StandObservation& k) { return k.stand == o.stand; });
    std::erase_if(rechecked.obstacles, [&](const StandHypothesis& h) {
      return h.table_from_stand.origin == now->table_from_stand.origin;
    });
    rechecked.kept.erase(now);
    rechecked.lost.push_back(o);
  }
  rechecked.pushed.clear();
  return rechecked;
}

std::vector<StandObservation> FindMovedStands(const StandLook& all, const StandScene& before,
                                              const RecheckedStands& rechecked,
                                              const cv::Mat& changed) {
  const Wanted wanted = WantedStands(all.scenario, before, rechecked.lost);
  if (wanted.classes.empty()) return {};
  StandLook look = all;
  // A unit of four may stand anywhere in some thirty square inches, in 36 headings.
  constexpr double kPoses = 1000;
  look.log_expected = std::log(4 / kPoses);
  // No line and no road has come to where the picture has changed.
  look.least_top_nats = 0;
  const std::vector<Vec2> places = PlacesToSearch(look, changed);
  std::vector<MeasuredStand> found = FindWanted(look, wanted, places, rechecked, changed);
  // Two small bases side by side may look like a larger one that nobody misses. Rather than that
  // they left and it came, they are there.
  const Wanted missed = wanted.Missed();
  const std::size_t lost_found = CountOf(missed, found);
  if (lost_found < rechecked.lost.size() && lost_found < found.size()) {
    std::vector<MeasuredStand> again = FindWanted(look, missed, places, rechecked, changed);
    const auto worth = [&](std::span<const MeasuredStand> stands) {
      double nats = 2 * kUnexpectedStand_nats * static_cast<double>(CountOf(missed, stands));
      for (const MeasuredStand& m : stands) nats += m.log_odds - kUnexpectedStand_nats;
      return nats;
    };
    if (worth(again) > worth(found)) found = std::move(again);
  }
  return ObservationsOf(found);
}

}  // namespace fos
