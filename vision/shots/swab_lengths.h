// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace fos {

// The length of the swabs in play, pooled over those seen whole. A bag's swabs are alike.
class SwabLengths {
 public:
  // length_in, sigma_in  as measured between both ends
  void Add(double length_in, double sigma_in);

  int Count() const { return count_; }
  double Mean() const;   // inches; FOS_CHECKs that there are some
  double Sigma() const;  // of one swab's length: spread and error of the mean, inches
  // "Swabs here are 2.90 in long; scenario.toml says 3.00." and what to do, when the pooled length
  // contradicts a stated one; empty while it does not, or when this was said before.
  // shown  the stated length was measured by `calibrate projectiles`, not read from the scenario.
  std::string Contradicts(double stated_in, double stated_sigma_in, bool shown);

 private:
  int count_ = 0;
  double weight_ = 0;  // sum of 1 / variance
  double sum_ = 0;
  double square_ = 0;
  bool said_ = false;
};

}  // namespace fos
