// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <vector>

// Scales an army list to a number of points (NAP-ORG, ANC-L).
namespace fos::sweet {

// One line of a list.
struct ArmyLine {
  int count = 0;
  int points = 0;        // each
  bool command = false;  // filled up only to the number of commanders asked for
};

inline int PointsOf(const std::vector<ArmyLine>& lines) {
  int points = 0;
  for (const ArmyLine& line : lines) points += line.count * line.points;
  return points;
}

// Spends `left` points on more of the lines: as close as possible, with the fewest pieces.
inline void Fill(std::vector<ArmyLine>& lines, int left) {
  if (left <= 0) return;
  constexpr int kNever = 1 << 20;
  const auto size = static_cast<std::size_t>(left) + 1;
  std::vector<int> fewest{0};  // by sum of points
  fewest.resize(size, kNever);
  std::vector<std::size_t> last(size, 0);
  for (std::size_t sum = 1; sum < size; ++sum)
    for (std::size_t e = 0; e < lines.size(); ++e) {
      const auto points = static_cast<std::size_t>(lines[e].points);
      if (points == 0 || points > sum || lines[e].command) continue;
      if (fewest[sum - points] + 1 >= fewest[sum]) continue;
      fewest[sum] = fewest[sum - points] + 1;
      last[sum] = e;
    }
  std::size_t sum = size - 1;
  while (fewest[sum] == kNever) --sum;
  while (sum > 0) {
    ++lines[last[sum]].count;
    sum -= static_cast<std::size_t>(lines[last[sum]].points);
  }
}

// The most points that more of the lines can spend of `left`.
inline int Fillable(const std::vector<ArmyLine>& lines, int left) {
  std::vector<ArmyLine> filled = lines;
  Fill(filled, left);
  return PointsOf(filled) - PointsOf(lines);
}

// Scales the list in proportion to `points`, then fills it up with its own lines, never over. A line
// of the list is dropped only if its share is less than half a piece.
// commands  how many commanders an army of so many points has.
inline void ScaleTo(std::vector<ArmyLine>& lines, int points, int commands) {
  const int whole = std::max(1, PointsOf(lines));
  int left = points;
  for (ArmyLine& line : lines) {
    const long long share = static_cast<long long>(line.count) * points;
    line.count = line.command ? std::min(line.count * commands, points / std::max(1, line.points))
                              : static_cast<int>((2 * share + whole) / (2LL * whole));
    left -= line.count * line.points;
  }
  // Rounded shares and unscaled commanders may be over. Drop pieces of lines that keep others, the
  // one first that leaves the fewest points over.
  while (left < 0) {
    ArmyLine* drop = nullptr;
    std::array<int, 3> best{};
    for (ArmyLine& line : lines) {
      if (line.count == 0 || line.command) continue;
      const int then = left + line.points;
      const std::array<int, 3> worth{line.count > 1, then < 0 ? then : 0,
                                     then < 0 ? line.points : Fillable(lines, then) - then};
      if (drop && worth <= best) continue;
      drop = &line;
      best = worth;
    }
    if (!drop) break;
    --drop->count;
    left += drop->points;
  }
  Fill(lines, std::max(0, left));
}

}  // namespace fos::sweet
