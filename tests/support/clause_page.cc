// SPDX-License-Identifier: MIT
#include "tests/support/clause_page.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <vector>

namespace fos::test {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> LinesOf(const fs::path& path) {
  std::ifstream in(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::vector<fs::path> FilesIn(const std::string& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(fs::path(FOS_SOURCE_DIR) / folder))
    if (entry.path().extension() == ".cc" || entry.path().extension() == ".h")
      files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

std::set<std::string> IdsIn(const ClauseBook& book, const std::string& text) {
  // Build each regex once per prefix: this runs over every line of the sources.
  static std::map<std::string, std::regex> made;
  const std::regex& id =
      made.try_emplace(book.prefix, "(" + book.prefix + "|EX)-([0-9A-Z]+)(\\.[0-9]+){0,2}")
          .first->second;
  std::set<std::string> ids;
  for (std::sregex_iterator i(text.begin(), text.end(), id), end; i != end; ++i)
    ids.insert(i->str());
  return ids;
}

void AddCode(const ClauseBook& book, const fs::path& path, Places& places) {
  static const std::regex function("^[A-Za-z][^;=]*?\\b([A-Za-z_]+)\\([^;]*$");
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
    for (const std::string& id : IdsIn(book, line)) {
      if (comment) {
        waiting.insert(id);
      } else if (!current.empty()) {
        places[id].insert(path.filename().string() + ": " + current);
      }
    }
  }
}

std::string Joined(const std::set<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : "<br>") + word;
  return out;
}

constexpr const char* kHead =
    "# Where each clause is applied and proved\n\n"
    "Each section is written by its rule set's tests, `FOS_WRITE_DOCS=1 "
    "build/tests/…_test --gtest_filter='*Clauses.*'`; the same tests fail when a clause has no "
    "code "
    "or no test, when a worked example of the catalogue is no test, and when the section is out of "
    "date.\n";

std::string ReachedBy(const ClauseBook& book, const std::string& id) {
  if (book.out_of_play.contains(id)) return "none: " + book.out_of_play.at(id).reason;
  return std::to_string(book.reached.contains(id) ? book.reached.at(id) : 0);
}

std::string SectionOf(const ClauseBook& book) {
  const Places code = CodeOf(book);
  const Places tests = TestsOf(book);
  std::ostringstream out;
  const bool played = book.games > 0;
  out << "\n## " << book.title << "\n\n| Clause | What it says | Code (" << book.code
      << ") | Tests (" << book.tests << ") |";
  if (played) out << " Reached by, of " << book.games << " random games |";
  out << "\n| --- | --- | --- | --- |" << (played ? " --- |" : "") << "\n";
  for (const Clause& clause : book.clauses) {
    const std::string id(clause.id);
    out << "| " << id << " " << clause.where << " | " << clause.gist << " | "
        << (code.contains(id) ? Joined(code.at(id)) : "") << " | "
        << (tests.contains(id) ? Joined(tests.at(id)) : "") << " |";
    if (played) out << " " << ReachedBy(book, id) << " |";
    out << "\n";
  }
  return out.str();
}

}  // namespace

Places CodeOf(const ClauseBook& book) {
  // These list clauses for people and apply none.
  const auto lists = [](const fs::path& path) {
    return path.stem() == "clauses" || path.stem() == "rule_tables";
  };
  Places places;
  for (const fs::path& path : FilesIn(book.code))
    if (path.extension() == ".cc" && !lists(path)) AddCode(book, path, places);
  // Code that rule sets share.
  for (const char* folder : {"engine/squares", "engine/rules/sweet"})
    for (const fs::path& path : FilesIn(folder))
      if (!lists(path)) AddCode(book, path, places);
  return places;
}

Places TestsOf(const ClauseBook& book) {
  static const std::regex name("TEST\\(\\w+,\\s*(\\w+)\\)");
  Places places;
  for (const fs::path& path : FilesIn(book.tests)) {
    const std::vector<std::string> lines = LinesOf(path);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (lines[i].rfind("TEST(", 0) != 0) continue;
      std::string head = lines[i];
      while (head.find('{') == std::string::npos && i + 1 < lines.size()) head += lines[++i];
      std::smatch match;
      if (!std::regex_search(head, match, name)) continue;
      for (const std::string& id : IdsIn(book, head)) {
        places[id].insert(match[1]);
        if (id.rfind("EX-", 0) == 0)
          places[book.prefix + "-" + id.substr(3, id.rfind('.') - 3)].insert(match[1]);
      }
    }
  }
  return places;
}

