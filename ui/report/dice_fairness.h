// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "engine/table/die_faces.h"

namespace fos {

// One entry for each number from 1 on; those that a kind of die has no face for are 0.
using ByFace = std::array<double, 12>;

// What a die of this kind shows in the long run: the share of each number.
ByFace FaceShares(DieFaces kind);

// How likely it is that a chi-square variable is larger than x.
// dof  degrees of freedom, odd
// source  Abramowitz & Stegun, 26.4.4, 26.4.8.
double ChiSquareTail(double x, int dof);

// The throws of some dice, and whether they look fair.
struct DiceRecord {
  std::string who;  // "thrown at table-1", "drawn by the program", "seen by the camera of table-1"
  DieFaces kind = DieFaces::kOrdinary;
  std::int64_t throws = 0;
  // How often each number came, to be expected from the chances of the readings. Whole numbers
  // where nothing is doubtful.
  ByFace faces{};
  double certain = 0;   // how many certain readings tell as much as these
  double mistakes = 0;  // how many of the readings are wrong, to be expected

  // A reading: the chance of each number, of sum 1.
  void Add(const ByFace& chances);
  // A number that is this one with that chance; the rest falls to what else the kind can show.
  void Add(int face, double chance = 1);

  int DegreesOfFreedom() const;
  // Pearson's statistic against fair dice. Doubtful readings vary less than dice do: it counts
  // `certain`, not `throws`.
  double ChiSquare() const;
  // How likely fair dice give one at least as large.
  double Likelihood() const;
  // The same if all mistakes were made so that the dice look as unfair as they do.
  double LikelihoodAtWorst() const;
};

// Below this likelihood fair dice are out of the question, though a club looks at many dice for
// many seasons.
inline constexpr double kBeyondDoubt = 1e-5;
// With fewer than five of each number to be expected, chi-square says nothing.
std::int64_t LeastDice(DieFaces kind);
// How many throws show, in nine of ten cases, that a die throws its highest number half as often
// again as it should: in a quarter of all throws instead of a sixth, or in an eighth instead of a
// twelfth.
std::int64_t ThrowsNeeded(DieFaces kind);

// For players: what the throws say about the dice. One or two sentences.
std::string FairnessInWords(const DiceRecord& dice);

}  // namespace fos
