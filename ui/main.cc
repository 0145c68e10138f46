#include <csignal>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include <unistd.h>
#include <opencv2/core/utils/logger.hpp>

#include "ui/cli/commands.h"
#include "ui/window/doctor_command.h"
#include "ui/window/live_command.h"
#include "ui/window/setup_command.h"

int main(int argc, char** argv) {
  // A closed pipe (`| head`) is an error to report, not a signal to die from.
  std::signal(SIGPIPE, SIG_IGN);
  // Library messages about a broken file would hide the one line that says what to do.
  cv::utils::logging::setLogLevel(cv::utils::logging::LOG_LEVEL_SILENT);
  setenv("OPENCV_FFMPEG_LOGLEVEL", "-8", /*overwrite=*/0);
  fos::Console console{std::cout, std::cerr, isatty(STDERR_FILENO) != 0};
  return fos::RunCommandLine(
      {argv + (argc > 0 ? 1 : 0), argv + argc}, console,
      {fos::LiveCommand(), fos::SetupCommand(), fos::DoctorCommand(), fos::ReplayCommand()});
}
