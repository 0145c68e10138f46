#include <gtest/gtest.h>
#include <boost/geometry.hpp>
#include <boost/geometry/geometries/point_xy.hpp>

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
                  N);  // its middle at the edge less edge_yd
    guns = g.Gun(kRed, GunClass::kField, {500, 800}, S);
  }
};

TEST(CloseFireSight, WoodsHideWhoIsSilent) {  // EX-7.2.1 EX-7.2.2 EX-7.2.3 EX-7.2.4
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
  const int a = g.Foot(kBlue, Grade::kC, 2, {500, 500}, N);
  const int b = g.Foot(kRed, Grade::kC, 2, {500, 566}, S);
  EXPECT_FALSE(Field(g.s).Sees(a, b));  // 66 and 46 yd from centre to corners
  const int c = g.Foot(kRed, Grade::kC, 2, {500, 525}, S);
  EXPECT_TRUE(Field(g.s).Sees(a, c));
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
    friends = g.Foot(kBlue, Grade::kC, 6, {500, 487.5 + between_yd + 20}, N);
    target = g.Foot(kRed, Grade::kC, 2, {500, 800}, S);
  }
};

TEST(CloseFireSight, OverSilentUnitsFromHighGround) {  // EX-7.3.1 EX-7.3.2 EX-7.3.3 EX-7.3.4
  Hill sixty(60);
  EXPECT_TRUE(Field(sixty.g.s).Sees(sixty.gun, sixty.target));
  EXPECT_TRUE(Field(sixty.g.s).Sees(sixty.target, sixty.gun));
  Hill thirty(30);
  EXPECT_FALSE(Field(thirty.g.s).Sees(thirty.gun, thirty.target));
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

void Hurt(Game& g, int unit, int dp, std::vector<Answer> answers = {}) {
  std::vector<Event> events;
  Play play(g.s, events, std::move(answers), false);
  play.Hurt(unit, dp, "CF-8.1", "fire");
}

TEST(CloseFireDisorder, BeyondTheBasesACasualty) {  // EX-8.1.1 EX-8.1.2
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

TEST(CloseFireDisorder, MovementStopsAtThree) {  // EX-8.2.1 EX-8.2.2
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

// What a C unit suffers from somebody 100 yd off. kind: 0 routs, 1 retires.
int Felt(Arm arm, Grade grade, int kind) {
  Game g;
  const int unit = g.Foot(kBlue, Grade::kC, 6, {500, 500}, N);
  const int other = arm == Arm::kFoot ? g.Foot(kBlue, grade, 4, {660, 500}, N)
                                      : g.Horse(kBlue, grade, 2, {680, 500}, N);
  g.Put(unit, Of::kMoved, 1);
  g.s.shocks = {{other, kind, Milli(660), Milli(500)}};
  std::vector<Event> events;
  Play play(g.s, events, {}, false);
  MoralePhase(play);
  return g.Dp(unit);
}

TEST(CloseFireDisorder,
     MoraleOfWatchers) {  // EX-8.4.1 EX-8.4.2 EX-8.4.3 EX-8.4.4 EX-8.4.5 EX-8.4.6
  EXPECT_EQ(Felt(Arm::kFoot, Grade::kD, 0), 1);
  EXPECT_EQ(Felt(Arm::kHorse, Grade::kB, 0), 2);
  EXPECT_EQ(Felt(Arm::kFoot, Grade::kC, 1), 1);
  EXPECT_EQ(Felt(Arm::kHorse, Grade::kC, 1), 0);
  EXPECT_EQ(Felt(Arm::kFoot, Grade::kD, 1), 0);
  Game g;
  const int unit = g.Foot(kBlue, Grade::kC, 6, {500, 500}, N);
  const int other = g.Foot(kBlue, Grade::kC, 4, {660, 500}, N);
  const int general = g.Leader(kBlue, Rank::kGeneral, {660, 500});
  g.Put(unit, Of::kMoved, 1);
  g.s.shocks = {{other, 0, Milli(660), Milli(500)}, {-1 - general, 2, Milli(600), Milli(500)}};
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

// The same rulings wherever the table is turned, mirrored or shifted to.
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

// Everything Field says of a made-up battle, as text.
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

// What one screen hides is not looked at line by line, and the answers are the same.
TEST(CloseFireSight, ShadowsHideWhatEveryLineFindsHidden) {  // CF-7.1 CF-7.2 CF-7.3 CF-7.4
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
    std::vector<std::vector<Base>> bases;
    for (int u = 0; u < 24; ++u) bases.push_back(BasesOf(g.s, u));
    const Sight sight(g.s, bases);
    for (int a = 0; a < 24; ++a)
      for (int b = 0; b < 24; ++b) {
        if (a == b) continue;
        const bool plain = sight.Sees(a, b, Sight::By::kEveryLine);
        EXPECT_EQ(sight.Sees(a, b), plain) << seed << ": " << a << " " << b;
        seen += plain;
        ++pairs;
      }
  }
  EXPECT_GT(seen, pairs / 10);
  EXPECT_LT(seen, pairs * 9 / 10);
}

// Boost.Geometry measures the same gaps, and finds the same overlaps.
TEST(OpenTable, GapsAndOverlapsAreBoostGeometrys) {
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
    // Pushed apart by its depth along the best axis one comes clear: no less is enough.
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

TEST(CloseFireGeometry, TurnedMirroredAndShiftedTheSame) {  // CF-1.3 CF-1.4 CF-7.1
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const std::string plain = Rulings({}, seed);
    EXPECT_EQ(Rulings({90, false, {}}, seed), plain) << seed;
    EXPECT_EQ(Rulings({37, false, {}}, seed), plain) << seed;
    EXPECT_EQ(Rulings({0, true, {}}, seed), plain) << seed;
    EXPECT_EQ(Rulings({211, true, {13, -57}}, seed), plain) << seed;
    EXPECT_EQ(Rulings({0, false, {100, 100}}, seed), plain) << seed;
  }
}

}  // namespace
}  // namespace fos::closefire::test
