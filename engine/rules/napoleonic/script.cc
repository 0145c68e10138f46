#include "engine/rules/napoleonic/script.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <sstream>

#include <fmt/format.h>

#include "engine/files/toml_reader.h"
#include "engine/rules/napoleonic/describe.h"
#include "engine/rules/napoleonic/legal.h"
#include "engine/rules/napoleonic/movement.h"
#include "engine/rules/napoleonic/query.h"
#include "engine/rules/napoleonic/random_play.h"

namespace fos::napoleonic {
namespace {

// Thrown inside this file only; ParseAction turns it into an Error.
struct Unreadable {
  std::string why;
};
[[noreturn]] void Fail(std::string why) { throw Unreadable{std::move(why)}; }

// A comment is a `#` at the start of a word; inside one it belongs to a stand's name.
std::vector<std::string> WordsOf(std::string_view line) {
  std::istringstream in{std::string(line)};
  std::vector<std::string> words;
  for (std::string word; in >> word && word.front() != '#';) words.push_back(word);
  return words;
}

// The words of one line, taken from the front.
class Line {
 public:
  Line(const State& s, std::vector<std::string> words) : s_(s), words_(std::move(words)) {}

  bool AtEnd() const { return next_ == words_.size(); }
  bool Next(std::string_view word) const { return !AtEnd() && words_[next_] == word; }
  bool Skip(std::string_view word) {
    const bool is = Next(word);
    next_ += is;
    return is;
  }
  std::string Word(const char* what) {
    if (AtEnd()) Fail(fmt::format("the line ends where {} should be", what));
    return words_[next_++];
  }
  void Expect(const char* word) {
    if (!Skip(word)) Fail(fmt::format("`{}` should come {}", word, Here()));
  }
  void End() {
    if (!AtEnd()) Fail(fmt::format("nothing more should come {}", Here()));
  }
  double Number(const char* what) {
    const std::string word = Word(what);
    double value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || end != word.data() + word.size() || !(std::abs(value) <= 10000))
      Fail(fmt::format("`{}` is no number for {}", word, what));
    return value;
  }
  std::int32_t MilliInches(const char* what) {
    return static_cast<std::int32_t>(std::lround(Number(what) * 1000));
  }
  int Whole(const char* what) {
    const double value = Number(what);
    if (value != std::floor(value)) Fail(fmt::format("{} is a whole number", what));
    return static_cast<int>(value);
  }
  Cell Square() {
    const std::string word = Word("a square");
    const auto index = ParseSquare(word);
    if (!index || !s_.setup->board.Contains(*index))
      Fail(fmt::format("`{}` is no square of this board", word));
    return s_.setup->board.At(*index);
  }
  Facing Turn() {
    const std::string word = Word("a facing");
    const auto facing = ParseFacing(word);
    if (!facing) Fail(fmt::format("`{}` is no facing (N NE E SE S SW W NW)", word));
    return *facing;
  }
  int Side() {
    const std::string word = Word("a side");
    for (int side = 0; side < 2; ++side)
      if (SideName(s_, side) == word) return side;
    Fail(Nearest("side", word, {SideName(s_, 0), SideName(s_, 1)}));
  }
  PieceNo Unit() {
    const std::string word = Word("a unit");
    if (const auto unit = FindUnit(word)) return *unit;
    std::vector<std::string> names;
    for (const UnitInfo& unit : s_.setup->units) names.push_back(unit.id);
    Fail(Nearest("unit", word, names));
  }
  PieceNo Equipment() {
    const std::string word = Word("a piece of equipment");
    if (const auto piece = FindEquipment(word)) return *piece;
    std::vector<std::string> names;
    for (const EquipmentInfo& piece : s_.setup->equipment) names.push_back(piece.id);
    Fail(Nearest("equipment", word, names));
  }
  PieceNo Stand() {
    const std::string word = Word("a stand");
    if (const auto stand = FindStand(word)) return *stand;
    Fail(fmt::format("`{}` is no stand (a stand is UNIT#NUMBER)", word));
  }
  std::optional<PieceNo> FindUnit(const std::string& id) const {
    for (std::size_t i = 0; i < s_.setup->units.size(); ++i)
      if (s_.setup->units[i].id == id) return static_cast<PieceNo>(i);
    return std::nullopt;
  }
  std::optional<PieceNo> FindEquipment(const std::string& id) const {
    for (std::size_t i = 0; i < s_.setup->equipment.size(); ++i)
      if (s_.setup->equipment[i].id == id) return static_cast<PieceNo>(i);
    return std::nullopt;
  }
  std::optional<PieceNo> FindStand(const std::string& name) const {
    const std::size_t hash = name.rfind('#');
    if (hash == std::string::npos) return std::nullopt;
    const auto unit = FindUnit(name.substr(0, hash));
    int number = 0;
    const auto [end, error] =
        std::from_chars(name.data() + hash + 1, name.data() + name.size(), number);
    if (!unit || error != std::errc() || end != name.data() + name.size()) return std::nullopt;
    for (std::size_t i = 0; i < s_.stands.size(); ++i)
      if (s_.stands[i].unit == *unit && --number == 0) return static_cast<PieceNo>(i);
    return std::nullopt;
  }
  // "UNIT [in SQUARE]": where its stands are, or the square named.
  Cell WhereOf(PieceNo unit) {
    if (Skip("in")) return Square();
    const std::vector<PieceNo> stands = StandsOf(s_, unit);
    if (stands.empty()) Fail(fmt::format("{} has no stand left on the board", UnitName(s_, unit)));
    const Cell cell = s_.StandAt(stands.front()).cell;
    const bool in_square = s_.StandAt(stands.front()).formation >= 0;
    for (const PieceNo i : stands)
      if (s_.StandAt(i).cell != cell && !in_square)
        Fail(fmt::format("{} is in several squares: say `in SQUARE`", UnitName(s_, unit)));
    return cell;
  }
  ShotKind Kind() {
    const std::string word = Word("field, howitzer or horse");
    if (word == "field") return ShotKind::kField;
    if (word == "howitzer") return ShotKind::kHowitzer;
    if (word == "horse") return ShotKind::kHorse;
    Fail(Nearest("kind of shot", word, {"field", "howitzer", "horse"}));
  }
  static std::string Nearest(const char* what, const std::string& word,
                             const std::vector<std::string>& names) {
    return fmt::format("no {} `{}`; the nearest is `{}`", what, word.substr(0, 100),
                       NearestName(word, names));
  }

