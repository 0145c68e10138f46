// SPDX-License-Identifier: MIT
#include "ui/window/panel_layout.h"

#include <GLFW/glfw3.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "ui/window/table_panel.h"

namespace fos {
namespace {

constexpr float kFinger = 9 / 25.4F * 96;  // nine millimetres at 96 dots an inch
constexpr float kLeastColumn = 400;        // the table of stands needs this width
constexpr float kKeyStep = 24;

// Where both bounds cannot be kept, the lower one gives way.
float Within(float low, float value, float high) { return std::min(std::max(value, low), high); }

// An edge between two panels.
struct Edge {
  const char* name;
  bool upright = false;
  ScreenRect gap;   // between the panels
  ScreenRect grip;  // for fingers
  float* share;     // of the panel that it makes larger or smaller
  float share_now = 0;
  float span_px = 1;  // what a share of 1 stands for
  float sign = 1;     // -1: the panel grows as the edge moves to the left or up
};

// True while the pointer is over the area or holds it.
bool HoldEdge(const char* name, const ScreenRect& area, const Edge& edge, ViewState& view) {
  // ImGui rounds places and sizes down; a finger needs all of it.
  const ImVec2 low{std::floor(area.low.x), std::floor(area.low.y)};
  const ImVec2 size{std::ceil(area.high.x) - low.x, std::ceil(area.high.y) - low.y};
  ImGui::SetNextWindowPos(low);
  ImGui::SetNextWindowSize(size);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2{0, 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, ImVec2{1, 1});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0.0F);
  // Without NoBringToFrontOnFocus, for the grip lies over a panel.
  ImGui::Begin(name, nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBackground |
                   ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav);
  ImGui::PopStyleVar(3);
  ImGui::InvisibleButton(name, size);
  const bool taken = ImGui::IsItemHovered() || ImGui::IsItemActive();
  if (taken)
    ImGui::SetMouseCursor(edge.upright ? ImGuiMouseCursor_ResizeEW : ImGuiMouseCursor_ResizeNS);
  if (ImGui::IsItemActivated()) view.edge_from = edge.share_now;
  if (ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
    *edge.share = 0;
  } else if (ImGui::IsItemActive() && ImGui::IsMouseDragging(ImGuiMouseButton_Left)) {
    const ImVec2 moved = ImGui::GetMouseDragDelta(ImGuiMouseButton_Left);
    const float by = edge.sign * (edge.upright ? moved.x : moved.y) / edge.span_px;
    *edge.share = Within(0.01F, view.edge_from + by, 1);
  }
  ImGui::End();
  return taken;
}

void MoveEdge(const Theme& theme, const Edge& edge, ViewState& view) {
  const std::string grip = std::string(edge.name) + " grip";
  const bool in_gap = HoldEdge(edge.name, edge.gap, edge, view);
  const bool in_grip = HoldEdge(grip.c_str(), edge.grip, edge, view);
  // The mark stays in the gap, so that it hides nothing.
  ScreenRect mark = edge.gap;
  if (!in_gap && !in_grip) {
    const float inset = std::floor(theme.Px(1));
    if (edge.upright) {
      mark = {{mark.low.x + inset, edge.grip.low.y}, {mark.high.x - inset, edge.grip.high.y}};
    } else {
      mark = {{edge.grip.low.x, mark.low.y + inset}, {edge.grip.high.x, mark.high.y - inset}};
    }
  }
  ImGui::GetBackgroundDrawList()->AddRectFilled(
      mark.low, mark.high, in_gap || in_grip ? theme.accent : Faded(theme.faint, 0.6F),
      theme.Px(2));
}

// The arrows move the edge a step. One edge by its two arrows.
void MoveByKeys(const Theme& theme, const Edge& edge, bool shift) {
  const ImGuiIO& io = ImGui::GetIO();
  if (!io.KeyCtrl || io.KeyShift != shift || io.WantTextInput) return;
  const int back = edge.upright ? GLFW_KEY_LEFT : GLFW_KEY_UP;
  const int on = edge.upright ? GLFW_KEY_RIGHT : GLFW_KEY_DOWN;
  const int steps = (ImGui::IsKeyPressed(on) ? 1 : 0) - (ImGui::IsKeyPressed(back) ? 1 : 0);
  if (steps == 0) return;
  const float by = edge.sign * static_cast<float>(steps) * theme.Px(kKeyStep) / edge.span_px;
  *edge.share = Within(0.01F, edge.share_now + by, 1);
}

Edge ColumnEdge(const Theme& theme, const ScreenRect& gap, ViewState& view, float window_width) {
  const float finger = theme.Px(kFinger);
  const float middle = 0.5F * (gap.low.y + gap.high.y);
  // The grip lies over the picture: the column's buttons begin at its edge.
  return {.name = "column edge",
          .upright = true,
          .gap = gap,
          .grip = {{gap.high.x - std::max(finger, gap.Width()), middle - finger},
                   {gap.high.x, middle + finger}},
          .share = &view.panels.column,
          .share_now = (window_width - gap.high.x) / window_width,
          .span_px = window_width,
          .sign = -1};
}

}  // namespace

