// SPDX-License-Identifier: MIT
#include "datasets/sweep/hand_video.h"

#include <optional>

#include "calibration/camera/pose_fit.h"
#include "calibration/registration/table_registration.h"
#include "vision/image/frame_source.h"
#include "vision/pipeline/pipeline.h"

namespace fos {
namespace {

// A club's chess board (FIDE's standards of chess equipment: squares of 5 to 6.5 cm).
constexpr double kSquare_in = 2.25;
constexpr int kSquares = 8;

// The board's corners clockwise from the picture's top left one, taken as north up: for hands it
// does not matter which side of a chess board is north.
Result<KnownPose> PoseByCorners(const cv::Mat& picture, const CameraModel& lens,
                                const TableFrame& board, const std::array<ImagePoint, 4>& corners) {
  const double side = board.Width();
  const std::array<Vec2, 4> places = {{{0, side}, {side, side}, {side, 0}, {0, 0}}};
  std::vector<Click> clicks;
  for (std::size_t i = 0; i < places.size(); ++i) {
    clicks.push_back({corners[i], places[i]});
  }
  const auto found = RegisterFromClicks(picture, lens, board, clicks);
  if (!found.ok()) return found.error();
  return KnownPose{found->camera.rvec, found->camera.tvec};
}

}  // namespace

Result<WatchedHands> WatchHandVideo(const std::filesystem::path& video,
                                    const std::array<ImagePoint, 4>& corners) {
  auto source = OpenVideo(video);
  if (!source.ok()) return source.error();
  TableSpec table;
  table.frame = {kSquares, kSquares, kSquare_in};
  const Scenario nobody;
  const CameraModel lens = AssumedLens((*source)->Size());
  std::optional<Pipeline> pipeline;
  WatchedHands out;
  bool obstructed = false;
  while (true) {
    const auto frame = (*source)->Next();
    if (!frame.ok()) return frame.error();
    if (!*frame) break;
    if (!pipeline) {
      const auto pose = PoseByCorners((*frame)->bgr, lens, table.frame, corners);
      if (!pose.ok()) return pose.error();
      PipelineOptions options;
      options.registration.before = *pose;
      pipeline.emplace(table, nobody, lens, (*source)->FramesPerSecond(), options);
    }
    const auto told = pipeline->Observe(**frame);
    if (!told.ok()) return told.error();
    for (const Sighting& one : *told) {
      if (const auto* view = std::get_if<ViewChanged>(&one.what)) obstructed = view->obstructed;
      out.knocks += std::holds_alternative<CameraMoved>(one.what) ? 1 : 0;
    }
    out.obstructed.push_back(obstructed || !pipeline->Found() || pipeline->Lost());
  }
  if (!pipeline || !pipeline->Found()) {
    return Error{ErrorCode::kNotFound, video.string() + ": the board was never found"};
  }
  return out;
}

}  // namespace fos
