// SPDX-License-Identifier: MIT
#include "ui/play/game_controller.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <numbers>
#include <sstream>
#include <utility>

#include "engine/game/nearest_line.h"
#include "engine/journal/logged_game.h"
#include "engine/rules/rule_sets.h"

namespace fos {
namespace {

// How far an answer is from being about the whole unit: 0 where it names the unit, else less the
// more of its stands it names.
int StandsLeftOut(const LineOption& option) {
  constexpr int kMany = 1000;  // stands in a unit
  std::istringstream words(option.line);
  std::string word;
  words >> word;  // the verb
  int named = 0;
  while (words >> word && word.find('#') != std::string::npos) ++named;
  return named == 0 ? 0 : kMany - named;
}

// Splits off the first word: the word, and the rest.
std::pair<std::string_view, std::string_view> FirstWord(std::string_view words) {
  const std::size_t from = std::min(words.find_first_not_of(" \t"), words.size());
  words.remove_prefix(from);
  const std::size_t to = std::min(words.find_first_of(" \t"), words.size());
  std::string_view rest = words.substr(to);
  rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
  return {words.substr(0, to), rest};
}

// "dice 3 5" of "dice 3 5 drawn 4f1c...": what was drawn, without the generator's state.
std::string WithoutDraw(const std::string& line) { return line.substr(0, line.find(" drawn ")); }

// What the camera read of the dice that were thrown for a request.
DiceRead ReadOf(const DiceOffer& offer, bool by_camera) {
  DiceRead out;
  out.frame = offer.frame;
  out.time_s = offer.time_s;
  out.by_camera = by_camera;
  for (const auto& die : offer.dice) {
    out.values.push_back(die->value);
    out.chances.push_back(die->chance);
    if (out.pictures.empty() || out.pictures.back() != die->picture)
      out.pictures.push_back(die->picture);
  }
  return out;
}

// A refusal, and below it the legal line that comes nearest, if one begins with the same word.
std::string WithNearest(const RuleGame& game, std::string why, std::string_view refused) {
  if (const std::string legal = NearestLegal(game, refused); !legal.empty())
    why += fmt::format("\nNearest that is allowed: {}", legal);
  return why;
}

std::optional<int> Whole(std::string_view word) {
  int value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return value;
}

}  // namespace

std::optional<ThrownDice> LastDice(const GameShown& game, int line) {
  constexpr std::string_view kVerb = "dice ";
  for (auto entry = game.log.rbegin(); entry != game.log.rend(); ++entry) {
    if (entry->number == 0 || entry->undone || !entry->line.starts_with(kVerb)) continue;
    if (line > 0 && entry->number > line) continue;
    ThrownDice out;
    std::istringstream words(entry->line.substr(kVerb.size()));
    for (int face = 0; words >> face;) out.faces.push_back(face);
    out.clauses = entry->clauses;
    // "Dice: 6 2." repeats the faces; "Dice: 6 2, no hit." does not.
    for (const std::string& told : entry->told) {
      const bool dice = told.starts_with("Dice:") && told.find(',') == std::string::npos;
      if (!dice && !told.starts_with("Next:")) out.came_to.push_back(told);
    }
    return out;
  }
  return std::nullopt;
}

GameController::GameController(Setup setup, std::unique_ptr<RuleGame> game)
    : setup_(std::move(setup)), game_(std::move(game)) {}

Result<std::unique_ptr<GameController>> GameController::Open(Setup setup) {
  Result<std::unique_ptr<RuleGame>> game = setup.open();
  if (!game.ok()) return game.error();
  Recorder record = std::exchange(setup.record, {});
  const std::vector<Record> before = std::exchange(setup.before, {});
  std::unique_ptr<GameController> controller(
      new GameController(std::move(setup), std::move(*game)));
  const Status restored = controller->Restore(before);
  if (!restored.ok()) return restored.error();
  if (controller->setup_.replay) {
    controller->Rewind();
  } else {
    controller->setup_.record = std::move(record);
  }
  controller->Show();
  return controller;
}

Status GameController::Restore(const std::vector<Record>& before) {
  for (const Record& record : before) {
    const double time_s = record.time_s.value_or(0);
    notice_ = {};
    switch (record.kind) {
      case RecordKind::kLine:
        PlayOne(record.text, time_s, 0);
        break;
      case RecordKind::kUndo:
        UndoLines(Whole(record.text).value_or(1), time_s);
        break;
      case RecordKind::kCorrected:
        CorrectLine(record.text, FirstWord(record.text).second.empty(), time_s);
        break;
      default:
        continue;
    }
    if (notice_.refused) {
      return Error{ErrorCode::kBadFormat,
                   fmt::format("record {} of the game no longer fits it: {}; begin a new game with "
                               "--new",
                               record.number, notice_.text)};
    }
  }
  undone_.clear();
  dice_ = {};  // the times of an earlier match are not this one's
  if (game_->Played() > 0 && !setup_.replay) {
    notice_ = {fmt::format("The game continues after {} line{}.", game_->Played(),
                           game_->Played() == 1 ? "" : "s"),
               false,
               {}};
    AddRemark(0, notice_.text);
  }
  return Ok();
}

// Goes back before the first line and notes the turns on the way.
void GameController::Rewind() {
  replay_lines_ = game_->Lines();
  replay_turns_ = {game_->Next().turn};
  while (game_->Undo()) replay_turns_.push_back(game_->Next().turn);
  std::reverse(replay_turns_.begin(), replay_turns_.end());
  notice_ = {};
}

void GameController::StepTo(std::size_t lines) {
  if (!setup_.replay) return;
  lines = std::min(lines, replay_lines_.size());
  while (game_->Played() > lines && game_->Undo()) {
  }
  notice_ = {};
  while (game_->Played() < lines) {
    const Result<LineOutcome> outcome = game_->Play(replay_lines_[game_->Played()]);
    if (outcome.ok() && !outcome->refused) continue;
    notice_ = {fmt::format("Line {} is no longer legal: {}", game_->Played() + 1,
                           outcome.ok() ? outcome->refused->because : outcome.error().message),
               true, outcome.ok() ? outcome->refused->clause : std::string{}};
    break;
  }
  options_of_.reset();
  Show();
}

void GameController::RecordLine(const std::string& text, const LineOutcome& outcome,
                                double time_s) {
  if (!setup_.record) return;
  std::optional<Record> record = RecordOf({0, text, outcome});
  if (!record) return;
  record->source_line.reset();
  record->time_s = time_s;
  const Status written = setup_.record(*std::move(record));
  if (!written.ok()) notice_ = {written.error().message, true, {}};
}

// The replay needs only the line: what the camera read stands in a record of its own.
void GameController::RecordDiceRead(GameLogEntry& entry) {
  if (!dice_read_) return;
  DiceRead read = *std::exchange(dice_read_, std::nullopt);
  read.line = entry.number;
  const std::string faces = fmt::format("{}", fmt::join(read.values, " "));
  entry.dice_read = read.by_camera
                        ? fmt::format("Read by the camera: {}.", faces)
                        : fmt::format("Typed by the players; the camera had read {}.", faces);
  if (!setup_.record) return;
  Record record;
  record.kind = RecordKind::kSeen;
  record.text = DiceReadLine(read);
  record.frame = read.frame;
  record.time_s = read.time_s;
  const Status written = setup_.record(std::move(record));
  if (!written.ok()) notice_ = {written.error().message, true, {}};
}

void GameController::SeeDice(const Snapshot& shown, bool by_itself, bool held) {
  if (setup_.replay) return;
  if (dice_.Look(now_->prompt, shown, held || !by_itself)) TakeDice();
}

void GameController::TakeDice() {
  const DiceOffer& offer = dice_.Offer();
  if (offer.state != DiceOffer::State::kOffered) return;
  const std::string line = fmt::format("dice {}", fmt::join(offer.faces, " "));
  dice_read_ = ReadOf(offer, true);
  if (PlayOne(line, offer.time_s, 0)) undone_.clear();
  dice_read_.reset();
  Show();
}

const std::vector<LineOption>& GameController::OptionsOf(const std::string& piece) {
  if (options_of_ != piece) {
    options_ = piece.empty() ? std::vector<LineOption>{} : game_->OptionsOf(piece);
    std::stable_sort(options_.begin(), options_.end(),
                     [](const LineOption& one, const LineOption& other) {
                       return StandsLeftOut(one) < StandsLeftOut(other);
                     });
    options_of_ = piece;
  }
  return options_;
}

std::string GameController::WhyNot(const std::string& piece, const std::string& square) {
  if (now_->prompt.kind != PromptKind::kDeclare || !now_->replay_turns.empty()) return {};
  const auto cited = [](const std::string& why, const std::string& clause) {
    const bool told = clause.empty() || why.find(clause) != std::string::npos;
    return told ? why : fmt::format("{} ({})", why, clause);
  };
  for (const SightLine& sight : ReachOf(piece).sights) {
    if (!sight.clear && sight.to == square && !sight.because.empty())
      return cited(fmt::format("{} cannot fire at {}: {}", piece, sight.target, sight.because),
                   sight.clause);
  }
  // The rules themselves say why: a line that they refuse changes nothing.
  const std::string move = fmt::format("move {} to {}", piece, square);
  const Result<LineOutcome> tried = game_->Play(move);
  if (!tried.ok()) return {};
  if (!tried->refused) {
    (void)game_->Undo();
    return {};
  }
  return WithNearest(
      *game_,
      cited(fmt::format("{} cannot go to {}: {}", piece, square, tried->refused->because),
            tried->refused->clause),
      move);
}

const PieceReach& GameController::ReachOf(const std::string& piece) {
  if (reach_of_ != piece) {
    reach_ = piece.empty() ? PieceReach{} : game_->ReachOf(piece);
    reach_of_ = piece;
  }
  return reach_;
}

const std::vector<RuleTable>& GameController::TablesOf(const std::string& clause, int line) {
  if (tables_of_ != std::pair(clause, line)) {
    tables_of_ = {clause, line};
    const std::size_t played = game_->Played();
    tables_ = game_->TablesOf(
        clause, line > 0 ? std::min(static_cast<std::size_t>(line), played) : played);
  }
  return tables_;
}

std::vector<StandObservation> GameController::Stands() const {
  std::vector<StandObservation> out;
  for (const PieceView& piece : now_->view.pieces) {
    if (!piece.on_table) continue;
    StandObservation stand;
    stand.stand = {piece.id};
    stand.unit = piece.unit;
    stand.side = std::max(piece.side, 0);
    const auto kind =
        std::find_if(now_->kinds.begin(), now_->kinds.end(),
                     [&](const KindSpec& one) { return one.name == piece.kind; });
    stand.kind = static_cast<int>(kind - now_->kinds.begin());
    stand.table_from_stand = {piece.at_in, -piece.bearing_deg * std::numbers::pi / 180};
    // Without a size from the rules: four stands fit into a square.
    stand.footprint = {0.3 * setup_.board.square_in, 0.16 * setup_.board.square_in};
    if (piece.size_in.x > 0 && piece.size_in.y > 0) {
      stand.footprint = {piece.size_in.x, piece.size_in.y};
    } else if (piece.square.empty()) {
      stand.footprint = {0.8, 0.8};  // a leader's base where there are no squares
    }
    out.push_back(stand);
  }
  return out;
}

void GameController::Say(std::string_view line, double time_s, int shot) {
  const auto [verb, rest] = FirstWord(line);
  if (verb.empty()) return;
  if (setup_.replay) {
    notice_ = {"This is a replay; nothing can be played in it.", true, {}};
  } else if (verb == "undo") {
    const std::optional<int> count = rest.empty() ? 1 : Whole(rest);
    if (count && *count > 0) {
      UndoLines(*count, time_s);
    } else {
      notice_ = {"undo: give the number of lines to undo, or nothing for one", true, {}};
    }
  } else if (verb == "redo") {
    RedoLine(time_s);
  } else if (verb == "correct" || verb == "remove") {
    CorrectLine(rest, verb == "remove", time_s);
  } else {
    // What players type counts, whatever the camera read.
    if (verb == "dice" && !dice_.Offer().dice.empty()) dice_read_ = ReadOf(dice_.Offer(), false);
    if (PlayOne(line, time_s, shot)) undone_.clear();
    dice_read_.reset();
  }
  Show();
}

void GameController::Choose(int side, const std::string& line, double time_s) {
  if (setup_.replay) return;
  const Prompt& prompt = now_->prompt;
  const auto asked = [&](int one) {
    return std::find(prompt.sides.begin(), prompt.sides.end(), one) != prompt.sides.end();
  };
  if (prompt.kind != PromptKind::kSecret || side < 0 || !asked(side)) return;
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
      // A refusal affects only that side; it is asked again.
      if (one && PlayOne(*one, time_s, 0)) undone_.clear();
    }
  } else {
    notice_ = {fmt::format("{} has chosen.", index < now_->view.sides.size()
                                                 ? now_->view.sides[index]
                                                 : fmt::format("Side {}", side + 1)),
               false,
               {}};
  }
  Show();
}

