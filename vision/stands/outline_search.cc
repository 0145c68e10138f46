// SPDX-License-Identifier: MIT
#include "vision/stands/outline_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "vision/image/in_parallel.h"
#include "vision/stands/stand_candidates.h"
#include "vision/stands/stand_measurement.h"
#include "vision/stands/stand_packing.h"

namespace fos {
namespace {

// A stand that may be there, as its outline weighs it.
struct OutlineCandidate {
  StandHypothesis stand;
  MeasuredStand weighed;
};

bool IsSamePlace(const Pose2& a, const Pose2& b) {
  constexpr double kSame_in = 0.05;
  constexpr double kSame_rad = 4 * kDegree;
  return Distance(a.origin, b.origin) < kSame_in &&
         std::abs(WrappedAngle(a.heading_rad - b.heading_rad)) < kSame_rad;
}

void LikeliestFirst(std::vector<OutlineCandidate>& candidates) {
  std::stable_sort(candidates.begin(), candidates.end(), [](const auto& a, const auto& b) {
    return a.weighed.log_odds > b.weighed.log_odds;
  });
}

// Weighs each where its outline is found, and adds it to those found so far: the likeliest of each
// place, likeliest first.
void WeighSeeds(const StandLook& look, std::span<const StandHypothesis> seeds,
                std::span<const StandHypothesis> others, Box2 box,
                std::vector<OutlineCandidate>& out) {
  // A second look, from where the outline was found, adds a third to the evidence at most.
  constexpr double kHopeless_nats = -kUnexpectedStand_nats;
  // Many seeds lead to one place. Those that start there are left out; a few at a time, so that
  // all cores are used.
  constexpr std::size_t kAtOnce = 8;
  std::vector<OutlineCandidate> some;
  const auto weigh = [&] {
    InParallel(some.size(), [&](std::size_t i) {
      OutlineCandidate& c = some[i];
      for (int look_again = 0; look_again < 2; ++look_again) {
        c.weighed = WeighStand(look, c.stand, others);
        c.stand.table_from_stand = c.weighed.stand.table_from_stand;
        if (c.weighed.log_odds < kHopeless_nats) break;
      }
      // The seed's paints were those of its own place.
      if (c.weighed.log_odds >= kHopeless_nats && LacksPaint(c.stand, c.weighed)) {
        const StandHypothesis there = RefineStand(look, c.stand, others);
        c.stand.score = there.score;
        c.stand.bar = there.bar;
        c.stand.top = there.top;
      }
    });
    for (const OutlineCandidate& c : some) {
      const auto in = [&](const StandHypothesis& o) {
        return OverlapDepth(c.stand.table_from_stand, box, o.table_from_stand,
                            look.KindOf(o).footprint) > kTooDeep_in;
      };
      if (c.weighed.log_odds < kHopeless_nats || LacksPaint(c.stand, c.weighed) ||
          std::any_of(others.begin(), others.end(), in))
        continue;
      const auto same = std::find_if(out.begin(), out.end(), [&](const OutlineCandidate& o) {
        return IsSamePlace(o.stand.table_from_stand, c.stand.table_from_stand);
      });
      if (same == out.end()) {
        out.push_back(c);
      } else if (same->weighed.log_odds < c.weighed.log_odds) {
        *same = c;
      }
    }
    some.clear();
  };
  for (const StandHypothesis& seed : seeds) {
    if (std::any_of(out.begin(), out.end(), [&](const OutlineCandidate& o) {
          return IsSamePlace(o.stand.table_from_stand, seed.table_from_stand);
        }))
      continue;
    some.push_back({seed, {}});
    some.back().stand.by_outline = true;
    if (some.size() == kAtOnce) weigh();
  }
  weigh();
  LikeliestFirst(out);
}

// Where a unit would have its next stand: at the sides of one, before and behind it.
std::vector<StandHypothesis> PlacesInLine(const StandLook& look, const StandHypothesis& h) {
  // A unit stands in ranks, its bases in contact or nearly.
  constexpr double kGap_in = 0.05;
  const Box2 box = look.KindOf(h).footprint;
  const double right = box.width_in + kGap_in;
  const double front = box.depth_in + kGap_in;
  std::vector<StandHypothesis> out;
  for (const Vec2 off : {Vec2{right, 0}, Vec2{-right, 0}, Vec2{0, front}, Vec2{0, -front}}) {
    StandHypothesis beside = h;
    beside.table_from_stand = h.table_from_stand * Pose2{off, 0};
    beside.ground_in = look.GroundAt(beside.table_from_stand.origin);
    beside.score = beside.bar = beside.top = 0;  // not looked at yet
    out.push_back(beside);
  }
  return out;
}

// Poses to weigh, spaced by as far as the outline fit may move: the paints as learnt from the whole
// table only give these.
class OutlineSeeds {
 public:
  // box  of all of them
  // centre, searched_in  of the piece of the table that is looked at: half its side
  OutlineSeeds(const StandLook& look, Box2 box, Vec2 centre, double searched_in,
               std::span<const StandHypothesis> others)
      : look_(look), box_(box), centre_(centre), searched_in_(searched_in), others_(others) {}

