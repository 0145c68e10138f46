#include "engine/rules/napoleonic/line_game.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/rules/grid_reach.h"
#include "engine/rules/line_game.h"
#include "engine/rules/napoleonic/artillery.h"
#include "engine/rules/napoleonic/cite.h"
#include "engine/rules/napoleonic/describe.h"
#include "engine/rules/napoleonic/game.h"
#include "engine/rules/napoleonic/game_file.h"
#include "engine/rules/napoleonic/json.h"
#include "engine/rules/napoleonic/legal.h"
#include "engine/rules/napoleonic/lines.h"
#include "engine/rules/napoleonic/movement.h"
#include "engine/rules/napoleonic/musketry.h"
#include "engine/rules/napoleonic/query.h"
#include "engine/rules/napoleonic/random_play.h"
#include "engine/squares/places.h"

namespace fos::napoleonic {
namespace {

// Who may declare while nothing is asked for (NAP-2A).
std::vector<int> SidesToAct(const State& s) {
  const int attacker = s.attacker;
  const auto still = [&](int side) { return !s.done[static_cast<std::size_t>(side)]; };
  switch (s.step) {
    case Step::kMovement:
      return {attacker};
    case Step::kHeldCanister:
      return {s.Defender()};
    case Step::kMelee:
      for (const int side : {attacker, s.Defender()})
        if (!s.supports_done[static_cast<std::size_t>(side)]) return {side};
      for (const Melee& melee : s.melees) {
        if (melee.stage != MeleeStage::kCards) continue;
        std::vector<int> sides;
        for (int side = 0; side < 2; ++side)
          if (melee.card[static_cast<std::size_t>(side)] == kNoCard) sides.push_back(side);
        return sides;
      }
      return {};
    default: {
      std::vector<int> sides;
      for (int side = 0; side < 2; ++side)
        if (still(side)) sides.push_back(side);
      return sides;
    }
  }
}

fos::AskKind KindOf(const Ask& ask) {
  switch (ask.kind) {
    case AskKind::kFirstAttackerDice:
    case AskKind::kCanisterDice:
    case AskKind::kFireDice:
    case AskKind::kVolleyDice:
      return fos::AskKind::kDice;
    case AskKind::kMeleeCoin:
      return fos::AskKind::kCoin;
    case AskKind::kFallOfShot:
      return fos::AskKind::kShot;
    default:
      return fos::AskKind::kChoice;
  }
}

std::string Names(const State& s, const std::vector<int>& sides) {
  std::string out;
  for (const int side : sides) out += (out.empty() ? "" : " and ") + SideName(s, side);
  return out;
}

Prompt WhatNext(const State& s) {
  Prompt prompt;
  prompt.turn = s.turn;
  prompt.phase = StepName(s.step);
  if (s.step == Step::kOver) {
    prompt.kind = fos::AskKind::kOver;
    prompt.sentence = "The game is over.";
    return prompt;
  }
  if (s.Waiting()) {
    prompt.kind = KindOf(s.ask);
    prompt.sides = s.ask.side == kNobody ? std::vector<int>{0, 1} : std::vector<int>{s.ask.side};
    prompt.sentence = "Wanted: " + DescribeAsk(s) + ".";
    prompt.clause = ClauseOfAsk(s.ask.kind);
    if (prompt.kind == fos::AskKind::kDice) prompt.dice = s.ask.count;
    if (s.shot && prompt.kind == fos::AskKind::kShot) {
      prompt.pieces = {EquipmentName(s, s.shot->gun)};
      if (s.shot->target != kNowhere) prompt.squares = {CellName(s, s.shot->target)};
    }
    return prompt;
  }
  prompt.sides = SidesToAct(s);
  prompt.clause = "NAP-2A";
  if (s.step == Step::kMelee && s.supports_done[0] && s.supports_done[1]) {
    prompt.kind = fos::AskKind::kSecret;
    prompt.clause = "NAP-MDI";
    for (const Melee& melee : s.melees)
      if (melee.stage == MeleeStage::kCards) {
        prompt.squares = {CellName(s, melee.contact)};
        break;
      }
    prompt.sentence =
        fmt::format("{}: choose a deployment for the melee in {} in secret.",
                    Names(s, prompt.sides), prompt.squares.empty() ? "" : prompt.squares.front());
    return prompt;
  }
  const char* what = s.step == Step::kArtillery      ? "call shots"
                     : s.step == Step::kMusketry     ? "call volleys"
                     : s.step == Step::kMovement     ? "move"
                     : s.step == Step::kHeldCanister ? "fire held canister"
                     : s.step == Step::kMelee        ? "declare supports"
                                                     : "turn, destroy equipment";
  prompt.sentence = fmt::format("{}: {}, or say `done`.", Names(s, prompt.sides), what);
  return prompt;
}

LineOption OptionOf(const State& s, const Action& action) {
  LineOption out;
  out.line = ActionToLine(s, action);
  const Cited cited = CiteOf(s, action.what);
  out.label = cited.label;
  out.clause = cited.clause;
  out.side = cited.side;
  for (const PieceNo unit : cited.units) out.pieces.push_back(UnitName(s, unit));
  for (const PieceNo i : cited.stands) out.pieces.push_back(StandName(s, i));
  for (const PieceNo i : cited.equipment) out.pieces.push_back(EquipmentName(s, i));
  for (const Cell cell : cited.cells) out.squares.push_back(CellName(s, cell));
  return out;
}

PieceView ViewOf(const State& s, PieceNo i, const Stand& stand) {
  PieceView out{StandName(s, i),
                UnitName(s, stand.unit),
                s.TypeOf(stand).id,
                stand.side,
                OnBoard(stand),
                "",
                OnBoard(stand) ? CellName(s, stand.cell) : "",
                {},
                BearingOf(stand.facing),
                {}};
  if (stand.formation >= 0) out.marks.push_back("in Square");
  if (stand.melee >= 0) out.marks.push_back("in melee");
  if (stand.moved) out.marks.push_back("moved");
  if (stand.fired) out.marks.push_back("fired");
  return out;
}

PieceView ViewOf(const State& s, PieceNo i, const Equipment& e) {
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
  if (e.limbered) out.marks.push_back("limbered");
  if (e.moved) out.marks.push_back("moved");
  if (e.owner != e.side) out.marks.push_back(e.owner == kNobody ? "nobody's" : "captured");
  return out;
}

std::string Dated(const State& s, std::string_view what) {
  return fmt::format("{}, turn {}", what, s.turn);
}

// NAP-3E, 3G: its guns' arc; a howitzer's shot comes out of the same gun, over everybody's head.
void AddGun(const State& s, PieceNo no, PieceReach& out) {
  const Equipment& gun = s.EquipmentAt(no);
  const EquipmentRole role = s.TypeOf(gun).role;
  if (gun.owner == kNobody || gun.limbered || role == EquipmentRole::kWagon) return;
  const ShotKind kind = role == EquipmentRole::kHorseGun ? ShotKind::kHorse : ShotKind::kField;
  const int side = gun.owner;
  grid_reach::AddFire(
      s, side, gun.cell, s.Book().gun_range[static_cast<std::size_t>(kind)],
      [&](Cell to) { return CheckAim(s, side, kind, gun.cell, gun.facing, to); },
      [&](Cell cell) {
        return squares::Adjacent(s.setup->board.Between(gun.cell, cell)) &&
               (s.CountIn(side, cell) > 0 || s.burning[static_cast<std::size_t>(cell)]);
      },
      out);
}

// NAP-4B, NAP-1: each square the stands hold fires for itself; those that have yet to move may go
// together from the first of them.
void AddStands(const State& s, const std::vector<PieceNo>& stands, PieceReach& out) {
  std::vector<Cell> from;
  for (const PieceNo i : stands) {
    const Stand& stand = s.StandAt(i);
    if (std::find(from.begin(), from.end(), stand.cell) != from.end()) continue;
    from.push_back(stand.cell);
    const bool any_facing = stand.formation >= 0 && !s.Ruling().square_facing_stands;
    grid_reach::AddFire(
        s, stand.side, stand.cell, s.TypeOf(stand).arc == Arc::kNone ? 0 : s.TypeOf(stand).range,
        [&](Cell to) { return CheckStandFire(s, stand, to, any_facing); },
        [&](Cell cell) {
          return s.CountIn(0, cell) > 0 || s.CountIn(1, cell) > 0 ||
                 s.burning[static_cast<std::size_t>(cell)];
        },
        out);
  }
  if (from.empty() || s.StandAt(stands.front()).formation >= 0) return;
  Move move;
  move.side = s.StandAt(stands.front()).side;
  for (const PieceNo i : stands)
    if (s.StandAt(i).cell == from.front() && !s.StandAt(i).moved) move.stands.push_back(i);
  if (move.stands.empty()) return;
  out.allowance = AllowanceOf(s, move.stands, {}) / static_cast<double>(squares::kWhole);
  grid_reach::AddMoves(
      s, Reach(s, move.stands, {}),
      [&](const std::vector<Cell>& path) { return CostOf(s, from.front(), path); },
      [&](const std::vector<Cell>& path) {
        move.path = path;
        return !CheckArrival(s, move, /*strict=*/false);
      },
      out);
}

struct LineRules : Rules {
  static constexpr std::string_view kName = "napoleonic";

