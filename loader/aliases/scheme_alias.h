// Schemes that the user names in a file: those of plugins, each in a process
// with an environment of its own (docs/isolation.md, "Two stores of one
// scheme").
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "fsload/load_options.h"

namespace fsload {

// Where the value of an environment variable is. Only kText has it here.
struct AliasVariable {
  enum class Source : uint8_t { kText, kVariable, kFile };
  Source source = Source::kText;
  // The value ("": removed), or the variable's or file's name.
  std::string text;
};

struct SchemeAlias {
  std::string name;        // minio://bucket/key in the program...
  std::string scheme;      // ...is s3://bucket/key for the plugin
  std::string plugin;      // its file; "": one that is found
  bool overrides = false;  // also if a plugin has a scheme with this name
  // Of Isolation; nothing where the entry is silent.
  std::optional<absl::Duration> call_timeout;
  std::optional<int> restarts;
  std::optional<uint64_t> memory_limit;
  bool confined = false;
  std::optional<std::vector<std::string>> writable_folders;
  std::map<std::string, AliasVariable> environment;
  std::string location;                          // "FILE: line N"
  std::map<std::string, std::string> locations;  // by key, as "environment.A"

  // Returns the location of a key, or the table's if it has no such key.
  const std::string& LocationOf(const std::string& key) const;

  // Returns the same with the key's name, "FILE: line N: [NAME] KEY".
  std::string Where(const std::string& key) const;
};

// Returns the file of schemes: FSLOAD_SCHEMES, or fsload/schemes.toml in
// $XDG_CONFIG_HOME or ~/.config. "" if none of these is set.
std::string AliasFile();

// Returns `status` after `origin`; FAILED_PRECONDITION for NOT_FOUND, which
// would be read as that there is no such file in the store.
absl::Status AliasError(std::string_view origin, const absl::Status& status);

// Returns the aliases in AliasFile(), sorted by name. None if it does not
// exist, unless FSLOAD_SCHEMES names it: FAILED_PRECONDITION. INVALID_ARGUMENT,
// with line and key, for a wrong entry; PERMISSION_DENIED if others can change
// the file.
absl::StatusOr<std::vector<SchemeAlias>> ReadAliases();

// Returns the aliases in `text`, the contents of the file at `path`. Fails like
// ReadAliases. No message has a value of an environment variable.
absl::StatusOr<std::vector<SchemeAlias>> ParseAliases(std::string_view text,
                                                      const std::string& path);

// Returns whether a scheme is that of local files, which no alias may have.
bool IsLocalScheme(std::string_view name);

// Returns the alias in AliasFile() with this name, if there is one. Fails like
// ReadAliases, but for a local scheme, which does not need the file.
absl::StatusOr<std::optional<SchemeAlias>> FindAlias(std::string_view name);

// Returns the value that `alias` gives `variable`, whose name is `name`;
// nullopt: it is removed. FAILED_PRECONDITION for one of a variable that is not
// set, PERMISSION_DENIED for a file of a secret that others can read, the
// system's error for one that cannot be read.
absl::StatusOr<std::optional<std::string>> ValueOf(
    const SchemeAlias& alias, const std::string& name,
    const AliasVariable& variable);

// Returns `options` for loading the plugin of `alias`, with values read from
// where they are. What `options.isolation` says holds where the alias is
// silent; of two `call_timeout` or `memory_limit` the smaller one. An alias
// cannot undo --confined, and one that is confined itself writes to its own
// `writable_folders` alone. Fails like ValueOf; also if one of these is no
// directory, and with INVALID_ARGUMENT if there are some and the plugin is not
// confined.
absl::StatusOr<LoadOptions> OptionsFor(const SchemeAlias& alias,
                                       LoadOptions options);

}  // namespace fsload
