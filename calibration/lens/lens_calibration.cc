// SPDX-License-Identifier: MIT
#include "calibration/lens/lens_calibration.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>
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

// Which ninth of the picture, row by row from the top left.
std::size_t NinthOf(ImagePoint at, cv::Size picture) {
  const auto third = [](double share) {
    return static_cast<std::size_t>(std::clamp(static_cast<int>(3 * share), 0, 2));
  };
  return 3 * third(at.y_px / picture.height) + third(at.x_px / picture.width);
}

struct SquareSum {
  double squares = 0;
  std::size_t count = 0;
  void Add(double distance) {
    squares += distance * distance;
    ++count;
  }
  double Rms() const { return count > 0 ? std::sqrt(squares / static_cast<double>(count)) : 0.0; }
};

// How far the corners of views that were left out of the fit lie from where it puts them.
struct LeftOut {
  SquareSum all;
  std::array<SquareSum, 9> by_ninth;
};

// Every view is left out once, one or several at a time. Empty when a fit fails.
std::optional<LeftOut> CrossValidate(const std::vector<BoardView>& views, cv::Size picture,
                                     CameraModel::Lens lens) {
  constexpr std::size_t kMostFolds = 10;  // nine tenths of the views fit nearly as all of them do
  const std::size_t folds = std::min(kMostFolds, views.size());
  LeftOut out;
  for (std::size_t fold = 0; fold < folds; ++fold) {
    std::vector<BoardView> fitted;
    std::vector<BoardView> left_out;
    for (std::size_t i = 0; i < views.size(); ++i) {
      (i % folds == fold ? left_out : fitted).push_back(views[i]);
    }
    const auto fit = FitLens(fitted, picture, lens);
    if (!fit.ok() || !CheckCamera(fit->camera).ok()) return std::nullopt;
    for (const BoardView& view : left_out) {
      const auto posed = PoseBoard(view, fit->camera);
      if (!posed.ok()) return std::nullopt;
      for (std::size_t i = 0; i < view.seen.size(); ++i) {
        out.all.Add(posed->distance_px[i]);
        out.by_ninth[NinthOf(view.seen[i], picture)].Add(posed->distance_px[i]);
      }
    }
  }
  return out;
}

Error TooFew(const std::vector<std::string>& left_out, std::size_t good) {
  std::string why;
  for (const std::string& line : left_out) why += (why.empty() ? "" : "; ") + line;
  return Error{ErrorCode::kDegenerate,
               fmt::format("only {} {} can be used, at least {} are needed{}; show the board "
                           "larger, sharper and from more sides",
                           good, good == 1 ? "view" : "views", kFewestViews,
                           why.empty() ? "" : " (" + why + ")")};
}

// Leaves out the blurred views: edges smeared over more than the typical view's, and over a good
// part of a square.
void LeaveOutBlurred(std::vector<BoardView>& views, std::vector<std::string>& left_out) {
  std::vector<double> blurs;
  for (const BoardView& view : views) blurs.push_back(view.blur_px / view.square_px);
  const double usual = Median(blurs);
  std::erase_if(views, [&](const BoardView& view) {
    const double blur = view.blur_px / view.square_px;
    constexpr double kSmeared = 0.12;   // of a square: the saddle is no longer a corner's own
    constexpr double kUnusual = 2.5;    // times the typical view
    constexpr double kHarmless_px = 2;  // no sharper view is needed
    if (blur <= kSmeared && (blur <= kUnusual * usual || view.blur_px <= kHarmless_px)) {
      return false;
    }
    left_out.push_back(
        fmt::format("{}: blurred (edges {:.1f} px wide)", view.name, 2.5 * view.blur_px));
    return true;
  });
}

// Leaves out copies of a view: they would count its noise twice, and a view that is left out of the
// fit would still be in it.
void LeaveOutCopies(std::vector<BoardView>& views, std::vector<std::string>& left_out) {
  const auto same = [](const ImagePoint& a, const ImagePoint& b) {
    return a.x_px == b.x_px && a.y_px == b.y_px;
  };
  std::vector<BoardView> kept;
  for (BoardView& view : views) {
    const auto first = std::find_if(kept.begin(), kept.end(), [&](const BoardView& one) {
      return std::equal(one.seen.begin(), one.seen.end(), view.seen.begin(), view.seen.end(), same);
    });
    if (first == kept.end()) {
      kept.push_back(std::move(view));
    } else {
      left_out.push_back(fmt::format("{}: the same picture as {}", view.name, first->name));
    }
  }
  views = std::move(kept);
}

