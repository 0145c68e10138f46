// SPDX-License-Identifier: MIT
#include "tests/support/closefire_game.h"

#include <algorithm>

#include <fmt/format.h>

#include "engine/game/line_words.h"

namespace fos::closefire::test {

const Tables& ShippedTables() {
  static const Tables kTables = ReadRules({})->tables;
  return kTables;
}

namespace {
const Settings& ShippedSettings() {
  static const Settings kSettings = ReadRules({})->settings;
  return kSettings;
}
}  // namespace

Game::Game() {
  setup.tables = ShippedTables();
  setup.settings = ShippedSettings();
  setup.sides = {"Blue", "Red"};
  setup.length_yd = 2000;
  setup.width_yd = 1600;
  Share();
}

void Game::Share() { s.setup = std::make_shared<const Setup>(setup); }

int Game::Add(UnitInfo info, int bases, Vec2 front, double facing, Formation formation, int files) {
  const int unit = static_cast<int>(setup.units.size());
  info.id = fmt::format("{}{}", info.side == kBlue ? "B" : "R", unit);
  if (info.parts.empty()) {
    const bool squadrons =
        info.arm == Arm::kHorse || info.arm == Arm::kHussars || info.arm == Arm::kDragoons;
    info.parts =
        squadrons ? std::vector<int>(static_cast<std::size_t>(bases), 1) : std::vector<int>{bases};
  }
  if (info.width_yd == 0) {
    const auto size = NominalBase(setup.tables, info);
    info.width_yd = 20 * size[0];
    info.depth_yd = 20 * (size[1] > 0 ? size[1] : size[0]);
  }
  Unit u;
  for (std::size_t part = 0; part < info.parts.size(); ++part)
    for (int i = 0; i < info.parts[part]; ++i) {
      BaseState base;
      base.part = static_cast<std::int8_t>(part);
      base.command = i == 0;
      u.bases.Edit().push_back(base);
    }
  u.Put(Of::kFormation, static_cast<int>(formation));
  setup.units.push_back(info);
  s.units.push_back(u);
  Share();
  const Formation as = formation == Formation::kUnformed ? Formation::kLine : formation;
  s.units.back().bases = Arranged(s, unit, as, front, facing, files);
  return unit;
}

int Game::Foot(int side, Grade grade, int bases, Vec2 front, double facing, bool new_style) {
  UnitInfo info;
  info.side = side;
  info.grade = grade;
  info.new_style = new_style;
  info.width_yd = 20;
  info.depth_yd = new_style ? 15 : 20;
  return Add(info, bases, front, facing, Formation::kLine);
}
int Game::Horse(int side, Grade grade, int bases, Vec2 front, double facing, bool new_style,
                int files) {
  UnitInfo info;
  info.side = side;
  info.arm = Arm::kHorse;
  info.grade = grade;
  info.new_style = new_style;
  info.width_yd = 20;
  info.depth_yd = 25;
  return Add(info, bases, front, facing, Formation::kLine, files);
}
int Game::Hussars(int side, Grade grade, int bases, Vec2 front, double facing) {
  UnitInfo info;
  info.side = side;
  info.arm = Arm::kHussars;
  info.grade = grade;
  return Add(info, bases, front, facing, Formation::kUnformed);
}
int Game::Dragoons(int side, Grade grade, int bases, Vec2 front, double facing, bool mounted) {
  UnitInfo info;
  info.side = side;
  info.arm = Arm::kDragoons;
  info.grade = grade;
  const int unit =
      Add(info, bases, front, facing, mounted ? Formation::kLine : Formation::kUnformed);
  Put(unit, Of::kMounted, mounted ? 1 : 0);
  return unit;
}
int Game::Gun(int side, GunClass gun, Vec2 front, double facing, bool limbered) {
  UnitInfo info;
  info.side = side;
  info.arm = Arm::kGun;
  info.gun = gun;
  return Add(info, 1, front, facing, limbered ? Formation::kLimbered : Formation::kUnlimbered);
}

int Game::Leader(int side, Rank rank, Vec2 at, std::optional<LeaderId> superior) {
  LeaderInfo info;
  info.id = fmt::format("L{}", setup.leaders.size());
  info.side = side;
  info.rank = rank;
  info.superior = superior;
  setup.leaders.push_back(info);
  closefire::Leader leader;
  leader.Put(By::kX, Milli(at.x));
  leader.Put(By::kY, Milli(at.y));
  s.leaders.push_back(leader);
  Share();
  return static_cast<int>(setup.leaders.size()) - 1;
}
void Game::Commands(int leader, int unit) {
  UnitInfo& info = setup.units[static_cast<std::size_t>(unit)];
  info.commander = leader;
  Share();
}
void Game::Attach(int leader, int unit) {
  const Vec2 front = Front(unit);
  PutLeader(leader, By::kAttached, unit + 1);
  PutLeader(leader, By::kX, Milli(front.x));
  PutLeader(leader, By::kY, Milli(front.y));
}
void Game::Ground(Terrain terrain) {
  setup.terrain.push_back(std::move(terrain));
  Share();
}

void Game::Start(Phase phase, int side) {
  Share();
  s.turn = 2;
  s.phase = phase;
  s.first = s.initiative = s.to_act = side;
  if (phase == Phase::kResponses) s.initiative = 1 - side;
  if (phase > Phase::kCommand)
    for (std::size_t u = 0; u < s.units.size(); ++u)
      if (Is(static_cast<int>(u), Of::kControl) == 0)
        Put(static_cast<int>(u), Of::kControl, Control::kControlled);
}
void Game::Put(int unit, Of field, int value) {
  s.units[static_cast<std::size_t>(unit)].Put(field, value);
}
void Game::PutLeader(int leader, By field, int value) {
  s.leaders[static_cast<std::size_t>(leader)].Put(field, value);
}

std::string Game::Do(const std::string& line) {
  Action action;
  try {
    action = ParseLine(s, line);
  } catch (const UnreadableLine& e) {
    return e.why;
  }
  std::vector<Event> events;
  const State before = s;
  if (const auto refused = Act(s, action, events)) {
    because = refused->because;
    return refused->clause;
  }
  // The state must always equal the fold of the events.
  State folded = before;
  for (const Event& event : events) ApplyTo(folded, event);
  if (!SameGame(folded, s)) return "the events do not fold to the state";
  for (const Event& event : events) {
    if (!event.text.empty() && event.what == What::kTold) told.push_back(event.text);
    if (!event.clause.empty()) clauses.push_back(event.clause);
  }
  return "";
}
bool Game::Told(std::string_view part) const {
  return std::any_of(told.begin(), told.end(),
                     [&](const std::string& t) { return t.find(part) != std::string::npos; });
}
bool Game::ToldClause(std::string_view clause) const {
  return std::find(clauses.begin(), clauses.end(), clause) != clauses.end();
}

Polygon Box(double x0, double y0, double x1, double y1) {
  return {{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}};
}

}  // namespace fos::closefire::test
