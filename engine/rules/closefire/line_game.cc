// SPDX-License-Identifier: MIT
#include "engine/rules/closefire/line_game.h"

#include <fmt/format.h>

#include "engine/game/line_game.h"
#include "engine/rules/closefire/fire.h"
#include "engine/rules/closefire/forecast.h"
#include "engine/rules/closefire/referee.h"
#include "engine/rules/closefire/roster.h"
#include "engine/rules/closefire/rule_tables.h"
#include "engine/rules/closefire/seen.h"
#include "engine/table/counted.h"
#include "engine/table/sentence.h"

namespace fos::closefire {
namespace {

constexpr std::array<const char*, 6> kArmNames = {"foot",    "horse", "dragoons",
                                                  "hussars", "gun",   "civilians"};

Vec2 Inches(const State& s, Vec2 yd) { return yd / s.Rulings().yards_per_inch; }

LineOption OptionOf(const State& s, const Choice& choice, int side) {
  LineOption out{choice.line, choice.label, choice.clause, side, {}, {}, {}};
  if (choice.leader >= 0) out.pieces.push_back(LeaderInfoOf(s, choice.leader).id);
  if (choice.unit >= 0) out.pieces.push_back(Info(s, choice.unit).id);
  for (const Vec2 at : choice.path_yd) out.path_in.push_back(Inches(s, at));
  out.for_good = choice.for_good;
  return out;
}

// "Allies: 2 casualties, 1 unit lost."
std::string LossesOf(const State& s, int side) {
  int casualties = 0, lost = 0;
  for (int u = 0; u < static_cast<int>(s.units.size()); ++u) {
    if (Info(s, u).side != side) continue;
    const auto& body = At(s, u).body;
    casualties += body.casualties;
    lost += body.presence == Presence::kDestroyed || body.presence == Presence::kSurrendered ||
            body.presence == Presence::kLeftTable || body.presence == Presence::kSpiked ||
            body.presence == Presence::kDrivenOff;
  }
  return fmt::format("{}: {}, {} lost.\n", s.setup->sides[static_cast<std::size_t>(side)],
                     Counted(casualties, "casualty", "casualties"), Counted(lost, "unit"));
}

std::string FateOf(const Unit& unit) {
  switch (unit.body.presence) {
    case Presence::kHidden:
      return "hidden";
    case Presence::kReserve:
      return "not yet arrived";
    case Presence::kDestroyed:
      return "destroyed";
    case Presence::kSurrendered:
      return "surrendered";
    case Presence::kLeftTable:
      return "left the table";
    case Presence::kSpiked:
      return "spiked";
    case Presence::kDrivenOff:
      return "driven off";
    case Presence::kMerged:
      return "merged";
    default:
      return "";
  }
}

std::vector<std::string> MarksOf(const State& s, int u) {
  const Unit& unit = At(s, u);
  std::vector<std::string> marks = {std::string(FormationName(unit.body.formation))};
  const Conduct status = unit.body.conduct;
  if (status != Conduct::kReady) marks.push_back(std::string(StatusName(status)));
  if (unit.body.dp > 0) marks.push_back(Counted(unit.body.dp, "DP"));
  if (unit.body.casualties > 0)
    marks.push_back(fmt::format("{} {}", unit.body.casualties,
                                unit.body.casualties == 1 ? "casualty" : "casualties"));
  if (unit.fire.fired) marks.push_back("fired");
  if (unit.march.moved) marks.push_back("moved");
  if (unit.obeys.inspired > 0) marks.push_back("inspired");
  if (unit.obeys.steadied) marks.push_back("steadied");
  if (unit.body.bayonets_fixed) marks.push_back("bayonets fixed");
  if (unit.body.fascines) marks.push_back("fascines");
  if (InCombat(s, u)) marks.push_back("in combat");
  if (IsGun(s, u) && unit.body.crew != Crew::kServing) marks.push_back("abandoned");
  if (unit.obeys.control == Control::kHalted) marks.push_back("halted");
  return marks;
}

// CF-1.4, 15.2: the fire wedge of a front out to its range; a full circle for unformed units, which
// see all round. Yards.
std::vector<Vec2> WedgeOf(const State& s, int unit, const Field::Front& front, double range_yd) {
  const bool round = IsUnformed(s, unit);
  const double half = round ? 180 : s.Book().gun.arc_half_deg;
  const Vec2 side = open_table::Rightward(front.facing_deg) * (round ? 0 : 0.5 * front.width);
  std::vector<Vec2> out;
  if (!round) out.push_back(front.centre - side);
  constexpr int kSteps = 12;  // in each half of the arc
  for (int i = -kSteps; i <= kSteps; ++i) {
    const Vec2 corner = i < 0 ? front.centre - side : front.centre + side;
    out.push_back(corner +
                  range_yd * open_table::Ahead(front.facing_deg + half * i / double{kSteps}));
  }
  if (!round) out.push_back(front.centre + side);
  return out;
}

// CF-15.2, 15.3: all enemies in range, each with the reason if it may not be fired at.
void AddFire(const Field& field, int unit, PieceReach& out) {
  const State& s = field.Game();
  out.range = RangeYd(s, unit);
  std::vector<Vec2>& outline = out.arc_in.emplace_back();
  for (const Vec2 at : WedgeOf(s, unit, field.FrontOf(unit), out.range))
    outline.push_back(Inches(s, at));
  const std::vector<Target> targets = TargetsOf(field, unit);
  for (int enemy = 0; enemy < static_cast<int>(s.units.size()); ++enemy) {
    if (Info(s, enemy).side == Info(s, unit).side || !At(s, enemy).OnTable() ||
        field.Gap(unit, enemy) > out.range)
      continue;
    SightLine line;
    line.target = Info(s, enemy).id;
    line.clear = std::any_of(targets.begin(), targets.end(),
                             [&](const Target& target) { return target.unit == enemy; });
    if (!line.clear) {
      const bool in_front = field.InFrontWedge(unit, enemy);
      const bool seen = field.Sees(unit, enemy);
      line.clause = !in_front ? "CF-15.2" : !seen ? "CF-7" : "CF-15.3";
      line.because = !in_front ? "outside its fire wedge"
                     : !seen   ? "hidden from it"
                               : "friends or a nearer enemy are too close";
    }
    out.sights.push_back(std::move(line));
  }
}

// What a declaration did when no event of it has a sentence of its own.
std::string DeclarationText(const State& s, std::string_view line) {
  const ParsedLine words = ParseLine(s, line).words;
  if (words.verb == "done")
    return fmt::format("{}: end of the {} phase.",
                       s.setup->sides[static_cast<std::size_t>(words.side)], PhaseTitle(s.phase));
  if (words.verb == "halt") return Capitalised(UnitName(s, words.units[0]) + " ends its move.");
  if (words.verb == "stop")
    return Capitalised(UnitName(s, words.units[0]) +
                       " will test to stop at the end of the Command phase.");
  if (words.verb == "holder")
    return fmt::format("The horse-holder of {} moves to ({:.0f}, {:.0f}).",
                       UnitName(s, words.units[0]), words.numbers[0], words.numbers[1]);
  return "";
}

// The sentence with the clause that it carries out, so that a player can check it. The sequence of
// play (section 9) goes without.
std::string WithClause(const Event& event) {
  const bool sequence = event.clause.rfind("CF-9.", 0) == 0;
  if (event.clause.empty() || sequence || event.text.find("CF-") != std::string::npos ||
      event.text.empty() || event.text.back() != '.')
    return event.text;
  return fmt::format("{} ({}).", event.text.substr(0, event.text.size() - 1), event.clause);
}

struct LineRules : Rules {
  static constexpr std::string_view kName = "closefire";

