#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/table/decision.h"
#include "engine/table/observation.h"
#include "engine/table/scenario.h"
#include "vision/pipeline/pipeline.h"

// What is kept of a shot: all that it was measured and judged from, so that it can be measured
// again years later without the recording (docs/files.md, "a kept shot").
namespace fos {

struct ArchivedShot {
  ShotSeen seen;  // the pictures before and after, the camera, and what was made of them then
  std::vector<StandObservation> stands;  // as last seen: what a rule says may hang on any of them
  TableFrame table;
  // What measuring and judging read of it: all but its name and turns.
  Scenario scenario;
  DecisionPolicy policy;
  std::string method;  // how the table was found: fiducials, grid, manual
  double table_rms_in = 0;
};

// A shot as it was seen and judged.
ArchivedShot Keep(const ShotSeen& seen, const std::vector<StandObservation>& stands,
                  const TableFrame& table, const Scenario& scenario, const DecisionPolicy& policy,
                  const TableRegistration& registration);

// The files of a kept shot: its pictures lossless, and the numbers.
inline constexpr const char* kArchiveNames[] = {"before.png", "after.png", "changed.png",
                                                "shot.json"};
struct ArchivedFile {
  std::string name;
  std::string bytes;
};
// errors  kIo where a picture cannot be coded.
Result<std::vector<ArchivedFile>> FilesOf(const ArchivedShot& shot);
// from  where the files come from, for the errors' words.
// errors  kNotFound for a file that lacks, kBadFormat, kOutOfRange with the file and the key.
Result<ArchivedShot> ArchivedShotFrom(const std::vector<ArchivedFile>& files,
                                      const std::string& from);

// The same from a folder.
Result<ArchivedShot> ReadArchivedShot(const std::filesystem::path& folder);

}  // namespace fos
