#include "engine/rules/napoleonic/clauses.h"

#include <gtest/gtest.h>

#include "tests/support/clause_page.h"

// Checks docs/clauses.md (see tests/support/clause_page.h). To regenerate its section:
//   FOS_WRITE_DOCS=1 build/tests/napoleonic_test --gtest_filter='NapoleonicClauses.*'
namespace fos::napoleonic {
namespace {

// The number of worked examples in the catalogue for each clause.
const std::map<std::string, int> kExamples = {
    {"NAP-1", 2},   {"NAP-2A", 2},  {"NAP-2B", 2},  {"NAP-2C", 2},  {"NAP-2D", 2}, {"NAP-2E", 2},
    {"NAP-2F", 2},  {"NAP-2G", 4},  {"NAP-3A", 2},  {"NAP-3B", 2},  {"NAP-3C", 4}, {"NAP-3D", 1},
    {"NAP-3E", 4},  {"NAP-3F", 4},  {"NAP-3G", 2},  {"NAP-3H", 5},  {"NAP-4A", 1}, {"NAP-4B", 3},
    {"NAP-4C", 3},  {"NAP-4D", 3},  {"NAP-4E", 2},  {"NAP-5A", 5},  {"NAP-5B", 3}, {"NAP-5C", 6},
    {"NAP-5D", 2},  {"NAP-5E", 2},  {"NAP-5F", 3},  {"NAP-5G", 8},  {"NAP-5H", 3}, {"NAP-5I", 1},
    {"NAP-6A", 4},  {"NAP-6B", 1},  {"NAP-6C", 1},  {"NAP-6D", 4},  {"NAP-7", 2},  {"NAP-8A", 3},
    {"NAP-8B", 3},  {"NAP-8C", 2},  {"NAP-9", 4},   {"NAP-10", 1},  {"NAP-11", 1}, {"NAP-12", 2},
    {"NAP-MDI", 3}, {"NAP-GUN", 0}, {"NAP-ORG", 2}, {"NAP-BEA", 1},
};

fos::test::ClauseBook Book() {
  return {"Napoleonic",
          "NAP",
          "engine/rules/napoleonic",
          "tests/engine/rules/napoleonic",
          "napoleonic_test",
          Clauses(),
          kExamples};
}

TEST(NapoleonicClauses, EachIsAppliedAndProved) { fos::test::ExpectEachAppliedAndProved(Book()); }
TEST(NapoleonicClauses, EveryWorkedExampleIsATest) { fos::test::ExpectEveryExampleIsATest(Book()); }
TEST(NapoleonicClauses, ThePageIsUpToDate) { fos::test::ExpectPageUpToDate(Book()); }

}  // namespace
}  // namespace fos::napoleonic
