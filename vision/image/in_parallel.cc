// SPDX-License-Identifier: MIT
#include "vision/image/in_parallel.h"

#include <opencv2/core/utility.hpp>

#ifdef __SANITIZE_THREAD__
#include <sanitizer/tsan_interface.h>
#endif

namespace fos {
namespace {

// OpenCV's threads are those of TBB, which was built without the thread sanitizer: it is told here
// what is handed over, and sees everything else by itself.
void HandOver([[maybe_unused]] int& mark) {
#ifdef __SANITIZE_THREAD__
  __tsan_release(&mark);
#endif
}
void TakeOver([[maybe_unused]] int& mark) {
#ifdef __SANITIZE_THREAD__
  __tsan_acquire(&mark);
#endif
}

}  // namespace

void InParallel(std::size_t count, const std::function<void(std::size_t)>& work) {
  const int n = static_cast<int>(count);
  int begun = 0;
  int done = 0;
  HandOver(begun);
  cv::parallel_for_(
      cv::Range(0, n),
      [&](const cv::Range& range) {
        TakeOver(begun);
        for (int i = range.start; i < range.end; ++i) work(static_cast<std::size_t>(i));
        HandOver(done);
      },
      n);
  TakeOver(done);
}

}  // namespace fos
