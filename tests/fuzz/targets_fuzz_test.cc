// SPDX-License-Identifier: MIT
// One target for each thing the program reads. Whatever comes, the reader answers within seconds,
// with one line where it refuses. Each runs for some rounds; longer by hand:
//   FOS_FUZZ_SECONDS=600 FOS_FUZZ_SEED=7 fuzz_test --gtest_filter='*FuzzTarget*'
// An input that fails is kept in the folder for temporary files, under the target's name. The same
// seed gives the same inputs, so one that ends the program is found again.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iostream>
#include <iterator>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>
#include <random>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "calibration/camera/camera_model.h"
#include "calibration/registration/rig_profile.h"
#include "engine/files/event_log.h"
#include "engine/files/json.h"
#include "engine/files/scenario_file.h"
#include "engine/files/table_file.h"
#include "engine/files/whole_file.h"
#include "engine/game/script_runner.h"
#include "engine/journal/journal.h"
#include "tests/fuzz/spoilt.h"
#include "tests/support/clip_files.h"
#include "tests/support/recordings.h"
#include "tests/support/temp_dir.h"
#include "ui/session/decision_record.h"
#include "ui/session/dispute.h"
#include "ui/session/shot_archive.h"
#include "vision/image/frame_source.h"
#include "vision/image/picture_file.h"

