// SPDX-License-Identifier: MIT
// What one picture costs, by its size: each stage that it goes through, all of them together, and,
// as a baseline, to sort all its pixels by a table of colours as robot soccer does. Each checks its
// answer before it is timed. Wall time and processor time of all threads; `items_per_second` are
// pictures.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <memory>
#include <opencv2/imgproc.hpp>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "calibration/registration/deployment.h"
#include "calibration/watch/camera_watch.h"
#include "datasets/render/synthetic.h"
#include "engine/table/result.h"
#include "tests/bench/colour_table.h"
#include "tests/support/recordings.h"
#include "tests/support/small_table.h"
#include "tests/support/temp_dir.h"
#include "tests/support/watched_table.h"
#include "vision/change/change_detector.h"
#include "vision/change/quiet_gate.h"
#include "vision/image/frame_source.h"
#include "vision/pipeline/pipeline.h"
#include "vision/scene/terrain_map.h"
#include "vision/shots/shot_detector.h"

namespace fos {
namespace {

constexpr double kFps = 30;
constexpr int kPictures = 24;  // more than the watch holds at once

// The height of the picture in pixels gives its size.
cv::Size SizeOf(std::int64_t height) {
  return {static_cast<int>(height * 16 / 9), static_cast<int>(height)};
}
void Sizes(benchmark::internal::Benchmark* bench) {
  bench->Arg(720)->Arg(1080)->Arg(2160)->ArgName("height");
  bench->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime()->UseRealTime();
}

struct Watched {
  SyntheticTable made;
  std::vector<cv::Mat> pictures;  // each with its own grain
};
Watched Make(std::int64_t height) {
  SyntheticOptions o = test::WholeTable(10, SizeOf(height).width, SizeOf(height).height);
  o.noise_levels = 0;
  Watched out{RenderTable(o), {}};
  // Parts of one field of grain, each shifted by a pixel both ways.
  cv::Mat grain(out.made.bgr.size() + cv::Size(kPictures, kPictures), CV_16SC3);
  cv::RNG(1).fill(grain, cv::RNG::NORMAL, 0, 1.5);
  for (int i = 0; i < kPictures; ++i) {
    out.pictures.emplace_back();
    cv::add(out.made.bgr, grain(cv::Rect({i, i}, out.made.bgr.size())), out.pictures.back(),
            cv::noArray(), CV_8UC3);
  }
  return out;
}
// Made once for each size: those of 4K take 600 MB.
const Watched& Table(std::int64_t height) {
  static std::map<std::int64_t, Watched> made;
  auto at = made.find(height);
  if (at == made.end()) at = made.emplace(height, Make(height)).first;
  return at->second;
}
const cv::Mat& Picture(const Watched& table, std::int64_t index) {
  return table.pictures[static_cast<std::size_t>(index) % table.pictures.size()];
}
double PixelsPerInchOf(const SyntheticTable& made) {
  return PixelsPerInch(made.camera, {made.table.frame.Width() / 2, made.table.frame.Depth() / 2},
                       0);
}

void Decoding(benchmark::State& state, const char* fourcc, const char* ending) {
  const Watched& table = Table(state.range(0));
  const test::TempDir dir;
  const std::filesystem::path file = dir.path() / (std::string("video.") + ending);
  try {
    test::WriteRecording(file, table.pictures, kFps, fourcc);
  } catch (const std::exception& e) {
    state.SkipWithError(e.what());
    return;
  }
  const auto decode = [&] {
    auto source = OpenVideo(file);
    FOS_CHECK(source.ok());
    int count = 0;
    for (;; ++count) {
      const auto next = (*source)->Next();
      FOS_CHECK(next.ok());
      if (!next->has_value()) break;
      if (count == 0)
        FOS_CHECK(cv::norm((*next)->bgr, table.pictures[0], cv::NORM_L1) <
                  8.0 * static_cast<double>(3 * table.pictures[0].total()));
    }
    return count;
  };
  FOS_CHECK(decode() == kPictures);
  for ([[maybe_unused]] const auto& _ : state) FOS_CHECK(decode() == kPictures);
  state.SetItemsProcessed(state.iterations() * kPictures);
}
BENCHMARK_CAPTURE(Decoding, MJPEG, "MJPG", "avi")->Apply(Sizes);
BENCHMARK_CAPTURE(Decoding, H264, "avc1", "mp4")->Apply(Sizes);

// A picture that shows what the last one did is only compared with it.
void TheQuietGate(benchmark::State& state) {
  const Watched& table = Table(state.range(0));
  QuietGate gate(table.made.bgr.size(), PixelsPerInchOf(table.made), 12);
  for (int i = 0; i < kPictures; ++i) gate.Remember(Picture(table, i));
  cv::Mat other = Picture(table, 0).clone();
  test::LayShell(other, table.made.camera, {6, 6}, {20, 200, 250});
  FOS_CHECK(gate.ShowsTheSame(Picture(table, 0)) && !gate.ShowsTheSame(other));
  std::int64_t index = 0;
  for ([[maybe_unused]] const auto& _ : state)
    FOS_CHECK(gate.ShowsTheSame(Picture(table, index++)));
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(TheQuietGate)->Apply(Sizes);

// The camera's marks, by which a knock is told.
void Tracking(benchmark::State& state) {
  const Watched& table = Table(state.range(0));
  const SyntheticTable& made = table.made;
  const auto found = RegisterTable(made.bgr, made.camera.lens, made.table, made.scenario, {});
  FOS_CHECK(found.ok());
  CameraWatch watch(made.bgr, *found, made.table);
  std::int64_t index = 0;
  const auto steady = [&] {
    return watch(Picture(table, index++)).state == WatchReading::State::kSteady;
  };
  FOS_CHECK(steady());
  for ([[maybe_unused]] const auto& _ : state) FOS_CHECK(steady());
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(Tracking)->Apply(Sizes);

// What is done to a picture that may show something new, on a table on which nothing happens or
// which a hand crosses.
struct Looking {
  explicit Looking(const Watched& table, bool hand)
      : watch(table.made.camera, table.made.table.frame, table.made.bgr.size(), kFps) {
    watch.SetBackground(table.made.bgr, 1.5);
    const int side = static_cast<int>(6 * PixelsPerInchOf(table.made));
    for (int i = 0; i < 100; ++i) FOS_CHECK(!Look(Light(Picture(table, i))));  // until it settles
    for (int i = 0; i < kPictures; ++i) {
      shown.push_back(Picture(table, i));
      if (!hand) continue;
      shown.back() = shown.back().clone();
      cv::rectangle(shown.back(), {shown.back().cols / 4 + i * side / 20, 0, side / 2, side},
                    cv::Scalar(120, 150, 220), cv::FILLED);
    }
  }
  const cv::Mat& Next() { return shown[static_cast<std::size_t>(index) % shown.size()]; }
  cv::Mat Light(const cv::Mat& bgr) { return watch.SteadyLight(bgr); }
  // Whether a hand is in view.
  bool Look(const cv::Mat& steady) {
    const WatchReport report = watch.Look({{index}, static_cast<double>(index) / kFps, steady});
    if (index++ % watch.SettleFrames() == 0) watch.Follow(steady);
    return report.obstructed;
  }
  ChangeDetector watch;
  std::vector<cv::Mat> shown;
  std::int64_t index = 0;
};

// The light is steadied; the change of the same picture is not timed.
void Light(benchmark::State& state, bool hand) {
  Looking looking(Table(state.range(0)), hand);
  FOS_CHECK(looking.Look(looking.Light(looking.Next())) == hand);
  for ([[maybe_unused]] const auto& _ : state) {
    const cv::Mat steady = looking.Light(looking.Next());
    state.PauseTiming();
    FOS_CHECK(looking.Look(steady) == hand);
    state.ResumeTiming();
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK_CAPTURE(Light, quiet, false)->Apply(Sizes);
BENCHMARK_CAPTURE(Light, busy, true)->Apply(Sizes);

// The picture is compared with the background, which follows every sixth time.
void Change(benchmark::State& state, bool hand) {
  Looking looking(Table(state.range(0)), hand);
  FOS_CHECK(looking.Look(looking.Light(looking.Next())) == hand);
  for ([[maybe_unused]] const auto& _ : state) {
    state.PauseTiming();
    const cv::Mat steady = looking.Light(looking.Next());
    state.ResumeTiming();
    FOS_CHECK(looking.Look(steady) == hand);
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK_CAPTURE(Change, quiet, false)->Apply(Sizes);
BENCHMARK_CAPTURE(Change, busy, true)->Apply(Sizes);

// A shell has come to rest.
void Shots(benchmark::State& state) {
  const Watched& table = Table(state.range(0));
  constexpr Vec2 kMiddle{6, 2};
  constexpr double kRoom_in = 3.5;  // as the pipeline leaves about a change
  Scenario scenario = table.made.scenario;
  scenario.projectiles = {test::Shell()};
  const ImagePoint at = ImageFromTable(table.made.camera, kMiddle, 0);
  const int room = static_cast<int>(kRoom_in * PixelsPerInchOf(table.made));
  const cv::Rect part =
      cv::Rect(cvRound(at.x_px) - room, cvRound(at.y_px) - room, 2 * room, 2 * room) &
      cv::Rect({}, table.made.bgr.size());
  cv::Mat after = Picture(table, 1).clone();
  test::LayShell(after, table.made.camera, kMiddle, {39, 162, 201});
  ShotPictures pictures;
  pictures.before = table.made.bgr(part);
  pictures.after = after(part);
  cv::absdiff(pictures.before, pictures.after, pictures.changed);
  cv::cvtColor(pictures.changed, pictures.changed, cv::COLOR_BGR2GRAY);
  cv::threshold(pictures.changed, pictures.changed, 12, 255, cv::THRESH_BINARY);
  pictures.camera = Cropped(table.made.camera, part);
  pictures.noise = 1.5;
  const TerrainMap terrain(scenario);
  const TableBox where = Grown(BoundsOf({kMiddle}), 0.5);
  const ShotDetector detector(scenario);
  const auto found = [&] {
    const std::vector<ProjectileFinding> shots = detector.Find(pictures, terrain, where);
    return shots.size() == 1 && shots[0].measured && Distance(shots[0].shot.point, kMiddle) < 0.1;
  };
  FOS_CHECK(found());
  for ([[maybe_unused]] const auto& _ : state) FOS_CHECK(found());
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(Shots)->Apply(Sizes);

// All stages, without decoding: six seconds in which so many shells come to rest as in a minute
// with so many shots, each of them taken up again after half of the time until the next one.
void AllStages(benchmark::State& state) {
  const Watched& table = Table(state.range(0));
  SyntheticTable made = table.made;
  made.scenario.projectiles = {test::Shell()};
  Pipeline pipeline(made.table, made.scenario, made.camera.lens, kFps);
  constexpr std::int64_t kSixSeconds = 180;
  const std::int64_t wanted = state.range(1) / 10;
  std::int64_t index = 0;
  std::int64_t shots = 0;
  std::int64_t laid = 0;
  cv::Mat with_shell;
  const auto see = [&](bool shell) {
    const cv::Mat* bgr = &Picture(table, index);
    if (shell) {
      bgr->copyTo(with_shell);
      test::LayShell(with_shell, made.camera, {2.0 + 4 * static_cast<double>(laid % 11), 2},
                     {39, 162, 201});
      bgr = &with_shell;
    }
    // The pipeline keeps its last pictures.
    const Frame frame{{index}, static_cast<double>(index) / kFps, shell ? bgr->clone() : *bgr};
    const auto told = pipeline.Observe(frame);
    FOS_CHECK(told.ok());
    for (const Sighting& one : *told) shots += std::holds_alternative<ShotSeen>(one.what) ? 1 : 0;
    ++index;
  };
  const auto six_seconds = [&] {
    for (std::int64_t i = 0; i < kSixSeconds; ++i) {
      const std::int64_t every = wanted > 0 ? kSixSeconds / wanted : kSixSeconds;
      see(wanted > 0 && i % every < every / 2);
      if (i % every == every - 1) ++laid;
    }
    return std::exchange(shots, 0);
  };
  for (std::int64_t i = 0; i < kSixSeconds; ++i) see(false);
  FOS_CHECK(pipeline.Finish().ok());  // waits for the first look at the stands
  FOS_CHECK(pipeline.Scene().stands.size() > made.stands.size() / 2);
  FOS_CHECK(six_seconds() == wanted);
  for ([[maybe_unused]] const auto& _ : state) FOS_CHECK(six_seconds() == wanted);
  state.SetItemsProcessed(state.iterations() * kSixSeconds);
}
BENCHMARK(AllStages)
    ->ArgNames({"height", "shots"})
    ->ArgsProduct({{720, 1080, 2160}, {0, 30}})
    ->Args({1080, 10})
    ->Args({1080, 20})
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime()
    ->UseRealTime();

// What robot soccer does with each picture (bench::ColourTable). It finds no pose and no edge.
void Baseline(benchmark::State& state) {
  const Watched& table = Table(state.range(0));
  const bench::ColourTable colours(table.made, table.pictures[0]);
  bench::Regions regions = colours.Sort(Picture(table, 1));
  state.counters["stands"] = colours.StandsIn(regions);
  state.counters["of"] = static_cast<double>(table.made.stands.size());
  FOS_CHECK(colours.StandsIn(regions) > 0.4 * static_cast<double>(table.made.stands.size()));
  std::int64_t index = 0;
  for ([[maybe_unused]] const auto& _ : state) {
    regions = colours.Sort(Picture(table, index++));
    benchmark::DoNotOptimize(regions.found.data());
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(Baseline)->Apply(Sizes);

}  // namespace
}  // namespace fos

BENCHMARK_MAIN();
