// SPDX-License-Identifier: MIT
// The game's panels, drawn with an ImGui context but no window.
#include "ui/window/game_panel.h"

#include <GLFW/glfw3.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "tests/support/drawn_letters.h"
#include "ui/session/game_map.h"
#include "ui/window/game_answers.h"
#include "ui/window/game_input.h"
#include "ui/window/game_overlay.h"
#include "ui/window/label_room.h"
#include "ui/window/log_panel.h"
#include "ui/window/overlay.h"
#include "ui/window/panel_layout.h"
#include "ui/window/plain_snapshot.h"
#include "ui/window/screen.h"

namespace fos {
namespace {

namespace fs = std::filesystem;

fs::path Skirmish() { return fs::path(FOS_SOURCE_DIR) / "datasets/scenarios/skirmish.toml"; }

struct NoPicture : PictureFeed {
  ImVec2 Size() const override { return {0, 0}; }
  void Paint(ImDrawList&, const PictureCut&, const Placement&, const ScreenRect&) override {}
};
struct Decided : DecisionSink {
  void Post(PlayerDecision word) override { words.push_back(std::move(word)); }
  std::vector<PlayerDecision> words;
};

class GamePanel : public testing::Test {
 protected:
  void SetUp() override {
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.DisplaySize = {1280, 720};
    io.DeltaTime = 1.0F / 60;
    // The window's backend maps these keys for ImGui.
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
    GameController::Setup setup;
    setup.open = [scenario = Scenario()] { return OpenGame(scenario, 7); };
    setup.name = Scenario().stem().string();
    const GameMap map = ReadGameMap(Scenario()).value();
    setup.board = map.board;
    setup.terrain = TerrainAreas(map);
    Result<std::unique_ptr<GameController>> controller = GameController::Open(std::move(setup));
    ASSERT_TRUE(controller.ok());
    controller_ = std::move(controller).value();
    for (int i = 0; i < 3; ++i) Draw();  // ImGui's windows need some frames to settle
  }
  void TearDown() override { ImGui::DestroyContext(); }
  virtual fs::path Scenario() const { return Skirmish(); }

