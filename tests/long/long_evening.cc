// SPDX-License-Identifier: MIT
// A long evening from short labelled clips: each plays to and fro, round after round, with camera
// faults in every other round, and is recorded in a club's file as a live match is.
//   long_evening MINUTES SEED CLIP...     minutes of clip time, shared among the clips
// Prints what was lost and invented, and the memory and handles. Exits with 1 where a shot was
// invented or a stand lost.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/score/score_truth.h"
#include "tests/support/temp_dir.h"
#include "tests/support/view_faults.h"
#include "ui/session/match.h"
#include "ui/session/match_journal.h"
#include "ui/session/rig.h"

namespace fos {
namespace {

namespace fs = std::filesystem;

constexpr double kHold_s = 2;      // the last frames, to and fro, before the clip turns round
constexpr std::size_t kHeld = 10;  // frames
constexpr double kFault_s = 2;     // at most
constexpr double kSamePlace_in = 0.3;

// What the process holds.
struct Held {
  double megabytes = 0;
  std::ptrdiff_t handles = 0;
  std::ptrdiff_t threads = 0;
};
Held HeldNow() {
  const auto entries = [](const char* folder) {
    return std::distance(fs::directory_iterator(folder), fs::directory_iterator());
  };
  std::ifstream in("/proc/self/statm");
  double all = 0;
  double resident = 0;
  in >> all >> resident;
  constexpr double kPage_MB = 4096e-6;
  return {resident * kPage_MB, entries("/proc/self/fd"), entries("/proc/self/task")};
}

struct Counts {
  int rounds = 0;
  int shots_due = 0;
  int shots_found = 0;
  int shots_asked = 0;
  int shots_false = 0;
  int stands_lost = 0;  // at the end of a round; each round counts
  int stands_strange = 0;
  int changes_false = 0;  // of stands that never move
  Counts& operator+=(const Counts& other) {
    rounds += other.rounds;
    shots_due += other.shots_due;
    shots_found += other.shots_found;
    shots_asked += other.shots_asked;
    shots_false += other.shots_false;
    stands_lost += other.stands_lost;
    stands_strange += other.stands_strange;
    changes_false += other.changes_false;
    return *this;
  }
};
std::string Words(const Counts& c) {
  return fmt::format(
      "{} rounds: shots {} of {} found, {} asked about, {} false; stands {} lost, {} strange; {} "
      "false changes",
      c.rounds, c.shots_found, c.shots_due, c.shots_asked, c.shots_false, c.stands_lost,
      c.stands_strange, c.changes_false);
}

class Evening {
 public:
  Evening(const fs::path& clip, std::uint32_t seed) : random_(seed), out_(dir_.path() / "out") {
    const Status opened = Open(clip);
    if (!opened.ok()) refused_ = opened.error().message;
  }

  // Plays the clip there and back. Returns false after an error.
  bool Round(const std::string& fault) {
    if (!match_ || frames_.empty()) return false;
    const double length_s = static_cast<double>(frames_.size()) / truth_.fps;
    std::uniform_real_distribution<double> begins(0, length_s);
    const double from_s = clock_s_ + begins(random_);
    test::FaultyView view(fault, from_s, from_s + kFault_s);
    const std::size_t before = match_->Events().size();
    bool good = true;
    const auto play = [&](std::size_t frame) {
      for (const Frame& one : view.Take({{}, clock_s_, frames_[frame]})) good = good && Step(one);
      clock_s_ += 1 / truth_.fps;
    };
    const auto hold = [&](bool at_end) {
      const std::size_t held = std::min(kHeld, frames_.size());
      for (int i = 0; i < kHold_s * truth_.fps; ++i) {
        const std::size_t turn = static_cast<std::size_t>(i) % (2 * held);
        const std::size_t off = turn < held ? turn : 2 * held - 1 - turn;
        play(at_end ? frames_.size() - 1 - off : off);
      }
    };
    for (std::size_t i = 0; i < frames_.size(); ++i) play(i);
    hold(true);
    for (std::size_t i = frames_.size(); i-- > 0;) play(i);
    hold(false);
    clock_s_ = std::max(clock_s_, last_s_ + 1 / truth_.fps);  // some faults take time
    Count(before, fault == "none" ? plain : faulted);
    return good;
  }

  double Minutes() const { return clock_s_ / 60; }
  const std::string& Refused() const { return refused_; }
  // What was lost and invented in the last round, a line each.
  const std::string& Told() const { return told_; }

  Counts plain;
  Counts faulted;

 private:
  Status Open(const fs::path& clip) {
    Result<Truth> truth = ReadTruth(clip);
    if (!truth.ok()) return truth.error();
    truth_ = std::move(truth).value();
    Result<Rig> rig = OpenRig(clip, out_);
    if (!rig.ok()) return rig.error();
    for (;;) {
      Result<std::optional<Frame>> next = rig->source->Next();
      if (!next.ok()) return next.error();
      if (!next->has_value()) break;
      frames_.push_back((*next)->bgr);
    }
    Result<std::unique_ptr<MatchJournal>> journal = MatchJournal::Begin(
        dir_.path() / "club.db", rig->files, rig->scenario, clip.filename().string(), "");
    if (!journal.ok()) return journal.error();
    match_.emplace(*rig, out_, DecisionPolicy{}, std::move(journal).value());
    return Ok();
  }

  bool Step(Frame frame) {
    frame.id.index = next_++;
    last_s_ = frame.time_s;
    Status status = match_->Step(frame);
    if (status.ok() && match_->Now().table != nullptr) status = out_.Keep();
    if (status.ok() && match_->Events().size() != logged_) {
      status = match_->WriteLog();
      logged_ = match_->Events().size();
    }
    if (!status.ok()) refused_ = status.error().message;
    return status.ok();
  }

