// SPDX-License-Identifier: MIT
// How long the window takes to draw a frame, without the watching: pictures and findings of the
// sample clip are made first, then shown at thirty a second. Needs a display, a real one or Xvfb:
//   xvfb-run -s '-screen 0 1280x720x24' build/tests/window_bench [SECONDS [verdict]]
// With `verdict` a shot's verdict fills the window and its film plays.
// Prints the median and the 99th percentile; checks first that there is something to draw.
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string_view>
#include <thread>
#include <vector>

#include "tests/support/temp_dir.h"
#include "ui/session/live_session.h"
#include "ui/window/window.h"

namespace {

using Clock = std::chrono::steady_clock;

struct Silent : fos::DecisionSink {
  void Post(fos::PlayerDecision) override {}
};

int Run(double seconds, bool verdict) {
  const std::filesystem::path clip =
      std::filesystem::path(FOS_SOURCE_DIR) / "datasets/sets/open_qtip";
  const fos::test::TempDir dir;
  fos::OutFolder out(dir.path() / "out");
  auto rig = fos::OpenRig(clip, out);
  if (!rig.ok()) {
    std::cerr << rig.error().message << '\n';
    return 1;
  }
  std::shared_ptr<const fos::Snapshot> end;
  {
    fos::LiveOptions options;
    options.paced = false;
    fos::LiveSession session(std::move(*rig), out, options);
    do {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      end = session.Now();
    } while (end->watching != fos::Watching::kEnded && end->watching != fos::Watching::kFailed);
  }
  if (end->watching != fos::Watching::kEnded || end->shots.empty() || end->stands == nullptr) {
    std::cerr << "the sample clip brings no shot: " << end->why << '\n';
    return 1;
  }
  // Every picture is another one, so every picture is uploaded, as from a camera.
  std::vector<std::shared_ptr<const fos::Snapshot>> shown;
  for (int i = 0; i < 30; ++i) {
    fos::Snapshot one = *end;
    one.frame.bgr = end->frame.bgr.clone();
    one.frame.id.index += i;
    one.watching = fos::Watching::kWatching;
    shown.push_back(std::make_shared<const fos::Snapshot>(std::move(one)));
  }
  fos::WindowOptions options;
  options.look.verdict = verdict;  // else the table is drawn, which is more
  auto window = fos::Window::Open(options);
  if (!window.ok()) {
    std::cerr << window.error().message << '\n';
    return 1;
  }
  const Clock::time_point start = Clock::now();
  std::jthread clock([](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      std::this_thread::sleep_for(std::chrono::microseconds(33333));
      fos::Window::Wake();
    }
  });
  Silent nobody;
  const fos::Status status = (*window)->Run(
      [&] {
        const double now = std::chrono::duration<double>(Clock::now() - start).count();
        if (now > seconds) (*window)->Close();
        return shown[static_cast<std::size_t>(now * 30) % shown.size()];
      },
      nobody);
  clock.request_stop();
  clock.join();
  if (!status.ok()) return 1;
  const fos::WindowTimes times = (*window)->Times();
  std::cout << fmt::format("{} frames, median {:.1f} ms, p99 {:.1f} ms\n", times.frames,
                           times.median_ms, times.p99_ms);
  std::cout << fmt::format("of those {} with something new, median {:.1f} ms, p99 {:.1f} ms\n",
                           times.new_frames, times.new_median_ms, times.new_p99_ms);
  return times.frames > 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const double seconds = argc > 1 ? std::atof(argv[1]) : 10;
  const bool verdict = argc > 2 && std::string_view(argv[2]) == "verdict";
  return Run(seconds > 0 && seconds < 3600 ? seconds : 10, verdict);
}
