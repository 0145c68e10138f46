// SPDX-License-Identifier: MIT
#include "ui/session/recalled.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <thread>
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
  inline static std::atomic<int> alive = 0;
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

TEST(Recalled, GivesManyThreadsTheSameValues) {
  const auto last_used = std::make_shared<LastUsed>(2);
  std::vector<std::unique_ptr<Recalled<Large>>> values;
  for (int i = 0; i < 6; ++i) {
    values.push_back(std::make_unique<Recalled<Large>>(
        last_used, [i] { return std::make_shared<const Large>(i); }));
  }
  std::atomic<int> wrong = 0;
  {
    std::vector<std::jthread> threads;
    for (int thread = 0; thread < 4; ++thread) {
      threads.emplace_back([&, thread] {
        for (int round = 0; round < 2000; ++round) {
          const int i = (round * (thread + 1)) % 6;
          Recalled<Large>& value = *values[static_cast<std::size_t>(i)];
          if (round == i) value.Set(std::make_shared<const Large>(i));
          const auto got = value.Get();
          if (got != nullptr && got->number != i) ++wrong;
        }
      });
    }
  }
  EXPECT_EQ(wrong, 0);
  EXPECT_LE(Large::alive, 2);
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
