// SPDX-License-Identifier: MIT
#include "ui/club/background_mirror.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>

#include "tests/support/club_games.h"
#include "tests/support/club_night.h"
#include "tests/support/cutting_proxy.h"
#include "tests/support/temp_dir.h"

namespace fos {
namespace {

using namespace std::chrono_literals;
using test::ClubNight;
using test::CuttingProxy;
using Clock = std::chrono::steady_clock;

class Mirror : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const std::string why = test::PgServer::WhyNot(); !why.empty()) GTEST_SKIP() << why;
    night_.emplace();
    proxy_.emplace(night_->server.Port());
  }
  std::filesystem::path Club() const { return dir_.path() / "club.db"; }
  PgAddress Table(bool by_proxy = false) const {
    return ClubNight::Parsed(
        night_->server.Address("table-1", "club", by_proxy ? proxy_->Port() : 0));
  }
  // Appends to the game, a record every few milliseconds, and does something between them.
  void Play(GameWriter& writer, int from, int to, const std::function<void(int)>& between = {}) {
    for (int i = from; i < to; ++i) {
      const auto before = Clock::now();
      ASSERT_TRUE(writer.Append(test::ClubRecord(i), test::WrongClock(i)).ok());
      longest_ = std::max(longest_, Clock::now() - before);
      if (between) between(i);
      std::this_thread::sleep_for(2ms);
    }
  }
  static void AwaitTrouble(const BackgroundMirror& mirror) {
    const auto end = Clock::now() + 60s;
    while (mirror.News().trouble.empty() && Clock::now() < end) std::this_thread::sleep_for(5ms);
  }
  // Fast, and soon back.
  static MirrorOptions Eager() { return {20ms, 20ms, 200ms, 1000}; }

  test::TempDir dir_;
  std::optional<ClubNight> night_;
  std::optional<CuttingProxy> proxy_;
  Clock::duration longest_{};
};

TEST_F(Mirror, FollowsAGameWithinASecond) {
  BackgroundMirror mirror(Club(), Table());  // before there is a file
  Journal journal = Journal::Open(Club()).value();
  test::WriteClubGame(journal, "aa", 30);
  const auto written = Clock::now();
  const ClubServer reader = night_->Reader();
  for (;;) {
    const auto games = reader.Games().value();
    if (games.size() == 1 && games[0].records == 30) break;
    ASSERT_LT(Clock::now() - written, 30s) << mirror.News().trouble;
    std::this_thread::sleep_for(10ms);
  }
  // By a wide margin on a busy machine; the mirror looks ten times a second.
  EXPECT_LT(Clock::now() - written, 5s);
  EXPECT_EQ(test::Difference(journal, reader), "");
}

TEST_F(Mirror, LosesAndDoublesNothingWhenConnectionsAreCut) {
  Journal journal = Journal::Open(Club()).value();
  const std::int64_t game = journal.Begin(test::ClubGameStart("aa")).value();
  GameWriter writer = GameWriter::Of(journal, game).value();
  BackgroundMirror mirror(Club(), Table(true), Eager());
  ASSERT_TRUE(mirror.Flush(30s)) << mirror.News().trouble;
  Play(writer, 0, 400, [&](int i) {
    if (i % 20 == 0) proxy_->CutAfter(37L * (i % 7));  // also within the answer to a commit
    if (i % 50 == 10) proxy_->Cut();
    if (i % 100 == 30) proxy_->Set(CuttingProxy::Mode::kRefuse);
    if (i % 100 == 60) proxy_->Set(CuttingProxy::Mode::kStall);
    if (i % 100 == 90) proxy_->Set(CuttingProxy::Mode::kPass);
  });
  proxy_->CutAfter(-1);
  proxy_->Set(CuttingProxy::Mode::kPass);
  ASSERT_TRUE(mirror.Flush(60s)) << mirror.News().trouble;
  EXPECT_EQ(test::Difference(journal, night_->Reader()), "");
  EXPECT_EQ(night_->server.Ask("SELECT count(*) FROM fallofshot.record"), "400\n");
}

