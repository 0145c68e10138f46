#pragma once

#include <string>
#include <string_view>

namespace fos {

// One rule of a rule set: our id, where the source has it, a gist in our words.
struct Clause {
  std::string_view id;
  std::string_view where;
  std::string_view gist;
};

// Why an action was not accepted.
struct Refusal {
  std::string clause;   // the id that decided it
  std::string because;  // one sentence a player can check on the table
  // The players may let it stand all the same; what the game cannot represent is never waived.
  bool may_overrule = false;
};

}  // namespace fos