  static Action ParseLine(const State& s, std::string_view line) {
    return napoleonic::ParseLine(s, line);
  }
  static std::string ToLine(const State& s, const Action& action) {
    return ActionToLine(s, action);
  }
  static std::string Describe(const State& s, const Event& event) {
    return napoleonic::Describe(s, event);
  }
  static std::string ClauseOf(const State& s, const Event& event) {
    return napoleonic::ClauseOf(s, event);
  }
  static Prompt Next(const State& s) { return WhatNext(s); }

  static std::vector<LineOption> Options(const State& s, int side) {
    std::vector<LineOption> out;
    for (const Action& action : LegalActions(s, side)) out.push_back(OptionOf(s, action));
    return out;
  }
  static std::vector<LineOption> OptionsOf(const State& s, std::string_view piece) {
    // A stand's options are its unit's.
    const std::string_view unit = piece.substr(0, piece.rfind('#'));
    std::vector<LineOption> out;
    for (int side = 0; side < 2; ++side)
      for (LineOption& option : Options(s, side)) {
        const bool about =
            std::any_of(option.pieces.begin(), option.pieces.end(), [&](const std::string& id) {
              return id == piece || id == unit || id.substr(0, id.rfind('#')) == piece;
            });
        if (about) out.push_back(std::move(option));
      }
    return out;
  }
  static Action RandomAction(const State& s, Generator& chance) {
    Action action = napoleonic::RandomAction(s, chance);
    State trial = s;
    std::vector<Event> events;
    return Play(trial, action, events) ? AnyProgress(s, chance) : action;
  }

