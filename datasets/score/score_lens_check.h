// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "calibration/registration/table_registration.h"

// Whether a table tells a right lens file from a wrong one, and whether what it states holds.
namespace fos {

// One picture of a table, registered with one lens.
struct LensCheckCase {
  std::string picture;  // the clip's or photograph's name
  std::string lens;     // "right", "x0.97", "another camera's"
  bool right = false;
  std::optional<TableTrust> trust;  // empty: not found
  double focal_error = 0;           // of the focal length that was used, as a share of the true one
  double focal_sigma = INFINITY;    // to which the table tells it: TableRegistration::focal_sigma
  // How far the lens file's focal length lies from the right one, in sigmas of telling the two
  // apart: what the file leaves open and what the table tells. 0 where only the lens as a whole is
  // wrong.
  double focal_sigmas_off = 0;
  std::vector<double> errors_in;  // of each place, on the cloth
  double error_in = 0;            // worst over the board, on the cloth
  double sigma_in = 0;            // stated there
  double normalised = 0;          // worst error over its own stated sigma, on the cloth
  double house_normalised = 0;    // the same 2 in above the cloth; 0 where nothing tells
  // What the wrong lens does: how far it moves what the right lens measures, at worst over the
  // board, on levels up to half an inch (bases, what lies on the cloth) and up to an inch (figures'
  // heads, hills), and in sigmas that the table by the wrong lens states.
  double moved_low_in = 0;
  double moved_high_in = 0;
  double moved_sigmas = 0;
};

// Registers one picture of every labelled clip and every photograph of an aruco_gridboard below
// `root`, in the order of paths: with its own lens, with focal lengths 3 % and 7 % off both ways,
// and (clips) with the lens of the next clip whose pictures have the same size.
std::vector<LensCheckCase> CheckLenses(const std::filesystem::path& root);

// A line for each lens over all pictures, and with `details` one for each case; empty of none.
std::string LensCheckTable(const std::vector<LensCheckCase>& cases, bool details);

}  // namespace fos
