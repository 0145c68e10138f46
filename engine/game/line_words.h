#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/table/table_frame.h"

// The words of one line of a script, for the rule sets' parsers and writers.
namespace fos {

// Thrown by LineWords and by the parsers that use it, inside a rule set only; whoever offers a
// parser to others turns it into an Error.
struct UnreadableLine {
  std::string why;  // for people, without the line's number
};
[[noreturn]] void FailLine(std::string why);
// "no unit `F-1L2`; the nearest is `F-1L1`"
std::string NoSuch(std::string_view what, std::string_view word,
                   const std::vector<std::string>& names);

// Taken from the front, one by one. Words are separated by blanks; `#` at the start of a word
// begins a comment. A name with blanks in it, or one that is a word of the grammar, is written in
// double quotes, with \" \\ and \n inside.
class LineWords {
 public:
  // Throws UnreadableLine where a quote is not closed.
  explicit LineWords(std::string_view line);

  bool AtEnd() const { return next_ == words_.size(); }
  // Is the next word this word of the grammar? A quoted word is never one.
  bool Next(std::string_view word) const;
  bool Skip(std::string_view word);
  void Expect(std::string_view word);
  // The next word, whatever it is; `what` it should be, for the refusal when there is none.
  std::string Word(std::string_view what);
  // Only to be asked when not AtEnd().
  const std::string& Peek() const { return words_[next_].text; }
  // Refuses whatever is left.
  void End() const;

  // Finite, of at most 10000 either way.
  double Number(std::string_view what);
  int Whole(std::string_view what);
  std::int32_t Thousandths(std::string_view what);  // of a number with decimals
  Facing Turn();
  // Dice as they fell, to the end of the line or to the next word that is none.
  std::vector<std::int8_t> Dice(int faces);
  // `drawn` and the game's generator after the dice or the coin, in hexadecimal: written where they
  // came from it, so that the game goes on with the same ones when it is played again.
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

// A name as LineWords reads it back: quoted where it must be.
std::string AsWord(std::string_view name);
// 1500 as "1.5"
std::string InThousandths(std::int32_t thousandths);

}  // namespace fos
