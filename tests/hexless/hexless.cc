// SPDX-License-Identifier: MIT
#include "tests/hexless/hexless.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "engine/files/data_path.h"
#include "engine/files/json.h"
#include "engine/files/toml_reader.h"
#include "engine/game/line_game.h"
#include "engine/game/refuse.h"
#include "engine/game/usual_bases.h"

namespace fos::hexless {
namespace {

// As in tables.toml.
struct Tables {
  double move = 0, range = 0, near = 0, near_hit = 0, far_hit = 0, charge_bonus = 0, steady = 0;
};

struct Figure {
  std::string id;
  int side = 0;
  std::int32_t x = 0, y = 0;  // thousandths of an inch
  std::string fate = {};      // empty on the table
  bool shaken = false, moved = false, charged = false, shot = false;
  friend bool operator==(const Figure&, const Figure&) = default;
};

struct Setup {
  Tables tables;
  Vec2 size_in;
  int turns = 6;
  std::vector<std::string> sides;
  std::vector<Figure> figures;
};

// The dice that the game waits for.
struct Ask {
  enum class For : std::int8_t { kNothing, kShot, kMorale, kMelee };
  For what = For::kNothing;
  std::size_t by = 0, at = 0;           // indices of figures
  std::int32_t from_x = 0, from_y = 0;  // HS-4: where the charger came from
  int Dice() const { return what == For::kNothing ? 0 : what == For::kMelee ? 2 : 1; }
};

// Everything but the figures.
struct Head {
  int turn = 1, side = 0;
  Ask ask = {};
  std::uint64_t generator = 0;
  bool over = false;
  std::string result = {};
};

struct State {
  std::shared_ptr<const Setup> setup;
  Head head;
  std::vector<Figure> figures;
};

struct Action {
  enum class Verb : std::int8_t { kMove, kShoot, kCharge, kDone, kDice, kDraw };
  Verb verb = Verb::kDone;
  std::size_t by = 0, at = 0;  // indices of figures
  std::int32_t x = 0, y = 0;
  int side = 0;
  std::vector<std::int8_t> dice = {};
  std::optional<std::uint64_t> generator = {};  // its state after dice that were drawn
};

// A figure or the head as it is from now on, or dice; and what is told of it.
struct Event {
  std::optional<std::pair<std::size_t, Figure>> figure;
  std::optional<Head> head;
  std::vector<std::int8_t> dice = {};
  std::string told, clause;
};

using Verb = Action::Verb;
constexpr std::array<const char*, 6> kVerbs = {"move", "shoot", "charge", "done", "dice", "draw"};
constexpr double kBase_in = 1, kContact_in = 1, kApart_in = 2;  // the last two between centres

constexpr Clause kClauses[] = {
    {"HS-1", "Turns", "a side acts with all its figures, then the other"},
    {"HS-2", "Moving", "6 inches, clear of others"},
    {"HS-3", "Shooting", "12 inches, one D6"},
    {"HS-4", "Melee", "a D6 each, the charger adds 1, the lower is cut down"},
    {"HS-5", "Morale", "a figure that is hit stays on a 4, shaken"},
    {"HS-6", "End", "after the last turn, or when a side is gone"},
};
std::span<const Clause> Clauses() { return kClauses; }

Vec2 PlaceOf(const Figure& f) { return {f.x / 1000.0, f.y / 1000.0}; }
std::int32_t InMilli(double inches) {
  return static_cast<std::int32_t>(std::lround(1000 * inches));
}
const std::string& NameOf(const State& s, std::size_t i) { return s.figures[i].id; }
int SideOf(const State& s, std::size_t i) { return s.figures[i].side; }
const std::string& SideName(const State& s, int side) {
  return s.setup->sides[static_cast<std::size_t>(side)];
}
bool Stands(const State& s, std::size_t i) { return s.figures[i].fate.empty(); }
double Apart(const State& s, std::size_t a, std::size_t b) {
  return Distance(PlaceOf(s.figures[a]), PlaceOf(s.figures[b]));
}
int Left(const State& s, int side) {
  int left = 0;
  for (std::size_t i = 0; i < s.figures.size(); ++i) left += SideOf(s, i) == side && Stands(s, i);
  return left;
}
double LeastHit(const State& s, std::size_t by, std::size_t at) {
  const Tables& t = s.setup->tables;
  return Apart(s, by, at) <= t.near ? t.near_hit : t.far_hit;
}

void ApplyTo(State& s, const Event& e) {
  if (e.figure) s.figures[e.figure->first] = e.figure->second;
  if (e.head) s.head = *e.head;
}

// Carries out one action, event by event.
class Referee {
 public:
  Referee(State& s, std::vector<Event>& events) : s_(s), events_(events) {}