TEST_F(Mirror, LosesAndDoublesNothingWhenTheServerIsKilled) {
  Journal journal = Journal::Open(Club()).value();
  const std::int64_t game = journal.Begin(test::ClubGameStart("aa")).value();
  GameWriter writer = GameWriter::Of(journal, game).value();
  BackgroundMirror mirror(Club(), Table(), Eager());
  for (int kill = 0; kill < 3; ++kill) {
    Play(writer, kill * 50, kill * 50 + 25);
    night_->server.Kill();
    Play(writer, kill * 50 + 25, kill * 50 + 50);
    night_->server.Start();
  }
  ASSERT_TRUE(mirror.Flush(60s)) << mirror.News().trouble;
  EXPECT_EQ(test::Difference(journal, night_->Reader()), "");
  EXPECT_EQ(night_->server.Ask("SELECT count(*) FROM fallofshot.record"), "150\n");
}

TEST_F(Mirror, TheNextProgramSendsWhatAKilledOneLeft) {
  {
    Journal journal = Journal::Open(Club()).value();
    (void)journal.Begin(test::ClubGameStart("aa")).value();
  }
  for (int kills = 0; kills < 4; ++kills) {
    const pid_t laptop = fork();
    if (laptop == 0) {
      // A program of its own: plays on and mirrors until it is killed.
      Journal journal = Journal::Open(Club()).value();
      GameWriter writer = GameWriter::Of(journal, 1).value();
      const BackgroundMirror mirror(Club(), Table(), Eager());
      for (int i = static_cast<int>(writer.Records());; ++i) {
        if (!writer.Append(test::ClubRecord(i), test::WrongClock(i)).ok()) _exit(1);
        usleep(1000);
      }
    }
    usleep(static_cast<useconds_t>(150'000 + 90'000 * kills));
    kill(laptop, SIGKILL);
    int status = 0;
    waitpid(laptop, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status)) << "it could not write";
  }
  BackgroundMirror mirror(Club(), Table(), Eager());
  ASSERT_TRUE(mirror.Flush(60s)) << mirror.News().trouble;
  const Journal journal = Journal::Open(Club()).value();
  EXPECT_GT(journal.Games().value()[0].records, 0);
  EXPECT_EQ(test::Difference(journal, night_->Reader()), "");
}

// A server that is gone, one that stalls, and one that refuses: the game writes as fast as without.
TEST_F(Mirror, AGameNeverWaitsForIt) {
  Journal journal = Journal::Open(Club()).value();
  const std::int64_t game = journal.Begin(test::ClubGameStart("aa")).value();
  GameWriter writer = GameWriter::Of(journal, game).value();
  proxy_->Set(CuttingProxy::Mode::kStall);
  MirrorOptions patient;
  patient.quiet_ms = 60000;
  std::optional<BackgroundMirror> mirror;
  mirror.emplace(Club(), Table(true), patient);
  Play(writer, 0, 100);
  // One record is an fsync; the stalled server would hold it for a minute.
  EXPECT_LT(longest_, 10s);
  EXPECT_FALSE(mirror->Flush(100ms));
  const auto before = Clock::now();
  mirror.reset();
  EXPECT_LT(Clock::now() - before, 10s);
  EXPECT_EQ(journal.Read(game)->records.size(), 100u);
}

TEST_F(Mirror, SaysWhatIsWrong) {
  Journal journal = Journal::Open(Club()).value();
  test::WriteClubGame(journal, "aa", 3);
  BackgroundMirror reader(Club(), ClubNight::Parsed(night_->server.Address("reader")), Eager());
  AwaitTrouble(reader);
  EXPECT_FALSE(reader.Flush(0ms));
  EXPECT_NE(reader.News().trouble.find("may not do this"), std::string::npos)
      << reader.News().trouble;
  BackgroundMirror nobody(Club(), ClubNight::Parsed(night_->server.Address("nobody")), Eager());
  AwaitTrouble(nobody);
  EXPECT_NE(nobody.News().trouble.find("pgpass"), std::string::npos) << nobody.News().trouble;
  EXPECT_NE(MirrorSentence(nobody.News()).find("not everything is there"), std::string::npos);
  BackgroundMirror table(Club(), Table(), Eager());
  EXPECT_TRUE(table.Flush(30s));
  EXPECT_EQ(MirrorSentence(table.News()), "");
}

}  // namespace
}  // namespace fos
