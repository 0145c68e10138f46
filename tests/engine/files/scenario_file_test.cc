// SPDX-License-Identifier: MIT
#include "engine/files/scenario_file.h"

#include <gtest/gtest.h>

#include "tests/support/clip_files.h"
#include "tests/support/temp_dir.h"

namespace fos {
namespace {

using test::kScenarioToml;
using test::Replaced;

constexpr TableFrame kFrame{12, 9, 4.0};

Result<Scenario> ReadScenarioText(const std::string& text) {
  const test::TempDir dir;
  return ReadScenario(dir.Write("scenario.toml", text), kFrame);
}

TEST(ScenarioFile, ReadsEverything) {
  const Result<Scenario> read = ReadScenarioText(std::string(kScenarioToml));
  ASSERT_TRUE(read.ok()) << read.error().message;
  const Scenario& s = *read;
  EXPECT_EQ(s.ruleset, "napoleonic");
  EXPECT_EQ(s.name, "a skirmish");
  EXPECT_EQ(s.turns, 8);
  ASSERT_EQ(s.sides.size(), 2u);
  EXPECT_EQ(s.sides[1].name, "British");
  EXPECT_EQ(s.sides[1].paint, (Colour{0xb0, 0x30, 0x28}));
  EXPECT_EQ(s.sides[1].baseline, Facing::kNorth);
  EXPECT_EQ(s.sides[0].baseline, Facing::kSouth);
  ASSERT_EQ(s.projectiles.size(), 2u);
  EXPECT_EQ(s.projectiles[0].type, Projectile::kQtip);
  EXPECT_EQ(s.projectiles[0].length_in, 3.0);
  EXPECT_EQ(s.projectiles[0].diameter_in, 0.1);
  EXPECT_EQ(s.projectiles[0].tip_paint, (Colour{0x5a, 0x14, 0x14}));
  EXPECT_EQ(s.projectiles[0].touch_radius_in, 0.125);
  EXPECT_EQ(s.projectiles[1].type, Projectile::kShell);
  EXPECT_EQ(s.projectiles[1].size_in, 0.4);
  EXPECT_EQ(s.projectiles[1].body, (Colour{0xc9, 0xa2, 0x27}));
  EXPECT_EQ(s.projectiles[1].mark, (Colour{0x14, 0x14, 0x14}));
  EXPECT_EQ(s.projectiles[1].hit_radius_in, 1.0);
  ASSERT_EQ(s.kinds.size(), 2u);
  EXPECT_EQ(s.kinds[0].footprint.width_in, 1.5);
  EXPECT_EQ(s.kinds[0].footprint.depth_in, 0.75);
  EXPECT_EQ(s.kinds[0].thickness_in, 0.1);
  EXPECT_EQ(s.kinds[0].bar_depth_in, 0.18);
  EXPECT_EQ(s.kinds[0].figures_height_in, 1.0);
  EXPECT_FALSE(s.kinds[0].equipment);
  EXPECT_TRUE(s.kinds[0].target.empty());
  EXPECT_TRUE(s.kinds[1].equipment);
  EXPECT_EQ(s.kinds[1].target, (std::vector<Vec2>{{-0.4, 0.3}, {0.4, 0.3}}));
  ASSERT_EQ(s.units.size(), 2u);
  EXPECT_EQ(s.units[1].id, "B-1H1");
  EXPECT_EQ(s.units[1].side, 1);
  EXPECT_EQ(s.units[1].kind, 1);
  EXPECT_EQ(s.units[0].stands, 4);
  EXPECT_EQ(s.units[1].square, (SquareIndex{11, 8}));
  EXPECT_EQ(s.units[1].facing, Facing::kSouthWest);
  ASSERT_EQ(s.terrain.size(), 2u);
  EXPECT_EQ(s.terrain[0].type, "wood");
  EXPECT_EQ(s.terrain[0].polygon.size(), 4u);
  ASSERT_EQ(s.terrain[0].objects.size(), 2u);
  ASSERT_TRUE(s.terrain[0].objects[0].circle);
  EXPECT_EQ(s.terrain[0].objects[0].circle->radius_in, 0.7);
  EXPECT_EQ(s.terrain[0].objects[0].height_in, 2.2);
  EXPECT_FALSE(s.terrain[0].objects[1].circle);
  EXPECT_EQ(s.terrain[0].objects[1].polygon.size(), 3u);
  EXPECT_EQ(s.terrain[1].height_in, 0.75);
}

// The camera does not play, so it keeps a rule set's own keys unread.
TEST(ScenarioFile, AcceptsKeysThatARuleSetAddsToScenario) {
  const Result<Scenario> read = ReadScenarioText(
      Replaced(kScenarioToml, "turns = 8",
               "turns = 8\nfirst_attacker = \"French\"\nguests = { umpire = true }"));
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(read->turns, 8);
}

TEST(ScenarioFile, ReadsItsOwnDiceEachOnceAndWritesThem) {
  const Result<Scenario> usual = ReadScenarioText(std::string(kScenarioToml));
  ASSERT_TRUE(usual.ok()) << usual.error().message;
  EXPECT_EQ(usual->dice, std::vector<int>{6});
  EXPECT_FALSE(usual->own_dice);
  EXPECT_EQ(ScenarioText(*usual).find("dice"), std::string::npos);
  const Result<Scenario> own =
      ReadScenarioText(Replaced(kScenarioToml, "turns = 8", "turns = 8\ndice = [12, 6, 12]"));
  ASSERT_TRUE(own.ok()) << own.error().message;
  EXPECT_EQ(own->dice, (std::vector<int>{6, 12}));
  Scenario alone = *own;
  alone.name.clear();
  alone.turns.reset();
  const std::string text = ScenarioText(alone);
  EXPECT_NE(text.find("[scenario]\ndice = [6, 12]\n"), std::string::npos) << text;
  const Result<Scenario> again = ParseScenario(text, "again", kFrame);
  ASSERT_TRUE(again.ok()) << again.error().message;
  EXPECT_EQ(again->dice, own->dice);
  EXPECT_TRUE(again->own_dice);
  // They are no key that a rule set adds.
  const test::TempDir dir;
  const Result<std::string> added = AddedToScenario(
      dir.Write("scenario.toml", Replaced(text, "dice = [6, 12]", "dice = [6, 12]\nmuster = 3")));
  ASSERT_TRUE(added.ok()) << added.error().message;
  EXPECT_EQ(*added, "muster = 3\n");
}

TEST(ScenarioFile, ReadsTheNamesOfAClubsFiles) {
  const test::TempDir dir;
  const std::string with =
      Replaced(kScenarioToml, "turns = 8", "tables = \"ours.toml\"\nsettings = \"club.toml\"");
  const Result<Scenario> read = ReadScenario(dir.Write("scenario.toml", with), kFrame);
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_TRUE(read->club.Named());
  EXPECT_TRUE((ClubFiles{dir.path(), "", "club.toml"}.Named()));
  EXPECT_EQ(read->club.folder, dir.path());
  EXPECT_EQ(read->club.tables, "ours.toml");
  EXPECT_EQ(read->club.settings, "club.toml");
  const Result<Scenario> again = ParseScenario(ScenarioText(*read), "again", kFrame);
  ASSERT_TRUE(again.ok()) << again.error().message;
  EXPECT_EQ(again->club.tables, "ours.toml");
  EXPECT_EQ(again->club.settings, "club.toml");
  const Result<Scenario> none = ReadScenarioText(std::string(kScenarioToml));
  EXPECT_FALSE(none->club.Named());
}

TEST(ScenarioFile, NamesAScenarioByItselfElseByItsFile) {
  const test::TempDir dir;
  EXPECT_EQ(ScenarioName(dir.Write("a.toml", kScenarioToml)), "a skirmish");
  EXPECT_EQ(ScenarioName(dir.Write("b.toml", "ruleset = \"colonial\"")), "b");
  EXPECT_EQ(ScenarioName(dir.Write("c.toml", "[scenario\nname = 3")), "c");
  EXPECT_EQ(ScenarioName(dir.path() / "none.toml"), "none");
}

TEST(ScenarioFile, ScenarioTableProjectilesUnitsAndTerrainAreOptional) {
  const Result<Scenario> s = ReadScenarioText(R"(ruleset = "colonial"
[[side]]
name = "A"
paint = "#000000"
baseline = "east"
[[kind]]
name = "k"
footprint = [1, 1]
thickness = 0
bar = "#ffffff"
bar_depth = 0.1
figures_height = 0
)");
  ASSERT_TRUE(s.ok()) << s.error().message;
  EXPECT_TRUE(s->name.empty());
  EXPECT_FALSE(s->turns);
  EXPECT_TRUE(s->units.empty());
}

struct Bad {
  const char* from;
  const char* to;
  ErrorCode code;
  const char* says;
};
class BadScenario : public testing::TestWithParam<Bad> {};

TEST_P(BadScenario, IsRefusedWithLineAndRemedy) {
  const Result<Scenario> s =
      ReadScenarioText(Replaced(kScenarioToml, GetParam().from, GetParam().to));
  ASSERT_FALSE(s.ok());
  EXPECT_EQ(s.error().code, GetParam().code);
  EXPECT_NE(s.error().message.find(GetParam().says), std::string::npos) << s.error().message;
  EXPECT_EQ(s.error().message.find('\n'), std::string::npos) << "one line";
}

constexpr ErrorCode kFormat = ErrorCode::kBadFormat;
constexpr ErrorCode kRange = ErrorCode::kOutOfRange;

INSTANTIATE_TEST_SUITE_P(
    Top, BadScenario,
    testing::Values(Bad{"ruleset = \"napoleonic\"\n", "", kFormat, "the file lacks `ruleset`"},
                    Bad{"ruleset = \"napoleonic\"", "ruleset = \"napoleonic\"\nrounds = 3", kFormat,
                        "scenario.toml:2: unknown key `rounds`"},
                    Bad{"turns = 8", "turn = 8", kFormat,
                        "unknown key `turn` in [scenario]; the nearest known key is `turns`"},
                    Bad{"turns = 8", "turns = 0", kRange, "want 1 to 1000"},
                    Bad{"turns = 8", "dise = [6]", kFormat,
                        "unknown key `dise` in [scenario]; the nearest known key is `dice`"},
                    Bad{"turns = 8", "dice = 6", kFormat, "`dice` of [scenario] is"},
                    Bad{"turns = 8", "dice = [6, \"12\"]", kFormat, "want a whole number"},
                    Bad{"turns = 8", "dice = [6.5]", kFormat, "want a whole number"},
                    Bad{"turns = 8", "dice = []", kFormat,
                        "`dice` of [scenario] is empty; want [6], [12] or [6, 12]"},
                    Bad{"turns = 8", "dice = [6, 8]", kRange,
                        "scenario.toml:5: `dice` of [scenario] has 8; want 6 or 12"},
                    Bad{"turns = 8", "dice = [-6]", kRange, "has -6; want 6 or 12"},
                    Bad{"name = \"a skirmish\"", "name = 3", kFormat, "want a string"},
                    Bad{"[[side]]", "[side]", kFormat, "not TOML"}));

INSTANTIATE_TEST_SUITE_P(
    Side, BadScenario,
    testing::Values(Bad{"name = \"British\"", "name = \"French\"", kFormat,
                        "scenario.toml:12: `name` of [[side]] is `French` twice"},
                    Bad{"#2f4fa8", "2f4fa8", kFormat, "want a colour as \"#rrggbb\""},
                    Bad{"#2f4fa8", "#2f4fa80", kFormat, "want a colour"},
                    Bad{"baseline = \"south\"", "baseline = \"soth\"", kFormat,
                        "no edge of the board; the nearest is `south`"},
                    Bad{"baseline = \"south\"\n", "", kFormat, "[[side]] lacks `baseline`"},
                    Bad{"paint = \"#2f4fa8\"", "colour = \"#2f4fa8\"", kFormat,
                        "unknown key `colour` in [[side]]"}));

INSTANTIATE_TEST_SUITE_P(
    Projectile, BadScenario,
    testing::Values(
        Bad{"\"qtip\"", "\"qtipp\"", kFormat, "which is no projectile; the nearest is `qtip`"},
        Bad{"type = \"shell\"", "type = \"qtip\"", kFormat, "unknown key `size` in [[projectile]]"},
        Bad{"length = 3.0", "length = 300", kRange, "want 0.5 to 24"},
        Bad{"diameter = 0.1", "diameter = 0", kRange, "want 0.01 to 1"},
        Bad{"size = 0.4\n", "", kFormat, "lacks `size`"},
        Bad{"hit_radius = 1.0", "hit_radius = -1.0", kRange, "want 0 to 24"},
        Bad{"touch_radius = 0.25", "touch_radius = nan", kRange, "is nan"},
        // Stands are reported within hit_radius + 1.5 in, here 1.0 + 1.5 (contract, section 4).
        Bad{"touch_radius = 0.25", "touch_radius = 2.51", kRange,
            "`touch_radius` of [[projectile]] is 2.51; want at most 2.5"},
        Bad{"tip_paint = \"#5a1414\"", "tip_paint = 5", kFormat, "want a string"}));

INSTANTIATE_TEST_SUITE_P(
    Kind, BadScenario,
    testing::Values(
        Bad{"name = \"chariot\"", "name = \"line_infantry\"", kFormat, "`line_infantry` twice"},
        Bad{"footprint = [1.5, 0.75]", "footprint = [1.5, 0.0]", kRange, "want 0.1 to 24"},
        Bad{"footprint = [1.5, 0.75]", "footprint = 1.5", kFormat, "want [x, y]"},
        Bad{"thickness = 0.1", "thickness = 3", kRange, "want 0 to 2"},
        Bad{"bar_depth = 0.18", "bar_depth = 0.76", kRange, "want 0.01 to 0.75"},
        Bad{"figures_height = 1.0", "figures_height = 100", kRange, "want 0 to 24"},
        Bad{"equipment = false", "equipment = 0", kFormat, "want true or false"},
        Bad{"equipment = false", "equipement = false", kFormat,
            "the nearest known key is `equipment`"},
        Bad{"[[-0.4, 0.3], [0.4, 0.3]]", "[]", kFormat, "holds 0 points; want 1"},
        Bad{"[[-0.4, 0.3], [0.4, 0.3]]", "[[-0.8, 0.3]]", kRange, "want -0.75 to 0.75"},
        Bad{"[[-0.4, 0.3], [0.4, 0.3]]", "[[0,0],[0,0],[0,0],[0,0],[0,0],[0,0],[0,0],[0,0],[0,0]]",
            kRange, "want at most 8"}));

INSTANTIATE_TEST_SUITE_P(
    Unit, BadScenario,
    testing::Values(
        Bad{"id = \"B-1H1\"", "id = \"F-1L1\"", kFormat, "`F-1L1` twice"},
        Bad{"id = \"B-1H1\"", "id = \"B-1H1#2\"", kFormat, "`#` is reserved for its stands"},
        Bad{"side = \"French\"", "side = \"Frnch\"", kFormat,
            "which is no [[side]]; the nearest is `French`"},
        Bad{"kind = \"chariot\"", "kind = \"chairot\"", kFormat,
            "which is no [[kind]]; the nearest is `chariot`"},
        Bad{"stands = 4", "stands = 0", kRange, "want 1 to 200"},
        Bad{"stands = 4", "stands = 4.0", kFormat, "want a whole number"},
        Bad{"square = \"L9\"", "square = \"M9\"", kRange, "off the board; want A1 to L9"},
        Bad{"square = \"L9\"", "square = \"L10\"", kRange, "off the board"},
        Bad{"square = \"L9\"", "square = \"9L\"", kFormat, "want a column letter and a row"},
        Bad{"facing = \"SW\"", "facing = \"WS\"", kFormat, "no facing; the nearest is"}));

INSTANTIATE_TEST_SUITE_P(
    Terrain, BadScenario,
    testing::Values(Bad{"type = \"wood\"", "type = \"woods\"", kFormat,
                        "no kind of terrain; the nearest is `wood`"},
                    Bad{"[[20, 20], [26, 20], [26, 26]]", "[[20, 20], [26, 20]]", kFormat,
                        "holds 2 points; want 3"},
                    Bad{"[[20, 20], [26, 20], [26, 26]]", "[[20, 20], [26, 20], [23, 20]]", kRange,
                        "has no area"},
                    Bad{"[[20, 20], [26, 20], [26, 26]]", "[[20, 20], [26, 20], [26, 1e9]]", kRange,
                        "want -24 to 60"},
                    Bad{"[[20, 20], [26, 20], [26, 26]]", "[[20, 20], [26, 20], [26]]", kFormat,
                        "want [x, y]"},
                    Bad{"height = 0.75", "height = -0.75", kRange, "want 0 to 24"},
                    Bad{"radius = 0.7", "radius = 0", kRange, "want 0.01 to 48"},
                    Bad{"radius = 0.7, ", "", kFormat, "[[objects]] lacks `radius`"},
                    Bad{"radius = 0.7, ", "radius = 0.7, polygon = [[1, 1], [2, 2], [3, 1]], ",
                        kFormat,
                        "`centre` of [[objects]] stands beside `polygon`; give `centre` and "
                        "`radius`, or `polygon`"},
                    Bad{"centre = [13.1, 9.4]", "center = [13.1, 9.4]", kFormat,
                        "unknown key `center` in [[objects]]; the nearest known key is `centre`"}));

TEST(ScenarioFile, LimitsTheNumberOfStands) {
  std::string text(kScenarioToml);
  for (int i = 0; i < 30; ++i) {
    text += "[[unit]]\nid = \"U" + std::to_string(i) +
            "\"\nside = \"French\"\nkind = \"chariot\"\nstands = 200\nsquare = \"A1\"\n"
            "facing = \"N\"\n";
  }
  const Result<Scenario> s = ReadScenarioText(text);
  ASSERT_FALSE(s.ok());
  EXPECT_NE(s.error().message.find("more than 5000 stands"), std::string::npos);
}

TEST(ScenarioFile, ReadsBackWhatItWrites) {
  const Result<Scenario> read = ReadScenarioText(std::string(kScenarioToml));
  ASSERT_TRUE(read.ok()) << read.error().message;
  const std::string text = ScenarioText(*read);
  const Result<Scenario> again = ParseScenario(text, "again", kFrame);
  ASSERT_TRUE(again.ok()) << again.error().message;
  EXPECT_EQ(ScenarioText(*again), text);
  EXPECT_EQ(again->turns, read->turns);
  EXPECT_EQ(again->kinds.back().target.size(), read->kinds.back().target.size());
  ASSERT_EQ(again->terrain.size(), read->terrain.size());
  for (std::size_t i = 0; i < read->terrain.size(); ++i) {
    EXPECT_EQ(again->terrain[i].polygon, read->terrain[i].polygon);
    EXPECT_EQ(again->terrain[i].objects.size(), read->terrain[i].objects.size());
  }
  ASSERT_EQ(again->units.size(), read->units.size());
  EXPECT_EQ(again->units.back().square, read->units.back().square);
  Scenario odd = *read;
  odd.name = "a \"quoted\" \\ name";
  odd.units.back().mounted = "regular_cavalry";
  const Result<Scenario> quoted = ParseScenario(ScenarioText(odd), "again", kFrame);
  ASSERT_TRUE(quoted.ok()) << quoted.error().message;
  EXPECT_EQ(quoted->name, odd.name);
  EXPECT_EQ(quoted->units.back().mounted, "regular_cavalry");
  EXPECT_EQ(quoted->units.front().mounted, "");
}

}  // namespace
}  // namespace fos
