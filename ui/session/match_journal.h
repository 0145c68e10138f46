// SPDX-License-Identifier: MIT
#pragma once

#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/files/event_log.h"
#include "engine/journal/journal.h"
#include "engine/table/result.h"
#include "engine/table/scenario.h"

namespace fos {

// The files of a watched match. A rig replaces an empty table and camera.
struct MatchFiles {
  std::filesystem::path table;
  std::filesystem::path scenario;
  std::filesystem::path camera;  // also empty when the lens was calibrated from lens/
  std::filesystem::path rig;
};

// What a line of events.jsonl was judged from, and rulings that are not in it.
struct JudgedFrom {
  std::optional<ShotMeasured> shot = {};
  std::optional<StandsMeasured> stands = {};
  std::vector<std::string> told = {};
};

// Records a match in the club's file while it goes on. What cannot be written at once (a full disk)
// stays in memory, in order, and is tried again with the next record.
class MatchJournal {
 public:
  // Begins a new game. It is created with the first record.
  // hold  write nothing before Release(), so that a recording that cannot be judged leaves no game.
  // errors  those of Journal::Open and of the files.
  static Result<std::unique_ptr<MatchJournal>> Begin(const std::filesystem::path& club,
                                                     const MatchFiles& files,
                                                     const Scenario& scenario,
                                                     const std::string& name,
                                                     const std::string& players, bool hold = false);
  // Continues an unfinished game.
  // errors  those of Journal::Find; kBadFormat: the game has ended, or was not watched.
  static Result<std::unique_ptr<MatchJournal>> Resume(const std::filesystem::path& club,
                                                      const std::string& game);

  // A line of events.jsonl.
  void Seen(const EventRecord& event, JudgedFrom from = {});
  // A decision of the players, as one JSON object.
  void Decision(const std::string& json, double time_s);
  void Remark(FrameId frame, double time_s, const std::string& text);
  // A picture or recording of a shot.
  // bytes  reads it, each time that it is to be written; nothing is attached where it gives nothing.
  void Attach(int shot, const std::string& role, const std::string& name,
              std::function<std::string()> bytes);
  void End();
  void Release() { hold_ = false; }

  // Writes the waiting records.
  Status Flush();
  // Number of records that wait for a disk with free space.
  std::size_t Waiting() const { return waiting_.size(); }

  // The game's number in the club's file; 0 before anything was written.
  std::int64_t Game() const { return writer_ ? writer_->Game() : 0; }
  const std::filesystem::path& Club() const { return journal_->File(); }
  // Of a continued game: the shots judged before, and the stands as they last stood.
  int ShotsBefore() const { return shots_before_; }
  const std::vector<StandRecord>& StandsBefore() const { return stands_before_; }

 private:
  explicit MatchJournal(std::unique_ptr<Journal> journal) : journal_(std::move(journal)) {}
  struct Waiting_ {
    Record record;
    std::function<std::string()> bytes;  // of its attachment
    double unix_s = 0;
  };
  void Put(Record record, std::function<std::string()> bytes = {});

  std::unique_ptr<Journal> journal_;
  std::optional<GameStart> start_;  // until the game is made
  std::optional<GameWriter> writer_;
  bool hold_ = false;
  std::deque<Waiting_> waiting_;
  int shots_before_ = 0;
  std::vector<StandRecord> stands_before_;
};

// The last known stands of a log, with all recorded changes applied.
std::vector<StandRecord> StandsInLog(const GameLog& log);
// "2 stands have moved since: F-1L1#2, B-1V1#1", for players who set the table up again after an
// interruption; empty when all stand as before. A stand has moved when its distance exceeds both
// three sigma and half an inch. Stands of one unit may swap places.
std::string MovedSince(const std::vector<StandRecord>& before, const std::vector<StandRecord>& now);

}  // namespace fos