  void Draw() {
    shown_ = PlainSnapshot(*controller_, time_s_);
    if (!dice_.empty()) {  // under a camera
      Snapshot watched = *shown_;
      watched.watching = Watching::kWatching;
      watched.dice = dice_;
      shown_ = std::make_shared<const Snapshot>(std::move(watched));
    }
    NoPicture picture;
    ImGui::NewFrame();
    DrawScreen(theme_, *shown_, {picture, {}, {}}, view_, said_, controller_.get());
    ImGui::Render();
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
  void SayLine(const char* line) {
    Type("/");
    Draw();
    Draw();
    Type(line);
    Press(GLFW_KEY_ENTER);
  }
  void ClickAt(Vec2 table) {
    view_.clicked = table;
    Draw();
  }
  // Answers every prompt by keys until `enough()` or until the game is over.
  void PlayByKeys(const std::function<bool()>& enough) {
    int presses = 0;
    Generator chance{11};
    while (Game().prompt.kind != PromptKind::kOver && !enough() && presses < 4000) {
      ++presses;
      if (view_.game_panel.confirming) {
        Type("y");
        continue;
      }
      switch (Game().prompt.kind) {
        case PromptKind::kDice:
        case PromptKind::kCoin:
          Type("r");
          break;
        case PromptKind::kShot:
          Type("0");
          break;
        case PromptKind::kSecret:
          Type("1");
          Type("q");
          break;
        case PromptKind::kChoice:
          Type("1");
          break;
        default: {
          // In one of three cases a unit acts; otherwise the side is done.
          view_.game_panel.piece.clear();
          if (chance.Below(3) == 0 && !UnitsYetToAct(Game()).empty()) {
            for (int i = chance.Below(5); i >= 0; --i) Type(".");
            Type(std::to_string(1 + chance.Below(9)).c_str());
          } else {
            const std::vector<LineOption> options = ListedOptions(*controller_, view_);
            const auto done = std::find_if(
                options.begin(), options.end(),
                [](const LineOption& option) { return option.line.rfind("done", 0) == 0; });
            ASSERT_NE(done, options.end()) << Game().prompt.sentence;
            Type(std::to_string(1 + (done - options.begin())).c_str());
          }
        }
      }
    }
  }
  const GameShown& Game() const { return *controller_->Now(); }
  const std::string& LastLine() const { return Game().log.back().line; }

  Theme theme_;
  ViewState view_;
  Decided said_;
  std::unique_ptr<GameController> controller_;
  std::shared_ptr<const Snapshot> shown_;
  double time_s_ = 1;
  std::vector<std::shared_ptr<const DieShown>> dice_;  // on the table
};

TEST_F(GamePanel, PlaysAShotAndUndoesItByKeys) {
  EXPECT_EQ(Game().prompt.phase, "artillery");
  Type(".");  // the first unit that may act
  EXPECT_FALSE(view_.game_panel.piece.empty());
  while (view_.game_panel.piece != "B-gun") Type(".");
  const std::vector<LineOption> options = ListedOptions(*controller_, view_);
  ASSERT_FALSE(options.empty());
  Type("1");
  EXPECT_EQ(LastLine(), options[0].line);
  EXPECT_EQ(Game().prompt.kind, PromptKind::kShot);
  Press(GLFW_KEY_ENTER);  // opens the line editor
  EXPECT_TRUE(view_.game_panel.typing);
  Draw();
  Type("18 17.4 stand R-line#1 0.4 stand R-line#2 0.6");
  Press(GLFW_KEY_ENTER);
  EXPECT_FALSE(view_.game_panel.typing);
  ASSERT_EQ(Game().prompt.kind, PromptKind::kChoice) << Game().notice;
  Type("1");
  EXPECT_EQ(Game().played, 3u);
  Ctrl(GLFW_KEY_Z);
  EXPECT_EQ(Game().played, 2u);
  Ctrl(GLFW_KEY_Y);
  EXPECT_EQ(Game().played, 3u);
}

TEST_F(GamePanel, AClickOnTheMapPlacesAShot) {
  controller_->Say("shoot B-gun field at E5", 1);
  ClickAt({17, 19});
  ASSERT_TRUE(view_.game_panel.landed.has_value());
  const auto stands = controller_->Stands();
  const auto struck = std::find_if(stands.begin(), stands.end(), [](const StandObservation& one) {
    return one.unit == "R-line";
  });
  ASSERT_NE(struck, stands.end());
  ClickAt(struck->table_from_stand.origin);
  ASSERT_EQ(view_.game_panel.struck.size(), 1u);
  ClickAt(struck->table_from_stand.origin);
  EXPECT_TRUE(view_.game_panel.struck.empty());
  ClickAt(struck->table_from_stand.origin);
  Press(GLFW_KEY_ENTER);
  EXPECT_NE(Game().prompt.kind, PromptKind::kShot) << Game().notice;
  EXPECT_FALSE(view_.game_panel.landed.has_value());
}

TEST_F(GamePanel, MovesAUnitByClickingItAndASquare) {
  for (const char* line : {"done Blue", "done Red", "done Blue", "done Red"})
    controller_->Say(line, 1);
  ASSERT_EQ(Game().prompt.phase, "movement") << Game().prompt.sentence;
  const auto stands = controller_->Stands();
  const auto line = std::find_if(stands.begin(), stands.end(),
                                 [](const StandObservation& one) { return one.unit == "B-line"; });
  ClickAt(line->table_from_stand.origin);
  EXPECT_EQ(view_.game_panel.piece, "B-line");
  const std::size_t all = ListedOptions(*controller_, view_).size();
  // Nothing may be done there: the rules say why, and the unit stays chosen.
  ClickAt({35, 1});
  EXPECT_EQ(view_.game_panel.piece, "B-line");
  EXPECT_NE(view_.game_panel.why.find("B-line cannot go to"), std::string::npos);
  EXPECT_NE(view_.game_panel.why.find("NAP-"), std::string::npos) << view_.game_panel.why;
  const std::size_t played = Game().played;
  ClickAt({35, 1});
  EXPECT_TRUE(view_.game_panel.piece.empty());
  EXPECT_TRUE(view_.game_panel.why.empty());
  EXPECT_EQ(Game().played, played);
  ClickAt(line->table_from_stand.origin);
  ClickAt(Game().board.CentreOf(*ParseSquare("D4")));
  EXPECT_EQ(view_.game_panel.square, "D4");
  EXPECT_LT(ListedOptions(*controller_, view_).size(), all);
  Draw();
  Press(GLFW_KEY_ENTER);
  EXPECT_EQ(LastLine().substr(0, 11), "move B-line") << Game().notice;
}

// A unit that is dragged goes as by two clicks; enemies and what may not act are not taken hold of.
TEST_F(GamePanel, AUnitIsDraggedToItsSquare) {
  for (const char* line : {"done Blue", "done Red", "done Blue", "done Red"})
    controller_->Say(line, 1);
  const auto stands = controller_->Stands();
  const auto place_of = [&](const char* unit) {
    return std::find_if(stands.begin(), stands.end(), [&](const StandObservation& one) {
             return one.unit == unit;
           })->table_from_stand.origin;
  };
  Draw();
  EXPECT_TRUE(MayDragUnit(*shown_, *controller_, place_of("B-line")));
  EXPECT_FALSE(MayDragUnit(*shown_, *controller_, place_of("R-line")));
  EXPECT_FALSE(MayDragUnit(*shown_, *controller_, {35, 1}));
  view_.dragged_from = place_of("B-line");
  view_.dragged_to = Game().board.CentreOf(*ParseSquare("D4"));
  view_.dropped = true;
  Draw();
  EXPECT_EQ(view_.game_panel.piece, "B-line");
  EXPECT_EQ(view_.game_panel.square, "D4");
  EXPECT_FALSE(view_.dragged_from.has_value());
  Press(GLFW_KEY_ENTER);
  EXPECT_EQ(LastLine().substr(0, 15), "move B-line via") << Game().notice;
}

// A right click or a long press on a unit opens its menu; Esc and a click elsewhere close it.
TEST_F(GamePanel, AMenuOpensOnTheUnitThatIsPointedAt) {
  const auto stands = controller_->Stands();
  const auto gun = std::find_if(stands.begin(), stands.end(),
                                [](const StandObservation& one) { return one.unit == "B-gun"; });
  const auto ask = [&](Vec2 at) {
    view_.menu_asked = true;
    ClickAt(at);
    return view_.game_panel.show_menu;
  };
  EXPECT_FALSE(ask({35, 1}));  // nothing stands there
  EXPECT_TRUE(ask(gun->table_from_stand.origin));
  EXPECT_EQ(view_.game_panel.piece, "B-gun");
  Press(GLFW_KEY_ESCAPE);
  EXPECT_FALSE(view_.game_panel.show_menu);
  EXPECT_TRUE(ask(gun->table_from_stand.origin));
  ClickAt(gun->table_from_stand.origin);
  EXPECT_FALSE(view_.game_panel.show_menu);
}

// What may still act is lit on the map, the enemy is not; the light goes once a unit is chosen.
TEST_F(GamePanel, UnitsThatMayActAreLit) {
  const auto lit = [] {
    const ImU32 light = Faded(Rgba(255, 214, 64), 0.75F);
    const ImDrawData& data = *ImGui::GetDrawData();
    int corners = 0;
    for (int i = 0; i < data.CmdListsCount; ++i)
      for (const ImDrawVert& at : data.CmdLists[i]->VtxBuffer) corners += at.col == light ? 1 : 0;
    return corners;
  };
  Draw();
  int stands = 0;
  for (const StandObservation& stand : controller_->Stands())
    stands += stand.unit.starts_with("B-") ? 1 : 0;
  ASSERT_EQ(UnitsYetToAct(Game()).size(), 4u);  // all of Blue's, none of Red's
  EXPECT_EQ(lit(), 4 * stands);
  Type(".");
  EXPECT_EQ(lit(), 0);
}

// A finger that rests on an answer shows its sums; only a short one takes it.
TEST_F(GamePanel, ALongPressOnAnAnswerOnlyShowsItsSums) {
  const auto press = [&](float y, int frames) {
    ImGui::GetIO().MousePos = {1000, y};
    Draw();
    ImGui::GetIO().MouseDown[0] = true;
    for (int i = 0; i < frames; ++i) Draw();
    ImGui::GetIO().MouseDown[0] = false;
    Draw();
  };
  while (view_.game_panel.piece != "B-gun") Type(".");
  Draw();
  const std::size_t played = Game().played;
  constexpr float kFirstRow_px = 264;
  press(kFirstRow_px, 60);  // a second
  EXPECT_EQ(Game().played, played);
  EXPECT_EQ(view_.game_panel.option, 0);
  press(kFirstRow_px, 3);
  EXPECT_EQ(Game().played, played + 1);
}

// What the players are asked about the table is asked in a game too, and can be answered there.
TEST_F(GamePanel, AsksWhatFellBesideTheGame) {
  EXPECT_EQ(test::DrawnLetters().find("Whatfell?"), std::string::npos);
  view_.pointing = true;
  Draw();
  EXPECT_NE(test::DrawnLetters().find("Whatfell?"), std::string::npos);
  Press(GLFW_KEY_ESCAPE);
  EXPECT_FALSE(view_.pointing);
}

TEST_F(GamePanel, DiceCanBeTypedCorrectedAndRolled) {
  for (const char* line : {"done Blue", "done Red", "turn B-light NW", "fire B-light at E5",
                           "done Blue", "done Red"}) {
    controller_->Say(line, 1);
  }
  Draw();
  ASSERT_EQ(Game().prompt.kind, PromptKind::kDice) << Game().prompt.sentence;
  const auto wanted = static_cast<std::size_t>(Game().prompt.dice);
  Type("9");  // a die has no nine
  EXPECT_TRUE(view_.game_panel.dice.empty());
  for (std::size_t i = 0; i < wanted + 2; ++i) Type("3");
  EXPECT_EQ(view_.game_panel.dice.size(), wanted);
  Press(GLFW_KEY_BACKSPACE);
  EXPECT_EQ(view_.game_panel.dice.size(), wanted - 1);
  Press(GLFW_KEY_ENTER);  // dice are still missing
  EXPECT_EQ(Game().prompt.kind, PromptKind::kDice);
  Type("6");
  Press(GLFW_KEY_ENTER);
  EXPECT_EQ(LastLine().substr(0, 4), "dice");
  Ctrl(GLFW_KEY_Z);
  ASSERT_EQ(Game().prompt.kind, PromptKind::kDice);
  Type("r");
  EXPECT_EQ(LastLine().substr(0, 4), "dice");  // the drawn dice
}

TEST_F(GamePanel, DiceThatTheCameraReadsAreTakenByOneKeyOrLeft) {
  for (const char* line : {"done Blue", "done Red", "turn B-light NW", "fire B-light at E5",
                           "done Blue", "done Red"}) {
    controller_->Say(line, 1);
  }
  int number = 0;
  const auto thrown = [&](double at_rest_s) {
    dice_.clear();
    for (const int face : {1, 3}) {
      DieShown die;
      die.number = ++number;
      die.throw_number = number / 2;
      die.at_rest_s = at_rest_s;
      die.value = face;
      die.chance = 0.99;
      die.read = true;
      dice_.push_back(std::make_shared<const DieShown>(die));
    }
    time_s_ = at_rest_s + 0.5;
    Draw();
  };
  thrown(1.5);
  EXPECT_NE(test::DrawnLetters().find("Thecamerareads13(98%)"), std::string::npos)
      << test::DrawnLetters();
  // Who types is not interrupted, and Enter means what is typed.
  Type("6");
  time_s_ = 20;
  Draw();
  EXPECT_EQ(Game().prompt.kind, PromptKind::kDice);
  Press(GLFW_KEY_ENTER);
  EXPECT_EQ(Game().prompt.kind, PromptKind::kDice) << "a die is missing";
  Press(GLFW_KEY_BACKSPACE);
  Press(GLFW_KEY_ENTER);
  EXPECT_EQ(LastLine(), "dice 1 3");
  Ctrl(GLFW_KEY_Z);
  thrown(21);
  EXPECT_EQ(controller_->OfferedDice().state, DiceOffer::State::kOffered);
  Press(GLFW_KEY_BACKSPACE);
  time_s_ = 30;
  Draw();
  EXPECT_EQ(Game().prompt.kind, PromptKind::kDice) << "they were dismissed";
  thrown(31);
  time_s_ = 33;
  Draw();
  EXPECT_EQ(Game().prompt.kind, PromptKind::kDice);
  time_s_ = 34;
  Draw();
  EXPECT_EQ(LastLine(), "dice 1 3") << "nobody objected for two seconds";
}

TEST_F(GamePanel, EachSideHasItsOwnKeysInASecretChoice) {
  for (const char* line :
       {"done Blue", "done Red", "done Blue", "done Red", "move B-line via D4 D5", "done Blue",
        "done Blue", "done Red", "done Red", "done Blue", "done Red", "done Blue",
        "move R-horse via D6 D5"}) {
    controller_->Say(line, 1);
  }
  for (int i = 0; i < 6 && Game().prompt.kind == PromptKind::kDeclare; ++i) {
    controller_->Say(
        "done " + Game().view.sides[static_cast<std::size_t>(Game().prompt.sides.front())], 1);
  }
  Draw();
  ASSERT_EQ(Game().prompt.kind, PromptKind::kSecret);
  const bool help = view_.show_help;
  const bool log = view_.show_log;
  const std::size_t played = Game().played;
  Type("w");  // the second side's second card; letters mean nothing else now
  EXPECT_EQ(Game().played, played);
  EXPECT_TRUE(Game().chosen[static_cast<std::size_t>(Game().prompt.sides[1])]);
  Type("2");
  EXPECT_EQ(Game().played, played + 2);
  EXPECT_EQ(view_.show_help, help);
  EXPECT_EQ(view_.show_log, log);
}

TEST_F(GamePanel, NothingIsCutInANarrowWindow) {
  ImGui::GetIO().DisplaySize = {640, 480};
  for (const char* line : {"done Blue", "done Red", "fire B-light at E5", "done Blue", "done Red"})
    controller_->Say(line, 1);
  ASSERT_EQ(Game().prompt.kind, PromptKind::kDice) << Game().prompt.sentence;
  ASSERT_FALSE(Game().view.points.empty());
  Draw();
  const ScreenRect panel =
      LayoutOf(theme_, view_, shown_->facts->table, true, ImGui::GetIO().DisplaySize).rulings;
  std::string cut;
  for (const test::DrawnLetter& drawn : test::DrawnLetterList())
    if (drawn.cut && drawn.at.x > panel.low.x) cut += static_cast<char>(drawn.letter);
  EXPECT_EQ(cut, "");
}

// The rows of buttons: on 1280 x 720 the last of four was cut, on 1024 x 768 others.
TEST_F(GamePanel, NoButtonIsCut) {
  for (const char* line : {"done Blue", "done Red", "fire B-light at E5", "done Blue", "done Red"})
    controller_->Say(line, 1);
  controller_->Say("dice 1 3", 1);
  controller_->Undo(2);
  ASSERT_EQ(Game().prompt.kind, PromptKind::kDice) << Game().prompt.sentence;
  view_.game_panel.dice = {1, 3};
  for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1024, 700}}) {
    ImGui::GetIO().DisplaySize = size;
    SCOPED_TRACE(size.x);
    for (int i = 0; i < 2; ++i) Draw();
    const ScreenRect panel =
        LayoutOf(theme_, view_, shown_->facts->table, true, size).rulings;
    std::string cut;
    for (const test::DrawnLetter& drawn : test::DrawnLetterList())
      if (drawn.cut && drawn.at.x > panel.low.x) cut += static_cast<char>(drawn.letter);
    EXPECT_EQ(cut, "");
    const std::string text = test::DrawnLetters();
    EXPECT_NE(text.find("F4"), std::string::npos) << text;
  }
}

