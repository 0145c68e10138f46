// SPDX-License-Identifier: MIT
#include "engine/files/event_log.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/files/json.h"
#include "engine/files/json_fault.h"
#include "engine/files/whole_file.h"
#include "engine/table/sentence.h"

namespace fos {
namespace {

// Digits kept: a ten-thousandth of an inch lies a hundred times below what any camera resolves.
// Lens and pose keep what makes a pixel's thousandth.
constexpr int kInchDigits = 4;
constexpr int kLensDigits = 9;

double Rounded(double value, int digits) {
  const double scale = std::pow(10.0, digits);
  const double rounded = std::round(value * scale) / scale;
  return rounded == 0 ? 0 : rounded;  // no "-0.0" for people to wonder at
}

double In(double inches) { return Rounded(inches, kInchDigits); }

double Bearing(double degrees) {
  const double rounded = Rounded(degrees, 3);
  return rounded >= 360 ? 0 : rounded;  // [0, 360) also after rounding
}

Json Pair(Vec2 p) { return Json::array({In(p.x), In(p.y)}); }

template <std::size_t N>
Json Numbers(const std::array<double, N>& values) {
  Json out = Json::array();
  for (const double value : values) out.push_back(Rounded(value, kLensDigits));
  return out;
}

void Write(const CalibrationEvent& e, Json& out) {
  out["image_size"] = {e.width_px, e.height_px};
  out["camera_matrix"] = Numbers(e.camera_matrix);
  out["distortion"] = Numbers(e.distortion);
  out["rvec"] = Numbers(e.rvec);
  out["tvec"] = Numbers(e.tvec);
  out["lens_rms_px"] = Rounded(e.lens_rms_px, 4);
  out["table_rms_in"] = Rounded(e.table_rms_in, 5);
  out["method"] = e.method;
  if (!e.trust.empty()) out["trust"] = e.trust;
  if (!e.reason.empty()) out["reason"] = e.reason;
}

void Write(const StandsEvent& e, Json& out) {
  Json& list = out["stands"] = Json::array();
  for (const StandRecord& stand : e.stands) {
    Json polygon = Json::array();
    for (const Vec2 corner : stand.polygon) polygon.push_back(Pair(corner));
    Json one = {{"id", stand.id},
                {"unit", stand.unit},
                {"side", stand.side},
                {"kind", stand.kind},
                {"square", stand.square},
                {"x", In(stand.centre.x)},
                {"y", In(stand.centre.y)},
                {"bearing", Bearing(stand.bearing_deg)},
                {"polygon", polygon},
                {"sigma", In(stand.sigma_in)},
                {"visible", Rounded(stand.visible, 3)}};
    if (stand.confidence) one["confidence"] = Rounded(*stand.confidence, 4);
    list.push_back(std::move(one));
  }
  if (!e.placement.empty()) out["placement"] = e.placement;
}

void Write(const SetupEvent& e, Json& out) {
  out["fits"] = e.fits;
  if (e.accepted) out["accepted"] = *e.accepted;
  Json& missing = out["missing"] = Json::array();
  for (const SetupEvent::Unit& unit : e.missing) {
    missing.push_back({{"unit", unit.unit},
                       {"square", unit.square},
                       {"stands", unit.stands},
                       {"seen", unit.seen}});
  }
  out["strangers"] = e.strangers;
  out["evidence"] = e.evidence;
  out["text"] = e.text;
}

void Write(const ViewEvent& e, Json& out) {
  out["state"] = e.obstructed ? "obstructed" : "clear";
  if (!e.reason.empty()) out["reason"] = e.reason;
}

void Write(const CameraMovedEvent& e, Json& out) { out["shift_px"] = Rounded(e.shift_px, 2); }

void Write(const ObjectEvent& e, Json& out) {
  out["object"] = e.object;
  out["state"] = e.gone ? "gone" : "new";
  out["square"] = e.square;
  Json outline = Json::array();
  for (const Vec2 p : e.outline) outline.push_back(Pair(p));
  out["outline"] = outline;
  out["at_rest_frame"] = e.at_rest_frame;
}

void Write(const ShotEvent& e, Json& out) {
  out["shot"] = e.shot;
  out["projectile"] = e.projectile;
  out["point"] = Pair(e.point);
  out["z"] = In(e.z_in);
  out["sigma"] = In(e.sigma_in);
  out["square"] = e.square;
  out["at_rest_frame"] = e.at_rest_frame;
  out["visible"] = Rounded(e.visible, 3);
  out["evidence"] = e.evidence;
  if (!e.kept.empty()) out["kept"] = e.kept;
}

void Write(const AskEvent& e, Json& out) {
  out["shot"] = e.shot;
  out["projectile"] = e.projectile;
  out["near"] = Pair(e.near);
  out["square"] = e.square;
  out["kept"] = e.kept;
  out["text"] = e.text;
}

void Write(const VerdictEvent& e, Json& out) {
  out["shot"] = e.shot;
  Json& list = out["stands"] = Json::array();
  for (const VerdictStand& stand : e.stands) {
    list.push_back({{"id", stand.id},
                    {"side", stand.side},
                    {"kind", stand.kind},
                    {"rule", stand.touch ? "touch" : "circle"},
                    {"distance", In(stand.distance_in)},
                    {"sigma", In(stand.sigma_in)},
                    {"p_hit", Rounded(stand.p_hit, 4)},
                    {"call", CallName(stand.call)}});
  }
  out["casualties"] = e.casualties;
  out["choice"] = e.choice;
  out["terrain"] = {{"square", e.ground.square},
                    {"lies_on", e.ground.lies_on},
                    {"protected", e.ground.is_protected},
                    {"water", e.ground.water},
                    {"burning_test", e.ground.burning_tests}};
  if (e.ruling) {
    const RulingRecord& r = *e.ruling;
    out["ruling"] = {
        {"no_effect", r.no_effect},     {"equipment", r.equipment}, {"crew", r.crew},
        {"eligible", r.eligible},       {"barred", r.barred},       {"doubtful", r.doubtful},
        {"fire_square", r.fire_square}, {"clauses", r.clauses}};
  }
  if (!e.trust.empty()) out["trust"] = e.trust;
  out["text"] = e.text;
}

void Write(const StandChangeEvent& e, Json& out) {
  out["id"] = e.id;
  const auto place = [&out](const char* key, const std::optional<PlaceRecord>& at) {
    if (!at) return;
    out[key] = {{"square", at->square},
                {"x", In(at->centre.x)},
                {"y", In(at->centre.y)},
                {"bearing", Bearing(at->bearing_deg)}};
  };
  place("from", e.from);
  place("to", e.to);
  if (!e.remark.empty()) out["remark"] = e.remark;
  if (!e.refused_by.empty()) out["refused_by"] = e.refused_by;
}

void Write(const MoveOverruledEvent& e, Json& out) {
  out["move"] = e.move;
  out["stands"] = e.stands;
  out["from"] = e.from;
  out["to"] = e.to;
  out["clause"] = e.clause;
  out["text"] = e.text;
}

void Write(const IdentityDoubtedEvent& e, Json& out) {
  out["doubt"] = e.doubt;
  Json& stands = out["stands"] = Json::array();
  for (const auto& stand : e.stands) stands.push_back({{"id", stand.id}, {"may_be", stand.may_be}});
  out["text"] = e.text;
}

void Write(const IdentitySettledEvent& e, Json& out) {
  out["doubt"] = e.doubt;
  out["changed"] = e.changed;
  out["text"] = e.text;
  if (e.withdrawn) out["withdrawn"] = true;
}

void Write(const DiceEvent& e, Json& out) {
  const auto rounded = [](const std::vector<double>& chances) {
    Json list = Json::array();
    for (const double p : chances) list.push_back(Rounded(p, 4));
    return list;
  };
  if (!e.taken) out["values"] = e.values;
  Json& centres = out["centres"] = Json::array();
  for (const Vec2 centre : e.centres) centres.push_back(Pair(centre));
  if (!e.faces.empty()) out["faces"] = e.faces;
  if (!e.chances.empty()) out["chances"] = rounded(e.chances);
  if (!e.evidence.empty()) out["evidence"] = e.evidence;
  if (e.asked.empty()) return;
  Json& asked = out["asked"] = Json::array();
  for (const DiceEvent::Asked& one : e.asked) {
    Json entry;
    entry["centre"] = Pair(one.centre);
    entry["cocked"] = one.cocked;
    entry["values"] = one.values;
    entry["chances"] = rounded(one.chances);
    if (one.faces != DiceEvent::kUsualFaces) entry["faces"] = one.faces;
    asked.push_back(entry);
  }
}

void Write(const EndEvent& e, Json& out) {
  out["frames"] = e.frames;
  out["seconds_of_work"] = Rounded(e.seconds_of_work, 3);
  Json& stages = out["stage_ms"] = Json::object();
  for (const auto& [name, time] : e.stage_ms) {
    stages[name] = {{"median", Rounded(time.median_ms, 3)}, {"p99", Rounded(time.p99_ms, 3)}};
  }
  if (!e.cut_off.empty()) out["cut_off"] = e.cut_off;
}

const char* TypeName(const EventBody& body) {
  static constexpr const char* kChanges[] = {"stand_moved", "stand_removed", "stand_added"};
  static constexpr const char* kNames[] = {"calibration",
                                           "stands",
                                           "view",
                                           "camera_moved",
                                           "shot",
                                           "verdict",
                                           "",
                                           "dice",
                                           "end",
                                           "ask",
                                           "move_overruled",
                                           "identity_doubted",
                                           "identity_settled",
                                           "object",
                                           "setup"};
  static_assert(std::size(kNames) == std::variant_size_v<EventBody>);
  if (const auto* dice = std::get_if<DiceEvent>(&body); dice != nullptr && dice->taken)
    return "dice_taken";
  if (const auto* change = std::get_if<StandChangeEvent>(&body)) {
    return kChanges[static_cast<std::size_t>(change->what)];
  }
  return kNames[body.index()];
}

// The path of the first number that JSON cannot hold; empty when all is well.
std::string NotFinite(const Json& json, const std::string& path) {
  if (json.is_number_float() && !std::isfinite(json.get<double>())) return path;
  if (!json.is_array() && !json.is_object()) return {};
  for (const auto& [key, value] : json.items()) {
    std::string found = NotFinite(value, path.empty() ? key : path + "." + key);
    if (!found.empty()) return found;
  }
  return {};
}

Vec2 ToVec2(const Json& in) { return {in.at(0).get<double>(), in.at(1).get<double>()}; }

void Read(const Json& in, CalibrationEvent& e) {
  e.width_px = in.at("image_size").at(0).get<int>();
  e.height_px = in.at("image_size").at(1).get<int>();
  e.camera_matrix = in.at("camera_matrix").get<std::array<double, 9>>();
  e.distortion = in.at("distortion").get<std::array<double, 5>>();
  e.rvec = in.at("rvec").get<std::array<double, 3>>();
  e.tvec = in.at("tvec").get<std::array<double, 3>>();
  e.lens_rms_px = in.value("lens_rms_px", 0.0);
  e.table_rms_in = in.value("table_rms_in", 0.0);
  e.method = in.at("method").get<std::string>();
  e.trust = in.value("trust", "");
  e.reason = in.value("reason", "");
}

void Read(const Json& in, StandsEvent& e) {
  for (const Json& one : in.at("stands")) {
    StandRecord stand;
    stand.id = one.at("id").get<std::string>();
    stand.unit = one.value("unit", "");
    stand.side = one.at("side").get<std::string>();
    stand.kind = one.at("kind").get<std::string>();
    stand.square = one.value("square", "");
    stand.centre = {one.at("x").get<double>(), one.at("y").get<double>()};
    stand.bearing_deg = one.at("bearing").get<double>();
    for (std::size_t i = 0; i < 4; ++i) stand.polygon[i] = ToVec2(one.at("polygon").at(i));
    stand.sigma_in = one.at("sigma").get<double>();
    stand.visible = one.value("visible", 1.0);
    if (one.contains("confidence")) stand.confidence = one.at("confidence").get<double>();
    e.stands.push_back(std::move(stand));
  }
  e.placement = in.value("placement", std::vector<std::string>());
}

void Read(const Json& in, SetupEvent& e) {
  e.fits = in.at("fits").get<bool>();
  if (in.contains("accepted")) e.accepted = in.at("accepted").get<bool>();
  for (const Json& one : in.at("missing")) {
    e.missing.push_back({one.at("unit").get<std::string>(), one.value("square", ""),
                         one.at("stands").get<int>(), one.at("seen").get<int>()});
  }
  e.strangers = in.value("strangers", std::vector<std::string>{});
  e.evidence = in.value("evidence", "");
  e.text = in.value("text", "");
}

void Read(const Json& in, ViewEvent& e) {
  const auto state = in.at("state").get<std::string>();
  if (state != "clear" && state != "obstructed") {
    throw std::runtime_error("state is neither clear nor obstructed");
  }
  e.obstructed = state == "obstructed";
  e.reason = in.value("reason", std::string());
}

void Read(const Json& in, CameraMovedEvent& e) { e.shift_px = in.at("shift_px").get<double>(); }

void Read(const Json& in, ObjectEvent& e) {
  e.object = in.at("object").get<int>();
  const auto state = in.at("state").get<std::string>();
  if (state != "new" && state != "gone") throw std::runtime_error("state is neither new nor gone");
  e.gone = state == "gone";
  e.square = in.value("square", "");
  for (const Json& corner : in.at("outline")) e.outline.push_back(ToVec2(corner));
  e.at_rest_frame = in.at("at_rest_frame").get<std::int64_t>();
}

void Read(const Json& in, ShotEvent& e) {
  e.shot = in.at("shot").get<int>();
  e.projectile = in.at("projectile").get<std::string>();
  e.point = ToVec2(in.at("point"));
  e.z_in = in.value("z", 0.0);
  e.sigma_in = in.at("sigma").get<double>();
  e.square = in.value("square", "");
  e.at_rest_frame = in.at("at_rest_frame").get<std::int64_t>();
  e.visible = in.value("visible", 1.0);
  e.evidence = in.value("evidence", "");
  e.kept = in.value("kept", "");
}

void Read(const Json& in, AskEvent& e) {
  e.shot = in.at("shot").get<int>();
  e.projectile = in.at("projectile").get<std::string>();
  e.near = ToVec2(in.at("near"));
  e.square = in.value("square", "");
  e.kept = in.value("kept", "");
  e.text = in.value("text", "");
}

Call ToCall(const std::string& name) {
  for (const Call call : {Call::kHit, Call::kMiss, Call::kTooClose}) {
    if (name == CallName(call)) return call;
  }
  throw std::runtime_error("call is none of hit, miss, too_close");
}

void Read(const Json& in, VerdictEvent& e) {
  e.shot = in.at("shot").get<int>();
  for (const Json& one : in.at("stands")) {
    VerdictStand stand;
    stand.id = one.at("id").get<std::string>();
    stand.side = one.value("side", "");
    stand.kind = one.value("kind", "");
    stand.touch = one.value("rule", "circle") == std::string("touch");
    stand.distance_in = one.at("distance").get<double>();
    stand.sigma_in = one.at("sigma").get<double>();
    stand.p_hit = one.at("p_hit").get<double>();
    stand.call = ToCall(one.at("call").get<std::string>());
    e.stands.push_back(std::move(stand));
  }
  e.casualties = in.value("casualties", std::vector<std::string>{});
  e.choice = in.value("choice", false);
  e.trust = in.value("trust", "");
  if (const auto terrain = in.find("terrain"); terrain != in.end() && terrain->is_object()) {
    e.ground.square = terrain->value("square", "");
    e.ground.lies_on = terrain->value("lies_on", std::vector<std::string>{});
    e.ground.is_protected = terrain->value("protected", false);
    e.ground.water = terrain->value("water", false);
    e.ground.burning_tests = terrain->value("burning_test", std::vector<std::string>{});
  }
  if (const auto ruling = in.find("ruling"); ruling != in.end() && ruling->is_object()) {
    using Ids = std::vector<std::string>;
    e.ruling = RulingRecord{ruling->value("no_effect", false), ruling->value("equipment", Ids{}),
                            ruling->value("crew", Ids{}),      ruling->value("eligible", Ids{}),
                            ruling->value("barred", Ids{}),    ruling->value("doubtful", Ids{}),
                            ruling->value("fire_square", ""),  ruling->value("clauses", Ids{})};
  }
  e.text = in.value("text", "");
}

void Read(const Json& in, StandChangeEvent& e) {
  e.id = in.at("id").get<std::string>();
  const auto place = [&in](const char* key) -> std::optional<PlaceRecord> {
    const auto at = in.find(key);
    if (at == in.end() || at->is_null()) return std::nullopt;
    return PlaceRecord{at->value("square", ""),
                       {at->at("x").get<double>(), at->at("y").get<double>()},
                       at->at("bearing").get<double>()};
  };
  e.from = place("from");
  e.to = place("to");
  e.remark = in.value("remark", "");
  e.refused_by = in.value("refused_by", "");
}

void Read(const Json& in, MoveOverruledEvent& e) {
  e.move = in.at("move").get<int>();
  e.stands = in.at("stands").get<std::vector<std::string>>();
  e.from = in.value("from", "");
  e.to = in.value("to", "");
  e.clause = in.at("clause").get<std::string>();
  e.text = in.value("text", "");
}

void Read(const Json& in, IdentityDoubtedEvent& e) {
  e.doubt = in.at("doubt").get<int>();
  for (const Json& stand : in.at("stands")) {
    e.stands.push_back({stand.at("id").get<std::string>(), stand.at("may_be").get<std::string>()});
  }
  e.text = in.value("text", "");
}

void Read(const Json& in, IdentitySettledEvent& e) {
  e.doubt = in.at("doubt").get<int>();
  e.changed = in.at("changed").get<bool>();
  e.text = in.value("text", "");
  e.withdrawn = in.value("withdrawn", false);
}

void CheckValue(int value, int faces) {
  if (value < 1 || value > faces)
    throw std::runtime_error(fmt::format("a die with {} faces shows {}", faces, value));
}

// Of the dice in a log that does not say how many faces they have: six, or twelve where one shows
// more. Empty where all have six.
std::vector<int> FacesFor(const std::vector<int>& values) {
  constexpr int kMore = 12;
  std::vector<int> out;
  for (const int value : values)
    out.push_back(value > DiceEvent::kUsualFaces ? kMore : DiceEvent::kUsualFaces);
  if (std::find(out.begin(), out.end(), kMore) == out.end()) out.clear();
  return out;
}

// Each die's numbers are there once, and it has a face for its value.
void CheckDice(const DiceEvent& e) {
  const auto one_each = [&](std::size_t listed) {
    return listed == 0 || listed == e.values.size();
  };
  if (!one_each(e.faces.size())) throw std::runtime_error("faces are not one for each value");
  if (!one_each(e.chances.size())) throw std::runtime_error("chances are not one for each value");
  for (std::size_t i = 0; i < e.values.size(); ++i) CheckValue(e.values[i], e.FacesOf(i));
  for (const DiceEvent::Asked& one : e.asked) {
    if (one.chances.size() != one.values.size())
      throw std::runtime_error("chances are not one for each value");
    for (const int value : one.values) CheckValue(value, one.faces);
  }
}

void Read(const Json& in, DiceEvent& e) {
  if (!e.taken) e.values = in.at("values").get<std::vector<int>>();
  for (const Json& centre : in.at("centres")) e.centres.push_back(ToVec2(centre));
  e.faces = in.contains("faces") ? in.at("faces").get<std::vector<int>>() : FacesFor(e.values);
  e.chances = in.value("chances", std::vector<double>());
  e.evidence = in.value("evidence", "");
  if (const auto asked = in.find("asked"); asked != in.end()) {
    for (const Json& one : *asked) {
      e.asked.push_back({ToVec2(one.at("centre")), one.at("cocked").get<bool>(),
                         one.at("values").get<std::vector<int>>(),
                         one.at("chances").get<std::vector<double>>(),
                         one.value("faces", DiceEvent::kUsualFaces)});
    }
  }
  CheckDice(e);
}

void Read(const Json& in, EndEvent& e) {
  e.frames = in.at("frames").get<std::int64_t>();
  e.seconds_of_work = in.value("seconds_of_work", 0.0);
  if (const auto stages = in.find("stage_ms"); stages != in.end()) {
    for (const auto& [name, time] : stages->items()) {
      e.stage_ms[name] = {time.at("median").get<double>(), time.at("p99").get<double>()};
    }
  }
  e.cut_off = in.value("cut_off", std::string());
}

template <typename Event>
EventBody ReadAs(const Json& in, Event event = {}) {
  Read(in, event);
  return event;
}

StandChangeEvent Change(StandChangeEvent::What what) {
  StandChangeEvent event;
  event.what = what;
  return event;
}

std::optional<EventBody> ReadBody(const std::string& type, const Json& in) {
  using What = StandChangeEvent::What;
  if (type == "calibration") return ReadAs<CalibrationEvent>(in);
  if (type == "stands") return ReadAs<StandsEvent>(in);
  if (type == "setup") return ReadAs<SetupEvent>(in);
  if (type == "view") return ReadAs<ViewEvent>(in);
  if (type == "camera_moved") return ReadAs<CameraMovedEvent>(in);
  if (type == "object") return ReadAs<ObjectEvent>(in);
  if (type == "shot") return ReadAs<ShotEvent>(in);
  if (type == "ask") return ReadAs<AskEvent>(in);
  if (type == "verdict") return ReadAs<VerdictEvent>(in);
  if (type == "stand_moved") return ReadAs(in, Change(What::kMoved));
  if (type == "stand_removed") return ReadAs(in, Change(What::kRemoved));
  if (type == "stand_added") return ReadAs(in, Change(What::kAdded));
  if (type == "move_overruled") return ReadAs<MoveOverruledEvent>(in);
  if (type == "identity_doubted") return ReadAs<IdentityDoubtedEvent>(in);
  if (type == "identity_settled") return ReadAs<IdentitySettledEvent>(in);
  if (type == "dice") return ReadAs<DiceEvent>(in);
  if (type == "dice_taken") {
    DiceEvent taken;
    taken.taken = true;
    return ReadAs(in, std::move(taken));
  }
  if (type == "end") return ReadAs<EndEvent>(in);
  return std::nullopt;
}

// "die" for one with six faces, else "D12".
std::string DieName(int faces) {
  return faces == DiceEvent::kUsualFaces ? "die" : fmt::format("D{}", faces);
}

// "a die shows 4", "dice show 4 6", "D12 show 11 2".
std::string ReadInWords(int faces, const std::vector<int>& values) {
  const std::string name = DieName(faces);
  const std::string who = values.size() == 1 ? fmt::format("a {} shows", name)
                          : name == "die"    ? "dice show"
                                             : name + " show";
  return fmt::format("{} {}", who, fmt::join(values, " "));
}

std::string AskedInWords(const DiceEvent::Asked& one) {
  const std::string name = DieName(one.faces);
  if (one.cocked) return fmt::format("a {} is cocked: throw it again", name);
  std::string out = fmt::format("a {} cannot be read surely: it may show", name);
  for (std::size_t i = 0; i < one.values.size(); ++i)
    out += fmt::format("{} {} ({:.0f} %)", i > 0 ? " or" : "", one.values[i], 100 * one.chances[i]);
  return out;
}

}  // namespace

std::string ObjectText(const ObjectEvent& event) {
  const std::string where = event.square.empty() ? "beside the board" : "in " + event.square;
  return event.gone ? fmt::format("Object {} {} is gone", event.object, where)
                    : fmt::format("Something new lies {} (object {})", where, event.object);
}

std::string DiceText(const DiceEvent& event) {
  if (event.taken) {
    return event.centres.size() == 1 ? "A die was picked up"
                                     : fmt::format("{} dice were picked up", event.centres.size());
  }
  std::map<int, std::vector<int>> read;  // by the number of faces
  for (std::size_t i = 0; i < event.values.size(); ++i)
    read[event.FacesOf(i)].push_back(event.values[i]);
  std::vector<std::string> parts;
  for (const auto& [faces, values] : read) parts.push_back(ReadInWords(faces, values));
  for (const DiceEvent::Asked& one : event.asked) parts.push_back(AskedInWords(one));
  return Capitalised(fmt::format("{}", fmt::join(parts, "; ")));
}

std::string ViewText(const ViewEvent& event) {
  if (!event.obstructed) return "The table is clear";
  if (event.reason.empty()) return "Hands over the table";
  return "Nothing can be judged: " + event.reason;
}

Result<std::string> EventLine(const EventRecord& event) {
  Json out;
  out["type"] = TypeName(event.body);
  out["frame"] = event.frame;
  out["time"] = Rounded(event.time_s, 4);
  std::visit([&out](const auto& body) { Write(body, out); }, event.body);
  if (const std::string path = NotFinite(out, ""); !path.empty()) {
    return Error{ErrorCode::kOutOfRange, fmt::format("event `{}` of frame {}: {} is not a number",
                                                     TypeName(event.body), event.frame, path)};
  }
  // A path may hold bytes that are no UTF-8; they are replaced, not refused.
  return out.dump();
}

Result<std::optional<EventRecord>> ParseEventLine(const std::string& line) try {
  const Json in = Json::parse(line);
  EventRecord out;
  std::optional<EventBody> body = ReadBody(in.at("type").get<std::string>(), in);
  if (!body) return std::optional<EventRecord>{};
  out.frame = in.at("frame").get<std::int64_t>();
  out.time_s = in.at("time").get<double>();
  out.body = std::move(*body);
  return std::optional<EventRecord>{std::move(out)};
} catch (const std::exception& e) {  // the JSON library's, and the few above
  return Error{ErrorCode::kBadFormat, fmt::format("not an event: {}; judge the recording again",
                                                  JsonFaultInWords(e.what()))};
}

Status EventLogWriter::Append(const EventRecord& event) {
  Result<std::string> line = EventLine(event);
  if (!line.ok()) return line.error();
  lines_.emplace_back(event.frame, std::move(line).value());
  return Ok();
}

Status EventLogWriter::Write(const std::filesystem::path& path) const {
  std::vector<const std::pair<std::int64_t, std::string>*> ordered;
  for (const auto& line : lines_) ordered.push_back(&line);
  std::stable_sort(ordered.begin(), ordered.end(),
                   [](const auto* a, const auto* b) { return a->first < b->first; });

  std::string text;
  for (const auto* line : ordered) text += line->second + '\n';
  return WriteWholeFile(path, text);
}

Result<std::vector<EventRecord>> ReadEventLog(const std::filesystem::path& path) {
  std::error_code failed;
  if (!std::filesystem::is_regular_file(path, failed)) {
    return Error{ErrorCode::kNotFound,
                 fmt::format("{}: no such file; `fallofshot judge` writes it", path.string())};
  }
  std::ifstream in(path, std::ios::binary);
  std::vector<EventRecord> events;
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    Result<std::optional<EventRecord>> event = ParseEventLine(line);
    if (!event.ok()) {
      return Error{ErrorCode::kBadFormat,
                   fmt::format("{}:{}: {}", path.string(), number, event.error().message)};
    }
    if (event->has_value()) events.push_back(std::move(**event));
  }
  if (in.bad()) {
    return Error{ErrorCode::kIo,
                 fmt::format("{}: cannot be read; check its permissions", path.string())};
  }
  return events;
}

}  // namespace fos
