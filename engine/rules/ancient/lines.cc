#include "engine/rules/ancient/lines.h"

#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/rules/ancient/movement.h"
#include "engine/rules/ancient/query.h"
#include "engine/rules/grid_line.h"

namespace fos::ancient {
namespace {

using Line = GridLine<State>;

Declaration ParseDice(Line& line) {
  GiveDice dice;
  if (!line.AtEnd()) dice.dice = line.Dice(6);
  dice.generator = line.Drawn();
  return dice;
}

Declaration ParseCoin(Line& line) {
  const bool heads = line.CoinIsHeads();
  return GiveCoin{heads, line.Drawn()};
}

// lands off | lands X Y [stand S D]... [catapult C D]...
Declaration ParseLanding(Line& line) {
  ShotFacts facts;
  if (line.Skip("off")) {
    facts.off_board = true;
    return Land{facts};
  }
  facts.x_milli_in = line.Thousandths("x");
  facts.y_milli_in = line.Thousandths("y");
  const Setup& setup = *line.s().setup;
  const TableFrame frame{setup.board.columns, setup.board.rows, setup.tables.square_in};
  if (!frame.Contains(Vec2{facts.x_milli_in / 1000.0, facts.y_milli_in / 1000.0}))
    FailLine("that point is off the board: say `lands off`");
  while (!line.AtEnd()) {
    if (line.Skip("stand")) {
      const PieceNo stand = line.Stand();
      facts.stands.push_back({stand, line.Thousandths("its distance")});
    } else if (line.Skip("catapult")) {
      const PieceNo piece = line.Equipment();
      facts.equipment.push_back({piece, line.Thousandths("its distance")});
    } else {
      FailLine(NoSuch("word here", line.Peek(), {"stand", "catapult"}));
    }
  }
  return Land{facts};
}

Declaration ParseTaking(Line& line) {
  Choose choice;
  while (!line.AtEnd()) {
    const std::string name = line.Peek();
    if (const auto stand = line.FindStand(name)) {
      line.Word("a name");
      choice.stands.push_back(*stand);
    } else if (const auto piece = line.FindEquipment(name)) {
      line.Word("a name");
      choice.equipment.push_back(*piece);
    } else {
      choice.stands.push_back(line.Stand());
    }
  }
  return choice;
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

// shoot CATAPULT by STAND at SQUARE
Declaration ParseShot(Line& line) {
  CallShot shot;
  shot.catapult = line.Equipment();
  line.Expect("by");
  shot.man = line.Stand();
  shot.side = line.s().StandAt(shot.man).side;
  line.Expect("at");
  shot.target = line.Square();
  return shot;
}

Declaration ParseVolley(Line& line) {
  const PieceNo unit = line.Unit();
  const Cell from = line.WhereOf(unit);
  line.Expect("at");
  return CallVolley{UnitOf(line.s(), unit).side, unit, from, line.Square()};
}

Declaration ParseRouse(Line& line) {
  const PieceNo unit = line.Unit();
  return Rouse{UnitOf(line.s(), unit).side, unit};
}

// A cheapest path to the square: round single stands where that is possible, else over them; where
// it is out of reach, the straight way, for the refusal to say by how much.
std::vector<Cell> PathTo(const State& s, const Move& move, Cell to) {
  for (const bool riding : {false, true})
    for (std::vector<Cell>& path : Reach(s, move.stands, move.equipment, riding))
      if (path.back() == to) return std::move(path);
  std::vector<Cell> path;
  Cell at = s.StandAt(move.stands.front()).cell;
  while (at != to) {
    at = s.setup->board.Step(at, squares::NearestDirection(s.setup->board.Between(at, to)));
    path.push_back(at);
  }
  return path;
}

// move UNIT [in SQUARE] | STAND... [with CATAPULT...] via SQUARE... | to SQUARE  [down] [facing F]
Declaration ParseMove(Line& line) {
  Move move;
  while (!line.AtEnd() && !line.Next("with") && !line.Next("via") && !line.Next("to")) {
    if (line.FindStand(line.Peek())) {
      move.stands.push_back(line.Stand());
    } else {
      const PieceNo unit = line.Unit();
      for (const PieceNo i : StandsOf(line.s(), unit, line.WhereOf(unit))) move.stands.push_back(i);
    }
  }
  if (move.stands.empty()) FailLine("nothing is named to move");
  move.side = line.s().StandAt(move.stands.front()).side;
  if (line.Skip("with"))
    while (!line.AtEnd() && !line.Next("via") && !line.Next("to"))
      move.equipment.push_back(line.Equipment());
  if (line.Skip("to")) {
    const Cell to = line.Square();
    move.path = PathTo(line.s(), move, to);
  } else {
    line.Expect("via");
    while (!line.AtEnd() && !line.Next("facing") && !line.Next("down"))
      move.path.push_back(line.Square());
  }
  move.run_down = line.Skip("down");
  if (line.Skip("facing")) move.facing = line.Turn();
  return move;
}

Declaration ParseSupport(Line& line) {
  const PieceNo unit = line.Unit();
  const Cell from = line.WhereOf(unit);
  line.Expect("at");
  return Support{UnitOf(line.s(), unit).side, unit, from, line.Square()};
}

Declaration ParseCard(Line& line) {
  const int side = line.Side();
  const Card card = line.Card();
  line.Expect("at");
  return PlayCard{side, line.Square(), card};
}

Declaration ParseTime(Line& line) {
  line.Expect("up");
  return TimeUp{};
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
    {"back",
     [](Line& l) -> Declaration { return ChooseRetreat{l.Skip("off") ? kNowhere : l.Square()}; }},
    {"turn", ParseTurn},
    {"shoot", ParseShot},
    {"fire", ParseVolley},
    {"charge", ParseRouse},
    {"move", ParseMove},
    {"support", ParseSupport},
    {"card", ParseCard},
    {"done", [](Line& l) -> Declaration { return EndStep{l.Side()}; }},
    {"time", ParseTime},
    {"surrender", [](Line& l) -> Declaration { return Concede{l.Side()}; }},
};

// Actions as lines; what each writes its verb's parser reads.
class Writer : GridWriter<State> {
 public:
  using GridWriter<State>::GridWriter;

  std::string operator()(const GiveDice& a) const {
    return std::string("dice") + Each(a.dice, [](int die) { return std::to_string(die); }) +
           Drawn(a.generator);
  }
  std::string operator()(const GiveCoin& a) const {
    return std::string("coin ") + (a.heads ? "heads" : "tails") + Drawn(a.generator);
  }
  std::string operator()(const Draw&) const { return "draw"; }
  std::string operator()(const Land& a) const {
    if (a.facts.off_board) return "lands off";
    std::string out = fmt::format("lands {} {}", InThousandths(a.facts.x_milli_in),
                                  InThousandths(a.facts.y_milli_in));
    for (const Near& n : a.facts.stands)
      out += fmt::format(" stand {} {}", StandWord(n.piece), InThousandths(n.milli_in));
    for (const Near& n : a.facts.equipment)
      out += fmt::format(" catapult {} {}", Piece(n.piece), InThousandths(n.milli_in));
    return out;
  }
  std::string operator()(const Choose& a) const {
    return std::string("take") + Stands(a.stands) +
           Each(a.equipment, [this](PieceNo i) { return Piece(i); });
  }
  std::string operator()(const ChooseRetreat& a) const {
    return fmt::format("back {}", a.cell == kNowhere ? "off" : CellName(s_, a.cell));
  }
  std::string operator()(const TurnUnit& a) const {
    return fmt::format("turn {} {}", GroupIn(a.unit, a.cell), FacingName(a.facing));
  }
  std::string operator()(const TurnEquipment& a) const {
    return fmt::format("turn {} {}", Piece(a.equipment), FacingName(a.facing));
  }
  std::string operator()(const CallShot& a) const {
    return fmt::format("shoot {} by {} at {}", Piece(a.catapult), StandWord(a.man),
                       CellName(s_, a.target));
  }
  std::string operator()(const CallVolley& a) const {
    return fmt::format("fire {} at {}", GroupIn(a.unit, a.from), CellName(s_, a.target));
  }
  std::string operator()(const Rouse& a) const { return std::string("charge ") + Unit(a.unit); }
  std::string operator()(const Move& a) const {
    std::string out = "move";
    for (std::size_t i = 0; i < a.stands.size();) {
      const Stand& first = s_.StandAt(a.stands[i]);
      const std::vector<PieceNo> whole = StandsOf(s_, first.unit, first.cell);
      const bool all =
          whole.size() <= a.stands.size() - i &&
          std::equal(whole.begin(), whole.end(), a.stands.begin() + static_cast<std::ptrdiff_t>(i));
      out += fmt::format(" {}", all ? GroupIn(first.unit, first.cell) : StandWord(a.stands[i]));
      i += all ? whole.size() : 1;
    }
    if (!a.equipment.empty())
      out += std::string(" with") + Each(a.equipment, [this](PieceNo i) { return Piece(i); });
    out += std::string(" via") + Each(a.path, [this](Cell cell) { return CellName(s_, cell); });
    if (a.run_down) out += " down";
    if (a.facing) out += fmt::format(" facing {}", FacingName(*a.facing));
    return out;
  }
  std::string operator()(const Support& a) const {
    return fmt::format("support {} at {}", GroupIn(a.unit, a.from), CellName(s_, a.contact));
  }
  std::string operator()(const PlayCard& a) const {
    return fmt::format("card {} {} at {}", Side(a.side), CardName(a.card), CellName(s_, a.contact));
  }
  std::string operator()(const EndStep& a) const { return std::string("done ") + Side(a.side); }
  std::string operator()(const TimeUp&) const { return "time up"; }
  std::string operator()(const Concede& a) const {
    return std::string("surrender ") + Side(a.side);
  }
};

}  // namespace

Action ParseLine(const State& s, std::string_view text) {
  Action action;
  Line line(s, LineWords(text));
  action.overrule = line.Skip("overrule");
  const std::string verb = line.Word("what is done");
  std::vector<std::string> known;
  for (const Verb& candidate : kVerbs) {
    known.emplace_back(candidate.word);
    if (verb != candidate.word) continue;
    if (line.AtEnd() && verb != "draw" && verb != "dice" && verb != "take")
      FailLine(fmt::format("`{}` of what?", verb));
    action.what = candidate.parse(line);
    line.End();
    return action;
  }
  for (const char* word : {"overrule", "undo", "correct", "remove", "random", "show", "legal"})
    known.emplace_back(word);
  FailLine(NoSuch("word", verb, known));
}

Result<Action> ParseAction(const State& s, std::string_view line) {
  try {
    return ParseLine(s, line);
  } catch (const UnreadableLine& e) {
    return Error{ErrorCode::kBadFormat, e.why};
  }
}

std::string ActionToLine(const State& s, const Action& action) {
  return std::string(action.overrule ? "overrule " : "") + std::visit(Writer(s), action.what);
}

}  // namespace fos::ancient
