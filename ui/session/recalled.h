// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>

// Large values of a long evening: the few that were used last stay in memory, the others are made
// again, such as from their files, when somebody asks for them.
namespace fos {

// Keeps the values that were used last. Any thread may call it.
class LastUsed {
 public:
  explicit LastUsed(std::size_t most) : most_(most) {}

  void Use(std::shared_ptr<const void> value) {
    std::shared_ptr<const void> dropped;  // freed outside the lock
    const std::lock_guard lock(mutex_);
    const auto at = std::find(values_.begin(), values_.end(), value);
    if (at != values_.end()) values_.erase(at);
    values_.push_back(std::move(value));
    if (values_.size() <= most_) return;
    dropped = std::move(values_.front());
    values_.pop_front();
  }

 private:
  std::size_t most_;
  std::mutex mutex_;
  std::deque<std::shared_ptr<const void>> values_;  // the last one was used last
};

// One such value. Any thread may call it.
template <typename T>
class Recalled {
 public:
  // Makes the value again. May return null: it cannot be had any more.
  using Make = std::function<std::shared_ptr<const T>()>;

  // A value that stays in memory.
  explicit Recalled(std::shared_ptr<const T> value) : stays_(value), value_(std::move(value)) {}
  // A value that is known later.
  Recalled(std::shared_ptr<LastUsed> last_used, Make make)
      : last_used_(std::move(last_used)), make_(std::move(make)) {}

  // The value, for the first time.
  void Set(const std::shared_ptr<const T>& value) {
    {
      const std::lock_guard lock(mutex_);
      known_ = true;
      value_ = value;
    }
    if (last_used_) last_used_->Use(value);
  }
  // The value never leaves the memory again: it cannot be made again.
  void Stay(std::shared_ptr<const T> value) {
    const std::lock_guard lock(mutex_);
    stays_ = std::move(value);
  }
  // Null before Set(), and where the value cannot be made again. Waits while it is made.
  std::shared_ptr<const T> Get() const {
    std::shared_ptr<const T> value;
    {
      const std::lock_guard lock(mutex_);
      if (!last_used_) return stays_;
      if (!known_) return nullptr;
      value = value_.lock();
      if (!value && (value = make_())) value_ = value;
    }
    if (value) last_used_->Use(value);
    return value;
  }

 private:
  std::shared_ptr<LastUsed> last_used_;
  Make make_;
  mutable std::mutex mutex_;
  bool known_ = false;
  std::shared_ptr<const T> stays_;
  mutable std::weak_ptr<const T> value_;
};

}  // namespace fos
