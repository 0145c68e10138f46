// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <opencv2/core.hpp>
#include <vector>

namespace fos {

// Reads a picture from a PNG or JPEG file, or from its bytes. Empty if it is truncated or broken,
// of another format, no regular file, larger than 256 MB or than 20,000 pixels on a side. Checks
// for truncation first: OpenCV's decoders print a warning and return part of the picture.
// flags  as of cv::imread
cv::Mat ReadPicture(const std::filesystem::path& file, int flags);
cv::Mat PictureFrom(const std::vector<std::uint8_t>& bytes, int flags);

}  // namespace fos
