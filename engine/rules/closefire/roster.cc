// SPDX-License-Identifier: MIT
#include "engine/rules/closefire/roster.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "engine/files/scenario_file.h"
#include "engine/files/toml_reader.h"
#include "engine/rules/closefire/field.h"
#include "engine/rules/closefire/play.h"
#include "engine/table/counted.h"
#include "engine/table/sentence.h"

namespace fos::closefire {
namespace {

constexpr TomlRange kInches{0, 1200};  // up to a hundred feet
const std::vector<std::string> kArms = {"foot", "horse", "dragoons", "hussars", "gun", "civilians"};
const std::vector<std::string> kGuns = {"battalion", "field", "heavy", "howitzer"};
const std::vector<std::string> kGrades = {"A", "B", "C", "D", "E"};
const std::vector<std::string> kRanks = {"brigadier", "general", "marshal"};
const std::vector<std::string> kFormations = {"line",     "march",    "assault",
                                              "unformed", "limbered", "unlimbered"};
const std::vector<std::string> kTerrains = {
    "hill",       "wood",         "dense_wood", "town",  "marsh", "swamp", "soft",
    "stream",     "river",        "road",       "hedge", "wall",  "ditch", "chevaux_de_frise",
    "fieldworks", "fortification"};

Terrain TerrainOf(int type) {
  Terrain t;
  switch (type) {
    case 0:
      t.level = 1;
      break;
    case 1:
      t.wood = t.rough = true;
      break;
    case 2:
      t.wood = t.rough = t.no_guns_no_cavalry = true;
      break;
    case 3:
      t.town = t.rough = t.no_guns_no_cavalry = true;
      break;
    case 4:
    case 6:
    case 7:
      t.rough = true;
      break;
    case 5:
      t.rough = t.no_guns_no_cavalry = true;
      break;
    case 8:
      t.impassable = true;
      break;
    case 9:
      t.road = true;
      break;
    case 10:
    case 12:
      t.obstacle = t.linear = true;
      break;
    case 11:
      t.obstacle = t.linear = t.hard_cover = true;
      break;
    case 13:
      t.obstacle = t.linear = t.hard_for_cavalry = true;
      break;
    case 14:
      t.obstacle = true;
      t.works = 1;
      break;
    default:
      t.obstacle = true;
      t.works = 2;
      break;
  }
  return t;
}

// An id that scripts can use as one word.
std::string Id(TomlTable& t, std::string_view key) {
  const std::string id = t.Text(key);
  const bool word = std::all_of(id.begin(), id.end(), [](unsigned char c) {
    return c > ' ' && c != '"' && c != '#' && c != 0x7f;
  });
  if (!word)
    t.Refuse(key, ErrorCode::kBadFormat, "`" + id + "` must be one word without # or quotes");
  return id;
}

class Reader {
 public:
  Reader(TomlTable root, std::filesystem::path folder)
      : root_(std::move(root)), folder_(std::move(folder)) {}

  Result<State> Read(TomlFile& file, std::uint64_t seed) {
    root_.Choice("ruleset", "rule set of this engine", {"closefire"});
    if (const Status head = ReadHead(); !head.ok()) return head.error();
    ReadTable();
    ReadSides();
    for (TomlTable& leader : root_.Tables("leader")) ReadLeader(leader);
    LinkLeaders();
    for (TomlTable& unit : root_.Tables("unit")) ReadUnit(unit);
    for (TomlTable& terrain : root_.Tables("terrain")) ReadTerrain(terrain);
    root_.NoOtherKeys();
    if (const Status problem = file.Problem(); !problem.ok()) return problem.error();
    if (setup_.units.empty())
      return Error{ErrorCode::kBadFormat, "the game has no units: add a [[unit]] table"};
    AddMessengers();
    AddParts();
    AddSpares(setup_, state_);
    Check();
    state_.setup = std::make_shared<const Setup>(setup_);
    state_.generator = seed;
    for (const auto& [unit, how] : layouts_)
      state_.units[static_cast<std::size_t>(unit)].bases =
          Arranged(state_, unit, how.formation, how.front, how.facing, how.files);
    // CF-4.9: orders in the game file are given at the place of deployment.
    for (const auto& [unit, how] : layouts_) {
      Unit& u = state_.units[static_cast<std::size_t>(unit)];
      u.Put(Of::kOrderX, Milli(how.front.x));
      u.Put(Of::kOrderY, Milli(how.front.y));
    }
    FindHalves();
    NoteHalves();
    state_.setup = std::make_shared<const Setup>(setup_);
    if (const std::string fault = DeploymentFault(); !fault.empty())
      return Error{ErrorCode::kBadFormat, fault};
    std::vector<Event> opening;
    Play play(state_, opening, {}, false);
    BeginTurn(play);
    return std::move(state_);
  }

