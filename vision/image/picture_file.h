#pragma once

#include <cstdint>
#include <filesystem>
#include <opencv2/core.hpp>
#include <vector>

namespace fos {

// A picture that lies in a file, .png or .jpg, or the bytes of one; empty where it cannot be read
// to its end. The decoders grumble about a broken one on standard error and give what there is of
// it: what was copied in half is found out before they are asked. flags  as cv::imread takes them.
cv::Mat ReadPicture(const std::filesystem::path& file, int flags);
cv::Mat PictureFrom(const std::vector<std::uint8_t>& bytes, int flags);

}  // namespace fos
