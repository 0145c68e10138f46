// SPDX-License-Identifier: MIT
#include "ui/setup/setup_controller.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <map>
#include <numbers>
#include <set>

#include <fmt/format.h>

#include "engine/files/scenario_file.h"
#include "engine/files/table_file.h"
#include "engine/rules/rule_sets.h"
#include "engine/table/sentence.h"
#include "ui/setup/drawn_up.h"
#include "ui/setup/new_battle.h"
#include "ui/setup/setup_files.h"

namespace fos {
namespace {

constexpr std::size_t kMostUndone = 200;
constexpr int kMostAreas = 500;
constexpr int kMostUnits = 500;
constexpr int kMostStands = 60;          // of one unit: no square holds more
constexpr double kOffBoard_in = 24;      // the limit of scenario.toml
constexpr double kMostHeight_in = 24;    // the same
constexpr double kLeastArea_in2 = 0.05;  // a smaller outline is a slip of the hand

Status Refuse(std::string why) { return Error{ErrorCode::kOutOfRange, std::move(why)}; }

// To a hundredth of an inch: a picture shows no more, and files stay readable.
Vec2 Rounded(Vec2 p) { return {std::round(p.x * 100) / 100, std::round(p.y * 100) / 100}; }

Status OnTable(const TableFrame& frame, Vec2 p) {
  // Written so that NaN is refused.
  const bool within = p.x >= -kOffBoard_in && p.x <= frame.Width() + kOffBoard_in &&
                      p.y >= -kOffBoard_in && p.y <= frame.Depth() + kOffBoard_in;
  return within ? Ok() : Refuse("terrain may lie at most 24 in off the board");
}

Status GoodOutline(const TableFrame& frame, const Polygon& polygon) {
  if (polygon.size() < 3) return Refuse("an outline needs at least three corners");
  for (const Vec2 p : polygon) {
    if (Status on = OnTable(frame, p); !on.ok()) return on;
  }
  if (!(std::abs(Area(polygon)) >= kLeastArea_in2)) {
    return Refuse("these corners lie on one line; move one to give the outline an area");
  }
  return Ok();
}

// Whole armies before the parts that they are built from.
std::vector<std::string> LargestFirst(const RuleSet& set, std::vector<std::string> lists) {
  std::map<std::string, int> points;
  for (const std::string& list : lists) {
    const Result<ArmyOffer> army = set.army(list, std::nullopt);
    points[list] = army.ok() ? army->points : 0;
  }
  std::stable_sort(lists.begin(), lists.end(), [&](const std::string& a, const std::string& b) {
    return points[a] > points[b];
  });
  return lists;
}

bool IsIn(int index, std::size_t size) {
  return index >= 0 && static_cast<std::size_t>(index) < size;
}
Status NoSuch(const char* what) { return Refuse(fmt::format("no such {}", what)); }

Status GoodText(const std::string& text, const char* what, bool may_be_empty) {
  if (text.empty() && !may_be_empty) return Refuse(fmt::format("{} needs a name", what));
  if (text.size() > 100) return Refuse(fmt::format("{} may have at most 100 letters", what));
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      return Refuse(fmt::format("{} has characters that cannot be shown", what));
    }
  }
  return Ok();
}

// Bar colours that a camera can tell apart: those of the sample clip, then three more.
constexpr std::array<Colour, 12> kBars = {{{0xf2, 0xf2, 0xea},
                                           {0xe0, 0x7b, 0x28},
                                           {0x15, 0x15, 0x15},
                                           {0x7c, 0xc8, 0x50},
                                           {0xe8, 0xe0, 0x4a},
                                           {0x9a, 0x3f, 0xa8},
                                           {0xef, 0x8f, 0xb8},
                                           {0x7b, 0x5a, 0x3a},
                                           {0xd9, 0xb0, 0x2c},
                                           {0x58, 0xc8, 0xd8},
                                           {0x8a, 0x8f, 0x98},
                                           {0x1e, 0x6e, 0x50}}};
constexpr double kThickness_in = 0.1;
constexpr double kBarDepth_in = 0.18;

Facing Opposite(Facing edge) { return static_cast<Facing>((static_cast<int>(edge) + 4) % 8); }

