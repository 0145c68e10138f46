// SPDX-License-Identifier: MIT
#include "ui/session/judge.h"

#include <chrono>

#include "ui/session/match.h"
#include "ui/session/out_folder.h"
#include "ui/session/rig.h"
#include "vision/image/frame_source.h"

namespace fos {

namespace fs = std::filesystem;

Result<Judged> JudgeClip(const fs::path& path, const JudgeOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  const auto elapsed = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  OutFolder out(options.out);
  Result<Rig> rig = OpenRig(path, out, options.rig);
  if (!rig.ok()) return rig.error();
  if (options.prepare) options.prepare(*rig);
  std::shared_ptr<MatchJournal> journal;
  if (!options.club.empty()) {
    Result<std::unique_ptr<MatchJournal>> begun = MatchJournal::Begin(
        options.club, rig->files, rig->scenario, path.filename().string(), options.players,
        /*hold=*/true);
    if (!begun.ok()) return begun.error();
    journal = std::move(begun).value();
  }
  Match match(*rig, out, options.policy, journal);
  if (options.debug) match.DrawStages();
  std::optional<std::int64_t> total;
  if (rig->source->FrameCount()) total = *rig->source->FrameCount();
  const std::unique_ptr<FrameSource> source = Prefetched(std::move(rig->source));
  for (;;) {
    if (options.stopped && options.stopped()) {
      return Error{ErrorCode::kIo,
                   path.string() + ": interrupted before its end; nothing was written"};
    }
    const Result<std::optional<Frame>> next = source->Next();
    if (!next.ok()) {
      if (match.Frames() == 0) return next.error();
      const Status told = match.CutOff(next.error().message);
      if (!told.ok()) return told.error();
      break;
    }
    if (!next->has_value()) break;
    const Status status = match.Step(**next);
    if (!status.ok()) return status.error();
    if (options.progress) options.progress(match.Frames(), total);
  }
  Status status = match.Finish();
  if (!status.ok()) return status.error();
  Judged judged;
  judged.seconds = elapsed();
  status = match.End(judged.seconds);
  if (status.ok()) status = match.WriteLog();
  if (status.ok() && journal) {
    journal->Release();
    status = match.EndJournal();
    judged.game = journal->Game();
  }
  if (status.ok()) status = out.Keep();
  if (!status.ok()) return status.error();
  judged.events = match.Events();
  judged.remarks = match.Remarks();
  judged.frames = match.Frames();
  judged.stages = match.StageCalls();
  return judged;
}

}  // namespace fos