 private:
  struct Layout {
    Formation formation = Formation::kLine;
    Vec2 front;
    double facing = 0;
    int files = 0;
  };

  Status ReadHead() {
    auto head = root_.Table("scenario");
    // A game without a head is refused in the end; what follows reads with the tables all the same.
    auto rules = ReadRules(head ? ReadClubFiles(*head, folder_) : ClubFiles());
    if (!rules.ok()) return rules.error();
    setup_.tables = std::move(rules->tables);
    setup_.settings = std::move(rules->settings);
    yd_ = setup_.settings.yards_per_inch;
    if (yd_ != Settings().yards_per_inch)
      setup_.notes.push_back(fmt::format("CF-1.1: an inch on the table is {:g} yd", yd_));
    if (!head) return Ok();
    setup_.name = head->Text("name");
    const int battle = head->Choice("battle", "battle", {"meeting", "attack"});
    setup_.battle = battle == 1 ? Battle::kAttack : Battle::kMeeting;
    if (head->Has("attacker")) attacker_ = head->Text("attacker");
    setup_.agreed_positions = head->Flag("agreed_positions", false);
    setup_.assault_objective = head->Flag("assault_objective", false);
    road_along_axis_ = head->Flag("road_along_axis", false);
    fortifications_yd_ = head->Number("fortifications_yd", {0, 10000}, 0);
    head->NoOtherKeys();
    return Ok();
  }

  void ReadTable() {
    auto table = root_.Table("table");
    if (!table) return;
    setup_.length_yd = yd_ * table->Number("length", {1, kInches.most});
    setup_.width_yd = yd_ * table->Number("width", {1, kInches.most});
    table->NoOtherKeys();
  }

  void ReadSides() {
    std::vector<TomlTable> sides = root_.Tables("side");
    if (sides.size() != 2) {
      root_.Refuse("side", ErrorCode::kBadFormat, "the game needs exactly two [[side]] tables");
      return;
    }
    for (std::size_t i = 0; i < 2; ++i) {
      setup_.sides[i] = Id(sides[i], "name");
      side_names_.push_back(setup_.sides[i]);
      sides[i].NoOtherKeys();
    }
    if (attacker_ == side_names_[1]) {
      setup_.attacker = 1;
    } else if (!attacker_.empty() && attacker_ != side_names_[0]) {
      root_.Refuse("scenario", ErrorCode::kBadFormat,
                   "`attacker` is `" + attacker_ + "`, which is not a side");
    }
  }

  Vec2 Place(TomlTable& t) {
    const Vec2 at = t.Point("at", kInches, kInches);
    if (at.x * yd_ > setup_.length_yd || at.y * yd_ > setup_.width_yd)
      t.Refuse("at", ErrorCode::kOutOfRange, "the place is off the table");
    return at * yd_;
  }

  void ReadLeader(TomlTable& t) {
    LeaderInfo info;
    info.id = Id(t, "id");
    info.side = std::max(0, t.Choice("side", "side", side_names_));
    info.rank = static_cast<Rank>(std::max(0, t.Choice("rank", "rank", kRanks)));
    info.exceptional = t.Flag("exceptional", false);
    info.radius_yd =
        yd_ / 2 * (t.Has("base") ? t.Number("base", {0.1, 10}) : setup_.tables.leader_base);
    superiors_.push_back(t.Has("superior") ? t.Text("superior") : "");
    Leader leader;
    const Vec2 at = Place(t);
    leader.Put(By::kX, Milli(at.x));
    leader.Put(By::kY, Milli(at.y));
    if (t.Has("order")) leader.Put(By::kOrder, t.Integer("order", {1, 3}));
    if (std::find(names_.begin(), names_.end(), info.id) != names_.end())
      t.Refuse("id", ErrorCode::kBadFormat, "`" + info.id + "` is used twice");
    names_.push_back(info.id);
    leader_names_.push_back(info.id);
    leader_lines_.push_back(t);
    setup_.leaders.push_back(info);
    state_.leaders.push_back(leader);
    t.NoOtherKeys();
  }

