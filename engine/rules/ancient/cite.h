#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/rules/ancient/action.h"

// Which clause stands behind what is asked, declared or has happened, for menus and reports.
namespace fos::ancient {

using squares::Cited;
Cited CiteOf(const State& s, const Declaration& what);

// "ANC-F5" of dice for a volley.
std::string_view ClauseOfAsk(PendingInput kind);

// The clause an event applies, in the state after it; empty for the engine's own book-keeping.
std::string ClauseOf(const State& s, const Event& event);

}  // namespace fos::ancient
