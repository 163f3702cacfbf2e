// One case of the conformance suite: what a plugin's operations must do.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fsload/op.h"
#include "loader/conformance/trial.h"

namespace fsload::conformance {

// Properties of a case, combined with |.
enum CaseTraits : uint8_t {
  kPlain = 0,
  kNotForStores = 1,     // object stores legitimately differ
  kDisputed = 2,         // the contract contradicts itself, or practice
  kLocalFiles = 4,       // needs a root in the local file system
  kUnprivileged = 8,     // runs as a user whom permissions bind
  kNoDefaults = 16,      // asked of the plugin's own operations only
  kPresetStatuses = 32,  // statuses are an error before each call
  kOwnProcess = 64,      // looks at the process that the plugin runs in
};

// One behaviour. A rule of its number (FSP401) with a stable name. All texts
// live as long as the process.
struct Case {
  int rule;
  const char* name;       // "read.short-only-at-the-end"
  const char* title;      // what is true of a plugin that passes
  const char* lines;      // of the interface header: "L227-L232"
  int level;              // 1 (smoke) to 4 (faults and races)
  unsigned traits;        // CaseTraits
  std::vector<Op> calls;  // the operations that it cannot do without
  void (*run)(Trial& trial);
  const char* why;     // what would happen to one that fails
  const char* repair;  // what the plugin's author can do
};

// Returns the operations that a case cannot do without.
template <typename... Each>
std::vector<Op> Calls(Each... each) {
  return {each...};
}

// Returns "FSP401".
inline std::string RuleName(const Case& the_case) {
  return "FSP" + std::to_string(the_case.rule);
}

// Short names for the tables of cases.
inline constexpr Op kOpen = Op::kFilesystem_new_random_access_file;
inline constexpr Op kRead = Op::kRandomAccessFile_read;
inline constexpr Op kNew = Op::kFilesystem_new_writable_file;
inline constexpr Op kAppendable = Op::kFilesystem_new_appendable_file;
inline constexpr Op kAppend = Op::kWritableFile_append;
inline constexpr Op kTell = Op::kWritableFile_tell;
inline constexpr Op kFlush = Op::kWritableFile_flush;
inline constexpr Op kSync = Op::kWritableFile_sync;
inline constexpr Op kClose = Op::kWritableFile_close;
inline constexpr Op kRegion =
    Op::kFilesystem_new_read_only_memory_region_from_file;
inline constexpr Op kCreateDir = Op::kFilesystem_create_dir;
inline constexpr Op kCreateDirs = Op::kFilesystem_recursively_create_dir;
inline constexpr Op kDeleteFile = Op::kFilesystem_delete_file;
inline constexpr Op kDeleteDir = Op::kFilesystem_delete_dir;
inline constexpr Op kDeleteTree = Op::kFilesystem_delete_recursively;
inline constexpr Op kRename = Op::kFilesystem_rename_file;
inline constexpr Op kCopy = Op::kFilesystem_copy_file;
inline constexpr Op kExists = Op::kFilesystem_path_exists;
inline constexpr Op kAllExist = Op::kFilesystem_paths_exist;
inline constexpr Op kStat = Op::kFilesystem_stat;
inline constexpr Op kIsDirectory = Op::kFilesystem_is_directory;
inline constexpr Op kSize = Op::kFilesystem_get_file_size;
inline constexpr Op kTranslate = Op::kFilesystem_translate_name;
inline constexpr Op kChildren = Op::kFilesystem_get_children;
inline constexpr Op kGlob = Op::kFilesystem_get_matching_paths;
inline constexpr Op kFlushCaches = Op::kFilesystem_flush_caches;

inline constexpr auto kNotFound = absl::StatusCode::kNotFound;
inline constexpr auto kFailed = absl::StatusCode::kFailedPrecondition;
inline constexpr auto kInvalid = absl::StatusCode::kInvalidArgument;

}  // namespace fsload::conformance
