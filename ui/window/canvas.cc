// SPDX-License-Identifier: MIT
#include "ui/window/canvas.h"

#include <algorithm>
#include <cmath>

namespace fos {
namespace {

constexpr ImGuiWindowFlags kFixed =
    ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
    ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoScrollWithMouse;

}  // namespace

Canvas::Canvas(const char* name, const ScreenRect& area, ImU32 background) {
  ImGui::SetNextWindowPos(area.low);
  ImGui::SetNextWindowSize({std::max(area.Width(), 1.0F), std::max(area.Height(), 1.0F)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2{0, 0});
  ImGui::PushStyleColor(ImGuiCol_WindowBg, background);
  ImGui::Begin(name, nullptr, background != 0 ? kFixed : kFixed | ImGuiWindowFlags_NoBackground);
  ImGui::PopStyleColor();
  ImGui::PopStyleVar();
  ImGui::InvisibleButton(name, {std::max(area.Width(), 1.0F), std::max(area.Height(), 1.0F)},
                         ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonMiddle);
  list_ = ImGui::GetWindowDrawList();
  list_->PushClipRect(area.low, area.high, true);
}

Canvas::~Canvas() {
  list_->PopClipRect();
  ImGui::End();
}

void BeginPanel(const char* name, const ScreenRect& area) {
  ImGui::SetNextWindowPos(area.low);
  ImGui::SetNextWindowSize({area.Width(), area.Height()});
  ImGui::Begin(name, nullptr,
               ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoBackground |
                   ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoCollapse |
                   ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoBringToFrontOnFocus);
}

void PushDialogEdge() {
  const ImGuiStyle& style = ImGui::GetStyle();
  ImVec4 edge = style.Colors[ImGuiCol_CheckMark];
  edge.w = 0.7F;
  const ImVec2 pad{1.6F * style.WindowPadding.x, 1.3F * style.WindowPadding.y};
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 2.0F);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, pad);
  ImGui::PushStyleColor(ImGuiCol_Border, edge);
}

void PopDialogEdge() {
  ImGui::PopStyleColor();
  ImGui::PopStyleVar(2);
}

void BeginDialog(const char* name, const ScreenRect& area) {
  ImGui::SetNextWindowPos({0.5F * (area.low.x + area.high.x), 0.5F * (area.low.y + area.high.y)},
                          ImGuiCond_Always, {0.5F, 0.5F});
  ImGui::SetNextWindowFocus();
  // A dialog larger than the window scrolls, by the wheel or, for a finger, by its bar.
  ImGui::SetNextWindowSizeConstraints({0, 0}, {area.Width(), area.Height()});
  PushDialogEdge();
  ImGui::Begin(name, nullptr,
               ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize |
                   ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_AlwaysAutoResize);
  PopDialogEdge();
}

void TakePointer(float width, float height, const ScreenRect& area, ViewZoom& zoom, bool may_pan) {
  const ImGuiIO& io = ImGui::GetIO();
  if (ImGui::IsItemHovered() && io.MouseWheel != 0) {
    constexpr float kStep = 1.2F;  // a notch of the wheel
    ZoomAbout(width, height, area, io.MousePos, std::pow(kStep, io.MouseWheel), zoom);
  }
  // A finger comes down anywhere: movement before the press does not count as a drag.
  if (may_pan && ImGui::IsItemActive() && !ImGui::IsItemActivated()) {
    const Placement placed = Place(width, height, area, zoom);
    zoom.x -= io.MouseDelta.x / (placed.scale * std::max(width, 1e-6F));
    zoom.y -= io.MouseDelta.y / (placed.scale * std::max(height, 1e-6F));
  }
  ClampZoom(width, height, area, zoom);
}

bool LeftItsPlace(float still_px) {
  return ImGui::GetIO().MouseDragMaxDistanceSqr[0] >= still_px * still_px;
}

bool ClickedInPlace(float still_px) {
  return ImGui::IsItemDeactivated() && ImGui::IsMouseReleased(ImGuiMouseButton_Left) &&
         ImGui::IsMousePosValid() && !LeftItsPlace(still_px);
}

}  // namespace fos
