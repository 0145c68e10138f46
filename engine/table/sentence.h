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

// The text with a small first letter, for the middle of a sentence.
inline std::string Uncapitalised(std::string text) {
  if (!text.empty() && text.front() >= 'A' && text.front() <= 'Z')
    text.front() = static_cast<char>(text.front() - 'A' + 'a');
  return text;
}

// "1st", "2nd", "3rd", "4th", "11th".
inline std::string Ordinal(int number) {
  const int tens = number % 100;
  const int ones = number % 10;
  const bool teens = tens >= 11 && tens <= 13;
  const char* ending = teens || ones == 0 || ones > 3 ? "th"
                       : ones == 1                    ? "st"
                       : ones == 2                    ? "nd"
                                                      : "rd";
  return std::to_string(number) + ending;
}

// What players are told of a unit, a stand or a piece: "2nd line infantry, N-3".
// kind    as inside a sentence: "line infantry"
// number  among those of its kind on its side; 0 for the only one, which goes without:
//         "line infantry N-3"
inline std::string NumberedName(const std::string& kind, int number, const std::string& id) {
  return number == 0 ? kind + " " + id : Ordinal(number) + " " + kind + ", " + id;
}

// The number for NumberedName of the n-th of `count`, where alike(i) tells whether the i-th is of
// the same side and kind.
template <typename Alike>
int NumberOfKind(int n, int count, Alike alike) {
  int number = 0;
  int all = 0;
  for (int i = 0; i < count; ++i) {
    if (!alike(i)) continue;
    ++all;
    if (i <= n) ++number;
  }
  return all > 1 ? number : 0;
}

// A key of a file in words: "regular_infantry" is "regular infantry".
inline std::string KeyInWords(std::string key) {
  for (char& c : key)
    if (c == '_') c = ' ';
  return key;
}

}  // namespace fos
