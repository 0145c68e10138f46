// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/files/event_log.h"
#include "ui/session/snapshot.h"

namespace fos {

// The doubts about which stand is which, each with the players' answer.
class IdentityDoubtLog {
 public:
  // Returns the new doubt's number, counted from 1.
  int Add(std::string text) {
    const int number = static_cast<int>(all_.size()) + 1;
    all_.push_back(
        std::make_shared<const DoubtShown>(DoubtShown{number, std::move(text), std::nullopt}));
    return number;
  }
  bool Open(int number) const {
    return number >= 1 && static_cast<std::size_t>(number) <= all_.size() &&
           !all_[static_cast<std::size_t>(number) - 1]->changed;
  }
  // The event to record for an answer. Empty where there is no such doubt or it has an answer.
  std::optional<IdentitySettledEvent> Settle(int number, bool changed) {
    if (!Open(number)) return std::nullopt;
    auto& doubt = all_[static_cast<std::size_t>(number) - 1];
    DoubtShown settled = *doubt;
    settled.changed = changed;
    doubt = std::make_shared<const DoubtShown>(std::move(settled));
    return IdentitySettledEvent{number, changed,
                                (changed ? "The players say the stands swapped places: "
                                         : "The players say the stands kept their places: ") +
                                    doubt->text};
  }
  // Closes a doubt that the answer to another one has resolved. Empty where it is not open.
  std::optional<IdentitySettledEvent> Withdraw(int number) {
    std::optional<IdentitySettledEvent> event = Settle(number, false);
    if (!event) return event;
    event->withdrawn = true;
    event->text = "Resolved by the players' other answer: " +
                  all_[static_cast<std::size_t>(number) - 1]->text;
    return event;
  }
  // Entries never change; a settled doubt gets a new entry.
  const std::vector<std::shared_ptr<const DoubtShown>>& All() const { return all_; }

 private:
  std::vector<std::shared_ptr<const DoubtShown>> all_;
};

}  // namespace fos
