#pragma once

#include <string>
#include <vector>

#include "ui/app/report/battle.h"

namespace fos {

// How well somebody shoots: what fell where it was aimed at, over any number of games.
struct ShooterRecord {
  std::string player;     // whoever plays that side; the side's name where nobody is named
  std::string gun;        // empty: all of them together
  int shots = 0;          // projectiles that were thrown
  int measured = 0;       // of those, with a known aim and a known place: the errors are over these
  double error_in = 0;    // mean distance from the middle of the aimed square
  double outside_in = 0;  // mean distance from the square itself, 0 inside it
  double in_square = 0;   // share that lay in the aimed square
  int off_board = 0;
  int hits = 0;  // pieces that fell to those shots
};

// Player by player, each gun and all together, best hits for a shot first.
class Shooting {
 public:
  void Add(const Battle& battle);
  std::vector<ShooterRecord> ByPlayer() const;
  std::vector<ShooterRecord> ByGun() const;

 private:
  struct Shot {
    std::string player, gun;
    bool measured = false, off_board = false;
    double error_in = 0, outside_in = 0;
    int hits = 0;
  };
  std::vector<ShooterRecord> Grouped(bool by_gun) const;
  std::vector<Shot> shots_;
};

}  // namespace fos
