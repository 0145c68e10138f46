// SPDX-License-Identifier: MIT
#include "engine/files/json.h"

#include <array>
#include <cmath>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace fos {
namespace {

std::string Refusal(const std::string& text) {
  try {
    Json::parse(text);
  } catch (const JsonError& error) {
    return error.what();
  }
  return "none";
}

TEST(JsonText, KeepsTheOrderOfKeysAndTheKindOfNumbers) {
  const std::string text = R"({"z":1,"a":-2,"m":[1.0,-0.0,2.5,1e+22,null,true,""],"e":{}})";
  EXPECT_EQ(Json::parse(text).dump(), text);
}

TEST(JsonText, HoldsTheLargestAndTheSmallestWholeNumber) {
  const Json json = {std::numeric_limits<std::uint64_t>::max(),
                     std::numeric_limits<std::int64_t>::min()};
  EXPECT_EQ(json.dump(), "[18446744073709551615,-9223372036854775808]");
  EXPECT_EQ(Json::parse(json.dump()), json);
}

TEST(JsonText, EscapesWhatTextMayNotHold) {
  EXPECT_EQ(Json("\"\\\b\f\n\r\t\x01\x7f/").dump(), "\"\\\"\\\\\\b\\f\\n\\r\\t\\u0001\x7f/\"");
  EXPECT_EQ(Json("\xc3\xa9\xff").dump(), "\"\xc3\xa9\xef\xbf\xbd\"") << "é, and a byte of no UTF-8";
}

TEST(JsonText, WritesNullForWhatIsNoNumber) { EXPECT_EQ(Json(std::nan("")).dump(), "null"); }

TEST(JsonText, IndentsEachLevel) {
  const Json json = {{"a", {1, 2}}, {"b", Json::array()}, {"c", Json::object()}};
  EXPECT_EQ(json.dump(1), "{\n \"a\": [\n  1,\n  2\n ],\n \"b\": [],\n \"c\": {}\n}");
}

TEST(JsonText, SaysWhereItIsWrong) {
  EXPECT_EQ(Refusal("{\"a\":\n [1,]}"),
            "[json.exception.parse_error.101] parse error at line 2, column 5: syntax error while "
            "parsing value - unexpected ']'; expected '[', '{', or a literal");
  EXPECT_EQ(Refusal("[1e999]"),
            "[json.exception.out_of_range.406] number overflow parsing '1e999'");
  EXPECT_EQ(Json::parse_or("[1,", Json("no")), Json("no"));
}

TEST(JsonText, RefusesNestingThatWouldOverflowTheStack) {
  const auto nested = [](std::size_t levels) {
    return std::string(levels, '[') + std::string(levels, ']');
  };
  EXPECT_EQ(Refusal(nested(500)), "none");
  EXPECT_EQ(Refusal(nested(501)), "nested more than 500 levels deep");
  EXPECT_EQ(Refusal(std::string(1'000'000, '[')), "nested more than 500 levels deep");
}

TEST(JsonText, IsReadFromAStream) {
  std::istringstream in("[" + std::string(10'000, ' ') + "1]");
  EXPECT_EQ(Json::parse(in), Json::array({1}));
}

TEST(JsonValue, BracedPairsWithATextFirstAreAnObject) {
  const Json object = {{"x", 1.5}, {"y", {{"z", std::vector<std::string>{"p", "q"}}}}};
  EXPECT_EQ(object.dump(), R"({"x":1.5,"y":{"z":["p","q"]}})");
  const Json list = {{1, 2}, {3, 4}};
  EXPECT_EQ(list.dump(), "[[1,2],[3,4]]");
}

TEST(JsonValue, TheLastOfTwoEqualKeysCounts) {
  EXPECT_EQ(Json::parse(R"({"a":1,"b":2,"a":3})").dump(), R"({"a":3,"b":2})");
}

TEST(JsonValue, NullBecomesWhatIsAddedToIt) {
  Json json;
  json["list"].push_back(1);
  json["list"].push_back("two");
  EXPECT_EQ(json.dump(), R"({"list":[1,"two"]})");
}

TEST(JsonValue, SaysWhatIsMissingOrOfAnotherType) {
  const auto refusal = [](auto read) -> std::string {
    try {
      read(Json::parse(R"({"a":[1,"x"],"big":5000000000,"far":1e300})"));
    } catch (const JsonError& error) {
      return error.what();
    }
    return "none";
  };
  EXPECT_EQ(refusal([](const Json& json) { json.at("b"); }),
            "[json.exception.out_of_range.403] key 'b' not found");
  EXPECT_EQ(refusal([](const Json& json) { json.at("a").at(2); }),
            "[json.exception.out_of_range.401] array index 2 is out of range");
  EXPECT_EQ(refusal([](const Json& json) { json.at("a").at("b"); }),
            "[json.exception.type_error.304] cannot use at() with array");
  EXPECT_EQ(refusal([](const Json& json) { json.at("a").get<std::string>(); }),
            "[json.exception.type_error.302] type must be string, but is array");
  EXPECT_EQ(refusal([](const Json& json) { json.at("a").get<std::array<double, 2>>(); }),
            "[json.exception.type_error.302] type must be number, but is string");
  EXPECT_EQ(refusal([](const Json& json) { json.at("a").value("b", 1); }),
            "[json.exception.type_error.306] cannot use value() with array");
  EXPECT_EQ(refusal([](const Json& json) { json.at("big").get<int>(); }),
            "the number is too large");
  EXPECT_EQ(refusal([](const Json& json) { json.at("far").get<std::int64_t>(); }),
            "the number is too large");
}

TEST(JsonValue, IteratesMembersInOrder) {
  const Json json = Json::parse(R"({"b":1,"a":[2,3]})");
  std::string seen;
  for (const auto& [key, value] : json.items()) seen += key + '=' + value.dump() + ' ';
  EXPECT_EQ(seen, "b=1 a=[2,3] ");
  EXPECT_EQ(json.find("c"), json.end());
  EXPECT_TRUE(json.contains("a"));
  EXPECT_EQ(json.size(), 2u);
}

}  // namespace
}  // namespace fos