  std::optional<Refusal> Do(const Action& a) {
    if (s_.head.over) return Impossible("HS-6", "the game is over");
    const bool dice = a.verb == Verb::kDice || a.verb == Verb::kDraw;
    if (dice != (s_.head.ask.what != Ask::For::kNothing))
      return Impossible("HS-1", dice ? "no dice are wanted now" : "the game waits for dice");
    if (dice) return Throw(a);
    const int side = a.verb == Verb::kDone ? a.side : SideOf(s_, a.by);
    if (side != s_.head.side) return Impossible("HS-1", SideName(s_, s_.head.side) + " acts");
    if (a.verb == Verb::kDone) return Done();
    const Figure& f = s_.figures[a.by];
    if (!Stands(s_, a.by)) return Impossible("HS-1", NameOf(s_, a.by) + " is lost");
    if (f.shaken)
      return Impossible("HS-5", NameOf(s_, a.by) + " is shaken until its side has acted");
    if (a.verb == Verb::kMove) return Move(a);
    if (SideOf(s_, a.at) == side || !Stands(s_, a.at))
      return Impossible("HS-3", NameOf(s_, a.at) + " is no enemy on the table");
    return a.verb == Verb::kShoot ? Shoot(a) : Charge(a);
  }

 private:
  void Tell(std::string clause, std::string told) {
    events_.push_back({{}, {}, {}, std::move(told), std::move(clause)});
  }
  void Put(std::size_t i, const Figure& f, std::string clause, std::string told) {
    events_.push_back({std::pair(i, f), {}, {}, std::move(told), std::move(clause)});
    ApplyTo(s_, events_.back());
  }
  void Put(Head head, std::string clause = {}, std::string told = {}) {
    events_.push_back({{}, std::move(head), {}, std::move(told), std::move(clause)});
    ApplyTo(s_, events_.back());
  }
  void Wait(const Ask& ask) {
    Head head = s_.head;
    head.ask = ask;
    Put(std::move(head));
  }
  std::optional<Refusal> MayGo(std::size_t i, double inches) {
    const Figure& f = s_.figures[i];
    if (f.moved || f.shot)
      return Refuse("HS-1",
                    fmt::format("{} has already {}", NameOf(s_, i), f.moved ? "moved" : "shot"));
    if (inches <= s_.setup->tables.move) return std::nullopt;
    return Refuse("HS-2", fmt::format("{} moves {:g} in; this is {:.1f} in", NameOf(s_, i),
                                      s_.setup->tables.move, inches));
  }

  std::optional<Refusal> Move(const Action& a) {
    Figure f = s_.figures[a.by];
    const Vec2 to{a.x / 1000.0, a.y / 1000.0};
    if (auto refusal = MayGo(a.by, Distance(PlaceOf(f), to))) return refusal;
    if (to.x < 0 || to.y < 0 || to.x > s_.setup->size_in.x || to.y > s_.setup->size_in.y)
      return Impossible("HS-2", "that place is off the table");
    for (std::size_t i = 0; i < s_.figures.size(); ++i) {
      if (i == a.by || !Stands(s_, i)) continue;
      const double least = SideOf(s_, i) == s_.head.side ? kBase_in : kApart_in;
      const double gap = Distance(PlaceOf(s_.figures[i]), to);
      if (gap < least)
        return Refuse("HS-2", fmt::format("that place is {:.1f} in from {}; it must be {:g} in",
                                          gap, NameOf(s_, i), least));
    }
    f.x = a.x;
    f.y = a.y;
    f.moved = true;
    Put(a.by, f, "HS-2", fmt::format("{} moves to ({:g}, {:g}).", NameOf(s_, a.by), to.x, to.y));
    return std::nullopt;
  }

  std::optional<Refusal> Shoot(const Action& a) {
    Figure f = s_.figures[a.by];
    if (f.shot || f.charged)
      return Refuse(
          "HS-3", fmt::format("{} has already {}", NameOf(s_, a.by), f.shot ? "shot" : "charged"));
    const double gap = Apart(s_, a.by, a.at);
    if (gap > s_.setup->tables.range)
      return Refuse("HS-3", fmt::format("{} is {:.1f} in away; the range is {:g} in",
                                        NameOf(s_, a.at), gap, s_.setup->tables.range));
    f.shot = true;
    Put(a.by, f, "HS-3",
        fmt::format("{} shoots at {}, {:.1f} in away: a {} or more hits.", NameOf(s_, a.by),
                    NameOf(s_, a.at), gap, LeastHit(s_, a.by, a.at)));
    Wait({Ask::For::kShot, a.by, a.at});
    return std::nullopt;
  }

