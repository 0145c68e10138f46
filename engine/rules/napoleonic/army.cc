// SPDX-License-Identifier: MIT
#include "engine/rules/napoleonic/army.h"

#include <algorithm>

#include <fmt/format.h>

#include "engine/files/toml_reader.h"
#include "engine/rules/sweet/army_fill.h"
#include "engine/table/counted.h"

namespace fos::napoleonic {
namespace {

const Organisation* Find(const Tables& tables, std::string_view name) {
  for (const Organisation& o : tables.organisations)
    if (o.name == name) return &o;
  return nullptr;
}

Error NoSuch(const Tables& tables, std::string_view name) {
  std::vector<std::string> names;
  for (const Organisation& o : tables.organisations) names.push_back(o.name);
  return {ErrorCode::kBadFormat,
          fmt::format("no organisation `{}`; the nearest is `{}`", name, NearestName(name, names))};
}

int PointsOf(const Tables& tables, const MusterUnit& unit) {
  return tables.types[static_cast<std::size_t>(unit.type)].points * unit.stands;
}
int PointsOf(const Tables& tables, const MusterBattery& battery) {
  int points = 0;
  for (const MusterUnit& crew : battery.crews) points += PointsOf(tables, crew);
  for (const int piece : battery.equipment)
    points += tables.equipment[static_cast<std::size_t>(piece)].points;
  return points;
}

Result<MusterBattery> BatteryOf(const Tables& tables, const Organisation& o) {
  MusterBattery battery{o.name, {}, {}};
  for (const Count& crew : o.stands) {
    const int type = tables.TypeOf(crew.name);
    if (type < 0)
      return Error{ErrorCode::kBadFormat,
                   fmt::format("`{}` is not a [unit] of the tables", crew.name)};
    battery.crews.push_back({type, crew.count});
  }
  for (const Count& piece : o.equipment) {
    const int type = tables.EquipmentOf(piece.name);
    if (type < 0)
      return Error{ErrorCode::kBadFormat,
                   fmt::format("`{}` is not an [equipment] of the tables", piece.name)};
    battery.equipment.insert(battery.equipment.end(), static_cast<std::size_t>(piece.count), type);
  }
  return battery;
}

}  // namespace

// NAP-ORG. In the order of the tables: units by [unit] row, batteries by [[organisation]].
Result<Muster> MusterOf(const Tables& tables, std::string_view organisation) {
  const Organisation* o = Find(tables, organisation);
  if (!o) return NoSuch(tables, organisation);
  Muster muster;
  for (const Count& count : o->units) {
    const int type = tables.TypeOf(count.name);
    if (type < 0)
      return Error{ErrorCode::kBadFormat,
                   fmt::format("`{}` is not a [unit] of the tables", count.name)};
    for (int i = 0; i < count.count; ++i)
      muster.units.push_back({type, tables.types[static_cast<std::size_t>(type)].stands});
  }
  if (!o->stands.empty() || !o->equipment.empty()) {
    Result<MusterBattery> battery = BatteryOf(tables, *o);
    if (!battery.ok()) return battery.error();
    muster.batteries.push_back(battery.value());
  }
  for (const Count& count : o->batteries) {
    const Organisation* part = Find(tables, count.name);
    if (!part) return NoSuch(tables, count.name);
    const Result<MusterBattery> battery = BatteryOf(tables, *part);
    if (!battery.ok()) return battery.error();
    for (int i = 0; i < count.count; ++i) muster.batteries.push_back(battery.value());
  }
  std::stable_sort(muster.units.begin(), muster.units.end(),
                   [](const MusterUnit& a, const MusterUnit& b) { return a.type < b.type; });
  const auto row = [&](const MusterBattery& battery) { return Find(tables, battery.name); };
  std::stable_sort(muster.batteries.begin(), muster.batteries.end(),
                   [&](const MusterBattery& a, const MusterBattery& b) { return row(a) < row(b); });
  for (const MusterUnit& unit : muster.units) muster.points += PointsOf(tables, unit);
  for (const MusterBattery& battery : muster.batteries) muster.points += PointsOf(tables, battery);
  if (muster.points != o->points)
    return Error{ErrorCode::kBadFormat,
                 fmt::format("organisation `{}` adds up to {} points, but the table says {}",
                             o->name, muster.points, o->points)};
  return muster;
}

Result<Muster> BuildArmy(const Tables& tables, std::string_view organisation, int points) {
  constexpr int kMostPoints = 10000;
  if (points < 1 || points > kMostPoints)
    return Error{
        ErrorCode::kOutOfRange,
        fmt::format("an army of {} points cannot be built; want 1 to {}", points, kMostPoints)};
  Result<Muster> whole = MusterOf(tables, organisation);
  if (!whole.ok()) return whole.error();
  // One line for equal units and batteries, which MusterOf lists side by side.
  std::vector<sweet::ArmyLine> lines;
  std::vector<const MusterUnit*> units;
  std::vector<const MusterBattery*> batteries;
  for (const MusterUnit& unit : whole->units) {
    if (units.empty() || units.back()->type != unit.type) {
      const Arm arm = tables.types[static_cast<std::size_t>(unit.type)].arm;
      units.push_back(&unit);
      lines.push_back({0, PointsOf(tables, unit), arm == Arm::kCommander});
    }
    ++lines.back().count;
  }
  for (const MusterBattery& battery : whole->batteries) {
    if (batteries.empty() || batteries.back()->name != battery.name) {
      batteries.push_back(&battery);
      lines.push_back({0, PointsOf(tables, battery), false});
    }
    ++lines.back().count;
  }
  sweet::ScaleTo(lines, points, std::max(1, points / std::max(1, whole->points)));
  Muster muster;
  for (std::size_t i = 0; i < lines.size(); ++i)
    for (int n = 0; n < lines[i].count; ++n) {
      if (i < units.size()) {
        muster.units.push_back(*units[i]);
      } else {
        muster.batteries.push_back(*batteries[i - units.size()]);
      }
    }
  muster.points = sweet::PointsOf(lines);
  if (muster.points == 0)
    return Error{ErrorCode::kOutOfRange, fmt::format("no unit of `{}` costs {} or less",
                                                     organisation, Counted(points, "point"))};
  return muster;
}

std::string Describe(const Tables& tables, std::string_view organisation, const Muster& muster) {
  std::string out = fmt::format("{}, {}\n", organisation, Counted(muster.points, "point"));
  for (const MusterUnit& unit : muster.units)
    out += fmt::format("  {:<22} {:<18}  {:>3} points\n",
                       tables.types[static_cast<std::size_t>(unit.type)].name,
                       Counted(unit.stands, "stand"), PointsOf(tables, unit));
  for (const MusterBattery& battery : muster.batteries) {
    int crew = 0;
    for (const MusterUnit& part : battery.crews) crew += part.stands;
    const std::string pieces = Counted(static_cast<double>(battery.equipment.size()), "piece");
    out += fmt::format("  {:<22} {:<18}  {:>3} points\n", battery.name,
                       Counted(crew, "stand") + ", " + pieces, PointsOf(tables, battery));
  }
  return out;
}

}  // namespace fos::napoleonic
