#pragma once

#include <set>
#include <utility>

#include "engine/rules/colonial/state.h"

// A second, simple generator under the default settings, written from the catalogue alone: it tries
// every path step by step and walks along every line of sight. It shares no code with
// engine/rules/colonial.
namespace fos::colonial::test {

// Squares by number (column from 0 + row * columns). Where an activated stand that has not moved
// may go, its facing kept.
std::set<int> SimpleMoves(const State& s, int stand);
// Where it may withdraw to; empty: it is destroyed.
std::set<int> SimpleWithdrawals(const State& s, int stand);
// Enemy stands it may engage, were it active and in front.
std::set<int> SimpleTargets(const State& s, bool close, int stand);
// What is added to the dice.
std::pair<int, int> SimpleSums(const State& s, bool close, int initiator, int enemy);

}  // namespace fos::colonial::test
