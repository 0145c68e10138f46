// SPDX-License-Identifier: MIT
#include "ui/play/watched_replay.h"

#include <algorithm>
#include <chrono>
#include <future>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "engine/files/event_log.h"
#include "engine/rules/rule_sets.h"
#include "ui/session/decision_record.h"
#include "ui/session/identity_doubt_log.h"
#include "ui/session/move_log.h"
#include "ui/session/players_names.h"
#include "ui/session/replay.h"
#include "ui/session/shot_archive.h"
#include "ui/session/sightings.h"

namespace fos {
namespace {

// A record of the log, with its event parsed.
struct ReplayRecord {
  const Record* record = nullptr;
  std::optional<EventRecord> event;  // for camera records
  double time_s = 0;
  bool begins_step = false;
};

}  // namespace

struct WatchedReplay::Impl {
  Impl(OpenedGame opened, GameFolder unpacked, WatchedWith watched)
      : game(std::move(opened)), folder(std::move(unpacked)), with(std::move(watched)) {
    MatchFacts out;
    out.table = with.table.frame;
    out.scenario = with.scenario;
    out.name = "replay of " + game.log.start.name;
    out.scenario.name = out.name;
    out.troops = TroopsOf(out.scenario);
    facts = std::make_shared<const MatchFacts>(std::move(out));
    Read();
  }

  void Read() {
    double time_s = 0;
    std::int64_t moved_at = -1;
    for (const Record& record : game.log.records) {
      ReplayRecord one;
      one.record = &record;
      time_s = record.time_s.value_or(time_s);
      one.time_s = time_s;
      if (record.kind == RecordKind::kSeen) {
        Result<std::optional<EventRecord>> event = ParseEventLine(record.text);
        if (event.ok()) one.event = std::move(event).value();
      }
      if (record.attachment && record.attachment->role == "kept") {
        archives[record.attachment->shot][record.attachment->name] = record.attachment->hash;
      }
      const EventBody* body = one.event ? &one.event->body : nullptr;
      const bool change = body && std::holds_alternative<StandChangeEvent>(*body);
      one.begins_step = record.kind == RecordKind::kWord || record.kind == RecordKind::kRemark ||
                        record.kind == RecordKind::kResumed ||
                        (body && (std::holds_alternative<VerdictEvent>(*body) ||
                                  std::holds_alternative<AskEvent>(*body) ||
                                  std::holds_alternative<IdentityDoubtedEvent>(*body) ||
                                  std::holds_alternative<CameraMovedEvent>(*body) ||
                                  (std::holds_alternative<StandsEvent>(*body) && steps.empty())));
      if (change) {
        one.begins_step = record.frame != moved_at;
        moved_at = record.frame.value_or(-1);
      } else {
        moved_at = -1;
      }
      if (one.begins_step) {
        if (body && std::holds_alternative<VerdictEvent>(*body)) shots.push_back(steps.size() + 1);
        steps.push_back(records.size() + 1);
      } else if (!steps.empty()) {
        steps.back() = records.size() + 1;
      }
      records.push_back(std::move(one));
    }
  }

  std::vector<ArchivedFile> ArchivedFiles(int shot) const {
    std::vector<ArchivedFile> files;
    for (const auto& [name, hash] : archives.at(shot)) {
      Result<std::string> bytes = game.journal.Blob(hash);
      if (bytes.ok()) files.push_back({name, std::move(bytes).value()});
    }
    return files;
  }
  // Drawn once, on another thread than the window's.
  std::shared_ptr<const Recalled<EvidencePanels>> Panels(int shot, const ShotVerdict& verdict) {
    if (!archives.contains(shot)) return nullptr;
    auto& slot = panels[shot];
    if (slot) return slot;
    const auto draw = [files = ArchivedFiles(shot), verdict] {
      const Result<ArchivedShot> from = ArchivedShotFrom(files, "the log");
      return std::make_shared<const EvidencePanels>(
          from.ok() ? DrawEvidencePanels(EvidenceOf(*from, verdict)) : EvidencePanels{});
    };
    const auto made = std::make_shared<Recalled<EvidencePanels>>(last_used, draw);
    slot = made;
    std::erase_if(drawn, [](const std::future<void>& one) {
      return one.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
    });
    drawn.push_back(std::async(std::launch::async, [made, draw] { made->Set(draw()); }));
    return slot;
  }

