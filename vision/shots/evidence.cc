// SPDX-License-Identifier: MIT
#include "vision/shots/evidence.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <sstream>

#include <fmt/format.h>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>

#include "vision/image/patch.h"

namespace fos {
namespace {

constexpr double kPixelsPerInch =
    110;  // two panels of five inches fit a laptop's screen side by side
constexpr double kHalfWidth_in = 2.6;  // the circle, and every stand that is reported
constexpr int kFineBits = 4;  // OpenCV draws to a sixteenth of a pixel
const cv::Scalar kHitColour(60, 60, 235);
const cv::Scalar kMissColour(80, 200, 80);
const cv::Scalar kCloseColour(40, 200, 250);
const cv::Scalar kCircleColour(255, 255, 255);
const cv::Scalar kTipColour(255, 255, 0);
const cv::Scalar kShadeColour(0, 0, 0);
constexpr double kDoubtSigmas = 2;  // what is drawn holds nineteen times in twenty

// Draws in inches on one panel.
class Panel {
 public:
  Panel(const cv::Mat& bgr, const TableCamera& camera, Vec2 centre, double level_in,
        double half_width_in = kHalfWidth_in, double px_per_in = kPixelsPerInch)
      : grid_(camera,
              {centre - Vec2{half_width_in, half_width_in},
               centre + Vec2{half_width_in, half_width_in}},
              level_in, px_per_in),
        eye_(CameraCentre(camera)) {
    grid_.Cut(bgr).convertTo(picture_, CV_8UC3);
  }

  // A point at a height, where it shows on this panel's level.
  cv::Point At(Vec2 p, double z_in) const {
    const Vec2 foot{eye_[0], eye_[1]};
    const Vec2 shown = foot + ((eye_[2] - grid_.Level()) / (eye_[2] - z_in)) * (p - foot);
    const cv::Point2d at = grid_.FromTable(shown);
    return {static_cast<int>(std::lround(at.x * (1 << kFineBits))),
            static_cast<int>(std::lround(at.y * (1 << kFineBits)))};
  }
  void Line(Vec2 a, Vec2 b, double z_in, const cv::Scalar& colour, int thickness) {
    cv::line(picture_, At(a, z_in), At(b, z_in), colour, thickness, cv::LINE_AA, kFineBits);
  }
  // One that is seen over whatever lies there.
  void ClearLine(Vec2 a, Vec2 b, double z_in, const cv::Scalar& colour, int thickness) {
    Line(a, b, z_in, kShadeColour, thickness + 2);
    Line(a, b, z_in, colour, thickness);
  }
  void Outline(std::span<const Vec2> corners, double z_in, const cv::Scalar& colour) {
    for (std::size_t i = 0; i < corners.size(); ++i)
      Line(corners[i], corners[(i + 1) % corners.size()], z_in, colour, 1);
  }
  void Ring(Vec2 centre, double radius_in, double z_in, const cv::Scalar& colour, int thickness) {
    constexpr int kSteps = 120;
    for (int i = 0; i < kSteps; ++i) {
      const auto at = [&](int step) {
        const double angle = 2 * CV_PI * step / kSteps;
        return centre + radius_in * Vec2{std::cos(angle), std::sin(angle)};
      };
      Line(at(i), at(i + 1), z_in, colour, thickness);
    }
  }
  // The band in which the true circle lies, two sigma each way, lightly over the picture.
  void Band(Vec2 centre, double radius_in, double half_width_in, double z_in,
            const cv::Scalar& colour) {
    cv::Mat over = picture_.clone();
    const int thickness =
        std::max(3, static_cast<int>(std::lround(2 * half_width_in * kPixelsPerInch)));
    cv::circle(over, At(centre, z_in),
               static_cast<int>(std::lround(radius_in * kPixelsPerInch * (1 << kFineBits))), colour,
               thickness, cv::LINE_AA, kFineBits);
    cv::addWeighted(over, 0.35, picture_, 0.65, 0, picture_);
  }
  // Nothing is to be written over this place.
  void KeepFree(Vec2 at, double z_in, int reach_px) {
    const cv::Point p = Pixel(at, z_in);
    taken_.emplace_back(p.x - reach_px, p.y - reach_px, 2 * reach_px, 2 * reach_px);
  }
  // Words beside the middle between `from` and `to`, where there is room for them, on a plate that
  // can be read over any picture. Where they stand off, a thin line leads to their place.
  void Label(Vec2 from, Vec2 to, double z_in, const std::string& words, const cv::Scalar& colour) {
    if (words.empty()) return;
    constexpr double kScale = 0.45;
    constexpr int kPad_px = 3;
    int below = 0;
    const cv::Size size = cv::getTextSize(words, cv::FONT_HERSHEY_SIMPLEX, kScale, 1, &below);
    const cv::Point a = Pixel(from, z_in);
    const cv::Point b = Pixel(to, z_in);
    const cv::Point wanted = 0.5 * (a + b);
    const cv::Rect best = PlaceLabel({size.width + 2 * kPad_px, size.height + below + 2 * kPad_px},
                                     wanted, picture_.size(), taken_, leaders_);
    if (const auto leader = LeaderTo(best, wanted, taken_)) {
      cv::line(picture_, leader->from, leader->to, colour, 1, cv::LINE_AA);
      leaders_.push_back(*leader);
    }
    // Two numbers side by side are not to be read as one.
    constexpr int kApart_px = 4;
    taken_.emplace_back(best.x - kApart_px, best.y, best.width + 2 * kApart_px, best.height);
    const cv::Rect seen = best & cv::Rect({}, picture_.size());
    if (seen.empty()) return;
    constexpr double kPlate = 0.7;  // how much of the picture the plate hides
    picture_(seen).convertTo(picture_(seen), -1, 1 - kPlate);
    cv::putText(picture_, words, {best.x + kPad_px, best.y + kPad_px + size.height},
                cv::FONT_HERSHEY_SIMPLEX, kScale, colour, 1, cv::LINE_AA);
  }
  // No label is to be written over the title.
  void KeepTitleFree(const std::string& words, double scale = kTitleScale) {
    int below = 0;
    const cv::Size size = cv::getTextSize(words, cv::FONT_HERSHEY_SIMPLEX, scale, 1, &below);
    taken_.emplace_back(0, 0, kTitleAt.x + size.width + kTitleShade_px,
                        kTitleAt.y + below + kTitleShade_px);
  }
  void Title(const std::string& words, double scale = kTitleScale) {
    for (const auto& [colour, thickness] :
         {std::pair{kShadeColour, kTitleShade_px}, std::pair{kCircleColour, 1}}) {
      cv::putText(picture_, words, kTitleAt, cv::FONT_HERSHEY_SIMPLEX, scale, colour, thickness,
                  cv::LINE_AA);
    }
  }
  const cv::Mat& Picture() const { return picture_; }

