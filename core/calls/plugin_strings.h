// Strings allocated by a plugin.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "core/tables/op_tables.h"
#include "core/tables/operations.h"
#include "fsload/filesystem_interface.h"
#include "fsload/tf_status.h"

namespace fsload {

// Owns what the plugin wrote to `array` and `count`: frees each string and the
// array once, with the plugin's free (L656-L665).
class PluginStrings final {
 public:
  // Uses `tables`, which must outlive this object.
  explicit PluginStrings(const SchemeTables& tables) : tables_(tables) {}
  ~PluginStrings();
  PluginStrings(const PluginStrings&) = delete;
  PluginStrings& operator=(const PluginStrings&) = delete;

  // Returns the strings, valid as long as this object. INTERNAL, naming `op`
  // and `uri`, for a negative count, a null array with a count, or a null
  // string.
  absl::StatusOr<std::vector<std::string_view>> Views(
      Op op, std::string_view uri) const;

  // Copies of the strings. Fails like Views.
  absl::StatusOr<std::vector<std::string>> Take(Op op,
                                                std::string_view uri) const;

  // Releases the array without freeing it: it is not ours.
  void Disown() { array = nullptr; }

  // Set by the plugin; null until then.
  char** array = nullptr;
  int count = 0;

 private:
  const SchemeTables& tables_;
};

// Calls `get_children`, the function of the plugin with `tables`. A listing of
// nothing by which such a plugin reports a failure (empty_listing_sets_errno)
// is an error, and leaves no array.
int CallGetChildren(const SchemeTables& tables,
                    decltype(TF_FilesystemOps::get_children) get_children,
                    const TF_Filesystem* filesystem, const char* path,
                    char*** entries, TF_Status* status);

// Owns the text, or the block of several texts, that the plugin wrote to
// `text`: frees it once, with the plugin's free. One thread at a time.
class PluginText final {
 public:
  // Uses `tables`, which must outlive this object.
  explicit PluginText(const SchemeTables& tables) : tables_(tables) {}
  ~PluginText();
  PluginText(const PluginText&) = delete;
  PluginText& operator=(const PluginText&) = delete;

  // Releases the text without freeing it: it is not ours.
  void Disown() { text = nullptr; }

  // Set by the plugin; null until then.
  char* text = nullptr;

 private:
  const SchemeTables& tables_;
};

}  // namespace fsload
