// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace fos {

// The secret that signs the heads of a club's file. It lies beside the file, as "club.db.key", so
// that only programs that may read it can close a game. Who can read it can forge a head: pin the
// heads elsewhere (`fallofshot games --heads`) where that matters.
class HeadKey {
 public:
  HeadKey() = default;  // none: heads stay unsigned
  // The key beside the club's file; none when there is no such file.
  static HeadKey Beside(const std::filesystem::path& club);
  // The same, and makes one where there is none. None when it cannot be written.
  static HeadKey MadeBeside(const std::filesystem::path& club);

  bool There() const { return !secret_.empty(); }
  // Tells keys apart, and nothing else about them; empty for none.
  std::string Name() const;
  // HMAC-SHA256 in hexadecimal digits; empty without a key.
  // source  FIPS 198-1.
  std::string Sign(std::string_view text) const;

 private:
  explicit HeadKey(std::string secret) : secret_(std::move(secret)) {}
  std::string secret_;
};

}  // namespace fos
