#include "ui/report/battle.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/files/event_log.h"
#include "engine/files/json.h"
#include "engine/files/toml_reader.h"
#include "engine/journal/logged_game.h"
#include "ui/session/club_file.h"
#include "ui/session/replay.h"

namespace fos {
namespace {

// Names of lines by which something is fired at a square, over all rule sets.
bool Fires(const std::string& verb) {
  static const std::set<std::string> kVerbs = {"shoot", "canister", "release", "fire",
                                               "throw", "volley",   "shot"};
  return kVerbs.contains(verb);
}

std::vector<std::string> SplitWords(const std::string& line) {
  std::istringstream in(line);
  std::vector<std::string> out;
  for (std::string word; in >> word;) out.push_back(word);
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

// A side's colour: the scenario's paint, what its name says, or the next that is free.
std::vector<Colour> ColoursOf(const std::vector<std::string>& names,
                              const std::vector<SideSpec>& specs) {
  struct Named {
    const char* word;
    Colour colour;
  };
  static const Named kNamed[] = {{"blue", {47, 79, 168}},    {"french", {47, 79, 168}},
                                 {"red", {176, 48, 40}},     {"british", {176, 48, 40}},
                                 {"green", {58, 110, 58}},   {"russian", {58, 110, 58}},
                                 {"white", {120, 120, 110}}, {"austrian", {120, 120, 110}}};
  static const Colour kFree[] = {{47, 79, 168}, {176, 48, 40}, {58, 110, 58}, {168, 120, 32}};
  std::vector<Colour> out;
  for (const std::string& name : names) {
    std::optional<Colour> colour;
    for (const SideSpec& spec : specs) {
      if (spec.name == name && !(spec.paint == Colour{})) colour = spec.paint;
    }
    std::string lower = name;
    std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) {
      return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    for (const Named& named : kNamed) {
      if (!colour && lower.find(named.word) != std::string::npos) colour = named.colour;
    }
    const auto taken = [&](Colour c) { return std::find(out.begin(), out.end(), c) != out.end(); };
    if (colour && taken(*colour)) colour.reset();
    for (const Colour free : kFree) {
      if (!colour && !taken(free)) colour = free;
    }
    out.push_back(colour.value_or(Colour{90, 90, 90}));
  }
  return out;
}

std::vector<SquareIndex> SquaresOf(TomlTable& table) {
  std::vector<SquareIndex> out;
  if (!table.Has("squares")) return out;
  for (const std::string& name : table.Texts("squares")) {
    if (const auto square = ParseSquare(name)) out.push_back(*square);
  }
  return out;
}

// A table without squares: its map is drawn over squares of a foot.
constexpr TomlRange kTable{1, 2400};
void InFeet(double length_in, double depth_in, Battle& battle) {
  battle.gridded = false;
  battle.board.square_in = 12;
  battle.board.columns = std::max(1, static_cast<int>(std::ceil(length_in / 12)));
  battle.board.rows = std::max(1, static_cast<int>(std::ceil(depth_in / 12)));
}

// The map's ground from the scenario's text. What it does not understand it leaves out: the rules
// have read the same text and refused what is wrong.
void ReadGround(const std::string& text, Battle& battle) {
  Result<TomlFile> file = TomlFile::Parse(text, "scenario");
  if (!file.ok()) return;
  TomlTable root = file->Root();
  if (root.Has("board")) {
    if (std::optional<TomlTable> board = root.Table("board")) {
      if (board->Has("columns") && board->Has("rows")) {
        battle.board.columns = std::max(1, board->Integer("columns", {1, 200}));
        battle.board.rows = std::max(1, board->Integer("rows", {1, 200}));
        battle.board.square_in = std::max(0.25, board->Number("square", {0.25, 48}, 4.0));
      } else if (board->Has("width") && board->Has("depth")) {
        InFeet(board->Number("width", kTable), board->Number("depth", kTable), battle);
      }
    }
  } else if (root.Has("table")) {
    std::optional<TomlTable> table = root.Table("table");
    if (table && table->Has("length") && table->Has("width")) {
      InFeet(table->Number("length", kTable), table->Number("width", kTable), battle);
    }
  }
  constexpr TomlRange kAnywhere{-1000, 1000};
  for (TomlTable& area : root.Tables("terrain")) {
    Ground ground;
    ground.type = area.Has("type") ? area.Text("type") : "";
    ground.squares = SquaresOf(area);
    if (area.Has("polygon")) ground.polygon = area.Points("polygon", 3, kAnywhere, kAnywhere);
    if (area.Has("edges")) {
      for (const std::string& edge : area.Texts("edges")) {
        const std::size_t bar = std::min(edge.find('|'), edge.size());
        const auto one = ParseSquare(edge.substr(0, bar));
        const auto other = ParseSquare(edge.substr(std::min(bar + 1, edge.size())));
        if (one && other) ground.edges.emplace_back(*one, *other);
      }
    }
    battle.ground.push_back(std::move(ground));
  }
  for (TomlTable& one : root.Tables("objective")) {
    Objective objective;
    objective.name = one.Has("name") ? one.Text("name") : "";
    objective.points = one.Has("points") ? one.Number("points", {-1000, 1000}) : 0;
    objective.squares = SquaresOf(one);
    battle.objectives.push_back(std::move(objective));
  }
}

const PieceView* Find(const std::vector<PieceView>& pieces, const std::string& id) {
  const auto found = std::find_if(pieces.begin(), pieces.end(),
                                  [&](const PieceView& piece) { return piece.id == id; });
  return found == pieces.end() ? nullptr : &*found;
}

// Where a unit, stand or gun of that name is: the middle of what of it stands on the table.
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

// Off the table now, on it before.
std::vector<std::string> LostBetween(const std::vector<PieceView>& before,
                                     const std::vector<PieceView>& after) {
  std::vector<std::string> out;
  for (const PieceView& piece : before) {
    const PieceView* now = Find(after, piece.id);
    if (piece.on_table && (!now || !now->on_table)) out.push_back(piece.id);
  }
  return out;
}

// Book-keeping of the engine's that no story needs.
bool WorthTelling(const std::string& sentence) {
  return !sentence.starts_with("Wanted:") && !sentence.starts_with("Dice:") &&
         !sentence.starts_with("Turn ") && !sentence.starts_with("The coin ");
}

// "field_gun" as people write it; names of units and pieces stay as they are.
std::string Readable(const std::string& sentence) {
  std::string out = sentence;
  const auto small = [](char c) { return c >= 'a' && c <= 'z'; };
  for (std::size_t i = 1; i + 1 < out.size(); ++i) {
    if (out[i] == '_' && small(out[i - 1]) && small(out[i + 1])) out[i] = ' ';
  }
  // A sentence begins with a capital, but a name stays as it is.
  const std::size_t word = std::min(out.find_first_of(" ,.:#-"), out.size());
  const bool plain =
      word > 2 &&
      std::all_of(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(word), small) &&
      word < out.size() && out[word] == ' ';
  if (plain) out[0] = static_cast<char>(out[0] - 'a' + 'A');
  return out;
}

// Turns a game played by lines into its turns.
class LineTeller {
 public:
  explicit LineTeller(Battle& battle) : battle_(battle) {}

  // errors  those of OpenLogged; a line that no longer stands ends the telling there.
  Status Tell(const GameLog& log, const std::vector<std::string>& lines) {
    Result<std::unique_ptr<RuleGame>> opened = OpenLogged(log.start, RulesOf::kLog);
    if (!opened.ok()) return opened.error();
    game_ = std::move(opened).value();
    view_ = game_->View();
    start_ = view_.pieces;
    Note(0);
    Begin(game_->Next().turn);
    for (const std::string& line : lines) {
      if (!Play(line)) break;
    }
    EndTurn();
    battle_.points = view_.points;
    battle_.result = view_.result;
    for (const PieceView& piece : start_) Count(piece);
    return Ok();
  }

 private:
  BattleTurn& Turn() { return battle_.turns.back(); }

  void Begin(int number) {
    BattleTurn turn;
    turn.number = number;
    turn.title = fmt::format("Turn {}", number);
    turn.before = view_.pieces;
    battle_.turns.push_back(std::move(turn));
    paths_.clear();
  }

  bool Play(const std::string& line) {
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
    // What a shot costs comes with its landing and the choices after it.
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
      if (words[i] == "in" && !last)
        ++i;  // where it fires from
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
    // Volleys are thrown together later in the step: their losses come with the dice.
    open_ = game_->Next().kind != PromptKind::kDeclare;
    before_shot_ = view_.pieces;
  }

  void Land(const std::vector<std::string>& words) {
    if (Turn().shots.empty()) return;
    BattleShot& shot = Turn().shots.back();
    shot.thrown = true;
    if (words.size() > 1 && words[1] == "off") {
      shot.off_board = true;
    } else if (words.size() > 2) {
      const std::optional<double> x = NumberFrom(words[1]);
      const std::optional<double> y = NumberFrom(words[2]);
      if (x && y) shot.landed = Vec2{*x, *y};
    }
  }

  void CloseShot() {
    if (!open_) return;
    open_ = false;
    Refresh();
    if (!Turn().shots.empty()) Turn().shots.back().lost = LostBetween(before_shot_, view_.pieces);
  }

  // The squares of a declared path, by the unit or stand that walks it.
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
      PieceView lost = *Find(turn.before, id);
      if (const PieceView* now = Find(turn.after, id)) lost.fate = now->fate;
      turn.lost.push_back(std::move(lost));
    }
    // Groups that went the same way become one arrow.
    std::map<std::tuple<std::string, std::string, std::string>, std::vector<std::pair<Vec2, Vec2>>>
        groups;
    for (const PieceView& was : turn.before) {
      const PieceView* now = Find(turn.after, was.id);
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
      const PieceView* is = Find(view_.pieces, was.id);
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
    const PieceView* now = Find(view_.pieces, piece.id);
    if (now && now->on_table) {
      ++line->left;
    } else if (now && !now->fate.empty()) {
      line->fates.push_back(now->fate);
    }
  }

  Battle& battle_;
  std::unique_ptr<RuleGame> game_;
  GameView view_;
  std::vector<PieceView> start_, before_shot_;
  bool open_ = false;                                    // a shot whose losses are not counted yet
  std::multimap<std::string, std::vector<Vec2>> paths_;  // declared, by unit
};

// Stands of the camera's log as the views of a game.
std::vector<PieceView> PiecesOf(const std::vector<StandRecord>& stands, const Battle& battle) {
  std::vector<PieceView> out;
  for (const StandRecord& stand : stands) {
    PieceView piece;
    piece.id = stand.id;
    piece.unit = stand.unit.empty() ? stand.id : stand.unit;
    piece.kind = stand.kind;
    for (std::size_t i = 0; i < battle.sides.size(); ++i) {
      if (battle.sides[i].name == stand.side) piece.side = static_cast<int>(i);
    }
    piece.square = stand.square;
    piece.at_in = stand.centre;
    piece.bearing_deg = stand.bearing_deg;
    out.push_back(std::move(piece));
  }
  return out;
}

std::string TextOf(const Json& word, const char* key) {
  const auto found = word.find(key);
  return found != word.end() && found->is_string() ? found->get<std::string>() : std::string();
}

// What the camera saw of a match nobody declared anything in: one turn from the first frame to the
// last.
class WatchTeller {
 public:
  explicit WatchTeller(Battle& battle) : battle_(battle) {
    turn_.number = 1;
    turn_.title = "What the camera saw";
  }

