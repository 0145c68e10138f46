// SPDX-License-Identifier: MIT
#include "engine/club/club_mirror.h"

#include <fmt/format.h>

#include "engine/club/club_schema.h"

namespace fos {
namespace {

// A batch is one transaction of the server: some tenths of a second at most.
constexpr std::size_t kBatch_records = 256;

}  // namespace

void JournalMirror::Forget() {
  there_.reset();
  faults_.clear();
  others_.clear();
}

Status JournalMirror::Begin(const Journal& journal, ClubServer& server, const StoredHead& local) {
  if (there_->contains(local.head.uid)) return Ok();
  const Result<GameStart> start = journal.Start(local.game);
  if (!start.ok()) return start.error();
  const Result<ServerHead> begun = server.Begin(*start);
  if (!begun.ok()) return begun.error();
  there_->emplace(local.head.uid, *begun);
  return Ok();
}

Status JournalMirror::Send(const Journal& journal, ClubServer& server, const StoredHead& local,
                           MirrorRound& round) {
  const std::string& uid = local.head.uid;
  ServerHead& head = there_->at(uid);
  if (head.records > local.head.records) {
    return Error{ErrorCode::kBadFormat,
                 fmt::format("the server has {} records of game {}, this file only {}: the file is "
                             "an old copy; continue the game with the newer one",
                             head.records, local.game, local.head.records)};
  }
  if (head.records == local.head.records) {
    if (head.chain == local.head.chain) return Ok();
    return Error{ErrorCode::kBadFormat,
                 fmt::format("game {} goes on differently on the server: two copies of the file "
                             "were used; export the game that counts to a file of its own",
                             local.game)};
  }
  const Result<std::vector<Record>> records =
      journal.ReadAfter(local.game, head.records, head.chain, kBatch_records);
  if (!records.ok()) return records.error();
  std::vector<std::string> hashes;
  for (const Record& record : *records) {
    if (record.attachment) hashes.push_back(record.attachment->hash);
  }
  if (!hashes.empty()) {
    const Result<std::vector<std::string>> missing = server.Missing(hashes);
    if (!missing.ok()) return missing.error();
    for (const std::string& hash : *missing) {
      const Result<std::string> bytes = journal.Blob(hash);
      if (!bytes.ok()) return Error{ErrorCode::kBadFormat, bytes.error().message};
      const Status put = server.PutBlob(hash, *bytes);
      if (!put.ok()) return put;
    }
  }
  const Result<ServerHead> now = server.Append(uid, head, *records);
  if (!now.ok()) return now.error();
  round.sent += now->records - head.records;
  // Another program may mirror the same file: where the server's log ends, the next round goes on,
  // and checks that it is ours.
  head = *now;
  return Ok();
}

Result<MirrorRound> JournalMirror::Round(const Journal& journal, ClubServer& server) {
  if (!there_) {
    Result<std::map<std::string, ServerHead>> heads = server.OwnHeads();
    if (!heads.ok()) return heads.error();
    there_ = std::move(heads).value();
  }
  const Result<std::vector<StoredHead>> local = journal.Heads();
  if (!local.ok()) return Error{ErrorCode::kBadFormat, local.error().message};
  MirrorRound round;
  const auto left_out = [this](const std::string& uid) {
    return faults_.contains(uid) || others_.contains(uid);
  };
  // False: the connection is lost.
  const auto noted = [&](const StoredHead& game, const Status& done) {
    if (done.ok()) return true;
    if (done.error().code == ErrorCode::kIo || !server.Connection().Alive()) return false;
    if (server.Connection().SqlState() == kStateOtherTable) {
      others_.insert(game.head.uid);
    } else {
      faults_[game.head.uid] = done.error().message;
    }
    return true;
  };
  // Begun in the order of the file, so that the server numbers them as it does.
  for (const StoredHead& game : *local) {
    if (left_out(game.head.uid)) continue;
    const Status begun = Begin(journal, server, game);
    if (!noted(game, begun)) return Error{ErrorCode::kIo, begun.error().message};
  }
  for (auto game = local->rbegin(); game != local->rend(); ++game) {
    const std::string& uid = game->head.uid;
    if (left_out(uid)) continue;
    const Status sent = Send(journal, server, *game, round);
    if (!noted(*game, sent)) return Error{ErrorCode::kIo, sent.error().message};
    if (left_out(uid)) continue;
    const std::int64_t left = game->head.records - there_->at(uid).records;
    if (left > 0) {
      round.waiting += left;
      round.more = true;
    }
  }
  return round;
}

}  // namespace fos
