// SPDX-License-Identifier: MIT
#include "datasets/odds/fit_odds.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <opencv2/core.hpp>

#include "datasets/score/predictions.h"
#include "engine/table/result.h"
#include "vision/shots/shot_odds.h"

namespace fos {
namespace {

double ChanceOf(const OddsExample& example, std::span<const double> weights) {
  double odds = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) odds += weights[i] * example.terms[i];
  return 1 / (1 + std::exp(-std::clamp(odds, -30.0, 30.0)));
}

// Newton's steps to the likeliest weights. A weight is thought to move the odds by a nat for each
// standard deviation of its term, give or take `kPrior`, so that terms that tell alike share.
std::vector<double> Fitted(const std::vector<const OddsExample*>& examples, std::size_t terms) {
  constexpr double kPrior = 3;
  constexpr double kLeastSpread = 1e-4;  // of a term that is the same in all, squared
  constexpr int kSteps = 40;
  const int n = static_cast<int>(terms);
  std::vector<double> stiff(terms);
  for (std::size_t i = 0; i < terms; ++i) {
    double all = 0;
    double mean = 0;
    double square = 0;
    for (const OddsExample* e : examples) {
      all += e->weight;
      mean += e->weight * e->terms[i];
      square += e->weight * e->terms[i] * e->terms[i];
    }
    const double spread = square / all - mean * mean / (all * all);
    stiff[i] = std::max(spread, kLeastSpread) / (kPrior * kPrior);
  }
  std::vector<double> weights(terms);
  for (int step = 0; step < kSteps; ++step) {
    cv::Mat slope = cv::Mat::zeros(n, 1, CV_64F);
    cv::Mat curvature = cv::Mat::zeros(n, n, CV_64F);
    for (std::size_t i = 0; i < terms; ++i) {
      const int row = static_cast<int>(i);
      slope.at<double>(row) = -stiff[i] * weights[i];
      curvature.at<double>(row, row) = stiff[i] + 1e-9;
    }
    for (const OddsExample* e : examples) {
      const double p = ChanceOf(*e, weights);
      const double off = e->weight * ((e->is_so ? 1 : 0) - p);
      const double sure = e->weight * p * (1 - p);
      for (int i = 0; i < n; ++i) {
        const double term = e->terms[static_cast<std::size_t>(i)];
        slope.at<double>(i) += off * term;
        for (int j = 0; j <= i; ++j)
          curvature.at<double>(i, j) += sure * term * e->terms[static_cast<std::size_t>(j)];
      }
    }
    cv::completeSymm(curvature, true);
    cv::Mat by;
    cv::solve(curvature, slope, by, cv::DECOMP_SVD);
    // A step too long for the parabola it was taken on is cut.
    constexpr double kLongest = 5;
    const double cut = std::min(1.0, kLongest / std::max(cv::norm(by, cv::NORM_INF), 1e-12));
    for (std::size_t i = 0; i < terms; ++i) weights[i] += cut * by.at<double>(static_cast<int>(i));
    if (cv::norm(by, cv::NORM_INF) < 1e-7) break;
  }
  return weights;
}

OddsCheck Checked(const std::vector<OddsExample>& examples, const std::vector<double>& chances) {
  std::vector<Prediction> predictions;
  double loss = 0;
  double all = 0;
  for (std::size_t i = 0; i < examples.size(); ++i) {
    const OddsExample& e = examples[i];
    loss -= e.weight * std::log(e.is_so ? chances[i] : 1 - chances[i]);
    all += e.weight;
    predictions.push_back({chances[i], e.is_so, e.weight});
  }
  return {loss / all, CalibrationError(predictions)};
}

template <std::size_t N>
OddsQuestion Asked(const char* name, const std::array<WeighedTerm, N>& table) {
  OddsQuestion out{.name = name, .terms = {}, .in_use = {}, .examples = {}};
  for (const WeighedTerm& term : table) {
    out.terms.emplace_back(term.name);
    out.in_use.push_back(term.weight);
  }
  return out;
}

}  // namespace

Result<std::vector<OddsQuestion>> QuestionsOf(std::span<const LabelledThing> things) {
  std::vector<OddsQuestion> out{Asked("swab", kSwabWeights), Asked("tip", kTipWeights),
                                Asked("shell", kShellWeights)};
  const auto add = [](OddsQuestion& question, const LabelledThing& thing, const NamedNumbers& terms,
                      bool is_so) {
    OddsExample example{thing.table, {}, is_so, thing.weight};
    const bool same =
        std::equal(terms.begin(), terms.end(), question.terms.begin(), question.terms.end(),
                   [](const auto& term, const auto& name) { return term.first == name; });
    for (const auto& [name, value] : terms) example.terms.push_back(value);
    if (same) question.examples.push_back(std::move(example));
    return same;
  };
  for (const LabelledThing& thing : things) {
    const bool swab = thing.as == Projectile::kQtip;
    if (!add(out[swab ? 0 : 2], thing, thing.terms, thing.is_it) ||
        (swab && thing.is_it && !add(out[1], thing, thing.ends, thing.tip_right))) {
      return Error{ErrorCode::kBadFormat,
                   "table " + thing.table +
                       ": its things have other terms than this version's; run evaluate again"};
    }
  }
  std::erase_if(out, [](const OddsQuestion& question) { return question.examples.empty(); });
  return out;
}

FittedOdds FitOdds(const OddsQuestion& question) {
  const std::size_t terms = question.terms.size();
  const auto is_so = [](const OddsExample& e) { return e.is_so; };
  FOS_CHECK(std::any_of(question.examples.begin(), question.examples.end(), is_so) &&
            !std::all_of(question.examples.begin(), question.examples.end(), is_so));
  // Things of one table are alike, and stay together.
  constexpr std::size_t kParts = 5;
  std::map<std::string, std::size_t> part_of;
  for (const OddsExample& e : question.examples)
    part_of.try_emplace(e.table, part_of.size() % kParts);
  FittedOdds out;
  std::vector<const OddsExample*> all;
  for (const OddsExample& e : question.examples) all.push_back(&e);
  out.weights = Fitted(all, terms);
  std::array<std::vector<double>, kParts> without;
  for (std::size_t part = 0; part < kParts; ++part) {
    std::vector<const OddsExample*> others;
    for (const OddsExample& e : question.examples)
      if (part_of.at(e.table) != part) others.push_back(&e);
    without[part] = others.empty() ? out.weights : Fitted(others, terms);
  }
  std::vector<double> by_now;
  std::vector<double> by_fit;
  for (const OddsExample& e : question.examples) {
    by_now.push_back(ChanceOf(e, question.in_use));
    by_fit.push_back(ChanceOf(e, without[part_of.at(e.table)]));
  }
  out.now = Checked(question.examples, by_now);
  out.fitted = Checked(question.examples, by_fit);
  return out;
}

}  // namespace fos