TEST_F(GamePanel, PageKeysScrollASmallPanel) {
  ImGui::GetIO().DisplaySize = {1280, 420};
  for (const char* line : {"done Blue", "done Red", "turn B-light NW"}) SayLine(line);
  for (const char* line : {"fire B-light at E5", "done Blue", "done Red"}) SayLine(line);
  ASSERT_TRUE(Game().awaited.has_value());
  const auto scrolled = [&] {
    Draw();
    ImGui::NewFrame();
    ImGui::Begin("Game");
    const float at = ImGui::GetScrollY();
    ImGui::End();
    ImGui::EndFrame();
    return at;
  };
  EXPECT_EQ(scrolled(), 0);
  Press(GLFW_KEY_PAGE_DOWN);
  EXPECT_GT(scrolled(), 0);
  Press(GLFW_KEY_PAGE_UP);
  EXPECT_EQ(scrolled(), 0);
}

TEST_F(GamePanel, ARefusalNamesItsClauseAndF4ShowsIt) {
  SayLine("shoot B-gun field at A1");
  ASSERT_TRUE(Game().refused) << Game().notice;
  Press(GLFW_KEY_F4);
  EXPECT_TRUE(view_.game_panel.show_clause);
  EXPECT_EQ(view_.game_panel.clause, Game().clause);
  Draw();
  Press(GLFW_KEY_ESCAPE);
  EXPECT_FALSE(view_.game_panel.show_clause);
  SayLine("shoot B-gnu at E5");
  EXPECT_NE(Game().notice.find("B-gun"), std::string::npos) << Game().notice;
}

