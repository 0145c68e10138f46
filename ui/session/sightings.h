// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "engine/files/event_log.h"
#include "engine/shots/fall_of_shot.h"
#include "engine/shots/seen.h"
#include "engine/table/scenario.h"
#include "ui/session/shot_archive.h"
#include "ui/session/snapshot.h"
#include "vision/pipeline/pipeline.h"
#include "vision/shots/evidence.h"

// Turns what vision detected and the engine judged into events and evidence pictures.
namespace fos {

// "fiducials", "grid", "manual", as events.jsonl writes them.
const char* MethodName(TableRegistration::Method method);
// "trusted", "doubtful" or "untrusted", as events.jsonl writes them.
const char* TrustName(TableTrust trust);
CalibrationEvent CalibrationRecord(const TableRegistration& registration);
SetupEvent SetupRecord(const SetupDoubt& doubt, const Scenario& scenario);
StandsEvent StandsRecord(const StandScene& scene, const Scenario& scenario,
                         const TableFrame& frame);
// The reverse, for one stand: its place and size to a ten-thousandth of an inch.
StandObservation StandOf(const StandRecord& record, const Scenario& scenario);
// With the ruling on the move that it is part of.
StandChangeEvent ChangeRecord(const StandChange& change, const TableFrame& frame,
                              const RuledMoves& ruled);
// evidence  the picture's path, relative to the log's folder.
ShotEvent ShotRecord(const ShotObservation& shot, const TableFrame& frame,
                     const std::string& evidence);
VerdictEvent VerdictRecord(ShotId shot, const ShotVerdict& verdict, const Scenario& scenario);
// The values of the dice that are read surely enough; the players are asked about the others.
DiceEvent DiceRecord(const DiceSeen& dice);
// The same of each die, in lines for the picture of the throw.
std::vector<std::vector<std::string>> DiceWords(const DiceSeen& dice);
// The dice of a throw as they are shown, without their numbers and picture.
std::vector<DieShown> DiceOf(const DiceSeen& dice);
// Takes away the dice that have been picked up: told dice keep their places until then.
void RemoveTaken(const DiceTaken& taken, std::vector<std::shared_ptr<const DieShown>>& dice);
// "cotton swab"
std::string InWords(Projectile projectile);
// "F-1L1#2 from C2 to C3", for the window's log.
std::string InWords(const StandChangeEvent& change);
// The contents of one shot's evidence picture.
EvidenceRequest EvidenceOf(const ArchivedShot& archived, const ShotVerdict& verdict);
// The contents of the picture of a thing that people are asked about.
// near  a place on it, inches
EvidenceRequest QuestionOf(const ArchivedShot& archived, Vec2 near, const std::string& question);

}  // namespace fos
