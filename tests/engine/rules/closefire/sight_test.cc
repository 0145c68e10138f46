// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <boost/geometry.hpp>
#include <boost/geometry/geometries/point_xy.hpp>

#include "engine/rules/closefire/charge_reach.h"
#include "engine/rules/closefire/doubt.h"
#include "engine/rules/closefire/moving.h"
#include "engine/rules/closefire/room.h"
#include "tests/support/closefire_game.h"

// Worked examples of sections 7 and 8, and the geometry under rotation, mirror and shift.
namespace fos::closefire::test {
namespace {

TEST(CloseFireSight, FormedUnitsBlock) {  // EX-7.1.1 EX-7.1.2
  Game g;
  const int gun = g.Gun(kBlue, GunClass::kField, {500, 500}, N);
  const int target = g.Foot(kRed, Grade::kC, 2, {500, 800}, S);
  g.Leader(kBlue, Rank::kBrigadier, {500, 650});
  EXPECT_TRUE(Field(g.s).Sees(gun, target));
  g.Foot(kBlue, Grade::kC, 6, {500, 560}, N);
  EXPECT_FALSE(Field(g.s).Sees(gun, target));
}

struct Wood {
  Game g;
  int foot, guns;
  explicit Wood(double edge_yd) {
    Terrain wood;
    wood.wood = wood.rough = true;
    wood.outline_yd = Box(400, 400, 600, 500);
    g.Ground(wood);
    foot = g.Foot(kBlue, Grade::kC, 2, {500, 504 - edge_yd},
                  N);  // its middle is edge_yd inside the edge
    guns = g.Gun(kRed, GunClass::kField, {500, 800}, S);
  }
};

TEST(CloseFireSight, WoodsHideSilentUnits) {  // EX-7.2.1 EX-7.2.2 EX-7.2.3 EX-7.2.4
  Wood t(5);
  EXPECT_TRUE(Field(t.g.s).Sees(t.foot, t.guns));
  EXPECT_FALSE(Field(t.g.s).Sees(t.guns, t.foot));
  t.g.Put(t.foot, Of::kFiredLast, 1);
  EXPECT_TRUE(Field(t.g.s).Sees(t.guns, t.foot));
  Wood deep(60);
  EXPECT_FALSE(Field(deep.g.s).Sees(deep.foot, deep.guns));
  Game g;
  Terrain wood;
  wood.wood = true;
  wood.outline_yd = Box(300, 300, 700, 700);
  g.Ground(wood);
  // Between the outlines (CF-1.3): 45 yd and 40.1 yd are too far, 40 yd are not.
  const int a = g.Foot(kBlue, Grade::kC, 2, {500, 500}, N);
  const int b = g.Foot(kRed, Grade::kC, 2, {500, 545}, S);
  EXPECT_FALSE(Field(g.s).Sees(a, b));
  for (const auto& [gap, seen] : {std::pair{40.1, false}, std::pair{40.0, true}}) {
    Game h;
    h.Ground(wood);
    const int one = h.Foot(kBlue, Grade::kC, 2, {500, 500}, N);
    const int other = h.Foot(kRed, Grade::kC, 2, {500, 500 + gap}, S);
    EXPECT_EQ(Field(h.s).Sees(one, other), seen) << gap;
  }
  // Deep in a wood, from outside: 40 yd too.
  for (const auto& [gap, seen] : {std::pair{40.1, false}, std::pair{40.0, true}}) {
    Game h;
    Terrain edge = wood;
    edge.outline_yd = Box(300, 100, 700, 525);
    h.Ground(edge);
    const int one = h.Foot(kBlue, Grade::kC, 2, {500, 500}, N);
    const int other = h.Foot(kRed, Grade::kC, 2, {500, 500 + gap}, S);
    EXPECT_EQ(Field(h.s).Sees(one, other), seen) << gap;
    EXPECT_EQ(Field(h.s).Sees(other, one), seen) << gap;
  }
}

struct Hill {
  Game g;
  int gun, target, friends;
  explicit Hill(double between_yd) {
    Terrain hill;
    hill.level = 1;
    hill.outline_yd = Box(400, 400, 600, 500);
    g.Ground(hill);
    gun = g.Gun(kBlue, GunClass::kField, {500, 500}, N);
    friends = g.Foot(kBlue, Grade::kC, 6, {500, 500 + between_yd + 20}, N);
    target = g.Foot(kRed, Grade::kC, 2, {500, 800}, S);
  }
};

TEST(CloseFireSight, OverSilentUnitsFromHighGround) {  // EX-7.3.1 EX-7.3.2 EX-7.3.3 EX-7.3.4
  Hill sixty(60);
  EXPECT_TRUE(Field(sixty.g.s).Sees(sixty.gun, sixty.target));
  EXPECT_TRUE(Field(sixty.g.s).Sees(sixty.target, sixty.gun));
  Hill thirty(30);
  EXPECT_FALSE(Field(thirty.g.s).Sees(thirty.gun, thirty.target));
  Hill forty(40);
  EXPECT_TRUE(Field(forty.g.s).Sees(forty.gun, forty.target));
  Hill less(39.9);
  EXPECT_FALSE(Field(less.g.s).Sees(less.gun, less.target));
  sixty.g.Put(sixty.friends, Of::kFiredLast, 1);
  EXPECT_FALSE(Field(sixty.g.s).Sees(sixty.gun, sixty.target));
  sixty.g.Put(sixty.friends, Of::kFiredLast, 0);
  Terrain wood;
  wood.wood = true;
  wood.outline_yd = Box(300, 650, 700, 700);
  sixty.g.Ground(wood);
  EXPECT_FALSE(Field(sixty.g.s).Sees(sixty.gun, sixty.target));
}

TEST(CloseFireSight, BeyondUnformedTroops) {  // EX-7.4.1 EX-7.4.2
  for (const auto& [beyond, seen] : {std::pair{35.0, true}, std::pair{55.0, false}}) {
    Game g;
    const int observer = g.Foot(kBlue, Grade::kC, 2, {500, 500}, N);
    const int routers = g.Foot(kBlue, Grade::kC, 6, {500, 620}, N);
    g.Put(routers, Of::kFormation, Formation::kUnformed);
    const int target = g.Foot(kRed, Grade::kC, 2, {500, 620 + beyond}, S);
    EXPECT_EQ(Field(g.s).Sees(observer, target), seen);
  }
}

// Routers four deep: the last base counts, not the first, which is 60 yd nearer.
TEST(CloseFireSight, BeyondTheLastOfUnformedTroops) {  // CF-7.4
  for (const auto& [beyond, seen] : {std::pair{35.0, true}, std::pair{45.0, false}}) {
    Game g;
    const int gun = g.Gun(kBlue, GunClass::kField, {500, 500}, N);
    const int routers = g.Add({}, 4, {500, 600}, N, Formation::kMarch);
    g.Put(routers, Of::kFormation, Formation::kUnformed);
    const int target = g.Foot(kRed, Grade::kC, 1, {500, 600 + beyond}, S);
    EXPECT_EQ(Field(g.s).Sees(gun, target), seen) << beyond;
  }
}

void Hurt(Game& g, int unit, int dp, std::vector<Answer> answers = {}) {
  std::vector<Event> events;
  Play play(g.s, events, std::move(answers), false);
  play.Hurt(unit, dp, "CF-8.1", "fire");
}

TEST(CloseFireDisorder, DpsBeyondTheBasesBecomeCasualties) {  // EX-8.1.1 EX-8.1.2
  Game g;
  const int foot = g.Foot(kBlue, Grade::kC, 4, {500, 500}, N);
  g.Put(foot, Of::kDp, 3);
  Hurt(g, foot, 2, {{{}, 0, 0}});
  EXPECT_EQ(g.Dp(foot), 4);
  EXPECT_EQ(g.Bases(foot), 3);
  const int large = g.Foot(kBlue, Grade::kC, 9, {900, 500}, N);
  g.Put(large, Of::kDp, 6);
  Hurt(g, large, 1, {{{}, 0, 0}});
  EXPECT_EQ(g.Dp(large), 6);
  EXPECT_EQ(g.Bases(large), 8);
}

TEST(CloseFireDisorder, MovementDpsStopAtThree) {  // EX-8.2.1 EX-8.2.2
  Game g;
  const int foot = g.Foot(kBlue, Grade::kC, 4, {500, 500}, N);
  const int small = g.Foot(kBlue, Grade::kC, 2, {900, 500}, N);
  g.Put(foot, Of::kDp, 2);
  g.Put(small, Of::kDp, 2);
  std::vector<Event> events;
  Play play(g.s, events, {}, false);
  play.ManoeuvreDp(foot, 2, "CF-13.1", "fatigue");
  play.ManoeuvreDp(small, 1, "CF-14.1", "wheeling");
  EXPECT_EQ(g.Dp(foot), 3);
  EXPECT_EQ(g.Dp(small), 3);
  EXPECT_EQ(g.Bases(small), 2);
}

int Redressed(Grade grade, int dp, bool moved, bool shot_at, bool fighting) {
  Game g;
  const int unit = g.Foot(kBlue, grade, 6, {500, 500}, N);
  const int enemy = g.Foot(kRed, Grade::kC, 4, {500, 530}, S);
  g.Put(unit, Of::kDp, dp);
  g.Put(unit, Of::kMoved, moved);
  g.Put(unit, Of::kShotAt, shot_at);
  if (fighting) g.s.engaged = {{unit, enemy}};
  std::vector<Event> events;
  Play play(g.s, events, {}, false);
  MoralePhase(play);
  return g.Dp(unit);
}

TEST(CloseFireDisorder, Redressing) {  // EX-8.3.1 EX-8.3.2 EX-8.3.3 EX-8.3.4 EX-8.3.5
  EXPECT_EQ(Redressed(Grade::kB, 2, true, false, false), 1);
  EXPECT_EQ(Redressed(Grade::kB, 3, false, false, false), 1);
  EXPECT_EQ(Redressed(Grade::kC, 2, true, false, false), 2);
  EXPECT_EQ(Redressed(Grade::kE, 2, false, true, false), 2);
  EXPECT_EQ(Redressed(Grade::kE, 2, false, false, false), 1);
  EXPECT_EQ(Redressed(Grade::kD, 2, false, false, true), 2);
}

// The DPs of a grade C unit from a friend 100 yd away.
int Felt(Arm arm, Grade grade, Blow blow) {
  Game g;
  const int unit = g.Foot(kBlue, Grade::kC, 6, {500, 500}, N);
  const int other = arm == Arm::kFoot ? g.Foot(kBlue, grade, 4, {660, 500}, N)
                                      : g.Horse(kBlue, grade, 2, {680, 500}, N);
  g.Put(unit, Of::kMoved, 1);
  g.s.shocks = {{{false, other}, blow, Milli(660), Milli(500)}};
  std::vector<Event> events;
  Play play(g.s, events, {}, false);
  MoralePhase(play);
  return g.Dp(unit);
}

TEST(CloseFireDisorder,
     MoraleOfWatchers) {  // EX-8.4.1 EX-8.4.2 EX-8.4.3 EX-8.4.4 EX-8.4.5 EX-8.4.6
  EXPECT_EQ(Felt(Arm::kFoot, Grade::kD, Blow::kRoutedOrLost), 1);
  EXPECT_EQ(Felt(Arm::kHorse, Grade::kB, Blow::kRoutedOrLost), 2);
  EXPECT_EQ(Felt(Arm::kFoot, Grade::kC, Blow::kRetired), 1);
  EXPECT_EQ(Felt(Arm::kHorse, Grade::kC, Blow::kRetired), 0);
  EXPECT_EQ(Felt(Arm::kFoot, Grade::kD, Blow::kRetired), 0);
  Game g;
  const int unit = g.Foot(kBlue, Grade::kC, 6, {500, 500}, N);
  const int other = g.Foot(kBlue, Grade::kC, 4, {660, 500}, N);
  const int general = g.Leader(kBlue, Rank::kGeneral, {660, 500});
  g.Put(unit, Of::kMoved, 1);
  g.s.shocks = {{{false, other}, Blow::kRoutedOrLost, Milli(660), Milli(500)},
                {{true, general}, Blow::kLeaderKilled, Milli(600), Milli(500)}};
  std::vector<Event> events;
  Play play(g.s, events, {}, false);
  MoralePhase(play);
  EXPECT_EQ(g.Dp(unit), 4);
}

TEST(CloseFireDisorder, Heartening) {  // EX-8.5.1 EX-22.2.1
  Game g;
  const int foot = g.Foot(kBlue, Grade::kC, 4, {500, 500}, N);
  g.Put(foot, Of::kDp, 2);
  std::vector<Event> events;
  Play play(g.s, events, {}, false);
  Field::Front position;
  position.centre = {500, 540};
  TakePosition(play, foot, position);
  EXPECT_EQ(g.Dp(foot), 1);
  EXPECT_NEAR(g.Front(foot).y, 540, 0.01);
}

TEST(CloseFireDisorder, ReportsTheBasesLeftAfterACasualty) {  // CF-8.6
  Game g;
  const int foot = g.Foot(kBlue, Grade::kC, 4, {500, 500}, N);
  std::vector<Event> events;
  Play play(g.s, events, {{{}, 0, 0}}, false);
  play.Casualty(foot, "CF-8.6", "fire");
  EXPECT_TRUE(std::any_of(events.begin(), events.end(), [](const Event& e) {
    return e.text == "Foot B0 loses a base (fire): 3 left.";
  }));
}

TEST(CloseFireDisorder, Casualties) {  // EX-8.6.1 EX-8.6.2
  Game g;
  const int foot = g.Foot(kBlue, Grade::kC, 3, {500, 500}, N);
  std::vector<Event> events;
  Play play(g.s, events, {{{}, 0, 0}, {{}, 2, 0}}, false);
  for (int i = 0; i < 3; ++i) play.Casualty(foot, "CF-8.6", "fire");
  EXPECT_EQ(At(g.s, foot).As<Presence>(Of::kPresence), Presence::kDestroyed);
  Fighter f;
  f.casualties = 2;
  f.dp = 1;
  EXPECT_EQ(CombatSum(ShippedTables(), f, 0).Total(), -3);
}

// The rulings stay the same when the table is rotated, mirrored or shifted.
struct Turned {
  double angle_deg = 0;
  bool mirrored = false;
  Vec2 by;
  Vec2 operator()(Vec2 at) const {
    Vec2 d = at - Vec2{800, 800};
    if (mirrored) d.x = -d.x;
    return Vec2{800, 800} + d.x * open_table::Rightward(angle_deg) +
           d.y * open_table::Ahead(angle_deg) + by;
  }
  double operator()(double facing) const {
    return open_table::WrappedBearing((mirrored ? -facing : facing) + angle_deg);
  }
};

// All measurements of Field on a random battle, as text.
std::string Rulings(const Turned& turned, std::uint64_t seed) {
  Generator chance{seed};
  Game g;
  const auto place = [&] { return Vec2{500.0 + chance.Below(600), 500.0 + chance.Below(600)}; };
  for (int i = 0; i < 3; ++i) {
    Terrain t;
    (i == 0 ? t.wood : i == 1 ? t.town : t.rough) = true;
    if (i == 2) t.level = 1;
    const Vec2 at = place();
    for (const Vec2 corner : {Vec2{0, 0}, Vec2{120, 10}, Vec2{110, 90}, Vec2{-10, 80}})
      t.outline_yd.push_back(turned(at + corner));
    g.Ground(t);
  }
  for (int i = 0; i < 12; ++i) {
    const Vec2 at = place();
    const double facing = 7.0 * chance.Below(50);
    const int side = i % 2;
    const int kind = chance.Below(4);
    const Vec2 to = turned(at);
    const double f = turned(facing);
    if (kind == 0) g.Foot(side, Grade::kC, 4, to, f);
    if (kind == 1) g.Horse(side, Grade::kC, 4, to, f);
    if (kind == 2) g.Hussars(side, Grade::kD, 3, to, f);
    if (kind == 3) g.Gun(side, GunClass::kField, to, f);
  }
  g.Leader(kBlue, Rank::kMarshal, turned(Vec2{800, 820}));
  const Field field(g.s);
  std::string out;
  for (int a = 0; a < 12; ++a) {
    out += field.Controlled(a) ? 'c' : '-';
    for (int b = 0; b < 12; ++b) {
      if (a == b) continue;
      out += field.Sees(a, b) ? 's' : '.';
      out += field.InFrontWedge(a, b) ? 'w' : '.';
      out += field.Gap(a, b) <= 120 ? 'n' : '.';
      out += field.GroundAgainst(a, b) ? 'g' : '.';
      out += field.Enfiladed(a, b) ? 'e' : '.';
    }
  }
  return out;
}

// Shadows of screens give the same answers as testing line by line.
TEST(CloseFireSight, ShadowsMatchLineByLineSight) {  // CF-7.1 CF-7.2 CF-7.3 CF-7.4
  int seen = 0;
  int pairs = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Generator chance{seed};
    Game g;
    g.setup.settings.guns_block_sight = chance.Below(4) == 0;
    g.setup.settings.sight_mutual = chance.Below(4) != 0;
    g.setup.settings.sight_points = chance.Below(4) == 0 ? 1 : 5;
    for (int i = 0; i < 24; ++i) {
      const Vec2 at{100.0 + 20 * chance.Below(40), 100.0 + 20 * chance.Below(30)};
      const double facing = chance.Heads() ? 90.0 * chance.Below(4) : 5.0 * chance.Below(72);
      const int side = chance.Below(2);
      switch (chance.Below(5)) {
        case 0:
          g.Hussars(side, Grade::kC, 3, at, facing);
          break;
        case 1:
          g.Gun(side, GunClass::kField, at, facing);
          break;
        case 2:
          g.Horse(side, Grade::kC, 6, at, facing, false, chance.Heads() ? 3 : 0);
          break;
        default:
          g.Foot(side, Grade::kC, 3 + chance.Below(4), at, facing);
          break;
      }
      g.Put(i, Of::kFiredLast, chance.Below(2));
    }
    for (int i = chance.Below(4); i > 0; --i) {
      Terrain t;
      t.wood = chance.Heads();
      t.level = t.wood ? 0 : 1 + chance.Below(2);
      const double x = 20.0 * chance.Below(40), y = 20.0 * chance.Below(30);
      t.outline_yd = chance.Heads()
                         ? Box(x, y, x + 150, y + 120)
                         : Polygon{{x, y}, {x + 160, y + 10}, {x + 90, y + 60}, {x + 80, y + 150}};
      g.Ground(t);
    }
    const Field field(g.s);
    const Sight& sight = field.Eyes();
    for (int a = 0; a < 24; ++a)
      for (int b = 0; b < 24; ++b) {
        if (a == b) continue;
        const bool plain = sight.Sees(a, b, Sight::By::kEveryLine);
        EXPECT_EQ(sight.Sees(a, b, Sight::By::kShadows), plain) << seed << ": " << a << " " << b;
        seen += plain;
        ++pairs;
      }
    // One unit displaced, measured beside where it stood.
    for (int a = 0; a < 24; ++a) {
      const State there = Displaced(g.s, a, {15.0 * chance.Below(7) - 45, 15});
      const Field anew(there);
      const Field beside(there, field, a);
      for (int b = 0; b < 24; ++b)
        EXPECT_EQ(beside.Sees(a, b), anew.Sees(a, b)) << seed << ": " << a << " " << b;
    }
  }
  EXPECT_GT(seen, pairs / 10);
  EXPECT_LT(seen, pairs * 9 / 10);
}

TEST(OpenTable, AnyInsideIsWhetherThereAreParts) {
  Generator chance{6};
  const auto point = [&] { return Vec2{1.0 * chance.Below(30), 1.0 * chance.Below(30)}; };
  int inside = 0;
  constexpr int kTries = 2000;
  for (int i = 0; i < kTries; ++i) {
    const Vec2 a = point();
    const Polygon bent = {a, a + Vec2{12, 1}, a + Vec2{7, 5}, a + Vec2{6, 11}};
    const Segment2 line{point(), point()};
    const auto parts = open_table::PartsInside(line, bent);
    EXPECT_EQ(open_table::AnyInside(line, bent), !parts.empty()) << i;
    inside += parts.empty() ? 0 : 1;
  }
  EXPECT_GT(inside, kTries / 20);
  EXPECT_LT(inside, kTries / 2);
}

// Boost.Geometry finds the same gaps and overlaps.
TEST(OpenTable, GapsAndOverlapsMatchBoostGeometry) {
  namespace bg = boost::geometry;
  using Point = bg::model::d2::point_xy<double>;
  const auto ring = [](const Base& base) {
    bg::model::ring<Point> out;
    for (const Vec2 corner : open_table::Outline(base)) out.emplace_back(corner.x, corner.y);
    out.push_back(out.front());
    return out;
  };
  Generator chance{5};
  const auto random = [&] {
    return Base{{0.1 * chance.Below(800), 0.1 * chance.Below(800)},
                chance.Below(3) == 0 ? 90.0 * chance.Below(4) : 0.5 * chance.Below(720),
                10.0 + chance.Below(20),
                10.0 + chance.Below(20)};
  };
  int overlapping = 0;
  for (int i = 0; i < 2000; ++i) {
    const Base a = random();
    const Base b = random();
    EXPECT_NEAR(open_table::Gap(a, b), bg::distance(ring(a), ring(b)), 1e-9) << i;
    const Vec2 point{0.1 * chance.Below(800), 0.1 * chance.Below(800)};
    EXPECT_NEAR(open_table::Gap(a, point), bg::distance(ring(a), Point(point.x, point.y)), 1e-9);
    EXPECT_EQ(open_table::Overlap(a, b), bg::intersects(ring(a), ring(b))) << i;
    overlapping += open_table::Overlap(a, b);
    // Moving one base by the depth along the best axis separates them; less does not.
    if (open_table::Depth(a, b) > 0.1) {
      bool clear = false;
      for (const double facing : {a.facing_deg, b.facing_deg})
        for (const double turn : {0.0, 90.0, 180.0, 270.0})
          clear = clear || !open_table::Overlap(
                               a, open_table::Shifted(b, (open_table::Depth(a, b) + 1e-3) *
                                                             open_table::Ahead(facing + turn)));
      EXPECT_TRUE(clear) << i;
    }
  }
  EXPECT_GT(overlapping, 100);
}

TEST(CloseFireGeometry, InvariantUnderRotationMirrorAndShift) {  // CF-1.3 CF-1.4 CF-7.1
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const std::string plain = Rulings({}, seed);
    EXPECT_EQ(Rulings({90, false, {}}, seed), plain) << seed;
    EXPECT_EQ(Rulings({37, false, {}}, seed), plain) << seed;
    EXPECT_EQ(Rulings({0, true, {}}, seed), plain) << seed;
    EXPECT_EQ(Rulings({211, true, {13, -57}}, seed), plain) << seed;
    EXPECT_EQ(Rulings({0, false, {100, 100}}, seed), plain) << seed;
  }
}

