// SPDX-License-Identifier: MIT
#include "datasets/render/wild_table.h"

#include <gtest/gtest.h>

#include <opencv2/imgproc.hpp>

#include "datasets/render/srgb.h"
#include "datasets/render/wild_hand.h"

namespace fos {
namespace {

double LargestDifference(const cv::Mat& a, const cv::Mat& b) {
  return cv::norm(a.reshape(1), b.reshape(1), cv::NORM_INF);
}
cv::Rect Whole(const WildTable& t) {
  return {0, 0, t.camera.lens.width_px, t.camera.lens.height_px};
}
cv::Mat LightOf(const WildTable& t, const cv::Rect& part) {
  return LightAt(Rendered(t.camera, t.scene, part), t.scene, {});
}
// A table with nothing on its ground.
WildTable Bare(std::uint32_t seed) {
  WildTable t = MakeWildTable(seed);
  t.scene.solids.clear();
  return t;
}
void Lay(const WildThing& thing, WildTable& t) {
  t.scene.solids.insert(t.scene.solids.end(), thing.solids.begin(), thing.solids.end());
}
// The pixels in which something that rises over the table is seen.
std::vector<cv::Point> Covered(const WildTable& t, const cv::Rect& part) {
  const LightLayers layers = Rendered(t.camera, t.scene, part);
  std::vector<cv::Mat> channels;
  cv::split(layers.at, channels);
  std::vector<cv::Point> out;
  cv::findNonZero(channels[2] > 0.03, out);
  for (cv::Point& p : out) p += part.tl();
  return out;
}

TEST(WildTable, IsTheSameForASeed) {
  const WildTable a = MakeWildTable(4);
  const WildTable b = MakeWildTable(4);
  const cv::Rect part(100, 100, 60, 60);
  EXPECT_EQ(LargestDifference(LightOf(a, part), LightOf(b, part)), 0);
  Draws one(9);
  Draws other(9);
  EXPECT_EQ(DropWildShot(a, Projectile::kQtip, one).point,
            DropWildShot(b, Projectile::kQtip, other).point);
  const cv::Mat light = LightOf(a, part);
  WildCamera left(DrawOptics(light, true, one), 3);
  WildCamera right(DrawOptics(light, true, other), 3);
  EXPECT_EQ(LargestDifference(left.Next(left.Focused(light), 0), right.Next(right.Focused(light), 0)),
            0);
}

TEST(WildTable, RendersAPixelAlikeInAnyPart) {
  const WildTable t = MakeWildTable(3);
  const cv::Mat whole = LightOf(t, {64, 48, 96, 96});
  const cv::Mat part = LightOf(t, {85, 61, 32, 17});
  EXPECT_EQ(LargestDifference(whole(cv::Rect(21, 13, 32, 17)), part), 0);
}

// The same camera with so many times the pixels.
TableCamera Magnified(const TableCamera& camera, int times) {
  CameraModel lens = camera.lens;
  lens.width_px *= times;
  lens.height_px *= times;
  lens.fx_px *= times;
  lens.fy_px *= times;
  lens.cx_px = (lens.cx_px + 0.5) * times - 0.5;
  lens.cy_px = (lens.cy_px + 0.5) * times - 0.5;
  return MakeTableCamera(lens, camera.rvec, camera.tvec);
}

TEST(WildTable, ShowsASwabsTipWhereTheTruthHasIt) {
  for (std::uint32_t seed = 1; seed <= 16; ++seed) {
    WildTable t = Bare(seed);
    Draws draws(seed);
    const WildThing swab = DropWildShot(t, Projectile::kQtip, draws);
    ASSERT_EQ(swab.what, "swab") << seed;
    EXPECT_NEAR(Distance(swab.point, swab.tail), 3, 0.13) << seed;
    Lay(swab, t);
    t.camera = Magnified(t.camera, 6);
    const ImagePoint tip = ImageFromTable(t.camera, swab.point, swab.height_in);
    const ImagePoint tail = ImageFromTable(t.camera, swab.tail, swab.height_in);
    const cv::Point2d at(tip.x_px, tip.y_px);
    const cv::Point2d out(tip.x_px - tail.x_px, tip.y_px - tail.y_px);
    const cv::Point2d way = out / cv::norm(out);
    // The furthest pixel on the tip's side in which the swab is seen.
    const cv::Rect part =
        cv::Rect(cv::Point(at) - cv::Point(60, 60), cv::Size(120, 120)) & Whole(t);
    double furthest = -1e9;
    for (const cv::Point& p : Covered(t, part))
      furthest = std::max(furthest, way.ddot(cv::Point2d(p) - at));
    EXPECT_NEAR(furthest / PixelsPerInch(t.camera, swab.point, swab.height_in), 0, 0.02) << seed;
  }
}

TEST(WildTable, ShowsAShellsMarkWhereTheTruthHasIt) {
  for (std::uint32_t seed = 1; seed < 13; ++seed) {
    WildTable t = Bare(seed);
    t.shells.paint = {230, 230, 230};
    t.shells.mark = {10, 10, 10};
    t.scene.lamps.clear();
    Draws draws(seed);
    const WildThing shell = DropWildShot(t, Projectile::kShell, draws);
    ASSERT_EQ(shell.what, "shell") << seed;
    Lay(shell, t);
    const ImagePoint mark = ImageFromTable(t.camera, shell.point, shell.height_in);
    const cv::Rect part = PartChanged(t, t.scene.solids);
    const std::vector<cv::Point> covered = Covered(t, part);
    cv::Mat grey(Whole(t).size(), CV_32FC1);
    cv::cvtColor(LightOf(t, part), grey(part), cv::COLOR_BGR2GRAY);
    // The centroid of what is darker than the body, within the shell's top.
    const double reach = 0.12 * PixelsPerInch(t.camera, shell.point, shell.height_in);
    double body = 0;
    for (const cv::Point& p : covered) body = std::max<double>(body, grey.at<float>(p));
    cv::Point2d sum;
    double weight = 0;
    for (const cv::Point& p : covered) {
      const cv::Point2d off(p.x - mark.x_px, p.y - mark.y_px);
      const double dark = std::max(0.0, 0.7 * body - static_cast<double>(grey.at<float>(p)));
      if (cv::norm(off) > reach) continue;
      sum += dark * off;
      weight += dark;
    }
    ASSERT_GT(weight, 0) << seed;
    EXPECT_LT(cv::norm(sum) / weight, 0.5) << seed;
  }
}

TEST(WildTable, ChangesNothingOutsideTheThingsPart) {
  const WildTable bare = MakeWildTable(6);
  const cv::Mat before = LightOf(bare, Whole(bare));
  for (const char* what : {"pencil", "wool tuft", "cable end"}) {
    WildTable t = bare;
    Draws draws(1);
    const WildThing thing = DropWildJunk(t, what, draws);
    ASSERT_EQ(thing.what, what);
    const cv::Rect part = PartChanged(t, thing.solids);
    Lay(thing, t);
    cv::Mat difference = cv::abs(LightOf(t, Whole(t)) - before);
    const auto most = [&] { return cv::norm(difference.reshape(1), cv::NORM_INF); };
    EXPECT_GT(most(), 0.02) << what;
    difference(part).setTo(0);
    // A soft shadow's last faint rim may reach further.
    EXPECT_LT(most(), 0.03) << what;
  }
}

TEST(WildTable, KeepsAThirdOfTheJunkForMeasuring) {
  const std::vector<std::string> developing = JunkClasses(false);
  const std::vector<std::string> unseen = JunkClasses(true);
  EXPECT_EQ(developing.size(), 2 * unseen.size());
  for (const std::string& name : unseen)
    EXPECT_EQ(std::count(developing.begin(), developing.end(), name), 0) << name;
  WildTable t = Bare(2);
  Draws draws(5);
  for (const auto& names : {developing, unseen}) {
    for (const std::string& name : names) {
      const WildThing thing = DropWildJunk(t, name, draws);
      EXPECT_EQ(thing.what, name);
      EXPECT_FALSE(thing.shot) << name;
    }
  }
}

TEST(WildHand, ReachesToItsGripBelowTheCamera) {
  Draws draws(3);
  const std::vector<WildSolid> arm = ArmOver(DrawArm(draws), {6, 5}, 0.5, {0, 1}, 16);
  double nearest = 1e9;
  double highest = 0;
  double furthest = 1e9;
  for (const WildSolid& s : arm) {
    nearest = std::min(nearest, DistanceTo(s, {6, 5, 0.5}));
    for (const SpineBall& ball : s.spine) {
      highest = std::max(highest, ball.at[2] + ball.radius_in);
      furthest = std::min(furthest, ball.at[1]);
    }
  }
  EXPECT_LT(nearest, 0.1);
  EXPECT_LT(highest, 4);    // as high as light is traced
  EXPECT_LT(furthest, -8);  // beyond the table's edge
}

TEST(WildTable, MovesTheSunsEdgeAlongItsRays) {
  WildTable t = Bare(1);
  t.scene.lamps.resize(1);
  const LightLayers layers = Rendered(t.camera, t.scene, Whole(t));
  const cv::Mat all = LightAt(layers, t.scene, {});
  LightMoment half;
  half.edge = SunEdge{{1, 0}, 6, 0.1};
  const cv::Mat lit = LightAt(layers, t.scene, half);
  const auto at = [&](const cv::Mat& light, double x) {
    const ImagePoint p = ImageFromTable(t.camera, {x, 6}, 0);
    return light.at<cv::Vec3f>(static_cast<int>(p.y_px), static_cast<int>(p.x_px))[1];
  };
  EXPECT_FLOAT_EQ(at(lit, 7), at(all, 7));
  EXPECT_LT(at(lit, 5), 0.95F * at(all, 5));
}

// A camera without faults.
WildOptics Plain() {
  WildOptics o;
  o.glow = o.vignette = o.sharpen = 0;
  o.electrons = 1e9;
  o.read_electrons = 0;
  o.coder = WildOptics::Coder::kNone;
  return o;
}

TEST(WildCamera, DeliversTrueSrgb) {
  // Levels and light after IEC 61966-2-1: 18 % grey is 118, 2 % is 39.
  for (const auto& [light, level] : {std::pair{0.18, 118}, {0.02, 39}, {0.5, 188}, {0.002, 7}}) {
    WildCamera camera(Plain(), 1);
    const cv::Mat sheet(48, 64, CV_32FC3, cv::Scalar::all(light));
    const cv::Mat picture = camera.Next(camera.Focused(sheet), 0);
    for (int c = 0; c < 3; ++c) EXPECT_NEAR(cv::mean(picture)[c], level, 1) << light;
  }
  EXPECT_NEAR(LightOfSrgb(Colour{255, 188, 0})[1], 0.5, 0.01);
  EXPECT_NEAR(SrgbOfLight(LightOfSrgb(0.3)), 0.3, 1e-9);
}

TEST(WildCamera, BlursInLinearLight) {
  // A black and white edge's middle is half the light, so well above half the level.
  cv::Mat edge(64, 64, CV_32FC3, cv::Scalar::all(0));
  edge(cv::Rect(32, 0, 32, 64)).setTo(cv::Scalar::all(1));
  WildOptics o = Plain();
  o.blur_px = 3;
  WildCamera camera(o, 1);
  const cv::Mat picture = camera.Next(camera.Focused(edge), 0);
  const double middle = 0.5 * (cv::mean(picture.col(31))[1] + cv::mean(picture.col(32))[1]);
  EXPECT_NEAR(middle, 188, 4);
}

TEST(WildCamera, HasPhotonNoise) {
  WildOptics o = Plain();
  o.electrons = 1000;
  WildCamera camera(o, 1);
  const auto spread = [&](double light) {
    const cv::Mat sheet(96, 96, CV_32FC3, cv::Scalar::all(light));
    const cv::Mat focused = camera.Focused(sheet);
    cv::Mat one;
    cv::Mat two;
    camera.Next(focused, 0).convertTo(one, CV_32F);
    camera.Next(focused, 0).convertTo(two, CV_32F);
    return cv::norm(one, two) / std::sqrt(2.0 * 3 * 96 * 96);
  };
  // Levels: sigma of the light, sqrt(light / 1000), times the curve's slope; the mosaic's
  // interpolation averages some of it.
  EXPECT_LT(spread(0.5), spread(0.05));
  EXPECT_GT(spread(0.5), 1);
  EXPECT_LT(spread(0.5), 4);
}

TEST(WildCamera, CodesStillPartsOnlyOnce) {
  WildOptics o = Plain();
  o.coder = WildOptics::Coder::kVideo;
  o.video_step = 20;
  o.video_refresh = 1000;
  WildCamera camera(o, 1);
  cv::Mat light(64, 64, CV_32FC3);
  cv::RNG(5).fill(light, cv::RNG::UNIFORM, 0.2, 0.6);
  const cv::Mat first = camera.Next(camera.Focused(light), 0);
  const cv::Mat second = camera.Next(camera.Focused(light), 0.1);
  const cv::Mat third = camera.Next(camera.Focused(light), 0.2);
  EXPECT_EQ(LargestDifference(second, third), 0);
  light(cv::Rect(16, 16, 16, 16)).setTo(cv::Scalar::all(1));
  const cv::Mat fourth = camera.Next(camera.Focused(light), 0.3);
  EXPECT_GT(LargestDifference(third, fourth), 50);
  EXPECT_EQ(LargestDifference(third(cv::Rect(44, 44, 20, 20)), fourth(cv::Rect(44, 44, 20, 20))), 0);
}

}  // namespace
}  // namespace fos
