// SPDX-License-Identifier: MIT
#include "vision/stands/linear_assignment.h"

#include <algorithm>
#include <cstddef>
#include <limits>

namespace fos {

AssignedPairs SolveAssignment(const std::vector<int>& rows, const std::vector<int>& columns,
                              const std::vector<std::vector<double>>& cost) {
  const bool turned = rows.size() > columns.size();
  const std::size_t n = turned ? columns.size() : rows.size();
  const std::size_t m = turned ? rows.size() : columns.size();
  const auto at = [&](std::size_t i, std::size_t j) { return turned ? cost[j][i] : cost[i][j]; };
  constexpr double kFar = std::numeric_limits<double>::max();
  // Rows and columns count from 1; column 0 holds the row being placed.
  std::vector<double> row_price(n + 1, 0), column_price(m + 1, 0);
  std::vector<std::size_t> row_of(m + 1, 0), came_from(m + 1, 0);
  for (std::size_t i = 1; i <= n; ++i) {
    row_of[0] = i;
    std::size_t j = 0;
    std::vector<double> least(m + 1, kFar);
    std::vector<char> done(m + 1, 0);
    do {
      done[j] = 1;
      const std::size_t row = row_of[j];
      double step = kFar;
      std::size_t next = 0;
      for (std::size_t k = 1; k <= m; ++k) {
        if (done[k] != 0) continue;
        const double reduced = at(row - 1, k - 1) - row_price[row] - column_price[k];
        if (reduced < least[k]) {
          least[k] = reduced;
          came_from[k] = j;
        }
        if (least[k] < step) {
          step = least[k];
          next = k;
        }
      }
      for (std::size_t k = 0; k <= m; ++k) {
        if (done[k] != 0) {
          row_price[row_of[k]] += step;
          column_price[k] -= step;
        } else {
          least[k] -= step;
        }
      }
      j = next;
    } while (row_of[j] != 0);
    for (; j != 0; j = came_from[j]) row_of[j] = row_of[came_from[j]];
  }
  AssignedPairs pairs;
  for (std::size_t k = 1; k <= m; ++k) {
    if (row_of[k] == 0) continue;
    const std::size_t i = row_of[k] - 1;
    pairs.emplace_back(rows[turned ? k - 1 : i], columns[turned ? i : k - 1]);
  }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

}  // namespace fos
