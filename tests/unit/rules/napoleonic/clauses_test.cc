#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "engine/rules/napoleonic/clauses.h"

// Every clause has code that applies it and tests that prove it, every worked example of the
// catalogue is a test, and docs/clauses.md says which. To write that page anew:
//   FOS_WRITE_DOCS=1 build/tests/napoleonic_test --gtest_filter='NapoleonicClauses.*'
namespace fos::napoleonic {
namespace {

namespace fs = std::filesystem;

// How many worked examples the catalogue gives for each clause.
const std::map<std::string, int> kExamples = {
    {"NAP-1", 2},   {"NAP-2A", 2},  {"NAP-2B", 2},  {"NAP-2C", 2},  {"NAP-2D", 2}, {"NAP-2E", 2},
    {"NAP-2F", 2},  {"NAP-2G", 4},  {"NAP-3A", 2},  {"NAP-3B", 2},  {"NAP-3C", 4}, {"NAP-3D", 1},
    {"NAP-3E", 4},  {"NAP-3F", 4},  {"NAP-3G", 2},  {"NAP-3H", 5},  {"NAP-4A", 1}, {"NAP-4B", 3},
    {"NAP-4C", 3},  {"NAP-4D", 3},  {"NAP-4E", 2},  {"NAP-5A", 5},  {"NAP-5B", 3}, {"NAP-5C", 6},
    {"NAP-5D", 2},  {"NAP-5E", 2},  {"NAP-5F", 3},  {"NAP-5G", 8},  {"NAP-5H", 3}, {"NAP-5I", 1},
    {"NAP-6A", 4},  {"NAP-6B", 1},  {"NAP-6C", 1},  {"NAP-6D", 4},  {"NAP-7", 2},  {"NAP-8A", 3},
    {"NAP-8B", 3},  {"NAP-8C", 2},  {"NAP-9", 4},   {"NAP-10", 1},  {"NAP-11", 1}, {"NAP-12", 2},
    {"NAP-MDI", 3}, {"NAP-GUN", 0}, {"NAP-ORG", 2}, {"NAP-BEA", 1},
};

std::vector<std::string> LinesOf(const fs::path& path) {
  std::ifstream in(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::vector<fs::path> FilesIn(const std::string& folder, const std::string& ending) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(fs::path(FOS_SOURCE_DIR) / folder))
    if (entry.path().extension() == ending) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

std::set<std::string> IdsIn(const std::string& text) {
  static const std::regex id("(NAP|EX)-([0-9A-Z]+)(\\.[0-9]+)?");
  std::set<std::string> ids;
  for (std::sregex_iterator i(text.begin(), text.end(), id), end; i != end; ++i)
    ids.insert(i->str());
  return ids;
}

using Places = std::map<std::string, std::set<std::string>>;

// By clause: "movement.cc: CheckPath". An id in a comment before a function is that function's.
Places Code() {
  static const std::regex function("^[A-Za-z][^;=]*?\\b([A-Za-z_]+)\\([^;]*$");
  Places places;
  for (const fs::path& path : FilesIn("engine/rules/napoleonic", ".cc")) {
    if (path.filename() == "clauses.cc") continue;
    std::string current;
    std::set<std::string> waiting;
    for (const std::string& line : LinesOf(path)) {
      std::smatch match;
      const bool comment = line.rfind("//", 0) == 0;
      if (!comment && std::regex_search(line, match, function)) {
        current = match[1];
        for (const std::string& id : waiting)
          places[id].insert(path.filename().string() + ": " + current);
        waiting.clear();
      }
      for (const std::string& id : IdsIn(line)) {
        if (comment) {
          waiting.insert(id);
        } else if (!current.empty()) {
          places[id].insert(path.filename().string() + ": " + current);
        }
      }
    }
  }
  return places;
}

// By clause and by example: "MovementTest name".
Places Tests() {
  static const std::regex name("TEST\\(\\w+,\\s*(\\w+)\\)");
  Places places;
  for (const fs::path& path : FilesIn("tests/unit/rules/napoleonic", ".cc")) {
    const std::vector<std::string> lines = LinesOf(path);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (lines[i].rfind("TEST(", 0) != 0) continue;
      std::string head = lines[i];
      while (head.find('{') == std::string::npos && i + 1 < lines.size()) head += lines[++i];
      std::smatch match;
      if (!std::regex_search(head, match, name)) continue;
      for (const std::string& id : IdsIn(head)) {
        places[id].insert(match[1]);
        if (id.rfind("EX-", 0) == 0)
          places["NAP-" + id.substr(3, id.find('.') - 3)].insert(match[1]);
      }
    }
  }
  return places;
}

std::string Joined(const std::set<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : "<br>") + word;
  return out;
}

TEST(NapoleonicClauses, EachIsAppliedAndProved) {
  const Places code = Code();
  const Places tests = Tests();
  ASSERT_EQ(kExamples.size(), Clauses().size());
  for (const Clause& clause : Clauses()) {
    const std::string id(clause.id);
    EXPECT_TRUE(code.contains(id)) << id << " is applied by no function";
    EXPECT_TRUE(tests.contains(id)) << id << " is proved by no test";
  }
}

TEST(NapoleonicClauses, EveryWorkedExampleIsATest) {
  const Places tests = Tests();
  for (const auto& [clause, count] : kExamples)
    for (int n = 1; n <= count; ++n) {
      const std::string example = "EX-" + clause.substr(4) + "." + std::to_string(n);
      EXPECT_TRUE(tests.contains(example)) << example << " is no test";
    }
}

TEST(NapoleonicClauses, ThePageIsUpToDate) {
  const Places code = Code();
  const Places tests = Tests();
  std::ostringstream page;
  page
      << "# Where each clause is applied and proved\n\n"
         "Written by `FOS_WRITE_DOCS=1 build/tests/napoleonic_test "
         "--gtest_filter='NapoleonicClauses.*'`; the same test fails when a clause has no code or "
         "no test, when a worked example of the catalogue is no test, and when this page is out of "
         "date.\n\n## Napoleonic\n\n"
         "| Clause | What it says | Code (engine/rules/napoleonic) | Tests "
         "(tests/unit/rules/napoleonic) |\n| --- | --- | --- | --- |\n";
  for (const Clause& clause : Clauses()) {
    const std::string id(clause.id);
    page << "| " << id << " " << clause.where << " | " << clause.gist << " | "
         << (code.contains(id) ? Joined(code.at(id)) : "") << " | "
         << (tests.contains(id) ? Joined(tests.at(id)) : "") << " |\n";
  }
  const fs::path path = fs::path(FOS_SOURCE_DIR) / "docs" / "clauses.md";
  if (const char* write = std::getenv("FOS_WRITE_DOCS"); write && *write)
    std::ofstream(path) << page.str();
  std::ifstream in(path);
  std::ostringstream there;
  there << in.rdbuf();
  EXPECT_TRUE(there.str() == page.str())
      << "docs/clauses.md is out of date: run this test with FOS_WRITE_DOCS=1";
}

}  // namespace
}  // namespace fos::napoleonic
