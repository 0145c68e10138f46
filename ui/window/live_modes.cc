// SPDX-License-Identifier: MIT
#include "ui/window/live_modes.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <ostream>
#include <random>
#include <sstream>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "engine/files/data_path.h"
#include "engine/files/scenario_file.h"
#include "engine/rules/rule_sets.h"
#include "engine/table/result.h"
#include "ui/cli/interrupt.h"
#include "ui/cli/report_command.h"
#include "ui/club/club_source.h"
#include "ui/play/game_recorder.h"
#include "ui/play/watched_replay.h"
#include "ui/session/game_map.h"
#include "ui/session/live_session.h"
#include "ui/session/recordings.h"
#include "ui/session/rig.h"
#include "ui/setup/setup_files.h"
#include "ui/window/plain_snapshot.h"
#include "ui/window/quiet_process.h"
#include "ui/window/tone.h"
#include "ui/window/window.h"

namespace fos {
namespace {

// How a mode ends.
enum class ModeEnd {
  kClosed,       // the window was closed
  kChosen,       // a request is to be carried out
  kPlay,         // F10: play the scenario that is watched
  kSetUp,        // F9, or the start screen's last line
  kReferee,      // referee what was set up
  kInterrupted,  // Ctrl-C
};

struct Transition {
  LiveMode from;
  ModeEnd end;
  std::optional<LiveMode> to;  // empty: the mode of the request (ModeOf)
};
// What follows what. A mode that ends in a way not listed for it leaves the program.
constexpr std::array kTransitions = {
    Transition{LiveMode::kStartScreen, ModeEnd::kChosen, std::nullopt},
    Transition{LiveMode::kStartScreen, ModeEnd::kSetUp, LiveMode::kSetup},
    Transition{LiveMode::kMatch, ModeEnd::kPlay, LiveMode::kMatch},
    Transition{LiveMode::kMatch, ModeEnd::kSetUp, LiveMode::kMatchSetup},
    Transition{LiveMode::kMatchSetup, ModeEnd::kClosed, LiveMode::kMatch},
    Transition{LiveMode::kMatchSetup, ModeEnd::kReferee, LiveMode::kMatch},
    Transition{LiveMode::kSetup, ModeEnd::kReferee, LiveMode::kMatch},
};

// The game that is played under the rules, and its record in the club's file.
struct PlayedGame {
  std::unique_ptr<GameRecorder> recorder;      // null: not recorded
  std::unique_ptr<GameController> controller;  // null: no game is played

