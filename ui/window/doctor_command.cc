#include "ui/window/doctor_command.h"

#include <algorithm>
#include <ostream>

#include <fmt/format.h>

#include "ui/cli/club_file_option.h"
#include "ui/cli/doctor.h"
#include "ui/cli/options.h"
#include "ui/session/club_file.h"
#include "ui/window/window.h"

namespace fos {
namespace {

int RunDoctor(const std::vector<std::string>& arguments, Console& console) {
  ClubFileOption club;
  Options options(
      "doctor [options]",
      "Checks the club's file, the disk, the cameras, the display and the program, and says what "
      "to do about each fault.");
  AddClubFileOption(options, club);
  if (const auto status = ReadArguments(options, "doctor", arguments, console)) return *status;
  DoctorOptions examine;
  examine.club = club.Path();
  examine.now_unix_s = UnixNow();
  std::vector<Finding> findings = Examine(examine);
  const Result<GraphicsCard> card = AskGraphicsCard();
  findings.push_back(card.ok() ? ExamineRenderer(card->renderer, card->version)
                               : Finding{Finding::Health::kNote, "graphics", card.error().message,
                                         "only live, setup and replay --window need a display"});
  console.out << InLines(findings);
  const auto to_mend = std::count_if(findings.begin(), findings.end(), [](const Finding& one) {
    return one.health == Finding::Health::kMend;
  });
  if (to_mend == 0) return kExitDone;
  return BadInput(console, fmt::format("{} fault{}; the lines marked MEND say what to do", to_mend,
                                       to_mend == 1 ? "" : "s"));
}

}  // namespace

Command DoctorCommand() { return {"doctor", "check files, disk, cameras and display", &RunDoctor}; }

}  // namespace fos
