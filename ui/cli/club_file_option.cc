// SPDX-License-Identifier: MIT
#include "ui/cli/club_file_option.h"

namespace fos {

Options& AddClubFileOption(Options& options, ClubFileOption& flag) {
  return options.Text("db", "FILE", flag.file,
                      "the club's file; default ~/.local/share/fallofshot/club.db");
}

}  // namespace fos
