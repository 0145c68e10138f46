// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/table/table_frame.h"

// The words of one script line, for the rule sets' parsers and writers.
namespace fos {

// Thrown by LineWords and by parsers that use it, inside a rule set only. A parser's public
// interface turns it into an Error.
struct UnreadableLine {
  std::string why;  // for people, without the line's number
};
[[noreturn]] void FailLine(std::string why);
// "no unit `F-1L2`; the nearest is `F-1L1`"
std::string NoSuch(std::string_view what, std::string_view word,
                   const std::vector<std::string>& names);

// Words are taken from the front, one by one. Blanks separate them; `#` at the start of a word
// begins a comment. A name that contains blanks or is a word of the grammar is written in double
// quotes, with \" \\ and \n inside.
class LineWords {
 public:
  // Throws UnreadableLine if a quote is not closed.
  explicit LineWords(std::string_view line);

  bool AtEnd() const { return next_ == words_.size(); }
  // Is the next word this word of the grammar? A quoted word never is.
  bool Next(std::string_view word) const;
  bool Skip(std::string_view word);
  void Expect(std::string_view word);
  // The next word. `what` says what it should be, for the error if there is none.
  std::string Word(std::string_view what);
  // Requires !AtEnd().
  const std::string& Peek() const { return words_[next_].text; }
  // Refuses any words that are left.
  void End() const;

  // Finite, from -10000 to 10000.
  double Number(std::string_view what);
  int Whole(std::string_view what);
  std::int32_t Thousandths(std::string_view what);  // from a number with decimals
  Facing Turn();
  // Dice values, up to the end of the line or the next word that is not a number.
  std::vector<std::int8_t> Dice(int faces);
  // `drawn` and the generator's state after the dice or coin, in hexadecimal. Written if the
  // generator supplied them, so that a replay continues with the same numbers.
  std::optional<std::uint64_t> Drawn();

 private:
  std::string Here() const;
  struct Written {
    std::string text;
    bool quoted = false;
  };
  std::vector<Written> words_;
  std::size_t next_ = 0;
};

// A name as LineWords reads it back, quoted if necessary.
std::string AsWord(std::string_view name);
// 1500 as "1.5"
std::string InThousandths(std::int32_t thousandths);

}  // namespace fos
