// SPDX-License-Identifier: MIT
#include "ui/session/dice_record.h"

#include <gtest/gtest.h>

#include "engine/files/event_log.h"
#include "ui/session/sightings.h"

namespace fos {
namespace {

TEST(DiceRead, IsReadBackAsItWasWritten) {
  DiceRead wanted;
  wanted.frame = 120;
  wanted.time_s = 4.25;
  wanted.line = 17;
  wanted.by_camera = false;
  wanted.values = {3, 5};
  wanted.chances = {0.9871, 0.9999};
  wanted.pictures = {"evidence/dice_01.png", "evidence/dice_02.png"};
  const std::string line = DiceReadLine(wanted);
  const auto read = ParseDiceReadLine(line);
  ASSERT_TRUE(read.has_value()) << line;
  EXPECT_EQ(read->frame, wanted.frame);
  EXPECT_EQ(read->time_s, wanted.time_s);
  EXPECT_EQ(read->line, wanted.line);
  EXPECT_EQ(read->by_camera, wanted.by_camera);
  EXPECT_EQ(read->values, wanted.values);
  EXPECT_EQ(read->chances, wanted.chances);
  EXPECT_EQ(read->pictures, wanted.pictures);
  // Programs that do not know it leave it out.
  const auto event = ParseEventLine(line);
  ASSERT_TRUE(event.ok());
  EXPECT_FALSE(event->has_value());
}

TEST(DiceRead, OtherLinesAreNone) {
  for (
      const char* line :
      {"", "dice 3 5", "[1]", R"({"type":"dice","values":[3],"centres":[[1,2]]})",
       R"({"type":"dice_read","line":1,"taken":true,"values":[3],"chances":[]})",
       R"({"type":"dice_read","line":"x","taken":true,"values":[3],"chances":[1]})",
       R"({"type":"dice_read","line":99999999999999999999,"taken":true,"values":[],"chances":[]})"}) {
    EXPECT_FALSE(ParseDiceReadLine(line).has_value()) << line;
  }
}

TEST(DiceShown, TellWhatIsReadAndGoWhenTheyAreTaken) {
  DiceSeen thrown;
  DieFound sure;
  sure.value = 4;
  sure.p = {0, 0, 0, 1, 0, 0};
  sure.p_die = 1;
  sure.p_right = 0.99;
  sure.centre = {3, 4};
  DieFound leaning = sure;
  leaning.centre = {5, 4};
  leaning.p_cocked = 0.9;
  thrown.dice = {sure, leaning};
  thrown.at_rest_s = {1.5, 1.7};
  DieFound doubtful = sure;
  doubtful.centre = {7, 4};
  doubtful.p = {0, 0, 0, 0.28, 0.01, 0.71};
  doubtful.p_right = 0.7;
  DiceSeen in_words = thrown;
  in_words.dice.push_back(doubtful);
  EXPECT_EQ(
      DiceWords(in_words),
      (std::vector<std::vector<std::string>>{
          {"shows 4 (99 %)"}, {"cocked: throw it again"}, {"may show 6 (71 %)", "or 4 (28 %)"}}));
  std::vector<std::shared_ptr<const DieShown>> lying;
  for (const DieShown& die : DiceOf(thrown)) lying.push_back(std::make_shared<const DieShown>(die));
  ASSERT_EQ(lying.size(), 2u);
  EXPECT_TRUE(lying[0]->read);
  EXPECT_EQ(lying[0]->value, 4);
  EXPECT_EQ(lying[0]->at_rest_s, 1.5);
  EXPECT_TRUE(lying[1]->cocked);
  EXPECT_FALSE(lying[1]->read);
  RemoveTaken({{{3, 4}, {20, 20}}}, lying);
  ASSERT_EQ(lying.size(), 1u);
  EXPECT_EQ(lying[0]->at_rest_s, 1.7);
}

TEST(DiceShown, SaysWhichOfThemHaveTwelveFaces) {
  DieFound pipped;
  pipped.value = 4;
  pipped.p[3] = 1;
  pipped.p_die = 1;
  pipped.p_right = 0.99;
  DieFound numbered = pipped;
  numbered.faces = 12;
  numbered.value = 11;
  numbered.p = {};
  numbered.p[10] = 1;
  DieFound doubtful = numbered;
  doubtful.p[10] = 0.6;
  doubtful.p[8] = 0.4;
  doubtful.p_right = 0.6;
  DiceSeen thrown;
  thrown.dice = {pipped};
  thrown.at_rest_s = {1};
  EXPECT_TRUE(DiceRecord(thrown).faces.empty());
  thrown.dice = {pipped, numbered, doubtful};
  thrown.at_rest_s = {1, 1, 1};
  const DiceEvent event = DiceRecord(thrown);
  EXPECT_EQ(event.values, (std::vector<int>{4, 11}));
  EXPECT_EQ(event.faces, (std::vector<int>{6, 12}));
  ASSERT_EQ(event.asked.size(), 1u);
  EXPECT_EQ(event.asked[0].faces, 12);
  EXPECT_EQ(event.asked[0].values, (std::vector<int>{11, 9}));
  const std::vector<DieShown> shown = DiceOf(thrown);
  EXPECT_EQ(shown[0].faces, 6);
  EXPECT_EQ(shown[1].faces, 12);
  EXPECT_EQ(DiceWords(thrown)[2], (std::vector<std::string>{"may show 11 (60 %)", "or 9 (40 %)"}));
}

}  // namespace
}  // namespace fos
