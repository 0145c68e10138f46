#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ui/report/battle.h"

namespace fos {

// How well somebody shoots: what fell where it was aimed at, over any number of games.
struct ShooterRecord {
  // Whoever plays that side; the side's name where nobody is named; "not said who fired" where the
  // camera saw a shot that nobody declared.
  std::string player;
  std::string gun;  // empty: all of them together
  int shots = 0;    // projectiles that were thrown
  int measured =
      0;  // of those, with a declared square and a known place: the errors are over these
  double error_in = 0;    // mean distance from the middle of the aimed square
  double outside_in = 0;  // mean distance from the square itself, 0 inside it
  double in_square = 0;   // share that lay in the aimed square
  int off_board = 0;
  int hits = 0;  // pieces that fell to those shots
};

// Player by player, each gun and all together, best hits for a shot first, undeclared ones last. A
// shot that was declared in a game at the controller and seen by the match that watched it counts
// once.
class Shooting {
 public:
  void Add(const Battle& battle);
  std::vector<ShooterRecord> ByPlayer() const;
  std::vector<ShooterRecord> ByGun() const;

 private:
  struct Shot {
    std::string player, gun;  // no player: not said who fired
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