  std::shared_ptr<const Snapshot> At(std::size_t step);

  OpenedGame game;
  GameFolder folder;
  WatchedWith with;
  std::shared_ptr<const MatchFacts> facts;
  std::vector<ReplayRecord> records;
  std::vector<std::size_t> steps;  // number of records at the end of each step
  std::vector<std::size_t> shots;  // the step in which each verdict is known
  std::map<int, std::map<std::string, std::string>> archives;  // by shot: name, hash
  std::shared_ptr<LastUsed> last_used = std::make_shared<LastUsed>(4);  // shots
  std::map<int, std::shared_ptr<const Recalled<EvidencePanels>>> panels;
  std::vector<std::future<void>> drawn;
  std::shared_ptr<const Snapshot> now;
};

namespace {

// The state of a game after some of its records.
class Fold {
 public:
  Fold(const WatchedWith& with, const GameFolder& folder) : with_(with), folder_(folder) {}

  void Take(const ReplayRecord& one) {
    const Record& record = *one.record;
    time_s_ = one.time_s;
    if (record.stands && !record.stands->moved.empty()) {
      const Result<RuledMoves> ruled = JudgeAgain(*record.stands, with_, folder_, RulesOf::kLog);
      if (ruled.ok()) {
        for (const auto& [move, ruling] : ruled->moves) {
          moves_.Add(move, ruling, time_s_);
          if (!ruling.refused) AddLogLine(LogLine::Category::kPlain, ruling.text);
        }
      }
    }
    if (record.kind == RecordKind::kRemark) AddLogLine(LogLine::Category::kWarning, record.text);
    if (record.kind == RecordKind::kResumed)
      AddLogLine(LogLine::Category::kPlain, "The game continues");
    if (record.kind == RecordKind::kWord) Decide(record.text);
    if (!one.event) return;
    measured_ = record.measured ? &*record.measured : nullptr;
    std::visit([&](const auto& body) { On(body); }, one.event->body);
  }

  double time_s_ = 0;
  std::vector<StandObservation> stands_;
  std::vector<ShotShown> shots_;
  MoveLog moves_;
  IdentityDoubtLog doubts_;
  std::vector<LogLine> lines_;

 private:
  void AddLogLine(LogLine::Category category, const std::string& text, int shot = 0,
                  bool word = false) {
    lines_.push_back({time_s_, category, PlayersNames(with_.scenario).In(text), shot, word});
  }

  void On(const StandsEvent& event) {
    if (stands_.empty()) {
      AddLogLine(LogLine::Category::kPlain,
                 fmt::format("{} stand{} on the table", event.stands.size(),
                             event.stands.size() == 1 ? "" : "s"));
    }
    stands_.clear();
    for (const StandRecord& one : event.stands) stands_.push_back(StandOf(one, with_.scenario));
  }
  void On(const StandChangeEvent& change) {
    AddLogLine(LogLine::Category::kPlain, InWords(change));
    const auto one =
        std::find_if(stands_.begin(), stands_.end(),
                     [&](const StandObservation& stand) { return stand.stand.text == change.id; });
    if (one == stands_.end()) return;  // an added stand is in the next list of stands
    if (!change.to) {
      stands_.erase(one);
    } else {
      one->table_from_stand = {change.to->centre, HeadingFromBearing(change.to->bearing_deg)};
    }
  }
  void On(const ViewEvent& view) {
    AddLogLine(view.reason.empty() ? LogLine::Category::kPlain : LogLine::Category::kWarning,
               ViewText(view));
  }
  void On(const CameraMovedEvent& moved) {
    AddLogLine(
        LogLine::Category::kWarning,
        fmt::format("The camera moved ({:.0f} pixels); the table was found again", moved.shift_px));
  }
  void On(const DiceEvent& dice) {
    AddLogLine(dice.asked.empty() ? LogLine::Category::kPlain : LogLine::Category::kWarning,
               DiceText(dice));
  }
  void On(const ObjectEvent& object) { AddLogLine(LogLine::Category::kPlain, ObjectText(object)); }
  void On(const IdentityDoubtedEvent& doubt) {
    doubts_.Add(doubt.text);
    AddLogLine(LogLine::Category::kWarning, doubt.text);
  }
  void On(const IdentitySettledEvent& settled) {
    if (!settled.withdrawn) return;  // the players' decision comes next
    if (const auto event = doubts_.Withdraw(settled.doubt))
      AddLogLine(LogLine::Category::kPlain, event->text);
  }
  void On(const AskEvent& ask) {
    AddLogLine(LogLine::Category::kWarning, ask.text, ask.shot);
    ShotShown shown;
    shown.shot.shot = {ask.shot};
    shown.shot.projectile = ProjectileNamed(ask.projectile);
    shown.shot.point = shown.shot.tail = ask.near;
    shown.projectile = InWords(shown.shot.projectile);
    shown.verdict.ground.square = ask.square;
    shown.verdict.text = shown.question = ask.text;
    shown.time_s = time_s_;
    shots_.push_back(std::move(shown));
  }
  void On(const VerdictEvent& verdict) {
    AddLogLine(LogLine::Category::kShot, fmt::format("Shot {}: {}", verdict.shot, verdict.text),
               verdict.shot);
    if (!measured_) return;
    Result<ShotVerdict> again = JudgeAgain(*measured_, with_, folder_, RulesOf::kLog);
    if (!again.ok()) return;
    ShotShown shown;
    shown.shot = measured_->shot;
    shown.projectile = InWords(shown.shot.projectile);
    shown.circle_in =
        with_.scenario.projectiles.at(static_cast<std::size_t>(measured_->spec)).hit_radius_in;
    shown.verdict = std::move(again).value();
    shown.time_s = time_s_;
    measured_of_[verdict.shot] = measured_;
    shots_.push_back(std::move(shown));
  }
  template <typename Other>
  void On(const Other&) {}