bool GameController::PlaceAsSeen(const std::vector<StandObservation>& stands, double time_s) {
  if (game_->Played() > 0 || setup_.replay) return false;
  for (const std::string& line : game_->PlacementLines(stands)) PlayOne(line, time_s, 0);
  Show();
  return true;
}

void GameController::NoteForecast(std::string_view line, const std::optional<Forecast>& ahead) {
  if (now_ == nullptr) return;
  for (const std::vector<LineOption>& options : now_->options) {
    for (const LineOption& option : options) {
      if (option.line == line && (option.forecast || ahead)) thrown_for_ = option;
    }
  }
  if (!ahead) return;
  // The line was typed in another form than it is offered.
  if (!thrown_for_ || thrown_for_->line != line) thrown_for_ = LineOption{};
  thrown_for_->line = line;
  if (!thrown_for_->forecast) thrown_for_->forecast = ahead;
}

const std::optional<Forecast>& GameController::ForecastOf(const LineOption& option) {
  if (forecast_of_ != option.line) {
    forecast_of_ = option.line;
    forecast_ = option.forecast ? option.forecast : game_->ForecastOf(option.line);
  }
  return forecast_;
}

std::string GameController::InWords(std::string_view line) const {
  if (now_ == nullptr) return {};
  for (const std::vector<LineOption>& options : now_->options) {
    for (const LineOption& option : options) {
      if (option.line != line || !option.pieces.empty()) continue;
      const auto side = static_cast<std::size_t>(std::max(option.side, 0));
      return option.side < 0 || side >= now_->view.sides.size()
                 ? option.label
                 : fmt::format("{}: {}", now_->view.sides[side], option.label);
    }
  }
  return {};
}

