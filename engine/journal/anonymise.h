#pragma once

#include "engine/journal/record.h"

namespace fos {

// The game without people's names: players become "Player 1", "Player 2", ... by seat, in the texts
// too wherever a name stands as a word of its own; the day stays, the hour goes. Lines, dice and
// measurements stay, so it replays the same; its uid is another.
GameLog Anonymised(const GameLog& log);
// Without pictures and recordings, which may show people.
GameLog WithoutPictures(GameLog log);

}  // namespace fos