  void Decide(const std::string& line) {
    const std::optional<DecisionRecord> record = ParseDecisionLine(line);
    if (!record) return;
    const PlayerDecision* decision = &record->decision;
    if (decision->what == PlayerDecision::What::kOverrule) {
      if (const auto event = moves_.Overrule(decision->move)) {
        AddLogLine(LogLine::Category::kPlain, "The players allow it: " + event->text);
      }
      return;
    }
    if (decision->what == PlayerDecision::What::kIdentify) {
      if (const auto event = doubts_.Settle(decision->doubt, decision->changed))
        AddLogLine(LogLine::Category::kPlain, event->text);
      return;
    }
    const bool back = decision->what == PlayerDecision::What::kTakeBack;
    if (back) TakeBackLine(lines_, decision->shot);
    AddLogLine(LogLine::Category::kShot,
               InWords(*decision) + (record->text.empty() ? "" : ". " + record->text),
               decision->shot, !back);
    if (decision->what == PlayerDecision::What::kPoint) {
      ShotShown shown;
      shown.shot.shot = {decision->shot};
      shown.shot.projectile = ProjectileNamed(decision->projectile);
      shown.shot.point = shown.shot.tail = decision->point;
      shown.projectile = InWords(shown.shot.projectile);
      shown.verdict.text = record->text;
      NoteFallen(*record, shown.verdict);
      shown.time_s = time_s_;
      shown.by_players = true;
      shots_.push_back(std::move(shown));
      return;
    }
    const auto shot = std::find_if(shots_.begin(), shots_.end(), [&](const ShotShown& one) {
      return one.shot.shot.number == decision->shot;
    });
    if (shot == shots_.end()) return;
    if (!back) {
      before_[decision->shot].push_back(*shot);
      if (decision->what == PlayerDecision::What::kMove) MoveTo(decision->point, *record, *shot);
      shot->decisions.push_back(*decision);
      if (decision->what == PlayerDecision::What::kSettle) TakeCalls(*record, *shot);
    } else if (auto& before = before_[decision->shot]; !before.empty()) {
      *shot = std::move(before.back());
      before.pop_back();
    } else {
      shot->withdrawn = shot->by_players;
    }
  }

  static void NoteFallen(const DecisionRecord& record, ShotVerdict& verdict) {
    if (!record.casualties) return;
    verdict.casualties.clear();
    for (const std::string& id : *record.casualties) verdict.casualties.push_back({id});
    verdict.choice = record.choice;
  }

