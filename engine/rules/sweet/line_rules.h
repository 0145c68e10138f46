// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/game/army.h"
#include "engine/game/chance.h"
#include "engine/game/line_game.h"
#include "engine/game/rule_game.h"
#include "engine/rules/sweet/events.h"
#include "engine/squares/game_words.h"
#include "engine/squares/line_rules.h"
#include "engine/squares/places.h"
#include "engine/squares/who_acts.h"

// What LineGame (line_game.h) asks of both sets. State as in squares/queries.h.
namespace fos::sweet {

using namespace squares;

// "French and British"
template <typename State>
std::string SideNames(const State& s, const std::vector<int>& sides) {
  std::string out;
  for (const int side : sides) out += (out.empty() ? "" : " and ") + SideName(s, side);
  return out;
}

// NAP-MDI, ANC-P1: the secret choice of deployments.
template <typename State>
void AskForCards(const State& s, Prompt& prompt) {
  prompt.kind = PromptKind::kSecret;
  if (const auto* melee = MeleeOfCards(s)) prompt.squares = {CellName(s, melee->contact)};
  prompt.sentence =
      fmt::format("{}: choose a deployment for the melee in {}, in secret.",
                  SideNames(s, prompt.sides), prompt.squares.empty() ? "" : prompt.squares.front());
}

// Lists a legal action for a menu or a map.
template <typename State>
LineOption OptionOf(const State& s, std::string line, const Cited& cited) {
  LineOption out;
  out.line = std::move(line);
  out.label = cited.label;
  out.clause = cited.clause;
  out.side = cited.side;
  out.for_good = cited.for_good;
  for (const PieceNo unit : cited.units) out.pieces.push_back(UnitName(s, unit));
  for (const PieceNo i : cited.stands) out.pieces.push_back(StandName(s, i));
  for (const PieceNo i : cited.equipment) out.pieces.push_back(EquipmentName(s, i));
  for (const Cell cell : cited.cells) out.squares.push_back(CellName(s, cell));
  return out;
}
// The options about one piece. A stand's options are its unit's.
inline std::vector<LineOption> About(std::string_view piece, std::vector<LineOption> options) {
  const std::string_view unit = piece.substr(0, piece.rfind('#'));
  std::erase_if(options, [&](const LineOption& option) {
    return std::none_of(option.pieces.begin(), option.pieces.end(), [&](const std::string& id) {
      return id == piece || id == unit || id.substr(0, id.rfind('#')) == piece;
    });
  });
  return options;
}

// The options of a line game (line_game.h), from the rule set's own LegalActions, ActionToLine and
// CiteOf.
template <typename State>
std::vector<LineOption> OptionsOf(const State& s, int side) {
  std::vector<LineOption> out;
  for (const auto& action : LegalActions(s, side))
    out.push_back(OptionOf(s, ActionToLine(s, action), CiteOf(s, action.what)));
  return out;
}
template <typename State>
std::vector<LineOption> OptionsOf(const State& s, std::string_view piece) {
  std::vector<LineOption> all = OptionsOf(s, 0);
  for (LineOption& option : OptionsOf(s, 1)) all.push_back(std::move(option));
  return About(piece, std::move(all));
}
// The rule set's random action, or AnyProgress where that one is refused.
template <typename Rules, typename State>
typename Rules::Action AcceptedAction(const State& s, Generator& chance) {
  auto action = RandomAction(s, chance);
  State trial = s;
  std::vector<typename Rules::Event> events;
  return Rules::Play(trial, action, events) ? AnyProgress(s, chance) : action;
}

template <typename State, typename Stand>
PieceView StandView(const State& s, PieceNo i, const Stand& stand) {
  return {StandName(s, i),
          UnitName(s, stand.unit),
          s.TypeOf(stand).id,
          stand.side,
          OnBoard(stand),
          "",
          OnBoard(stand) ? CellName(s, stand.cell) : "",
          {},
          BearingOf(stand.facing),
          {}};
}
template <typename State, typename Equipment>
PieceView EquipmentView(const State& s, PieceNo i, const Equipment& e) {
  PieceView out{EquipmentName(s, i),
                EquipmentName(s, i),
                s.TypeOf(e).id,
                e.owner == kNobody ? -1 : e.owner,
                OnBoard(e),
                "",
                OnBoard(e) ? CellName(s, e.cell) : "",
                {},
                BearingOf(e.facing),
                {}};
  if (e.moved) out.marks.push_back("moved");
  if (e.owner != e.side) out.marks.push_back(e.owner == kNobody ? "nobody's" : "captured");
  return out;
}

// Sides, pieces in their squares and contact squares. view_of(PieceNo, piece) -> PieceView,
// points_of(side) -> number, mark(Cell, view) adds the rule set's marks of a square.
template <typename State, typename ViewOf, typename PointsOf, typename Mark>
GameView ViewOfGame(const State& s, ViewOf view_of, PointsOf points_of, Mark mark) {
  GameView view;
  for (int side = 0; side < 2; ++side) {
    view.sides.push_back(SideName(s, side));
    view.points.push_back(points_of(side));
  }
  const Board& board = s.setup->board;
  std::vector<std::vector<std::size_t>> in(static_cast<std::size_t>(board.Cells()));
  const auto add = [&](const auto& pieces) {
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      if (OnBoard(pieces[i]))
        in[static_cast<std::size_t>(pieces[i].cell)].push_back(view.pieces.size());
      view.pieces.push_back(view_of(static_cast<PieceNo>(i), pieces[i]));
    }
  };
  add(s.stands);
  add(s.equipment);
  const TableFrame frame{board.columns, board.rows, s.Book().square_in};
  for (Cell cell = 0; cell < board.Cells(); ++cell) {
    const auto& here = in[static_cast<std::size_t>(cell)];
    for (std::size_t k = 0; k < here.size(); ++k)
      view.pieces[here[k]].at_in = PlaceInSquare(frame, board.IndexOf(cell), static_cast<int>(k),
                                                 static_cast<int>(here.size()));
    mark(cell, view);
  }
  for (const Cell cell : s.contacts) view.square_marks.emplace_back(CellName(s, cell), "contact");
  return view;
}

