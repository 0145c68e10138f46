// SPDX-License-Identifier: MIT
#include "ui/session/shot_film.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>

#include "vision/image/shrink.h"

namespace fos {
namespace {

// The throw itself lies within these last seconds of a film, and is shown at this speed.
constexpr double kSlowPart_s = 4;
constexpr double kSlow = 0.5;
constexpr double kFast = 4;
// The last picture stays this long before the next round.
constexpr double kHold_s = 1.5;

struct FilmParts {
  double fast_s = 0;  // of the source
  double slow_s = 0;
};
FilmParts PartsOf(const ShotFilm& film) {
  if (film.pictures.empty()) return {};
  const double all_s = film.pictures.back()->time_s - film.pictures.front()->time_s;
  const double slow_s = std::min(all_s, kSlowPart_s);
  return {all_s - slow_s, slow_s};
}

}  // namespace

double FilmLength_s(const ShotFilm& film) {
  const FilmParts parts = PartsOf(film);
  return parts.fast_s / kFast + parts.slow_s / kSlow + kHold_s;
}

std::size_t FilmPictureAt(const ShotFilm& film, double played_s) {
  const FilmParts parts = PartsOf(film);
  const double length_s = FilmLength_s(film);
  const double in_round = played_s - length_s * std::floor(played_s / length_s);
  const double fast_lasts = parts.fast_s / kFast;
  const double source_s = in_round < fast_lasts ? in_round * kFast
                                                : parts.fast_s + (in_round - fast_lasts) * kSlow;
  const double at_s = film.pictures.front()->time_s + source_s;
  const auto after = std::upper_bound(
      film.pictures.begin(), film.pictures.end(), at_s,
      [](double time_s, const auto& picture) { return time_s < picture->time_s; });
  return after == film.pictures.begin()
             ? 0
             : static_cast<std::size_t>(after - film.pictures.begin()) - 1;
}

Frame DecodedPicture(const FilmPicture& picture) {
  return {{}, picture.time_s, cv::imdecode(picture.jpeg, cv::IMREAD_COLOR)};
}

void RecentPictures::DropOldest() {
  bytes_ -= pictures_.front()->jpeg.size();
  pictures_.pop_front();
}

void RecentPictures::Add(const Frame& frame) {
  if (frame.bgr.empty()) return;
  if (!pictures_.empty()) {
    const double since_s = frame.time_s - pictures_.back()->time_s;
    if (since_s < 0) {
      while (!pictures_.empty()) DropOldest();
    } else if (since_s < 0.99 / options_.per_second) {
      return;
    }
  }
  auto kept = std::make_shared<FilmPicture>();
  kept->time_s = frame.time_s;
  cv::Mat small = frame.bgr;
  if (small.cols > options_.width_px) {
    const int high = std::max(1, small.rows * options_.width_px / small.cols);
    // Whole blocks first: OpenCV's mean of parts of pixels takes many times as long. Less than a
    // halving is left, at which interpolation misses no pixel.
    cv::resize(Shrunk(frame.bgr, std::min(small.cols / options_.width_px, small.rows)), small,
               {options_.width_px, high}, 0, 0, cv::INTER_LINEAR);
  }
  if (!cv::imencode(".jpg", small, kept->jpeg, {cv::IMWRITE_JPEG_QUALITY, options_.jpeg_quality}))
    return;
  kept->jpeg.shrink_to_fit();
  bytes_ += kept->jpeg.size();
  pictures_.push_back(std::move(kept));
  while (pictures_.size() > 1 && (bytes_ > options_.most_bytes ||
                                  frame.time_s - pictures_.front()->time_s > options_.kept_s)) {
    DropOldest();
  }
}

void RecentPictures::Keep(int shot) {
  if (pictures_.empty()) return;
  auto film = std::make_shared<ShotFilm>();
  film->shot = shot;
  film->pictures.assign(pictures_.begin(), pictures_.end());
  films_.push_back(std::move(film));
  if (films_.size() > options_.most_films) films_.erase(films_.begin());
}

}  // namespace fos
