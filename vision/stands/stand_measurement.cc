// SPDX-License-Identifier: MIT
#include "vision/stands/stand_measurement.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "vision/image/in_parallel.h"
#include "vision/stands/pose_measurement.h"
#include "vision/stands/stand_fit.h"
#include "vision/stands/stand_groups.h"
#include "vision/stands/stand_outline.h"
#include "vision/stands/stand_packing.h"

namespace fos {

namespace {

// What lies a third of an inch in a stand is that stand itself or a rival for its place.
constexpr double kSame_in = 0.34;

// A stand, and all that its outline and edges are measured with.
struct StandSurroundings {
  const KindSpec& kind;
  const Paint& side;
  const Paint& bar;
  std::vector<OutlineNeighbour> near;
  OutlineRivals rivals;
  TerrainView terrain;
};

StandSurroundings SurroundingsOf(const StandLook& look, const StandHypothesis& h,
                                 std::span<const StandHypothesis> others) {
  const KindSpec& kind = look.KindOf(h);
  constexpr double kStrayed_in = 0.5;  // the ring about the base and what it may move
  StandSurroundings out{
      kind,
      look.paints.side(h.what.side),
      look.paints.bar(h.what.side, h.what.kind),
      {},
      {},
      look.terrain.Near(h.table_from_stand.origin, HalfDiagonal(kind.footprint) + kStrayed_in)};
  for (const StandHypothesis& other : others) {
    constexpr double kReach_in = 0.6;  // a ring about the base and what the outline may move
    const Box2 box = look.KindOf(other).footprint;
    const double depth =
        OverlapDepth(h.table_from_stand, kind.footprint, other.table_from_stand, box);
    if (&other != &h && depth > -kReach_in && depth < kSame_in)
      out.near.push_back({other.table_from_stand.origin,
                          Rotated({1, 0}, other.table_from_stand.heading_rad), box});
  }
  for (std::size_t k = 0; k < look.scenario.kinds.size(); ++k) {
    // A base of another size has another outline: that tells it already.
    constexpr double kAlike_in = 0.1;
    const Box2 box = look.scenario.kinds[k].footprint;
    if (static_cast<int>(k) != h.what.kind &&
        std::abs(box.width_in - kind.footprint.width_in) < kAlike_in &&
        std::abs(box.depth_in - kind.footprint.depth_in) < kAlike_in)
      out.rivals.bars.push_back(look.paints.bar(h.what.side, static_cast<int>(k)));
  }
  for (std::size_t k = 0; k < look.scenario.sides.size(); ++k)
    if (static_cast<int>(k) != h.what.side)
      out.rivals.sides.push_back(look.paints.side(static_cast<int>(k)));
  return out;
}

StandOutline OutlineOf(const StandLook& look, const StandHypothesis& h,
                       const StandSurroundings& at) {
  return FitOutline(look.bgr, look.camera, at.kind, at.side, at.bar, h.table_from_stand,
                    h.ground_in, at.near, at.rivals, at.terrain);
}

// What an outline says, with its pose.
MeasuredStand Weighed(const StandLook& look, const StandHypothesis& h, const StandSurroundings& at,
                      const StandOutline& outline) {
  MeasuredStand out;
  out.stand.side = h.what.side;
  out.stand.kind = h.what.kind;
  out.stand.table_from_stand = outline.table_from_stand;
  out.stand.footprint = at.kind.footprint;
  out.stand.ground_in = h.ground_in;
  out.stand.centre_cov = outline.centre_cov;
  out.stand.heading_sigma_rad = outline.heading_sigma_rad;
  out.stand.visible = outline.visible;
  // Where the table itself has the paint's colour, what is like it beside the base is table; else
  // it is another stand of that side.
  constexpr double kStandsOut = 0.8;  // nats a pixel, figures counted in
  const bool may_be_table = h.top < kStandsOut;
  const auto least = [may_be_table](double alone, double patch) {
    return may_be_table ? std::min(alone, patch) : alone;
  };
  out.evidence = least(outline.evidence, outline.patch_evidence);
  out.patch_evidence = outline.patch_evidence;
  out.top_evidence = least(outline.top_evidence, outline.patch_top_evidence);
  out.top_pieces = outline.top_pieces;
  out.independent = outline.independent;
  // A cloth is mottled over inches: less than this, nats a piece, is no paint.
  constexpr double kMottling_nats = 0.15;
  if (h.by_outline && may_be_table && out.top_evidence < kMottling_nats * out.top_pieces)
    out.top_evidence = 0;
  out.like = outline.like;
  out.open = outline.open;
  out.bar_seen = outline.bar_seen;
  out.bar_evidence = outline.bar_evidence;
  out.side_evidence = outline.side_evidence;
  out.paint_off = DistanceSquared(at.side, outline.top.mean);
  StandHypothesis there = h;
  there.table_from_stand = outline.table_from_stand;
  out.log_odds = LogOdds(look, there, out);
  out.stand.confidence = Posterior(look, there, out);
  return out;
}

// Puts a stand where it was measured.
void PutAt(const StandLook& look, const StandHypothesis& h, const StandFit& fit,
           StandObservation& stand) {
  stand.table_from_stand = fit.table_from_stand;
  stand.centre_cov = fit.centre_cov;
  stand.heading_sigma_rad = fit.heading_sigma_rad;
  // Where the registration itself is unsure, so is everything that stands there.
  const double top_in = h.ground_in + look.KindOf(h).thickness_in;
  const ImagePoint pixel = ImageFromTable(look.camera, stand.table_from_stand.origin, top_in);
  const auto registered = TableFromImage(look.camera, pixel, top_in, 0);
  if (registered.ok()) stand.centre_cov = stand.centre_cov + registered->cov;
}

// A stand measured by its outline and edges, with what the picture of its whole base needs.
struct StandReading {
  StandSurroundings at;
  StandOutline outline;
  StandFit edges;
  MeasuredStand measured;
};
StandReading ReadStand(const StandLook& look, const StandHypothesis& h,
                       std::span<const StandHypothesis> others) {
  StandSurroundings at = SurroundingsOf(look, h, others);
  StandOutline outline = OutlineOf(look, h, at);
  MeasuredStand measured = Weighed(look, h, at, outline);
  StandFit edges = FitStand(look.bgr, look.camera, at.kind, at.side, at.bar, outline, h.ground_in,
                            at.near, at.terrain);
  measured.edges = edges.edges;
  PutAt(look, h, edges, measured.stand);
  return {std::move(at), std::move(outline), std::move(edges), std::move(measured)};
}

// By the whole picture of its base as well.
// out  as measured by its outline and edges
StandObservation Placed(const StandLook& look, const StandHypothesis& h, const StandReading& read,
                        StandObservation out) {
  const StandSurroundings& at = read.at;
  PutAt(look, h,
        MeasurePose(look.bgr, look.camera, at.kind, at.bar, read.outline, read.edges, h.ground_in,
                    at.near, look.blur, at.terrain),
        out);
  return out;
}

}  // namespace

MeasuredStand WeighStand(const StandLook& look, const StandHypothesis& h,
                         std::span<const StandHypothesis> others) {
  const StandSurroundings at = SurroundingsOf(look, h, others);
  return Weighed(look, h, at, OutlineOf(look, h, at));
}

MeasuredStand MeasureStand(const StandLook& look, const StandHypothesis& h,
                           std::span<const StandHypothesis> others) {
  return ReadStand(look, h, others).measured;
}

std::optional<StandObservation> PlaceStand(
    const StandLook& look, const StandHypothesis& h, std::span<const StandHypothesis> others,
    const std::function<bool(const MeasuredStand&)>& stands_there) {
  const StandReading read = ReadStand(look, h, others);
  if (!stands_there(read.measured)) return std::nullopt;
  return Placed(look, h, read, read.measured.stand);
}

namespace {

// Probability that what was chosen by its outline alone is a stand, and no blotch of the cloth or
// thing that lies about: an outline is tried in thousands of poses. Its evidence is taken by the
// square inch, for a larger blotch says more too. Logistic regression over 545 such stands, 47 of
// them none, on 336 wild tables (`evaluate --sweep`, seeds 91000 to 97079 and some of 86000 to
// 88079) and on the 22 clips under five looks.
double TrustOfOutline(const StandLook& look, const StandHypothesis& h, const MeasuredStand& m) {
  constexpr double kPerNat = 0.109;      // a square inch
  constexpr double kWholeOutline = 4.2;  // where all of it is seen as edges
  constexpr double kPaintOff = 0.187;    // a sigma squared
  constexpr double kMostOff = 15;
  constexpr double kToBeginWith = -1.34;
  const Box2 box = look.KindOf(h).footprint;
  const double nats = kPerNat * m.log_odds / (box.width_in * box.depth_in) +
                      kWholeOutline * m.edges - kPaintOff * std::min(m.paint_off, kMostOff) +
                      kToBeginWith;
  return 1 / (1 + std::exp(-nats));
}

// Whether it stands beside one of its own class that was found by its paints, and faces as that
// does: neither line nor road continues a unit's ranks.
bool StandsWithFellow(const StandLook& look, const StandHypothesis& h,
                      std::span<const StandHypothesis> others) {
  const Box2 box = look.KindOf(h).footprint;
  return std::any_of(others.begin(), others.end(), [&](const StandHypothesis& o) {
    return o.what == h.what && !o.by_outline && FaceAlike(h.table_from_stand, o.table_from_stand) &&
           InContact(h.table_from_stand, o.table_from_stand, box);
  });
}

// Why it is no stand; empty where it is one.
std::optional<std::string> WhyNoStand(const StandLook& look, const StandHypothesis& h,
                                      const MeasuredStand& m,
                                      std::span<const StandHypothesis> others) {
  // Of a base less than this of what no terrain hides is in view only where something else is
  // taken for it.
  constexpr double kLeastVisible = 0.4;
  const auto with_numbers = [&](const char* why) {
    return fmt::format(
        "{}: score {:.2f} (bar {:.2f}, top {:.2f}){}, log-odds {:.1f}, evidence {:.0f} (top "
        "{:.0f}), visible {:.2f}, edges {:.2f}, bar seen {:.2f}, bar {:.0f}, side {:.0f} nats",
        why, h.score, h.bar, h.top, h.by_outline ? " by outline" : "", m.log_odds, m.evidence,
        m.top_evidence, m.stand.visible, m.edges, m.bar_seen, m.bar_evidence, m.side_evidence);
  };
  const bool plain_bar =
      m.independent * std::min(m.bar_evidence, m.side_evidence) >= kUnexpectedStand_nats;
  const double least_top_nats =
      plain_bar && StandsWithFellow(look, h, others) ? 0 : look.least_top_nats;
  if (m.log_odds < 0 || m.independent * m.top_evidence < least_top_nats ||
      m.like < kLeastVisible * m.open)
    return with_numbers("little of it is in view");
  if (LacksPaint(h, m)) return with_numbers("nothing there looks like the side's paint");
  if ((!h.by_outline && h.score >= look.options.least_score) ||
      m.independent * std::min(m.bar_evidence, m.side_evidence) > -kUnexpectedStand_nats)
    return std::nullopt;
  return with_numbers("neither paint nor outline");
}

// The motion of base b that takes it out of base a, over the side of a that it is nearest to; none
// where they do not overlap.
Vec2 PartingMotion(const Pose2& a, Box2 a_box, const Pose2& b, Box2 b_box) {
  const Vec2 apart = b.origin - a.origin;
  if (Norm(apart) > HalfDiagonal(a_box) + HalfDiagonal(b_box)) return {};
  const double depth = OverlapDepth(a, a_box, b, b_box);
  if (depth <= 0) return {};
  const Vec2 local = Rotated(apart, -a.heading_rad);
  const double over_x = std::abs(local.x) / a_box.width_in;
  const double over_y = std::abs(local.y) / a_box.depth_in;
  const Vec2 side =
      over_x > over_y ? Vec2{local.x > 0 ? 1.0 : -1.0, 0} : Vec2{0, local.y > 0 ? 1.0 : -1.0};
  return Rotated(side, a.heading_rad) * depth;
}

// Bases do not overlap: one that was laid over another is tried beside it, and stays there where
// more of it is seen so. Whether any was moved.
// all    the first `count` of them are tried
bool PartOverlapping(const StandLook& look, std::vector<StandHypothesis>& all, std::size_t count) {
  constexpr double kOverlap_in = 0.06;  // what two measurements' errors come to
  const auto motion = [&](const StandHypothesis& from, const StandHypothesis& h) {
    return PartingMotion(from.table_from_stand, look.KindOf(from).footprint, h.table_from_stand,
                         look.KindOf(h).footprint);
  };
  bool any = false;
  for (std::size_t k = 0; k < count; ++k) {
    for (const StandHypothesis& other : all) {
      if (&other == &all[k]) continue;
      const Vec2 apart = motion(other, all[k]);
      if (Norm(apart) < kOverlap_in) continue;
      const double here = WeighStand(look, all[k], all).evidence;
      StandHypothesis beside = all[k];
      beside.table_from_stand.origin = beside.table_from_stand.origin + apart;
      const MeasuredStand there = MeasureStand(look, beside, all);
      if (there.evidence <= here || WhyNoStand(look, beside, there, all)) continue;
      beside.table_from_stand = there.stand.table_from_stand;
      if (Norm(motion(other, beside)) >= kOverlap_in) continue;
      all[k] = beside;
      any = true;
    }
  }
  return any;
}

// Of stands that have come to lie in one another the likeliest stays: two that were found apart may
// be measured in one place.
// kept  indices of those that are believed
void DropRivals(const StandLook& look, std::span<const StandHypothesis> stands,
                std::span<MeasuredStand* const> measured, std::vector<std::size_t>& kept) {
  std::vector<std::size_t> likeliest_first = kept;
  std::stable_sort(likeliest_first.begin(), likeliest_first.end(),
                   [&](std::size_t a, std::size_t b) {
                     return measured[a]->log_odds > measured[b]->log_odds;
                   });
  std::vector<std::size_t> stay;
  for (const std::size_t i : likeliest_first) {
    const StandObservation& one = measured[i]->stand;
    const bool rival = std::any_of(stay.begin(), stay.end(), [&](std::size_t j) {
      const StandObservation& other = measured[j]->stand;
      return OverlapDepth(one.table_from_stand, one.footprint, other.table_from_stand,
                          other.footprint) >= kSame_in;
    });
    if (rival)
      look.NoteDropped(stands[i], "measured in the place of one that is likelier");
    else
      stay.push_back(i);
  }
  std::erase_if(kept, [&](std::size_t i) {
    return std::find(stay.begin(), stay.end(), i) == stay.end();
  });
}

}  // namespace

std::vector<MeasuredStand> MeasureAll(const StandLook& look, std::vector<StandHypothesis>& stands,
                                      std::span<const StandHypothesis> fixed,
                                      std::vector<MeasuredGroup>& known) {
  // Each needs to know where its neighbours are: from the paints first, then as they were measured.
  constexpr double kGap_in =
      0.8;  // a stand heeds what lies 0.6 in beside it, and may move a little
  const std::vector<std::vector<std::size_t>> members = GroupsApart(look, stands, kGap_in);
  std::vector<MeasuredGroup> groups(members.size());
  std::vector<std::optional<StandReading>> read(stands.size());
  InParallel(groups.size(), [&](std::size_t g) {
    for (const std::size_t i : members[g]) groups[g].given.push_back(stands[i]);
    const auto before = std::find_if(known.begin(), known.end(), [&](const MeasuredGroup& one) {
      return one.given == groups[g].given;
    });
    if (before != known.end()) {
      groups[g].measured = before->measured;
      return;
    }
    std::vector<StandHypothesis> all = groups[g].given;
    const std::size_t count = all.size();
    all.insert(all.end(), fixed.begin(), fixed.end());
    for (std::size_t k = 0; k < count; ++k)
      all[k].table_from_stand = WeighStand(look, all[k], all).stand.table_from_stand;
    groups[g].measured.resize(count);
    constexpr int kPartings = 3;
    for (int round = 0; round == 0 || (round <= kPartings && PartOverlapping(look, all, count));
         ++round) {
      for (std::size_t k = 0; k < count; ++k) {
        const StandReading& here = read[members[g][k]].emplace(ReadStand(look, all[k], all));
        all[k].table_from_stand = here.measured.stand.table_from_stand;
        groups[g].measured[k] = here.measured;
      }
    }
  });
  std::vector<MeasuredStand*> measured(stands.size());
  for (std::size_t g = 0; g < groups.size(); ++g)
    for (std::size_t k = 0; k < members[g].size(); ++k)
      measured[members[g][k]] = &groups[g].measured[k];
  std::vector<StandHypothesis> all = stands;
  all.insert(all.end(), fixed.begin(), fixed.end());
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < stands.size(); ++i) {
    MeasuredStand& m = *measured[i];
    if (!IsBelievable(look, stands[i], m, all)) continue;
    // Of a stand that was moved it is known that it is somewhere.
    if (stands[i].by_outline && !look.log_expected) {
      const double trust = TrustOfOutline(look, stands[i], m);
      if (trust < 0.5) {
        look.NoteDropped(stands[i], fmt::format("its outline alone is a stand's by {:.2f}: "
                                                "log-odds {:.1f}, edges {:.2f}, paint off {:.1f}",
                                                trust, m.log_odds, m.edges, m.paint_off));
        continue;
      }
      m.stand.confidence = std::min(m.stand.confidence, trust);
    }
    kept.push_back(i);
  }
  DropRivals(look, stands, measured, kept);
  InParallel(kept.size(), [&](std::size_t k) {
    const std::size_t i = kept[k];
    MeasuredStand& m = *measured[i];
    if (read[i]) m.placed = Placed(look, stands[i], *read[i], m.stand);
  });
  std::vector<MeasuredStand> out;
  std::vector<StandHypothesis> stay;
  for (const std::size_t i : kept) {
    out.push_back(*measured[i]);
    stay.push_back(stands[i]);
  }
  stands = std::move(stay);
  known = std::move(groups);
  return out;
}

