#include "engine/rules/ancient/line_game.h"

#include <algorithm>

#include <fmt/format.h>

#include "engine/rules/ancient/catapults.h"
#include "engine/rules/ancient/cite.h"
#include "engine/rules/ancient/describe.h"
#include "engine/rules/ancient/game.h"
#include "engine/rules/ancient/game_file.h"
#include "engine/rules/ancient/json.h"
#include "engine/rules/ancient/legal.h"
#include "engine/rules/ancient/lines.h"
#include "engine/rules/ancient/missiles.h"
#include "engine/rules/ancient/movement.h"
#include "engine/rules/ancient/query.h"
#include "engine/rules/ancient/random_play.h"
#include "engine/rules/grid_reach.h"
#include "engine/rules/line_game.h"
#include "engine/squares/places.h"

namespace fos::ancient {
namespace {

// Who may declare while nothing is asked for (ANC-T).
std::vector<int> SidesToAct(const State& s) {
  switch (s.step) {
    case Step::kMovement:
    case Step::kAttackerSupport:
      return {s.attacker};
    case Step::kDefenderSupport:
      return {s.Defender()};
    default:
      break;
  }
  std::vector<int> sides;
  if (s.step == Step::kMelee) {
    for (const Melee& melee : s.melees) {
      if (melee.stage != MeleeStage::kCards) continue;
      for (int side = 0; side < 2; ++side)
        if (melee.card[static_cast<std::size_t>(side)] == kNoCard) sides.push_back(side);
      break;
    }
    return sides;
  }
  for (int side = 0; side < 2; ++side)
    if (!s.done[static_cast<std::size_t>(side)]) sides.push_back(side);
  return sides;
}

fos::AskKind KindOf(const Ask& ask) {
  switch (ask.kind) {
    case AskKind::kFirstAttackerDice:
    case AskKind::kVolleyDice:
    case AskKind::kElephantDie:
      return fos::AskKind::kDice;
    case AskKind::kMeleeCoin:
      return fos::AskKind::kCoin;
    case AskKind::kFallOfShot:
      return fos::AskKind::kShot;
    default:
      return fos::AskKind::kChoice;
  }
}

const char* WhatToDeclare(Step step) {
  switch (step) {
    case Step::kCatapults:
      return "call catapult shots";
    case Step::kMissiles:
      return "shoot missiles";
    case Step::kMovement:
      return "roll for elephants that are to charge, then move";
    case Step::kAttackerSupport:
    case Step::kDefenderSupport:
      return "declare supports";
    default:
      return "turn whoever fought";
  }
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
    if (s.shot) {
      prompt.pieces = {EquipmentName(s, s.shot->catapult)};
      prompt.squares = {CellName(s, s.shot->target)};
    }
    return prompt;
  }
  prompt.sides = SidesToAct(s);
  std::string who;
  for (const int side : prompt.sides) who += (who.empty() ? "" : " and ") + SideName(s, side);
  if (s.step == Step::kMelee) {
    prompt.kind = fos::AskKind::kSecret;
    prompt.clause = "ANC-P1";
    for (const Melee& melee : s.melees)
      if (melee.stage == MeleeStage::kCards) {
        prompt.squares = {CellName(s, melee.contact)};
        break;
      }
    prompt.sentence = fmt::format("{}: choose a deployment for the melee in {} in secret.", who,
                                  prompt.squares.empty() ? "" : prompt.squares.front());
    return prompt;
  }
  prompt.clause = "ANC-T";
  prompt.sentence = fmt::format("{}: {}, or say `done`.", who, WhatToDeclare(s.step));
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
  if (stand.melee >= 0) out.marks.push_back("in melee");
  if (stand.charged) out.marks.push_back("charged");
  if (stand.busy) out.marks.push_back("mans a catapult");
  if (stand.will != Will::kNotAsked)
    out.marks.push_back(stand.will == Will::kStays ? "stays" : "may charge");
  if (stand.moved) out.marks.push_back("moved");
  if (stand.fired) out.marks.push_back("shot");
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
  if (e.fired) out.marks.push_back("shot");
  if (e.moved) out.marks.push_back("moved");
  if (e.owner != e.side) out.marks.push_back(e.owner == kNobody ? "nobody's" : "captured");
  return out;
}

// ANC-F1, ANC-V1: each square the stands hold shoots for itself; those that have yet to move may go
// together from the first of them.
void AddStands(const State& s, const std::vector<PieceNo>& stands, PieceReach& out) {
  std::vector<Cell> from;
  for (const PieceNo i : stands) {
    const Stand& stand = s.StandAt(i);
    if (std::find(from.begin(), from.end(), stand.cell) != from.end()) continue;
    from.push_back(stand.cell);
    grid_reach::AddFire(
        s, stand.side, stand.cell, s.TypeOf(stand).range,
        [&](Cell to) { return CheckStandShoots(s, stand, to); },
        [&](Cell cell) { return s.CountIn(0, cell) > 0 || s.CountIn(1, cell) > 0; }, out);
  }
  if (from.empty()) return;
  Move move;
  move.side = s.StandAt(stands.front()).side;
  for (const PieceNo i : stands)
    if (s.StandAt(i).cell == from.front() && !s.StandAt(i).moved) move.stands.push_back(i);
  if (move.stands.empty()) return;
  out.allowance = AllowanceOf(s, move.stands, {}) / static_cast<double>(squares::kWhole);
  grid_reach::AddMoves(
      s, Reach(s, move.stands, {}, /*riding=*/false),
      [&](const std::vector<Cell>& path) { return CostOf(s, from.front(), path); },
      [&](const std::vector<Cell>& path) {
        move.path = path;
        return !CheckArrival(s, move, /*strict=*/false);
      },
      out);
}

struct LineRules : Rules {
  static constexpr std::string_view kName = "ancient";