void ExpectEachAppliedAndProved(const ClauseBook& book) {
  const Places code = CodeOf(book);
  const Places tests = TestsOf(book);
  ASSERT_EQ(book.examples.size(), book.clauses.size());
  for (const Clause& clause : book.clauses) {
    const std::string id(clause.id);
    EXPECT_TRUE(book.examples.contains(id)) << id;
    EXPECT_TRUE(code.contains(id)) << id << " is applied by no function";
    EXPECT_TRUE(tests.contains(id)) << id << " is proved by no test";
  }
}

void ExpectEveryExampleIsATest(const ClauseBook& book) {
  const Places tests = TestsOf(book);
  for (const auto& [clause, count] : book.examples)
    for (int n = 1; n <= count; ++n) {
      const std::string example =
          "EX-" + clause.substr(book.prefix.size() + 1) + "." + std::to_string(n);
      EXPECT_TRUE(tests.contains(example)) << example << " is no test";
    }
}

namespace {

void ExpectOutOfPlay(const ClauseBook& book, const std::string& id, const OutOfPlay& why,
                     const Places& code) {
  EXPECT_TRUE(why.before.empty() || why.within.empty()) << id << " has two reasons";
  const std::set<std::string> places = code.contains(id) ? code.at(id) : std::set<std::string>();
  std::set<std::string> used;
  for (const std::string& place : places) {
    const std::string file = place.substr(0, place.find(':'));
    used.insert(file);
    EXPECT_TRUE(why.before.empty() || why.before.contains(file))
        << id << " is said to be applied before the game, but " << place << " cites it";
  }
  for (const std::string& file : why.before)
    EXPECT_TRUE(used.contains(file)) << file << " does not cite " << id;
  for (const std::string& clause : why.within)
    EXPECT_TRUE(book.reached.contains(clause)) << clause << ", which tells " << id;
  if (!why.before.empty() || !why.within.empty()) return;
  for (const fs::path& path : FilesIn(book.code))
    for (const std::string& line : LinesOf(path))
      EXPECT_TRUE(path.stem() == "clauses" || line.find('"' + id + '"') == std::string::npos)
          << id << " is said to rule nothing, but " << path.filename() << " cites it";
}

}  // namespace

void ExpectRandomGamesReachEach(const ClauseBook& book) {
  ASSERT_GT(book.games, 0);
  const Places code = CodeOf(book);
  for (const Clause& clause : book.clauses) {
    const std::string id(clause.id);
    std::printf("%-10s %s\n", id.c_str(), ReachedBy(book, id).c_str());
    const bool reached = book.reached.contains(id);
    EXPECT_NE(reached, book.out_of_play.contains(id))
        << id << (reached ? " is reached and listed as out of play" : " is never reached");
    if (const auto out = book.out_of_play.find(id); out != book.out_of_play.end())
      ExpectOutOfPlay(book, id, out->second, code);
  }
}

void ExpectPageUpToDate(const ClauseBook& book) {
  const fs::path path = fs::path(FOS_SOURCE_DIR) / "docs" / "clauses.md";
  std::ostringstream read;
  read << std::ifstream(path).rdbuf();
  const std::string page = read.str();
  const std::string section = SectionOf(book);
  const std::string heading = "\n## " + book.title + "\n";
  const std::size_t from = page.find(heading);
  const std::size_t next = from == std::string::npos ? from : page.find("\n## ", from + 1);
  const bool there = page.rfind(kHead, 0) == 0 && from != std::string::npos &&
                     page.substr(from, next == std::string::npos ? next : next - from) == section;
  if (const char* write = std::getenv("FOS_WRITE_DOCS"); write && *write) {
    // The other sections stay unchanged; a new one is appended.
    const std::size_t first = page.find("\n## ");
    std::string out = kHead;
    if (from == std::string::npos) {
      if (first != std::string::npos) out += page.substr(first);
      out += section;
    } else {
      out += page.substr(first, from - first) + section;
      if (next != std::string::npos) out += page.substr(next);
    }
    std::ofstream(path) << out;
    return;
  }
  EXPECT_TRUE(there) << "docs/clauses.md is out of date: run this test of " << book.program
                     << " with FOS_WRITE_DOCS=1";
}

}  // namespace fos::test
