#include "tools/files/transfer/step_checks.h"

#include <string>

#include "absl/status/statusor.h"
#include "core/copies/copy_check.h"
#include "core/copies/mtime_granularity.h"
#include "third_party/fmt/format.h"
#include "tools/files/transfer/temporary_file.h"

namespace fsload {

absl::Status CheckRenamed(const Step& step, const FileStatistics& source,
                          const PathState& before) {
  const FileSystem& file_system = *step.source.file_system;
  auto found = file_system.StatIfExists(step.target.uri);
  if (!found.ok()) found = file_system.StatIfExists(step.target.uri);
  const std::string said = step.target.uri +
                           ": the plugin reported that it renamed " +
                           step.source.uri + " to it, but ";
  if (!found.ok()) {
    return {found.status().code(),
            said + std::string(found.status().message())};
  }
  if (!found->has_value()) {
    return DataLossError("{}nothing is there", said);
  }
  const FileStatistics& target = **found;
  if (target.is_directory || target.length != source.length) {
    return DataLossError("{}wanted {} bytes, found {}", said, source.length,
                         target.length);
  }
  if (before.type != FileType::kFile ||
      !IsUnchanged(before.statistics, target)) {
    return absl::OkStatus();
  }
  // The target looks as before, which is right only if the source looked the
  // same and is gone.
  if (IsUnchanged(source, target) && !file_system.Stat(step.source.uri).ok()) {
    return absl::OkStatus();
  }
  return DataLossError("{}it is unchanged", said);
}

absl::Status CheckSourceIsGone(const Step& step) {
  const FileSystem& file_system = *step.source.file_system;
  const auto state = [&] { return file_system.Stat(step.source.uri); };
  if (!IsStillThere(state)) return absl::OkStatus();
  return DataLossError(
      "{}: the plugin reported that it renamed it to {}, but it is still "
      "there; nothing was deleted",
      step.source.uri, step.target.uri);
}

absl::Status CheckTargetIsAsPlanned(const Step& step, const PathState& now) {
  if (!now.status.ok() || now.type == FileType::kNone) return now.status;
  const bool is_it = step.target_found.has_value() &&
                     IsUnchanged(*step.target_found, now.statistics);
  return is_it ? absl::OkStatus() : NotReplaced(step.target.uri);
}

}  // namespace fsload
