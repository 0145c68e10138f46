#include "ui/app/judge.h"

#include <fmt/format.h>

#include <chrono>
#include <future>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>
#include <type_traits>
#include <variant>

#include "ui/app/clip.h"
#include "ui/app/lens_views.h"
#include "ui/app/sightings.h"
#include "vision/evidence.h"
#include "vision/frame_source.h"
#include "vision/pipeline.h"

namespace fos {
namespace {

namespace fs = std::filesystem;

// The rate at which a folder of pictures is taken to have been recorded: nothing in it says.
constexpr double kFolderFps = 30;

Result<std::unique_ptr<FrameSource>> OpenPictures(const ClipPaths& paths) {
  return paths.is_video ? OpenVideo(paths.pictures) : OpenPictureFolder(paths.pictures, kFolderFps);
}

// The lens of the clip: its camera.yaml, or from its views of the board (then written beside the
// output, so that the next clip of this camera need not wait).
Result<CameraModel> LensOf(const Clip& clip, const fs::path& out) {
  if (clip.camera) return *clip.camera;
  const Result<LensCalibration> lens =
      CalibrateFromPictures(clip.paths.lens_views, *clip.table.charuco);
  if (!lens.ok()) return lens.error();
  const Status written = WriteCamera(lens->camera, out / "camera.yaml");
  if (!written.ok()) return written.error();
  return lens->camera;
}

// Everything written so far is taken away again unless the whole run succeeds.
class Undo {
 public:
  void Wrote(fs::path file) { files_.push_back(std::move(file)); }
  void MadeFolder(fs::path folder) { folders_.push_back(std::move(folder)); }
  void Keep() { kept_ = true; }
  ~Undo() {
    if (kept_) return;
    std::error_code ec;
    for (const fs::path& file : files_) fs::remove(file, ec);
    for (auto folder = folders_.rbegin(); folder != folders_.rend(); ++folder)
      fs::remove(*folder, ec);
  }

 private:
  std::vector<fs::path> files_;
  std::vector<fs::path> folders_;
  bool kept_ = false;
};

Status MakeFolder(const fs::path& folder, Undo& undo) {
  std::error_code ec;
  std::vector<fs::path> missing;
  for (fs::path at = fs::absolute(folder, ec);
       !at.empty() && !fs::exists(at, ec) && at != at.parent_path(); at = at.parent_path()) {
    missing.push_back(at);
  }
  fs::create_directories(folder, ec);
  if (ec || !fs::is_directory(folder)) {
    return Error{
        ErrorCode::kIo,
        fmt::format("{}: cannot be made a folder; choose another with --out", folder.string())};
  }
  for (auto at = missing.rbegin(); at != missing.rend(); ++at) undo.MadeFolder(*at);
  return Ok();
}

// Turns sightings into events and evidence pictures as they come.
class Scribe {
 public:
  Scribe(const Clip& clip, const JudgeOptions& options, Undo& undo)
      : clip_(clip), options_(options), undo_(undo) {}

  Status Write(const Pipeline& pipeline, const std::vector<Sighting>& sightings) {
    for (const Sighting& sighting : sightings) {
      const Status status = std::visit(
          [&](const auto& what) { return One(sighting, pipeline, what); }, sighting.what);
      if (!status.ok()) return status;
    }
    return Ok();
  }
  Status Add(FrameId frame, double time_s, EventBody body) {
    EventRecord record{frame.index, time_s, std::move(body)};
    const Status status = log_.Append(record);
    if (status.ok()) events_.push_back(std::move(record));
    return status;
  }
  // Waits for the pictures that are still being drawn, then writes the log.
  Status Close() {
    for (auto& picture : pictures_) {
      const Status status = picture.get();
      if (!status.ok()) return status;
    }
    pictures_.clear();
    const fs::path file = options_.out / "events.jsonl";
    return log_.Write(file);
  }
  std::vector<EventRecord> TakeEvents() { return std::move(events_); }
  std::vector<std::string> TakeRemarks() { return std::move(remarks_); }

