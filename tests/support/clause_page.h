// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <set>
#include <span>
#include <string>

#include "engine/table/clause.h"

// docs/clauses.md: every clause of a rule set has code that applies it and tests that prove it, and
// every worked example of its catalogue is a test. Each rule set's tests check its own section.
namespace fos::test {

// A clause that random games do not reach, and why. The reason is checked.
struct OutOfPlay {
  std::string reason;
  // It is applied before the game: the files that cite it, and no others.
  std::set<std::string> before = {};
  // It is told as part of rulings on these clauses, which random games reach. If both are empty, it
  // rules nothing: no sentence of the code cites it.
  std::set<std::string> within = {};
};

struct ClauseBook {
  std::string title;   // of the section: "Napoleonic"
  std::string prefix;  // of its clauses' ids: "NAP"
  std::string code;    // folders below the source root, besides engine/squares
  std::string tests;
  std::string program;  // that holds the test: "napoleonic_test"
  std::span<const Clause> clauses;
  std::map<std::string, int> examples;  // by clause: how many its catalogue gives
  // Random games (clause_coverage.h): how many are played, how many reach each clause, and the
  // clauses that play cannot reach. No games: no column on the page.
  int games = 0;
  std::map<std::string, int> reached = {};
  std::map<std::string, OutOfPlay> out_of_play = {};
};

// By clause and example: "movement.cc: CheckPath". An id in the comment before a function belongs
// to that function.
using Places = std::map<std::string, std::set<std::string>>;
Places CodeOf(const ClauseBook& book);
// By clause and example: the tests whose first line cites it.
Places TestsOf(const ClauseBook& book);

// Runs the checks as gtest expectations.
void ExpectEachAppliedAndProved(const ClauseBook& book);
void ExpectEveryExampleIsATest(const ClauseBook& book);
// Prints how many of the random games reach each clause; none may be out of reach but those listed,
// each for a reason that holds.
void ExpectRandomGamesReachEach(const ClauseBook& book);
// Regenerates the section if the environment sets FOS_WRITE_DOCS.
void ExpectPageUpToDate(const ClauseBook& book);

}  // namespace fos::test
