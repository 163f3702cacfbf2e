#include "loader/static_pass/plugin_search.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "absl/status/status.h"
#include "loader/elf/elf_file.h"
#include "loader/elf/file_bytes.h"
#include "loader/rules/findings.h"
#include "loader/static_pass/plugin_file.h"
#include "loader/trust/file_errors.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

bool Mentions(FileBytes& contents, std::string_view text) {
  const absl::Span<const char> bytes = contents.bytes();
  contents.Fetch(0, bytes.size());
  return memmem(bytes.data(), bytes.size(), text.data(), text.size()) !=
         nullptr;
}

// Whether a file that is refused for `findings` is most likely a plugin. What
// is not ELF, such as a linker script, is none, but for an empty file, of which
// nothing was copied. Of a truncated one the names may be gone.
bool MayBePlugin(FileBytes& contents, const Findings& findings) {
  const std::vector<Finding>& all = findings.all();
  if (all.front().rule == RuleId::kElf) return contents.bytes().empty();
  return all.back().rule == RuleId::kWhole || Mentions(contents, kInitName);
}

void Classify(const std::string& path, FoundPlugins& found) {
  const std::unique_ptr<FileBytes> contents = FileBytes::Open(path);
  if (contents == nullptr) {
    const int error = errno;
    if (error == EISDIR || error == EINVAL) {
      found.irregular.push_back(path + ": " + NotRegularFile(error == EISDIR));
      return;
    }
    found.unreadable.push_back(path + ": " + UnreadableFile(error));
    return;
  }
  Findings findings;
  const std::optional<ElfFile> file = ElfFile::Parse(
      contents->bytes(), findings, contents.get(), Machines::kKnown);
  const bool is_plugin = file.has_value()
                             ? file->FindExported(kInitName) != nullptr
                             : MayBePlugin(*contents, findings);
  (is_plugin ? found.plugins : found.others).push_back(path);
}

namespace fs = std::filesystem;

// Adds the files in `folder` named like shared objects to `paths`, and its
// subfolders to `folders`.
std::error_code List(const fs::path& folder, std::vector<std::string>& paths,
                     std::vector<fs::path>& folders) {
  std::error_code error;
  fs::directory_iterator entry(folder, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    const fs::path& path = entry->path();
    // An entry that cannot be examined is not a folder.
    std::error_code ignored;
    if (entry->symlink_status(ignored).type() == fs::file_type::directory) {
      folders.push_back(path);
    } else if (IsSharedObjectName(path.filename().string())) {
      paths.push_back(path.string());
    }
  }
  return error;
}

}  // namespace

bool IsSharedObjectName(std::string_view name) {
  const size_t end = name.find_last_not_of("0123456789.") + 1;
  const std::string_view stem = name.substr(0, end);
  constexpr std::string_view kSuffix = ".so";
  return stem.size() > kSuffix.size() &&
         stem.substr(stem.size() - kSuffix.size()) == kSuffix &&
         (end == name.size() || name[end] == '.');
}

absl::StatusOr<FoundPlugins> FindPlugins(const std::string& folder) {
  FoundPlugins found;
  std::vector<std::string> paths;
  std::vector<fs::path> folders;
  std::error_code error = List(folder, paths, folders);
  if (error) {
    return ErrnoError(error.value(), "cannot list '{}' to check its contents",
                      folder);
  }
  while (!folders.empty()) {
    const fs::path inner = folders.back();
    folders.pop_back();
    error = List(inner, paths, folders);
    if (!error) continue;
    found.unreadable.push_back(
        Format("cannot list '{}': {}; its contents are not checked",
               inner.string(), error.message()));
  }
  std::sort(paths.begin(), paths.end());
  std::sort(found.unreadable.begin(), found.unreadable.end());
  for (const std::string& path : paths) Classify(path, found);
  return found;
}

}  // namespace fsload
