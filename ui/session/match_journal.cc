// SPDX-License-Identifier: MIT
#include "ui/session/match_journal.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/journal/game_files.h"
#include "ui/session/club_file.h"
#include "ui/session/decision_record.h"

namespace fos {
namespace {

namespace fs = std::filesystem;

// How far off a stand may be that was put back by eye.
constexpr double kPutBackWithin_in = 0.5;

Result<std::unique_ptr<Journal>> OpenClub(const fs::path& club) {
  Result<Journal> journal = Journal::Open(club);
  if (!journal.ok()) return journal.error();
  return std::make_unique<Journal>(std::move(journal).value());
}

}  // namespace

Result<std::unique_ptr<MatchJournal>> MatchJournal::Begin(const fs::path& club,
                                                          const MatchFiles& files,
                                                          const Scenario& scenario,
                                                          const std::string& name,
                                                          const std::string& players, bool hold) {
  GameStart start;
  start.kind = GameStart::Kind::kWatched;
  start.uid = NewUid();
  start.name = scenario.name.empty() ? name : scenario.name;
  start.ruleset = scenario.ruleset;
  start.started_unix_s = UnixNow();
  start.program = FOS_VERSION;
  for (const SideSpec& side : scenario.sides) start.sides.push_back(side.name);
  const Result<std::vector<Seat>> seats = SeatsFrom(players, start.sides);
  if (!seats.ok()) return seats.error();
  start.seats = *seats;
  for (const auto& [role, path] : {std::pair<std::string, fs::path>{"scenario", files.scenario},
                                   {"table", files.table},
                                   {"camera", files.camera},
                                   {"rig", files.rig}}) {
    if (path.empty()) continue;
    Result<GameFile> file = ReadGameFile(path, role, path.filename().string());
    if (!file.ok()) return file.error();
    start.files.push_back(std::move(file).value());
  }
  const Result<std::vector<GameFile>> rules = GatherRules(scenario.ruleset);
  if (!rules.ok()) return rules.error();
  start.files.insert(start.files.end(), rules->begin(), rules->end());
  Result<std::unique_ptr<Journal>> journal = OpenClub(club);
  if (!journal.ok()) return journal.error();
  std::unique_ptr<MatchJournal> out(new MatchJournal(std::move(*journal)));
  out->start_ = std::move(start);
  out->hold_ = hold;
  return out;
}

Result<std::unique_ptr<MatchJournal>> MatchJournal::Resume(const fs::path& club,
                                                           const std::string& game) {
  Result<std::unique_ptr<Journal>> journal = OpenClub(club);
  if (!journal.ok()) return journal.error();
  const Result<std::int64_t> number = (*journal)->Find(game, GameStart::Kind::kWatched);
  if (!number.ok()) return number.error();
  const Result<GameLog> log = (*journal)->Read(*number);
  if (!log.ok()) return log.error();
  if (log->start.kind != GameStart::Kind::kWatched || log->Ended()) {
    return Error{ErrorCode::kBadFormat,
                 fmt::format("{}: game {} {}; begin a new game", club.string(), *number,
                             log->Ended() ? "has ended" : "was played without a camera")};
  }
  Result<GameWriter> writer = GameWriter::Of(**journal, *number);
  if (!writer.ok()) return writer.error();
  std::unique_ptr<MatchJournal> out(new MatchJournal(std::move(*journal)));
  out->writer_ = std::move(writer).value();
  out->stands_before_ = StandsInLog(*log);
  for (const Record& record : log->records) {
    if (record.measured) {
      out->shots_before_ = std::max(out->shots_before_, record.measured->shot.shot.number);
    } else if (record.kind == RecordKind::kWord) {
      // A shot that the camera did not measure; the players pointed at it.
      if (const auto said = ParseDecisionLine(record.text))
        out->shots_before_ = std::max(out->shots_before_, said->decision.shot);
    } else if (record.kind == RecordKind::kSeen) {
      const Result<std::optional<EventRecord>> event = ParseEventLine(record.text);
      if (!event.ok() || !event->has_value()) continue;
      if (const auto* ask = std::get_if<AskEvent>(&(*event)->body))
        out->shots_before_ = std::max(out->shots_before_, ask->shot);
    }
  }
  Record resumed;
  resumed.kind = RecordKind::kResumed;
  resumed.text = FOS_VERSION;
  out->Put(std::move(resumed));
  return out;
}

void MatchJournal::Put(Record record, std::function<std::string()> bytes) {
  waiting_.push_back({std::move(record), std::move(bytes), UnixNow()});
}

void MatchJournal::Seen(const EventRecord& event, JudgedFrom from) {
  Result<std::string> line = EventLine(event);
  if (!line.ok()) return;  // events.jsonl refused it too
  Record record;
  record.kind = RecordKind::kSeen;
  record.text = std::move(line).value();
  record.frame = event.frame;
  record.time_s = event.time_s;
  record.measured = std::move(from.shot);
  record.stands = std::move(from.stands);
  record.told = std::move(from.told);
  Put(std::move(record));
}

void MatchJournal::Decision(const std::string& json, double time_s) {
  Record record;
  record.kind = RecordKind::kWord;
  record.text = json;
  record.time_s = time_s;
  Put(std::move(record));
}

void MatchJournal::Remark(FrameId frame, double time_s, const std::string& text) {
  Record record;
  record.kind = RecordKind::kRemark;
  record.text = text;
  record.frame = frame.index;
  record.time_s = time_s;
  Put(std::move(record));
}

void MatchJournal::Attach(int shot, const std::string& role, const std::string& name,
                          std::function<std::string()> bytes) {
  Record record;
  record.kind = RecordKind::kAttached;
  record.attachment = Attachment{shot, role, name, ""};
  Put(std::move(record), std::move(bytes));
}

void MatchJournal::End() {
  Record ended;
  ended.kind = RecordKind::kEnded;
  Put(std::move(ended));
}

Status MatchJournal::Flush() {
  if (hold_) return Ok();
  if (start_ && !waiting_.empty()) {
    const Result<std::int64_t> game = journal_->Begin(*start_);
    if (!game.ok()) return game.error();
    start_.reset();
    Result<GameWriter> writer = GameWriter::Of(*journal_, *game);
    if (!writer.ok()) return writer.error();
    writer_ = std::move(writer).value();
  }
  while (!waiting_.empty()) {
    const Waiting_& next = waiting_.front();
    const std::string bytes = next.bytes ? next.bytes() : "";
    if (next.bytes && bytes.empty()) {
      waiting_.pop_front();
      continue;
    }
    const Result<Record> written =
        next.record.attachment ? writer_->Attach(*next.record.attachment, bytes, next.unix_s)
                               : writer_->Append(next.record, next.unix_s);
    if (!written.ok() && written.error().code != ErrorCode::kOutOfRange) return written.error();
    waiting_.pop_front();  // a record refused as out of range will never be written
  }
  return Ok();
}

std::vector<StandRecord> StandsInLog(const GameLog& log) {
  std::vector<StandRecord> out;
  for (const Record& record : log.records) {
    if (record.kind != RecordKind::kSeen) continue;
    const Result<std::optional<EventRecord>> event = ParseEventLine(record.text);
    if (!event.ok() || !event->has_value()) continue;
    if (const auto* stands = std::get_if<StandsEvent>(&(*event)->body)) out = stands->stands;
    if (const auto* change = std::get_if<StandChangeEvent>(&(*event)->body)) {
      const auto one = std::find_if(
          out.begin(), out.end(), [&](const StandRecord& stand) { return stand.id == change->id; });
      if (one == out.end()) continue;  // an added stand is in the next list of stands
      if (change->what == StandChangeEvent::What::kRemoved) {
        out.erase(one);
      } else if (change->to) {
        one->centre = change->to->centre;
        one->square = change->to->square;
        one->bearing_deg = change->to->bearing_deg;
      }
    }
  }
  return out;
}

std::string MovedSince(const std::vector<StandRecord>& before,
                       const std::vector<StandRecord>& now) {
  // Stands of one unit and kind look alike, so each is matched with the nearest.
  const auto alike = [](const StandRecord& a, const StandRecord& b) {
    return a.side == b.side && a.kind == b.kind &&
           (a.unit == b.unit || a.unit.empty() || b.unit.empty());
  };
  struct Pair {
    double distance_in;
    std::size_t before, now;
  };
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < before.size(); ++i) {
    for (std::size_t j = 0; j < now.size(); ++j) {
      if (alike(before[i], now[j])) {
        pairs.push_back({Distance(before[i].centre, now[j].centre), i, j});
      }
    }
  }
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const Pair& a, const Pair& b) { return a.distance_in < b.distance_in; });
  std::vector<bool> placed(before.size());
  std::vector<bool> taken(now.size());
  std::vector<std::string> moved;
  for (const Pair& pair : pairs) {
    if (placed[pair.before] || taken[pair.now]) continue;
    placed[pair.before] = taken[pair.now] = true;
    const double sigma = std::hypot(before[pair.before].sigma_in, now[pair.now].sigma_in);
    if (pair.distance_in > std::max(kPutBackWithin_in, 3 * sigma)) {
      moved.push_back(before[pair.before].id);
    }
  }
  std::vector<std::string> gone;
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (!placed[i]) gone.push_back(before[i].id);
  }
  std::vector<std::string> come;
  for (std::size_t j = 0; j < now.size(); ++j) {
    if (!taken[j]) come.push_back(now[j].id);
  }
  std::string out;
  const auto say = [&out](const std::vector<std::string>& stands, const char* one,
                          const char* several) {
    if (stands.empty()) return;
    out += fmt::format("{}{} {}: {}", out.empty() ? "" : "; ", stands.size(),
                       stands.size() == 1 ? one : several, fmt::join(stands, ", "));
  };
  say(moved, "stand has moved since", "stands have moved since");
  say(gone, "stand is missing", "stands are missing");
  say(come, "stand is new", "stands are new");
  return out;
}

}  // namespace fos
