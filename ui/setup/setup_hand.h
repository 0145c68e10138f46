#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "ui/setup/setup_controller.h"

namespace fos {

// What people hold while they set up: the outline being drawn, the area, corner or unit that is
// chosen, what the pointer dragged. Pointer and keys come to the same actions; places are inches on
// the table, from picture and map alike.
class SetupHand {
 public:
  explicit SetupHand(SetupController& controller) : controller_(&controller) {}

  // What the last action came to, when it was refused; empty else.
  const std::string& Refused() const { return refused_; }

  // --- Terrain ---
  const std::string& Type() const { return type_; }  // of what is drawn next
  int Area() const { return area_; }                 // chosen; -1: none
  int Corner() const { return corner_; }             // of it; -1: the whole of it
  bool Drawing() const { return drawing_; }
  const Polygon& Outline() const { return outline_; }  // so far
  Vec2 Cursor() const { return cursor_; }              // where the next corner goes
  void StartOutline();
  void PutCorner(Vec2 at);  // a corner of the outline that is drawn
  void TakeBackCorner();    // the last one; before the first: stops drawing
  void CloseOutline();      // makes an area of it
  void StopDrawing();
  void NextArea(int step);                // chooses; beyond the last: none
  void NextCorner(int step);              // of the chosen area; beyond the last: the whole
  void SetType(const std::string& type);  // of the chosen area, and of the next
  void NextType(int step);
  void Raise(double by_in);
  void InsertCorner();                // in the middle of the edge behind the chosen one
  void PlantTree();                   // where the cross is; its height is then raised
  const TerrainObject* Tree() const;  // planted last, while nothing is chosen; nullptr: none
  void Remove();                      // the chosen corner, or the whole area
  void Nudge(Vec2 by);                // corner, area or cursor

  // --- Armies ---
  int Side() const { return side_; }
  std::size_t Row() const { return row_; }  // of the rule set's list
  int Unit() const { return unit_; }        // chosen; -1: none
  void ChooseSide(int side);
  void NextSide();
  void ChooseRow(std::size_t row);
  void NextRow(int step);
  void Add(std::optional<SquareIndex> square = {});  // of the row, for the side
  void ChooseUnit(int unit);
  void NextUnit(int step);  // of either side; beyond the last: none
  void StepUnit(int east, int north);
  void Turn(int eighths);
  void MoreStands(int by);
  void RemoveUnit();
  const std::string& Army() const;  // of the rule set's lists; empty: it has none
  void NextArmy();
  void AddArmy();  // all of it, for the side
  void NextRuleset(int step);
  void NextPaint();

  // --- The pointer ---
  // Pressed there: grips what lies within reach_in. False: nothing does, and the view may be moved.
  bool PressTerrain(Vec2 at, double reach_in);
  bool PressArmies(Vec2 at);
  void Drag(Vec2 to);
  void Release();
  // Pressed and let go in one place.
  void ClickTerrain(Vec2 at, double reach_in);
  bool Gripping() const { return grip_ != Grip::kNothing; }

  // After a change that was not its own (taken back, opened anew): chooses nothing that is gone.
  void Follow();

 private:
  enum class Grip { kNothing, kCorner, kArea, kUnit };
  void Note(const Status& status);
  const TerrainArea* Chosen() const;
  int AreaAt(Vec2 at) const;

  SetupController* controller_;
  std::string refused_;
  std::string type_ = SetupController::TerrainTypes().front();
  int area_ = -1;
  int corner_ = -1;
  bool drawing_ = false;
  int tree_area_ = -1;  // of the tree planted last, while nothing else is chosen
  std::size_t army_ = 0;
  Polygon outline_;
  Vec2 cursor_{8, 8};
  int side_ = 0;
  std::size_t row_ = 0;
  int unit_ = -1;
  Grip grip_ = Grip::kNothing;
  Vec2 gripped_;  // where the pointer was last
};

}  // namespace fos