bool Cross(Vec2 a, Vec2 b, Vec2 c, Vec2 d) {
  const auto side = [](Vec2 p, Vec2 q, Vec2 r) {
    return (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x);
  };
  return side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0;
}

}  // namespace

bool CrossesItself(const Polygon& polygon) {
  const std::size_t n = polygon.size();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = i + 2; k < n; ++k) {
      if (i == 0 && k + 1 == n) continue;  // neighbours share a corner
      if (Cross(polygon[i], polygon[i + 1], polygon[k], polygon[(k + 1) % n])) return true;
    }
  }
  return false;
}

const std::vector<std::string>& SetupController::TerrainTypes() {
  static const std::vector<std::string> kTypes = {"wood",  "house", "road",   "river",
                                                  "hill",  "field", "bridge", "wall",
                                                  "rocks", "marsh", "fort"};
  return kTypes;
}

const std::vector<std::string>& SetupController::Rulesets() {
  static const std::vector<std::string> kNames = [] {
    std::vector<std::string> names;
    for (const RuleSet& set : RuleSets()) names.emplace_back(set.name);
    return names;
  }();
  return kNames;
}

const std::vector<Colour>& SetupController::Paints() {
  // Far apart in hue, then in lightness; none near the green and brown of common cloths.
  static const std::vector<Colour> kPaints = {
      {0x2f, 0x4f, 0xa8}, {0xb0, 0x30, 0x28}, {0xe0, 0xb8, 0x28}, {0xe8, 0xe8, 0xe4},
      {0x78, 0x3c, 0x82}, {0xd8, 0x74, 0x20}, {0x20, 0x22, 0x28}, {0x5a, 0xa0, 0xd0}};
  return kPaints;
}

SetupController::SetupController() : SetupController(NewTable(), NewScenario()) {}

SetupController::SetupController(TableSpec table, Scenario scenario)
    : plan_{std::move(table), std::move(scenario)} {
  Refresh();
}

Result<SetupController> SetupController::Open(const std::filesystem::path& table,
                                              const std::filesystem::path& scenario) {
  TableSpec spec = NewTable();
  if (!table.empty()) {
    Result<TableSpec> read = ReadTable(table);
    if (!read.ok()) return read.error();
    spec = std::move(read).value();
  }
  if (scenario.empty()) return SetupController(std::move(spec), NewScenario());
  Result<Scenario> plan = ReadScenarioUnderRules(scenario, spec.frame);
  if (!plan.ok()) return plan.error();
  Result<std::string> added = AddedToScenario(scenario);
  if (!added.ok()) return added.error();
  SetupController controller(std::move(spec), std::move(plan).value());
  controller.added_ = std::move(added).value();
  return controller;
}

Status SetupController::Change(const std::string& stroke,
                               const std::function<Status(Kept&)>& change) {
  Kept next = plan_;
  if (Status made = change(next); !made.ok()) return made;
  if (stroke.empty() || stroke != stroke_) {
    before_.push_back(plan_);
    if (before_.size() > kMostUndone) before_.erase(before_.begin());
  }
  stroke_ = stroke;
  after_.clear();
  plan_ = std::move(next);
  ++version_;
  Refresh();
  return Ok();
}

bool SetupController::Undo() {
  if (before_.empty()) return false;
  after_.push_back(std::move(plan_));
  plan_ = std::move(before_.back());
  before_.pop_back();
  stroke_.clear();
  ++version_;
  Refresh();
  return true;
}

bool SetupController::Redo() {
  if (after_.empty()) return false;
  before_.push_back(std::move(plan_));
  plan_ = std::move(after_.back());
  after_.pop_back();
  stroke_.clear();
  ++version_;
  Refresh();
  return true;
}

void SetupController::Refresh() {
  if (troops_of_ != plan_.scenario.ruleset) {
    troops_of_ = plan_.scenario.ruleset;
    troops_.clear();
    const RuleSet* set = FindRuleSet(troops_of_);
    if (set != nullptr && set->troops != nullptr) {
      Result<std::vector<Troop>> troops = set->troops(plan_.scenario.club);
      if (troops.ok()) troops_ = std::move(troops).value();
    }
    armies_.clear();
    if (set != nullptr && set->army_lists != nullptr) {
      const Result<std::vector<std::string>> lists = set->army_lists();
      if (lists.ok()) armies_ = LargestFirst(*set, *lists);
    }
  }
  stands_ = std::make_shared<const std::vector<StandObservation>>(
      DrawnUp(plan_.scenario, plan_.table.frame));
  FindFaults();
}

