// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "engine/squares/queries.h"

// The parts of the State that all grid games share.
namespace fos::squares {

// The input that the game waits for. Kind is the rule set's PendingInput.
template <typename Kind>
struct AskOf {
  Kind kind{};  // the first value: nothing
  std::int8_t side = 0;
  std::int8_t count = 0;   // number of dice
  std::int16_t about = 0;  // index of a piece, volley, melee or unit, by kind
  friend bool operator==(const AskOf&, const AskOf&) = default;
};

template <typename Reason>
struct EndingOf {
  Reason reason{};               // the first value: not over
  std::int8_t winner = kNobody;  // kNobody: a draw
  std::array<std::int32_t, 2> points{};
  friend bool operator==(const EndingOf&, const EndingOf&) = default;
};

// A group that must fall back.
template <typename Reason>
struct RetreatOf {
  std::int8_t side = 0;
  Reason reason{};
  Facing direction = Facing::kNorth;
  std::int8_t steps = 0;
  std::vector<PieceNo> stands;     // all in one square
  std::vector<PieceNo> equipment;  // that goes with them
  friend bool operator==(const RetreatOf&, const RetreatOf&) = default;
};

// Short queries for a State that derives from this. Besides what queries.h lists, it has setup with
// tables (types, equipment) and settings, attacker, ask, held_by.
template <typename State>
struct GridState {
  int Defender() const { return 1 - Self().attacker; }
  bool Waiting() const { return Self().ask.kind != decltype(Self().ask.kind){}; }
  const auto& Book() const { return Self().setup->tables; }
  const auto& Ruling() const { return Self().setup->settings; }
  // The type of a stand or a piece of equipment.
  template <typename Piece>
  const auto& TypeOf(const Piece& piece) const {
    const auto type = static_cast<std::size_t>(piece.type);
    if constexpr (std::is_same_v<Piece, typename decltype(State::stands)::value_type>) {
      return Self().setup->tables.types[type];
    } else {
      return Self().setup->tables.equipment[type];
    }
  }
  const auto& StandAt(PieceNo i) const { return Self().stands[static_cast<std::size_t>(i)]; }
  const auto& EquipmentAt(PieceNo i) const { return Self().equipment[static_cast<std::size_t>(i)]; }
  // How many stands a side has in a square.
  int CountIn(int side, Cell c) const {
    return Self().held_by[static_cast<std::size_t>(side)][static_cast<std::size_t>(c)];
  }
  friend bool operator==(const GridState&, const GridState&) = default;

 private:
  const State& Self() const { return static_cast<const State&>(*this); }
};

// Recounts the stands of each side per square; false if a stand on the board is in no square.
template <typename State>
bool CountStands(State& s) {
  const auto cells = static_cast<std::size_t>(s.setup->board.Cells());
  s.held_by = {std::vector<std::uint8_t>(cells), std::vector<std::uint8_t>(cells)};
  for (const auto& stand : s.stands) {
    if (!OnBoard(stand)) continue;
    const auto cell = static_cast<std::size_t>(stand.cell);
    if (stand.side < 0 || stand.side > 1 || stand.cell < 0 || cell >= cells) return false;
    ++s.held_by[static_cast<std::size_t>(stand.side)][cell];
  }
  return true;
}

}  // namespace fos::squares