TEST_F(GamePanel, SearchFiltersTheLog) {
  controller_->Say("done Blue", 1);
  controller_->Say("shoot B-gun field at A9", 2);  // refused
  EXPECT_EQ(LogRows(*shown_, controller_.get(), "").size(), 2u);
  const std::vector<LogRow> rows = LogRows(*shown_, controller_.get(), "REFUSED");
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].category, LogLine::Category::kWarning);
  EXPECT_EQ(LogRows(*shown_, controller_.get(), "nap-").size(), 1u);
  EXPECT_TRUE(LogRows(*shown_, controller_.get(), "zebra").empty());
  Ctrl(GLFW_KEY_F);
  Draw();
  Type("done");
  EXPECT_STREQ(view_.game_panel.search.data(), "done");
  Press(GLFW_KEY_ESCAPE);
  EXPECT_FALSE(view_.game_panel.searching);
}

// The log is in sentences; what was taken back stays, struck through.
TEST_F(GamePanel, TheLogReadsAsSentences) {
  controller_->Say("done Blue", 1);
  controller_->Say("done Red", 1);
  controller_->Say("fire B-light at E5", 2);
  controller_->Say("undo", 3);
  const std::vector<LogRow> rows = LogRows(*shown_, controller_.get(), "");
  ASSERT_GE(rows.size(), 4u);
  EXPECT_EQ(rows[0].text.rfind("Blue: End this step.", 0), 0u) << rows[0].text;
  EXPECT_EQ(rows[2].text.rfind("Light infantry B-light in F4 fires at E5 with", 0), 0u) << rows[2].text;
  EXPECT_TRUE(rows[2].undone);
  EXPECT_FALSE(rows[1].undone);
  Snapshot seen = *shown_;
  seen.log = std::make_shared<const std::vector<LogLine>>(std::vector<LogLine>{
      {1, LogLine::Category::kWarning, "no pictures came for 1.1 s", 0},
      {2, LogLine::Category::kPlain, "b-1 moved from A1 to A2", 0}});
  const std::vector<LogRow> camera = LogRows(seen, nullptr, "");
  ASSERT_EQ(camera.size(), 2u);
  EXPECT_EQ(camera[0].text, "No pictures came for 1.1 s");
  EXPECT_EQ(camera[1].text, "b-1 moved from A1 to A2");  // a stand's name
  // It is still found by what was typed.
  EXPECT_EQ(LogRows(*shown_, controller_.get(), "fire B-light").size(), 1u);
  Draw();
}

