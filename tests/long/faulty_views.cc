// SPDX-License-Identifier: MIT
// Applies camera faults to a labelled clip and counts what the referee makes of it:
//   faulty_views CLIP [FAULT...]     all faults when none is named
// The fault lasts from 0.8 s to the clip's end; then its last frames follow for another five
// seconds as they are.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "datasets/score/score.h"
#include "datasets/score/score_truth.h"
#include "tests/support/temp_dir.h"
#include "tests/support/view_faults.h"
#include "ui/session/judge.h"
#include "ui/session/rig.h"
#include "vision/image/frame_source.h"
#include "vision/image/patch.h"

namespace fos {
namespace {

constexpr double kFrom_s = 0.8;
constexpr double kAfter_s = 5;  // a focus may hunt for three of them
constexpr std::size_t kLast = 10;  // frames that are shown to and fro after the clip's end

class FaultySource : public FrameSource {
 public:
  FaultySource(std::unique_ptr<FrameSource> source, const std::string& fault,
               std::vector<std::int64_t>& shown)
      : source_(std::move(source)),
        fps_(source_->FramesPerSecond()),
        end_s_(*source_->FrameCount() / fps_),
        view_(fault, kFrom_s, end_s_),
        shown_(shown) {}

  Result<std::optional<Frame>> Next() override {
    while (ready_.empty()) {
      const Result<std::optional<Frame>> next = NextShown();
      if (!next.ok() || !next->has_value()) return next;
      for (const Frame& one : view_.Take(**next)) {
        shown_.push_back((*next)->id.index);
        ready_.push_back(one);
      }
    }
    Frame front = ready_.front();
    ready_.pop_front();
    return std::optional<Frame>{front};
  }
  cv::Size Size() const override { return source_->Size(); }
  double FramesPerSecond() const override { return fps_; }
  std::optional<int> FrameCount() const override { return std::nullopt; }

 private:
  Result<std::optional<Frame>> NextShown() {
    Result<std::optional<Frame>> next = source_->Next();
    if (!next.ok()) return next;
    if (next->has_value()) {
      last_.push_back(**next);
      if (last_.size() > kLast) last_.pop_front();
      return next;
    }
    if (last_.empty() || after_ >= kAfter_s * fps_) return std::optional<Frame>{};
    const std::size_t turn = static_cast<std::size_t>(after_++) % (2 * last_.size());
    Frame out = last_.back();
    out.bgr = last_[turn < last_.size() ? last_.size() - 1 - turn : turn - last_.size()].bgr;
    out.time_s = end_s_ + after_ / fps_;
    return std::optional<Frame>{out};
  }

  std::unique_ptr<FrameSource> source_;
  double fps_;
  double end_s_;
  test::FaultyView view_;
  std::vector<std::int64_t>& shown_;
  std::deque<Frame> last_;
  std::deque<Frame> ready_;
  int after_ = 0;
};

// The questions, objects and changes of stands, a line each: when and where.
std::string Listed(const std::vector<EventRecord>& events) {
  std::string out;
  for (const EventRecord& event : events) {
    if (const auto* ask = std::get_if<AskEvent>(&event.body)) {
      out += fmt::format("\n      {:.2f} s: asked about a {} near ({:.2f}, {:.2f})", event.time_s,
                         ask->projectile, ask->near.x, ask->near.y);
    }
    if (const auto* object = std::get_if<ObjectEvent>(&event.body)) {
      const TableBox box = BoundsOf(object->outline);
      out += fmt::format("\n      {:.2f} s: object {} {} ({:.2f}, {:.2f}) to ({:.2f}, {:.2f})",
                         event.time_s, object->object, object->gone ? "gone from" : "at", box.low.x,
                         box.low.y, box.high.x, box.high.y);
    }
    if (const auto* change = std::get_if<StandChangeEvent>(&event.body)) {
      const auto place = [](const auto& pose) {
        return pose ? fmt::format("({:.2f}, {:.2f})", pose->centre.x, pose->centre.y)
                    : std::string("nowhere");
      };
      out += fmt::format("\n      {:.2f} s: {} from {} to {}", event.time_s, change->id,
                         place(change->from), place(change->to));
    }
  }
  return out;
}

std::string Judge(const std::filesystem::path& clip, const std::string& fault) {
  const test::TempDir folder;
  std::vector<std::int64_t> shown;  // which of the clip's frames each frame is
  JudgeOptions options;
  options.out = folder.path() / "out";
  options.prepare = [&](Rig& rig) {
    rig.source = std::make_unique<FaultySource>(std::move(rig.source), fault, shown);
  };
  const Result<Judged> judged = JudgeClip(clip, options);
  if (!judged.ok()) return judged.error().message;
  std::vector<EventRecord> events = judged->events;
  std::string views;
  const auto frame_of_clip = [&](std::int64_t frame) {
    const auto at = static_cast<std::size_t>(std::max<std::int64_t>(0, frame));
    return at < shown.size() ? shown[at] : shown.back();
  };
  for (EventRecord& event : events) {
    if (const auto* view = std::get_if<ViewEvent>(&event.body)) {
      views += fmt::format(" {}{:.2f}", view->obstructed ? "-" : "+", event.time_s);
    }
    event.frame = frame_of_clip(event.frame);
    if (auto* shot = std::get_if<ShotEvent>(&event.body))
      shot->at_rest_frame = frame_of_clip(shot->at_rest_frame);
  }
  const auto asked = std::count_if(events.begin(), events.end(), [](const EventRecord& event) {
    return std::holds_alternative<AskEvent>(event.body);
  });
  const auto objects = std::count_if(events.begin(), events.end(), [](const EventRecord& event) {
    return std::holds_alternative<ObjectEvent>(event.body);
  });
  const Result<Truth> truth = ReadTruth(clip);
  if (!truth.ok()) return truth.error().message;
  OutFolder out(folder.path() / "rig");
  const Result<Rig> rig = OpenRig(clip, out);
  if (!rig.ok()) return rig.error().message;
  const ClipScore score = ScoreClip(*truth, rig->table, rig->scenario, events);
  double worst_in = 0;
  for (const double error : score.shot_errors_in) worst_in = std::max(worst_in, error);
  std::string text = fmt::format(
      "shots {}/{}/{} (worst {:.3f} in, {} asked, {} objects)  calls {}/{}/{}  changes {}/{}/{}  "
      "knocks {}/{}"
      "  view{}",
      score.shots_found, score.shots_missed, score.shots_invented, worst_in, asked, objects,
      score.CallsRight(), score.CallsWrong(), score.CallsTooClose(), score.changes_right,
      score.changes_missed, score.changes_invented, score.camera_moves_found,
      score.camera_moves_invented, views);
  text += Listed(events);
  for (const std::string& detail : score.details) text += "\n      " + detail;
  for (const std::string& remark : judged->remarks) text += "\n      " + remark;
  return text;
}

}  // namespace
}  // namespace fos

int main(int count, char** arguments) {
  if (count < 2) {
    std::cerr << "usage: faulty_views CLIP [FAULT...]\n";
    return 2;
  }
  std::vector<std::string> faults(arguments + 2, arguments + count);
  if (faults.empty()) faults = fos::test::ViewFaultNames();
  std::cout << "shots found/missed/invented, calls right/wrong/too close, changes right/missed/"
               "invented, knocks found/invented, view -obstructed +clear at s\n";
  for (const std::string& fault : faults)
    std::cout << fmt::format("{:20} {}\n", fault, fos::Judge(arguments[1], fault)) << std::flush;
  return 0;
}
