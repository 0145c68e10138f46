// SPDX-License-Identifier: MIT
#include "ui/cli/manual.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <initializer_list>
#include <iterator>
#include <ostream>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "engine/files/whole_file.h"

namespace fos {
namespace {

namespace fs = std::filesystem;

// Text as man(7) reads it: its own signs are escaped, and what stands between backticks is bold.
std::string ManText(const std::string& text) {
  std::string out;
  bool bold = false;
  for (const char c : text) {
    switch (c) {
      case '`':
        bold = !bold;
        out += bold ? "\\fB" : "\\fR";
        break;
      case '\\':
        out += "\\e";
        break;
      case '-':
        out += "\\-";
        break;
      case '~':
        out += "\\(ti";
        break;
      case '^':
        out += "\\(ha";
        break;
      case '\'':
        out += "\\(aq";
        break;
      case '\n':
        out += "\n.br\n";
        break;
      default:
        out += c;
    }
  }
  // A dot at the start of a line would be a command.
  return out.starts_with('.') ? "\\&" + out : out;
}

std::string ManTitle(const std::string& name, const std::string& date) {
  std::string upper = name;
  std::transform(upper.begin(), upper.end(), upper.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return fmt::format(".TH {} 1 {} \"Fall of Shot {}\" \"Fall of Shot\"\n", ManText(upper), date,
                     FOS_VERSION);
}

std::string ManEntry(const CommandPage::Entry& entry) {
  return fmt::format(".TP\n\\fB{}\\fR{}\n{}\n", ManText(entry.name),
                     entry.value.empty() ? "" : fmt::format(" \\fI{}\\fR", ManText(entry.value)),
                     ManText(entry.help));
}

// "calibrate lens" of "calibrate lens SOURCE [options]": the words before the arguments.
std::string NameOfForm(const std::string& usage) {
  std::string name;
  std::string word;
  for (const char c : usage + " ") {
    if (c != ' ' && c != '\n') {
      word += c;
      continue;
    }
    const bool plain = !word.empty() && std::all_of(word.begin(), word.end(), [](unsigned char l) {
      return std::islower(l) != 0;
    });
    if (!plain) break;
    name += (name.empty() ? "" : " ") + word;
    word.clear();
  }
  return name;
}

std::string CommandPageFiles() {
  std::string out = ".SH FILES\n";
  for (const auto& [file, what] : std::initializer_list<std::pair<const char*, const char*>>{
           {"$XDG_DATA_HOME/fallofshot/club.db", "every match and game of the club"},
           {"$XDG_CONFIG_HOME/fallofshot/preferences.toml", "the window's settings"},
           {"$XDG_STATE_HOME/fallofshot/recent.json", "what the start screen offers"},
           {"/usr/share/fallofshot", "the rules' tables, scenarios, scripts and a sample clip"},
           {"/usr/share/doc/fallofshot/docs",
            "the guide for club members, every file's format and the words of scripts"}}) {
    out += fmt::format(".TP\n.I {}\n{}\n", ManText(file), ManText(what));
  }
  return out;
}

constexpr const char* kManStatus =
    ".SH EXIT STATUS\n"
    ".TP\n0\ndone\n"
    ".TP\n1\na problem with the input; one line on standard error says where it is and what to do\n"
    ".TP\n2\nwrong usage\n"
    ".TP\n130\ninterrupted by Ctrl\\-C\n";

// Whether bash is to offer files or folders where this name stands in a usage.
enum class Completed { kNothing, kFiles, kFolders, kGames };
Completed CompletedBy(const std::string& value) {
  static constexpr std::string_view kFolders[] = {"DIR", "FOLDER"};
  static constexpr std::string_view kFiles[] = {"FILE",   "FILE.png", "CLIP",   "SCENARIO", "SCRIPT",
                                                "SOURCE", "PICTURE",  "S",      "TABLE"};
  if (value == "GAME") return Completed::kGames;
  if (std::find(std::begin(kFolders), std::end(kFolders), value) != std::end(kFolders))
    return Completed::kFolders;
  if (std::find(std::begin(kFiles), std::end(kFiles), value) != std::end(kFiles))
    return Completed::kFiles;
  return Completed::kNothing;
}

// The lines of one form's case: its flags, and what follows those that take a value.
struct FormFlags {
  std::vector<std::string> all;
  std::vector<std::string> files;
  std::vector<std::string> folders;
  std::vector<std::string> games;
  std::vector<std::string> other;  // a value that cannot be completed
};

void AddOnce(std::vector<std::string>& to, const std::string& word) {
  if (std::find(to.begin(), to.end(), word) == to.end()) to.push_back(word);
}

void AddFlags(FormFlags& form, const CommandPage& page) {
  for (const CommandPage::Entry& flag : page.flags) {
    AddOnce(form.all, flag.name);
    if (flag.value.empty()) continue;
    switch (CompletedBy(flag.value)) {
      case Completed::kFiles:
        AddOnce(form.files, flag.name);
        break;
      case Completed::kFolders:
        AddOnce(form.folders, flag.name);
        break;
      case Completed::kGames:
        AddOnce(form.games, flag.name);
        break;
      case Completed::kNothing:
        AddOnce(form.other, flag.name);
        break;
    }
  }
  if (!page.arguments.empty() && CompletedBy(page.arguments.front().name) == Completed::kGames) {
    AddOnce(form.games, "GAME");
  }
}

std::string FormCase(const std::string& name, const FormFlags& form) {
  return fmt::format(
      "    '{}')\n      flags='{}'\n      files='{}'\n      folders='{}'\n      games='{}'\n"
      "      other='{}'\n      ;;\n",
      name, fmt::join(form.all, " "), fmt::join(form.files, " "), fmt::join(form.folders, " "),
      fmt::join(form.games, " "), fmt::join(form.other, " "));
}

}  // namespace

std::string ProgramManPage(const std::vector<Command>& commands, const std::string& date) {
  std::string out = ManTitle("fallofshot", date) +
                    ".SH NAME\nfallofshot \\- a camera referee for miniature wargames\n"
                    ".SH SYNOPSIS\n.B fallofshot\n.RI [ command \" \" [ arguments ]]\n"
                    ".SH DESCRIPTION\n"
                    "A camera hangs over the table. When a thrown cotton swab or plasticine shell "
                    "has come to rest,\n.B fallofshot\nsays what was fired, where it lies, how sure "
                    "that is and which stands it hit.\nWithout a command it opens its start "
                    "screen.\n.SH COMMANDS\n";
  for (const Command& command : commands) {
    out += fmt::format(".TP\n.BR fallofshot\\-{} (1)\n{}\n", ManText(command.name),
                       ManText(command.summary));
  }
  out += ".SH OPTIONS\n" + ManEntry({"--help", "", "list the commands; after a command, its options"}) +
         ManEntry({"--version", "", "print the version, the source's commit and the libraries"}) +
         ManEntry({"--write-manual", "DIR DATE",
                   "write the man pages and the completion for bash to DIR, for packages"});
  return out + kManStatus +
         ".SH ENVIRONMENT\n.TP\n.B FOS_DATA_DIR\na folder in which tables, scenarios and scripts are "
         "looked up first\n" +
         CommandPageFiles();
}

std::string CommandManPage(const Command& command, const std::vector<CommandPage>& pages,
                           const std::string& date) {
  const std::string name = fmt::format("fallofshot-{}", command.name);
  std::string out = ManTitle(name, date);
  out += fmt::format(".SH NAME\n{} \\- {}\n.SH SYNOPSIS\n", ManText(name), ManText(command.summary));
  bool first = true;
  for (const CommandPage& page : pages) {
    std::string usage = "fallofshot " + page.usage;
    // The forms of one page are aligned for a terminal.
    for (std::size_t at = usage.find("\n "); at != std::string::npos; at = usage.find("\n "))
      usage.erase(at + 1, 1);
    out += (first ? "" : ".br\n") + ManText(usage) + '\n';
    first = false;
  }
  if (pages.size() == 1) {
    out += ".SH DESCRIPTION\n" + ManText(pages.front().summary) + '\n';
    if (!pages.front().arguments.empty()) out += ".SH ARGUMENTS\n";
    for (const CommandPage::Entry& one : pages.front().arguments) out += ManEntry(one);
    out += ".SH OPTIONS\n";
    for (const CommandPage::Entry& one : pages.front().flags) out += ManEntry(one);
  } else {
    out += ".SH DESCRIPTION\n";
    for (const CommandPage& page : pages) {
      out += fmt::format(".SS {}\n{}\n", ManText(page.usage), ManText(page.summary));
      for (const CommandPage::Entry& one : page.arguments) out += ManEntry(one);
      for (const CommandPage::Entry& one : page.flags) out += ManEntry(one);
    }
  }
  return out + kManStatus + ".SH SEE ALSO\n.BR fallofshot (1)\n";
}

std::string BashCompletion(const std::vector<Command>& commands) {
  std::string names;
  std::string second;
  std::string forms;
  for (const Command& command : commands) {
    names += std::string(command.name) + ' ';
    const std::vector<CommandPage> pages = PagesOf(command);
    std::vector<std::pair<std::string, FormFlags>> by_name;
    for (const CommandPage& page : pages) {
      const std::string name = NameOfForm(page.usage);
      auto at = std::find_if(by_name.begin(), by_name.end(),
                             [&](const auto& one) { return one.first == name; });
      if (at == by_name.end()) at = by_name.insert(by_name.end(), {name, {}});
      AddFlags(at->second, page);
    }
    std::string words;
    for (const auto& [name, form] : by_name) {
      forms += FormCase(name, form);
      if (const std::size_t space = name.find(' '); space != std::string::npos)
        words += name.substr(space + 1) + ' ';
    }
    if (!words.empty()) second += fmt::format("    {}) second='{}--help' ;;\n", command.name, words);
  }
  return fmt::format(
      R"bash(# Completion of fallofshot(1) for bash. Written by `fallofshot --write-manual`.
_fallofshot() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}}
  local form=${{COMP_WORDS[1]}} second= flags= files= folders= games= other= at=1
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    mapfile -t COMPREPLY < <(compgen -W '{0}--help --version' -- "$word")
    return
  fi
  case $form in
{1}  esac
  if [[ -n $second ]]; then
    if ((COMP_CWORD == 2)); then
      mapfile -t COMPREPLY < <(compgen -W "$second" -- "$word")
      return
    fi
    form="$form ${{COMP_WORDS[2]}}" at=2
  fi
  case $form in
{2}  esac
  if [[ $word == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$flags" -- "$word")
  elif [[ " $other " == *" $before "* ]]; then
    return
  elif [[ " $games " == *" $before "* || $games == *GAME && $COMP_CWORD -eq $((at + 1)) ]]; then
    mapfile -t COMPREPLY < <(compgen -W "last $(fallofshot games 2>/dev/null | awk '$1 > 0 {{ print $1 }}')" -- "$word")
  elif [[ " $folders " == *" $before "* ]]; then
    compopt -o filenames
    mapfile -t COMPREPLY < <(compgen -d -- "$word")
  else
    compopt -o filenames
    mapfile -t COMPREPLY < <(compgen -f -- "$word")
  fi
}}
complete -F _fallofshot fallofshot
)bash",
      names, second, forms);
}

int RunWriteManual(const std::vector<std::string>& arguments, const std::vector<Command>& commands,
                   Console& console) {
  if (arguments.size() != 2) {
    return BadUsage(console, "", "--write-manual needs DIR and the release's DATE, as 2026-01-31");
  }
  const fs::path folder = arguments[0];
  const std::string& date = arguments[1];
  std::error_code ec;
  fs::create_directories(folder / "man1", ec);
  if (ec) return BadInput(console, (folder / "man1").string() + ": " + ec.message());
  std::vector<std::pair<fs::path, std::string>> files = {
      {folder / "man1/fallofshot.1", ProgramManPage(commands, date)},
      {folder / "fallofshot.bash", BashCompletion(commands)}};
  for (const Command& command : commands) {
    files.emplace_back(folder / fmt::format("man1/fallofshot-{}.1", command.name),
                       CommandManPage(command, PagesOf(command), date));
  }
  for (const auto& [file, text] : files) {
    const Status written = WriteWholeFile(file, text);
    if (!written.ok()) return BadInput(console, written.error().message);
  }
  return kExitDone;
}

}  // namespace fos
