// SPDX-License-Identifier: MIT
#include "engine/journal/anonymise.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <utility>

#include "engine/journal/sha256.h"

namespace fos {
namespace {

bool InWord(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;  // letters beyond ASCII
}

void ReplaceWord(std::string& text, const std::string& word, const std::string& by) {
  if (word.empty()) return;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at)) {
    const std::size_t end = at + word.size();
    const bool whole = (at == 0 || !InWord(text[at - 1]) || !InWord(word.front())) &&
                       (end == text.size() || !InWord(text[end]) || !InWord(word.back()));
    if (whole) text.replace(at, word.size(), by);
    at += whole ? by.size() : 1;
  }
}

}  // namespace

GameLog Anonymised(const GameLog& log) {
  GameLog out = log;
  out.start.uid = Sha256Hex("without names " + log.start.uid).substr(0, 32);
  constexpr double kDay_s = 86400;
  const auto day = [](double unix_s) { return std::floor(unix_s / kDay_s) * kDay_s; };
  out.start.started_unix_s = day(out.start.started_unix_s);
  std::vector<std::pair<std::string, std::string>> names;
  for (Seat& seat : out.start.seats) {
    const auto known = std::find_if(names.begin(), names.end(),
                                    [&](const auto& one) { return one.first == seat.player; });
    if (known == names.end()) {
      names.emplace_back(seat.player, "Player " + std::to_string(names.size() + 1));
      seat.player = names.back().second;
    } else {
      seat.player = known->second;
    }
  }
  // Longer names first: "Ann Lee" before "Ann".
  std::sort(names.begin(), names.end(),
            [](const auto& a, const auto& b) { return a.first.size() > b.first.size(); });
  const auto clean = [&names](std::string& text) {
    for (const auto& [name, by] : names) ReplaceWord(text, name, by);
  };
  clean(out.start.name);
  for (Record& record : out.records) {
    record.unix_s = day(record.unix_s);
    // Texts by people. What the rules computed contains no names and must stay unchanged.
    if (record.kind == RecordKind::kWord || record.kind == RecordKind::kRemark) {
      clean(record.text);
      for (std::string& sentence : record.told) clean(sentence);
    }
  }
  return out;
}

GameLog WithoutPictures(GameLog log) {
  std::erase_if(log.records,
                [](const Record& record) { return record.kind == RecordKind::kAttached; });
  return log;
}

}  // namespace fos
