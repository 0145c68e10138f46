// SPDX-License-Identifier: MIT
#include "calibration/registration/deployment.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include <opencv2/imgproc.hpp>

#include "calibration/camera/sampling.h"
#include "calibration/targets/fiducials.h"

namespace fos {
namespace {

// Lightness counted half (lamps and shadows change it more than colour), red against green, yellow
// against blue; code values.
cv::Vec3d Perceived(double blue, double green, double red) {
  return {(red + green + blue) / 6, red - green, 0.5 * (red + green) - blue};
}
cv::Vec3d Perceived(Colour c) { return Perceived(c.b, c.g, c.r); }

struct Square {
  cv::Vec3d mean;     // of what is seen in it
  double unlike = 0;  // share of it that is unlike the cloth
  bool terrain = false;
  int side = -1;  // that should stand here; -1 for nobody
};

double Correlation(const std::vector<double>& x, const std::vector<double>& y) {
  double mx = 0, my = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    mx += x[i];
    my += y[i];
  }
  const auto n = static_cast<double>(std::max<std::size_t>(1, x.size()));
  mx /= n;
  my /= n;
  double xx = 0, xy = 0, yy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - mx) * (x[i] - mx);
    xy += (x[i] - mx) * (y[i] - my);
    yy += (y[i] - my) * (y[i] - my);
  }
  return xx * yy > 1e-12 ? xy / std::sqrt(xx * yy) : 0.0;
}

// What each square shows, for one placement.
std::vector<Square> Look(const cv::Mat& picture, double scale, const TableCamera& camera,
                         const TableFrame& frame) {
  constexpr int kAcross = 10;  // samples each way in a square
  std::vector<Square> squares;
  std::vector<std::vector<cv::Vec3d>> samples;
  for (int row = 0; row < frame.rows; ++row) {
    for (int column = 0; column < frame.columns; ++column) {
      std::vector<cv::Vec3d> seen;
      for (int i = 0; i < kAcross; ++i) {
        for (int j = 0; j < kAcross; ++j) {
          const Vec2 at{(column + 0.1 + 0.8 * i / (kAcross - 1)) * frame.square_in,
                        (row + 0.1 + 0.8 * j / (kAcross - 1)) * frame.square_in};
          const ImagePoint p = ImageFromTable(camera, at, 0);
          const int x = static_cast<int>(std::lround((p.x_px + 0.5) * scale - 0.5));
          const int y = static_cast<int>(std::lround((p.y_px + 0.5) * scale - 0.5));
          if (x < 0 || y < 0 || x >= picture.cols || y >= picture.rows) continue;
          const cv::Vec3b c = picture.at<cv::Vec3b>(y, x);
          seen.push_back(Perceived(c[0], c[1], c[2]));
        }
      }
      Square square;
      for (const cv::Vec3d& c : seen) square.mean += c;
      if (!seen.empty()) square.mean = square.mean / static_cast<double>(seen.size());
      squares.push_back(square);
      samples.push_back(std::move(seen));
    }
  }
  // The cloth is what most of the table shows; its own mottling sets what counts as unlike.
  cv::Vec3d cloth;
  std::vector<double> spread;
  for (int k = 0; k < 3; ++k) {
    std::vector<double> values;
    for (const auto& s : samples) {
      for (const cv::Vec3d& c : s) values.push_back(c[k]);
    }
    cloth[k] = Median(values);
  }
  for (const auto& s : samples) {
    for (const cv::Vec3d& c : s) spread.push_back(cv::norm(c - cloth));
  }
  const double unlike = 2.5 * Median(spread);
  for (std::size_t i = 0; i < squares.size(); ++i) {
    double count = 0;
    for (const cv::Vec3d& c : samples[i]) count += cv::norm(c - cloth) > unlike ? 1 : 0;
    squares[i].unlike = count / static_cast<double>(std::max<std::size_t>(1, samples[i].size()));
  }
  return squares;
}

