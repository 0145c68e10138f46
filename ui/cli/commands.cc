#include "ui/cli/commands.h"

#include <algorithm>
#include <exception>
#include <new>
#include <ostream>

#include <fmt/format.h>

#include "engine/files/toml_reader.h"
#include "ui/cli/army_command.h"
#include "ui/cli/calibrate_command.h"
#include "ui/cli/dispute_command.h"
#include "ui/cli/evaluate_command.h"
#include "ui/cli/judge_command.h"
#include "ui/cli/log_commands.h"
#include "ui/cli/play_command.h"
#include "ui/cli/print_command.h"
#include "ui/cli/report_command.h"

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
                   "\n`{0} COMMAND --help` says what a command takes. Exit status: 0 done, 1 a "
                   "problem\nwith the input, 2 wrong usage, 130 ended by Ctrl-C.\n",
                   kProgram);
}

// One line whatever a message brought with it.
std::string OneLine(std::string text) {
  // What a file held may be a terminal's own commands.
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }, ' ');
  return text;
}

int Run(const std::vector<std::string>& arguments, Console& console,
        const std::vector<Command>& commands) {
  if (arguments.empty()) return BadUsage(console, "", "no command is given");
  const std::string& name = arguments.front();
  if (name == "--help" || name == "-h" || name == "help") {
    console.out << Help(commands);
    return kExitDone;
  }
  if (name == "--version") {
    console.out << kProgram << ' ' << FOS_VERSION << '\n';
    return kExitDone;
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
      {"judge", "watch a recorded clip and judge every shot in it", &RunJudge},
      {"play", "play a whole game without a camera, from a script", &RunPlay},
      {"army", "an army of any number of points, and a game of two", &RunArmy},
      {"games", "list the games of the club's file", &RunGames},
      {"replay", "compute a game again from its log, and say whether it is the same", &RunReplay},
      {"resume", "go on with a game that was broken off", &RunResume},
      {"report", "the battle report of a game: a page of HTML, and a PDF", &RunReport},
      {"stats", "how well the club shoots, by player and gun, over the season", &RunStats},
      {"export", "write one game to a file of its own", &RunExport},
      {"import", "take exported games into the club's file", &RunImport},
      {"calibrate", "the lens from views of a board, the table from a picture", &RunCalibrate},
      {"print", "markers, board, template and charts as a PDF at true scale", &RunPrint},
      {"dispute", "measure a shot again from what was kept of it", &RunDispute},
      {"evaluate", "score what was reported of labelled clips", &RunEvaluate},
  };
  return kCommands;
}

int BadInput(Console& console, const std::string& message) {
  console.err << kProgram << ": " << OneLine(message) << '\n';
  return kExitBadInput;
}

int BadUsage(Console& console, const std::string& command, const std::string& message) {
  const std::string program = command.empty() ? kProgram : fmt::format("{} {}", kProgram, command);
  console.err << program << ": " << OneLine(message) << "; see `" << program << " --help`\n";
  return kExitBadUsage;
}

int RunCommandLine(const std::vector<std::string>& arguments, Console& console,
                   const std::vector<Command>& more) {
  try {
    std::vector<Command> commands = Commands();
    for (const Command& command : more) {
      const auto same = std::find_if(commands.begin(), commands.end(), [&](const Command& one) {
        return std::string_view(one.name) == command.name;
      });
      if (same == commands.end()) {
        commands.push_back(command);
      } else {
        *same = command;
      }
    }
    const int status = Run(arguments, console, commands);
    console.out.flush();
    if (console.out) return status;
    return BadInput(console, "standard output: cannot be written; free some room or a closed pipe");
  } catch (const std::bad_alloc&) {
    return BadInput(console, "out of memory; use smaller pictures or fewer jobs");
  } catch (const std::exception& e) {
    return BadInput(console,
                    std::string("a fault of the program's own, please report it: ") + e.what());
  } catch (...) {
    return BadInput(console, "a fault of the program's own, please report it");
  }
}

}  // namespace fos
