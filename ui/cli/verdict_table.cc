// SPDX-License-Identifier: MIT
#include "ui/cli/verdict_table.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "engine/files/plain_text.h"
#include "engine/table/decision.h"
#include "engine/table/sentence.h"
#include "ui/session/measured_text.h"
#include "ui/session/out_folder.h"
#include "ui/session/shot_words.h"

namespace fos {
namespace {

std::string ProjectileName(const std::string& type) {
  if (type == "qtip") return "cotton swab";
  return type;
}

// no_effect  the rules give the shot none, wherever it lies
std::string CallText(Call call, bool no_effect) {
  switch (call) {
    case Call::kHit:
      return no_effect ? "inside: no effect" : "HIT";
    case Call::kMiss:
      return "miss";
    case Call::kTooClose:
      return no_effect ? "no effect" : "TOO CLOSE: settle it from the picture";
  }
  return "";
}

std::string ShotHeading(const ShotEvent& shot, double time_s) {
  return fmt::format(
      "Shot {}: {}, judged at {:.1f} s, at rest from frame {}\n"
      "  lies {}, {:.2f} in east and {:.2f} in north of the south-west corner, +/- {:.2f} in\n"
      "  {:.0f} % of it is visible\n",
      shot.shot, ProjectileName(shot.projectile), time_s, shot.at_rest_frame,
      shot.square.empty() ? "off the board" : "in " + shot.square, shot.point.x, shot.point.y,
      kShownSigmas * shot.sigma_in, 100 * shot.visible);
}

std::string StandRows(const VerdictEvent& verdict) {
  if (verdict.stands.empty()) return "  no stand is near\n";
  std::vector<VerdictStand> stands = verdict.stands;
  std::stable_sort(stands.begin(), stands.end(), [](const VerdictStand& a, const VerdictStand& b) {
    return a.distance_in < b.distance_in;
  });
  std::size_t id = 5;
  std::size_t kind = 4;
  std::size_t side = 4;
  for (VerdictStand& stand : stands) {
    id = std::max(id, stand.id.size());
    stand.kind = KeyInWords(std::move(stand.kind));
    kind = std::max(kind, stand.kind.size());
    side = std::max(side, stand.side.size());
  }
  std::string out =
      fmt::format("  {:<{}}  {:<{}}  {:<{}}  {:<6}  {:>17}  {:>13}  call\n", "stand", id, "kind",
                  kind, "side", side, "rule", "distance", "chance of hit");
  const bool no_effect = verdict.ruling && verdict.ruling->no_effect;
  for (const VerdictStand& stand : stands) {
    out += fmt::format("  {:<{}}  {:<{}}  {:<{}}  {:<6}  {:>15} in  {:>13}  {}\n", stand.id, id,
                       stand.kind, kind, stand.side, side, stand.touch ? "touch" : "circle",
                       MeasuredText({stand.distance_in, stand.sigma_in}), ChanceText(stand.p_hit),
                       CallText(stand.call, no_effect));
  }
  return out;
}

std::string Listed(const std::vector<std::string>& names) {
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string PictureLine(const std::filesystem::path& picture) {
  return fmt::format("  picture: {}\n", picture.string());
}

std::string Question(const AskEvent& ask, const std::filesystem::path& out_folder) {
  std::string out = ask.text + '\n';
  if (ask.kept.empty()) return out;
  out += PictureLine(out_folder / AskedPicture(ask.kept));
  return out + fmt::format("  answer: fallofshot dispute {} --shot {} --tip EAST,NORTH\n",
                           ShellWord((out_folder / "events.jsonl").string()), ask.shot);
}

// Empty for dice that were picked up: what they showed has been told.
std::string DiceLines(const DiceEvent& dice, double time_s,
                      const std::filesystem::path& out_folder) {
  if (dice.taken) return "";
  std::string out = fmt::format("{}, at {:.1f} s\n", DiceText(dice), time_s);
  if (!dice.evidence.empty()) out += PictureLine(out_folder / dice.evidence);
  return out;
}

std::string GroundLine(const GroundRecord& ground) {
  std::vector<std::string> notes;
  if (!ground.lies_on.empty()) notes.push_back("on " + Listed(ground.lies_on));
  if (ground.is_protected) notes.push_back("protected");
  if (ground.water) notes.push_back("in water");
  if (!ground.burning_tests.empty()) {
    notes.push_back("burning test due: " + Listed(ground.burning_tests));
  }
  return notes.empty() ? "" : fmt::format("  ground: {}\n", fmt::join(notes, "; "));
}

// By the rules, where there is a ruling: not all that lies in the circle falls.
std::string CasualtiesOf(const VerdictEvent& verdict) {
  const Fallen fallen = FallenOf(verdict);
  std::string out = Listed(fallen.sure);
  if (!fallen.picked.empty()) {
    out += (out.empty() ? "" : ", ") + Listed(fallen.picked);
    if (fallen.picked.size() > 1) out += " (the firer chooses one)";
  }
  return out.empty() ? "none" : out;
}

}  // namespace

std::string VerdictTable(const std::vector<EventRecord>& events,
                         const std::filesystem::path& out_folder) {
  std::string out;
  bool was_shot = false;
  for (const EventRecord& event : events) {
    if (const auto* dice = std::get_if<DiceEvent>(&event.body)) {
      const std::string lines = DiceLines(*dice, event.time_s, out_folder);
      if (!out.empty() && !lines.empty()) out += '\n';
      out += lines;
      continue;
    }
    if (const auto* ask = std::get_if<AskEvent>(&event.body)) {
      if (!out.empty()) out += '\n';
      out += Question(*ask, out_folder);
      was_shot = true;
      continue;
    }
    const auto* shot = std::get_if<ShotEvent>(&event.body);
    if (shot == nullptr) continue;
    was_shot = true;
    if (!out.empty()) out += '\n';
    out += ShotHeading(*shot, event.time_s);
    const auto judged = std::find_if(events.begin(), events.end(), [shot](const EventRecord& e) {
      const auto* verdict = std::get_if<VerdictEvent>(&e.body);
      return verdict != nullptr && verdict->shot == shot->shot;
    });
    if (judged == events.end()) {
      out += "  not judged\n";
    } else {
      const auto& verdict = std::get<VerdictEvent>(judged->body);
      out += StandRows(verdict);
      if (verdict.trust == "untrusted") {
        out += "  not called: the table's position is not reliable (see the notes)\n";
      } else if (verdict.trust == "misfit") {
        out += "  not called: the stands are not those of the scenario (see the notes)\n";
      } else if (verdict.trust == "doubtful") {
        out += "  less sure than usual: the table's position is doubtful (see the notes)\n";
      }
      out += GroundLine(verdict.ground);
      out += fmt::format("  casualties: {}\n", CasualtiesOf(verdict));
      if (!verdict.text.empty()) out += "  " + verdict.text + '\n';
    }
    if (!shot->evidence.empty()) out += PictureLine(out_folder / shot->evidence);
  }
  if (was_shot) return out;
  return "No shot was detected.\n" + (out.empty() ? "" : '\n' + out);
}

}  // namespace fos
