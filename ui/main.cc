// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <ext/stdio_filebuf.h>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include <unistd.h>
#include <opencv2/core/utils/logger.hpp>

#include "ui/cli/commands.h"
#include "ui/commit.h"
#include "ui/window/doctor_command.h"
#include "ui/window/live_command.h"
#include "ui/window/setup_command.h"
#include "ui/window/window.h"

namespace {

int own_errors = STDERR_FILENO;  // where our own lines go

// Libraries write about a broken file too: libjpeg, libpng and FFmpeg straight to standard error,
// beside the one line that says what to do. From now on only our own lines reach it.
void SilenceLibraries() {
  cv::utils::logging::setLogLevel(cv::utils::logging::LOG_LEVEL_SILENT);
  setenv("OPENCV_FFMPEG_LOGLEVEL", "-8", /*overwrite=*/0);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  const int kept = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (kept >= 0 && nowhere >= 0 && dup2(nowhere, STDERR_FILENO) >= 0) own_errors = kept;
  if (nowhere >= 0) close(nowhere);
#endif
}

// On a thread of its own no exception is caught: it must not end the program without a word.
[[noreturn]] void Terminate() {
  constexpr std::string_view kWord = "fallofshot: internal error, please report it: terminated\n";
  (void)!write(own_errors, kWord.data(), kWord.size());
  std::abort();
}

}  // namespace

int main(int argc, char** argv) {
  // A closed pipe (`| head`) is an error to report, not a signal to die from.
  std::signal(SIGPIPE, SIG_IGN);
  const bool err_is_terminal = isatty(STDERR_FILENO) != 0;
  SilenceLibraries();
  std::set_terminate(&Terminate);
  __gnu_cxx::stdio_filebuf<char> buffer(own_errors, std::ios::out);
  std::ostream err(&buffer);
  err << std::unitbuf;
  fos::Console console{std::cout, err, err_is_terminal};
  const int status = fos::RunCommandLine(
      {argv + (argc > 0 ? 1 : 0), argv + argc}, console,
      {.commands = {fos::LiveCommand(), fos::SetupCommand(), fos::DoctorCommand(),
                    fos::ReplayCommand()},
       .start = &fos::StartFallofshot,
       .commit = fos::kSourceCommit,
       .libraries = fos::WindowLibraries()});
  // A thread that waits for a silent stream must not find the libraries gone.
  if (fos::WaitsForASilentStream()) {
    std::cout.flush();
    err.flush();
    _exit(status);
  }
  return status;
}
