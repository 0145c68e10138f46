// SPDX-License-Identifier: MIT
#include "calibration/registration/grid_fit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>

#include <fmt/format.h>
#include <opencv2/calib3d.hpp>

#include "calibration/camera/sampling.h"
#include "calibration/registration/grid_search.h"
#include "calibration/registration/line_pictures.h"

namespace fos::registration {
namespace {

// How a hand draws a grid (measured on rendered and real boards): the whole of it a little beside
// where it should be, each line a little beside its mark, and the pen a little beside the line.
constexpr double kOriginSigma_in = 0.01;
constexpr double kLineSigma_in = 0.01;
constexpr double kPenSigma_in = 0.017;
// The pen strays slowly: neighbouring sides of a line err alike. Measured between neighbours on
// rendered and real boards: 0.2 at 4 in, 0.4 at 2 in.
constexpr double kPenLength_in = 2.3;
// What a side of a square tells, one sigma, such that the sides may be taken for independent: the
// mean of a line of neighbours that correlate by r is known as if each erred by this much.
double SideSigma_in(double square_in) {
  const double r = std::exp(-square_in / kPenLength_in);
  return kPenSigma_in * std::sqrt((1 + r) / (1 - r));
}

bool StaysOut(int column, int row) { return (column + 2 * row) % 5 == 0; }

// One sight for each side of a square in which at least half of what was fitted agrees.
// Added to what the markers say.
void AddGrid(const std::vector<GridSight>& seen, const TableCamera& camera, const TableFrame& frame,
             Evidence& evidence) {
  const double sigma_in = SideSigma_in(frame.square_in);
  std::map<std::tuple<bool, int, int>, std::vector<GridSight>> sides;
  for (const GridSight& g : seen) {
    if (!HeldOut(g)) sides[{g.runs_north, g.line, g.stretch / kStretchesPerSide}].push_back(g);
  }
  auto& sigma = evidence.priors.shift_sigma;
  const int east = static_cast<int>(sigma.size());
  const int north = east + 1;
  sigma.insert(sigma.end(), {kOriginSigma_in, kOriginSigma_in});
  std::map<std::pair<bool, int>, int> lines;
  for (const auto& [key, stretches] : sides) {
    if (stretches.size() < 2) continue;
    std::vector<double> offs;
    for (const GridSight& g : stretches) offs.push_back(g.off_in);
    const double middle = Median(offs);
    GridSight side = stretches.front();
    side.off_in = 0;
    side.at = {};
    double agree = 0;
    for (const GridSight& g : stretches) {
      constexpr double kTogether_in = 0.04;
      if (std::abs(g.off_in - middle) > kTogether_in) continue;
      side.off_in += g.off_in;
      side.at = side.at + g.at;
      agree += 1;
    }
    if (agree < 2) continue;
    side.off_in /= agree;
    side.at = side.at / agree;
    LineSight sight = SightOf(side, camera, sigma_in);
    const auto [line, added] =
        lines.try_emplace({side.runs_north, side.line}, static_cast<int>(sigma.size()));
    if (added) sigma.push_back(kLineSigma_in);
    sight.shares[0].shift = side.runs_north ? east : north;
    sight.shares[1].shift = line->second;
    evidence.sights.push_back(sight);
  }
}

// A comb of lines laid one square to the side misses a single line of each ten: where more of the
// lines are seen a square further on, the board lies there.
Pose SettledOnBoard(const cv::Mat& lines, Pose pose, const TableFrame& frame) {
  const auto seen = [&](const Pose& at) {
    return MeasureGrid(lines, CameraOf(at), frame, kStrayLine_in).size();
  };
  cv::Matx33d rotation;
  cv::Rodrigues(pose.rvec, rotation);
  std::size_t best = seen(pose);
  constexpr int kMostMoves = 3;
  for (int move = 0; move < kMostMoves; ++move) {
    const Pose here = pose;
    for (const cv::Vec3d& side :
         {cv::Vec3d(1, 0, 0), cv::Vec3d(-1, 0, 0), cv::Vec3d(0, 1, 0), cv::Vec3d(0, -1, 0)}) {
      const Pose there{here.rvec, here.tvec + rotation * (frame.square_in * side), here.lens};
      const std::size_t count = seen(there);
      if (count > best) {
        best = count;
        pose = there;
      }
    }
    if (pose.tvec == here.tvec) break;
  }
  return pose;
}

constexpr double kLeastShare = 0.3;  // of the lines; by chance a tenth lies within reach
constexpr double kPlainShare = 0.7;  // needs nothing else tried
// Edges are everywhere: of furniture, of figures, of what is printed.
constexpr double kLeastEdges = 0.45;
double LeastShare(LineKind kind) { return kind == LineKind::kEdges ? kLeastEdges : kLeastShare; }

// Lenses to search the grid with: what is known, and where that is loose, what lies about it.
std::vector<CameraModel> LensesToTry(const Known& known) {
  std::vector<CameraModel> out = {known.lens.lens};
  if (!known.lens.lens.covariance) return out;
  const double sigma = std::sqrt(std::max(0.0, (*known.lens.lens.covariance)(0, 0)));
  constexpr double kLoose = 0.05;  // a tilted square is square only for the right focal length
  if (!(sigma > kLoose * known.lens.lens.fx_px)) return out;
  for (const double sigmas : {1.0, -1.0, 2.0}) {
    LensVec change;
    change[0] = change[1] = sigmas * sigma;
    const CameraModel moved = Moved(known.lens.lens, change);
    if (SaneLens(moved)) out.push_back(moved);
  }
  return out;
}

// For each side of each square, how much its stretches speak for a line there: log odds.
class SidesSeen {
 public:
  // south_west  of `frame`'s south-west corner in the camera's table frame.
  SidesSeen(const cv::Mat& lines, const TableCamera& camera, const TableFrame& frame,
            Vec2 south_west)
      : frame_(frame) {
    const TableCamera moved =
        MakeTableCamera(camera.lens, camera.rvec,
                        camera.tvec + camera.rotation * cv::Vec3d(south_west.x, south_west.y, 0));
    std::map<Side, int> seen;
    for (const GridSight& g : MeasureGrid(lines, moved, frame, kStrayLine_in)) {
      ++seen[{g.runs_north, g.line, g.stretch / kStretchesPerSide}];
    }
    for (const bool runs_north : {true, false}) {
      const int count = runs_north ? frame.columns : frame.rows;
      const int length = runs_north ? frame.rows : frame.columns;
      for (int line = 0; line <= count; ++line) {
        for (int square = 0; square < length; ++square) {
          const Side side{runs_north, line, square};
          if (InPicture(moved, side)) log_odds_[side] = LogOdds(seen[side]);
        }
      }
    }
  }

