// SPDX-License-Identifier: MIT
#include "engine/rules/colonial/line_game.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/game/line_game.h"
#include "engine/rules/colonial/combat.h"
#include "engine/rules/colonial/describe.h"
#include "engine/rules/colonial/game.h"
#include "engine/rules/colonial/game_file.h"
#include "engine/rules/colonial/json.h"
#include "engine/rules/colonial/legal.h"
#include "engine/rules/colonial/lines.h"
#include "engine/rules/colonial/movement.h"
#include "engine/rules/colonial/query.h"
#include "engine/rules/colonial/random_play.h"
#include "engine/rules/colonial/rule_tables.h"
#include "engine/rules/colonial/seen.h"
#include "engine/squares/line_rules.h"

namespace fos::colonial {
namespace {

Prompt WhatNext(const State& s) {
  Prompt prompt;
  prompt.turn = s.turn;
  prompt.phase = PhaseName(s.phase);
  if (s.phase == Phase::kOver) {
    prompt.kind = PromptKind::kOver;
    prompt.sentence = "The battle is over.";
    prompt.clause = "COL-3.1";
    return prompt;
  }
  if (s.Waiting()) {
    const bool dice = s.ask.count > 0;
    prompt.kind = dice ? PromptKind::kDice : PromptKind::kChoice;
    prompt.sides = s.ask.side == kBothSides ? std::vector<int>{0, 1} : std::vector<int>{s.ask.side};
    prompt.sentence = AsSentence(DescribeAsk(s));
    prompt.clause =
        s.ask.what == Want::kCombatDice && s.combat->close ? "COL-8.2" : ClauseOfAsk(s.ask.what);
    if (dice) {
      prompt.dice = s.ask.count;
      prompt.faces = s.ask.faces;
      prompt.one_each = s.ask.side == kBothSides;
    }
    if (s.ask.about != kNoPiece) prompt.pieces = {NameOf(s, s.ask.about)};
    // The sums and the chances, before the dice are thrown.
    if (s.ask.what == Want::kCombatDice)
      prompt.sentence +=
          ' ' + DescribeForecast(
                    s, ForecastOf(s, s.combat->close, s.combat->initiator, s.combat->target));
    if (s.combat) {
      prompt.pieces = {NameOf(s, s.combat->initiator), NameOf(s, s.combat->target)};
      prompt.squares = {s.setup->CellName(s.At(s.combat->initiator).cell),
                        s.setup->CellName(s.At(s.combat->target).cell)};
    }
    return prompt;
  }
  if (s.phase == Phase::kMuster) {
    for (int side = 0; side < 2; ++side)
      if (!s.mustered[static_cast<std::size_t>(side)]) prompt.sides.push_back(side);
    prompt.clause = "COL-2.3";
    prompt.sentence = "Leave out the stands that your points do not pay for, then end this step.";
    return prompt;
  }
  prompt.sides = {s.acting};
  prompt.clause = "COL-3.3";
  prompt.sentence = fmt::format("{}: activate a stand or a pair ({} left), or end this step.",
                                SideName(s, s.acting), s.left);
  return prompt;
}

// Indices into Forecast::chances.
constexpr std::size_t kDrivenBack = 1, kDestroyed = 2;

fos::Forecast ForPeople(const State& s, const Forecast& f) {
  fos::Forecast out;
  for (const std::size_t who : {0u, 1u})
    out.sides[who] = SideName(s, s.At(who == 0 ? f.sums.initiator : f.sums.target).side);
  for (const Item& item : f.sums.items)
    out.items.push_back({item.who, DescribeItem(s, f.sums, item), static_cast<double>(item.amount),
                         std::string(ClauseOfMod(item.what))});
  out.totals = {static_cast<double>(f.sums.bonus[0]), static_cast<double>(f.sums.bonus[1])};
  const auto add = [&](const char* what, int part) {
    out.chances.emplace_back(what, static_cast<double>(part) / f.total);
  };
  add("no effect", f.nothing);
  add("drives the enemy back", f.enemy_back);
  add("destroys the enemy", f.enemy_lost);
  add("must withdraw itself", f.initiator_back);
  add("is destroyed itself", f.initiator_lost);
  out.sentence = DescribeForecast(s, f);
  return out;
}

// Sets the menu label of an action, its clause, and the pieces and squares it is about.
class Labeller {
 public:
  Labeller(const State& s, LineOption& out) : s_(s), out_(out) {}

