// Strings that a plugin handed over.
#ifndef FSLOAD_CORE_CALLS_PLUGIN_STRINGS_H_
#define FSLOAD_CORE_CALLS_PLUGIN_STRINGS_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "core/tables/op_tables.h"
#include "core/tables/operations.h"

namespace fsload {

// Owns what the plugin wrote to `array` and `count`: each string and the array
// are freed once, with the plugin's free (L656-L665).
class PluginStrings final {
 public:
  // `tables` outlives this object.
  explicit PluginStrings(const SchemeTables& tables) : tables_(tables) {}
  ~PluginStrings();
  PluginStrings(const PluginStrings&) = delete;
  PluginStrings& operator=(const PluginStrings&) = delete;

  // The strings, which live as long as this object. INTERNAL, naming `op` and
  // `uri`, for a negative count, a null array with a count, or a null string.
  absl::StatusOr<std::vector<std::string_view>> Look(
      Op op, std::string_view uri) const;

  // Copies of them. Fails as Look.
  absl::StatusOr<std::vector<std::string>> Take(Op op,
                                                std::string_view uri) const;

  // Forgets the array: it is not ours.
  void Disown() { array = nullptr; }

  // For the plugin to write to; null until it has.
  char** array = nullptr;
  int count = 0;

 private:
  const SchemeTables& tables_;
};

// Owns the text that the plugin wrote to `text`, or a block of several: it is
// freed once, with the plugin's free. One thread at a time.
class PluginText final {
 public:
  // `tables` outlives this object.
  explicit PluginText(const SchemeTables& tables) : tables_(tables) {}
  ~PluginText();
  PluginText(const PluginText&) = delete;
  PluginText& operator=(const PluginText&) = delete;

  // Forgets the text: it is not ours.
  void Disown() { text = nullptr; }

  // For the plugin to write to; null until it has.
  char* text = nullptr;

 private:
  const SchemeTables& tables_;
};

}  // namespace fsload

#endif  // FSLOAD_CORE_CALLS_PLUGIN_STRINGS_H_
