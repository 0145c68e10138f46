// SPDX-License-Identifier: MIT
#include "engine/rules/colonial/setup.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace fos::colonial {
namespace {

// The index in Setup::edges of the edge between two neighbours.
std::size_t EdgeIndex(const Board& board, Cell a, Cell b) {
  const squares::Offset d = board.Between(a, b);
  if (d.dy == 1) return 2 * static_cast<std::size_t>(a);
  if (d.dy == -1) return 2 * static_cast<std::size_t>(b);
  if (d.dx == 1) return 2 * static_cast<std::size_t>(a) + 1;
  return 2 * static_cast<std::size_t>(b) + 1;
}
bool ShareAnEdge(const Board& board, Cell a, Cell b) {
  const squares::Offset d = board.Between(a, b);
  return std::abs(d.dx) + std::abs(d.dy) == 1;
}

std::string Points(int hundredths) { return fmt::format("{:g}", hundredths / 100.0); }

// COL-1.3 at the start.
std::optional<Note> WhyNoRoom(const Setup& setup, const std::vector<const StandInfo*>& in) {
  const std::string where = setup.CellName(in.front()->cell);
  if (in.size() > 2) return Note{"COL-1.3", where + " holds more than two stands: move one away"};
  if (in.size() < 2) return std::nullopt;
  if (in[0]->side != in[1]->side) return Note{"COL-1.3", "both sides start in " + where};
  if (in[0]->facing != in[1]->facing)
    return Note{"COL-1.3", fmt::format("the two stands in {} face different ways", where)};
  const int depth = setup.TypeAt(in[0]->type).depth_mm + setup.TypeAt(in[1]->type).depth_mm;
  if (setup.settings.fit_by_depth && depth > setup.tables.square_mm)
    return Note{"COL-1.3",
                fmt::format("the two stands in {} are {} mm deep together, the square {}", where,
                            depth, setup.tables.square_mm)};
  return std::nullopt;
}

constexpr std::pair<std::string_view, EdgeBit> kEdgeTypes[] = {{"entrenchment", kEntrenchment},
                                                               {"fence", kFence},
                                                               {"hedge", kHedge},
                                                               {"river", kFordEdge},
                                                               {"stream", kStreamEdge},
                                                               {"trench", kTrenchEdge},
                                                               {"wall", kWall}};

}  // namespace

Ground UsualGround(std::string_view type) {
  Ground ground;
  if (type == "wood") {
    ground.wood = true;
  } else if (type == "house" || type == "built_up" || type == "fort") {
    ground.built_up = true;
  } else if (type == "water") {
    ground.impassable = true;  // unfordable
  } else if (type == "river" || type == "stream" || type == "trench") {
    ground.obstacle = true;
  } else if (type != "road" && type != "hill") {
    ground.other = true;
  }
  return ground;
}

void Merge(Ground& into, const Ground& more) {
  into.wood |= more.wood;
  into.built_up |= more.built_up;
  into.impassable |= more.impassable;
  into.obstacle |= more.obstacle;
  into.other |= more.other;
}
void Bridge(Ground& ground) { ground.impassable = ground.obstacle = false; }

std::optional<EdgeBit> EdgeTypeOf(std::string_view type) {
  for (const auto& [name, bit] : kEdgeTypes)
    if (name == type) return bit;
  return std::nullopt;
}
std::vector<std::string> EdgeTypeNames() {
  std::vector<std::string> names;
  for (const auto& [name, bit] : kEdgeTypes) names.emplace_back(name);
  return names;
}

std::uint8_t Setup::Edge(Cell a, Cell b) const {
  return ShareAnEdge(board, a, b) ? edges[EdgeIndex(board, a, b)] : std::uint8_t{0};
}
void Setup::AddEdge(Cell a, Cell b, std::uint8_t bits) {
  FOS_CHECK(ShareAnEdge(board, a, b));
  edges[EdgeIndex(board, a, b)] |= bits;
}
std::uint8_t Setup::EdgesAround(Cell c) const {
  std::uint8_t bits = 0;
  for (const Facing way : {Facing::kNorth, Facing::kEast, Facing::kSouth, Facing::kWest}) {
    const Cell next = board.Step(c, way);
    if (next != kNowhere) bits |= Edge(c, next);
  }
  return bits;
}
void Setup::LinkRoad(Cell a, Cell b) {
  const auto link = [&](Cell from, Cell to) {
    ground[static_cast<std::size_t>(from)].road |= static_cast<std::uint8_t>(
        1 << static_cast<int>(squares::NearestDirection(board.Between(from, to))));
  };
  FOS_CHECK(squares::Adjacent(board.Between(a, b)));
  link(a, b);
  link(b, a);
}
bool Setup::RoadLink(Cell a, Cell b) const {
  return At(a).road >> static_cast<int>(squares::NearestDirection(board.Between(a, b))) & 1;
}
void Setup::MakeBoard(int columns, int rows) {
  board = {columns, rows};
  ground.assign(static_cast<std::size_t>(board.Cells()), {});
  edges.assign(2 * static_cast<std::size_t>(board.Cells()), 0);
}

// COL-2.1: dismounted cavalry keep the value of their mounted type.
int PointsOf(const Setup& setup, const StandInfo& stand) {
  const StandType& type = setup.TypeAt(stand.type);
  if (type.arm == Arm::kCommand) return 0;  // COL-2.4
  return stand.mounted_type >= 0 ? setup.TypeAt(stand.mounted_type).value : type.value;
}

