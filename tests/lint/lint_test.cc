// SPDX-License-Identifier: MIT
// The direction of dependencies (docs/architecture.md), read off every #include of the tree, and a
// few other rules of the house that a compiler does not know.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

namespace fos {
namespace {

namespace fs = std::filesystem;

struct SourceFile {
  std::string path;  // from the root: "engine/table/vec2.h"
  std::string text;
  std::string code;  // the text without comments and with strings emptied, line by line the same
  bool IsHeader() const { return path.ends_with(".h"); }
};

bool StartsWithAny(const std::string& text, const std::vector<std::string>& starts) {
  return std::any_of(starts.begin(), starts.end(),
                     [&](const std::string& start) { return text.rfind(start, 0) == 0; });
}

// Comments and, unless they are kept, the insides of strings and characters become nothing; lines
// stay where they are.
std::string CodeOf(const std::string& text, bool keep_strings = false) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    if (text.compare(i, 2, "//") == 0) {
      while (i < text.size() && text[i] != '\n') ++i;
    } else if (text.compare(i, 2, "/*") == 0) {
      const std::size_t end = std::min(text.find("*/", i + 2), text.size() - 2) + 2;
      out += std::string(static_cast<std::size_t>(
                             std::count(text.begin() + static_cast<std::ptrdiff_t>(i),
                                        text.begin() + static_cast<std::ptrdiff_t>(end), '\n')),
                         '\n');
      i = end;
    } else if (text.compare(i, 2, "R\"") == 0) {
      const std::size_t open = text.find('(', i);
      std::string close(1, ')');
      close.append(text, i + 2, open - i - 2).append(1, '"');
      const std::size_t end = std::min(text.find(close, open), text.size() - close.size());
      for (; i < end + close.size(); ++i) {
        if (keep_strings || text[i] == '\n') out += text[i];
      }
    } else if (text[i] == '"' || (text[i] == '\'' && (i == 0 || !isalnum(text[i - 1])))) {
      const char quote = text[i];
      out += quote;
      for (++i; i < text.size() && text[i] != quote && text[i] != '\n'; ++i) {
        if (keep_strings) out += text[i];
        if (text[i] == '\\') ++i;
      }
      out += quote;
      ++i;
    } else {
      out += text[i++];
    }
  }
  return out;
}

const std::vector<std::string> kFolders = {"engine", "calibration", "vision", "datasets", "ui"};

std::vector<SourceFile> Sources(const std::vector<std::string>& folders) {
  const fs::path root = FOS_SOURCE_DIR;
  std::vector<SourceFile> files;
  for (const std::string& folder : folders) {
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      const std::string ending = entry.path().extension().string();
      if (!entry.is_regular_file() || (ending != ".h" && ending != ".cc")) continue;
      std::ostringstream text;
      text << std::ifstream(entry.path(), std::ios::binary).rdbuf();
      files.push_back(
          {fs::relative(entry.path(), root).generic_string(), text.str(), CodeOf(text.str())});
    }
  }
  std::sort(files.begin(), files.end(),
            [](const SourceFile& a, const SourceFile& b) { return a.path < b.path; });
  return files;
}

struct Include {
  std::string target;
  bool quoted = false;
};
std::vector<Include> IncludesOf(const std::string& text) {
  static const std::regex kInclude(R"re(^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"])re",
                                   std::regex::multiline);
  std::vector<Include> includes;
  for (std::sregex_iterator it(text.begin(), text.end(), kInclude), end; it != end; ++it) {
    includes.push_back({(*it)[2], (*it)[1] == "\""});
  }
  return includes;
}

