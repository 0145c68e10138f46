// SPDX-License-Identifier: MIT
#include "ui/club/club_page_server.h"

#include <fcntl.h>
#include <httplib.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <condition_variable>
#include <list>
#include <map>
#include <mutex>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>

#include "engine/club/club_server.h"
#include "engine/files/whole_file.h"
#include "ui/club/club_pages.h"
#include "ui/report/report.h"

namespace fos {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr auto kLookEvery = 200ms;         // at the server, for changes
constexpr double kChangedWithin_s = 10;    // longer than a transaction of a table takes
constexpr auto kHeartbeat = 10s;           // of a stream
constexpr std::size_t kKeptBattles = 64;
constexpr std::size_t kKeptVisitors = 10000;
constexpr int kListed = 60;                // games on a page
constexpr std::size_t kLargestPicture_bytes = 16u << 20;
constexpr int kSmallPicture_px = 800;

// Takes as long for a wrong token as for a right one.
bool SameToken(const std::string& a, const std::string& b) {
  unsigned difference = static_cast<unsigned>(a.size() ^ b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference |= static_cast<unsigned char>(a[i]) ^
                  static_cast<unsigned char>(b.empty() ? '\0' : b[i % b.size()]);
  }
  return difference == 0;
}

std::string CookieToken(const httplib::Request& request) {
  const std::string cookies = request.get_header_value("Cookie");
  const std::string name = "fallofshot=";
  for (std::size_t at = 0; at < cookies.size();) {
    const std::size_t end = std::min(cookies.find(';', at), cookies.size());
    std::string one = cookies.substr(at, end - at);
    one.erase(0, one.find_first_not_of(' ') == std::string::npos ? one.size()
                                                                : one.find_first_not_of(' '));
    if (one.starts_with(name)) return one.substr(name.size());
    at = end + 1;
  }
  return {};
}

// Without its port.
std::string HostOf(const httplib::Request& request) {
  std::string host = request.get_header_value("Host");
  if (host.starts_with('[')) return host.substr(1, host.find(']') - 1);
  if (const std::size_t colon = host.rfind(':'); colon != std::string::npos) host.resize(colon);
  return host;
}

std::optional<std::int64_t> NumberIn(std::string_view text) {
  std::int64_t out = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (failed != std::errc() || end != text.data() + text.size() || out <= 0) return std::nullopt;
  return out;
}

// The path's parts: "/game/3/report" is {"game", "3", "report"}.
std::vector<std::string> PartsOf(const std::string& path) {
  std::vector<std::string> out;
  for (std::size_t at = 1; at < path.size();) {
    const std::size_t end = std::min(path.find('/', at), path.size());
    out.push_back(path.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

// How many requests each visitor has left; they come back with time.
class VisitorLimits {
 public:
  VisitorLimits(double per_s, double burst) : per_s_(per_s), burst_(burst) {}
  bool Allows(const std::string& visitor) {
    const std::scoped_lock lock(mutex_);
    const Clock::time_point now = Clock::now();
    if (left_.size() > kKeptVisitors) left_.clear();
    const auto [one, added] = left_.try_emplace(visitor, Left{burst_, now});
    const std::chrono::duration<double> since = now - one->second.at;
    one->second.requests = std::min(burst_, one->second.requests + since.count() * per_s_);
    one->second.at = now;
    if (one->second.requests < 1) return false;
    one->second.requests -= 1;
    return true;
  }

 private:
  struct Left {
    double requests;
    Clock::time_point at;
  };
  double per_s_, burst_;
  std::mutex mutex_;
  std::map<std::string, Left> left_;
};

// Connections to the club's server, one for each request that needs one.
class ServerPool {
 public:
  explicit ServerPool(PgAddress address) : address_(std::move(address)) {}
  Result<std::unique_ptr<ClubServer>> Take() {
    {
      const std::scoped_lock lock(mutex_);
      if (!free_.empty()) {
        std::unique_ptr<ClubServer> one = std::move(free_.back());
        free_.pop_back();
        return one;
      }
    }
    Result<ClubServer> opened = ClubServer::Open(address_);
    if (!opened.ok()) return opened.error();
    return std::make_unique<ClubServer>(std::move(opened).value());
  }
  void Give(std::unique_ptr<ClubServer> one) {
    constexpr std::size_t kKept = 4;
    const std::scoped_lock lock(mutex_);
    if (one->Connection().Alive() && free_.size() < kKept) free_.push_back(std::move(one));
  }

 private:
  PgAddress address_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<ClubServer>> free_;
};

}  // namespace

bool IsLoopback(const std::string& host) {
  return host == "127.0.0.1" || host == "::1" || host == "localhost";
}

Result<std::string> ReadOrMakeToken(const fs::path& file) {
  const int made = open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (made >= 0) {
    std::random_device chance;
    std::string token;
    for (int i = 0; i < 4; ++i) token += fmt::format("{:08x}", chance());
    const bool kept = write(made, token.data(), token.size()) == static_cast<ssize_t>(token.size());
    close(made);
    if (kept) return token;
    return Error{ErrorCode::kIo, file.string() + ": cannot be written"};
  }
  constexpr std::uintmax_t kLongest = 200;
  Result<std::string> token = ReadWholeFile(file, kLongest);
  if (!token.ok()) return token.error();
  while (!token->empty() && (token->back() == '\n' || token->back() == '\r')) token->pop_back();
  const bool good = token->size() >= 16 && std::all_of(token->begin(), token->end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  });
  if (good) return token;
  return Error{ErrorCode::kBadFormat,
               file.string() + ": a token has 16 or more letters and digits; remove the file to "
                               "have one made"};
}

struct ClubPageServer::Impl {
  Impl(const PgAddress& server, ClubPageOptions wanted)
      : options(std::move(wanted)),
        limits(options.requests_per_s, options.burst),
        pool(server) {}

  ClubPageOptions options;
  VisitorLimits limits;
  ServerPool pool;
  httplib::Server http;
  int port = 0;

  // Changes, for the streams.
  std::mutex mutex;
  std::condition_variable changed;
  std::map<std::int64_t, std::int64_t> records;               // of the games that changed lately
  std::list<std::pair<std::uint64_t, std::int64_t>> news;     // number of the change, game
  std::uint64_t newest = 0;
  bool over = false;
  std::atomic<int> streams = 0;

  // Games as they were computed, newest use first.
  struct Kept {
    std::int64_t game = 0;
    std::int64_t records = -1;
    std::shared_ptr<const Battle> battle;
    std::string why;
    LastCall last;
    std::string picture;
  };
  std::mutex battles_mutex;
  std::list<Kept> battles;

  std::jthread watching;
  std::jthread serving;

  void Watch(const std::stop_token& stop);
  void Answer(const httplib::Request& request, httplib::Response& response);
  bool LetIn(const httplib::Request& request, httplib::Response& response);
  void Serve(const httplib::Request& request, httplib::Response& response);
  void ServeGame(ClubServer& server, const std::vector<std::string>& parts,
                 const httplib::Request& request, httplib::Response& response);
  void ServePicture(ClubServer& server, std::int64_t game, const std::string& hash, bool small,
                    httplib::Response& response);
  void ServeOverlay(ClubServer& server, const httplib::Request& request,
                    httplib::Response& response, bool part);
  void ServeStream(httplib::Response& response);
  Result<GameShownLive> Shown(ClubServer& server, std::int64_t game);
};

namespace {

void SendHtml(httplib::Response& response, const std::string& html, int status = 200) {
  response.status = status;
  response.set_content(html, "text/html; charset=utf-8");
}

void SendFault(httplib::Response& response, int status, const std::string& sentence) {
  SendHtml(response, ClubPage("Fall of Shot", "/part", NothingPart(sentence), -1), status);
}

void AddPolicy(httplib::Response& response, const char* content) {
  response.headers.erase("Content-Security-Policy");
  response.set_header("Content-Security-Policy", content);
}

}  // namespace

void ClubPageServer::Impl::Watch(const std::stop_token& stop) {
  bool first = true;
  while (!stop.stop_requested()) {
    if (Result<std::unique_ptr<ClubServer>> server = pool.Take(); server.ok()) {
      const Result<std::vector<ChangedGame>> now = (*server)->Changed(kChangedWithin_s);
      pool.Give(std::move(server).value());
      const std::scoped_lock lock(mutex);
      std::map<std::int64_t, std::int64_t> seen;
      for (const ChangedGame& one : now.ok() ? *now : std::vector<ChangedGame>()) {
        seen[one.game] = one.records;
        const auto before = records.find(one.game);
        if (before == records.end() || before->second != one.records) {
          if (!first) news.emplace_back(++newest, one.game);
        }
      }
      if (now.ok()) {
        records = std::move(seen);
        first = false;
      }
      constexpr std::size_t kMostNews = 1000;
      while (news.size() > kMostNews) news.pop_front();
    }
    changed.notify_all();
    std::unique_lock lock(mutex);
    changed.wait_for(lock, kLookEvery, [&] { return over; });
  }
}

bool ClubPageServer::Impl::LetIn(const httplib::Request& request, httplib::Response& response) {
  if (!limits.Allows(request.remote_addr)) {
    response.set_header("Retry-After", "2");
    SendFault(response, 429, "Too many requests; wait a moment.");
    return false;
  }
  if (request.method != "GET" && request.method != "HEAD") {
    response.set_header("Allow", "GET, HEAD");
    SendFault(response, 405, "This page only shows games.");
    return false;
  }
  if (options.token.empty()) {
    // A page elsewhere whose name leads here must not read this one (DNS rebinding).
    if (IsLoopback(HostOf(request))) return true;
    SendFault(response, 403, "Use 127.0.0.1 or localhost for this page.");
    return false;
  }
  const std::string brought = request.get_param_value("token");
  if (!brought.empty() && SameToken(brought, options.token)) {
    // Kept in a cookie, so that it stays in no address.
    std::string to = request.path;
    std::string separator = "?";
    for (const auto& [key, value] : request.params) {
      if (key == "token") continue;
      to += separator + httplib::detail::encode_query_param(key) + '=' +
            httplib::detail::encode_query_param(value);
      separator = "&";
    }
    // "//host" would lead elsewhere.
    while (to.starts_with("//")) to.erase(0, 1);
    response.set_header("Set-Cookie", "fallofshot=" + options.token +
                                          "; Path=/; HttpOnly; SameSite=Strict; Max-Age=86400");
    response.set_redirect(to, 303);
    return false;
  }
  const std::string bearer = request.get_header_value("Authorization");
  if (SameToken(CookieToken(request), options.token) ||
      (bearer.starts_with("Bearer ") && SameToken(bearer.substr(7), options.token))) {
    return true;
  }
  SendFault(response, 401, "This page needs its token: add ?token= and the token to its address.");
  return false;
}

void ClubPageServer::Impl::Answer(const httplib::Request& request, httplib::Response& response) {
  response.set_header("X-Content-Type-Options", "nosniff");
  response.set_header("Referrer-Policy", "no-referrer");
  response.set_header("Cache-Control", "no-store");
  response.set_header("Cross-Origin-Resource-Policy", "same-origin");
  AddPolicy(response,
            "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src "
            "'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
  if (LetIn(request, response)) Serve(request, response);
}

void ClubPageServer::Impl::Serve(const httplib::Request& request, httplib::Response& response) {
  const std::vector<std::string> parts = PartsOf(request.path);
  const std::string first = parts.empty() ? "" : parts[0];
  if (first == "style.css" || first == "club.js") {
    const bool style = first == "style.css";
    response.status = 200;
    response.set_content(style ? ClubStyle() : ClubScript(),
                         style ? "text/css; charset=utf-8" : "text/javascript; charset=utf-8");
    return;
  }
  if (first == "events" && parts.size() == 1) return ServeStream(response);
  if (!first.empty() && first != "part" && first != "game" && first != "overlay") {
    return SendFault(response, 404, "There is no such page.");
  }
  Result<std::unique_ptr<ClubServer>> taken = pool.Take();
  if (!taken.ok()) return SendFault(response, 503, "The club's server does not answer.");
  ClubServer& server = **taken;
  if (first == "game") {
    ServeGame(server, parts, request, response);
  } else if (first == "overlay") {
    ServeOverlay(server, request, response, parts.size() > 1 && parts[1] == "part");
  } else {
    const std::string before = request.get_param_value("before");
    const Result<std::vector<GameListing>> games = server.Listing(kListed, NumberIn(before));
    if (!games.ok()) {
      SendFault(response, 503, "The club's server does not answer.");
    } else {
      const std::string query =
          NumberIn(before) ? fmt::format("?before={}", *NumberIn(before)) : std::string();
      // A league's tables fill no page of games.
      std::vector<ClubTable> listed;
      if (query.empty()) {
        const Result<std::vector<ClubTable>> tables = server.Tables(kListed);
        if (tables.ok() && tables->size() < kListed) listed = *tables;
      }
      const std::string live = TablesPart(
          *games,
          games->size() < kListed ? std::string()
                                  : fmt::format("/?before={}", games->back().game.id),
          listed);
      SendHtml(response, first == "part" ? live
                                         : ClubPage("Fall of Shot: the tables", "/part" + query,
                                                    live, 0));
    }
  }
  pool.Give(std::move(taken).value());
}

Result<GameShownLive> ClubPageServer::Impl::Shown(ClubServer& server, std::int64_t game) {
  const Result<std::vector<GameListing>> listing = server.Listing(1, game + 1);
  if (!listing.ok()) return listing.error();
  if (listing->empty() || listing->front().game.id != game) {
    return Error{ErrorCode::kNotFound, "There is no such game."};
  }
  GameShownLive out;
  out.listing = listing->front();
  // One at a time: to compute a game takes one of the few processors.
  const std::scoped_lock lock(battles_mutex);
  auto kept = std::find_if(battles.begin(), battles.end(),
                           [&](const Kept& one) { return one.game == game; });
  if (kept == battles.end()) {
    battles.emplace_front();
    battles.front().game = game;
    if (battles.size() > kKeptBattles) battles.pop_back();
  } else {
    battles.splice(battles.begin(), battles, kept);
  }
  Kept& one = battles.front();
  if (one.records != out.listing.game.records) {
    const Result<GameLog> log = server.Read(game);
    if (!log.ok()) return log.error();
    const Result<Battle> battle = BattleOf(*log, server);
    one.battle = battle.ok() ? std::make_shared<const Battle>(*battle) : nullptr;
    one.why = battle.ok() ? std::string() : "This game cannot be shown: " + battle.error().message;
    one.last = LastCallOf(*log);
    const Result<std::string> picture = server.NewestPicture(game);
    one.picture = picture.ok() ? *picture : std::string();
    one.records = static_cast<std::int64_t>(log->records.size());
  }
  out.battle = one.battle;
  out.why = one.why;
  out.last = one.last;
  out.picture = one.picture;
  return out;
}

void ClubPageServer::Impl::ServeGame(ClubServer& server, const std::vector<std::string>& parts,
                                     const httplib::Request& request,
                                     httplib::Response& response) {
  // Numbers of games begin with 1.
  const std::int64_t game = parts.size() > 1 ? NumberIn(parts[1]).value_or(0) : 0;
  const std::string what = parts.size() > 2 ? parts[2] : "";
  if (game == 0) return SendFault(response, 404, "There is no such game.");
  if (what == "picture" && parts.size() == 4) {
    return ServePicture(server, game, parts[3], request.has_param("small"), response);
  }
  if (!what.empty() && what != "part" && what != "report") {
    return SendFault(response, 404, "There is no such page.");
  }
  const Result<GameShownLive> shown = Shown(server, game);
  if (!shown.ok()) {
    const bool none = shown.error().code == ErrorCode::kNotFound;
    return SendFault(response, none ? 404 : 503, shown.error().message);
  }
  if (what == "report") {
    if (!shown->battle) return SendFault(response, 404, shown->why);
    Shooting shooting;
    shooting.Add(*shown->battle);
    // The report brings its style and pictures with it, and no script.
    AddPolicy(response,
              "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
              "form-action 'none'; frame-ancestors 'none'");
    return SendHtml(response, ReportHtml(*shown->battle, shooting.ByGun()));
  }
  const std::string live = GamePart(*shown);
  SendHtml(response, what == "part" ? live
                                    : ClubPage(shown->listing.game.name,
                                               fmt::format("/game/{}/part", game), live, game));
}

void ClubPageServer::Impl::ServePicture(ClubServer& server, std::int64_t game,
                                        const std::string& hash, bool small,
                                        httplib::Response& response) {
  // Only the evidence of this game: no scenario, recording or other game's picture.
  const Result<PgRows> there = server.Connection().Run(
      "SELECT 1 FROM record WHERE game = $1 AND kind = 'attached' AND role = 'evidence' AND blob = "
      "$2 LIMIT 1",
      {std::to_string(game), hash});
  if (!there.ok() || there->size() == 0) {
    return SendFault(response, 404, "There is no such picture.");
  }
  Result<std::string> bytes = server.Blob(hash);
  if (!bytes.ok() || bytes->size() > kLargestPicture_bytes || !bytes->starts_with("\xff\xd8")) {
    return SendFault(response, 404, "There is no such picture.");
  }
  constexpr std::size_t kSmallEnough_bytes = 100'000;
  if (small && bytes->size() > kSmallEnough_bytes) {
    try {
      const std::vector<unsigned char> raw(bytes->begin(), bytes->end());
      const cv::Mat picture = cv::imdecode(raw, cv::IMREAD_COLOR);
      const double scale = static_cast<double>(kSmallPicture_px) / std::max(1, picture.cols);
      cv::Mat less;
      cv::resize(picture, less, {}, std::min(1.0, scale), std::min(1.0, scale), cv::INTER_AREA);
      std::vector<unsigned char> out;
      constexpr int kQuality = 80;
      if (cv::imencode(".jpg", less, out, {cv::IMWRITE_JPEG_QUALITY, kQuality})) {
        bytes = std::string(out.begin(), out.end());
      }
    } catch (const cv::Exception&) {
      return SendFault(response, 404, "This picture is damaged.");
    }
  }
  response.headers.erase("Cache-Control");
  response.set_header("Cache-Control", "private, max-age=86400, immutable");
  response.status = 200;
  response.set_content(*bytes, "image/jpeg");
}

void ClubPageServer::Impl::ServeOverlay(ClubServer& server, const httplib::Request& request,
                                        httplib::Response& response, bool part) {
  std::optional<std::int64_t> game = NumberIn(request.get_param_value("game"));
  const std::string table = request.get_param_value("table");
  std::string query = game ? fmt::format("?game={}", *game) : std::string();
  if (!game && !table.empty()) {
    query = "?table=" + httplib::detail::encode_query_param(table);
  }
  if (!game) {
    // The newest game, of that table where one is named.
    const Result<PgRows> found = server.Connection().Run(
        "SELECT id FROM game WHERE $1 = '' OR account = $1 ORDER BY id DESC LIMIT 1", {table});
    if (found.ok() && found->size() == 1) game = found->Int(0, 0);
  }
  std::string live;
  if (game) {
    if (const Result<GameShownLive> shown = Shown(server, *game); shown.ok()) {
      live = OverlayPart(*shown);
    }
  }
  SendHtml(response, part ? live
                          : ClubPage("Overlay", "/overlay/part" + query, live,
                                     query.starts_with("?game") ? game.value_or(0) : 0, true));
}

void ClubPageServer::Impl::ServeStream(httplib::Response& response) {
  if (streams.fetch_add(1) >= options.most_streams) {
    --streams;
    response.set_header("Retry-After", "10");
    return SendFault(response, 503, "Too many visitors follow the games; this page looks for "
                                    "changes now and then.");
  }
  std::uint64_t from = 0;
  {
    const std::scoped_lock lock(mutex);
    from = newest;
  }
  response.status = 200;
  response.set_chunked_content_provider(
      "text/event-stream",
      [this, from](std::size_t, httplib::DataSink& sink) mutable {
        std::string text;
        {
          std::unique_lock lock(mutex);
          changed.wait_for(lock, kHeartbeat, [&] { return over || newest != from; });
          if (over) return false;
          std::vector<std::int64_t> games;
          for (const auto& [number, game] : news) {
            if (number > from && std::find(games.begin(), games.end(), game) == games.end()) {
              games.push_back(game);
            }
          }
          from = newest;
          text = games.empty() ? std::string(": still here\n\n")
                               : fmt::format("event: change\ndata: [{}]\n\n",
                                             fmt::join(games, ","));
        }
        return sink.write(text.data(), text.size());
      },
      [this](bool) { --streams; });
}

ClubPageServer::ClubPageServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

ClubPageServer::~ClubPageServer() {
  {
    const std::scoped_lock lock(impl_->mutex);
    impl_->over = true;
  }
  impl_->changed.notify_all();
  impl_->watching.request_stop();
  impl_->http.stop();
}

int ClubPageServer::Port() const { return impl_->port; }

Result<std::unique_ptr<ClubPageServer>> ClubPageServer::Start(const PgAddress& server,
                                                              const ClubPageOptions& options) {
  // A wrong address is told at once, not by every page.
  Result<ClubServer> probe = ClubServer::Open(server);
  if (!probe.ok()) return probe.error();
  if (const auto games = probe->Listing(1); !games.ok()) return games.error();
  auto impl = std::make_unique<Impl>(server, options);
  Impl& it = *impl;
  httplib::Server& http = it.http;
  const int threads = options.most_streams + 16;
  http.new_task_queue = [threads] {
    return new httplib::ThreadPool(static_cast<std::size_t>(threads));
  };
  http.set_socket_options([](socket_t socket) {
    // Not SO_REUSEPORT, httplib's own choice: two servers must not share a port.
    const int yes = 1;
    setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
  });
  constexpr std::size_t kLargestRequest_bytes = 4096;
  http.set_payload_max_length(kLargestRequest_bytes);
  http.set_read_timeout(5, 0);
  http.set_write_timeout(5, 0);
  http.set_keep_alive_timeout(5);
  http.set_keep_alive_max_count(100);
  http.set_tcp_nodelay(true);
  // All of it here: httplib's own patterns are regular expressions, which a long address exhausts.
  http.set_pre_routing_handler([&it](const httplib::Request& request, httplib::Response& response) {
    it.Answer(request, response);
    return httplib::Server::HandlerResponse::Handled;
  });
  http.set_exception_handler(
      [](const httplib::Request&, httplib::Response& response, const std::exception_ptr&) {
        response.status = 500;
        response.set_content("This page cannot be shown.\n", "text/plain; charset=utf-8");
      });
  const bool bound = options.port == 0 ? (it.port = http.bind_to_any_port(options.host)) > 0
                                       : http.bind_to_port(options.host, options.port);
  if (!bound) {
    return Error{ErrorCode::kIo, fmt::format("{}:{}: cannot listen there; give another --port or "
                                             "--bind",
                                             options.host, options.port)};
  }
  if (options.port != 0) it.port = options.port;
  it.watching = std::jthread([&it](const std::stop_token& stop) { it.Watch(stop); });
  it.serving = std::jthread([&it] { it.http.listen_after_bind(); });
  while (!http.is_running()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return std::unique_ptr<ClubPageServer>(new ClubPageServer(std::move(impl)));
}

}  // namespace fos