  // A game that is over is not continued the next time.
  void RecordEnd() const {
    if (recorder != nullptr && controller->Now()->prompt.kind == PromptKind::kOver) {
      (void)recorder->End();
    }
  }
};

std::uint64_t RandomSeed() {
  std::random_device device;
  return static_cast<std::uint64_t>(device()) << 32 | static_cast<std::uint64_t>(device());
}

Result<GameController::Setup> UnrecordedSetup(const std::string& file) {
  const Result<GameMap> map = ReadGameMap(file);
  if (!map.ok()) return map.error();
  GameController::Setup setup;
  setup.open = [file, seed = RandomSeed()] { return OpenGame(file, seed); };
  setup.name = ScenarioName(file);
  setup.board = map->board;
  setup.terrain = TerrainAreas(*map);
  setup.club = map->club;
  return setup;
}

Result<PlayedGame> OpenPlayedGame(const GameRequest& wanted, const std::string& file) {
  PlayedGame out;
  if (file.empty()) return out;
  Result<GameController::Setup> setup = GameController::Setup{};
  if (wanted.no_log) {
    setup = UnrecordedSetup(file);
  } else {
    GameRecorder::Wanted recorded;
    recorded.club = wanted.club.Path();
    recorded.scenario = file;
    recorded.players = wanted.players;
    if (!wanted.resume.empty()) recorded.resume = wanted.resume;
    recorded.anew = wanted.begin_anew;
    recorded.seed = RandomSeed();
    Result<std::unique_ptr<GameRecorder>> recorder = GameRecorder::Open(recorded);
    if (!recorder.ok()) return recorder.error();
    out.recorder = std::move(recorder).value();
    setup = out.recorder->Setup();
  }
  if (!setup.ok()) return setup.error();
  Result<std::unique_ptr<GameController>> controller =
      GameController::Open(std::move(setup).value());
  if (!controller.ok()) return controller.error();
  out.controller = std::move(controller).value();
  return out;
}

// Without a camera there are no shots to decide about.
struct NoShots : DecisionSink {
  void Post(PlayerDecision) override {}
};

constexpr const char* kNewMatch = "New match";
constexpr const char* kLastSetup = "--last-setup";  // what stands in the arguments of its line

// What the start screen offers under one heading.
struct Offered {
  std::string group;
  std::vector<RecentGame> games;
};

// The games that ship with the program, by name.
std::vector<RecentGame> ShippedGames() {
  std::vector<RecentGame> out;
  const Result<std::filesystem::path> one = FindData("datasets/scenarios/skirmish.toml");
  if (!one.ok()) return out;
  std::error_code ec;
  for (const auto& entry : std::filesystem::directory_iterator(one->parent_path(), ec)) {
    if (entry.path().extension() != ".toml") continue;
    out.push_back({ScenarioName(entry.path()), {"--game", entry.path().string()}});
  }
  std::sort(out.begin(), out.end(),
            [](const RecentGame& a, const RecentGame& b) { return a.name < b.name; });
  return out;
}

// The newest games of the club's file.
// option  what to do with them: "--replay", "--report"
std::vector<RecentGame> RecordedGames(const char* option, std::size_t most) {
  std::vector<RecentGame> out;
  JournalOptions options;
  options.read_only = true;
  const Result<Journal> journal = Journal::Open(ClubFileOption{}.Path(), options);
  if (!journal.ok()) return out;
  Result<std::vector<GameSummary>> games = journal->Games();
  if (!games.ok()) return out;
  std::erase_if(*games, [](const GameSummary& game) { return game.records == 0; });
  std::sort(games->begin(), games->end(),
            [](const GameSummary& a, const GameSummary& b) { return a.id > b.id; });
  for (const GameSummary& game : *games) {
    if (out.size() == most) break;
    out.push_back({fmt::format("{}, {}", game.name, DayOf(game.started_unix_s)),
                   {option, fmt::format("{}", game.id)}});
  }
  return out;
}

// The recordings that are at hand. A film whose table is not known is to be set up.
std::vector<RecentGame> Recordings() {
  std::vector<RecentGame> out;
  for (const RecordingAtHand& one : RecordingsAtHand()) {
    out.push_back({one.name, {one.path.string()}});
    if (!one.is_clip) out.back().arguments.insert(out.back().arguments.begin(), kSetupOption);
  }
  return out;
}

// Whether both open the same: a file may be reached by several paths.
bool SameArguments(const std::vector<std::string>& one, const std::vector<std::string>& other) {
  return std::equal(one.begin(), one.end(), other.begin(), other.end(),
                    [](const std::string& a, const std::string& b) {
                      std::error_code ec;
                      return a == b || std::filesystem::equivalent(a, b, ec);
                    });
}

// What the start screen offers: recent games first, each once.
std::vector<Offered> GamesToOffer() {
  std::vector<Offered> out = {{"Continue", ReadRecent(RecentFile())},
                              {kNewMatch, Recordings()},
                              {"Replay", RecordedGames("--replay", 5)},
                              {"Reports", RecordedGames("--report", 3)},
                              {kNewGames, ShippedGames()}};
  const std::vector<RecentGame> recent = out[0].games;
  for (Offered& offered : out) {
    if (offered.group == "Continue") continue;
    std::erase_if(offered.games, [&](const RecentGame& game) {
      return std::any_of(recent.begin(), recent.end(), [&](const RecentGame& one) {
        return SameArguments(one.arguments, game.arguments);
      });
    });
  }
  return out;
}

// Where what is chosen on the start screen writes to: beside the club's file, for nobody named a
// folder.
std::filesystem::path KeptFolder() { return DefaultClubFile().parent_path(); }
std::string KeptFolder(const char* name) { return (KeptFolder() / name).string(); }

// What the start screen offers to continue the next time; empty: nothing of it is kept.
std::optional<RecentGame> ToContinue(const LiveRequest& request) {
  if (request.game.no_log) return std::nullopt;
  return RecentOf(request);
}

// The picture of a recorded game is also that of its replay: one of the default file's.
void KeepForReplay(const std::filesystem::path& picture, const ClubFileOption& club,
                   std::int64_t game) {
  std::error_code ec;
  if (!std::filesystem::equivalent(club.Path(), ClubFileOption{}.Path(), ec)) return;
  const std::filesystem::path to = PictureOf({"--replay", fmt::format("{}", game)});
  if (!picture.empty() && !to.empty())
    std::filesystem::copy_file(picture, to, std::filesystem::copy_options::overwrite_existing, ec);
}

// Carries out requests mode by mode. Every mode opens what it needs and closes it when it ends, so
// that the next one finds camera, window and club's file free.
class LiveModes {
 public:
  explicit LiveModes(Console& console) : console_(console) {}

