// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/table/result.h"
#include "engine/table/scenario.h"

// Reads TOML that people wrote, with typed getters whose errors name file, line and remedy.
//
// Read a file straight through: a getter that refuses records the problem and returns a harmless
// value, every known key is requested once, and TomlFile::Problem() at the end reports what to fix
// first. Numbers that are not finite are always refused.
namespace fos {

// The candidate with the smallest edit distance (insertions, deletions, replacements, swaps of
// neighbours; a change of case counts half); the first of equals. Empty if there are none.
std::string NearestName(std::string_view name, const std::vector<std::string>& candidates);

// The text as a quoted TOML string.
std::string TomlString(std::string_view text);

// Both ends are included.
struct TomlRange {
  double least = 0;
  double most = 0;
};

struct TomlValue;  // a node of the parsed file
class TomlTable;

// One parsed file. Its tables refer to it, so it must outlive them; it may be moved only before
// Root().
class TomlFile {
 public:
  // errors  kNotFound (no such file); kBadFormat (not a regular file, too large, or not TOML; with
  //         the line); kIo.
  static Result<TomlFile> Read(const std::filesystem::path& path);
  // `name` stands for the file in messages.
  static Result<TomlFile> Parse(std::string_view text, std::string name);

  TomlTable Root();
  // What to fix first: an unknown key if there is one (a misspelt key is also a missing one), else
  // the first refusal. Ok if nothing was refused.
  Status Problem() const;

  TomlFile(TomlFile&&) noexcept;
  TomlFile& operator=(TomlFile&&) noexcept;
  ~TomlFile();

 private:
  friend class TomlTable;
  TomlFile(std::string name, std::unique_ptr<TomlValue> root);
  void Refuse(ErrorCode code, int line, const std::string& what, bool unknown_key = false);

  std::string name_;
  std::unique_ptr<TomlValue> root_;
  std::optional<Error> unknown_key_;
  std::optional<Error> refusal_;
};

// One table of a file. Getters without a fallback require the key.
class TomlTable {
 public:
  bool Has(std::string_view key);
  double Number(std::string_view key, TomlRange range);
  double Number(std::string_view key, TomlRange range, double fallback);
  int Integer(std::string_view key, TomlRange range);
  bool Flag(std::string_view key, bool fallback);
  // Not empty, at most 100 bytes and without control characters, because it goes into messages and
  // logs.
  std::string Text(std::string_view key);
  // The index into `names`. `what` describes them ("rule set"). Any other name is refused with the
  // nearest one; returns -1 then.
  int Choice(std::string_view key, std::string_view what, const std::vector<std::string>& names);
  Colour Paint(std::string_view key);  // "#rrggbb"
  // [x, y], each in its range.
  Vec2 Point(std::string_view key, TomlRange x, TomlRange y);
  // [[x, y], ...], at least `least` and at most 10000 of them.
  std::vector<Vec2> Points(std::string_view key, int least, TomlRange x, TomlRange y);
  // A list of `least` to `most` numbers, each in the range.
  std::vector<double> Numbers(std::string_view key, std::size_t least, std::size_t most,
                              TomlRange range);
  // A list of whole numbers, or of strings as in Text(), at most 1000.
  std::vector<int> Integers(std::string_view key, TomlRange range);
  std::vector<std::string> Texts(std::string_view key);
  // Every key in the file's order, for tables whose keys are names that the file chooses.
  std::vector<std::string> Keys() const;
  // [key]. Required: call Has() first if it is optional.
  std::optional<TomlTable> Table(std::string_view key);
  // [[key]], or a list of inline tables, at most 2000; empty if the key is missing.
  std::vector<TomlTable> Tables(std::string_view key);

  // For the caller's own checks. Reports the key's line, or the table's if the key is missing.
  void Refuse(std::string_view key, ErrorCode code, const std::string& what);
  int LineOf(std::string_view key) const;
  const std::string& Name() const { return name_; }  // "[board]", "[[unit]]", for messages
  // Refuses the first key that no getter requested, naming the nearest one that was.
  void NoOtherKeys();
  // The same where other keys are allowed: refuses only what looks like a misspelt known key.
  void NoMisspeltKeys();
  // The keys that no getter requested, with their values, as lines of TOML.
  std::string OtherKeys() const;

 private:
  friend class TomlFile;
  TomlTable(TomlFile& file, const TomlValue& value, std::string name)
      : file_(&file), value_(&value), name_(std::move(name)) {}
  void RefuseOthers(const std::function<bool(const std::string& key)>& refused);
  const TomlValue* Find(std::string_view key);      // records the key as known
  const TomlValue* Required(std::string_view key);  // refuses if it is missing
  const std::vector<TomlValue>* ListOf(std::string_view key);
  std::string TextOf(const TomlValue& value, std::string_view key);
  int IntegerOf(const TomlValue& value, std::string_view key, TomlRange range);
  double NumberOf(const TomlValue& value, std::string_view key, TomlRange range);
  Vec2 PointOf(const TomlValue& value, std::string_view key, TomlRange x, TomlRange y);
  void RefuseAt(int line, ErrorCode code, const std::string& what);

  TomlFile* file_;
  const TomlValue* value_;
  std::string name_;
  std::vector<std::string> known_;
};

}  // namespace fos
