#include "ui/window/setup_screen.h"

#include <GLFW/glfw3.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <iterator>
#include <locale>
#include <sstream>
#include <utility>

#include "ui/window/keys.h"
#include "ui/window/settings_panel.h"
#include "ui/window/widgets.h"

namespace fos {
namespace {

// One thing that can be done now: a key, and a button that says the key. Nothing on this screen is
// done any other way but by pointing at the board.
struct Action {
  std::string name;
  const char* key_name = "";
  ImWchar letter = 0;  // as it is typed, or
  int key = 0;         // GLFW_KEY_...
  std::function<void()> act;
  bool on = false;       // chosen already: shown lit
  bool button = true;    // false: what dragging on the board does too
  bool repeats = false;  // goes on while its key is down
};
using Actions = std::vector<Action>;

constexpr const char* kStepNames[kSetupSteps] = {"Camera",  "Lens",   "Table", "Colours",
                                                 "Terrain", "Armies", "Save"};
constexpr const char* kStepKeys[kSetupSteps] = {"F3", "F4", "F5", "F6", "F7", "F8", "F9"};

struct Scene {
  const Theme& theme;
  const Snapshot& shown;
  const CameraSeen& seen;
  SetupController& controller;
  SetupHand& hand;
  CameraAsks& camera;
  const SetupPlace& place;
  ViewState& view;
  SetupView& setup;
};

void StartTyping(SetupView& setup, SetupView::Typing what, const std::string& words) {
  setup.typing = what;
  setup.focus = true;
  setup.words.fill(0);
  std::memcpy(setup.words.data(), words.data(), std::min(words.size(), setup.words.size() - 1));
}

// As many numbers as there are, nothing else; empty where there is something else.
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
  // From a hand above the cloth to the ceiling of a hall.
  if (numbers.empty() || numbers.size() > 2 || !(numbers[0] >= 4 && numbers[0] <= 400) ||
      (numbers.size() == 2 && !(numbers[1] > 0 && numbers[1] <= 24))) {
    return Error{ErrorCode::kOutOfRange,
                 "the camera hangs 4 to 400 inches up: say `62`, or `62 0.5` with its doubt"};
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
                 "say the marker's number and where its centre lies, in inches: `0 -1.5 -1.5`"};
  }
  return controller.SetMarker(static_cast<int>(numbers[0]), {numbers[1], numbers[2]});
}

