// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "engine/table/result.h"
#include "ui/report/battle.h"
#include "ui/report/shooting.h"

namespace fos {

// One self-contained HTML page with style, maps (SVG) and pictures.
std::string ReportHtml(const Battle& battle, const std::vector<ShooterRecord>& shooters);
// The same as a PDF of A4 pages.
// errors  kIo: the PDF could not be drawn.
Result<std::string> ReportPdf(const Battle& battle, const std::vector<ShooterRecord>& shooters);

// Of the library that draws the PDF: "1.16.0".
std::string CairoVersion();

// "Lost: Blue 2: B-line#1, B-line#2." Empty when nothing was lost.
std::string CostOf(const Battle& battle, const BattleTurn& turn);
// The report's footer: its source, and whether the game came out the same.
std::string LogSentence(const Battle& battle);

}  // namespace fos
