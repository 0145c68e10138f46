#include "ui/app/game_desk.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <numbers>
#include <sstream>
#include <system_error>
#include <utility>

#include "engine/files/toml_reader.h"
#include "engine/files/whole_file.h"

namespace fos {
namespace {

namespace fs = std::filesystem;

// "correct 12 shoot A at C4" without its first word; the word and what follows it.
std::pair<std::string_view, std::string_view> FirstWord(std::string_view words) {
  const std::size_t from = std::min(words.find_first_not_of(" \t"), words.size());
  words.remove_prefix(from);
  const std::size_t to = std::min(words.find_first_of(" \t"), words.size());
  std::string_view rest = words.substr(to);
  rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
  return {words.substr(0, to), rest};
}

std::optional<int> Whole(std::string_view word) {
  int value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return value;
}

// The form in which scripts take inches.
std::string Inches(double inches) { return fmt::format("{:.3f}", inches); }

std::vector<std::string> LinesOf(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> out;
  for (std::string line; std::getline(in, line);) {
    if (!line.empty()) out.push_back(std::move(line));
  }
  return out;
}

}  // namespace

Result<TableFrame> BoardOf(const fs::path& scenario) {
  Result<TomlFile> read = TomlFile::Read(scenario);
  if (!read.ok()) return read.error();
  TomlFile file = std::move(read).value();
  TomlTable root = file.Root();
  TableFrame frame;
  std::optional<TomlTable> board = root.Table("board");
  if (board && board->Has("columns")) {
    // As large as table.toml allows a board to be.
    frame.columns = board->Integer("columns", {1, 200});
    frame.rows = board->Integer("rows", {1, 200});
    frame.square_in = board->Number("square", {0.25, 48}, 4.0);
  } else if (board) {
    constexpr double kFoot_in = 12;
    frame.square_in = kFoot_in;
    frame.columns =
        std::max(1, static_cast<int>(std::lround(board->Number("width", {6, 600}) / kFoot_in)));
    frame.rows =
        std::max(1, static_cast<int>(std::lround(board->Number("depth", {6, 600}) / kFoot_in)));
  }
  const Status problem = file.Problem();
  if (!problem.ok()) return problem.error();
  return frame;
}

GameDesk::GameDesk(Opener opener, std::unique_ptr<RuleGame> game, std::string name,
                   TableFrame board)
    : opener_(std::move(opener)), game_(std::move(game)), name_(std::move(name)), board_(board) {
  Show();
}

Result<std::unique_ptr<GameDesk>> GameDesk::Open(Opener opener, std::string name,
                                                 TableFrame board) {
  Result<std::unique_ptr<RuleGame>> game = opener();
  if (!game.ok()) return game.error();
  return std::unique_ptr<GameDesk>(
      new GameDesk(std::move(opener), std::move(*game), std::move(name), board));
}

Result<std::unique_ptr<GameDesk>> GameDesk::Open(const DeskOptions& options) {
  const Result<TableFrame> board = BoardOf(options.scenario);
  if (!board.ok()) return board.error();
  Result<std::unique_ptr<GameDesk>> desk =
      Open([file = options.scenario, seed = options.seed] { return OpenGame(file, seed); },
           options.scenario.stem().string(), *board);
  if (!desk.ok() || options.journal.empty()) return desk;
  const Status resumed = (*desk)->Resume(options);
  if (!resumed.ok()) return resumed.error();
  return desk;
}

Status GameDesk::Resume(const DeskOptions& options) {
  journal_ = options.journal;
  std::error_code ec;
  journal_head_ = fmt::format("# A game of {}, as it was played; `fallofshot play` plays it again.",
                              fs::weakly_canonical(options.scenario, ec).string());
  constexpr std::uintmax_t kLargest_bytes = 16u << 20;
  if (options.anew || !fs::is_regular_file(journal_, ec)) return Ok();
  const auto refuse = [&](const std::string& what) {
    return Error{
        ErrorCode::kBadFormat,
        fmt::format("{}: {}; begin the game again with --new, or keep this one by choosing "
                    "another folder with --out",
                    journal_.string(), what)};
  };
  if (fs::file_size(journal_, ec) > kLargest_bytes) return refuse("larger than any game");
  std::ostringstream text;
  text << std::ifstream(journal_, std::ios::binary).rdbuf();
  const std::vector<std::string> lines = LinesOf(text.str());
  if (lines.empty()) return Ok();
  if (lines.front() != journal_head_) return refuse("is of another game");
  for (std::size_t i = 1; i < lines.size(); ++i) {
    if (!PlayOne(lines[i], 0, 0)) {
      return refuse(fmt::format("line {} no longer fits the scenario: {}", i + 1, notice_.words));
    }
  }
  if (lines.size() > 1) {
    const std::size_t played = lines.size() - 1;
    notice_ = {fmt::format("The game goes on where it was broken off, after {} line{}.", played,
                           played == 1 ? "" : "s"),
               false,
               {}};
    Note(0, "", notice_.words);
  }
  Show();
  return Ok();
}

const std::vector<LineOption>& GameDesk::OptionsOf(const std::string& piece) {
  if (options_of_ != piece) {
    options_ = piece.empty() ? std::vector<LineOption>{} : game_->OptionsOf(piece);
    options_of_ = piece;
  }
  return options_;
}

std::vector<StandObservation> GameDesk::Stands() const {
  std::vector<StandObservation> out;
  for (const PieceView& piece : now_->view.pieces) {
    if (!piece.on_table) continue;
    StandObservation stand;
    stand.stand = {piece.id};
    stand.unit = piece.unit;
    stand.side = std::max(piece.side, 0);
    stand.table_from_stand = {piece.at_in, -piece.bearing_deg * std::numbers::pi / 180};
    // The rules say where a piece stands, not how large it is: as wide as four to a square allow.
    stand.footprint = {0.3 * board_.square_in, 0.16 * board_.square_in};
    out.push_back(stand);
  }
  return out;
}

void GameDesk::Say(std::string_view line, double time_s, int shot) {
  const auto [verb, rest] = FirstWord(line);
  if (verb.empty()) return;
  if (verb == "undo") {
    const std::optional<int> count = rest.empty() ? 1 : Whole(rest);
    if (count && *count > 0) {
      TakeBack(*count, time_s);
    } else {
      notice_ = {"undo: say how many lines are to be taken back, or nothing for one", true, {}};
    }
  } else if (verb == "redo") {
    PutAgain(time_s);
  } else if (verb == "correct" || verb == "remove") {
    CorrectOne(rest, verb == "remove", time_s);
  } else {
    if (PlayOne(line, time_s, shot)) undone_.clear();
    Keep();
  }
  Show();
}

void GameDesk::Choose(int side, const std::string& line, double time_s) {
  const Prompt& prompt = now_->prompt;
  const auto asked = [&](int one) {
    return std::find(prompt.sides.begin(), prompt.sides.end(), one) != prompt.sides.end();
  };
  if (prompt.kind != AskKind::kSecret || side < 0 || !asked(side)) return;
  const auto index = static_cast<std::size_t>(side);
  if (secrets_.size() <= index) secrets_.resize(index + 1);
  secrets_[index] = line;
  const bool all = std::all_of(prompt.sides.begin(), prompt.sides.end(), [&](int one) {
    const auto at = static_cast<std::size_t>(one);
    return at < secrets_.size() && secrets_[at].has_value();
  });
  if (all) {
    const std::vector<std::optional<std::string>> said = std::exchange(secrets_, {});
    for (const std::optional<std::string>& one : said) {
      // A refusal is of that side's choice alone: it is asked once more.
      if (one && PlayOne(*one, time_s, 0)) undone_.clear();
    }
    Keep();
  } else {
    notice_ = {fmt::format("{} has chosen.", index < now_->view.sides.size()
                                                 ? now_->view.sides[index]
                                                 : fmt::format("Side {}", side + 1)),
               false,
               {}};
  }
  Show();
}

bool GameDesk::PlayOne(std::string_view line, double time_s, int shot) {
  const Result<LineOutcome> outcome = game_->Play(line);
  if (!outcome.ok()) {
    notice_ = {outcome.error().message, true, {}};
    return false;
  }
  DeskEntry entry;
  entry.time_s = time_s;
  entry.clauses = outcome->clauses;
  if (outcome->refused) {
    entry.line = std::string(line);
    entry.refused = outcome->refused->because;
    entry.clauses = {outcome->refused->clause};
    notice_ = {outcome->refused->because, true, outcome->refused->clause};
  } else {
    entry.number = static_cast<int>(game_->Played());
    entry.line = outcome->line;
    entry.told = outcome->told;
    entry.shot = shot;
    last_shot_ = std::max(last_shot_, shot);
    notice_ = {outcome->told.empty() ? std::string{} : outcome->told.back(), false,
               outcome->clauses.empty() ? std::string{} : outcome->clauses.back()};
  }
  const bool accepted = !outcome->refused;
  log_.push_back(std::move(entry));
  options_of_.reset();
  if (accepted) secrets_.clear();
  return accepted;
}

void GameDesk::Note(double time_s, std::string line, std::string what) {
  DeskEntry entry;
  entry.time_s = time_s;
  entry.line = std::move(line);
  entry.told = {std::move(what)};
  log_.push_back(std::move(entry));
}

void GameDesk::TakeBack(int count, double time_s) {
  const std::vector<std::string> lines = game_->Lines();
  int taken = 0;
  while (taken < count && game_->Undo()) {
    undone_.push_back(lines[lines.size() - 1 - static_cast<std::size_t>(taken)]);
    ++taken;
  }
  options_of_.reset();
  secrets_.clear();
  if (taken == 0) {
    notice_ = {"Nothing was played yet that could be taken back.", true, {}};
    return;
  }
  const auto played = static_cast<int>(game_->Played());
  for (DeskEntry& entry : log_) {
    if (entry.number > played) entry.number = 0;
  }
  notice_ = {taken == 1 ? fmt::format("Taken back: {}", undone_.back())
                        : fmt::format("Taken back: {} lines", taken),
             false,
             {}};
  Note(time_s, "", notice_.words);
  Keep();
}

void GameDesk::PutAgain(double time_s) {
  if (undone_.empty()) {
    notice_ = {"Nothing was taken back.", true, {}};
    return;
  }
  const std::string line = undone_.back();
  if (PlayOne(line, time_s, 0)) undone_.pop_back();
  Keep();
}

void GameDesk::CorrectOne(std::string_view words, bool remove, double time_s) {
  const auto [number, line] = FirstWord(words);
  const std::optional<int> index = Whole(number);
  if (!index || *index < 1 || (line.empty() && !remove)) {
    notice_ = {"correct: say the number of the line and what it should have been", true, {}};
    return;
  }
  const Result<Corrected> corrected =
      game_->Correct(static_cast<std::size_t>(*index - 1),
                     remove ? std::nullopt : std::optional<std::string_view>(line));
  if (!corrected.ok()) {
    notice_ = {corrected.error().message, true, {}};
    return;
  }
  if (corrected->refused) {
    notice_ = {corrected->refused->because, true, corrected->refused->clause};
    return;
  }
  options_of_.reset();
  secrets_.clear();
  undone_.clear();
  const Status told = TellAnew(time_s);
  notice_ = {told.ok() ? fmt::format("Line {} is corrected.", *index) : told.error().message,
             !told.ok(),
             {}};
  std::string all = notice_.words;
  for (const std::string& change : corrected->changed) all.append(" ").append(change);
  Note(time_s, "", std::move(all));
  Keep();
}

// After a correction every sentence may be another: the lines are played once more beside the game.
Status GameDesk::TellAnew(double time_s) {
  Result<std::unique_ptr<RuleGame>> fresh = opener_();
  if (!fresh.ok()) return fresh.error();
  std::vector<DeskEntry> log;
  int number = 0;
  for (const std::string& line : game_->Lines()) {
    const Result<LineOutcome> outcome = (*fresh)->Play(line);
    if (!outcome.ok()) return outcome.error();
    ++number;
    DeskEntry entry;
    entry.number = number;
    entry.time_s = time_s;
    entry.line = line;
    entry.told = outcome->told;
    entry.clauses = outcome->clauses;
    // What lay on the table for a line lies there for it still.
    const auto before = std::find_if(log_.begin(), log_.end(), [&](const DeskEntry& one) {
      return one.number == number && one.line == line;
    });
    if (before != log_.end()) {
      entry.time_s = before->time_s;
      entry.shot = before->shot;
    }
    log.push_back(std::move(entry));
  }
  log_ = std::move(log);
  return Ok();
}

void GameDesk::Keep() {
  if (journal_.empty()) return;
  std::string text = journal_head_ + '\n';
  for (const std::string& line : game_->Lines()) text.append(line).append(1, '\n');
  const Status written = WriteWholeFile(journal_, text);
  if (!written.ok()) notice_ = {written.error().message, true, {}};
}

void GameDesk::Show() {
  auto shown = std::make_shared<GameShown>();
  shown->ruleset = std::string(game_->Ruleset());
  shown->name = name_;
  shown->board = board_;
  shown->prompt = game_->Next();
  shown->view = game_->View();
  for (std::size_t side = 0; side < shown->view.sides.size(); ++side) {
    shown->options.push_back(game_->Options(static_cast<int>(side)));
    shown->chosen.push_back(side < secrets_.size() && secrets_[side].has_value());
  }
  shown->log = log_;
  shown->played = game_->Played();
  shown->to_redo = undone_.size();
  shown->notice = notice_.words;
  shown->refused = notice_.refused;
  shown->clause = notice_.clause;
  now_ = std::move(shown);
}

Result<std::string> GameDesk::FallOf(const ShotShown& shot, const Scenario& scenario) const {
  const Vec2 point = shot.shot.point;
  if (!board_.Contains(point)) return std::string("lands off");
  std::string line = fmt::format("lands {} {} {}", Inches(point.x), Inches(point.y),
                                 shot.verdict.ground.water ? "water" : "dry");
  for (const StandVerdict& stand : shot.verdict.stands) {
    const std::string& id = stand.stand.stand.text;
    const std::optional<Call> settled = SettledCall(shot, id);
    const Call call = settled.value_or(stand.call);
    if (call == Call::kTooClose) {
      return Error{ErrorCode::kDegenerate,
                   fmt::format("{} is too close to call: settle it first, hit or not hit", id)};
    }
    // What the people settled counts, whichever side of the line the measurement fell on.
    constexpr double kJustBeyond_in = 0.001;
    const double measured = std::max(stand.measured.gap.inches, 0.0);
    const double distance = call == Call::kHit
                                ? std::min(measured, stand.limit_in)
                                : std::max(measured, stand.limit_in + kJustBeyond_in);
    const auto kind = static_cast<std::size_t>(std::max(stand.stand.kind, 0));
    const bool equipment = kind < scenario.kinds.size() && scenario.kinds[kind].equipment;
    line += equipment ? fmt::format(" gun {} {}", id.substr(0, id.rfind('#')), Inches(distance))
                      : fmt::format(" stand {} {}", id, Inches(distance));
  }
  for (const std::string& burns : shot.verdict.ground.burning_tests) {
    if (!shot.verdict.ground.square.empty() && !burns.empty()) {
      line += fmt::format(" model {} 0", shot.verdict.ground.square);
      break;
    }
  }
  return line;
}

}  // namespace fos