  void LinkLeaders() {
    for (std::size_t i = 0; i < superiors_.size(); ++i) {
      if (superiors_[i].empty()) continue;
      const auto found = std::find(leader_names_.begin(), leader_names_.end(), superiors_[i]);
      LeaderInfo& info = setup_.leaders[i];
      if (found == leader_names_.end()) {
        leader_lines_[i].Refuse("superior", ErrorCode::kBadFormat,
                                "there is no leader `" + superiors_[i] + "`; the nearest is `" +
                                    NearestName(superiors_[i], leader_names_) + "`");
        continue;
      }
      const auto superior = found - leader_names_.begin();
      info.superior = static_cast<LeaderId>(superior);
      const LeaderInfo& above = setup_.leaders[static_cast<std::size_t>(superior)];
      if (above.side != info.side || above.rank <= info.rank) {
        leader_lines_[i].Refuse("superior", ErrorCode::kBadFormat,
                                "a superior must be on the same side and of a higher rank");
        info.superior.reset();
      }
    }
  }

  void ReadUnit(TomlTable& t) {
    UnitInfo info;
    info.id = Id(t, "id");
    if (std::find(names_.begin(), names_.end(), info.id) != names_.end())
      t.Refuse("id", ErrorCode::kBadFormat, "`" + info.id + "` is used twice");
    names_.push_back(info.id);
    info.side = std::max(0, t.Choice("side", "side", side_names_));
    info.arm = static_cast<Arm>(std::max(0, t.Choice("arm", "arm", kArms)));
    if (t.Has("style")) info.new_style = t.Choice("style", "style", {"traditional", "new"}) == 1;
    const bool gun = info.arm == Arm::kGun;
    if (gun) info.gun = static_cast<GunClass>(std::max(0, t.Choice("gun", "class of gun", kGuns)));
    if (t.Has("commander")) {
      const int leader = t.Choice("commander", "leader", leader_names_);
      if (leader >= 0) info.commander = leader;
      if (leader >= 0 && setup_.leaders[static_cast<std::size_t>(leader)].side != info.side)
        t.Refuse("commander", ErrorCode::kBadFormat, "that leader is on the other side");
    }
    info.parts = gun ? std::vector<int>{1} : t.Integers("parts", {1, 20});
    if (info.parts.empty()) info.parts = {1};
    ReadGrades(t, info);
    info.half_base = t.Flag("half_base", false);
    info.plug_bayonets = t.Flag("plug_bayonets", false);
    info.hand_weapons = t.Flag("hand_weapons", false);
    info.swedish = t.Flag("swedish", false);
    ReadBase(t, info);
    if (!gun) {
      const std::string fault = UnitFault(setup_.tables, {info.id, info.arm, info.parts});
      if (!fault.empty()) t.Refuse("parts", ErrorCode::kBadFormat, fault);
    }
    Unit unit = BasesFor(t, info);
    const Formation formation = ReadFormation(t, info, unit);
    if (t.Flag("fascines", false)) {
      Set(unit, Of::kFascines, 1);
      if (info.arm != Arm::kFoot && info.arm != Arm::kDragoons)
        t.Refuse("fascines", ErrorCode::kBadFormat,
                 "CF-14.6: only foot and dragoons can carry fascines");
    }
    const int files = t.Has("files") ? t.Integer("files", {1, 24}) : 0;
    CheckFiles(t, info, formation, static_cast<int>(unit.bases.size()), files);
    const bool reserve = t.Flag("reserve", false);
    const bool hidden = t.Flag("hidden", false);
    Set(unit, Of::kPresence,
        static_cast<int>(reserve  ? Presence::kReserve
                         : hidden ? Presence::kHidden
                                  : Presence::kOnTable));
    Layout layout;
    layout.formation = formation == Formation::kUnformed ? Formation::kLine : formation;
    if (!reserve) layout.front = Place(t);
    layout.facing = reserve ? 0 : t.Number("facing", {0, 360});
    layout.files = files;
    layouts_.push_back({static_cast<int>(setup_.units.size()), layout});
    setup_.units.push_back(info);
    state_.units.push_back(unit);
    t.NoOtherKeys();
  }

  // CF-10.2, 10.4: the same depths as `form` accepts.
  void CheckFiles(TomlTable& t, const UnitInfo& info, Formation formation, int bases, int files) {
    if (formation == Formation::kAssault) {
      // Troops that start in assault column have an objective that the players agreed on.
      setup_.assault_objective = true;
      const int wide = files == 0 ? 2 : files;
      if (info.arm != Arm::kFoot || wide < 2 || bases <= wide)
        t.Refuse("formation", ErrorCode::kBadFormat,
                 "CF-10.4: an assault column is foot, at least two bases wide and two deep");
    }
    if (formation != Formation::kLine || files == 0 || files >= bases) return;
    const int ranks = (bases + files - 1) / files;
    const bool horse = info.arm == Arm::kHorse || info.arm == Arm::kDragoons || info.mixed;
    if (!horse || files <= ranks)
      t.Refuse("files", ErrorCode::kBadFormat,
               horse ? "CF-10.2: a deep line must be wider than it is deep"
                     : "CF-10.2: only cavalry can be deeper than one rank in line");
  }

