// SPDX-License-Identifier: MIT
#include "ui/report/season.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "engine/files/event_log.h"
#include "engine/files/json.h"
#include "engine/rules/rule_sets.h"
#include "engine/table/sentence.h"
#include "ui/session/decision_record.h"
#include "ui/session/dice_record.h"

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

// The chance of each number: what the likely ones leave falls evenly to the others.
ByFace ChancesOf(const DiceEvent::Asked& asked, DieFaces kind) {
  ByFace out{};
  double named = 0;
  for (std::size_t i = 0; i < std::min(asked.values.size(), asked.chances.size()); ++i) {
    if (!HasFace(kind, asked.values[i])) continue;
    out[static_cast<std::size_t>(asked.values[i] - 1)] = std::max(asked.chances[i], 0.0);
    named += std::max(asked.chances[i], 0.0);
  }
  const int sides = SidesOf(kind);
  const double left = std::max(1 - named, 0.0) / sides;
  for (int i = 0; i < sides; ++i) {
    double& chance = out[static_cast<std::size_t>(i)];
    chance = (chance + left) / std::max(named, 1.0);
  }
  return out;
}

// Dice with so many sides that show each number once; empty for those that are not counted.
std::optional<DieFaces> KindOf(int sides) {
  for (const DieFaces kind : {DieFaces::kOrdinary, DieFaces::kTwelve})
    if (sides == SidesOf(kind)) return kind;
  return std::nullopt;
}

std::string NameOf(DieFaces kind) {
  switch (kind) {
    case DieFaces::kAverage:
      return ", average dice";
    case DieFaces::kTwelve:
      return ", twelve-sided dice";
    case DieFaces::kOrdinary:
      break;
  }
  return "";
}

}  // namespace

std::string RangeName(int band) {
  return fmt::format("{:g} to {:g} in", band * kRangeBand_in, (band + 1) * kRangeBand_in);
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

DiceRecord& Season::DiceOf(const std::string& who, DieFaces kind) {
  const std::string name = who + NameOf(kind);
  DiceRecord& out = dice_[name];
  out.who = name;
  out.kind = kind;
  return out;
}

void Season::AddThrows(const GameLog& log, const Battle& battle, const std::string& table) {
  // What the camera read, by accepted line: it is recorded after its line. The number that it names
  // itself is that of the line then; lines before it may have been taken out since.
  std::map<std::size_t, DiceRead> read;
  std::size_t accepted = 0;
  for (const Record& record : log.records) {
    if (record.kind == RecordKind::kLine) ++accepted;
    if (record.kind != RecordKind::kSeen) continue;
    if (std::optional<DiceRead> one = ParseDiceReadLine(record.text)) read[accepted] = *one;
  }
  const std::string at = table.empty() ? "" : " at " + table;
  for (const BattleThrow& thrown : battle.throws) {
    const std::optional<DieFaces> usual = KindOf(thrown.sides);
    if (!usual) continue;
    const auto seen = read.find(thrown.line);
    const bool by_camera =
        seen != read.end() && seen->second.by_camera && seen->second.values == thrown.faces;
    for (std::size_t i = 0; i < thrown.faces.size(); ++i) {
      const DieFaces kind = i < thrown.kinds.size() ? thrown.kinds[i] : *usual;
      if (!HasFace(kind, thrown.faces[i])) continue;
      DiceOf(thrown.drawn ? "drawn by the program" : "thrown" + at, kind)
          .Add(thrown.faces[i], by_camera ? seen->second.chances[i] : 1);
    }
  }
}

void Season::AddSeenDice(const GameLog& log, const std::string& table) {
  const RuleSet* rules = FindRuleSet(log.start.ruleset);
  const bool average_dice = rules != nullptr && rules->average_dice;
  const auto counted = [&](int faces) {
    const std::optional<DieFaces> kind = KindOf(faces);
    // Which dice are average ones the camera's log does not say.
    return kind == DieFaces::kOrdinary && average_dice ? std::nullopt : kind;
  };
  const std::string who = "seen by the camera" + (table.empty() ? "" : " at " + table);
  for (const Record& record : log.records) {
    if (record.kind != RecordKind::kSeen) continue;
    const Result<std::optional<EventRecord>> event = ParseEventLine(record.text);
    if (!event.ok() || !event->has_value()) continue;
    const auto* dice = std::get_if<DiceEvent>(&(*event)->body);
    if (dice == nullptr || dice->taken) continue;
    for (std::size_t i = 0; i < dice->values.size(); ++i) {
      if (const auto kind = counted(dice->FacesOf(i)))
        DiceOf(who, *kind).Add(dice->values[i], dice->chances.empty() ? 1 : dice->chances[i]);
    }
    for (const DiceEvent::Asked& asked : dice->asked) {
      if (asked.cocked) continue;  // it is thrown again
      if (const auto kind = counted(asked.faces)) DiceOf(who, *kind).Add(ChancesOf(asked, *kind));
    }
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
      const std::string gun = KeyInWords(shot.kind.empty() ? shot.how : shot.kind);
      const int band = static_cast<int>(Norm(*to - *shot.from) / kRangeBand_in);
      RangeRecord& one = ranges_[{gun, band}];
      one.gun = gun;
      one.band = band;
      ++one.shots;
      one.hits += shot.Hits();
    }
  }
  AddReferee(log, table);
  AddThrows(log, battle, table);
  AddSeenDice(log, table);
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
