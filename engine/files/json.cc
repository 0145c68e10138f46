// SPDX-License-Identifier: MIT
#include "engine/files/json.h"

#include <algorithm>
#include <cmath>
#include <istream>
#include <iterator>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace fos {
namespace {

using Library = nlohmann::json;

// Deeper than any file of ours by far; what follows values down recurses once a level.
constexpr std::size_t kDeepest = 500;

// The library's own words and numbers: logs and tests know them.
[[noreturn]] void WrongType(const char* want, const char* is) {
  throw JsonError(
      fmt::format("[json.exception.type_error.302] type must be {}, but is {}", want, is));
}
[[noreturn]] void CannotUse(int number, const char* what, const char* with) {
  throw JsonError(
      fmt::format("[json.exception.type_error.{}] cannot use {} with {}", number, what, with));
}

}  // namespace

// Takes what the library's parser finds.
struct JsonBuilder {
  Json root;
  std::vector<Json*> open;  // the arrays and objects around the next value, outermost first
  Json* next = &root;       // where an object's next value goes

  Json* Add(Json&& value) {
    if (!open.empty() && open.back()->is_array()) {
      auto& list = std::get<std::vector<Json>>(open.back()->value_);
      list.push_back(std::move(value));
      return &list.back();
    }
    *next = std::move(value);
    return next;
  }
  bool Open(Json&& value) {
    if (open.size() == kDeepest) {
      throw JsonError(fmt::format("nested more than {} levels deep", kDeepest));
    }
    open.push_back(Add(std::move(value)));
    return true;
  }

  bool null() { return Add(Json()); }
  bool boolean(bool value) { return Add(value); }
  bool number_integer(std::int64_t value) { return Add(value); }
  bool number_unsigned(std::uint64_t value) { return Add(value); }
  bool number_float(double value, const std::string&) { return Add(value); }
  bool string(std::string& value) { return Add(std::move(value)); }
  bool binary(Library::binary_t&) { return false; }  // JSON has none
  bool start_array(std::size_t) { return Open(Json::array()); }
  bool start_object(std::size_t) { return Open(Json::object()); }
  bool key(std::string& value) {
    next = &(*open.back())[value];
    return true;
  }
  bool end_array() { return Close(); }
  bool end_object() { return Close(); }
  bool Close() {
    open.pop_back();
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const Library::exception& error) {
    throw JsonError(error.what());
  }
};

struct JsonWriter {
  std::string& out;
  int indent;  // spaces for each level; none and all on one line when negative

  void NewLine(int level) const {
    if (indent < 0) return;
    out += '\n';
    out.append(static_cast<std::size_t>(indent * level), ' ');
  }
  template <typename Member>
  void Members(char open, char close, std::size_t count, int level, Member write) const {
    out += open;
    for (std::size_t i = 0; i < count; ++i) {
      if (i > 0) out += ',';
      NewLine(level + 1);
      write(i);
    }
    if (count > 0) NewLine(level);
    out += close;
  }

  void Write(std::nullptr_t, int) const { out += "null"; }
  void Write(bool value, int) const { out += value ? "true" : "false"; }
  void Write(std::int64_t value, int) const { AppendJsonNumber(out, value); }
  void Write(std::uint64_t value, int) const { AppendJsonNumber(out, value); }
  void Write(double value, int) const {
    if (!std::isfinite(value)) {
      out += "null";
      return;
    }
    std::array<char, 64> digits{};
    char* const end = nlohmann::detail::to_chars(digits.data(), digits.end(), value);
    out.append(digits.data(), end);
  }
  void Write(const std::string& value, int) const { AppendJsonText(out, value); }
  void Write(const std::vector<Json>& list, int level) const {
    Members('[', ']', list.size(), level, [&](std::size_t i) { Value(list[i], level + 1); });
  }
  void Write(const Json::Object& object, int level) const {
    Members('{', '}', object.keys.size(), level, [&](std::size_t i) {
      AppendJsonText(out, object.keys[i]);
      out += indent < 0 ? ":" : ": ";
      Value(object.values[i], level + 1);
    });
  }
  void Value(const Json& json, int level) const {
    std::visit([&](const auto& value) { Write(value, level); }, json.value_);
  }
};

void AppendJsonText(std::string& out, std::string_view text) {
  const auto plain = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
  if (!std::all_of(text.begin(), text.end(), plain)) {
    out += Library(std::string(text)).dump(-1, ' ', false, Library::error_handler_t::replace);
    return;
  }
  constexpr std::string_view kEscaped = "\"\\\b\f\n\r\t";
  constexpr std::string_view kAs = "\"\\bfnrt";
  out += '"';
  for (const char c : text) {
    if (const std::size_t at = kEscaped.find(c); at != std::string_view::npos) {
      out += '\\';
      out += kAs[at];
    } else if (c < ' ') {
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<int>(c));
    } else {
      out += c;
    }
  }
  out += '"';
}