  void operator()(const GiveDice&) { Put("Enter the dice", ClauseOfAsk(s_.ask.what)); }
  void operator()(const Draw&) {
    Put(fmt::format("Throw {} D{}", s_.ask.count, s_.ask.faces), ClauseOfAsk(s_.ask.what));
  }
  void operator()(const LeaveOut& a) {
    About(a.stand);
    Put("Leave it out of the army", "COL-2.3");
  }
  void operator()(const Activate& a) {
    for (const PieceNo i : a.stands) About(i);
    Put(a.stands.size() == 2 ? "Activate the pair" : "Activate",
        a.stands.size() == 2 ? "COL-3.4" : "COL-3.3");
  }
  void operator()(const Move& a) {
    for (const PieceNo i : a.stands) About(i);
    const PieceNo i = a.stands.front();
    const Facing facing = a.facing.value_or(s_.At(i).facing);
    for (const Cell cell : a.paths.front()) out_.squares.push_back(s_.setup->CellName(cell));
    if (a.paths.front().empty()) {
      out_.squares = {s_.setup->CellName(s_.At(i).cell)};
      return Put(fmt::format("Turn to {}", FacingName(facing)), "COL-5.9");
    }
    MoveCost cost;
    Cell at = s_.At(i).cell;
    bool by_road = true;
    for (const Cell next : a.paths.front()) {
      cost.cost += StepCost(s_, at, next);
      by_road &= s_.setup->RoadLink(at, next);
      at = next;
    }
    Put(fmt::format("Move to {} ({}{}){}{}", out_.squares.back(), Squares(cost.cost),
                    by_road ? ", by road" : "",
                    facing == s_.At(i).facing ? std::string()
                                              : fmt::format(" facing {}", FacingName(facing)),
                    a.in_front ? ", in front" : ""),
        by_road ? "COL-5.7" : "COL-5.1");
  }
  void operator()(const Remount& a) {
    About(a.stand);
    Put(a.mounted ? "Mount" : "Dismount", "COL-5.13");
  }
  void operator()(const Fight& a) {
    About(a.stand);
    About(a.target);
    out_.squares = {s_.setup->CellName(s_.At(a.target).cell)};
    out_.forecast = ForPeople(s_, ForecastOf(s_, a.close, a.stand, a.target));
    const double chance =
        out_.forecast->chances[kDrivenBack].second + out_.forecast->chances[kDestroyed].second;
    Put(fmt::format("{} {} in {} (chance {:.0f} %)", a.close ? "Attack" : "Fire at",
                    StandAndKind(s_, a.target), out_.squares.front(), 100 * chance),
        a.close ? "COL-8.1" : "COL-7.4");
  }
  void operator()(const Back& a) {
    About(s_.ask.about);
    out_.squares = {s_.setup->CellName(a.cell)};
    Put(fmt::format("Withdraw to {}{}", out_.squares.front(), a.in_front ? ", in front" : ""),
        "COL-5.11");
  }
  void operator()(const Seen& a) {
    About(a.stand);
    if (a.rear != kNoPiece) About(a.rear);
    Put("As the camera saw it", "COL-3.3");
  }
  void operator()(const Measured& a) {
    About(a.stand);
    Put("As the camera measured it", "COL-1.2");
  }
  void operator()(const Done&) { Put("End this step", "COL-3.3"); }

