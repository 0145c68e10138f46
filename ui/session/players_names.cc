// SPDX-License-Identifier: MIT
#include "ui/session/players_names.h"
#include "engine/table/sentence.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace fos {
namespace {

bool IsOfAnId(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '-' ||
         c == '_' || c == '#';
}

}  // namespace

PlayersNames::PlayersNames(const Scenario& scenario) {
  for (const UnitSpec& unit : scenario.units) {
    std::string kind = KeyInWords(scenario.kinds.at(static_cast<std::size_t>(unit.kind)).name);
    units_.push_back({unit.id, scenario.sides.at(static_cast<std::size_t>(unit.side)).name,
                      std::move(kind), unit.stands});
  }
}

std::string PlayersNames::Of(std::string_view id) const {
  const std::size_t mark = id.find('#');
  const std::string_view unit = id.substr(0, mark);
  const auto named = std::find_if(units_.begin(), units_.end(),
                                  [&](const NamedUnit& one) { return one.id == unit; });
  if (named == units_.end()) return std::string(id);
  const auto alike = std::count_if(units_.begin(), units_.end(), [&](const NamedUnit& one) {
    return one.side == named->side && one.kind == named->kind;
  });
  std::string out = fmt::format("{} {}", named->side, named->kind);
  if (alike > 1) out += ' ' + named->id;
  if (mark != std::string_view::npos && named->stands > 1)
    out += fmt::format(", stand {}", id.substr(mark + 1));
  return out;
}

std::string PlayersNames::In(std::string_view sentence) const {
  std::string out;
  while (!sentence.empty()) {
    const auto end = std::find_if_not(sentence.begin(), sentence.end(), IsOfAnId);
    const auto length = static_cast<std::size_t>(end - sentence.begin());
    out += length > 0 ? Of(sentence.substr(0, length)) : std::string(1, sentence.front());
    sentence.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return out;
}

}  // namespace fos