 private:
  static constexpr double kTitleScale = 0.6;
  static constexpr int kTitleShade_px = 4;
  static inline const cv::Point kTitleAt{10, 22};  // its left end, on the line

  cv::Point Pixel(Vec2 at, double z_in) const {
    const cv::Point p = At(at, z_in);
    return {p.x >> kFineBits, p.y >> kFineBits};
  }

  PatchGrid grid_;
  cv::Vec3d eye_;
  cv::Mat picture_;
  std::vector<cv::Rect> taken_;  // by words, and what must be seen
  std::vector<LabelLeader> leaders_;
};

// The gap between panels; it lets two of half their size stand beside one.
constexpr int kGap_px = 6;

void DrawPrediction(const EvidenceRequest& request, EvidencePanels& out) {
  cv::Mat predicted;
  cv::Mat after;
  request.before.convertTo(predicted, CV_8UC3);
  request.after.convertTo(after, CV_8UC3);
  const cv::Rect where = request.predicted->where & cv::Rect({}, predicted.size());
  if (where.size() != request.predicted->bgr.size()) return;
  request.predicted->bgr.copyTo(predicted(where));
  constexpr double kTimes = 2;
  constexpr int kGrey = 128;
  cv::Mat unexplained;
  cv::addWeighted(after, kTimes, predicted, -kTimes, kGrey, unexplained, CV_8U);
  const auto panel = [&](const cv::Mat& bgr, const char* title) {
    const double half = 0.5 * (kPixelsPerInch - kGap_px / (2 * kHalfWidth_in));
    Panel one(bgr, request.camera, request.shot.point, request.shot.height_in, kHalfWidth_in, half);
    constexpr double kTitle = 0.45;
    one.Title(title, kTitle);
    return one.Picture().clone();
  };
  out.predicted = panel(predicted, "as the program sees it");
  out.unexplained = panel(unexplained, "what that leaves unexplained");
}

cv::Scalar ColourOf(EvidenceStand::Colour colour) {
  switch (colour) {
    case EvidenceStand::Colour::kHit:
      return kHitColour;
    case EvidenceStand::Colour::kMiss:
      return kMissColour;
    case EvidenceStand::Colour::kTooClose:
      return kCloseColour;
  }
  return kMissColour;
}

constexpr double kWordScale = 0.52;  // of the lines below the pictures

// The text in lines of at most width_px, broken between words.
std::vector<std::string> Broken(const std::string& text, int width_px) {
  std::vector<std::string> lines(1);
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const std::string longer = lines.back().empty() ? word : lines.back() + ' ' + word;
    int base = 0;
    const cv::Size size = cv::getTextSize(longer, cv::FONT_HERSHEY_SIMPLEX, kWordScale, 1, &base);
    if (size.width <= width_px || lines.back().empty()) {
      lines.back() = longer;
    } else {
      lines.push_back("  " + word);
    }
  }
  return lines;
}

}  // namespace

