// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>
#include <opencv2/core.hpp>
#include <vector>

#include "engine/table/result.h"

namespace fos {

// Pictures that are written over once nobody else holds them: asking the system for six megabytes a
// frame takes longer than copying them.
class FreePictures {
 public:
  // A picture of this size and type that nobody else holds. Its pixels are as they were left.
  cv::Mat Take(cv::Size size, int type) {
    for (const cv::Mat& one : all_) {
      // Its other holders may be letting go of it on other threads just now.
      if (std::atomic_ref(one.u->refcount).load(std::memory_order_acquire) == 1) {
        FOS_CHECK(one.size() == size && one.type() == type);
        return one;
      }
    }
    constexpr std::size_t kMost = 32;  // more than are ever held at once
    cv::Mat fresh(size, type);
    if (all_.size() < kMost) all_.push_back(fresh);
    return fresh;
  }

 private:
  std::vector<cv::Mat> all_;  // of one size and type
};

}  // namespace fos
