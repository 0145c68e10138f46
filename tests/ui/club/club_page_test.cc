// SPDX-License-Identifier: MIT
#include "ui/club/club_page_server.h"

#include <gtest/gtest.h>
#include <httplib.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <opencv2/imgcodecs.hpp>
#include <sstream>
#include <thread>

#include "engine/club/club_mirror.h"
#include "engine/journal/logged_game.h"
#include "tests/support/browser.h"
#include "tests/support/club_games.h"
#include "tests/support/club_night.h"
#include "tests/support/console_run.h"
#include "tests/support/shell_run.h"
#include "ui/club/background_mirror.h"
#include "ui/club/club_pages.h"

namespace fos {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using test::ClubNight;
using Clock = std::chrono::steady_clock;

constexpr const char* kHostile = "<img src=x onerror=alert(1)>\"'&";

// A server with a played game, one that a camera watched, and one whose every text is hostile.
class ClubPageNight : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    if (!test::PgServer::WhyNot().empty()) return;
    night_ = new ClubNight;
    dir_ = new test::TempDir;
    const auto run = [](const std::vector<std::string>& arguments) {
      const test::ConsoleRun done = test::RunFallofshot(arguments);
      if (done.status != kExitDone) throw std::runtime_error(done.err);
    };
    const fs::path data = fs::path(FOS_SOURCE_DIR) / "datasets";
    run({"play", data / "scenarios/skirmish.toml", data / "scenarios/skirmish.script", "--seed",
         "7", "--db", Db(), "--players", "Blue=Ada,Red=Grace"});
    run({"judge", data / "sets/open_qtip", "--db", Db(), "--out", (dir_->path() / "out").string()});
    Send(Db(), "table-1");
    const std::string other = (dir_->path() / "other.db").string();
    Journal journal = Journal::Open(other).value();
    GameStart hostile = test::ClubGameStart("cc", kHostile);
    hostile.seats = {{0, kHostile}};
    hostile.sides = {kHostile, "</script><script>alert(2)</script>"};
    hostile.files[0].bytes = kHostile;
    ASSERT_TRUE(journal.Begin(hostile).ok());
    Send(other, "table-2");
    night_->server.Ask("UPDATE fallofshot.account SET title = '<b onclick=alert(3)>' WHERE name = "
                       "'table-2'");
    night_->server.Ask("UPDATE fallofshot.account SET title = 'By the window' WHERE name = "
                       "'table-1'");
  }
  static void Send(const fs::path& club, const std::string& account) {
    const Journal journal = Journal::Open(club).value();
    ClubServer table = night_->Table(account);
    JournalMirror mirror;
    while (mirror.Round(journal, table)->more) {
    }
  }
  static void TearDownTestSuite() {
    delete night_;
    delete dir_;
  }
  void SetUp() override {
    if (const std::string why = test::PgServer::WhyNot(); !why.empty()) GTEST_SKIP() << why;
  }
  static std::string Db() { return (dir_->path() / "club.db").string(); }
  std::unique_ptr<ClubPageServer> Serve(ClubPageOptions options = {}) {
    options.port = 0;
    return ClubNight::Must(ClubPageServer::Start(
        ClubNight::Parsed(night_->server.Address("reader")), options));
  }
  // One request; every answer carries the policy.
  static httplib::Result Get(const ClubPageServer& page, const std::string& path,
                             const httplib::Headers& headers = {}) {
    httplib::Client client("127.0.0.1", page.Port());
    client.set_read_timeout(30, 0);
    httplib::Result answer = client.Get(path, headers);
    if (answer) {
      EXPECT_NE(answer->get_header_value("Content-Security-Policy").find("default-src 'none'"),
                std::string::npos)
          << path;
      EXPECT_EQ(answer->get_header_value("X-Content-Type-Options"), "nosniff") << path;
    } else {
      ADD_FAILURE() << path << ": " << httplib::to_string(answer.error());
    }
    return answer;
  }

  static ClubNight* night_;
  static test::TempDir* dir_;
};
ClubNight* ClubPageNight::night_ = nullptr;
test::TempDir* ClubPageNight::dir_ = nullptr;

