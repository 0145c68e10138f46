#pragma once

#include "ui/cli/options.h"
#include "ui/session/club_file.h"

namespace fos {

// Declares `--db FILE` with the same help text for every command.
Options& AddClubFlag(Options& options, ClubFlag& flag);

}  // namespace fos
