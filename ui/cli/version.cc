// SPDX-License-Identifier: MIT
#include "ui/cli/version.h"

#include <boost/version.hpp>
#include <fmt/format.h>
#include <opencv2/core/utility.hpp>

#include "engine/journal/journal.h"
#include "ui/report/report.h"

namespace fos {

std::string VersionText(const std::string& commit, const std::vector<std::string>& libraries) {
  std::string out = fmt::format("fallofshot {}, commit {}\nwith OpenCV {}, SQLite {}, Cairo {}",
                                FOS_VERSION, commit.empty() ? "unknown" : commit,
                                cv::getVersionString(), SqliteVersion(), CairoVersion());
  for (const std::string& library : libraries) out += ", " + library;
  // Templates and static libraries are what they were when the program was built.
  return out + fmt::format(", Boost {}.{}.{}, fmt {}.{}.{}, {}\n", BOOST_VERSION / 100000,
                           BOOST_VERSION / 100 % 1000, BOOST_VERSION % 100, FMT_VERSION / 10000,
                           FMT_VERSION / 100 % 100, FMT_VERSION % 100, FOS_LIBRARIES);
}

}  // namespace fos
