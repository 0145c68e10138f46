// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/rules/napoleonic/action.h"
#include "engine/rules/napoleonic/query.h"
#include "tests/support/grid_game.h"

// A small game set up by hand: the catalogue's 12 by 12 board, Blue (side 0, home edge south)
// attacking in turn 1, Red (side 1, home edge north).
namespace fos::napoleonic::test {

using namespace fos::test::words;

class Game : public fos::test::GridGame<Setup, State, Action, Event> {
 public:
  explicit Game(int columns = 12, int rows = 12);

  // ---- set-up, before Start() ----
  void Wood(std::string_view square);  // protected, can burn
                                       // Faces away from its home edge by default.
  PieceNo Unit(int side, std::string_view type, int stands, std::string_view square);
  PieceNo Unit(int side, std::string_view type, int stands, std::string_view square, Facing facing);
  PieceNo Gun(int side, std::string_view type, std::string_view square, int battery = -1,
              bool limbered = false);
  int Battery(int side);
  // A foot battery with all its guns, wagon and crew (4 foot, 1 mounted) in one square; returns the
  // foot crew's unit. The guns come first in State::equipment order, then the wagon.
  PieceNo FootBattery(int side, std::string_view square);

  // ---- playing ----
  void NextTurn();  // to the artillery step of the next turn
  // The shot comes to rest at a point, inches; stands and equipment with their distances.
  std::string Lands(double x, double y, std::vector<Near> stands, std::vector<Near> equipment = {},
                    std::vector<NearModel> models = {});
  std::string MoveUnit(PieceNo unit, std::string_view path,
                       const std::vector<PieceNo>& equipment = {});
  // Some of a unit's stands.
  std::string MoveStands(const std::vector<PieceNo>& stands, std::string_view path,
                         const std::vector<PieceNo>& equipment = {});
  std::string Shoot(PieceNo gun, ShotKind kind, std::string_view target, bool canister = false);
  // Both sides end their supports, then play these cards (attacker's first) for the melee.
  void NoMoreSupports();
  std::string Cards(std::string_view contact, Card attacker, Card defender);
};

// The shipped tables and settings, read once.
const Tables& Book();
const Settings& Rulings();

}  // namespace fos::napoleonic::test
