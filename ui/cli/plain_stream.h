// SPDX-License-Identifier: MIT
#pragma once

#include <ostream>
#include <streambuf>
#include <string>

namespace fos {

// A stream that writes plain text to another (engine/files/plain_text.h): what a file or a player's
// name holds cannot command the terminal. The other stream must outlive it.
class PlainStream : public std::ostream {
 public:
  explicit PlainStream(std::ostream& to) : std::ostream(nullptr), buffer_(to) { rdbuf(&buffer_); }

 private:
  class Buffer : public std::streambuf {
   public:
    explicit Buffer(std::ostream& to) : to_(to) {}
    ~Buffer() override;

   private:
    int_type overflow(int_type byte) override;
    std::streamsize xsputn(const char* bytes, std::streamsize count) override;
    int sync() override;

    std::ostream& to_;
    std::string begun_;  // a sequence whose other bytes are still to come
  };
  Buffer buffer_;
};

}  // namespace fos