void FinishTyping(Scene& s) {
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

void FindByItself(Scene& s) {
  s.setup.clicking = false;
  s.setup.clicks.clear();
  s.setup.ask_north = false;
  TableWays ways;
  ways.height = s.setup.height;
  s.camera.Post(FindTheTable{s.controller.Table(), std::move(ways)});
}

void StartClicking(Scene& s) {
  s.setup.clicking = true;
  s.setup.ask_north = false;
  s.setup.clicks.clear();
  const cv::Size size = s.seen.frame.bgr.size();
  s.setup.cursor = {size.width / 2.0, size.height / 2.0};
}

void SayNorth(Scene& s, PictureNorth north) {
  TableWays ways;
  ways.north = north;
  ways.height = s.setup.height;
  if (s.setup.clicks.size() == 4) {
    Result<std::vector<Click>> clicks =
        CornerClicks({s.setup.clicks[0], s.setup.clicks[1], s.setup.clicks[2], s.setup.clicks[3]},
                     north, s.controller.Table().frame);
    if (!clicks.ok()) {
      s.setup.said = clicks.error().message;
      StartClicking(s);
      return;
    }
    ways.clicks = std::move(clicks).value();
  }
  s.setup.ask_north = false;
  s.setup.clicks.clear();
  s.setup.said.clear();
  s.camera.Post(FindTheTable{s.controller.Table(), std::move(ways)});
}

void Board(Scene& s, int columns, int rows, double square_in) {
  const TableFrame& frame = s.controller.Table().frame;
  const Status set = s.controller.SetBoard(frame.columns + columns, frame.rows + rows,
                                           frame.square_in + square_in);
  s.setup.said = set.ok() ? "" : set.error().message;
}

void SaveAll(Scene& s) {
  const Status saved = s.controller.Save(s.place.folder);
  s.setup.said = saved.ok()
                     ? fmt::format("Saved: {0}/table.toml and {0}/scenario.toml", s.place.folder)
                     : saved.error().message;
  if (saved.ok() && (s.seen.found != nullptr || s.seen.lens != nullptr)) {
    s.camera.Post(
        SaveRig{std::filesystem::path(s.place.folder) / "rig.toml", s.controller.Table()});
  }
}

Actions CameraActions(Scene& s) {
  Actions out;
  for (std::size_t i = 0; i < s.place.devices.size() && i < 9; ++i) {
    const CameraDevice& device = s.place.devices[i];
    static constexpr const char* kDigits[] = {"1", "2", "3", "4", "5", "6", "7", "8", "9"};
    out.push_back({device.name.empty() ? "camera " + device.source : device.name, kDigits[i],
                   static_cast<ImWchar>('1' + i), 0,
                   [&s, &device] { s.camera.Post(OpenCamera{device.source}); }});
  }
  out.push_back({"a file, a clip or a stream", "O", 'o', 0,
                 [&s] { StartTyping(s.setup, SetupView::Typing::kSource, ""); }});
  return out;
}

Actions LensActions(Scene& s) {
  if (s.seen.collecting) {
    return {{"enough: work it out", "B", 'b', 0, [&s] { s.camera.Post(StopLens{}); }}};
  }
  return {{"begin: show it the board", "B", 'b', 0, [&s] {
             s.camera.Post(CollectLens{s.controller.Table().charuco.value_or(
                 CharucoSpec{9, 6, 1.0, 0.75, "DICT_5X5_100"})});
           }}};
}

Actions TableActions(Scene& s) {
  if (s.setup.ask_north) {
    return {{"up", "Up", 0, GLFW_KEY_UP, [&s] { SayNorth(s, PictureNorth::kUp); }},
            {"right", "Right", 0, GLFW_KEY_RIGHT, [&s] { SayNorth(s, PictureNorth::kRight); }},
            {"down", "Down", 0, GLFW_KEY_DOWN, [&s] { SayNorth(s, PictureNorth::kDown); }},
            {"left", "Left", 0, GLFW_KEY_LEFT, [&s] { SayNorth(s, PictureNorth::kLeft); }}};
  }
  if (s.setup.clicking) {
    const auto move = [&s](double x, double y) {
      const cv::Size size = s.seen.frame.bgr.size();
      // A hundredth of the picture: five keys reach what is near, and clicks are snapped anyway.
      const double step = ImGui::GetIO().KeyShift ? 1 : std::max(1.0, size.width / 100.0);
      ImagePoint& at = s.setup.cursor;
      at.x_px = std::clamp(at.x_px + x * step, 0.0, std::max(0.0, size.width - 1.0));
      at.y_px = std::clamp(at.y_px + y * step, 0.0, std::max(0.0, size.height - 1.0));
    };
    return {{"this corner", "Enter", 0, GLFW_KEY_ENTER,
             [&s] { s.setup.clicks.push_back(s.setup.cursor); }},
            {"left", "Left", 0, GLFW_KEY_LEFT, [=] { move(-1, 0); }, false, false, true},
            {"right", "Right", 0, GLFW_KEY_RIGHT, [=] { move(1, 0); }, false, false, true},
            {"up", "Up", 0, GLFW_KEY_UP, [=] { move(0, -1); }, false, false, true},
            {"down", "Down", 0, GLFW_KEY_DOWN, [=] { move(0, 1); }, false, false, true},
            {"the last one again", "Bksp", 0, GLFW_KEY_BACKSPACE, [&s] {
               if (!s.setup.clicks.empty()) s.setup.clicks.pop_back();
             }}};
  }
  const bool markers = s.controller.Table().fiducials.has_value();
  return {{"find the table", "A", 'a', 0, [&s] { FindByItself(s); }},
          {"click its four corners", "C", 'c', 0, [&s] { StartClicking(s); }},
          {"say where north is", "N", 'n', 0,
           [&s] {
             s.setup.clicks.clear();
             s.setup.ask_north = true;
           }},
          {markers ? "markers at the corners" : "no markers", "M", 'm', 0,
           [&s, markers] { (void)s.controller.SetMarkers(!markers); }, markers},
          {"where a marker lies", "W", 'w', 0,
           [&s] { StartTyping(s.setup, SetupView::Typing::kMarker, ""); }},
          {"the camera's height", "H", 'h', 0,
           [&s] { StartTyping(s.setup, SetupView::Typing::kHeight, ""); }},
          {"fewer columns", "Left", 0, GLFW_KEY_LEFT, [&s] { Board(s, -1, 0, 0); }},
          {"more", "Right", 0, GLFW_KEY_RIGHT, [&s] { Board(s, 1, 0, 0); }},
          {"fewer rows", "Down", 0, GLFW_KEY_DOWN, [&s] { Board(s, 0, -1, 0); }},
          {"more rows", "Up", 0, GLFW_KEY_UP, [&s] { Board(s, 0, 1, 0); }},
          {"smaller squares", ",", ',', 0, [&s] { Board(s, 0, 0, -0.25); }},
          {"larger squares", ".", '.', 0, [&s] { Board(s, 0, 0, 0.25); }}};
}

Actions ColourActions(Scene& s) {
  return {{"look at the paints", "A", 'a', 0, [&s] {
             s.camera.Post(LearnColours{s.controller.Table(), s.controller.Plan()});
           }}};
}

Actions TerrainActions(Scene& s) {
  SetupHand& hand = s.hand;
  Actions out;
  // A quarter of an inch; with Shift the finest a picture shows well.
  const auto nudge = [&hand](double x, double y) {
    const double step = ImGui::GetIO().KeyShift ? 0.05 : 0.25;
    hand.Nudge({step * x, step * y});
  };
  if (hand.Drawing()) {
    out = {
        {"a corner here", "Enter", 0, GLFW_KEY_ENTER, [&hand] { hand.PutCorner(hand.Cursor()); }},
        {"close it", "C", 'c', 0, [&hand] { hand.CloseOutline(); }},
        {"the last one again", "Bksp", 0, GLFW_KEY_BACKSPACE, [&hand] { hand.TakeBackCorner(); }},
        {"never mind", "Esc", 0, GLFW_KEY_ESCAPE, [&hand] { hand.StopDrawing(); }}};
  } else {
    out = {{"draw a new one", "N", 'n', 0, [&hand] { hand.StartOutline(); }},
           {"next", ".", '.', 0, [&hand] { hand.NextArea(1); }},
           {"before", ",", ',', 0, [&hand] { hand.NextArea(-1); }},
           {"a tree here", "T", 't', 0, [&hand] { hand.PlantTree(); }}};
    if (hand.Tree() != nullptr) {
      out.push_back({"higher", "U", 'u', 0, [&hand] { hand.Raise(0.25); }});
      out.push_back({"lower", "D", 'd', 0, [&hand] { hand.Raise(-0.25); }});
    }
    if (hand.Area() >= 0) {
      out.push_back({"next corner", "Tab", 0, GLFW_KEY_TAB, [&hand] { hand.NextCorner(1); }});
      out.push_back({"a corner more", "I", 'i', 0, [&hand] { hand.InsertCorner(); }});
      out.push_back({hand.Corner() >= 0 ? "this corner away" : "take it away", "Del", 0,
                     GLFW_KEY_DELETE, [&hand] { hand.Remove(); }});
      out.push_back({"higher", "U", 'u', 0, [&hand] { hand.Raise(0.25); }});
      out.push_back({"lower", "D", 'd', 0, [&hand] { hand.Raise(-0.25); }});
    }
  }
  out.push_back({"left", "Left", 0, GLFW_KEY_LEFT, [=] { nudge(-1, 0); }, false, false, true});
  out.push_back({"right", "Right", 0, GLFW_KEY_RIGHT, [=] { nudge(1, 0); }, false, false, true});
  out.push_back({"up", "Up", 0, GLFW_KEY_UP, [=] { nudge(0, 1); }, false, false, true});
  out.push_back({"down", "Down", 0, GLFW_KEY_DOWN, [=] { nudge(0, -1); }, false, false, true});
  out.push_back({"next kind", "K", 'k', 0, [&hand] { hand.NextType(1); }});
  out.push_back({"kind before", "J", 'j', 0, [&hand] { hand.NextType(-1); }});
  return out;
}

Actions ArmyActions(Scene& s) {
  SetupHand& hand = s.hand;
  Actions out = {{"put one on the map", "Enter", 0, GLFW_KEY_ENTER, [&hand] { hand.Add(); }},
                 {"the other side", "S", 's', 0, [&hand] { hand.NextSide(); }},
                 {"next unit", ".", '.', 0, [&hand] { hand.NextUnit(1); }},
                 {"before", ",", ',', 0, [&hand] { hand.NextUnit(-1); }}};
  if (hand.Unit() >= 0) {
    out.push_back(
        {"west", "Left", 0, GLFW_KEY_LEFT, [&hand] { hand.StepUnit(-1, 0); }, false, false});
    out.push_back(
        {"east", "Right", 0, GLFW_KEY_RIGHT, [&hand] { hand.StepUnit(1, 0); }, false, false});
    out.push_back({"north", "Up", 0, GLFW_KEY_UP, [&hand] { hand.StepUnit(0, 1); }, false, false});
    out.push_back(
        {"south", "Down", 0, GLFW_KEY_DOWN, [&hand] { hand.StepUnit(0, -1); }, false, false});
    out.push_back({"turn right", "R", 'r', 0, [&hand] { hand.Turn(1); }});
    out.push_back({"turn left", "L", 'l', 0, [&hand] { hand.Turn(-1); }});
    out.push_back({"a stand more", "M", 'm', 0, [&hand] { hand.MoreStands(1); }});
    out.push_back({"a stand fewer", "N", 'n', 0, [&hand] { hand.MoreStands(-1); }});
    out.push_back({"take it off", "Del", 0, GLFW_KEY_DELETE, [&hand] { hand.RemoveUnit(); }});
    out.push_back(
        {"back to the list", "Esc", 0, GLFW_KEY_ESCAPE, [&hand] { hand.ChooseUnit(-1); }});
  } else {
    out.push_back(
        {"list up", "Up", 0, GLFW_KEY_UP, [&hand] { hand.NextRow(-1); }, false, false, true});
    out.push_back(
        {"list down", "Down", 0, GLFW_KEY_DOWN, [&hand] { hand.NextRow(1); }, false, false, true});
  }
  if (!hand.Army().empty()) {
    out.push_back({"all of " + hand.Army(), "A", 'a', 0, [&hand] { hand.AddArmy(); }});
    out.push_back({"other army", "O", 'o', 0, [&hand] { hand.NextArmy(); }});
  }
  out.push_back({"other rules", "G", 'g', 0, [&hand] { hand.NextRuleset(1); }});
  out.push_back({"other paint", "P", 'p', 0, [&hand] { hand.NextPaint(); }});
  out.push_back({"name the side", "E", 'e', 0, [&s] {
                   const auto& sides = s.controller.Plan().sides;
                   const auto side = static_cast<std::size_t>(s.hand.Side());
                   if (side < sides.size()) {
                     StartTyping(s.setup, SetupView::Typing::kSide, sides[side].name);
                   }
                 }});
  return out;
}

Actions SaveActions(Scene& s) {
  const auto turns = [&s](int by) {
    const int now = s.controller.Plan().turns.value_or(0) + by;
    (void)s.controller.SetTurns(now > 0 ? std::optional(now) : std::nullopt);
  };
  Actions out = {
      {"name the battle", "N", 'n', 0,
       [&s] { StartTyping(s.setup, SetupView::Typing::kBattle, s.controller.Plan().name); }},
      {"a turn more", "Up", 0, GLFW_KEY_UP, [=] { turns(1); }},
      {"a turn fewer", "Down", 0, GLFW_KEY_DOWN, [=] { turns(-1); }},
      {"save", "S", 's', 0, [&s] { SaveAll(s); }}};
  if (s.seen.found != nullptr) {
    out.push_back({"save and referee it", "R", 'r', 0, [&s] {
                     SaveAll(s);
                     s.setup.play = !s.controller.Unsaved();
                   }});
  }
  return out;
}

Actions ActionsOf(Scene& s) {
  switch (s.setup.step) {
    case SetupStep::kCamera:
      return CameraActions(s);
    case SetupStep::kLens:
      return LensActions(s);
    case SetupStep::kTable:
      return TableActions(s);
    case SetupStep::kColours:
      return ColourActions(s);
    case SetupStep::kTerrain:
      return TerrainActions(s);
    case SetupStep::kArmies:
      return ArmyActions(s);
    case SetupStep::kSave:
      return SaveActions(s);
  }
  return {};
}

// What is done at every step.
Actions CommonActions(Scene& s) {
  return {{"picture or map", "V", 'v', 0, [&s] { s.setup.map = !s.setup.map; }},
          {"closer", "+", '+', 0,
           [&s] {
             ViewZoom& zoom = ShowsMap(s.seen, s.setup) ? s.view.map : s.view.picture;
             zoom.scale *= 1.25F;
           }},
          {"farther", "-", '-', 0,
           [&s] {
             ViewZoom& zoom = ShowsMap(s.seen, s.setup) ? s.view.map : s.view.picture;
             zoom.scale /= 1.25F;
           }},
          {"all of it", "0", '0', 0,
           [&s] { (ShowsMap(s.seen, s.setup) ? s.view.map : s.view.picture) = ViewZoom{}; }}};
}

void Leave(Scene& s) {
  // What nobody saved is not lost to one key.
  if (s.controller.Unsaved() && !s.setup.asked_to_leave) {
    s.setup.asked_to_leave = true;
    s.setup.said = "Not saved yet: Ctrl+S saves, Ctrl+Q again leaves it unsaved";
    return;
  }
  s.view.quit = true;
}

void GoTo(Scene& s, int step) {
  s.setup.step = static_cast<SetupStep>(std::clamp(step, 0, kSetupSteps - 1));
  s.setup.clicking = false;
  s.setup.ask_north = false;
  s.setup.typing = SetupView::Typing::kNothing;
  s.setup.said.clear();
  s.hand.StopDrawing();
}

void SettingsLetter(ViewState& view, ImWchar letter) {
  switch (letter) {
    case 't':
      view.light_theme = !view.light_theme;
      break;
    case 'b':
      view.safe_colours = !view.safe_colours;
      break;
    case 'k':
      view.large_controls = !view.large_controls;
      break;
    case 'o':
      view.sound = !view.sound;
      break;
    case '[':
      Rescale(view, -1);
      break;
    case ']':
      Rescale(view, +1);
      break;
    default:
      break;
  }
}

void TakeKeys(Scene& s) {
  const ImGuiIO& io = ImGui::GetIO();
  const auto pressed = [](int key, bool again = false) { return ImGui::IsKeyPressed(key, again); };
  if (io.KeyCtrl && pressed(GLFW_KEY_Q)) Leave(s);
  if (s.setup.typing != SetupView::Typing::kNothing) {
    if (pressed(GLFW_KEY_ESCAPE)) s.setup.typing = SetupView::Typing::kNothing;
    return;
  }
  if (io.WantTextInput) return;
  if (io.KeyCtrl) {
    if (pressed(GLFW_KEY_S)) SaveAll(s);
    if (pressed(GLFW_KEY_Z) && s.controller.Undo()) s.hand.Follow();
    if (pressed(GLFW_KEY_Y) && s.controller.Redo()) s.hand.Follow();
    return;
  }
  if (pressed(GLFW_KEY_F1)) s.setup.show_help = !s.setup.show_help;
  if (pressed(GLFW_KEY_F2)) s.view.show_settings = !s.view.show_settings;
  if (pressed(GLFW_KEY_F11)) s.view.full_screen = !s.view.full_screen;
  if (s.view.show_settings || s.setup.show_help) {
    if (pressed(GLFW_KEY_ESCAPE)) s.view.show_settings = s.setup.show_help = false;
    if (s.view.show_settings) {
      for (const ImWchar letter : io.InputQueueCharacters) SettingsLetter(s.view, letter);
    }
    return;
  }
  for (int i = 0; i < kSetupSteps; ++i) {
    if (pressed(GLFW_KEY_F3 + i)) GoTo(s, i);
  }
  const int step = static_cast<int>(s.setup.step);
  if (pressed(GLFW_KEY_PAGE_DOWN)) GoTo(s, step + 1);
  if (pressed(GLFW_KEY_PAGE_UP)) GoTo(s, step - 1);
  if (s.setup.step == SetupStep::kTable && pressed(GLFW_KEY_ESCAPE)) {
    s.setup.clicking = s.setup.ask_north = false;
    s.setup.clicks.clear();
  }
  for (const Action& action : ActionsOf(s)) {
    if (action.key != 0 && pressed(action.key, action.repeats)) {
      action.act();
      break;
    }
  }
  for (const ImWchar typed : io.InputQueueCharacters) {
    const ImWchar letter = typed == '=' ? '+' : typed;
    bool done = false;
    for (const Actions& actions : {ActionsOf(s), CommonActions(s)}) {
      for (const Action& action : actions) {
        if (done || action.letter == 0 || action.letter != letter) continue;
        action.act();
        done = true;
      }
    }
    // As in the match, where this step has no use for the letter.
    if (!done) SettingsLetter(s.view, letter);
  }
}

// --- The panel ---

float WidthOf(const Action& action) {
  return ImGui::CalcTextSize((action.name + "  ").c_str()).x +
         ImGui::CalcTextSize(action.key_name).x + 2 * ImGui::GetStyle().FramePadding.x;
}

// How many rows Buttons() makes of them.
int RowsOf(const Actions& actions, float width) {
  const float gap = ImGui::GetStyle().ItemSpacing.x;
  int rows = 1;
  float used = 0;
  for (const Action& action : actions) {
    const float wide = WidthOf(action);
    if (used > 0 && used + gap + wide >= width) {
      ++rows;
      used = 0;
    }
    used += (used > 0 ? gap : 0) + wide;
  }
  return rows;
}

void Buttons(const Theme& theme, const Actions& all) {
  Actions actions;
  std::copy_if(all.begin(), all.end(), std::back_inserter(actions),
               [](const Action& action) { return action.button; });
  const float right = ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x;
  for (std::size_t i = 0; i < actions.size(); ++i) {
    ImGui::PushID(static_cast<int>(i));
    const Action& action = actions[i];
    if (action.on) ImGui::PushStyleColor(ImGuiCol_Button, ToVec4(Faded(theme.accent, 0.45F)));
    const bool pressed = KeyButton(theme, action.name.c_str(), action.key_name);
    if (action.on) ImGui::PopStyleColor();
    if (pressed) action.act();
    ImGui::PopID();
    if (i + 1 < actions.size() &&
        ImGui::GetItemRectMax().x + ImGui::GetStyle().ItemSpacing.x + WidthOf(actions[i + 1]) <
            right) {
      ImGui::SameLine();
    }
  }
}

void Paragraph(const std::string& words) {
  ImGui::PushTextWrapPos(0);
  ImGui::TextUnformatted(words.c_str());
  ImGui::PopTextWrapPos();
}
void Faint(const Theme& theme, const std::string& words) {
  ImGui::PushStyleColor(ImGuiCol_Text, ToVec4(theme.faint));
  Paragraph(words);
  ImGui::PopStyleColor();
}
void Warning(const Theme& theme, const std::string& words) {
  if (words.empty()) return;
  // Amber as letters on white cannot be read: the brown that it darkens to.
  const ImU32 colour = theme.light ? Rgba(140, 74, 0) : CallColour(theme, Call::kTooClose);
  ImGui::PushStyleColor(ImGuiCol_Text, ToVec4(colour));
  Paragraph(words);
  ImGui::PopStyleColor();
}

ImU32 ToneColour(const Theme& theme, Hint::Tone tone) {
  return tone == Hint::Tone::kGood    ? CallColour(theme, Call::kMiss)
         : tone == Hint::Tone::kCould ? CallColour(theme, Call::kTooClose)
                                      : CallColour(theme, Call::kHit);
}
const char* ToneWord(Hint::Tone tone) {
  return tone == Hint::Tone::kGood ? "good" : tone == Hint::Tone::kCould ? "better" : "mend";
}

void CameraPanel(Scene& s) {
  Paragraph(
      "Choose the camera that looks at the table. Then set it until the lines below are green.");
  if (s.place.devices.empty()) {
    Faint(s.theme, "No camera is plugged in here. A recording or a stream will do too.");
  }
  Buttons(s.theme, CameraActions(s));
  ImGui::Separator();
  if (s.seen.source.empty()) {
    Faint(s.theme, "Nothing is open: terrain and armies can be set up on the map without it.");
    return;
  }
  Paragraph(s.seen.source + (s.seen.ended ? " (at its end)" : ""));
  Warning(s.theme, s.seen.why);
  if (!s.seen.frame.bgr.empty()) {
    Faint(s.theme, fmt::format("{} x {} pixels", s.seen.frame.bgr.cols, s.seen.frame.bgr.rows));
  }
  for (const Hint& hint : s.seen.hints) {
    Chip(s.theme, ToneWord(hint.tone), ToneColour(s.theme, hint.tone));
    ImGui::SameLine(s.theme.Px(80));
    Paragraph(hint.text);
  }
}

void LensPanel(Scene& s) {
  Paragraph(
      "Once for a camera, its zoom and its picture size: print the board (`fallofshot print`), "
      "glue "
      "it to something flat and carry it about before the camera. It takes views by itself.");
  Buttons(s.theme, LensActions(s));
  ImGui::Separator();
  if (s.seen.collecting) {
    const LensCollection& views = s.seen.views;
    Paragraph(fmt::format("{} of {} views", views.views, views.wanted));
    ImGui::ProgressBar(views.wanted > 0 ? std::min(1.0F, static_cast<float>(views.views) /
                                                             static_cast<float>(views.wanted))
                                        : 0.0F);
    if (!views.next.empty()) Warning(s.theme, "Next: " + views.next);
    if (!views.last.empty()) Faint(s.theme, views.last);
    constexpr const char* kWays[] = {"left", "right", "top", "bottom"};
    std::string tilts;
    for (std::size_t i = 0; i < views.tilted.size(); ++i) {
      tilts +=
          fmt::format("{}{} {}", i > 0 ? ", " : "", kWays[i], views.tilted[i] ? "seen" : "not yet");
    }
    Paragraph("Tilted towards the camera: " + tilts);
    Paragraph(std::string("Near and far: ") + (views.near_and_far ? "seen" : "not yet"));
    return;
  }
  Paragraph(s.seen.lens_said);
  if (s.seen.lens != nullptr) {
    Paragraph(fmt::format("The lens is known for pictures of {} x {}.", s.seen.lens->width_px,
                          s.seen.lens->height_px));
  } else {
    Faint(s.theme,
          "The lens is not known: a common webcam's is taken for granted, and what that leaves in "
          "doubt is counted in.");
  }
}

void TablePanel(Scene& s) {
  const TableFrame& frame = s.controller.Table().frame;
  Paragraph(fmt::format("A board of {} x {} squares of {:g} in.", frame.columns, frame.rows,
                        frame.square_in));
  if (s.setup.height) {
    Paragraph(fmt::format("The camera hangs {:g} in above it, +/- {:g}.", s.setup.height->inches,
                          s.setup.height->sigma_in));
  }
  if (s.setup.ask_north) {
    Warning(s.theme, "Which way does north lie in the picture? An arrow key says it.");
  } else if (s.setup.clicking) {
    Warning(s.theme,
            fmt::format("Click the board's corners, one after another, in any order: {} of "
                        "4. Each is taken to the nearest crossing of lines.",
                        s.setup.clicks.size()));
  }
  Buttons(s.theme, TableActions(s));
  // What was found before is what is being put right.
  if (s.setup.clicking || s.setup.ask_north) return;
  ImGui::Separator();
  if (s.seen.found == nullptr) {
    Warning(s.theme, s.seen.table_said);
    if (s.seen.table_said.empty()) {
      Faint(s.theme, s.seen.frame.bgr.empty() ? "Open a camera first."
                                              : "The table was not looked for yet.");
    }
    return;
  }
  const TableRegistration& table = s.seen.found->table;
  Paragraph(s.seen.table_said + ".");
  // "good: ...", "usable: ...", or what to do about it.
  const std::size_t colon = table.sentence.find(':');
  const std::string verdict = table.sentence.substr(0, colon);
  constexpr std::size_t kLongest = 24;
  if (colon != std::string::npos && verdict.size() <= kLongest) {
    Chip(s.theme, verdict.c_str(),
         ToneColour(s.theme, verdict == "good"     ? Hint::Tone::kGood
                             : verdict == "usable" ? Hint::Tone::kCould
                                                   : Hint::Tone::kMust));
    Paragraph(table.sentence.substr(std::min(colon + 2, table.sentence.size())));
  } else {
    Paragraph(table.sentence);
  }
  if (s.seen.found->north_guessed) {
    Warning(s.theme,
            "Lines cannot tell which side is north: taken to be up. Press N if it is not.");
  }
  if (!table.relies_on.empty()) Faint(s.theme, "Relying on " + table.relies_on + ".");
  if (!table.held_out.empty()) {
    double worst = 0;
    for (const auto& one : table.held_out) worst = std::max(worst, Norm(one.error_in));
    Faint(s.theme,
          fmt::format("Drawn on the picture: how far {} crossings that were left out of the "
                      "fit lie from their places, fifty times as long; the worst {:.3f} in.",
                      table.held_out.size(), worst));
  }
}

void Swatch(const Theme& theme, Colour paint) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float side = ImGui::GetTextLineHeight();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(at, {at.x + 2 * side, at.y + side}, Rgba(paint.r, paint.g, paint.b));
  list.AddRect(at, {at.x + 2 * side, at.y + side}, theme.faint);
  ImGui::Dummy({2 * side, side});
}

