// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <opencv2/aruco.hpp>

#include "engine/table/result.h"

namespace fos {

// One of OpenCV's marker dictionaries by the name it has there, "DICT_4X4_50".
// errors  kBadFormat: no such name; the message lists those there are.
Result<cv::Ptr<cv::aruco::Dictionary>> DictionaryNamed(const std::string& name);

}  // namespace fos
