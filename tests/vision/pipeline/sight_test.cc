// SPDX-License-Identifier: MIT
#include "vision/pipeline/sight.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <opencv2/imgproc.hpp>
#include <string>
#include <vector>

#include "datasets/render/synthetic.h"
#include "tests/support/watched_table.h"

namespace fos {
namespace {

TEST(Sight, TellsAHandAtOnceAndAClearViewAFifteenthOfASecondLater) {
  Sight sight(30);
  const auto hand = sight.Update(0, true, Blindness::kNone);
  ASSERT_TRUE(hand);
  EXPECT_TRUE(hand->obstructed);
  EXPECT_TRUE(hand->why.empty());
  EXPECT_FALSE(sight.Update(1 / 30.0, false, Blindness::kNone));
  const auto clear = sight.Update(2 / 30.0, false, Blindness::kNone);
  ASSERT_TRUE(clear);
  EXPECT_FALSE(clear->obstructed);
}

// When it was told, and of what, for a camera of 10 frames a second.
std::vector<std::pair<double, ViewChanged>> ToldOf(const std::vector<Blindness>& frames) {
  Sight sight(10);
  std::vector<std::pair<double, ViewChanged>> out;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const double time_s = static_cast<double>(i) / 10;
    if (const auto told = sight.Update(time_s, false, frames[i])) out.emplace_back(time_s, *told);
  }
  return out;
}

TEST(Sight, TellsBlindnessWithinASecondWithItsReason) {
  std::vector<Blindness> frames(5, Blindness::kNone);
  frames.insert(frames.end(), 15, Blindness::kUnsharp);
  frames.insert(frames.end(), 10, Blindness::kNone);
  const auto told = ToldOf(frames);
  ASSERT_EQ(told.size(), 2U);
  EXPECT_TRUE(told[0].second.obstructed);
  EXPECT_LE(told[0].first, 0.5 + 1);
  EXPECT_NE(told[0].second.why.find("out of focus"), std::string::npos) << told[0].second.why;
  EXPECT_FALSE(told[1].second.obstructed);
  EXPECT_NEAR(told[1].first, 2.0 + kGap_s, 0.11);
}

TEST(Sight, TellsBlindnessThatComesAndGoes) {
  std::vector<Blindness> frames;
  for (int i = 0; i < 30; ++i)
    frames.push_back(i % 3 == 2 ? Blindness::kNone : Blindness::kShaking);
  const auto told = ToldOf(frames);
  ASSERT_EQ(told.size(), 1U);
  EXPECT_LE(told[0].first, 1);
}

TEST(Sight, SaysNothingOfAMoment) {
  std::vector<Blindness> frames(5, Blindness::kNone);
  frames.insert(frames.end(), 5, Blindness::kUnsharp);
  frames.insert(frames.end(), 10, Blindness::kNone);
  EXPECT_TRUE(ToldOf(frames).empty());
}

// A shell comes to rest 0.6 s after a camera's fault begins, and the fault lasts for two seconds.
class SpoiltScene : public ::testing::Test {
 protected:
  SpoiltScene() : made_(RenderTable(test::WatchedTable())) {
    made_.scenario.projectiles = {test::Shell()};
    with_ = made_.bgr.clone();
    test::LayShell(with_, made_.camera, kPlace, {39, 162, 201});
  }
  // Watches all of it.
  void Watch(test::Watched& camera, const std::string& fault) const {
    camera.See(made_.bgr, 15);
    ASSERT_TRUE(camera.pipeline().Found()) << camera.pipeline().WhyNotFound();
    camera.Spoil(fault, 2);
    camera.See(made_.bgr, 6);
    camera.See(with_, 14);
    camera.See(with_, 15);
    ASSERT_TRUE(camera.pipeline().Finish().ok());
  }

