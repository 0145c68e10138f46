// SPDX-License-Identifier: MIT
#include "ui/cli/judge_command.h"

#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "ui/cli/club_file_option.h"
#include "ui/cli/interrupt.h"
#include "ui/cli/options.h"
#include "ui/cli/progress.h"
#include "ui/cli/verdict_table.h"
#include "ui/club/club_source.h"
#include "ui/session/club_file.h"
#include "ui/session/judge.h"
#include "ui/session/rig.h"
#include "vision/image/frame_source.h"

namespace fos {

std::string StageTable(const StageTimes::ByStage& stages, double judged_s) {
  std::string out;
  for (const auto& [stage, calls] : stages) {
    const double share = judged_s > 0 ? calls.Sum() / (1000 * judged_s) : 0;
    out += fmt::format("  {:<20} {:7} times {:6.1f} %   median {:7.1f} ms   p99 {:7.1f} ms\n", stage,
                       calls.Count(), 100 * share, calls.Quantile(0.5), calls.Quantile(0.99));
  }
  if (!stages.empty()) {
    out += "  Each share is of the time judged. Some stages run beside others or within them: all "
           "together may be more than 100 %.\n";
  }
  return out;
}

int RunJudge(const std::vector<std::string>& arguments, Console& console) {
  std::string clip;
  std::string out = "out";
  std::string rig;
  bool profile = false;
  ClubFileOption club;
  JudgeOptions judge;
  Options options("judge CLIP [options]", "Judges every shot in a recorded clip.");
  options.Argument("CLIP", clip, "folder with video.mkv, table.toml, scenario.toml, camera.yaml")
      .Text("out", "DIR", out, "folder for events.jsonl and evidence/")
      .Text("rig", "FILE", rig,
            "written by `calibrate table --rig`: replaces the clip's lens and table")
      .Number("doubt", judge.policy.doubt, 0.0, 0.5,
              "call a hit or a miss only if the other is at most this likely")
      .Text("players", "SIDE=NAME,...", judge.players, "who plays; recorded in the club's file")
      .Flag("debug", judge.debug, "write pictures of every stage of stand detection to DIR/debug/")
      .Flag("profile", profile, "print the time of each stage, and compare it with decoding alone")
      .Text("db", "FILE", club.file, "record the match in this club's file too");
  AddClubToCopyTo(options, club);
  if (const auto status = ReadArguments(options, "judge", arguments, console)) return *status;
  judge.out = out;
  judge.club = club.file;
  if (judge.club.empty() && !judge.players.empty()) {
    return BadUsage(console, "judge",
                    "--players names the players for the club's file; give --db too");
  }
  if (judge.club.empty() && !club.server.empty()) {
    return BadUsage(console, "judge", "--club copies the club's file to the server; give --db too");
  }
  Result<KeptMirror> mirror = KeptMirror::Start(club);
  if (!mirror.ok()) return BadUsage(console, "judge", mirror.error().message);
  judge.rig = rig;
  // Only the clip knows its sides. A side that it lacks is wrong usage, not a bad clip.
  bool players_fit = true;
  judge.prepare = [&](Rig& opened) {
    std::vector<std::string> sides;
    for (const SideSpec& side : opened.scenario.sides) sides.push_back(side.name);
    players_fit = SeatsFrom(judge.players, sides).ok();
  };
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
  if (!judged.ok() && !players_fit) return BadUsage(console, "judge", judged.error().message);
  if (!judged.ok()) {
    const int status = BadInput(console, judged.error().message);
    return interrupt.Asked() ? kExitInterrupted : status;
  }

  for (const std::string& remark : judged->remarks) console.out << "Note: " << remark << '\n';
  if (!judged->remarks.empty()) console.out << '\n';
  console.out << VerdictTable(judged->events, judge.out) << '\n';
  console.out << fmt::format("{} frame{} in {:.1f} s; the log is {}\n", judged->frames,
                             judged->frames == 1 ? "" : "s", judged->seconds,
                             (judge.out / "events.jsonl").string());
  if (judged->game != 0) {
    console.out << fmt::format("recorded as game {} in {}\n", judged->game, club.file);
  }
  mirror->Finish(console.err);
  if (profile) {
    console.out << StageTable(judged->stages, judged->seconds);
    if (const std::optional<double> decoding = DecodeSeconds(clip)) {
      console.out << fmt::format(
          "  judged in {:.2f} s; decoding alone takes {:.2f} s: {:.2f} times\n", judged->seconds,
          *decoding, judged->seconds / *decoding);
    }
  }
  return kExitDone;
}

}  // namespace fos
