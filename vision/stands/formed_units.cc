// SPDX-License-Identifier: MIT
#include "vision/stands/formed_units.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <utility>

#include <opencv2/imgproc.hpp>

#include "engine/table/quantile.h"
#include "vision/image/in_parallel.h"
#include "vision/stands/deployed_stands.h"
#include "vision/stands/outline_search.h"
#include "vision/stands/stand_candidates.h"
#include "vision/stands/stand_measurement.h"
#include "vision/stands/stand_packing.h"

namespace fos {
namespace {

constexpr double kFiles_in = 0.06;  // between bases in contact, as people push them
// One way a unit may stand: the places of its stands, to the right of and before its middle.
using Formation = std::vector<Vec2>;

// Ranks of one length, and a last one that may be shorter, at one of its ends or in the middle.
std::vector<Formation> FormationsOf(std::size_t stands, Box2 box) {
  constexpr double kRanks_in[] = {0.06, 0.3};  // ranks a little looser
  std::vector<Formation> out;
  const auto n = static_cast<int>(stands);
  for (int ranks = 1; ranks <= n; ++ranks) {
    const int files = (n + ranks - 1) / ranks;
    const int last = n - (ranks - 1) * files;
    if (last <= 0) continue;
    const int spare = files - last;
    for (const double between : kRanks_in) {
      if (ranks == 1 && between > kRanks_in[0]) continue;
      std::vector<double> shifts{0};  // of the last rank, in files
      if (spare > 0) shifts = {0, 0.5 * spare, static_cast<double>(spare)};
      for (const double shift : shifts) {
        Formation formation;
        Vec2 sum;
        for (int k = 0; k < n; ++k) {
          const int rank = k / files;
          const double file = k % files + (rank + 1 == ranks ? shift : 0);
          formation.push_back(
              {file * (box.width_in + kFiles_in), -rank * (box.depth_in + between)});
          sum = sum + formation.back();
        }
        for (Vec2& at : formation) at = at - sum / n;
        out.push_back(std::move(formation));
      }
    }
  }
  return out;
}

// Pixels of a patch from a formation's middle to each of its stands.
std::vector<cv::Point> CellsOf(const Formation& formation, double heading_rad, double px_per_in) {
  std::vector<cv::Point> cells;
  for (const Vec2 at : formation) {
    const Vec2 off = Rotated(at, heading_rad) * px_per_in;
    cells.emplace_back(cvRound(off.x), -cvRound(off.y));
  }
  return cells;
}

// A formation's place on a patch.
struct FormationPlace {
  float score = 0;
  std::size_t heading = 0;  // of ScoredPatch::headings
  cv::Point middle;
};

// Where the paints say most for a formation: a few places apart from each other, best first.
// loose  see Loosened
std::vector<FormationPlace> BestPlaces(const StandLook& look, const ScoredPatch& scored,
                                       const Formation& formation, std::span<const cv::Mat> loose) {
  const double ppi = scored.patch.px_per_in;
  const cv::Rect inside({0, 0}, scored.patch.bgr.size());
  const auto least =
      static_cast<float>(look.options.least_score_faint * static_cast<double>(formation.size()));
  std::vector<FormationPlace> places;
  for (std::size_t h = 0; h < scored.headings.size(); ++h) {
    const std::vector<cv::Point> cells = CellsOf(formation, scored.headings[h].heading_rad, ppi);
    for (int r = 0; r < inside.height; ++r) {
      for (int c = 0; c < inside.width; ++c) {
        float sum = 0;
        for (const cv::Point cell : cells) {
          const cv::Point at = cv::Point(c, r) + cell;
          sum += inside.contains(at) ? loose[h].at<float>(at) : kNotScored;
          if (sum < kNotScored / 2) break;
        }
        if (sum > least) places.push_back({sum, h, {c, r}});
      }
    }
  }
  std::sort(places.begin(), places.end(),
            [](const auto& a, const auto& b) { return a.score > b.score; });
  constexpr std::size_t kMost = 3;
  constexpr double kApart_in = 0.35;  // the outline moves each stand by 0.2 in
  std::vector<FormationPlace> kept;
  for (const FormationPlace& place : places) {
    const auto near = [&](const FormationPlace& k) {
      const cv::Point off = k.middle - place.middle;
      return std::hypot(off.x, off.y) < kApart_in * ppi;
    };
    if (std::any_of(kept.begin(), kept.end(), near)) continue;
    kept.push_back(place);
    if (kept.size() == kMost) break;
  }
  return kept;
}

// The stand near a cell of a formation where the paints say most: stands of a unit are lined up by
// eye.
StandHypothesis StandNear(const StandLook& look, const ScoredPatch& scored, StandClass what,
                          std::size_t heading, cv::Point cell) {
  StandHypothesis best{what, {}, 0, true, -1e9, 0, 0};
  const cv::Rect inside({0, 0}, scored.patch.bgr.size());
  const std::size_t first = heading > 0 ? heading - 1 : 0;
  const std::size_t last = std::min(heading + 1, scored.headings.size() - 1);
  for (std::size_t h = first; h <= last; ++h) {
    for (int dr = -1; dr <= 1; ++dr) {
      for (int dc = -1; dc <= 1; ++dc) {
        const cv::Point at = cell + cv::Point(dc, dr);
        if (!inside.contains(at)) continue;
        const cv::Vec3f& v = scored.headings[h].scores.at<cv::Vec3f>(at);
        if (static_cast<double>(v[0]) <= best.score) continue;
        best.score = static_cast<double>(v[0]);
        best.bar = static_cast<double>(v[1]);
        best.top = static_cast<double>(v[2]);
        best.table_from_stand = {scored.patch.TableFromPixel(at.x, at.y),
                                 scored.headings[h].heading_rad};
      }
    }
  }
  best.ground_in = look.GroundAt(best.table_from_stand.origin);
  best.by_outline = best.score < look.options.least_score;
  return best;
}

// The score alone, of each place the best that StandNear looks at.
std::vector<cv::Mat> Loosened(const ScoredPatch& scored) {
  std::vector<cv::Mat> widened;
  for (const PlaceScores& one : scored.headings) {
    cv::Mat score;
    cv::extractChannel(one.scores, score, 0);
    cv::dilate(score, widened.emplace_back(), cv::Mat::ones(3, 3, CV_8UC1));
  }
  std::vector<cv::Mat> out;
  for (std::size_t h = 0; h < widened.size(); ++h) {
    cv::Mat best = widened[h].clone();
    if (h > 0) cv::max(best, widened[h - 1], best);
    if (h + 1 < widened.size()) cv::max(best, widened[h + 1], best);
    out.push_back(best);
  }
  return out;
}

// Whether each of them is a stand beside the others.
bool AllAreStands(const StandLook& look, std::span<const StandHypothesis> stands,
                  std::span<const StandHypothesis> others) {
  std::vector<StandHypothesis> all(stands.begin(), stands.end());
  all.insert(all.end(), others.begin(), others.end());
  for (std::size_t k = 0; k < stands.size(); ++k)
    if (!IsBelievable(look, all[k], MeasureStand(look, all[k], all), all)) return false;
  return true;
}

}  // namespace

bool IsPlainlyMore(double nats, double now) {
  // The nats are known no better than to a fifth: what covers a base and what coding does to it is
  // alike over many pixels.
  constexpr double kPlainly = 1.25;
  return nats >= kPlainly * now + kUnexpectedStand_nats;
}

WeighedUnit WeighTogether(const StandLook& look, std::span<const StandHypothesis> stands,
                          std::span<const StandHypothesis> others, int sweeps) {
  std::vector<StandHypothesis> all(stands.begin(), stands.end());
  all.insert(all.end(), others.begin(), others.end());
  std::vector<double> odds(stands.size());
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    for (std::size_t k = 0; k < stands.size(); ++k) {
      const MeasuredStand m = WeighStand(look, all[k], all);
      all[k].table_from_stand = m.stand.table_from_stand;
      odds[k] = LacksPaint(all[k], m) ? -1 : m.log_odds;
    }
  }
  std::vector<std::size_t> order(stands.size());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return odds[a] > odds[b]; });
  WeighedUnit out;
  std::vector<double> kept;
  for (const std::size_t k : order) {
    const StandHypothesis& h = all[k];
    const Box2 box = look.KindOf(h).footprint;
    double gain = odds[k];
    bool fits = gain > 0;
    const auto share = [&](const StandHypothesis& o, double of_other) {
      const std::optional<double> lost =
          SharedNats(h.table_from_stand, box, o.table_from_stand, look.KindOf(o).footprint,
                     std::max(of_other, odds[k]));
      fits = fits && lost;
      gain -= lost.value_or(0);
    };
    for (std::size_t i = 0; i < kept.size(); ++i) share(out.stands[i], kept[i]);
    for (const StandHypothesis& o : others) share(o, odds[k]);
    if (!fits || gain <= 0) continue;
    out.stands.push_back(h);
    kept.push_back(odds[k]);
    out.log_odds += gain;
  }
  return out;
}