std::optional<LabelLeader> LeaderTo(const cv::Rect& place, cv::Point wanted,
                                    const std::vector<cv::Rect>& taken) {
  if (place.contains(wanted)) return std::nullopt;
  LabelLeader out{wanted, {std::clamp(wanted.x, place.x, place.x + place.width),
                           std::clamp(wanted.y, place.y, place.y + place.height)}};
  for (const cv::Rect& free : taken) {
    if (!free.contains(wanted)) continue;
    // clipLine leaves the part within: the line goes on from its end.
    cv::Point within = wanted;
    cv::Point leaves = out.to;
    if (!cv::clipLine(free, within, leaves)) continue;
    if (leaves == out.to) return std::nullopt;
    if (cv::norm(leaves - wanted) > cv::norm(out.from - wanted)) out.from = leaves;
  }
  constexpr double kSeen_px = 3;
  if (cv::norm(out.to - out.from) < kSeen_px) return std::nullopt;
  return out;
}

cv::Rect PlaceLabel(cv::Size label, cv::Point wanted, cv::Size picture,
                    const std::vector<cv::Rect>& taken, const std::vector<LabelLeader>& leaders) {
  const cv::Rect all({}, picture);
  const auto meets = [](const cv::Rect& rect, cv::Point from, cv::Point to) {
    return cv::clipLine(rect, from, to);
  };
  // Digits with a line through them cannot be read.
  const auto crosses = [&](const cv::Rect& place) {
    for (const LabelLeader& other : leaders)
      if (meets(place, other.from, other.to)) return true;
    const auto own = LeaderTo(place, wanted, taken);
    return own && std::any_of(taken.begin(), taken.end(), [&](const cv::Rect& rect) {
      return !rect.contains(wanted) && meets(rect, own->from, own->to);
    });
  };
  const auto covered = [&](const cv::Rect& place) {
    int out = place.area() - (place & all).area();
    for (const cv::Rect& other : taken) out += (place & other).area();
    return out;
  };
  constexpr int kStep_px = 6;
  constexpr int kRings = 40;
  cv::Rect best;
  int least = std::numeric_limits<int>::max();  // twice what is covered, and 1 where lines cross
  for (int ring = 0; ring <= kRings && least > 0; ++ring) {
    const int places = std::max(1, 4 * ring);
    for (int i = 0; i < places && least > 0; ++i) {
      const double angle = 2 * CV_PI * i / places;
      const cv::Point middle = wanted + cv::Point(cvRound(kStep_px * ring * std::cos(angle)),
                                                  cvRound(kStep_px * ring * std::sin(angle)));
      const cv::Rect place(middle.x - label.width / 2, middle.y - label.height / 2, label.width,
                           label.height);
      int now = 2 * covered(place);
      if (now < least && crosses(place)) ++now;
      if (now >= least) continue;
      least = now;
      best = place;
    }
  }
  return best;
}

