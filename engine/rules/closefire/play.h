// SPDX-License-Identifier: MIT
#pragma once

#include <any>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/rules/closefire/event.h"
#include "engine/rules/closefire/field.h"
#include "engine/rules/closefire/sums.h"
#include "engine/table/clause.h"

// How declarations are carried out. A declaration is straight-line code that throws when it needs
// dice or a choice that is not there yet. Once the answer comes it runs again from the same state.
// The two exceptions never leave Carry().
namespace fos::closefire {

// A parsed line of docs/scripts.md: names looked up, numbers checked.
struct ParsedLine {
  std::string verb;
  std::vector<int> units, leaders;
  std::vector<double> numbers;
  std::vector<std::string> flags;  // left, right, double, ...
  DiceSet dice;
  int side = -1;
  bool Has(std::string_view flag) const;
};

// An action: a declaration or an answer, with the line as typed.
struct Action {
  std::string line;  // in canonical form
  ParsedLine words;
  bool overrule = false;
};

// A point from which a declaration with many answers goes on when the next one comes, so that it
// need not run again from its start.
struct Kept {
  State at;
  std::size_t answers = 0, told = 0;  // so far
  std::vector<std::pair<int, int>> with_the_lost;
  std::any what;  // how far it has come: one of the declaration's own types
};

// Answers a question at once. In random play a declaration then runs once, not once for each
// answer.
using Answering = std::function<Answer(const Ask&)>;

class Play {
 public:
  // from  where an earlier run of the declaration got to; nullptr: its start. `state` is then as it
  //       was there, and `events` takes what follows.
  Play(State& state, std::vector<Event>& events, std::vector<Answer> answers, bool overrule,
       std::shared_ptr<const Kept> from = nullptr);
  // Questions are answered at once, and told among the events. Nobody reads why the declaration is
  // refused, unless it was asked something before that.
  Play(State& state, std::vector<Event>& events, const Answering* answering, bool overrule);

  const State& Now() const { return s_; }
  const Tables& Book() const { return s_.Book(); }
  const Settings& Rulings() const { return s_.Rulings(); }
  Field Measure() const { return Field(s_); }

  // ---- Asking the players ----
  // Roll returns the faces as they count (CF-1.2). A sentence names what is thrown for ("control
  // test of B1"); a choice's sentence is a question. about: the unit whose forecast is shown.
  std::vector<int> Roll(std::optional<int> side, const DiceSet& dice, std::string sentence,
                        std::string clause, std::optional<UnitId> about = std::nullopt);
  int RollD6(int side, std::string sentence, std::string clause);
  std::size_t Choose(std::optional<int> side, std::vector<std::string> words, std::string sentence,
                     std::string clause);

  // The state to measure on. Usually the present state. If `key` differs within the doubt about the
  // place of `unit` (one sigma, yards), the players are asked before any dice, and the state is the
  // one they ruled.
  State Ruled(int unit, double sigma_yd, const std::function<std::string(const State&)>& key,
              const std::function<std::string()>& measured, const char* clause);

  // ---- Going on ----
  // How far an earlier run got; nothing if this run began at the start.
  template <typename T>
  std::optional<T> Resumed() const {
    const T* what = from_ ? std::any_cast<T>(&from_->what) : nullptr;
    return what ? std::optional<T>(*what) : std::nullopt;
  }
  // Marks a point that depends on nothing but the state and `what`.
  template <typename T>
  void Keep(const T& what) {
    if (answering_ != nullptr) return;                  // it will not run again
    if (next_ == (kept_ ? kept_->answers : 0)) return;  // nothing was answered since the last
    kept_ = std::make_shared<const Kept>(
        Kept{s_, next_, (from_ ? from_->told : 0) + events_.size(), with_the_lost_, what});
  }
  const std::shared_ptr<const Kept>& LastKept() const { return kept_; }
  const std::vector<Answer>& Answers() const { return answers_; }
  // How many events there were after the last answer that was given at once; at first, none.
  std::size_t AtLastAnswer() const { return at_last_answer_; }

  // ---- Emitting events ----
  void Tell(std::string clause, std::string sentence);
  // CF-1.3: reports a close call if the measure is within a yard of the limit. The ruling follows
  // the measure. what: names the two ("foot B1 to horse R2").
  template <typename What>
  void NoteClose(What what, double measured_yd, double limit_yd) {
    const std::string close = CloseCall(s_, measured_yd, limit_yd);
    if (!close.empty()) Tell("CF-1.3", what() + ": " + close + ".");
  }
  void Set(int unit, Of field, std::int64_t value);
  template <typename E>
  requires std::is_enum_v<E>
  void Set(int unit, Of field, E value) { Set(unit, field, static_cast<std::int64_t>(value)); }
  // A member without a value is stored as 0.
  template <typename T>
  void Set(int unit, Of field, const std::optional<T>& value) {
    Set(unit, field, Stored(value));
  }
  void Set(int unit, Of field, std::nullopt_t) { Set(unit, field, 0); }
  void SetLeader(int leader, By field, std::int64_t value);
  template <typename T>
  void SetLeader(int leader, By field, const std::optional<T>& value) {
    SetLeader(leader, field, Stored(value));
  }
  void SetLeader(int leader, By field, std::nullopt_t) { SetLeader(leader, field, 0); }
  void SetFate(int leader, LeaderFate fate) {
    SetLeader(leader, By::kGone, static_cast<std::int64_t>(fate));
  }
  void Place(int unit, std::vector<BaseState> bases);
  void PlaceBases(int unit, const std::vector<Base>& bases);
  // CF-4.3: the place of an attached leader: the middle of the unit's front, kept on the table
  // where the front hangs over the edge.
  Vec2 FrontOnTable(int unit) const;
  void SetGame(What what, std::int64_t value);
  void Engage(int a, int b);
  void Part(int unit);
  void AddShock(int unit, Blow blow);  // where the unit stands now
  // CF-8.4: once a rout or retirement has ended, a later one counts again.
  void ForgetShocks(UnitOrLeader who);
  // Ends a retirement, rout or pursuit: the unit stands.
  void StandFast(int unit);
  // CF-3.3: puts a hidden unit of the side that acts on the table. what: "fires", "moves".
  void Reveal(int unit, const char* what);
  void Emit(Event&& event);