// The fates of pieces, dated by turn.
using FateList = std::vector<std::pair<std::string, std::string>>;
template <typename State>
std::string Dated(const State& s, std::string_view what) {
  return fmt::format("{}, turn {}", what, s.turn);
}
// The pieces that left the board with this event.
template <typename State, typename Event>
FateList OffBoard(const State& s, const Event& event) {
  FateList out;
  const auto* moved = std::get_if<Moved>(&event);
  if (!moved || moved->path.empty() || moved->path.back() != kNowhere) return out;
  for (const PieceNo i : moved->stands)
    out.emplace_back(StandName(s, i), Dated(s, "off the board"));
  for (const PieceNo i : moved->equipment)
    out.emplace_back(EquipmentName(s, i), Dated(s, "off the board"));
  return out;
}

// What the game waits for. Beside the State: IsDiceAsk(PendingInput), StepName, DescribeAsk,
// ClauseOfAsk.
template <typename State>
Prompt AskedFor(const State& s) {
  using Kind = decltype(s.ask.kind);
  Prompt prompt;
  prompt.kind = IsDiceAsk(s.ask.kind)             ? PromptKind::kDice
                : s.ask.kind == Kind::kMeleeCoin  ? PromptKind::kCoin
                : s.ask.kind == Kind::kFallOfShot ? PromptKind::kShot
                                                  : PromptKind::kChoice;
  prompt.sides = s.ask.side == kNobody ? std::vector<int>{0, 1} : std::vector<int>{s.ask.side};
  prompt.sentence = AsSentence(DescribeAsk(s));
  prompt.clause = ClauseOfAsk(s.ask.kind);
  if (prompt.kind == PromptKind::kDice) prompt.dice = s.ask.count;
  prompt.one_each = s.ask.kind == Kind::kFirstAttackerDice;
  if (s.ask.kind == Kind::kVolleyDice) {
    const auto& volley = s.volleys[static_cast<std::size_t>(s.ask.about)];
    prompt.pieces = {UnitName(s, volley.unit)};
    prompt.squares = {CellName(s, volley.target)};
  }
  return prompt;
}

