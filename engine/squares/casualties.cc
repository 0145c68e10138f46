// SPDX-License-Identifier: MIT
#include "engine/squares/casualties.h"

#include <algorithm>
#include <cstddef>

namespace fos::squares {
namespace {

struct Falling {
  const std::vector<LossUnit>& units;
  std::vector<std::size_t> fallen;  // by unit: how many
  std::size_t pointer = 0;
  bool any_lost = false;

  const LossStand* Next(std::size_t unit) const {
    const LossUnit& u = units[unit];
    return fallen[unit] < u.stands.size() ? &u.stands[fallen[unit]] : nullptr;
  }
  bool OthersLeft() const {
    for (std::size_t i = 0; i < units.size(); ++i)
      if (!units[i].last && Next(i)) return true;
    return false;
  }
  // The first unit from the pointer on whose next stand passes the test.
  template <typename Test>
  std::optional<std::size_t> Scan(bool contact_only, Test test) const {
    const bool others = OthersLeft();
    for (std::size_t i = 0; i < units.size(); ++i) {
      const std::size_t unit = (pointer + i) % units.size();
      if (contact_only && !units[unit].in_contact) continue;
      if (units[unit].last && others) continue;
      if (const LossStand* next = Next(unit); next && test(*next)) return unit;
    }
    return std::nullopt;
  }
};

}  // namespace

LossAnswer ChooseLosses(const std::vector<LossUnit>& units, Sixteenths loss,
                        const LossPolicy& policy) {
  LossAnswer answer;
  if (units.empty() || loss <= 0) return answer;
  Falling f{units, std::vector<std::size_t>(units.size(), 0)};
  Sixteenths left = loss;
  while (left > 0) {
    const auto fits = [&](const LossStand& s) { return s.value <= left; };
    std::optional<std::size_t> unit = f.Scan(!f.any_lost, fits);
    if (!unit && !f.any_lost && !policy.contact_first_strict) unit = f.Scan(false, fits);
    if (!unit) break;
    const LossStand& stand = *f.Next(*unit);
    answer.stands.push_back(stand.stand);
    left -= stand.value;
    ++f.fallen[*unit];
    f.any_lost = true;
    f.pointer = (*unit + 1) % units.size();
  }
  if (left <= 0) return answer;

  // Step 4: the smallest stand still eligible; of equals the first from the pointer on.
  const bool contact_only = !f.any_lost && policy.contact_first_strict;
  std::optional<Sixteenths> least;
  for (std::size_t i = 0; i < units.size(); ++i) {
    if (contact_only && !units[i].in_contact) continue;
    if (units[i].last && f.OthersLeft()) continue;
    if (const LossStand* next = f.Next(i))
      least = least ? std::min(*least, next->value) : next->value;
  }
  if (!least) return answer;
  const std::optional<std::size_t> unit =
      f.Scan(contact_only, [&](const LossStand& s) { return s.value == *least; });
  const LossStand* next = unit ? f.Next(*unit) : nullptr;
  if (!next) return answer;
  const int stand = next->stand;
  const Sixteenths overshoot = *least - left;
  if (policy.coin_always || overshoot == left) {
    answer.coin = stand;
  } else if (overshoot < left) {
    answer.stands.push_back(stand);
  }
  return answer;
}

}  // namespace fos::squares
