// SPDX-License-Identifier: MIT
#include "datasets/score/score_hands.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>

#include "datasets/score/score_set.h"
#include "engine/files/json.h"
#include "engine/files/whole_file.h"

namespace fos {
namespace {

namespace fs = std::filesystem;

constexpr int kLabel_frames = 2;  // accuracy of the labels
constexpr double kTold_s = 0.1;   // within which a hand must be reported

Json ReadLabel(const fs::path& folder) {
  const Result<std::string> text = ReadWholeFile(folder / "truth.json");
  return text.ok() ? Json::parse_or(*text, Json()) : Json();
}

bool IsHandVideo(const Json& label) {
  return label.is_object() && label.contains("video") && label.contains("board_corners_px") &&
         label.contains("moves");
}

std::array<ImagePoint, 4> CornersOf(const Json& label) {
  std::array<ImagePoint, 4> out;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const Json& corner = label.at("board_corners_px").at(i);
    out[i] = {corner.at(0).get<double>(), corner.at(1).get<double>()};
  }
  return out;
}

void Count(const std::vector<bool>& obstructed, const Json& stretch, int late, bool hand,
           HandVideoScore& score) {
  if (!stretch.is_array()) return;
  const int from = stretch.at(0).get<int>() + kLabel_frames + late;
  const int to =
      std::min(stretch.at(1).get<int>() - kLabel_frames, static_cast<int>(obstructed.size()) - 1);
  HandVideoScore::Frames& frames = hand ? score.hands : score.settled;
  int told = 0;
  for (int i = std::max(from, 0); i <= to; ++i) {
    ++frames.labelled;
    told += obstructed[static_cast<std::size_t>(i)] == hand ? 1 : 0;
  }
  frames.told += told;
  const int labelled = std::max(to - std::max(from, 0) + 1, 0);
  if (told < labelled) {
    score.details.push_back(fmt::format("frames {} to {}, {}: {} of {} told so", from, to,
                                        hand ? "a hand" : "settled", told, labelled));
  }
}

HandVideoScore ScoreOne(const fs::path& folder, const Json& label, const WatchHands& watch) {
  HandVideoScore score;
  const fs::path video = folder / label.at("video").get<std::string>();
  const Result<WatchedHands> watched = watch(video, CornersOf(label));
  if (!watched.ok()) {
    score.error = watched.error().message;
    return score;
  }
  const int late = static_cast<int>(std::ceil(kTold_s * label.value("fps", 30.0)));
  for (const Json& move : label.at("moves")) {
    Count(watched->obstructed, move.value("hand", Json()), late, true, score);
    Count(watched->obstructed, move.value("settled", Json()), 0, false, score);
  }
  Count(watched->obstructed, label.value("final_still", Json()), 0, false, score);
  score.knocks = watched->knocks;
  return score;
}

}  // namespace

std::vector<HandVideoScore> ScoreHandVideos(const fs::path& root, const WatchHands& watch) {
  std::vector<HandVideoScore> out;
  for (const fs::path& folder : LabelledOthers(root)) {
    const Json label = ReadLabel(folder);
    if (!IsHandVideo(label)) continue;
    HandVideoScore score;
    try {
      score = ScoreOne(folder, label, watch);
    } catch (const JsonError& e) {
      score.error = (folder / "truth.json").string() + ": " + e.what();
    }
    score.folder = folder;
    score.name = folder == root ? root.filename().string() : fs::relative(folder, root).string();
    out.push_back(std::move(score));
  }
  return out;
}

std::string HandVideoTable(const std::vector<HandVideoScore>& scores, bool details) {
  std::string out;
  for (const HandVideoScore& score : scores) {
    if (!score.error.empty()) {
      out += fmt::format("{}: {}\n", score.name, score.error);
      continue;
    }
    const auto percent = [](const HandVideoScore::Frames& frames) {
      return 100.0 * frames.told / std::max(frames.labelled, 1);
    };
    out += fmt::format(
        "{}: hands in view told in {} of {} frames ({:.1f} %), settled frames told clear {} of {} "
        "({:.1f} %), {} knocks of the camera\n",
        score.name, score.hands.told, score.hands.labelled, percent(score.hands),
        score.settled.told, score.settled.labelled, percent(score.settled), score.knocks);
    if (!details) continue;
    for (const std::string& line : score.details) out += "  " + line + '\n';
  }
  return out;
}

}  // namespace fos
