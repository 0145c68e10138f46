#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/rules/troops.h"
#include "engine/table/observation.h"
#include "engine/table/result.h"
#include "engine/table/scenario.h"

namespace fos {

// Where every stand of the scenario stands when its units are drawn up in their squares: two or
// more abreast, rank behind rank, units of one square one behind the other. Exact, as nothing was
// measured.
std::vector<StandObservation> DrawnUp(const Scenario& scenario, const TableFrame& frame);

// Does the outline cross itself? Such a polygon has no inside that people would agree on.
bool CrossesItself(const Polygon& polygon);

// A table and the battle on it before it is fought: what a club sets up by picture. Every change is
// checked as it is made and can be taken back; nothing is drawn here.
class SetupController {
 public:
  // The names table.toml and scenario.toml know, in the order they are offered.
  static const std::vector<std::string>& TerrainTypes();
  static const std::vector<std::string>& Rulesets();
  // Paints far apart on common cloths, for the tops of bases.
  static const std::vector<Colour>& Paints();

  // A board of 12 x 9 four-inch squares with markers at its corners, two sides, no troops: the
  // contract's own example.
  SetupController();
  SetupController(TableSpec table, Scenario scenario);
  // From files; an empty path leaves that part as SetupController() has it.
  // errors  those of ReadTable and ReadScenario.
  static Result<SetupController> Open(const std::filesystem::path& table,
                                      const std::filesystem::path& scenario);

  const TableSpec& Table() const { return plan_.table; }
  const Scenario& Plan() const { return plan_.scenario; }
  // Drawn up anew after every change; never null.
  std::shared_ptr<const std::vector<StandObservation>> Stands() const { return stands_; }
  // What the rule set has to offer; empty where its tables cannot be read.
  const std::vector<Troop>& Troops() const { return troops_; }
  // The names of its army lists; empty where it has none.
  const std::vector<std::string>& Armies() const { return armies_; }
  double PointsOf(int side) const;
  double PointsOf(const UnitSpec& unit) const;
  // What is wrong with it, in plain words; by the rule set's own check where it has one.
  const std::vector<std::string>& Faults() const { return faults_; }
  // Counts changes: whoever shows it knows by it whether to draw anew.
  std::size_t Version() const { return version_; }
  bool Unsaved() const { return version_ != saved_; }

  bool Undo();
  bool Redo();
  // What follows is taken back by itself: else one move after another of one thing is one change.
  void NewStroke() { stroke_.clear(); }

  // errors of all that change something  kOutOfRange: one sentence; nothing changed.

  // Units off the new board go to its nearest square; markers keep their distance from the corners.
  Status SetBoard(int columns, int rows, double square_in);
  Status SetMarkers(bool wanted);
  // Where the centre of a marker lies, where that is not a corner as usual.
  Status SetMarker(int id, Vec2 centre);

  // The index of the new area; corners in order, either way round.
  Result<int> AddTerrain(const std::string& type, Polygon corners);
  Status SetTerrainType(int area, const std::string& type);
  Status SetTerrainHeight(int area, double height_in);
  Status MoveTerrain(int area, Vec2 by);
  Status RemoveTerrain(int area);
  Status MoveCorner(int area, int corner, Vec2 to);
  // A tree by itself, or in the piece of terrain it stands on: the index of that piece, whose last
  // object it is.
  Result<int> AddTree(Vec2 at, double radius_in, double height_in);
  Status SetTreeHeight(int area, double height_in);  // of that last object
  // Behind that corner; the new one's index.
  Result<int> InsertCorner(int area, int after, Vec2 at);
  Status RemoveCorner(int area, int corner);

  Status SetRuleset(const std::string& name);
  Status SetName(const std::string& name);
  Status SetTurns(std::optional<int> turns);
  Status RenameSide(int side, const std::string& name);
  Status SetPaint(int side, Colour paint);
  // The index of the new unit. Without a square it goes to the free one nearest its side's edge.
  Result<int> AddUnit(int side, std::size_t troop, std::optional<SquareIndex> square = {});
  // All of an army list, as it is printed, from the middle of the side's edge outwards, a unit or
  // battery to a square; one change, taken back at once.
  Status AddArmy(int side, const std::string& list);
  Status MoveUnit(int unit, SquareIndex to);
  Status TurnUnit(int unit, int eighths);  // clockwise
  Status SetStands(int unit, int stands);
  Status RemoveUnit(int unit);

  // The files as they would be written; scenario.toml is read again before it is given.
  // errors  what its reader refuses.
  Result<std::string> ScenarioFile() const;
  // table.toml and scenario.toml in that folder, which is made where it lacks, with the files of
  // the club's own that the scenario names; neither is written when either cannot be. What lay
  // there with comments in it stays as scenario.toml.before. errors  as above; kIo.
  Status Save(const std::filesystem::path& folder);

 private:
  struct Kept {
    TableSpec table;
    Scenario scenario;
  };
  // Makes a change on a copy and takes it when `change` agrees. Changes of the same `stroke` one
  // after another are taken back together; an empty one stands alone.
  Status Change(const std::string& stroke, const std::function<Status(Kept&)>& change);
  void Settle();
  static int KindFor(Kept& plan, const Troop& troop);
  std::string IdFor(const Kept& plan, int side, const std::string& kind) const;
  // The free square nearest that edge, from its middle outwards; nullopt: there is none.
  static std::optional<SquareIndex> FreeSquare(const Kept& plan, Facing edge);
  Status PutUnit(Kept& plan, int side, const Troop& troop, int stands, SquareIndex square) const;
  void FindFaults();

  Kept plan_;
  std::string added_;  // to the file's [scenario], by a rule set or people: saved as it was
  std::vector<Kept> before_;
  std::vector<Kept> after_;
  std::string stroke_;
  std::size_t version_ = 1;
  std::size_t saved_ = 1;
  std::string troops_of_;  // rule set
  std::vector<Troop> troops_;
  std::vector<std::string> armies_;
  std::vector<std::string> faults_;
  std::shared_ptr<const std::vector<StandObservation>> stands_;
};

}  // namespace fos
