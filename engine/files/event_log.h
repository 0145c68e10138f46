// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "engine/table/decision.h"
#include "engine/table/result.h"
#include "engine/table/vec2.h"

// events.jsonl (contract, section 4): the report of a judged clip, one JSON object per line.
// Written by this program, read by `evaluate` and other programs. Inches, degrees clockwise from
// north, pixels; names as in the scenario.
namespace fos {

struct CalibrationEvent {
  int width_px = 0;
  int height_px = 0;
  std::array<double, 9> camera_matrix{};  // row by row
  std::array<double, 5> distortion{};     // k1 k2 p1 p2 k3
  std::array<double, 3> rvec{};           // x_camera = R(rvec) x_table + tvec
  std::array<double, 3> tvec{};           // inches
  double lens_rms_px = 0;                 // 0 if the camera's file does not give it
  double table_rms_in = 0;
  std::string method;  // "fiducials", "grid" or "manual"
  // How far the table's position can be trusted: "trusted", "doubtful" or "untrusted"; and why not
  // fully, with what to do. Both empty in logs of older programs.
  std::string trust;
  std::string reason;
};

struct StandRecord {
  std::string id;
  std::string unit;  // empty while unknown
  std::string side;
  std::string kind;
  std::string square;  // of the footprint's centre; empty off the board
  Vec2 centre;
  double bearing_deg = 0;
  std::array<Vec2, 4> polygon{};  // front-left, front-right, rear-right, rear-left
  double sigma_in = 0;            // one-sigma error of the centre along either axis
  double visible = 1;
  // Probability that this stand, of its side and kind, is there; empty in logs of older programs.
  std::optional<double> confidence{};
};
struct StandsEvent {
  std::vector<StandRecord> stands;
  // At the start, under rules that measure: the script lines that place every stand where it was
  // seen (docs/scripts.md).
  std::vector<std::string> placement = {};
};

// The stands seen are not those that the scenario places, and chance does not explain it: nothing
// is called until they are. Or they are now, or the players say that the table is right.
struct SetupEvent {
  struct Unit {
    std::string unit;
    std::string square;  // where the scenario places it
    int stands = 0;      // that it has
    int seen = 0;        // of them, in that square
  };
  bool fits = false;
  std::optional<bool> accepted = {};  // the players' answer: right as it stands, or not after all
  std::vector<Unit> missing;           // units of which less than half is seen
  std::vector<std::string> strangers;  // ids of stands where the scenario has none of their kind
  std::string evidence;  // picture path relative to the log's folder; empty if there is none
  std::string text;      // one sentence for people
};

struct ViewEvent {
  bool obstructed = false;  // a hand, a head, a knocked light
  // Why nothing can be judged and what to do, for the players; empty: hands over the table.
  std::string reason = {};
};

struct CameraMovedEvent {
  double shift_px = 0;
};

// Something that is neither a stand nor a projectile was put down on the table, or was taken.
struct ObjectEvent {
  int object = 0;  // from 1; the same when it is gone
  bool gone = false;
  std::string square;         // of its middle; empty off the board
  std::vector<Vec2> outline;  // on the cloth
  std::int64_t at_rest_frame = 0;
};

struct ShotEvent {
  int shot = 0;            // from 1
  std::string projectile;  // "qtip" or "shell"
  Vec2 point;
  double z_in = 0;
  double sigma_in = 0;
  std::string square;  // empty off the board
  std::int64_t at_rest_frame = 0;
  double visible = 1;
  std::string evidence;   // picture path relative to the log's folder; empty if there is none
  std::string kept = {};  // folder with the frames it was measured from; likewise
};

// A projectile lies there, but its point cannot be measured, so the players must decide.
struct AskEvent {
  int shot = 0;  // numbered together with the shots
  std::string projectile;
  Vec2 near;           // a point on it
  std::string square;  // empty off the board
  std::string kept;
  std::string text;  // one sentence for people
};

struct VerdictStand {
  std::string id;
  std::string side;
  std::string kind;
  bool touch = false;      // rule "touch"; false: "circle"
  double distance_in = 0;  // from the point to the footprint in the table plane, 0 inside it
  double sigma_in = 0;
  double p_hit = 0;
  Call call = Call::kTooClose;
};
// The terrain under the point and its effects.
struct GroundRecord {
  std::string square;                // empty off the board
  std::vector<std::string> lies_on;  // terrain types, as in the scenario
  bool is_protected = false;
  bool water = false;
  std::vector<std::string> burning_tests;  // what may catch fire: "tree", "house", ...
};
// The ruling of the scenario's rule set on the shot; ids of stands.
struct RulingRecord {
  bool no_effect = false;
  std::vector<std::string> equipment;  // destroyed by touch
  std::vector<std::string> crew;       // lost with it
  std::vector<std::string> eligible;   // one of these is lost
  std::vector<std::string> barred;     // in reach, but protected
  std::vector<std::string> doubtful;   // the players settle these first
  std::string fire_square;             // throw the fire dice for it; empty for none
  std::vector<std::string> clauses;
};
struct VerdictEvent {
  int shot = 0;
  std::vector<VerdictStand> stands;
  std::vector<std::string> casualties;
  bool choice = false;  // the firer must choose one of several
  GroundRecord ground;
  std::optional<RulingRecord> ruling;
  // "doubtful" or "untrusted" when the table's position was not fully trusted, "misfit" when the
  // stands are not those of the scenario, else empty. Every call on an untrusted or misfit table is
  // too close.
  std::string trust;
  std::string text;  // one sentence for people
};

struct PlaceRecord {
  std::string square;
  Vec2 centre;
  double bearing_deg = 0;
};
struct StandChangeEvent {
  enum class What { kMoved, kRemoved, kAdded } what = What::kMoved;
  std::string id;
  std::optional<PlaceRecord> from;  // absent if it was added
  std::optional<PlaceRecord> to;    // absent if it was removed
  // The rule set's remark on the move, and the clause if it refuses the move.
  std::string remark;
  std::string refused_by;
};

// The players overrule the refusal of a move. `move` counts the judged moves.
struct MoveOverruledEvent {
  int move = 0;                     // from 1
  std::vector<std::string> stands;  // ids of the stands that moved
  std::string from, to;             // squares
  std::string clause;               // the clause that refuses it
  std::string text;                 // the remark, one sentence
};

// Stands that look alike and were handled together: the one called `id` may be `may_be`. The
// players must decide.
struct IdentityDoubtedEvent {
  struct Stand {
    std::string id;
    std::string may_be;
  };
  int doubt = 0;  // from 1
  std::vector<Stand> stands;
  std::string text;  // one sentence for people
};
// The players' answer. If `changed`, the next `stands` event has the new names.
struct IdentitySettledEvent {
  int doubt = 0;
  bool changed = false;
  std::string text;
  bool withdrawn = false;  // no longer asked: another answer settles it
};

// A throw of dice as the camera reads it, or dice that were picked up.
struct DiceEvent {
  static constexpr int kUsualFaces = 6;
  std::vector<int> values;
  std::vector<Vec2> centres;  // one per value
  // The chance of each value, and of the pictures they were read from; empty in older logs.
  std::vector<double> chances = {};
  std::string evidence = {};  // picture path relative to the log's folder
  // Dice that are not read surely enough: the players are asked. Cocked ones are thrown again.
  struct Asked {
    Vec2 centre;
    bool cocked = false;
    std::vector<int> values;  // the likely ones, and their chances; the likeliest first
    std::vector<double> chances;
    int faces = kUsualFaces;
  };
  std::vector<Asked> asked = {};
  bool taken = false;  // these lay there and were picked up: `centres` only
  std::vector<int> faces = {};  // how many each of `values` has; empty: all have six
  int FacesOf(std::size_t value) const { return faces.empty() ? kUsualFaces : faces[value]; }
};

struct StageTime {
  double median_ms = 0;
  double p99_ms = 0;
};
struct EndEvent {
  std::int64_t frames = 0;
  double seconds_of_work = 0;
  std::map<std::string, StageTime> stage_ms;
  // Why the recording ended before its time, a sentence; empty when it is whole. Everything up to
  // there was judged.
  std::string cut_off = {};
};

using EventBody =
    std::variant<CalibrationEvent, StandsEvent, ViewEvent, CameraMovedEvent, ShotEvent,
                 VerdictEvent, StandChangeEvent, DiceEvent, EndEvent, AskEvent, MoveOverruledEvent,
                 IdentityDoubtedEvent, IdentitySettledEvent, ObjectEvent, SetupEvent>;

struct EventRecord {
  std::int64_t frame = 0;  // from 0: the first frame in which it was known
  double time_s = 0;       // of the clip
  EventBody body;
};

// In a sentence for the players.
std::string ObjectText(const ObjectEvent& event);
std::string ViewText(const ViewEvent& event);
std::string DiceText(const DiceEvent& event);

// One line of events.jsonl without the line break. Positions are rounded to 1e-4 in.
// errors  kOutOfRange if a number is not finite; names the event and the key.
Result<std::string> EventLine(const EventRecord& event);
// errors  kBadFormat: a key is missing or of the wrong type. Unknown keys are ignored; an unknown
//         `type` gives an empty optional.
Result<std::optional<EventRecord>> ParseEventLine(const std::string& line);

// Collects a log and writes it as a whole, so that no half-written file is left behind.
class EventLogWriter {
 public:
  // errors  kOutOfRange, as EventLine; the event is then not added.
  Status Append(const EventRecord& event);
  // Writes all lines, by frame and then in the order they were added, to a new file beside `path`
  // that replaces it when complete.
  // errors  kIo
  Status Write(const std::filesystem::path& path) const;

 private:
  std::vector<std::pair<std::int64_t, std::string>> lines_;  // by frame
};

// errors  kNotFound, kIo, kBadFormat with file and line.
Result<std::vector<EventRecord>> ReadEventLog(const std::filesystem::path& path);

}  // namespace fos
