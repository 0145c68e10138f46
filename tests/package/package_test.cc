// SPDX-License-Identifier: MIT
// The installed program: in a folder of its own, run from elsewhere, with a home of its own.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/shell_run.h"
#include "tests/support/temp_dir.h"

namespace fos {
namespace {

namespace fs = std::filesystem;
using test::RunInShell;
using test::ShellRun;

std::string Quoted(const fs::path& path) { return "'" + path.string() + "'"; }

bool Have(const std::string& program) {
  return RunInShell("command -v " + program).status == 0;
}

std::string TextOf(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

std::set<std::string> FilesBelow(const fs::path& folder) {
  std::set<std::string> out;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_directory()) out.insert(fs::relative(entry.path(), folder).string());
  }
  return out;
}

class Package : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    installed = std::make_unique<test::TempDir>();
    const ShellRun run = RunInShell(Quoted(FOS_CMAKE) + " --install " + Quoted(FOS_BINARY_DIR) +
                                    " --prefix " + Quoted(Usr()));
    ASSERT_EQ(run.status, 0) << run;
    // As root the source tree can be hidden from what the tests start; others trust
    // FindsNoDataBesideItsOwn.
    const std::string hide = "unshare -m sh -c 'mount -t tmpfs none \"$0\" && exec \"$@\"' " +
                             Quoted(FOS_SOURCE_DIR) + ' ';
    if (RunInShell(hide + "true").status == 0) hidden = hide;
  }
  static void TearDownTestSuite() { installed.reset(); }

  static fs::path Usr() { return installed->path() / "usr"; }
  static fs::path Data() { return Usr() / "share/fallofshot"; }

  // Runs a command line in which `fallofshot` is the installed program. Its folder is empty, its
  // home and temporary files are the test's, and there is no display.
  ShellRun Run(const std::string& line, const std::string& more = "") const {
    for (const char* folder : {"here", "home", "tmp"}) fs::create_directories(dir_.path() / folder);
    const fs::path home = dir_.path() / "home";
    return RunInShell(
        "cd " + Quoted(dir_.path() / "here") + " && " + hidden + "env -i PATH=" +
        Quoted((Usr() / "bin").string() + ":/usr/local/bin:/usr/bin:/bin") + " HOME=" +
        Quoted(home) + " XDG_DATA_HOME=" + Quoted(home / "data") + " XDG_CONFIG_HOME=" +
        Quoted(home / "config") + " XDG_STATE_HOME=" + Quoted(home / "state") +
        " XDG_CACHE_HOME=" + Quoted(home / "cache") + " TMPDIR=" + Quoted(dir_.path() / "tmp") +
        ' ' + more + " sh -c '" + line + "'");
  }

  // The commands, as the installed program lists them.
  std::vector<std::string> CommandNames() const {
    const ShellRun help = Run("fallofshot --help");
    EXPECT_EQ(help.status, 0) << help;
    std::vector<std::string> out;
    static const std::regex kLine(R"(^  ([a-z]+) +\S)");
    std::istringstream lines(help.out);
    std::smatch found;
    for (std::string line; std::getline(lines, line);) {
      if (std::regex_search(line, found, kLine)) out.push_back(found[1]);
    }
    return out;
  }

  inline static std::unique_ptr<test::TempDir> installed;
  inline static std::string hidden;  // starts a program that does not see the source tree
  test::TempDir dir_;
};

TEST_F(Package, HoldsWhatADesktopAndAnAdministratorLookFor) {
  for (const char* file :
       {"bin/fallofshot", "share/man/man1/fallofshot.1.gz",
        "share/bash-completion/completions/fallofshot",
        "share/applications/org.fallofshot.FallOfShot.desktop",
        "share/icons/hicolor/scalable/apps/org.fallofshot.FallOfShot.svg",
        "share/metainfo/org.fallofshot.FallOfShot.metainfo.xml", "share/doc/fallofshot/copyright",
        "share/doc/fallofshot/changelog.gz", "share/doc/fallofshot/README.md",
        "share/doc/fallofshot/docs/guide.md",
        "share/fallofshot/datasets/sets/open_qtip/video.mkv"}) {
    EXPECT_TRUE(fs::exists(Usr() / file)) << file;
  }
  // Nothing of the tests, nothing to build with, and no labels: the clip is there to be judged.
  for (const std::string& file : FilesBelow(Usr())) {
    EXPECT_FALSE(std::regex_search(file, std::regex(R"(truth|_test|\.(a|h|cc|cmake)$)"))) << file;
  }
  const ShellRun log = RunInShell("zcat " + Quoted(Usr() / "share/doc/fallofshot/changelog.gz"));
  EXPECT_EQ(log.out.rfind("fallofshot (" FOS_PROJECT_VERSION ") ", 0), 0u) << log;
  EXPECT_NE(log.out.find("\n  * "), std::string::npos) << log;
}

