// SPDX-License-Identifier: MIT
#include "engine/rules/ancient/game.h"
#include "engine/rules/ancient/json.h"
#include "engine/rules/ancient/lines.h"
#include "engine/rules/ancient/query.h"
#include "engine/rules/ancient/random_play.h"
#include "tests/support/ancient_battles.h"
#include "tests/support/random_games.h"

// Random games by the Ancient rules (tests/support/random_games.h says what is checked).
//
//   ancient_random_games [GAMES [FIRST_SEED]]      (300 games from seed 1 when not given)
namespace fos::ancient {
namespace {

struct RandomPlay {
  using Rules = ancient::Rules;
  static State Start(int number, std::uint64_t seed) {
    return NewGame(test::SmallBattle(number), seed);
  }
  static Action RandomAction(const State& s, Generator& chance) {
    return ancient::RandomAction(s, chance);
  }
  static Action AnyProgress(const State& s, Generator& chance) {
    return ancient::AnyProgress(s, chance);
  }
  static std::string Fault(const State& s) {
    if (s.Waiting() || !s.retreats.empty()) return {};
    if (std::string fault = fos::test::SquareFault(s); !fault.empty()) return fault;
    for (const Stand& stand : s.stands)
      if (OnBoard(stand) && !MayFace(s, s.TypeOf(stand), stand.facing))
        return "a stand that faces sides only faces a corner";
    return {};
  }
  static std::string EventToJson(const Event& e) { return ancient::EventToJson(e); }
  static std::string ActionToJson(const Action& a) { return ancient::ActionToJson(a); }
  static std::string StateToJson(const State& s) { return ancient::StateToJson(s); }
  static auto EventFromJson(const std::string& text) { return ancient::EventFromJson(text); }
  static auto ActionFromJson(const std::string& text) { return ancient::ActionFromJson(text); }
  static auto StateFromJson(const std::string& text, std::shared_ptr<const Setup> setup) {
    return ancient::StateFromJson(text, std::move(setup));
  }
  static std::string LineFault(const State& before, const Action& action) {
    const std::string line = ActionToLine(before, action);
    const auto read = ParseAction(before, line);
    if (!read.ok()) return line + ": " + read.error().message;
    return ActionToJson(*read) == ActionToJson(action) ? "" : line;
  }
};

}  // namespace
}  // namespace fos::ancient

int main(int argc, char** argv) {
  return fos::test::RunRandomGames(argc, argv, 300, fos::test::PlayOne<fos::ancient::RandomPlay>);
}