  void Take(const Record& record) {
    const Result<std::optional<EventRecord>> event = ParseEventLine(record.text);
    if (!event.ok() || !event->has_value()) return;
    std::visit([&](const auto& body) { On(body); }, (*event)->body);
  }

  // What the players settled about a shot counts.
  void TakeWord(const Json& word) {
    const auto number = word.find("shot");
    const bool about_shot = number != word.end() && number->is_number_integer();
    BattleShot* shot = about_shot ? ShotOf(number->get<int>()) : nullptr;
    if (!shot) return;
    const std::string say = TextOf(word, "say");
    if (say == "settle") {
      const std::string stand = TextOf(word, "stand");
      std::erase(shot->lost, stand);
      if (TextOf(word, "call") == "hit") shot->lost.push_back(stand);
    }
    if (say != "move") return;
    const auto point = word.find("point");
    if (point != word.end() && point->is_array() && point->size() == 2 && (*point)[0].is_number() &&
        (*point)[1].is_number()) {
      shot->landed = Vec2{(*point)[0].get<double>(), (*point)[1].get<double>()};
    }
    const auto lost = word.find("casualties");
    if (lost == word.end() || !lost->is_array()) return;
    shot->lost.clear();
    for (const Json& stand : *lost) {
      if (stand.is_string()) shot->lost.push_back(stand.get<std::string>());
    }
  }

