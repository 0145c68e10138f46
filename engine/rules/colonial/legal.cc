// SPDX-License-Identifier: MIT
#include "engine/rules/colonial/legal.h"

#include <algorithm>
#include <array>

#include "engine/rules/colonial/combat.h"
#include "engine/rules/colonial/movement.h"
#include "engine/rules/colonial/query.h"

namespace fos::colonial {
namespace {

bool MayBegin(const State& s, PieceNo i) {
  const Stand& stand = s.At(i);
  return OnTable(stand) && !stand.activated && !ActivationFault(s, {i});
}
// Whether the stand is active or could be activated now.
bool MayActNow(const State& s, PieceNo i) {
  const Stand& stand = s.At(i);
  if (!OnTable(stand) || s.phase != Phase::kActing || stand.side != s.acting) return false;
  return stand.activated ? stand.open : MayBegin(s, i);
}
// The stand as it will be once activated.
State AsActivated(const State& s, PieceNo i) {
  State out = s;
  if (!out.At(i).activated) ApplyTo(out, Activated{{i}, 0});
  return out;
}

// Whether the stand is cavalry, and not mounted or dismounted already.
bool CanBecome(const State& s, PieceNo i, bool mounted) {
  return s.setup->stands[static_cast<std::size_t>(i)].mounted_type >= 0 &&
         (s.TypeOf(s.At(i)).arm == Arm::kCavalry) != mounted;
}
bool MayRemount(const State& s, PieceNo i, bool mounted) {
  return CanBecome(s, i, mounted) && !RemountFault(s, i, mounted);
}

std::vector<Facing> FacingsOf(const State& s, Facing kept, Turns turns) {
  std::vector<Facing> out = {kept};
  if (turns == Turns::kNone) return out;
  for (int way = 0; way < 8; ++way) {
    const auto facing = static_cast<Facing>(way);
    if (facing == kept || (s.Rulings().facing_steps == 4 && squares::IsDiagonal(facing))) continue;
    out.push_back(facing);
  }
  return out;
}

// A pair that moves on together: the squares both can reach.
void AppendPairMoves(const State& s, PieceNo front, PieceNo rear, Turns turns,
                     std::vector<Action>& out) {
  const std::vector<Reached> of_rear = Reach(s, rear);
  for (const Reached& reached : Reach(s, front)) {
    const auto also = std::find_if(of_rear.begin(), of_rear.end(), [&](const Reached& other) {
      return other.cell == reached.cell;
    });
    if (also == of_rear.end()) continue;
    for (const Facing facing : FacingsOf(s, s.At(front).facing, turns)) {
      if (reached.path.empty() && facing == s.At(front).facing) continue;
      const Action action{Move{{front, rear}, {reached.path, also->path}, facing, false}, false};
      MoveCost cost;
      if (!PathFault(s, front, reached.path, facing, cost) &&
          !PathFault(s, rear, also->path, facing, cost) &&
          MayArrive(s, std::array{front, rear}, reached.cell, facing))
        out.push_back(action);
    }
  }
}

void AppendAnswers(const State& s, int side, std::vector<Action>& out) {
  if (s.ask.count > 0) {
    if (s.ask.side == kBothSides || s.ask.side == side) out.push_back({Draw{}, false});
    return;
  }
  if (s.ask.what != Want::kWithdrawal || s.ask.side != side) return;
  for (const auto& path : Withdrawals(s, s.ask.about)) {
    const Cell end = path.empty() ? s.At(s.ask.about).cell : path.back();
    out.push_back({Back{end, false}, false});
    if (!path.empty() && !Empty(s, end)) out.push_back({Back{end, true}, false});
  }
}

}  // namespace

std::vector<PieceNo> LegalTargets(const State& s, bool close, PieceNo i) {
  std::vector<PieceNo> out;
  if (!MayInitiate(s, i)) return out;
  const int range = RangeOf(s, s.At(i));
  for (std::size_t n = 0; n < s.stands.size(); ++n) {
    const auto target = static_cast<PieceNo>(n);
    const Stand& enemy = s.stands[n];
    if (!OnTable(enemy) || enemy.side == s.At(i).side) continue;
    // Cheap tests first: this runs for the whole army.
    if (!close && DistanceBetween(s, s.At(i).cell, enemy.cell) > range) continue;
    if (close && !AreAdjacent(s, s.At(i).cell, enemy.cell)) continue;
    if ((!close || s.Rulings().close_needs_front_arc) && !InFrontArc(s, s.At(i), enemy.cell))
      continue;
    if (!TargetFault(s, close, i, target)) out.push_back(target);
  }
  return out;
}

std::vector<Cell> EndSquares(const State& s, PieceNo i) {
  std::vector<Cell> out;
  if (!MayActNow(s, i)) return out;
  const State active = AsActivated(s, i);
  if (!MayMoveNow(active, i)) return out;
  for (const Reached& reached : Reach(active, i))
    if (!reached.path.empty() &&
        MayArrive(active, std::array{i}, reached.cell, active.At(i).facing))
      out.push_back(reached.cell);
  return out;
}

Declarations::Declarations(const State& s, PieceNo i, Turns turns)
    : stand_(i), facing_(s.At(i).facing) {
  if (s.Waiting()) {
    if (s.ask.about == i) AppendAnswers(s, s.At(i).side, made_);
    TakeMade();
    return;
  }
  if (s.phase == Phase::kMuster && OnTable(s.At(i)) && !IsCommand(s, s.At(i)) &&
      !s.mustered[static_cast<std::size_t>(s.At(i).side)])
    made_.push_back({LeaveOut{i}, false});
  if (!MayActNow(s, i)) {
    TakeMade();
    return;
  }
  const PieceNo partner = PartnerOf(s, i);
  const bool as_pair = !s.At(i).activated && partner != kNoPiece && !s.At(partner).activated;
  if (as_pair && !ActivationFault(s, {i, partner}))
    made_.push_back({Activate{{s.At(i).rear ? partner : i, s.At(i).rear ? i : partner}}, false});
  std::optional<State> activated;
  if (!s.At(i).activated) activated = AsActivated(s, i);
  const State& active = activated ? *activated : s;
  // Combats first: there are few, and menus start with them.
  for (const bool close : {false, true})
    for (const PieceNo target : LegalTargets(active, close, i))
      made_.push_back({Fight{close, i, kNowhere, target}, false});
  TakeMade();
  if (MayMoveNow(active, i)) {
    if (MayLeavePartner(active, i)) ListMoves(active, turns);
    if (s.At(i).paired && partner != kNoPiece && s.At(partner).open && !s.At(i).rear &&
        MayMoveNow(s, partner))
      AppendPairMoves(s, i, partner, turns, made_);
  }
  for (const bool mounted : {false, true})
    if (MayRemount(active, i, mounted)) made_.push_back({Remount{i, mounted}, false});
  TakeMade();
}

void Declarations::TakeMade() {
  for (; taken_ < made_.size(); ++taken_) listed_.push_back({taken_, kNoSquare, facing_, false});
}

void Declarations::ListMoves(const State& s, Turns turns) {
  const Stand& stand = s.At(stand_);
  const int allowance = AllowanceLeft(s, stand);
  reach_.emplace(s, stand_);
  const std::vector<Facing> facings = FacingsOf(s, stand.facing, turns);
  for (std::size_t n = 0; n < reach_->Squares().size(); ++n) {
    const ReachedSquare& reached = reach_->Squares()[n];
    const bool stays = reach_->IsStart(reached);
    const PieceNo friend_there =
        s.In(reached.cell)[0] == stand_ ? PartnerOf(s, stand_) : s.In(reached.cell)[0];
    for (const Facing facing : facings) {
      if (stays && facing == stand.facing) continue;
      if (facing != stand.facing && s.Rulings().facing_change_cost > 0) {
        const int cost = reached.cost + s.Rulings().facing_change_cost;
        if (cost > allowance + (reached.by_road && !stays ? s.Rulings().road_bonus : 0)) continue;
      }
      if (!MayArrive(s, std::array{stand_}, reached.cell, facing)) continue;
      listed_.push_back({0, n, facing, false});
      if (turns == Turns::kAll && friend_there != kNoPiece && !stays)
        listed_.push_back({0, n, facing, true});
    }
  }
}

Action Declarations::At(std::size_t n) const {
  const Listed& one = listed_[n];
  if (one.square == kNoSquare) return made_[one.made];
  return {Move{{stand_}, {reach_->PathTo(reach_->Squares()[one.square])}, one.facing, one.in_front},
          false};
}

bool Declarations::IsFight(std::size_t n) const {
  return listed_[n].square == kNoSquare &&
         std::holds_alternative<Fight>(made_[listed_[n].made].what);
}

std::optional<Cell> Declarations::EndOf(const State& s, std::size_t n) const {
  const Listed& one = listed_[n];
  if (one.square != kNoSquare) return reach_->Squares()[one.square].cell;
  const auto* move = std::get_if<Move>(&made_[one.made].what);
  if (move == nullptr) return std::nullopt;
  return move->paths.front().empty() ? s.At(move->stands.front()).cell : move->paths.front().back();
}

void AppendFor(const State& s, PieceNo i, Turns turns, std::vector<Action>& out) {
  const Declarations all(s, i, turns);
  for (std::size_t n = 0; n < all.size(); ++n) out.push_back(all.At(n));
}

std::vector<Action> LegalActions(const State& s, int side, Turns turns) {
  std::vector<Action> out;
  if (s.phase == Phase::kOver) return out;
  if (s.Waiting()) {
    AppendAnswers(s, side, out);
    return out;
  }
  const bool mustering = s.phase == Phase::kMuster && !s.mustered[static_cast<std::size_t>(side)];
  if (!mustering && (s.phase != Phase::kActing || s.acting != side)) return out;
  for (std::size_t i = 0; i < s.stands.size(); ++i)
    if (s.stands[i].side == side) AppendFor(s, static_cast<PieceNo>(i), turns, out);
  // A pair is listed only by its front stand.
  std::vector<PieceNo> seen;
  std::erase_if(out, [&](const Action& action) {
    const auto* activate = std::get_if<Activate>(&action.what);
    if (!activate) return false;
    const bool again = std::find(seen.begin(), seen.end(), activate->stands[0]) != seen.end();
    seen.push_back(activate->stands[0]);
    return again;
  });
  out.push_back({Done{side}, false});
  return out;
}

bool CanAct(const State& s) {
  for (std::size_t n = 0; n < s.stands.size(); ++n) {
    const auto i = static_cast<PieceNo>(n);
    const Stand& stand = s.stands[n];
    if (stand.side != s.acting || !OnTable(stand)) continue;
    if (!stand.activated) {
      if (s.left > 0 || (IsCommand(s, stand) && !s.Rulings().command_needs_activation)) return true;
      continue;
    }
    // Turning on the spot is a move.
    if (stand.open && MayMoveNow(s, i)) return true;
    // If mounting is free it may follow the move.
    if (stand.open && (MayRemount(s, i, false) || MayRemount(s, i, true))) return true;
    if (stand.open && (!LegalTargets(s, false, i).empty() || !LegalTargets(s, true, i).empty()))
      return true;
  }
  return false;
}

}  // namespace fos::colonial