  std::optional<Refusal> Charge(const Action& a) {
    Figure f = s_.figures[a.by];
    const Vec2 from = PlaceOf(f), to = PlaceOf(s_.figures[a.at]);
    const double go = std::max(0.0, Distance(from, to) - kContact_in);
    if (auto refusal = MayGo(a.by, go)) return refusal;
    const Vec2 end = from + go * Normalized(to - from);
    const Ask ask{Ask::For::kMelee, a.by, a.at, f.x, f.y};
    f.x = InMilli(end.x);
    f.y = InMilli(end.y);
    f.moved = f.charged = true;
    Put(a.by, f, "HS-4", fmt::format("{} charges {}.", NameOf(s_, a.by), NameOf(s_, a.at)));
    Wait(ask);
    return std::nullopt;
  }

  std::optional<Refusal> Throw(const Action& a) {
    const Ask ask = s_.head.ask;
    Event thrown;
    thrown.dice = a.dice;
    Head head = s_.head;
    if (a.verb == Verb::kDraw) {
      Generator chance{head.generator};
      for (int i = 0; i < ask.Dice(); ++i)
        thrown.dice.push_back(static_cast<std::int8_t>(chance.Die()));
      head.generator = chance.state;
    } else if (a.generator) {
      head.generator = *a.generator;
    }
    if (static_cast<int>(thrown.dice.size()) != ask.Dice())
      return Impossible("HS-1", "want " + Counted(ask.Dice(), "die", "dice"));
    head.ask = {};
    thrown.head = std::move(head);
    thrown.told = fmt::format("Dice: {}.", fmt::join(thrown.dice, " "));
    const std::vector<std::int8_t> dice = thrown.dice;
    ApplyTo(s_, thrown);
    events_.push_back(std::move(thrown));
    if (ask.what == Ask::For::kShot) Shot(ask, dice[0]);
    if (ask.what == Ask::For::kMorale) Morale(ask, dice[0]);
    if (ask.what == Ask::For::kMelee) Melee(ask, dice[0] + s_.setup->tables.charge_bonus, dice[1]);
    return std::nullopt;
  }
  void Shot(const Ask& ask, int die) {
    const bool hit = die >= LeastHit(s_, ask.by, ask.at);
    Tell("HS-3", NameOf(s_, ask.by) + (hit ? " hits " : " misses ") + NameOf(s_, ask.at) + ".");
    if (hit) Wait({Ask::For::kMorale, ask.by, ask.at});
  }
  void Morale(const Ask& ask, int die) {
    Figure f = s_.figures[ask.at];
    if (die < s_.setup->tables.steady || f.shaken) {
      Lose(ask.at, "shot", "HS-5",
           f.shaken ? " was shaken and is hit again: lost" : " does not stand: lost");
    } else {
      f.shaken = true;
      Put(ask.at, f, "HS-5", NameOf(s_, ask.at) + " stands, shaken.");
    }
  }
  void Melee(const Ask& ask, double charger, double other) {
    Tell("HS-4", fmt::format("Melee: {} {}, {} {}.", NameOf(s_, ask.by), charger,
                             NameOf(s_, ask.at), other));
    if (charger != other) {
      Lose(charger > other ? ask.at : ask.by, "cut down", "HS-4", " is cut down");
    } else {
      Figure f = s_.figures[ask.by];
      f.x = ask.from_x;
      f.y = ask.from_y;
      Put(ask.by, f, "HS-4", NameOf(s_, ask.by) + " falls back.");
    }
  }

