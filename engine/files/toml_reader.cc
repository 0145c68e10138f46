// SPDX-License-Identifier: MIT
#include "engine/files/toml_reader.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fstream>
#include <sstream>
#include <utility>
#include <variant>

#include <fmt/format.h>
#include <toml++/toml.h>

#include "engine/files/plain_text.h"

namespace fos {

// A copy of the parsed file in plain values, so that the parser's types stay in this file.
struct TomlValue {
  struct Member;
  using Array = std::vector<TomlValue>;
  using Members = std::vector<Member>;
  struct Date {
    std::string text;  // as written in TOML; dates are not interpreted
  };

  std::variant<Date, bool, std::int64_t, double, std::string, Array, Members> is;
  int line = 0;
};
struct TomlValue::Member {
  std::string key;
  int line = 0;
  TomlValue value;
};

namespace {

// A scenario of a thousand units with outlined terrain is smaller than 1 MB.
constexpr std::uintmax_t kLargestFile_bytes = 4u << 20;
constexpr std::size_t kLongestText_bytes = 100;
constexpr std::size_t kMostPoints = 10000;
constexpr std::size_t kMostTables = 2000;

// Deeper than any file of ours: for each level the parser and its tree recurse.
constexpr int kMostParts = 16;     // of a dotted key
constexpr int kMostBrackets = 32;  // open at once

// Walks TOML's text outside of strings and comments. The line that nests too deep, or 0.
int TooDeepAt(std::string_view text) {
  int line = 1;
  int brackets = 0;
  int dots = 0;  // of the key that is being read
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '\n') ++line;
    if (c == '#') {
      while (at + 1 < text.size() && text[at + 1] != '\n') ++at;
    } else if (c == '"' || c == '\'') {
      const std::string three(3, c);
      const bool long_text = text.substr(at, 3) == three;
      at += long_text ? 3 : 1;
      // To the quote that ends it; a short one ends with its line at the latest.
      for (; at < text.size(); ++at) {
        if (text[at] == '\n') ++line;
        const bool escape = text[at] == '\\' && c == '"' && text.substr(at + 1, 1) != "\n";
        if (escape) {
          ++at;
        } else if (long_text ? text.substr(at, 3) == three : text[at] == c || text[at] == '\n') {
          break;
        }
      }
      // Up to two quotes may be part of the text before the three that end it.
      if (long_text) {
        at += 2;
        for (int more = 0; more < 2 && at + 1 < text.size() && text[at + 1] == c; ++more) ++at;
      }
    } else if (c == '.') {
      if (++dots >= kMostParts) return line;
    } else if (c == '[' || c == '{') {
      dots = 0;
      if (++brackets > kMostBrackets) return line;
    } else if (c == ']' || c == '}') {
      dots = 0;
      brackets = std::max(brackets - 1, 0);
    } else if (c == '=' || c == ',' || c == '\n') {
      dots = 0;
    }
  }
  return 0;
}

TomlValue Converted(const toml::node& node) {
  TomlValue out;
  out.line = static_cast<int>(node.source().begin.line);
  if (const toml::table* table = node.as_table()) {
    TomlValue::Members members;
    for (const auto& [key, value] : *table) {
      members.push_back(
          {std::string(key.str()), static_cast<int>(key.source().begin.line), Converted(value)});
    }
    std::stable_sort(members.begin(), members.end(),
                     [](const auto& a, const auto& b) { return a.line < b.line; });
    out.is = std::move(members);
  } else if (const toml::array* array = node.as_array()) {
    TomlValue::Array elements;
    for (const toml::node& element : *array) elements.push_back(Converted(element));
    out.is = std::move(elements);
  } else if (const auto* text = node.as_string()) {
    out.is = text->get();
  } else if (const auto* whole = node.as_integer()) {
    out.is = whole->get();
  } else if (const auto* number = node.as_floating_point()) {
    out.is = number->get();
  } else if (const auto* flag = node.as_boolean()) {
    out.is = flag->get();
  } else {
    std::ostringstream date;
    if (const auto* day = node.as_date()) date << day->get();
    if (const auto* time = node.as_time()) date << time->get();
    if (const auto* both = node.as_date_time()) date << both->get();
    out.is = TomlValue::Date{date.str()};
  }
  return out;
}