void ColoursPanel(Scene& s) {
  Paragraph(
      "With the armies standing in their squares, the paints are learnt as this lamp shows them.");
  Buttons(s.theme, ColourActions(s));
  ImGui::Separator();
  if (s.seen.colours != nullptr && s.seen.colours->text.empty()) {
    Paragraph(s.seen.colours_said + ".");
  } else {
    Warning(s.theme, s.seen.colours_said);
  }
  if (s.seen.colours == nullptr) return;
  for (const SideSpec& side : s.controller.Plan().sides) {
    Swatch(s.theme, side.paint);
    ImGui::SameLine();
    const auto seen = s.seen.colours->paints.find(side.name);
    if (seen != s.seen.colours->paints.end()) {
      Swatch(s.theme, seen->second);
      ImGui::SameLine();
      Paragraph(side.name + ": as planned, as seen");
    } else {
      Paragraph(side.name + ": as planned; not one stand was found");
    }
  }
}

void TerrainPanel(Scene& s) {
  Paragraph(
      s.hand.Drawing() ? fmt::format("A {}: click its corners one after another, and the first "
                                     "again to close it; or move "
                                     "the cross with the arrow keys.",
                                     s.hand.Type())
      : s.hand.Area() >= 0
          ? fmt::format("This {}: drag a corner, or the whole; or Tab to a corner and move it "
                        "with the arrow "
                        "keys (Shift: finely).",
                        s.hand.Type())
          : "Draw round every wood, house, road and river. Click one to change it.");
  // The kinds, for the pointer; K and J step through them.
  const float right = ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x;
  for (const std::string& type : SetupController::TerrainTypes()) {
    const bool chosen = type == s.hand.Type();
    if (chosen) ImGui::PushStyleColor(ImGuiCol_Button, ToVec4(Faded(s.theme.accent, 0.45F)));
    if (ImGui::Button(type.c_str())) s.hand.SetType(type);
    if (chosen) ImGui::PopStyleColor();
    if (ImGui::GetItemRectMax().x + s.theme.Px(70) < right) ImGui::SameLine();
  }
  ImGui::NewLine();
  Buttons(s.theme, TerrainActions(s));
  const auto& terrain = s.controller.Plan().terrain;
  if (s.hand.Area() >= 0 && static_cast<std::size_t>(s.hand.Area()) < terrain.size()) {
    const TerrainArea& area = terrain[static_cast<std::size_t>(s.hand.Area())];
    Paragraph(fmt::format("{}, {} corners, {:.4g} in high, {:.0f} square inches", area.type,
                          area.polygon.size(), area.height_in, Area(area.polygon)));
  }
  if (const TerrainObject* tree = s.hand.Tree()) {
    Paragraph(fmt::format("A tree, {:.4g} in high; U and D change it.", tree->height_in));
  }
  Faint(s.theme,
        fmt::format("{} piece{} of terrain", terrain.size(), terrain.size() == 1 ? "" : "s"));
}

