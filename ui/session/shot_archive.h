// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/table/decision.h"
#include "engine/table/observation.h"
#include "engine/table/scenario.h"
#include "vision/pipeline/pipeline.h"

// The archive of a shot: everything it was measured and judged from, so that it can be measured
// again years later without the recording (docs/files.md, "A shot's archive").
namespace fos {

struct ArchivedShot {
  ShotSeen seen;  // the pictures before and after, the camera, and the measurement
  std::vector<StandObservation> stands;  // as last observed; a ruling may depend on any of them
  TableFrame table;
  Scenario scenario;  // without its name and turns, which no measurement or ruling needs
  DecisionPolicy policy;
  std::string method;  // how the table was found: fiducials, grid, manual
  double table_rms_in = 0;
};

// Collects what a shot was measured and judged from.
ArchivedShot ArchiveShot(const ShotSeen& seen, const std::vector<StandObservation>& stands,
                         const TableFrame& table, const Scenario& scenario,
                         const DecisionPolicy& policy, const TableRegistration& registration);

// The files of an archived shot: its pictures (lossless) and its numbers.
inline constexpr const char* kArchiveNames[] = {"before.png", "after.png", "changed.png",
                                                "shot.json"};
struct ArchivedFile {
  std::string name;
  std::string bytes;
};
// errors  kIo: a picture cannot be encoded.
Result<std::vector<ArchivedFile>> FilesOf(const ArchivedShot& shot);
// from    the place of the files, for messages.
// errors  kNotFound: a file is missing; kBadFormat, kOutOfRange: the message names file and key.
Result<ArchivedShot> ArchivedShotFrom(const std::vector<ArchivedFile>& files,
                                      const std::string& from);

// The same from a folder.
Result<ArchivedShot> ReadArchivedShot(const std::filesystem::path& folder);

}  // namespace fos