// A laptop's program with the watched game once more, mirrored while verdicts fall.
class LiveGame {
 public:
  LiveGame(const std::string& source, const std::string& uid, const std::string& server)
      : journal_(Journal::Open(Club()).value()),
        writer_(GameWriter::Of(journal_, journal_.Begin(Start(source, uid)).value()).value()),
        mirror_(Club(), ClubNight::Parsed(server)) {
    EXPECT_TRUE(mirror_.Flush(30s)) << mirror_.News().trouble;
  }
  // Returns once it is on the laptop's disk.
  void Shot(int number) {
    Record verdict;
    verdict.kind = RecordKind::kSeen;
    verdict.text = fmt::format(R"({{"type":"verdict","shot":{0},"text":"Shot {0} hits."}})", number);
    EXPECT_TRUE(writer_.Append(verdict, 1).ok());
  }

 private:
  fs::path Club() const { return dir_.path() / "live.db"; }
  static GameStart Start(const std::string& source, const std::string& uid) {
    GameStart out = Journal::Open(source).value().Start(2).value();
    out.uid = uid;
    return out;
  }

  test::TempDir dir_;
  Journal journal_;
  GameWriter writer_;
  BackgroundMirror mirror_;
};

TEST_F(ClubPageNight, ShowsTablesGamesPicturesAndReports) {
  const auto page = Serve();
  const auto tables = Get(*page, "/");
  ASSERT_EQ(tables->status, 200);
  EXPECT_NE(tables->body.find("<a href=\"/game/1\"><b>Skirmish</b>"), std::string::npos);
  EXPECT_NE(tables->body.find("Ada, Grace"), std::string::npos);
  EXPECT_NE(tables->body.find("Free: By the window, The Club</p>"), std::string::npos)
      << "its games have ended";
  const auto played = Get(*page, "/game/1");
  EXPECT_NE(played->body.find("<svg"), std::string::npos);
  EXPECT_NE(played->body.find(" lost"), std::string::npos);
  const auto watched = Get(*page, "/game/2");
  const std::size_t picture = watched->body.find("<img alt=\"The evidence");
  ASSERT_NE(picture, std::string::npos) << watched->body;
  EXPECT_NE(watched->body.find("class=\"call "), std::string::npos);
  const std::size_t from = watched->body.find("src=\"", picture) + 5;
  const std::string source = watched->body.substr(from, watched->body.find('"', from) - from);
  const auto small = Get(*page, source);
  EXPECT_EQ(small->get_header_value("Content-Type"), "image/jpeg");
  EXPECT_TRUE(small->body.starts_with("\xff\xd8"));
  const auto whole = Get(*page, source.substr(0, source.find('?')));
  EXPECT_GE(whole->body.size(), small->body.size());
  // Not under another game, and no file that is no evidence.
  std::string other = source;
  other.replace(other.find("/game/2"), 7, "/game/1");
  EXPECT_EQ(Get(*page, other)->status, 404);
  const std::string scenario =
      night_->server.Ask("SELECT blob FROM fallofshot.game_file WHERE game = 2 LIMIT 1");
  EXPECT_EQ(Get(*page, "/game/2/picture/" + scenario.substr(0, 64))->status, 404);
  const auto report = Get(*page, "/game/1/report");
  EXPECT_NE(report->body.find("battle report"), std::string::npos);
  EXPECT_EQ(report->get_header_value("Content-Security-Policy").find("script-src"),
            std::string::npos);
  const auto overlay = Get(*page, "/overlay?game=2");
  EXPECT_NE(overlay->body.find("class=\"overlay\""), std::string::npos);
  EXPECT_NE(overlay->body.find("class=\"banner\""), std::string::npos);
  EXPECT_EQ(Get(*page, "/overlay/part?table=table-1")->status, 200);
  EXPECT_EQ(Get(*page, "/overlay/part?table=none")->body, "");
  for (const char* nothing : {"/game/999", "/game/x", "/game", "/game/1/x", "/none", "/game/-1",
                              "/game/99999999999999999999", "/game/1/picture/'", "//", "/%00"}) {
    const auto answer = Get(*page, nothing);
    EXPECT_TRUE(answer->status == 404 || answer->status == 400 ||
                (std::string(nothing) == "//" && answer->status == 200))
        << nothing << ' ' << answer->status;
  }
}

