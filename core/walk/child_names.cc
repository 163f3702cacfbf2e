#include "core/walk/child_names.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

#include "core/calls/plugin_ops.h"
#include "core/file_system/plugin_file_system.h"
#include "core/paths/path.h"
#include "core/paths/uri.h"
#include "core/walk/store_names.h"
#include "core/walk/trailing_slash.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

using Names = std::vector<std::string>;

bool LeadsNowhere(std::string_view name) {
  return name.empty() || name == "." || name == "..";
}

// Names in the contract's form, from those of a store's plugin.
// "" is the directory's own; "/" is what follows an empty component.
void Normalize(Names& names) {
  names.erase(std::remove(names.begin(), names.end(), ""), names.end());
  for (std::string& name : names) {
    while (!name.empty() && name.back() == '/') name.pop_back();
  }
}

// On stores any string is a name, and GetChildren omits some.
absl::StatusOr<Names> GivenNames(const FileSystem& file_system,
                                 const std::string& uri) {
  const absl::StatusOr<std::string> path = file_system.TranslateName(uri);
  if (!path.ok()) return path.status();
  absl::StatusOr<Names> names =
      PluginFileSystem::Of(file_system)
          .ops()
          .GetGivenChildren(PathArgument(path->c_str(), uri));
  if (names.ok()) Normalize(*names);
  return names;
}

// OK if the plugin finds that a name that nobody uses is missing in `uri`, a
// directory that it lists as empty. Otherwise the listing was denied or failed,
// too.
absl::Status CheckIsEmpty(const FileSystem& file_system,
                          const std::string& uri) {
  const absl::Status status =
      file_system.Stat(JoinPath(uri, ".fsload-no-such-name")).status();
  const bool is_denied =
      absl::IsPermissionDenied(status) || absl::IsUnauthenticated(status);
  const bool has_failed = absl::IsUnavailable(status) ||
                          absl::IsDeadlineExceeded(status) ||
                          absl::IsInternal(status) || absl::IsUnknown(status);
  return is_denied || has_failed ? status : absl::OkStatus();
}

}  // namespace

absl::StatusOr<Children> ListChildren(const FileSystem& file_system,
                                      const std::string& uri) {
  const bool is_store = HasObjects(file_system, uri);
  const auto list = [&] {
    return is_store ? GivenNames(file_system, uri)
                    : file_system.GetChildren(uri);
  };
  absl::StatusOr<Names> names = list();
  // A plugin may report a server's error as an empty listing. A caller told
  // that there is nothing may delete the original.
  const bool is_untested = TablesOf(file_system).traits.is_untested;
  if ((is_store || is_untested) && names.ok() && names->empty()) {
    names = list();
    const absl::Status status =
        is_untested ? CheckIsEmpty(file_system, uri) : absl::OkStatus();
    if (!status.ok()) return status;
  }
  if (!names.ok()) return names.status();
  Children children;
  children.names = *std::move(names);
  std::sort(children.names.begin(), children.names.end());
  for (size_t i = 1; is_store && i < children.names.size(); ++i) {
    const std::string& name = children.names[i];
    if (name == children.names[i - 1]) children.doubled.insert(name);
  }
  children.names.erase(
      std::unique(children.names.begin(), children.names.end()),
      children.names.end());
  return children;
}

absl::StatusOr<bool> HasUnlistedNames(const FileSystem& file_system,
                                      const std::string& uri) {
  const StoreNames& store = NamesOfStore(ParseUri(uri).scheme);
  const bool is_asked =
      store.omits_empty_names || (store.kind == StoreKind::kUnknown &&
                                  TablesOf(file_system).traits.is_untested);
  if (!is_asked || !KeepsHost(file_system, uri)) return false;
  const std::string below(WithoutTrailingSlashes(uri));
  const absl::StatusOr<Names> names =
      GivenNames(file_system, below + (below.back() == '/' ? "/" : "//"));
  if (absl::IsNotFound(names.status())) return false;
  if (store.omits_empty_names) {
    return names.ok() ? absl::StatusOr<bool>(!names->empty()) : names.status();
  }
  // To most plugins, "a//" is "a" or not valid.
  if (absl::IsUnavailable(names.status()) ||
      absl::IsPermissionDenied(names.status())) {
    return names.status();
  }
  if (!names.ok() || names->empty()) return false;
  const absl::StatusOr<Names> own = GivenNames(file_system, uri);
  if (!own.ok()) return own.status();
  return std::set<std::string>(names->begin(), names->end()) !=
         std::set<std::string>(own->begin(), own->end());
}

absl::Status CheckChildName(const std::string& directory,
                            const std::string& name) {
  if (!IsEntryName(name)) return NotAnEntryName(directory, name);
  if (!LeadsNowhere(name)) return absl::OkStatus();
  return FailedPreconditionError(
      "{}/{}: object names here have an empty, '.' or '..' component, which "
      "plugins and servers resolve to other paths; they are left unchanged; "
      "rename them with the store's own tools",
      directory.back() == '/' ? directory.substr(0, directory.size() - 1)
                              : directory,
      name.empty() ? "/" : name);
}

}  // namespace fsload
