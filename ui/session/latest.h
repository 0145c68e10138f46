// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <mutex>
#include <utility>

namespace fos {

// Hands the newest value from one thread to another. Neither waits for the other's work: the lock
// is held only while a pointer is exchanged. Values never change once set.
template <typename T>
class Latest {
 public:
  void Set(std::shared_ptr<const T> value) {
    {
      const std::lock_guard lock(mutex_);
      value_.swap(value);
    }  // the old value is freed outside the lock, as it may hold a picture
  }
  // Null until the first Set().
  std::shared_ptr<const T> Get() const {
    const std::lock_guard lock(mutex_);
    return value_;
  }

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<const T> value_;
};

}  // namespace fos
