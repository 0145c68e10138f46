// SPDX-License-Identifier: MIT
#include "engine/journal/head_key.h"

#include <unistd.h>

#include <cstdlib>
#include <random>
#include <system_error>

#include <fmt/format.h>

#include "engine/files/whole_file.h"
#include "engine/journal/sha256.h"

namespace fos {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kDigits = 64;  // 256 bits in hexadecimal digits

fs::path KeyFile(const fs::path& club) { return club.string() + ".key"; }

std::string NewSecret() {
  std::random_device chance;
  std::string out;
  while (out.size() < kDigits) out += fmt::format("{:08x}", chance());
  return out;
}

// The bytes that a hash's hexadecimal digits write.
std::string BytesOf(const std::string& digits) {
  std::string out;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
    out += static_cast<char>(std::stoi(digits.substr(i, 2), nullptr, 16));
  }
  return out;
}

}  // namespace

HeadKey HeadKey::Beside(const fs::path& club) {
  const Result<std::string> text = ReadWholeFile(KeyFile(club), kDigits + 2);
  if (!text.ok()) return HeadKey();
  const std::string secret = text->substr(0, kDigits);
  const bool whole =
      secret.size() == kDigits && secret.find_first_not_of("0123456789abcdef") == std::string::npos;
  return whole ? HeadKey(secret) : HeadKey();
}

HeadKey HeadKey::MadeBeside(const fs::path& club) {
  if (HeadKey there = Beside(club); there.There()) return there;
  // Written whole under another name first: a kill, or a program that starts at once, never finds
  // half a key.
  const std::string_view end = ".partial";  // `doctor --mend` removes what a kill leaves
  std::string whole = fmt::format("{}.XXXXXX{}", KeyFile(club).string(), end);
  // Only its owner may read it.
  const int file = mkstemps(whole.data(), static_cast<int>(end.size()));
  if (file < 0) return HeadKey();
  const std::string secret = NewSecret();
  const bool written =
      write(file, secret.data(), secret.size()) == static_cast<ssize_t>(secret.size()) &&
      fsync(file) == 0;
  close(file);
  // A link replaces nothing: of two programs the second reads the first one's key. Where a disk
  // knows no links (FAT), the name is as good as free.
  std::error_code failed, ignored;
  if (written) fs::create_hard_link(whole, KeyFile(club), failed);
  if (written && failed && !fs::exists(KeyFile(club), ignored)) {
    fs::rename(whole, KeyFile(club), ignored);
  }
  fs::remove(whole, ignored);
  return Beside(club);
}

std::string HeadKey::Name() const {
  constexpr std::size_t kShort = 16;
  return There() ? Sha256Hex("name of " + secret_).substr(0, kShort) : std::string();
}

std::string HeadKey::Sign(std::string_view text) const {
  if (!There()) return {};
  constexpr std::size_t kBlock = 64;  // of SHA-256, bytes; the secret has as many
  std::string inner(kBlock, '\x36');
  std::string outer(kBlock, '\x5c');
  for (std::size_t i = 0; i < secret_.size(); ++i) {
    inner[i] = static_cast<char>(inner[i] ^ secret_[i]);
    outer[i] = static_cast<char>(outer[i] ^ secret_[i]);
  }
  return Sha256Hex(outer + BytesOf(Sha256Hex(inner + std::string(text))));
}

}  // namespace fos
