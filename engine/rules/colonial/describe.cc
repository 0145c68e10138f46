// SPDX-License-Identifier: MIT
#include "engine/rules/colonial/describe.h"

#include <algorithm>

#include <fmt/format.h>

#include "engine/rules/colonial/combat.h"
#include "engine/rules/colonial/query.h"
#include "engine/table/counted.h"

namespace fos::colonial {
namespace {

std::string Joined(const State& s, const std::vector<PieceNo>& stands) {
  std::string out;
  for (const PieceNo i : stands) out += (out.empty() ? "" : " and ") + StandAndKind(s, i);
  return out;
}

std::string StandsInWords(int count) { return Counted(count, "stand"); }

// The last sentence of a battle: losses, points, and the winner if the scenario names one.
std::string DescribeEnding(const State& s, const Ending& ending) {
  const auto lost = [&](int side) {
    const Losses losses = LossesOf(s, side);
    return fmt::format("{} lost {} worth {}", SideName(s, side), StandsInWords(losses.stands),
                       Counted(losses.points, "point"));
  };
  std::string out = fmt::format("The battle is over: {}, {}", lost(0), lost(1));
  if (s.setup->count_points)
    out += fmt::format("; {} {}, {} {}", SideName(s, 0), ending.points[0], SideName(s, 1),
                       ending.points[1]);
  if (ending.winner >= 0) return out + fmt::format("; {} has won.", SideName(s, ending.winner));
  return out + (s.setup->count_points ? "; it is a draw." : "; the scenario says who has won.");
}

struct Citer {
  std::string operator()(const Noted& e) const { return e.note.clause; }
  std::string operator()(const ArmyPointsThrown&) const { return "COL-2.3"; }
  std::string operator()(const LeftOut&) const { return "COL-2.3"; }
  std::string operator()(const GeneralRated&) const { return "COL-2.6"; }
  std::string operator()(const InitiativeWon&) const { return "COL-3.2"; }
  std::string operator()(const ActivationsThrown&) const { return "COL-3.3"; }
  std::string operator()(const Activated& e) const {
    return e.stands.size() == 2 ? "COL-3.4" : "COL-3.3";
  }
  std::string operator()(const Moved& e) const {
    return e.path.empty() ? "COL-5.9" : e.by_road ? "COL-5.7" : "COL-5.1";
  }
  std::string operator()(const Remounted&) const { return "COL-5.13"; }
  std::string operator()(const CombatBegan& e) const {
    return e.combat.close ? "COL-8.9" : "COL-7.4";
  }
  std::string operator()(const CombatScored& e) const {
    switch (e.outcome) {
      case Outcome::kIneffective:
        return "COL-9.1";
      case Outcome::kTie:
        return "COL-9.2";
      case Outcome::kDestroyed:
        return 2 * e.scores[1] == e.scores[0] ? "COL-9.5" : "COL-9.4";
      case Outcome::kWithdraw:
        break;
    }
    return 2 * e.scores[1] == e.scores[0] ? "COL-9.5" : "COL-9.3";
  }
  std::string operator()(const TieThrown&) const { return "COL-9.2"; }
  std::string operator()(const Withdrew&) const { return "COL-5.11"; }
  std::string operator()(const StandLost& e) const {
    return e.cause == LossCause::kNoWayBack ? "COL-5.12" : "COL-9.4";
  }
  std::string operator()(const SideDone&) const { return "COL-3.5"; }
  std::string operator()(const Overruled& e) const { return e.clause; }
  std::string operator()(const GameEnded&) const { return "COL-3.1"; }
  template <typename T>
  std::string operator()(const T&) const {
    return {};
  }
};

class Teller {
 public:
  explicit Teller(const State& s) : s_(s) {}

