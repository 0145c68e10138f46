// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "engine/table/clause.h"

namespace fos::napoleonic {

// Every clause of the catalogue, in order. docs/clauses.md lists where each is applied and which
// tests prove it; a test fails if either is missing.
std::span<const Clause> Clauses();

}  // namespace fos::napoleonic
