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

}  // namespace fos
