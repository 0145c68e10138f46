// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/console_run.h"
#include "tests/support/temp_dir.h"
#include "ui/cli/commands.h"
#include "ui/report/battle.h"
#include "ui/report/battle_map.h"
#include "ui/report/report.h"
#include "ui/report/season.h"
#include "ui/report/shooting.h"
#include "ui/session/club_file.h"
#include "ui/session/dice_record.h"

namespace fos {
namespace {

namespace fs = std::filesystem;

using test::ConsoleRun;
using test::RunFallofshot;

std::size_t Count(const std::string& text, const std::string& what) {
  std::size_t count = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) {
    ++count;
  }
  return count;
}

std::string TextOf(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

class Report : public ::testing::Test {
 protected:
  std::string Path(const char* name) const { return (dir_.path() / name).string(); }
  void PlaySkirmish() const {
    const fs::path scenarios = fs::path(FOS_SOURCE_DIR) / "datasets/scenarios";
    const ConsoleRun played =
        RunFallofshot({"play", scenarios / "skirmish.toml", scenarios / "skirmish.script", "--seed",
                       "7", "--db", Path("club.db"), "--players", "Blue=Ada,Red=Grace"});
    ASSERT_EQ(played.status, kExitDone) << played.err;
  }
  Battle Skirmish() const {
    PlaySkirmish();
    const OpenedGame game = OpenGameLog({Path("club.db")}, "last").value();
    return BattleOf(game.log, game.journal).value();
  }
  test::TempDir dir_;
};

TEST_F(Report, HoldsTheWholeGame) {
  const Battle battle = Skirmish();
  EXPECT_EQ(battle.name, "Skirmish");
  EXPECT_EQ(battle.board.columns, 9);
  ASSERT_EQ(battle.sides.size(), 2u);
  EXPECT_EQ(battle.sides[0].players, std::vector<std::string>{"Ada"});
  ASSERT_EQ(battle.turns.size(), 4u);
  EXPECT_TRUE(battle.same);
  // The first shot of the script: from E3 at E5, at rest at (18, 17.4), R-line#2 taken.
  ASSERT_FALSE(battle.turns[0].shots.empty());
  const BattleShot& shot = battle.turns[0].shots[0];
  EXPECT_EQ(shot.piece, "B-gun");
  EXPECT_EQ(shot.aimed, "E5");
  EXPECT_EQ(shot.target, (Vec2{18, 18}));
  EXPECT_EQ(shot.landed, (Vec2{18, 17.4}));
  EXPECT_EQ(shot.lost, std::vector<std::string>{"R-line#2"});
  EXPECT_TRUE(shot.thrown);
  // For each side, the start minus the losses of all turns is what is left.
  for (int side = 0; side < 2; ++side) {
    int start = 0;
    int left = 0;
    for (const UnitLine& unit : battle.order) {
      if (unit.side != side) continue;
      start += unit.start;
      left += unit.left;
    }
    int lost = 0;
    for (const BattleTurn& turn : battle.turns) {
      for (const PieceView& piece : turn.lost) lost += piece.side == side;
    }
    EXPECT_EQ(start - left, lost);
    EXPECT_EQ(battle.strength.back().lost[static_cast<std::size_t>(side)], lost);
  }
  EXPECT_NE(battle.result.find("wins"), std::string::npos);
  EXPECT_NE(Summary(battle)[0].find("Blue (Ada) met Red (Grace)"), std::string::npos);
  EXPECT_NE(Summary(battle)[0].find("under the Napoleonic rules"), std::string::npos);
}

TEST_F(Report, IsOneSelfContainedPage) {
  PlaySkirmish();
  const ConsoleRun ran = RunFallofshot(
      {"report", "last", "--db", Path("club.db"), "--out", Path("r.html"), "--pdf", Path("r.pdf")});
  ASSERT_EQ(ran.status, kExitDone) << ran.err;
  const std::string html = TextOf(Path("r.html"));
  EXPECT_EQ(html.rfind("<!DOCTYPE html>", 0), 0u);
  EXPECT_EQ(Count(html, "<svg"), Count(html, "</svg>"));
  EXPECT_EQ(Count(html, "<svg"), 7u);  // deployment, key, four turns, losses
  EXPECT_EQ(Count(html, "<script"), 0u);
  EXPECT_EQ(Count(html, "href="), 0u);
  EXPECT_EQ(Count(html, "http"), Count(html, "http://www.w3.org/2000/svg"));
  for (const char* part :
       {"Order of battle", "Losses over time", "The shooting", "Undone and corrected"}) {
    EXPECT_NE(html.find(part), std::string::npos) << part;
  }
  EXPECT_EQ(html.find("nan"), std::string::npos);
  const std::string pdf = TextOf(Path("r.pdf"));
  EXPECT_EQ(pdf.rfind("%PDF-", 0), 0u);
  // The first page has the deployment, each turn's story fits beneath its map, and the last has the
  // rest: a page with nothing but a turn's losses is paper for nothing.
  EXPECT_EQ(Count(pdf, "/Type /Page\n") + Count(pdf, "/Type /Page "), 7u);
  const ConsoleRun anonymous = RunFallofshot(
      {"report", "last", "--db", Path("club.db"), "--out", Path("a.html"), "--anonymous"});
  ASSERT_EQ(anonymous.status, kExitDone) << anonymous.err;
  EXPECT_EQ(TextOf(Path("a.html")).find("Ada"), std::string::npos);
}

TEST_F(Report, EscapesHostileNames) {
  Battle battle = Skirmish();
  battle.name = "<script>alert(1)</script>\"&'\xff\x01";
  battle.sides[0].players = {"<img src=x onerror=y>"};
  battle.turns[0].phases[0].sentences[0] = "</main><script>";
  battle.turns[0].after[0].at_in = {std::numeric_limits<double>::quiet_NaN(), 1e300};
  battle.turns[0].after[0].bearing_deg = std::numeric_limits<double>::infinity();
  battle.disputes.push_back({1, 1, "<b>", {"\"<i>\""}, "no JPEG at all"});
  const std::string html = ReportHtml(battle, {});
  EXPECT_EQ(Count(html, "<script"), 0u);
  EXPECT_EQ(Count(html, "<img src=x"), 0u);
  EXPECT_EQ(html.find('\xff'), std::string::npos);
  EXPECT_EQ(html.find("nan"), std::string::npos);
  const Result<std::string> pdf = ReportPdf(battle, {});
  ASSERT_TRUE(pdf.ok()) << pdf.error().message;
  EXPECT_EQ(pdf->rfind("%PDF-", 0), 0u);
  Battle empty;
  EXPECT_NE(ReportHtml(empty, {}).find("</html>"), std::string::npos);
  EXPECT_TRUE(ReportPdf(empty, {}).ok());
}

TEST_F(Report, SaysWhatWasUndoneAndCorrected) {
  const std::string script =
      dir_.Write("undone.script",
                 "shoot B-gun field at E5\nlands 18.0 17.4  stand R-line#1 0.4\n"
                 "undo 2\nshoot B-gun howitzer at E5\nlands off\ncorrect 2 lands 30 30\n"
                 "done Blue\ndone Red\nremove 3\n")
          .string();
  const ConsoleRun played =
      RunFallofshot({"play", (fs::path(FOS_SOURCE_DIR) / "datasets/scenarios/skirmish.toml"),
                     script, "--db", Path("undone.db")});
  ASSERT_EQ(played.status, kExitDone) << played.err;
  const OpenedGame game = OpenGameLog({Path("undone.db")}, "last").value();
  EXPECT_EQ(BattleOf(game.log, game.journal).value().corrections,
            (std::vector<std::string>{
                "Undone: `shoot B-gun field at E5`, `lands 18 17.4 dry stand R-line#1 0.4`.",
                "Corrected: `lands off` to `lands 30 30`.", "Taken out: `done Blue`."}));
}

// The second in which it is made may change between two of them.
std::string PdfWithoutDate(const Battle& battle) {
  std::string pdf = ReportPdf(battle, {}).value();
  const std::size_t date = pdf.find("/CreationDate");
  EXPECT_NE(date, std::string::npos);
  return pdf.erase(date, pdf.find('\n', date) - date);
}

// In its PDF: a letter that the font lacks would be an empty box, the same for all of them.
TEST_F(Report, WritesLettersThatItsFontLacksByTheirNumbers) {
  const auto pdf_of = [this](const std::string& player) {
    Battle battle = Skirmish();
    battle.sides[0].players = {player};
    return PdfWithoutDate(battle);
  };
  EXPECT_EQ(pdf_of("Ann \U0001F3B2\u674E"), pdf_of("Ann [U+1F3B2][U+674E]"));
  EXPECT_NE(pdf_of("Zo\u00EB"), pdf_of("Zo[U+00EB]"));
}

TEST_F(Report, TellsThePointsBesideALongName) {
  Battle battle = Skirmish();
  battle.sides[0].players = {std::string(90, 'm')};
  battle.points = {21, 6};
  const std::string pdf = PdfWithoutDate(battle);
  EXPECT_EQ(pdf, PdfWithoutDate(battle));
  battle.points = {22, 6};
  EXPECT_NE(pdf, PdfWithoutDate(battle));
}

TEST(Drawing, EscapesTextAndWritesValidNumbers) {
  EXPECT_EQ(Escaped("a<b>&\"'"), "a&lt;b&gt;&amp;&quot;&#39;");
  EXPECT_EQ(Escaped("\xc3\xa9\xff\xc3"), "\xc3\xa9\xef\xbf\xbd\xef\xbf\xbd");
  Drawing drawing;
  drawing.width = 10;
  drawing.height = 5.25;
  drawing.Line({0, -0.0}, {1.26, std::numeric_limits<double>::infinity()}, {});
  const std::string svg = ToSvg(drawing);
  EXPECT_NE(svg.find("viewBox=\"0 0 10 5.2\""), std::string::npos) << svg;
  EXPECT_NE(svg.find("M0 0L1.3 0"), std::string::npos) << svg;
}

TEST_F(Report, ShowsDisputedCallsOfAWatchedMatchWithTheirPictures) {
  ASSERT_EQ(RunFallofshot({"judge", (fs::path(FOS_SOURCE_DIR) / "datasets/sets/open_qtip").string(),
                           "--out", Path("out"), "--db", Path("club.db")})
                .status,
            kExitDone);
  {
    Journal journal = Journal::Open(Path("club.db")).value();
    GameWriter writer = GameWriter::Of(journal, 1).value();
    Record word;
    word.kind = RecordKind::kWord;
    word.text = R"({"type":"players","shot":1,"say":"dispute","reason":"it touched the wheel"})";
    ASSERT_TRUE(writer.Append(word, 0).ok());
    word.text = R"({"type":"players","shot":1,"say":"settle","stand":"B-1V1#1","call":"hit"})";
    ASSERT_TRUE(writer.Append(word, 0).ok());
    word.text = R"({"type":"players","shot":1,"say":"dispute","reason":"it touched the wheel"})";
    ASSERT_TRUE(writer.Append(word, 0).ok());
  }
  const ConsoleRun stats = RunFallofshot({"stats", "--db", Path("club.db")});
  EXPECT_NE(stats.out.find("not declared      1     1         1.00                -"),
            std::string::npos)
      << stats.out;
  const OpenedGame game = OpenGameLog({Path("club.db")}, "1").value();
  const Battle battle = BattleOf(game.log, game.journal).value();
  ASSERT_EQ(battle.turns.size(), 1u);
  EXPECT_EQ(battle.turns[0].shots.at(0).lost, std::vector<std::string>{"B-1V1#1"});
  EXPECT_FALSE(battle.turns[0].before.empty());
  EXPECT_EQ(battle.turns[0].shots.size(), 1u);
  ASSERT_FALSE(battle.disputes.empty());
  EXPECT_EQ(battle.disputes.back().decisions.back(), "\"it touched the wheel\"");
  EXPECT_FALSE(battle.disputes.back().picture.empty());
  const std::string html = ReportHtml(battle, {});
  EXPECT_NE(html.find("src=\"data:image/jpeg;base64,/9j/"), std::string::npos);
}

TEST(Shooting, MeasuresErrorsFromTheAimedSquare) {
  Battle battle;
  battle.board = {10, 10, 4.0};
  battle.sides = {{"Blue", {}, {"Ada"}}, {"Red", {}, {}}};
  BattleTurn turn;
  const auto shot = [&](int side, const char* gun, std::optional<Vec2> landed, bool off, int hits) {
    BattleShot one;
    one.side = side;
    one.piece = gun;
    one.thrown = true;
    one.aimed = "C3";
    one.target = Vec2{10, 10};
    one.landed = landed;
    one.off_board = off;
    one.lost.assign(static_cast<std::size_t>(hits), "x");
    turn.shots.push_back(one);
  };
  shot(0, "g1", Vec2{10, 10}, false, 1);
  shot(0, "g1", Vec2{12, 10}, false, 0);  // on the edge counts as inside
  shot(0, "g2", Vec2{15, 14}, false, 0);  // 3 in east and 2 in north of it
  shot(0, "g2", std::nullopt, true, 0);
  shot(1, "r", Vec2{10, 13}, false, 3);
  BattleShot volley;
  volley.side = 0;
  turn.shots.push_back(volley);  // a volley throws no projectile
  battle.turns = {turn};
  Shooting shooting;
  shooting.Add(battle);
  const std::vector<ShooterRecord> players = shooting.ByPlayer();
  ASSERT_EQ(players.size(), 2u);
  EXPECT_EQ(players[0].player, "Red");  // three hits a shot
  EXPECT_EQ(players[0].hits, 3);
  EXPECT_EQ(players[1].player, "Ada");
  EXPECT_EQ(players[1].shots, 4);
  EXPECT_EQ(players[1].measured, 3);
  EXPECT_EQ(players[1].off_board, 1);
  EXPECT_NEAR(players[1].error_in, (0 + 2 + std::hypot(5.0, 4.0)) / 3, 1e-12);
  EXPECT_NEAR(players[1].outside_in, std::hypot(3.0, 2.0) / 3, 1e-12);
  EXPECT_NEAR(players[1].in_square, 2.0 / 3, 1e-12);
  EXPECT_EQ(shooting.ByGun().size(), 3u);
}

// Shots that the camera saw and nobody declared have a line of their own, and no aiming error.
TEST(Shooting, ListsUndeclaredShotsSeparately) {
  BattleShot declared;
  declared.side = 0;
  declared.piece = "g1";
  declared.thrown = true;
  declared.aimed = "C3";
  declared.target = Vec2{10, 10};
  declared.landed = Vec2{10.123, 11.457};
  BattleShot at_unit = declared;  // aimed at a unit, not at a square
  at_unit.aimed.clear();
  at_unit.landed = Vec2{12, 13};
  Battle played;
  played.board = {10, 10, 4.0};
  played.day = "2026-03-01";
  played.sides = {{"Blue", {}, {"Ada"}}};
  BattleTurn turn;
  turn.shots = {declared, at_unit};
  played.turns = {turn};

  BattleShot seen;  // the declared shot, as the camera recorded it
  seen.thrown = true;
  seen.landed = Vec2{10.1234, 11.4568};
  BattleShot other = seen;
  other.landed = Vec2{20, 20};
  other.lost = {"B-1V1#1"};
  BattleShot no_point;  // its point could not be measured
  no_point.thrown = true;
  Battle watched;
  watched.day = played.day;
  BattleTurn all;
  all.shots = {seen, other, no_point};
  watched.turns = {all};

  Shooting shooting;
  shooting.Add(watched);
  shooting.Add(played);
  const std::vector<ShooterRecord> players = shooting.ByPlayer();
  ASSERT_EQ(players.size(), 2u);
  EXPECT_EQ(players[0].player, "Ada");
  EXPECT_EQ(players[0].shots, 2);
  EXPECT_EQ(players[0].measured, 1);
  EXPECT_EQ(players[1].player, "not declared");  // last, however many it hit
  EXPECT_EQ(players[1].shots, 2);
  EXPECT_EQ(players[1].measured, 0);
  EXPECT_EQ(players[1].hits, 1);
  // The same point on another day is another shot.
  watched.day = "2026-03-08";
  shooting.Add(watched);
  EXPECT_EQ(shooting.ByPlayer()[1].shots, 5);
}

// ANC-C1: `shoot M-14 by M-14c#1 at E5` names the stand that mans the catapult, not a kind of shot.
TEST_F(Report, NamesCatapultsByTheirKindInTheRangeTable) {
  const fs::path scenarios = fs::path(FOS_SOURCE_DIR) / "datasets/scenarios";
  const ConsoleRun played = RunFallofshot({"play", scenarios / "ancient_assyrian.toml",
                                           scenarios / "ancient_assyrian.script", "--seed", "7",
                                           "--db", Path("club.db")});
  ASSERT_EQ(played.status, kExitDone) << played.err;
  const OpenedGame game = OpenGameLog({Path("club.db")}, "last").value();
  Season season;
  season.Add(game.log, BattleOf(game.log, game.journal).value(), "");
  int heavy = 0;
  for (const RangeRecord& one : season.Ranges()) {
    EXPECT_TRUE(one.gun == "heavy catapult" || one.gun == "light catapult") << one.gun;
    if (one.gun == "heavy catapult") heavy += one.shots;
  }
  EXPECT_EQ(heavy, 6);  // the script's shots of M-14
}

// A name of small letters only is quoted in a line (docs/scripts.md), and is the same name.
TEST_F(Report, CountsTheShotsOfAGunWhoseNameIsQuoted) {
  std::string scenario = TextOf(fs::path(FOS_SOURCE_DIR) / "datasets/scenarios/skirmish.toml");
  scenario.replace(scenario.find("\"B-gun\""), 7, "\"gun\"");
  dir_.Write("game.toml", scenario);
  dir_.Write("game.script", "shoot \"gun\" field at E5\nlands 18 17.4\n");
  const ConsoleRun played =
      RunFallofshot({"play", Path("game.toml"), Path("game.script"), "--seed", "7", "--db",
                     Path("club.db"), "--players", "Blue=Ada,Red=Grace"});
  ASSERT_EQ(played.status, kExitDone) << played.err;
  const OpenedGame game = OpenGameLog({Path("club.db")}, "last").value();
  Shooting shooting;
  shooting.Add(BattleOf(game.log, game.journal).value());
  ASSERT_EQ(shooting.ByGun().size(), 1U);
  EXPECT_EQ(shooting.ByGun()[0].player, "Ada");
  EXPECT_EQ(shooting.ByGun()[0].gun, "gun");
}

// The dice of the script are those of the report, with what kind each one was.
TEST_F(Report, HoldsTheDiceThatAnsweredTheRules) {
  const Battle battle = Skirmish();
  const std::string script =
      TextOf(fs::path(FOS_SOURCE_DIR) / "datasets/scenarios/skirmish.script");
  std::size_t given = 0;
  for (const BattleThrow& thrown : battle.throws) {
    EXPECT_EQ(thrown.sides, 6);
    EXPECT_TRUE(thrown.kinds.empty());
    EXPECT_GT(thrown.line, 0U);
    EXPECT_FALSE(thrown.faces.empty());
    if (thrown.drawn) continue;
    ++given;
    const std::string line = fmt::format("\ndice {}", fmt::join(thrown.faces, " "));
    EXPECT_NE(script.find(line), std::string::npos) << line;
  }
  EXPECT_EQ(given, Count(script, "\ndice "));
  EXPECT_GT(battle.throws.size(), 0u);
}

// A line that is removed later moves the lines after it up; what the camera read keeps its dice.
TEST_F(Report, KeepsTheCamerasChancesOfDiceAfterALineIsRemoved) {
  const fs::path script =
      dir_.Write("removed.script",
                 "done Blue\ndone Red\nturn B-light NW\nturn B-line NE\n"
                 "fire B-light at E5\ndone Blue\ndone Red\ndice 1 3\nremove 4\n");
  const fs::path scenario = fs::path(FOS_SOURCE_DIR) / "datasets/scenarios/skirmish.toml";
  const ConsoleRun played =
      RunFallofshot({"play", scenario, script, "--seed", "7", "--db", Path("club.db")});
  ASSERT_EQ(played.status, kExitDone) << played.err;
  OpenedGame game = OpenGameLog({Path("club.db")}, "last").value();
  const auto dice = std::find_if(game.log.records.begin(), game.log.records.end(),
                                 [](const Record& one) { return one.text == "dice 1 3"; });
  ASSERT_NE(dice, game.log.records.end());
  DiceRead read;
  read.line = 8;
  read.values = {1, 3};
  read.chances = {0.97, 0.99};
  Record seen;
  seen.kind = RecordKind::kSeen;
  seen.text = DiceReadLine(read);
  game.log.records.insert(dice + 1, seen);
  const Battle battle = BattleOf(game.log, game.journal).value();
  ASSERT_EQ(battle.throws.size(), 1U);
  Season season;
  season.Add(game.log, battle, "");
  ASSERT_EQ(season.Dice().size(), 1U);
  EXPECT_NEAR(season.Dice()[0].mistakes, 0.04, 1e-9);
}

TEST_F(Report, StatsCountAllGames) {
  PlaySkirmish();
  const ConsoleRun stats = RunFallofshot({"stats", "--db", Path("club.db")});
  ASSERT_EQ(stats.status, kExitDone) << stats.err;
  EXPECT_NE(stats.out.find("Ada"), std::string::npos) << stats.out;
  const ConsoleRun none =
      RunFallofshot({"stats", "--db", Path("club.db"), "--until", "1999-12-31"});
  EXPECT_NE(none.out.find("0 games"), std::string::npos) << none.out;
  EXPECT_EQ(RunFallofshot({"stats", "--db", Path("club.db"), "--since", "yesterday"}).status,
            kExitBadUsage);
}

}  // namespace
}  // namespace fos
