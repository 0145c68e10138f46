// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "vision/shots/shot_detector.h"

// Which of the projectiles that the detectors propose are ones, by the odds of the image model.
namespace fos {

// When a projectile is measured, asked about, or left for an unknown thing. The shares are of what
// the best other hypothesis explains (SwabExplanation::explained).
struct ExplanationMargins {
  // Over this the thing is measured. Of 29 swabs in 14 labelled clips none is below 0.9; pencils,
  // dice, sleeves and moved stands are below 0.64.
  double measured = 0.85;
  // Between this and that people are asked.
  double asked = 0.62;
  // The share of it that is in view: less than this leaves an end to guess, and it is not measured by
  // the model alone; of which less than half is seen, anything may be the rest.
  double alone_in_view = 0.75;
  double alone_asked_in_view = 0.5;
  // The same: what is more open than this shows at least one whole end, a tenth of it each. What
  // the ends and the white of one in cover tell is no reason to pass over it.
  double open_in_view = 0.9;
  // Evidence that anything has come at all, in nats. Coding and noise alone give less than ten.
  double least_evidence = 40;
  // Of a whole swab, fifty times as many pixels: drifting shadows under a hand's edge give up to
  // 120.
  double evidence = 150;
  // What a shell leaves unexplained of what another hypothesis explains counts one against it for
  // every so much of it: a shell is a fifth of a swab's pixels, so that shares of its evidence differ
  // more. Of 43 shells on 26 made-up tables 35 left nothing, and the least explained 0.65; other
  // things explain any share. A search that will come to less than the second is given up.
  double unexplained_share = 1.0 / 15;
  double searched_shell = 0.6;
  // A shell that explains as much of a place needs no other one about it.
  double whole_shell = 0.9;
  // The model alone, where the detector measured no swab, measures one only by so much: of what
  // there is to explain, and in nats.
  double alone = 0.8;
  double alone_evidence = 300;
  // How much longer or shorter it may be than stated, inches: what packets of swabs differ by, and a
  // pixel. A swab fitted to another thing ends at the limit of the search, 0.23.
  double longer_in = 0.19;
  // Before its thickness is seen, ln of the odds that a thing of a swab's length, white and with
  // two ends, is one and no rod: ten to one.
  double swab_prior = 2.3;
  // Its thick ends tell as much as end_odds for every so many nats, or for this share of its
  // evidence: the misfit grows with the contrast as the evidence does. Of 46 swabs on 29 made-up
  // tables 45 are explained 10.7 nats better than by a rod, or more; 12 matches, toothpicks and
  // straws 9 nats worse, or more.
  double thick_ends = 20;
  double thick_ends_share = 0.01;
  // ln of the odds at which people are asked at all: one in a hundred.
  double asked_odds = -4.6;
  // Where the detector saw nothing white, the cotton is at least this light, of the ground: no ground
  // is much lighter than cotton, and a shadow is darker.
  double over_ground = 0.75;
  // On white ground cotton is told by how light it is compared with the markers' paper.
  double white_of_paper = 0.5;
  // What is less than this light, of what was there before, is no cotton: something has been taken
  // away and has bared the ground.
  double bared = 0.5;
  // But where its place looked more like the ground about it before, by so many nats, people are asked:
  // on white ground cotton in its own shade is that dark. A shell of which the same holds is no patch of
  // light.
  double came = 40;
  // Cotton is at least this light, of paper in its place: it is as white, one flank of it lies in its
  // own shade, and a shadow may fall on it. The labelled clips' swabs are over half as light; strips
  // of dark cloth that the sun has reached are under a seventh.
  double of_paper = 0.25;
  // Its picture changed along it at least twice as much as beyond one of its ends.
  double goes_on = 0.5;
  // It is no edge of a shadow that has moved: the clips' swabs give 1, such edges 0 to 0.65.
  double off_moved_edge = 0.7;
  // What has come is told as a thing up to this size, square inches, though other light explains it
  // as well: twice what a swab covers with its shadow.
  double small_in2 = 2;
  // One end is told where the other has a chance of two in a hundred (as SwabPriors::wrong_end): ln
  // of the odds. They are the sum of what the pixels say and what the colours of both ends say
  // (SwabExplanation::painted_tip).
  double end_odds = 3.9;
  // The pixels alone say as much where one end is the likelier by so many nats, and by this share
  // of all that the swab explains: the misfit grows with the contrast as the evidence does.
  double ends = 20;
  double ends_share = 0.05;
  // The dip's colour may cost so much: three sigmas. What is dark for another reason, a shadow that
  // falls on an end, tells no end.
  double unlike_dip = 4.5;
  // Where it costs more, or the colours of the ends do not speak for it by agreed_end_odds, the share
  // must be this: of 120 swabs on made-up tables the wrong end was the likelier one by up to 0.085,
  // and always there.
  double odd_ends_share = 0.1;
  // Where detector and model agree on the dipped end, these odds are enough. Of 27 swabs on made-up
  // tables 7 had less by their pixels, and 2 of those the wrong end; of the others none had.
  double agreed_end_odds = 2.3;
  // How well the image model itself places a tip, one sigma, inches along and across the swab: the
  // error of its poses on 23 swabs of the labelled clips.
  double along_in = 0.055;
  double across_in = 0.017;
  // The same across, where the cotton is no lighter than the ground: its shaded flank and its shadow
  // show, and run into one another. Root mean square error of 24 swabs on made-up tables; of 16 whose
  // cotton was up to twice as light as the ground it was 0.03.
  double across_unseen_in = 0.04;
  // A shell's mark is there when it helps by this many nats: by chance one in 20,000 does. Where it
  // does not, the detector's place of it is doubted by this much more, one sigma, inches.
  double mark = 10;
  // And by this share of what a mark of the usual size and the scenario's paint would: pens run dry,
  // but a figure's shade is fainter still.
  double mark_share = 0.2;
  double shell_in = 0.04;
  // A mark that is not seen for sure lies no further off the middle than this, two sigmas, inches.
  double mark_off_middle_in = 0.06;
  // The finest place a shell's mark is known to, one sigma, pixels: coding moves it by so much.
  double shell_px = 0.2;
  // How well the height of its top is known, one sigma, inches: clubs cut them as thick as they like.
  double shell_height_in = 0.05;
  // Another shape speaks one against a shell for every so many nats that it explains more, or this
  // share of the evidence: rounded corners and uneven sides are no shape of the model's. Of 43 shells
  // on 26 made-up tables other shapes explained no more than 0.06 more; of 60 other things half over
  // 0.15.
  double shape = 10;
  double shape_share = 0.03;
  // The share where something may hide a part of it. Other shapes fit a part as well; but one that
  // explains half as much again is larger than a shell.
  double hidden_shape_share = 0.5;
  // What has more against it by its shape is not measured, whatever else speaks for it: a button of a
  // shell's paint differs from it by that alone.
  double measured_shape = -2;
  // By how much it must be likelier than a pushed figure, as a share of its evidence. Of 46 shells on
  // made-up tables two have less than twice this; no pushed figure of five has as much.
  double pushed_share = 0.05;
  // A shell is measured where the ln of the odds that it is one is at least this: 19 to 1. They are the
  // sum of what follows.
  double shell_odds = 3;
  // Before anything is seen, 10 to 1: what comes to rest in a game and fits a shell mostly is one.
  double shell_prior = 2.3;
  // A mark is seen: on nine shells of ten, and on one other thing in five.
  double shell_marked = 1.5;
  // A fainter spot helps by this many nats, as chance does once in 150 times. One other thing in ten
  // has one, and seven in ten have none at all.
  double mark_faint = 5;
  double faint_elsewhere = 0.1;
  double none_elsewhere = 0.7;
  // How the width of marks varies, one sigma, as a share of the usual one (kMark_in in shell_model);
  // and by how many nats chance alone helps.
  double mark_width_share = 0.4;
  double mark_chance = 3;
  // One shell in a hundred has no mark. A coder drops up to three faint marks of ten, and e times fewer
  // for every 60 nats that a usual mark would have helped by: for 20 marks that were not seen on made-up
  // tables that was 46 to 103.
  double unmarked = 0.01;
  double mark_plain = 120;  // nats: over this no coder drops a mark
  double mark_coded_out = 0.3;
  double mark_coded_out_nats = 60;
  // How the sides of shells vary, one sigma, as a share: clubs cut them by eye. Other things are up to
  // so many times as large or as small.
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
  // With less of its top in view it is not measured, and with less not even asked about.
  double shell_measured_in_view = 0.8;
  double shell_in_view = 0.5;
};
inline constexpr ExplanationMargins kExplanationMargins;
inline constexpr const char* kMayBeAnotherThing = "nothing: it may be another thing";

// Turns what may be something else into a question, measures what the detector saw without being
// able to tell its ends, and takes away what neither of them can measure.
// hidden  as of HiddenMask
void JudgeSwabs(std::vector<ProjectileFinding>& swabs, const ShotPictures& pictures,
                const TerrainMap& terrain, double level_in, const SwabShape& shape,
                const cv::Mat& hidden);

// Whether a thing has come or gone where the picture changed, or only the light is another there.
bool ShowsNewThing(const ShotPictures& pictures);

// A swab in `where` that the detector has not proposed: one that is hardly told from the ground by
// its colour, but has its shadow, its dip and its shape. Not measured where its ends are not told.
std::optional<ProjectileFinding> FindSwabByModel(const ShotPictures& pictures,
                                                 const TerrainMap& terrain, const TableBox& where,
                                                 double level_in, const SwabShape& shape,
                                                 const cv::Mat& hidden);

}  // namespace fos