 private:
  Status One(const Sighting& at, const Pipeline&, const TableFound& found) {
    return Add(at.frame, at.time_s, CalibrationRecord(found.registration));
  }
  Status One(const Sighting& at, const Pipeline&, const StandsSeen& seen) {
    scene_ = seen.scene;
    return Add(at.frame, at.time_s, StandsRecord(seen.scene, clip_.scenario, clip_.table.frame));
  }
  Status One(const Sighting& at, const Pipeline&, const ViewChanged& view) {
    return Add(at.frame, at.time_s, ViewEvent{view.obstructed});
  }
  Status One(const Sighting& at, const Pipeline&, const CameraMoved& moved) {
    return Add(at.frame, at.time_s, CameraMovedEvent{moved.shift_px});
  }
  Status One(const Sighting& at, const Pipeline&, const StandChange& change) {
    return Add(at.frame, at.time_s, ChangeRecord(change, clip_.table.frame));
  }
  Status One(const Sighting& at, const Pipeline&, const NeedsPeople& remark) {
    remarks_.push_back(fmt::format("frame {}: {}", at.frame.index, remark.text));
    return Ok();
  }
  Status One(const Sighting& at, const Pipeline& pipeline, ShotSeen seen) {
    if (!seen.finding.measured) {
      return One(at, pipeline,
                 NeedsPeople{"a projectile lies there, but its point cannot be seen"});
    }
    ShotObservation& shot = seen.finding.shot;
    shot.shot = {++shots_};
    const ProjectileSpec& spec =
        clip_.scenario.projectiles.at(static_cast<std::size_t>(seen.finding.spec));
    const ShotVerdict verdict =
        JudgeShot(shot, scene_.stands, spec, clip_.scenario, clip_.table.frame, options_.policy);
    const std::string name = fmt::format("evidence/shot_{:02}.png", shot.shot.number);
    const fs::path file = options_.out / name;
    const Status folder = MakeFolder(file.parent_path(), undo_);
    if (!folder.ok()) return folder;
    undo_.Wrote(file);
    // Drawn and compressed while the next frames are watched.
    pictures_.push_back(
        std::async(std::launch::async,
                   [request = EvidenceOf(seen, verdict, clip_.scenario, pipeline.Registration()),
                    file] { return WritePicture(DrawEvidence(request), file); }));
    const Status status = Add(at.frame, at.time_s, ShotRecord(shot, clip_.table.frame, name));
    if (!status.ok()) return status;
    return Add(at.frame, at.time_s, VerdictRecord(shot.shot, verdict, clip_.scenario));
  }

  const Clip& clip_;
  const JudgeOptions& options_;
  Undo& undo_;
  EventLogWriter log_;
  std::vector<EventRecord> events_;
  std::vector<std::string> remarks_;
  std::vector<std::future<Status>> pictures_;
  StandScene scene_;
  int shots_ = 0;
};

}  // namespace

Result<Judged> JudgeClip(const fs::path& path, const JudgeOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  const auto elapsed = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  const Result<Clip> clip = OpenClip(path);
  if (!clip.ok()) return clip.error();
  Result<std::unique_ptr<FrameSource>> opened = OpenPictures(clip->paths);
  if (!opened.ok()) return opened.error();
  Undo undo;
  const Status folder = MakeFolder(options.out, undo);
  if (!folder.ok()) return folder.error();
  const Result<CameraModel> lens = LensOf(*clip, options.out);
  if (!lens.ok()) return lens.error();
  if (!clip->camera) undo.Wrote(options.out / "camera.yaml");
  if ((*opened)->Size() != cv::Size(lens->width_px, lens->height_px)) {
    return Error{
        ErrorCode::kBadFormat,
        fmt::format("{}: pictures are {} x {}, but {} is for {} x {}; use the camera file of this "
                    "camera and picture size",
                    clip->paths.pictures.string(), (*opened)->Size().width,
                    (*opened)->Size().height,
                    clip->camera ? clip->paths.camera.string() : (path / "lens").string(),
                    lens->width_px, lens->height_px)};
  }
  const std::unique_ptr<FrameSource> source = Prefetched(std::move(*opened));
  const double fps = source->FramesPerSecond();
  std::optional<std::int64_t> total;
  if (source->FrameCount()) total = *source->FrameCount();

  Pipeline pipeline(clip->table, clip->scenario, *lens, fps);
  Scribe scribe(*clip, options, undo);
  Judged out;
  Frame last;
  for (;;) {
    const Result<std::optional<Frame>> next = source->Next();
    if (!next.ok()) return next.error();
    if (!next->has_value()) break;
    last = **next;
    const Result<std::vector<Sighting>> seen = pipeline.Observe(last);
    if (!seen.ok()) {
      return Error{seen.error().code,
                   fmt::format("{}: {}", clip->paths.pictures.string(), seen.error().message)};
    }
    const Status status = scribe.Write(pipeline, *seen);
    if (!status.ok()) return status.error();
    ++out.frames;
    if (options.progress) options.progress(out.frames, total);
  }
  if (out.frames == 0) {
    return Error{ErrorCode::kBadFormat, fmt::format("{}: holds no pictures; record it again",
                                                    clip->paths.pictures.string())};
  }
  const Result<std::vector<Sighting>> rest = pipeline.Finish();
  if (!rest.ok()) {
    return Error{rest.error().code, fmt::format("{}: {}", path.string(), rest.error().message)};
  }
  Status status = scribe.Write(pipeline, *rest);
  if (!status.ok()) return status.error();

  EndEvent end;
  end.frames = out.frames;
  for (const auto& [stage, calls] : pipeline.Times().Calls()) {
    out.stage_ms[stage] = {StageTimes::Percentile(calls, 0.5), StageTimes::Percentile(calls, 0.99)};
  }
  end.stage_ms = out.stage_ms;
  out.seconds = elapsed();
  end.seconds_of_work = out.seconds;
  status = scribe.Add(last.id, last.time_s, end);
  if (status.ok()) {
    status = scribe.Close();
  }
  if (!status.ok()) return status.error();
  undo.Keep();
  out.events = scribe.TakeEvents();
  out.remarks = scribe.TakeRemarks();
  return out;
}

}  // namespace fos
