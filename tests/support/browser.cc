// SPDX-License-Identifier: MIT
#include "tests/support/browser.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <stdexcept>
#include <thread>

#include "tests/support/shell_run.h"

namespace fos::test {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr auto kAnswersWithin = 60s;

// What Chromium answers when the page asked has gone to another address, or has none yet.
constexpr int kServerError = -32000;

struct PageGone : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Chromium reads commands at descriptor 3 and answers at 4.
[[noreturn]] void ExecChromium(int commands, int answers, const std::filesystem::path& home) {
  setsid();
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  // Away from 3 and 4 first, for one of them may lie there.
  const int in = fcntl(commands, F_DUPFD, 10);
  const int out = fcntl(answers, F_DUPFD, 10);
  const int log = open((home / "chromium.log").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  const int nothing = open("/dev/null", O_RDONLY);
  dup2(nothing, 0);
  dup2(log, 1);
  dup2(log, 2);
  dup2(in, 3);
  dup2(out, 4);
  for (int fd = 5; fd < 256; ++fd) close(fd);
  setenv("HOME", home.c_str(), 1);
  const std::string profile = "--user-data-dir=" + (home / "profile").string();
  execlp("chromium", "chromium", "--headless", "--no-sandbox", "--disable-gpu",
         "--disable-dev-shm-usage", "--disable-quic", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-sync",
         "--disable-breakpad", "--remote-debugging-pipe", profile.c_str(), "about:blank", nullptr);
  _exit(127);
}

std::string FromBase64(const std::string& text) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  unsigned bits = 0;
  int count = 0;
  for (const char c : text) {
    const std::size_t digit = digits.find(c);
    if (digit == std::string::npos) break;  // the padding
    bits = bits << 6 | static_cast<unsigned>(digit);
    if ((count += 6) < 8) continue;
    count -= 8;
    out += static_cast<char>(bits >> count & 0xff);
  }
  return out;
}

}  // namespace

std::string Browser::WhyNot() {
  if (RunInShell("command -v chromium").status == 0) return {};
  return "Chromium is not installed (apt-get install chromium)";
}

Browser::Browser(const std::filesystem::path& home) {
  std::array<int, 2> commands{};
  std::array<int, 2> answers{};
  if (pipe2(commands.data(), O_CLOEXEC) != 0 || pipe2(answers.data(), O_CLOEXEC) != 0) {
    throw std::runtime_error("no pipe for Chromium");
  }
  signal(SIGPIPE, SIG_IGN);  // a browser that is gone is told by write() then
  process_ = fork();
  if (process_ == 0) ExecChromium(commands[0], answers[1], home);
  close(commands[0]);
  close(answers[1]);
  to_ = commands[1];
  from_ = answers[0];
  Json target = Json::object();
  target["url"] = "about:blank";
  Json page = Json::object();
  page["targetId"] = Ask("Target.createTarget", target).at("targetId");
  page["flatten"] = true;
  session_ = Ask("Target.attachToTarget", page).at("sessionId").get<std::string>();
}

Browser::~Browser() {
  kill(-process_, SIGKILL);
  waitpid(process_, nullptr, 0);
  close(to_);
  close(from_);
}

Json Browser::Ask(const std::string& method, const Json& params) {
  Json command = Json::object();
  command["id"] = ++asked_;
  command["method"] = method;
  command["params"] = params;
  if (!session_.empty()) command["sessionId"] = session_;
  const std::string text = command.dump() + '\0';
  for (std::size_t sent = 0; sent < text.size();) {
    const ssize_t part = write(to_, text.data() + sent, text.size() - sent);
    if (part <= 0) throw std::runtime_error("Chromium is gone");
    sent += static_cast<std::size_t>(part);
  }
  const auto end = Clock::now() + kAnswersWithin;
  while (Clock::now() < end) {
    for (std::size_t at; (at = read_.find('\0')) != std::string::npos;) {
      const Json message = Json::parse(read_.substr(0, at));
      read_.erase(0, at + 1);
      if (message.value("id", 0) != asked_) continue;  // an event
      if (message.contains("error")) {
        const Json& error = message.at("error");
        if (error.value("code", 0) == kServerError) throw PageGone(error.dump());
        throw std::runtime_error(error.dump());
      }
      return message.at("result");
    }
    pollfd waiting{from_, POLLIN, 0};
    if (poll(&waiting, 1, 200) <= 0) continue;
    std::array<char, 65536> part{};
    const ssize_t got = read(from_, part.data(), part.size());
    if (got <= 0) throw std::runtime_error("Chromium ended");
    read_.append(part.data(), static_cast<std::size_t>(got));
  }
  throw std::runtime_error("Chromium does not answer " + method);
}

void Browser::Open(const std::string& address) {
  Json params = Json::object();
  params["url"] = address;
  Ask("Page.navigate", params);
}

void Browser::BeAPhone(int width_px, int height_px) {
  Json params = Json::object();
  params["width"] = width_px;
  params["height"] = height_px;
  params["deviceScaleFactor"] = 2;
  params["mobile"] = true;
  Ask("Emulation.setDeviceMetricsOverride", params);
}

void Browser::Picture(const std::filesystem::path& file) {
  Json params = Json::object();
  params["format"] = "png";
  const Json answer = Ask("Page.captureScreenshot", params);
  std::ofstream(file, std::ios::binary) << FromBase64(answer.at("data").get<std::string>());
}

std::string Browser::Value(const std::string& expression) {
  Json params = Json::object();
  params["expression"] = "String(" + expression + ")";
  try {
    return Ask("Runtime.evaluate", params).at("result").value("value", "");
  } catch (const PageGone&) {
    return {};
  }
}

std::string Browser::WaitFor(const std::string& expression, const std::string& value,
                             std::chrono::seconds limit) {
  const auto end = Clock::now() + limit;
  std::string now;
  do {
    now = Value(expression);
    if (now == value) break;
    std::this_thread::sleep_for(50ms);
  } while (Clock::now() < end);
  return now;
}

}  // namespace fos::test
