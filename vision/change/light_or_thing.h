// SPDX-License-Identifier: MIT
#pragma once

#include <opencv2/core.hpp>
#include <optional>

#include "vision/change/changed_components.h"
#include "vision/change/picture_pair.h"

namespace fos {

// Tells, from one picture and the background, what is another light on the table and what is a
// thing that came to lie there.

// How far about a change the light is looked at that falls there.
inline constexpr double kLightsEdge_in = 0.7;

// Narrower than any wrist: what is nearer to the camera looks wider still.
inline constexpr double kWrist_in = 1.2;

// What lies over the table in a component, by what is left of the table's pattern and colours.
enum class Cover {
  kLight,      // the table's pattern is there, brighter or darker
  kOtherTint,  // the colours are no light's or shade's on the table: something opaque
  kUnclear
};
// labels  CV_32SC1, of the pictures' size
// rect    of the component with this label
Cover CoverOf(const PicturePair& pair, const cv::Mat& labels, int label, const cv::Rect& rect);

// A component and as much about it as tells the light there.
cv::Rect AboutOf(const PicturePair& pair, const cv::Rect& component);

// By how much the picture differs from the background in the light that falls in the places about
// (GainsOfLit), more than the light may change paints: grey levels, CV_8UC1; 255 far from them.
// lit  CV_8UC1, of the pictures' size: 255 where that light falls
cv::Mat OffLitAbout(const PicturePair& pair, const cv::Mat& lit);

// Whether a wide change is what an edge of light has moved over: thinner than a finger, or longer
// than an arm and thinner than a wrist, and as lit everywhere.
// changed  CV_8UC1, of the pictures' size: 255 in the component
// cover    the component's
bool IsLightsEdge(const PicturePair& pair, const cv::Mat& changed,
                  const ChangedComponent& component, Cover cover);

// Where in a small component something else has changed than the light that falls about it;
// empty where no other light falls.
// it       CV_8UC1, of the size of the rectangle `about` it: not 0 in the component
// changed  CV_8UC1, of the pictures' size: 255 in what has changed
std::optional<cv::Mat> OtherThanLightAbout(const PicturePair& pair, const cv::Mat& it,
                                           const cv::Rect& about, const cv::Mat& changed);

// Where in a change of light the colour changed as no light changes it: a thing came there.
// lit  CV_8UC1 of rect's size, not 0 in the component
cv::Mat OtherTint(const PicturePair& pair, const cv::Mat& lit, const cv::Rect& rect);

// Where on the board the picture shows something else than the known one: pixels that no known
// picture displaced by a tenth of an inch could show. They are compared in one exposure.
// seen   CV_8UC1, of the pictures' size: 255 where the known one is valid
// board  CV_8UC1, likewise: 255 on the playing area
cv::Mat SomethingElse(const PicturePair& pair, const cv::Mat& seen, const cv::Mat& board);

}  // namespace fos
