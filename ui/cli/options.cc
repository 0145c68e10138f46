// SPDX-License-Identifier: MIT
#include "ui/cli/options.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <sstream>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <boost/program_options.hpp>

#include "engine/files/toml_reader.h"

namespace fos {
namespace po = boost::program_options;

struct Options::Impl {
  struct Argument {
    std::string name;
    std::string* into;
    std::string help;
    bool required = true;
  };
  // Reads the text of a flag's value; an error is wrong usage.
  using Reader = std::function<Status(const std::string&)>;

  std::string usage;
  std::string summary;
  po::options_description flags{"Options", 100, 50};
  std::vector<Argument> arguments;
  std::map<std::string, Reader> readers;
  std::map<std::string, bool*> switches;

  void AddValue(const std::string& flag, const std::string& value_name, const std::string& help,
                Reader reader) {
    flags.add_options()(flag.c_str(), po::value<std::string>()->value_name(value_name),
                        help.c_str());
    readers[flag] = std::move(reader);
  }
};

namespace {

// Rewords Boost's errors.
std::string Explain(const po::error& error, const po::options_description& flags) {
  if (const auto* unknown = dynamic_cast<const po::unknown_option*>(&error)) {
    std::vector<std::string> known;
    for (const auto& flag : flags.options()) known.push_back("--" + flag->long_name());
    const std::string name = unknown->get_option_name();
    return fmt::format("unknown option `{}`; the nearest is `{}`", name, NearestName(name, known));
  }
  if (const auto* wrong = dynamic_cast<const po::error_with_option_name*>(&error)) {
    if (dynamic_cast<const po::multiple_occurrences*>(&error) != nullptr) {
      return fmt::format("`{}` is given twice; give it once", wrong->get_option_name());
    }
    if (dynamic_cast<const po::invalid_command_line_syntax*>(&error) != nullptr) {
      return fmt::format("`{}` needs a value and has none, or has one and takes none",
                         wrong->get_option_name());
    }
  }
  return error.what();
}

}  // namespace

Options::Options(std::string usage, std::string summary) : impl_(std::make_unique<Impl>()) {
  impl_->usage = std::move(usage);
  impl_->summary = std::move(summary);
  impl_->flags.add_options()("help", "show this text");
}
Options::~Options() = default;

Options& Options::Argument(const std::string& name, std::string& into, const std::string& help) {
  impl_->arguments.push_back({name, &into, help});
  return *this;
}

Options& Options::OptionalArgument(const std::string& name, std::string& into,
                                   const std::string& help) {
  impl_->arguments.push_back({name, &into, help, /*required=*/false});
  return *this;
}

Options& Options::Flag(const std::string& flag, bool& into, const std::string& help) {
  impl_->flags.add_options()(flag.c_str(), help.c_str());
  impl_->switches[flag] = &into;
  return *this;
}

Options& Options::Text(const std::string& flag, const std::string& value_name, std::string& into,
                       const std::string& help) {
  const bool told = into.empty() || help.find("default") != std::string::npos;
  const std::string full = told ? help : fmt::format("{} (default {})", help, into);
  impl_->AddValue(flag, value_name, full, [flag, &into](const std::string& text) -> Status {
    if (text.empty()) {
      return Error{ErrorCode::kOutOfRange, fmt::format("--{} is empty; give a value", flag)};
    }
    into = text;
    return Ok();
  });
  return *this;
}

Options& Options::Integer(const std::string& flag, int& into, int least, int most,
                          const std::string& help) {
  const std::string range = fmt::format("a whole number {} to {}", least, most);
  impl_->AddValue(flag, "N", fmt::format("{} ({}; default {})", help, range, into),
                  [flag, &into, least, most, range](const std::string& text) -> Status {
                    int value = 0;
                    const auto [end, failed] =
                        std::from_chars(text.data(), text.data() + text.size(), value);
                    if (failed != std::errc() || end != text.data() + text.size() ||
                        value < least || value > most) {
                      return Error{ErrorCode::kOutOfRange,
                                   fmt::format("--{} is `{}`; it must be {}", flag, text, range)};
                    }
                    into = value;
                    return Ok();
                  });
  return *this;
}

Options& Options::Number(const std::string& flag, double& into, double least, double most,
                         const std::string& help) {
  const std::string range = fmt::format("a number {:g} to {:g}", least, most);
  impl_->AddValue(flag, "X", fmt::format("{} ({}; default {:g})", help, range, into),
                  [flag, &into, least, most, range](const std::string& text) -> Status {
                    double value = 0;
                    const auto [end, failed] =
                        std::from_chars(text.data(), text.data() + text.size(), value);
                    // This form refuses NaN.
                    const bool within = value >= least && value <= most;
                    if (failed != std::errc() || end != text.data() + text.size() || !within) {
                      return Error{ErrorCode::kOutOfRange,
                                   fmt::format("--{} is `{}`; it must be {}", flag, text, range)};
                    }
                    into = value;
                    return Ok();
                  });
  return *this;
}

Result<bool> Options::Parse(const std::vector<std::string>& arguments) {
  po::variables_map given;
  std::vector<std::string> positional;
  try {
    const std::string argument = "fos-argument";
    po::options_description all;
    all.add(impl_->flags);
    all.add_options()(argument.c_str(), po::value<std::string>());
    po::positional_options_description places;
    places.add(argument.c_str(), -1);
    // No guessing: an abbreviation could change its meaning when an option is added.
    const int style = po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;
    po::parsed_options parsed =
        po::command_line_parser(arguments).options(all).positional(places).style(style).run();
    std::erase_if(parsed.options, [&](const po::option& one) {
      if (one.string_key != argument) return false;
      positional.insert(positional.end(), one.value.begin(), one.value.end());
      return true;
    });
    po::store(parsed, given);
  } catch (const po::error& e) {
    // A file of that name: the shell gave it without its folder.
    for (const std::string& argument : arguments) {
      std::error_code ec;
      if (argument.starts_with('-') && std::filesystem::exists(argument, ec)) {
        return Error{ErrorCode::kBadFormat,
                     fmt::format("`{0}` begins with a dash, which is for options; write `./{0}`",
                                 argument)};
      }
    }
    return Error{ErrorCode::kBadFormat, Explain(e, impl_->flags)};
  }
  if (given.count("help") != 0) return true;

  for (std::size_t i = 0; i < impl_->arguments.size(); ++i) {
    const Impl::Argument& wanted = impl_->arguments[i];
    if (i < positional.size() ? positional[i].empty() : wanted.required) {
      return Error{ErrorCode::kBadFormat,
                   wanted.required
                       ? fmt::format("{} is missing: {}", wanted.name, wanted.help)
                       : fmt::format("{} is empty; leave it out, or give its value: {}",
                                     wanted.name, wanted.help)};
    }
  }
  if (positional.size() > impl_->arguments.size()) {
    return Error{ErrorCode::kBadFormat,
                 fmt::format("`{}` is one argument too many", positional[impl_->arguments.size()])};
  }
  for (const auto& [flag, read] : impl_->readers) {
    if (given.count(flag) == 0) continue;
    if (Status status = read(given[flag].as<std::string>()); !status.ok()) return status.error();
  }
  for (const auto& [flag, into] : impl_->switches) *into = *into || given.count(flag) != 0;
  for (std::size_t i = 0; i < positional.size(); ++i) *impl_->arguments[i].into = positional[i];
  return false;
}

std::string Options::Help() const {
  std::ostringstream out;
  out << "Usage: fallofshot " << impl_->usage << "\n\n" << impl_->summary << "\n\n";
  for (const Impl::Argument& argument : impl_->arguments) {
    out << fmt::format("  {:<12} {}\n", argument.name, argument.help);
  }
  if (!impl_->arguments.empty()) out << '\n';
  out << impl_->flags;
  return out.str();
}

CommandPage Options::Page() const {
  CommandPage out{impl_->usage, impl_->summary, {}, {}};
  for (const Impl::Argument& argument : impl_->arguments) {
    out.arguments.push_back({argument.name, "", argument.help});
  }
  for (const auto& flag : impl_->flags.options()) {
    out.flags.push_back({"--" + flag->long_name(), flag->format_parameter(), flag->description()});
  }
  return out;
}

}  // namespace fos
