// SPDX-License-Identifier: MIT
#include "vision/image/recording_end.h"

#include <array>
#include <bit>
#include <cstdint>
#include <fstream>
#include <span>
#include <string_view>
#include <system_error>

namespace fos {
namespace {

// A file of more parts than this is made to keep a reader busy. Ten hours have some 10,000.
constexpr int kMostParts = 2'000'000;

// The bytes of a file at any place.
class PartReader {
 public:
  explicit PartReader(const std::filesystem::path& file) : in_(file, std::ios::binary) {
    std::error_code failed;
    const std::uintmax_t size = std::filesystem::file_size(file, failed);
    size_ = failed ? 0 : size;
  }
  std::uint64_t Size() const { return size_; }
  // Fewer than asked for where the file ends.
  std::span<const unsigned char> At(std::uint64_t place, std::size_t count) {
    if (place >= size_ || count > bytes_.size()) return {};
    in_.clear();
    in_.seekg(static_cast<std::streamoff>(place));
    in_.read(reinterpret_cast<char*>(bytes_.data()), static_cast<std::streamsize>(count));
    return {bytes_.data(), static_cast<std::size_t>(in_.gcount())};
  }

 private:
  std::ifstream in_;
  std::uint64_t size_ = 0;
  std::array<unsigned char, 16> bytes_{};
};

std::uint64_t BigEndian(std::span<const unsigned char> bytes) {
  std::uint64_t out = 0;
  for (const unsigned char byte : bytes) out = out << 8 | byte;
  return out;
}

std::uint64_t LittleEndian(std::span<const unsigned char> bytes) {
  std::uint64_t out = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) out = out << 8 | bytes[i];
  return out;
}

RecordingEnd EndOfMatroska(PartReader& in) {
  constexpr std::uint64_t kSegment = 0x18538067;
  std::uint64_t at = 0;
  for (int part = 0; part < kMostParts; ++part) {
    if (at == in.Size()) return RecordingEnd::kWhole;
    const auto header = in.At(at, 12);
    if (header.empty()) return RecordingEnd::kCut;
    const auto id_length = static_cast<std::size_t>(std::countl_zero(header[0])) + 1;
    if (id_length > 4 || header.size() <= id_length) return RecordingEnd::kCut;
    const auto size_length = static_cast<std::size_t>(std::countl_zero(header[id_length])) + 1;
    if (size_length > 8 || header.size() < id_length + size_length) return RecordingEnd::kCut;
    const std::uint64_t id = BigEndian(header.first(id_length));
    const std::uint64_t values = (std::uint64_t{1} << (7 * size_length)) - 1;
    const std::uint64_t size = BigEndian(header.subspan(id_length, size_length)) & values;
    at += id_length + size_length;
    const bool unknown = size == values;  // as a recorder writes it that cannot go back
    if (!unknown && size > in.Size() - at) return RecordingEnd::kCut;
    // The parts of a segment, or of a part without a size, are walked themselves.
    if (!unknown && id != kSegment) at += size;
  }
  return RecordingEnd::kUnknown;
}

RecordingEnd EndOfBoxes(PartReader& in) {
  std::uint64_t at = 0;
  for (int part = 0; part < kMostParts; ++part) {
    if (at == in.Size()) return RecordingEnd::kWhole;
    const auto header = in.At(at, 16);
    if (header.size() < 8) return RecordingEnd::kCut;
    std::uint64_t size = BigEndian(header.first(4));
    if (size == 0) return RecordingEnd::kWhole;  // up to the end of the file
    std::uint64_t least = 8;
    if (size == 1) {
      least = 16;
      if (header.size() < least) return RecordingEnd::kCut;
      size = BigEndian(header.subspan(8, 8));
    }
    if (size < least || size > in.Size() - at) return RecordingEnd::kCut;
    at += size;
  }
  return RecordingEnd::kUnknown;
}

RecordingEnd EndOfRiff(PartReader& in) {
  std::uint64_t at = 0;
  for (int part = 0; part < kMostParts; ++part) {
    if (at >= in.Size()) return RecordingEnd::kWhole;
    const auto header = in.At(at, 8);
    if (header.size() < 8) return RecordingEnd::kCut;
    const std::uint64_t size = LittleEndian(header.subspan(4, 4));
    // A recorder writes the size last; until then it is 0.
    if (size == 0 || size > in.Size() - at - 8) return RecordingEnd::kCut;
    at += 8 + size + size % 2;
  }
  return RecordingEnd::kUnknown;
}

enum class Container { kMatroska, kBoxes, kRiff, kTransport, kOther };

constexpr std::uint64_t kTransportPacket = 188;

Container ContainerOf(PartReader& in) {
  const auto start = in.At(0, 12);
  const std::string_view words(reinterpret_cast<const char*>(start.data()), start.size());
  if (words.size() < 12) return Container::kOther;
  if (words.starts_with("\x1a\x45\xdf\xa3")) return Container::kMatroska;
  if (words.starts_with("RIFF")) return Container::kRiff;
  for (const char* box :
       {"ftyp", "moov", "mdat", "wide", "free", "skip", "styp", "pnot", "moof", "uuid"}) {
    if (words.substr(4, 4) == box) return Container::kBoxes;
  }
  constexpr char kSync = 'G';
  if (words[0] != kSync) return Container::kOther;
  const auto next = in.At(kTransportPacket, 1);
  return !next.empty() && next[0] == kSync ? Container::kTransport : Container::kOther;
}

}  // namespace

RecordingEnd EndOfRecording(const std::filesystem::path& file) {
  PartReader in(file);
  switch (ContainerOf(in)) {
    case Container::kMatroska:
      return EndOfMatroska(in);
    case Container::kBoxes:
      return EndOfBoxes(in);
    case Container::kRiff:
      return EndOfRiff(in);
    case Container::kTransport:
      return in.Size() % kTransportPacket == 0 ? RecordingEnd::kUnknown : RecordingEnd::kCut;
    case Container::kOther:
      break;
  }
  return RecordingEnd::kUnknown;
}

bool HoldsPictures(const std::filesystem::path& file) {
  PartReader in(file);
  if (ContainerOf(in) != Container::kOther) return true;
  const auto start = in.At(0, 12);
  const std::string_view words(reinterpret_cast<const char*>(start.data()), start.size());
  using namespace std::string_view_literals;
  // Streams of JPEG, of MPEG and of H.264 or HEVC; Flash, Ogg, Windows Media and plain YUV.
  for (const std::string_view known : {"\xff\xd8\xff"sv, "\0\0\1"sv, "\0\0\0\1"sv, "FLV"sv,
                                       "OggS"sv, "\x30\x26\xb2\x75"sv, "YUV4MPEG2"sv}) {
    if (words.starts_with(known)) return true;
  }
  // The disc form of a transport stream: four bytes before each packet.
  const auto packet = in.At(4, 1);
  if (packet.empty() || packet[0] != 'G') return false;
  const auto next = in.At(4 + kTransportPacket + 4, 1);
  return !next.empty() && next[0] == 'G';
}

bool CountsItsFrames(const std::filesystem::path& file) {
  PartReader in(file);
  const Container container = ContainerOf(in);
  return container == Container::kBoxes || container == Container::kRiff;
}

}  // namespace fos
