// SPDX-License-Identifier: MIT
// The panels, drawn with an ImGui context but no window.
#include "ui/window/screen.h"

#include <GLFW/glfw3.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/colour_blind.h"
#include "tests/support/drawn_letters.h"
#include "ui/window/audience_panel.h"
#include "ui/window/damage.h"
#include "ui/window/input_queue.h"
#include "ui/window/keys.h"
#include "ui/window/label_room.h"
#include "ui/window/log_panel.h"
#include "ui/window/overlay.h"
#include "ui/window/overlay_layer.h"
#include "ui/window/panel_layout.h"
#include "ui/window/rulings_panel.h"
#include "ui/window/start_panel.h"
#include "ui/window/status_panel.h"
#include "ui/window/widgets.h"

namespace fos {
namespace {

using test::DrawnLetters;

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
  out.projectile = "cotton swab";
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

// The stand falls.
std::shared_ptr<const ShotShown> HitAt(int number, Vec2 at) {
  ShotShown out = *ShotAt(number, at, 0.2, Call::kHit);
  out.verdict.casualties = {{"B-1V1#1"}};
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
      std::vector<LogLine>{{61.25, LogLine::Category::kPlain, "2 stands on the table", 0}});
  return out;
}

// A picture of a camera's size, without a graphics card.
struct Card : PictureFeed {
  ImVec2 Size() const override { return {1920, 1080}; }
  void Paint(ImDrawList& list, const PictureCut& cut, const Placement& placed,
             const ScreenRect&) override {
    last = cut;
    list.AddImage(reinterpret_cast<ImTextureID>(std::uintptr_t{2}), placed.ToScreen(0, 0),
                  placed.ToScreen(1920, 1080));
  }
  PictureCut last;
};

struct Said : DecisionSink {
  void Post(PlayerDecision word) override { words.push_back(std::move(word)); }
  void StepTo(std::size_t step) override { steps.push_back(step); }
  void Drive(PlaybackWish wish) override { wishes.push_back(wish); }
  std::vector<PlaybackWish> wishes;
  std::vector<PlayerDecision> words;
  std::vector<std::size_t> steps;
};

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
    view_.verdict_by_itself = false;  // most of these tests look at the table
  }
  void TearDown() override { ImGui::DestroyContext(); }

  // Draws one frame and returns the text of its widgets; counts its vertices.
  std::string Draw(const Snapshot& shown) {
    ImGui::NewFrame();
    DrawScreen(theme_, shown, {card_, {}, {}}, view_, said_);
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
  // Clicks the button with that name, wherever it is.
  void Click(const Snapshot& shown, const std::string& name) {
    const auto [at, found] = PlaceOf(shown, name);
    ASSERT_TRUE(found) << name;
    ImGuiIO& io = ImGui::GetIO();
    io.MousePos = at;
    Draw(shown);
    io.MouseDown[0] = true;
    Draw(shown);
    io.MouseDown[0] = false;
    Draw(shown);
    Draw(shown);
  }
  // The place of the last text drawn that begins so.
  std::pair<ImVec2, bool> PlaceOf(const Snapshot& shown, std::string name) {
    Draw(shown);
    std::erase(name, ' ');
    const std::vector<test::DrawnLetter> letters = test::DrawnLetterList();
    if (letters.size() < name.size()) return {{}, false};
    for (std::size_t i = letters.size() - name.size() + 1; i-- > 0;) {
      bool same = true;
      for (std::size_t k = 0; k < name.size() && same; ++k)
        same = letters[i + k].letter == static_cast<ImWchar>(name[k]);
      if (same) return {{letters[i].at.x + 4, letters[i].at.y + 4}, true};
    }
    return {{}, false};
  }
  // No key is used for a second.
  void Rest(const Snapshot& shown) {
    for (int i = 0; i < 60; ++i) Draw(shown);
  }
  static bool Has(const std::string& text, std::string part) {
    std::erase(part, ' ');
    return text.find(part) != std::string::npos;
  }

  Theme theme_;
  ViewState view_;
  Card card_;
  Said said_;
  int vertices_ = 0;
};

TEST_F(Screen, SaysWhetherTheRefereeWatches) {
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
  shown.watching = Watching::kBlind;
  shown.why = "the picture is out of focus; wipe its lens";
  EXPECT_TRUE(Has(Draw(shown), "NOT WATCHING: the picture is no good"));
  EXPECT_TRUE(Has(Draw(shown), "wipe its lens"));
}

TEST_F(Screen, ALongNameLeavesTheButtonsFree) {
  Snapshot shown = OnTheTable();
  MatchFacts facts = *shown.facts;
  facts.scenario.name.clear();
  for (int i = 0; i < 50; ++i) facts.scenario.name += "\xC3\xBCn";
  shown.facts = std::make_shared<const MatchFacts>(facts);
  for (const float width : {1280.0F, 800.0F}) {
    ImGui::GetIO().DisplaySize.x = width;
    const auto [shots, found] = PlaceOf(shown, "0 shots");
    ASSERT_TRUE(found) << width;
    const auto [button, there] = PlaceOf(shown, "V picture + map");
    ASSERT_TRUE(there) << width;
    const float wide = theme_.body->CalcTextSizeA(theme_.body->FontSize, 1e6F, 0, "0 shots").x;
    EXPECT_LT(shots.x + wide, button.x) << width;
  }
}

// Green means that shots are judged against the stands that are seen.
TEST_F(Screen, DoesNotWatchWhereNoStandIsFound) {
  Snapshot shown = OnTheTable();
  MatchFacts facts = *shown.facts;
  facts.scenario.units.resize(1);
  shown.facts = std::make_shared<const MatchFacts>(facts);
  EXPECT_FALSE(Has(Draw(shown), "NO STAND FOUND"));
  shown.stands = std::make_shared<const std::vector<StandObservation>>();
  const std::string text = Draw(shown);
  EXPECT_TRUE(Has(text, "NO STAND FOUND"));
  EXPECT_FALSE(Has(text, "WATCHING"));
}

// Every name is inside the map, also of a unit at its edge.
TEST_F(Screen, NamesStayInsideTheSmallMap) {
  Snapshot shown = OnTheTable();
  shown.stands = std::make_shared<const std::vector<StandObservation>>(
      std::vector<StandObservation>{StandAt("F-a-long-name#1", {47.5, 10}, 0)});
  view_.names = UnitNames::kAll;
  for (int i = 0; i < 3; ++i) Draw(shown);
  float furthest = 0;
  const ImDrawData& data = *ImGui::GetDrawData();
  for (int i = 0; i < data.CmdListsCount; ++i) {
    const ImDrawList& list = *data.CmdLists[i];
    if (std::string(list._OwnerName != nullptr ? list._OwnerName : "") != "map") continue;
    for (const ImDrawVert& vertex : list.VtxBuffer) furthest = std::max(furthest, vertex.pos.x);
  }
  EXPECT_GT(furthest, 1200);
  EXPECT_LE(furthest, 1276);  // where the map ends, and its rim
}

// The plates that text is written on, in the order they were drawn. Corners are rounded, so their
// boxes are found by runs of vertices of their colour.
std::vector<ScreenRect> PlatesOn(const ImDrawList& list) {
  std::vector<ScreenRect> out;
  bool in_plate = false;
  for (const ImDrawVert& vertex : list.VtxBuffer) {
    // The rim that smooths the edge is half a pixel outside, and transparent.
    const bool plate = vertex.col == kPlate;
    const bool rim = vertex.col == Rgba(8, 10, 14, 0);
    if (!plate && !rim) in_plate = false;
    if (!plate) continue;
    if (!in_plate) out.push_back({vertex.pos, vertex.pos});
    in_plate = true;
    ScreenRect& box = out.back();
    box.low = {std::min(box.low.x, vertex.pos.x), std::min(box.low.y, vertex.pos.y)};
    box.high = {std::max(box.high.x, vertex.pos.x), std::max(box.high.y, vertex.pos.y)};
  }
  return out;
}

// A shot among four stands, and two more shots beside it, on large and on small pictures.
TEST_F(Screen, LabelsCoverNeitherEachOtherNorAPoint) {
  const Vec2 point{10, 10};
  for (const double gap_in : {0.0, 0.05, 0.1, 0.2, 0.3, 0.5, 0.9}) {
    ShotShown shot = *ShotAt(1, point, gap_in, Call::kHit);
    shot.verdict.stands.clear();
    std::vector<StandObservation> stands;
    for (const auto& [id, way] : {std::pair{"F-1x#1", Vec2{0, 1}}, std::pair{"F-22x#1", Vec2{1, 0}},
                                  std::pair{"F-333x#1", Vec2{0, -1}},
                                  std::pair{"F-4x#1", Vec2{-1, 0}}}) {
      StandVerdict stand;
      stand.stand = StandAt(id, point + (gap_in + 0.375) * way, 0);
      stand.limit_in = 1;
      stand.measured = {{gap_in, 0.02}, point + gap_in * way, 0.5};
      stand.call = Call::kHit;
      shot.verdict.stands.push_back(stand);
      stands.push_back(stand.stand);
    }
    Snapshot shown = OnTheTable();
    shown.stands = std::make_shared<const std::vector<StandObservation>>(stands);
    shown.shots = {std::make_shared<const ShotShown>(shot),
                   ShotAt(2, point + Vec2{0.5, 0.2}, 0.2, Call::kMiss),
                   ShotAt(3, point + Vec2{-0.6, 0.6}, 0.2, Call::kMiss)};
    view_.selected_shot = 1;
    for (const float px_per_in : {28.0F, 45.0F, 120.0F}) {
      SCOPED_TRACE(testing::Message() << gap_in << " in, " << px_per_in << " pixels to the inch");
      Placement placed;
      const Projection plain(shown.facts->table, placed);
      placed.scale = px_per_in / plain.PixelsPerInch(point, 0);
      const auto at = plain.At(point, 0);
      placed.origin = {640 - placed.scale * at->x, 360 - placed.scale * at->y};
      const Projection on(shown.facts->table, placed);
      for (const UnitNames names : {UnitNames::kWhereRoom, UnitNames::kAll}) {
        view_.names = names;
        ImGui::NewFrame();
        ImDrawList& list = *ImGui::GetBackgroundDrawList();
        std::vector<ScreenRect> written = DrawStands(list, theme_, on, shown, view_);
        DrawShots(list, theme_, on, shown, view_, std::move(written));
        const std::vector<ScreenRect> plates = PlatesOn(list);
        ImGui::Render();
        // The shots' numbers always have a place, and all names where all are wanted; where there
        // is some room, so has every distance.
        EXPECT_GE(plates.size(), (names == UnitNames::kAll ? 4u : 0u) +
                                     (px_per_in > 100 ? 7u : 4u));
        for (std::size_t i = 0; i < plates.size(); ++i) {
          for (std::size_t k = i + 1; k < plates.size(); ++k)
            EXPECT_FALSE(Overlap(plates[i], plates[k])) << i << " covers " << k;
          for (const auto& one : shown.shots) {
            const auto tip = on.At(one->shot.point, 0);
            ASSERT_TRUE(tip);
            EXPECT_FALSE(Overlap(plates[i], BoxAbout(*tip, {18, 18})))
                << i << " covers the point of shot " << one->shot.shot.number;
          }
        }
      }
    }
  }
}