bool GameController::PlayOne(std::string_view line, double time_s, int shot) {
  const std::optional<Forecast> ahead =
      now_ != nullptr && !setup_.replay ? game_->ForecastOf(line) : std::nullopt;
  const std::string said = InWords(line);
  Result<LineOutcome> outcome = game_->Play(line);
  if (!outcome.ok()) {
    notice_ = {outcome.error().message, true, {}};
    return false;
  }
  notice_ = {};
  RecordLine(std::string(line), *outcome, time_s);
  // A line that could not be recorded must be reported, whatever else there is to say.
  const std::optional<Notice> not_recorded =
      notice_.refused ? std::optional(notice_) : std::nullopt;
  GameLogEntry entry;
  entry.time_s = time_s;
  entry.clauses = outcome->clauses;
  if (outcome->refused) {
    entry.line = std::string(line);
    entry.refused = outcome->refused->because;
    entry.clauses = {outcome->refused->clause};
    // Nobody reads the notices of a game that is being restored.
    notice_ = {now_ == nullptr ? outcome->refused->because
                               : WithNearest(*game_, outcome->refused->because, line),
               true, outcome->refused->clause};
  } else {
    entry.number = static_cast<int>(game_->Played());
    entry.line = outcome->line;
    NoteForecast(outcome->line, ahead);
    // The prompt is shown on its own.
    std::erase_if(outcome->told, [next = game_->Next().sentence](const std::string& told) {
      return next.starts_with(told);
    });
    entry.told = outcome->told;
    entry.said = said.empty() && entry.told.empty() ? WithoutDraw(entry.line) : said;
    entry.shot = shot;
    last_shot_ = std::max(last_shot_, shot);
    notice_ = {outcome->told.empty() ? std::string{} : outcome->told.back(), false,
               outcome->clauses.empty() ? std::string{} : outcome->clauses.back()};
    RecordDiceRead(entry);
    dice_.AskedAt(time_s);
  }
  const bool accepted = !outcome->refused;
  if (not_recorded) notice_ = *not_recorded;
  log_.push_back(std::move(entry));
  options_of_.reset();
  if (accepted) secrets_.clear();
  if (accepted && game_->Next().kind != PromptKind::kDice) thrown_for_.reset();
  return accepted;
}

