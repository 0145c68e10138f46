// SPDX-License-Identifier: MIT
// The set-up screen, drawn with an ImGui context but no window; by keys and pointer.
#include "ui/window/setup_screen.h"

#include <GLFW/glfw3.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <opencv2/core.hpp>

#include "tests/support/drawn_letters.h"
#include "tests/support/temp_dir.h"

namespace fos {
namespace {

struct PlainCard : PictureFeed {
  ImVec2 Size() const override { return {1920, 1080}; }
  void Paint(ImDrawList& list, const PictureCut&, const Placement& placed,
             const ScreenRect&) override {
    ++painted;
    list.AddRectFilled(placed.ToScreen(0, 0), placed.ToScreen(1920, 1080), Rgba(60, 80, 60));
  }
  int painted = 0;
};

struct AskedOfCamera : CameraAsks {
  void Post(CameraAsk ask) override { asks.push_back(std::move(ask)); }
  template <typename Ask>
  std::optional<Ask> Last() const {
    if (asks.empty() || !std::holds_alternative<Ask>(asks.back())) return std::nullopt;
    return std::get<Ask>(asks.back());
  }
  std::vector<CameraAsk> asks;
};

// Sixty inches above the middle of the table, looking straight down, north up.
TableCamera CameraOverhead() {
  CameraModel lens;
  lens.width_px = 1920;
  lens.height_px = 1080;
  lens.fx_px = lens.fy_px = 1400;
  lens.cx_px = 960;
  lens.cy_px = 540;
  lens.distortion = {-0.1, 0, 0, 0, 0};
  return MakeTableCamera(lens, {3.14159265358979, 0, 0}, {-24, 18, 60});
}

class SetupScreen : public testing::Test {
 protected:
  void SetUp() override {
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.DisplaySize = {1280, 720};
    io.DeltaTime = 1.0F / 60;
    io.KeyMap[ImGuiKey_Enter] = GLFW_KEY_ENTER;
    io.KeyMap[ImGuiKey_Backspace] = GLFW_KEY_BACKSPACE;
    io.KeyMap[ImGuiKey_Escape] = GLFW_KEY_ESCAPE;
    theme_ = MakeTheme(false, false, 1);
    LoadFonts(theme_);
    unsigned char* pixels = nullptr;
    int width = 0;
    int height = 0;
    io.Fonts->GetTexDataAsRGBA32(&pixels, &width, &height);
    ApplyStyle(theme_);
    place_.folder = (dir_.path() / "set").string();
    for (int i = 0; i < 3; ++i) Draw();  // ImGui's windows need some frames to settle
  }
  void TearDown() override { ImGui::DestroyContext(); }

  void OpenAPicture() {
    seen_.source = "camera 0";
    seen_.frame.bgr = cv::Mat(1080, 1920, CV_8UC3, cv::Scalar(60, 80, 60));
  }
  void FindIt() {
    OpenAPicture();
    auto found = std::make_shared<PlacedTable>();
    found->table.camera = CameraOverhead();
    found->table.sentence = "good: 4 of 4 markers";
    found->table.held_out = {{{12, 12}, {0.01, 0.02}}, {{24, 12}, {0.09, 0}}};
    seen_.found = found;
    seen_.table_said = "Found by the markers";
  }

