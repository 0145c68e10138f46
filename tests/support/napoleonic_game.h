#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/rules/napoleonic/action.h"
#include "engine/rules/napoleonic/query.h"

// A small game laid out by hand: the catalogue's 12 by 12 board, Blue (side 0, home edge south)
// attacking in turn 1, Red (side 1, home edge north).
namespace fos::napoleonic::test {

constexpr int kBlue = 0;
constexpr int kRed = 1;
constexpr Facing N = Facing::kNorth, NE = Facing::kNorthEast, E = Facing::kEast,
                 SE = Facing::kSouthEast, S = Facing::kSouth, SW = Facing::kSouthWest,
                 W = Facing::kWest, NW = Facing::kNorthWest;

class Game {
 public:
  Game();
  explicit Game(int columns, int rows);

  // ---- laying out, before Start() ----
  Setup setup;
  Cell At(std::string_view square) const;
  std::vector<Cell> Path(std::string_view squares) const;  // "E5 E6 E7"
  CellTerrain& Terrain(std::string_view square) {
    return setup.terrain[static_cast<std::size_t>(At(square))];
  }
  void Road(std::string_view squares);  // joins each to the next
  void Wood(std::string_view square);   // protected, can burn
  // Faces away from its home edge when no facing is given.
  PieceNo Unit(int side, std::string_view type, int stands, std::string_view square);
  PieceNo Unit(int side, std::string_view type, int stands, std::string_view square, Facing facing);
  PieceNo Gun(int side, std::string_view type, std::string_view square, int battery = -1,
              bool limbered = false);
  int Battery(int side);
  // A foot battery with all its guns, wagon and crew (4 foot, 1 mounted) in one square; returns the
  // foot crew's unit. The guns come first in State::equipment order, then the wagon.
  PieceNo FootBattery(int side, std::string_view square);

  // ---- playing ----
  State s;
  std::vector<Event> events;  // of the last Do()
  std::vector<Event> all;
  void Start();
  // Empty when it was accepted, else the clause that refused it.
  std::string Do(const Declaration& what, bool overrule = false);
  std::string because;  // the sentence of the last refusal
  // Ends steps for both sides until this one begins (of this turn or the next). Anything that is
  // asked on the way is a broken test.
  void To(Step step);
  void NextTurn();  // to the artillery step of the next turn

  std::string Dice(std::vector<int> dice);
  // The shot comes to rest at a point, inches; stands and equipment by their distances.
  std::string Lands(double x, double y, std::vector<Near> stands, std::vector<Near> equipment = {},
                    std::vector<NearModel> models = {});
  std::string MoveUnit(PieceNo unit, std::string_view path,
                       const std::vector<PieceNo>& equipment = {});
  // Some of a unit's stands.
  std::string MoveStands(const std::vector<PieceNo>& stands, std::string_view path,
                         const std::vector<PieceNo>& equipment = {});
  std::string Fire(PieceNo unit, std::string_view target);   // a volley
  std::string Back(PieceNo unit, std::string_view contact);  // support
  std::string Shoot(PieceNo gun, ShotKind kind, std::string_view target, bool canister = false);
  // Both sides end their supports, then play these cards (attacker's first) for the melee.
  void NoMoreSupports();
  std::string Cards(std::string_view contact, Card attacker, Card defender);
  std::string Done(int side);

  int Left(PieceNo unit) const { return CountStandsOf(s, unit); }
  std::vector<PieceNo> Stands(PieceNo unit) const { return StandsOf(s, unit); }
  PieceNo Stand(PieceNo unit, int number = 0) const {
    return StandsOf(s, unit).at(static_cast<std::size_t>(number));
  }
  // "E5"; "off" when off the board, "gone" when destroyed.
  std::string Where(PieceNo unit) const;
  std::string WhereIs(PieceNo equipment) const;
  template <typename T>
  int Count() const {
    int count = 0;
    for (const Event& event : events) count += std::holds_alternative<T>(event);
    return count;
  }
};

// Stands and settings as shipped; read once.
const Tables& Book();
const Settings& Rulings();

}  // namespace fos::napoleonic::test
