// SPDX-License-Identifier: MIT
#include "calibration/targets/fiducials.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include <fmt/format.h>
#include <opencv2/aruco.hpp>
#include <opencv2/imgproc.hpp>

#include "calibration/camera/sampling.h"
#include "calibration/targets/dictionary.h"

namespace fos {
namespace {

using Quad = std::array<cv::Point2f, 4>;
struct Candidate {
  int id = 0;
  Quad quad;
};

// Markers are looked for in a picture no wider than this: they are at least 20 px wide there.
constexpr double kSearchWidth_px = 1280;

// put_right  a module that is read wrong: light that spills over eats one now and then. The
//            dictionaries' markers differ by three and more, but of other patterns one in 250 that
//            has a border passes for a marker then: only for what has to agree with others.
std::vector<Candidate> Detect(const cv::Mat& grey, const cv::Ptr<cv::aruco::Dictionary>& dictionary,
                              const FiducialSpec& spec, bool thorough, bool put_right) {
  const auto options = cv::aruco::DetectorParameters::create();
  // The window must be wider than a module and should reach past the border: 13 and 23 px suit
  // markers of 20 to 100 px. The thorough search adds what suits the very small and very large.
  options->adaptiveThreshWinSizeMin = thorough ? 5 : 13;
  options->adaptiveThreshWinSizeMax = thorough ? 53 : 23;
  options->adaptiveThreshWinSizeStep = thorough ? 8 : 10;
  if (thorough) options->adaptiveThreshConstant = 4;
  options->minMarkerPerimeterRate = 0.02;
  // Only the middle of each cell is read: blur carries the neighbours into the rest.
  options->perspectiveRemoveIgnoredMarginPerCell = 0.3;
  if (put_right) options->errorCorrectionRate = 1;
  std::vector<std::vector<cv::Point2f>> quads;
  std::vector<int> ids;
  cv::aruco::detectMarkers(grey, dictionary, quads, ids, options);
  std::vector<Candidate> out;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const bool ours = std::any_of(spec.markers.begin(), spec.markers.end(),
                                  [&](const FiducialMarker& m) { return m.id == ids[i]; });
    if (!ours) continue;
    out.push_back({ids[i], {quads[i][0], quads[i][1], quads[i][2], quads[i][3]}});
  }
  return out;
}

// Pixel centres are whole numbers: scaling a picture moves them by half the change.
void Rescale(std::vector<Candidate>& found, double scale, cv::Point2f origin) {
  for (Candidate& c : found) {
    for (cv::Point2f& p : c.quad) {
      p.x = static_cast<float>((p.x + 0.5) * scale - 0.5) + origin.x;
      p.y = static_cast<float>((p.y + 0.5) * scale - 0.5) + origin.y;
    }
  }
}

std::size_t DistinctIds(const std::vector<Candidate>& found) {
  std::vector<int> ids;
  for (const Candidate& c : found) ids.push_back(c.id);
  std::sort(ids.begin(), ids.end());
  return static_cast<std::size_t>(std::unique(ids.begin(), ids.end()) - ids.begin());
}

void Merge(std::vector<Candidate>& into, const std::vector<Candidate>& more) {
  for (const Candidate& c : more) {
    const bool known = std::any_of(into.begin(), into.end(), [&](const Candidate& k) {
      return k.id == c.id &&
             cv::norm(k.quad[0] - c.quad[0]) < 0.5 * cv::norm(c.quad[0] - c.quad[2]);
    });
    if (!known) into.push_back(c);
  }
}

// Where the markers not found should be, going by those found: a plain homography is enough to
// know where to look closer.
std::vector<Candidate> LookCloser(const cv::Mat& grey,
                                  const cv::Ptr<cv::aruco::Dictionary>& dictionary,
                                  const FiducialSpec& spec, const std::vector<Candidate>& found) {
  std::vector<cv::Point2f> table;
  std::vector<cv::Point2f> image;
  for (const Candidate& c : found) {
    for (const FiducialMarker& m : spec.markers) {
      if (m.id != c.id) continue;
      const auto corners = MarkerCorners(m, spec.size_in);
      for (std::size_t i = 0; i < 4; ++i) {
        table.emplace_back(static_cast<float>(corners[i].x), static_cast<float>(corners[i].y));
        image.push_back(c.quad[i]);
      }
    }
  }
  std::vector<Candidate> out;
  if (table.size() < 8) return out;  // one small marker does not say where the others are
  const cv::Mat h = cv::findHomography(table, image, cv::RANSAC, 10.0);
  if (h.empty()) return out;
  for (const FiducialMarker& m : spec.markers) {
    if (std::any_of(found.begin(), found.end(), [&](const Candidate& c) { return c.id == m.id; })) {
      continue;
    }
    std::vector<cv::Point2f> from;
    for (const Vec2 corner : MarkerCorners(m, 2 * spec.size_in)) {
      from.emplace_back(static_cast<float>(corner.x), static_cast<float>(corner.y));
    }
    std::vector<cv::Point2f> to;
    cv::perspectiveTransform(from, to, h);
    cv::Rect2f box(to[0], to[0]);
    bool sane = true;
    for (const cv::Point2f& p : to) {
      // A homography of bad points may send a corner anywhere.
      sane = sane && std::abs(p.x) < 1e5F && std::abs(p.y) < 1e5F;
      if (sane) box |= cv::Rect2f(p.x - 1, p.y - 1, 2, 2);
    }
    const cv::Rect crop = sane ? cv::Rect(box) & cv::Rect({}, grey.size()) : cv::Rect();
    constexpr int kTooSmall_px = 24;
    if (crop.width < kTooSmall_px || crop.height < kTooSmall_px) continue;
    // Stretched in contrast and size until the marker's side is some 100 px.
    constexpr double kWanted_px = 300;
    const double scale = std::max(1.0, kWanted_px / std::max(crop.width, crop.height));
    cv::Mat larger;
    cv::resize(grey(crop), larger, {}, scale, scale, cv::INTER_CUBIC);
    cv::normalize(larger, larger, 0, 255, cv::NORM_MINMAX);
    std::vector<Candidate> here = Detect(larger, dictionary, spec, true, true);
    Rescale(here, 1 / scale, {static_cast<float>(crop.x), static_cast<float>(crop.y)});
    Merge(out, here);
  }
  return out;
}

std::vector<Candidate> Search(const cv::Mat& grey, const cv::Ptr<cv::aruco::Dictionary>& dictionary,
                              const FiducialSpec& spec) {
  const double scale = std::max(1.0, grey.cols / kSearchWidth_px);
  cv::Mat smaller = grey;
  if (scale > 1) cv::resize(grey, smaller, {}, 1 / scale, 1 / scale, cv::INTER_AREA);
  std::vector<Candidate> found = Detect(smaller, dictionary, spec, false, false);
  Rescale(found, scale, {});
  const auto complete = [&] { return DistinctIds(found) >= spec.markers.size(); };
  if (!complete()) Merge(found, LookCloser(grey, dictionary, spec, found));
  // With three of four the fourth is most likely hidden: searching every pixel would not find it.
  const auto too_few = [&] { return !complete() && DistinctIds(found) < 3; };
  const auto search_again = [&](const cv::Mat& picture, double larger) {
    std::vector<Candidate> more = Detect(picture, dictionary, spec, true, !found.empty());
    Rescale(more, 1 / larger, {});
    Merge(found, more);
    if (!complete()) Merge(found, LookCloser(grey, dictionary, spec, found));
  };
  if (too_few()) search_again(grey, 1);
  // Of markers a few pixels to a module, blur leaves more in a larger picture.
  constexpr double kLarger = 2;
  if (too_few() && kLarger * grey.cols <= kSearchWidth_px) {
    cv::Mat larger;
    cv::resize(grey, larger, {}, kLarger, kLarger, cv::INTER_CUBIC);
    search_again(larger, kLarger);
  }
  return found;
}

struct EdgeLine {
  cv::Vec2d normal;
  double offset = 0;
  double px_per_unit = 1;
  double sigma_px = 0.1;  // of one of the two sights
  double light = 0;       // beyond it, of full light
  cv::Vec2d from;         // the middle stretch that was measured, undistorted
  cv::Vec2d to;
};

// The border's edge from corner a to corner b (undistorted), near where they say it is.
// `out` points away from the marker. Empty where there is no clean step from dark to light.
std::optional<EdgeLine> MeasureEdge(const cv::Mat& grey, const CameraModel& lens, cv::Vec2d a,
                                    cv::Vec2d b, cv::Vec2d centre, double module_fraction) {
  const cv::Vec2d along = b - a;
  const double length = cv::norm(along);
  if (!(length > 0)) return std::nullopt;
  cv::Vec2d normal(along[1] / length, -along[0] / length);
  if (normal.dot(a - centre) < 0) normal = -normal;
  const ImagePoint pa = Distort(lens, a[0], a[1]);
  const ImagePoint pb = Distort(lens, b[0], b[1]);
  const double length_px = std::hypot(pb.x_px - pa.x_px, pb.y_px - pa.y_px);
  if (!(length_px > 8 && length_px < 1e5)) return std::nullopt;

  // As far to both sides as the border is wide: dark inside, the white of the paper outside.
  const double reach = length * module_fraction * 0.95;
  const double reach_px = length_px * module_fraction * 0.95;
  const int half = std::clamp(static_cast<int>(std::lround(reach_px / 0.25)), 6, 60);
  const int count = std::clamp(static_cast<int>(std::lround(length_px)), 12, 80);
  constexpr double kMargin = 0.12;  // of the edge, at both corners: there the neighbour mixes in
  std::vector<std::vector<double>> profiles;
  for (int i = 0; i < count; ++i) {
    const double t = kMargin + (1 - 2 * kMargin) * i / (count - 1);
    const cv::Vec2d middle = a + t * along;
    const cv::Vec2d tip = middle + reach * normal;
    const ImagePoint pm = Distort(lens, middle[0], middle[1]);
    const ImagePoint pt = Distort(lens, tip[0], tip[1]);
    std::vector<double> profile;
    for (int k = -half; k <= half; ++k) {
      const double s = static_cast<double>(k) / half;
      const auto light =
          LightAt(grey, pm.x_px + s * (pt.x_px - pm.x_px), pm.y_px + s * (pt.y_px - pm.y_px));
      if (!light) break;
      profile.push_back(*light);
    }
    if (profile.size() != static_cast<std::size_t>(2 * half + 1)) profile.clear();
    profiles.push_back(std::move(profile));
  }

  // One dark and one light level for the whole edge: medians of each profile's extremes.
  std::vector<double> darks;
  std::vector<double> lights;
  for (const auto& profile : profiles) {
    if (profile.empty()) continue;
    darks.push_back(*std::min_element(profile.begin(), profile.begin() + half + 1));
    lights.push_back(*std::max_element(profile.begin() + half, profile.end()));
  }
  if (static_cast<int>(darks.size()) < count / 2) return std::nullopt;
  const double dark = Median(darks);
  const double light = Median(lights);
  constexpr double kLeastStep = 0.01;  // of full light; below it is noise
  if (light - dark < kLeastStep) return std::nullopt;
  const double level = 0.5 * (dark + light);

  std::vector<double> at;
  std::vector<double> offset_px;
  for (int i = 0; i < count; ++i) {
    const auto& profile = profiles[static_cast<std::size_t>(i)];
    if (profile.empty()) continue;
    // The crossing nearest the middle.
    std::optional<double> best;
    for (int k = 0; k < 2 * half; ++k) {
      const double p = profile[static_cast<std::size_t>(k)];
      const double q = profile[static_cast<std::size_t>(k + 1)];
      if (!(p < level && q >= level)) continue;
      const double where = k - half + (level - p) / (q - p);
      if (!best || std::abs(where) < std::abs(*best)) best = where;
    }
    if (!best) continue;
    at.push_back(-0.5 + kMargin + (1 - 2 * kMargin) * i / (count - 1));
    offset_px.push_back(*best * reach_px / half);
  }
  if (static_cast<int>(at.size()) < count / 2) return std::nullopt;
  const RobustLine fit = FitLine(at, offset_px);

  EdgeLine line;
  line.light = light;
  line.px_per_unit = reach_px / reach;
  const double shift_a = (fit.middle - 0.5 * fit.slope) / line.px_per_unit;
  const double shift_b = (fit.middle + 0.5 * fit.slope) / line.px_per_unit;
  const cv::Vec2d na = a + shift_a * normal;
  const cv::Vec2d nb = b + shift_b * normal;
  const cv::Vec2d direction = (nb - na) / cv::norm(nb - na);
  line.normal = {direction[1], -direction[0]};
  if (line.normal.dot(normal) < 0) line.normal = -line.normal;
  line.offset = -line.normal.dot(na);
  line.from = na + 0.21 * (nb - na);  // the two points of a line fit that vary independently:
  line.to = na + 0.79 * (nb - na);    // its middle plus and minus one sigma of where was measured
  // Neighbouring samples share pixels, so a pixel counts once; and demosaicing, sharpening and JPEG
  // leave some 0.1 px that no averaging along an edge removes (measured on rendered footage: what
  // stays when each marker's common shift is taken out).
  constexpr double kSystematic_px = 0.1;
  const double independent = std::max(2.0, 0.76 * length_px);
  line.sigma_px = std::hypot(kSystematic_px, fit.sigma * std::sqrt(2.0 / independent));
  return line;
}

std::optional<cv::Vec2d> Meet(const EdgeLine& a, const EdgeLine& b) {
  const double det = a.normal[0] * b.normal[1] - a.normal[1] * b.normal[0];
  if (std::abs(det) < 0.1) return std::nullopt;
  return cv::Vec2d((-a.offset * b.normal[1] + b.offset * a.normal[1]) / det,
                   (-a.normal[0] * b.offset + b.normal[0] * a.offset) / det);
}

std::optional<MarkerSighting> Measure(const cv::Mat& grey, const CameraModel& lens,
                                      const FiducialSpec& spec, const Candidate& candidate,
                                      int modules) {
  MarkerSighting out;
  out.id = candidate.id;
  for (std::size_t i = 0; i < 4; ++i) {
    const auto ray = Undistort(lens, {candidate.quad[i].x, candidate.quad[i].y});
    if (!ray) return std::nullopt;
    out.corner[i] = *ray;
  }
  std::array<EdgeLine, 4> edge;
  constexpr int kRounds = 3;  // the second already starts within a tenth of a pixel
  for (int round = 0; round < kRounds; ++round) {
    const cv::Vec2d centre = 0.25 * (out.corner[0] + out.corner[1] + out.corner[2] + out.corner[3]);
    for (std::size_t i = 0; i < 4; ++i) {
      const auto line =
          MeasureEdge(grey, lens, out.corner[i], out.corner[(i + 1) % 4], centre, 1.0 / modules);
      if (!line) return std::nullopt;
      edge[i] = *line;
    }
    for (std::size_t i = 0; i < 4; ++i) {
      const auto corner = Meet(edge[(i + 3) % 4], edge[i]);
      if (!corner) return std::nullopt;
      out.corner[i] = *corner;
    }
  }
  constexpr double kBurnt = 0.95;  // of full light: 249 of 255
  for (const EdgeLine& line : edge) out.burnt = out.burnt || line.light > kBurnt;
  const auto marker = std::find_if(spec.markers.begin(), spec.markers.end(),
                                   [&](const FiducialMarker& m) { return m.id == candidate.id; });
  const auto table = MarkerCorners(*marker, spec.size_in);
  for (std::size_t i = 0; i < 4; ++i) {
    const ImagePoint p = Distort(lens, out.corner[i][0], out.corner[i][1]);
    out.corner_px[i] = p;
    // An edge that ran away from what was decoded is not the marker's.
    const double side_px = cv::norm(candidate.quad[i] - candidate.quad[(i + 1) % 4]);
    if (std::hypot(p.x_px - candidate.quad[i].x, p.y_px - candidate.quad[i].y) >
        side_px / modules + 1) {
      return std::nullopt;
    }
    const Vec2 a = table[i];
    const Vec2 b = table[(i + 1) % 4];
    const EdgeLine& line = edge[i];
    for (const double t : {0.21, 0.79}) {
      LineSight sight;
      sight.at = a + t * (b - a);
      sight.on_paper = true;
      sight.normal = line.normal;
      sight.offset = line.offset;
      sight.px_per_unit = line.px_per_unit;
      sight.sigma_px = line.sigma_px;
      PutInPicture(sight, t < 0.5 ? line.from : line.to, lens);
      out.sights.push_back(sight);
    }
  }
  return out;
}

}  // namespace

std::array<Vec2, 4> MarkerCorners(const FiducialMarker& marker, double size_in) {
  const double h = size_in / 2;
  return {marker.centre + Vec2{-h, h}, marker.centre + Vec2{h, h}, marker.centre + Vec2{h, -h},
          marker.centre + Vec2{-h, -h}};
}

Result<std::vector<MarkerSighting>> FindMarkers(const cv::Mat& grey, const CameraModel& lens,
                                                const FiducialSpec& spec) {
  const auto dictionary = DictionaryNamed(spec.dictionary);
  if (!dictionary.ok()) return dictionary.error();
  const int modules = dictionary.value()->markerSize + 2;  // the border is one module wide
  std::vector<MarkerSighting> out;
  for (const Candidate& candidate : Search(grey, dictionary.value(), spec)) {
    if (auto sighting = Measure(grey, lens, spec, candidate, modules)) {
      out.push_back(std::move(*sighting));
    }
  }
  return out;
}

}  // namespace fos