double SetupController::PointsOf(const UnitSpec& unit) const {
  const std::string& kind = plan_.scenario.kinds.at(static_cast<std::size_t>(unit.kind)).name;
  for (const Troop& troop : troops_) {
    if (troop.id == kind) return troop.points * unit.stands;
  }
  return 0;
}

double SetupController::PointsOf(int side) const {
  double points = 0;
  for (const UnitSpec& unit : plan_.scenario.units) {
    if (unit.side == side) points += PointsOf(unit);
  }
  return points;
}

void SetupController::FindFaults() {
  faults_.clear();
  const Scenario& plan = plan_.scenario;
  const TableFrame& frame = plan_.table.frame;
  if (troops_.empty()) {
    faults_.push_back(
        fmt::format("the army lists of the {} rules cannot be read", RuleSetTitle(plan.ruleset)));
  }
  std::set<std::string> strangers;
  for (const UnitSpec& unit : plan.units) {
    const std::string& kind = plan.kinds.at(static_cast<std::size_t>(unit.kind)).name;
    const bool known = std::any_of(troops_.begin(), troops_.end(),
                                   [&](const Troop& troop) { return troop.id == kind; });
    if (!known && !troops_.empty() && strangers.insert(kind).second) {
      faults_.push_back(fmt::format("{} is of a kind that the {} rules do not have ({}); remove it",
                                    unit.id, RuleSetTitle(plan.ruleset), KeyInWords(kind)));
    }
  }
  const RuleSet* set = FindRuleSet(plan.ruleset);
  const bool asks_rules = set != nullptr && set->check_setup != nullptr;
  std::map<std::pair<int, int>, std::pair<std::set<int>, double>> squares;  // sides, depth
  for (const UnitSpec& unit : plan.units) {
    const KindSpec& kind = plan.kinds.at(static_cast<std::size_t>(unit.kind));
    auto& [sides, depth] = squares[{unit.square.row, unit.square.column}];
    sides.insert(unit.side);
    depth += DepthDrawnUp(unit.stands, kind.footprint, frame.square_in);
  }
  for (const auto& [key, square] : squares) {
    const std::string name = SquareName({key.second, key.first});
    if (square.first.size() > 1 && !asks_rules) {
      faults_.push_back(fmt::format("both sides stand in {}; move one of them", name));
    } else if (square.second > frame.square_in + kBaseGap_in) {
      faults_.push_back(fmt::format("the bases in {} need more room than the square has", name));
    }
  }
  if (asks_rules && strangers.empty() && !plan.units.empty()) {
    const Result<std::vector<std::string>> said = CheckSetupUnderRules(*stands_, plan, frame);
    if (!said.ok()) {
      faults_.push_back(said.error().message);
    } else {
      faults_.insert(faults_.end(), said->begin(), said->end());
    }
  }
  for (std::size_t side = 0; side < plan.sides.size(); ++side) {
    const bool any = std::any_of(plan.units.begin(), plan.units.end(), [&](const UnitSpec& unit) {
      return static_cast<std::size_t>(unit.side) == side;
    });
    if (!any) faults_.push_back(fmt::format("{} has no troops yet", plan.sides[side].name));
  }
  for (const TerrainArea& area : plan.terrain) {
    if (CrossesItself(area.polygon)) {
      faults_.push_back(
          fmt::format("the outline of a {} crosses itself; move a corner", area.type));
    }
  }
}