  void ReadGrades(TomlTable& t, UnitInfo& info) {
    std::vector<Grade> grades;
    if (t.Has("grades")) {
      for (const std::string& grade : t.Texts("grades")) {
        const auto found = std::find(kGrades.begin(), kGrades.end(), grade);
        if (found == kGrades.end())
          t.Refuse("grades", ErrorCode::kBadFormat, "a grade must be A, B, C, D or E");
        else
          grades.push_back(static_cast<Grade>(found - kGrades.begin()));
      }
      if (grades.size() != info.parts.size())
        t.Refuse("grades", ErrorCode::kBadFormat, "give one grade for each battalion or squadron");
      if (!grades.empty()) info.grade = MixedGrade(grades);
      info.mixed =
          std::any_of(grades.begin(), grades.end(), [&](Grade g) { return g != grades.front(); });
    } else if (t.Has("grade") || info.arm != Arm::kGun) {
      info.grade = static_cast<Grade>(std::max(0, t.Choice("grade", "grade", kGrades)));
    }
    if (info.mixed) {
      std::string each;
      for (const Grade grade : grades)
        each += (each.empty() ? "" : ", ") + kGrades[static_cast<std::size_t>(grade)];
      setup_.notes.push_back(fmt::format("CF-2.8: {} has parts of grades {} and counts as {}",
                                         info.id, each,
                                         kGrades[static_cast<std::size_t>(info.grade)]));
    }
    info.mixed = t.Flag("mixed", info.mixed);
  }

  // CF-2.2.
  void ReadBase(TomlTable& t, UnitInfo& info) {
    const bool on_foot = info.arm == Arm::kDragoons && !t.Flag("mounted", true);
    const std::array<double, 2> nominal = NominalBase(setup_.tables, info, on_foot);
    // A nominal depth of 0 means as deep as the gun model needs: assume a square base.
    Vec2 size{nominal[0], nominal[1] > 0 ? nominal[1] : nominal[0]};
    if (t.Has("base")) {
      const Vec2 own = t.Point("base", {0.1, 10}, {0.1, 10});
      if (std::abs(own.x - size.x) > 0.01 || (nominal[1] > 0 && std::abs(own.y - size.y) > 0.01))
        setup_.notes.push_back(
            fmt::format("CF-2.2: the bases of {} are {:g} by {:g} in; {:g} by {:g} in is usual",
                        info.id, own.x, own.y, size.x, size.y));
      size = own;
    }
    info.width_yd = size.x * yd_;
    info.depth_yd = size.y * yd_;
  }

  // A unit with all its bases, not yet placed.
  static Unit BasesFor(TomlTable& t, const UnitInfo& info) {
    const int pikes = t.Has("pikes") ? t.Integer("pikes", {0, 20}) : 0;
    Unit unit;
    for (std::size_t part = 0; part < info.parts.size(); ++part)
      for (int i = 0; i < info.parts[part]; ++i) {
        BaseState base;
        base.part = static_cast<std::int8_t>(part);
        base.command = i == 0;
        base.pike = static_cast<int>(unit.bases.size()) < pikes;
        unit.bases.Edit().push_back(base);
      }
    return unit;
  }

  static void Set(Unit& unit, Of field, int value) { unit.Put(field, value); }

  // CF-10.5: also sets whether dragoons are mounted.
  static Formation ReadFormation(TomlTable& t, const UnitInfo& info, Unit& unit) {
    const bool gun = info.arm == Arm::kGun;
    const bool unformed = (info.arm == Arm::kHussars && !info.mixed) || info.arm == Arm::kCivilians;
    const bool mounted = t.Flag("mounted", true);
    if (info.arm == Arm::kDragoons) Set(unit, Of::kMounted, mounted ? 1 : 0);
    const bool on_foot = info.arm == Arm::kDragoons && !mounted;
    Formation formation = gun                   ? Formation::kUnlimbered
                          : unformed || on_foot ? Formation::kUnformed
                                                : Formation::kLine;
    if (t.Has("formation")) {
      formation =
          static_cast<Formation>(std::max(0, t.Choice("formation", "formation", kFormations)));
      const bool gun_formation =
          formation == Formation::kLimbered || formation == Formation::kUnlimbered;
      if (gun_formation != gun)
        t.Refuse("formation", ErrorCode::kBadFormat,
                 "guns must be limbered or unlimbered; other units cannot be");
      if (!gun && (formation == Formation::kUnformed) != (unformed || on_foot))
        t.Refuse("formation", ErrorCode::kBadFormat,
                 "CF-10.5: hussars, civilians and dismounted dragoons must be unformed; other "
                 "units cannot be");
    }
    Set(unit, Of::kFormation, static_cast<int>(formation));
    return formation;
  }

