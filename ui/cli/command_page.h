// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace fos {

// What `--help` says of one form of a command. The man pages and the completion are made of the
// same text.
struct CommandPage {
  struct Entry {
    std::string name;   // "CLIP", "--out"
    std::string value;  // of a flag: "DIR"; empty: it takes none, or this is an argument
    std::string help;
  };
  std::string usage;    // "judge CLIP [options]"; more forms on lines of their own
  std::string summary;  // one or more sentences
  std::vector<Entry> arguments;
  std::vector<Entry> flags;
};

}  // namespace fos