Status SetupController::SetBoard(int columns, int rows, double square_in) {
  return Change("board", [&](Kept& next) -> Status {
    if (columns < 1 || columns > 200 || rows < 1 || rows > 200) {
      return Refuse("a board must have 1 to 200 squares each way");
    }
    if (columns * rows > kMostSquaresOfBoard)
      return Refuse(fmt::format("a board can have at most {} squares", kMostSquaresOfBoard));
    if (!(square_in >= 0.25 && square_in <= 48))
      return Refuse("a square must be 0.25 to 48 in wide");
    if (std::max(columns, rows) * square_in > 480)
      return Refuse("a board can be at most 480 in long");
    const TableFrame old = next.table.frame;
    next.table.frame = {columns, rows, square_in};
    const TableFrame& frame = next.table.frame;
    if (next.table.fiducials) {
      for (FiducialMarker& marker : next.table.fiducials->markers) {
        if (marker.centre.x > old.Width() / 2) marker.centre.x += frame.Width() - old.Width();
        if (marker.centre.y > old.Depth() / 2) marker.centre.y += frame.Depth() - old.Depth();
      }
    }
    for (TraySpec& tray : next.table.trays) {
      if (tray.centre.x > old.Width() / 2) tray.centre.x += frame.Width() - old.Width();
      if (tray.centre.y > old.Depth() / 2) tray.centre.y += frame.Depth() - old.Depth();
    }
    if (const auto fault = TrayFault(next.table)) return Refuse(*fault);
    for (UnitSpec& unit : next.scenario.units) {
      unit.square.column = std::min(unit.square.column, columns - 1);
      unit.square.row = std::min(unit.square.row, rows - 1);
    }
    for (TerrainArea& area : next.scenario.terrain) {
      if (Status good = GoodOutline(frame, area.polygon); !good.ok()) {
        return Refuse(fmt::format("a {} would lie off that board; remove it first", area.type));
      }
    }
    return Ok();
  });
}

Status SetupController::SetMarkers(bool wanted) {
  return Change("", [&](Kept& next) -> Status {
    next.table.fiducials.reset();
    if (wanted) {
      next.table.fiducials = FiducialSpec{"DICT_4X4_50", 2.0, CornerMarkers(next.table.frame)};
    }
    if (const auto fault = TrayFault(next.table)) return Refuse(*fault);
    return Ok();
  });
}

Status SetupController::SetMarker(int id, Vec2 centre) {
  // Further away no camera would see board and marker in one picture.
  constexpr double kFarthest_in = 24;
  const TableFrame& frame = plan_.table.frame;
  if (!(centre.x >= -kFarthest_in && centre.x <= frame.Width() + kFarthest_in &&
        centre.y >= -kFarthest_in && centre.y <= frame.Depth() + kFarthest_in)) {
    return Refuse("a marker must lie within 24 in of the board");
  }
  return Change(fmt::format("marker {}", id), [&](Kept& next) -> Status {
    if (!next.table.fiducials) return Refuse("this table has no markers; press M first");
    for (FiducialMarker& marker : next.table.fiducials->markers) {
      if (marker.id != id) continue;
      marker.centre = centre;
      if (const auto fault = TrayFault(next.table)) return Refuse(*fault);
      return Ok();
    }
    return Refuse(fmt::format("there is no marker {}", id));
  });
}

Result<int> SetupController::AddTree(Vec2 at, double radius_in, double height_in) {
  if (!(radius_in > 0 && radius_in <= kMostHeight_in && height_in >= 0 &&
        height_in <= kMostHeight_in)) {
    return Refuse("a tree may be at most 24 in wide and high").error();
  }
  TerrainObject tree;
  tree.type = "tree";
  tree.circle = Circle{Rounded(at), radius_in};
  tree.height_in = height_in;
  int area = -1;
  const Status made = Change("", [&](Kept& next) -> Status {
    std::vector<TerrainArea>& terrain = next.scenario.terrain;
    for (std::size_t i = 0; i < terrain.size(); ++i) {
      if (Contains(terrain[i].polygon, at)) area = static_cast<int>(i);
    }
    if (area >= 0) {
      terrain[static_cast<std::size_t>(area)].objects.push_back(tree);
      return Ok();
    }
    if (terrain.size() >= kMostAreas) return Refuse("there is no room for more terrain");
    // Outside all terrain it gets a small wood with eight corners.
    Polygon outline;
    for (int i = 0; i < 8; ++i) {
      const double angle = i * std::numbers::pi / 4;
      outline.push_back(Rounded(at + radius_in * Vec2{std::cos(angle), std::sin(angle)}));
    }
    if (Status good = GoodOutline(next.table.frame, outline); !good.ok()) return good;
    terrain.push_back({"wood", std::move(outline), 0, {tree}});
    area = static_cast<int>(terrain.size()) - 1;
    return Ok();
  });
  if (!made.ok()) return made.error();
  return area;
}

