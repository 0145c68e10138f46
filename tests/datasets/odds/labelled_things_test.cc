// SPDX-License-Identifier: MIT
#include "datasets/odds/labelled_things.h"

#include <gtest/gtest.h>

#include "datasets/sweep/wild_sweep.h"
#include "tests/support/temp_dir.h"

namespace fos {
namespace {

constexpr Vec2 kTip{10, 10};
constexpr Vec2 kTail{13, 10};

JudgedThing Judged(Projectile as, Vec2 point, Vec2 tail) {
  return {.as = as,
          .point = point,
          .tail = tail,
          .terms = {{"one", 1}, {"evidence", 2.5}},
          .ends = {{"one", 1}},
          .seen = {{"explained", 0.9}}};
}

WildThing TrueSwab() {
  WildThing out;
  out.shot = true;
  out.projectile = Projectile::kQtip;
  out.point = kTip;
  out.tail = kTail;
  return out;
}

TEST(ThingLabels, TellASwabItsEndsPartsOfItAndOtherThings) {
  ThingLabels labels("5");
  const std::vector<WildThing> lying{TrueSwab()};
  labels.Add(Judged(Projectile::kQtip, kTip, kTail), lying);
  labels.Add(Judged(Projectile::kQtip, kTail, kTip), lying);
  labels.Add(Judged(Projectile::kQtip, {20, 20}, {23, 20}), lying);
  labels.Add(Judged(Projectile::kQtip, {12.5, 10}, {15.5, 10}), lying);  // along a half of it
  JudgedThing never = Judged(Projectile::kQtip, {30, 30}, {33, 30});
  never.possible = false;
  labels.Add(never, lying);
  const std::vector<LabelledThing> things = labels.Things();
  ASSERT_EQ(things.size(), 3u);
  EXPECT_TRUE(things[0].is_it && things[0].tip_right);
  EXPECT_TRUE(things[1].is_it && !things[1].tip_right);
  EXPECT_FALSE(things[2].is_it);
  EXPECT_EQ(things[0].weight, 0.5) << "judged twice";
  EXPECT_EQ(things[2].weight, 1);
}

TEST(ThingLabels, TellAShellFromWhatLiesBesideIt) {
  WildThing shell = TrueSwab();
  shell.projectile = Projectile::kShell;
  const std::vector<WildThing> lying{shell};
  ThingLabels labels("5");
  labels.Add(Judged(Projectile::kShell, {10.1, 10}, {10.1, 10}), lying);
  labels.Add(Judged(Projectile::kShell, {10.4, 10}, {10.4, 10}), lying);  // its shadow, maybe
  labels.Add(Judged(Projectile::kShell, {12, 10}, {12, 10}), lying);
  const std::vector<LabelledThing> things = labels.Things();
  ASSERT_EQ(things.size(), 2u);
  EXPECT_TRUE(things[0].is_it);
  EXPECT_FALSE(things[1].is_it);
}

TEST(LabelledThings, AreReadBackAsWritten) {
  const test::TempDir dir;
  ThingLabels labels("sunny table");
  labels.Add(Judged(Projectile::kQtip, kTail, kTip), std::vector<WildThing>{TrueSwab()});
  labels.Add(Judged(Projectile::kShell, {1, 2}, {1, 2}), std::vector<WildThing>{});
  const std::vector<LabelledThing> written = labels.Things();
  const std::filesystem::path file = dir.path() / "things.jsonl";
  ASSERT_TRUE(WriteThings(file, written).ok());
  const Result<std::vector<LabelledThing>> read = ReadThings(file);
  ASSERT_TRUE(read.ok()) << read.error().message;
  ASSERT_EQ(read->size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    const LabelledThing& a = written[i];
    const LabelledThing& b = read->at(i);
    EXPECT_EQ(a.table, b.table);
    EXPECT_EQ(a.as, b.as);
    EXPECT_EQ(a.point, b.point);
    EXPECT_EQ(a.tail, b.tail);
    EXPECT_EQ(a.is_it, b.is_it);
    EXPECT_EQ(a.weight, b.weight);
    EXPECT_EQ(a.terms, b.terms);
    EXPECT_EQ(a.seen, b.seen);
  }
  EXPECT_EQ(written[0].tip_right, read->at(0).tip_right);
  EXPECT_EQ(written[0].ends, read->at(0).ends);
}

TEST(LabelledThings, ABrokenLineIsNamed) {
  const test::TempDir dir;
  const std::filesystem::path file =
      dir.Write("things.jsonl", "{\"table\":\"1\",\"as\":\"ball\"}\n");
  const Result<std::vector<LabelledThing>> read = ReadThings(file);
  ASSERT_FALSE(read.ok());
  EXPECT_NE(read.error().message.find("things.jsonl, line 1: "), std::string::npos)
      << read.error().message;
  EXPECT_FALSE(ReadThings(dir.path() / "none.jsonl").ok());
}

// What a sweep keeps of a table on which all shots are measured.
TEST(LabelledThings, OfASweepHoldItsShots) {
  WildSweepOptions options;
  options.shots = 1;
  options.seed = 3;
  options.terms = true;
  const Result<WildSweep> swept = SweepWildShots(options);
  ASSERT_TRUE(swept.ok()) << swept.error().message;
  double shots = 0;
  for (const LabelledThing& thing : swept->judged) {
    EXPECT_EQ(thing.table, "3");
    EXPECT_FALSE(thing.terms.empty());
    shots += thing.is_it ? thing.weight : 0;
  }
  EXPECT_GE(shots, swept->all.measured);
}

}  // namespace
}  // namespace fos
