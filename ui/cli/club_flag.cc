#include "ui/cli/club_flag.h"

namespace fos {

Options& AddClubFlag(Options& options, ClubFlag& flag) {
  return options.Text("db", "FILE", flag.file,
                      "the club's file; ~/.local/share/fallofshot/club.db when not given");
}

}  // namespace fos
