#pragma once

#include <array>
#include <concepts>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <nlohmann/json.hpp>

#include "engine/game/chance.h"
#include "engine/table/result.h"

// Structs as JSON and back, by their list of fields: a rule set gives, for each of its structs,
//   template <typename V> void Fields(V& v, Struct& x) { v("name", x.member); ... }
// found where the struct lives. Include it in .cc files only.
namespace fos::squares {

using Json = nlohmann::ordered_json;

template <typename T>
concept Whole = std::integral<T> && !std::same_as<T, bool>;
template <typename T>
Json Written(const T& value);

struct FieldWriter {
  Json out = Json::object();
  template <typename T>
  void operator()(const char* name, const T& value) {
    out[name] = Written(value);
  }
};

template <typename T>
struct IsVector : std::false_type {};
template <typename T>
struct IsVector<std::vector<T>> : std::true_type {};
template <typename T>
struct IsArray : std::false_type {};
template <typename T, std::size_t n>
struct IsArray<std::array<T, n>> : std::true_type {};
template <typename T>
struct IsOptional : std::false_type {};
template <typename T>
struct IsOptional<std::optional<T>> : std::true_type {};

template <typename T>
Json Written(const T& value) {
  if constexpr (std::same_as<T, bool> || Whole<T> || std::same_as<T, std::string>) {
    return value;
  } else if constexpr (std::is_enum_v<T>) {
    return static_cast<int>(value);
  } else if constexpr (std::same_as<T, Generator>) {
    return value.state;
  } else if constexpr (IsOptional<T>::value) {
    return value ? Written(*value) : Json();
  } else if constexpr (IsVector<T>::value || IsArray<T>::value) {
    Json list = Json::array();
    for (const auto& element : value)
      list.push_back(Written(static_cast<const typename T::value_type&>(element)));
    return list;
  } else {
    FieldWriter writer;
    Fields(writer, const_cast<T&>(value));  // the writer only looks
    return std::move(writer.out);
  }
}

// Thrown by the readers below; Guarded() turns it into an Error.
struct UnreadableJson : std::runtime_error {
  using std::runtime_error::runtime_error;
};

template <typename T>
void ReadField(const Json& json, const char* name, T& out);

struct FieldReader {
  const Json& in;
  template <typename T>
  void operator()(const char* name, T& value) {
    const auto found = in.find(name);
    if (found == in.end()) throw UnreadableJson(std::string("`") + name + "` is missing");
    ReadField(*found, name, value);
  }
};

template <typename T>
T ReadWhole(const Json& json, const char* name) {
  const bool unsigned_number = json.is_number_unsigned();
  if (!json.is_number_integer() || (unsigned_number ? !std::in_range<T>(json.get<std::uint64_t>())
                                                    : !std::in_range<T>(json.get<std::int64_t>())))
    throw UnreadableJson(std::string("`") + name + "` is no whole number of its range");
  return json.get<T>();
}

template <typename T>
void ReadField(const Json& json, const char* name, T& out) {
  const auto want = [&](bool is, const char* what) {
    if (!is) throw UnreadableJson(std::string("`") + name + "` is no " + what);
  };
  if constexpr (std::same_as<T, bool>) {
    want(json.is_boolean(), "true or false");
    out = json.get<bool>();
  } else if constexpr (Whole<T>) {
    out = ReadWhole<T>(json, name);
  } else if constexpr (std::same_as<T, std::string>) {
    want(json.is_string(), "text");
    out = json.get<std::string>();
  } else if constexpr (std::is_enum_v<T>) {
    // The largest enumeration has twelve values.
    constexpr int kMostValues = 16;
    const int value = ReadWhole<int>(json, name);
    want(value >= 0 && value < kMostValues, "value of its list");
    out = static_cast<T>(value);
  } else if constexpr (std::same_as<T, Generator>) {
    out.state = ReadWhole<std::uint64_t>(json, name);
  } else if constexpr (IsOptional<T>::value) {
    if (json.is_null()) {
      out.reset();
    } else {
      ReadField(json, name, out.emplace());
    }
  } else if constexpr (IsVector<T>::value) {
    want(json.is_array(), "list");
    out.clear();
    for (const Json& element : json) {
      typename T::value_type value{};
      ReadField(element, name, value);
      out.push_back(std::move(value));
    }
  } else if constexpr (IsArray<T>::value) {
    want(json.is_array() && json.size() == out.size(), "list of its length");
    for (std::size_t i = 0; i < out.size(); ++i) ReadField(json[i], name, out[i]);
  } else {
    want(json.is_object(), "object");
    FieldReader reader{json};
    Fields(reader, out);
  }
}

template <typename Variant, std::size_t i = 0>
Variant Emplaced(std::size_t index) {
  if constexpr (i < std::variant_size_v<Variant>) {
    return i == index ? Variant(std::in_place_index<i>) : Emplaced<Variant, i + 1>(index);
  } else {
    throw UnreadableJson("there is no such kind");
  }
}

// A variant's value with its kind's name under `tag`; `names` in the order of the variant.
template <typename Variant, typename Names>
Json WrittenAs(const char* tag, const Names& names, const Variant& value) {
  Json json = {{tag, names[value.index()]}};
  std::visit([&](const auto& x) { json.update(Written(x)); }, value);
  return json;
}

template <typename Variant, typename Names>
Variant ReadAs(const Json& json, const char* tag, const Names& names) {
  if (!json.is_object()) throw UnreadableJson("it is no object");
  std::string name;
  FieldReader{json}(tag, name);
  std::size_t index = 0;
  while (index < names.size() && names[index] != name) ++index;
  Variant value = Emplaced<Variant>(index);
  std::visit([&](auto& x) { ReadField(json, tag, x); }, value);
  return value;
}

template <typename F>
auto Guarded(std::string_view text, const char* what, F read) -> Result<decltype(read(Json()))> {
  try {
    return read(Json::parse(text));
  } catch (const UnreadableJson& e) {
    return Error{ErrorCode::kBadFormat, std::string(what) + ": " + e.what()};
  } catch (const Json::exception&) {
    return Error{ErrorCode::kBadFormat, std::string(what) + ": not JSON"};
  }
}

// A rule set's events, with their kinds' names under `event`, and its actions under `action`, with
// whether the players overrule.
template <typename Names, typename Event>
std::string EventText(const Names& names, const Event& event) {
  return WrittenAs("event", names, event).dump();
}
template <typename Event, typename Names>
Result<Event> EventOf(const Names& names, std::string_view text) {
  return Guarded(text, "event",
                 [&](const Json& json) { return ReadAs<Event>(json, "event", names); });
}
template <typename Names, typename Action>
std::string ActionText(const Names& names, const Action& action) {
  Json json = WrittenAs("action", names, action.what);
  json["overrule"] = action.overrule;
  return json.dump();
}
template <typename Action, typename Names>
Result<Action> ActionOf(const Names& names, std::string_view text) {
  return Guarded(text, "action", [&](const Json& json) {
    Action action;
    action.what = ReadAs<decltype(action.what)>(json, "action", names);
    FieldReader{json}("overrule", action.overrule);
    return action;
  });
}

}  // namespace fos::squares
