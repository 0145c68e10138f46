// SPDX-License-Identifier: MIT
#include "ui/report/line_story.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "engine/game/line_words.h"
#include "engine/game/rule_game.h"
#include "engine/journal/logged_game.h"
#include "engine/rules/rule_sets.h"

namespace fos {
namespace {

// The words of a line as the rules wrote it: names without the quotes that a script needs.
std::vector<std::string> SplitWords(const std::string& line) {
  LineWords words(line);
  std::vector<std::string> out;
  while (!words.AtEnd()) out.push_back(words.Word("a word"));
  return out;
}

std::optional<double> NumberFrom(const std::string& word) {
  double value = 0;
  const auto [end, failed] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (failed != std::errc() || end != word.data() + word.size() || !std::isfinite(value)) {
    return std::nullopt;
  }
  return value;
}

// The place of a unit, stand or gun: the mean of its pieces on the table.
std::optional<Vec2> WhereIs(const std::vector<PieceView>& pieces, const std::string& name,
                            int* side = nullptr) {
  Vec2 sum;
  int count = 0;
  for (const PieceView& piece : pieces) {
    if (!piece.on_table || (piece.id != name && piece.unit != name)) continue;
    sum = sum + piece.at_in;
    ++count;
    if (side) *side = piece.side;
  }
  if (count == 0) return std::nullopt;
  return sum / count;
}

// The pieces that were on the table before, and are not now.
std::vector<std::string> LostBetween(const std::vector<PieceView>& before,
                                     const std::vector<PieceView>& after) {
  std::vector<std::string> out;
  for (const PieceView& piece : before) {
    const PieceView* now = FindPiece(after, piece.id);
    if (piece.on_table && (!now || !now->on_table)) out.push_back(piece.id);
  }
  return out;
}

// Rewrites keys such as "field_gun"; names of units and pieces stay as they are.
std::string Readable(const std::string& sentence) {
  std::string out = sentence;
  const auto small = [](char c) { return c >= 'a' && c <= 'z'; };
  for (std::size_t i = 1; i + 1 < out.size(); ++i) {
    if (out[i] == '_' && small(out[i - 1]) && small(out[i + 1])) out[i] = ' ';
  }
  // A sentence begins with a capital letter, unless it begins with a name.
  const std::size_t word = std::min(out.find_first_of(" ,.:#-"), out.size());
  const bool plain =
      word > 2 &&
      std::all_of(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(word), small) &&
      word < out.size() && out[word] == ' ';
  if (plain) out[0] = static_cast<char>(out[0] - 'a' + 'A');
  return out;
}

// Plays the lines again and fills the battle's turns.
class LineStory {
 public:
  explicit LineStory(Battle& battle) : battle_(battle) {}

  // errors  those of OpenLogged. Stops at a line that is no longer legal.
  Status Tell(const GameLog& log, const RuleGame& played) {
    Result<std::unique_ptr<RuleGame>> opened = OpenLogged(log.start, RulesOf::kLog);
    if (!opened.ok()) return opened.error();
    game_ = std::move(opened).value();
    rules_ = FindRuleSet(game_->Ruleset());
    FOS_CHECK(rules_ != nullptr);
    view_ = game_->View();
    start_ = view_.pieces;
    Note(0);
    Begin(game_->Next().turn);
    const std::vector<std::string> lines = played.Lines();
    const std::vector<std::size_t> serials = played.Serials();
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (!Play(lines[i], serials[i])) break;
    }
    EndTurn();
    battle_.points = view_.points;
    battle_.result = view_.result;
    for (const PieceView& piece : start_) Count(piece);
    return Ok();
  }

 private:
  bool Fires(std::string_view verb) const {
    return std::find(rules_->firing.begin(), rules_->firing.end(), verb) != rules_->firing.end();
  }
  // False for bookkeeping sentences.
  bool WorthTelling(const std::string& sentence) const {
    return std::none_of(rules_->asides.begin(), rules_->asides.end(),
                        [&](std::string_view aside) { return sentence.starts_with(aside); });
  }

  BattleTurn& Turn() { return battle_.turns.back(); }

  void Begin(int number) {
    BattleTurn turn;
    turn.number = number;
    turn.title = fmt::format("Turn {}", number);
    turn.before = view_.pieces;
    battle_.turns.push_back(std::move(turn));
    paths_.clear();
  }