void Expect(const TableFrame& frame, const Scenario& scenario, std::vector<Square>& squares) {
  const auto at = [&](SquareIndex s) -> Square& {
    return squares[static_cast<std::size_t>(s.row * frame.columns + s.column)];
  };
  for (int row = 0; row < frame.rows; ++row) {
    for (int column = 0; column < frame.columns; ++column) {
      const Vec2 centre = frame.CentreOf({column, row});
      for (const TerrainArea& area : scenario.terrain) {
        const double near = 0.3 * frame.square_in;
        if (area.polygon.size() >= 3 && DistanceTo(area.polygon, centre) < near) {
          at({column, row}).terrain = true;
        }
      }
    }
  }
  for (const UnitSpec& unit : scenario.units) {
    if (frame.Contains(unit.square)) at(unit.square).side = unit.side;
  }
}

// How well what is seen agrees with the deployment, -2 to 2.
double Agreement(const std::vector<Square>& squares, const Scenario& scenario) {
  std::vector<double> expected;
  std::vector<double> seen;
  for (const Square& s : squares) {
    if (s.terrain) continue;
    expected.push_back(s.side >= 0 ? 1 : 0);
    seen.push_back(s.unlike);
  }
  const double standing = Correlation(expected, seen);
  // Each side's squares against all other sides', along the difference of their nominal paints.
  double colour = 0;
  for (std::size_t side = 0; side < scenario.sides.size(); ++side) {
    cv::Vec3d others;
    double count = 0;
    for (std::size_t k = 0; k < scenario.sides.size(); ++k) {
      if (k == side) continue;
      others += Perceived(scenario.sides[k].paint);
      count += 1;
    }
    if (count == 0) break;
    const cv::Vec3d difference = Perceived(scenario.sides[side].paint) - others / count;
    const double length = cv::norm(difference);
    if (length < 1) continue;
    expected.clear();
    seen.clear();
    for (const Square& s : squares) {
      if (s.side < 0) continue;
      expected.push_back(s.side == static_cast<int>(side) ? 1 : 0);
      seen.push_back(s.mean.dot(difference / length));
    }
    colour += Correlation(expected, seen) / static_cast<double>(scenario.sides.size());
  }
  return standing + colour;
}

}  // namespace

Result<DeploymentChoice> ChooseByDeployment(const cv::Mat& bgr,
                                            const std::vector<TableRegistration>& candidates,
                                            const TableFrame& frame, const Scenario& scenario) try {
  if (bgr.empty() || bgr.type() != CV_8UC3) {
    return Error{ErrorCode::kBadFormat, "deployment: want a colour picture"};
  }
  FOS_CHECK(!candidates.empty());
  // Half the size also takes the speckle off.
  constexpr double kScale = 0.5;
  cv::Mat smaller;
  cv::resize(bgr, smaller, {}, kScale, kScale, cv::INTER_AREA);
  std::vector<double> scores;
  double mirrored = -2;  // of the best placement with east and west exchanged
  for (const TableRegistration& candidate : candidates) {
    std::vector<Square> squares = Look(smaller, kScale, candidate.camera, frame);
    std::vector<Square> exchanged = squares;
    for (auto row = exchanged.begin(); row != exchanged.end(); row += frame.columns)
      std::reverse(row, row + frame.columns);
    Expect(frame, scenario, squares);
    scores.push_back(Agreement(squares, scenario));
    Expect(frame, scenario, exchanged);
    mirrored = std::max(mirrored, Agreement(exchanged, scenario));
  }
  const auto best = std::max_element(scores.begin(), scores.end());
  DeploymentChoice choice{static_cast<std::size_t>(best - scores.begin()), 2};
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (i != choice.index) choice.margin = std::min(choice.margin, *best - scores[i]);
  }
  // With some twenty units a correlation is uncertain by a fifth; the two that are added, together
  // with the same two turned round, by less than this in one case of twenty.
  constexpr double kTold = 0.3;
  // Armies that stand otherwise than the scenario says agree with its mirror image by chance: by
  // less than three sigmas of the two.
  constexpr double kChance = 3 * 0.2 * M_SQRT2;
  if (mirrored >= kChance && mirrored - *best >= kTold)
    return Error{ErrorCode::kBadFormat, kMirrored};
  if (choice.margin < kTold) {
    return Error{
        ErrorCode::kDegenerate,
        "the grid is found, but not which side of the table is north: the units do not "
        "stand as the scenario says; put up corner markers, set out the deployment, or say "
        "it once with `calibrate table --north` and watch with that rig"};
  }
  return choice;
} catch (const cv::Exception& e) {
  return Error{ErrorCode::kDegenerate, std::string("deployment: ") + e.err};
}