TEST(LabelRoom, TheNearestPlaceIsFreeAndItsLineCrossesNothing) {
  LabelRoom room({{0, 0}, {400, 300}});
  room.Keep({{180, 130}, {220, 170}});
  room.Keep({{230, 100}, {240, 200}});
  const ImVec2 middle{200, 150};
  for (int i = 0; i < 20; ++i) {
    const std::vector<ScreenRect> before = room.Taken();
    const auto at = room.Nearest(middle, {40, 16}, 500, /*led=*/true);
    if (!at) break;
    EXPECT_EQ(room.Taken().size(), before.size() + 1);
    for (std::size_t k = 0; k < before.size(); ++k) {
      EXPECT_FALSE(Overlap(before[k], BoxAbout(*at, {40, 16})));
      // The line begins in the first box.
      for (int step = 0; k > 0 && step <= 100; ++step) {
        const float t = static_cast<float>(step) / 100;
        const ImVec2 on{middle.x + t * (at->x - middle.x), middle.y + t * (at->y - middle.y)};
        EXPECT_FALSE(Overlap(before[k], BoxAbout(on, {0.01F, 0.01F}))) << i << " crosses " << k;
      }
    }
  }
  EXPECT_GT(room.Taken().size(), 6u);
  EXPECT_FALSE(LabelRoom({{0, 0}, {10, 10}}).Nearest({5, 5}, {40, 16}, 500, false));
}

// Q shows all names, then none, then those for which there is room.
TEST_F(Screen, AKeyShowsAllNames) {
  Snapshot shown = OnTheTable();
  std::vector<StandObservation> crowd;
  for (int i = 0; i < 30; ++i)
    crowd.push_back(StandAt("F-" + std::to_string(i) + "x#1", {24 + 0.1 * i, 18}, 0));
  shown.stands = std::make_shared<const std::vector<StandObservation>>(crowd);
  const auto named = [&] {
    const std::string text = (Draw(shown), Draw(shown));
    int count = 0;
    for (int i = 0; i < 30; ++i) count += Has(text, "F-" + std::to_string(i) + "x") ? 1 : 0;
    return count;
  };
  const int with_room = named();
  EXPECT_LT(with_room, 30);
  Type(shown, "q");
  EXPECT_EQ(named(), 30);
  Type(shown, "q");
  EXPECT_EQ(named(), 0);
  Type(shown, "q");
  EXPECT_EQ(named(), with_room);
}

TEST_F(Screen, DrawsBeforeTheTableIsFound) {
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

TEST_F(Screen, ChoosesANewShotAndShowsItsNumbers) {
  Snapshot shown = OnTheTable();
  Draw(shown);
  EXPECT_EQ(view_.selected_shot, 0);
  const int before = vertices_;
  shown.shots = {ShotAt(1, {9, 13}, 1.02, Call::kTooClose)};
  Draw(shown);
  const std::string text = Draw(shown);
  EXPECT_EQ(view_.selected_shot, 1);
  EXPECT_GT(vertices_, before + 200);  // the circle, on the picture and on the map
  EXPECT_TRUE(Has(text, "cotton swab in C4"));
  EXPECT_TRUE(Has(text, "B-1V1#1"));
  EXPECT_TRUE(Has(text, "1.02"));
  EXPECT_TRUE(Has(text, "50.0 %"));
  EXPECT_TRUE(Has(text, "TOO CLOSE"));
  shown.shots.push_back(ShotAt(2, {30, 13}, 0.4, Call::kHit));
  Draw(shown);
  EXPECT_EQ(view_.selected_shot, 2);
  EXPECT_TRUE(Has(Draw(shown), "HIT"));
}

// On a laptop, and on an old screen of 1024 x 768 with a desktop's panel and a title.
TEST_F(Screen, TheTableOfStandsCutsNoWord) {
  Snapshot shown = OnTheTable();
  ShotShown shot = *ShotAt(1, {9, 13}, 1.02, Call::kTooClose);
  shot.verdict.stands.push_back(shot.verdict.stands[0]);
  shot.verdict.stands[1].measured.p_within = 0.99999;
  shown.shots = {std::make_shared<const ShotShown>(shot)};
  for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1024, 700}}) {
    ImGui::GetIO().DisplaySize = size;
    SCOPED_TRACE(size.x);
    Draw(shown);
    const std::string text = Draw(shown);
    // A letter beyond the edge of its column is not drawn, and one on the edge is cut.
    const auto count = [&](const std::string& part) {
      int found = 0;
      for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
        ++found;
      return found;
    };
    EXPECT_GE(count("TOOCLOS"), 3);  // of the shot, and of each stand
    EXPECT_EQ(count("TOOCLOSE"), count("TOOCLOS"));
    const ScreenRect panel =
        LayoutOf(theme_, view_, shown.facts->table, false, ImGui::GetIO().DisplaySize).rulings;
    std::string cut;
    for (const test::DrawnLetter& drawn : test::DrawnLetterList())
      if (drawn.cut && drawn.at.x > panel.low.x) cut += static_cast<char>(drawn.letter);
    EXPECT_EQ(cut, "");
  }
}

