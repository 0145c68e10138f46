// SPDX-License-Identifier: MIT
#include "engine/game/line_words.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "engine/files/toml_reader.h"

namespace fos {
namespace {

constexpr std::size_t kLongestEcho = 100;  // bytes of a word that a message repeats
constexpr double kLargestNumber = 10000;   // no table is wider, in inches or squares

bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

}  // namespace

void FailLine(std::string why) { throw UnreadableLine{std::move(why)}; }

std::string NoSuch(std::string_view what, std::string_view word,
                   const std::vector<std::string>& names) {
  if (names.empty())
    return fmt::format("no {} `{}`: this game has none", what, word.substr(0, kLongestEcho));
  if (std::find(names.begin(), names.end(), word) != names.end())
    return fmt::format("{} `{}` cannot be used here", what, word);
  return fmt::format("no {} `{}`; the nearest is `{}`", what, word.substr(0, kLongestEcho),
                     NearestName(word.substr(0, kLongestEcho), names));
}

LineWords::LineWords(std::string_view line) {
  std::size_t at = 0;
  while (true) {
    while (at < line.size() && IsBlank(line[at])) ++at;
    if (at == line.size() || line[at] == '#') return;
    Written word;
    if (line[at] == '"') {
      word.quoted = true;
      for (++at; at < line.size() && line[at] != '"'; ++at) {
        const bool escaped = line[at] == '\\' && at + 1 < line.size();
        if (escaped) ++at;
        word.text += escaped && line[at] == 'n' ? '\n' : line[at];
      }
      if (at == line.size()) FailLine("a quotation mark is not closed");
      ++at;
    } else {
      while (at < line.size() && !IsBlank(line[at])) word.text += line[at++];
    }
    words_.push_back(std::move(word));
  }
}

bool LineWords::Next(std::string_view word) const {
  return !AtEnd() && !words_[next_].quoted && words_[next_].text == word;
}

bool LineWords::Skip(std::string_view word) {
  const bool is = Next(word);
  next_ += is;
  return is;
}

void LineWords::Expect(std::string_view word) {
  if (!Skip(word)) FailLine(fmt::format("expected `{}` {}", word, Here()));
}

std::string LineWords::Word(std::string_view what) {
  if (AtEnd()) FailLine(fmt::format("the line ends before {}", what));
  return words_[next_++].text;
}

void LineWords::End() const {
  if (!AtEnd()) FailLine(fmt::format("unexpected `{}`", Peek().substr(0, kLongestEcho)));
}

double LineWords::Number(std::string_view what) {
  const std::string word = Word(what);
  double value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size() ||
      !(std::abs(value) <= kLargestNumber))
    FailLine(fmt::format("`{}` is not a number; expected {}", word.substr(0, kLongestEcho), what));
  return value;
}

int LineWords::Whole(std::string_view what) {
  const std::string word = Word(what);
  int value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size() ||
      value < -kLargestNumber || value > kLargestNumber)
    FailLine(fmt::format("`{}` is not a whole number; expected {}", word.substr(0, kLongestEcho),
                         what));
  return value;
}

std::int32_t LineWords::Thousandths(std::string_view what) {
  return static_cast<std::int32_t>(std::lround(Number(what) * 1000));
}

Facing LineWords::Turn() {
  const std::string word = Word("a facing");
  const auto facing = ParseFacing(word);
  if (!facing)
    FailLine(fmt::format("`{}` is not a facing; use N, NE, E, SE, S, SW, W or NW",
                         word.substr(0, kLongestEcho)));
  return *facing;
}

std::vector<std::int8_t> LineWords::Dice(int faces) {
  std::vector<std::int8_t> dice;
  const auto numeric = [&] {
    const char first = Peek().empty() ? ' ' : Peek().front();
    return (first >= '0' && first <= '9') || first == '-' || first == '.';
  };
  while (!AtEnd() && (dice.empty() || numeric())) {
    const int die = Whole("a die");
    if (die < 1 || die > faces) FailLine(fmt::format("a die shows 1 to {}, not {}", faces, die));
    dice.push_back(static_cast<std::int8_t>(die));
  }
  return dice;
}

std::optional<std::uint64_t> LineWords::Drawn() {
  if (!Skip("drawn")) return std::nullopt;
  const std::string word = Word("the generator's state");
  std::uint64_t state = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), state, 16);
  if (error != std::errc() || end != word.data() + word.size())
    FailLine(
        fmt::format("`{}` is not a generator state in hexadecimal", word.substr(0, kLongestEcho)));
  return state;
}

std::string LineWords::Here() const {
  return AtEnd() ? "at the end of the line"
                 : fmt::format("before `{}`", words_[next_].text.substr(0, kLongestEcho));
}

std::string AsWord(std::string_view name) {
  // Quote a name of small letters only, because the grammar's words look like that.
  const bool like_grammar =
      std::all_of(name.begin(), name.end(), [](char c) { return c >= 'a' && c <= 'z'; });
  const bool plain = !name.empty() && name.front() != '#' && !like_grammar &&
                     std::none_of(name.begin(), name.end(),
                                  [](char c) { return IsBlank(c) || c == '"' || c == '\\'; });
  if (plain) return std::string(name);
  std::string out = "\"";
  for (const char c : name) {
    if (c == '"' || c == '\\') out += '\\';
    out += c == '\n' ? std::string("\\n") : std::string(1, c);
  }
  return out + '"';
}

std::string InThousandths(std::int32_t thousandths) {
  std::string out = fmt::format("{}{}.{:03}", thousandths < 0 ? "-" : "",
                                std::abs(thousandths) / 1000, std::abs(thousandths) % 1000);
  while (out.back() == '0') out.pop_back();
  if (out.back() == '.') out.pop_back();
  return out;
}

}  // namespace fos
