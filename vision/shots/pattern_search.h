#pragma once

#include <cstddef>

namespace fos {

// Maximises score(pose) by pattern search (Hooke and Jeeves, 1961): each way of moving the pose by
// itself, with steps that halve from step_px to least_px.
// moved(pose, way, by)  the pose moved one way by so many pixels; ways are counted from 0
template <typename Pose, typename Score, typename Move>
Pose PatternSearch(Pose pose, double step_px, double least_px, std::size_t ways,
                   const Score& score, const Move& moved) {
  constexpr int kRounds = 3;
  double best = score(pose);
  for (double step = step_px; step >= least_px; step /= 2) {
    bool better = true;
    for (int round = 0; round < kRounds && better; ++round) {
      better = false;
      for (std::size_t way = 0; way < ways; ++way) {
        for (const double by : {step, -step}) {
          const Pose other = moved(pose, way, by);
          const double value = score(other);
          if (value <= best) continue;
          best = value;
          pose = other;
          better = true;
          break;
        }
      }
    }
  }
  return pose;
}

}  // namespace fos
