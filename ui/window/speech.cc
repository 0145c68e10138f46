// SPDX-License-Identifier: MIT
#include "ui/window/speech.h"

#include <signal.h>
#include <sys/wait.h>

#include <cctype>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>

#include "ui/session/shot_words.h"
#include "ui/window/quiet_process.h"
#include "ui/window/tone.h"
#include "ui/window/widgets.h"

namespace fos {

std::string SpokenVerdict(const ShotShown& shot, const PlayersNames& names) {
  const ShotWords said = WordsOf(shot, names);
  std::string call = said.call.word;
  for (char& letter : call)
    letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  if (!shot.question.empty()) call = "where does it lie?";
  std::string falls;
  for (const char letter : said.falls) {
    if (letter == '#') {
      falls += ", stand ";
    } else {
      falls += letter;
    }
  }
  std::string out = fmt::format("Shot {}. {}", shot.shot.shot.number, Capitalised(call));
  if (out.back() != '?') out += '.';
  if (!falls.empty()) out += ' ' + falls + '.';
  return out;
}

Speech::Speech() {
  const char* path = std::getenv("PATH");
  program_ = FindProgram({"espeak-ng", "espeak"}, path != nullptr ? path : "");
}

Speech::~Speech() {
  if (!StillRuns(speaking_)) return;
  kill(speaking_, SIGTERM);
  waitpid(speaking_, nullptr, 0);
}

void Speech::Say(std::string words) {
  waiting_ = std::move(words);
  Go();
}

void Speech::Go() {
  if (program_.empty() || waiting_.empty() || StillRuns(speaking_)) return;
  // "--": the words are no options, whatever they begin with.
  speaking_ = StartQuietly({program_, "-v", "en", "-s", "150", "--",
                            std::exchange(waiting_, std::string())});
}

}  // namespace fos
