// SPDX-License-Identifier: MIT
// Swabs and shells are shown to the program once (docs/setup.md, step 5): sticks of any colour,
// shells, from pictures and from a camera.
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <opencv2/imgcodecs.hpp>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "calibration/registration/rig_profile.h"
#include "datasets/render/shot_table.h"
#include "engine/files/scenario_file.h"
#include "engine/files/whole_file.h"
#include "tests/support/console_run.h"
#include "tests/support/mjpeg_server.h"
#include "tests/support/temp_dir.h"
#include "vision/image/live_frames.h"

namespace fos {
namespace {

namespace fs = std::filesystem;
using test::ConsoleRun;
using test::RunFallofshot;

// A bare table, three swabs and three shells.
struct Shown {
  ShotTable table = MakeShotTable(16);
  cv::Mat bare;
  cv::Mat laid;

  explicit Shown(Colour stick,
                 const std::vector<Projectile>& kinds = {Projectile::kQtip, Projectile::kShell}) {
    table.stands.clear();
    table.scene.boxes.clear();
    table.scene.pills.clear();
    table.scene.strips.clear();
    table.scene.shades.clear();
    std::mt19937 random(11);
    std::vector<Dropped> lying;
    for (const Projectile type : kinds) {
      for (int left = 3; left > 0;) {
        Dropped one = DropShot(table, type, lying, random);
        if (one.lies != "flat" || !Apart(one, lying)) continue;
        if (type == Projectile::kQtip) one.pills.at(1).colour = stick;
        lying.push_back(one);
        --left;
      }
    }
    bare = Picture({}, 1);
    laid = Picture(lying, 2);
  }
  // Lens, table, scenario.
  void WriteSetup(const fs::path& folder) const {
    RigProfile rig;
    rig.table = table.table;
    rig.lens = table.camera.lens;
    rig.made = "2026-07-01";
    rig.program = "test";
    const Status kept = WriteRig(rig, folder / "rig.toml");
    ASSERT_TRUE(kept.ok()) << kept.error().message;
    Scenario scenario = table.scenario;
    scenario.ruleset = "napoleonic";
    const Status written = WriteWholeFile(folder / "scenario.toml", ScenarioText(scenario));
    ASSERT_TRUE(written.ok()) << written.error().message;
  }

