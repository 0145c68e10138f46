// SPDX-License-Identifier: MIT
#include "engine/rules/napoleonic/game.h"
#include "engine/rules/napoleonic/json.h"
#include "engine/rules/napoleonic/lines.h"
#include "engine/rules/napoleonic/query.h"
#include "engine/rules/napoleonic/random_play.h"
#include "tests/support/napoleonic_battles.h"
#include "tests/support/random_games.h"

// Random games by the Napoleonic rules (tests/support/random_games.h says what is checked).
//
//   napoleonic_random_games [GAMES [FIRST_SEED]]      (300 games from seed 1 when not given)
namespace fos::napoleonic {
namespace {

struct RandomPlay {
  using Rules = napoleonic::Rules;
  static State Start(int number, std::uint64_t seed) {
    return NewGame(test::SmallBattle(number), seed);
  }
  static Action RandomAction(const State& s, Generator& chance) {
    return napoleonic::RandomAction(s, chance);
  }
  static Action AnyProgress(const State& s, Generator& chance) {
    return napoleonic::AnyProgress(s, chance);
  }
  static std::string Fault(const State& s) {
    const bool settled = !s.Waiting() && s.regroup.empty() && s.retreats.empty();
    return settled ? fos::test::SquareFault(s) : std::string();
  }
  static std::string EventToJson(const Event& e) { return napoleonic::EventToJson(e); }
  static std::string ActionToJson(const Action& a) { return napoleonic::ActionToJson(a); }
  static std::string StateToJson(const State& s) { return napoleonic::StateToJson(s); }
  static auto EventFromJson(const std::string& text) { return napoleonic::EventFromJson(text); }
  static auto ActionFromJson(const std::string& text) { return napoleonic::ActionFromJson(text); }
  static auto StateFromJson(const std::string& text, std::shared_ptr<const Setup> setup) {
    return napoleonic::StateFromJson(text, std::move(setup));
  }
  static std::string LineFault(const State& before, const Action& action) {
    const std::string line = ActionToLine(before, action);
    const auto read = ParseAction(before, line);
    if (!read.ok()) return line + ": " + read.error().message;
    return ActionToJson(*read) == ActionToJson(action) ? "" : line;
  }
};

}  // namespace
}  // namespace fos::napoleonic

int main(int argc, char** argv) {
  return fos::test::RunRandomGames(argc, argv, 300,
                                   fos::test::PlayOne<fos::napoleonic::RandomPlay>);
}
