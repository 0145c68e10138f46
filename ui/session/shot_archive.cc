// SPDX-License-Identifier: MIT
#include "ui/session/shot_archive.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include <fmt/format.h>
#include <opencv2/imgcodecs.hpp>

#include "engine/files/json.h"
#include "engine/files/json_fault.h"
#include "engine/files/whole_file.h"
#include "engine/shots/fall_of_shot.h"
#include "ui/session/sightings.h"
#include "vision/image/picture_file.h"

namespace fos {
namespace {

constexpr int kVersion = 1;
constexpr const char* kNumbers = kArchiveNames[3];

Json PointJson(Vec2 p) { return Json::array({p.x, p.y}); }
Json PolygonJson(const Polygon& polygon) {
  Json out = Json::array();
  for (const Vec2 p : polygon) out.push_back(PointJson(p));
  return out;
}
Json CovarianceJson(const Cov2& c) { return Json::array({c.xx, c.xy, c.yy}); }
Json ColourText(Colour c) { return fmt::format("#{:02x}{:02x}{:02x}", c.r, c.g, c.b); }

// Readers check every value: NaN and numbers outside the range of any table are refused.
double Number(const Json& in, const char* key, double least, double most) {
  const double value = in.at(key).get<double>();
  if (!(value >= least && value <= most)) {
    throw std::out_of_range(
        fmt::format("`{}` is {}; it must be {} to {}", key, value, least, most));
  }
  return value;
}
constexpr double kFar_in = 1000;  // no table is longer
// No measurement is worse, inches squared: beyond, ten inches, it says nothing about a shot.
constexpr double kLargestVariance = 100;
double Inches(const Json& value) {
  const double in = value.get<double>();
  if (!(std::abs(in) <= kFar_in)) {
    throw std::out_of_range(fmt::format("a coordinate is {}; at most {} is possible", in, kFar_in));
  }
  return in;
}
Vec2 ToPoint(const Json& in) { return {Inches(in.at(0)), Inches(in.at(1))}; }
Polygon ToPolygon(const Json& in) {
  Polygon out;
  for (const Json& p : in) out.push_back(ToPoint(p));
  return out;
}
Cov2 ToCovariance(const Json& in) {
  const Cov2 c{Inches(in.at(0)), Inches(in.at(1)), Inches(in.at(2))};
  if (c.xx > kLargestVariance || c.yy > kLargestVariance) {
    throw std::out_of_range(fmt::format("a variance is above {} square inches", kLargestVariance));
  }
  // Rounding may make the determinant slightly negative.
  if (c.xx < 0 || c.yy < 0 || c.xx * c.yy - c.xy * c.xy < -1e-9) {
    throw std::out_of_range("a covariance is not positive semidefinite");
  }
  return c;
}
Colour ToColour(const Json& in) {
  const std::string text = in.get<std::string>();
  if (text.size() != 7 || text[0] != '#' ||
      text.find_first_not_of("0123456789abcdefABCDEF", 1) != std::string::npos) {
    throw std::out_of_range("a colour is not #rrggbb");
  }
  const auto part = [&](std::size_t at) {
    return static_cast<std::uint8_t>(std::stoi(text.substr(at, 2), nullptr, 16));
  };
  return {part(1), part(3), part(5)};
}
constexpr int kMostSquares = 200;  // along a side of a board
int ToCell(const Json& in) {
  const auto value = in.get<std::int64_t>();
  if (value < 0 || value >= kMostSquares) {
    throw std::out_of_range(
        fmt::format("a square's index is {}; it must be 0 to {}", value, kMostSquares - 1));
  }
  return static_cast<int>(value);
}
Facing ToFacing(const Json& in) {
  const auto facing = ParseFacing(in.get<std::string>());
  if (!facing) throw std::out_of_range("a facing is not one of N, NE, E, SE, S, SW, W, NW");
  return *facing;
}
int Index(const Json& in, const char* key, std::size_t count) {
  const auto value = in.at(key).get<std::int64_t>();
  if (value < 0 || value >= static_cast<std::int64_t>(count)) {
    throw std::out_of_range(fmt::format("`{}` is {}; it must be below {}", key, value, count));
  }
  return static_cast<int>(value);
}

// The numbers of a matrix, row by row.
template <int kRows, int kColumns>
Json MatrixJson(const cv::Matx<double, kRows, kColumns>& m) {
  return Json(std::vector<double>(m.val, m.val + kRows * kColumns));
}
template <int kRows, int kColumns>
cv::Matx<double, kRows, kColumns> ToMatrix(const Json& in, const char* key) {
  const std::vector<double> numbers = in.at(key).get<std::vector<double>>();
  if (numbers.size() != static_cast<std::size_t>(kRows * kColumns)) {
    throw std::out_of_range(
        fmt::format("`{}` has {} numbers, not {}", key, numbers.size(), kRows * kColumns));
  }
  return cv::Matx<double, kRows, kColumns>(numbers.data());
}

Json ToJson(const TableCamera& camera) {
  const CameraModel& lens = camera.lens;
  return {{"width", lens.width_px},
          {"height", lens.height_px},
          {"fx", lens.fx_px},
          {"fy", lens.fy_px},
          {"cx", lens.cx_px},
          {"cy", lens.cy_px},
          {"fisheye", lens.lens == CameraModel::Lens::kFisheye},
          {"distortion", lens.distortion},
          {"lens_rms_px", lens.rms_px},
          {"rvec", {camera.rvec[0], camera.rvec[1], camera.rvec[2]}},
          {"tvec", {camera.tvec[0], camera.tvec[1], camera.tvec[2]}},
          {"pose_covariance", MatrixJson(camera.pose_covariance)},
          {"lens_covariance", MatrixJson(camera.lens_covariance)},
          {"lens_pose_covariance", MatrixJson(camera.lens_pose_covariance)}};
}

// Throws where the doubts of the camera's pose and lens are no covariance, or beyond any camera's.
void CheckDoubts(const TableCamera& camera) {
  constexpr int kPose = 6;
  constexpr int kAll = kPose + 9;
  cv::Matx<double, kAll, kAll> both;
  for (int i = 0; i < kAll; ++i) {
    for (int j = 0; j < kAll; ++j) {
      const int a = i - kPose;
      const int b = j - kPose;
      both(i, j) = a < 0 && b < 0 ? camera.pose_covariance(i, j)
                   : a < 0        ? camera.lens_pose_covariance(b, i)
                   : b < 0        ? camera.lens_pose_covariance(a, j)
                                  : camera.lens_covariance(a, b);
    }
  }
  constexpr double kLargestTurn = 0.25;  // variance of an angle, half a radian squared
  constexpr double kLargestLens = 1e12;  // as rig.toml's
  for (int i = 0; i < kAll; ++i) {
    const bool pose = i < kPose;
    const double most = i < 3 ? kLargestTurn : pose ? kLargestVariance : kLargestLens;
    if (!(both(i, i) >= 0 && both(i, i) <= most)) {
      throw std::out_of_range(
          fmt::format("`{}_covariance` has an impossible variance", pose ? "pose" : "lens"));
    }
    for (int j = 0; j < i; ++j) {
      const double largest = std::sqrt(both(i, i) * both(j, j));
      const double here = std::max(std::abs(both(i, j)), std::abs(both(j, i)));
      if (!(here <= largest * (1 + 1e-6) + 1e-12)) {
        throw std::out_of_range(fmt::format("`{}_covariance` is no covariance", pose ? "pose"
                                                                                : j < kPose
                                                                                    ? "lens_pose"
                                                                                    : "lens"));
      }
    }
  }
}

TableCamera ToCamera(const Json& in) {
  CameraModel lens;
  constexpr double kWidest_px = 20000;
  lens.width_px = static_cast<int>(Number(in, "width", 8, kWidest_px));
  lens.height_px = static_cast<int>(Number(in, "height", 8, kWidest_px));
  lens.fx_px = Number(in, "fx", 10, 1e6);
  lens.fy_px = Number(in, "fy", 10, 1e6);
  // The picture is a part of the camera's: the principal point may be far outside it.
  lens.cx_px = Number(in, "cx", -kWidest_px, kWidest_px);
  lens.cy_px = Number(in, "cy", -kWidest_px, kWidest_px);
  if (in.at("fisheye").get<bool>()) lens.lens = CameraModel::Lens::kFisheye;
  lens.distortion = in.at("distortion").get<std::array<double, 5>>();
  lens.rms_px = Number(in, "lens_rms_px", 0, 1000);
  cv::Vec3d rvec;
  cv::Vec3d tvec;
  for (int i = 0; i < 3; ++i) {
    rvec[i] = Inches(in.at("rvec").at(static_cast<std::size_t>(i)));
    tvec[i] = Inches(in.at("tvec").at(static_cast<std::size_t>(i)));
  }
  TableCamera camera = MakeTableCamera(lens, rvec, tvec, ToMatrix<6, 6>(in, "pose_covariance"));
  if (in.contains("lens_covariance")) {  // archives of earlier versions have none
    camera.lens_covariance = ToMatrix<9, 9>(in, "lens_covariance");
    camera.lens_pose_covariance = ToMatrix<9, 6>(in, "lens_pose_covariance");
  }
  CheckDoubts(camera);
  // Every corner of the picture must show the table plane.
  bool sees = CameraCentre(camera)[2] > 1;
  for (const double x : {0.0, lens.width_px - 1.0}) {
    for (const double y : {0.0, lens.height_px - 1.0}) {
      const auto at = TableFromImage(camera, {x, y}, 0, 0);
      sees = sees && at.ok() && std::abs(at->at.x) < kFar_in && std::abs(at->at.y) < kFar_in;
    }
  }
  if (!sees) throw std::out_of_range("`camera` does not see the table");
  return camera;
}

Json ToJson(const ProjectileFinding& f) {
  return {{"projectile", ProjectileName(f.shot.projectile)},
          {"number", f.shot.shot.number},
          {"point", PointJson(f.shot.point)},
          {"tail", PointJson(f.shot.tail)},
          {"height", f.shot.height_in},
          {"covariance", CovarianceJson(f.shot.point_cov)},
          {"visible", f.shot.visible},
          {"at_rest", f.shot.at_rest.index},
          {"seen", {f.shot.seen[0].index, f.shot.seen[1].index}},
          {"spec", f.spec},
          {"measured", f.measured},
          {"two_ways", f.tip_disagreement_in},
          {"how", f.how},
          {"outline", PolygonJson(f.outline)}};
}

ProjectileFinding ToFinding(const Json& in, const Scenario& scenario) {
  ProjectileFinding f;
  f.spec = Index(in, "spec", scenario.projectiles.size());
  f.shot.projectile = scenario.projectiles[static_cast<std::size_t>(f.spec)].type;
  f.shot.shot = {static_cast<int>(Number(in, "number", 0, 1e6))};
  f.shot.point = ToPoint(in.at("point"));
  f.shot.tail = ToPoint(in.at("tail"));
  f.shot.height_in = Number(in, "height", -1, 100);
  f.shot.point_cov = ToCovariance(in.at("covariance"));
  f.shot.visible = Number(in, "visible", 0, 1);
  f.shot.at_rest = {in.at("at_rest").get<std::int64_t>()};
  f.shot.seen = {FrameId{in.at("seen").at(0).get<std::int64_t>()},
                 FrameId{in.at("seen").at(1).get<std::int64_t>()}};
  f.measured = in.at("measured").get<bool>();
  f.tip_disagreement_in = Number(in, "two_ways", 0, 100);
  f.how = in.at("how").get<std::string>();
  f.outline = ToPolygon(in.at("outline"));
  return f;
}

Json ToJson(const StandObservation& s) {
  return {{"id", s.stand.text},
          {"unit", s.unit},
          {"side", s.side},
          {"kind", s.kind},
          {"centre", PointJson(s.table_from_stand.origin)},
          {"heading_rad", s.table_from_stand.heading_rad},
          {"footprint", {s.footprint.width_in, s.footprint.depth_in}},
          {"ground", s.ground_in},
          {"covariance", CovarianceJson(s.centre_cov)},
          {"heading_sigma_rad", s.heading_sigma_rad},
          {"visible", s.visible}};
}

StandObservation ToStand(const Json& in, const Scenario& scenario) {
  StandObservation s;
  s.stand.text = in.at("id").get<std::string>();
  s.unit = in.at("unit").get<std::string>();
  s.side = Index(in, "side", scenario.sides.size());
  s.kind = Index(in, "kind", scenario.kinds.size());
  s.table_from_stand = {ToPoint(in.at("centre")), Number(in, "heading_rad", -10, 10)};
  const Vec2 size = ToPoint(in.at("footprint"));
  if (size.x <= 0 || size.y <= 0) throw std::out_of_range("a footprint has no size");
  s.footprint = {size.x, size.y};
  s.ground_in = Number(in, "ground", 0, 100);
  s.centre_cov = ToCovariance(in.at("covariance"));
  s.heading_sigma_rad = Number(in, "heading_sigma_rad", 0, 10);
  s.visible = Number(in, "visible", 0, 1);
  return s;
}

Json ToJson(const Scenario& scenario) {
  Json out;
  out["ruleset"] = scenario.ruleset;
  const ClubFiles& club = scenario.club;
  if (club.Named()) {
    out["club"] = {
        {"folder", club.folder.string()}, {"tables", club.tables}, {"settings", club.settings}};
  }
  for (const SideSpec& side : scenario.sides)
    out["sides"].push_back({{"name", side.name},
                            {"paint", ColourText(side.paint)},
                            {"baseline", FacingName(side.baseline)}});
  for (const ProjectileSpec& p : scenario.projectiles) {
    out["projectiles"].push_back({{"type", ProjectileName(p.type)},
                                  {"length", p.length_in},
                                  {"diameter", p.diameter_in},
                                  {"tip_paint", ColourText(p.tip_paint)},
                                  {"size", p.size_in},
                                  {"body", ColourText(p.body)},
                                  {"mark", ColourText(p.mark)},
                                  {"hit_radius", p.hit_radius_in},
                                  {"touch_radius", p.touch_radius_in}});
  }
  for (const KindSpec& kind : scenario.kinds) {
    Json one = {{"name", kind.name},
                {"footprint", {kind.footprint.width_in, kind.footprint.depth_in}},
                {"thickness", kind.thickness_in},
                {"figures_height", kind.figures_height_in},
                {"equipment", kind.equipment},
                {"target", PolygonJson(kind.target)}};
    if (kind.target_points) one["target_points"] = *kind.target_points;
    out["kinds"].push_back(one);
  }
  out["units"] = Json::array();
  for (const UnitSpec& unit : scenario.units) {
    Json one = {{"id", unit.id},
                {"side", unit.side},
                {"kind", unit.kind},
                {"stands", unit.stands},
                {"square", {unit.square.column, unit.square.row}},
                {"facing", FacingName(unit.facing)}};
    if (!unit.mounted.empty()) one["mounted"] = unit.mounted;
    out["units"].push_back(one);
  }
  out["terrain"] = Json::array();
  for (const TerrainArea& area : scenario.terrain) {
    Json objects = Json::array();
    for (const TerrainObject& object : area.objects) {
      Json one = {{"type", object.type}, {"height", object.height_in}};
      if (object.circle) {
        one["centre"] = PointJson(object.circle->centre);
        one["radius"] = object.circle->radius_in;
      } else {
        one["polygon"] = PolygonJson(object.polygon);
      }
      objects.push_back(std::move(one));
    }
    out["terrain"].push_back({{"type", area.type},
                              {"polygon", PolygonJson(area.polygon)},
                              {"height", area.height_in},
                              {"objects", std::move(objects)}});
  }
  return out;
}

Scenario ToScenario(const Json& in) {
  Scenario out;
  out.ruleset = in.at("ruleset").get<std::string>();
  if (in.contains("club")) {
    const Json& club = in.at("club");
    out.club = {club.at("folder").get<std::string>(), club.at("tables").get<std::string>(),
                club.at("settings").get<std::string>()};
  }
  for (const Json& one : in.at("sides")) {
    SideSpec side{one.at("name").get<std::string>(), ToColour(one.at("paint"))};
    if (one.contains("baseline")) side.baseline = ToFacing(one.at("baseline"));
    out.sides.push_back(side);
  }
  for (const Json& one : in.at("projectiles")) {
    ProjectileSpec p;
    p.type = ProjectileNamed(one.at("type").get<std::string>());
    const bool swab = p.type == Projectile::kQtip;
    p.length_in = Number(one, "length", swab ? 0.5 : 0, 24);
    p.diameter_in = Number(one, "diameter", swab ? 0.01 : 0, 1);
    p.tip_paint = ToColour(one.at("tip_paint"));
    p.size_in = Number(one, "size", swab ? 0 : 0.05, 4);
    p.body = ToColour(one.at("body"));
    p.mark = ToColour(one.at("mark"));
    p.hit_radius_in = Number(one, "hit_radius", 0, 24);
    p.touch_radius_in = Number(one, "touch_radius", 0, 24);
    out.projectiles.push_back(p);
  }
  for (const Json& one : in.at("kinds")) {
    KindSpec kind;
    kind.name = one.at("name").get<std::string>();
    const Vec2 size = ToPoint(one.at("footprint"));
    kind.footprint = {size.x, size.y};
    kind.thickness_in = Number(one, "thickness", 0, 2);
    kind.figures_height_in = Number(one, "figures_height", 0, 24);
    kind.equipment = one.at("equipment").get<bool>();
    kind.target = ToPolygon(one.at("target"));
    if (one.contains("target_points")) kind.target_points = one.at("target_points").get<bool>();
    out.kinds.push_back(kind);
  }
  // Older programs archived no units; then there is no ruling, only circle and touch.
  for (const Json& one : in.value("units", Json::array())) {
    UnitSpec unit;
    unit.id = one.at("id").get<std::string>();
    unit.side = Index(one, "side", out.sides.size());
    unit.kind = Index(one, "kind", out.kinds.size());
    constexpr double kMostStands = 1000;
    unit.stands = static_cast<int>(Number(one, "stands", 1, kMostStands));
    unit.square = {ToCell(one.at("square").at(0)), ToCell(one.at("square").at(1))};
    unit.facing = ToFacing(one.at("facing"));
    if (one.contains("mounted")) unit.mounted = one.at("mounted").get<std::string>();
    out.units.push_back(unit);
  }
  for (const Json& one : in.at("terrain")) {
    TerrainArea area;
    area.type = one.at("type").get<std::string>();
    area.polygon = ToPolygon(one.at("polygon"));
    area.height_in = Number(one, "height", 0, 24);
    for (const Json& what : one.at("objects")) {
      TerrainObject object;
      object.type = what.at("type").get<std::string>();
      object.height_in = Number(what, "height", 0, 24);
      if (what.contains("centre")) {
        object.circle = Circle{ToPoint(what.at("centre")), Number(what, "radius", 0, kFar_in)};
      } else {
        object.polygon = ToPolygon(what.at("polygon"));
      }
      area.objects.push_back(std::move(object));
    }
    out.terrain.push_back(std::move(area));
  }
  return out;
}

Json ToJson(const LyingSwab& swab) {
  return {{"from", PointJson(swab.from)},
          {"to", PointJson(swab.to)},
          {"heights", {swab.from_in, swab.to_in}},
          {"stick_radius", swab.shape.stick_radius_in},
          {"length", swab.shape.length_in}};
}
LyingSwab ToLying(const Json& in) {
  LyingSwab out;
  out.from = ToPoint(in.at("from"));
  out.to = ToPoint(in.at("to"));
  out.from_in = Inches(in.at("heights").at(0));
  out.to_in = Inches(in.at("heights").at(1));
  out.shape.stick_radius_in = Number(in, "stick_radius", 0.005, 0.5);
  out.shape.length_in = Number(in, "length", 0.5, 24);
  return out;
}

ArchivedShot ToArchivedShot(const Json& in) {
  const double version = Number(in, "version", 1, 1e6);
  if (version > kVersion) {
    throw std::out_of_range(
        fmt::format("it has version {}, and this program reads up to {}", version, kVersion));
  }
  ArchivedShot out;
  const Json& table = in.at("table");
  out.table.columns = static_cast<int>(Number(table, "columns", 1, kMostSquares));
  out.table.rows = static_cast<int>(Number(table, "rows", 1, kMostSquares));
  if (out.table.columns * out.table.rows > kMostSquaresOfBoard) {
    throw std::out_of_range(fmt::format("its board has more than {} squares", kMostSquaresOfBoard));
  }
  out.table.square_in = Number(table, "square", 0.25, 48);
  out.method = table.at("method").get<std::string>();
  out.table_rms_in = Number(table, "rms", 0, 100);
  out.policy.doubt = Number(in, "doubt", 0, 0.5);
  out.scenario = ToScenario(in.at("scenario"));
  for (const UnitSpec& unit : out.scenario.units) {
    if (unit.square.column >= out.table.columns || unit.square.row >= out.table.rows)
      throw std::out_of_range("a unit's square is off the board");
  }
  out.seen.pictures.camera = ToCamera(in.at("camera"));
  out.seen.pictures.noise = Number(in, "noise", 0, 255);
  if (in.contains("blur")) {  // archives of earlier versions have none
    constexpr double kMost_px = 100;
    out.seen.pictures.blur = {Number(in, "blur", 0, kMost_px),
                              Number(in, "blur_doubt", 0, kMost_px)};
  }
  if (in.contains("paper")) {
    constexpr double kMostShare = 1000;
    PaperLight& paper = out.seen.pictures.paper;
    paper = {Number(in, "paper", 0, 1), Number(in, "ground", 0, kMostShare)};
    if (in.contains("ground_bgr")) {
      const std::vector<double> shares = in.at("ground_bgr").get<std::vector<double>>();
      for (std::size_t c = 0; c < 3; ++c) {
        if (!(shares.at(c) >= 0 && shares[c] <= kMostShare))
          throw std::out_of_range("`ground_bgr` is no share of paper's light");
        paper.ground_bgr[static_cast<int>(c)] = shares[c];
      }
    }
  }
  out.seen.where = {ToPoint(in.at("where").at(0)), ToPoint(in.at("where").at(1))};
  if (out.seen.where.low.x > out.seen.where.high.x || out.seen.where.low.y > out.seen.where.high.y)
    throw std::out_of_range("`where` is not a box: its low corner exceeds its high corner");
  out.seen.finding = ToFinding(in.at("finding"), out.scenario);
  for (const Json& one : in.at("stands")) out.stands.push_back(ToStand(one, out.scenario));
  for (const Json& one : in.at("lying")) out.seen.lying.push_back(ToLying(one));
  if (in.contains("unknown")) {
    for (const Json& one : in.at("unknown"))
      out.seen.unknown.push_back({ToPolygon(one.at("outline")), Number(one, "top", 0, 24)});
  }
  return out;
}

// A larger box could not come from one shot, and would need gigabytes.
constexpr double kMostAround_in = 60;

// The camera shows the box in its picture, at a scale that cameras over tables have.
bool ShowsBox(const TableCamera& camera, const TableBox& box) {
  constexpr double kLeastScale = 1;  // pixels an inch
  constexpr double kMostScale = 2000;
  for (const Vec2 corner :
       {box.low, box.high, Vec2{box.low.x, box.high.y}, Vec2{box.high.x, box.low.y}}) {
    constexpr double kBefore_in = 1;  // the camera's eye
    const cv::Vec3d seen = camera.rotation * cv::Vec3d(corner.x, corner.y, 0) + camera.tvec;
    if (seen[2] < kBefore_in) return false;
    const ImagePoint at = ImageFromTable(camera, corner, 0);
    const double scale = PixelsPerInch(camera, corner, 0);
    const double wide = camera.lens.width_px;
    const double high = camera.lens.height_px;
    // Thrown things stand up, so the box may reach beyond the part that is kept.
    if (!(at.x_px > -wide && at.x_px < 2 * wide && at.y_px > -high && at.y_px < 2 * high &&
          scale > kLeastScale && scale < kMostScale)) {
      return false;
    }
  }
  return true;
}

}  // namespace

ArchivedShot ArchiveShot(const ShotSeen& seen, const std::vector<StandObservation>& stands,
                         const TableFrame& table, const Scenario& scenario,
                         const DecisionPolicy& policy, const TableRegistration& registration) {
  ArchivedShot out;
  out.seen = seen;
  out.stands = stands;
  out.table = table;
  out.scenario = scenario;
  out.policy = policy;
  out.method = MethodName(registration.method);
  out.table_rms_in = registration.rms_in;
  return out;
}

Result<std::vector<ArchivedFile>> FilesOf(const ArchivedShot& shot) try {
  std::vector<ArchivedFile> out;
  const cv::Mat* const pictures[] = {&shot.seen.pictures.before, &shot.seen.pictures.after,
                                     &shot.seen.pictures.changed};
  for (std::size_t i = 0; i < 3; ++i) {
    std::vector<std::uint8_t> bytes;
    // Level 1 is four times faster than the default, for 10 % more bytes.
    if (!cv::imencode(".png", *pictures[i], bytes, {cv::IMWRITE_PNG_COMPRESSION, 1})) {
      return Error{ErrorCode::kIo, fmt::format("{}: cannot be encoded as PNG", kArchiveNames[i])};
    }
    out.push_back({kArchiveNames[i], std::string(bytes.begin(), bytes.end())});
  }
  Json json;
  json["version"] = kVersion;
  json["table"] = {{"columns", shot.table.columns},
                   {"rows", shot.table.rows},
                   {"square", shot.table.square_in},
                   {"method", shot.method},
                   {"rms", shot.table_rms_in}};
  json["doubt"] = shot.policy.doubt;
  json["camera"] = ToJson(shot.seen.pictures.camera);
  json["noise"] = shot.seen.pictures.noise;
  json["blur"] = shot.seen.pictures.blur.sigma_px;
  json["blur_doubt"] = shot.seen.pictures.blur.doubt_px;
  json["paper"] = shot.seen.pictures.paper.light;
  json["ground"] = shot.seen.pictures.paper.ground;
  const cv::Vec3d& ground = shot.seen.pictures.paper.ground_bgr;
  json["ground_bgr"] = {ground[0], ground[1], ground[2]};
  json["where"] = {PointJson(shot.seen.where.low), PointJson(shot.seen.where.high)};
  json["finding"] = ToJson(shot.seen.finding);
  json["stands"] = Json::array();
  for (const StandObservation& stand : shot.stands) json["stands"].push_back(ToJson(stand));
  json["lying"] = Json::array();
  for (const LyingSwab& swab : shot.seen.lying) json["lying"].push_back(ToJson(swab));
  json["unknown"] = Json::array();
  for (const Lump& lump : shot.seen.unknown)
    json["unknown"].push_back({{"outline", PolygonJson(lump.outline)}, {"top", lump.top_in}});
  json["scenario"] = ToJson(shot.scenario);
  out.push_back({kNumbers, json.dump(1) + '\n'});
  return out;
} catch (const cv::Exception& e) {
  return Error{ErrorCode::kIo, std::string("a shot's pictures cannot be encoded: ") + e.what()};
}

Result<ArchivedShot> ArchivedShotFrom(const std::vector<ArchivedFile>& files,
                                      const std::string& from) {
  const auto file = [&](const std::string& name) -> const ArchivedFile* {
    const auto at = std::find_if(files.begin(), files.end(),
                                 [&](const ArchivedFile& f) { return f.name == name; });
    return at == files.end() ? nullptr : &*at;
  };
  const ArchivedFile* numbers = file(kNumbers);
  if (numbers == nullptr) {
    return Error{ErrorCode::kNotFound,
                 fmt::format("{}: {} is missing; judge the recording again", from, kNumbers)};
  }
  ArchivedShot out;
  try {
    out = ToArchivedShot(Json::parse(numbers->bytes));
  } catch (const std::out_of_range& e) {
    return Error{ErrorCode::kOutOfRange, fmt::format("{}/{}: {}; judge the recording again", from,
                                                     kNumbers, JsonFaultInWords(e.what()))};
  } catch (const std::exception& e) {
    return Error{ErrorCode::kBadFormat, fmt::format("{}/{}: {}; judge the recording again", from,
                                                    kNumbers, JsonFaultInWords(e.what()))};
  }
  const cv::Size size(out.seen.pictures.camera.lens.width_px,
                      out.seen.pictures.camera.lens.height_px);
  cv::Mat* const pictures[] = {&out.seen.pictures.before, &out.seen.pictures.after,
                               &out.seen.pictures.changed};
  for (std::size_t i = 0; i < 3; ++i) {
    const ArchivedFile* picture = file(kArchiveNames[i]);
    if (picture == nullptr) {
      return Error{ErrorCode::kNotFound, fmt::format("{}: {} is missing; judge the recording again",
                                                     from, kArchiveNames[i])};
    }
    const std::vector<std::uint8_t> bytes(picture->bytes.begin(), picture->bytes.end());
    *pictures[i] = PictureFrom(bytes, i == 2 ? cv::IMREAD_GRAYSCALE : cv::IMREAD_COLOR);
    if (pictures[i]->size() != size) {
      return Error{ErrorCode::kBadFormat,
                   fmt::format("{}/{}: is not a picture of {} x {}; judge the recording again",
                               from, kArchiveNames[i], size.width, size.height)};
    }
  }
  if (out.seen.where.high.x - out.seen.where.low.x > kMostAround_in ||
      out.seen.where.high.y - out.seen.where.low.y > kMostAround_in) {
    return Error{ErrorCode::kOutOfRange,
                 fmt::format("{}/{}: `where` is larger than {} in; judge the recording again", from,
                             kNumbers, kMostAround_in)};
  }
  if (!ShowsBox(out.seen.pictures.camera, out.seen.where)) {
    return Error{ErrorCode::kOutOfRange,
                 fmt::format("{}/{}: `camera` does not show the place of the shot; judge the "
                             "recording again",
                             from, kNumbers)};
  }
  return out;
}

Result<ArchivedShot> ReadArchivedShot(const std::filesystem::path& folder) {
  std::vector<ArchivedFile> files;
  for (const char* name : kArchiveNames) {
    Result<std::string> bytes = ReadWholeFile(folder / name);
    if (!bytes.ok()) return bytes.error();
    files.push_back({name, std::move(bytes).value()});
  }
  return ArchivedShotFrom(files, folder.string());
}

}  // namespace fos
