// SPDX-License-Identifier: MIT
#include "ui/setup/new_battle.h"

#include "calibration/print/print_sheets.h"
#include "ui/setup/setup_controller.h"

namespace fos {
namespace {

constexpr double kMarkerOff_in = 1.5;  // of a marker's centre from the corner, along each side

// A cotton swab and a shell of the usual sizes.
std::vector<ProjectileSpec> NewProjectiles() {
  ProjectileSpec swab;
  swab.type = Projectile::kQtip;
  swab.length_in = 3.0;
  swab.diameter_in = 0.1;
  swab.tip_paint = {0x5a, 0x14, 0x14};
  swab.hit_radius_in = 1.0;
  swab.touch_radius_in = 0.125;
  ProjectileSpec shell;
  shell.type = Projectile::kShell;
  shell.size_in = 0.4;
  shell.body = {0xc9, 0xa2, 0x27};
  shell.mark = {0x14, 0x14, 0x14};
  shell.hit_radius_in = 1.0;
  shell.touch_radius_in = 0.25;
  return {swab, shell};
}

}  // namespace

std::vector<FiducialMarker> CornerMarkers(const TableFrame& frame) {
  constexpr double off_in = kMarkerOff_in;
  return {{0, {-off_in, -off_in}},
          {1, {frame.Width() + off_in, -off_in}},
          {2, {frame.Width() + off_in, frame.Depth() + off_in}},
          {3, {-off_in, frame.Depth() + off_in}}};
}

TableSpec NewTable() {
  TableSpec table;
  table.frame = {12, 9, 4.0};
  table.fiducials = FiducialSpec{"DICT_4X4_50", 2.0, CornerMarkers(table.frame)};
  table.charuco = UsualCharuco();
  return table;
}

Scenario NewScenario() {
  Scenario scenario;
  scenario.ruleset = SetupController::Rulesets().front();
  scenario.name = "A new battle";
  scenario.sides = {{"Blue", SetupController::Paints()[0], Facing::kSouth},
                    {"Red", SetupController::Paints()[1], Facing::kNorth}};
  scenario.projectiles = NewProjectiles();
  return scenario;
}

}  // namespace fos