  static std::optional<fos::Forecast> ForecastOf(const State& s, const Action& action) {
    return closefire::ForecastOf(s, action);
  }
  static std::optional<fos::Forecast> Awaited(const State& s) { return closefire::Awaited(s); }

  static Action ParseLine(const State& s, std::string_view line) {
    return closefire::ParseLine(s, line);
  }
  static std::string ToLine(const State&, const Action& action) { return action.line; }
  static std::string Describe(const State& s, const Event& event) {
    switch (event.what) {
      case What::kTold:
        return WithClause(event);
      case What::kBegins:
        return DeclarationText(s, event.text);
      case What::kWaits:
        return event.ask.choices.empty()
                   ? fmt::format("Next: throw {}: {}.", DiceInWords(event.ask.dice),
                                 event.ask.sentence)
                   : fmt::format("Next: {} Options: {}.", event.ask.sentence,
                                 fmt::join(event.ask.choices, ", "));
      default:
        return "";
    }
  }
  static std::string ClauseOf(const State&, const Event& event) {
    return event.what == What::kWaits ? event.ask.clause : event.clause;
  }

  static Prompt Next(const State& s) {
    Prompt prompt;
    prompt.turn = s.turn;
    prompt.phase = PhaseTitle(s.phase);
    if (s.phase == Phase::kOver) {
      prompt.kind = PromptKind::kOver;
      prompt.sentence = "The game is over.";
      return prompt;
    }
    if (s.waiting) {
      const Ask& ask = s.waiting->ask;
      prompt.kind = ask.choices.empty() ? PromptKind::kDice : PromptKind::kChoice;
      prompt.sides = ask.side ? std::vector<int>{*ask.side} : std::vector<int>{0, 1};
      prompt.clause = ask.clause;
      prompt.dice = static_cast<int>(ask.dice.size());
      prompt.one_each = !ask.side && ask.dice.size() > 1;
      // Where ordinary dice count as average ones (CF-1.2), those are thrown.
      for (const Die die : ask.dice) {
        const bool average = die == Die::kAverage && !s.Rulings().avd_from_d6;
        prompt.kinds.push_back(average ? DieFaces::kAverage : DieFaces::kOrdinary);
      }
      prompt.sentence =
          ask.choices.empty()
              ? fmt::format("Throw {}: {}.", DiceInWords(ask.dice), ask.sentence)
              : fmt::format("Choose: {} Options: {}.", ask.sentence, fmt::join(ask.choices, ", "));
      return prompt;
    }
    if (s.phase == Phase::kInitiative) {
      prompt.sides = {0, 1};
      prompt.clause = "CF-9.1";
      prompt.sentence = "Throw for initiative.";
      return prompt;
    }
    prompt.sides = {s.to_act};
    prompt.clause = "CF-9.2";
    const char* what = s.phase == Phase::kArtillery || s.phase == Phase::kMusketry ? "fire"
                       : s.phase == Phase::kCommand  ? "act with leaders, fix bayonets, conform"
                       : s.phase == Phase::kMovement ? "move"
                       : s.phase == Phase::kCharges  ? "declare charges"
                                                     : "answer charges";
    prompt.sentence = fmt::format("{}: {}, or end this step.",
                                  s.setup->sides[static_cast<std::size_t>(s.to_act)], what);
    return prompt;
  }

