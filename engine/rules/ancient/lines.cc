// SPDX-License-Identifier: MIT
#include "engine/rules/ancient/lines.h"

#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/rules/ancient/movement.h"
#include "engine/rules/ancient/query.h"
#include "engine/squares/grid_line.h"

namespace fos::ancient {
namespace {

using Line = GridLine<State>;

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
    FailLine("that point is off the board; write `lands off`");
  while (!line.AtEnd()) {
    if (line.Skip("stand")) {
      const PieceNo stand = line.Stand();
      facts.stands.push_back({stand, line.Thousandths("its distance")});
    } else if (line.Skip("catapult")) {
      const PieceNo piece = line.Equipment();
      facts.equipment.push_back({piece, line.Thousandths("its distance")});
    } else {
      FailLine(NoSuch("keyword", line.Peek(), {"stand", "catapult"}));
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

Declaration ParseRouse(Line& line) {
  const PieceNo unit = line.Unit();
  return Rouse{UnitOf(line.s(), unit).side, unit};
}

// move UNIT [in SQUARE] | STAND... [with CATAPULT...] via SQUARE... | to SQUARE  [down] [facing F]
Declaration ParseMove(Line& line) {
  Move move = ParseMovers<Move>(line);
  if (line.Skip("to")) {
    const Cell to = line.Square();
    move.path = WayTo(line.s(), move.stands, move.equipment, to);
  } else {
    line.Expect("via");
    while (!line.AtEnd() && !line.Next("facing") && !line.Next("down"))
      move.path.push_back(line.Square());
  }
  move.run_down = line.Skip("down");
  if (line.Skip("facing")) move.facing = line.Turn();
  return move;
}

Declaration ParseTime(Line& line) {
  line.Expect("up");
  return TimeUp{};
}

using Verb = LineVerb<Declaration, Line>;
constexpr Verb kVerbs[] = {
    {"dice", ParseDice<Declaration>, /*alone=*/true},
    {"coin", ParseCoin<Declaration>},
    {"draw", ParseDraw<Declaration>, /*alone=*/true},
    {"lands", ParseLanding},
    {"take", ParseTaking, /*alone=*/true},
    {"back", ParseBack<Declaration>},
    {"turn", ParseTurn<Declaration>},
    {"shoot", ParseShot},
    {"fire", ParseVolley<Declaration>},
    {"charge", ParseRouse},
    {"move", ParseMove},
    {"support", ParseSupport<Declaration>},
    {"card", ParseCard<Declaration>},
    {"order", ParseOrder<Declaration>},
    {"done", ParseDone<Declaration>},
    {"time", ParseTime},
    {"surrender", [](Line& l) -> Declaration { return Concede{l.Side()}; }},
};

// Writes actions as lines; each verb's parser reads its line back.
class Writer : GridWriter<State> {
 public:
  using GridWriter<State>::GridWriter;
  using GridWriter<State>::operator();

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
  std::string operator()(const CallShot& a) const {
    return fmt::format("shoot {} by {} at {}", Piece(a.catapult), StandWord(a.man),
                       CellName(s_, a.target));
  }
  std::string operator()(const Rouse& a) const { return std::string("charge ") + Unit(a.unit); }
  std::string operator()(const Move& a) const {
    std::string out = Movers(a);
    if (a.run_down) out += " down";
    if (a.facing) out += fmt::format(" facing {}", FacingName(*a.facing));
    return out;
  }
  std::string operator()(const TimeUp&) const { return "time up"; }
  std::string operator()(const Concede& a) const {
    return std::string("surrender ") + Side(a.side);
  }
};

}  // namespace

Action ParseLine(const State& s, std::string_view text) {
  return ParseVerb<Action>(Line(s, LineWords(text)), kVerbs);
}

Result<Action> ParseAction(const State& s, std::string_view line) {
  return ReadLine<Action>(s, line);
}

std::string ActionToLine(const State& s, const Action& action) { return LineOf(Writer(s), action); }

}  // namespace fos::ancient
