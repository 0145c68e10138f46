// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <map>
#include <string>
#include <vector>

namespace fos {

// How long each stage took, call by call. Milliseconds.
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

  void Add(const std::string& stage, double ms) { calls_[stage].push_back(ms); }
  const std::map<std::string, std::vector<double>>& Calls() const { return calls_; }

 private:
  std::map<std::string, std::vector<double>> calls_;
};

}  // namespace fos
