// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

namespace fos {

// How long the calls of one stage took: as many as there are, in steps of one hundredth, so that a
// long evening needs no more memory than a short one. Milliseconds.
class CallTimes {
 public:
  void Add(double ms) {
    ++calls_[static_cast<int>(std::lround(std::log(std::max(ms, kLeast_ms)) / kStep))];
  }
  // The time that this share of the calls does not exceed, to half a hundredth; 0: no calls.
  double Quantile(double share) const {
    std::int64_t all = 0;
    for (const auto& [step, count] : calls_) all += count;
    std::int64_t below = 0;
    for (const auto& [step, count] : calls_) {
      below += count;
      if (static_cast<double>(below) >= share * static_cast<double>(all))
        return std::exp(kStep * step);
    }
    return 0;
  }

 private:
  static constexpr double kLeast_ms = 1e-6;
  static constexpr double kStep = 0.01;  // of the logarithm
  std::map<int, std::int64_t> calls_;    // by step
};

// How long each stage took.
class StageTimes {
 public:
  // Times from its making to its end.
  class Scope {
   public:
    Scope(StageTimes& times, std::string stage)
        : times_(times), stage_(std::move(stage)), start_(std::chrono::steady_clock::now()) {}
    ~Scope() {
      const std::chrono::duration<double, std::milli> spent =
          std::chrono::steady_clock::now() - start_;
      times_.Add(stage_, spent.count());
    }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    StageTimes& times_;
    std::string stage_;
    std::chrono::steady_clock::time_point start_;
  };

  void Add(const std::string& stage, double ms) { calls_[stage].Add(ms); }
  const std::map<std::string, CallTimes>& Calls() const { return calls_; }

 private:
  std::map<std::string, CallTimes> calls_;
};

}  // namespace fos
