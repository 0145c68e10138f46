#pragma once

#include <array>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "calibration/camera/camera_model.h"
#include "calibration/lens/lens_collector.h"
#include "engine/table/result.h"
#include "engine/table/scenario.h"
#include "ui/session/find_table.h"
#include "vision/image/frame.h"
#include "vision/image/picture_hints.h"

namespace fos {

// The camera while it is set up: what it shows, how it could be set better, its lens, the table
// found in its picture, the paints under this light. By value or pointers to what never changes.
struct CameraSeen {
  std::string source;  // in people's words: "camera 0", a file; empty: none is open
  std::string why;     // it gives no pictures, in one sentence; empty: it does
  bool ended = false;  // a recording, at its last picture
  Frame frame;         // the newest picture
  std::vector<Hint> hints;
  std::string busy;  // what is being worked on meanwhile, "Looking for the table"

  std::shared_ptr<const CameraModel> lens;  // null: none was calibrated yet
  bool collecting = false;                  // views of the board
  LensCollection views;                     // so far
  std::string lens_said;                    // what became of it

  std::shared_ptr<const PlacedTable> found;  // null until found
  std::string table_said;                    // why not, or where from

  std::shared_ptr<const ColoursSeen> colours;  // null until looked at
  std::string colours_said;
  std::string saved;  // what became of the last SaveRig
};

// What people ask of it.
struct OpenCamera {
  std::string source;  // device number, file, folder of a clip, URL
};
// From what is held before the camera; of a folder of photographs, from all of them at once.
struct CollectLens {
  CharucoSpec board;
};
struct StopLens {};
struct FindTheTable {
  TableSpec table;
  TableWays ways;
};
struct LearnColours {
  TableSpec table;
  Scenario scenario;
};
// And the lens by itself beside it, as camera.yaml: whichever of the two is known.
struct SaveRig {
  std::filesystem::path file;
  TableSpec table;
};
using CameraAsk =
    std::variant<OpenCamera, CollectLens, StopLens, FindTheTable, LearnColours, SaveRig>;

// Takes what people ask of the camera.
class CameraAsks {
 public:
  virtual ~CameraAsks() = default;
  virtual void Post(CameraAsk ask) = 0;
};

// On a thread of its own; the window never waits for it.
class SetupCamera : public CameraAsks {
 public:
  // lens     of an earlier calibration; empty: none, a common webcam's is taken for granted.
  // on_news  called from its thread when there is something new. May be empty.
  SetupCamera(std::optional<CameraModel> lens, std::function<void()> on_news);
  ~SetupCamera() override;
  SetupCamera(const SetupCamera&) = delete;
  SetupCamera& operator=(const SetupCamera&) = delete;

  std::shared_ptr<const CameraSeen> Now() const;  // never null
  void Post(CameraAsk ask) override;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// The cameras of this machine, "0" for /dev/video0 and so on, in order, each with its name where
// the system tells it.
struct CameraDevice {
  std::string source;
  std::string name;
};
std::vector<CameraDevice> CameraDevices(
    const std::filesystem::path& dev = "/dev",
    const std::filesystem::path& sys = "/sys/class/video4linux");

}  // namespace fos