std::string_view TypeName(const TomlValue& value) {
  constexpr std::string_view kNames[] = {"a date",   "true or false", "a whole number", "a number",
                                         "a string", "a list",        "a table"};
  return kNames[value.is.index()];
}

// Quotes refused text, shortened and without control characters.
std::string Quoted(std::string_view text) {
  std::string out(1, '`');
  out += text.substr(0, kLongestText_bytes);
  std::replace_if(
      out.begin(), out.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }, '?');
  out = PlainText(out);
  return out + (text.size() > kLongestText_bytes ? "...`" : "`");
}

bool IsBareKey(std::string_view key) {
  return !key.empty() && std::all_of(key.begin(), key.end(), [](unsigned char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  });
}

std::string Written(const TomlValue& value);
std::string Written(const TomlValue::Member& member) {
  return (IsBareKey(member.key) ? member.key : TomlString(member.key)) + " = " +
         Written(member.value);
}

template <typename List>
std::string Written(const List& list, const char* begin, const char* end) {
  std::string out = begin;
  for (const auto& one : list) out += (&one == &list.front() ? "" : ", ") + Written(one);
  return out + end;
}

// On one line; nested tables become inline tables.
std::string Written(const TomlValue& value) {
  struct {
    std::string operator()(const TomlValue::Date& date) const { return date.text; }
    std::string operator()(bool flag) const { return flag ? "true" : "false"; }
    std::string operator()(std::int64_t whole) const { return fmt::format("{}", whole); }
    std::string operator()(double number) const {
      const std::string out = fmt::format("{}", number);  // the shortest exact form
      const bool whole = out.find_first_not_of("-0123456789") == std::string::npos;
      return whole ? out + ".0" : out;
    }
    std::string operator()(const std::string& text) const { return TomlString(text); }
    std::string operator()(const TomlValue::Array& list) const { return Written(list, "[", "]"); }
    std::string operator()(const TomlValue::Members& table) const {
      return table.empty() ? "{}" : Written(table, "{ ", " }");
    }
  } write;
  return std::visit(write, value.is);
}

std::string Listed(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : ", ") + name;
  return out;
}

double EditDistance(std::string_view a, std::string_view b) {
  const auto replaced = [](char x, char y) {
    if (x == y) return 0.0;
    const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
    return lower(x) == lower(y) ? 0.5 : 1.0;
  };
  std::vector<std::vector<double>> d(a.size() + 1, std::vector<double>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = static_cast<double>(i);
  for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = static_cast<double>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      d[i][j] = std::min(
          {d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + replaced(a[i - 1], b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
      }
    }
  }
  return d[a.size()][b.size()];
}

// Up to two typing errors, and fewer than the word has letters.
bool LooksLike(std::string_view key, std::string_view known) {
  constexpr std::size_t kSlips = 2;
  if (key.size() > known.size() + kSlips) return false;
  const double distance = EditDistance(key, known);
  return distance <= kSlips && 2 * distance <= static_cast<double>(key.size());
}

}  // namespace

std::string TomlString(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    } else {
      out += c;
    }
  }
  return out + '"';
}

std::string NearestName(std::string_view name, const std::vector<std::string>& candidates) {
  const std::string_view head = name.substr(0, kLongestText_bytes);
  std::string nearest;
  double least = 0;
  for (const std::string& candidate : candidates) {
    const double distance = EditDistance(head, candidate);
    if (nearest.empty() || distance < least) {
      nearest = candidate;
      least = distance;
    }
  }
  return nearest;
}