  void Finish() {
    turn_.after = now_;
    for (const auto& [unit, path] : paths_) {
      BattleMove move;
      move.unit = unit;
      for (const PieceView& piece : turn_.before) {
        if (piece.id == unit) move.side = piece.side;
      }
      move.path = path;
      turn_.moves.push_back(std::move(move));
    }
    for (const PieceView& piece : turn_.before) {
      auto line = std::find_if(battle_.order.begin(), battle_.order.end(),
                               [&](const UnitLine& one) { return one.unit == piece.unit; });
      if (line == battle_.order.end()) {
        battle_.order.push_back({piece.unit, piece.kind, piece.side, 0, 0, {}});
        line = battle_.order.end() - 1;
      }
      ++line->start;
      line->left += Find(now_, piece.id) != nullptr;
    }
    Strength start{0, std::vector<int>(battle_.sides.size(), 0), {}};
    Strength end{1, std::vector<int>(battle_.sides.size(), 0), {}};
    for (const PieceView& lost : turn_.lost) {
      if (lost.side >= 0) ++end.lost[static_cast<std::size_t>(lost.side)];
    }
    battle_.strength = {start, end};
    battle_.turns.push_back(std::move(turn_));
  }

 private:
  void On(const StandsEvent& stands) {
    now_ = PiecesOf(stands.stands, battle_);
    if (turn_.before.empty()) turn_.before = now_;
  }
  void On(const ShotEvent& shot) {
    BattleShot fired;
    fired.turn = 1;
    fired.how = shot.projectile == "qtip" ? "cotton swab" : shot.projectile;
    fired.landed = shot.point;
    fired.off_board = shot.square.empty();
    fired.thrown = true;
    shots_[shot.shot] = turn_.shots.size();
    turn_.shots.push_back(std::move(fired));
  }
  // It fell, wherever its point lies.
  void On(const AskEvent& ask) {
    BattleShot fired;
    fired.turn = 1;
    fired.how = ask.projectile == "qtip" ? "cotton swab" : ask.projectile;
    fired.thrown = true;
    shots_[ask.shot] = turn_.shots.size();
    turn_.shots.push_back(std::move(fired));
    Say(ask.text + ".");
    battle_.disputes.push_back({1, ask.shot, ask.text + ".", {}, ""});
  }
  void On(const VerdictEvent& verdict) {
    Say(fmt::format("Shot {}: {}", verdict.shot, verdict.text));
    if (BattleShot* shot = ShotOf(verdict.shot)) shot->lost = verdict.casualties;
    std::vector<std::string> close;
    for (const VerdictStand& stand : verdict.stands) {
      if (stand.call == Call::kTooClose) {
        close.push_back(fmt::format("{} at {:.2f} +/- {:.2f} in (chance of a hit {:.0f} %)",
                                    stand.id, stand.distance_in, 1.96 * stand.sigma_in,
                                    100 * stand.p_hit));
      }
    }
    if (!close.empty()) {
      battle_.disputes.push_back({1,
                                  verdict.shot,
                                  fmt::format("Shot {} is too close to call for {}.", verdict.shot,
                                              fmt::join(close, ", ")),
                                  {},
                                  ""});
    }
  }
  void On(const StandChangeEvent& change) {
    const PieceView* was = Find(now_, change.id);
    if (change.what == StandChangeEvent::What::kRemoved && was) {
      Say(fmt::format("{} is taken off {}.", change.id, was->square));
      turn_.lost.push_back(*was);
      std::erase_if(now_, [&](const PieceView& piece) { return piece.id == change.id; });
    } else if (change.what == StandChangeEvent::What::kMoved && was && change.to) {
      Say(fmt::format("{} moves from {} to {}.", change.id, was->square, change.to->square));
      std::vector<Vec2>& path = paths_[change.id];
      if (path.empty()) path.push_back(was->at_in);
      path.push_back(change.to->centre);
      PieceView& moved = now_[static_cast<std::size_t>(was - now_.data())];
      moved.at_in = change.to->centre;
      moved.square = change.to->square;
      moved.bearing_deg = change.to->bearing_deg;
    }
  }
  template <typename Other>
  void On(const Other&) {}

