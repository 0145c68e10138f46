// SPDX-License-Identifier: MIT
#include "engine/rules/napoleonic/action.h"
#include "engine/rules/sweet/known_names.h"

namespace fos::napoleonic {
namespace {

class Names : public sweet::KnownNames<State> {
 public:
  using KnownNames::KnownNames;
  using KnownNames::operator();

  void operator()(const Land&) {}  // checked when the shot is resolved
  void operator()(const ChooseStands& a) {
    for (const PieceNo i : a.stands) Stand(i);
  }
  void operator()(const Regroup& a) {
    Unit(a.unit);
    SquareOrNone(a.cell);
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
  void operator()(const Move& a) { Pieces(a); }
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
  void operator()(const DestroyEquipment& a) {
    Side(a.side);
    Equipment(a.equipment);
  }
  void operator()(const Surrender& a) { Side(a.side); }
};

}  // namespace

std::optional<Refusal> CheckNames(const State& s, const Declaration& what) {
  return sweet::WhyUnknown(Names(s), what, "NAP-2A");
}

}  // namespace fos::napoleonic
