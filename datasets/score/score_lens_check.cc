// SPDX-License-Identifier: MIT
#include "datasets/score/score_lens_check.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "calibration/registration/deployment.h"
#include "datasets/score/score.h"
#include "datasets/score/score_boards.h"
#include "datasets/score/score_set.h"
#include "datasets/score/score_truth.h"
#include "engine/files/scenario_file.h"
#include "engine/files/table_file.h"
#include "vision/image/frame_source.h"

namespace fos {
namespace {

namespace fs = std::filesystem;

constexpr double kHouse_in = 2;
constexpr std::array<double, 4> kWrongFocals = {0.93, 0.97, 1.03, 1.07};

struct NamedLens {
  std::string name;
  CameraModel lens;
  double focal_off = 0;  // of the focal length, as a share of it
};
std::vector<NamedLens> LensesAbout(const CameraModel& right) {
  std::vector<NamedLens> out = {{"right", right, 0}};
  for (const double scale : kWrongFocals) {
    CameraModel wrong = right;
    wrong.fx_px *= scale;
    wrong.fy_px *= scale;
    out.push_back({fmt::format("x{:.2f}", scale), wrong, std::abs(scale - 1)});
  }
  return out;
}

// Fills in what the table says of the lens.
void AddLensCheck(LensCheckCase& one, const TableRegistration& found, const NamedLens& named) {
  one.trust = found.trust;
  one.focal_sigma = found.focal_sigma;
  const LensMat stated = *WithDoubt(named.lens).covariance;
  const double open = std::sqrt(std::max(0.0, stated(0, 0))) / named.lens.fx_px;
  one.focal_sigmas_off = named.focal_off / std::hypot(open, found.focal_sigma);
}

// An error of two coordinates in sigmas of one: the length of the whitened vector.
double Normalised(Vec2 error, const Cov2& cov) {
  const double det = cov.xx * cov.yy - cov.xy * cov.xy;
  if (!(det > 0)) return Norm(error) > 0 ? INFINITY : 0;
  return std::sqrt(
      (error.x * error.x * cov.yy - 2 * error.x * error.y * cov.xy + error.y * error.y * cov.xx) /
      det);
}

void Add(LensCheckCase& one, Vec2 truth, const TablePoint& seen) {
  const Vec2 off = seen.at - truth;
  one.errors_in.push_back(Norm(off));
  if (Norm(off) > one.error_in) {
    one.error_in = Norm(off);
    one.sigma_in = RmsSigma(seen.cov);
  }
  one.normalised = std::max(one.normalised, Normalised(off, seen.cov));
}

// Adds what `found` does to things at `places` that `right`, the table by the right lens, measures.
void AddMoves(LensCheckCase& one, const TableCamera& found, const TableCamera& right,
              const std::vector<Vec2>& places) {
  constexpr std::array<double, 5> kLevels_in = {0, 0.25, 0.5, 0.75, 1};
  for (const double height_in : kLevels_in) {
    for (const Vec2 at : places) {
      const auto seen = TableFromImage(found, ImageFromTable(right, at, height_in), height_in, 0);
      if (!seen.ok()) continue;
      const double moved_in = Distance(seen->at, at);
      if (height_in <= 0.5) one.moved_low_in = std::max(one.moved_low_in, moved_in);
      one.moved_high_in = std::max(one.moved_high_in, moved_in);
      one.moved_sigmas = std::max(one.moved_sigmas, Normalised(seen->at - at, seen->cov));
    }
  }
}

std::vector<Vec2> CrossingsOf(const TableFrame& frame) {
  std::vector<Vec2> out;
  for (int c = 0; c <= frame.columns; ++c) {
    for (int r = 0; r <= frame.rows; ++r) out.push_back({c * frame.square_in, r * frame.square_in});
  }
  return out;
}

LensCheckCase ScoreOnTruth(const TableRegistration& found, const TableCamera& truth,
                           const TableFrame& frame) {
  LensCheckCase one;
  for (const Vec2 at : CrossingsOf(frame)) {
    const auto cloth = TableFromImage(found.camera, ImageFromTable(truth, at, 0), 0, 0);
    const auto house =
        TableFromImage(found.camera, ImageFromTable(truth, at, kHouse_in), kHouse_in, 0);
    if (!cloth.ok() || !house.ok()) continue;
    Add(one, at, *cloth);
    one.house_normalised = std::max(one.house_normalised, Normalised(house->at - at, house->cov));
  }
  return one;
}

struct Clip {
  std::string name;
  TableSpec table;
  Scenario scenario;
  CameraModel lens;
  TableCamera truth;
  cv::Mat picture;
};
std::optional<Clip> ReadClip(const fs::path& folder) {
  const auto truth = ReadTruth(folder);
  const auto table = ReadTable(folder / "table.toml");
  const auto lens = ReadCamera(folder / "camera.yaml");
  if (!truth.ok() || !table.ok() || !lens.ok()) return std::nullopt;
  const auto scenario = ReadScenario(folder / "scenario.toml", table->frame);
  auto video = OpenVideo(folder / "video.mkv");
  if (!scenario.ok() || !video.ok()) return std::nullopt;
  const auto frame = (*video)->Next();
  if (!frame.ok() || !frame->has_value()) return std::nullopt;
  return Clip{folder.filename().string(), *table, *scenario, *lens, truth->CameraAt(0),
              (*frame)->bgr.clone()};
}

void CheckClips(const fs::path& root, std::vector<LensCheckCase>& out) {
  std::vector<Clip> clips;
  for (const fs::path& folder : LabelledClips(root)) {
    if (auto clip = ReadClip(folder)) clips.push_back(std::move(*clip));
  }
  for (std::size_t i = 0; i < clips.size(); ++i) {
    const Clip& clip = clips[i];
    std::vector<NamedLens> lenses = LensesAbout(clip.lens);
    for (std::size_t k = 1; k < clips.size(); ++k) {
      const CameraModel& other = clips[(i + k) % clips.size()].lens;
      if (other.width_px != clip.lens.width_px || other.height_px != clip.lens.height_px) continue;
      lenses.push_back({"another camera's", other, 0});
      break;
    }
    std::optional<TableCamera> by_right;
    for (const NamedLens& named : lenses) {
      const auto found = RegisterTable(clip.picture, named.lens, clip.table, clip.scenario);
      LensCheckCase one;
      if (found.ok()) {
        one = ScoreOnTruth(*found, clip.truth, clip.table.frame);
        AddLensCheck(one, *found, named);
        one.focal_error = found->camera.lens.fx_px / clip.truth.lens.fx_px - 1;
        if (!by_right) by_right = found->camera;  // the right lens comes first
        AddMoves(one, found->camera, *by_right, CrossingsOf(clip.table.frame));
      }
      one.picture = clip.name;
      one.lens = named.name;
      one.right = named.name == "right";
      out.push_back(one);
    }
  }
}

void CheckMarkerBoards(const fs::path& folder, std::vector<LensCheckCase>& out) {
  const auto folds = MarkerBoardFolds(folder);
  if (!folds.ok()) return;
  for (const MarkerBoardFold& fold : *folds) {
    for (const LensView& view : fold.scored) {
      std::optional<TableCamera> by_right;
      for (const NamedLens& named : LensesAbout(fold.lens.camera)) {
        LensCheckCase one;
        one.picture = view.name;
        one.lens = named.name;
        one.right = named.name == "right";
        if (const auto posed = PoseByCornerMarkers(view, named.lens); posed.ok()) {
          AddLensCheck(one, posed->table, named);
          one.focal_error = posed->table.camera.lens.fx_px / fold.lens.camera.fx_px - 1;
          std::vector<Vec2> places;
          for (const MarkerBoardPose::Corner& corner : posed->corners) {
            Add(one, corner.truth, corner.seen);
            places.push_back(corner.truth);
          }
          if (!by_right) by_right = posed->table.camera;
          AddMoves(one, posed->table.camera, *by_right, places);
        }
        out.push_back(one);
      }
    }
  }
}

const char* NameOf(const std::optional<TableTrust>& trust) {
  if (!trust) return "not found";
  switch (*trust) {
    case TableTrust::kTrusted:
      return "trusted";
    case TableTrust::kDoubtful:
      return "doubtful";
    case TableTrust::kUntrusted:
      return "untrusted";
  }
  return "";
}

}  // namespace

std::vector<LensCheckCase> CheckLenses(const fs::path& root) {
  std::vector<LensCheckCase> out;
  CheckClips(root, out);
  std::error_code failed;
  fs::recursive_directory_iterator it(root, fs::directory_options::skip_permission_denied, failed);
  for (const fs::recursive_directory_iterator end; !failed && it != end; it.increment(failed)) {
    if (it->path().filename() == "aruco_gridboard") CheckMarkerBoards(it->path(), out);
  }
  return out;
}

std::string LensCheckTable(const std::vector<LensCheckCase>& cases, bool details) {
  if (cases.empty()) return "";
  // Errors are the worst of some hundred places, which move together: about six free numbers. Of a
  // chi distribution with six degrees of freedom one in a thousand lies beyond 4.7.
  constexpr double kCovered = 4.7;
  // The test of the focal length takes 2.6 sigmas for a contradiction. A focal length 4.2 sigmas
  // off lies beyond that nineteen times in twenty: the table can see it.
  constexpr double kVisible = 4.2;
  struct Sum {
    int pictures = 0, trusted = 0, doubtful = 0, untrusted = 0, visible = 0, told = 0, covered = 0,
        house = 0, moves = 0, silent = 0;
    double error_in = 0, low_in = 0, high_in = 0;
    std::vector<double> normalised;
    std::vector<double> errors_in;
  };
  std::vector<std::pair<std::string, Sum>> sums;
  for (const LensCheckCase& one : cases) {
    auto at =
        std::find_if(sums.begin(), sums.end(), [&](const auto& s) { return s.first == one.lens; });
    if (at == sums.end()) at = sums.insert(sums.end(), {one.lens, {}});
    Sum& sum = at->second;
    ++sum.pictures;
    if (!one.trust) continue;
    const bool covered = one.normalised <= kCovered;
    sum.trusted += *one.trust == TableTrust::kTrusted;
    sum.doubtful += *one.trust == TableTrust::kDoubtful;
    sum.untrusted += *one.trust == TableTrust::kUntrusted;
    sum.covered += covered;
    sum.house += one.house_normalised <= kCovered;
    const bool moves_covered = one.moved_sigmas <= kCovered;
    sum.moves += moves_covered;
    const bool told = *one.trust != TableTrust::kTrusted;
    const bool visible = one.focal_sigmas_off >= kVisible;
    sum.visible += visible;
    sum.told += visible && told;
    sum.silent += !told && !(covered && moves_covered);
    if (!told) {
      sum.low_in = std::max(sum.low_in, one.moved_low_in);
      sum.high_in = std::max(sum.high_in, one.moved_high_in);
    }
    sum.error_in = std::max(sum.error_in, one.error_in);
    sum.normalised.push_back(one.normalised);
    sum.errors_in.insert(sum.errors_in.end(), one.errors_in.begin(), one.errors_in.end());
  }
  std::string out = fmt::format(
      "{:<18}{:>9}{:>9}{:>10}{:>11}{:>9}{:>6}{:>9}{:>8}{:>7}{:>17}{:>10}{:>9}{:>15}{:>24}\n",
      "table by lens", "pictures", "trusted", "doubtful", "untrusted", "visible", "told", "covered",
      "houses", "moves", "trusted, wrong", "mean in", "max in", "sigmas median",
      "trusted moves 0.5, 1 in");
  for (const auto& [name, sum] : sums) {
    const double places = std::max(1.0, static_cast<double>(sum.errors_in.size()));
    out += fmt::format(
        "{:<18}{:>9}{:>9}{:>10}{:>11}{:>9}{:>6}{:>9}{:>8}{:>7}{:>17}{:>10.4f}{:>9.4f}{:>15.2f}"
        "{:>16.4f}{:>8.4f}\n",
        name, sum.pictures, sum.trusted, sum.doubtful, sum.untrusted, sum.visible, sum.told,
        sum.covered, sum.house, sum.moves, sum.silent,
        std::accumulate(sum.errors_in.begin(), sum.errors_in.end(), 0.0) / places, sum.error_in,
        Quantile(sum.normalised, 0.5).value_or(0), sum.low_in, sum.high_in);
  }
  if (!details) return out;
  for (const LensCheckCase& one : cases) {
    out += fmt::format(
        "  {:<18}{:<18}{:<10} focal {:+.2f} % (told to {:.2f} %, {:.1f} sigmas off), worst {:.4f} "
        "in (sigma {:.4f}), {:.1f} "
        "sigmas; {:.1f} at house tops; moves {:.4f} in at 0.5 in, {:.4f} in at 1 in, {:.1f} "
        "sigmas\n",
        one.picture, one.lens, NameOf(one.trust), 100 * one.focal_error, 100 * one.focal_sigma,
        one.focal_sigmas_off, one.error_in, one.sigma_in, one.normalised, one.house_normalised,
        one.moved_low_in, one.moved_high_in, one.moved_sigmas);
  }
  return out;
}

}  // namespace fos