// A random fight at close quarters: two rows of bodies facing each other, some in contact, with
// random overlaps and terrain between them; or all apart and one rank deep (an incomplete rear rank
// is filled from the left, mirrored or not).
struct Fray {
  Game g;
  Fray(const Turned& turned, std::uint64_t seed, bool apart) {
    Generator chance{seed};
    for (int i = 0; i < 3; ++i) {
      Terrain t;
      t.rough = i == 0;
      t.wood = i == 0;
      t.obstacle = i == 1;
      t.impassable = i == 2;
      const Vec2 at{560.0 + chance.Below(480), 700.0 + chance.Below(200)};
      const double wide = 40.0 + chance.Below(60), deep = i == 1 ? 6 : 35;
      for (const Vec2 corner :
           {Vec2{0, 0}, Vec2{wide, 7.0}, Vec2{wide - 3, 7.0 + deep}, Vec2{-3, deep}})
        t.outline_yd.push_back(turned(at + corner));
      g.Ground(t);
    }
    for (const int side : {kBlue, kRed})
      for (int i = 0; i < 4; ++i) {
        const double gap = apart ? 25.0 + chance.Below(60) : (chance.Heads() ? 0.5 : 17.0);
        const Vec2 at{620.0 + 120 * i + chance.Below(23),
                      side == kBlue ? 800.0 : 800.0 + gap + (chance.Below(3) == 0 ? 20 : 0)};
        const double facing = (side == kBlue ? N : S) + 0.5 * chance.Below(17) - 4;
        const double f = open_table::WrappedBearing(facing);
        switch (chance.Below(6)) {
          case 0:
            g.Hussars(side, Grade::kD, 3, at, f);
            break;
          case 1:
            g.Gun(side, GunClass::kField, at, f);
            break;
          case 2:
          case 3:
            g.Horse(side, Grade::kC, 4, at, f, chance.Heads(), chance.Heads() && !apart ? 2 : 0);
            break;
          default:
            g.Foot(side, Grade::kC, 3 + chance.Below(3), at, f, chance.Heads());
            break;
        }
      }
    // Compares base by base: the command stand of a mirrored battalion is on its other wing.
    for (int u = 0; u < Units(); ++u)
      for (BaseState& base : g.s.units[static_cast<std::size_t>(u)].bases.Edit()) {
        Base there = ToBase(g.s, u, base);
        there.centre = turned(there.centre);
        there.facing_deg = turned(there.facing_deg);
        base = ToState(there, base);
      }
  }
  int Units() const { return static_cast<int>(g.s.units.size()); }
};

