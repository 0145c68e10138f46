// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "engine/files/json.h"
#include "engine/journal/record.h"

namespace fos {

// Measurements as JSON, every number bit for bit.
std::string MeasuredText(const ShotMeasured& measured);
std::string MeasuredText(const StandsMeasured& measured);
// errors  JsonError
ShotMeasured ShotMeasuredFrom(const std::string& text);
StandsMeasured StandsMeasuredFrom(const std::string& text);

// PostgreSQL's texts hold neither NUL nor broken UTF-8. Such a text is kept as U+FFFF, a character
// that no text has, and its bytes in hexadecimal digits.
std::string ToServerText(const std::string& text);
std::string FromServerText(const std::string& text);

// The record as `append_records` takes it, and the start as `begin_game` does.
Json RecordForServer(const Record& record);
Json StartForServer(const GameStart& start);

}  // namespace fos
