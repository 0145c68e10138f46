// SPDX-License-Identifier: MIT
#pragma once

#include "engine/rules/rule_set.h"

// Hexless Skirmish (tests/hexless/rules.md): a rule set of the tests' own, in one folder.
namespace fos::hexless {

const RuleSet& Description();

}  // namespace fos::hexless