// What each room may include besides itself, the most particular first (docs/architecture.md).
struct Room {
  std::string folder;
  std::vector<std::string> may_include;
};
const std::vector<Room> kRooms = {
    {"engine/table/", {}},
    {"engine/files/", {"engine/table/"}},
    {"engine/game/", {"engine/files/", "engine/table/"}},
    {"engine/shots/", {"engine/game/", "engine/files/", "engine/table/"}},
    {"engine/squares/", {"engine/shots/", "engine/game/", "engine/files/", "engine/table/"}},
    {"engine/open_table/", {"engine/shots/", "engine/game/", "engine/files/", "engine/table/"}},
    {"engine/rules/ancient/",
     {"engine/rules/sweet/", "engine/rules/rule_set.h", "engine/squares/", "engine/shots/",
      "engine/game/", "engine/files/", "engine/table/"}},
    {"engine/rules/closefire/",
     {"engine/rules/rule_set.h", "engine/open_table/", "engine/shots/", "engine/game/",
      "engine/files/", "engine/table/"}},
    {"engine/rules/colonial/",
     {"engine/rules/rule_set.h", "engine/squares/", "engine/shots/", "engine/game/",
      "engine/files/", "engine/table/"}},
    {"engine/rules/napoleonic/",
     {"engine/rules/sweet/", "engine/rules/rule_set.h", "engine/squares/", "engine/shots/",
      "engine/game/", "engine/files/", "engine/table/"}},
    {"engine/rules/sweet/",
     {"engine/squares/", "engine/shots/", "engine/game/", "engine/files/", "engine/table/"}},
    {"engine/rules/", {"engine/shots/", "engine/game/", "engine/files/", "engine/table/"}},
    {"engine/journal/",
     {"engine/rules/rule_sets.h", "engine/game/", "engine/files/", "engine/table/"}},
    {"engine/club/", {"engine/journal/", "engine/files/", "engine/table/"}},

    {"calibration/camera/", {"engine/table/", "engine/files/"}},
    {"calibration/targets/", {"calibration/camera/", "engine/table/"}},
    {"calibration/lens/", {"calibration/camera/", "calibration/targets/", "engine/table/"}},
    {"calibration/registration/",
     {"calibration/camera/", "calibration/targets/", "engine/table/", "engine/files/"}},
    {"calibration/watch/",
     {"calibration/camera/", "calibration/registration/", "calibration/targets/", "engine/table/"}},
    {"calibration/print/", {"calibration/targets/", "engine/table/"}},

    {"vision/image/", {"calibration/camera/", "engine/table/"}},
    {"vision/change/", {"vision/image/", "calibration/camera/", "engine/table/"}},
    {"vision/appearance/", {"vision/image/", "calibration/camera/", "engine/table/"}},
    {"vision/scene/", {"vision/image/", "calibration/camera/", "engine/table/"}},
    {"vision/stands/",
     {"vision/appearance/", "vision/scene/", "vision/image/", "calibration/camera/",
      "engine/table/"}},
    {"vision/shots/",
     {"vision/appearance/", "vision/scene/", "vision/image/", "calibration/camera/",
      "engine/table/"}},
    {"vision/dice/",
     {"vision/shots/", "vision/scene/", "vision/image/", "calibration/camera/", "engine/table/"}},
    {"vision/pipeline/", {"vision/", "calibration/", "engine/table/"}},

    // What makes test pictures shares no code with what is tested on them.
    {"datasets/odds/",
     {"datasets/render/", "datasets/score/", "vision/shots/", "engine/table/", "engine/files/"}},
    {"datasets/render/", {"calibration/camera/", "engine/table/"}},
    {"datasets/score/",
     {"datasets/render/", "vision/image/", "calibration/", "engine/table/", "engine/files/"}},
    {"datasets/sweep/",
     {"datasets/", "vision/", "calibration/", "engine/shots/", "engine/table/", "engine/files/"}},

    {"ui/session/",
     {"vision/", "calibration/", "engine/journal/", "engine/rules/rule_sets.h", "engine/shots/",
      "engine/game/", "engine/files/", "engine/table/"}},
    {"ui/report/", {"ui/session/", "engine/"}},
    {"ui/setup/", {"ui/session/", "vision/", "calibration/", "engine/"}},
    {"ui/play/", {"ui/session/", "engine/"}},
    {"ui/club/", {"ui/report/", "ui/session/", "engine/"}},
    {"ui/cli/",
     {"ui/club/", "ui/report/", "ui/setup/", "ui/play/", "ui/session/", "datasets/", "vision/", "calibration/",
      "engine/"}},
    {"ui/window/",
     {"ui/cli/", "ui/club/", "ui/report/", "ui/setup/", "ui/play/", "ui/session/", "vision/",
      "calibration/", "engine/"}},
    {"ui/main.cc", {"ui/commit.h", "ui/window/", "ui/cli/"}},
};

