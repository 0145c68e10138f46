// SPDX-License-Identifier: MIT
#include "engine/rules/ancient/action.h"
#include "engine/rules/sweet/known_names.h"

namespace fos::ancient {
namespace {

class Names : public sweet::KnownNames<State> {
 public:
  using KnownNames::KnownNames;
  using KnownNames::operator();

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
  void operator()(const Choose& a) {
    for (const PieceNo i : a.stands) Stand(i);
    for (const PieceNo i : a.equipment) Equipment(i);
  }
  void operator()(const CallShot& a) {
    Side(a.side);
    Equipment(a.catapult);
    Stand(a.man);
    SquareOrNone(a.target);
  }
  void operator()(const Rouse& a) {
    Side(a.side);
    Unit(a.unit);
  }
  void operator()(const Move& a) { Pieces(a); }
  void operator()(const TimeUp&) {}
  void operator()(const Concede& a) { Side(a.side); }
};

}  // namespace

std::optional<Refusal> CheckNames(const State& s, const Declaration& what) {
  return sweet::WhyUnknown(Names(s), what, "ANC-T");
}

}  // namespace fos::ancient
