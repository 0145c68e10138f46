#pragma once

#include <cstdint>
#include <filesystem>
#include <opencv2/core.hpp>
#include <vector>

namespace fos {

// Reads a picture from a .png or .jpg file, or from its bytes. Empty if it is truncated or broken.
// Checks for truncation first: OpenCV's decoders print a warning and return part of the picture.
// flags  as of cv::imread
cv::Mat ReadPicture(const std::filesystem::path& file, int flags);
cv::Mat PictureFrom(const std::vector<std::uint8_t>& bytes, int flags);

}  // namespace fos
