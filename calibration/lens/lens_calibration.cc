#include "calibration/lens/lens_calibration.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <optional>

#include <fmt/format.h>
#include <opencv2/calib3d.hpp>

#include "calibration/camera/sampling.h"
#include "calibration/lens/lens_fit.h"

namespace fos {
namespace {

constexpr std::size_t kFewestCorners = 10;  // of a view: a pose alone takes up three of them
constexpr std::size_t kFewestViews = 4;

using Finder = std::function<Result<BoardView>(const LensView&)>;

// The corners span an area, not a single row.
bool Spread(const BoardView& view) {
  cv::Matx22d sum = cv::Matx22d::zeros();
  Vec2 mean;
  for (const Vec2 p : view.board_in) mean = mean + p / static_cast<double>(view.board_in.size());
  for (const Vec2 p : view.board_in) {
    const cv::Vec2d d(p.x - mean.x, p.y - mean.y);
    sum += d * d.t();
  }
  const double trace = sum(0, 0) + sum(1, 1);
  const double det = sum(0, 0) * sum(1, 1) - sum(0, 1) * sum(0, 1);
  constexpr double kFlat = 0.01;
  return det > kFlat * trace * trace / 4;
}

// Which corner of the picture no board corner ever came near; empty when all did. Bending grows
// with the distance from the middle and is much the same all round, so one corner that is reached
// well speaks for those that are reached less well.
std::string NeverCovered(const std::vector<BoardView>& views, cv::Size picture) {
  constexpr double kWell = 0.3;  // of the width and height, from the corner
  constexpr double kNear = 0.36;
  std::string furthest;
  double furthest_share = 0;
  double nearest_share = 1;
  for (const auto& [name, right, bottom] :
       {std::tuple{"top left", false, false}, std::tuple{"top right", true, false},
        std::tuple{"bottom left", false, true}, std::tuple{"bottom right", true, true}}) {
    double share = 1;
    for (const BoardView& view : views) {
      for (const ImagePoint p : view.seen) {
        const double x = right ? picture.width - 1 - p.x_px : p.x_px;
        const double y = bottom ? picture.height - 1 - p.y_px : p.y_px;
        share = std::min(share, std::max(x / picture.width, y / picture.height));
      }
    }
    nearest_share = std::min(nearest_share, share);
    if (share > furthest_share) {
      furthest_share = share;
      furthest = name;
    }
  }
  if (furthest_share < kNear && nearest_share < kWell) return {};
  return furthest;
}

// Largest angle between the boards' normals, degrees.
double TiltRange(const std::vector<BoardPose>& poses) {
  std::vector<cv::Vec3d> normals;
  for (const BoardPose& pose : poses) {
    cv::Matx33d rotation;
    cv::Rodrigues(pose.rvec, rotation);
    normals.emplace_back(rotation(0, 2), rotation(1, 2), rotation(2, 2));
  }
  double range = 0;
  for (std::size_t i = 0; i < normals.size(); ++i) {
    for (std::size_t j = i + 1; j < normals.size(); ++j) {
      range = std::max(range, std::acos(std::clamp(normals[i].dot(normals[j]), -1.0, 1.0)));
    }
  }
  return range * 180 / CV_PI;
}

std::string_view NameOf(LensTerms terms) {
  switch (terms) {
    case LensTerms::kK1:
      return "k1";
    case LensTerms::kK1K2:
      return "k1 k2";
    case LensTerms::kK1K2P1P2:
      return "k1 k2 p1 p2";
    case LensTerms::kK1K2P1P2K3:
      return "k1 k2 p1 p2 k3";
    case LensTerms::kFisheye:
      return "fisheye k1 k2 k3 k4";
  }
  throw std::logic_error("no such lens");
}

// The lens must see something in every corner of its own picture.
bool Whole(const CameraModel& camera) {
  const double right = camera.width_px - 1;
  const double bottom = camera.height_px - 1;
  for (const ImagePoint at :
       {ImagePoint{0, 0}, {right, 0}, {0, bottom}, {right, bottom}, {right / 2, bottom / 2}}) {
    if (!Undistort(camera, at)) return false;
  }
  return true;
}

// Rms over views that were left out of the fit, each in turn with its fold; infinite when a fit
// fails. Each view counts as sharply as its own corners are known.
double HeldOut(const std::vector<BoardView>& views, cv::Size picture, LensTerms terms) {
  const std::size_t folds = std::min<std::size_t>(4, views.size());
  std::vector<double> rms;
  for (std::size_t fold = 0; fold < folds; ++fold) {
    std::vector<BoardView> in;
    std::vector<BoardView> out;
    for (std::size_t i = 0; i < views.size(); ++i)
      (i % folds == fold ? out : in).push_back(views[i]);
    const auto fit = FitLens(in, picture, terms);
    if (!fit.ok() || !Whole(fit->camera)) return INFINITY;
    for (const BoardView& view : out) {
      const auto posed = PoseBoard(view, fit->camera);
      if (!posed.ok()) return INFINITY;
      rms.push_back(posed->rms_px);
    }
  }
  // The middle view speaks: one blurred or bent view does not choose the model.
  double squares = 0;
  std::sort(rms.begin(), rms.end());
  const std::size_t most = std::max<std::size_t>(1, rms.size() * 3 / 4);
  for (std::size_t i = 0; i < most; ++i) squares += rms[i] * rms[i];
  return std::sqrt(squares / static_cast<double>(most));
}

Error TooFew(const std::vector<std::string>& left_out, std::size_t good) {
  std::string why;
  for (const std::string& line : left_out) why += (why.empty() ? "" : "; ") + line;
  return Error{ErrorCode::kDegenerate,
               fmt::format("only {} views can be used, at least {} are needed{}; show the board "
                           "larger, sharper and from more sides",
                           good, kFewestViews, why.empty() ? "" : " (" + why + ")")};
}

// From views whose corners have been found; `out` knows what was left out of them already.
Result<LensCalibration> Solve(std::vector<BoardView> good, cv::Size picture, LensCalibration out) {
  // Blurred: edges smeared over more than the typical view's, and over a good part of a square.
  std::vector<double> blurs;
  for (const BoardView& view : good) blurs.push_back(view.blur_px / view.square_px);
  const double usual = Median(blurs);
  std::vector<BoardView> sharp;
  for (BoardView& view : good) {
    const double blur = view.blur_px / view.square_px;
    constexpr double kSmeared = 0.12;   // of a square: the saddle is no longer a corner's own
    constexpr double kUnusual = 2.5;    // times the typical view
    constexpr double kHarmless_px = 2;  // no sharper view is needed
    if (blur > kSmeared || (blur > kUnusual * usual && view.blur_px > kHarmless_px)) {
      out.left_out.push_back(
          fmt::format("{}: blurred (edges {:.1f} px wide)", view.name, 2.5 * view.blur_px));
    } else {
      sharp.push_back(std::move(view));
    }
  }
  good = std::move(sharp);
  if (good.size() < kFewestViews) return TooFew(out.left_out, good.size());

  // Those that do not agree with the rest: a bent board, a copy at another scale, a moved focus.
  constexpr int kMostRounds = 4;
  for (int round = 0; round < kMostRounds; ++round) {
    const auto fit = FitLens(good, picture, LensTerms::kK1K2P1P2);
    if (!fit.ok()) return fit.error();
    const double typical = Median(fit->sigma_px);
    std::vector<BoardView> agree;
    for (std::size_t i = 0; i < good.size(); ++i) {
      constexpr double kDisagrees = 6;
      constexpr double kHarmless_px = 0.3;
      if (fit->sigma_px[i] > kDisagrees * typical && fit->sigma_px[i] > kHarmless_px) {
        out.left_out.push_back(fmt::format("{}: does not agree with the other views ({:.2f} px)",
                                           good[i].name, fit->sigma_px[i]));
      } else {
        agree.push_back(good[i]);
      }
    }
    const bool same = agree.size() == good.size();
    good = std::move(agree);
    if (good.size() < kFewestViews) return TooFew(out.left_out, good.size());
    if (!same) continue;
    constexpr double kLeastTilt_deg = 15;
    if (const double range = TiltRange(fit->poses); range < kLeastTilt_deg) {
      return Error{ErrorCode::kDegenerate,
                   fmt::format("all views are nearly parallel (within {:.0f} degrees), so focal "
                               "length and distance cannot be told apart; tilt the board by 20 to "
                               "40 degrees, to all four sides",
                               range)};
    }
    break;
  }
  if (const std::string corner = NeverCovered(good, picture); !corner.empty()) {
    return Error{ErrorCode::kDegenerate,
                 fmt::format("the {} corner of the picture is never covered, and lenses bend most "
                             "there; add views with the board in it, partly out of the picture",
                             corner)};
  }

  // The simplest lens that does nearly as well on left-out views as the best.
  constexpr std::array kModels = {LensTerms::kK1, LensTerms::kK1K2, LensTerms::kK1K2P1P2,
                                  LensTerms::kK1K2P1P2K3, LensTerms::kFisheye};
  std::array<double, kModels.size()> rms{};
  for (std::size_t i = 0; i < kModels.size(); ++i) rms[i] = HeldOut(good, picture, kModels[i]);
  const double best = *std::min_element(rms.begin(), rms.end());
  if (!std::isfinite(best)) {
    return Error{ErrorCode::kDegenerate,
                 "the views do not fix a lens; add views from more sides and distances"};
  }
  std::size_t chosen = 0;
  constexpr double kNearly = 1.02;
  while (rms[chosen] > kNearly * best) ++chosen;
  const auto fit = FitLens(good, picture, kModels[chosen]);
  if (!fit.ok()) return fit.error();
  out.camera = fit->camera;
  out.fit_rms_px = fit->rms_px;
  out.held_out_rms_px = rms[chosen];
  out.camera.rms_px = rms[chosen];
  out.model = NameOf(kModels[chosen]);
  for (const BoardView& view : good) out.used.push_back(view.name);

  const double focal_sigma = std::sqrt((*out.camera.covariance)(0, 0)) / out.camera.fx_px;
  constexpr double kLoose = 0.01;
  if (focal_sigma > kLoose) {
    return Error{ErrorCode::kDegenerate,
                 fmt::format("the focal length is only known to {:.1f} %; add views with the board "
                             "tilted by 20 to 40 degrees",
                             100 * focal_sigma)};
  }
  return out;
}

Result<LensCalibration> Calibrate(const std::vector<LensView>& views, const Finder& find) {
  LensCalibration out;
  std::vector<BoardView> good;
  cv::Size picture;
  std::optional<Error> last;
  for (const LensView& view : views) {
    if (view.grey.empty() || view.grey.type() != CV_8UC1) {
      return Error{ErrorCode::kBadFormat, view.name + ": not a grey 8-bit picture"};
    }
    if (picture.empty()) picture = view.grey.size();
    if (view.grey.size() != picture) {
      return Error{
          ErrorCode::kBadFormat,
          fmt::format("{} is {} x {}, the views before it {} x {}; all views must come "
                      "from the same camera at the same size",
                      view.name, view.grey.cols, view.grey.rows, picture.width, picture.height)};
    }
    const auto found = find(view);
    if (!found.ok()) {
      if (found.error().code == ErrorCode::kBadFormat) return found.error();
      out.left_out.push_back(found.error().message);
      last = found.error();
    } else if (found->seen.size() < kFewestCorners || !Spread(found.value())) {
      out.left_out.push_back(
          fmt::format("{}: only {} corners in the picture", view.name, found->seen.size()));
    } else {
      good.push_back(found.value());
    }
  }
  if (good.empty()) {
    return Error{ErrorCode::kNotFound,
                 fmt::format("no view shows the board{}",
                             last ? " (" + last->message + ")" : std::string(": there are none"))};
  }
  return Solve(std::move(good), picture, std::move(out));
}

}  // namespace

Result<LensCalibration> CalibrateLens(const std::vector<LensView>& views,
                                      const CharucoSpec& board) {
  return Calibrate(views,
                   [&](const LensView& view) { return FindCharuco(view.name, view.grey, board); });
}

Result<LensCalibration> CalibrateLens(const std::vector<LensView>& views,
                                      const ChessboardSpec& board) {
  return Calibrate(
      views, [&](const LensView& view) { return FindChessboard(view.name, view.grey, board); });
}

Result<LensCalibration> CalibrateLens(const std::vector<LensView>& views,
                                      const MarkerGridSpec& board) {
  return Calibrate(
      views, [&](const LensView& view) { return FindMarkerGrid(view.name, view.grey, board); });
}

Result<LensCalibration> CalibrateLens(const std::vector<BoardView>& views, cv::Size picture) {
  LensCalibration out;
  std::vector<BoardView> good;
  for (const BoardView& view : views) {
    if (view.seen.size() >= kFewestCorners && Spread(view)) {
      good.push_back(view);
    } else {
      out.left_out.push_back(
          fmt::format("{}: only {} corners in the picture", view.name, view.seen.size()));
    }
  }
  if (good.size() < kFewestViews) return TooFew(out.left_out, good.size());
  return Solve(std::move(good), picture, std::move(out));
}

double TableErrorOfLens(const CameraModel& camera) {
  if (!camera.covariance) return 0;
  // A flat table straight below, seen at a grid of places; the pose moves it by six small numbers.
  constexpr int kPlaces = 9;
  std::vector<cv::Vec2d> rays;
  for (int j = 0; j < kPlaces; ++j) {
    for (int i = 0; i < kPlaces; ++i) {
      const auto ray = Undistort(camera, {(camera.width_px - 1) * i / (kPlaces - 1.0),
                                          (camera.height_px - 1) * j / (kPlaces - 1.0)});
      if (ray) rays.push_back(*ray);
    }
  }
  const int rows = 2 * static_cast<int>(rays.size());
  cv::Mat_<double> by_pose(rows, 6);
  cv::Mat_<double> by_lens(rows, 9);
  for (std::size_t k = 0; k < rays.size(); ++k) {
    const int row = 2 * static_cast<int>(k);
    const double x = rays[k][0];
    const double y = rays[k][1];
    const ImagePoint at = Distort(camera, x, y);
    constexpr double kStep = 1e-6;
    const ImagePoint ax = Distort(camera, x + kStep, y);
    const ImagePoint ay = Distort(camera, x, y + kStep);
    const cv::Matx22d by_ray((ax.x_px - at.x_px) / kStep, (ay.x_px - at.x_px) / kStep,
                             (ax.y_px - at.y_px) / kStep, (ay.y_px - at.y_px) / kStep);
    // Turns about x, y, z and shifts of a point at distance 1.
    const cv::Matx<double, 2, 6> ray_by_pose(-x * y, 1 + x * x, -y, 1, 0, -x, -(1 + y * y), x * y,
                                             x, 0, 1, -y);
    const cv::Matx<double, 2, 6> pose = by_ray * ray_by_pose;
    for (int c = 0; c < 6; ++c) {
      by_pose(row, c) = pose(0, c);
      by_pose(row + 1, c) = pose(1, c);
    }
    for (int c = 0; c < 9; ++c) {
      CameraModel moved = camera;
      const double step = c < 4 ? 1e-3 : 1e-6;
      const std::array<double*, 4> numbers = {&moved.fx_px, &moved.fy_px, &moved.cx_px,
                                              &moved.cy_px};
      if (c < 4) {
        *numbers[static_cast<std::size_t>(c)] += step;
      } else {
        moved.distortion[static_cast<std::size_t>(c - 4)] += step;
      }
      const ImagePoint there = Distort(moved, x, y);
      by_lens(row, c) = (there.x_px - at.x_px) / step;
      by_lens(row + 1, c) = (there.y_px - at.y_px) / step;
    }
  }
  // What least squares over the pose cannot take away.
  cv::Mat_<double> taken;
  cv::solve(by_pose, by_lens, taken, cv::DECOMP_SVD);
  cv::Mat_<double> left;
  cv::subtract(by_lens, cv::Mat(by_pose * taken), left);
  const cv::Mat_<double> covariance(cv::Mat(*camera.covariance).clone());
  double worst = 0;
  for (int k = 0; k < rows; k += 2) {
    const cv::Mat two = left.rowRange(k, k + 2);
    const cv::Mat_<double> cov(cv::Mat(two * covariance * two.t()));
    worst = std::max(worst, cov(0, 0) + cov(1, 1));
  }
  return std::sqrt(worst);
}

}  // namespace fos
