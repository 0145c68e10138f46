// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "ui/setup/setup_controller.h"

namespace fos {

// What the player holds while setting up: the outline being drawn; the chosen area, corner or unit;
// what the pointer drags. Pointer and keys lead to the same actions. Places are inches on the
// table, from picture and map alike.
class SetupHand {
 public:
  explicit SetupHand(SetupController& controller) : controller_(&controller) {}

  // Why the last action was refused; empty when it was not.
  const std::string& Refused() const { return refused_; }

  // --- Terrain ---
  const std::string& Type() const { return type_; }  // of the next outline
  int Area() const { return area_; }                 // chosen; -1: none
  int Corner() const { return corner_; }             // of the area; -1: the whole area
  bool Drawing() const { return drawing_; }
  const Polygon& Outline() const { return outline_; }  // so far
  Vec2 Cursor() const { return cursor_; }              // where the next corner goes
  void StartOutline();
  void PutCorner(Vec2 at);  // adds a corner to the outline
  void TakeBackCorner();    // removes the last corner; without one stops drawing
  void CloseOutline();      // makes an area of the outline
  void StopDrawing();
  void NextArea(int step);                // after the last: none
  void NextCorner(int step);              // of the chosen area; after the last: the whole
  void SetType(const std::string& type);  // of the chosen area and of the next outline
  void NextType(int step);
  void Raise(double by_in);
  void InsertCorner();                // in the middle of the edge behind the chosen corner
  void PlantTree();                   // at the cursor; Raise() then changes its height
  const TerrainObject* Tree() const;  // the last one planted, while nothing is chosen; or nullptr
  void Remove();                      // the chosen corner, or the whole area
  void Nudge(Vec2 by);                // corner, area or cursor

  // --- Armies ---
  int Side() const { return side_; }
  std::size_t Row() const { return row_; }  // of the list of troops
  int Unit() const { return unit_; }        // chosen; -1: none
  void ChooseSide(int side);
  void NextSide();
  void ChooseRow(std::size_t row);
  void NextRow(int step);
  void Add(std::optional<SquareIndex> square = {});  // the row's troops, for the side
  void ChooseUnit(int unit);
  void NextUnit(int step);  // of either side; after the last: none
  void StepUnit(int east, int north);
  void Turn(int eighths);
  void MoreStands(int by);
  void RemoveUnit();
  const std::string& Army() const;  // the chosen army list; empty: there is none
  void NextArmy();
  void AddArmy();  // the whole list, for the side
  void ChooseRuleset(const std::string& name);  // as the scenario names it
  void NextRuleset(int step);
  void NextPaint();

  // --- The pointer ---
  // Grips what lies within reach_in of the press. False: nothing does, and the view may be moved.
  bool PressTerrain(Vec2 at, double reach_in);
  bool PressArmies(Vec2 at);
  void Drag(Vec2 to);
  void Release();
  // Pressed and released in one place.
  void ClickTerrain(Vec2 at, double reach_in);
  bool Gripping() const { return grip_ != Grip::kNothing; }

  // After a change from elsewhere (undo, redo): drops choices that no longer exist.
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