  // Unless it lies near one of them, in one of the others, or past the piece.
  void Add(const StandHypothesis& h) {
    const auto near = [&](const StandHypothesis& s) {
      constexpr double kApart_in = 0.15;
      return Distance(s.table_from_stand.origin, h.table_from_stand.origin) < kApart_in &&
             std::abs(WrappedAngle(s.table_from_stand.heading_rad -
                                   h.table_from_stand.heading_rad)) < kApart_rad;
    };
    const auto in = [&](const StandHypothesis& o) {
      return OverlapDepth(h.table_from_stand, box_, o.table_from_stand, look_.KindOf(o).footprint) >
             kTooDeep_in;
    };
    // Outside the searched piece nothing is known, and a bar there would score like a hidden one.
    const auto past_rim = [&](Vec2 corner) {
      return std::max(std::abs(corner.x - centre_.x), std::abs(corner.y - centre_.y)) >
             searched_in_;
    };
    const auto corners = Corners(h.table_from_stand, box_);
    if (all_.size() < most_ && !std::any_of(corners.begin(), corners.end(), past_rim) &&
        std::none_of(all_.begin(), all_.end(), near) &&
        std::none_of(others_.begin(), others_.end(), in))
      all_.push_back(h);
  }
  std::size_t size() const { return all_.size(); }
  // For as many more as at first.
  void MakeRoom() { most_ = all_.size() + kMost; }
  std::span<const StandHypothesis> From(std::size_t first) const {
    return std::span(all_).subspan(first);
  }

  static constexpr double kApart_rad = 9 * kDegree;

 private:
  static constexpr std::size_t kMost = 48;

