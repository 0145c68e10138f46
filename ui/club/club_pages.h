// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/club/club_server.h"
#include "ui/report/battle.h"

// The pages of `club serve` as HTML. Every text of a game, player or table is escaped.
namespace fos {

// The newest verdict or action of a game.
struct LastCall {
  std::string text;                  // a sentence; empty: nothing has happened yet
  std::string call;                  // "hit", "miss", "too_close" or "no_effect"; empty: no verdict
  int shot = 0;                      // 0: none
  std::vector<std::string> decided;  // what the players said since
};
LastCall LastCallOf(const GameLog& log);

struct GameShownLive {
  GameListing listing;
  std::shared_ptr<const Battle> battle;  // null: `why` says why there is none
  std::string why;
  LastCall last;
  std::string picture;  // hash of the newest evidence picture; empty: none
};

// A whole page around its live part, which is loaded again from `part` when something changes.
// game  the game it shows; 0: all
std::string ClubPage(const std::string& title, const std::string& part, const std::string& live,
                     std::int64_t game, bool overlay = false);
// The live part of the first page: the tables' games of tonight, tables without one, then earlier
// games.
// older   a link to those before; empty: there are none
// tables  all there are; empty: they are not listed
std::string TablesPart(const std::vector<GameListing>& games, const std::string& older,
                       const std::vector<ClubTable>& tables);
// The live part of a game's page.
std::string GamePart(const GameShownLive& game);
// The live part of the overlay.
std::string OverlayPart(const GameShownLive& game);
std::string NothingPart(const std::string& sentence);

std::string ClubStyle();
std::string ClubScript();

}  // namespace fos
