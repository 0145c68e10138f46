#include "engine/rules/closefire/line_game.h"
#include "tests/support/clause_page.h"

#include <gtest/gtest.h>

// docs/clauses.md (tests/support/clause_page.h says what is checked). To write its section anew:
//   FOS_WRITE_DOCS=1 build/tests/closefire_test --gtest_filter='CloseFireClauses.*'
namespace fos::closefire {
namespace {

// How many worked examples the catalogue gives for each clause.
const std::map<std::string, int> kExamples = {
    {"CF-1.1", 2},   {"CF-1.2", 3},   {"CF-1.3", 2},   {"CF-1.4", 4},   {"CF-1.5", 1},
    {"CF-2.1", 1},   {"CF-2.2", 2},   {"CF-2.3", 1},   {"CF-2.4", 3},   {"CF-2.5", 2},
    {"CF-2.6", 2},   {"CF-2.7", 2},   {"CF-2.8", 4},   {"CF-2.9", 3},   {"CF-2.10", 1},
    {"CF-3.1", 5},   {"CF-3.2", 1},   {"CF-3.3", 1},   {"CF-3.4", 2},   {"CF-3.5", 2},
    {"CF-3.6", 2},   {"CF-3.7", 1},   {"CF-3.8", 1},   {"CF-4.1", 2},   {"CF-4.2", 2},
    {"CF-4.3", 2},   {"CF-4.4", 2},   {"CF-4.5", 2},   {"CF-4.6", 2},   {"CF-4.7", 2},
    {"CF-4.8", 1},   {"CF-4.9", 1},   {"CF-4.10", 1},  {"CF-4.11", 1},  {"CF-5.1", 3},
    {"CF-5.2", 2},   {"CF-5.3", 2},   {"CF-5.4", 1},   {"CF-5.5", 5},   {"CF-5.6", 2},
    {"CF-5.7", 2},   {"CF-5.8", 4},   {"CF-6.1", 3},   {"CF-6.2", 3},   {"CF-6.3", 2},
    {"CF-6.4", 2},   {"CF-6.5", 1},   {"CF-7.1", 2},   {"CF-7.2", 4},   {"CF-7.3", 4},
    {"CF-7.4", 2},   {"CF-8.1", 2},   {"CF-8.2", 2},   {"CF-8.3", 5},   {"CF-8.4", 6},
    {"CF-8.5", 1},   {"CF-8.6", 2},   {"CF-9.1", 2},   {"CF-9.2", 1},   {"CF-9.3", 1},
    {"CF-9.4", 2},   {"CF-10.1", 2},  {"CF-10.2", 2},  {"CF-10.3", 1},  {"CF-10.4", 2},
    {"CF-10.5", 1},  {"CF-11.1", 2},  {"CF-11.2", 1},  {"CF-11.3", 3},  {"CF-11.4", 1},
    {"CF-11.5", 1},  {"CF-11.6", 2},  {"CF-11.7", 3},  {"CF-12.1", 2},  {"CF-12.2", 2},
    {"CF-12.3", 2},  {"CF-12.4", 4},  {"CF-12.5", 2},  {"CF-12.6", 4},  {"CF-12.7", 1},
    {"CF-12.8", 3},  {"CF-12.9", 4},  {"CF-13.1", 3},  {"CF-13.2", 5},  {"CF-14.1", 1},
    {"CF-14.2", 1},  {"CF-14.3", 4},  {"CF-14.4", 1},  {"CF-14.5", 2},  {"CF-14.6", 3},
    {"CF-14.7", 2},  {"CF-14.8", 3},  {"CF-14.9", 3},  {"CF-14.10", 2}, {"CF-14.11", 3},
    {"CF-14.12", 2}, {"CF-14.13", 2}, {"CF-14.14", 1}, {"CF-14.15", 2}, {"CF-14.16", 1},
    {"CF-15.1", 2},  {"CF-15.2", 3},  {"CF-15.3", 1},  {"CF-15.4", 2},  {"CF-15.5", 3},
    {"CF-15.6", 1},  {"CF-16.1", 2},  {"CF-16.2", 5},  {"CF-16.3", 3},  {"CF-16.4", 2},
    {"CF-16.5", 3},  {"CF-17.1", 2},  {"CF-17.2", 2},  {"CF-17.3", 3},  {"CF-17.4", 1},
    {"CF-18.1", 2},  {"CF-18.2", 3},  {"CF-18.3", 2},  {"CF-18.4", 4},  {"CF-18.5", 2},
    {"CF-18.6", 2},  {"CF-18.7", 0},  {"CF-18.8", 2},  {"CF-18.9", 1},  {"CF-19.1", 4},
    {"CF-19.2", 1},  {"CF-20.1", 0},  {"CF-20.2", 0},  {"CF-20.3", 4},  {"CF-20.4", 0},
    {"CF-20.5", 5},  {"CF-20.6", 3},  {"CF-20.7", 2},  {"CF-21.1", 3},  {"CF-21.2", 4},
    {"CF-21.3", 3},  {"CF-21.4", 2},  {"CF-21.5", 4},  {"CF-21.6", 1},  {"CF-21.7", 2},
    {"CF-21.8", 1},  {"CF-21.9", 1},  {"CF-22.1", 1},  {"CF-22.2", 1},  {"CF-22.3", 2},
    {"CF-22.4", 2},  {"CF-22.5", 4},  {"CF-22.6", 2},  {"CF-23.1", 1},  {"CF-23.2", 2},
    {"CF-23.3", 1},  {"CF-23.4", 1}};

fos::test::ClauseBook Book() {
  return {"Close Fire",
          "CF",
          "engine/rules/closefire",
          "tests/engine/rules/closefire",
          "closefire_test",
          Clauses(),
          kExamples};
}

TEST(CloseFireClauses, EachIsAppliedAndTested) { fos::test::ExpectEachAppliedAndProved(Book()); }
TEST(CloseFireClauses, EveryWorkedExampleHasATest) { fos::test::ExpectEveryExampleIsATest(Book()); }
TEST(CloseFireClauses, ThePageIsUpToDate) { fos::test::ExpectPageUpToDate(Book()); }

}  // namespace
}  // namespace fos::closefire