// Dice that the program threw are told without the state of its generator.
TEST_F(GamePanel, TheLogTellsDrawnDiceAsDice) {
  for (const char* line : {"done Blue", "done Red", "fire B-light at E5", "done Blue", "done Red"})
    controller_->Say(line, 1);
  ASSERT_EQ(Game().prompt.kind, PromptKind::kDice) << Game().prompt.sentence;
  controller_->Say("draw", 2);
  controller_->Say("undo", 3);
  for (const LogRow& row : LogRows(*shown_, controller_.get(), "")) {
    EXPECT_EQ(row.text.find("drawn"), std::string::npos) << row.text;
    EXPECT_EQ(row.line.find("drawn"), std::string::npos) << row.line;
  }
}

class CloseFirePanel : public GamePanel {
  fs::path Scenario() const override {
    return fs::path(FOS_SOURCE_DIR) / "datasets/scenarios/kirchheim.toml";
  }
};

// The pointer on a stand names its unit, what it is and what state it is in.
TEST_F(CloseFirePanel, NamesTheUnitUnderThePointer) {
  const auto piece = std::find_if(Game().view.pieces.begin(), Game().view.pieces.end(),
                                  [](const PieceView& one) { return one.id == "A-G"; });
  ASSERT_NE(piece, Game().view.pieces.end());
  ImGui::NewFrame();
  const Projection on(shown_->facts->table, Place(1280, 720, {{0, 0}, {1280, 720}}, {}));
  DrawPointedAt(*ImGui::GetForegroundDrawList(), theme_, on, *shown_, Game().view.pieces,
                *on.At(piece->at_in, 0));
  ImGui::Render();
  EXPECT_EQ(test::DrawnLetters(), "A-G,Leader,facingN");
}