// COL-2.5: rounded up to whole sections, or the exact length.
int EntrenchmentPoints(const Tables& tables, const Settings& settings, int length_mm) {
  const int section = tables.section_mm;
  if (!settings.sections_up) return length_mm * tables.section_hundredths / section;
  return (length_mm + section - 1) / section * tables.section_hundredths;
}

ArmyCount CountArmy(const Setup& setup, int side, const std::vector<bool>& taken) {
  ArmyCount out{setup.entrenchment_hundredths[static_cast<std::size_t>(side)], 0};
  for (std::size_t i = 0; i < setup.stands.size(); ++i) {
    const StandInfo& stand = setup.stands[i];
    if (stand.side != side || (!taken.empty() && !taken[i])) continue;
    const int points = PointsOf(setup, stand);
    out.hundredths += points * 100;
    if (points == 4) out.four_points += points;
  }
  return out;
}

// COL-2.2, COL-2.3.
std::vector<Note> ArmyFaults(const Setup& setup, int side, const ArmyCount& count, int points,
                             bool thrown) {
  const std::string& name = setup.sides[static_cast<std::size_t>(side)].name;
  const std::string clause = thrown ? "COL-2.3" : "COL-2.2";
  // The share of thrown points is not rounded. The cap of an agreed army is a number of points.
  const int cap_hundredths =
      thrown ? points * setup.settings.guard_share_percent : setup.tables.agreed_cap * 100;
  std::vector<Note> out;
  if (count.hundredths > points * 100)
    out.push_back({clause, fmt::format("the army of {} costs {} points and has {}", name,
                                       Points(count.hundredths), points)});
  if (count.four_points * 100 > cap_hundredths)
    out.push_back({clause, fmt::format("{} spends {} points on four-point stands; at most {}", name,
                                       count.four_points, Points(cap_hundredths))});
  return out;
}

// COL-2.6.
std::optional<Rating> RatingOf(const Tables& tables, const Settings& settings, int die) {
  if (die == 2) {
    if (settings.roll_two == RollTwo::kReroll) return std::nullopt;
    return settings.roll_two == RollTwo::kPoor ? Rating::kPoor : Rating::kAverage;
  }
  return tables.general[static_cast<std::size_t>(die - 1)];
}

std::optional<Note> WhyNoStart(const Setup& setup) {
  const Tables& book = setup.tables;
  if (setup.board.columns < book.least_columns || setup.board.rows < book.least_rows)
    return Note{"COL-1.2", fmt::format("the table has {} by {} squares and needs at least {} by {}",
                                       setup.board.columns, setup.board.rows, book.least_columns,
                                       book.least_rows)};
  std::vector<std::vector<const StandInfo*>> by_cell(static_cast<std::size_t>(setup.board.Cells()));
  for (const StandInfo& stand : setup.stands) {
    by_cell[static_cast<std::size_t>(stand.cell)].push_back(&stand);
    if (setup.At(stand.cell).impassable)
      return Note{"COL-5.10",
                  setup.CellName(stand.cell) + " is impassable: no stand can start there"};
    if (setup.settings.facing_steps == 4 && squares::IsDiagonal(stand.facing))
      return Note{"COL-1.6", fmt::format("{} faces {}: stands face N, E, S or W", stand.id,
                                         FacingName(stand.facing))};
  }
  for (const auto& in : by_cell)
    if (!in.empty())
      if (auto why = WhyNoRoom(setup, in)) return why;
  for (int side = 0; side < 2; ++side) {
    const auto commands =
        std::count_if(setup.stands.begin(), setup.stands.end(), [&](const StandInfo& stand) {
          return stand.side == side && setup.TypeAt(stand.type).arm == Arm::kCommand;
        });
    if (commands != setup.settings.command_stands)
      return Note{"COL-2.4", fmt::format("{} has {} Command stands and needs {}",
                                         setup.sides[static_cast<std::size_t>(side)].name, commands,
                                         setup.settings.command_stands)};
    if (setup.army != ArmyBy::kAgreed || setup.settings.points_enforcement != Enforcement::kRefuse)
      continue;
    const auto faults = ArmyFaults(setup, side, CountArmy(setup, side), setup.agreed_points, false);
    if (!faults.empty()) return faults.front();
  }
  return std::nullopt;
}

std::vector<Note> NotesAtStart(const Setup& setup) {
  std::vector<Note> out;
  const std::array<int, 2> size = {setup.board.columns, setup.board.rows};
  const auto& good = setup.tables.recommended;
  if (!good.empty() && std::find(good.begin(), good.end(), size) == good.end())
    out.push_back({"COL-1.2", fmt::format("the table has {} by {} squares; {} by {} is recommended",
                                          size[0], size[1], good[0][0], good[0][1])});
  if (setup.army == ArmyBy::kAgreed && setup.settings.points_enforcement == Enforcement::kWarn)
    for (int side = 0; side < 2; ++side)
      for (Note& fault :
           ArmyFaults(setup, side, CountArmy(setup, side), setup.agreed_points, false))
        out.push_back(std::move(fault));
  return out;
}

}  // namespace fos::colonial
