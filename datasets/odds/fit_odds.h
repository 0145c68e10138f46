// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <vector>

#include "datasets/odds/labelled_things.h"
#include "engine/table/result.h"

// How much each term of the odds of vision/shots/shot_odds.h should count: logistic regression,
// whose weighted sum of the terms is the ln of the odds that what is asked is so (Cox, 1958).
namespace fos {

struct OddsExample {
  std::string table;
  std::vector<double> terms;
  bool is_so = false;
  double weight = 1;
};

struct OddsQuestion {
  std::string name;  // "swab", "tip", "shell"
  std::vector<std::string> terms;
  std::vector<double> in_use;  // weights
  std::vector<OddsExample> examples;
};
// The questions that these things answer. Which end is dipped is asked where it is a swab.
// errors  kBadFormat where things have other terms than those in use: another version wrote
//         them.
Result<std::vector<OddsQuestion>> QuestionsOf(std::span<const LabelledThing> things);

// How well stated chances fit what is so.
struct OddsCheck {
  double log_loss = 0;           // nats for one example
  double calibration_error = 0;  // expected, of ten bins of chance
};
struct FittedOdds {
  std::vector<double> weights;  // of each term
  OddsCheck now;                // of the weights given
  OddsCheck fitted;             // of each fifth of the tables by a fit to the others
};
// FOS_CHECKs that there are examples of both answers.
FittedOdds FitOdds(const OddsQuestion& question);

}  // namespace fos
