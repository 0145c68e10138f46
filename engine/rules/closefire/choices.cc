// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <functional>
#include <type_traits>

#include <fmt/format.h>

#include "engine/game/line_words.h"
#include "engine/rules/closefire/charge_reach.h"
#include "engine/rules/closefire/combat.h"
#include "engine/rules/closefire/control.h"
#include "engine/rules/closefire/doubt.h"
#include "engine/rules/closefire/fire.h"
#include "engine/rules/closefire/moving.h"
#include "engine/rules/closefire/referee.h"

// The declarations offered to the side to act. An open table allows endless moves: this lists the
// plain ones, each legal. The players may type any other.
namespace fos::closefire {
namespace {

// As fmt's {:g}, in less time for whole numbers.
std::string Number(double value) {
  constexpr double kMost = 1e5;
  if (value >= 0 && value < kMost && value == std::floor(value))
    return std::to_string(static_cast<int>(value));
  return fmt::format("{:g}", value);
}

constexpr double kMarch_yd[] = {20, 40, 60, 80, 120};  // the lengths of move that are offered
constexpr double kWheel_deg = 15;

class Menu {
 public:
  // labels  whether the offers say what they come to. That takes measuring each of them.
  Menu(const State& s, int side, bool labels) : s_(s), field_(s), side_(side), labels_(labels) {
    constexpr std::size_t kUsual = 128;  // offers in one phase of a small battle
    if (labels_)
      out_.reserve(kUsual);
    else
      lines_.reserve(kUsual);
  }

  std::vector<Choice> Take() {
    FOS_CHECK(labels_);
    Fill();
    return std::move(out_);
  }
  // Without labels: the lines alone, in the same order.
  std::vector<std::string> TakeLines() {
    FOS_CHECK(!labels_);
    Fill();
    return std::move(lines_);
  }

 private:
  void Fill() {
    if (s_.phase == Phase::kInitiative)
      return Offer("initiative", "Throw for initiative", "CF-9.1", -1);
    if (s_.phase == Phase::kOver || side_ != s_.to_act) return;
    for (const int u : RightToLeft()) ForUnit(u);
    if (s_.phase == Phase::kCommand) Leaders();
    const std::string& name = s_.setup->sides[static_cast<std::size_t>(side_)];
    Offer("done " + name, "End this step", "CF-9.2", -1);
  }

  // label: text, or a function that returns it.
  template <typename Label>
  void Offer(std::string line, const Label& label, const char* clause, int unit,
             std::vector<Vec2> path = {}) {
    if (!labels_) {
      lines_.push_back(std::move(line));
      return;
    }
    Choice& choice = out_.emplace_back();
    choice.line = std::move(line);
    choice.unit = unit;
    if constexpr (std::is_invocable_v<Label>)
      choice.label = label();
    else
      choice.label = label;
    choice.clause = clause;
    choice.path_yd = std::move(path);
  }
  // An offer that the rules would surely refuse is an empty one: it is not tried, but random games
  // still draw among all offers.
  void OfferNothing() {
    if (labels_)
      out_.emplace_back();
    else
      lines_.emplace_back();
  }
  template <typename Line, typename Label>
  void OfferIf(bool possible, const Line& line, const Label& label, const char* clause, int unit) {
    if (possible)
      Offer(line(), label, clause, unit);
    else
      OfferNothing();
  }
  void ByLeader(int leader) {
    if (labels_) out_.back().leader = leader;
  }
  template <typename Label>
  void OfferTo(int leader, std::string line, const Label& label, const char* clause, int unit) {
    Offer(std::move(line), label, clause, unit);
    ByLeader(leader);
  }
  const std::string& Id(int unit) const { return Info(s_, unit).id; }