  // The players settled a call: judged again with all that they settled.
  void TakeCalls(const DecisionRecord& record, ShotShown& shot) {
    const auto measured = measured_of_.find(shot.shot.shot.number);
    if (measured == measured_of_.end()) return NoteFallen(record, shot.verdict);
    ShotMeasured now = *measured->second;
    now.shot = shot.shot;
    const Result<ShotVerdict> again =
        JudgeAgain(now, with_, folder_, RulesOf::kLog, SettledCallsOf(shot));
    if (again.ok()) shot.with_calls = again->ruling;
  }

  // The players put the point there: judged again with the uncertainty that was measured.
  void MoveTo(Vec2 point, const DecisionRecord& record, ShotShown& shot) {
    shot.with_calls.reset();  // they were about another point
    if (shot.as_measured == nullptr) {
      ShotShown before = shot;
      before.decisions.clear();
      shot.as_measured = std::make_shared<const ShotShown>(std::move(before));
    }
    shot.question.clear();
    shot.shot.tail = shot.shot.tail + (point - shot.shot.point);
    shot.shot.point = point;
    shot.verdict.text = record.text;
    const auto measured = measured_of_.find(shot.shot.shot.number);
    if (measured == measured_of_.end()) {
      // Only what was decided is kept of a point that the camera could not measure.
      NoteFallen(record, shot.verdict);
      return;
    }
    ShotMeasured moved = *measured->second;
    moved.shot = shot.shot;
    Result<ShotVerdict> again = JudgeAgain(moved, with_, folder_, RulesOf::kLog);
    if (again.ok()) shot.verdict = std::move(again).value();
  }

  const WatchedWith& with_;
  const GameFolder& folder_;
  const ShotMeasured* measured_ = nullptr;
  std::map<int, const ShotMeasured*> measured_of_;  // by the shot's number
  // By the shot's number: as it was before each decision that was not taken back.
  std::map<int, std::vector<ShotShown>> before_;
};

}  // namespace

std::shared_ptr<const Snapshot> WatchedReplay::Impl::At(std::size_t step) {
  step = std::min(step, steps.size());
  const std::size_t end = step == 0 ? 0 : steps[step - 1];
  Fold fold(with, folder);
  for (std::size_t i = 0; i < end; ++i) fold.Take(records[i]);
  Snapshot out;
  out.facts = facts;
  out.watching = Watching::kReplay;
  out.replay = ReplayPlace{step, steps.size(), shots};
  out.frame.time_s = fold.time_s_;
  out.stands = std::make_shared<const std::vector<StandObservation>>(std::move(fold.stands_));
  for (ShotShown& shot : fold.shots_) {
    shot.panels = Panels(shot.shot.shot.number, shot.verdict);
    out.shots.push_back(std::make_shared<const ShotShown>(std::move(shot)));
  }
  out.moves = fold.moves_.All();
  out.doubts = fold.doubts_.All();
  out.log = std::make_shared<const std::vector<LogLine>>(std::move(fold.lines_));
  return std::make_shared<const Snapshot>(std::move(out));
}

WatchedReplay::WatchedReplay(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
WatchedReplay::~WatchedReplay() = default;

Result<std::unique_ptr<WatchedReplay>> WatchedReplay::Open(OpenedGame game) {
  Result<GameFolder> folder = GameFolder::Unpack(game.log.start.files);
  if (!folder.ok()) return folder.error();
  Result<WatchedWith> with = ReadWatchedWith(*folder);
  if (!with.ok()) return with.error();
  auto impl =
      std::make_unique<Impl>(std::move(game), std::move(folder).value(), std::move(with).value());
  if (impl->steps.empty()) {
    return Error{
        ErrorCode::kBadFormat,
        fmt::format("game {}: the camera recorded nothing in it; `fallofshot games` lists others",
                    impl->game.log.id)};
  }
  std::unique_ptr<WatchedReplay> out(new WatchedReplay(std::move(impl)));
  out->StepTo(0);
  return out;
}

std::size_t WatchedReplay::Steps() const { return impl_->steps.size(); }

void WatchedReplay::StepTo(std::size_t step) { impl_->now = impl_->At(step); }

const std::shared_ptr<const Snapshot>& WatchedReplay::Now() const { return impl_->now; }

void WatchedReplay::Post(PlayerDecision) {}

}  // namespace fos