Status SetupController::SetTreeHeight(int area, double height_in) {
  if (!IsIn(area, plan_.scenario.terrain.size())) return NoSuch("terrain");
  if (!(height_in >= 0 && height_in <= kMostHeight_in)) {
    return Refuse("a height must be 0 to 24 in");
  }
  return Change(fmt::format("tree {}", area), [&](Kept& next) -> Status {
    auto& objects = next.scenario.terrain[static_cast<std::size_t>(area)].objects;
    if (objects.empty()) return NoSuch("tree");
    objects.back().height_in = height_in;
    return Ok();
  });
}

Result<int> SetupController::AddTerrain(const std::string& type, Polygon corners) {
  for (Vec2& corner : corners) corner = Rounded(corner);
  const Status made = Change("", [&](Kept& next) -> Status {
    const auto& types = TerrainTypes();
    if (std::find(types.begin(), types.end(), type) == types.end()) return NoSuch("terrain");
    if (next.scenario.terrain.size() >= kMostAreas)
      return Refuse("there is no room for more terrain");
    if (Status good = GoodOutline(next.table.frame, corners); !good.ok()) return good;
    next.scenario.terrain.push_back({type, std::move(corners), 0, {}});
    return Ok();
  });
  if (!made.ok()) return made.error();
  return static_cast<int>(plan_.scenario.terrain.size()) - 1;
}

Status SetupController::SetTerrainType(int area, const std::string& type) {
  const auto& types = TerrainTypes();
  if (!IsIn(area, plan_.scenario.terrain.size())) return NoSuch("terrain");
  if (std::find(types.begin(), types.end(), type) == types.end()) return NoSuch("kind of terrain");
  return Change("", [&](Kept& next) {
    next.scenario.terrain[static_cast<std::size_t>(area)].type = type;
    return Ok();
  });
}

Status SetupController::SetTerrainHeight(int area, double height_in) {
  if (!IsIn(area, plan_.scenario.terrain.size())) return NoSuch("terrain");
  if (!(height_in >= 0 && height_in <= kMostHeight_in)) {
    return Refuse("a height must be 0 to 24 in");
  }
  return Change(fmt::format("height {}", area), [&](Kept& next) {
    next.scenario.terrain[static_cast<std::size_t>(area)].height_in = height_in;
    return Ok();
  });
}

Status SetupController::MoveTerrain(int area, Vec2 by) {
  if (!IsIn(area, plan_.scenario.terrain.size())) return NoSuch("terrain");
  return Change(fmt::format("move {}", area), [&](Kept& next) -> Status {
    TerrainArea& moved = next.scenario.terrain[static_cast<std::size_t>(area)];
    const auto move = [&](Vec2& p) { p = Rounded(p + by); };
    for (Vec2& corner : moved.polygon) move(corner);
    for (TerrainObject& object : moved.objects) {
      if (object.circle) move(object.circle->centre);
      for (Vec2& corner : object.polygon) move(corner);
    }
    return GoodOutline(next.table.frame, moved.polygon);
  });
}

Status SetupController::RemoveTerrain(int area) {
  if (!IsIn(area, plan_.scenario.terrain.size())) return NoSuch("terrain");
  return Change("", [&](Kept& next) {
    next.scenario.terrain.erase(next.scenario.terrain.begin() + area);
    return Ok();
  });
}

Status SetupController::MoveCorner(int area, int corner, Vec2 to) {
  if (!IsIn(area, plan_.scenario.terrain.size())) return NoSuch("terrain");
  if (!IsIn(corner, plan_.scenario.terrain[static_cast<std::size_t>(area)].polygon.size())) {
    return NoSuch("corner");
  }
  return Change(fmt::format("corner {} {}", area, corner), [&](Kept& next) -> Status {
    Polygon& polygon = next.scenario.terrain[static_cast<std::size_t>(area)].polygon;
    polygon[static_cast<std::size_t>(corner)] = Rounded(to);
    return GoodOutline(next.table.frame, polygon);
  });
}

