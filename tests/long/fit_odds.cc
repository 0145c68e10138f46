// SPDX-License-Identifier: MIT
// Fits the odds of vision/shots/shot_odds.h to what `evaluate --terms FILE` wrote:
//   fit_odds FILE[=COUNT]...     each thing of the file counts so much; 1 where no COUNT is given
// Prints for each question the weights in use and the fitted ones, and how well both foretell
// tables that were not fitted to.
#include <fmt/format.h>

#include <charconv>
#include <iostream>
#include <iterator>
#include <string>
#include <system_error>
#include <vector>

#include "datasets/odds/fit_odds.h"

namespace fos {
namespace {

void Print(const OddsQuestion& question) {
  const auto count = [&](bool so) {
    double sum = 0;
    for (const OddsExample& e : question.examples) sum += e.is_so == so ? e.weight : 0;
    return sum;
  };
  std::cout << fmt::format("{}: {:.0f} that are one, {:.0f} others\n", question.name, count(true),
                           count(false));
  if (count(true) == 0 || count(false) == 0) {
    std::cout << "  not fitted: all of them are alike\n";
    return;
  }
  const FittedOdds fit = FitOdds(question);
  for (std::size_t i = 0; i < question.terms.size(); ++i)
    std::cout << fmt::format("  {:<16} {:>9.3f} -> {:>9.3f}\n", question.terms[i],
                             question.in_use[i], fit.weights[i]);
  const auto check = [](const char* which, const OddsCheck& c) {
    std::cout << fmt::format("  {:<9} log loss {:.4f}, calibration error {:.1f} %\n", which,
                             c.log_loss, 100 * c.calibration_error);
  };
  check("in use", fit.now);
  check("fitted", fit.fitted);
}

int Run(const std::vector<std::string>& arguments) {
  std::vector<LabelledThing> things;
  for (const std::string& argument : arguments) {
    const std::size_t at = argument.rfind('=');
    double counts = 1;
    if (at != std::string::npos) {
      const std::string count = argument.substr(at + 1);
      const auto [end, bad] = std::from_chars(count.data(), count.data() + count.size(), counts);
      if (bad != std::errc() || end != count.data() + count.size() || !(counts > 0)) {
        std::cerr << "fit_odds: " << argument << ": '=' needs a number above 0 after it\n";
        return 2;
      }
    }
    Result<std::vector<LabelledThing>> read = ReadThings(argument.substr(0, at));
    if (!read.ok()) {
      std::cerr << "fit_odds: " << read.error().message << '\n';
      return 1;
    }
    for (LabelledThing& thing : *read) thing.weight *= counts;
    std::move(read->begin(), read->end(), std::back_inserter(things));
  }
  const Result<std::vector<OddsQuestion>> questions = QuestionsOf(things);
  if (!questions.ok()) {
    std::cerr << "fit_odds: " << questions.error().message << '\n';
    return 1;
  }
  for (const OddsQuestion& question : *questions) Print(question);
  return 0;
}

}  // namespace
}  // namespace fos

int main(int argc, char** argv) {
  if (argc < 2) {
    std::cerr << "usage: fit_odds FILE[=COUNT]...   files of `fallofshot evaluate --terms FILE`\n";
    return 2;
  }
  return fos::Run({argv + 1, argv + argc});
}
