// SPDX-License-Identifier: MIT
#include "ui/cli/log_commands.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <istream>
#include <map>
#include <optional>
#include <ostream>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/files/whole_file.h"
#include "engine/journal/anonymise.h"
#include "engine/journal/logged_game.h"
#include "engine/rules/rule_sets.h"
#include "engine/table/counted.h"
#include "ui/cli/club_file_option.h"
#include "ui/cli/log_json.h"
#include "ui/cli/options.h"
#include "ui/cli/output_file.h"
#include "ui/club/club_source.h"
#include "ui/session/club_file.h"
#include "ui/session/replay.h"

namespace fos {
namespace {

namespace fs = std::filesystem;

void PrintOutcome(const ScriptStep& step, std::ostream& out) {
  if (step.outcome.refused) {
    out << fmt::format("  refused ({}): {}\n", step.outcome.refused->clause,
                       step.outcome.refused->because);
  }
  for (const std::string& sentence : step.outcome.told) out << "  " << sentence << '\n';
}

// "12 lines, 1 verdict and 3 moves"
std::string Counted(const ReplayedLog& replayed) {
  const auto counted = [](std::int64_t count, const char* one) {
    return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
  };
  return fmt::format("{}, {} and {}", counted(replayed.lines, "line"),
                     counted(replayed.verdicts, "verdict"), counted(replayed.moves, "move"));
}

// What the game waits for, and the lines that name no piece as they are typed: the window has
// buttons for them, so the game's own sentence does not hold them.
std::string Asked(const RuleGame& game) {
  const Prompt prompt = game.Next();
  std::string out = prompt.sentence;
  if (prompt.kind != PromptKind::kDeclare) return out;
  for (const int side : prompt.sides) {
    for (const LineOption& option : game.Options(side)) {
      if (option.pieces.empty() && option.for_good.empty())
        out += fmt::format("\n  `{}`: {}", option.line, option.label);
    }
  }
  return out;
}

// Reads lines from standard input; plays and records each before it asks for the next.
int ContinueByHand(const OpenedGame& opened, Journal& journal, Console& console) {
  Result<Replayed> replayed = Replay(opened.log, {});
  if (!replayed.ok()) return BadInput(console, replayed.error().message);
  if (!replayed->differences.empty()) {
    return BadInput(console, fmt::format("record {} comes out differently with this program ({}); "
                                         "`fallofshot replay` lists all differences",
                                         replayed->differences.front().record,
                                         replayed->differences.front().why));
  }
  Result<GameWriter> writer = GameWriter::Of(journal, opened.log.id);
  if (!writer.ok()) return BadInput(console, writer.error().message);
  Record resumed;
  resumed.kind = RecordKind::kResumed;
  resumed.text = FOS_VERSION;
  if (const auto written = writer->Append(resumed, UnixNow()); !written.ok()) {
    return BadInput(console, written.error().message);
  }
  RuleGame& game = *replayed->game;
  console.out << game.DescribeTable()
              << "\nType a line and Enter; Ctrl+D leaves, and the game is kept.\n"
              << Asked(game) << std::endl;
  std::optional<Error> refused_by_disk;
  ScriptOptions run;
  run.seed = opened.log.start.seed;
  run.report = [&](const ScriptStep& step) {
    PrintOutcome(step, console.out);
    const std::optional<Record> record = RecordOf(step);
    if (!record || refused_by_disk) return;
    const Result<Record> written = writer->Append(*record, UnixNow());
    if (!written.ok()) refused_by_disk = written.error();
  };
  for (std::string line; std::getline(std::cin, line);) {
    const Status status = RunScript(game, line, run);
    if (refused_by_disk) return BadInput(console, refused_by_disk->message);
    if (!status.ok()) console.out << "  " << status.error().message << '\n';
    if (game.Next().kind == PromptKind::kOver) {
      Record ended;
      ended.kind = RecordKind::kEnded;
      const auto written = writer->Append(ended, UnixNow());
      if (!written.ok()) return BadInput(console, written.error().message);
      console.out << game.View().result << '\n';
      break;
    }
    console.out << Asked(game) << std::endl;
  }
  return kExitDone;
}

}  // namespace

namespace {

// One line a game: its uid, its records, their last hash and that of its start, and its name.
std::string HeadLine(const StoredHead& one) {
  return fmt::format("{} {} {} {} {}\n", one.head.uid, one.head.records, one.head.chain,
                     one.head.start, one.name);
}

// Compares the games with heads that `games --heads` printed earlier. A game may have grown.
// Returns one sentence for each that is not as it was.
Result<std::vector<std::string>> ComparePinned(const Journal& journal, const std::string& file) {
  const Result<std::string> text = ReadWholeFile(file);
  if (!text.ok()) return text.error();
  std::map<std::string, std::int64_t> games;
  const Result<std::vector<StoredHead>> heads = journal.Heads();
  if (!heads.ok()) return heads.error();
  for (const StoredHead& one : *heads) games[one.head.uid] = one.game;
  std::vector<std::string> out;
  std::istringstream lines(*text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (line.empty()) continue;
    std::istringstream words(line);
    GameHead pinned;
    std::string name;
    if (!(words >> pinned.uid >> pinned.records >> pinned.chain >> pinned.start) ||
        pinned.records < 0) {
      return Error{
          ErrorCode::kBadFormat,
          fmt::format("{}:{}: not a head; give what `games --heads` printed", file, number)};
    }
    std::getline(words >> std::ws, name);
    const auto game = games.find(pinned.uid);
    if (game == games.end()) {
      out.push_back(fmt::format("{} is gone", name));
      continue;
    }
    const Result<GameLog> log = journal.Read(game->second);
    if (!log.ok()) {
      out.push_back(log.error().message);
      continue;
    }
    const auto records = static_cast<std::int64_t>(log->records.size());
    if (records < pinned.records) {
      out.push_back(fmt::format("game {}, {}, has {} of {} records", game->second, name, records,
                                pinned.records));
      continue;
    }
    const std::string chain =
        pinned.records == 0 ? ChainStart(log->start)
                            : log->records[static_cast<std::size_t>(pinned.records) - 1].chain;
    if (HeadText(HeadOf(log->start, pinned.records, chain)) != HeadText(pinned)) {
      out.push_back(fmt::format("game {}, {}, was changed", game->second, name));
    }
  }
  return out;
}

// `games --heads` and `games --compare`.
int ShowHeads(const ClubFileOption& club, const std::string& pinned, Console& console) {
  JournalOptions open;
  open.read_only = true;
  const Result<Journal> journal = Journal::Open(club.Path(), open);
  if (!journal.ok()) return BadInput(console, journal.error().message);
  if (!pinned.empty()) {
    const Result<std::vector<std::string>> faults = ComparePinned(*journal, pinned);
    if (!faults.ok()) return BadInput(console, faults.error().message);
    for (const std::string& fault : *faults) console.out << fault << '\n';
    if (!faults->empty()) {
      return BadInput(console, fmt::format("{}: not as in {}; restore it from a copy",
                                           club.Path().string(), pinned));
    }
    console.out << "every game is there and unchanged\n";
    return kExitDone;
  }
  const Result<std::vector<StoredHead>> all = journal->Heads();
  if (!all.ok()) return BadInput(console, all.error().message);
  for (const StoredHead& one : *all) console.out << HeadLine(one);
  return kExitDone;
}

}  // namespace

namespace {

// "  Ann and Bob against Grace"; empty where nobody is named.
std::string WhoPlays(const std::vector<Seat>& seats) {
  std::string out;
  for (std::size_t i = 0; i < seats.size(); ++i) {
    out += i == 0 ? "  " : seats[i].side == seats[i - 1].side ? " and " : " against ";
    out += seats[i].player;
  }
  return out;
}

}  // namespace

int RunGames(const std::vector<std::string>& arguments, Console& console) {
  ClubFileOption club;
  bool heads = false;
  std::string pinned;
  Options options("games [options]", "Lists the games in the club's file.");
  options
      .Flag("heads", heads,
            "print where each game's log ends, one line a game: keep it where nobody can change it")
      .Text("compare", "FILE", pinned,
            "check that every game in FILE, as --heads printed it, is there and unchanged");
  AddClubFileOption(options, club);
  AddClubToRead(options, club);
  if (const auto status = ReadArguments(options, "games", arguments, console)) return *status;
  if (!pinned.empty() || heads) {
    if (club.server.empty()) return ShowHeads(club, pinned, console);
    return BadUsage(console, "games", "--heads and --compare are of the club's file; leave out "
                                      "--club");
  }
  const Result<std::unique_ptr<GameSource>> source = OpenSource(club);
  if (!source.ok()) return BadInput(console, source.error().message);
  const Result<std::vector<GameSummary>> games = (*source)->Games();
  if (!games.ok()) return BadInput(console, games.error().message);
  if (games->empty()) console.out << "no games yet\n";
  std::size_t wide = 0;
  for (const GameSummary& game : *games) wide = std::max(wide, RuleSetTitle(game.ruleset).size());
  for (const GameSummary& game : *games) {
    console.out << fmt::format("{:>4}  {}  {:<{}}  {:<8} {:>5} records  {}{}\n", game.id,
                               DayOf(game.started_unix_s), RuleSetTitle(game.ruleset), wide,
                               game.kind == GameStart::Kind::kPlayed ? "played" : "watched",
                               game.records, game.name,
                               WhoPlays(game.seats) + (game.ended ? "" : "  (unfinished)") +
                                   (game.table.empty() ? "" : "  at " + game.table));
  }
  return kExitDone;
}

int RunReplay(const std::vector<std::string>& arguments, Console& console) {
  std::string game;
  ClubFileOption club;
  bool signature = false;
  bool steps = false;
  bool this_programs = false;
  bool window = false;
  int until = 0;
  Options options("replay GAME [options]",
                  "Computes a recorded game again and checks that everything comes out the same.");
  options.Argument("GAME", game, "its number or name in the club's file, or `last`")
      .Flag("signature", signature, "print only one hash over everything that was computed")
      .Flag("steps", steps, "print every record as it is computed")
      .Flag("this-programs-tables", this_programs,
            "use this program's tables and settings instead of the recorded ones")
      .Integer("until", until, 0, 1000000000, "stop after this record; 0 computes all")
      .Flag("window", window, "step through the game in the window, starting at --until");
  AddClubFileOption(options, club);
  AddClubToRead(options, club);
  if (const auto status = ReadArguments(options, "replay", arguments, console)) return *status;
  if (window) return BadUsage(console, "replay", "this program has no window; leave out --window");
  const Result<SourcedGame> opened = ReadSourcedGame(club, game);
  if (!opened.ok()) return BadInput(console, opened.error().message);
  const GameLog& log = opened->log;
  ReplayOptions replay;
  replay.rules = this_programs ? RulesOf::kProgram : RulesOf::kLog;
  if (until > 0) replay.until = until;
  if (steps && !signature) {
    replay.step = [&](const Record& record, const Record& now, const RuleGame&) {
      console.out << fmt::format(
          "{:>5}  {}{}\n", record.number,
          record.kind == RecordKind::kLine ? "" : fmt::format("({}) ", RecordName(record.kind)),
          record.text);
      for (const std::string& sentence : now.told) console.out << "         " << sentence << '\n';
    };
  }
  const Result<ReplayedLog> replayed = ReplayLog(log, replay);
  if (!replayed.ok()) return BadInput(console, replayed.error().message);
  if (signature) {
    console.out << replayed->signature << '\n';
    return kExitDone;
  }
  if (steps && replayed->game) console.out << '\n' << replayed->game->DescribeTable() << '\n';
  if (log.start.program != FOS_VERSION) {
    console.out << fmt::format("recorded by version {}, computed by {}\n", log.start.program,
                               FOS_VERSION);
  }
  const Result<std::vector<GameFile>> rules = GatherRules(log.start.ruleset);
  if (rules.ok() && RulesHash(*rules) != RulesHash(log.start.files)) {
    console.out << (this_programs ? "computed with this program's tables, which differ from the "
                                    "recorded ones\n"
                                  : "this program's tables differ from the recorded ones; "
                                    "--this-programs-tables shows what they would change\n");
  }
  for (const Difference& one : replayed->differences) {
    console.out << fmt::format("record {}, {}: {}\n", one.record, one.text, one.why);
  }
  if (replayed->not_measured > 0) {
    console.out << fmt::format(
        "{} remark{} on moves taken as recorded: that version stored no measurements of moves\n",
        replayed->not_measured, replayed->not_measured == 1 ? "" : "s");
  }
  console.out << fmt::format("game {}, {}: {} computed again; ", log.id, log.start.name,
                             Counted(*replayed));
  if (const std::size_t different = replayed->differences.size(); different > 0) {
    console.out << fmt::format("{} differ{}\n", different, different == 1 ? "s" : "");
    return BadInput(console, fmt::format("game {} does not come out the same; the lines above say "
                                         "where",
                                         log.id));
  }
  console.out << "all the same\n" << replayed->signature << '\n';
  return kExitDone;
}

int RunResume(const std::vector<std::string>& arguments, Console& console) {
  std::string game;
  std::string script_path;
  ClubFileOption club;
  Options options("resume GAME [SCRIPT] [options]",
                  "Continues an unfinished game, from the script it was played from or from lines "
                  "on standard input. `live --resume GAME` continues one with a camera.");
  options.Argument("GAME", game, "its number or name in the club's file, or `last`")
      .OptionalArgument("SCRIPT", script_path, "the script it was played from");
  AddClubFileOption(options, club);
  AddClubToCopyTo(options, club);
  if (const auto status = ReadArguments(options, "resume", arguments, console)) return *status;
  Result<OpenedGame> opened = OpenGameLog(club, game, /*read_only=*/false);
  if (!opened.ok()) return BadInput(console, opened.error().message);
  if (opened->log.start.kind == GameStart::Kind::kWatched) {
    return BadInput(console, fmt::format("game {} was watched by a camera; continue it with "
                                         "`fallofshot live ... --resume {}{}`",
                                         opened->log.id, opened->log.id, DbFlag(club.Path())));
  }
  if (opened->log.Ended()) {
    return BadInput(console, fmt::format("game {} has ended; `fallofshot replay {}{}` computes it "
                                         "again",
                                         opened->log.id, opened->log.id, DbFlag(club.Path())));
  }
  Result<KeptMirror> mirror = KeptMirror::Start(club);
  if (!mirror.ok()) return BadUsage(console, "resume", mirror.error().message);
  if (script_path.empty()) {
    const int status = ContinueByHand(*opened, opened->journal, console);
    mirror->Finish(console.err);
    return status;
  }
  const Result<std::string> script = ReadScript(script_path);
  if (!script.ok()) return BadInput(console, script.error().message);
  PlayIntoOptions into;
  into.clock = UnixNow;
  into.report = [&](const ScriptStep& step, bool known) {
    if (known) return;
    console.out << fmt::format("{:>4}  {}\n", step.line, step.text);
    PrintOutcome(step, console.out);
  };
  const Result<Played> played = PlayInto(opened->journal, opened->log.id, *script, into);
  if (!played.ok()) return BadInput(console, script_path + ", " + played.error().message);
  console.out << fmt::format("\ngame {}: had {} record{}, now has {}\n", opened->log.id,
                             played->before, played->before == 1 ? "" : "s", played->now);
  mirror->Finish(console.err);
  return kExitDone;
}

int RunExport(const std::vector<std::string>& arguments, Console& console) {
  std::string game;
  std::string file;
  ClubFileOption club;
  bool json_lines = false;
  bool anonymous = false;
  bool without_pictures = false;
  Options options("export GAME FILE [options]",
                  "Writes one game to a file of its own, which `import` reads elsewhere.");
  options.Argument("GAME", game, "its number or name in the club's file, or `last`")
      .Argument("FILE", file, "file to write: GAME.fosgame, or GAME.jsonl with --jsonl")
      .Flag("jsonl", json_lines,
            "write one JSON object per line, for other programs; cannot be imported")
      .Flag("anonymous", anonymous, "replace the players' names by Player 1, Player 2, ...")
      .Flag("without-pictures", without_pictures, "leave out pictures and recordings");
  AddClubFileOption(options, club);
  AddClubToRead(options, club);
  if (const auto status = ReadArguments(options, "export", arguments, console)) return *status;
  Result<SourcedGame> opened = ReadSourcedGame(club, game);
  if (!opened.ok()) return BadInput(console, opened.error().message);
  GameLog log = std::move(opened->log);
  if (anonymous) log = Anonymised(log);
  if (without_pictures) log = WithoutPictures(std::move(log));
  if (json_lines) {
    if (anonymous || without_pictures) {  // the records changed, so their hash chain does too
      std::string chain = ChainStart(log.start);
      std::int64_t number = 0;
      for (Record& record : log.records) {
        record.number = ++number;
        record.chain = chain = ChainAfter(chain, record, log.start.form);
      }
    }
    if (const Status may = MayReplace(file, "FILE", {club.Path()}); !may.ok())
      return BadInput(console, may.error().message);
    const Status written = WriteOutput(file, JsonLines(log));
    if (!written.ok()) return BadInput(console, written.error().message);
  } else {
    const Status written = WriteGameFile(log, *opened->source, file);
    if (!written.ok()) return BadInput(console, written.error().message);
  }
  console.out << fmt::format("game {}, {}: {} record{} in {}\n", log.id, log.start.name,
                             log.records.size(), log.records.size() == 1 ? "" : "s", file);
  return kExitDone;
}

namespace {

// Whether a file can be a club's: an empty one, left by a program that was killed, can be.
bool StartsAsDatabase(const std::string& file) {
  constexpr std::string_view kStart("SQLite format 3\0", 16);
  std::ifstream in(file, std::ios::binary);
  std::string start(kStart.size(), ' ');
  in.read(start.data(), static_cast<std::streamsize>(start.size()));
  start.resize(static_cast<std::size_t>(in.gcount()));
  return start.empty() || start == kStart;
}

struct Held {
  enum class What { kSame, kLonger, kContinued, kOther } what = What::kSame;
  std::string text;
};

// What becomes of a game that the club's file has already. One that was continued elsewhere goes
// on there.
Result<Held> Join(Journal& into, const GameSummary& here, const Journal& from,
                  const GameSummary& given) {
  const std::string name = fmt::format("{} is game {} already", given.name, here.id);
  const Result<GameLog> theirs = from.Read(given.id);
  const Result<GameLog> ours = into.Read(here.id);
  // A damaged game takes nothing, and gives nothing.
  if (!theirs.ok() || !ours.ok()) {
    if (given.records <= here.records) return Held{Held::What::kSame, name};
    return theirs.ok() ? ours.error() : theirs.error();
  }
  if (GoesOnFrom(*ours, *theirs))
    return ours->records.size() == theirs->records.size()
               ? Held{Held::What::kSame, name}
               : Held{Held::What::kLonger, name + ", and goes on there"};
  if (!GoesOnFrom(*theirs, *ours)) {
    std::size_t same = 0;
    while (same < std::min(ours->records.size(), theirs->records.size()) &&
           ours->records[same].chain == theirs->records[same].chain)
      ++same;
    return Held{Held::What::kOther,
                fmt::format("{}, and differs from record {} on: both were continued, or names or "
                            "pictures were left out of one; it was not copied; to keep both, "
                            "import it into another file with --db",
                            name, same + 1)};
  }
  const Result<std::int64_t> added = into.GoOn(here.id, *theirs, from);
  if (!added.ok()) return added.error();
  return Held{Held::What::kContinued,
              fmt::format("{} was continued elsewhere: game {} had {}, now has {}", given.name,
                          here.id, fos::Counted(static_cast<double>(here.records), "record"),
                          theirs->records.size())};
}

}  // namespace

int RunImport(const std::vector<std::string>& arguments, Console& console) {
  std::string file;
  ClubFileOption club;
  Options options("import FILE [options]",
                  "Copies the games of a file into the club's file. A game that is there already "
                  "and was continued elsewhere goes on.");
  options.Argument("FILE", file, "GAME.fosgame, or another club's file");
  AddClubFileOption(options, club);
  if (const auto status = ReadArguments(options, "import", arguments, console)) return *status;
  std::error_code ec;
  if (!fs::exists(file, ec)) {
    return BadInput(console, file + ": no such file; give a file that `fallofshot export` wrote");
  }
  JournalOptions read_only;
  read_only.read_only = true;
  read_only.make_key = false;
  if (fs::is_directory(file, ec) || !StartsAsDatabase(file)) {
    return BadInput(console, file +
                                 ": holds no games; give a .fosgame that `fallofshot export` "
                                 "wrote without --jsonl, or another club's file");
  }
  const Result<Journal> from = Journal::Open(file, read_only);
  if (!from.ok()) return BadInput(console, from.error().message);
  if (const std::string fault = from->Check(); fault != "ok") {
    return BadInput(console, fmt::format("{}: is damaged ({}); export it again", file, fault));
  }
  const Result<std::vector<GameSummary>> games = from->Games();
  if (!games.ok()) return BadInput(console, games.error().message);
  if (games->empty()) return BadInput(console, file + ": holds no game; give another file");
  Result<Journal> into = Journal::Open(club.Path());
  if (!into.ok()) return BadInput(console, into.error().message);
  const Result<std::vector<GameSummary>> there = into->Games();
  if (!there.ok()) return BadInput(console, there.error().message);
  std::size_t held = 0;
  bool differs = false;
  std::string unread;  // why the first game that is damaged was not copied
  std::size_t copies = 0;
  for (const GameSummary& game : *games) {
    const auto same = std::find_if(there->begin(), there->end(),
                                   [&](const GameSummary& one) { return one.uid == game.uid; });
    if (same != there->end()) {
      const Result<Held> joined = Join(*into, *same, *from, game);
      if (!joined.ok()) {
        if (unread.empty()) unread = joined.error().message;
        console.out << fmt::format("{} was not copied: {}\n", game.name, joined.error().message);
        continue;
      }
      console.out << joined->text << '\n';
      if (joined->what == Held::What::kContinued)
        ++copies;
      else
        ++held;
      differs = differs || joined->what == Held::What::kOther;
      continue;
    }
    const Result<GameLog> log = from->Read(game.id);
    if (!log.ok()) {  // one damaged game does not keep the others from being saved
      if (unread.empty()) unread = log.error().message;
      console.out << fmt::format("{} was not copied: {}\n", game.name, log.error().message);
      continue;
    }
    const Result<std::int64_t> copied = into->Copy(*log, *from);
    if (!copied.ok()) return BadInput(console, copied.error().message);
    console.out << fmt::format("{} is now game {}, with {} record{}\n", game.name, *copied,
                               log->records.size(), log->records.size() == 1 ? "" : "s");
    ++copies;
  }
  if (copies == 0 && !unread.empty()) return BadInput(console, unread);
  if (held == games->size()) {
    return BadInput(
        console, fmt::format("{}: already holds {} of {}; nothing was copied", club.Path().string(),
                             held == 1 ? "the game" : "every game", file));
  }
  return differs || !unread.empty() ? kExitBadInput : kExitDone;
}

}  // namespace fos
