// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "engine/table/clause.h"

namespace fos::colonial {

// All clauses of the catalogue in order. docs/clauses.md says where each is applied and which tests
// cover it; a test fails if either is missing.
std::span<const Clause> Clauses();

}  // namespace fos::colonial
