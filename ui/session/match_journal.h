#pragma once

#include <deque>
#include <filesystem>
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

// The texts a watched match is made of. A rig stands for the table and camera that are empty.
struct MatchFiles {
  std::filesystem::path table;
  std::filesystem::path scenario;
  std::filesystem::path
      camera;  // may be empty without a rig too: the lens was calibrated on the fly
  std::filesystem::path rig;
};

// What a line of events.jsonl was judged from, and what the rules said that is not in it.
struct JudgedFrom {
  std::optional<ShotMeasured> shot = {};
  std::optional<StandsMeasured> stands = {};
  std::vector<std::string> told = {};
};

// Takes a match into the club's file as it goes on. What cannot be written at once (a full disk) is
// kept in memory, in order, and tried again with whatever comes next.
class MatchJournal {
 public:
  // A new game, made with the first record that is written.
  // hold  nothing is written before Release(): a recording that cannot be judged leaves no game.
  // errors  those of Journal::Open and of the files.
  static Result<std::unique_ptr<MatchJournal>> Begin(const std::filesystem::path& club,
                                                     const MatchFiles& files,
                                                     const Scenario& scenario,
                                                     const std::string& name,
                                                     const std::string& players, bool hold = false);
  // Goes on with one that was broken off.
  // errors  as Journal::Find's; kBadFormat: it has ended, or was not watched.
  static Result<std::unique_ptr<MatchJournal>> Resume(const std::filesystem::path& club,
                                                      const std::string& game);

  // A line of events.jsonl.
  void Seen(const EventRecord& event, JudgedFrom from = {});
  // What people said; one JSON object.
  void Word(const std::string& json, double time_s);
  void Remark(FrameId frame, double time_s, const std::string& text);
  // A picture or recording of a shot: its bytes, as small as they should be kept.
  void Attach(int shot, const std::string& role, const std::string& name, std::string bytes);
  void End();
  void Release() { hold_ = false; }

  // Writes what is still to be written. The first refusal of a row of them is told once.
  Status Flush();
  // Records that still wait for a disk with room.
  std::size_t Waiting() const { return waiting_.size(); }

  // Its number in the club's file; 0 before anything was written.
  std::int64_t Game() const { return writer_ ? writer_->Game() : 0; }
  const std::filesystem::path& Club() const { return journal_->File(); }
  // Of a game that is gone on with: the shots already judged, and the stands as they last stood.
  int ShotsBefore() const { return shots_before_; }
  const std::vector<StandRecord>& StandsBefore() const { return stands_before_; }

 private:
  explicit MatchJournal(std::unique_ptr<Journal> journal) : journal_(std::move(journal)) {}
  struct Waiting_ {
    Record record;
    std::string bytes;  // of its attachment
    double unix_s = 0;
  };
  void Put(Record record, std::string bytes = {});

  std::unique_ptr<Journal> journal_;
  std::optional<GameStart> start_;  // until the game is made
  std::optional<GameWriter> writer_;
  bool hold_ = false;
  std::deque<Waiting_> waiting_;
  int shots_before_ = 0;
  std::vector<StandRecord> stands_before_;
};

// The stands as the log last knew them: every change it tells of taken into account.
std::vector<StandRecord> StandsInLog(const GameLog& log);
// "2 stands have moved since: F-1L1#2, B-1V1#1", for people who set the table up again after an
// interruption; empty when all stand as they did. A stand has moved when it lies further off than
// three sigma of both places and half an inch; whoever of a unit stands where another did has not.
std::string MovedSince(const std::vector<StandRecord>& before, const std::vector<StandRecord>& now);

}  // namespace fos
