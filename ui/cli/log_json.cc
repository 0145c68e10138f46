// SPDX-License-Identifier: MIT
#include "ui/cli/log_json.h"

#include <utility>

#include "engine/files/json.h"
#include "ui/session/club_file.h"

namespace fos {
namespace {

// The text itself where it is not JSON.
Json Parsed(const std::string& text) { return Json::parse_or(text, Json(text)); }

Json AsJson(const Cov2& c) { return {c.xx, c.xy, c.yy}; }

Json AsJson(const StandObservation& one) {
  return {{"id", one.stand.text},
          {"x", one.table_from_stand.origin.x},
          {"y", one.table_from_stand.origin.y},
          {"heading_rad", one.table_from_stand.heading_rad},
          {"footprint", {one.footprint.width_in, one.footprint.depth_in}},
          {"centre_cov", AsJson(one.centre_cov)},
          {"heading_sigma_rad", one.heading_sigma_rad}};
}

Json MeasuredAsJson(const ShotMeasured& m) {
  Json stands = Json::array();
  for (const StandObservation& one : m.stands) stands.push_back(AsJson(one));
  return {{"shot", m.shot.shot.number},
          {"point", {m.shot.point.x, m.shot.point.y}},
          {"point_cov", AsJson(m.shot.point_cov)},
          {"z", m.shot.height_in},
          {"doubt", m.doubt},
          {"stands", std::move(stands)}};
}

Json MeasuredAsJson(const StandsMeasured& m) {
  Json position = Json::array();
  for (const StandObservation& one : m.position) position.push_back(AsJson(one));
  Json moved = Json::array();
  for (const StandMoved& one : m.moved) {
    moved.push_back({{"from", AsJson(one.from)}, {"to", AsJson(one.to)}});
  }
  return {{"position", std::move(position)}, {"moved", std::move(moved)}};
}

}  // namespace

std::string JsonLines(const GameLog& log) {
  Json head = {{"type", "game"},
               {"uid", log.start.uid},
               {"name", log.start.name},
               {"ruleset", log.start.ruleset},
               {"day", DayOf(log.start.started_unix_s)},
               {"program", log.start.program},
               {"rules_hash", RulesHash(log.start.files)},
               {"sides", log.start.sides}};
  if (log.start.seed) head["seed"] = *log.start.seed;
  head["players"] = Json::array();
  for (const Seat& seat : log.start.seats) {
    head["players"].push_back(
        {{"side", log.start.sides.at(static_cast<std::size_t>(seat.side))}, {"name", seat.player}});
  }
  std::string out = head.dump() + '\n';
  for (const Record& record : log.records) {
    Json json = {{"type", RecordName(record.kind)}, {"record", record.number}};
    if (record.frame) json["frame"] = *record.frame;
    if (record.time_s) json["time"] = *record.time_s;
    const bool object = record.kind == RecordKind::kSeen || record.kind == RecordKind::kWord;
    if (!record.text.empty())
      json[object ? "event" : "text"] = object ? Parsed(record.text) : Json(record.text);
    if (!record.clauses.empty()) json["clauses"] = record.clauses;
    if (!record.told.empty()) json["told"] = record.told;
    if (!record.events.empty()) {
      json["events"] = Json::array();
      for (const std::string& event : record.events) json["events"].push_back(Parsed(event));
    }
    if (record.measured) json["measured"] = MeasuredAsJson(*record.measured);
    if (record.stands) json["looked_at"] = MeasuredAsJson(*record.stands);
    if (record.attachment) {
      json["shot"] = record.attachment->shot;
      json["role"] = record.attachment->role;
      json["name"] = record.attachment->name;
      json["sha256"] = record.attachment->hash;
    }
    json["chain"] = record.chain;
    out += json.dump() + '\n';
  }
  return out;
}

}  // namespace fos