// Why `file` must not include this; empty when it may.
std::string WhyNot(const std::string& file, const Include& include) {
  if (include.quoted) {
    const auto room = std::find_if(kRooms.begin(), kRooms.end(),
                                   [&](const Room& one) { return file.rfind(one.folder, 0) == 0; });
    if (room == kRooms.end()) return "lies in no room";
    if (include.target.find('/') == std::string::npos) return "is not written from the root";
    const bool own = include.target.rfind(room->folder, 0) == 0;
    return own || StartsWithAny(include.target, room->may_include)
               ? ""
               : "points the wrong way: " + room->folder + " may not include it";
  }
  const std::string& target = include.target;
  const bool header = file.ends_with(".h");
  const bool window = target.rfind("imgui", 0) == 0 || target.rfind("GLFW/", 0) == 0 ||
                      target.rfind("GL/", 0) == 0 || target.rfind("GLES", 0) == 0;
  if (window && file.rfind("ui/window/", 0) != 0) {
    return "is for windows, and only ui/window/ opens one";
  }
  if (target.rfind("opencv2/", 0) == 0) {
    if (file.rfind("engine/", 0) == 0) return "is OpenCV in the engine";
    if (header && !StartsWithAny(file, {"calibration/", "vision/", "datasets/"})) {
      return "is OpenCV in a header outside calibration/, vision/ and datasets/";
    }
  }
  if (target.rfind("nlohmann/", 0) == 0 && file != "engine/files/json.cc") {
    return "is slow to compile; engine/files/json.h is not";
  }
  if (header && (target == "future" || target == "toml++/toml.h")) {
    return "is slow to compile and belongs in a .cc file";
  }
  const bool clock = target == "chrono" || target == "ctime" || target == "sys/time.h";
  if (clock && file.rfind("engine/", 0) == 0) return "is a clock in the engine";
  if (file.rfind("engine/table/", 0) == 0 && target.find('/') != std::string::npos) {
    return "is a library in the shared vocabulary, which depends on nothing";
  }
  return "";
}

TEST(Includes, PointOneWay) {
  const std::vector<SourceFile> files = Sources(kFolders);
  ASSERT_GT(files.size(), 40u);
  std::size_t includes = 0;
  for (const SourceFile& file : files) {
    for (const Include& include : IncludesOf(file.text)) {
      ++includes;
      const std::string why = WhyNot(file.path, include);
      EXPECT_TRUE(why.empty()) << file.path << ": " << include.target << ' ' << why;
      if (include.quoted) {
        EXPECT_TRUE(fs::exists(fs::path(FOS_SOURCE_DIR) / include.target))
            << file.path << ": no file " << include.target;
      }
    }
  }
  EXPECT_GT(includes, 200u);
}