TEST_F(Package, PlaysEveryGameThatShipsWithAScript) {
  int played = 0;
  for (const auto& entry : fs::directory_iterator(Data() / "datasets/scenarios")) {
    fs::path script = entry.path();
    if (script.extension() != ".toml" || !fs::exists(script.replace_extension(".script"))) continue;
    const ShellRun run =
        Run("fallofshot play " + entry.path().string() + ' ' + script.string() + " --seed 1");
    EXPECT_EQ(run.status, 0) << run;
    ++played;
  }
  EXPECT_GE(played, 4);
  EXPECT_TRUE(FilesBelow(dir_.path() / "here").empty());
  EXPECT_TRUE(FilesBelow(dir_.path() / "home").empty());
}

TEST_F(Package, KeepsTheClubsFileBelowItsXdgFolder) {
  const std::string skirmish = (Data() / "datasets/scenarios/skirmish").string();
  const ShellRun played =
      Run("mkdir -p \"$XDG_DATA_HOME/fallofshot\" && fallofshot play " + skirmish + ".toml " +
          skirmish + ".script --seed 7 --db \"$XDG_DATA_HOME/fallofshot/club.db\"");
  ASSERT_EQ(played.status, 0) << played;
  const ShellRun replayed = Run("fallofshot replay last");
  EXPECT_EQ(replayed.status, 0) << replayed;
  const ShellRun report = Run("fallofshot report last --out r.html --pdf r.pdf");
  EXPECT_EQ(report.status, 0) << report;
  EXPECT_EQ(TextOf(dir_.path() / "here/r.pdf").rfind("%PDF-", 0), 0u);
  EXPECT_NE(TextOf(dir_.path() / "here/r.html").find("Skirmish"), std::string::npos);
  EXPECT_EQ(FilesBelow(dir_.path() / "here"), (std::set<std::string>{"r.html", "r.pdf"}));
  for (const std::string& file : FilesBelow(dir_.path() / "home")) {
    EXPECT_TRUE(std::regex_search(file, std::regex("^(data|cache|config|state)/"))) << file;
  }
}

TEST_F(Package, GathersABugReport) {
  const std::string skirmish = (Data() / "datasets/scenarios/skirmish").string();
  ASSERT_EQ(Run("fallofshot play " + skirmish + ".toml " + skirmish +
                ".script --seed 7 --db club.db --players Blue=Zenobia,Red=Aurelian")
                .status,
            0);
  EXPECT_NE(Run("fallofshot doctor --db club.db").out.find("--bundle"), std::string::npos);
  const ShellRun doctor = Run("fallofshot doctor --db club.db --bundle report.tar");
  EXPECT_NE(doctor.out.find("without names"), std::string::npos) << doctor;
  EXPECT_NE(doctor.out.find("names: --names"), std::string::npos) << doctor;
  const ShellRun unpacked = Run("tar -xf report.tar && cat fallofshot-bundle/*.txt");
  ASSERT_EQ(unpacked.status, 0) << unpacked;
  EXPECT_NE(unpacked.out.find("commit "), std::string::npos) << unpacked;
  EXPECT_EQ(unpacked.out.find("Zenobia"), std::string::npos) << unpacked;
  const ShellRun replayed = Run(
      "fallofshot import fallofshot-bundle/game.fosgame --db other.db && fallofshot replay last "
      "--db other.db");
  EXPECT_EQ(replayed.status, 0) << replayed;
  const ShellRun second = Run("fallofshot doctor --db club.db --bundle report.tar");
  EXPECT_EQ(second.status, 1) << second;
  EXPECT_NE(second.out.find("already exists"), std::string::npos) << second;
  EXPECT_EQ(Run("fallofshot doctor --bundle report.zip").status, 2);
  EXPECT_EQ(Run("fallofshot doctor --pictures").status, 2);
}