// Places are rounded to thousandths of a yard. Bodies that slide along each other at half a degree
// multiply that error by a hundred.
constexpr double kGlancing_yd = 0.3;

// Moves, charges, fire and overlapping fronts measured before any declaration: words and yards.
struct Measures {
  std::string said;
  std::vector<double> yards;
};
Measures MeasuresOf(const Turned& turned, std::uint64_t seed, bool apart) {
  Fray fray(turned, seed, apart);
  Game& g = fray.g;
  g.Start(Phase::kMovement);
  Measures out;
  for (int u = 0; u < fray.Units(); ++u) g.Put(u, Of::kChargeSet, 2 + u % 3);
  const Field field(g.s);
  g.s.engaged = CloseFirePairs(field);
  for (int u = 0; u < fray.Units(); ++u)
    for (int v = 0; v < u; ++v)
      if (Info(g.s, u).side != Info(g.s, v).side && field.Contact(field.Gap(u, v)))
        g.s.engaged.push_back({v, u});
  for (int u = 0; u < fray.Units(); ++u) {
    const Field::Front front = field.FrontOf(u);
    out.said += fmt::format("{} files {} ranks {} near {}", u, front.files, front.ranks,
                            field.NearestEnemy(u).value_or(-1));
    out.yards.push_back(front.width);
    for (const double off : {0.0, 20.0, -20.0}) {
      const double bearing = front.facing_deg + (turned.mirrored ? -off : off);
      const Way way = WayAlong(field, u, bearing, 70);
      out.said += fmt::format(" {}{}{}{}{}", way.enemy_stop, way.forbidden, way.friends, way.rough,
                              way.obstacles);
      for (const double yards : {way.free_yd, RoomAlong(field, u, bearing, 70),
                                 GroundFree(field, u, bearing, 70, false)})
        out.yards.push_back(yards);
      for (int v = 0; v < fray.Units(); ++v)
        if (Info(g.s, u).side != Info(g.s, v).side)
          out.yards.push_back(AlongToContact(field, u, v, bearing, 200));
    }
    for (int v = 0; v < fray.Units(); ++v)
      if (Info(g.s, u).side != Info(g.s, v).side) {
        if (IsCavalry(g.s, u)) out.said += fmt::format(" {}", ChargeReading(field, u, v));
        out.yards.push_back(field.Gap(u, v));
      }
    for (const Target& target : TargetsOf(field, u)) {
      out.said += fmt::format(" at {} {} {} {} {}", target.unit, target.stands,
                              target.command_stands, target.all_stands, target.indirect);
      out.yards.push_back(target.gap_yd);
    }
  }
  for (const Engaged& pair : g.s.engaged) out.said += fmt::format(" {}-{}", pair.a, pair.b);
  for (const Melee& melee : MeleesOf(g.s))
    for (const auto& side : melee.units)
      for (const int u : side) {
        const Fighter f = FighterOf(field, u, melee);
        out.said += fmt::format(" {}: {} against {}", u, NumbersOf(field, u, melee),
                                CombatSum(ShippedTables(), f, 0).Total());
      }
  return out;
}

