// SPDX-License-Identifier: MIT
#include "ui/cli/bug_bundle.h"

#include <sys/utsname.h>

#include <algorithm>
#include <cstdlib>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "engine/files/whole_file.h"
#include "engine/journal/anonymise.h"
#include "ui/session/club_file.h"

namespace fos {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kLargestInBundle_bytes = std::uintmax_t{1} << 30;

void AddToBundle(Bundle& bundle, const std::string& name, std::string bytes,
                 const std::string& what) {
  bundle.files.push_back({"fallofshot-bundle/" + name, std::move(bytes)});
  bundle.contents.push_back(what);
}

// The home folder often bears a person's name.
std::string WithoutHome(std::string text, const std::string& home) {
  if (home.size() < 2) return text;
  for (std::size_t at = text.find(home); at != std::string::npos; at = text.find(home, at + 1)) {
    text.replace(at, home.size(), "~");
  }
  return text;
}

// "Linux 6.1.0 x86_64" and the distribution's own name.
std::string SystemText() {
  std::string out;
  utsname system{};
  if (uname(&system) == 0) {
    out = fmt::format("{} {} {}\n", system.sysname, system.release, system.machine);
  }
  const Result<std::string> release = ReadWholeFile("/etc/os-release");
  return out + (release.ok() ? *release : std::string());
}

// A file of one game, as `export` writes it.
Result<std::string> GameFileBytes(const GameLog& log, const Journal& from) {
  std::string folder = (fs::temp_directory_path() / "fallofshot-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) {
    return Error{ErrorCode::kIo, folder + ": cannot be created; set TMPDIR to a writable folder"};
  }
  const fs::path file = fs::path(folder) / "game.fosgame";
  const Status written = WriteGameFile(log, from, file);
  Result<std::string> bytes =
      written.ok() ? ReadWholeFile(file, kLargestInBundle_bytes) : Result<std::string>(written.error());
  std::error_code ec;
  fs::remove_all(folder, ec);
  return bytes;
}

Status AddGame(const BundleOptions& options, Bundle& bundle) {
  std::error_code ec;
  if (!options.game && !fs::exists(options.club, ec)) {
    bundle.left_out.push_back("a game: the club's file does not exist yet");
    return Ok();
  }
  const Result<OpenedGame> opened =
      OpenGameLog({options.club.string()}, options.game.value_or("last"));
  if (!opened.ok()) {
    if (options.game) return opened.error();
    bundle.left_out.push_back("the newest game: " + WithoutHome(opened.error().message, options.home));
    return Ok();
  }
  GameLog log = opened->log;
  if (!options.names) log = Anonymised(log);
  if (!options.pictures) log = WithoutPictures(std::move(log));
  Result<std::string> bytes = GameFileBytes(log, opened->journal);
  if (!bytes.ok()) return bytes.error();
  AddToBundle(bundle, "game.fosgame", std::move(bytes).value(),
              fmt::format("game {}, {}{}{}", log.id, log.start.name,
                          options.names ? ", with the players' names" : ", without names",
                          options.pictures ? " and with its pictures" : ""));
  return Ok();
}

Status AddMatch(const BundleOptions& options, Bundle& bundle) {
  const auto add = [&](const std::string& name, const std::string& what) -> Status {
    Result<std::string> bytes = ReadWholeFile(options.match / name, kLargestInBundle_bytes);
    if (!bytes.ok()) return bytes.error();
    AddToBundle(bundle, "match/" + name, std::move(bytes).value(), what);
    return Ok();
  };
  if (const Status events = add("events.jsonl", "what the camera saw and the verdicts");
      !events.ok()) {
    return Error{events.error().code,
                 events.error().message + "; give the folder that `judge` or `live` wrote to"};
  }
  std::error_code ec;
  if (fs::exists(options.match / "session.jsonl", ec)) {
    const Status session = add("session.jsonl", "what the players decided, with their notes");
    if (!session.ok()) return session;
  }
  if (!options.pictures) return Ok();
  std::vector<std::string> pictures;
  for (fs::directory_iterator at(options.match / "evidence", ec), end; !ec && at != end;
       at.increment(ec)) {
    if (at->is_regular_file(ec)) pictures.push_back(at->path().filename().string());
  }
  std::sort(pictures.begin(), pictures.end());
  for (const std::string& picture : pictures) {
    const Status added = add("evidence/" + picture, "a picture of the table");
    if (!added.ok()) return added;
  }
  return Ok();
}

// Whoever reads a bug report need not know where the club's server is.
std::string WithoutClubsServer(const std::string& settings) {
  std::istringstream lines(settings);
  std::string out;
  for (std::string line; std::getline(lines, line);) {
    out += (line.starts_with("club") ? std::string("# club = left out") : line) + '\n';
  }
  return out;
}

}  // namespace

Result<Bundle> GatherBundle(const BundleOptions& options) {
  Bundle out;
  AddToBundle(out, "version.txt", options.version, "the program and its libraries");
  AddToBundle(out, "doctor.txt", WithoutHome(options.findings, options.home),
              "the checks above; your home folder is written as ~");
  AddToBundle(out, "system.txt", SystemText(), "the operating system");
  std::error_code ec;
  if (fs::exists(options.preferences, ec)) {
    Result<std::string> settings = ReadWholeFile(options.preferences);
    if (!settings.ok()) return settings.error();
    AddToBundle(out, "preferences.toml", WithoutClubsServer(*settings), "the window's settings");
  } else {
    out.left_out.push_back("settings: the window has not saved any");
  }
  if (const Status game = AddGame(options, out); !game.ok()) return game.error();
  if (options.match.empty()) {
    out.left_out.push_back("a match's events.jsonl: name its folder with --match DIR");
  } else if (const Status match = AddMatch(options, out); !match.ok()) {
    return match.error();
  }
  if (!options.pictures) out.left_out.push_back("pictures: --pictures puts them in");
  if (!options.names) out.left_out.push_back("players' names: --names puts them in");
  return out;
}

}  // namespace fos
