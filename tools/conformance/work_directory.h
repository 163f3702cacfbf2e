// The directory in the root that holds everything a run creates.
#pragma once

#include <string>

#include "absl/status/status.h"
#include "fsload/file_system.h"
#include "tools/conformance/options.h"

namespace fsload::conformance {

// Its name. A journal in it says whose it is (journal.h).
inline constexpr char kWorkDirectory[] = "fsload-conformance";

std::string WorkUri(const ConformanceOptions& options);

// Returns the directory of one case.
std::string CaseUri(const ConformanceOptions& options, const std::string& name);

// Makes the root that of process `owner`. It must not exist, be empty, or hold
// only what a run of this machine left that is over, which is deleted.
// ALREADY_EXISTS for a root that is refused; else the plugin's error.
absl::Status TakeRoot(const FileSystem& fs, const ConformanceOptions& options,
                      int owner);

// Makes the directory at `uri`, and its ancestors where they are missing: what
// is only in memory begins empty in each process.
absl::Status MakeDirectory(const FileSystem& fs, const std::string& uri);

// Deletes what is at `uri` with the operations for one entry: links and files
// as such, directories with their contents. What is left; "" if nothing.
std::string DeleteTree(const FileSystem& fs, const std::string& uri);

// Deletes the work directory if its journal is that of process `owner`. What is
// left; "" if nothing.
std::string DeleteWork(const FileSystem& fs, const ConformanceOptions& options,
                       int owner);

}  // namespace fsload::conformance
