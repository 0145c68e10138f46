#include "engine/rules/ancient/check_names.h"

#include "engine/refuse.h"

namespace fos::ancient {
namespace {

class Names {
 public:
  explicit Names(const State& s) : s_(s) {}
  bool good = true;

  void operator()(const GiveDice&) {}
  void operator()(const GiveCoin&) {}
  void operator()(const Draw&) {}
  void operator()(const Land& a) {
    for (const Near& near : a.facts.stands) {
      Stand(near.piece);
      good = good && near.milli_in >= 0;
    }
    for (const Near& near : a.facts.equipment) {
      Equipment(near.piece);
      good = good && near.milli_in >= 0;
    }
  }
  void operator()(const Choose& a) { Each(a.stands, a.equipment); }
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
  void operator()(const CallShot& a) {
    Side(a.side);
    Equipment(a.catapult);
    Stand(a.man);
    SquareOrNone(a.target);
  }
  void operator()(const CallVolley& a) {
    Side(a.side);
    Unit(a.unit);
    Square(a.from);
    SquareOrNone(a.target);
    good = good && s_.setup->units[static_cast<std::size_t>(good ? a.unit : 0)].side == a.side;
  }
  void operator()(const Rouse& a) {
    Side(a.side);
    Unit(a.unit);
  }
  void operator()(const Move& a) {
    Side(a.side);
    Each(a.stands, a.equipment);
    for (const Cell c : a.path) Square(c);
    if (a.facing) Turn(*a.facing);
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
  void operator()(const TimeUp&) {}
  void operator()(const Concede& a) { Side(a.side); }

 private:
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
  void Each(const std::vector<PieceNo>& stands, const std::vector<PieceNo>& equipment) {
    for (const PieceNo i : stands) Stand(i);
    for (const PieceNo i : equipment) Equipment(i);
  }
  const State& s_;
};

}  // namespace

std::optional<Refusal> CheckNames(const State& s, const Declaration& what) {
  Names names(s);
  std::visit(names, what);
  if (names.good) return std::nullopt;
  return Impossible("ANC-T",
                    "the action names a side, unit, stand, piece or square this game has not");
}

}  // namespace fos::ancient