TEST_F(Screen, KeysToggleZoomAndChoose) {
  Snapshot shown = OnTheTable();
  shown.shots = {ShotAt(1, {9, 13}, 1.02, Call::kMiss), ShotAt(2, {30, 13}, 0.4, Call::kHit)};
  Draw(shown);
  Press(shown, GLFW_KEY_F1);
  EXPECT_TRUE(view_.show_help);
  EXPECT_TRUE(Has(Draw(shown), "too close: we say hit, miss"));
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

TEST_F(Screen, SettingsCanBeChangedByKeys) {
  Snapshot shown = OnTheTable();
  Draw(shown);
  Press(shown, GLFW_KEY_F2);
  EXPECT_TRUE(view_.show_settings);
  EXPECT_TRUE(Has(Draw(shown), "large buttons, for fingers"));
  Type(shown, "k");
  Type(shown, "o");
  Type(shown, "t");
  Type(shown, "b");
  EXPECT_TRUE(view_.large_controls && view_.sound && view_.light_theme && view_.safe_colours);
  Type(shown, "]");
  EXPECT_GT(view_.ui_scale, 1.05F);
  Press(shown, GLFW_KEY_ESCAPE);
  EXPECT_FALSE(view_.show_settings);
  for (int i = 0; i < 50; ++i) Type(shown, "]");
  EXPECT_LE(view_.ui_scale, 4);
}

// Every layer has a tick, and what was changed can be had back.
TEST_F(Screen, SettingsListTheLayersAndLeadBack) {
  Snapshot shown = OnTheTable();
  view_.ui_scale = 1.2F;
  Draw(shown);
  Press(shown, GLFW_KEY_F2);
  const std::string text = Draw(shown);
  for (const char* layer : {"grid and terrain", "stands", "names of units", "circles and distances",
                            "reach and sight", "the log", "speak every verdict"})
    EXPECT_TRUE(Has(text, layer)) << layer;
  Type(shown, "t");
  Type(shown, "]");
  Type(shown, "g");
  EXPECT_TRUE(view_.light_theme);
  EXPECT_FALSE(view_.show_grid);
  ASSERT_TRUE(view_.look_before);
  EXPECT_FALSE(view_.look_before->light_theme);
  EXPECT_FLOAT_EQ(view_.look_before->ui_scale, 1.2F);
  Click(shown, "as they were");
  EXPECT_FALSE(view_.light_theme);
  EXPECT_TRUE(view_.show_grid);
  EXPECT_FLOAT_EQ(view_.ui_scale, 1.2F);
  view_.screen_scale = 1;
  Click(shown, "as first installed");
  EXPECT_FLOAT_EQ(view_.ui_scale, 1);
  Press(shown, GLFW_KEY_ESCAPE);
  Draw(shown);
  EXPECT_FALSE(view_.look_before);
}

// Onlookers' window and layers are settings like the others.
TEST_F(Screen, SettingsOpenTheOnlookersWindow) {
  const Snapshot shown = OnTheTable();
  Draw(shown);
  Press(shown, GLFW_KEY_F2);
  EXPECT_FALSE(Has(Draw(shown), "for onlookers"));  // not where there is nothing for them
  view_.may_audience = true;
  Rest(shown);  // the dialog grows
  Click(shown, "a second window, for onlookers");
  EXPECT_TRUE(view_.audience);
  Click(shown, "as first installed");
  EXPECT_FALSE(view_.audience);
}

// An edge is taken at `from`, or a finger's width beside it, and moved.
TEST_F(Screen, EdgesOfPanelsAreDragged) {
  const Snapshot shown = OnTheTable();
  ImGuiIO& io = ImGui::GetIO();
  const auto layout = [&] {
    return LayoutOf(theme_, view_, shown.facts->table, false, io.DisplaySize);
  };
  const auto drag = [&](ImVec2 from, ImVec2 by) {
    io.MousePos = from;
    Draw(shown);
    Draw(shown);
    io.MouseDown[0] = true;
    Draw(shown);
    for (int i = 1; i <= 4; ++i) {
      io.MousePos = {from.x + by.x * static_cast<float>(i) / 4,
                     from.y + by.y * static_cast<float>(i) / 4};
      Draw(shown);
    }
    io.MouseDown[0] = false;
    Draw(shown);
    for (int i = 0; i < 60; ++i) Draw(shown);  // longer than between two clicks
  };
  Draw(shown);
  const ViewZoom zoom = view_.picture;
  const PanelLayout before = layout();
  const float middle = 0.5F * (before.main.low.y + before.main.high.y);
  drag({before.main.high.x + 3, before.main.low.y + 20}, {-100, 0});  // a mouse, anywhere in the gap
  EXPECT_NEAR(layout().main.high.x, before.main.high.x - 100, 1.5);
  constexpr float kFinger = 9 / 25.4F * 96;
  drag({layout().rulings.low.x - kFinger + 1, middle + kFinger - 1}, {60, 0});  // the grip's corner
  EXPECT_NEAR(layout().main.high.x, before.main.high.x - 40, 2.5);
  const float log = layout().log.low.y;
  drag({layout().log.low.x + 30, log - 3}, {0, -80});
  EXPECT_NEAR(layout().log.low.y, log - 80, 1.5);
  const float map = layout().map.high.y;
  drag({layout().map.high.x - 30, map + 3}, {0, -70});
  EXPECT_NEAR(layout().map.high.y, map - 70, 1.5);
  EXPECT_EQ(view_.picture.x, zoom.x) << "the picture was dragged along";
  // The settings lead back.
  const PanelShares chosen = view_.panels;
  Press(shown, GLFW_KEY_F2);
  Click(shown, "panels at their own sizes");
  EXPECT_EQ(view_.panels, PanelShares{});
  Click(shown, "as they were");
  EXPECT_EQ(view_.panels, chosen);
  Click(shown, "as first installed");
  EXPECT_EQ(view_.panels, PanelShares{});
  Press(shown, GLFW_KEY_ESCAPE);
  // So does a double click on the edge.
  view_.panels = chosen;
  io.MousePos = {layout().main.high.x + 3, before.main.low.y + 20};
  Draw(shown);
  Draw(shown);
  for (const bool down : {true, false, true, false}) {
    io.MouseDown[0] = down;
    Draw(shown);
  }
  EXPECT_EQ(view_.panels.column, 0);
  EXPECT_EQ(view_.panels.log, chosen.log);
}

TEST_F(Screen, CtrlAndTheArrowsMoveTheEdges) {
  const Snapshot shown = OnTheTable();
  ImGuiIO& io = ImGui::GetIO();
  Draw(shown);
  const auto layout = [&] {
    return LayoutOf(theme_, view_, shown.facts->table, false, io.DisplaySize);
  };
  const PanelLayout before = layout();
  const ViewZoom zoom = view_.picture;
  io.KeyCtrl = true;
  Press(shown, GLFW_KEY_LEFT);
  Press(shown, GLFW_KEY_LEFT);
  Press(shown, GLFW_KEY_UP);
  io.KeyShift = true;
  Press(shown, GLFW_KEY_UP);
  io.KeyShift = io.KeyCtrl = false;
  EXPECT_NEAR(layout().main.high.x, before.main.high.x - 48, 2);
  EXPECT_NEAR(layout().log.low.y, before.log.low.y - 24, 2);
  EXPECT_NEAR(layout().map.high.y, before.map.high.y - 24, 2);
  EXPECT_EQ(view_.picture.x, zoom.x);
  EXPECT_EQ(view_.picture.y, zoom.y);
}

// Whatever was dragged on another screen, every panel keeps a size at which it can be used.
TEST_F(Screen, PanelsStayUsableOnEveryScreen) {
  const TableFrame frame{12, 9, 4.0};
  struct Display {
    ImVec2 size;
    float scale;
  };
  for (const Display& display :
       {Display{{1366, 768}, 1}, Display{{3840, 2160}, 2}, Display{{1280, 720}, 1.5F}}) {
    Theme theme = theme_;
    theme.scale = display.scale;
    for (const float column : {0.0F, 0.01F, 0.3F, 1.0F}) {
      for (const float part : {0.0F, 0.01F, 0.3F, 1.0F}) {
        view_.panels = {column, part, part};
        const PanelLayout out = LayoutOf(theme, view_, frame, true, display.size);
        SCOPED_TRACE(testing::Message() << display.size.x << ' ' << column << ' ' << part);
        EXPECT_GE(out.rulings.Width(), theme.Px(400) - theme.Px(8));
        EXPECT_GE(out.main.Width(), 0.19F * display.size.x);
        EXPECT_GE(out.main.Height(), theme.Px(120));
        EXPECT_GE(out.rulings.Height(), theme.Px(120));
        EXPECT_GE(out.map.Height(), theme.Px(85));
        EXPECT_GE(out.log.Height(), theme.Px(69));
        EXPECT_LT(out.map.high.y, out.rulings.low.y);
        EXPECT_LT(out.main.high.y, out.log.low.y);
        EXPECT_LT(out.main.high.x, out.rulings.low.x);
      }
    }
  }
}

TEST_F(Screen, AsksWhetherTheTableIsRight) {
  Snapshot shown = OnTheTable();
  EXPECT_FALSE(Has(Draw(shown), "right as it stands"));
  Press(shown, GLFW_KEY_F12);
  EXPECT_TRUE(said_.words.empty());  // nothing was asked
  shown.setup = SetupAsked{"2 units are not where the scenario places them", false};
  const std::string text = Draw(shown);
  EXPECT_TRUE(Has(text, "2 units are not where"));
  EXPECT_TRUE(Has(text, "the table is right as it stands"));
  EXPECT_TRUE(Has(text, "IS THIS THE SCENARIO'S TABLE?"));
  Press(shown, GLFW_KEY_F12);
  ASSERT_EQ(said_.words.size(), 1u);
  EXPECT_EQ(said_.words[0].what, PlayerDecision::What::kTable);
  EXPECT_TRUE(said_.words[0].changed);
  shown.setup->accepted = true;
  EXPECT_TRUE(Has(Draw(shown), "it is not right after all"));
  EXPECT_FALSE(Has(Draw(shown), "IS THIS THE SCENARIO'S TABLE?"));
  Press(shown, GLFW_KEY_F12);
  EXPECT_FALSE(said_.words.back().changed);
}

// In a small window too, for those who have no keyboard.
TEST_F(Screen, NoControlOfARecordingIsCut) {
  Snapshot shown = OnTheTable();
  MatchFacts facts = *shown.facts;
  facts.frames = 100;
  shown.facts = std::make_shared<const MatchFacts>(facts);
  shown.playback = PlaybackShown{};
  shown.frame.id.index = 50;
  for (const float width : {1280.0F, 900.0F, 640.0F, 480.0F}) {
    ImGui::GetIO().DisplaySize.x = width;
    Draw(shown);
    const std::string text = Draw(shown);
    for (const char* control : {"pause F7", "back Shift+F8", "step F8", "1 x F5", "< shot Home",
                                "shot > End", "picture 50"})
      EXPECT_TRUE(Has(text, control)) << control << ' ' << width;
  }
}

// A recording goes back as well as on; a drag of its slider asks once, for its end.
TEST_F(Screen, ARecordingGoesBackToo) {
  Snapshot shown = OnTheTable();
  MatchFacts facts = *shown.facts;
  facts.frames = 100;
  shown.facts = std::make_shared<const MatchFacts>(facts);
  shown.playback = PlaybackShown{};
  shown.frame.id.index = 50;
  EXPECT_TRUE(Has(Draw(shown), "picture 50"));
  using Wish = PlaybackWish::What;
  Press(shown, GLFW_KEY_HOME);
  Press(shown, GLFW_KEY_F8);
  ImGui::GetIO().KeyShift = true;
  Press(shown, GLFW_KEY_F8);
  ImGui::GetIO().KeyShift = false;
  Press(shown, GLFW_KEY_END);
  std::vector<Wish> wishes;
  for (const PlaybackWish& wish : said_.wishes) wishes.push_back(wish.what);
  EXPECT_EQ(wishes, (std::vector<Wish>{Wish::kPreviousShot, Wish::kStep, Wish::kStepBack,
                                       Wish::kNextShot}));
  shown.playback->reviewing = true;
  EXPECT_TRUE(Has(Draw(shown), "picture 50, again"));
}

// The film of a shot lies beside its place and changes places with it.
TEST_F(Screen, AVerdictShowsTheFilmOfItsShot) {
  Snapshot shown = OnTheTable();
  shown.shots = {HitAt(1, {9, 13})};
  view_.verdict = true;
  view_.selected_shot = 1;
  view_.shots_known = 1;
  const auto film = reinterpret_cast<ImTextureID>(std::uintptr_t{7});
  const auto height = [&](const ShownPicture& picture) {
    ImGui::NewFrame();
    DrawScreen(theme_, shown, {card_, {}, {}, {}, picture}, view_, said_);
    ImGui::Render();
    float out = 0;
    const ImDrawData& data = *ImGui::GetDrawData();
    for (int i = 0; i < data.CmdListsCount; ++i) {
      for (const ImDrawCmd& command : data.CmdLists[i]->CmdBuffer)
        if (command.TextureId == film) out = command.ClipRect.w - command.ClipRect.y;
    }
    return out;
  };
  EXPECT_EQ(height({}), 0);
  const float small = (height({film, 720, 405, {}}), height({film, 720, 405, {}}));
  EXPECT_GT(small, 100);
  EXPECT_TRUE(Has(DrawnLetters(), "before the shot"));
  EXPECT_TRUE(Has(DrawnLetters(), "HIT"));
  ImGui::GetIO().AddInputCharactersUTF8("l");
  height({film, 720, 405, {}});
  EXPECT_GT(height({film, 720, 405, {}}), 1.5F * small);
}

// What onlookers see: no letter is lower than a twelfth of the screen.
TEST_F(Screen, OnlookersReadTheVerdictFromAfar) {
  Snapshot shown = OnTheTable();
  const auto audience = [&](ImVec2 size) {
    ImGui::GetIO().DisplaySize = size;
    const auto shot = ShotForAudience(shown, view_);
    ImGui::NewFrame();
    DrawAudience(theme_, shown, shot, {}, nullptr, size);
    ImGui::Render();
    EXPECT_GE(test::SmallestLetter(), size.y / 12 - 0.6F) << DrawnLetters();
    return DrawnLetters();
  };
  for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1920, 1080}, ImVec2{1024, 768}}) {
    view_.verdict = false;
    shown.shots.clear();
    EXPECT_TRUE(Has(audience(size), "WATCHING"));
    shown.watching = Watching::kHands;
    EXPECT_TRUE(Has(audience(size), "HANDS ON THE TABLE"));
    shown.watching = Watching::kWatching;
    shown.shots = {HitAt(1, {9, 13})};
    view_.selected_shot = 1;
    view_.verdict = true;
    const std::string text = audience(size);
    EXPECT_TRUE(Has(text, "HIT"));
    EXPECT_TRUE(Has(text, "B-1V1#1"));
    EXPECT_FALSE(Has(text, "WATCHING"));
  }
  // A verdict that fills nobody's screen is shown for a while all the same.
  view_.verdict = false;
  view_.verdict_by_itself = false;
  EXPECT_NE(ShotForAudience(shown, view_), nullptr);
  shown.frame.time_s = 1000;
  EXPECT_EQ(ShotForAudience(shown, view_), nullptr);
}

