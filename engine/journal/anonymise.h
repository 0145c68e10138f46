// SPDX-License-Identifier: MIT
#pragma once

#include "engine/journal/record.h"

namespace fos {

// The game without people's names. Players become "Player 1", "Player 2", ... by seat, also in
// texts wherever a name occurs as a whole word; the date stays, the time of day is removed. Lines,
// dice and measurements stay, so it replays the same. It gets a new uid.
GameLog Anonymised(const GameLog& log);
// Without pictures and recordings, which may show people.
GameLog WithoutPictures(GameLog log);

}  // namespace fos
