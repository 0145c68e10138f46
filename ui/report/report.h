#pragma once

#include <string>
#include <vector>

#include "engine/table/result.h"
#include "ui/report/battle.h"
#include "ui/report/shooting.h"

namespace fos {

// One page that needs nothing else: style, maps (SVG) and pictures are in it.
std::string ReportHtml(const Battle& battle, const std::vector<ShooterRecord>& shooters);
// The same on sheets of A4.
// errors  kIo: it could not be drawn.
Result<std::string> ReportPdf(const Battle& battle, const std::vector<ShooterRecord>& shooters);

// "Lost: Blue 2: B-line#1, B-line#2." Empty when the turn cost nothing.
std::string CostOf(const Battle& battle, const BattleTurn& turn);
// Where the report comes from and how far it can be trusted, for its foot.
std::string LogSentence(const Battle& battle);

}  // namespace fos
