#include "ui/cli/dispute_command.h"

#include <cmath>
#include <filesystem>
#include <optional>
#include <ostream>
#include <sstream>

#include <fmt/format.h>

#include "engine/files/event_log.h"
#include "ui/cli/options.h"
#include "ui/session/dispute.h"
#include "ui/session/sightings.h"
#include "vision/shots/evidence.h"

namespace fos {
namespace {

namespace fs = std::filesystem;

// "12.345,6.78"
std::optional<Vec2> ParsePoint(const std::string& text) {
  std::istringstream in(text);
  Vec2 out;
  char comma = 0;
  char more = 0;
  if (!(in >> out.x >> comma >> out.y) || comma != ',' || in >> more) return std::nullopt;
  constexpr double kFar_in = 1000;
  if (!(std::abs(out.x) < kFar_in && std::abs(out.y) < kFar_in)) return std::nullopt;
  return out;
}

// Where a shot of a log is kept.
Result<fs::path> KeptFolder(const fs::path& log, int shot) {
  const Result<std::vector<EventRecord>> events = ReadEventLog(log);
  if (!events.ok()) return events.error();
  std::string known;
  for (const EventRecord& event : *events) {
    int number = 0;
    std::string kept;
    if (const auto* e = std::get_if<ShotEvent>(&event.body)) {
      number = e->shot;
      kept = e->kept;
    } else if (const auto* ask = std::get_if<AskEvent>(&event.body)) {
      number = ask->shot;
      kept = ask->kept;
    } else {
      continue;
    }
    if (number == shot) {
      if (kept.empty()) {
        return Error{ErrorCode::kNotFound,
                     fmt::format("{}: nothing was kept of shot {}; judge the recording again",
                                 log.string(), shot)};
      }
      return log.parent_path() / kept;
    }
    known += fmt::format("{}{}", known.empty() ? "" : ", ", number);
  }
  return Error{ErrorCode::kNotFound, fmt::format("{}: has no shot {}; it has {}", log.string(),
                                                 shot, known.empty() ? "none" : known)};
}

}  // namespace

int RunDispute(const std::vector<std::string>& arguments, Console& console) {
  std::string events;
  std::string tip;
  std::string out;
  int shot = 1;
  Options options("dispute EVENTS [options]",
                  "Measures a shot again from the pictures that were kept of it, and says what it "
                  "would take to turn each call.");
  options
      .Argument("EVENTS", events, "events.jsonl as judge or live wrote it, what it kept beside it")
      .Integer("shot", shot, 1, 1000000, "which shot")
      .Text("tip", "X,Y", tip,
            "where people say the point lies, inches; what can be measured there counts, else that")
      .Text("out", "DIR", out, "draw the evidence anew there, and the lines at which calls turn");
  const Result<bool> parsed = options.Parse(arguments);
  if (!parsed.ok()) return BadUsage(console, "dispute", parsed.error().message);
  if (*parsed) {
    console.out << options.Help();
    return kExitDone;
  }
  std::optional<Vec2> click;
  if (!tip.empty()) {
    click = ParsePoint(tip);
    if (!click) {
      return BadUsage(console, "dispute",
                      fmt::format("--tip {}: is not two numbers with a comma between, 12.34,5.67",
                                  tip.substr(0, 60)));
    }
  }
  const Result<fs::path> folder = KeptFolder(events, shot);
  if (!folder.ok()) return BadInput(console, folder.error().message);
  const Result<ArchivedShot> kept = ReadArchivedShot(*folder);
  if (!kept.ok()) return BadInput(console, kept.error().message);
  const Remeasured again = MeasureAgain(*kept, click);
  console.out << DisputeText(*kept, again);
  if (out.empty() || !again.finding.measured) return kExitDone;

  ArchivedShot now = *kept;
  now.seen.finding = again.finding;
  const EvidenceRequest request = EvidenceOf(now, again.verdict);
  const fs::path picture = fs::path(out) / fmt::format("dispute_{:02}.png", shot);
  const fs::path lines = fs::path(out) / fmt::format("dispute_{:02}_lines.png", shot);
  for (const auto& [file, drawn] :
       {std::pair{picture, DrawEvidence(request)}, std::pair{lines, DrawTurningLines(request)}}) {
    const Status written = WritePicture(drawn, file);
    if (!written.ok()) return BadInput(console, written.error().message);
    console.out << file.string() << '\n';
  }
  return kExitDone;
}

}  // namespace fos