// Where a leader stands among his men, a second click means him.
TEST_F(CloseFirePanel, AClickOnTheChosenUnitMeansTheOneBelow) {
  controller_->Say("initiative", 1);
  controller_->Say("dice 3 5", 1);
  controller_->Say("choose \"first\"", 1);
  Draw();
  Snapshot shown = *shown_;
  std::vector<StandObservation> stands = *shown.stands;
  const auto find = [&](const char* id) {
    return std::find_if(stands.begin(), stands.end(),
                        [&](const StandObservation& one) { return one.stand.text == id; });
  };
  const Vec2 at = find("F-G2#1")->table_from_stand.origin;
  find("F-B2")->table_from_stand.origin = at + Vec2{0.1, 0};
  shown.stands = std::make_shared<const std::vector<StandObservation>>(stands);
  for (const char* expected : {"F-G2", "F-B2", "F-G2"}) {
    view_.clicked = at;
    HandleTableClick(shown, *controller_, view_);
    EXPECT_EQ(view_.game_panel.piece, expected);
  }
}

TEST_F(GamePanel, SurvivesLongTextsAndTinyWindows) {
  for (const char* line : {"\xff\xfe", "lands nan nan", "undo 99999999999", "correct 0 x",
                           "remove -1", "move", "\"", "redo", "overrule"}) {
    controller_->Say(line, 1);
    Draw();
  }
  EXPECT_EQ(Game().played, 0u);
  ClickAt({1e300, -1e300});
  view_.game_panel.option = 999;
  view_.game_panel.page = 999;
  Draw();
  Press(GLFW_KEY_ENTER);
  for (const ImVec2 size : {ImVec2{1, 1}, ImVec2{200, 100}, ImVec2{3840, 2160}}) {
    ImGui::GetIO().DisplaySize = size;
    Draw();
  }
}

