#pragma once

#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

#include "engine/table/result.h"

namespace fos {

// The flags of one command, bound to the fields they fill. Fields keep their defaults where a flag
// is not given; the defaults are shown by the help.
class Options {
 public:
  // usage    the command with its arguments: "judge CLIP [options]"
  // summary  what it does, one sentence.
  Options(std::string usage, std::string summary);
  ~Options();
  Options(const Options&) = delete;
  Options& operator=(const Options&) = delete;

  // Arguments without a flag, in the order they are declared; each is required.
  Options& Argument(const std::string& name, std::string& into, const std::string& help);
  // One that may be left out; none that is required may follow it.
  Options& OptionalArgument(const std::string& name, std::string& into, const std::string& help);
  Options& Flag(const std::string& flag, bool& into, const std::string& help);
  Options& Text(const std::string& flag, const std::string& value_name, std::string& into,
                const std::string& help);
  // Both ends of a range belong to it.
  Options& Integer(const std::string& flag, int& into, int least, int most,
                   const std::string& help);
  Options& Number(const std::string& flag, double& into, double least, double most,
                  const std::string& help);

  // Fills the fields. True when help was asked for instead; the fields are then as they were.
  // errors  kOutOfRange, kBadFormat: wrong usage, naming flag, value and range.
  Result<bool> Parse(const std::vector<std::string>& arguments);
  std::string Help() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace fos
