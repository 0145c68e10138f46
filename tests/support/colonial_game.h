// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/rules/colonial/action.h"
#include "engine/rules/colonial/combat.h"
#include "engine/rules/colonial/query.h"
#include "tests/support/table_words.h"

// A small game on the catalogue's 18 by 12 table, flat, open and empty: Blue (side 0) in the low
// rows, Red (side 1) in the high ones. Squares are the catalogue's (c,r), from 1.
namespace fos::colonial::test {

using namespace fos::test::words;

struct At {
  int c = 1, r = 1;
};

// The shipped tables and settings, read once.
const Tables& Book();
const Settings& Rulings();

class Game {
 public:
  explicit Game(int columns = 18, int rows = 12);

  // ---- Setting up, before Start() ----
  Setup setup;
  // Most tests set up one side, and neither the battle nor the turn should end automatically: each
  // side gets a wagon in a far corner that has not acted yet.
  bool ends_when_wiped_out = false;
  bool idle_wagons = true;
  Cell Square(At at) const;
  Ground& GroundAt(At at) { return setup.ground[static_cast<std::size_t>(Square(at))]; }
  void Wood(At at) { GroundAt(at).wood = true; }
  void Stream(At at) { GroundAt(at).obstacle = true; }
  void Level(At at, int level) { GroundAt(at).level = static_cast<std::int8_t>(level); }
  void Edge(At a, At b, std::uint8_t bits) { setup.AddEdge(Square(a), Square(b), bits); }
  void Road(const std::vector<At>& squares);  // joins each square to the next
  // Without a facing, Blue faces N and Red S. Returns the stand's number.
  PieceNo Stand(int side, std::string_view type, At at);
  PieceNo Stand(int side, std::string_view type, At at, Facing facing,
                std::string_view weapon = {});
  PieceNo General(int side, Rating rating, At at);

  // ---- Playing ----
  State s;
  std::vector<Event> events;  // of the last Do()
  std::string because;        // the sentence of the last refusal
  // Starts the activations of a side with this number thrown.
  void Start(int side = kBlue, int activations = 12);
  void Open();  // starts the game; no dice are thrown
  // Each returns "" if accepted, else the clause that refused it.
  std::string Do(const Declaration& what, bool overrule = false);
  std::string Dice(const std::vector<int>& dice);
  // Moves by the path a script would take, or square by square.
  std::string MoveTo(PieceNo stand, At to);
  std::string MoveTo(PieceNo stand, At to, Facing facing);
  std::string Via(PieceNo stand, const std::vector<At>& path);
  std::string Turn(PieceNo stand, Facing facing);
  std::string PairTo(PieceNo front, PieceNo rear, At to);
  std::string Fire(PieceNo stand, At at);
  std::string FireOn(PieceNo stand, PieceNo target);
  std::string Close(PieceNo stand, At at);
  std::string Back(At to);
  std::string Done(int side);
  // Goes on to the other side's activations, in the next turn if needed.
  void Pass();

  std::string Named(Cell cell) const;  // "6,7"
  // "6,7"; "gone" if destroyed.
  std::string Where(PieceNo stand) const;
  Facing FacingOf(PieceNo stand) const { return s.At(stand).facing; }
  // The scores of the last combat whose dice were thrown.
  std::array<int, 2> Scores() const;
  Outcome LastOutcome() const;
  // Squares a withdrawing stand may go to, sorted: "5,8 6,8 7,8".
  std::string Ways(PieceNo stand) const;
  template <typename T>
  int Count() const {
    int count = 0;
    for (const Event& event : events) count += std::holds_alternative<T>(event);
    return count;
  }
};

}  // namespace fos::colonial::test