TEST_F(ClubPageNight, EscapesEveryText) {
  const auto page = Serve();
  for (const char* path : {"/", "/part", "/game/3", "/game/3/part", "/overlay?game=3",
                           "/?before=%3Cscript%3E", "/overlay?table=%22%3E%3Cscript%3Ealert(4)"}) {
    const auto answer = Get(*page, path);
    EXPECT_EQ(answer->status, 200) << path;
    for (const char* bad : {"<img src=x", "<b onclick", "<script>", "onerror=alert(1)>\""}) {
      EXPECT_EQ(answer->body.find(bad), std::string::npos) << path << ": " << answer->body;
    }
  }
  const auto hostile = Get(*page, "/game/3")->body;
  EXPECT_NE(hostile.find("&lt;img src=x"), std::string::npos);
  EXPECT_NE(hostile.find("scenario.toml:1: not TOML"), std::string::npos) << hostile;
  EXPECT_EQ(hostile.find(fs::temp_directory_path().string()), std::string::npos)
      << "visitors learn nothing of the server's folders: " << hostile;
}

TEST_F(ClubPageNight, OnlyShowsAndOnlyWithItsToken) {
  {
    const auto open = Serve();
    httplib::Client client("127.0.0.1", open->Port());
    EXPECT_EQ(client.Post("/", "x=1", "text/plain")->status, 405);
    EXPECT_EQ(client.Delete("/game/1")->status, 405);
    EXPECT_EQ(Get(*open, "/", {{"Host", "evil.example"}})->status, 403);
    EXPECT_EQ(Get(*open, "/", {{"Host", "localhost:80"}})->status, 200);
  }
  ClubPageOptions options;
  options.token = "0123456789abcdef";
  const auto page = Serve(options);
  for (const char* path : {"/", "/part", "/game/1", "/events", "/style.css", "/overlay",
                           "/?token=0123456789abcdeX", "/?token=", "/?token=0123456789abcdef0"}) {
    EXPECT_EQ(Get(*page, path)->status, 401) << path;
  }
  const auto let_in = Get(*page, "/overlay?game=1&token=0123456789abcdef");
  EXPECT_EQ(let_in->status, 303);
  EXPECT_EQ(let_in->get_header_value("Location"), "/overlay?game=1");
  const std::string cookie = let_in->get_header_value("Set-Cookie");
  EXPECT_NE(cookie.find("HttpOnly; SameSite=Strict"), std::string::npos);
  EXPECT_EQ(Get(*page, "/", {{"Cookie", "a=b; " + cookie.substr(0, cookie.find(';'))}})->status,
            200);
  EXPECT_EQ(Get(*page, "/", {{"Authorization", "Bearer 0123456789abcdef"}})->status, 200);
  EXPECT_EQ(Get(*page, "//evil.example/?token=0123456789abcdef")->get_header_value("Location"),
            "/evil.example/");
}