  const State& s() const { return s_; }
  const std::string& Peek() const { return words_[next_]; }

 private:
  std::string Here() const {
    return AtEnd() ? "at the end of the line"
                   : fmt::format("before `{}`", words_[next_].substr(0, 100));
  }
  const State& s_;
  std::vector<std::string> words_;
  std::size_t next_ = 0;
};

Declaration ParseDice(Line& line) {
  GiveDice dice;
  while (!line.AtEnd()) {
    const int die = line.Whole("a die");
    if (die < 1 || die > 6) Fail(fmt::format("a die does not show {}", die));
    dice.dice.push_back(static_cast<std::int8_t>(die));
  }
  return dice;
}

Declaration ParseCoin(Line& line) {
  const std::string word = line.Word("heads or tails");
  if (word != "heads" && word != "tails") Fail("a coin shows heads or tails");
  return GiveCoin{word == "heads", {}};
}

// lands off | lands X Y [water] [stand S D]... [gun G D]... [model SQUARE D]...
Declaration ParseLanding(Line& line) {
  ShotFacts facts;
  if (line.Skip("off")) {
    facts.off_board = true;
    return Land{facts};
  }
  facts.x_milli_in = line.MilliInches("x");
  facts.y_milli_in = line.MilliInches("y");
  const Setup& setup = *line.s().setup;
  const TableFrame frame{setup.board.columns, setup.board.rows, setup.tables.square_in};
  const auto at = frame.SquareAt({facts.x_milli_in / 1000.0, facts.y_milli_in / 1000.0});
  if (!at) Fail("that point is off the board: say `lands off`");
  const CellTerrain& ground = setup.At(setup.board.At(*at));
  facts.over_water = ground.water && !ground.bridge;
  while (!line.AtEnd()) {
    if (line.Skip("water")) {
      facts.over_water = true;
    } else if (line.Skip("dry")) {
      facts.over_water = false;
    } else if (line.Skip("stand")) {
      const PieceNo stand = line.Stand();
      facts.stands.push_back({stand, line.MilliInches("its distance"), 0});
    } else if (line.Skip("gun")) {
      const PieceNo piece = line.Equipment();
      facts.equipment.push_back({piece, line.MilliInches("its distance"), 0});
    } else if (line.Skip("model")) {
      const Cell cell = line.Square();
      facts.models.push_back({cell, line.MilliInches("its distance")});
    } else {
      Fail(Line::Nearest("word here", line.Peek(), {"water", "dry", "stand", "gun", "model"}));
    }
  }
  return Land{facts};
}

Declaration ParseTaking(Line& line) {
  ChooseStands choice;
  while (!line.AtEnd()) choice.stands.push_back(line.Stand());
  return choice;
}

Declaration ParseRegroup(Line& line) {
  const PieceNo unit = line.Unit();
  line.Expect("at");
  const Cell cell = line.Square();
  return Regroup{unit, cell, line.Turn()};
}

Declaration ParseTurn(Line& line) {
  const std::string name = line.Peek();
  if (const auto piece = line.FindEquipment(name)) {
    line.Word("a name");
    return TurnEquipment{line.s().EquipmentAt(*piece).owner, *piece, line.Turn()};
  }
  const PieceNo unit = line.Unit();
  const Cell cell = line.WhereOf(unit);
  return TurnUnit{UnitOf(line.s(), unit).side, unit, cell, line.Turn()};
}

Declaration ParseLimber(Line& line, bool limbered) {
  const PieceNo piece = line.Equipment();
  return Limber{line.s().EquipmentAt(piece).owner, piece, limbered};
}

Declaration ParsePool(Line& line) {
  const PieceNo piece = line.Equipment();
  line.Expect("with");
  const std::string name = line.Word("a battery");
  std::vector<std::string> names;
  const auto& batteries = line.s().setup->batteries;
  for (std::size_t i = 0; i < batteries.size(); ++i) {
    if (batteries[i].name == name)
      return Pool{line.s().EquipmentAt(piece).owner, piece, static_cast<int>(i)};
    names.push_back(batteries[i].name);
  }
  Fail(Line::Nearest("battery", name, names));
}

// shoot GUN KIND [at SQUARE]; canister GUN KIND at SQUARE
Declaration ParseShot(Line& line, bool canister) {
  CallShot shot;
  shot.gun = line.Equipment();
  shot.side = line.s().EquipmentAt(shot.gun).owner;
  shot.kind = line.Kind();
  shot.canister = canister;
  if (canister || !line.AtEnd()) {
    line.Expect("at");
    shot.target = line.Square();
  }
  return shot;
}

Declaration ParseHold(Line& line) {
  const PieceNo gun = line.Equipment();
  return HoldCanister{line.s().EquipmentAt(gun).owner, gun, line.Kind()};
}

Declaration ParseRelease(Line& line) {
  FireHeld shot;
  shot.gun = line.Equipment();
  shot.side = line.s().EquipmentAt(shot.gun).owner;
  line.Expect("at");
  shot.target = line.Square();
  line.Expect("on");
  shot.unit = line.Unit();
  return shot;
}

Declaration ParseVolley(Line& line) {
  const PieceNo unit = line.Unit();
  const Cell from = line.WhereOf(unit);
  line.Expect("at");
  return CallVolley{UnitOf(line.s(), unit).side, unit, from, line.Square()};
}

// move UNIT [in SQUARE] | STAND... [with GUN...] via SQUARE... | to SQUARE  [facing F]
Declaration ParseMove(Line& line) {
  Move move;
  while (!line.AtEnd() && !line.Next("with") && !line.Next("via") && !line.Next("to")) {
    const std::string& name = line.Peek();
    if (name.find('#') != std::string::npos) {
      move.stands.push_back(line.Stand());
    } else {
      const PieceNo unit = line.Unit();
      for (const PieceNo i : StandsOf(line.s(), unit, line.WhereOf(unit))) move.stands.push_back(i);
    }
  }
  if (move.stands.empty()) Fail("nothing is named to move");
  move.side = line.s().StandAt(move.stands.front()).side;
  if (line.Skip("with"))
    while (!line.AtEnd() && !line.Next("via") && !line.Next("to"))
      move.equipment.push_back(line.Equipment());
  if (line.Skip("to")) {
    const Cell to = line.Square();
    for (std::vector<Cell>& path : Reach(line.s(), move.stands, move.equipment))
      if (path.back() == to) move.path = std::move(path);
    if (move.path.empty()) {
      // Out of reach: the straight way there, for the refusal to say by how much.
      Cell at = line.s().StandAt(move.stands.front()).cell;
      while (at != to) {
        at = line.s().setup->board.Step(
            at, squares::NearestDirection(line.s().setup->board.Between(at, to)));
        move.path.push_back(at);
      }
    }
  } else {
    line.Expect("via");
    while (!line.AtEnd() && !line.Next("facing")) move.path.push_back(line.Square());
  }
  if (line.Skip("facing")) move.facing = line.Turn();
  return move;
}

// square UNIT... at SQUARE [N by M] [STAND SQUARE FACING]...
Declaration ParseForming(Line& line) {
  FormSquare form;
  while (!line.AtEnd() && !line.Next("at")) form.units.push_back(line.Unit());
  if (form.units.empty()) Fail("no unit is named to form");
  form.side = UnitOf(line.s(), form.units.front()).side;
  line.Expect("at");
  form.corner = line.Square();
  if (!line.AtEnd() && line.Peek().find('#') == std::string::npos) {
    form.columns = line.Whole("how many squares wide");
    line.Expect("by");
    form.rows = line.Whole("how many squares deep");
  }
  while (!line.AtEnd()) {
    const PieceNo stand = line.Stand();
    const Cell cell = line.Square();
    form.placements.push_back({stand, cell, line.Turn()});
  }
  if (!form.placements.empty() || form.columns != 1) return form;
  // One square: the stands look N, E, S, W in turn.
  for (const PieceNo unit : form.units)
    for (const PieceNo i : StandsOf(line.s(), unit))
      form.placements.push_back(
          {i, form.corner, static_cast<Facing>(2 * (form.placements.size() % 4))});
  return form;
}

Declaration ParseBreaking(Line& line) {
  BreakSquare broken;
  while (!line.AtEnd()) broken.places.push_back(std::get<Regroup>(ParseRegroup(line)));
  if (broken.places.empty()) Fail("say for each unit: UNIT at SQUARE FACING");
  broken.unit = broken.places.front().unit;
  broken.side = UnitOf(line.s(), broken.unit).side;
  return broken;
}

Declaration ParseSupport(Line& line) {
  const PieceNo unit = line.Unit();
  const Cell from = line.WhereOf(unit);
  line.Expect("at");
  return Support{UnitOf(line.s(), unit).side, unit, from, line.Square()};
}

Declaration ParseCard(Line& line) {
  const int side = line.Side();
  const std::string name = line.Word("a card");
  std::vector<std::string> names;
  for (int card = 0; card < kCardKinds; ++card) {
    names.emplace_back(CardName(static_cast<Card>(card)));
    if (names.back() != name) continue;
    line.Expect("at");
    return PlayCard{side, line.Square(), static_cast<Card>(card)};
  }
  Fail(Line::Nearest("card", name, names));
}

Declaration ParseDestroying(Line& line) {
  const PieceNo piece = line.Equipment();
  return DestroyEquipment{line.s().EquipmentAt(piece).owner, piece};
}

struct Verb {
  const char* word;
  Declaration (*parse)(Line&);
};
constexpr Verb kVerbs[] = {
    {"dice", ParseDice},
    {"coin", ParseCoin},
    {"draw", [](Line&) -> Declaration { return Draw{}; }},
    {"lands", ParseLanding},
    {"take", ParseTaking},
    {"back", [](Line& l) -> Declaration { return ChooseRetreat{l.Square()}; }},
    {"regroup", ParseRegroup},
    {"turn", ParseTurn},
    {"limber", [](Line& l) { return ParseLimber(l, true); }},
    {"unlimber", [](Line& l) { return ParseLimber(l, false); }},
    {"pool", ParsePool},
    {"shoot", [](Line& l) { return ParseShot(l, false); }},
    {"canister", [](Line& l) { return ParseShot(l, true); }},
    {"hold", ParseHold},
    {"release", ParseRelease},
    {"fire", ParseVolley},
    {"move", ParseMove},
    {"square", ParseForming},
    {"break", ParseBreaking},
    {"support", ParseSupport},
    {"card", ParseCard},
    {"destroy", ParseDestroying},
    {"done", [](Line& l) -> Declaration { return EndStep{l.Side()}; }},
    {"surrender", [](Line& l) -> Declaration { return Surrender{l.Side()}; }},
};

Action Parsed(const State& s, std::vector<std::string> words) {
  Action action;
  if (!words.empty() && words.front() == "overrule") {
    action.overrule = true;
    words.erase(words.begin());
  }
  Line line(s, words);
  const std::string verb = line.Word("what is done");
  std::vector<std::string> known;
  for (const Verb& candidate : kVerbs) {
    known.emplace_back(candidate.word);
    if (verb != candidate.word) continue;
    if (line.AtEnd() && verb != "draw" && verb != "dice" && verb != "take")
      Fail(fmt::format("`{}` of what?", verb));
    action.what = candidate.parse(line);
    line.End();
    return action;
  }
  for (const char* word : {"overrule", "undo", "correct", "remove", "random", "show", "legal"})
    known.emplace_back(word);
  Fail(Line::Nearest("word", verb, known));
}

// The script's lines that are about the game as it was played.
class Player {
 public:
  Player(std::shared_ptr<const Setup> setup, const ScriptOptions& options)
      : options_(options), game_(NewGame(std::move(setup), options.seed.value_or(0))) {}