  // CF-9.3: units from the owner's right to left, as seen in the mean facing of his bases.
  std::vector<int> RightToLeft() const {
    Vec2 ahead;
    std::vector<int> out;
    for (int u = 0; u < static_cast<int>(s_.units.size()); ++u) {
      if (Info(s_, u).side != side_) continue;
      out.push_back(u);
      if (At(s_, u).OnTable())
        for (const open_table::Placed& base : field_.Body(u).placed) ahead = ahead + base.ahead;
    }
    const Vec2 right{ahead.y, -ahead.x};
    std::stable_sort(out.begin(), out.end(), [&](int a, int b) {
      return Dot(field_.Centre(a), right) > Dot(field_.Centre(b), right) + open_table::kTiny;
    });
    return out;
  }

  void ForUnit(int u) {
    if (!At(s_, u).OnTable()) {
      if (s_.phase == Phase::kMovement && At(s_, u).body.presence == Presence::kReserve)
        ForArrival(u);
      if (At(s_, u).body.presence == Presence::kHidden)
        Offer("reveal " + Id(u), "Reveal this hidden unit", "CF-3.3", u);
      if (At(s_, u).body.presence == Presence::kHidden &&
          (s_.phase == Phase::kArtillery || s_.phase == Phase::kMusketry))
        Offer("fire " + Id(u), "Reveal this hidden unit and fire", "CF-3.3", u);
      return;
    }
    switch (s_.phase) {
      case Phase::kArtillery:
      case Phase::kMusketry:
        Fire(u);
        break;
      case Phase::kCommand:
        if (Info(s_, u).plug_bayonets)
          Offer(fmt::format("{} {}", At(s_, u).body.bayonets_fixed ? "unfix" : "fix", Id(u)),
                At(s_, u).body.bayonets_fixed ? "Unfix plug bayonets" : "Fix plug bayonets",
                "CF-9.4", u);
        if (!field_.Controlled(u)) Conform(u);
        OfferIf(
            TestsBeyondControl(At(s_, u)), [&] { return "stop " + Id(u); },
            "Try to stop (control test)", "CF-5.8", u);
        break;
      case Phase::kMovement:
        Move(u);
        break;
      case Phase::kCharges:
        Charge(u);
        break;
      case Phase::kResponses:
        Respond(u);
        break;
      default:
        break;
    }
  }

  void Conform(int u) {
    for (int v = 0; v < static_cast<int>(s_.units.size()); ++v)
      if (At(s_, v).OnTable() && field_.MayConform(u, v))
        Offer(
            fmt::format("conform {} to {}", Id(u), Id(v)),
            [&] { return "Conform to " + UnitName(s_, v); }, "CF-5.2", u);
  }

  // In the middle of either long edge, with the column's tail at the edge.
  void ForArrival(int u) {
    const double length =
        Info(s_, u).depth_yd * std::max<double>(1, static_cast<double>(At(s_, u).bases.size())) + 1;
    const double middle = s_.setup->length_yd / 2;
    Offer(fmt::format("arrive {} at {:g} {:g} 0", Id(u), middle, length), "Arrive from the south",
          "CF-3.6", u);
    Offer(fmt::format("arrive {} at {:g} {:g} 180", Id(u), middle, s_.setup->width_yd - length),
          "Arrive from the north", "CF-3.6", u);
  }

  std::string FireLabel(int u, const Target& target) const {
    std::string label;
    if (IsGun(s_, u)) {
      const Sum sum = GunSum(s_.Book(), ShotAt(field_, u, target), 0);
      label = fmt::format("Fire at {}, {:.0f} yd: die {:+d}{}", UnitName(s_, target.unit),
                          target.gap_yd, sum.Total(), target.indirect ? ", indirect" : "");
    } else {
      const int dice = MusketDice(s_.Book(), VolleyAt(field_, u, target));
      label = fmt::format("Fire at {}, {:.0f} yd: {} {}", UnitName(s_, target.unit), target.gap_yd,
                          dice, dice == 1 ? "die" : "dice");
    }
    const double sigma = DoubtYd(s_, u, target.unit);
    if (sigma > 0 && ReadingsOf(s_, u, sigma, [&](const State& at) {
                       return FireReading(Field(at, field_, u), u, target.unit);
                     }).size() > 1)
      label += fmt::format("; too close to call, +/- {:.1f} yd", 1.96 * sigma);
    return label;
  }