std::array<double, 3> Srgb(ImU32 colour) {
  const ImVec4 c = ToVec4(colour);
  return {static_cast<double>(c.x), static_cast<double>(c.y), static_cast<double>(c.z)};
}

// Safe colours differ plainly for every colour-blind player: what was hit from what was missed, one
// side from the other, and watching from everything else. The usual ones do not.
TEST(SafeColours, DifferForColourBlindPlayers) {
  const auto least = [](const Theme& theme) {
    Scenario scenario;
    scenario.sides = {{"French", {47, 79, 168}, Facing::kSouth},
                      {"British", {176, 48, 40}, Facing::kNorth}};
    const std::vector<std::pair<ImU32, ImU32>> pairs = {
        {CallColour(theme, Call::kHit), CallColour(theme, Call::kMiss)},
        {CallColour(theme, Call::kHit), CallColour(theme, Call::kTooClose)},
        {CallColour(theme, Call::kMiss), CallColour(theme, Call::kTooClose)},
        {SideColour(theme, scenario, 0), SideColour(theme, scenario, 1)},
        {WatchingColour(theme, Watching::kWatching), WatchingColour(theme, Watching::kLooking)},
        {WatchingColour(theme, Watching::kWatching), WatchingColour(theme, Watching::kHands)},
        {WatchingColour(theme, Watching::kWatching), WatchingColour(theme, Watching::kEnded)},
        {WatchingColour(theme, Watching::kWatching), WatchingColour(theme, Watching::kNoCamera)}};
    double out = 1e9;
    for (const auto& by : test::kColourBlind) {
      for (const auto& [one, other] : pairs) {
        out = std::min(out, test::DifferenceSeen(Srgb(one), Srgb(other), by));
      }
    }
    return out;
  };
  // Ten is a difference that is seen at a glance.
  constexpr double kPlain = 20;
  EXPECT_GT(least(MakeTheme(false, true, 1)), kPlain);
  EXPECT_GT(least(MakeTheme(true, true, 1)), kPlain);
  EXPECT_LT(least(MakeTheme(false, false, 1)), kPlain);
}

// Names on plates, also where the map is white: contrast as WCAG 2.1 has it.
TEST(Plates, NamesOfAnyPaintAreReadable) {
  const auto luminance = [](const std::array<double, 3>& srgb) {
    constexpr std::array<double, 3> kShare = {0.2126, 0.7152, 0.0722};
    double out = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      const double c = srgb[i];
      out += kShare[i] * (c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4));
    }
    return out;
  };
  std::array<double, 3> ground = Srgb(kPlate);
  const double share = static_cast<double>(ToVec4(kPlate).w);
  for (double& c : ground) c = share * c + (1 - share);
  const Theme theme = MakeTheme(true, false, 1);
  for (const Colour paint :
       {Colour{47, 79, 168}, {176, 48, 40}, {0, 0, 255}, {20, 20, 20}, {90, 0, 110}}) {
    Scenario scenario;
    scenario.sides = {{"One", paint, Facing::kSouth}};
    const ImU32 written = OnPlate(SideColour(theme, scenario, 0));
    EXPECT_GE((luminance(Srgb(written)) + 0.05) / (luminance(ground) + 0.05), 4.5)
        << int{paint.r} << ' ' << int{paint.g} << ' ' << int{paint.b};
  }
  EXPECT_EQ(OnPlate(Rgba(255, 200, 120)), Rgba(255, 200, 120));
}

// Nine millimetres at 96 dots an inch, and as much more as the screen is finer.
TEST_F(Screen, LargeControlsAreAsLargeAsAFinger) {
  constexpr float kFinger = 9 / 25.4F * 96;
  for (const float scale : {1.0F, 2.0F}) {
    Theme large = MakeTheme(false, false, scale, true);
    ImGui::GetIO().FontGlobalScale = scale;
    ApplyStyle(large);
    ImGui::NewFrame();
    EXPECT_GE(ImGui::GetFrameHeight(), kFinger * scale);
    ImGui::Render();
  }
  ImGui::GetIO().FontGlobalScale = 1;
}

TEST_F(Screen, SaysWhenTheCameraIsGone) {
  Snapshot shown = OnTheTable();
  Draw(shown);
  const int plain = vertices_;
  shown.watching = Watching::kNoCamera;
  EXPECT_TRUE(Has(Draw(shown), "NOT WATCHING: no camera"));
  EXPECT_GT(vertices_, plain);
}

TEST_F(Screen, SaysForAMomentThatTheCameraWasMoved) {
  Snapshot shown = OnTheTable();
  shown.frame.time_s = 20;
  Draw(shown);
  const int plain = vertices_;
  shown.found_again_s = 18;
  Draw(shown);
  EXPECT_GT(vertices_, plain);
  shown.frame.time_s = 30;
  Draw(shown);
  EXPECT_EQ(vertices_, plain);
}

TEST_F(Screen, UploadsThePictureNoFinerThanShown) {
  Snapshot shown = OnTheTable();
  shown.table = nullptr;  // the whole picture
  Draw(shown);
  EXPECT_EQ(card_.last, (PictureCut{0, 0, 1920, 1080, 1}));
  view_.picture.scale = 8;
  Draw(shown);
  EXPECT_EQ(card_.last.halvings, 0);
  EXPECT_LT(card_.last.width_px, 420);
}

TEST_F(Screen, RedrawsOnlyWhatChanged) {
  Snapshot shown = OnTheTable();
  Damage damage;
  const auto draw = [&](const std::vector<ImTextureID>& stale = {}) {
    Draw(shown);
    return damage.Trim(*ImGui::GetDrawData(), stale, false);
  };
  for (int i = 0; i < 3; ++i) draw();  // ImGui's windows need some frames to settle
  EXPECT_EQ(draw().Width(), 0);
  EXPECT_EQ(ImGui::GetDrawData()->CmdLists[0]->CmdBuffer[0].ElemCount, 0u);
  const ScreenRect picture = draw({reinterpret_cast<ImTextureID>(std::uintptr_t{2})});
  EXPECT_LT(picture.high.x, 860);  // not the column beside it
  EXPECT_GT(picture.Width() * picture.Height(), 380000);
  auto log = *shown.log;
  log.push_back({62, LogLine::Category::kPlain, "The table is clear", 0});
  shown.log = std::make_shared<const std::vector<LogLine>>(log);
  const ScreenRect lines = draw();
  EXPECT_GT(lines.low.y, 500);
  EXPECT_GT(lines.Height(), 20);
  ImGui::GetIO().DisplaySize = {1000, 700};
  EXPECT_EQ(draw().Width(), 1000);
  damage.Forget();
  EXPECT_EQ(draw().Width(), 1000);
}

TEST_F(Screen, TheOverlayDigestChangesOnlyWithItsContent) {
  // Like the window: a callback of the overlay's list copies the picture.
  struct Copied : PictureFeed {
    ImVec2 Size() const override { return {1920, 1080}; }
    void Paint(ImDrawList& list, const PictureCut&, const Placement&, const ScreenRect&) override {
      list.AddCallback([](const ImDrawList*, const ImDrawCmd*) {}, nullptr);
      list.AddCallback(ImDrawCallback_ResetRenderState, nullptr);
    }
  } copied;
  Snapshot shown = OnTheTable();
  Damage damage;
  const auto draw = [&] {
    ImGui::NewFrame();
    DrawScreen(theme_, shown, {copied, {}, {}}, view_, said_);
    ImGui::Render();
    return damage.Trim(*ImGui::GetDrawData(), {}, true);
  };
  for (int i = 0; i < 3; ++i) draw();
  const ScreenRect again = draw();
  ASSERT_GE(damage.PictureList(), 0);
  EXPECT_STREQ(ImGui::GetDrawData()->CmdLists[damage.PictureList()]->_OwnerName, "picture");
  EXPECT_GT(again.Width(), 0);  // a new picture under the same overlay
  const std::uint64_t before = damage.PictureDigest();
  draw();
  EXPECT_EQ(damage.PictureDigest(), before);
  shown.stands = std::make_shared<const std::vector<StandObservation>>(
      std::vector<StandObservation>{StandAt("F-1L1#1", {11, 10}, 0)});
  draw();
  EXPECT_NE(damage.PictureDigest(), before);
  view_.arrangement = Arrangement::kMapOnly;
  draw();
  EXPECT_EQ(damage.PictureList(), -1);
}

TEST_F(Screen, F10GoesToTheSetUpWhereAllowed) {
  const Snapshot shown = OnTheTable();
  Press(shown, GLFW_KEY_F10);
  EXPECT_FALSE(view_.quit);
  view_.may_set_up = true;
  Press(shown, GLFW_KEY_F10);
  EXPECT_TRUE(view_.set_up);
  EXPECT_TRUE(view_.quit);
}

TEST_F(Screen, F9PlaysWhatIsWatchedWhereAllowed) {
  const Snapshot shown = OnTheTable();
  Press(shown, GLFW_KEY_F9);
  EXPECT_FALSE(view_.quit);
  view_.may_play = true;
  Press(shown, GLFW_KEY_F9);
  EXPECT_TRUE(view_.play);
  EXPECT_TRUE(view_.quit);
}