void ArmiesPanel(Scene& s) {
  const Scenario& plan = s.controller.Plan();
  for (std::size_t i = 0; i < plan.sides.size(); ++i) {
    ImGui::PushID(static_cast<int>(i));
    Swatch(s.theme, plan.sides[i].paint);
    ImGui::SameLine();
    const std::string words = s.controller.PointsOf(static_cast<int>(i)) > 0
                                  ? fmt::format("{}: {:g} points", plan.sides[i].name,
                                                s.controller.PointsOf(static_cast<int>(i)))
                                  : plan.sides[i].name;
    if (ImGui::Selectable(words.c_str(), static_cast<int>(i) == s.hand.Side())) {
      s.hand.ChooseSide(static_cast<int>(i));
    }
    ImGui::PopID();
  }
  Buttons(s.theme, ArmyActions(s));
  ImGui::Separator();
  if (s.hand.Unit() >= 0 && static_cast<std::size_t>(s.hand.Unit()) < plan.units.size()) {
    const UnitSpec& unit = plan.units[static_cast<std::size_t>(s.hand.Unit())];
    std::string kind = plan.kinds[static_cast<std::size_t>(unit.kind)].name;
    std::replace(kind.begin(), kind.end(), '_', ' ');
    Paragraph(fmt::format("{}: {} of {}, {} stands in {}, facing {}", unit.id, kind,
                          plan.sides[static_cast<std::size_t>(unit.side)].name, unit.stands,
                          SquareName(unit.square), FacingName(unit.facing)));
    Faint(s.theme, "Drag it, or the arrow keys move it from square to square.");
    ImGui::Separator();
  }
  Faint(s.theme, fmt::format("The {} rules: choose a row (Up, Down), or drag one onto the board",
                             plan.ruleset));
  const float left = ImGui::GetContentRegionAvail().y;
  const float faults = std::min(0.4F * left, s.theme.Px(110));
  ImGui::BeginChild("troops", {0, std::max(left - faults, s.theme.Px(60))});
  for (std::size_t i = 0; i < s.controller.Troops().size(); ++i) {
    const Troop& troop = s.controller.Troops()[i];
    ImGui::PushID(static_cast<int>(i));
    const bool chosen = i == s.hand.Row();
    if (ImGui::Selectable("##row", chosen)) s.hand.ChooseRow(i);
    if (ImGui::IsItemActive()) s.setup.dragged_row = i;
    if (chosen && !ImGui::IsItemVisible()) ImGui::SetScrollHereY(0.5F);
    ImGui::SameLine(s.theme.Px(4));
    ImGui::TextUnformatted(troop.name.c_str());
    const std::string cost = troop.points > 0
                                 ? fmt::format("{} x {:g} = {:g} pts", troop.stands, troop.points,
                                               troop.stands * troop.points)
                                 : fmt::format("{} stands", troop.stands);
    ImGui::SameLine(std::max(s.theme.Px(120), ImGui::GetWindowContentRegionMax().x -
                                                  ImGui::CalcTextSize(cost.c_str()).x -
                                                  s.theme.Px(6)));
    ImGui::PushStyleColor(ImGuiCol_Text, ToVec4(s.theme.faint));
    ImGui::TextUnformatted(cost.c_str());
    ImGui::PopStyleColor();
    ImGui::PopID();
  }
  ImGui::EndChild();
}