WeighedUnit SearchFormation(const StandLook& look, Vec2 centre, double half_in, StandClass what,
                            std::vector<double> headings, std::size_t count,
                            std::span<const StandHypothesis> others) {
  const Box2 box = look.scenario.kinds.at(static_cast<std::size_t>(what.kind)).footprint;
  std::sort(headings.begin(), headings.end());
  const ScoredPatch scored = ScorePlacesNear(look, centre, half_in, what, headings, others);
  const std::vector<cv::Mat> loose = Loosened(scored);
  const std::vector<Formation> formations = FormationsOf(count, box);
  std::vector<std::vector<FormationPlace>> best_of(formations.size());
  InParallel(formations.size(),
             [&](std::size_t i) { best_of[i] = BestPlaces(look, scored, formations[i], loose); });
  std::vector<std::pair<const Formation*, FormationPlace>> places;
  for (std::size_t i = 0; i < formations.size(); ++i)
    for (const FormationPlace& place : best_of[i]) places.emplace_back(&formations[i], place);
  std::stable_sort(places.begin(), places.end(),
                   [](const auto& a, const auto& b) { return a.second.score > b.second.score; });
  // Of 52 units of clips and made-up tables the outlines chose one of the paints' ten best for 50,
  // for one the fifteenth, and for one, which explained little, the twentieth.
  constexpr std::size_t kMostWeighed = 16;
  if (places.size() > kMostWeighed) places.resize(kMostWeighed);
  std::vector<WeighedUnit> weighed(places.size());
  InParallel(places.size(), [&](std::size_t i) {
    const auto& [formation, place] = places[i];
    std::vector<StandHypothesis> stands;
    for (const cv::Point cell :
         CellsOf(*formation, scored.headings[place.heading].heading_rad, scored.patch.px_per_in))
      stands.push_back(StandNear(look, scored, what, place.heading, place.middle + cell));
    weighed[i] = WeighTogether(look, stands, others, 1);
  });
  std::stable_sort(weighed.begin(), weighed.end(),
                   [](const auto& a, const auto& b) { return a.log_odds > b.log_odds; });
  constexpr std::size_t kLookAgain = 4;
  if (weighed.size() > kLookAgain) weighed.resize(kLookAgain);
  InParallel(weighed.size(), [&](std::size_t i) {
    weighed[i] = WeighTogether(look, weighed[i].stands, others, 2);
  });
  WeighedUnit best;
  for (WeighedUnit& again : weighed) {
    if (again.log_odds > best.log_odds && AllAreStands(look, again.stands, others))
      best = std::move(again);
  }
  return best;
}

