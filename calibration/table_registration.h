#pragma once

#include <string>
#include <vector>

#include <opencv2/core.hpp>

#include "calibration/table_camera.h"
#include "engine/table/scenario.h"

namespace fos {

// Where the camera hangs over the table, found from one picture, and how far to trust it.
struct TableRegistration {
  TableCamera camera;
  enum class Method { kFiducials, kGrid, kManual } method = Method::kFiducials;
  double rms_px = 0;  // of what was fitted
  double rms_in = 0;  // the same on the table
  struct Residual {   // of grid crossings (or marker corners) left out of the fit
    Vec2 at;
    Vec2 error_in;
  };
  std::vector<Residual> held_out;
  std::vector<int> markers_used;
  std::string sentence;  // good, usable, or not to be trusted and what to do
};

// From the corner markers, refined by the drawn grid where it is seen.
// grey    CV_8UC1, the size of the lens.
// errors  kNotFound when fewer markers are seen than fix a pose (none, and no grid either).
Result<TableRegistration> RegisterTable(const cv::Mat& grey, const CameraModel& lens,
                                        const TableSpec& table);

}  // namespace fos
