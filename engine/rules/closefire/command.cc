// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "engine/rules/closefire/control.h"
#include "engine/rules/closefire/play.h"

// Sections 4 and 5: leaders, orders, bayonets and conforming units.
namespace fos::closefire {
int ActionsOf(const State& s, int leader) {
  const auto rank = static_cast<std::size_t>(LeaderInfoOf(s, leader).rank);
  const auto& book = s.Book().leader;
  return LeaderAt(s, leader).wounds > 0 ? book.actions_wounded[rank] : book.actions[rank];
}

namespace {

void SpendAction(Play& play, int leader) {
  const State& s = play.Now();
  const LeaderInfo& info = LeaderInfoOf(s, leader);
  play.Require(
      LeaderAt(s, leader).Present() && !info.messenger, "CF-4.1",
      [&] { return LeaderName(s, leader) + " is not on the table"; }, false);
  play.Require(info.side == s.to_act, "CF-9.2", "it is the other side's turn", false);
  const int used = LeaderAt(s, leader).actions_used;
  const bool wounded = LeaderAt(s, leader).wounds > 0;
  play.Require(ActionsOf(s, leader) > used, wounded ? "CF-6.3" : "CF-4.1", [&] {
    return fmt::format("{} has used all his actions ({}) this turn", LeaderName(s, leader),
                       ActionsOf(s, leader));
  });
  play.SetLeader(leader, By::kUsed, used + 1);
}

// CF-4.2: a ride in straight stages from the leader's place, on the table (CF-4.1).
void CheckRide(Play& play, int leader, const std::vector<Vec2>& stages) {
  const Field field = play.Measure();
  for (const Vec2 stage : stages)
    play.Require(!field.OffTable(stage), "CF-4.1", "that place is off the table", false);
  const auto& book = play.Book().leader;
  const int side = LeaderInfoOf(play.Now(), leader).side;
  Vec2 at = field.LeaderAtYd(leader);
  double length = 0;
  const double radius = LeaderInfoOf(play.Now(), leader).radius_yd;
  double nearest = field.NearestEnemyGap(side, at);
  for (const Vec2 next : stages) {
    const double stage = Distance(at, next);
    // No base is narrower than two yards: no enemy is passed unseen.
    constexpr double kLook_yd = 2;
    for (double d = 0; d < stage; d += kLook_yd)
      nearest = std::min(nearest, field.NearestEnemyGap(side, at + (d / stage) * (next - at)));
    nearest = std::min(nearest, field.NearestEnemyGap(side, next));
    length += stage;
    at = next;
  }
  const bool far = nearest - radius > book.far_distance;
  play.Require(length <= (far ? book.move_far : book.move) + open_table::kTiny, "CF-4.2", [&] {
    return fmt::format("the ride is {:.0f} yd long: {:g} yd at most{}", length,
                       far ? book.move_far : book.move,
                       far ? "" : fmt::format(" within {:g} yd of the enemy", book.far_distance));
  });
}

// CF-4.8: puts a unit, or a leader with all he commands, under another leader.
void Reassign(Play& play, UnitOrLeader troops, LeaderId to) {
  if (troops.leader)
    play.SetLeader(troops.id, By::kSuperior, std::optional(to));
  else
    play.Set(troops.id, Of::kAssigned, std::optional(to));
  play.Tell("CF-4.8", fmt::format("{} is now under the command of {}.",
                                  troops.leader ? play.LeaderName(troops.id) : play.Name(troops.id),
                                  play.LeaderName(to)));
}

// CF-4.8: troops come under a leader once he has listened, as with orders (CF-4.6).
void TakeTroops(Play& play, int leader, UnitOrLeader troops) {
  play.SetLeader(leader, By::kMoves, std::nullopt);
  Reassign(play, troops, leader);
}
void OfferTroops(Play& play, int leader, UnitOrLeader troops) {
  if (!play.Rulings().listen_costs_action) {
    TakeTroops(play, leader, troops);
    return;
  }
  play.SetLeader(leader, By::kMoves, std::optional(troops));
  const std::string what = troops.leader ? play.LeaderName(troops.id) : play.Name(troops.id);
  play.Tell("CF-4.8", fmt::format("{} is put under {} once he listens: `listen {}`.", what,
                                  play.LeaderName(leader), LeaderInfoOf(play.Now(), leader).id));
}

void PutLeader(Play& play, int leader, Vec2 at) {
  play.SetLeader(leader, By::kX, Milli(at.x));
  play.SetLeader(leader, By::kY, Milli(at.y));
}

std::vector<Vec2> Stages(Play& play, const ParsedLine& words) {
  play.Require(words.numbers.size() >= 2 && words.numbers.size() % 2 == 0, "CF-4.2",
               "give the ride as pairs of numbers: x y in yards", false);
  std::vector<Vec2> out;
  for (std::size_t i = 0; i + 1 < words.numbers.size(); i += 2)
    out.push_back({words.numbers[i], words.numbers[i + 1]});
  return out;
}

// CF-4.4, 4.5: checks that the leader is attached to a unit of his chain. Returns the unit.
int UnitInfluenced(Play& play, int leader, const char* clause) {
  const State& s = play.Now();
  const std::optional<UnitId> attached = LeaderAt(s, leader).attached;
  play.Require(
      attached.has_value(), clause,
      [&] { return LeaderName(s, leader) + " is not attached to a unit"; }, false);
  const UnitId unit = *attached;
  play.Require(play.Measure().InChain(leader, unit), "CF-4.7", [&] {
    return fmt::format("{} does not command {}", LeaderName(s, leader), play.Name(unit));
  });
  if (LeaderInfoOf(s, leader).rank == Rank::kBrigadier)
    play.Require(LeaderAt(s, leader).wounds == 0, "CF-6.3",
                 "a wounded brigadier can neither steady nor inspire");
  return unit;
}

void RideLeader(Play& play, const ParsedLine& words) {
  const State& s = play.Now();
  const int leader = words.leaders[0];
  const LeaderInfo& info = LeaderInfoOf(s, leader);
  const std::vector<Vec2> stages = Stages(play, words);
  play.Require(
      LeaderAt(s, leader).Present(), "CF-4.2",
      [&] { return LeaderName(s, leader) + " is not on the table"; }, false);
  if (info.messenger) {
    play.Require(s.phase == Phase::kCommand, "CF-12.7", "messengers ride in the Command phase");
    play.Require(info.side == s.to_act, "CF-9.2", "it is the other side's turn", false);
    play.Require(!LeaderAt(s, leader).rode, "CF-12.7",
                 [&] { return LeaderName(s, leader) + " has already ridden this turn"; });
    play.SetLeader(leader, By::kRode, 1);
  } else if (s.phase == Phase::kCommand) {
    SpendAction(play, leader);
    play.SetLeader(leader, By::kRode, 1);
    play.SetLeader(leader, By::kAttached, std::nullopt);
  } else {
    play.Require(info.side == s.to_act, "CF-9.2", "it is the other side's turn", false);
    play.Require(!LeaderAt(s, leader).attached, "CF-4.3", "an attached leader moves with his unit");
    play.Require(!LeaderAt(s, leader).rode_later, "CF-12.7",
                 [&] { return LeaderName(s, leader) + " has already ridden in this phase"; });
    play.SetLeader(leader, By::kRodeLater, 1);
  }
  CheckRide(play, leader, stages);
  PutLeader(play, leader, stages.back());
  play.Tell(s.phase == Phase::kCommand ? "CF-4.2" : "CF-12.7",
            fmt::format("{} rides to ({:.0f}, {:.0f}).", LeaderName(s, leader), stages.back().x,
                        stages.back().y));
  if (!info.messenger) return;
  const LeaderId bound = LeaderAt(s, leader).bound.value();
  if (!play.Measure().Contact(play.Measure().GapOfLeaders(leader, bound))) return;
  play.SetFate(leader, LeaderFate::kWaiting);
  play.SetLeader(leader, By::kBound, std::nullopt);
  if (const std::optional<UnitOrLeader> troops = LeaderAt(s, leader).troops) {
    play.SetLeader(leader, By::kMoves, std::nullopt);
    play.Tell("CF-4.6", fmt::format("{} reaches {}.", LeaderName(s, leader), LeaderName(s, bound)));
    OfferTroops(play, bound, *troops);
    return;
  }
  play.SetLeader(bound, By::kOffer, LeaderAt(s, leader).carries);
  play.Tell("CF-4.6", fmt::format("{} reaches {} with order {}.", LeaderName(s, leader),
                                  LeaderName(s, bound), LeaderAt(s, bound).offer));
}

void Attach(Play& play, const ParsedLine& words) {
  const State& s = play.Now();
  const int leader = words.leaders[0];
  const int unit = words.units[0];
  play.Require(s.phase == Phase::kCommand, "CF-4.3", "leaders attach only in the Command phase");
  play.Require(
      At(s, unit).OnTable() && Info(s, unit).side == LeaderInfoOf(s, leader).side, "CF-4.3",
      [&] { return play.Name(unit) + " is not a unit of his side on the table"; }, false);
  SpendAction(play, leader);
  play.SetLeader(leader, By::kRode, 1);
  const Field field = play.Measure();
  const Vec2 front = field.FrontOf(unit).centre;
  // He rides to contact with the nearest base. From then on he moves with the unit.
  const Vec2 from = field.LeaderAtYd(leader);
  Vec2 contact = front;
  for (const Base& base : field.Bases(unit)) {
    const Polygon outline = open_table::OutlinePolygon(base);
    const Vec2 near = Contains(outline, from) ? from : NearestPoint(outline, from);
    if (Distance(from, near) < Distance(from, contact)) contact = near;
  }
  // His base touches before its middle is there.
  const double ride = Distance(from, contact);
  const double radius = LeaderInfoOf(s, leader).radius_yd;
  contact = ride <= radius ? from : contact + (radius / ride) * (from - contact);
  CheckRide(play, leader, {contact});
  play.SetLeader(leader, By::kAttached, std::optional<UnitId>(unit));
  PutLeader(play, leader, play.FrontOnTable(unit));
  play.Tell("CF-4.3", fmt::format("{} attaches to {}.", LeaderName(s, leader), play.Name(unit)));
}

// CF-4.7: a general commands the leaders of his wing, a marshal all others of his side.
bool Commands(const State& s, int by, int leader) {
  if (by == leader) return false;
  const LeaderInfo& above = LeaderInfoOf(s, by);
  if (above.rank == Rank::kMarshal) return LeaderInfoOf(s, leader).side == above.side;
  std::optional<LeaderId> l = SuperiorOf(s, leader);
  while (l && l != by) l = SuperiorOf(s, *l);
  return l == by;
}

// CF-4.10: only the general who gave the order, or his superior, may change it.
void CheckOrders(Play& play, int from, int to, int order) {
  const State& s = play.Now();
  play.Require(order >= 1 && order <= 3, "CF-4.9",
               "orders are 1 (defend), 2 (advance and defend) or 3 (attack)", false);
  play.Require(LeaderInfoOf(s, from).rank != Rank::kBrigadier, "CF-4.6",
               "only generals and marshals issue orders");
  play.Require(!LeaderAt(s, from).attached, "CF-4.6", "only a detached leader issues orders");
  play.Require(Commands(s, from, to) && !LeaderInfoOf(s, to).messenger, "CF-4.10", [&] {
    return fmt::format("{} is not under the command of {}", LeaderName(s, to), LeaderName(s, from));
  });
}

// CF-4.6: one of his waiting messengers rides to `to` at once.
int SendRider(Play& play, int from, int to) {
  const State& s = play.Now();
  std::optional<LeaderId> waiting;
  for (int l = 0; l < static_cast<int>(s.leaders.size()) && !waiting; ++l)
    if (LeaderInfoOf(s, l).messenger && LeaderInfoOf(s, l).superior == from &&
        LeaderAt(s, l).Fate() == LeaderFate::kWaiting)
      waiting = l;
  play.Require(
      waiting.has_value(), "CF-4.6",
      [&] { return play.LeaderName(from) + " has no messenger left"; }, false);
  const LeaderId rider = *waiting;
  SpendAction(play, from);
  play.SetFate(rider, LeaderFate::kOnTable);
  play.SetLeader(rider, By::kBound, std::optional<LeaderId>(to));
  PutLeader(play, rider, play.Measure().LeaderAtYd(from));
  play.Tell("CF-4.6",
            fmt::format("{} sends {} to {}. The messenger rides at once.", play.LeaderName(from),
                        play.LeaderName(rider), play.LeaderName(to)));
  return rider;
}

// CF-4.8: a higher commander of both reassigns, by the same means as orders: face to face or by
// messenger.
void Assign(Play& play, const ParsedLine& words) {
  const State& s = play.Now();
  const bool unit = !words.units.empty();
  const int who = unit ? words.units[0] : words.leaders[0];
  const UnitOrLeader troops{!unit, who};
  const int to = words.leaders[words.leaders.size() - 2];
  const int by = words.leaders.back();
  const std::string name = unit ? play.Name(who) : play.LeaderName(who);
  const LeaderInfo& above = LeaderInfoOf(s, by);
  const auto commands = [&](int leader) { return leader == by || Commands(s, by, leader); };
  play.Require(above.rank != Rank::kBrigadier && !above.messenger &&
                   (unit ? play.Measure().InChain(by, who) : who != by && commands(who)),
               "CF-4.8", [&] { return play.LeaderName(by) + " does not command " + name; });
  play.Require(
      LeaderAt(s, to).Present() && !LeaderInfoOf(s, to).messenger && commands(to), "CF-4.8",
      [&] { return play.LeaderName(by) + " does not command " + play.LeaderName(to); }, false);
  play.Require(
      unit ||
          (LeaderInfoOf(s, who).rank < LeaderInfoOf(s, to).rank && !LeaderInfoOf(s, who).messenger),
      "CF-4.8", [&] { return name + " can only be put under a leader of higher rank"; }, false);
  play.Require(!LeaderAt(s, by).attached, "CF-4.6", "only a detached leader issues orders");
  if (words.Has("messenger")) {
    play.SetLeader(SendRider(play, by, to), By::kMoves, std::optional(troops));
    return;
  }
  play.Require(by == to || play.Measure().Contact(play.Measure().GapOfLeaders(by, to)), "CF-4.8",
               "the two leaders must be in contact; otherwise send a messenger");
  SpendAction(play, by);
  // A commander who takes the troops under himself has nobody to tell.
  if (by == to)
    Reassign(play, troops, to);
  else
    OfferTroops(play, to, troops);
}

void TakeOrder(Play& play, int leader) {
  const State& s = play.Now();
  const int order = LeaderAt(s, leader).offer;
  const std::optional<UnitOrLeader> troops = LeaderAt(s, leader).troops;
  if (troops) TakeTroops(play, leader, *troops);
  if (troops && order == 0) return;
  play.Require(
      order != 0, "CF-4.6", [&] { return "there is no order for " + LeaderName(s, leader); },
      false);
  play.SetLeader(leader, By::kOrder, order);
  play.SetLeader(leader, By::kOffer, 0);
  const Field field = play.Measure();
  for (int u = 0; u < static_cast<int>(s.units.size()); ++u) {
    if (field.BrigadierOf(u) != leader) continue;
    play.Set(u, Of::kOrderX, Milli(field.Centre(u).x));
    play.Set(u, Of::kOrderY, Milli(field.Centre(u).y));
  }
  play.Tell("CF-4.9", fmt::format("{} now has order {}.", LeaderName(s, leader), order));
}

}  // namespace

bool PlayCommand(Play& play, const ParsedLine& words) {
  const State& s = play.Now();
  if (words.verb == "ride") {
    play.Require(s.phase == Phase::kCommand || s.phase == Phase::kMovement, "CF-9.2",
                 "leaders ride in the Command and Movement phases", false);
    RideLeader(play, words);
    return true;
  }
  constexpr std::array<std::string_view, 11> kVerbs = {"attach", "steady",  "inspire", "order",
                                                       "listen", "send",    "assign",  "fix",
                                                       "unfix",  "conform", "stop"};
  if (std::find(kVerbs.begin(), kVerbs.end(), words.verb) == kVerbs.end()) return false;
  play.Require(
      s.phase == Phase::kCommand, "CF-9.2",
      [&] { return "`" + words.verb + "` belongs to the Command phase"; }, false);
  if (words.verb == "attach") {
    Attach(play, words);
  } else if (words.verb == "steady") {
    const int leader = words.leaders[0];
    const int unit = UnitInfluenced(play, leader, "CF-4.4");
    play.Require(
        At(s, unit).body.dp > 0, "CF-4.4", [&] { return play.Name(unit) + " has no DP to remove"; },
        false);
    SpendAction(play, leader);
    play.Set(unit, Of::kSteadied, 1);
    play.Heal(unit, 1, "CF-4.4", "steadied by " + play.LeaderName(leader));
  } else if (words.verb == "inspire") {
    const int leader = words.leaders[0];
    const int unit = UnitInfluenced(play, leader, "CF-4.5");
    SpendAction(play, leader);
    play.Set(unit, Of::kInspired,
             std::min(play.Book().leader.inspire_max, At(s, unit).obeys.inspired + 1));
    play.Tell("CF-4.5", fmt::format("{} inspires {}.", play.LeaderName(leader), play.Name(unit)));
  } else if (words.verb == "order") {
    const int from = words.leaders[0];
    const int to = words.leaders[1];
    const int order = static_cast<int>(words.numbers[0]);
    CheckOrders(play, from, to, order);
    play.Require(play.Measure().Contact(play.Measure().GapOfLeaders(from, to)), "CF-4.6",
                 "the two leaders must be in contact; otherwise `send` the order by messenger");
    SpendAction(play, from);
    play.SetLeader(to, By::kOffer, order);
    if (!play.Rulings().listen_costs_action)
      TakeOrder(play, to);
    else
      play.Tell("CF-4.6", fmt::format("{} gives {} order {}, which holds once he listens: "
                                      "`listen {}`.",
                                      play.LeaderName(from), play.LeaderName(to), order,
                                      LeaderInfoOf(s, to).id));
  } else if (words.verb == "listen") {
    if (play.Rulings().listen_costs_action) SpendAction(play, words.leaders[0]);
    TakeOrder(play, words.leaders[0]);
  } else if (words.verb == "send") {
    const int from = words.leaders[0];
    const int to = words.leaders[1];
    CheckOrders(play, from, to, static_cast<int>(words.numbers[0]));
    play.SetLeader(SendRider(play, from, to), By::kCarries, static_cast<int>(words.numbers[0]));
  } else if (words.verb == "assign") {
    Assign(play, words);
  } else if (words.verb == "fix" || words.verb == "unfix") {
    const int unit = words.units[0];
    play.Require(Info(s, unit).side == s.to_act, "CF-9.2", "it is the other side's turn", false);
    play.Require(
        Info(s, unit).plug_bayonets, "CF-9.4",
        [&] { return play.Name(unit) + " has no plug bayonets"; }, false);
    play.Set(unit, Of::kFixed, words.verb == "fix" ? 1 : 0);
    play.Tell("CF-9.4", fmt::format("{}: bayonets {}.", play.Name(unit),
                                    words.verb == "fix" ? "fixed" : "unfixed"));
  } else if (words.verb == "conform") {
    const int unit = words.units[0];
    const int lead = words.units[1];
    play.Require(Info(s, unit).side == s.to_act, "CF-9.2", "it is the other side's turn", false);
    const Field field = play.Measure();
    play.Require(field.Controlled(lead), "CF-5.2",
                 [&] { return play.Name(lead) + " is not under control itself"; });
    play.Require(field.MayConform(unit, lead), field.BehindOf(unit, lead) ? "CF-5.3" : "CF-5.2",
                 [&] {
                   return fmt::format("{} is neither in line with {} nor close behind it",
                                      play.Name(unit), play.Name(lead));
                 });
    play.Set(unit, Of::kConformsTo, std::optional(Conforming{lead, field.BehindOf(unit, lead)}));
    play.Tell(field.BehindOf(unit, lead) ? "CF-5.3" : "CF-5.2",
              fmt::format("{} conforms to {}.", play.Name(unit), play.Name(lead)));
  } else {
    const int unit = words.units[0];
    play.Require(Info(s, unit).side == s.to_act, "CF-9.2", "it is the other side's turn", false);
    play.Require(
        TestsBeyondControl(At(s, unit)), "CF-5.8",
        [&] { return play.Name(unit) + " is neither routing, pursuing nor looting"; }, false);
    play.Set(unit, Of::kWantsStop, 1);
  }
  return true;
}

}  // namespace fos::closefire
