// SPDX-License-Identifier: MIT
#include "datasets/score/score_lens.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <set>
#include <vector>

#include <fmt/format.h>
#include <opencv2/calib3d.hpp>
#include <opencv2/imgcodecs.hpp>

#include "calibration/lens/lens_calibration.h"
#include "engine/files/json.h"
#include "engine/files/table_file.h"

namespace fos {
namespace {

namespace fs = std::filesystem;

constexpr const char* kTruthCamera = "truth_camera.yaml";
const CharucoSpec kContractBoard = {9, 6, 1.0, 0.75, "DICT_5X5_100"};

struct TrueRay {
  cv::Vec3d ray;  // (x, y, 1) in the camera's frame
  ImagePoint at;
};

// Where the estimate puts the turned rays minus where they truly fall: x, y, x, y...
std::vector<double> Residuals(const CameraModel& estimate, const std::vector<TrueRay>& rays,
                              const cv::Vec3d& turn) {
  cv::Matx33d rotation;
  cv::Rodrigues(turn, rotation);
  std::vector<double> out;
  out.reserve(2 * rays.size());
  for (const TrueRay& one : rays) {
    const cv::Vec3d ray = rotation * one.ray;
    const ImagePoint at = Distort(estimate, ray[0] / ray[2], ray[1] / ray[2]);
    out.push_back(at.x_px - one.at.x_px);
    out.push_back(at.y_px - one.at.y_px);
  }
  return out;
}

void Summarise(const std::vector<double>& residuals, double* rms_px, double* max_px) {
  double sum = 0;
  for (std::size_t i = 0; i < residuals.size(); i += 2) {
    const double square = residuals[i] * residuals[i] + residuals[i + 1] * residuals[i + 1];
    sum += square;
    *max_px = std::max(*max_px, std::sqrt(square));
  }
  *rms_px = std::sqrt(sum / (static_cast<double>(residuals.size()) / 2));
}

// Gauss-Newton over the three angles. The turn is small and the residuals nearly linear in it, so
// ten steps are more than enough.
cv::Vec3d BestTurn(const CameraModel& estimate, const std::vector<TrueRay>& rays) {
  constexpr int kSteps = 10;
  constexpr double kStep_rad = 1e-6;
  cv::Vec3d turn;
  for (int step = 0; step < kSteps; ++step) {
    const std::vector<double> here = Residuals(estimate, rays, turn);
    cv::Matx33d normal = cv::Matx33d::zeros();
    cv::Vec3d gradient;
    std::array<std::vector<double>, 3> moved;
    for (int i = 0; i < 3; ++i) {
      cv::Vec3d there = turn;
      there[i] += kStep_rad;
      moved[static_cast<std::size_t>(i)] = Residuals(estimate, rays, there);
    }
    for (std::size_t k = 0; k < here.size(); ++k) {
      cv::Vec3d derivative;
      for (int i = 0; i < 3; ++i) {
        derivative[i] = (moved[static_cast<std::size_t>(i)][k] - here[k]) / kStep_rad;
      }
      normal += derivative * derivative.t();
      gradient += derivative * here[k];
    }
    turn -= normal.solve(gradient, cv::DECOMP_SVD);
  }
  return turn;
}

}  // namespace

Result<LensScore> ScoreLens(const CameraModel& truth, const CameraModel& estimate) {
  if (truth.width_px != estimate.width_px || truth.height_px != estimate.height_px) {
    return Error{
        ErrorCode::kBadFormat,
        fmt::format("the true lens is of {} x {} pictures, the estimate of {} x {}", truth.width_px,
                    truth.height_px, estimate.width_px, estimate.height_px)};
  }
  constexpr int kCells = 32;
  std::vector<TrueRay> rays;
  for (int i = 0; i <= kCells; ++i) {
    for (int j = 0; j <= kCells; ++j) {
      const ImagePoint at{(truth.width_px - 1.0) * i / kCells,
                          (truth.height_px - 1.0) * j / kCells};
      const std::optional<cv::Vec2d> ray = Undistort(truth, at);
      if (!ray) {
        return Error{ErrorCode::kDegenerate, "the true lens folds over inside the picture"};
      }
      rays.push_back({{(*ray)[0], (*ray)[1], 1}, at});
    }
  }
  LensScore score;
  Summarise(Residuals(estimate, rays, {}), &score.raw_rms_px, &score.raw_max_px);
  Summarise(Residuals(estimate, rays, BestTurn(estimate, rays)), &score.turned_rms_px,
            &score.turned_max_px);
  return score;
}

std::vector<LensView> ReadGreyViews(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(folder, failed)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  std::vector<LensView> views;
  for (const fs::path& file : files) {
    cv::Mat grey = cv::imread(file.string(), cv::IMREAD_GRAYSCALE);
    if (!grey.empty()) views.push_back({file.filename().string(), std::move(grey)});
  }
  return views;
}

bool IsLensSet(const fs::path& folder) {
  std::error_code unknown;
  return fs::is_regular_file(folder / kTruthCamera, unknown);
}

Result<CharucoSpec> BoardOfLensSet(const fs::path& set) {
  if (!fs::exists(set / "table.toml")) return kContractBoard;
  const Result<TableSpec> table = ReadTable(set / "table.toml");
  if (!table.ok()) return table.error();
  return table->charuco.value_or(kContractBoard);
}

namespace {

// Names of the views that are bad on purpose; empty if the folder names none.
std::set<std::string> BadViews(const fs::path& set) {
  std::set<std::string> bad;
  std::ifstream in(set / "truth_views.json");
  if (!in) return bad;
  const Json truth = Json::parse(in);  // must outlive the loop
  for (const auto& view : truth.at("views")) {
    if (!view.at("bad").is_null()) bad.insert(view.at("file").get<std::string>());
  }
  return bad;
}

Status ScoreLensSet(const fs::path& set, LensSetScore& score) {
  const Result<CameraModel> truth = ReadCamera(set / kTruthCamera);
  if (!truth.ok()) return truth.error();
  const Result<CharucoSpec> board = BoardOfLensSet(set);
  if (!board.ok()) return board.error();
  const Result<LensCalibration> calibrated = CalibrateLens(ReadGreyViews(set / "lens"), *board);
  if (!calibrated.ok()) return calibrated.error();
  const Result<LensScore> lens = ScoreLens(*truth, calibrated->camera);
  if (!lens.ok()) return lens.error();
  score.lens = *lens;
  score.held_out_rms_px = calibrated->held_out_rms_px;
  score.views_used = static_cast<int>(calibrated->used.size());
  score.views_left_out = static_cast<int>(calibrated->left_out.size());
  const std::set<std::string> bad = BadViews(set);
  for (const std::string& used : calibrated->used) {
    score.bad_views_used += static_cast<int>(bad.count(used));
  }
  return Ok();
}

}  // namespace

std::vector<LensSetScore> ScoreLensSets(const fs::path& root) {
  std::vector<fs::path> sets;
  if (IsLensSet(root)) sets.push_back(root);
  std::error_code failed;
  fs::recursive_directory_iterator it(root, fs::directory_options::skip_permission_denied, failed);
  for (const fs::recursive_directory_iterator end; !failed && it != end; it.increment(failed)) {
    if (IsLensSet(it->path())) sets.push_back(it->path());
  }
  std::sort(sets.begin(), sets.end());
  std::vector<LensSetScore> scores;
  for (const fs::path& set : sets) {
    LensSetScore score;
    score.name = set == root ? set.filename().string() : set.lexically_relative(root).string();
    try {
      const Status status = ScoreLensSet(set, score);
      if (!status.ok()) score.error = status.error().message;
    } catch (const std::exception& e) {  // the JSON library's and the file system's
      score.error = e.what();
    }
    scores.push_back(std::move(score));
  }
  return scores;
}

}  // namespace fos
