// SPDX-License-Identifier: MIT
#include "engine/squares/json_fields.h"

namespace fos::squares {
namespace {

[[noreturn]] void NoSuchNumber(const char* name) {
  throw UnreadableJson(std::string("`") + name + "` is no whole number of its range");
}

}  // namespace

const Json& FieldOf(const Json& object, const char* name) {
  const Json* const found = object.find(name);
  if (found == object.end()) throw UnreadableJson(std::string("`") + name + "` is missing");
  return *found;
}

void Want(bool is, const char* name, const char* what) {
  if (!is) throw UnreadableJson(std::string("`") + name + "` is no " + what);
}

std::int64_t ReadSigned(const Json& json, const char* name, std::int64_t least, std::int64_t most) {
  if (!json.is_number_integer()) NoSuchNumber(name);
  if (json.is_number_unsigned() && !std::in_range<std::int64_t>(json.get<std::uint64_t>())) {
    NoSuchNumber(name);
  }
  const auto value = json.get<std::int64_t>();
  if (value < least || value > most) NoSuchNumber(name);
  return value;
}

std::uint64_t ReadUnsigned(const Json& json, const char* name, std::uint64_t most) {
  if (!json.is_number_unsigned()) NoSuchNumber(name);
  const auto value = json.get<std::uint64_t>();
  if (value > most) NoSuchNumber(name);
  return value;
}

}  // namespace fos::squares
