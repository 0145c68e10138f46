// SPDX-License-Identifier: MIT
#include "engine/rules/ancient/army.h"

#include <algorithm>

#include <fmt/format.h>

#include "engine/files/toml_reader.h"
#include "engine/rules/sweet/army_fill.h"
#include "engine/table/counted.h"

namespace fos::ancient {
namespace {

const ArmyList* Find(const Tables& tables, std::string_view name) {
  for (const ArmyList& list : tables.armies)
    if (list.name == name) return &list;
  return nullptr;
}

Error NoSuchList(const Tables& tables, std::string_view name) {
  std::vector<std::string> names;
  for (const ArmyList& list : tables.armies) names.push_back(list.name);
  return {ErrorCode::kBadFormat,
          fmt::format("no army list `{}`; the nearest is `{}`", name, NearestName(name, names))};
}

const UnitType& TypeAt(const Tables& tables, int type) {
  return tables.types[static_cast<std::size_t>(type)];
}
int PointsOf(const Tables& tables, const MusterUnit& unit) {
  return TypeAt(tables, unit.type).points * unit.stands;
}
int PointsOf(const Tables& tables, const MusterCatapult& catapult) {
  return tables.equipment[static_cast<std::size_t>(catapult.type)].points +
         PointsOf(tables, catapult.crew);
}

// One line of a list: complete units of a type, or catapults with their crews.
struct Entry {
  bool catapult = false;
  int type = 0;
  int count = 0;
  int points = 0;  // of one
};

std::vector<Entry> EntriesOf(const Tables& tables, const ArmyList& list) {
  std::vector<Entry> entries;
  for (const Count& count : list.units) {
    const int type = tables.TypeOf(count.name);
    entries.push_back({false, type, count.count,
                       PointsOf(tables, MusterUnit{type, TypeAt(tables, type).stands})});
  }
  for (const Count& count : list.catapults) {
    const int type = tables.EquipmentOf(count.name);
    const int crew = tables.equipment[static_cast<std::size_t>(type)].crew;
    entries.push_back(
        {true, type, count.count,
         PointsOf(tables, MusterCatapult{type, {crew, TypeAt(tables, crew).stands}})});
  }
  std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return a.catapult != b.catapult ? b.catapult : a.type < b.type;
  });
  return entries;
}

Muster Mustered(const Tables& tables, const std::vector<Entry>& entries) {
  Muster muster;
  for (const Entry& entry : entries)
    for (int i = 0; i < entry.count; ++i) {
      if (entry.catapult) {
        const int crew = tables.equipment[static_cast<std::size_t>(entry.type)].crew;
        muster.catapults.push_back({entry.type, {crew, TypeAt(tables, crew).stands}});
      } else {
        muster.units.push_back({entry.type, TypeAt(tables, entry.type).stands});
      }
      muster.points += entry.points;
    }
  return muster;
}

// An army has one overall commander, as in every list, but may have several sub-commanders.
bool IsCommander(const Tables& tables, const Entry& entry) {
  return !entry.catapult && TypeAt(tables, entry.type).id == "commander";
}

}  // namespace

Result<Muster> MusterOf(const Tables& tables, std::string_view army) {
  const ArmyList* list = Find(tables, army);
  if (!list) return NoSuchList(tables, army);
  return Mustered(tables, EntriesOf(tables, *list));
}

// ANC-L.
Result<Muster> BuildArmy(const Tables& tables, std::string_view army, int points) {
  constexpr int kMostPoints = 10000;
  const ArmyList* list = Find(tables, army);
  if (!list) return NoSuchList(tables, army);
  std::vector<Entry> entries = EntriesOf(tables, *list);
  const int whole = Mustered(tables, entries).points;
  if (points < 1 || points > kMostPoints || whole == 0)
    return Error{
        ErrorCode::kOutOfRange,
        fmt::format("an army of {} points cannot be built; want 1 to {}", points, kMostPoints)};
  std::vector<sweet::ArmyLine> lines;
  for (const Entry& entry : entries)
    lines.push_back({entry.count, entry.points, IsCommander(tables, entry)});
  sweet::ScaleTo(lines, points, /*commands=*/1);
  for (std::size_t i = 0; i < lines.size(); ++i) entries[i].count = lines[i].count;
  Muster muster = Mustered(tables, entries);
  if (muster.points == 0)
    return Error{ErrorCode::kOutOfRange, fmt::format("no unit of the {} list costs {} or less",
                                                     army, Counted(points, "point"))};
  return muster;
}

// ANC-L: lists are loaded as printed; a difference is reported as a notice.
std::string NoticeOf(const Tables& tables, const ArmyList& list) {
  const int points = Mustered(tables, EntriesOf(tables, list)).points;
  if (points == list.stated_points) return {};
  return fmt::format("army list `{}` adds up to {} points, {} are stated: {} {}", list.name, points,
                     list.stated_points, std::abs(points - list.stated_points),
                     points < list.stated_points ? "fewer" : "more");
}

std::string Describe(const Tables& tables, std::string_view army, const Muster& muster) {
  std::string out = fmt::format("{}, {}\n", army, Counted(muster.points, "point"));
  for (const MusterUnit& unit : muster.units)
    out += fmt::format("  {:<36} {:<8}  {:>3} points\n", TypeAt(tables, unit.type).name,
                       Counted(unit.stands, "stand"), PointsOf(tables, unit));
  for (const MusterCatapult& catapult : muster.catapults)
    out += fmt::format(
        "  {:<36} {:<8}  {:>3} points\n",
        fmt::format("{} with {}", tables.equipment[static_cast<std::size_t>(catapult.type)].name,
                    TypeAt(tables, catapult.crew.type).name),
        Counted(catapult.crew.stands, "stand"), PointsOf(tables, catapult));
  return out;
}

}  // namespace fos::ancient
