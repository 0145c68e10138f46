#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/rules/ancient/action.h"
#include "engine/rules/ancient/query.h"

// A small game laid out by hand: the catalogue's 12 by 12 board, Blue (side 0, home edge south)
// attacking in turn 1, Red (side 1, home edge north).
namespace fos::ancient::test {

constexpr int kBlue = 0;
constexpr int kRed = 1;
constexpr Facing N = Facing::kNorth, NE = Facing::kNorthEast, E = Facing::kEast,
                 SE = Facing::kSouthEast, S = Facing::kSouth, SW = Facing::kSouthWest,
                 W = Facing::kWest, NW = Facing::kNorthWest;

class Game {
 public:
  explicit Game(int columns = 12, int rows = 12);

  // ---- laying out, before Start() ----
  Setup setup;
  Cell At(std::string_view square) const;
  std::vector<Cell> Path(std::string_view squares) const;  // "E5 E6 E7"
  CellTerrain& Terrain(std::string_view square) {
    return setup.terrain[static_cast<std::size_t>(At(square))];
  }
  void Wood(std::string_view square) { Terrain(square).protection = true; }
  void Road(std::string_view squares);  // joins each to the next
  // Faces away from its home edge when no facing is given; a complete unit when no stands are.
  PieceNo Unit(int side, std::string_view type, std::string_view square, int stands = 0);
  PieceNo Unit(int side, std::string_view type, std::string_view square, int stands, Facing facing);
  PieceNo Catapult(int side, std::string_view type, std::string_view square);
  void Bystanders();  // a unit of each side far off, so that the game goes on

  // ---- playing ----
  State s;
  std::vector<Event> events;  // of the last Do()
  void Start();
  // Empty when it was accepted, else the clause that refused it.
  std::string Do(const Declaration& what, bool overrule = false);
  std::string because;  // the sentence of the last refusal
  // Ends steps for both sides until this one begins (of this turn or the next). Anything that is
  // asked on the way is a broken test.
  void To(Step step);
  void NextTurn();  // to the first step of the next turn

  std::string Dice(std::vector<int> dice);
  std::string Coin(bool heads) { return Do(GiveCoin{heads, {}}); }
  std::string Lands(double x, double y, std::vector<Near> stands, std::vector<Near> catapults = {});
  std::string MoveUnit(PieceNo unit, std::string_view path,
                       const std::vector<PieceNo>& catapults = {}, bool down = false);
  std::string MoveStands(const std::vector<PieceNo>& stands, std::string_view path,
                         const std::vector<PieceNo>& catapults = {}, bool down = false);
  std::string Turn(PieceNo unit, Facing facing);
  std::string Fire(PieceNo unit, std::string_view target);   // missiles
  std::string Back(PieceNo unit, std::string_view contact);  // support
  std::string Shoot(PieceNo catapult, PieceNo man, std::string_view target);
  // Both sides end their supports, then play these cards (attacker's first).
  std::string Cards(std::string_view contact, Card attacker, Card defender);
  std::string Done(int side) { return Do(EndStep{side}); }
  // The dice of the last volley called; 0 when it was refused.
  int DiceOf(PieceNo unit, std::string_view target);

  int Left(PieceNo unit) const { return CountStandsOf(s, unit); }
  std::vector<PieceNo> Stands(PieceNo unit) const { return StandsOf(s, unit); }
  PieceNo Stand(PieceNo unit, int number = 0) const {
    return StandsOf(s, unit).at(static_cast<std::size_t>(number));
  }
  Facing FacingOf(PieceNo unit) const { return s.StandAt(Stand(unit)).facing; }
  // "E5"; "off" when off the board, "gone" when destroyed.
  std::string Where(PieceNo unit) const;
  std::string WhereIs(PieceNo catapult) const;
  bool Asks(AskKind kind) const { return s.ask.kind == kind; }
};

// Stands and settings as shipped; read once.
const Tables& Book();
const Settings& Rulings();

}  // namespace fos::ancient::test
