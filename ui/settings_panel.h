#pragma once

#include "ui/projection.h"
#include "ui/theme.h"
#include "ui/view_state.h"

namespace fos {

// How the window looks and sounds, over everything else; every line has its key.
void DrawSettings(const Theme& theme, ViewState& view, const ScreenRect& area);

}  // namespace fos