 private:
  void Put(std::string label, std::string_view clause) {
    out_.label = std::move(label);
    out_.clause = clause;
  }
  void About(PieceNo i) {
    out_.pieces.push_back(NameOf(s_, i));
    if (out_.side < 0) out_.side = s_.At(i).side;
  }
  const State& s_;
  LineOption& out_;
};

LineOption OptionOf(const State& s, int side, const Action& action) {
  LineOption out;
  out.line = ActionToLine(s, action);
  std::visit(Labeller(s, out), action.what);
  out.side = side;
  return out;
}

std::optional<PieceNo> PieceNamed(const State& s, std::string_view id) {
  for (std::size_t i = 0; i < s.setup->stands.size(); ++i)
    if (s.setup->stands[i].id == id) return static_cast<PieceNo>(i);
  if (id.ends_with("#1")) return PieceNamed(s, id.substr(0, id.size() - 2));
  return std::nullopt;
}

PieceView ViewOf(const State& s, PieceNo i) {
  const Stand& stand = s.At(i);
  PieceView out;
  out.id = out.unit = NameOf(s, i);
  out.kind = s.TypeOf(stand).id;
  out.side = stand.side;
  out.on_table = OnTable(stand);
  if (out.on_table) {
    const TableFrame frame{s.setup->board.columns, s.setup->board.rows,
                           s.Book().square_mm / kMillimetresPerInch};
    out.square = s.setup->CellName(stand.cell);
    out.at_in = frame.CentreOf(s.setup->board.IndexOf(stand.cell));
    // Two stands in a square stand one behind the other.
    if (PartnerOf(s, i) != kNoPiece) {
      const squares::Offset f = squares::StepOf(stand.facing);
      const double forward = (stand.rear ? -0.25 : 0.25) * frame.square_in;
      out.at_in = out.at_in + Vec2{f.dx * forward, f.dy * forward};
    }
    if (stand.rear) out.marks.push_back("rear");
    if (stand.open) out.marks.push_back("active");
    if (stand.activated && !stand.open) out.marks.push_back("activated");
    if (stand.moved) out.marks.push_back("moved");
    if (stand.initiated) out.marks.push_back("fought");
  }
  out.bearing_deg = BearingOf(stand.facing);
  return out;
}

// COL-7.1, COL-7.2, COL-7.3: the enemies that a stand could fire at from its square.
std::vector<SightLine> SightsOf(const State& s, PieceNo i) {
  std::vector<SightLine> out;
  const Stand& stand = s.At(i);
  for (std::size_t n = 0; n < s.stands.size(); ++n) {
    const auto target = static_cast<PieceNo>(n);
    const Stand& enemy = s.stands[n];
    if (!OnTable(enemy) || enemy.side == stand.side ||
        DistanceBetween(s, stand.cell, enemy.cell) > RangeOf(s, stand))
      continue;
    SightLine line;
    line.target = NameOf(s, target);
    line.from = s.setup->CellName(stand.cell);
    line.to = s.setup->CellName(enemy.cell);
    if (const auto fault = TargetFault(s, false, i, target)) {
      line.because = fault->because;
      line.clause = fault->clause;
    }
    line.clear = line.clause.empty();
    if (const auto blocked = SightBlocked(s, stand.cell, enemy.cell))
      for (const Cell cell : {blocked->cell, blocked->other})
        if (cell != kNowhere) line.blocked.push_back(s.setup->CellName(cell));
    out.push_back(std::move(line));
  }
  return out;
}

struct LineRules : squares::GridLineRules<State, Action, Event> {
  static constexpr std::string_view kName = "colonial";

  static Prompt Next(const State& s) { return WhatNext(s); }

  static std::vector<LineOption> Options(const State& s, int side) {
    std::vector<LineOption> out;
    for (const Action& action : LegalActions(s, side)) out.push_back(OptionOf(s, side, action));
    return out;
  }
  // Including every facing at the end of a move.
  static std::vector<LineOption> OptionsOf(const State& s, std::string_view piece) {
    const auto i = PieceNamed(s, piece);
    std::vector<LineOption> out;
    if (!i) return out;
    std::vector<Action> actions;
    AppendFor(s, *i, Turns::kAll, actions);
    for (const Action& action : actions) out.push_back(OptionOf(s, s.At(*i).side, action));
    return out;
  }
  static Action RandomAction(const State& s, Generator& chance) {
    return colonial::RandomAction(s, chance);
  }

