#include "engine/rules/ancient/clauses.h"

#include <gtest/gtest.h>

#include "tests/support/clause_page.h"

// Checks docs/clauses.md (see tests/support/clause_page.h). To regenerate its section:
//   FOS_WRITE_DOCS=1 build/tests/ancient_test --gtest_filter='AncientClauses.*'
namespace fos::ancient {
namespace {

// The number of worked examples in the catalogue for each clause.
const std::map<std::string, int> kExamples = {
    {"ANC-G1", 1}, {"ANC-G2", 1}, {"ANC-T", 2},  {"ANC-V1", 1}, {"ANC-V2", 1}, {"ANC-V3", 1},
    {"ANC-V4", 1}, {"ANC-V5", 1}, {"ANC-V6", 1}, {"ANC-C1", 2}, {"ANC-C2", 1}, {"ANC-C3", 2},
    {"ANC-C4", 5}, {"ANC-F1", 1}, {"ANC-F2", 1}, {"ANC-F3", 2}, {"ANC-F4", 1}, {"ANC-F5", 4},
    {"ANC-F6", 1}, {"ANC-H1", 1}, {"ANC-H2", 1}, {"ANC-H3", 3}, {"ANC-H4", 2}, {"ANC-H5", 2},
    {"ANC-H6", 2}, {"ANC-H7", 1}, {"ANC-H8", 1}, {"ANC-P1", 1}, {"ANC-P2", 2}, {"ANC-P3", 2},
    {"ANC-P4", 1}, {"ANC-P5", 2}, {"ANC-P6", 1}, {"ANC-P7", 2}, {"ANC-P8", 1}, {"ANC-M1", 2},
    {"ANC-M2", 1}, {"ANC-M3", 3}, {"ANC-M4", 1}, {"ANC-L", 2},
};

fos::test::ClauseBook Book() {
  return {"Ancient", "ANC",    "engine/rules/ancient", "tests/engine/rules/ancient", "ancient_test",
          Clauses(), kExamples};
}

TEST(AncientClauses, EachIsAppliedAndProved) { fos::test::ExpectEachAppliedAndProved(Book()); }
TEST(AncientClauses, EveryWorkedExampleIsATest) { fos::test::ExpectEveryExampleIsATest(Book()); }
TEST(AncientClauses, ThePageIsUpToDate) { fos::test::ExpectPageUpToDate(Book()); }

}  // namespace
}  // namespace fos::ancient
