// SPDX-License-Identifier: MIT
#pragma once

#include <utility>
#include <vector>

namespace fos {

using AssignedPairs = std::vector<std::pair<int, int>>;

// Pairs each row with a column of its own, or each column with a row where columns are fewer, for
// the least total cost. Returns pairs of the given names, sorted.
// rows, columns  names of the rows and columns of `cost`
//
// Written by hand: OpenCV offers no public assignment solver, and a graph library would be a new
// dependency for 45 lines. A test compares it with all permutations.
// source  Jonker & Volgenant, A shortest augmenting path algorithm for dense and sparse linear
//         assignment problems, Computing 38 (1987). O(n^3).
AssignedPairs SolveAssignment(const std::vector<int>& rows, const std::vector<int>& columns,
                              const std::vector<std::vector<double>>& cost);

}  // namespace fos
