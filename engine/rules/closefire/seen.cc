// SPDX-License-Identifier: MIT
#include "engine/rules/closefire/seen.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include <fmt/format.h>

#include "engine/rules/closefire/doubt.h"
#include "engine/rules/closefire/moving.h"
#include "engine/rules/closefire/roster.h"
#include "engine/table/counted.h"

namespace fos::closefire {
namespace {

using open_table::Base;
using Stands = std::vector<StandObservation>;

constexpr std::array<std::pair<const char*, Arm>, 6> kArmOfKind = {
    {{"foot", Arm::kFoot},
     {"horse", Arm::kHorse},
     {"dragoons", Arm::kDragoons},
     {"hussars", Arm::kHussars},
     {"gun", Arm::kGun},
     {"civilians", Arm::kCivilians}}};
// A leader without a stated rank is a general.
constexpr std::array<std::pair<const char*, Rank>, 4> kRankOfKind = {
    {{"brigadier", Rank::kBrigadier},
     {"general", Rank::kGeneral},
     {"marshal", Rank::kMarshal},
     {"leader", Rank::kGeneral}}};
const std::pair<const char*, Rank>* RankOfKind(const std::string& kind) {
  const auto* const found = std::find_if(kRankOfKind.begin(), kRankOfKind.end(),
                                         [&](const auto& one) { return kind == one.first; });
  return found == kRankOfKind.end() ? nullptr : found;
}

// Translates a clip's terrain types into those of game files.
std::string GroundOf(const std::string& type) {
  if (type == "house") return "town";
  if (type == "fort") return "fortification";
  if (type == "rocks") return "marsh";  // rough ground
  if (type == "bridge") return "road";  // over the river
  return type;
}

void Set(Unit& unit, Of field, std::int32_t value) { unit.Put(field, value); }

// CF-2.4, 2.5: the scenario gives only the number of bases. Divides them evenly over the fewest
// battalions or squadrons that can hold them.
std::vector<int> PartsOf(const Tables& book, Arm arm, int bases) {
  const bool horse = arm == Arm::kHorse || arm == Arm::kDragoons || arm == Arm::kHussars;
  if (arm != Arm::kFoot && !horse) return {bases};
  const int most = std::max(1, (horse ? book.squadron_bases : book.battalion_bases).most);
  const int count = (bases + most - 1) / most;
  std::vector<int> parts;
  for (int i = 0; i < count; ++i) parts.push_back(bases / count + (i < bases % count ? 1 : 0));
  return parts;
}

// How far a base size is from the nominal size of the nearer style, inches.
double OffNominal(const Tables& book, UnitInfo& info, Box2 footprint) {
  double best = std::numeric_limits<double>::infinity();
  for (const bool style : {false, true}) {
    UnitInfo as = info;
    as.new_style = style;
    const auto [width, depth] = NominalBase(book, as);
    // A depth of 0 accepts any depth.
    const double off = std::max(std::abs(footprint.width_in - width),
                                depth > 0 ? std::abs(footprint.depth_in - depth) : 0);
    if (off < best) info.new_style = style;
    best = std::min(best, off);
  }
  return best;
}

// The troops and terrain of a clip's scenario. No unit is on the table yet.
Result<State> EmptyTable(const Scenario& scenario, const TableFrame& frame) {
  if (scenario.sides.size() != 2)
    return Error{ErrorCode::kBadFormat, "Close Fire needs exactly two sides"};
  auto rules = ReadRules(scenario.club);
  if (!rules.ok()) return rules.error();
  Setup setup;
  setup.name = scenario.name;
  setup.tables = std::move(rules->tables);
  setup.settings = std::move(rules->settings);
  const double yd = setup.settings.yards_per_inch;
  setup.length_yd = yd * frame.Width();
  setup.width_yd = yd * frame.Depth();
  for (std::size_t i = 0; i < 2; ++i) setup.sides[i] = scenario.sides[i].name;
  for (const TerrainArea& area : scenario.terrain) {
    auto terrain = TerrainNamed(GroundOf(area.type));
    if (!terrain || area.polygon.size() < 3) continue;
    terrain->name = area.type;
    for (const Vec2 corner : area.polygon) terrain->outline_yd.push_back(corner * yd);
    setup.terrain.push_back(std::move(*terrain));
  }
  State s;
  for (const UnitSpec& spec : scenario.units) {
    const KindSpec& kind = scenario.kinds[static_cast<std::size_t>(spec.kind)];
    if (const auto* const rank = RankOfKind(kind.name)) {
      LeaderInfo info;
      info.id = spec.id;
      info.side = spec.side;
      info.rank = rank->second;
      info.radius_yd = yd * kind.footprint.width_in / 2;
      setup.leaders.push_back(std::move(info));
      Leader leader;
      leader.Put(By::kGone, static_cast<int>(LeaderFate::kWaiting));
      s.leaders.push_back(leader);
      continue;
    }
    const auto* const arm = std::find_if(kArmOfKind.begin(), kArmOfKind.end(),
                                         [&](const auto& one) { return kind.name == one.first; });
    if (arm == kArmOfKind.end())
      return Error{ErrorCode::kBadFormat,
                   fmt::format("kind `{}` is not one of foot, horse, dragoons, hussars, gun, "
                               "civilians, leader, brigadier, general, marshal",
                               kind.name)};
    UnitInfo info;
    info.id = spec.id;
    info.side = spec.side;
    info.arm = arm->second;
    info.parts = PartsOf(setup.tables, info.arm, spec.stands);
    info.width_yd = yd * kind.footprint.width_in;
    info.depth_yd = yd * kind.footprint.depth_in;
    if (OffNominal(setup.tables, info, kind.footprint) > 0.01)
      setup.notes.push_back(
          fmt::format("the bases of {} are {:g} by {:g} in, which is unusual (CF-2.2)", info.id,
                      kind.footprint.width_in, kind.footprint.depth_in));
    if (const std::string fault = UnitFault(setup.tables, {info.id, info.arm, info.parts});
        !fault.empty())
      setup.notes.push_back(fault);
    Unit unit;
    Set(unit, Of::kPresence, static_cast<int>(Presence::kReserve));
    if (info.arm == Arm::kDragoons) Set(unit, Of::kMounted, 1);
    setup.units.push_back(std::move(info));
    s.units.push_back(std::move(unit));
  }
  s.setup = std::make_shared<const Setup>(std::move(setup));
  return s;
}

bool Usable(const StandObservation& stand, const TableFrame& frame) {
  return frame.Contains(stand.table_from_stand.origin) &&
         std::isfinite(stand.table_from_stand.heading_rad) &&
         std::isfinite(RmsSigma(stand.centre_cov));
}

// One sigma of the place of the least certain base, yards.
double DoubtOf(const State& s, const Stands& seen) {
  double out = 0;
  for (const StandObservation& stand : seen)
    out = std::max(out, RmsSigma(stand.centre_cov) * s.Rulings().yards_per_inch);
  return out;
}

struct Shape {
  Formation formation = Formation::kLine;
  int files = 0;
};
std::vector<Shape> ShapesOf(const State& s, int unit, int bases) {
  std::vector<Shape> out = {{Formation::kLine, bases}};
  // CF-10.2: cavalry two deep, wider than deep.
  if (IsCavalry(s, unit) && bases / 2 > 2) out.push_back({Formation::kLine, (bases + 1) / 2});
  if (bases > 1) out.push_back({Formation::kMarch, 1});
  if (IsFoot(s, unit) && bases > 2) out.push_back({Formation::kAssault, 2});  // CF-10.4
  return out;
}

// The largest distance between a seen base and its place in the arranged body; infinity if one of
// them faces another way.
double Misfit(const State& s, int unit, const std::vector<Base>& seen,
              const std::vector<BaseState>& arranged, double facing_deg, double turn_deg) {
  double out = 0;
  std::vector<bool> taken(seen.size());
  for (const BaseState& place : arranged) {
    const Vec2 at = ToBase(s, unit, place).centre;
    std::size_t best = seen.size();
    for (std::size_t i = 0; i < seen.size(); ++i)
      if (!taken[i] &&
          (best == seen.size() || Distance(seen[i].centre, at) < Distance(seen[best].centre, at)))
        best = i;
    taken[best] = true;
    if (open_table::AngleBetween(seen[best].facing_deg, facing_deg) > turn_deg)
      return std::numeric_limits<double>::infinity();
    out = std::max(out, Distance(seen[best].centre, at));
  }
  return out;
}

// Puts a unit where its bases were seen, straightened if they form a formation. Returns false if
// they form none; the bases then stay as seen.
bool SetDown(State& s, int unit, const Stands& seen) {
  Unit& u = s.units[static_cast<std::size_t>(unit)];
  u.bases = {};
  Set(u, Of::kPresence, static_cast<int>(Presence::kOnTable));
  Set(u, Of::kDoubtMilliYd, Milli(DoubtOf(s, seen)));
  Vec2 centre, mean;
  for (const StandObservation& stand : seen) {
    const Vec2 at = stand.table_from_stand.origin * s.Rulings().yards_per_inch;
    const double facing = BearingFromHeading(stand.table_from_stand.heading_rad);
    u.bases.Edit().push_back(ToState({at, facing, 0, 0}, {}));
    centre = centre + at / static_cast<double>(seen.size());
    mean = mean + open_table::Ahead(facing);
  }
  const UnitInfo& info = Info(s, unit);
  if (IsGun(s, unit)) {
    Set(u, Of::kFormation, static_cast<int>(Formation::kUnlimbered));
    return true;
  }
  if (info.arm == Arm::kHussars || info.arm == Arm::kCivilians) {
    Set(u, Of::kFormation, static_cast<int>(Formation::kUnformed));
    return HangsTogether(BasesOf(s, unit), s.Book().manoeuvre.unformed_spacing);
  }
  Set(u, Of::kFormation, static_cast<int>(Formation::kLine));
  if (Norm(mean) <= open_table::kTiny) return false;
  const double facing = open_table::BearingTo({}, mean);
  const std::vector<Base> bases = BasesOf(s, unit);
  // A base is in its place if it and its corners are within half a base of it.
  const double most = std::min(info.width_yd, info.depth_yd) / 2;
  const double turn_deg = std::atan2(most, info.width_yd / 2) * 180 / std::numbers::pi;
  double best = most;
  std::vector<BaseState> straight;
  for (const Shape& shape : ShapesOf(s, unit, static_cast<int>(bases.size()))) {
    std::vector<BaseState> arranged = Arranged(s, unit, shape.formation, {}, facing, shape.files);
    Vec2 middle;
    for (const BaseState& base : arranged)
      middle = middle + ToBase(s, unit, base).centre / static_cast<double>(arranged.size());
    arranged = Arranged(s, unit, shape.formation, centre - middle, facing, shape.files);
    const double misfit = Misfit(s, unit, bases, arranged, facing, turn_deg);
    if (misfit >= best) continue;
    best = misfit;
    straight = std::move(arranged);
    Set(u, Of::kFormation, static_cast<int>(shape.formation));
  }
  if (straight.empty()) return false;
  u.bases = std::move(straight);
  return true;
}

Stands OfUnit(const Stands& stands, const std::string& unit, const TableFrame& frame) {
  Stands out;
  for (const StandObservation& stand : stands)
    if (stand.unit == unit && Usable(stand, frame)) out.push_back(stand);
  return out;
}

// Sets `whole` by unit: whether it stands in a formation.
State AsSeen(State s, const Stands& stands, const TableFrame& frame, std::vector<bool>& whole) {
  for (int u = 0; u < static_cast<int>(s.units.size()); ++u) {
    const Stands seen = OfUnit(stands, Info(s, u).id, frame);
    whole.push_back(!seen.empty() && SetDown(s, u, seen));
  }
  return s;
}

Refusal NoFormation(const State& s, int unit) {
  const bool unformed = IsUnformed(s, unit);
  return {unformed ? "CF-10.5" : "CF-10.1",
          Info(s, unit).id + (unformed ? "'s bases are too far apart to be one body"
                                       : "'s bases form neither a line nor a column"),
          true};
}

// The dice most likely to give so many yards, in words; a refusal if no dice can.
struct DiceFor {
  std::string words;
  std::optional<Refusal> refused;
};
DiceFor DiceWanted(const State& s, int unit, double yards) {
  const Field field(s);
  const bool rough = field.RoughUnder(field.Bases(unit));
  const bool limbered = At(s, unit).body.formation == Formation::kLimbered;
  // CF-11.3: within 2 yd counts as the full distance. CF-11.7: far from the enemy it may double.
  const double wanted = yards - kFull_yd;
  const bool may_double = field.MayDouble(unit);
  double most = 0;
  for (const int times : {1, 2}) {
    if (times == 2 && !may_double) break;
    double best = 0;
    std::string name;
    for (const DiceSet& set : DiceSetsOf(s, unit, rough)) {
      int throws = 1;
      for (std::size_t i = 0; i < set.size(); ++i) throws *= 6;
      int enough = 0;
      for (int n = 0; n < throws; ++n) {
        Roll roll;
        roll.rough = rough && !(limbered && !s.Rulings().limbered_rough_minus10);
        int rest = n;
        for (const Die die : set) {
          const auto face = static_cast<std::size_t>(rest % 6);
          roll.dice.push_back(die == Die::kD6 ? static_cast<int>(face) + 1
                                              : s.Book().avd_from_d6[face + 1]);
          rest /= 6;
        }
        const double gives = times * AllowanceYd(s.Book(), roll);
        most = std::max(most, gives);
        enough += gives >= wanted;
      }
      if (enough > best * throws) {
        best = static_cast<double>(enough) / throws;
        name = DiceName(set);
      }
    }
    if (best > 0)
      return {fmt::format("{}{} gives this distance in {:.0f} % of throws", name,
                          times == 2 ? " doubled (CF-11.7)" : "", 100 * best),
              {}};
  }
  return {"", Refusal{IsGun(s, unit)       ? "CF-12.8"
                      : IsCavalry(s, unit) ? "CF-12.2"
                                           : "CF-12.1",
                      fmt::format("its dice give at most {:g} yd", most), true}};
}

MoveRuling Judge(const State& s, const ParsedLine& words) {
  const int unit = words.units[0];
  MoveRuling out;
  const SeenWay way = ExplainSeen(s, words);
  if (way.refused) {
    out.refused = way.refused;
    out.refused->may_overrule = true;
    out.text = fmt::format("{} ({})", way.refused->because, way.refused->clause);
    return out;
  }
  if (way.without_dice) {
    out.text = fmt::format("{}: {}; it needs no dice and costs {} (CF-11.6)", way.where, way.how,
                           Counted(way.dp, "DP"));
    return out;
  }
  DiceFor dice = DiceWanted(s, unit, way.yards);
  const std::string how = fmt::format("{}: {}; it needs {:.1f} yd and costs {}", way.where, way.how,
                                      way.yards, Counted(way.dp, "DP"));
  out.text = dice.refused
                 ? fmt::format("{}: {} ({})", how, dice.refused->because, dice.refused->clause)
                 : fmt::format("{}; {} (CF-11.6)", how, dice.words);
  out.refused = std::move(dice.refused);
  return out;
}

// CF-4.2, 12.7: only the ends of the ride are known, so it is taken as straight.
MoveRuling JudgeRide(const State& s, int leader, Vec2 from, Vec2 to, double sigma_yd) {
  const Field field(s);
  const auto& book = s.Book().leader;
  const int side = LeaderInfoOf(s, leader).side;
  const double yards = Distance(from, to);
  // Allow for the camera's error: the players get the benefit of the doubt.
  double nearest = field.NearestEnemyGap(side, to);
  constexpr double kLook_yd = 2;
  for (double d = 0; d < yards; d += kLook_yd)
    nearest = std::min(nearest, field.NearestEnemyGap(side, from + (d / yards) * (to - from)));
  const bool far = nearest + kSigmas * sigma_yd > book.far_distance;
  const double most = far ? book.move_far : book.move;
  MoveRuling out;
  const std::string& id = LeaderInfoOf(s, leader).id;
  out.line = fmt::format("ride {} to {:.1f} {:.1f}", id, to.x, to.y);
  out.text = fmt::format("{} rode {:.0f} yd: {:g} yd at most{} (CF-4.2)", id, yards, most,
                         far ? "" : fmt::format(" within {:g} yd of the enemy", book.far_distance));
  if (yards - kSigmas * sigma_yd > most) out.refused = Refusal{"CF-4.2", out.text, true};
  return out;
}

}  // namespace

Result<State> SeenGame(const Scenario& scenario, const TableFrame& frame, std::uint64_t seed) {
  auto table = EmptyTable(scenario, frame);
  if (!table.ok()) return table.error();
  State s = std::move(table).value();
  Setup setup = *s.setup;
  const double yd = setup.settings.yards_per_inch;
  std::size_t units = 0;
  std::size_t leaders = 0;
  for (const UnitSpec& spec : scenario.units) {
    const Vec2 at = yd * frame.CentreOf(spec.square);
    if (RankOfKind(scenario.kinds[static_cast<std::size_t>(spec.kind)].name) != nullptr) {
      Leader& leader = s.leaders[leaders++];
      leader.Put(By::kX, Milli(at.x));
      leader.Put(By::kY, Milli(at.y));
      leader.Put(By::kGone, static_cast<int>(LeaderFate::kOnTable));
      continue;
    }
    const auto u = static_cast<int>(units++);
    Unit& unit = s.units[static_cast<std::size_t>(u)];
    const UnitInfo& info = Info(s, u);
    const bool unformed = info.arm == Arm::kHussars || info.arm == Arm::kCivilians;
    Set(unit, Of::kFormation,
        static_cast<int>(IsGun(s, u) ? Formation::kUnlimbered
                         : unformed  ? Formation::kUnformed
                                     : Formation::kLine));
    Set(unit, Of::kPresence, static_cast<int>(Presence::kOnTable));
    for (std::size_t part = 0; part < info.parts.size(); ++part)
      for (int i = 0; i < info.parts[part]; ++i) {
        BaseState base;
        base.part = static_cast<std::int8_t>(part);
        base.command = i == 0;
        unit.bases.Edit().push_back(base);
      }
    // In line about the middle of its square.
    const double facing = BearingOf(spec.facing);
    unit.bases = Arranged(s, u, Formation::kLine,
                          at + 0.5 * info.depth_yd * open_table::Ahead(facing), facing, 0);
    Set(unit, Of::kOrderX, Milli(at.x));
    Set(unit, Of::kOrderY, Milli(at.y));
  }
  // The scenario does not name commanders: each unit answers to the nearest leader of the lowest
  // rank present, and he answers to the nearest of the next rank.
  const auto nearest_of = [&](int side, Rank above, Vec2 from) {
    std::optional<LeaderId> best;
    for (std::size_t l = 0; l < setup.leaders.size(); ++l) {
      const LeaderInfo& info = setup.leaders[l];
      if (info.side != side || info.rank < above) continue;
      const auto place = [&](std::size_t one) {
        return Vec2{Yd(s.leaders[one].at.x), Yd(s.leaders[one].at.y)};
      };
      const auto key = [&](std::size_t one) {
        return std::pair(setup.leaders[one].rank, Distance(place(one), from));
      };
      if (!best || key(l) < key(static_cast<std::size_t>(*best))) best = static_cast<LeaderId>(l);
    }
    return best;
  };
  for (std::size_t u = 0; u < setup.units.size(); ++u) {
    UnitInfo& info = setup.units[u];
    const Vec2 at{Yd(s.units[u].obeys.order_at.x), Yd(s.units[u].obeys.order_at.y)};
    info.commander = nearest_of(info.side, Rank::kBrigadier, at);
  }
  for (std::size_t l = 0; l < setup.leaders.size(); ++l) {
    LeaderInfo& info = setup.leaders[l];
    if (info.rank == Rank::kMarshal) continue;
    const Rank above = info.rank == Rank::kBrigadier ? Rank::kGeneral : Rank::kMarshal;
    info.superior = nearest_of(info.side, above, {Yd(s.leaders[l].at.x), Yd(s.leaders[l].at.y)});
  }
  AddSpares(setup, s);
  s.setup = std::make_shared<const Setup>(std::move(setup));
  s.generator = seed;
  std::vector<Event> opening;
  Play play(s, opening, {}, false);
  BeginTurn(play);
  return s;
}

std::vector<std::string> PlacementLines(const State& s,
                                        const std::vector<StandObservation>& stands) {
  std::vector<std::string> out;
  const auto of = [&](const std::string& id) {
    Stands seen;
    for (const StandObservation& stand : stands)
      if (stand.unit == id && std::isfinite(RmsSigma(stand.centre_cov))) seen.push_back(stand);
    return seen;
  };
  State as_seen = s;
  for (int u = 0; u < static_cast<int>(s.units.size()); ++u) {
    const Stands seen = of(Info(s, u).id);
    if (!At(s, u).OnTable() || seen.empty() || seen.size() != At(s, u).bases.size() ||
        !SetDown(as_seen, u, seen))
      continue;
    // An unformed body is placed by the mean of its bases.
    const Unit& unit = At(as_seen, u);
    const Formation formation = unit.body.formation;
    const Field::Front front = Field(as_seen).FrontOf(u);
    Vec2 at = front.centre;
    std::string shape;
    if (formation == Formation::kUnformed)
      at = Field(as_seen).Centre(u) +
           0.5 * Info(s, u).depth_yd * open_table::Ahead(front.facing_deg);
    if (formation == Formation::kMarch) shape = " march";
    if (formation == Formation::kAssault) shape = fmt::format(" assault {}", front.files);
    if (formation == Formation::kLine) shape = fmt::format(" line {}", front.files);
    out.push_back(fmt::format("deploy {} at {:.2f} {:.2f} {:.1f}{}", Info(s, u).id, at.x, at.y,
                              front.facing_deg, shape));
    out.push_back(fmt::format("doubt {} {:.3f}", Info(s, u).id, Yd(unit.body.doubt_milli_yd)));
  }
  for (const LeaderInfo& leader : s.setup->leaders) {
    const Stands seen = of(leader.id);
    if (leader.messenger || seen.size() != 1) continue;
    const Vec2 at = s.Rulings().yards_per_inch * seen[0].table_from_stand.origin;
    out.push_back(fmt::format("deploy {} at {:.2f} {:.2f}", leader.id, at.x, at.y));
  }
  return out;
}

Result<std::optional<MoveRuling>> JudgeSeenMove(const SeenMove& move,
                                                const std::vector<StandObservation>& stands,
                                                const Scenario& scenario, const TableFrame& frame) {
  std::optional<MoveRuling> out;
  auto table = EmptyTable(scenario, frame);
  if (!table.ok()) return table.error();
  if (move.after.empty()) return out;
  std::vector<bool> whole;
  State s = AsSeen(std::move(table).value(), stands, frame, whole);
  const std::string& id = move.after.front().unit;
  if (const std::optional<LeaderId> found = FindLeader(s, id)) {
    const LeaderId leader = *found;
    const Stands before = OfUnit(stands, id, frame);
    const StandObservation& after = move.after.front();
    if (before.empty() || !Usable(after, frame)) return out;
    const double yd = s.Rulings().yards_per_inch;
    const Vec2 from = yd * before.front().table_from_stand.origin;
    const Vec2 to = yd * after.table_from_stand.origin;
    const double sigma =
        yd * std::hypot(RmsSigma(before.front().centre_cov), RmsSigma(after.centre_cov));
    // A small shift is not a ride: within the camera's error and a player's hand the leader has not
    // moved.
    constexpr double kHand_yd = 1;
    if (Distance(from, to) > kHand_yd + 2 * sigma) out = JudgeRide(s, leader, from, to, sigma);
    return out;
  }
  const std::optional<UnitId> found = FindUnit(s, id);
  if (!found || !whole[static_cast<std::size_t>(*found)]) return out;
  const UnitId unit = *found;
  Stands now = OfUnit(stands, id, frame);
  for (StandObservation& stand : now)
    for (const StandObservation& moved : move.after)
      if (moved.stand == stand.stand && Usable(moved, frame)) stand = moved;
  State then = s;
  const bool still_whole = SetDown(then, unit, now);
  const Field::Front front = Field(then).FrontOf(unit);
  ParsedLine words;
  words.verb = "seen";
  words.units = {unit};
  words.numbers = {front.centre.x, front.centre.y, front.facing_deg};
  out.emplace();
  out->line = fmt::format("seen {} {:.1f} {:.1f} {:.1f}", id, front.centre.x, front.centre.y,
                          open_table::WrappedBearing(std::round(front.facing_deg * 10) / 10));
  if (!still_whole) {
    out->refused = NoFormation(then, unit);
    out->text = fmt::format("{} ({})", out->refused->because, out->refused->clause);
    return out;
  }
  const auto formed = At(then, unit).body.formation;
  if (formed != At(s, unit).body.formation) {
    words.flags = {formed == Formation::kMarch     ? "march"
                   : formed == Formation::kAssault ? "assault"
                                                   : "line"};
    out->line += " " + words.flags.front();
  }
  s.turn = 1;
  s.phase = Phase::kMovement;
  s.to_act = Info(s, unit).side;
  Unit& u = s.units[static_cast<std::size_t>(unit)];
  Set(u, Of::kControl, static_cast<int>(Control::kControlled));
  // Both places have the camera's error.
  Set(u, Of::kDoubtMilliYd,
      Milli(std::hypot(Yd(u.body.doubt_milli_yd), Yd(At(then, unit).body.doubt_milli_yd))));
  if (const SeenWay way = ExplainSeen(s, words); way.legs.empty() && !way.refused)
    return std::optional<MoveRuling>();  // it has not moved
  MoveRuling ruling = Judge(s, words);
  if (ruling.refused && IsGun(s, unit)) {
    Set(u, Of::kFormation, static_cast<int>(Formation::kLimbered));
    if (MoveRuling limbered = Judge(s, words); !limbered.refused) ruling = std::move(limbered);
  }
  out->refused = std::move(ruling.refused);
  out->text = std::move(ruling.text);
  return out;
}

Result<std::vector<std::string>> CheckSeenSetup(const std::vector<StandObservation>& stands,
                                                const Scenario& scenario, const TableFrame& frame) {
  auto table = EmptyTable(scenario, frame);
  if (!table.ok()) return table.error();
  std::vector<bool> whole;
  const State s = AsSeen(std::move(table).value(), stands, frame, whole);
  std::vector<std::string> out = s.setup->notes;
  for (int u = 0; u < static_cast<int>(s.units.size()); ++u) {
    if (whole[static_cast<std::size_t>(u)] || !At(s, u).OnTable()) continue;
    const Refusal no = NoFormation(s, u);
    out.push_back(fmt::format("{} ({})", no.because, no.clause));
  }
  return out;
}

}  // namespace fos::closefire
