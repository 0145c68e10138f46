// SPDX-License-Identifier: MIT
#pragma once

#include "engine/rules/rule_set.h"

namespace fos::napoleonic {

// These rules as the rest of the program knows them.
const RuleSet& Description();

}  // namespace fos::napoleonic
