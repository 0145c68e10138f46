// SPDX-License-Identifier: MIT
#include "ui/report/shooting.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace fos {

void Shooting::Add(const Battle& battle) {
  for (const BattleTurn& turn : battle.turns) {
    for (const BattleShot& shot : turn.shots) {
      if (!shot.thrown) continue;
      Shot one;
      one.gun = shot.piece;
      one.day = battle.day;
      one.landed = shot.landed;
      if (shot.side >= 0 && static_cast<std::size_t>(shot.side) < battle.sides.size()) {
        const BattleSide& side = battle.sides[static_cast<std::size_t>(shot.side)];
        one.player =
            side.players.empty() ? side.name : fmt::format("{}", fmt::join(side.players, ", "));
      }
      one.off_board = shot.off_board;
      one.hits = shot.Hits();
      if (shot.landed && shot.target && !shot.aimed.empty()) {
        one.measured = true;
        const Vec2 off = *shot.landed - *shot.target;
        one.error_in = Norm(off);
        const double half = battle.board.square_in / 2;
        one.outside_in = std::hypot(std::max(0.0, std::abs(off.x) - half),
                                    std::max(0.0, std::abs(off.y) - half));
      }
      shots_.push_back(std::move(one));
    }
  }
}

bool Shooting::DeclaredToo(const Shot& seen) const {
  constexpr double kSameNumber_in = 0.001;  // lines give thousandths (docs/scripts.md)
  return std::any_of(shots_.begin(), shots_.end(), [&](const Shot& one) {
    return !one.player.empty() && one.landed && seen.landed && one.day == seen.day &&
           std::abs(one.landed->x - seen.landed->x) < kSameNumber_in &&
           std::abs(one.landed->y - seen.landed->y) < kSameNumber_in;
  });
}

std::vector<ShooterRecord> Shooting::Grouped(bool by_gun) const {
  std::map<std::pair<std::string, std::string>, ShooterRecord> groups;
  for (const Shot& shot : shots_) {
    if (shot.player.empty() && DeclaredToo(shot)) continue;
    ShooterRecord& one = groups[{shot.player, by_gun ? shot.gun : ""}];
    one.player = shot.player;
    one.gun = by_gun ? shot.gun : "";
    ++one.shots;
    one.off_board += shot.off_board;
    one.hits += shot.hits;
    if (shot.measured) {
      ++one.measured;
      one.error_in += shot.error_in;
      one.outside_in += shot.outside_in;
      one.in_square += shot.outside_in == 0 ? 1 : 0;
    }
  }
  std::vector<ShooterRecord> out;
  for (auto& [key, one] : groups) {
    const double n = std::max(1, one.measured);
    one.error_in /= n;
    one.outside_in /= n;
    one.in_square /= n;
    out.push_back(one);
  }
  std::stable_sort(out.begin(), out.end(), [](const ShooterRecord& a, const ShooterRecord& b) {
    return a.hits * b.shots > b.hits * a.shots;
  });
  const auto undeclared = std::stable_partition(
      out.begin(), out.end(), [](const ShooterRecord& one) { return !one.player.empty(); });
  for (auto one = undeclared; one != out.end(); ++one) one->player = "not declared";
  return out;
}

std::vector<ShooterRecord> Shooting::ByPlayer() const { return Grouped(false); }
std::vector<ShooterRecord> Shooting::ByGun() const { return Grouped(true); }

}  // namespace fos