  static std::vector<LineOption> Options(const State& s, int side) {
    std::vector<LineOption> out;
    for (const Choice& choice : Choices(s, side)) out.push_back(OptionOf(s, choice, side));
    return out;
  }
  static std::vector<LineOption> OptionsOf(const State& s, std::string_view piece) {
    const std::string_view id = piece.substr(0, piece.rfind('#'));
    const std::optional<UnitId> unit = FindUnit(s, id);
    const std::optional<LeaderId> leader = unit ? std::nullopt : FindLeader(s, id);
    if (!unit && !leader) return {};
    const int side = unit ? Info(s, *unit).side : LeaderInfoOf(s, *leader).side;
    std::vector<LineOption> out;
    for (const Choice& choice : Choices(s, side))
      if (unit ? choice.unit == *unit : choice.leader == *leader)
        out.push_back(OptionOf(s, choice, side));
    return out;
  }
  static Action RandomAction(const State& s, Generator& chance) {
    return closefire::ParseLine(s, RandomLineOf(s, chance));
  }

  static GameView View(const State& s) {
    GameView view;
    view.sides = {s.setup->sides[0], s.setup->sides[1]};
    for (int u = 0; u < static_cast<int>(s.units.size()); ++u) {
      const Unit& unit = At(s, u);
      const bool gone = !unit.OnTable();
      // A part that never split off is not a unit yet.
      if (gone && unit.bases.empty() && unit.body.presence == Presence::kMerged) continue;
      if (unit.bases.empty()) {
        view.pieces.push_back({Info(s, u).id + "#1",
                               Info(s, u).id,
                               kArmNames[static_cast<std::size_t>(Info(s, u).arm)],
                               Info(s, u).side,
                               false,
                               FateOf(unit),
                               "",
                               {},
                               0,
                               {}});
        continue;
      }
      const std::vector<Base> bases = BasesOf(s, u);
      for (std::size_t i = 0; i < bases.size(); ++i)
        view.pieces.push_back({fmt::format("{}#{}", Info(s, u).id, i + 1), Info(s, u).id,
                               kArmNames[static_cast<std::size_t>(Info(s, u).arm)], Info(s, u).side,
                               !gone, FateOf(unit), "", Inches(s, bases[i].centre),
                               bases[i].facing_deg,
                               i == 0 ? MarksOf(s, u) : std::vector<std::string>{},
                               Inches(s, {bases[i].width, bases[i].depth})});
    }
    for (int l = 0; l < static_cast<int>(s.leaders.size()); ++l) {
      const Leader& leader = LeaderAt(s, l);
      const LeaderInfo& info = LeaderInfoOf(s, l);
      if (leader.Fate() == LeaderFate::kWaiting) continue;
      constexpr std::array<const char*, 3> kGone = {"", "killed", "captured"};
      PieceView piece{info.id,
                      info.id,
                      info.messenger ? "messenger" : "leader",
                      info.side,
                      leader.Present(),
                      kGone[static_cast<std::size_t>(leader.Fate())],
                      "",
                      Inches(s, {Yd(leader.at.x), Yd(leader.at.y)}),
                      0,
                      {}};
      if (leader.attached.has_value())
        piece.marks.push_back("with " + Info(s, *leader.attached).id);
      if (leader.wounds > 0) piece.marks.push_back("wounded");
      if (leader.order > 0) piece.marks.push_back(fmt::format("order {}", leader.order));
      view.pieces.push_back(piece);
    }
    if (s.phase == Phase::kOver)
      view.result = "The players ended the game. The scenario says who won.";
    return view;
  }
  static std::vector<std::pair<std::string, std::string>> Fates(const State& s,
                                                                const Event& event) {
    if (event.what != What::kUnit || static_cast<Of>(event.field) != Of::kPresence) return {};
    const std::string fate = FateOf(At(s, event.subject));
    if (fate.empty()) return {};
    std::vector<std::pair<std::string, std::string>> out;
    const std::size_t bases = std::max<std::size_t>(1, At(s, event.subject).bases.size());
    for (std::size_t i = 0; i < bases; ++i)
      out.emplace_back(fmt::format("{}#{}", Info(s, event.subject).id, i + 1),
                       fmt::format("{}, turn {}", fate, s.turn));
    return out;
  }
  static std::vector<RuleTable> RuleTables(const State& s) { return closefire::RuleTables(s); }
  static void MarkAwaited(const State& s, std::vector<RuleTable>& tables) {
    closefire::MarkAwaited(s, tables);
  }
  static void MarkRuled(const State& s, const Event& event, std::vector<RuleTable>& tables) {
    closefire::MarkRuled(s, event, tables);
  }
  static PieceReach ReachOf(const State& s, std::string_view piece) {
    const std::optional<UnitId> found = FindUnit(s, piece.substr(0, piece.rfind('#')));
    PieceReach out;
    if (!found || !At(s, *found).OnTable()) return out;
    const UnitId unit = *found;
    out.unit = "yards";
    out.allowance = Yd(At(s, unit).march.left_milli_yd);
    // As if its own fire phase were on.
    State then = s;
    then.phase = IsGun(s, unit) ? Phase::kArtillery : Phase::kMusketry;
    if (!MayNotFire(then, unit)) AddFire(Field(s), unit, out);
    return out;
  }
  static std::vector<std::string> PlacementLines(const State& s,
                                                 const std::vector<StandObservation>& stands) {
    return closefire::PlacementLines(s, stands);
  }
  static std::string ToJson(const State& s) { return StateToJson(s); }

