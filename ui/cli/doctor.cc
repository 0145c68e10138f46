// SPDX-License-Identifier: MIT
#include "ui/cli/doctor.h"

#include <fcntl.h>
#include <linux/videodev2.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <map>
#include <system_error>
#include <thread>

#include <fmt/format.h>
#include <opencv2/core.hpp>
#include <opencv2/videoio/registry.hpp>

#include "engine/club/club_server.h"
#include "engine/files/plain_text.h"
#include "engine/journal/game_files.h"
#include "engine/journal/journal.h"
#include "engine/rules/rule_sets.h"
#include "ui/cli/doctor_mend.h"
#include "ui/session/club_file.h"

namespace fos {
namespace {

namespace fs = std::filesystem;
using Health = Finding::Health;

// An evening of shots with their pictures stays below a tenth of a gigabyte.
constexpr double kLittleRoom_gb = 1.0;
constexpr double kNoRoom_gb = 0.1;
constexpr double kGb = 1e9;

// The nearest existing folder at or above this path.
fs::path ExistingFolder(fs::path path) {
  std::error_code ec;
  while (!path.empty() && !fs::is_directory(path, ec)) {
    const fs::path up = path.parent_path();
    if (up == path) break;
    path = up;
  }
  return path.empty() ? fs::path(".") : path;
}

Finding ExamineCamera(const fs::path& device, const std::string& number) {
  const std::string what = "camera " + number;
  const int file = open(device.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) {
    if (errno == EACCES || errno == EPERM) {
      return {Health::kMend, what, device.string() + ": no permission to open it",
              "add yourself to its group and log in again: sudo usermod -aG video $USER"};
    }
    return {Health::kMend, what, device.string() + " cannot be opened",
            errno == EBUSY ? "another program uses it; close that program" : "plug it in again"};
  }
  v4l2_capability can{};
  const bool answers = ioctl(file, VIDIOC_QUERYCAP, &can) == 0;
  close(file);
  if (!answers) {
    return {Health::kMend, what, device.string() + " does not answer as a camera",
            "plug it in again, or use another"};
  }
  const auto abilities =
      (can.capabilities & V4L2_CAP_DEVICE_CAPS) != 0 ? can.device_caps : can.capabilities;
  const char* card = reinterpret_cast<const char*>(can.card);
  const std::string name(card, std::find(card, card + sizeof(can.card), '\0'));
  if ((abilities & V4L2_CAP_VIDEO_CAPTURE) == 0) {
    return {Health::kGood, what, name + ": a secondary device of a camera, without pictures", ""};
  }
  return {Health::kGood, what, name, ""};
}

// Opens the file to mend it; its key is used where there is one.
Result<Journal> OpenToMend(const fs::path& club) {
  JournalOptions options;
  options.make_key = false;
  return Journal::Open(club, options);
}

Status BuildIndexesAgain(const fs::path& club) {
  Result<Journal> journal = OpenToMend(club);
  if (!journal.ok()) return journal.error();
  if (const Status built = journal->Reindex(); !built.ok()) return built;
  const std::string left = journal->Check();
  if (left == "ok") return Ok();
  return Error{ErrorCode::kBadFormat, fmt::format("{}: is damaged elsewhere too: {}; restore it "
                                                  "from a backup",
                                                  club.string(), left)};
}

Status GoOnAfterLoss(const fs::path& club, std::int64_t game) {
  Result<Journal> journal = OpenToMend(club);
  return journal.ok() ? journal->GoOnAfterLoss(game, UnixNow()) : Status(journal.error());
}

}  // namespace

std::vector<Finding> ExamineProgram() {
  std::vector<Finding> out;
  out.push_back({
    Health::kGood, "program",
        fmt::format("Fall of Shot {}, built with {} {}", FOS_VERSION,
#if defined(__clang__)
                    "clang", __clang_version__
#else
                    "g++", __VERSION__
#endif
                    ),
        ""
  });
  const std::string backends = [] {
    std::string names;
    for (const cv::VideoCaptureAPIs one : cv::videoio_registry::getStreamBackends()) {
      names += (names.empty() ? "" : ", ") + cv::videoio_registry::getBackendName(one);
    }
    return names;
  }();
  const bool video = backends.find("FFMPEG") != std::string::npos;
  out.push_back({video ? Health::kGood : Health::kMend, "libraries",
                 fmt::format("OpenCV {} ({}), SQLite {}", CV_VERSION, backends, SqliteVersion()),
                 video ? "" : "install OpenCV with FFMPEG; without it recordings cannot be read"});
  for (const RuleSet& set : RuleSets()) {
    const Result<std::vector<GameFile>> rules = GatherRules(set.name);
    const bool there = rules.ok() && !rules->empty();
    out.push_back(
        {there ? Health::kGood : Health::kMend, fmt::format("{} rules", set.title),
         there        ? fmt::format("{} files, {}", rules->size(), RulesHash(*rules).substr(0, 12))
         : rules.ok() ? "its tables are missing"
                      : rules.error().message,
         there ? "" : "install the complete program, or set FOS_DATA_DIR to its data folder"});
  }
  const unsigned processors = std::thread::hardware_concurrency();
  out.push_back(
      {processors >= 2 ? Health::kGood : Health::kNote, "processors", fmt::format("{}", processors),
       processors >= 2 ? "" : "use a machine with two or more; with one, verdicts are slow"});
  return out;
}

std::vector<Finding> ExamineClub(const fs::path& club) {
  std::error_code ec;
  const fs::path folder = ExistingFolder(club.parent_path());
  if (!fs::exists(club, ec)) {
    if (access(folder.c_str(), W_OK) == 0) {
      return {{Health::kNote, "club file", club.string() + " does not exist yet",
               "nothing to do: the first game creates it"}};
    }
    return {{Health::kMend, "club file", folder.string() + ": no permission to write there",
             "fix the folder's permissions, or give another file with --db"}};
  }
  std::vector<Finding> out;
  if (access(club.c_str(), W_OK) != 0 || access(folder.c_str(), W_OK) != 0) {
    out.push_back({Health::kMend, "club file",
                   club.string() + ": no permission to write the file or its folder",
                   "fix their permissions, or give another file with --db"});
  }
  JournalOptions read_only;
  read_only.read_only = true;
  const Result<Journal> journal = Journal::Open(club, read_only);
  if (!journal.ok()) {
    std::string why = journal.error().message;
    if (why.ends_with(Journal::kAskDoctor)) why.resize(why.size() - Journal::kAskDoctor.size());
    out.push_back({Health::kMend, "club file", why,
                   "restore the file from a backup, or begin another with --db"});
    return out;
  }
  if (const std::string fault = journal->Check(); fault != "ok") {
    Finding damaged{Health::kMend, "club file",
                    fmt::format("{} is damaged: {}", club.string(), fault),
                    "export the readable games, and restore the others from a backup"};
    // SQLite's words for an index that does not fit its table.
    if (fault.find(" index ") != std::string::npos) {
      damaged.mend = "build its indexes again: `fallofshot doctor --mend`";
      damaged.repair = Repair{fmt::format("Build the indexes of {} again?", club.string()),
                              [club] { return BuildIndexesAgain(club); }};
    }
    out.push_back(std::move(damaged));
  }
  const Result<std::vector<GameSummary>> games = journal->Games();
  if (!games.ok()) {
    out.push_back(
        {Health::kMend, "club file", games.error().message, "restore the file from a backup"});
    return out;
  }
  if (fs::file_size(club, ec) == 0 && !ec) {
    return {{Health::kNote, "club file", club.string() + " is empty",
             "nothing to do: the next game fills it"}};
  }
  if (const Status there = journal->CheckGames(); !there.ok()) {
    out.push_back({Health::kMend, "club file", there.error().message,
                   "import what is missing from a backup"});
  }
  if (const Result<std::vector<StoredHead>> heads = journal->Heads(); heads.ok()) {
    const auto others = std::count_if(heads->begin(), heads->end(), [](const StoredHead& one) {
      return one.signature != StoredHead::Signature::kGood;
    });
    if (others > 0) {
      out.push_back(
          {Health::kNote, "signatures",
           fmt::format("{} of {} games {} not signed with the key in {}.key", others, heads->size(),
                       others == 1 ? "is" : "are", club.filename().string()),
           "restore the key with the file, or compare with heads kept elsewhere: "
           "`fallofshot games --compare FILE`"});
    }
  }
  // A file that has a game does not take it again.
  const std::string from_backup = fmt::format(
      "take it from a backup into a new file, and the other games after it: `fallofshot import "
      "BACKUP --db new.db`, then `fallofshot import {} --db new.db`",
      ShellWord(club.string()));
  for (const GameSummary& game : *games) {
    const Result<GameLog> log = journal->Read(game.id);
    if (!log.ok()) {
      Finding unread{Health::kMend, fmt::format("game {}", game.id), log.error().message,
                     from_backup};
      const Result<std::int64_t> lost = journal->LostAtEnd(game.id);
      if (lost.ok() && *lost > 0) {
        unread.mend =
            from_backup +
            "; where there is no backup, go on with what is left: `fallofshot doctor --mend`";
        unread.repair =
            Repair{fmt::format("Go on with game {} without its last {} record{}? A remark in "
                               "it will say so",
                               game.id, *lost, *lost == 1 ? "" : "s"),
                   [club, id = game.id] { return GoOnAfterLoss(club, id); }};
      }
      out.push_back(std::move(unread));
      continue;
    }
    std::size_t lost = 0;
    for (const Record& record : log->records) {
      lost += record.attachment && !journal->Blob(record.attachment->hash).ok() ? 1 : 0;
    }
    if (lost > 0) {
      out.push_back({Health::kMend, fmt::format("game {}", game.id),
                     fmt::format("{} of its pictures cannot be read", lost),
                     from_backup});
    }
    if (!game.ended) {
      out.push_back(
          {Health::kNote, fmt::format("game {}", game.id), game.name + " is unfinished",
           fmt::format("`fallofshot resume {0}{1}` or `live --resume {0}{1}` continues it", game.id,
                       DbFlag(club))});
    }
  }
  const bool whole = std::none_of(out.begin(), out.end(),
                                  [](const Finding& one) { return one.health == Health::kMend; });
  if (whole) {
    const auto bytes = fs::file_size(club, ec);
    out.insert(out.begin(),
               {Health::kGood, "club file",
                fmt::format("{}: {} game{}, every record whole, {:.1f} MB, version {}",
                            club.string(), games->size(), games->size() == 1 ? "" : "s",
                            ec ? 0.0 : static_cast<double>(bytes) / 1e6, journal->Version()),
                ""});
  }
  return out;
}

std::vector<Finding> ExamineServer(const std::string& address, const fs::path& club) {
  const std::string what = "club server";
  const Result<PgAddress> parsed = PgAddress::Parse(address);
  if (!parsed.ok()) return {{Health::kMend, what, parsed.error().message, "correct the address"}};
  const Result<ClubServer> server = ClubServer::Open(*parsed);
  if (!server.ok()) {
    return {{Health::kMend, what, server.error().message,
             "games go on without it; what is missing there is sent when it is back"}};
  }
  const Result<std::vector<GameSummary>> games = server->Games();
  if (!games.ok()) {
    return {{Health::kMend, what, games.error().message,
             "check it with a reader's account (`fallofshot club account --as reader`)"}};
  }
  std::vector<Finding> out;
  std::map<std::string, std::int64_t> records;
  for (const GameSummary& game : *games) {
    records[game.uid] = game.records;
    const Result<GameLog> log = server->Read(game.id);
    if (!log.ok()) {
      out.push_back({Health::kMend, fmt::format("server, game {}", game.id), log.error().message,
                     "restore the server from a backup, or have its table send the game again to a "
                     "new one"});
      continue;
    }
    const auto lost = std::count_if(
        log->records.begin(), log->records.end(), [&](const Record& record) {
          return record.attachment && !server->Blob(record.attachment->hash).ok();
        });
    if (lost > 0) {
      out.push_back({Health::kMend, fmt::format("server, game {}", game.id),
                     fmt::format("{} of its pictures cannot be read", lost),
                     "restore them from a backup; the game itself is whole"});
    }
  }
  if (out.empty()) {
    out.push_back({Health::kGood, what,
                   fmt::format("{}: {} game{}, every record whole, version {}", server->Name(),
                               games->size(), games->size() == 1 ? "" : "s", server->Version()),
                   ""});
  }
  JournalOptions read_only;
  read_only.read_only = true;
  const Result<Journal> journal = Journal::Open(club, read_only);
  if (!journal.ok()) return out;
  const Result<std::vector<GameSummary>> here = journal->Games();
  std::int64_t waiting = 0;
  for (const GameSummary& game : here.ok() ? *here : std::vector<GameSummary>()) {
    const auto there = records.find(game.uid);
    waiting += game.records - std::min(game.records, there == records.end() ? 0 : there->second);
  }
  if (waiting > 0) {
    out.push_back({Health::kNote, "mirror",
                   fmt::format("{} record{} of this machine {} not on the server yet", waiting,
                               waiting == 1 ? "" : "s", waiting == 1 ? "is" : "are"),
                   "`fallofshot club mirror ADDRESS` sends them with this table's account"});
  }
  return out;
}

Finding ExamineDisk(const fs::path& file, const std::string& what) {
  const fs::path folder = ExistingFolder(file);
  std::error_code ec;
  const fs::space_info space = fs::space(folder, ec);
  if (ec) {
    return {Health::kMend, what, folder.string() + ": the disk does not answer",
            "check that it is mounted, or choose another folder"};
  }
  const double free_gb = static_cast<double>(space.available) / kGb;
  const std::string how = fmt::format("{:.1f} GB free at {}", free_gb, folder.string());
  if (free_gb < kNoRoom_gb) {
    return {Health::kMend, what, how, "free some space: a game with its pictures needs 0.1 GB"};
  }
  if (free_gb < kLittleRoom_gb)
    return {Health::kNote, what, how, "free some space before the next games"};
  return {Health::kGood, what, how, ""};
}

std::vector<Finding> ExamineCameras(const fs::path& devices) {
  std::vector<std::pair<int, fs::path>> found;
  std::error_code ec;
  for (fs::directory_iterator at(devices, ec), end; !ec && at != end; at.increment(ec)) {
    const std::string name = at->path().filename().string();
    if (!name.starts_with("video") || name.size() < 6 || name.size() > 8) continue;
    const std::string number = name.substr(5);
    if (std::all_of(number.begin(), number.end(), [](char c) { return c >= '0' && c <= '9'; })) {
      found.emplace_back(std::stoi(number), at->path());
    }
  }
  std::sort(found.begin(), found.end());
  std::vector<Finding> out;
  for (const auto& [number, path] : found)
    out.push_back(ExamineCamera(path, std::to_string(number)));
  if (out.empty()) {
    out.push_back({Health::kNote, "camera", "none is plugged in",
                   "plug one in, or use `live --source` with a stream or a recording"});
  }
  return out;
}

Finding ExamineRenderer(const std::string& renderer, const std::string& version) {
  const std::string how = fmt::format("{}, OpenGL {}", renderer, version);
  for (const char* software : {"llvmpipe", "softpipe", "swrast", "SwiftShader", "Software"}) {
    if (renderer.find(software) != std::string::npos) {
      return {Health::kNote, "graphics", how + ": software rendering, slow",
              "install the graphics card's driver (libgl1-mesa-dri, or the vendor's)"};
    }
  }
  return {Health::kGood, "graphics", how, ""};
}

std::vector<Finding> Examine(const DoctorOptions& options) {
  std::vector<Finding> out = ExamineProgram();
  const auto add = [&out](std::vector<Finding> more) {
    out.insert(out.end(), more.begin(), more.end());
  };
  add(ExamineClub(options.club));
  add(ExaminePartials(options.club, options.now_unix_s));
  if (!options.match.empty()) add(ExamineMatch(options.match, options.now_unix_s));
  if (!options.server.empty()) add(ExamineServer(options.server, options.club));
  out.push_back(ExamineDisk(options.club.parent_path(), "disk"));
  std::error_code ec;
  const fs::path temporary = fs::temp_directory_path(ec);
  const bool writable = !ec && access(temporary.c_str(), W_OK) == 0;
  out.push_back(writable ? ExamineDisk(temporary, "temporary files")
                         : Finding{Health::kMend, "temporary files",
                                   temporary.string() + ": no permission to write there",
                                   "fix its permissions, or set TMPDIR to another folder"});
  add(ExamineCameras(options.devices));
  // 2025-01-01: this program did not exist before.
  constexpr double kEarliest_unix_s = 1735689600;
  if (options.now_unix_s < kEarliest_unix_s) {
    out.push_back({Health::kMend, "clock", "the clock shows " + DayOf(options.now_unix_s),
                   "set the machine's clock: games are recorded with their date"});
  }
  return out;
}

std::string InLines(const std::vector<Finding>& findings) {
  std::size_t wide = 0;
  for (const Finding& one : findings) wide = std::max(wide, one.what.size());
  std::string out;
  for (const Finding& one : findings) {
    const char* health = one.health == Health::kGood   ? "ok"
                         : one.health == Health::kNote ? "note"
                                                       : "MEND";
    out += fmt::format("{:<5} {:<{}}  {}\n", health, one.what, wide, one.how);
    if (!one.mend.empty()) out += fmt::format("{:<5} {:<{}}  -> {}\n", "", "", wide, one.mend);
  }
  return out;
}

}  // namespace fos
