// SPDX-License-Identifier: MIT
#include "engine/journal/logged_game.h"

#include <algorithm>
#include <charconv>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/files/json.h"
#include "engine/journal/sha256.h"

namespace fos {
namespace {

std::string FirstWord(std::string_view text) {
  const std::size_t from = std::min(text.find_first_not_of(" \t"), text.size());
  return std::string(
      text.substr(from, std::min(text.find_first_of(" \t", from), text.size()) - from));
}
// The text after the first `words` words.
std::string_view After(std::string_view text, int words) {
  for (; words > 0; --words) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    text.remove_prefix(std::min(text.find_first_of(" \t"), text.size()));
  }
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  return text;
}

std::size_t NumberIn(std::string_view text) {
  const std::string word = FirstWord(text);
  std::size_t number = 0;
  std::from_chars(word.data(), word.data() + word.size(), number);
  return number;
}

Record Refused(std::string text, const Refusal& refusal) {
  Record record;
  record.kind = RecordKind::kRefused;
  record.text = std::move(text);
  record.told = {refusal.because};
  record.clauses = {refusal.clause};
  return record;
}

Record FromLine(const std::string& text, const LineOutcome& outcome) {
  if (outcome.refused) return Refused(text, *outcome.refused);
  Record record;
  record.kind = RecordKind::kLine;
  record.text = outcome.line;
  record.events = outcome.events;
  record.told = outcome.told;
  record.clauses = outcome.clauses;
  return record;
}

Result<Record> CorrectAgain(RuleGame& game, const std::string& text) {
  const auto [number, line] = CorrectionIn(text);
  if (number < 1)
    return Error{ErrorCode::kBadFormat, "`" + text + "` does not begin with an action number"};
  const Result<fos::Corrected> corrected =
      game.Correct(number - 1, line.empty() ? std::nullopt : std::optional<std::string_view>(line));
  if (!corrected.ok()) return corrected.error();
  if (corrected->refused) {
    return Refused((line.empty() ? "remove " : "correct ") + text, *corrected->refused);
  }
  Record record;
  record.kind = RecordKind::kCorrected;
  record.text = text;
  record.told = corrected->changed;
  return record;
}

// Records that the rules compute; all others are only stored.
bool OfTheRules(RecordKind kind) {
  return kind == RecordKind::kLine || kind == RecordKind::kRefused || kind == RecordKind::kUndo ||
         kind == RecordKind::kCorrected;
}

// An event without its sentences: the reason of an overruled refusal, the text of a note.
Json WithoutSentences(const Json& json) {
  if (json.is_array()) {
    Json out = Json::array();
    for (const Json& element : json) out.push_back(WithoutSentences(element));
    return out;
  }
  if (!json.is_object()) return json;
  Json out = Json::object();
  for (const Json::Item& item : json.items())
    if (item.key != "because" && item.key != "text") out[item.key] = WithoutSentences(item.value);
  return out;
}
std::string FactsOf(const std::string& event) {
  const bool may_tell =
      event.find("\"because\"") != std::string::npos || event.find("\"text\"") != std::string::npos;
  if (!may_tell) return event;
  return WithoutSentences(Json::parse_or(event, Json(event))).dump();
}
std::vector<std::string> FactsOf(std::vector<std::string> events) {
  for (std::string& event : events) event = FactsOf(event);
  return events;
}

// The clauses that decide: those of a refusal. Those of an accepted line explain its events.
std::vector<std::string> DecidingClauses(const Record& record) {
  return record.kind == RecordKind::kLine ? std::vector<std::string>{} : record.clauses;
}

// Sentences are left out: a newer program may word and explain them better.
void Sign(Sha256& sum, const Record& record) {
  sum.AddText(RecordName(record.kind)).AddText(record.text);
  for (const auto& texts : {FactsOf(record.events), DecidingClauses(record)}) {
    sum.AddText(std::to_string(texts.size()));
    for (const std::string& text : texts) sum.AddText(text);
  }
}

// A step of the script that differs from the log.
struct NotTheSame : std::runtime_error {
  using std::runtime_error::runtime_error;
};
// The log cannot be written.
struct NotWritten : std::runtime_error {
  explicit NotWritten(Error why) : std::runtime_error(why.message), error(std::move(why)) {}
  Error error;
};

}  // namespace