  const StandLook& look_;
  Box2 box_;
  Vec2 centre_;
  double searched_in_;
  std::span<const StandHypothesis> others_;
  std::vector<StandHypothesis> all_;
  std::size_t most_ = kMost;
};

// Adds what the likeliest show in turn: where their neighbours would be. Returns whether any of
// those places was new.
bool AddNeighbours(const StandLook& look, std::size_t room, OutlineSeeds& seeds,
                   std::span<const StandHypothesis> others, Box2 box,
                   std::vector<OutlineCandidate>& candidates) {
  const std::size_t tried = seeds.size();
  for (std::size_t i = 0; i < std::min(candidates.size(), room); ++i) {
    if (candidates[i].weighed.log_odds <= 0) continue;
    for (const StandHypothesis& h : PlacesInLine(look, candidates[i].stand)) seeds.Add(h);
  }
  WeighSeeds(look, seeds.From(tried), others, box, candidates);
  return seeds.size() > tried;
}

// Chooses those that explain the picture best together, by the colours as they are just there.
// Each must be a stand with the others beside it; without one that is not, chooses again.
std::vector<StandHypothesis> ChooseStands(const StandLook& look,
                                          std::vector<OutlineCandidate> candidates, StandClass what,
                                          Box2 box, std::span<const StandHypothesis> others,
                                          std::size_t room, double least_bar_nats) {
  std::vector<Pose2> in_line;
  for (const StandHypothesis& o : others)
    if (o.what == what) in_line.push_back(o.table_from_stand);

  // Which of them, as places that were tried go; whether each is a stand is told at last (see
  // MeasureAll), so what is hardly likely stays eligible. Of a stand that was moved it is known that
  // it is somewhere.
  if (!look.log_expected) {
    InParallel(candidates.size(), [&](std::size_t i) {
      auto& [stand, weighed] = candidates[i];
      if (weighed.log_odds <= 0) return;
      const double odds = PlaceLogOdds(look, stand, MeasureStand(look, stand, others));
      weighed.log_odds = std::log1p(std::exp(odds));
    });
    LikeliestFirst(candidates);
  }
  for (;;) {
    std::vector<PlaceOdds> places;
    for (const OutlineCandidate& c : candidates)
      places.push_back({c.stand.table_from_stand, c.weighed.log_odds});
    const std::vector<std::size_t> chosen = LikeliestSet(places, box, room, in_line);
    std::vector<StandHypothesis> kept;
    for (const std::size_t i : chosen) kept.push_back(candidates[i].stand);
    std::vector<StandHypothesis> all(others.begin(), others.end());
    all.insert(all.end(), kept.begin(), kept.end());
    std::optional<std::size_t> wrong;
    std::optional<Pose2> faces_unknown;
    for (std::size_t k = 0; k < kept.size() && !wrong; ++k) {
      StandHypothesis& h = all[others.size() + k];
      const MeasuredStand m = MeasureStand(look, h, all);
      h.table_from_stand = kept[k].table_from_stand = m.stand.table_from_stand;
      if (!IsBelievable(look, h, m, all)) {
        wrong = chosen[k];
      } else if (m.independent * m.bar_evidence < least_bar_nats) {
        look.NoteDropped(h, fmt::format("its bar says too little of how it faces: {:.0f} nats",
                                        m.independent * m.bar_evidence));
        wrong = chosen[k];
        faces_unknown = h.table_from_stand;
      }
    }

    if (!wrong) return kept;
    candidates.erase(candidates.begin() + static_cast<std::ptrdiff_t>(*wrong));
    // What explains the same place less well does not tell how it faces either.
    if (faces_unknown) {
      std::erase_if(candidates, [&](const OutlineCandidate& c) {
        return OverlapDepth(c.stand.table_from_stand, box, *faces_unknown, box) > kTooDeep_in;
      });
    }
  }
}

// In shade, or blurred into the table beside it, a bar looks unlike its paint. A place that is so
// plain without it is a stand's all the same: nats an area; half of the stands that are found by
// their outlines have more.
constexpr double kPlain_nats = 30;

bool AllPlain(const StandLook& look, std::span<const StandHypothesis> stands,
              std::span<const StandHypothesis> others, double plain_nats) {
  std::vector<StandHypothesis> all(others.begin(), others.end());
  all.insert(all.end(), stands.begin(), stands.end());
  return std::all_of(stands.begin(), stands.end(), [&](const StandHypothesis& h) {
    return WeighStand(look, h, all).log_odds >= plain_nats;
  });
}

// Adds those of the seeds that are plain. Returns whether any is.
bool AddPlain(const StandLook& look, std::span<const StandHypothesis> seeds,
              std::span<const StandHypothesis> others, Box2 box, double plain_nats,
              std::vector<OutlineCandidate>& candidates) {
  std::vector<OutlineCandidate> more;
  WeighSeeds(look, seeds, others, box, more);
  std::erase_if(more, [&](const OutlineCandidate& c) { return c.weighed.log_odds < plain_nats; });
  candidates.insert(candidates.end(), more.begin(), more.end());
  LikeliestFirst(candidates);
  return !more.empty();
}

}  // namespace

std::vector<std::size_t> LikeliestSet(std::span<const PlaceOdds> places, Box2 box, std::size_t room,
                                      std::span<const Pose2> fellows) {
  const std::size_t n = places.size();
  std::vector<double> shared(n * n, 0);  // nats lost where both stand; negative: they cannot
  std::vector<char> touching(n * n, 0);
  std::vector<char> joins(n, 0);  // a fellow
  for (std::size_t i = 0; i < n; ++i)
    joins[i] = std::any_of(fellows.begin(), fellows.end(), [&](const Pose2& fellow) {
      return InContact(places[i].table_from_stand, fellow, box);
    });
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const Pose2& a = places[i].table_from_stand;
      const Pose2& b = places[j].table_from_stand;
      const double lost =
          SharedNats(a, box, b, box, std::max({places[i].log_odds, places[j].log_odds, 0.0}))
              .value_or(-1);
      shared[i * n + j] = shared[j * n + i] = lost;
      touching[i * n + j] = touching[j * n + i] = InContact(a, b, box);
    }
  }
  std::vector<std::size_t> best;
  double most = 0;
  std::vector<std::size_t> picked;
  int left = 200000;  // sets tried; the first ones are the likeliest
  const auto search = [&](const auto& self, std::size_t from, double sum) -> void {
    if (sum > most) {
      most = sum;
      best = picked;
    }
    if (picked.size() == room) return;
    for (std::size_t i = from; i < n && left > 0; ++i) {
      // The rest are no likelier than this one.
      const double at_most =
          (places[i].log_odds + kInContact_nats) * static_cast<double>(room - picked.size());
      if (sum + at_most <= most) return;
      --left;
      double gain = places[i].log_odds;
      bool fits = true;
      bool touches = joins[i] != 0;
      for (const std::size_t p : picked) {
        fits = fits && shared[p * n + i] >= 0;
        gain -= shared[p * n + i];
        touches = touches || touching[p * n + i] != 0;
      }
      if (touches) gain += kInContact_nats;
      if (!fits || gain <= 0) continue;
      picked.push_back(i);
      self(self, i + 1, sum + gain);
      picked.pop_back();
    }
  };
  search(search, 0, 0);
  return best;
}

