// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <opencv2/imgproc.hpp>

#include "calibration/camera/response.h"
#include "tests/support/swab_looks.h"
#include "tests/support/tabletop.h"
#include "vision/image/paper_light.h"
#include "vision/image/veil.h"
#include "vision/shots/change_window.h"
#include "vision/shots/projectile_judge.h"
#include "vision/shots/shell_finder.h"
#include "vision/shots/shell_model.h"
#include "vision/shots/shot_odds.h"
#include "vision/shots/swab_ends.h"
#include "vision/shots/swab_model.h"

// How well the image model parts projectiles from other things, from other light and from nothing.
namespace fos {
namespace {

using test::Block;
using test::Rod;
using test::Tabletop;

constexpr Vec2 kSpot{22, 7.4};
constexpr double kAxis_in = 0.11;  // height of a flat swab's axis

ShotPictures PicturesOf(const Tabletop& before, const Tabletop& after) {
  ShotPictures out;
  const TableCamera whole = test::TabletopCamera();
  const ImagePoint at = ImageFromTable(whole, kSpot, 0);
  out.camera = Cropped(whole, {cvRound(at.x_px) - 92, cvRound(at.y_px) - 84, 184, 168});
  out.before = test::PictureOf(out.camera, before, 1);
  out.after = test::PictureOf(out.camera, after, 2);
  out.noise = 1.5;
  cv::Mat apart;
  cv::absdiff(out.before, out.after, apart);
  cv::Mat channels[3];
  cv::split(apart, channels);
  cv::Mat most = cv::max(cv::max(channels[0], channels[1]), channels[2]);
  cv::blur(most, most, {3, 3});
  out.changed = most > ShotDetectorOptions().least_change;
  return out;
}

TableBox WhereChanged(const ShotPictures& pictures) {
  std::vector<cv::Point> places;
  cv::findNonZero(pictures.changed, places);
  std::vector<Vec2> points;
  for (const cv::Point p : places) {
    points.push_back(
        TableFromImage(pictures.camera, {static_cast<double>(p.x), static_cast<double>(p.y)}, 0, 0)
            ->at);
  }
  return BoundsOf(points);
}

Tabletop On(Colour cloth) {
  Tabletop out;
  out.cloth = cloth;
  return out;
}

constexpr Colour kGreen{92, 104, 58};
constexpr Colour kSnow{226, 228, 230};
constexpr Colour kDarkPaint{90, 20, 20};
const PaperLight kPaper{0.87, 0.12};  // code 240 beside felt of code 90
const Vec2 kTip = kSpot + Vec2{1.2, 0.4};
constexpr double kTowardTail = 2.9;

double Off(const ShotPictures& pictures, const SwabExplanation& seen) {
  const auto tip = TableFromImage(pictures.camera, seen.tip, kAxis_in, 0);
  return tip.ok() ? Distance(tip->at, kTip) : 1e9;
}

// CV_8UC1, of the pictures' size: 255 farther from the tip than this.
cv::Mat FartherFromTip(const ShotPictures& pictures, double inches) {
  const ImagePoint tip = ImageFromTable(pictures.camera, kTip, kAxis_in);
  const double px = inches * PixelsPerInch(pictures.camera, kTip, kAxis_in);
  cv::Mat out(pictures.after.size(), CV_8UC1, cv::Scalar(255));
  cv::circle(out, cv::Point(cvRound(tip.x_px), cvRound(tip.y_px)), cvRound(px), cv::Scalar(0),
             cv::FILLED);
  return out;
}

TEST(SwabModel, FindsASwabOnClothAndOnGroundAsWhiteAsItself) {
  for (const Colour cloth : {kGreen, kSnow}) {
    Tabletop after = On(cloth);
    test::LaySwab(after, kTip, kTowardTail, test::SwabLook());
    const ShotPictures pictures = PicturesOf(On(cloth), after);
    const auto seen =
        ExplainBySwab(pictures, WhereChanged(pictures), kAxis_in, SwabShape(), cv::Mat());
    ASSERT_TRUE(seen);
    EXPECT_GE(SwabOdds(*seen, false), kExplanationMargins.measured_swab);
    EXPECT_TRUE(TipTold(*seen));
    EXPECT_LT(Off(pictures, *seen), 0.1) << "two pixels";
  }
}

// The edge of a shade that has crept by a pixel: it goes on beyond the one end, while beyond the
// other the part of the picture that is looked at ends, as at the edge of the board.
TEST(SwabModel, TheEdgeOfAShadeGoesOnWhereOnlyOneEndShows) {
  const auto shaded_from = [](double y) {
    Tabletop out = On(kGreen);
    out.light = [y](Vec2 at) { return at.y > y ? 0.2 : 1.0; };
    return out;
  };
  const ShotPictures pictures = PicturesOf(shaded_from(7.4), shaded_from(7.46));
  const auto seen = ExplainBySwab(pictures, {{21, 7}, {22.8, 7.8}}, kAxis_in, SwabShape(), {});
  ASSERT_TRUE(seen);
  EXPECT_GT(seen->goes_on, 0.7);
}

// A swab hardly lighter than the ground, all but its dip, beside the shadow that it casts from where
// it lies high: what changed most is the shadow.
TEST(SwabModel, IsNotLaidInItsShadow) {
  constexpr Colour kGrey{96, 96, 96};
  test::SwabLook look;
  look.cotton = look.stick = {104, 102, 98};
  look.dip = {12, 12, 12};
  Tabletop after = On(kGrey);
  test::LaySwab(after, kTip, kTowardTail, look);
  const Vec2 along = Rotated({1, 0}, kTowardTail);
  const Vec2 aside = -0.22 * Perpendicular(along);
  const Segment2 shadow{kTip + aside, kTip + aside + 3 * along};
  after.light = [=](Vec2 at) {
    const double off = Distance(NearestPoint(shadow, at), at);
    return 1 - 0.5 * std::clamp(1.5 - off / 0.1, 0.0, 1.0);
  };
  const ShotPictures pictures = PicturesOf(On(kGrey), after);
  const auto seen =
      ExplainBySwab(pictures, WhereChanged(pictures), kAxis_in, SwabShape(), cv::Mat());
  ASSERT_TRUE(seen);
  EXPECT_LT(Off(pictures, *seen), 0.1) << "it was laid in the shadow, 0.14 in off";
  EXPECT_GT(seen->explained, 0.95);
}

// All but its dip is hardly lighter than the ground: the change detector sees one end alone.
TEST(SwabModel, FindsTheWholeOfWhichOneEndAloneIsPlain) {
  constexpr Colour kGrey{96, 96, 96};
  test::SwabLook look;
  look.cotton = look.stick = {106, 104, 101};
  look.dip = {12, 12, 12};
  Tabletop after = On(kGrey);
  test::LaySwab(after, kTip, kTowardTail, look);
  ShotPictures pictures = PicturesOf(On(kGrey), after);
  pictures.changed.setTo(0, FartherFromTip(pictures, 0.4));
  const auto seen =
      ExplainBySwab(pictures, WhereChanged(pictures), kAxis_in, SwabShape(), cv::Mat());
  ASSERT_TRUE(seen);
  EXPECT_LT(Off(pictures, *seen), 0.1) << "two pixels";
  EXPECT_GT(seen->explained, 0.95);
}

// One half of it lies behind something. The search looks at little more than the half that changed,
// but the whole swab is what must be in view to be measured.
TEST(SwabModel, KnowsHowMuchOfTheWholeSwabIsInView) {
  Tabletop after = On(kGreen);
  test::LaySwab(after, kTip, kTowardTail, test::SwabLook());
  ShotPictures pictures = PicturesOf(On(kGreen), after);
  const cv::Mat hidden = FartherFromTip(pictures, 1.6);
  pictures.before.copyTo(pictures.after, hidden);
  pictures.changed.setTo(0, hidden);
  const TableBox about_tip = Grown(TableBox{kTip, kTip}, 0.4);
  const auto seen = ExplainBySwab(pictures, about_tip, kAxis_in, SwabShape(), hidden);
  ASSERT_TRUE(seen);
  EXPECT_LT(seen->in_view, kExplanationMargins.alone_in_view);
}

// Of all that a swab changes, what it predicts leaves little: its texture and the noise.
TEST(SwabModel, PredictsThePicture) {
  Tabletop after;
  test::LaySwab(after, kTip, kTowardTail, test::SwabLook());
  const ShotPictures pictures = PicturesOf({}, after);
  const auto seen =
      ExplainBySwab(pictures, WhereChanged(pictures), kAxis_in, SwabShape(), cv::Mat());
  ASSERT_TRUE(seen);
  const cv::Rect where = seen->predicted.where;
  ASSERT_EQ(seen->predicted.bgr.size(), where.size());
  const cv::Mat changed = pictures.changed(where);
  const double came = cv::norm(pictures.after(where), pictures.before(where), cv::NORM_L2, changed);
  const double left = cv::norm(pictures.after(where), seen->predicted.bgr, cv::NORM_L2, changed);
  EXPECT_LT(left, 0.2 * came);
}

// As the model explains a swab of 25 pixels an inch that lies in the open.
SwabExplanation PlainSwab() {
  SwabExplanation out;
  out.px_per_in = 25;
  out.over_nothing = 1500;
  out.over_other_end = 250;
  out.over_rod = 200;
  out.explained = 1;
  out.came = 1000;
  out.painted_tip = 4;
  out.tip_contrast = 60;
  out.over_ground = 4;
  out.dip_nats = 100;
  return out;
}

// As on snow, where the shadow at the other end is darker than a pale dip.
TEST(SwabOdds, TellNoEndByAPlainDipAlone) {
  SwabExplanation plain = PlainSwab();
  plain.tip_contrast = 90;
  plain.painted_tip = 1.5;
  plain.over_other_end = 0.02 * plain.over_nothing;
  EXPECT_FALSE(TipTold(plain));
  SwabExplanation by_colours = plain;
  by_colours.painted_tip = 4;
  EXPECT_TRUE(TipToldAlone(by_colours));
}

// A straw on felt as dark as paint: a swab with half an inch of black paint would look the same.
TEST(SwabOdds, TellNoEndByADipThatMayBeBareGround) {
  SwabExplanation straw = PlainSwab();
  straw.over_nothing = 1096;
  straw.over_other_end = 521;
  straw.over_rod = -7;
  straw.painted_tip = 3.5;
  straw.tip_contrast = 13;
  straw.dip_nats = 13;
  EXPECT_TRUE(TipTold(straw));
  EXPECT_FALSE(TipToldAlone(straw));
  SwabExplanation seen = straw;
  seen.dip_nats = 107;
  EXPECT_TRUE(TipToldAlone(seen));
  SwabExplanation thick = straw;
  thick.over_rod = 97;
  EXPECT_TRUE(TipToldAlone(thick));
}

TEST(SwabOdds, AreOfAWholeThingWithThickEndsThatHasCome) {
  const ExplanationMargins& m = kExplanationMargins;
  EXPECT_GT(SwabOdds(PlainSwab(), false), m.measured_swab);
  EXPECT_GT(SwabOdds(PlainSwab(), true), SwabOdds(PlainSwab(), false));
  EXPECT_TRUE(TipTold(PlainSwab()));
  EXPECT_TRUE(TipToldAlone(PlainSwab()));
  SwabExplanation rod = PlainSwab();
  rod.over_rod = -200;
  rod.painted_tip = 0;
  rod.over_other_end = 0;
  EXPECT_LT(SwabOdds(rod, false), m.measured_swab);
  EXPECT_FALSE(TipTold(rod));
  SwabExplanation in_part = PlainSwab();
  in_part.in_view = 0.4;
  EXPECT_LT(SwabOdds(in_part, false), SwabOdds(PlainSwab(), false) - 3);
  SwabExplanation long_one = PlainSwab();
  long_one.longer_in = 0.2;
  EXPECT_LT(SwabOdds(long_one, false), SwabOdds(PlainSwab(), false) - 2);
  SwabExplanation unlike = PlainSwab();
  unlike.explained = 0.5;
  EXPECT_LT(SwabOdds(unlike, true), m.asked_swab);
  SwabExplanation bared = PlainSwab();
  bared.over_ground = 0.3;
  bared.came = 0;
  EXPECT_LT(SwabOdds(bared, true), m.asked_swab);
}

TEST(SwabModel, APencilIsExplainedBetterByAnUnknownThing) {
  Tabletop after;
  after.rods.push_back({cv::Vec3d(kTip.x, kTip.y, 0.14),
                        cv::Vec3d(kTip.x - 2.9, kTip.y + 0.5, 0.14),
                        0.14,
                        {190, 60, 30},
                        0.4,
                        {40, 40, 40}});
  const ShotPictures pictures = PicturesOf({}, after);
  const auto seen =
      ExplainBySwab(pictures, WhereChanged(pictures), kAxis_in, SwabShape(), cv::Mat());
  ASSERT_TRUE(seen);
  EXPECT_LT(SwabOdds(*seen, false), kExplanationMargins.measured_swab)
      << seen->explained << " of " << seen->over_nothing << " nats, cotton " << seen->cotton_in
      << ", blur " << seen->psf_px;
}

// Coding blurs what stands out less than a marker does, and an edge of the picture is softer.
TEST(SwabModel, MeasuresASwabThatIsBlurredMoreThanTheMarkers) {
  Tabletop after;
  test::LaySwab(after, kTip, kTowardTail, test::SwabLook());
  ShotPictures pictures = PicturesOf({}, after);
  pictures.paper = kPaper;
  pictures.blur = {0.2, 0.05};
  const auto seen =
      ExplainBySwab(pictures, WhereChanged(pictures), kAxis_in, SwabShape(), cv::Mat());
  ASSERT_TRUE(seen);
  EXPECT_FALSE(seen->no_cotton) << seen->psf_px;
  const auto found = FindSwabByModel(pictures, TerrainMap({}), WhereChanged(pictures), kAxis_in,
                                     SwabShape(), cv::Mat());
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->measured) << found->how;
  EXPECT_LT(Distance(found->shot.point, kTip), 0.1);
}

TEST(SwabModel, FollowsABentStickToItsTip) {
  for (const double bend_in : {-0.15, 0.15}) {
    Tabletop after;
    test::LaySwab(after, kTip, kTowardTail, kDarkPaint, 0, bend_in);
    const ShotPictures pictures = PicturesOf({}, after);
    const auto seen =
        ExplainBySwab(pictures, WhereChanged(pictures), kAxis_in, SwabShape(), cv::Mat());
    ASSERT_TRUE(seen);
    const Vec2 tip = TableFromImage(pictures.camera, seen->tip, kAxis_in, 0)->at;
    const Vec2 across = Perpendicular(Rotated({1, 0}, kTowardTail));
    EXPECT_NEAR(Dot(tip - kTip, across), 0, 0.05)
        << "more than a pixel; a straight line through it passes the tip by two";
    const double ppi = PixelsPerInch(pictures.camera, kTip, kAxis_in);
    EXPECT_NEAR(std::abs(seen->bend_px) / ppi, std::abs(bend_in), 0.05);
  }
}

TEST(SwabModel, TheEdgeOfAShadowThatMovedIsNoSwab) {
  const Vec2 along = Rotated({1, 0}, kTowardTail);
  const auto lit_to = [&](double edge_in) {
    Tabletop out;
    out.light = [=](Vec2 p) { return Dot(p - kTip, Perpendicular(along)) < edge_in ? 1.0 : 0.25; };
    return out;
  };
  ShotPictures pictures = PicturesOf(lit_to(-0.1), lit_to(0.1));
  pictures.paper = kPaper;
  EXPECT_FALSE(FindSwabByModel(pictures, TerrainMap({}), WhereChanged(pictures), kAxis_in,
                               SwabShape(), cv::Mat()));
  Tabletop swab;
  test::LaySwab(swab, kTip, kTowardTail, test::SwabLook());
  pictures = PicturesOf({}, swab);
  pictures.paper = kPaper;
  EXPECT_TRUE(FindSwabByModel(pictures, TerrainMap({}), WhereChanged(pictures), kAxis_in,
                              SwabShape(), cv::Mat()));
}

TEST(SwabModel, CottonIsAsWhiteAsPaper) {
  Tabletop swab;
  test::LaySwab(swab, kTip, kTowardTail, test::SwabLook());
  Tabletop twig;
  twig.rods.push_back({cv::Vec3d(kTip.x, kTip.y, 0.11),
                       cv::Vec3d(kTip.x, kTip.y, 0.11) +
                           3 * cv::Vec3d(std::cos(kTowardTail), std::sin(kTowardTail), 0),
                       0.08,
                       {98, 96, 90},
                       0.3,
                       kDarkPaint});
  const auto of_paper = [](const Tabletop& after) {
    ShotPictures pictures = PicturesOf({}, after);
    pictures.paper = kPaper;
    const auto seen =
        ExplainBySwab(pictures, WhereChanged(pictures), kAxis_in, SwabShape(), cv::Mat());
    return seen ? seen->of_paper : 0;
  };
  EXPECT_GE(of_paper(swab), 0.5);
  EXPECT_LT(of_paper(twig), 0.25);
  ShotPictures pictures = PicturesOf({}, twig);
  pictures.paper = kPaper;
  const auto found = FindSwabByModel(pictures, TerrainMap({}), WhereChanged(pictures), kAxis_in,
                                     SwabShape(), cv::Mat());
  EXPECT_FALSE(found && found->measured) << found->how;
}

// A marker of one inch, all of it black, on its paper.
Tabletop MarkerOnATable(Colour black) {
  Tabletop out;
  out.blocks.push_back({{kSpot, 0}, {1.5, 1.5}, 0, 0.005, {250, 250, 250}, 0, {}});
  out.blocks.push_back({{kSpot, 0}, {1, 1}, 0.005, 0.01, black, 0, {}});
  return out;
}
// The camera's part of 60 x 60 pixels that begins so far left of its middle and above.
TableCamera MarkerCamera(int before_px) {
  const TableCamera whole = test::TabletopCamera();
  const ImagePoint at = ImageFromTable(whole, kSpot, 0);
  return Cropped(whole, {cvRound(at.x_px) - before_px, cvRound(at.y_px) - before_px, 60, 60});
}
TableSpec MarkerSpec() {
  TableSpec out;
  out.fiducials = FiducialSpec{"DICT_4X4_50", 1.0, {{0, kSpot}}};
  return out;
}

TEST(PaperLight, IsMeasuredBesideTheMarkers) {
  const Tabletop table = MarkerOnATable({20, 20, 20});
  const TableCamera camera = MarkerCamera(30);
  const cv::Mat picture = test::PictureOf(camera, table, 1);
  TableSpec spec = MarkerSpec();
  const PaperLight lit = PaperLightOf(picture, camera, spec);
  EXPECT_GT(lit.light, 0.5);
  EXPECT_LT(lit.ground, 0.3) << "green felt";
  EXPECT_GT(lit.ground, 0.03);
  EXPECT_GT(lit.ground_bgr[1], lit.ground_bgr[2]) << "more green than red";
  EXPECT_GT(lit.ground_bgr[2], lit.ground_bgr[0]) << "more red than blue";
  // A marker in a corner of the picture, whose paper is the last that is in view.
  const TableCamera in_corner = MarkerCamera(18);
  const PaperLight there = PaperLightOf(test::PictureOf(in_corner, table, 1), in_corner, spec);
  EXPECT_NEAR(there.light, lit.light, 0.05);
  EXPECT_LT(lit.ink_bgr[1], 0.1 * lit.light);
  EXPECT_NEAR(there.ground, lit.ground, 0.05);
  spec.fiducials.reset();
  EXPECT_EQ(PaperLightOf(picture, camera, spec).light, 0);
}

// White paper with a black square of a few pixels in a corner.
cv::Mat PaperAndBlack(cv::Scalar paper, cv::Scalar black) {
  cv::Mat out(300, 400, CV_8UC3, paper);
  out(cv::Rect(0, 0, 12, 12)) = black;
  return out;
}
// In linear light, as a lens adds it.
cv::Mat WithVeil(const cv::Mat& bgr, const cv::Vec3d& light) {
  cv::Mat out = bgr.clone();
  for (auto& pixel : cv::Mat_<cv::Vec3b>(out)) {
    for (int c = 0; c < 3; ++c)
      pixel[c] = cv::saturate_cast<std::uint8_t>(
          SrgbCodeOfLight(LightOfSrgbCode()[pixel[c]] + light[c]));
  }
  return out;
}

TEST(Veil, IsMeasuredAndTakenOff) {
  const TableCamera camera = test::TabletopCamera();
  const cv::Mat clear = PaperAndBlack({150, 170, 190}, {8, 8, 8});
  EXPECT_FALSE(VeilOf(clear, camera, {}).Any());
  EXPECT_EQ(WithoutVeil(clear, {}).data, clear.data);
  // Grey, and of the picture's own colour.
  const cv::Vec3d of_paper(0.06, 0.08, 0.1);
  for (const cv::Vec3d& light : {cv::Vec3d(0.1, 0.1, 0.1), of_paper}) {
    cv::Mat veiled = WithVeil(clear, light);
    // A camera that makes colours vivid takes all light from one of a red's.
    veiled(cv::Rect(0, 100, 60, 60)) = cv::Scalar(0, 60, 210);
    const Veil veil = VeilOf(veiled, camera, {});
    for (int c = 0; c < 3; ++c) EXPECT_NEAR(veil.light[c], light[c], 0.015) << c;
    const cv::Mat again = WithoutVeil(veiled, veil);
    EXPECT_LT(cv::norm(again.rowRange(0, 100), clear.rowRange(0, 100), cv::NORM_INF), 20);
    EXPECT_LT(cv::norm(again.row(200), clear.row(200), cv::NORM_INF), 12);
  }
  const cv::Mat burnt(10, 10, CV_8UC3, cv::Scalar::all(255));
  EXPECT_EQ(cv::norm(WithoutVeil(burnt, {{0.1, 0.1, 0.1}}), burnt, cv::NORM_INF), 0);
  // Exposed so long that its white is burnt, the darkest may be as dark as anything is.
  EXPECT_FALSE(VeilOf(PaperAndBlack({255, 255, 255}, {80, 80, 80}), camera, {}).Any());
  // No light of one colour alone is a veil: brown wood has little blue.
  EXPECT_FALSE(VeilOf(PaperAndBlack({4, 60, 120}, {3, 40, 80}), camera, {}).Any());
}

TEST(Veil, IsNoMoreThanAMarkersInkHas) {
  // A bright table without anything dark, but for a marker.
  const Tabletop table = MarkerOnATable({4, 4, 4});
  const TableCamera camera = MarkerCamera(30);
  const cv::Mat marker = test::PictureOf(camera, table, 1);
  cv::Mat picture(2000, 2000, CV_8UC3, cv::Scalar(200, 200, 200));
  marker.copyTo(picture(cv::Rect(0, 0, 60, 60)));
  EXPECT_TRUE(VeilOf(picture, camera, {}).Any());
  EXPECT_FALSE(VeilOf(picture, camera, MarkerSpec()).Any());
}

TEST(SwabModel, OfWhichMuchIsHiddenIsNotMeasured) {
  Tabletop after;
  test::LaySwab(after, kTip, kTowardTail, test::SwabLook());
  const ShotPictures pictures = PicturesOf({}, after);
  const Vec2 along = Rotated({1, 0}, kTowardTail);
  // Something lies over it up to so far from its tip.
  const auto hidden_to = [&](double from_tip_in) {
    cv::Mat unseen(pictures.after.size(), CV_8UC1, cv::Scalar(0));
    for (int row = 0; row < unseen.rows; ++row) {
      for (int column = 0; column < unseen.cols; ++column) {
        const auto at = TableFromImage(
            pictures.camera, {static_cast<double>(column), static_cast<double>(row)}, kAxis_in, 0);
        if (Dot(at->at - kTip, along) < from_tip_in)
          unseen.at<std::uint8_t>(row, column) = kAnothers;
      }
    }
    return unseen;
  };
  const auto find = [&](const cv::Mat& unseen) {
    return FindSwabByModel(pictures, TerrainMap({}), WhereChanged(pictures), kAxis_in, SwabShape(),
                           unseen);
  };
  const auto whole = find(hidden_to(-1));
  ASSERT_TRUE(whole);
  EXPECT_TRUE(whole->measured) << whole->how;
  for (const double from_tip_in : {1.2, 1.8}) {
    const auto in_part = find(hidden_to(from_tip_in));
    ASSERT_TRUE(in_part) << "it is asked about";
    EXPECT_FALSE(in_part->measured) << in_part->how;
  }
}

// Cotton as thin as its stick: without a dip it is any white stick.
TEST(SwabModel, AThinOneIsMeasuredWhereItShowsItsDip) {
  const auto find = [](Colour dip) {
    test::SwabLook look;
    look.cotton_radius_in = 0.055;
    look.dip_in = 0.4;
    look.dip = dip;
    Tabletop after;
    test::LaySwab(after, kTip, kTowardTail, look);
    const ShotPictures pictures = PicturesOf({}, after);
    return FindSwabByModel(pictures, TerrainMap({}), WhereChanged(pictures), kAxis_in, SwabShape(),
                           cv::Mat());
  };
  const auto dipped = find(kDarkPaint);
  ASSERT_TRUE(dipped);
  EXPECT_TRUE(dipped->measured) << dipped->how;
  EXPECT_LT(Distance(dipped->shot.point, kTip), 0.1);
  const auto plain = find(test::SwabLook().cotton);
  ASSERT_TRUE(plain);
  EXPECT_FALSE(plain->measured) << plain->how;
}

// Leaves over its tip: what is left looks like a stick of another length, but may be a swab.
TEST(SwabModel, IsAskedAboutUnderATreeThoughItLooksLikeARod) {
  const Vec2 along = Rotated({1, 0}, kTowardTail);
  constexpr double kCovered_in = 0.9;  // from its tip
  test::SwabLook look;
  look.cotton_radius_in = 0.055;
  look.dip = look.cotton;
  const Pose2 leaves{kTip + (kCovered_in - 0.6) * along, kTowardTail};
  Scenario wood;
  TerrainArea area;
  area.type = "wood";
  area.objects.push_back({"tree", Circle{leaves.origin, 0.6}, {}, 1.5});
  wood.terrain.push_back(area);
  const auto find = [&](const Scenario& scenario) {
    Tabletop before;
    before.blocks.push_back({leaves, {1.2, 0.8}, 0.4, 0.42, {40, 60, 30}, 0, {}});
    Tabletop after = before;
    test::LaySwab(after, kTip, kTowardTail, look);
    const ShotPictures pictures = PicturesOf(before, after);
    cv::Mat hidden(pictures.after.size(), CV_8UC1, cv::Scalar(0));
    for (int row = 0; row < hidden.rows; ++row) {
      for (int column = 0; column < hidden.cols; ++column) {
        const auto at = TableFromImage(
            pictures.camera, {static_cast<double>(column), static_cast<double>(row)}, kAxis_in, 0);
        if (Dot(at->at - kTip, along) < kCovered_in) hidden.at<std::uint8_t>(row, column) = 255;
      }
    }
    return FindSwabByModel(pictures, TerrainMap(scenario), WhereChanged(pictures), kAxis_in,
                           SwabShape(), hidden);
  };
  EXPECT_FALSE(find({})) << "beside a figure it is a rod";
  const auto in_cover = find(wood);
  ASSERT_TRUE(in_cover);
  EXPECT_FALSE(in_cover->measured) << in_cover->how;
}

TEST(ChangeWindow, TellsWhatHasComeFromWhatHasGone) {
  Tabletop with;
  test::LaySwab(with, kTip, kTowardTail, test::SwabLook());
  const auto came = [](const ShotPictures& pictures) {
    const cv::Rect all({}, pictures.after.size());
    return ExplainOtherwise(CutWindow(pictures, all, {}), pictures.changed).came;
  };
  EXPECT_GT(came(PicturesOf({}, with)), kExplanationMargins.came);
  EXPECT_LT(came(PicturesOf(with, {})), -kExplanationMargins.came);
}

// A part twice as light as the picture can show, of which all but the edge is burnt.
TEST(ColourSums, WhatIsBurntIsAsLightAsItsEdgeTells) {
  constexpr float kLight = 2;
  ChangeWindow window;
  window.rect = {0, 0, 40, 1};
  std::vector<PixelParts> parts;
  for (int column = 0; column < window.rect.width; ++column) {
    const float share = column < 10 ? 0.04F * static_cast<float>(column) : 1.F;
    ChangeWindow::Pixel p;
    p.after = cv::Vec3f::all(std::min(share * kLight, 1.F));
    for (int c = 0; c < 3; ++c) p.code[c] = static_cast<float>(CodeOfLight(p.after[c]));
    p.weight = cv::Vec3f::all(2500);
    window.pixels.push_back(p);
    PixelParts s;
    s.column = column;
    s.bare = 1 - share;
    s.part[0] = share;
    parts.push_back(s);
  }
  const std::array<PartPrior, PixelParts::kParts> priors{};
  const ColourSums sums(window, parts, 1);
  EXPECT_NEAR(sums.Solve(priors).part[0][0], kLight, 0.05);
  for (ChangeWindow::Pixel& p : window.pixels) {
    p.after *= 0.4F;
    for (int c = 0; c < 3; ++c) p.code[c] = static_cast<float>(CodeOfLight(p.after[c]));
  }
  EXPECT_NEAR(ColourSums(window, parts, 1).Solve(priors).part[0][0], 0.4, 0.05)
      << "of one that is as light and not burnt";
}

constexpr double kTold = 3.9;         // ln of 50 to 1
constexpr double kThreeSigmas = 4.5;  // nats

// Cotton of one make under one lamp looks alike at both ends, but for some shading.
TEST(SwabEnds, TheirColoursTellThePaintedOne) {
  const cv::Vec3d red(0.02, 0.02, 0.3);
  const cv::Vec3d cotton(0.55, 0.6, 0.65);
  const cv::Vec3d sigma = cv::Vec3d::all(0.03);
  const EndColours painted{{0.12, 0.13, 0.3}, cotton, sigma};
  EXPECT_GT(LogOddsOfPaintedTip(painted, red), kTold);
  EXPECT_NEAR(LogOddsOfPaintedTip({painted.tail, painted.tip, sigma}, red),
              -LogOddsOfPaintedTip(painted, red), 1e-9);
  EXPECT_NEAR(LogOddsOfPaintedTip({cotton, cotton, sigma}, red), 0, 1e-9);
  EXPECT_LT(LogOddsOfPaintedTip({0.85 * cotton, cotton, sigma}, red), kTold);
  EXPECT_LT(LogOddsOfPaintedTip({painted.tip, cotton, cv::Vec3d::all(0.4)}, red), kTold)
      << "of ends that are hardly seen";
}

// What the model makes of a swab with a dip of that colour.
std::optional<SwabExplanation> SwabDippedIn(Colour dip) {
  test::SwabLook look;
  look.dip = dip;
  look.dip_in = 0.5;
  Tabletop after;
  test::LaySwab(after, kTip, kTowardTail, look);
  const ShotPictures pictures = PicturesOf({}, after);
  return ExplainBySwab(pictures, WhereChanged(pictures), kAxis_in, SwabShape(), cv::Mat());
}

TEST(SwabModel, BothEndsTellAPaleDipAndNone) {
  const auto painted_tip = [](Colour dip) {
    const auto seen = SwabDippedIn(dip);
    return seen ? seen->painted_tip : -1e9;
  };
  EXPECT_GT(painted_tip(kDarkPaint), kTold);
  EXPECT_GT(painted_tip({190, 150, 150}), kTold);
  EXPECT_LT(std::abs(painted_tip(test::SwabLook().cotton)), kTold);
}

// Thin paint lets the cotton show through.
TEST(SwabModel, AThinDipHasThePaintsColour) {
  const auto unlike_dip = [](Colour dip) {
    const auto seen = SwabDippedIn(dip);
    return seen ? seen->unlike_dip : 1e9;
  };
  EXPECT_LT(unlike_dip({190, 150, 150}), kThreeSigmas);
  EXPECT_GT(unlike_dip({40, 120, 220}), kThreeSigmas) << "of no thin red either";
}

TEST(SwabModel, TheOtherWayRoundIsTurnedBack) {
  Tabletop after;
  test::LaySwab(after, kTip, kTowardTail, test::SwabLook());
  const ShotPictures pictures = PicturesOf({}, after);
  const Vec2 tail = kTip + Rotated({3, 0}, kTowardTail);
  const auto seen = ExplainAsSwab(pictures, ImageFromTable(pictures.camera, tail, kAxis_in),
                                  ImageFromTable(pictures.camera, kTip, kAxis_in), kAxis_in,
                                  SwabShape(), cv::Mat());
  ASSERT_TRUE(seen);
  EXPECT_LT(Off(pictures, *seen), 0.1);
}

ProjectileSpec PlainShell() {
  ProjectileSpec out;
  out.type = Projectile::kShell;
  out.size_in = 0.4;
  out.body = {201, 162, 39};
  out.mark = {20, 20, 20};
  return out;
}

Block PlainShellAt(Vec2 at, double top_in = 0.2, double mark_in = 0.06) {
  return {{at, 0.4}, {0.4, 0.4}, 0, top_in, PlainShell().body, mark_in, PlainShell().mark};
}

ShellExplanation AsShell(const ShotPictures& pictures, const ProjectileSpec& spec = PlainShell()) {
  const auto seen =
      ExplainAsShell(pictures, ImageFromTable(pictures.camera, kSpot, 0.2), 0.2, 0, spec, {});
  return seen.value_or(ShellExplanation());
}

// A coder's new whole picture changes many places a little.
TEST(ShellProposals, NameWhatChangedMost) {
  Tabletop after;
  after.blocks.push_back(PlainShellAt(kSpot));
  ShotPictures pictures = PicturesOf({}, after);
  const ImagePoint shell = ImageFromTable(pictures.camera, kSpot, 0.2);
  const int side = static_cast<int>(0.4 * PixelsPerInch(pictures.camera, kSpot, 0.2));
  int others = 0;
  for (int y = 8; y + side < pictures.after.rows - 8; y += 4 * side) {
    for (int x = 8; x + side < pictures.after.cols - 8; x += 3 * side) {
      const cv::Rect block(x, y, side, side);
      if (std::hypot(x + side / 2 - shell.x_px, y + side / 2 - shell.y_px) < 2.5 * side) continue;
      pictures.after(block) += cv::Scalar(25, 25, 25);
      pictures.changed(block).setTo(255);
      ++others;
    }
  }
  ASSERT_GT(others, 10);
  const std::vector<ImagePoint> places =
      ShellProposals(pictures, WhereChanged(pictures), 0.2, 0.4, kExplanationMargins.contrast, {});
  EXPECT_TRUE(std::any_of(places.begin(), places.end(), [&](const ImagePoint& place) {
    return std::hypot(place.x_px - shell.x_px, place.y_px - shell.y_px) < 1.5 * side;
  }));
}

TEST(ShellModel, ExplainsAShellAndPlacesItsMark) {
  Tabletop after;
  const Vec2 at = kSpot + Vec2{0.03, -0.02};
  after.blocks.push_back(PlainShellAt(at));
  const ShotPictures pictures = PicturesOf({}, after);
  const ShellExplanation seen = AsShell(pictures);
  EXPECT_GE(seen.explained, kExplanationMargins.whole_shell);
  EXPECT_GE(seen.mark_nats, kExplanationMargins.mark);
  EXPECT_LT(Distance(TableFromImage(pictures.camera, seen.mark, 0.2, 0)->at, at), 0.03);
}

// What changed has its middle in the shadow where that is as large as the shell: low light, a thick
// shell.
TEST(ShellModel, AShellIsFoundFromItsShadow) {
  for (const double turn : {0.0, 0.8, 2.0, 3.9}) {
    const Vec2 at = kSpot + Rotated({0.26, 0}, turn);
    Tabletop after;
    after.blocks.push_back(PlainShellAt(at));
    after.blocks.back().colour = {235, 232, 225};
    after.light = [&](Vec2 p) {
      const Vec2 off = Rotated(p - kSpot, -turn);
      return std::abs(off.x) < 0.2 && std::abs(off.y) < 0.2 ? 0.3 : 1.0;
    };
    const ShotPictures pictures = PicturesOf({}, after);
    const ShellExplanation seen = AsShell(pictures);
    EXPECT_LT(Distance(TableFromImage(pictures.camera, seen.mark, 0.2, 0)->at, at), 0.03) << turn;
  }
}

// A mark is darker than its shell where the scenario's is: what is light in the middle, as a swab's
// end between trees, is no mark.
TEST(ShellModel, ALightMiddleIsNoDarkMark) {
  ASSERT_LT(PlainShell().mark.r, PlainShell().body.r);
  Tabletop after;
  constexpr Colour kDark{20, 20, 18};
  constexpr Colour kWhite{230, 230, 225};
  after.blocks.push_back({{kSpot, 0.4}, {0.4, 0.4}, 0, 0.2, kDark, 0.06, kWhite});
  EXPECT_LT(AsShell(PicturesOf({}, after)).mark_nats, kExplanationMargins.mark_chance);
}

// Pens make small dots: a mark of two thirds of the usual size is a mark.
TEST(ShellModel, FindsASmallMark) {
  Tabletop after;
  after.blocks.push_back(PlainShellAt(kSpot, 0.2, 0.04));
  const ShotPictures pictures = PicturesOf({}, after);
  const ShellExplanation seen = AsShell(pictures);
  EXPECT_GT(seen.mark_nats, kExplanationMargins.mark_chance);
  EXPECT_LT(Distance(TableFromImage(pictures.camera, seen.mark, 0.2, 0)->at, kSpot), 0.03);
}

std::vector<ProjectileFinding> ShellsFound(const ShotPictures& pictures,
                                           const ProjectileSpec& spec) {
  return FindShells(pictures, TerrainMap({}), WhereChanged(pictures), spec, {}, 4);
}

std::vector<ProjectileFinding> ShellsFound(double side_in, double mark_in) {
  Tabletop after;
  after.blocks.push_back(
      {{kSpot, 0.4}, {side_in, side_in}, 0, 0.2, PlainShell().body, mark_in, PlainShell().mark});
  return ShellsFound(PicturesOf({}, after), PlainShell());
}

// A shell's colour, size and shape tell it where its mark is too small to be seen; where the mark
// is likeliest then is nearer to it than the outline's middle, by its doubt.
TEST(ShellFinder, ItsColourAndSizeTellAShellWithoutAMarkToBeSeen) {
  const auto found = ShellsFound(0.4, 0.015);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_TRUE(found[0].measured) << found[0].how;
  const Cov2 cov = found[0].shot.point_cov;
  EXPECT_GE(std::sqrt(std::min(cov.xx, cov.yy)), kExplanationMargins.shell_in);
  EXPECT_LT(Distance(found[0].shot.point, kSpot), 2 * std::sqrt(std::max(cov.xx, cov.yy)));
}

// One that was cut a quarter too large has its colour and its mark all the same.
TEST(ShellFinder, ALargeShellIsMeasuredByAllElse) {
  const auto found = ShellsFound(0.51, 0.06);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_TRUE(found[0].measured) << found[0].how;
  EXPECT_LT(Distance(found[0].shot.point, kSpot), 0.03);
}

// The end of a pencil or of a fallen figure's base may have a shell's size, colour and mark.
TEST(ShellFinder, TheEndOfALongerThingIsAskedAbout) {
  Tabletop after;
  after.blocks.push_back(PlainShellAt(kSpot));
  after.blocks.push_back({{kSpot + Vec2{0.7, 0}, 0.4}, {1, 0.3}, 0, 0.2, {20, 110, 120}, 0, {}});
  const auto found = ShellsFound(PicturesOf({}, after), PlainShell());
  ASSERT_FALSE(found.empty());
  for (const ProjectileFinding& one : found) EXPECT_FALSE(one.measured) << one.how;
}

// White tells nothing: much that lies about is white. Without a mark, and larger than they are cut,
// people are asked.
TEST(ShellFinder, AWhiteBlockWithoutAMarkIsAskedAbout) {
  ProjectileSpec white = PlainShell();
  white.body = {230, 228, 220};
  const auto found_at = [&](double side, double mark) {
    Tabletop after;
    after.blocks.push_back({{kSpot, 0.4}, {side, side}, 0, 0.2, white.body, mark, white.mark});
    return ShellsFound(PicturesOf({}, after), white);
  };
  const auto plain = found_at(0.5, 0);
  ASSERT_EQ(plain.size(), 1U);
  EXPECT_FALSE(plain[0].measured);
  const auto marked = found_at(0.4, 0.06);
  ASSERT_EQ(marked.size(), 1U);
  EXPECT_TRUE(marked[0].measured) << marked[0].how;
}

TEST(ShellModel, WhereNothingFellNothingIsExplained) {
  EXPECT_LT(AsShell(PicturesOf({}, {})).over_nothing, kExplanationMargins.least_evidence);
}

TEST(ShellModel, AShadowIsOtherLight) {
  Tabletop after;
  after.light = [](Vec2 p) { return p.x < kSpot.x + 0.1 ? 0.5 : 1.0; };
  const ShotPictures pictures = PicturesOf({}, after);
  EXPECT_TRUE(AsShell(pictures).may_be_light);
  EXPECT_TRUE(
      FindShells(pictures, TerrainMap({}), WhereChanged(pictures), PlainShell(), {}, 4).empty());
}

// A figure that a sleeve has pushed looks like a new block, but it stood beside its place before.
TEST(ShellModel, APushedFigureIsNoShell) {
  const auto figure_at = [](Vec2 at) {
    Tabletop out;
    out.blocks.push_back(PlainShellAt(at));
    return out;
  };
  const ShotPictures pushed = PicturesOf(figure_at(kSpot + Vec2{0.15, 0.08}), figure_at(kSpot));
  EXPECT_LT(AsShell(pushed).over_pushed, 0);
  EXPECT_TRUE(
      FindShells(pushed, TerrainMap({}), WhereChanged(pushed), PlainShell(), {}, 4).empty());
  // One that falls against another stood nowhere before.
  Tabletop both = figure_at(kSpot + Vec2{0.45, 0});
  both.blocks.push_back(figure_at(kSpot).blocks[0]);
  const ShellExplanation beside = AsShell(PicturesOf(figure_at(kSpot + Vec2{0.45, 0}), both));
  EXPECT_GE(beside.over_pushed, kExplanationMargins.pushed_share * beside.over_nothing);
}

// Both pictures as they look in so much of the light, channel by channel, up to white.
void Relight(ShotPictures& pictures, const cv::Vec3d& light) {
  const std::array<float, 256>& light_of = LightOfSrgbCode();
  for (cv::Mat* const picture : {&pictures.before, &pictures.after}) {
    for (cv::Vec3b& pixel : cv::Mat_<cv::Vec3b>(*picture)) {
      for (int c = 0; c < 3; ++c) {
        const double lit = std::min(light[c] * light_of[pixel[c]], 1.0);
        pixel[c] = static_cast<std::uint8_t>(
            std::lower_bound(light_of.begin(), light_of.end() - 1, lit) - light_of.begin());
      }
    }
  }
}

// The sky lights the shade of a low sun blue, while the camera's white is the sun's: the ground
// there tells by how much.
TEST(ShellModel, InBlueShadeARedShellIsStillRed) {
  ProjectileSpec red = PlainShell();
  red.body = {186, 56, 48};
  Tabletop after;
  after.blocks.push_back({{kSpot, 0.4}, {0.4, 0.4}, 0, 0.2, red.body, 0.06, red.mark});
  ShotPictures pictures = PicturesOf({}, after);
  const std::array<float, 256>& light_of = LightOfSrgbCode();
  const cv::Vec3d ground(light_of[58], light_of[104], light_of[92]);  // Tabletop's cloth
  Relight(pictures, {0.9, 0.25, 0.06});                               // the sky's
  EXPECT_LT(AsShell(pictures, red).colour_odds, 0) << "no marker tells what colour the ground is";
  pictures.paper.ground_bgr = ground;
  EXPECT_GT(AsShell(pictures, red).colour_odds, 0);
}

// Light that burns a white top burns its mark too.
TEST(ShellModel, OnABurntTopTheWantOfAMarkSaysNothing) {
  ProjectileSpec white = PlainShell();
  white.body = {230, 228, 220};
  Tabletop after;
  after.blocks.push_back({{kSpot, 0.4}, {0.4, 0.4}, 0, 0.2, white.body, 0.03, white.mark});
  ShotPictures pictures = PicturesOf({}, after);
  const double plain = AsShell(pictures, white).mark_expected;
  Relight(pictures, cv::Vec3d::all(2));
  EXPECT_LT(AsShell(pictures, white).mark_expected, 0.3 * plain);
  const auto found = ShellsFound(pictures, white);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_TRUE(found[0].measured) << found[0].how;
}

// A shade over ground that was lighter than the picture can show looks coloured.
TEST(ShellModel, AShadeOverBurntGroundIsOtherLight) {
  const Tabletop before = On({190, 200, 90});
  Tabletop after = before;
  after.light = [](Vec2 p) { return p.x < kSpot.x + 0.1 ? 0.7 : 1.0; };
  ShotPictures pictures = PicturesOf(before, after);
  Relight(pictures, cv::Vec3d::all(2.5));
  const cv::Rect all({}, pictures.after.size());
  const Alternatives seen = ExplainOtherwise(CutWindow(pictures, all, {}), pictures.changed);
  EXPECT_GT(seen.relit, seen.unknown);
  const ShellExplanation shell = AsShell(pictures);
  EXPECT_TRUE(shell.may_be_light || shell.like_light);
}

// A shade as large as a shell and of its colour, about a spot that was there, is nobody's to
// measure, though its place looked more like ground before.
TEST(ShellFinder, AShadeOfItsShapeIsAskedAbout) {
  Tabletop before;
  before.blocks.push_back({{kSpot, 0.4}, {0.12, 0.12}, 0, 0.01, {20, 20, 20}, 0, {}});
  Tabletop after = before;
  after.light = [](Vec2 p) {
    return std::max(std::abs(p.x - kSpot.x), std::abs(p.y - kSpot.y)) < 0.2 ? 0.5 : 1.0;
  };
  const ShotPictures pictures = PicturesOf(before, after);
  ProjectileSpec dark = PlainShell();
  dark.body = {66, 75, 41};
  EXPECT_TRUE(AsShell(pictures, dark).like_light);
  for (const ProjectileFinding& found : ShellsFound(pictures, dark)) EXPECT_FALSE(found.measured);
}

// On white ground a dark shell is darker by as much in each channel, as a shade is. No shade has a
// mark of its own, which here is two pixels wide.
TEST(ShellFinder, AMarkTellsADarkShellOnWhiteFromAShade) {
  ProjectileSpec grey = PlainShell();
  grey.body = {110, 110, 110};
  grey.mark = {190, 190, 190};
  Tabletop after = On(kSnow);
  after.blocks.push_back({{kSpot, 0.4}, {0.4, 0.4}, 0, 0.2, grey.body, 0.055, grey.mark});
  const ShotPictures pictures = PicturesOf(On(kSnow), after);
  EXPECT_FALSE(AsShell(pictures, grey).like_light);
  const auto found = ShellsFound(pictures, grey);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_TRUE(found[0].measured) << found[0].how;
}

// A shell's dark shadow has a shell's colour, size and shape, but the shell explains it.
TEST(ShellFinder, AShellsOwnShadowIsNoSecondQuestion) {
  Tabletop after;
  after.blocks.push_back(PlainShellAt(kSpot, 0.3));
  after.light = [](Vec2 p) {
    const Vec2 off = Rotated(p - kSpot, -0.4);
    return off.x > 0 && off.x < 0.6 && std::abs(off.y) < 0.2 ? 0.35 : 1.0;
  };
  const auto found = ShellsFound(PicturesOf({}, after), PlainShell());
  ASSERT_EQ(found.size(), 1);
  EXPECT_TRUE(found[0].measured) << found[0].how;
  // A real second shell, as near as the shadow reached, is found too.
  Tabletop two;
  two.blocks = {PlainShellAt(kSpot), PlainShellAt(kSpot + Vec2{0.55, 0})};
  EXPECT_EQ(ShellsFound(PicturesOf({}, two), PlainShell()).size(), 2);
}

TEST(ChangeOfThings, TellsThingsFromLightAndFromNothing) {
  Tabletop paper;
  paper.blocks.push_back({{kSpot, 0.7}, {0.8, 0.5}, 0, 0.02, {200, 60, 50}, 0, {}});
  EXPECT_EQ(ChangeOfThings(PicturesOf({}, paper)), ThingChange::kCame);
  Tabletop shaded;
  shaded.light = [](Vec2 p) { return p.x < kSpot.x ? 0.6 : 1.0; };
  EXPECT_EQ(ChangeOfThings(PicturesOf({}, shaded)), ThingChange::kNone);
  EXPECT_EQ(ChangeOfThings(PicturesOf({}, {})), ThingChange::kNone);
  EXPECT_EQ(ChangeOfThings(PicturesOf(paper, {})), ThingChange::kWent);
}

// As measured: after a dimmed lamp a square with trees and guns and a roll of tape, which had all
// lain there before, and where dice had been picked up; a shell, a swab, a hardly seen swab and
// one in another one's shadow on wild tables, which look like other light.
TEST(ChangeOfThings, TellsNoneOfThoseThatLieThereInAnotherLight) {
  const auto change = [](double unknown, double bared, double relit, double came) {
    Alternatives seen;
    seen.unknown = unknown;
    seen.bared = bared;
    seen.relit = relit;
    seen.came = came;
    constexpr bool kSmall = true;
    return ChangeOfThings(seen, kSmall);
  };
  EXPECT_EQ(change(194, 171, 205, -22), ThingChange::kWent);
  EXPECT_EQ(change(58, -50, 131, 5.3), ThingChange::kNone);
  EXPECT_EQ(change(101, 88, 107, 6.6), ThingChange::kNone);
  EXPECT_EQ(change(1660, 386, 1876, -734), ThingChange::kWent);
  EXPECT_EQ(change(173, 266, 179, -40), ThingChange::kWent);
  EXPECT_EQ(change(134, 89, 134.3, 34), ThingChange::kCame);
  EXPECT_EQ(change(1268, 1196, 1395, 23), ThingChange::kCame);
  EXPECT_EQ(change(41, 34, 42, 9.2), ThingChange::kCame);
  EXPECT_EQ(change(2481, 2304, 2551, -628), ThingChange::kCame);
}

// A road in its own light again, after a coloured lamp: marked, square and as large as a shell by
// chance, and more like the road about it than before. Numbers of a faulted clip.
TEST(ShellOdds, MeasureNothingThatLooksMoreLikeTheGroundNow) {
  ShellExplanation seen;
  seen.px_per_in = 25.2;
  seen.size_in = 0.419;
  seen.over_nothing = 57.3;
  seen.over_shadow = 67.8;
  seen.explained = 0.91;
  seen.mark_nats = 33.1;
  seen.mark_expected = 78.1;
  seen.over_other_shapes = -0.4;
  seen.over_pushed = 91.3;
  seen.contrast = 13.4;
  seen.colour_odds = -2.42;
  constexpr double kShell_in = 0.4;
  seen.came = 22.3;
  EXPECT_TRUE(IsShell(seen, false, kShell_in));
  for (const double came : {-22.3, 0.9}) {  // that of a figure that was nudged is as small
    seen.came = came;
    EXPECT_FALSE(IsShell(seen, false, kShell_in)) << came;
    EXPECT_TRUE(MayBeShell(seen, false, kShell_in)) << "people are asked, " << came;
  }
}

// In deep shade a shell that any eye sees differs from the sand by six code values: it was passed
// in silence. Numbers of a made-up table.
TEST(ShellOdds, AskAboutAShellInDeepShade) {
  ShellExplanation seen;
  seen.px_per_in = 33.7;
  seen.size_in = 0.41;
  seen.over_nothing = 414;
  seen.over_shadow = 93;
  seen.explained = 1;
  seen.mark_nats = 10.7;
  seen.mark_expected = 275;
  seen.over_pushed = 274;
  seen.contrast = 5.7;
  seen.colour_odds = 0.5;
  seen.came = 254;
  constexpr double kShell_in = 0.4;
  EXPECT_TRUE(MayBeShell(seen, false, kShell_in));
  EXPECT_FALSE(IsShell(seen, false, kShell_in));
  seen.explained = 0.8;
  EXPECT_FALSE(MayBeShell(seen, false, kShell_in)) << "so faint, it must be likely";
  seen.explained = 1;
  seen.contrast = 3;
  EXPECT_FALSE(MayBeShell(seen, false, kShell_in));
}

// A coin of a shell's colour and size on a base. Chance makes a spot as faint as the one in its
// middle once in 150 times; a pen's mark would be plain there. Numbers of a made-up table.
TEST(ShellOdds, MeasureNoCoinByAFaintSpot) {
  ShellExplanation seen;
  seen.px_per_in = 24.9;
  seen.size_in = 0.48;
  seen.over_nothing = 922;
  seen.over_shadow = 648;
  seen.explained = 0.96;
  seen.mark_nats = 6.4;
  seen.mark_expected = 146;
  seen.over_other_shapes = -55;
  seen.over_pushed = 99;
  seen.contrast = 76;
  seen.colour_odds = 1.95;
  seen.came = 107;
  constexpr double kShell_in = 0.4;
  constexpr bool kMayBeHidden = true;
  EXPECT_FALSE(IsShell(seen, kMayBeHidden, kShell_in));
  EXPECT_TRUE(MayBeShell(seen, kMayBeHidden, kShell_in)) << "people are asked";
  seen.mark_nats = 40;
  EXPECT_TRUE(IsShell(seen, kMayBeHidden, kShell_in));
}

TEST(Together, LiesBetweenTwoPlacesThatAgreeAndIsKnownBetterThanEither) {
  const PutTogether both = Together(0.01, 0.02 * 0.02, 0.03 * 0.03, 0.1, 0.1);
  EXPECT_GT(both.at, 0.002);
  EXPECT_LT(both.at, 0.005);
  EXPECT_LT(std::sqrt(both.variance), 0.02);
}

// A swab shorter than stated in soft light: its shadow made up for what it lacks, so that both its
// ends agreed on a tip a tenth of an inch off.
TEST(Together, GoesWithTheModelAndDoubtsItWhereTheDetectorIsFarOff) {
  const PutTogether both = Together(0.125, 0.02 * 0.02, 0.035 * 0.035, 0.1, 0.1);
  EXPECT_GT(both.at, 0.07);
  EXPECT_GT(std::sqrt(both.variance), 0.03);
  const PutTogether opposite = Together(-0.125, 0.02 * 0.02, 0.035 * 0.035, 0.1, 0.1);
  EXPECT_DOUBLE_EQ(opposite.at, -both.at);
}

// What light explains is told all the same where a swab may be hidden in it: not along a shadow's
// edge, which is as thin and far longer.
TEST(ChangeOfThings, TellsNoneAlongTheEdgeOfAShadow) {
  const auto strip = [](double long_in) {
    Tabletop lit;
    lit.light = [long_in](Vec2 p) {
      return std::abs(p.y - kSpot.y) < 0.1 && std::abs(p.x - kSpot.x) < long_in / 2 ? 0.6 : 1.0;
    };
    return PicturesOf({}, lit);
  };
  EXPECT_EQ(ChangeOfThings(strip(3)), ThingChange::kCame);
  EXPECT_EQ(ChangeOfThings(strip(6)), ThingChange::kNone);
}

}  // namespace
}  // namespace fos
