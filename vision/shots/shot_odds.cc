// SPDX-License-Identifier: MIT
#include "vision/shots/shot_odds.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace fos {
namespace {

constexpr double kNever = -1e9;

// How much it is likelier that its ends are thick than that it is a rod, for 1 % of the evidence or
// for so many nats: the misfit grows with the contrast as the evidence does.
double OverRod(const SwabExplanation& seen) {
  constexpr double kLeast = 20;
  return std::clamp(seen.over_rod / std::max(kLeast, 0.01 * seen.over_nothing), -4.0, 1.0);
}
// The share of its evidence by which its dip lies at this end and not at the other.
double OverOtherEnd(const SwabExplanation& seen) {
  constexpr double kLeast = 50;
  return std::clamp(seen.over_other_end / std::max(kLeast, seen.over_nothing), 0.0, 0.4);
}
// By how many code values its dip differs from what was there, as a logarithm.
double LogContrast(const SwabExplanation& seen) {
  return std::log(std::max(seen.tip_contrast, 2.0));
}
// ln of the odds that its tip is the painted end, by the colours of both; little is as sure.
double PaintedTip(const SwabExplanation& seen) { return std::clamp(seen.painted_tip, -4.0, 8.0); }
double PaintedTipAtLeast(const SwabExplanation& seen) {
  return std::clamp(seen.painted_tip_least, -2.0, 8.0);
}

double Below(double sigmas) { return 0.5 * std::erfc(-sigmas / std::numbers::sqrt2); }
// Each of these: ln of how much likelier what is seen is of a shell than of another thing that a
// shell explains as well.
double MarkOdds(const ShellExplanation& seen) {
  const ExplanationMargins& m = kExplanationMargins;
  if (MarkSeen(seen)) return m.shell_marked;
  // Evidence grows with the fourth power of a mark's width: with the square of its area. So the
  // nats that were seen say how wide it is, and few marks are as narrow as one that is not seen.
  const double width = std::pow(
      (std::max(seen.mark_nats, 0.0) + m.mark_chance) / std::max(seen.mark_expected, m.mark_chance),
      0.25);
  const double unseen = m.unmarked + Below((width - 1) / m.mark_width_share) +
                        m.mark_coded_out * std::exp(-seen.mark_expected / m.mark_coded_out_nats);
  const double elsewhere = seen.mark_nats >= m.mark_faint ? m.faint_elsewhere : m.none_elsewhere;
  return std::log(std::min(unseen, 1.0) / elsewhere);
}
double SizeOdds(const ShellExplanation& seen, double size_in) {
  const ExplanationMargins& m = kExplanationMargins;
  const double scales = 2 * std::log(m.other_sizes);
  // What is as large as the search looks for is as large at least.
  if (seen.size_in >= m.larger * size_in) {
    const double share = (0.5 * scales - std::log(m.larger)) / scales;
    return std::log(Below(-std::log(m.larger) / m.shell_size_share) / share);
  }
  const double off = std::log(seen.size_in / size_in) / m.shell_size_share;
  return -0.5 * off * off +
         std::log(scales / (m.shell_size_share * std::sqrt(2 * std::numbers::pi)));
}
// may_be_hidden  something that stands there may hide a part: its shape says little
double ShapeOdds(const ShellExplanation& seen, bool may_be_hidden) {
  const ExplanationMargins& m = kExplanationMargins;
  const double share = may_be_hidden ? m.hidden_shape_share : m.shape_share;
  return std::min(seen.over_other_shapes / std::max(m.shape, share * seen.over_nothing),
                  m.own_shape);
}

}  // namespace

std::array<double, 13> SwabTerms(const SwabExplanation& seen, bool by_detector) {
  constexpr double kLeast = 10;  // nats
  constexpr double kUsual_in = 0.1;
  return {1,
          by_detector ? 1.0 : 0.0,
          std::log(std::max(seen.over_nothing, kLeast) / (seen.px_per_in * seen.px_per_in)),
          LogContrast(seen),
          PaintedTipAtLeast(seen),
          OverOtherEnd(seen),
          OverRod(seen),
          std::abs(seen.longer_in),
          std::abs(seen.cotton_in - kUsual_in),
          std::min(seen.goes_on, 1.5),
          std::log(std::clamp(seen.of_paper, 0.14, 1.6)),
          seen.no_cotton ? 1.0 : 0.0,
          1 - seen.in_view};
}
bool PossibleSwab(const SwabExplanation& seen) {
  const ExplanationMargins& m = kExplanationMargins;
  // Ground that a thing has bared; but on white ground cotton in its own shade is as dark.
  const bool bared = seen.over_ground < m.bared && seen.came < m.came;
  return seen.explained >= m.searched_swab && !bared;
}
double SwabOdds(const SwabExplanation& seen, bool by_detector) {
  return PossibleSwab(seen) ? SumOf(SwabTerms(seen, by_detector), kSwabWeights) : kNever;
}

