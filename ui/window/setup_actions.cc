// SPDX-License-Identifier: MIT
#include "ui/window/setup_actions.h"

#include <GLFW/glfw3.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <utility>

#include "calibration/print/print_sheets.h"
#include "engine/rules/rule_sets.h"
#include "ui/window/setup_typing.h"

namespace fos {
namespace {

void FindTableByMarkers(SetupScene& s) {
  s.setup.clicking = false;
  s.setup.clicks.clear();
  s.setup.ask_north = false;
  TableWays ways;
  ways.height = s.setup.height;
  s.camera.Post(FindTheTable{s.controller.Table(), std::move(ways)});
}

void StartClicking(SetupScene& s) {
  s.setup.clicking = true;
  s.setup.ask_north = false;
  s.setup.clicks.clear();
  const cv::Size size = s.seen.frame.bgr.size();
  s.setup.cursor = {size.width / 2.0, size.height / 2.0};
}

// Finds the table with north as said, from the clicked corners if there are four.
void SetNorth(SetupScene& s, PictureNorth north) {
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

void ChangeBoard(SetupScene& s, int columns, int rows, double square_in) {
  const TableFrame& frame = s.controller.Table().frame;
  const Status set = s.controller.SetBoard(frame.columns + columns, frame.rows + rows,
                                           frame.square_in + square_in);
  s.setup.said = set.ok() ? "" : set.error().message;
}

Actions CameraActions(SetupScene& s) {
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

Actions LensActions(SetupScene& s) {
  if (s.seen.collecting) {
    return {{"stop and calibrate", "B", 'b', 0, [&s] { s.camera.Post(StopLens{}); }}};
  }
  return {{"start", "B", 'b', 0, [&s] {
             s.camera.Post(CollectLens{s.controller.Table().charuco.value_or(UsualCharuco())});
           }}};
}

Actions TableActions(SetupScene& s) {
  if (s.setup.ask_north) {
    return {{"up", "Up", 0, GLFW_KEY_UP, [&s] { SetNorth(s, PictureNorth::kUp); }},
            {"right", "Right", 0, GLFW_KEY_RIGHT, [&s] { SetNorth(s, PictureNorth::kRight); }},
            {"down", "Down", 0, GLFW_KEY_DOWN, [&s] { SetNorth(s, PictureNorth::kDown); }},
            {"left", "Left", 0, GLFW_KEY_LEFT, [&s] { SetNorth(s, PictureNorth::kLeft); }}};
  }
  if (s.setup.clicking) {
    const auto move = [&s](double x, double y) {
      const cv::Size size = s.seen.frame.bgr.size();
      // A hundredth of the picture; clicks snap to the nearest crossing anyway. Shift: one pixel.
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
            {"remove the last", "Bksp", 0, GLFW_KEY_BACKSPACE, [&s] {
               if (!s.setup.clicks.empty()) s.setup.clicks.pop_back();
             }}};
  }
  const bool markers = s.controller.Table().fiducials.has_value();
  return {{"find the table", "A", 'a', 0, [&s] { FindTableByMarkers(s); }},
          {"click the four corners", "C", 'c', 0, [&s] { StartClicking(s); }},
          {"set north", "N", 'n', 0,
           [&s] {
             s.setup.clicks.clear();
             s.setup.ask_north = true;
           }},
          {"corner markers", "M", 'm', 0,
           [&s, markers] { (void)s.controller.SetMarkers(!markers); }, markers},
          {"place a marker", "W", 'w', 0,
           [&s] { StartTyping(s.setup, SetupView::Typing::kMarker, ""); }},
          {"camera height", "H", 'h', 0,
           [&s] { StartTyping(s.setup, SetupView::Typing::kHeight, ""); }},
          {"fewer columns", "Left", 0, GLFW_KEY_LEFT, [&s] { ChangeBoard(s, -1, 0, 0); }},
          {"more columns", "Right", 0, GLFW_KEY_RIGHT, [&s] { ChangeBoard(s, 1, 0, 0); }},
          {"fewer rows", "Down", 0, GLFW_KEY_DOWN, [&s] { ChangeBoard(s, 0, -1, 0); }},
          {"more rows", "Up", 0, GLFW_KEY_UP, [&s] { ChangeBoard(s, 0, 1, 0); }},
          {"smaller squares", ",", ',', 0, [&s] { ChangeBoard(s, 0, 0, -0.25); }},
          {"larger squares", ".", '.', 0, [&s] { ChangeBoard(s, 0, 0, 0.25); }}};
}

Actions ColourActions(SetupScene& s) {
  return {{"learn the paints", "A", 'a', 0, [&s] {
             s.camera.Post(LearnColours{s.controller.Table(), s.controller.Plan()});
           }}};
}

Actions TerrainActions(SetupScene& s) {
  SetupHand& hand = s.hand;
  Actions out;
  // A quarter of an inch; with Shift about the finest that a picture shows.
  const auto nudge = [&hand](double x, double y) {
    const double step = ImGui::GetIO().KeyShift ? 0.05 : 0.25;
    hand.Nudge({step * x, step * y});
  };
  if (hand.Drawing()) {
    out = {{"put a corner", "Enter", 0, GLFW_KEY_ENTER, [&hand] { hand.PutCorner(hand.Cursor()); }},
           {"close the outline", "C", 'c', 0, [&hand] { hand.CloseOutline(); }},
           {"remove the last", "Bksp", 0, GLFW_KEY_BACKSPACE, [&hand] { hand.TakeBackCorner(); }},
           {"cancel", "Esc", 0, GLFW_KEY_ESCAPE, [&hand] { hand.StopDrawing(); }}};
  } else {
    out = {{"draw a new piece", "N", 'n', 0, [&hand] { hand.StartOutline(); }},
           {"next piece", ".", '.', 0, [&hand] { hand.NextArea(1); }},
           {"previous", ",", ',', 0, [&hand] { hand.NextArea(-1); }},
           {"plant a tree", "T", 't', 0, [&hand] { hand.PlantTree(); }}};
    if (hand.Tree() != nullptr) {
      out.push_back({"higher", "U", 'u', 0, [&hand] { hand.Raise(0.25); }});
      out.push_back({"lower", "D", 'd', 0, [&hand] { hand.Raise(-0.25); }});
    }
    if (hand.Area() >= 0) {
      out.push_back({"next corner", "Tab", 0, GLFW_KEY_TAB, [&hand] { hand.NextCorner(1); }});
      out.push_back({"add a corner", "I", 'i', 0, [&hand] { hand.InsertCorner(); }});
      out.push_back({hand.Corner() >= 0 ? "remove the corner" : "remove the piece", "Del", 0,
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
  out.push_back({"previous kind", "J", 'j', 0, [&hand] { hand.NextType(-1); }});
  return out;
}

// Goes to the next place at which nothing has been placed yet.
void NextSpot(SetupScene& s, std::size_t from) {
  s.setup.spot = from;
  for (; SpotAsked(s.setup) != nullptr; ++s.setup.spot) {
    const ArmySpot& spot = *SpotAsked(s.setup);
    const auto& units = s.controller.Plan().units;
    const bool placed = std::any_of(units.begin(), units.end(), [&](const UnitSpec& unit) {
      return unit.side == spot.side && unit.square == spot.square;
    });
    if (placed) continue;
    s.hand.ChooseSide(spot.side);
    return;
  }
  s.setup.reading = nullptr;
  s.setup.said = "Every place that the camera saw has been asked about";
}

// Places the chosen troops where the camera saw paint, as many as it covers.
// more  something else stands there too: the place is asked about again
void PlaceAtSpot(SetupScene& s, bool more) {
  const ArmySpot spot = *SpotAsked(s.setup);
  const std::size_t row = s.hand.Row();
  const Result<int> unit = s.controller.AddUnit(spot.side, row, spot.square);
  if (!unit.ok()) {
    s.setup.said = unit.error().message;
    return;
  }
  const Troop& troop = s.controller.Troops().at(row);
  const int bases = troop.stands > 1 ? BasesOf(spot.painted_in2, troop.footprint) : 1;
  (void)s.controller.SetStands(*unit, std::min(bases, troop.stands));
  s.setup.said.clear();
  if (!more) NextSpot(s, s.setup.spot + 1);
}

// The answers to "what stands there?".
Actions SpotActions(SetupScene& s) {
  SetupHand& hand = s.hand;
  return {
      {"this kind", "Enter", 0, GLFW_KEY_ENTER, [&s] { PlaceAtSpot(s, false); }},
      {"this, and more there", "B", 'b', 0, [&s] { PlaceAtSpot(s, true); }},
      {"next place", ".", '.', 0, [&s] { NextSpot(s, s.setup.spot + 1); }},
      {"stop", "Esc", 0, GLFW_KEY_ESCAPE, [&s] { s.setup.reading = nullptr; }},
      {"list up", "Up", 0, GLFW_KEY_UP, [&hand] { hand.NextRow(-1); }, false, false, true},
      {"list down", "Down", 0, GLFW_KEY_DOWN, [&hand] { hand.NextRow(1); }, false, false, true}};
}

Actions ArmyActions(SetupScene& s) {
  if (SpotAsked(s.setup) != nullptr) return SpotActions(s);
  SetupHand& hand = s.hand;
  Actions out = {{"place one", "Enter", 0, GLFW_KEY_ENTER, [&hand] { hand.Add(); }},
                 {"other side", "S", 's', 0, [&hand] { hand.NextSide(); }},
                 {"next unit", ".", '.', 0, [&hand] { hand.NextUnit(1); }},
                 {"previous", ",", ',', 0, [&hand] { hand.NextUnit(-1); }}};
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
    out.push_back({"add a stand", "M", 'm', 0, [&hand] { hand.MoreStands(1); }});
    out.push_back({"remove a stand", "N", 'n', 0, [&hand] { hand.MoreStands(-1); }});
    out.push_back({"remove the unit", "Del", 0, GLFW_KEY_DELETE, [&hand] { hand.RemoveUnit(); }});
    out.push_back(
        {"back to the list", "Esc", 0, GLFW_KEY_ESCAPE, [&hand] { hand.ChooseUnit(-1); }});
  } else {
    out.push_back(
        {"list up", "Up", 0, GLFW_KEY_UP, [&hand] { hand.NextRow(-1); }, false, false, true});
    out.push_back(
        {"list down", "Down", 0, GLFW_KEY_DOWN, [&hand] { hand.NextRow(1); }, false, false, true});
  }
  if (!hand.Army().empty()) {
    out.push_back({"place the army: " + hand.Army(), "A", 'a', 0, [&hand] { hand.AddArmy(); }});
    out.push_back({"other army", "O", 'o', 0, [&hand] { hand.NextArmy(); }});
  }
  if (s.seen.found != nullptr) {
    out.push_back({"read the armies off the picture", "C", 'c', 0, [&s] {
                     s.camera.Post(ReadArmies{s.controller.Table(), s.controller.Plan()});
                     s.setup.read_armies = true;
                     s.setup.read_before = s.seen.armies;
                   }});
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

Actions SaveActions(SetupScene& s) {
  const auto turns = [&s](int by) {
    const int now = s.controller.Plan().turns.value_or(0) + by;
    (void)s.controller.SetTurns(now > 0 ? std::optional(now) : std::nullopt);
  };
  Actions out = {
      {"name the battle", "N", 'n', 0,
       [&s] { StartTyping(s.setup, SetupView::Typing::kBattle, s.controller.Plan().name); }},
      {"more turns", "Up", 0, GLFW_KEY_UP, [=] { turns(1); }},
      {"fewer turns", "Down", 0, GLFW_KEY_DOWN, [=] { turns(-1); }},
      {"save", "S", 's', 0, [&s] { SaveAll(s); }}};
  if (s.seen.found != nullptr) {
    out.push_back({"save and referee", "R", 'r', 0, [&s] {
                     SaveAll(s);
                     s.setup.play = !s.controller.Unsaved();
                   }});
  }
  return out;
}

}  // namespace

Actions StepActions(SetupScene& s) {
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

Actions CommonActions(SetupScene& s) {
  return {{"picture or map", "V", 'v', 0, [&s] { s.setup.map = !s.setup.map; }},
          {"zoom in", "+", '+', 0,
           [&s] {
             ViewZoom& zoom = ShowsMap(s.seen, s.setup) ? s.view.map : s.view.picture;
             zoom.scale *= 1.25F;
           }},
          {"zoom out", "-", '-', 0,
           [&s] {
             ViewZoom& zoom = ShowsMap(s.seen, s.setup) ? s.view.map : s.view.picture;
             zoom.scale /= 1.25F;
           }},
          {"show all", "0", '0', 0,
           [&s] { (ShowsMap(s.seen, s.setup) ? s.view.map : s.view.picture) = ViewZoom{}; }}};
}

void TakeArmiesRead(SetupScene& s) {
  if (!s.setup.read_armies || s.seen.armies == s.setup.read_before || s.seen.armies == nullptr)
    return;
  s.setup.read_armies = false;
  s.setup.reading = s.seen.armies;
  s.hand.ChooseUnit(-1);
  s.setup.said = s.seen.armies_said;
  if (!s.seen.armies->empty()) NextSpot(s, 0);
}

void SaveAll(SetupScene& s) {
  const Status saved = s.controller.Save(s.place.folder);
  s.setup.said = saved.ok()
                     ? fmt::format("Saved: {0}/table.toml and {0}/scenario.toml", s.place.folder)
                     : saved.error().message;
  if (saved.ok() && (s.seen.found != nullptr || s.seen.lens != nullptr)) {
    s.camera.Post(
        SaveRig{std::filesystem::path(s.place.folder) / "rig.toml", s.controller.Table()});
  }
}

void Leave(SetupScene& s) {
  if (s.controller.Unsaved()) {
    s.setup.asked_to_leave = true;
    return;
  }
  s.view.quit = true;
}

Actions LeaveActions(SetupScene& s) {
  const auto answer = [](const char* name, const char* key_name, ImWchar letter, int key,
                         std::function<void()> act) {
    Action out;
    out.name = name;
    out.key_name = key_name;
    out.letter = letter;
    out.key = key;
    out.act = std::move(act);
    return out;
  };
  return {answer("save and leave", "S", 's', 0,
                 [&s] {
                   SaveAll(s);
                   s.setup.asked_to_leave = false;
                   s.view.quit = !s.controller.Unsaved();
                 }),
          answer("leave without saving", "D", 'd', 0, [&s] { s.view.quit = true; }),
          answer("stay", "Esc", 0, GLFW_KEY_ESCAPE, [&s] { s.setup.asked_to_leave = false; })};
}

Actions RulesActions(SetupScene& s) {
  Actions out;
  static constexpr const char* kDigits[] = {"1", "2", "3", "4", "5", "6", "7", "8", "9"};
  const auto& names = SetupController::Rulesets();
  for (std::size_t i = 0; i < names.size() && i < std::size(kDigits); ++i) {
    out.push_back({std::string(RuleSetTitle(names[i])), kDigits[i], static_cast<ImWchar>('1' + i),
                   0, [&s, name = names[i]] {
                     s.hand.ChooseRuleset(name);
                     s.setup.ask_rules = false;
                   }});
  }
  out.push_back({"later", "Esc", 0, GLFW_KEY_ESCAPE, [&s] { s.setup.ask_rules = false; }});
  return out;
}

void GoToStep(SetupScene& s, int step) {
  s.setup.step = static_cast<SetupStep>(std::clamp(step, 0, kSetupSteps - 1));
  s.setup.clicking = false;
  s.setup.ask_north = false;
  s.setup.typing = SetupView::Typing::kNothing;
  s.setup.said.clear();
  s.hand.StopDrawing();
}

}  // namespace fos