TEST(OverlayLayer, BlendsLikeDrawing) {
  OverlayLayer layer;
  // Transparent, half blue, transparent, white: premultiplied.
  layer.Take({0, 0, 0, 0, 128, 0, 0, 128, 0, 0, 0, 0, 255, 255, 255, 255}, 2, 2);
  EXPECT_EQ(layer.Width(), 2);
  // Rows of two pixels and two bytes of padding.
  std::vector<std::uint8_t> picture = {10, 20, 30, 255, 100, 200, 50, 255, 7, 7,
                                       40, 50, 60, 255, 1,   2,   3,  255, 7, 7};
  layer.Over(picture.data(), 10);
  EXPECT_EQ(picture, (std::vector<std::uint8_t>{10, 20, 30, 255, 178, 100, 25,  255, 7, 7,  //
                                                40, 50, 60, 255, 255, 255, 255, 255, 7, 7}));
  layer.Take({1, 2, 3}, 2, 2);  // too few bytes
  EXPECT_EQ(layer.Width(), 0);
  const std::vector<std::uint8_t> kept = picture;
  layer.Over(picture.data(), 10);
  EXPECT_EQ(picture, kept);
}

TEST(PictureCut, AShrunkPictureLiesOnWholePixels) {
  const ScreenRect area{{10.5F, 20}, {810, 470}};
  const Placement placed = Place(1920, 1080, area, {});
  const PicturePlace all = PlaceFor(1920, 1080, area, placed, {2, 2});
  EXPECT_EQ(all.x_px, 0);
  EXPECT_EQ(all.width_px, 1920);
  EXPECT_NEAR(all.to_width, 1600, 2);
  EXPECT_EQ(PlaceFor(0, 0, area, placed, {1, 1}), PicturePlace{});
  EXPECT_EQ(PlaceFor(1920, 1080, {{900, 0}, {901, 1}}, Placement{{0, 0}, 0.1F}, {1, 1}),
            PicturePlace{});
}

// Halving an odd number of pixels takes twenty times as long.
TEST(PictureCut, APartOfAShrunkPictureIsHalvedEvenly) {
  const ScreenRect area{{10.5F, 20}, {810, 470}};
  const Placement placed{{-41.3F, -17.9F}, 0.47F};  // some of it beside the area, on every side
  const PicturePlace part = PlaceFor(1920, 1080, area, placed, {1, 1});
  for (const int pixels : {part.x_px, part.y_px, part.width_px, part.height_px})
    EXPECT_EQ(pixels % 8, 0) << pixels;
  // It covers the area, and each pixel lies where it is placed.
  EXPECT_LE(part.to_x, 10.5F);
  EXPECT_LE(part.to_y, 20);
  EXPECT_GE(part.to_x + part.to_width, 810);
  EXPECT_GE(part.to_y + part.to_height, 470);
  const auto x_px = static_cast<float>(part.x_px);
  const auto width_px = static_cast<float>(part.width_px);
  EXPECT_NEAR(static_cast<float>(part.to_x), placed.ToScreen(x_px, 0).x, 0.51);
  EXPECT_NEAR(static_cast<float>(part.to_x + part.to_width),
              placed.ToScreen(x_px + width_px, 0).x, 0.51);
}

using Input = std::vector<InputEvent>;
InputEvent Letter(char c) {
  return {.what = InputEvent::What::kLetter, .letter = static_cast<unsigned char>(c)};
}
InputEvent Moved(float x, float y) { return {.what = InputEvent::What::kMove, .x = x, .y = y}; }

TEST(InputQueue, AKeyPressedAndReleasedInOneFrameIsSeen) {
  InputQueue input;
  const InputEvent down{InputEvent::What::kPress, GLFW_KEY_F1, 1};
  const InputEvent up{InputEvent::What::kRelease, GLFW_KEY_F1, 1};
  for (int i = 0; i < 2; ++i) {
    input.Push(down);
    input.Push(up);
  }
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(input.Take(KeyboardFocus::kNone), Input{down});
    EXPECT_EQ(input.Take(KeyboardFocus::kNone), Input{up});
  }
  EXPECT_TRUE(input.Empty());
}

TEST(InputQueue, LettersActSinglyButRunTogetherInText) {
  const InputEvent back{InputEvent::What::kPress, GLFW_KEY_BACKSPACE, 1};
  const InputEvent enter{InputEvent::What::kPress, GLFW_KEY_ENTER, 1};
  InputQueue input;
  for (const char c : {'d', 'n'}) input.Push(Letter(c));
  EXPECT_EQ(input.Take(KeyboardFocus::kNone), Input{Letter('d')});
  EXPECT_EQ(input.Take(KeyboardFocus::kAwaited),
            Input{});  // the field does not have the keyboard yet
  EXPECT_EQ(input.Take(KeyboardFocus::kNone), Input{Letter('n')});
  for (const char c : {'o', 'h'}) input.Push(Letter(c));
  input.Push(back);
  input.Push(Letter('x'));
  input.Push(enter);
  input.Push(Letter('1'));
  EXPECT_EQ(input.Take(KeyboardFocus::kTyped), (Input{Letter('o'), Letter('h'), back}));
  EXPECT_EQ(input.Take(KeyboardFocus::kTyped), (Input{Letter('x'), enter}));
  // ImGui reports the field for two more frames; the digit is not for it.
  EXPECT_EQ(input.Take(KeyboardFocus::kTyped), Input{});
  EXPECT_EQ(input.Take(KeyboardFocus::kTyped), Input{});
  EXPECT_EQ(input.Take(KeyboardFocus::kNone), Input{Letter('1')});
}

TEST(InputQueue, AClickKeepsItsPlaceAndOrder) {
  const InputEvent down{InputEvent::What::kButtonDown};
  const InputEvent up{InputEvent::What::kButtonUp};
  InputQueue input;
  // All within one slow frame: a tap, a key, a tap elsewhere, a drag.
  for (const InputEvent& event : {Moved(1, 1), Moved(10, 20), down, up, Letter('1'), Moved(30, 40),
                                  down, Moved(50, 40), Moved(90, 40), up, Moved(0, 0)}) {
    input.Push(event);
  }
  EXPECT_EQ(input.Take(KeyboardFocus::kNone), (Input{Moved(10, 20), down}));
  EXPECT_EQ(input.Take(KeyboardFocus::kNone), Input{up});
  EXPECT_EQ(input.Take(KeyboardFocus::kNone), (Input{Letter('1'), Moved(30, 40)}));
  EXPECT_EQ(input.Take(KeyboardFocus::kNone), Input{down});
  EXPECT_EQ(input.Take(KeyboardFocus::kNone), Input{Moved(90, 40)});  // the drag is seen
  EXPECT_EQ(input.Take(KeyboardFocus::kNone), Input{up});
  EXPECT_EQ(input.Take(KeyboardFocus::kNone), Input{Moved(0, 0)});
  EXPECT_TRUE(input.Empty());
}

TEST(InputQueue, TheWheelZoomsWhereItWasTurned) {
  const InputEvent notch{.what = InputEvent::What::kWheel, .y = 1};
  InputQueue input;
  for (const InputEvent& event : {Moved(10, 20), notch, notch, Moved(30, 40)}) input.Push(event);
  EXPECT_EQ(input.Take(KeyboardFocus::kNone), (Input{Moved(10, 20), notch, notch}));
  EXPECT_EQ(input.Take(KeyboardFocus::kNone), Input{Moved(30, 40)});
}

TEST(InputQueue, AHeldKeyRepeatsTextButActsOnce) {
  InputEvent again = Letter('1');
  again.again = true;
  InputQueue input;
  for (const InputEvent& event : {Letter('1'), again, again, Letter('2')}) input.Push(event);
  EXPECT_EQ(input.Take(KeyboardFocus::kNone), Input{Letter('1')});
  EXPECT_EQ(input.Take(KeyboardFocus::kNone), Input{Letter('2')});
  for (const InputEvent& event : {Letter('1'), again, again}) input.Push(event);
  EXPECT_EQ(input.Take(KeyboardFocus::kTyped).size(), 3u);
}

TEST(InputQueue, KeysBeforeCtrlDoNotGetCtrl) {
  const InputEvent ctrl{InputEvent::What::kPress, GLFW_KEY_LEFT_CONTROL, 1};
  const InputEvent s{InputEvent::What::kPress, GLFW_KEY_S, 2};
  const InputEvent enter{InputEvent::What::kPress, GLFW_KEY_ENTER, 3};
  const InputEvent shift{InputEvent::What::kPress, GLFW_KEY_LEFT_SHIFT, 4};
  InputQueue input;
  for (const InputEvent& event : {Letter('c'), ctrl, s}) input.Push(event);
  EXPECT_EQ(input.Take(KeyboardFocus::kNone), Input{Letter('c')});
  EXPECT_EQ(input.Take(KeyboardFocus::kNone), (Input{ctrl, s}));
  for (const InputEvent& event : {enter, ctrl, s}) input.Push(event);
  EXPECT_EQ(input.Take(KeyboardFocus::kNone), Input{enter});
  EXPECT_EQ(input.Take(KeyboardFocus::kNone), (Input{ctrl, s}));
  for (const InputEvent& event : {Letter('a'), shift, Letter('B'), ctrl, s}) input.Push(event);
  EXPECT_EQ(input.Take(KeyboardFocus::kTyped), (Input{Letter('a'), shift, Letter('B')}));
  EXPECT_EQ(input.Take(KeyboardFocus::kTyped), (Input{ctrl, s}));
}

TEST(InputQueue, CtrlReleasedFirstStillCountsForItsKey) {
  const InputEvent ctrl{InputEvent::What::kPress, GLFW_KEY_LEFT_CONTROL, 1};
  const InputEvent ctrl_up{InputEvent::What::kRelease, GLFW_KEY_LEFT_CONTROL, 1};
  const InputEvent z{InputEvent::What::kPress, GLFW_KEY_Z, 2};
  const InputEvent z_up{InputEvent::What::kRelease, GLFW_KEY_Z, 2};
  InputQueue input;
  input.Push(ctrl);
  EXPECT_EQ(input.Take(KeyboardFocus::kNone), Input{ctrl});  // one frame between the two
  for (const InputEvent& event : {z, ctrl_up, z_up}) input.Push(event);
  EXPECT_EQ(input.Take(KeyboardFocus::kNone), Input{z});
  EXPECT_EQ(input.Take(KeyboardFocus::kNone), (Input{ctrl_up, z_up}));
  EXPECT_TRUE(input.Empty());
}