Result<std::unique_ptr<RuleGame>> OpenLogged(const GameStart& start, RulesOf rules) {
  const Result<GameFolder> folder = GameFolder::Unpack(start.files);
  if (!folder.ok()) return folder.error();
  const std::filesystem::path scenario = folder->File("scenario");
  if (scenario.empty()) {
    return Error{ErrorCode::kBadFormat,
                 fmt::format("the log: game `{}` has no scenario", start.name)};
  }
  std::optional<DataRootFirst> first;
  if (rules == RulesOf::kLog) first.emplace(folder->Rules());
  auto game = OpenGame(scenario, start.seed);
  if (!game.ok()) return folder->ByName(game.error());
  return game;
}

std::optional<Record> RecordOf(const ScriptStep& step) {
  const std::string verb = FirstWord(step.text);
  std::optional<Record> record;
  if (step.outcome.refused || !step.outcome.line.empty()) {
    record = FromLine(step.text, step.outcome);
  } else if (verb == "undo") {
    if (step.outcome.told.empty()) return std::nullopt;
    record.emplace();
    record->kind = RecordKind::kUndo;
    record->text = std::to_string(step.outcome.told.size());
  } else if (verb == "correct" || verb == "remove") {
    record.emplace();
    record->kind = RecordKind::kCorrected;
    record->text = std::string(After(step.text, 1));
    record->told = step.outcome.told;
  }
  if (record) record->source_line = step.line;
  return record;
}

Correction CorrectionIn(std::string_view text) {
  return {NumberIn(text), std::string(After(text, 1))};
}

Result<Record> PlayAgain(RuleGame& game, const Record& record) {
  switch (record.kind) {
    case RecordKind::kUndo: {
      std::size_t undone = 0;
      for (std::size_t left = NumberIn(record.text); left > 0 && game.Undo(); --left) ++undone;
      Record now;
      now.kind = RecordKind::kUndo;
      now.text = std::to_string(undone);
      return now;
    }
    case RecordKind::kCorrected:
      return CorrectAgain(game, record.text);
    case RecordKind::kRefused: {
      const std::string verb = FirstWord(record.text);
      if (verb == "correct" || verb == "remove") {
        return CorrectAgain(game, std::string(After(record.text, 1)));
      }
      [[fallthrough]];
    }
    default: {
      const Result<LineOutcome> outcome = game.Play(record.text);
      if (!outcome.ok()) return outcome.error();
      return FromLine(record.text, *outcome);
    }
  }
}

std::string Differs(const Record& logged, const Record& now) {
  const auto in_words = [](const Record& record) {
    const std::string told = fmt::format("{}", fmt::join(record.told, " "));
    std::string words =
        record.kind == RecordKind::kRefused
            ? fmt::format("refused: {}", told)
            : fmt::format("{}", told.empty() ? "`" + record.text + "`, accepted" : told);
    if (!record.clauses.empty()) words += fmt::format(" ({})", fmt::join(record.clauses, ", "));
    return words;
  };
  // The same ruling in other words is no difference.
  if (logged.kind == now.kind && logged.text == now.text &&
      DecidingClauses(logged) == DecidingClauses(now) &&
      FactsOf(logged.events) == FactsOf(now.events)) {
    return {};
  }
  const std::string then = in_words(logged);
  const std::string this_time = in_words(now);
  if (then != this_time) return fmt::format("then: {} | now: {}", then, this_time);
  if (logged.text != now.text) {
    return fmt::format("then: `{}` | now: `{}`", logged.text, now.text);
  }
  for (std::size_t i = 0; i < std::max(logged.events.size(), now.events.size()); ++i) {
    const std::string a = i < logged.events.size() ? logged.events[i] : "nothing";
    const std::string b = i < now.events.size() ? now.events[i] : "nothing";
    if (a != b) return fmt::format("then: {} | now: {}", a, b);
  }
  return "the kind of record differs";
}