TomlFile::TomlFile(std::string name, std::unique_ptr<TomlValue> root)
    : name_(std::move(name)), root_(std::move(root)) {}
TomlFile::TomlFile(TomlFile&&) noexcept = default;
TomlFile& TomlFile::operator=(TomlFile&&) noexcept = default;
TomlFile::~TomlFile() = default;

Result<TomlFile> TomlFile::Read(const std::filesystem::path& path) {
  std::error_code failed;
  const std::filesystem::file_status status = std::filesystem::status(path, failed);
  if (!std::filesystem::exists(status)) {
    return Error{
        ErrorCode::kNotFound,
        fmt::format("{}: no such file; see docs/files.md for what belongs in it", path.string())};
  }
  if (!std::filesystem::is_regular_file(status)) {
    return Error{ErrorCode::kBadFormat,
                 fmt::format("{}: not a file; give a TOML text file", path.string())};
  }
  const std::uintmax_t size = std::filesystem::file_size(path, failed);
  if (failed || size > kLargestFile_bytes) {
    return Error{
        ErrorCode::kBadFormat,
        fmt::format("{}: larger than any such file (4 MB); give a TOML text file", path.string())};
  }
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  if (size > 0) text << in.rdbuf();
  if (!in || (size > 0 && !text)) {
    return Error{ErrorCode::kIo,
                 fmt::format("{}: cannot be read; check its permissions", path.string())};
  }
  return Parse(text.str(), path.string());
}

Result<TomlFile> TomlFile::Parse(std::string_view text, std::string name) {
  if (const int line = TooDeepAt(text); line > 0) {
    return Error{ErrorCode::kBadFormat,
                 fmt::format("{}:{}: nested deeper than any such file; remove brackets or dots",
                             name, line)};
  }
  try {
    const toml::table table = toml::parse(text);
    auto root = std::make_unique<TomlValue>(Converted(table));
    return TomlFile(std::move(name), std::move(root));
  } catch (const toml::parse_error& e) {
    return Error{ErrorCode::kBadFormat,
                 fmt::format("{}:{}: not TOML: {}", name, e.source().begin.line, e.description())};
  } catch (const std::exception& e) {
    return Error{ErrorCode::kBadFormat, fmt::format("{}: not TOML: {}", name, e.what())};
  }
}

TomlTable TomlFile::Root() { return {*this, *root_, "the file"}; }

Status TomlFile::Problem() const {
  if (unknown_key_) return *unknown_key_;
  if (refusal_) return *refusal_;
  return Ok();
}

void TomlFile::Refuse(ErrorCode code, int line, const std::string& what, bool unknown_key) {
  std::optional<Error>& kept = unknown_key ? unknown_key_ : refusal_;
  if (!kept) kept = Error{code, fmt::format("{}:{}: {}", name_, std::max(line, 1), what)};
}

const TomlValue* TomlTable::Find(std::string_view key) {
  if (std::find(known_.begin(), known_.end(), key) == known_.end()) known_.emplace_back(key);
  const auto* members = std::get_if<TomlValue::Members>(&value_->is);
  if (members == nullptr) return nullptr;
  for (const TomlValue::Member& member : *members) {
    if (member.key == key) return &member.value;
  }
  return nullptr;
}

const TomlValue* TomlTable::Required(std::string_view key) {
  const TomlValue* value = Find(key);
  if (value == nullptr) {
    RefuseAt(value_->line, ErrorCode::kBadFormat, fmt::format("{} lacks `{}`; add it", name_, key));
  }
  return value;
}

int TomlTable::LineOf(std::string_view key) const {
  if (const auto* members = std::get_if<TomlValue::Members>(&value_->is)) {
    for (const TomlValue::Member& member : *members) {
      if (member.key == key) return member.line;
    }
  }
  return value_->line;
}

void TomlTable::RefuseAt(int line, ErrorCode code, const std::string& what) {
  file_->Refuse(code, line, what);
}