std::array<double, 4> TipTerms(const SwabExplanation& seen) {
  return {1, PaintedTip(seen), OverOtherEnd(seen), std::min(seen.unlike_dip, 8.0)};
}
double TipOdds(const SwabExplanation& seen) { return SumOf(TipTerms(seen), kTipWeights); }
bool TipTold(const SwabExplanation& seen) { return TipOdds(seen) >= kExplanationMargins.told_end; }
bool TipToldAlone(const SwabExplanation& seen) {
  const ExplanationMargins& m = kExplanationMargins;
  return TipTold(seen) && std::max(seen.dip_nats, seen.over_rod) >= m.unlike_rod;
}

std::array<double, 11> ShellTerms(const ShellExplanation& seen, bool may_be_hidden,
                                  double size_in) {
  constexpr double kLeast = 10;      // nats
  constexpr double kFarFromIt = -4;  // more against its shape says no more
  const double nats = std::max(seen.over_nothing, kLeast);
  return {1,
          seen.colour_odds,
          MarkOdds(seen),
          SizeOdds(seen, size_in),
          std::max(ShapeOdds(seen, may_be_hidden), kFarFromIt),
          std::log(nats / (seen.px_per_in * seen.px_per_in)),
          std::log(seen.px_per_in),
          1 - seen.explained,
          std::clamp(seen.over_pushed / nats, 0.0, 1.0),
          seen.may_be_shade ? 1.0 : 0.0,
          1 - seen.in_view};
}
double ShellOdds(const ShellExplanation& seen, bool may_be_hidden, double size_in) {
  return SumOf(ShellTerms(seen, may_be_hidden, size_in), kShellWeights);
}

bool MarkSeen(const ShellExplanation& seen) {
  return seen.mark_nats >=
         std::max(kExplanationMargins.mark, kExplanationMargins.mark_share * seen.mark_expected);
}
bool IsSwab(const SwabExplanation& seen, bool by_detector) {
  const ExplanationMargins& m = kExplanationMargins;
  return SwabOdds(seen, by_detector) >= m.measured_swab && seen.explained >= m.measured_explained &&
         seen.of_paper >= m.of_paper && seen.came >= m.came;
}
bool PossibleShell(const ShellExplanation& seen) {
  const ExplanationMargins& m = kExplanationMargins;
  return std::min(seen.over_nothing, seen.over_shadow) >= m.least_evidence &&
         seen.in_view >= m.shell_in_view && seen.contrast >= m.faint_contrast &&
         !seen.may_be_light && seen.over_pushed >= 0;
}
bool MayBeShell(const ShellExplanation& seen, bool may_be_hidden, double size_in) {
  const ExplanationMargins& m = kExplanationMargins;
  return PossibleShell(seen) &&
         ShellOdds(seen, may_be_hidden, size_in) >=
             (seen.contrast >= m.contrast ? m.asked_shell : m.measured_unmarked);
}
bool IsShell(const ShellExplanation& seen, bool may_be_hidden, double size_in) {
  const ExplanationMargins& m = kExplanationMargins;
  // Where a mark would be plain to see and there is none, it may be the end of a yellow tape, a
  // coin or a tuft of wool: a faint spot in its place may be chance.
  const bool may_have_mark = seen.mark_nats >= m.mark || seen.mark_expected < m.mark_plain;
  // What shows no mark and has no shell's shape either has the colour and the size of one alone.
  const bool more_than_colour = seen.mark_nats >= m.mark_faint ||
                                seen.over_other_shapes >= -m.shape_share * seen.over_nothing;
  // Where the place looks more like the ground about it now, something has gone; where it looks as
  // much like it as before, nothing has come.
  const bool has_come = seen.came >= m.shell_came * seen.over_nothing;
  return MayBeShell(seen, may_be_hidden, size_in) && has_come && seen.contrast >= m.contrast &&
         may_have_mark && more_than_colour && !seen.like_light && seen.beside <= m.beside &&
         seen.size_in < m.larger * size_in && seen.in_view >= m.shell_measured_in_view &&
         ShapeOdds(seen, may_be_hidden) >= m.measured_shape &&
         seen.over_pushed >= m.pushed_share * seen.over_nothing &&
         ShellOdds(seen, may_be_hidden, size_in) >=
             (MarkSeen(seen) ? m.measured_shell : m.measured_unmarked);
}

ThingChange ChangeOfThings(const Alternatives& seen, bool small) {
  const ExplanationMargins& margins = kExplanationMargins;
  const double thing = std::max(seen.unknown, seen.bared);
  if (thing < margins.least_evidence) return ThingChange::kNone;
  if (thing > seen.relit) {
    const bool bare = seen.bared >= seen.unknown && seen.came < 0;
    return bare ? ThingChange::kWent : ThingChange::kCame;
  }
  // A grey thing looks like other light where the ground is plain. What is small is told all the
  // same where it has come: rather a line too many in the log than silence about a shot.
  if (!small || std::abs(seen.came) < margins.small_came) return ThingChange::kNone;
  const bool told = seen.came > 0 || seen.unknown > margins.small_share * seen.relit;
  return told ? ThingChange::kCame : ThingChange::kWent;
}

}  // namespace fos
