// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "vision/image/frame.h"

// The pictures of the last half minute, small, so that players can see again how a shot fell.
namespace fos {

struct FilmPicture {
  double time_s = 0;               // of the source
  std::vector<std::uint8_t> jpeg;  // decoded by DecodedPicture
};

// What was kept from before a shot, oldest first. Never changes.
struct ShotFilm {
  int shot = 0;
  std::vector<std::shared_ptr<const FilmPicture>> pictures;
};
// Seconds that one round of the film lasts: it runs fast up to the throw and slowly from there.
double FilmLength_s(const ShotFilm& film);
// The picture that is shown after so many seconds; the rounds repeat. The film must not be empty.
std::size_t FilmPictureAt(const ShotFilm& film, double played_s);
// Without pixels where the picture is damaged.
Frame DecodedPicture(const FilmPicture& picture);

struct RecentPicturesOptions {
  double kept_s = 30;
  double per_second = 8;
  int width_px = 720;
  int jpeg_quality = 72;
  std::size_t most_bytes = 12U << 20;  // of the pictures that are not yet in a film
  std::size_t most_films = 6;          // the oldest goes first
};

// Keeps the newest pictures in bounded memory: those not yet in a film take at most `most_bytes`,
// and each film at most as much. For one thread only.
class RecentPictures {
 public:
  explicit RecentPictures(RecentPicturesOptions options = {}) : options_(options) {}

  // Keeps the picture if the last kept one is old enough. A clock that goes back begins anew.
  void Add(const Frame& frame);
  // Makes a film of what is kept now.
  void Keep(int shot);
  // Oldest first.
  const std::vector<std::shared_ptr<const ShotFilm>>& Films() const { return films_; }
  std::size_t Bytes() const { return bytes_; }

 private:
  void DropOldest();

  RecentPicturesOptions options_;
  std::deque<std::shared_ptr<const FilmPicture>> pictures_;
  std::size_t bytes_ = 0;
  std::vector<std::shared_ptr<const ShotFilm>> films_;
};

}  // namespace fos
