// SPDX-License-Identifier: MIT
#include "ui/report/season.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <set>
#include <sstream>
#include <utility>

#include <fmt/format.h>

#include "engine/files/json.h"
#include "ui/session/decision_record.h"

namespace fos {
namespace {

// What the camera called each stand of a shot; nothing for a line that is no verdict.
struct CameraCalls {
  int shot = 0;
  std::map<std::string, std::string> calls;
};
std::optional<CameraCalls> CallsIn(const std::string& line) {
  const Json json = Json::parse_or(line, Json());
  if (!json.is_object()) return std::nullopt;
  try {
    if (json.value("type", "") != "verdict") return std::nullopt;
    CameraCalls out;
    out.shot = json.value("shot", 0);
    if (json.contains("stands")) {
      for (const Json& stand : json.at("stands")) {
        out.calls[stand.value("id", "")] = stand.value("call", "");
      }
    }
    return out;
  } catch (const JsonError&) {
    return std::nullopt;
  }
}

// The dice of a line such as "dice 3 5 drawn 8ff3".
struct DiceLine {
  std::vector<int> values;
  bool drawn = false;
};
std::optional<DiceLine> DiceIn(const std::string& line) {
  std::istringstream words(line);
  std::string word;
  if (!(words >> word) || word != "dice") return std::nullopt;
  DiceLine out;
  while (words >> word) {
    if (word == "drawn") {
      out.drawn = true;
      break;
    }
    if (word.empty() || word.size() > 2 ||
        word.find_first_not_of("0123456789") != std::string::npos) {
      return std::nullopt;
    }
    out.values.push_back(std::stoi(word));
  }
  return out;
}

}  // namespace

std::string RangeName(int band) {
  return fmt::format("{:g} to {:g} in", band * kRangeBand_in, (band + 1) * kRangeBand_in);
}

std::int64_t DiceRecord::Total() const {
  std::int64_t out = 0;
  for (const std::int64_t face : faces) out += face;
  return out;
}

double DiceRecord::ChiSquare() const {
  const double expected = static_cast<double>(Total()) / 6;
  if (expected == 0) return 0;
  double out = 0;
  for (const std::int64_t face : faces) {
    out += std::pow(static_cast<double>(face) - expected, 2) / expected;
  }
  return out;
}

double DiceRecord::Likelihood() const {
  const double x = ChiSquare();
  return std::erfc(std::sqrt(x / 2)) +
         std::sqrt(2 * x / std::numbers::pi) * std::exp(-x / 2) * (1 + x / 3);
}

void Season::AddReferee(const GameLog& log, const std::string& table) {
  std::map<int, CameraCalls> calls;
  // The decisions that count, by shot: the last one may be taken back.
  std::map<int, std::vector<PlayerDecision>> decided;
  for (const Record& record : log.records) {
    if (record.kind == RecordKind::kSeen) {
      if (std::optional<CameraCalls> seen = CallsIn(record.text)) {
        // A point that the players moved is judged again; the camera's own calls are the first.
        calls.try_emplace(seen->shot, *seen);
      }
    }
    if (record.kind != RecordKind::kWord) continue;
    const auto word = ParseDecisionLine(record.text);
    if (!word) continue;
    auto& of_shot = decided[word->decision.shot];
    if (word->decision.what == PlayerDecision::What::kTakeBack) {
      if (!of_shot.empty()) of_shot.pop_back();
    } else {
      of_shot.push_back(word->decision);
    }
  }
  if (calls.empty()) return;
  RefereeRecord& out = referees_[table];
  out.table = table;
  for (const auto& [shot, seen] : calls) {
    ++out.verdicts;
    out.called += std::none_of(seen.calls.begin(), seen.calls.end(),
                               [](const auto& one) { return one.second == "too_close"; });
    bool overruled = false;
    bool disputed = false;
    for (const PlayerDecision& one : decided[shot]) {
      using What = PlayerDecision::What;
      disputed = disputed || one.what == What::kDispute;
      overruled = overruled || one.what == What::kMove;
      if (one.what != What::kSettle) continue;
      const auto call = seen.calls.find(one.stand);
      const std::string before = call == seen.calls.end() ? "miss" : call->second;
      if (before == "too_close") {
        ++out.settled_close;
      } else {
        overruled = overruled || before != (one.call == Call::kHit ? "hit" : "miss");
      }
    }
    out.disputed += disputed;
    out.overruled += overruled;
  }
}

void Season::AddDice(const GameLog& log, const std::string& table) {
  const std::string at = table.empty() ? "" : " at " + table;
  std::map<std::string, std::vector<int>> thrown;
  for (const Record& record : log.records) {
    if (record.kind == RecordKind::kLine) {
      if (const std::optional<DiceLine> dice = DiceIn(record.text)) {
        auto& of = thrown[dice->drawn ? "drawn by the program" : "thrown" + at];
        of.insert(of.end(), dice->values.begin(), dice->values.end());
      }
    } else if (record.kind == RecordKind::kSeen) {
      const Json json = Json::parse_or(record.text, Json());
      try {
        if (!json.is_object() || json.value("type", "") != "dice") continue;
        auto& of = thrown["seen by the camera" + at];
        for (const int value : json.at("values").get<std::vector<int>>()) of.push_back(value);
      } catch (const JsonError&) {
        continue;  // another program's record
      }
    }
  }
  const auto six = [](int value) { return value >= 1 && value <= 6; };
  for (const auto& [who, values] : thrown) {
    if (!std::all_of(values.begin(), values.end(), six)) return;
  }
  for (const auto& [who, values] : thrown) {
    DiceRecord& out = dice_[who];
    out.who = who;
    for (const int value : values) ++out.faces[static_cast<std::size_t>(value - 1)];
  }
}

void Season::Add(const GameLog& log, const Battle& battle, const std::string& table) {
  ++games_;
  if (first_day_.empty() || battle.day < first_day_) first_day_ = battle.day;
  if (last_day_.empty() || battle.day > last_day_) last_day_ = battle.day;
  shooting_.Add(battle);
  for (const BattleTurn& turn : battle.turns) {
    for (const BattleShot& shot : turn.shots) {
      const std::optional<Vec2> to = shot.target ? shot.target : shot.landed;
      // The losses of volleys are rolled together, and belong to no single one.
      if (!shot.thrown || !shot.from || !to) continue;
      const std::string gun = InWords(shot.kind.empty() ? shot.how : shot.kind);
      const int band = static_cast<int>(Norm(*to - *shot.from) / kRangeBand_in);
      RangeRecord& one = ranges_[{gun, band}];
      one.gun = gun;
      one.band = band;
      ++one.shots;
      one.hits += static_cast<int>(shot.lost.size());
    }
  }
  AddReferee(log, table);
  AddDice(log, table);
}

std::vector<RangeRecord> Season::Ranges() const {
  std::vector<RangeRecord> out;
  for (const auto& [key, one] : ranges_) out.push_back(one);
  return out;
}
std::vector<RefereeRecord> Season::Referees() const {
  std::vector<RefereeRecord> out;
  for (const auto& [key, one] : referees_) out.push_back(one);
  return out;
}
std::vector<DiceRecord> Season::Dice() const {
  std::vector<DiceRecord> out;
  for (const auto& [key, one] : dice_) out.push_back(one);
  return out;
}

}  // namespace fos
