// The panels, drawn with an ImGui context and no window.
#include "ui/screen.h"

#include <GLFW/glfw3.h>
#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "ui/keys.h"
#include "ui/log_panel.h"
#include "ui/rulings_panel.h"
#include "ui/status_panel.h"

namespace fos {
namespace {

TableCamera Overhead() {
  CameraModel lens;
  lens.width_px = 1920;
  lens.height_px = 1080;
  lens.fx_px = 1400;
  lens.fy_px = 1400;
  lens.cx_px = 960;
  lens.cy_px = 540;
  lens.distortion = {-0.1, 0, 0, 0, 0};
  // Sixty inches above the middle of the table, looking straight down, north up.
  return MakeTableCamera(lens, {3.14159265358979, 0, 0}, {-24, 18, 60});
}

StandObservation StandAt(const std::string& id, Vec2 at, int side) {
  StandObservation out;
  out.stand = {id};
  out.unit = id.substr(0, id.find('#'));
  out.side = side;
  out.table_from_stand = {at, 0};
  out.footprint = {1.5, 0.75};
  out.centre_cov = IsotropicCov(0.02);
  return out;
}

std::shared_ptr<const ShotShown> ShotAt(int number, Vec2 at, double gap_in, Call call) {
  ShotShown out;
  out.shot.shot = {number};
  out.shot.point = at;
  out.shot.tail = at + Vec2{0, 3};
  out.shot.point_cov = IsotropicCov(0.01);
  out.projectile = "cotton bud";
  StandVerdict stand;
  stand.stand = StandAt("B-1V1#1", at + Vec2{0, gap_in + 0.375}, 1);
  stand.limit_in = 1;
  stand.measured = {{gap_in, 0.02}, at + Vec2{0, gap_in}, 0.5};
  stand.call = call;
  out.verdict.stands = {stand};
  out.verdict.ground.square = "C4";
  out.verdict.text = "The swab's tip lies in C4.";
  return std::make_shared<const ShotShown>(out);
}

Snapshot OnTheTable() {
  Snapshot out;
  MatchFacts facts;
  facts.table = {12, 9, 4.0};
  facts.scenario.name = "a skirmish";
  facts.scenario.sides = {{"French", {47, 79, 168}, Facing::kSouth},
                          {"British", {176, 48, 40}, Facing::kNorth}};
  KindSpec kind;
  kind.thickness_in = 0.1;
  facts.scenario.kinds = {kind};
  out.facts = std::make_shared<const MatchFacts>(facts);
  out.watching = Watching::kWatching;
  TableRegistration found;
  found.camera = Overhead();
  out.table = std::make_shared<const TableRegistration>(found);
  out.stands = std::make_shared<const std::vector<StandObservation>>(std::vector<StandObservation>{
      StandAt("F-1L1#1", {10, 10}, 0), StandAt("B-1V1#1", {20, 20}, 1)});
  out.log = std::make_shared<const std::vector<LogLine>>(
      std::vector<LogLine>{{61.25, LogLine::Tone::kPlain, "2 stands on the table", 0}});
  return out;
}

struct Said : WordSink {
  void Post(PlayerWord word) override { words.push_back(std::move(word)); }
  std::vector<PlayerWord> words;
};

// Every letter that was drawn, in the order of the draw lists, read back from the places its quads
// take from the atlas. Blanks are not drawn.
std::string DrawnLetters() {
  std::map<std::pair<float, float>, ImWchar> letters;
  for (const ImFont* font : ImGui::GetIO().Fonts->Fonts) {
    for (const ImFontGlyph& glyph : font->Glyphs) {
      if (glyph.Visible != 0) letters[{glyph.U0, glyph.V0}] = static_cast<ImWchar>(glyph.Codepoint);
    }
  }
  std::string out;
  const ImDrawData& data = *ImGui::GetDrawData();
  for (int i = 0; i < data.CmdListsCount; ++i) {
    const ImDrawList& list = *data.CmdLists[i];
    for (const ImDrawCmd& command : list.CmdBuffer) {
      // A letter's quad is six indices, the first of them its upper left corner; a shape's
      // triangles lie between.
      for (unsigned at = 0; at + 6 <= command.ElemCount;) {
        const ImDrawIdx* index = &list.IdxBuffer[static_cast<int>(command.IdxOffset + at)];
        const ImDrawVert& corner = list.VtxBuffer[static_cast<int>(command.VtxOffset + index[0])];
        const auto letter = letters.find({corner.uv.x, corner.uv.y});
        if (letter == letters.end()) {
          at += 3;
          continue;
        }
        if (letter->second < 128) out += static_cast<char>(letter->second);
        at += 6;
      }
    }
  }
  return out;
}

class Screen : public testing::Test {
 protected:
  void SetUp() override {
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.DisplaySize = {1280, 720};
    io.DeltaTime = 1.0F / 60;
    theme_ = MakeTheme(false, false, 1);
    LoadFonts(theme_);
    unsigned char* pixels = nullptr;
    int width = 0;
    int height = 0;
    io.Fonts->GetTexDataAsRGBA32(&pixels, &width, &height);
    ApplyStyle(theme_);
  }
  void TearDown() override { ImGui::DestroyContext(); }