namespace {

// A unit, or units that share their place, and what was found of it.
struct FoundUnit {
  const UnitSpec* unit;
  std::vector<std::size_t> own;  // of all stands
  std::size_t expected = 0;
  double nats_in2 = 0;  // over all its bases, an area
};

// Units that explain much less of the picture than others.
std::vector<FoundUnit> WeakUnits(const StandLook& look, std::span<const StandHypothesis> stands,
                                 std::span<const MeasuredStand> measured) {
  const std::vector<std::optional<std::size_t>> unit_of = UnitsOf(look, stands);
  std::vector<FoundUnit> found;
  std::vector<double> nats_in2;
  for (const UnitSpec& unit : look.scenario.units) {
    if (std::any_of(found.begin(), found.end(),
                    [&](const FoundUnit& other) { return SharesPlace(*other.unit, unit); }))
      continue;
    FoundUnit one{&unit, {}, ExpectedOf(look, unit)};
    const Box2 box = look.scenario.kinds.at(static_cast<std::size_t>(unit.kind)).footprint;
    for (std::size_t i = 0; i < stands.size(); ++i) {
      if (!unit_of[i] || !SharesPlace(look.scenario.units[*unit_of[i]], unit)) continue;
      one.own.push_back(i);
      one.nats_in2 += measured[i].log_odds;
    }
    one.nats_in2 /= static_cast<double>(one.expected) * box.width_in * box.depth_in;
    nats_in2.push_back(one.nats_in2);
    found.push_back(std::move(one));
  }
  if (found.empty()) return {};
  // Units in a paint like the ground explain half of what the others do where all is right.
  constexpr double kWeak = 0.6;
  const double weak = kWeak * UpperMedian(nats_in2);
  std::erase_if(found, [&](const FoundUnit& one) { return one.nats_in2 > weak; });
  return found;
}

constexpr double kLeastGap = 0.2;  // of a base's width: the outline finds what lies nearer by itself

// How wide the gap between two stands of one rank is, inches; none where they are not of one rank.
std::optional<double> GapInRank(const Pose2& stand, const Pose2& fellow, Box2 box) {
  constexpr double kOutOfRank = 0.35;  // of a base's depth
  const Vec2 off = Inverse(stand) * fellow.origin;
  if (!FaceAlike(stand, fellow) || std::abs(off.y) > kOutOfRank * box.depth_in) return std::nullopt;
  return std::abs(off.x) - box.width_in;
}

// The place beside a fellow in the same rank, in contact with it, for a stand that a gap parts from
// it which holds a part of a base but no whole one.
std::optional<Pose2> PlaceBeside(const Pose2& stand, const Pose2& fellow, Box2 box) {
  const std::optional<double> gap_in = GapInRank(stand, fellow, box);
  if (!gap_in || *gap_in < kLeastGap * box.width_in || *gap_in > box.width_in) return std::nullopt;
  const Vec2 off = Inverse(stand) * fellow.origin;
  return stand * Pose2{{std::copysign(*gap_in - kFiles_in, off.x), 0}, 0};
}

}  // namespace