  // Throws NotAllowed unless `holds`. When the players overrule, only refusals with may_overrule
  // false throw. because: text, or a function that returns it and is called only for a refusal.
  void Require(bool holds, std::string_view clause, const char* because, bool may_overrule = true) {
    if (!holds) [[unlikely]]
      Refuse(std::string(clause), because, may_overrule);
  }
  template <typename Because>
  requires std::is_invocable_v<const Because&>
  void Require(bool holds, std::string_view clause, const Because& because,
               bool may_overrule = true) {
    if (!holds) [[unlikely]]
      RefuseBy(clause, because, may_overrule);
  }

  // ---- Effects shared by several clauses ----
  // For sentences: "foot B1", "brigadier L2". Lines that players may type have the id alone.
  std::string Name(int unit) const { return UnitName(s_, unit); }
  std::string LeaderName(int leader) const { return closefire::LeaderName(s_, leader); }
  const std::string& Id(int unit) const { return Info(s_, unit).id; }
  void ManoeuvreDp(int unit, int dp, const std::string& clause, const std::string& why);  // CF-8.2
  // CF-8.1: DPs from fire, combat or morale. Returns the casualties they caused.
  int Hurt(int unit, int dp, const std::string& clause, const std::string& why);
  void Casualty(int unit, const std::string& clause, const std::string& why);  // CF-8.6
  void CloseUp(int unit, std::vector<BaseState> bases, const Field::Front& before,
               const BaseState& hole);
  void Heal(int unit, int dp, const std::string& clause, const std::string& why);
  void Destroy(int unit, Presence how, const std::string& clause, const std::string& why);
  void RiskLeaders(int unit, bool combat);                // CF-6.1
  void HitLeader(int leader, const std::string& clause);  // CF-6.2
  void Moved(int unit);  // marks it as moved; a gun loses its target (CF-16.3)

 private:
  // Out of line: the rules hold far more often than not.
  template <typename Because>
  [[gnu::noinline]] void RefuseBy(std::string_view clause, const Because& because,
                                  bool may_overrule) {
    const bool unread = answering_ != nullptr && answers_.empty() && !overrule_;
    Refuse(std::string(clause), unread ? std::string() : because(), may_overrule);
  }
  // The next answer; throws NeedsAnswer where there is none yet.
  template <typename Question>
  const Answer& NextAnswer(const Question& question) {
    if (next_ == answers_.size()) AnswerAtOnce(question());
    return answers_[next_++];
  }
  void AnswerAtOnce(Ask ask);
  void Refuse(std::string clause, std::string because, bool may_overrule);

  State& s_;
  std::vector<std::pair<int, int>> with_the_lost_;  // unit and leader of destroyed units
  std::vector<Event>& events_;
  std::vector<Answer> answers_;
  const Answering* answering_ = nullptr;
  std::size_t told_before_ = 0;  // events of others, and those that tell of questions
  std::size_t at_last_answer_ = 0;
  std::size_t next_ = 0;
  bool overrule_ = false;
  std::shared_ptr<const Kept> from_, kept_;
};

// CF-8.2: how many of these movement DPs the unit actually takes.
int ManoeuvreDpTaken(const State& s, int unit, int dp);

// Thrown by Play, caught only by Carry.
struct NeedsAnswer {
  Ask ask;
};
struct NotAllowed {
  Refusal refusal;
};

// The declarations of each phase. Each returns true if the verb is one of its own.
bool PlayFire(Play& play, const ParsedLine& words);
bool PlayCommand(Play& play, const ParsedLine& words);
bool PlayMove(Play& play, const ParsedLine& words);
bool PlayCharge(Play& play, const ParsedLine& words);
// The automatic parts at the end of a phase.
void EndCommand(Play& play, int side);
void EndMovement(Play& play, int side);
void FightCombats(Play& play);
void MoralePhase(Play& play);
void BeginTurn(Play& play);

// The number of a dice set: 1 to 4 for the sets of CF-12.2, 0 for no dice.
int SetIndex(const DiceSet& dice);
const DiceSet& SetAt(int index);
// "its dice are 1 AvD or 1 AvD + 1 D6"; "it throws no dice".
std::string SetsInWords(const std::vector<DiceSet>& sets);
// Yards straight ahead to contact; -1 if it is not met within the limit.
double AlongToContact(const Field& field, int unit, int enemy, double limit_yd);
// The bases moved by these yards along a bearing.
std::vector<Base> ShiftedBases(const std::vector<Base>& bases, double bearing_deg, double yards);
// Whether the bases form one body with gaps of at most spacing_yd (CF-10.1, 14.14).
bool HangsTogether(const std::vector<Base>& bases, double spacing_yd);
// The unit's bases arranged in a formation about the middle of its front edge.
std::vector<BaseState> Arranged(const State& s, int unit, Formation formation, Vec2 front_centre,
                                double facing_deg, int files);

}  // namespace fos::closefire
