#include "engine/rules/ancient/line_game.h"

#include <algorithm>

#include <fmt/format.h>

#include "engine/game/line_game.h"
#include "engine/rules/ancient/army.h"
#include "engine/rules/ancient/catapults.h"
#include "engine/rules/ancient/cite.h"
#include "engine/rules/ancient/describe.h"
#include "engine/rules/ancient/game.h"
#include "engine/rules/ancient/game_file.h"
#include "engine/rules/ancient/json.h"
#include "engine/rules/ancient/legal.h"
#include "engine/rules/ancient/lines.h"
#include "engine/rules/ancient/melee.h"
#include "engine/rules/ancient/missiles.h"
#include "engine/rules/ancient/movement.h"
#include "engine/rules/ancient/query.h"
#include "engine/rules/ancient/random_play.h"
#include "engine/rules/sweet/forecast.h"
#include "engine/squares/grid_game.h"
#include "engine/squares/grid_reach.h"

namespace fos::ancient {
namespace {

// The sides that may declare while no input is pending (ANC-T).
std::vector<int> SidesToAct(const State& s) {
  switch (s.step) {
    case Step::kMovement:
    case Step::kAttackerSupport:
      return {s.attacker};
    case Step::kDefenderSupport:
      return {s.Defender()};
    case Step::kMelee:
      return squares::SidesWithoutCard(s);
    default:
      return squares::SidesNotDone(s);
  }
}

PromptKind KindOf(const Ask& ask) {
  switch (ask.kind) {
    case PendingInput::kFirstAttackerDice:
    case PendingInput::kVolleyDice:
    case PendingInput::kElephantDie:
      return PromptKind::kDice;
    case PendingInput::kMeleeCoin:
      return PromptKind::kCoin;
    case PendingInput::kFallOfShot:
      return PromptKind::kShot;
    default:
      return PromptKind::kChoice;
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
      return "turn units that fought";
  }
}

Prompt WhatNext(const State& s) {
  Prompt prompt;
  prompt.turn = s.turn;
  prompt.phase = StepName(s.step);
  if (s.step == Step::kOver) {
    prompt.kind = PromptKind::kOver;
    prompt.sentence = "The game is over.";
    return prompt;
  }
  if (s.Waiting()) {
    prompt.kind = KindOf(s.ask);
    prompt.sides = s.ask.side == kNobody ? std::vector<int>{0, 1} : std::vector<int>{s.ask.side};
    prompt.sentence = AsSentence(DescribeAsk(s));
    prompt.clause = ClauseOfAsk(s.ask.kind);
    if (prompt.kind == PromptKind::kDice) prompt.dice = s.ask.count;
    if (s.ask.kind == PendingInput::kVolleyDice) {
      const Volley& volley = s.volleys[static_cast<std::size_t>(s.ask.about)];
      prompt.pieces = {UnitName(s, volley.unit)};
      prompt.squares = {CellName(s, volley.target)};
    }
    if (s.shot) {
      prompt.pieces = {EquipmentName(s, s.shot->catapult)};
      prompt.squares = {CellName(s, s.shot->target)};
    }
    return prompt;
  }
  prompt.sides = SidesToAct(s);
  if (s.step == Step::kMelee) {
    prompt.clause = "ANC-P1";
    grid_game::AskForCards(s, prompt);
    return prompt;
  }
  prompt.clause = "ANC-T";
  prompt.sentence = fmt::format("{}: {}, or say `done`.", grid_game::SideNames(s, prompt.sides),
                                WhatToDeclare(s.step));
  return prompt;
}

PieceView ViewOf(const State& s, PieceNo i, const Stand& stand) {
  PieceView out = grid_game::StandView(s, i, stand);
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
  PieceView out = grid_game::EquipmentView(s, i, e);
  if (e.fired) out.marks.insert(out.marks.begin(), "shot");
  return out;
}

// ANC-F1, ANC-V1: each square with stands shoots separately; stands that have not moved may go
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
  grid_reach::AddMarch<Move>(
      s, stands,
      [&](const std::vector<PieceNo>& who) { return Reach(s, who, {}, /*riding=*/false); }, out);
}

// ANC-F3, F5: the forecast of a volley.
fos::Forecast VolleyForecast(const State& s, std::size_t index) {
  const Volley& volley = s.volleys[index];
  const auto dice = [&](int stands) {
    return VolleyDice(s, volley.unit, stands, volley.later_unit, volley.against_protection,
                      volley.target);
  };
  // Compare one stand with none: a later unit's die comes with its first stand.
  const int each = std::max(1, TypeOfUnit(s, volley.unit).dice_per_stand);
  const int stands = 1 + (volley.dice - sweet::DiceOf(dice(1))) / each;
  return sweet::OfVolley(s, index, dice(stands), "ANC-F5");
}

// ANC-P2, P3, H8: the forecast of a melee with the stands now in it.
fos::Forecast MeleeForecast(const State& s, int index) {
  fos::Forecast out = sweet::OfMelee(s, index, "ANC-P2");
  const BySide full = sweet::StrengthsOf(s, index);
  const BySide totals = Effective(s, index, full);
  if (const Sixteenths less = full[kAttackers] - totals[kAttackers]; less != 0)
    out.items.push_back(
        {0, fmt::format("{:+g} for attacking a protected square", -sweet::Points(less)),
         -sweet::Points(less), "ANC-H8"});
  return out;
}

struct LineRules : Rules {
  static constexpr std::string_view kName = "ancient";