Result<int> SetupController::InsertCorner(int area, int after, Vec2 at) {
  if (!IsIn(area, plan_.scenario.terrain.size())) return NoSuch("terrain").error();
  const Polygon& now = plan_.scenario.terrain[static_cast<std::size_t>(area)].polygon;
  if (!IsIn(after, now.size())) return NoSuch("corner").error();
  const Status made = Change("", [&](Kept& next) -> Status {
    Polygon& polygon = next.scenario.terrain[static_cast<std::size_t>(area)].polygon;
    constexpr std::size_t kMostCorners = 500;
    if (polygon.size() >= kMostCorners) return Refuse("an outline can have at most 500 corners");
    polygon.insert(polygon.begin() + after + 1, Rounded(at));
    return GoodOutline(next.table.frame, polygon);
  });
  if (!made.ok()) return made.error();
  return after + 1;
}

Status SetupController::RemoveCorner(int area, int corner) {
  if (!IsIn(area, plan_.scenario.terrain.size())) return NoSuch("terrain");
  if (!IsIn(corner, plan_.scenario.terrain[static_cast<std::size_t>(area)].polygon.size())) {
    return NoSuch("corner");
  }
  return Change("", [&](Kept& next) -> Status {
    Polygon& polygon = next.scenario.terrain[static_cast<std::size_t>(area)].polygon;
    if (polygon.size() <= 3)
      return Refuse("an outline needs at least three corners; remove the whole piece instead");
    polygon.erase(polygon.begin() + corner);
    return GoodOutline(next.table.frame, polygon);
  });
}

Status SetupController::SetRuleset(const std::string& name) {
  if (std::find(Rulesets().begin(), Rulesets().end(), name) == Rulesets().end()) {
    return NoSuch("rule set");
  }
  return Change("", [&](Kept& next) {
    if (next.scenario.ruleset == name) return Ok();
    next.scenario.ruleset = name;
    // A club's own tables and settings, and the dice, belong to one rule set.
    next.scenario.club = {};
    TakeUsualDice(next.scenario);
    return Ok();
  });
}

Status SetupController::SetName(const std::string& name) {
  if (Status good = GoodText(name, "a battle", /*may_be_empty=*/true); !good.ok()) return good;
  return Change("name", [&](Kept& next) {
    next.scenario.name = name;
    return Ok();
  });
}

Status SetupController::SetTurns(std::optional<int> turns) {
  if (turns && (*turns < 1 || *turns > 1000)) return Refuse("a battle must have 1 to 1000 turns");
  return Change("turns", [&](Kept& next) {
    next.scenario.turns = turns;
    return Ok();
  });
}

Status SetupController::RenameSide(int side, const std::string& name) {
  if (!IsIn(side, plan_.scenario.sides.size())) return NoSuch("side");
  if (Status good = GoodText(name, "a side", /*may_be_empty=*/false); !good.ok()) return good;
  for (std::size_t i = 0; i < plan_.scenario.sides.size(); ++i) {
    if (static_cast<int>(i) != side && plan_.scenario.sides[i].name == name) {
      return Refuse(fmt::format("the other side is already called {}", name));
    }
  }
  return Change(fmt::format("side {}", side), [&](Kept& next) {
    next.scenario.sides[static_cast<std::size_t>(side)].name = name;
    return Ok();
  });
}

Status SetupController::SetPaint(int side, Colour paint) {
  if (!IsIn(side, plan_.scenario.sides.size())) return NoSuch("side");
  return Change("", [&](Kept& next) {
    next.scenario.sides[static_cast<std::size_t>(side)].paint = paint;
    return Ok();
  });
}

int SetupController::KindFor(Kept& plan, const Troop& troop) {
  std::vector<KindSpec>& kinds = plan.scenario.kinds;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    if (kinds[i].name == troop.id) return static_cast<int>(i);
  }
  KindSpec kind;
  kind.name = troop.id;
  kind.footprint = troop.footprint;
  kind.thickness_in = kThickness_in;
  kind.bar_depth_in = std::min(kBarDepth_in, troop.footprint.depth_in);
  kind.figures_height_in = troop.figures_height_in;
  kind.equipment = troop.equipment;
  const auto taken = [&](Colour bar) {
    return std::any_of(kinds.begin(), kinds.end(),
                       [&](const KindSpec& one) { return one.bar == bar; });
  };
  const auto free = std::find_if_not(kBars.begin(), kBars.end(), taken);
  kind.bar = free != kBars.end() ? *free : kBars[kinds.size() % kBars.size()];
  kinds.push_back(std::move(kind));
  return static_cast<int>(kinds.size()) - 1;
}

