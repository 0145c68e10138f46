// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "engine/files/event_log.h"
#include "engine/shots/seen.h"
#include "ui/session/snapshot.h"

namespace fos {

// The moves the camera observed, each with its ruling and the players' decision.
class MoveLog {
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
  // The players allow a refused move: the event to record. Empty where there is no such move, the
  // rules allow it, or it was overruled before.
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
  // Entries never change; an overruled move gets a new entry.
  const std::vector<std::shared_ptr<const MoveShown>>& All() const { return all_; }

 private:
  std::vector<std::shared_ptr<const MoveShown>> all_;
};

}  // namespace fos