// Own is the rule set's own struct. It provides
//   kName, kTurnClause, kCardsClause
//   CardsDue(State): are the supports of the melees declared?
//   ToDeclare(State) -> const char*: "call volleys"
//   ShowShot(State, Prompt&): the piece and the target of the shot that is awaited
//   VolleyForecast(State, index), MeleeForecast(State, index)
//   ViewOf(State, PieceNo, piece) -> PieceView, Mark(State, Cell, GameView&)
// and, beside the State: SidesToAct, LegalActions, CiteOf, CheckVolley.
template <typename Own, typename State, typename Action, typename Event, typename VolleyPlan>
struct LineRules : GridLineRules<State, Action, Event> {
  using Rules = RulesOf<State, Action, Event>;

  static Prompt Next(const State& s) {
    Prompt prompt;
    if (s.Waiting()) {
      prompt = AskedFor(s);
      if (s.shot) Own::ShowShot(s, prompt);
    } else if (s.step == decltype(s.step)::kOver) {
      prompt.kind = PromptKind::kOver;
      prompt.sentence = "The game is over.";
    } else {
      prompt.sides = SidesToAct(s);
      if (Own::CardsDue(s)) {
        prompt.clause = Own::kCardsClause;
        AskForCards(s, prompt);
      } else {
        prompt.clause = Own::kTurnClause;
        prompt.sentence =
            fmt::format("{}: {}, or end this step.", SideNames(s, prompt.sides), Own::ToDeclare(s));
      }
    }
    prompt.turn = s.turn;
    prompt.phase = StepName(s.step);
    return prompt;
  }

  static std::optional<Forecast> ForecastOf(const State& s, const Action& action) {
    const auto* call = std::get_if<CallVolley>(&action.what);
    VolleyPlan plan;
    if (call == nullptr || CheckVolley(s, *call, &plan)) return std::nullopt;
    State called = s;
    called.volleys.push_back(plan.volley);
    return Own::VolleyForecast(called, s.volleys.size());
  }
  static std::optional<Forecast> Awaited(const State& s) {
    if (s.Waiting()) {
      if (s.ask.kind != decltype(s.ask.kind)::kVolleyDice) return std::nullopt;
      return Own::VolleyForecast(s, static_cast<std::size_t>(s.ask.about));
    }
    const auto* melee = MeleeOfCards(s);
    if (!Own::CardsDue(s) || melee == nullptr) return std::nullopt;
    return Own::MeleeForecast(s, MeleeAt(s, melee->contact));
  }

  static std::vector<LineOption> Options(const State& s, int side) {
    return sweet::OptionsOf(s, side);
  }
  static std::vector<LineOption> OptionsOf(const State& s, std::string_view piece) {
    return sweet::OptionsOf(s, piece);
  }
  static Action RandomAction(const State& s, Generator& chance) {
    return AcceptedAction<Rules>(s, chance);
  }

  static GameView View(const State& s) {
    GameView view = ViewOfGame(
        s, [&](PieceNo i, const auto& piece) { return Own::ViewOf(s, i, piece); },
        [&](int side) { return PointsOf(s, side); },
        [&](Cell cell, GameView& out) { Own::Mark(s, cell, out); });
    if (s.step == decltype(s.step)::kOver)
      view.result = LineRules::Describe(s, GameEndedOf<decltype(State::ending)>{s.ending});
    return view;
  }
};

// A unit of an army in a square: its kind and its stands.
template <typename Tables, typename MusterUnit>
auto PieceOf(const Tables& tables, const MusterUnit& unit) {
  return std::pair{tables.types[static_cast<std::size_t>(unit.type)].id, unit.stands};
}
// An army of a list, as it is offered; the rule set adds the blocks of its artillery.
template <typename Tables, typename Muster>
ArmyOffer OfferOf(const Tables& tables, std::string_view list, const Muster& muster) {
  ArmyOffer out;
  out.list = list;
  out.points = muster.points;
  out.text = Describe(tables, list, muster);
  out.squares = muster.Squares();
  for (const auto& unit : muster.units) out.blocks.push_back({PieceOf(tables, unit)});
  return out;
}
}  // namespace fos::sweet