  static constexpr Vec2 kPlace{6, 6};
  SyntheticTable made_;
  cv::Mat with_;
};

class LosesNoShot : public SpoiltScene, public ::testing::WithParamInterface<std::string> {};
TEST_P(LosesNoShot, AndInventsNothing) {
  test::Watched camera(made_);
  Watch(camera, GetParam());
  const auto shots = camera.Told<ShotSeen>();
  ASSERT_EQ(shots.size(), 1U) << camera.Story();
  EXPECT_TRUE(shots[0].finding.measured);
  constexpr double kNear_in = 0.05;
  EXPECT_LT(Distance(shots[0].finding.shot.point, kPlace), kNear_in);
  EXPECT_TRUE(camera.Told<StandChange>().empty());
  EXPECT_TRUE(camera.Told<ObjectSeen>().empty());
}
INSTANTIATE_TEST_SUITE_P(Faults, LosesNoShot,
                         ::testing::Values("flicker_12", "brightness_2hz", "tremble_06",
                                           "creep_015", "focus_hunts", "knock_3", "finger",
                                           "freeze", "macroblocks", "lost_reference",
                                           "gap_2s", "half_size", "other_shape"));

// Of a shell that came while no picture did, too little may be seen to tell it from what people
// put down.
TEST_F(SpoiltScene, AsksAboutAFaintShellThatCameInAGap) {
  with_ = made_.bgr.clone();
  test::LayShell(with_, made_.camera, kPlace, {39, 162, 201}, /*marked=*/false);
  test::Watched camera(made_);
  Watch(camera, "gap_2s");
  const auto shots = camera.Told<ShotSeen>();
  ASSERT_EQ(shots.size(), 1U) << camera.Story();
  EXPECT_FALSE(shots[0].finding.measured);
  constexpr double kNear_in = 0.1;
  EXPECT_LT(Distance(shots[0].finding.shot.point, kPlace), kNear_in);
  EXPECT_TRUE(camera.Told<StandChange>().empty());
}

// People have put down anything where a hand has been, but not what comes when the table has been
// seen without the hand; though a fly flies all the time, so that the table never lies quite still.
TEST_F(SpoiltScene, AsksAboutAFaintShellThatFellWhereAHandHadBeen) {
  with_ = made_.bgr.clone();
  test::LayShell(with_, made_.camera, kPlace, {39, 162, 201}, /*marked=*/false);
  test::Watched camera(made_);
  camera.See(made_.bgr, 15);
  ASSERT_TRUE(camera.pipeline().Found()) << camera.pipeline().WhyNotFound();
  const ImagePoint place = ImageFromTable(made_.camera, kPlace, 0);
  const int x = cvRound(place.x_px);
  for (int i = 0; i < 8; ++i) {
    cv::Mat arm = made_.bgr.clone();
    const int reach = (arm.rows - cvRound(place.y_px) + 80) * std::min(i + 1, 8 - i) / 4;
    cv::rectangle(arm, {x - 60, arm.rows - reach, 120, reach}, cv::Scalar(90, 130, 190),
                  cv::FILLED);
    camera.See(arm);
  }
  EXPECT_TRUE(camera.Told<ViewChanged>().at(0).obstructed);
  constexpr int kFly_px = 8;
  cv::RNG at(4);
  const auto see = [&](const cv::Mat& bgr, int frames) {
    for (int i = 0; i < frames; ++i) {
      cv::Mat with = bgr.clone();
      const cv::Point fly(at.uniform(bgr.cols / 2, bgr.cols * 3 / 4),
                          at.uniform(bgr.rows / 4, bgr.rows / 2));
      cv::circle(with, fly, kFly_px, cv::Scalar(25, 25, 30), cv::FILLED);
      camera.See(with);
    }
  };
  see(made_.bgr, 8);
  see(with_, 14);
  const auto shots = camera.Told<ShotSeen>();
  ASSERT_EQ(shots.size(), 1U) << camera.Story();
  constexpr double kNear_in = 0.1;
  EXPECT_LT(Distance(shots[0].finding.shot.point, kPlace), kNear_in);
}

// In the dark a webcam delivers five pictures a second.
TEST_F(SpoiltScene, MeasuresAShotThatIsTakenUpAfterFourRarePictures) {
  test::Watched camera(made_);
  camera.See(made_.bgr, 15);
  ASSERT_TRUE(camera.pipeline().Found()) << camera.pipeline().WhyNotFound();
  camera.Spoil("five_fps", 10);
  camera.See(made_.bgr, 6);
  camera.See(with_, 8);
  camera.See(made_.bgr, 14);
  const auto shots = camera.Told<ShotSeen>();
  ASSERT_EQ(shots.size(), 1U) << camera.Story();
  EXPECT_TRUE(shots[0].finding.measured);
  constexpr double kNear_in = 0.05;
  EXPECT_LT(Distance(shots[0].finding.shot.point, kPlace), kNear_in);
}

// Ten pictures come a second, whatever was promised.
TEST_F(SpoiltScene, MeasuresAShotHalfASecondAfterItFellAtAnyRateThatWasPromised) {
  for (const double promised_fps : {10.0, 12.0, 15.0, 20.0, 25.0, 30.0, 60.0, 1000.0}) {
    test::Watched camera(made_, {}, 1.5, promised_fps);
    camera.See(made_.bgr, 15);
    ASSERT_TRUE(camera.pipeline().Found()) << camera.pipeline().WhyNotFound();
    const double fell_s = camera.Time();
    camera.See(with_, 10);
    const auto shots = camera.When<ShotSeen>();
    ASSERT_EQ(shots.size(), 1U) << promised_fps << '\n' << camera.Story();
    EXPECT_LE(shots[0].time_s, fell_s + 0.5) << promised_fps;
  }
}

// In the dark each picture has more grain than the mean of several that it is compared with, and
// looks the steeper for it. That is no other focus.
TEST_F(SpoiltScene, WatchesADarkAndGrainyPicture) {
  const auto dark = [](const cv::Mat& bgr) {
    cv::Mat out;
    constexpr double kLight = 0.4;  // of the code values
    bgr.convertTo(out, -1, kLight);
    return out;
  };
  constexpr double kGrain = 6;
  test::Watched camera(made_, {}, kGrain);
  camera.See(dark(made_.bgr), 15);
  ASSERT_TRUE(camera.pipeline().Found()) << camera.pipeline().WhyNotFound();
  camera.See(dark(with_), 15);
  ASSERT_TRUE(camera.pipeline().Finish().ok());
  EXPECT_TRUE(camera.Told<ViewChanged>().empty()) << camera.Story();
  const auto shots = camera.Told<ShotSeen>();
  ASSERT_EQ(shots.size(), 1U) << camera.Story();
  constexpr double kNear_in = 0.1;
  EXPECT_LT(Distance(shots[0].finding.shot.point, kPlace), kNear_in);
}

// A camera that focuses anew does not go back. It is told for a moment, and then watched as it is.
TEST_F(SpoiltScene, WatchesInANewFocus) {
  test::Watched camera(made_);
  camera.See(made_.bgr, 15);
  ASSERT_TRUE(camera.pipeline().Found()) << camera.pipeline().WhyNotFound();
  const auto soft = [](const cv::Mat& bgr) {
    cv::Mat out;
    constexpr double kBlur_px = 0.9;
    cv::GaussianBlur(bgr, out, {}, kBlur_px);
    return out;
  };
  camera.See(soft(made_.bgr), 45);
  const auto views = camera.When<ViewChanged>();
  ASSERT_EQ(views.size(), 2U) << camera.Story();
  EXPECT_NE(std::get<ViewChanged>(views[0].what).why.find("focus"), std::string::npos);
  EXPECT_LE(views[0].time_s, 1.5 + 1);
  EXPECT_FALSE(std::get<ViewChanged>(views[1].what).obstructed);
  EXPECT_TRUE(camera.Told<ObjectSeen>().empty()) << camera.Story();
  camera.See(soft(with_), 15);
  ASSERT_TRUE(camera.pipeline().Finish().ok());
  const auto shots = camera.Told<ShotSeen>();
  ASSERT_EQ(shots.size(), 1U) << camera.Story();
  constexpr double kNear_in = 0.05;
  EXPECT_LT(Distance(shots[0].finding.shot.point, kPlace), kNear_in);
  EXPECT_TRUE(camera.Told<ObjectSeen>().empty()) << camera.Story();
}

// A lens that goes so far out of focus that the watched marks are lost in the blur, and comes back.
// In a pale picture few edges are so steep that their loss alone tells.
TEST_F(SpoiltScene, JudgesNothingWhileTheMarksAreLostInABlur) {
  const auto pale = [](const cv::Mat& bgr) {
    cv::Mat out;
    bgr.convertTo(out, -1, 0.5, 60);
    return out;
  };
  test::Watched camera(made_);
  camera.See(pale(made_.bgr), 15);
  ASSERT_TRUE(camera.pipeline().Found()) << camera.pipeline().WhyNotFound();
  const auto blurred = [&](const cv::Mat& bgr, double blur_px) {
    cv::Mat out;
    cv::GaussianBlur(pale(bgr), out, {}, blur_px);
    return out;
  };
  constexpr double kMost_px = 12;
  for (double blur_px = 1; blur_px <= kMost_px; blur_px *= 1.4)
    camera.See(blurred(made_.bgr, blur_px));
  camera.See(blurred(with_, kMost_px), 12);
  for (double blur_px = kMost_px; blur_px >= 1; blur_px /= 1.4) camera.See(blurred(with_, blur_px));
  camera.See(pale(with_), 15);
  ASSERT_TRUE(camera.pipeline().Finish().ok());
  const auto shots = camera.Told<ShotSeen>();
  ASSERT_EQ(shots.size(), 1U) << camera.Story();
  constexpr double kNear_in = 0.05;
  EXPECT_LT(Distance(shots[0].finding.shot.point, kPlace), kNear_in);
  EXPECT_TRUE(camera.Told<StandChange>().empty()) << camera.Story();
  EXPECT_TRUE(camera.Told<ObjectSeen>().empty()) << camera.Story();
}

// Damage all over the picture is more than things that come at once, but no light.
TEST_F(SpoiltScene, TellsDamageAllOverThePictureAsDamage) {
  test::Watched camera(made_);
  camera.See(made_.bgr, 15);
  ASSERT_TRUE(camera.pipeline().Found()) << camera.pipeline().WhyNotFound();
  const double from_s = camera.Time();
  camera.Spoil("lost_reference", 2);
  camera.See(made_.bgr, 15);
  const auto told = camera.When<ViewChanged>();
  ASSERT_EQ(told.size(), 1U) << camera.Story();
  EXPECT_LE(told[0].time_s, from_s + 1);
  const auto& view = std::get<ViewChanged>(told[0].what);
  EXPECT_NE(view.why.find("damaged"), std::string::npos) << view.why;
}

// Lamps flicker all the time; a lamp that is switched or a shade that comes changes rows once.
TEST_F(SpoiltScene, TellsLampsThatFlickerAndNoSingleChangeOfTheLight) {
  const auto told_flicker = [](const test::Watched& camera) {
    const auto told = camera.Told<NeedsPeople>();
    return std::count_if(told.begin(), told.end(), [](const NeedsPeople& remark) {
      return remark.text.find("flicker in bands") != std::string::npos;
    });
  };
  test::Watched lamps(made_);
  lamps.See(made_.bgr, 15);
  ASSERT_TRUE(lamps.pipeline().Found()) << lamps.pipeline().WhyNotFound();
  lamps.Spoil("flicker_12", 10);
  lamps.See(made_.bgr, 60);
  EXPECT_EQ(told_flicker(lamps), 1) << lamps.Story();

  cv::Mat gain(made_.bgr.size(), CV_32FC3);
  for (int row = 0; row < gain.rows; ++row)
    gain.row(row).setTo(cv::Scalar::all(1 - 0.14 * row / gain.rows));
  cv::Mat shaded;
  cv::multiply(made_.bgr, gain, shaded, 1, CV_8UC3);
  test::Watched shade(made_);
  shade.See(made_.bgr, 15);
  shade.See(shaded, 20);
  shade.See(made_.bgr, 20);
  EXPECT_EQ(told_flicker(shade), 0) << shade.Story();
}

// The cap is put on the lens in a dim room, a shell falls, and the cap is taken off.
TEST_F(SpoiltScene, CountsATableInTheDarkAsOutOfSight) {
  const auto dim = [](const cv::Mat& bgr) {
    cv::Mat out;
    bgr.convertTo(out, -1, 0.4);
    return out;
  };
  test::Watched camera(made_);
  camera.See(dim(made_.bgr), 15);
  ASSERT_TRUE(camera.pipeline().Found()) << camera.pipeline().WhyNotFound();
  camera.Spoil("lens_cap", 3);
  camera.See(dim(made_.bgr), 10);
  camera.See(dim(with_), 20);
  const auto told = camera.Told<ViewChanged>();
  ASSERT_EQ(told.size(), 1U) << camera.Story();
  EXPECT_TRUE(told[0].obstructed);
  camera.See(dim(with_), 15);
  ASSERT_TRUE(camera.pipeline().Finish().ok());
  EXPECT_FALSE(camera.Told<ViewChanged>().back().obstructed) << camera.Story();
  EXPECT_EQ(camera.Told<ShotSeen>().size(), 1U) << camera.Story();
  EXPECT_TRUE(camera.Told<StandChange>().empty()) << camera.Story();
}

// A decoder that loses single pictures: nothing is hidden, and no hand was there.
TEST_F(SpoiltScene, BelievesNoSinglePictureThatIsBroken) {
  test::Watched camera(made_);
  Watch(camera, "green_frames");
  EXPECT_TRUE(camera.Told<ViewChanged>().empty()) << camera.Story();
  const auto shots = camera.Told<ShotSeen>();
  ASSERT_EQ(shots.size(), 1U) << camera.Story();
  EXPECT_TRUE(shots[0].finding.measured);
}

// A knock and back, in the middle of which a shell comes to rest. Somebody takes it up as soon as
// the knock is over.
class ShellTakenAfterAKnock : public SpoiltScene {
 protected:
  // lies_s  how long it lies in view after the knock
  void Play(test::Watched& camera, double lies_s) const {
    camera.See(made_.bgr, 15);
    ASSERT_TRUE(camera.pipeline().Found()) << camera.pipeline().WhyNotFound();
    camera.Spoil("knock_3", 2);  // from 0.35 s to 1 s
    camera.See(made_.bgr, 6);
    camera.See(with_, 4 + static_cast<int>(std::lround(10 * lies_s)));
    cv::Mat hand = made_.bgr.clone();
    const ImagePoint at = ImageFromTable(made_.camera, kPlace, 0);
    cv::rectangle(hand, cv::Point(cvRound(at.x_px) - 50, 0),
                  cv::Point(cvRound(at.x_px) + 50, cvRound(at.y_px) + 30),
                  cv::Scalar(120, 150, 205), cv::FILLED);
    camera.See(hand, 4);
    camera.See(made_.bgr, 10);
    ASSERT_TRUE(camera.pipeline().Finish().ok());
  }
  static int ToldUnjudged(const test::Watched& camera) {
    const auto told = camera.Told<NeedsPeople>();
    return static_cast<int>(std::count_if(told.begin(), told.end(), [](const NeedsPeople& remark) {
      return remark.text.find("hands came before it could be looked at") != std::string::npos;
    }));
  }
};
TEST_F(ShellTakenAfterAKnock, IsMeasuredWhereItLayForHalfASecond) {
  test::Watched camera(made_);
  Play(camera, 0.5);
  const auto shots = camera.Told<ShotSeen>();
  ASSERT_EQ(shots.size(), 1U) << camera.Story();
  EXPECT_LT(Distance(shots[0].finding.shot.point, kPlace), 0.05);
  EXPECT_EQ(ToldUnjudged(camera), 0) << camera.Story();
  EXPECT_TRUE(camera.Told<StandChange>().empty());
}
TEST_F(ShellTakenAfterAKnock, IsToldAsNotJudgedWhereHandsCameAtOnce) {
  test::Watched camera(made_);
  Play(camera, 0.1);
  EXPECT_TRUE(camera.Told<ShotSeen>().empty()) << camera.Story();
  EXPECT_EQ(ToldUnjudged(camera), 1) << camera.Story();
  EXPECT_TRUE(camera.Told<StandChange>().empty());
}

// Until the new light is known nothing is judged, and a shell may be taken up before.
class ShellTakenInNewLight : public SpoiltScene {
 protected:
  // The light changes in the moment in which a shell is at rest.
  // light   what a pixel shows in it, of what it showed; both from 0 to 1
  // lies_s  how long the shell lies then
  template <typename Light>
  void Play(test::Watched& camera, const Light& light, double lies_s) const {
    cv::Mat curve(1, 256, CV_8UC1);
    for (int i = 0; i < 256; ++i)
      curve.at<std::uint8_t>(i) = cv::saturate_cast<std::uint8_t>(255 * light(i / 255.0));
    const auto see = [&](const cv::Mat& picture, int frames) {
      cv::Mat other;
      cv::LUT(picture, curve, other);
      camera.See(other, frames);
    };
    camera.See(made_.bgr, 20);
    ASSERT_TRUE(camera.pipeline().Found()) << camera.pipeline().WhyNotFound();
    camera.See(with_, 2);
    see(with_, static_cast<int>(std::lround(10 * lies_s)));
    cv::Mat hand = made_.bgr.clone();
    const ImagePoint at = ImageFromTable(made_.camera, kPlace, 0);
    cv::rectangle(hand, cv::Point(cvRound(at.x_px) - 50, 0),
                  cv::Point(cvRound(at.x_px) + 50, cvRound(at.y_px) + 30),
                  cv::Scalar(120, 150, 205), cv::FILLED);
    see(hand, 4);
    see(made_.bgr, 2);
    ASSERT_TRUE(camera.pipeline().Finish().ok());
  }
  static std::ptrdiff_t ToldUnjudged(const test::Watched& camera) {
    const auto told = camera.Told<NeedsPeople>();
    return std::count_if(told.begin(), told.end(), [](const NeedsPeople& remark) {
      return remark.text.starts_with("the light on the table changed, and hands came");
    });
  }
};
TEST_F(ShellTakenInNewLight, IsToldAsNotJudgedWhereHandsCameAtOnce) {
  test::Watched camera(made_);
  // A camera that switches its contrast has another tone curve.
  Play(camera, [](double level) { return std::pow(level, 0.8); }, 0.3);
  EXPECT_TRUE(camera.Told<ShotSeen>().empty()) << camera.Story();
  EXPECT_EQ(ToldUnjudged(camera), 1) << camera.Story();
}
TEST_F(ShellTakenInNewLight, IsJudgedWhereItLiesOn) {
  test::Watched camera(made_);
  Play(camera, [](double level) { return 0.6 * level; }, 1);
  EXPECT_EQ(camera.Told<ShotSeen>().size(), 1U) << camera.Story();
  EXPECT_EQ(ToldUnjudged(camera), 0) << camera.Story();
}

// A camera that shows the table otherwise from the moment on in which a shell is at rest.
struct OtherTones {
  const char* name;
  cv::Mat (*show)(const cv::Mat& bgr);
};
cv::Mat OnCurve(const cv::Mat& bgr, double (*curve)(double)) {
  cv::Mat levels(1, 256, CV_8UC1);
  for (int i = 0; i < 256; ++i)
    levels.at<std::uint8_t>(i) = cv::saturate_cast<std::uint8_t>(255 * curve(i / 255.0));
  cv::Mat out;
  cv::LUT(bgr, levels, out);
  return out;
}
// With colours that differ so many times as much from grey.
cv::Mat WithColours(const cv::Mat& bgr, double strength) {
  cv::Mat out;
  cv::cvtColor(bgr, out, cv::COLOR_BGR2YCrCb);
  const double at_grey = 128 * (1 - strength);
  cv::transform(out, out,
                cv::Matx34d(1, 0, 0, 0, 0, strength, 0, at_grey, 0, 0, strength, at_grey));
  cv::cvtColor(out, out, cv::COLOR_YCrCb2BGR);
  return out;
}
class ShellInOtherTones : public SpoiltScene, public ::testing::WithParamInterface<OtherTones> {};
TEST_P(ShellInOtherTones, IsMeasured) {
  test::Watched camera(made_);
  camera.See(made_.bgr, 20);
  ASSERT_TRUE(camera.pipeline().Found()) << camera.pipeline().WhyNotFound();
  camera.See(with_, 2);
  camera.See(GetParam().show(with_), 15);
  ASSERT_TRUE(camera.pipeline().Finish().ok());
  const auto shots = camera.Told<ShotSeen>();
  ASSERT_EQ(shots.size(), 1U) << camera.Story();
  EXPECT_TRUE(shots[0].finding.measured);
  constexpr double kNear_in = 0.05;
  EXPECT_LT(Distance(shots[0].finding.shot.point, kPlace), kNear_in);
  EXPECT_TRUE(camera.Told<StandChange>().empty()) << camera.Story();
  EXPECT_TRUE(camera.Told<ObjectSeen>().empty()) << camera.Story();
}
INSTANTIATE_TEST_SUITE_P(
    Of, ShellInOtherTones,
    ::testing::Values(
        OtherTones{"AnotherGamma",
                   [](const cv::Mat& bgr) {
                     return OnCurve(bgr, [](double level) { return std::pow(level, 0.7); });
                   }},
        OtherTones{"FullRange",
                   [](const cv::Mat& bgr) {
                     return OnCurve(bgr, [](double level) { return (255 * level - 16) / 219; });
                   }},
        OtherTones{"MoreContrast",
                   [](const cv::Mat& bgr) {
                     return OnCurve(bgr, [](double level) { return 1.25 * (level - 0.5) + 0.5; });
                   }},
        OtherTones{"StrongerColours", [](const cv::Mat& bgr) { return WithColours(bgr, 1.6); }}),
    [](const auto& tones) { return std::string(tones.param.name); });

class TurnedTable : public SpoiltScene {};
// It falls while the table is turned and has not been found again.
TEST_F(TurnedTable, MeasuresAShotOfTheTimeInWhichTheTableWasTurned) {
  test::Watched camera(made_);
  camera.See(made_.bgr, 15);
  ASSERT_TRUE(camera.pipeline().Found()) << camera.pipeline().WhyNotFound();
  camera.Spoil("turned_5", 100);
  camera.See(made_.bgr, 2);
  camera.See(with_, 20);
  ASSERT_TRUE(camera.pipeline().Finish().ok());
  EXPECT_EQ(camera.Told<CameraMoved>().size(), 1U);
  const auto shots = camera.Told<ShotSeen>();
  ASSERT_EQ(shots.size(), 1U) << camera.Story();
  constexpr double kNear_in = 0.06;
  EXPECT_LT(Distance(shots[0].finding.shot.point, kPlace), kNear_in);
  EXPECT_TRUE(camera.Told<StandChange>().empty());
}

// Whatever cannot be judged for a second is told within it, and so is its end.
class TellsBlindness : public SpoiltScene, public ::testing::WithParamInterface<std::string> {};
TEST_P(TellsBlindness, WithinASecond) {
  test::Watched camera(made_);
  Watch(camera, GetParam());
  const auto views = camera.When<ViewChanged>();
  ASSERT_GE(views.size(), 2U);
  EXPECT_TRUE(std::get<ViewChanged>(views.front().what).obstructed);
  EXPECT_LE(views.front().time_s, 1.5 + 1);
  EXPECT_FALSE(std::get<ViewChanged>(views.back().what).obstructed);
}
// What a decoder conceals is no hand: what fell meanwhile is no thing that a hand put down.
TEST_F(SpoiltScene, TellsPicturesThatADecoderHasConcealedInPart) {
  test::Watched camera(made_);
  Watch(camera, "grey_half");
  const auto views = camera.Told<ViewChanged>();
  ASSERT_EQ(views.size(), 2U) << camera.Story();
  EXPECT_NE(views[0].why.find("damaged"), std::string::npos) << views[0].why;
  EXPECT_FALSE(views[1].obstructed);
  ASSERT_EQ(camera.Told<ShotSeen>().size(), 1U) << camera.Story();
  EXPECT_TRUE(camera.Told<ObjectSeen>().empty()) << camera.Story();
  EXPECT_TRUE(camera.Told<StandChange>().empty()) << camera.Story();
}
TEST_F(SpoiltScene, TellsOfAGapBetweenTwoPictures) {
  test::Watched camera(made_);
  Watch(camera, "gap_2s");
  const auto told = camera.Told<NeedsPeople>();
  EXPECT_EQ(std::count_if(told.begin(), told.end(),
                          [](const NeedsPeople& remark) {
                            return remark.text.find("no pictures came for 2") != std::string::npos;
                          }),
            1);
}

INSTANTIATE_TEST_SUITE_P(Faults, TellsBlindness, ::testing::Values("freeze"));

}  // namespace
}  // namespace fos
