// What a verb is going to change, step by step: what --dry-run prints and what
// execution walks.
#ifndef FSLOAD_TOOLS_FILES_PLAN_H_
#define FSLOAD_TOOLS_FILES_PLAN_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "core/file_system.h"
#include "tools/files/verb_output.h"

namespace fsload {

// A path, and whose it is.
struct Place {
  std::shared_ptr<FileSystem> file_system;
  std::string uri;

  Place At(std::string path) const { return {file_system, std::move(path)}; }
};

// The entry `path`, relative to `place`; `place` itself where that is "".
Place Below(const Place& place, const std::string& path);

enum class StepKind : uint8_t {
  kMakeDirectory,    // with what is missing above it
  kCopyFile,         //
  kRenameFile,       // within one file system
  kMoveFile,         // to another one: copied, verified, then deleted
  kDeleteFile,       //
  kDeleteDirectory,  // which is empty by then
};

struct Step {
  StepKind kind;
  Place source;           // none for kMakeDirectory
  Place target;           // none for what deletes
  int64_t bytes = 0;      // of the file
  bool replaces = false;  // a file stands at the target

  // Of kDeleteDirectory: where all in it was moved to, which must be there.
  Place moved_to = {};
};

// In the order of execution: directories to make, each behind the one that it
// is in; files, in any order or at once; directories to delete, each before the
// one that it is in.
struct Plan {
  std::vector<Step> steps;
  size_t skipped = 0;  // files that stay out, since their targets are there

  size_t files() const;
  int64_t bytes() const;
};

// Tells of an error with what is at `uri`; whether to go on with the rest.
using TellError =
    std::function<bool(const std::string& uri, const absl::Status& status)>;

bool IsFileStep(const Step& step);

// "copy file a -> b (3 bytes)", without a newline, fit to be shown.
std::string StepText(const Step& step);

// The event of a step in JSON, and the fields that describe it.
std::string StepEvent(const Step& step);
nlohmann::ordered_json StepFields(const Step& step);

// One line a step, and how much it is in all.
void PrintPlan(const Plan& plan, VerbOutput& output);

}  // namespace fsload

#endif  // FSLOAD_TOOLS_FILES_PLAN_H_