void AppendJsonNumber(std::string& out, std::int64_t number) {
  out += fmt::format_int(number).c_str();
}
void AppendJsonNumber(std::string& out, std::uint64_t number) {
  out += fmt::format_int(number).c_str();
}

Json::Json() : value_(nullptr) {}
Json::Json(const Json& other) = default;
Json::Json(Json&& other) noexcept = default;
Json& Json::operator=(const Json& other) = default;
Json& Json::operator=(Json&& other) noexcept = default;
Json::~Json() = default;

Json::Json(std::nullptr_t) : value_(nullptr) {}
Json::Json(double number) : value_(number) {}
Json::Json(const char* text) : value_(std::string(text)) {}
Json::Json(std::string_view text) : value_(std::string(text)) {}
Json::Json(std::string text) : value_(std::move(text)) {}
Json::Json(Boolean value) : value_(value.value) {}
Json::Json(Whole value) : value_(value.bits) {
  if (value.negative) value_ = static_cast<std::int64_t>(value.bits);
}

Json::Json(std::initializer_list<JsonItem> list) {
  const bool members = std::all_of(list.begin(), list.end(), [](const JsonItem& item) {
    return item.value.is_array() && item.value.size() == 2 && item.value.at(0).is_string();
  });
  if (!members) {
    *this = array(list);
    return;
  }
  Object& object = value_.emplace<Object>();
  object.keys.reserve(list.size());
  object.values.reserve(list.size());
  for (const JsonItem& item : list) {
    auto& pair = std::get<std::vector<Json>>(item.value.value_);
    object.keys.push_back(std::move(std::get<std::string>(pair[0].value_)));
    object.values.push_back(std::move(pair[1]));
  }
}

Json Json::array() {
  Json out;
  out.value_.emplace<std::vector<Json>>();
  return out;
}
Json Json::array(std::initializer_list<JsonItem> list) {
  Json out;
  auto& elements = out.value_.emplace<std::vector<Json>>();
  elements.reserve(list.size());
  for (const JsonItem& item : list) elements.push_back(std::move(item.value));
  return out;
}
Json Json::object() {
  Json out;
  out.value_.emplace<Object>();
  return out;
}

Json Json::parse(std::string_view text) {
  JsonBuilder builder;
  Library::sax_parse(text.begin(), text.end(), &builder);
  return std::move(builder.root);
}
Json Json::parse(std::istream& in) {
  std::string text;
  std::array<char, 4096> part{};
  while (in.read(part.data(), part.size()) || in.gcount() > 0) {
    text.append(part.data(), static_cast<std::size_t>(in.gcount()));
  }
  return parse(text);
}
Json Json::parse_or(std::string_view text, Json otherwise) {
  try {
    return parse(text);
  } catch (const JsonError&) {
    return otherwise;
  }
}

std::string Json::dump(int indent) const {
  std::string out;
  JsonWriter{out, indent}.Value(*this, 0);
  return out;
}

bool Json::is_null() const { return std::holds_alternative<std::nullptr_t>(value_); }
bool Json::is_boolean() const { return std::holds_alternative<bool>(value_); }
bool Json::is_number() const { return is_number_integer() || is_number_float(); }
bool Json::is_number_integer() const {
  return std::holds_alternative<std::int64_t>(value_) || is_number_unsigned();
}
bool Json::is_number_unsigned() const { return std::holds_alternative<std::uint64_t>(value_); }
bool Json::is_number_float() const { return std::holds_alternative<double>(value_); }
bool Json::is_string() const { return std::holds_alternative<std::string>(value_); }
bool Json::is_array() const { return std::holds_alternative<std::vector<Json>>(value_); }
bool Json::is_object() const { return std::holds_alternative<Object>(value_); }

const char* Json::TypeName() const {
  constexpr std::array<const char*, 8> kNames = {"null",   "boolean", "number", "number",
                                                 "number", "string",  "array",  "object"};
  return kNames[value_.index()];
}

