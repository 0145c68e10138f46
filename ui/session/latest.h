#pragma once

#include <memory>
#include <mutex>
#include <utility>

namespace fos {

// Hands the newest of a row of values from one thread to another. Neither waits for the other's
// work: the lock is held for the exchange of a pointer alone, and what a reader holds is never
// written to again.
template <typename T>
class Latest {
 public:
  void Set(std::shared_ptr<const T> value) {
    {
      const std::lock_guard lock(mutex_);
      value_.swap(value);
    }  // the old one is let go of out here: that may free a picture
  }
  // Null until there is one.
  std::shared_ptr<const T> Get() const {
    const std::lock_guard lock(mutex_);
    return value_;
  }

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<const T> value_;
};

}  // namespace fos
