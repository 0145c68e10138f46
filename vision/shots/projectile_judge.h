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
  // The same for shells, which are a fifth of a swab's pixels: of 11 shells none is below 0.78.
  double measured_shell = 0.75;
  // Between this and those people are asked.
  double asked = 0.62;
  // Evidence that anything has come at all, in nats. Coding and noise alone give less than ten.
  double least_evidence = 40;
  // Of a whole swab, fifty times as many pixels: drifting shadows under a hand's edge give up to
  // 120.
  double evidence = 150;
  // The same for shells that the detector cannot measure either.
  double asked_shell = 0.45;
  // The model alone, where the detector saw no swab, measures one only by so much: of what there is
  // to explain, and in nats. A matchstick on cloth gave 0.94 and 850.
  double alone = 0.95;
  double alone_evidence = 1000;
  // Where the detector saw nothing white, the cotton is at least this light, of the ground: no ground
  // is much lighter than cotton, and a shadow is darker.
  double over_ground = 0.75;
  // Cotton is at least this light, of paper in its place: it is as white, one flank of it lies in its
  // own shade, and a shadow may fall on it. The labelled clips' swabs are over half as light; strips
  // of dark cloth that the sun has reached are under a seventh.
  double of_paper = 0.25;
  // Its picture changed along it at least twice as much as beyond one of its ends.
  double goes_on = 0.5;
  // It is no edge of a shadow that has moved: the clips' swabs give 1, such edges 0 to 0.65.
  double off_moved_edge = 0.7;
  // Cotton this much lighter than the ground stands out by a quarter of its code value: the detector
  // sees it by itself, and where it does not, the thing is no plain swab.
  double stands_out = 1.6;
  // What has come is told as a thing up to this size, square inches, though other light explains it
  // as well: twice what a swab covers with its shadow.
  double small_in2 = 2;
  // By how much one end must be the likelier dipped one, in nats. The image model's misfit is
  // alike at both ends to about a tenth of this.
  double ends = 20;
  // Also this share of all that the swab explains: the misfit
  // grows with the contrast as the evidence does.
  double ends_share = 0.05;
  // How well the image model itself places a tip, one sigma, inches along and across the swab: the
  // error of its poses on 23 swabs of the labelled clips.
  double along_in = 0.055;
  double across_in = 0.017;
  // Those hold where this share of the tip is in view.
  double tip_in_view = 0.8;
  // A shell's mark is there when it helps by this many nats: by chance one in 20,000 does. Where it
  // does not, the detector's place of it is doubted by this much more, one sigma, inches.
  double mark = 10;
  double shell_in = 0.04;
};
inline constexpr ExplanationMargins kExplanationMargins;

// Turns what may be something else into a question, measures what the detector saw without being
// able to tell its ends, and takes away what neither of them can measure.
// hidden  as of HiddenMask
void JudgeSwabs(std::vector<ProjectileFinding>& swabs, const ShotPictures& pictures,
                const TerrainMap& terrain, double level_in, const SwabShape& shape,
                const cv::Mat& hidden);

// Takes away shells where nothing new lies, or only the light is another.
// thickness_in  of a shell
// others        what else came, whose pixels say nothing of a shell
void JudgeShells(std::vector<ProjectileFinding>& shells, const ShotPictures& pictures,
                 const ProjectileSpec& spec, double thickness_in,
                 const std::vector<Polygon>& others);

// Whether a thing has come or gone where the picture changed, or only the light is another there.
bool ShowsNewThing(const ShotPictures& pictures);

// A swab in `where` that the detector has not proposed: one that is hardly told from the ground by
// its colour, but has its shadow, its dip and its shape. Not measured where its ends are not told.
std::optional<ProjectileFinding> FindSwabByModel(const ShotPictures& pictures,
                                                 const TerrainMap& terrain, const TableBox& where,
                                                 double level_in, const SwabShape& shape,
                                                 const cv::Mat& hidden);

}  // namespace fos
