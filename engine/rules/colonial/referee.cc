// SPDX-License-Identifier: MIT
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "engine/game/refuse.h"
#include "engine/rules/colonial/action.h"
#include "engine/rules/colonial/combat.h"
#include "engine/rules/colonial/legal.h"
#include "engine/rules/colonial/movement.h"
#include "engine/rules/colonial/query.h"
#include "engine/rules/colonial/reading.h"
#include "engine/squares/referee_base.h"

// The turn sequence (section 3): takes one declaration, then continues until the players must act
// again.
namespace fos::colonial {
namespace {

using squares::MaybeRefusal;

class Referee : public squares::RefereeBase<State, Event> {
 public:
  using RefereeBase::RefereeBase;

  // After a refusal the state must not be used.
  MaybeRefusal Take(const Action& action) {
    overrule_ = action.overrule;
    if (s_.phase == Phase::kOver) return Impossible("COL-3.1", "the battle is over");
    if (!s_.notes_told) TellNotes();
    MaybeRefusal refusal = std::visit([this](const auto& a) { return On(a); }, action.what);
    if (!refusal) Continue();
    return refusal;
  }
  void Continue();

 private:
  void AskFor(Want what, int side, int count, int faces, PieceNo about = kNoPiece) {
    Emit(Asked{{what, static_cast<std::int8_t>(side), static_cast<std::int8_t>(count),
                static_cast<std::int16_t>(faces), about}});
  }
  void TellNotes() {
    for (Note& note : NotesAtStart(*s_.setup)) Emit(Noted{std::move(note)});
    Emit(NotesTold{});
  }
  MaybeRefusal Ready() const;
  MaybeRefusal CheckNames(const std::vector<PieceNo>& stands) const;
  MaybeRefusal MakeActive(const std::vector<PieceNo>& stands);

  MaybeRefusal On(const GiveDice& a);
  MaybeRefusal On(const Draw& a);
  MaybeRefusal On(const LeaveOut& a);
  MaybeRefusal On(const Activate& a);
  MaybeRefusal On(const Move& a);
  MaybeRefusal On(const Remount& a);
  MaybeRefusal On(const Fight& a);
  MaybeRefusal On(const Back& a);
  MaybeRefusal On(const Seen& a);
  MaybeRefusal SeenPair(const Seen& a);
  MaybeRefusal On(const Measured& a);
  MaybeRefusal On(const Done& a);

