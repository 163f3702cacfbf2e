// What is known of the plugins that people have: which package of PyPI brings
// which schemes, which environment variables they read, and how they destroy
// data unless the host works around it.
#ifndef FSLOAD_LOADER_KNOWN_PLUGINS_KNOWN_PLUGINS_H_
#define FSLOAD_LOADER_KNOWN_PLUGINS_KNOWN_PLUGINS_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/types/span.h"
#include "core/tables/operations.h"
#include "core/tables/plugin_traits.h"

namespace fsload {

enum class VariableNeed : uint8_t {
  kRequired,  // without it the plugin crashes or fails
  kAdvised,   // most people need it, and what happens without it is no help
  kOptional,
  kSet,  // without it data are damaged: LoadPlugin sets it, to `example`
};

// An environment variable that a plugin reads.
struct KnownVariable {
  std::string_view name;
  VariableNeed need;
  std::string_view meaning;  // "" for one that is only listed
  std::string_view without;  // what happens where it is unset
  std::string_view example;  // a value to set; "" where none suits everybody
};

// One file of one package.
struct KnownPlugin {
  std::string_view package;  // of PyPI
  std::string_view version;  // which is known to work
  std::string_view path;     // below a folder of Python packages
  absl::Span<const std::string_view> schemes;
};

// How an operation of a plugin deviates from the interface such that data are
// lost.
struct KnownDeviation {
  std::string_view plugin;  // the name of its file
  std::string_view scheme;
  Op op;
  const char* effect;  // what it does
  bool withdrawn;      // the host does not call it; else `remedy`
  const char* remedy;  // what the host does instead
};

// All of them: constants, valid for as long as the process.
absl::Span<const KnownPlugin> KnownPlugins();

// The one that serves `scheme`; null where none is known.
const KnownPlugin* KnownPluginFor(std::string_view scheme);

// The one whose file has the name of that at `path`; null where none has.
const KnownPlugin* KnownPluginAt(std::string_view path);

// All deviations: constants, valid for as long as the process.
absl::Span<const KnownDeviation> KnownDeviations();

// What is known of the plugin, a path or another name, where it serves
// `scheme`.
PluginTraits TraitsOf(std::string_view plugin, std::string_view scheme);

// "pip install tensorflow-io==0.37.1".
std::string InstallCommand(const KnownPlugin& plugin);

// What the plugin for `scheme` reads, those that are needed first; empty where
// nothing is known.
absl::Span<const KnownVariable> KnownVariablesOf(std::string_view scheme);

// The library that the plugin for `scheme` opens by itself when it is used, and
// that no wheel brings; "" for none.
std::string_view LibraryOpenedBy(std::string_view scheme);

}  // namespace fsload

#endif  // FSLOAD_LOADER_KNOWN_PLUGINS_KNOWN_PLUGINS_H_