TEST_F(Package, FindsNoDataBesideItsOwn) {
  const test::TempDir other;
  fs::create_directories(other.path() / "usr");
  fs::copy(Usr() / "bin", other.path() / "usr/bin");
  const fs::path program = other.path() / "usr/bin/fallofshot";
  const std::string skirmish = (Data() / "datasets/scenarios/skirmish").string();
  const std::string line =
      program.string() + " play " + skirmish + ".toml " + skirmish + ".script --seed 1";
  const ShellRun without = Run(line);
  EXPECT_EQ(without.status, 1) << without;
  EXPECT_NE(without.out.find((other.path() / "usr/share/fallofshot").string()), std::string::npos)
      << without;
  EXPECT_EQ(without.out.find(FOS_SOURCE_DIR), std::string::npos) << without;
  // It finds them wherever both were moved to, and where the club says.
  fs::create_directories(other.path() / "usr/share");
  fs::copy(Data(), other.path() / "usr/share/fallofshot", fs::copy_options::recursive);
  EXPECT_EQ(Run(line).status, 0);
  fs::rename(other.path() / "usr/share/fallofshot", other.path() / "elsewhere");
  EXPECT_EQ(Run(line, "FOS_DATA_DIR=" + Quoted(other.path() / "elsewhere")).status, 0);
}

TEST_F(Package, NamesItsVersionAndCommit) {
  const ShellRun version = Run("fallofshot --version");
  EXPECT_EQ(version.status, 0) << version;
  EXPECT_EQ(version.out.rfind("fallofshot " FOS_PROJECT_VERSION ", commit ", 0), 0u) << version;
  for (const char* library : {"OpenCV ", "SQLite ", "Dear ImGui ", "GLFW "}) {
    EXPECT_NE(version.out.find(library), std::string::npos) << version;
  }
  std::smatch commit;
  const std::string git = "git -C " + Quoted(FOS_SOURCE_DIR) + ' ';
  if (RunInShell(git + "rev-parse HEAD").status != 0) return;  // a source tarball
  ASSERT_TRUE(std::regex_search(version.out, commit, std::regex("commit ([0-9a-f]{40})\n")))
      << version;
  EXPECT_EQ(RunInShell(git + "merge-base --is-ancestor " + commit[1].str() + " HEAD").status, 0)
      << version;
}

// Each command that it prints is run: the first judges the sample clip.
TEST_F(Package, WithoutADisplaySaysHowToStart) {
  const ShellRun start = Run("fallofshot");
  EXPECT_EQ(start.status, 0) << start;
  std::istringstream lines(start.out);
  int ran = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("  fallofshot ", 0) != 0) continue;
    const ShellRun run = Run(line);
    // A camera that needs mending is no fault of the package.
    EXPECT_LE(run.status, line.find("doctor") == std::string::npos ? 0 : 1) << line << '\n' << run;
    ++ran;
  }
  EXPECT_EQ(ran, 4) << start;
  const std::string events = TextOf(dir_.path() / "here/verdicts/events.jsonl");
  EXPECT_NE(events.find("\"verdict\""), std::string::npos);
  EXPECT_NE(events.find("\"end\""), std::string::npos);
  EXPECT_TRUE(FilesBelow(dir_.path() / "home").empty());
}

TEST_F(Package, HasAManPageForEachCommand) {
  const std::vector<std::string> commands = CommandNames();
  ASSERT_GE(commands.size(), 17u);
  const fs::path man1 = Usr() / "share/man/man1";
  EXPECT_EQ(FilesBelow(man1).size(), commands.size() + 1);
  const std::string all = RunInShell("zcat " + Quoted(man1 / "fallofshot.1.gz")).out;
  for (const std::string& command : commands) {
    EXPECT_NE(all.find("fallofshot\\-" + command), std::string::npos) << command;
    const ShellRun page = RunInShell("zcat " + Quoted(man1 / ("fallofshot-" + command + ".1.gz")));
    ASSERT_EQ(page.status, 0) << command;
    const ShellRun help = Run("fallofshot " + command + " --help");
    static const std::regex kFlag(R"((^|\n)  (--[a-z-]+))");
    std::sregex_iterator at(help.out.begin(), help.out.end(), kFlag);
    for (; at != std::sregex_iterator(); ++at) {
      const std::string flag = std::regex_replace((*at)[2].str(), std::regex("-"), R"(\-)");
      EXPECT_NE(page.out.find("\\fB" + flag + "\\fR"), std::string::npos) << command << ' ' << flag;
    }
  }
}

