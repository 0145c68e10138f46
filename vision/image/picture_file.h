// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <opencv2/core.hpp>
#include <vector>

namespace fos {

// Whether a file has a name of a kind that ReadPicture reads (.png, .jpg, .jpeg, .webp), in small
// or capital letters.
bool IsPictureName(const std::filesystem::path& file);
// The files of a folder with such names, in order of their names; empty when there are none or the
// folder cannot be read.
std::vector<std::filesystem::path> PictureFiles(const std::filesystem::path& folder);
// Its pictures of kinds that ReadPicture does not read (.heic, .bmp, .tif, raw files and so on).
std::vector<std::filesystem::path> UnreadPictureFiles(const std::filesystem::path& folder);

// Reads a picture from a PNG, JPEG or WebP file, or from its bytes. Empty if it is truncated or
// broken, of another format, no regular file, larger than 256 MB or than 20,000 pixels on a side.
// Checks for truncation first: OpenCV's decoders print a warning and return part of the picture.
// flags  as of cv::imread
cv::Mat ReadPicture(const std::filesystem::path& file, int flags);
cv::Mat PictureFrom(const std::vector<std::uint8_t>& bytes, int flags);

}  // namespace fos
