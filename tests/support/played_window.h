// SPDX-License-Identifier: MIT
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <opencv2/imgproc.hpp>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/support/temp_dir.h"

// The real program on a display of its own, drawn in software.
namespace fos::test {

inline std::string Quoted(const std::filesystem::path& path) {
  return std::string("'").append(path.string()).append("'");
}

inline std::filesystem::path SampleClip() {
  return std::filesystem::path(FOS_SOURCE_DIR) / "datasets/sets/open_qtip";
}

// The mean difference of two pictures, grey levels.
inline double MeanDifference(const cv::Mat& a, const cv::Mat& b) {
  if (a.empty() || a.size() != b.size()) return 255;
  cv::Mat apart;
  cv::absdiff(a, b, apart);
  const cv::Scalar mean = cv::mean(apart);
  return (mean[0] + mean[1] + mean[2]) / 3;
}

inline bool FileHas(const std::filesystem::path& file, const std::string& words) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str().find(words) != std::string::npos;
}

// The rows in which a colour fills most of that part of a screen.
inline int RowsOf(const cv::Mat& screen, const cv::Rect& part, const cv::Scalar& bgr) {
  cv::Mat same;
  cv::inRange(screen(part), bgr - cv::Scalar::all(6), bgr + cv::Scalar::all(6), same);
  int rows = 0;
  for (int y = 0; y < same.rows; ++y)
    rows += cv::countNonZero(same.row(y)) > part.width / 2 ? 1 : 0;
  return rows;
}

// A virtual display, the program on it, and its keyboard and mouse.
class Played {
 public:
  // Returns nullptr on a machine without Xvfb or xdotool.
  // command  of the program; empty: none. Its data are kept in `dir`/data.
  // with     the preferences to begin with, as TOML.
  // screen   its size.
  // dpi      what it says of its fineness, as a desktop does; empty: nothing
  static std::unique_ptr<Played> Start(const TempDir& dir, std::vector<std::string> arguments,
                                       const std::string& command = "live",
                                       const std::string& with = "",
                                       const std::string& screen = "1280x720",
                                       const std::string& dpi = "") {
    if (std::system("command -v Xvfb xdotool >/dev/null 2>&1") != 0) return nullptr;
    const std::filesystem::path look = dir.path() / "config/fallofshot/preferences.toml";
    std::filesystem::remove(look);  // from an earlier window
    if (!with.empty()) {
      std::filesystem::create_directories(look.parent_path());
      std::ofstream(look) << with;
    }
    int ends[2] = {-1, -1};
    if (pipe(ends) != 0) return nullptr;
    const pid_t server = fork();
    if (server == 0) {
      close(ends[0]);
      const std::string fd = std::to_string(ends[1]);
      const std::string depth = screen + "x24";
      Quiet();
      // -r: no key repeat, because releases come late on a busy machine.
      // -noreset: without it the server restarts between two windows and refuses connections.
      // -fbdir: the screen's pixels are a file.
      execlp("Xvfb", "Xvfb", "-displayfd", fd.c_str(), "-screen", "0", depth.c_str(), "-nolisten",
             "tcp", "-r", "-noreset", "-fbdir", dir.path().c_str(), static_cast<char*>(nullptr));
      _exit(127);
    }
    close(ends[1]);
    std::string number;
    for (char c = 0; read(ends[0], &c, 1) == 1 && c != '\n';) number += c;
    close(ends[0]);
    auto out = std::unique_ptr<Played>(new Played);
    out->server_ = server;
    out->display_ = ":" + number;
    out->screen_ = dir.path() / "Xvfb_screen0";
    if (number.empty()) return nullptr;
    if (!dpi.empty()) {
      // The program reads the property as it starts.
      EXPECT_TRUE(out->Tell("xprop -root -f RESOURCE_MANAGER 8s -set RESOURCE_MANAGER 'Xft.dpi: " +
                            dpi + "'"));
    }
    const pid_t program = fork();
    if (program == 0) {
      setenv("DISPLAY", out->display_.c_str(), 1);
      unsetenv("WAYLAND_DISPLAY");
      setenv("XDG_CONFIG_HOME", (dir.path() / "config").c_str(), 1);
      setenv("XDG_STATE_HOME", (dir.path() / "state").c_str(), 1);
      setenv("HOME", dir.path().c_str(), 1);
      setenv("XDG_DATA_HOME", (dir.path() / "data").c_str(), 1);
      if (!command.empty()) arguments.insert(arguments.begin(), command);
      arguments.insert(arguments.begin(), FOS_PROGRAM);
      std::vector<char*> words;
      for (std::string& word : arguments) words.push_back(word.data());
      words.push_back(nullptr);
      execv(FOS_PROGRAM, words.data());
      _exit(127);
    }
    out->program_ = program;
    // A key that comes before anything is drawn is lost.
    EXPECT_TRUE(WaitFor([&] { return out->Shows(); }));
    // What the window shows before any key is looked at where it has preferences of its own.
    if (!with.empty()) return out;
    // The program is ready once a key has an effect: the saved settings change.
    EXPECT_TRUE(Until([&] { (void)out->Do("key b"); },
                      [&] { return FileHas(look, "safe_colours = true"); }));
    return out;
  }
  ~Played() {
    for (const pid_t pid : {program_, server_}) {
      if (pid <= 0) continue;
      kill(pid, SIGTERM);
      waitpid(pid, nullptr, 0);
    }
  }
  Played(const Played&) = delete;
  Played& operator=(const Played&) = delete;

