// SPDX-License-Identifier: MIT
#include "ui/session/shot_film.h"

#include <gtest/gtest.h>

#include <cmath>
#include <opencv2/core.hpp>

namespace fos {
namespace {

// A picture like a camera's: noise, which compresses badly, over shades.
Frame PictureAt(std::int64_t index, double time_s, cv::Size size = {1920, 1080}) {
  cv::Mat noise(size, CV_8UC3);
  cv::RNG rng(static_cast<std::uint64_t>(index) + 1);
  rng.fill(noise, cv::RNG::NORMAL, 110, 12);
  return {{index}, time_s, noise};
}

TEST(RecentPictures, KeepHalfAMinuteInBoundedMemory) {
  RecentPictures recent;
  const int frames = 45 * 30;
  for (int i = 0; i < frames; ++i) {
    // One noisy picture is as good as another here, and cheaper.
    static const Frame one = PictureAt(0, 0);
    recent.Add({{i}, i / 30.0, one.bgr});
    ASSERT_LE(recent.Bytes(), RecentPicturesOptions{}.most_bytes);
  }
  recent.Keep(1);
  ASSERT_EQ(recent.Films().size(), 1u);
  const ShotFilm& film = *recent.Films()[0];
  const double first_s = film.pictures.front()->time_s;
  const double last_s = film.pictures.back()->time_s;
  EXPECT_NEAR(last_s, 45, 0.2);
  // Noise fills the memory before half a minute is over; what is kept is the newest, without gaps.
  EXPECT_GT(last_s - first_s, 5);
  EXPECT_LE(last_s - first_s, 30.01);
  for (std::size_t i = 1; i < film.pictures.size(); ++i)
    EXPECT_NEAR(film.pictures[i]->time_s - film.pictures[i - 1]->time_s, 0.133, 0.02);
  const cv::Mat decoded = DecodedPicture(*film.pictures.back()).bgr;
  EXPECT_EQ(decoded.cols, 720);
  EXPECT_EQ(decoded.rows, 405);
  for (int shot = 2; shot < 20; ++shot) recent.Keep(shot);
  EXPECT_EQ(recent.Films().size(), RecentPicturesOptions{}.most_films);
  EXPECT_EQ(recent.Films().back()->shot, 19);
}

TEST(RecentPictures, KeepAllOfTheHalfMinuteOfAPlainTable) {
  RecentPictures recent;
  const cv::Mat cloth(1080, 1920, CV_8UC3, cv::Scalar(60, 110, 70));
  for (int i = 0; i < 40 * 30; ++i) recent.Add({{i}, i / 30.0, cloth});
  recent.Keep(1);
  const ShotFilm& film = *recent.Films()[0];
  EXPECT_NEAR(film.pictures.back()->time_s - film.pictures.front()->time_s, 30, 0.3);
}

TEST(RecentPictures, BeginAnewWhenTheClockGoesBack) {
  RecentPictures recent;
  for (int i = 0; i < 30; ++i) recent.Add(PictureAt(i, 100 + i / 30.0, {320, 180}));
  recent.Add(PictureAt(0, 0, {320, 180}));
  recent.Keep(1);
  ASSERT_EQ(recent.Films().size(), 1u);
  EXPECT_EQ(recent.Films()[0]->pictures.size(), 1u);
  EXPECT_EQ(DecodedPicture(*recent.Films()[0]->pictures[0]).bgr.cols, 320);  // not magnified
}

TEST(ShotFilm, RunsFastUpToTheThrowAndSlowlyFromThere) {
  ShotFilm film;
  film.shot = 1;
  for (int i = 0; i <= 240; ++i) {
    auto picture = std::make_shared<FilmPicture>();
    picture->time_s = i / 8.0;  // half a minute
    film.pictures.push_back(std::move(picture));
  }
  const auto shown_s = [&](double played_s) {
    return film.pictures[FilmPictureAt(film, played_s)]->time_s;
  };
  EXPECT_EQ(shown_s(0), 0);
  EXPECT_NEAR(shown_s(1), 4, 0.13);         // four times its own speed
  EXPECT_NEAR(shown_s(6.5), 26, 0.13);      // the last four seconds begin
  EXPECT_NEAR(shown_s(6.5 + 4), 28, 0.13);  // at half its speed
  EXPECT_NEAR(FilmLength_s(film), 6.5 + 8 + 1.5, 1e-9);
  EXPECT_EQ(shown_s(15.9), 30);  // the last picture stays for a moment
  EXPECT_NEAR(shown_s(FilmLength_s(film) + 1), 4, 0.13);  // and the next round begins
  // A film of one picture shows it.
  film.pictures.resize(1);
  EXPECT_EQ(FilmPictureAt(film, 3.7), 0u);
}

}  // namespace
}  // namespace fos