std::vector<StandObservation> ObservationsOf(std::span<const MeasuredStand> measured) {
  std::vector<StandObservation> out;
  for (const MeasuredStand& m : measured) out.push_back(m.placed);
  return out;
}

namespace {

// Headings that the outline tells apart.
constexpr double kHeadingsApart_rad = 10 * kDegree;
// Players line a unit up by eye, each stand within so much of the facing (one sigma).
constexpr double kLinedUp_rad = 6 * kDegree;
// A stray stand on one table of ten (see setup_check).
constexpr double kStrays = 0.1;

// Log of how many stands like it the scenario lets expect in a pose.
double LogExpected(const StandLook& look, const StandHypothesis& h) {
  if (look.log_expected) return *look.log_expected;
  const Box2 box = look.KindOf(h).footprint;
  const double poses_per_in2 = 2 * CV_PI / kHeadingsApart_rad / (box.width_in * box.depth_in);
  const TableFrame& frame = look.table.frame;
  const double classes =
      static_cast<double>(look.scenario.sides.size() * look.scenario.kinds.size());
  const double stray =
      std::log(kStrays / (poses_per_in2 * frame.Width() * frame.Depth() * classes));
  double most = stray;
  for (const UnitSpec& unit : look.scenario.units) {
    if (!MayBelongTo(look, unit, h)) continue;
    const double side_in = frame.square_in + 2 * kLeanOut_in;
    const double off =
        WrappedAngle(h.table_from_stand.heading_rad - HeadingFromBearing(BearingOf(unit.facing))) /
        kLinedUp_rad;
    const double peak = std::sqrt(2 * CV_PI) / kLinedUp_rad;
    const double per_pose = unit.stands / (poses_per_in2 * side_in * side_in);
    // One in a few hundred faces another way.
    const double facing =
        std::log(peak * std::exp(-0.5 * off * off) + std::exp(-kUnexpectedStand_nats));
    most = std::max(most, std::log(per_pose) + facing);
  }
  return most;
}

bool IsPlaced(const StandLook& look, const StandHypothesis& h) {
  return look.log_expected ||
         std::any_of(look.scenario.units.begin(), look.scenario.units.end(),
                     [&](const UnitSpec& unit) { return MayBelongTo(look, unit, h); });
}

}  // namespace