TEST(InputQueue, AFloodDropsTheOldestEvents) {
  InputQueue input;
  for (int i = 0; i < 5000; ++i) input.Push(Letter(i < 4000 ? 'a' : 'b'));
  int frames = 0;
  for (; !input.Empty(); ++frames) EXPECT_EQ(input.Take(KeyboardFocus::kNone), Input{Letter('b')});
  EXPECT_EQ(frames, 1000);
}

TEST(PictureCut, TakesOnlyWhatIsSeenAndNoFiner) {
  const ScreenRect area{{0, 0}, {800, 450}};
  EXPECT_EQ(CutFor(3840, 2160, area, {}), (PictureCut{0, 0, 3840, 2160, 2}));
  ViewZoom zoom;
  zoom.scale = 8;
  zoom.x = 0.5F;
  zoom.y = 0.5F;
  const PictureCut near = CutFor(3840, 2160, area, zoom);
  EXPECT_EQ(near.halvings, 0);
  EXPECT_LE(near.x_px, 1920 - 240);
  EXPECT_GE(near.x_px + near.width_px, 1920 + 240);
  EXPECT_LE(near.width_px, 480 + 2 * 64);
  EXPECT_EQ(CutFor(0, 0, area, {}), PictureCut{});
  EXPECT_EQ(CutFor(1920, 1080, {{0, 0}, {0, 0}}, {}), PictureCut{});
}

TEST_F(Screen, PlayersSettleAcceptAndDisputeByKeys) {
  Snapshot shown = OnTheTable();
  shown.shots = {ShotAt(1, {9, 13}, 1.02, Call::kTooClose)};
  Draw(shown);
  Type(shown, "h");
  ASSERT_EQ(said_.words.size(), 1u);
  EXPECT_EQ(said_.words[0].what, PlayerDecision::What::kSettle);
  EXPECT_EQ(said_.words[0].stand, "B-1V1#1");
  EXPECT_EQ(said_.words[0].call, Call::kHit);

  ShotShown settled = *shown.shots[0];
  settled.decisions = said_.words;
  EXPECT_EQ(CallOf(settled).call, Call::kHit);
  shown.shots[0] = std::make_shared<const ShotShown>(settled);
  Type(shown, "m");  // no call is open
  EXPECT_EQ(said_.words.size(), 1u);
  Type(shown, "i");  // a chosen stand can still be overruled
  Type(shown, "m");
  ASSERT_EQ(said_.words.size(), 2u);
  EXPECT_EQ(said_.words[1].call, Call::kMiss);
  said_.words.pop_back();
  Type(shown, "a");
  ASSERT_EQ(said_.words.size(), 2u);
  EXPECT_EQ(said_.words[1].what, PlayerDecision::What::kAccept);

  Type(shown, "d");
  Draw(shown);
  Draw(shown);
  Type(shown, "ham");  // text, not commands
  Press(shown, GLFW_KEY_ESCAPE);
  EXPECT_FALSE(view_.disputing);
  EXPECT_EQ(said_.words.size(), 2u);
}

// A replay takes no answers, and the page keys go from shot to shot.
TEST_F(Screen, AWatchedGameCanBeSteppedThroughByKeys) {
  Snapshot shown = OnTheTable();
  shown.watching = Watching::kReplay;
  shown.table = nullptr;
  shown.shots = {ShotAt(1, {20, 18}, 0.9, Call::kTooClose)};
  MoveShown move;
  move.number = 1;
  move.refused_by = "NAP-1";
  shown.moves = {std::make_shared<const MoveShown>(move)};
  shown.replay = ReplayPlace{5, 9, {2, 4, 7}};
  const std::string written = Draw(shown);
  EXPECT_TRUE(Has(written, "REPLAY"));
  EXPECT_TRUE(Has(written, "next shot"));
  EXPECT_FALSE(Has(written, "dispute"));
  EXPECT_FALSE(Has(written, "allow the move"));
  EXPECT_EQ(view_.arrangement, Arrangement::kMapOnly);
  for (const auto& [key, step] : std::vector<std::pair<int, std::size_t>>{{GLFW_KEY_ENTER, 6},
                                                                          {GLFW_KEY_BACKSPACE, 4},
                                                                          {GLFW_KEY_PAGE_DOWN, 7},
                                                                          {GLFW_KEY_PAGE_UP, 4},
                                                                          {GLFW_KEY_HOME, 0},
                                                                          {GLFW_KEY_END, 9}}) {
    Press(shown, key);
    ASSERT_FALSE(said_.steps.empty());
    EXPECT_EQ(said_.steps.back(), step);
  }
  EXPECT_EQ(said_.steps.size(), 6u);
  EXPECT_EQ(ReplayStep({0, 9, {2, 4, 7}}, GLFW_KEY_PAGE_UP), 0u);
  EXPECT_EQ(ReplayStep({0, 9, {2, 4, 7}}, GLFW_KEY_BACKSPACE), 0u);
  EXPECT_EQ(ReplayStep({9, 9, {2, 4, 7}}, GLFW_KEY_PAGE_DOWN), 9u);
  EXPECT_EQ(ReplayStep({9, 9, {}}, GLFW_KEY_ENTER), 9u);
  shown.doubts = {std::make_shared<const DoubtShown>(DoubtShown{1, "A and B", std::nullopt})};
  for (const char* letter : {"a", "d", "h", "m", "r", "w", "x", "y"}) Type(shown, letter);
  EXPECT_TRUE(said_.words.empty());
  EXPECT_FALSE(view_.disputing);
  EXPECT_FALSE(view_.moving);
  // Stepping back before the only shot deselects it.
  EXPECT_EQ(view_.selected_shot, 1);
  shown.shots.clear();
  shown.replay->step = 1;
  Draw(shown);
  EXPECT_EQ(view_.selected_shot, 0);
}

// A watched game plays by itself, step by step, until it is paused or over.
TEST_F(Screen, AWatchedGamePlaysByItself) {
  Snapshot shown = OnTheTable();
  shown.watching = Watching::kReplay;
  shown.table = nullptr;
  shown.replay = ReplayPlace{0, 3, {2}};
  ImGui::GetIO().DeltaTime = 0.25F;
  const auto wait = [&](int quarters) {
    for (int i = 0; i < quarters; ++i) {
      Draw(shown);
      if (!said_.steps.empty()) shown.replay->step = said_.steps.back();
    }
  };
  wait(8);
  EXPECT_TRUE(said_.steps.empty());
  Press(shown, GLFW_KEY_F7);
  wait(10);
  EXPECT_EQ(said_.steps, (std::vector<std::size_t>{1, 2}));
  Press(shown, GLFW_KEY_F7);  // pauses it
  wait(8);
  EXPECT_EQ(said_.steps.size(), 2u);
  Press(shown, GLFW_KEY_F5);  // twice as fast
  EXPECT_TRUE(Has(Draw(shown), "2 a second"));
  Press(shown, GLFW_KEY_F7);
  wait(8);
  EXPECT_EQ(said_.steps, (std::vector<std::size_t>{1, 2, 3}));
  EXPECT_FALSE(view_.replay.plays);  // at its end
}

TEST_F(Screen, ARefusedMoveCanBeAllowedWithAReason) {
  ImGui::GetIO().KeyMap[ImGuiKey_Enter] = GLFW_KEY_ENTER;
  Snapshot shown = OnTheTable();
  MoveShown move;
  move.number = 3;
  move.text = "F-1L1 went five squares";
  move.refused_by = "NAP-1";
  shown.moves = {std::make_shared<const MoveShown>(move)};
  EXPECT_TRUE(Has(Draw(shown), "Seen: F-1L1 went five squares (NAP-1)"));
  Type(shown, "w");
  EXPECT_TRUE(view_.disputing);
  Draw(shown);
  Draw(shown);
  Type(shown, "a short cut");
  EXPECT_STREQ(view_.reason.data(), "a short cut");
  Press(shown, GLFW_KEY_ENTER);
  ASSERT_EQ(said_.words.size(), 1u);
  EXPECT_EQ(said_.words[0].what, PlayerDecision::What::kOverrule);
  EXPECT_EQ(said_.words[0].move, 3);
  EXPECT_EQ(said_.words[0].reason, "a short cut");
  // An allowed move cannot be allowed again.
  move.overruled = true;
  shown.moves = {std::make_shared<const MoveShown>(move)};
  Type(shown, "w");
  EXPECT_FALSE(view_.disputing);
}

TEST_F(Screen, AsksWhichOfTwoLikeUnitsIsWhich) {
  Snapshot shown = OnTheTable();
  EXPECT_FALSE(Has(Draw(shown), "Which is which?"));
  shown.doubts = {
      std::make_shared<const DoubtShown>(DoubtShown{1, "A and B: look alike", true}),
      std::make_shared<const DoubtShown>(DoubtShown{2, "C and D: look alike", std::nullopt})};
  EXPECT_TRUE(Has(Draw(shown), "Which is which? C and D: look alike"));
  Type(shown, "y");
  Type(shown, "r");
  ASSERT_EQ(said_.words.size(), 2u);
  for (const PlayerDecision& word : said_.words) {
    EXPECT_EQ(word.what, PlayerDecision::What::kIdentify);
    EXPECT_EQ(word.doubt, 2);
  }
  EXPECT_TRUE(said_.words[0].changed);
  EXPECT_FALSE(said_.words[1].changed);
  // An answered question is not asked again.
  shown.doubts.back() =
      std::make_shared<const DoubtShown>(DoubtShown{2, "C and D: look alike", false});
  EXPECT_FALSE(Has(Draw(shown), "Which is which?"));
  Type(shown, "y");
  EXPECT_EQ(said_.words.size(), 2u);
}