TEST_F(GamePanel, FinalAnswersAreConfirmed) {
  const std::vector<LineOption> options = ListedOptions(*controller_, view_);
  // Both surrenders come last, not next to a side's `done`.
  ASSERT_EQ(options.size(), 4u);
  EXPECT_EQ(options[0].line, "done Blue");
  EXPECT_EQ(options[1].line, "done Red");
  EXPECT_EQ(options[2].line, "surrender Blue");
  EXPECT_EQ(options[2].for_good, "the game is over and Red wins");
  Type("3");
  ASSERT_TRUE(view_.game_panel.confirming);
  EXPECT_EQ(view_.game_panel.confirming->line, "surrender Blue");
  // Keys that are easily pressed twice do not confirm.
  Type("3");
  Type("1");
  Press(GLFW_KEY_ENTER);
  EXPECT_TRUE(view_.game_panel.confirming);
  EXPECT_EQ(Game().played, 0u);
  Press(GLFW_KEY_ESCAPE);
  EXPECT_FALSE(view_.game_panel.confirming);
  Type("y");
  EXPECT_EQ(Game().played, 0u);
  view_.game_panel.option = 2;  // pointed at
  Press(GLFW_KEY_ENTER);
  ASSERT_TRUE(view_.game_panel.confirming);
  Type("n");
  EXPECT_FALSE(view_.game_panel.confirming);
  Type("4");
  Type("y");
  EXPECT_EQ(Game().prompt.kind, PromptKind::kOver);
  EXPECT_EQ(LastLine(), "surrender Red");
  EXPECT_FALSE(view_.game_panel.confirming);
}

TEST_F(GamePanel, ShowsTheSumsOfAVolleyBeforeTheDice) {
  for (const char* line : {"done Blue", "done Red", "turn B-light NW"}) SayLine(line);
  view_.game_panel.piece = "B-light";
  view_.game_panel.option = -1;
  Draw();
  const int plain = ImGui::GetDrawData()->TotalVtxCount;
  const std::vector<LineOption> options = ListedOptions(*controller_, view_);
  const auto volley = std::find_if(options.begin(), options.end(), [](const LineOption& option) {
    return option.line.rfind("fire", 0) == 0;
  });
  ASSERT_NE(volley, options.end());
  view_.game_panel.option = static_cast<int>(volley - options.begin());
  Draw();
  EXPECT_GT(ImGui::GetDrawData()->TotalVtxCount, plain + 200);  // items, bars and plates
  const std::optional<Forecast>& sums = controller_->ForecastOf(*volley);
  ASSERT_TRUE(sums.has_value());
  Press(GLFW_KEY_ENTER);
  EXPECT_EQ(LastLine().rfind("fire B-light", 0), 0u) << LastLine();
  for (const char* line : {"done Blue", "done Red"}) SayLine(line);
  ASSERT_EQ(Game().prompt.kind, PromptKind::kDice);
  ASSERT_TRUE(Game().awaited.has_value());
  EXPECT_EQ(Game().awaited->totals[0], 2);
}

// Every prompt can be answered by keys: plays a game to its end with them.
TEST_F(GamePanel, AWholeGameCanBePlayedByKeys) {
  PlayByKeys([&] { return false; });
  EXPECT_EQ(Game().prompt.kind, PromptKind::kOver) << Game().prompt.sentence;
  EXPECT_FALSE(Game().view.result.empty());
}

// The Colonial rules: initiative, activations, moves, sums before the dice, withdrawals.
class ColonialPanel : public GamePanel {
 protected:
  fs::path Scenario() const override {
    return fs::path(FOS_SOURCE_DIR) / "datasets/scenarios/tamanieb.toml";
  }
};

// A built-up square behind a wall has the name of the wall, its own and that of its mark.
TEST_F(ColonialPanel, NoNameOfTerrainCoversWhatASquareIsMarkedWith) {
  const TableFrame& frame = shown_->facts->table;
  const ScreenRect area{{0, 0}, {820, 600}};
  const ImVec2 size = MapSize(frame);
  ImGui::NewFrame();
  ImDrawList& list = *ImGui::GetForegroundDrawList();
  const Projection on(frame, Place(size.x, size.y, area, view_.map));
  const std::vector<ScreenRect> marks =
      DrawGameGround(list, theme_, on, *shown_, *controller_, view_);
  EXPECT_FALSE(marks.empty());
  const std::vector<ScreenRect> names =
      DrawTerrainNames(list, theme_, on, *shown_, /*each=*/false, marks);
  EXPECT_GT(names.size(), marks.size());
  for (std::size_t i = 0; i < marks.size(); ++i)
    for (std::size_t j = marks.size(); j < names.size(); ++j)
      EXPECT_FALSE(Overlap(names[i], names[j])) << i << ' ' << j;
  ImGui::EndFrame();
}

