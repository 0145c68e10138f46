// SPDX-License-Identifier: MIT
#include "ui/cli/evaluate_command.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "datasets/odds/labelled_things.h"
#include "datasets/render/augmentation.h"
#include "datasets/score/score_boards.h"
#include "datasets/score/score_left_out.h"
#include "datasets/score/score_lens.h"
#include "datasets/score/score_lens_check.h"
#include "datasets/score/score_report.h"
#include "datasets/score/score_set.h"
#include "datasets/sweep/dice_sweep.h"
#include "datasets/sweep/hand_video.h"
#include "datasets/sweep/shot_sweep.h"
#include "datasets/sweep/stand_sweep.h"
#include "datasets/sweep/wild_sweep.h"
#include "engine/rules/rule_sets.h"
#include "ui/cli/options.h"
#include "ui/cli/output_file.h"
#include "ui/cli/progress.h"
#include "ui/session/judge.h"
#include "ui/session/rig.h"
#include "vision/image/frame_source.h"

namespace fos {

namespace {

// A source whose pictures are augmented.
class AugmentedSource : public FrameSource {
 public:
  AugmentedSource(std::unique_ptr<FrameSource> source, const Augmentation& look)
      : source_(std::move(source)), look_(look) {}
  Result<std::optional<Frame>> Next() override {
    Result<std::optional<Frame>> next = source_->Next();
    if (next.ok() && next->has_value())
      (*next)->bgr = Augmented(look_, (*next)->bgr, static_cast<std::uint64_t>(count_++));
    return next;
  }
  cv::Size Size() const override { return source_->Size(); }
  double FramesPerSecond() const override { return source_->FramesPerSecond(); }
  std::optional<int> FrameCount() const override { return source_->FrameCount(); }