void Faults(const Scene& s) {
  if (s.controller.Faults().empty()) {
    Paragraph("By the rules, all stands as it may.");
    return;
  }
  constexpr std::size_t kMost = 6;
  for (std::size_t i = 0; i < s.controller.Faults().size() && i < kMost; ++i) {
    Warning(s.theme, "- " + s.controller.Faults()[i]);
  }
  if (s.controller.Faults().size() > kMost) {
    Faint(s.theme, fmt::format("and {} more", s.controller.Faults().size() - kMost));
  }
}

void SavePanel(Scene& s) {
  const Scenario& plan = s.controller.Plan();
  Paragraph(plan.name.empty() ? "A battle without a name" : plan.name);
  Paragraph(fmt::format("{} rules, {} units, {} piece{} of terrain, {}", plan.ruleset,
                        plan.units.size(), plan.terrain.size(), plan.terrain.size() == 1 ? "" : "s",
                        plan.turns ? fmt::format("{} turns", *plan.turns) : "no limit of turns"));
  Faint(s.theme, fmt::format("It is kept in {}; `fallofshot setup --out {}` opens it again.",
                             s.place.folder, s.place.folder));
  Buttons(s.theme, SaveActions(s));
  ImGui::Separator();
  Paragraph(s.seen.saved);
  Faults(s);
}