  void ReadTerrain(TomlTable& t) {
    const int type = std::max(0, t.Choice("type", "terrain", kTerrains));
    Terrain terrain = TerrainOf(type);
    terrain.name =
        t.Has("name") ? t.Text("name") : KeyInWords(kTerrains[static_cast<std::size_t>(type)]);
    terrain.suspect = t.Flag("suspect", false);
    if (t.Has("level")) terrain.level = t.Integer("level", {0, 10});
    for (const Vec2 corner : t.Points("polygon", 3, {-100, kInches.most}, {-100, kInches.most}))
      terrain.outline_yd.push_back(corner * yd_);
    setup_.terrain.push_back(terrain);
    t.NoOtherKeys();
  }

  // CF-4.6: messengers wait with their leader until they are sent.
  void AddMessengers() {
    constexpr int kEach = 2;  // one riding and one ready; the source gives no number
    const std::size_t leaders = setup_.leaders.size();
    for (std::size_t l = 0; l < leaders; ++l) {
      if (setup_.leaders[l].rank == Rank::kBrigadier) continue;
      for (int i = 1; i <= kEach; ++i) {
        LeaderInfo rider;
        rider.id = fmt::format("{}-m{}", setup_.leaders[l].id, i);
        rider.side = setup_.leaders[l].side;
        rider.messenger = true;
        rider.radius_yd = yd_ / 2 * setup_.tables.leader_base;
        rider.superior = static_cast<int>(l);
        Leader at = state_.leaders[l];
        at.Put(By::kGone, static_cast<int>(LeaderFate::kWaiting));
        at.Put(By::kOrder, 0);
        setup_.leaders.push_back(rider);
        state_.leaders.push_back(at);
      }
    }
  }

  // CF-14.15: places for battalions and squadrons that may split off, empty until they do.
  void AddParts() {
    const std::size_t units = setup_.units.size();
    for (std::size_t u = 0; u < units; ++u) {
      if (setup_.units[u].parts.size() < 2) continue;
      for (std::size_t part = 0; part < setup_.units[u].parts.size(); ++part) {
        UnitInfo info = setup_.units[u];
        info.id = fmt::format("{}/{}", info.id, part + 1);
        Unit unit;
        unit.Put(Of::kPresence, static_cast<int>(Presence::kMerged));
        setup_.units.push_back(info);
        state_.units.push_back(unit);
      }
    }
  }

  void Check() {
    Strength strength[2];
    std::vector<int> in_brigade(setup_.leaders.size(), 0);
    std::vector<int> foot_in(setup_.leaders.size(), 0);
    std::vector<int> horse_in(setup_.leaders.size(), 0);
    int battalions = 0, squadrons = 0, batteries = 0;
    for (std::size_t u = 0; u < setup_.units.size(); ++u) {
      const UnitInfo& info = setup_.units[u];
      const int stands = static_cast<int>(state_.units[u].bases.size());
      if (stands == 0) continue;
      Strength& side = strength[info.side];
      side.stands += stands;
      if (info.arm == Arm::kFoot) side.foot_stands += stands;
      if (info.grade <= Grade::kB && info.arm != Arm::kGun) ++side.ab_units;
      const int parts = static_cast<int>(info.parts.size());
      if (info.arm == Arm::kFoot) battalions += parts;
      if (info.arm == Arm::kGun) ++batteries;
      if (info.arm == Arm::kHorse || info.arm == Arm::kHussars || info.arm == Arm::kDragoons)
        squadrons += parts;
      if (info.commander && info.arm != Arm::kGun) {
        const auto brigade = static_cast<std::size_t>(*info.commander);
        ++in_brigade[brigade];
        foot_in[brigade] += info.arm == Arm::kFoot;
        horse_in[brigade] += info.arm == Arm::kHorse || info.arm == Arm::kHussars;
      }
      if (setup_.battle == Battle::kMeeting && info.arm == Arm::kGun &&
          info.gun == GunClass::kHeavy)
        setup_.notes.push_back("CF-3.5: a meeting engagement may not have heavy guns: " + info.id);
    }
    for (std::size_t l = 0; l < setup_.leaders.size(); ++l) {
      if (in_brigade[l] > setup_.tables.brigade_units_max)
        setup_.notes.push_back(fmt::format("CF-2.9: {} commands {} units; {} at most",
                                           setup_.leaders[l].id, in_brigade[l],
                                           setup_.tables.brigade_units_max));
      if (foot_in[l] > 0 && horse_in[l] > 0)
        setup_.notes.push_back(
            fmt::format("CF-2.9: {} commands foot and horse in one brigade", setup_.leaders[l].id));
    }
    if (battalions < setup_.tables.encounter_battalions ||
        squadrons < setup_.tables.encounter_squadrons ||
        batteries < setup_.tables.encounter_batteries)
      setup_.notes.push_back(fmt::format(
          "CF-2.10: {}, {} and {} on the table; a small encounter has {}, {} and {}",
          Counted(battalions, "battalion"), Counted(squadrons, "squadron"),
          Counted(batteries, "battery", "batteries"), setup_.tables.encounter_battalions,
          setup_.tables.encounter_squadrons, setup_.tables.encounter_batteries));
    if (setup_.battle != Battle::kAttack) return;
    for (std::string& note :
         AttackNotes(setup_.tables, strength[setup_.attacker], strength[1 - setup_.attacker]))
      setup_.notes.push_back(std::move(note));
    if (fortifications_yd_ > 0) {
      const Given given = FortificationCost(setup_.tables, fortifications_yd_);
      setup_.notes.push_back(
          fmt::format("CF-3.1: {:g} yd of works cost {} battalions or {} squadrons",
                      fortifications_yd_, given.battalions, given.squadrons));
    }
    double linear = 0;
    int features = 0;
    for (const Terrain& t : setup_.terrain) {
      if (t.road) continue;
      ++features;
      if (!t.linear) continue;
      double low = 1e9, high = -1e9;
      for (const Vec2 p : t.outline_yd) {
        low = std::min(low, p.x);
        high = std::max(high, p.x);
      }
      linear += high - low;
    }
    for (std::string& note :
         TerrainNotes(setup_.tables, features, road_along_axis_, setup_.length_yd, linear))
      setup_.notes.push_back(std::move(note));
    for (std::string& note : WayNotes(setup_)) setup_.notes.push_back(std::move(note));
  }