bool ClosesUp(double beside_nats, double now_nats, bool in_contact) {
  return IsPlainlyMore(beside_nats + (in_contact ? 0 : kInContact_nats), now_nats);
}

bool CloseRanks(const StandLook& look, std::vector<StandHypothesis>& stands,
                std::span<const MeasuredStand> measured,
                std::span<const StandHypothesis> fixed) {
  bool any = false;
  for (std::size_t i = 0; i < stands.size(); ++i) {
    const StandHypothesis& h = stands[i];
    const Box2 box = look.KindOf(h).footprint;
    const Pose2& now = measured[i].stand.table_from_stand;
    for (std::size_t j = 0; j < stands.size(); ++j) {
      if (i == j || !(stands[j].what == h.what)) continue;
      const auto place = PlaceBeside(now, measured[j].stand.table_from_stand, box);
      if (!place) continue;
      StandHypothesis beside = h;
      beside.table_from_stand = *place;
      std::vector<StandHypothesis> others = stands;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
      others.insert(others.end(), fixed.begin(), fixed.end());
      const bool taken = std::any_of(others.begin(), others.end(), [&](const auto& o) {
        const Box2 other = look.KindOf(o).footprint;
        return OverlapDepth(*place, box, o.table_from_stand, other) > kTooDeep_in;
      });
      if (taken) continue;
      const bool in_contact = std::any_of(others.begin(), others.end(), [&](const auto& o) {
        const std::optional<double> gap_in = GapInRank(now, o.table_from_stand, box);
        return o.what == h.what && gap_in && *gap_in < kLeastGap * box.width_in;
      });
      const MeasuredStand there = WeighStand(look, beside, others);
      const double odds_now = WeighStand(look, h, others).log_odds;
      if (!ClosesUp(there.log_odds, odds_now, in_contact)) continue;
      look.NoteDropped(h, fmt::format("its rank closes up: {:.0f}, was {:.0f} nats",
                                      there.log_odds, odds_now));
      beside.table_from_stand = there.stand.table_from_stand;
      stands[i] = beside;
      any = true;
      break;
    }
  }
  return any;
}

bool FormUp(const StandLook& look, std::vector<StandHypothesis>& stands,
            std::span<const MeasuredStand> measured) {
  std::vector<char> gone(stands.size(), 0);
  bool any = false;
  for (const FoundUnit& one : WeakUnits(look, stands, measured)) {
    if (one.expected < 2 || one.expected > kMostFormed) continue;
    const Vec2 middle = look.table.frame.CentreOf(one.unit->square);
    const double reach = look.table.frame.square_in + 2;  // only those near by matter
    std::vector<StandHypothesis> own;
    for (const std::size_t i : one.own) own.push_back(stands[i]);
    std::vector<StandHypothesis> near;
    for (std::size_t i = 0; i < stands.size(); ++i) {
      if (gone[i] == 0 && std::find(one.own.begin(), one.own.end(), i) == one.own.end() &&
          Distance(stands[i].table_from_stand.origin, middle) < reach)
        near.push_back(stands[i]);
    }
    std::vector<double> headings;
    AddHeadings(headings, HeadingFromBearing(BearingOf(one.unit->facing)), 24 * kDegree,
                4 * kDegree);
    constexpr double kMargin_in = 0.3;  // of a base that leans out by more
    const WeighedUnit best =
        SearchFormation(look, middle, look.table.frame.square_in / 2 + kLeanOut_in + kMargin_in,
                        {one.unit->side, one.unit->kind}, headings, one.expected, near);
    const double now = WeighTogether(look, own, near, 2).log_odds;
    if (best.stands.size() < own.size() || !IsPlainlyMore(best.log_odds, now)) continue;
    look.NoteDropped(best.stands.front(),
                     fmt::format("its unit explains more in ranks: {:.0f}, was {:.0f} nats",
                                 best.log_odds, now));
    for (const std::size_t i : one.own) gone[i] = 1;
    stands.insert(stands.end(), best.stands.begin(), best.stands.end());
    gone.resize(stands.size(), 0);
    any = true;
  }
  std::size_t at = 0;
  std::erase_if(stands, [&](const StandHypothesis&) { return gone[at++] != 0; });
  return any;
}

}  // namespace fos
