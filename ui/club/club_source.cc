// SPDX-License-Identifier: MIT
#include "ui/club/club_source.h"

#include <chrono>
#include <ostream>
#include <utility>

#include "engine/club/club_server.h"

namespace fos {

Result<std::unique_ptr<GameSource>> OpenSource(const ClubFileOption& club) {
  if (club.server.empty()) {
    JournalOptions read_only;
    read_only.read_only = true;
    Result<Journal> journal = Journal::Open(club.Path(), read_only);
    if (!journal.ok()) return journal.error();
    return std::unique_ptr<GameSource>(std::make_unique<Journal>(std::move(journal).value()));
  }
  if (!club.file.empty()) {
    return Error{ErrorCode::kBadFormat,
                 "--db reads a file and --club a server; leave one of them out"};
  }
  const Result<PgAddress> address = PgAddress::Parse(club.server);
  if (!address.ok()) return address.error();
  Result<ClubServer> server = ClubServer::Open(*address);
  if (!server.ok()) return server.error();
  return std::unique_ptr<GameSource>(std::make_unique<ClubServer>(std::move(server).value()));
}

Result<SourcedGame> ReadSourcedGame(const ClubFileOption& club, const std::string& game) {
  Result<std::unique_ptr<GameSource>> source = OpenSource(club);
  if (!source.ok()) return source.error();
  const Result<std::int64_t> number = (*source)->Find(game);
  if (!number.ok()) return number.error();
  Result<GameLog> log = (*source)->Read(*number);
  if (!log.ok()) return log.error();
  return SourcedGame{std::move(source).value(), std::move(log).value()};
}

Result<KeptMirror> KeptMirror::Start(const ClubFileOption& club) {
  KeptMirror out;
  if (club.server.empty()) return out;
  const Result<PgAddress> address = PgAddress::Parse(club.server);
  if (!address.ok()) return address.error();
  out.mirror_ = std::make_unique<BackgroundMirror>(club.Path(), *address);
  return out;
}

void KeptMirror::Finish(std::ostream& notes) {
  if (!mirror_) return;
  // Five seconds; one where the server is known to be away.
  for (int second = 0; second < 5 && !mirror_->Flush(std::chrono::seconds(1)); ++second) {
    if (!mirror_->News().connected && !mirror_->News().trouble.empty()) break;
  }
  if (const std::string sentence = MirrorSentence(mirror_->News()); !sentence.empty()) {
    notes << "Note: " << sentence << '\n';
  }
  mirror_.reset();
}

}  // namespace fos
