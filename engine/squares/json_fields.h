// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <concepts>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "engine/files/json.h"
#include "engine/game/chance.h"
#include "engine/table/result.h"

// Structs as JSON and back, by their list of fields: a rule set gives, for each of its structs,
//   FOS_JSON_FIELDS(Struct, member, ...)                        (field_list.h)
// where the struct lives. Include it in .cc files only.
namespace fos::squares {

template <typename T>
void Append(std::string& out, const T& value);

// Writes an object's fields one behind the other.
struct JsonFieldWriter {
  std::string& out;
  template <typename T>
  void operator()(const char* name, const T& value) {
    Name(name);
    Append(out, value);
  }
  void Name(const char* name) {
    if (out.back() != '{') out += ',';
    out += '"';
    out += name;
    out += "\":";
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
void Append(std::string& out, const T& value) {
  if constexpr (std::same_as<T, bool>) {
    out += value ? "true" : "false";
  } else if constexpr (std::unsigned_integral<T>) {
    AppendJsonNumber(out, std::uint64_t{value});
  } else if constexpr (std::signed_integral<T>) {
    AppendJsonNumber(out, std::int64_t{value});
  } else if constexpr (std::same_as<T, std::string>) {
    AppendJsonText(out, value);
  } else if constexpr (std::is_enum_v<T>) {
    AppendJsonNumber(out, std::int64_t{static_cast<int>(value)});
  } else if constexpr (std::same_as<T, Generator>) {
    AppendJsonNumber(out, value.state);
  } else if constexpr (IsOptional<T>::value) {
    if (value) {
      Append(out, *value);
    } else {
      out += "null";
    }
  } else if constexpr (IsVector<T>::value || IsArray<T>::value) {
    out += '[';
    for (const auto& element : value) {
      if (out.back() != '[') out += ',';
      Append(out, static_cast<const typename T::value_type&>(element));
    }
    out += ']';
  } else {
    out += '{';
    JsonFieldWriter writer{out};
    Fields(writer, const_cast<T&>(value));  // the writer only looks
    out += '}';
  }
}

template <typename T>
std::string Written(const T& value) {
  std::string out;
  Append(out, value);
  return out;
}

// Thrown by the readers below; Guarded() turns it into an Error.
struct UnreadableJson : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// errors  UnreadableJson, naming the field.
const Json& FieldOf(const Json& object, const char* name);
void Want(bool is, const char* name, const char* what);
std::int64_t ReadSigned(const Json& json, const char* name, std::int64_t least, std::int64_t most);
std::uint64_t ReadUnsigned(const Json& json, const char* name, std::uint64_t most);

template <typename T>
void ReadField(const Json& json, const char* name, T& out);

struct JsonFieldReader {
  const Json& in;
  template <typename T>
  void operator()(const char* name, T& value) {
    ReadField(FieldOf(in, name), name, value);
  }
};

template <typename T>
void ReadField(const Json& json, const char* name, T& out) {
  if constexpr (std::same_as<T, bool>) {
    Want(json.is_boolean(), name, "true or false");
    out = json.get<bool>();
  } else if constexpr (std::unsigned_integral<T>) {
    out = static_cast<T>(ReadUnsigned(json, name, std::numeric_limits<T>::max()));
  } else if constexpr (std::signed_integral<T>) {
    out = static_cast<T>(
        ReadSigned(json, name, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
  } else if constexpr (std::same_as<T, std::string>) {
    Want(json.is_string(), name, "text");
    out = json.get<std::string>();
  } else if constexpr (std::is_enum_v<T>) {
    // The largest enumeration has twelve values.
    constexpr int kMostValues = 16;
    int value = 0;
    ReadField(json, name, value);
    Want(value >= 0 && value < kMostValues, name, "value of its list");
    out = static_cast<T>(value);
  } else if constexpr (std::same_as<T, Generator>) {
    ReadField(json, name, out.state);
  } else if constexpr (IsOptional<T>::value) {
    if (json.is_null()) {
      out.reset();
    } else {
      ReadField(json, name, out.emplace());
    }
  } else if constexpr (IsVector<T>::value) {
    Want(json.is_array(), name, "list");
    out.clear();
    for (const Json& element : json) {
      typename T::value_type value{};
      ReadField(element, name, value);
      out.push_back(std::move(value));
    }
  } else if constexpr (IsArray<T>::value) {
    Want(json.is_array() && json.size() == out.size(), name, "list of its length");
    for (std::size_t i = 0; i < out.size(); ++i) ReadField(json[i], name, out[i]);
  } else {
    Want(json.is_object(), name, "object");
    JsonFieldReader reader{json};
    Fields(reader, out);
  }
}

// A variant's value with its kind's name under `tag`; `names` in the order of the variant. `rest`
// writes what follows its fields.
template <typename Variant, typename Names, typename Rest>
std::string WrittenAs(const char* tag, const Names& names, const Variant& value, Rest rest) {
  std::string out = "{";
  JsonFieldWriter writer{out};
  writer(tag, std::string(names[value.index()]));
  std::visit(
      [&writer]<typename T>(const T& x) {
        Fields(writer, const_cast<T&>(x));  // the writer only looks
      },
      value);
  rest(writer);
  return out + '}';
}

template <typename Variant, typename Names, std::size_t... i>
Variant ReadKind(const Json& json, const char* tag, const Names& names, std::index_sequence<i...>) {
  if (!json.is_object()) throw UnreadableJson("it is no object");
  std::string name;
  JsonFieldReader{json}(tag, name);
  Variant value;
  const bool known =
      ((names[i] == name && (ReadField(json, tag, value.template emplace<i>()), true)) || ...);
  if (!known) throw UnreadableJson("there is no such kind");
  return value;
}
template <typename Variant, typename Names>
Variant ReadAs(const Json& json, const char* tag, const Names& names) {
  return ReadKind<Variant>(json, tag, names,
                           std::make_index_sequence<std::variant_size_v<Variant>>());
}

template <typename F>
auto Guarded(std::string_view text, const char* what, F read) -> Result<decltype(read(Json()))> {
  try {
    return read(Json::parse(text));
  } catch (const UnreadableJson& e) {
    return Error{ErrorCode::kBadFormat, std::string(what) + ": " + e.what()};
  } catch (const JsonError&) {
    return Error{ErrorCode::kBadFormat, std::string(what) + ": not JSON"};
  }
}

// A rule set's events, with their kinds' names under `event`, and its actions under `action`, with
// whether the players overrule.
template <typename Names, typename Event>
std::string EventText(const Names& names, const Event& event) {
  return WrittenAs("event", names, event, [](JsonFieldWriter&) {});
}
template <typename Event, typename Names>
Result<Event> EventOf(const Names& names, std::string_view text) {
  return Guarded(text, "event",
                 [&](const Json& json) { return ReadAs<Event>(json, "event", names); });
}
template <typename Names, typename Action>
std::string ActionText(const Names& names, const Action& action) {
  return WrittenAs("action", names, action.what,
                   [&](JsonFieldWriter& writer) { writer("overrule", action.overrule); });
}
template <typename Action, typename Names>
Result<Action> ActionOf(const Names& names, std::string_view text) {
  return Guarded(text, "action", [&](const Json& json) {
    Action action;
    action.what = ReadAs<decltype(action.what)>(json, "action", names);
    JsonFieldReader{json}("overrule", action.overrule);
    return action;
  });
}

// The state of a game of this setup. check(State&) throws UnreadableJson where it does not fit.
template <typename State, typename Setup, typename Check>
Result<State> StateOf(std::string_view text, std::shared_ptr<const Setup> setup, Check check) {
  return Guarded(text, "state", [&](const Json& json) {
    State state;
    ReadField(json, "state", state);
    state.setup = std::move(setup);
    check(state);
    return state;
  });
}

}  // namespace fos::squares
