// SPDX-License-Identifier: MIT
#include "ui/cli/club_file_option.h"

namespace fos {

Options& AddClubFileOption(Options& options, ClubFileOption& flag) {
  return options.Text("db", "FILE", flag.file,
                      "the club's file; default ~/.local/share/fallofshot/club.db");
}

Options& AddClubToRead(Options& options, ClubFileOption& flag) {
  return options.Text("club", "ADDRESS", flag.server,
                      "read the club's server instead: postgresql://HOST/DATABASE (docs/club.md)");
}

Options& AddClubToCopyTo(Options& options, ClubFileOption& flag) {
  return options.Text("club", "ADDRESS", flag.server,
                      "copy the club's file to the club's server in the background: "
                      "postgresql://HOST/DATABASE (docs/club.md)");
}

}  // namespace fos
