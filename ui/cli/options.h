// SPDX-License-Identifier: MIT
#pragma once

#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

#include "engine/table/result.h"
#include "ui/cli/command_page.h"

namespace fos {

// The arguments and flags of one command, bound to the fields they fill. A field keeps its default
// when its flag is not given; the help shows the defaults of numbers.
class Options {
 public:
  // usage    the command with its arguments: "judge CLIP [options]"
  // summary  one sentence that says what it does.
  Options(std::string usage, std::string summary);
  ~Options();
  Options(const Options&) = delete;
  Options& operator=(const Options&) = delete;

  // A required argument without a flag. Arguments are read in the order they are declared.
  Options& Argument(const std::string& name, std::string& into, const std::string& help);
  // An argument that may be left out; no required one may follow it.
  Options& OptionalArgument(const std::string& name, std::string& into, const std::string& help);
  Options& Flag(const std::string& flag, bool& into, const std::string& help);
  Options& Text(const std::string& flag, const std::string& value_name, std::string& into,
                const std::string& help);
  // Ranges include both ends.
  Options& Integer(const std::string& flag, int& into, int least, int most,
                   const std::string& help);
  Options& Number(const std::string& flag, double& into, double least, double most,
                  const std::string& help);

  // Fills the fields. True when help was asked for; the fields are then unchanged.
  // errors  kOutOfRange, kBadFormat: wrong usage; the message names flag, value and range.
  Result<bool> Parse(const std::vector<std::string>& arguments);
  std::string Help() const;
  // What Help() says, in parts.
  CommandPage Page() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace fos