  int Run(LiveMode mode) {
    while (mode != LiveMode::kLeave) {
      const Result<ModeEnd> end = RunMode(mode);
      if (!end.ok()) {
        mirror_.Finish(console_.err);
        if (wrong_usage_) return BadUsage(console_, "live", end.error().message);
        return BadInput(console_, end.error().message);
      }
      mode = After(mode, *end);
    }
    mirror_.Finish(console_.err);
    return status_;
  }

  LiveRequest request;  // for kReplay, kGame and kMatch
  SetupRequest setup;   // for kSetup and kMatchSetup

 private:
  Result<ModeEnd> RunMode(LiveMode mode) {
    switch (mode) {
      case LiveMode::kStartScreen:
        return StartScreen();
      case LiveMode::kReplay:
        return Replay();
      case LiveMode::kGame:
        return Game();
      case LiveMode::kMatch:
        return Match();
      case LiveMode::kSetup:
      case LiveMode::kMatchSetup:
        return SetUpTable();
      case LiveMode::kLeave:
        break;
    }
    return ModeEnd::kClosed;
  }
  LiveMode After(LiveMode mode, ModeEnd end) const {
    for (const Transition& one : kTransitions) {
      if (one.from == mode && one.end == end) return one.to.value_or(ModeOf(request));
    }
    return LiveMode::kLeave;
  }

  Result<ModeEnd> StartScreen();
  Result<ModeEnd> Replay();
  Result<ModeEnd> ShowWatchedReplay(OpenedGame game);
  Result<ModeEnd> Game();
  Result<ModeEnd> Match();
  Result<ModeEnd> SetUpTable();

  // Only what is opened knows its sides. A player of a side that it lacks is wrong usage.
  Status CheckPlayers(const std::vector<std::string>& sides);
  Status CheckPlayersOf(const std::string& game_file);

  // Shows a game without a camera until its window is closed.
  Result<ModeEnd> ShowGame(const PlayedGame& game);
  Result<std::shared_ptr<MatchJournal>> OpenMatchJournal(const Rig& rig, bool game_played) const;
  Status WatchMatch(Window& window, LiveSession& session, GameController* game,
                    const Interrupt& interrupt) const;
  ModeEnd AfterMatch(const Window& window, const MatchJournal* journal, bool live_source);

  // From now on the club's file goes to the server, where the request or the preferences name one.
  Status KeepMirrored();
  WindowOptions WithKeptLook(WindowOptions options);
  void PrintTimes(const Window& window) const;