  void Fire(int u) {
    if (MayNotFire(s_, u)) return;
    const std::vector<Target> targets = TargetsOf(field_, u);
    for (const Target& target : targets) {
      if (!MayFireAt(field_, u, target, targets.front())) break;
      Offer(fmt::format("fire {} at {}", Id(u), Id(target.unit)),
            [&] { return FireLabel(u, target); }, "CF-15.2", u,
            {field_.FrontOf(u).centre, field_.Centre(target.unit)});
    }
    for (int l = 0; l < static_cast<int>(s_.leaders.size()); ++l)
      if (LeaderInfoOf(s_, l).side != side_ && LeaderAt(s_, l).Present() &&
          !MayNotSnipe(field_, u, l))
        Offer(fmt::format("snipe {} at {}", Id(u), LeaderInfoOf(s_, l).id),
              "Shoot at a lone leader", "CF-6.4", u);
  }

  void Leaders() {
    for (int l = 0; l < static_cast<int>(s_.leaders.size()); ++l) {
      const LeaderInfo& info = LeaderInfoOf(s_, l);
      if (info.side != side_ || !LeaderAt(s_, l).Present() || info.messenger) continue;
      if (const std::optional<UnitId> with = LeaderAt(s_, l).attached) {
        const UnitId attached = *with;
        const auto says = [&](const char* does) {
          return [this, does, attached] { return does + UnitName(s_, attached); };
        };
        const bool may_act = ActionsOf(s_, l) > LeaderAt(s_, l).actions_used;
        OfferIf(
            may_act && At(s_, attached).body.dp > 0, [&] { return "steady " + info.id; },
            says("Steady "), "CF-4.4", attached);
        ByLeader(l);
        OfferIf(
            may_act, [&] { return "inspire " + info.id; }, says("Inspire "), "CF-4.5", attached);
        ByLeader(l);
        continue;
      }
      OfferIf(
          LeaderAt(s_, l).offer != 0 || LeaderAt(s_, l).troops.has_value(),
          [&] { return "listen " + info.id; }, "Take over the order given to him", "CF-4.6", -1);
      ByLeader(l);
      for (int u = 0; u < static_cast<int>(s_.units.size()); ++u)
        if (At(s_, u).OnTable() && field_.InChain(l, u) && field_.BrigadierOf(u) == l)
          OfferTo(
              l, fmt::format("attach {} to {}", info.id, Id(u)),
              [&] { return fmt::format("Attach {} to {}", LeaderName(s_, l), UnitName(s_, u)); },
              "CF-4.3", u);
    }
  }

  // CF-5.8: a town, or undefended guns or civilians nearby. Elsewhere the players may type it.
  bool SomethingToLoot(int u) const {
    if (const Terrain* in = field_.WoodOrTownAt(field_.Centre(u)); in != nullptr && in->town)
      return true;
    for (int v = 0; v < static_cast<int>(s_.units.size()); ++v) {
      const bool lies_open = Info(s_, v).arm == Arm::kCivilians ||
                             (IsGun(s_, v) && At(s_, v).body.crew != Crew::kServing);
      if (Info(s_, v).side != side_ && At(s_, v).OnTable() && lies_open &&
          field_.Contact(field_.Gap(u, v)))
        return true;
    }
    return false;
  }