  static GameView View(const State& s) {
    GameView view;
    const auto points = PointsNow(s);
    for (int side = 0; side < 2; ++side) {
      view.sides.push_back(SideName(s, side));
      view.points.push_back(points[static_cast<std::size_t>(side)]);
    }
    for (std::size_t i = 0; i < s.stands.size(); ++i)
      view.pieces.push_back(ViewOf(s, static_cast<PieceNo>(i)));
    for (Cell cell = 0; cell < s.setup->board.Cells(); ++cell) {
      const Ground& ground = s.setup->At(cell);
      const auto mark = [&](bool is, const std::string& what) {
        if (is) view.square_marks.emplace_back(s.setup->CellName(cell), what);
      };
      mark(ground.wood, "wood");
      mark(ground.built_up, "built up");
      mark(ground.obstacle, "obstacle");
      mark(ground.impassable, "impassable");
      mark(ground.road != 0, "road");
      mark(ground.level > 0, fmt::format("level {}", ground.level));
    }
    if (s.ending) view.result = colonial::Describe(s, GameEnded{*s.ending});
    return view;
  }
  static std::vector<std::pair<std::string, std::string>> Fates(const State& s,
                                                                const Event& event) {
    if (const auto* lost = std::get_if<StandLost>(&event))
      return {{NameOf(s, lost->stand), fmt::format("{}, turn {}", CauseName(lost->cause), s.turn)}};
    if (const auto* left = std::get_if<LeftOut>(&event))
      return {{NameOf(s, left->stand), "left out of the army"}};
    return {};
  }
  static std::vector<RuleTable> RuleTables(const State& s) { return colonial::RuleTables(s); }
  static void MarkAwaited(const State& s, std::vector<RuleTable>& tables) {
    colonial::MarkAwaited(s, tables);
  }
  static void MarkRuled(const State& s, const Event& event, std::vector<RuleTable>& tables) {
    colonial::MarkRuled(s, event, tables);
  }
  static PieceReach ReachOf(const State& s, std::string_view piece) {
    PieceReach out;
    const auto i = PieceNamed(s, piece);
    if (!i || !OnTable(s.At(*i))) return out;
    const Stand& stand = s.At(*i);
    out.allowance = std::max(0, AllowanceLeft(s, stand)) / static_cast<double>(kWhole);
    out.range = RangeOf(s, stand);
    for (Cell cell = 0; cell < s.setup->board.Cells(); ++cell)
      if (cell != stand.cell && DistanceBetween(s, stand.cell, cell) <= out.range &&
          InFrontArc(s, stand, cell))
        out.arc.push_back(s.setup->CellName(cell));
    out.sights = SightsOf(s, *i);
    std::vector<Cell> ends = EndSquares(s, *i);
    for (const Reached& reached : Reach(s, *i))
      if (std::find(ends.begin(), ends.end(), reached.cell) != ends.end())
        out.moves.emplace_back(s.setup->CellName(reached.cell),
                               reached.cost / static_cast<double>(kWhole));
    return out;
  }
};

}  // namespace

Result<std::unique_ptr<RuleGame>> OpenGame(const std::filesystem::path& scenario,
                                           std::optional<std::uint64_t> seed) {
  return Opened<LineRules>(ReadGame(scenario), seed);
}

Result<std::unique_ptr<RuleGame>> OpenSeenGame(const Scenario& scenario, const TableFrame& frame,
                                               std::optional<std::uint64_t> seed) {
  auto setup = SetupOf(scenario, frame);
  if (!setup.ok()) return setup.error();
  if (const auto why = WhyNoStart(*setup.value()))
    return Error{ErrorCode::kOutOfRange, fmt::format("{} ({})", why->text, why->clause)};
  return Opened<LineRules>(setup, seed);
}

}  // namespace fos::colonial
