// SPDX-License-Identifier: MIT
#include <algorithm>
#include <charconv>
#include <map>

#include <fmt/format.h>

#include "engine/game/line_words.h"
#include "engine/rules/closefire/referee.h"

// The parser of script lines. Each verb has a shape that says what may follow it.
namespace fos::closefire {
namespace {

// What a verb takes, in order: U a unit, V one or more units, L a leader, W a unit or a leader, N a
// number, M one or more numbers, D a set of dice, S a side. Words in braces are flags to choose
// from; parts in [ ] are optional. "at", "to", "into" and "by" must be there but carry no value.
const std::map<std::string, std::string_view, std::less<>>& Shapes() {
  static const std::map<std::string, std::string_view, std::less<>> kShapes = {
      {"initiative", ""},
      {"done", "S"},
      {"end", ""},
      {"reveal", "U"},
      {"doubt", "U N"},
      {"deploy", "W at N N [N] [{line|march|assault|unformed}] [N]"},
      {"seen", "U N N N [{line|march|assault}]"},
      {"fire", "U [at U]"},
      {"snipe", "U at L"},
      {"ride", "L to M"},
      {"attach", "L to U"},
      {"steady", "L"},
      {"inspire", "L"},
      {"order", "L to L N"},
      {"listen", "L"},
      {"send", "L to L N"},
      {"assign", "W to L by L [{messenger}]"},
      {"fix", "U"},
      {"unfix", "U"},
      {"conform", "U to U"},
      {"stop", "U"},
      {"roll", "V D [{double}] [{objective}]"},
      {"ahead", "U N [{left|right} N]"},
      {"wheel", "U {left|right} N"},
      {"wheelback", "U {left|right} N [M]"},
      {"form", "U {line|march|assault} [{left|right}] [N]"},
      {"reform", "U {line|march} N"},
      {"about", "U"},
      {"incline", "U {left|right} N N"},
      {"step", "U {left|right|back} N [N] [{left|right}]"},
      {"unlimber", "U"},
      {"pivot", "U {left|right} N"},
      {"cross", "U [{hard|fascines}]"},
      {"mount", "U"},
      {"dismount", "U"},
      {"holder", "U to N N"},
      {"gap", "U N"},
      {"go", "U to N N [N]"},
      {"road", "U to N N [N]"},
      {"split", "U M"},
      {"merge", "U into U"},
      {"recrew", "U"},
      {"drive", "U U"},
      {"arrive", "U at N N N"},
      {"halt", "U"},
      {"loot", "U"},
      {"retire", "U"},
      {"charge", "V at U D [{outrance}]"},
      {"counter", "U D [{outrance}]"},
      {"evade", "U"},
      {"receive", "U {about|left|right}"},
  };
  return kShapes;
}

class Parser {
 public:
  Parser(const State& s, LineWords& words, Action& action)
      : s_(s), words_(words), action_(action) {}

  void Take(std::string_view shape) {
    while (!shape.empty()) {
      const bool optional = shape.front() == '[';
      std::string_view piece;
      if (optional) {
        const std::size_t end = shape.find(']');
        piece = shape.substr(1, end - 1);
        shape.remove_prefix(end + 1);
      } else {
        const std::size_t end = shape.find(' ');
        piece = shape.substr(0, end);
        shape.remove_prefix(std::min(shape.size(), piece.size()));
      }
      while (!shape.empty() && shape.front() == ' ') shape.remove_prefix(1);
      if (optional && !Starts(piece)) continue;
      while (!piece.empty()) {
        const std::size_t end = piece.find(' ');
        One(piece.substr(0, end));
        piece.remove_prefix(end == std::string_view::npos ? piece.size() : end + 1);
      }
    }
    words_.End();
  }

 private:
  ParsedLine& Out() { return action_.words; }

  bool Starts(std::string_view piece) const {
    if (words_.AtEnd()) return false;
    const std::string_view first = piece.substr(0, piece.find(' '));
    if (first.front() == '{') return IsFlag(first, words_.Peek());
    if (first == "N") {
      const std::string& word = words_.Peek();
      return word.find_first_not_of("0123456789.-+") == std::string::npos;
    }
    if (first.size() > 1) return words_.Next(first);
    return true;
  }
  static bool IsFlag(std::string_view braces, std::string_view word) {
    std::string_view inside = braces.substr(1, braces.size() - 2);
    while (!inside.empty()) {
      const std::size_t bar = inside.find('|');
      if (inside.substr(0, bar) == word) return true;
      inside.remove_prefix(bar == std::string_view::npos ? inside.size() : bar + 1);
    }
    return false;
  }