  void Move(int u) {
    const Unit& unit = At(s_, u);
    if (unit.march.done) return;
    const std::string& id = Id(u);
    const bool halted = unit.obeys.control == Control::kHalted;
    const bool barred = IsBarredFromMoving(s_, u);
    const bool may_move = !barred && !halted;
    // What repeats its move does not turn (RequireRepeated).
    const bool repeats = unit.obeys.control == Control::kRepeats;
    // CF-5.6: a halted unit may turn and change formation.
    const bool may_turn = !repeats && (halted ? !InCombat(s_, u) : !barred);
    if (SomethingToLoot(u)) Offer("loot " + id, "Start looting", "CF-5.8", u);
    const auto front = field_.FrontOf(u);
    const Conduct status = unit.body.conduct;
    if (status == Conduct::kRetiring) Offer("retire " + id, "Go on retiring", "CF-22.4", u);
    if (IsUnformed(s_, u) && (status == Conduct::kRetiring || status == Conduct::kReady))
      OfferIf(
          may_move && !repeats && MayTakeWholeMove(unit) && MayReform(s_, u),
          [&] {
            return fmt::format(
                "reform {} line {:.0f}", id,
                front.facing_deg + 180 >= 360 ? front.facing_deg - 180 : front.facing_deg + 180);
          },
          "Turn about and re-form", "CF-14.4", u);
    if (unit.march.set == 0) {
      const auto lying = BrigadeRollOf(field_, u);
      for (const DiceSet& dice : DiceSetsOf(s_, u, false)) {
        const std::string name = DiceName(dice);
        const auto by = [&] {
          return "Move with " + DiceInWords(dice) +
                 (lying ? " (the dice thrown for " + UnitName(s_, lying->of) + ")" : "");
        };
        // The same dice again; the pace of horse.
        const bool may_roll = may_move && (!repeats || SetIndex(dice) == unit.pace.set) &&
                              (!IsCavalry(s_, u) || MayChangePaceTo(s_, u, dice));
        OfferIf(
            may_roll, [&] { return "roll " + id + " " + name; }, by, lying ? "CF-11.5" : "CF-11.2",
            u);
        OfferIf(
            may_roll, [&] { return "roll " + id + " " + name + " objective"; },
            [&] { return by() + " to an objective: may halt early"; }, "CF-11.3", u);
      }
      const bool gun = IsGun(s_, u);
      const Formation formation = unit.body.formation;
      OfferIf(
          may_move && gun && formation == Formation::kLimbered, [&] { return "unlimber " + id; },
          "Unlimber", "CF-14.5", u);
      const bool pivots = may_turn && gun && formation == Formation::kUnlimbered;
      OfferIf(
          pivots, [&] { return "pivot " + id + " left 20"; }, "Pivot left 20 degrees", "CF-12.8",
          u);
      OfferIf(
          pivots, [&] { return "pivot " + id + " right 20"; }, "Pivot right 20 degrees", "CF-12.8",
          u);
      OfferIf(
          may_move && SteadyFootInLine(s_, u), [&] { return "step " + id + " back 20"; },
          "Step back 20 yd", "CF-14.9", u);
      // Far from the enemy it costs half a move, so the dice come first.
      OfferIf(
          may_turn && IsFormed(s_, u) && formation != Formation::kMarch &&
              (halted || Near(field_, u)),
          [&] { return "form " + id + " march"; }, "Form march column", "CF-14.3", u);
      OfferIf(
          gun && (unit.body.crew == Crew::kAway || unit.body.crew == Crew::kSheltering),
          [&] { return "recrew " + id; }, "The crew returns to the gun", "CF-23.2", u);
      return;
    }
    const double left = Yd(unit.march.left_milli_yd);
    std::vector<double> lengths;
    lengths.reserve(8);
    for (const double yards : kMarch_yd) lengths.push_back(yards);
    lengths.push_back(std::floor(left * 10) / 10);
    // The greatest whole length that stops 20 yd from the enemy (CF-11.4).
    const double gap = field_.NearestEnemyGap(u);
    if (std::isfinite(gap) && gap > 21) lengths.push_back(std::floor(gap - 21));
    std::sort(lengths.begin(), lengths.end());
    for (const double yards : lengths)
      if (yards >= 1 && yards <= left) {
        const auto ahead = [&] { return fmt::format("Move {:g} yd ahead", yards); };
        if (!may_move) {
          OfferNothing();
        } else if (IsUnformed(s_, u) || IsGun(s_, u)) {
          const Vec2 to = field_.Centre(u) + yards * open_table::Ahead(front.facing_deg);
          Offer(fmt::format("go {} to {:.1f} {:.1f}", id, to.x, to.y), ahead, "CF-14.14", u,
                {field_.Centre(u), to});
        } else {
          Offer("ahead " + id + " " + Number(yards), ahead, "CF-11.6", u,
                {front.centre, front.centre + yards * open_table::Ahead(front.facing_deg)});
        }
      }
    const bool half_left = unit.march.halves < 2 && left + 0.05 >= Yd(unit.march.full_milli_yd) / 2;
    const bool may_wheel =
        may_move && !repeats && !unit.march.wheeled &&
        (IsUnformed(s_, u) || WheelYd(s_, front.width, kWheel_deg) <= left + 0.05);
    for (const char* side : {"left", "right"}) {
      OfferIf(
          may_wheel, [&] { return "wheel " + id + " " + side + " 15"; },
          [&] { return fmt::format("Wheel {} 15 degrees", side); }, "CF-14.1", u);
      if (left >= 2)
        OfferIf(
            may_move && SteadyFootInLine(s_, u),
            [&] {
              return fmt::format("incline {} {} {:.1f} {:.1f}", id, side, std::floor(left * 5) / 10,
                                 std::floor(left * 5) / 10);
            },
            [&] { return fmt::format("Incline {}", side); }, "CF-14.8", u);
    }
    const bool formed = may_turn && IsFormed(s_, u);
    OfferIf(
        formed && (halted || half_left), [&] { return "about " + id; }, "Turn about", "CF-14.7", u);
    const bool in_line = unit.body.formation == Formation::kLine && front.files == BasesLeft(s_, u);
    OfferIf(
        formed && !in_line, [&] { return "form " + id + " line"; }, "Form line", "CF-14.3", u);
    OfferIf(
        formed && unit.body.formation != Formation::kMarch, [&] { return "form " + id + " march"; },
        "Form march column", "CF-14.3", u);
    OfferIf(
        may_move && (half_left || !s_.fascines.empty()), [&] { return "cross " + id; },
        "Cross an obstacle", "CF-14.6", u);
    const UnitInfo& info = Info(s_, u);
    OfferIf(
        may_move && info.arm == Arm::kDragoons && !info.new_style && !info.mixed,
        [&] { return (unit.body.mounted ? "dismount " : "mount ") + id; },
        unit.body.mounted ? "Dismount" : "Mount", "CF-14.10", u);
    Offer("halt " + id, "End the move here", "CF-11.3", u);
  }