  BattleShot* ShotOf(int number) {
    const auto known = shots_.find(number);
    return known == shots_.end() ? nullptr : &turn_.shots[known->second];
  }

  void Say(std::string sentence) {
    if (turn_.phases.empty()) turn_.phases.push_back({"", {}});
    turn_.phases.back().sentences.push_back(std::move(sentence));
  }

  Battle& battle_;
  BattleTurn turn_;
  std::vector<PieceView> now_;
  std::map<std::string, std::vector<Vec2>> paths_;
  std::map<int, std::size_t> shots_;  // by their number, the place in turn_.shots
};

// What the players said, put to the shot it is about.
void TakeWord(const Json& word, Battle& battle) {
  const auto string = [&word](const char* key) { return TextOf(word, key); };
  const auto number = word.find("shot");
  const int shot = number != word.end() && number->is_number_integer() ? number->get<int>() : 0;
  const std::string say = string("say");
  if (say == "accept") return;
  if (say == "overrule") {
    battle.corrections.push_back(fmt::format("The players let a move stand: {}.", string("text")));
    return;
  }
  auto dispute = std::find_if(battle.disputes.begin(), battle.disputes.end(),
                              [&](const Dispute& one) { return one.shot == shot; });
  if (dispute == battle.disputes.end()) {
    battle.disputes.push_back({1, shot, fmt::format("Shot {} is disputed.", shot), {}, ""});
    dispute = battle.disputes.end() - 1;
  }
  if (say == "settle") {
    dispute->decisions.push_back(fmt::format("The players settle it: {} is {}.", string("stand"),
                                             string("call") == "hit" ? "hit" : "not hit"));
  } else if (say == "move") {
    dispute->decisions.push_back(
        fmt::format("The players say where its point lies: {}", string("text")));
  } else {
    dispute->decisions.push_back(fmt::format("\"{}\"", string("reason")));
  }
}

}  // namespace

std::vector<UnitLine> ShortOrder(const Battle& battle, int side) {
  std::vector<UnitLine> units;
  for (const UnitLine& unit : battle.order) {
    if (unit.side == side) units.push_back(unit);
  }
  // As many as a page shows at a glance.
  constexpr std::size_t kMostLines = 20;
  if (units.size() <= kMostLines) return units;
  std::vector<UnitLine> out;
  for (const UnitLine& unit : units) {
    if (unit.start > 1) {
      out.push_back(unit);
      continue;
    }
    // Guns, wagons, crews and commanders: one line for all of a kind.
    const auto same = std::find_if(out.begin(), out.end(), [&](const UnitLine& one) {
      return one.unit.empty() && one.kind == unit.kind;
    });
    if (same == out.end()) {
      out.push_back({"", unit.kind, side, unit.start, unit.left, {}});
    } else {
      same->start += unit.start;
      same->left += unit.left;
    }
  }
  std::stable_partition(out.begin(), out.end(),
                        [](const UnitLine& one) { return !one.unit.empty(); });
  return out;
}

bool AnyLosses(const Battle& battle) {
  return !battle.strength.empty() &&
         std::any_of(battle.strength.back().lost.begin(), battle.strength.back().lost.end(),
                     [](int lost) { return lost > 0; });
}

std::string InWords(std::string name) {
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

Result<Battle> BattleOf(const GameLog& log, const Journal& journal) {
  Battle battle;
  battle.name = log.start.name;
  battle.ruleset = log.start.ruleset;
  battle.day = DayOf(log.start.started_unix_s);
  battle.program = log.start.program;
  battle.records = static_cast<std::int64_t>(log.records.size());
  battle.board = {12, 12, 4.0};
  std::vector<SideSpec> specs;
  if (log.start.kind == GameStart::Kind::kWatched) {
    const Result<GameFolder> folder = GameFolder::Unpack(log.start.files);
    if (!folder.ok()) return folder.error();
    const Result<WatchedWith> with = ReadWatchedWith(*folder);
    if (!with.ok()) return with.error();
    battle.board = with->table.frame;
    specs = with->scenario.sides;
    for (const KindSpec& kind : with->scenario.kinds) battle.kinds[kind.name] = kind;
    for (const TerrainArea& area : with->scenario.terrain) {
      battle.ground.push_back({area.type, {}, area.polygon, {}});
    }
  } else if (const GameFile* scenario = log.FileOf("scenario")) {
    ReadGround(scenario->bytes, battle);
  }
  const std::vector<Colour> colours = ColoursOf(log.start.sides, specs);
  for (std::size_t i = 0; i < log.start.sides.size(); ++i) {
    BattleSide side{log.start.sides[i], colours[i], {}};
    for (const Seat& seat : log.start.seats) {
      if (seat.side == static_cast<int>(i)) side.players.push_back(seat.player);
    }
    battle.sides.push_back(std::move(side));
  }

  const Result<ReplayedLog> replayed = ReplayLog(log, {});
  if (!replayed.ok()) return replayed.error();
  battle.signature = replayed->signature;
  battle.same = replayed->differences.empty();
  if (replayed->game) {
    const Status told = LineTeller(battle).Tell(log, replayed->game->Lines());
    if (!told.ok()) return told.error();
    // Before the first turn the map is the deployment's, unless something was done there.
    const auto idle = [](const BattleTurn& turn) {
      return turn.number == 0 && turn.moves.empty() && turn.shots.empty() && turn.phases.empty();
    };
    if (battle.turns.size() > 1) std::erase_if(battle.turns, idle);
  }
  WatchTeller watched(battle);
  bool anything_seen = false;
  std::map<int, std::string> pictures;
  for (const Record& record : log.records) {
    switch (record.kind) {
      case RecordKind::kSeen:
        anything_seen = true;
        watched.Take(record);
        break;
      case RecordKind::kWord:
        if (const Json word = Json::parse_or(record.text, Json()); word.is_object()) {
          TakeWord(word, battle);
          watched.TakeWord(word);
        }
        break;
      case RecordKind::kUndo:
        battle.corrections.push_back(
            record.text == "1" ? "The last action was taken back."
                               : fmt::format("The last {} actions were taken back.", record.text));
        break;
      case RecordKind::kCorrected:
        battle.corrections.push_back(fmt::format("Corrected: {}.", record.text));
        break;
      case RecordKind::kAttached:
        if (record.attachment && record.attachment->role == "evidence") {
          pictures[record.attachment->shot] = record.attachment->hash;
        }
        break;
      default:
        break;
    }
  }
  if (anything_seen && !replayed->game) watched.Finish();
  for (Dispute& dispute : battle.disputes) {
    const auto picture = pictures.find(dispute.shot);
    if (picture == pictures.end()) continue;
    Result<std::string> bytes = journal.Blob(picture->second);
    if (bytes.ok()) dispute.picture = std::move(bytes).value();
  }
  return battle;
}

std::string LongDay(const std::string& day) {
  static constexpr const char* kMonths[] = {"January",   "February", "March",    "April",
                                            "May",       "June",     "July",     "August",
                                            "September", "October",  "November", "December"};
  int month = 0;
  int number = 0;
  if (day.size() != 10) return day;
  std::from_chars(day.data() + 5, day.data() + 7, month);
  std::from_chars(day.data() + 8, day.data() + 10, number);
  if (month < 1 || month > 12) return day;
  return fmt::format("{} {} {}", number, kMonths[month - 1], day.substr(0, 4));
}

std::vector<std::string> Summary(const Battle& battle) {
  std::vector<std::string> out;
  std::vector<std::string> sides;
  for (const BattleSide& side : battle.sides) {
    sides.push_back(side.players.empty()
                        ? side.name
                        : fmt::format("{} ({})", side.name, fmt::join(side.players, ", ")));
  }
  if (sides.size() == 2) {
    out.push_back(fmt::format("{} met {} on {}, under the {} rules.", sides[0], sides[1],
                              LongDay(battle.day), battle.ruleset));
  }
  std::vector<int> start(battle.sides.size(), 0);
  for (const UnitLine& unit : battle.order) {
    if (unit.side >= 0 && static_cast<std::size_t>(unit.side) < start.size()) {
      start[static_cast<std::size_t>(unit.side)] += unit.start;
    }
  }
  std::size_t shots = 0;
  for (const BattleTurn& turn : battle.turns) {
    shots += static_cast<std::size_t>(std::count_if(
        turn.shots.begin(), turn.shots.end(), [](const BattleShot& shot) { return shot.thrown; }));
  }
  if (!battle.strength.empty() && battle.strength.back().lost.size() == battle.sides.size()) {
    std::vector<std::string> losses;
    for (std::size_t i = 0; i < battle.sides.size(); ++i) {
      losses.push_back(fmt::format("{} lost {} of {}", battle.sides[i].name,
                                   battle.strength.back().lost[i], start[i]));
    }
    out.push_back(fmt::format("{} turn{} and {} shot{} later {}.", battle.turns.size(),
                              battle.turns.size() == 1 ? "" : "s", shots, shots == 1 ? "" : "s",
                              fmt::join(losses, ", ")));
  }
  // The turn that cost most, when one stands out.
  int worst = 0;
  const BattleTurn* heaviest = nullptr;
  for (const BattleTurn& turn : battle.turns) {
    if (static_cast<int>(turn.lost.size()) > worst) {
      worst = static_cast<int>(turn.lost.size());
      heaviest = &turn;
    }
  }
  if (heaviest && worst >= 2 && battle.turns.size() > 1) {
    std::map<int, int> by_side;
    for (const PieceView& piece : heaviest->lost) ++by_side[piece.side];
    std::vector<std::string> words;
    for (const auto& [side, count] : by_side) {
      if (side >= 0) {
        words.push_back(
            fmt::format("{} {}", count, battle.sides[static_cast<std::size_t>(side)].name));
      }
    }
    out.push_back(fmt::format("The heaviest was turn {}, which cost {}.", heaviest->number,
                              fmt::join(words, " and ")));
  }
  if (!battle.result.empty()) out.push_back(battle.result);
  return out;
}

}  // namespace fos