  Console& console_;
  int status_ = kExitDone;
  bool wrong_usage_ = false;  // the error that ends the program is of an option's value
  KeptMirror mirror_;
  std::string mirrored_;    // the file and server that mirror_ is of
  std::int64_t match_ = 0;  // number in the club's file of the camera's match to continue; 0: none
};

Status LiveModes::CheckPlayers(const std::vector<std::string>& sides) {
  const Result<std::vector<Seat>> seats = SeatsFrom(request.game.players, sides);
  wrong_usage_ = !seats.ok();
  return seats.ok() ? Ok() : Status(seats.error());
}

// A game that cannot be opened says so itself.
Status LiveModes::CheckPlayersOf(const std::string& game_file) {
  if (request.game.players.empty() || game_file.empty()) return Ok();
  const Result<std::unique_ptr<RuleGame>> game = OpenGame(game_file, 0);
  return game.ok() ? CheckPlayers((*game)->View().sides) : Ok();
}

Status LiveModes::KeepMirrored() {
  ClubFileOption club = request.game.club;
  if (club.server.empty()) club.server = request.window.look.club;
  if (request.game.no_log || club.server.empty()) return Ok();
  const std::string wanted = club.Path().string() + ' ' + club.server;
  if (wanted == mirrored_) return Ok();
  mirror_.Finish(console_.err);
  Result<KeptMirror> mirror = KeptMirror::Start(club);
  if (!mirror.ok()) return mirror.error();
  mirror_ = std::move(mirror).value();
  mirrored_ = wanted;
  return Ok();
}

// The look that players choose lasts from mode to mode, and in the preferences' file.
WindowOptions LiveModes::WithKeptLook(WindowOptions options) {
  options.may_audience = true;
  options.keep = [this](const Preferences& now) {
    request.window.look = now;
    request.window.audience = false;  // from now on the settings say so
    setup.window.look = now;
    (void)WritePreferences(PreferencesFile(), now);
  };
  return options;
}

void LiveModes::PrintTimes(const Window& window) const {
  if (!request.profile) return;
  const WindowTimes times = window.Times();
  console_.out << fmt::format("window: {} frames, median {:.1f} ms, p99 {:.1f} ms\n", times.frames,
                              times.median_ms, times.p99_ms);
}

// Writes the report of a recorded game and opens it. Returns what to tell the players.
std::string OpenReport(const std::string& game) {
  const std::filesystem::path folder = KeptFolder("reports");
  const std::filesystem::path file = folder / fmt::format("report-{}.html", game);
  std::error_code ec;
  std::filesystem::create_directories(folder, ec);
  std::ostringstream said;
  std::ostringstream wrong;
  Console console{said, wrong};
  std::filesystem::path pdf = file;
  pdf.replace_extension(".pdf");
  if (RunReport({game, "--out", file.string(), "--pdf", pdf.string()}, console) != kExitDone)
    return wrong.str();
  const char* path = std::getenv("PATH");
  const std::string opener = FindProgram({"xdg-open"}, path != nullptr ? path : "");
  const bool opened = !opener.empty() && StartQuietly({opener, file.string()}) > 0;
  return fmt::format("{} {}. To print it: {}", opened ? "The report is opened:" : "The report is in",
                     file.string(), pdf.string());
}

Result<ModeEnd> LiveModes::StartScreen() {
  std::vector<std::vector<std::string>> arguments;  // by line; none: a new set-up
  const std::filesystem::path last_setup = LastSetup(KeptFolder());
  std::vector<StartChoice> lines;
  for (const Offered& offered : GamesToOffer()) {
    if (offered.group == kNewMatch) {
      arguments.emplace_back();
      lines.push_back({"Set up a new table and battle",
                       "Rules, camera or recording, table and armies from the beginning", 's',
                       kNewMatch, false});
      if (!last_setup.empty()) {
        arguments.push_back({kLastSetup});
        lines.push_back(
            {fmt::format("The last set-up: {}", ScenarioName(last_setup / "scenario.toml")),
             "Its table, terrain and armies, to change or to referee", 'l', kNewMatch, false});
      }
    }
    for (const RecentGame& game : offered.games) {
      arguments.push_back(game.arguments);
      lines.push_back(ChoiceOf(game, offered.group));
    }
  }
  WindowOptions options;
  options.look = request.window.look;
  options.width = request.window.width;
  options.height = request.window.height;
  options.without_display = "use `fallofshot judge` or `fallofshot play`, which need none";
  Result<std::unique_ptr<Window>> window = Window::Open(options);
  if (!window.ok()) return window.error();
  std::string notice;
  std::optional<std::size_t> chosen;
  for (;;) {
    chosen = (*window)->Choose(lines, notice);
    if (!chosen) return ModeEnd::kClosed;
    const std::vector<std::string>& asked = arguments[*chosen];
    if (asked.empty() || asked.front() != "--report") break;
    notice = OpenReport(asked.back());
  }
  const std::vector<std::string>& wanted = arguments[*chosen];
  if (wanted.empty() || wanted.front() == kSetupOption || wanted.front() == kLastSetup) {
    const bool last = !wanted.empty() && wanted.front() == kLastSetup;
    setup = {};
    setup.window.look = request.window.look;
    setup.out = (last ? last_setup : NewSetupFolder(KeptFolder())).string();
    setup.ask_rules = !last;
    request.out_folder = KeptFolder("live");
    if (!wanted.empty() && !last) setup.source = wanted.back();
    return ModeEnd::kSetUp;
  }
  ParsedLiveRequest parsed =
      ParseLiveRequest(wanted, request.window.look, console_);
  if (!parsed.request) {
    status_ = parsed.status;
    return ModeEnd::kClosed;
  }
  request = *std::move(parsed.request);
  request.out_folder = KeptFolder("live");
  return ModeEnd::kChosen;
}

Result<ModeEnd> LiveModes::Replay() {
  request.window.without_display = "use `fallofshot replay` without --window, which needs none";
  Result<OpenedGame> opened = OpenGameLog(request.game.club, request.game.replay);
  if (!opened.ok()) return opened.error();
  if (opened->log.start.kind == GameStart::Kind::kWatched) {
    return ShowWatchedReplay(std::move(opened).value());
  }
  Result<GameController::Setup> recorded =
      GameRecorder::ReplaySetup(request.game.club.Path(), request.game.replay);
  if (!recorded.ok()) return recorded.error();
  Result<std::unique_ptr<GameController>> controller =
      GameController::Open(std::move(recorded).value());
  if (!controller.ok()) return controller.error();
  PlayedGame game;
  game.controller = std::move(controller).value();
  game.controller->StepTo(static_cast<std::size_t>(request.game.until));
  return ShowGame(game);
}

Result<ModeEnd> LiveModes::ShowWatchedReplay(OpenedGame game) {
  Result<std::unique_ptr<WatchedReplay>> replay = WatchedReplay::Open(std::move(game));
  if (!replay.ok()) return replay.error();
  (*replay)->StepTo(static_cast<std::size_t>(request.game.until));
  Result<std::unique_ptr<Window>> window = Window::Open(WithKeptLook(request.window));
  if (!window.ok()) return window.error();
  const Status ended = (*window)->Run([&] { return (*replay)->Now(); }, **replay);
  PrintTimes(**window);
  if (!ended.ok()) return ended.error();
  return ModeEnd::kClosed;
}

Result<ModeEnd> LiveModes::Game() {
  request.window.without_display = "use `fallofshot play`, which needs none";
  if (const Status kept = KeepMirrored(); !kept.ok()) return kept.error();
  if (const Status fit = CheckPlayersOf(request.game.file); !fit.ok()) return fit.error();
  const Result<PlayedGame> game = OpenPlayedGame(request.game, request.game.file);
  if (!game.ok()) return game.error();
  if (const std::optional<RecentGame> recent = ToContinue(request)) {
    // A list that cannot be written costs nobody the game.
    (void)NoteRecent(RecentFile(), *recent);
    request.window.keepsake = PictureOf(recent->arguments);
  }
  const Result<ModeEnd> ended = ShowGame(*game);
  const ClubFileOption& club = request.game.club;
  if (game->recorder != nullptr) {
    KeepForReplay(request.window.keepsake, club, game->recorder->Game());
  }
  return ended;
}

Result<ModeEnd> LiveModes::ShowGame(const PlayedGame& game) {
  Result<std::unique_ptr<Window>> window = Window::Open(WithKeptLook(request.window));
  if (!window.ok()) return window.error();
  NoShots no_shots;
  const auto start = std::chrono::steady_clock::now();
  std::shared_ptr<const GameShown> shown_game;
  std::shared_ptr<const Snapshot> shown;
  const Status ended = (*window)->Run(
      [&] {
        if (game.controller->Now() != shown_game) {
          shown_game = game.controller->Now();
          const std::chrono::duration<double> since = std::chrono::steady_clock::now() - start;
          shown = PlainSnapshot(*game.controller, since.count());
        }
        return shown;
      },
      no_shots, game.controller.get());
  game.RecordEnd();
  PrintTimes(**window);
  if (!ended.ok()) return ended.error();
  return ModeEnd::kClosed;
}

Result<Rig> OpenWatchedRig(const WatchRequest& watch, OutFolder& out) {
  if (!watch.clip.empty()) return OpenRig(watch.clip, out, watch.rig);
  return OpenRig(RigParts{watch.source, watch.table, watch.scenario, watch.camera, watch.rig});
}

// Null: the match is not recorded.
Result<std::shared_ptr<MatchJournal>> LiveModes::OpenMatchJournal(const Rig& rig,
                                                                  bool game_played) const {
  const GameRequest& game = request.game;
  // When a game is played, --resume names that game; the match has a record of its own.
  std::string resume = game_played ? std::string() : game.resume;
  if (match_ != 0) resume = fmt::format("{}", match_);
  // A recording that is watched again is no new game, unless the players ask to record it.
  const bool wanted =
      rig.live || !game.club.file.empty() || !resume.empty() || !game.players.empty();
  if (!wanted || game.no_log) return std::shared_ptr<MatchJournal>();
  Result<std::unique_ptr<MatchJournal>> journal =
      resume.empty()
          ? MatchJournal::Begin(game.club.Path(), rig.files, rig.scenario,
                                std::filesystem::path(rig.name).filename().string(), game.players)
          : MatchJournal::Resume(game.club.Path(), resume);
  if (!journal.ok()) {
    return Error{journal.error().code, journal.error().message + "; or use --no-log"};
  }
  return std::shared_ptr<MatchJournal>(std::move(journal).value());
}

Result<ModeEnd> LiveModes::Match() {
  if (const Status kept = KeepMirrored(); !kept.ok()) return kept.error();
  const std::string scenario = request.watch.ScenarioFile();
  const std::string to_play = request.game.FileToPlay(request.watch);
  if (const Status fit = CheckPlayersOf(to_play); !fit.ok()) return fit.error();
  const Result<PlayedGame> game = OpenPlayedGame(request.game, to_play);
  if (!game.ok()) return game.error();
  const bool game_played = game->controller != nullptr;
  OutFolder out(request.out_folder);
  Result<Rig> rig = OpenWatchedRig(request.watch, out);
  if (!rig.ok()) return rig.error();
  std::vector<std::string> sides;
  for (const SideSpec& side : rig->scenario.sides) sides.push_back(side.name);
  if (const Status fit = CheckPlayers(sides); !fit.ok()) return fit.error();
  const bool live_source = rig->live;
  LiveOptions live;
  live.policy = request.policy;
  Result<std::shared_ptr<MatchJournal>> journal = OpenMatchJournal(*rig, game_played);
  if (!journal.ok()) return journal.error();
  live.journal = *journal;
  if (const Status made = out.Make(); !made.ok()) return made.error();

  const std::optional<RecentGame> recent = ToContinue(request);
  WindowOptions options = WithKeptLook(request.window);
  // A camera is refereed in the window alone.
  if (!live_source) options.without_display = "use `fallofshot judge`, which needs none";
  if (recent) options.keepsake = PictureOf(recent->arguments);
  options.may_set_up = true;
  options.may_play = !game_played && OpenGame(scenario, 0).ok();
  Result<std::unique_ptr<Window>> window = Window::Open(options);
  if (!window.ok()) return window.error();
  // Also the log from before F9 or F10: the record in the club's file goes on, this log is new.
  const Result<std::filesystem::path> earlier = out.SetEarlierAside();
  if (!earlier.ok()) return earlier.error();
  if (!earlier->empty()) {
    live.notice = fmt::format("The earlier log is now in {}", earlier->string());
    console_.out << live.notice << std::endl;
  }
  if (recent) (void)NoteRecent(RecentFile(), *recent);
  live.on_news = [] { Window::Wake(); };

  Status ended = Ok();
  std::shared_ptr<const Snapshot> last;
  bool interrupted = false;
  {
    const Interrupt interrupt;
    LiveSession session(std::move(*rig), out, live);
    ended = WatchMatch(**window, session, game->controller.get(), interrupt);
    last = session.Now();
    interrupted = interrupt.Asked();
  }
  PrintTimes(**window);
  const ClubFileOption& club = request.game.club;
  if (live.journal != nullptr) KeepForReplay(options.keepsake, club, live.journal->Game());
  if (game->recorder != nullptr) KeepForReplay(options.keepsake, club, game->recorder->Game());
  game->RecordEnd();
  // After F9 the game is continued, not begun once more.
  if (game_played) request.game.begin_anew = false;
  if (last->watching == Watching::kFailed) return Error{ErrorCode::kIo, last->why};
  if (!ended.ok()) return ended.error();
  if (interrupted) {
    (void)BadInput(
        console_,
        fmt::format("interrupted; the events up to then are in {}",
                    (std::filesystem::path(request.out_folder) / "events.jsonl").string()));
    status_ = kExitInterrupted;
    return ModeEnd::kInterrupted;
  }
  return AfterMatch(**window, live.journal.get(), live_source);
}

Status LiveModes::WatchMatch(Window& window, LiveSession& session, GameController* game,
                             const Interrupt& interrupt) const {
  bool placed = !request.game.as_watched;
  const auto now = [&] {
    std::shared_ptr<const Snapshot> shown = session.Now();
    if (interrupt.Asked()) window.Close();
    // Before the first line of the game every stand is put where the camera found it.
    if (!placed && shown->stands != nullptr) {
      placed = true;
      game->PlaceAsSeen(*shown->stands, shown->frame.time_s);
    }
    return shown;
  };
  return window.Run(now, session, game);
}

// Prepares the mode that the players asked for when they left the match.
ModeEnd LiveModes::AfterMatch(const Window& window, const MatchJournal* journal, bool live_source) {
  if (!window.WantsPlay() && !window.WantsSetup()) return ModeEnd::kClosed;
  // A camera's match continues under its number; a recording starts over.
  match_ = journal != nullptr && live_source ? journal->Game() : 0;
  if (window.WantsPlay()) {
    request.game.as_watched = true;
    request.game.resume.clear();  // it named the match
    return ModeEnd::kPlay;
  }
  const WatchRequest& watch = request.watch;
  setup = {};
  setup.window.look = request.window.look;
  setup.source = watch.clip.empty() ? watch.source : watch.clip;
  setup.out = (std::filesystem::path(request.out_folder) / "setup").string();
  setup.table = watch.table;
  setup.scenario = watch.scenario;
  setup.camera = watch.camera;
  setup.rig = watch.rig;
  return ModeEnd::kSetUp;
}

Result<ModeEnd> LiveModes::SetUpTable() {
  SetupRequest wanted = setup;
  wanted.window = WithKeptLook(setup.window);
  wanted.window.may_audience = false;
  wanted.window.without_display =
      "run `fallofshot setup` on a desktop; `fallofshot calibrate`, which needs none, measures "
      "lens and table";
  const Result<std::optional<WatchRequest>> to_referee = SetUp(wanted, console_);
  if (!to_referee.ok()) return to_referee.error();
  if (!*to_referee) return ModeEnd::kClosed;
  const Preferences look = request.window.look;
  const std::string out_folder = request.out_folder;
  request = {};
  request.window.look = look;
  request.out_folder = out_folder;
  request.watch = **to_referee;
  match_ = 0;
  return ModeEnd::kReferee;
}

}  // namespace

LiveMode ModeOf(const LiveRequest& request) {
  if (!request.game.replay.empty()) return LiveMode::kReplay;
  if (request.watch.Any()) return LiveMode::kMatch;
  return request.game.file.empty() ? LiveMode::kStartScreen : LiveMode::kGame;
}

int RunStartScreen(const Preferences& look, Console& console) {
  LiveModes modes(console);
  modes.request.window.look = look;
  return modes.Run(LiveMode::kStartScreen);
}

int RunLiveRequest(LiveRequest request, Console& console) {
  LiveModes modes(console);
  modes.request = std::move(request);
  return modes.Run(ModeOf(modes.request));
}

int RunSetupRequest(SetupRequest request, Console& console) {
  LiveModes modes(console);
  modes.request.window.look = request.window.look;
  modes.setup = std::move(request);
  return modes.Run(LiveMode::kSetup);
}

}  // namespace fos
