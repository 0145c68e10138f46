#include "engine/rules/troops.h"

#include <algorithm>
#include <cctype>

#include "engine/rules/ancient/tables.h"
#include "engine/rules/closefire/tables.h"
#include "engine/rules/colonial/tables.h"
#include "engine/rules/napoleonic/tables.h"

namespace fos {
namespace {

// The base of a body of figures and their height. For four-inch squares: the bases of the sample
// clip (datasets/sets/open_qtip), of which two fit side by side in a square.
struct Body {
  Box2 footprint;
  double high_in = 0;
};
constexpr Body kOnFoot{{1.5, 0.75}, 1.15};
constexpr Body kMounted{{1.5, 1.25}, 1.45};
constexpr Body kCrew{{0.75, 0.75}, 1.1};
constexpr Body kGun{{1.25, 1.75}, 1.0};
constexpr Body kWagon{{1.25, 2.25}, 1.1};
constexpr Body kLeader{{1.0, 1.0}, 1.6};
constexpr Body kChariot{{1.5, 1.75}, 1.6};
constexpr Body kElephant{{1.5, 1.75}, 2.2};

Troop TroopOf(std::string id, std::string name, double points, int stands, const Body& body,
              bool equipment = false, int move_hundredths = 0) {
  return {std::move(id), std::move(name), points,       std::max(stands, 1),
          equipment,     body.footprint,  body.high_in, move_hundredths / 100.0};
}

// "guard_infantry": "Guard infantry".
std::string InWords(std::string id) {
  std::replace(id.begin(), id.end(), '_', ' ');
  if (!id.empty()) id[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(id[0])));
  return id;
}

}  // namespace

namespace napoleonic {

Result<std::vector<Troop>> Troops(const ClubFiles& club) {
  const auto rules = ReadRules(club);
  if (!rules.ok()) return rules.error();
  const Tables& tables = rules->tables;
  std::vector<Troop> out;
  for (const UnitType& type : tables.types) {
    const Body& body = type.arm == Arm::kCavalry     ? kMounted
                       : type.arm == Arm::kArtillery ? kCrew
                       : type.arm == Arm::kCommander ? kLeader
                                                     : kOnFoot;
    out.push_back(TroopOf(type.id, type.name, type.points, type.stands, body, /*equipment=*/false,
                          type.move + tables.road_bonus));
  }
  for (const EquipmentType& type : tables.equipment) {
    const Body& body = type.role == EquipmentRole::kWagon ? kWagon : kGun;
    out.push_back(TroopOf(type.id, type.name, type.points, 1, body, /*equipment=*/true,
                          type.move + tables.road_bonus));
  }
  return out;
}

}  // namespace napoleonic

namespace ancient {

Result<std::vector<Troop>> Troops(const ClubFiles& club) {
  const auto rules = ReadRules(club);
  if (!rules.ok()) return rules.error();
  const Tables& tables = rules->tables;
  std::vector<Troop> out;
  for (const UnitType& type : tables.types) {
    const Body& body = type.arm == Arm::kCavalry     ? kMounted
                       : type.arm == Arm::kChariot   ? kChariot
                       : type.arm == Arm::kElephant  ? kElephant
                       : type.arm == Arm::kCrew      ? kCrew
                       : type.arm == Arm::kCommander ? kLeader
                                                     : kOnFoot;
    out.push_back(TroopOf(type.id, type.name, type.points, type.stands, body, /*equipment=*/false,
                          type.move + tables.road_bonus));
  }
  for (const EquipmentType& type : tables.equipment) {
    out.push_back(TroopOf(type.id, type.name, type.points, 1, kGun, /*equipment=*/true,
                          type.move + tables.road_bonus));
  }
  return out;
}

}  // namespace ancient

namespace colonial {

Result<std::vector<Troop>> Troops(const ClubFiles& club) {
  const auto rules = ReadRules(club);
  if (!rules.ok()) return rules.error();
  const auto& [tables, settings] = *rules;
  constexpr double kMmPerInch = 25.4;
  std::vector<Troop> out;
  for (const StandType& type : tables.types) {
    const bool tall = type.arm == Arm::kCavalry || type.arm == Arm::kCommand;
    const Body body{{type.width_mm / kMmPerInch, type.depth_mm / kMmPerInch},
                    tall ? kMounted.high_in : kOnFoot.high_in};
    out.push_back(TroopOf(type.id, InWords(type.id), type.value, 1, body, /*equipment=*/false,
                          type.move + settings.road_bonus));
  }
  return out;
}

}  // namespace colonial

namespace closefire {

// Close Fire has no points. A battalion has three to five bases, a squadron one or two
// (CF-2.4, 2.5).
Result<std::vector<Troop>> Troops(const ClubFiles& club) {
  const auto rules = ReadRules(club);
  if (!rules.ok()) return rules.error();
  const Tables& tables = rules->tables;
  const auto body = [](const std::array<double, 2>& base, const Body& usual) {
    return Body{{base[0], base[1] > 0 ? base[1] : usual.footprint.depth_in}, usual.high_in};
  };
  const int foot = (tables.battalion_bases.least + tables.battalion_bases.most) / 2;
  const int horse = tables.squadron_bases.most;
  return std::vector<Troop>{
      TroopOf("foot", "Foot", 0, foot, body(tables.new_foot, kOnFoot)),
      TroopOf("horse", "Horse", 0, horse, body(tables.new_cavalry, kMounted)),
      TroopOf("dragoons", "Dragoons", 0, horse, body(tables.new_cavalry, kMounted)),
      TroopOf("hussars", "Hussars", 0, horse, body(tables.hussars, kMounted)),
      TroopOf("gun", "Gun", 0, 1, body(tables.other_gun, kGun), /*equipment=*/true),
      TroopOf("civilians", "Civilians", 0, 1, body(tables.new_foot, kOnFoot)),
      TroopOf("leader", "Leader", 0, 1, kLeader),
  };
}

}  // namespace closefire

}  // namespace fos