  // CF-18.1: whether the unit may declare a charge at anyone.
  bool MayCharge(int u) const {
    const Unit& unit = At(s_, u);
    const Control control = unit.obeys.control;
    const Formation formation = unit.body.formation;
    return (IsCavalry(s_, u) || s_.Rulings().swedish_charge) && formation != Formation::kMarch &&
           formation != Formation::kAssault && !unit.body.fascines && !unit.obeys.steadied &&
           (unit.charge.must || control != Control::kHalted) &&
           (control != Control::kRepeats || s_.Rulings().repeat_may_charge) &&
           unit.body.conduct == Conduct::kReady && !InCombat(s_, u) &&
           !unit.charge.target.has_value();
  }
  // CF-5.8, 12.9, 18.2: whether it may with these dice, its enemy so far away.
  bool MayChargeWith(int u, const DiceSet& dice, double gap_yd) const {
    const Unit& unit = At(s_, u);
    if (dice.empty()) return gap_yd <= s_.Book().charge.free_from;
    if (unit.charge.must)
      return !s_.Rulings().failed_charge_same_dice || SetIndex(dice) == unit.charge.missed_set;
    return !IsCavalry(s_, u) || !s_.Rulings().charge_obeys_pace || MayChangePaceTo(s_, u, dice);
  }

