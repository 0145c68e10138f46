// SPDX-License-Identifier: MIT
#include "ui/cli/options.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/support/temp_dir.h"

namespace fos {
namespace {

struct Fields {
  std::string clip;
  std::string out = "judged";
  int jobs = 1;
  double fps = 30;
  bool profile = false;
};

Result<bool> Parse(Fields& fields, const std::vector<std::string>& arguments) {
  Options options("judge CLIP [options]", "Judges a clip.");
  options.Argument("CLIP", fields.clip, "the clip's folder")
      .Text("out", "DIR", fields.out, "where to write")
      .Integer("jobs", fields.jobs, 1, 64, "clips at once")
      .Number("fps", fields.fps, 1, 240, "pictures a second")
      .Flag("profile", fields.profile, "print times");
  return options.Parse(arguments);
}

TEST(Options, FillsTheFields) {
  Fields fields;
  const auto parsed =
      Parse(fields, {"--jobs", "4", "clip", "--out=x", "--fps", "29.97", "--profile"});
  ASSERT_TRUE(parsed.ok()) << parsed.error().message;
  EXPECT_FALSE(*parsed);
  EXPECT_EQ(fields.clip, "clip");
  EXPECT_EQ(fields.out, "x");
  EXPECT_EQ(fields.jobs, 4);
  EXPECT_EQ(fields.fps, 29.97);
  EXPECT_TRUE(fields.profile);
}

TEST(Options, KeepsDefaults) {
  Fields fields;
  ASSERT_TRUE(Parse(fields, {"clip"}).ok());
  EXPECT_EQ(fields.out, "judged");
  EXPECT_EQ(fields.jobs, 1);
  EXPECT_FALSE(fields.profile);
}

TEST(Options, RangesIncludeBothEnds) {
  Fields fields;
  EXPECT_TRUE(Parse(fields, {"c", "--jobs=1"}).ok());
  EXPECT_TRUE(Parse(fields, {"c", "--jobs=64"}).ok());
  EXPECT_TRUE(Parse(fields, {"c", "--fps=240"}).ok());
}

TEST(Options, WrongUsageNamesFlagValueAndRange) {
  const struct {
    std::vector<std::string> arguments;
    const char* says;
  } cases[] = {
      {{"c", "--jobs", "0"}, "--jobs is `0`; it must be a whole number 1 to 64"},
      {{"c", "--jobs", "65"}, "--jobs is `65`; it must be a whole number 1 to 64"},
      {{"c", "--jobs", "2x"}, "--jobs is `2x`"},
      {{"c", "--jobs", ""}, "--jobs"},
      {{"c", "--jobs", "99999999999"}, "--jobs is `99999999999`"},
      {{"c", "--fps", "nan"}, "--fps is `nan`; it must be a number 1 to 240"},
      {{"c", "--fps", "0.5"}, "--fps is `0.5`"},
      {{"c", "--out="}, "--out"},
      {{"c", "--out"}, "`--out` needs a value"},
      {{"c", "--profil"}, "unknown option `--profil`; the nearest is `--profile`"},
      {{"c", "-x"}, "unknown option `-x`"},
      {{"c", "--jobs=1", "--jobs=2"}, "`--jobs` is given twice"},
      {{"c", "--profile=yes"}, "`--profile`"},
      {{}, "CLIP is missing: the clip's folder"},
      {{""}, "CLIP is missing"},
      {{"c", "d"}, "`d` is one argument too many"},
  };
  for (const auto& c : cases) {
    Fields fields;
    const auto parsed = Parse(fields, c.arguments);
    ASSERT_FALSE(parsed.ok()) << c.says;
    EXPECT_NE(parsed.error().message.find(c.says), std::string::npos) << parsed.error().message;
  }
}

// An argument that may be left out is not missing.
TEST(Options, AFileThatBeginsWithADashIsNamedWithItsFolder) {
  const test::TempDir dir;
  dir.Write("-Höchstädt 2.mkv", "");
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(dir.path());
  Fields fields;
  const auto refused = Parse(fields, {"-Höchstädt 2.mkv"});
  const auto unknown = Parse(fields, {"-Blenheim.mkv"});
  const auto taken = Parse(fields, {"./-Höchstädt 2.mkv"});
  std::filesystem::current_path(before);
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().message.find("write `./-Höchstädt 2.mkv`"), std::string::npos)
      << refused.error().message;
  ASSERT_FALSE(unknown.ok());
  EXPECT_NE(unknown.error().message.find("unknown option"), std::string::npos);
  EXPECT_TRUE(taken.ok());
}

TEST(Options, AnEmptyOptionalArgumentIsCalledEmpty) {
  std::string source = "kept";
  Options options("setup [SOURCE]", "Sets up a table.");
  options.OptionalArgument("SOURCE", source, "camera number, file or URL");
  const auto parsed = options.Parse({""});
  ASSERT_FALSE(parsed.ok());
  EXPECT_EQ(parsed.error().message,
            "SOURCE is empty; leave it out, or give its value: camera number, file or URL");
  ASSERT_TRUE(options.Parse({}).ok());
  EXPECT_EQ(source, "kept");
}

TEST(Options, HelpListsEverything) {
  Fields fields;
  const auto parsed = Parse(fields, {"--help"});
  ASSERT_TRUE(parsed.ok());
  EXPECT_TRUE(*parsed);
  Options options("judge CLIP [options]", "Judges a clip.");
  options.Argument("CLIP", fields.clip, "the clip's folder")
      .Integer("jobs", fields.jobs, 1, 64, "clips at once");
  for (const char* part : {"Usage: fallofshot judge CLIP", "Judges a clip.", "the clip's folder",
                           "--jobs", "1 to 64", "--help"}) {
    EXPECT_NE(options.Help().find(part), std::string::npos) << part;
  }
}

}  // namespace
}  // namespace fos
