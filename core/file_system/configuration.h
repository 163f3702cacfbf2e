// Converts configuration options to and from a plugin's.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/calls/plugin_strings.h"
#include "core/tables/op_tables.h"
#include "fsload/configuration.h"
#include "fsload/op.h"

namespace fsload {

// Options allocated by the plugin: `count` of them in one array. Freed with the
// plugin's free, each part once. One thread at a time.
class PluginOptions final {
 public:
  // Uses `tables`, which must outlive this object.
  explicit PluginOptions(const SchemeTables& tables) : tables_(tables) {}
  ~PluginOptions();
  PluginOptions(const PluginOptions&) = delete;
  PluginOptions& operator=(const PluginOptions&) = delete;

  // Copies as C++ values. INTERNAL, naming `op` and `uri`, for a null array or
  // part, a negative count or length, or an unknown type.
  absl::StatusOr<std::vector<ConfigurationOption>> Take(
      Op op, std::string_view uri) const;

  // Releases the options without freeing them: they are not ours.
  void Disown() { array = nullptr; }

  const MemoryHooks& memory() const { return tables_.memory; }

  // Set by the plugin; null until then.
  TF_Filesystem_Option* array = nullptr;
  int count = 0;

 private:
  const SchemeTables& tables_;
};

// Options for a plugin, in memory from its allocator (L865), freed with its
// free: the plugin copies what it keeps. One thread at a time.
class HostOptions final {
 public:
  // Fills `filled` for `op`. RESOURCE_EXHAUSTED if the plugin's allocator
  // returns no memory, INVALID_ARGUMENT for strings with a null byte and for
  // sizes that do not fit in an int.
  static absl::Status Fill(Op op,
                           const std::vector<ConfigurationOption>& options,
                           HostOptions& filled);

  // Uses `tables`, which must outlive this object.
  explicit HostOptions(const SchemeTables& tables) : options_(tables) {}

  const TF_Filesystem_Option* array() const { return options_.array; }
  int count() const { return options_.count; }

 private:
  PluginOptions options_;
};

// Copies of the `count` keys in `block`. L922 is one pointer short of an array
// of strings: it is read as one block of null-terminated names. INTERNAL,
// naming `op` and `uri`, for a negative count, or a null block with a count.
absl::StatusOr<std::vector<std::string>> KeysIn(const PluginText& block,
                                                int count, Op op,
                                                std::string_view uri);

}  // namespace fsload