void TypingLine(Scene& s) {
  if (s.setup.typing == SetupView::Typing::kNothing) return;
  Paragraph(
      s.setup.typing == SetupView::Typing::kSource
          ? "A file, a clip's folder or a stream's address, then Enter:"
      : s.setup.typing == SetupView::Typing::kBattle ? "What is the battle called? Then Enter:"
      : s.setup.typing == SetupView::Typing::kHeight
          ? "Measured by tape: inches from the cloth up to the lens, then Enter. Nothing: not "
            "measured."
      : s.setup.typing == SetupView::Typing::kMarker
          ? "The marker's number, then its centre in inches east and north of the south-west "
            "corner, then Enter:"
          : "What is the side called? Then Enter:");
  ImGui::SetNextItemWidth(-1);
  if (std::exchange(s.setup.focus, false)) ImGui::SetKeyboardFocusHere();
  if (ImGui::InputText("##words", s.setup.words.data(), s.setup.words.size(),
                       ImGuiInputTextFlags_EnterReturnsTrue)) {
    FinishTyping(s);
  }
}

Actions Tabs(Scene& s) {
  Actions out;
  for (int i = 0; i < kSetupSteps; ++i) {
    out.push_back({kStepNames[i], kStepKeys[i], 0, GLFW_KEY_F3 + i, [&s, i] { GoTo(s, i); },
                   i == static_cast<int>(s.setup.step)});
  }
  out.push_back({"help", "F1", 0, GLFW_KEY_F1, [&s] { s.setup.show_help = !s.setup.show_help; }});
  out.push_back({"leave", "Ctrl+Q", 0, 0, [&s] { Leave(s); }});
  return out;
}

