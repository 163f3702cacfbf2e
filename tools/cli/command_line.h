// Commands and their options.
//
// CLI11 gives the parsing: long options by their beginnings, "-abc", "--x=y",
// "--", options that exclude or need others, numbers with their limits, and
// what is wrong with a command line. Names of operands and help are ours
// (operands.h, help_text.h). It takes seconds to compile, so only the
// implementation of these functions and the callers of its parse() include it.
#pragma once

#include <charconv>
#include <cstddef>
#include <functional>
#include <initializer_list>
#include <string>
#include <system_error>
#include <vector>

#include "third_party/fmt/format.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace fsload {

// Returns what is wrong with a word of the command line; "" if nothing is.
using Refuse = std::function<std::string(const std::string& word)>;

// Sets `value` to the number that `word` is. Returns what is wrong with it, ""
// if nothing is.
template <typename T>
std::string ParseNumber(const std::string& word, T min, T max, T& value) {
  const char* const end = word.data() + word.size();
  T number = 0;
  const auto [rest, error] = std::from_chars(word.data(), end, number);
  if (error != std::errc() || rest != end || number < min || number > max) {
    return Format("'{}' is not a number from {} to {}", word, min, max);
  }
  value = number;
  return "";
}

// Adds a command to `app`; `run` is called if the command was given.
CLI::App* AddCommand(CLI::App& app, const std::string& name,
                     const std::string& description,
                     const std::function<void()>& run);

// Puts `text` after the help of `command`.
void SetFooter(CLI::App& command, const std::string& text);

// Frees -h for an option of the command itself.
void KeepShortHelpFree(CLI::App& command);

// Each adds an option to `command`; `names` is as in "-j,--jobs". The variable
// it sets must outlive parsing; its initial value is the default.

CLI::Option* AddFlag(CLI::App& command, const std::string& names, bool& value,
                     const std::string& description);

// Does the same; `times` is how often the flag was given.
CLI::Option* AddRepeatedFlag(CLI::App& command, const std::string& names,
                             int& times, const std::string& description);

CLI::Option* AddText(CLI::App& command, const std::string& names,
                     std::string& value, const Refuse& refuse,
                     const std::string& description);

// Accepts the option several times, with one value each time.
CLI::Option* AddTexts(CLI::App& command, const std::string& names,
                      std::vector<std::string>& values, const Refuse& refuse,
                      const std::string& description);

// Takes numbers from `least` to `most`.
CLI::Option* AddNumber(CLI::App& command, const std::string& names,
                       size_t& value, size_t least, size_t most,
                       const std::string& description);

// Takes `least` to `most` seconds.
CLI::Option* AddSeconds(CLI::App& command, const std::string& names,
                        double& value, double least, double most,
                        const std::string& description);

// Passes the value, a `type`, to `take`, which returns what is wrong with it.
CLI::Option* AddTaken(CLI::App& command, const std::string& names,
                      const Refuse& take, const std::string& type,
                      const std::string& description);

// Refuses `option` together with any of `others`.
void Exclude(CLI::Option* option, std::initializer_list<CLI::Option*> others);

// Refuses `option` without `other`.
void Need(CLI::Option* option, CLI::Option* other);

}  // namespace fsload
