// One change that a verb will make.
#ifndef FSLOAD_TOOLS_FILES_PLAN_STEP_H_
#define FSLOAD_TOOLS_FILES_PLAN_STEP_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "fsload/file_system.h"
#include "tools/files/local/local_tree.h"
#include "tools/files/output/json_fields.h"

namespace fsload {

// A path and its file system.
struct Place {
  FileSystemPtr file_system;
  std::string uri;

  // If fsload itself does the work there (local_place.h): a directory above the
  // place, and the path relative to it. Else null: the plugin does it.
  std::shared_ptr<const LocalTree> tree = nullptr;
  std::string path = "";

  // Another place in the file system, in no tree.
  Place At(std::string uri) const { return {file_system, std::move(uri)}; }
};

// The entry at `path`, relative to `place`; `place` itself if `path` is "".
Place Below(const Place& place, const std::string& path);

enum class StepKind : uint8_t {
  kMakeDirectory,    // and missing ancestors
  kCopyFile,         //
  kRenameFile,       // within one file system
  kMoveFile,         // to another file system: copied, verified, deleted
  kDeleteFile,       //
  kRenameDirectory,  // with its contents, on one disk
  kDeleteDirectory,  // empty by then
};

struct Plan;

struct Step {
  StepKind kind;
  Place source = {};      // kMakeDirectory: the directory it mirrors, or none
  Place target = {};      // none for deletions
  int64_t bytes = 0;      // of a file
  bool replaces = false;  // a file exists at the target

  // Of a file, as the plan found it, and of the file that it replaces.
  std::optional<FileStatistics> source_found = {};
  std::optional<FileStatistics> target_found = {};

  // kDeleteDirectory: where its contents were moved, which must exist.
  Place moved_to = {};

  // kMakeDirectory: whether it gets all attributes of its source, which is
  // moved.
  bool keeps = false;

  // kRenameDirectory: yields the plan to run if the system reports that the
  // target is on another disk. None if the caller must stop.
  std::function<std::optional<Plan>()> otherwise = nullptr;
};

bool IsFileKind(StepKind kind);
inline bool IsFileStep(const Step& step) { return IsFileKind(step.kind); }

// Whether the step only deletes.
bool IsDeletion(StepKind kind);

// "copy file a -> b (3 bytes)", printable, without a newline.
std::string StepText(const Step& step);

// The JSON event of a step, and its fields.
std::string StepEvent(const Step& step);
JsonFields StepFields(const Step& step);

}  // namespace fsload

#endif  // FSLOAD_TOOLS_FILES_PLAN_STEP_H_