namespace fos {
namespace {

namespace fs = std::filesystem;

const fs::path kSource = FOS_SOURCE_DIR;
const fs::path kCorpus = kSource / "tests/fuzz/corpus";

std::string BytesOf(const fs::path& file) {
  Result<std::string> bytes = ReadWholeFile(file);
  EXPECT_TRUE(bytes.ok()) << file;
  return bytes.ok() ? std::move(bytes).value() : std::string();
}
std::vector<std::string> LinesOf(const fs::path& file) {
  std::ifstream in(file);
  std::vector<std::string> out;
  for (std::string line; std::getline(in, line);) out.push_back(line);
  return out;
}
// A sentence for people is one line.
void ExpectOneLine(const Error& error) {
  EXPECT_FALSE(error.message.empty());
  EXPECT_EQ(error.message.find('\n'), std::string::npos) << error.message;
}
template <typename T>
void ExpectAnswer(const Result<T>& result) {
  if (!result.ok()) ExpectOneLine(result.error());
}

struct FuzzTarget {
  const char* name;
  int rounds;  // in some seconds
  // Where reading begins.
  std::function<std::vector<std::string>()> seeds;
  // Reads one input, which lies in the file for the targets that name it.
  std::function<void(const std::string& input, const fs::path& file)> read;
  enum class Input { kText, kTextFile, kBytes, kBytesFile } input = Input::kText;
  bool OnDisk() const { return input == Input::kTextFile || input == Input::kBytesFile; }
  bool Binary() const { return input == Input::kBytes || input == Input::kBytesFile; }
};
using Input = FuzzTarget::Input;
std::ostream& operator<<(std::ostream& out, const FuzzTarget& target) { return out << target.name; }

cv::Mat Chequered(cv::Size size) {
  cv::Mat out(size, CV_8UC3, cv::Scalar(90, 120, 60));
  for (int row = 0; row < size.height; row += 8) {
    for (int column = (row / 8) % 2 * 8; column < size.width; column += 16)
      cv::rectangle(out, {column, row, 8, 8}, cv::Scalar(200, 60, 30), cv::FILLED);
  }
  return out;
}

std::vector<std::string> Pictures() {
  std::vector<std::string> out;
  for (const char* ending : {".png", ".jpg", ".bmp"}) {
    for (const int channels : {3, 1}) {
      cv::Mat picture = Chequered({48, 32});
      if (channels == 1) cv::cvtColor(picture, picture, cv::COLOR_BGR2GRAY);
      std::vector<std::uint8_t> bytes;
      cv::imencode(ending, picture, bytes);
      out.emplace_back(bytes.begin(), bytes.end());
    }
  }
  return out;
}

std::vector<std::string> Recordings() {
  const test::TempDir dir;
  std::vector<cv::Mat> pictures;
  std::vector<test::StampedPicture> stamped;
  for (int i = 0; i < 6; ++i) {
    pictures.push_back(Chequered({64, 48}));
    cv::circle(pictures.back(), {8 * i, 20}, 6, cv::Scalar::all(255), cv::FILLED);
    stamped.push_back(test::Stamped(i / 30.0, pictures.back()));
  }
  std::vector<std::string> out = {test::Matroska(stamped, {64, 48}, {})};
  for (const auto& [name, fourcc] : {std::pair{"a.avi", "MJPG"},
                                     {"a.mp4", "mp4v"},
                                     {"a.mov", "mp4v"},
                                     {"a.mkv", "mp4v"},
                                     {"a.ts", "mp2v"}}) {
    test::WriteRecording(dir.path() / name, pictures, 30, fourcc);
    out.push_back(BytesOf(dir.path() / name));
  }
  return out;
}

std::vector<std::string> ClubFiles() {
  const test::TempDir dir;
  const fs::path file = dir.path() / "club.db";
  {
    Journal journal = Journal::Open(file).value();
    GameStart start;
    start.uid = "one";
    start.name = "Skirmish";
    start.ruleset = "napoleonic";
    start.sides = {"Blue", "Red"};
    start.seats = {{0, "Ada"}, {1, "Grace"}};
    start.files = {{"scenario", "skirmish.toml", "ruleset = \"napoleonic\"\n"}};
    EXPECT_TRUE(journal.Begin(start).ok());
    GameWriter writer = GameWriter::Of(journal, 1).value();
    for (int i = 1; i <= 6; ++i) {
      Record line;
      line.text = "dice " + std::to_string(i);
      line.told = {"Dice."};
      line.events = {R"({"event":"dice_thrown"})"};
      EXPECT_TRUE(writer.Append(line, i).ok());
    }
    EXPECT_TRUE(writer.Attach({1, "evidence", "a.jpg", ""}, std::string(3000, 'x'), 9).ok());
    EXPECT_TRUE(journal.Seal().ok());
  }
  return {BytesOf(file)};
}

void ReadClub(const fs::path& file) {
  for (const bool read_only : {true, false}) {
    JournalOptions options;
    options.read_only = read_only;
    options.make_key = false;
    const Result<Journal> journal = Journal::Open(file, options);
    ExpectAnswer(journal);
    if (!journal.ok()) continue;
    EXPECT_FALSE(journal->Check().empty());
    if (const Status all = journal->CheckGames(); !all.ok()) ExpectOneLine(all.error());
    ExpectAnswer(journal->Heads());
    const Result<std::vector<GameSummary>> games = journal->Games();
    ExpectAnswer(games);
    if (!games.ok()) continue;
    for (const GameSummary& game : *games) {
      const Result<GameLog> log = journal->Read(game.id);
      ExpectAnswer(log);
      ExpectAnswer(journal->LostAtEnd(game.id));
      if (!log.ok()) continue;
      for (const Record& record : log->records)
        if (record.attachment) ExpectAnswer(journal->Blob(record.attachment->hash));
    }
  }
}

std::vector<std::string> WithEnding(const fs::path& folder, const char* ending) {
  std::vector<fs::path> files;
  for (const auto& one : fs::directory_iterator(folder))
    if (one.path().extension() == ending) files.push_back(one.path());
  std::sort(files.begin(), files.end());
  std::vector<std::string> out;
  for (const fs::path& file : files) out.push_back(BytesOf(file));
  return out;
}

// Half of the lines of a script, spoilt or not, and legal lines between them. What was accepted
// gives the same game again, bit for bit.
void PlaySpoilt(const std::string& input) {
  static const std::vector<std::string> kScenarios = {"skirmish", "beattenburg", "kirchheim",
                                                      "tamanieb", "ancient_generic"};
  std::mt19937 chance(static_cast<std::uint32_t>(std::hash<std::string>()(input)));
  const fs::path scenario =
      kSource / "datasets/scenarios" / (kScenarios[chance() % kScenarios.size()] + ".toml");
  auto game = OpenGame(scenario, 5);
  ASSERT_TRUE(game.ok()) << game.error().message;
  Generator generator{7};
  std::istringstream lines(input);
  int played = 0;
  for (std::string line; std::getline(lines, line) && played < 60;) {
    if ((*game)->Next().kind == PromptKind::kOver) break;
    const std::string legal = (*game)->RandomLine(generator);
    std::string next = line;
    switch (chance() % 4) {
      case 0:
        next = legal;
        break;
      case 1:
        next = test::Spoilt(legal, chance);
        break;
      case 2:
        if (chance() % 4 == 0) (*game)->Undo();
        if (chance() % 8 == 0 && (*game)->Played() > 0) {
          const Result<Corrected> corrected =
              (*game)->Correct(chance() % (*game)->Played(), std::string_view(next));
          ExpectAnswer(corrected);
        }
        break;
      default:
        break;
    }
    ++played;
    (void)(*game)->ForecastOf(next);
    const std::string before = (*game)->StateJson();
    const Result<LineOutcome> outcome = (*game)->Play(next);
    ExpectAnswer(outcome);
    if (!outcome.ok()) {
      EXPECT_EQ((*game)->StateJson(), before) << next;
    }
  }
  auto again = OpenGame(scenario, 5);
  ASSERT_TRUE(again.ok());
  for (const std::string& line : (*game)->Lines()) {
    const Result<LineOutcome> outcome = (*again)->Play(line);
    ASSERT_TRUE(outcome.ok()) << line;
  }
  EXPECT_EQ((*again)->StateJson(), (*game)->StateJson());
}

void ReadArchive(const std::string& json) {
  static const std::vector<ArchivedFile> kPictures = [] {
    const Json numbers = Json::parse(BytesOf(kCorpus / "shot.json"));
    const cv::Size size(numbers.at("camera").at("width").get<int>(),
                        numbers.at("camera").at("height").get<int>());
    const cv::Mat after = Chequered(size);
    const cv::Mat before(size, CV_8UC3, cv::Scalar(90, 120, 60));
    const cv::Mat changed(size, CV_8UC1, cv::Scalar(255));
    std::vector<ArchivedFile> out;
    for (const auto& [name, picture] :
         {std::pair{"before.png", before}, {"after.png", after}, {"changed.png", changed}}) {
      std::vector<std::uint8_t> bytes;
      cv::imencode(".png", picture, bytes);
      out.push_back({name, std::string(bytes.begin(), bytes.end())});
    }
    return out;
  }();
  std::vector<ArchivedFile> files = kPictures;
  files.push_back({"shot.json", json});
  const Result<ArchivedShot> shot = ArchivedShotFrom(files, "here");
  ExpectAnswer(shot);
  if (!shot.ok()) return;
  const Remeasured put = PutByPlayers(*shot, shot->seen.finding.shot.point);
  EXPECT_FALSE(DisputeText(*shot, put).empty());
  EXPECT_TRUE(FilesOf(*shot).ok());
}

const FuzzTarget kTargets[] = {
    {"table", 1500, [] { return std::vector<std::string>{std::string(test::kTableToml)}; },
     [](const std::string&, const fs::path& file) { ExpectAnswer(ReadTable(file)); },
     Input::kTextFile},
    {"scenario", 1000,
     [] {
       std::vector<std::string> out = WithEnding(kSource / "datasets/scenarios", ".toml");
       out.emplace_back(test::kScenarioToml);
       return out;
     },
     [](const std::string& input, const fs::path&) {
       ExpectAnswer(ParseScenario(input, "fuzzed", TableFrame{12, 9, 4.0}));
     }},
    {"game_file", 200, [] { return WithEnding(kSource / "datasets/scenarios", ".toml"); },
     [](const std::string&, const fs::path& file) { ExpectAnswer(OpenGame(file, 5)); },
     Input::kTextFile},
    {"camera", 1500,
     [] {
       return std::vector<std::string>{BytesOf(kSource / "datasets/sets/open_qtip/camera.yaml"),
                                       BytesOf(kCorpus / "camera.json"),
                                       BytesOf(kCorpus / "camera.xml")};
     },
     [](const std::string&, const fs::path& file) { ExpectAnswer(ReadCamera(file)); },
     Input::kTextFile},
    {"rig", 1500, [] { return std::vector<std::string>{BytesOf(kCorpus / "rig.toml")}; },
     [](const std::string&, const fs::path& file) { ExpectAnswer(ReadRig(file)); },
     Input::kTextFile},
    {"event", 4000, [] { return LinesOf(kCorpus / "events.jsonl"); },
     [](const std::string& input, const fs::path&) {
       const auto event = ParseEventLine(input);
       ExpectAnswer(event);
       if (event.ok() && event->has_value()) ExpectAnswer(EventLine(**event));
     }},
    {"decision", 4000, [] { return LinesOf(kCorpus / "decisions.jsonl"); },
     [](const std::string& input, const fs::path&) {
       if (const auto said = ParseDecisionLine(input)) {
         EXPECT_FALSE(DecisionLine(*said).empty());
       }
     }},
    {"shot_archive", 60, [] { return std::vector<std::string>{BytesOf(kCorpus / "shot.json")}; },
     [](const std::string& input, const fs::path&) { ReadArchive(input); }},
    {"script", 60, [] { return WithEnding(kSource / "datasets/scenarios", ".script"); },
     [](const std::string& input, const fs::path&) { PlaySpoilt(input); }},
    {"club_file", 150, &ClubFiles, [](const std::string&, const fs::path& file) { ReadClub(file); },
     Input::kBytesFile},
    {"picture", 1500, &Pictures,
     [](const std::string& input, const fs::path&) {
       (void)PictureFrom({input.begin(), input.end()}, cv::IMREAD_COLOR);
     },
     Input::kBytes},
    {"recording", 150, &Recordings,
     [](const std::string&, const fs::path& file) {
       Result<std::unique_ptr<FrameSource>> source = OpenVideo(file);
       ExpectAnswer(source);
       for (int i = 0; source.ok() && i < 20; ++i) {
         const Result<std::optional<Frame>> next = (*source)->Next();
         ExpectAnswer(next);
         if (!next.ok() || !next->has_value()) break;
         EXPECT_EQ((*next)->bgr.size(), (*source)->Size());
       }
     },
     Input::kBytesFile},
};

std::uint32_t FromEnvironment(const char* name, std::uint32_t otherwise) {
  const char* value = std::getenv(name);
  return value == nullptr ? otherwise : static_cast<std::uint32_t>(std::atol(value));
}

class FuzzTargets : public ::testing::TestWithParam<FuzzTarget> {};

TEST_P(FuzzTargets, AnswerWhateverComes) {
  constexpr double kLongest_s = 10;  // on a busy machine
  using Clock = std::chrono::steady_clock;
  const auto since = [](Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
  };
  const FuzzTarget& target = GetParam();
  const test::TempDir dir;
  const std::vector<std::string> seeds = target.seeds();
  ASSERT_FALSE(seeds.empty());
  std::mt19937 chance(FromEnvironment("FOS_FUZZ_SEED", 20260701));
  const double seconds = FromEnvironment("FOS_FUZZ_SECONDS", 0);
  const Clock::time_point start = Clock::now();
  int round = 0;
  for (; seconds > 0 ? since(start) < seconds : round < target.rounds; ++round) {
    const std::string& seed = seeds[chance() % seeds.size()];
    const std::string input =
        target.Binary() ? test::SpoiltBytes(seed, chance) : test::Spoilt(seed, chance);
    const fs::path file = target.OnDisk() ? dir.Write("input", input) : fs::path();
    const Clock::time_point begun = Clock::now();
    try {
      target.read(input, file);
    } catch (const std::exception& e) {
      ADD_FAILURE() << "threw " << e.what();
    }
    EXPECT_LT(since(begun), kLongest_s);
    if (HasFailure()) {
      const fs::path kept = fs::temp_directory_path() / (std::string("fuzz_") + target.name);
      EXPECT_TRUE(WriteWholeFile(kept, input).ok());
      FAIL() << "round " << round << "; the input is in " << kept;
    }
  }
  if (seconds > 0) std::cout << target.name << ": " << round << " inputs\n";
}

INSTANTIATE_TEST_SUITE_P(All, FuzzTargets, ::testing::ValuesIn(kTargets),
                         [](const auto& one) { return std::string(one.param.name); });

}  // namespace
}  // namespace fos
