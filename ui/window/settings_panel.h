#pragma once

#include "ui/window/projection.h"
#include "ui/window/theme.h"
#include "ui/window/view_state.h"

namespace fos {

// How the window looks and sounds, over everything else; every line has its key.
void DrawSettings(const Theme& theme, ViewState& view, const ScreenRect& area);

}  // namespace fos