TEST(Includes, TheRulesRefuseWhatTheyShould) {
  const auto refused = [](const char* file, const char* target, bool quoted) {
    return !WhyNot(file, {target, quoted}).empty();
  };
  EXPECT_TRUE(refused("engine/table/vec2.h", "engine/files/whole_file.h", true));
  EXPECT_TRUE(refused("engine/table/vec2.h", "fmt/format.h", false));
  EXPECT_FALSE(refused("engine/table/vec2.h", "cmath", false));
  EXPECT_TRUE(refused("engine/shots/fall_of_shot.cc", "vision/image/frame.h", true));
  EXPECT_TRUE(refused("engine/shots/fall_of_shot.cc", "opencv2/core.hpp", false));
  EXPECT_TRUE(refused("engine/shots/fall_of_shot.cc", "chrono", false));
  EXPECT_TRUE(refused("engine/squares/places.h", "engine/rules/ancient/tables.h", true));
  EXPECT_TRUE(refused("engine/rules/ancient/tables.cc", "engine/rules/rule_sets.h", true));
  EXPECT_TRUE(refused("engine/rules/ancient/tables.cc", "engine/rules/colonial/tables.h", true));
  EXPECT_TRUE(refused("engine/rules/sweet/melee.h", "engine/rules/ancient/melee.h", true));
  EXPECT_FALSE(refused("engine/rules/ancient/melee.h", "engine/rules/sweet/melee.h", true));
  EXPECT_TRUE(refused("engine/rules/colonial/tables.h", "engine/rules/sweet/melee.h", true));
  EXPECT_TRUE(refused("engine/squares/queries.h", "engine/rules/sweet/melee.h", true));
  EXPECT_TRUE(refused("calibration/registration/rig_profile.cc", "vision/image/frame.h", true));
  EXPECT_FALSE(refused("calibration/registration/rig_profile.h", "opencv2/core.hpp", false));
  EXPECT_TRUE(refused("calibration/camera/pose_fit.cc", "calibration/lens/lens_fit.h", true));
  EXPECT_TRUE(refused("vision/pipeline/pipeline.cc", "engine/shots/fall_of_shot.h", true));
  EXPECT_TRUE(refused("vision/pipeline/pipeline.cc", "engine/rules/ancient/missiles.h", true));
  EXPECT_FALSE(refused("vision/pipeline/pipeline.cc", "engine/table/scenario.h", true));
  EXPECT_TRUE(refused("vision/image/patch.cc", "vision/shots/swab_fit.h", true));
  EXPECT_TRUE(refused("vision/shots/swab_fit.cc", "vision/stands/stand_fit.h", true));
  EXPECT_TRUE(refused("datasets/render/webcam.cc", "vision/image/frame.h", true));
  EXPECT_TRUE(refused("datasets/score/score.cc", "ui/session/clip.h", true));
  EXPECT_TRUE(refused("ui/session/judge.cc", "datasets/score/score.h", true));
  EXPECT_TRUE(refused("ui/session/match.h", "opencv2/core.hpp", false));
  EXPECT_FALSE(refused("ui/session/match.cc", "opencv2/core.hpp", false));
  EXPECT_TRUE(refused("ui/session/match.h", "future", false));
  EXPECT_FALSE(refused("ui/session/match.cc", "future", false));
  EXPECT_TRUE(refused("ui/session/match.cc", "ui/cli/options.h", true));
  EXPECT_TRUE(refused("ui/cli/options.cc", "ui/window/window.h", true));
  EXPECT_TRUE(refused("ui/session/match.cc", "imgui.h", false));
  EXPECT_TRUE(refused("vision/pipeline/pipeline.cc", "imgui.h", false));
  EXPECT_FALSE(refused("ui/window/table_panel.cc", "imgui.h", false));
  EXPECT_TRUE(refused("ui/window/table_panel.cc", "table_panel.h", true));
}

TEST(House, CvMatIsInNoHeaderOutsideThePictureFolders) {
  for (const SourceFile& file : Sources(kFolders)) {
    const bool pictures = StartsWithAny(file.path, {"calibration/", "vision/", "datasets/"});
    if (!file.IsHeader() || pictures) continue;
    EXPECT_EQ(file.code.find("cv::"), std::string::npos) << file.path;
  }
}

TEST(House, NobodyPrintsOrExitsButMain) {
  static const std::regex kForbidden(
      R"((^|[^\w.>])(std::)?(v?f?printf|puts|fputs|exit|_exit|quick_exit|abort)\s*\(|std::(cout|cerr|clog)\b)");
  std::smatch found;
  for (const SourceFile& file : Sources(kFolders)) {
    if (file.path == "ui/main.cc") continue;
    EXPECT_FALSE(std::regex_search(file.code, found, kForbidden)) << file.path << ": " << found[0];
  }
  for (const char* bad :
       {"printf(\"\")", "std::exit (1);", " fprintf(f,", "std::cerr << x", "abort()"}) {
    EXPECT_TRUE(std::regex_search(std::string(bad), kForbidden)) << bad;
  }
  for (const char* good : {"snprintf(a, b)", "journal.exit()", "WillExit()", "out.puts()"}) {
    EXPECT_FALSE(std::regex_search(std::string(good), kForbidden)) << good;
  }
}

