// SPDX-License-Identifier: MIT
#include "engine/rules/colonial/seen.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "engine/rules/colonial/action.h"
#include "engine/rules/colonial/lines.h"
#include "engine/rules/colonial/movement.h"
#include "engine/rules/colonial/query.h"
#include "engine/rules/colonial/reading.h"
#include "engine/squares/terrain.h"

namespace fos::colonial {
namespace {

Polygon InMillimetres(Polygon outline) {
  for (Vec2& corner : outline) corner = corner * kMillimetresPerInch;
  return outline;
}

void AddTerrain(Setup& setup, const Scenario& scenario, const TableFrame& frame) {
  std::vector<Cell> bridges;
  for (const TerrainArea& area : scenario.terrain) {
    if (area.polygon.size() < 3) continue;
    const Polygon outline_mm = InMillimetres(area.polygon);
    const std::vector<Cell> cells =
        CellsTaken(setup.tables, setup.settings, setup.board, outline_mm);
    if (const auto edge = EdgeTypeOf(area.type); edge && cells.empty())
      AddEdgesUnder(setup, outline_mm, *edge);
    const Ground usual = UsualGround(area.type);
    for (const Cell cell : cells) {
      Ground& ground = setup.ground[static_cast<std::size_t>(cell)];
      Merge(ground, usual);
      if (area.type == "hill") ++ground.level;  // COL-5.8: each is a contour
      if (area.type == "bridge") bridges.push_back(cell);
    }
  }
  for (const Cell cell : bridges) Bridge(setup.ground[static_cast<std::size_t>(cell)]);
  const std::vector<squares::CellTerrain> roads = squares::TerrainOf(scenario, frame);
  for (std::size_t c = 0; c < roads.size(); ++c) setup.ground[c].road = roads[c].road;
}

// The camera names a unit's stands UNIT#1, UNIT#2, ...; here a single stand has the name of its
// unit.
bool Called(const StandInfo& stand, const std::string& id) {
  return stand.id == id || stand.id + "#1" == id;
}

// The position as seen, without stands that were not seen. Of two in a square the one further along
// their facing is in front (COL-1.3). Stands that a square cannot hold are left out too.
Setup SeenSetup(const Setup& setup, const std::vector<StandObservation>& stands,
                const TableFrame& frame) {
  struct Placed {
    StandInfo info;
    double forward = 0;
  };
  std::vector<Placed> placed;
  for (const StandInfo& known : setup.stands) {
    const auto seen = std::find_if(stands.begin(), stands.end(), [&](const StandObservation& one) {
      return Called(known, one.stand.text);
    });
    if (seen == stands.end()) continue;
    const Vec2 centre = seen->table_from_stand.origin;
    const auto square = frame.SquareAt(centre);
    if (!square) continue;
    Placed one{known, 0};
    one.info.cell = setup.board.At(*square);
    one.info.facing =
        ReadFacing(setup.settings, BearingFromHeading(seen->table_from_stand.heading_rad)).facing;
    const squares::Offset f = squares::StepOf(one.info.facing);
    one.forward = centre.x * f.dx + centre.y * f.dy;
    const auto in_square = [&](int side) {
      return std::count_if(placed.begin(), placed.end(), [&](const Placed& p) {
        return p.info.cell == one.info.cell && (side < 0 || p.info.side == side);
      });
    };
    const bool room = in_square(-1) < 2 && in_square(1 - one.info.side) == 0;
    if (room) placed.push_back(std::move(one));
  }
  std::stable_sort(placed.begin(), placed.end(),
                   [](const Placed& a, const Placed& b) { return a.forward > b.forward; });
  Setup out = setup;
  out.stands.clear();
  for (Placed& one : placed) out.stands.push_back(std::move(one.info));
  return out;
}

// COL-1.3: the position of a stand's centre along the facing of its square, inches; nothing if it
// was not seen.
std::optional<double> SeenForward(const std::vector<StandObservation>& stands,
                                  const StandInfo& stand, Facing facing) {
  const squares::Offset f = squares::StepOf(facing);
  for (const StandObservation& seen : stands)
    if (Called(stand, seen.stand.text))
      return seen.table_from_stand.origin.x * f.dx + seen.table_from_stand.origin.y * f.dy;
  return std::nullopt;
}

// Whether a stand that moved to a friend's square is now in front of it.
bool CameAhead(const State& s, const SeenMove& seen, const std::vector<StandObservation>& before,
               PieceNo mover, Cell to, Facing facing) {
  const PieceNo other = s.In(to)[0];
  if (other == kNoPiece) return false;
  const auto info = [&](PieceNo i) { return s.setup->stands[static_cast<std::size_t>(i)]; };
  const auto mine = SeenForward(seen.after, info(mover), facing);
  const auto his = SeenForward(before, info(other), facing);
  return mine && his && *mine > *his;
}

// The state as if this side were acting and no stand had been activated yet.
State ActingNow(Setup setup, int side) {
  State s = NewGame(std::make_shared<const Setup>(std::move(setup)), 0);
  s.ask = {};
  s.turn = 1;
  s.notes_told = true;
  s.phase = Phase::kActing;
  s.acting = static_cast<std::int8_t>(side);
  s.left = static_cast<std::int16_t>(s.stands.size());
  return s;
}

// COL-5.11: whether a beaten stand may have withdrawn there.
bool IsWithdrawal(const State& s, PieceNo stand, Cell to, Facing facing) {
  if (s.Rulings().withdraw_keeps_facing != (facing == s.At(stand).facing)) return false;
  const auto ways = Withdrawals(s, stand);
  return std::any_of(ways.begin(), ways.end(),
                     [&](const auto& path) { return !path.empty() && path.back() == to; });
}

}  // namespace

Result<std::shared_ptr<const Setup>> SetupOf(const Scenario& scenario, const TableFrame& frame) {
  if (scenario.sides.size() != 2)
    return Error{ErrorCode::kBadFormat, "the Colonial rules need exactly two sides"};
  auto rules = ReadRules(scenario.club);
  if (!rules.ok()) return rules.error();
  Setup setup;
  setup.name = scenario.name;
  setup.tables = std::move(rules->tables);
  setup.settings = std::move(rules->settings);
  setup.tables.square_mm = static_cast<int>(std::lround(frame.square_in * kMillimetresPerInch));
  setup.turns = std::clamp(scenario.turns.value_or(setup.settings.max_turns), 1,
                           std::max(1, setup.settings.max_turns));
  setup.MakeBoard(frame.columns, frame.rows);
  for (std::size_t i = 0; i < 2; ++i)
    setup.sides[i] = {scenario.sides[i].name, scenario.sides[i].baseline};
  AddTerrain(setup, scenario, frame);
  for (const UnitSpec& spec : scenario.units) {
    const std::string& kind = scenario.kinds[static_cast<std::size_t>(spec.kind)].name;
    StandInfo info;
    info.side = spec.side;
    info.type = setup.tables.TypeOf(kind);
    if (info.type < 0)
      return Error{ErrorCode::kBadFormat,
                   fmt::format("kind `{}` is not a stand of the tables", kind)};
    const StandType& type = setup.TypeAt(info.type);
    if (type.arm == Arm::kCavalry) info.mounted_type = info.type;
    if (!spec.mounted.empty()) {
      info.mounted_type = setup.tables.TypeOf(spec.mounted);
      if (type.id != "dismounted_cavalry" || info.mounted_type < 0 ||
          setup.TypeAt(info.mounted_type).arm != Arm::kCavalry)
        return Error{ErrorCode::kBadFormat,
                     fmt::format("unit {} is of kind `{}` and has `mounted` = `{}`: only "
                                 "`dismounted_cavalry` has it, and it names a kind of cavalry",
                                 spec.id, kind, spec.mounted)};
    }
    info.weapon = type.weapon;
    info.cell = setup.board.At(spec.square);
    info.facing = spec.facing;
    for (int n = 1; n <= spec.stands; ++n) {
      info.id = spec.stands == 1 ? spec.id : fmt::format("{}#{}", spec.id, n);
      setup.stands.push_back(info);
    }
  }
  // Refuse only what the game cannot represent; other faults become remarks.
  if (const auto why = WhyNoStart(setup); why && why->clause.starts_with("COL-1."))
    return Error{ErrorCode::kOutOfRange, fmt::format("{} ({})", why->text, why->clause)};
  return std::make_shared<const Setup>(std::move(setup));
}

Result<std::optional<MoveRuling>> JudgeSeenMove(const SeenMove& seen,
                                                const std::vector<StandObservation>& stands,
                                                const Scenario& scenario, const TableFrame& frame) {
  const auto setup = SetupOf(scenario, frame);
  if (!setup.ok()) return setup.error();
  std::optional<MoveRuling> out;
  if (!frame.Contains(seen.from) || !frame.Contains(seen.to) || seen.from == seen.to) return out;
  Setup now = SeenSetup(*setup.value(), stands, frame);
  const Cell from = now.board.At(seen.from);
  const Cell to = now.board.At(seen.to);
  Move move;
  std::string who;
  for (const StandId& id : seen.pieces) {
    who += (who.empty() ? "" : ", ") + id.text;
    for (std::size_t i = 0; i < now.stands.size(); ++i)
      if (Called(now.stands[i], id.text) && now.stands[i].cell == from)
        move.stands.push_back(static_cast<PieceNo>(i));
  }
  if (move.stands.empty() || move.stands.size() > 2) return out;
  std::sort(move.stands.begin(), move.stands.end());  // the front one first
  const PieceNo first = move.stands.front();
  const int side = now.stands[static_cast<std::size_t>(first)].side;
  State s = ActingNow(std::move(now), side);
  const Facing facing = ReadFacing(s.Rulings(), seen.bearing_deg).facing;
  move.facing = facing;
  for (const PieceNo i : move.stands) move.paths.push_back(PathTo(s, i, to));
  if (move.stands.size() == 1) move.in_front = CameAhead(s, seen, stands, first, to, facing);
  out.emplace();
  out->line = ActionToLine(s, {move, false});
  State after = s;
  std::vector<Event> events;
  out->refused = Play(after, {move, false}, events);
  const std::string went =
      fmt::format("{} from {} to {}", who, s.setup->CellName(from), s.setup->CellName(to));
  if (out->refused && move.stands.size() == 1 && IsWithdrawal(s, first, to, facing)) {
    out->refused.reset();
    out->text = went + ": a withdrawal of a beaten stand (COL-5.11)";
    return out;
  }
  if (out->refused) {
    out->text = fmt::format("{}: {} ({})", went, out->refused->because, out->refused->clause);
    return out;
  }
  for (const Event& event : events)
    if (const auto* moved = std::get_if<Moved>(&event)) {
      const int allowed =
          s.TypeOf(moved->stand).move + (moved->by_road ? s.Rulings().road_bonus : 0);
      out->text = fmt::format(
          "{}: {:g} of {:g} squares ({})", went, moved->cost / static_cast<double>(squares::kWhole),
          allowed / static_cast<double>(squares::kWhole), moved->by_road ? "COL-5.7" : "COL-5.1");
    }
  return out;
}

Result<std::vector<std::string>> CheckSeenSetup(const std::vector<StandObservation>& stands,
                                                const Scenario& scenario, const TableFrame& frame) {
  const auto setup = SetupOf(scenario, frame);
  if (!setup.ok()) return setup.error();
  std::vector<std::string> out;
  if (const auto why = WhyNoStart(SeenSetup(*setup.value(), stands, frame)))
    out.push_back(fmt::format("{} ({})", why->text, why->clause));
  for (const Note& note : NotesAtStart(*setup.value()))
    out.push_back(fmt::format("{} ({})", note.text, note.clause));
  const Tables& book = setup.value()->tables;
  const Settings& rulings = setup.value()->settings;
  for (const StandObservation& seen : stands) {
    const Vec2 centre_mm = seen.table_from_stand.origin * kMillimetresPerInch;
    const SquareReading square =
        ReadSquare(book, rulings, setup.value()->board, centre_mm.x, centre_mm.y);
    if (square.cell && square.doubtful)
      out.push_back(fmt::format("{} stands on a grid line: say which square it is in (COL-1.2)",
                                seen.stand.text));
    const FacingReading facing =
        ReadFacing(rulings, BearingFromHeading(seen.table_from_stand.heading_rad));
    if (facing.doubtful)
      out.push_back(fmt::format("{} faces between {} and {}: say which it faces (COL-1.6)",
                                seen.stand.text, FacingName(facing.facing),
                                FacingName(facing.other)));
  }
  for (const KindSpec& kind : scenario.kinds) {
    const int type = book.TypeOf(kind.name);
    if (type < 0) continue;
    const std::string note =
        FootprintNote(book, rulings, type, kind.footprint.width_in * kMillimetresPerInch,
                      kind.footprint.depth_in * kMillimetresPerInch);
    if (!note.empty()) out.push_back(note + " (COL-1.5)");
  }
  return out;
}

Result<ShotRuling> JudgeSeenShot(const ShotObservation& /*shot*/,
                                 const std::vector<StandObservation>& /*stands*/,
                                 const Scenario& /*scenario*/, const TableFrame& /*frame*/,
                                 const DecisionPolicy& /*policy*/) {
  ShotRuling out;
  out.no_effect = true;
  out.text = "The Colonial rules have no fired projectiles: the shot is logged and has no effect.";
  return out;
}

}  // namespace fos::colonial