// "B-LI3": as many first letters of the side as tell it from the others, the kind's initials, and
// the first free number.
std::string SetupController::IdFor(const Kept& plan, int side, const std::string& kind) const {
  const std::string& name = plan.scenario.sides[static_cast<std::size_t>(side)].name;
  std::size_t letters = 1;
  for (std::size_t i = 0; i < plan.scenario.sides.size(); ++i) {
    if (static_cast<int>(i) == side) continue;
    const std::string& other = plan.scenario.sides[i].name;
    while (letters < name.size() && other.compare(0, letters, name, 0, letters) == 0) ++letters;
  }
  std::string initials;
  for (std::size_t i = 0; i < kind.size(); ++i) {
    if (i == 0 || kind[i - 1] == '_') {
      initials += static_cast<char>(std::toupper(static_cast<unsigned char>(kind[i])));
    }
  }
  std::string first = name.substr(0, letters);
  std::replace(first.begin(), first.end(), '#', '-');
  for (int number = 1;; ++number) {
    std::string id = fmt::format("{}-{}{}", first, initials, number);
    const bool taken = std::any_of(plan.scenario.units.begin(), plan.scenario.units.end(),
                                   [&](const UnitSpec& unit) { return unit.id == id; });
    if (!taken) return id;
  }
}

std::optional<SquareIndex> SetupController::FreeSquare(const Kept& plan, Facing edge) {
  const TableFrame& frame = plan.table.frame;
  const bool along = edge == Facing::kNorth || edge == Facing::kSouth;
  const int wide = along ? frame.columns : frame.rows;
  const int deep = along ? frame.rows : frame.columns;
  for (int back = 0; back < deep; ++back) {
    const int row = edge == Facing::kSouth || edge == Facing::kWest ? back : deep - 1 - back;
    for (int n = 0; n < wide; ++n) {
      const int at = wide / 2 + (n + 1) / 2 * (n % 2 == 0 ? 1 : -1);
      if (at < 0 || at >= wide) continue;
      const SquareIndex one = along ? SquareIndex{at, row} : SquareIndex{row, at};
      const bool taken = std::any_of(plan.scenario.units.begin(), plan.scenario.units.end(),
                                     [&](const UnitSpec& unit) { return unit.square == one; });
      if (!taken) return one;
    }
  }
  return std::nullopt;
}

Status SetupController::PutUnit(Kept& plan, int side, const Troop& troop, int stands,
                                SquareIndex square) const {
  if (plan.scenario.units.size() >= kMostUnits) return Refuse("there is no room for more units");
  UnitSpec unit;
  unit.kind = KindFor(plan, troop);
  unit.id = IdFor(plan, side, troop.id);
  unit.side = side;
  unit.stands = stands;
  unit.square = square;
  unit.facing = Opposite(plan.scenario.sides[static_cast<std::size_t>(side)].baseline);
  plan.scenario.units.push_back(std::move(unit));
  return Ok();
}

Result<int> SetupController::AddUnit(int side, std::size_t troop,
                                     std::optional<SquareIndex> square) {
  if (!IsIn(side, plan_.scenario.sides.size())) return NoSuch("side").error();
  if (troop >= troops_.size()) return NoSuch("troop").error();
  if (!square) {
    square = FreeSquare(plan_, plan_.scenario.sides[static_cast<std::size_t>(side)].baseline);
    if (!square) return Refuse("every square of the board is occupied").error();
  }
  if (!plan_.table.frame.Contains(*square)) return Refuse("that square is off the board").error();
  const Status made = Change("", [&](Kept& next) -> Status {
    return PutUnit(next, side, troops_[troop], troops_[troop].stands, *square);
  });
  if (!made.ok()) return made.error();
  return static_cast<int>(plan_.scenario.units.size()) - 1;
}

