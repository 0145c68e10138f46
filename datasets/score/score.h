// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "datasets/score/predictions.h"
#include "datasets/score/score_truth.h"
#include "datasets/score/stand_errors.h"
#include "engine/files/event_log.h"
#include "engine/table/quantile.h"
#include "engine/table/scenario.h"

// Scores what a judged clip reported against the truth (contract, section 5). Inches, degrees,
// frames.
namespace fos {

// One call of the referee, and the truth.
struct ScoredCall {
  std::string stand;  // the truth's key
  int shot = 0;
  Call call = Call::kTooClose;
  double p_hit = 0;
  bool truly_hit = false;
  double margin_in = 0;    // true distance less the radius: below zero is a hit
  double distance_in = 0;  // reported
};

// How many stands there were to find, by how much of their base's top was in view.
struct StandCount {
  int there = 0;
  int found = 0;
};

struct ClipScore {
  std::string clip;
  std::string error;  // why it could not be judged; then everything counts as missed
  // Each miss and invention on a line, for debugging.
  std::vector<std::string> details;

  // Shots.
  int shots_found = 0;
  int shots_missed = 0;
  int shots_invented = 0;
  int shots_wrong_type = 0;              // found, but as the other projectile
  std::vector<double> shot_errors_in;    // of those found
  int shots_within_two_sigma = 0;        // of those found
  std::vector<double> verdict_delays;    // frames from at rest to the verdict
  std::vector<double> verdict_delays_s;  // the same, seconds

  // Calls, over stands truly nearer than hit_radius + 1.5 in to a shot that was found.
  std::vector<ScoredCall> calls;
  int uncalled = 0;        // such stands that the verdict does not name
  int calls_invented = 0;  // named stands that are not there at all

  // Stands, at the end of every stretch of at least half a second without hands.
  StandCount half_visible;  // at least 50 % of the base's top in view
  StandCount some_visible;  // 40 % to 50 %
  StandCount less_visible;
  int stands_invented = 0;
  int side_right = 0;  // of those found
  int kind_right = 0;
  int unit_right = 0;
  std::vector<double> centre_errors_in;       // of those found
  std::vector<double> half_centre_errors_in;  // of those at least half in view
  std::vector<double> bearing_errors_deg;
  std::vector<StandError> stand_errors;  // the same, with their circumstances
  // Of every reported stand: its confidence, and whether a stand of that side and kind is there.
  // None in logs of older programs.
  std::vector<Prediction> stand_predictions;
  int centres_within_95 = 0;  // inside the circle that the stated sigma gives 95 % to
  int identity_swaps = 0;     // an id that came to mean another stand

  // Moves and removals of stands.
  int changes_right = 0;
  int changes_missed = 0;
  int changes_invented = 0;

  // Hands, frame by frame.
  int obstructed_frames = 0;        // truly
  int obstructed_seen = 0;          // of those, reported so
  int clear_called_obstructed = 0;  // frames
  int clear_frames = 0;

  int camera_moves_found = 0;
  int camera_moves_missed = 0;
  int camera_moves_invented = 0;

  // Dice: each that lay there long enough to be read.
  int dice_right = 0;
  int dice_wrong = 0;
  int dice_asked = 0;
  int dice_missed = 0;
  int dice_invented = 0;  // read or asked about where no die came to rest

  int objects_told = 0;      // "something new lies there"
  int objects_invented = 0;  // of those, where nothing came or went: no shot, die, stand or object

  // Grid crossings in the picture, through the true camera and back through the reported one.
  std::vector<double> calibration_errors_in;

  std::optional<double> work_s;    // wall time of judging
  std::optional<double> decode_s;  // wall time of merely decoding the same pictures

  int CallsRight() const;
  int CallsWrong() const;
  int CallsTooClose() const;
  int WrongFar() const;     // wrong where the true margin is over 0.1 in
  int TooCloseFar() const;  // too close to call where the true margin is over 0.06 in
};

// Scores what was reported. The events may be incomplete: missing ones count as missed.
ClipScore ScoreClip(const Truth& truth, const TableSpec& table, const Scenario& scenario,
                    const std::vector<EventRecord>& events);

// All clips in one: counts added, errors pooled, times of those that were timed. No details.
ClipScore Total(const std::vector<ClipScore>& scores);

// How honest p_hit is (see datasets/score/predictions.h).
std::vector<PredictionBin> Reliability(const std::vector<ScoredCall>& calls);
double ExpectedCalibrationError(const std::vector<ScoredCall>& calls);

}  // namespace fos