void TomlTable::Refuse(std::string_view key, ErrorCode code, const std::string& what) {
  RefuseAt(LineOf(key), code, what);
}

bool TomlTable::Has(std::string_view key) { return Find(key) != nullptr; }

double TomlTable::NumberOf(const TomlValue& value, std::string_view key, TomlRange range) {
  double number = range.least;
  if (const auto* whole = std::get_if<std::int64_t>(&value.is)) {
    number = static_cast<double>(*whole);
  } else if (const auto* real = std::get_if<double>(&value.is)) {
    number = *real;
  } else {
    RefuseAt(value.line, ErrorCode::kBadFormat,
             fmt::format("`{}` of {} is {}; want a number", key, name_, TypeName(value)));
    return range.least;
  }
  // Written so that NaN is refused.
  if (number >= range.least && number <= range.most) return number;
  RefuseAt(value.line, ErrorCode::kOutOfRange,
           fmt::format("`{}` of {} is {:.6g}; want {:.6g} to {:.6g}", key, name_, number,
                       range.least, range.most));
  return range.least;
}

double TomlTable::Number(std::string_view key, TomlRange range) {
  const TomlValue* value = Required(key);
  return value == nullptr ? range.least : NumberOf(*value, key, range);
}

double TomlTable::Number(std::string_view key, TomlRange range, double fallback) {
  const TomlValue* value = Find(key);
  return value == nullptr ? fallback : NumberOf(*value, key, range);
}

int TomlTable::Integer(std::string_view key, TomlRange range) {
  const TomlValue* value = Required(key);
  return value == nullptr ? static_cast<int>(range.least) : IntegerOf(*value, key, range);
}

int TomlTable::IntegerOf(const TomlValue& value, std::string_view key, TomlRange range) {
  if (!std::holds_alternative<std::int64_t>(value.is)) {
    RefuseAt(value.line, ErrorCode::kBadFormat,
             fmt::format("`{}` of {} is {}; want a whole number", key, name_, TypeName(value)));
    return static_cast<int>(range.least);
  }
  return static_cast<int>(NumberOf(value, key, range));
}

const std::vector<TomlValue>* TomlTable::ListOf(std::string_view key) {
  constexpr std::size_t kLongestList = 1000;
  const TomlValue* value = Required(key);
  if (value == nullptr) return nullptr;
  const auto* list = std::get_if<TomlValue::Array>(&value->is);
  if (list != nullptr && list->size() <= kLongestList) return list;
  RefuseAt(value->line, ErrorCode::kBadFormat,
           fmt::format("`{}` of {} is {}; want a list of at most {}", key, name_, TypeName(*value),
                       kLongestList));
  return nullptr;
}

std::vector<double> TomlTable::Numbers(std::string_view key, std::size_t least, std::size_t most,
                                       TomlRange range) {
  std::vector<double> out;
  const int line = LineOf(key);
  const auto* list = ListOf(key);
  if (list == nullptr) return std::vector<double>(least, range.least);
  if (list->size() < least || list->size() > most) {
    RefuseAt(line, ErrorCode::kBadFormat,
             fmt::format(
                 "`{}` of {} holds {} numbers; want {}", key, name_, list->size(),
                 least == most ? fmt::format("{}", least) : fmt::format("{} to {}", least, most)));
    return std::vector<double>(least, range.least);
  }
  for (const TomlValue& value : *list) out.push_back(NumberOf(value, key, range));
  return out;
}

std::vector<int> TomlTable::Integers(std::string_view key, TomlRange range) {
  std::vector<int> out;
  if (const auto* list = ListOf(key))
    for (const TomlValue& value : *list) out.push_back(IntegerOf(value, key, range));
  return out;
}

std::vector<std::string> TomlTable::Texts(std::string_view key) {
  std::vector<std::string> out;
  if (const auto* list = ListOf(key))
    for (const TomlValue& value : *list) out.push_back(TextOf(value, key));
  return out;
}

