#include "loader/discovery/named_plugins.h"

#include <unistd.h>

#include <filesystem>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "loader/discovery/search_locations.h"
#include "loader/static_pass/plugin_search.h"
#include "loader/wheels/wheel_file.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

bool IsPath(const std::string& word) {
  return word.find('/') != std::string::npos || IsWheelName(word) ||
         IsSharedObjectName(word) || access(word.c_str(), F_OK) == 0;
}

// The plugins in a folder: one bad wheel does not spoil the rest.
absl::StatusOr<NamedPlugins> InFolder(const std::string& folder,
                                      PluginCatalog& catalog) {
  NamedPlugins named;
  named.folder = true;
  const absl::StatusOr<std::vector<std::string>> files =
      PluginFilesAt(folder, named.problems);
  if (!files.ok()) return files.status();
  for (const std::string& file : *files) {
    if (!IsWheelName(file)) {
      named.plugins.push_back(file);
      continue;
    }
    const absl::StatusOr<std::vector<std::string>> plugins =
        catalog.Unpack(file);
    if (!plugins.ok()) {
      named.problems.emplace_back(plugins.status().message());
      continue;
    }
    named.plugins.insert(named.plugins.end(), plugins->begin(), plugins->end());
  }
  if (!named.plugins.empty()) return named;
  std::string text =
      folder + ": no plugin found: no file in it exports TF_InitPlugin";
  for (const std::string& problem : named.problems) text += "; " + problem;
  return absl::NotFoundError(text);
}

}  // namespace

absl::StatusOr<NamedPlugins> FindNamedPlugins(const std::string& word,
                                              PluginCatalog& catalog) {
  std::error_code ignored;  // the load reports why it cannot be read
  if (!IsPath(word)) {
    const absl::StatusOr<CatalogEntry> entry = catalog.FindNamed(word);
    if (!entry.ok()) return entry.status();
    if (entry->path == entry->wheel) {
      return FailedPreconditionError("{}: {}", entry->path, entry->problem);
    }
    return NamedPlugins{{entry->path}, false, {}};
  }
  if (std::filesystem::is_directory(word, ignored)) {
    return InFolder(word, catalog);
  }
  if (!IsWheelName(word)) return NamedPlugins{{word}, false, {}};
  absl::StatusOr<std::vector<std::string>> plugins = catalog.Unpack(word);
  if (!plugins.ok()) return plugins.status();
  return NamedPlugins{*std::move(plugins), false, {}};
}

}  // namespace fsload