  static GameView View(const State& s) {
    GameView view;
    for (int side = 0; side < 2; ++side) {
      view.sides.push_back(SideName(s, side));
      view.points.push_back(PointsOf(s, side));
    }
    const Board& board = s.setup->board;
    std::vector<std::vector<std::size_t>> in(static_cast<std::size_t>(board.Cells()));
    const auto add = [&](const auto& pieces) {
      for (std::size_t i = 0; i < pieces.size(); ++i) {
        if (OnBoard(pieces[i]))
          in[static_cast<std::size_t>(pieces[i].cell)].push_back(view.pieces.size());
        view.pieces.push_back(ViewOf(s, static_cast<PieceNo>(i), pieces[i]));
      }
    };
    add(s.stands);
    add(s.equipment);
    const TableFrame frame{board.columns, board.rows, s.Book().square_in};
    for (Cell cell = 0; cell < board.Cells(); ++cell) {
      const auto c = static_cast<std::size_t>(cell);
      for (std::size_t k = 0; k < in[c].size(); ++k)
        view.pieces[in[c][k]].at_in = squares::PlaceInSquare(
            frame, board.IndexOf(cell), static_cast<int>(k), static_cast<int>(in[c].size()));
      if (s.burning[c]) view.square_marks.emplace_back(CellName(s, cell), "burning");
      if (s.burnt[c]) view.square_marks.emplace_back(CellName(s, cell), "burnt");
    }
    for (const Cell cell : s.contacts) view.square_marks.emplace_back(CellName(s, cell), "contact");
    if (s.step == Step::kOver) view.result = napoleonic::Describe(s, GameEnded{s.ending});
    return view;
  }
  static std::vector<std::pair<std::string, std::string>> Fates(const State& s,
                                                                const Event& event) {
    if (const auto* lost = std::get_if<StandLost>(&event))
      return {{StandName(s, lost->stand), Dated(s, CauseName(lost->cause))}};
    if (const auto* lost = std::get_if<EquipmentLost>(&event))
      return {{EquipmentName(s, lost->equipment), Dated(s, CauseName(lost->cause))}};
    const auto* moved = std::get_if<Moved>(&event);
    if (!moved || moved->path.empty() || moved->path.back() != kNowhere) return {};
    std::vector<std::pair<std::string, std::string>> out;
    for (const PieceNo i : moved->stands)
      out.emplace_back(StandName(s, i), Dated(s, "off the board"));
    for (const PieceNo i : moved->equipment)
      out.emplace_back(EquipmentName(s, i), Dated(s, "off the board"));
    return out;
  }
  static std::string FallLine(const FallenShot& shot) {
    std::string line = fmt::format("lands {:.3f} {:.3f}", shot.at_in.x, shot.at_in.y);
    if (shot.water) line += *shot.water ? " water" : " dry";
    for (const FallenShot::Near& near : shot.near)
      line += fmt::format(" {} {} {:.3f}", near.equipment ? "gun" : "stand", near.piece,
                          near.distance_in);
    if (!shot.burns.empty()) line += fmt::format(" model {} 0", shot.burns);
    return line;
  }
  static PieceReach ReachOf(const State& s, std::string_view piece) {
    PieceReach out;
    if (const PieceNo gun = grid_reach::EquipmentNamed(s, piece); gun >= 0) AddGun(s, gun, out);
    AddStands(s, grid_reach::StandsNamed(s, piece), out);
    return out;
  }
  static std::string ToJson(const State& s) { return StateToJson(s); }
  static std::string DescribeTable(const State& s) { return napoleonic::DescribeTable(s); }
};

}  // namespace

Result<std::unique_ptr<RuleGame>> OpenGame(const std::filesystem::path& scenario,
                                           std::optional<std::uint64_t> seed) {
  auto setup = ReadGame(scenario);
  if (!setup.ok()) return setup.error();
  return std::unique_ptr<RuleGame>(
      std::make_unique<LineGame<LineRules>>(NewGame(setup.value(), seed.value_or(0))));
}

Result<std::unique_ptr<RuleGame>> OpenSeenGame(const Scenario& scenario, const TableFrame& frame,
                                               std::optional<std::uint64_t> seed) {
  auto setup = SetupOf(scenario, frame);
  if (!setup.ok()) return setup.error();
  return std::unique_ptr<RuleGame>(
      std::make_unique<LineGame<LineRules>>(NewGame(setup.value(), seed.value_or(0))));
}

}  // namespace fos::napoleonic
