// SPDX-License-Identifier: MIT
#pragma once

#include <opencv2/core.hpp>

namespace fos {

// Whether a change of the picture is cut off along the lines between a codec's blocks: what a
// damaged stream leaves until the next whole picture. Things lie across those lines, and the lens
// blurs their edges over more than one pixel.
// bgr, background  CV_8UC3, of one size: the picture now, as the camera delivered it, and without
//                  the change
// gain             the picture's exposure over the background's, by channel
// part             where the change is
// noise            one sigma of a pixel of one picture, grey levels
// source           ITU-T H.264, 6.4 (macroblocks of 16 x 16 pixels); ISO/IEC 10918-1 (JPEG).
bool HasBrokenBlocks(const cv::Mat& bgr, const cv::Mat& background, const cv::Vec3d& gain,
                     const cv::Rect& part, double noise);

// The share of a picture's blocks that are of one and the same colour from corner to corner,
// neither as bright nor as dark as a picture can be, where the background is of others: what a
// decoder puts where it has nothing to decode. No sensor's grain leaves blocks like that.
// bgr, background  as above
double ShareOfConcealedBlocks(const cv::Mat& bgr, const cv::Mat& background);

}  // namespace fos
