#include "ui/app/replay.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "calibration/rig_profile.h"
#include "engine/fall_of_shot.h"
#include "engine/files/event_log.h"
#include "engine/files/scenario_file.h"
#include "engine/files/table_file.h"
#include "engine/journal/sha256.h"
#include "engine/rules/seen.h"
#include "ui/app/sightings.h"

namespace fos {
namespace {

bool HasLines(const GameLog& log) {
  return log.start.kind == GameStart::Kind::kPlayed ||
         std::any_of(log.records.begin(), log.records.end(), [](const Record& record) {
           return record.kind == RecordKind::kLine || record.kind == RecordKind::kRefused;
         });
}

bool HasMeasurements(const GameLog& log) {
  return std::any_of(log.records.begin(), log.records.end(),
                     [](const Record& record) { return record.measured.has_value(); });
}

// What of a verdict a player would call another one, in words.
std::string WhyOther(const VerdictEvent& then, const VerdictEvent& now) {
  std::vector<std::string> changes;
  for (const VerdictStand& was : then.stands) {
    const auto is = std::find_if(now.stands.begin(), now.stands.end(),
                                 [&](const VerdictStand& one) { return one.id == was.id; });
    if (is == now.stands.end()) {
      changes.push_back(was.id + " is no longer near");
    } else if (is->call != was.call) {
      changes.push_back(
          fmt::format("{} was {} at {:.3f} +/- {:.3f} in (chance of a hit {:.3f}), is {} "
                      "at {:.3f} +/- {:.3f} in ({:.3f})",
                      was.id, CallName(was.call), was.distance_in, was.sigma_in, was.p_hit,
                      CallName(is->call), is->distance_in, is->sigma_in, is->p_hit));
    } else if (is->distance_in != was.distance_in || is->p_hit != was.p_hit ||
               is->sigma_in != was.sigma_in) {
      changes.push_back(fmt::format("{}: the same call from other numbers ({:.4f} in, then {:.4f})",
                                    was.id, is->distance_in, was.distance_in));
    }
  }
  if (then.casualties != now.casualties) {
    changes.push_back(fmt::format("casualties were [{}], are [{}]",
                                  fmt::join(then.casualties, ", "),
                                  fmt::join(now.casualties, ", ")));
  }
  if (changes.empty()) changes.push_back(fmt::format("then: {} | now: {}", then.text, now.text));
  return fmt::format("{}", fmt::join(changes, "; "));
}

// Judges stored measurements as the match did.
class VerdictJudge {
 public:
  static Result<VerdictJudge> For(const GameLog& log, RulesOf rules) {
    Result<GameFolder> folder = GameFolder::Unpack(log.start.files);
    if (!folder.ok()) return folder.error();
    Result<WatchedWith> with = ReadWatchedWith(*folder);
    if (!with.ok()) return with.error();
    return VerdictJudge(std::move(folder).value(), rules, std::move(with->scenario),
                        with->table.frame);
  }
  // The line of events.jsonl this verdict makes now.
  Result<std::string> Line(const EventRecord& logged, const ShotMeasured& measured,
                           VerdictEvent& now) const {
    const std::size_t spec = static_cast<std::size_t>(measured.spec);
    const auto known = [](int index, std::size_t size) {
      return index >= 0 && static_cast<std::size_t>(index) < size;
    };
    const bool fits = known(measured.spec, scenario_.projectiles.size()) &&
                      std::all_of(measured.stands.begin(), measured.stands.end(),
                                  [&](const StandObservation& stand) {
                                    return known(stand.kind, scenario_.kinds.size()) &&
                                           known(stand.side, scenario_.sides.size());
                                  });
    if (!fits) {
      return Error{ErrorCode::kBadFormat, "its measurement names what the scenario has not"};
    }
    std::optional<DataRootFirst> tables;
    if (rules_ == RulesOf::kLog) tables.emplace(folder_.Rules());
    now = VerdictRecord(
        measured.shot.shot,
        JudgeShotUnderRules(measured.shot, measured.stands, scenario_.projectiles[spec], scenario_,
                            frame_, {measured.doubt}),
        scenario_);
    return EventLine({logged.frame, logged.time_s, now});
  }

 private:
  VerdictJudge(GameFolder folder, RulesOf rules, Scenario scenario, const TableFrame& frame)
      : folder_(std::move(folder)), rules_(rules), scenario_(std::move(scenario)), frame_(frame) {}
  GameFolder folder_;
  RulesOf rules_;
  Scenario scenario_;
  TableFrame frame_;
};

}  // namespace

Result<WatchedWith> ReadWatchedWith(const GameFolder& folder) {
  const auto table = [&]() -> Result<TableSpec> {
    if (const std::filesystem::path file = folder.File("table"); !file.empty()) {
      return ReadTable(file);
    }
    Result<RigProfile> rig = ReadRig(folder.File("rig"));
    if (!rig.ok()) return rig.error();
    return std::move(rig->table);
  }();
  if (!table.ok()) return table.error();
  Result<Scenario> scenario = ReadScenario(folder.File("scenario"), table->frame);
  if (!scenario.ok()) return scenario.error();
  return WatchedWith{*table, std::move(scenario).value()};
}

Result<ReplayedLog> ReplayLog(const GameLog& log, const ReplayOptions& options) {
  ReplayedLog out;
  Sha256 sum;
  if (HasLines(log)) {
    Result<Replayed> played = Replay(log, options);
    if (!played.ok()) return played.error();
    out.game = std::move(played->game);
    out.lines = played->records;
    out.differences = std::move(played->differences);
    sum.AddText(played->signature);
  }
  std::optional<VerdictJudge> judge;
  if (HasMeasurements(log)) {
    Result<VerdictJudge> made = VerdictJudge::For(log, options.rules);
    if (!made.ok()) return made.error();
    judge.emplace(std::move(made).value());
  }
  for (const Record& record : log.records) {
    if (options.until && record.number > *options.until) break;
    if (record.kind == RecordKind::kWord) sum.AddText(record.text);
    if (record.kind != RecordKind::kSeen) continue;
    if (!record.measured) {
      sum.AddText(record.text);
      continue;
    }
    ++out.verdicts;
    const auto differs = [&](std::string text, std::string why) {
      out.differences.push_back({record.number, std::move(text), std::move(why)});
    };
    const Result<std::optional<EventRecord>> logged = ParseEventLine(record.text);
    const VerdictEvent* then =
        logged.ok() && logged->has_value() ? std::get_if<VerdictEvent>(&(*logged)->body) : nullptr;
    if (!then) {
      differs(record.text.substr(0, 80), "is no verdict this program can read");
      continue;
    }
    VerdictEvent now;
    const Result<std::string> line = judge->Line(**logged, *record.measured, now);
    if (!line.ok()) {
      differs(fmt::format("shot {}", then->shot), line.error().message);
      continue;
    }
    sum.AddText(*line);
    if (*line != record.text) differs(fmt::format("shot {}", then->shot), WhyOther(*then, now));
  }
  std::sort(out.differences.begin(), out.differences.end(),
            [](const Difference& a, const Difference& b) { return a.record < b.record; });
  out.signature = sum.Hex();
  return out;
}

}  // namespace fos