  std::string operator()(const Noted& e) const {
    return fmt::format("Note: {} ({}).", e.note.text, e.note.clause);
  }
  std::string operator()(const Asked& e) const {
    State asking = s_;
    asking.ask = e.ask;
    return "Next: " + DescribeAsk(asking) + ".";
  }
  std::string operator()(const DiceThrown& e) const {
    return fmt::format("Dice: {}.", fmt::join(e.dice, " "));
  }
  std::string operator()(const ArmyPointsThrown& e) const {
    return fmt::format("The army of {} has {} points.", SideName(s_, e.side), e.points);
  }
  std::string operator()(const LeftOut& e) const {
    return fmt::format("{} is left out of the army.", StandAndKind(s_, e.stand));
  }
  std::string operator()(const Mustered& e) const {
    return fmt::format("The army of {} is complete.", SideName(s_, e.side));
  }
  std::string operator()(const GeneralRated& e) const {
    return fmt::format("The General of {} is {} (value {}).", NameOf(s_, e.stand),
                       RatingName(e.rating), s_.At(e.stand).value);
  }
  std::string operator()(const TurnBegan& e) const { return fmt::format("Turn {}.", e.turn); }
  std::string operator()(const InitiativeWon& e) const {
    return e.side < 0 ? "Equal dice: throw again for the initiative."
                      : SideName(s_, e.side) + " has the initiative.";
  }
  std::string operator()(const ActivationsThrown& e) const {
    return fmt::format(
        "{} may activate {}.", SideName(s_, e.side),
        e.count == 1 ? "1 stand or pair" : fmt::format("{} stands or pairs", e.count));
  }
  std::string operator()(const Activated& e) const {
    return fmt::format("{} {} activated; {} left.", Joined(s_, e.stands),
                       e.stands.size() == 1 ? "is" : "are", s_.left);
  }
  std::string operator()(const Moved& e) const {
    const std::string who = StandAndKind(s_, e.stand);
    if (e.path.empty())
      return fmt::format("{} in {} faces {}.", who, Where(s_.At(e.stand).cell),
                         FacingName(e.facing));
    std::string path;
    for (const Cell cell : e.path) path += (path.empty() ? "" : ", ") + Where(cell);
    return fmt::format("{} moves to {} ({}{}) and faces {}.", who, path, Squares(e.cost),
                       e.by_road ? ", by road" : "", FacingName(e.facing));
  }
  std::string operator()(const Remounted& e) const {
    const bool mounted = s_.TypeOf(e.stand).arm == Arm::kCavalry;
    return fmt::format("{} {}.", StandAndKind(s_, e.stand), mounted ? "mounts" : "dismounts");
  }
  std::string operator()(const CombatBegan& e) const {
    const Combat& combat = e.combat;
    const auto sum = [&](int who) {
      std::string out = "D12";
      for (const Item& item : combat.items)
        if (item.who == who)
          out += fmt::format(", {} ({})", DescribeItem(s_, combat, item), ClauseOfMod(item.what));
      return out;
    };
    return fmt::format("{} {} {}: {}: {}; {}: {}.", StandAndKind(s_, combat.initiator),
                       combat.close ? "attacks" : "fires at", StandAndKind(s_, combat.target),
                       NameOf(s_, combat.initiator), sum(0), NameOf(s_, combat.target), sum(1));
  }
  std::string operator()(const CombatScored& e) const {
    const auto outcome = [&]() -> std::string {
      const std::string enemy = StandAndKind(s_, s_.combat->target);
      switch (e.outcome) {
        case Outcome::kIneffective:
          return "lower, no effect";
        case Outcome::kTie:
          return "equal, throw again for the lower to withdraw";
        case Outcome::kDestroyed:
          return fmt::format("{} half of {}: {} is destroyed",
                             2 * e.scores[1] == e.scores[0] ? "exactly" : "less than", e.scores[0],
                             enemy);
        case Outcome::kWithdraw:
          break;
      }
      return fmt::format("lower, but {} half: {} must withdraw",
                         2 * e.scores[1] == e.scores[0] ? "exactly" : "above", enemy);
    };
    const auto sum = [&](std::size_t who) {
      return fmt::format("{} {:+} = {}", e.dice[who], e.scores[who] - e.dice[who], e.scores[who]);
    };
    return fmt::format("{} {}, {} {}: {} ({}).", StandAndKind(s_, s_.combat->initiator), sum(0),
                       StandAndKind(s_, s_.combat->target), sum(1), outcome(), Citer{}(e));
  }
  std::string operator()(const TieThrown& e) const {
    return e.loser == kNoPiece ? "Equal again: throw again."
                               : StandAndKind(s_, e.loser) + " must withdraw.";
  }
  std::string operator()(const Withdrew& e) const {
    if (e.path.empty()) return StandAndKind(s_, e.stand) + " stays where it is.";
    const std::string turned = s_.Rulings().withdraw_keeps_facing
                                   ? std::string()
                                   : fmt::format(" and faces {}", FacingName(e.facing));
    return fmt::format("{} withdraws to {}{} ({}).", StandAndKind(s_, e.stand),
                       Where(e.path.back()), turned, Citer{}(e));
  }
  std::string operator()(const StandLost& e) const {
    return fmt::format("{} is {} ({}, {}).", StandAndKind(s_, e.stand), CauseName(e.cause),
                       Where(s_.At(e.stand).cell), Citer{}(e));
  }
  std::string operator()(const SideDone& e) const {
    return e.unused == 0 ? SideName(s_, e.side) + " ends its activations."
                         : fmt::format("{} ends its activations; {} unused.", SideName(s_, e.side),
                                       e.unused == 1 ? "1 activation is"
                                                     : fmt::format("{} activations are", e.unused));
  }
  std::string operator()(const Overruled& e) const {
    return fmt::format("The players overrule {}: {}.", e.clause, e.because);
  }
  std::string operator()(const GameEnded& e) const { return DescribeEnding(s_, e.ending); }
  template <typename T>
  std::string operator()(const T&) const {
    return {};
  }

