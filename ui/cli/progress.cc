// SPDX-License-Identifier: MIT
#include "ui/cli/progress.h"

#include <algorithm>
#include <ostream>
#include <utility>

#include <fmt/format.h>

namespace fos {

std::string ProgressText(std::int64_t done, std::optional<std::int64_t> total) {
  if (!total || *total <= 0) return fmt::format("{}", done);
  constexpr int kWidth = 30;
  const double share = std::clamp(static_cast<double>(done) / static_cast<double>(*total), 0., 1.);
  const auto filled = static_cast<std::size_t>(share * kWidth);
  return fmt::format("[{}{}] {:3.0f} %  {}/{}", std::string(filled, '#'),
                     std::string(kWidth - filled, '.'), 100 * share, done, *total);
}

ProgressBar::ProgressBar(std::ostream& out, bool shown, std::string label,
                         std::optional<std::int64_t> total)
    : out_(out), shown_(shown), label_(std::move(label)), total_(total) {}

ProgressBar::~ProgressBar() {
  if (drawn_) out_ << "\r\x1b[K" << std::flush;
}

void ProgressBar::Update(std::int64_t done) {
  if (!shown_) return;
  constexpr std::chrono::milliseconds kBetweenDraws{100};
  const auto now = std::chrono::steady_clock::now();
  const bool last = total_ && done >= *total_;
  if (drawn_ && !last && now - last_drawn_ < kBetweenDraws) return;
  out_ << '\r' << label_ << ' ' << ProgressText(done, total_) << "\x1b[K" << std::flush;
  drawn_ = true;
  last_drawn_ = now;
}

}  // namespace fos
