// What --explain prints after a verb: which operations it used, who performed
// them, how often, and whether the result is atomic.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/tables/op_tables.h"
#include "core/tables/operations.h"
#include "fsload/file_system.h"
#include "tools/files/output/verb_output.h"
#include "tools/session/call_counts.h"

namespace fsload {

// One thread at a time.
struct Explanation {
  struct Plugin {
    std::string name;
    SchemeTables tables;
  };

  std::map<std::string, Plugin> plugins;  // those in use, by scheme
  std::string atomic;

  // Copies what is needed of `file_system`, which need not outlive the call.
  void Add(const FileSystem& file_system);

  // Prints for each scheme `operations` and any others that were called, as a
  // note with the event "explain".
  void Print(const CallCounts& counts, const std::vector<Op>& operations,
             VerbOutput& output) const;
};

}  // namespace fsload
