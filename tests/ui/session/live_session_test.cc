// SPDX-License-Identifier: MIT
#include "ui/session/live_session.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fstream>
#include <functional>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>
#include <string>
#include <thread>
#include <vector>

#include "engine/game/rule_game.h"
#include "tests/support/closefire_clip.h"
#include "tests/support/mjpeg_server.h"
#include "tests/support/rtsp_camera.h"
#include "tests/support/temp_dir.h"
#include "ui/session/identity_doubt_log.h"
#include "ui/session/judge.h"
#include "ui/session/latest.h"
#include "ui/session/move_log.h"
#include "ui/session/shot_words.h"
#include "vision/image/frame_source.h"
#include "vision/image/live_frames.h"

namespace fos {
namespace {

namespace fs = std::filesystem;

TEST(Latest, HandsOverWholeValuesThatStayValid) {
  struct Pair {
    int a = 0;
    int b = 0;
  };
  Latest<Pair> latest;
  EXPECT_EQ(latest.Get(), nullptr);
  latest.Set(std::make_shared<const Pair>(Pair{0, 0}));
  const std::shared_ptr<const Pair> held = latest.Get();
  constexpr int kLast = 20000;
  std::thread writer([&] {
    for (int i = 1; i <= kLast; ++i) latest.Set(std::make_shared<const Pair>(Pair{i, i}));
  });
  int newest = 0;
  while (newest < kLast) {
    const std::shared_ptr<const Pair> now = latest.Get();
    ASSERT_EQ(now->a, now->b);
    ASSERT_GE(now->a, newest);  // never an older one after a newer
    newest = now->a;
  }
  writer.join();
  EXPECT_EQ(held->a, 0);
}

std::vector<std::string> LinesOf(const fs::path& file) {
  std::ifstream in(file);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// The line that ends a log says how long the work took.
std::vector<std::string> WithoutTheEnd(std::vector<std::string> lines) {
  std::erase_if(lines, [](const std::string& line) {
    return line.find(R"("type":"end")") != std::string::npos;
  });
  return lines;
}

std::shared_ptr<const Snapshot> WaitUntil(const LiveSession& session,
                                          const std::function<bool(const Snapshot&)>& holds) {
  for (;;) {  // the test runner's own limit ends a hang
    std::shared_ptr<const Snapshot> now = session.Now();
    if (holds(*now)) return now;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

TEST(Judge, WritesThePlacementUnderRulesThatMeasure) {
  const test::TempDir dir;
  const fs::path clip = dir.path() / "clip";
  test::CopyWithCloseFireTroops(fs::path(FOS_SOURCE_DIR) / "datasets/sets/open_qtip", clip);
  JudgeOptions judge;
  judge.out = dir.path() / "out";
  const Result<Judged> judged = JudgeClip(clip, judge);
  ASSERT_TRUE(judged.ok()) << judged.error().message;
  std::vector<std::vector<std::string>> placements;
  for (const EventRecord& event : judged->events)
    if (const auto* stands = std::get_if<StandsEvent>(&event.body))
      placements.push_back(stands->placement);
  ASSERT_FALSE(placements.empty());
  const std::vector<std::string>& lines = placements.front();
  ASSERT_FALSE(lines.empty());
  EXPECT_EQ(lines.front().rfind("deploy ", 0), 0u) << lines.front();
  // The log reads back the same, and only the first stands have a placement.
  const std::vector<std::string> log = LinesOf(judge.out / "events.jsonl");
  bool read_again = false;
  for (const std::string& line : log) {
    const auto event = ParseEventLine(line);
    ASSERT_TRUE(event.ok());
    const auto* stands = *event ? std::get_if<StandsEvent>(&(*event)->body) : nullptr;
    read_again = read_again || (stands && stands->placement == lines);
  }
  EXPECT_TRUE(read_again);
  for (std::size_t i = 1; i < placements.size(); ++i) EXPECT_TRUE(placements[i].empty());
  // A game of the clip accepts every line.
  auto game = OpenGame(clip / "scenario.toml", 0);
  ASSERT_TRUE(game.ok()) << game.error().message;
  std::vector<std::string> script = LinesOf(judge.out / "placement.script");
  ASSERT_EQ(script.size(), lines.size() + 1);
  script.erase(script.begin());  // the comment
  EXPECT_EQ(script, lines);
  for (const std::string& line : script) {
    const auto played = (*game)->Play(line);
    ASSERT_TRUE(played.ok()) << line;
    EXPECT_FALSE(played->refused) << line;
  }
}

TEST(LiveSession, GivesTheSameEventsAsJudge) {
  const fs::path clip = fs::path(FOS_SOURCE_DIR) / "datasets/sets/open_qtip";
  const test::TempDir dir;
  JudgeOptions judge;
  judge.out = dir.path() / "judged";
  const Result<Judged> judged = JudgeClip(clip, judge);
  ASSERT_TRUE(judged.ok()) << judged.error().message;

  const fs::path live_out = dir.path() / "live";
  std::atomic<int> news = 0;
  {
    OutFolder out(live_out);
    Result<Rig> rig = OpenRig(clip, out);
    ASSERT_TRUE(rig.ok()) << rig.error().message;
    LiveOptions options;
    options.paced = false;
    options.on_news = [&] { ++news; };
    LiveSession session(std::move(*rig), out, options);
    ASSERT_NE(session.Now(), nullptr);
    const auto end = WaitUntil(session, [](const Snapshot& now) {
      return now.watching == Watching::kEnded || now.watching == Watching::kFailed;
    });
    ASSERT_EQ(end->watching, Watching::kEnded) << end->why;
    ASSERT_EQ(end->shots.size(), 1u);
    EXPECT_NE(end->table, nullptr);
    ASSERT_NE(end->stands, nullptr);
    EXPECT_FALSE(end->stands->empty());
    EXPECT_FALSE(end->log->empty());
    ASSERT_NE(end->shots[0]->panels->Get(), nullptr);

    // Players may settle calls after the end; decisions about unknown shots are dropped.
    session.Post({PlayerDecision::What::kAccept, 99, {}, {}, {}});
    session.Post({PlayerDecision::What::kSettle, 1, "nobody#1", Call::kHit, {}});
    session.Post({PlayerDecision::What::kDispute, 1, {}, {}, "the \"table\" was bumped"});
    const auto said =
        WaitUntil(session, [](const Snapshot& now) { return !now.shots[0]->decisions.empty(); });
    EXPECT_EQ(said->shots[0]->decisions.size(), 1u);
    EXPECT_TRUE(end->shots[0]->decisions.empty());  // old snapshots do not change

    // A moved point counts where the players put it; a point off the board is dropped.
    PlayerDecision moved;
    moved.what = PlayerDecision::What::kMove;
    moved.shot = 1;
    moved.point = {-5, 3};
    session.Post(moved);
    moved.point = end->shots[0]->shot.point + Vec2{0.3, 0};
    session.Post(moved);
    const auto after =
        WaitUntil(session, [](const Snapshot& now) { return now.shots[0]->decisions.size() == 2; });
    EXPECT_EQ(after->shots[0]->shot.point, moved.point);
    EXPECT_FALSE(after->shots[0]->verdict.text.empty());
    EXPECT_NE(after->shots[0]->panels, end->shots[0]->panels);

    // A way too short to be seen is none. Taken back, the camera's point and verdict count again.
    moved.point = after->shots[0]->shot.point + Vec2{0.001, 0};
    session.Post(moved);
    PlayerDecision back;
    back.what = PlayerDecision::What::kTakeBack;
    back.shot = 1;
    session.Post(back);
    const auto again =
        WaitUntil(session, [](const Snapshot& now) { return now.shots[0]->decisions.size() == 1; });
    EXPECT_EQ(again->shots[0]->shot.point, end->shots[0]->shot.point);
    EXPECT_EQ(again->shots[0]->panels, end->shots[0]->panels);

    // Onto the nearest stand: what the camera had said stays beside what the players say.
    moved.point = end->shots[0]->verdict.stands[0].measured.nearest;
    session.Post(moved);
    const auto hit =
        WaitUntil(session, [](const Snapshot& now) { return now.shots[0]->decisions.size() == 2; });
    EXPECT_EQ(CallOf(*hit->shots[0]).word, "HIT");
    EXPECT_EQ(WordsOf(*hit->shots[0]).players, "Camera said miss, players said hit");
    EXPECT_NE(hit->log->back().text.find("Camera said miss, players said hit"), std::string::npos);
  }
  EXPECT_GE(news.load(), 75);
  EXPECT_EQ(WithoutTheEnd(LinesOf(live_out / "events.jsonl")),
            WithoutTheEnd(LinesOf(judge.out / "events.jsonl")));
  const std::vector<std::string> words = LinesOf(live_out / "session.jsonl");
  ASSERT_EQ(words.size(), 4u);
  EXPECT_NE(words[2].find(R"("say":"take_back")"), std::string::npos);
  EXPECT_NE(words[3].find("Camera said miss, players said hit"), std::string::npos);
  EXPECT_NE(words[1].find(R"("say":"move")"), std::string::npos);
  EXPECT_NE(words[0].find(R"("reason":"the \"table\" was bumped")"), std::string::npos);
  EXPECT_TRUE(fs::is_regular_file(live_out / "evidence/shot_01.png"));
}

// The first pictures of a recording, and then none until it is released.
class Halting : public FrameSource {
 public:
  Halting(std::unique_ptr<FrameSource> of, int pictures, const std::atomic<bool>& go_on)
      : of_(std::move(of)), left_(pictures), go_on_(go_on) {}
  Result<std::optional<Frame>> Next() override {
    if (left_-- > 0) return of_->Next();
    while (!go_on_) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return std::optional<Frame>();
  }
  cv::Size Size() const override { return of_->Size(); }
  double FramesPerSecond() const override { return of_->FramesPerSecond(); }
  std::optional<int> FrameCount() const override { return std::nullopt; }

 private:
  std::unique_ptr<FrameSource> of_;
  int left_;
  const std::atomic<bool>& go_on_;
};

// A recording can be paused, stepped, hurried to a picture and to the next shot; what is judged is
// the same.
TEST(LiveSession, PlaysARecordingAsThePlayersWish) {
  const fs::path clip = fs::path(FOS_SOURCE_DIR) / "datasets/sets/open_qtip";
  const test::TempDir dir;
  OutFolder out(dir.path() / "live");
  Result<Rig> rig = OpenRig(clip, out);
  ASSERT_TRUE(rig.ok()) << rig.error().message;
  LiveSession session(std::move(*rig), out, {});
  using Wish = PlaybackWish::What;
  WaitUntil(session, [](const Snapshot& now) { return now.frame.id.index >= 3; });
  session.Drive({Wish::kPause, 1, 0});
  const auto paused =
      WaitUntil(session, [](const Snapshot& now) { return now.playback && now.playback->paused; });
  EXPECT_TRUE(paused->shots.empty());
  std::this_thread::sleep_for(std::chrono::milliseconds(300));  // the picture being judged is done
  const std::int64_t at = session.Now()->frame.id.index;
  session.Drive({Wish::kStep, 1, 0});
  WaitUntil(session, [&](const Snapshot& now) { return now.frame.id.index == at + 1; });
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  EXPECT_EQ(session.Now()->frame.id.index, at + 1);
  session.Drive({Wish::kFrame, 1, 20});
  const auto there = WaitUntil(session, [](const Snapshot& now) {
    return now.frame.id.index >= 20 && now.playback && now.playback->paused &&
           !now.playback->hurrying;
  });
  EXPECT_EQ(there->frame.id.index, 20);
  session.Drive({Wish::kSpeed, 0.5, 0});
  WaitUntil(session, [](const Snapshot& now) { return now.playback->speed == 0.5; });
  session.Drive({Wish::kNextShot, 1, 0});
  const auto shot = WaitUntil(session, [](const Snapshot& now) {
    return !now.shots.empty() && (!now.playback || !now.playback->hurrying);
  });
  ASSERT_TRUE(shot->playback);
  EXPECT_TRUE(shot->playback->paused);
  EXPECT_LT(shot->frame.id.index, 74);
  session.Drive({Wish::kNextShot, 1, 0});
  const auto end =
      WaitUntil(session, [](const Snapshot& now) { return now.watching == Watching::kEnded; });
  EXPECT_EQ(end->shots.size(), 1u);
  ASSERT_TRUE(end->playback);  // what was judged can be looked at again
  EXPECT_TRUE(end->playback->paused);
}

// What was judged is shown again as it was then, and nothing is judged twice.
TEST(LiveSession, ShowsWhatWasJudgedAgain) {
  const fs::path clip = fs::path(FOS_SOURCE_DIR) / "datasets/sets/open_qtip";
  const test::TempDir dir;
  OutFolder out(dir.path() / "live");
  Result<Rig> rig = OpenRig(clip, out);
  ASSERT_TRUE(rig.ok()) << rig.error().message;
  LiveSession session(std::move(*rig), out, {});
  using Wish = PlaybackWish::What;
  session.Drive({Wish::kNextShot, 1, 0});
  const auto shot = WaitUntil(session, [](const Snapshot& now) {
    return !now.shots.empty() && now.playback && !now.playback->hurrying;
  });
  const std::int64_t known = shot->frame.id.index;
  const std::vector<std::string> events = LinesOf(dir.path() / "live/events.jsonl");
  // Its film is there, and ends where it is known.
  ASSERT_EQ(shot->films.size(), 1u);
  EXPECT_EQ(shot->films[0]->shot, 1);
  EXPECT_GT(shot->films[0]->pictures.size(), 3u);
  EXPECT_LE(shot->films[0]->pictures.back()->time_s, shot->frame.time_s);

  session.Drive({Wish::kFrame, 1, 10});
  const auto early = WaitUntil(session, [](const Snapshot& now) {
    return now.playback && now.playback->reviewing && now.frame.id.index == 10;
  });
  EXPECT_TRUE(early->shots.empty());
  EXPECT_FALSE(early->frame.bgr.empty());
  EXPECT_TRUE(early->playback->paused);
  EXPECT_EQ(early->playback->judged, known);
  EXPECT_LT(early->log->size(), shot->log->size());
  session.Drive({Wish::kStep, 1, 0});
  WaitUntil(session, [](const Snapshot& now) { return now.frame.id.index == 11; });
  session.Drive({Wish::kStepBack, 1, 0});
  WaitUntil(session, [](const Snapshot& now) { return now.frame.id.index == 10; });
  // To the shot and to the one before: there is only this one.
  session.Drive({Wish::kNextShot, 1, 0});
  const auto again = WaitUntil(session, [&](const Snapshot& now) {
    return now.frame.id.index == known && now.shots.size() == 1;
  });
  EXPECT_EQ(again->shots[0], shot->shots[0]);  // the same verdict, not a new one
  session.Drive({Wish::kFrame, 1, 5});
  WaitUntil(session, [](const Snapshot& now) { return now.frame.id.index == 5; });
  session.Drive({Wish::kPreviousShot, 1, 0});  // none before
  // What players say while they look back counts, and is shown once they see the shot.
  PlayerDecision word;
  word.what = PlayerDecision::What::kAccept;
  word.shot = 1;
  session.Post(word);
  // Played, it goes on to where it was judged, and then to the end.
  session.Drive({Wish::kSpeed, 16, 0});
  session.Drive({Wish::kPause, 1, 0});
  const auto end =
      WaitUntil(session, [](const Snapshot& now) { return now.watching == Watching::kEnded; });
  ASSERT_EQ(end->shots.size(), 1u);
  EXPECT_EQ(end->shots[0]->decisions.size(), 1u);
  const std::vector<std::string> all = LinesOf(dir.path() / "live/events.jsonl");
  ASSERT_GE(all.size(), events.size());
  EXPECT_TRUE(std::equal(events.begin(), events.end(), all.begin()));
  EXPECT_EQ(std::count_if(all.begin(), all.end(),
                          [](const std::string& line) {
                            return line.find("\"type\":\"verdict\"") != std::string::npos;
                          }),
            1);
  // After the end too.
  session.Drive({Wish::kPreviousShot, 1, 0});
  const auto back = WaitUntil(session, [&](const Snapshot& now) {
    return now.playback && now.playback->reviewing && now.frame.id.index == known;
  });
  EXPECT_NE(back->watching, Watching::kEnded);
  EXPECT_EQ(back->shots.size(), 1u);
  EXPECT_EQ(back->shots[0]->decisions.size(), 1u);
}

// A power cut before the first shot loses no event.
TEST(LiveSession, WritesEventsAtOnce) {
  const fs::path clip = fs::path(FOS_SOURCE_DIR) / "datasets/sets/open_qtip";
  const test::TempDir dir;
  OutFolder out(dir.path() / "live");
  Result<Rig> rig = OpenRig(clip, out);
  ASSERT_TRUE(rig.ok()) << rig.error().message;
  std::atomic<bool> go_on = false;
  rig->source = std::make_unique<Halting>(std::move(rig->source), 20, go_on);
  LiveOptions options;
  options.notice = "The earlier log is now in earlier_01";
  const LiveSession session(std::move(*rig), out, options);
  const auto seen =
      WaitUntil(session, [](const Snapshot& now) { return now.frame.id.index == 19; });
  const std::vector<std::string> lines = LinesOf(dir.path() / "live/events.jsonl");
  go_on = true;
  EXPECT_EQ(seen->log->front().text, options.notice);
  // The table is found; the stands are not yet.
  ASSERT_GE(lines.size(), 1u);
  EXPECT_NE(lines[0].find("\"calibration\""), std::string::npos);
}

// A log that cannot be written (a full disk) is reported, and the match goes on.
TEST(LiveSession, RetriesALogThatCannotBeWritten) {
  const fs::path clip = fs::path(FOS_SOURCE_DIR) / "datasets/sets/open_qtip";
  const test::TempDir dir;
  const fs::path log = dir.path() / "live/events.jsonl";
  dir.Write("live/events.jsonl/in the way", "");
  OutFolder out(dir.path() / "live");
  Result<Rig> rig = OpenRig(clip, out);
  ASSERT_TRUE(rig.ok()) << rig.error().message;
  std::atomic<bool> go_on = false;
  rig->source = std::make_unique<Halting>(std::move(rig->source), 20, go_on);
  const LiveSession session(std::move(*rig), out, {});
  const auto seen =
      WaitUntil(session, [](const Snapshot& now) { return now.frame.id.index == 19; });
  EXPECT_NE(seen->watching, Watching::kFailed);
  const auto warned = std::count_if(seen->log->begin(), seen->log->end(), [](const LogLine& line) {
    return line.text.find("events.jsonl: cannot be written") != std::string::npos &&
           line.text.find("keeps trying") != std::string::npos;
  });
  EXPECT_EQ(warned, 1);
  fs::remove_all(log);
  go_on = true;
  const auto end = WaitUntil(session, [](const Snapshot& now) {
    return now.watching == Watching::kEnded || now.watching == Watching::kFailed;
  });
  EXPECT_EQ(end->watching, Watching::kEnded) << end->why;
  WaitUntil(session, [&](const Snapshot&) { return fs::is_regular_file(log); });
  EXPECT_NE(LinesOf(log).at(0).find("\"calibration\""), std::string::npos);
}

TEST(Judge, LeavesEarlierOutputWhenStopped) {
  const fs::path clip = fs::path(FOS_SOURCE_DIR) / "datasets/sets/open_qtip";
  const test::TempDir dir;
  dir.Write("out/events.jsonl", "an older log");
  dir.Write("out/evidence/shot_01.png", "its evidence");
  JudgeOptions judge;
  judge.out = dir.path() / "out";
  std::int64_t frames = 0;
  judge.progress = [&](std::int64_t done, std::optional<std::int64_t>) { frames = done; };
  judge.stopped = [&] { return frames == 70; };  // the shot is judged
  const Result<Judged> judged = JudgeClip(clip, judge);
  ASSERT_FALSE(judged.ok());
  EXPECT_NE(judged.error().message.find("interrupted before its end"), std::string::npos)
      << judged.error().message;
  EXPECT_EQ(LinesOf(judge.out / "events.jsonl"), std::vector<std::string>{"an older log"});
  EXPECT_EQ(LinesOf(judge.out / "evidence/shot_01.png"), std::vector<std::string>{"its evidence"});
  std::size_t files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(judge.out))
    files += entry.is_regular_file() ? 1 : 0;
  EXPECT_EQ(files, 2u);
}

TEST(MoveLog, OverrulesARefusedMoveOnce) {
  MoveLog moves;
  MoveRuling allowed;
  allowed.text = "B1#1 from D4 to E5: 1.5 of 2 squares (NAP-1)";
  MoveRuling refused;
  refused.text = "B2#1 from A1 to A9: B2 may move 2 squares, this is 8 (NAP-1)";
  refused.line = "move B2 to A9";
  refused.refused = Refusal{"NAP-1", "B2 may move 2 squares, this is 8", true};
  moves.Add({{{"B1#1"}}, {3, 3}, {4, 4}, 0}, allowed, 1.5);
  moves.Add({{{"B2#1"}}, {0, 0}, {0, 8}, 0}, refused, 2.5);
  const auto before = moves.All();
  EXPECT_FALSE(moves.Overrule(0));
  EXPECT_FALSE(moves.Overrule(1));  // the rules allow it
  EXPECT_FALSE(moves.Overrule(3));
  EXPECT_TRUE(MayOverrule(*before[1]));
  const auto event = moves.Overrule(2);
  ASSERT_TRUE(event);
  EXPECT_EQ(event->move, 2);
  EXPECT_EQ(event->stands, std::vector<std::string>{"B2#1"});
  EXPECT_EQ(event->from + event->to, "A1A9");
  EXPECT_EQ(event->clause, "NAP-1");
  EXPECT_EQ(event->text, refused.text);
  EXPECT_TRUE(moves.All()[1]->overruled);
  EXPECT_EQ(moves.All()[1]->line, "move B2 to A9");
  EXPECT_FALSE(before[1]->overruled);  // old snapshots do not change
  EXPECT_FALSE(moves.Overrule(2));
}

TEST(IdentityDoubtLog, AcceptsOneAnswer) {
  IdentityDoubtLog doubts;
  EXPECT_EQ(doubts.Add("A and B"), 1);
  EXPECT_EQ(doubts.Add("C and D"), 2);
  const auto before = doubts.All();
  for (const int none : {0, 3}) EXPECT_FALSE(doubts.Settle(none, true));
  const auto event = doubts.Settle(2, true);
  ASSERT_TRUE(event);
  EXPECT_EQ(event->doubt, 2);
  EXPECT_TRUE(event->changed);
  EXPECT_EQ(event->text, "The players say the stands swapped places: C and D");
  EXPECT_TRUE(doubts.Open(1));
  EXPECT_FALSE(doubts.Open(2));
  EXPECT_FALSE(before[1]->changed);  // old snapshots do not change
  EXPECT_FALSE(doubts.Settle(2, false));
  EXPECT_EQ(doubts.Settle(1, false)->text, "The players say the stands kept their places: A and B");
}

// A few pictures, then none: like a camera whose cable is pulled.
class Cable : public FrameSource {
 public:
  Cable(cv::Size size, int pictures, bool fails) : size_(size), left_(pictures), fails_(fails) {}
  Result<std::optional<Frame>> Next() override {
    if (left_-- > 0) {
      Frame frame;
      frame.id.index = next_++;
      frame.time_s = static_cast<double>(frame.id.index) / 30;
      frame.bgr = cv::Mat(size_, CV_8UC3, cv::Scalar::all(90));
      return std::optional<Frame>(frame);
    }
    if (fails_) return Error{ErrorCode::kIo, "camera 0: gives no picture"};
    return std::optional<Frame>();
  }
  cv::Size Size() const override { return size_; }
  double FramesPerSecond() const override { return 30; }
  std::optional<int> FrameCount() const override { return std::nullopt; }

 private:
  cv::Size size_;
  int left_;
  bool fails_;
  std::int64_t next_ = 0;
};

TEST(LiveSession, WaitsForAnUnpluggedCamera) {
  const fs::path clip = fs::path(FOS_SOURCE_DIR) / "datasets/sets/open_qtip";
  const test::TempDir dir;
  OutFolder out(dir.path() / "live");
  Result<Rig> rig = OpenRig(clip, out);
  ASSERT_TRUE(rig.ok()) << rig.error().message;
  const cv::Size size = rig->source->Size();
  rig->live = true;
  rig->source = std::make_unique<Cable>(size, 3, /*fails=*/true);
  std::atomic<int> tries = 0;
  std::atomic<bool> plugged = false;
  rig->reopen = [&]() -> Result<std::unique_ptr<FrameSource>> {
    ++tries;
    if (!plugged) return Error{ErrorCode::kNotFound, "camera 0: not there"};
    if (tries % 2 == 0) {  // another camera was plugged in instead
      return std::unique_ptr<FrameSource>(std::make_unique<Cable>(cv::Size(64, 48), 5, false));
    }
    return std::unique_ptr<FrameSource>(std::make_unique<Cable>(size, 4, false));
  };
  LiveOptions options;
  options.reopen_every_s = 0.002;
  LiveSession session(std::move(*rig), out, options);
  // A slow machine looks at an earlier picture for so long that no pictures are said to come; the
  // last one is looked at nevertheless.
  const auto gone = WaitUntil(session, [](const Snapshot& now) {
    return now.watching == Watching::kNoCamera && now.frame.id.index == 2;
  });
  EXPECT_NE(gone->why.find("check its cable"), std::string::npos) << gone->why;
  WaitUntil(session, [&](const Snapshot&) { return tries >= 3; });
  plugged = true;
  // Frame numbers and times continue.
  const auto back = WaitUntil(session, [](const Snapshot& now) { return now.frame.id.index >= 6; });
  EXPECT_GE(back->frame.time_s, gone->frame.time_s);
  const auto said = WaitUntil(session, [](const Snapshot& now) { return now.log->size() >= 2; });
  EXPECT_EQ((*said->log)[0].text, gone->why);
  EXPECT_EQ((*said->log)[1].text, "The camera is back");
}

std::vector<std::uint8_t> JpegOf(const cv::Mat& bgr) {
  std::vector<std::uint8_t> out;
  cv::imencode(".jpg", bgr, out);
  return out;
}

// The first picture of the sample clip at half its size, for a stream need not be good; its lens goes
// into the file. Empty: the clip is not there.
cv::Mat HalfOfTheSample(const fs::path& camera) {
  const fs::path clip = fs::path(FOS_SOURCE_DIR) / "datasets/sets/open_qtip";
  Result<CameraModel> lens = ReadCamera(clip / "camera.yaml");
  auto recording = OpenVideo(clip / "video.mkv");
  if (!lens.ok() || !recording.ok()) return {};
  CameraModel half = *lens;
  half.width_px /= 2;
  half.height_px /= 2;
  for (double* focal : {&half.fx_px, &half.fy_px}) *focal /= 2;
  for (double* centre : {&half.cx_px, &half.cy_px}) *centre = (*centre + 0.5) / 2 - 0.5;
  half.covariance.reset();
  if (!WriteCamera(half, camera).ok()) return {};
  cv::Mat picture;
  cv::resize((*(*recording)->Next())->bgr, picture, {half.width_px, half.height_px}, 0, 0,
             cv::INTER_AREA);
  return picture;
}

// A stream over HTTP with the faults of real ones, once the table is found.
TEST(LiveStream, IsToldSilentWithinTwoSecondsAndBackWithinThree) {
  constexpr double kTold_s = 2;
  constexpr double kBack_s = 3;
  using Mode = test::MjpegServer::Mode;
  using Clock = std::chrono::steady_clock;
  const auto since = [](Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
  };
  const test::TempDir dir;
  const fs::path clip = fs::path(FOS_SOURCE_DIR) / "datasets/sets/open_qtip";
  const fs::path camera = dir.path() / "camera.yaml";
  const cv::Mat picture = HalfOfTheSample(camera);
  ASSERT_FALSE(picture.empty());
  test::MjpegServer server(JpegOf(picture));
  Result<Rig> rig =
      OpenRig(RigParts{server.Url(), clip / "table.toml", clip / "scenario.toml", camera, {}});
  ASSERT_TRUE(rig.ok()) << rig.error().message;
  ASSERT_TRUE(rig->live);
  OutFolder out(dir.path() / "out");
  LiveOptions options;
  options.reopen_every_s = 0.5;
  auto session = std::make_unique<LiveSession>(std::move(*rig), out, options);
  // The first look at the stands is finished before the match ends, however long that takes.
  WaitUntil(*session, [](const Snapshot& now) {
    return now.watching == Watching::kWatching && now.stands != nullptr;
  });
  const auto until = [&](bool silent) {
    const Clock::time_point start = Clock::now();
    WaitUntil(*session,
              [&](const Snapshot& now) { return (now.watching == Watching::kNoCamera) == silent; });
    return since(start);
  };
  const auto why = [&] { return session->Now()->why; };

  // The clock goes on through the silence.
  const Clock::time_point start = Clock::now();
  const double before_s = session->Now()->frame.time_s;
  for (const Mode fault : {Mode::kStall, Mode::kGone, Mode::kGarbage}) {
    server.Set(fault);
    EXPECT_LT(until(true), kTold_s) << static_cast<int>(fault);
    EXPECT_NE(why().find("sends no pictures"), std::string::npos) << why();
    server.Set(Mode::kPlay);
    EXPECT_LT(until(false), kBack_s) << static_cast<int>(fault);
  }
  // Silent for longer than the decoder waits: the connection is gone, and opened anew.
  server.Set(Mode::kStall);
  EXPECT_LT(until(true), kTold_s);
  std::this_thread::sleep_for(std::chrono::seconds(4));
  server.Set(Mode::kPlay);
  EXPECT_LT(until(false), kBack_s);
  EXPECT_NEAR(session->Now()->frame.time_s - before_s, since(start), 1);

  // A camera that comes back in another mode.
  server.Set(Mode::kGone);
  EXPECT_LT(until(true), kTold_s);
  server.Show(JpegOf(cv::Mat(480, 640, CV_8UC3, cv::Scalar::all(90))));
  server.Set(Mode::kPlay);
  WaitUntil(*session,
            [](const Snapshot& now) { return now.why.find("640 x 480") != std::string::npos; });
  server.Show(JpegOf(picture));
  EXPECT_LT(until(false), kBack_s);

  server.Set(Mode::kStall);
  until(true);
  const Clock::time_point stop = Clock::now();
  session.reset();
  EXPECT_LT(since(stop), 1);
  server.Set(Mode::kGone);  // lets the threads end that were left behind
  while (BlockedThreads() > 0) std::this_thread::sleep_for(std::chrono::milliseconds(5));
}

// The same over RTSP, as H.264, which OpenCV reads through FFmpeg.
TEST(LiveStream, OverRtspIsReadCutAndResumed) {
  if (const std::string why = test::RtspCamera::WhyNot(); !why.empty()) GTEST_SKIP() << why;
  using Clock = std::chrono::steady_clock;
  const test::TempDir dir;
  const fs::path clip = fs::path(FOS_SOURCE_DIR) / "datasets/sets/open_qtip";
  const fs::path camera = dir.path() / "camera.yaml";
  const cv::Mat picture = HalfOfTheSample(camera);
  ASSERT_TRUE(cv::imwrite((dir.path() / "picture.png").string(), picture));
  test::RtspCamera phone(dir.path() / "picture.png");
  Result<Rig> rig =
      OpenRig(RigParts{phone.Url(), clip / "table.toml", clip / "scenario.toml", camera, {}});
  ASSERT_TRUE(rig.ok()) << rig.error().message;
  ASSERT_TRUE(rig->live);
  EXPECT_EQ(rig->source->Size(), picture.size());
  OutFolder out(dir.path() / "out");
  LiveOptions options;
  options.reopen_every_s = 0.5;
  auto session = std::make_unique<LiveSession>(std::move(*rig), out, options);
  WaitUntil(*session, [](const Snapshot& now) {
    return now.watching == Watching::kWatching && now.stands != nullptr;
  });
  EXPECT_GT(session->Now()->stands->size(), 10u);
  const auto until = [&](bool silent) {
    const Clock::time_point start = Clock::now();
    WaitUntil(*session,
              [&](const Snapshot& now) { return (now.watching == Watching::kNoCamera) == silent; });
    return std::chrono::duration<double>(Clock::now() - start).count();
  };
  constexpr double kTold_s = 2;
  phone.Stall();
  EXPECT_LT(until(true), kTold_s);
  EXPECT_NE(session->Now()->why.find("sends no pictures"), std::string::npos);
  phone.GoOn();
  RecordProperty("back after a stall, s", std::to_string(until(false)));
  phone.Kill();
  EXPECT_LT(until(true), kTold_s);
  phone.Start();
  RecordProperty("back after a restart, s", std::to_string(until(false)));
  phone.Kill();
  session.reset();
  while (BlockedThreads() > 0) std::this_thread::sleep_for(std::chrono::milliseconds(5));
}

// A camera that shows one picture until it falls silent.
class FallsSilent : public FrameSource {
 public:
  struct State {
    std::atomic<bool> silent = false;
    std::atomic<bool> over = false;
  };
  FallsSilent(cv::Mat picture, std::shared_ptr<State> state)
      : picture_(std::move(picture)), state_(std::move(state)) {}
  Result<std::optional<Frame>> Next() override {
    std::this_thread::sleep_for(std::chrono::milliseconds(33));
    while (state_->silent && !state_->over)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    if (state_->over) return Error{ErrorCode::kIo, "it is over"};
    return std::optional<Frame>{Frame{{next_++}, 0, picture_}};
  }
  cv::Size Size() const override { return picture_.size(); }
  double FramesPerSecond() const override { return 30; }
  std::optional<int> FrameCount() const override { return std::nullopt; }

 private:
  cv::Mat picture_;
  std::shared_ptr<State> state_;
  std::int64_t next_ = 0;
};

// A look at the whole table takes its seconds; nobody asks for the next picture meanwhile.
TEST(LiveStream, ThatFallsSilentDuringALongLookIsToldWithinTwoSeconds) {
  using Clock = std::chrono::steady_clock;
  const test::TempDir dir;
  const fs::path clip = fs::path(FOS_SOURCE_DIR) / "datasets/sets/open_qtip";
  OutFolder out(dir.path() / "out");
  Result<Rig> rig = OpenRig(clip, out);
  ASSERT_TRUE(rig.ok()) << rig.error().message;
  const auto state = std::make_shared<FallsSilent::State>();
  Result<std::optional<Frame>> first = rig->source->Next();
  ASSERT_TRUE(first.ok() && first->has_value());
  rig->source = std::make_unique<FallsSilent>((*first)->bgr, state);
  rig->live = true;
  rig->reopen = [] { return Error{ErrorCode::kIo, "unplugged"}; };
  LiveOptions options;
  std::atomic<Clock::rep> news = Clock::now().time_since_epoch().count();
  options.on_news = [&news] { news = Clock::now().time_since_epoch().count(); };
  auto session = std::make_unique<LiveSession>(std::move(*rig), out, options);
  const auto since_news = [&news] {
    return Clock::now().time_since_epoch() - Clock::duration(news.load());
  };
  // Pictures are shown when they come, so silence means a look. A fast machine looks in less time: then
  // silence falls between looks, and must be told as soon.
  const Clock::time_point latest = Clock::now() + std::chrono::seconds(3);
  while (session->Now()->frame.bgr.empty() ||
         (since_news() < std::chrono::milliseconds(150) && Clock::now() < latest))
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  state->silent = true;
  const Clock::time_point start = Clock::now();
  const auto told = WaitUntil(
      *session, [](const Snapshot& now) { return now.watching == Watching::kNoCamera; });
  EXPECT_LT(std::chrono::duration<double>(Clock::now() - start).count(), 2);
  EXPECT_NE(told->why.find("sends no pictures"), std::string::npos) << told->why;
  state->silent = false;
  WaitUntil(*session, [](const Snapshot& now) { return now.watching != Watching::kNoCamera; });
  state->over = true;
  session.reset();
  while (BlockedThreads() > 0) std::this_thread::sleep_for(std::chrono::milliseconds(5));
}

TEST(LiveSession, ReportsATableThatIsNeverFoundAndLeavesNoFiles) {
  const fs::path clip = fs::path(FOS_SOURCE_DIR) / "datasets/sets/open_qtip";
  const test::TempDir dir;
  const fs::path live_out = dir.path() / "live";
  const fs::path frames = dir.path() / "frames";
  fs::create_directories(frames);
  const Result<CameraModel> lens = ReadCamera(clip / "camera.yaml");
  ASSERT_TRUE(lens.ok());
  ASSERT_TRUE(cv::imwrite((frames / "000000.png").string(),
                          cv::Mat(lens->height_px, lens->width_px, CV_8UC3, cv::Scalar::all(90))));
  {
    OutFolder out(live_out);
    Result<Rig> rig = OpenRig(RigParts{
        frames.string(), clip / "table.toml", clip / "scenario.toml", clip / "camera.yaml", {}});
    ASSERT_TRUE(rig.ok()) << rig.error().message;
    ASSERT_TRUE(out.Make().ok());
    const LiveSession session(std::move(*rig), out, {});
    const auto end =
        WaitUntil(session, [](const Snapshot& now) { return now.watching == Watching::kFailed; });
    EXPECT_NE(end->why.find("table"), std::string::npos) << end->why;
  }
  EXPECT_FALSE(fs::exists(live_out));
}

TEST(Rig, NamesMissingParts) {
  const fs::path clip = fs::path(FOS_SOURCE_DIR) / "datasets/sets/open_qtip";
  const auto open = [&](const RigParts& parts) {
    const Result<Rig> rig = OpenRig(parts);
    return rig.ok() ? std::string{} : rig.error().message;
  };
  const RigParts good{
      (clip / "video.mkv").string(), clip / "table.toml", clip / "scenario.toml", {}, {}};
  EXPECT_EQ(open(good), "");  // the lens is found beside the table
  RigParts bad = good;
  bad.source = "no/such.mkv";
  EXPECT_NE(open(bad).find("no/such.mkv"), std::string::npos);
  bad = good;
  bad.camera = clip / "no.yaml";
  EXPECT_NE(open(bad).find("no.yaml"), std::string::npos);
  bad = good;
  bad.table = "no/table.toml";
  EXPECT_NE(open(bad).find("no/table.toml"), std::string::npos);
}

}  // namespace
}  // namespace fos