  // CF-3.5: the southern half belongs to the side that stands farther south.
  void FindHalves() {
    double north[2] = {0, 0};
    int count[2] = {0, 0};
    for (std::size_t u = 0; u < setup_.units.size(); ++u)
      for (const BaseState& base : state_.units[u].bases) {
        if (state_.units[u].body.presence == Presence::kReserve) continue;
        north[setup_.units[u].side] += Yd(base.y);
        ++count[setup_.units[u].side];
      }
    if (count[0] == 0 && count[1] == 0) return;
    // A side that has yet to arrive has the half that the other leaves.
    const auto mean = [&](int side) {
      return count[side] > 0 ? north[side] / count[side] : setup_.width_yd / 2;
    };
    setup_.south = mean(0) <= mean(1) ? 0 : 1;
  }

  // CF-3.3, 3.4: in an attack each side deploys on its own half.
  void NoteHalves() {
    if (setup_.battle != Battle::kAttack || setup_.agreed_positions) return;
    const Field field(state_);
    for (int u = 0; u < static_cast<int>(setup_.units.size()); ++u) {
      const Presence presence = At(state_, u).body.presence;
      if (presence != Presence::kOnTable && presence != Presence::kHidden) continue;
      const int side = setup_.units[static_cast<std::size_t>(u)].side;
      const double over = -WithinOwnHalfYd(setup_, side, field.Bases(u));
      if (over > open_table::kTiny)
        setup_.notes.push_back(fmt::format("CF-3.{}: {} is {:.0f} yd inside the enemy's half",
                                           side == setup_.attacker ? 4 : 3,
                                           setup_.units[static_cast<std::size_t>(u)].id, over));
    }
  }

  std::string DeploymentFault() {
    for (int u = 0; u < static_cast<int>(setup_.units.size()); ++u)
      if (const auto fault = SetUpFault(state_, u))
        return fmt::format("{}: {} (or write `agreed_positions = true` in [scenario])",
                           fault->clause, fault->because);
    return {};
  }

