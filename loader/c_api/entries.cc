// Listings, walks and globs.
#include "fsload/c/entries.h"

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "core/file_system/confirmed_stat.h"
#include "fsload/file_system.h"
#include "fsload/walk.h"
#include "loader/c_api/boundary.h"
#include "loader/c_api/sized.h"
#include "loader/c_api/strings.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

// An entry with the strings that it shows.
class Entry final {
 public:
  // `detail` is what was looked up.
  Entry(WalkEntry found, fsload_detail detail)
      : found_(std::move(found)), message_(found_.status.message()) {
    shown_.struct_size = sizeof(shown_);
    shown_.path = found_.path.c_str();
    shown_.uri = found_.uri.c_str();
    shown_.code = CodeOf(found_.status);
    shown_.message = message_.c_str();
    if (!found_.found.has_value()) return;
    shown_.detail = detail;
    shown_.is_directory = found_.found->is_directory ? 1 : 0;
    if (detail != FSLOAD_STATISTICS) return;
    shown_.length = found_.found->length;
    shown_.modified_ns = found_.found->mtime_nsec;
  }
  Entry(const Entry&) = delete;
  Entry& operator=(const Entry&) = delete;

  const fsload_entry& shown() const { return shown_; }

 private:
  const WalkEntry found_;
  const std::string message_;
  fsload_entry shown_ = {};
};

constexpr size_t kMinWalkOptions = 48;

}  // namespace
}  // namespace fsload

struct fsload_entries {
  std::deque<fsload::Entry> entries;
};

struct fsload_walk {
  fsload::FileSystemPtr file_system;  // outlives the walk
  std::string uri;
  fsload_detail detail;
  std::optional<fsload::Walk> walk;
  bool is_empty = true;                // so far
  std::optional<fsload::Entry> entry;  // the current one
};

namespace fsload {
namespace {

// Adds what happened to an error of `stop`, which has no message, as it must
// not allocate one.
absl::Status WithReason(const fsload_walk& walk, const absl::Status& status) {
  if (!absl::IsCancelled(status) || !status.message().empty()) return status;
  return fsload::CancelledError("{}: the walk was stopped by its caller",
                                walk.uri);
}

absl::StatusOr<WalkOptions> WalkOptionsOf(const fsload_walk_options& given) {
  if (given.detail < FSLOAD_NAMES || given.detail > FSLOAD_STATISTICS) {
    return fsload::InvalidArgumentError(
        "fsload_walk_options: unknown detail {}",
        static_cast<int>(given.detail));
  }
  WalkOptions options;
  options.detail = static_cast<WalkDetail>(given.detail);
  options.recursive = given.recursive != 0;
  options.follow_links = given.skip_links == 0;
  options.sorted = given.unsorted == 0;
  if (given.jobs != 0) options.jobs = given.jobs;
  if (given.stop != nullptr) {
    options.before_call = [stop = given.stop, data = given.data] {
      return stop(data) == 0 ? absl::OkStatus() : fsload::CancelledError("");
    };
  }
  return options;
}

absl::StatusOr<std::unique_ptr<fsload_walk>> Begin(
    fsload_registry* registry, const char* uri,
    const fsload_walk_options* given) {
  fsload_walk_options copy = {};
  const absl::Status copied =
      CopySized("fsload_walk_options", given, kMinWalkOptions, copy);
  if (!copied.ok()) return copied;
  const absl::StatusOr<WalkOptions> options = WalkOptionsOf(copy);
  if (!options.ok()) return options.status();
  absl::StatusOr<FileSystemPtr> file_system = FileSystemFor(registry, uri);
  if (!file_system.ok()) return file_system.status();
  auto walk = std::make_unique<fsload_walk>();
  walk->file_system = *std::move(file_system);
  walk->uri = uri;
  walk->detail = options->recursive && copy.detail == FSLOAD_NAMES
                     ? FSLOAD_TYPES
                     : copy.detail;
  absl::StatusOr<Walk> begun =
      Walk::Begin(*walk->file_system, walk->uri, *options);
  if (!begun.ok()) return WithReason(*walk, begun.status());
  walk->walk = *std::move(begun);
  return walk;
}

// Plugins of stores report an empty listing for a file, and where nothing is.
absl::Status CheckIsDirectory(const fsload_walk& walk) {
  const auto found = StatConfirmed(*walk.file_system, walk.uri);
  if (absl::IsUnimplemented(found.status())) return absl::OkStatus();
  if (!found.ok() || found->is_directory) return found.status();
  return fsload::FailedPreconditionError("{}: is a file, not a directory",
                                         walk.uri);
}

absl::StatusOr<std::optional<WalkEntry>> Next(fsload_walk& walk) {
  auto entry = walk.walk->Next();
  if (!entry.ok()) return WithReason(walk, entry.status());
  if (!entry->has_value() && walk.is_empty) {
    const absl::Status status = CheckIsDirectory(walk);
    if (!status.ok()) return status;
  }
  walk.is_empty = false;
  return entry;
}

absl::Status List(fsload_registry* registry, const char* uri,
                  const fsload_walk_options* options,
                  fsload_entries** entries) {
  const auto walk = Begin(registry, uri, options);
  if (!walk.ok()) return walk.status();
  auto list = std::make_unique<fsload_entries>();
  while (true) {
    absl::StatusOr<std::optional<WalkEntry>> entry = Next(**walk);
    if (!entry.ok()) return entry.status();
    if (!entry->has_value()) break;
    list->entries.emplace_back(**std::move(entry), (*walk)->detail);
  }
  *entries = list.release();
  return absl::OkStatus();
}

}  // namespace
}  // namespace fsload

