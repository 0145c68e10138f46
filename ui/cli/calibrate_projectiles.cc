// SPDX-License-Identifier: MIT
#include "ui/cli/calibrate_projectiles.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <deque>
#include <filesystem>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>
#include <optional>
#include <ostream>

#include "calibration/registration/rig_profile.h"
#include "engine/files/table_file.h"
#include "engine/rules/rule_sets.h"
#include "ui/cli/options.h"
#include "ui/cli/output_file.h"
#include "ui/session/clip.h"
#include "ui/session/find_table.h"
#include "vision/image/frame_source.h"
#include "vision/image/picture_file.h"
#include "vision/image/rectify.h"
#include "vision/image/veil.h"
#include "vision/shots/projectile_looks.h"

namespace fos {
namespace {

namespace fs = std::filesystem;

// The table before the projectiles were laid and with them. CV_8UC3.
struct TwoPictures {
  cv::Mat bare;
  cv::Mat laid;
};

Result<cv::Mat> ReadOne(const fs::path& file) {
  cv::Mat bgr = ReadPicture(file, cv::IMREAD_COLOR | cv::IMREAD_IGNORE_ORIENTATION);
  if (!bgr.empty()) return bgr;
  return Error{ErrorCode::kBadFormat,
               file.string() + ": not a picture that can be read; save it again as PNG"};
}

cv::Mat MeanOf(const std::deque<cv::Mat>& frames) {
  cv::Mat sum = cv::Mat::zeros(frames.front().size(), CV_32FC3);
  for (const cv::Mat& frame : frames) cv::accumulate(frame, sum);
  cv::Mat out;
  sum.convertTo(out, CV_8UC3, 1.0 / static_cast<double>(frames.size()));
  return out;
}

// The first and the last pictures of a recording, or of so many seconds of a camera.
Result<TwoPictures> FromFrames(const std::string& name, FrameSource& source, double seconds,
                               std::ostream& out) {
  constexpr std::size_t kMean = 8;  // averaged: noise falls to a third
  const bool live = !source.FrameCount();
  // By the clock: a camera in the dark sends fewer pictures than it says.
  using Clock = std::chrono::steady_clock;
  Clock::time_point told;
  std::deque<cv::Mat> last;
  TwoPictures two;
  std::size_t count = 0;
  for (;;) {
    const Result<std::optional<Frame>> frame = source.Next();
    if (!frame.ok()) return frame.error();
    if (!frame->has_value()) break;
    last.push_back((*frame)->bgr.clone());
    if (last.size() > kMean) last.pop_front();
    if (++count == kMean) {
      two.bare = MeanOf(last);
      if (live) {
        told = Clock::now();
        out << fmt::format("Lay the projectiles on the table now; {:.0f} seconds.\n", seconds)
            << std::flush;
      }
    }
    if (live && count > 2 * kMean &&
        std::chrono::duration<double>(Clock::now() - told).count() > seconds) {
      break;
    }
  }
  if (count < 2 * kMean) {
    return Error{ErrorCode::kBadFormat,
                 fmt::format("{}: {} pictures; at least {} are needed: the bare table first, the "
                             "projectiles on it at the end",
                             name, count, 2 * kMean)};
  }
  two.laid = MeanOf(last);
  return two;
}

Result<TwoPictures> ReadSource(const std::string& source, double seconds, std::ostream& out) {
  std::error_code ec;
  const fs::path path = source;
  const fs::path recording = RecordingIn(path);
  if (fs::is_directory(path, ec) && recording.empty() && !fs::is_directory(path / "frames", ec)) {
    const std::vector<fs::path> files = PictureFiles(path);
    if (files.size() < 2) {
      return Error{ErrorCode::kNotFound,
                   source + ": fewer than two pictures; want the bare table first and the "
                            "projectiles on it last, by name"};
    }
    Result<cv::Mat> bare = ReadOne(files.front());
    if (!bare.ok()) return bare.error();
    Result<cv::Mat> laid = ReadOne(files.back());
    if (!laid.ok()) return laid.error();
    if (bare->size() != laid->size()) {
      return Error{ErrorCode::kBadFormat,
                   source + ": the first and the last picture differ in size"};
    }
    return TwoPictures{*bare, *laid};
  }
  constexpr double kFps = 30;  // of a folder with frames, which does not say
  Result<std::unique_ptr<FrameSource>> frames =
      fs::is_directory(path, ec)
          ? (!recording.empty() ? OpenVideo(recording) : OpenPictureFolder(path / "frames", kFps))
          : OpenCameraOrUrl(source);
  if (!frames.ok()) return frames.error();
  return FromFrames(source, **frames, seconds, out);
}

std::string Hex(Colour c) { return fmt::format("#{:02x}{:02x}{:02x}", c.r, c.g, c.b); }

void Tell(const LearntProjectile& one, const ProjectileSpec* spec, std::ostream& out) {
  const char* plural = one.samples == 1 ? "" : "s";
  if (one.type == Projectile::kQtip) {
    out << fmt::format(
        "{} swab{}: {:.2f} +/- {:.2f} in long, cotton {:.2f} in long and {:.2f} in thick, {:.2f} "
        "in "
        "of it dipped; stick {}, dip {}\n",
        one.samples, plural, one.length_in, one.length_sigma_in, one.cotton_length_in,
        one.cotton_thickness_in, one.dip_in, Hex(one.stick), Hex(one.tip_paint));
    if (spec && std::abs(spec->length_in - one.length_in) > 3 * one.length_sigma_in) {
      out << fmt::format("Note: swabs here are {:.2f} in long; the scenario says {:.2f}.\n",
                         one.length_in, spec->length_in);
    }
  } else {
    out << fmt::format("{} shell{}: {:.2f} +/- {:.2f} in wide; body {}, mark {}\n", one.samples,
                       plural, one.size_in, one.size_sigma_in, Hex(one.body), Hex(one.mark));
  }
  constexpr int kFew = 3;
  if (one.samples < kFew) {
    out << fmt::format(
        "Note: measured from {} only; lay {} or more to know how much they differ.\n", one.samples,
        kFew);
  }
}

// What was measured, drawn for people to confirm.
cv::Mat Drawn(const cv::Mat& laid, const TableCamera& camera, const ShownProjectiles& shown) {
  cv::Mat out = laid.clone();
  const auto outline = [&](const ProjectileFinding& f, const cv::Scalar& colour) {
    std::vector<cv::Point> corners = PixelsAt(camera, f.outline, f.shot.height_in);
    cv::polylines(out, corners, true, colour, 1, cv::LINE_AA);
    return corners;
  };
  const cv::Scalar kMeasured(80, 255, 80);
  const cv::Scalar kUnclear(60, 60, 255);
  for (const ShownProjectile& one : shown.measured) {
    const auto corners = outline(one.finding, kMeasured);
    const ShotObservation& shot = one.finding.shot;
    cv::circle(out, PixelAt(camera, shot.point, shot.height_in), 5, kMeasured, 1, cv::LINE_AA);
    const double size =
        one.looks.type == Projectile::kQtip ? one.looks.length_in : one.looks.size_in;
    cv::putText(out, fmt::format("{:.2f} in", size), corners.front(), cv::FONT_HERSHEY_SIMPLEX, 0.5,
                kMeasured, 1, cv::LINE_AA);
  }
  for (const ProjectileFinding& f : shown.unclear) {
    const auto corners = outline(f, kUnclear);
    cv::putText(out, "not clear", corners.front(), cv::FONT_HERSHEY_SIMPLEX, 0.5, kUnclear, 1,
                cv::LINE_AA);
  }
  return out;
}

struct Asked {
  std::string source, table, scenario, camera, rig, picture = "projectiles.png";
  double seconds = 30;
};

Status Run(const Asked& asked, Console& console) {
  std::error_code ec;
  std::optional<RigProfile> rig;
  if (!asked.rig.empty() && fs::exists(asked.rig, ec)) {
    Result<RigProfile> read = ReadRig(asked.rig);
    if (!read.ok()) return read.error();
    rig = std::move(read).value();
  }
  TableSpec table;
  if (rig && asked.table.empty()) {
    table = rig->table;
  } else {
    const auto file = NamedOrBeside(asked.table, asked.source, "table.toml",
                                    asked.rig.empty() ? "--table, or a rig with --rig"
                                                      : "--table, as " + asked.rig + " is new");
    if (!file.ok()) return file.error();
    Result<TableSpec> read = ReadTable(*file);
    if (!read.ok()) return read.error();
    table = std::move(read).value();
  }
  const auto scenario_file =
      NamedOrBeside(asked.scenario, asked.source, "scenario.toml", "--scenario");
  if (!scenario_file.ok()) return scenario_file.error();
  const Result<Scenario> scenario = ReadScenarioUnderRules(*scenario_file, table.frame);
  if (!scenario.ok()) return scenario.error();
  CameraModel lens;
  if (rig && asked.camera.empty()) {
    lens = rig->lens;
  } else {
    const auto file =
        NamedOrBeside(asked.camera, asked.source, "camera.yaml", "--camera, or a rig with --rig");
    if (!file.ok()) return file.error();
    Result<CameraModel> read = ReadCamera(*file);
    if (!read.ok()) return read.error();
    lens = std::move(read).value();
  }
  const Result<TwoPictures> two = ReadSource(asked.source, asked.seconds, console.out);
  if (!two.ok()) return two.error();
  if (two->bare.size() != cv::Size(lens.width_px, lens.height_px)) {
    return Error{
        ErrorCode::kBadFormat,
        fmt::format("{}: pictures are {} x {}, the lens is for {} x {}; use the camera "
                    "file of this camera and picture size",
                    asked.source, two->bare.cols, two->bare.rows, lens.width_px, lens.height_px)};
  }
  const Result<PlacedTable> found =
      FindTable({{}, 0, two->bare}, lens, table, &scenario.value(), TableWays{});
  if (!found.ok()) return Error{found.error().code, asked.source + ": " + found.error().message};
  // A length is no better than the table it is measured on.
  if (found->table.trust == TableTrust::kUntrusted) {
    return Error{ErrorCode::kDegenerate, asked.source + ": the table is " + found->table.sentence};
  }
  if (found->table.trust == TableTrust::kDoubtful) {
    console.out << "Note: the table is " << found->table.sentence << ".\n";
  }
  const TableCamera& camera = found->table.camera;
  // Colours as the referee will see them.
  const Veil veil = VeilOf(two->bare, camera, table);
  const ShownProjectiles shown = FindShown(
      PicturesBeforeAndAfter(WithoutVeil(two->bare, veil), WithoutVeil(two->laid, veil), camera),
      *scenario);
  for (const ProjectileFinding& f : shown.unclear) {
    constexpr std::string_view kNothing = "nothing: ";
    const bool nothing = f.how.starts_with(kNothing);
    console.out << fmt::format("Not clear at ({:.1f}, {:.1f}) in: {}\n", f.shot.point.x,
                               f.shot.point.y,
                               nothing ? f.how.substr(kNothing.size()) : "measured from " + f.how);
  }
  if (shown.measured.empty()) {
    return Error{ErrorCode::kNotFound,
                 asked.source +
                     ": no projectile is seen whole; lay them on the open cloth, apart "
                     "from each other, with the last picture free of hands"};
  }
  const std::vector<LearntProjectile> learnt = Pooled(shown.measured);
  if (!rig) rig = RigOf(found->table, table);
  // Swabs may be shown today and shells tomorrow.
  std::erase_if(rig->projectiles, [&](const LearntProjectile& before) {
    return std::any_of(learnt.begin(), learnt.end(),
                       [&](const LearntProjectile& one) { return one.type == before.type; });
  });
  rig->projectiles.insert(rig->projectiles.end(), learnt.begin(), learnt.end());
  for (const LearntProjectile& one : learnt) {
    const auto spec = std::find_if(scenario->projectiles.begin(), scenario->projectiles.end(),
                                   [&](const ProjectileSpec& s) { return s.type == one.type; });
    Tell(one, spec == scenario->projectiles.end() ? nullptr : &*spec, console.out);
  }
  for (const std::string& file : {asked.picture, asked.rig})
    if (const Status made = MakeFolderOf(file); !made.ok()) return made;
  bool written = false;
  try {
    written = cv::imwrite(asked.picture, Drawn(two->laid, camera, shown));
  } catch (const cv::Exception&) {
    written = false;
  }
  if (!written) {
    return Error{ErrorCode::kIo,
                 asked.picture +
                     ": cannot be written; name a .png in a folder that may be written to"};
  }
  console.out << "Look at " << asked.picture << ": each projectile should be outlined in green.\n";
  if (asked.rig.empty()) return Ok();
  if (Status kept = WriteRig(*rig, asked.rig); !kept.ok()) return kept;
  console.out << "kept in " << asked.rig << '\n';
  return Ok();
}

}  // namespace

int RunCalibrateProjectiles(const std::vector<std::string>& arguments, Console& console) {
  Asked asked;
  Options options(
      "calibrate projectiles SOURCE [options]",
      "Learns what your swabs and shells look like. Show the bare table first, then lay "
      "three or more of each kind on the open cloth, apart from each other, and take "
      "your hands away.");
  options
      .Argument("SOURCE", asked.source,
                "a folder with pictures (the first shows the bare table, the last the projectiles "
                "on it), a video, a clip's folder, or a camera's number or URL")
      .Text("table", "FILE", asked.table, "table.toml; a clip and a rig have their own")
      .Text("scenario", "FILE", asked.scenario, "scenario.toml; a clip has its own")
      .Text("camera", "FILE", asked.camera,
            "the lens, written by `calibrate lens`; a clip and a rig have their own")
      .Text("rig", "FILE", asked.rig,
            "the rig's profile: lens and table are read from it when it is there, and what was "
            "learnt is kept in it")
      .Text("picture", "FILE", asked.picture, "where the picture to confirm is written")
      .Number("seconds", asked.seconds, 3, 600, "how long a camera is watched");
  if (const auto status = ReadArguments(options, "calibrate projectiles", arguments, console))
    return *status;
  const Status done = Run(asked, console);
  return done.ok() ? kExitDone : BadInput(console, done.error().message);
}

}  // namespace fos
