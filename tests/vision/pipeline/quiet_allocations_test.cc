// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <opencv2/core.hpp>
#include <vector>

#include "tests/support/small_table.h"
#include "vision/pipeline/pipeline.h"

// What a picture costs in memory while nothing happens. A program of its own: it counts whatever
// asks the C library for memory, which operator new and OpenCV's pictures do too.
namespace {

std::atomic<bool> counting = false;
std::atomic<long> count = 0;
std::atomic<std::size_t> bytes = 0;
std::atomic<std::size_t> largest = 0;

void Note(std::size_t size) {
  if (!counting.load(std::memory_order_relaxed)) return;
  ++count;
  bytes += size;
  std::size_t most = largest;
  while (size > most && !largest.compare_exchange_weak(most, size)) {
  }
}

}  // namespace

// glibc's own functions behind those that are replaced here.
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t many, std::size_t size);
void* __libc_realloc(void* old, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);

void* malloc(std::size_t size) {
  Note(size);
  return __libc_malloc(size);
}
void* calloc(std::size_t many, std::size_t size) {
  Note(many * size);
  return __libc_calloc(many, size);
}
void* realloc(void* old, std::size_t size) {
  Note(size);
  return __libc_realloc(old, size);
}
void* memalign(std::size_t alignment, std::size_t size) {
  Note(size);
  return __libc_memalign(alignment, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  Note(size);
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** out, std::size_t alignment, std::size_t size) {
  Note(size);
  *out = __libc_memalign(alignment, size);
  return *out == nullptr ? ENOMEM : 0;
}
}

namespace fos {
namespace {

struct Counted {
  int frames = 0;
  long most = 0;  // in one frame
  std::size_t most_bytes = 0;
  std::size_t largest = 0;  // at once
  void Add() {
    ++frames;
    most = std::max(most, count.load());
    most_bytes = std::max(most_bytes, bytes.load());
    largest = std::max(largest, ::largest.load());
  }
};

SyntheticOptions QuietTable() {
  SyntheticOptions o = test::WholeTable(4);
  o.noise_levels = 0;
  return o;
}

TEST(QuietAllocations, CountsWhatAsksForMemory) {
  counting = true;
  count = 0;
  bytes = 0;
  const std::vector<int> some(100);
  const cv::Mat picture(10, 10, CV_8UC1);
  counting = false;
  EXPECT_GE(count, 2);
  EXPECT_GE(bytes, some.size() * sizeof(int) + picture.total());
}

TEST(QuietAllocations, AFrameThatIsOnlyComparedTakesNoneAndALookFew) {
  const SyntheticTable made = RenderTable(QuietTable());
  constexpr double kFps = 30;
  Pipeline pipeline(made.table, made.scenario, made.camera.lens, kFps);
  // More pictures than are ever held at once, each with its own grain.
  std::vector<cv::Mat> pictures(24);
  cv::RNG noise(5);
  for (cv::Mat& picture : pictures) {
    cv::Mat grain(made.bgr.size(), CV_16SC3);
    noise.fill(grain, cv::RNG::NORMAL, 0, 1.5);
    cv::add(made.bgr, grain, picture, cv::noArray(), CV_8UC3);
  }
  int index = 0;
  const auto see = [&] {
    const cv::Mat& bgr = pictures[static_cast<std::size_t>(index) % pictures.size()];
    count = 0;
    bytes = 0;
    largest = 0;
    counting = true;
    const auto told = pipeline.Observe({{index}, index / kFps, bgr});
    counting = false;
    ++index;
    ASSERT_TRUE(told.ok()) << told.error().message;
  };
  // Until the table is known and the background has settled.
  for (int i = 0; i < 200; ++i) see();
  ASSERT_TRUE(pipeline.Found());
  ASSERT_TRUE(pipeline.Finish().ok()) << "waits for the first look at the stands";
  ASSERT_FALSE(pipeline.Scene().stands.empty());
  for (int i = 0; i < 120; ++i) see();

  Counted compared;
  Counted looked_at;
  const auto looks = [&] { return pipeline.Times().Calls().at("watch").Count(); };
  const auto paints = [&] {
    const auto& calls = pipeline.Times().Calls();
    const auto at = calls.find("follow the paints");
    return at == calls.end() ? 0 : at->second.Count();
  };
  for (int i = 0; i < 90; ++i) {
    const auto looks_before = looks();
    const auto paints_before = paints();
    see();
    if (paints() > paints_before) continue;  // every few seconds the paints are learnt again
    (looks() == looks_before ? compared : looked_at).Add();
  }
  ASSERT_GE(compared.frames, 40);
  ASSERT_GE(looked_at.frames, 20);
  EXPECT_EQ(compared.most, 0) << compared.most_bytes << " bytes, at once " << compared.largest;
  // A full look fills pictures that it has. What it asks for is OpenCV's: the rows in hand of its
  // filters, of which the mean over 15 by 15 pixels has most, and what it needs to convert a mark
  // or to solve for a motion. 82 times at the most, 565,060 bytes together, 414,784 at once.
  EXPECT_LE(looked_at.most, 100) << looked_at.most_bytes << " bytes, at once " << looked_at.largest;
  EXPECT_LE(looked_at.most_bytes, made.bgr.total() * made.bgr.elemSize() / 8);
}

}  // namespace
}  // namespace fos
