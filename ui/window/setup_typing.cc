// SPDX-License-Identifier: MIT
#include "ui/window/setup_typing.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <locale>
#include <sstream>
#include <utility>
#include <vector>

#include "ui/window/widgets.h"

namespace fos {
namespace {

// The numbers of a text of numbers alone; empty where there is anything else in it.
std::vector<double> NumbersIn(const std::string& words) {
  std::vector<double> out;
  std::istringstream in(words);
  in.imbue(std::locale::classic());
  for (double number = 0; in >> number;) out.push_back(number);
  return in.eof() ? out : std::vector<double>{};
}

Status TakeHeight(SetupView& setup, const std::string& words) {
  if (words.empty()) {
    setup.height.reset();
    return Ok();
  }
  const std::vector<double> numbers = NumbersIn(words);
  // From a hand's breadth above the cloth to the ceiling of a hall.
  if (numbers.empty() || numbers.size() > 2 || !(numbers[0] >= 4 && numbers[0] <= 400) ||
      (numbers.size() == 2 && !(numbers[1] > 0 && numbers[1] <= 24))) {
    return Error{ErrorCode::kOutOfRange,
                 "The height must be 4 to 400 inches. Type 62, or 62 0.5 with its error."};
  }
  setup.height = TapedHeight{numbers[0]};
  if (numbers.size() == 2) setup.height->sigma_in = numbers[1];
  return Ok();
}

Status TakeMarker(SetupController& controller, const std::string& words) {
  const std::vector<double> numbers = NumbersIn(words);
  if (numbers.size() != 3 || !(numbers[0] >= 0 && numbers[0] < 1000) ||
      numbers[0] != std::floor(numbers[0])) {
    return Error{ErrorCode::kOutOfRange,
                 "Type the marker's number and its centre in inches, for example 0 -1.5 -1.5."};
  }
  return controller.SetMarker(static_cast<int>(numbers[0]), {numbers[1], numbers[2]});
}

void FinishTyping(SetupScene& s) {
  const std::string words(s.setup.words.data());
  Status done = Ok();
  switch (std::exchange(s.setup.typing, SetupView::Typing::kNothing)) {
    case SetupView::Typing::kSource:
      if (!words.empty()) s.camera.Post(OpenCamera{words});
      break;
    case SetupView::Typing::kBattle:
      done = s.controller.SetName(words);
      break;
    case SetupView::Typing::kSide:
      done = s.controller.RenameSide(s.hand.Side(), words);
      break;
    case SetupView::Typing::kHeight:
      done = TakeHeight(s.setup, words);
      break;
    case SetupView::Typing::kMarker:
      done = TakeMarker(s.controller, words);
      break;
    case SetupView::Typing::kNothing:
      break;
  }
  s.setup.said = done.ok() ? "" : done.error().message;
}

const char* PromptFor(SetupView::Typing what) {
  switch (what) {
    case SetupView::Typing::kNothing:
      break;
    case SetupView::Typing::kSource:
      return "Type a file, a clip's folder or a stream's address, then Enter:";
    case SetupView::Typing::kBattle:
      return "Type the battle's name, then Enter:";
    case SetupView::Typing::kSide:
      return "Type the side's name, then Enter:";
    case SetupView::Typing::kHeight:
      return "Measure by tape from the cloth up to the lens. Type the inches, then Enter. Leave it "
             "empty if you did not measure.";
    case SetupView::Typing::kMarker:
      return "Type the marker's number and its centre in inches east and north of the south-west "
             "corner, then Enter:";
  }
  return "";
}

}  // namespace

void StartTyping(SetupView& setup, SetupView::Typing what, const std::string& words) {
  setup.typing = what;
  setup.focus = true;
  setup.words.fill(0);
  std::memcpy(setup.words.data(), words.data(), std::min(words.size(), setup.words.size() - 1));
}

void DrawTypingField(SetupScene& s) {
  if (s.setup.typing == SetupView::Typing::kNothing) return;
  Paragraph(PromptFor(s.setup.typing));
  ImGui::SetNextItemWidth(-1);
  if (std::exchange(s.setup.focus, false)) ImGui::SetKeyboardFocusHere();
  if (ImGui::InputText("##words", s.setup.words.data(), s.setup.words.size(),
                       ImGuiInputTextFlags_EnterReturnsTrue)) {
    FinishTyping(s);
  }
}

}  // namespace fos
