// FileSystem::FilesExist: one call for many paths, or a call for each.
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "core/calls/op_call.h"
#include "core/calls/translated_path.h"
#include "core/file_system/file_system.h"

namespace fsload {
namespace {

constexpr Op kOp = Op::kFilesystem_paths_exist;

// Asks the plugin for all at once; `answers` has one OK for each.
bool AskForAll(const PluginOps& ops, const std::vector<std::string>& uris,
               std::vector<absl::Status>& answers) {
  // Only the paths that can be translated are asked for.
  std::deque<TranslatedPath> paths;
  std::deque<CallStatus> statuses;  // in place: neither moves
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
  if (asked.empty()) return uris.empty();
  bool all = false;
  CallStatus thrown(ops.tables().status);
  CallOp(ops.tables(), kOp, uris[asked.front()], thrown, [&] {
    all = ops.tables().filesystem.paths_exist(
        &ops.filesystem(), path_array.data(),
        static_cast<int>(path_array.size()), status_array.data());
  });
  for (size_t k = 0; k < asked.size(); ++k) {
    const CallStatus& status = thrown.ok() ? statuses[k] : thrown;
    if (!status.ok()) answers[asked[k]] = status.ToError(kOp, uris[asked[k]]);
    all &= status.ok();
  }
  return all && asked.size() == uris.size();
}

}  // namespace

bool FileSystem::FilesExist(const std::vector<std::string>& uris,
                            std::vector<absl::Status>* statuses) const {
  std::vector<absl::Status> ignored;
  std::vector<absl::Status>& answers = statuses ? *statuses : ignored;
  answers.assign(uris.size(), absl::OkStatus());
  if (ops_.Has(kOp)) return AskForAll(ops_, uris, answers);
  bool all = true;
  for (size_t i = 0; i < uris.size(); ++i) {
    answers[i] = FileExists(uris[i]);
    all &= answers[i].ok();
  }
  return all;
}

}  // namespace fsload
