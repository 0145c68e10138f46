// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <opencv2/core.hpp>

// Recordings as cameras, phones and recorders write them, faults included.
namespace fos::test {

struct StampedPicture {
  double stamp_s = 0;
  std::vector<std::uint8_t> jpeg;
};
StampedPicture Stamped(double stamp_s, const cv::Mat& bgr);

struct MatroskaOptions {
  // Of the header, seconds; empty as in a recording that was never closed.
  std::optional<double> duration_s;
  // Per frame, seconds; empty: the header states no rate.
  std::optional<double> frame_s = 1.0 / 30;
};
// MJPEG in Matroska, with any time stamps whole milliseconds from 0; they need not rise.
std::string Matroska(const std::vector<StampedPicture>& pictures, cv::Size size,
                     const MatroskaOptions& options);

// Writes these pictures with OpenCV; the file's ending gives the container.
// fourcc  such as "MJPG"
void WriteRecording(const std::filesystem::path& file, const std::vector<cv::Mat>& pictures,
                    double fps, const char* fourcc);

// The bytes of an MP4 or QuickTime recording with the flag that it is shown turned clockwise by
// 90, 180 or 270 degrees.
std::string TurnedBy(int degrees, std::string mp4);

}  // namespace fos::test
