// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include <opencv2/core.hpp>

#include "calibration/registration/table_registration.h"
#include "engine/table/scenario.h"

namespace fos {

// What one frame says about whether the camera still hangs where it was.
struct WatchReading {
  enum class State {
    kSteady,
    kMoved,       // by more than the tolerance, in several frames running: find the table again
    kCannotTell,  // too little of what is watched is in view: a hand, or a lamp gone out
  };
  State state = State::kSteady;  // also while a shift is above the tolerance but not yet sure
  // Mean shift of the playing area in the picture since the reference, pixels; of this frame alone.
  double shift_px = 0;
  double shift_in = 0;  // the same at the table
  double in_view = 0;   // share of the watched patches that are recognised, [0, 1]
  // How steep the patches' edges are, as a share of the reference's: where the lens blurs by as
  // much again as it did, 0.7. 0 when none is seen.
  double sharpness = 0;
  // The shift stays what it is: a knocked camera has come to rest and the table can be found again.
  // A camera that creeps is not at rest.
  bool at_rest = true;
  // Where a pixel of the reference is in this frame; set while the shift is above the tolerance.
  // A homography, as of a camera that turns; of few patches, a similarity.
  std::optional<cv::Matx33d> now_from_reference;
};

// Watches small patches about the markers' corners and the grid's crossings, and compares each with
// how it looked when the table was registered. They are looked at in lightness; where there are no
// markers and the drawn lines are hardly lighter or darker than the cloth, along the colour in
// which the two differ. Patches are compared after taking out brightness and contrast, so lamps and
// exposure do not count; a shift counts only as far as the patches agree on one motion of the whole
// picture, so neither do pushed markers or moved troops. Remembers the reference and the last few
// readings; make a new one after each registration. source  Baker & Matthews, Lucas-Kanade 20 years
// on, IJCV 56 (2004): inverse composition.
class CameraWatch {
 public:
  struct Options {
    // Half of the 0.03 in that must be noticed: two standard deviations below it, and above what
    // coding and noise do (0.002 in).
    double tolerance_in = 0.015;
    int frames_to_be_sure = 3;  // in a row; 0.2 s at 15 frames a second
  };

  // picture  CV_8UC1 or CV_8UC3 (blue, green, red), the frame (or mean of frames) the table was
  //          registered in.
  CameraWatch(const cv::Mat& picture, const TableRegistration& table, const TableSpec& spec,
              const Options& options);
  CameraWatch(const cv::Mat& picture, const TableRegistration& table, const TableSpec& spec)
      : CameraWatch(picture, table, spec, Options()) {}

  // picture  the next frame. One of another size or type reads as kCannotTell.
  WatchReading operator()(const cv::Mat& picture);

  std::size_t patches() const { return patches_.size(); }
  bool by_colour() const { return by_colour_.has_value(); }

 private:
  struct Patch {
    cv::Point2d centre;
    std::vector<float> look;        // mean taken off, divided by its spread
    std::vector<float> gradient_x;  // of `look`
    std::vector<float> gradient_y;
    cv::Matx22d inverse;   // of the gradients' second moments
    double steepness = 0;  // sum of the squared gradients
    cv::Mat coarse;        // every second pixel, for finding it again after a large knock
  };
  struct Seen {
    cv::Point2d at;  // from the middle of the picture
    cv::Point2d shift;
    double sharpness = 0;  // of this patch
  };
  // One motion of the whole picture about its middle.
  struct Motion {
    double dx = 0, dy = 0, turn = 0, growth = 0;
    cv::Point2d At(cv::Point2d p) const {
      return {dx + growth * p.x - turn * p.y, dy + turn * p.x + growth * p.y};
    }
  };

  // Writes what is looked at into `out`, of the picture's size: a part of both.
  void Watch(const cv::Mat& picture, cv::Mat out) const;
  void AddMarkers(const cv::Mat& grey, const TableRegistration& table, const FiducialSpec& spec);
  void AddCrossings(const cv::Mat& grey, const TableCamera& camera, const TableFrame& frame);
  bool AddPatch(const cv::Mat& grey, cv::Point2d centre);
  // sharpness  takes that of the aligned patch; may be null
  bool Align(const cv::Mat& grey, const Patch& patch, cv::Point2d& shift,
             double* sharpness = nullptr) const;
  std::vector<Seen> Track(const cv::Mat& picture, const Motion& near);
  std::optional<Motion> SearchAll(const cv::Mat& grey) const;
  cv::Matx33d NowFromReference(const std::vector<Seen>& seen, const Motion& motion) const;
  static std::optional<Motion> CommonMotion(const std::vector<Seen>& seen, const Motion& near);
  bool Search(const cv::Mat& grey, const Patch& patch, cv::Point2d& shift) const;

  Options options_;
  cv::Size size_;
  int type_ = 0;
  std::optional<cv::Matx14f> by_colour_;  // of blue, green, red and 1: what is looked at instead
  double px_per_in_ = 1;
  std::vector<cv::Point2d> corners_;  // of the playing area, pixels
  std::vector<Patch> patches_;
  cv::Mat grey_;  // written over in every frame, where something is looked at
  Motion last_motion_;
  Motion rest_motion_;  // when the camera came to rest last
  int over_ = 0;        // readings above the tolerance in a row
  int rest_ = 0;        // readings with the same shift in a row
};

}  // namespace fos
