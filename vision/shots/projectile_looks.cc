// SPDX-License-Identifier: MIT
#include "vision/shots/projectile_looks.h"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>

#include "engine/table/quantile.h"
#include "vision/image/mask_shapes.h"
#include "vision/image/patch_pair.h"
#include "vision/shots/swab_lengths.h"

namespace fos {
namespace {

Colour ColourOf(const cv::Vec3f& bgr) {
  return {cv::saturate_cast<std::uint8_t>(bgr[2]), cv::saturate_cast<std::uint8_t>(bgr[1]),
          cv::saturate_cast<std::uint8_t>(bgr[0])};
}

Colour MeanOf(const std::vector<Colour>& colours) {
  cv::Vec3d sum;
  for (const Colour c : colours) sum += cv::Vec3d(c.b, c.g, c.r);
  return ColourOf(cv::Vec3f(sum / static_cast<double>(colours.size())));
}

// Each channel's median.
cv::Vec3f MedianOf(const std::vector<cv::Vec3f>& colours) {
  cv::Vec3f out;
  for (int k = 0; k < 3; ++k) {
    std::vector<double> values;
    for (const cv::Vec3f& c : colours) values.push_back(c[k]);
    out[k] = static_cast<float>(Quantile(values, 0.5).value_or(0));
  }
  return out;
}

// Size and colours of a shell whose centre is known.
LearntProjectile ShellLooks(const ShotPictures& pictures, const ProjectileFinding& finding,
                            double nominal_in) {
  const Vec2 centre = finding.shot.point;
  const double level = finding.shot.height_in;
  const double ppi = 2 * PixelsPerInch(pictures.camera, centre, level);
  const PatchGrid grid(pictures.camera, Grown({centre, centre}, 1.2 * nominal_in), level, ppi);
  const cv::Mat after = grid.Cut(pictures.after);
  const cv::Mat before = grid.Cut(pictures.before);
  std::vector<cv::Vec3f> ring;
  std::vector<cv::Vec3f> middle;
  for (int row = 0; row < after.rows; ++row) {
    for (int column = 0; column < after.cols; ++column) {
      const double off =
          Distance(grid.ToTable({static_cast<double>(column), static_cast<double>(row)}), centre);
      const cv::Vec3f& c = after.at<cv::Vec3f>(row, column);
      // Between the mark and the nearest side; and well inside the mark.
      if (off > 0.28 * nominal_in && off < 0.4 * nominal_in) ring.push_back(c);
      if (off < 0.07 * nominal_in) middle.push_back(c);
    }
  }
  const cv::Vec3f body = MedianOf(ring);
  double covered = 0;
  for (int row = 0; row < after.rows; ++row) {
    for (int column = 0; column < after.cols; ++column) {
      const Vec2 at = grid.ToTable({static_cast<double>(column), static_cast<double>(row)});
      const cv::Vec3f known = Linear(before.at<cv::Vec3f>(row, column));
      const double share = BodyShare(Linear(after.at<cv::Vec3f>(row, column)), known, Linear(body));
      covered += Distance(at, centre) < 0.25 * nominal_in ? 1 : share;
    }
  }
  LearntProjectile out;
  out.type = Projectile::kShell;
  out.samples = 1;
  out.size_in = std::sqrt(covered) / ppi;
  out.size_sigma_in = 0.5 / ppi;
  out.body = ColourOf(body);
  out.mark = ColourOf(MedianOf(middle));
  return out;
}

// The boxes of the table in which something is new.
std::vector<std::pair<cv::Rect, TableBox>> NewPlaces(const ShotPictures& pictures) {
  const TableCamera& camera = pictures.camera;
  const cv::Size size = pictures.changed.size();
  const auto middle = TableFromImage(camera, {size.width / 2.0, size.height / 2.0}, 0, 0);
  const double ppi = middle.ok() ? PixelsPerInch(camera, middle->at, 0) : 20;
  // A swab whose stick is of the cloth's own colour is one thing all the same.
  const cv::Mat joined = Grown(pictures.changed, static_cast<int>(std::lround(0.15 * ppi)));
  cv::Mat labels;
  cv::Mat stats;
  cv::Mat centroids;
  const int count = cv::connectedComponentsWithStats(joined, labels, stats, centroids);
  std::vector<std::pair<cv::Rect, TableBox>> out;
  for (int i = 1; i < count; ++i) {
    const cv::Rect rect(stats.at<int>(i, cv::CC_STAT_LEFT), stats.at<int>(i, cv::CC_STAT_TOP),
                        stats.at<int>(i, cv::CC_STAT_WIDTH), stats.at<int>(i, cv::CC_STAT_HEIGHT));
    constexpr double kLeast_in = 0.2;
    constexpr double kMost_in = 8;  // a hand, a lamp that was switched
    if (std::max(rect.width, rect.height) < kLeast_in * ppi ||
        std::max(rect.width, rect.height) > kMost_in * ppi) {
      continue;
    }
    std::vector<Vec2> corners;
    for (const cv::Point p :
         {rect.tl(), rect.br(), cv::Point(rect.x, rect.br().y), cv::Point(rect.br().x, rect.y)}) {
      const auto at =
          TableFromImage(camera, {static_cast<double>(p.x), static_cast<double>(p.y)}, 0, 0);
      if (at.ok()) corners.push_back(at->at);
    }
    if (corners.size() < 4) continue;
    const int margin = static_cast<int>(3.5 * ppi);  // a swab's length and clear cloth
    const cv::Rect part = cv::Rect(rect.x - margin, rect.y - margin, rect.width + 2 * margin,
                                   rect.height + 2 * margin) &
                          cv::Rect({}, size);
    out.emplace_back(part, BoundsOf(corners));
  }
  return out;
}

ShownProjectiles Look(const ShotPictures& pictures, const Scenario& scenario,
                      const ShotDetectorOptions& options) {
  const ShotDetector detector(scenario, options);
  const TerrainMap terrain(scenario);
  ShownProjectiles out;
  for (const auto& [part, box] : NewPlaces(pictures)) {
    ShotPictures cut = pictures;
    cut.before = pictures.before(part);
    cut.after = pictures.after(part);
    cut.changed = pictures.changed(part);
    cut.camera = Cropped(pictures.camera, part);
    for (ProjectileFinding& f : detector.Find(cut, terrain, box)) {
      const auto same = [&](const ProjectileFinding& other) {
        return Distance(0.5 * (other.shot.point + other.shot.tail),
                        0.5 * (f.shot.point + f.shot.tail)) < 0.2;
      };
      if (std::any_of(out.measured.begin(), out.measured.end(),
                      [&](const ShownProjectile& s) { return same(s.finding); }) ||
          std::any_of(out.unclear.begin(), out.unclear.end(), same)) {
        continue;
      }
      const bool shell = f.shot.projectile == Projectile::kShell;
      if (!f.measured || (!shell && !f.looks)) {
        out.unclear.push_back(std::move(f));
        continue;
      }
      const ProjectileSpec& spec = scenario.projectiles[static_cast<std::size_t>(f.spec)];
      const LearntProjectile looks = shell ? ShellLooks(cut, f, spec.size_in) : *f.looks;
      out.measured.push_back({std::move(f), looks});
    }
  }
  return out;
}

}  // namespace

ShownProjectiles FindShown(const ShotPictures& pictures, const Scenario& scenario) {
  ShotDetectorOptions options;
  options.learning = true;
  ShownProjectiles first = Look(pictures, scenario, options);
  if (first.measured.empty()) return first;
  ShotDetectorOptions learnt;
  learnt.learnt = Pooled(first.measured);
  ShownProjectiles second = Look(pictures, scenario, learnt);
  return second.measured.size() < first.measured.size() ? first : second;
}

std::vector<LearntProjectile> Pooled(const std::vector<ShownProjectile>& shown) {
  std::vector<LearntProjectile> out;
  for (const Projectile type : {Projectile::kQtip, Projectile::kShell}) {
    LearntProjectile all;
    all.type = type;
    SwabLengths lengths;
    std::vector<double> sizes;
    std::vector<Colour> sticks, dips, bodies, marks;
    for (const ShownProjectile& one : shown) {
      const LearntProjectile& l = one.looks;
      if (l.type != type) continue;
      ++all.samples;
      if (type == Projectile::kQtip) {
        lengths.Add(l.length_in, l.length_sigma_in);
        all.cotton_length_in += l.cotton_length_in;
        all.cotton_thickness_in += l.cotton_thickness_in;
        all.dip_in += l.dip_in;
        sticks.push_back(l.stick);
        dips.push_back(l.tip_paint);
      } else {
        sizes.push_back(l.size_in);
        bodies.push_back(l.body);
        marks.push_back(l.mark);
      }
    }
    if (all.samples == 0) continue;
    const double n = all.samples;
    if (type == Projectile::kQtip) {
      all.length_in = lengths.Mean();
      all.length_sigma_in = lengths.Sigma();
      all.cotton_length_in /= n;
      all.cotton_thickness_in /= n;
      all.dip_in /= n;
      all.stick = MeanOf(sticks);
      all.tip_paint = MeanOf(dips);
    } else {
      double square = 0;
      for (const double s : sizes) all.size_in += s / n;
      for (const double s : sizes) square += (s - all.size_in) * (s - all.size_in) / n;
      // Of one alone the spread is not known: hands cut plasticine to this.
      constexpr double kHandCut_in = 0.02;
      all.size_sigma_in = std::hypot(std::sqrt(square), kHandCut_in / std::sqrt(n));
      all.body = MeanOf(bodies);
      all.mark = MeanOf(marks);
    }
    out.push_back(all);
  }
  return out;
}

ShotPictures PicturesBeforeAndAfter(const cv::Mat& before, const cv::Mat& after,
                                    const TableCamera& camera) {
  ShotPictures out;
  out.camera = camera;
  before.convertTo(out.before, CV_32FC3);
  after.convertTo(out.after, CV_32FC3);
  // Exposure: the middle one of many pixels' ratios, channel by channel.
  cv::Vec3d gain(1, 1, 1);
  constexpr int kEvery = 7;  // pixels: thousands are enough
  for (int k = 0; k < 3; ++k) {
    std::vector<double> ratios;
    for (int y = 0; y < before.rows; y += kEvery) {
      for (int x = 0; x < before.cols; x += kEvery) {
        const float b = out.before.at<cv::Vec3f>(y, x)[k];
        if (b > 10) ratios.push_back(out.after.at<cv::Vec3f>(y, x)[k] / b);
      }
    }
    if (!ratios.empty()) gain[k] = *Quantile(ratios, 0.5);
  }
  out.before = out.before.mul(cv::Scalar(gain[0], gain[1], gain[2]));
  cv::Mat apart;
  cv::absdiff(out.before, out.after, apart);
  std::vector<double> steps;
  for (int y = 0; y < apart.rows; y += kEvery) {
    for (int x = 0; x < apart.cols; x += kEvery) steps.push_back(apart.at<cv::Vec3f>(y, x)[1]);
  }
  // Half of a normal distribution's differences are under 0.67 sigma, which is two pictures' here.
  out.noise = std::max(Quantile(steps, 0.5).value_or(1) / 0.6745 / std::sqrt(2.0), 0.3);
  cv::Mat channels[3];
  cv::split(apart, channels);
  cv::Mat most = cv::max(cv::max(channels[0], channels[1]), channels[2]);
  cv::blur(most, most, {3, 3});
  const double least = std::max(ShotDetectorOptions().least_change, 4 * out.noise);
  out.changed = most > least;
  return out;
}

}  // namespace fos
