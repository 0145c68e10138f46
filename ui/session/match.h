#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/files/event_log.h"
#include "engine/shots/seen.h"
#include "engine/table/decision.h"
#include "engine/table/result.h"
#include "ui/session/identity_doubt_log.h"
#include "ui/session/match_journal.h"
#include "ui/session/move_log.h"
#include "ui/session/out_folder.h"
#include "ui/session/player_decision.h"
#include "ui/session/rig.h"
#include "ui/session/snapshot.h"
#include "vision/pipeline/pipeline.h"

namespace fos {

class Json;

// One match: every frame goes through vision, the engine and the log, without a window. `judge` and
// `live` are this and nothing else.
class Match {
 public:
  // rig      table, scenario, lens and names are copied; its source stays the caller's.
  // out      where the log and the evidence go; outlives the match.
  // journal  the club's file besides; null for none. A disk that is full does not stop the match.
  Match(const Rig& rig, OutFolder& out, const DecisionPolicy& policy,
        std::shared_ptr<MatchJournal> journal = nullptr);
  ~Match();

  // Before the first step: pictures of each stage of every look for stands go to `debug/` in the
  // output folder, with the words of what was dropped and why.
  void DrawStages();

  // Looks at the next picture, judges what came to rest and records it.
  // errors  those of the pipeline, with the pictures' name; kIo when the evidence cannot be
  // written.
  Status Step(const Frame& frame);
  // At the end of a recording.
  // errors  kNotFound when the table was never found: why.
  Status Finish();
  // The last line of the log. Nothing may be added after it.
  Status End(double seconds_of_work);
  // Waits for the pictures that are still being drawn, then writes events.jsonl whole.
  Status WriteLog();
  // Nothing more comes but the players' words. errors  kIo: the club's file lacks something still.
  Status EndJournal();
  // Records the players' word in session.jsonl, written whole each time; words about a shot, stand
  // or move that is not there are dropped, and so is overruling what is allowed or overruled
  // already. errors  kIo
  Status Decide(const PlayerDecision& decision);

  // A line of the log for people that no picture brought: the camera was unplugged.
  void Warn(std::string text) { Tell(last_.time_s, LogLine::Category::kWarning, std::move(text)); }

  // Everything the window may read, with the picture that was last stepped.
  Snapshot Now() const;

  const std::vector<EventRecord>& Events() const { return events_; }
  const std::vector<std::string>& Remarks() const { return remarks_; }
  std::int64_t Frames() const { return frames_; }
  std::map<std::string, StageTime> Stages() const;

 private:
  Status WriteStages(const StandTrace& trace, const StandScene& scene);
  Status Write(const std::vector<Sighting>& sightings);
  // What the rules say to the moves among these sightings, before any is recorded.
  Status JudgeMoves(const std::vector<Sighting>& sightings);
  Status Overrule(const PlayerDecision& decision);
  Status Identify(const PlayerDecision& decision);
  // Nothing is changed, and false, where they are no longer all on the table.
  bool Rename(const std::vector<IdentityDoubt::Stand>& changed);
  Status Raise(const Sighting& at, const IdentityDoubt& doubt, int look);
  // Of the doubts of that look those that are not among `open` are asked no more, and what is new
  // among them is asked.
  Status Reconsider(int look, std::vector<IdentityDoubt> open);
  // A word as session.jsonl and the club's file keep it.
  Status RecordDecision(const Json& line);
  Status SetupFaults(const Sighting& at, const std::vector<std::string>& faults);
  Status NoRuling(const Sighting& at, const std::string& why);
  Status WritePlacement(const std::vector<std::string>& lines);
  // Each takes one kind of sighting into the log and the snapshot.
  Status One(const Sighting& at, const TableFound& found);
  Status One(const Sighting& at, const StandsSeen& seen);
  Status One(const Sighting& at, const ViewChanged& view);
  Status One(const Sighting& at, const CameraMoved& moved);
  Status One(const Sighting& at, const StandChange& change);
  Status One(const Sighting& at, const NeedsPeople& remark);
  Status One(const Sighting& at, const IdentityDoubt& doubt);
  Status ComparePaintsOnce(const Sighting& at, const StandsSeen& seen);
  Status One(const Sighting& at, const ShotSeen& seen);
  Status Add(FrameId frame, double time_s, EventBody body, JudgedFrom from = {});
  // What waits goes to the club's file; a refusal is told once, and that it is over too.
  void FlushJournal();
  void Tell(double time_s, LogLine::Category category, std::string text, int shot = 0);
  // A projectile whose point cannot be had: people are asked for it.
  Status Ask(const Sighting& at, const ArchivedShot& kept, const std::string& folder);
  // Writes what is kept of a shot while the next frames are watched.
  Status Store(std::shared_ptr<const ArchivedShot> kept, const std::string& folder);
  // Draws and writes the evidence while the next frames are watched.
  std::shared_ptr<const Latest<EvidencePanels>> Picture(EvidenceRequest request,
                                                        std::filesystem::path file, int shot);

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
  std::vector<PictureToCome> pictures_;
  StandScene scene_;
  int last_shot_ = 0;
  // Of the sightings being written: what the rules looked at, until it is in the log, and said.
  StandsMeasured moves_from_;
  RuledMoves ruled_;
  bool no_ruling_told_ = false;
  int looks_drawn_ = 0;
  Status stages_written_ = Ok();  // the first refusal
  std::int64_t frames_ = 0;
  Frame last_;

  // For the snapshot: replaced, never written to, once handed out.
  std::shared_ptr<const TableRegistration> found_;
  std::shared_ptr<const std::vector<StandObservation>> stands_;
  std::vector<std::shared_ptr<const ShotShown>> shots_;
  MoveLog moves_;
  IdentityDoubtLog doubts_;
  struct RaisedDoubt {
    IdentityDoubt doubt;
    int look = 0;  // in which it was raised, counted from 1
  };
  std::vector<RaisedDoubt> identity_doubts_;  // as many, in the same order
  std::shared_ptr<const std::vector<LogLine>> lines_;
  std::optional<double> found_again_s_;
  bool obstructed_ = false;
  bool finished_ = false;
  std::string session_lines_;  // session.jsonl so far
  std::shared_ptr<MatchJournal> journal_;
  bool journal_refused_ = false;
};

}  // namespace fos