  bool Play(const std::string& line, std::size_t serial) {
    const Prompt before = game_->Next();
    if (before.turn != Turn().number) {
      EndTurn();
      Begin(before.turn);
    }
    const std::vector<std::string> words = SplitWords(line);
    const std::string verb = words.size() > 1 && words[0] == "overrule" ? words[1]
                             : words.empty()                            ? ""
                                                                        : words[0];
    const std::size_t name = words.size() > 1 && words[0] == "overrule" ? 2 : 1;
    const bool fires = Fires(verb) && words.size() > name;
    if (fires) Refresh();
    const Result<LineOutcome> played = game_->Play(line);
    if (!played.ok() || played->refused) return false;
    Say(before.phase, played->told);
    if (fires) Fire(verb, words, name);
    if (verb == "lands" || verb == "land") Land(words);
    if (verb == "move") Move(words, name);
    if (before.kind == PromptKind::kDice) Throw(before, played->line, serial);
    // A shot's losses come with its landing and the choices after it.
    if (open_ &&
        (game_->Next().kind == PromptKind::kDeclare || game_->Next().kind == PromptKind::kOver)) {
      CloseShot();
    }
    return true;
  }

  void Refresh() { view_ = game_->View(); }

  void Say(const std::string& phase, const std::vector<std::string>& told) {
    for (const std::string& sentence : told) {
      if (!WorthTelling(sentence)) continue;
      std::vector<BattlePhase>& phases = Turn().phases;
      if (phases.empty() || phases.back().name != phase) phases.push_back({phase, {}});
      phases.back().sentences.push_back(Readable(sentence));
      if (sentence.starts_with("The players overrule")) {
        battle_.disputes.push_back({Turn().number, 0, sentence, {}, ""});
      }
    }
  }

  void Fire(const std::string& verb, const std::vector<std::string>& words, std::size_t name) {
    CloseShot();
    BattleShot shot;
    shot.turn = Turn().number;
    shot.piece = words[name];
    shot.how = verb;
    shot.from = WhereIs(view_.pieces, shot.piece, &shot.side);
    for (std::size_t i = name + 1; i < words.size(); ++i) {
      const bool last = i + 1 >= words.size();
      if ((words[i] == "in" || words[i] == "by") && !last)
        ++i;  // skips the square it fires from, or the stand that mans it
      else if (words[i] == "at" && !last) {
        const std::optional<SquareIndex> square = ParseSquare(words[i + 1]);
        if (square) {
          shot.aimed = words[i + 1];
          shot.target = battle_.board.CentreOf(*square);
        } else {
          shot.target = WhereIs(view_.pieces, words[i + 1]);
        }
      } else if (i == name + 1 && words[i] != "on") {
        shot.kind = words[i];
      }
    }
    Turn().shots.push_back(std::move(shot));
    // Volleys are rolled together later in the step: their losses come with the dice.
    open_ = game_->Next().kind != PromptKind::kDeclare;
    before_shot_ = view_.pieces;
  }

  void Land(const std::vector<std::string>& words) {
    if (Turn().shots.empty()) return;
    BattleShot& shot = Turn().shots.back();
    shot.thrown = true;
    // Where the line names no kind of shot, the piece has only one.
    const PieceView* piece = FindPiece(before_shot_, shot.piece);
    if (shot.kind.empty() && piece) shot.kind = piece->kind;
    if (words.size() > 1 && words[1] == "off") {
      shot.off_board = true;
    } else if (words.size() > 2) {
      const std::optional<double> x = NumberFrom(words[1]);
      const std::optional<double> y = NumberFrom(words[2]);
      if (x && y) shot.landed = Vec2{*x, *y};
    }
  }

  // line  as it was played, with drawn dice: "dice 3 5 drawn 8ff3"
  void Throw(const Prompt& asked, const std::string& line, std::size_t serial) {
    BattleThrow thrown;
    thrown.line = serial;
    thrown.sides = asked.faces;
    thrown.kinds = asked.kinds;
    const std::vector<std::string> words = SplitWords(line);
    for (std::size_t i = 1; i < words.size(); ++i) {
      thrown.drawn = thrown.drawn || words[i] == "drawn";
      const std::optional<double> face = NumberFrom(words[i]);
      if (!thrown.drawn && face) thrown.faces.push_back(static_cast<int>(*face));
    }
    if (words[0] == "dice") battle_.throws.push_back(std::move(thrown));
  }

  void CloseShot() {
    if (!open_) return;
    open_ = false;
    Refresh();
    if (!Turn().shots.empty()) Turn().shots.back().lost = LostBetween(before_shot_, view_.pieces);
  }

