// SPDX-License-Identifier: MIT
#include "datasets/score/score_truth.h"

#include <algorithm>
#include <fstream>

#include <fmt/format.h>

#include "engine/files/json.h"

namespace fos {
namespace {

constexpr const char* kFile = "truth.json";

Vec2 ToVec2(const Json& in) { return {in.at(0).get<double>(), in.at(1).get<double>()}; }
cv::Vec3d ToVec3(const Json& in) {
  return {in.at(0).get<double>(), in.at(1).get<double>(), in.at(2).get<double>()};
}

CameraModel ToLens(const Json& camera, const Json& size) {
  CameraModel lens;
  lens.width_px = size.at(0).get<int>();
  lens.height_px = size.at(1).get<int>();
  const auto matrix = camera.at("matrix").get<std::array<double, 9>>();
  lens.fx_px = matrix[0];
  lens.fy_px = matrix[4];
  lens.cx_px = matrix[2];
  lens.cy_px = matrix[5];
  lens.distortion = camera.at("distortion").get<std::array<double, 5>>();
  return lens;
}

TruthStand ToStand(const Json& in) {
  TruthStand stand{in.at("key").get<std::string>(),
                   in.at("unit").get<std::string>(),
                   in.at("side").get<std::string>(),
                   in.at("kind").get<std::string>(),
                   {}};
  for (const Json& one : in.at("intervals")) {
    TruthPlace place;
    place.frames = {one.at("from").get<std::int64_t>(), one.at("to").get<std::int64_t>()};
    for (std::size_t i = 0; i < 4; ++i) place.polygon[i] = ToVec2(one.at("polygon").at(i));
    place.bearing_deg = one.at("bearing").get<double>();
    place.visible = one.value("visible", 1.0);
    stand.places.push_back(place);
  }
  return stand;
}

Truth ToTruth(const Json& in) {
  Truth truth;
  truth.clip = in.at("clip").get<std::string>();
  truth.fps = in.at("fps").get<double>();
  truth.frames = in.at("frames").get<std::int64_t>();
  const Json& camera = in.at("camera");
  const CameraModel lens = ToLens(camera, in.at("image_size"));
  truth.camera = MakeTableCamera(lens, ToVec3(camera.at("rvec")), ToVec3(camera.at("tvec")));
  for (const Json& stand : in.at("stands")) truth.stands.push_back(ToStand(stand));
  for (const Json& one : in.at("shots")) {
    truth.shots.push_back(
        {one.at("projectile").get<std::string>(),
         ToVec2(one.at("point")),
         {one.at("at_rest_frame").get<std::int64_t>(), one.at("last_frame").get<std::int64_t>()},
         one.value("visible", 1.0)});
  }
  for (const Json& one : in.value("dice", Json::array())) {
    truth.dice.push_back({one.at("value").get<int>(),
                          ToVec2(one.at("centre")),
                          {one.at("from").get<std::int64_t>(), one.at("to").get<std::int64_t>()},
                          one.value("faces", 6)});
  }
  for (const Json& one : in.value("events", Json::array())) {
    if (one.is_object() && one.contains("centre"))
      truth.objects.push_back({ToVec2(one.at("centre")), one.at("frame").get<std::int64_t>()});
  }
  for (const Json& span : in.at("obstructed")) {
    truth.obstructed.push_back({span.at(0).get<std::int64_t>(), span.at(1).get<std::int64_t>()});
  }
  for (const Json& move : in.value("camera_moves", Json::array())) {
    truth.camera_moves.push_back(
        {{move.at("frame").get<std::int64_t>(), move.at("settled").get<std::int64_t>()},
         MakeTableCamera(lens, ToVec3(move.at("rvec")), ToVec3(move.at("tvec"))),
         move.value("shift_px", 0.0)});
  }
  return truth;
}

}  // namespace

const TruthPlace* TruthStand::At(std::int64_t frame) const {
  for (const TruthPlace& place : places) {
    if (place.frames.Contains(frame)) return &place;
  }
  return nullptr;
}

bool Truth::Obstructed(std::int64_t frame) const {
  return std::any_of(obstructed.begin(), obstructed.end(),
                     [frame](const FrameSpan& span) { return span.Contains(frame); });
}

const TableCamera& Truth::CameraAt(std::int64_t frame) const {
  const TableCamera* at = &camera;
  for (const TruthCameraMove& move : camera_moves) {
    if (frame >= move.frames.from) at = &move.after;
  }
  return *at;
}

bool IsLabelled(const std::filesystem::path& clip) {
  std::error_code failed;
  return std::filesystem::is_regular_file(clip / kFile, failed);
}

Result<Truth> ReadTruth(const std::filesystem::path& clip) {
  const std::filesystem::path path = clip / kFile;
  if (!IsLabelled(clip)) {
    return Error{ErrorCode::kNotFound, fmt::format("{}: no such file", path.string())};
  }
  try {
    std::ifstream in(path, std::ios::binary);
    return ToTruth(Json::parse(in));
  } catch (const std::exception& e) {  // the JSON library's, and OpenCV's on a mad rotation
    return Error{ErrorCode::kBadFormat, fmt::format("{}: {}", path.string(), e.what())};
  }
}

}  // namespace fos
