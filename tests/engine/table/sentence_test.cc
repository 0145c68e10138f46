// SPDX-License-Identifier: MIT
#include "engine/table/sentence.h"

#include <gtest/gtest.h>

#include <array>
#include <utility>

namespace fos {
namespace {

TEST(Sentence, OrdinalsEndAsTheyAreSpoken) {
  for (const auto& [number, words] : {std::pair{1, "1st"},
                                      {2, "2nd"},
                                      {3, "3rd"},
                                      {4, "4th"},
                                      {10, "10th"},
                                      {11, "11th"},
                                      {12, "12th"},
                                      {13, "13th"},
                                      {21, "21st"},
                                      {22, "22nd"},
                                      {111, "111th"}})
    EXPECT_EQ(Ordinal(number), words);
}

TEST(Sentence, OnlyOneOfSeveralIsNumbered) {
  constexpr std::array kKinds = {'l', 'g', 'l', 'l'};
  const auto number = [&](int n) {
    return NumberOfKind(n, 4, [&](int i) {
      return kKinds[static_cast<std::size_t>(i)] == kKinds[static_cast<std::size_t>(n)];
    });
  };
  EXPECT_EQ(NumberedName("line infantry", number(2), "N-3"), "2nd line infantry, N-3");
  EXPECT_EQ(NumberedName("Foot gun", number(1), "G"), "Foot gun G");
}

TEST(Sentence, TheFirstLetterFollowsItsPlace) {
  EXPECT_EQ(Capitalised("foot B1"), "Foot B1");
  EXPECT_EQ(Uncapitalised("Line infantry"), "line infantry");
  EXPECT_EQ(Capitalised("2nd foot, B1"), "2nd foot, B1");
  EXPECT_EQ(Uncapitalised(""), "");
}

}  // namespace
}  // namespace fos
