// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "vision/shots/change_window.h"
#include "vision/shots/shell_model.h"
#include "vision/shots/swab_model.h"

// The odds by which the image model decides what a thing is, and the margins at which it is
// measured or asked about. How much each term counts is fitted; datasets/README.md says how to fit
// them anew.
namespace fos {

// When a projectile is measured, asked about, or left for an unknown thing. The shares are of what
// the best other hypothesis explains (SwabExplanation::explained).
struct ExplanationMargins {
  // A search that will come to less than this is given up. Of 698 swabs of the labelled clips in
  // five looks and on made-up tables one came to less, of 43 shells the least to 0.65.
  double searched_swab = 0.62;
  double searched_shell = 0.6;
  // ln of the odds that a thing is a swab (SwabOdds) at which people are asked, 1 to 12, and at
  // which it is measured, 3 to 1: of 400 that were as likely on made-up tables five were other
  // things.
  double asked_swab = -2.5;
  double measured_swab = 1;
  // What is measured explains at least this share, its white is at least this light, of paper in
  // its place, and something has come there (`came`): of 504 such swabs 13 fall short of it. On
  // plain ground a shade or a coder's blocks explain as much, whatever the odds say.
  double measured_explained = 0.85;
  double of_paper = 0.25;
  // ln of the odds of which end is dipped (TipOdds) at which it is told, 20 to 1: of 206 that were as
  // sure on made-up tables (seeds 600000 to 650000) and in the labelled clips one was the wrong end.
  double told_end = 3;
  // Where a swab with its ends exchanged explains all but this share of the evidence, the ends'
  // colours tell which way it lies: of 21 that the evidence laid the wrong way on those tables and
  // clips they say so of 13, and of one that it laid the right way.
  double told_by_exchange = 0.05;
  // The model alone tells an end only where the dip itself is seen, or its thick ends are, by so
  // many nats: paint as dark as the ground ends any rod that is shorter than a swab. Of 64 swabs on
  // made-up tables (seeds 540000, 550000 and 560000) two have less of both; a straw on dark felt has
  // 13 for a dip, and 7 against thick ends.
  double unlike_rod = 20;
  // With less of it in view an end is left to guess, and the model alone does not measure it.
  double alone_in_view = 0.75;
  // How much longer or shorter it may be than stated, inches, where the model alone measures it:
  // what packets of swabs differ by, and a pixel. A swab fitted to another thing ends at the limit
  // of the search, 0.23.
  double longer_in = 0.19;
  // What is less than this light, of what was there before, is no cotton: something has been taken
  // away and has bared the ground. The model alone does not measure it.
  double bared = 0.5;
  // In the cover of trees and houses people are asked about what may be as long and thin as a swab,
  // with this share of it in view and so many nats: there its ends and its white tell little.
  double cover_in_view = 0.5;
  double open_in_view = 0.9;
  double cover_evidence = 300;
  // Evidence that anything has come at all, in nats. Coding and noise alone give less than ten.
  double least_evidence = 40;
  // A shell that explains as much of a place needs no other one about it.
  double whole_shell = 0.9;
  // Where a place looked more like the ground about it before, by so many nats, something has come:
  // it is no patch of light, and nothing that went.
  double came = 40;
  // A shell is measured where that is at least this share of its evidence. Of 67 on made-up tables
  // (seeds 460000, 480000 and 490000) and in the labelled clips the least had 0.066; figures that
  // were nudged, and left before and after alike, 0.01 and 0.02. On fresh tables (seeds 520000 and
  // 530000) one shell, with 0.027, is asked about for it.
  double shell_came = 0.04;
  // Other light that explains so much of what a shell does may be what it is.
  double as_light = 0.85;
  // What has come is told as a thing up to this size, square inches, though other light explains it
  // as well: what a swab covers with the shadow of a low sun, an inch wide.
  double small_in2 = 3;
  // And no longer than this, inches: a swab with an inch of its shadow.
  double small_long_in = 4;
  // And where it has come by so many nats. Places no larger, on which nothing but the light had
  // changed, had up to 6.6 in the labelled clips, most less than 0; shots and junk that look like
  // other light 9 to 2400 on wild tables.
  double small_came = 8;
  // Or, if it looks more like the ground now, where a thing explains such a share of what other
  // light does: what falls on another thing's shadow hides it. A swab on one had 0.97; places on
  // which nothing but the light had changed 0.95 at the most.
  double small_share = 0.96;
  // How well the image model itself places a tip, one sigma, inches along and across the swab.
  // Along: the error of its poses on 23 swabs of the labelled clips. Across it was 0.012 on them,
  // and 0.024 on 33 of made-up tables.
  double along_in = 0.055;
  double across_in = 0.02;
  // The same across, where the cotton is no lighter than the ground: its shaded flank and its
  // shadow show, and run into one another. Root mean square error of 24 swabs on made-up tables; of
  // 16 whose cotton was up to twice as light as the ground it was 0.03.
  double across_unseen_in = 0.04;
  // The same along, where the detector measures the swab too: of 15 swabs of the labelled clips it
  // was 0.032, of 33 on made-up tables 0.024 (seeds 460000, 480000 and 490000).
  double along_with_detector_in = 0.035;
  // How often the detector's own place is that much worse than it says, one sigma, along and
  // across. On those made-up tables it was 0.055 along and 0.032 across, twice what it stated, and
  // on the clips, whose swabs have the stated length, 0.013 and 0.011, less than stated.
  double along_wide_share = 0.1;
  double along_wide_in = 0.1;
  double across_wide_share = 0.3;
  double across_wide_in = 0.05;
  // A shell's mark is there when it helps by this many nats: by chance one in 20,000 does. Where it
  // does not, the detector's place of it is doubted by this much more, one sigma, inches.
  double mark = 10;
  // And by this share of what a mark of the usual size and the scenario's paint would: pens run
  // dry, but a figure's shade is fainter still.
  double mark_share = 0.2;
  double shell_in = 0.04;
  // Where its top is only darker than what was there, its shadow and a figure's or the sun's edge
  // run into its outline, and its place is doubted by this much more, one sigma, inches: eight such
  // were 0.03 off (median), 59 others on the same tables 0.01 (seeds 460000, 480000 and 490000).
  double shell_as_shade_in = 0.04;
  // A mark that is not seen for sure lies no further off the middle than this, two sigmas, inches.
  double mark_off_middle_in = 0.06;
  // The finest place a shell's mark is known to, one sigma, pixels: coding moves it by so much.
  double shell_px = 0.2;
  // How well the height of its top is known, one sigma, inches: clubs cut them as thick as they
  // like.
  double shell_height_in = 0.05;
  // Another shape speaks one against a shell for every so many nats that it explains more, or this
  // share of the evidence: rounded corners and uneven sides are no shape of the model's. Of 43
  // shells on 26 made-up tables other shapes explained no more than 0.06 more; of 60 other things
  // half over 0.15.
  double shape = 10;
  double shape_share = 0.03;
  // The share where something may hide a part of it. Other shapes fit a part as well; but one that
  // explains half as much again is larger than a shell.
  double hidden_shape_share = 0.5;
  // What has more against it by its shape is not measured, whatever else speaks for it: a button of
  // a shell's paint differs from it by that alone.
  double measured_shape = -2;
  // By how much it must be likelier than a pushed figure, as a share of its evidence. Of 46 shells
  // on made-up tables two have less than twice this; no pushed figure of five has as much.
  double pushed_share = 0.05;
  // ln of the odds that a thing is a shell (ShellOdds) at which people are asked, 1 to
  // 20, and at which it is measured, 5 to 3: of 298 that were as likely on made-up tables, and had
  // nothing below against them, 21 were other things. In games things other than shots are rarer.
  double asked_shell = -3;
  double measured_shell = 0.5;
  // The same where its mark is not seen: 9 to 2. Of 43 that were less likely on made-up tables (seeds
  // 500000 to 502000, 510000 and 511000) 12 were other things, with a mark 3 of 22.
  double measured_unmarked = 1.5;
  // Parts of these odds. A mark is seen: on nine shells of ten, and on one other thing in five.
  double shell_marked = 1.5;
  // A fainter spot helps by this many nats, as chance does once in 150 times. One other thing in
  // ten has one, and seven in ten have none at all.
  double mark_faint = 5;
  double faint_elsewhere = 0.1;
  double none_elsewhere = 0.7;
  // How the width of marks varies, one sigma, as a share of the usual one (kMark_in in
  // shell_model); and by how many nats chance alone helps.
  double mark_width_share = 0.4;
  double mark_chance = 3;
  // One shell in a hundred has no mark. A coder drops up to three faint marks of ten, and e times
  // fewer for every 60 nats that a usual mark would have helped by: for 20 marks that were not seen
  // on made-up tables that was 46 to 103.
  double unmarked = 0.01;
  double mark_plain = 120;  // nats: over this no coder drops a mark
  double mark_coded_out = 0.3;
  double mark_coded_out_nats = 60;
  // How the sides of shells vary, one sigma, as a share: clubs cut them by eye. Other things are up
  // to so many times as large or as small.
  double shell_size_share = 0.12;
  double other_sizes = 3;
  // What its own shape speaks for it at the most.
  double own_shape = 1.5;
  // One that looks so much larger is not measured: no search takes a shell for larger than 1.4, and
  // it may be a die that shows a one.
  double larger = 1.35;
  // A shadow lies this near the thing that casts it, inches: a figure is an inch high.
  double shadow_in = 0.6;
  // The picture changes by more on it than coding changes it where nothing happened, code values
  // (ShotDetectorOptions::least_change).
  double contrast = 12;
  // In deep shade all contrasts are small: from this on people are asked, where the odds would do
  // to measure it without its mark. A shell in a fourth of the light had 6.
  double faint_contrast = 4;
  // Where more of the ground about it than this share has become another colour as plainly, it is a
  // part of a longer thing, or lies with one: people are asked. Of 11 shells of the labelled clips
  // and 90 on made-up tables (seeds 540000 to 590000) the most had 0.022; of seven other things that
  // were measured for shells or nearly, a pencil's point and a fallen figure's base among them, five
  // 0.049 to 0.167.
  double beside = 0.04;
  // With less of its top in view it is not measured, and with less not even asked about.
  double shell_measured_in_view = 0.8;
  double shell_in_view = 0.5;
};
inline constexpr ExplanationMargins kExplanationMargins;

// What speaks for a hypothesis or against it, and how much it counts: nats for one of it.
struct WeighedTerm {
  const char* name;
  double weight;
};
template <std::size_t N>
double SumOf(const std::array<double, N>& terms, const std::array<WeighedTerm, N>& weights) {
  double sum = 0;
  for (std::size_t i = 0; i < N; ++i) sum += terms[i] * weights[i].weight;
  return sum;
}

// For a JudgedThing.
template <std::size_t N>
std::vector<JudgedThing::Number> Named(const std::array<double, N>& terms,
                                       const std::array<WeighedTerm, N>& weights) {
  std::vector<JudgedThing::Number> out;
  for (std::size_t i = 0; i < N; ++i) out.push_back({weights[i].name, terms[i]});
  return out;
}

// ln of the odds that what is explained so is a swab and no other thing. What speaks for it depends
// on one another and is not exact, so how much each counts is fitted: a logistic regression on 574
// swabs and 1041 other things of 420 made-up tables (`evaluate --shots 160 --world wild`, seeds
// 400000, 401000 to 405000), and on 124 swabs and 72 other things of the labelled clips in five
// looks, which count half.
inline constexpr std::array<WeighedTerm, 13> kSwabWeights{{
    {"one", -2.857},
    {"by_detector", 1.986},     // it measures it as well, by colours and edges alone
    {"evidence", 2.334},        // ln of nats for a square inch's pixels
    {"tip_contrast", 0.618},    // ln of code values
    {"painted_tip_least", 0.43},  // nats
    {"over_other_end", 2.829},  // share of the evidence
    {"over_rod", 1.003},        // in 1 % of the evidence
    {"longer", -12.532},        // inches, or shorter
    {"cotton", -13.641},        // inches by which its radius differs from the usual
    {"goes_on", -2.237},        // what changed beyond its ends
    {"of_paper", 0.172},        // ln
    {"no_cotton", -2.521},      // 0 or 1
    {"hidden", -5.605},         // share of it
}};
std::array<double, 13> SwabTerms(const SwabExplanation& seen, bool by_detector);
// Near minus infinity for what is no PossibleSwab.
double SwabOdds(const SwabExplanation& seen, bool by_detector);

// ln of the odds that its tip is the dipped end, given that it is a swab. Fitted to 242 swabs of the
// labelled clips and of made-up tables (seeds 600000 to 650000): the colours of its ends count as they
// are, and how plain the dip is counts for nothing.
inline constexpr std::array<WeighedTerm, 4> kTipWeights{{
    {"one", 0.76},
    {"painted_tip", 0.99},    // nats
    {"over_other_end", 3.8},  // share of the evidence
    {"unlike_dip", -0.3},     // nats
}};
std::array<double, 4> TipTerms(const SwabExplanation& seen);
double TipOdds(const SwabExplanation& seen);
// Whether its odds tell the dipped end, and whether they do without the detector, which looks at the
// profiles of both ends.
bool TipTold(const SwabExplanation& seen);
bool TipToldAlone(const SwabExplanation& seen);

// ln of the odds that it is a shell. Fitted as SwabOdds to 342 shells and 1210 other things of
// those tables, and to 53 shells and 198 other things of the labelled clips, which count three
// times, as their shells differ most from the made-up ones. may_be_hidden  something that stands
// there may hide a part: its shape says little size_in        of the scenario's shells
inline constexpr std::array<WeighedTerm, 11> kShellWeights{{
    {"one", -0.017},
    {"colour", 0.592},  // nats, as are the next three
    {"mark", 0.535},
    {"size", 0.778},
    {"shape", 0.769},
    {"evidence", 0.955},      // ln of nats for a square inch's pixels
    {"pixels", -0.138},       // ln of pixels an inch
    {"unexplained", -8.446},  // share
    {"over_pushed", 3.481},   // share of the evidence
    {"shade", -1.389},        // 0 or 1
    {"hidden", -9.318},       // share of its top
}};
std::array<double, 11> ShellTerms(const ShellExplanation& seen, bool may_be_hidden, double size_in);
double ShellOdds(const ShellExplanation& seen, bool may_be_hidden, double size_in);

// A mark helps by more than chance makes it, and by about as much as one of its paint should.
bool MarkSeen(const ShellExplanation& seen);
// Whether it may be one at all, whatever the odds: it explains enough of what came there, and
// nothing that physics forbids.
bool PossibleSwab(const SwabExplanation& seen);
bool PossibleShell(const ShellExplanation& seen);
// Whether a swab or a shell is measured, all but which end is dipped, and whether people are asked
// about a shell.
bool IsSwab(const SwabExplanation& seen, bool by_detector);
bool IsShell(const ShellExplanation& seen, bool may_be_hidden, double size_in);
bool MayBeShell(const ShellExplanation& seen, bool may_be_hidden, double size_in);

// What a change that no projectile and no stand explains is: a thing that came or went, or nothing
// but other light.
// small  no larger than small_in2 and small_long_in of kExplanationMargins say
enum class ThingChange { kNone, kCame, kWent };
ThingChange ChangeOfThings(const Alternatives& seen, bool small);

}  // namespace fos