std::vector<std::string> TomlTable::Keys() const {
  std::vector<std::string> out;
  for (const TomlValue::Member& member : std::get<TomlValue::Members>(value_->is))
    out.push_back(member.key);
  return out;
}

bool TomlTable::Flag(std::string_view key, bool fallback) {
  const TomlValue* value = Find(key);
  if (value == nullptr) return fallback;
  if (const bool* flag = std::get_if<bool>(&value->is)) return *flag;
  RefuseAt(value->line, ErrorCode::kBadFormat,
           fmt::format("`{}` of {} is {}; want true or false", key, name_, TypeName(*value)));
  return fallback;
}

std::string TomlTable::Text(std::string_view key) {
  const TomlValue* value = Required(key);
  return value == nullptr ? std::string() : TextOf(*value, key);
}

std::string TomlTable::TextOf(const TomlValue& value, std::string_view key) {
  const auto* text = std::get_if<std::string>(&value.is);
  if (text == nullptr) {
    RefuseAt(value.line, ErrorCode::kBadFormat,
             fmt::format("`{}` of {} is {}; want a string in quotes", key, name_, TypeName(value)));
    return {};
  }
  if (text->empty() || !IsPlainLine(*text) || text->size() > kLongestText_bytes) {
    RefuseAt(value.line, ErrorCode::kBadFormat,
             fmt::format("`{}` of {} is {}; want 1 to {} plain characters", key, name_,
                         text->empty() ? "empty" : Quoted(*text), kLongestText_bytes));
    return {};
  }
  return *text;
}

int TomlTable::Choice(std::string_view key, std::string_view what,
                      const std::vector<std::string>& names) {
  const std::string name = Text(key);
  if (name.empty()) return -1;
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<int>(found - names.begin());
  constexpr std::size_t kListedInFull = 12;
  std::string mend = names.empty() ? "there are none"
                                   : fmt::format("the nearest is `{}`", NearestName(name, names));
  if (names.size() > 1 && names.size() <= kListedInFull) mend += " (of " + Listed(names) + ")";
  Refuse(key, ErrorCode::kBadFormat,
         fmt::format("`{}` of {} is {}, which is no {}; {}", key, name_, Quoted(name), what, mend));
  return -1;
}

Colour TomlTable::Paint(std::string_view key) {
  const std::string text = Text(key);
  if (text.empty()) return {};
  const bool hex = text.size() == 7 && text[0] == '#' &&
                   std::all_of(text.begin() + 1, text.end(),
                               [](char c) { return std::isxdigit(static_cast<unsigned char>(c)); });
  if (!hex) {
    Refuse(key, ErrorCode::kBadFormat,
           fmt::format("`{}` of {} is {}; want a colour as \"#rrggbb\"", key, name_, Quoted(text)));
    return {};
  }
  const auto byte = [&text](std::size_t at) {
    return static_cast<std::uint8_t>(std::stoi(text.substr(at, 2), nullptr, 16));
  };
  return {byte(1), byte(3), byte(5)};
}

Vec2 TomlTable::PointOf(const TomlValue& value, std::string_view key, TomlRange x, TomlRange y) {
  const auto* pair = std::get_if<TomlValue::Array>(&value.is);
  if (pair == nullptr || pair->size() != 2) {
    RefuseAt(value.line, ErrorCode::kBadFormat,
             fmt::format("`{}` of {} holds {}; want [x, y]", key, name_,
                         pair == nullptr ? std::string(TypeName(value))
                                         : fmt::format("a list of {}", pair->size())));
    return {x.least, y.least};
  }
  return {NumberOf((*pair)[0], key, x), NumberOf((*pair)[1], key, y)};
}

Vec2 TomlTable::Point(std::string_view key, TomlRange x, TomlRange y) {
  const TomlValue* value = Required(key);
  return value == nullptr ? Vec2{x.least, y.least} : PointOf(*value, key, x, y);
}

