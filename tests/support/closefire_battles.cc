// SPDX-License-Identifier: MIT
#include "tests/support/closefire_battles.h"

#include <cctype>
#include <memory>
#include <string>

#include <fmt/format.h>

#include "engine/game/chance.h"
#include "engine/rules/closefire/roster.h"
#include "tests/support/closefire_game.h"
#include "tests/support/temp_dir.h"

namespace fos::closefire::test {
namespace {

Polygon BoxAt(Vec2 centre, double width, double depth) {
  return Box(centre.x - width / 2, centre.y - depth / 2, centre.x + width / 2,
             centre.y + depth / 2);
}

// Terrain in a strip across the middle, where the armies do not deploy.
void Grounds(Game& g, Generator& chance) {
  for (int i = chance.Below(5); i > 0; --i) {
    Terrain t;
    const Vec2 at{100.0 + chance.Below(600), 260.0 + chance.Below(80)};
    t.outline_yd = BoxAt(at, 60.0 + chance.Below(120), 30.0 + chance.Below(40));
    switch (chance.Below(9)) {
      case 0:
        t.wood = t.rough = true;
        break;
      case 1:
        t.wood = t.rough = t.no_guns_no_cavalry = true;
        break;
      case 2:
        t.town = t.rough = t.no_guns_no_cavalry = true;
        break;
      case 3:
        t.level = 1;
        break;
      case 4:
        t.rough = true;
        break;
      case 5:
        t.obstacle = true;
        t.hard_for_cavalry = chance.Heads();
        t.outline_yd = BoxAt(at, 160, 6);
        break;
      case 6:
        t.works = 1 + chance.Below(2);
        t.outline_yd = BoxAt(at, 100, 8);
        break;
      case 7:
        t.road = true;
        t.outline_yd = BoxAt({at.x, 300}, 30, 600);
        break;
      default:
        t.impassable = true;
        break;
    }
    g.Ground(t);
  }
}

void ClubSettings(Settings& s, Generator& chance) {
  const auto flip = [&](bool& flag) {
    if (chance.Below(4) == 0) flag = !flag;
  };
  for (bool* flag : {&s.arc_any_part,
                     &s.in_combat_now,
                     &s.control_after_roll,
                     &s.failed_charge_same_dice,
                     &s.repeat_may_charge,
                     &s.guns_block_sight,
                     &s.sight_mutual,
                     &s.trim_dp,
                     &s.manoeuvre_dp_accumulates,
                     &s.morale_event_once,
                     &s.casualty_removes_base,
                     &s.initiative_tie_reroll,
                     &s.double_optional,
                     &s.charge_obeys_pace,
                     &s.wheel_arc,
                     &s.close_enemy_blocks_musketry,
                     &s.countercharge_is_charge,
                     &s.swedish_charge,
                     &s.close_fire_any,
                     &s.outrance_cavalry_only,
                     &s.truncate_difference,
                     &s.gun_result_replaces_losses,
                     &s.rout_unpursued_costs,
                     &s.avd_from_d6})
    flip(*flag);
  if (chance.Below(4) == 0) s.battery_dp_limit = 1;
}

}  // namespace

State SmallBattle(std::uint64_t seed, std::uint64_t generator) {
  Generator chance{seed};
  Game g;
  g.setup.length_yd = 800;
  g.setup.width_yd = 600;
  if (chance.Below(2) == 0) ClubSettings(g.setup.settings, chance);
  g.setup.assault_objective = chance.Below(3) == 0;
  for (const int side : {kBlue, kRed}) {
    const double facing = side == kBlue ? N : S;
    const auto row = [&](int line) {
      return side == kBlue ? 200.0 - 60 * line : 400.0 + 60 * line;
    };
    const int marshal = g.Leader(side, Rank::kMarshal, {400, row(2)});
    const int brigadier = g.Leader(side, Rank::kBrigadier, {300, row(2)}, marshal);
    const int other = g.Leader(side, Rank::kBrigadier, {500, row(2)}, marshal);
    const int units = 3 + chance.Below(4);
    for (int i = 0; i < units; ++i) {
      const Vec2 at{120.0 + 190 * (i % 4), row(i / 4)};
      const auto grade = static_cast<Grade>(chance.Below(5));
      const int bases = 3 + chance.Below(4);
      int unit = -1;
      switch (chance.Below(8)) {
        case 0:
        case 1:
          unit = g.Horse(side, grade, bases, at, facing, chance.Heads(),
                         bases == 6 && chance.Heads() ? 3 : 0);
          break;
        case 2:
          unit = g.Hussars(side, grade, bases, at, facing);
          break;
        case 3:
          unit = g.Dragoons(side, grade, bases, at, facing, chance.Heads());
          break;
        case 4:
          unit = g.Gun(side, static_cast<GunClass>(chance.Below(4)), at, facing, chance.Heads());
          break;
        default:
          unit = g.Foot(side, grade, bases, at, facing, chance.Heads());
          g.setup.units.back().plug_bayonets = chance.Below(4) == 0;
          g.setup.units.back().swedish = chance.Below(4) == 0;
          g.setup.units.back().half_base = g.setup.units.back().new_style && bases == 4;
          break;
      }
      g.Commands(i % 2 == 0 ? brigadier : other, unit);
      const Arm arm = g.setup.units.back().arm;
      if ((arm == Arm::kFoot || arm == Arm::kDragoons) && chance.Below(6) == 0)
        g.Put(unit, Of::kFascines, 1);
    }
  }
  AddSpares(g.setup, g.s);
  Grounds(g, chance);
  // In some games the units have doubtful places, as under the camera.
  if (chance.Below(3) == 0)
    for (int u = 0; u < static_cast<int>(g.s.units.size()); ++u)
      g.Put(u, Of::kDoubtMilliYd, 100 * chance.Below(8));
  State s = g.s;
  s.setup = std::make_shared<const Setup>(g.setup);
  s.generator = generator;
  s.turn = 1;
  s.phase = Phase::kInitiative;
  return s;
}

namespace {

// One side of a WingBattle, its front line `ahead` of the middle of the table.
void Wing(Game& g, Generator& chance, int side) {
  const double facing = side == kBlue ? N : S;
  const double forward = side == kBlue ? 1 : -1;
  const auto at = [&](double x, double back) { return Vec2{x, 300 - forward * (70 + back)}; };
  const auto grade = [&] { return static_cast<Grade>(chance.Below(5)); };
  const int marshal = g.Leader(side, Rank::kMarshal, at(400, 150));
  const int general = g.Leader(side, Rank::kGeneral, at(401, 150), marshal);
  const int left = g.Leader(side, Rank::kBrigadier, at(300, 60), general);
  const int right = g.Leader(side, Rank::kBrigadier, at(560, 60), general);
  g.setup.leaders[static_cast<std::size_t>(marshal)].exceptional = chance.Heads();
  for (int i = 0; i < 2; ++i) {
    const int rider = g.Leader(side, Rank::kBrigadier, at(400, 150), general);
    g.setup.leaders[static_cast<std::size_t>(rider)].messenger = true;
    g.PutLeader(rider, By::kGone, static_cast<int>(LeaderFate::kWaiting));
  }
  const auto foot = [&](std::vector<int> battalions, Vec2 front, bool new_style) {
    UnitInfo info;
    info.side = side;
    info.grade = grade();
    info.new_style = new_style;
    info.width_yd = 20;
    info.depth_yd = new_style ? 15 : 20;
    int bases = 0;
    for (const int each : battalions) bases += each;
    info.parts = std::move(battalions);
    info.swedish = chance.Heads();
    return g.Add(info, bases, front, facing, Formation::kLine);
  };
  g.Commands(left, foot({3, 3, 3}, at(200, 0), true));
  g.Commands(left, foot({4}, at(200, 15), chance.Heads()));
  g.Commands(left, g.Gun(side, GunClass::kBattalion, at(330, -10), facing));
  g.Commands(left, foot({3}, at(330, 10), false));
  // Two units of horse in contact, and hussars behind them.
  const bool new_style = chance.Heads();
  g.Commands(right, g.Horse(side, grade(), 6, at(480, 0), facing, new_style, 3));
  g.Commands(right, g.Horse(side, grade(), 3, at(540, 0), facing, new_style));
  g.Commands(right, g.Hussars(side, grade(), 4, at(560, 60), facing));
  g.Commands(right, g.Dragoons(side, grade(), 4, at(650, 0), facing, chance.Heads()));
  g.Commands(right, g.Gun(side, static_cast<GunClass>(1 + chance.Below(3)), at(740, 0), facing,
                          chance.Heads()));
  UnitInfo civilians;
  civilians.side = side;
  civilians.arm = Arm::kCivilians;
  civilians.width_yd = civilians.depth_yd = 20;
  g.Commands(left, g.Add(civilians, 2, at(100, 60), facing, Formation::kUnformed));
  const int hidden = foot({3}, at(60, -10), false);
  g.Commands(left, hidden);
  g.Put(hidden, Of::kPresence, Presence::kHidden);
  const int reserve = foot({3}, at(700, 100), false);
  g.Commands(right, reserve);
  g.Put(reserve, Of::kPresence, Presence::kReserve);
}

// What only some of these battles have: foot in a wood or a town, a gun on a hill with foot close
// before it, and tables that allow only small units of cavalry with a brigadier among the troops of
// another and horse that can charge behind other horse.
void Special(Game& g, std::uint64_t seed) {
  Terrain ground;
  ground.rough = true;
  switch (seed % 4) {
    case 0:
    case 2:
      (seed % 4 == 0 ? ground.wood : ground.town) = true;
      ground.outline_yd = BoxAt({200, 225}, 220, 60);  // around Blue's three battalions
      break;
    case 1: {
      ground = {};
      ground.level = 1;
      ground.outline_yd = BoxAt({740, 216}, 60, 34);  // under Blue's gun on the right
      UnitInfo info;
      info.side = kBlue;
      info.width_yd = info.depth_yd = 20;
      g.Add(info, 3, {740, 256}, N, Formation::kLine);
      break;
    }
    default: {
      g.setup.tables.cavalry_unit_squadrons.most = 4;
      // Blue's brigadier on the right begins with the first unit, which is not of his brigade.
      constexpr int kRightBrigadier = 3;
      g.Attach(kRightBrigadier, 0);
      // Horse right behind the two ranks of the horse in front.
      g.Commands(kRightBrigadier, g.Horse(kBlue, Grade::kC, 3, {480, 180}, N));
      return;
    }
  }
  g.Ground(ground);
}

}  // namespace

State WingBattle(std::uint64_t seed, std::uint64_t generator) {
  Generator chance{seed};
  Game g;
  g.setup.length_yd = 800;
  g.setup.width_yd = 600;
  if (chance.Below(2) == 0) ClubSettings(g.setup.settings, chance);
  g.setup.settings.blinds = chance.Heads();
  g.setup.settings.swedish_charge = chance.Heads();
  for (const int side : {kBlue, kRed}) Wing(g, chance, side);
  Special(g, seed);
  AddSpares(g.setup, g.s);
  if (chance.Heads()) Grounds(g, chance);
  State s = g.s;
  s.setup = std::make_shared<const Setup>(g.setup);
  s.generator = generator;
  s.turn = 1;
  s.phase = Phase::kInitiative;
  return s;
}

namespace {

// A game file of two small armies, with what clubs write in them: mixed units, bases of their own,
// brigades of foot and horse, works, and sometimes the scale of larger figures.
std::string RandomGameFile(Generator& chance, bool attack, bool large) {
  const double per_yd = large ? 0.1 : 0.05;  // inches
  std::string out = fmt::format(
      "ruleset = \"closefire\"\n[scenario]\nname = \"Random\"\nbattle = \"{}\"\n{}{}[table]\n"
      "length = {:g}\nwidth = {:g}\n",
      attack ? "attack" : "meeting", large ? "settings = \"club.toml\"\n" : "",
      attack ? fmt::format("attacker = \"Red\"\nroad_along_axis = {}\nfortifications_yd = {}\n",
                           chance.Heads(), 80 * chance.Below(3))
             : "",
      800 * per_yd, 700 * per_yd);
  for (const char* side : {"Blue", "Red"}) out += fmt::format("[[side]]\nname = \"{}\"\n", side);
  for (const char* side : {"Blue", "Red"}) {
    const bool blue = side[0] == 'B';
    const char* superiors[] = {"", "M", "G"};
    const char* ranks[] = {"marshal", "general", "brigadier"};
    for (int i = 0; i < 3; ++i) {
      out += fmt::format(
          "[[leader]]\nid = \"{}-{}\"\nside = \"{}\"\nrank = \"{}\"\nat = [{:g}, {:g}]\n", side[0],
          static_cast<char>(std::toupper(ranks[i][0])), side, ranks[i], (200 + 60 * i) * per_yd,
          (blue ? 180 : 520) * per_yd);
      if (i > 0) out += fmt::format("superior = \"{}-{}\"\n", side[0], superiors[i]);
      if (i == 2) out += "order = 1\n";
    }
  }
  int number = 0;
  for (const char* side : {"Blue", "Red"}) {
    const bool blue = side[0] == 'B';
    for (int i = 0; i < 5 + chance.Below(4); ++i) {
      const int arm = chance.Below(5);
      constexpr const char* kArms[] = {"foot", "foot", "horse", "hussars", "gun"};
      constexpr const char* kGrades = "ABCDE";
      out += fmt::format(
          "[[unit]]\nid = \"{}{}\"\nside = \"{}\"\narm = \"{}\"\ncommander = \"{}-B\"\nat = [{:g}, "
          "{:g}]\nfacing = {}\n",
          side[0], ++number, side, kArms[arm], side[0], (60 + 95.0 * i) * per_yd,
          (blue ? 210 : 490) * per_yd, blue ? 0 : 180);
      const char grade = kGrades[chance.Below(5)];
      if (arm == 4)
        out += fmt::format("gun = \"{}\"\n", chance.Heads() ? "heavy" : "field");
      else if (arm >= 2 && chance.Heads())
        out += fmt::format("parts = [1, 1, 1]\ngrades = [\"{}\", \"C\", \"D\"]\n", grade);
      else
        out += fmt::format("parts = [{}]\ngrade = \"{}\"\n", arm < 2 ? "4" : "2, 2", grade);
      if (arm < 2 && chance.Below(4) == 0) out += "base = [1.0, 1.1]\n";
    }
  }
  constexpr const char* kTypes[] = {"wood", "hedge", "fieldworks"};
  for (int i = chance.Below(4); i > 0; --i) {
    const double x = 100.0 + chance.Below(300);
    const double y = 300.0 + chance.Below(60);
    out += fmt::format("[[terrain]]\ntype = \"{}\"\npolygon = [[{:g}, {:g}], [{:g}, {:g}], ",
                       kTypes[chance.Below(3)], x * per_yd, y * per_yd, (x + 250) * per_yd,
                       y * per_yd);
    out += fmt::format("[{:g}, {:g}], [{:g}, {:g}]]\n", (x + 250) * per_yd, (y + 10) * per_yd,
                       x * per_yd, (y + 10) * per_yd);
  }
  return out;
}

}  // namespace

State FileBattle(std::uint64_t seed, std::uint64_t generator) {
  Generator chance{seed};
  const bool attack = chance.Heads();
  const bool large = chance.Below(3) == 0;
  const fos::test::TempDir folder;
  folder.Write("club.toml", "[settings]\nyards_per_inch = 10\norder_note_yd = 60\n");
  return ReadGame(folder.Write("game.toml", RandomGameFile(chance, attack, large)), generator)
      .value();
}

}  // namespace fos::closefire::test