TEST_F(ColonialPanel, AWholeTurnCanBePlayedInTheWindow) {
  EXPECT_NEAR(Game().board.square_in, 50 / 25.4, 1e-9);
  // Answers by keys until the Imperial side acts.
  PlayByKeys([&] { return Game().prompt.kind == PromptKind::kDeclare; });
  if (Game().prompt.sides.front() == 1) {
    SayLine("done Mahdist");
    PlayByKeys([&] { return Game().prompt.kind == PromptKind::kDeclare; });
  }
  ASSERT_EQ(Game().prompt.sides.front(), 0) << Game().prompt.sentence;
  while (view_.game_panel.piece != "I-Gun") Type(".");
  const std::vector<LineOption> options = ListedOptions(*controller_, view_);
  ASSERT_FALSE(options.empty());
  EXPECT_EQ(options[0].line, "fire I-Gun at M-Rifles1");  // combats come first
  EXPECT_EQ(controller_->ReachOf("I-Gun").range, 6);
  const auto drawn = [&] {
    Draw();
    return ImGui::GetDrawData()->TotalVtxCount;
  };
  const int with_reach = drawn();
  Type("f");
  EXPECT_LT(drawn(), with_reach);
  Type("f");
  EXPECT_EQ(drawn(), with_reach);
  Type("1");
  ASSERT_TRUE(Game().thrown_for && Game().thrown_for->forecast);
  EXPECT_EQ(Game().thrown_for->forecast->totals[0], 4);
  // The sums and chances are shown before the dice are thrown.
  ASSERT_EQ(Game().prompt.kind, PromptKind::kDice);
  EXPECT_NE(Game().prompt.sentence.find("+2 value, +2 General I-Gen"), std::string::npos)
      << Game().prompt.sentence;
  EXPECT_NE(Game().prompt.sentence.find("chance"), std::string::npos);
  // A D12 has faces of two digits.
  for (const char* key : {"=", "-"}) Type(key);
  Press(GLFW_KEY_ENTER);
  EXPECT_EQ(LastLine(), "dice 12 11");
  EXPECT_FALSE(Game().thrown_for);
  PlayByKeys([&] { return Game().prompt.turn == 3; });
  EXPECT_EQ(Game().prompt.turn, 3) << Game().prompt.sentence;
}

// F4 shows the table behind the question with this case's row, and the last dice with what they came
// to; a line of the log shows its own case.
TEST_F(GamePanel, ClauseHelpHoldsTheTableAndTheLastDice) {
  for (const char* line : {"shoot B-gun field at E5", "lands 18.0 17.4 stand R-line#1 0.4",
                           "done Blue", "done Red", "turn B-light NW", "fire B-light at E5",
                           "done Blue", "done Red"})
    controller_->Say(line, 1);
  Draw();
  Press(GLFW_KEY_F4);
  ASSERT_TRUE(view_.game_panel.show_clause);
  EXPECT_EQ(view_.game_panel.clause, "NAP-4D");
  std::string text = (Draw(), test::DrawnLetters());
  const auto has = [&](std::string part) {
    std::erase(part, ' ');
    return text.find(part) != std::string::npos;
  };
  EXPECT_TRUE(has("What each die must show for a hit"));
  EXPECT_TRUE(has("two 1s"));
  EXPECT_TRUE(has("B-light in F4 fires at E5 with 2 dice"));
  EXPECT_FALSE(has("The last dice"));
  Press(GLFW_KEY_ESCAPE);
  controller_->Say("dice 1 3", 1);
  ShowClause(view_.game_panel, "NAP-4D", 0);
  Draw();
  text = (Draw(), test::DrawnLetters());
  EXPECT_TRUE(has("The last dice"));
  EXPECT_TRUE(has("B-light at E5: 1 3, 1 hit"));
  // Of the line before the dice nothing was ruled yet.
  ShowClause(view_.game_panel, "NAP-4D", 6);
  Draw();
  text = (Draw(), test::DrawnLetters());
  EXPECT_FALSE(has("The last dice"));
  // From all clauses one leads to its own.
  ShowClause(view_.game_panel, "", 0);
  Draw();
  text = (Draw(), test::DrawnLetters());
  EXPECT_TRUE(has("NAP-2A"));
}

}  // namespace
}  // namespace fos
