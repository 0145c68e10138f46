// SPDX-License-Identifier: MIT
#include "ui/report/battle.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/journal/game_files.h"
#include "engine/journal/logged_game.h"
#include "engine/rules/rule_sets.h"
#include "ui/report/camera_story.h"
#include "ui/report/line_story.h"
#include "ui/session/club_file.h"
#include "ui/session/decision_record.h"
#include "ui/session/game_map.h"
#include "ui/session/replay.h"

namespace fos {
namespace {

// The sides' colours: the scenario's paint, else by the side's name, else the next free one.
std::vector<Colour> ColoursOf(const std::vector<std::string>& names,
                              const std::vector<SideSpec>& specs) {
  struct Named {
    const char* word;
    Colour colour;
  };
  static const Named kNamed[] = {{"blue", {47, 79, 168}},    {"french", {47, 79, 168}},
                                 {"red", {176, 48, 40}},     {"british", {176, 48, 40}},
                                 {"green", {58, 110, 58}},   {"russian", {58, 110, 58}},
                                 {"white", {120, 120, 110}}, {"austrian", {120, 120, 110}}};
  static const Colour kFree[] = {{47, 79, 168}, {176, 48, 40}, {58, 110, 58}, {168, 120, 32}};
  std::vector<Colour> out;
  for (const std::string& name : names) {
    std::optional<Colour> colour;
    for (const SideSpec& spec : specs) {
      if (spec.name == name && !(spec.paint == Colour{})) colour = spec.paint;
    }
    std::string lower = name;
    std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) {
      return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    for (const Named& named : kNamed) {
      if (!colour && lower.find(named.word) != std::string::npos) colour = named.colour;
    }
    const auto taken = [&](Colour c) { return std::find(out.begin(), out.end(), c) != out.end(); };
    if (colour && taken(*colour)) colour.reset();
    for (const Colour free : kFree) {
      if (!colour && !taken(free)) colour = free;
    }
    out.push_back(colour.value_or(Colour{90, 90, 90}));
  }
  return out;
}

// Adds a decision to the dispute it belongs to, or begins one.
void AddDecision(const DecisionRecord& record, Battle& battle) {
  using What = PlayerDecision::What;
  const PlayerDecision& decision = record.decision;
  const auto on_shot = [&](const Dispute& one) { return one.shot == decision.shot; };
  if (decision.what == What::kAccept || decision.what == What::kIdentify) return;
  // Taking back an acceptance, of which the report says nothing, is not told either.
  if (decision.what == What::kTakeBack &&
      std::none_of(battle.disputes.begin(), battle.disputes.end(), on_shot))
    return;
  if (decision.what == What::kTable) {
    battle.corrections.push_back(record.text + ".");
    return;
  }
  if (decision.what == What::kOverrule) {
    battle.corrections.push_back(fmt::format("The players allow a move: {}.", record.text));
    return;
  }
  auto dispute = std::find_if(battle.disputes.begin(), battle.disputes.end(), on_shot);
  if (dispute == battle.disputes.end()) {
    battle.disputes.push_back(
        {1, decision.shot, fmt::format("Shot {} is disputed.", decision.shot), {}, ""});
    dispute = battle.disputes.end() - 1;
  }
  if (decision.what == What::kSettle) {
    dispute->decisions.push_back(fmt::format("The players settle it: {} is {}.{}", decision.stand,
                                             decision.call == Call::kHit ? "hit" : "not hit",
                                             record.text.empty() ? "" : " " + record.text + "."));
  } else if (decision.what == What::kMove) {
    dispute->decisions.push_back(
        fmt::format("The players give the place of its point: {}", record.text));
  } else if (decision.what == What::kPoint) {
    dispute->decisions.push_back(
        fmt::format("The camera told no shot; the players say that it fell. {}", record.text));
  } else if (decision.what == What::kTakeBack) {
    dispute->decisions.push_back(fmt::format("The players take back: {}.", record.text));
  } else {
    dispute->decisions.push_back(fmt::format("\"{}\"", decision.reason));
  }
}

// The map of a played game; it stays empty where the scenario has no readable board, which the rule
// set reports.
void AddMap(const GameLog& log, Battle& battle) {
  const Result<GameFolder> folder = GameFolder::Unpack(log.start.files);
  if (!folder.ok()) return;
  Result<GameMap> map = ReadGameMap(folder->File("scenario"));
  if (!map.ok()) return;
  battle.board = map->board;
  battle.gridded = map->gridded;
  battle.terrain = std::move(map->terrain);
  battle.objectives = std::move(map->objectives);
}

// The board, terrain and kinds of a watched match, and its sides as the scenario has them.
Result<std::vector<SideSpec>> AddWatchedTable(const GameLog& log, Battle& battle) {
  const Result<GameFolder> folder = GameFolder::Unpack(log.start.files);
  if (!folder.ok()) return folder.error();
  const Result<WatchedWith> with = ReadWatchedWith(*folder);
  if (!with.ok()) return folder->ByName(with.error());
  battle.board = with->table.frame;
  for (const KindSpec& kind : with->scenario.kinds) battle.kinds[kind.name] = kind;
  for (const TerrainArea& area : with->scenario.terrain) {
    battle.terrain.push_back({area.type, {}, area.polygon, {}});
  }
  return with->scenario.sides;
}

void AddSides(const GameLog& log, const std::vector<SideSpec>& specs, Battle& battle) {
  const std::vector<Colour> colours = ColoursOf(log.start.sides, specs);
  for (std::size_t i = 0; i < log.start.sides.size(); ++i) {
    BattleSide side{log.start.sides[i], colours[i], {}};
    for (const Seat& seat : log.start.seats) {
      if (seat.side == static_cast<int>(i)) side.players.push_back(seat.player);
    }
    battle.sides.push_back(std::move(side));
  }
}

// A line as the players type it.
std::string AsTyped(const std::string& line) {
  return fmt::format("`{}`", line.substr(0, line.find(" drawn ")));
}

// What a record of the game took back or replaced, in a sentence.
// before, after  the lines that counted before and after it.
std::string CorrectionOf(const Record& record, const std::vector<std::string>& before,
                         const std::vector<std::string>& after) {
  if (record.kind == RecordKind::kUndo) {
    std::vector<std::string> undone;
    for (std::size_t i = after.size(); i < before.size(); ++i) undone.push_back(AsTyped(before[i]));
    return fmt::format("Undone: {}.", fmt::join(undone, ", "));
  }
  const auto [number, line] = CorrectionIn(record.text);
  const std::string old = number >= 1 && number <= before.size() ? AsTyped(before[number - 1])
                                                                 : fmt::format("line {}", number);
  return line.empty() ? fmt::format("Taken out: {}.", old)
                      : fmt::format("Corrected: {} to {}.", old, AsTyped(line));
}

void AddPictures(const std::map<int, std::string>& hashes, const GameSource& games,
                 std::vector<Dispute>& disputes) {
  for (Dispute& dispute : disputes) {
    const auto hash = hashes.find(dispute.shot);
    if (hash == hashes.end()) continue;
    Result<std::string> bytes = games.Blob(hash->second);
    if (bytes.ok()) dispute.picture = std::move(bytes).value();
  }
}

}  // namespace

std::vector<UnitLine> ShortOrder(const Battle& battle, int side) {
  std::vector<UnitLine> units;
  for (const UnitLine& unit : battle.order) {
    if (unit.side == side) units.push_back(unit);
  }
  // As many as fit on a page.
  constexpr std::size_t kMostLines = 20;
  if (units.size() <= kMostLines) return units;
  std::vector<UnitLine> out;
  for (const UnitLine& unit : units) {
    if (unit.start > 1) {
      out.push_back(unit);
      continue;
    }
    // Guns, wagons, crews and commanders: one line per kind.
    const auto same = std::find_if(out.begin(), out.end(), [&](const UnitLine& one) {
      return one.unit.empty() && one.kind == unit.kind;
    });
    if (same == out.end()) {
      out.push_back({"", unit.kind, side, unit.start, unit.left, {}});
    } else {
      same->start += unit.start;
      same->left += unit.left;
    }
  }
  std::stable_partition(out.begin(), out.end(),
                        [](const UnitLine& one) { return !one.unit.empty(); });
  return out;
}

bool AnyLosses(const Battle& battle) {
  return !battle.strength.empty() &&
         std::any_of(battle.strength.back().lost.begin(), battle.strength.back().lost.end(),
                     [](int lost) { return lost > 0; });
}

Result<Battle> BattleOf(const GameLog& log, const GameSource& games) {
  Battle battle;
  battle.name = log.start.name;
  battle.ruleset = log.start.ruleset;
  battle.day = DayOf(log.start.started_unix_s);
  battle.program = log.start.program;
  battle.records = static_cast<std::int64_t>(log.records.size());
  battle.board = {12, 12, 4.0};
  std::vector<SideSpec> specs;
  if (log.start.kind == GameStart::Kind::kWatched) {
    Result<std::vector<SideSpec>> watched = AddWatchedTable(log, battle);
    if (!watched.ok()) return watched.error();
    specs = std::move(watched).value();
  } else {
    AddMap(log, battle);
  }
  AddSides(log, specs, battle);

  std::vector<std::string> lines;
  std::map<std::int64_t, std::string> corrections;  // by record
  ReplayOptions replay;
  replay.step = [&](const Record& record, const Record& now, const RuleGame& game) {
    if (now.kind == RecordKind::kLine) lines.push_back(now.text);
    if (now.kind != RecordKind::kUndo && now.kind != RecordKind::kCorrected) return;
    std::vector<std::string> after = game.Lines();
    corrections[record.number] = CorrectionOf(record, lines, after);
    lines = std::move(after);
  };
  const Result<ReplayedLog> replayed = ReplayLog(log, replay);
  if (!replayed.ok()) return replayed.error();
  battle.signature = replayed->signature;
  battle.same = replayed->differences.empty();
  if (replayed->game) {
    const Status told = TellLines(log, *replayed->game, battle);
    if (!told.ok()) return told.error();
    // The deployment has its own map; turn 0 is left out when nothing happened in it.
    const auto idle = [](const BattleTurn& turn) {
      return turn.number == 0 && turn.moves.empty() && turn.shots.empty() && turn.phases.empty();
    };
    if (battle.turns.size() > 1) std::erase_if(battle.turns, idle);
  }
  CameraStory camera(battle);
  bool anything_seen = false;
  std::map<int, std::string> pictures;
  for (const Record& record : log.records) {
    switch (record.kind) {
      case RecordKind::kSeen:
        anything_seen = true;
        camera.Take(record);
        break;
      case RecordKind::kWord:
        if (const auto decision = ParseDecisionLine(record.text)) {
          AddDecision(*decision, battle);
          camera.Decide(*decision);
        }
        break;
      case RecordKind::kUndo:
      case RecordKind::kCorrected:
        if (const auto told = corrections.find(record.number); told != corrections.end())
          battle.corrections.push_back(told->second);
        break;
      case RecordKind::kAttached:
        if (record.attachment && record.attachment->role == "evidence") {
          pictures[record.attachment->shot] = record.attachment->hash;
        }
        break;
      default:
        break;
    }
  }
  if (anything_seen && !replayed->game) camera.Finish();
  AddPictures(pictures, games, battle.disputes);
  return battle;
}

std::string LongDay(const std::string& day) {
  static constexpr const char* kMonths[] = {"January",   "February", "March",    "April",
                                            "May",       "June",     "July",     "August",
                                            "September", "October",  "November", "December"};
  int month = 0;
  int number = 0;
  if (day.size() != 10) return day;
  std::from_chars(day.data() + 5, day.data() + 7, month);
  std::from_chars(day.data() + 8, day.data() + 10, number);
  if (month < 1 || month > 12) return day;
  return fmt::format("{} {} {}", number, kMonths[month - 1], day.substr(0, 4));
}

std::vector<std::string> Summary(const Battle& battle) {
  std::vector<std::string> out;
  std::vector<std::string> sides;
  for (const BattleSide& side : battle.sides) {
    sides.push_back(side.players.empty()
                        ? side.name
                        : fmt::format("{} ({})", side.name, fmt::join(side.players, ", ")));
  }
  if (sides.size() == 2) {
    out.push_back(fmt::format("{} met {} on {}, under the {} rules.", sides[0], sides[1],
                              LongDay(battle.day), RuleSetTitle(battle.ruleset)));
  }
  std::vector<int> start(battle.sides.size(), 0);
  for (const UnitLine& unit : battle.order) {
    if (unit.side >= 0 && static_cast<std::size_t>(unit.side) < start.size()) {
      start[static_cast<std::size_t>(unit.side)] += unit.start;
    }
  }
  std::size_t shots = 0;
  for (const BattleTurn& turn : battle.turns) {
    shots += static_cast<std::size_t>(std::count_if(
        turn.shots.begin(), turn.shots.end(), [](const BattleShot& shot) { return shot.thrown; }));
  }
  if (!battle.strength.empty() && battle.strength.back().lost.size() == battle.sides.size()) {
    std::vector<std::string> losses;
    for (std::size_t i = 0; i < battle.sides.size(); ++i) {
      losses.push_back(fmt::format("{} lost {} of {}", battle.sides[i].name,
                                   battle.strength.back().lost[i], start[i]));
    }
    out.push_back(fmt::format("{} turn{} and {} shot{} later {}.", battle.turns.size(),
                              battle.turns.size() == 1 ? "" : "s", shots, shots == 1 ? "" : "s",
                              fmt::join(losses, ", ")));
  }
  // The turn with the most losses, if it stands out.
  int worst = 0;
  const BattleTurn* heaviest = nullptr;
  for (const BattleTurn& turn : battle.turns) {
    if (static_cast<int>(turn.lost.size()) > worst) {
      worst = static_cast<int>(turn.lost.size());
      heaviest = &turn;
    }
  }
  if (heaviest && worst >= 2 && battle.turns.size() > 1) {
    std::map<int, int> by_side;
    for (const PieceView& piece : heaviest->lost) ++by_side[piece.side];
    std::vector<std::string> words;
    for (const auto& [side, count] : by_side) {
      if (side >= 0) {
        words.push_back(
            fmt::format("{} {}", count, battle.sides[static_cast<std::size_t>(side)].name));
      }
    }
    out.push_back(fmt::format("The heaviest was turn {}, which cost {}.", heaviest->number,
                              fmt::join(words, " and ")));
  }
  if (!battle.result.empty()) out.push_back(battle.result);
  return out;
}

}  // namespace fos