double PlaceLogOdds(const StandLook& look, const StandHypothesis& h, const MeasuredStand& m) {
  constexpr double kPerNat = 0.109;      // a square inch
  constexpr double kWholeOutline = 6.5;  // where all of it is seen as edges
  constexpr double kPaintOff = 0.43;     // a sigma squared
  constexpr double kMostOff = 15;
  constexpr double kBar = 0.115;  // an independent nat for its bar
  constexpr double kMostBar_nats = 12;
  constexpr double kBare = 4.8;  // where no figure is seen on it
  constexpr double kToBeginWith = 1.44;
  const Box2 box = look.KindOf(h).footprint;
  return kPerNat * m.log_odds / (box.width_in * box.depth_in) + kWholeOutline * m.edges -
         kPaintOff * std::min(m.paint_off, kMostOff) +
         kBar * std::min(m.independent * m.bar_evidence, kMostBar_nats) - kBare * m.stand.visible +
         kToBeginWith;
}

double LogOdds(const StandLook& look, const StandHypothesis& h, const MeasuredStand& m) {
  return m.independent * m.evidence - 0.5 * m.paint_off + LogExpected(look, h);
}

double Posterior(const StandLook& look, const StandHypothesis& h, const MeasuredStand& m) {
  const double expected = IsPlaced(look, h) ? kUnexpectedStand_nats : 0;
  const double other_side = m.independent * m.side_evidence + expected;
  const double other_kind = m.independent * m.bar_evidence + expected;
  return 1 / (1 + std::exp(-m.log_odds) + std::exp(-other_side) + std::exp(-other_kind));
}

