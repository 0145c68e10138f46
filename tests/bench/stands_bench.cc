// SPDX-License-Identifier: MIT
// How long it takes to find all stands, to find a unit again that was handled, to see that a stand
// that was moved is no die, and to watch a picture in which nothing happens. Wall time and
// processor time of all threads.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <opencv2/imgproc.hpp>
#include <vector>

#include "engine/table/result.h"
#include "tests/support/small_table.h"
#include "vision/change/change_detector.h"
#include "vision/dice/dice_finder.h"
#include "vision/scene/terrain_map.h"
#include "vision/stands/stand_detector.h"

namespace fos {
namespace {

const SyntheticTable& Big() {
  static const SyntheticTable table = RenderTable(test::WholeTable(10));
  return table;
}

void CheckFound(const StandScene& scene, const std::vector<StandObservation>& truth) {
  FOS_CHECK(scene.stands.size() == truth.size());
  for (const StandObservation& t : truth) {
    FOS_CHECK(std::any_of(scene.stands.begin(), scene.stands.end(), [&](const auto& s) {
      return Distance(s.table_from_stand.origin, t.table_from_stand.origin) < 0.1;
    }));
  }
}

void StandsAtTheStart(benchmark::State& state) {
  const SyntheticTable made = RenderTable(test::WholeTable(static_cast<int>(state.range(0))));
  for ([[maybe_unused]] const auto& _ : state) {
    StandDetector detector(made.table, made.scenario);
    const auto scene = detector.Start(made.bgr, made.camera, {});
    state.PauseTiming();
    FOS_CHECK(scene.ok());
    CheckFound(*scene, made.stands);
    state.ResumeTiming();
  }
  state.counters["stands"] = static_cast<double>(made.stands.size());
}
BENCHMARK(StandsAtTheStart)
    ->Arg(2)
    ->Arg(5)
    ->Arg(10)
    ->ArgName("units")
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime()
    ->UseRealTime();

void AUnitThatWasHandled(benchmark::State& state) {
  const SyntheticTable& made = Big();
  StandDetector detector(made.table, made.scenario);
  const auto before = detector.Start(made.bgr, made.camera, {});
  FOS_CHECK(before.ok());
  std::vector<StandObservation> placed = made.stands;
  for (StandObservation& s : placed) {
    if (s.unit == made.stands.front().unit)
      s.table_from_stand.origin = s.table_from_stand.origin + Vec2{0.4, 0.9};
  }
  const SyntheticTable moved = RenderTable(test::WholeTable(10), placed);
  cv::Mat changed;
  cv::absdiff(made.bgr, moved.bgr, changed);
  cv::cvtColor(changed, changed, cv::COLOR_BGR2GRAY);
  cv::threshold(changed, changed, 25, 255, cv::THRESH_BINARY);
  for ([[maybe_unused]] const auto& _ : state) {
    const auto after = detector.Update(moved.bgr, moved.camera, *before, changed, {});
    state.PauseTiming();
    FOS_CHECK(after.ok());
    CheckFound(*after, placed);
    state.ResumeTiming();
  }
}
BENCHMARK(AUnitThatWasHandled)
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime()
    ->UseRealTime();

// Whether dice came where a stand was moved by its own width: the dice stage's usual work.
void AStandThatWasMovedIsNoDie(benchmark::State& state) {
  const SyntheticTable& made = Big();
  std::vector<StandObservation> placed = made.stands;
  StandObservation& stand = placed.front();
  const Vec2 from = stand.table_from_stand.origin;
  stand.table_from_stand.origin = from + Vec2{stand.footprint.width_in, 0};
  const SyntheticTable moved = RenderTable(test::WholeTable(10), placed);
  ShotPictures pictures;
  pictures.before = made.bgr;
  pictures.after = moved.bgr;
  cv::absdiff(made.bgr, moved.bgr, pictures.changed);
  cv::cvtColor(pictures.changed, pictures.changed, cv::COLOR_BGR2GRAY);
  cv::threshold(pictures.changed, pictures.changed, 25, 255, cv::THRESH_BINARY);
  pictures.camera = made.camera;
  const TerrainMap terrain(made.scenario);
  const TableBox where = Grown(BoundsOf({from, stand.table_from_stand.origin}), 0.5);
  for ([[maybe_unused]] const auto& _ : state) {
    const std::vector<DieFound> dice = FindDice(pictures, terrain, where);
    FOS_CHECK(std::none_of(dice.begin(), dice.end(), IsRead));
  }
}
BENCHMARK(AStandThatWasMovedIsNoDie)
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime()
    ->UseRealTime();

// A quiet frame: light steadied, compared, and followed every sixth time.
void AQuietFrame(benchmark::State& state) {
  const SyntheticTable& made = Big();
  ChangeDetector watch(made.camera, made.table.frame, made.bgr.size(), 30);
  watch.SetBackground(made.bgr, 2);
  std::vector<cv::Mat> frames(3);
  cv::RNG rng(1);
  for (cv::Mat& frame : frames) {
    cv::Mat noise(made.bgr.size(), CV_8UC3);
    rng.fill(noise, cv::RNG::UNIFORM, 0, 5);
    cv::add(made.bgr, noise, frame);
    cv::subtract(frame, cv::Scalar(2, 2, 2), frame);
  }
  int index = 0;
  const auto look = [&] {
    const Frame frame{{index}, index / 30.0, frames[static_cast<std::size_t>(index % 3)]};
    const cv::Mat steady = watch.SteadyLight(frame.bgr);
    const WatchReport report = watch.Look({frame.id, frame.time_s, steady});
    if (index % watch.SettleFrames() == 0) watch.Follow(steady);
    ++index;
    return report.settled.empty() && !report.obstructed;
  };
  for (int i = 0; i < 100; ++i) FOS_CHECK(look());  // until the background has settled
  for ([[maybe_unused]] const auto& _ : state) FOS_CHECK(look());
}
BENCHMARK(AQuietFrame)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime()->UseRealTime();

}  // namespace
}  // namespace fos

BENCHMARK_MAIN();
