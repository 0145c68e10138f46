// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/files/event_log.h"
#include "engine/shots/seen.h"
#include "engine/table/decision.h"
#include "engine/table/result.h"
#include "ui/session/decision_record.h"
#include "ui/session/identity_doubt_log.h"
#include "ui/session/match_journal.h"
#include "ui/session/move_log.h"
#include "ui/session/out_folder.h"
#include "ui/session/player_decision.h"
#include "ui/session/rig.h"
#include "ui/session/snapshot.h"
#include "vision/pipeline/pipeline.h"

namespace fos {

// One match: every frame goes through vision, the rules and the log, without a window. Both `judge`
// and `live` run it.
class Match {
 public:
  // rig      table, scenario, lens and names are copied; the caller keeps its source.
  // out      the folder for log and evidence; must outlive the match.
  // journal  the match's record in the club's file; null: none. A full disk does not stop the
  // match.
  Match(const Rig& rig, OutFolder& out, const DecisionPolicy& policy,
        std::shared_ptr<MatchJournal> journal = nullptr);
  ~Match();

  // Call before the first step: writes pictures of every stage of stand detection to `debug/` in
  // the output folder, and a text with what was dropped and why.
  void DrawStages();

  // Processes the next frame: judges and records what came to rest.
  // errors  those of the pipeline, with the pictures' name; kIo: the evidence cannot be written.
  Status Step(const Frame& frame);
  // Call before Finish() when the recording ends before its time. Tells the players, and marks the
  // last line of the log.
  // why  a sentence that names the file and what to do.
  Status CutOff(const std::string& why);
  // Call at the end of a recording.
  // errors  kNotFound: the table was never found; the message says why.
  Status Finish();
  // Adds the last line of the log. No event may follow it.
  Status End(double seconds_of_work);
  // Waits for pictures still being drawn, then writes the whole events.jsonl.
  Status WriteLog();
  // Ends the match's record in the club's file; only decisions may follow.
  // errors  kIo: some records are not written yet.
  Status EndJournal();
  // Applies a decision and records it in session.jsonl. Decisions about unknown shots, stands or
  // moves are dropped, and so is overruling a move that is allowed or overruled already.
  // errors  kIo
  Status Decide(const PlayerDecision& decision);

  // Adds a warning for the players that no frame caused, such as an unplugged camera.
  void Warn(std::string text) {
    AddLogLine(last_.time_s, LogLine::Category::kWarning, std::move(text));
  }

  // Everything the window may read, with the newest frame.
  Snapshot Now() const;

  const std::vector<EventRecord>& Events() const { return events_; }
  const std::vector<std::string>& Remarks() const { return remarks_; }
  std::int64_t Frames() const { return frames_; }
  const StageTimes::ByStage& StageCalls() const { return pipeline_.Times().Calls(); }

 private:
  std::map<std::string, StageTime> Stages() const;
  Status WriteStages(const StandTrace& trace, const StandScene& scene);
  Status Write(const std::vector<Sighting>& sightings);
  // Judges the moves among these sightings, before any of them is recorded.
  Status JudgeMoves(const std::vector<Sighting>& sightings);
  // The kinds of decisions.
  Status DecideShot(const PlayerDecision& decision);
  Status Overrule(const PlayerDecision& decision);
  Status Identify(const PlayerDecision& decision);
  Status AcceptTable(const PlayerDecision& decision);
  // Puts the shot's point where the players say. False, and nothing is changed: it cannot be
  // judged there, or it lies there already.
  Result<bool> MovePoint(Vec2 point, ShotShown& shot, DecisionRecord& record);
  // Takes back the players' last decision about the shot. False: there is none.
  bool TakeBack(ShotShown& shot, DecisionRecord& record) const;
  // Adds the shot that the players point at.
  Status AddShot(const PlayerDecision& decision);
  DecisionRecord RecordOf(const PlayerDecision& decision) const;
  // Adds a line to session.jsonl and to the club's file.
  Status RecordDecision(const DecisionRecord& record);
  // False, and nothing is changed, when these stands are no longer all on the table.
  bool Rename(const std::vector<IdentityDoubt::Stand>& changed);
  Status RaiseDoubt(const Sighting& at, const IdentityDoubt& doubt, int look);
  // Makes `open` the open doubts of that look: withdraws the others and raises the new ones.
  Status UpdateDoubts(int look, std::vector<IdentityDoubt> open);
  // After an answer about `look`, other stands than thought were handled in later looks.
  Status UpdateLaterDoubts(int look, const std::vector<IdentityDoubt::Stand>& changed);