  // Of a strip of squares along a side of the board: of its one line that only the strip has, and
  // of the lines that cross it.
  // inward  from that line into the strip.
  double Strip(const cv::Rect& squares, Vec2 inward) const {
    double sum = 0;
    const bool runs_north = inward.x != 0;
    const int first = runs_north ? squares.x : squares.y;
    const int outer = (runs_north ? inward.x : inward.y) > 0 ? first : first + 1;
    const int from = runs_north ? squares.y : squares.x;
    const int to = from + (runs_north ? squares.height : squares.width);
    for (int i = from; i < to; ++i) sum += At({runs_north, outer, i});
    for (int i = from; i <= to; ++i) sum += At({!runs_north, i, first});
    return sum;
  }
  // Of the lines with even (0) or odd (1) numbers.
  double EverySecondLine(int first) const {
    double sum = 0;
    for (const auto& [side, odds] : log_odds_) sum += std::get<1>(side) % 2 == first ? odds : 0.0;
    return sum;
  }

 private:
  using Side = std::tuple<bool, int, int>;  // runs north, its line, its square along the line

  // A drawn line is seen in three stretches of four (the rest is covered), and by chance something
  // is in one of five. The stretches of a side are covered together: they count as one.
  static double LogOdds(int seen) {
    constexpr double kSeen = 0.75;
    constexpr double kByChance = 0.2;
    const double share = static_cast<double>(seen) / kStretchesPerSide;
    return share * std::log(kSeen / kByChance) +
           (1 - share) * std::log((1 - kSeen) / (1 - kByChance));
  }
  double At(const Side& side) const {
    const auto at = log_odds_.find(side);
    return at == log_odds_.end() ? 0.0 : at->second;
  }
  bool InPicture(const TableCamera& camera, const Side& side) const {
    const auto [runs_north, line, square] = side;
    // As far to both sides of the line, and to its ends, as MeasureGrid looks.
    constexpr double kEnd = 0.06;
    constexpr double kAcross_in = kStrayLine_in + 0.24;
    for (const double end : {square + kEnd, square + 1 - kEnd}) {
      for (const double off_in : {-kAcross_in, kAcross_in}) {
        const double across = line * frame_.square_in + off_in;
        const double along = end * frame_.square_in;
        const Vec2 at = runs_north ? Vec2{across, along} : Vec2{along, across};
        const cv::Vec3d p = camera.rotation * cv::Vec3d(at.x, at.y, 0) + camera.tvec;
        if (!(p[2] > 0)) return false;
        const ImagePoint seen = Distort(camera.lens, p[0] / p[2], p[1] / p[2]);
        if (!(seen.x_px >= 0 && seen.y_px >= 0 && seen.x_px <= camera.lens.width_px - 1 &&
              seen.y_px <= camera.lens.height_px - 1)) {
          return false;
        }
      }
    }
    return true;
  }

