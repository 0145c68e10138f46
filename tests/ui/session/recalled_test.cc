// SPDX-License-Identifier: MIT
#include "ui/session/recalled.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

namespace fos {
namespace {

// Counts how many of its values are in memory.
struct Large {
  explicit Large(int n) : number(n) { ++alive; }
  Large(const Large&) = delete;
  Large& operator=(const Large&) = delete;
  ~Large() { --alive; }
  int number;
  inline static int alive = 0;
};

TEST(Recalled, KeepsTheLastUsedAndMakesTheOthersAgain) {
  const auto last_used = std::make_shared<LastUsed>(3);
  std::vector<std::shared_ptr<Recalled<Large>>> values;
  int made = 0;
  for (int i = 0; i < 100; ++i) {
    values.push_back(std::make_shared<Recalled<Large>>(last_used, [&made, i] {
      ++made;
      return std::make_shared<const Large>(i);
    }));
    EXPECT_EQ(values.back()->Get(), nullptr);  // not known yet
    values.back()->Set(std::make_shared<const Large>(i));
  }
  EXPECT_EQ(Large::alive, 3);
  for (int i = 97; i < 100; ++i) EXPECT_EQ(values[static_cast<std::size_t>(i)]->Get()->number, i);
  EXPECT_EQ(made, 0);
  const auto held = values[5]->Get();
  EXPECT_EQ(held->number, 5);
  EXPECT_EQ(made, 1);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(values[static_cast<std::size_t>(i)]->Get()->number, i);
  EXPECT_EQ(values[5]->Get(), held);  // what somebody holds is not made twice
  EXPECT_EQ(Large::alive, 3);
}

TEST(Recalled, GivesNothingWhatCannotBeMadeAgain) {
  const auto last_used = std::make_shared<LastUsed>(1);
  const auto lost = [] { return std::shared_ptr<const Large>(); };
  Recalled<Large> gone(last_used, lost);
  Recalled<Large> kept(last_used, lost);
  gone.Set(std::make_shared<const Large>(1));
  const auto value = std::make_shared<const Large>(2);
  kept.Set(value);
  kept.Stay(value);
  last_used->Use(std::make_shared<const Large>(3));
  EXPECT_EQ(gone.Get(), nullptr);
  EXPECT_EQ(kept.Get(), value);
  EXPECT_EQ(Recalled<Large>(value).Get(), value);
}

}  // namespace
}  // namespace fos