Status SetupController::AddArmy(int side, const std::string& list) {
  if (!IsIn(side, plan_.scenario.sides.size())) return NoSuch("side");
  const RuleSet* set = FindRuleSet(plan_.scenario.ruleset);
  if (set == nullptr || set->army == nullptr) return Refuse("these rules have no army lists");
  const Result<ArmyOffer> army = set->army(list, std::nullopt);
  if (!army.ok()) return army.error();
  return Change("", [&](Kept& next) -> Status {
    const double square_in = next.table.frame.square_in;
    const Facing edge = next.scenario.sides[static_cast<std::size_t>(side)].baseline;
    for (const auto& block : army->blocks) {
      std::optional<SquareIndex> square;
      double depth_in = 0;
      for (const auto& [id, stands] : block) {
        const auto troop = std::find_if(troops_.begin(), troops_.end(),
                                        [&](const Troop& one) { return one.id == id; });
        if (troop == troops_.end())
          return Refuse(fmt::format("the army lists have no {}", KeyInWords(id)));
        // What does not fit into the square (wagons) goes to the next one.
        const double deep_in = DepthDrawnUp(stands, troop->footprint, square_in);
        if (!square || depth_in + deep_in > square_in + kBaseGap_in) {
          square = FreeSquare(next, edge);
          depth_in = 0;
        }
        if (!square) return Refuse("the board has too few free squares for that army");
        depth_in += deep_in;
        if (Status put = PutUnit(next, side, *troop, stands, *square); !put.ok()) return put;
      }
    }
    return Ok();
  });
}

Status SetupController::MoveUnit(int unit, SquareIndex to) {
  if (!IsIn(unit, plan_.scenario.units.size())) return NoSuch("unit");
  if (!plan_.table.frame.Contains(to)) return Refuse("that square is off the board");
  if (plan_.scenario.units[static_cast<std::size_t>(unit)].square == to) return Ok();
  return Change(fmt::format("unit {}", unit), [&](Kept& next) {
    next.scenario.units[static_cast<std::size_t>(unit)].square = to;
    return Ok();
  });
}

Status SetupController::TurnUnit(int unit, int eighths) {
  if (!IsIn(unit, plan_.scenario.units.size())) return NoSuch("unit");
  return Change(fmt::format("turn {}", unit), [&](Kept& next) {
    Facing& facing = next.scenario.units[static_cast<std::size_t>(unit)].facing;
    facing = static_cast<Facing>(((static_cast<int>(facing) + eighths) % 8 + 8) % 8);
    return Ok();
  });
}

Status SetupController::SetStands(int unit, int stands) {
  if (!IsIn(unit, plan_.scenario.units.size())) return NoSuch("unit");
  if (stands < 1 || stands > kMostStands) {
    return Refuse(fmt::format("a unit must have 1 to {} stands", kMostStands));
  }
  return Change(fmt::format("stands {}", unit), [&](Kept& next) {
    next.scenario.units[static_cast<std::size_t>(unit)].stands = stands;
    return Ok();
  });
}

Status SetupController::RemoveUnit(int unit) {
  if (!IsIn(unit, plan_.scenario.units.size())) return NoSuch("unit");
  return Change("", [&](Kept& next) {
    next.scenario.units.erase(next.scenario.units.begin() + unit);
    return Ok();
  });
}

Result<std::string> SetupController::ScenarioFile() const {
  Kept plan = plan_;
  // A scenario must have at least one kind of stand: without troops use the first of the lists.
  if (plan.scenario.kinds.empty() && !troops_.empty()) KindFor(plan, troops_.front());
  std::string text = ScenarioText(plan.scenario, added_);
  const Result<Scenario> again = ParseScenario(text, "scenario.toml", plan.table.frame);
  if (!again.ok()) return again.error();
  return text;
}

Status SetupController::Save(const std::filesystem::path& folder) {
  const Result<std::string> scenario = ScenarioFile();
  if (!scenario.ok()) return scenario.error();
  if (Status written = WriteSetup(folder, TableText(plan_.table), *scenario, plan_.scenario.club);
      !written.ok()) {
    return written;
  }
  saved_ = version_;
  saved_in_ = folder;
  stroke_.clear();
  return Ok();
}

}  // namespace fos