std::vector<StandHypothesis> SearchByOutline(const StandLook& look, Vec2 centre, double half_in,
                                             StandClass what, std::span<const double> headings,
                                             std::span<const StandHypothesis> others,
                                             std::span<const StandHypothesis> fellows,
                                             std::size_t room, double least_bar_nats) {
  const std::array<StandClass, 1> classes{what};
  const Box2 box = look.scenario.kinds.at(static_cast<std::size_t>(what.kind)).footprint;
  constexpr double kMargin_in = 0.3;  // half the depth of the usual base, less what leans out
  const double searched_in = half_in + kMargin_in;
  OutlineSeeds seeds(look, box, centre, searched_in, others);
  // A stand beside its fellows whose bar is hidden, or whose paint is in shade, is no summit of the
  // paints.
  for (const StandHypothesis& fellow : fellows) {
    const auto as_tried = [&](double heading) {
      return std::abs(WrappedAngle(heading - fellow.table_from_stand.heading_rad)) <
             OutlineSeeds::kApart_rad;
    };
    if (fellow.what != what || std::none_of(headings.begin(), headings.end(), as_tried)) continue;
    seeds.Add(fellow);
    for (const StandHypothesis& h : PlacesInLine(look, fellow)) seeds.Add(h);
  }
  const auto add_by_paint = [&](BarCounts bar) {
    for (const StandHypothesis& h :
         FindCandidates(look, centre, searched_in, classes, headings, others,
                        look.options.least_score_faint, bar))
      seeds.Add(h);
  };
  add_by_paint(BarCounts::kInFull);
  std::vector<OutlineCandidate> candidates;
  WeighSeeds(look, seeds.From(0), others, box, candidates);
  std::vector<StandHypothesis> kept =
      ChooseStands(look, candidates, what, box, others, room, least_bar_nats);
  const double plain_nats = kPlain_nats * box.width_in * box.depth_in;
  if (kept.size() < room || !AllPlain(look, kept, others, plain_nats)) {
    const std::size_t tried = seeds.size();
    seeds.MakeRoom();
    add_by_paint(BarCounts::kAsAFigure);
    if (AddPlain(look, seeds.From(tried), others, box, plain_nats, candidates))
      kept = ChooseStands(look, candidates, what, box, others, room, least_bar_nats);
  }
  // Where some are still missing, a paint that looks unlike the one learnt may have its summits
  // halfway between two stands, which leave no room for the others.
  for (std::size_t round = 1; round < room && kept.size() < room; ++round) {
    if (!AddNeighbours(look, room, seeds, others, box, candidates)) break;
    kept = ChooseStands(look, candidates, what, box, others, room, least_bar_nats);
  }
  return kept;
}