void Json::To(bool& out) const {
  if (!is_boolean()) WrongType("boolean", TypeName());
  out = std::get<bool>(value_);
}
void Json::To(double& out) const {
  if (const auto* real = std::get_if<double>(&value_)) {
    out = *real;
  } else if (const auto* whole = std::get_if<std::uint64_t>(&value_)) {
    out = static_cast<double>(*whole);
  } else if (const auto* negative = std::get_if<std::int64_t>(&value_)) {
    out = static_cast<double>(*negative);
  } else {
    WrongType("number", TypeName());
  }
}
void Json::To(std::int64_t& out) const {
  constexpr double kBeyond = 9223372036854775808.0;  // 2^63
  if (const auto* whole = std::get_if<std::uint64_t>(&value_)) {
    if (!std::in_range<std::int64_t>(*whole)) throw JsonError("the number is too large");
    out = static_cast<std::int64_t>(*whole);
  } else if (const auto* negative = std::get_if<std::int64_t>(&value_)) {
    out = *negative;
  } else if (const auto* real = std::get_if<double>(&value_)) {
    if (!(std::abs(*real) < kBeyond)) throw JsonError("the number is too large");
    out = static_cast<std::int64_t>(*real);
  } else {
    WrongType("number", TypeName());
  }
}
void Json::To(std::uint64_t& out) const {
  if (const auto* whole = std::get_if<std::uint64_t>(&value_)) {
    out = *whole;
    return;
  }
  std::int64_t value = 0;
  To(value);
  if (value < 0) throw JsonError("the number is negative");
  out = static_cast<std::uint64_t>(value);
}
void Json::To(std::string& out) const {
  if (!is_string()) WrongType("string", TypeName());
  out = std::get<std::string>(value_);
}
void Json::To(Json& out) const { out = *this; }
void Json::WantArray() const {
  if (!is_array()) WrongType("array", TypeName());
}

const Json* Json::Member(std::string_view key) const {
  if (!is_object()) CannotUse(306, "value()", TypeName());
  const Json* const found = find(key);
  return found == end() ? nullptr : found;
}
std::string Json::value(const char* key, const char* otherwise) const {
  return value(key, std::string(otherwise));
}

std::size_t Json::size() const { return static_cast<std::size_t>(end() - begin()); }
const Json* Json::begin() const {
  if (const auto* list = std::get_if<std::vector<Json>>(&value_)) return list->data();
  if (const auto* object = std::get_if<Object>(&value_)) return object->values.data();
  return is_null() ? nullptr : this;  // a single value is a range of one
}
const Json* Json::end() const {
  if (const auto* list = std::get_if<std::vector<Json>>(&value_))
    return list->data() + list->size();
  if (const auto* object = std::get_if<Object>(&value_))
    return object->values.data() + object->values.size();
  return is_null() ? nullptr : this + 1;
}

const Json* Json::find(std::string_view key) const {
  const auto* object = std::get_if<Object>(&value_);
  if (object == nullptr) return end();
  const auto at = std::find(object->keys.begin(), object->keys.end(), key);
  return object->values.data() + (at - object->keys.begin());
}
bool Json::contains(std::string_view key) const { return is_object() && find(key) != end(); }

const Json& Json::at(std::string_view key) const {
  if (!is_object()) CannotUse(304, "at()", TypeName());
  const Json* const found = find(key);
  if (found == end()) {
    throw JsonError(fmt::format("[json.exception.out_of_range.403] key '{}' not found", key));
  }
  return *found;
}
const Json& Json::at(std::size_t index) const {
  if (!is_array()) CannotUse(304, "at()", TypeName());
  if (index >= size()) {
    throw JsonError(
        fmt::format("[json.exception.out_of_range.401] array index {} is out of range", index));
  }
  return begin()[index];
}

Json& Json::operator[](std::string_view key) {
  if (is_null()) value_.emplace<Object>();
  auto* object = std::get_if<Object>(&value_);
  if (object == nullptr) CannotUse(305, "operator[] with a string argument", TypeName());
  const auto at = std::find(object->keys.begin(), object->keys.end(), key);
  const auto index = static_cast<std::size_t>(at - object->keys.begin());
  if (at == object->keys.end()) {
    object->keys.emplace_back(key);
    object->values.emplace_back();
  }
  return object->values[index];
}
void Json::push_back(Json element) {
  if (is_null()) value_.emplace<std::vector<Json>>();
  auto* list = std::get_if<std::vector<Json>>(&value_);
  if (list == nullptr) CannotUse(308, "push_back()", TypeName());
  list->push_back(std::move(element));
}

std::vector<Json::Item> Json::items() const& {
  std::vector<Item> out;
  const auto* object = std::get_if<Object>(&value_);
  for (std::size_t i = 0; i < size(); ++i) {
    out.push_back({object ? object->keys[i] : std::to_string(i), begin()[i]});
  }
  return out;
}

bool operator==(const Json& a, const Json& b) { return a.value_ == b.value_; }

}  // namespace fos
