#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>

namespace fos {

// What kind of refusal, for code to branch on. The sentence for people is Error::message.
enum class ErrorCode {
  kNotFound,     // no such file, device, marker or stand
  kBadFormat,    // there, but not what it should be
  kOutOfRange,   // a number or option outside what makes sense
  kDegenerate,   // geometry that determines nothing
  kUnsupported,  // well-formed, but this build cannot do it
  kIo,           // reading or writing failed part-way
};

// One line for people: what happened, where (file and place), and the mend.
struct Error {
  ErrorCode code = ErrorCode::kBadFormat;
  std::string message;
};

// A value, or why the world refused one. Programming mistakes are FOS_CHECK's.
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

// Success, or why not, where there is nothing to return.
struct Done {};
using Status = Result<Done>;
inline Status Ok() { return Done{}; }

}  // namespace fos

#define FOS_STRINGIZE_INNER(x) #x
#define FOS_STRINGIZE(x) FOS_STRINGIZE_INNER(x)
// A promise of the programmer's; broken, it throws std::logic_error with file and line, in release
// too.
#define FOS_CHECK(condition)                                                                \
  do {                                                                                      \
    if (!(condition))                                                                       \
      throw std::logic_error(__FILE__ ":" FOS_STRINGIZE(__LINE__) ": broken: " #condition); \
  } while (false)
