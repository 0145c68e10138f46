// SPDX-License-Identifier: MIT
#include "ui/session/match.h"

#include <fmt/format.h>
#include <future>

#include <algorithm>
#include <chrono>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>
#include <utility>
#include <variant>

#include "engine/files/whole_file.h"
#include "engine/rules/rule_sets.h"
#include "engine/shots/seen.h"
#include "engine/table/quantile.h"
#include "ui/session/players_names.h"
#include "ui/session/sightings.h"
#include "vision/appearance/paint_contrast.h"
#include "vision/pipeline/dice_tracker.h"
#include "vision/shots/evidence.h"
#include "vision/stands/setup_check.h"
#include "vision/stands/stand_assignment.h"

namespace fos {
namespace {

namespace fs = std::filesystem;

// An evidence picture as a JPEG for the club's file. At this quality (of 100) its lines and numbers
// stay sharp in a fifth of the bytes. Empty when the file cannot be read.
constexpr int kJpegQuality = 88;
std::string Compressed(const fs::path& file) try {
  const cv::Mat picture = cv::imread(file.string(), cv::IMREAD_COLOR);
  std::vector<unsigned char> bytes;
  if (picture.empty() ||
      !cv::imencode(".jpg", picture, bytes, {cv::IMWRITE_JPEG_QUALITY, kJpegQuality})) {
    return {};
  }
  return {bytes.begin(), bytes.end()};
} catch (const cv::Exception&) {
  return {};
}

PipelineOptions OptionsOf(const Rig& rig) {
  PipelineOptions options;
  options.registration.before = rig.hung;
  options.shots.learnt = rig.projectiles;
  options.shots.on_judged = rig.on_judged;
  options.stands.reach_in = ReachesInOneMove(rig.scenario, rig.table.frame);
  return options;
}

}  // namespace

// A picture or archive that another thread writes while the match goes on.
struct Match::PictureToCome {
  std::future<Status> drawn;  // invalid once it was taken
  Status written = Ok();
  int shot = 0;
  fs::path file;
  bool archive = false;  // `file` is the folder of an archived shot, not a picture
  bool question = false;  // of a thing that players are asked about: no evidence for the club's file
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
  facts.troops = TroopsOf(rig.scenario);
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
  TakeFinishedPictures();
  return Write(*seen);
}

Status Match::CutOff(const std::string& why) {
  cut_off_ = why;
  return Take(Sighting{NeedsPeople{}, last_.id, last_.time_s},
              NeedsPeople{why + ". Everything before that was judged"});
}

Status Match::Finish() {
  finished_ = true;
  if (frames_ == 0) {
    return Error{ErrorCode::kBadFormat,
                 fmt::format("{}: contains no pictures; record it again", pictures_name_)};
  }
  const Result<std::vector<Sighting>> rest = pipeline_.Finish();
  if (!rest.ok()) {
    return Error{rest.error().code, fmt::format("{}: {}{}{}", facts_->name, rest.error().message,
                                                cut_off_.empty() ? "" : "; ", cut_off_)};
  }
  return Write(*rest);
}

Status Match::End(double seconds_of_work) {
  EndEvent end;
  end.frames = frames_;
  end.stage_ms = Stages();
  end.seconds_of_work = seconds_of_work;
  end.cut_off = cut_off_;
  return AddEvent(last_.id, last_.time_s, end);
}

Status Match::WriteLog() {
  // A picture that could not be written (a full disk) must not prevent the log from being written.
  Status refused = Ok();
  for (PictureToCome& picture : std::exchange(pictures_, {})) {
    if (picture.drawn.valid()) picture.written = picture.drawn.get();
    if (!picture.written.ok() && refused.ok()) refused = picture.written;
    if (!picture.written.ok() || !journal_ || picture.question) continue;
    if (picture.archive) {
      for (const char* name : kArchiveNames) {
        journal_->Attach(picture.shot, "kept", name, [file = picture.file / name] {
          Result<std::string> bytes = ReadWholeFile(file);
          return bytes.ok() ? std::move(bytes).value() : std::string();
        });
      }
    } else {
      journal_->Attach(picture.shot, "evidence", picture.file.stem().string() + ".jpg",
                       [file = picture.file] { return Compressed(file); });
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
  AddLogLine(last_.time_s, LogLine::Category::kWarning,
             written.ok() ? "The club's file is being written again; nothing is missing"
                          : written.error().message + "; the program keeps trying");
}

Snapshot Match::Now() const {
  Snapshot out;
  out.facts = facts_;
  out.frame = last_;
  out.watching = finished_             ? Watching::kEnded
                 : !pipeline_.Found()  ? Watching::kLooking
                 : pipeline_.Lost()    ? Watching::kCameraMoved
                 : !blind_why_.empty() ? Watching::kBlind
                 : obstructed_         ? Watching::kHands
                                       : Watching::kWatching;
  if (!pipeline_.Found()) out.why = pipeline_.WhyNotFound();
  if (out.watching == Watching::kBlind) out.why = blind_why_;
  out.found_again_s = found_again_s_;
  out.table = found_;
  out.stands = stands_;
  out.shots = shots_;
  out.moves = moves_.All();
  out.doubts = doubts_.All();
  for (const ObjectLying& object : objects_) out.objects.push_back(object.shown);
  out.dice = dice_;
  out.log = lines_;
  if (setup_doubted_) out.setup = SetupAsked{setup_asked_, setup_accepted_};
  return out;
}

std::map<std::string, StageTime> Match::Stages() const {
  std::map<std::string, StageTime> out;
  for (const auto& [stage, calls] : StageCalls()) {
    out[stage] = {calls.Quantile(0.5), calls.Quantile(0.99)};
  }
  return out;
}

Status Match::Write(const std::vector<Sighting>& sightings) {
  if (const Status status = JudgeMoves(sightings); !status.ok()) return status;
  for (const Sighting& sighting : sightings) {
    const Status status =
        std::visit([&](const auto& what) { return Take(sighting, what); }, sighting.what);
    if (!status.ok()) return status;
  }
  if (!sightings.empty()) FlushJournal();
  return Ok();
}

Status Match::AddEvent(FrameId frame, double time_s, EventBody body, JudgedFrom from) {
  EventRecord record{frame.index, time_s, std::move(body)};
  const Status status = log_.Append(record);
  if (!status.ok()) return status;
  if (journal_) journal_->Seen(record, std::move(from));
  events_.push_back(std::move(record));
  return status;
}

void Match::AddLogLine(double time_s, LogLine::Category category, std::string text, int shot,
                       bool word) {
  text = PlayersNames(facts_->scenario).In(text);
  std::vector<LogLine> lines = *lines_;
  lines.push_back({time_s, category, std::move(text), shot, word});
  lines_ = std::make_shared<const std::vector<LogLine>>(std::move(lines));
}

Status Match::Take(const Sighting& at, const TableFound& found) {
  found_ = std::make_shared<const TableRegistration>(found.registration);
  if (found.registration.trust != TableTrust::kTrusted) {
    const bool untrusted = found.registration.trust == TableTrust::kUntrusted;
    const std::string text = fmt::format(
        "{}: {}",
        untrusted ? "No hit or miss is called, since the table's position is not reliable"
                  : "Verdicts are less sure than usual, since the table's position is doubtful",
        found.registration.reason);
    AddLogLine(at.time_s, LogLine::Category::kWarning, text);
    remarks_.push_back(fmt::format("frame {}: {}", at.frame.index, text));
    if (journal_) journal_->Remark(at.frame, at.time_s, text);
  }
  // For players; the figures behind it are in the event. Two sigmas: what they would see with a
  // rule.
  AddLogLine(at.time_s, LogLine::Category::kPlain,
             fmt::format("The table was found, to within {:.2f} in",
                         std::max(0.01, 2 * found.registration.worst_sigma_in)));
  return AddEvent(at.frame, at.time_s, CalibrationRecord(found.registration));
}

Status Match::Take(const Sighting& at, const StandsSeen& seen) {
  const bool first = stands_ == nullptr;
  scene_ = seen.scene;
  stands_ = std::make_shared<const std::vector<StandObservation>>(scene_.stands);
  if (first) {
    AddLogLine(at.time_s, LogLine::Category::kPlain,
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
  if (const Status asked = AskAboutSetup(at, seen); !asked.ok()) return asked;
  StandsEvent record = StandsRecord(seen.scene, facts_->scenario, table_.frame);
  if (first && !(journal_ && !journal_->StandsBefore().empty())) {
    // The start of a game of this clip. Faults of the deployment were reported above.
    auto placement = PlacementUnderRules(scene_.stands, facts_->scenario, table_.frame);
    if (placement.ok()) record.placement = std::move(placement).value();
    if (const Status written = WritePlacement(record.placement); !written.ok()) return written;
  }
  if (first && journal_ && !journal_->StandsBefore().empty()) {
    const std::string moved = MovedSince(journal_->StandsBefore(), record.stands);
    const Status told =
        Take(at, NeedsPeople{moved.empty() ? "The table stands as it did when the game was left"
                                           : "The game continues; " + moved});
    if (!told.ok()) return told;
  }
  return AddEvent(at.frame, at.time_s, std::move(record), std::move(from));
}

// Writes a script that `play` can start from, with the clip's scenario.
Status Match::WritePlacement(const std::vector<std::string>& lines) {
  if (lines.empty()) return Ok();
  const Result<fs::path> file = out_.FileFor("placement.script");
  if (!file.ok()) return file.error();
  std::string script = "# Every stand where the camera found it, with its uncertainty.\n";
  for (const std::string& line : lines) script += line + '\n';
  return WriteWholeFile(*file, script);
}

Status Match::Take(const Sighting& at, const ViewChanged& view) {
  obstructed_ = view.obstructed;
  blind_why_ = view.why;
  const ViewEvent event{view.obstructed, view.why};
  if (view.why.empty()) {
    AddLogLine(at.time_s, LogLine::Category::kPlain, ViewText(event));
  } else if (const Status told = Take(at, NeedsPeople{ViewText(event)}); !told.ok()) {
    return told;
  }
  return AddEvent(at.frame, at.time_s, event);
}

Status Match::Take(const Sighting& at, const CameraMoved& moved) {
  found_again_s_ = at.time_s;
  dice_.clear();  // which of them still lie there is not known
  AddLogLine(
      at.time_s, LogLine::Category::kWarning,
      fmt::format("The camera moved ({:.0f} pixels); the table was found again", moved.shift_px));
  return AddEvent(at.frame, at.time_s, CameraMovedEvent{moved.shift_px});
}

Status Match::Take(const Sighting& at, const ObjectSeen& object) {
  ObjectEvent event;
  event.object = object.number;
  event.gone = object.gone;
  event.outline = object.outline;
  event.at_rest_frame = object.at_rest.index;
  Vec2 middle;
  for (const Vec2 p : object.outline)
    middle = middle + p / static_cast<double>(object.outline.size());
  if (const auto square = table_.frame.SquareAt(middle)) event.square = SquareName(*square);
  std::erase_if(objects_, [&](const auto& one) { return one.shown->number == object.number; });
  if (!object.gone) {
    objects_.push_back({std::make_shared<const ObjectShown>(
                            ObjectShown{object.number, middle, object.outline, ObjectText(event)}),
                        object.pictures});
  }
  AddLogLine(at.time_s, LogLine::Category::kPlain, ObjectText(event));
  return AddEvent(at.frame, at.time_s, event);
}

Status Match::Take(const Sighting& at, const DiceSeen& dice) {
  DiceEvent event = DiceRecord(dice);
  event.evidence = fmt::format("evidence/dice_{:02}.png", ++last_throw_);
  const Result<fs::path> file = out_.FileFor(event.evidence);
  if (!file.ok()) return file.error();
  const Status written = WritePicture(DrawDice(dice, DiceWords(dice)), *file);
  if (!written.ok()) return written;
  for (DieShown& die : DiceOf(dice)) {
    die.number = ++last_die_;
    die.throw_number = last_throw_;
    die.picture = event.evidence;
    dice_.push_back(std::make_shared<const DieShown>(std::move(die)));
  }
  AddLogLine(at.time_s,
             event.asked.empty() ? LogLine::Category::kPlain : LogLine::Category::kWarning,
             DiceText(event));
  return AddEvent(at.frame, at.time_s, std::move(event));
}

Status Match::Take(const Sighting& at, const DiceTaken& dice) {
  DiceEvent event;
  event.taken = true;
  event.centres = dice.centres;
  RemoveTaken(dice, dice_);
  AddLogLine(at.time_s, LogLine::Category::kPlain, DiceText(event));
  return AddEvent(at.frame, at.time_s, std::move(event));
}

// Stands that moved together make one move (NAP-2B, CF-10.1).
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
      AddLogLine(at.time_s, LogLine::Category::kPlain, ruling.text);
    } else if (const Status told =
                   Take(at, NeedsPeople{ruling.text + "; the players may overrule this"});
               !told.ok()) {
      return told;
    }
  }
  return ruled_.none ? NoRuling(*sighting_of[ruled_.none->stand], ruled_.none->why) : Ok();
}

Status Match::SetupFaults(const Sighting& at, const std::vector<std::string>& faults) {
  for (const std::string& fault : faults)
    if (const Status told = Take(at, NeedsPeople{"at the start " + fault}); !told.ok()) return told;
  return Ok();
}

// Reported only once: the reason is the same for every shot and move.
Status Match::NoRuling(const Sighting& at, const std::string& why) {
  if (no_ruling_told_) return Ok();
  no_ruling_told_ = true;
  return Take(at, NeedsPeople{fmt::format("the {} rules give no ruling here: {}",
                                          facts_->scenario.ruleset, why)});
}

Status Match::Take(const Sighting& at, const StandChange& change) {
  StandChangeEvent event = ChangeRecord(change, table_.frame, ruled_);
  AddLogLine(at.time_s, LogLine::Category::kPlain, InWords(event));
  JudgedFrom from;
  if (change.from && change.to && !moves_from_.moved.empty()) {
    from.stands = std::exchange(moves_from_, {});
  }
  return AddEvent(at.frame, at.time_s, event, std::move(from));
}

// Warns before the game about paints that are too alike under this light.
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
  return Take(at, NeedsPeople{fmt::format("{} ({})", text, name)});
}

Status Match::AskAboutSetup(const Sighting& at, const StandsSeen& seen) {
  const std::optional<SetupDoubt>& doubt = seen.scene.setup_doubt;
  // A game that goes on is not as the scenario placed it.
  const bool goes_on = journal_ && !journal_->StandsBefore().empty();
  if (goes_on || doubt.has_value() == setup_doubted_) return Ok();
  setup_doubted_ = doubt.has_value();
  if (!doubt) {
    setup_accepted_ = false;
    SetupEvent event;
    event.fits = true;
    event.text = "The stands are those of the scenario now; shots are called from here on";
    if (const Status told = Take(at, NeedsPeople{event.text}); !told.ok()) return told;
    return AddEvent(at.frame, at.time_s, std::move(event));
  }
  SetupEvent event = SetupRecord(*doubt, facts_->scenario);
  setup_asked_ = event.text;
  if (seen.camera && !seen.picture.empty()) {
    event.evidence = "evidence/setup.png";
    const Result<fs::path> file = out_.FileFor(event.evidence);
    if (!file.ok()) return file.error();
    const Status drawn = WritePicture(
        DrawSetup(seen.picture, *seen.camera, table_.frame, facts_->scenario, seen.scene), *file);
    if (!drawn.ok()) return drawn;
  }
  const std::string picture = event.evidence.empty() ? "" : fmt::format(" ({})", event.evidence);
  if (const Status told = Take(at, NeedsPeople{event.text + picture}); !told.ok()) return told;
  return AddEvent(at.frame, at.time_s, std::move(event));
}

std::string Match::TrustNow() const {
  if (setup_doubted_ && !setup_accepted_) return "misfit";
  const TableTrust trust = pipeline_.Registration().trust;
  return trust == TableTrust::kTrusted ? "" : TrustName(trust);
}

DecisionPolicy Match::PolicyNow() const {
  DecisionPolicy policy = policy_;
  if ((setup_doubted_ && !setup_accepted_) ||
      pipeline_.Registration().trust == TableTrust::kUntrusted)
    policy.doubt = 0;
  return policy;
}

Status Match::Take(const Sighting& at, const NeedsPeople& remark) {
  AddLogLine(at.time_s, LogLine::Category::kWarning, remark.text);
  remarks_.push_back(fmt::format("frame {}: {}", at.frame.index, remark.text));
  if (journal_) journal_->Remark(at.frame, at.time_s, remark.text);
  return Ok();
}

Status Match::Take(const Sighting& at, const ShotSeen& seen) {
  ShotSeen numbered = seen;
  ShotObservation& shot = numbered.finding.shot;
  shot.shot = {++last_shot_ + (journal_ ? journal_->ShotsBefore() : 0)};
  const std::string folder = fmt::format("evidence/shot_{:02}", shot.shot.number);
  // Where nothing is called now, nothing is in a dispute and a replay of this shot either.
  const DecisionPolicy policy = PolicyNow();
  const auto archived = std::make_shared<const ArchivedShot>(ArchiveShot(
      numbered, scene_.stands, table_.frame, facts_->scenario, policy, pipeline_.Registration()));
  const auto kept = WriteArchive(archived, folder);
  if (!kept.ok()) return kept.error();
  if (!seen.finding.measured) return AskForPoint(at, *archived, *kept, folder);
  const ProjectileSpec& spec =
      facts_->scenario.projectiles.at(static_cast<std::size_t>(seen.finding.spec));
  ShotVerdict verdict =
      JudgeShotUnderRules(shot, scene_.stands, spec, facts_->scenario, table_.frame, policy);
  if (!verdict.no_ruling.empty())
    if (const Status told = NoRuling(at, verdict.no_ruling); !told.ok()) return told;
  const std::string name = fmt::format("evidence/shot_{:02}.png", shot.shot.number);
  Result<ShotShown> shown =
      ShownWith(*archived, *kept, archived->seen.finding, std::move(verdict), name, at.time_s);
  if (!shown.ok()) return shown.error();
  ShotEvent record = ShotRecord(shot, table_.frame, name);
  record.kept = folder;
  const Status status = AddEvent(at.frame, at.time_s, record);
  if (!status.ok()) return status;
  VerdictEvent called = VerdictRecord(shot.shot, shown->verdict, facts_->scenario);
  called.trust = TrustNow();
  const Status judged =
      AddEvent(at.frame, at.time_s, std::move(called),
               {.shot = ShotMeasured{shot, seen.finding.spec, policy.doubt, scene_.stands}});
  if (!judged.ok()) return judged;
  AddLogLine(at.time_s, LogLine::Category::kShot,
             fmt::format("Shot {}: {}", shot.shot.number, shown->verdict.text), shot.shot.number);
  shots_.push_back(std::make_shared<const ShotShown>(std::move(shown).value()));
  return Ok();
}

Result<ShotShown> Match::ShownWith(const ArchivedShot& archived,
                                   std::shared_ptr<const Recalled<ArchivedShot>> kept,
                                   const ProjectileFinding& finding, ShotVerdict verdict,
                                   const std::string& name, double time_s) {
  const Result<fs::path> file = out_.FileFor(name);
  if (!file.ok()) return file.error();
  ShotShown out;
  out.shot = finding.shot;
  out.projectile = InWords(finding.shot.projectile);
  out.circle_in =
      facts_->scenario.projectiles.at(static_cast<std::size_t>(finding.spec)).hit_radius_in;
  out.verdict = std::move(verdict);
  out.time_s = time_s;
  out.picture = name;
  const auto request = [finding, verdict = out.verdict](ArchivedShot drawn) {
    drawn.seen.finding = finding;
    return EvidenceOf(drawn, verdict);
  };
  const auto panels = std::make_shared<Recalled<EvidencePanels>>(
      last_used_, [kept, request]() -> std::shared_ptr<const EvidencePanels> {
        const auto again = kept->Get();
        // Empty where the files are gone: nobody waits for them.
        return std::make_shared<const EvidencePanels>(
            again != nullptr ? DrawEvidencePanels(request(*again)) : EvidencePanels{});
      });
  auto drawn = std::async(
      std::launch::async, [first = request(archived), panels, file = *file]() -> Status {
        const auto made = std::make_shared<const EvidencePanels>(DrawEvidencePanels(first));
        panels->Set(made);
        return WritePicture(DrawEvidence(first, *made), file);
      });
  pictures_.push_back({std::move(drawn), Ok(), finding.shot.shot.number, *file, false});
  out.panels = panels;
  out.archived = std::move(kept);
  return out;
}

Status Match::AskForPoint(const Sighting& at, const ArchivedShot& archived,
                          std::shared_ptr<const Recalled<ArchivedShot>> kept,
                          const std::string& folder) {
  const ProjectileFinding& finding = archived.seen.finding;
  const ShotObservation& shot = finding.shot;
  AskEvent ask;
  ask.shot = shot.shot.number;
  ask.projectile = ProjectileName(shot.projectile);
  ask.near = 0.5 * (shot.point + shot.tail);
  const auto square = table_.frame.SquareAt(ask.near);
  if (square) ask.square = SquareName(*square);
  ask.kept = folder;
  ask.text = fmt::format("Shot {}: a {} lies {}, but its point cannot be measured; mark the point",
                         ask.shot, InWords(shot.projectile),
                         ask.square.empty() ? std::string("beside the board") : "in " + ask.square);
  AddLogLine(at.time_s, LogLine::Category::kWarning, ask.text, ask.shot);
  const Result<fs::path> file = out_.FileFor(AskedPicture(folder));
  if (!file.ok()) return file.error();
  auto drawn = std::async(std::launch::async,
                          [question = QuestionOf(archived, ask.near, ask.text), to = *file] {
                            return WritePicture(DrawEvidence(question), to);
                          });
  pictures_.push_back({std::move(drawn), Ok(), ask.shot, *file, false, true});
  ShotShown shown;
  shown.shot = shot;
  shown.shot.point = ask.near;
  shown.projectile = InWords(shot.projectile);
  shown.circle_in =
      facts_->scenario.projectiles.at(static_cast<std::size_t>(finding.spec)).hit_radius_in;
  shown.verdict.ground.square = ask.square;
  shown.verdict.text = ask.text;
  shown.time_s = at.time_s;
  shown.archived = std::move(kept);
  shown.question =
      fmt::format("A {} lies {}, but its {} cannot be measured: say where it is", shown.projectile,
                  ask.square.empty() ? "beside the board" : "in " + ask.square,
                  shot.projectile == Projectile::kQtip ? "tip" : "mark");
  shots_.push_back(std::make_shared<const ShotShown>(std::move(shown)));
  return AddEvent(at.frame, at.time_s, ask);
}

Result<std::shared_ptr<const Recalled<ArchivedShot>>> Match::WriteArchive(
    const std::shared_ptr<const ArchivedShot>& archived, const std::string& folder) {
  // Reserve the names first, so that the files are removed if the run fails.
  std::map<std::string, fs::path> places;
  for (const char* name : kArchiveNames) {
    const Result<fs::path> file = out_.FileFor(folder + "/" + name);
    if (!file.ok()) return file.error();
    places[name] = *file;
  }
  const auto kept = std::make_shared<Recalled<ArchivedShot>>(
      last_used_,
      [folders = out_.PlacesOf(folder)]() -> std::shared_ptr<const ArchivedShot> {
        for (const fs::path& one : folders) {
          Result<ArchivedShot> back = ReadArchivedShot(one);
          if (back.ok()) return std::make_shared<const ArchivedShot>(std::move(back).value());
        }
        return nullptr;
      });
  kept->Set(archived);
  auto stored = std::async(std::launch::async, [archived, kept, places]() -> Status {
    const Result<std::vector<ArchivedFile>> files = FilesOf(*archived);
    Status written = files.ok() ? Ok() : Status(files.error());
    for (std::size_t i = 0; written.ok() && i < files->size(); ++i)
      written = WriteWholeFile(places.at((*files)[i].name), (*files)[i].bytes);
    if (!written.ok()) kept->Stay(archived);
    return written;
  });
  pictures_.push_back({std::move(stored), Ok(), archived->seen.finding.shot.shot.number,
                       places.begin()->second.parent_path(), true});
  return std::shared_ptr<const Recalled<ArchivedShot>>(kept);
}

void Match::TakeFinishedPictures() {
  for (PictureToCome& picture : pictures_) {
    if (picture.drawn.valid() &&
        picture.drawn.wait_for(std::chrono::seconds(0)) == std::future_status::ready) {
      picture.written = picture.drawn.get();
    }
  }
}

}  // namespace fos
