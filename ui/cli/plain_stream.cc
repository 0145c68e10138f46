// SPDX-License-Identifier: MIT
#include "ui/cli/plain_stream.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "engine/files/plain_text.h"

namespace fos {

PlainStream::Buffer::~Buffer() {
  if (!begun_.empty()) to_ << PlainText(begun_);
}

PlainStream::Buffer::int_type PlainStream::Buffer::overflow(int_type byte) {
  if (byte == traits_type::eof()) return 0;
  const char c = traits_type::to_char_type(byte);
  return xsputn(&c, 1) == 1 ? byte : traits_type::eof();
}

std::streamsize PlainStream::Buffer::xsputn(const char* bytes, std::streamsize count) {
  std::string text = std::exchange(begun_, {});
  text.append(bytes, static_cast<std::size_t>(count));
  // A sequence may be divided between two writes: at most its first three bytes are here.
  std::size_t whole = text.size();
  for (std::size_t back = 1; back <= std::min<std::size_t>(3, text.size()); ++back) {
    const auto c = static_cast<unsigned char>(text[text.size() - back]);
    if ((c & 0xc0) == 0x80) continue;
    const std::size_t length = c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : c >= 0xc0 ? 2 : 1;
    if (length > back) whole = text.size() - back;
    break;
  }
  begun_ = text.substr(whole);
  text.resize(whole);
  to_ << PlainText(text);
  return to_ ? count : 0;
}

int PlainStream::Buffer::sync() {
  to_.flush();
  return to_ ? 0 : -1;
}

}  // namespace fos
