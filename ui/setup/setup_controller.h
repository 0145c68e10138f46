// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/game/army.h"
#include "engine/table/observation.h"
#include "engine/table/result.h"
#include "engine/table/scenario.h"

namespace fos {

// Whether the outline crosses itself: such a polygon has no clear inside.
bool CrossesItself(const Polygon& polygon);

// A table and its battle while they are set up. Every change is checked as it is made and can be
// undone. Draws nothing.
class SetupController {
 public:
  // The names that scenario.toml accepts, in the order they are offered.
  static const std::vector<std::string>& TerrainTypes();
  static const std::vector<std::string>& Rulesets();
  // Paints for the tops of bases that can be told apart on common cloths.
  static const std::vector<Colour>& Paints();

  SetupController();  // NewTable(), NewScenario()
  SetupController(TableSpec table, Scenario scenario);
  // Reads files; for an empty path that part is as SetupController() has it.
  // errors  those of ReadTable and ReadScenarioUnderRules.
  static Result<SetupController> Open(const std::filesystem::path& table,
                                      const std::filesystem::path& scenario);

  const TableSpec& Table() const { return plan_.table; }
  const Scenario& Plan() const { return plan_.scenario; }
  // All stands drawn up in their squares, made anew after every change; never null.
  std::shared_ptr<const std::vector<StandObservation>> Stands() const { return stands_; }
  // The rule set's troops; empty where its tables cannot be read.
  const std::vector<Troop>& Troops() const { return troops_; }
  // The names of the rule set's army lists; empty where it has none.
  const std::vector<std::string>& Armies() const { return armies_; }
  double PointsOf(int side) const;
  double PointsOf(const UnitSpec& unit) const;
  // What is wrong with the set-up, a sentence each; checked by the rule set where it can.
  const std::vector<std::string>& Faults() const { return faults_; }
  // Counts the changes, so that a view knows when to draw again.
  std::size_t Version() const { return version_; }
  bool Unsaved() const { return version_ != saved_; }
  // Where Save wrote it last; empty: nowhere yet.
  const std::filesystem::path& SavedIn() const { return saved_in_; }

  bool Undo();
  bool Redo();
  // Ends a stroke: successive moves of one thing are undone together up to here.
  void NewStroke() { stroke_.clear(); }

  // Errors of everything below: kOutOfRange with one sentence; nothing has changed then.

  // Units off the new board go to its nearest square; markers keep their distances from the
  // corners.
  Status SetBoard(int columns, int rows, double square_in);
  Status SetMarkers(bool wanted);
  // Places a marker that does not lie at its usual corner; centre in inches.
  Status SetMarker(int id, Vec2 centre);

  // Corners in order, either way round. Returns the index of the new area.
  Result<int> AddTerrain(const std::string& type, Polygon corners);
  Status SetTerrainType(int area, const std::string& type);
  Status SetTerrainHeight(int area, double height_in);
  Status MoveTerrain(int area, Vec2 by);
  Status RemoveTerrain(int area);
  Status MoveCorner(int area, int corner, Vec2 to);
  // Adds a tree to the terrain at that place, or as a small wood of its own. Returns the index of
  // the area, whose last object it is.
  Result<int> AddTree(Vec2 at, double radius_in, double height_in);
  Status SetTreeHeight(int area, double height_in);  // of that last object
  // Behind that corner. Returns the new corner's index.
  Result<int> InsertCorner(int area, int after, Vec2 at);
  Status RemoveCorner(int area, int corner);

  Status SetRuleset(const std::string& name);
  Status SetName(const std::string& name);
  Status SetTurns(std::optional<int> turns);
  Status RenameSide(int side, const std::string& name);
  Status SetPaint(int side, Colour paint);
  // Without a square it goes to the free one nearest its side's edge. Returns the unit's index.
  Result<int> AddUnit(int side, std::size_t troop, std::optional<SquareIndex> square = {});
  // Places a whole army list as printed, from the middle of the side's edge outwards, a unit or
  // battery to a square. One change.
  Status AddArmy(int side, const std::string& list);
  Status MoveUnit(int unit, SquareIndex to);
  Status TurnUnit(int unit, int eighths);  // clockwise
  Status SetStands(int unit, int stands);
  Status RemoveUnit(int unit);

  // scenario.toml as it would be written. It is parsed again as a check.
  // errors  what the reader refuses.
  Result<std::string> ScenarioFile() const;
  // Writes the files as WriteSetup does. errors  as above; kIo.
  Status Save(const std::filesystem::path& folder);

 private:
  struct Kept {
    TableSpec table;
    Scenario scenario;
  };
  // Makes a change on a copy and keeps it when `change` succeeds. Successive changes of the same
  // `stroke` are undone together; an empty stroke stands alone.
  Status Change(const std::string& stroke, const std::function<Status(Kept&)>& change);
  void Refresh();
  static int KindFor(Kept& plan, const Troop& troop);
  std::string IdFor(const Kept& plan, int side, const std::string& kind) const;
  // The free square nearest that edge, from the middle outwards; nullopt: there is none.
  static std::optional<SquareIndex> FreeSquare(const Kept& plan, Facing edge);
  Status PutUnit(Kept& plan, int side, const Troop& troop, int stands, SquareIndex square) const;
  void FindFaults();

  Kept plan_;
  std::string added_;  // keys of [scenario] that this class does not know: saved as they were
  std::vector<Kept> before_;
  std::vector<Kept> after_;
  std::string stroke_;
  std::size_t version_ = 1;
  std::size_t saved_ = 1;
  std::filesystem::path saved_in_;
  std::string troops_of_;  // rule set
  std::vector<Troop> troops_;
  std::vector<std::string> armies_;
  std::vector<std::string> faults_;
  std::shared_ptr<const std::vector<StandObservation>> stands_;
};

}  // namespace fos
