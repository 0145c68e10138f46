// SPDX-License-Identifier: MIT
#include "ui/window/doctor_command.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <ostream>
#include <system_error>

#include <fmt/format.h>

#include "engine/files/home_folder.h"
#include "ui/cli/bug_bundle.h"
#include "ui/cli/club_file_option.h"
#include "ui/cli/doctor.h"
#include "ui/cli/doctor_mend.h"
#include "ui/cli/options.h"
#include "ui/cli/output_file.h"
#include "ui/session/club_file.h"
#include "ui/window/preferences.h"
#include "ui/window/window.h"

namespace fos {
namespace {

// Writes the bundle and lists what is in it.
int WriteBundle(const BundleOptions& options, const std::string& file, Console& console) {
  std::error_code ec;
  if (std::filesystem::exists(file, ec)) {
    return BadInput(console, file + ": already exists; choose another name");
  }
  const Result<Bundle> bundle = GatherBundle(options);
  if (!bundle.ok()) return BadInput(console, bundle.error().message);
  const Result<std::string> archive =
      TarArchive(bundle->files, static_cast<std::int64_t>(UnixNow()));
  if (!archive.ok()) return BadInput(console, archive.error().message);
  const Status written = WriteOutput(file, *archive);
  if (!written.ok()) return BadInput(console, written.error().message);
  console.out << fmt::format("\n{}, for a bug report, holds\n", file);
  std::size_t wide = 0;
  for (const TarFile& one : bundle->files) wide = std::max(wide, one.name.size());
  for (std::size_t i = 0; i < bundle->files.size(); ++i) {
    const TarFile& one = bundle->files[i];
    console.out << fmt::format("  {:<{}}  {:>9} bytes  {}\n", one.name, wide, one.bytes.size(),
                               bundle->contents[i]);
  }
  console.out << "Not in it:\n";
  for (const std::string& left_out : bundle->left_out) console.out << "  " << left_out << '\n';
  return kExitDone;
}

int RunDoctor(const std::vector<std::string>& arguments, Console& console) {
  ClubFileOption club;
  BundleOptions bundle;
  std::string bundle_file;
  std::string game;
  std::string match;
  bool mend = false;
  bool yes = false;
  Options options(
      "doctor [options]",
      "Checks the club's file, the disk, the cameras, the display and the program, and says what "
      "to do about each fault. Changes nothing without --mend.");
  options
      .Text("bundle", "FILE", bundle_file,
            "also write what a bug report needs to FILE, a .tar archive: this report, the window's "
            "settings, and a game without players' names and pictures")
      .Text("game", "GAME", game, "the game for the bundle; default: the newest of the club's file")
      .Text("match", "DIR", match,
            "check this folder too, the --out of judge or live; its events.jsonl and session.jsonl "
            "go into the bundle")
      .Flag("mend", mend,
            "mend what can be mended, and ask before each: indexes of the club's file, a game "
            "that has lost its end, a log whose last line is cut, files that were never finished")
      .Flag("yes", yes, "with --mend: do not ask")
      .Flag("pictures", bundle.pictures, "put the game's and the match's pictures into the bundle")
      .Flag("names", bundle.names, "leave the players' names in the bundle");
  AddClubFileOption(options, club);
  options.Text("club", "ADDRESS", club.server,
               "check the club's server too: postgresql://HOST/DATABASE (docs/club.md)");
  if (const auto status = ReadArguments(options, "doctor", arguments, console)) return *status;
  if (bundle_file.empty() && (bundle.pictures || bundle.names || !game.empty())) {
    return BadUsage(console, "doctor",
                    "--game, --pictures and --names say what goes into the bundle; give --bundle "
                    "too");
  }
  if (yes && !mend) {
    return BadUsage(console, "doctor", "--yes says what --mend may do; give --mend too");
  }
  if (!bundle_file.empty() && !bundle_file.ends_with(".tar")) {
    return BadUsage(console, "doctor",
                    fmt::format("--bundle is `{}`; it must end in .tar", bundle_file));
  }
  DoctorOptions examine;
  examine.club = club.Path();
  examine.match = match;
  examine.server = club.server;
  examine.now_unix_s = UnixNow();
  std::vector<Finding> findings = Examine(examine);
  const Result<GraphicsCard> card = AskGraphicsCard();
  findings.push_back(card.ok() ? ExamineRenderer(card->renderer, card->version)
                               : Finding{Finding::Health::kNote, "graphics", card.error().message,
                                         "only live, setup and replay --window need a display"});
  console.out << InLines(findings);
  int mended = 0;
  if (mend) {
    mended = Mend(findings, yes ? nullptr : &std::cin, console.out);
    const bool any = std::any_of(findings.begin(), findings.end(),
                                 [](const Finding& one) { return one.repair.has_value(); });
    if (!any) console.out << "Nothing here can be mended by the program.\n";
  }
  if (!bundle_file.empty()) {
    bundle.version = console.version;
    bundle.findings = InLines(findings);
    bundle.preferences = PreferencesFile();
    bundle.club = club.Path();
    if (!game.empty()) bundle.game = game;
    bundle.match = match;
    bundle.home = HomeFolder().string();
    const int status = WriteBundle(bundle, bundle_file, console);
    if (status != kExitDone) return status;
  } else {
    console.out << "\nFor a bug report, `fallofshot doctor --bundle report.tar` gathers this and the newest "
                   "game into one file.\n";
  }
  const auto to_mend = std::count_if(findings.begin(), findings.end(), [](const Finding& one) {
    return one.health == Finding::Health::kMend;
  });
  const auto left = to_mend - mended;
  if (left == 0) return kExitDone;
  return BadInput(console, fmt::format("{} fault{}{}; the lines marked MEND say what to do", left,
                                       left == 1 ? "" : "s", mended > 0 ? " left" : ""));
}

}  // namespace

Command DoctorCommand() { return {"doctor", "check files, disk, cameras and display", &RunDoctor}; }

}  // namespace fos