  void Lose(std::size_t i, const char* fate, const char* clause, const char* why) {
    Figure f = s_.figures[i];
    f.fate = fmt::format("{}, turn {}", fate, s_.head.turn);
    Put(i, f, clause, NameOf(s_, i) + why + ".");
    if (Left(s_, SideOf(s_, i)) == 0) End();
  }
  void End() {
    Head head = s_.head;
    head.over = true;
    const int lead = Left(s_, 0) - Left(s_, 1);
    head.result = lead == 0 ? "The game is a draw." : SideName(s_, lead > 0 ? 0 : 1) + " wins.";
    Put(head, "HS-6", head.result);
  }
  std::optional<Refusal> Done() {
    for (std::size_t i = 0; i < s_.figures.size(); ++i) {
      if (SideOf(s_, i) != s_.head.side || !Stands(s_, i)) continue;
      Figure f = s_.figures[i];
      f.shaken = f.moved = f.charged = f.shot = false;
      if (f != s_.figures[i]) Put(i, f, "", "");
    }
    Head head = s_.head;
    head.side = 1 - head.side;
    head.turn += head.side == 0;
    const std::string told = fmt::format("Turn {}: {} acts.", head.turn, SideName(s_, head.side));
    head.turn > s_.setup->turns ? End() : Put(std::move(head), "HS-1", told);
    return std::nullopt;
  }

  State& s_;
  std::vector<Event>& events_;
};

// A refused action leaves the state as it was.
std::optional<Refusal> Play(State& s, const Action& a, std::vector<Event>& events) {
  State next = s;
  std::vector<Event> made;
  if (auto refusal = Referee(next, made).Do(a)) return refusal;
  s = std::move(next);
  events = std::move(made);
  return std::nullopt;
}
Action AsThrown(const Action& a, const std::vector<Event>& events) {
  if (a.verb != Verb::kDraw) return a;
  const Event& thrown = events.front();
  return {.verb = Verb::kDice, .dice = thrown.dice, .generator = thrown.head->generator};
}

Json ToJson(const Figure& f) { return {f.x, f.y, f.fate, f.shaken, f.moved, f.charged, f.shot}; }
Json ToJson(const Head& h) {
  const Ask& ask = h.ask;
  return {h.turn, h.side, h.generator, h.result,  static_cast<int>(ask.what),
          ask.by, ask.at, ask.from_x,  ask.from_y};
}
std::string EventToJson(const Event& e) {
  Json json = {{"told", e.told}, {"clause", e.clause}, {"dice", e.dice}};
  if (e.figure) json["figure"] = {{"id", e.figure->first}, {"is", ToJson(e.figure->second)}};
  if (e.head) json["head"] = ToJson(*e.head);
  return json.dump();
}

struct Rules : RulesOf<State, Action, Event> {
  static constexpr std::string_view kName = "hexless";

  static Action ParseLine(const State& s, std::string_view line) {
    LineWords words(line);
    Action a;
    std::vector<std::string> ids;
    for (const Figure& f : s.figures) ids.push_back(f.id);
    const auto one_of = [&](const char* what, const std::vector<std::string>& names) {
      const std::string word = words.Word(what);
      const auto found = std::find(names.begin(), names.end(), word);
      if (found == names.end()) FailLine(NoSuch(what, word, names));
      return static_cast<std::size_t>(found - names.begin());
    };
    a.verb = static_cast<Verb>(one_of("command", {kVerbs.begin(), kVerbs.end()}));
    if (a.verb <= Verb::kCharge) a.by = one_of("figure", ids);
    if (a.verb == Verb::kShoot || a.verb == Verb::kCharge) {
      words.Expect("at");
      a.at = one_of("figure", ids);
    } else if (a.verb == Verb::kMove) {
      a.x = words.Thousandths("x");
      a.y = words.Thousandths("y");
    } else if (a.verb == Verb::kDone) {
      a.side = static_cast<int>(one_of("side", s.setup->sides));
    } else if (a.verb == Verb::kDice) {
      a.dice = words.Dice(6);
      a.generator = words.Drawn();
    }
    words.End();
    return a;
  }
  static std::string ToLine(const State& s, const Action& a) {
    std::string out = kVerbs[static_cast<std::size_t>(a.verb)];
    if (a.verb <= Verb::kCharge) out += ' ' + AsWord(NameOf(s, a.by));
    if (a.verb == Verb::kMove)
      out += fmt::format(" {} {}", InThousandths(a.x), InThousandths(a.y));
    else if (a.verb <= Verb::kCharge)
      out += " at " + AsWord(NameOf(s, a.at));
    if (a.verb == Verb::kDone) out += ' ' + AsWord(SideName(s, a.side));
    if (a.verb == Verb::kDice) out += fmt::format(" {}", fmt::join(a.dice, " "));
    if (a.generator) out += fmt::format(" drawn {:x}", *a.generator);
    return out;
  }

  static std::string Describe(const State&, const Event& e) { return e.told; }
  static std::string ClauseOf(const State&, const Event& e) { return e.clause; }

