// SPDX-License-Identifier: MIT
#include "datasets/score/score_report.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "engine/files/json.h"

namespace fos {
namespace {

double Share(int part, std::size_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

std::optional<double> Mean(const std::vector<double>& values) {
  if (values.empty()) return std::nullopt;
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

std::optional<double> Most(const std::vector<double>& values) { return Quantile(values, 1); }

std::string Text(const std::optional<double>& value, int digits) {
  return value ? fmt::format("{:.{}f}", *value, digits) : "-";
}

std::string Percent(int part, std::size_t whole) {
  return whole == 0 ? "-" : fmt::format("{:.1f}", 100 * Share(part, whole));
}

// Columns as wide as their widest cell, the first to the left and the others to the right.
class TextTable {
 public:
  explicit TextTable(std::vector<std::string> head) { rows_.push_back(std::move(head)); }
  void Row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  std::string Text() const {
    std::vector<std::size_t> widths(rows_[0].size());
    for (const auto& row : rows_) {
      for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
    }
    std::string out;
    for (const auto& row : rows_) {
      for (std::size_t i = 0; i < row.size(); ++i) {
        out += i == 0 ? fmt::format("{:<{}}", row[i], widths[i])
                      : fmt::format("  {:>{}}", row[i], widths[i]);
      }
      out += '\n';
    }
    return out;
  }

 private:
  std::vector<std::vector<std::string>> rows_;
};

std::string Counts(int a, int b, int c) { return fmt::format("{}/{}/{}", a, b, c); }
std::string Of(const StandCount& count) { return fmt::format("{}/{}", count.found, count.there); }

std::vector<ClipScore> WithTotal(const std::vector<ClipScore>& scores) {
  std::vector<ClipScore> all = scores;
  if (scores.size() > 1) all.push_back(Total(scores));
  return all;
}

std::string ShotColumns(const std::vector<ClipScore>& rows) {
  TextTable table({"shots and calls", "found/missed/inv", "type wrong", "err med in", "p95", "max",
                   "<2 sigma %", "right/wrong/close", "wrong >0.1", "close >0.06", "uncalled",
                   "inv", "delay s med", "max"});
  for (const ClipScore& s : rows) {
    table.Row({s.clip, Counts(s.shots_found, s.shots_missed, s.shots_invented),
               std::to_string(s.shots_wrong_type), Text(Quantile(s.shot_errors_in, 0.5), 4),
               Text(Quantile(s.shot_errors_in, 0.95), 4), Text(Most(s.shot_errors_in), 4),
               Percent(s.shots_within_two_sigma, s.shot_errors_in.size()),
               Counts(s.CallsRight(), s.CallsWrong(), s.CallsTooClose()),
               std::to_string(s.WrongFar()), std::to_string(s.TooCloseFar()),
               std::to_string(s.uncalled), std::to_string(s.calls_invented),
               Text(Quantile(s.verdict_delays_s, 0.5), 2), Text(Most(s.verdict_delays_s), 2)});
  }
  return table.Text();
}

std::string StandColumns(const std::vector<ClipScore>& rows) {
  TextTable table({"stands", ">=50 % seen", "40-50 %", "less", "invented", "side %", "kind %",
                   "unit %", "centre med in", "p95", "bearing p95", "in 95 % circle", "swaps"});
  for (const ClipScore& s : rows) {
    const std::size_t found = s.centre_errors_in.size();
    table.Row({s.clip, Of(s.half_visible), Of(s.some_visible), Of(s.less_visible),
               std::to_string(s.stands_invented), Percent(s.side_right, found),
               Percent(s.kind_right, found), Percent(s.unit_right, found),
               Text(Quantile(s.centre_errors_in, 0.5), 4),
               Text(Quantile(s.centre_errors_in, 0.95), 4),
               Text(Quantile(s.bearing_errors_deg, 0.95), 2), Percent(s.centres_within_95, found),
               std::to_string(s.identity_swaps)});
  }
  return table.Text();
}

std::string OtherColumns(const std::vector<ClipScore>& rows) {
  TextTable table({"changes, view, time", "moves right/missed/inv", "hands seen %", "false %",
                   "knocks found/missed/inv", "dice right/wrong/asked/missed/inv",
                   "objects told/inv", "grid err mean in", "max", "work s", "decode s", "ratio"});
  for (const ClipScore& s : rows) {
    std::optional<double> ratio;
    if (s.work_s && s.decode_s) ratio = *s.work_s / *s.decode_s;
    table.Row({s.clip, Counts(s.changes_right, s.changes_missed, s.changes_invented),
               Percent(s.obstructed_seen, static_cast<std::size_t>(s.obstructed_frames)),
               Percent(s.clear_called_obstructed, static_cast<std::size_t>(s.clear_frames)),
               Counts(s.camera_moves_found, s.camera_moves_missed, s.camera_moves_invented),
               fmt::format("{}/{}/{}/{}/{}", s.dice_right, s.dice_wrong, s.dice_asked,
                           s.dice_missed, s.dice_invented),
               fmt::format("{}/{}", s.objects_told, s.objects_invented),
               Text(Mean(s.calibration_errors_in), 4), Text(Most(s.calibration_errors_in), 4),
               Text(s.work_s, 2), Text(s.decode_s, 2), Text(ratio, 2)});
  }
  return table.Text();
}

std::string FailedCalls(const std::vector<ClipScore>& scores) {
  std::string out;
  for (const ClipScore& s : scores) {
    if (!s.error.empty()) out += fmt::format("{}: not judged: {}\n", s.clip, s.error);
    for (const ScoredCall& call : s.calls) {
      const bool wrong = (call.call == Call::kHit) != call.truly_hit;
      if (call.call == Call::kTooClose ? std::abs(call.margin_in) <= 0.06 : !wrong) continue;
      out += fmt::format(
          "{}: shot {}, {}: called {} (p_hit {:.3f}, {:.3f} in), truly a {} by {:.3f} in\n", s.clip,
          call.shot, call.stand, CallName(call.call), call.p_hit, call.distance_in,
          call.truly_hit ? "hit" : "miss", std::abs(call.margin_in));
    }
  }
  return out;
}

std::string ReliabilityLines(const std::vector<ScoredCall>& calls) {
  std::vector<Prediction> said;
  for (const ScoredCall& call : calls) said.push_back({call.p_hit, call.truly_hit});
  return PredictionLines(fmt::format("p_hit over {} calls", calls.size()), "hits", said);
}

std::string StandLines(const ClipScore& score) {
  return PredictionLines(
      fmt::format("confidence of {} reported stands", score.stand_predictions.size()),
      "there, side and kind right,", score.stand_predictions);
}

Json Number(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

Json ToJson(const StandCount& count) { return {{"there", count.there}, {"found", count.found}}; }

Json ToJson(const std::vector<StandErrorClass>& classes) {
  Json out = Json::array();
  for (const StandErrorClass& c : classes) {
    out.push_back({{"class", c.what},
                   {"stands", c.stands},
                   {"error_rms_in", c.error_rms_in},
                   {"sigma_rms_in", c.sigma_rms_in},
                   {"error_in_sigmas_rms", c.sigmas_rms},
                   {"share_in_95_percent", c.inside_95},
                   {"bearing_error_p95_deg", c.bearing_p95_deg}});
  }
  return out;
}

Json ToJson(const ClipScore& s) {
  const std::size_t found = s.centre_errors_in.size();
  Json out;
  out["clip"] = s.clip;
  if (!s.error.empty()) out["error"] = s.error;
  out["shots"] = {
      {"found", s.shots_found},
      {"missed", s.shots_missed},
      {"invented", s.shots_invented},
      {"wrong_type", s.shots_wrong_type},
      {"error_median_in", Number(Quantile(s.shot_errors_in, 0.5))},
      {"error_p95_in", Number(Quantile(s.shot_errors_in, 0.95))},
      {"error_max_in", Number(Most(s.shot_errors_in))},
      {"share_within_two_sigma", Share(s.shots_within_two_sigma, s.shot_errors_in.size())},
      {"delay_frames_median", Number(Quantile(s.verdict_delays, 0.5))},
      {"delay_frames_max", Number(Most(s.verdict_delays))},
      {"delay_s_median", Number(Quantile(s.verdict_delays_s, 0.5))}};
  Json bins = Json::array();
  for (const PredictionBin& bin : Reliability(s.calls)) {
    bins.push_back(
        {{"calls", bin.count}, {"mean_p_hit", bin.mean_stated}, {"share_hit", bin.share_true}});
  }
  out["calls"] = {{"right", s.CallsRight()},
                  {"wrong", s.CallsWrong()},
                  {"too_close", s.CallsTooClose()},
                  {"wrong_margin_over_0.1", s.WrongFar()},
                  {"too_close_margin_over_0.06", s.TooCloseFar()},
                  {"uncalled", s.uncalled},
                  {"invented", s.calls_invented},
                  {"expected_calibration_error", ExpectedCalibrationError(s.calls)},
                  {"reliability", bins}};
  out["stands"] = {
      {"visible_half", ToJson(s.half_visible)},
      {"visible_40_to_50", ToJson(s.some_visible)},
      {"visible_less", ToJson(s.less_visible)},
      {"invented", s.stands_invented},
      {"side_right", Share(s.side_right, found)},
      {"kind_right", Share(s.kind_right, found)},
      {"unit_right", Share(s.unit_right, found)},
      {"centre_error_median_in", Number(Quantile(s.centre_errors_in, 0.5))},
      {"centre_error_p95_in", Number(Quantile(s.centre_errors_in, 0.95))},
      {"centre_error_median_visible_half_in", Number(Quantile(s.half_centre_errors_in, 0.5))},
      {"centre_error_p95_visible_half_in", Number(Quantile(s.half_centre_errors_in, 0.95))},
      {"bearing_error_p95_deg", Number(Quantile(s.bearing_errors_deg, 0.95))},
      {"share_in_95_percent_circle", Share(s.centres_within_95, found)},
      {"by_class", ToJson(ByClass(s.stand_errors))},
      {"confidence_calibration_error", CalibrationError(s.stand_predictions)},
      {"identity_swaps", s.identity_swaps}};
  out["changes"] = {
      {"right", s.changes_right}, {"missed", s.changes_missed}, {"invented", s.changes_invented}};
  out["view"] = {{"obstructed_frames", s.obstructed_frames},
                 {"obstructed_seen", s.obstructed_seen},
                 {"clear_frames", s.clear_frames},
                 {"clear_called_obstructed", s.clear_called_obstructed}};
  out["camera_moves"] = {{"found", s.camera_moves_found},
                         {"missed", s.camera_moves_missed},
                         {"invented", s.camera_moves_invented}};
  out["dice"] = {{"right", s.dice_right},
                 {"wrong", s.dice_wrong},
                 {"asked", s.dice_asked},
                 {"missed", s.dice_missed},
                 {"invented", s.dice_invented}};
  out["objects"] = {{"told", s.objects_told}, {"invented", s.objects_invented}};
  out["calibration"] = {{"grid_error_mean_in", Number(Mean(s.calibration_errors_in))},
                        {"grid_error_max_in", Number(Most(s.calibration_errors_in))}};
  out["details"] = s.details;
  out["time"] = {{"work_s", Number(s.work_s)}, {"decode_s", Number(s.decode_s)}};
  return out;
}

Json ToJson(const LensSetScore& s) {
  if (!s.error.empty()) return {{"lens", s.name}, {"error", s.error}};
  return {{"lens", s.name},
          {"rms_px", s.lens.raw_rms_px},
          {"max_px", s.lens.raw_max_px},
          {"turned_rms_px", s.lens.turned_rms_px},
          {"turned_max_px", s.lens.turned_max_px},
          {"held_out_rms_px", s.held_out_rms_px},
          {"views_used", s.views_used},
          {"views_left_out", s.views_left_out},
          {"bad_views_used", s.bad_views_used}};
}

Json ToJson(const BoardSetScore& score) {
  Json out;
  out["name"] = score.name;
  out["what"] = score.what;
  if (!score.error.empty()) out["error"] = score.error;
  out["pictures"] = score.pictures;
  out["found"] = score.found;
  out["unit"] = score.unit;
  for (const auto& [key, value] :
       {std::pair{"mean", Mean(score.errors)}, std::pair{"median", Quantile(score.errors, 0.5)},
        std::pair{"p95", Quantile(score.errors, 0.95)}, std::pair{"max", Most(score.errors)}}) {
    out[key] = value ? Json(*value) : Json();
  }
  return out;
}

}  // namespace

std::string ScoreTable(const std::vector<ClipScore>& scores, bool details) {
  const std::vector<ClipScore> rows = WithTotal(scores);
  std::string out = ShotColumns(rows) + '\n' + StandColumns(rows) + '\n' + OtherColumns(rows);
  if (const std::string failed = FailedCalls(scores); !failed.empty()) out += '\n' + failed;
  if (details) {
    out += '\n' + ClassTable(rows.back().stand_errors) + '\n';
    for (const ClipScore& s : scores) {
      for (const std::string& detail : s.details) out += fmt::format("{}: {}\n", s.clip, detail);
    }
  }
  const ClipScore& total = rows.back();
  for (const std::string& lines : {ReliabilityLines(total.calls), StandLines(total)})
    if (!lines.empty()) out += '\n' + lines;
  return out;
}

std::string LensTable(const std::vector<LensSetScore>& scores) {
  if (scores.empty()) return {};
  std::string out = fmt::format("{:<24} {:>9} {:>9} {:>11} {:>11} {:>12} {:>6} {:>9} {:>9}\n",
                                "lens", "rms px", "max px", "turned rms", "turned max",
                                "held-out rms", "views", "left out", "bad used");
  for (const LensSetScore& s : scores) {
    if (!s.error.empty()) {
      out += fmt::format("{:<24} not calibrated: {}\n", s.name, s.error);
      continue;
    }
    out += fmt::format("{:<24} {:>9.3f} {:>9.3f} {:>11.3f} {:>11.3f} {:>12.3f} {:>6} {:>9} {:>9}\n",
                       s.name, s.lens.raw_rms_px, s.lens.raw_max_px, s.lens.turned_rms_px,
                       s.lens.turned_max_px, s.held_out_rms_px, s.views_used, s.views_left_out,
                       s.bad_views_used);
  }
  return out + '\n';
}

std::string ScoreJson(const std::vector<ClipScore>& scores, const std::vector<LensSetScore>& lenses,
                      const std::vector<BoardSetScore>& boards) {
  Json out;
  Json& list = out["lenses"] = Json::array();
  for (const LensSetScore& lens : lenses) list.push_back(ToJson(lens));
  Json& photographs = out["boards"] = Json::array();
  for (const BoardSetScore& board : boards) photographs.push_back(ToJson(board));
  Json& clips = out["clips"] = Json::array();
  for (const ClipScore& score : scores) clips.push_back(ToJson(score));
  out["total"] = ToJson(Total(scores));
  return out.dump(2) + '\n';
}

}  // namespace fos
