// SPDX-License-Identifier: MIT
#include "vision/pipeline/region_groups.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <opencv2/imgproc.hpp>
#include <optional>
#include <utility>

namespace fos {
namespace {

double GapBetween(const TableBox& a, const TableBox& b) {
  const double dx = std::max({a.low.x - b.high.x, b.low.x - a.high.x, 0.0});
  const double dy = std::max({a.low.y - b.high.y, b.low.y - a.high.y, 0.0});
  return std::hypot(dx, dy);
}

bool MayBeOneObject(const SettledRegion& a, const SettledRegion& b) {
  constexpr double kPiece_in2 = 1.0;
  return a.area_in2 <= kPiece_in2 && b.area_in2 <= kPiece_in2 &&
         GapBetween(a.box, b.box) <= kOneEvent_in;
}

// Connected components of MayBeOneObject, as lists of indices.
std::vector<std::vector<std::size_t>> Groups(const std::vector<SettledRegion>& regions) {
  std::vector<std::vector<std::size_t>> groups;
  std::vector<bool> taken(regions.size(), false);
  for (std::size_t i = 0; i < regions.size(); ++i) {
    if (taken[i]) continue;
    std::vector<std::size_t> group{i};
    taken[i] = true;
    for (std::size_t at = 0; at < group.size(); ++at) {
      for (std::size_t j = 0; j < regions.size(); ++j) {
        if (taken[j] || !MayBeOneObject(regions[group[at]], regions[j])) continue;
        taken[j] = true;
        group.push_back(j);
      }
    }
    groups.push_back(std::move(group));
  }
  return groups;
}

void Merge(SettledRegion& region, const SettledRegion& other) {
  const cv::Rect both = region.rect | other.rect;
  cv::Mat mask(both.size(), CV_8UC1, cv::Scalar(0));
  region.mask.copyTo(mask(region.rect - both.tl()));
  cv::bitwise_or(mask(other.rect - both.tl()), other.mask, mask(other.rect - both.tl()));
  region.mask = mask;
  region.rect = both;
  region.box = BoundsOf({region.box.low, region.box.high, other.box.low, other.box.high});
  region.at_rest.index = std::max(region.at_rest.index, other.at_rest.index);
  region.at_rest_s = std::max(region.at_rest_s, other.at_rest_s);
  region.area_in2 += other.area_in2;
  const bool hand_seen = (region.was_under_hand && !region.was_unseen) ||
                         (other.was_under_hand && !other.was_unseen);
  region.was_under_hand = region.was_under_hand || other.was_under_hand;
  region.was_unseen = region.was_under_hand && !hand_seen;
  region.on_board = region.on_board || other.on_board;
}

// A place of the region's mask on the cloth; empty where it is not on the table plane.
std::optional<Vec2> OnCloth(cv::Point2f place, const SettledRegion& region, int scale,
                            const TableCamera& camera) {
  const double times = scale;
  const ImagePoint full{(static_cast<double>(place.x) + region.rect.x + 0.5) * times - 0.5,
                        (static_cast<double>(place.y) + region.rect.y + 0.5) * times - 0.5};
  const auto at = TableFromImage(camera, full, 0, 0);
  if (!at.ok()) return std::nullopt;
  return at->at;
}

}  // namespace

std::vector<SettledRegion> MergedRegions(const std::vector<SettledRegion>& regions) {
  std::vector<SettledRegion> merged;
  for (const std::vector<std::size_t>& group : Groups(regions)) {
    SettledRegion region = regions[group.front()];
    for (std::size_t k = 1; k < group.size(); ++k) Merge(region, regions[group[k]]);
    merged.push_back(std::move(region));
  }
  return merged;
}

cv::Rect PictureRect(const SettledRegion& region, int scale, int margin_px, cv::Size picture) {
  const cv::Rect& small = region.rect;
  const cv::Rect grown(small.x * scale - margin_px, small.y * scale - margin_px,
                       small.width * scale + 2 * margin_px, small.height * scale + 2 * margin_px);
  return grown & cv::Rect({}, picture);
}

Polygon NarrowOutline(const SettledRegion& region, int scale, const TableCamera& camera) {
  std::vector<cv::Point> places;
  cv::findNonZero(region.mask, places);
  cv::Point2f corners[4];
  if (!places.empty()) cv::minAreaRect(places).points(corners);
  Polygon out;
  for (const cv::Point2f& corner : corners) {
    const auto at = OnCloth(corner, region, scale, camera);
    if (at) out.push_back(*at);
  }
  return out;
}

bool InTray(const SettledRegion& region, int scale, const TableCamera& camera,
            const std::vector<TraySpec>& trays) {
  if (trays.empty()) return false;
  std::vector<cv::Point> places;
  cv::findNonZero(region.mask, places);
  const auto inside = std::count_if(places.begin(), places.end(), [&](const cv::Point& place) {
    const auto at = OnCloth(place, region, scale, camera);
    return at && std::any_of(trays.begin(), trays.end(),
                             [&](const TraySpec& tray) { return tray.Contains(*at); });
  });
  return 2 * static_cast<std::size_t>(inside) > places.size();
}

StandScene KeepChangesByHand(const StandScene& before, StandScene after,
                             const std::vector<SettledRegion>& regions) {
  constexpr double kPushed_in = 1.0;
  const auto by_hand = [&](const StandObservation& stand) {
    return std::any_of(regions.begin(), regions.end(), [&](const SettledRegion& region) {
      return region.was_under_hand &&
             Grown(region.box, 0.5).Contains(stand.table_from_stand.origin);
    });
  };
  for (const StandChange& change : DiffScenes(before, after)) {
    if ((change.from && by_hand(*change.from)) || (change.to && by_hand(*change.to))) continue;
    if (change.from && change.to &&
        Distance(change.from->table_from_stand.origin, change.to->table_from_stand.origin) <
            kPushed_in) {
      continue;
    }
    std::erase_if(after.stands, [&](const StandObservation& s) { return s.stand == change.stand; });
    if (change.from) after.stands.push_back(*change.from);
  }
  return after;
}

bool RegionsBesideHands::NothingCame(const SettledRegion& region) const {
  // Pieces of a shadow join and part again.
  cv::Mat fresh = region.mask.clone();
  for (const Entry& e : entries_) {
    if (!e.searched || e.frame < region.at_rest.index) continue;
    const cv::Rect both = e.rect & region.rect;
    if (!both.empty()) fresh(both - region.rect.tl()).setTo(0, e.mask(both - e.rect.tl()));
  }
  constexpr double kSame = 0.2;  // of its pixels: its edge is soft
  return cv::countNonZero(fresh) < kSame * cv::countNonZero(region.mask);
}

bool RegionsBesideHands::IsDue(const SettledRegion& region, FrameId now) {
  constexpr std::int64_t kForget = 90;  // frames; the light changes, so look again now and then
  constexpr std::int64_t kBefore = 2;   // frames; a live camera may leave one out
  std::erase_if(entries_, [&](const Entry& e) {
    return now.index - e.frame > (e.searched ? kForget : kBefore);
  });
  const auto like_it = [&](const Entry& e) {
    const double both = static_cast<double>((e.rect & region.rect).area());
    const double either = static_cast<double>((e.rect | region.rect).area());
    return both > 0.8 * either && std::abs(e.area_in2 - region.area_in2) < 0.2 * region.area_in2;
  };
  const bool searched = std::any_of(entries_.begin(), entries_.end(),
                                    [&](const Entry& e) { return e.searched && like_it(e); });
  if (searched || NothingCame(region)) return false;
  const bool stands = std::any_of(entries_.begin(), entries_.end(), [&](const Entry& e) {
    return e.frame < now.index && like_it(e);
  });
  entries_.push_back({region.rect, region.mask, region.area_in2, now.index, stands});
  return stands;
}

}  // namespace fos
