// SPDX-License-Identifier: MIT
#include "ui/session/find_table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <stdexcept>

#include <fmt/format.h>

#include "calibration/registration/deployment.h"
#include "vision/appearance/paint_contrast.h"
#include "vision/image/veil.h"
#include "vision/stands/stand_detector.h"

namespace fos {
namespace {

// The unit vector in the picture, y down.
cv::Point2d DirectionOf(PictureNorth north) {
  switch (north) {
    case PictureNorth::kUp:
      return {0, -1};
    case PictureNorth::kRight:
      return {1, 0};
    case PictureNorth::kDown:
      return {0, 1};
    case PictureNorth::kLeft:
      return {-1, 0};
  }
  throw std::logic_error("unknown PictureNorth");
}

// The placement whose north points most nearly in that direction in the picture.
TableRegistration Northward(std::vector<TableRegistration> placements, const TableFrame& frame,
                            PictureNorth north) {
  const cv::Point2d way = DirectionOf(north);
  std::size_t best = 0;
  double best_along = -INFINITY;
  for (std::size_t i = 0; i < placements.size(); ++i) {
    const Vec2 middle{frame.Width() / 2, frame.Depth() / 2};
    const ImagePoint from = ImageFromTable(placements[i].camera, middle, 0);
    const ImagePoint to = ImageFromTable(placements[i].camera, middle + Vec2{0, 0.5}, 0);
    const cv::Point2d d(to.x_px - from.x_px, to.y_px - from.y_px);
    const double along = d.dot(way) / std::hypot(d.x, d.y);
    if (along > best_along) {
      best_along = along;
      best = i;
    }
  }
  return std::move(placements[best]);
}

Result<PlacedTable> WithKnownNorth(Result<TableRegistration> found) {
  if (!found.ok()) return found.error();
  return PlacedTable{std::move(found).value(), false};
}

}  // namespace

std::optional<PictureNorth> ParseNorth(std::string_view name) {
  for (std::size_t i = 0; i < kPictureNorths.size(); ++i) {
    if (name == kPictureNorths[i]) return static_cast<PictureNorth>(i);
  }
  return std::nullopt;
}

Result<PlacedTable> FindTable(const Frame& frame, const CameraModel& lens, const TableSpec& table,
                              const Scenario* scenario, const TableWays& ways) {
  RegistrationOptions options;
  options.height = ways.height;
  if (!ways.clicks.empty()) {
    return WithKnownNorth(RegisterFromClicks(frame.bgr, lens, table.frame, ways.clicks, options));
  }
  if (scenario != nullptr && !ways.north) {
    return WithKnownNorth(RegisterTable(frame.bgr, lens, table, *scenario, options));
  }
  if (table.fiducials) {
    auto found = RegisterTable(frame.bgr, lens, table, options);
    if (found.ok() || found.error().code != ErrorCode::kNotFound || !ways.north) {
      return WithKnownNorth(std::move(found));
    }
  }
  auto placements = RegisterFromGrid(frame.bgr, lens, table.frame, options);
  if (!placements.ok()) return placements.error();
  PlacedTable out{
      Northward(std::move(placements).value(), table.frame, ways.north.value_or(PictureNorth::kUp)),
      !ways.north};
  if (table.fiducials) TellMarkersUnread(out.table, *table.fiducials);
  return out;
}

Result<std::vector<Click>> CornerClicks(const std::array<ImagePoint, 4>& clicks, PictureNorth north,
                                        const TableFrame& frame) {
  cv::Point2d middle(0, 0);
  for (const ImagePoint& click : clicks) middle += cv::Point2d(click.x_px, click.y_px) / 4;
  std::array<cv::Point2d, 4> round;
  for (std::size_t i = 0; i < 4; ++i) round[i] = {clicks[i].x_px, clicks[i].y_px};
  // Counter-clockwise as people see it, as SW, SE, NE, NW lie on a table seen from above.
  const auto angle = [&](cv::Point2d p) { return std::atan2(middle.y - p.y, p.x - middle.x); };
  std::sort(round.begin(), round.end(),
            [&](cv::Point2d a, cv::Point2d b) { return angle(a) < angle(b); });
  for (std::size_t i = 0; i < 4; ++i) {
    const cv::Point2d a = round[(i + 1) % 4] - round[i];
    const cv::Point2d b = round[(i + 2) % 4] - round[(i + 1) % 4];
    constexpr double kLeastSide_px = 20;  // how far apart a hand can click
    if (!(std::hypot(a.x, a.y) > kLeastSide_px) || !(a.x * b.y - a.y * b.x < 0)) {
      return Error{ErrorCode::kDegenerate,
                   "the four clicks are not the corners of a board; click each corner once"};
    }
  }
  const cv::Point2d way = DirectionOf(north);
  std::size_t south_west = 0;
  double best = -INFINITY;
  for (std::size_t k = 0; k < 4; ++k) {
    const cv::Point2d up = round[(k + 2) % 4] + round[(k + 3) % 4] - round[k] - round[(k + 1) % 4];
    const double along = up.dot(way) / std::hypot(up.x, up.y);
    if (along > best) {
      best = along;
      south_west = k;
    }
  }
  const std::array<Vec2, 4> corners = frame.Corners();
  std::vector<Click> out;
  for (std::size_t i = 0; i < 4; ++i) {
    const cv::Point2d at = round[(south_west + i) % 4];
    out.push_back({{at.x, at.y}, corners[i]});
  }
  return out;
}

Result<ColoursSeen> LookAtColours(const Frame& frame, const TableCamera& camera,
                                  const TableSpec& table, const Scenario& scenario) {
  StandDetector detector(table, scenario);
  const cv::Mat bgr = WithoutVeil(frame.bgr, VeilOf(frame.bgr, camera, table));
  const Result<StandScene> scene = detector.Start(bgr, camera, {});
  if (!scene.ok()) return scene.error();
  const PaintContrast contrast =
      ComparePaints(bgr, camera, table.frame, scene->stands, scenario);
  ColoursSeen out;
  out.stands = scene->stands.size();
  for (std::size_t side = 0; side < scenario.sides.size(); ++side) {
    const PaintSeen& seen = contrast.seen[side];
    if (seen.stands == 0) continue;
    out.paints[seen.name] = {seen.bgr[2], seen.bgr[1], seen.bgr[0]};
  }
  out.text = ContrastText(contrast);
  return out;
}

RigProfile RigOf(const TableRegistration& found, const TableSpec& table) {
  RigProfile rig;
  rig.lens = found.camera.lens;
  rig.table = table;
  rig.pose = RigProfile::Pose{found.camera.rvec, found.camera.tvec, found.worst_sigma_in};
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  rig.made =
      fmt::format("{:04}-{:02}-{:02}", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday);
  rig.program = FOS_VERSION;
  return rig;
}

const char* HowFound(TableRegistration::Method method) {
  switch (method) {
    case TableRegistration::Method::kFiducials:
      return "the markers";
    case TableRegistration::Method::kGrid:
      return "the drawn grid";
    case TableRegistration::Method::kManual:
      return "your clicks";
  }
  throw std::logic_error("unknown method");
}

}  // namespace fos
