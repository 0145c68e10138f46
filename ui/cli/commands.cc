// SPDX-License-Identifier: MIT
#include "ui/cli/commands.h"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <new>
#include <ostream>
#include <sstream>

#include <fmt/format.h>

#include "engine/files/plain_text.h"
#include "engine/files/toml_reader.h"
#include "ui/cli/army_command.h"
#include "ui/cli/calibrate_command.h"
#include "ui/cli/club_command.h"
#include "ui/cli/dispute_command.h"
#include "ui/cli/evaluate_command.h"
#include "ui/cli/judge_command.h"
#include "ui/cli/log_commands.h"
#include "ui/cli/manual.h"
#include "ui/cli/options.h"
#include "ui/cli/plain_stream.h"
#include "ui/cli/play_command.h"
#include "ui/cli/print_command.h"
#include "ui/cli/report_command.h"
#include "ui/cli/version.h"
#include "vision/image/live_frames.h"

namespace fos {
namespace {

constexpr const char* kProgram = "fallofshot";

std::string Help(const std::vector<Command>& commands) {
  std::string out = fmt::format(
      "{0} {1}: a camera referee for miniature wargames\n\n"
      "Usage: {0} COMMAND [arguments]\n\n",
      kProgram, FOS_VERSION);
  for (const Command& command : commands) {
    out += fmt::format("  {:<10} {}\n", command.name, command.summary);
  }
  return out + fmt::format(
                   "\n`{0} COMMAND --help` lists a command's options. Exit status: 0 done, 1 a "
                   "problem\nwith the input, 2 wrong usage, 130 interrupted by Ctrl-C.\n",
                   kProgram);
}

// A message may quote a file, and a file may hold terminal commands, or a name without end.
std::string OneLine(std::string text) {
  constexpr std::size_t kLongest = 1000;
  if (text.size() > kLongest) {
    text.replace(kLongest / 2, text.size() - kLongest, " ... ");
  }
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }, ' ');
  return PlainText(text);
}

int Run(const std::vector<std::string>& arguments, Console& console,
        const std::vector<Command>& commands, CommandFn start) {
  if (arguments.empty()) {
    return start != nullptr ? start({}, console) : BadUsage(console, "", "no COMMAND given");
  }
  const std::string& name = arguments.front();
  if (name == "--help" || name == "-h" || name == "help") {
    console.out << Help(commands);
    return kExitDone;
  }
  if (name == "--version") {
    console.out << console.version;
    return kExitDone;
  }
  if (name == "--write-manual") {
    return RunWriteManual({arguments.begin() + 1, arguments.end()}, commands, console);
  }
  std::vector<std::string> names;
  for (const Command& command : commands) {
    if (name == command.name) {
      return command.run({arguments.begin() + 1, arguments.end()}, console);
    }
    names.emplace_back(command.name);
  }
  return BadUsage(console, "",
                  fmt::format("no command `{}`; the nearest is `{}`", name.substr(0, 100),
                              NearestName(name, names)));
}

}  // namespace

const std::vector<Command>& Commands() {
  static const std::vector<Command> kCommands = {
      {"judge", "judge every shot in a recorded clip", &RunJudge},
      {"play", "play a whole game from a script, without a camera", &RunPlay},
      {"army", "show army lists and their points, or write a game of two armies", &RunArmy},
      {"games", "list the games in the club's file", &RunGames},
      {"replay", "compute a recorded game again and check that it comes out the same", &RunReplay},
      {"resume", "continue an unfinished game", &RunResume},
      {"report", "write the battle report of a game as HTML and PDF", &RunReport},
      {"stats", "show how well the club shoots, by player and gun", &RunStats},
      {"club", "prepare the club's server, copy games to it, and serve its page", &RunClub},
      {"export", "write one game to a file of its own", &RunExport},
      {"import", "copy exported games into the club's file", &RunImport},
      {"calibrate", "calibrate a lens, or find the table in a picture", &RunCalibrate},
      {"print", "print markers, calibration board, template and charts as a PDF", &RunPrint},
      {"dispute", "measure a shot again from its archived pictures", &RunDispute},
      {"evaluate", "score the referee on labelled clips", &RunEvaluate},
  };
  return kCommands;
}

bool WaitsForASilentStream() { return BlockedThreads() > 0; }

int BadInput(Console& console, const std::string& message) {
  console.err << kProgram << ": " << OneLine(message) << '\n';
  return kExitBadInput;
}

int BadUsage(Console& console, const std::string& command, const std::string& message) {
  const std::string program = command.empty() ? kProgram : fmt::format("{} {}", kProgram, command);
  console.err << program << ": " << OneLine(message) << "; see `" << program << " --help`\n";
  return kExitBadUsage;
}

std::optional<int> ReadArguments(Options& options, const std::string& command,
                                 const std::vector<std::string>& arguments, Console& console) {
  const Result<bool> help_wanted = options.Parse(arguments);
  if (!help_wanted.ok()) return BadUsage(console, command, help_wanted.error().message);
  if (!*help_wanted) return std::nullopt;
  if (console.pages != nullptr) {
    console.pages->push_back(options.Page());
  } else {
    console.out << options.Help();
  }
  return kExitDone;
}

std::vector<CommandPage> PagesOf(const Command& command) {
  std::vector<CommandPage> pages;
  std::ostringstream unread;
  Console console{unread, unread};
  console.pages = &pages;
  (void)command.run({"--help"}, console);
  return pages;
}

int RunCommandLine(const std::vector<std::string>& arguments, Console& raw,
                   const Program& program) {
  PlainStream out(raw.out);
  Console console{out, raw.err, raw.err_is_terminal};
  try {
    console.version = VersionText(program.commit, program.libraries);
    std::vector<Command> commands = Commands();
    for (const Command& command : program.commands) {
      const auto same = std::find_if(commands.begin(), commands.end(), [&](const Command& one) {
        return std::string_view(one.name) == command.name;
      });
      if (same == commands.end()) {
        commands.push_back(command);
      } else {
        *same = command;
      }
    }
    const int status = Run(arguments, console, commands, program.start);
    console.out.flush();
    if (console.out && raw.out) return status;
    return BadInput(console,
                    "standard output: cannot be written; check for a full disk or a closed pipe");
  } catch (const std::bad_alloc&) {
    return BadInput(console, "out of memory; use smaller pictures or fewer jobs");
  } catch (const std::filesystem::filesystem_error& e) {
    return BadInput(
        console, fmt::format("{}: {}; give another path", e.path1().string(), e.code().message()));
  } catch (const std::exception& e) {
    return BadInput(console, std::string("internal error, please report it: ") + e.what());
  } catch (...) {
    return BadInput(console, "internal error, please report it");
  }
}

}  // namespace fos