  static std::optional<fos::Forecast> ForecastOf(const State& s, const Action& action) {
    const auto* call = std::get_if<CallVolley>(&action.what);
    VolleyPlan plan;
    if (call == nullptr || CheckVolley(s, *call, &plan)) return std::nullopt;
    State called = s;
    called.volleys.push_back(plan.volley);
    return VolleyForecast(called, s.volleys.size());
  }
  static std::optional<fos::Forecast> Awaited(const State& s) {
    if (s.Waiting()) {
      if (s.ask.kind != PendingInput::kVolleyDice) return std::nullopt;
      return VolleyForecast(s, static_cast<std::size_t>(s.ask.about));
    }
    const Melee* melee = squares::MeleeOfCards(s);
    if (s.step != Step::kMelee || melee == nullptr) return std::nullopt;
    return MeleeForecast(s, MeleeAt(s, melee->contact));
  }

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
    return grid_game::OptionsOf(s, side);
  }
  static std::vector<LineOption> OptionsOf(const State& s, std::string_view piece) {
    return grid_game::OptionsOf(s, piece);
  }
  static Action RandomAction(const State& s, Generator& chance) {
    return grid_game::AcceptedAction<Rules>(s, chance);
  }

  static GameView View(const State& s) {
    GameView view = grid_game::ViewOfGame(
        s, [&](PieceNo i, const auto& piece) { return ViewOf(s, i, piece); },
        [&](int side) { return PointsOf(s, side); },
        [&](Cell cell, GameView& out) {
          if (Protected(s, cell)) out.square_marks.emplace_back(CellName(s, cell), "protected");
        });
    if (s.step == Step::kOver) view.result = ancient::Describe(s, GameEnded{s.ending});
    return view;
  }
  static grid_game::FateList Fates(const State& s, const Event& event) {
    using grid_game::Dated;
    if (const auto* lost = std::get_if<StandLost>(&event))
      return {{StandName(s, lost->stand), Dated(s, CauseName(lost->cause))}};
    if (const auto* lost = std::get_if<EquipmentLost>(&event))
      return {{EquipmentName(s, lost->equipment), Dated(s, CauseName(LossCause::kShot))}};
    return grid_game::OffBoard(s, event);
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
  return Opened<LineRules>(ReadGame(scenario), seed);
}

Result<std::unique_ptr<RuleGame>> OpenSeenGame(const Scenario& scenario, const TableFrame& frame,
                                               std::optional<std::uint64_t> seed) {
  return Opened<LineRules>(SetupOf(scenario, frame), seed);
}

Result<std::vector<std::string>> ArmyLists() {
  const auto rules = ReadRules({});
  if (!rules.ok()) return rules.error();
  std::vector<std::string> names;
  for (const ArmyList& army : rules->tables.armies) names.push_back(army.name);
  return names;
}

// ANC-L.
Result<ArmyOffer> ArmyOf(std::string_view list, std::optional<int> points) {
  const auto rules = ReadRules({});
  if (!rules.ok()) return rules.error();
  const Result<Muster> muster =
      points ? BuildArmy(rules->tables, list, *points) : MusterOf(rules->tables, list);
  if (!muster.ok()) return muster.error();
  ArmyOffer out;
  out.list = list;
  out.points = muster->points;
  for (const ArmyList& army : rules->tables.armies)
    if (army.name == list) {
      out.stated = army.stated_points;
      out.notice = NoticeOf(rules->tables, army);
    }
  out.text = Describe(rules->tables, list, *muster);
  out.squares = muster->Squares();
  const auto crew = [&](const MusterUnit& unit) {
    return std::pair{rules->tables.types[static_cast<std::size_t>(unit.type)].id, unit.stands};
  };
  for (const MusterUnit& unit : muster->units) out.blocks.push_back({crew(unit)});
  for (const MusterCatapult& catapult : muster->catapults)
    out.blocks.push_back(
        {crew(catapult.crew),
         {rules->tables.equipment[static_cast<std::size_t>(catapult.type)].id, 1}});
  out.table = "army";
  return out;
}

}  // namespace fos::ancient