TEST(CloseFireGeometry,
     MovesChargesFireAndOverlapAreInvariant) {  // CF-11.6 CF-18.2 CF-15.2 CF-20.5
  int fights = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed)
    for (const bool apart : {false, true}) {
      const Measures plain = MeasuresOf({}, seed, apart);
      fights += plain.said.find("against") != std::string::npos;
      for (const Turned& turned :
           {Turned{90, false, {}}, Turned{37, false, {}}, Turned{0, true, {}},
            Turned{211, true, {13, -57}}, Turned{0, false, {100, 100}}}) {
        const Measures there = MeasuresOf(turned, seed, apart);
        EXPECT_EQ(there.said, plain.said) << seed << " by " << turned.angle_deg;
        ASSERT_EQ(there.yards.size(), plain.yards.size());
        for (std::size_t i = 0; i < plain.yards.size(); ++i)
          EXPECT_NEAR(there.yards[i], plain.yards[i], kGlancing_yd)
              << seed << " by " << turned.angle_deg << (turned.mirrored ? " mirrored" : "")
              << ": measure " << i;
      }
    }
  EXPECT_GT(fights, 5);
}

// A line of the script translated to the mirrored table.
std::string Mirrored(const std::string& line, bool mirrored) {
  if (!mirrored) return line;
  const std::size_t left = line.find("left");
  const std::size_t right = line.find("right");
  if (left != std::string::npos)
    return fmt::format("{}right{}", line.substr(0, left), line.substr(left + 4));
  if (right != std::string::npos)
    return fmt::format("{}left{}", line.substr(0, right), line.substr(right + 5));
  return line;
}