 private:
  bool Apart(const Dropped& one, const std::vector<Dropped>& lying) const {
    constexpr double kRoom_in = 0.8;
    const Segment2 axis{one.point, one.tail};
    for (const Vec2 end : {one.point, one.tail}) {
      if (end.x < 1 || end.y < 1 || end.x > table.table.frame.Width() - 1 ||
          end.y > table.table.frame.Depth() - 1)
        return false;
    }
    for (const Dropped& other : lying) {
      constexpr int kSteps = 20;
      for (int i = 0; i <= kSteps; ++i) {
        const Vec2 at =
            other.point + (static_cast<double>(i) / kSteps) * (other.tail - other.point);
        if (Distance(NearestPoint(axis, at), at) < kRoom_in) return false;
      }
    }
    return true;
  }
  cv::Mat Picture(const std::vector<Dropped>& lying, std::uint64_t seed) const {
    const cv::Rect all(0, 0, table.camera.lens.width_px, table.camera.lens.height_px);
    return Delivered(table.webcam,
                     ThroughLens(table.webcam, LightOf(table.camera, With(table, lying), all)),
                     seed);
  }
};

const LearntProjectile* Learnt(const RigProfile& rig, Projectile type) {
  for (const LearntProjectile& one : rig.projectiles)
    if (one.type == type) return &one;
  return nullptr;
}
// How much bluer than red a stick looks.
int Blueness(const LearntProjectile& one) { return one.stick.b - one.stick.r; }

void ExpectSizes(const RigProfile& rig, const Scenario& scenario, const std::string& said) {
  int shown = 0;
  for (const ProjectileSpec& spec : scenario.projectiles) {
    const LearntProjectile* one = Learnt(rig, spec.type);
    ASSERT_NE(one, nullptr) << static_cast<int>(spec.type);
    EXPECT_GE(one->samples, 2) << said;
    shown += one->samples;
    if (spec.type == Projectile::kQtip) {
      EXPECT_NEAR(one->length_in, spec.length_in, 0.06);
      EXPECT_GT(one->length_sigma_in, 0);
    } else {
      EXPECT_NEAR(one->size_in, spec.size_in, 0.05);
    }
  }
  // What is not measured is named.
  for (std::size_t at = 0; (at = said.find("Not clear at", at)) != std::string::npos; ++at) ++shown;
  EXPECT_EQ(shown, 6) << said;
  EXPECT_EQ(said.find("measured from nothing"), std::string::npos) << said;
}

RigProfile RigIn(const fs::path& folder) {
  Result<RigProfile> rig = ReadRig(folder / "rig.toml");
  EXPECT_TRUE(rig.ok());
  return rig.ok() ? std::move(rig).value() : RigProfile{};
}

// `calibrate projectiles` on the two pictures in a folder, with the rig and scenario beside it.
ConsoleRun ShowPictures(const fs::path& folder, const cv::Mat& bare, const cv::Mat& laid) {
  const fs::path pictures = folder / "pictures";
  fs::create_directories(pictures);
  EXPECT_TRUE(cv::imwrite((pictures / "1_bare.png").string(), bare));
  EXPECT_TRUE(cv::imwrite((pictures / "2_laid.png").string(), laid));
  return RunFallofshot({"calibrate", "projectiles", pictures.string(), "--rig",
                        (folder / "rig.toml").string(), "--scenario",
                        (folder / "scenario.toml").string(), "--picture",
                        (folder / "projectiles.png").string()});
}

TEST(ShownProjectiles, AreLearntWithTheirSticksOfAnyColour) {
  std::vector<int> blueness;
  for (const Colour stick : {Colour{190, 160, 105}, Colour{60, 110, 190}}) {
    const test::TempDir dir;
    const Shown shown(stick);
    shown.WriteSetup(dir.path());
    const ConsoleRun run = ShowPictures(dir.path(), shown.bare, shown.laid);
    ASSERT_EQ(run.status, kExitDone) << run;
    const RigProfile rig = RigIn(dir.path());
    ExpectSizes(rig, shown.table.scenario, run.out);
    const LearntProjectile* swab = Learnt(rig, Projectile::kQtip);
    ASSERT_NE(swab, nullptr);
    blueness.push_back(Blueness(*swab));
    EXPECT_TRUE(fs::exists(dir.path() / "projectiles.png"));
  }
  // Whatever the light, bamboo is far less blue than blue plastic.
  EXPECT_LT(blueness[0] + 60, blueness[1]);
}

TEST(ShownProjectiles, NameASourceThatIsNotThereOnce) {
  const test::TempDir dir;
  const Shown shown({60, 110, 190}, {Projectile::kQtip});
  shown.WriteSetup(dir.path());
  const ConsoleRun run = RunFallofshot({"calibrate", "projectiles", "nothere", "--rig",
                                        (dir.path() / "rig.toml").string(), "--scenario",
                                        (dir.path() / "scenario.toml").string()});
  EXPECT_NE(run.status, kExitDone) << run;
  EXPECT_NE(run.err.find("nothere: no such file"), std::string::npos) << run;
  EXPECT_EQ(run.err.find("nothere: nothere"), std::string::npos) << run;
}

TEST(ShownProjectiles, KeepWhatWasShownOfTheOtherKindBefore) {
  const test::TempDir dir;
  const Shown shown({60, 110, 190}, {Projectile::kQtip});
  shown.WriteSetup(dir.path());
  RigProfile before = RigIn(dir.path());
  LearntProjectile shell;
  shell.type = Projectile::kShell;
  shell.samples = 7;
  shell.size_in = 0.42;
  shell.size_sigma_in = 0.02;
  LearntProjectile swab;
  swab.samples = 9;
  swab.length_in = 2.5;
  swab.length_sigma_in = 0.02;
  swab.cotton_length_in = 0.5;
  swab.cotton_thickness_in = 0.2;
  swab.dip_in = 0.2;
  before.projectiles = {swab, shell};
  ASSERT_TRUE(WriteRig(before, dir.path() / "rig.toml").ok());
  const ConsoleRun run = ShowPictures(dir.path(), shown.bare, shown.laid);
  ASSERT_EQ(run.status, kExitDone) << run;
  const RigProfile rig = RigIn(dir.path());
  EXPECT_EQ(rig.projectiles.size(), 2U);
  ASSERT_NE(Learnt(rig, Projectile::kShell), nullptr) << run;
  EXPECT_EQ(*Learnt(rig, Projectile::kShell), shell);
  ASSERT_NE(Learnt(rig, Projectile::kQtip), nullptr);
  EXPECT_NE(Learnt(rig, Projectile::kQtip)->samples, 9);
  EXPECT_NEAR(Learnt(rig, Projectile::kQtip)->length_in, 3.0, 0.06);
}

// On a table whose places are only known to inches no length is measured.
TEST(ShownProjectiles, AreNotLearntOnATableThatIsNotToBeTrusted) {
  const test::TempDir dir;
  const Shown shown({60, 110, 190}, {Projectile::kQtip});
  shown.WriteSetup(dir.path());
  RigProfile rig = RigIn(dir.path());
  // Another ruler: the markers are written down 15 % further apart than they lie.
  ASSERT_TRUE(rig.table.fiducials);
  for (FiducialMarker& marker : rig.table.fiducials->markers) marker.centre = 1.15 * marker.centre;
  ASSERT_TRUE(WriteRig(rig, dir.path() / "rig.toml").ok());
  const ConsoleRun run = ShowPictures(dir.path(), shown.bare, shown.laid);
  EXPECT_EQ(run.status, kExitBadInput) << run;
  EXPECT_NE(run.err.find("not to be trusted"), std::string::npos) << run;
  EXPECT_TRUE(RigIn(dir.path()).projectiles.empty());
}

// Standard output that says when a line was written.
class TellsLines : public std::stringbuf {
 public:
  std::atomic<int> lines = 0;

