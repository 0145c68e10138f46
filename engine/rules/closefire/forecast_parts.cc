// SPDX-License-Identifier: MIT
#include "engine/rules/closefire/forecast_parts.h"
#include "engine/table/counted.h"

#include <fmt/format.h>

namespace fos::closefire {

Spread Plus(const Spread& sums, const std::vector<int>& faces) {
  Spread out;
  for (const auto& [sum, chance] : sums) {
    for (const int face : faces) out[sum + face] += chance / static_cast<double>(faces.size());
  }
  return out;
}

// CF-1.2.
std::vector<int> FacesOf(const Tables& book, Die die) {
  std::vector<int> out;
  for (int face = 1; face <= 6; ++face)
    out.push_back(die == Die::kD6 ? face : book.avd_from_d6[static_cast<std::size_t>(face)]);
  return out;
}

std::vector<std::vector<int>> RollsOf(const Tables& book, const DiceSet& set) {
  std::vector<std::vector<int>> out = {{}};
  for (const Die die : set) {
    std::vector<std::vector<int>> longer;
    for (const std::vector<int>& roll : out)
      for (const int face : FacesOf(book, die)) {
        longer.push_back(roll);
        longer.back().push_back(face);
      }
    out = std::move(longer);
  }
  return out;
}

void AddItems(const Sum& sum, int who, const std::string& of, const char* clause,
              fos::Forecast& out) {
  for (const Item& item : sum.items) {
    out.items.push_back({who, fmt::format("{:+} {}{}", item.value, of, item.label),
                         static_cast<double>(item.value),
                         item.clause != nullptr ? item.clause : clause});
  }
}

void AddChances(const Spread& dp, fos::Forecast& out) {
  for (const auto& [count, chance] : dp)
    out.chances.emplace_back(count == 0 ? "no effect" : Counted(count, "DP"), chance);
}

void WriteSentence(const std::string& who, fos::Forecast& out) {
  out.sentence = who;
  for (const SumItem& item : out.items) {
    out.sentence += fmt::format("{} {}", &item == out.items.data() ? ":" : ",", item.what);
  }
  for (const auto& [what, chance] : out.chances)
    out.sentence += fmt::format("; {} {:.0f} %", what, 100 * chance);
  out.sentence += '.';
}

}  // namespace fos::closefire