std::vector<StandHypothesis> SplitInTwo(const StandLook& look,
                                        std::span<const StandHypothesis> stands, std::size_t i) {
  const StandHypothesis& one = stands[i];
  std::vector<StandHypothesis> others(stands.begin(), stands.end());
  others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
  const double evidence = WeighStand(look, one, others).evidence;
  const auto with = [&](const StandHypothesis& beside) {
    std::vector<StandHypothesis> about = others;
    about.push_back(beside);
    return about;
  };
  const auto in_others = [&](const StandHypothesis& h, double depth_in) {
    return std::any_of(others.begin(), others.end(), [&](const StandHypothesis& o) {
      return OverlapDepth(h.table_from_stand, look.KindOf(h).footprint, o.table_from_stand,
                          look.KindOf(o).footprint) > depth_in;
    });
  };
  // Where they touch is unknown: the paint is even, and only the outer ends show how far the two
  // reach. The outline moves each by a tenth of an inch.
  constexpr double kStep_in = 0.2;
  constexpr double kMoves_in = 0.2;
  const double width = look.KindOf(one).footprint.width_in;
  const int steps = static_cast<int>(std::ceil(width / 2 / kStep_in));
  std::vector<StandHypothesis> two;
  double most = 0;
  const auto try_at = [&](int k) {
    std::vector<StandHypothesis> pair(2, one);
    for (std::size_t j = 0; j < 2; ++j) {
      const double way = (j == 0 ? -0.5 : 0.5) * width + k * (width / 2 / steps);
      pair[j].by_outline = true;
      pair[j].table_from_stand = one.table_from_stand * Pose2{{way, 0}, 0};
    }
    if (in_others(pair[0], kMoves_in) || in_others(pair[1], kMoves_in)) return true;
    const double together = WeighStand(look, pair[0], with(pair[1])).evidence +
                            WeighStand(look, pair[1], with(pair[0])).evidence;
    if (together > most) {
      most = together;
      two = std::move(pair);
    }
    // If two stand there, at least three quarters of the pair match and a quarter counts against
    // it: over half the evidence. If one stands alone, only half of the pair matches.
    return together > 0.5 * evidence;
  };
  if (!try_at(0)) return {};
  for (int k = 1; k <= steps; ++k) {
    try_at(k);
    try_at(-k);
  }
  if (two.empty()) return {};
  double together = 0;
  for (std::size_t j = 0; j < 2; ++j) {
    StandHypothesis& h = two[j];
    MeasuredStand m;
    for (int round = 0; round < 3; ++round) {
      m = MeasureStand(look, h, with(two[1 - j]));
      h.table_from_stand = m.stand.table_from_stand;
    }
    constexpr double kInContact_in = 0.1;  // contact, and the doubt of both
    // If one of them is the original detection, the other was merely missing.
    constexpr double kSame_in = 0.15;  // what the outline may move, and its doubt
    if (in_others(h, kInContact_in) || !IsBelievable(look, h, m, others) ||
        Distance(h.table_from_stand.origin, one.table_from_stand.origin) < kSame_in)
      return {};
    together += m.evidence;
  }
  // A single stand gives each of the two at most half its evidence.
  constexpr double kMoreThanOne = 1.5;
  if (together < kMoreThanOne * evidence) return {};
  look.NoteDropped(
      one, fmt::format("two stand there: evidence {:.0f}, as one {:.0f}", together, evidence));
  return two;
}

}  // namespace fos
