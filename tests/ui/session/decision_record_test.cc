// SPDX-License-Identifier: MIT
#include "ui/session/decision_record.h"

#include <gtest/gtest.h>

namespace fos {
namespace {

using What = PlayerDecision::What;

DecisionRecord RecordWith(const PlayerDecision& decision) {
  DecisionRecord out;
  out.frame = 75;
  out.time_s = 2.5;
  out.decision = decision;
  return out;
}

// Files of earlier versions must stay readable, so the keys and their order are fixed.
TEST(DecisionRecord, WritesTheKeysOfEachKind) {
  PlayerDecision decision;
  decision.shot = 3;
  EXPECT_EQ(DecisionLine(RecordWith(decision)),
            R"({"type":"players","frame":75,"time":2.5,"shot":3,"say":"accept"})");
  decision.what = What::kDispute;
  decision.reason = "it \"moved\"";
  EXPECT_EQ(
      DecisionLine(RecordWith(decision)),
      R"({"type":"players","frame":75,"time":2.5,"shot":3,"say":"dispute","reason":"it \"moved\""})");
  decision.what = What::kSettle;
  decision.stand = "F-1L1#2";
  decision.call = Call::kHit;
  EXPECT_EQ(
      DecisionLine(RecordWith(decision)),
      R"({"type":"players","frame":75,"time":2.5,"shot":3,"say":"settle","stand":"F-1L1#2","call":"hit"})");
  DecisionRecord settled = RecordWith(decision);
  settled.casualties = {"G#1", "C#1"};
  EXPECT_EQ(
      DecisionLine(settled),
      R"({"type":"players","frame":75,"time":2.5,"shot":3,"say":"settle","stand":"F-1L1#2","call":"hit","casualties":["G#1","C#1"]})");
  EXPECT_EQ(ParseDecisionLine(DecisionLine(settled))->casualties, settled.casualties);
  EXPECT_FALSE(ParseDecisionLine(DecisionLine(RecordWith(decision)))->casualties);
  PlayerDecision fell;
  fell.what = What::kPoint;
  fell.shot = 4;
  fell.point = {12.5, 7};
  fell.object = 3;
  fell.projectile = "shell";
  DecisionRecord pointed = RecordWith(fell);
  pointed.text = "No stand is hit.";
  EXPECT_EQ(
      DecisionLine(pointed),
      R"({"type":"players","frame":75,"time":2.5,"shot":4,"say":"point","projectile":"shell","object":3,"point":[12.5,7.0],"text":"No stand is hit.","casualties":[]})");
  const auto back = ParseDecisionLine(DecisionLine(pointed));
  ASSERT_TRUE(back);
  EXPECT_EQ(back->decision.object, 3);
  EXPECT_EQ(back->decision.projectile, "shell");
  fell.what = What::kTakeBack;
  EXPECT_EQ(DecisionLine(RecordWith(fell)),
            R"({"type":"players","frame":75,"time":2.5,"shot":4,"say":"take_back","text":""})");
  decision.what = What::kIdentify;
  decision.doubt = 2;
  decision.changed = true;
  DecisionRecord identified = RecordWith(decision);
  identified.text = "They swapped.";
  EXPECT_EQ(
      DecisionLine(identified),
      R"({"type":"players","frame":75,"time":2.5,"doubt":2,"say":"identify","changed":true,"text":"They swapped."})");
}

TEST(DecisionRecord, WritesWhetherTheTableIsRight) {
  PlayerDecision right;
  right.what = What::kTable;
  right.changed = true;
  DecisionRecord record = RecordWith(right);
  record.text = "It is right.";
  EXPECT_EQ(
      DecisionLine(record),
      R"({"type":"players","frame":75,"time":2.5,"say":"table","changed":true,"text":"It is right."})");
  const auto back = ParseDecisionLine(DecisionLine(record));
  ASSERT_TRUE(back);
  EXPECT_EQ(back->decision.what, What::kTable);
  EXPECT_TRUE(back->decision.changed);
}

TEST(DecisionRecord, ReadsBackWhatItWrites) {
  PlayerDecision moved;
  moved.what = What::kMove;
  moved.shot = 4;
  moved.point = {12.25, 7.5};
  DecisionRecord record = RecordWith(moved);
  record.moved_in = 0.75;
  record.text = "One stand falls.";
  record.casualties = {"B-1V1#1"};
  auto back = ParseDecisionLine(DecisionLine(record));
  ASSERT_TRUE(back);
  EXPECT_EQ(back->frame, 75);
  EXPECT_EQ(back->time_s, 2.5);
  EXPECT_EQ(back->decision.what, What::kMove);
  EXPECT_EQ(back->decision.point, moved.point);
  EXPECT_EQ(back->moved_in, 0.75);
  EXPECT_EQ(back->casualties, record.casualties);

  PlayerDecision overruled;
  overruled.what = What::kOverrule;
  overruled.move = 2;
  overruled.reason = "a short cut";
  record = RecordWith(overruled);
  record.stands = {"F-1L1#1", "F-1L1#2"};
  record.clause = "NAP-1";
  back = ParseDecisionLine(DecisionLine(record));
  ASSERT_TRUE(back);
  EXPECT_EQ(back->decision.move, 2);
  EXPECT_EQ(back->decision.reason, "a short cut");
  EXPECT_EQ(back->stands, record.stands);
  EXPECT_EQ(back->clause, "NAP-1");
}

TEST(DecisionRecord, RefusesWhatIsNotADecision) {
  for (const char* line : {"", "{", "[]", "{}", R"({"say":"shout"})", R"({"say":7})",
                           R"({"say":"accept","shot":99999999999999999999})",
                           R"({"say":"accept","shot":9999999999})"}) {
    const auto record = ParseDecisionLine(line);
    EXPECT_TRUE(!record || record->decision.shot == 0) << line;
  }
  // Missing keys and keys of another type keep their defaults.
  const auto bare = ParseDecisionLine(R"({"say":"settle","stand":[],"point":"here"})");
  ASSERT_TRUE(bare);
  EXPECT_EQ(bare->decision.shot, 0);
  EXPECT_EQ(bare->decision.stand, "");
}

}  // namespace
}  // namespace fos