TEST_F(Screen, AShotsPointCanBeMovedByArrowsAndClicks) {
  Snapshot shown = OnTheTable();
  shown.shots = {ShotAt(1, {9, 13}, 1.02, Call::kTooClose)};
  Draw(shown);
  Type(shown, "x");
  EXPECT_FALSE(view_.moving.has_value());  // the shot was not kept, so it cannot be measured again
  ShotShown kept = *shown.shots[0];
  kept.archived = std::make_shared<const Recalled<ArchivedShot>>(std::make_shared<const ArchivedShot>());
  shown.shots[0] = std::make_shared<const ShotShown>(kept);
  const int plain = (Draw(shown), vertices_);
  Type(shown, "x");
  ASSERT_TRUE(view_.moving.has_value());
  EXPECT_GT((Draw(shown), vertices_), plain);
  const float pan = view_.picture.x;
  Press(shown, GLFW_KEY_RIGHT);
  EXPECT_NEAR(view_.moving->x, 9.02, 1e-9);
  EXPECT_EQ(view_.picture.x, pan);
  view_.clicked = Vec2{9.5, 13.5};
  Draw(shown);
  Press(shown, GLFW_KEY_UP);
  Press(shown, GLFW_KEY_ENTER);
  ASSERT_EQ(said_.words.size(), 1u);
  EXPECT_EQ(said_.words[0].what, PlayerDecision::What::kMove);
  EXPECT_NEAR(said_.words[0].point.y, 13.52, 1e-9);
  EXPECT_FALSE(view_.moving.has_value());
  Type(shown, "x");
  Press(shown, GLFW_KEY_ESCAPE);
  EXPECT_FALSE(view_.moving.has_value());
}

// A verdict fills the screen when it comes; one key leaves it and brings it back.
TEST_F(Screen, AVerdictFillsTheScreen) {
  Snapshot shown = OnTheTable();
  view_.verdict_by_itself = true;
  Draw(shown);
  shown.shots = {ShotAt(1, {9, 13}, 1.02, Call::kTooClose)};
  Draw(shown);
  std::string text = Draw(shown);
  EXPECT_TRUE(view_.verdict);
  EXPECT_TRUE(Has(text, "TOO CLOSE"));
  EXPECT_TRUE(Has(text, "B-1V1#1?"));
  EXPECT_TRUE(Has(text, "0.02 in outside the circle of 1 in")) << text;
  EXPECT_TRUE(Has(text, "we say B-1V1#1 HIT"));
  EXPECT_FALSE(Has(text, "WATCHING"));
  EXPECT_FALSE(Has(text, "accept"));  // there is nothing to accept yet
  Type(shown, "h");
  ASSERT_EQ(said_.words.size(), 1u);
  EXPECT_EQ(said_.words[0].call, Call::kHit);
  ShotShown settled = *shown.shots[0];
  settled.decisions = said_.words;
  shown.shots[0] = std::make_shared<const ShotShown>(settled);
  text = Draw(shown);
  EXPECT_TRUE(Has(text, "HIT"));
  EXPECT_TRUE(Has(text, "B-1V1#1 falls"));
  EXPECT_TRUE(Has(text, "camera said too close, players said hit"));
  Type(shown, "u");
  ASSERT_EQ(said_.words.size(), 2u);
  EXPECT_EQ(said_.words[1].what, PlayerDecision::What::kTakeBack);
  EXPECT_EQ(said_.words[1].shot, 1);
  Type(shown, "g");  // means nothing here
  EXPECT_TRUE(view_.show_grid);
  Type(shown, " ");
  EXPECT_FALSE(view_.verdict);
  EXPECT_TRUE(Has(Draw(shown), "WATCHING"));
  Type(shown, " ");
  EXPECT_TRUE(view_.verdict);
  Press(shown, GLFW_KEY_ESCAPE);
  EXPECT_FALSE(view_.verdict);
  // It waits while players type or place a point.
  Type(shown, "d");
  shown.shots.push_back(ShotAt(2, {30, 13}, 0.4, Call::kHit));
  Draw(shown);
  EXPECT_FALSE(view_.verdict);
  EXPECT_TRUE(Has(Draw(shown), "Shot 2 is judged. Its verdict comes up when you have finished."));
  Press(shown, GLFW_KEY_ESCAPE);
  Rest(shown);
  EXPECT_TRUE(view_.verdict);
  EXPECT_EQ(view_.selected_shot, 2);
  Type(shown, "a");
  EXPECT_EQ(said_.words.back().what, PlayerDecision::What::kAccept);
  EXPECT_EQ(said_.words.back().shot, 2);
  EXPECT_FALSE(view_.verdict);
}

// A number is never broken at its point, at whatever width: "0." and "93 in" are two numbers.
TEST_F(Screen, NoNumberIsBrokenAtItsPoint) {
  ImGui::NewFrame();
  ImGui::Begin("words");
  const std::string words =
      "The swab's tip lies in K5: stand 1 at 0.93 in is too close to call; look at the picture.";
  for (float width = 60; width < 900; width += 3) {
    std::string all;
    for (const std::string& line : ParagraphLines(words, width)) {
      EXPECT_LE(ImGui::CalcTextSize(line.c_str()).x, width + 0.5F) << line;
      EXPECT_FALSE(line.ends_with("0.")) << width;
      all += (all.empty() ? "" : " ") + line;
    }
    EXPECT_EQ(all, words) << width;
  }
  // One word that is wider than the panel, and lines of their own.
  EXPECT_GT(ParagraphLines("/a/long/path/to/some/file/that/nobody/named.toml", 90).size(), 2U);
  EXPECT_EQ(ParagraphLines("one\n\ntwo", 300).size(), 3U);
  EXPECT_TRUE(ParagraphLines("", 300).empty());
  ImGui::End();
  ImGui::Render();
}

// Where nobody falls the reason has the room: it is as large as onlookers have it, on any screen.
TEST_F(Screen, TheReasonOfAMissIsReadFromAfar) {
  Snapshot shown = OnTheTable();
  shown.shots = {ShotAt(1, {9, 13}, 1.13, Call::kMiss)};
  view_.verdict = true;
  view_.selected_shot = 1;
  view_.shots_known = 1;
  for (const ImVec2 size : {ImVec2{1366, 768}, ImVec2{1920, 1080}, ImVec2{3840, 2160}}) {
    ImGui::GetIO().DisplaySize = size;
    Draw(shown);
    Draw(shown);
    const std::vector<test::DrawnLetter> letters = test::DrawnLetterList();
    std::string text;
    for (const test::DrawnLetter& one : letters)
      text += one.letter < 128 ? static_cast<char>(one.letter) : ' ';
    const std::size_t at = text.find("outsidethecircle");
    ASSERT_NE(at, std::string::npos) << text;
    EXPECT_GE(letters[at].size, size.y / 12 - 1) << size.x;
  }
}

// On a small laptop too.
TEST_F(Screen, TheKeysAreWholeInASmallWindow) {
  const Snapshot shown = OnTheTable();
  view_.show_help = true;
  const ImVec2 size{800, 600};
  ImGui::GetIO().DisplaySize = size;
  for (int i = 0; i < 4; ++i) Draw(shown);  // the dialog takes its size from what is in it
  std::string outside;
  for (const test::DrawnLetter& drawn : test::DrawnLetterList()) {
    if (drawn.cut || drawn.at.x < 0 || drawn.at.y + drawn.size > size.y + 2)
      outside += static_cast<char>(drawn.letter);
  }
  EXPECT_EQ(outside, "");
}

TEST_F(Screen, TheSettingsAreWholeOnALowScreen) {
  const Snapshot shown = OnTheTable();
  view_.show_settings = view_.may_audience = view_.may_play = view_.may_set_up = true;
  const ImVec2 size{1024, 600};
  ImGui::GetIO().DisplaySize = size;
  std::string text;
  for (int i = 0; i < 4; ++i) text = Draw(shown);  // the dialog takes its size from what is in it
  EXPECT_TRUE(Has(text, "the log"));
  EXPECT_TRUE(Has(text, "as first installed"));
  EXPECT_TRUE(Has(text, "close"));
}

// A verdict that is left on the screen does not hide that nothing is watched behind it.
TEST_F(Screen, AVerdictDoesNotHideThatTheCameraFails) {
  Snapshot shown = OnTheTable();
  view_.verdict_by_itself = true;
  Draw(shown);
  shown.shots = {ShotAt(1, {9, 13}, 0.4, Call::kHit)};
  Draw(shown);
  EXPECT_FALSE(Has(Draw(shown), "WATCHING"));
  ASSERT_TRUE(view_.verdict);
  shown.watching = Watching::kNoCamera;
  EXPECT_TRUE(Has(Draw(shown), "NOT WATCHING: no camera"));
  shown.watching = Watching::kBlind;
  shown.why = "the camera sends the same picture again and again; plug it in anew";
  std::string text = Draw(shown);
  EXPECT_TRUE(Has(text, "NOT WATCHING: the picture is no good"));
  EXPECT_TRUE(Has(text, "the same picture again and again")) << text;
  shown.watching = Watching::kHands;  // players know of their own hands
  EXPECT_FALSE(Has(Draw(shown), "NOT WATCHING"));
}

// A verdict must not take keys that were meant for something else: half of an answer is typed, or a
// key has just been used.
TEST_F(Screen, AVerdictWaitsWhileKeysAreUsed) {
  Snapshot shown = OnTheTable();
  view_.verdict_by_itself = true;
  Draw(shown);
  view_.game_panel.dice = {3};
  shown.shots = {ShotAt(1, {9, 13}, 1.02, Call::kMiss)};
  Rest(shown);
  EXPECT_FALSE(view_.verdict);
  EXPECT_EQ(view_.selected_shot, 1);
  EXPECT_TRUE(Has(Draw(shown), "Shot 1 is judged. Its verdict comes up when you have finished."));
  view_.game_panel.dice.clear();
  Draw(shown);
  EXPECT_TRUE(view_.verdict);
  Type(shown, " ");
  Type(shown, "g");
  shown.shots.push_back(ShotAt(2, {30, 13}, 0.4, Call::kHit));
  Draw(shown);
  EXPECT_FALSE(view_.verdict);
  Rest(shown);
  EXPECT_TRUE(view_.verdict);
}

