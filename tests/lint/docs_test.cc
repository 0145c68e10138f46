// SPDX-License-Identifier: MIT
// The pages people read: paths and code names in them exist, and the README stays short.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace fos {
namespace {

namespace fs = std::filesystem;

const fs::path& Root() {
  static const fs::path kRoot = FOS_SOURCE_DIR;
  return kRoot;
}

std::string TextOf(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

// README.md and docs/*.md, but for the page that is generated from the clauses' own citations.
std::vector<fs::path> Pages() {
  std::vector<fs::path> pages = {Root() / "README.md"};
  for (const auto& entry : fs::directory_iterator(Root() / "docs")) {
    if (entry.path().extension() == ".md" && entry.path().filename() != "clauses.md") {
      pages.push_back(entry.path());
    }
  }
  std::sort(pages.begin(), pages.end());
  return pages;
}

std::vector<std::string> Matches(const std::string& text, const std::regex& pattern) {
  std::vector<std::string> found;
  for (std::sregex_iterator it(text.begin(), text.end(), pattern), end; it != end; ++it) {
    found.push_back((*it)[1]);
  }
  return found;
}

// What looks like a path of this repository: it begins with one of its folders.
std::vector<std::string> RepositoryPaths(const std::string& text) {
  static const std::regex kPath(
      R"((?:^|[\s`(\["'])(?:\./)?((?:engine|calibration|vision|datasets|ui|tests|docs|\.ci)/[\w./-]*\w)(?!\w*[<*]))");
  return Matches(text, kPath);
}

// Where links and pictures point, without those that leave the repository.
std::vector<std::string> LinkTargets(const std::string& text) {
  static const std::regex kLink(R"(\]\(([^)#\s]+)(?:#[^)]*)?\))");
  std::vector<std::string> targets = Matches(text, kLink);
  std::erase_if(targets,
                [](const std::string& target) { return target.find("://") != std::string::npos; });
  return targets;
}

TEST(Docs, EveryPathExists) {
  std::size_t paths = 0;
  for (const fs::path& page : Pages()) {
    const std::string text = TextOf(page);
    for (const std::string& path : RepositoryPaths(text)) {
      ++paths;
      EXPECT_TRUE(fs::exists(Root() / path)) << page.filename() << " names " << path;
    }
  }
  EXPECT_GT(paths, 30u);
}

TEST(Docs, EveryLinkLeadsToAFile) {
  std::size_t links = 0;
  for (const fs::path& page : Pages()) {
    for (const std::string& target : LinkTargets(TextOf(page))) {
      ++links;
      EXPECT_TRUE(fs::exists(page.parent_path() / target))
          << page.filename() << " links to " << target;
    }
  }
  EXPECT_GT(links, 20u);
}

// docs/reliability.md: each promise stands beside tests that exist.
TEST(Docs, EveryPromiseHasItsTest) {
  std::set<std::string> tests;
  static const std::regex kTest(R"(TEST(?:_F|_P)?\((\w+), (\w+)\))");
  for (const auto& entry : fs::recursive_directory_iterator(Root() / "tests")) {
    if (entry.path().extension() != ".cc") continue;
    const std::string text = TextOf(entry.path());
    for (std::sregex_iterator at(text.begin(), text.end(), kTest), end; at != end; ++at) {
      tests.insert((*at)[1].str() + '.' + (*at)[2].str());
    }
  }
  std::istringstream lines(TextOf(Root() / "docs/reliability.md"));
  static const std::regex kNamed(R"(`([A-Z]\w+\.[A-Z]\w+)`)");
  int promises = 0;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("| ") || line.starts_with("| ---") || line == "| promise | test |") {
      continue;
    }
    ++promises;
    int named = 0;
    for (std::sregex_iterator at(line.begin(), line.end(), kNamed), end; at != end; ++at) {
      ++named;
      EXPECT_EQ(tests.count((*at)[1].str()), 1u) << (*at)[1].str();
    }
    EXPECT_GT(named, 0) << line;
  }
  EXPECT_GT(promises, 20);
}

// `LikeThis` and `LikeThis::Member`: each part is a word of some source file.
TEST(Docs, EveryNameOfTheCodeIsInTheCode) {
  std::set<std::string> words;
  static const std::regex kWord(R"((\w+))");
  for (const char* folder : {"engine", "calibration", "vision", "datasets", "ui", "tests"}) {
    for (const auto& entry : fs::recursive_directory_iterator(Root() / folder)) {
      const std::string ending = entry.path().extension().string();
      if (ending != ".h" && ending != ".cc") continue;
      const std::string text = TextOf(entry.path());
      std::string word;
      for (const char letter : text) {
        if (std::isalnum(static_cast<unsigned char>(letter)) || letter == '_') {
          word += letter;
        } else if (!word.empty()) {
          words.insert(std::move(word));
          word.clear();
        }
      }
    }
  }
  static const std::regex kName(R"(`([A-Z][a-z]+[A-Z]\w*(?:::\w+)?|[A-Z][a-z]+\w*::\w+)`)");
  std::size_t names = 0;
  for (const char* page : {"architecture.md", "frame.md", "shot.md", "game.md"}) {
    for (const std::string& name : Matches(TextOf(Root() / "docs" / page), kName)) {
      ++names;
      for (const std::string& part : Matches(name, kWord)) {
        EXPECT_EQ(words.count(part), 1u) << "docs/" << page << " names " << name;
      }
    }
  }
  EXPECT_GT(names, 20u);
}

TEST(Docs, TheReadmeIsUnder120Lines) {
  const std::string text = TextOf(Root() / "README.md");
  EXPECT_LT(std::count(text.begin(), text.end(), '\n'), 120);
}

TEST(Docs, PathsAreToldFromOtherWords) {
  using Paths = std::vector<std::string>;
  EXPECT_EQ(RepositoryPaths("see `ui/main.cc` and (docs/log.md)."),
            (Paths{"ui/main.cc", "docs/log.md"}));
  EXPECT_EQ(RepositoryPaths("  build/fallofshot live datasets/sets/open_qtip\n"),
            Paths{"datasets/sets/open_qtip"});
  EXPECT_EQ(RepositoryPaths("out/events.jsonl, and/or"), Paths{});
  EXPECT_EQ(RepositoryPaths("`engine/rules/<set>`, `datasets/scenarios/ancient_*.toml`"),
            (Paths{"engine/rules", "datasets/scenarios"}));
  EXPECT_EQ(LinkTargets("[a](b.md#c) ![d](e/f.png) [g](https://h.i/j)"),
            (Paths{"b.md", "e/f.png"}));
}

}  // namespace
}  // namespace fos
