#include "engine/rules/colonial/clauses.h"

#include <gtest/gtest.h>

#include "tests/support/clause_page.h"

// docs/clauses.md (tests/support/clause_page.h says what is checked). To write its section anew:
//   FOS_WRITE_DOCS=1 build/tests/colonial_test --gtest_filter='ColonialClauses.*'
namespace fos::colonial {
namespace {

// How many worked examples the catalogue gives for each clause.
const std::map<std::string, int> kExamples = {
    {"COL-1.1", 2},  {"COL-1.2", 3},  {"COL-1.3", 4}, {"COL-1.4", 2},  {"COL-1.5", 2},
    {"COL-1.6", 3},  {"COL-2.1", 2},  {"COL-2.2", 2}, {"COL-2.3", 2},  {"COL-2.4", 2},
    {"COL-2.5", 2},  {"COL-2.6", 3},  {"COL-3.1", 1}, {"COL-3.2", 2},  {"COL-3.3", 2},
    {"COL-3.4", 2},  {"COL-3.5", 1},  {"COL-4.1", 3}, {"COL-4.2", 2},  {"COL-5.1", 2},
    {"COL-5.2", 1},  {"COL-5.3", 2},  {"COL-5.4", 4}, {"COL-5.5", 3},  {"COL-5.6", 3},
    {"COL-5.7", 2},  {"COL-5.8", 3},  {"COL-5.9", 2}, {"COL-5.10", 1}, {"COL-5.11", 4},
    {"COL-5.12", 3}, {"COL-5.13", 1}, {"COL-6.1", 2}, {"COL-6.2", 1},  {"COL-6.3", 1},
    {"COL-7.1", 4},  {"COL-7.2", 3},  {"COL-7.3", 2}, {"COL-7.4", 2},  {"COL-7.5", 3},
    {"COL-7.6", 3},  {"COL-7.7", 3},  {"COL-8.1", 2}, {"COL-8.2", 1},  {"COL-8.3", 1},
    {"COL-8.4", 2},  {"COL-8.5", 2},  {"COL-8.6", 4}, {"COL-8.7", 2},  {"COL-8.8", 2},
    {"COL-8.9", 2},  {"COL-9.1", 1},  {"COL-9.2", 2}, {"COL-9.3", 1},  {"COL-9.4", 1},
    {"COL-9.5", 1},  {"COL-9.6", 1},
};

fos::test::ClauseBook Book() {
  return {
      "Colonial", "COL",    "engine/rules/colonial", "tests/engine/rules/colonial", "colonial_test",
      Clauses(),  kExamples};
}

TEST(ColonialClauses, EachIsAppliedAndTested) { fos::test::ExpectEachAppliedAndProved(Book()); }
TEST(ColonialClauses, EveryWorkedExampleHasATest) { fos::test::ExpectEveryExampleIsATest(Book()); }
TEST(ColonialClauses, ThePageIsUpToDate) { fos::test::ExpectPageUpToDate(Book()); }

}  // namespace
}  // namespace fos::colonial
