#pragma once

#include "ui/app/snapshot.h"
#include "ui/projection.h"
#include "ui/theme.h"
#include "ui/view_state.h"

namespace fos {

// What happened, newest last; a line about a shot chooses it.
void DrawLog(const Theme& theme, const Snapshot& shown, ViewState& view, const ScreenRect& area);
// "1:02.5", as a stop watch shows it.
std::string ClockText(double seconds);

}  // namespace fos