void DrawTabs(Scene& s, const ScreenRect& area) {
  ImGui::SetNextWindowPos(area.low);
  ImGui::SetNextWindowSize({area.Width(), area.Height()});
  ImGui::Begin("set-up steps", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus);
  Buttons(s.theme, Tabs(s));
  ImGui::End();
}

void DrawStep(Scene& s, const ScreenRect& area) {
  ImGui::SetNextWindowPos(area.low);
  ImGui::SetNextWindowSize({area.Width(), area.Height()});
  // It scrolls where the window is too small for it.
  ImGui::Begin("set-up step", nullptr,
               ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize |
                   ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus);
  Title(s.theme, kStepNames[static_cast<int>(s.setup.step)]);
  TypingLine(s);
  Warning(s.theme, s.setup.said);
  Warning(s.theme, s.hand.Refused());
  switch (s.setup.step) {
    case SetupStep::kCamera:
      CameraPanel(s);
      break;
    case SetupStep::kLens:
      LensPanel(s);
      break;
    case SetupStep::kTable:
      TablePanel(s);
      break;
    case SetupStep::kColours:
      ColoursPanel(s);
      break;
    case SetupStep::kTerrain:
      TerrainPanel(s);
      break;
    case SetupStep::kArmies:
      ArmiesPanel(s);
      Faults(s);
      break;
    case SetupStep::kSave:
      SavePanel(s);
      break;
  }
  ImGui::End();
}