// Plays a phase with the same declarations and dice. Returns which lines were accepted and the
// results.
void PlayOut(Fray& fray, const Turned& turned, std::uint64_t seed, Phase phase,
             std::vector<std::string>& said) {
  Generator chance{seed};
  Game& g = fray.g;
  g.Start(phase);
  const auto say = [&](const std::string& line) {
    said.push_back(fmt::format("{}: {}", line, g.Do(Mirrored(line, turned.mirrored))));
    for (int i = 0; i < 60 && g.s.waiting; ++i) {
      const Ask& ask = g.s.waiting->ask;
      std::string answer = "dice";
      for (std::size_t d = 0; d < ask.dice.size(); ++d)
        answer += fmt::format(" {}", 2 + chance.Below(4));
      if (!ask.choices.empty()) answer = fmt::format("choose \"{}\"", ask.choices.front());
      const std::string clause = ask.clause;
      said.push_back(fmt::format("{} {}", clause, g.Do(answer)));
    }
  };
  if (phase == Phase::kMovement) {
    for (int u = 0; u < fray.Units(); ++u) {
      const std::string id = Info(g.s, u).id;
      say(fmt::format("roll {} avd", id));
      for (const std::string line : {"wheel {} left 15", "ahead {} 12 right 20", "step {} left 10",
                                     "incline {} right 6 3", "about {}", "go {}"}) {
        if (chance.Below(3) == 0) continue;
        say(fmt::format(fmt::runtime(line), id));
      }
    }
    return;
  }
  for (const int side : {kBlue, kRed}) {
    for (int u = 0; u < fray.Units(); ++u)
      for (int v = 0; v < fray.Units(); ++v)
        if (Info(g.s, u).side == side && Info(g.s, v).side != side && IsCavalry(g.s, u))
          say(fmt::format("charge {} at {} avd+avd", Info(g.s, u).id, Info(g.s, v).id));
    say(side == kBlue ? "done Blue" : "done Red");
  }
  for (const int side : {kRed, kBlue}) {
    for (int u = 0; u < fray.Units(); ++u)
      if (Info(g.s, u).side == side)
        for (const char* answer : {"evade {}", "receive {} left", "counter {} avd+avd"})
          if (chance.Heads()) say(fmt::format(fmt::runtime(answer), Info(g.s, u).id));
    say(side == kBlue ? "done Blue" : "done Red");
  }
}

