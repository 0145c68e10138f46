#include "ui/window/live_command.h"
#include "ui/cli/club_flag.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <ostream>
#include <random>
#include <system_error>
#include <utility>

#include "engine/files/data_path.h"
#include "engine/rules/rule_sets.h"
#include "ui/cli/interrupt.h"
#include "ui/cli/log_commands.h"
#include "ui/cli/options.h"
#include "ui/play/game_recorder.h"
#include "ui/play/watched_replay.h"
#include "ui/session/club_file.h"
#include "ui/session/live_session.h"
#include "ui/session/rig.h"
#include "ui/window/plain_snapshot.h"
#include "ui/window/setup_command.h"
#include "ui/window/window.h"

namespace fos {
namespace {

// The game that is played under the rules, and where it is kept.
struct Desk {
  std::unique_ptr<GameRecorder> log;           // null: kept nowhere
  std::unique_ptr<GameController> controller;  // null: no game is played
};
struct RecorderWanted {
  std::string game;
  std::filesystem::path club;
  std::string players;
  std::string resume;
  bool anew = false;
  bool no_log = false;
  std::string replay;  // a kept game to step through, instead of `game`
  int until = 0;
};

Result<Desk> OpenController(const RecorderWanted& wanted) {
  Desk out;
  if (!wanted.replay.empty()) {
    Result<GameController::Setup> kept = GameRecorder::ReplaySetup(wanted.club, wanted.replay);
    if (!kept.ok()) return kept.error();
    Result<std::unique_ptr<GameController>> controller =
        GameController::Open(std::move(kept).value());
    if (!controller.ok()) return controller.error();
    out.controller = std::move(controller).value();
    out.controller->StepTo(static_cast<std::size_t>(wanted.until));
    return out;
  }
  if (wanted.game.empty()) return out;
  const auto seed = static_cast<std::uint64_t>(std::random_device{}()) << 32 |
                    static_cast<std::uint64_t>(std::random_device{}());
  GameController::Setup setup;
  if (wanted.no_log) {
    const Result<TableFrame> board = BoardOf(wanted.game);
    if (!board.ok()) return board.error();
    setup.open = [file = wanted.game, seed] { return OpenGame(file, seed); };
    setup.name = std::filesystem::path(wanted.game).stem().string();
    setup.board = *board;
    setup.terrain = TerrainOf(wanted.game, *board);
  } else {
    GameRecorder::Wanted kept;
    kept.club = wanted.club;
    kept.scenario = wanted.game;
    kept.players = wanted.players;
    if (!wanted.resume.empty()) kept.resume = wanted.resume;
    kept.anew = wanted.anew;
    kept.seed = seed;
    Result<std::unique_ptr<GameRecorder>> log = GameRecorder::Open(kept);
    if (!log.ok()) return log.error();
    Result<GameController::Setup> logged = (*log)->Setup();
    if (!logged.ok()) return logged.error();
    out.log = std::move(log).value();
    setup = std::move(logged).value();
  }
  Result<std::unique_ptr<GameController>> controller = GameController::Open(std::move(setup));
  if (!controller.ok()) return controller.error();
  out.controller = std::move(controller).value();
  return out;
}

// A game that came to its end is not gone on with the next time.
void NoteEnd(Desk& controller) {
  if (controller.log != nullptr && controller.controller->Now()->prompt.kind == PromptKind::kOver) {
    (void)controller.log->End();
  }
}

void SayTimes(const Window& window, Console& console) {
  const WindowTimes times = window.Times();
  console.out << fmt::format("window: {} frames, median {:.1f} ms, p99 {:.1f} ms\n", times.frames,
                             times.median_ms, times.p99_ms);
}

// No camera tells what the players say to its shots: there are none.
struct NoShots : WordSink {
  void Post(PlayerWord) override {}
};

// A game without a camera.
int RunPlain(const WindowOptions& options, Desk& controller, bool profile, Console& console) {
  Result<std::unique_ptr<Window>> window = Window::Open(options);
  if (!window.ok()) return BadInput(console, window.error().message);
  NoShots nobody;
  const auto start = std::chrono::steady_clock::now();
  std::shared_ptr<const GameShown> game;
  std::shared_ptr<const Snapshot> shown;
  const Status ended = (*window)->Run(
      [&] {
        if (controller.controller->Now() != game) {
          game = controller.controller->Now();
          const std::chrono::duration<double> since = std::chrono::steady_clock::now() - start;
          shown = PlainSnapshot(*controller.controller, since.count());
        }
        return shown;
      },
      nobody, controller.controller.get());
  NoteEnd(controller);
  if (profile) SayTimes(**window, console);
  return ended.ok() ? kExitDone : BadInput(console, ended.error().message);
}

// A watched game, forward and back.
int RunWatchedReplay(const WindowOptions& options, OpenedGame game, int until, bool profile,
                     Console& console) {
  Result<std::unique_ptr<WatchedReplay>> replay = WatchedReplay::Open(std::move(game));
  if (!replay.ok()) return BadInput(console, replay.error().message);
  (*replay)->StepTo(static_cast<std::size_t>(until));
  Result<std::unique_ptr<Window>> window = Window::Open(options);
  if (!window.ok()) return BadInput(console, window.error().message);
  const Status ended = (*window)->Run([&] { return (*replay)->Now(); }, **replay);
  if (profile) SayTimes(**window, console);
  return ended.ok() ? kExitDone : BadInput(console, ended.error().message);
}

std::string Absolute(const std::string& path) {
  std::error_code ec;
  const std::filesystem::path out = std::filesystem::absolute(path, ec);
  return ec ? path : out.lexically_normal().string();
}

// The games that ship with the program, in their files' order.
std::vector<RecentGame> ShippedGames() {
  std::vector<RecentGame> out;
  const Result<std::filesystem::path> one = FindData("datasets/scenarios/skirmish.toml");
  if (!one.ok()) return out;
  std::error_code ec;
  for (const auto& entry : std::filesystem::directory_iterator(one->parent_path(), ec)) {
    if (entry.path().extension() != ".toml") continue;
    out.push_back({entry.path().stem().string(), {"--game", entry.path().string()}});
  }
  std::sort(out.begin(), out.end(),
            [](const RecentGame& a, const RecentGame& b) { return a.name < b.name; });
  return out;
}

// The newest games of the club's file, to step through.
std::vector<RecentGame> KeptGames() {
  constexpr std::size_t kShown = 5;
  std::vector<RecentGame> out;
  JournalOptions options;
  options.read_only = true;
  const Result<Journal> journal = Journal::Open(ClubFlag{}.Path(), options);
  if (!journal.ok()) return out;
  Result<std::vector<GameSummary>> games = journal->Games();
  if (!games.ok()) return out;
  std::erase_if(*games, [](const GameSummary& game) { return game.records == 0; });
  std::sort(games->begin(), games->end(),
            [](const GameSummary& a, const GameSummary& b) { return a.id > b.id; });
  for (const GameSummary& game : *games) {
    if (out.size() == kShown) break;
    out.push_back({fmt::format("replay of {}, {}", game.name, DayOf(game.started_unix_s)),
                   {"--replay", fmt::format("{}", game.id)}});
  }
  return out;
}

// watched  the number in the club's file of a camera's match that is gone on with; 0: none is.
int RunLive(const std::vector<std::string>& arguments, Console& console, std::int64_t watched = 0);

// Nothing was said to be opened: what was open lately is offered, then the games that ship.
int RunStart(const Preferences& look, Console& console) {
  std::vector<RecentGame> games = ReadRecent(RecentFile());
  for (RecentGame& game : KeptGames()) games.push_back(std::move(game));
  for (RecentGame& game : ShippedGames()) {
    const bool there = std::any_of(games.begin(), games.end(), [&](const RecentGame& one) {
      return one.arguments == game.arguments;
    });
    if (!there) games.push_back(std::move(game));
  }
  std::vector<StartLine> lines;
  for (const RecentGame& game : games) {
    lines.push_back({game.name, fmt::format("{}", fmt::join(game.arguments, " ")), 0});
  }
  lines.push_back({"Set up a table and a battle", "by picture, or on the map alone", 's'});
  std::optional<std::size_t> chosen;
  {
    WindowOptions options;
    options.look = look;
    Result<std::unique_ptr<Window>> window = Window::Open(options);
    if (!window.ok()) return BadInput(console, window.error().message);
    chosen = (*window)->Choose(lines);
  }
  if (!chosen) return kExitDone;
  return *chosen < games.size() ? RunLive(games[*chosen].arguments, console)
                                : SetupCommand().run({}, console);
}

int RunLive(const std::vector<std::string>& arguments, Console& console, std::int64_t watched) {
  std::string clip;
  std::string source;
  std::string table;
  std::string scenario;
  std::string camera;
  std::string rig_file;
  std::string out_folder = "out/live";
  std::string screenshot;
  bool profile = false;
  bool no_log = false;
  std::string game_file;
  bool anew = false;
  bool play = false;
  ClubFlag club;
  std::string players;
  std::string resume;
  std::string replay;
  int until = 0;
  WindowOptions window_options;
  LiveOptions live;
  const std::filesystem::path settings = PreferencesFile();
  const Result<Preferences> preferences = ReadPreferences(settings);
  if (!preferences.ok()) return BadInput(console, preferences.error().message);
  Preferences& look = window_options.look;
  look = *preferences;
  Options options(
      "live CLIP [options]\n       fallofshot live --source S --table T --scenario G "
      "[options]",
      "Opens the referee's window on a camera, a stream or a recording.");
  options.OptionalArgument("CLIP", clip, "folder of a recorded clip, instead of the next four")
      .Text("source", "S", source, "camera number, file, folder of pictures or URL")
      .Text("table", "FILE", table, "table.toml")
      .Text("scenario", "FILE", scenario, "scenario.toml")
      .Text("game", "FILE", game_file,
            "play this game under its rules, with or without a camera: datasets/scenarios/*.toml")
      .Flag("play", play, "play what CLIP or --scenario sets out under its rules, as it is seen")
      .Flag("new", anew, "begin the game again although it was broken off")
      .Text("camera", "FILE", camera, "camera.yaml; the one beside table.toml when not given")
      .Text("rig", "FILE", rig_file, "of `calibrate table --rig`: instead of --table and --camera")
      .Text("out", "DIR", out_folder, "where events.jsonl, session.jsonl and evidence/ go")
      .Number("doubt", live.policy.doubt, 0.0, 0.5,
              "how likely the other answer may be for a hit or a miss to be called")
      .Number("ui-scale", look.ui_scale, 0.0, kMostUiScale,
              "size of letters and buttons; 0 takes the screen's own")
      .Integer("width", window_options.width, 320, 16384, "of the window")
      .Integer("height", window_options.height, 240, 16384, "of the window")
      .Flag("light", look.light, "dark letters on light ground")
      .Flag("safe-colours", look.safe_colours, "sides told apart by every kind of eye")
      .Flag("full-screen", look.full_screen, "fill the screen")
      .Flag("exit-at-end", window_options.exit_at_end, "leave when the recording has ended")
      .Text("screenshot", "FILE", screenshot, "write the window to this PNG when it is left")
      .Flag("profile", profile, "say how long the frames took")
      .Text("players", "SIDE=NAME,...", players, "who plays, for the club's file")
      .Text("resume", "GAME", resume, "go on with a game of the club's file that was broken off")
      .Text("replay", "GAME", replay, "step through a game of the club's file, forward and back")
      .Integer("until", until, 0, 1000000000, "with --replay: begin after so many lines or steps")
      .Flag("no-log", no_log, "keep nothing in the club's file");
  AddClubFlag(options, club);
  const Result<bool> parsed = options.Parse(arguments);
  if (!parsed.ok()) return BadUsage(console, "live", parsed.error().message);
  if (*parsed) {
    console.out << options.Help();
    return kExitDone;
  }
  const bool parts = !source.empty() || !table.empty() || !scenario.empty() || !camera.empty();
  if (arguments.empty()) return RunStart(look, console);
  const bool replays = !replay.empty();
  if (replays && (!clip.empty() || parts || !rig_file.empty() || !game_file.empty() ||
                  !resume.empty() || !players.empty() || anew || no_log)) {
    return BadUsage(console, "live", "--replay shows what was played: give only --db with it");
  }
  const bool plain = replays || (clip.empty() && !parts && rig_file.empty() && !game_file.empty());
  const bool enough = !source.empty() && !(table.empty() && rig_file.empty()) && !scenario.empty();
  if (!plain && clip.empty() && !enough) {
    return BadUsage(console, "live",
                    "give a CLIP, or --source, --scenario and either --table or --rig, or --game "
                    "alone");
  }
  if (!clip.empty() && parts) {
    return BadUsage(console, "live",
                    "CLIP already says what --source, --table, --scenario and --camera would");
  }
  if (no_log && (!resume.empty() || !players.empty() || !club.file.empty())) {
    return BadUsage(console, "live",
                    "--no-log keeps nothing, so give no --db, --resume, --players");
  }
  if (play && (plain || !game_file.empty())) {
    return BadUsage(console, "live",
                    "--play plays what a CLIP or --scenario sets out: give one, and no --game");
  }
  if (play) {
    game_file = clip.empty() ? scenario : (std::filesystem::path(clip) / "scenario.toml").string();
  }
  window_options.screenshot = screenshot;
  window_options.keep = [&](const Preferences& now) { (void)WritePreferences(settings, now); };

  if (replays) {
    Result<OpenedGame> opened = OpenGameLog(club, replay);
    if (!opened.ok()) return BadInput(console, opened.error().message);
    if (opened->log.start.kind == GameStart::Kind::kWatched) {
      return RunWatchedReplay(window_options, std::move(opened).value(), until, profile, console);
    }
  }
  Result<Desk> controller =
      OpenController({game_file, club.Path(), players, resume, anew, no_log, replay, until});
  if (!controller.ok()) return BadInput(console, controller.error().message);
  RecentGame opened;
  for (const auto& [flag, value] :
       {std::pair{"", &clip}, std::pair{"--source", &source}, std::pair{"--table", &table},
        std::pair{"--scenario", &scenario}, std::pair{"--camera", &camera},
        std::pair{"--rig", &rig_file}, std::pair{"--game", &game_file}}) {
    if (value->empty() || (play && value == &game_file)) continue;
    if (*flag != '\0') opened.arguments.emplace_back(flag);
    // A camera's number and a stream's address are no paths.
    std::error_code ec;
    opened.arguments.push_back(std::filesystem::exists(*value, ec) ? Absolute(*value) : *value);
    opened.name = std::filesystem::path(*value).stem().string();
  }
  if (play) opened.arguments.emplace_back("--play");
  if (plain) {
    // A comfort: the game goes on without it. Replays are offered from the club's file itself.
    if (!replays) (void)NoteRecent(RecentFile(), opened);
    return RunPlain(window_options, *controller, profile, console);
  }
  // What is resumed is then the game that is played: what the camera watches is a match of its own.
  if (controller->controller != nullptr) resume.clear();
  if (watched != 0) resume = fmt::format("{}", watched);

  OutFolder out(out_folder);
  Result<Rig> rig = clip.empty() ? OpenRig(RigParts{source, table, scenario, camera, rig_file})
                                 : OpenRig(clip, out, rig_file);
  if (!rig.ok()) return BadInput(console, rig.error().message);
  // A recording that is looked at again is no new game, unless somebody wants it kept.
  const bool kept = rig->live || !club.file.empty() || !resume.empty() || !players.empty();
  if (kept && !no_log) {
    Result<std::unique_ptr<MatchJournal>> journal =
        resume.empty()
            ? MatchJournal::Begin(club.Path(), rig->files, rig->scenario,
                                  std::filesystem::path(rig->name).filename().string(), players)
            : MatchJournal::Resume(club.Path(), resume);
    if (!journal.ok()) return BadInput(console, journal.error().message + "; or use --no-log");
    live.journal = std::move(journal).value();
  }
  const Status made = out.Make();
  if (!made.ok()) return BadInput(console, made.error().message);
  window_options.may_set_up = true;
  // Said in the window what --play says: the game of what it watches.
  window_options.may_play = controller->controller == nullptr &&
                            OpenGame(clip.empty() ? std::filesystem::path(scenario)
                                                  : std::filesystem::path(clip) / "scenario.toml",
                                     0)
                                .ok();
  const bool resumable = live.journal != nullptr && rig->live && resume.empty();
  const bool camera_goes_on = live.journal != nullptr && rig->live;
  Result<std::unique_ptr<Window>> window = Window::Open(window_options);
  if (!window.ok()) return BadInput(console, window.error().message);
  // Also what was watched before F9 or F10: the club's file goes on with it, this log begins anew.
  const Result<std::filesystem::path> earlier = out.SetEarlierAside();
  if (!earlier.ok()) return BadInput(console, earlier.error().message);
  if (!earlier->empty()) {
    live.notice = fmt::format("The log of before is kept in {}", earlier->string());
    console.out << live.notice << std::endl;
  }
  (void)NoteRecent(RecentFile(), opened);
  live.on_news = [] { Window::Wake(); };
  Status ended = Ok();
  std::shared_ptr<const Snapshot> last;
  bool interrupted = false;
  {
    const Interrupt interrupt;
    LiveSession session(std::move(*rig), out, live);
    bool placed = !play;
    const auto now = [&] {
      std::shared_ptr<const Snapshot> shown = session.Now();
      if (interrupt.Asked()) (*window)->Close();
      // Before the first line is said everything stands where the camera found it.
      if (!placed && shown->stands != nullptr) {
        placed = true;
        controller->controller->PlaceAsSeen(*shown->stands, shown->frame.time_s);
      }
      return shown;
    };
    ended = (*window)->Run(now, session, controller->controller.get());
    last = session.Now();
    interrupted = interrupt.Asked();
  }
  if (profile) SayTimes(**window, console);
  if (controller->log != nullptr) NoteEnd(*controller);
  if (last->watching == Watching::kFailed) return BadInput(console, last->why);
  if (!ended.ok()) return BadInput(console, ended.error().message);
  if (interrupted) {
    (void)BadInput(console,
                   fmt::format("ended from outside; what was seen is in {}",
                               (std::filesystem::path(out_folder) / "events.jsonl").string()));
    return kExitInterrupted;
  }
  const std::int64_t match = camera_goes_on ? live.journal->Game() : 0;
  if ((*window)->WantsPlay()) {
    const Error closed{ErrorCode::kUnsupported, "closed"};
    window = closed;
    // What the camera watches stays one match; the game that is played has its own record. A
    // recording begins anew.
    live.journal = nullptr;
    std::vector<std::string> played;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      // What was gone on with is the match, not a game of it.
      if (arguments[i] == "--resume")
        ++i;
      else if (arguments[i].rfind("--resume=", 0) != 0)
        played.push_back(arguments[i]);
    }
    played.emplace_back("--play");
    return RunLive(played, console, match);
  }
  if (!(*window)->WantsSetup()) return kExitDone;
  // All is written down; camera and window are free for it.
  const Error closed{ErrorCode::kUnsupported, "closed"};
  window = closed;
  controller = closed;
  live.journal = nullptr;
  std::vector<std::string> begun = {clip.empty() ? source : clip, "--out",
                                    (std::filesystem::path(out_folder) / "setup").string()};
  for (const auto& [flag, value] :
       {std::pair{"--table", &table}, std::pair{"--scenario", &scenario},
        std::pair{"--camera", &camera}, std::pair{"--rig", &rig_file}}) {
    if (!value->empty()) begun.insert(begun.end(), {flag, *value});
  }
  bool refereed = false;
  const int status = SetUpFromMatch(begun, console, refereed);
  if (status != kExitDone || refereed) return status;
  // Back to where it was: a camera's match goes on with what is in the club's file.
  std::vector<std::string> again = arguments;
  if (resumable && !play) again.insert(again.end(), {"--resume", "last"});
  return RunLive(again, console, play ? match : 0);
}

}  // namespace

namespace {

int RunReplayOrShow(const std::vector<std::string>& arguments, Console& console) {
  std::vector<std::string> rest = arguments;
  if (std::erase(rest, "--window") == 0) return RunReplay(arguments, console);
  // The game is `live`'s flag and `replay`'s argument.
  const auto game = std::find_if(rest.begin(), rest.end(), [&](const std::string& word) {
    const bool value = &word != &rest.front() && *(&word - 1) == "--db";
    const bool until = &word != &rest.front() && *(&word - 1) == "--until";
    return word.rfind('-', 0) != 0 && !value && !until;
  });
  if (game == rest.end()) return BadUsage(console, "replay", "GAME lacks");
  rest.insert(game, "--replay");
  return RunLive(rest, console);
}

}  // namespace

Command ReplayCommand() {
  return {"replay", "compute a game again from its log, or step through it in the window",
          &RunReplayOrShow};
}

Command LiveCommand() {
  return {"live", "the referee's window on a camera, a stream or a recording",
          [](const std::vector<std::string>& arguments, Console& console) {
            return RunLive(arguments, console);
          }};
}

}  // namespace fos
