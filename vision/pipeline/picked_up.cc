// SPDX-License-Identifier: MIT
#include "vision/pipeline/picked_up.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <opencv2/imgproc.hpp>
#include <vector>

#include "vision/image/patch.h"
#include "vision/image/rectify.h"

namespace fos {
namespace {

cv::Vec3f ColourAt(const cv::Mat& bgr, const ImagePoint& at) {
  cv::Mat pixel;
  cv::getRectSubPix(bgr, {1, 1},
                    {static_cast<float>(std::clamp(at.x_px, 0.0, bgr.cols - 1.0)),
                     static_cast<float>(std::clamp(at.y_px, 0.0, bgr.rows - 1.0))},
                    pixel);
  const cv::Vec3b c = pixel.at<cv::Vec3b>(0, 0);
  return {static_cast<float>(c[0]), static_cast<float>(c[1]), static_cast<float>(c[2])};
}

// The share of the projectile's axis along which the picture has changed.
double ChangedShare(const ShotPictures& pictures, const ProjectileFinding& finding) {
  constexpr int kSteps = 20;
  int inside = 0;
  int changed = 0;
  for (int i = 0; i <= kSteps; ++i) {
    const double t = static_cast<double>(i) / kSteps;
    const cv::Point pixel =
        PixelAt(pictures.camera, (1 - t) * finding.shot.point + t * finding.shot.tail,
                (1 - t) * finding.shot.height_in + t * finding.tail_height_in);
    if (!cv::Rect({}, pictures.changed.size()).contains(pixel)) continue;
    ++inside;
    changed += pictures.changed.at<std::uint8_t>(pixel) != 0 ? 1 : 0;
  }
  return inside > 0 ? static_cast<double>(changed) / inside : 0;
}

// Colours at one place on the projectile and at the two places beside it, in three pictures.
struct Station {
  std::array<cv::Vec3f, 3> now;   // beside, on it, beside
  std::array<cv::Vec3f, 3> with;  // while it lay there
  std::array<cv::Vec3f, 3> bare;  // before it came
};

std::vector<Station> SampleStations(const ShotPictures& pictures, const TrackedProjectile& was) {
  constexpr int kStations = 21;
  constexpr double kBeside_in = 0.35;  // clear of the cotton, its blur and most of its shadow
  constexpr double kShell_in = 0.15;   // half the line across a shell's middle
  const ShotObservation& shot = was.finding.shot;
  const bool swab = shot.projectile == Projectile::kQtip;
  const Vec2 along = swab ? Normalized(shot.tail - shot.point) : Vec2{1, 0};
  const Vec2 across = Perpendicular(along);
  std::vector<Station> out(kStations);
  for (int i = 0; i < kStations; ++i) {
    const double t = static_cast<double>(i) / (kStations - 1);
    const Vec2 on = swab ? (1 - t) * shot.point + t * shot.tail
                         : shot.point + ((2 * t - 1) * kShell_in) * along;
    const double height = (1 - t) * shot.height_in + t * was.finding.tail_height_in;
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec2 place = on + (kBeside_in * (static_cast<double>(k) - 1)) * across;
      const ImagePoint at = ImageFromTable(pictures.camera, place, height);
      Station& station = out[static_cast<std::size_t>(i)];
      station.now[k] = ColourAt(pictures.after, at);
      station.with[k] = ColourAt(pictures.before, at);
      station.bare[k] = ColourAt(was.bare, ImageFromTable(was.camera, place, height));
    }
  }
  return out;
}

// Scales the bare colours to the light of now. Returns that light over the former one, by channel,
// as the places beside the projectile show it.
cv::Vec3f MatchLight(std::vector<Station>& stations) {
  cv::Vec3d now;
  cv::Vec3d then;
  for (const Station& station : stations) {
    for (const std::size_t side : {0U, 2U}) {
      now += cv::Vec3d(station.now[side]);
      then += cv::Vec3d(station.bare[side]);
    }
  }
  cv::Vec3f light;
  for (int c = 0; c < 3; ++c) light[c] = static_cast<float>((now[c] + 1) / (then[c] + 1));
  for (Station& station : stations) {
    for (cv::Vec3f& colour : station.bare) {
      for (int c = 0; c < 3; ++c) colour[c] *= static_cast<float>(light[c]);
    }
  }
  return light;
}

// How much the colours of three places differ, apart from brightness: the sine of the angle between
// them taken as one vector.
double SineBetween(const std::array<cv::Vec3f, 3>& a, const std::array<cv::Vec3f, 3>& b) {
  double aa = 0, bb = 0, ab = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    aa += a[i].dot(a[i]);
    bb += b[i].dot(b[i]);
    ab += a[i].dot(b[i]);
  }
  return aa > 0 && bb > 0 ? std::sqrt(std::max(0.0, 1 - ab * ab / (aa * bb))) : 1;
}

