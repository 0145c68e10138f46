// SPDX-License-Identifier: MIT
#include "ui/session/dice_record.h"

#include <cmath>

#include "engine/files/json.h"

namespace fos {

std::string DiceReadLine(const DiceRead& read) {
  Json chances = Json::array();
  constexpr double kDigits = 1e4;  // as in events.jsonl
  for (const double chance : read.chances)
    chances.push_back(std::round(chance * kDigits) / kDigits);
  return Json{{"type", "dice_read"}, {"frame", read.frame},      {"time", read.time_s},
              {"line", read.line},   {"taken", read.by_camera},  {"values", read.values},
              {"chances", chances},  {"evidence", read.pictures}}
      .dump();
}

std::optional<DiceRead> ParseDiceReadLine(const std::string& line) try {
  const Json json = Json::parse_or(line, Json());
  if (!json.is_object() || json.value("type", "") != "dice_read") return std::nullopt;
  DiceRead out;
  out.frame = json.value("frame", std::int64_t{0});
  out.time_s = json.value("time", 0.0);
  out.line = json.at("line").get<int>();
  out.by_camera = json.at("taken").get<bool>();
  out.values = json.at("values").get<std::vector<int>>();
  out.chances = json.at("chances").get<std::vector<double>>();
  out.pictures = json.value("evidence", std::vector<std::string>());
  if (out.chances.size() != out.values.size()) return std::nullopt;
  return out;
} catch (const JsonError&) {
  return std::nullopt;
}

}  // namespace fos