  bool Do(const std::string& what) const { return Tell("xdotool " + what); }
  // Runs a program on this display.
  bool Tell(const std::string& what) const {
    std::string command = "DISPLAY=";
    command.append(display_).append(" ").append(what).append(" >/dev/null 2>&1");
    return std::system(command.c_str()) == 0;
  }
  // Each of these is one action of a player; see Actions().
  void Key(const std::string& key) const {
    ++actions_;
    EXPECT_TRUE(Do("key " + key));
  }
  void Type(const std::string& words) const {
    ++actions_;
    EXPECT_TRUE(Do("type --delay 5 -- '" + words + "'"));
  }
  void Say(const std::string& line) const {
    Key("slash");
    Type(line);
    Key("Return");
  }
  void Click(int x, int y) const {
    ++actions_;
    EXPECT_TRUE(Do("mousemove " + std::to_string(x) + " " + std::to_string(y) + " click 1"));
  }
  void Drag(int from_x, int from_y, int to_x, int to_y) const {
    ++actions_;
    const auto at = [](int x, int y) {
      return " mousemove " + std::to_string(x) + " " + std::to_string(y);
    };
    EXPECT_TRUE(Do(at(from_x, from_y) + " mousedown 1" +
                   at((from_x + to_x) / 2, (from_y + to_y) / 2) + at(to_x, to_y) + " mouseup 1"));
  }
  // Keys, words, clicks and drags so far.
  int Actions() const { return actions_; }
  // Waits until nothing on the display has changed for a while.
  bool Settle() const {
    cv::Mat seen = Screen();
    return WaitFor([&] {
      constexpr std::chrono::milliseconds kSomeFrames{400};
      std::this_thread::sleep_for(kSomeFrames);
      const cv::Mat before = std::exchange(seen, Screen());
      return !before.empty() && MeanDifference(before, seen) == 0;
    });
  }
  // Quits by the window's own key. Returns the exit status.
  int Leave() {
    int status = -1;
    const bool left = Until([&] { (void)Do("key ctrl+q"); },
                            [&] { return waitpid(program_, &status, WNOHANG) == program_; });
    if (left) program_ = 0;
    return left && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  // What the display shows now. Xvfb keeps it in an XWD file: a header of big-endian numbers, the
  // colour table, and four bytes a pixel.
  cv::Mat Screen() const {
    const int file = open(screen_.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return {};
    struct stat about{};
    fstat(file, &about);
    const auto size = static_cast<std::size_t>(about.st_size);
    constexpr std::size_t kLeast = 100;  // of an XWD file: its header
    void* const at =
        size < kLeast ? MAP_FAILED
                      : mmap(nullptr, size, PROT_READ, MAP_SHARED | MAP_POPULATE, file, 0);
    close(file);
    if (at == MAP_FAILED) return {};
    const std::unique_ptr<void, std::function<void(void*)>> mapped(
        at, [size](void* p) { munmap(p, size); });
    auto* const all = static_cast<unsigned char*>(at);
    const auto number = [&](std::size_t index) {
      std::size_t out = 0;
      for (std::size_t i = 4 * index; i < 4 * index + 4; ++i) out = out << 8 | all[i];
      return out;
    };
    constexpr std::size_t kColour = 12;  // bytes of an entry of the colour table
    const std::size_t begin = number(0) + kColour * number(19);
    const auto width = static_cast<int>(number(4));
    const auto height = static_cast<int>(number(5));
    const std::size_t stride = number(12);
    if (size < begin + stride * static_cast<std::size_t>(height)) return {};
    const cv::Mat bgra(height, width, CV_8UC4, all + begin, stride);
    cv::Mat bgr;
    cv::cvtColor(bgra, bgr, cv::COLOR_BGRA2BGR);
    return bgr;
  }

  // Sends SIGINT, as Ctrl-C does. Returns the exit status.
  int Interrupt() {
    int status = -1;
    kill(program_, SIGINT);
    if (waitpid(program_, &status, 0) == program_) program_ = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  static bool WaitFor(const std::function<bool()>& holds, int seconds = 120) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
    while (!holds()) {
      if (std::chrono::steady_clock::now() > end) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    return true;
  }
  // Repeats a harmless action until its effect is seen.
  static bool Until(const std::function<void()>& done, const std::function<bool()>& seen) {
    for (int i = 0; i < 24; ++i) {
      done();
      if (WaitFor(seen, 5)) return true;
    }
    return false;
  }

 private:
  Played() = default;
  // Whether anything is drawn on the display, which begins black.
  bool Shows() const { return cv::mean(Screen())[0] > 5; }
  static void Quiet() {
    const int null = open("/dev/null", O_WRONLY);
    dup2(null, STDERR_FILENO);
  }
  mutable int actions_ = 0;
  pid_t server_ = 0;
  pid_t program_ = 0;
  std::string display_;
  std::filesystem::path screen_;
};

}  // namespace fos::test
