// SPDX-License-Identifier: MIT
#include "engine/rules/closefire/event.h"

#include <algorithm>
#include <array>

#include "engine/files/json.h"

namespace fos::closefire {
namespace {

#define FOS_FIELD(name, record, member) record,
constexpr std::array<std::string_view, kFields> kUnitFields = {
    FOS_CLOSEFIRE_UNIT_FIELDS(FOS_FIELD)};
constexpr std::array<std::string_view, kLeaderFields> kLeaderNames = {
    FOS_CLOSEFIRE_LEADER_FIELDS(FOS_FIELD)};
#undef FOS_FIELD

Json ToJson(const BaseState& b) {
  return {b.x, b.y, b.facing, b.part, b.command ? 1 : 0, b.pike ? 1 : 0};
}
Json ToJson(const Shock& shock) {
  Json out = {Stored(shock.who), static_cast<int>(shock.blow), shock.x, shock.y};
  for (const BaseState& base : shock.stood) out.push_back(ToJson(base));
  return out;
}
Json ToJson(const Fascines& f) { return {f.side, f.over.value_or(-1), f.x0, f.y0, f.x1, f.y1}; }
Json ToJson(const Answer& answer) {
  return {{"dice", answer.dice}, {"choice", answer.choice}, {"generator", answer.generator}};
}
Json ToJson(const Ask& ask) {
  return {{"side", ask.side.value_or(-1)},
          {"dice", DiceName(ask.dice)},
          {"choices", ask.choices},
          {"sentence", ask.sentence},
          {"clause", ask.clause}};
}

template <typename T>
Json Listed(const std::vector<T>& values) {
  Json out = Json::array();
  for (const T& value : values) out.push_back(ToJson(value));
  return out;
}

}  // namespace

std::string_view FieldName(Of field) { return kUnitFields[static_cast<std::size_t>(field)]; }
std::string_view FieldName(By field) { return kLeaderNames[static_cast<std::size_t>(field)]; }

void ApplyTo(State& s, const Event& e) {
  const auto subject = static_cast<std::size_t>(e.subject);
  const auto value = static_cast<std::int32_t>(e.value);
  switch (e.what) {
    case What::kTold:
      return;
    case What::kUnit:
      s.units.at(subject).Put(static_cast<Of>(e.field), value);
      return;
    case What::kLeader:
      s.leaders.at(subject).Put(static_cast<By>(e.field), value);
      return;
    case What::kBases:
      s.units.at(subject).bases = e.bases;
      return;
    case What::kTurn:
      s.turn = value;
      return;
    case What::kPhase:
      s.phase = static_cast<Phase>(value);
      return;
    case What::kFirst:
      s.first = value;
      return;
    case What::kInitiative:
      s.initiative = value;
      return;
    case What::kToAct:
      s.to_act = value;
      return;
    case What::kGenerator:
      s.generator = static_cast<std::uint64_t>(e.value);
      return;
    case What::kEngage:
      s.engaged.push_back({e.subject, value});
      return;
    case What::kParted:
      std::erase_if(s.engaged, [&](const Engaged& pair) {
        return pair.a == e.subject || pair.b == e.subject;
      });
      return;
    case What::kShock:
      s.shocks.push_back(e.shock);
      return;
    case What::kShocksOver:
      s.shocks.clear();
      return;
    case What::kFelt:
      s.felt.push_back(e.shock);
      return;
    case What::kFeltOver:
      std::erase_if(s.felt, [&](const Shock& shock) { return Stored(shock.who) == e.subject; });
      return;
    case What::kFascines:
      s.fascines.push_back(e.fascines);
      return;
    case What::kBegins: {
      State start = s;
      start.waiting.reset();
      s.waiting = Waiting{e.text, {}, std::make_shared<const State>(std::move(start)), {}};
      return;
    }
    case What::kAnswered:
      FOS_CHECK(s.waiting.has_value());
      s.waiting->answers.push_back(e.answer);
      if (!e.answer.dice.empty()) s.generator = e.answer.generator;
      return;
    case What::kWaits:
      FOS_CHECK(s.waiting.has_value());
      s.waiting->ask = e.ask;
      s.waiting->told = static_cast<std::size_t>(e.value);
      return;
    case What::kEnds:
      s.waiting.reset();
      return;
  }
}

Event WaitingFor(Ask ask, std::size_t told) {
  Event out;
  out.what = What::kWaits;
  out.ask = std::move(ask);
  out.value = static_cast<std::int64_t>(told);
  return out;
}

Event Answered(Answer answer) {
  Event out;
  out.what = What::kAnswered;
  out.answer = std::move(answer);
  return out;
}

std::string EventToJson(const Event& e) {
  constexpr std::array<const char*, 20> kNames = {
      "told",       "unit",      "leader",    "bases",  "turn",     "phase", "first",
      "initiative", "to_act",    "generator", "engage", "parted",   "shock", "shocks_over",
      "felt",       "felt_over", "fascines",  "begins", "answered", "waits"};
  Json json = {
      {"event", e.what == What::kEnds ? "ends" : kNames[static_cast<std::size_t>(e.what)]}};
  const bool leader = e.what == What::kLeader;
  if (e.subject >= 0) json["subject"] = e.subject;
  if (e.field >= 0)
    json["field"] =
        leader ? FieldName(static_cast<By>(e.field)) : FieldName(static_cast<Of>(e.field));
  if (e.what != What::kTold && e.what != What::kBases) json["value"] = e.value;
  if (!e.clause.empty()) json["clause"] = e.clause;
  if (!e.text.empty()) json["text"] = e.text;
  if (e.what == What::kBases) json["bases"] = Listed(e.bases);
  if (e.what == What::kShock || e.what == What::kFelt) json["shock"] = ToJson(e.shock);
  if (e.what == What::kFascines) json["fascines"] = ToJson(e.fascines);
  if (e.what == What::kAnswered) json["answer"] = ToJson(e.answer);
  if (e.what == What::kWaits) json["ask"] = ToJson(e.ask);
  return json.dump();
}

std::string StateToJson(const State& s) {
  Json json = {{"turn", s.turn},     {"phase", PhaseName(s.phase)},
               {"first", s.first},   {"initiative", s.initiative},
               {"to_act", s.to_act}, {"generator", s.generator}};
  json["units"] = Json::array();
  for (std::size_t u = 0; u < s.units.size(); ++u) {
    Json unit = {{"id", s.setup->units[u].id}};
    for (int f = 0; f < kFields; ++f)
      if (const std::int32_t value = s.units[u][static_cast<Of>(f)]; value != 0)
        unit[std::string(FieldName(static_cast<Of>(f)))] = value;
    unit["bases"] = Listed(s.units[u].bases.List());
    json["units"].push_back(unit);
  }
  json["leaders"] = Json::array();
  for (std::size_t l = 0; l < s.leaders.size(); ++l) {
    Json leader = {{"id", s.setup->leaders[l].id}};
    for (int f = 0; f < kLeaderFields; ++f)
      if (const std::int32_t value = s.leaders[l][static_cast<By>(f)]; value != 0)
        leader[std::string(FieldName(static_cast<By>(f)))] = value;
    json["leaders"].push_back(leader);
  }
  json["engaged"] = Json::array();
  for (const Engaged& pair : s.engaged) json["engaged"].push_back({pair.a, pair.b});
  json["shocks"] = Listed(s.shocks);
  json["felt"] = Listed(s.felt);
  if (!s.fascines.empty()) json["fascines"] = Listed(s.fascines);
  if (s.waiting)
    json["waiting"] = {{"line", s.waiting->line},
                       {"answers", Listed(s.waiting->answers)},
                       {"ask", ToJson(s.waiting->ask)}};
  return json.dump();
}

}  // namespace fos::closefire
