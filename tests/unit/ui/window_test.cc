// The real program on a display of its own, drawn in software: does it show anything?
#include <gtest/gtest.h>

#include <cstdlib>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>
#include <string>

#include "tests/support/temp_dir.h"

namespace fos {
namespace {

std::string Quoted(const std::filesystem::path& path) {
  return std::string("'").append(path.string()).append("'");
}

TEST(Window, ShowsTheSampleClipToItsEnd) {
  const std::string xvfb = "xvfb-run -a -s '-screen 0 1280x720x24' ";
  if (std::system((xvfb + "true >/dev/null 2>&1").c_str()) != 0) {
    GTEST_SKIP() << "Xvfb cannot start here; install xvfb and xauth";
  }
  const test::TempDir dir;
  const std::filesystem::path clip =
      std::filesystem::path(FOS_SOURCE_DIR) / "datasets/sets/open_qtip";
  const std::filesystem::path picture = dir.path() / "window.png";
  // Nobody's own settings are read or changed.
  setenv("XDG_CONFIG_HOME", (dir.path() / "config").c_str(), 1);
  setenv("XDG_STATE_HOME", (dir.path() / "state").c_str(), 1);
  std::string command = xvfb;
  command.append(Quoted(FOS_PROGRAM)).append(" live ").append(Quoted(clip));
  command.append(" --out ").append(Quoted(dir.path() / "out"));
  command.append(" --db ").append(Quoted(dir.path() / "club.db"));
  command.append(" --exit-at-end --screenshot ").append(Quoted(picture));
  ASSERT_EQ(std::system(command.c_str()), 0) << command;
  const cv::Mat shown = cv::imread(picture.string());
  ASSERT_EQ(shown.cols, 1280);
  ASSERT_EQ(shown.rows, 720);
  cv::Scalar mean;
  cv::Scalar deviation;
  // The table's picture, the map and the rulings: each must hold something.
  for (const cv::Rect& part :
       {cv::Rect(100, 120, 600, 380), cv::Rect(880, 70, 360, 260), cv::Rect(850, 370, 420, 300)}) {
    cv::meanStdDev(shown(part), mean, deviation);
    EXPECT_GT(deviation[0] + deviation[1] + deviation[2], 30) << part.x << ' ' << part.y;
  }
  EXPECT_TRUE(std::filesystem::is_regular_file(dir.path() / "out/events.jsonl"));
  EXPECT_TRUE(std::filesystem::is_regular_file(dir.path() / "club.db"));
}

TEST(Window, WithoutADisplayItSaysSoInOneLine) {
  const test::TempDir dir;
  const std::filesystem::path clip =
      std::filesystem::path(FOS_SOURCE_DIR) / "datasets/sets/open_qtip";
  const std::filesystem::path said = dir.path() / "said.txt";
  std::string command = "env -u DISPLAY -u WAYLAND_DISPLAY ";
  command.append(Quoted(FOS_PROGRAM)).append(" live ").append(Quoted(clip));
  command.append(" --out ").append(Quoted(dir.path() / "out")).append(" 2>").append(Quoted(said));
  command.append("; test $? -eq 1 && test $(wc -l <").append(Quoted(said)).append(") -eq 1");
  command.append(" && grep -q 'no display' ").append(Quoted(said));
  EXPECT_EQ(std::system(command.c_str()), 0);
  EXPECT_FALSE(std::filesystem::exists(dir.path() / "out"));
}

}  // namespace
}  // namespace fos
