// SPDX-License-Identifier: MIT
#include "engine/rules/colonial/query.h"

#include <cstdlib>

#include <fmt/format.h>

#include "engine/rules/colonial/movement.h"
#include "engine/squares/queries.h"
#include "engine/table/sentence.h"

namespace fos::colonial {
namespace {

int Manhattan(squares::Offset d) { return std::abs(d.dx) + std::abs(d.dy); }

}  // namespace

int DistanceBetween(const State& s, Cell a, Cell b) {
  const squares::Offset d = s.setup->board.Between(a, b);
  return s.Rulings().king_distance ? squares::StepsBetween(d) : Manhattan(d);
}

bool AreAdjacent(const State& s, Cell a, Cell b) {
  const squares::Offset d = s.setup->board.Between(a, b);
  return s.Rulings().king_adjacency ? squares::Adjacent(d) : Manhattan(d) == 1;
}

std::vector<Cell> NeighboursOf(const State& s, Cell c) {
  std::vector<Cell> out;
  for (int way = 0; way < 8; ++way) {
    const auto facing = static_cast<Facing>(way);
    if (!s.Rulings().king_adjacency && squares::IsDiagonal(facing)) continue;
    const Cell next = s.setup->board.Step(c, facing);
    if (next != kNowhere) out.push_back(next);
  }
  return out;
}

bool HeldBy(const State& s, int side, Cell c) {
  const PieceNo front = s.In(c)[0];
  return front != kNoPiece && s.At(front).side == side;
}

PieceNo PartnerOf(const State& s, PieceNo i) {
  const auto& in = s.In(s.At(i).cell);
  return in[0] == i ? in[1] : in[0];
}

int RangeOf(const State& s, const Stand& stand) {
  return s.Book().weapons[static_cast<std::size_t>(stand.weapon)].range;
}
std::string WeaponWords(const State& s, const Stand& stand) {
  return KeyInWords(s.Book().weapons[static_cast<std::size_t>(stand.weapon)].id);
}

const std::string& NameOf(const State& s, PieceNo i) {
  return s.setup->stands[static_cast<std::size_t>(i)].id;
}
std::optional<Refusal> InWords(const State& s, PieceNo i, const StandBar& bar) {
  if (bar.clause == nullptr) return std::nullopt;
  const std::string words = StandAndKind(s, i) + bar.says;
  return bar.impossible ? Impossible(bar.clause, words) : Refuse(bar.clause, words);
}

std::string StandAndKind(const State& s, PieceNo i) {
  // The two stands of a pair share its number.
  const auto& stands = s.setup->stands;
  const auto unit_of = [&](int n) {
    const std::string& id = stands[static_cast<std::size_t>(n)].id;
    return std::string_view(id).substr(0, id.find('#'));
  };
  const StandInfo& own = stands[static_cast<std::size_t>(i)];
  const int number = NumberOfKind(i, static_cast<int>(stands.size()), [&](int n) {
    const StandInfo& other = stands[static_cast<std::size_t>(n)];
    return other.side == own.side && other.type == own.type &&
           (n == 0 || unit_of(n) != unit_of(n - 1));
  });
  return Capitalised(NumberedName(s.TypeOf(s.At(i)).name, number, NameOf(s, i)));
}
const std::string& SideName(const State& s, int side) {
  return s.setup->sides[static_cast<std::size_t>(side)].name;
}
std::string Squares(int hundredths) {
  return fmt::format("{:g} square{}", hundredths / 100.0, hundredths == kWhole ? "" : "s");
}

std::string_view PhaseName(Phase phase) {
  switch (phase) {
    case Phase::kArmyDice:
      return "Armies by dice";
    case Phase::kMuster:
      return "Muster";
    case Phase::kGenerals:
      return "Generals";
    case Phase::kInitiative:
      return "Initiative";
    case Phase::kActivationDie:
      return "Activation die";
    case Phase::kActing:
      return "Activations";
    case Phase::kOver:
      break;
  }
  return "Over";
}

std::string DescribeAsk(const State& s) {
  const Ask& ask = s.ask;
  const auto owner = [&] { return SideName(s, ask.side); };
  switch (ask.what) {
    case Want::kArmyDice:
      return fmt::format("{} throws {} D{} for its army's points", owner(), ask.count, ask.faces);
    case Want::kGeneralDie:
      return fmt::format("{} throws a D6 for the rating of General {}", owner(),
                         NameOf(s, ask.about));
    case Want::kInitiativeDice:
      return fmt::format("throw a D{} for {}, then one for {}, for the initiative", ask.faces,
                         SideName(s, 0), SideName(s, 1));
    case Want::kActivationDie:
      return fmt::format("{} throws a D{} for its activations", owner(), ask.faces);
    case Want::kCombatDice:
      return fmt::format("throw a D{} for {} ({:+}), then one for {} ({:+})", ask.faces,
                         StandAndKind(s, s.combat->initiator), s.combat->bonus[0],
                         StandAndKind(s, s.combat->target), s.combat->bonus[1]);
    case Want::kTieDice:
      return fmt::format("equal scores: throw a D{} for {}, then one for {}; the lower withdraws",
                         ask.faces, StandAndKind(s, s.combat->initiator),
                         StandAndKind(s, s.combat->target));
    case Want::kWithdrawal: {
      std::vector<std::string> ends;
      for (const auto& path : Withdrawals(s, ask.about))
        ends.push_back(s.setup->CellName(path.empty() ? s.At(ask.about).cell : path.back()));
      return fmt::format("{} chooses the square that {} withdraws to: {}", owner(),
                         StandAndKind(s, ask.about), squares::Either(ends));
    }
    case Want::kNothing:
      break;
  }
  return "nothing";
}

std::string_view ClauseOfAsk(Want what) {
  switch (what) {
    case Want::kArmyDice:
      return "COL-2.3";
    case Want::kGeneralDie:
      return "COL-2.6";
    case Want::kInitiativeDice:
      return "COL-3.2";
    case Want::kActivationDie:
      return "COL-3.3";
    case Want::kCombatDice:
      return "COL-7.4";
    case Want::kTieDice:
      return "COL-9.2";
    case Want::kWithdrawal:
      return "COL-5.11";
    case Want::kNothing:
      break;
  }
  return "COL-3.5";
}

Losses LossesOf(const State& s, int side) {
  Losses out;
  for (std::size_t i = 0; i < s.stands.size(); ++i) {
    if (s.stands[i].side != side || s.stands[i].fate != Fate::kDestroyed) continue;
    ++out.stands;
    out.points += PointsOf(*s.setup, s.setup->stands[i]);
  }
  return out;
}

int HolderOf(const State& s, const squares::Objective& objective) {
  int holder = -1;
  for (const Cell cell : objective.cells) {
    if (Empty(s, cell)) continue;
    const int side = s.At(s.In(cell)[0]).side;
    if (holder >= 0 && holder != side) return -1;
    holder = side;
  }
  return holder;
}

std::array<std::int16_t, 2> PointsNow(const State& s) {
  std::array<std::int16_t, 2> points{};
  for (int side = 0; side < 2; ++side)
    points[static_cast<std::size_t>(side)] =
        static_cast<std::int16_t>(LossesOf(s, 1 - side).points);
  for (const squares::Objective& objective : s.setup->objectives) {
    const int holder = HolderOf(s, objective);
    if (holder < 0) continue;
    auto& of_holder = points[static_cast<std::size_t>(holder)];
    of_holder = static_cast<std::int16_t>(of_holder + objective.points);
  }
  return points;
}

}  // namespace fos::colonial
