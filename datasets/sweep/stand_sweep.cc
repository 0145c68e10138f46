// SPDX-License-Identifier: MIT
#include "datasets/sweep/stand_sweep.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <numbers>
#include <optional>
#include <random>
#include <vector>

#include <fmt/format.h>
#include <opencv2/imgproc.hpp>

#include "calibration/registration/deployment.h"
#include "datasets/render/synthetic.h"
#include "datasets/sweep/wild_stands.h"
#include "engine/table/quantile.h"
#include "vision/image/veil.h"
#include "vision/shots/evidence.h"
#include "vision/stands/stand_detector.h"

namespace fos {
namespace {

// The true stands. On some tables a few are missing, and unexpected ones stand in the middle, where
// the scenario deploys nobody.
struct Placed {
  std::vector<StandObservation> stands;
  std::size_t strangers = 0;  // the last ones
};
Placed Misplace(const SyntheticTable& made, std::uint32_t seed, int& absent) {
  std::mt19937 random(seed * 69069U + 1U);
  const auto pick = [&](std::size_t count) { return static_cast<std::size_t>(random()) % count; };
  Placed out{made.stands, 0};
  const std::size_t forgotten = pick(4);
  for (std::size_t i = 0; i < forgotten && out.stands.size() > 4; ++i) {
    out.stands.erase(out.stands.begin() + static_cast<std::ptrdiff_t>(pick(out.stands.size())));
    ++absent;
  }
  const TableFrame& frame = made.table.frame;
  const std::size_t most = pick(3);
  for (std::size_t i = 0; i < most; ++i) {
    const SquareIndex square{static_cast<int>(pick(static_cast<std::size_t>(frame.columns))),
                             frame.rows / 2};
    const Vec2 centre = frame.CentreOf(square);
    const auto near = [&](const StandObservation& s) {
      return Distance(s.table_from_stand.origin, centre) < frame.square_in;
    };
    if (std::any_of(out.stands.begin(), out.stands.end(), near)) continue;
    StandObservation s;
    s.side = static_cast<int>(pick(made.scenario.sides.size()));
    s.kind = static_cast<int>(pick(made.scenario.kinds.size()));
    s.stand.text = "stranger";
    s.footprint = made.scenario.kinds[static_cast<std::size_t>(s.kind)].footprint;
    s.table_from_stand = {centre, HeadingFromBearing(static_cast<double>(pick(360)))};
    out.stands.push_back(s);
    ++out.strangers;
  }
  return out;
}

// A made-up table that is shown to the detector.
struct ShownTable {
  TableSpec table;
  Scenario scenario;
  TableCamera camera;  // as the detector knows it
  cv::Mat bgr;
  std::vector<StandObservation> stands;  // the truth
  std::size_t strangers = 0;             // the last of them
  std::string looks;                     // for reports
  std::optional<WildMove> move;
};

ShownTable ShowPlain(std::uint32_t seed, StandSweep& sweep) {
  const SyntheticOptions options = RandomTable(seed);
  const Placed placed = Misplace(LayOutTable(options), seed, sweep.absent);
  SyntheticTable made = RenderTable(options, placed.stands);
  return {made.table,
          made.scenario,
          made.camera,
          made.bgr,
          made.stands,
          placed.strangers,
          fmt::format("{} x {}", options.width_px, options.height_px),
          std::nullopt};
}

// Empty where the table is not found.
std::optional<ShownTable> ShowWild(std::uint32_t seed, StandSweep& sweep) {
  const WildStands shown = MakeWildStands(seed, true);
  const WildTable& made = shown.made;
  const std::string looks = made.scene.ground.look + ", " + shown.light;
  const auto found = RegisterTable(shown.bgr, made.lens, made.table, made.scenario);
  if (!found.ok()) {
    ++sweep.unread;
    sweep.details.push_back(
        fmt::format("seed {}: not found, {}: {}", seed, looks, found.error().message));
    return std::nullopt;
  }
  const BoardError board{CornersApart(made.camera, found->camera, made.table.frame),
                         found->worst_sigma_in};
  sweep.boards.push_back(board);
  constexpr double kMatters_in = 0.05;
  if (board.off_in > std::max(3 * board.sigma_in, kMatters_in)) {
    sweep.details.push_back(fmt::format("seed {}: its board is {:.2f} in off, {}: {}", seed,
                                        board.off_in, looks, found->sentence));
  }
  sweep.absent += shown.absent;
  // As the pipeline shows them to the detector.
  const Veil veil = VeilOf(shown.bgr, found->camera, made.table);
  std::optional<WildMove> move = shown.move;
  if (move) move->bgr = WithoutVeil(move->bgr, veil);
  return ShownTable{made.table,  made.scenario,   found->camera, WithoutVeil(shown.bgr, veil),
                    made.stands, shown.strangers, looks,         std::move(move)};
}

// Adds what the detector says of a table.
void Score(const ShownTable& made, const StandScene& scene, std::uint32_t seed, StandSweep& sweep) {
  const auto note = [&](const char* what, const StandObservation& s) {
    sweep.details.push_back(fmt::format(
        "seed {}: {} {} {} at ({:.2f}, {:.2f}), visible {:.2f}, {}", seed, what,
        made.scenario.sides[static_cast<std::size_t>(s.side)].name,
        made.scenario.kinds[static_cast<std::size_t>(s.kind)].name, s.table_from_stand.origin.x,
        s.table_from_stand.origin.y, s.visible, made.looks));
  };
  ++sweep.tables;
  std::vector<char> taken(made.stands.size(), 0);
  std::vector<Polygon> footprints;
  for (const StandObservation& s : made.stands)
    footprints.push_back(ToPolygon(Corners(s.table_from_stand, s.footprint)));
  for (const StandObservation& seen : scene.stands) {
    std::size_t nearest = made.stands.size();
    double least = 0.5 * std::min(seen.footprint.width_in, seen.footprint.depth_in);
    for (std::size_t t = 0; t < made.stands.size(); ++t) {
      const double d =
          Distance(made.stands[t].table_from_stand.origin, seen.table_from_stand.origin);
      if (taken[t] == 0 && d < least) {
        least = d;
        nearest = t;
      }
    }
    if (nearest == made.stands.size()) {
      ++sweep.invented;
      sweep.predictions.push_back({seen.confidence, false});
      note("invented", seen);
      continue;
    }
    taken[nearest] = 1;
    const StandObservation& truth = made.stands[nearest];
    const KindSpec& kind = made.scenario.kinds[static_cast<std::size_t>(truth.kind)];
    const double turned = std::abs(
        WrappedAngle(seen.table_from_stand.heading_rad - truth.table_from_stand.heading_rad));
    StandError error;
    error.kind = kind.name;
    error.in_view = truth.visible;
    error.px_per_in = PixelsPerInch(made.camera, truth.table_from_stand.origin, kind.thickness_in);
    error.beside = IsBeside(footprints[nearest], footprints);
    error.error_in = least;
    error.sigma_in = RmsSigma(seen.centre_cov);
    error.sigmas =
        InSigmas(seen.table_from_stand.origin - truth.table_from_stand.origin, seen.centre_cov);
    error.bearing_deg = turned * 180 / std::numbers::pi;
    error.bearing_sigmas = turned / seen.heading_sigma_rad;
    sweep.errors.push_back(error);
    // Of honest sigmas one stand in eight thousand.
    constexpr double kFarOff = 3;
    if (error.sigmas > kFarOff)
      note(fmt::format("off by {:.2f} in, {:.1f} sigmas:", error.error_in, error.sigmas).c_str(),
           truth);
    sweep.visible_errors.push_back(std::abs(seen.visible - truth.visible));
    sweep.predictions.push_back(
        {seen.confidence, seen.side == truth.side && seen.kind == truth.kind});
    if (seen.side != truth.side) note("of the wrong side", seen);
    if (seen.kind != truth.kind) note("of the wrong kind", seen);
    sweep.wrong_side += seen.side != truth.side ? 1 : 0;
    sweep.wrong_kind += seen.kind != truth.kind ? 1 : 0;
  }
  for (std::size_t t = 0; t < made.stands.size(); ++t) {
    constexpr double kEnoughInView = 0.4;
    if (made.stands[t].visible < kEnoughInView) continue;
    if (t + made.strangers >= made.stands.size()) {
      ++sweep.strangers;
      sweep.strangers_found += taken[t];
      if (taken[t] == 0) note("missed a stranger", made.stands[t]);
      continue;
    }
    ++sweep.stands;
    sweep.found += taken[t];
    if (taken[t] == 0) note("missed", made.stands[t]);
  }
}

// Adds what the detector says of a unit that was moved.
void ScoreMove(const ShownTable& made, const StandScene& before, const StandScene& after,
               std::uint32_t seed, StandSweep& sweep) {
  constexpr double kSame_in = 0.35;  // about half of the shallowest base
  const auto stands_at = [](const StandObservation& truth, const StandObservation& seen) {
    return Distance(truth.table_from_stand.origin, seen.table_from_stand.origin) < kSame_in;
  };
  const std::vector<StandChange> changes = DiffScenes(before, after);
  std::vector<char> right(changes.size(), 0);
  for (std::size_t t = 0; t < made.stands.size(); ++t) {
    const StandObservation& was = made.stands[t];
    const StandObservation& is = made.move->stands[t];
    constexpr double kEnoughInView = 0.4;
    const auto known = [&](const StandObservation& seen) { return stands_at(was, seen); };
    if (was.unit != made.move->unit || std::min(was.visible, is.visible) < kEnoughInView ||
        std::none_of(before.stands.begin(), before.stands.end(), known))
      continue;
    ++sweep.moved;
    // Which of its stands went where is not to be seen.
    bool told = false;
    for (std::size_t c = 0; c < changes.size() && !told; ++c) {
      told = right[c] == 0 && changes[c].from && changes[c].to && changes[c].to->unit == was.unit &&
             stands_at(is, *changes[c].to);
      if (told) right[c] = 1;
    }
    sweep.moves_told += told ? 1 : 0;
    if (!told)
      sweep.details.push_back(fmt::format("seed {}: a move of {} to ({:.2f}, {:.2f}) not told, {}",
                                          seed, was.unit, is.table_from_stand.origin.x,
                                          is.table_from_stand.origin.y, made.looks));
  }
  for (std::size_t c = 0; c < changes.size(); ++c) {
    if (right[c] != 0) continue;
    ++sweep.moves_invented;
    const StandChange& change = changes[c];
    const Vec2 at = (change.to ? *change.to : *change.from).table_from_stand.origin;
    sweep.details.push_back(fmt::format("seed {}: told that {} {} ({:.2f}, {:.2f}), {}", seed,
                                        change.stand.text,
                                        !change.to    ? "left"
                                        : change.from ? "moved to"
                                                      : "came to",
                                        at.x, at.y, made.looks));
  }
}

// Writes a picture of the table with its true stands in green and those found in red.
Status Draw(const cv::Mat& bgr, const ShownTable& made, const std::vector<StandObservation>& truth,
            const StandScene& scene, const std::filesystem::path& file) {
  cv::Mat out = bgr.clone();
  const auto draw = [&](const StandObservation& stand, const cv::Scalar& colour) {
    const double top_in = made.scenario.kinds[static_cast<std::size_t>(stand.kind)].thickness_in;
    std::vector<cv::Point> outline;
    for (const Vec2 corner : Corners(stand.table_from_stand, stand.footprint)) {
      const ImagePoint at = ImageFromTable(made.camera, corner, top_in);
      outline.emplace_back(cvRound(at.x_px), cvRound(at.y_px));
    }
    cv::polylines(out, outline, true, colour, 1, cv::LINE_AA);
  };
  for (const StandObservation& stand : truth) draw(stand, {0, 220, 0});
  for (const StandObservation& stand : scene.stands) draw(stand, {0, 0, 255});
  return WritePicture(out, file);
}

// The figures over all tables.
void SumUp(StandSweep& sweep) {
  std::vector<double> centre;
  std::vector<double> bearing;
  int inside = 0;
  int headings = 0;
  for (const StandError& error : sweep.errors) {
    centre.push_back(error.error_in);
    bearing.push_back(error.bearing_deg);
    inside += Inside95(error) ? 1 : 0;
    headings += error.bearing_sigmas < 1.96 ? 1 : 0;
  }
  sweep.centre_median_in = Quantile(centre, 0.5).value_or(0);
  sweep.centre_p95_in = Quantile(centre, 0.95).value_or(0);
  sweep.bearing_p95_deg = Quantile(bearing, 0.95).value_or(0);
  sweep.visible_off = Quantile(sweep.visible_errors, 0.5).value_or(0);
  if (!centre.empty()) {
    sweep.inside_95 = static_cast<double>(inside) / static_cast<double>(centre.size());
    sweep.heading_95 = static_cast<double>(headings) / static_cast<double>(centre.size());
  }
}

}  // namespace

Result<StandSweep> SweepStands(int tables, int first_seed, StandWorld world,
                               const std::filesystem::path& out) {
  StandSweep sweep;
  for (int i = 0; i < tables; ++i) {
    const auto seed = static_cast<std::uint32_t>(first_seed + i);
    const std::optional<ShownTable> shown =
        world == StandWorld::kWild ? ShowWild(seed, sweep) : ShowPlain(seed, sweep);
    if (!shown) continue;
    const std::size_t wrong = sweep.details.size();
    StandDetector detector(shown->table, shown->scenario);
    const Result<StandScene> scene = detector.Start(shown->bgr, shown->camera, {});
    if (!scene.ok())
      return Error{scene.error().code,
                   fmt::format("table of seed {}: {}", seed, scene.error().message)};
    Score(*shown, *scene, seed, sweep);
    const std::optional<WildMove>& move = shown->move;
    std::optional<StandScene> moved;
    if (move) {
      Result<StandScene> after =
          detector.Update(move->bgr, shown->camera, *scene, move->changed, {});
      if (!after.ok())
        return Error{after.error().code,
                     fmt::format("moved on the table of seed {}: {}", seed, after.error().message)};
      ScoreMove(*shown, *scene, *after, seed, sweep);
      moved = std::move(*after);
    }
    if (out.empty() || sweep.details.size() == wrong) continue;
    Status drawn =
        Draw(shown->bgr, *shown, shown->stands, *scene, out / fmt::format("table_{}.png", seed));
    if (drawn.ok() && moved)
      drawn = Draw(move->bgr, *shown, move->stands, *moved,
                   out / fmt::format("table_{}_moved.png", seed));
    if (!drawn.ok()) return drawn.error();
  }
  SumUp(sweep);
  return sweep;
}

std::string SweepText(const StandSweep& s, bool details) {
  std::string out = fmt::format(
      "{} made-up tables{}: {} of {} stands with 40 % in view found, {} invented ({} that the "
      "scenario "
      "places are not there), {} of {} found that it does not place; {} of the wrong side, {} of "
      "the "
      "wrong kind\ncentre {:.3f} in (median), {:.3f} in (p95); bearing {:.2f} degrees (p95); "
      "{:.1f} % "
      "of centres inside the stated 95 % ellipse, {:.1f} % of headings inside theirs; share in "
      "view "
      "off by {:.2f} (median)\n",
      s.tables, s.unread > 0 ? fmt::format(" ({} more not read)", s.unread) : "", s.found, s.stands,
      s.invented, s.absent, s.strangers_found, s.strangers, s.wrong_side, s.wrong_kind,
      s.centre_median_in, s.centre_p95_in, s.bearing_p95_deg, 100 * s.inside_95, 100 * s.heading_95,
      s.visible_off);
  if (!s.boards.empty()) {
    std::vector<double> off;
    for (const BoardError& board : s.boards) off.push_back(board.off_in);
    const auto beyond = std::count_if(s.boards.begin(), s.boards.end(), [](const auto& board) {
      return board.off_in > 3 * board.sigma_in;
    });
    out += fmt::format(
        "boards off by {:.3f} in (median), {:.3f} in (p95), {:.3f} in (largest) at their worst "
        "corner; {} of {} by more than three stated sigmas\n",
        *Quantile(off, 0.5), *Quantile(off, 0.95), *Quantile(off, 1), beyond, off.size());
  }
  if (s.moved > 0)
    out += fmt::format(
        "{} stands of units that were moved: {} told to where they went, {} changes "
        "told that are none\n",
        s.moved, s.moves_told, s.moves_invented);
  out += PredictionLines(fmt::format("confidence of {} reported stands", s.predictions.size()),
                         "there, side and kind right,", s.predictions);
  if (details) {
    out += ClassTable(s.errors);
    for (const std::string& line : s.details) out += line + '\n';
  }
  return out;
}

}  // namespace fos
