// SPDX-License-Identifier: MIT
#include "ui/club/club_pages.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/files/json.h"
#include "engine/rules/rule_sets.h"
#include "ui/report/battle_map.h"
#include "ui/report/drawing.h"
#include "ui/session/club_file.h"
#include "ui/session/decision_record.h"

namespace fos {
namespace {

// A game that was quiet for longer is not on a table any more.
constexpr double kLive_s = 3 * 3600;

bool IsLive(const GameListing& one) { return !one.game.ended && one.quiet_s < kLive_s; }

std::string Ago(double quiet_s) {
  if (quiet_s < 60) return "just now";
  if (quiet_s < 3600) return fmt::format("{:.0f} min ago", quiet_s / 60);
  return fmt::format("{:.0f} h ago", quiet_s / 3600);
}

std::string Where(const std::string& title, const std::string& club) {
  return club.empty() ? title : fmt::format("{}, {}", title, club);
}
std::string Where(const GameListing& one) { return Where(one.title, one.club); }

std::string FreeTables(const std::vector<ClubTable>& tables,
                       const std::vector<GameListing>& games) {
  std::string out;
  for (const ClubTable& table : tables) {
    const bool played = std::any_of(games.begin(), games.end(), [&](const GameListing& one) {
      return IsLive(one) && one.game.table == table.account;
    });
    if (played) continue;
    out += (out.empty() ? "" : " &middot; ") + Escaped(Where(table.title, table.club));
  }
  return out.empty() ? out : "<p class=\"quiet\">Free: " + out + "</p>";
}

std::string ListedGame(const GameListing& one) {
  return fmt::format(
      "<li><a href=\"/game/{}\"><b>{}</b><span>{}</span><span>{}</span><small>{} &middot; {} "
      "&middot; {} record{}</small></a></li>",
      one.game.id, Escaped(one.game.name), Escaped(Where(one)),
      Escaped(fmt::format("{}", fmt::join(one.players, ", "))),
      Escaped(std::string(RuleSetTitle(one.game.ruleset))),
      IsLive(one)      ? Ago(one.quiet_s)
      : one.game.ended ? Escaped(LongDay(DayOf(one.game.started_unix_s)))
                       : Escaped(LongDay(DayOf(one.game.started_unix_s))) + ", unfinished",
      one.game.records, one.game.records == 1 ? "" : "s");
}

// The call as people read it, with a class for its colour.
std::string CallBadge(const LastCall& last) {
  if (last.call.empty()) return {};
  const bool close = last.call == "too_close";
  return fmt::format("<span class=\"call {}\">{}</span>",
                     close                ? "close"
                     : last.call == "hit" ? "hit"
                                          : "miss",
                     close                      ? "Too close to call"
                     : last.call == "hit"       ? "Hit"
                     : last.call == "no_effect" ? "No effect"
                                                : "No hit");
}

// The call of a verdict's line, as the window shows it.
std::string CallOf(const Json& verdict) {
  const auto holds = [](const Json& in, const char* key) {
    return in.contains(key) && in.at(key).size() > 0;
  };
  const bool ruled = verdict.contains("ruling") && verdict.at("ruling").is_object();
  if (ruled && verdict.at("ruling").value("no_effect", false)) return "no_effect";
  if (verdict.contains("stands")) {
    for (const Json& stand : verdict.at("stands"))
      if (stand.value("call", "") == "too_close") return "too_close";
  }
  if (!ruled) return holds(verdict, "casualties") ? "hit" : "miss";
  for (const char* falls : {"equipment", "crew", "eligible"})
    if (holds(verdict.at("ruling"), falls)) return "hit";
  return "miss";
}

// The side's colour as a small picture: the page's policy allows no style of its own.
std::string Swatch(Colour colour) {
  return fmt::format("<svg class=\"swatch\" viewBox=\"0 0 8 8\" preserveAspectRatio=\"none\"><rect "
                     "width=\"8\" height=\"8\" fill=\"{}\"/></svg>",
                     HexOf(colour));
}

std::string LiveScore(const Battle& battle) {
  std::string out = "<div class=\"score\">";
  for (std::size_t i = 0; i < battle.sides.size(); ++i) {
    const BattleSide& side = battle.sides[i];
    const bool counted = !battle.strength.empty() && i < battle.strength.back().lost.size();
    out += fmt::format("<div>{}<p><b>{}</b>", Swatch(side.colour), Escaped(side.name));
    if (i < battle.points.size()) {
      out += fmt::format("<span class=\"n\">{:g}</span> points", battle.points[i]);
    }
    out += fmt::format("<small>{}{}</small></p></div>",
                       Escaped(fmt::format("{}", fmt::join(side.players, ", "))),
                       counted ? fmt::format("{}{} lost", side.players.empty() ? "" : " &middot; ",
                                             battle.strength.back().lost[i])
                               : "");
  }
  return out + "</div>";
}

std::string LastCallPart(const LastCall& last) {
  if (last.text.empty()) return "<p class=\"quiet\">Nothing has happened yet.</p>";
  std::string out = CallBadge(last) + "<p class=\"last\">" + Escaped(last.text) + "</p>";
  for (const std::string& one : last.decided) {
    out += "<p class=\"words\">" + Escaped(one) + "</p>";
  }
  return out;
}

}  // namespace

LastCall LastCallOf(const GameLog& log) {
  LastCall out;
  for (auto record = log.records.rbegin(); record != log.records.rend(); ++record) {
    if (record->kind == RecordKind::kWord) {
      if (const auto decision = ParseDecisionLine(record->text)) {
        out.decided.insert(out.decided.begin(),
                           decision->text.empty() ? InWords(decision->decision) : decision->text);
      }
      continue;
    }
    if (record->kind == RecordKind::kLine && !record->told.empty()) {
      out.text = fmt::format("{}", fmt::join(record->told, " "));
      return out;
    }
    if (record->kind != RecordKind::kSeen) continue;
    const Json json = Json::parse_or(record->text, Json());
    if (!json.is_object()) continue;
    try {
      if (json.value("type", "") != "verdict") continue;
      out.text = json.value("text", "");
      out.shot = json.value("shot", 0);
      out.call = CallOf(json);
      return out;
    } catch (const JsonError&) {
      continue;  // another program's record
    }
  }
  return out;
}

std::string ClubPage(const std::string& title, const std::string& part, const std::string& live,
                     std::int64_t game, bool overlay) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
      "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">"
      "<title>{}</title><link rel=\"stylesheet\" href=\"/style.css\">"
      "<script src=\"/club.js\" defer></script></head><body{}>{}"
      "<main id=\"live\" data-part=\"{}\" data-game=\"{}\">{}</main>{}</body></html>\n",
      Escaped(title), overlay ? " class=\"overlay\"" : "",
      overlay ? ""
              : "<header><a href=\"/\">Fall of Shot</a><span id=\"state\">connecting</span></header>",
      Escaped(part), game, live,
      overlay ? "" : "<noscript>This page follows the games when scripts are allowed; else load it "
                     "again.</noscript>");
}

