// SPDX-License-Identifier: MIT
#include "vision/pipeline/dice_tracker.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <opencv2/imgproc.hpp>
#include <utility>

#include "vision/image/mask_shapes.h"
#include "vision/image/rectify.h"

namespace fos {
namespace {

// Of what has gone, the picture's blur leaves so much about it.
constexpr int kEdge_px = 2;
// Players look at a die for as long before they believe it.
constexpr double kStill_s = 0.5;

std::vector<cv::Point> ShiftedBy(std::vector<cv::Point> points, cv::Point by) {
  for (cv::Point& p : points) p += by;
  return points;
}

cv::Mat EightBit(const cv::Mat& picture) {
  cv::Mat out;
  picture.convertTo(out, CV_8UC3);
  return out;
}

}  // namespace

bool OnAStand(const DieFound& die, const std::vector<StandObservation>& stands) {
  return std::any_of(stands.begin(), stands.end(), [&](const StandObservation& s) {
    return Distance(NearestPoint(s.table_from_stand, s.footprint, die.centre), die.centre) <
           0.5 * die.side_in;
  });
}

DiceTracker::DiceTracker(const Scenario& scenario) : faces_(scenario.dice) {
  for (const ProjectileSpec& spec : scenario.projectiles) {
    if (spec.type == Projectile::kShell) shell_in_ = spec.size_in;
  }
}

bool DiceTracker::MayBeShell(const DieFound& die) const {
  constexpr double kLarger = 1.3;  // two sigmas of how clubs cut shells
  return die.value == 1 && die.side_in < kLarger * shell_in_;
}

bool DiceTracker::IsLeftTo(const ProjectileFinding& projectile, const DieFound& die,
                           std::span<const DieFound> beside) const {
  if (DistanceTo(projectile.outline, die.centre) >= 0.5 * die.side_in) return false;
  constexpr int kNumbered = 12;
  if (die.faces == kNumbered) {
    const bool no_shell = projectile.shot.projectile == Projectile::kShell && IsRead(die);
    return projectile.measured && !no_shell;
  }
  // A shell has one mark: where several pips are read it is none, nor is what came with dice of its
  // own make. But one that is turned by an eighth has dark ground in the corners of a larger face,
  // which with its mark is a five: where the shell's own mark tells it, it is one.
  const bool has_its_like = std::any_of(beside.begin(), beside.end(), [&](const DieFound& other) {
    return IsRead(other) && other.value > 1 && OfOneMake(die, other);
  });
  if (projectile.shot.projectile == Projectile::kShell && has_its_like) return false;
  if (!IsRead(die) || MayBeShell(die)) return true;
  const bool no_shell = projectile.shot.projectile == Projectile::kShell && die.value > 1 &&
                        !projectile.mark_seen;
  return projectile.measured && !no_shell;
}

bool DiceTracker::HasGone(const Lying& lying, const ShotPictures& pictures,
                          const cv::Rect& part) {
  cv::Mat on_it(part.size(), CV_8UC1, cv::Scalar(0));
  cv::fillConvexPoly(on_it, ShiftedBy(lying.covered, -part.tl()), cv::Scalar(255));
  const int all = cv::countNonZero(on_it);
  cv::bitwise_and(on_it, pictures.changed, on_it);
  constexpr double kMost = 0.5;
  return all > 0 && cv::countNonZero(on_it) > kMost * all;
}

DiceTracker::Looked DiceTracker::Look(SettledRegion& region, ShotPictures& pictures,
                                      const cv::Rect& part, int scale,
                                      const TerrainMap& terrain,
                                      const IsOther& is_other,
                                      const std::vector<ProjectileFinding>& shots,
                                      const cv::Mat& by_stands) {
  Looked out;
  cv::Mat explained(part.size(), CV_8UC1, cv::Scalar(0));
  // Those that have gone: their bare places are no news. All are looked at before any is taken out.
  std::vector<bool> gone;
  for (const Lying& lying : dice_) gone.push_back(HasGone(lying, pictures, part));
  std::size_t next = 0;
  std::erase_if(dice_, [&](const Lying& lying) {
    if (!gone[next++]) return false;
    if (lying.told) out.taken.push_back(lying.die.centre);
    const cv::Rect both = lying.part & part;
    cv::Mat place(part.size(), CV_8UC1, cv::Scalar(0));
    cv::fillConvexPoly(place, ShiftedBy(lying.covered, -part.tl()), cv::Scalar(255));
    place = Grown(place, kEdge_px);
    // With its shadow: where the picture differed when it lay there.
    cv::Mat differed;
    cv::absdiff(lying.bare(both - lying.part.tl()), lying.seen(both - lying.part.tl()), differed);
    cv::transform(differed, differed, cv::Matx13f(1, 1, 1));
    constexpr double kShadow = 30;  // grey levels, of three channels
    cv::Mat shadow = differed > kShadow;
    cv::bitwise_or(place(both - part.tl()), shadow, place(both - part.tl()));
    cv::Mat before = EightBit(pictures.before);
    lying.bare(both - lying.part.tl()).copyTo(before(both - part.tl()), place(both - part.tl()));
    pictures.before = before;
    cv::Mat still_new;
    cv::absdiff(before, EightBit(pictures.after), still_new);
    cv::transform(still_new, still_new, cv::Matx13f(1, 1, 1));
    constexpr double kSame = 60;  // grey levels, of three channels
    cv::Mat bare_again = still_new < kSame;
    cv::bitwise_and(bare_again, place, bare_again);
    cv::Mat changed = pictures.changed.clone();
    changed.setTo(0, bare_again);
    pictures.changed = changed;
    cv::bitwise_or(explained, bare_again, explained);
    return true;
  });

  ShotPictures unknown = AlreadyThere(pictures, by_stands);
  for (const ProjectileFinding& f : shots) {
    const bool swab = f.measured && f.shot.projectile == Projectile::kQtip;
    if (swab && f.predicted) unknown = AlreadyThere(unknown, *f.predicted);
  }
  std::vector<DieFound> left = FindDice(unknown, terrain, region.box, faces_);
  std::erase_if(left, [&](const DieFound& die) {
    return std::any_of(dice_.begin(), dice_.end(), [&](const Lying& lying) {
      return Distance(lying.die.centre, die.centre) < 0.5 * die.side_in;
    });
  });
  const cv::Mat bare = EightBit(pictures.before);
  const cv::Mat seen = EightBit(pictures.after);
  const cv::Mat changed_before = pictures.changed.clone();
  std::vector<DieFound> of_throw;
  for (const Lying& lying : dice_)
    if (!lying.told) of_throw.push_back(lying.die);
  const std::size_t known = of_throw.size();
  // What explains one of several dice may go with the others: it is asked again without them.
  while (!left.empty()) {
    const auto dice = std::stable_partition(left.begin(), left.end(), [&](const DieFound& die) {
      return is_other && is_other(die, of_throw);
    });
    const std::vector<DieFound> taken(dice, left.end());
    if (taken.empty()) break;
    left.erase(dice, left.end());
    HideDice(taken, pictures);
    of_throw.insert(of_throw.end(), taken.begin(), taken.end());
  }
  for (DieFound& die : std::span(of_throw).subspan(known)) {
    Lying lying;
    lying.covered = ShiftedBy(die.covered, part.tl());
    cv::Mat on_it(part.size(), CV_8UC1, cv::Scalar(0));
    cv::fillConvexPoly(on_it, die.covered, cv::Scalar(255));
    cv::bitwise_or(explained, on_it, explained);
    // Room for its shadow.
    const cv::Rect box = cv::boundingRect(die.covered);
    const cv::Point room(2 * box.width, 2 * box.height);
    const cv::Rect about = cv::Rect(box.tl() - room, box.br() + room) & cv::Rect({}, part.size());
    lying.part = about + part.tl();
    lying.camera = Cropped(pictures.camera, about);
    lying.bare = bare(about).clone();
    lying.seen = seen(about).clone();
    lying.at_rest_s = region.at_rest_s;
    lying.at_rest = region.at_rest;
    lying.die = std::move(die);
    dice_.push_back(std::move(lying));
  }
  cv::Mat hidden;
  cv::subtract(changed_before, pictures.changed, hidden);
  cv::bitwise_or(explained, hidden, explained);
  if (cv::countNonZero(explained) == 0) return out;

  // The region in two: what dice explain, and the rest.
  out.by_dice = region;
  cv::Mat by_dice = region.mask.clone();
  cv::Mat rest = region.mask.clone();
  for (int row = 0; row < by_dice.rows; ++row) {
    for (int column = 0; column < by_dice.cols; ++column) {
      const cv::Point at((region.rect.x + column) * scale + scale / 2 - part.x,
                         (region.rect.y + row) * scale + scale / 2 - part.y);
      const bool dice = cv::Rect({}, explained.size()).contains(at) &&
                        explained.at<std::uint8_t>(at) != 0;
      (dice ? rest : by_dice).at<std::uint8_t>(row, column) = 0;
    }
  }
  out.by_dice.mask = by_dice;
  region.mask = rest;
  return out;
}

void DiceTracker::CameraMoved(const TableCamera& now) {
  // Where they are in the picture now, on the cloth; without those that are not on the table plane.
  const auto seen_now = [&](const std::vector<cv::Point>& of_part, const TableCamera& was) {
    std::vector<cv::Point> out;
    for (const cv::Point p : of_part) {
      const auto place = TableFromImage(was, {1.0 * p.x, 1.0 * p.y}, 0, 0);
      if (!place.ok()) continue;
      const ImagePoint at = ImageFromTable(now, place->at, 0);
      out.emplace_back(cvRound(at.x_px), cvRound(at.y_px));
    }
    return out;
  };
  const cv::Rect picture(0, 0, now.lens.width_px, now.lens.height_px);
  std::erase_if(dice_, [&](Lying& lying) {
    const cv::Point last(lying.part.width - 1, lying.part.height - 1);
    const std::vector<cv::Point> corners =
        seen_now({{0, 0}, {last.x, 0}, last, {0, last.y}}, lying.camera);
    const std::vector<cv::Point> covered =
        seen_now(ShiftedBy(lying.covered, -lying.part.tl()), lying.camera);
    if (corners.size() < 4 || covered.size() < lying.covered.size()) return true;
    const cv::Rect part = cv::boundingRect(corners) & picture;
    if (part.empty()) return true;
    const TableCamera camera = Cropped(now, part);
    const cv::Mat all(lying.part.size(), CV_8UC1, cv::Scalar(255));
    lying.bare = SeenFrom({lying.bare, all}, lying.camera, camera).bgr;
    lying.seen = SeenFrom({lying.seen, all}, lying.camera, camera).bgr;
    lying.covered = covered;
    lying.part = part;
    lying.camera = camera;
    return false;
  });
}

bool DiceTracker::CameWith(FrameId at_rest, std::int64_t frames) const {
  return std::any_of(dice_.begin(), dice_.end(), [&](const Lying& lying) {
    return std::abs(lying.at_rest.index - at_rest.index) <= frames;
  });
}

std::optional<DiceSeen> DiceTracker::Throw(double time_s, bool clear,
                                           const std::vector<StandObservation>& stands) {
  if (!clear) return std::nullopt;
  std::erase_if(dice_,
                [&](const Lying& lying) { return !lying.told && OnAStand(lying.die, stands); });
  const bool ready =
      std::any_of(dice_.begin(), dice_.end(), [](const Lying& l) { return !l.told; });
  if (!ready) return std::nullopt;
  for (const Lying& lying : dice_) {
    if (!lying.told && time_s - lying.at_rest_s < kStill_s) return std::nullopt;
  }
  DiceSeen out;
  for (Lying& lying : dice_) {
    if (lying.told) continue;
    lying.told = true;
    out.dice.push_back(lying.die);
    out.pictures.push_back(lying.seen);
    out.outlines.push_back(ShiftedBy(lying.covered, -lying.part.tl()));
    out.at_rest_s.push_back(lying.at_rest_s);
    out.at_rest = lying.at_rest;
  }
  return out;
}

cv::Mat DrawDice(const DiceSeen& dice, const std::vector<std::vector<std::string>>& words) {
  constexpr int kSide_px = 240;
  constexpr int kLine_px = 22;
  const cv::Scalar yellow(0, 200, 255);
  std::size_t most = 0;
  for (const auto& lines : words) most = std::max(most, lines.size());
  const int rows = kSide_px + kLine_px * static_cast<int>(most) + (most > 0 ? 10 : 0);
  cv::Mat out(rows, kSide_px * static_cast<int>(dice.pictures.size()), CV_8UC3,
              cv::Scalar(30, 30, 30));
  for (std::size_t i = 0; i < dice.pictures.size(); ++i) {
    const cv::Mat& picture = dice.pictures[i];
    cv::Mat panel = out.colRange(kSide_px * static_cast<int>(i), kSide_px * static_cast<int>(i + 1));
    const double scale = double{kSide_px} / std::max(picture.cols, picture.rows);
    cv::Mat sized;
    cv::resize(picture, sized, {}, scale, scale, cv::INTER_CUBIC);
    const cv::Rect to = cv::Rect({}, sized.size()) & cv::Rect(0, 0, kSide_px, kSide_px);
    sized(to).copyTo(panel(to));
    // About it and not over it: people read the face themselves.
    constexpr int kBeside_px = 6;
    cv::Rect frame = cv::boundingRect(dice.outlines.at(i));
    frame = cv::Rect(cv::Point(scale * cv::Point2d(frame.tl())),
                     cv::Point(scale * cv::Point2d(frame.br())));
    frame -= cv::Point(kBeside_px, kBeside_px);
    frame += cv::Size(2 * kBeside_px, 2 * kBeside_px);
    cv::rectangle(panel(to), frame, yellow, 1, cv::LINE_AA);
    for (std::size_t line = 0; line < words.at(i).size(); ++line) {
      cv::putText(panel, words[i][line], {6, kSide_px + kLine_px * static_cast<int>(line + 1) - 4},
                  cv::FONT_HERSHEY_SIMPLEX, 0.5, cv::Scalar(235, 235, 235), 1, cv::LINE_AA);
    }
  }
  return out;
}

}  // namespace fos