 protected:
  int sync() override {
    ++lines;
    return 0;
  }
};

TEST(ShownProjectiles, AreLearntFromACamera) {
  const test::TempDir dir;
  const Shown shown({60, 110, 190});
  shown.WriteSetup(dir.path());
  const auto jpeg = [](const cv::Mat& bgr) {
    std::vector<std::uint8_t> bytes;
    cv::imencode(".jpg", bgr, bytes, {cv::IMWRITE_JPEG_QUALITY, 97});
    return bytes;
  };
  test::MjpegServer server(jpeg(shown.bare));
  TellsLines said;
  std::ostream out(&said);
  std::ostringstream err;
  int status = -1;
  std::thread command([&] {
    Console console{out, err, false};
    status = RunCommandLine(
        {"calibrate", "projectiles", server.Url(), "--rig", (dir.path() / "rig.toml").string(),
         "--scenario", (dir.path() / "scenario.toml").string(), "--picture",
         (dir.path() / "projectiles.png").string(), "--seconds", "3"},
        console);
    said.lines = 1000;
  });
  while (said.lines == 0) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  server.Show(jpeg(shown.laid));
  command.join();
  ASSERT_EQ(status, kExitDone) << said.str() << err.str();
  EXPECT_NE(said.str().find("Lay the projectiles on the table now; 3 seconds"), std::string::npos)
      << said.str();
  const RigProfile rig = RigIn(dir.path());
  ExpectSizes(rig, shown.table.scenario, said.str());
  ASSERT_NE(Learnt(rig, Projectile::kQtip), nullptr);
  EXPECT_GT(Blueness(*Learnt(rig, Projectile::kQtip)), 20);
}

}  // namespace
}  // namespace fos
