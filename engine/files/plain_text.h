// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

// Text from a file or from the command line may hold bytes that command a terminal, or characters
// that make a name look like another.
namespace fos {

// The length in bytes of the UTF-8 sequence that starts there; 0: invalid. `at` is below the size.
std::size_t Utf8SequenceAt(std::string_view text, std::size_t at);

// The character of a sequence that Utf8SequenceAt found.
char32_t CharacterOf(std::string_view sequence);

// Replaces by U+FFFD what is not valid UTF-8, control characters except line breaks and tabs, and
// characters that are invisible or turn the direction of the text around them.
// source  Unicode 15, chapter 23 (special areas and format characters); UAX 9 (bidirectional text).
std::string PlainText(std::string_view text);
// True where PlainText changes nothing, and the text has neither line breaks nor tabs.
bool IsPlainLine(std::string_view text);

// As one word of a shell's command line: in quotes where it holds more than plain characters.
std::string ShellWord(const std::string& word);

}  // namespace fos