  static Action ParseLine(const State& s, std::string_view line) {
    return ancient::ParseLine(s, line);
  }
  static std::string ToLine(const State& s, const Action& action) {
    return ActionToLine(s, action);
  }
  static std::string Describe(const State& s, const Event& event) {
    return ancient::Describe(s, event);
  }
  static std::string ClauseOf(const State& s, const Event& event) {
    return ancient::ClauseOf(s, event);
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
    Action action = ancient::RandomAction(s, chance);
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
      const auto& here = in[static_cast<std::size_t>(cell)];
      for (std::size_t k = 0; k < here.size(); ++k)
        view.pieces[here[k]].at_in = squares::PlaceInSquare(
            frame, board.IndexOf(cell), static_cast<int>(k), static_cast<int>(here.size()));
      if (Protected(s, cell)) view.square_marks.emplace_back(CellName(s, cell), "protected");
    }
    for (const Cell cell : s.contacts) view.square_marks.emplace_back(CellName(s, cell), "contact");
    if (s.step == Step::kOver) view.result = ancient::Describe(s, GameEnded{s.ending});
    return view;
  }
  static std::vector<std::pair<std::string, std::string>> Fates(const State& s,
                                                                const Event& event) {
    const auto dated = [&](std::string_view what) {
      return fmt::format("{}, turn {}", what, s.turn);
    };
    if (const auto* lost = std::get_if<StandLost>(&event))
      return {{StandName(s, lost->stand), dated(CauseName(lost->cause))}};
    if (const auto* lost = std::get_if<EquipmentLost>(&event))
      return {{EquipmentName(s, lost->equipment), dated(CauseName(LossCause::kShot))}};
    const auto* moved = std::get_if<Moved>(&event);
    if (!moved || moved->path.empty() || moved->path.back() != kNowhere) return {};
    std::vector<std::pair<std::string, std::string>> out;
    for (const PieceNo i : moved->stands) out.emplace_back(StandName(s, i), dated("off the board"));
    for (const PieceNo i : moved->equipment)
      out.emplace_back(EquipmentName(s, i), dated("off the board"));
    return out;
  }
  static std::string FallLine(const FallenShot& shot) {
    std::string line = fmt::format("lands {:.3f} {:.3f}", shot.at_in.x, shot.at_in.y);
    for (const FallenShot::Near& near : shot.near)
      line += fmt::format(" {} {} {:.3f}", near.equipment ? "catapult" : "stand", near.piece,
                          near.distance_in);
    return line;
  }
  static PieceReach ReachOf(const State& s, std::string_view piece) {
    PieceReach out;
    const PieceNo catapult = grid_reach::EquipmentNamed(s, piece);
    if (catapult >= 0 && s.EquipmentAt(catapult).owner != kNobody) {
      const Equipment& e = s.EquipmentAt(catapult);
      const int range = s.TypeOf(e).range;
      grid_reach::AddFire(
          s, e.owner, e.cell, range,
          [&](Cell to) { return CheckAim(s, range, e.cell, e.facing, to); },
          [](Cell) { return false; }, out);
    }
    AddStands(s, grid_reach::StandsNamed(s, piece), out);
    return out;
  }
  static std::string ToJson(const State& s) { return StateToJson(s); }
  static std::string DescribeTable(const State& s) { return ancient::DescribeTable(s); }
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

}  // namespace fos::ancient