  static Prompt Next(const State& s) {
    Prompt out;
    out.turn = s.head.turn;
    out.phase = "Action";
    out.sides = {s.head.side};
    out.clause = "HS-1";
    out.sentence = SideName(s, s.head.side) + ": move, shoot or charge, or say `done`.";
    const Ask& ask = s.head.ask;
    if (ask.what != Ask::For::kNothing) {
      constexpr std::array<const char*, 4> kFor = {"", "shot of", "morale of", "melee of"};
      constexpr std::array<const char*, 4> kClause = {"", "HS-3", "HS-5", "HS-4"};
      const auto what = static_cast<std::size_t>(ask.what);
      const std::size_t about = ask.what == Ask::For::kMorale ? ask.at : ask.by;
      out.kind = PromptKind::kDice;
      out.dice = ask.Dice();
      out.clause = kClause[what];
      out.pieces = {NameOf(s, about)};
      out.sentence = fmt::format("Throw {}: {} {}.", Counted(ask.Dice(), "die", "dice"), kFor[what],
                                 NameOf(s, about));
    }
    if (s.head.over) out.kind = PromptKind::kOver, out.sentence = s.head.result;
    return out;
  }

  // Moves are offered by the whole distance to the north, east, south and west.
  static std::vector<LineOption> Options(const State& s, int side) {
    std::vector<LineOption> out;
    const auto offer = [&](const Action& a, std::string label, const char* clause) {
      State trial = s;
      std::vector<Event> events;
      if (Play(trial, a, events)) return;
      LineOption option{ToLine(s, a), std::move(label), clause, side, {}, {}, {}};
      if (a.verb < Verb::kDone) option.pieces = {NameOf(s, a.by)};
      if (a.verb == Verb::kMove)
        option.path_in = {PlaceOf(s.figures[a.by]), {a.x / 1000.0, a.y / 1000.0}};
      out.push_back(std::move(option));
    };
    if (s.head.over || side != s.head.side) return out;
    if (s.head.ask.Dice() > 0) {
      offer({.verb = Verb::kDraw}, "Throw the dice", "HS-1");
      return out;
    }
    for (std::size_t i = 0; i < s.figures.size(); ++i) {
      if (SideOf(s, i) != side) continue;
      for (std::size_t k = 0; k < s.figures.size(); ++k) {
        if (SideOf(s, k) == side) continue;
        offer({.verb = Verb::kShoot, .by = i, .at = k}, "Shoot at " + NameOf(s, k), "HS-3");
        offer({.verb = Verb::kCharge, .by = i, .at = k}, "Charge " + NameOf(s, k), "HS-4");
      }
      constexpr std::array<const char*, 4> kWays = {"north", "east", "south", "west"};
      constexpr std::array<Vec2, 4> kSteps = {Vec2{0, 1}, Vec2{1, 0}, Vec2{0, -1}, Vec2{-1, 0}};
      for (std::size_t way = 0; way < kWays.size(); ++way) {
        const Vec2 to = PlaceOf(s.figures[i]) + s.setup->tables.move * kSteps[way];
        offer({.verb = Verb::kMove, .by = i, .x = InMilli(to.x), .y = InMilli(to.y)},
              fmt::format("Move {}", kWays[way]), "HS-2");
      }
    }
    offer({.verb = Verb::kDone, .side = side}, "Done", "HS-1");
    return out;
  }
  static std::vector<LineOption> OptionsOf(const State& s, std::string_view piece) {
    std::vector<LineOption> out = Options(s, s.head.side);
    std::erase_if(out, [&](const auto& o) { return o.pieces.empty() || o.pieces[0] != piece; });
    return out;
  }
  static Action RandomAction(const State& s, Generator& chance) {
    const std::vector<LineOption> options = Options(s, s.head.side);
    return ParseLine(
        s, options[static_cast<std::size_t>(chance.Below(static_cast<int>(options.size())))].line);
  }