  std::string Draw() {
    MatchFacts facts;
    facts.table = controller_.Table().frame;
    facts.scenario = controller_.Plan();
    Snapshot shown;
    shown.facts = std::make_shared<const MatchFacts>(std::move(facts));
    shown.frame = seen_.frame;
    shown.stands = controller_.Stands();
    if (seen_.found != nullptr) {
      shown.table = std::make_shared<const TableRegistration>(seen_.found->table);
    }
    ImGui::NewFrame();
    DrawSetup(theme_, shown, seen_, card_, controller_, hand_, camera_, place_, view_, setup_);
    ImGui::Render();
    return test::DrawnLetters();
  }
  bool Shows(std::string part) {
    std::erase(part, ' ');
    return Draw().find(part) != std::string::npos;
  }
  void Press(int key) {
    ImGui::GetIO().KeysDown[key] = true;
    Draw();
    ImGui::GetIO().KeysDown[key] = false;
    Draw();
  }
  void Ctrl(int key) {
    ImGui::GetIO().KeyCtrl = true;
    Press(key);
    ImGui::GetIO().KeyCtrl = false;
  }
  void Type(const char* letters) {
    ImGui::GetIO().AddInputCharactersUTF8(letters);
    Draw();
  }
  // The screen position of a place of the table on the large map.
  ImVec2 OnMap(Vec2 at) const {
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    const float column = std::max(0.34F * size.x, 330.0F);
    const ScreenRect board{{6, 48}, {size.x - column - 6, size.y - 6}};
    const ImVec2 map = MapSize(controller_.Table().frame);
    return *Projection(controller_.Table().frame, Place(map.x, map.y, board, view_.map)).At(at, 0);
  }
  void Point(Vec2 at) {
    ImGui::GetIO().MousePos = OnMap(at);
    Draw();
  }
  void Click(Vec2 at) {
    Point(at);
    ImGui::GetIO().MouseDown[0] = true;
    Draw();
    ImGui::GetIO().MouseDown[0] = false;
    Draw();
  }
  void Drag(Vec2 from, Vec2 to) {
    Point(from);
    ImGui::GetIO().MouseDown[0] = true;
    Draw();
    Point(0.5 * (from + to));
    Point(to);
    ImGui::GetIO().MouseDown[0] = false;
    Draw();
  }

