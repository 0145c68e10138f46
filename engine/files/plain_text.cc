// SPDX-License-Identifier: MIT
#include "engine/files/plain_text.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace fos {
namespace {

constexpr std::pair<char32_t, char32_t> kNotPlain[] = {
    {0x00, 0x08},     {0x0b, 0x1f},     {0x7f, 0x9f},       // controls
    {0xad, 0xad},     {0x61c, 0x61c},                       // soft hyphen, Arabic letter mark
    {0x200b, 0x200b}, {0x200e, 0x200f},                     // zero-width space, direction marks
    {0x2028, 0x202e}, {0x2060, 0x206f},                     // separators, embeddings, isolates
    {0xfeff, 0xfeff}, {0xfff9, 0xfffb}, {0xe0000, 0xe007f}  // byte order mark, annotations, tags
};

bool IsPlain(char32_t c) {
  return std::none_of(std::begin(kNotPlain), std::end(kNotPlain),
                      [c](const auto& range) { return c >= range.first && c <= range.second; });
}

}  // namespace

char32_t CharacterOf(std::string_view sequence) {
  if (sequence.size() == 1) return static_cast<unsigned char>(sequence[0]);
  char32_t out = static_cast<unsigned char>(sequence[0]) & (0x7fu >> sequence.size());
  for (const char c : sequence.substr(1)) out = out << 6 | (static_cast<unsigned char>(c) & 0x3f);
  return out;
}

std::size_t Utf8SequenceAt(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(at);
  const std::size_t length = first < 0x80   ? 1
                             : first < 0xc2 ? 0
                             : first < 0xe0 ? 2
                             : first < 0xf0 ? 3
                             : first < 0xf5 ? 4
                                            : 0;
  if (length == 0 || at + length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(at + i) & 0xc0) != 0x80) return 0;
  }
  // Neither a longer form of a short sequence, nor half a surrogate pair, nor beyond U+10FFFF.
  const char32_t c = CharacterOf(text.substr(at, length));
  const bool over = (length == 3 && c < 0x800) || (length == 4 && (c < 0x10000 || c > 0x10ffff));
  return over || (c >= 0xd800 && c <= 0xdfff) ? 0 : length;
}

std::string PlainText(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = Utf8SequenceAt(text, at);
    const std::string_view sequence = text.substr(at, std::max<std::size_t>(length, 1));
    if (length > 0 && IsPlain(CharacterOf(sequence))) {
      out += sequence;
    } else {
      out += "\xef\xbf\xbd";
    }
    at += sequence.size();
  }
  return out;
}

bool IsPlainLine(std::string_view text) {
  return text.find_first_of("\n\t") == std::string_view::npos && PlainText(text) == text;
}

std::string ShellWord(const std::string& word) {
  const auto plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || (c & 0x80) != 0 ||
           std::string_view("_./,:=@%+-").find(c) != std::string_view::npos;
  };
  if (std::all_of(word.begin(), word.end(), plain)) return word;
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

}  // namespace fos
