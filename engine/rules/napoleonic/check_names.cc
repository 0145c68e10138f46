#include "engine/rules/napoleonic/check_names.h"

#include <algorithm>

#include "engine/refuse.h"

namespace fos::napoleonic {
namespace {

class Names {
 public:
  explicit Names(const State& s) : s_(s) {}
  bool good = true;

  void Side(int side) { good = good && (side == 0 || side == 1); }
  void Unit(int unit) { Below(unit, s_.setup->units.size()); }
  void Stand(int stand) { Below(stand, s_.stands.size()); }
  void Equipment(int equipment) { Below(equipment, s_.equipment.size()); }
  void Square(int cell) { Below(cell, static_cast<std::size_t>(s_.setup->board.Cells())); }
  void SquareOrNone(int cell) {
    if (cell != kNowhere) Square(cell);
  }
  void Turn(Facing facing) { Below(static_cast<int>(facing), 8); }
  void Stands(const std::vector<PieceNo>& stands) {
    for (const PieceNo i : stands) Stand(i);
  }

  void operator()(const GiveDice&) {}
  void operator()(const GiveCoin&) {}
  void operator()(const Draw&) {}
  void operator()(const Land&) {}  // checked against what it may name when it is taken
  void operator()(const ChooseStands& a) { Stands(a.stands); }
  void operator()(const ChooseRetreat& a) { SquareOrNone(a.cell); }
  void operator()(const Regroup& a) {
    Unit(a.unit);
    SquareOrNone(a.cell);
    Turn(a.facing);
  }
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
  void operator()(const Limber& a) {
    Side(a.side);
    Equipment(a.equipment);
  }
  void operator()(const Pool& a) {
    Side(a.side);
    Equipment(a.equipment);
  }
  void operator()(const CallShot& a) {
    Side(a.side);
    Equipment(a.gun);
    SquareOrNone(a.target);
    Below(static_cast<int>(a.kind), 3);
  }
  void operator()(const HoldCanister& a) {
    Side(a.side);
    Equipment(a.gun);
    Below(static_cast<int>(a.kind), 3);
  }
  void operator()(const FireHeld& a) {
    Side(a.side);
    Equipment(a.gun);
    SquareOrNone(a.target);
    Unit(a.unit);
  }
  void operator()(const CallVolley& a) {
    Side(a.side);
    Unit(a.unit);
    Square(a.from);
    SquareOrNone(a.target);
    good = good && s_.setup->units[static_cast<std::size_t>(good ? a.unit : 0)].side == a.side;
  }
  void operator()(const Move& a) {
    Side(a.side);
    Stands(a.stands);
    for (const PieceNo i : a.equipment) Equipment(i);
    for (const Cell c : a.path) Square(c);
    if (a.facing) Turn(*a.facing);
  }
  void operator()(const FormSquare& a) {
    Side(a.side);
    SquareOrNone(a.corner);
    good = good && a.columns <= s_.setup->board.columns && a.rows <= s_.setup->board.rows;
    for (const PieceNo unit : a.units) Unit(unit);
    for (const Placement& p : a.placements) {
      Stand(p.stand);
      SquareOrNone(p.cell);
      Turn(p.facing);
    }
  }
  void operator()(const BreakSquare& a) {
    Side(a.side);
    Unit(a.unit);
    for (const Regroup& place : a.places) (*this)(place);
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
  void operator()(const DestroyEquipment& a) {
    Side(a.side);
    Equipment(a.equipment);
  }
  void operator()(const EndStep& a) { Side(a.side); }
  void operator()(const Surrender& a) { Side(a.side); }
  void operator()(const OrderMelees& a) {
    Side(a.side);
    for (const Cell cell : a.contacts) Square(cell);
  }

 private:
  void Below(int number, std::size_t count) {
    good = good && number >= 0 && static_cast<std::size_t>(number) < count;
  }
  const State& s_;
};

}  // namespace

std::optional<Refusal> CheckNames(const State& s, const Declaration& what) {
  Names names(s);
  std::visit(names, what);
  if (names.good) return std::nullopt;
  return Impossible("NAP-2A",
                    "the action names a side, unit, stand, piece or square this game has not");
}

}  // namespace fos::napoleonic