void DrawSetupHelp(const Scene& s, ImVec2 size) {
  ImGui::SetNextWindowPos({size.x / 2, size.y / 2}, ImGuiCond_Always, {0.5F, 0.5F});
  ImGui::SetNextWindowFocus();
  ImGui::Begin("set-up help", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_AlwaysAutoResize);
  Title(s.theme, "Setting up");
  constexpr std::pair<const char*, const char*> kLines[] = {
      {"F3 to F9", "the steps; PgUp, PgDn the one before and after"},
      {"V", "the picture, or the map"},
      {"+  -  0", "closer, farther, all of it; the wheel likewise"},
      {"Ctrl+Z  Y", "take back, put again"},
      {"Ctrl+S", "save"},
      {"F2", "settings: light, large, for every eye"},
      {"F11", "full screen"},
      {"Esc", "stop what was begun"},
      {"Ctrl+Q", "leave"},
  };
  for (const auto& [key, does] : kLines) {
    ImGui::TextColored(ToVec4(s.theme.accent), "%s", key);
    ImGui::SameLine(s.theme.Px(100));
    ImGui::TextUnformatted(does);
  }
  ImGui::TextUnformatted("Every button says its key. On the board: click, and drag.");
  ImGui::End();
}

}  // namespace

void DrawSetup(const Theme& theme, const Snapshot& shown, const CameraSeen& seen,
               PictureFeed& pictures, SetupController& controller, SetupHand& hand,
               CameraAsks& camera, const SetupPlace& place, ViewState& view, SetupView& setup) {
  Scene s{theme, shown, seen, controller, hand, camera, place, view, setup};
  if (setup.asked_to_leave && !controller.Unsaved()) setup.asked_to_leave = false;
  TakeKeys(s);
  if (setup.clicking && setup.clicks.size() >= 4) {
    setup.clicks.resize(4);
    setup.clicking = false;
    setup.ask_north = true;
  }
  view.words_wanted = setup.typing != SetupView::Typing::kNothing;
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  if (theme.body != nullptr) ImGui::PushFont(theme.body);
  const float gap = theme.Px(6);
  const ImGuiStyle& style = ImGui::GetStyle();
  const int rows = RowsOf(Tabs(s), size.x - 2 * style.WindowPadding.x);
  const float bar = static_cast<float>(rows) * theme.Px(theme.large_controls ? 58 : 42);
  const float column =
      std::min(std::clamp(0.34F * size.x, theme.Px(330), std::max(theme.Px(460), 0.34F * size.x)),
               0.6F * size.x);
  const ScreenRect board{{gap, bar + gap}, {size.x - column - gap, size.y - gap}};
  const ScreenRect panel{{size.x - column, bar + gap}, {size.x - gap, size.y - gap}};
  ImGui::GetBackgroundDrawList()->AddRectFilled({0, 0}, size, theme.window);
  DrawTabs(s, {{0, 0}, {size.x, bar}});
  DrawSetupBoard(theme, shown, seen, pictures, hand, view, setup, board);
  DrawStep(s, panel);
  // A row of the list that was let go over the board goes there.
  if (setup.dragged_row && !ImGui::IsMouseDown(ImGuiMouseButton_Left)) {
    const std::size_t row = *std::exchange(setup.dragged_row, std::nullopt);
    const auto square = setup.under_pointer
                            ? controller.Table().frame.SquareAt(*setup.under_pointer)
                            : std::optional<SquareIndex>();
    if (square && setup.step == SetupStep::kArmies) {
      hand.ChooseRow(row);
      hand.Add(square);
    }
  }
  if (view.show_settings) DrawSettings(theme, view, {{0, 0}, size});
  if (setup.show_help) DrawSetupHelp(s, size);
  if (theme.body != nullptr) ImGui::PopFont();
}

}  // namespace fos