void GameController::AddRemark(double time_s, std::string what) {
  GameLogEntry entry;
  entry.time_s = time_s;
  entry.told = {std::move(what)};
  log_.push_back(std::move(entry));
}

void GameController::UndoLines(int count, double time_s) {
  const std::vector<std::string> lines = game_->Lines();
  int taken = 0;
  while (taken < count && game_->Undo()) {
    undone_.push_back({lines[lines.size() - 1 - static_cast<std::size_t>(taken)], 0});
    ++taken;
  }
  options_of_.reset();
  secrets_.clear();
  thrown_for_.reset();
  if (taken == 0) {
    notice_ = {"There is no line to undo.", true, {}};
    return;
  }
  const auto played = static_cast<int>(game_->Played());
  std::string what = WithoutDraw(undone_.back().line);
  for (GameLogEntry& entry : log_) {
    if (entry.number <= played) continue;
    const auto last = undone_.size() - 1;
    undone_[last - static_cast<std::size_t>(entry.number - played - 1)].shot = entry.shot;
    // The shot of the last line waits for the game again.
    if (taken == 1 && entry.shot > 0 && entry.shot == last_shot_) --last_shot_;
    entry.undone = true;
    entry.number = 0;
    if (!entry.said.empty() || !entry.told.empty())
      what = entry.said.empty() ? entry.told.front() : entry.said;
  }
  notice_ = {taken == 1 ? fmt::format("Taken back: {}", what)
                        : fmt::format("Taken back: {} lines", taken),
             false,
             {}};
  AddRemark(time_s, notice_.text);
  LineOutcome undone;
  dice_.AskedAt(time_s);
  undone.told.assign(static_cast<std::size_t>(taken), "The last action is taken back.");
  RecordLine("undo", undone, time_s);
}

