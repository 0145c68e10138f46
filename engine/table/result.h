// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>

namespace fos {

// The kind of error, for code to branch on. Error::message is the sentence for people.
enum class ErrorCode {
  kNotFound,     // no such file, device, marker or stand
  kBadFormat,    // exists, but is not what it should be
  kOutOfRange,   // a number or option outside its valid range
  kDegenerate,   // geometry that determines no solution
  kUnsupported,  // well-formed, but this build cannot do it
  kIo,           // reading or writing failed
};

// One line for people: what happened, where (file and place) and what to do.
struct Error {
  ErrorCode code = ErrorCode::kBadFormat;
  std::string message;
};

// A value, or the reason why there is none. Programming errors are checked by FOS_CHECK instead.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value)
      : state_(std::in_place_index<0>, std::move(value)) {}  // NOLINT: implicit on purpose
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }
  const T& value() const& { return Checked(); }
  T& value() & { return const_cast<T&>(Checked()); }
  T&& value() && { return std::move(const_cast<T&>(Checked())); }
  const T& operator*() const& { return Checked(); }
  T& operator*() & { return const_cast<T&>(Checked()); }
  const T* operator->() const { return &Checked(); }
  T* operator->() { return &const_cast<T&>(Checked()); }
  const Error& error() const {
    if (ok()) throw std::logic_error("Result::error() of a result that holds a value");
    return std::get<1>(state_);
  }

 private:
  const T& Checked() const {
    if (!ok())
      throw std::logic_error("Result::value() of a refusal: " + std::get<1>(state_).message);
    return std::get<0>(state_);
  }
  std::variant<T, Error> state_;
};

// Success or an error, for functions that return no value.
struct Done {};
using Status = Result<Done>;
inline Status Ok() { return Done{}; }

}  // namespace fos

#define FOS_STRINGIZE_INNER(x) #x
#define FOS_STRINGIZE(x) FOS_STRINGIZE_INNER(x)
// Checks a condition that only a programming error can break; throws std::logic_error with file and
// line, also in release builds.
#define FOS_CHECK(condition)                                                                \
  do {                                                                                      \
    if (!(condition))                                                                       \
      throw std::logic_error(__FILE__ ":" FOS_STRINGIZE(__LINE__) ": broken: " #condition); \
  } while (false)