// The size that more than half of the views have.
// errors  kBadFormat: there is none.
Result<cv::Size> CommonSize(const std::vector<LensView>& views) {
  std::map<std::pair<int, int>, std::size_t> counts;
  for (const LensView& view : views) ++counts[{view.grey.cols, view.grey.rows}];
  for (const auto& [size, count] : counts) {
    if (2 * count > views.size()) return cv::Size(size.first, size.second);
  }
  const LensView& first = views.front();
  const auto other = std::find_if(views.begin(), views.end(), [&](const LensView& view) {
    return view.grey.size() != first.grey.size();
  });
  return Error{ErrorCode::kBadFormat,
               fmt::format("{} is {} x {}, {} is {} x {}, and no size is that of most views; all "
                           "views must come from the same camera at the same size",
                           first.name, first.grey.cols, first.grey.rows, other->name,
                           other->grey.cols, other->grey.rows)};
}

// Leaves out the views that do not agree with the rest: a bent board, a copy at another scale, a
// moved focus.
// errors  kDegenerate when the views do not fix a lens.
Status LeaveOutDisagreeing(std::vector<BoardView>& views, cv::Size picture,
                           std::vector<std::string>& left_out) {
  constexpr int kMostRounds = 4;
  for (int round = 0; round < kMostRounds; ++round) {
    if (views.size() < kFewestViews) return TooFew(left_out, views.size());
    const auto fit = FitLens(views, picture, CameraModel::Lens::kBrownConrady);
    if (!fit.ok()) return fit.error();
    const double typical = Median(fit->sigma_px);
    std::vector<BoardView> agree;
    for (std::size_t i = 0; i < views.size(); ++i) {
      constexpr double kDisagrees = 6;
      constexpr double kHarmless_px = 0.3;
      if (fit->sigma_px[i] > kDisagrees * typical && fit->sigma_px[i] > kHarmless_px) {
        left_out.push_back(fmt::format("{}: does not agree with the other views ({:.2f} px)",
                                       views[i].name, fit->sigma_px[i]));
      } else {
        agree.push_back(views[i]);
      }
    }
    const bool same = agree.size() == views.size();
    views = std::move(agree);
    if (!same) continue;
    constexpr double kLeastTilt_deg = 15;
    if (const double range = TiltRange(fit->poses); range < kLeastTilt_deg) {
      return Error{ErrorCode::kDegenerate,
                   fmt::format("all views are nearly parallel (within {:.0f} degrees), so focal "
                               "length and distance cannot be told apart; tilt the board by 20 to "
                               "40 degrees, to all four sides",
                               range)};
    }
    return Ok();
  }
  return views.size() < kFewestViews ? Status(TooFew(left_out, views.size())) : Ok();
}

// How the corners of the picture, and what lies between them, read in a sentence.
constexpr std::array<const char*, 9> kNinths = {"top left",    "top",    "top right",
                                                "left",        "middle", "right",
                                                "bottom left", "bottom", "bottom right"};

// A table of this width that fills the picture gives pixels their worth.
double PixelsPerTableInch(const CameraModel& camera) { return camera.width_px / kCommonTable_in; }

// Fills in the quality, its reason, and what can be done.
void JudgeLens(LensCalibration& lens) {
  const double px_per_in = PixelsPerTableInch(lens.camera);
  // Differences of 0.04 in are what people see with a rule in their hands.
  constexpr double kSeen_in = 0.04;
  std::size_t worst = 4;
  double worst_in = 0;
  std::vector<std::string> unseen;
  double unseen_px = 0;
  for (std::size_t i = 0; i < lens.regions.size(); ++i) {
    const LensRegion& region = lens.regions[i];
    if (const double error_in = std::max(region.held_out_rms_px, region.doubt_px) / px_per_in;
        error_in > worst_in) {
      worst = i;
      worst_in = error_in;
    }
    if (2 * region.doubt_px > kSeen_in * px_per_in) {
      unseen.emplace_back(kNinths[i]);
      unseen_px = std::max(unseen_px, 2 * region.doubt_px);
    }
  }
  lens.worst_region = kNinths[worst];
  lens.quality = worst_in <= kSeen_in / 2 ? LensQuality::kGood
                 : worst_in <= kSeen_in   ? LensQuality::kUsable
                                          : LensQuality::kPoor;
  // Square pixels are known to 0.2 %.
  constexpr double kStretched = 0.02;
  if (const double ratio = lens.camera.fx_px / lens.camera.fy_px;
      std::abs(ratio - 1) > kStretched) {
    lens.advice = fmt::format(
        "the pictures are stretched: everything in them is {:.2f} times as {} as it is; choose a "
        "picture size of the camera's own shape, or use this lens with this size alone",
        std::max(ratio, 1 / ratio), ratio > 1 ? "wide" : "high");
  } else if (!unseen.empty()) {
    lens.advice = fmt::format(
        "too little was seen {} {} of the picture: there the lens is only known to ±{:.1f} px; if "
        "the table reaches there, add views with the board there, partly out of the picture",
        unseen.size() == 1 && unseen[0] == "middle" ? "in the" : "at the", fmt::join(unseen, ", "),
        unseen_px);
  } else if (lens.quality != LensQuality::kGood) {
    lens.advice = fmt::format(
        "the corners of left-out views are off by {:.2f} px at the {} of the picture; use a flat, "
        "stiff board, hold it still and bring more light",
        lens.regions[worst].held_out_rms_px, kNinths[worst]);
  }
}

