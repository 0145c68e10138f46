// SPDX-License-Identifier: MIT
#include "tests/support/view_faults.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <numbers>
#include <opencv2/imgproc.hpp>
#include <optional>
#include <utility>

#include "engine/table/result.h"

namespace fos::test {
namespace {

using Picture = std::function<cv::Mat(const cv::Mat& bgr, double since_s)>;
constexpr double kTurn = 2 * std::numbers::pi;

// Brightness by row, as the light of mains lamps falls on a rolling shutter: bands that drift.
// depth  of the bands, as a share of the brightness
Picture Bands(double depth) {
  return [depth](const cv::Mat& bgr, double since_s) {
    constexpr double kBands = 3.3;     // in the picture: 100 Hz read out in a thirtieth of a second
    constexpr double kDrift_Hz = 0.8;  // what is left of 100 Hz over a whole number of frames
    cv::Mat out;
    cv::Mat gain(bgr.size(), CV_32FC3);
    for (int row = 0; row < bgr.rows; ++row) {
      const double phase = kTurn * (kBands * row / bgr.rows + kDrift_Hz * since_s);
      gain.row(row).setTo(cv::Scalar::all(1 + depth * std::sin(phase)));
    }
    cv::multiply(bgr, gain, out, 1, CV_8UC3);
    return out;
  };
}

// The whole picture's brightness by channel.
Picture Gains(std::function<cv::Scalar(double since_s)> gain) {
  return [gain = std::move(gain)](const cv::Mat& bgr, double since_s) {
    cv::Mat out;
    cv::multiply(bgr, gain(since_s), out);
    return out;
  };
}

// A saw-tooth between -1 and 1: an automatic control that overshoots and comes back.
double Hunting(double since_s, double rate_Hz) {
  const double phase = since_s * rate_Hz - std::floor(since_s * rate_Hz);
  return phase < 0.25 ? 4 * phase : (phase < 0.75 ? 2 - 4 * phase : 4 * phase - 4);
}

cv::Mat Moved(const cv::Mat& bgr, double dx, double dy, double turn_deg = 0) {
  cv::Mat a = cv::getRotationMatrix2D(
      {static_cast<float>(bgr.cols) / 2, static_cast<float>(bgr.rows) / 2}, turn_deg, 1);
  a.at<double>(0, 2) += dx;
  a.at<double>(1, 2) += dy;
  cv::Mat out;
  cv::warpAffine(bgr, out, a, bgr.size(), cv::INTER_CUBIC, cv::BORDER_REPLICATE);
  return out;
}

// Camera or table pushed after after_s, and back after another while_s.
Picture Knock(double after_s, double while_s, double share_of_width = 0.008) {
  return [=](const cv::Mat& bgr, double since_s) {
    const double t = since_s - after_s;
    constexpr double kPush_s = 0.15;
    if (t < 0 || t > while_s + kPush_s) return bgr;
    const double share = std::min({1.0, t / kPush_s, (while_s + kPush_s - t) / kPush_s});
    return Moved(bgr, share * share_of_width * bgr.cols, -0.4 * share * share_of_width * bgr.cols,
                 0.3 * share);
  };
}

// A finger or thumb near the lens: soft, dark, in from an edge of the picture.
// middle  of its tip, as a share of the picture; wide likewise, of its width
Picture Finger(cv::Point2d tip, cv::Point2d from, double wide, cv::Scalar skin) {
  return [=](const cv::Mat& bgr, double since_s) {
    constexpr double kCome_s = 0.25;
    constexpr double kStay_s = 2;
    const double in =
        std::clamp(std::min(since_s / kCome_s, (kStay_s - since_s) / kCome_s), 0.0, 1.0);
    if (in <= 0) return bgr;
    // The tremor of a hand, some pixels.
    const double tremor = 0.002 * std::sin(kTurn * 6 * since_s);
    const cv::Point2d to = from + in * (tip - from) + cv::Point2d(tremor, 0.7 * tremor);
    cv::Mat mask(bgr.size(), CV_32FC3, cv::Scalar::all(0));
    const auto px = [&](cv::Point2d p) {
      return cv::Point(cvRound(p.x * bgr.cols), cvRound(p.y * bgr.rows));
    };
    cv::line(mask, px(from + 2 * (from - tip)), px(to), cv::Scalar::all(1),
             std::max(1, cvRound(wide * bgr.cols)), cv::LINE_8);
    cv::GaussianBlur(mask, mask, {}, 0.015 * bgr.cols);
    cv::Mat out;
    bgr.convertTo(out, CV_32FC3);
    cv::Mat flesh(bgr.size(), CV_32FC3, skin);
    cv::Mat kept;
    cv::subtract(cv::Scalar::all(1), mask, kept);
    cv::multiply(out, kept, out);
    cv::multiply(flesh, mask, flesh);
    out += flesh;
    out.convertTo(out, CV_8UC3);
    return out;
  };
}

// By far the largest part of a picture of a table is cloth.
cv::Scalar MostCommonColour(const cv::Mat& bgr) {
  cv::Scalar out;
  for (int channel = 0; channel < 3; ++channel) {
    cv::Mat one;
    cv::extractChannel(bgr, one, channel);
    std::vector<int> count(256);
    for (int row = 0; row < one.rows; ++row)
      for (int column = 0; column < one.cols; ++column) ++count[one.at<std::uint8_t>(row, column)];
    out[channel] =
        static_cast<double>(std::max_element(count.begin(), count.end()) - count.begin());
  }
  return out;
}

Picture Tremble(double sigma_px) {
  auto random = std::make_shared<cv::RNG>(11);
  return [=](const cv::Mat& bgr, double) {
    return Moved(bgr, random->gaussian(sigma_px), random->gaussian(sigma_px));
  };
}

Picture Creep(double px_a_frame) {
  auto frames = std::make_shared<int>(0);
  return [=](const cv::Mat& bgr, double) {
    ++*frames;
    return Moved(bgr, px_a_frame * *frames, 0.3 * px_a_frame * *frames);
  };
}

Picture Focus(double rate_Hz) {
  return [rate_Hz](const cv::Mat& bgr, double since_s) {
    const double blur_px = 0.0028 * bgr.cols * (0.5 - 0.5 * std::cos(kTurn * rate_Hz * since_s));
    if (blur_px < 0.3) return bgr;
    cv::Mat out;
    cv::GaussianBlur(bgr, out, {}, blur_px);
    return out;
  };
}

Picture Fly() {
  auto random = std::make_shared<cv::RNG>(3);
  auto at = std::make_shared<cv::Point2d>(0.3, 0.4);
  auto sits = std::make_shared<int>(0);
  return [=](const cv::Mat& bgr, double) {
    // Walks, stops for some frames, flies on.
    if (--*sits < -6) *sits = random->uniform(0, 12);
    if (*sits <= 0) *at += cv::Point2d(random->uniform(-0.06, 0.06), random->uniform(-0.06, 0.06));
    at->x = std::clamp(at->x, 0.1, 0.9);
    at->y = std::clamp(at->y, 0.1, 0.9);
    cv::Mat out = bgr.clone();
    const cv::Point middle(cvRound(at->x * bgr.cols), cvRound(at->y * bgr.rows));
    cv::ellipse(out, middle, {cvRound(0.004 * bgr.cols), cvRound(0.0025 * bgr.cols)},
                random->uniform(0, 180), 0, 360, cv::Scalar(25, 25, 30), cv::FILLED, cv::LINE_AA);
    return out;
  };
}

// Blocks that a damaged stream takes from elsewhere, until the next whole picture a second later.
Picture Macroblocks() {
  auto random = std::make_shared<cv::RNG>(8);
  auto wrong = std::make_shared<std::vector<std::pair<cv::Rect, cv::Point>>>();
  auto key_s = std::make_shared<double>(-1);
  return [=](const cv::Mat& bgr, double since_s) {
    if (since_s - *key_s >= 1) {
      *key_s = since_s;
      wrong->clear();
    }
    constexpr int kBlock = 16;
    const auto block = [&] {
      return cv::Point(kBlock * random->uniform(0, bgr.cols / kBlock - 4),
                       kBlock * random->uniform(0, bgr.rows / kBlock - 2));
    };
    if (random->uniform(0, 3) == 0) {
      const cv::Point at = block();
      wrong->push_back({{at.x, at.y, kBlock * random->uniform(1, 5), kBlock}, block()});
    }
    cv::Mat out = bgr.clone();
    for (const auto& [to, from] : *wrong) bgr(cv::Rect(from, to.size())).copyTo(out(to));
    return out;
  };
}

// A fault of the pictures alone.
ViewFault OfPictures(Picture picture) {
  return {"", [picture = std::move(picture)](const Frame& frame, double since_s) {
            Frame out = frame;
            out.bgr = picture(frame.bgr, since_s);
            return std::vector<Frame>{out};
          }};
}

std::map<std::string, std::function<ViewFault()>> AllFaults() {
  std::map<std::string, std::function<ViewFault()>> all;
  const auto add = [&](const std::string& name, std::function<Picture()> make) {
    all[name] = [make = std::move(make)] { return OfPictures(make()); };
  };
  add("none", [] { return [](const cv::Mat& bgr, double) { return bgr; }; });
  add("flicker_12", [] { return Bands(0.12); });
  add("flicker_6", [] { return Bands(0.06); });
  add("brightness_2hz", [] {
    return Gains([](double t) { return cv::Scalar::all(1 + 0.2 * std::sin(kTurn * 2 * t)); });
  });
  add("exposure_hunts",
      [] { return Gains([](double t) { return cv::Scalar::all(1 + 0.18 * Hunting(t, 0.7)); }); });
  add("white_balance_hunts", [] {
    return Gains([](double t) {
      const double off = 0.12 * Hunting(t, 0.7);
      return cv::Scalar(1 + off, 1, 1 - off);
    });
  });
  add("lamp_out", [] { return Gains([](double t) { return cv::Scalar::all(t < 1 ? 0.4 : 1); }); });
  add("tremble_06", [] { return Tremble(0.6); });
  add("tremble_15", [] { return Tremble(1.5); });
  add("creep_015", [] { return Creep(0.15); });
  add("focus_hunts", [] { return Focus(0.6); });
  // Around a shot that comes to rest some 0.6 s after the fault's beginning.
  for (int i = 0; i < 8; ++i) {
    const double after_s = -0.1 + 0.15 * i;
    add("knock_" + std::to_string(i), [after_s] { return Knock(after_s, 0.5); });
  }
  add("finger", [] { return Finger({0.45, 0.25}, {0.42, 0}, 0.09, {52, 62, 88}); });
  add("thumb", [] { return Finger({0.16, 0.6}, {0, 0.75}, 0.2, {70, 88, 128}); });
  // A finger of the cloth's own colour: only its softness and its movement tell it.
  add("finger_of_the_cloths_colour", [] {
    return [finger = std::optional<Picture>()](const cv::Mat& bgr, double since_s) mutable {
      if (!finger) finger = Finger({0.45, 0.25}, {0.42, 0}, 0.09, MostCommonColour(bgr));
      return (*finger)(bgr, since_s);
    };
  });
  add("turned_5", [] { return [](const cv::Mat& bgr, double) { return Moved(bgr, 0, 0, 5); }; });
  add("turned_180", [] {
    return [](const cv::Mat& bgr, double) {
      cv::Mat out;
      cv::rotate(bgr, out, cv::ROTATE_180);
      return out;
    };
  });
  add("fly", [] { return Fly(); });
  add("macroblocks", [] { return Macroblocks(); });
  // A whole picture was lost, and what is coded by its blocks lands on those of an older one:
  // all over the picture, until the next whole one.
  add("lost_reference", [] {
    return [](const cv::Mat& bgr, double) {
      constexpr int kBlock = 16;
      cv::RNG random(9);
      cv::Mat out = bgr.clone();
      for (int y = 0; y + kBlock <= bgr.rows; y += 3 * kBlock) {
        for (int x = 0; x + 2 * kBlock <= bgr.cols; x += 4 * kBlock) {
          const int wide = kBlock * random.uniform(1, 3);
          out(cv::Rect(x, y, wide, kBlock)) += cv::Scalar::all(random.uniform(-40, 40));
        }
      }
      return out;
    };
  });
  // A lens with its cap on, but for the light that comes past it.
  add("lens_cap", [] {
    auto random = std::make_shared<cv::RNG>(6);
    return [=](const cv::Mat& bgr, double since_s) {
      if (since_s >= 3) return bgr;
      cv::Mat grain(bgr.size(), CV_16SC3);
      random->fill(grain, cv::RNG::NORMAL, 6, 1.5);
      cv::Mat out;
      grain.convertTo(out, CV_8UC3);
      return out;
    };
  });
  // Single pictures of a decoder that lost what they refer to: whole ones in green, and some of
  // which the upper part is good.
  add("green_frames", [] {
    auto random = std::make_shared<cv::RNG>(7);
    auto last = std::make_shared<bool>(false);
    return [=](const cv::Mat& bgr, double) {
      *last = !*last && random->uniform(0, 4) == 0;
      if (!*last) return bgr;
      cv::Mat out = bgr.clone();
      const int from = random->uniform(0, 2) * bgr.rows * 2 / 5;
      out.rowRange(from, out.rows).setTo(cv::Scalar(0, 135, 0));
      return out;
    };
  });
  // The lower half of each picture is lost, and the decoder puts grey there.
  add("grey_half", [] {
    return [](const cv::Mat& bgr, double) {
      cv::Mat out = bgr.clone();
      out.rowRange(bgr.rows / 32 * 16, bgr.rows).setTo(cv::Scalar(130, 130, 130));
      return out;
    };
  });
  all["gap_2s"] = [] {
    return ViewFault{"", [](const Frame& frame, double since_s) {
                       return since_s < 2 ? std::vector<Frame>{} : std::vector<Frame>{frame};
                     }};
  };
  all["freeze"] = [] {
    auto held = std::make_shared<cv::Mat>();
    return ViewFault{"", [held](const Frame& frame, double since_s) {
                       if (held->empty()) *held = frame.bgr;
                       Frame out = frame;
                       if (since_s < 2) out.bgr = *held;
                       return std::vector<Frame>{out};
                     }};
  };
  // Two seconds in another mode: half the size, enlarged; the middle three quarters, stretched.
  all["half_size"] = [] {
    return OfPictures([](const cv::Mat& bgr, double since_s) {
      if (since_s >= 2) return bgr;
      cv::Mat out;
      cv::resize(bgr, out, {}, 0.5, 0.5, cv::INTER_AREA);
      cv::resize(out, out, bgr.size(), 0, 0, cv::INTER_LINEAR);
      return out;
    });
  };
  all["other_shape"] = [] {
    return OfPictures([](const cv::Mat& bgr, double since_s) {
      if (since_s >= 2) return bgr;
      cv::Mat out;
      cv::resize(bgr(cv::Rect(bgr.cols / 8, 0, bgr.cols * 3 / 4, bgr.rows)), out, bgr.size(), 0, 0,
                 cv::INTER_LINEAR);
      return out;
    });
  };
  // Half a minute of one picture; what was done in its first two seconds is not seen.
  all["freeze_30s"] = [] {
    auto frozen = std::make_shared<bool>(false);
    return ViewFault{"", [frozen](const Frame& frame, double since_s) {
                       constexpr double kFrozen_s = 30;
                       constexpr double kStep_s = 1.0 / 15;
                       std::vector<Frame> out;
                       if (since_s >= 2) return std::vector<Frame>{frame};
                       if (std::exchange(*frozen, true)) return out;
                       for (double t = 0; t < kFrozen_s; t += kStep_s) {
                         out.push_back(frame);
                         out.back().time_s += t;
                       }
                       return out;
                     }};
  };
  all["five_fps"] = [] {
    auto due_s = std::make_shared<double>(0);
    return ViewFault{"", [due_s](const Frame& frame, double since_s) {
                       if (since_s < *due_s) return std::vector<Frame>{};
                       *due_s += 0.2;
                       return std::vector<Frame>{frame};
                     }};
  };
  return all;
}

}  // namespace

std::vector<std::string> ViewFaultNames() {
  std::vector<std::string> out;
  for (const auto& [name, make] : AllFaults()) out.push_back(name);
  return out;
}

ViewFault MakeViewFault(const std::string& name) {
  const auto all = AllFaults();
  const auto at = all.find(name);
  FOS_CHECK(at != all.end());
  ViewFault out = at->second();
  out.name = name;
  return out;
}

FaultyView::FaultyView(const std::string& fault, double from_s, double to_s)
    : fault_(MakeViewFault(fault)), from_s_(from_s), to_s_(to_s) {}

std::vector<Frame> FaultyView::Take(const Frame& frame) {
  std::vector<Frame> out{frame};
  if (frame.time_s >= from_s_ && frame.time_s < to_s_)
    out = fault_.apply(frame, frame.time_s - from_s_);
  const double late_s = late_s_;
  for (Frame& one : out) {
    late_s_ = std::max(late_s_, late_s + one.time_s - frame.time_s);
    one.time_s += late_s;
    one.id.index = next_++;
  }
  return out;
}

}  // namespace fos::test
