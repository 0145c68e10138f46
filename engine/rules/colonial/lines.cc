// SPDX-License-Identifier: MIT
#include "engine/rules/colonial/lines.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/rules/colonial/movement.h"
#include "engine/rules/colonial/query.h"
#include "engine/squares/grid_line.h"

namespace fos::colonial {
namespace {

constexpr std::size_t kLongestEcho = 100;  // bytes of a word that a message repeats

// Parses the words of one line, with the names of this game.
class Line : public LineWords {
 public:
  Line(const State& s, LineWords words) : LineWords(std::move(words)), s_(s) {}

  std::optional<Cell> FindSquare(const std::string& word) const {
    const auto index = ParseSquare(word);
    if (!index || !s_.setup->board.Contains(*index)) return std::nullopt;
    return s_.setup->board.At(*index);
  }
  Cell Square() {
    const std::string word = Word("a square");
    if (const auto cell = FindSquare(word)) return *cell;
    FailLine(fmt::format("`{}` is not a square of this table", word.substr(0, kLongestEcho)));
  }
  int Side() {
    const std::string word = Word("a side");
    for (int side = 0; side < 2; ++side)
      if (SideName(s_, side) == word) return side;
    FailLine(NoSuch("side", word, {SideName(s_, 0), SideName(s_, 1)}));
  }
  // The only stand of a unit may be named by the unit or, as the camera does, by the unit and its
  // number: B-1R1 or B-1R1#1.
  std::optional<PieceNo> FindStand(std::string_view id) const {
    for (std::size_t i = 0; i < s_.setup->stands.size(); ++i)
      if (s_.setup->stands[i].id == id) return static_cast<PieceNo>(i);
    if (id.ends_with("#1")) return FindStand(id.substr(0, id.size() - 2));
    return std::nullopt;
  }
  PieceNo Stand() {
    const std::string word = Word("a stand");
    if (const auto stand = FindStand(word)) return *stand;
    std::vector<std::string> names;
    for (const StandInfo& stand : s_.setup->stands) names.push_back(stand.id);
    FailLine(NoSuch("stand", word, names));
  }
  bool NextIsStand() const { return !AtEnd() && FindStand(Peek()).has_value(); }
  std::vector<PieceNo> Stands() {
    std::vector<PieceNo> out = {Stand()};
    if (NextIsStand()) out.push_back(Stand());
    return out;
  }
  std::optional<Facing> MaybeFacing() {
    if (AtEnd() || Next("ahead")) return std::nullopt;
    return Turn();
  }
  const State& s() const { return s_; }

 private:
  const State& s_;
};

// The referee checks the faces of dice (COL-1.1).
Declaration ParseDice(Line& line) {
  GiveDice dice;
  while (!line.AtEnd() && !line.Next("drawn")) {
    const int die = line.Whole("a die");
    dice.dice.push_back(static_cast<std::int16_t>(die));
  }
  dice.generator = line.Drawn();
  return dice;
}

// move STAND [STAND] to SQUARE | via SQUARE… [and via SQUARE…] [facing F] [ahead]
Declaration ParseMove(Line& line) {
  Move move;
  move.stands = line.Stands();
  if (line.Skip("to")) {
    const Cell to = line.Square();
    for (const PieceNo i : move.stands) move.paths.push_back(PathTo(line.s(), i, to));
  } else {
    do {
      line.Expect("via");
      move.paths.emplace_back();
      while (!line.AtEnd() && line.FindSquare(line.Peek()))
        move.paths.back().push_back(line.Square());
    } while (move.paths.size() < move.stands.size() && line.Skip("and"));
    move.paths.resize(move.stands.size(), move.paths.back());
  }
  if (line.Skip("facing")) move.facing = line.Turn();
  move.in_front = line.Skip("ahead");
  return move;
}

// turn STAND [STAND] [F] [ahead]
Declaration ParseTurn(Line& line) {
  Move move;
  move.stands = line.Stands();
  move.paths.resize(move.stands.size());
  move.facing = line.MaybeFacing();
  move.in_front = line.Skip("ahead");
  return move;
}

// fire STAND at SQUARE | STAND; attack likewise
Declaration ParseFight(Line& line, bool close) {
  Fight fight;
  fight.close = close;
  fight.stand = line.Stand();
  line.Expect("at");
  if (line.NextIsStand()) {
    fight.target = line.Stand();
  } else {
    fight.cell = line.Square();
  }
  return fight;
}

Declaration ParseBack(Line& line) {
  Back back;
  if (!line.AtEnd() && !line.Next("ahead")) back.cell = line.Square();
  back.in_front = line.Skip("ahead");
  return back;
}

// seen STAND [STAND] at SQUARE F [ahead]; seen STAND at X Y bearing DEGREES [size WIDTH DEPTH]
Declaration ParseSeen(Line& line) {
  const PieceNo stand = line.Stand();
  const PieceNo rear = line.Next("at") ? kNoPiece : line.Stand();
  line.Expect("at");
  if (rear != kNoPiece || (!line.AtEnd() && line.FindSquare(line.Peek()))) {
    const Cell cell = line.Square();
    const Facing facing = line.Turn();
    return Seen{stand, cell, facing, line.Skip("ahead"), rear};
  }
  Measured seen;
  seen.stand = stand;
  seen.x_milli_in = line.Thousandths("a square or an x coordinate");
  seen.y_milli_in = line.Thousandths("y");
  line.Expect("bearing");
  seen.bearing_milli_deg = line.Thousandths("degrees");
  if (line.Skip("size")) {
    seen.width_milli_in = line.Thousandths("its width");
    seen.depth_milli_in = line.Thousandths("its depth");
  }
  return seen;
}

using Verb = LineVerb<Declaration, Line>;
constexpr Verb kVerbs[] = {
    {"dice", ParseDice, /*alone=*/true},
    {"draw", fos::ParseDraw<Declaration>, /*alone=*/true},
    {"leave", [](Line& l) -> Declaration { return LeaveOut{l.Stand()}; }},
    {"activate", [](Line& l) -> Declaration { return Activate{l.Stands()}; }},
    {"move", ParseMove},
    {"turn", ParseTurn},
    {"mount",
     [](Line& l) -> Declaration {
       return Remount{l.Stand(), true};
     }},
    {"dismount",
     [](Line& l) -> Declaration {
       return Remount{l.Stand(), false};
     }},
    {"fire", [](Line& l) { return ParseFight(l, false); }},
    {"attack", [](Line& l) { return ParseFight(l, true); }},
    {"back", ParseBack, /*alone=*/true},
    {"seen", ParseSeen},
    {"done", [](Line& l) -> Declaration { return Done{l.Side()}; }},
};

class Writer {
 public:
  explicit Writer(const State& s) : s_(s) {}

