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

// TOML that people wrote, read with typed getters that say file, line and mend when they refuse.
//
// A file is read straight through: a getter that refuses notes the problem and returns a harmless
// value, every known key is asked for once, and TomlFile::Problem() at the end says what to mend
// first. Not-a-number and infinity are refused wherever a number is read.
namespace fos {

// The candidate at the least edit distance (insertions, deletions, replacements, swaps of
// neighbours; the case of letters counts half); the first of equals. Empty when there is none.
std::string NearestName(std::string_view name, const std::vector<std::string>& candidates);

// The text as a string of TOML, in quotes.
std::string TomlString(std::string_view text);

// Both ends belong to it.
struct TomlRange {
  double least = 0;
  double most = 0;
};

struct TomlValue;  // a node of the parsed file
class TomlTable;

// One parsed file. Tables refer to it, so it must outlive them; it can be moved only before Root().
class TomlFile {
 public:
  // errors  kNotFound (no such file), kBadFormat (not a regular file, larger than any such file
  //         is, or not TOML: the line), kIo.
  static Result<TomlFile> Read(const std::filesystem::path& path);
  // `name` stands for the file in messages.
  static Result<TomlFile> Parse(std::string_view text, std::string name);

  TomlTable Root();
  // What to mend first: an unknown key before anything else (a key spelt wrong is also a key that
  // lacks), else the first refusal. Ok when nothing was refused.
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
  // Not empty, at most 100 bytes, without control characters: it goes into messages and logs.
  std::string Text(std::string_view key);
  // Index into `names`. `what` says what they are ("rule set"). Another name is refused with the
  // nearest of them; -1 then.
  int Choice(std::string_view key, std::string_view what, const std::vector<std::string>& names);
  Colour Paint(std::string_view key);  // "#rrggbb"
  // [x, y], each in its range.
  Vec2 Point(std::string_view key, TomlRange x, TomlRange y);
  // [[x, y], ...], at least `least` and at most 10000 of them.
  std::vector<Vec2> Points(std::string_view key, int least, TomlRange x, TomlRange y);
  // A list of numbers, each in the range: `least` to `most` of them.
  std::vector<double> Numbers(std::string_view key, std::size_t least, std::size_t most,
                              TomlRange range);
  // A list of whole numbers, or of strings as Text() wants them, at most 1000.
  std::vector<int> Integers(std::string_view key, TomlRange range);
  std::vector<std::string> Texts(std::string_view key);
  // Every key, in the file's order: for tables whose keys are names the file itself gives.
  std::vector<std::string> Keys() const;
  // [key]. Required: ask Has() first for one that may lack.
  std::optional<TomlTable> Table(std::string_view key);
  // [[key]], or a list of inline tables, at most 2000; empty when the key lacks.
  std::vector<TomlTable> Tables(std::string_view key);

  // For checks of the caller's own. The line is the key's, or the table's where the key lacks.
  void Refuse(std::string_view key, ErrorCode code, const std::string& what);
  int LineOf(std::string_view key) const;
  const std::string& Name() const { return name_; }  // "[board]", "[[unit]]", for messages
  // Refuses the first key that no getter asked for, naming the nearest that one did.
  void NoOtherKeys();
  // The same where others may add keys of their own: refuses only what looks like a known key spelt
  // wrong.
  void NoMisspeltKeys();
  // The keys that no getter asked for, with their values: lines of TOML that say the same again.
  std::string OtherKeys() const;

 private:
  friend class TomlFile;
  TomlTable(TomlFile& file, const TomlValue& value, std::string name)
      : file_(&file), value_(&value), name_(std::move(name)) {}
  void RefuseOthers(const std::function<bool(const std::string& key)>& refused);
  const TomlValue* Find(std::string_view key);      // notes the key as known
  const TomlValue* Required(std::string_view key);  // refuses where it lacks
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