TEST_F(ClubPageNight, BoundsWhatAVisitorMayAsk) {
  ClubPageOptions options;
  options.burst = 10;
  options.requests_per_s = 1;
  options.most_streams = 1;
  const auto page = Serve(options);
  int refused = 0;
  for (int i = 0; i < 30; ++i) refused += Get(*page, "/style.css")->status == 429;
  EXPECT_GE(refused, 15);
  options.burst = 1000;
  const auto other = Serve(options);
  std::atomic<bool> stop = false;
  std::jthread stream([&] {
    httplib::Client client("127.0.0.1", other->Port());
    client.Get("/events", [&](const char*, std::size_t) { return !stop; });
  });
  bool full = false;
  for (int i = 0; i < 100 && !full; ++i) {
    httplib::Client client("127.0.0.1", other->Port());
    client.set_read_timeout(0, 100'000);
    const auto answer = client.Get("/events");
    full = answer && answer->status == 503;
    std::this_thread::sleep_for(50ms);
  }
  EXPECT_TRUE(full);
  stop = true;
  httplib::Client client("127.0.0.1", other->Port());
  EXPECT_NE(client.Get("/" + std::string(20000, 'a'))->status, 200);
  httplib::Headers many;
  for (int i = 0; i < 2000; ++i) many.emplace("X-" + std::to_string(i), "y");
  (void)client.Get("/style.css", many);
  EXPECT_EQ(client.Get("/style.css")->status, 200) << "it serves on";
}

// From the moment a record is on the laptop's disk to the moment a visitor has it.
TEST_F(ClubPageNight, TellsOfAVerdictWithinASecond) {
  const auto page = Serve();
  LiveGame live(Db(), "live", night_->server.Address("table-2"));
  std::atomic<bool> stop = false;
  std::atomic<bool> connected = false;
  std::atomic<int> changes = 0;
  std::jthread stream([&] {
    httplib::Client client("127.0.0.1", page->Port());
    client.Get(
        "/events", [&](const httplib::Response&) { return connected = true; },
        [&](const char* text, std::size_t size) {
          changes += std::string_view(text, size).find("event: change") != std::string_view::npos;
          return !stop;
        });
  });
  const auto wait = [](const auto& done) {
    const auto end = Clock::now() + 30s;
    while (!done() && Clock::now() < end) std::this_thread::sleep_for(5ms);
  };
  wait([&] { return connected.load(); });
  std::this_thread::sleep_for(500ms);  // until the game's beginning has been told
  double longest_s = 0;
  for (int i = 1; i <= 5; ++i) {
    const int before = changes;
    live.Shot(i);
    const auto written = Clock::now();
    wait([&] { return changes > before; });
    const auto listing = night_->Reader().Games().value();
    const auto body = Get(*page, "/game/" + std::to_string(listing.back().id) + "/part")->body;
    const double took_s = std::chrono::duration<double>(Clock::now() - written).count();
    EXPECT_NE(body.find("Shot " + std::to_string(i) + " hits."), std::string::npos) << body;
    longest_s = std::max(longest_s, took_s);
    std::this_thread::sleep_for(300ms);
  }
  RecordProperty("longest_s", std::to_string(longest_s));
  // The promise is one second; a machine that compiles beside it gets a wide margin.
  EXPECT_LT(longest_s, 5);
  stop = true;
}

// What a visitor loads before anything is seen: the page, its style, script and picture.
TEST_F(ClubPageNight, FirstPaintIsSmall) {
  const auto page = Serve();
  for (const char* path : {"/", "/game/1", "/game/2", "/overlay?game=2"}) {
    const std::string body = Get(*page, path)->body;
    std::size_t bytes = body.size() + Get(*page, "/style.css")->body.size() +
                        Get(*page, "/club.js")->body.size();
    for (std::size_t at = 0; (at = body.find("src=\"/game", at)) != std::string::npos; ++at) {
      bytes += Get(*page, body.substr(at + 5, body.find('"', at + 5) - at - 5))->body.size();
    }
    RecordProperty(std::string("bytes of ") + path, static_cast<int>(bytes));
    EXPECT_LE(bytes, 300'000u) << path;
  }
}

// As people see it. FOS_SCREENSHOTS names a folder that keeps the pictures.
TEST_F(ClubPageNight, LooksAsItShouldInABrowser) {
  if (test::RunInShell("command -v chromium").status != 0) {
    GTEST_SKIP() << "Chromium is not installed (apt-get install chromium)";
  }
  const auto page = Serve();
  const char* const keep = std::getenv("FOS_SCREENSHOTS");
  const fs::path pictures = keep ? fs::path(keep) : dir_->path();
  const auto browse = [&](const std::string& flags, const std::string& path) {
    return test::RunInShell(fmt::format(
        "HOME={0} timeout 120 chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage "
        "--no-first-run --user-data-dir={0}/chromium --hide-scrollbars --run-all-compositor-stages-"
        "before-draw --timeout=4000 {1} 'http://127.0.0.1:{2}{3}'",
        dir_->path().string(), flags, page->Port(), path));
  };
  struct Shot {
    const char* name;
    const char* path;
    const char* size;
  };
  for (const Shot& shot : {Shot{"club_tables", "/", "1200,800"}, Shot{"club_game", "/game/2", "1200,900"},
                           Shot{"club_played", "/game/1", "1200,900"},
                           Shot{"club_phone", "/game/2", "500,1100"},
                           Shot{"club_overlay", "/overlay?game=2", "1280,720"}}) {
    const fs::path file = pictures / (std::string(shot.name) + ".png");
    fs::remove(file);
    const std::string flags = fmt::format(
        "--screenshot={} --window-size={} --default-background-color=00000000", file.string(),
        shot.size);
    const test::ShellRun run = browse(flags, shot.path);
    EXPECT_GT(fs::exists(file) ? fs::file_size(file) : 0, 5000u) << run;
    EXPECT_EQ(run.out.find("Content Security Policy"), std::string::npos) << run;
  }
  // A stream's own picture is seen through the overlay.
  const cv::Mat overlay =
      cv::imread((pictures / "club_overlay.png").string(), cv::IMREAD_UNCHANGED);
  ASSERT_EQ(overlay.channels(), 4);
  EXPECT_EQ(overlay.at<cv::Vec4b>(0, 0)[3], 0);
  EXPECT_EQ(overlay.at<cv::Vec4b>(300, 640)[3], 0);
  EXPECT_GT(overlay.at<cv::Vec4b>(80, 300)[3], 150);
}

// The script runs under the policy: the stream is open, and nothing hostile becomes an element.
TEST_F(ClubPageNight, FollowsAGameInABrowser) {
  if (const std::string why = test::Browser::WhyNot(); !why.empty()) GTEST_SKIP() << why;
  const auto page = Serve();
  const std::string address = fmt::format("http://127.0.0.1:{}", page->Port());
  const test::TempDir home;
  test::Browser browser(home.path());
  const std::string state = "document.getElementById('state')?.textContent";
  browser.Open(address + "/game/2");
  EXPECT_EQ(browser.WaitFor(state, "live", 60s), "live");
  browser.Open(address + "/game/3");
  EXPECT_EQ(browser.WaitFor("document.title.includes('onerror') && " + state + " === 'live'", "true", 60s), "true");
  EXPECT_EQ(browser.Value("document.querySelectorAll('img').length"), "0");
  EXPECT_NE(browser.Value("document.body.textContent").find("<img src=x"), std::string::npos);

  LiveGame live(Db(), "followed", night_->server.Address("table-2"));
  const std::int64_t game = night_->Reader().Games().value().back().id;
  browser.Open(fmt::format("{}/game/{}", address, game));
  EXPECT_EQ(browser.WaitFor(fmt::format("location.pathname + {}", state),
                            fmt::format("/game/{}live", game), 60s),
            fmt::format("/game/{}live", game));
  double longest_s = 0;
  for (int i = 1; i <= 5; ++i) {
    std::this_thread::sleep_for(500ms);
    live.Shot(i);
    const auto written = Clock::now();
    EXPECT_EQ(browser.WaitFor("document.querySelector('.last')?.textContent",
                              fmt::format("Shot {} hits.", i), 30s),
              fmt::format("Shot {} hits.", i));
    longest_s = std::max(longest_s, std::chrono::duration<double>(Clock::now() - written).count());
  }
  RecordProperty("longest_s", std::to_string(longest_s));
  // The promise is one second; a machine that compiles beside it gets a wide margin.
  EXPECT_LT(longest_s, 5);
}

// A narrow one, held upright.
TEST_F(ClubPageNight, IsAsWideAsAPhone) {
  if (const std::string why = test::Browser::WhyNot(); !why.empty()) GTEST_SKIP() << why;
  const auto page = Serve();
  const char* const keep = std::getenv("FOS_SCREENSHOTS");
  const test::TempDir home;
  test::Browser browser(home.path());
  browser.BeAPhone(360, 780);
  for (const auto& [name, path] :
       {std::pair{"phone_tables", "/"}, {"phone_played", "/game/1"}, {"phone_game", "/game/2"},
        {"phone_hostile", "/game/3"}, {"phone_report", "/game/1/report"}}) {
    browser.Open(fmt::format("http://127.0.0.1:{}{}", page->Port(), path));
    EXPECT_EQ(browser.WaitFor("location.pathname + document.readyState",
                              std::string(path) + "complete", 60s),
              std::string(path) + "complete");
    EXPECT_LE(std::stoi(browser.Value("document.documentElement.scrollWidth")), 360) << path;
    if (keep) browser.Picture(fs::path(keep) / (std::string(name) + ".png"));
  }
}

// Every kind of link, as a visitor follows them; the pages have no forms.
TEST_F(ClubPageNight, LinksLeadThroughTheClub) {
  if (const std::string why = test::Browser::WhyNot(); !why.empty()) GTEST_SKIP() << why;
  const auto page = Serve();
  const test::TempDir home;
  test::Browser browser(home.path());
  const auto open = [&](const std::string& path) {
    browser.Open(fmt::format("http://127.0.0.1:{}{}", page->Port(), path));
    ASSERT_EQ(browser.WaitFor("location.pathname + document.readyState", path + "complete", 60s),
              path + "complete");
  };
  const auto follow = [&](const std::string& link, const std::string& to) {
    browser.WaitFor(fmt::format("document.querySelector('{}') !== null", link), "true", 30s);
    browser.Value(fmt::format("document.querySelector('{}').click()", link));
    EXPECT_EQ(browser.WaitFor("location.pathname + location.search", to, 30s), to) << link;
    EXPECT_EQ(browser.WaitFor("document.readyState", "complete", 30s), "complete");
    EXPECT_EQ(browser.Value("document.querySelectorAll('form').length"), "0");
  };
  open("/");
  follow("a[href=\"/game/1\"]", "/game/1");
  EXPECT_EQ(browser.Value("document.title"), "Skirmish");
  follow("a[href$=\"/report\"]", "/game/1/report");
  EXPECT_NE(browser.Value("document.body.textContent").find("battle report"), std::string::npos);
  open("/game/1");
  follow("a[href^=\"/overlay\"]", "/overlay?game=1");
  EXPECT_EQ(browser.Value("getComputedStyle(document.body).backgroundColor"), "rgba(0, 0, 0, 0)");
  open("/game/2");
  follow("header a", "/");
  open("/game/2");
  const std::string picture =
      browser.Value("document.querySelector('.verdict a').getAttribute('href')");
  follow(".verdict a", picture);
  EXPECT_EQ(browser.Value("document.contentType"), "image/jpeg");
  EXPECT_GT(std::stoi(browser.Value("document.images[0].naturalWidth")), 400);

  // More games than a page lists.
  night_->server.Ask(
      "INSERT INTO fallofshot.game(uid, account, kind, name, ruleset, started_unix_s, program, "
      "rules_hash, form, chain, start, sides) SELECT 'old' || i, 'table-1', 'watched', 'Old ' || i, "
      "'hexless', 1, '', '', 2, '', '', '{}' FROM generate_series(1, 70) i; INSERT INTO "
      "fallofshot.head SELECT id, 0, '', true, now() FROM fallofshot.game WHERE uid LIKE 'old%'");
  open("/");
  EXPECT_EQ(browser.Value("document.querySelectorAll('.games a').length"), "60");
  const std::string older =
      browser.Value("document.querySelector('a[href^=\"/?before=\"]').getAttribute('href')");
  follow("a[href^=\"/?before=\"]", older);
  EXPECT_EQ(browser.Value("document.querySelector('a[href=\"/game/1\"]') !== null"), "true");
}

// As the window: what the rules give no effect is no hit, although it lies in the circle.
TEST(ClubPages, CallAVerdictAsTheRulesDo) {
  const auto call = [](const std::string& verdict) {
    Record seen;
    seen.kind = RecordKind::kSeen;
    seen.text = R"({"type":"verdict","shot":1,"text":"It fell.",)" + verdict + "}";
    GameLog log;
    log.records = {seen};
    return LastCallOf(log).call;
  };
  EXPECT_EQ(call(R"("casualties":["A#1"])"), "hit");
  EXPECT_EQ(call(R"("casualties":[])"), "miss");
  EXPECT_EQ(call(R"("casualties":["A#1"],"ruling":{"no_effect":true})"), "no_effect");
  EXPECT_EQ(call(R"("casualties":["A#1"],"ruling":{"eligible":["A#1"]})"), "hit");
  EXPECT_EQ(call(R"("casualties":["A#1"],"ruling":{"eligible":[],"barred":["A#1"]})"), "miss");
  EXPECT_EQ(call(R"("casualties":["A#1"],"ruling":{"eligible":["A#1"]},)"
                 R"("stands":[{"id":"A#1","call":"hit"},{"id":"A#2","call":"too_close"}])"),
            "too_close");
}

TEST(ClubToken, IsMadeOnceAndRead) {
  const test::TempDir dir;
  const fs::path file = dir.path() / "token";
  const std::string made = ReadOrMakeToken(file).value();
  EXPECT_EQ(made.size(), 32u);
  EXPECT_EQ(ReadOrMakeToken(file).value(), made);
  EXPECT_EQ(fs::status(file).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  dir.Write("short", "abc");
  EXPECT_EQ(ReadOrMakeToken(dir.path() / "short").error().code, ErrorCode::kBadFormat);
  dir.Write("odd", "0123456789abcdef; Path=/");
  EXPECT_FALSE(ReadOrMakeToken(dir.path() / "odd").ok());
}

}  // namespace
}  // namespace fos