  TableFrame frame_;
  std::map<Side, double> log_odds_;
};

}  // namespace

bool SaneLens(const CameraModel& lens) {
  const double side = std::max(lens.width_px, lens.height_px);
  constexpr double kShortest = 0.2;  // of the picture's longer side: 136 degrees across
  if (!(std::min(lens.fx_px, lens.fy_px) > kShortest * side)) return false;
  const double right = lens.width_px - 1;
  const double bottom = lens.height_px - 1;
  for (const ImagePoint at : {ImagePoint{0, 0}, {right, 0}, {0, bottom}, {right, bottom}}) {
    if (!Undistort(lens, at)) return false;
  }
  return true;
}

std::optional<std::pair<int, int>> CrossingOf(const GridSight& g) {
  const int part = g.stretch % kStretchesPerSide;
  if (part != 0 && part != kStretchesPerSide - 1) return std::nullopt;
  const int along = g.stretch / kStretchesPerSide + (part == 0 ? 0 : 1);
  return g.runs_north ? std::pair{g.line, along} : std::pair{along, g.line};
}
bool HeldOut(const GridSight& g) {
  const auto crossing = CrossingOf(g);
  return crossing && StaysOut(crossing->first, crossing->second);
}

std::size_t StretchesOf(const TableFrame& frame) {
  return static_cast<std::size_t>(
      kStretchesPerSide * ((frame.columns + 1) * frame.rows + (frame.rows + 1) * frame.columns));
}

std::optional<GridFit> FitGrid(const cv::Mat& lines, Pose pose, const TableFrame& frame,
                               const Evidence& markers, double reach_in) {
  std::optional<GridFit> out;
  constexpr int kRounds = 6;
  // Every change of the lens bends the lines a little differently: two rounds more settle that.
  int more = markers.priors.lens.rank > 0 ? 2 : 0;
  for (int round = 0; round < kRounds; ++round) {
    const bool last = reach_in <= kStrayLine_in;
    GridFit grid;
    grid.camera = CameraOf(pose);
    grid.lines = lines;
    grid.seen = MeasureGrid(lines, grid.camera, frame, reach_in);
    grid.share = static_cast<double>(grid.seen.size()) / static_cast<double>(StretchesOf(frame));
    grid.evidence = markers;
    AddGrid(grid.seen, grid.camera, frame, grid.evidence);
    const auto fit = FitPose(grid.evidence, pose);
    if (!fit.ok() || !SaneLens(fit->lens)) return std::nullopt;
    grid.fit = *fit;
    pose = PoseOf(*fit);
    out = std::move(grid);
    if (last && more-- == 0) break;
    reach_in = std::max(kStrayLine_in, reach_in / 2);
  }
  return out;
}

std::optional<GridFit> FitClearestGrid(const cv::Mat& picture, const Pose& pose,
                                       const TableFrame& frame, const Evidence& markers,
                                       double reach_in) {
  std::optional<GridFit> best;
  for (const LineKind kind : LineKindsOf(picture)) {
    auto grid = FitGrid(LinePicture(picture, kind), pose, frame, markers, reach_in);
    if (!grid || grid->share < LeastShare(kind)) continue;
    if (!best || grid->share > best->share) best = std::move(grid);
    if (best->share >= kPlainShare) break;
  }
  return best;
}

std::optional<GridFit> SearchGrid(const cv::Mat& picture, const Known& known,
                                  const TableFrame& frame) {
  const Evidence nothing{{}, known.Priors()};
  std::optional<GridFit> best;
  const auto look = [&](const cv::Mat& lines, LineKind kind, const CameraModel& lens, bool rim) {
    const auto found = FindGrid(lines, lens, frame, rim);
    if (!found.ok()) return;
    // A first pose by which hardly a line is seen is not worth fitting.
    const Pose first{found->rvec, found->tvec, lens};
    const std::size_t seen = MeasureGrid(lines, CameraOf(first), frame, kFirstPose_in).size();
    if (static_cast<double>(seen) < kLeastShare * static_cast<double>(StretchesOf(frame))) return;
    auto grid = FitGrid(lines, first, frame, nothing, kFirstPose_in);
    if (!grid) return;
    const Pose settled = SettledOnBoard(lines, PoseOf(grid->fit), frame);
    if (settled.tvec != grid->fit.tvec) {
      grid = FitGrid(lines, settled, frame, nothing, kFirstPose_in);
    }
    if (!grid || grid->share < LeastShare(kind)) return;
    if (!best || grid->share > best->share) best = std::move(grid);
  };
  const std::vector<LineKind> kinds = LineKindsOf(picture);
  std::vector<cv::Mat> lines;
  for (const LineKind kind : kinds) lines.push_back(LinePicture(picture, kind));
  const std::vector<CameraModel> lenses = LensesToTry(known);
  for (std::size_t l = 0; l < lenses.size(); ++l) {
    for (const bool trust_the_rim : {true, false}) {
      // A lens is only changed to see whether a tilted board comes out better.
      if (l > 0 && !trust_the_rim) continue;
      for (std::size_t k = 0; k < kinds.size(); ++k) {
        look(lines[k], kinds[k], lenses[l], trust_the_rim);
        if (best && best->share >= kPlainShare) return best;
      }
    }
  }
  return best;
}

std::optional<std::string> DoubtfulPlacement(const GridFit& grid, const TableFrame& frame) {
  std::vector<double> offs;
  for (const GridSight& g : grid.seen) offs.push_back(std::abs(g.off_in));
  // Strays that happen to lie within reach are spread evenly: their median is half the reach.
  constexpr double kNoLines = 0.375;  // of the reach
  if (Median(offs) > kNoLines * kStrayLine_in) {
    return "does not explain the lines: what is seen lies beside them at random";
  }
  const TableCamera camera = CameraOf(grid.fit);
  // The board with one row of squares more on every side.
  const Vec2 one{frame.square_in, frame.square_in};
  const SidesSeen wider(grid.lines, camera, {frame.columns + 2, frame.rows + 2, frame.square_in},
                        -1 * one);
  const int east = frame.columns + 1;
  const int north = frame.rows + 1;
  struct Rival {
    cv::Rect gained;  // squares the board would cover, and those it would not, of the wider board
    cv::Rect lost;
    Vec2 towards;
  };
  const std::array<Rival, 4> rivals = {
      Rival{{east, 1, 1, frame.rows}, {1, 1, 1, frame.rows}, {1, 0}},
      Rival{{0, 1, 1, frame.rows}, {east - 1, 1, 1, frame.rows}, {-1, 0}},
      Rival{{1, north, frame.columns, 1}, {1, 1, frame.columns, 1}, {0, 1}},
      Rival{{1, 0, frame.columns, 1}, {1, north - 1, frame.columns, 1}, {0, -1}}};
  constexpr double kPlain = 4.6;  // log of a hundred to one
  for (const Rival& rival : rivals) {
    const double lost = wider.Strip(rival.lost, rival.towards);
    const double gained = wider.Strip(rival.gained, -1 * rival.towards);
    // Where the lines go on beyond the board, the board is not all of them.
    if (lost - gained > kPlain && gained <= 0) continue;
    const Vec2 middle{frame.Width() / 2, frame.Depth() / 2};
    const ImagePoint from = ImageFromTable(camera, middle, 0);
    const ImagePoint to = ImageFromTable(camera, middle + rival.towards, 0);
    const double x = to.x_px - from.x_px;
    const double y = to.y_px - from.y_px;
    const char* way = std::abs(x) > std::abs(y) ? (x > 0 ? "to the right" : "to the left")
                                                : (y > 0 ? "further down" : "further up");
    return fmt::format("may as well lie one square {} in the picture", way);
  }
  const SidesSeen finer(grid.lines, camera,
                        {2 * frame.columns, 2 * frame.rows, frame.square_in / 2}, {});
  if (finer.EverySecondLine(1) > 0) return "may as well have squares half as large";
  const SidesSeen own(grid.lines, camera, frame, {});
  if ((own.EverySecondLine(0) > 0) != (own.EverySecondLine(1) > 0)) {
    return "may as well have squares twice as large";
  }
  return std::nullopt;
}

std::optional<GridFit> LinesAgainst(const GridFit& both, const Known& known,
                                    const TableFrame& frame, double& apart_in) {
  constexpr double kAtOdds = 1.5;  // chi squared a degree of freedom
  if (both.fit.chi2_per_dof <= kAtOdds) return std::nullopt;
  auto alone = FitGrid(both.lines, PoseOf(both.fit), frame, {{}, known.Priors()}, kStrayLine_in);
  if (!alone) return std::nullopt;
  const double sigma_alone = WorstSigma(CameraOf(alone->fit), frame);
  apart_in = CornersApart(CameraOf(both.fit), CameraOf(alone->fit), frame);
  constexpr double kTooFar = 4;  // sigmas of the lines alone
  constexpr double kMatters_in = 0.02;
  if (apart_in > kTooFar * sigma_alone && apart_in > kMatters_in) return alone;
  return std::nullopt;
}

}  // namespace fos::registration