// A lens whose left-out corners miss by more than twice what is usable, anywhere in the picture, is
// none: every table under it would be called not to be trusted. Where no board was seen is another
// matter: there the stated doubt grows, and nothing may lie there.
// errors  kDegenerate, with what to do.
Status RefuseBadRegions(const LensCalibration& lens) {
  constexpr double kUseless_in = 0.08;  // on a table that fills the picture
  const double most_px = kUseless_in * PixelsPerTableInch(lens.camera);
  for (std::size_t i = 0; i < lens.regions.size(); ++i) {
    if (lens.regions[i].held_out_rms_px <= most_px) continue;
    return Error{ErrorCode::kDegenerate,
                 fmt::format("corners of left-out views are off by {:.1f} px at the {} of the "
                             "picture, where {:.1f} px is the most of use; glue the board to "
                             "something flat and stiff, fix the focus, hold the board still for "
                             "each view, and take the views again",
                             lens.regions[i].held_out_rms_px, kNinths[i], most_px)};
  }
  return Ok();
}

// From views whose corners have been found; `out` knows what was left out of them already.
Result<LensCalibration> Solve(std::vector<BoardView> good, cv::Size picture, LensCalibration out) {
  LeaveOutCopies(good, out.left_out);
  LeaveOutBlurred(good, out.left_out);
  if (const Status agree = LeaveOutDisagreeing(good, picture, out.left_out); !agree.ok()) {
    return agree.error();
  }
  // The fisheye polynomial only where it predicts left-out views better.
  const auto brown = CrossValidate(good, picture, CameraModel::Lens::kBrownConrady);
  const auto fisheye = CrossValidate(good, picture, CameraModel::Lens::kFisheye);
  if (!brown && !fisheye) {
    return Error{ErrorCode::kDegenerate,
                 "the views do not fix a lens; add views from more sides and distances"};
  }
  constexpr double kNearly = 1.02;
  const bool is_fisheye = !brown || (fisheye && kNearly * fisheye->all.Rms() < brown->all.Rms());
  const LeftOut& held_out = is_fisheye ? *fisheye : *brown;
  const auto fit = FitLens(
      good, picture, is_fisheye ? CameraModel::Lens::kFisheye : CameraModel::Lens::kBrownConrady);
  if (!fit.ok()) return fit.error();
  if (const Status whole = CheckCamera(fit->camera); !whole.ok()) return whole.error();
  out.camera = fit->camera;
  out.fit_rms_px = fit->rms_px;
  out.held_out_rms_px = out.camera.rms_px = held_out.all.Rms();
  out.model = is_fisheye ? "fisheye k1 k2 k3 k4" : "k1 k2 p1 p2 k3";
  for (const BoardView& view : good) out.used.push_back(view.name);
  const std::array<double, 9> doubt_px = DoubtOfLens(out.camera);
  for (std::size_t i = 0; i < out.regions.size(); ++i) {
    constexpr std::size_t kEnough = 20;  // corners, for an rms that is known to 16 %
    const SquareSum& seen = held_out.by_ninth[i];
    out.regions[i] = {seen.count, seen.count < kEnough ? 0.0 : seen.Rms(), doubt_px[i]};
  }
  JudgeLens(out);
  if (const Status bad = RefuseBadRegions(out); !bad.ok()) return bad.error();

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
  std::optional<Error> last;
  for (const LensView& view : views) {
    if (view.grey.empty() || view.grey.type() != CV_8UC1) {
      return Error{ErrorCode::kBadFormat, view.name + ": not a grey 8-bit picture"};
    }
  }
  const Result<cv::Size> picture = views.empty() ? cv::Size() : CommonSize(views);
  if (!picture.ok()) return picture.error();
  for (const LensView& view : views) {
    if (view.grey.size() != *picture) {
      out.left_out.push_back(fmt::format("{} is {} x {}, most views are {} x {}", view.name,
                                         view.grey.cols, view.grey.rows, picture->width,
                                         picture->height));
      continue;
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
  return Solve(std::move(good), *picture, std::move(out));
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

std::array<double, 9> DoubtOfLens(const CameraModel& camera) {
  std::array<double, 9> out{};
  if (!camera.covariance) return out;
  // A flat table straight below, seen at a grid of places; the pose moves it by six small numbers.
  constexpr int kPlaces = 9;
  std::vector<cv::Vec2d> rays;
  std::vector<std::size_t> ninths;
  for (int j = 0; j < kPlaces; ++j) {
    for (int i = 0; i < kPlaces; ++i) {
      const ImagePoint at{(camera.width_px - 1) * i / (kPlaces - 1.0),
                          (camera.height_px - 1) * j / (kPlaces - 1.0)};
      const auto ray = Undistort(camera, at);
      if (!ray) continue;
      rays.push_back(*ray);
      ninths.push_back(NinthOf(at, {camera.width_px, camera.height_px}));
    }
  }
  const int rows = 2 * static_cast<int>(rays.size());
  cv::Mat_<double> by_pose(rows, 6);
  cv::Mat_<double> by_lens(rows, 9);
  for (std::size_t k = 0; k < rays.size(); ++k) {
    const int row = 2 * static_cast<int>(k);
    const double x = rays[k][0];
    const double y = rays[k][1];
    const DistortDerivative by = DerivativeOf(camera, x, y);
    // Turns about x, y, z and shifts of a point at distance 1.
    const cv::Matx<double, 2, 6> ray_by_pose(-x * y, 1 + x * x, -y, 1, 0, -x, -(1 + y * y), x * y,
                                             x, 0, 1, -y);
    cv::Mat(by.by_ray * ray_by_pose).copyTo(by_pose.rowRange(row, row + 2));
    cv::Mat(by.by_lens).copyTo(by_lens.rowRange(row, row + 2));
  }
  const cv::Mat_<double> covariance(cv::Mat(*camera.covariance).clone());
  const auto variance_of = [&](const cv::Mat_<double>& by_number, std::size_t place) {
    const int row = 2 * static_cast<int>(place);
    const cv::Mat two = by_number.rowRange(row, row + 2);
    const cv::Mat_<double> cov(cv::Mat(two * covariance * two.t()));
    return std::max(0.0, cov(0, 0) + cov(1, 1));
  };
  // What least squares over the pose cannot take away. Places count by how well the lens is known
  // there, so that doubt about a corner where no board was seen stays in that corner. How well that
  // is depends on the pose in turn: at first it is what no pose has taken anything away from.
  std::vector<double> variances;  // px squared
  for (std::size_t k = 0; k < rays.size(); ++k) variances.push_back(variance_of(by_lens, k));
  constexpr int kMostRounds = 200;
  bool settled = false;
  for (int round = 0; round < kMostRounds && !settled; ++round) {
    settled = true;
    cv::Mat_<double> pose = by_pose.clone();
    cv::Mat_<double> lens = by_lens.clone();
    for (int row = 0; row < rows; ++row) {
      constexpr double kCorner_px = 0.1;  // how well a place is seen at best
      const double weight =
          1 / std::sqrt(kCorner_px * kCorner_px + variances[static_cast<std::size_t>(row / 2)]);
      pose.row(row) *= weight;
      lens.row(row) *= weight;
    }
    cv::Mat_<double> taken;
    cv::solve(pose, lens, taken, cv::DECOMP_SVD);
    cv::Mat_<double> left;
    cv::subtract(by_lens, cv::Mat(by_pose * taken), left);
    for (std::size_t k = 0; k < rays.size(); ++k) {
      const double variance = variance_of(left, k);
      constexpr double kSettled = 0.02;  // of the variance: a hundredth of the doubt
      settled = settled && std::abs(variance - variances[k]) <= kSettled * variance;
      variances[k] = variance;
    }
  }
  for (std::size_t k = 0; k < rays.size(); ++k) {
    out[ninths[k]] = std::max(out[ninths[k]], std::sqrt(variances[k]));
  }
  return out;
}

double TableErrorOfLens(const CameraModel& camera) {
  const std::array<double, 9> doubt_px = DoubtOfLens(camera);
  return *std::max_element(doubt_px.begin(), doubt_px.end());
}

const char* NameOf(LensQuality quality) {
  switch (quality) {
    case LensQuality::kGood:
      return "good";
    case LensQuality::kUsable:
      return "usable";
    case LensQuality::kPoor:
      return "poor";
  }
  throw std::logic_error("no such quality");
}

}  // namespace fos