Result<Replayed> Replay(const GameLog& log, const ReplayOptions& options) {
  Result<std::unique_ptr<RuleGame>> game = OpenLogged(log.start, options.rules);
  if (!game.ok()) return game.error();
  Replayed out;
  out.game = std::move(game).value();
  Sha256 sum;
  sum.AddText(log.start.ruleset);
  for (const Record& record : log.records) {
    if (options.until && record.number > *options.until) break;
    if (!OfTheRules(record.kind)) continue;
    ++out.records;
    const Result<Record> now = PlayAgain(*out.game, record);
    if (!now.ok()) {
      out.differences.push_back({record.number, record.text,
                                 fmt::format("can no longer be read: {}", now.error().message)});
      sum.AddText(now.error().message);
      continue;
    }
    Sign(sum, *now);
    if (std::string why = Differs(record, *now); !why.empty()) {
      out.differences.push_back({record.number, record.text, std::move(why)});
    }
    if (options.step) options.step(record, *now, *out.game);
  }
  sum.AddText(out.game->StateJson());
  out.signature = sum.Hex();
  return out;
}

Result<Played> PlayInto(Journal& journal, std::int64_t game, std::string_view script,
                        const PlayIntoOptions& options) {
  Result<GameLog> log = journal.Read(game);
  if (!log.ok()) return log.error();
  Result<GameWriter> writer = GameWriter::Of(journal, game);
  if (!writer.ok()) return writer.error();
  Result<std::unique_ptr<RuleGame>> opened = OpenLogged(log->start, RulesOf::kLog);
  if (!opened.ok()) return opened.error();
  Played out;
  out.game = std::move(opened).value();
  std::vector<const Record*> there;
  for (const Record& record : log->records) {
    if (OfTheRules(record.kind)) there.push_back(&record);
  }
  out.before = static_cast<std::int64_t>(there.size());
  ScriptOptions run;
  run.seed = log->start.seed;
  std::size_t next = 0;
  run.report = [&](const ScriptStep& step) {
    std::optional<Record> record = RecordOf(step);
    const bool known = record && next < there.size();
    if (known) {
      const Record& logged = *there[next++];
      if (std::string why = Differs(logged, *record); !why.empty()) {
        throw NotTheSame(
            fmt::format("line {} of the script is not the line that record {} was written from "
                        "({}); continue with the same script, or without one",
                        step.line, logged.number, why));
      }
    } else if (record) {
      const Result<Record> written = writer->Append(*std::move(record), options.clock());
      if (!written.ok()) throw NotWritten(written.error());
    }
    if (options.report) options.report(step, known);
  };
  try {
    const Status ran = RunScript(*out.game, script, run);
    if (!ran.ok()) return ran.error();
    if (next < there.size()) {
      return Error{ErrorCode::kBadFormat,
                   fmt::format("the script ends before record {} of the log; continue with the "
                               "same script, or without one",
                               there[next]->number)};
    }
    if (out.game->Next().kind == PromptKind::kOver && !log->Ended()) {
      Record ended;
      ended.kind = RecordKind::kEnded;
      const Result<Record> written = writer->Append(ended, options.clock());
      if (!written.ok()) return written.error();
    }
  } catch (const NotTheSame& e) {
    return Error{ErrorCode::kBadFormat, e.what()};
  } catch (const NotWritten& e) {
    return e.error;
  }
  out.now = writer->Records();
  return out;
}

}  // namespace fos
