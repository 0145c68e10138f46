// SPDX-License-Identifier: MIT
// Kills the program itself (SIGKILL) from its first millisecond on, and looks at what it leaves:
//   program_kills play N [SEED]    a game that is played into a club's file, and resumed
//   program_kills judge N [SEED]   the sample clip, judged into a club's file and a folder
//   program_kills live N [SEED]    the sample clip and a game in the window (needs Xvfb)
// After every kill the file is whole, every game in it comes out again as it was recorded, and no
// file in the folder is half written. A game of `play` ends with the signature, and a clip of
// `judge` with the events, of one that was never killed.
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <opencv2/imgcodecs.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "engine/files/event_log.h"
#include "engine/files/whole_file.h"
#include "engine/game/chance.h"
#include "tests/support/temp_dir.h"
#include "ui/session/club_file.h"
#include "ui/session/replay.h"
#include "vision/image/picture_file.h"

namespace fos {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;
using Seconds = std::chrono::duration<double>;

const fs::path kSource = FOS_SOURCE_DIR;
const fs::path kClip = kSource / "datasets/sets/open_qtip";

[[noreturn]] void Fail(const std::string& what) { throw std::runtime_error(what); }
template <typename T>
T Good(Result<T> result) {
  if (!result.ok()) Fail(result.error().message);
  return std::move(result).value();
}

// The program, with a home of its own.
class Program {
 public:
  Program(const fs::path& home, Words arguments) {
    arguments.insert(arguments.begin(), FOS_PROGRAM);
    pid_ = fork();
    if (pid_ < 0) Fail("no process");
    if (pid_ > 0) return;
    setenv("HOME", home.c_str(), 1);
    for (const char* folder : {"XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"})
      setenv(folder, (home / folder).c_str(), 1);
    const int log = open((home / "printed").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(log, STDOUT_FILENO);
    dup2(log, STDERR_FILENO);
    std::vector<char*> words;
    for (std::string& word : arguments) words.push_back(word.data());
    words.push_back(nullptr);
    execv(FOS_PROGRAM, words.data());
    _exit(127);
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  ~Program() { (void)EndAfter(Seconds(0)); }

  // Kills it after so long. Returns its exit status; empty when it was killed.
  std::optional<int> EndAfter(Seconds time) {
    if (pid_ <= 0) return status_;
    const auto end = std::chrono::steady_clock::now() + time;
    int status = 0;
    while (waitpid(pid_, &status, WNOHANG) == 0) {
      if (std::chrono::steady_clock::now() >= end) {
        kill(pid_, SIGKILL);
        waitpid(pid_, &status, 0);
        break;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    pid_ = 0;
    if (WIFEXITED(status)) status_ = WEXITSTATUS(status);
    return status_;
  }

 private:
  pid_t pid_ = 0;
  std::optional<int> status_;
};

constexpr Seconds kForever{600};

std::string Printed(const fs::path& home) {
  const Result<std::string> text = ReadWholeFile(home / "printed");
  return text.ok() ? *text : std::string();
}

// Runs it to its end. Returns how long it took.
Seconds RunWhole(const fs::path& home, const Words& arguments) {
  const auto begun = std::chrono::steady_clock::now();
  Program program(home, arguments);
  if (program.EndAfter(kForever) != 0) Fail("the program failed: " + Printed(home));
  return std::chrono::steady_clock::now() - begun;
}

// A time to kill at: half of them in the first tenth of a second, the others up to the end.
Seconds When(Generator& chance, Seconds whole) {
  const auto part = [&](Seconds most) {
    constexpr int kSteps = 100000;
    return static_cast<double>(chance.Below(kSteps)) / kSteps * most;
  };
  return chance.Below(2) == 0 ? part(Seconds(0.1)) : part(1.1 * whole);
}

// Opens the file as the next command does, and computes every game in it again. Returns the games;
// empty where the file is not yet there.
std::vector<GameSummary> CheckClub(const fs::path& club) {
  if (!fs::exists(club)) return {};
  const Journal journal = Good(Journal::Open(club));
  if (const std::string fault = journal.Check(); fault != "ok") Fail("the file: " + fault);
  if (const Status all = journal.CheckGames(); !all.ok()) Fail(all.error().message);
  Good(journal.Heads());
  const std::vector<GameSummary> games = Good(journal.Games());
  for (const GameSummary& game : games) {
    if (Good(journal.LostAtEnd(game.id)) != 0) Fail("a game has lost its end");
    const ReplayedLog again = Good(ReplayLog(Good(journal.Read(game.id)), {}));
    if (!again.differences.empty())
      Fail(fmt::format("game {} comes out otherwise: {}", game.id, again.differences[0].why));
  }
  return games;
}

// No file of a match is half written. What lies in .unfinished was never kept.
void CheckFolder(const fs::path& out) {
  if (!fs::exists(out)) return;
  for (auto at = fs::recursive_directory_iterator(out); at != fs::recursive_directory_iterator();
       ++at) {
    if (at->path().filename() == ".unfinished") {
      at.disable_recursion_pending();
    } else if (at->path().extension() == ".png") {
      const std::string bytes = Good(ReadWholeFile(at->path()));
      if (PictureFrom({bytes.begin(), bytes.end()}, cv::IMREAD_COLOR).empty())
        Fail(at->path().string() + " is half written");
    }
  }
  if (const fs::path log = out / "events.jsonl"; fs::exists(log)) Good(ReadEventLog(log));
}

// What a clip's events say, without how long the work took.
std::string Facts(const fs::path& out) {
  std::string facts;
  std::ifstream in(out / "events.jsonl");
  for (std::string line; std::getline(in, line);)
    if (line.find("\"type\":\"end\"") == std::string::npos) facts += line + '\n';
  return facts;
}

struct Totals {
  int kills = 0;
  int games = 0;
  int before_a_game = 0;  // kills that left no game
};

std::string SignatureOf(const fs::path& club) {
  const Journal journal = Good(Journal::Open(club));
  const std::vector<GameSummary> games = Good(journal.Games());
  if (games.size() != 1) Fail(fmt::format("{} games instead of one", games.size()));
  const GameLog log = Good(journal.Read(games[0].id));
  if (!log.Ended()) Fail("the game has not ended");
  return Good(ReplayLog(log, {})).signature;
}

Totals KillPlay(int kills, Generator& chance) {
  const fs::path scenario = kSource / "datasets/scenarios/skirmish.toml";
  Totals totals;
  while (totals.kills < kills) {
    const test::TempDir dir;
    const fs::path script = dir.Write("game.script", "random\n");
    const std::string seed = std::to_string(chance.Below(1000000));
    const auto club = [&](const char* name) { return (dir.path() / name).string(); };
    const Words begin = {"play", scenario, script, "--seed", seed, "--db"};
    const auto with = [](Words words, std::string last) {
      words.push_back(std::move(last));
      return words;
    };
    const Seconds whole = RunWhole(dir.path(), with(begin, club("whole.db")));
    bool ended = false;
    for (int tries = 0; !ended; ++tries) {
      const std::vector<GameSummary> there = CheckClub(club("club.db"));
      if (there.size() > 1) Fail("a second game was begun");
      const Words next = there.empty() ? with(begin, club("club.db"))
                                       : Words{"resume", "last", script, "--db", club("club.db")};
      constexpr int kMostTries = 20;
      Program program(dir.path(), next);
      const auto status = program.EndAfter(tries < kMostTries ? When(chance, whole) : kForever);
      if (!status) ++totals.kills;
      if (status && *status != 0) Fail("the program failed: " + Printed(dir.path()));
      const std::vector<GameSummary> left = CheckClub(club("club.db"));
      if (!status && left.empty()) ++totals.before_a_game;
      ended = !left.empty() && Good(Good(Journal::Open(club("club.db"))).Read(left[0].id)).Ended();
    }
    if (SignatureOf(club("club.db")) != SignatureOf(club("whole.db")))
      Fail("another signature than the game never killed");
    ++totals.games;
  }
  return totals;
}

Totals KillJudge(int kills, Generator& chance) {
  Totals totals;
  const test::TempDir dir;
  const auto arguments = [&](const char* out, const char* club) {
    return Words{"judge", kClip, "--out", dir.path() / out, "--db", dir.path() / club};
  };
  const Seconds whole = RunWhole(dir.path(), arguments("whole", "whole.db"));
  const std::string facts = Facts(dir.path() / "whole");
  const std::string log = Good(ReadWholeFile(dir.path() / "whole/events.jsonl"));
  while (totals.kills < kills) {
    Program program(dir.path(), arguments("out", "club.db"));
    const auto status = program.EndAfter(When(chance, whole));
    if (status && *status != 0) Fail("the program failed: " + Printed(dir.path()));
    totals.kills += status ? 0 : 1;
    const auto games = static_cast<int>(CheckClub(dir.path() / "club.db").size());
    totals.before_a_game += !status && games == totals.games ? 1 : 0;
    totals.games = games;
    CheckFolder(dir.path() / "out");
    // The log is there whole, or not at all.
    if (fs::exists(dir.path() / "out/events.jsonl") && Facts(dir.path() / "out") != facts)
      Fail("another log than that of the clip never killed");
    if (chance.Below(4) == 0) fs::remove_all(dir.path() / "out");
  }
  RunWhole(dir.path(), arguments("out", "club.db"));
  if (Facts(dir.path() / "out") != facts) Fail("another log than that of the clip never killed");
  if (fs::exists(dir.path() / "out/.unfinished")) Fail("what was unfinished is left");
  return totals;
}

// A virtual display.
class Display {
 public:
  Display() {
    int ends[2] = {-1, -1};
    if (pipe(ends) != 0) Fail("no pipe");
    server_ = fork();
    if (server_ == 0) {
      close(ends[0]);
      dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
      execlp("Xvfb", "Xvfb", "-displayfd", std::to_string(ends[1]).c_str(), "-screen", "0",
             "1280x720x24", "-nolisten", "tcp", "-noreset", static_cast<char*>(nullptr));
      _exit(127);
    }
    close(ends[1]);
    std::string number;
    for (char c = 0; read(ends[0], &c, 1) == 1 && c != '\n';) number += c;
    close(ends[0]);
    if (number.empty()) Fail("no Xvfb");
    setenv("DISPLAY", (":" + number).c_str(), 1);
    unsetenv("WAYLAND_DISPLAY");
  }
  Display(const Display&) = delete;
  Display& operator=(const Display&) = delete;
  ~Display() {
    if (server_ <= 0) return;
    kill(server_, SIGTERM);
    waitpid(server_, nullptr, 0);
  }

 private:
  pid_t server_ = 0;
};

Totals KillLive(int kills, Generator& chance) {
  const Display display;
  Totals totals;
  const test::TempDir dir;
  const std::string club = dir.path() / "club.db";
  const Words begin = {"live", kClip, "--play", "--exit-at-end", "--out", dir.path() / "out",
                       "--db", club};
  const Seconds whole = RunWhole(dir.path(), begin);
  Words next = begin;
  while (totals.kills < kills) {
    Program program(dir.path(), next);
    const auto status = program.EndAfter(When(chance, whole));
    if (status && *status != 0) Fail("the program failed: " + Printed(dir.path()));
    totals.kills += status ? 0 : 1;
    const std::vector<GameSummary> games = CheckClub(club);
    totals.games = static_cast<int>(games.size());
    CheckFolder(dir.path() / "out");
    next = begin;
    // Every other time the game that was cut off goes on.
    if (!games.empty() && chance.Below(2) == 0 &&
        !Good(Good(Journal::Open(club)).Read(games.back().id)).Ended()) {
      next.insert(next.end(), {"--resume", "last"});
    }
  }
  return totals;
}

int Main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  const int kills = argc > 2 ? std::atoi(argv[2]) : 0;
  Generator chance{argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 1};
  Totals totals;
  if (what == "play" && kills > 0) {
    totals = KillPlay(kills, chance);
  } else if (what == "judge" && kills > 0) {
    totals = KillJudge(kills, chance);
  } else if (what == "live" && kills > 0) {
    totals = KillLive(kills, chance);
  } else {
    std::cerr << "usage: program_kills play|judge|live N [SEED]\n";
    return 2;
  }
  std::cout << fmt::format(
      "{}: {} kills, {} games, {} kills before a game was begun: every file whole, every game as "
      "recorded\n",
      what, totals.kills, totals.games, totals.before_a_game);
  return 0;
}

}  // namespace
}  // namespace fos

int main(int argc, char** argv) {
  try {
    return fos::Main(argc, argv);
  } catch (const std::exception& e) {
    std::cerr << "program_kills: " << e.what() << '\n';
    return 1;
  }
}
