// SPDX-License-Identifier: MIT
#include "ui/session/replay.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "calibration/registration/rig_profile.h"
#include "engine/files/event_log.h"
#include "engine/files/table_file.h"
#include "engine/journal/sha256.h"
#include "engine/rules/rule_sets.h"
#include "engine/shots/fall_of_shot.h"
#include "engine/shots/seen.h"
#include "ui/session/sightings.h"

namespace fos {
namespace {

bool HasLines(const GameLog& log) {
  return log.start.kind == GameStart::Kind::kPlayed ||
         std::any_of(log.records.begin(), log.records.end(), [](const Record& record) {
           return record.kind == RecordKind::kLine || record.kind == RecordKind::kRefused;
         });
}

bool HasMeasurements(const GameLog& log) {
  return std::any_of(log.records.begin(), log.records.end(), [](const Record& record) {
    return record.measured.has_value() || record.stands.has_value();
  });
}

// Says how two verdicts differ.
std::string DifferenceOf(const VerdictEvent& then, const VerdictEvent& now) {
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
      changes.push_back(fmt::format("{}: same call, but distance {:.4f} in, was {:.4f} in", was.id,
                                    is->distance_in, was.distance_in));
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

std::string DifferenceOf(const StandChangeEvent& then, const StandChangeEvent& now) {
  const auto in_words = [](const StandChangeEvent& change) {
    return change.remark.empty()
               ? "nothing"
               : change.remark + (change.refused_by.empty() ? ", legal" : ", refused");
  };
  if (then.remark != now.remark || then.refused_by != now.refused_by) {
    return fmt::format("then: {} | now: {}", in_words(then), in_words(now));
  }
  return "same ruling, but other places";
}

bool Knows(const Scenario& scenario, const StandObservation& stand) {
  const auto known = [](int index, std::size_t size) {
    return index >= 0 && static_cast<std::size_t>(index) < size;
  };
  return known(stand.kind, scenario.kinds.size()) && known(stand.side, scenario.sides.size());
}
bool Knows(const Scenario& scenario, const std::vector<StandObservation>& stands) {
  return std::all_of(stands.begin(), stands.end(),
                     [&](const StandObservation& stand) { return Knows(scenario, stand); });
}
bool Knows(const Scenario& scenario, const StandsMeasured& m) {
  return Knows(scenario, m.position) &&
         std::all_of(m.moved.begin(), m.moved.end(), [&](const StandMoved& one) {
           return Knows(scenario, one.from) && Knows(scenario, one.to);
         });
}
Error Unknown() {
  return {ErrorCode::kBadFormat, "its measurement has a side or kind that the scenario has not"};
}
std::unique_ptr<DataRootFirst> Tables(const GameFolder& folder, RulesOf rules) {
  return rules == RulesOf::kLog ? std::make_unique<DataRootFirst>(folder.Rules()) : nullptr;
}

// Judges stored measurements and makes the lines that events.jsonl would have now.
class VerdictJudge {
 public:
  static Result<VerdictJudge> For(const GameLog& log, RulesOf rules) {
    Result<GameFolder> folder = GameFolder::Unpack(log.start.files);
    if (!folder.ok()) return folder.error();
    Result<WatchedWith> with = ReadWatchedWith(*folder);
    if (!with.ok()) return with.error();
    return VerdictJudge(std::move(folder).value(), rules, std::move(with).value());
  }
  // The line of a verdict.
  Result<std::string> Line(const EventRecord& logged, const ShotMeasured& measured,
                           VerdictEvent& now) const {
    const Result<ShotVerdict> verdict = JudgeAgain(measured, with_, folder_, rules_);
    if (!verdict.ok()) return verdict.error();
    now = VerdictRecord(measured.shot.shot, *verdict, with_.scenario);
    // How far the table was trusted is a measurement, not a ruling: it is kept as logged.
    if (const auto* before = std::get_if<VerdictEvent>(&logged.body)) now.trust = before->trust;
    return EventLine({logged.frame, logged.time_s, now});
  }
  Result<RuledMoves> Moves(const StandsMeasured& measured) const {
    return JudgeAgain(measured, with_, folder_, rules_);
  }
  // The line of a stand that moved.
  Result<std::string> Line(const EventRecord& logged, const StandMoved& moved,
                           const RuledMoves& ruled, StandChangeEvent& now) const {
    now = ChangeRecord({moved.to.stand, moved.from, moved.to}, with_.table.frame, ruled);
    return EventLine({logged.frame, logged.time_s, now});
  }
  // The faults of the deployment; empty where the rules cannot judge it.
  Result<std::vector<std::string>> Faults(const StandsMeasured& measured) const {
    if (!Knows(with_.scenario, measured)) return Unknown();
    const auto tables = Tables(folder_, rules_);
    Result<std::vector<std::string>> faults =
        CheckSetupUnderRules(measured.position, with_.scenario, with_.table.frame);
    return faults.ok() ? std::move(faults) : std::vector<std::string>{};
  }

 private:
  VerdictJudge(GameFolder folder, RulesOf rules, WatchedWith with)
      : folder_(std::move(folder)), rules_(rules), with_(std::move(with)) {}
  GameFolder folder_;
  RulesOf rules_;
  WatchedWith with_;
};

// Goes through the camera's records. Those with measurements are judged again; the others count as
// they are written.
class CameraReplay {
 public:
  CameraReplay(std::optional<VerdictJudge> judge, Sha256& sum, ReplayedLog& out)
      : judge_(std::move(judge)), sum_(sum), out_(out) {}

  void Take(const Record& record) {
    const Result<std::optional<EventRecord>> read = ParseEventLine(record.text);
    const EventRecord* logged = read.ok() && read->has_value() ? &**read : nullptr;
    const auto* change = logged ? std::get_if<StandChangeEvent>(&logged->body) : nullptr;
    if (record.stands && !record.stands->moved.empty()) {
      ++out_.moves;
      looked_ = *record.stands;
      last_rulings_.clear();
      ruled_ = judge_->Moves(looked_);
    }
    if (record.measured) {
      Shot(record, logged);
    } else if (change && change->what == StandChangeEvent::What::kMoved) {
      Move(record, *logged, *change);
    } else {
      if (record.stands) SetUp(record);
      sum_.AddText(record.text);
    }
  }

 private:
  void Differs(const Record& record, std::string what, std::string why) {
    out_.differences.push_back({record.number, std::move(what), std::move(why)});
  }

  void Shot(const Record& record, const EventRecord* logged) {
    ++out_.verdicts;
    const VerdictEvent* then = logged ? std::get_if<VerdictEvent>(&logged->body) : nullptr;
    if (!then) {
      Differs(record, record.text.substr(0, 80), "not a verdict that this program can read");
      return;
    }
    VerdictEvent now;
    const Result<std::string> line = judge_->Line(*logged, *record.measured, now);
    Compare(record, line, fmt::format("shot {}", then->shot),
            [&] { return DifferenceOf(*then, now); });
  }

  void Move(const Record& record, const EventRecord& logged, const StandChangeEvent& then) {
    const auto moved =
        std::find_if(looked_.moved.begin(), looked_.moved.end(),
                     [&](const StandMoved& one) { return one.to.stand.text == then.id; });
    if (moved == looked_.moved.end()) {
      out_.not_measured += then.remark.empty() ? 0 : 1;
      sum_.AddText(record.text);
      return;
    }
    const std::string what = then.id + " moved";
    if (!ruled_.ok()) {
      Differs(record, what, ruled_.error().message);
      return;
    }
    StandChangeEvent now;
    const Result<std::string> line = judge_->Line(logged, *moved, *ruled_, now);
    looked_.moved.erase(moved);
    // Stands that move together have the same ruling; its difference is reported once.
    const std::string before = std::exchange(last_rulings_, then.remark + now.remark);
    if (line.ok() && *line != record.text && last_rulings_ == before && !now.remark.empty()) {
      sum_.AddText(*line);
      return;
    }
    Compare(record, line, what, [&] { return DifferenceOf(then, now); });
  }

  void SetUp(const Record& record) {
    const Result<std::vector<std::string>> faults = judge_->Faults(*record.stands);
    if (!faults.ok()) {
      Differs(record, "how the armies are deployed", faults.error().message);
    } else if (*faults != record.told) {
      const auto in_words = [](const std::vector<std::string>& told) {
        return told.empty() ? "nothing" : fmt::format("{}", fmt::join(told, "; "));
      };
      Differs(record, "how the armies are deployed",
              fmt::format("then: {} | now: {}", in_words(record.told), in_words(*faults)));
    }
    if (!faults.ok()) return;
    for (const std::string& fault : *faults) sum_.AddText(fault);
  }

  template <typename Why>
  void Compare(const Record& record, const Result<std::string>& line, const std::string& what,
               const Why& why) {
    if (!line.ok()) {
      Differs(record, what, line.error().message);
      return;
    }
    sum_.AddText(*line);
    if (*line != record.text) Differs(record, what, why());
  }

  std::optional<VerdictJudge> judge_;  // empty when the log has no measurements
  Sha256& sum_;
  ReplayedLog& out_;
  // The newest look in which stands had moved: those not taken yet, and the rulings.
  StandsMeasured looked_;
  Result<RuledMoves> ruled_ = RuledMoves{};
  std::string last_rulings_;  // of the stand before, as recorded and as computed
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
  Result<Scenario> scenario = ReadScenarioUnderRules(folder.File("scenario"), table->frame);
  if (!scenario.ok()) return scenario.error();
  return WatchedWith{*table, std::move(scenario).value()};
}

Result<ShotVerdict> JudgeAgain(const ShotMeasured& measured, const WatchedWith& with,
                               const GameFolder& folder, RulesOf rules, SettledCalls calls) {
  const std::size_t spec = static_cast<std::size_t>(measured.spec);
  if (measured.spec < 0 || spec >= with.scenario.projectiles.size() ||
      !Knows(with.scenario, measured.stands)) {
    return Unknown();
  }
  const auto tables = Tables(folder, rules);
  return JudgeShotUnderRules(measured.shot, measured.stands, with.scenario.projectiles[spec],
                             with.scenario, with.table.frame, {measured.doubt, std::move(calls)});
}

Result<RuledMoves> JudgeAgain(const StandsMeasured& measured, const WatchedWith& with,
                              const GameFolder& folder, RulesOf rules) {
  if (!Knows(with.scenario, measured)) return Unknown();
  const auto tables = Tables(folder, rules);
  return JudgeMovesUnderRules(measured.moved, measured.position, with.scenario, with.table.frame);
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
  CameraReplay seen(std::move(judge), sum, out);
  for (const Record& record : log.records) {
    if (options.until && record.number > *options.until) break;
    if (record.kind == RecordKind::kWord) sum.AddText(record.text);
    if (record.kind == RecordKind::kSeen) seen.Take(record);
  }
  std::sort(out.differences.begin(), out.differences.end(),
            [](const Difference& a, const Difference& b) { return a.record < b.record; });
  out.signature = sum.Hex();
  return out;
}

}  // namespace fos
