#include "ui/cli/print_command.h"

#include <filesystem>
#include <fstream>
#include <optional>
#include <ostream>
#include <system_error>

#include <fmt/format.h>

#include "calibration/print/print_sheets.h"
#include "engine/files/scenario_file.h"
#include "engine/files/table_file.h"
#include "ui/cli/options.h"

namespace fos {
namespace {

namespace fs = std::filesystem;

// Written beside and renamed, so that a full disk leaves no half a file.
Status Write(const std::string& bytes, const fs::path& path) {
  fs::path beside = path;
  beside += ".part";
  std::error_code ec;
  {
    std::ofstream out(beside, std::ios::binary | std::ios::trunc);
    out << bytes;
    out.flush();
    if (out) fs::rename(beside, path, ec);
    if (out && !ec) return Ok();
  }
  std::error_code ignored;
  fs::remove(beside, ignored);
  return Error{ErrorCode::kIo,
               fmt::format("{}: cannot be written; check that the folder exists and has room",
                           path.string())};
}

}  // namespace

int RunPrint(const std::vector<std::string>& arguments, Console& console) {
  std::string table_path;
  std::string scenario_path;
  std::string out = "sheets.pdf";
  std::string paper = "a4";
  Options options("print TABLE [options]",
                  "Makes a PDF at true scale: corner markers, ChArUco board, grid template, hit "
                  "circle, and a scenario's paints.");
  options.Argument("TABLE", table_path, "table.toml, or the folder it is in")
      .Text("scenario", "FILE", scenario_path, "scenario.toml whose paints and bars are charted")
      .Text("paper", "NAME", paper, "a4 or letter")
      .Text("out", "FILE", out, "where the PDF is written");
  const Result<bool> parsed = options.Parse(arguments);
  if (!parsed.ok()) return BadUsage(console, "print", parsed.error().message);
  if (*parsed) {
    console.out << options.Help();
    return kExitDone;
  }
  if (paper != "a4" && paper != "letter") {
    return BadUsage(console, "print",
                    fmt::format("--paper is `{}`; use a4 or letter", paper.substr(0, 100)));
  }
  std::error_code ec;
  fs::path path = table_path;
  if (fs::is_directory(path, ec)) path /= "table.toml";
  const Result<TableSpec> table = ReadTable(path);
  if (!table.ok()) return BadInput(console, table.error().message);
  std::optional<Scenario> scenario;
  if (!scenario_path.empty()) {
    Result<Scenario> read = ReadScenario(scenario_path, table->frame);
    if (!read.ok()) return BadInput(console, read.error().message);
    scenario = std::move(read).value();
  }
  const Result<std::string> pdf =
      SheetsPdf(*table, scenario ? &*scenario : nullptr, paper == "a4" ? kA4 : kLetter);
  if (!pdf.ok()) {
    return BadInput(console, fmt::format("{}: {}", path.string(), pdf.error().message));
  }
  const Status written = Write(*pdf, out);
  if (!written.ok()) return BadInput(console, written.error().message);
  console.out << fmt::format(
      "written to {}; print it at 100 %, not fitted to the page, and check "
      "its rulers\n",
      out);
  return kExitDone;
}

}  // namespace fos
