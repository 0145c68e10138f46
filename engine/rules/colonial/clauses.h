#pragma once

#include <span>

#include "engine/table/clause.h"

namespace fos::colonial {

// Every clause of the catalogue, in its order. docs/clauses.md says where each is applied and which
// tests prove it; a test fails when either is lacking.
std::span<const Clause> Clauses();

}  // namespace fos::colonial
