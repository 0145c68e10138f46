// SPDX-License-Identifier: MIT
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <new>
#include <stdexcept>
#include <string>

#include "engine/game/chance.h"
#include "engine/journal/logged_game.h"
#include "engine/journal/sha256.h"

// Stress tests of the club's file.
//
//   journal_torture kill N [SEED [FOLDER]]   a program plays a scripted game into a club's file and
//   is
//       killed (SIGKILL) at random instants, N times, and continues each time. After every kill the
//       file opens and is intact and holds everything that was acknowledged and at most one more
//       record; and every game ends with the signature of a game that was never killed.
//   journal_torture full FOLDER              the same game on a full disk (a small tmpfs) on which
//   room
//       is made a little at a time.
//   journal_torture replay N [SEED]          N random games, each recomputed from its log; one hash
//   over
//       all their signatures, the same with every compiler.
namespace fos {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void Fail(const std::string& what) { throw std::runtime_error(what); }
template <typename T>
T Good(Result<T> result) {
  if (!result.ok()) Fail(result.error().message);
  return std::move(result).value();
}

const fs::path kScenario = fs::path(FOS_SOURCE_DIR) / "datasets/scenarios/skirmish.toml";

GameStart StartOf(const fs::path& scenario, std::uint64_t seed, int number) {
  const GameTexts texts = Good(GatherGameFiles(scenario));
  GameStart start;
  start.uid = "torture " + std::to_string(seed) + " " + std::to_string(number);
  start.name = texts.name;
  start.ruleset = texts.ruleset;
  start.program = "torture";
  start.seed = seed;
  start.files = texts.files;
  start.sides = Good(OpenGame(scenario, seed))->View().sides;
  return start;
}

// A temporary folder below `parent`, deleted at the end.
class Folder {
 public:
  explicit Folder(const fs::path& parent) {
    std::string name = (parent / "torture-XXXXXX").string();
    if (!mkdtemp(name.data())) Fail(parent.string() + " cannot be written");
    path_ = name;
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  const fs::path& Path() const { return path_; }

 private:
  fs::path path_;
};

// What the killed program reported before it died.
struct Told {
  std::atomic<std::int64_t> acknowledged;
  std::atomic<bool> ended;
};

// Continues the game at the end of the log; the process exits when the game ends.
[[noreturn]] void PlayOn(const fs::path& club, std::int64_t game, const std::string& script,
                         Told& told) {
  try {
    Journal journal = Good(Journal::Open(club));
    PlayIntoOptions options;
    options.clock = [] { return 0.0; };
    // Reported right after it was written.
    options.report = [&told](const ScriptStep& step, bool known) {
      if (!known && RecordOf(step)) ++told.acknowledged;
    };
    Good(PlayInto(journal, game, script, options));
    told.ended = true;
    _exit(0);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "the player: %s\n", e.what());
    _exit(1);
  }
}

void Kill(int kills, std::uint64_t seed, const fs::path& parent) {
  const std::string script = "random\n";
  const Folder folder(parent);
  void* shared =
      mmap(nullptr, sizeof(Told), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) Fail("no shared memory");
  Told& told = *new (shared) Told{};
  Generator chance{seed};
  int done = 0;
  int games = 0;
  int one_more = 0;
  std::int64_t records = 0;
  while (done < kills) {
    ++games;
    const std::uint64_t game_seed = seed + static_cast<std::uint64_t>(games);
    // The game as it goes without a kill.
    GameLog whole;
    {
      Journal journal = Good(Journal::Open(folder.Path() / "whole.db"));
      const std::int64_t game = Good(journal.Begin(StartOf(kScenario, game_seed, games)));
      PlayIntoOptions options;
      options.clock = [] { return 0.0; };
      Good(PlayInto(journal, game, script, options));
      whole = Good(journal.Read(game));
    }
    const std::string signature = Good(Replay(whole, {})).signature;

    const fs::path club = folder.Path() / "club.db";
    std::int64_t game = 0;
    {
      Journal journal = Good(Journal::Open(club));
      game = Good(journal.Begin(StartOf(kScenario, game_seed, games)));
    }
    told.ended = false;
    std::int64_t there = 0;
    while (!told.ended) {
      told.acknowledged = there;
      const pid_t player = fork();
      if (player < 0) Fail("no process");
      if (player == 0) PlayOn(club, game, script, told);
      // From before the file is opened to several records later, about as long as a game of sixty
      // records takes, so that some kills hit its end too.
      usleep(static_cast<useconds_t>(chance.Below(120000)));
      kill(player, SIGKILL);
      int status = 0;
      if (waitpid(player, &status, 0) != player) Fail("the player is lost");
      if (WIFEXITED(status) && WEXITSTATUS(status) != 0) Fail("the player met an error");
      done += WIFSIGNALED(status);
      // From now on others may read it.
      const Journal journal = Good(Journal::Open(club));
      if (const std::string fault = journal.Check(); fault != "ok") Fail("the file: " + fault);
      const GameLog log = Good(journal.Read(game));
      there = static_cast<std::int64_t>(log.records.size()) - (log.Ended() ? 1 : 0);
      if (there < told.acknowledged) Fail("a record that was acknowledged is lost");
      if (there > told.acknowledged + 1) Fail("more than one record was not acknowledged");
      one_more += there > told.acknowledged;
      for (std::size_t i = 0; i < log.records.size(); ++i) {
        if (log.records[i].text != whole.records.at(i).text) Fail("a record is another one");
      }
      if (log.Ended()) told.ended = true;
    }
    const Journal journal = Good(Journal::Open(club));
    const GameLog log = Good(journal.Read(game));
    const Replayed replayed = Good(Replay(log, {}));
    if (!replayed.differences.empty()) Fail("a record comes out otherwise");
    if (replayed.signature != signature) Fail("another signature than the game never killed");
    records += static_cast<std::int64_t>(log.records.size());
  }
  std::printf(
      "%d kills in %d games of %lld records: every file whole, nothing acknowledged lost, "
      "%d records written but not yet acknowledged, every signature the same\n",
      done, games, static_cast<long long>(records), one_more);
  munmap(shared, sizeof(Told));
}

void Full(const fs::path& parent) {
  const Folder folder(parent);
  const fs::path club = folder.Path() / "club.db";
  const std::string script = "random\n";
  const std::uint64_t seed = 5;
  // Fills the disk, then makes room piece by piece.
  const fs::path ballast = folder.Path() / "ballast";
  std::FILE* file = std::fopen(ballast.c_str(), "wb");
  if (!file) Fail("the disk cannot be written at all");
  const std::string block(4096, 'x');
  std::int64_t blocks = 0;
  while (std::fwrite(block.data(), 1, block.size(), file) == block.size() &&
         std::fflush(file) == 0) {
    if (++blocks > 100000) Fail("this disk is not small: give a tmpfs of a few megabytes");
  }
  std::fclose(file);
  std::error_code ec;
  int refusals = 0;
  std::int64_t game = 0;
  for (;;) {
    const std::int64_t room = static_cast<std::int64_t>(fs::file_size(ballast)) - 8192;
    if (room <= 0) Fail("the game does not fit the disk");
    fs::resize_file(ballast, static_cast<std::uintmax_t>(room), ec);
    Result<Journal> journal = Journal::Open(club);
    if (!journal.ok()) {
      ++refusals;
      continue;
    }
    if (const std::string fault = journal->Check(); fault != "ok") Fail("the file: " + fault);
    if (game == 0) {
      const Result<std::int64_t> begun = journal->Begin(StartOf(kScenario, seed, 1));
      if (!begun.ok()) {
        ++refusals;
        continue;
      }
      game = *begun;
    }
    PlayIntoOptions options;
    options.clock = [] { return 0.0; };
    const Result<Played> played = PlayInto(*journal, game, script, options);
    if (played.ok()) break;
    if (played.error().code != ErrorCode::kIo) Fail(played.error().message);
    ++refusals;
  }
  const Journal journal = Good(Journal::Open(club));
  const Replayed replayed = Good(Replay(Good(journal.Read(game)), {}));
  if (!replayed.differences.empty()) Fail("a record comes out otherwise");
  std::unique_ptr<RuleGame> other = Good(OpenGame(kScenario, seed));
  ScriptOptions run;
  run.seed = seed;
  if (const Status ran = RunScript(*other, script, run); !ran.ok()) Fail(ran.error().message);
  if (other->StateJson() != replayed.game->StateJson()) Fail("another game than on a large disk");
  std::printf("the disk was full %d times; every time the file was whole and the game went on\n",
              refusals);
}

void ReplayMany(int games, std::uint64_t seed) {
  Sha256 all;
  std::int64_t records = 0;
  for (int i = 0; i < games; ++i) {
    const std::uint64_t game_seed = seed + static_cast<std::uint64_t>(i);
    GameLog log;
    log.start = StartOf(kScenario, game_seed, i);
    std::unique_ptr<RuleGame> game = Good(OpenGame(kScenario, game_seed));
    ScriptOptions run;
    run.seed = game_seed;
    run.report = [&log](const ScriptStep& step) {
      if (std::optional<Record> record = RecordOf(step)) {
        record->number = static_cast<std::int64_t>(log.records.size()) + 1;
        log.records.push_back(*std::move(record));
      }
    };
    if (const Status ran = RunScript(*game, "random\n", run); !ran.ok()) Fail(ran.error().message);
    const Replayed replayed = Good(Replay(log, {}));
    if (!replayed.differences.empty()) {
      Fail("seed " + std::to_string(game_seed) + ": " + replayed.differences.front().why);
    }
    if (replayed.game->StateJson() != game->StateJson()) Fail("another state at the end");
    records += replayed.records;
    all.AddText(replayed.signature);
  }
  std::printf("%d games, %lld records, all the same: %s\n", games, static_cast<long long>(records),
              all.Hex().c_str());
}

int Main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  const auto number = [&](int at, std::uint64_t otherwise) {
    return argc > at ? std::strtoull(argv[at], nullptr, 10) : otherwise;
  };
  if (what == "kill") {
    Kill(static_cast<int>(number(2, 40)), number(3, 1),
         argc > 4 ? fs::path(argv[4]) : fs::temp_directory_path());
  } else if (what == "full" && argc > 2) {
    Full(argv[2]);
  } else if (what == "replay") {
    ReplayMany(static_cast<int>(number(2, 20)), number(3, 1));
  } else {
    std::fprintf(stderr,
                 "journal_torture kill N [SEED [FOLDER]] | full FOLDER | replay N [SEED]\n");
    return 2;
  }
  return 0;
}

}  // namespace
}  // namespace fos

int main(int argc, char** argv) {
  try {
    return fos::Main(argc, argv);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "journal_torture: %s\n", e.what());
    return 1;
  }
}
