// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <opencv2/core.hpp>

#include "calibration/camera/table_camera.h"
#include "engine/table/observation.h"
#include "engine/table/result.h"
#include "vision/shots/shot_detector.h"

namespace fos {

// One stand on an evidence picture, with the numbers that were measured.
struct EvidenceStand {
  std::string name;             // "F-1L1#2"
  std::array<Vec2, 4> corners;  // footprint, inches
  double top_in = 0;            // height of its base's top: the outline is drawn where it is seen
  Vec2 nearest;                 // its point nearest to the shot's
  double distance_in = 0;
  double sigma_in = 0;
  double limit_in = 0;  // the circle's radius, or the touch radius
  std::string label;    // "F-1L1#2: 0.68 +/- 0.03 in, hit", for the strip below the pictures
  enum class Colour { kHit, kMiss, kTooClose } colour = Colour::kMiss;
};

// A thin line from a place to the label that stands off from it.
struct LabelLeader {
  cv::Point from;
  cv::Point to;
};
// The line of a label that was placed there, from where it leaves `taken`, so that a point that is
// kept free stays so. None where the label lies over `wanted`, or beside what is kept free about
// it.
std::optional<LabelLeader> LeaderTo(const cv::Rect& place, cv::Point wanted,
                                    const std::vector<cv::Rect>& taken);
// Where a label of that size goes on a picture: as near to `wanted` (its middle) as it covers none
// of `taken` and no edge of the picture; where there is no such place, where it covers least. Of
// places that cover nothing, one whose leader crosses none of `taken` and that lies over none of
// `leaders`, if there is one.
cv::Rect PlaceLabel(cv::Size label, cv::Point wanted, cv::Size picture,
                    const std::vector<cv::Rect>& taken,
                    const std::vector<LabelLeader>& leaders = {});

// What two people arguing need to see of one shot.
struct EvidenceRequest {
  cv::Mat before;  // CV_8UC3, whole picture
  cv::Mat after;   // CV_8UC3, whole picture
  TableCamera camera;
  ShotObservation shot;
  double circle_in = 1.0;
  std::vector<EvidenceStand> stands;
  std::vector<std::string> lines;  // for the strip below the pictures
  // What the image model expects to see with the projectile in its place; null where a person's
  // word placed it.
  std::shared_ptr<const PredictedView> predicted;
  // What lies there, table frame at the shot's height, where its point is not known and people are
  // asked: it is drawn in place of circle and cross. Empty for a measured shot.
  Polygon asked;
};

// The views of a shot's place from straight above. CV_8UC3.
struct EvidencePanels {
  cv::Mat before;
  // With the circle and its doubt band, every footprint near by its name, and the shortest lines.
  // The thick piece of each is where it ends nineteen times in twenty: the call is too close where
  // that piece crosses the circle.
  cv::Mat after;
  // Both half as large and without a line on them; empty where nothing was predicted.
  cv::Mat predicted;  // the picture before with the projectile as the image model sees it
  cv::Mat
      unexplained;  // twice the picture after less the predicted one, on grey: grey where it fits
};
EvidencePanels DrawEvidencePanels(const EvidenceRequest& request);
// The panels side by side, the smaller ones on top of each other, with the numbers of the request
// below. CV_8UC3.
cv::Mat DrawEvidence(const EvidenceRequest& request, const EvidencePanels& panels);
// Both steps. CV_8UC3.
cv::Mat DrawEvidence(const EvidenceRequest& request);
// The point and what is about it, magnified: its one and two sigma, and for every stand near the
// line on which the point would lie exactly at the limit. To see which call turns when the point is
// moved. CV_8UC3.
cv::Mat DrawTurningLines(const EvidenceRequest& request);
// errors  kIo, kUnsupported for a name that is no picture's, with the file.
Status WritePicture(const cv::Mat& picture, const std::filesystem::path& file);

}  // namespace fos
