// SPDX-License-Identifier: MIT
#include "ui/setup/setup_camera.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <fstream>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <opencv2/imgproc.hpp>

#include "calibration/camera/pose_fit.h"
#include "ui/session/latest.h"
#include "ui/session/lens_views.h"
#include "vision/image/frame_source.h"

namespace fos {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

// Opens a camera's number, a recording, a clip's folder, a folder of pictures or a stream.
Result<std::unique_ptr<FrameSource>> OpenAny(const std::string& source) {
  std::error_code ec;
  if (!fs::is_directory(source, ec)) return OpenCameraOrUrl(source);
  if (const fs::path file = RecordingIn(source); !file.empty()) return OpenVideo(file);
  constexpr double kFolderFps = 30;  // a folder does not say
  const fs::path frames = fs::path(source) / "frames";
  return OpenPictureFolder(fs::is_directory(frames, ec) ? frames : fs::path(source), kFolderFps);
}

bool IsNumber(const std::string& source) {
  return !source.empty() &&
         std::all_of(source.begin(), source.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

struct SetupCamera::Impl {
  Impl(std::optional<CameraModel> first_lens, std::function<void()> news)
      : on_news(std::move(news)) {
    if (first_lens) now.lens = std::make_shared<const CameraModel>(*first_lens);
    Publish();
    thread = std::jthread([this](const std::stop_token& stop) { Run(stop); });
  }
  ~Impl() {
    thread.request_stop();
    changed.notify_all();
  }

  void Publish() {
    latest.Set(std::make_shared<const CameraSeen>(now));
    if (on_news) on_news();
  }
  void Busy(const char* what) {
    now.busy = what;
    Publish();
  }

  // The requests since the last call. Waits for one until `until`, or without end.
  std::deque<CameraAsk> Asked(const std::stop_token& stop, std::optional<Clock::time_point> until) {
    std::unique_lock lock(mutex);
    const auto ready = [&] { return !asks.empty() || stop.stop_requested(); };
    if (until) {
      changed.wait_until(lock, *until, ready);
    } else {
      changed.wait(lock, ready);
    }
    return std::exchange(asks, {});
  }

  void Run(const std::stop_token& stop) {
    try {
      while (!stop.stop_requested()) {
        // Without a source only a request brings anything new.
        const bool idle = source == nullptr;
        for (CameraAsk& ask : Asked(stop, idle ? std::nullopt : std::optional(due))) {
          std::visit([&](auto& one) { Do(one); }, ask);
          now.busy.clear();
          Publish();
        }
        if (source != nullptr && !stop.stop_requested() && Clock::now() >= due) NextPicture();
      }
      // Save what was to be saved although the window is closed.
      const std::lock_guard lock(mutex);
      for (const CameraAsk& ask : asks) {
        if (const auto* save = std::get_if<SaveRig>(&ask)) Do(*save);
      }
    } catch (const std::exception& e) {
      now.busy.clear();
      now.why = std::string("an error in the program, please report it: ") + e.what();
      Publish();
    }
  }

  void NextPicture() {
    Result<std::optional<Frame>> next = source->Next();
    if (!next.ok() || !next->has_value()) {
      source.reset();
      now.ended = next.ok() && !live;
      constexpr const char* kNoPictures =
          "The camera sends no pictures. Check its cable, or a stream's phone and network";
      now.why = !next.ok() ? next.error().message : live ? kNoPictures : "";
      Publish();
      return;
    }
    now.frame = std::move(**next);
    if (live) {
      due = Clock::now();  // the camera sets the pace
    } else {
      due = started + std::chrono::duration_cast<Clock::duration>(
                          std::chrono::duration<double>(now.frame.time_s));
    }
    if (now.collecting) Collect();
    // Twice a second: about as fast as people turn a focus ring.
    constexpr auto kHintsEvery = std::chrono::milliseconds(500);
    if (Clock::now() >= hints_due) {
      LookAtHints();
      hints_due = Clock::now() + kHintsEvery;
    }
    Publish();
  }

  void LookAtHints() {
    cv::Mat board;
    std::optional<ViewHints> view;
    if (now.found != nullptr && found_in.size() == now.frame.bgr.size()) {
      view = LookAtView(now.found->table.camera, found_table, now.frame.bgr);
      board = BoardMask(now.found->table.camera, found_table.frame);
    }
    now.hints = HintsOf(LookAtPicture(now.frame.bgr, board), view);
  }

  void Collect() {
    cv::Mat grey;
    cv::cvtColor(now.frame.bgr, grey, cv::COLOR_BGR2GRAY);
    now.views = (*collector)(fmt::format("frame {}", now.frame.id.index), grey);
    if (now.views.done) FinishLens();
  }

  void FinishLens() {
    now.collecting = false;
    Busy("Calibrating the lens");
    TakeLens(collector->Lens());
    now.busy.clear();
  }
  void TakeLens(const Result<LensCalibration>& lens) {
    if (!lens.ok()) {
      now.lens_said = lens.error().message;
      return;
    }
    now.lens = std::make_shared<const CameraModel>(lens->camera);
    now.lens_said = fmt::format(
        "The lens is calibrated from {} views. Corners that were left out are predicted to "
        "{:.2f} pixels.",
        lens->used.size(), lens->held_out_rms_px);
    Forget();
  }

  // Results with another lens or another picture no longer hold.
  void Forget() {
    now.found = nullptr;
    now.table_said.clear();
    now.colours = nullptr;
    now.colours_said.clear();
  }

  void Do(const OpenCamera& ask) {
    Busy("Opening the camera");
    source.reset();  // a device must be closed before it is opened again
    now.ended = false;
    now.why.clear();
    now.collecting = false;
    Forget();
    now.frame = {};
    now.hints.clear();
    opened = ask.source;
    now.source = IsNumber(ask.source) ? "camera " + ask.source : ask.source;
    live = IsNumber(ask.source) || ask.source.find("://") != std::string::npos;
    Result<std::unique_ptr<FrameSource>> found = OpenAny(opened);
    if (!found.ok()) {
      now.why = found.error().message;
      return;
    }
    source = std::move(found).value();
    started = Clock::now();
    due = started;
    hints_due = started;
  }

  void Do(const CollectLens& ask) {
    now.lens_said.clear();
    // A folder of photographs is used at once.
    if (const auto pictures = LensPictures(opened); !live && !pictures.empty()) {
      Busy("Calibrating the lens");
      TakeLens(CalibrateFromPictures(pictures, ask.board));
      return;
    }
    if (source == nullptr && now.ended)
      Do(OpenCamera{std::string(opened)});  // from its beginning again
    if (source == nullptr) {
      now.lens_said = "Open a camera first.";
      return;
    }
    collector.emplace(ask.board);
    now.views = collector->Now();
    now.collecting = true;
  }

  void Do(const StopLens&) {
    if (now.collecting) FinishLens();
  }

  bool HasPicture(std::string& said) const {
    if (!now.frame.bgr.empty()) return true;
    said = "There is no picture yet. Open a camera first.";
    return false;
  }
  CameraModel Lens() const {
    return now.lens != nullptr ? *now.lens : AssumedLens(now.frame.bgr.size());
  }

  void Do(const FindTheTable& ask) {
    if (now.frame.bgr.empty() && source != nullptr) NextPicture();
    if (!HasPicture(now.table_said)) return;
    Busy("Looking for the table");
    now.colours = nullptr;
    now.colours_said.clear();
    const CameraModel lens = Lens();
    if (lens.width_px != now.frame.bgr.cols || lens.height_px != now.frame.bgr.rows) {
      now.table_said = fmt::format(
          "The lens was calibrated for pictures of {} x {}, but these are {} x {}. Calibrate it "
          "again.",
          lens.width_px, lens.height_px, now.frame.bgr.cols, now.frame.bgr.rows);
      now.found = nullptr;
      return;
    }
    Result<PlacedTable> found = FindTable(now.frame, lens, ask.table, nullptr, ask.ways);
    if (!found.ok()) {
      now.found = nullptr;
      now.table_said = found.error().message;
      return;
    }
    found_in = now.frame.bgr;
    found_table = ask.table;
    found_height = ask.ways.height;
    now.table_said = fmt::format("Found by {}", HowFound(found->table.method));
    now.found = std::make_shared<const PlacedTable>(std::move(found).value());
    LookAtHints();
  }

  void Do(const LearnColours& ask) {
    if (!HasPicture(now.colours_said)) return;
    if (now.found == nullptr) {
      now.colours_said = "Find the table first. The paints are learnt where the units stand.";
      return;
    }
    if (ask.scenario.units.empty()) {
      now.colours_said = "There are no units yet. Place them on the map and on the table first.";
      return;
    }
    Busy("Learning the paints");
    Result<ColoursSeen> seen =
        LookAtColours(now.frame, now.found->table.camera, ask.table, ask.scenario);
    if (!seen.ok()) {
      now.colours = nullptr;
      now.colours_said = seen.error().message;
      return;
    }
    std::size_t expected = 0;
    for (const UnitSpec& unit : ask.scenario.units) {
      expected += static_cast<std::size_t>(unit.stands);
    }
    now.colours_said =
        fmt::format("{} of {} stands were found on the table. {}", seen->stands, expected,
                    seen->text.empty() ? "The paints can be told apart." : seen->text);
    now.colours = std::make_shared<const ColoursSeen>(std::move(seen).value());
  }

  void Do(const ReadArmies& ask) {
    if (!HasPicture(now.armies_said)) return;
    if (now.found == nullptr) {
      now.armies_said = "Find the table first. The armies are read off its squares.";
      return;
    }
    Busy("Looking for the armies");
    auto spots = FindArmySpots(now.frame.bgr, now.found->table.camera, ask.table.frame,
                               ask.scenario);
    now.armies_said =
        spots.empty() ? "No paint of either side was seen. Choose the paints with P, or put the "
                        "armies on the table."
                      : fmt::format("Paint was seen in {} squares.", spots.size());
    now.armies = std::make_shared<const std::vector<ArmySpot>>(std::move(spots));
  }

  void Do(const SaveRig& ask) {
    if (now.lens != nullptr) {
      const fs::path file = ask.file.parent_path() / "camera.yaml";
      if (const Status written = WriteCamera(*now.lens, file); !written.ok()) {
        now.saved = written.error().message;
        return;
      }
      now.saved = "The lens was written to " + file.string();
    }
    if (now.found == nullptr) {
      if (now.lens == nullptr)
        now.saved = "There is no rig to save: the table has not been found yet.";
      return;
    }
    RigProfile rig = RigOf(now.found->table, ask.table);
    rig.height = found_height;
    if (now.colours != nullptr) rig.paints = now.colours->paints;
    const Status written = WriteRig(rig, ask.file);
    now.saved =
        written.ok() ? "The rig was written to " + ask.file.string() : written.error().message;
  }

  std::function<void()> on_news;
  CameraSeen now;      // the thread's alone
  std::string opened;  // what the source was called when it was asked for
  std::unique_ptr<FrameSource> source;
  bool live = false;
  Clock::time_point started;
  Clock::time_point due;
  Clock::time_point hints_due;
  std::optional<LensCollector> collector;
  cv::Mat found_in;  // the picture the table was found in
  TableSpec found_table;
  std::optional<TapedHeight> found_height;  // by tape, as it was found with
  Latest<CameraSeen> latest;
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<CameraAsk> asks;
  std::jthread thread;  // last: ends before what it uses
};

SetupCamera::SetupCamera(std::optional<CameraModel> lens, std::function<void()> on_news)
    : impl_(std::make_unique<Impl>(std::move(lens), std::move(on_news))) {}

SetupCamera::~SetupCamera() = default;

std::shared_ptr<const CameraSeen> SetupCamera::Now() const { return impl_->latest.Get(); }

void SetupCamera::Post(CameraAsk ask) {
  {
    const std::lock_guard lock(impl_->mutex);
    impl_->asks.push_back(std::move(ask));
  }
  impl_->changed.notify_all();
}

std::vector<CameraDevice> CameraDevices(const fs::path& dev, const fs::path& sys) {
  std::vector<std::pair<int, CameraDevice>> found;
  std::error_code ec;
  for (fs::directory_iterator it(dev, ec), end; !ec && it != end; it.increment(ec)) {
    const std::string file = it->path().filename().string();
    constexpr std::string_view kPrefix = "video";
    if (file.rfind(kPrefix, 0) != 0) continue;
    const std::string number = file.substr(kPrefix.size());
    int value = 0;
    const auto [last, bad] = std::from_chars(number.data(), number.data() + number.size(), value);
    if (bad != std::errc() || last != number.data() + number.size()) continue;
    std::string name;
    std::ifstream in(sys / file / "name");
    std::getline(in, name);
    constexpr std::size_t kLongest = 60;
    found.push_back({value, {number, name.substr(0, kLongest)}});
  }
  std::sort(found.begin(), found.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<CameraDevice> out;
  for (auto& [value, device] : found) out.push_back(std::move(device));
  return out;
}

}  // namespace fos
