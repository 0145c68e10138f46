// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/rules/ancient/action.h"
#include "engine/rules/ancient/query.h"
#include "tests/support/grid_game.h"

// A small game set up by hand: the catalogue's 12 by 12 board, Blue (side 0, home edge south)
// attacking in turn 1, Red (side 1, home edge north).
namespace fos::ancient::test {

using namespace fos::test::words;

class Game : public fos::test::GridGame<Setup, State, Action, Event> {
 public:
  explicit Game(int columns = 12, int rows = 12);

  // ---- set-up, before Start() ----
  void Wood(std::string_view square) { Terrain(square).protection = true; }
  // By default a complete unit that faces away from its home edge.
  PieceNo Unit(int side, std::string_view type, std::string_view square, int stands = 0);
  PieceNo Unit(int side, std::string_view type, std::string_view square, int stands, Facing facing);
  PieceNo Catapult(int side, std::string_view type, std::string_view square);
  void Bystanders();  // a distant unit of each side, so that the game does not end

  // ---- playing ----
  void NextTurn();  // to the first step of the next turn
  std::string Coin(bool heads) { return Do(GiveCoin{heads, {}}); }
  std::string Lands(double x, double y, std::vector<Near> stands, std::vector<Near> catapults = {});
  std::string MoveUnit(PieceNo unit, std::string_view path,
                       const std::vector<PieceNo>& catapults = {}, bool down = false);
  std::string MoveStands(const std::vector<PieceNo>& stands, std::string_view path,
                         const std::vector<PieceNo>& catapults = {}, bool down = false);
  std::string Shoot(PieceNo catapult, PieceNo man, std::string_view target);
  // Both sides end their supports, then play these cards (attacker's first).
  std::string Cards(std::string_view contact, Card attacker, Card defender);
  // The dice of the last volley called; 0 if it was refused.
  int DiceOf(PieceNo unit, std::string_view target);
  bool Asks(PendingInput kind) const { return s.ask.kind == kind; }
};

// The shipped tables and settings, read once.
const Tables& Book();
const Settings& Rulings();

}  // namespace fos::ancient::test