 private:
  std::string Where(Cell cell) const { return s_.setup->CellName(cell); }
  const State& s_;
};

}  // namespace

std::string_view CauseName(LossCause cause) {
  switch (cause) {
    case LossCause::kFire:
      return "destroyed by fire";
    case LossCause::kCloseCombat:
      return "destroyed in close combat";
    case LossCause::kNoWayBack:
      break;
  }
  return "destroyed because it had no way to withdraw";
}

std::string Describe(const State& s, const Event& event) { return std::visit(Teller(s), event); }
std::string ClauseOf(const State&, const Event& event) { return std::visit(Citer{}, event); }

std::string DescribeTable(const State& s) {
  std::string out = fmt::format("Turn {} of {}, {}.\n", s.turn, s.setup->turns, PhaseName(s.phase));
  for (int side = 0; side < 2; ++side) {
    const Losses losses = LossesOf(s, side);
    out += fmt::format("{}: lost {} worth {}", SideName(s, side), StandsInWords(losses.stands),
                       Counted(losses.points, "point"));
    if (s.phase == Phase::kActing && s.acting == side)
      out += fmt::format("; {} {} left", s.left, s.left == 1 ? "activation" : "activations");
    out += '\n';
    for (std::size_t n = 0; n < s.stands.size(); ++n) {
      const Stand& stand = s.stands[n];
      if (stand.side != side || !OnTable(stand)) continue;
      out += fmt::format("  {:<10} {:<20} value {} in {}{} facing {}{}\n",
                         NameOf(s, static_cast<PieceNo>(n)), s.TypeOf(stand).name, stand.value,
                         s.setup->CellName(stand.cell), stand.rear ? " (rear)" : "",
                         FacingName(stand.facing), stand.activated ? ", activated" : "");
    }
  }
  for (const squares::Objective& objective : s.setup->objectives) {
    const int holder = HolderOf(s, objective);
    out += fmt::format("{} ({}): held by {}\n", objective.name, Counted(objective.points, "point"),
                       holder < 0 ? "nobody" : SideName(s, holder));
  }
  if (s.ending) out += DescribeEnding(s, *s.ending) + '\n';
  return out;
}

}  // namespace fos::colonial
