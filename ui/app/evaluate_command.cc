#include "ui/app/evaluate_command.h"

#include <filesystem>
#include <ostream>
#include <string>
#include <vector>

#include "datasets/score_report.h"
#include "datasets/score_set.h"
#include "engine/files/whole_file.h"
#include "ui/app/options.h"

namespace fos {

int RunEvaluate(const std::vector<std::string>& arguments, Console& console) {
  std::string root;
  std::string json;
  std::string judged;
  Options options("evaluate DIR [options]",
                  "Scores what the referee reports of every labelled clip below DIR.");
  options.Argument("DIR", root, "folder with labelled clips in it or below")
      .Text("judged", "DIR", judged, "where the logs lie: DIR/<clip>/events.jsonl")
      .Text("json", "FILE", json, "write the scores there too, as JSON");
  const Result<bool> parsed = options.Parse(arguments);
  if (!parsed.ok()) return BadUsage(console, "evaluate", parsed.error().message);
  if (*parsed) {
    console.out << options.Help();
    return kExitDone;
  }
  if (judged.empty()) return BadUsage(console, "evaluate", "--judged is missing");

  ScoreSetOptions set;
  set.out = judged;
  set.judge = false;
  const auto scores = ScoreSet(root, set, {});
  if (!scores.ok()) return BadInput(console, scores.error().message);
  console.out << ScoreTable(*scores);
  if (!json.empty()) {
    const Status written = WriteWholeFile(json, ScoreJson(*scores));
    if (!written.ok()) return BadInput(console, written.error().message);
  }
  return kExitDone;
}

}  // namespace fos
