// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "engine/rules/colonial/action.h"
#include "engine/rules/colonial/movement.h"

// The declarations that the rules allow now.
namespace fos::colonial {

// Which facings at the end of a move are listed besides the present one.
enum class Turns { kNone, kAll };

// Every legal declaration for one stand: activation (alone or as a pair), moves to each end square
// by a cheapest path, turns on the spot, mounting, fire and close combat. A stand that is not
// active yet is treated as if the declaration activated it. While the game waits for a withdrawal,
// only withdrawals.
void AppendFor(const State& s, PieceNo stand, Turns turns, std::vector<Action>& out);
// The same, with the moves' paths left out until one is asked for: most are never made.
class Declarations {
 public:
  Declarations(const State& s, PieceNo stand, Turns turns);
  std::size_t size() const { return listed_.size(); }
  Action At(std::size_t n) const;
  bool IsFight(std::size_t n) const;
  std::optional<Cell> EndOf(const State& s, std::size_t n) const;  // of a move; else nothing

 private:
  static constexpr std::size_t kNoSquare = static_cast<std::size_t>(-1);
  struct Listed {
    std::size_t made;    // index into made_
    std::size_t square;  // or of a move of the stand alone, into the squares that it can reach
    Facing facing;
    bool in_front;
  };
  void TakeMade();  // lists those of made_ that are not listed yet
  void ListMoves(const State& s, Turns turns);

  PieceNo stand_;
  Facing facing_;
  std::vector<Action> made_;
  std::size_t taken_ = 0;
  std::optional<ReachMap> reach_;
  std::vector<Listed> listed_;
};
// The same for a whole side; or the answers to what the game waits for (dice as one Draw).
std::vector<Action> LegalActions(const State& s, int side, Turns turns = Turns::kNone);
// Only the end squares of AppendFor's moves, without a change of facing.
std::vector<Cell> EndSquares(const State& s, PieceNo stand);
// The enemies a stand may engage now.
std::vector<PieceNo> LegalTargets(const State& s, bool close, PieceNo stand);

// Whether the acting side may declare anything besides the end of its activations.
bool CanAct(const State& s);

}  // namespace fos::colonial
