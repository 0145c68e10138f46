// SPDX-License-Identifier: MIT
#include "engine/journal/game_source.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "engine/files/toml_reader.h"

namespace fos {

void AddSeat(std::vector<GameSummary>& games, std::int64_t game, Seat seat) {
  const auto one =
      std::lower_bound(games.begin(), games.end(), game,
                       [](const GameSummary& g, std::int64_t id) { return g.id < id; });
  if (one != games.end() && one->id == game) one->seats.push_back(std::move(seat));
}

Result<std::int64_t> GameSource::Find(std::string_view game,
                                      std::optional<GameStart::Kind> kind) const {
  const Result<std::vector<GameSummary>> games = Games();
  if (!games.ok()) return games.error();
  if (games->empty()) {
    return Error{ErrorCode::kNotFound, Name() + ": has no games yet"};
  }
  if (game == "last") {
    const auto last = std::find_if(games->rbegin(), games->rend(), [&](const GameSummary& one) {
      return !kind || one.kind == *kind;
    });
    // Of the other kind where there is no such game: whoever asked says what to do with it.
    return last == games->rend() ? games->back().id : last->id;
  }
  std::int64_t number = 0;
  const auto [end, failed] = std::from_chars(game.data(), game.data() + game.size(), number);
  const bool by_number = failed == std::errc() && end == game.data() + game.size();
  for (auto one = games->rbegin(); one != games->rend(); ++one) {
    if (by_number ? one->id == number : one->name == game || one->uid == game) return one->id;
  }
  const GameSummary* named = &games->back();
  if (!by_number) {
    std::vector<std::string> names;
    for (const GameSummary& one : *games) names.push_back(one.name);
    const std::string nearest = NearestName(game, names);
    named = &*std::find_if(games->rbegin(), games->rend(),
                           [&](const GameSummary& one) { return one.name == nearest; });
  }
  return Error{
      ErrorCode::kNotFound,
      fmt::format("{}: no game `{}`; the {} is {} (`{}`); list all with `fallofshot games{}`",
                  Name(), game.substr(0, 100), by_number ? "newest" : "nearest", named->id,
                  named->name, Flag())};
}

}  // namespace fos
