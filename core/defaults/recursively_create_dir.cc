#include <string>
#include <string_view>
#include <vector>

#include "core/calls/plugin_call.h"
#include "core/defaults/defaults.h"
#include "core/paths/uri.h"

namespace fsload {
namespace {

constexpr Op kCreateOp = Op::kFilesystem_recursively_create_dir;

// A path's ancestors: prefixes of it, the outermost first, ending with itself.
std::vector<std::string> Ancestors(std::string_view path) {
  std::vector<std::string> ancestors;
  size_t end = path.size() - ParseUri(path).path.size();
  while (end < path.size()) {
    const size_t begin = path.find_first_not_of('/', end);
    if (begin == std::string_view::npos) break;
    end = std::min(path.find('/', begin), path.size());
    ancestors.emplace_back(path.substr(0, end));
  }
  if (ancestors.empty()) ancestors.emplace_back(path);  // a root
  return ancestors;
}

class Creator {
 public:
  Creator(const PluginOps& ops, const PathArgument& path)
      : ops_(ops), path_(path), ancestors_(Ancestors(path.canonical)) {}

  absl::Status Run() {
    const absl::StatusOr<size_t> existing = CountExisting();
    if (!existing.ok()) return existing.status();
    for (size_t i = *existing; i < ancestors_.size(); ++i) {
      const absl::Status status = CreateOne(i);
      if (!status.ok()) return status;
    }
    return absl::OkStatus();
  }

 private:
  // The last one is the caller's path, and is shown that way.
  PathArgument Ancestor(size_t i) const {
    const bool is_last = i + 1 == ancestors_.size();
    return {ancestors_[i].c_str(), is_last ? path_.shown : ancestors_[i]};
  }

  // Whether the directory exists; FAILED_PRECONDITION for a file in the way.
  absl::StatusOr<bool> Exists(size_t i) const {
    const absl::StatusOr<bool> is_directory = ops_.IsDirectory(Ancestor(i));
    if (absl::IsNotFound(is_directory.status())) return false;
    if (is_directory.ok() && !*is_directory) return InTheWay(i);
    return is_directory;
  }

  absl::Status InTheWay(size_t i) const {
    return absl::FailedPreconditionError(
        CallMessage(kCreateOp, path_.shown,
                    "'" + ancestors_[i] + "' is a file or lies below one"));
  }

  // How many of the ancestors exist. The first `low` do, the `high`-th does
  // not.
  absl::StatusOr<size_t> CountExisting() const {
    const size_t all = ancestors_.size();
    size_t low = 0;
    size_t high = all + 1;
    for (size_t step = 0; step < all; step = 2 * step + 1) {
      const absl::StatusOr<bool> exists = Exists(all - step - 1);
      if (!exists.ok()) return exists.status();
      if (*exists) {
        low = all - step;
        break;
      }
      high = all - step;
    }
    while (high - low > 1) {
      const size_t middle = low + (high - low) / 2;
      const absl::StatusOr<bool> exists = Exists(middle - 1);
      if (!exists.ok()) return exists.status();
      (*exists ? low : high) = middle;
    }
    return low;
  }

  absl::Status CreateOne(size_t i) const {
    const absl::Status status = ops_.CreateDir(Ancestor(i));
    if (status.ok()) return status;
    // Somebody else may have created it first; plugins report that with various
    // codes.
    const absl::StatusOr<bool> is_directory = ops_.IsDirectory(Ancestor(i));
    if (!is_directory.ok()) return status;
    return *is_directory ? absl::OkStatus() : InTheWay(i);
  }

  const PluginOps& ops_;
  const PathArgument path_;
  const std::vector<std::string> ancestors_;
};

}  // namespace

absl::Status RecursivelyCreateDirByDefault(const PluginOps& ops,
                                           const PathArgument& path) {
  return Creator(ops, path).Run();
}

}  // namespace fsload