using fsload::AtBoundary;

fsload_code fsload_list(fsload_registry* registry, const char* uri,
                        const fsload_walk_options* options,
                        fsload_entries** entries, fsload_error** error) {
  if (entries != nullptr) *entries = nullptr;
  return AtBoundary(
      error, "fsload_list", {{"uri", uri}, {"entries", entries}},
      [&] { return fsload::List(registry, uri, options, entries); });
}

size_t fsload_entries_count(const fsload_entries* entries) {
  return entries == nullptr ? 0 : entries->entries.size();
}

const fsload_entry* fsload_entries_get(const fsload_entries* entries,
                                       size_t index) {
  return index < fsload_entries_count(entries)
             ? &entries->entries[index].shown()
             : nullptr;
}

void fsload_entries_free(fsload_entries* entries) { delete entries; }

fsload_code fsload_walk_begin(fsload_registry* registry, const char* uri,
                              const fsload_walk_options* options,
                              fsload_walk** walk, fsload_error** error) {
  if (walk != nullptr) *walk = nullptr;
  return AtBoundary(error, "fsload_walk_begin", {{"uri", uri}, {"walk", walk}},
                    [&] {
                      auto begun = fsload::Begin(registry, uri, options);
                      if (begun.ok()) *walk = begun->release();
                      return begun.status();
                    });
}

fsload_code fsload_walk_next(fsload_walk* walk, const fsload_entry** entry,
                             fsload_error** error) {
  if (entry != nullptr) *entry = nullptr;
  return AtBoundary(error, "fsload_walk_next",
                    {{"walk", walk}, {"entry", entry}}, [&] {
                      auto next = fsload::Next(*walk);
                      if (!next.ok() || !next->has_value())
                        return next.status();
                      walk->entry.emplace(**std::move(next), walk->detail);
                      *entry = &walk->entry->shown();
                      return absl::OkStatus();
                    });
}

void fsload_walk_free(fsload_walk* walk) { delete walk; }

fsload_code fsload_glob(fsload_registry* registry, const char* pattern,
                        fsload_strings** paths, fsload_error** error) {
  if (paths != nullptr) *paths = nullptr;
  return AtBoundary(
      error, "fsload_glob", {{"pattern", pattern}, {"paths", paths}}, [&] {
        const auto file_system = fsload::FileSystemFor(registry, pattern);
        if (!file_system.ok()) return file_system.status();
        auto found = (*file_system)->GetMatchingPaths(pattern);
        if (found.ok()) *paths = new fsload_strings{*std::move(found)};
        return found.status();
      });
}