// What the stations say about a projectile's place.
struct PlaceReading {
  int informative = 0;  // stations at which the projectile stood out from what lay there before
  bool bare = false;    // most of those show again what lay there before
};

// A shadow that falls over a projectile dims it and the cloth beside it alike. So each station
// compares all three places with how they looked with the projectile and without it. A station that
// neither explains is covered, and does not vote.
// least_contrast  grey levels by which the projectile stood out, for a station to count
PlaceReading ReadPlace(const std::vector<Station>& stations, double least_contrast) {
  PlaceReading out;
  int gone = 0;
  int there = 0;
  for (const Station& station : stations) {
    if (cv::norm(station.with[1] - station.bare[1], cv::NORM_INF) < least_contrast) continue;
    ++out.informative;
    const double with = SineBetween(station.now, station.with);
    const double without = SineBetween(station.now, station.bare);
    constexpr double kExplained = 0.2;  // shadows' edges, noise, the cloth's own grain
    if (std::min(with, without) > kExplained) continue;
    (without < with ? gone : there) += 1;
  }
  out.bare = gone > there && gone >= 2 && gone > 0.4 * out.informative;
  return out;
}

// How far two pictures are apart, grey levels of three channels together, the mean about each
// pixel.
cv::Mat Apart(const cv::Mat& a, const cv::Mat& b) {
  cv::Mat out;
  cv::absdiff(a, b, out);
  cv::transform(out, out, cv::Matx13f(1, 1, 1));
  cv::blur(out, out, {3, 3});
  return out;
}

// Paints into pictures.before what lay there before the projectile came, where the picture shows
// that again rather than the projectile, its shadow or the light that it threw, and clears
// pictures.changed there. The caller's pictures are changed too.
// whole  its own place too, whatever shows there now
void RestoreBare(const TrackedProjectile& was, const cv::Vec3f& light, bool whole,
                 ShotPictures& pictures) {
  const cv::Mat all(was.bare.size(), CV_8UC1, cv::Scalar(255));
  const PictureFromElsewhere known = SeenFrom({was.bare, all}, was.camera, pictures.camera);
  cv::Mat bare;
  cv::multiply(known.bgr, cv::Scalar(light[0], light[1], light[2]), bare);
  const cv::Mat off_bare = Apart(pictures.after, bare);
  cv::Mat where = (off_bare < Apart(pictures.after, pictures.before)) & known.seen;
  constexpr double kSame = 60;  // of three channels, as of dice that are taken up
  pictures.changed.setTo(0, where & (off_bare < kSame));
  if (whole) {
    cv::Mat outline(where.size(), CV_8UC1, cv::Scalar(0));
    cv::fillConvexPoly(outline,
                       PixelsAt(pictures.camera, was.finding.outline, was.finding.shot.height_in),
                       cv::Scalar(255));
    where |= outline & known.seen;
  }
  bare.copyTo(pictures.before, where);
}

}  // namespace

bool WasPickedUp(const TrackedProjectile& projectile, ShotPictures& pictures) {
  constexpr double kContrast = 30;  // grey levels: white cotton or plasticine on cloth
  constexpr int kTooFew = 3;        // stations
  std::vector<Station> stations = SampleStations(pictures, projectile);
  const cv::Vec3f light = MatchLight(stations);
  PlaceReading place = ReadPlace(stations, kContrast);
  // One that hardly stands out, grey on grey or under a tree, is gone when most of it changed.
  const bool low_contrast = place.informative < kTooFew;
  const bool gone = low_contrast ? ChangedShare(pictures, projectile.finding) >= 0.5 : place.bare;
  if (!gone) return false;
  // Compared with a picture that still shows the projectile, its bare place looks new and may pass
  // for another one. At low contrast the whole of it is painted bare only where the stations
  // confirm that it is, at half the contrast.
  if (low_contrast) place = ReadPlace(stations, kContrast / 2);
  const bool confirmed = place.informative >= kTooFew && place.bare;
  RestoreBare(projectile, light, confirmed, pictures);
  return true;
}

}  // namespace fos
