// What is known of published plugins: which PyPI package provides which
// schemes, which environment variables they read, and how they destroy data
// unless the host works around it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/types/span.h"
#include "core/tables/operations.h"
#include "core/tables/plugin_traits.h"

namespace fsload {

enum class VariableNeed : uint8_t {
  kRequired,  // without it the plugin crashes or fails
  kAdvised,   // most people need it; its absence is hard to diagnose
  kOptional,
  kSet,  // without it data is damaged: LoadPlugin sets it to `example`
};

// An environment variable that a plugin reads.
struct KnownVariable {
  std::string_view name;
  VariableNeed need;
  std::string_view meaning;  // "" for one that is only listed
  std::string_view without;  // what happens if it is unset
  std::string_view example;  // a value to set; "" if none suits everybody
};

// Which server a plugin connects to.
struct KnownServer {
  const char* variable = nullptr;  // names another one; null: none is known
  std::string_view address;        // the default; '*' stands for the region
  const char* region =
      nullptr;  // the variable with the region, if there is '*'
};

// The parts in which a plugin uploads large objects.
struct KnownParts {
  const char* variable = nullptr;  // sets their length; null: none is known
  int64_t bytes = 0;               // a length that takes little memory
  int64_t own_bytes = 0;  // the plugin's own: a shorter object is sent at once
  int64_t most = 0;       // that the store takes for one object
};

// One file of one package.
struct KnownPlugin {
  std::string_view package;  // on PyPI
  std::string_view version;  // known to work
  std::string_view path;     // relative to a folder of Python packages
  std::string_view symbol;   // in the names of functions that it alone exports
  absl::Span<const std::string_view> schemes;
};

// How an operation of a plugin deviates from the interface in a way that loses
// data.
struct KnownDeviation {
  std::string_view plugin;  // its file name
  std::string_view scheme;
  Op op;
  const char* effect;  // what it does
  bool disabled;       // the host does not call it; otherwise `remedy`
  const char* remedy;  // what the host does instead
};

// Returns all known plugins: constants, valid as long as the process.
absl::Span<const KnownPlugin> KnownPlugins();

// Returns the plugin that serves `scheme`; null if none is known.
const KnownPlugin* KnownPluginFor(std::string_view scheme);

// Returns the plugin with the file name of `path`; null if there is none. Only
// a hint: such a file may be any plugin.
const KnownPlugin* KnownPluginAt(std::string_view path);

// Returns the file name of the plugin with these contents, whatever its file is
// called, or kBundledPluginName: the name under which the functions below know
// it. "" for an unknown one.
std::string_view KnownNameOf(absl::Span<const char> contents);

// Returns all deviations: constants, valid as long as the process.
absl::Span<const KnownDeviation> KnownDeviations();

// Returns what is known of the plugin with this name (KnownNameOf) for
// `scheme`. An untested one keeps all its operations if it is trusted.
PluginTraits TraitsOf(std::string_view name, std::string_view scheme,
                      bool trust_untested = false);

// The name of fsload's own plugin: the one inside the command, and the
// installed one.
inline constexpr char kBundledPluginName[] = "the bundled posix plugin";

// Returns "pip install tensorflow-io==0.37.1".
std::string InstallCommand(const KnownPlugin& plugin);

// Returns the variables that the plugin for `scheme` reads, required ones
// first; empty if nothing is known.
absl::Span<const KnownVariable> KnownVariablesOf(std::string_view scheme);

// Returns the server of the plugin for `scheme`, where one is known.
KnownServer ServerOf(std::string_view scheme);

// Returns the parts of the plugin for `scheme`, where they are known.
KnownParts PartsOf(std::string_view scheme);

// Returns how many parts of `part` bytes, 1 or more, `bytes` bytes take; and
// the shortest part, `parts.bytes` or more in whole MiB, of which `parts.most`
// are enough.
int64_t PartsFor(int64_t bytes, int64_t part);
int64_t PartBytesFor(int64_t bytes, const KnownParts& parts);

// Returns the library that the plugin for `scheme` opens by itself when used,
// and that no wheel contains; "" if none.
std::string_view LibraryOpenedBy(std::string_view scheme);

}  // namespace fsload
