// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/game/refuse.h"
#include "engine/squares/game_words.h"

namespace fos::sweet {

using namespace squares;

// Checks that the sides, units, stands, pieces, squares, facings and cards named in a shared
// declaration exist in this game. A rule set adds its own declarations. State as in queries.h.
template <typename State>
class KnownNames {
 public:
  explicit KnownNames(const State& s) : s_(s) {}
  bool good = true;

  void operator()(const GiveDice&) {}
  void operator()(const GiveCoin&) {}
  void operator()(const Draw&) {}
  void operator()(const ChooseRetreat& a) { SquareOrNone(a.cell); }
  void operator()(const TurnUnit& a) {
    Side(a.side);
    Unit(a.unit);
    Square(a.cell);
    Turn(a.facing);
  }
  void operator()(const TurnEquipment& a) {
    Side(a.side);
    Equipment(a.equipment);
    Turn(a.facing);
  }
  void operator()(const CallVolley& a) {
    Side(a.side);
    Unit(a.unit);
    Square(a.from);
    SquareOrNone(a.target);
    good = good && s_.setup->units[static_cast<std::size_t>(a.unit)].side == a.side;
  }
  void operator()(const Support& a) {
    Side(a.side);
    Unit(a.unit);
    Square(a.from);
    Square(a.contact);
  }
  void operator()(const PlayCard& a) {
    Side(a.side);
    Square(a.contact);
    Below(static_cast<int>(a.card), static_cast<std::size_t>(kCardKinds));
  }
  void operator()(const EndStep& a) { Side(a.side); }
  void operator()(const OrderMelees& a) {
    Side(a.side);
    for (const Cell cell : a.contacts) Square(cell);
  }

 protected:
  void Below(int number, std::size_t count) {
    good = good && number >= 0 && static_cast<std::size_t>(number) < count;
  }
  void Side(int side) { Below(side, 2); }
  void Unit(int unit) { Below(unit, s_.setup->units.size()); }
  void Stand(int stand) { Below(stand, s_.stands.size()); }
  void Equipment(int equipment) { Below(equipment, s_.equipment.size()); }
  void Square(int cell) { Below(cell, static_cast<std::size_t>(s_.setup->board.Cells())); }
  void SquareOrNone(int cell) {
    if (cell != kNowhere) Square(cell);
  }
  void Turn(Facing facing) { Below(static_cast<int>(facing), 8); }
  // For a rule set's own Move.
  template <typename Move>
  void Pieces(const Move& a) {
    Side(a.side);
    for (const PieceNo i : a.stands) Stand(i);
    for (const PieceNo i : a.equipment) Equipment(i);
    for (const Cell c : a.path) Square(c);
    if (a.facing) Turn(*a.facing);
  }

  const State& s_;
};

// Why a declaration is refused whose names are not of this game. Names is a rule set's KnownNames.
template <typename Names, typename Declaration>
std::optional<Refusal> WhyUnknown(Names names, const Declaration& what, std::string_view clause) {
  std::visit(names, what);
  if (names.good) return std::nullopt;
  return Impossible(
      clause, "the action names a side, unit, stand, piece or square that is not in this game");
}

}  // namespace fos::sweet