std::string TablesPart(const std::vector<GameListing>& games, const std::string& older,
                       const std::vector<ClubTable>& tables) {
  std::string live;
  std::string earlier;
  for (const GameListing& one : games) (IsLive(one) ? live : earlier) += ListedGame(one);
  std::string out = "<h1>On the tables</h1>";
  out += live.empty() ? "<p class=\"quiet\">No game is being played.</p>"
                      : "<ul class=\"games live\">" + live + "</ul>";
  out += FreeTables(tables, games);
  if (!earlier.empty()) out += "<h2>Earlier</h2><ul class=\"games\">" + earlier + "</ul>";
  if (!older.empty()) out += fmt::format("<p><a href=\"{}\">Older games</a></p>", Escaped(older));
  return out;
}

std::string GamePart(const GameShownLive& shown) {
  const GameListing& one = shown.listing;
  std::string out = fmt::format("<h1>{}</h1><p class=\"quiet\">{} &middot; {} rules &middot; {}</p>",
                                Escaped(one.game.name), Escaped(Where(one)),
                                Escaped(std::string(RuleSetTitle(one.game.ruleset))),
                                IsLive(one) ? Ago(one.quiet_s)
                                            : Escaped(LongDay(DayOf(one.game.started_unix_s))));
  if (!shown.battle) return out + "<p class=\"quiet\">" + Escaped(shown.why) + "</p>";
  const Battle& battle = *shown.battle;
  out += LiveScore(battle);
  // A game that has ended usually said so last.
  if (!battle.result.empty() && battle.result != shown.last.text) out += "<p class=\"result\">" + Escaped(battle.result) + "</p>";
  out += "<section class=\"now\"><div class=\"verdict\"><h2>" +
         std::string(shown.last.call.empty() ? "Latest" : "Last verdict") + "</h2>" + LastCallPart(shown.last);
  if (!shown.picture.empty()) {
    out += fmt::format("<a href=\"/game/{0}/picture/{1}\"><img alt=\"The evidence for the last "
                       "shot\" src=\"/game/{0}/picture/{1}?small=1\"></a>",
                       one.game.id, shown.picture);
  }
  out += "</div>";
  if (!battle.turns.empty()) {
    const BattleTurn& turn = battle.turns.back();
    out += "<figure>" + ToSvg(TurnMap(battle, turn)) + "<figcaption>" + Escaped(turn.title) +
           "</figcaption></figure>";
  }
  out += "</section>";
  if (!battle.turns.empty()) {
    std::string story;
    for (const BattlePhase& phase : battle.turns.back().phases) {
      if (!phase.name.empty()) story += "<h3>" + Escaped(phase.name) + "</h3>";
      story += "<p>" + Escaped(fmt::format("{}", fmt::join(phase.sentences, " "))) + "</p>";
    }
    if (!story.empty()) out += "<section class=\"story\">" + story + "</section>";
  }
  return out + fmt::format("<p><a href=\"/game/{0}/report\">The battle report so far</a> &middot; "
                           "<a href=\"/overlay?game={0}\">Overlay for a stream</a></p>",
                           one.game.id);
}