  Status SetupFaults(const Sighting& at, const std::vector<std::string>& faults);
  Status NoRuling(const Sighting& at, const std::string& why);
  Status WritePlacement(const std::vector<std::string>& lines);
  // Each records one kind of sighting in the log and the snapshot.
  Status Take(const Sighting& at, const TableFound& found);
  Status Take(const Sighting& at, const StandsSeen& seen);
  Status Take(const Sighting& at, const ViewChanged& view);
  Status Take(const Sighting& at, const CameraMoved& moved);
  Status Take(const Sighting& at, const ObjectSeen& object);
  Status Take(const Sighting& at, const DiceSeen& dice);
  Status Take(const Sighting& at, const DiceTaken& dice);
  Status Take(const Sighting& at, const StandChange& change);
  Status Take(const Sighting& at, const NeedsPeople& remark);
  Status Take(const Sighting& at, const IdentityDoubt& doubt);
  Status Take(const Sighting& at, const ShotSeen& seen);
  Status ComparePaintsOnce(const Sighting& at, const StandsSeen& seen);
  // Asks whether this is the scenario's table where the stands do not fit it, and says when they
  // do.
  Status AskAboutSetup(const Sighting& at, const StandsSeen& seen);
  // How far what is measured now can be trusted, as verdicts say it; empty: fully.
  std::string TrustNow() const;
  // The policy that verdicts follow now: none is called on a table that cannot be trusted.
  DecisionPolicy PolicyNow() const;
  Status AddEvent(FrameId frame, double time_s, EventBody body, JudgedFrom from = {});
  // Writes the waiting records of the club's file; reports its first failure, and its recovery.
  void FlushJournal();
  // word  as in LogLine
  void AddLogLine(double time_s, LogLine::Category category, std::string text, int shot = 0,
                  bool word = false);
  // A projectile whose point cannot be measured: asks the players to mark it.
  Status AskForPoint(const Sighting& at, const ArchivedShot& archived,
                     std::shared_ptr<const Recalled<ArchivedShot>> kept,
                     const std::string& folder);
  // The shot as it is shown, with its evidence being drawn to `name`.
  // archived  the same as `kept` gives.
  Result<ShotShown> ShownWith(const ArchivedShot& archived,
                              std::shared_ptr<const Recalled<ArchivedShot>> kept,
                              const ProjectileFinding& finding, ShotVerdict verdict,
                              const std::string& name, double time_s);
  // Writes a shot's archive on another thread, from where it is read back.
  Result<std::shared_ptr<const Recalled<ArchivedShot>>> WriteArchive(
      const std::shared_ptr<const ArchivedShot>& archived, const std::string& folder);
  // Takes what the other threads have finished, with the memory that they held.
  void TakeFinishedPictures();

  std::shared_ptr<const MatchFacts> facts_;
  TableSpec table_;
  OutFolder& out_;
  DecisionPolicy policy_;
  std::string pictures_name_;
  Pipeline pipeline_;

  EventLogWriter log_;
  std::vector<EventRecord> events_;
  std::vector<std::string> remarks_;
  struct PictureToCome;
  std::vector<PictureToCome> pictures_;  // not in the club's file yet
  // The archives and panels of this many shots stay in memory.
  static constexpr std::size_t kShotsInMemory = 4;
  std::shared_ptr<LastUsed> last_used_ = std::make_shared<LastUsed>(2 * kShotsInMemory);
  StandScene scene_;
  bool setup_doubted_ = false;  // the players have been asked, and the table does not fit yet
  bool setup_accepted_ = false;  // they say that it is right as it stands
  std::string setup_asked_;      // what they were asked
  int last_shot_ = 0;
  int last_throw_ = 0;
  // Of the sightings being recorded: the measured moves until they are logged, and their rulings.
  StandsMeasured moves_from_;
  RuledMoves ruled_;
  bool no_ruling_told_ = false;
  int looks_drawn_ = 0;
  Status stages_written_ = Ok();  // the first error
  std::int64_t frames_ = 0;
  Frame last_;

  // For the snapshot: values never change once handed out; they are replaced.
  std::shared_ptr<const TableRegistration> found_;
  std::shared_ptr<const std::vector<StandObservation>> stands_;
  std::vector<std::shared_ptr<const ShotShown>> shots_;
  MoveLog moves_;
  IdentityDoubtLog doubts_;
  struct ObjectLying {
    std::shared_ptr<const ObjectShown> shown;
    std::shared_ptr<const ShotSeen> pictures;
  };
  std::vector<ObjectLying> objects_;
  std::vector<int> objects_fallen_;  // numbers of those that the players made a shot
  std::vector<std::shared_ptr<const DieShown>> dice_;
  int last_die_ = 0;
  struct RaisedDoubt {
    IdentityDoubt doubt;
    int look = 0;  // the look that raised it, counted from 1
  };
  std::vector<RaisedDoubt> identity_doubts_;  // same order as doubts_
  std::shared_ptr<const std::vector<LogLine>> lines_;
  std::optional<double> found_again_s_;
  bool obstructed_ = false;
  std::string blind_why_;  // why nothing can be judged now, other than hands
  bool finished_ = false;
  std::string cut_off_;        // why the recording ended before its time
  std::string session_lines_;  // session.jsonl so far
  std::shared_ptr<MatchJournal> journal_;
  bool journal_refused_ = false;
};

}  // namespace fos
