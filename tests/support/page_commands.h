// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace fos::test {

// The words of each line of a page that shows a command of the program: indented, after `start`,
// such as "fallofshot ". A comment after `#` is left out.
inline std::vector<std::vector<std::string>> CommandsOf(const std::filesystem::path& page,
                                                        const std::string& start) {
  std::vector<std::vector<std::string>> out;
  std::ifstream in(page);
  for (std::string line; std::getline(in, line);) {
    const std::size_t text = line.find_first_not_of(' ');
    if (text == std::string::npos || text < 4 || line.compare(text, start.size(), start) != 0)
      continue;
    std::istringstream words(line.substr(text + start.size()));
    std::vector<std::string> command;
    for (std::string word; words >> word && word != "#";) command.push_back(word);
    out.push_back(std::move(command));
  }
  return out;
}

}  // namespace fos::test