std::string OverlayPart(const GameShownLive& shown) {
  std::string out;
  if (shown.battle) out += LiveScore(*shown.battle);
  if (!shown.last.text.empty()) {
    out += "<div class=\"banner\">" + CallBadge(shown.last) + "<p>" + Escaped(shown.last.text) +
           "</p></div>";
  }
  return out;
}

std::string NothingPart(const std::string& sentence) {
  return "<p class=\"quiet\">" + Escaped(sentence) + "</p>";
}

std::string ClubStyle() {
  return R"css(
:root{--paper:#fbf8ee;--card:#fffdf6;--ink:#28241e;--faint:#6f6758;--line:#ddd5bf;--hit:#961414;--miss:#2f5d3a;--close:#8a5a00}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:17px/1.5 system-ui,"Noto Sans","DejaVu Sans",sans-serif}
header{display:flex;justify-content:space-between;align-items:center;padding:10px 16px;background:var(--ink);color:#fffdf6}
header a{color:inherit;text-decoration:none;font-weight:700}
#state{font-size:14px;opacity:.85}
main{max-width:1100px;margin:0 auto;padding:14px 16px 40px}
h1{font-size:28px;line-height:1.15;margin:10px 0}
h2{font-size:20px;margin:24px 0 8px}
h3{font-size:14px;margin:12px 0 2px;color:var(--faint)}
p{margin:0 0 8px}
.games+p{margin-top:12px}
a{color:#1f4b8f}
.quiet,small,figcaption{color:var(--faint)}
.games{list-style:none;margin:0;padding:0;display:grid;gap:10px;grid-template-columns:repeat(auto-fill,minmax(min(100%,300px),1fr))}
.games a{display:block;padding:12px 14px;background:var(--card);border:1px solid var(--line);border-radius:8px;color:inherit;text-decoration:none;overflow-wrap:anywhere}
.games.live a{border-left:6px solid var(--hit)}
.games b,.games span,.games small{display:block}
.score{display:flex;flex-wrap:wrap;gap:10px;margin:12px 0}
.score>div{flex:1 1 150px;display:flex;gap:12px;background:var(--card);border:1px solid var(--line);border-radius:8px;padding:10px 12px;min-width:0}
.score p{margin:0;overflow-wrap:anywhere;min-width:0}
.score b,.score small{display:block}
.swatch{width:8px;flex:none;align-self:stretch;border-radius:4px}
.verdict h2{margin-top:0}
.n{font-size:32px;font-weight:700;line-height:1.1;font-variant-numeric:tabular-nums}
.result{font-weight:700}
.now{display:grid;gap:18px;grid-template-columns:minmax(0,1fr) minmax(0,1.4fr);align-items:start}
.verdict img{width:100%;height:auto;border-radius:6px;display:block;margin-top:8px}
.last{font-size:20px;overflow-wrap:anywhere}
.words{font-style:italic}
.call{display:inline-block;padding:2px 12px;border-radius:99px;color:#fff;font-weight:700;margin-bottom:6px}
.call.hit{background:var(--hit)}.call.miss{background:var(--miss)}.call.close{background:var(--close)}
figure{margin:0}
figure svg{width:100%;height:auto;display:block;border:1px solid var(--line);border-radius:6px}
.story{max-width:44em;margin-top:16px}
@media(max-width:760px){.now{grid-template-columns:minmax(0,1fr)}h1{font-size:24px}}
body.overlay{background:transparent;color:#fff}
.overlay main{max-width:none;padding:24px;display:flex;flex-direction:column;justify-content:space-between;min-height:100vh}
.overlay .score>div{background:rgba(20,18,14,.78);border:0;flex:0 1 420px}
.overlay .score{justify-content:space-between}
.overlay .score b{font-size:30px}.overlay .n{font-size:56px}.overlay small{color:#e8e2d0;font-size:20px}
.overlay .swatch{width:14px}
.banner{background:rgba(20,18,14,.85);border-radius:12px;padding:16px 24px;font-size:34px;line-height:1.25;align-self:center;max-width:90%}
.banner p{margin:0;overflow-wrap:anywhere}
.banner .call{font-size:28px}
)css";
}

std::string ClubScript() {
  return R"js('use strict';
(() => {
  const live = document.getElementById('live');
  const state = document.getElementById('state');
  const least_ms = 400;
  let loading = false, again = false;
  const say = (text) => { if (state) state.textContent = text; };
  const load = async () => {
    if (loading) { again = true; return; }
    loading = true;
    try {
      const answer = await fetch(live.dataset.part, {cache: 'no-store'});
      if (answer.ok) live.innerHTML = await answer.text();
      else if (answer.status === 401) say('not allowed');
    } catch { /* the next change, or the next connection, loads it */ }
    setTimeout(() => { loading = false; if (again) { again = false; load(); } }, least_ms);
  };
  let poll = 0;
  const follow = () => {
    const events = new EventSource('/events');
    events.onopen = () => { clearInterval(poll); poll = 0; say('live'); load(); };
    events.addEventListener('change', (event) => {
      const games = JSON.parse(event.data);
      const mine = Number(live.dataset.game);
      if (mine === 0 || games.includes(mine)) load();
    });
    events.onerror = () => {
      say('waiting for the server');
      if (!poll) poll = setInterval(load, 5000);
      if (events.readyState === EventSource.CLOSED) setTimeout(follow, 5000);
    };
  };
  follow();
})();
)js";
}

}  // namespace fos