bool LacksPaint(const StandHypothesis& h, const MeasuredStand& m) {
  // Nats a piece, an eighth of what one piece may say at most; and of the whole top.
  constexpr double kPlain_nats = 0.5;
  constexpr double kEnough_nats = 12;
  return h.top < kLeastTop && m.top_evidence < kPlain_nats * m.top_pieces &&
         m.independent * m.top_evidence < kEnough_nats;
}

bool IsBelievable(const StandLook& look, const StandHypothesis& h, const MeasuredStand& m,
                  std::span<const StandHypothesis> others) {
  const std::optional<std::string> why = WhyNoStand(look, h, m, others);
  if (why) look.NoteDropped(h, *why);
  return !why;
}

namespace {

// Whether a stand's bar lies along a line of the grid, so that the line explains it.
bool BarIsGridLine(const StandLook& look, const StandObservation& stand) {
  constexpr double kLine_in = 0.12;  // half of a broad line, and how far players draw them off
  const KindSpec& kind = look.scenario.kinds.at(static_cast<std::size_t>(stand.kind));
  const double front = (kind.footprint.depth_in - kind.bar_depth_in) / 2;
  const double square = look.table.frame.square_in;
  const auto off_line = [square](double v) {
    return std::abs(v - square * std::round(v / square));
  };
  const Vec2 left = stand.table_from_stand * Vec2{-kind.footprint.width_in / 2, front};
  const Vec2 right = stand.table_from_stand * Vec2{kind.footprint.width_in / 2, front};
  return std::max(off_line(left.x), off_line(right.x)) < kLine_in ||
         std::max(off_line(left.y), off_line(right.y)) < kLine_in;
}

}  // namespace

