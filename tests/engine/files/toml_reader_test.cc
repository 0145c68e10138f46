// SPDX-License-Identifier: MIT
#include "engine/files/toml_reader.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/support/temp_dir.h"

namespace fos {
namespace {

TomlFile Parsed(std::string_view text) {
  Result<TomlFile> file = TomlFile::Parse(text, "x.toml");
  EXPECT_TRUE(file.ok()) << file.error().message;
  return std::move(file).value();
}

std::string ProblemOf(const TomlFile& file) {
  const Status problem = file.Problem();
  return problem.ok() ? "none" : problem.error().message;
}

TEST(NearestName, FindsTheSmallestEditDistance) {
  const std::vector<std::string> names = {"columns", "rows", "square"};
  EXPECT_EQ(NearestName("colums", names), "columns");
  EXPECT_EQ(NearestName("SQUARE", names), "square");
  EXPECT_EQ(NearestName("orws", names), "rows");
  EXPECT_EQ(NearestName("", names), "rows");
  EXPECT_EQ(NearestName("x", {}), "");
}

TEST(TomlFile, RefusesMissingFilesFoldersAndBadSyntax) {
  const test::TempDir dir;
  const auto missing = TomlFile::Read(dir.path() / "none.toml");
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().code, ErrorCode::kNotFound);
  const auto folder = TomlFile::Read(dir.path());
  ASSERT_FALSE(folder.ok());
  EXPECT_EQ(folder.error().code, ErrorCode::kBadFormat);
  EXPECT_NE(folder.error().message.find("folder without a TOML file"), std::string::npos);
  const std::string game = dir.Write("games/scenario.toml", "").string();
  EXPECT_NE(TomlFile::Read(dir.path() / "games").error().message.find("such as " + game),
            std::string::npos);
  const auto broken = TomlFile::Read(dir.Write("b.toml", "a = 1\nb = = 2\n"));
  ASSERT_FALSE(broken.ok());
  EXPECT_NE(broken.error().message.find("b.toml:2: not TOML"), std::string::npos)
      << broken.error().message;
  EXPECT_TRUE(TomlFile::Read(dir.Write("empty.toml", "")).ok());
  const auto huge = TomlFile::Read(dir.Write("huge.toml", std::string(5u << 20, '#')));
  ASSERT_FALSE(huge.ok());
  EXPECT_NE(huge.error().message.find("larger"), std::string::npos);
}

// The slips of people who have never written such a file.
TEST(TomlFile, SaysHowToMendALineThatIsNotToml) {
  const struct {
    const char* text;
    const char* says;
  } cases[] = {{"square = 1,9685\n", "a decimal has a point"},
               {"square = 50 mm\n", "a number stands alone; a comment begins with #"},
               {"centre = 60.6, -1.5\n", "numbers of a list stand in [ ]"},
               {"turns = eight # rounds\n", "a text stands in quotes"},
               {"name = \"Ligny\nturns = 3\n", "a text stands between two quotes"},
               {"footprint = [1.5; 0.75]\n", "a list has commas between its numbers"},
               {"centre = [1.5, 0.75\nrows = 9\n", "close every bracket"},
               {"board]\n", "the name of a table stands in brackets"},
               {"rows\n", "write a key and its value"},
               {"rows =\n", "write a value after the ="},
               {"rows = 9\nrows = 8\n", "it is there twice"},
               {"[unit]\nid = 1\n[unit]\nid = 2\n", "in double brackets each time"},
               {"name = \"J\xe4ger\"\n", "with UTF-8 as its encoding"},
               {"\xff\xfer\0o\0w\0s\0", "with UTF-8 as its encoding"},
               {"name = \"C:\\games\"\n", "single quotes about the text"},
               {"mounted = True # yes\n", "true or false, in small letters"},
               {"turns = 4;\n", "leave out the ; at the end"},
               {"[unit]\nid = 1\n[[unit]]\nid = 2\n", "in double brackets each time"}};
  const test::TempDir dir;
  for (const auto& c : cases) {
    const auto file = TomlFile::Read(dir.Write("table.toml", c.text));
    ASSERT_FALSE(file.ok()) << c.text;
    EXPECT_NE(file.error().message.find(c.says), std::string::npos) << file.error().message;
  }
}

TEST(TomlTable, NamesAKeyThatIsWrittenInCapitals) {
  TomlFile file = Parsed("\nRuleset = 'ancient'\n");
  file.Root().Text("ruleset");
  EXPECT_EQ(ProblemOf(file),
            "x.toml:2: the file has `Ruleset`; write it in small letters, `ruleset`");
}

TEST(NearestName, TakesAnAbbreviationForItsWord) {
  EXPECT_EQ(NearestName("S", {"north", "east", "south", "west"}), "south");
  EXPECT_EQ(NearestName("Inf", {"elephants", "infantry", "inn"}), "infantry");
  EXPECT_EQ(NearestName("fier", {"fire", "form"}), "fire");
}

TEST(TomlTable, TypedGetters) {
  TomlFile file = Parsed(
      "n = 2.5\ni = 7\nt = 'x'\nf = true\nc = '#0a0B0c'\np = [1, 2.5]\n"
      "ps = [[0, 1], [2, 3]]\nw = 'b'\n[sub]\n[[many]]\n[[many]]\n");
  TomlTable root = file.Root();
  EXPECT_EQ(root.Number("n", {0, 3}), 2.5);
  EXPECT_EQ(root.Number("none", {0, 3}, 1.5), 1.5);
  EXPECT_EQ(root.Integer("i", {0, 7}), 7);
  EXPECT_EQ(root.Text("t"), "x");
  EXPECT_TRUE(root.Flag("f", false));
  EXPECT_FALSE(root.Flag("none", false));
  EXPECT_EQ(root.Paint("c"), (Colour{10, 11, 12}));
  EXPECT_EQ(root.Point("p", {0, 9}, {0, 9}), (Vec2{1, 2.5}));
  EXPECT_EQ(root.Points("ps", 2, {0, 9}, {0, 9}).size(), 2u);
  EXPECT_EQ(root.Choice("w", "letter", {"a", "b"}), 1);
  EXPECT_TRUE(root.Table("sub"));
  EXPECT_EQ(root.Tables("many").size(), 2u);
  EXPECT_TRUE(root.Tables("none").empty());
  root.NoOtherKeys();
  EXPECT_EQ(ProblemOf(file), "none");
}

TEST(TomlTable, RangesIncludeTheirEnds) {
  for (const char* text : {"n = 1", "n = 2", "n = 1.0"}) {
    TomlFile file = Parsed(text);
    file.Root().Number("n", {1, 2});
    EXPECT_EQ(ProblemOf(file), "none") << text;
  }
  for (const char* text : {"n = 0.999999", "n = 2.000001", "n = nan", "n = inf", "n = -inf",
                           "n = 9223372036854775807", "n = 1e308"}) {
    TomlFile file = Parsed(text);
    const double harmless = file.Root().Number("n", {1, 2});
    EXPECT_EQ(harmless, 1) << text;
    EXPECT_NE(ProblemOf(file).find("want 1 to 2"), std::string::npos) << text;
    EXPECT_EQ(file.Problem().error().code, ErrorCode::kOutOfRange);
  }
}

TEST(TomlTable, NamesTheLineOfAWrongType) {
  struct Case {
    const char* text;
    void (*read)(TomlTable&);
    const char* says;
  };
  const Case cases[] = {
      {"\nk = 'x'",
       [](TomlTable& t) {
         t.Number("k", {0, 1});
       },
       "x.toml:2: `k` of the file is a string; want a number"},
      {"k = 1.0",
       [](TomlTable& t) {
         t.Integer("k", {0, 1});
       },
       "want a whole number"},
      {"k = 1", [](TomlTable& t) { t.Text("k"); }, "want a string"},
      {"k = ''", [](TomlTable& t) { t.Text("k"); }, "is empty"},
      {"k = \"a\\u001bb\"", [](TomlTable& t) { t.Text("k"); }, "`a?b`"},
      {"k = 1", [](TomlTable& t) { t.Flag("k", false); }, "want true or false"},
      {"k = '#12345'", [](TomlTable& t) { t.Paint("k"); }, "want a colour"},
      {"k = '#12345g'", [](TomlTable& t) { t.Paint("k"); }, "want a colour"},
      {"k = [1]",
       [](TomlTable& t) {
         t.Point("k", {0, 1}, {0, 1});
       },
       "a list of 1; want [x, y]"},
      {"k = 1",
       [](TomlTable& t) {
         t.Point("k", {0, 1}, {0, 1});
       },
       "want [x, y]"},
      {"k = [1, 'a']",
       [](TomlTable& t) {
         t.Point("k", {0, 1}, {0, 1});
       },
       "want a number"},
      {"k = 1",
       [](TomlTable& t) {
         t.Points("k", 1, {0, 1}, {0, 1});
       },
       "want a list of points"},
      {"k = [[0, 1]]",
       [](TomlTable& t) {
         t.Points("k", 2, {0, 1}, {0, 1});
       },
       "holds 1 points"},
      {"k = 'c'",
       [](TomlTable& t) {
         t.Choice("k", "side", {"aa", "b"});
       },
       "which is no side; the nearest is `b`"},
      {"k = 1", [](TomlTable& t) { t.Table("k"); }, "want a table [k]"},
      {"k = [1]", [](TomlTable& t) { t.Tables("k"); }, "write each as [[k]]"},
      {"k = 1979-05-27",
       [](TomlTable& t) {
         t.Number("k", {0, 1});
       },
       "is a date"},
      {"",
       [](TomlTable& t) {
         t.Number("k", {0, 1});
       },
       "the file lacks `k`"},
  };
  for (const Case& c : cases) {
    TomlFile file = Parsed(c.text);
    TomlTable root = file.Root();
    c.read(root);
    EXPECT_NE(ProblemOf(file).find(c.says), std::string::npos) << c.text << ": " << ProblemOf(file);
  }
}

TEST(TomlTable, ReportsAnUnknownKeyBeforeTheMissingOne) {
  TomlFile file = Parsed("\ncolums = 12\n");
  TomlTable root = file.Root();
  root.Integer("columns", {1, 200});
  root.NoOtherKeys();
  EXPECT_EQ(ProblemOf(file),
            "x.toml:2: unknown key `colums` in the file; the nearest known key is `columns`");
}

// What the parser quotes may hold the end of the line.
TEST(TomlFile, RefusesInOneLine) {
  for (const char* text : {"a = i\n", "a = 1979-\n", "a = [1\n 2]\n", "a = tr\r\n", "a\t= \t\n"}) {
    const Result<TomlFile> file = TomlFile::Parse(text, "a.toml");
    ASSERT_FALSE(file.ok()) << text;
    EXPECT_EQ(file.error().message.find_first_of("\r\n"), std::string::npos)
        << file.error().message;
  }
}

// Letters outside quotes: the parser took some of them for impossible.
TEST(TomlFile, RefusesLettersOfOtherScriptsOutsideQuotes) {
  for (const char* letter :
       {"\u00e9", "\u0100", "\u0416", "\u1700", "\u2010", "\u2fff", "\ufe00"}) {
    for (const char* form :
         {"{} = 1\n", "a{} = 1\n", "a {} = 1\n", "a = 1 {}\n", "a = {}\n", "[b{}]\n"}) {
      const std::string text = fmt::format(fmt::runtime(form), letter);
      EXPECT_FALSE(TomlFile::Parse(text, "a.toml").ok()) << text;
    }
    EXPECT_TRUE(TomlFile::Parse(fmt::format("a = \"{0}\" # {0}\n", letter), "a.toml").ok());
  }
}

// What recurses once a level used to end the program: from some 15,000 levels, 30 kB of text.
TEST(TomlFile, RefusesDeepNesting) {
  const auto times = [](std::string_view piece, int count) {
    std::string out;
    for (int i = 0; i < count; ++i) out += piece;
    return out;
  };
  constexpr int kDeep = 100'000;
  const std::string dots = times("a.", kDeep) + "a";
  for (const std::string& deep : {
           "x = 1\n" + dots + " = 1\n",
           "\n[" + dots + "]\n",
           "\n[[" + dots + "]]\n",
           "\na = " + times("[", kDeep) + times("]", kDeep) + "\n",
           "\na = " + times("{ a = ", kDeep) + "1" + times(" }", kDeep) + "\n",
           "# it's\n" + times("\"a\" . ", kDeep) + "a = 1\n",
           "\nb = { c = \"\"\"x\"\"\"\", " + dots + " = 1 }\n",
       }) {
    const Result<TomlFile> file = TomlFile::Parse(deep, "x.toml");
    ASSERT_FALSE(file.ok()) << deep.substr(0, 40);
    EXPECT_EQ(file.error().message,
              "x.toml:2: nested deeper than any such file; remove brackets or dots");
  }
  const std::string three(3, '\'');
  for (const std::string& fine : {
           "a = \"" + times(".", 90) + "\"\n",
           "# " + times(".[{", 900) + "\n",
           "a = " + three + "\n" + times("[.\n", 90) + three + "\n",
           "a = \"\"\"" + times("[.\\\"\\\n", 90) + "\"\"\"\"\"\nb = 1.5\n",
           "a = [" + times("[1.5, 2.5], ", 900) + "]\n",
           times("[[a.b]]\nc.d = 1\n", 900),
       }) {
    const Result<TomlFile> file = TomlFile::Parse(fine, "x.toml");
    EXPECT_TRUE(file.ok()) << fine.substr(0, 40) << ": " << file.error().message;
  }
}

TEST(TomlTable, RefusesTooManyTables) {
  std::string text;
  for (int i = 0; i < 2001; ++i) text += "[[many]]\n";
  TomlFile file = Parsed(text);
  EXPECT_TRUE(file.Root().Tables("many").empty());
  EXPECT_NE(ProblemOf(file).find("want at most 2000"), std::string::npos);
}

}  // namespace
}  // namespace fos
