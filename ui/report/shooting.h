// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ui/report/battle.h"

namespace fos {

// How well a player shoots, over any number of games.
struct ShooterRecord {
  // The player; the side's name where no player is named; "not declared" for shots that the camera
  // saw and nobody declared.
  std::string player;
  std::string gun;      // empty: all guns together
  int shots = 0;        // projectiles thrown
  int measured = 0;     // shots with a declared square and a known point; the errors are over these
  double error_in = 0;  // mean distance from the centre of the aimed square
  double outside_in = 0;  // mean distance from that square, 0 inside it
  double in_square = 0;   // share of shots in that square
  int off_board = 0;
  int hits = 0;  // pieces these shots destroyed
};

// Collects shots by player and gun. Sorted by hits per shot, undeclared shots last. A shot that is
// both declared in a played game and seen by the camera counts once.
class Shooting {
 public:
  void Add(const Battle& battle);
  std::vector<ShooterRecord> ByPlayer() const;
  std::vector<ShooterRecord> ByGun() const;

 private:
  struct Shot {
    std::string player, gun;  // player empty: nobody declared the shot
    std::string day;
    std::optional<Vec2> landed;
    bool measured = false, off_board = false;
    double error_in = 0, outside_in = 0;
    int hits = 0;
  };
  std::vector<ShooterRecord> Grouped(bool by_gun) const;
  bool DeclaredToo(const Shot& seen) const;
  std::vector<Shot> shots_;
};

}  // namespace fos
