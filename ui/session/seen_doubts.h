#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/files/event_log.h"
#include "ui/session/snapshot.h"

namespace fos {

// The doubts a match raised about which stand is which, and what the players said to each.
class SeenDoubts {
 public:
  // Returns its number.
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
  // The event that the answer becomes. Nothing where there is no such doubt or it was answered.
  std::optional<IdentitySettledEvent> Settle(int number, bool changed) {
    if (!Open(number)) return std::nullopt;
    auto& doubt = all_[static_cast<std::size_t>(number) - 1];
    DoubtShown settled = *doubt;
    settled.changed = changed;
    doubt = std::make_shared<const DoubtShown>(std::move(settled));
    return IdentitySettledEvent{number, changed,
                                (changed ? "The players say that it is the other way round: "
                                         : "The players say that it is so: ") +
                                    doubt->text};
  }
  // It is not asked any more: what was said to another answers it. Nothing where it is not open.
  std::optional<IdentitySettledEvent> Withdraw(int number) {
    std::optional<IdentitySettledEvent> event = Settle(number, false);
    if (!event) return event;
    event->withdrawn = true;
    event->text = "No longer asked, by what the players said: " +
                  all_[static_cast<std::size_t>(number) - 1]->text;
    return event;
  }
  // Replaced, never written to, once handed out.
  const std::vector<std::shared_ptr<const DoubtShown>>& All() const { return all_; }

 private:
  std::vector<std::shared_ptr<const DoubtShown>> all_;
};

}  // namespace fos
