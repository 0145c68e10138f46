// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iosfwd>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

// JSON values. They behave as nlohmann::ordered_json does, for the part of it that this program
// uses, and keep its names; but this header compiles in a hundredth of the time, since json.cc
// alone includes the library.
namespace fos {

// Text that is not JSON, or a value that is missing or of another type than asked for.
struct JsonError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct JsonItem;  // an element of a braced list, see below

class Json {
 public:
  Json();  // null
  Json(const Json& other);
  Json(Json&& other) noexcept;
  Json& operator=(const Json& other);
  Json& operator=(Json&& other) noexcept;
  ~Json();

  Json(std::nullptr_t);
  Json(double number);
  Json(const char* text);
  Json(std::string_view text);
  Json(std::string text);
  // Whole numbers and bool, but no pointer or enumeration that would convert to them.
  template <typename T>
  requires std::integral<T> Json(T value) : Json(Exact(value)) {}
  template <typename T>
  Json(const std::vector<T>& list) : Json(array()) {
    for (const T& element : list) push_back(element);
  }
  template <typename T, std::size_t n>
  Json(const std::array<T, n>& list) : Json(array()) {
    for (const T& element : list) push_back(element);
  }
  // {{"key", value}, ...} is an object, any other list an array.
  Json(std::initializer_list<JsonItem> list);

  static Json array();
  static Json array(std::initializer_list<JsonItem> list);
  static Json object();
  // errors: JsonError with line, column and what was expected there.
  static Json parse(std::string_view text);
  static Json parse(std::istream& in);
  // `otherwise` when the text is not JSON.
  static Json parse_or(std::string_view text, Json otherwise);

  // As text on one line, or with each level indented by that many spaces. Object keys keep their
  // order; bytes that are not UTF-8 become U+FFFD; numbers that are not finite become null.
  std::string dump(int indent = -1) const;

  bool is_null() const;
  bool is_boolean() const;
  bool is_number() const;
  bool is_number_integer() const;
  bool is_number_unsigned() const;  // a whole number that is not negative
  bool is_number_float() const;
  bool is_string() const;
  bool is_array() const;
  bool is_object() const;

  // T: bool, double, a whole number, std::string, or a vector or array of those.
  // errors: JsonError when the value is no such thing.
  template <typename T>
  T get() const {
    T out{};
    To(out);
    return out;
  }
  // What the object has under the key; `otherwise` when it has nothing there.
  template <typename T>
  T value(const char* key, T otherwise) const {
    const Json* const found = Member(key);
    return found ? found->get<T>() : otherwise;
  }
  std::string value(const char* key, const char* otherwise) const;

  // Elements of an array, members of an object; in order. Null has none.
  std::size_t size() const;
  const Json* begin() const;
  const Json* end() const;
  // Of an object; end() when it has no such key.
  const Json* find(std::string_view key) const;
  bool contains(std::string_view key) const;
  // errors: JsonError when there is none.
  const Json& at(std::string_view key) const;
  const Json& at(std::size_t index) const;
  const Json& operator[](std::size_t index) const { return at(index); }
  // Adds the key where it is missing; null becomes an object.
  Json& operator[](std::string_view key);
  // Null becomes an array.
  void push_back(Json element);

  struct Item {
    std::string key;
    const Json& value;
  };
  // An object's keys and values; an array's keys are "0", "1", ...
  std::vector<Item> items() const&;
  std::vector<Item> items() const&& = delete;  // the values would be gone

  friend bool operator==(const Json& a, const Json& b);

 private:
  struct Object {
    std::vector<std::string> keys;
    std::vector<Json> values;
    friend bool operator==(const Object&, const Object&) = default;
  };
  struct Boolean {
    bool value;
  };
  struct Whole {
    bool negative;
    std::uint64_t bits;
  };
  friend struct JsonBuilder;
  friend struct JsonWriter;

  static Boolean Exact(bool value) { return {value}; }
  template <typename T>
  static Whole Exact(T value) {
    return {std::cmp_less(value, 0), static_cast<std::uint64_t>(value)};
  }
  Json(Boolean value);
  Json(Whole value);

  void To(bool& out) const;
  void To(double& out) const;
  void To(std::int64_t& out) const;
  void To(std::uint64_t& out) const;
  void To(std::string& out) const;
  void To(Json& out) const;
  template <typename T>
  requires std::integral<T>
  void To(T& out) const {
    std::int64_t whole = 0;
    To(whole);
    if (!std::in_range<T>(whole)) throw JsonError("the number is too large");
    out = static_cast<T>(whole);
  }
  template <typename T>
  void To(std::vector<T>& out) const {
    WantArray();
    for (const Json& element : *this) out.push_back(element.get<T>());
  }
  template <typename T, std::size_t n>
  void To(std::array<T, n>& out) const {
    WantArray();
    for (std::size_t i = 0; i < n; ++i) out[i] = at(i).get<T>();
  }
  void WantArray() const;
  const Json* Member(std::string_view key) const;
  const char* TypeName() const;

  // A whole number that is not negative is held as unsigned.
  std::variant<std::nullptr_t, bool, std::int64_t, std::uint64_t, double, std::string,
               std::vector<Json>, Object>
      value_;
};

// Lets the elements of a braced list be moved from rather than copied.
struct JsonItem {
  template <typename T>
  requires std::constructible_from<Json, T&&> JsonItem(T&& from) : value(std::forward<T>(from)) {}
  JsonItem(std::initializer_list<JsonItem> list) : value(list) {}
  mutable Json value;
};

// For those who write JSON without building it first: a text in quotes, escaped, and a number.
void AppendJsonText(std::string& out, std::string_view text);
void AppendJsonNumber(std::string& out, std::int64_t number);
void AppendJsonNumber(std::string& out, std::uint64_t number);

}  // namespace fos
