// SPDX-License-Identifier: MIT
#include "engine/rules/closefire/play.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "engine/game/chance.h"
#include "engine/rules/closefire/doubt.h"
#include "engine/table/counted.h"
#include "engine/table/sentence.h"

namespace fos::closefire {

namespace {
// Of the unit as it stands now. Valid until its bases change.
const Footprint& FootprintOf(const State& s, int unit) {
  const UnitInfo& info = Info(s, unit);
  return At(s, unit).bases.On(info.width_yd, info.depth_yd);
}
}  // namespace

bool ParsedLine::Has(std::string_view flag) const {
  return std::find(flags.begin(), flags.end(), flag) != flags.end();
}

Play::Play(State& state, std::vector<Event>& events, std::vector<Answer> answers, bool overrule,
           std::shared_ptr<const Kept> from)
    : s_(state),
      events_(events),
      answers_(std::move(answers)),
      overrule_(overrule),
      from_(std::move(from)),
      kept_(from_) {
  if (!from_) return;
  next_ = from_->answers;
  with_the_lost_ = from_->with_the_lost;
}

Play::Play(State& state, std::vector<Event>& events, const Answering* answering, bool overrule)
    : s_(state),
      events_(events),
      answering_(answering),
      told_before_(events.size()),
      overrule_(overrule) {}

void Play::AnswerAtOnce(Ask ask) {
  if (answering_ == nullptr) throw NeedsAnswer{std::move(ask)};
  answers_.push_back((*answering_)(ask));
  events_.push_back(WaitingFor(std::move(ask), events_.size() - told_before_));
  events_.push_back(Answered(answers_.back()));
  told_before_ += 2;
  at_last_answer_ = events_.size();
}

void Play::Emit(Event&& event) {
  ApplyTo(s_, event);
  events_.push_back(std::move(event));
}

std::vector<int> Play::Roll(std::optional<int> side, const DiceSet& dice, std::string sentence,
                            std::string clause, std::optional<UnitId> about) {
  if (dice.empty()) return {};
  const Answer& answer = NextAnswer([&] { return Ask{side, dice, {}, sentence, clause, about}; });
  FOS_CHECK(answer.dice.size() == dice.size());
  std::vector<int> faces;
  for (std::size_t i = 0; i < dice.size(); ++i)
    faces.push_back(dice[i] == Die::kD6 ? answer.dice[i]
                                        : AverageFace(Book(), Rulings(), answer.dice[i]));
  Tell(clause, fmt::format("{}: {}.", sentence, fmt::join(faces, " ")));
  return faces;
}

int Play::RollD6(int side, std::string sentence, std::string clause) {
  return Roll(side, {Die::kD6}, std::move(sentence), std::move(clause)).front();
}

std::size_t Play::Choose(std::optional<int> side, std::vector<std::string> words,
                         std::string sentence, std::string clause) {
  FOS_CHECK(!words.empty());
  if (words.size() == 1) return 0;
  const Answer& answer = NextAnswer(
      [&] { return Ask{side, {}, words, std::move(sentence), std::move(clause), std::nullopt}; });
  FOS_CHECK(answer.choice >= 0 && static_cast<std::size_t>(answer.choice) < words.size());
  return static_cast<std::size_t>(answer.choice);
}

State Play::Ruled(int unit, double sigma, const std::function<std::string(const State&)>& key,
                  const std::function<std::string()>& measured, const char* clause) {
  if (sigma <= 0) return s_;
  const std::vector<Reading> readings = ReadingsOf(s_, unit, sigma, key);
  if (readings.size() == 1) return s_;
  std::vector<std::string> words;
  for (const Reading& reading : readings) words.push_back(reading.says);
  const std::size_t pick =
      Choose(std::nullopt, words, measured() + ": too close to call. Which applies?", clause);
  Tell(clause,
       fmt::format("Too close to call ({}). The players rule: {}.", measured(), words[pick]));
  return Displaced(s_, unit, readings[pick].by);
}

void Play::Tell(std::string clause, std::string sentence) {
  Event e;
  e.what = What::kTold;
  e.clause = std::move(clause);
  e.text = Capitalised(std::move(sentence));
  Emit(std::move(e));
}

void Play::Set(int unit, Of field, std::int64_t value) {
  if (At(s_, unit)[field] == value) return;
  Event e;
  e.what = What::kUnit;
  e.subject = unit;
  e.field = static_cast<int>(field);
  e.value = value;
  Emit(std::move(e));
}

void Play::SetLeader(int leader, By field, std::int64_t value) {
  if (LeaderAt(s_, leader)[field] == value) return;
  Event e;
  e.what = What::kLeader;
  e.subject = leader;
  e.field = static_cast<int>(field);
  e.value = value;
  Emit(std::move(e));
}

void Play::Place(int unit, std::vector<BaseState> bases) {
  const Unit& before = At(s_, unit);
  if (before.OnTable() && !before.bases.empty() && before.march.from.x == 0 &&
      before.march.from.y == 0) {
    const Vec2 from = FootprintOf(s_, unit).centre;
    Set(unit, Of::kFromX, Milli(from.x));
    Set(unit, Of::kFromY, Milli(from.y));
  }
  Event e;
  e.what = What::kBases;
  e.subject = unit;
  e.bases = std::move(bases);
  Emit(std::move(e));
  // An attached leader moves with the unit (CF-4.3).
  if (At(s_, unit).bases.empty()) return;
  const Vec2 front = FrontOnTable(unit);
  for (int l = 0; l < static_cast<int>(s_.leaders.size()); ++l) {
    if (LeaderAt(s_, l).attached != unit) continue;
    SetLeader(l, By::kX, Milli(front.x));
    SetLeader(l, By::kY, Milli(front.y));
  }
}

Vec2 Play::FrontOnTable(int unit) const {
  const Vec2 front = FootprintOf(s_, unit).front.centre;
  return {std::clamp(front.x, 0.0, s_.setup->length_yd),
          std::clamp(front.y, 0.0, s_.setup->width_yd)};
}

void Play::PlaceBases(int unit, const std::vector<Base>& bases) {
  std::vector<BaseState> states = At(s_, unit).bases;
  FOS_CHECK(states.size() == bases.size());
  for (std::size_t i = 0; i < bases.size(); ++i) states[i] = ToState(bases[i], states[i]);
  Place(unit, std::move(states));
}

void Play::SetGame(What what, std::int64_t value) {
  Event e;
  e.what = what;
  e.value = value;
  Emit(std::move(e));
}

void Play::Engage(int a, int b) {
  for (const Engaged& pair : s_.engaged)
    if ((pair.a == a && pair.b == b) || (pair.a == b && pair.b == a)) return;
  Event e;
  e.what = What::kEngage;
  e.subject = a;
  e.value = b;
  Emit(std::move(e));
}

void Play::Part(int unit) {
  Event e;
  e.what = What::kParted;
  e.subject = unit;
  if (InCombat(s_, unit)) Emit(std::move(e));
}

void Play::AddShock(int unit, Blow blow) {
  const Vec2 at = Measure().Centre(unit);
  Event e;
  e.what = What::kShock;
  e.shock = {{false, unit}, blow, Milli(at.x), Milli(at.y), At(s_, unit).bases};
  Emit(std::move(e));
}

void Play::ForgetShocks(UnitOrLeader who) {
  if (std::none_of(s_.felt.begin(), s_.felt.end(), [&](const Shock& f) { return f.who == who; }))
    return;
  Event e;
  e.what = What::kFeltOver;
  e.subject = Stored(who);
  Emit(std::move(e));
}

void Play::StandFast(int unit) {
  Set(unit, Of::kStatus, Conduct::kReady);
  Set(unit, Of::kPursued, 0);
  Set(unit, Of::kFastBefore, 0);
  ForgetShocks({false, unit});
  for (int l = 0; l < static_cast<int>(s_.leaders.size()); ++l)
    if (LeaderAt(s_, l).attached == unit) ForgetShocks({true, l});
}

void Play::Reveal(int unit, const char* what) {
  if (At(s_, unit).body.presence != Presence::kHidden || Info(s_, unit).side != s_.to_act) return;
  Set(unit, Of::kPresence, Presence::kOnTable);
  Tell("CF-3.3", fmt::format("{} {}: put it on the table.", Name(unit), what));
}

void Play::Refuse(std::string clause, std::string because, bool may_overrule) {
  if (overrule_ && may_overrule) {
    const std::string sentence = fmt::format("The players overrule {}: {}.", clause, because);
    Tell(std::move(clause), sentence);
    return;
  }
  throw NotAllowed{{std::move(clause), std::move(because), may_overrule}};
}

// CF-8.2.
int ManoeuvreDpTaken(const State& s, int unit, int dp) {
  int limit = s.Book().dp.manoeuvre_limit;
  if (!s.Rulings().manoeuvre_dp_accumulates) limit = std::min(limit, DpLimit(s, unit));
  return std::clamp(limit - At(s, unit).body.dp, 0, std::max(0, dp));
}

void Play::ManoeuvreDp(int unit, int dp, const std::string& clause, const std::string& why) {
  const int taken = ManoeuvreDpTaken(s_, unit, dp);
  for (int i = taken; i > 0; --i) {
    const int now = At(s_, unit).body.dp;
    Set(unit, Of::kDp, now + 1);
    Tell(clause, fmt::format("{} takes 1 DP ({}): {} now.", Name(unit), why, now + 1));
  }
  if (taken < dp)
    Tell("CF-8.2", fmt::format("{} has {} and takes no more for moving ({}).", Name(unit),
                               Counted(At(s_, unit).body.dp, "DP"), why));
}

// CF-8.1. CF-15.6: it counts at once.
int Play::Hurt(int unit, int dp, const std::string& clause, const std::string& why) {
  int casualties = 0;
  for (int i = 0; i < dp && At(s_, unit).OnTable(); ++i) {
    const int now = At(s_, unit).body.dp;
    if (now >= DpLimit(s_, unit)) {
      Tell("CF-8.1", fmt::format("{} has {}, its limit: one more is a casualty.", Name(unit),
                                 Counted(now, "DP")));
      Casualty(unit, clause, why);
      ++casualties;
    } else {
      Set(unit, Of::kDp, now + 1);
      Tell(clause, fmt::format("{} takes 1 DP ({}): {} now.", Name(unit), why, now + 1));
    }
  }
  return casualties;
}

void Play::Casualty(int unit, const std::string& clause, const std::string& why) {
  if (!At(s_, unit).OnTable()) return;
  const int now = At(s_, unit).body.casualties + 1;
  Set(unit, Of::kCasualties, now);
  if (IsGun(s_, unit)) {
    Destroy(unit, Presence::kDestroyed, "CF-2.6", why);
    return;
  }
  if (!Rulings().casualty_removes_base) {
    Tell(clause, fmt::format("{} takes a casualty ({}), shown by a marker.", Name(unit), why));
    // With as many markers as bases none is left.
    if (now >= BasesLeft(s_, unit)) Destroy(unit, Presence::kDestroyed, "CF-8.6", why);
    return;
  }
  std::vector<BaseState> bases = At(s_, unit).bases;
  std::size_t gone = bases.size() - 1;
  if (bases.size() > 1) {
    // CF-8.6: the owner picks the base. Players usually take one from an end.
    const std::size_t pick = Choose(Info(s_, unit).side, {"last", "first", "middle"},
                                    fmt::format("which base does {} lose?", Name(unit)), "CF-8.6");
    gone = pick == 0 ? bases.size() - 1 : pick == 1 ? 0 : bases.size() / 2;
  }
  const Field::Front before = Measure().FrontOf(unit);
  const BaseState hole = bases[gone];
  bases.erase(bases.begin() + static_cast<std::ptrdiff_t>(gone));
  const bool any = !bases.empty();
  if (any) {
    CloseUp(unit, std::move(bases), before, hole);
    Tell(clause,
         fmt::format("{} loses a base ({}): {} left.", Name(unit), why, BasesLeft(s_, unit)));
    if (Rulings().trim_dp && At(s_, unit).body.dp > DpLimit(s_, unit))
      Set(unit, Of::kDp, DpLimit(s_, unit));
    return;
  }
  AddShock(unit, Blow::kRoutedOrLost);
  Place(unit, bases);
  Tell("CF-8.6", fmt::format("{} has no base left.", Name(unit)));
  Destroy(unit, Presence::kDestroyed, "CF-8.6", why);
}

// The remaining bases close up so that the unit stays one body. A line that lost an end base need
// not.
void Play::CloseUp(int unit, std::vector<BaseState> bases, const Field::Front& before,
                   const BaseState& hole) {
  const Formation f = At(s_, unit).body.formation;
  const bool column = f == Formation::kMarch || f == Formation::kAssault;
  const bool deep = f == Formation::kLine && before.ranks > 1;
  Place(unit, bases);
  const bool torn =
      !HangsTogether(Measure().Bases(unit), IsUnformed(s_, unit) ? Book().manoeuvre.unformed_spacing
                                                                 : Rulings().contact_gap_yd);
  if (IsUnformed(s_, unit)) {
    if (!torn) return;
    // The last base that the others do not need in its place steps into the hole. There always is
    // one.
    for (std::size_t i = bases.size(); i-- > 0;) {
      std::vector<BaseState> there = bases;
      there[i].x = hole.x;
      there[i].y = hole.y;
      there[i].facing = hole.facing;
      std::vector<Base> body;
      for (const BaseState& base : there) body.push_back(ToBase(s_, unit, base));
      if (i > 0 && !HangsTogether(body, Book().manoeuvre.unformed_spacing)) continue;
      Place(unit, std::move(there));
      return;
    }
  } else if (column || deep || torn) {
    // Keep the number of files if there are enough bases.
    const bool same = (column || deep) && before.files <= static_cast<int>(bases.size());
    const Vec2 centre = same && before.files > 1 ? before.centre : Measure().FrontOf(unit).centre;
    Place(unit, Arranged(s_, unit, f, centre, before.facing_deg,
                         f == Formation::kMarch ? 1
                         : same                 ? before.files
                                                : 0));
  }
}

void Play::Heal(int unit, int dp, const std::string& clause, const std::string& why) {
  const int now = At(s_, unit).body.dp;
  const int left = std::max(0, now - dp);
  if (left == now) return;
  Set(unit, Of::kDp, left);
  Tell(clause,
       fmt::format("{} loses {} ({}): {} now.", Name(unit), Counted(now - left, "DP"), why, left));
}

void Play::Destroy(int unit, Presence how, const std::string& clause, const std::string& why) {
  if (!At(s_, unit).OnTable()) return;
  constexpr std::array<std::string_view, 9> kWords = {
      "", "", "", "destroyed", "captured", "off the table", "spiked", "driven off", "merged"};
  if (!At(s_, unit).bases.empty() && how != Presence::kMerged && how != Presence::kSpiked &&
      how != Presence::kDrivenOff)
    AddShock(unit, Blow::kRoutedOrLost);
  Part(unit);
  Set(unit, Of::kPresence, how);
  Tell(clause,
       fmt::format("{} is {} ({}).", Name(unit), kWords[static_cast<std::size_t>(how)], why));
  // Attached leaders stay alone where the unit stood.
  for (int l = 0; l < static_cast<int>(s_.leaders.size()); ++l)
    if (LeaderAt(s_, l).attached == unit) {
      with_the_lost_.emplace_back(unit, l);
      SetLeader(l, By::kAttached, std::nullopt);
    }
}

void Play::RiskLeaders(int unit, bool combat) {
  const By tested = combat ? By::kCombatRisk : By::kFireRisk;
  for (int l = 0; l < static_cast<int>(s_.leaders.size()); ++l) {
    const Leader& leader = LeaderAt(s_, l);
    // A leader who was with a unit that has just been destroyed tests too.
    const bool with_it =
        leader.attached == unit || std::find(with_the_lost_.begin(), with_the_lost_.end(),
                                             std::pair{unit, l}) != with_the_lost_.end();
    if (!leader.Present() || !with_it || leader[tested] != 0) continue;
    SetLeader(l, tested, 1);
    const int die = RollD6(LeaderInfoOf(s_, l).side,
                           fmt::format("risk to {} with {}", LeaderName(l), Name(unit)), "CF-6.1");
    if (Book().leader.hit_attached.Has(die))
      HitLeader(l, "CF-6.2");
    else
      Tell("CF-6.1", fmt::format("{} is not hit.", LeaderName(l)));
  }
}

void Play::HitLeader(int leader, const std::string& clause) {
  const LeaderInfo& info = LeaderInfoOf(s_, leader);
  const int die =
      RollD6(info.side, fmt::format("severity of the hit on {}", LeaderName(leader)), clause);
  const Vec2 at = Measure().LeaderAtYd(leader);
  const bool wound = Book().leader.wounded.Has(die);
  const bool killed = Book().leader.killed.Has(die) ||
                      (wound && (info.messenger || LeaderAt(s_, leader).wounds > 0));
  if (wound && !killed) {
    SetLeader(leader, By::kWounds, 1);
    Tell("CF-6.3", fmt::format("{} is wounded.", LeaderName(leader)));
  } else if (killed) {
    SetFate(leader, LeaderFate::kKilled);
    Tell(clause, fmt::format("{} {}.", LeaderName(leader),
                             info.messenger ? "is lost with his message" : "is killed"));
    if (!info.messenger && info.rank != Rank::kBrigadier) {
      Event e;
      e.what = What::kShock;
      e.shock = {{true, leader}, Blow::kLeaderKilled, Milli(at.x), Milli(at.y), {}};
      Emit(std::move(e));
    }
  } else {
    Tell(clause, fmt::format("{} is unhurt: a near miss.", LeaderName(leader)));
  }
}

void Play::Moved(int unit) {
  Set(unit, Of::kMoved, 1);
  if (IsGun(s_, unit)) Set(unit, Of::kTarget, std::nullopt);
}

namespace {
const std::array<DiceSet, 5> kSets = {
    DiceSet{}, DiceSet{Die::kAverage}, DiceSet{Die::kAverage, Die::kAverage},
    DiceSet{Die::kAverage, Die::kD6}, DiceSet{Die::kAverage, Die::kAverage, Die::kD6}};
}  // namespace

int SetIndex(const DiceSet& dice) {
  const auto found = std::find(kSets.begin(), kSets.end(), dice);
  return found == kSets.end() ? 0 : static_cast<int>(found - kSets.begin());
}
const DiceSet& SetAt(int index) { return kSets.at(static_cast<std::size_t>(index)); }

std::string SetsInWords(const std::vector<DiceSet>& sets) {
  std::string out;
  for (const DiceSet& set : sets)
    out += (out.empty()            ? "its dice are "
            : &set == &sets.back() ? " or "
                                   : ", ") +
           DiceInWords(set);
  return out.empty() ? "it throws no dice" : out;
}

std::vector<Base> ShiftedBases(const std::vector<Base>& bases, double bearing, double yards) {
  const Vec2 by = yards * open_table::Ahead(bearing);
  std::vector<Base> out = bases;
  for (Base& base : out) base.centre = base.centre + by;
  return out;
}

bool HangsTogether(const std::vector<Base>& bases, double spacing) {
  if (bases.empty()) return true;
  std::vector<std::size_t> reached = {0};
  for (std::size_t i = 0; i < reached.size(); ++i)
    for (std::size_t j = 0; j < bases.size(); ++j)
      if (std::find(reached.begin(), reached.end(), j) == reached.end() &&
          open_table::Gap(bases[reached[i]], bases[j]) <= spacing)
        reached.push_back(j);
  return reached.size() == bases.size();
}

std::vector<BaseState> Arranged(const State& s, int unit, Formation formation, Vec2 front,
                                double facing, int files) {
  std::vector<BaseState> bases = At(s, unit).bases;
  const UnitInfo& info = Info(s, unit);
  const int count = static_cast<int>(bases.size());
  int wide = files;
  if (formation == Formation::kMarch) wide = 1;
  if (formation == Formation::kLine && files <= 0) wide = count;
  if (formation == Formation::kAssault && files <= 0) wide = 2;
  wide = std::clamp(wide, 1, std::max(1, count));
  const Vec2 ahead = open_table::Ahead(facing);
  const Vec2 right = open_table::Rightward(facing);
  for (int i = 0; i < count; ++i) {
    const int rank = i / wide;
    const int file = i % wide;
    const double across = (file - 0.5 * (wide - 1)) * info.width_yd;
    const Vec2 centre = front - (rank + 0.5) * info.depth_yd * ahead + across * right;
    bases[static_cast<std::size_t>(i)] =
        ToState({centre, facing, 0, 0}, bases[static_cast<std::size_t>(i)]);
  }
  return bases;
}

}  // namespace fos::closefire
