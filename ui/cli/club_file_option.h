// SPDX-License-Identifier: MIT
#pragma once

#include "ui/cli/options.h"
#include "ui/session/club_file.h"

namespace fos {

// Declares `--db FILE`, with the same help text in every command.
Options& AddClubFileOption(Options& options, ClubFileOption& flag);
// Declares `--club ADDRESS`: for a command that reads games, the server instead of the file; for
// one that writes them, the server that they are copied to.
Options& AddClubToRead(Options& options, ClubFileOption& flag);
Options& AddClubToCopyTo(Options& options, ClubFileOption& flag);

}  // namespace fos
