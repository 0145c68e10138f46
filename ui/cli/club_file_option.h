// SPDX-License-Identifier: MIT
#pragma once

#include "ui/cli/options.h"
#include "ui/session/club_file.h"

namespace fos {

// Declares `--db FILE`, with the same help text in every command.
Options& AddClubFileOption(Options& options, ClubFileOption& flag);

}  // namespace fos
