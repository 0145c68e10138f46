// SPDX-License-Identifier: MIT
#include "ui/club/background_mirror.h"

#include <algorithm>
#include <exception>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "engine/club/club_mirror.h"

namespace fos {

BackgroundMirror::BackgroundMirror(std::filesystem::path club, PgAddress server,
                                   MirrorOptions options)
    : club_(std::move(club)),
      server_(std::move(server)),
      options_(options),
      thread_([this](const std::stop_token& stop) { Work(stop); }) {}

BackgroundMirror::~BackgroundMirror() = default;

MirrorNews BackgroundMirror::News() const {
  const std::scoped_lock lock(mutex_);
  return news_;
}

void BackgroundMirror::Say(const MirrorNews& news) {
  {
    const std::scoped_lock lock(mutex_);
    news_ = news;
  }
  changed_.notify_all();
}

bool BackgroundMirror::Flush(std::chrono::milliseconds longest) {
  std::unique_lock lock(mutex_);
  const std::uint64_t mine = ++wanted_;
  changed_.notify_all();
  changed_.wait_for(lock, longest, [&] { return done_ >= mine; });
  return done_ >= mine && news_.complete;
}

void BackgroundMirror::Work(const std::stop_token& stop) {
  JournalMirror mirror;
  std::optional<Journal> journal;
  std::optional<ClubServer> server;
  std::int64_t seen = 0;  // the file's changes that the server has, if it `has_seen` any
  bool has_seen = false;
  std::chrono::milliseconds retry = options_.retry_least;
  MirrorNews news;
  const auto pause = [&](std::chrono::milliseconds time, bool until_wanted) {
    std::unique_lock lock(mutex_);
    const std::uint64_t before = wanted_;
    changed_.wait_for(lock, stop, time,
                      [&] { return until_wanted && wanted_ > done_ && wanted_ != before; });
  };
  const auto trouble = [&](const Error& error) {
    news.complete = false;
    news.trouble = error.message;
    Say(news);
    pause(retry, false);
    retry = std::min(retry * 2, options_.retry_most);
  };
  // One look at the file and one round. Throws what the libraries below throw.
  const auto look = [&] {
    std::uint64_t wanted = 0;
    {
      const std::scoped_lock lock(mutex_);
      wanted = wanted_;
    }
    if (!server) {
      Result<ClubServer> opened = ClubServer::Open(
          server_, {options_.quiet_ms, [&stop] { return stop.stop_requested(); }});
      news.connected = opened.ok();
      if (!opened.ok()) {
        trouble(opened.error());
        return;
      }
      server.emplace(std::move(opened).value());
      mirror.Forget();
      has_seen = false;
    }
    if (!journal) {
      JournalOptions read_only;
      read_only.read_only = true;
      Result<Journal> opened = Journal::Open(club_, read_only);
      if (!opened.ok() && opened.error().code == ErrorCode::kNotFound) {
        pause(options_.look_every, true);  // no game has been begun
        return;
      }
      if (!opened.ok()) {
        trouble(opened.error());
        return;
      }
      journal.emplace(std::move(opened).value());
      has_seen = false;
    }
    const Result<std::int64_t> changes = journal->Changes();
    bool more = false;
    if (!changes.ok() || !has_seen || *changes != seen) {
      const Result<MirrorRound> round = mirror.Round(*journal, *server);
      if (!round.ok()) {
        // The file may be a new one, and the server back in a moment.
        journal.reset();
        if (round.error().code != ErrorCode::kBadFormat) {
          server.reset();
          news.connected = false;
        }
        trouble(round.error());
        return;
      }
      retry = options_.retry_least;
      more = round->more;
      if (!more && changes.ok()) {
        seen = *changes;
        has_seen = true;
      }
      news.sent += round->sent;
      news.waiting = round->waiting;
      news.faults.clear();
      for (const auto& [uid, why] : mirror.Faults()) news.faults.push_back(why);
      news.complete = !more && news.faults.empty();
      news.trouble = news.faults.empty() ? std::string() : news.faults.front();
    }
    // A file that is just being made is read as a copy of that moment: it is opened again.
    const bool is_copy = journal->IsCopy();
    if (is_copy) {
      journal.reset();
      news.complete = false;
    }
    if (!more && !is_copy) {
      const std::scoped_lock lock(mutex_);
      done_ = wanted;
    }
    Say(news);
    if (!more) pause(options_.look_every, !is_copy);
  };
  while (!stop.stop_requested()) {
    try {
      look();
    } catch (const std::exception& e) {
      // The game goes on whatever happens here: out of memory, for example.
      server.reset();
      journal.reset();
      trouble({ErrorCode::kIo, e.what()});
    }
  }
}

std::string MirrorSentence(const MirrorNews& news) {
  if (news.complete) return {};
  const std::string rest =
      news.waiting > 0 ? fmt::format("{} record{} not there yet; ", news.waiting,
                                     news.waiting == 1 ? " is" : "s are")
                       : std::string("not everything is there yet; ");
  return "the club's server: " + rest +
         (news.trouble.empty() ? std::string("the next command with --club sends the rest")
                               : news.trouble);
}

}  // namespace fos