// What is true is looked up by the scores alone; a referee that knew it would be none.
TEST(House, OnlyTheScoresKnowTheTruth) {
  const std::string name = std::string("truth") + ".json";
  int named = 0;
  for (const SourceFile& file : Sources(kFolders)) {
    if (file.text.find(name) == std::string::npos) continue;
    ++named;
    EXPECT_EQ(file.path.rfind("datasets/score/", 0), 0u) << file.path << " names " << name;
  }
  EXPECT_GE(named, 1);
}

// A rule set describes itself (engine/rules/rule_set.h). Whoever names one decides something that
// belongs in its folder. Only the list names them all.
TEST(House, NobodyNamesARuleSetButItsFolderAndTheList) {
  const std::string list = "engine/rules/rule_sets.cc";
  std::vector<std::string> sets;
  for (const auto& folder : fs::directory_iterator(fs::path(FOS_SOURCE_DIR) / "engine/rules"))
    if (fs::exists(folder.path() / "rule_set.cc"))
      sets.push_back(folder.path().filename().string());
  ASSERT_GE(sets.size(), 4u);
  const auto names = [](const std::string& text, const std::string& set) {
    const std::string code = CodeOf(text, /*keep_strings=*/true);
    return std::search(code.begin(), code.end(), set.begin(), set.end(), [](char a, char b) {
             return std::tolower(static_cast<unsigned char>(a)) == b;
           }) != code.end();
  };
  for (const SourceFile& file : Sources(kFolders)) {
    for (const std::string& set : sets) {
      if (file.path.rfind("engine/rules/" + set + "/", 0) == 0) continue;
      EXPECT_EQ(names(file.text, set), file.path == list) << file.path << " names " << set;
    }
  }
  EXPECT_TRUE(names("if (rules == \"chess\")", "chess"));
  EXPECT_TRUE(names("\"//\"; ChessBoard()", "chess"));
  EXPECT_FALSE(names("x;  // as in chess", "chess"));
}

TEST(House, HeadersAreGuardedAndNothingIsLeftToDo) {
  static const std::regex kLeft(R"(\b(TODO|FIXME|XXX|HACK)\b)");
  static const std::regex kGuard(R"(^(// SPDX-License-Identifier: .*\n)?#pragma once\n)");
  std::vector<std::string> folders = kFolders;
  for (const SourceFile& file : Sources(folders)) {
    if (file.IsHeader()) {
      EXPECT_TRUE(std::regex_search(file.text.substr(0, 200), kGuard)) << file.path;
    }
    EXPECT_FALSE(std::regex_search(file.text, kLeft)) << file.path;
  }
}

// In a script the line follows `#!`.
TEST(House, EverySourceNamesItsLicence) {
  const std::string name = "SPDX-License-Identifier: MIT";
  int sources = 0;
  for (fs::recursive_directory_iterator at(FOS_SOURCE_DIR), end; at != end; ++at) {
    const std::string file = at->path().filename().string();
    // Builds, results and git's own files are nobody's source.
    if (at.depth() == 0 && (file.rfind("build", 0) == 0 || file == "out" || file == ".git")) {
      at.disable_recursion_pending();
      continue;
    }
    if (!at->is_regular_file()) continue;
    std::ifstream in(at->path());
    std::string first;
    std::string second;
    std::getline(in, first);
    const std::string ending = at->path().extension().string();
    const bool code = ending == ".cc" || ending == ".h";
    const bool script = first.rfind("#!", 0) == 0;
    if (!code && !script && ending != ".cmake" && ending != ".sh" && file != "CMakeLists.txt") {
      continue;
    }
    ++sources;
    if (script) std::getline(in, second);
    EXPECT_EQ(script ? second : first, (code ? "// " : "# ") + name) << at->path();
  }
  EXPECT_GT(sources, 900);
}

