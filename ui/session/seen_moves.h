#pragma once

#include <memory>
#include <vector>

#include "engine/files/event_log.h"
#include "engine/shots/seen.h"
#include "ui/session/snapshot.h"

namespace fos {

// The moves a match saw, with what the rules said to each and what the players made of that.
class SeenMoves {
 public:
  void Add(const SeenMove& move, const MoveRuling& ruling, double time_s) {
    MoveShown shown;
    shown.number = static_cast<int>(all_.size()) + 1;
    for (const StandId& id : move.pieces) shown.pieces.push_back(id.text);
    shown.from = SquareName(move.from);
    shown.to = SquareName(move.to);
    shown.text = ruling.text;
    if (ruling.refused) shown.refused_by = ruling.refused->clause;
    shown.line = ruling.line;
    shown.time_s = time_s;
    all_.push_back(std::make_shared<const MoveShown>(std::move(shown)));
  }
  // The players let it stand: the event it becomes. Nothing where there is no such move, where the
  // rules allow it, or where it has been overruled.
  std::optional<MoveOverruledEvent> Overrule(int number) {
    if (number < 1 || static_cast<std::size_t>(number) > all_.size()) return std::nullopt;
    auto& move = all_[static_cast<std::size_t>(number) - 1];
    if (!MayOverrule(*move)) return std::nullopt;
    MoveShown changed = *move;
    changed.overruled = true;
    move = std::make_shared<const MoveShown>(std::move(changed));
    return MoveOverruledEvent{move->number, move->pieces,     move->from,
                              move->to,     move->refused_by, move->text};
  }
  // Replaced, never written to, once handed out.
  const std::vector<std::shared_ptr<const MoveShown>>& All() const { return all_; }

 private:
  std::vector<std::shared_ptr<const MoveShown>> all_;
};

}  // namespace fos
