#include "ui/session/match.h"

#include <fmt/format.h>
#include <future>

#include <algorithm>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>
#include <utility>
#include <variant>

#include "engine/files/json.h"
#include "engine/files/whole_file.h"
#include "engine/shots/seen.h"
#include "engine/table/quantile.h"
#include "ui/session/dispute.h"
#include "ui/session/sightings.h"
#include "vision/appearance/paint_contrast.h"
#include "vision/shots/evidence.h"
#include "vision/stands/stand_assignment.h"

namespace fos {
namespace {

namespace fs = std::filesystem;

// An evidence picture as small as the club's file keeps it. At this quality (of 100) the rings and
// the numbers on it stay as they are, in a fifth of the bytes. Empty when it cannot be read.
constexpr int kKeptQuality = 88;
std::string Compressed(const fs::path& file) try {
  const cv::Mat picture = cv::imread(file.string(), cv::IMREAD_COLOR);
  std::vector<unsigned char> bytes;
  if (picture.empty() ||
      !cv::imencode(".jpg", picture, bytes, {cv::IMWRITE_JPEG_QUALITY, kKeptQuality})) {
    return {};
  }
  return {bytes.begin(), bytes.end()};
} catch (const cv::Exception&) {
  return {};
}

PipelineOptions OptionsOf(const Rig& rig) {
  PipelineOptions options;
  options.registration.before = rig.hung;
  options.stands.reach_in = ReachesInOneMove(rig.scenario, rig.table.frame);
  return options;
}

}  // namespace

const char* DecisionName(PlayerDecision::What what) {
  switch (what) {
    case PlayerDecision::What::kAccept:
      return "accept";
    case PlayerDecision::What::kDispute:
      return "dispute";
    case PlayerDecision::What::kSettle:
      return "settle";
    case PlayerDecision::What::kMove:
      return "move";
    case PlayerDecision::What::kOverrule:
      return "overrule";
    case PlayerDecision::What::kIdentify:
      return "identify";
  }
  return "";
}

std::string InWords(const PlayerDecision& decision) {
  switch (decision.what) {
    case PlayerDecision::What::kAccept:
      return fmt::format("Shot {}: the players accept the verdict", decision.shot);
    case PlayerDecision::What::kDispute:
      return fmt::format("Shot {} is disputed: {}", decision.shot, decision.reason);
    case PlayerDecision::What::kSettle:
      return fmt::format("Shot {}: the players settle that {} is {}", decision.shot, decision.stand,
                         decision.call == Call::kHit ? "hit" : "not hit");
    case PlayerDecision::What::kMove:
      return fmt::format("Shot {}: the players say where its point lies", decision.shot);
    case PlayerDecision::What::kIdentify:
      return fmt::format("The players say which stands are which (doubt {})", decision.doubt);
    case PlayerDecision::What::kOverrule:
      break;
  }
  return fmt::format("The players let move {} stand", decision.move);
}

std::optional<Call> SettledCall(const ShotShown& shot, const std::string& stand) {
  std::optional<Call> settled;
  for (const PlayerDecision& decision : shot.decisions) {
    if (decision.what == PlayerDecision::What::kSettle && decision.stand == stand)
      settled = decision.call;
  }
  return settled;
}

std::vector<const StandVerdict*> OpenCalls(const ShotShown& shot) {
  std::vector<const StandVerdict*> open;
  for (const StandVerdict& stand : shot.verdict.stands) {
    if (stand.call == Call::kTooClose && !SettledCall(shot, stand.stand.stand.text)) {
      open.push_back(&stand);
    }
  }
  return open;
}

// Written on a thread of its own while the next frames are watched.
struct Match::PictureToCome {
  std::future<Status> drawn;
  int shot = 0;
  fs::path file;
  bool kept = false;  // `file` is the folder of an archived shot, not a picture
};

Match::~Match() = default;

Match::Match(const Rig& rig, OutFolder& out, const DecisionPolicy& policy,
             std::shared_ptr<MatchJournal> journal)
    : table_(rig.table),
      out_(out),
      policy_(policy),
      pictures_name_(rig.pictures),
      pipeline_(rig.table, rig.scenario, rig.lens, rig.source->FramesPerSecond(), OptionsOf(rig)),
      lines_(std::make_shared<const std::vector<LogLine>>()),
      journal_(std::move(journal)) {
  MatchFacts facts{rig.table.frame, rig.scenario, rig.name, rig.live, rig.source->FramesPerSecond(),
                   std::nullopt};
  if (!rig.live && rig.source->FrameCount()) facts.frames = *rig.source->FrameCount();
  facts_ = std::make_shared<const MatchFacts>(std::move(facts));
}

void Match::DrawStages() {
  pipeline_.TraceStands([this](const StandTrace& trace, const StandScene& scene) {
    if (stages_written_.ok()) stages_written_ = WriteStages(trace, scene);
  });
}

Status Match::WriteStages(const StandTrace& trace, const StandScene& scene) {
  const std::string folder = fmt::format("debug/look_{:02}/", ++looks_drawn_);
  for (const StagePicture& stage : fos::DrawStages(trace, facts_->scenario, scene)) {
    const Result<fs::path> file = out_.FileFor(folder + stage.name + ".png");
    if (!file.ok()) return file.error();
    const Status written = WritePicture(stage.picture, *file);
    if (!written.ok()) return written;
  }
  for (const auto& [name, words] :
       {std::pair{"paints.txt", PaintWords(trace, facts_->scenario)},
        std::pair{"dropped.txt", StageWords(trace, facts_->scenario)}}) {
    const Result<fs::path> file = out_.FileFor(folder + name);
    if (!file.ok()) return file.error();
    const Status written = WriteWholeFile(*file, words);
    if (!written.ok()) return written;
  }
  return Done{};
}

Status Match::Step(const Frame& frame) {
  const Result<std::vector<Sighting>> seen = pipeline_.Observe(frame);
  if (!stages_written_.ok()) return stages_written_;
  if (!seen.ok()) {
    return Error{seen.error().code, fmt::format("{}: {}", pictures_name_, seen.error().message)};
  }
  last_ = frame;
  ++frames_;
  return Write(*seen);
}

Status Match::Finish() {
  finished_ = true;
  if (frames_ == 0) {
    return Error{ErrorCode::kBadFormat,
                 fmt::format("{}: holds no pictures; record it again", pictures_name_)};
  }
  const Result<std::vector<Sighting>> rest = pipeline_.Finish();
  if (!rest.ok()) {
    return Error{rest.error().code, fmt::format("{}: {}", facts_->name, rest.error().message)};
  }
  return Write(*rest);
}

Status Match::End(double seconds_of_work) {
  EndEvent end;
  end.frames = frames_;
  end.stage_ms = Stages();
  end.seconds_of_work = seconds_of_work;
  return Add(last_.id, last_.time_s, end);
}

Status Match::WriteLog() {
  // A picture for which there was no room does not keep what was seen from being written.
  Status refused = Ok();
  for (PictureToCome& picture : std::exchange(pictures_, {})) {
    const Status status = picture.drawn.get();
    if (!status.ok() && refused.ok()) refused = status;
    if (!status.ok() || !journal_) continue;
    if (picture.kept) {
      for (const char* name : kArchiveNames) {
        Result<std::string> bytes = ReadWholeFile(picture.file / name);
        if (bytes.ok()) journal_->Attach(picture.shot, "kept", name, std::move(bytes).value());
      }
    } else if (std::string bytes = Compressed(picture.file); !bytes.empty()) {
      journal_->Attach(picture.shot, "evidence", picture.file.stem().string() + ".jpg",
                       std::move(bytes));
    }
  }
  FlushJournal();
  const Result<fs::path> file = out_.FileFor("events.jsonl");
  if (!file.ok()) return file.error();
  const Status written = log_.Write(*file);
  return written.ok() ? refused : written;
}

Status Match::EndJournal() {
  if (!journal_) return Ok();
  journal_->End();
  return journal_->Flush();
}

void Match::FlushJournal() {
  if (!journal_) return;
  const Status written = journal_->Flush();
  if (written.ok() == !journal_refused_) return;
  journal_refused_ = !written.ok();
  Tell(last_.time_s, LogLine::Category::kWarning,
       written.ok() ? "The club's file is written again; nothing is missing"
                    : written.error().message + "; it is tried again until it goes well");
}

Status Match::RecordDecision(const Json& line) {
  // What a keyboard sends need not be UTF-8 throughout; the log must be.
  const std::string said = line.dump();
  session_lines_ += said + '\n';
  if (journal_) journal_->Decision(said, last_.time_s);
  FlushJournal();
  const Result<fs::path> file = out_.FileFor("session.jsonl");
  if (!file.ok()) return file.error();
  return WriteWholeFile(*file, session_lines_);
}

// The move stands against the rules: an event, and a word besides.
Status Match::Overrule(const PlayerDecision& decision) {
  const std::optional<MoveOverruledEvent> event = moves_.Overrule(decision.move);
  if (!event) return Ok();
  // Behind the last line of a log that has ended nothing is added: there the word alone says it.
  if (!finished_) {
    const Status added = Add(last_.id, last_.time_s, *event);
    if (!added.ok()) return added;
  }
  const Status kept = RecordDecision({{"type", "players"},
                                      {"frame", last_.id.index},
                                      {"time", last_.time_s},
                                      {"move", event->move},
                                      {"say", DecisionName(decision.what)},
                                      {"reason", decision.reason},
                                      {"stands", event->stands},
                                      {"clause", event->clause},
                                      {"text", event->text}});
  if (!kept.ok()) return kept;
  Tell(last_.time_s, LogLine::Category::kPlain,
       fmt::format("The players let it stand{}: {}",
                   decision.reason.empty() ? "" : " (" + decision.reason + ")", event->text));
  return Ok();
}

bool Match::Rename(const std::vector<IdentityDoubt::Stand>& changed) {
  if (changed.empty()) return true;
  const IdentityDoubt all{changed, ""};
  std::optional<StandScene> renamed = WithNamesChanged(scene_, all);
  if (!renamed || !pipeline_.ChangeNames(all)) return false;
  scene_ = std::move(*renamed);
  stands_ = std::make_shared<const std::vector<StandObservation>>(scene_.stands);
  return true;
}

// Which stand is which: an event, the stands by their new names, and a word besides. What it makes
// of the other doubts comes after.
Status Match::Identify(const PlayerDecision& decision) {
  if (!doubts_.Open(decision.doubt)) return Ok();
  const auto [doubt, look] = identity_doubts_[static_cast<std::size_t>(decision.doubt) - 1];
  NamesLeft left = NamesAfterAnswer(doubt, decision.changed);
  if (!Rename(left.changed)) {
    // Some that were handled with them have gone since.
    left = {};
    if (decision.changed) left.changed = doubt.stands;
    if (!Rename(left.changed)) {
      Tell(last_.time_s, LogLine::Category::kWarning,
           "These stands are no longer all on the table, and keep their names: " + doubt.text);
      return Ok();
    }
  }
  const IdentitySettledEvent event = *doubts_.Settle(decision.doubt, decision.changed);
  if (!finished_) {
    Status added = Add(last_.id, last_.time_s, event);
    if (added.ok() && !left.changed.empty()) {
      added = Add(last_.id, last_.time_s, StandsRecord(scene_, facts_->scenario, table_.frame));
    }
    if (!added.ok()) return added;
  }
  const Status kept = RecordDecision({{"type", "players"},
                                      {"frame", last_.id.index},
                                      {"time", last_.time_s},
                                      {"doubt", event.doubt},
                                      {"say", DecisionName(decision.what)},
                                      {"changed", event.changed},
                                      {"text", event.text}});
  if (!kept.ok()) return kept;
  Tell(last_.time_s, LogLine::Category::kPlain, event.text);
  if (!doubt.handled) return Ok();
  const Status asked = Reconsider(look, std::move(left.doubts));
  if (!asked.ok() || left.changed.empty()) return asked;
  // In later looks others were handled than was thought.
  int looks = look;
  for (const RaisedDoubt& one : identity_doubts_) looks = std::max(looks, one.look);
  for (int later = look + 1; later <= looks; ++later) {
    std::optional<HandledStands> handled;
    for (std::size_t i = 0; i < identity_doubts_.size(); ++i) {
      const RaisedDoubt& one = identity_doubts_[i];
      if (one.look == later && one.doubt.handled && doubts_.Open(static_cast<int>(i) + 1))
        handled = *one.doubt.handled;
    }
    if (!handled || !RenameIn(*handled, left.changed)) continue;
    NamesLeft again = NamesOf(*handled);
    if (!again.changed.empty()) continue;  // as long a way both ways: they keep their names
    const Status later_asked = Reconsider(later, std::move(again.doubts));
    if (!later_asked.ok()) return later_asked;
  }
  return Ok();
}

Status Match::Reconsider(int look, std::vector<IdentityDoubt> open) {
  for (std::size_t i = 0; i < identity_doubts_.size(); ++i) {
    const int number = static_cast<int>(i) + 1;
    RaisedDoubt& one = identity_doubts_[i];
    if (one.look != look || !doubts_.Open(number)) continue;
    const auto still = std::find_if(open.begin(), open.end(), [&](const IdentityDoubt& doubt) {
      return SameStands(doubt, one.doubt) && doubt.text == one.doubt.text;
    });
    if (still != open.end()) {
      one.doubt = *still;
      open.erase(still);
      continue;
    }
    const IdentitySettledEvent event = *doubts_.Withdraw(number);
    Tell(last_.time_s, LogLine::Category::kPlain, event.text);
    if (finished_) continue;
    const Status added = Add(last_.id, last_.time_s, event);
    if (!added.ok()) return added;
  }
  if (finished_) return Ok();
  for (const IdentityDoubt& doubt : open) {
    const Status raised = Raise({doubt, last_.id, last_.time_s}, doubt, look);
    if (!raised.ok()) return raised;
  }
  return Ok();
}

Status Match::Decide(const PlayerDecision& decision) {
  if (decision.what == PlayerDecision::What::kOverrule) return Overrule(decision);
  if (decision.what == PlayerDecision::What::kIdentify) return Identify(decision);
  const auto shot = std::find_if(shots_.begin(), shots_.end(), [&](const auto& one) {
    return one->shot.shot.number == decision.shot;
  });
  if (shot == shots_.end()) return Ok();
  const auto& stands = (*shot)->verdict.stands;
  const bool about_stand = decision.what == PlayerDecision::What::kSettle;
  if (about_stand && std::none_of(stands.begin(), stands.end(), [&](const StandVerdict& one) {
        return one.stand.stand.text == decision.stand;
      })) {
    return Ok();
  }
  Json line = {{"type", "players"},
               {"frame", last_.id.index},
               {"time", last_.time_s},
               {"shot", decision.shot},
               {"say", DecisionName(decision.what)}};
  std::string text = InWords(decision);
  if (about_stand) {
    line["stand"] = decision.stand;
    line["call"] = CallName(decision.call);
  }
  if (decision.what == PlayerDecision::What::kDispute) line["reason"] = decision.reason;
  ShotShown changed = **shot;
  if (decision.what == PlayerDecision::What::kMove) {
    if (changed.archived == nullptr || !table_.frame.Contains(decision.point)) return Ok();
    const Remeasured again = MeasureAgain(*changed.archived, decision.point);
    if (!again.finding.measured) return Ok();
    const Vec2 was = changed.shot.point;
    changed.shot = again.finding.shot;
    changed.verdict = again.verdict;
    const double moved_in = Distance(was, changed.shot.point);
    line["point"] = {changed.shot.point.x, changed.shot.point.y};
    line["moved"] = moved_in;
    line["text"] = changed.verdict.text;
    line["casualties"] = Json::array();
    for (const StandId& id : changed.verdict.casualties) line["casualties"].push_back(id.text);
    text = fmt::format("Shot {}: the players move its point by {:.2f} in: {}", decision.shot,
                       moved_in, changed.verdict.text);
    ArchivedShot drawn = *changed.archived;
    drawn.seen.finding = again.finding;
    changed.picture = fmt::format("evidence/shot_{:02}_moved.png", decision.shot);
    const Result<fs::path> picture = out_.FileFor(changed.picture);
    if (!picture.ok()) return picture.error();
    changed.panels = Picture(EvidenceOf(drawn, changed.verdict), *picture, decision.shot);
  }
  const Status written = RecordDecision(line);
  if (!written.ok()) return written;
  changed.decisions.push_back(decision);
  *shot = std::make_shared<const ShotShown>(std::move(changed));
  Tell(last_.time_s, LogLine::Category::kShot, std::move(text), decision.shot);
  return Ok();
}

Snapshot Match::Now() const {
  Snapshot out;
  out.facts = facts_;
  out.frame = last_;
  out.watching = finished_            ? Watching::kEnded
                 : !pipeline_.Found() ? Watching::kLooking
                 : pipeline_.Lost()   ? Watching::kCameraMoved
                 : obstructed_        ? Watching::kHands
                                      : Watching::kWatching;
  if (!pipeline_.Found()) out.why = pipeline_.WhyNotFound();
  out.found_again_s = found_again_s_;
  out.table = found_;
  out.stands = stands_;
  out.shots = shots_;
  out.moves = moves_.All();
  out.doubts = doubts_.All();
  out.log = lines_;
  return out;
}

std::map<std::string, StageTime> Match::Stages() const {
  std::map<std::string, StageTime> out;
  for (const auto& [stage, calls] : pipeline_.Times().Calls()) {
    out[stage] = {Quantile(calls, 0.5).value_or(0), Quantile(calls, 0.99).value_or(0)};
  }
  return out;
}

Status Match::Write(const std::vector<Sighting>& sightings) {
  if (const Status status = JudgeMoves(sightings); !status.ok()) return status;
  for (const Sighting& sighting : sightings) {
    const Status status =
        std::visit([&](const auto& what) { return One(sighting, what); }, sighting.what);
    if (!status.ok()) return status;
  }
  if (!sightings.empty()) FlushJournal();
  return Ok();
}

Status Match::Add(FrameId frame, double time_s, EventBody body, JudgedFrom from) {
  EventRecord record{frame.index, time_s, std::move(body)};
  const Status status = log_.Append(record);
  if (!status.ok()) return status;
  if (journal_) journal_->Seen(record, std::move(from));
  events_.push_back(std::move(record));
  return status;
}

void Match::Tell(double time_s, LogLine::Category category, std::string text, int shot) {
  std::vector<LogLine> lines = *lines_;
  lines.push_back({time_s, category, std::move(text), shot});
  lines_ = std::make_shared<const std::vector<LogLine>>(std::move(lines));
}

Status Match::One(const Sighting& at, const TableFound& found) {
  found_ = std::make_shared<const TableRegistration>(found.registration);
  Tell(at.time_s, LogLine::Category::kPlain,
       found.registration.sentence.empty() ? "The table is found" : found.registration.sentence);
  return Add(at.frame, at.time_s, CalibrationRecord(found.registration));
}

Status Match::One(const Sighting& at, const StandsSeen& seen) {
  const bool first = stands_ == nullptr;
  scene_ = seen.scene;
  stands_ = std::make_shared<const std::vector<StandObservation>>(scene_.stands);
  if (first) {
    Tell(at.time_s, LogLine::Category::kPlain,
         fmt::format("{} stand{} on the table", scene_.stands.size(),
                     scene_.stands.size() == 1 ? "" : "s"));
    const Status compared = ComparePaintsOnce(at, seen);
    if (!compared.ok()) return compared;
  }
  JudgedFrom from;
  if (first && !(journal_ && !journal_->StandsBefore().empty())) {
    const auto faults = CheckSetupUnderRules(scene_.stands, facts_->scenario, table_.frame);
    const Status told =
        faults.ok() ? SetupFaults(at, *faults) : NoRuling(at, faults.error().message);
    if (!told.ok()) return told;
    from.stands = StandsMeasured{scene_.stands, {}};
    if (faults.ok()) from.told = *faults;
  }
  StandsEvent record = StandsRecord(seen.scene, facts_->scenario, table_.frame);
  if (first && !(journal_ && !journal_->StandsBefore().empty())) {
    // Where a game of it begins; what is against one has been said with the set-up.
    auto placement = PlacementUnderRules(scene_.stands, facts_->scenario, table_.frame);
    if (placement.ok()) record.placement = std::move(placement).value();
    if (const Status written = WritePlacement(record.placement); !written.ok()) return written;
  }
  if (first && journal_ && !journal_->StandsBefore().empty()) {
    const std::string moved = MovedSince(journal_->StandsBefore(), record.stands);
    const Status told =
        One(at, NeedsPeople{moved.empty() ? "The table stands as it did when the game was left"
                                          : "The game is gone on with; " + moved});
    if (!told.ok()) return told;
  }
  return Add(at.frame, at.time_s, std::move(record), std::move(from));
}

// A script that `play` goes on from, with the clip's scenario.
Status Match::WritePlacement(const std::vector<std::string>& lines) {
  if (lines.empty()) return Ok();
  const Result<fs::path> file = out_.FileFor("placement.script");
  if (!file.ok()) return file.error();
  std::string script = "# Everybody where the camera saw him, and how surely.\n";
  for (const std::string& line : lines) script += line + '\n';
  return WriteWholeFile(*file, script);
}

Status Match::One(const Sighting& at, const ViewChanged& view) {
  obstructed_ = view.obstructed;
  Tell(at.time_s, LogLine::Category::kPlain,
       view.obstructed ? "Hands over the table" : "The table is clear");
  return Add(at.frame, at.time_s, ViewEvent{view.obstructed});
}

Status Match::One(const Sighting& at, const CameraMoved& moved) {
  found_again_s_ = at.time_s;
  Tell(at.time_s, LogLine::Category::kWarning,
       fmt::format("The camera was moved ({:.0f} pixels); the table is found again",
                   moved.shift_px));
  return Add(at.frame, at.time_s, CameraMovedEvent{moved.shift_px});
}

// What went together is one move (NAP-2B, CF-10.1).
Status Match::JudgeMoves(const std::vector<Sighting>& sightings) {
  moves_from_ = StandsMeasured{scene_.stands, {}};
  std::map<StandId, const Sighting*> sighting_of;
  for (const Sighting& sighting : sightings) {
    const auto* change = std::get_if<StandChange>(&sighting.what);
    if (!change || !change->from || !change->to) continue;
    moves_from_.moved.push_back({*change->from, *change->to});
    sighting_of[change->to->stand] = &sighting;
  }
  ruled_ =
      JudgeMovesUnderRules(moves_from_.moved, moves_from_.position, facts_->scenario, table_.frame);
  for (const auto& [move, ruling] : ruled_.moves) {
    const Sighting& at = *sighting_of[move.pieces.front()];
    moves_.Add(move, ruling, at.time_s);
    if (!ruling.refused) {
      Tell(at.time_s, LogLine::Category::kPlain, ruling.text);
    } else if (const Status told = One(at, NeedsPeople{ruling.text + "; the players may overrule"});
               !told.ok()) {
      return told;
    }
  }
  return ruled_.none ? NoRuling(*sighting_of[ruled_.none->stand], ruled_.none->why) : Ok();
}

Status Match::SetupFaults(const Sighting& at, const std::vector<std::string>& faults) {
  for (const std::string& fault : faults)
    if (const Status told = One(at, NeedsPeople{"at the start " + fault}); !told.ok()) return told;
  return Ok();
}

// Said once: what holds for one shot or move holds for the next.
Status Match::NoRuling(const Sighting& at, const std::string& why) {
  if (no_ruling_told_) return Ok();
  no_ruling_told_ = true;
  return One(at, NeedsPeople{fmt::format("the rules of `{}` give no ruling here: {}",
                                         facts_->scenario.ruleset, why)});
}

Status Match::One(const Sighting& at, const StandChange& change) {
  StandChangeEvent event = ChangeRecord(change, table_.frame, ruled_);
  Tell(at.time_s, LogLine::Category::kPlain, InWords(event));
  JudgedFrom from;
  if (change.from && change.to && !moves_from_.moved.empty()) {
    from.stands = std::exchange(moves_from_, {});
  }
  return Add(at.frame, at.time_s, event, std::move(from));
}

// Before the game: paints that this light does not keep apart will cost calls later.
Status Match::ComparePaintsOnce(const Sighting& at, const StandsSeen& seen) {
  if (!seen.camera || seen.picture.empty()) return Ok();
  const PaintContrast contrast =
      ComparePaints(seen.picture, *seen.camera, table_.frame, seen.scene.stands, facts_->scenario);
  const std::string text = ContrastText(contrast);
  if (text.empty()) return Ok();
  const std::string name = "evidence/paints.png";
  const Result<fs::path> file = out_.FileFor(name);
  if (!file.ok()) return file.error();
  const Status drawn = WritePicture(DrawContrast(contrast), *file);
  if (!drawn.ok()) return drawn;
  return One(at, NeedsPeople{fmt::format("{} ({})", text, name)});
}

Status Match::One(const Sighting& at, const NeedsPeople& remark) {
  Tell(at.time_s, LogLine::Category::kWarning, remark.text);
  remarks_.push_back(fmt::format("frame {}: {}", at.frame.index, remark.text));
  if (journal_) journal_->Remark(at.frame, at.time_s, remark.text);
  return Ok();
}

Status Match::One(const Sighting& at, const IdentityDoubt& doubt) {
  int look = 1;
  for (const RaisedDoubt& one : identity_doubts_) {
    const bool same = doubt.handled && one.doubt.handled == doubt.handled;
    look = std::max(look, same ? one.look : one.look + 1);
  }
  return Raise(at, doubt, look);
}

Status Match::Raise(const Sighting& at, const IdentityDoubt& doubt, int look) {
  IdentityDoubtedEvent event;
  event.doubt = doubts_.Add(doubt.text);
  event.text = doubt.text;
  for (const IdentityDoubt::Stand& one : doubt.stands)
    event.stands.push_back({one.now.text, one.may_be.text});
  identity_doubts_.push_back({doubt, look});
  Tell(at.time_s, LogLine::Category::kWarning, doubt.text + "; say which is which");
  remarks_.push_back(fmt::format("frame {}: {}", at.frame.index, doubt.text));
  return Add(at.frame, at.time_s, std::move(event));
}

Status Match::One(const Sighting& at, const ShotSeen& seen) {
  ShotSeen numbered = seen;
  ShotObservation& shot = numbered.finding.shot;
  shot.shot = {++last_shot_ + (journal_ ? journal_->ShotsBefore() : 0)};
  const std::string folder = fmt::format("evidence/shot_{:02}", shot.shot.number);
  const auto kept = std::make_shared<const ArchivedShot>(ArchiveShot(
      numbered, scene_.stands, table_.frame, facts_->scenario, policy_, pipeline_.Registration()));
  if (const Status status = Store(kept, folder); !status.ok()) return status;
  if (!seen.finding.measured) return Ask(at, *kept, folder);
  const ProjectileSpec& spec =
      facts_->scenario.projectiles.at(static_cast<std::size_t>(seen.finding.spec));
  ShotVerdict verdict =
      JudgeShotUnderRules(shot, scene_.stands, spec, facts_->scenario, table_.frame, policy_);
  if (!verdict.no_ruling.empty())
    if (const Status told = NoRuling(at, verdict.no_ruling); !told.ok()) return told;
  const std::string name = fmt::format("evidence/shot_{:02}.png", shot.shot.number);
  const Result<fs::path> file = out_.FileFor(name);
  if (!file.ok()) return file.error();
  const auto panels = Picture(EvidenceOf(*kept, verdict), *file, shot.shot.number);
  ShotEvent record = ShotRecord(shot, table_.frame, name);
  record.kept = folder;
  const Status status = Add(at.frame, at.time_s, record);
  if (!status.ok()) return status;
  const Status judged =
      Add(at.frame, at.time_s, VerdictRecord(shot.shot, verdict, facts_->scenario),
          {.shot = ShotMeasured{shot, seen.finding.spec, policy_.doubt, scene_.stands}});
  if (!judged.ok()) return judged;
  Tell(at.time_s, LogLine::Category::kShot,
       fmt::format("Shot {}: {}", shot.shot.number, verdict.text), shot.shot.number);
  shots_.push_back(std::make_shared<const ShotShown>(ShotShown{shot,
                                                               InWords(shot.projectile),
                                                               spec.hit_radius_in,
                                                               std::move(verdict),
                                                               at.time_s,
                                                               name,
                                                               {},
                                                               panels,
                                                               kept}));
  return Ok();
}

Status Match::Ask(const Sighting& at, const ArchivedShot& kept, const std::string& folder) {
  const ShotObservation& shot = kept.seen.finding.shot;
  AskEvent ask;
  ask.shot = shot.shot.number;
  ask.projectile = shot.projectile == Projectile::kQtip ? "qtip" : "shell";
  ask.near = 0.5 * (shot.point + shot.tail);
  const auto square = table_.frame.SquareAt(ask.near);
  if (square) ask.square = SquareName(*square);
  ask.kept = folder;
  ask.text = fmt::format(
      "Shot {}: a {} lies {}, but the point that counts cannot be told; say where it is", ask.shot,
      InWords(shot.projectile),
      ask.square.empty() ? std::string("beside the board") : "in " + ask.square);
  Tell(at.time_s, LogLine::Category::kWarning, ask.text);
  remarks_.push_back(fmt::format("frame {}: {}", at.frame.index, ask.text));
  return Add(at.frame, at.time_s, ask);
}

Status Match::Store(std::shared_ptr<const ArchivedShot> kept, const std::string& folder) {
  // The names first: they are taken away again should the run fail.
  std::map<std::string, fs::path> places;
  for (const char* name : kArchiveNames) {
    const Result<fs::path> file = out_.FileFor(folder + "/" + name);
    if (!file.ok()) return file.error();
    places[name] = *file;
  }
  const int shot = kept->seen.finding.shot.shot.number;
  auto stored = std::async(std::launch::async, [kept = std::move(kept), places]() -> Status {
    const Result<std::vector<ArchivedFile>> files = FilesOf(*kept);
    if (!files.ok()) return files.error();
    for (const ArchivedFile& file : *files) {
      const Status written = WriteWholeFile(places.at(file.name), file.bytes);
      if (!written.ok()) return written;
    }
    return Ok();
  });
  pictures_.push_back({std::move(stored), shot, places.begin()->second.parent_path(), true});
  return Ok();
}

std::shared_ptr<const Latest<EvidencePanels>> Match::Picture(EvidenceRequest request, fs::path file,
                                                             int shot) {
  auto slot = std::make_shared<Latest<EvidencePanels>>();
  auto drawn = std::async(std::launch::async, [request = std::move(request), slot, file] {
    const auto panels = std::make_shared<const EvidencePanels>(DrawEvidencePanels(request));
    slot->Set(panels);
    return WritePicture(DrawEvidence(request, *panels), file);
  });
  pictures_.push_back({std::move(drawn), shot, std::move(file), false});
  return slot;
}

}  // namespace fos
