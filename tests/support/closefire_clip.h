// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>

namespace fos::test {

// Copies a clip with Napoleonic troops and turns its scenario into one with Close Fire troops.
inline void CopyWithCloseFireTroops(const std::filesystem::path& from,
                                    const std::filesystem::path& to) {
  std::filesystem::copy(from, to);
  std::ostringstream read;
  read << std::ifstream(to / "scenario.toml").rdbuf();
  std::string text = read.str();
  for (const auto& [was, is] :
       {std::pair{"napoleonic", "closefire"}, std::pair{"line_infantry", "foot"},
        std::pair{"guards_infantry", "dragoons"}, std::pair{"light_infantry", "horse"},
        std::pair{"light_cavalry", "hussars"}, std::pair{"line_cavalry", "civilians"},
        std::pair{"foot_crew", "brigadier"}, std::pair{"foot_gun", "gun"},
        std::pair{"supply_wagon", "general"}, std::pair{"division_commander", "marshal"}}) {
    const std::string old = std::string("\"").append(was).append("\"");
    const std::string now = std::string("\"").append(is).append("\"");
    for (std::size_t at = 0; (at = text.find(old, at)) != std::string::npos; at += now.size())
      text.replace(at, old.size(), now);
  }
  std::ofstream(to / "scenario.toml") << text;
}

}  // namespace fos::test