  Status Take(int number, const std::string& text) {
    const std::vector<std::string> words = WordsOf(text);
    if (words.empty()) return Ok();
    try {
      const std::string& verb = words.front();
      if (verb == "undo" || verb == "correct" || verb == "remove") {
        TakeBack(number, text, words);
      } else if (verb == "random") {
        PlayRandom(number, words);
      } else if (verb == "show" || verb == "legal") {
        Show(number, text, words);
      } else {
        if (verb != "dice" && verb != "coin" && verb != "draw") DrawWhatIsWanted(number);
        Tell(number, text, Parsed(game_.Now(), words));
      }
    } catch (const Unreadable& e) {
      return Error{ErrorCode::kBadFormat, fmt::format("line {}: {}", number, e.why)};
    }
    return Ok();
  }
  void DrawWhatIsWanted(int number) {
    while (options_.seed && game_.Now().Waiting() &&
           (game_.Now().ask.count > 0 || game_.Now().ask.kind == AskKind::kMeleeCoin))
      Tell(number, "(drawn)", {Draw{}});
  }
  Game Finished() && { return std::move(game_); }

 private:
  void Report(const ScriptStep& step) const {
    if (options_.report) options_.report(step);
  }
  void Tell(int number, const std::string& text, const Action& action) {
    ScriptStep step{number, text, game_.Play(action), {}, {}};
    if (!step.refusal) {
      step.events = game_.Entries().back().events;
      AddTelling(game_.Entries().size() - 1, step);
    }
    Report(step);
  }
  // Each event is told in the state right after it.
  void AddTelling(std::size_t index, ScriptStep& step) const {
    State s = game_.At(index);
    for (const Event& event : game_.Entries()[index].events) {
      ApplyTo(s, event);
      std::string sentence = Describe(s, event);
      if (!sentence.empty()) step.told.push_back(std::move(sentence));
    }
  }
  // The number of an old action, as `undo`, `correct` and `remove` count: 1 is the first.
  std::size_t IndexFrom(const std::string& word) const {
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (error != std::errc() || end != word.data() + word.size() || number < 1 ||
        number > game_.Entries().size())
      Fail(fmt::format("`{}` is no number of an action (1 to {})", word.substr(0, 100),
                       game_.Entries().size()));
    return number - 1;
  }
  void TakeBack(int number, const std::string& text, const std::vector<std::string>& words) {
    ScriptStep step{number, text, std::nullopt, {}, {}};
    if (words.front() == "undo") {
      std::size_t count = words.size() > 1 ? IndexFrom(words[1]) + 1 : 1;
      while (count-- > 0 && game_.Undo()) step.told.push_back("The last action is taken back.");
      Report(step);
      return;
    }
    if (words.size() < 2) Fail("say the number of the action");
    const std::size_t index = IndexFrom(words[1]);
    std::optional<Action> action;
    if (words.front() == "correct")
      action = Parsed(game_.At(index), {words.begin() + 2, words.end()});
    const Game::Correction correction = game_.Correct(index, action);
    step.refusal = correction.refused;
    for (const Game::Change& change : correction.changes)
      step.told.push_back(
          change.refused ? fmt::format("Action {} no longer stands: {} ({}).", change.index + 1,
                                       change.refused->because, change.refused->clause)
                         : fmt::format("Action {} now comes to something else.", change.index + 1));
    Report(step);
  }
  // random [N]: so many legal actions, or to the end.
  void PlayRandom(int number, const std::vector<std::string>& words) {
    // Four times the longest game seen between armies of 580 points.
    constexpr int kMostRandom = 20000;
    int left = kMostRandom;
    if (words.size() > 1) {
      const auto [end, error] =
          std::from_chars(words[1].data(), words[1].data() + words[1].size(), left);
      if (error != std::errc() || end != words[1].data() + words[1].size() || left < 0 ||
          left > kMostRandom)
        Fail(fmt::format("`random` takes 0 to {}", kMostRandom));
    }
    Generator chance{options_.seed.value_or(0) + static_cast<std::uint64_t>(number)};
    for (; left > 0 && game_.Now().step != Step::kOver; --left) {
      const State& s = game_.Now();
      Action action = RandomAction(s, chance);
      State trial = s;
      std::vector<Event> events;
      if (napoleonic::Play(trial, action, events)) action = AnyProgress(s, chance);
      Tell(number, "(random)", action);
    }
  }
  void Show(int number, const std::string& text, const std::vector<std::string>& words) const {
    ScriptStep step{number, text, std::nullopt, {}, {}};
    if (words.front() == "show") {
      step.told.push_back(DescribeTable(game_.Now()));
    } else {
      Line line(game_.Now(), words);
      line.Word("legal");
      const PieceNo unit = line.Unit();
      std::vector<Action> moves;
      AppendMoves(game_.Now(), unit, line.WhereOf(unit), moves);
      std::string squares;
      for (const Action& action : moves)
        squares +=
            fmt::format(" {}", CellName(game_.Now(), std::get<Move>(action.what).path.back()));
      step.told.push_back(fmt::format("{} may move to:{}", UnitName(game_.Now(), unit), squares));
    }
    Report(step);
  }

  const ScriptOptions& options_;
  Game game_;
};

}  // namespace

Result<Action> ParseAction(const State& s, std::string_view line) {
  try {
    return Parsed(s, WordsOf(line));
  } catch (const Unreadable& e) {
    return Error{ErrorCode::kBadFormat, e.why};
  }
}

Result<Game> PlayScript(std::shared_ptr<const Setup> setup, std::string_view script,
                        const ScriptOptions& options) {
  Player player(std::move(setup), options);
  std::istringstream lines{std::string(script)};
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (const Status taken = player.Take(number, line); !taken.ok()) return taken.error();
  }
  player.DrawWhatIsWanted(number);
  return std::move(player).Finished();
}

}  // namespace fos::napoleonic