  std::string operator()(const GiveDice& a) const {
    const std::string dice =
        fmt::format("dice{}{}", a.dice.empty() ? "" : " ", fmt::join(a.dice, " "));
    return a.generator ? fmt::format("{} drawn {:x}", dice, *a.generator) : dice;
  }
  std::string operator()(const Draw&) const { return fmt::format("draw"); }
  std::string operator()(const LeaveOut& a) const { return fmt::format("leave {}", Name(a.stand)); }
  std::string operator()(const Activate& a) const {
    return fmt::format("activate {}", Names(a.stands));
  }
  std::string operator()(const Move& a) const {
    const bool stays =
        std::all_of(a.paths.begin(), a.paths.end(), [](const auto& path) { return path.empty(); });
    const std::string ahead = fmt::format("{}", a.in_front ? " ahead" : "");
    const std::string facing = a.facing ? fmt::format(" {}", FacingName(*a.facing)) : std::string();
    if (stays) return fmt::format("turn {}{}{}", Names(a.stands), facing, ahead);
    std::vector<std::string> ways;
    for (const auto& path : a.paths)
      if (ways.empty() || path != a.paths.front()) {
        std::vector<std::string> words = {fmt::format("via")};
        for (const Cell cell : path) words.push_back(s_.setup->CellName(cell));
        ways.push_back(fmt::format("{}", fmt::join(words, " ")));
      }
    return fmt::format("move {} {}{}{}{}", Names(a.stands), fmt::join(ways, " and "),
                       a.facing ? " facing" : "", facing, ahead);
  }
  std::string operator()(const Remount& a) const {
    return fmt::format("{} {}", a.mounted ? "mount" : "dismount", Name(a.stand));
  }
  std::string operator()(const Fight& a) const {
    return fmt::format("{} {} at {}", a.close ? "attack" : "fire", Name(a.stand),
                       a.target == kNoPiece ? s_.setup->CellName(a.cell) : Name(a.target));
  }
  std::string operator()(const Back& a) const {
    return fmt::format("back{}{}{}", a.cell == kNowhere ? "" : " ",
                       a.cell == kNowhere ? std::string() : s_.setup->CellName(a.cell),
                       a.in_front ? " ahead" : "");
  }
  std::string operator()(const Seen& a) const {
    return fmt::format("seen {}{}{} at {} {}{}", Name(a.stand), a.rear == kNoPiece ? "" : " ",
                       a.rear == kNoPiece ? std::string() : Name(a.rear),
                       s_.setup->CellName(a.cell), FacingName(a.facing),
                       a.in_front ? " ahead" : "");
  }
  std::string operator()(const Measured& a) const {
    const std::string size = fmt::format(" size {} {}", InThousandths(a.width_milli_in),
                                         InThousandths(a.depth_milli_in));
    return fmt::format("seen {} at {} {} bearing {}{}", Name(a.stand), InThousandths(a.x_milli_in),
                       InThousandths(a.y_milli_in), InThousandths(a.bearing_milli_deg),
                       a.width_milli_in == 0 && a.depth_milli_in == 0 ? std::string() : size);
  }
  std::string operator()(const Done& a) const {
    return fmt::format("done {}", AsWord(SideName(s_, a.side)));
  }

 private:
  std::string Name(PieceNo i) const { return AsWord(NameOf(s_, i)); }
  std::string Names(const std::vector<PieceNo>& stands) const {
    std::vector<std::string> names;
    for (const PieceNo i : stands) names.push_back(Name(i));
    return fmt::format("{}", fmt::join(names, " "));
  }
  const State& s_;
};

}  // namespace

Action ParseLine(const State& s, std::string_view text) {
  return ParseVerb<Action>(Line(s, LineWords(text)), kVerbs);
}

std::string ActionToLine(const State& s, const Action& action) {
  return LineOf(Writer(s), action);
}

}  // namespace fos::colonial
