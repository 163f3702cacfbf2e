// FileSystem::FilesExist: one call for many paths, or a call for each.
#include <deque>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "core/calls/op_call.h"
#include "core/calls/plugin_call.h"
#include "core/calls/translated_path.h"
#include "core/file_system/plugin_file_system.h"
#include "fsload/file_system.h"

namespace fsload {
namespace {

constexpr Op kOp = Op::kFilesystem_paths_exist;

absl::Status Contradiction(const std::string& uri) {
  return absl::InternalError(
      CallMessage(kOp, uri,
                  "the plugin reports that a path is missing, but also that "
                  "each one exists"));
}

// Asks the plugin for all at once.
std::vector<absl::Status> AskForAll(const PluginOps& ops,
                                    absl::Span<const std::string> uris) {
  std::vector<absl::Status> answers(uris.size());
  // Passes only the paths that can be translated.
  std::deque<TranslatedPath> paths;
  std::deque<CallStatus> statuses;  // in place: they cannot move
  std::vector<size_t> asked;
  std::vector<char*> path_array;
  std::vector<TF_Status*> status_array;
  for (size_t i = 0; i < uris.size(); ++i) {
    const size_t scheme_bytes = ops.OwnSchemeBytesOf(uris[i]);
    if (scheme_bytes == PluginOps::kOtherScheme) {
      answers[i] = ops.OtherScheme(kOp, uris[i]);
      continue;
    }
    paths.emplace_back(ops.tables(), ops.filesystem(), kOp, uris[i],
                       scheme_bytes);
    answers[i] = paths.back().status();
    if (!answers[i].ok()) continue;
    asked.push_back(i);
    path_array.push_back(const_cast<char*>(paths.back().c_str()));
    status_array.push_back(statuses.emplace_back(ops.tables().status).get());
  }
  if (asked.empty()) return answers;
  bool all = false;
  CallStatus thrown(ops.tables().status);
  CallOpInto<kOp>(ops.tables(), uris[asked.front()], thrown,
                  [&](auto paths_exist, TF_Status*) {
                    all = paths_exist(&ops.filesystem(), path_array.data(),
                                      static_cast<int>(path_array.size()),
                                      status_array.data());
                  });
  bool each = true;
  for (size_t k = 0; k < asked.size(); ++k) {
    const CallStatus& status = thrown.ok() ? statuses[k] : thrown;
    if (!status.ok()) answers[asked[k]] = status.ToError(kOp, uris[asked[k]]);
    each &= status.ok();
  }
  if (each && !all) {
    for (const size_t i : asked) answers[i] = Contradiction(uris[i]);
  }
  return answers;
}

}  // namespace

std::vector<absl::Status> FileSystem::FilesExist(
    absl::Span<const std::string> uris) const {
  // What path_exists of an untested plugin answers is confirmed.
  if (ops().Has(kOp) && !ops().tables().traits.is_untested) {
    return AskForAll(ops(), uris);
  }
  std::vector<absl::Status> answers;
  for (const std::string& uri : uris) answers.push_back(FileExists(uri));
  return answers;
}

}  // namespace fsload