TEST(House, EverySourceIsBuilt) {
  const fs::path root = FOS_SOURCE_DIR;
  std::vector<std::string> folders = kFolders;
  folders.push_back("tests");
  for (const SourceFile& file : Sources(folders)) {
    if (file.IsHeader()) continue;
    // The nearest folder above with a list of sources.
    fs::path folder = (root / file.path).parent_path();
    while (!fs::exists(folder / "CMakeLists.txt")) folder = folder.parent_path();
    std::ostringstream list;
    list << std::ifstream(folder / "CMakeLists.txt").rdbuf();
    const std::string name = fs::relative(root / file.path, folder).generic_string();
    const std::regex listed(
        "(^|[\\s(])" + std::regex_replace(name, std::regex(R"([.+])"), R"(\$&)") + "($|[\\s)])");
    EXPECT_TRUE(std::regex_search(list.str(), listed))
        << file.path << " is in no list of " << folder.string();
  }
}

// What CMake looks for is what ./run and ./test install: a fresh machine has nothing else.
TEST(House, EveryLibraryLookedForIsInstalled) {
  const std::map<std::string, std::string> kPackages = {{"fmt", "libfmt-dev"},
                                                        {"tomlplusplus", "libtomlplusplus-dev"},
                                                        {"nlohmann_json", "nlohmann-json3-dev"},
                                                        {"OpenCV", "libopencv-contrib-dev"},
                                                        {"Boost", "libboost-program-options-dev"},
                                                        {"GTest", "libgtest-dev"},
                                                        {"Threads", "g++"},
                                                        {"benchmark", "libbenchmark-dev"},
                                                        {"glfw3", "libglfw3-dev"},
                                                        {"OpenGL", "libgl-dev"},
                                                        {"SQLiteCpp", "libsqlitecpp-dev"},
                                                        {"Ceres", "libceres-dev"},
                                                        {"spdlog", "libspdlog-dev"},
                                                        {"cairo", "libcairo2-dev"},
                                                        {"imgui", "libimgui-dev"},
                                                        {"pq", "libpq-dev"},
                                                        {"cpp", "libcpp-httplib-dev"},
                                                        {"stb", "libstb-dev"}};
  const fs::path root = FOS_SOURCE_DIR;
  std::ostringstream installed;
  installed << std::ifstream(root / ".ci/packages.txt").rdbuf();
  static const std::regex kFind(R"((?:find_package\(|find_library\(\w+)\s*(\w+))");
  std::vector<fs::path> lists = {root / "CMakeLists.txt", root / "tests/CMakeLists.txt"};
  for (const std::string& folder : kFolders) lists.push_back(root / folder / "CMakeLists.txt");
  std::size_t found = 0;
  for (const fs::path& list : lists) {
    std::ostringstream read;
    read << std::ifstream(list).rdbuf();
    const std::string text = read.str();
    for (std::sregex_iterator it(text.begin(), text.end(), kFind), end; it != end; ++it) {
      ++found;
      const auto package = kPackages.find((*it)[1]);
      ASSERT_NE(package, kPackages.end()) << list << ": which package holds " << (*it)[1] << "?";
      EXPECT_NE(installed.str().find('\n' + package->second + '\n'), std::string::npos)
          << list << ": " << package->second << " is not in .ci/packages.txt";
    }
  }
  EXPECT_GE(found, 6u);
}

TEST(CodeOf, DropsCommentsAndStrings) {
  EXPECT_EQ(CodeOf("a // exit(1)\nb"), "a \nb");
  EXPECT_EQ(CodeOf("a /* x\ny */ b"), "a \n b");
  EXPECT_EQ(CodeOf("f(\"exit(1) \\\" \", 'x', 1'000)"), "f(\"\", '', 1'000)");
  EXPECT_EQ(CodeOf("x = R\"(exit(1)\n)\";"), "x = \n;");
}

}  // namespace
}  // namespace fos
