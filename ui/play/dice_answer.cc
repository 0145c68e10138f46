// SPDX-License-Identifier: MIT
#include "ui/play/dice_answer.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace fos {
namespace {

using Dice = std::vector<std::shared_ptr<const DieShown>>;

// "two"; from ten on in figures.
std::string NumberInWords(std::size_t number) {
  constexpr std::array<std::string_view, 10> kWords = {"no",   "one", "two",   "three", "four",
                                                       "five", "six", "seven", "eight", "nine"};
  return number < kWords.size() ? std::string(kWords[number]) : fmt::format("{}", number);
}

// "one die", "two dice".
std::string DiceCounted(std::size_t number, std::string_view what = "") {
  return fmt::format("{} {}{}", NumberInWords(number), what, number == 1 ? "die" : "dice");
}

std::string WrongNumber(std::size_t shown, std::size_t asked) {
  std::string out = fmt::format("The table shows {}; {} {} asked for", DiceCounted(shown),
                                NumberInWords(asked), asked == 1 ? "is" : "are");
  return out + (shown < asked ? ": throw the rest, or type what they show."
                              : ": pick up what is no part of the throw, or type what counts.");
}

// Puts the dice in the order in which the game takes them: those of each kind in the order of
// `dice`. Returns why not: a sentence.
std::optional<std::string> Arrange(const Prompt& prompt, Dice& dice) {
  std::vector<DieFaces> kinds = prompt.kinds;
  kinds.resize(dice.size(), DieFaces::kOrdinary);
  const auto average =
      static_cast<std::size_t>(std::count(kinds.begin(), kinds.end(), DieFaces::kAverage));
  const std::size_t ordinary = dice.size() - average;
  if (average == 0) return std::nullopt;
  // A one or a six is on ordinary dice only.
  const auto surely =
      static_cast<std::size_t>(std::count_if(dice.begin(), dice.end(), [](const auto& die) {
        return !HasFace(DieFaces::kAverage, die->value);
      }));
  if (surely > ordinary) {
    return fmt::format("The table shows at least {}; {} and {} are asked for.",
                       DiceCounted(surely, "ordinary "), DiceCounted(average, "average "),
                       DiceCounted(ordinary, "ordinary "));
  }
  if (surely < ordinary) {
    const auto open = [](const auto& die) { return HasFace(DieFaces::kAverage, die->value); };
    const auto first = std::find_if(dice.begin(), dice.end(), open);
    const bool alike = std::all_of(dice.begin(), dice.end(), [&](const auto& die) {
      return !open(die) || die->value == (*first)->value;
    });
    if (!alike) {
      return std::string(
          "Which of these dice is the average one is not to be seen: type what they show, the "
          "average dice first.");
    }
  }
  // Those that may be average take the places of the average ones.
  Dice of_average;
  Dice of_ordinary;
  for (const auto& die : dice) {
    const bool takes = HasFace(DieFaces::kAverage, die->value) && of_average.size() < average;
    (takes ? of_average : of_ordinary).push_back(die);
  }
  auto next_average = of_average.begin();
  auto next_ordinary = of_ordinary.begin();
  for (std::size_t i = 0; i < dice.size(); ++i)
    dice[i] = kinds[i] == DieFaces::kAverage ? *next_average++ : *next_ordinary++;
  return std::nullopt;
}

// "one six-sided die", "two twelve-sided dice".
std::string DiceOfSides(std::size_t number, int sides) {
  return DiceCounted(number, sides == 12 ? "twelve-sided " : "six-sided ");
}

// Whether the camera reads dice of so many sides: others than six-sided ones where they are thrown.
bool Reads(const Snapshot& shown, int sides) {
  if (sides == 6) return true;
  if (shown.facts == nullptr) return false;
  const std::vector<int>& thrown = shown.facts->scenario.dice;
  return std::find(thrown.begin(), thrown.end(), sides) != thrown.end();
}

// Why dice of these sides do not answer the request.
// readable  the camera reads dice of the sides asked for
std::optional<std::string> WrongSides(const Prompt& prompt, bool readable, const Dice& dice) {
  const auto is_right = [&](const auto& die) { return die->faces == prompt.faces; };
  const auto other = std::find_if_not(dice.begin(), dice.end(), is_right);
  if (other == dice.end()) return std::nullopt;
  const auto right = static_cast<std::size_t>(std::count_if(dice.begin(), dice.end(), is_right));
  const std::string others = DiceOfSides(dice.size() - right, (*other)->faces);
  const std::string asked = prompt.dice == 1 ? fmt::format("a D{} is asked for", prompt.faces)
                                             : fmt::format("D{} are asked for", prompt.faces);
  const char* type = prompt.dice == 1 ? "type what it shows" : "type what they show";
  if (!readable)
    return fmt::format("The table shows {}; {}, which the camera does not read: {}.", others, asked,
                       type);
  if (right == 0)
    return fmt::format("The table shows {}; {}: throw {} instead, or {}.", others, asked,
                       prompt.dice == 1 ? "that" : "those", type);
  return fmt::format("The table shows {} and {}; {}: pick up the others, or type what counts.",
                     DiceOfSides(right, prompt.faces), others, asked);
}

// Why these dice do not answer the request; puts them in order where they do.
std::optional<std::string> WhyNoAnswer(const Prompt& prompt, bool readable, Dice& dice) {
  if (std::optional<std::string> why = WrongSides(prompt, readable, dice)) return why;
  const auto asked = static_cast<std::size_t>(std::max(prompt.dice, 0));
  const auto cocked = static_cast<std::size_t>(
      std::count_if(dice.begin(), dice.end(), [](const auto& die) { return die->cocked; }));
  if (cocked > 0) {
    return cocked == 1 ? std::string("A die is cocked: throw it again.")
                       : fmt::format("{} dice are cocked: throw them again.", cocked);
  }
  for (const auto& die : dice) {
    if (die->read) continue;
    return fmt::format(
        "A die cannot be read surely. Does it show {} ({:.0f} %)? Turn it to the "
        "light without rolling it, or type what the dice show.",
        die->value, 100 * die->chance);
  }
  if (dice.size() != asked) return WrongNumber(dice.size(), asked);
  if (prompt.one_each) {
    for (std::size_t i = 1; i < dice.size(); ++i) {
      if (dice[i]->throw_number == dice[i - 1]->throw_number && dice[i]->value != dice[0]->value) {
        return std::string(
            "Whose die is whose is not to be seen: throw them one after the other, "
            "or type what they show.");
      }
    }
    return std::nullopt;
  }
  return Arrange(prompt, dice);
}

}  // namespace