EvidencePanels DrawEvidencePanels(const EvidenceRequest& request) {
  const double level = request.shot.height_in;
  const Vec2 point = request.shot.point;
  Panel before(request.before, request.camera, point, level);
  Panel after(request.after, request.camera, point, level);
  if (request.asked.empty()) {
    const double sigma = RmsSigma(request.shot.point_cov);
    after.Band(point, request.circle_in, kDoubtSigmas * sigma, level, kCloseColour);
    after.Ring(point, request.circle_in, level, kCircleColour, 1);
  } else {
    after.Outline(request.asked, level, kCloseColour);
  }
  for (const EvidenceStand& stand : request.stands) {
    const cv::Scalar colour = ColourOf(stand.colour);
    before.Outline(stand.corners, stand.top_in, colour);
    after.Outline(stand.corners, stand.top_in, colour);
    // Guns and wagons are hit by touch.
    if (stand.limit_in > 0 && stand.limit_in != request.circle_in)
      after.Ring(point, stand.limit_in, level, kCircleColour, 1);
  }
  // The farther first: what is near is what people argue about.
  for (auto stand = request.stands.rbegin(); stand != request.stands.rend(); ++stand) {
    const cv::Scalar colour = ColourOf(stand->colour);
    after.ClearLine(point, stand->nearest, level, colour, 1);
    const Vec2 way = Normalized(stand->nearest - point);
    const double doubt_in = kDoubtSigmas * stand->sigma_in;
    const double from_in = std::max(stand->distance_in - doubt_in, 0.0);
    const double to_in = stand->distance_in + doubt_in;
    if (way == Vec2{} || doubt_in <= 0) continue;
    after.ClearLine(point + from_in * way, point + to_in * way, level, colour, 3);
  }
  // The words last, over everything, and never over the point.
  constexpr int kFree_px = 28;  // a shell's half and the cotton of a swab
  after.KeepFree(point, level, kFree_px);
  before.KeepTitleFree("before");
  after.KeepTitleFree("after");
  for (const EvidenceStand& stand : request.stands) {
    after.Label(point, stand.nearest, level, fmt::format("{:.2f}", stand.distance_in),
                ColourOf(stand.colour));
  }
  for (const EvidenceStand& stand : request.stands) {
    const Vec2 middle = 0.5 * (stand.corners[0] + stand.corners[2]);
    before.Label(middle, middle, stand.top_in, stand.name, ColourOf(stand.colour));
    after.Label(middle, middle, stand.top_in, stand.name, ColourOf(stand.colour));
  }
  if (request.asked.empty()) {
    // A cross that leaves the point itself free to be seen.
    for (const Vec2 d : {Vec2{1, 0}, Vec2{-1, 0}, Vec2{0, 1}, Vec2{0, -1}})
      after.Line(point + 0.06 * d, point + 0.16 * d, level, kTipColour, 1);
  }
  before.Title("before");
  after.Title("after");
  EvidencePanels out{before.Picture(), after.Picture(), {}, {}};
  if (request.predicted) DrawPrediction(request, out);
  return out;
}

cv::Mat DrawEvidence(const EvidenceRequest& request) {
  return DrawEvidence(request, DrawEvidencePanels(request));
}

cv::Mat DrawEvidence(const EvidenceRequest& request, const EvidencePanels& panels) {
  constexpr int kLine_px = 22;
  const int rows = panels.before.rows;
  std::vector<std::pair<cv::Mat, cv::Point>> placed;
  cv::Point next(0, 0);
  for (const cv::Mat& panel : {panels.before, panels.after}) {
    placed.emplace_back(panel, next);
    next.x += panel.cols + kGap_px;
  }
  if (!panels.predicted.empty()) {
    placed.emplace_back(panels.predicted, next);
    placed.emplace_back(panels.unexplained, next + cv::Point(0, panels.predicted.rows + kGap_px));
    next.x += panels.predicted.cols + kGap_px;
  }
  const int width = next.x - kGap_px;
  std::vector<std::pair<std::string, cv::Scalar>> lines;
  const auto add = [&](const std::string& text, const cv::Scalar& colour) {
    for (std::string& line : Broken(text, width - 20)) lines.emplace_back(std::move(line), colour);
  };
  for (const std::string& line : request.lines) add(line, cv::Scalar(235, 235, 235));
  for (const EvidenceStand& stand : request.stands) add(stand.label, ColourOf(stand.colour));
  cv::Mat out(rows + kLine_px * static_cast<int>(lines.size()) + 14, width, CV_8UC3,
              cv::Scalar(30, 30, 30));
  for (const auto& [panel, at] : placed) {
    const cv::Rect there = cv::Rect(at, panel.size()) & cv::Rect({}, out.size());
    panel(cv::Rect({}, there.size())).copyTo(out(there));
  }
  for (std::size_t i = 0; i < lines.size(); ++i) {
    cv::putText(out, lines[i].first, {10, rows + kLine_px * (static_cast<int>(i) + 1)},
                cv::FONT_HERSHEY_SIMPLEX, kWordScale, lines[i].second, 1, cv::LINE_AA);
  }
  return out;
}