TEST_F(Package, ManPagesAreWellFormed) {
  const bool man = Have("man");
  const bool mandoc = Have("mandoc");
  if (!man && !mandoc) GTEST_SKIP() << "neither man nor mandoc is here; the man pages were not read";
  for (const auto& entry : fs::directory_iterator(Usr() / "share/man/man1")) {
    const std::string page = Quoted(entry.path());
    if (man) {
      const ShellRun run = RunInShell("LC_ALL=C.UTF-8 MANROFFSEQ= MANWIDTH=80 man --warnings -E UTF-8 "
                                      "-l -Tutf8 -Z " + page + " >/dev/null");
      EXPECT_EQ(run.status, 0) << page << run;
      EXPECT_EQ(run.out, "") << page;
    }
    if (mandoc) {
      const ShellRun run = RunInShell("zcat " + page + " | mandoc -T lint -W warning");
      EXPECT_EQ(run.status, 0) << page << run;
    }
  }
}

TEST_F(Package, CompletesEveryCommandAndItsFlags) {
  const fs::path file = Usr() / "share/bash-completion/completions/fallofshot";
  // What bash offers for these words; the last is completed.
  const auto completed = [&](const std::vector<std::string>& words) {
    std::string script = ". '" + file.string() + "'\ncompopt() { :; }\nCOMP_WORDS=(";
    for (const std::string& word : words) script += Quoted(word) + ' ';
    script += ")\nCOMP_CWORD=" + std::to_string(words.size() - 1) +
              "\n_fallofshot\nprintf '%s\\n' \"${COMPREPLY[@]}\"\n";
    const ShellRun run = Run("bash " + dir_.Write("complete.bash", script).string());
    EXPECT_EQ(run.status, 0) << run;
    std::set<std::string> out;
    std::istringstream lines(run.out);
    for (std::string line; std::getline(lines, line);) out.insert(line);
    return out;
  };
  const std::set<std::string> offered = completed({"fallofshot", ""});
  for (const std::string& command : CommandNames()) {
    EXPECT_EQ(offered.count(command), 1u) << command;
    if (command == "calibrate") continue;
    EXPECT_EQ(completed({"fallofshot", command, "--hel"}), std::set<std::string>{"--help"})
        << command;
  }
  EXPECT_EQ(completed({"fallofshot", "ju"}), std::set<std::string>{"judge"});
  EXPECT_EQ(completed({"fallofshot", "judge", "x", "--ri"}), std::set<std::string>{"--rig"});
  EXPECT_EQ(completed({"fallofshot", "calibrate", "t"}), std::set<std::string>{"table"});
  EXPECT_EQ(completed({"fallofshot", "calibrate", "lens", "--markers-"}),
            (std::set<std::string>{"--markers-x", "--markers-y"}));
  // A file, a folder, a game of the club's file; nothing where a number is due.
  dir_.Write("here/table.toml", "");
  fs::create_directories(dir_.path() / "here/tables");
  EXPECT_EQ(completed({"fallofshot", "live", "--table", "ta"}),
            (std::set<std::string>{"table.toml", "tables"}));
  EXPECT_EQ(completed({"fallofshot", "judge", "x", "--out", "ta"}), std::set<std::string>{"tables"});
  EXPECT_EQ(completed({"fallofshot", "replay", "la"}), std::set<std::string>{"last"});
  EXPECT_EQ(completed({"fallofshot", "judge", "x", "--doubt", "t"}), std::set<std::string>{""});
}

TEST_F(Package, DesktopFilesAreValid) {
  const bool desktop = Have("desktop-file-validate");
  const bool appstream = Have("appstreamcli");
  if (desktop) {
    const ShellRun run = RunInShell("desktop-file-validate " +
                                    Quoted(Usr() / "share/applications") + "/*.desktop");
    EXPECT_EQ(run.status, 0) << run;
    EXPECT_EQ(run.out, "");
  }
  if (appstream) {
    const ShellRun run = RunInShell("appstreamcli validate --no-net " +
                                    Quoted(Usr() / "share/metainfo") + "/*.xml");
    EXPECT_EQ(run.status, 0) << run;
  }
  // The parts name each other.
  const std::string entry =
      TextOf(Usr() / "share/applications/org.fallofshot.FallOfShot.desktop");
  EXPECT_NE(entry.find("\nExec=fallofshot\n"), std::string::npos);
  EXPECT_NE(entry.find("\nIcon=org.fallofshot.FallOfShot\n"), std::string::npos);
  const std::string info =
      TextOf(Usr() / "share/metainfo/org.fallofshot.FallOfShot.metainfo.xml");
  EXPECT_NE(info.find("<release version=\"" FOS_PROJECT_VERSION "\""), std::string::npos) << info;
  if (!desktop || !appstream) {
    GTEST_SKIP() << "desktop-file-validate or appstreamcli is not here; that check was left out";
  }
}

}  // namespace
}  // namespace fos