  test::TempDir dir_;
  Theme theme_;
  ViewState view_;
  SetupView setup_;
  SetupPlace place_;
  SetupController controller_;
  SetupHand hand_{controller_};
  CameraSeen seen_;
  AskedOfCamera camera_;
  PlainCard card_;
};

TEST_F(SetupScreen, EveryStepDrawsAndHasAKey) {
  FindIt();
  seen_.hints = {{Hint::Tone::kGood, "Focus: sharp"}, {Hint::Tone::kMust, "Light: dark"}};
  for (int step = 0; step < kSetupSteps; ++step) {
    Press(GLFW_KEY_F3 + step);
    EXPECT_EQ(static_cast<int>(setup_.step), step);
    for (const ImVec2 size :
         {ImVec2{1, 1}, ImVec2{320, 240}, ImVec2{2560, 1440}, ImVec2{1280, 720}}) {
      ImGui::GetIO().DisplaySize = size;
      Draw();
    }
  }
  EXPECT_GT(card_.painted, 0);
  Press(GLFW_KEY_PAGE_DOWN);
  EXPECT_EQ(setup_.step, SetupStep::kSave);
  Press(GLFW_KEY_PAGE_UP);
  EXPECT_EQ(setup_.step, SetupStep::kColours);
  Press(GLFW_KEY_F3);
  EXPECT_TRUE(Shows("Focus: sharp"));
  EXPECT_TRUE(Shows("Light: dark"));
  Press(GLFW_KEY_F1);
  EXPECT_TRUE(Shows("undo, redo"));
  Press(GLFW_KEY_ESCAPE);
  EXPECT_FALSE(setup_.show_help);
  Press(GLFW_KEY_F2);
  Type("t");
  EXPECT_TRUE(view_.light_theme);
}

// A recording that was chosen by its name is not called by its path afterwards.
TEST_F(SetupScreen, TheOpenRecordingHasItsName) {
  OpenAPicture();
  place_.devices = {{"/somewhere/else/film.mkv", "A film of Tuesday"}};
  seen_.source = "/somewhere/else/film.mkv";
  EXPECT_TRUE(Shows("A film of Tuesday"));
  EXPECT_FALSE(Shows("/somewhere"));
}

TEST_F(SetupScreen, ANewBattleAsksForItsRules) {
  setup_.ask_rules = true;
  Draw();  // a dialog finds its size first
  EXPECT_TRUE(Shows("Which rules do you play?"));
  Type("3");
  EXPECT_FALSE(setup_.ask_rules);
  EXPECT_EQ(controller_.Plan().ruleset, SetupController::Rulesets()[2]);
  EXPECT_FALSE(Shows("Which rules do you play?"));
  setup_.ask_rules = true;
  Press(GLFW_KEY_ESCAPE);
  EXPECT_FALSE(setup_.ask_rules);
  EXPECT_EQ(controller_.Plan().ruleset, SetupController::Rulesets()[2]);
}

TEST_F(SetupScreen, ACameraIsChosenByDigitAndAFileByName) {
  place_.devices = {{"0", "Laptop"}, {"2", "Webcam"}};
  place_.cameras = 2;
  EXPECT_TRUE(Shows("Webcam"));
  Type("2");
  ASSERT_TRUE(camera_.Last<OpenCamera>().has_value());
  EXPECT_EQ(camera_.Last<OpenCamera>()->source, "2");
  Type("o");
  Draw();
  Draw();
  Type("table.mkv");
  Press(GLFW_KEY_ENTER);
  ASSERT_TRUE(camera_.Last<OpenCamera>().has_value());
  EXPECT_EQ(camera_.Last<OpenCamera>()->source, "table.mkv");
  seen_.source = "table.mkv";
  seen_.why = "table.mkv: no such file";
  EXPECT_TRUE(Shows("no such file"));
}

TEST_F(SetupScreen, CollectsLensViewsAndSaysWhichAreMissing) {
  OpenAPicture();
  Press(GLFW_KEY_F4);
  Type("b");
  ASSERT_TRUE(camera_.Last<CollectLens>().has_value());
  seen_.collecting = true;
  seen_.views.views = 3;
  seen_.views.wanted = 12;
  seen_.views.next = "tilt the top towards the camera";
  seen_.views.corners = {{100, 100}};
  EXPECT_TRUE(Shows("3 of 12 views"));
  EXPECT_TRUE(Shows("tilt the top towards the camera"));
  Type("b");
  EXPECT_TRUE(camera_.Last<StopLens>().has_value());
}

TEST_F(SetupScreen, FindsTheTableByMarkersOrByFourClicksAndNorth) {
  OpenAPicture();
  Press(GLFW_KEY_F5);
  Type("a");
  ASSERT_TRUE(camera_.Last<FindTheTable>().has_value());
  EXPECT_TRUE(camera_.Last<FindTheTable>()->ways.clicks.empty());
  Type("c");
  ASSERT_TRUE(setup_.clicking);
  // By keys: move the cross to each corner.
  for (const ImagePoint& at :
       {ImagePoint{300, 200}, ImagePoint{1600, 200}, ImagePoint{1600, 900}, ImagePoint{300, 900}}) {
    setup_.cursor = at;
    Press(GLFW_KEY_LEFT);
    Press(GLFW_KEY_ENTER);
  }
  ASSERT_TRUE(setup_.ask_north);
  EXPECT_TRUE(Shows("Which way is north"));
  Press(GLFW_KEY_DOWN);
  const std::optional<FindTheTable> ask = camera_.Last<FindTheTable>();
  ASSERT_TRUE(ask.has_value());
  ASSERT_EQ(ask->ways.clicks.size(), 4u);
  EXPECT_LT(ask->ways.clicks[2].at.x_px, 700);  // north-east is at the lower left
  EXPECT_GT(ask->ways.clicks[2].at.y_px, 800);
  EXPECT_FALSE(setup_.ask_north);
  // Four clicks in one place are refused.
  const std::size_t asked = camera_.asks.size();
  Type("c");
  for (int i = 0; i < 4; ++i) Press(GLFW_KEY_ENTER);
  Press(GLFW_KEY_UP);
  EXPECT_EQ(camera_.asks.size(), asked);
  EXPECT_TRUE(setup_.clicking);
  EXPECT_TRUE(Shows("not the corners of a board"));
  Press(GLFW_KEY_ESCAPE);
  EXPECT_FALSE(setup_.clicking);
  FindIt();
  EXPECT_TRUE(Shows("good"));
  EXPECT_TRUE(Shows("4 of 4 markers"));
  EXPECT_TRUE(Shows("the worst is 0.090 in"));
  Press(GLFW_KEY_RIGHT);
  EXPECT_EQ(controller_.Table().frame.columns, 13);
}

TEST_F(SetupScreen, TerrainCanBeDrawnWithThePointer) {
  Press(GLFW_KEY_F6);
  Type("kn");  // a house
  for (const Vec2 at : {Vec2{10, 10}, Vec2{14, 10}, Vec2{14, 14}, Vec2{10, 14}}) Click(at);
  EXPECT_TRUE(hand_.Drawing());
  Click({10, 10});
  ASSERT_EQ(controller_.Plan().terrain.size(), 1u);
  EXPECT_EQ(controller_.Plan().terrain[0].type, "house");
  EXPECT_NEAR(controller_.Plan().terrain[0].polygon[2].y, 14, 0.1);
  Drag({14, 14}, {16, 15});
  EXPECT_NEAR(controller_.Plan().terrain[0].polygon[2].x, 16, 0.1);
  Drag({12, 12}, {13, 12});
  EXPECT_NEAR(controller_.Plan().terrain[0].polygon[2].x, 17, 0.1);
  const float x = view_.map.x;
  view_.map.scale = 2;
  Drag({30, 10}, {28, 10});  // beside the piece: moves the map
  EXPECT_GT(view_.map.x, x);
  Ctrl(GLFW_KEY_Z);
  EXPECT_NEAR(controller_.Plan().terrain[0].polygon[2].x, 16, 0.1);
  Ctrl(GLFW_KEY_Y);
  EXPECT_NEAR(controller_.Plan().terrain[0].polygon[2].x, 17, 0.1);
  // On the picture: the same place of the table.
  FindIt();
  Draw();
  hand_.StopDrawing();
  const Placement placed =
      Place(1920, 1080, {{6, 48}, {1280 - 0.34F * 1280 - 6, 714}}, view_.picture);
  const TableCamera camera = CameraOverhead();
  ImGui::GetIO().MousePos = *Projection(camera, placed).At({40, 30}, 0);
  Draw();
  ASSERT_TRUE(setup_.under_pointer.has_value());
  EXPECT_NEAR(setup_.under_pointer->x, 40, 0.1);
  EXPECT_NEAR(setup_.under_pointer->y, 30, 0.1);
}

TEST_F(SetupScreen, AFingerThatComesDownDoesNotPan) {
  Press(GLFW_KEY_F6);
  Type("n");
  view_.map.scale = 2;
  Draw();
  const ViewZoom before = view_.map;
  for (const Vec2 at : {Vec2{20, 14}, Vec2{28, 14}, Vec2{28, 20}}) {
    ImGui::GetIO().MousePos = OnMap(at);
    ImGui::GetIO().MouseDown[0] = true;
    Draw();
    ImGui::GetIO().MouseDown[0] = false;
    Draw();
  }
  EXPECT_EQ(view_.map.x, before.x);
  EXPECT_EQ(view_.map.y, before.y);
  EXPECT_EQ(hand_.Outline().size(), 3u);
}

TEST_F(SetupScreen, TerrainCanBeDrawnByKeys) {
  Press(GLFW_KEY_F6);
  Type("n");
  Press(GLFW_KEY_ENTER);
  for (int i = 0; i < 4; ++i) Press(GLFW_KEY_RIGHT);
  Press(GLFW_KEY_ENTER);
  for (int i = 0; i < 4; ++i) Press(GLFW_KEY_UP);
  Press(GLFW_KEY_ENTER);
  Type("c");
  ASSERT_EQ(controller_.Plan().terrain.size(), 1u);
  EXPECT_NEAR(Area(controller_.Plan().terrain[0].polygon), 0.5, 1e-9);
  Type("u");
  EXPECT_EQ(controller_.Plan().terrain[0].height_in, 0.25);
  Press(GLFW_KEY_TAB);
  Type("i");
  EXPECT_EQ(controller_.Plan().terrain[0].polygon.size(), 4u);
  Press(GLFW_KEY_DELETE);
  EXPECT_EQ(controller_.Plan().terrain[0].polygon.size(), 3u);
  EXPECT_TRUE(Shows("3 corners"));
}

TEST_F(SetupScreen, ArmiesCanBePlacedByPointerAndKeys) {
  Press(GLFW_KEY_F7);
  EXPECT_TRUE(Shows("Line infantry"));
  EXPECT_TRUE(Shows("4 x 3 = 12 pts"));
  Press(GLFW_KEY_DOWN);  // line infantry
  Press(GLFW_KEY_ENTER);
  ASSERT_EQ(controller_.Plan().units.size(), 1u);
  EXPECT_TRUE(Shows("Blue: 12 points"));
  EXPECT_TRUE(Shows("Red has no troops yet"));
  Drag(controller_.Table().frame.CentreOf(controller_.Plan().units[0].square),
       controller_.Table().frame.CentreOf({2, 3}));
  EXPECT_EQ(controller_.Plan().units[0].square, (SquareIndex{2, 3}));
  Press(GLFW_KEY_RIGHT);
  Press(GLFW_KEY_UP);
  EXPECT_EQ(controller_.Plan().units[0].square, (SquareIndex{3, 4}));
  Type("r");
  EXPECT_EQ(controller_.Plan().units[0].facing, Facing::kNorthEast);
  Type("n");
  EXPECT_EQ(controller_.Plan().units[0].stands, 3);
  Press(GLFW_KEY_ESCAPE);
  EXPECT_EQ(hand_.Unit(), -1);
  Type("s");
  EXPECT_EQ(hand_.Side(), 1);
  Press(GLFW_KEY_ENTER);
  Click(controller_.Table().frame.CentreOf({3, 4}));
  EXPECT_EQ(hand_.Unit(), 0);
  Press(GLFW_KEY_DELETE);
  EXPECT_EQ(controller_.Plan().units.size(), 1u);
  // Drops a row of the list on the board.
  setup_.dragged_row = 0;
  Point(controller_.Table().frame.CentreOf({6, 6}));
  ASSERT_EQ(controller_.Plan().units.size(), 2u);
  EXPECT_EQ(controller_.Plan().units[1].square, (SquareIndex{6, 6}));
  Type("e");
  Draw();
  Draw();
  for (int i = 0; i < 6; ++i) Press(GLFW_KEY_BACKSPACE);
  Type("Prussian");
  Press(GLFW_KEY_ENTER);
  EXPECT_EQ(controller_.Plan().sides[0].name, "Prussian");  // the side of the unit chosen last
}

// What the camera saw is asked place by place: what stands there, nothing, or more than one unit.
TEST_F(SetupScreen, ArmiesAreReadOffThePicture) {
  FindIt();
  Press(GLFW_KEY_F7);
  Type("c");
  ASSERT_FALSE(camera_.asks.empty());
  EXPECT_TRUE(std::holds_alternative<ReadArmies>(camera_.asks.back()));
  EXPECT_FALSE(Shows("Place 1 of 3"));
  constexpr double kOfThreeBases_in2 = 1.0;
  seen_.armies = std::make_shared<const std::vector<ArmySpot>>(std::vector<ArmySpot>{
      {0, {2, 1}, kOfThreeBases_in2}, {1, {4, 7}, 0.6}, {1, {9, 6}, 4.0}});
  Draw();
  EXPECT_TRUE(Shows("Place 1 of 3: what of Blue stands in C2?"));
  Press(GLFW_KEY_DOWN);  // line infantry
  Press(GLFW_KEY_ENTER);
  ASSERT_EQ(controller_.Plan().units.size(), 1u);
  const UnitSpec first = controller_.Plan().units[0];
  EXPECT_EQ(first.side, 0);
  EXPECT_EQ(first.square, (SquareIndex{2, 1}));
  EXPECT_EQ(first.stands, 3);  // as many as it covers, of four
  EXPECT_TRUE(Shows("Place 2 of 3: what of Red stands in E8?"));
  Type(".");  // nothing: it was a roof
  EXPECT_TRUE(Shows("Place 3 of 3: what of Red stands in J7?"));
  Type("b");  // a unit, and another one there
  EXPECT_TRUE(Shows("Place 3 of 3"));
  Press(GLFW_KEY_ENTER);
  EXPECT_FALSE(Shows("Place 3 of 3"));
  ASSERT_EQ(controller_.Plan().units.size(), 3u);
  EXPECT_EQ(controller_.Plan().units[2].side, 1);
  EXPECT_EQ(controller_.Plan().units[2].square, (SquareIndex{9, 6}));
  // Again: only the place where nothing was placed is asked about.
  Type("c");
  seen_.armies = std::make_shared<const std::vector<ArmySpot>>(*seen_.armies);
  Draw();
  EXPECT_TRUE(Shows("Place 2 of 3"));
  Press(GLFW_KEY_ESCAPE);
  EXPECT_FALSE(Shows("Place 2 of 3"));
  EXPECT_TRUE(Shows("other side"));
}

TEST_F(SetupScreen, OneKeyPlacesAnArmyAndAnotherATree) {
  Press(GLFW_KEY_F7);
  ASSERT_FALSE(hand_.Army().empty());
  const std::string first = hand_.Army();
  EXPECT_TRUE(Shows("place the army: " + first));
  Type("o");
  EXPECT_TRUE(controller_.Armies().size() == 1 || hand_.Army() != first);
  Type("a");
  EXPECT_GT(controller_.Plan().units.size(), 1u);
  EXPECT_GT(controller_.PointsOf(0), 0);
  Type("s");
  Type("a");
  EXPECT_GT(controller_.PointsOf(1), 0);
  Ctrl(GLFW_KEY_Z);
  EXPECT_EQ(controller_.PointsOf(1), 0);

  Press(GLFW_KEY_F6);
  Press(GLFW_KEY_RIGHT);
  Type("t");
  ASSERT_EQ(controller_.Plan().terrain.size(), 1u);
  ASSERT_EQ(controller_.Plan().terrain[0].objects.size(), 1u);
  EXPECT_NEAR(controller_.Plan().terrain[0].objects[0].circle->centre.x, 8.25, 1e-9);
  const double height = controller_.Plan().terrain[0].objects[0].height_in;
  Type("u");
  EXPECT_NEAR(controller_.Plan().terrain[0].objects[0].height_in, height + 0.25, 1e-9);
  Type("d");
  EXPECT_NEAR(controller_.Plan().terrain[0].objects[0].height_in, height, 1e-9);
}

TEST_F(SetupScreen, HeightAndMarkersCanBeTyped) {
  FindIt();
  Press(GLFW_KEY_F5);
  const auto say = [&](const char* key, const char* words) {
    Type(key);
    Draw();
    Draw();
    Type(words);
    Press(GLFW_KEY_ENTER);
    Draw();
  };
  say("h", "62.5 0.5");
  ASSERT_TRUE(setup_.height.has_value());
  EXPECT_EQ(setup_.height->sigma_in, 0.5);
  Type("a");
  const auto asked = camera_.Last<FindTheTable>();
  ASSERT_TRUE(asked.has_value());
  ASSERT_TRUE(asked->ways.height.has_value());
  EXPECT_EQ(asked->ways.height->inches, 62.5);
  say("h", "high");
  EXPECT_FALSE(setup_.said.empty());
  EXPECT_EQ(setup_.height->inches, 62.5);
  say("h", "");
  EXPECT_FALSE(setup_.height.has_value());
  say("w", "1 50 -2.25");
  EXPECT_TRUE(setup_.said.empty()) << setup_.said;
  EXPECT_EQ(controller_.Table().fiducials->markers[1].centre.y, -2.25);
  for (const char* wrong : {"1", "1 nan 3", "77 0 0", "x y z"}) {
    say("w", wrong);
    EXPECT_FALSE(setup_.said.empty()) << wrong;
  }
  EXPECT_EQ(controller_.Table().fiducials->markers[1].centre.y, -2.25);
}

TEST_F(SetupScreen, AsksBeforeLeavingUnsavedChanges) {
  FindIt();
  Press(GLFW_KEY_F7);
  Press(GLFW_KEY_ENTER);
  Ctrl(GLFW_KEY_Q);
  EXPECT_FALSE(view_.quit);
  EXPECT_TRUE(Shows("Not saved yet"));
  Press(GLFW_KEY_ESCAPE);  // stay
  EXPECT_FALSE(Shows("Not saved yet"));
  // The window's own cross asks as well.
  EXPECT_TRUE(view_.unsaved);
  view_.close_asked = true;
  EXPECT_TRUE(Shows("Not saved yet"));
  EXPECT_FALSE(view_.quit);
  Press(GLFW_KEY_ESCAPE);
  Press(GLFW_KEY_F9);
  Type("s");
  EXPECT_FALSE(controller_.Unsaved());
  EXPECT_TRUE(std::filesystem::is_regular_file(dir_.path() / "set/scenario.toml"));
  EXPECT_TRUE(std::filesystem::is_regular_file(dir_.path() / "set/table.toml"));
  EXPECT_TRUE(camera_.Last<SaveRig>().has_value());
  Type("r");
  EXPECT_TRUE(setup_.play);
  Ctrl(GLFW_KEY_Q);
  EXPECT_TRUE(view_.quit);
}

TEST_F(SetupScreen, ShowsTheLearntPaintsAndTheirDoubt) {
  FindIt();
  Press(GLFW_KEY_F8);
  Type("a");
  ASSERT_TRUE(camera_.Last<LearnColours>().has_value());
  ColoursSeen colours;
  colours.paints["Blue"] = {40, 60, 150};
  colours.text = "Red is hard to tell from the cloth";
  seen_.colours = std::make_shared<const ColoursSeen>(colours);
  seen_.colours_said = "Red is hard to tell from the cloth";
  EXPECT_TRUE(Shows("Red is hard to tell from the cloth"));
  EXPECT_TRUE(Shows("Blue: as planned, as seen by the camera"));
  EXPECT_TRUE(Shows("no stand was found"));
}

}  // namespace
}  // namespace fos
