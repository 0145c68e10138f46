// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>

namespace fos {

// Calls work(0) to work(count - 1), on all cores. Each may write only what no other reads or
// writes; then the results do not depend on the number of cores.
void InParallel(std::size_t count, const std::function<void(std::size_t)>& work);

}  // namespace fos
