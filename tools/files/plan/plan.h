// What a verb is going to change, step by step: what --dry-run prints and what
// execution walks.
#ifndef FSLOAD_TOOLS_FILES_PLAN_PLAN_H_
#define FSLOAD_TOOLS_FILES_PLAN_PLAN_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "fsload/file_system.h"
#include "tools/files/local/local_tree.h"
#include "tools/files/output/json_fields.h"
#include "tools/files/output/verb_output.h"

namespace fsload {

// A path, and whose it is.
struct Place {
  FileSystemPtr file_system;
  std::string uri;

  // Where what is done there is done by fsload itself (local_place.h): a
  // directory that it is in, and its path from there. Else null: by the plugin.
  std::shared_ptr<const LocalTree> tree = nullptr;
  std::string path = "";

  // Another one of the file system, in no tree.
  Place At(std::string uri) const { return {file_system, std::move(uri)}; }
};

// The entry `path`, relative to `place`; `place` itself where that is "".
Place Below(const Place& place, const std::string& path);

enum class StepKind : uint8_t {
  kMakeDirectory,    // with what is missing above it
  kCopyFile,         //
  kRenameFile,       // within one file system
  kMoveFile,         // to another one: copied, verified, then deleted
  kDeleteFile,       //
  kRenameDirectory,  // with all in it, on one disk
  kDeleteDirectory,  // which is empty by then
};

struct Plan;

struct Step {
  StepKind kind;
  Place source;           // of kMakeDirectory: what it is made for, or none
  Place target;           // none for what deletes
  int64_t bytes = 0;      // of the file
  bool replaces = false;  // a file stands at the target

  // Of kDeleteDirectory: where all in it was moved to, which must be there.
  Place moved_to = {};

  // Of kMakeDirectory: whether it gets all that its source has, which is moved.
  bool keeps = false;

  // Of kRenameDirectory: what is done where the system says that the target is
  // on another disk. None when the caller is not to go on.
  std::function<std::optional<Plan>()> otherwise = nullptr;
};

// In the order of execution: directories to make, each behind the one that it
// is in; files, in any order or at once; directories to delete, each before the
// one that it is in. Directories are renamed behind the files.
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
JsonFields StepFields(const Step& step);

// One line a step, and how much it is in all.
void PrintPlan(const Plan& plan, VerbOutput& output);

}  // namespace fsload

#endif  // FSLOAD_TOOLS_FILES_PLAN_PLAN_H_
