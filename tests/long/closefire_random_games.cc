// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tests/support/closefire_battles.h"
#include "tests/support/closefire_game.h"

// Plays random games of Close Fire to the end, on small tables with all kinds of terrain and units
// and random club settings. Checked at every step: bases are conserved, units do not overlap,
// bodies hang together, all units are on the table and off forbidden ground, DPs are within limits,
// undo gives the state before, the events fold to the state after, and a line parses as it was
// written. Checked at the end: the lines with their dice replay the same game bit for bit. Prints a
// hash over the final states of all games, which must not change unless a ruling changes.
//
//   closefire_random_games [GAMES [FIRST_SEED]]      (100 games from seed 1 when not given)
namespace fos::closefire::test {
namespace {

// Far beyond the longest game seen. A longer game is a fault.
constexpr int kMostActions = 6000;

bool Counts(const State& s, int unit) {
  const auto presence = At(s, unit).As<Presence>(Of::kPresence);
  return presence == Presence::kOnTable && !At(s, unit).bases.empty();
}

// The overlap depth of two bases (separating axis theorem).
double Deep(const Base& a, const Base& b) {
  if (Distance(a.centre, b.centre) > a.width + a.depth + b.width + b.depth) return 0;
  const auto pa = open_table::Outline(a);
  const auto pb = open_table::Outline(b);
  double least = 1e9;
  for (const double facing : {a.facing_deg, a.facing_deg + 90, b.facing_deg, b.facing_deg + 90}) {
    const Vec2 axis = open_table::Ahead(facing);
    double a_low = 1e9, a_high = -1e9, b_low = 1e9, b_high = -1e9;
    for (int i = 0; i < 4; ++i) {
      a_low = std::min(a_low, Dot(pa[static_cast<std::size_t>(i)], axis));
      a_high = std::max(a_high, Dot(pa[static_cast<std::size_t>(i)], axis));
      b_low = std::min(b_low, Dot(pb[static_cast<std::size_t>(i)], axis));
      b_high = std::max(b_high, Dot(pb[static_cast<std::size_t>(i)], axis));
    }
    least = std::min(least, std::min(a_high - b_low, b_high - a_low));
  }
  return least;
}

std::string Fault(const State& s) {
  const int count = static_cast<int>(s.units.size());
  for (const Engaged& pair : s.engaged)
    if (!Counts(s, pair.a) || !Counts(s, pair.b) || Info(s, pair.a).side == Info(s, pair.b).side)
      return fmt::format("{} and {} cannot be fighting", Info(s, pair.a).id, Info(s, pair.b).id);
  for (int u = 0; u < count; ++u) {
    if (!Counts(s, u)) continue;
    const std::string& id = Info(s, u).id;
    const std::vector<Base> bases = BasesOf(s, u);
    const int dp = At(s, u)[Of::kDp];
    if (dp < 0 || dp > s.Book().dp.limit_max) return fmt::format("{} has {} DPs", id, dp);
    // Bodies may pass each other in the middle of a declaration.
    if (s.waiting) continue;
    const Field field(s);
    for (const Base& base : bases) {
      if (field.OffTable(base.centre)) return id + " stands off the table";
      Base smaller = base;
      smaller.width -= 0.1;
      smaller.depth -= 0.1;
      // On the edge of a road through forbidden ground, rounding can put a place off the road.
      constexpr double kRounded_yd = 0.01;
      bool forbidden = true;
      for (const Vec2 by : {Vec2{0, 0}, Vec2{kRounded_yd, 0}, Vec2{-kRounded_yd, 0},
                            Vec2{0, kRounded_yd}, Vec2{0, -kRounded_yd}})
        forbidden = forbidden && field.ForbiddenAt(open_table::Shifted(smaller, by), u);
      if (forbidden) return id + " stands where it may not go";
    }
    // Touching is allowed (room.h), and places are rounded. CF-23: abandoned guns are moved aside.
    const auto unserved = [&](int unit) {
      return IsGun(s, unit) && At(s, unit).As<Crew>(Of::kCrew) != Crew::kServing;
    };
    for (int v = u; v < count; ++v) {
      if (!Counts(s, v) || unserved(u) || unserved(v)) continue;
      for (std::size_t i = 0; i < bases.size(); ++i)
        for (std::size_t j = v == u ? i + 1 : 0; j < At(s, v).bases.size(); ++j)
          if (const double deep = Deep(bases[i], field.Bases(v)[j]); deep > 0.03)
            return fmt::format("{} and {} stand {:.2f} yd on top of one another", id, Info(s, v).id,
                               deep);
    }
    // CF-10.1, 14.14: each unit is one body.
    const double apart =
        IsFormed(s, u) ? s.Rulings().contact_gap_yd : s.Book().manoeuvre.unformed_spacing;
    if (!HangsTogether(bases, apart + 0.01)) return id + " is no longer one body";
  }
  for (std::size_t l = 0; l < s.leaders.size(); ++l) {
    const closefire::Leader& leader = s.leaders[l];
    if (!leader.Present()) continue;
    const int unit = leader[By::kAttached] - 1;
    if (unit >= 0 && !Counts(s, unit))
      return s.setup->leaders[l].id + " is with a unit that is gone";
    if (Field(s).OffTable({Yd(leader[By::kX]), Yd(leader[By::kY])}))
      return s.setup->leaders[l].id + " is off the table";
  }
  return {};
}

int BasesOfSide(const State& s, int side) {
  int sum = 0;
  for (int u = 0; u < static_cast<int>(s.units.size()); ++u)
    if (Info(s, u).side == side) sum += BasesLeft(s, u);
  return sum;
}

// Bases are lost only to casualties, one each, and to driving off guns. No unit gains bases.
std::string CountingFault(const State& before, const std::vector<Event>& events,
                          const State& after) {
  std::array<int, 2> lost{};
  State s = before;
  for (const Event& e : events) {
    if (e.what == What::kUnit && !IsGun(s, e.subject)) {
      const int rise = static_cast<int>(e.value) - At(s, e.subject)[static_cast<Of>(e.field)];
      if (static_cast<Of>(e.field) == Of::kCasualties && rise > 0 &&
          s.Rulings().casualty_removes_base)
        lost[static_cast<std::size_t>(Info(s, e.subject).side)] += rise;
    }
    if (e.what == What::kUnit && static_cast<Of>(e.field) == Of::kPresence &&
        static_cast<Presence>(e.value) == Presence::kDrivenOff)
      lost[static_cast<std::size_t>(1 - Info(s, e.subject).side)] += s.Book().guns.drive_off_bases;
    ApplyTo(s, e);
  }
  for (const int side : {0, 1}) {
    const int gone = BasesOfSide(before, side) - BasesOfSide(after, side);
    if (before.Rulings().casualty_removes_base && gone != lost[static_cast<std::size_t>(side)])
      return fmt::format("{} bases gone and {} accounted for", gone,
                         lost[static_cast<std::size_t>(side)]);
    if (gone < 0) return "bases from nowhere";
  }
  return {};
}

// FNV-1a, 64 bits.
void AddTo(std::uint64_t& hash, const std::string& text) {
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ull;
}

// Plays one game, adds its final state to the hash and returns its number of actions. Throws
// std::runtime_error naming a broken invariant.
int PlayOne(std::uint64_t seed, std::uint64_t& hash) {
  Generator chance{seed};
  History<Rules> game(SmallBattle(seed, seed));
  std::size_t settled = 0;  // actions when the game last waited for nothing
  const auto fail = [&](const std::string& what) {
    std::string tail;
    const std::size_t count = game.Entries().size();
    for (std::size_t i = count - std::min<std::size_t>(count, 6); i < count; ++i)
      tail += "\n    " + game.Entries()[i].action.line;
    throw std::runtime_error(what + " after" + tail);
  };
  while (game.Now().phase != Phase::kOver) {
    if (game.Entries().size() > kMostActions) fail("the game does not end");
    const State before = game.Now();
    const std::string line = RandomLineOf(before, chance);
    const Action action = ParseLine(before, line);
    if (ParseLine(before, action.line).line != action.line)
      fail(line + " is read as something else");
    if (const auto refusal = game.Play(action)) {
      if (!SameGame(game.Now(), before)) fail("a refused action changed the state");
      fail(fmt::format("{} is refused ({} {})", line, refusal->clause, refusal->because));
    }
    const State& after = game.Now();
    const std::vector<Event>& events = game.Entries().back().events;
    std::string fault = Fault(after);
    // A casualty is reported before its owner chooses the base.
    if (fault.empty() && !after.waiting) {
      std::vector<Event> since;
      for (std::size_t i = settled; i < game.Entries().size(); ++i)
        since.insert(since.end(), game.Entries()[i].events.begin(), game.Entries()[i].events.end());
      fault = CountingFault(game.At(settled), since, after);
      settled = game.Entries().size();
    }
    if (!fault.empty()) fail(fault);
    State folded = before;
    for (const Event& event : events) ApplyTo(folded, event);
    if (!SameGame(folded, after)) fail("the events fold to another state");
    if (!SameGame(game.At(game.Entries().size() - 1), before)) fail("undo gives another state");
  }
  // Replay from the lines, as from a log.
  State again = SmallBattle(seed, seed);
  for (const auto& entry : game.Entries()) {
    std::vector<Event> events;
    const std::string line = Rules::AsThrown(entry.action, entry.events).line;
    if (Act(again, ParseLine(again, line), events)) fail(line + " no longer stands when replayed");
  }
  const std::string end = StateToJson(game.Now());
  if (StateToJson(again) != end) fail("the replayed game is another");
  AddTo(hash, end);
  return static_cast<int>(game.Entries().size());
}

}  // namespace
}  // namespace fos::closefire::test

int main(int argc, char** argv) {
  const long games = argc > 1 ? std::atol(argv[1]) : 100;
  const long first = argc > 2 ? std::atol(argv[2]) : 1;
  long actions = 0;
  std::uint64_t hash = 0xcbf29ce484222325ull;
  int faults = 0;
  for (long i = 0; i < games; ++i) {
    try {
      actions += fos::closefire::test::PlayOne(static_cast<std::uint64_t>(first + i), hash);
    } catch (const std::exception& e) {
      std::printf("game %ld (seed %ld): %s\n", i, first + i, e.what());
      if (++faults == 5) break;
    }
  }
  if (faults > 0) return EXIT_FAILURE;
  std::printf("%ld random games, %ld actions, no broken invariant; hash %016llx\n", games, actions,
              static_cast<unsigned long long>(hash));
  return games > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
