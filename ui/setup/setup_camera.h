// SPDX-License-Identifier: MIT
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
#include "vision/stands/army_spots.h"

namespace fos {

// The camera while it is set up: its picture, hints for setting it, its lens, the table found in
// the picture, the paints in this light. Pointers are to values that never change.
struct CameraSeen {
  std::string source;  // for players: "camera 0", a file; empty: none is open
  std::string why;     // why there are no pictures, one sentence; empty: there are
  bool ended = false;  // a recording has ended
  Frame frame;         // the newest picture
  std::vector<Hint> hints;
  std::string busy;  // the slow work in progress: "Looking for the table"

  std::shared_ptr<const CameraModel> lens;  // null: not calibrated yet
  bool collecting = false;                  // collecting views of the board
  LensCollection views;                     // so far
  std::string lens_said;                    // the outcome of the calibration

  std::shared_ptr<const PlacedTable> found;  // null until found
  std::string table_said;                    // how it was found, or why not

  std::shared_ptr<const ColoursSeen> colours;  // null until learnt
  std::string colours_said;
  std::shared_ptr<const std::vector<ArmySpot>> armies;  // null until read off the picture
  std::string armies_said;                              // the outcome
  std::string saved;  // the outcome of the last SaveRig
};

// Requests to the camera.
struct OpenCamera {
  std::string source;  // device number, file, folder of a clip, URL
};
// Calibrate the lens from the live picture, or from a folder of photographs at once.
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
// See in which squares the sides' paints lie.
struct ReadArmies {
  TableSpec table;
  Scenario scenario;
};
// Write the rig, and the lens beside it as camera.yaml: whichever is known.
struct SaveRig {
  std::filesystem::path file;
  TableSpec table;
};
using CameraAsk =
    std::variant<OpenCamera, CollectLens, StopLens, FindTheTable, LearnColours, ReadArmies, SaveRig>;

// Takes the requests.
class CameraAsks {
 public:
  virtual ~CameraAsks() = default;
  virtual void Post(CameraAsk ask) = 0;
};

// Works on its own thread; the window never waits for it.
class SetupCamera : public CameraAsks {
 public:
  // lens     of an earlier calibration; empty: a common webcam's lens is assumed.
  // on_news  called from that thread when there is something new. May be empty.
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

// The cameras of this machine in order ("0" for /dev/video0), with their names if the system knows
// them.
struct CameraDevice {
  std::string source;
  std::string name;
};
std::vector<CameraDevice> CameraDevices(
    const std::filesystem::path& dev = "/dev",
    const std::filesystem::path& sys = "/sys/class/video4linux");

}  // namespace fos
