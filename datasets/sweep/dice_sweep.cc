// SPDX-License-Identifier: MIT
#include "datasets/sweep/dice_sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <opencv2/imgproc.hpp>
#include <optional>
#include <span>

#include "datasets/sweep/wild_session.h"
#include "vision/shots/evidence.h"

namespace fos {
namespace {

constexpr int kThrowsATable = 4;
// Pixels an inch. Numbers are finer than pips: coarser pictures show none.
struct Range {
  double least = 15;
  double most = 40;
};
constexpr Range kOfCubes;
constexpr Range kOfTwelve{26, 45};

// Scores one throw.
class ThrowScorer {
 public:
  ThrowScorer(const DiceSweepOptions& options, const WildTable& table, std::uint32_t seed, int step,
              DiceSweep& sweep)
      : options_(options), table_(table), seed_(seed), step_(step), sweep_(sweep) {}

  Status Score(const WildThrow& thrown) {
    std::vector<const DieFound*> open;
    for (const DiceSeen& seen : thrown.seen)
      for (const DieFound& die : seen.dice) open.push_back(&die);
    for (std::size_t i = 0; i < thrown.dice.size(); ++i) {
      const WildDie& truth = thrown.dice[i];
      const auto far = [&](const DieFound* die) { return Distance(die->centre, truth.centre); };
      const auto nearest = std::min_element(
          open.begin(), open.end(), [&](const auto* a, const auto* b) { return far(a) < far(b); });
      const DieFound* said = nullptr;
      if (nearest != open.end() && far(*nearest) < 0.5 * thrown.side_in) {
        said = *nearest;
        open.erase(nearest);
      }
      const std::string wrong = Count(truth, thrown.shows[i], said);
      if (wrong.empty()) continue;
      if (const Status told = Tell(thrown, truth, said, wrong); !told.ok()) return told;
    }
    for (const DieFound* die : open) {
      if (!IsRead(*die)) continue;
      ++sweep_.invented;
      sweep_.details.push_back(
          fmt::format("table {}, throw {}: a {} was invented at {:.1f}, {:.1f}", seed_, step_,
                      die->value, die->centre.x, die->centre.y));
    }
    for (const ShotSeen& shot : thrown.shots) {
      ++(shot.finding.measured ? sweep_.told : sweep_.asked);
      sweep_.details.push_back(
          fmt::format("table {}, throw {}: {} a {} at {:.1f}, {:.1f}", seed_, step_,
                      shot.finding.measured ? "measured" : "asked about",
                      shot.finding.shot.projectile == Projectile::kQtip ? "swab" : "shell",
                      shot.finding.shot.point.x, shot.finding.shot.point.y));
    }
    return Ok();
  }

 private:
  // What is wrong, in words; empty: nothing.
  std::string Count(const WildDie& truth, bool shows, const DieFound* said) {
    const bool read = said != nullptr && IsRead(*said);
    if (truth.cocked) {
      ++sweep_.cocked;
      sweep_.cocked_read += read ? 1 : 0;
      return read ? "a cocked die was read" : "";
    }
    const double ppi = PixelsPerInch(table_.camera, truth.centre, truth.top_in);
    DiceTally& tally =
        shows ? sweep_.by_ppi[std::min(30, static_cast<int>(ppi / 5) * 5)] : sweep_.washed_out;
    ++tally.dice;
    const bool right = said != nullptr && said->value == truth.value && said->faces == truth.faces;
    if (said != nullptr && shows) sweep_.chances.push_back({ChanceOf(*said), right});
    if (said == nullptr) {
      ++tally.missed;
      return shows ? "was missed" : "";
    }
    if (!read) {
      ++tally.asked;
      return shows ? "was asked about" : "";
    }
    ++(right ? tally.right : tally.wrong);
    return right ? "" : "was read WRONG";
  }

  Status Tell(const WildThrow& thrown, const WildDie& truth, const DieFound* said,
              const std::string& wrong) {
    const double ppi = PixelsPerInch(table_.camera, truth.centre, truth.top_in);
    std::string words =
        fmt::format("table {} ({}, {:.0f} px/in), throw {}: a {} of {:.2f} in {}", seed_,
                    table_.light, ppi, step_, truth.value, thrown.side_in, wrong);
    if (said != nullptr)
      words +=
          fmt::format(" as {} of {} ({:.3f}; cocked {:.2f}, die {:.2f}, side {:.2f})", said->value,
                      said->faces, said->P(), said->p_cocked, said->p_die, said->side_in);
    sweep_.details.push_back(words);
    if (options_.out.empty()) return Ok();
    const ImagePoint at = ImageFromTable(table_.camera, truth.centre, truth.top_in);
    const auto side = static_cast<int>(2 * ppi);
    const cv::Rect part = cv::Rect(static_cast<int>(at.x_px) - side / 2,
                                   static_cast<int>(at.y_px) - side / 2, side, side) &
                          cv::Rect({}, thrown.after.size());
    cv::Mat large;
    constexpr int kLarge_px = 320;
    cv::resize(thrown.after(part), large, {kLarge_px, kLarge_px}, 0, 0, cv::INTER_NEAREST);
    return WritePicture(large, std::filesystem::path(options_.out) /
                                   fmt::format("dice_{}_{}_{}_{}.png", seed_, step_, truth.value,
                                               sweep_.details.size()));
  }