  int UnitNamed(const std::string& word) const {
    if (const std::optional<UnitId> unit = FindUnit(s_, word)) return *unit;
    std::vector<std::string> names;
    for (const UnitInfo& info : s_.setup->units) names.push_back(info.id);
    FailLine(NoSuch("unit", word, names));
  }
  int TakeUnit() {
    const std::string word = words_.Word("a unit");
    Written(word);
    return UnitNamed(word);
  }
  int TakeLeader() {
    const std::string word = words_.Word("a leader");
    Written(word);
    if (const std::optional<LeaderId> leader = FindLeader(s_, word)) return *leader;
    std::vector<std::string> names;
    for (const LeaderInfo& info : s_.setup->leaders) names.push_back(info.id);
    FailLine(NoSuch("leader", word, names));
  }
  void TakeNumber() {
    const std::string text = words_.Peek();
    Out().numbers.push_back(words_.Number("a number"));
    Written(text);
  }
  void Written(std::string_view word) { action_.line.append(1, ' ').append(word); }

  void One(std::string_view what) {
    if (what == "U") {
      Out().units.push_back(TakeUnit());
    } else if (what == "V") {
      do Out().units.push_back(TakeUnit());
      while (!words_.AtEnd() && FindUnit(s_, words_.Peek()));
    } else if (what == "W" && !words_.AtEnd() && !FindLeader(s_, words_.Peek())) {
      Out().units.push_back(TakeUnit());
    } else if (what == "L" || what == "W") {
      Out().leaders.push_back(TakeLeader());
    } else if (what == "N") {
      if (words_.AtEnd()) FailLine("a number is missing at the end");
      TakeNumber();
    } else if (what == "M") {
      if (words_.AtEnd()) FailLine("numbers are missing at the end");
      while (!words_.AtEnd()) TakeNumber();
    } else if (what == "D") {
      const std::string word = words_.Word("dice, such as avd+d6");
      const auto dice = ParseDiceSet(word);
      if (!dice.ok()) FailLine(dice.error().message);
      if (!dice->empty() && SetIndex(dice.value()) == 0)
        FailLine("`" + word + "` is not a set of dice: write avd, avd+avd, avd+d6 or avd+avd+d6");
      Out().dice = dice.value();
      Written(word);
    } else if (what == "S") {
      const std::string word = words_.Word("a side");
      for (int side = 0; side < 2; ++side)
        if (s_.setup->sides[static_cast<std::size_t>(side)] == word) Out().side = side;
      if (Out().side < 0) FailLine(NoSuch("side", word, {s_.setup->sides[0], s_.setup->sides[1]}));
      Written(word);
    } else if (what.front() == '{') {
      const std::string word = words_.Word(what);
      if (!IsFlag(what, word))
        FailLine(fmt::format("`{}` is not one of {}", word, what.substr(1, what.size() - 2)));
      Out().flags.push_back(word);
      Written(word);
    } else {
      words_.Expect(what);
      Written(what);
    }
  }

  const State& s_;
  LineWords& words_;
  Action& action_;
};

}  // namespace

const std::vector<std::string>& Verbs() {
  static const std::vector<std::string> kVerbs = [] {
    std::vector<std::string> out = {"dice", "draw", "choose"};
    for (const auto& [verb, shape] : Shapes()) out.push_back(verb);
    return out;
  }();
  return kVerbs;
}

Action ParseLine(const State& s, std::string_view line) {
  LineWords words(line);
  Action action;
  if (words.Skip("overrule")) action.overrule = true;
  const std::string verb = words.Word("a declaration");
  action.words.verb = verb;
  if (action.overrule) action.line = "overrule ";
  action.line += verb;
  if (verb == "dice") {
    while (!words.AtEnd() && !words.Next("drawn")) {
      action.words.numbers.push_back(words.Whole("a die"));
      action.line += fmt::format(" {:g}", action.words.numbers.back());
    }
    if (words.Skip("drawn")) {
      // The generator's state after dice that the program threw, so that the game replays bit for
      // bit.
      const std::string text = words.Word("the generator's state");
      std::uint64_t state = 0;
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), state);
      if (error != std::errc() || end != text.data() + text.size())
        FailLine("`" + text + "` is not a state of the generator");
      action.words.flags = {"drawn", text};
      action.line.append(" drawn ").append(text);
    }
    words.End();
    return action;
  }
  if (verb == "draw") {
    words.End();
    return action;
  }
  if (verb == "choose") {
    action.words.flags.push_back(words.Word("one of the choices"));
    action.line.append(1, ' ').append(AsWord(action.words.flags.back()));
    words.End();
    return action;
  }
  const auto shape = Shapes().find(verb);
  if (shape == Shapes().end()) FailLine(NoSuch("declaration", verb, Verbs()));
  Parser(s, words, action).Take(shape->second);
  return action;
}

}  // namespace fos::closefire
