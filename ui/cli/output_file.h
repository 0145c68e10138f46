// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "engine/table/result.h"

namespace fos {

// Whether an output of a command may go to that file: not where it would replace what the command
// reads, another of its outputs, or a club's file, whose games are nowhere else.
// option  that named it: "--out"
// kept    files the command reads or has written; empty paths are passed over
// errors  kIo, one sentence. Nothing is touched.
Status MayReplace(const std::filesystem::path& file, std::string_view option,
                  const std::vector<std::filesystem::path>& kept);

// Makes the folder of an output that a command is told to write, with those it lies in.
// errors  kIo, one sentence: what is in its place is no folder, or it may not be made.
Status MakeFolderOf(const std::filesystem::path& file);

// Writes an output of a command, in a folder that need not exist yet.
// errors  as MakeFolderOf and WriteWholeFile.
Status WriteOutput(const std::filesystem::path& file, std::string_view text);

}  // namespace fos