  static std::string DescribeTable(const State& s) {
    std::string out = fmt::format("Turn {}, {}.\n", s.turn, PhaseTitle(s.phase));
    for (const std::string& note : s.setup->notes) out += "Note: " + note + ".\n";
    for (int side = 0; side < 2; ++side) out += LossesOf(s, side);
    for (const Fascines& laid : s.fascines)
      out += fmt::format("Fascines laid by {} lie from ({:.0f}, {:.0f}) to ({:.0f}, {:.0f}).\n",
                         s.setup->sides[static_cast<std::size_t>(laid.side)], Yd(laid.x0),
                         Yd(laid.y0), Yd(laid.x1), Yd(laid.y1));
    for (int u = 0; u < static_cast<int>(s.units.size()); ++u) {
      const Unit& unit = At(s, u);
      const UnitInfo& info = Info(s, u);
      if (unit.bases.empty() && unit.body.presence == Presence::kMerged) continue;
      const std::string& side = s.setup->sides[static_cast<std::size_t>(info.side)];
      if (!unit.OnTable()) {
        out += fmt::format("{} {}: {}\n", side, UnitName(s, u), FateOf(unit));
        continue;
      }
      const Field field(s);
      const Field::Front front = field.FrontOf(u);
      out += fmt::format("{} {} ({:c}, {}) at ({:.0f}, {:.0f}) facing {:.0f}: {}\n", side,
                         UnitName(s, u), static_cast<char>('A' + static_cast<int>(info.grade)),
                         Counted(static_cast<double>(unit.bases.size()), "base"), front.centre.x,
                         front.centre.y, front.facing_deg, fmt::join(MarksOf(s, u), ", "));
    }
    for (const PieceView& leader : View(s).pieces) {
      if (leader.kind != "leader" || !leader.on_table) continue;
      const Vec2 at = leader.at_in * s.Rulings().yards_per_inch;
      out += fmt::format("{} {} at ({:.0f}, {:.0f})",
                         s.setup->sides[static_cast<std::size_t>(leader.side)],
                         LeaderName(s, *FindLeader(s, leader.id)), at.x, at.y);
      for (const std::string& mark : leader.marks) out += ", " + mark;
      out += '\n';
    }
    return out;
  }
};

}  // namespace

Result<std::unique_ptr<RuleGame>> OpenGame(const std::filesystem::path& scenario,
                                           std::optional<std::uint64_t> seed) {
  auto state = ReadGame(scenario, seed.value_or(0));
  if (!state.ok()) return state.error();
  return std::unique_ptr<RuleGame>(std::make_unique<LineGame<LineRules>>(std::move(state).value()));
}

Result<std::unique_ptr<RuleGame>> OpenSeenGame(const Scenario& scenario, const TableFrame& frame,
                                               std::optional<std::uint64_t> seed) {
  auto state = SeenGame(scenario, frame, seed.value_or(0));
  if (!state.ok()) return state.error();
  return std::unique_ptr<RuleGame>(std::make_unique<LineGame<LineRules>>(std::move(state).value()));
}

}  // namespace fos::closefire
