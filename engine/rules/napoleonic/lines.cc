// SPDX-License-Identifier: MIT
#include "engine/rules/napoleonic/lines.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/rules/napoleonic/movement.h"
#include "engine/rules/napoleonic/query.h"
#include "engine/squares/grid_line.h"
#include "engine/squares/grid_moves.h"

namespace fos::napoleonic {
namespace {

// Reads the words of one line against the names of this game.
class Line : public GridLine<State> {
 public:
  using GridLine<State>::GridLine;

  ShotKind Kind() {
    const std::string word = Word("field, howitzer or horse");
    for (std::size_t kind = 0; kind < kKindWords.size(); ++kind)
      if (word == kKindWords[kind]) return static_cast<ShotKind>(kind);
    FailLine(NoSuch("kind of shot", word, {kKindWords.begin(), kKindWords.end()}));
  }
  static constexpr std::array<const char*, 3> kKindWords = {"field", "howitzer", "horse"};
};

// The distance of a piece from the point, and of its centre where that breaks a tie.
Near ParseNear(Line& line, PieceNo piece) {
  Near near{piece, line.Thousandths("its distance"), 0};
  if (line.Skip("centre")) near.centre_milli_in = line.Thousandths("its centre's distance");
  return near;
}

// lands off | lands X Y [water|dry] [stand S D [centre D]]... [gun G D [centre D]]...
//   [model SQUARE D]...
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
  const auto at = frame.SquareAt({facts.x_milli_in / 1000.0, facts.y_milli_in / 1000.0});
  if (!at) FailLine("that point is off the board; write `lands off`");
  facts.over_water = OverWater(line.s(), setup.board.At(*at));
  while (!line.AtEnd()) {
    if (line.Skip("water")) {
      facts.over_water = true;
    } else if (line.Skip("dry")) {
      facts.over_water = false;
    } else if (line.Skip("stand")) {
      const PieceNo stand = line.Stand();
      facts.stands.push_back(ParseNear(line, stand));
    } else if (line.Skip("gun")) {
      const PieceNo piece = line.Equipment();
      facts.equipment.push_back(ParseNear(line, piece));
    } else if (line.Skip("model")) {
      const Cell cell = line.Square();
      facts.models.push_back({cell, line.Thousandths("its distance")});
    } else {
      FailLine(NoSuch("keyword", line.Peek(), {"water", "dry", "stand", "gun", "model"}));
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
  FailLine(NoSuch("battery", name, names));
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

// move UNIT [in SQUARE] | STAND... [with GUN...] via SQUARE... | to SQUARE  [facing F]
Declaration ParseMove(Line& line) {
  Move move = ParseMovers<Move>(line);
  if (line.Skip("to")) {
    const Cell to = line.Square();
    for (std::vector<Cell>& path : Reach(line.s(), move.stands, move.equipment))
      if (path.back() == to) move.path = std::move(path);
    if (move.path.empty()) {
      // Out of reach: take the direct path, so that the refusal can say by how much.
      move.path = squares::StraightWay(line.s().setup->board,
                                       line.s().StandAt(move.stands.front()).cell, to);
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
  if (form.units.empty()) FailLine("name the units that form the Square");
  form.side = UnitOf(line.s(), form.units.front()).side;
  line.Expect("at");
  form.corner = line.Square();
  if (!line.AtEnd() && line.Peek().find('#') == std::string::npos) {
    form.columns = line.Whole("the width in squares");
    line.Expect("by");
    form.rows = line.Whole("the depth in squares");
  }
  while (!line.AtEnd()) {
    const PieceNo stand = line.Stand();
    const Cell cell = line.Square();
    form.placements.push_back({stand, cell, line.Turn()});
  }
  if (!form.placements.empty() || form.columns != form.rows || form.columns < 1) return form;
  form.placements = StandardPlaces(line.s(), form);
  // Too few stands: put them in the corner square, so that the refusal can say what is missing.
  if (form.placements.empty())
    for (const PieceNo unit : form.units)
      for (const PieceNo i : StandsOf(line.s(), unit))
        form.placements.push_back(
            {i, form.corner, static_cast<Facing>(2 * (form.placements.size() % 4))});
  return form;
}

Declaration ParseBreaking(Line& line) {
  BreakSquare broken;
  while (!line.AtEnd()) broken.places.push_back(std::get<Regroup>(ParseRegroup(line)));
  if (broken.places.empty()) FailLine("write for each unit: UNIT at SQUARE FACING");
  broken.unit = broken.places.front().unit;
  broken.side = UnitOf(line.s(), broken.unit).side;
  return broken;
}

Declaration ParseDestroying(Line& line) {
  const PieceNo piece = line.Equipment();
  return DestroyEquipment{line.s().EquipmentAt(piece).owner, piece};
}

using Verb = LineVerb<Declaration, Line>;
constexpr Verb kVerbs[] = {
    {"dice", ParseDice<Declaration>, /*alone=*/true},
    {"coin", ParseCoin<Declaration>},
    {"draw", ParseDraw<Declaration>, /*alone=*/true},
    {"lands", ParseLanding},
    {"take", ParseTaking, /*alone=*/true},
    {"back", ParseBack<Declaration>},
    {"regroup", ParseRegroup},
    {"turn", ParseTurn<Declaration>},
    {"limber", [](Line& l) { return ParseLimber(l, true); }},
    {"unlimber", [](Line& l) { return ParseLimber(l, false); }},
    {"pool", ParsePool},
    {"shoot", [](Line& l) { return ParseShot(l, false); }},
    {"canister", [](Line& l) { return ParseShot(l, true); }},
    {"hold", ParseHold},
    {"release", ParseRelease},
    {"fire", ParseVolley<Declaration>},
    {"move", ParseMove},
    {"square", ParseForming},
    {"break", ParseBreaking},
    {"support", ParseSupport<Declaration>},
    {"card", ParseCard<Declaration>},
    {"order", ParseOrder<Declaration>},
    {"destroy", ParseDestroying},
    {"done", ParseDone<Declaration>},
    {"surrender", [](Line& l) -> Declaration { return Surrender{l.Side()}; }},
};

// Writes actions as lines; each verb's parser reads its line back.
class Writer : GridWriter<State> {
 public:
  using GridWriter<State>::GridWriter;
  using GridWriter<State>::operator();

  std::string operator()(const Land& a) const {
    if (a.facts.off_board) return "lands off";
    const auto near = [](const char* word, const std::string& name, const Near& n) {
      return fmt::format(
          " {} {} {}{}", word, name, InThousandths(n.milli_in),
          n.centre_milli_in == 0 ? "" : " centre " + InThousandths(n.centre_milli_in));
    };
    std::string out =
        fmt::format("lands {} {} {}", InThousandths(a.facts.x_milli_in),
                    InThousandths(a.facts.y_milli_in), a.facts.over_water ? "water" : "dry");
    for (const Near& n : a.facts.stands) out += near("stand", StandWord(n.piece), n);
    for (const Near& n : a.facts.equipment) out += near("gun", Gun(n.piece), n);
    for (const NearModel& n : a.facts.models)
      out += fmt::format(" model {} {}", CellName(s_, n.cell), InThousandths(n.milli_in));
    return out;
  }
  std::string operator()(const ChooseStands& a) const {
    return std::string("take") + Stands(a.stands);
  }
  std::string operator()(const Regroup& a) const { return std::string("regroup ") + Place(a); }
  std::string operator()(const Limber& a) const {
    return fmt::format("{} {}", a.limbered ? "limber" : "unlimber", Gun(a.equipment));
  }
  std::string operator()(const Pool& a) const {
    return fmt::format("pool {} with {}", Gun(a.equipment),
                       AsWord(s_.setup->batteries[static_cast<std::size_t>(a.battery)].name));
  }
  std::string operator()(const CallShot& a) const {
    return fmt::format("{} {} {}{}", a.canister ? "canister" : "shoot", Gun(a.gun), Kind(a.kind),
                       a.target == kNowhere ? "" : " at " + CellName(s_, a.target));
  }
  std::string operator()(const HoldCanister& a) const {
    return fmt::format("hold {} {}", Gun(a.gun), Kind(a.kind));
  }
  std::string operator()(const FireHeld& a) const {
    return fmt::format("release {} at {} on {}", Gun(a.gun), CellName(s_, a.target), Unit(a.unit));
  }
  std::string operator()(const Move& a) const {
    std::string out = Movers(a);
    if (a.facing) out += fmt::format(" facing {}", FacingName(*a.facing));
    return out;
  }
  std::string operator()(const FormSquare& a) const {
    std::string out =
        std::string("square") + Each(a.units, [this](PieceNo unit) { return Unit(unit); });
    out += fmt::format(" at {} {} by {}", CellName(s_, a.corner), a.columns, a.rows);
    for (const Placement& p : a.placements)
      out +=
          fmt::format(" {} {} {}", StandWord(p.stand), CellName(s_, p.cell), FacingName(p.facing));
    return out;
  }
  std::string operator()(const BreakSquare& a) const {
    return std::string("break") + Each(a.places, [this](const Regroup& p) { return Place(p); });
  }
  std::string operator()(const DestroyEquipment& a) const {
    return std::string("destroy ") + Gun(a.equipment);
  }
  std::string operator()(const Surrender& a) const {
    return std::string("surrender ") + Side(a.side);
  }

 private:
  std::string Gun(PieceNo i) const { return Piece(i); }
  static const char* Kind(ShotKind kind) {
    return Line::kKindWords[static_cast<std::size_t>(kind)];
  }
  std::string Place(const Regroup& p) const {
    return fmt::format("{} at {} {}", Unit(p.unit), CellName(s_, p.cell), FacingName(p.facing));
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

}  // namespace fos::napoleonic
