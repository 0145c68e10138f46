// SPDX-License-Identifier: MIT
#include "datasets/odds/labelled_things.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "engine/files/json.h"
#include "engine/files/whole_file.h"

namespace fos {
namespace {

// A pose is a projectile's own up to here, inches: what is further off is laid over a part of it.
constexpr double kSwabOff_in = 0.3;
constexpr double kShellOff_in = 0.2;
// What is laid nearer than this to a projectile may take some of its pixels for its own.
constexpr double kBeside_in = 0.6;

enum class Label { kIt, kPart, kOther };

// Of a thing laid so against one true projectile.
// true_tail  of a swab, where it is known as well as its tip
Label LabelOf(const JudgedThing& judged, Vec2 point, std::optional<Vec2> true_tail) {
  const Vec2 tail = true_tail.value_or(point);
  if (judged.as == Projectile::kShell) {
    const double off = Distance(judged.point, point);
    return off < kShellOff_in ? Label::kIt : off < kBeside_in ? Label::kPart : Label::kOther;
  }
  const auto off = [&](Vec2 tip, Vec2 other) {
    return std::max(Distance(tip, point), true_tail ? Distance(other, tail) : 0);
  };
  if (std::min(off(judged.point, judged.tail), off(judged.tail, judged.point)) < kSwabOff_in)
    return Label::kIt;
  const Segment2 body{judged.point, judged.tail};
  const Segment2 there{point, tail};
  const auto beside = [](const Segment2& line, Vec2 at) {
    return Distance(NearestPoint(line, at), at) < kBeside_in;
  };
  return beside(body, point) || beside(body, tail) || beside(there, judged.point) ||
                 beside(there, judged.tail)
             ? Label::kPart
             : Label::kOther;
}
NamedNumbers Owned(const std::vector<JudgedThing::Number>& numbers) {
  NamedNumbers out;
  for (const JudgedThing::Number& n : numbers) out.emplace_back(n.name, n.value);
  return out;
}
Json AsJson(const NamedNumbers& numbers) {
  Json out = Json::object();
  for (const auto& [name, value] : numbers) out[name] = value;
  return out;
}
NamedNumbers FromJson(const Json& json) {
  NamedNumbers out;
  for (const auto& [name, value] : json.items()) out.emplace_back(name, value.get<double>());
  return out;
}
Json AsJson(Vec2 at) { return Json::array({at.x, at.y}); }
Vec2 PointOf(const Json& json) { return {json.at(0).get<double>(), json.at(1).get<double>()}; }

}  // namespace

void ThingLabels::Add(const JudgedThing& judged, std::span<const WildThing> lying) {
  std::vector<TruePose> truth;
  for (const WildThing& thing : lying)
    if (thing.shot && thing.projectile == judged.as) truth.push_back({thing.point, thing.tail});
  AddAgainst(judged, truth);
}

void ThingLabels::Add(const JudgedThing& judged, const Truth& truth) {
  std::vector<TruePose> poses;
  for (const TruthShot& shot : truth.shots)
    if (shot.projectile == ProjectileName(judged.as)) poses.push_back({shot.point, std::nullopt});
  AddAgainst(judged, poses);
}

void ThingLabels::AddAgainst(const JudgedThing& judged, std::span<const TruePose> truth) {
  if (!judged.possible) return;
  Label label = Label::kOther;
  bool tip_right = false;
  for (const TruePose& pose : truth) {
    const Label now = LabelOf(judged, pose.point, pose.tail);
    if (now == Label::kIt)
      tip_right = Distance(judged.point, pose.point) < Distance(judged.tail, pose.point);
    label = std::min(label, now);
  }
  if (label == Label::kPart) return;
  things_.push_back({.table = table_,
                     .as = judged.as,
                     .point = judged.point,
                     .tail = judged.tail,
                     .is_it = label == Label::kIt,
                     .tip_right = tip_right,
                     .terms = Owned(judged.terms),
                     .ends = Owned(judged.ends),
                     .seen = Owned(judged.seen)});
}

std::vector<LabelledThing> ThingLabels::Things() const {
  constexpr double kSame_in = 0.3;
  std::vector<LabelledThing> out = things_;
  for (LabelledThing& one : out) {
    const auto same =
        std::count_if(things_.begin(), things_.end(), [&](const LabelledThing& other) {
          return other.as == one.as && other.is_it == one.is_it &&
                 Distance(0.5 * (other.point + other.tail), 0.5 * (one.point + one.tail)) <
                     kSame_in;
        });
    one.weight = 1.0 / static_cast<double>(same);
  }
  return out;
}

Status WriteThings(const std::filesystem::path& file, const std::vector<LabelledThing>& things) {
  std::string text;
  for (const LabelledThing& one : things) {
    Json line = Json::object();
    line["table"] = one.table;
    line["as"] = ProjectileName(one.as);
    line["is_it"] = one.is_it;
    if (one.as == Projectile::kQtip) line["tip_right"] = one.tip_right;
    line["weight"] = one.weight;
    line["point"] = AsJson(one.point);
    line["tail"] = AsJson(one.tail);
    line["terms"] = AsJson(one.terms);
    if (one.as == Projectile::kQtip) line["ends"] = AsJson(one.ends);
    line["seen"] = AsJson(one.seen);
    text += line.dump() + '\n';
  }
  return WriteWholeFile(file, text);
}

Result<std::vector<LabelledThing>> ReadThings(const std::filesystem::path& file) {
  const Result<std::string> text = ReadWholeFile(file);
  if (!text.ok()) return text.error();
  std::vector<LabelledThing> out;
  std::istringstream lines(*text);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    try {
      const Json json = Json::parse(line);
      LabelledThing one;
      one.table = json.at("table").get<std::string>();
      const std::string as = json.at("as").get<std::string>();
      one.as = ProjectileNamed(as);
      if (as != ProjectileName(one.as)) throw JsonError("\"as\" is neither qtip nor shell");
      one.is_it = json.at("is_it").get<bool>();
      one.weight = json.at("weight").get<double>();
      one.point = PointOf(json.at("point"));
      one.tail = PointOf(json.at("tail"));
      one.terms = FromJson(json.at("terms"));
      one.seen = FromJson(json.at("seen"));
      if (one.as == Projectile::kQtip) {
        one.tip_right = json.at("tip_right").get<bool>();
        one.ends = FromJson(json.at("ends"));
      }
      out.push_back(std::move(one));
    } catch (const JsonError& error) {
      return Error{ErrorCode::kBadFormat,
                   fmt::format("{}, line {}: {}", file.string(), number, error.what())};
    }
  }
  return out;
}

}  // namespace fos
