// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "engine/club/club_server.h"
#include "engine/journal/journal.h"

namespace fos {

// What one round of mirroring did.
struct MirrorRound {
  std::int64_t sent = 0;     // records that the server took
  std::int64_t waiting = 0;  // records of the file that it does not have yet
  bool more = false;         // another round would send more at once
};

// Copies the club's file to the club's server, in order, each record once. The server's answer
// alone says where each game goes on, so that a program which starts again continues there.
class JournalMirror {
 public:
  // Sends at most one batch of each game, the newest game first.
  // errors  kIo: the connection is lost; open another and call Forget. Those of Journal::Heads and
  //         ClubServer::OwnHeads. A fault of a single game is no error; see Faults.
  Result<MirrorRound> Round(const Journal& journal, ClubServer& server);
  // Asks the server again where each game ends.
  void Forget();
  // The games that the server does not take, by uid, with the reason: they go on differently there.
  const std::map<std::string, std::string>& Faults() const { return faults_; }
  // The games that another table writes, by uid: imported ones, which the server has already.
  const std::set<std::string>& Others() const { return others_; }

 private:
  Status Begin(const Journal& journal, ClubServer& server, const StoredHead& local);
  Status Send(const Journal& journal, ClubServer& server, const StoredHead& local,
              MirrorRound& round);

  std::optional<std::map<std::string, ServerHead>> there_;
  std::map<std::string, std::string> faults_;
  std::set<std::string> others_;
};

}  // namespace fos
