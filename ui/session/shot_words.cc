// SPDX-License-Identifier: MIT
#include "ui/session/shot_words.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ui/session/measured_text.h"

namespace fos {
namespace {

const char* WordOf(Call call) {
  return call == Call::kHit ? "HIT" : call == Call::kMiss ? "miss" : "TOO CLOSE";
}

std::string Lower(std::string words) {
  for (char& c : words) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return words;
}

bool Among(const std::vector<StandId>& ids, const std::string& id) {
  return std::any_of(ids.begin(), ids.end(), [&](const StandId& one) { return one.text == id; });
}

bool HasNoEffect(const ShotShown& shot) {
  const ShotRuling* ruling = RulingOf(shot);
  return ruling != nullptr && ruling->no_effect;
}

bool IsBarred(const ShotShown& shot, const std::string& id) {
  const ShotRuling* ruling = RulingOf(shot);
  return ruling != nullptr && Among(ruling->barred, id);
}

const char* PointName(const ShotShown& shot) {
  return shot.shot.projectile == Projectile::kQtip ? "tip" : "mark";
}

// "B-1V1#1 is 0.68 ±0.03 in from the tip"
std::string Away(const ShotShown& shot, const StandVerdict& stand, const PlayersNames& names) {
  const std::string id = names.Of(stand.stand.stand.text);
  if (stand.measured.gap.inches <= 0) return fmt::format("the {} lies on {}", PointName(shot), id);
  return fmt::format("{} is {} in from the {}", id, MeasuredText(stand.measured.gap, " \xC2\xB1"),
                     PointName(shot));
}

// ", 0.32 in inside the circle of 1 in"
std::string Margin(const StandVerdict& stand) {
  const double room = stand.measured.gap.inches - stand.limit_in;
  return fmt::format(", {:.2f} in {} the {} of {:g} in", std::abs(room),
                     room <= 0 ? "inside" : "outside",
                     stand.rule == HitRule::kTouch ? "touch" : "circle", stand.limit_in);
}

std::string Cited(const ShotShown& shot) {
  const ShotRuling* ruling = RulingOf(shot);
  if (ruling == nullptr || ruling->clauses.empty()) return {};
  return fmt::format(" ({})", fmt::join(ruling->clauses, ", "));
}

const StandVerdict* Find(const ShotShown& shot, const std::string& id) {
  for (const StandVerdict& stand : shot.verdict.stands)
    if (stand.stand.stand.text == id) return &stand;
  return nullptr;
}

// The stand that the verdict turns on; nullptr: none is near.
const StandVerdict* Deciding(const ShotShown& shot, const Fallen& fallen) {
  const std::vector<const StandVerdict*> open = OpenCalls(shot);
  if (!open.empty()) return open.front();
  for (const auto* ids : {&fallen.sure, &fallen.picked})
    for (const std::string& id : *ids)
      if (const StandVerdict* stand = Find(shot, id)) return stand;
  const auto& stands = shot.verdict.stands;
  const auto nearest =
      std::min_element(stands.begin(), stands.end(), [](const auto& a, const auto& b) {
        return a.measured.gap.inches - a.limit_in < b.measured.gap.inches - b.limit_in;
      });
  return nearest == stands.end() ? nullptr : &*nearest;
}

std::string ReasonOf(const ShotShown& shot, const Fallen& fallen, const PlayersNames& names) {
  if (!shot.question.empty()) return shot.question;
  if (HasNoEffect(shot)) return names.In(shot.verdict.text);
  const StandVerdict* stand = Deciding(shot, fallen);
  if (stand == nullptr) return "No stand is near" + Cited(shot);
  std::string out = Away(shot, *stand, names) + Margin(*stand);
  const std::string& id = stand->stand.stand.text;
  if (IsBarred(shot, id)) out += ", but protected";
  // A base that the circle overlaps and that still does not fall needs a reason.
  const bool in_circle = stand->rule == HitRule::kTouch &&
                         stand->measured.gap.inches > stand->limit_in &&
                         stand->measured.gap.inches <= shot.circle_in;
  if (in_circle) out += "; the circle does not count for it";
  return out + Cited(shot);
}

std::string PlayersOf(const ShotShown& shot, const ShotCall& now, const PlayersNames& names) {
  if (shot.by_players) return "Players said that it fell; the camera told no shot";
  std::string out;
  if (shot.as_measured != nullptr) {
    const ShotShown& before = *shot.as_measured;
    const std::string was = CallOf(before).word;
    if (!before.question.empty()) {
      out = "Camera could not tell the point, players gave it";
    } else if (was == now.word) {
      out = fmt::format("Camera and players said {}; players moved the point by {:.2f} in",
                        Lower(was), Distance(before.shot.point, shot.shot.point));
    } else {
      out = fmt::format("Camera said {}, players said {}", Lower(was), Lower(now.word));
    }
  }
  for (const StandVerdict& stand : shot.verdict.stands) {
    const std::string& id = stand.stand.stand.text;
    const std::optional<Call> settled = SettledCall(shot, id);
    if (!settled || *settled == stand.call) continue;
    out += fmt::format("{}{}: camera said {}, players said {}", out.empty() ? "" : "; ",
                       names.Of(id), Lower(WordOf(stand.call)), Lower(WordOf(*settled)));
  }
  return out;
}

}  // namespace

Fallen FallenOf(const ShotShown& shot) {
  Fallen out;
  if (shot.withdrawn || HasNoEffect(shot)) return out;
  if (const ShotRuling* ruling = RulingOf(shot)) {
    for (const auto* ids : {&ruling->equipment, &ruling->crew})
      for (const StandId& id : *ids) out.sure.push_back(id.text);
    for (const StandId& id : ruling->eligible) out.picked.push_back(id.text);
  } else {
    auto& to = shot.verdict.choice ? out.picked : out.sure;
    for (const StandId& id : shot.verdict.casualties) to.push_back(id.text);
  }
  // A ruling that knows the players' calls needs no change.
  for (const StandVerdict& stand : shot.verdict.stands) {
    const std::string& id = stand.stand.stand.text;
    const std::optional<Call> settled = shot.with_calls ? std::nullopt : SettledCall(shot, id);
    if (settled) SettleIn({id, *settled, stand.rule == HitRule::kTouch, IsBarred(shot, id)}, out);
  }
  if (out.picked.size() == 1) {
    out.sure.push_back(out.picked.front());
    out.picked.clear();
  }
  return out;
}

Fallen FallenOf(const VerdictEvent& verdict) {
  if (!verdict.ruling) {
    return verdict.choice ? Fallen{{}, verdict.casualties} : Fallen{verdict.casualties, {}};
  }
  const RulingRecord& ruling = *verdict.ruling;
  if (ruling.no_effect) return {};
  Fallen out{ruling.equipment, ruling.eligible};
  out.sure.insert(out.sure.end(), ruling.crew.begin(), ruling.crew.end());
  return out;
}

void SettleIn(const SettledStand& stand, Fallen& fallen) {
  const auto among = [&](const std::vector<std::string>& ids) {
    return std::find(ids.begin(), ids.end(), stand.id) != ids.end();
  };
  if (stand.call != Call::kHit) {
    std::erase(fallen.sure, stand.id);
    std::erase(fallen.picked, stand.id);
  } else if (!stand.spared && !among(fallen.sure) && !among(fallen.picked)) {
    (stand.touch ? fallen.sure : fallen.picked).push_back(stand.id);
  }
}

ShotCall CallOf(const ShotShown& shot) {
  if (shot.withdrawn) return {"TAKEN BACK", Call::kMiss};
  if (!shot.question.empty()) return {"WHERE?", Call::kTooClose};
  if (HasNoEffect(shot)) return {"NO EFFECT", Call::kMiss};
  if (!OpenCalls(shot).empty()) return {"TOO CLOSE", Call::kTooClose};
  const Fallen fallen = FallenOf(shot);
  if (fallen.sure.empty() && fallen.picked.empty()) return {"MISS", Call::kMiss};
  return {"HIT", Call::kHit};
}

ShotWords WordsOf(const ShotShown& shot, const PlayersNames& names) {
  const auto named = [&](std::vector<std::string> ids) {
    for (std::string& id : ids) id = names.Of(id);
    return ids;
  };
  ShotWords out;
  out.call = CallOf(shot);
  const Fallen fallen = FallenOf(shot);
  const std::vector<std::string> sure = named(fallen.sure);
  if (!sure.empty())
    out.falls = fmt::format("{} fall{}", fmt::join(sure, " and "), sure.size() == 1 ? "s" : "");
  if (!fallen.picked.empty()) {
    out.falls += fmt::format("{}the firer picks {}", out.falls.empty() ? "" : "; ",
                             fmt::join(named(fallen.picked), " or "));
  }
  if (out.call.call == Call::kTooClose && !OpenCalls(shot).empty()) {
    // What falls is not settled before this is; what was plainly hit is.
    std::vector<std::string> hit = named(fallen.sure);
    for (const std::string& id : named(fallen.picked)) hit.push_back(id);
    out.falls = names.Of(OpenCalls(shot).front()->stand.stand.text) + "?";
    if (!hit.empty())
      out.falls += fmt::format(" {} {} hit.", fmt::join(hit, " and "), hit.size() == 1 ? "is" : "are");
  }
  out.reason = ReasonOf(shot, fallen, names);
  if (!out.reason.empty() && out.reason.rfind("the ", 0) == 0) out.reason[0] = 'T';
  out.players = PlayersOf(shot, out.call, names);
  return out;
}

std::string StandWord(const ShotShown& shot, const StandVerdict& stand) {
  const std::string& id = stand.stand.stand.text;
  if (const std::optional<Call> settled = SettledCall(shot, id)) return WordOf(*settled);
  if (HasNoEffect(shot)) return "no effect";
  if (IsBarred(shot, id)) return "protected";
  // Nobody is asked about a close call that changes nothing.
  if (stand.call == Call::kTooClose && CallAsItCounts(shot, stand) != stand.call)
    return "no effect";
  return WordOf(stand.call);
}

std::string RuleWords(const StandVerdict& stand) {
  return stand.rule == HitRule::kTouch ? "touch" : "circle";
}

}  // namespace fos
