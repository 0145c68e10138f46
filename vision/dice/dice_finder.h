// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <opencv2/core.hpp>
#include <vector>

#include "engine/table/shapes.h"
#include "vision/dice/die_model.h"
#include "vision/image/patch.h"
#include "vision/scene/terrain_map.h"
#include "vision/shots/shot_detector.h"

namespace fos {

// Priors and prices of what a changed place may be, and from when a die is taken for one.
struct DiceMargins {
  double cocked = 0.03;  // share of dice that lean on something
  double no_die = 0.3;   // share of things of a die's size that are none
  // A cube at this tilt must explain so much more than a flat one, of what that explains.
  double cocked_share = 0.15;
  double cocked_tilt_rad = 0.25;
  double floor = 2e-4;  // chance that the model misses what a die shows, of each other value
  // Numbers differ in few pixels, whose errors are not independent: their differences mean as much
  // less.
  double shared = 1.5;
  // Of what the pips explain, how much less another face beside this one must explain for a nat: a
  // shell that is turned by 45 degrees has dark ground in the corners of a larger face, and so
  // shows a five nearly as well as its one mark.
  double face_share = 0.15;
  double pose_share = 0.05;  // likewise of all that the poses explain, which is a little of either
  // A thing with less chance to be a die is left to others: by what its rivals explain, and by how
  // often places that look so are dice.
  double is_die = 0.5;
  double taken = 0.4;
  // Nats over "nothing came", at the least. A swab's end in a coarse picture has 72: pips and body
  // must tell it from a die, this only spares the search for what shows next to nothing.
  double evidence = 40;
  double pips = 8;   // and nats by which its pips help
  double body = 15;  // and nats of what is beside them
  // Code values between body and pips: what a coder leaves of a die that has gone is fainter.
  double contrast = 24;
  // And between what was there and its upper face, in the mean: other light changes less.
  double change = 16;
  double read = 0.97;  // a value with less chance is asked about
  double called_cocked = 0.5;
  // Of an unknown thing's log likelihood, what it must explain: a die's parts have one colour each.
  double explained = 0.75;
};
inline constexpr DiceMargins kDiceMargins;

// A die that came to rest, or something taken for one.
struct DieFound {
  static constexpr std::size_t kMostFaces = 12;
  int faces = 6;  // 6: a cube with pips; 12: a numbered dodecahedron
  // The most likely number of the upper face, and every number's chance given that it is a die that
  // lies flat: p[0] is that of a one.
  int value = 0;
  std::array<double, kMostFaces> p{};
  double p_cocked = 0;  // that it leans on something: throw again
  double p_die = 0;     // that it is a die at all
  double p_right = 0;   // that it is one and shows the value, given that it lies flat

  Vec2 centre;         // of the die, straight below, inches
  double side_in = 0;  // between opposite faces
  double height_in = 0;       // of its upper face above the cloth
  std::vector<Vec2> top;      // corners of the upper face, straight below, inches
  Colour body;                // as the camera sees them
  Colour pips;
  // The outline of what it covers in the pictures given, sides included.
  std::vector<cv::Point> covered;

  double P() const { return value > 0 ? p[static_cast<std::size_t>(value - 1)] : 0; }
};

// The chance that the value is right: that it is a die, lies flat and shows it.
double ChanceOf(const DieFound& die);
// Whether the value is taken, and whether it is called cocked; else the players are asked.
bool IsRead(const DieFound& die);
bool IsCocked(const DieFound& die);

// Whether two dice look as those of one set do: of one size and in the same colours.
bool OfOneMake(const DieFound& a, const DieFound& b);

// All dice among what is new in `where`.
// faces  of the dice that may lie there: 6 for cubes with pips, 12 for numbered ones
std::vector<DieFound> FindDice(const ShotPictures& pictures, const TerrainMap& terrain,
                               const TableBox& where, const std::vector<int>& faces = {6});

// The log likelihood over "no die" of the cube with pips, or with none, that suits a place best.
// about  where it is thought to lie
double CubeThere(const DieModel& model, const DiePose& about);

// Takes found dice out of the pictures, with the shadows they cast: they look as if the dice had
// always been there, and nothing changed.
void HideDice(const std::vector<DieFound>& dice, ShotPictures& pictures);

}  // namespace fos