TEST(CloseFireGeometry, PlayedPhasesAreInvariant) {  // CF-11.6 CF-14.1 CF-18.2 CF-22.4 CF-22.5
  int contacts = 0;
  for (std::uint64_t seed = 1; seed <= 8; ++seed)
    for (const Phase phase : {Phase::kMovement, Phase::kCharges}) {
      Fray plain({}, seed, true);
      std::vector<std::string> said;
      PlayOut(plain, {}, seed, phase, said);
      contacts += plain.g.Told("reaches") || plain.g.Told("meet");
      for (const Turned& turned : {Turned{90, false, {}}, Turned{37, false, {}},
                                   Turned{0, true, {}}, Turned{211, true, {13, -57}}}) {
        Fray there(turned, seed, true);
        std::vector<std::string> heard;
        PlayOut(there, turned, seed, phase, heard);
        const auto where = fmt::format("{} in phase {} by {}{}", seed, static_cast<int>(phase),
                                       turned.angle_deg, turned.mirrored ? " mirrored" : "");
        EXPECT_EQ(heard, said) << where;
        EXPECT_EQ(there.g.clauses, plain.g.clauses) << where;
        for (int u = 0; u < plain.Units(); ++u) {
          EXPECT_EQ(there.g.Dp(u), plain.g.Dp(u)) << where;
          ASSERT_EQ(there.g.Bases(u), plain.g.Bases(u)) << where;
          const std::vector<Base> here = BasesOf(plain.g.s, u);
          for (const Base& base : here) {
            // When a file closes up, the mirrored table moves another base: only the places count.
            double least = 1e9;
            for (const Base& other : BasesOf(there.g.s, u))
              least = std::min(least, Distance(turned(base.centre), other.centre));
            EXPECT_LT(least, kGlancing_yd) << where << ": " << Info(plain.g.s, u).id;
          }
        }
      }
    }
  EXPECT_GT(contacts, 3);
}

}  // namespace
}  // namespace fos::closefire::test