  TomlTable root_;
  std::filesystem::path folder_;
  Setup setup_;
  State state_;
  double yd_ = 20;
  std::string attacker_;
  bool road_along_axis_ = false;
  double fortifications_yd_ = 0;
  std::vector<std::string> side_names_, leader_names_, names_, superiors_;
  std::vector<TomlTable> leader_lines_;
  std::vector<std::pair<int, Layout>> layouts_;
};

}  // namespace

// CF-2.8.
Grade MixedGrade(const std::vector<Grade>& parts) {
  Grade best = Grade::kE;
  std::ptrdiff_t most = 0;
  for (const Grade grade : {Grade::kA, Grade::kB, Grade::kC, Grade::kD, Grade::kE}) {
    const auto count = std::count(parts.begin(), parts.end(), grade);
    if (count <= most) continue;
    most = count;
    best = grade;
  }
  return best;
}

std::string UnitFault(const Tables& book, const RosterUnit& unit) {
  int total = 0;
  for (const int part : unit.parts) total += part;
  const int count = static_cast<int>(unit.parts.size());
  const auto each = [&](Limits limits) {
    return std::all_of(unit.parts.begin(), unit.parts.end(),
                       [&](int n) { return limits.Contains(n); });
  };
  if (unit.arm == Arm::kFoot) {
    if (!book.foot_unit_battalions.Contains(count))
      return fmt::format("CF-2.4: {} has {} battalions; a unit has {} to {}", unit.id, count,
                         book.foot_unit_battalions.least, book.foot_unit_battalions.most);
    if (!each(book.battalion_bases))
      return fmt::format("CF-2.4: a battalion of {} must have {} to {} bases", unit.id,
                         book.battalion_bases.least, book.battalion_bases.most);
    if (total > book.foot_unit_bases_max)
      return fmt::format("CF-2.4: {} has {} bases; {} at most", unit.id, total,
                         book.foot_unit_bases_max);
    return {};
  }
  if (unit.arm != Arm::kHorse && unit.arm != Arm::kDragoons && unit.arm != Arm::kHussars) return {};
  if (!book.cavalry_unit_squadrons.Contains(count))
    return fmt::format("CF-2.5: {} has {} squadrons; a unit has {} to {}", unit.id, count,
                       book.cavalry_unit_squadrons.least, book.cavalry_unit_squadrons.most);
  if (!each(book.squadron_bases))
    return fmt::format("CF-2.5: a squadron of {} must have {} or {} bases", unit.id,
                       book.squadron_bases.least, book.squadron_bases.most);
  return {};
}

std::vector<std::string> AttackNotes(const Tables& book, Strength attacker, Strength defender) {
  std::vector<std::string> notes;
  // The attacker must have at least 3:2 in stands.
  if (attacker.stands * book.setup.stands_ratio_to < defender.stands * book.setup.stands_ratio_of)
    notes.push_back(fmt::format(
        "CF-3.1: the attacker has {} stands; at least {} are needed", attacker.stands,
        (defender.stands * book.setup.stands_ratio_of + book.setup.stands_ratio_to - 1) /
            book.setup.stands_ratio_to));
  if (attacker.foot_stands < defender.foot_stands)
    notes.push_back(
        fmt::format("CF-3.1: the attacker has {} stands of foot, fewer than the defender's {}",
                    attacker.foot_stands, defender.foot_stands));
  if (attacker.ab_units > defender.ab_units * book.setup.ab_units_ratio_max)
    notes.push_back(fmt::format("CF-3.1: the attacker has {} units of grade A or B; {} at most",
                                attacker.ab_units,
                                defender.ab_units * book.setup.ab_units_ratio_max));
  return notes;
}

Given FortificationCost(const Tables& book, double yards) {
  const int lengths =
      static_cast<int>(std::ceil(yards / book.setup.fortification_yd - open_table::kTiny));
  return {lengths * book.setup.fortification_battalions,
          lengths * book.setup.fortification_squadrons};
}

std::vector<std::string> TerrainNotes(const Tables& book, int features, bool road, double front,
                                      double linear) {
  std::vector<std::string> notes;
  if (features < book.setup.terrain_features_min)
    notes.push_back(fmt::format("CF-3.2: there are {} terrain features; at least {} are needed",
                                features, book.setup.terrain_features_min));
  if (!road) notes.push_back("CF-3.2: there must be a road along the axis of attack");
  const double most = front * book.setup.linear_obstacle_front_fraction_max;
  if (linear > most)
    notes.push_back(fmt::format(
        "CF-3.2: there are {:.0f} yd of linear obstacles; {:.0f} yd at most", linear, most));
  return notes;
}

std::vector<std::string> WayNotes(const Setup& setup) {
  // Parts of one road or river lie end to end.
  constexpr double kJoint_yd = 1;
  const auto box_of = [](const Terrain& t) {
    Box box{t.outline_yd.front(), t.outline_yd.front()};
    for (const Vec2 p : t.outline_yd) {
      box.low = {std::min(box.low.x, p.x), std::min(box.low.y, p.y)};
      box.high = {std::max(box.high.x, p.x), std::max(box.high.y, p.y)};
    }
    return box;
  };
  const std::vector<Terrain>& all = setup.terrain;
  std::vector<std::string> notes;
  std::vector<bool> seen(all.size(), false);
  for (std::size_t first = 0; first < all.size(); ++first) {
    if (seen[first] || !(all[first].road || all[first].impassable)) continue;
    std::vector<std::size_t> way = {first};
    seen[first] = true;
    bool west = false, east = false, south = false, north = false;
    for (std::size_t i = 0; i < way.size(); ++i) {
      const Box box = box_of(all[way[i]]);
      west = west || box.low.x <= kJoint_yd;
      east = east || box.high.x >= setup.length_yd - kJoint_yd;
      south = south || box.low.y <= kJoint_yd;
      north = north || box.high.y >= setup.width_yd - kJoint_yd;
      for (std::size_t other = 0; other < all.size(); ++other)
        if (!seen[other] && all[other].road == all[first].road &&
            all[other].impassable == all[first].impassable &&
            box.GapTo(box_of(all[other])) <= kJoint_yd) {
          seen[other] = true;
          way.push_back(other);
        }
    }
    if (west + east + south + north < 2)
      notes.push_back(fmt::format("CF-3.2: the {} does not join two different edges of the table",
                                  all[first].name));
  }
  return notes;
}

double WithinOwnHalfYd(const Setup& setup, int side, const std::vector<Base>& bases) {
  double least = std::numeric_limits<double>::infinity();
  for (const Base& base : bases)
    for (const Vec2 corner : open_table::Outline(base)) {
      const double north = corner.y - setup.width_yd / 2;
      least = std::min(least, setup.south == side ? -north : north);
    }
  return least;
}

std::array<double, 2> NominalBase(const Tables& book, const UnitInfo& unit, bool on_foot) {
  if (on_foot && unit.arm == Arm::kDragoons)
    return unit.new_style ? book.new_foot : book.traditional_foot;
  switch (unit.arm) {
    case Arm::kFoot:
    case Arm::kCivilians:
      return unit.new_style ? book.new_foot : book.traditional_foot;
    case Arm::kHussars:
      return book.hussars;
    case Arm::kHorse:
    case Arm::kDragoons:
      return unit.new_style ? book.new_cavalry : book.traditional_cavalry;
    case Arm::kGun:
      return unit.gun == GunClass::kBattalion ? book.battalion_gun : book.other_gun;
  }
  return book.traditional_foot;
}

std::optional<Refusal> SetUpFault(const State& s, int unit) {
  const Setup& setup = *s.setup;
  const UnitInfo& info = Info(s, unit);
  const Presence presence = At(s, unit).body.presence;
  if (presence != Presence::kOnTable && presence != Presence::kHidden) return std::nullopt;
  if (setup.agreed_positions) return std::nullopt;
  const Field field(s);
  if (setup.battle == Battle::kAttack && info.side == setup.attacker) {
    const std::optional<UnitId> enemy = field.NearestEnemy(unit);
    const double most = setup.tables.setup.attacker_min_distance;
    if (enemy && field.Gap(unit, *enemy) <= most)
      return Refusal{"CF-3.4",
                     fmt::format("{} is {:.0f} yd from {}: place it more than {:g} yd away",
                                 info.id, field.Gap(unit, *enemy), Info(s, *enemy).id, most),
                     true};
  }
  if (setup.battle != Battle::kMeeting) return std::nullopt;
  const double most = setup.tables.setup.meeting_centre_distance;
  const double own = WithinOwnHalfYd(setup, info.side, field.Bases(unit));
  if (own > most) return std::nullopt;
  return Refusal{"CF-3.5",
                 own < 0 ? fmt::format("{} is {:.0f} yd inside the enemy's half: place it in "
                                       "its own, more than {:g} yd from the centre line",
                                       info.id, -own, most)
                         : fmt::format("{} is {:.0f} yd from the centre line: place it more "
                                       "than {:g} yd away",
                                       info.id, own, most),
                 true};
}

std::optional<Terrain> TerrainNamed(std::string_view type) {
  const auto found = std::find(kTerrains.begin(), kTerrains.end(), type);
  if (found == kTerrains.end()) return std::nullopt;
  return TerrainOf(static_cast<int>(found - kTerrains.begin()));
}

// CF-1.1: inches become yards by the scale in the settings.
Result<State> ReadGame(const std::filesystem::path& path, std::uint64_t seed) {
  auto file = TomlFile::Read(path);
  if (!file.ok()) return file.error();
  auto state = Reader(file.value().Root(), path.parent_path()).Read(file.value(), seed);
  if (state.ok()) return state;
  // Errors from the reader name the file already; errors about the army do not.
  const std::string name = path.string();
  if (state.error().message.find(name) != std::string::npos) return state.error();
  return Error{state.error().code, name + ": " + state.error().message};
}

}  // namespace fos::closefire