cv::Mat DrawTurningLines(const EvidenceRequest& request) {
  constexpr double kAbout_in = 0.6;
  constexpr double kZoom = 700 / (2 * kAbout_in);
  const double level = request.shot.height_in;
  const Vec2 point = request.shot.point;
  Panel panel(request.after, request.camera, point, level, kAbout_in, kZoom);
  // Where the point would lie exactly on the limit: the footprint grown by it, with round corners.
  for (const EvidenceStand& stand : request.stands) {
    const cv::Scalar colour = ColourOf(stand.colour);
    const double area =
        Cross(stand.corners[1] - stand.corners[0], stand.corners[2] - stand.corners[1]);
    const double outward = area > 0 ? -1 : 1;  // of an edge's left normal
    for (std::size_t i = 0; i < 4; ++i) {
      const Vec2 a = stand.corners[i];
      const Vec2 b = stand.corners[(i + 1) % 4];
      const Vec2 c = stand.corners[(i + 2) % 4];
      const Vec2 out = outward * stand.limit_in * Perpendicular(Normalized(b - a));
      const Vec2 next = outward * stand.limit_in * Perpendicular(Normalized(c - b));
      panel.Line(a + out, b + out, level, colour, 1);
      constexpr int kSteps = 24;
      Vec2 last = b + out;
      for (int k = 1; k <= kSteps; ++k) {
        const double t = static_cast<double>(k) / kSteps;
        const Vec2 way = Normalized((1 - t) * out + t * next);
        const Vec2 here = b + stand.limit_in * way;
        panel.Line(last, here, level, colour, 1);
        last = here;
      }
    }
  }
  // One and two sigma of the point.
  const Cov2 c = request.shot.point_cov;
  const double middle = (c.xx + c.yy) / 2;
  const double apart = std::hypot((c.xx - c.yy) / 2, c.xy);
  const double angle = 0.5 * std::atan2(2 * c.xy, c.xx - c.yy);
  const Vec2 longer{std::cos(angle), std::sin(angle)};
  for (const double sigmas : {1.0, 2.0}) {
    constexpr int kSteps = 72;
    const double a = sigmas * std::sqrt(std::max(middle + apart, 0.0));
    const double b = sigmas * std::sqrt(std::max(middle - apart, 0.0));
    const auto at = [&](int k) {
      const double t = 2 * CV_PI * k / kSteps;
      return point + a * std::cos(t) * longer + b * std::sin(t) * Perpendicular(longer);
    };
    for (int k = 0; k < kSteps; ++k) panel.Line(at(k), at(k + 1), level, kTipColour, 1);
  }
  for (const Vec2 d : {Vec2{1, 0}, Vec2{-1, 0}, Vec2{0, 1}, Vec2{0, -1}}) {
    panel.Line(point + 0.01 * d, point + 0.03 * d, level, kTipColour, 1);
  }
  panel.KeepFree(point, level, 40);
  for (const EvidenceStand& stand : request.stands) {
    // The place on its line nearest to the point, where that is in the picture.
    const double gap = Distance(stand.nearest, point);
    if (gap < 1e-9 || std::abs(gap - stand.limit_in) > kAbout_in) continue;
    const Vec2 way = (point - stand.nearest) / gap;
    const Vec2 on_line = stand.nearest + stand.limit_in * way;
    panel.Label(on_line, on_line, level, stand.name, ColourOf(stand.colour));
  }
  panel.Title("within a line: hit; one and two sigma about the point");
  return panel.Picture();
}

Status WritePicture(const cv::Mat& picture, const std::filesystem::path& file) try {
  if (!cv::haveImageWriter(file.string())) {
    return Error{ErrorCode::kUnsupported,
                 fmt::format("{}: is no kind of picture that is written; name it .png or .jpg",
                             file.string())};
  }
  std::error_code ec;
  if (file.has_parent_path()) std::filesystem::create_directories(file.parent_path(), ec);
  // Level 1: four times quicker than the default for a tenth more bytes.
  if (!cv::imwrite(file.string(), picture, {cv::IMWRITE_PNG_COMPRESSION, 1})) {
    return Error{ErrorCode::kIo,
                 fmt::format("{}: cannot be written; is there room, and may you write there?",
                             file.string())};
  }
  return Ok();
} catch (const cv::Exception& e) {
  return Error{ErrorCode::kIo, fmt::format("{}: cannot be written: {}", file.string(), e.what())};
}

}  // namespace fos
