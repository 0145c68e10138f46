// SPDX-License-Identifier: MIT
#include "tests/support/pg_server.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <grp.h>
#include <netinet/in.h>
#include <pwd.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <sstream>
#include <stdexcept>
#include <thread>
#include <vector>

#include "tests/support/shell_run.h"

namespace fos::test {
namespace {

namespace fs = std::filesystem;

// The folder of Debian's programs for servers, which is not on the path; empty: none.
fs::path ServerPrograms() {
  std::error_code ec;
  for (fs::directory_iterator at("/usr/lib/postgresql", ec), end; !ec && at != end; at.increment(ec)) {
    if (fs::exists(at->path() / "bin/initdb", ec) && fs::exists(at->path() / "bin/postgres", ec)) {
      return at->path() / "bin";
    }
  }
  return {};
}

// initdb and postgres refuse to run as root: then they run as Debian's account for them.
const passwd* ServerUser() { return geteuid() == 0 ? getpwnam("postgres") : nullptr; }

// Ends the calling child if the account cannot be changed.
[[noreturn]] void ExecAsServerUser(const std::vector<std::string>& words, const fs::path& log) {
  setsid();
  const int out = open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644);
  const int in = open("/dev/null", O_RDONLY);
  dup2(in, 0);
  dup2(out, 1);
  dup2(out, 2);
  if (const passwd* user = ServerUser()) {
    if (setgroups(0, nullptr) != 0 || setgid(user->pw_gid) != 0 || setuid(user->pw_uid) != 0) {
      _exit(126);
    }
  }
  // A test that is killed leaves no server behind. After the account, for that clears it.
  prctl(PR_SET_PDEATHSIG, SIGQUIT);
  std::vector<char*> argv;
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  execv(argv[0], argv.data());
  _exit(127);
}

}  // namespace

int FreePort() {
  const int one = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(at);
  if (bind(one, reinterpret_cast<sockaddr*>(&at), size) != 0 ||
      getsockname(one, reinterpret_cast<sockaddr*>(&at), &size) != 0) {
    throw std::runtime_error("no free port");
  }
  close(one);
  return ntohs(at.sin_port);
}

std::string PgServer::WhyNot() {
  if (ServerPrograms().empty()) return "PostgreSQL is not installed (apt-get install postgresql)";
  if (geteuid() == 0 && !ServerUser()) return "root cannot run PostgreSQL, and no account postgres";
  return {};
}

PgServer::PgServer(std::string settings) : settings_(std::move(settings)), port_(FreePort()) {
  const fs::path data = dir_.path() / "data";
  fs::create_directory(data);
  fs::permissions(dir_.path(), fs::perms::owner_all | fs::perms::group_all |
                                   fs::perms::others_all);
  if (const passwd* user = ServerUser()) {
    if (chown(data.c_str(), user->pw_uid, user->pw_gid) != 0) throw std::runtime_error("chown");
  }
  const pid_t child = fork();
  if (child == 0) {
    ExecAsServerUser({ServerPrograms() / "initdb", "-D", data, "-U", "owner", "--encoding=UTF8",
                      "--locale=C", "--auth-local=trust", "--auth-host=scram-sha-256",
                      "--no-sync"},
                     dir_.path() / "initdb.log");
  }
  int status = 0;
  if (waitpid(child, &status, 0) != child || status != 0) {
    std::ostringstream log;
    log << std::ifstream(dir_.path() / "initdb.log").rdbuf();
    throw std::runtime_error("initdb failed: " + log.str());
  }
  Start();
}

PgServer::~PgServer() { Kill(); }

void PgServer::Kill() {
  if (process_ <= 0) return;
  kill(-process_, SIGKILL);
  waitpid(process_, nullptr, 0);
  process_ = -1;
}

void PgServer::Start() {
  using namespace std::chrono_literals;
  // A server that was killed may still hold its memory for a moment, and the next one ends then.
  const auto end = std::chrono::steady_clock::now() + 60s;
  while (std::chrono::steady_clock::now() < end) {
    process_ = fork();
    if (process_ == 0) {
      // A kill leaves what was written with the kernel; only a power cut would need fsync.
      std::vector<std::string> words = {ServerPrograms() / "postgres", "-D", dir_.path() / "data",
                                        "-p", std::to_string(port_), "-k", dir_.path(), "-c",
                                        "listen_addresses=127.0.0.1", "-c", "fsync=off"};
      std::istringstream more(settings_);
      for (std::string word; more >> word;) words.push_back(word);
      ExecAsServerUser(words, dir_.path() / "server.log");
    }
    while (waitpid(process_, nullptr, WNOHANG) == 0) {
      if (Answers()) return;
      std::this_thread::sleep_for(50ms);
      if (std::chrono::steady_clock::now() > end) break;
    }
    std::this_thread::sleep_for(100ms);
  }
  std::ostringstream log;
  log << std::ifstream(dir_.path() / "server.log").rdbuf();
  throw std::runtime_error("PostgreSQL does not start: " + log.str());
}

bool PgServer::Answers() const {
  return RunInShell("psql -h " + dir_.path().string() + " -p " + std::to_string(port_) +
                    " -U owner -d postgres -c 'SELECT 1' >/dev/null 2>&1")
             .status == 0;
}

std::string PgServer::Owner(const std::string& database) {
  RunInShell("createdb -h " + dir_.path().string() + " -p " + std::to_string(port_) +
             " -U owner " + database);
  std::string folder = dir_.path().string();
  for (std::size_t at = 0; (at = folder.find('/', at)) != std::string::npos; at += 3) {
    folder.replace(at, 1, "%2F");
  }
  return "postgresql://owner@" + folder + ":" + std::to_string(port_) + "/" + database;
}

std::string PgServer::Address(const std::string& account, const std::string& database,
                              int port) const {
  return "postgresql://" + account + "@127.0.0.1:" + std::to_string(port ? port : port_) + "/" +
         database;
}

std::string PgServer::Ask(const std::string& sql, const std::string& database) const {
  const fs::path file = dir_.path() / "ask.sql";
  std::ofstream(file) << sql;
  return RunInShell("psql -qAt -v ON_ERROR_STOP=1 -h " + dir_.path().string() + " -p " +
                    std::to_string(port_) + " -U owner -d " + database + " -f " + file.string())
      .out;
}

}  // namespace fos::test