bool IsBelievableAnywhere(const StandLook& look, const StandHypothesis& h, const MeasuredStand& m,
                          std::span<const StandHypothesis> others) {
  // The scenario does not expect it, and a table has thousands of places: its paints, its own bar
  // and its outline must each give evidence.
  constexpr double kLeastEvidence_nats = 60;
  constexpr double kLeastBar_nats = 20;
  constexpr double kLeastSide_nats = 10;
  constexpr double kLeastEdges = 0.3;
  if (!IsBelievable(look, h, m, others)) return false;
  if (!look.table.frame.Contains(m.stand.table_from_stand.origin)) {
    look.NoteDropped(h, "no stranger: it lies beside the board");
    return false;
  }
  if (BarIsGridLine(look, m.stand)) {
    look.NoteDropped(h, "no stranger: its bar is a line of the grid");
    return false;
  }
  if (h.score >= kLeastStrangerScore &&
      std::min(m.evidence, m.patch_evidence) >= kLeastEvidence_nats &&
      m.bar_evidence >= kLeastBar_nats && m.side_evidence >= kLeastSide_nats &&
      m.edges >= kLeastEdges)
    return true;
  look.NoteDropped(h, fmt::format("no stranger: score {:.2f}, evidence {:.0f}, against what lies "
                                  "beside it {:.0f}, bar {:.0f}, side {:.0f} nats, edges {:.2f}",
                                  h.score, m.evidence, m.patch_evidence, m.bar_evidence,
                                  m.side_evidence, m.edges));
  return false;
}

void SeparateFootprints(std::vector<StandObservation>& stands) {
  constexpr int kRounds = 4;
  for (int round = 0; round < kRounds; ++round) {
    for (std::size_t i = 0; i < stands.size(); ++i) {
      for (std::size_t j = i + 1; j < stands.size(); ++j) {
        StandObservation& a = stands[i];
        StandObservation& b = stands[j];
        const Vec2 apart =
            PartingMotion(a.table_from_stand, a.footprint, b.table_from_stand, b.footprint);
        const double depth = Norm(apart);
        if (depth <= 0) continue;
        const Vec2 axis = apart * (1 / depth);
        const double va = VarianceAlong(a.centre_cov, axis) + 1e-9;
        const double vb = VarianceAlong(b.centre_cov, axis) + 1e-9;
        a.table_from_stand.origin = a.table_from_stand.origin - axis * (depth * va / (va + vb));
        b.table_from_stand.origin = b.table_from_stand.origin + axis * (depth * vb / (va + vb));
      }
    }
  }
}

}  // namespace fos
