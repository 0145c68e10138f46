// SPDX-License-Identifier: MIT
#include "engine/rules/closefire/referee.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "engine/game/line_words.h"
#include "engine/rules/closefire/combat.h"
#include "engine/rules/closefire/fire.h"
#include "engine/rules/closefire/room.h"
#include "engine/rules/closefire/roster.h"

namespace fos::closefire {
namespace {

// An answer that the game's own generator draws.
Answer DrawnFor(const Ask& ask, std::uint64_t state, const Settings& rulings) {
  Answer answer;
  Generator generator{state};
  for (const Die die : ask.dice) {
    // An average die is drawn as a D6 whose faces are 2,3,3,4,4,5 (CF-1.2).
    constexpr std::array<std::int8_t, 7> kAverage = {0, 2, 3, 3, 4, 4, 5};
    const int face = generator.Die();
    const bool plain = die == Die::kD6 || rulings.avd_from_d6;
    answer.dice.push_back(plain ? static_cast<std::int8_t>(face)
                                : kAverage[static_cast<std::size_t>(face)]);
  }
  answer.generator = generator.state;
  return answer;
}

// Checks an answer before it enters the game.
std::optional<Refusal> BadAnswer(const State& s, const ParsedLine& words, Answer& answer) {
  const Ask& ask = s.waiting->ask;
  if (words.verb == "choose") {
    if (ask.choices.empty()) return Refusal{ask.clause, "throw dice: " + ask.sentence, false};
    const auto found = std::find(ask.choices.begin(), ask.choices.end(), words.flags[0]);
    if (found == ask.choices.end())
      return Refusal{ask.clause,
                     fmt::format("`{}` is not one of the choices: {}", words.flags[0],
                                 fmt::join(ask.choices, ", ")),
                     false};
    answer.choice = static_cast<int>(found - ask.choices.begin());
    return std::nullopt;
  }
  if (ask.dice.empty())
    return Refusal{ask.clause,
                   fmt::format("choose: {} ({})", ask.sentence, fmt::join(ask.choices, ", ")),
                   false};
  if (words.verb == "draw") {
    answer = DrawnFor(ask, s.generator, s.Rulings());
    return std::nullopt;
  }
  if (words.numbers.size() != ask.dice.size())
    return Refusal{ask.clause,
                   fmt::format("{} needed ({}), {} given", DiceInWords(ask.dice), ask.sentence,
                               words.numbers.size()),
                   false};
  for (std::size_t i = 0; i < ask.dice.size(); ++i) {
    const int face = static_cast<int>(words.numbers[i]);
    const bool fits = ask.dice[i] == Die::kD6 ? face >= 1 && face <= 6
                                              : AverageFace(s.Book(), s.Rulings(), face) != 0;
    if (!fits)
      return Refusal{"CF-1.2",
                     fmt::format("{} is not a face of {}", face,
                                 ask.dice[i] == Die::kD6 ? "a D6" : "an average die (2 to 5)"),
                     false};
    answer.dice.push_back(static_cast<std::int8_t>(face));
  }
  answer.generator = s.generator;
  if (words.Has("drawn")) answer.generator = std::stoull(words.flags[1]);
  return std::nullopt;
}

void Open(Play& play, Phase phase, int to_act) {
  play.SetGame(What::kPhase, static_cast<int>(phase));
  play.SetGame(What::kToAct, to_act);
  play.Tell("CF-9.2", fmt::format("{} phase, {} first.", PhaseTitle(phase),
                                  play.Now().setup->sides[static_cast<std::size_t>(to_act)]));
}

// CF-3.3: reveals hidden troops that an enemy unit now sees. CF-3.7: turns their cards the same
// way.
void RevealSeen(Play& play) {
  const State& s = play.Now();
  for (int u = 0; u < static_cast<int>(s.units.size()); ++u) {
    if (At(s, u).body.presence != Presence::kHidden) continue;
    State shown = s;
    shown.units[static_cast<std::size_t>(u)].Put(Of::kPresence, 0);
    const Field field(shown);
    if (play.Rulings().blinds) {
      // Only a leader or messenger who sees a card turns it; troops do not.
      for (int l = 0; l < static_cast<int>(s.leaders.size()); ++l) {
        if (LeaderInfoOf(s, l).side == Info(s, u).side || !field.LeaderSees(l, u)) continue;
        play.Set(u, Of::kPresence, Presence::kOnTable);
        play.Tell("CF-3.7", fmt::format("{} sees the card of {}: turn it over.", play.LeaderName(l),
                                        play.Name(u)));
        break;
      }
      continue;
    }
    for (int v = 0; v < static_cast<int>(s.units.size()); ++v) {
      if (Info(s, v).side == Info(s, u).side || !At(s, v).OnTable() || !field.Sees(v, u)) continue;
      play.Set(u, Of::kPresence, Presence::kOnTable);
      play.Tell("CF-3.3",
                fmt::format("{} sees {}: put it on the table.", play.Name(v), play.Name(u)));
      break;
    }
  }
}

bool AnyCharge(const State& s) {
  return std::any_of(s.units.begin(), s.units.end(),
                     [](const Unit& u) { return u.charge.target.has_value(); });
}

// Whether such a charge would be accepted. True if it is too close to call: the players then rule.
bool CouldCharge(const State& s, int unit, int target, const DiceSet& dice) {
  ParsedLine words;
  words.verb = "charge";
  words.units = {unit, target};
  words.dice = dice;
  State trial = s;
  std::vector<Event> events;
  Play play(trial, events, {}, false);
  try {
    PlayCharge(play, words);
  } catch (const NotAllowed&) {
    return false;
  } catch (const NeedsAnswer&) {
    return true;
  }
  return true;
}

// CF-5.8: units that must charge again with the same dice have declared it if they can.
void CheckMustCharge(Play& play, int side) {
  const State& s = play.Now();
  for (int u = 0; u < static_cast<int>(s.units.size()); ++u) {
    const Unit& unit = At(s, u);
    if (!unit.OnTable() || Info(s, u).side != side || !unit.charge.must ||
        unit.charge.target.has_value())
      continue;
    for (int v = 0; v < static_cast<int>(s.units.size()); ++v)
      if (Info(s, v).side != side && At(s, v).OnTable())
        play.Require(!CouldCharge(s, u, v, SetAt(unit.charge.missed_set)), "CF-5.8", [&] {
          return fmt::format("{} must charge {} again", play.Name(u), play.Name(v));
        });
    play.Set(u, Of::kMissed, 0);
  }
}

// CF-5.2: units that conform to a charging unit charge with it if they can.
void CheckConformersCharge(Play& play, int side) {
  const State& s = play.Now();
  for (int u = 0; u < static_cast<int>(s.units.size()); ++u) {
    const Unit& unit = At(s, u);
    if (!unit.OnTable() || Info(s, u).side != side || unit.charge.target.has_value() ||
        unit.obeys.control != Control::kConforming || !CopiesInLine(unit))
      continue;
    const UnitId lead = LeadOf(unit).value();
    const std::optional<UnitId> target = At(s, lead).charge.target;
    if (!target) continue;
    play.Require(!CouldCharge(s, u, *target, SetAt(At(s, lead).charge.set)), "CF-5.2", [&] {
      return fmt::format("{} conforms to {} and must charge with it", play.Name(u),
                         play.Name(lead));
    });
  }
}

void FightAndEnd(Play& play) {
  if (!play.Resumed<CombatsSoFar>())
    play.SetGame(What::kPhase, static_cast<int>(Phase::kResponses));
  FightCombats(play);
  play.SetGame(What::kPhase, static_cast<int>(Phase::kMorale));
  play.Tell("CF-9.2", "Morale phase.");
  MoralePhase(play);
  BeginTurn(play);
}

void Done(Play& play, int side) {
  const State& s = play.Now();
  play.Require(
      side == s.to_act, "CF-9.2",
      [&] {
        return fmt::format("it is the turn of {} to act",
                           s.setup->sides[static_cast<std::size_t>(s.to_act)]);
      },
      false);
  if (play.Resumed<CombatsSoFar>()) return FightAndEnd(play);
  const Phase phase = s.phase;
  if (phase == Phase::kCommand) EndCommand(play, side);
  if (phase == Phase::kMovement) EndMovement(play, side);
  if (phase == Phase::kCharges) {
    CheckMustCharge(play, side);
    CheckConformersCharge(play, side);
  }
  RevealSeen(play);
  const int opening = phase == Phase::kCharges     ? s.initiative
                      : phase == Phase::kResponses ? 1 - s.initiative
                                                   : s.first;
  if (side == opening) {
    play.SetGame(What::kToAct, 1 - side);
    return;
  }
  switch (phase) {
    case Phase::kArtillery:
      Open(play, Phase::kMusketry, s.first);
      return;
    case Phase::kMusketry:
      Open(play, Phase::kCommand, s.first);
      return;
    case Phase::kCommand:
      Open(play, Phase::kMovement, s.first);
      return;
    case Phase::kMovement:
      Open(play, Phase::kCharges, s.initiative);
      return;
    case Phase::kCharges:
      if (AnyCharge(s)) {
        play.SetGame(What::kPhase, static_cast<int>(Phase::kResponses));
        play.SetGame(What::kToAct, 1 - s.initiative);
        return;
      }
      FightAndEnd(play);
      return;
    case Phase::kResponses:
      FightAndEnd(play);
      return;
    default:
      return;
  }
}

// CF-9.1.
void Initiative(Play& play) {
  const State& s = play.Now();
  play.Require(s.phase == Phase::kInitiative, "CF-9.1",
               "initiative has already been thrown for this turn", false);
  int bonus[2] = {0, 0};
  for (std::size_t l = 0; l < s.leaders.size(); ++l)
    if (s.leaders[l].Present() && s.setup->leaders[l].exceptional &&
        s.setup->leaders[l].rank == Rank::kMarshal)
      bonus[s.setup->leaders[l].side] = 1;
  int winner = -1;
  while (winner < 0) {
    const std::vector<int> dice = play.Roll(
        std::nullopt, {Die::kD6, Die::kD6},
        fmt::format("initiative ({}, then {})", s.setup->sides[0], s.setup->sides[1]), "CF-9.1");
    const int a = dice[0] + bonus[0];
    const int b = dice[1] + bonus[1];
    if (a != b) winner = a > b ? 0 : 1;
    const auto says = [&](int side) {
      return fmt::format("{} {}{}", s.setup->sides[static_cast<std::size_t>(side)],
                         dice[static_cast<std::size_t>(side)],
                         bonus[side] > 0
                             ? fmt::format(" + 1 = {}", dice[static_cast<std::size_t>(side)] + 1)
                             : "");
    };
    play.Tell("CF-9.1", fmt::format("Initiative: {}, {}: {}.", says(0), says(1),
                                    a != b ? s.setup->sides[a > b ? 0 : 1] + " decides"
                                    : play.Rulings().initiative_tie_reroll
                                        ? "a tie, thrown again"
                                        : "a tie, " + s.setup->sides[0] + " decides"));
    if (a == b && !play.Rulings().initiative_tie_reroll) winner = 0;
  }
  const bool goes_first = play.Choose(winner, {"first", "second"},
                                      "does " + s.setup->sides[static_cast<std::size_t>(winner)] +
                                          " move first or second?",
                                      "CF-9.1") == 0;
  const int first = goes_first ? winner : 1 - winner;
  play.SetGame(What::kFirst, first);
  play.SetGame(What::kInitiative, play.Rulings().initiative_roll_winner ? winner : first);
  Open(play, Phase::kArtillery, first);
}

// Puts a unit or a leader where the camera saw it before the battle.
void Deploy(Play& play, const ParsedLine& words) {
  const State& s = play.Now();
  const bool begun = std::any_of(s.units.begin(), s.units.end(), [](const Unit& unit) {
    return unit.fire.fired || unit.march.moved;
  });
  play.Require(s.turn == 1 && s.phase <= Phase::kArtillery && !begun, "CF-3.3",
               "troops can be deployed only before the first fire or move of turn 1", false);
  const Vec2 at{words.numbers[0], words.numbers[1]};
  play.Require(!play.Measure().OffTable(at), "CF-12.4", "that place is off the table", false);
  if (words.units.empty()) {
    const int leader = words.leaders[0];
    play.SetLeader(leader, By::kX, Milli(at.x));
    play.SetLeader(leader, By::kY, Milli(at.y));
    play.Tell("CF-3.3",
              fmt::format("{} stands at ({:.0f}, {:.0f}).", play.LeaderName(leader), at.x, at.y));
    return;
  }
  const int unit = words.units[0];
  play.Require(At(s, unit).OnTable() && words.numbers.size() > 2, "CF-3.3",
               "give X Y FACING for a unit that is on the table", false);
  const Formation now = At(s, unit).body.formation;
  const Formation to = words.Has("line")       ? Formation::kLine
                       : words.Has("march")    ? Formation::kMarch
                       : words.Has("assault")  ? Formation::kAssault
                       : words.Has("unformed") ? Formation::kUnformed
                                               : now;
  play.Require(
      to == now || (IsFormed(s, unit) && to != Formation::kUnformed), "CF-10.5",
      [&] { return play.Name(unit) + " cannot take that formation"; }, false);
  const int files = words.numbers.size() > 3 ? static_cast<int>(words.numbers[3]) : 0;
  const Formation as = to == Formation::kMarch || to == Formation::kAssault ? to : Formation::kLine;
  std::vector<Base> there;
  for (const BaseState& base : Arranged(s, unit, as, at, words.numbers[2], files))
    there.push_back(ToBase(s, unit, base));
  // The camera may see touching neighbours overlap by its error: move the unit beside them.
  const Field field = play.Measure();
  constexpr double kNudge_yd = 0.1, kMost_yd = 2;
  for (double nudged = 0; nudged < kMost_yd; nudged += kNudge_yd) {
    const std::optional<int> on = InTheWay(field, unit, there);
    if (!on) break;
    Vec2 middle;
    for (const Base& base : there)
      middle = middle + base.centre / static_cast<double>(there.size());
    there = ShiftedBases(there, open_table::BearingTo(field.Centre(*on), middle), kNudge_yd);
  }
  RequireRoom(play, unit, there, "CF-3.3");
  play.PlaceBases(unit, there);
  play.Set(unit, Of::kFromX, 0);
  play.Set(unit, Of::kFromY, 0);
  play.Set(unit, Of::kFormation, to);
  if (const auto fault = SetUpFault(s, unit))
    play.Require(false, fault->clause, [&] { return fault->because; });
  const Vec2 centre = play.Measure().Centre(unit);
  play.Set(unit, Of::kOrderX, Milli(centre.x));
  play.Set(unit, Of::kOrderY, Milli(centre.y));
  play.Tell("CF-3.3", fmt::format("{} stands at ({:.0f}, {:.0f}), {}.", play.Name(unit), at.x, at.y,
                                  FormationName(to)));
}

void Execute(Play& play, const ParsedLine& words) {
  const State& s = play.Now();
  play.Require(s.phase != Phase::kOver, "CF-3.8", "the game is over", false);
  if (words.verb == "end") {
    play.SetGame(What::kPhase, static_cast<int>(Phase::kOver));
    play.Tell("CF-3.8", "The players end the game.");
    return;
  }
  if (words.verb == "deploy") return Deploy(play, words);
  if (words.verb == "doubt") {
    const int unit = words.units[0];
    // 100 yd is five inches. A larger error would be no measurement.
    play.Require(words.numbers[0] >= 0 && words.numbers[0] <= 100, "CF-1.3",
                 "the doubt about a place must be between 0 and 100 yd", false);
    play.Set(unit, Of::kDoubtMilliYd, Milli(words.numbers[0]));
    play.Tell("CF-1.3", fmt::format("The place of {} is known to {:g} yd (one sigma).",
                                    play.Name(unit), words.numbers[0]));
    return;
  }
  if (words.verb == "initiative") return Initiative(play);
  play.Require(s.phase != Phase::kInitiative, "CF-9.1", "throw for initiative first: `initiative`",
               false);
  if (words.verb == "done") return Done(play, words.side);
  if (words.verb == "reveal") {
    const int unit = words.units[0];
    play.Require(
        At(s, unit).body.presence == Presence::kHidden, "CF-3.3",
        [&] { return play.Name(unit) + " is not hidden"; }, false);
    play.Set(unit, Of::kPresence, Presence::kOnTable);
    play.Tell("CF-3.3", play.Name(unit) + " is revealed.");
    return;
  }
  if (PlayFire(play, words) || PlayCommand(play, words) || PlayMove(play, words) ||
      PlayCharge(play, words))
    return;
  play.Require(
      false, "CF-9.2",
      [&] { return "`" + words.verb + "` answers a question, but the game has asked none"; },
      false);
}

// A declaration carried out as far as its answers go.
struct Carried {
  State after;
  std::optional<Refusal> refused;
  std::vector<Event> told;  // those that are not in the game yet
  bool undone = false;      // what it did has no effect: `after` is not the state
  std::optional<Ask> ask;
  std::shared_ptr<const Kept> kept;
};

constexpr std::size_t kUsualEvents = 8;  // of a declaration

// Runs the declaration on out.after.
// told  where its events go
// last  how many events there were after the last answer, when it was one that was given before
void Run(Play& play, const ParsedLine& words, std::vector<Event>& told,
         std::optional<std::size_t> last, Carried& out) {
  const std::vector<Answer>& answers = play.Answers();
  try {
    Execute(play, words);
    if (!answers.empty() || out.after.phase == Phase::kMovement) RevealSeen(play);
  } catch (NeedsAnswer& needs) {
    out.ask = std::move(needs.ask);
    out.kept = play.LastKept();
  } catch (NotAllowed& refused) {
    if (answers.empty() || answers.back().choice < 0) {
      out.refused = std::move(refused.refusal);
      return;
    }
    // The players' ruling makes the declaration illegal: it has no effect.
    told.resize(last.value_or(play.AtLastAnswer()));
    out.undone = true;
    Event told_so;
    told_so.clause = std::move(refused.refusal.clause);
    told_so.text = "The declaration is not allowed: " + refused.refusal.because + ".";
    told.push_back(std::move(told_so));
  }
}

// known  how many of its events are already in the game
// from   where an earlier run of it got to, if anywhere
Carried Carry(const State& start, const Action& declared, std::vector<Answer> answers,
              std::size_t known, const std::shared_ptr<const Kept>& from) {
  FOS_CHECK(!from || known >= from->told);
  const std::size_t again = known - (from ? from->told : 0);  // events that this run repeats
  Carried out;
  out.after = from ? from->at : start;
  Play play(out.after, out.told, std::move(answers), declared.overrule, from);
  out.told.reserve(kUsualEvents);
  Run(play, declared.words, out.told, again, out);
  if (out.refused) return out;
  FOS_CHECK(out.told.size() >= again);
  out.told.erase(out.told.begin(), out.told.begin() + static_cast<std::ptrdiff_t>(again));
  return out;
}

bool IsAnswer(const Action& action) {
  return action.words.verb == "dice" || action.words.verb == "draw" ||
         action.words.verb == "choose";
}

// Whether it is the time for a declaration, or for an answer.
std::optional<Refusal> NotNow(const State& s, bool answer) {
  if (s.waiting && !answer)
    return Refusal{s.waiting->ask.clause, "answer this first: " + s.waiting->ask.sentence, false};
  if (!s.waiting && answer) return Refusal{"CF-9.2", "the game has asked nothing", false};
  return std::nullopt;
}

}  // namespace

void BeginTurn(Play& play) {
  const State& s = play.Now();
  play.SetGame(What::kTurn, s.turn + 1);
  if (s.turn == 1 && s.setup->battle == Battle::kAttack) {
    const int attacker = s.setup->attacker;
    play.SetGame(What::kFirst, attacker);
    play.SetGame(What::kInitiative, attacker);
    play.Tell("CF-9.1", fmt::format("Turn 1: {} attacks and goes first.",
                                    s.setup->sides[static_cast<std::size_t>(attacker)]));
    Open(play, Phase::kArtillery, attacker);
    return;
  }
  play.SetGame(What::kPhase, static_cast<int>(Phase::kInitiative));
  play.Tell("CF-9.1", fmt::format("Turn {}: initiative.", s.turn));
}

std::optional<Refusal> RefusalOf(const State& state, const Action& action) {
  const bool answers = IsAnswer(action);
  if (auto refusal = NotNow(state, answers)) return refusal;
  if (!answers) return Carry(state, action, {}, 0, nullptr).refused;
  State trial = state;
  std::vector<Event> events;
  return Act(trial, action, events);
}

namespace {

Event Beginning(const Action& action) {
  Event out;
  out.what = What::kBegins;
  out.text = action.line;
  return out;
}
Event Ending() {
  Event out;
  out.what = What::kEnds;
  return out;
}

}  // namespace

std::optional<Refusal> Act(State& state, const Action& action, std::vector<Event>& events) {
  const bool answers = IsAnswer(action);
  if (auto refusal = NotNow(state, answers)) return refusal;
  Event first;
  std::size_t known = 0;
  Carried carried;
  if (answers) {
    first.what = What::kAnswered;
    if (auto bad = BadAnswer(state, action.words, first.answer)) return bad;
    const Waiting& waiting = *state.waiting;
    std::vector<Answer> all = waiting.answers;
    all.push_back(first.answer);
    known = waiting.told;
    carried = Carry(*waiting.start, ParseLine(*waiting.start, waiting.line), std::move(all), known,
                    waiting.kept);
  } else {
    first = Beginning(action);
    carried = Carry(state, action, {}, 0, nullptr);
  }
  if (carried.refused) return carried.refused;
  const auto emit = [&](Event e) {
    ApplyTo(state, e);
    events.push_back(std::move(e));
  };
  emit(std::move(first));
  const std::size_t told = known + carried.told.size();
  for (Event& event : carried.told) emit(std::move(event));
  emit(carried.ask ? WaitingFor(std::move(*carried.ask), told) : Ending());
  if (carried.ask) state.waiting->kept = std::move(carried.kept);
  return std::nullopt;
}

std::optional<Refusal> ActToItsEnd(State& state, const Action& action, const Chooser& choose,
                                   std::vector<Event>& events) {
  FOS_CHECK(!IsAnswer(action));
  if (auto refusal = NotNow(state, false)) return refusal;
  std::uint64_t generator = state.generator;
  const Answering answering = [&](const Ask& ask) {
    Answer answer;
    if (ask.choices.empty()) {
      answer = DrawnFor(ask, generator, state.Rulings());
      generator = answer.generator;
    } else {
      answer.choice = choose(ask);
    }
    return answer;
  };
  // The events as Act gives them, line by line.
  const std::size_t before = events.size();
  events.push_back(Beginning(action));
  Carried carried;
  carried.after = state;
  Play play(carried.after, events, &answering, action.overrule);
  Run(play, action.words, events, std::nullopt, carried);
  if (carried.refused) {
    events.resize(before);
    return carried.refused;
  }
  if (carried.undone) {
    for (std::size_t i = before + 1; i < events.size(); ++i)
      if (events[i].what != What::kWaits && events[i].what != What::kAnswered)
        ApplyTo(state, events[i]);
  } else {
    state = std::move(carried.after);
  }
  state.generator = generator;
  events.push_back(Ending());
  return std::nullopt;
}

Action Rules::AsThrown(const Action& action, const std::vector<Event>& events) {
  if (action.words.verb != "draw") return action;
  for (const Event& event : events) {
    if (event.what != What::kAnswered) continue;
    Action out;
    out.words.verb = "dice";
    out.line = "dice";
    for (const std::int8_t die : event.answer.dice) {
      out.words.numbers.push_back(die);
      out.line += fmt::format(" {}", static_cast<int>(die));
    }
    out.words.flags = {"drawn", fmt::format("{}", event.answer.generator)};
    out.line += " drawn " + out.words.flags[1];
    return out;
  }
  return action;
}

std::string Rules::ToText(const Event& event) { return EventToJson(event); }

}  // namespace fos::closefire
