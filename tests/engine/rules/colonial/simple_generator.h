// SPDX-License-Identifier: MIT
#pragma once

#include <set>
#include <utility>

#include "engine/rules/colonial/state.h"

// A second, simple move generator for the default settings, written from the catalogue. It tries
// every path step by step and walks along every line of sight. It shares no code with
// engine/rules/colonial.
namespace fos::colonial::test {

// Squares by number (column + row * columns, both from 0). Where an active stand that has not moved
// may go without turning.
std::set<int> SimpleMoves(const State& s, int stand);
// Where it may withdraw to; empty if it is destroyed.
std::set<int> SimpleWithdrawals(const State& s, int stand);
// Enemy stands it could engage if it were active and in front.
std::set<int> SimpleTargets(const State& s, bool close, int stand);
// The modifiers of the dice.
std::pair<int, int> SimpleSums(const State& s, bool close, int initiator, int enemy);

}  // namespace fos::colonial::test
