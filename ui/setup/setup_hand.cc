// SPDX-License-Identifier: MIT
#include "ui/setup/setup_hand.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace fos {
namespace {

// Steps through -1, 0, 1, ..., count - 1 and round again.
int Around(int at, int step, int count) {
  if (count <= 0) return -1;
  const int places = count + 1;
  return ((at + 1 + step) % places + places) % places - 1;
}

}  // namespace

void SetupHand::Note(const Status& status) {
  refused_ = status.ok() ? std::string() : status.error().message;
}

const TerrainArea* SetupHand::Chosen() const {
  const auto& terrain = controller_->Plan().terrain;
  return area_ >= 0 && static_cast<std::size_t>(area_) < terrain.size()
             ? &terrain[static_cast<std::size_t>(area_)]
             : nullptr;
}

void SetupHand::Follow() {
  const TerrainArea* area = Chosen();
  if (area == nullptr) area_ = -1;
  if (area == nullptr || corner_ >= static_cast<int>(area->polygon.size())) corner_ = -1;
  if (unit_ >= static_cast<int>(controller_->Plan().units.size())) unit_ = -1;
  if (side_ >= static_cast<int>(controller_->Plan().sides.size())) side_ = 0;
  if (row_ >= controller_->Troops().size()) row_ = 0;
  grip_ = Grip::kNothing;
}

void SetupHand::StartOutline() {
  refused_.clear();
  drawing_ = true;
  outline_.clear();
  area_ = -1;
  corner_ = -1;
}

void SetupHand::PutCorner(Vec2 at) {
  refused_.clear();
  if (!drawing_) StartOutline();
  if (!std::isfinite(at.x) || !std::isfinite(at.y)) return;
  constexpr std::size_t kMost = 500;
  if (outline_.size() >= kMost) return;
  // A second click in the same place is a slip of the hand.
  constexpr double kSame_in = 0.05;
  if (outline_.empty() || Distance(outline_.back(), at) > kSame_in) outline_.push_back(at);
  cursor_ = at;
}

void SetupHand::TakeBackCorner() {
  refused_.clear();
  if (outline_.empty()) {
    drawing_ = false;
  } else {
    outline_.pop_back();
  }
}

void SetupHand::StopDrawing() {
  refused_.clear();
  drawing_ = false;
  outline_.clear();
}

void SetupHand::CloseOutline() {
  if (!drawing_) return;
  const Result<int> made = controller_->AddTerrain(type_, outline_);
  if (!made.ok()) {
    refused_ = made.error().message;
    return;
  }
  StopDrawing();
  area_ = *made;
  corner_ = -1;
}

void SetupHand::NextArea(int step) {
  StopDrawing();
  area_ = Around(area_, step, static_cast<int>(controller_->Plan().terrain.size()));
  corner_ = -1;
  if (const TerrainArea* area = Chosen()) type_ = area->type;
  controller_->NewStroke();
}

void SetupHand::NextCorner(int step) {
  const TerrainArea* area = Chosen();
  if (area == nullptr) return;
  corner_ = Around(corner_, step, static_cast<int>(area->polygon.size()));
  controller_->NewStroke();
}

void SetupHand::SetType(const std::string& type) {
  refused_.clear();
  type_ = type;
  if (Chosen() != nullptr) Note(controller_->SetTerrainType(area_, type));
}

void SetupHand::NextType(int step) {
  const auto& types = SetupController::TerrainTypes();
  const int count = static_cast<int>(types.size());
  const int at = static_cast<int>(std::find(types.begin(), types.end(), type_) - types.begin());
  SetType(types[static_cast<std::size_t>(((at + step) % count + count) % count)]);
}

const TerrainObject* SetupHand::Tree() const {
  const auto& terrain = controller_->Plan().terrain;
  if (area_ >= 0 || drawing_ || tree_area_ < 0 ||
      static_cast<std::size_t>(tree_area_) >= terrain.size()) {
    return nullptr;
  }
  const auto& objects = terrain[static_cast<std::size_t>(tree_area_)].objects;
  return objects.empty() ? nullptr : &objects.back();
}

void SetupHand::PlantTree() {
  StopDrawing();
  // The usual size of models for 15 mm figures.
  constexpr double kRadius_in = 0.7;
  constexpr double kHeight_in = 2.2;
  const Result<int> planted = controller_->AddTree(cursor_, kRadius_in, kHeight_in);
  refused_ = planted.ok() ? std::string() : planted.error().message;
  area_ = -1;
  corner_ = -1;
  tree_area_ = planted.ok() ? *planted : -1;
}

void SetupHand::Raise(double by_in) {
  if (const TerrainObject* tree = Tree()) {
    Note(controller_->SetTreeHeight(tree_area_, std::max(0.0, tree->height_in + by_in)));
    return;
  }
  const TerrainArea* area = Chosen();
  if (area == nullptr) return;
  Note(controller_->SetTerrainHeight(area_, std::max(0.0, area->height_in + by_in)));
}

