// SPDX-License-Identifier: MIT
#include "ui/report/camera_story.h"

#include <algorithm>
#include <utility>
#include <variant>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/table/sentence.h"
#include "ui/session/shot_words.h"

namespace fos {
namespace {

// The stands of the camera's log as pieces of a game.
std::vector<PieceView> PiecesOf(const std::vector<StandRecord>& stands, const Battle& battle) {
  std::vector<PieceView> out;
  for (const StandRecord& stand : stands) {
    PieceView piece;
    piece.id = stand.id;
    piece.unit = stand.unit.empty() ? stand.id : stand.unit;
    piece.kind = stand.kind;
    for (std::size_t i = 0; i < battle.sides.size(); ++i) {
      if (battle.sides[i].name == stand.side) piece.side = static_cast<int>(i);
    }
    piece.square = stand.square;
    piece.at_in = stand.centre;
    piece.bearing_deg = stand.bearing_deg;
    out.push_back(std::move(piece));
  }
  return out;
}

// The units that they belong to, each once.
std::vector<NamedUnit> UnitsOf(const std::vector<StandRecord>& stands) {
  std::vector<NamedUnit> out;
  for (const StandRecord& stand : stands) {
    const std::string id = stand.unit.empty() ? stand.id.substr(0, stand.id.find('#')) : stand.unit;
    const auto known =
        std::find_if(out.begin(), out.end(), [&](const NamedUnit& one) { return one.id == id; });
    if (known != out.end()) {
      ++known->stands;
    } else {
      out.push_back({id, stand.side, KeyInWords(stand.kind), 1});
    }
  }
  return out;
}

// What a shot destroys: all of `sure`, and one of `one_of`.
void Fell(const std::vector<std::string>& sure, const std::vector<std::string>& one_of,
          BattleShot& shot) {
  shot.lost = sure;
  shot.one_of = one_of;
}
void Fell(const DecisionRecord& record, BattleShot& shot) {
  const std::vector<std::string> none;
  const std::vector<std::string> fallen = record.casualties.value_or(none);
  Fell(record.choice ? none : fallen, record.choice ? fallen : none, shot);
}
void Fell(const VerdictEvent& verdict, BattleShot& shot) {
  const Fallen fallen = FallenOf(verdict);
  Fell(fallen.sure, fallen.picked, shot);
}

}  // namespace

CameraStory::CameraStory(Battle& battle) : battle_(battle) {
  turn_.number = 1;
  turn_.title = "What the camera saw";
}

void CameraStory::Take(const Record& record) {
  const Result<std::optional<EventRecord>> event = ParseEventLine(record.text);
  if (!event.ok() || !event->has_value()) return;
  std::visit([&](const auto& body) { On(body); }, (*event)->body);
}

void CameraStory::Decide(const DecisionRecord& record) {
  const PlayerDecision& decision = record.decision;
  if (decision.what == PlayerDecision::What::kPoint) {
    BattleShot fallen;
    fallen.turn = 1;
    fallen.how = decision.projectile == "qtip" ? "cotton swab" : decision.projectile;
    fallen.landed = decision.point;
    fallen.thrown = true;
    Fell(record, fallen);
    shots_[decision.shot] = turn_.shots.size();
    turn_.shots.push_back(std::move(fallen));
    return;
  }
  BattleShot* shot = ShotOf(decision.shot);
  if (!shot) return;
  std::vector<BattleShot>& before = before_[decision.shot];
  if (decision.what == PlayerDecision::What::kTakeBack) {
    if (before.empty()) {
      shot->thrown = false;  // the players had said that it fell
      Fell({}, {}, *shot);
    } else {
      *shot = before.back();
      before.pop_back();
    }
    return;
  }
  before.push_back(*shot);
  if (decision.what == PlayerDecision::What::kSettle) {
    if (record.casualties) {
      Fell(record, *shot);
    } else {
      Settle(decision, *shot);
    }
  } else if (decision.what == PlayerDecision::What::kMove) {
    shot->landed = decision.point;
    Fell(record, *shot);
  }
}

// For logs that do not say what falls once a call is settled.
void CameraStory::Settle(const PlayerDecision& decision, BattleShot& shot) const {
  SettledStand settled{decision.stand, decision.call};
  if (const auto judged = verdicts_.find(decision.shot); judged != verdicts_.end()) {
    const VerdictEvent& verdict = judged->second;
    if (verdict.ruling) {
      const std::vector<std::string>& barred = verdict.ruling->barred;
      settled.spared = verdict.ruling->no_effect ||
                       std::find(barred.begin(), barred.end(), decision.stand) != barred.end();
    }
    settled.touch =
        std::any_of(verdict.stands.begin(), verdict.stands.end(),
                    [&](const auto& stand) { return stand.id == decision.stand && stand.touch; });
  }
  Fallen fallen{shot.lost, shot.one_of};
  SettleIn(settled, fallen);
  Fell(fallen.sure, fallen.picked, shot);
}

void CameraStory::Finish() {
  for (BattleShot& shot : turn_.shots) {
    if (shot.one_of.size() != 1) continue;
    shot.lost.push_back(shot.one_of.front());
    shot.one_of.clear();
  }
  turn_.after = now_;
  for (const auto& [unit, path] : paths_) {
    BattleMove move;
    move.unit = unit;
    for (const PieceView& piece : turn_.before) {
      if (piece.id == unit) move.side = piece.side;
    }
    move.path = path;
    turn_.moves.push_back(std::move(move));
  }
  for (const PieceView& piece : turn_.before) {
    auto line = std::find_if(battle_.order.begin(), battle_.order.end(),
                             [&](const UnitLine& one) { return one.unit == piece.unit; });
    if (line == battle_.order.end()) {
      battle_.order.push_back({piece.unit, piece.kind, piece.side, 0, 0, {}});
      line = battle_.order.end() - 1;
    }
    ++line->start;
    line->left += FindPiece(now_, piece.id) != nullptr;
  }
  Strength start{0, std::vector<int>(battle_.sides.size(), 0), {}};
  Strength end{1, std::vector<int>(battle_.sides.size(), 0), {}};
  for (const PieceView& lost : turn_.lost) {
    if (lost.side >= 0) ++end.lost[static_cast<std::size_t>(lost.side)];
  }
  battle_.strength = {start, end};
  battle_.turns.push_back(std::move(turn_));
}

void CameraStory::On(const StandsEvent& stands) {
  const bool first = turn_.before.empty();
  now_ = PiecesOf(stands.stands, battle_);
  if (turn_.before.empty()) turn_.before = now_;
  // The first time they are all there.
  if (first) names_ = PlayersNames(UnitsOf(stands.stands));
}

void CameraStory::On(const ShotEvent& shot) {
  BattleShot fired;
  fired.turn = 1;
  fired.how = shot.projectile == "qtip" ? "cotton swab" : shot.projectile;
  fired.landed = shot.point;
  fired.off_board = shot.square.empty();
  fired.thrown = true;
  shots_[shot.shot] = turn_.shots.size();
  turn_.shots.push_back(std::move(fired));
}
// The shot counts although its point is unknown.
void CameraStory::On(const AskEvent& ask) {
  BattleShot fired;
  fired.turn = 1;
  fired.how = ask.projectile == "qtip" ? "cotton swab" : ask.projectile;
  fired.thrown = true;
  shots_[ask.shot] = turn_.shots.size();
  turn_.shots.push_back(std::move(fired));
  Say(ask.text + ".");
  battle_.disputes.push_back({1, ask.shot, ask.text + ".", {}, ""});
}

void CameraStory::On(const VerdictEvent& verdict) {
  Say(fmt::format("Shot {}: {}", verdict.shot, names_.In(verdict.text)));
  if (BattleShot* shot = ShotOf(verdict.shot)) Fell(verdict, *shot);
  verdicts_[verdict.shot] = verdict;
  std::vector<std::string> close;
  for (const VerdictStand& stand : verdict.stands) {
    if (stand.call == Call::kTooClose) {
      close.push_back(fmt::format("{} at {:.2f} +/- {:.2f} in (chance of a hit {:.0f} %)",
                                  names_.Of(stand.id), stand.distance_in, 1.96 * stand.sigma_in,
                                  100 * stand.p_hit));
    }
  }
  if (!close.empty()) {
    battle_.disputes.push_back(
        {1,
         verdict.shot,
         fmt::format("Shot {} is too close to call for {}.", verdict.shot, fmt::join(close, ", ")),
         {},
         ""});
  }
}

void CameraStory::On(const StandChangeEvent& change) {
  const PieceView* was = FindPiece(now_, change.id);
  if (change.what == StandChangeEvent::What::kRemoved && was) {
    Say(fmt::format("{} is taken off {}.", names_.Of(change.id), was->square));
    turn_.lost.push_back(*was);
    std::erase_if(now_, [&](const PieceView& piece) { return piece.id == change.id; });
  } else if (change.what == StandChangeEvent::What::kMoved && was && change.to) {
    Say(fmt::format("{} moves from {} to {}.", names_.Of(change.id), was->square,
                    change.to->square));
    std::vector<Vec2>& path = paths_[change.id];
    if (path.empty()) path.push_back(was->at_in);
    path.push_back(change.to->centre);
    PieceView& moved = now_[static_cast<std::size_t>(was - now_.data())];
    moved.at_in = change.to->centre;
    moved.square = change.to->square;
    moved.bearing_deg = change.to->bearing_deg;
  }
}

BattleShot* CameraStory::ShotOf(int number) {
  const auto known = shots_.find(number);
  return known == shots_.end() ? nullptr : &turn_.shots[known->second];
}

void CameraStory::Say(std::string sentence) {
  if (turn_.phases.empty()) turn_.phases.push_back({"", {}});
  turn_.phases.back().sentences.push_back(std::move(sentence));
}

}  // namespace fos
