#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/rules/closefire/event.h"
#include "engine/rules/closefire/field.h"
#include "engine/rules/closefire/sums.h"
#include "engine/table/clause.h"

// How declarations are carried out. A declaration is straight-line code that throws when it needs
// dice or a choice which nobody has given yet; once they are given it is carried out again from the
// same state. The two exceptions never leave Carry().
namespace fos::closefire {

// One line of docs/scripts.md, read: names looked up, numbers in their ranges.
struct ParsedLine {
  std::string verb;
  std::vector<int> units, leaders;
  std::vector<double> numbers;
  std::vector<std::string> flags;  // left, right, double, ...
  DiceSet dice;
  int side = -1;
  bool Has(std::string_view flag) const;
};

// An action: a line as people type it, or an answer.
struct Action {
  std::string line;  // canonical
  ParsedLine words;
  bool overrule = false;
};

class Play {
 public:
  Play(State& state, std::vector<Event>& events, std::vector<Answer> answers, bool overrule);

  const State& Now() const { return s_; }
  const Tables& Book() const { return s_.Book(); }
  const Settings& Rulings() const { return s_.Rulings(); }
  Field Measure() const { return Field(s_); }

  // ---- asking. Faces as they count (CF-1.2). ----
  std::vector<int> Roll(int side, const DiceSet& dice, std::string sentence, std::string clause,
                        int about = -1);
  int RollD6(int side, std::string sentence, std::string clause);
  std::size_t Choose(int side, std::vector<std::string> words, std::string sentence,
                     std::string clause);

  // The state to measure on: as it is, or, where what `key` says hangs on less than the doubt about
  // the place of `unit` (one sigma, yards), as the players rule, who are asked before any dice.
  State Ruled(int unit, double sigma_yd, const std::function<std::string(const State&)>& key,
              const std::string& measured, const std::string& clause);

  // ---- telling ----
  void Tell(std::string clause, std::string sentence);
  // CF-1.3: decided as measured, and said where it is within a yard of the limit.
  void NoteClose(const std::string& what, double measured_yd, double limit_yd);
  void Set(int unit, Of field, std::int64_t value);
  template <typename E>
  requires std::is_enum_v<E>
  void Set(int unit, Of field, E value) { Set(unit, field, static_cast<std::int64_t>(value)); }
  void SetLeader(int leader, By field, std::int64_t value);
  void Place(int unit, std::vector<BaseState> bases);
  void PlaceBases(int unit, const std::vector<Base>& bases);
  // CF-4.3: where a leader with the unit rides: the middle of its front, not over the edge, where
  // the front of a body may just hang.
  Vec2 FrontOnTable(int unit) const;
  void SetGame(What what, std::int64_t value);
  void Engage(int a, int b);
  void Part(int unit);
  void AddShock(int unit, int kind, Vec2 at);
  void Emit(Event event);

  // Throws unless it holds. A refusal the players may let stand is passed over when they overrule.
  void Require(bool holds, std::string clause, std::string because, bool may_overrule = true);

  // ---- what several clauses do ----
  std::string Name(int unit) const { return Info(s_, unit).id; }
  std::string LeaderName(int leader) const { return LeaderInfoOf(s_, leader).id; }
  void ManoeuvreDp(int unit, int dp, const std::string& clause, const std::string& why);  // CF-8.2
  // CF-8.1; by fire, combat or morale. Returns the casualties it became.
  int Hurt(int unit, int dp, const std::string& clause, const std::string& why);
  void Casualty(int unit, const std::string& clause, const std::string& why);  // CF-8.6
  void CloseUp(int unit, std::vector<BaseState> bases, const Field::Front& before,
               const BaseState& hole);
  void Heal(int unit, int dp, const std::string& clause, const std::string& why);
  void Destroy(int unit, Presence how, const std::string& clause, const std::string& why);
  void RiskLeaders(int unit, bool combat);                // CF-6.1
  void HitLeader(int leader, const std::string& clause);  // CF-6.2
  void Moved(int unit);  // marks it, forgets a gun's target (CF-16.3)

 private:
  State& s_;
  std::vector<std::pair<int, int>> with_the_lost_;  // leaders of units destroyed: unit, leader
  std::vector<Event>& events_;
  std::vector<Answer> answers_;
  std::size_t next_ = 0;
  bool overrule_ = false;
};

// CF-8.2: how many of so many DPs of movement and manoeuvre a unit takes.
int ManoeuvreDpTaken(const State& s, int unit, int dp);

// Thrown by Play and caught by Carry alone.
struct NeedsAnswer {
  Ask ask;
};
struct NotAllowed {
  Refusal refusal;
};

// Each phase's declarations; `true` when the verb is one of theirs.
bool PlayFire(Play& play, const ParsedLine& words);
bool PlayCommand(Play& play, const ParsedLine& words);
bool PlayMove(Play& play, const ParsedLine& words);
bool PlayCharge(Play& play, const ParsedLine& words);
// The rest of a phase, when both sides are done.
void EndCommand(Play& play, int side);
void EndMovement(Play& play, int side);
void FightCombats(Play& play);
void MoralePhase(Play& play);
void BeginTurn(Play& play);

// One of the four sets there are (CF-12.2), from 1; 0 for no dice.
int SetIndex(const DiceSet& dice);
const DiceSet& SetAt(int index);
// The charge, counter-charge and fast moves.
double AlongToContact(const Field& field, int unit, int enemy, double limit_yd);
// Where the whole unit would be after so many yards along a bearing.
std::vector<Base> ShiftedBases(const std::vector<Base>& bases, double bearing_deg, double yards);
// Is every base at most so far from others of the body (CF-10.1, 14.14)?
bool HangsTogether(const std::vector<Base>& bases, double spacing_yd);
// Bases arranged as a formation about the middle of its front edge.
std::vector<BaseState> Arranged(const State& s, int unit, Formation formation, Vec2 front_centre,
                                double facing_deg, int files);

}  // namespace fos::closefire