 private:
  std::unique_ptr<FrameSource> source_;
  Augmentation look_;
  std::int64_t count_ = 0;
};

// `fallofshot evaluate --sweep N`: needs no folder; the tables are synthetic.
int RunSweep(const std::vector<std::string>& arguments, Console& console) {
  int tables = 200;
  int seed = 1;
  std::string world = "plain";
  bool details = false;
  std::string out;
  Options options("evaluate --sweep N [--seed S] [--world wild] [--details] [--out DIR]",
                  "Scores stand detection on synthetic tables whose truth is known.");
  options.Integer("sweep", tables, 1, 100000, "number of tables")
      .Integer("seed", seed, 0, 1000000000, "seed of the first table; each next one adds 1")
      .Text(
          "world", "NAME", world,
          "plain or wild: small tables whose ground, light and optics vary more than any detector "
          "expects")
      .Text("out", "DIR", out, "folder for pictures of the tables on which anything is wrong")
      .Flag("details", details, "list every miss and false detection with its table's seed");
  if (const auto status = ReadArguments(options, "evaluate", arguments, console)) return *status;
  const bool wild = world == "wild";
  if (!wild && world != "plain")
    return BadUsage(console, "evaluate", "--world is plain or wild, not '" + world + "'");
  const Result<StandSweep> sweep =
      SweepStands(tables, seed, wild ? StandWorld::kWild : StandWorld::kPlain, out);
  if (!sweep.ok()) return BadInput(console, sweep.error().message);
  console.out << SweepText(*sweep, details);
  return kExitDone;
}

// What `--terms FILE` asks for; nothing where it is empty.
Status WriteTerms(const std::string& file, const std::vector<LabelledThing>& judged) {
  return file.empty() ? Ok() : WriteThings(file, judged);
}
// Fails before the long work, not after it.
Status MakeTerms(const std::string& file) { return WriteTerms(file, {}); }

// `fallofshot evaluate --throws N`: dice on synthetic tables.
int RunDiceSweep(const std::vector<std::string>& arguments, Console& console) {
  DiceSweepOptions sweep;
  std::string dice = "6";
  std::string terms;
  bool details = false;
  Options options(
      "evaluate --throws N [--dice SIDES] [--seed S] [--out DIR] [--terms FILE] [--details]",
      "Scores the reading of dice on synthetic tables whose truth is known.");
  options.Integer("throws", sweep.throws, 1, 100000, "number of throws of one to five dice")
      .Text("dice", "SIDES", dice,
            "6, dice with pips, or 12, numbered dice with twelve sides, at most four a throw; 6 "
            "when not given")
      .Integer("seed", sweep.seed, 0, 1000000000, "seed of the first table; each next one adds 1")
      .Text("out", "DIR", sweep.out, "folder for pictures of the errors")
      .Text("terms", "FILE", terms,
            "write what speaks for each thing that was judged as a shot, and against it, as lines "
            "of JSON for fit_odds")
      .Flag("details", details, "list every error");
  if (const auto status = ReadArguments(options, "evaluate", arguments, console)) return *status;
  if (dice != "6" && dice != "12")
    return BadUsage(console, "evaluate", "--dice is 6 or 12, not '" + dice + "'");
  sweep.faces = dice == "6" ? 6 : 12;
  if (const Status made = MakeTerms(terms); !made.ok())
    return BadInput(console, made.error().message);
  sweep.terms = !terms.empty();
  ProgressBar bar(console.err, console.err_is_terminal, "throws", std::nullopt);
  sweep.progress = [&](int done) { bar.Update(done); };
  const Result<DiceSweep> swept = SweepDice(sweep);
  if (!swept.ok()) return BadInput(console, swept.error().message);
  console.out << SweepText(*swept, details);
  if (const Status written = WriteTerms(terms, swept->judged); !written.ok())
    return BadInput(console, written.error().message);
  return kExitDone;
}

// `fallofshot evaluate --shots N --world wild`: shots on tables that vary more than any detector
// expects.
int RunWildSweep(const ShotSweepOptions& shots, bool unseen, const std::string& plot,
                 const std::string& terms, bool details, Console& console) {
  WildSweepOptions sweep;
  sweep.shots = shots.shots;
  sweep.seed = shots.seed;
  sweep.out = shots.out;
  sweep.unseen = unseen;
  sweep.terms = !terms.empty();
  ProgressBar bar(console.err, console.err_is_terminal, "shots", std::nullopt);
  sweep.progress = [&](int done) { bar.Update(done); };
  const Result<WildSweep> swept = SweepWildShots(sweep);
  if (!swept.ok()) return BadInput(console, swept.error().message);
  console.out << SweepText(*swept, details);
  if (!plot.empty()) {
    const Status drawn = WriteReliability(swept->calls, plot);
    if (!drawn.ok()) return BadInput(console, drawn.error().message);
  }
  if (const Status written = WriteTerms(terms, swept->judged); !written.ok())
    return BadInput(console, written.error().message);
  return kExitDone;
}

// `fallofshot evaluate --shots N`: shots on synthetic tables.
int RunShotSweep(const std::vector<std::string>& arguments, Console& console) {
  ShotSweepOptions sweep;
  std::string plot;
  std::string terms;
  std::string world = "plain";
  bool unseen = false;
  bool details = false;
  Options options(
      "evaluate --shots N [--seed S] [--world wild]",
      "Scores the detection, measurement and calls of shots on synthetic tables whose truth is "
      "known.");
  options.Integer("shots", sweep.shots, 1, 100000, "least number of shots")
      .Flag(
          "faults", sweep.faults,
          "give each table's camera one fault: flicker, unsteady exposure, drifting white balance, "
          "low light, strong compression, a slow shutter")
      .Integer("seed", sweep.seed, 0, 1000000000, "seed of the first table; each next one adds 1")
      .Text("world", "NAME", world,
            "plain or wild: tables, optics and things that vary more than a detector expects")
      .Flag("unseen", unseen, "with --world wild: junk of the classes kept for measuring only")
      .Text("out", "DIR", sweep.out, "folder for pictures of the errors")
      .Text("plot", "FILE.png", plot, "draw the reliability diagram of the stated chances")
      .Text("terms", "FILE", terms,
            "with --world wild: write what speaks for and against each thing that was judged, and "
            "what it is, as lines of JSON for fit_odds")
      .Flag("details", details, "list every error");
  if (const auto status = ReadArguments(options, "evaluate", arguments, console)) return *status;
  const bool wild = world == "wild";
  if (!wild && world != "plain")
    return BadUsage(console, "evaluate", "--world is plain or wild, not '" + world + "'");
  if (!wild && !terms.empty())
    return BadUsage(console, "evaluate", "--terms goes with --world wild only");
  if (const Status made = MakeTerms(terms); !made.ok())
    return BadInput(console, made.error().message);
  if (wild && sweep.faults)
    return BadUsage(console, "evaluate", "--faults does not go with --world wild");
  if (!wild && unseen) return BadUsage(console, "evaluate", "--unseen goes with --world wild only");
  if (!plot.empty()) {  // fail before the long sweep, not after it
    const Status drawn = WriteReliability({}, plot);
    if (!drawn.ok()) return BadInput(console, drawn.error().message);
  }
  if (wild) return RunWildSweep(sweep, unseen, plot, terms, details, console);
  ProgressBar bar(console.err, console.err_is_terminal, "shots", std::nullopt);
  sweep.progress = [&](int done) { bar.Update(done); };
  const Result<ShotSweep> swept = SweepShots(sweep);
  if (!swept.ok()) return BadInput(console, swept.error().message);
  console.out << SweepText(*swept, details);
  if (!plot.empty()) {
    const Status drawn = WriteReliability(swept->calls, plot);
    if (!drawn.ok()) return BadInput(console, drawn.error().message);
  }
  return kExitDone;
}

}  // namespace

int RunEvaluate(const std::vector<std::string>& arguments, Console& console) {
  for (const std::string& argument : arguments) {
    if (argument.rfind("--sweep", 0) == 0) return RunSweep(arguments, console);
    if (argument.rfind("--shots", 0) == 0) return RunShotSweep(arguments, console);
    if (argument.rfind("--throws", 0) == 0) return RunDiceSweep(arguments, console);
  }
  std::string root;
  std::string json;
  std::string judged;
  std::string out = "out/evaluate";
  std::string look_name;
  std::string terms;
  bool details = false;
  bool wrong_lens = false;
  double focal = 1;
  ScoreSetOptions set;
  set.read = ReadScenarioUnderRules;
  Options options(
      "evaluate DIR [options]",
      "Judges every labelled clip below DIR and scores the result; also scores lenses calibrated "
      "from views with a known lens. `evaluate --sweep N` scores stand detection on N synthetic "
      "tables instead, `evaluate --shots N` scores shots on them, `evaluate --throws N` dice.");
  options.Argument("DIR", root, "folder with labelled clips or lens views in it or below")
      .Text("judged", "DIR", judged,
            "score the logs in DIR/<clip>/events.jsonl instead of judging the clips now")
      .Text("out", "DIR", out, "folder for the logs and evidence")
      .Text(
          "look", "NAME", look_name,
          "augment the pictures with another light, camera or paint: one of " + AugmentationNames())
      .Number(
          "focal", focal, 0.5, 2,
          "judge with the lens files' focal lengths multiplied by this, as if zoom or focus had "
          "been moved since")
      .Text("terms", "FILE", terms,
            "write what speaks for and against each thing that was judged, and what it is, as "
            "lines of JSON for fit_odds")
      .Integer("jobs", set.jobs, 1, 64, "clips judged at once; work times are only valid with 1")
      .Flag("wrong-lens", wrong_lens,
            "instead register every table with its own lens, with wrong focal lengths and with "
            "another camera's lens, and count what is flagged")
      .Flag("details", details, "list every miss and false detection")
      .Text("json", "FILE", json, "write the scores to this file too, as JSON");
  if (const auto status = ReadArguments(options, "evaluate", arguments, console)) {
    if (console.pages != nullptr) {  // the other forms
      (void)RunSweep({"--help"}, console);
      (void)RunShotSweep({"--help"}, console);
      (void)RunDiceSweep({"--help"}, console);
    }
    return *status;
  }
  if (focal != 1 && !judged.empty())
    return BadUsage(
        console, "evaluate",
        "--focal changes how clips are judged, but --judged judges none; leave one out");
  std::optional<Augmentation> look;
  if (!look_name.empty()) {
    const Result<Augmentation> named = AugmentationNamed(look_name);
    if (!named.ok()) return BadUsage(console, "evaluate", "--look: " + named.error().message);
    if (!judged.empty())
      return BadUsage(console, "evaluate",
                      "--look changes the pictures, but --judged judges none; leave one out");
    look = *named;
  }
  if (wrong_lens) {
    const std::string table = LensCheckTable(CheckLenses(root), details);
    if (table.empty()) {
      return BadInput(console, root + ": no labelled clip and no aruco_gridboard in it or below");
    }
    console.out << table;
    return kExitDone;
  }
  if (!terms.empty()) {  // fail before the long evaluation, not after it
    if (!judged.empty())
      return BadUsage(console, "evaluate",
                      "--terms tells of what is judged, but --judged judges none; leave one out");
    if (const Status made = MakeTerms(terms); !made.ok())
      return BadInput(console, made.error().message);
  }
  std::vector<LabelledThing> things;
  std::mutex things_guard;  // several clips at once
  set.judge = judged.empty();
  set.out = set.judge ? out : judged;
  const std::vector<LensSetScore> lenses =
      set.judge ? ScoreLensSets(root) : std::vector<LensSetScore>{};
  const std::vector<BoardSetScore> boards =
      set.judge ? ScoreBoardSets(root) : std::vector<BoardSetScore>{};
  const std::vector<HandVideoScore> hands =
      set.judge ? ScoreHandVideos(root, WatchHandVideo) : std::vector<HandVideoScore>{};
  const std::vector<LeftOutScore> left_out =
      set.judge ? ScoreLeftOutSets(root) : std::vector<LeftOutScore>{};
  console.out << LensTable(lenses) << LeftOutTable(left_out) << BoardTable(boards, details)
              << HandVideoTable(hands, details);
  for (const std::filesystem::path& other : LabelledOthers(root)) {
    const auto scored = [&](const HandVideoScore& video) { return video.folder == other; };
    if (std::any_of(hands.begin(), hands.end(), scored)) continue;
    console.out << other.string()
                << ": left out: it is labelled but has no table.toml, scenario.toml, video.mkv or "
                   "frames\n";
  }
  const auto scores = [&]() -> Result<std::vector<ClipScore>> {
    if (!(lenses.empty() && boards.empty() && hands.empty()) && LabelledClips(root).empty()) {
      return std::vector<ClipScore>{};
    }
    ProgressBar bar(console.err, console.err_is_terminal, "evaluating", std::nullopt);
    set.progress = [&](int done, int) { bar.Update(done); };
    return ScoreSet(
        root, set,
        [&](const std::filesystem::path& clip, const std::filesystem::path& to) {
          JudgeOptions judge;
          judge.out = to;
          ThingLabels labels(clip.filename().string());
          const Result<Truth> truth = terms.empty() ? Result<Truth>(Truth()) : ReadTruth(clip);
          judge.prepare = [&](Rig& rig) {
            rig.lens.fx_px *= focal;
            if (!terms.empty() && truth.ok())
              rig.on_judged = [&](const JudgedThing& thing) { labels.Add(thing, *truth); };
            rig.lens.fy_px *= focal;
            if (!look) return;
            rig.scenario = Augmented(*look, std::move(rig.scenario));
            rig.source = std::make_unique<AugmentedSource>(std::move(rig.source), *look);
          };
          const Result<Judged> result = JudgeClip(clip, judge);
          const std::vector<LabelledThing> of_clip = labels.Things();
          const std::lock_guard lock(things_guard);
          things.insert(things.end(), of_clip.begin(), of_clip.end());
          return result.ok() ? Ok() : Status(result.error());
        });
  }();
  if (!scores.ok()) return BadInput(console, scores.error().message);
  if (!scores->empty()) console.out << ScoreTable(*scores, details);
  if (const Status written = WriteTerms(terms, things); !written.ok())
    return BadInput(console, written.error().message);
  if (!json.empty()) {
    const Status written = WriteOutput(json, ScoreJson(*scores, lenses, boards));
    if (!written.ok()) return BadInput(console, written.error().message);
  }
  if (!scores->empty() && std::all_of(scores->begin(), scores->end(),
                                      [](const ClipScore& one) { return !one.error.empty(); }))
    return BadInput(console, root + ": no clip in it could be judged; the lines above say why");
  return kExitDone;
}

}  // namespace fos