float ColumnWidth(const Theme& theme, const PanelShares& shares, float window_width,
                  float preferred) {
  if (!(shares.column > 0)) return preferred;
  // A quarter of the window is left to the picture.
  return Within(theme.Px(kLeastColumn), shares.column * window_width, 0.75F * window_width);
}

PanelLayout LayoutOf(const Theme& theme, const ViewState& view, const TableFrame& frame, bool game,
                     ImVec2 size) {
  // Whole units: ImGui rounds window sizes down to them, which would leave gaps.
  const float gap = std::floor(theme.Px(6));
  const float bar = std::floor(theme.Px(theme.large_controls ? 58 : 42));
  const PanelShares& shares = view.panels;
  PanelLayout out;
  out.status = {{0, 0}, {size.x, bar}};
  const float preferred =
      std::clamp(0.34F * size.x, theme.Px(kLeastColumn), std::max(theme.Px(430), 0.34F * size.x));
  const float column = ColumnWidth(theme, shares, size.x, preferred);
  const float least_picture = (shares.column > 0 ? 0.2F : 0.4F) * size.x;
  const float split = std::floor(std::max(size.x - column - gap, least_picture));
  const float top = bar + gap;
  const float bottom = size.y - gap;
  const float tall = bottom - top;
  float log = std::clamp(0.19F * size.y, theme.Px(70), theme.Px(240));
  if (shares.log > 0) log = Within(theme.Px(70), shares.log * size.y, 0.6F * tall);
  log = view.show_log ? std::floor(log) : 0;
  out.main = {{gap, top}, {split, bottom - (log > 0 ? log + gap : 0)}};
  out.log = {{gap, bottom - log}, {split, bottom}};
  float rulings_top = top;
  if (view.arrangement == Arrangement::kBoth) {
    const ImVec2 map = MapSize(frame);
    const float width = size.x - gap - (split + gap);
    const float wanted = width * map.y / std::max(map.x, 1.0F);
    float high = std::min(wanted, (game ? 0.38F : 0.46F) * tall);
    if (shares.map > 0) high = Within(theme.Px(90), shares.map * tall, 0.7F * tall);
    high = std::floor(high);
    out.map = {{split + gap, top}, {size.x - gap, top + high}};
    rulings_top = top + high + gap;
  }
  out.rulings = {{split + gap, rulings_top}, {size.x - gap, bottom}};
  return out;
}

void MoveColumnEdge(const Theme& theme, const ScreenRect& gap, ViewState& view,
                    float window_width) {
  const Edge edge = ColumnEdge(theme, gap, view, window_width);
  MoveByKeys(theme, edge, false);
  MoveEdge(theme, edge, view);
}

void MovePanelEdges(const Theme& theme, const PanelLayout& layout, ViewState& view, ImVec2 size) {
  const float finger = theme.Px(kFinger);
  const ScreenRect& main = layout.main;
  MoveColumnEdge(theme, {{main.high.x, main.low.y}, {layout.rulings.low.x, main.high.y}}, view,
                 size.x);
  if (view.arrangement == Arrangement::kBoth) {
    const ScreenRect& map = layout.map;
    const float middle = 0.5F * (map.low.x + map.high.x);
    const float tall = layout.rulings.high.y - map.low.y;
    const Edge edge = {.name = "map edge",
                       .gap = {{map.low.x, map.high.y}, {map.high.x, layout.rulings.low.y}},
                       .grip = {{middle - finger, layout.rulings.low.y - finger},
                                {middle + finger, layout.rulings.low.y}},
                       .share = &view.panels.map,
                       .share_now = map.Height() / tall,
                       .span_px = tall};
    MoveByKeys(theme, edge, true);
    MoveEdge(theme, edge, view);
  }
  if (!view.show_log) return;
  // Over the end of the log's lines: above it a recording's buttons may lie.
  const ScreenRect& log = layout.log;
  const float right = log.high.x - ImGui::GetStyle().ScrollbarSize - theme.Px(60);
  const Edge edge = {.name = "log edge",
                     .gap = {{log.low.x, main.high.y}, {log.high.x, log.low.y}},
                     .grip = {{right - 2 * finger, main.high.y}, {right, main.high.y + finger}},
                     .share = &view.panels.log,
                     .share_now = log.Height() / size.y,
                     .span_px = size.y,
                     .sign = -1};
  MoveByKeys(theme, edge, false);
  MoveEdge(theme, edge, view);
}

}  // namespace fos
