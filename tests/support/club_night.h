// SPDX-License-Identifier: MIT
#pragma once

#include <cstdlib>
#include <fstream>
#include <map>
#include <string>

#include <fmt/format.h>

#include "engine/club/club_accounts.h"
#include "engine/club/club_server.h"
#include "engine/journal/journal.h"
#include "tests/support/pg_server.h"

namespace fos::test {

// A club's server with accounts, whose passwords lie in one file that PGPASSFILE names.
struct ClubNight {
  PgServer server;

  explicit ClubNight(const std::string& settings = {}) : server(settings) {
    Must(ClubServer::Init(Parsed(server.Owner())));
    setenv("PGPASSFILE", PassFile().c_str(), 1);
    for (const char* name : {"table-1", "table-2"}) AddAccount(name, ClubAccount::Role::kTable);
    AddAccount("reader", ClubAccount::Role::kReader);
  }
  std::filesystem::path PassFile() const { return server.Folder() / "pgpass"; }

  void AddAccount(const std::string& name, ClubAccount::Role role) {
    const std::filesystem::path one = server.Folder() / (name + ".pgpass");
    Must(AddClubAccount(Parsed(server.Owner()), {role, name, "The Club", "Table of " + name}, one));
    // For every port, so that it serves through a proxy too.
    std::string line;
    std::ifstream in(one);
    std::getline(in, line);
    std::ofstream(PassFile(), std::ios::app)
        << "127.0.0.1:*:*:" << name << ':' << line.substr(line.rfind(':') + 1) << '\n';
    std::filesystem::permissions(PassFile(), std::filesystem::perms::owner_read |
                                                 std::filesystem::perms::owner_write);
  }
  ClubServer Table(const std::string& name) {
    return Must(ClubServer::Open(Parsed(server.Address(name))));
  }
  ClubServer Reader() { return Must(ClubServer::Open(Parsed(server.Address("reader")))); }

  static PgAddress Parsed(const std::string& text) { return Must(PgAddress::Parse(text)); }
  template <typename T>
  static T Must(Result<T> result) {
    if (!result.ok()) throw std::runtime_error(result.error().message);
    return std::move(result).value();
  }
};

// What the server has otherwise than the file: every game's start, records, hashes and pictures.
// Empty: nothing. Only for games of the file.
inline std::string Difference(const Journal& journal, const ClubServer& server) {
  std::map<std::string, std::int64_t> there;
  const auto theirs = ClubNight::Must(server.Games());
  for (const GameSummary& game : theirs) there[game.uid] = game.id;
  for (const GameSummary& game : ClubNight::Must(journal.Games())) {
    if (!there.contains(game.uid)) return game.uid + " is not on the server";
    const GameLog ours = ClubNight::Must(journal.Read(game.id));
    // Reading checks that every hash covers what is there.
    const Result<GameLog> read = server.Read(there[game.uid]);
    if (!read.ok()) return read.error().message;
    if (ChainStart(read->start) != ChainStart(ours.start)) return game.uid + " began otherwise";
    if (read->records.size() != ours.records.size()) {
      return fmt::format("{}: {} records here, {} there", game.uid, ours.records.size(),
                         read->records.size());
    }
    for (std::size_t i = 0; i < ours.records.size(); ++i) {
      const Record& a = ours.records[i];
      const Record& b = read->records[i];
      if (a.chain != b.chain || a.number != b.number || a.unix_s != b.unix_s || a.text != b.text ||
          a.events != b.events || a.told != b.told) {
        return fmt::format("{}: record {} differs", game.uid, i + 1);
      }
      if (a.attachment && ClubNight::Must(journal.Blob(a.attachment->hash)) !=
                              ClubNight::Must(server.Blob(b.attachment->hash))) {
        return fmt::format("{}: picture of record {} differs", game.uid, i + 1);
      }
    }
  }
  return {};
}

}  // namespace fos::test
