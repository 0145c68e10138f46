// SPDX-License-Identifier: MIT
#include "engine/journal/record.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "engine/journal/sha256.h"

namespace fos {
namespace {

constexpr std::array<std::string_view, 10> kNames = {"line",    "refused", "undo",   "corrected",
                                                     "seen",    "word",    "remark", "attached",
                                                     "resumed", "ended"};

// The shortest text that reads back as the same number on every machine.
void Add(Sha256& sum, double value) { sum.AddText(fmt::format("{}", value == 0 ? 0.0 : value)); }
void Add(Sha256& sum, std::int64_t value) { sum.AddText(std::to_string(value)); }
void Add(Sha256& sum, int value) { Add(sum, static_cast<std::int64_t>(value)); }
void Add(Sha256& sum, Vec2 p) {
  Add(sum, p.x);
  Add(sum, p.y);
}
void Add(Sha256& sum, const Cov2& cov) {
  Add(sum, cov.xx);
  Add(sum, cov.xy);
  Add(sum, cov.yy);
}
void Add(Sha256& sum, const StandObservation& stand) {
  sum.AddText(stand.stand.text).AddText(stand.unit);
  Add(sum, stand.side);
  Add(sum, stand.kind);
  Add(sum, stand.table_from_stand.origin);
  Add(sum, stand.table_from_stand.heading_rad);
  Add(sum, stand.footprint.width_in);
  Add(sum, stand.footprint.depth_in);
  Add(sum, stand.ground_in);
  Add(sum, stand.centre_cov);
  Add(sum, stand.heading_sigma_rad);
  Add(sum, stand.visible);
  Add(sum, stand.confidence);
}
void Add(Sha256& sum, const ShotMeasured& m) {
  const ShotObservation& shot = m.shot;
  Add(sum, shot.shot.number);
  Add(sum, static_cast<int>(shot.projectile));
  Add(sum, shot.point);
  Add(sum, shot.tail);
  Add(sum, shot.height_in);
  Add(sum, shot.point_cov);
  Add(sum, shot.visible);
  Add(sum, shot.at_rest.index);
  for (const FrameId frame : shot.seen) Add(sum, frame.index);
  Add(sum, m.spec);
  Add(sum, m.doubt);
  Add(sum, static_cast<std::int64_t>(m.stands.size()));
  for (const StandObservation& stand : m.stands) Add(sum, stand);
}
void Add(Sha256& sum, const StandsMeasured& m) {
  Add(sum, static_cast<std::int64_t>(m.position.size()));
  for (const StandObservation& stand : m.position) Add(sum, stand);
  for (const StandMoved& one : m.moved) {
    Add(sum, one.from);
    Add(sum, one.to);
  }
}

}  // namespace

std::string_view RecordName(RecordKind kind) { return kNames[static_cast<std::size_t>(kind)]; }

std::optional<RecordKind> RecordKindFrom(std::string_view name) {
  const auto found = std::find(kNames.begin(), kNames.end(), name);
  if (found == kNames.end()) return std::nullopt;
  return static_cast<RecordKind>(found - kNames.begin());
}

std::string_view GameKindName(GameStart::Kind kind) {
  return kind == GameStart::Kind::kPlayed ? "played" : "watched";
}
GameStart::Kind GameKindFrom(std::string_view name) {
  return name == "watched" ? GameStart::Kind::kWatched : GameStart::Kind::kPlayed;
}

std::string RulesHash(const std::vector<GameFile>& files) {
  Sha256 sum;
  for (const GameFile& file : files) {
    if (file.role == "rules") sum.AddText(file.name).AddText(file.bytes);
  }
  return sum.Hex();
}

const GameFile* GameLog::FileOf(std::string_view role) const {
  const auto found = std::find_if(start.files.begin(), start.files.end(),
                                  [&](const GameFile& file) { return file.role == role; });
  return found == start.files.end() ? nullptr : &*found;
}

bool GameLog::Ended() const {
  return std::any_of(records.begin(), records.end(),
                     [](const Record& one) { return one.kind == RecordKind::kEnded; });
}

std::string ChainStart(const GameStart& start) {
  Sha256 sum;
  const bool all = start.form >= 2;
  sum.AddText(all ? "fall of shot game 2" : "fall of shot game 1")
      .AddText(start.uid)
      .AddText(start.name)
      .AddText(start.ruleset);
  Add(sum, static_cast<int>(start.kind));
  sum.AddText(start.seed ? std::to_string(*start.seed) : "").AddText(start.program);
  for (const GameFile& file : start.files) {
    sum.AddText(file.role).AddText(file.name).AddText(Sha256Hex(file.bytes));
  }
  for (const std::string& side : start.sides) sum.AddText(side);
  if (all) {
    Add(sum, start.started_unix_s);
    // In the order they are read back.
    std::vector<std::pair<int, std::string>> seats;
    for (const Seat& seat : start.seats) seats.emplace_back(seat.side, seat.player);
    std::sort(seats.begin(), seats.end());
    seats.erase(std::unique(seats.begin(), seats.end()), seats.end());
    for (const auto& [side, player] : seats) {
      Add(sum, side);
      sum.AddText(player);
    }
  }
  return sum.Hex();
}

std::string ChainAfter(const std::string& before, const Record& record, int form) {
  Sha256 sum;
  sum.AddText(before).AddText(RecordName(record.kind)).AddText(record.text);
  for (const auto* texts : {&record.events, &record.told, &record.clauses}) {
    Add(sum, static_cast<std::int64_t>(texts->size()));
    for (const std::string& text : *texts) sum.AddText(text);
  }
  sum.AddText(record.source_line ? std::to_string(*record.source_line) : "");
  sum.AddText(record.frame ? std::to_string(*record.frame) : "");
  if (record.time_s) Add(sum, *record.time_s);
  if (record.measured) Add(sum, *record.measured);
  if (record.stands) Add(sum, *record.stands);
  if (record.attachment) {
    const Attachment& a = *record.attachment;
    Add(sum, a.shot);
    sum.AddText(a.role).AddText(a.name).AddText(a.hash);
  }
  if (form >= 2) Add(sum, record.unix_s);
  return sum.Hex();
}

GameHead HeadOf(const GameStart& start, std::int64_t records, const std::string& chain) {
  GameStart whole = start;
  whole.form = kChainForm;
  return {start.uid, records, chain, ChainStart(whole)};
}

std::string HeadText(const GameHead& head) {
  return fmt::format("fall of shot head 1\n{}\n{}\n{}\n{}\n", head.uid, head.records, head.chain,
                     head.start);
}

}  // namespace fos
