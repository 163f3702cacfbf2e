// One change that a verb will make.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "fsload/file_statistics.h"
#include "tools/files/locations/location.h"
#include "tools/files/output/json_fields.h"

namespace fsload {

enum class StepKind : uint8_t {
  kMakeDirectory,    // and missing ancestors
  kCopyFile,         //
  kRenameFile,       // within one file system
  kMoveFile,         // to another file system: copied, verified, deleted
  kDeleteFile,       //
  kRenameDirectory,  // with its contents, on one disk
  kDeleteRest,       // see Step::rest
  kDeleteDirectory,  // empty by then
};

struct Plan;
struct RestPlan;

struct Step {
  StepKind kind;
  Location source = {};   // kMakeDirectory: the directory it mirrors, or none
  Location target = {};   // none for deletions
  int64_t bytes = 0;      // of a file
  bool replaces = false;  // a file exists at the target

  // Nobody asked how long the file is, as of an object that a directory hides.
  bool hides_bytes = false;

  // kDeleteFile: a listing named it, and nobody asked what it is. It may be a
  // directory, which stays.
  bool by_name = false;

  // Of a file, as the plan found it, and of the file that it replaces.
  std::optional<FileStatistics> source_found = {};
  std::optional<FileStatistics> target_found = {};

  // kDeleteDirectory: where its contents were moved, which must exist.
  Location moved_to = {};

  // kMakeDirectory: whether it gets all attributes of its source, which is
  // moved.
  bool keeps = false;

  // kRenameDirectory: returns the plan to run if the system reports that the
  // target is on another disk. None if the caller must stop.
  std::function<std::optional<Plan>()> otherwise = nullptr;

  // kDeleteRest: returns what to do in `source`, a directory of a store, after
  // the names that a listing had were deleted. `has_failed` says of a URI
  // whether its deletion has failed. None if the caller must stop, because of
  // an interruption or an error that was told.
  using HasFailed = std::function<bool(const std::string& uri)>;
  std::function<std::optional<RestPlan>(const HasFailed& has_failed)> rest =
      nullptr;
};

bool IsFileKind(StepKind kind);
inline bool IsFileStep(const Step& step) { return IsFileKind(step.kind); }

// Returns whether the step only deletes.
bool IsDeletion(StepKind kind);

// Returns what errors of a step are about; valid as long as it is.
const std::string& UriOf(const Step& step);

// Returns "copy file a -> b (3 bytes)", printable, without a newline.
std::string StepText(const Step& step);

// Returns the JSON event of a step, and its fields.
std::string StepEvent(const Step& step);
JsonFields StepFields(const Step& step);

// Returns `status` with the source and target of a transfer, unless it begins
// with one of them: a plugin may name the temporary file.
absl::Status WithLocations(const Step& step, const absl::Status& status);

}  // namespace fsload
