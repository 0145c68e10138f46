#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "engine/table/result.h"
#include "ui/session/club_file.h"
#include "ui/session/player_word.h"
#include "ui/session/snapshot.h"

namespace fos {

// A watched game of the club's file, stepped through forward and back as the window showed it: the
// stands as they stood, the shots with their verdicts, judged again from what was measured, the
// moves, what people said, and the pictures that were kept of the shots. Writes nothing.
class WatchedReplay : public WordSink {
 public:
  // errors  those of ReadWatchedWith; kBadFormat: nothing was seen in it.
  static Result<std::unique_ptr<WatchedReplay>> Open(OpenedGame game);
  ~WatchedReplay() override;

  // Whatever is told at once is one step: a verdict, the stands that went together, a remark.
  std::size_t Steps() const;
  // As it was after so many steps, at most all of them.
  void StepTo(std::size_t step) override;
  // Never null. Without a picture of the table: of each shot what lay about it is kept.
  const std::shared_ptr<const Snapshot>& Now() const;
  // What was said was said then: nothing can be added.
  void Post(PlayerWord word) override;

 private:
  struct Impl;
  explicit WatchedReplay(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace fos
