// SPDX-License-Identifier: MIT
#include "ui/session/decision_record.h"

#include <algorithm>

#include <fmt/format.h>

#include "engine/files/json.h"

namespace fos {
namespace {

using What = PlayerDecision::What;

std::string TextAt(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

template <typename Integer>
Integer IntegerAt(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_number_integer() ? found->get<Integer>() : 0;
}

double NumberAt(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_number() ? found->get<double>() : 0;
}

std::vector<std::string> TextsAt(const Json& json, const char* key) {
  std::vector<std::string> out;
  const auto found = json.find(key);
  if (found == json.end() || !found->is_array()) return out;
  for (const Json& text : *found) {
    if (text.is_string()) out.push_back(text.get<std::string>());
  }
  return out;
}

Vec2 PointAt(const Json& json, const char* key) {
  const auto found = json.find(key);
  const bool point = found != json.end() && found->is_array() && found->size() == 2 &&
                     (*found)[0].is_number() && (*found)[1].is_number();
  return point ? Vec2{(*found)[0].get<double>(), (*found)[1].get<double>()} : Vec2{};
}

}  // namespace

const char* DecisionName(What what) {
  switch (what) {
    case What::kAccept:
      return "accept";
    case What::kDispute:
      return "dispute";
    case What::kSettle:
      return "settle";
    case What::kMove:
      return "move";
    case What::kOverrule:
      return "overrule";
    case What::kIdentify:
      return "identify";
    case What::kPoint:
      return "point";
    case What::kTakeBack:
      return "take_back";
    case What::kTable:
      return "table";
  }
  return "";
}

std::string InWords(const PlayerDecision& decision) {
  switch (decision.what) {
    case What::kAccept:
      return fmt::format("Shot {}: the players accept the verdict", decision.shot);
    case What::kDispute:
      return fmt::format("Shot {} is disputed: {}", decision.shot, decision.reason);
    case What::kSettle:
      return fmt::format("Shot {}: the players settle that {} is {}", decision.shot, decision.stand,
                         decision.call == Call::kHit ? "hit" : "not hit");
    case What::kMove:
      return fmt::format("Shot {}: the players give the place of its point", decision.shot);
    case What::kIdentify:
      return fmt::format("The players say which stands are which (doubt {})", decision.doubt);
    case What::kPoint:
      return fmt::format("Shot {}: the players say that it fell", decision.shot);
    case What::kTakeBack:
      return fmt::format("Shot {}: the players take back their last word", decision.shot);
    case What::kTable:
      return decision.changed ? "The players say that the table is right as it stands: shots are "
                                "called from here on"
                              : "The players take back that the table is right: no shot is called";
    case What::kOverrule:
      break;
  }
  return fmt::format("The players allow move {}", decision.move);
}

std::string DecisionLine(const DecisionRecord& record) {
  const PlayerDecision& decision = record.decision;
  Json json = {{"type", "players"}, {"frame", record.frame}, {"time", record.time_s}};
  switch (decision.what) {
    case What::kOverrule:
      json["move"] = decision.move;
      break;
    case What::kIdentify:
      json["doubt"] = decision.doubt;
      break;
    case What::kTable:
      break;
    default:
      json["shot"] = decision.shot;
      break;
  }
  json["say"] = DecisionName(decision.what);
  const auto add_fallen = [&] {
    json["casualties"] = record.casualties.value_or(std::vector<std::string>());
    if (record.choice) json["choice"] = true;
  };
  switch (decision.what) {
    case What::kAccept:
      break;
    case What::kDispute:
      json["reason"] = decision.reason;
      break;
    case What::kSettle:
      json["stand"] = decision.stand;
      json["call"] = CallName(decision.call);
      if (!record.text.empty()) json["text"] = record.text;
      if (record.casualties) add_fallen();
      break;
    case What::kTakeBack:
      json["text"] = record.text;
      break;
    case What::kPoint:
      json["projectile"] = decision.projectile;
      if (decision.object > 0) json["object"] = decision.object;
      json["point"] = {decision.point.x, decision.point.y};
      json["text"] = record.text;
      add_fallen();
      break;
    case What::kMove:
      json["point"] = {decision.point.x, decision.point.y};
      json["moved"] = record.moved_in;
      json["text"] = record.text;
      add_fallen();
      break;
    case What::kOverrule:
      json["reason"] = decision.reason;
      json["stands"] = record.stands;
      json["clause"] = record.clause;
      json["text"] = record.text;
      break;
    case What::kIdentify:
    case What::kTable:
      json["changed"] = decision.changed;
      json["text"] = record.text;
      break;
  }
  return json.dump();
}

std::optional<DecisionRecord> ParseDecisionLine(const std::string& line) try {
  const Json json = Json::parse_or(line, Json());
  if (!json.is_object()) return std::nullopt;
  const auto known = {What::kAccept,   What::kDispute,  What::kSettle, What::kMove,
                      What::kOverrule, What::kIdentify, What::kPoint,  What::kTakeBack,
                      What::kTable};
  const std::string say = TextAt(json, "say");
  const auto what =
      std::find_if(known.begin(), known.end(), [&](What one) { return say == DecisionName(one); });
  if (what == known.end()) return std::nullopt;
  DecisionRecord out;
  out.frame = IntegerAt<std::int64_t>(json, "frame");
  out.time_s = NumberAt(json, "time");
  out.decision.what = *what;
  out.decision.shot = IntegerAt<int>(json, "shot");
  out.decision.move = IntegerAt<int>(json, "move");
  out.decision.doubt = IntegerAt<int>(json, "doubt");
  out.decision.changed = json.contains("changed") && json.at("changed") == Json(true);
  out.decision.stand = TextAt(json, "stand");
  out.decision.call = TextAt(json, "call") == "hit" ? Call::kHit : Call::kMiss;
  out.decision.reason = TextAt(json, "reason");
  out.decision.point = PointAt(json, "point");
  out.decision.object = IntegerAt<int>(json, "object");
  out.decision.projectile = TextAt(json, "projectile");
  out.text = TextAt(json, "text");
  out.stands = TextsAt(json, "stands");
  out.clause = TextAt(json, "clause");
  out.moved_in = NumberAt(json, "moved");
  if (json.contains("casualties")) out.casualties = TextsAt(json, "casualties");
  out.choice = json.contains("choice") && json.at("choice") == Json(true);
  return out;
} catch (const JsonError&) {  // a number too large for its type
  return std::nullopt;
}

}  // namespace fos
