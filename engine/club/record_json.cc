// SPDX-License-Identifier: MIT
#include "engine/club/record_json.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/files/plain_text.h"
#include "engine/journal/sha256.h"

namespace fos {
namespace {

constexpr std::string_view kInHex = "\xEF\xBF\xBF";  // U+FFFF

bool ServerTakes(std::string_view text) {
  if (text.starts_with(kInHex)) return false;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = text[at] == '\0' ? 0 : Utf8SequenceAt(text, at);
    if (length == 0) return false;
    at += length;
  }
  return true;
}

std::vector<std::string> ToServerTexts(const std::vector<std::string>& texts) {
  std::vector<std::string> out;
  for (const std::string& text : texts) out.push_back(ToServerText(text));
  return out;
}

Json StandText(const StandObservation& one) {
  return Json::array({one.stand.text, one.unit, one.side, one.kind, one.table_from_stand.origin.x,
                      one.table_from_stand.origin.y, one.table_from_stand.heading_rad,
                      one.footprint.width_in, one.footprint.depth_in, one.ground_in,
                      one.centre_cov.xx, one.centre_cov.xy, one.centre_cov.yy,
                      one.heading_sigma_rad, one.visible, one.confidence});
}

StandObservation StandFromText(const Json& json) {
  const auto real = [&json](std::size_t at) { return json.at(at).get<double>(); };
  StandObservation one;
  one.stand = {json.at(std::size_t{0}).get<std::string>()};
  one.unit = json.at(1).get<std::string>();
  one.side = json.at(2).get<int>();
  one.kind = json.at(3).get<int>();
  one.table_from_stand = {{real(4), real(5)}, real(6)};
  one.footprint = {real(7), real(8)};
  one.ground_in = real(9);
  one.centre_cov = {real(10), real(11), real(12)};
  one.heading_sigma_rad = real(13);
  one.visible = real(14);
  one.confidence = real(15);
  return one;
}

}  // namespace

std::string MeasuredText(const ShotMeasured& m) {
  const ShotObservation& s = m.shot;
  Json stands = Json::array();
  for (const StandObservation& one : m.stands) stands.push_back(StandText(one));
  return Json::array({Json::array({s.shot.number, static_cast<int>(s.projectile), s.point.x,
                                   s.point.y, s.tail.x, s.tail.y, s.height_in, s.point_cov.xx,
                                   s.point_cov.xy, s.point_cov.yy, s.visible, s.at_rest.index,
                                   s.seen[0].index, s.seen[1].index, m.spec, m.doubt}),
                      std::move(stands)})
      .dump();
}

ShotMeasured ShotMeasuredFrom(const std::string& text) {
  const Json json = Json::parse(text);
  const Json& shot = json.at(std::size_t{0});
  const auto real = [&shot](std::size_t at) { return shot.at(at).get<double>(); };
  const auto frame = [&shot](std::size_t at) { return FrameId{shot.at(at).get<std::int64_t>()}; };
  ShotMeasured m;
  m.shot.shot = {shot.at(std::size_t{0}).get<int>()};
  m.shot.projectile = shot.at(1).get<int>() == 0 ? Projectile::kQtip : Projectile::kShell;
  m.shot.point = {real(2), real(3)};
  m.shot.tail = {real(4), real(5)};
  m.shot.height_in = real(6);
  m.shot.point_cov = {real(7), real(8), real(9)};
  m.shot.visible = real(10);
  m.shot.at_rest = frame(11);
  m.shot.seen = {frame(12), frame(13)};
  m.spec = shot.at(14).get<int>();
  m.doubt = real(15);
  for (const Json& one : json.at(1)) m.stands.push_back(StandFromText(one));
  return m;
}

std::string MeasuredText(const StandsMeasured& m) {
  Json position = Json::array();
  for (const StandObservation& one : m.position) position.push_back(StandText(one));
  Json moved = Json::array();
  for (const StandMoved& one : m.moved) {
    moved.push_back(Json::array({StandText(one.from), StandText(one.to)}));
  }
  return Json::array({std::move(position), std::move(moved)}).dump();
}

StandsMeasured StandsMeasuredFrom(const std::string& text) {
  const Json json = Json::parse(text);
  StandsMeasured m;
  for (const Json& one : json.at(std::size_t{0})) m.position.push_back(StandFromText(one));
  for (const Json& one : json.at(1)) {
    m.moved.push_back({StandFromText(one.at(std::size_t{0})), StandFromText(one.at(1))});
  }
  return m;
}

std::string ToServerText(const std::string& text) {
  if (ServerTakes(text)) return text;
  std::string out(kInHex);
  for (const char c : text) {
    out += fmt::format("{:02x}", static_cast<unsigned>(static_cast<unsigned char>(c)));
  }
  return out;
}

std::string FromServerText(const std::string& text) {
  if (!text.starts_with(kInHex)) return text;
  const auto digit = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
  std::string out;
  for (std::size_t at = kInHex.size(); at + 1 < text.size(); at += 2) {
    out += static_cast<char>(digit(text[at]) * 16 + digit(text[at + 1]));
  }
  return out;
}

Json RecordForServer(const Record& record) {
  Json out = {{"number", record.number},
              {"kind", RecordName(record.kind)},
              {"text", ToServerText(record.text)},
              {"clauses", ToServerText(fmt::format("{}", fmt::join(record.clauses, " ")))},
              {"unix_s", record.unix_s},
              {"chain", record.chain},
              {"events", ToServerTexts(record.events)},
              {"told", ToServerTexts(record.told)}};
  if (record.source_line) out["source_line"] = *record.source_line;
  if (record.frame) out["frame"] = *record.frame;
  if (record.time_s) out["time_s"] = *record.time_s;
  if (record.measured) out["measured"] = ToServerText(MeasuredText(*record.measured));
  if (record.stands) out["stands"] = ToServerText(MeasuredText(*record.stands));
  if (record.attachment) {
    out["shot"] = record.attachment->shot;
    out["role"] = ToServerText(record.attachment->role);
    out["file"] = ToServerText(record.attachment->name);
    out["blob"] = record.attachment->hash;
  }
  return out;
}

Json StartForServer(const GameStart& start) {
  Json files = Json::array();
  for (const GameFile& file : start.files) {
    files.push_back({{"role", ToServerText(file.role)},
                     {"name", ToServerText(file.name)},
                     {"blob", Sha256Hex(file.bytes)}});
  }
  Json seats = Json::array();
  for (const Seat& seat : start.seats) {
    seats.push_back({{"side", seat.side}, {"player", ToServerText(seat.player)}});
  }
  const std::string chain = ChainStart(start);
  Json out = {{"uid", start.uid},
              {"kind", GameKindName(start.kind)},
              {"name", ToServerText(start.name)},
              {"ruleset", ToServerText(start.ruleset)},
              {"started_unix_s", start.started_unix_s},
              {"program", ToServerText(start.program)},
              {"rules_hash", RulesHash(start.files)},
              {"form", start.form},
              {"chain", chain},
              {"start", HeadOf(start, 0, chain).start},
              {"sides", ToServerTexts(start.sides)},
              {"files", std::move(files)},
              {"seats", std::move(seats)}};
  if (start.seed) out["seed"] = std::to_string(*start.seed);
  return out;
}

}  // namespace fos
