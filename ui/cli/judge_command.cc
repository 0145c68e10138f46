#include "ui/cli/judge_command.h"

#include <optional>
#include <ostream>

#include <fmt/format.h>

#include "ui/cli/interrupt.h"
#include "ui/cli/options.h"
#include "ui/cli/progress.h"
#include "ui/cli/verdict_table.h"
#include "ui/session/club_file.h"
#include "ui/session/judge.h"
#include "vision/image/frame_source.h"

namespace fos {

int RunJudge(const std::vector<std::string>& arguments, Console& console) {
  std::string clip;
  std::string out = "out";
  std::string rig;
  bool profile = false;
  ClubFlag club;
  JudgeOptions judge;
  Options options("judge CLIP [options]",
                  "Watches a recorded clip to its end and judges every shot in it.");
  options.Argument("CLIP", clip, "folder with video.mkv, table.toml, scenario.toml, camera.yaml")
      .Text("out", "DIR", out, "where events.jsonl and evidence/ go")
      .Text("rig", "FILE", rig, "lens and table of `calibrate table --rig` instead of the clip's")
      .Number("doubt", judge.policy.doubt, 0.0, 0.5,
              "how likely the other answer may be for a hit or a miss to be called")
      .Text("players", "SIDE=NAME,...", judge.players, "who plays, for the club's file")
      .Flag("debug", judge.debug, "pictures of each stage of finding the stands, into DIR/debug/")
      .Flag("profile", profile, "say where the time went, and compare with merely decoding")
      .Text("db", "FILE", club.file, "keep the match in this club's file too; not when not given");
  const Result<bool> parsed = options.Parse(arguments);
  if (!parsed.ok()) return BadUsage(console, "judge", parsed.error().message);
  if (*parsed) {
    console.out << options.Help();
    return kExitDone;
  }
  judge.out = out;
  judge.club = club.file;
  if (judge.club.empty() && !judge.players.empty()) {
    return BadUsage(console, "judge", "--players names people for a club's file; give --db too");
  }
  judge.rig = rig;
  const Interrupt interrupt;
  judge.stopped = [&] { return interrupt.Asked(); };
  const Result<Judged> judged = [&] {
    std::optional<ProgressBar> bar;
    judge.progress = [&](std::int64_t done, std::optional<std::int64_t> total) {
      if (!bar) bar.emplace(console.err, console.err_is_terminal, "watching", total);
      bar->Update(done);
    };
    return JudgeClip(clip, judge);
  }();
  if (!judged.ok()) {
    const int status = BadInput(console, judged.error().message);
    return interrupt.Asked() ? kExitInterrupted : status;
  }

  for (const std::string& remark : judged->remarks) console.out << "Note: " << remark << '\n';
  if (!judged->remarks.empty()) console.out << '\n';
  console.out << VerdictTable(judged->events, judge.out) << '\n';
  console.out << fmt::format("{} frames in {:.1f} s; the log is {}\n", judged->frames,
                             judged->seconds, (judge.out / "events.jsonl").string());
  if (judged->game != 0) {
    console.out << fmt::format("game {} of {}\n", judged->game, club.file);
  }
  if (profile) {
    for (const auto& [stage, time] : judged->stage_ms) {
      console.out << fmt::format("  {:<20} median {:7.1f} ms   p99 {:7.1f} ms\n", stage,
                                 time.median_ms, time.p99_ms);
    }
    if (const std::optional<double> decoding = DecodeSeconds(clip)) {
      console.out << fmt::format(
          "  judged in {:.2f} s; merely decoding takes {:.2f} s: {:.2f} times\n", judged->seconds,
          *decoding, judged->seconds / *decoding);
    }
  }
  return kExitDone;
}

}  // namespace fos