  // Notes the squares of a declared path, by unit or stand.
  void Move(const std::vector<std::string>& words, std::size_t name) {
    const auto via = std::find(words.begin(), words.end(), "via");
    std::vector<Vec2> path;
    for (auto word = via; word != words.end(); ++word) {
      if (const auto square = ParseSquare(*word)) path.push_back(battle_.board.CentreOf(*square));
    }
    for (auto word = words.begin() + static_cast<std::ptrdiff_t>(name); word < via; ++word) {
      if (!path.empty()) paths_.emplace(word->substr(0, word->find('#')), path);
    }
  }

  void EndTurn() {
    CloseShot();
    Refresh();
    BattleTurn& turn = Turn();
    turn.after = view_.pieces;
    turn.square_marks = view_.square_marks;
    for (const std::string& id : LostBetween(turn.before, turn.after)) {
      PieceView lost = *FindPiece(turn.before, id);
      if (const PieceView* now = FindPiece(turn.after, id)) lost.fate = now->fate;
      turn.lost.push_back(std::move(lost));
    }
    // Stands of a unit that moved the same way share one arrow.
    std::map<std::tuple<std::string, std::string, std::string>, std::vector<std::pair<Vec2, Vec2>>>
        groups;
    for (const PieceView& was : turn.before) {
      const PieceView* now = FindPiece(turn.after, was.id);
      if (!was.on_table || !now || !now->on_table) continue;
      const bool moved =
          was.square.empty() ? Distance(was.at_in, now->at_in) > 0.25 : was.square != now->square;
      if (moved) groups[{was.unit, was.square, now->square}].emplace_back(was.at_in, now->at_in);
    }
    for (const auto& [key, pairs] : groups) {
      BattleMove move;
      move.unit = std::get<0>(key);
      Vec2 from, to;
      for (const auto& [a, b] : pairs) {
        from = from + a / static_cast<double>(pairs.size());
        to = to + b / static_cast<double>(pairs.size());
      }
      move.path = {from};
      const auto [first, end] = paths_.equal_range(move.unit);
      const auto declared = std::find_if(first, end, [&](const auto& one) {
        const std::vector<Vec2>& path = one.second;
        return path.size() > 1 && Distance(path.back(), to) < 0.75 * battle_.board.square_in &&
               Distance(path.front(), from) < 2 * battle_.board.square_in;
      });
      if (declared != end) {
        move.path.insert(move.path.end(), declared->second.begin(), declared->second.end() - 1);
      }
      move.path.push_back(to);
      for (const PieceView& piece : turn.before) {
        if (piece.unit == move.unit) move.side = piece.side;
      }
      turn.moves.push_back(std::move(move));
    }
    Note(turn.number);
  }

  void Note(int turn) {
    Strength now;
    now.turn = turn;
    now.lost.assign(view_.sides.size(), 0);
    for (const PieceView& was : start_) {
      const PieceView* is = FindPiece(view_.pieces, was.id);
      if (was.on_table && was.side >= 0 && (!is || !is->on_table)) {
        ++now.lost.at(static_cast<std::size_t>(was.side));
      }
    }
    now.points = view_.points;
    if (!battle_.strength.empty() && battle_.strength.back().turn == turn) {
      battle_.strength.back() = std::move(now);
    } else {
      battle_.strength.push_back(std::move(now));
    }
  }

  void Count(const PieceView& piece) {
    if (!piece.on_table || piece.side < 0) return;
    auto line = std::find_if(battle_.order.begin(), battle_.order.end(), [&](const UnitLine& one) {
      return one.unit == piece.unit && one.side == piece.side;
    });
    if (line == battle_.order.end()) {
      battle_.order.push_back({piece.unit, piece.kind, piece.side, 0, 0, {}});
      line = battle_.order.end() - 1;
    }
    ++line->start;
    const PieceView* now = FindPiece(view_.pieces, piece.id);
    if (now && now->on_table) {
      ++line->left;
    } else if (now && !now->fate.empty()) {
      line->fates.push_back(now->fate);
    }
  }

  Battle& battle_;
  std::unique_ptr<RuleGame> game_;
  const RuleSet* rules_ = nullptr;
  GameView view_;
  std::vector<PieceView> start_, before_shot_;
  bool open_ = false;  // the last shot's losses are not counted yet
  std::multimap<std::string, std::vector<Vec2>> paths_;  // declared paths, by unit
};

}  // namespace

Status TellLines(const GameLog& log, const RuleGame& played, Battle& battle) {
  return LineStory(battle).Tell(log, played);
}

}  // namespace fos
