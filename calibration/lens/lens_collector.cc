// SPDX-License-Identifier: MIT
#include "calibration/lens/lens_collector.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <opencv2/calib3d.hpp>

#include "calibration/camera/pose_fit.h"
#include "calibration/lens/lens_fit.h"

namespace fos {
namespace {

// As CalibrateLens wants it: the corners of the picture count from 0.3 of its sides.
constexpr double kRim = 0.3;
constexpr double kTilted = 0.26;  // sine of 15 degrees: less says little about the focal length
constexpr double kNearFar = 1.35;

std::size_t Third(double x, double side) {
  if (x < kRim * side) return 0;
  return x > (1 - kRim) * side ? 2 : 1;
}

}  // namespace

std::string CollectionText(const LensCollection& c) {
  std::string out = fmt::format("{:2} of {} views   picture ", c.views, c.wanted);
  for (std::size_t i = 0; i < c.covered.size(); ++i) {
    if (i > 0 && i % 3 == 0) out += '/';
    out += c.covered[i] ? '#' : '.';
  }
  out += "   tilts";
  constexpr std::array<const char*, 4> kNames = {" left", " right", " top", " bottom"};
  for (std::size_t i = 0; i < c.tilted.size(); ++i) out += c.tilted[i] ? kNames[i] : " -";
  return out + (c.near_and_far ? "   near and far" : "   one distance");
}

Result<BoardView> LensCollector::Find(const std::string& name, const cv::Mat& grey) const {
  if (const auto* charuco = std::get_if<CharucoSpec>(&board_)) {
    return FindCharuco(name, grey, *charuco);
  }
  if (const auto* chess = std::get_if<ChessboardSpec>(&board_)) {
    return FindChessboard(name, grey, *chess);
  }
  return FindMarkerGrid(name, grey, std::get<MarkerGridSpec>(board_));
}

bool LensCollector::Still(const BoardView& view) const {
  if (!before_) return false;
  double sum = 0;
  double count = 0;
  for (std::size_t i = 0; i < view.seen.size(); ++i) {
    const auto same =
        std::find(before_->board_in.begin(), before_->board_in.end(), view.board_in[i]);
    if (same == before_->board_in.end()) continue;
    const ImagePoint then =
        before_->seen[static_cast<std::size_t>(same - before_->board_in.begin())];
    sum += std::hypot(then.x_px - view.seen[i].x_px, then.y_px - view.seen[i].y_px);
    count += 1;
  }
  const double scale = std::max(1.0, picture_.width / 1000.0);
  return count >= 4 && sum / count < options_.still_px * scale;
}

std::optional<LensCollector::Look> LensCollector::LookOf(const BoardView& view) const {
  CameraModel common = AssumedLens(picture_);
  const auto posed = PoseBoard(view, common);
  if (!posed.ok()) return std::nullopt;
  Look look;
  for (const ImagePoint p : view.seen) {
    look.middle += cv::Point2d(p.x_px / picture_.width, p.y_px / picture_.height) *
                   (1.0 / static_cast<double>(view.seen.size()));
  }
  look.size_px = view.square_px;
  cv::Matx33d rotation;
  cv::Rodrigues(posed->pose.rvec, rotation);
  look.normal = {rotation(0, 2), rotation(1, 2), rotation(2, 2)};
  if (look.normal[2] < 0) look.normal = -look.normal;
  return look;
}

bool LensCollector::Adds(const BoardView& view, const Look& look) const {
  for (const ImagePoint p : view.seen) {
    if (!now_.covered[3 * Third(p.y_px, picture_.height) + Third(p.x_px, picture_.width)]) {
      return true;
    }
  }
  // A view like one taken before says the same once more.
  return std::none_of(looks_.begin(), looks_.end(), [&](const Look& k) {
    constexpr double kSamePlace = 0.12;  // of the picture
    constexpr double kSameTilt = 0.17;   // ten degrees
    constexpr double kSameSize = 1.2;
    const double size = std::max(k.size_px, look.size_px) / std::min(k.size_px, look.size_px);
    return std::hypot(k.middle.x - look.middle.x, k.middle.y - look.middle.y) < kSamePlace &&
           cv::norm(k.normal - look.normal) < kSameTilt && size < kSameSize;
  });
}

void LensCollector::Count(const BoardView& view, const Look& look) {
  views_.push_back(view);
  looks_.push_back(look);
  for (const ImagePoint p : view.seen) {
    now_.covered[3 * Third(p.y_px, picture_.height) + Third(p.x_px, picture_.width)] = true;
  }
  // The board's side that is nearer to the camera.
  const double across = look.normal[0];
  const double down = look.normal[1];
  if (across < -kTilted) now_.tilted[0] = true;
  if (across > kTilted) now_.tilted[1] = true;
  if (down < -kTilted) now_.tilted[2] = true;
  if (down > kTilted) now_.tilted[3] = true;
  const auto [least, most] =
      std::minmax_element(looks_.begin(), looks_.end(),
                          [](const Look& a, const Look& b) { return a.size_px < b.size_px; });
  now_.near_and_far = most->size_px > kNearFar * least->size_px;
  now_.views = static_cast<int>(views_.size());
}

std::string LensCollector::Lacking() const {
  constexpr std::array<const char*, 9> kPlaces = {
      "the top left corner",    "the top edge",    "the top right corner",
      "the left edge",          "the middle",      "the right edge",
      "the bottom left corner", "the bottom edge", "the bottom right corner"};
  constexpr std::array<std::size_t, 9> kOrder = {4, 0, 2, 6, 8, 1, 3, 5, 7};
  constexpr std::array<const char*, 4> kSides = {"left", "right", "top", "bottom"};
  // Tilts and places in turn, so that a board that is carried about fills both.
  for (const std::size_t place : kOrder) {
    if (!now_.covered[place]) {
      return fmt::format("hold the board at {} of the picture{}", kPlaces[place],
                         place == 4 ? "" : "; partly out of it will do");
    }
  }
  for (std::size_t side = 0; side < kSides.size(); ++side) {
    if (!now_.tilted[side]) {
      return fmt::format("tilt the board: its {} side 20 to 40 degrees nearer to the camera",
                         kSides[side]);
    }
  }
  if (!now_.near_and_far) return "hold the board half as near again, or half as far";
  if (now_.views < now_.wanted) {
    return fmt::format("{} more, each tilted or placed another way", now_.wanted - now_.views);
  }
  return {};
}

const LensCollection& LensCollector::operator()(const std::string& name, const cv::Mat& grey) {
  if (now_.done) return now_;
  if (now_.wanted == 0) now_.wanted = options_.views;
  now_.taken = false;
  now_.corners.clear();
  now_.next = Lacking();
  const auto refuse = [&](std::string why) -> const LensCollection& {
    now_.last = std::move(why);
    return now_;
  };
  if (grey.empty() || grey.type() != CV_8UC1) return refuse("not a picture");
  if (picture_.empty()) picture_ = grey.size();
  if (grey.size() != picture_) return refuse("a picture of another size");
  auto view = Find(name, grey);
  if (!view.ok()) {
    before_.reset();
    return refuse("no board in view: " + view.error().message);
  }
  now_.corners = view->seen;
  const bool still = Still(view.value());
  before_ = view.value();
  constexpr std::size_t kFewestCorners = 10;
  if (view->seen.size() < kFewestCorners) return refuse("too little of the board is in view");
  if (!still) return refuse("hold it still");
  constexpr double kSmeared = 0.12;  // of a square: the saddle is no longer a corner's own
  if (view->blur_px > kSmeared * view->square_px) return refuse("blurred: more light, or focus");
  const auto look = LookOf(view.value());
  if (!look) return refuse("the board's corners lie in a row");
  if (!Adds(view.value(), *look)) return refuse("much like a view taken before");
  Count(view.value(), *look);
  now_.taken = true;
  now_.last = "taken";
  now_.next = Lacking();
  if (!now_.next.empty() && now_.views < options_.most) return now_;
  const auto lens = CalibrateLens(views_, picture_);
  if (lens.ok()) {
    lens_ = lens.value();
    now_.done = true;
    now_.next.clear();
  } else {
    constexpr int kMore = 3;
    now_.wanted = now_.views + kMore;
    now_.next = lens.error().message;
    // What only repeats itself must not go on for ever.
    now_.done = now_.views >= options_.most;
  }
  return now_;
}

Result<LensCalibration> LensCollector::Lens() const {
  if (lens_) return *lens_;
  if (views_.empty()) {
    return Error{ErrorCode::kNotFound,
                 "no view of the board was taken" +
                     (now_.last.empty() ? std::string() : "; the last picture: " + now_.last)};
  }
  auto lens = CalibrateLens(views_, picture_);
  if (lens.ok()) return lens;
  const std::string lacking = Lacking();
  return Error{lens.error().code,
               lens.error().message + (lacking.empty() ? "" : "; still lacking: " + lacking)};
}

}  // namespace fos