std::vector<Vec2> TomlTable::Points(std::string_view key, int least, TomlRange x, TomlRange y) {
  const TomlValue* value = Required(key);
  if (value == nullptr) return {};
  const auto* list = std::get_if<TomlValue::Array>(&value->is);
  if (list == nullptr) {
    RefuseAt(value->line, ErrorCode::kBadFormat,
             fmt::format("`{}` of {} is {}; want a list of points [[x, y], ...]", key, name_,
                         TypeName(*value)));
    return {};
  }
  if (list->size() < static_cast<std::size_t>(least) || list->size() > kMostPoints) {
    RefuseAt(value->line, ErrorCode::kBadFormat,
             fmt::format("`{}` of {} holds {} points; want {} to {}", key, name_, list->size(),
                         least, kMostPoints));
    return {};
  }
  std::vector<Vec2> points;
  for (const TomlValue& point : *list) points.push_back(PointOf(point, key, x, y));
  return points;
}

std::optional<TomlTable> TomlTable::Table(std::string_view key) {
  const TomlValue* value = Required(key);
  if (value == nullptr) return std::nullopt;
  if (!std::holds_alternative<TomlValue::Members>(value->is)) {
    RefuseAt(value->line, ErrorCode::kBadFormat,
             fmt::format("`{}` is {}; want a table [{}]", key, TypeName(*value), key));
    return std::nullopt;
  }
  return TomlTable(*file_, *value, fmt::format("[{}]", key));
}

std::vector<TomlTable> TomlTable::Tables(std::string_view key) {
  const TomlValue* value = Find(key);
  if (value == nullptr) return {};
  const auto* list = std::get_if<TomlValue::Array>(&value->is);
  if (list != nullptr && list->size() > kMostTables) {
    RefuseAt(value->line, ErrorCode::kOutOfRange,
             fmt::format("{} of [[{}]]; want at most {}", list->size(), key, kMostTables));
    return {};
  }
  std::vector<TomlTable> tables;
  if (list != nullptr) {
    for (const TomlValue& element : *list) {
      if (!std::holds_alternative<TomlValue::Members>(element.is)) break;
      tables.push_back(TomlTable(*file_, element, fmt::format("[[{}]]", key)));
    }
  }
  if (list == nullptr || tables.size() != list->size()) {
    RefuseAt(value->line, ErrorCode::kBadFormat,
             fmt::format("`{}` is not a list of tables; write each as [[{}]]", key, key));
    return {};
  }
  return tables;
}

void TomlTable::NoOtherKeys() {
  RefuseOthers([](const std::string&) { return true; });
}

void TomlTable::NoMisspeltKeys() {
  RefuseOthers([&](const std::string& key) {
    return std::any_of(known_.begin(), known_.end(),
                       [&](const std::string& known) { return LooksLike(key, known); });
  });
}

std::string TomlTable::OtherKeys() const {
  std::string out;
  if (const auto* members = std::get_if<TomlValue::Members>(&value_->is)) {
    for (const TomlValue::Member& member : *members) {
      const bool known = std::find(known_.begin(), known_.end(), member.key) != known_.end();
      if (!known) out += Written(member) + '\n';
    }
  }
  return out;
}

void TomlTable::RefuseOthers(const std::function<bool(const std::string& key)>& refused) {
  const auto* members = std::get_if<TomlValue::Members>(&value_->is);
  if (members == nullptr) return;
  for (const TomlValue::Member& member : *members) {
    if (std::find(known_.begin(), known_.end(), member.key) != known_.end()) continue;
    if (!refused(member.key)) continue;
    file_->Refuse(ErrorCode::kBadFormat, member.line,
                  fmt::format("unknown key {} in {}; the nearest known key is `{}`",
                              Quoted(member.key), name_, NearestName(member.key, known_)),
                  /*unknown_key=*/true);
    return;
  }
}

}  // namespace fos
