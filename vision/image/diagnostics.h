// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

namespace fos {

// How long the calls of one stage took: as many as there are, in steps of one hundredth, so that a
// long evening needs no more memory than a short one, all of it at the first call; their sum to the
// last bit. Milliseconds.
class CallTimes {
 public:
  void Add(double ms) {
    if (calls_.empty()) calls_.resize(StepOf(kMost_ms) + 1);
    ++calls_[StepOf(std::clamp(ms, kLeast_ms, kMost_ms))];
    sum_ms_ += ms;
  }
  std::int64_t Count() const {
    return std::accumulate(calls_.begin(), calls_.end(), std::int64_t{0});
  }
  double Sum() const { return sum_ms_; }
  // The time that this share of the calls does not exceed, to half a hundredth; 0: no calls.
  double Quantile(double share) const {
    const std::int64_t all = Count();
    std::int64_t below = 0;
    for (std::size_t step = 0; step < calls_.size(); ++step) {
      below += calls_[step];
      if (calls_[step] > 0 && static_cast<double>(below) >= share * static_cast<double>(all))
        return kLeast_ms * std::exp(kStep * static_cast<double>(step));
    }
    return 0;
  }

 private:
  static constexpr double kLeast_ms = 1e-6;
  static constexpr double kMost_ms = 1e7;  // hours
  static constexpr double kStep = 0.01;    // of the logarithm
  static std::size_t StepOf(double ms) {
    return static_cast<std::size_t>(std::lround(std::log(ms / kLeast_ms) / kStep));
  }
  std::vector<std::int64_t> calls_;  // by step
  double sum_ms_ = 0;
};

// How long each stage took.
class StageTimes {
 public:
  // Times from its making to its end.
  class Scope {
   public:
    // stage  outlives it
    Scope(StageTimes& times, std::string_view stage)
        : times_(times), stage_(stage), start_(std::chrono::steady_clock::now()) {}
    ~Scope() {
      const std::chrono::duration<double, std::milli> spent =
          std::chrono::steady_clock::now() - start_;
      times_.Add(stage_, spent.count());
    }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    StageTimes& times_;
    std::string_view stage_;
    std::chrono::steady_clock::time_point start_;
  };

  void Add(std::string_view stage, double ms) {
    auto at = calls_.find(stage);
    if (at == calls_.end()) at = calls_.emplace(std::string(stage), CallTimes{}).first;
    at->second.Add(ms);
  }
  using ByStage = std::map<std::string, CallTimes, std::less<>>;
  const ByStage& Calls() const { return calls_; }

 private:
  ByStage calls_;
};

}  // namespace fos
