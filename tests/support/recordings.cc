// SPDX-License-Identifier: MIT
#include "tests/support/recordings.h"

#include <bit>
#include <cmath>
#include <map>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/videoio.hpp>
#include <stdexcept>

namespace fos::test {
namespace {

std::string Bytes(std::uint64_t value, int count) {
  std::string out;
  for (int i = count - 1; i >= 0; --i) out += static_cast<char>(value >> (8 * i) & 0xff);
  return out;
}

// An element of EBML: id, size in eight bytes, content.
std::string Part(std::uint32_t id, const std::string& content) {
  std::string out;
  int length = 4;
  while (length > 1 && (id >> (8 * (length - 1))) == 0) --length;
  return Bytes(id, length) + Bytes(0x0100000000000000ull | content.size(), 8) + content;
}
std::string Number(std::uint32_t id, std::uint64_t value) { return Part(id, Bytes(value, 8)); }
std::string Float(std::uint32_t id, double value) {
  return Part(id, Bytes(std::bit_cast<std::uint64_t>(value), 8));
}

}  // namespace

StampedPicture Stamped(double stamp_s, const cv::Mat& bgr) {
  StampedPicture out{stamp_s, {}};
  cv::imencode(".jpg", bgr, out.jpeg, {cv::IMWRITE_JPEG_QUALITY, 95});
  return out;
}

// RFC 9559. One cluster a picture, so that each has a stamp of its own.
std::string Matroska(const std::vector<StampedPicture>& pictures, cv::Size size,
                     const MatroskaOptions& options) {
  constexpr double kNanosecondsPerTick = 1e6;
  std::string info = Number(0x2AD7B1, static_cast<std::uint64_t>(kNanosecondsPerTick)) +
                     Part(0x4D80, "test") + Part(0x5741, "test");
  if (options.duration_s) info += Float(0x4489, *options.duration_s * 1000);
  std::string track = Number(0xD7, 1) + Number(0x73C5, 1) + Number(0x83, 1) +
                      Part(0x86, "V_MJPEG") +
                      Part(0xE0, Number(0xB0, static_cast<std::uint64_t>(size.width)) +
                                     Number(0xBA, static_cast<std::uint64_t>(size.height)));
  if (options.frame_s) {
    track += Number(0x23E383, static_cast<std::uint64_t>(std::lround(*options.frame_s * 1e9)));
  }
  std::string segment = Part(0x1549A966, info) + Part(0x1654AE6B, Part(0xAE, track));
  for (const StampedPicture& picture : pictures) {
    const std::string block = Bytes(0x81, 1) + Bytes(0, 2) +
                              Bytes(0x80, 1) +  // track 1, at the cluster's time, key
                              std::string(picture.jpeg.begin(), picture.jpeg.end());
    segment += Part(0x1F43B675,
                    Number(0xE7, static_cast<std::uint64_t>(std::lround(picture.stamp_s * 1000))) +
                        Part(0xA3, block));
  }
  const std::string header = Part(
      0x1A45DFA3, Number(0x4286, 1) + Number(0x42F7, 1) + Number(0x42F2, 4) + Number(0x42F3, 8) +
                      Part(0x4282, "matroska") + Number(0x4287, 4) + Number(0x4285, 2));
  return header + Part(0x18538067, segment);
}

void WriteRecording(const std::filesystem::path& file, const std::vector<cv::Mat>& pictures,
                    double fps, const char* fourcc) {
  cv::VideoWriter writer(file.string(), cv::CAP_FFMPEG,
                         cv::VideoWriter::fourcc(fourcc[0], fourcc[1], fourcc[2], fourcc[3]), fps,
                         pictures.front().size());
  if (!writer.isOpened()) throw std::runtime_error(file.string() + ": cannot be recorded");
  for (const cv::Mat& picture : pictures) writer.write(picture);
}

// ISO/IEC 14496-12, 8.3.2: the matrix of a track's header, 16.16 numbers.
std::string TurnedBy(int degrees, std::string mp4) {
  constexpr std::size_t kMatrixAfterName = 4 + 40;  // the name and the fields of version 0
  constexpr std::uint64_t kOne = 0x00010000, kMinusOne = 0xffff0000;
  const std::map<int, std::array<std::uint64_t, 4>> turns = {{90, {0, kOne, kMinusOne, 0}},
                                                             {180, {kMinusOne, 0, 0, kMinusOne}},
                                                             {270, {0, kMinusOne, kOne, 0}}};
  const std::array<std::uint64_t, 4>& turn = turns.at(degrees);
  const std::size_t name = mp4.find("tkhd");
  if (name == std::string::npos || name + kMatrixAfterName + 36 > mp4.size()) {
    throw std::runtime_error("no track header");
  }
  const std::size_t at = name + kMatrixAfterName;
  mp4.replace(at, 8, Bytes(turn[0], 4) + Bytes(turn[1], 4));
  mp4.replace(at + 12, 8, Bytes(turn[2], 4) + Bytes(turn[3], 4));
  return mp4;
}

}  // namespace fos::test
