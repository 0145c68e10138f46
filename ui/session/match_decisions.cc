// SPDX-License-Identifier: MIT
// The players' decisions, and the doubts about which stand is which.
#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/files/whole_file.h"
#include "ui/session/dispute.h"
#include "ui/session/match.h"
#include "ui/session/shot_words.h"
#include "ui/session/sightings.h"
#include "vision/stands/stand_assignment.h"

namespace fos {

namespace fs = std::filesystem;

namespace {

// What falls, by the rules and not by the calls of single stands: of several in the circle one.
void NoteFallen(const ShotShown& shot, DecisionRecord& record) {
  const Fallen fallen = FallenOf(shot);
  record.casualties = fallen.sure;
  record.casualties->insert(record.casualties->end(), fallen.picked.begin(), fallen.picked.end());
  record.choice = !fallen.picked.empty();
}

}  // namespace

Status Match::Decide(const PlayerDecision& decision) {
  switch (decision.what) {
    case PlayerDecision::What::kOverrule:
      return Overrule(decision);
    case PlayerDecision::What::kIdentify:
      return Identify(decision);
    case PlayerDecision::What::kPoint:
      return AddShot(decision);
    case PlayerDecision::What::kTable:
      return AcceptTable(decision);
    default:
      return DecideShot(decision);
  }
}

DecisionRecord Match::RecordOf(const PlayerDecision& decision) const {
  DecisionRecord out;
  out.frame = last_.id.index;
  out.time_s = last_.time_s;
  out.decision = decision;
  return out;
}

Status Match::RecordDecision(const DecisionRecord& record) {
  const std::string line = DecisionLine(record);
  session_lines_ += line + '\n';
  if (journal_) journal_->Decision(line, last_.time_s);
  FlushJournal();
  const Result<fs::path> file = out_.FileFor("session.jsonl");
  if (!file.ok()) return file.error();
  return WriteWholeFile(*file, session_lines_);
}

Status Match::DecideShot(const PlayerDecision& decision) {
  const auto shot = std::find_if(shots_.begin(), shots_.end(), [&](const auto& one) {
    return one->shot.shot.number == decision.shot;
  });
  if (shot == shots_.end()) return Ok();
  const auto& stands = (*shot)->verdict.stands;
  const auto stand = std::find_if(stands.begin(), stands.end(), [&](const StandVerdict& one) {
    return one.stand.stand.text == decision.stand;
  });
  if (decision.what == PlayerDecision::What::kSettle && stand == stands.end()) return Ok();
  // A question has no verdict to accept yet.
  if (decision.what == PlayerDecision::What::kAccept && !(*shot)->question.empty()) return Ok();
  DecisionRecord record = RecordOf(decision);
  ShotShown changed = **shot;
  std::string text = InWords(decision);
  if (decision.what == PlayerDecision::What::kMove) {
    const Result<bool> moved = MovePoint(decision.point, changed, record);
    if (!moved.ok()) return moved.error();
    if (!*moved) return Ok();
    text = changed.as_measured->question.empty()
               ? fmt::format("Shot {}: the players move its point by {:.2f} in. {}", decision.shot,
                             record.moved_in, record.text)
               : fmt::format("Shot {}: the players mark its point. {}", decision.shot, record.text);
  } else if (decision.what == PlayerDecision::What::kTakeBack) {
    if (!TakeBack(changed, record)) return Ok();
    text = "The players take back: " + record.text;
  }
  if (decision.what != PlayerDecision::What::kTakeBack) {
    changed.decisions.push_back(record.decision);
  }
  changed.with_calls = RulingWithCalls(changed);
  if (decision.what == PlayerDecision::What::kSettle) {
    NoteFallen(changed, record);
    record.text = fmt::format("Camera said {}, players said {}",
                              stand->call == Call::kTooClose ? "too close" : CallName(stand->call),
                              CallName(decision.call));
    text += ". " + record.text;
  }
  const Status written = RecordDecision(record);
  if (!written.ok()) return written;
  *shot = std::make_shared<const ShotShown>(std::move(changed));
  const bool back = decision.what == PlayerDecision::What::kTakeBack;
  if (back) {
    std::vector<LogLine> lines = *lines_;
    TakeBackLine(lines, decision.shot);
    lines_ = std::make_shared<const std::vector<LogLine>>(std::move(lines));
  }
  AddLogLine(last_.time_s, LogLine::Category::kShot, std::move(text), decision.shot, !back);
  return Ok();
}

Result<bool> Match::MovePoint(Vec2 point, ShotShown& shot, DecisionRecord& record) {
  // The window shows hundredths: a shorter way is none.
  constexpr double kLeast_in = 0.005;
  const auto archived = shot.archived != nullptr ? shot.archived->Get() : nullptr;
  if (archived == nullptr || !table_.frame.Contains(point)) return false;
  const Remeasured again = PutByPlayers(*archived, point);
  if (!again.finding.measured) return false;
  record.moved_in = Distance(shot.shot.point, again.finding.shot.point);
  if (shot.question.empty() && record.moved_in < kLeast_in) return false;
  const std::string name = fmt::format("evidence/shot_{:02}_moved.png", shot.shot.shot.number);
  Result<ShotShown> moved =
      ShownWith(*archived, shot.archived, again.finding, again.verdict, name, shot.time_s);
  if (!moved.ok()) return moved.error();
  if (shot.as_measured != nullptr) {
    moved->as_measured = shot.as_measured;
  } else {
    ShotShown before = shot;
    before.decisions.clear();
    before.with_calls.reset();
    moved->as_measured = std::make_shared<const ShotShown>(std::move(before));
  }
  moved->by_players = shot.by_players;
  // The calls that were settled before were about another point.
  record.decision.point = moved->shot.point;
  record.text = fmt::format("{}. {}", WordsOf(*moved).players, moved->verdict.text);
  NoteFallen(*moved, record);
  moved->decisions = std::move(shot.decisions);
  shot = std::move(moved).value();
  return true;
}

bool Match::TakeBack(ShotShown& shot, DecisionRecord& record) const {
  if (shot.decisions.empty()) {
    if (!shot.by_players || shot.withdrawn) return false;
    shot.withdrawn = true;
    PlayerDecision fell;
    fell.what = PlayerDecision::What::kPoint;
    fell.shot = shot.shot.shot.number;
    record.text = InWords(fell);
    return true;
  }
  const PlayerDecision last = shot.decisions.back();
  if (last.what != PlayerDecision::What::kMove) {
    shot.decisions.pop_back();
  } else {
    const auto earlier =
        std::find_if(std::next(shot.decisions.rbegin()), shot.decisions.rend(),
                     [](const auto& one) { return one.what == PlayerDecision::What::kMove; });
    const std::vector<PlayerDecision> left(shot.decisions.begin(), std::prev(shot.decisions.end()));
    const std::shared_ptr<const ShotShown> first = shot.as_measured;
    if (earlier == shot.decisions.rend()) {
      shot = *first;
    } else {
      const auto archived = shot.archived->Get();
      if (archived == nullptr) return false;
      const Remeasured again = PutByPlayers(*archived, earlier->point);
      shot.shot = again.finding.shot;
      shot.verdict = again.verdict;
    }
    shot.decisions = left;
  }
  record.text = InWords(last);
  return true;
}

Status Match::AcceptTable(const PlayerDecision& decision) {
  if (!setup_doubted_ || setup_accepted_ == decision.changed) return Ok();
  setup_accepted_ = decision.changed;
  DecisionRecord record = RecordOf(decision);
  record.text = InWords(decision);
  if (const Status written = RecordDecision(record); !written.ok()) return written;
  AddLogLine(last_.time_s, LogLine::Category::kWarning, record.text);
  SetupEvent event;
  event.accepted = decision.changed;
  event.text = record.text;
  return AddEvent(last_.id, last_.time_s, std::move(event));
}

Status Match::AddShot(const PlayerDecision& decision) {
  if (found_ == nullptr || last_.bgr.empty() || !table_.frame.Contains(decision.point)) return Ok();
  const std::vector<ProjectileSpec>& specs = facts_->scenario.projectiles;
  const auto spec = std::find_if(specs.begin(), specs.end(), [&](const ProjectileSpec& one) {
    return decision.projectile.empty() || ProjectileName(one.type) == decision.projectile;
  });
  if (spec == specs.end()) return Ok();
  // Two players may answer at once: one object is one shot.
  const auto& fallen = objects_fallen_;
  if (std::find(fallen.begin(), fallen.end(), decision.object) != fallen.end()) return Ok();
  ShotSeen seen;
  const auto object = std::find_if(objects_.begin(), objects_.end(), [&](const auto& one) {
    return one.shown->number == decision.object;
  });
  if (object != objects_.end() && object->pictures != nullptr) {
    seen = *object->pictures;
  } else {
    // Nothing is new in the picture: the place itself counts. As much is kept as of other shots.
    constexpr double kRoom_in = 3.5;
    const ImagePoint middle = ImageFromTable(found_->camera, decision.point, 0);
    const int room_px =
        std::max(1, static_cast<int>(kRoom_in * PixelsPerInch(found_->camera, decision.point, 0)));
    const cv::Rect part =
        cv::Rect(static_cast<int>(middle.x_px) - room_px, static_cast<int>(middle.y_px) - room_px,
                 2 * room_px, 2 * room_px) &
        cv::Rect({}, last_.bgr.size());
    if (part.empty()) return Ok();  // out of the camera's sight
    seen.pictures.before = seen.pictures.after = last_.bgr(part).clone();
    seen.pictures.camera = Cropped(found_->camera, part);
    seen.pictures.changed = cv::Mat(part.size(), CV_8UC1, cv::Scalar(0));
    constexpr double kAbout_in = 0.5;
    seen.where = {decision.point - Vec2{kAbout_in, kAbout_in},
                  decision.point + Vec2{kAbout_in, kAbout_in}};
    seen.finding.shot.at_rest = last_.id;
    seen.finding.shot.seen = {last_.id, last_.id};
  }
  if (object != objects_.end()) objects_.erase(object);
  if (decision.object > 0) objects_fallen_.push_back(decision.object);
  seen.finding.measured = false;
  seen.finding.spec = static_cast<int>(spec - specs.begin());
  seen.finding.shot.projectile = spec->type;
  seen.finding.shot.shot = {++last_shot_ + (journal_ ? journal_->ShotsBefore() : 0)};
  const int number = seen.finding.shot.shot.number;
  const DecisionPolicy policy = PolicyNow();
  const auto archived = std::make_shared<const ArchivedShot>(ArchiveShot(
      seen, scene_.stands, table_.frame, facts_->scenario, policy, pipeline_.Registration()));
  const auto kept = WriteArchive(archived, fmt::format("evidence/shot_{:02}", number));
  if (!kept.ok()) return kept.error();
  const Remeasured measured = PutByPlayers(*archived, decision.point);
  Result<ShotShown> shown = ShownWith(*archived, *kept, measured.finding, measured.verdict,
                                      fmt::format("evidence/shot_{:02}.png", number), last_.time_s);
  if (!shown.ok()) return shown.error();
  shown->by_players = true;
  DecisionRecord record = RecordOf(decision);
  record.decision.shot = number;
  record.decision.projectile = ProjectileName(spec->type);
  record.decision.point = shown->shot.point;
  record.text = shown->verdict.text;
  NoteFallen(*shown, record);
  if (const Status written = RecordDecision(record); !written.ok()) return written;
  AddLogLine(last_.time_s, LogLine::Category::kShot,
             fmt::format("{}: {}", InWords(record.decision), record.text), number, /*word=*/true);
  shots_.push_back(std::make_shared<const ShotShown>(std::move(shown).value()));
  return Ok();
}

Status Match::Overrule(const PlayerDecision& decision) {
  const std::optional<MoveOverruledEvent> event = moves_.Overrule(decision.move);
  if (!event) return Ok();
  // A finished log takes no more lines; the decision alone is recorded then.
  if (!finished_) {
    const Status added = AddEvent(last_.id, last_.time_s, *event);
    if (!added.ok()) return added;
  }
  DecisionRecord record = RecordOf(decision);
  record.stands = event->stands;
  record.clause = event->clause;
  record.text = event->text;
  const Status recorded = RecordDecision(record);
  if (!recorded.ok()) return recorded;
  AddLogLine(last_.time_s, LogLine::Category::kPlain,
             fmt::format("The players allow it{}: {}",
                         decision.reason.empty() ? "" : " (" + decision.reason + ")", event->text));
  return Ok();
}

bool Match::Rename(const std::vector<IdentityDoubt::Stand>& changed) {
  if (changed.empty()) return true;
  const IdentityDoubt all{changed, ""};
  std::optional<StandScene> renamed = WithNamesChanged(scene_, all);
  if (!renamed || !pipeline_.ChangeNames(all)) return false;
  scene_ = std::move(*renamed);
  stands_ = std::make_shared<const std::vector<StandObservation>>(scene_.stands);
  return true;
}

Status Match::Identify(const PlayerDecision& decision) {
  if (!doubts_.Open(decision.doubt)) return Ok();
  const auto [doubt, look] = identity_doubts_[static_cast<std::size_t>(decision.doubt) - 1];
  NamesLeft left = NamesAfterAnswer(doubt, decision.changed);
  if (!Rename(left.changed)) {
    // Some stands that were handled with these are gone; rename only these.
    left = {};
    if (decision.changed) left.changed = doubt.stands;
    if (!Rename(left.changed)) {
      AddLogLine(
          last_.time_s, LogLine::Category::kWarning,
          "These stands are no longer all on the table, and keep their names: " + doubt.text);
      return Ok();
    }
  }
  const IdentitySettledEvent event = *doubts_.Settle(decision.doubt, decision.changed);
  if (!finished_) {
    Status added = AddEvent(last_.id, last_.time_s, event);
    if (added.ok() && !left.changed.empty()) {
      added =
          AddEvent(last_.id, last_.time_s, StandsRecord(scene_, facts_->scenario, table_.frame));
    }
    if (!added.ok()) return added;
  }
  DecisionRecord record = RecordOf(decision);
  record.text = event.text;
  const Status recorded = RecordDecision(record);
  if (!recorded.ok()) return recorded;
  AddLogLine(last_.time_s, LogLine::Category::kPlain, event.text);
  if (!doubt.handled) return Ok();
  const Status asked = UpdateDoubts(look, std::move(left.doubts));
  if (!asked.ok() || left.changed.empty()) return asked;
  return UpdateLaterDoubts(look, left.changed);
}

Status Match::UpdateLaterDoubts(int look, const std::vector<IdentityDoubt::Stand>& changed) {
  int looks = look;
  for (const RaisedDoubt& one : identity_doubts_) looks = std::max(looks, one.look);
  for (int later = look + 1; later <= looks; ++later) {
    std::optional<HandledStands> handled;
    for (std::size_t i = 0; i < identity_doubts_.size(); ++i) {
      const RaisedDoubt& one = identity_doubts_[i];
      if (one.look == later && one.doubt.handled && doubts_.Open(static_cast<int>(i) + 1))
        handled = *one.doubt.handled;
    }
    if (!handled || !RenameIn(*handled, changed)) continue;
    NamesLeft again = NamesOf(*handled);
    if (!again.changed.empty()) continue;  // both ways are equally long: the names stay
    const Status asked = UpdateDoubts(later, std::move(again.doubts));
    if (!asked.ok()) return asked;
  }
  return Ok();
}

Status Match::UpdateDoubts(int look, std::vector<IdentityDoubt> open) {
  for (std::size_t i = 0; i < identity_doubts_.size(); ++i) {
    const int number = static_cast<int>(i) + 1;
    RaisedDoubt& one = identity_doubts_[i];
    if (one.look != look || !doubts_.Open(number)) continue;
    const auto still = std::find_if(open.begin(), open.end(), [&](const IdentityDoubt& doubt) {
      return SameStands(doubt, one.doubt) && doubt.text == one.doubt.text;
    });
    if (still != open.end()) {
      one.doubt = *still;
      open.erase(still);
      continue;
    }
    const IdentitySettledEvent event = *doubts_.Withdraw(number);
    AddLogLine(last_.time_s, LogLine::Category::kPlain, event.text);
    if (finished_) continue;
    const Status added = AddEvent(last_.id, last_.time_s, event);
    if (!added.ok()) return added;
  }
  if (finished_) return Ok();
  for (const IdentityDoubt& doubt : open) {
    const Status raised = RaiseDoubt({doubt, last_.id, last_.time_s}, doubt, look);
    if (!raised.ok()) return raised;
  }
  return Ok();
}

Status Match::Take(const Sighting& at, const IdentityDoubt& doubt) {
  int look = 1;
  for (const RaisedDoubt& one : identity_doubts_) {
    const bool same = doubt.handled && one.doubt.handled == doubt.handled;
    look = std::max(look, same ? one.look : one.look + 1);
  }
  return RaiseDoubt(at, doubt, look);
}

Status Match::RaiseDoubt(const Sighting& at, const IdentityDoubt& doubt, int look) {
  IdentityDoubtedEvent event;
  event.doubt = doubts_.Add(doubt.text);
  event.text = doubt.text;
  for (const IdentityDoubt::Stand& one : doubt.stands)
    event.stands.push_back({one.now.text, one.may_be.text});
  identity_doubts_.push_back({doubt, look});
  AddLogLine(at.time_s, LogLine::Category::kWarning, doubt.text + "; say which is which");
  remarks_.push_back(fmt::format("frame {}: {}", at.frame.index, doubt.text));
  return AddEvent(at.frame, at.time_s, std::move(event));
}

}  // namespace fos