  void Tell(std::string_view what, double time_s, Vec2 at) {
    told_ += fmt::format("  {} at {:.2f} s, ({:.1f}, {:.1f})\n", what, time_s, at.x, at.y);
  }

  bool StaysAt(Vec2 place) const {
    return std::any_of(truth_.stands.begin(), truth_.stands.end(), [&](const TruthStand& stand) {
      return stand.places.size() == 1 && stand.places[0].frames.to >= truth_.frames - 1 &&
             Distance(stand.places[0].Centre(), place) < kSamePlace_in;
    });
  }

  void Count(std::size_t before, Counts& counts) {
    ++counts.rounds;
    told_.clear();
    // What is taken up before the clip's end is laid down again on the way back.
    const auto comes = [&](const TruthShot& one) {
      return one.frames.to < truth_.frames - 1 ? 2 : 1;
    };
    for (const TruthShot& one : truth_.shots) counts.shots_due += comes(one);
    std::vector<int> found(truth_.shots.size());
    for (std::size_t i = before; i < match_->Events().size(); ++i) {
      const EventBody& body = match_->Events()[i].body;
      if (const auto* shot = std::get_if<ShotEvent>(&body)) {
        const auto at = std::find_if(
            truth_.shots.begin(), truth_.shots.end(),
            [&](const TruthShot& one) { return Distance(one.point, shot->point) < kSamePlace_in; });
        const bool true_one =
            at != truth_.shots.end() &&
            ++found[static_cast<std::size_t>(at - truth_.shots.begin())] <= comes(*at);
        ++(true_one ? counts.shots_found : counts.shots_false);
        if (!true_one) Tell("a shot that is none", match_->Events()[i].time_s, shot->point);
      } else if (std::holds_alternative<AskEvent>(body)) {
        ++counts.shots_asked;
      } else if (const auto* change = std::get_if<StandChangeEvent>(&body)) {
        const auto& place = change->from ? change->from : change->to;
        if (place && StaysAt(place->centre)) {
          ++counts.changes_false;
          constexpr std::array kWhat{"moved", "was removed", "was added"};
          Tell(fmt::format("{} stays, and {}", change->id,
                           kWhat.at(static_cast<std::size_t>(change->what))),
               match_->Events()[i].time_s, place->centre);
        }
      }
    }
    std::set<std::string> names;
    const Snapshot now = match_->Now();
    if (now.stands != nullptr)
      for (const StandObservation& stand : *now.stands) names.insert(stand.stand.text);
    if (names_.empty()) names_ = names;
    for (const std::string& name : names_) {
      if (names.contains(name)) continue;
      ++counts.stands_lost;
      told_ += "  " + name + " is lost\n";
    }
    for (const std::string& name : names) {
      if (names_.contains(name)) continue;
      ++counts.stands_strange;
      told_ += "  " + name + " is strange\n";
    }
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (found[i] < comes(truth_.shots[i]))
        told_ += fmt::format("  shot {} was found {} times of {}\n", i + 1, found[i],
                             comes(truth_.shots[i]));
    }
  }

  std::mt19937 random_;
  test::TempDir dir_;
  OutFolder out_;
  Truth truth_;
  std::vector<cv::Mat> frames_;
  std::optional<Match> match_;
  std::set<std::string> names_;  // after the first round
  std::int64_t next_ = 0;
  double clock_s_ = 0;  // of the next frame
  double last_s_ = 0;
  std::size_t logged_ = 0;
  std::string refused_;
  std::string told_;
};

}  // namespace
}  // namespace fos

int main(int count, char** arguments) {
  using namespace fos;
  if (count < 4) {
    std::cerr << "usage: long_evening MINUTES SEED CLIP...\n";
    return 2;
  }
  std::vector<std::string> clips(arguments + 3, arguments + count);
  const double minutes = std::atof(arguments[1]) / static_cast<double>(clips.size());
  std::mt19937 random(static_cast<std::uint32_t>(std::atoi(arguments[2])));
  std::shuffle(clips.begin(), clips.end(), random);
  const std::vector<std::string> faults = test::ViewFaultNames();
  Counts plain;
  Counts faulted;
  double all_minutes = 0;
  for (const std::string& clip : clips) {
    Evening evening(clip, static_cast<std::uint32_t>(random()));
    std::optional<Held> first;
    for (int round = 0; evening.Minutes() < minutes; ++round) {
      const std::string fault =
          round % 2 == 0 ? "none" : faults[static_cast<std::size_t>(random()) % faults.size()];
      if (!evening.Round(fault)) break;
      const Held now = HeldNow();
      if (!first) first = now;
      std::cout
          << fmt::format(
                 "{} round {} ({}), {:.1f} min: {:.0f} MB ({:+.0f}), {} handles, {} threads\n",
                 fs::path(clip).filename().string(), round, fault, evening.Minutes(), now.megabytes,
                 now.megabytes - first->megabytes, now.handles, now.threads)
          << evening.Told() << std::flush;
    }
    std::cout << fmt::format("{}: plain {}\n{}: faulted {}\n", clip, Words(evening.plain), clip,
                             Words(evening.faulted));
    if (!evening.Refused().empty()) std::cout << clip << ": " << evening.Refused() << '\n';
    plain += evening.plain;
    faulted += evening.faulted;
    all_minutes += evening.Minutes();
  }
  std::cout << fmt::format("{:.1f} minutes\nplain {}\nfaulted {}\n", all_minutes, Words(plain),
                           Words(faulted));
  const Counts all = [&] {
    Counts sum = plain;
    return sum += faulted;
  }();
  return all.rounds > 0 && all.shots_false == 0 && all.stands_lost == 0 ? 0 : 1;
}
