// SPDX-License-Identifier: MIT
#include "vision/shots/shot_detector.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <opencv2/imgproc.hpp>

#include "tests/support/tabletop.h"

namespace fos {
namespace {

using test::Block;
using test::Rod;
using test::Tabletop;

constexpr Colour kDip{90, 20, 20};
constexpr Colour kBody{201, 162, 39};
constexpr Colour kMark{20, 20, 20};
// A pixel is a twentieth of an inch here: what half a pixel allows.
constexpr double kBound_in = 0.03;
// All that these tests lay down lies about here: off the picture's middle, so that the lens bends
// and things lean.
constexpr Vec2 kPlace{22, 7.4};

Scenario Projectiles() {
  Scenario scenario;
  ProjectileSpec qtip;
  qtip.type = Projectile::kQtip;
  qtip.length_in = 3;
  qtip.diameter_in = 0.1;
  qtip.tip_paint = kDip;
  ProjectileSpec shell;
  shell.type = Projectile::kShell;
  shell.size_in = 0.4;
  shell.body = kBody;
  shell.mark = kMark;
  scenario.projectiles = {qtip, shell};
  return scenario;
}

// scale  of its picture: less than one for fewer pixels an inch
TableCamera PartCamera(double scale = 1) {
  const TableCamera whole = test::TabletopCamera();
  CameraModel lens = whole.lens;
  for (double* number : {&lens.fx_px, &lens.fy_px, &lens.cx_px, &lens.cy_px}) *number *= scale;
  lens.width_px = cvRound(scale * lens.width_px);
  lens.height_px = cvRound(scale * lens.height_px);
  const TableCamera scaled = MakeTableCamera(lens, whole.rvec, whole.tvec);
  const ImagePoint at = ImageFromTable(scaled, kPlace, 0);
  const cv::Size half(cvRound(scale * 92), cvRound(scale * 84));
  return Cropped(scaled, {cvRound(at.x_px) - half.width, cvRound(at.y_px) - half.height,
                          2 * half.width, 2 * half.height});
}

// What the detector finds between two pictures, with the change marked as the watch does it.
std::vector<ProjectileFinding> Between(const Tabletop& before, const Tabletop& after,
                                       const Scenario& scenario = Projectiles(),
                                       const std::vector<StandObservation>& stands = {},
                                       const std::vector<Lump>& lumps = {},
                                       const TableCamera& camera = PartCamera()) {
  ShotPictures pictures;
  pictures.camera = camera;
  pictures.before = test::PictureOf(pictures.camera, before, 1);
  pictures.after = test::PictureOf(pictures.camera, after, 2);
  pictures.noise = 1.5;
  cv::Mat apart;
  cv::absdiff(pictures.before, pictures.after, apart);
  cv::Mat channels[3];
  cv::split(apart, channels);
  cv::Mat most = cv::max(cv::max(channels[0], channels[1]), channels[2]);
  cv::blur(most, most, {3, 3});
  pictures.changed = most > ShotDetectorOptions().least_change;
  std::vector<cv::Point> places;
  cv::findNonZero(pictures.changed, places);
  if (places.empty()) return {};
  std::vector<Vec2> points;
  for (const cv::Point p : places) {
    points.push_back(
        TableFromImage(pictures.camera, {static_cast<double>(p.x), static_cast<double>(p.y)}, 0, 0)
            ->at);
  }
  TerrainMap terrain(scenario);
  terrain.SetStands(stands);
  terrain.SetUnknown(lumps);
  return ShotDetector(scenario).Find(pictures, terrain, BoundsOf(points));
}

Block BlockAt(Vec2 centre, double heading_deg, Box2 size, double top_in, Colour colour) {
  Block block;
  block.table_from_block = {centre, heading_deg * std::numbers::pi / 180};
  block.size = size;
  block.top_in = top_in;
  block.colour = colour;
  return block;
}

Block Shell(Vec2 centre, double heading_deg) {
  Block shell = BlockAt(centre, heading_deg, {0.4, 0.4}, 0.2, kBody);
  shell.mark_radius_in = 0.06;
  shell.mark = kMark;
  return shell;
}

struct Lying {
  Vec2 tip;
  double toward_tail_deg;
};
Lying Centred(Vec2 middle, double toward_tail_deg) {
  const double angle = toward_tail_deg * std::numbers::pi / 180;
  return {middle - 1.5 * Rotated({1, 0}, angle), toward_tail_deg};
}
Tabletop With(const Lying& swab, Tabletop table = {}) {
  LaySwab(table, swab.tip, swab.toward_tail_deg * std::numbers::pi / 180, kDip);
  return table;
}
Vec2 TailOf(const Lying& swab) {
  return swab.tip + 3 * Rotated({1, 0}, swab.toward_tail_deg * std::numbers::pi / 180);
}

// "swab at (22.00, 7.40)" and so on, for the message of a test that wants nothing.
std::string Told(const std::vector<ProjectileFinding>& found) {
  std::string out;
  for (const ProjectileFinding& f : found) {
    out += f.shot.projectile == Projectile::kQtip ? "swab" : "shell";
    out += " at (" + std::to_string(f.shot.point.x) + ", " + std::to_string(f.shot.point.y) +
           "), from " + f.how + "; ";
  }
  return out;
}

class SwabLies : public testing::TestWithParam<double> {};

TEST_P(SwabLies, AndItsTipIsMeasured) {
  const Lying swab = Centred(kPlace, GetParam());
  const auto found = Between({}, With(swab));
  ASSERT_EQ(found.size(), 1u) << Told(found);
  const ShotObservation& shot = found[0].shot;
  EXPECT_EQ(shot.projectile, Projectile::kQtip);
  EXPECT_TRUE(found[0].measured);
  EXPECT_EQ(found[0].spec, 0);
  EXPECT_LT(Distance(shot.point, swab.tip), kBound_in) << found[0].how;
  EXPECT_LT(Distance(shot.tail, TailOf(swab)), 2 * kBound_in);
  EXPECT_NEAR(shot.height_in, 0.11, 1e-9);
  EXPECT_GT(shot.visible, 0.8);
  // The error is one that the stated doubt allows.
  const double sigma = RmsSigma(shot.point_cov);
  EXPECT_GT(sigma, 0.003);
  EXPECT_LT(sigma, kBound_in);
  EXPECT_LT(Distance(shot.point, swab.tip), 4 * sigma);
}

INSTANTIATE_TEST_SUITE_P(AtAllAngles, SwabLies,
                         testing::Values(0.0, 37.0, 90.0, 128.0, 180.0, 217.0, 270.0, 308.0));

TEST(ShotDetector, FindsASwabAlongAGridLine) {
  for (const double angle : {90.0, 270.0}) {
    const Lying swab = Centred({20, 7.0}, angle);
    const auto found = Between({}, With(swab));
    ASSERT_EQ(found.size(), 1u) << Told(found);
    EXPECT_LT(Distance(found[0].shot.point, swab.tip), kBound_in) << angle;
  }
}

TEST(ShotDetector, FindsASwabOnLightClothAndOnDark) {
  for (const Colour cloth : {Colour{176, 164, 120}, Colour{45, 42, 40}}) {
    Tabletop table;
    table.cloth = cloth;
    const Lying swab = Centred(kPlace, 25);
    const auto found = Between(table, With(swab, table));
    ASSERT_EQ(found.size(), 1u) << Told(found);
    EXPECT_LT(Distance(found[0].shot.point, swab.tip), kBound_in) << int{cloth.r};
  }
}

TEST(ShotDetector, ARedTipOnGreenClothIsPaintAndNotCotton) {
  constexpr Colour kRed{150, 30, 30};
  Scenario scenario = Projectiles();
  scenario.projectiles[0].tip_paint = kRed;
  Tabletop table;
  table.cloth = {40, 84, 44};
  Tabletop after = table;
  const Lying swab = Centred(kPlace, 25);
  LaySwab(after, swab.tip, swab.toward_tail_deg * std::numbers::pi / 180, kRed);
  const auto found = Between(table, after, scenario);
  ASSERT_EQ(found.size(), 1u) << Told(found);
  EXPECT_TRUE(found[0].measured) << found[0].how;
  EXPECT_GT(found[0].tip_disagreement_in, 0) << found[0].how;
  EXPECT_LT(Distance(found[0].shot.point, swab.tip), kBound_in);
}

// A table with something held up over the swab's other end.
Tabletop RoofedOverTheTailOf(const Lying& swab) {
  Tabletop roofed;
  Block roof = BlockAt(TailOf(swab), swab.toward_tail_deg, {1.2, 1.2}, 0.5, {50, 70, 40});
  roof.bottom_in = 0.3;
  roofed.blocks = {roof};
  return roofed;
}

TEST(ShotDetector, MeasuresByTheTipWhenTheTailIsHidden) {
  const Lying swab = Centred(kPlace, 20);
  const Tabletop roofed = RoofedOverTheTailOf(swab);
  const auto found = Between(roofed, With(swab, roofed));
  ASSERT_EQ(found.size(), 1u) << Told(found);
  EXPECT_LT(Distance(found[0].shot.point, swab.tip), kBound_in) << found[0].how;
  EXPECT_EQ(found[0].tip_disagreement_in, 0) << "there is only one way";
}

TEST(ShotDetector, MeasuresByTheTailWhenTheTipIsHalfHidden) {
  const Lying swab = Centred(kPlace, 20);
  Tabletop roofed;
  const Vec2 along = Normalized(TailOf(swab) - swab.tip);
  // From 0.15 in inside the tip outward.
  Block roof = BlockAt(swab.tip - 0.35 * along, 20, {1.0, 1.0}, 0.35, {50, 70, 40});
  roof.bottom_in = 0.25;
  roofed.blocks = {roof};
  const auto found = Between(roofed, With(swab, roofed));
  ASSERT_EQ(found.size(), 1u) << Told(found);
  EXPECT_LT(Distance(found[0].shot.point, swab.tip), 2 * kBound_in) << found[0].how;
  EXPECT_LT(Distance(found[0].shot.point, swab.tip), 3 * RmsSigma(found[0].shot.point_cov));
}

// A base about a place, with the kind it is of.
std::vector<StandObservation> BaseAt(Scenario& scenario, Vec2 place, Box2 size) {
  KindSpec kind;
  kind.footprint = size;
  kind.thickness_in = 0.1;
  scenario.kinds = {kind};
  StandObservation stand;
  stand.footprint = size;
  stand.table_from_stand = {place, 0};
  return {stand};
}

TEST(ShotDetector, MeasuresByTheTipWhenAFigureHidesTheTailsEnd) {
  // What is left of the tail looks like an end: a length from it lies bare cloth.
  const Lying swab = Centred(kPlace, 20);
  Tabletop before;
  const Vec2 along = Normalized(TailOf(swab) - swab.tip);
  Block figure = BlockAt(TailOf(swab) + 0.13 * along, 20, {0.6, 0.6}, 0.5, {50, 70, 40});
  figure.bottom_in = 0.3;
  before.blocks = {figure};
  Scenario scenario = Projectiles();
  const auto stands = BaseAt(scenario, TailOf(swab) + 0.3 * along, {0.5, 0.5});
  const auto found = Between(before, With(swab, before), scenario, stands);
  ASSERT_EQ(found.size(), 1u) << Told(found);
  ASSERT_TRUE(found[0].measured) << found[0].how;
  // One end alone, without the length to check it by: to a pixel.
  const double pixel_in = 1 / PixelsPerInch(test::TabletopCamera(), swab.tip, 0);
  EXPECT_LT(Distance(found[0].shot.point, swab.tip), pixel_in) << found[0].how;
}

TEST(ShotDetector, EndsThatAreNotItsLengthApartAreAskedAbout) {
  // The same on open cloth, where nothing can hide an end: it broke, or is something else.
  Tabletop after;
  const double angle = 20 * std::numbers::pi / 180;
  LaySwab(after, kPlace - 1.4 * Rotated({1, 0}, angle), angle, kDip);
  const cv::Vec3d short_by = 0.2 * cv::Vec3d(std::cos(angle), std::sin(angle), 0);
  ASSERT_EQ(after.rods.size(), 3u);
  after.rods[1].from -= short_by;  // the other end's cotton
  after.rods[1].to -= short_by;
  after.rods[2].to -= short_by;
  for (const ProjectileFinding& f : Between({}, after)) EXPECT_FALSE(f.measured) << Told({f});
}

TEST(ShotDetector, OfTwoThatCameTogetherEitherMayLieOnTheOther) {
  const Lying one = Centred(kPlace, 20);
  // Crossing a third of their lengths from both tips.
  const Vec2 crossing = one.tip + Rotated({1, 0}, 20 * std::numbers::pi / 180);
  const Lying other{crossing - Rotated({1, 0}, 110 * std::numbers::pi / 180), 110};
  const auto found = Between({}, With(other, With(one)));
  ASSERT_EQ(found.size(), 2u) << Told(found);
  const auto alone = Between({}, With(one));
  ASSERT_EQ(alone.size(), 1u);
  for (const ProjectileFinding& f : found) {
    EXPECT_TRUE(f.measured) << f.how;
    EXPECT_GT(f.shot.height_in, alone[0].shot.height_in + 0.01) << "as if on the cloth alone";
    EXPECT_LT(f.shot.height_in, alone[0].shot.height_in + 0.2);
  }
}

TEST(ShotDetector, ATipByTheEdgeOfABaseMayLieOnIt) {
  const Lying swab = Centred(kPlace, 20);
  Scenario scenario = Projectiles();
  // Two hundredths of an inch beside the cotton: nearer than either is known.
  const double beside = 0.5 * 0.4 + 0.11 + 0.02;
  const auto stands = BaseAt(scenario, swab.tip + Vec2{0, beside}, {0.4, 0.4});
  const auto found = Between({}, With(swab), scenario, stands);
  const auto alone = Between({}, With(swab));
  ASSERT_EQ(found.size(), 1u) << Told(found);
  ASSERT_EQ(alone.size(), 1u);
  EXPECT_GT(found[0].shot.height_in, alone[0].shot.height_in + 0.02);
  EXPECT_LT(found[0].shot.height_in, alone[0].shot.height_in + 0.09);
}

// Two that came together onto the bare cloth: each is found, and nothing else.
void ExpectBothFound(const Lying& one, const Lying& other) {
  const auto found = Between({}, With(other, With(one)));
  ASSERT_EQ(found.size(), 2u) << Told(found);
  for (const Lying& swab : {one, other}) {
    EXPECT_LT(
        std::min(Distance(found[0].shot.point, swab.tip), Distance(found[1].shot.point, swab.tip)),
        kBound_in);
  }
}

TEST(ShotDetector, FindsTwoSwabsThatCameToRestTogether) {
  const Lying one = Centred(kPlace + Vec2{-1.5, 0.8}, 70);
  const Lying other = Centred(kPlace + Vec2{1.5, -0.5}, 190);
  ExpectBothFound(one, other);
}

TEST(ShotDetector, FindsTwoSwabsThatLieSideBySide) {
  const Lying one = Centred(kPlace + Vec2{0, 0.2}, 35);
  const Lying other = Centred(kPlace + Vec2{0.1, -0.25}, 38);
  ExpectBothFound(one, other);
}

TEST(ShotDetector, AnotherBeyondATipDoesNotMakeItGoOn) {
  // The second one's stick crosses the first one's line a third of an inch beyond its tip.
  const Lying one = Centred(kPlace, 10);
  const Vec2 along = Rotated({1, 0}, 10 * std::numbers::pi / 180);
  const Lying other = Centred(one.tip - 0.35 * along, 100);
  const auto found = Between({}, With(other, With(one)));
  ASSERT_EQ(found.size(), 2u) << Told(found);
  for (const ProjectileFinding& f : found) EXPECT_TRUE(f.measured) << f.how;
  EXPECT_LT(
      std::min(Distance(found[0].shot.point, one.tip), Distance(found[1].shot.point, one.tip)),
      kBound_in)
      << Told(found);
}

TEST(ShotDetector, FindsAShellThatLiesAgainstASwab) {
  const Lying swab = Centred(kPlace, 20);
  const Vec2 middle = kPlace + 0.32 * Rotated({0, 1}, 20 * std::numbers::pi / 180);
  Tabletop after = With(swab);
  after.blocks.push_back(Shell(middle, 20));
  const auto found = Between({}, after);
  ASSERT_EQ(found.size(), 2u) << Told(found);
  EXPECT_LT(Distance(found[1].shot.point, middle), 1.5 * kBound_in) << Told(found);
}

TEST(ShotDetector, FindsAShellByItsMarkAtAnyTurn) {
  for (const double heading : {0.0, 30.0, 45.0, 77.0}) {
    Tabletop after;
    after.blocks = {Shell(kPlace, heading)};
    const auto found = Between({}, after);
    ASSERT_EQ(found.size(), 1u) << heading << ": " << Told(found);
    EXPECT_EQ(found[0].shot.projectile, Projectile::kShell);
    EXPECT_EQ(found[0].spec, 1);
    EXPECT_LT(Distance(found[0].shot.point, kPlace), kBound_in) << heading;
    EXPECT_NEAR(found[0].shot.height_in, 0.2, 1e-9);
    EXPECT_GT(found[0].shot.visible, 0.8);
  }
}

constexpr Colour kGrey{120, 125, 130};
Scenario GreyShells() {
  Scenario scenario = Projectiles();
  scenario.projectiles[1].body = kGrey;
  return scenario;
}

TEST(ShotDetector, FindsAGreyShellOnAWhiteBar) {
  // It dims the bar as a shadow would; but no shadow brings a mark.
  Tabletop table;
  table.blocks = {BlockAt(kPlace, 15, {1.5, 0.75}, 0.1, {196, 170, 110}),
                  BlockAt(kPlace + Rotated({0, 0.285}, 15 * std::numbers::pi / 180), 15,
                          {1.5, 0.18}, 0.102, {242, 242, 234})};
  Tabletop after = table;
  const Vec2 centre = kPlace + Rotated({0.2, 0.25}, 15 * std::numbers::pi / 180);
  Block shell = BlockAt(centre, 30, {0.4, 0.4}, 0.3, kGrey);
  shell.bottom_in = 0.1;
  shell.mark_radius_in = 0.06;
  shell.mark = kMark;
  after.blocks.push_back(shell);
  Scenario scenario = GreyShells();
  const auto found = Between(table, after, scenario, BaseAt(scenario, kPlace, {1.5, 0.75}));
  ASSERT_EQ(found.size(), 1u) << Told(found);
  EXPECT_TRUE(found[0].measured) << found[0].how;
  EXPECT_LT(Distance(found[0].shot.point, centre), 2 * kBound_in) << found[0].how;
}

TEST(ShotDetector, AnotherShadeOfItsOwnColourAboutADarkFigureIsNoShell) {
  // A base of the shell's colour, a dark head on it, and about that what coding does to colours.
  const auto base = [](int blue) {
    Tabletop table;
    Block shade = BlockAt(kPlace, 0, {0.36, 0.36}, 0.101, kBody);
    shade.colour.b = static_cast<std::uint8_t>(blue);
    shade.mark_radius_in = 0.06;
    shade.mark = kMark;
    table.blocks = {BlockAt(kPlace, 0, {1.5, 0.75}, 0.1, {150, 60, 60}), shade};
    return table;
  };
  Scenario scenario = Projectiles();
  const auto stands = BaseAt(scenario, kPlace, {1.5, 0.75});
  for (const ProjectileFinding& f : Between(base(kBody.b + 24), base(kBody.b), scenario, stands))
    EXPECT_FALSE(f.measured) << Told({f});
}

TEST(ShotDetector, ADroppedFigureIsNoGreyShell) {
  for (const double deg : {0.0, 50.0, 130.0}) {
    for (const double off : {0.0, 0.25}) {
      Tabletop road;
      road.blocks = {BlockAt(kPlace + Vec2{0.9, off}, 0, {1.8, 5}, 0.001, {150, 118, 84})};
      Tabletop after = road;
      const Vec2 half = 0.4 * Rotated({1, 0}, deg * std::numbers::pi / 180);
      const cv::Vec3d from(kPlace.x - half.x, kPlace.y - half.y, 0.12);
      const cv::Vec3d to(kPlace.x + half.x, kPlace.y + half.y, 0.12);
      after.rods = {{from, to, 0.12, {60, 56, 64}, 0, {}}, {to, to, 0.09, {205, 170, 140}, 0, {}}};
      for (const ProjectileFinding& f : Between(road, after, GreyShells()))
        EXPECT_FALSE(f.measured) << deg << ": " << Told({f});
    }
  }
}

// Where a mark would be plain to see and is not there, it may be the end of a tape, or a lid. In a coarser
// picture nobody can tell: it is a shell by all that can be seen, and its middle is doubted.
TEST(ShotDetector, AShellWithoutItsMarkIsAskedAboutWhereAMarkWouldShow) {
  Tabletop after;
  after.blocks = {BlockAt(kPlace, 20, {0.4, 0.4}, 0.2, kBody)};
  const auto at_scale = [&](double scale) {
    return Between({}, after, Projectiles(), {}, {}, PartCamera(scale));
  };
  const auto fine = at_scale(1.5);
  ASSERT_EQ(fine.size(), 1u) << Told(fine);
  EXPECT_FALSE(fine[0].measured) << fine[0].how;
  const auto coarse = at_scale(0.9);
  ASSERT_EQ(coarse.size(), 1u) << Told(coarse);
  EXPECT_TRUE(coarse[0].measured) << coarse[0].how;
  EXPECT_GE(VarianceAlong(coarse[0].shot.point_cov, {1, 0}), 0.04 * 0.04);
  EXPECT_LT(Distance(coarse[0].shot.point, kPlace), 0.08);
}

// What is of its colour but larger, as the lid of a paint pot, may be another thing.
TEST(ShotDetector, ALargerBlockOfAShellsColourIsNotMeasured) {
  Tabletop after;
  after.blocks = {BlockAt(kPlace, 20, {0.55, 0.55}, 0.2, kBody)};
  for (const ProjectileFinding& found : Between({}, after)) EXPECT_FALSE(found.measured) << found.how;
}

TEST(ShotDetector, AShellTooDimForItsMarkIsMeasuredByItsOutline) {
  constexpr Colour kDim{70, 40, 6};
  Scenario scenario = Projectiles();
  scenario.projectiles[1].body = kDim;
  Tabletop before;
  before.cloth = {24, 30, 24};
  before.grid = false;
  Tabletop after = before;
  after.blocks = {BlockAt(kPlace, 20, {0.4, 0.4}, 0.2, kDim)};
  const auto found = Between(before, after, scenario);
  ASSERT_EQ(found.size(), 1u) << Told(found);
  EXPECT_TRUE(found[0].measured) << found[0].how;
  EXPECT_LT(Distance(found[0].shot.point, kPlace), 2 * kBound_in);
}

TEST(ShotDetector, AShellThatLittleLightHasWashedOutIsFound) {
  // As a weak yellow lamp shows the scenario's yellow: a third of its colour is left, and of that
  // what so little light leaves.
  Tabletop before;
  before.cloth = {41, 50, 34};
  before.grid = false;
  Tabletop after = before;
  after.blocks = {Shell(kPlace, 20)};
  after.blocks[0].colour = {94, 88, 56};
  const auto found = Between(before, after);
  ASSERT_EQ(found.size(), 1u) << Told(found);
  EXPECT_TRUE(found[0].measured) << found[0].how;
  EXPECT_LT(Distance(found[0].shot.point, kPlace), kBound_in);
}

TEST(ShotDetector, AShellWhoseTintSpreadsToOneSideIsMeasuredByItsMark) {
  // Its shadow, which takes on some of its colour, pulls the outline's middle over a pixel aside.
  const Vec2 aside = 0.35 * Rotated({1, 0}, 20 * std::numbers::pi / 180);
  Tabletop after;
  after.blocks = {Shell(kPlace, 20),
                  BlockAt(kPlace + aside, 20, {0.3, 0.4}, 0.005, {130, 115, 40})};
  const auto found = Between({}, after);
  ASSERT_EQ(found.size(), 1u) << Told(found);
  EXPECT_TRUE(found[0].measured) << found[0].how;
  EXPECT_LT(Distance(found[0].shot.point, kPlace), kBound_in);
}

// A square with more of its colour about it, as a coder smears it.
Tabletop Smeared(Block square, double width_in) {
  Tabletop out;
  out.blocks = {square, BlockAt(kPlace, 20, {width_in, width_in}, 0.005, {160, 130, 50})};
  return out;
}

TEST(ShotDetector, AShellInASmearOfItsColourIsAskedAboutOrDoubted) {
  const Block square = BlockAt(kPlace, 20, {0.4, 0.4}, 0.2, kBody);
  struct Case {
    double width_in;
    double scale;  // of the picture: of few pixels an inch a coder smears further
  };
  for (const Case c : {Case{0.6, 1}, Case{0.64, 0.7}}) {
    const auto found =
        Between({}, Smeared(square, c.width_in), Projectiles(), {}, {}, PartCamera(c.scale));
    ASSERT_EQ(found.size(), 1u) << c.scale;
    const double off = Distance(found[0].shot.point, kPlace);
    EXPECT_LT(off, 0.1);
    const Cov2& cov = found[0].shot.point_cov;
    if (found[0].measured) {
      EXPECT_LT(off, 2 * std::sqrt(std::min(cov.xx, cov.yy))) << found[0].how;
    }
  }
}

TEST(ShotDetector, ATipAloneIsDoubtedByItsShadow) {
  const Lying swab = Centred(kPlace, 20);
  const Tabletop roofed = RoofedOverTheTailOf(swab);
  const auto hidden = Between(roofed, With(swab, roofed));
  const auto open = Between({}, With(swab));
  ASSERT_EQ(hidden.size(), 1u) << Told(hidden);
  ASSERT_EQ(open.size(), 1u) << Told(open);
  const Vec2 along = Rotated({1, 0}, 20 * std::numbers::pi / 180);
  EXPECT_GT(VarianceAlong(hidden[0].shot.point_cov, along), 0.03 * 0.03);
  EXPECT_LT(VarianceAlong(open[0].shot.point_cov, along), 0.02 * 0.02);
}

TEST(ShotDetector, AStrawAcrossABaseIsNoSwab) {
  for (const double radius : {0.05, 0.07, 0.1}) {
    const Vec2 base = kPlace + Vec2{1.6, 0};
    Tabletop table;
    table.blocks = {BlockAt(base, 80, {1.5, 0.75}, 0.1, {47, 79, 168}),
                    BlockAt(base, 80, {0.3, 0.3}, 0.6, {60, 50, 45})};
    Tabletop after = table;
    after.rods = {{{kPlace.x - 3.2, kPlace.y - 0.1, radius},
                   {kPlace.x + 2.2, kPlace.y + 0.1, radius + 0.1},
                   radius,
                   {238, 238, 236},
                   0,
                   {}}};
    Scenario scenario = Projectiles();
    auto stands = BaseAt(scenario, base, {1.5, 0.75});
    stands[0].table_from_stand.heading_rad = 80 * std::numbers::pi / 180;
    EXPECT_EQ(Told(Between(table, after, scenario, stands)), "") << radius;
  }
}

TEST(ShotDetector, FindsAShellOnAGridCrossing) {
  Tabletop after;
  after.blocks = {Shell({20.05, 7.95}, 12)};
  const auto found = Between({}, after);
  ASSERT_EQ(found.size(), 1u) << Told(found);
  EXPECT_LT(Distance(found[0].shot.point, {20.05, 7.95}), kBound_in);
}

TEST(ShotDetector, FindsTwoShellsThatCameToRestTogether) {
  const Vec2 one = kPlace + Vec2{-1.2, 0.4};
  const Vec2 other = kPlace + Vec2{0.9, -0.3};
  Tabletop after;
  after.blocks = {Shell(one, 10), Shell(other, 50)};
  const auto found = Between({}, after);
  ASSERT_EQ(found.size(), 2u) << Told(found);
  for (const Vec2 at : {one, other}) {
    EXPECT_LT(std::min(Distance(found[0].shot.point, at), Distance(found[1].shot.point, at)),
              kBound_in);
  }
}

TEST(ShotDetector, FindsAShellBesideWhatLayThereAlready) {
  Tabletop before;
  before.blocks = {BlockAt(kPlace + Vec2{0.2, 0.5}, 20, {3.5, 0.25}, 0.1, {238, 238, 236})};
  Tabletop after = before;
  after.blocks.push_back(Shell(kPlace, 20));
  const auto found = Between(before, after);
  ASSERT_EQ(found.size(), 1u) << Told(found);
  EXPECT_TRUE(found[0].measured);
  EXPECT_LT(Distance(found[0].shot.point, kPlace), kBound_in);
}

TEST(ShotDetector, ABallOfWoolIsNoWhiteShell) {
  constexpr Colour kWhite{242, 242, 238};
  Scenario white = Projectiles();
  white.projectiles[1].body = kWhite;
  Tabletop shell;
  shell.blocks = {Shell(kPlace, 20)};
  shell.blocks[0].colour = kWhite;
  const auto found = Between({}, shell, white);
  ASSERT_EQ(found.size(), 1u) << Told(found);
  EXPECT_TRUE(found[0].measured) << found[0].how;
  // Its rim is dark all round: the middle of what is dark is its own, though nothing is marked
  // there.
  for (const double radius : {0.17, 0.19, 0.21, 0.23}) {
    Tabletop ball;
    const cv::Vec3d middle(kPlace.x, kPlace.y, radius);
    ball.rods = {Rod{middle, middle + cv::Vec3d(0.01, 0, 0), radius, kWhite, 0, {}}};
    for (const ProjectileFinding& f : Between({}, ball, white))
      EXPECT_FALSE(f.measured) << radius << ": " << f.how;
  }
}

TEST(ShotDetector, AShellThatBrokeIsAskedAbout) {
  for (const double apart_in : {0.5, 0.8}) {
    Tabletop after;
    after.blocks = {BlockAt(kPlace - Vec2{apart_in / 2, 0}, 0, {0.2, 0.4}, 0.2, kBody),
                    BlockAt(kPlace + Vec2{apart_in / 2, 0.1}, 25, {0.2, 0.4}, 0.2, kBody)};
    for (const ProjectileFinding& found : Between({}, after)) {
      EXPECT_FALSE(found.measured) << apart_in << ": " << Told({found});
    }
  }
}

TEST(ShotDetector, HalfASwabIsNeverMeasured) {
  // White stick and a painted end, but half the length, on open cloth.
  Tabletop after;
  after.rods = {{{kPlace.x - 0.7, kPlace.y, 0.11},
                 {kPlace.x - 0.3, kPlace.y, 0.11},
                 0.11,
                 {240, 238, 232},
                 0.3,
                 kDip},
                {{kPlace.x - 0.4, kPlace.y, 0.08},
                 {kPlace.x + 0.75, kPlace.y, 0.06},
                 0.05,
                 {228, 228, 224},
                 0,
                 {}}};
  for (const ProjectileFinding& found : Between({}, after)) {
    EXPECT_FALSE(found.measured) << Told({found});
  }
}

TEST(ShotDetector, MeasuresByTheTipWhenTheTailLiesOnWhite) {
  const Lying swab = Centred(kPlace, 20);
  Tabletop papered;
  const Vec2 along = Normalized(TailOf(swab) - swab.tip);
  papered.blocks = {BlockAt(TailOf(swab) + 0.2 * along, 20, {1.6, 1.6}, 0.01, {240, 240, 236})};
  const auto found = Between(papered, With(swab, papered));
  ASSERT_EQ(found.size(), 1u) << Told(found);
  EXPECT_TRUE(found[0].measured) << found[0].how;
  EXPECT_LT(Distance(found[0].shot.point, swab.tip), 2 * kBound_in) << found[0].how;
}

TEST(ShotDetector, MeasuresByBothEndsWhenTheTipsHalfLiesOnWhite) {
  const Lying swab = Centred(kPlace, 25);
  // A tape from under the tip's cotton to past its middle: little of its white is seen to be new.
  Tabletop taped;
  const Vec2 along = Normalized(TailOf(swab) - swab.tip);
  taped.blocks = {BlockAt(swab.tip + 0.9 * along, 25, {1.5, 3}, 0.01, {238, 238, 236})};
  const auto found = Between(taped, With(swab, taped));
  ASSERT_EQ(found.size(), 1u) << Told(found);
  EXPECT_TRUE(found[0].measured) << found[0].how;
  EXPECT_GT(found[0].tip_disagreement_in, 0) << found[0].how;
  EXPECT_LT(Distance(found[0].shot.point, swab.tip), kBound_in);
}

TEST(ShotDetector, FindsASwabWhereAPencilWasTakenAway) {
  // The cloth is lighter than what lay there, and all along a line.
  Tabletop pencil;
  pencil.rods = {Rod{{19.2, 7.0, 0.14}, {24.8, 7.7, 0.14}, 0.14, {20, 34, 90}, 0, {}}};
  const Lying swab = Centred(kPlace, 95);
  const auto found = Between(pencil, With(swab));
  ASSERT_EQ(found.size(), 1u) << Told(found);
  EXPECT_TRUE(found[0].measured) << found[0].how;
  EXPECT_LT(Distance(found[0].shot.point, swab.tip), kBound_in);
}

TEST(ShotDetector, ATipOnSomethingUnknownIsDoubtedByAsMuchAsThatMayHoldItUp) {
  // The same picture, and the word that something a shell high may lie under its tip.
  const Lying swab = Centred(kPlace, 25);
  const auto square = [](Vec2 at, double half) {
    return Polygon{at + Vec2{-half, -half}, at + Vec2{half, -half}, at + Vec2{half, half},
                   at + Vec2{-half, half}};
  };
  const auto alone = Between({}, With(swab));
  constexpr double kTop_in = 0.2;
  const auto held = Between({}, With(swab), Projectiles(), {}, {{square(swab.tip, 0.3), kTop_in}});
  const auto beside =
      Between({}, With(swab), Projectiles(), {}, {{square(swab.tip + Vec2{0, 2}, 0.3), kTop_in}});
  ASSERT_EQ(alone.size(), 1u);
  ASSERT_EQ(held.size(), 1u);
  ASSERT_EQ(beside.size(), 1u);
  const double flat_in = alone[0].shot.height_in;
  EXPECT_GT(held[0].shot.height_in, flat_in + 0.02);
  EXPECT_LT(held[0].shot.height_in, flat_in + kTop_in);
  EXPECT_GT(RmsSigma(held[0].shot.point_cov), RmsSigma(alone[0].shot.point_cov));
  EXPECT_LT(Distance(held[0].shot.point, swab.tip), 2 * RmsSigma(held[0].shot.point_cov));
  EXPECT_EQ(beside[0].shot.height_in, flat_in);
  EXPECT_EQ(beside[0].shot.point, alone[0].shot.point);
}

TEST(ShotDetector, NothingNewIsNothingFound) { EXPECT_EQ(Told(Between({}, {})), ""); }

TEST(ShotDetector, APencilIsNoSwab) {
  for (const double deg : {10.0, 80.0}) {
    Tabletop after;
    const Vec2 half = 3.4 * Rotated({1, 0}, deg * std::numbers::pi / 180);
    after.rods = {{{kPlace.x - half.x, kPlace.y - half.y, 0.14},
                   {kPlace.x + half.x, kPlace.y + half.y, 0.14},
                   0.14,
                   {225, 170, 30},
                   0.5,
                   {60, 50, 45}}};
    EXPECT_EQ(Told(Between({}, after)), "");
  }
}

TEST(ShotDetector, AWhitePencilIsNeverMeasuredAsASwab) {
  Tabletop after;
  after.rods = {{{kPlace.x - 3.4, kPlace.y, 0.14},
                 {kPlace.x + 3.4, kPlace.y, 0.14},
                 0.14,
                 {235, 235, 230},
                 0.5,
                 {60, 50, 45}}};
  // People may be asked what it is; no point is made up for it.
  for (const ProjectileFinding& found : Between({}, after)) {
    EXPECT_FALSE(found.measured) << Told({found});
  }
}

// Where no dice are looked for, people may be asked.
TEST(ShotDetector, ADieIsNoMeasuredProjectile) {
  for (const double deg : {0.0, 35.0}) {
    Tabletop after;
    after.blocks = {BlockAt(kPlace, deg, {0.6, 0.6}, 0.6, {238, 238, 232})};
    after.blocks[0].mark_radius_in = 0.07;
    after.blocks[0].mark = {20, 20, 20};
    for (const ProjectileFinding& f : Between({}, after)) EXPECT_FALSE(f.measured) << Told({f});
  }
}

TEST(ShotDetector, ASheetOfPaperIsNoProjectile) {
  for (const Box2 size : {Box2{4, 2.5}, Box2{3, 1}, Box2{1.5, 1.5}}) {
    Tabletop after;
    after.blocks = {BlockAt(kPlace, 15, size, 0.01, {240, 240, 236})};
    EXPECT_EQ(Told(Between({}, after)), "") << size.width_in;
  }
}

TEST(ShotDetector, AShadowComingOrGoingIsNoProjectile) {
  for (const Vec2 half : {Vec2{2, 1}, Vec2{1.5, 0.1}, Vec2{0.25, 0.25}}) {
    Tabletop dim;
    dim.light = [half](Vec2 at) {
      const double edge =
          std::max(std::abs(at.x - kPlace.x) - half.x, std::abs(at.y - kPlace.y) - half.y);
      // A quarter of an inch of half shadow.
      return 0.6 + 0.4 * std::clamp(edge / 0.25 + 0.5, 0.0, 1.0);
    };
    EXPECT_EQ(Told(Between({}, dim)), "") << half.x;
    EXPECT_EQ(Told(Between(dim, {})), "") << half.x;
  }
}

// The swabs of many packets have sticks of another colour: their cotton tells them.
TEST(ShotDetector, MeasuresASwabWithABlackStickByItsThickEnds) {
  const Lying swab = Centred(kPlace, 25);
  Tabletop after = With(swab);
  ASSERT_EQ(after.rods.size(), 3U);
  after.rods[2].colour = {40, 40, 42};
  const auto found = Between({}, after);
  ASSERT_EQ(found.size(), 1U) << Told(found);
  EXPECT_TRUE(found[0].measured) << found[0].how;
  constexpr double kWithoutAStick_in = 0.06;
  EXPECT_LT(Distance(found[0].shot.point, swab.tip), kWithoutAStick_in) << found[0].how;
}

// As long as a swab, as thick everywhere as its stick: a toothpick, a match.
TEST(ShotDetector, ARodWithoutThickEndsIsNotMeasured) {
  const Lying swab = Centred(kPlace, 25);
  for (const Colour wood : {Colour{196, 160, 104}, Colour{236, 234, 228}, Colour{40, 40, 42}}) {
    Tabletop after = With(swab);
    ASSERT_EQ(after.rods.size(), 3U);
    for (Rod& rod : after.rods) rod.radius_in = 0.05;
    after.rods[1].colour = after.rods[2].colour = wood;
    for (const ProjectileFinding& f : Between({}, after))
      EXPECT_FALSE(f.measured) << Told({f}) << f.how;
  }
}

// A shell whose paint stands out from the cloth by a fifth only, as on a printed mat.
TEST(ShotDetector, FindsAShellThatHardlyStandsOut) {
  Scenario scenario = Projectiles();
  scenario.projectiles[1].body = {78, 96, 62};
  Tabletop after;
  Block shell = Shell(kPlace, 20);
  shell.colour = scenario.projectiles[1].body;
  after.blocks = {shell};
  const auto found = Between({}, after, scenario);
  ASSERT_EQ(found.size(), 1U) << Told(found);
  EXPECT_EQ(found[0].shot.projectile, Projectile::kShell);
  EXPECT_LT(Distance(found[0].shot.point, kPlace), 2 * kBound_in) << found[0].how;
}

// A round thing and a long one of a shell's paint are told from it by their shapes.
TEST(ShotDetector, AThingOfAnotherShapeIsNoMeasuredShell) {
  Tabletop button;
  button.rods.push_back({cv::Vec3d(kPlace.x, kPlace.y, 0.05),
                         cv::Vec3d(kPlace.x, kPlace.y, 0.051), 0.3, kBody, 0, {}});
  Tabletop rubber;
  rubber.blocks = {BlockAt(kPlace, 30, {0.8, 0.4}, 0.2, kBody)};
  for (const Tabletop& after : {button, rubber}) {
    for (const ProjectileFinding& f : Between({}, after))
      EXPECT_FALSE(f.measured) << Told({f}) << f.how;
  }
}

TEST(ShotDetector, WhatWasTakenAwayHasNotFallen) {
  EXPECT_EQ(Told(Between(With(Centred(kPlace, 30)), {})), "");
  EXPECT_EQ(Told(Between(With(Centred({20, 7}, 90)), {})), "");
  Tabletop shell;
  shell.blocks = {Shell(kPlace, 20)};
  EXPECT_EQ(Told(Between(shell, {})), "");
}

TEST(ShotDetector, AStandsWhiteBarIsNoSwab) {
  const auto stand = [](Vec2 at, double deg) {
    Tabletop table;
    table.blocks = {BlockAt(at, deg, {1.5, 0.75}, 0.1, {47, 79, 168})};
    const Vec2 front = at + Rotated({0, 0.75 / 2 - 0.09}, deg * std::numbers::pi / 180);
    table.blocks.push_back(BlockAt(front, deg, {1.5, 0.18}, 0.102, {242, 242, 234}));
    return table;
  };
  EXPECT_EQ(Told(Between(stand(kPlace, 0), stand(kPlace + Vec2{0.7, 0.3}, 10))), "");
  Tabletop bar;
  bar.blocks = {BlockAt(kPlace, 25, {1.5, 0.18}, 0.1, {242, 242, 234})};
  EXPECT_EQ(Told(Between({}, bar)), "");
}

}  // namespace
}  // namespace fos
