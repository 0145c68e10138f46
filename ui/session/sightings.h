#pragma once

#include "engine/files/event_log.h"
#include "engine/shots/fall_of_shot.h"
#include "engine/shots/seen.h"
#include "engine/table/scenario.h"
#include "ui/session/shot_archive.h"
#include "vision/pipeline/pipeline.h"
#include "vision/shots/evidence.h"

// What vision saw and the engine judged, as records of events.jsonl and evidence pictures.
namespace fos {

// "fiducials", "grid", "manual", as events.jsonl writes them.
const char* MethodName(TableRegistration::Method method);
CalibrationEvent CalibrationRecord(const TableRegistration& registration);
StandsEvent StandsRecord(const StandScene& scene, const Scenario& scenario,
                         const TableFrame& frame);
// With what the rules say to the move that it is part of.
StandChangeEvent ChangeRecord(const StandChange& change, const TableFrame& frame,
                              const RuledMoves& ruled);
// evidence  the picture's path, relative to the log's folder.
ShotEvent ShotRecord(const ShotObservation& shot, const TableFrame& frame,
                     const std::string& evidence);
VerdictEvent VerdictRecord(ShotId shot, const ShotVerdict& verdict, const Scenario& scenario);
// "cotton bud"
std::string InWords(Projectile projectile);
// "F-1L1#2 from C2 to C3", for the window's log.
std::string InWords(const StandChangeEvent& change);
// What goes on the picture of one shot.
EvidenceRequest EvidenceOf(const ArchivedShot& kept, const ShotVerdict& verdict);

}  // namespace fos
