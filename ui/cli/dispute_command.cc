// SPDX-License-Identifier: MIT
#include "ui/cli/dispute_command.h"

#include <cmath>
#include <filesystem>
#include <optional>
#include <ostream>
#include <sstream>
#include <system_error>

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

// The folder of a shot's archive.
Result<fs::path> ArchiveFolder(const fs::path& log, int shot) {
  const Result<std::vector<EventRecord>> events = ReadEventLog(log);
  if (!events.ok() && events.error().code == ErrorCode::kBadFormat && log.extension() != ".jsonl") {
    return Error{ErrorCode::kBadFormat,
                 fmt::format("{}: not the log of a match; give events.jsonl as `fallofshot judge` "
                             "or `live` wrote it, or the folder it lies in. A photograph alone "
                             "does not tell where the table is",
                             log.string())};
  }
  if (!events.ok()) return events.error();
  std::string known;
  for (const EventRecord& event : *events) {
    int number = 0;
    std::string folder;
    if (const auto* e = std::get_if<ShotEvent>(&event.body)) {
      number = e->shot;
      folder = e->kept;
    } else if (const auto* ask = std::get_if<AskEvent>(&event.body)) {
      number = ask->shot;
      folder = ask->kept;
    } else {
      continue;
    }
    if (number == shot) {
      if (folder.empty()) {
        return Error{ErrorCode::kNotFound,
                     fmt::format("{}: shot {} has no archive; judge the recording again",
                                 log.string(), shot)};
      }
      return log.parent_path() / folder;
    }
    known += fmt::format("{}{}", known.empty() ? "" : ", ", number);
  }
  return Error{ErrorCode::kNotFound, fmt::format("{}: no shot {}; shots in it: {}", log.string(),
                                                 shot, known.empty() ? "none" : known)};
}

}  // namespace

int RunDispute(const std::vector<std::string>& arguments, Console& console) {
  std::string events;
  std::string tip;
  std::string out;
  int shot = 1;
  Options options("dispute EVENTS [options]",
                  "Measures a shot again from its archived pictures, and shows how far the point "
                  "would have to move to change each call.");
  options
      .Argument("EVENTS", events,
                "events.jsonl as judge or live wrote it, or the folder it lies in; its evidence "
                "folder must lie beside it")
      .Integer("shot", shot, 1, 1000000, "number of the shot")
      .Text("tip", "X,Y", tip,
            "where people see the point, inches; it is measured near there, or else taken as given")
      .Text("out", "DIR", out,
            "folder for a new evidence picture, and one with the lines where calls change");
  if (const auto status = ReadArguments(options, "dispute", arguments, console)) return *status;
  std::optional<Vec2> click;
  if (!tip.empty()) {
    click = ParsePoint(tip);
    if (!click) {
      return BadUsage(console, "dispute",
                      fmt::format("--tip is `{}`; give two numbers with a comma, like 12.34,5.67",
                                  tip.substr(0, 60)));
    }
  }
  std::error_code ec;
  const fs::path log =
      fs::is_directory(events, ec) ? fs::path(events) / "events.jsonl" : fs::path(events);
  const Result<fs::path> folder = ArchiveFolder(log, shot);
  if (!folder.ok()) return BadInput(console, folder.error().message);
  const Result<ArchivedShot> archived = ReadArchivedShot(*folder);
  if (!archived.ok()) return BadInput(console, archived.error().message);
  if (click && !MayLieAt(*archived, *click)) {
    return BadInput(
        console, fmt::format("--tip is `{}`: more than 12 in off the board, which is "
                             "{:.6g} x {:.6g} in, or behind the camera; give the place "
                             "where the point lies",
                             tip.substr(0, 60), archived->table.Width(), archived->table.Depth()));
  }
  const Remeasured again = MeasureAgain(*archived, click);
  console.out << DisputeText(*archived, again);
  if (out.empty() || !again.finding.measured) return kExitDone;

  ArchivedShot now = *archived;
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