  void TakeDice(const std::vector<std::int16_t>& dice, std::uint64_t generator);
  void Score(int initiator_die, int enemy_die);
  void BreakTie(int initiator_die, int enemy_die);
  void BeginWithdrawal(PieceNo loser);
  void Lose(PieceNo loser, LossCause cause);
  PieceNo RearOf(PieceNo front) const {
    return s_.At(front).rear ? kNoPiece : PartnerOf(s_, front);
  }
  void TellAlone(PieceNo rear);
  void CarryOut(PieceNo loser, const std::vector<Cell>& path, bool in_front);
  void FinishCombat();
  bool AskForArmies();
  bool AskForGeneral();
  void EndIfUsedUp();
  void EndSide();
  void EndGame(bool wiped_out);
  bool HasStands(int side) const {
    return std::any_of(s_.stands.begin(), s_.stands.end(),
                       [&](const Stand& x) { return x.side == side && OnTable(x); });
  }
};

// COL-9.6: the game goes on only after the awaited dice or choice.
MaybeRefusal Referee::Ready() const {
  if (!s_.Waiting()) return std::nullopt;
  const bool table = s_.ask.what == Want::kWithdrawal;
  return Impossible(table ? "COL-9.6" : ClauseOfAsk(s_.ask.what),
                    "do this first: " + DescribeAsk(s_));
}

MaybeRefusal Referee::CheckNames(const std::vector<PieceNo>& stands) const {
  for (const PieceNo i : stands)
    if (!ValidStand(s_, i)) return Impossible("COL-1.5", "there is no such stand");
  return std::nullopt;
}

// Activates the stands unless they are active already (COL-3.3, COL-3.4).
MaybeRefusal Referee::MakeActive(const std::vector<PieceNo>& stands) {
  const auto active =
      std::count_if(stands.begin(), stands.end(), [&](PieceNo i) { return s_.At(i).activated; });
  for (const PieceNo i : stands) {
    if (!OnTable(s_.At(i)))
      return Impossible("COL-9.4", StandAndKind(s_, i) + " is not on the table");
    if (s_.phase != Phase::kActing || s_.At(i).side != s_.acting)
      return Impossible(
          "COL-3.5", fmt::format("it is not the turn of {} to act", SideName(s_, s_.At(i).side)));
  }
  if (active == static_cast<long>(stands.size())) return std::nullopt;
  if (active > 0)
    return Impossible("COL-3.4", "one of the two is already activated: activate the other alone");
  if (auto refusal = Settle(ActivationFault(s_, stands))) return refusal;
  const bool free =
      !s_.Rulings().command_needs_activation &&
      std::all_of(stands.begin(), stands.end(), [&](PieceNo i) { return IsCommand(s_, s_.At(i)); });
  Emit(Activated{stands, static_cast<std::int8_t>(free || s_.left == 0 ? 0 : 1)});
  return std::nullopt;
}

// COL-3.3: a side's activations end when the number is used up or every stand has been activated.
// The last stand may still act until the next dice are thrown.
void Referee::EndIfUsedUp() {
  if (s_.Waiting() || s_.phase != Phase::kActing) return;
  const bool all = std::all_of(s_.stands.begin(), s_.stands.end(), [&](const Stand& stand) {
    return stand.side != s_.acting || !OnTable(stand) || stand.activated;
  });
  if (s_.left > 0 && !all) return;
  EndSide();
  Continue();
}

// COL-1.1.
MaybeRefusal Referee::On(const GiveDice& a) {
  EndIfUsedUp();
  if (!s_.Waiting() || s_.ask.count == 0) return Impossible("COL-3.5", "no dice are needed now");
  for (const std::int16_t die : a.dice)
    if (die < 1 || die > s_.ask.faces)
      return Impossible("COL-1.1", fmt::format("a D{} has no face {}", s_.ask.faces, die));
  if (static_cast<int>(a.dice.size()) != s_.ask.count)
    return Impossible(ClauseOfAsk(s_.ask.what),
                      fmt::format("{} {} given: {}", a.dice.size(),
                                  a.dice.size() == 1 ? "die" : "dice", DescribeAsk(s_)));
  TakeDice(a.dice, a.generator.value_or(s_.generator.state));
  return std::nullopt;
}

MaybeRefusal Referee::On(const Draw&) {
  EndIfUsedUp();
  if (!s_.Waiting() || s_.ask.count == 0) return Impossible("COL-3.5", "no dice are needed now");
  Generator generator = s_.generator;
  std::vector<std::int16_t> dice;
  for (int i = 0; i < s_.ask.count; ++i)
    dice.push_back(static_cast<std::int16_t>(generator.Die(s_.ask.faces)));
  TakeDice(dice, generator.state);
  return std::nullopt;
}

void Referee::TakeDice(const std::vector<std::int16_t>& dice, std::uint64_t generator) {
  const Ask ask = s_.ask;
  Emit(DiceThrown{dice, generator});
  switch (ask.what) {
    case Want::kArmyDice: {  // COL-2.3
      int points = 0;
      for (const std::int16_t die : dice) points += die;
      Emit(ArmyPointsThrown{ask.side, static_cast<std::int16_t>(points)});
      break;
    }
    case Want::kGeneralDie:  // COL-2.6
      if (const auto rating = RatingOf(s_.Book(), s_.Rulings(), dice[0]))
        Emit(GeneralRated{ask.about, *rating});
      break;
    case Want::kInitiativeDice: {  // COL-3.2
      const int side = dice[0] == dice[1] ? -1 : (dice[0] > dice[1] ? 0 : 1);
      Emit(InitiativeWon{static_cast<std::int8_t>(side)});
      if (side >= 0) Emit(PhaseBegan{Phase::kActivationDie, s_.first});
      break;
    }
    case Want::kActivationDie: {  // COL-3.3
      const std::int8_t side = s_.acting;
      Emit(PhaseBegan{Phase::kActing, side});
      Emit(ActivationsThrown{side, dice[0]});
      break;
    }
    case Want::kCombatDice:
      Score(dice[0], dice[1]);
      break;
    case Want::kTieDice:
      BreakTie(dice[0], dice[1]);
      break;
    case Want::kWithdrawal:
    case Want::kNothing:
      break;
  }
}

// COL-2.3: stands that the points do not pay for.
MaybeRefusal Referee::On(const LeaveOut& a) {
  if (auto refusal = Ready()) return refusal;
  if (auto refusal = CheckNames({a.stand})) return refusal;
  if (s_.phase != Phase::kMuster)
    return Impossible("COL-2.3", "stands can be left out only while armies by dice are mustered");
  const Stand& stand = s_.At(a.stand);
  if (s_.mustered[static_cast<std::size_t>(stand.side)])
    return Impossible("COL-2.3", SideName(s_, stand.side) + " has already mustered its army");
  if (!OnTable(stand))
    return Impossible("COL-2.3", StandAndKind(s_, a.stand) + " is already left out");
  if (IsCommand(s_, stand))
    return Impossible("COL-2.4", "an army cannot leave out its Command stand, which is free");
  Emit(LeftOut{a.stand});
  return std::nullopt;
}

MaybeRefusal Referee::On(const Activate& a) {
  if (auto refusal = Ready()) return refusal;
  if (auto refusal = CheckNames(a.stands)) return refusal;
  for (const PieceNo i : a.stands)
    if (s_.At(i).activated && s_.At(i).side == s_.acting)
      return Impossible("COL-4.2", StandAndKind(s_, i) + " has already been activated this turn");
  if (a.stands.empty()) return Impossible("COL-3.4", "name the stand");
  return MakeActive(a.stands);
}

// COL-4.1, COL-5.9.
MaybeRefusal Referee::On(const Move& a) {
  if (auto refusal = Ready()) return refusal;
  if (auto refusal = CheckNames(a.stands)) return refusal;
  if (a.stands.empty() || a.stands.size() > 2 || a.paths.size() != a.stands.size() ||
      (a.stands.size() == 2 && a.stands[0] == a.stands[1]))
    return Impossible("COL-3.4", "move one stand, or the two stands of one square together");
  if (auto refusal = MakeActive(a.stands)) return refusal;
  struct Mover {
    PieceNo stand;
    Cell end;
    Facing facing;
    MoveCost cost;
  };
  std::vector<Mover> movers;
  for (std::size_t n = 0; n < a.stands.size(); ++n) {
    const PieceNo i = a.stands[n];
    const Stand& stand = s_.At(i);
    if (auto refusal = Settle(TimeToMove(s_, i))) return refusal;
    Mover mover{i,
                a.paths[n].empty() ? stand.cell : a.paths[n].back(),
                a.facing.value_or(stand.facing),
                {}};
    if (auto refusal = PathFault(s_, i, a.paths[n], mover.facing, mover.cost))
      if ((refusal = Settle(refusal))) return refusal;
    movers.push_back(mover);
  }
  const bool together = movers.size() == 2 && movers[0].end == movers[1].end;
  if (!together && !MayLeavePartner(s_, a.stands.front()))
    if (auto refusal =
            Settle(Refuse("COL-3.4", "a pair that was activated together must move together")))
      return refusal;
  if (together) {
    if (movers[0].facing != movers[1].facing)
      return Refuse("COL-1.3", "two stands in a square must face the same way");
    if (auto refusal = Settle(ArrivalFault(s_, a.stands, movers[0].end, movers[0].facing)))
      return refusal;
  } else {
    for (const Mover& mover : movers) {
      const Mover& other = mover.stand == movers.front().stand ? movers.back() : movers.front();
      if (auto refusal =
              Settle(ArrivalFault(s_, {mover.stand}, mover.end, mover.facing, other.stand)))
        return refusal;
    }
  }
  for (std::size_t n = 0; n < movers.size(); ++n) {
    const Mover& mover = movers[n];
    const Stand& stand = s_.At(mover.stand);
    const bool stays = mover.end == stand.cell;
    // Two stands that move together end in the order named. A stand that joins a friend ends behind
    // it.
    bool rear = stays ? stand.rear && !a.in_front : !a.in_front;
    if (together) rear = n == 1;
    Emit(Moved{mover.stand, a.paths[n], mover.facing, rear, mover.cost.by_road,
               static_cast<std::int16_t>(mover.cost.cost)});
  }
  return std::nullopt;
}

// COL-5.13.
MaybeRefusal Referee::On(const Remount& a) {
  if (auto refusal = Ready()) return refusal;
  if (auto refusal = CheckNames({a.stand})) return refusal;
  if (auto refusal = MakeActive({a.stand})) return refusal;
  if (auto refusal = Settle(RemountFault(s_, a.stand, a.mounted))) return refusal;
  const int type = a.mounted ? s_.setup->stands[static_cast<std::size_t>(a.stand)].mounted_type
                             : s_.Book().TypeOf("dismounted_cavalry");
  Emit(Remounted{a.stand, static_cast<std::int8_t>(type)});
  return std::nullopt;
}

MaybeRefusal Referee::On(const Fight& a) {
  if (auto refusal = Ready()) return refusal;
  if (auto refusal = CheckNames({a.stand})) return refusal;
  if (auto refusal = MakeActive({a.stand})) return refusal;
  if (auto refusal = Settle(InitiationFault(s_, a.stand))) return refusal;
  PieceNo target = a.target;
  if (target == kNoPiece) {
    if (a.cell < 0 || a.cell >= s_.setup->board.Cells())
      return Impossible("COL-6.1", "there is no such square");
    const std::vector<PieceNo> targets = TargetsIn(s_, a.stand, a.cell);
    if (targets.empty())
      return Impossible("COL-6.1", "there is no enemy in " + s_.setup->CellName(a.cell));
    if (targets.size() > 1)
      return Impossible("COL-6.2",
                        fmt::format("choose the stand: name {} or {}", StandAndKind(s_, targets[0]),
                                    StandAndKind(s_, targets[1])));
    target = targets.front();
  }
  if (auto refusal = CheckNames({target})) return refusal;
  if (auto refusal = Settle(TargetFault(s_, a.close, a.stand, target))) return refusal;
  Emit(CombatBegan{SumsOf(s_, a.close, a.stand, target)});
  AskFor(Want::kCombatDice, kBothSides, 2, s_.Book().combat_faces);
  return std::nullopt;
}

// COL-7.4, COL-8.2; COL-9.1, COL-9.3, COL-9.4.
void Referee::Score(int initiator_die, int enemy_die) {
  const Combat combat = *s_.combat;
  const int initiator = initiator_die + combat.bonus[0];
  const int enemy = enemy_die + combat.bonus[1];
  const Outcome outcome = OutcomeOf(s_.Book(), s_.Rulings(), initiator, enemy);
  Emit(
      CombatScored{{static_cast<std::int16_t>(initiator_die), static_cast<std::int16_t>(enemy_die)},
                   {static_cast<std::int16_t>(initiator), static_cast<std::int16_t>(enemy)},
                   outcome});
  switch (outcome) {
    case Outcome::kIneffective:
      return FinishCombat();
    case Outcome::kTie:
      return AskFor(Want::kTieDice, kBothSides, 2, s_.Book().combat_faces);
    case Outcome::kWithdraw:
      return BeginWithdrawal(combat.target);
    case Outcome::kDestroyed:
      return Lose(combat.target, combat.close ? LossCause::kCloseCombat : LossCause::kFire);
  }
}

// COL-9.2.
void Referee::BreakTie(int initiator_die, int enemy_die) {
  if (initiator_die == enemy_die) {
    Emit(TieThrown{kNoPiece});
    return AskFor(Want::kTieDice, kBothSides, 2, s_.Book().combat_faces);
  }
  const PieceNo loser = initiator_die < enemy_die ? s_.combat->initiator : s_.combat->target;
  Emit(TieThrown{loser});
  BeginWithdrawal(loser);
}

// COL-5.11, COL-5.12, COL-9.3.
void Referee::BeginWithdrawal(PieceNo loser) {
  const auto ways = Withdrawals(s_, loser);
  if (ways.empty()) return Lose(loser, LossCause::kNoWayBack);
  const bool alone = ways.front().empty() || Empty(s_, ways.front().back());
  if (ways.size() == 1 && alone) return CarryOut(loser, ways.front(), false);
  AskFor(Want::kWithdrawal, s_.At(loser).side, 0, 0, loser);
}

void Referee::CarryOut(PieceNo loser, const std::vector<Cell>& path, bool in_front) {
  const Stand& stand = s_.At(loser);
  const Facing facing =
      s_.Rulings().withdraw_keeps_facing ? stand.facing : squares::Opposite(stand.facing);
  const PieceNo rear = path.empty() ? kNoPiece : RearOf(loser);
  Emit(Withdrew{loser, path, facing, !in_front});
  TellAlone(rear);
  FinishCombat();
}

void Referee::Lose(PieceNo loser, LossCause cause) {
  const PieceNo rear = RearOf(loser);
  Emit(StandLost{loser, cause});
  TellAlone(rear);
  FinishCombat();
}

// COL-6.3: the rear stand of a pair whose front stand is gone.
void Referee::TellAlone(PieceNo rear) {
  if (rear != kNoPiece)
    Emit(Noted{{"COL-6.3", fmt::format("{} stands alone in {} from now on", StandAndKind(s_, rear),
                                       s_.setup->CellName(s_.At(rear).cell))}});
}

void Referee::FinishCombat() {
  Emit(CombatOver{});
  for (int side = 0; side < 2; ++side)
    if (s_.setup->end_when_wiped_out && !HasStands(side)) return EndGame(true);
}

// COL-5.11, COL-9.6.
MaybeRefusal Referee::On(const Back& a) {
  if (s_.ask.what != Want::kWithdrawal)
    return Impossible("COL-5.11", "no stand has to withdraw now");
  const PieceNo loser = s_.ask.about;
  const auto ways = Withdrawals(s_, loser);
  const auto end_of = [&](const auto& path) {
    return path.empty() ? s_.At(loser).cell : path.back();
  };
  std::string choice;
  for (const auto& path : ways) {
    if (a.cell == kNowhere || end_of(path) == a.cell) {
      CarryOut(loser, path, a.in_front);
      return std::nullopt;
    }
    choice += (choice.empty() ? "" : ", ") + s_.setup->CellName(end_of(path));
  }
  if (a.cell < 0 || a.cell >= s_.setup->board.Cells())
    return Impossible("COL-9.6", "there is no such square");
  const Cell from = s_.At(loser).cell;
  const bool too_far =
      DistanceBetween(s_, from, a.cell) > DistanceBetween(s_, from, end_of(ways.front()));
  return Impossible(
      "COL-9.6",
      fmt::format("{} is {}; {} can withdraw to {}", s_.setup->CellName(a.cell),
                  too_far ? "too far" : "not on its way back", StandAndKind(s_, loser), choice));
}

// COL-3.4: the camera saw a pair in another square. The first named stands in front.
MaybeRefusal Referee::SeenPair(const Seen& a) {
  if (auto refusal = CheckNames({a.rear})) return refusal;
  const std::string names = StandAndKind(s_, a.stand) + " and " + StandAndKind(s_, a.rear);
  if (s_.ask.what == Want::kWithdrawal)
    return Impossible("COL-9.6", fmt::format("only {} withdraws, not both {}",
                                             StandAndKind(s_, s_.ask.about), names));
  const auto there = [&](PieceNo i) {
    return s_.At(i).cell == a.cell && s_.At(i).facing == a.facing && OnTable(s_.At(i));
  };
  if (there(a.stand) && there(a.rear) && s_.At(a.rear).rear)
    return Impossible("COL-9.6", names + " are already in that place");
  if (auto refusal = Ready()) return refusal;
  auto refusal = On(Move{{a.stand, a.rear},
                         {PathTo(s_, a.stand, a.cell), PathTo(s_, a.rear, a.cell)},
                         a.facing,
                         a.in_front});
  if (refusal) refusal->because += ": put them back";
  return refusal;
}

// COL-3.3, COL-5.9, COL-9.6: the camera saw a stand in another place.
MaybeRefusal Referee::On(const Seen& a) {
  if (auto refusal = CheckNames({a.stand})) return refusal;
  if (a.cell < 0 || a.cell >= s_.setup->board.Cells())
    return Impossible("COL-1.2", StandAndKind(s_, a.stand) +
                                     " was seen in a square that is not on the "
                                     "table");
  if (a.rear != kNoPiece) return SeenPair(a);
  const Stand& stand = s_.At(a.stand);
  if (s_.ask.what == Want::kWithdrawal && s_.ask.about == a.stand) {
    const Facing want =
        s_.Rulings().withdraw_keeps_facing ? stand.facing : squares::Opposite(stand.facing);
    if (a.facing != want)
      return Impossible("COL-5.11", fmt::format("{} must face {} after its withdrawal",
                                                StandAndKind(s_, a.stand), FacingName(want)));
    return On(Back{a.cell, a.in_front});
  }
  if (a.cell == stand.cell && a.facing == stand.facing) {
    // Such a stand has moved only if it withdrew. With one square to go to the engine has placed
    // it, and the table agrees.
    if (stand.side != s_.acting || stand.withdrew) return std::nullopt;
    return Impossible("COL-9.6", StandAndKind(s_, a.stand) + " is already in that place");
  }
  auto refusal = Ready();
  // A stand may turn only when it is activated.
  const bool no_activation = refusal || s_.phase != Phase::kActing || s_.acting != stand.side ||
                             (!stand.open && ActivationFault(s_, {a.stand}));
  const bool only_turned = a.cell == stand.cell;
  if (!refusal) refusal = On(Move{{a.stand}, {PathTo(s_, a.stand, a.cell)}, a.facing, a.in_front});
  if (!refusal) return refusal;
  if (only_turned && no_activation) refusal->clause = "COL-5.9";
  refusal->because += ": put it back";
  return refusal;
}

// COL-1.2, COL-1.5, COL-1.6: the players decide doubtful measurements.
MaybeRefusal Referee::On(const Measured& a) {
  if (auto refusal = CheckNames({a.stand})) return refusal;
  constexpr double kMillimetresPerMilliInch = 0.0254;
  const std::string name = StandAndKind(s_, a.stand);
  const Vec2 centre_mm =
      Vec2{static_cast<double>(a.x_milli_in), static_cast<double>(a.y_milli_in)} *
      kMillimetresPerMilliInch;
  const SquareReading square =
      ReadSquare(s_.Book(), s_.Rulings(), s_.setup->board, centre_mm.x, centre_mm.y);
  if (!square.cell)
    return Impossible("COL-1.2",
                      fmt::format("{} was measured at ({:.0f}, {:.0f}) mm, off the table", name,
                                  centre_mm.x, centre_mm.y));
  if (square.doubtful) {
    std::string squares = s_.setup->CellName(*square.cell);
    for (const Cell near : square.near) squares += " or " + s_.setup->CellName(near);
    return Impossible("COL-1.2",
                      fmt::format("{} stands too near a grid line to tell {}: say which with `seen "
                                  "{} at {} FACING`",
                                  name, squares, name, s_.setup->CellName(*square.cell)));
  }
  const FacingReading facing = ReadFacing(s_.Rulings(), a.bearing_milli_deg / 1000.0);
  if (facing.doubtful)
    return Impossible(
        "COL-1.6", fmt::format("{} may face {} or {}: say which with `seen STAND at SQUARE FACING`",
                               name, FacingName(facing.facing), FacingName(facing.other)));
  if (a.width_milli_in > 0) {
    std::string note = FootprintNote(s_.Book(), s_.Rulings(), s_.At(a.stand).type,
                                     a.width_milli_in * kMillimetresPerMilliInch,
                                     a.depth_milli_in * kMillimetresPerMilliInch);
    if (!note.empty()) Emit(Noted{{"COL-1.5", fmt::format("{}: {}", name, note)}});
  }
  const bool ahead =
      InFrontHalf(s_.Book(), s_.setup->board, *square.cell, facing.facing, centre_mm);
  return On(Seen{a.stand, *square.cell, facing.facing, ahead});
}

// COL-3.3: a side may stop early.
MaybeRefusal Referee::On(const Done& a) {
  if (auto refusal = Ready()) return refusal;
  if (a.side < 0 || a.side > 1) return Impossible("COL-3.5", "there is no such side");
  const auto side = static_cast<std::size_t>(a.side);
  if (s_.phase == Phase::kMuster) {
    if (s_.mustered[side])
      return Impossible("COL-2.3", SideName(s_, a.side) + " has already mustered its army");
    if (s_.Rulings().points_enforcement != Enforcement::kOff) {
      std::vector<bool> taken;
      for (const Stand& stand : s_.stands) taken.push_back(OnTable(stand));
      for (Note& fault : ArmyFaults(*s_.setup, a.side, CountArmy(*s_.setup, a.side, taken),
                                    s_.army_points[side], true)) {
        if (s_.Rulings().points_enforcement == Enforcement::kRefuse) {
          if (auto refusal = Settle(Refuse(fault.clause, fault.text))) return refusal;
        } else {
          Emit(Noted{std::move(fault)});
        }
      }
    }
    Emit(Mustered{static_cast<std::int8_t>(a.side)});
    return std::nullopt;
  }
  if (s_.phase != Phase::kActing || a.side != s_.acting)
    return Impossible("COL-3.5",
                      fmt::format("it is not the turn of {} to act", SideName(s_, a.side)));
  EndSide();
  return std::nullopt;
}

// COL-3.1, COL-3.5.
void Referee::EndSide() {
  const std::int8_t side = s_.acting;
  Emit(SideDone{side, s_.left});
  if (side == s_.first) {
    Emit(PhaseBegan{Phase::kActivationDie, static_cast<std::int8_t>(1 - side)});
  } else if (s_.turn >= s_.setup->turns) {
    EndGame(false);
  } else {
    Emit(TurnBegan{static_cast<std::int16_t>(s_.turn + 1)});
  }
}

void Referee::EndGame(bool wiped_out) {
  Ending ending;
  ending.wiped_out = wiped_out;
  ending.points = PointsNow(s_);
  if (wiped_out) {
    ending.winner = HasStands(0) ? 0 : 1;
  } else if (s_.setup->count_points && ending.points[0] != ending.points[1]) {
    ending.winner = ending.points[0] > ending.points[1] ? 0 : 1;
  }
  Emit(GameEnded{ending});
}

bool Referee::AskForArmies() {
  for (std::size_t side = 0; side < 2; ++side) {
    if (s_.army_points[side] >= 0) continue;
    AskFor(Want::kArmyDice, static_cast<int>(side), s_.Book().army_dice, s_.Book().army_faces);
    return true;
  }
  return false;
}

bool Referee::AskForGeneral() {
  for (std::size_t i = 0; i < s_.stands.size(); ++i) {
    const Stand& stand = s_.stands[i];
    if (!IsCommand(s_, stand) || stand.value > 0) continue;
    AskFor(Want::kGeneralDie, stand.side, 1, static_cast<int>(s_.Book().general.size()),
           static_cast<PieceNo>(i));
    return true;
  }
  return false;
}

void Referee::Continue() {
  while (!s_.Waiting() && s_.phase != Phase::kOver) {
    switch (s_.phase) {
      case Phase::kArmyDice:
        if (!AskForArmies()) Emit(PhaseBegan{Phase::kMuster, 0});
        break;
      case Phase::kMuster:
        if (!s_.mustered[0] || !s_.mustered[1]) return;
        Emit(PhaseBegan{Phase::kGenerals, 0});
        break;
      case Phase::kGenerals:
        if (!AskForGeneral()) Emit(TurnBegan{1});
        break;
      case Phase::kInitiative:
        AskFor(Want::kInitiativeDice, kBothSides, 2, s_.Book().combat_faces);
        break;
      case Phase::kActivationDie:
        if (!HasStands(s_.acting)) {
          EndSide();
        } else {
          AskFor(Want::kActivationDie, s_.acting, 1, s_.Book().combat_faces);
        }
        break;
      case Phase::kActing:
        if (CanAct(s_)) return;
        EndSide();
        break;
      case Phase::kOver:
        return;
    }
  }
}

}  // namespace

State NewGame(std::shared_ptr<const Setup> setup, std::uint64_t seed) {
  State s;
  s.generator = {seed};
  s.in_cell.assign(static_cast<std::size_t>(setup->board.Cells()), {kNoPiece, kNoPiece});
  for (std::size_t i = 0; i < setup->stands.size(); ++i) {
    const StandInfo& info = setup->stands[i];
    Stand stand;
    stand.side = static_cast<std::int8_t>(info.side);
    stand.type = static_cast<std::int8_t>(info.type);
    stand.weapon = static_cast<std::int8_t>(info.weapon);
    stand.value = static_cast<std::int8_t>(
        info.rating ? setup->tables.general_value[static_cast<std::size_t>(*info.rating)]
                    : PointsOf(*setup, info));
    stand.cell = info.cell;
    stand.facing = info.facing;
    auto& in = s.in_cell[static_cast<std::size_t>(info.cell)];
    stand.rear = in[0] != kNoPiece;
    FOS_CHECK(in[1] == kNoPiece);
    in[stand.rear ? 1 : 0] = static_cast<PieceNo>(i);
    s.stands.push_back(stand);
  }
  s.phase = setup->army == ArmyBy::kDice ? Phase::kArmyDice : Phase::kGenerals;
  s.setup = std::move(setup);
  std::vector<Event> events;
  Referee(s, events).Continue();
  return s;
}

std::optional<Refusal> Play(State& state, const Action& action, std::vector<Event>& events) {
  State trial = state;
  const std::size_t before = events.size();
  if (auto refusal = Referee(trial, events).Take(action)) {
    events.resize(before);
    return refusal;
  }
  state = std::move(trial);
  return std::nullopt;
}

}  // namespace fos::colonial