bool DiceAnswer::Look(const Prompt& prompt, const Snapshot& shown, bool held) {
  offer_ = {};
  offer_.frame = shown.frame.id.index;
  offer_.time_s = shown.frame.time_s;
  if (prompt.kind == PromptKind::kDice) {
    for (const auto& die : shown.dice) {
      if (die->at_rest_s > asked_s_ && die->number > dismissed_) offer_.dice.push_back(die);
    }
  }
  if (offer_.dice.empty()) {
    numbers_.clear();
    return false;
  }
  // In the order thrown; those of one throw from west to east.
  std::stable_sort(offer_.dice.begin(), offer_.dice.end(), [](const auto& a, const auto& b) {
    return std::pair(a->throw_number, a->centre.x) < std::pair(b->throw_number, b->centre.x);
  });
  const double now_s = shown.frame.time_s;
  std::vector<int> numbers;
  for (const auto& die : offer_.dice) numbers.push_back(die->number);
  const bool clear = shown.watching == Watching::kWatching && !held;
  // A recording may go back in time.
  if (numbers != numbers_ || !clear || now_s < clear_since_s_) clear_since_s_ = now_s;
  numbers_ = std::move(numbers);

  if (std::optional<std::string> why =
          WhyNoAnswer(prompt, Reads(shown, prompt.faces), offer_.dice)) {
    offer_.state = DiceOffer::State::kNot;
    offer_.sentence = *std::move(why);
    return false;
  }
  offer_.state = DiceOffer::State::kOffered;
  offer_.chance = 1;
  for (const auto& die : offer_.dice) {
    offer_.faces.push_back(die->value);
    offer_.chances.push_back(die->chance);
    offer_.chance *= die->chance;
  }
  // Rounded down: what is not certain is not called certain.
  offer_.sentence = fmt::format("The camera reads {} ({} %).", fmt::join(offer_.faces, " "),
                                static_cast<int>(100 * offer_.chance));
  offer_.left_s = std::max(clear_since_s_ + kTaken_s - now_s, 0.0);
  return clear && offer_.left_s <= 0;
}

void DiceAnswer::Dismiss() {
  for (const auto& die : offer_.dice) dismissed_ = std::max(dismissed_, die->number);
  offer_ = {};
  numbers_.clear();
}

}  // namespace fos