  const DiceSweepOptions& options_;
  const WildTable& table_;
  std::uint32_t seed_;
  int step_;
  DiceSweep& sweep_;
};

std::string Percent(int part, int whole) {
  return whole > 0 ? fmt::format("{:.1f} %", 100.0 * part / whole) : "-";
}

std::string DiceRow(const std::string& name, const DiceTally& t) {
  return fmt::format("{:<22} {:>6} {:>9} {:>7} {:>7} {:>7}\n", name, t.dice,
                     Percent(t.right, t.dice), t.wrong, t.asked, t.missed);
}

}  // namespace

Result<DiceSweep> SweepDice(const DiceSweepOptions& options) {
  DiceSweep sweep;
  sweep.faces = options.faces;
  const Range range = options.faces == 6 ? kOfCubes : kOfTwelve;
  if (!options.out.empty()) {
    std::error_code failed;
    std::filesystem::create_directories(options.out, failed);
  }
  // Tables of other sizes must not keep this going for ever.
  for (int i = 0; sweep.throws < options.throws && i < 100 + 40 * options.throws; ++i) {
    const auto seed = static_cast<std::uint32_t>(options.seed + i);
    {
      const WildTable made = MakeWildTable(seed);
      const double ppi = PixelsPerInch(
          made.camera, {made.table.frame.Width() / 2, made.table.frame.Depth() / 2}, 0);
      if (ppi < range.least || ppi > range.most) continue;
    }
    ThingLabels labels(std::to_string(seed));
    OnJudged label;
    if (options.terms)
      label = [&labels](const JudgedThing& judged) {
        labels.Add(judged, std::span<const WildThing>());
      };
    WildSession session(seed, false, label, options.faces);
    if (const Status started = session.Start(); !started.ok()) return started.error();
    if (!session.Detector().Found()) continue;
    ++sweep.tables;
    for (int step = 0; step < kThrowsATable && sweep.throws < options.throws; ++step) {
      const Result<std::optional<WildThrow>> thrown = session.Throw();
      if (!thrown.ok()) return thrown.error();
      if (!*thrown) continue;
      ++sweep.throws;
      ThrowScorer scorer(options, session.Table(), seed, step, sweep);
      if (const Status scored = scorer.Score(**thrown); !scored.ok()) return scored.error();
      if (options.progress) options.progress(sweep.throws);
    }
    const std::vector<LabelledThing> judged = labels.Things();
    sweep.judged.insert(sweep.judged.end(), judged.begin(), judged.end());
  }
  return sweep;
}

std::string SweepText(const DiceSweep& sweep, bool details) {
  std::string out =
      fmt::format("{} throws on {} tables\n{:<22} {:>6} {:>9} {:>7} {:>7} {:>7}\n", sweep.throws,
                  sweep.tables, "pixels an inch", "dice", "right", "wrong", "asked", "missed");
  DiceTally fine;
  for (const auto& [ppi, tally] : sweep.by_ppi) {
    out += DiceRow(ppi < 30 ? fmt::format("{} to {}", ppi, ppi + 5) : "30 and more", tally);
    if (ppi < 20) continue;
    fine.dice += tally.dice;
    fine.right += tally.right;
    fine.wrong += tally.wrong;
    fine.asked += tally.asked;
    fine.missed += tally.missed;
  }
  out +=
      DiceRow("20 and more", fine) +
      DiceRow(sweep.faces == 6 ? "no pips to be seen" : "no number to be seen", sweep.washed_out);
  out += fmt::format(
      "cocked: {}, {} of them read; values invented: {}; taken for shots: {}, asked about: {}\n"
      "expected calibration error {:.2f} %\n",
      sweep.cocked, sweep.cocked_read, sweep.invented, sweep.told, sweep.asked,
      100 * CalibrationError(sweep.chances));
  if (!details) return out;
  for (const std::string& line : sweep.details) out += line + '\n';
  return out;
}

}  // namespace fos