void SetupHand::InsertCorner() {
  const TerrainArea* area = Chosen();
  if (area == nullptr) return;
  const int after = std::max(corner_, 0);
  const Vec2 here = area->polygon[static_cast<std::size_t>(after)];
  const Vec2 next = area->polygon[(static_cast<std::size_t>(after) + 1) % area->polygon.size()];
  const Result<int> made = controller_->InsertCorner(area_, after, 0.5 * (here + next));
  refused_ = made.ok() ? std::string() : made.error().message;
  if (made.ok()) corner_ = *made;
}

void SetupHand::Remove() {
  if (Chosen() == nullptr) return;
  Note(corner_ >= 0 ? controller_->RemoveCorner(area_, corner_)
                    : controller_->RemoveTerrain(area_));
  if (!refused_.empty()) return;
  if (corner_ < 0) area_ = -1;
  corner_ = -1;
}

void SetupHand::Nudge(Vec2 by) {
  refused_.clear();
  if (const TerrainArea* area = Chosen(); area != nullptr && !drawing_) {
    Note(corner_ >= 0 ? controller_->MoveCorner(
                            area_, corner_, area->polygon[static_cast<std::size_t>(corner_)] + by)
                      : controller_->MoveTerrain(area_, by));
    return;
  }
  const TableFrame& frame = controller_->Table().frame;
  constexpr double kOff_in = 6;  // terrain may run over the edge
  cursor_ = cursor_ + by;
  cursor_.x = std::clamp(cursor_.x, -kOff_in, frame.Width() + kOff_in);
  cursor_.y = std::clamp(cursor_.y, -kOff_in, frame.Depth() + kOff_in);
}

void SetupHand::ChooseSide(int side) {
  if (side < 0 || static_cast<std::size_t>(side) >= controller_->Plan().sides.size()) return;
  side_ = side;
  unit_ = -1;
}

void SetupHand::NextSide() {
  const auto count = static_cast<int>(controller_->Plan().sides.size());
  if (count > 0) ChooseSide((side_ + 1) % count);
}

void SetupHand::ChooseRow(std::size_t row) {
  if (row < controller_->Troops().size()) row_ = row;
  unit_ = -1;
}

void SetupHand::NextRow(int step) {
  const auto count = static_cast<int>(controller_->Troops().size());
  if (count == 0) return;
  row_ = static_cast<std::size_t>(((static_cast<int>(row_) + step) % count + count) % count);
}

void SetupHand::Add(std::optional<SquareIndex> square) {
  const Result<int> added = controller_->AddUnit(side_, row_, square);
  refused_ = added.ok() ? std::string() : added.error().message;
  if (added.ok()) unit_ = *added;
}

void SetupHand::ChooseUnit(int unit) {
  refused_.clear();
  unit_ = unit;
  Follow();
  if (unit_ >= 0) side_ = controller_->Plan().units[static_cast<std::size_t>(unit_)].side;
  controller_->NewStroke();
}

void SetupHand::NextUnit(int step) {
  ChooseUnit(Around(unit_, step, static_cast<int>(controller_->Plan().units.size())));
}

void SetupHand::StepUnit(int east, int north) {
  if (unit_ < 0) return;
  SquareIndex to = controller_->Plan().units[static_cast<std::size_t>(unit_)].square;
  to.column += east;
  to.row += north;
  Note(controller_->MoveUnit(unit_, to));
}

void SetupHand::Turn(int eighths) {
  if (unit_ >= 0) Note(controller_->TurnUnit(unit_, eighths));
}

void SetupHand::MoreStands(int by) {
  if (unit_ < 0) return;
  const int now = controller_->Plan().units[static_cast<std::size_t>(unit_)].stands;
  Note(controller_->SetStands(unit_, now + by));
}

void SetupHand::RemoveUnit() {
  if (unit_ < 0) return;
  Note(controller_->RemoveUnit(unit_));
  unit_ = -1;
}

const std::string& SetupHand::Army() const {
  static const std::string kNone;
  const std::vector<std::string>& armies = controller_->Armies();
  return armies.empty() ? kNone : armies[army_ % armies.size()];
}

void SetupHand::NextArmy() { ++army_; }

void SetupHand::AddArmy() {
  if (Army().empty()) return;
  Note(controller_->AddArmy(side_, Army()));
  unit_ = -1;
}

void SetupHand::NextRuleset(int step) {
  const auto& names = SetupController::Rulesets();
  const int count = static_cast<int>(names.size());
  const int at = static_cast<int>(
      std::find(names.begin(), names.end(), controller_->Plan().ruleset) - names.begin());
  ChooseRuleset(names[static_cast<std::size_t>(((at + step) % count + count) % count)]);
}

