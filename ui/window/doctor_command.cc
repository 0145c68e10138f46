#include "ui/window/doctor_command.h"
#include "ui/cli/club_flag.h"

#include <algorithm>
#include <ostream>

#include <fmt/format.h>

#include "ui/cli/doctor.h"
#include "ui/cli/options.h"
#include "ui/session/club_file.h"
#include "ui/window/window.h"

namespace fos {
namespace {

int RunDoctor(const std::vector<std::string>& arguments, Console& console) {
  ClubFlag club;
  Options options(
      "doctor [options]",
      "Looks at the club's file, the disk, the cameras, the display and the program, and "
      "says what to mend.");
  AddClubFlag(options, club);
  const Result<bool> parsed = options.Parse(arguments);
  if (!parsed.ok()) return BadUsage(console, "doctor", parsed.error().message);
  if (*parsed) {
    console.out << options.Help();
    return kExitDone;
  }
  DoctorOptions examine;
  examine.club = club.Path();
  examine.now_unix_s = UnixNow();
  std::vector<Finding> findings = Examine(examine);
  const Result<GraphicsCard> card = AskGraphicsCard();
  findings.push_back(card.ok()
                         ? ExamineRenderer(card->renderer, card->version)
                         : Finding{Finding::Health::kNote, "graphics", card.error().message,
                                   "judge, play, replay and report need no display; live does"});
  console.out << InLines(findings);
  const auto to_mend = std::count_if(findings.begin(), findings.end(), [](const Finding& one) {
    return one.health == Finding::Health::kMend;
  });
  if (to_mend == 0) return kExitDone;
  return BadInput(console,
                  fmt::format("{} to mend; the lines with MEND say how",
                              to_mend == 1 ? "one thing" : fmt::format("{} things", to_mend)));
}

}  // namespace

Command DoctorCommand() {
  return {"doctor", "check file, disk, cameras and display, and say what to mend", &RunDoctor};
}

}  // namespace fos