Result<DeploymentChoice> ChooseByPose(const std::vector<TableRegistration>& candidates,
                                      const TableFrame& frame, const KnownPose& before) {
  FOS_CHECK(!candidates.empty());
  const std::array<Vec2, 4> corners = frame.Corners();
  std::vector<double> gone_px;
  for (const TableRegistration& candidate : candidates) {
    const TableCamera was = MakeTableCamera(candidate.camera.lens, before.rvec, before.tvec);
    double sum = 0;
    for (const Vec2 corner : corners) {
      const ImagePoint then = ImageFromTable(was, corner, 0);
      const ImagePoint now = ImageFromTable(candidate.camera, corner, 0);
      sum += std::hypot(now.x_px - then.x_px, now.y_px - then.y_px);
    }
    gone_px.push_back(sum / static_cast<double>(corners.size()));
  }
  const auto best = std::min_element(gone_px.begin(), gone_px.end());
  double next = std::numeric_limits<double>::infinity();
  for (auto it = gone_px.begin(); it != gone_px.end(); ++it) {
    if (it != best) next = std::min(next, *it);
  }
  // A square board turned by 30 degrees is half as far from where it was as from a quarter turn on.
  constexpr double kPlain = 0.5;
  if (!(*best < kPlain * next)) {
    return Error{ErrorCode::kDegenerate,
                 "the grid is found, but not which side of the table is north: the camera does not "
                 "hang as it did"};
  }
  return DeploymentChoice{static_cast<std::size_t>(best - gone_px.begin()), 1 - *best / next};
}

namespace {

Result<TableRegistration> RegisterByLines(const cv::Mat& bgr, const CameraModel& lens,
                                          const TableFrame& frame, const Scenario& scenario,
                                          const RegistrationOptions& options) {
  auto placements = RegisterFromGrid(bgr, lens, frame, options);
  if (!placements.ok()) {
    if (!options.before || placements.error().code != ErrorCode::kNotFound) {
      return placements.error();
    }
    auto there = RegisterFromPose(bgr, lens, frame, *options.before, options);
    if (there.ok()) return there;
    return placements.error();
  }
  const auto take = [&](const DeploymentChoice& choice) {
    return std::move((*placements)[choice.index]);
  };
  std::optional<DeploymentChoice> as_before;
  if (options.before) {
    if (const auto choice = ChooseByPose(*placements, frame, *options.before); choice.ok())
      as_before = *choice;
  }
  if (as_before && options.before->in_this_game) return take(*as_before);
  const auto deployed = ChooseByDeployment(bgr, *placements, frame, scenario);
  if (deployed.ok()) return take(*deployed);
  if (as_before && deployed.error().code == ErrorCode::kDegenerate) return take(*as_before);
  return deployed.error();
}

}  // namespace

Result<TableRegistration> RegisterTable(const cv::Mat& bgr, const CameraModel& lens,
                                        const TableSpec& table, const Scenario& scenario,
                                        const RegistrationOptions& options) try {
  if (bgr.empty() || bgr.type() != CV_8UC3) {
    return Error{ErrorCode::kBadFormat, "table registration: want a colour picture"};
  }
  if (table.fiducials) {
    auto found = RegisterTable(bgr, lens, table, options);
    // Markers that are all hidden leave the grid.
    if (found.ok() || found.error().code != ErrorCode::kNotFound) return found;
    auto by_lines = RegisterByLines(bgr, lens, table.frame, scenario, options);
    if (!by_lines.ok()) return found;
    TellMarkersUnread(by_lines.value(), *table.fiducials);
    return by_lines;
  }
  return RegisterByLines(bgr, lens, table.frame, scenario, options);
} catch (const cv::Exception& e) {
  return Error{ErrorCode::kDegenerate, std::string("table registration: ") + e.err};
}

}  // namespace fos