  void Charge(int u) {
    if (!IsCavalry(s_, u) && !Info(s_, u).swedish) return;
    const bool may_charge = MayCharge(u);
    for (int v = 0; v < static_cast<int>(s_.units.size()); ++v) {
      if (Info(s_, v).side == side_ || !At(s_, v).OnTable()) continue;
      const double gap = AlongToContact(field_, u, v, 400);  // no roll reaches farther
      if (gap < 0) continue;
      const double sigma = DoubtYd(s_, u, v);
      // With doubt about the place, the players rule first.
      const bool may = may_charge && (sigma > 0 || field_.Sees(u, v));
      const auto offer = [&](const DiceSet& dice, bool outrance) {
        if (!may || (sigma <= 0 && !MayChargeWith(u, dice, gap)) ||
            (outrance && !MayChargeOutrance(s_, u))) {
          OfferNothing();
          return;
        }
        const auto says = [&] {
          bool doubtful = false;
          if (sigma > 0) {
            State declared = s_;
            declared.units[static_cast<std::size_t>(u)].Put(Of::kChargeSet, SetIndex(dice));
            doubtful = ReadingsOf(declared, u, sigma, [&](const State& at) {
                         return ChargeReading(Field(at, field_, u), u, v);
                       }).size() > 1;
          }
          return fmt::format(
              "Charge {}, {:.0f} yd, with {}{}{}", UnitName(s_, v), gap, DiceInWords(dice),
              outrance ? ", a l'outrance" : "",
              doubtful ? fmt::format("; too close to call, +/- {:.1f} yd", 1.96 * sigma) : "");
        };
        Offer(fmt::format("charge {} at {} {}{}", Id(u), Id(v), DiceName(dice),
                          outrance ? " outrance" : ""),
              says, outrance ? "CF-18.7" : "CF-18.1", u,
              {field_.FrontOf(u).centre, field_.Centre(v)});
      };
      for (const bool outrance : {false, true}) {
        offer({}, outrance);
        for (const DiceSet& dice : DiceSetsOf(s_, u, false)) offer(dice, outrance);
      }
    }
  }

  void Respond(int u) {
    if (Info(s_, u).side != side_) return;
    const Unit& unit = At(s_, u);
    const bool charged = ChargerOf(s_, u).has_value() && !unit.charge.counter &&
                         unit.charge.evasion == Evasion::kNone && !unit.charge.received;
    for (const bool outrance : {false, true})
      for (const DiceSet& dice : DiceSetsOf(s_, u, false))
        OfferIf(
            charged && IsCavalry(s_, u) && (!outrance || MayChargeOutrance(s_, u)),
            [&] {
              return fmt::format("counter {} {}{}", Id(u), DiceName(dice),
                                 outrance ? " outrance" : "");
            },
            [&] {
              return fmt::format("Counter-charge with {}{}", DiceInWords(dice),
                                 outrance ? ", a l'outrance" : "");
            },
            outrance ? "CF-18.7" : "CF-18.4", u);
    OfferIf(
        charged && IsCavalry(s_, u) && IsUnformed(s_, u), [&] { return "evade " + Id(u); }, "Evade",
        "CF-18.5", u);
    OfferIf(
        charged && IsFoot(s_, u), [&] { return "receive " + Id(u) + " about"; },
        "Turn about to receive the charge", "CF-18.6", u);
    for (const char* end : {"left", "right"})
      OfferIf(
          charged && IsFoot(s_, u), [&] { return fmt::format("receive {} {}", Id(u), end); },
          [&] { return fmt::format("Step back the stand on the {}", end); }, "CF-18.6", u);
  }

