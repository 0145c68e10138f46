// SPDX-License-Identifier: MIT
#include "ui/cli/print_command.h"

#include <cctype>
#include <filesystem>
#include <optional>
#include <ostream>

#include <fmt/format.h>

#include "calibration/print/print_sheets.h"
#include "engine/files/table_file.h"
#include "engine/rules/rule_sets.h"
#include "ui/cli/options.h"
#include "ui/cli/output_file.h"
#include "ui/setup/new_battle.h"

namespace fos {
namespace {

namespace fs = std::filesystem;

}  // namespace

int RunPrint(const std::vector<std::string>& arguments, Console& console) {
  std::string table_path;
  std::string scenario_path;
  std::string out = "sheets.pdf";
  std::string paper = "a4";
  Options options("print [TABLE] [options]",
                  "Writes a PDF at true scale: corner markers, ChArUco board, grid template, hit "
                  "circle, and a chart of a scenario's paints.");
  options
      .OptionalArgument("TABLE", table_path,
                        "table.toml, or the folder it is in; default: a new set-up's board")
      .Text("scenario", "FILE", scenario_path,
            "whose paints and bars to chart; default: scenario.toml beside TABLE, if any")
      .Text("paper", "NAME", paper, "a4 or letter")
      .Text("out", "FILE", out, "the PDF to write");
  if (const auto status = ReadArguments(options, "print", arguments, console)) return *status;
  const std::string asked = paper.substr(0, 100);
  for (char& c : paper) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (paper != "a4" && paper != "letter")
    return BadUsage(console, "print", fmt::format("--paper is `{}`; use a4 or letter", asked));
  std::error_code ec;
  fs::path path = table_path;
  if (fs::is_directory(path, ec)) path /= "table.toml";
  const Result<TableSpec> table = table_path.empty() ? NewTable() : ReadTable(path);
  if (!table.ok()) return BadInput(console, table.error().message);
  // The one that lies beside the table is the table's.
  const fs::path beside = path.parent_path() / "scenario.toml";
  if (!table_path.empty() && scenario_path.empty() && fs::is_regular_file(beside, ec))
    scenario_path = beside.string();
  std::optional<Scenario> scenario;
  if (!scenario_path.empty()) {
    Result<Scenario> read = ReadScenarioUnderRules(scenario_path, table->frame);
    if (!read.ok()) return BadInput(console, read.error().message);
    scenario = std::move(read).value();
  }
  const Result<std::string> pdf =
      SheetsPdf(*table, scenario ? &*scenario : nullptr, paper == "a4" ? kA4 : kLetter);
  if (!pdf.ok()) {
    return BadInput(console, fmt::format("{}: {}", path.string(), pdf.error().message));
  }
  if (const Status may = MayReplace(out, "--out", {path, scenario_path}); !may.ok())
    return BadInput(console, may.error().message);
  const Status written = WriteOutput(out, *pdf);
  if (!written.ok()) return BadInput(console, written.error().message);
  if (table_path.empty())
    console.out << fmt::format(
        "for a board of {} x {} squares of {:g} in, as a new set-up begins with; for another give "
        "TABLE\n",
        table->frame.columns, table->frame.rows, table->frame.square_in);
  console.out << fmt::format(
      "written to {}; print it at 100 %, not fitted to the page, then measure "
      "its rulers\n",
      out);
  return kExitDone;
}

}  // namespace fos
