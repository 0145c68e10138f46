// SPDX-License-Identifier: MIT
#pragma once

#include "ui/window/projection.h"
#include "ui/window/theme.h"
#include "ui/window/view_state.h"

namespace fos {

// Draws the settings over everything else, each with its key.
void DrawSettings(const Theme& theme, ViewState& view, const ScreenRect& area);

// What the settings say, and back.
ViewLook LookOf(const ViewState& view);
void TakeLayers(const Layers& layers, ViewState& view);
void TakeLook(const ViewLook& look, ViewState& view);

}  // namespace fos