  const State& s_;
  Field field_;
  int side_;
  bool labels_;
  std::vector<Choice> out_;         // with labels
  std::vector<std::string> lines_;  // without
};

bool Legal(const State& s, const std::string& line) { return !RefusalOf(s, ParseLine(s, line)); }

}  // namespace

std::vector<Choice> Choices(const State& s, int side) {
  if (!s.waiting) {
    // Offer only what Act accepts.
    std::vector<Choice> menu = Menu(s, side, true).Take();
    std::erase_if(
        menu, [&](const Choice& choice) { return choice.line.empty() || !Legal(s, choice.line); });
    // CF-3.8: the players stop when they like.
    if (s.phase != Phase::kOver && s.phase != Phase::kInitiative && s.to_act == side)
      menu.push_back({"end", "End the game", "CF-3.8", -1, {}, "the game is over"});
    return menu;
  }
  const Ask& ask = s.waiting->ask;
  if (ask.side && ask.side != side) return {};
  std::vector<Choice> out;
  if (ask.choices.empty()) {
    out.push_back({"draw", fmt::format("Throw {}", DiceInWords(ask.dice)), ask.clause, -1, {}});
    return out;
  }
  for (const std::string& choice : ask.choices) {
    const Result<DiceSet> dice = ParseDiceSet(choice);
    out.push_back({"choose " + (choice.find(' ') == std::string::npos ? choice : AsWord(choice)),
                   dice.ok() ? DiceInWords(*dice) : choice,
                   ask.clause,
                   -1,
                   {}});
  }
  return out;
}

namespace {

int RandomChoice(const Ask& ask, Generator& chance) {
  return chance.Below(static_cast<int>(ask.choices.size()));
}

// accepts  tries a line; nothing is read from `s` after a line was accepted.
std::string Pick(const State& s, Generator& chance,
                 const std::function<bool(const std::string&)>& accepts) {
  if (s.waiting) {
    const Ask& ask = s.waiting->ask;
    if (ask.choices.empty()) return "draw";
    return "choose " + AsWord(ask.choices[static_cast<std::size_t>(RandomChoice(ask, chance))]);
  }
  // CF-3.8: real games end after an evening; twelve turns is a long game.
  constexpr int kLastTurn = 12;
  if (s.turn > kLastTurn) return "end";
  std::vector<std::string> menu =
      Menu(s, s.phase == Phase::kInitiative ? 0 : s.to_act, false).TakeLines();
  const std::string overruled =
      "overrule done " + s.setup->sides[static_cast<std::size_t>(s.to_act)];
  // End the phase one time in four, so that games make progress.
  if (!menu.empty() && menu.back().rfind("done", 0) == 0 && chance.Below(4) == 0 &&
      accepts(menu.back()))
    return menu.back();
  // A unit that can neither move on nor stop would block the phase: overrule, as players would.
  if (s.phase != Phase::kInitiative && chance.Below(40) == 0) return overruled;
  while (!menu.empty()) {
    const auto pick = chance.Below(static_cast<int>(menu.size()));
    std::string& line = menu[static_cast<std::size_t>(pick)];
    if (!line.empty() && accepts(line)) return std::move(line);
    menu.erase(menu.begin() + pick);
  }
  return overruled;
}

}  // namespace

std::string RandomLineOf(const State& s, Generator& chance) {
  return Pick(s, chance, [&](const std::string& line) { return Legal(s, line); });
}

std::optional<Refusal> ActRandomly(State& s, Generator& chance, std::vector<Event>& events) {
  if (s.waiting) return Act(s, ParseLine(s, RandomLineOf(s, chance)), events);
  const Chooser choose = [&](const Ask& ask) {
    const std::string& picked = ask.choices[static_cast<std::size_t>(RandomChoice(ask, chance))];
    // By its word, as a player's: the first of those that are alike.
    return static_cast<int>(std::find(ask.choices.begin(), ask.choices.end(), picked) -
                            ask.choices.begin());
  };
  bool acted = false;
  const auto act = [&](const std::string& line) {
    return ActToItsEnd(s, ParseLine(s, line), choose, events);
  };
  const std::string line =
      Pick(s, chance, [&](const std::string& tried) { return acted = !act(tried); });
  if (acted) return std::nullopt;
  return act(line);
}

}  // namespace fos::closefire