// A shot whose point the camera cannot tell has a row and is answered; no other shot is moved.
TEST_F(Screen, PlayersSayWhereAPointIsThatTheCameraCannotTell) {
  Snapshot shown = OnTheTable();
  shown.shots = {ShotAt(1, {9, 13}, 1.02, Call::kMiss)};
  ShotShown asked;
  asked.shot.shot = {2};
  asked.shot.point = {21, 20};
  asked.projectile = "shell";
  asked.question = "A shell lies in F6, but its mark cannot be measured: say where it is";
  asked.archived = std::make_shared<const Recalled<ArchivedShot>>(std::make_shared<const ArchivedShot>());
  shown.shots.push_back(std::make_shared<const ShotShown>(asked));
  Draw(shown);
  EXPECT_EQ(view_.selected_shot, 2);
  const std::string text = Draw(shown);
  EXPECT_TRUE(Has(text, "WHERE?"));
  EXPECT_TRUE(Has(text, "say where it is"));
  Type(shown, "a");
  Type(shown, "x");
  ASSERT_TRUE(view_.moving.has_value());
  view_.clicked = Vec2{21.3, 20.1};
  Draw(shown);
  Press(shown, GLFW_KEY_ENTER);
  ASSERT_FALSE(said_.words.empty());
  EXPECT_EQ(said_.words.back().what, PlayerDecision::What::kMove);
  EXPECT_EQ(said_.words.back().shot, 2);
  EXPECT_NEAR(said_.words.back().point.x, 21.3, 1e-9);
}

// What the camera did not take for a shot is made one by a key, or by pointing at it.
TEST_F(Screen, PlayersPointAtSomethingElseThatFell) {
  Snapshot shown = OnTheTable();
  MatchFacts facts = *shown.facts;
  ProjectileSpec shell;
  shell.type = Projectile::kShell;
  shell.hit_radius_in = 1;
  facts.scenario.projectiles = {shell};
  shown.facts = std::make_shared<const MatchFacts>(facts);
  Draw(shown);
  Type(shown, "j");
  EXPECT_TRUE(view_.pointing);
  EXPECT_TRUE(Has(Draw(shown), "What fell?"));
  Press(shown, GLFW_KEY_ENTER);  // no place is chosen yet
  EXPECT_TRUE(said_.words.empty());
  view_.clicked = Vec2{12, 8};
  Draw(shown);
  Press(shown, GLFW_KEY_RIGHT);
  Press(shown, GLFW_KEY_ENTER);
  ASSERT_EQ(said_.words.size(), 1u);
  EXPECT_EQ(said_.words[0].what, PlayerDecision::What::kPoint);
  EXPECT_NEAR(said_.words[0].point.x, 12.02, 1e-9);
  EXPECT_EQ(said_.words[0].projectile, "shell");
  EXPECT_FALSE(view_.pointing);
  shown.objects = {std::make_shared<const ObjectShown>(
      ObjectShown{4, {30, 9}, {}, "Something new lies in H3 (object 4)"})};
  EXPECT_TRUE(Has(Draw(shown), "it is a shell"));
  Type(shown, "j");
  ASSERT_EQ(said_.words.size(), 2u);
  EXPECT_EQ(said_.words[1].object, 4);
}

// A shot without effect has no hit beside it, and one of several that the firer picks is one hit.
TEST_F(Screen, SaysWhatCountsAndNotWhatIsMerelyNear) {
  Snapshot shown = OnTheTable();
  ShotShown wet = *ShotAt(1, {9, 13}, 0.4, Call::kHit);
  wet.verdict.ruling = ShotRuling{};
  wet.verdict.ruling->no_effect = true;
  wet.verdict.text = "The shot lies over water: no effect.";
  EXPECT_EQ(CallOf(wet).word, "NO EFFECT");
  EXPECT_EQ(StandWord(wet, wet.verdict.stands[0]), "no effect");
  EXPECT_TRUE(WordsOf(wet).falls.empty());
  ShotShown two = *ShotAt(2, {9, 13}, 0.4, Call::kHit);
  two.verdict.ruling = ShotRuling{};
  two.verdict.ruling->eligible = {{"B-1V1#1"}, {"B-1V1#2"}};
  EXPECT_EQ(CallOf(two).word, "HIT");
  EXPECT_EQ(WordsOf(two).falls, "the firer picks B-1V1#1 or B-1V1#2");
  // Beside one that is too close the hit is told too.
  two.verdict.ruling->eligible = {{"B-1V1#1"}};
  StandVerdict close = two.verdict.stands[0];
  close.stand.stand.text = "B-1V1#2";
  close.call = Call::kTooClose;
  two.verdict.stands.push_back(close);
  // Nobody is asked about it unless the ruling turns on it.
  EXPECT_EQ(CallOf(two).word, "HIT");
  EXPECT_TRUE(OpenCalls(two).empty());
  EXPECT_EQ(StandWord(two, two.verdict.stands[1]), "no effect");
  EXPECT_EQ(CallAsItCounts(two, two.verdict.stands[1]), Call::kMiss);
  two.verdict.ruling->doubtful = {{"B-1V1#2"}};
  EXPECT_EQ(CallOf(two).word, "TOO CLOSE");
  EXPECT_EQ(StandWord(two, two.verdict.stands[1]), "TOO CLOSE");
  EXPECT_EQ(WordsOf(two).falls, "B-1V1#2? B-1V1#1 is hit.");
  // The circle overlaps a gun, which only a touch destroys: the window says so.
  ShotShown gun = *ShotAt(3, {9, 13}, 0.4, Call::kMiss);
  gun.verdict.stands[0].rule = HitRule::kTouch;
  gun.verdict.stands[0].limit_in = 0.125;
  EXPECT_EQ(CallOf(gun).word, "MISS");
  EXPECT_NE(WordsOf(gun).reason.find("the circle does not count for it"), std::string::npos);
  shown.shots = {std::make_shared<const ShotShown>(gun)};
  Draw(shown);
  EXPECT_TRUE(Has(Draw(shown), "touch"));
  const int with_ring = vertices_;
  gun.verdict.stands[0].rule = HitRule::kCircle;
  shown.shots = {std::make_shared<const ShotShown>(gun)};
  Draw(shown);
  EXPECT_GT(with_ring, vertices_ + 200);  // its ring, on picture and map
}

// No path and no option of the command line is shown to a player.
TEST_F(Screen, TheStartScreenSaysWhatAGameIs) {
  const std::filesystem::path file =
      std::filesystem::path(FOS_SOURCE_DIR) / "datasets/scenarios/skirmish.toml";
  const auto what = [](const std::vector<std::string>& arguments) {
    return ChoiceOf({"Skirmish", arguments}, "Continue").what;
  };
  EXPECT_EQ(what({"--game", file.string()}), "Napoleonic, on the map, without a camera");
  EXPECT_EQ(what({"/home/me/clip"}), "A recording");
  EXPECT_EQ(what({"/home/me/clip", "--game", file.string()}),
            "Napoleonic, a recording, with its game");
  EXPECT_EQ(what({"--source", "0", "--table", "/t.toml"}), "Watched by the camera");
  EXPECT_EQ(what({"--replay", "3"}), "Step through it again");
  EXPECT_EQ(what({"--game", "/nowhere/x.toml"}), "On the map, without a camera");
  EXPECT_EQ(what({kSetupOption, "/home/me/Videos/a.mp4"}),
            "A film: set up its table, then referee it");
  // Below the heading of what is played on the map the rules are enough.
  EXPECT_EQ(ChoiceOf({"Skirmish", {"--game", file.string()}}, kNewGames).what, "Napoleonic");
}

TEST_F(Screen, ADigitOpensAGameOnTheStartScreen) {
  const std::vector<StartChoice> lines = {{"Skirmish", "a game", 0, "Continue"},
                                          {"open_qtip", "a clip", 0, "Replay"}};
  const auto frame = [&] {
    ImGui::NewFrame();
    const std::optional<std::size_t> chosen = DrawStart(theme_, lines, view_);
    ImGui::Render();
    return chosen;
  };
  EXPECT_FALSE(frame().has_value());
  EXPECT_TRUE(Has(DrawnLetters(), "Continue"));
  EXPECT_TRUE(Has(DrawnLetters(), "open_qtip"));
  ImGui::GetIO().AddInputCharactersUTF8("7");
  EXPECT_FALSE(frame().has_value());
  ImGui::GetIO().AddInputCharactersUTF8("2");
  EXPECT_EQ(frame(), std::optional<std::size_t>(1));
  // The arrows reach lines beyond the ninth.
  std::optional<std::size_t> chosen;
  for (const int key : {GLFW_KEY_DOWN, GLFW_KEY_DOWN, GLFW_KEY_UP, GLFW_KEY_ENTER}) {
    ImGui::GetIO().KeysDown[key] = true;
    chosen = frame();
    ImGui::GetIO().KeysDown[key] = false;
    frame();
  }
  EXPECT_EQ(chosen, std::optional<std::size_t>(0));
  ImGui::GetIO().KeysDown[GLFW_KEY_ESCAPE] = true;
  frame();
  EXPECT_TRUE(view_.quit);
}

// A line with a letter has no digit, so that the digits run on without a gap.
TEST_F(Screen, DigitsOfTheStartScreenHaveNoGap) {
  const std::vector<StartChoice> lines = {{"Set up", "a table", 's', "New match"},
                                          {"The sample", "a recording", 0, "New match"}};
  const auto frame = [&](const char* typed) {
    ImGui::GetIO().AddInputCharactersUTF8(typed);
    ImGui::NewFrame();
    const std::optional<std::size_t> chosen = DrawStart(theme_, lines, view_);
    ImGui::Render();
    return chosen;
  };
  EXPECT_EQ(frame("1"), std::optional<std::size_t>(1));
  EXPECT_EQ(frame("s"), std::optional<std::size_t>(0));
  EXPECT_FALSE(frame("2").has_value());
}

TEST_F(Screen, SurvivesHostileNumbers) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Snapshot shown = OnTheTable();
  shown.shots = {ShotAt(1, {nan, 1e300}, nan, Call::kHit), ShotAt(2, {-1e6, 4}, 1e9, Call::kMiss)};
  shown.frame.time_s = nan;
  for (int i = 0; i < 3; ++i) Draw(shown);
  view_.verdict = true;
  for (int i = 0; i < 3; ++i) Draw(shown);
  view_.verdict = false;
  Type(shown, "z");
  view_.picture.x = std::numeric_limits<float>::infinity();
  Draw(shown);
  EXPECT_GE(view_.picture.scale, 1);
  EXPECT_LE(view_.picture.x, 1);
}

TEST(Projection, UsesTheWholeCameraModel) {
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
  EXPECT_FALSE(on.At({500, 4}, 0).has_value());  // where the lens model folds back
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

TEST(Zoom, KeepsWhatIsUnderThePointer) {
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