void GameController::RedoLine(double time_s) {
  if (undone_.empty()) {
    notice_ = {"There is no line to redo.", true, {}};
    return;
  }
  const Undone next = undone_.back();
  if (PlayOne(next.line, time_s, next.shot)) undone_.pop_back();
}

void GameController::CorrectLine(std::string_view words, bool remove, double time_s) {
  const auto [number, line] = FirstWord(words);
  const std::optional<int> index = Whole(number);
  if (!index || *index < 1 || (line.empty() && !remove)) {
    notice_ = {"correct: give the line's number and its right text", true, {}};
    return;
  }
  const std::vector<std::size_t> serials = game_->Serials();
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
  dice_.AskedAt(time_s);
  const Status rebuilt = RebuildLog(time_s, serials);
  notice_ = {rebuilt.ok() ? fmt::format("Line {} is corrected.", *index) : rebuilt.error().message,
             !rebuilt.ok(),
             {}};
  std::string all = notice_.text;
  for (const std::string& change : corrected->changed) all.append(" ").append(change);
  AddRemark(time_s, std::move(all));
  LineOutcome made;
  made.told = corrected->changed;
  RecordLine(fmt::format("{} {}", remove ? "remove" : "correct", words), made, time_s);
}

// After a correction any sentence may differ, so all lines are played again in a second game.
Status GameController::RebuildLog(double time_s, const std::vector<std::size_t>& serials_before) {
  Result<std::unique_ptr<RuleGame>> fresh = setup_.open();
  if (!fresh.ok()) return fresh.error();
  std::vector<GameLogEntry> log;
  const std::vector<std::size_t> serials = game_->Serials();
  int number = 0;
  for (const std::string& line : game_->Lines()) {
    const Result<LineOutcome> outcome = (*fresh)->Play(line);
    if (!outcome.ok()) return outcome.error();
    ++number;
    GameLogEntry entry;
    entry.number = number;
    entry.time_s = time_s;
    entry.line = line;
    entry.told = outcome->told;
    if (entry.told.empty()) entry.said = WithoutDraw(line);
    entry.clauses = outcome->clauses;
    // The line keeps its shot, also where lines before it were removed.
    const std::size_t serial = serials[static_cast<std::size_t>(number) - 1];
    const auto before = std::find_if(log_.begin(), log_.end(), [&](const GameLogEntry& one) {
      return one.number > 0 && one.line == line &&
             serials_before[static_cast<std::size_t>(one.number) - 1] == serial;
    });
    if (before != log_.end()) {
      entry.time_s = before->time_s;
      entry.shot = before->shot;
      entry.dice_read = before->dice_read;
    }
    log.push_back(std::move(entry));
  }
  log_ = std::move(log);
  return Ok();
}

// Pieces of a new kind may come on to the table; the rule set reads its tables for what they are.
void GameController::NoteKinds(const std::string& ruleset, const GameView& view) {
  Scenario known;
  known.ruleset = ruleset;
  known.club = setup_.club;
  known.kinds = kinds_;
  for (const PieceView& piece : view.pieces) {
    const bool there =
        std::any_of(known.kinds.begin(), known.kinds.end(),
                    [&](const KindSpec& one) { return one.name == piece.kind; });
    if (!there) known.kinds.emplace_back().name = piece.kind;
  }
  if (known.kinds.size() == kinds_.size()) return;
  kinds_ = known.kinds;
  troops_ = TroopsOf(known);
}

