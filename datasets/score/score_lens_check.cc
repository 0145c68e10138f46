// SPDX-License-Identifier: MIT
#include "datasets/score/score_lens_check.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
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
};
std::vector<NamedLens> LensesAbout(const CameraModel& right) {
  std::vector<NamedLens> out = {{"right", right}};
  for (const double scale : kWrongFocals) {
    CameraModel wrong = right;
    wrong.fx_px *= scale;
    wrong.fy_px *= scale;
    out.push_back({fmt::format("x{:.2f}", scale), wrong});
  }
  return out;
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
  if (Norm(off) > one.error_in) {
    one.error_in = Norm(off);
    one.sigma_in = RmsSigma(seen.cov);
  }
  one.normalised = std::max(one.normalised, Normalised(off, seen.cov));
}

LensCheckCase ScoreOnTruth(const TableRegistration& found, const TableCamera& truth,
                           const TableFrame& frame) {
  LensCheckCase one;
  for (int c = 0; c <= frame.columns; ++c) {
    for (int r = 0; r <= frame.rows; ++r) {
      const Vec2 at{c * frame.square_in, r * frame.square_in};
      const auto cloth = TableFromImage(found.camera, ImageFromTable(truth, at, 0), 0, 0);
      const auto house =
          TableFromImage(found.camera, ImageFromTable(truth, at, kHouse_in), kHouse_in, 0);
      if (!cloth.ok() || !house.ok()) continue;
      Add(one, at, *cloth);
      one.house_normalised = std::max(one.house_normalised, Normalised(house->at - at, house->cov));
    }
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
      lenses.push_back({"another camera's", other});
      break;
    }
    for (const auto& [name, lens] : lenses) {
      const auto found = RegisterTable(clip.picture, lens, clip.table, clip.scenario);
      LensCheckCase one;
      if (found.ok()) {
        one = ScoreOnTruth(*found, clip.truth, clip.table.frame);
        one.trust = found->trust;
        one.focal_error = found->camera.lens.fx_px / clip.truth.lens.fx_px - 1;
      }
      one.picture = clip.name;
      one.lens = name;
      one.right = name == "right";
      out.push_back(one);
    }
  }
}

void CheckMarkerBoards(const fs::path& folder, std::vector<LensCheckCase>& out) {
  const auto folds = MarkerBoardFolds(folder);
  if (!folds.ok()) return;
  for (const MarkerBoardFold& fold : *folds) {
    for (const LensView& view : fold.scored) {
      for (const auto& [name, lens] : LensesAbout(fold.lens.camera)) {
        LensCheckCase one;
        one.picture = view.name;
        one.lens = name;
        one.right = name == "right";
        if (const auto posed = PoseByCornerMarkers(view, lens); posed.ok()) {
          one.trust = posed->table.trust;
          one.focal_error = posed->table.camera.lens.fx_px / fold.lens.camera.fx_px - 1;
          for (const MarkerBoardPose::Corner& corner : posed->corners) {
            Add(one, corner.truth, corner.seen);
          }
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
  struct Sum {
    int pictures = 0, trusted = 0, doubtful = 0, untrusted = 0, covered = 0, house = 0, silent = 0;
    double error_in = 0;
    std::vector<double> normalised;
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
    sum.silent += *one.trust == TableTrust::kTrusted && !covered;
    sum.error_in = std::max(sum.error_in, one.error_in);
    sum.normalised.push_back(one.normalised);
  }
  std::string out = fmt::format("{:<18}{:>9}{:>9}{:>10}{:>11}{:>9}{:>8}{:>17}{:>11}{:>14}\n",
                                "table by lens", "pictures", "trusted", "doubtful", "untrusted",
                                "covered", "houses", "trusted, wrong", "max in", "sigmas median");
  for (const auto& [name, sum] : sums) {
    out +=
        fmt::format("{:<18}{:>9}{:>9}{:>10}{:>11}{:>9}{:>8}{:>17}{:>11.4f}{:>14.2f}\n", name,
                    sum.pictures, sum.trusted, sum.doubtful, sum.untrusted, sum.covered, sum.house,
                    sum.silent, sum.error_in, Quantile(sum.normalised, 0.5).value_or(0));
  }
  if (!details) return out;
  for (const LensCheckCase& one : cases) {
    out += fmt::format(
        "  {:<18}{:<18}{:<10} focal {:+.2f} %, worst {:.4f} in (sigma {:.4f}), {:.1f} "
        "sigmas; {:.1f} at house tops\n",
        one.picture, one.lens, NameOf(one.trust), 100 * one.focal_error, one.error_in, one.sigma_in,
        one.normalised, one.house_normalised);
  }
  return out;
}

}  // namespace fos
