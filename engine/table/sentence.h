// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace fos {

// The text with a capital first letter: "field gun B1 fires." begins a sentence.
inline std::string Capitalised(std::string text) {
  if (!text.empty() && text.front() >= 'a' && text.front() <= 'z')
    text.front() = static_cast<char>(text.front() - 'a' + 'A');
  return text;
}

// A key of a file in words: "regular_infantry" is "regular infantry".
inline std::string KeyInWords(std::string key) {
  for (char& c : key)
    if (c == '_') c = ' ';
  return key;
}

}  // namespace fos