  // One frame; what was written in it by widgets, and how much was drawn.
  std::string Draw(const Snapshot& shown) {
    const ShownPicture picture{reinterpret_cast<ImTextureID>(std::uintptr_t{1}), 1920, 1080};
    ImGui::NewFrame();
    DrawScreen(theme_, shown, {picture, {}, {}}, view_, said_);
    ImGui::Render();
    vertices_ = ImGui::GetDrawData()->TotalVtxCount;
    return DrawnLetters();
  }
  void Press(const Snapshot& shown, int key) {
    ImGui::GetIO().KeysDown[key] = true;
    Draw(shown);
    ImGui::GetIO().KeysDown[key] = false;
    Draw(shown);
  }
  void Type(const Snapshot& shown, const char* letters) {
    ImGui::GetIO().AddInputCharactersUTF8(letters);
    Draw(shown);
  }
  static bool Has(const std::string& text, std::string part) {
    std::erase(part, ' ');
    return text.find(part) != std::string::npos;
  }

  Theme theme_;
  ViewState view_;
  Said said_;
  int vertices_ = 0;
};

TEST_F(Screen, SaysWhetherItWatches) {
  Snapshot shown = OnTheTable();
  EXPECT_TRUE(Has(Draw(shown), "WATCHING"));
  EXPECT_FALSE(Has(Draw(shown), "NOT WATCHING"));
  EXPECT_TRUE(Has(Draw(shown), "a skirmish"));
  EXPECT_TRUE(Has(Draw(shown), "1:01.2"));
  const int plain = vertices_;
  shown.watching = Watching::kHands;
  EXPECT_TRUE(Has(Draw(shown), "NOT WATCHING: hands over the table"));
  EXPECT_GT(vertices_, plain);  // the banner over the picture
  shown.watching = Watching::kCameraMoved;
  EXPECT_TRUE(Has(Draw(shown), "NOT WATCHING: the camera was moved"));
}

TEST_F(Screen, BeforeAnythingIsKnownItDrawsToo) {
  Snapshot shown = OnTheTable();
  shown.table = nullptr;
  shown.stands = nullptr;
  shown.watching = Watching::kLooking;
  shown.why = "no marker is seen";
  EXPECT_TRUE(Has(Draw(shown), "LOOKING FOR THE TABLE"));
  EXPECT_TRUE(Has(Draw(shown), "No shot has come to rest yet"));
  for (const ImVec2 size : {ImVec2{1, 1}, ImVec2{200, 100}, ImVec2{3840, 2160}}) {
    ImGui::GetIO().DisplaySize = size;
    Draw(shown);
  }
}

TEST_F(Screen, ANewShotIsChosenAndItsNumbersAreShown) {
  Snapshot shown = OnTheTable();
  Draw(shown);
  EXPECT_EQ(view_.selected_shot, 0);
  const int before = vertices_;
  shown.shots = {ShotAt(1, {9, 13}, 1.02, Call::kTooClose)};
  Draw(shown);
  const std::string text = Draw(shown);
  EXPECT_EQ(view_.selected_shot, 1);
  EXPECT_GT(vertices_, before + 200);  // the circle, on the picture and on the map
  EXPECT_TRUE(Has(text, "cotton bud in C4"));
  EXPECT_TRUE(Has(text, "B-1V1#1"));
  EXPECT_TRUE(Has(text, "1.02"));
  EXPECT_TRUE(Has(text, "50.0 %"));
  EXPECT_TRUE(Has(text, "TOO CLOSE"));
  shown.shots.push_back(ShotAt(2, {30, 13}, 0.4, Call::kHit));
  Draw(shown);
  EXPECT_EQ(view_.selected_shot, 2);
  EXPECT_TRUE(Has(Draw(shown), "HIT"));
}

TEST_F(Screen, KeysToggleZoomAndChoose) {
  Snapshot shown = OnTheTable();
  shown.shots = {ShotAt(1, {9, 13}, 1.02, Call::kMiss), ShotAt(2, {30, 13}, 0.4, Call::kHit)};
  Draw(shown);
  Press(shown, GLFW_KEY_F1);
  EXPECT_TRUE(view_.show_help);
  EXPECT_TRUE(Has(Draw(shown), "settle: hit, not hit"));
  Press(shown, GLFW_KEY_ESCAPE);
  EXPECT_FALSE(view_.show_help);
  Press(shown, GLFW_KEY_F11);
  EXPECT_TRUE(view_.full_screen);
  Press(shown, GLFW_KEY_PAGE_UP);
  EXPECT_EQ(view_.selected_shot, 1);
  Type(shown, "n");
  EXPECT_EQ(view_.selected_shot, 2);
  Type(shown, "n");
  EXPECT_EQ(view_.selected_shot, 2);  // there is no third
  const int with_all = (Draw(shown), vertices_);
  Type(shown, "gsc");
  EXPECT_FALSE(view_.show_grid || view_.show_stands || view_.show_circles);
  EXPECT_LT((Draw(shown), vertices_), with_all);
  Type(shown, "++");
  EXPECT_GT(view_.picture.scale, 1.4F);
  const float x = view_.picture.x;
  Press(shown, GLFW_KEY_RIGHT);
  EXPECT_GT(view_.picture.x, x);
  Type(shown, "0");
  EXPECT_EQ(view_.picture.scale, 1);
  Press(shown, GLFW_KEY_TAB);
  Type(shown, "+");
  EXPECT_EQ(view_.picture.scale, 1);
  EXPECT_GT(view_.map.scale, 1.2F);
  Type(shown, "z");
  EXPECT_GT(view_.picture.scale, 2);
  Type(shown, "v");
  EXPECT_EQ(view_.arrangement, Arrangement::kPictureOnly);
  Type(shown, "e");
  EXPECT_TRUE(view_.show_evidence);
  ImGui::GetIO().KeyCtrl = true;
  Press(shown, GLFW_KEY_Q);
  EXPECT_TRUE(view_.quit);
}

TEST_F(Screen, PlayersSettleAcceptAndDisputeByKeys) {
  Snapshot shown = OnTheTable();
  shown.shots = {ShotAt(1, {9, 13}, 1.02, Call::kTooClose)};
  Draw(shown);
  Type(shown, "h");
  ASSERT_EQ(said_.words.size(), 1u);
  EXPECT_EQ(said_.words[0].what, PlayerWord::What::kSettle);
  EXPECT_EQ(said_.words[0].stand, "B-1V1#1");
  EXPECT_EQ(said_.words[0].call, Call::kHit);

  ShotShown settled = *shown.shots[0];
  settled.words = said_.words;
  EXPECT_EQ(CallOf(settled).call, Call::kHit);
  shown.shots[0] = std::make_shared<const ShotShown>(settled);
  Type(shown, "m");  // nothing is open any more
  EXPECT_EQ(said_.words.size(), 1u);
  Type(shown, "a");
  ASSERT_EQ(said_.words.size(), 2u);
  EXPECT_EQ(said_.words[1].what, PlayerWord::What::kAccept);

  Type(shown, "d");
  Draw(shown);
  Draw(shown);
  Type(shown, "ham");  // words, no keys
  Press(shown, GLFW_KEY_ESCAPE);
  EXPECT_FALSE(view_.disputing);
  EXPECT_EQ(said_.words.size(), 2u);
}

TEST_F(Screen, HostileNumbersDoNoHarm) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Snapshot shown = OnTheTable();
  shown.shots = {ShotAt(1, {nan, 1e300}, nan, Call::kHit), ShotAt(2, {-1e6, 4}, 1e9, Call::kMiss)};
  shown.frame.time_s = nan;
  for (int i = 0; i < 3; ++i) Draw(shown);
  Type(shown, "z");
  view_.picture.x = std::numeric_limits<float>::infinity();
  Draw(shown);
  EXPECT_GE(view_.picture.scale, 1);
  EXPECT_LE(view_.picture.x, 1);
}

TEST(Projection, GoesThroughTheWholeCamera) {
  const TableCamera camera = Overhead();
  const Placement placed{{100, 50}, 0.5F};
  const Projection on(camera, placed);
  for (const double height : {0.0, 0.75}) {
    const auto at = on.At({3, 4}, height);
    ASSERT_TRUE(at.has_value());
    const ImagePoint pixel = ImageFromTable(camera, {3, 4}, height);
    EXPECT_NEAR(at->x, 100 + 0.5 * (pixel.x_px + 0.5), 1e-3);
    EXPECT_NEAR(at->y, 50 + 0.5 * (pixel.y_px + 0.5), 1e-3);
  }
  EXPECT_FALSE(on.At({3, 4}, 61).has_value());   // behind the camera
  EXPECT_FALSE(on.At({500, 4}, 0).has_value());  // where the lens's formula has folded over
}

TEST(Projection, TheMapHasNorthUp) {
  const TableFrame frame{12, 9, 4.0};
  const ScreenRect area{{0, 0}, {512, 392}};
  const ImVec2 size = MapSize(frame);
  const Projection on(frame, Place(size.x, size.y, area, {}));
  EXPECT_LT(on.At({24, 30}, 0)->y, on.At({24, 10}, 0)->y);
  EXPECT_LT(on.At({10, 18}, 0)->x, on.At({30, 18}, 0)->x);
  EXPECT_NEAR(on.At({24, 18}, 5)->x, 256, 0.01);
}

TEST(Zoom, WhatIsUnderThePointerStaysThere) {
  const ScreenRect area{{10, 20}, {810, 470}};
  ViewZoom zoom;
  const ImVec2 pivot{500, 200};
  const Placement before = Place(1920, 1080, area, zoom);
  ZoomAbout(1920, 1080, area, pivot, 3, zoom);
  const Placement after = Place(1920, 1080, area, zoom);
  EXPECT_NEAR((pivot.x - before.origin.x) / before.scale, (pivot.x - after.origin.x) / after.scale,
              0.05);
  EXPECT_NEAR((pivot.y - before.origin.y) / before.scale, (pivot.y - after.origin.y) / after.scale,
              0.05);
}

}  // namespace
}  // namespace fos