void GameController::Show() {
  auto shown = std::make_shared<GameShown>();
  shown->ruleset = std::string(game_->Ruleset());
  shown->name = setup_.name;
  shown->board = setup_.board;
  shown->terrain = setup_.terrain;
  shown->prompt = game_->Next();
  shown->view = game_->View();
  NoteKinds(shown->ruleset, shown->view);
  shown->kinds = kinds_;
  shown->troops = troops_;
  for (std::size_t side = 0; side < shown->view.sides.size(); ++side) {
    shown->options.push_back(game_->Options(static_cast<int>(side)));
    shown->chosen.push_back(side < secrets_.size() && secrets_[side].has_value());
  }
  shown->log = log_;
  shown->played = game_->Played();
  shown->replay_turns = replay_turns_;
  if (setup_.replay) {
    // Only the entries up to the current line.
    const auto last = std::find_if(log_.rbegin(), log_.rend(), [&](const GameLogEntry& entry) {
      return entry.number == static_cast<int>(shown->played);
    });
    shown->log.resize(shown->played == 0 ? 0 : static_cast<std::size_t>(log_.rend() - last));
  }
  shown->to_redo = undone_.size();
  shown->notice = notice_.text;
  shown->refused = notice_.refused;
  shown->clause = notice_.clause;
  if (shown->prompt.kind == PromptKind::kDice) shown->thrown_for = thrown_for_;
  shown->awaited = game_->Awaited();
  forecast_of_.reset();
  reach_of_.reset();
  tables_of_.reset();
  now_ = std::move(shown);
}

Result<std::string> GameController::FallOf(const ShotShown& shot, const Scenario& scenario) const {
  if (!shot.question.empty()) return Error{ErrorCode::kDegenerate, shot.question};
  if (shot.withdrawn)
    return Error{ErrorCode::kDegenerate, "the players have taken this shot back"};
  const Vec2 point = shot.shot.point;
  if (!setup_.board.Contains(point)) return std::string("lands off");
  FallenShot fallen;
  fallen.at_in = point;
  fallen.water = shot.verdict.ground.water;
  if (const auto open = OpenCalls(shot); !open.empty()) {
    return Error{ErrorCode::kDegenerate,
                 fmt::format("{} is too close to call; settle it first as hit or not hit",
                             open.front()->stand.stand.text)};
  }
  for (const StandVerdict& stand : shot.verdict.stands) {
    const std::string& id = stand.stand.stand.text;
    const Call call = SettledCall(shot, id).value_or(stand.call);
    // The players' decision counts, whichever side of the limit the measurement fell on.
    constexpr double kJustBeyond_in = 0.001;
    const double measured = std::max(stand.measured.gap.inches, 0.0);
    const double distance = call == Call::kHit
                                ? std::min(measured, stand.limit_in)
                                : std::max(measured, stand.limit_in + kJustBeyond_in);
    const auto kind = static_cast<std::size_t>(std::max(stand.stand.kind, 0));
    const bool equipment = kind < scenario.kinds.size() && scenario.kinds[kind].equipment;
    // A game of the clip's own scenario numbers every piece; in a scenario for playing, equipment is
    // a piece by itself and has no number.
    const bool numbered = FindPiece(now_->view.pieces, id) != nullptr;
    fallen.near.push_back(
        {equipment && !numbered ? id.substr(0, id.rfind('#')) : id, equipment, distance});
  }
  // The ruling knows the square that the touched model stands in: it need not be the shot's own.
  if (shot.verdict.ruling) {
    fallen.burns = shot.verdict.ruling->fire_square;
  } else if (!shot.verdict.ground.burning_tests.empty()) {
    fallen.burns = shot.verdict.ground.square;
  }
  return game_->FallLine(fallen);
}

std::string GameController::FallAt(Vec2 point, const std::vector<std::string>& struck) const {
  FallenShot fallen;
  fallen.at_in = point;
  for (const std::string& id : struck) {
    const PieceView* piece = FindPiece(now_->view.pieces, id);
    const bool equipment = piece != nullptr && piece->unit == piece->id;
    fallen.near.push_back({id, equipment, 0});
  }
  return game_->FallLine(fallen);
}

}  // namespace fos
