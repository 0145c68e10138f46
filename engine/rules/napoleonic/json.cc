#include "engine/rules/napoleonic/json.h"

#include <array>
#include <limits>
#include <optional>
#include <stdexcept>
#include <utility>

#include <nlohmann/json.hpp>

#include "engine/rules/napoleonic/fields.h"
#include "engine/rules/napoleonic/query.h"

namespace fos::napoleonic {
namespace {

using Json = nlohmann::ordered_json;

// In the order of the variants.
constexpr std::array<std::string_view, std::variant_size_v<Event>> kEventNames = {
    "step_began",      "asked",         "dice_thrown",
    "coin_thrown",     "turned",        "equipment_turned",
    "limbered",        "pooled",        "shot_called",
    "canister_held",   "shot_landed",   "shot_stage_reached",
    "canister_judged", "volley_called", "volley_judged",
    "volleys_over",    "stand_lost",    "equipment_lost",
    "equipment_taken", "close_call",    "moved",
    "stand_placed",    "square_formed", "square_broken",
    "regrouped",       "burns",         "burnt_up",
    "retreat_ordered", "retreat_over",  "one_stand_retreats",
    "melee_joined",    "supported",     "supports_declared",
    "card_chosen",     "melee_decided", "melee_stage_reached",
    "said_done",       "surrendered",   "overruled",
    "game_ended"};
constexpr std::array<std::string_view, std::variant_size_v<Declaration>> kActionNames = {
    "give_dice",         "give_coin",      "draw",        "land",
    "choose_stands",     "choose_retreat", "regroup",     "turn_unit",
    "turn_equipment",    "limber",         "pool",        "call_shot",
    "hold_canister",     "fire_held",      "call_volley", "move",
    "form_square",       "break_square",   "support",     "play_card",
    "destroy_equipment", "end_step",       "surrender"};

template <typename T>
concept Whole = std::integral<T> && !std::same_as<T, bool>;
struct Writer;
template <typename T>
Json Written(const T& value);

struct Writer {
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
    Writer writer;
    Fields(writer, const_cast<T&>(value));  // the writer only looks
    return std::move(writer.out);
  }
}

// Thrown inside this file only.
struct Unreadable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

template <typename T>
void Read(const Json& json, const char* name, T& out);

struct Reader {
  const Json& in;
  template <typename T>
  void operator()(const char* name, T& value) {
    const auto found = in.find(name);
    if (found == in.end()) throw Unreadable(std::string("`") + name + "` is missing");
    Read(*found, name, value);
  }
};

template <typename T>
T ReadWhole(const Json& json, const char* name) {
  const bool unsigned_number = json.is_number_unsigned();
  if (!json.is_number_integer() || (unsigned_number ? !std::in_range<T>(json.get<std::uint64_t>())
                                                    : !std::in_range<T>(json.get<std::int64_t>())))
    throw Unreadable(std::string("`") + name + "` is no whole number of its range");
  return json.get<T>();
}

template <typename T>
void Read(const Json& json, const char* name, T& out) {
  const auto want = [&](bool is, const char* what) {
    if (!is) throw Unreadable(std::string("`") + name + "` is no " + what);
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
      Read(json, name, out.emplace());
    }
  } else if constexpr (IsVector<T>::value) {
    want(json.is_array(), "list");
    out.clear();
    for (const Json& element : json) {
      typename T::value_type value{};
      Read(element, name, value);
      out.push_back(std::move(value));
    }
  } else if constexpr (IsArray<T>::value) {
    want(json.is_array() && json.size() == out.size(), "list of its length");
    for (std::size_t i = 0; i < out.size(); ++i) Read(json[i], name, out[i]);
  } else {
    want(json.is_object(), "object");
    Reader reader{json};
    Fields(reader, out);
  }
}

template <typename Variant, std::size_t i = 0>
Variant Emplaced(std::size_t index) {
  if constexpr (i < std::variant_size_v<Variant>) {
    return i == index ? Variant(std::in_place_index<i>) : Emplaced<Variant, i + 1>(index);
  } else {
    throw Unreadable("there is no such kind");
  }
}

template <typename Variant, typename Names>
Json WrittenAs(const char* tag, const Names& names, const Variant& value) {
  Json json = {{tag, names[value.index()]}};
  std::visit([&](const auto& x) { json.update(Written(x)); }, value);
  return json;
}

template <typename Variant, typename Names>
Variant ReadAs(const Json& json, const char* tag, const Names& names) {
  if (!json.is_object()) throw Unreadable("it is no object");
  std::string name;
  Reader{json}(tag, name);
  std::size_t index = 0;
  while (index < names.size() && names[index] != name) ++index;
  Variant value = Emplaced<Variant>(index);
  std::visit([&](auto& x) { Read(json, tag, x); }, value);
  return value;
}

template <typename F>
auto Guarded(std::string_view text, const char* what, F read) -> Result<decltype(read(Json()))> {
  try {
    return read(Json::parse(text));
  } catch (const Unreadable& e) {
    return Error{ErrorCode::kBadFormat, std::string(what) + ": " + e.what()};
  } catch (const Json::exception&) {
    return Error{ErrorCode::kBadFormat, std::string(what) + ": not JSON"};
  }
}

}  // namespace

std::string EventToJson(const Event& event) {
  return WrittenAs("event", kEventNames, event).dump();
}

std::string ActionToJson(const Action& action) {
  Json json = WrittenAs("action", kActionNames, action.what);
  json["overrule"] = action.overrule;
  return json.dump();
}

std::string StateToJson(const State& state) { return Written(state).dump(); }

Result<Event> EventFromJson(std::string_view text) {
  return Guarded(text, "event",
                 [](const Json& json) { return ReadAs<Event>(json, "event", kEventNames); });
}

Result<Action> ActionFromJson(std::string_view text) {
  return Guarded(text, "action", [](const Json& json) {
    Action action;
    action.what = ReadAs<Declaration>(json, "action", kActionNames);
    Reader{json}("overrule", action.overrule);
    return action;
  });
}

Result<State> StateFromJson(std::string_view text, std::shared_ptr<const Setup> setup) {
  return Guarded(text, "state", [&](const Json& json) {
    State state;
    Read(json, "state", state);
    state.setup = std::move(setup);
    const auto cells = static_cast<std::size_t>(state.setup->board.Cells());
    if (state.burning.size() != cells || state.burnt.size() != cells)
      throw Unreadable("it belongs to another board");
    state.held_by = {std::vector<std::uint8_t>(cells), std::vector<std::uint8_t>(cells)};
    for (const Stand& stand : state.stands) {
      if (!OnBoard(stand)) continue;
      if (stand.side < 0 || stand.side > 1 || stand.cell < 0 ||
          static_cast<std::size_t>(stand.cell) >= cells)
        throw Unreadable("a stand is off the board");
      ++state.held_by[static_cast<std::size_t>(stand.side)][static_cast<std::size_t>(stand.cell)];
    }
    return state;
  });
}

std::string_view EventName(const Event& event) { return kEventNames[event.index()]; }
std::string_view ActionName(const Declaration& action) { return kActionNames[action.index()]; }

}  // namespace fos::napoleonic
