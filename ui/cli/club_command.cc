// SPDX-License-Identifier: MIT
#include "ui/cli/club_command.h"

#include <chrono>
#include <filesystem>
#include <ostream>
#include <thread>

#include <fmt/format.h>

#include "engine/club/club_accounts.h"
#include "engine/club/club_schema.h"
#include "engine/club/club_server.h"
#include "ui/cli/club_file_option.h"
#include "ui/cli/interrupt.h"
#include "ui/cli/options.h"
#include "ui/club/background_mirror.h"
#include "ui/club/club_page_server.h"
#include "ui/session/club_file.h"

namespace fos {
namespace {

namespace fs = std::filesystem;

constexpr const char* kAddressHelp =
    "postgresql://HOST/DATABASE; passwords come from ~/.pgpass or PGPASSFILE";

int RunClubInit(const std::vector<std::string>& arguments, Console& console) {
  std::string address;
  Options options("club init ADDRESS",
                  "Creates the tables, functions and roles of a club's server in an empty "
                  "PostgreSQL database, or upgrades those of an older program.");
  options.Argument("ADDRESS", address, kAddressHelp);
  if (const auto status = ReadArguments(options, "club init", arguments, console)) return *status;
  const Result<PgAddress> server = PgAddress::Parse(address);
  if (!server.ok()) return BadUsage(console, "club init", server.error().message);
  const Result<int> before = ClubServer::Init(*server);
  if (!before.ok()) return BadInput(console, before.error().message);
  console.out << server->Name()
              << (*before == ClubVersion() ? fmt::format(": is of version {} already\n", *before)
                  : *before == 0
                      ? fmt::format(": is a club's server now, version {}. Make an account for each "
                                    "table: fallofshot club account\n",
                                    ClubVersion())
                      : fmt::format(": upgraded from version {} to {}\n", *before, ClubVersion()));
  return kExitDone;
}

int RunClubAccount(const std::vector<std::string>& arguments, Console& console) {
  std::string address;
  ClubAccount account;
  std::string role = "table";
  std::string passfile;
  Options options("club account NAME ADDRESS --passfile FILE [options]",
                  "Makes an account on the club's server: for a table, which may append its own "
                  "games and do nothing else, or for a reader, who may read everything. Its "
                  "password is written to FILE alone.");
  options.Argument("NAME", account.name, "1 to 50 of a-z, 0-9, _ and -")
      .Argument("ADDRESS", address, kAddressHelp)
      .Text("passfile", "FILE", passfile,
            "a new file for the password, in the form of ~/.pgpass; bring it to the laptop")
      .Text("as", "ROLE", role, "table or reader; default table")
      .Text("title", "TEXT", account.title, "what people call the table; default: NAME")
      .Text("club-name", "TEXT", account.club, "the club, where a server has several");
  if (const auto status = ReadArguments(options, "club account", arguments, console)) {
    return *status;
  }
  const Result<PgAddress> server = PgAddress::Parse(address);
  if (!server.ok()) return BadUsage(console, "club account", server.error().message);
  if (role != "table" && role != "reader") {
    return BadUsage(console, "club account",
                    fmt::format("--as is `{}`; give table or reader", role.substr(0, 100)));
  }
  if (passfile.empty()) return BadUsage(console, "club account", "no --passfile given");
  account.role = role == "table" ? ClubAccount::Role::kTable : ClubAccount::Role::kReader;
  const Status made = AddClubAccount(*server, account, passfile);
  if (!made.ok()) return BadInput(console, made.error().message);
  console.out << fmt::format(
      "{}: account {} ({}). Its password is in {}; on the laptop, add that line to ~/.pgpass or "
      "let PGPASSFILE name the file\n",
      server->Name(), account.name, role, passfile);
  return kExitDone;
}

int RunClubMirror(const std::vector<std::string>& arguments, Console& console) {
  std::string address;
  ClubFileOption club;
  bool follow = false;
  int wait_s = 60;
  Options options("club mirror ADDRESS [options]",
                  "Copies every game of the club's file that the server does not have yet. `live "
                  "--club` does the same while a game is played.");
  options.Argument("ADDRESS", address, kAddressHelp)
      .Flag("follow", follow, "go on copying until Ctrl-C")
      .Integer("wait", wait_s, 1, 86400, "seconds after which it gives up");
  AddClubFileOption(options, club);
  if (const auto status = ReadArguments(options, "club mirror", arguments, console)) return *status;
  const Result<PgAddress> server = PgAddress::Parse(address);
  if (!server.ok()) return BadUsage(console, "club mirror", server.error().message);
  std::error_code ec;
  if (!fs::exists(club.Path(), ec)) {
    return BadInput(console, club.Path().string() + ": no such club file; name another with --db");
  }
  const Interrupt interrupt;
  BackgroundMirror mirror(club.Path(), *server);
  bool done = false;
  constexpr std::chrono::milliseconds kSlice{500};
  for (int slice = 0; !interrupt.Asked() && (follow || (slice < 2 * wait_s && !done)); ++slice) {
    done = mirror.Flush(kSlice);
    // Of what the server refuses, waiting changes nothing.
    if (!follow && !done && !mirror.News().faults.empty() && mirror.News().waiting == 0) break;
    if (follow) std::this_thread::sleep_for(kSlice);
  }
  const MirrorNews news = mirror.News();
  console.out << fmt::format("{} record{} sent\n", news.sent, news.sent == 1 ? "" : "s");
  if (news.complete) return kExitDone;
  for (const std::string& fault : news.faults) console.out << fault << '\n';
  const int status = BadInput(console, MirrorSentence(news));
  return interrupt.Asked() ? kExitInterrupted : status;
}

int RunClubServe(const std::vector<std::string>& arguments, Console& console) {
  ClubPageOptions page;
  std::string address;
  std::string token_file;
  Options options("club serve ADDRESS [options]",
                  "Serves a page that lists the tables and their games live, and an overlay for "
                  "streams. It reads the server with a reader's account and changes nothing.");
  options.Argument("ADDRESS", address, kAddressHelp)
      .Text("bind", "HOST", page.host, "address of this machine to listen at; default 127.0.0.1")
      .Integer("port", page.port, 0, 65535, "port to listen at; 0: any that is free")
      .Text("token-file", "FILE", token_file,
            "ask visitors for the token in this file, which is made if it is missing; needed for "
            "every address but 127.0.0.1");
  if (const auto status = ReadArguments(options, "club serve", arguments, console)) return *status;
  const Result<PgAddress> server = PgAddress::Parse(address);
  if (!server.ok()) return BadUsage(console, "club serve", server.error().message);
  if (token_file.empty() && !IsLoopback(page.host)) {
    return BadUsage(console, "club serve",
                    fmt::format("--bind is `{}`, which others can reach; give --token-file too",
                                page.host.substr(0, 100)));
  }
  if (!token_file.empty()) {
    const Result<std::string> token = ReadOrMakeToken(token_file);
    if (!token.ok()) return BadInput(console, token.error().message);
    page.token = *token;
  }
  const Interrupt interrupt;
  Result<std::unique_ptr<ClubPageServer>> serving = ClubPageServer::Start(*server, page);
  if (!serving.ok()) return BadInput(console, serving.error().message);
  console.out << fmt::format("serving http://{}:{}/ and http://{}:{}/overlay\n", page.host,
                             (*serving)->Port(), page.host, (*serving)->Port());
  if (!token_file.empty()) {
    console.out << fmt::format("visitors add ?token= and the text of {}\n", token_file);
  }
  console.out.flush();
  while (!interrupt.Asked()) std::this_thread::sleep_for(std::chrono::milliseconds(100));
  return kExitDone;
}

}  // namespace

int RunClub(const std::vector<std::string>& arguments, Console& console) {
  const std::string what = arguments.empty() ? "" : arguments.front();
  const std::vector<std::string> rest(arguments.begin() + (arguments.empty() ? 0 : 1),
                                      arguments.end());
  if (what == "init") return RunClubInit(rest, console);
  if (what == "account") return RunClubAccount(rest, console);
  if (what == "mirror") return RunClubMirror(rest, console);
  if (what == "serve") return RunClubServe(rest, console);
  if (what == "--help" || what == "-h") {
    if (console.pages != nullptr) {
      for (const auto& form : {RunClubInit, RunClubAccount, RunClubMirror, RunClubServe}) {
        (void)form({"--help"}, console);
      }
      return kExitDone;
    }
    console.out << "Usage: fallofshot club init|account|mirror|serve ...\n\n"
                   "club init ADDRESS          prepare or upgrade a PostgreSQL database\n"
                   "club account NAME ADDRESS  make an account for a table or a reader\n"
                   "club mirror ADDRESS        copy the club's file to the server\n"
                   "club serve ADDRESS         serve a page with all games live\n"
                   "Each has its own --help.\n";
    return kExitDone;
  }
  return BadUsage(console, "club",
                  (what.empty() ? std::string("nothing to do given")
                                : fmt::format("`{}` is no command of club", what.substr(0, 100))) +
                      "; use `club init`, `club account`, `club mirror` or `club serve`");
}

}  // namespace fos
