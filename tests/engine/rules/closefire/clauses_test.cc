// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "engine/game/line_words.h"
#include "engine/rules/closefire/forecast.h"
#include "engine/rules/closefire/line_game.h"
#include "engine/rules/closefire/referee.h"
#include "tests/support/clause_coverage.h"
#include "tests/support/clause_page.h"
#include "tests/support/closefire_battles.h"

// docs/clauses.md (tests/support/clause_page.h says what is checked). To write its section anew:
//   FOS_WRITE_DOCS=1 build/tests/closefire_test --gtest_filter='CloseFireClauses.*'
namespace fos::closefire {
namespace {

// How many worked examples the catalogue gives for each clause.
const std::map<std::string, int> kExamples = {
    {"CF-1.1", 2},   {"CF-1.2", 3},   {"CF-1.3", 2},   {"CF-1.4", 4},   {"CF-1.5", 1},
    {"CF-2.1", 1},   {"CF-2.2", 2},   {"CF-2.3", 1},   {"CF-2.4", 3},   {"CF-2.5", 2},
    {"CF-2.6", 2},   {"CF-2.7", 2},   {"CF-2.8", 4},   {"CF-2.9", 3},   {"CF-2.10", 1},
    {"CF-3.1", 5},   {"CF-3.2", 1},   {"CF-3.3", 1},   {"CF-3.4", 2},   {"CF-3.5", 2},
    {"CF-3.6", 2},   {"CF-3.7", 1},   {"CF-3.8", 1},   {"CF-4.1", 2},   {"CF-4.2", 2},
    {"CF-4.3", 2},   {"CF-4.4", 2},   {"CF-4.5", 2},   {"CF-4.6", 2},   {"CF-4.7", 2},
    {"CF-4.8", 1},   {"CF-4.9", 1},   {"CF-4.10", 1},  {"CF-4.11", 1},  {"CF-5.1", 3},
    {"CF-5.2", 2},   {"CF-5.3", 2},   {"CF-5.4", 1},   {"CF-5.5", 5},   {"CF-5.6", 2},
    {"CF-5.7", 2},   {"CF-5.8", 4},   {"CF-6.1", 3},   {"CF-6.2", 3},   {"CF-6.3", 2},
    {"CF-6.4", 2},   {"CF-6.5", 1},   {"CF-7.1", 2},   {"CF-7.2", 4},   {"CF-7.3", 4},
    {"CF-7.4", 2},   {"CF-8.1", 2},   {"CF-8.2", 2},   {"CF-8.3", 5},   {"CF-8.4", 6},
    {"CF-8.5", 1},   {"CF-8.6", 2},   {"CF-9.1", 2},   {"CF-9.2", 1},   {"CF-9.3", 1},
    {"CF-9.4", 2},   {"CF-10.1", 2},  {"CF-10.2", 2},  {"CF-10.3", 1},  {"CF-10.4", 2},
    {"CF-10.5", 1},  {"CF-11.1", 2},  {"CF-11.2", 1},  {"CF-11.3", 3},  {"CF-11.4", 1},
    {"CF-11.5", 1},  {"CF-11.6", 2},  {"CF-11.7", 3},  {"CF-12.1", 2},  {"CF-12.2", 2},
    {"CF-12.3", 2},  {"CF-12.4", 4},  {"CF-12.5", 2},  {"CF-12.6", 4},  {"CF-12.7", 1},
    {"CF-12.8", 3},  {"CF-12.9", 4},  {"CF-13.1", 3},  {"CF-13.2", 5},  {"CF-14.1", 1},
    {"CF-14.2", 1},  {"CF-14.3", 4},  {"CF-14.4", 1},  {"CF-14.5", 2},  {"CF-14.6", 3},
    {"CF-14.7", 2},  {"CF-14.8", 3},  {"CF-14.9", 3},  {"CF-14.10", 2}, {"CF-14.11", 3},
    {"CF-14.12", 2}, {"CF-14.13", 2}, {"CF-14.14", 1}, {"CF-14.15", 2}, {"CF-14.16", 1},
    {"CF-15.1", 2},  {"CF-15.2", 3},  {"CF-15.3", 1},  {"CF-15.4", 2},  {"CF-15.5", 3},
    {"CF-15.6", 1},  {"CF-16.1", 2},  {"CF-16.2", 5},  {"CF-16.3", 3},  {"CF-16.4", 2},
    {"CF-16.5", 3},  {"CF-17.1", 2},  {"CF-17.2", 2},  {"CF-17.3", 3},  {"CF-17.4", 1},
    {"CF-18.1", 2},  {"CF-18.2", 3},  {"CF-18.3", 2},  {"CF-18.4", 4},  {"CF-18.5", 2},
    {"CF-18.6", 2},  {"CF-18.7", 0},  {"CF-18.8", 2},  {"CF-18.9", 1},  {"CF-19.1", 4},
    {"CF-19.2", 1},  {"CF-20.1", 0},  {"CF-20.2", 0},  {"CF-20.3", 4},  {"CF-20.4", 0},
    {"CF-20.5", 5},  {"CF-20.6", 3},  {"CF-20.7", 2},  {"CF-21.1", 3},  {"CF-21.2", 4},
    {"CF-21.3", 3},  {"CF-21.4", 2},  {"CF-21.5", 4},  {"CF-21.6", 1},  {"CF-21.7", 2},
    {"CF-21.8", 1},  {"CF-21.9", 1},  {"CF-22.1", 1},  {"CF-22.2", 1},  {"CF-22.3", 2},
    {"CF-22.4", 2},  {"CF-22.5", 4},  {"CF-22.6", 2},  {"CF-23.1", 1},  {"CF-23.2", 2},
    {"CF-23.3", 1},  {"CF-23.4", 1}};

// Of the random games, so many are small battles, so many have a wing on each side, and the others
// are read from game files.
constexpr int kSmall = 40;
constexpr int kWings = 40;
constexpr int kGames = 110;

struct RandomPlay {
  using State = closefire::State;
  using Event = closefire::Event;
  static State Start(int number, std::uint64_t seed) {
    const auto battle = static_cast<std::uint64_t>(number);
    if (number > kSmall + kWings) {
      State s = test::FileBattle(battle, seed);
      // CF-4.11: in some, Blue's general is with a unit that is ordered to defend.
      if (const Vec2 front = Field(s).FrontOf(0).centre; number % 2 == 0) {
        s.leaders[1].attached = 0;
        s.leaders[1].at = {Milli(front.x), Milli(front.y)};
      } else {
        // CF-19.1: in the others, places are known to a yard.
        for (fos::closefire::Unit& unit : s.units) unit.Put(Of::kDoubtMilliYd, 1000);
      }
      return s;
    }
    return number > kSmall ? test::WingBattle(battle, seed) : test::SmallBattle(battle, seed);
  }
  // What the game file's notes cite.
  static std::vector<std::string> Notes(const State& s) {
    std::vector<std::string> out;
    for (const std::string& note : s.setup->notes) out.push_back(note.substr(0, note.find(':')));
    return out;
  }
  static bool Over(const State& s) { return s.phase == Phase::kOver; }
  // In wing battles the players also give orders, charge in bodies, and try what no menu offers.
  static Action Random(const State& s, Generator& chance) {
    const bool bold = s.setup->leaders[1].rank == Rank::kGeneral && !s.waiting &&
                      s.phase != Phase::kInitiative && chance.Below(3) == 0;
    for (int i = 0; i < 12 && bold; ++i) {
      const std::string line =
          s.phase == Phase::kCharges && i < 8 ? BodyCharge(s, chance) : AnyLine(s, chance);
      const Result<Action> action = Read(s, line);
      if (action.ok() && !RefusalOf(s, *action)) return *action;
    }
    return ParseLine(s, RandomLineOf(s, chance));
  }
  // CF-18.9: two units that may charge, of the side to act, charge an enemy together, or one of
  // them alone.
  static std::string BodyCharge(const State& s, Generator& chance) {
    // Half the time a charge that the menu offers, with the nearest friend of its arm.
    if (const std::string line = chance.Heads() ? RandomLineOf(s, chance) : "";
        line.starts_with("charge ")) {
      const int unit = ParseLine(s, line).words.units.front();
      return line.substr(0, line.find(" at ")) + ' ' + Info(s, Another(s, unit, false, chance)).id +
             line.substr(line.find(" at "));
    }
    const auto any = [&](bool enemy) {
      for (int tries = 0;; ++tries) {
        const int unit = chance.Below(static_cast<int>(s.units.size()));
        // Some small armies have nobody who can charge.
        if (tries > 100 || ((Info(s, unit).side != s.to_act) == enemy &&
                            (enemy || IsCavalry(s, unit) || Info(s, unit).swedish)))
          return unit;
      }
    };
    constexpr const char* kDice[] = {"avd", "avd+avd", "avd+d6"};
    const int first = any(false);
    const int second = chance.Heads() ? Another(s, first, false, chance) : any(false);
    return fmt::format("charge {} {}at {} {}{}", Info(s, first).id,
                       chance.Heads() ? Info(s, second).id + " " : std::string(),
                       Info(s, any(true)).id, kDice[chance.Below(3)],
                       chance.Below(3) == 0 ? " outrance" : "");
  }
  static std::optional<Refusal> Take(State& s, const Action& action, std::vector<Event>& events) {
    return Act(s, action, events);
  }
  static void ApplyTo(State& s, const Event& event) { closefire::ApplyTo(s, event); }
  static std::string ClauseOf(const State& /*s*/, const Event& event) {
    return event.what == What::kWaits ? event.ask.clause : event.clause;
  }
  static std::string LineOf(const State& /*s*/, const Action& action) { return action.line; }
  static Result<Action> Read(const State& s, const std::string& line) {
    try {
      return ParseLine(s, line);
    } catch (const UnreadableLine& e) {
      return Error{ErrorCode::kBadFormat, e.why};
    }
  }
  static std::vector<std::string> Names(const State& s) {
    std::vector<std::string> names(s.setup->sides.begin(), s.setup->sides.end());
    for (const UnitInfo& unit : s.setup->units) names.push_back(unit.id);
    for (const LeaderInfo& leader : s.setup->leaders) names.push_back(leader.id);
    return names;
  }
  // What the menu offers seldom: U a unit, V another, E an enemy, F the nearest friend of its arm,
  // L a leader, M another, A one who is attached, X and Y a place near the unit, N a small number.
  static std::string AnyLine(const State& s, Generator& chance) {
    constexpr const char* kLines[] = {"attach L to U",
                                      "order L to M 2",
                                      "send L to M 3",
                                      "listen L",
                                      "assign U to L by M",
                                      "assign U to L by M messenger",
                                      "order L to M 1",
                                      "send L to M 1",
                                      "ride L to X Y",
                                      "attach L to U",
                                      "steady A",
                                      "inspire A",
                                      "ride L to X Y",
                                      "fix U",
                                      "unfix U",
                                      "conform U to V",
                                      "stop U",
                                      "roll U avd+avd",
                                      "roll U d6+avd double",
                                      "roll U avd objective",
                                      "wheelback U left N",
                                      "wheel U right N",
                                      "form U line",
                                      "form U march",
                                      "form U assault",
                                      "reform U line N",
                                      "incline U left N N",
                                      "step U back N",
                                      "pivot U left N",
                                      "cross U hard",
                                      "cross U fascines",
                                      "mount U",
                                      "dismount U",
                                      "holder U to X Y",
                                      "gap U N",
                                      "go U to X Y",
                                      "road U to X Y",
                                      "split U 1",
                                      "merge U into V",
                                      "merge U into F",
                                      "recrew U",
                                      "drive U V",
                                      "loot U",
                                      "retire U",
                                      "unlimber U",
                                      "charge U at V avd+avd",
                                      "charge U at V d6+avd outrance",
                                      "counter U avd+avd",
                                      "evade U",
                                      "receive U about",
                                      "fire U at V",
                                      "fire U at E",
                                      "roll U 0",
                                      "counter U 0",
                                      "snipe U at L",
                                      "reveal U",
                                      "arrive U at X Y 0",
                                      "seen U X Y 0",
                                      "form U line 2",
                                      "roll U d6+d6",
                                      "charge U at V avd",
                                      "charge U V at U avd+avd",
                                      "charge U at V d6+avd+avd outrance",
                                      "arrive U at 700 30 0",
                                      "arrive U at 700 90 0",
                                      "deploy U at X Y N",
                                      "dice 7",
                                      "dice 3 3"};
    const auto of = [&](int count) { return chance.Below(std::max(1, count)); };
    // Mostly of the side to act.
    int unit = of(static_cast<int>(s.units.size()));
    if (Info(s, unit).side != s.to_act) unit = of(static_cast<int>(s.units.size()));
    const Vec2 at = At(s, unit).bases.empty() ? Vec2{400, 300} : BasesOf(s, unit).front().centre;
    const auto leader = [&] {
      return s.setup->leaders[static_cast<std::size_t>(of(static_cast<int>(s.leaders.size())))].id;
    };
    std::string out;
    for (const std::string& word :
         fos::test::WordsOf(kLines[of(static_cast<int>(std::size(kLines)))])) {
      out += out.empty() ? "" : " ";
      if (word == "U")
        out += Info(s, unit).id;
      else if (word == "V")
        out += Info(s, of(static_cast<int>(s.units.size()))).id;
      else if (word == "E" || word == "F")
        out += Info(s, Another(s, unit, word == "E", chance)).id;
      else if (word == "L" || word == "M")
        out += leader();
      else if (word == "A")
        out += Attached(s, chance);
      else if (word == "X")
        out += fmt::format("{:.0f}", at.x + chance.Below(200) - 100);
      else if (word == "Y")
        out += fmt::format("{:.0f}", at.y + chance.Below(200) - 100);
      else
        out += word == "N" ? std::to_string(1 + chance.Below(30)) : word;
    }
    return out;
  }
  // An enemy, or the nearest friend of the same arm; the unit itself if there is none.
  static int Another(const State& s, int unit, bool enemy, Generator& chance) {
    int out = unit;
    double least = 1e9;
    for (int v = 0; v < static_cast<int>(s.units.size()); ++v) {
      if (v == unit || (Info(s, v).side != Info(s, unit).side) != enemy) continue;
      if (At(s, v).bases.empty() || At(s, unit).bases.empty()) continue;
      if (!enemy && Info(s, v).arm != Info(s, unit).arm) continue;
      const double apart =
          enemy ? chance.Below(1000)
                : Distance(BasesOf(s, unit).front().centre, BasesOf(s, v).front().centre);
      if (apart >= least) continue;
      least = apart;
      out = v;
    }
    return out;
  }
  // A leader who is with a unit, or any if none is.
  static std::string Attached(const State& s, Generator& chance) {
    std::vector<std::string> with, all;
    for (std::size_t l = 0; l < s.leaders.size(); ++l) {
      all.push_back(s.setup->leaders[l].id);
      if (s.leaders[l].attached) with.push_back(all.back());
    }
    const std::vector<std::string>& any = with.empty() ? all : with;
    return any[static_cast<std::size_t>(chance.Below(static_cast<int>(any.size())))];
  }
  // A charge that the menu offers, made a l'outrance (CF-2.1, 18.7) or by two units (CF-18.9).
  static std::string BolderCharge(const State& s, Generator& chance) {
    const std::string line = RandomLineOf(s, chance);
    const bool charge = line.starts_with("charge ");
    if (charge && chance.Heads()) {
      const std::size_t at = line.find(" at ");
      const int unit = ParseLine(s, line).words.units.front();
      return line.substr(0, at) + ' ' + Info(s, Another(s, unit, false, chance)).id +
             line.substr(at);
    }
    const bool rides = charge || line.starts_with("counter ");
    return rides && !line.ends_with(" outrance") ? line + " outrance" : line;
  }
  // A line that its phase allows, if one of a few does.
  static std::string Wild(const State& s, Generator& chance) {
    std::string line;
    if (s.phase == Phase::kCharges && chance.Heads()) return BolderCharge(s, chance);
    // Shapes that no unit may take (CF-10.1, 10.3).
    if (s.phase == Phase::kMovement && chance.Below(20) == 0) {
      const int unit = chance.Below(static_cast<int>(s.units.size()));
      const std::string& id = Info(s, unit).id;
      return chance.Heads() ? "form " + id + " march 2" : "wheelback " + id + " left 60 1";
    }
    const bool fires = s.phase == Phase::kArtillery || s.phase == Phase::kMusketry;
    if ((fires || s.phase == Phase::kMovement) && chance.Below(6) == 0) {
      int unit = chance.Below(static_cast<int>(s.units.size()));
      // Most enemies are out of reach of all but guns.
      for (int i = 0; i < 8 && fires && (!IsGun(s, unit) || Info(s, unit).side != s.to_act); ++i)
        unit = chance.Below(static_cast<int>(s.units.size()));
      return fmt::format("{} {} {} {}", fires ? "fire" : "merge", Info(s, unit).id,
                         fires ? "at" : "into", Info(s, Another(s, unit, fires, chance)).id);
    }
    for (int i = 0; i < 8; ++i) {
      line = AnyLine(s, chance);
      const Result<Action> action = Read(s, line);
      State trial = s;
      std::vector<Event> events;
      const auto refusal = action.ok() ? Act(trial, *action, events) : std::optional<Refusal>();
      if (action.ok() && (!refusal || refusal->clause != "CF-9.2")) break;
    }
    return line;
  }
  static std::vector<std::string> Sums(const State& s) {
    std::vector<std::string> out;
    const auto note = [&](const std::optional<fos::Forecast>& forecast) {
      if (forecast)
        for (const SumItem& item : forecast->items) out.push_back(item.clause);
    };
    note(Awaited(s));
    // What the side to act may fire at.
    if (s.phase == Phase::kArtillery || s.phase == Phase::kMusketry)
      for (const UnitInfo& unit : s.setup->units)
        if (unit.side == s.to_act) note(ForecastOf(s, ParseLine(s, "fire " + unit.id)));
    return out;
  }
};

// What the clauses leave open, or what is told under others.
const std::map<std::string, fos::test::OutOfPlay> kOutOfPlay = {
    {"CF-9.3", {"leaves the order open"}},
    {"CF-15.6",
     {"told with the DPs, which count at once (CF-16.2, 17.4)", {}, {"CF-16.2", "CF-17.4"}}},
};

fos::test::ClauseBook Book() {
  return {"Close Fire",
          "CF",
          "engine/rules/closefire",
          "tests/engine/rules/closefire",
          "closefire_test",
          Clauses(),
          kExamples,
          kGames,
          fos::test::ClausesReached<RandomPlay, kGames>(),
          kOutOfPlay};
}

TEST(CloseFireClauses, EachIsAppliedAndTested) { fos::test::ExpectEachAppliedAndProved(Book()); }
TEST(CloseFireClauses, EveryWorkedExampleHasATest) { fos::test::ExpectEveryExampleIsATest(Book()); }
TEST(CloseFireClauses, RandomGamesReachEach) { fos::test::ExpectRandomGamesReachEach(Book()); }
TEST(CloseFireClauses, ThePageIsUpToDate) { fos::test::ExpectPageUpToDate(Book()); }

}  // namespace
}  // namespace fos::closefire