  static GameView View(const State& s) {
    GameView view;
    view.sides = s.setup->sides;
    for (const int side : {0, 1}) view.points.push_back(Left(s, side));
    view.result = s.head.result;
    for (std::size_t i = 0; i < s.figures.size(); ++i) {
      PieceView piece;
      piece.id = piece.unit = NameOf(s, i);
      piece.kind = "figure";
      piece.side = SideOf(s, i);
      piece.on_table = Stands(s, i);
      piece.at_in = PlaceOf(s.figures[i]);
      piece.size_in = {kBase_in, kBase_in};
      if (s.figures[i].shaken) piece.marks.push_back("shaken");
      view.pieces.push_back(std::move(piece));
    }
    return view;
  }
  static std::vector<std::pair<std::string, std::string>> Fates(const State& s, const Event& e) {
    if (!e.figure || e.figure->second.fate.empty()) return {};
    return {{NameOf(s, e.figure->first), e.figure->second.fate}};
  }
  static std::string ToJson(const State& s) {
    Json json = {{"head", hexless::ToJson(s.head)}};
    for (const Figure& f : s.figures) json["figures"].push_back(hexless::ToJson(f));
    return json.dump();
  }
  static std::string DescribeTable(const State& s) {
    std::string out = fmt::format("Turn {}.\n", s.head.turn);
    for (std::size_t i = 0; i < s.figures.size(); ++i)
      if (Stands(s, i))
        out += fmt::format("{} at ({:g}, {:g}){}\n", NameOf(s, i), s.figures[i].x / 1000.0,
                           s.figures[i].y / 1000.0, s.figures[i].shaken ? ", shaken" : "");
    return out + s.head.result;
  }
};

Result<Tables> ReadTables(const ClubFiles& club) {
  const auto path = club.tables.empty() ? FindData("tests/hexless/tables.toml")
                                        : Result<std::filesystem::path>(club.folder / club.tables);
  if (!path.ok()) return path.error();
  Result<TomlFile> file = TomlFile::Read(*path);
  if (!file.ok()) return file.error();
  TomlTable root = file->Root();
  Tables out;
  for (const auto& [key, number] : {std::pair{"move", &out.move},
                                    {"range", &out.range},
                                    {"near", &out.near},
                                    {"near_hit", &out.near_hit},
                                    {"far_hit", &out.far_hit},
                                    {"charge_bonus", &out.charge_bonus},
                                    {"steady", &out.steady}})
    *number = root.Number(key, {0, 100});
  root.NoOtherKeys();
  if (const Status problem = file->Problem(); !problem.ok()) return problem.error();
  return out;
}

State NewGame(const Setup& setup, std::uint64_t seed) {
  return {std::make_shared<const Setup>(setup), {.generator = seed}, setup.figures};
}

Result<std::unique_ptr<RuleGame>> OpenGame(const std::filesystem::path& scenario,
                                           std::optional<std::uint64_t> seed) {
  Result<TomlFile> file = TomlFile::Read(scenario);
  if (!file.ok()) return file.error();
  TomlTable root = file->Root();
  (void)root.Text("ruleset");
  Setup setup;
  ClubFiles club{scenario.parent_path(), {}, {}};
  if (auto head = root.Table("scenario")) {
    if (head->Has("name")) (void)head->Text("name");
    if (head->Has("tables")) club.tables = head->Text("tables");
    setup.turns = head->Integer("turns", {1, 100});
  }
  if (auto table = root.Table("table"))
    setup.size_in = {table->Number("length", {6, 600}), table->Number("width", {6, 600})};
  for (TomlTable& side : root.Tables("side")) setup.sides.push_back(side.Text("name"));
  if (setup.sides.size() != 2) root.Refuse("side", ErrorCode::kBadFormat, "give two sides");
  for (TomlTable& figure : root.Tables("figure")) {
    const Vec2 at = figure.Point("at", {0, setup.size_in.x}, {0, setup.size_in.y});
    const int side = figure.Choice("side", "side", setup.sides);
    setup.figures.push_back({figure.Text("id"), std::max(0, side), InMilli(at.x), InMilli(at.y)});
  }
  root.NoOtherKeys();
  if (const Status problem = file->Problem(); !problem.ok()) return problem.error();
  Result<Tables> tables = ReadTables(club);
  if (!tables.ok()) return tables.error();
  setup.tables = *tables;
  return Opened<Rules>(Result<Setup>(std::move(setup)), seed);
}

Result<std::vector<Troop>> Troops(const ClubFiles&) {
  constexpr usual_bases::Figures kFigure{{kBase_in, kBase_in}, 1.2};
  return std::vector<Troop>{usual_bases::TroopOf("figure", "Figure", 1, 1, kFigure)};
}

}  // namespace

const RuleSet& Description() {
  static constexpr std::string_view kFiring[] = {"shoot"};
  static constexpr RuleSet kSet{.name = "hexless",
                                .title = "Hexless Skirmish",
                                .data = "tests/hexless",
                                .clauses = Clauses,
                                .open = OpenGame,
                                .check_club = ClubReadable<ReadTables>,
                                .troops = Troops,
                                .measured = true,
                                .firing = kFiring};
  return kSet;
}

}  // namespace fos::hexless
