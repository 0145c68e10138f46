// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace fos {

// One rule of a rule set: our id, its place in the source, and a summary in our words.
struct Clause {
  std::string_view id;
  std::string_view where;
  std::string_view gist;
};

// Why an action was not accepted.
struct Refusal {
  std::string clause;   // the id of the rule that decided it
  std::string because;  // one sentence that players can check on the table
  // The players may overrule it. What the game cannot represent can never be overruled.
  bool may_overrule = false;
};

}  // namespace fos