void SetupHand::ChooseRuleset(const std::string& name) {
  if (name == controller_->Plan().ruleset) return;
  Note(controller_->SetRuleset(name));
  row_ = 0;
}

void SetupHand::NextPaint() {
  const auto& paints = SetupController::Paints();
  const auto& sides = controller_->Plan().sides;
  if (static_cast<std::size_t>(side_) >= sides.size()) return;
  const auto now =
      std::find(paints.begin(), paints.end(), sides[static_cast<std::size_t>(side_)].paint);
  auto at = static_cast<std::size_t>(now - paints.begin());
  if (now == paints.end()) at = paints.size() - 1;
  // The next paint that no other side has.
  for (std::size_t i = 1; i <= paints.size(); ++i) {
    const Colour paint = paints[(at + i) % paints.size()];
    const bool taken = std::any_of(sides.begin(), sides.end(), [&](const SideSpec& other) {
      return &other != &sides[static_cast<std::size_t>(side_)] && other.paint == paint;
    });
    if (taken) continue;
    Note(controller_->SetPaint(side_, paint));
    return;
  }
}

int SetupHand::AreaAt(Vec2 at) const {
  // The last one drawn lies on top.
  const auto& terrain = controller_->Plan().terrain;
  for (std::size_t i = terrain.size(); i-- > 0;) {
    if (Contains(terrain[i].polygon, at)) return static_cast<int>(i);
  }
  return -1;
}

bool SetupHand::PressTerrain(Vec2 at, double reach_in) {
  grip_ = Grip::kNothing;
  gripped_ = at;
  if (drawing_) return false;
  const TerrainArea* area = Chosen();
  if (area == nullptr) return false;
  double nearest = reach_in;
  int corner = -1;
  for (std::size_t i = 0; i < area->polygon.size(); ++i) {
    if (const double off = Distance(area->polygon[i], at); off <= nearest) {
      nearest = off;
      corner = static_cast<int>(i);
    }
  }
  if (corner >= 0) {
    corner_ = corner;
    grip_ = Grip::kCorner;
  } else if (Contains(area->polygon, at)) {
    corner_ = -1;
    grip_ = Grip::kArea;
  }
  controller_->NewStroke();
  return Gripping();
}

void SetupHand::ClickTerrain(Vec2 at, double reach_in) {
  refused_.clear();
  if (drawing_) {
    if (outline_.size() >= 3 && Distance(outline_.front(), at) <= reach_in) {
      CloseOutline();
    } else {
      PutCorner(at);
    }
    return;
  }
  if (const TerrainArea* area = Chosen(); area != nullptr && corner_ >= 0) {
    // A click on the chosen corner keeps it chosen.
    if (Distance(area->polygon[static_cast<std::size_t>(corner_)], at) <= reach_in) return;
  }
  area_ = AreaAt(at);
  corner_ = -1;
  cursor_ = at;
  if (const TerrainArea* area = Chosen()) type_ = area->type;
}

bool SetupHand::PressArmies(Vec2 at) {
  grip_ = Grip::kNothing;
  gripped_ = at;
  int unit = -1;
  const auto index = [&](const std::string& id) {
    const auto& units = controller_->Plan().units;
    const auto one =
        std::find_if(units.begin(), units.end(), [&](const UnitSpec& u) { return u.id == id; });
    return one == units.end() ? -1 : static_cast<int>(one - units.begin());
  };
  // The nearest stand within half a square.
  double nearest = 0.5 * controller_->Table().frame.square_in;
  for (const StandObservation& stand : *controller_->Stands()) {
    const double off = Distance(NearestPoint(stand.table_from_stand, stand.footprint, at), at);
    if (off < nearest) {
      nearest = off;
      unit = index(stand.unit);
    }
  }
  ChooseUnit(unit);
  if (unit_ >= 0) grip_ = Grip::kUnit;
  return Gripping();
}

void SetupHand::Drag(Vec2 to) {
  switch (grip_) {
    case Grip::kNothing:
      break;
    case Grip::kCorner:
      Note(controller_->MoveCorner(area_, corner_, to));
      break;
    case Grip::kArea: {
      // In whole hundredths, as the controller rounds: so no movement is lost between steps.
      const Vec2 by{std::round((to.x - gripped_.x) * 100) / 100,
                    std::round((to.y - gripped_.y) * 100) / 100};
      if (by == Vec2{}) break;
      Note(controller_->MoveTerrain(area_, by));
      if (refused_.empty()) gripped_ = gripped_ + by;
      break;
    }
    case Grip::kUnit:
      if (const auto square = controller_->Table().frame.SquareAt(to)) {
        Note(controller_->MoveUnit(unit_, *square));
      }
      break;
  }
}

void SetupHand::Release() {
  grip_ = Grip::kNothing;
  controller_->NewStroke();
}

}  // namespace fos
