#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/game/chance.h"
#include "engine/game/rule_game.h"
#include "engine/squares/game_words.h"
#include "engine/squares/places.h"
#include "engine/squares/who_acts.h"

// The parts of a line game (line_game.h) that all grid games share. State as in squares/queries.h.
namespace fos::grid_game {

using squares::Cell;
using squares::PieceNo;

// "French and British"
template <typename State>
std::string SideNames(const State& s, const std::vector<int>& sides) {
  std::string out;
  for (const int side : sides) out += (out.empty() ? "" : " and ") + squares::SideName(s, side);
  return out;
}

// NAP-MDI, ANC-P1: the secret choice of deployments.
template <typename State>
void AskForCards(const State& s, Prompt& prompt) {
  prompt.kind = PromptKind::kSecret;
  if (const auto* melee = squares::MeleeOfCards(s))
    prompt.squares = {squares::CellName(s, melee->contact)};
  prompt.sentence =
      fmt::format("{}: choose a deployment for the melee in {}, in secret.",
                  SideNames(s, prompt.sides), prompt.squares.empty() ? "" : prompt.squares.front());
}

// Lists a legal action for a menu or a map.
template <typename State>
LineOption OptionOf(const State& s, std::string line, const squares::Cited& cited) {
  LineOption out;
  out.line = std::move(line);
  out.label = cited.label;
  out.clause = cited.clause;
  out.side = cited.side;
  out.for_good = cited.for_good;
  for (const PieceNo unit : cited.units) out.pieces.push_back(squares::UnitName(s, unit));
  for (const PieceNo i : cited.stands) out.pieces.push_back(squares::StandName(s, i));
  for (const PieceNo i : cited.equipment) out.pieces.push_back(squares::EquipmentName(s, i));
  for (const Cell cell : cited.cells) out.squares.push_back(squares::CellName(s, cell));
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
  return {squares::StandName(s, i),
          squares::UnitName(s, stand.unit),
          s.TypeOf(stand).id,
          stand.side,
          squares::OnBoard(stand),
          "",
          squares::OnBoard(stand) ? squares::CellName(s, stand.cell) : "",
          {},
          BearingOf(stand.facing),
          {}};
}
template <typename State, typename Equipment>
PieceView EquipmentView(const State& s, PieceNo i, const Equipment& e) {
  PieceView out{squares::EquipmentName(s, i),
                squares::EquipmentName(s, i),
                s.TypeOf(e).id,
                e.owner == squares::kNobody ? -1 : e.owner,
                squares::OnBoard(e),
                "",
                squares::OnBoard(e) ? squares::CellName(s, e.cell) : "",
                {},
                BearingOf(e.facing),
                {}};
  if (e.moved) out.marks.push_back("moved");
  if (e.owner != e.side) out.marks.push_back(e.owner == squares::kNobody ? "nobody's" : "captured");
  return out;
}

// Sides, pieces in their squares and contact squares. view_of(PieceNo, piece) -> PieceView,
// points_of(side) -> number, mark(Cell, view) adds the rule set's marks of a square.
template <typename State, typename ViewOf, typename PointsOf, typename Mark>
GameView ViewOfGame(const State& s, ViewOf view_of, PointsOf points_of, Mark mark) {
  GameView view;
  for (int side = 0; side < 2; ++side) {
    view.sides.push_back(squares::SideName(s, side));
    view.points.push_back(points_of(side));
  }
  const squares::Board& board = s.setup->board;
  std::vector<std::vector<std::size_t>> in(static_cast<std::size_t>(board.Cells()));
  const auto add = [&](const auto& pieces) {
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      if (squares::OnBoard(pieces[i]))
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
      view.pieces[here[k]].at_in = squares::PlaceInSquare(
          frame, board.IndexOf(cell), static_cast<int>(k), static_cast<int>(here.size()));
    mark(cell, view);
  }
  for (const Cell cell : s.contacts)
    view.square_marks.emplace_back(squares::CellName(s, cell), "contact");
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
  const auto* moved = std::get_if<squares::Moved>(&event);
  if (!moved || moved->path.empty() || moved->path.back() != squares::kNowhere) return out;
  for (const PieceNo i : moved->stands)
    out.emplace_back(squares::StandName(s, i), Dated(s, "off the board"));
  for (const PieceNo i : moved->equipment)
    out.emplace_back(squares::EquipmentName(s, i), Dated(s, "off the board"));
  return out;
}

}  // namespace fos::grid_game
