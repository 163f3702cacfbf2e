// fsload ls.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/file_system/confirmed_stat.h"
#include "core/walk/trailing_slash.h"
#include "third_party/fmt/format.h"
#include "tools/files/listing/tree_walk.h"
#include "tools/files/run/verb.h"
#include "tools/files/verbs/shown_time.h"
#include "tools/files/verbs/verbs.h"
#include "tools/text/name_text.h"
#include "tools/text/size_text.h"

namespace fsload {
namespace {

struct ListOptions {
  bool details = false;
  bool human = false;
  bool is_plain = false;  // without effect: names are one per line anyway
  bool newest_first = false;
  bool reverses = false;
  WalkOptions walk;

  // Whether all of a directory must be known before any of it is shown.
  bool sorts() const { return newest_first || reverses; }
};

// An argument, and what is there.
struct Listed {
  std::string uri;
  FileSystemPtr file_system;
  absl::StatusOr<FileStatistics> found;

  bool is_file() const { return found.ok() && !found->is_directory; }
  int64_t mtime() const { return found.ok() ? found->mtime_nsec : 0; }
};

class Lister {
 public:
  Lister(VerbRun& run, const ListOptions& options)
      : run_(run), options_(options), headers_(run.uris().size() > 1) {}

  absl::Status List(const Listed& listed) {
    const std::string& uri = listed.uri;
    const absl::StatusOr<FileStatistics>& found = listed.found;
    if (listed.is_file()) {
      const absl::Status fits = CheckTrailingSlash(*listed.file_system, uri);
      if (fits.ok()) {
        Show(*listed.file_system, {uri, uri, *found, {}},
             WalkDetail::kStatistics);
      }
      return fits;
    }
    bool empty = true;
    const auto begin = [&] {
      if (empty) ShowDirectory(uri);
      empty = false;
    };
    std::vector<WalkEntry> entries;  // to be sorted
    const absl::Status status = WalkTree(
        *listed.file_system, uri, options_.walk,
        [&](const WalkEntry& entry) {
          begin();
          if (!options_.sorts()) {
            return Show(*listed.file_system, entry, options_.walk.detail);
          }
          entries.push_back(entry);
          return true;
        },
        [&](const std::string& failed, const absl::Status& error) {
          begin();
          run_.output().Fail(failed, error);
        });
    ShowSorted(*listed.file_system, entries);
    // A plugin may list what it cannot describe, and the other way round. But
    // stores list nothing if nothing is there.
    if (!found.ok() && empty && !absl::IsUnimplemented(found.status())) {
      return found.status();
    }
    if (status.ok()) begin();
    return status;
  }

 private:
  // Like ls: prefixes each of several directories with its name.
  void ShowDirectory(const std::string& uri) {
    if (!headers_ || run_.output().json()) return;
    const std::string above = begun_ ? "\n" : "";
    begun_ = true;
    run_.output().Result(above + NameText(uri) + ":\n", "directory", {});
  }

  // `entries` are sorted by name.
  void ShowSorted(const FileSystem& file_system,
                  std::vector<WalkEntry>& entries) {
    if (options_.newest_first) {
      std::stable_sort(entries.begin(), entries.end(),
                       [](const WalkEntry& a, const WalkEntry& b) {
                         return a.found->mtime_nsec > b.found->mtime_nsec;
                       });
    }
    if (options_.reverses) std::reverse(entries.begin(), entries.end());
    for (const WalkEntry& entry : entries) {
      if (!Show(file_system, entry, options_.walk.detail)) return;
    }
  }

  bool Show(const FileSystem& file_system, const WalkEntry& entry,
            WalkDetail detail) {
    begun_ = true;
    const FileStatistics& found = *entry.found;
    const char* const type = found.is_directory ? "directory" : "file";
    JsonFields fields = {{"uri", entry.uri}, {"name", entry.path}};
    if (detail != WalkDetail::kNames) fields.emplace_back("type", type);
    std::string text = NameText(entry.path) + "\n";
    if (detail == WalkDetail::kStatistics) {
      const ShownTime mtime = ShownTimeOf(file_system, found);
      fields.emplace_back("length", found.length);
      fields.emplace_back("mtime", mtime.value);
      if (options_.details) {
        const std::string length =
            options_.human && found.length >= 0
                ? HumanSize(static_cast<uint64_t>(found.length))
                : Format("{}", found.length);
        text =
            Format("{:9}  {:>12}  {:30}  {}", type, length, mtime.text, text);
      }
    }
    return run_.output().Result(text, "entry", fields);
  }

  VerbRun& run_;
  const ListOptions& options_;
  const bool headers_;
  bool begun_ = false;  // something has been printed
};

// Like ls: files first.
void Sort(std::vector<Listed>& all, const ListOptions& options) {
  std::sort(all.begin(), all.end(),
            [](const Listed& a, const Listed& b) { return a.uri < b.uri; });
  if (options.newest_first) {
    std::stable_sort(
        all.begin(), all.end(),
        [](const Listed& a, const Listed& b) { return a.mtime() > b.mtime(); });
  }
  if (options.reverses) std::reverse(all.begin(), all.end());
  std::stable_partition(all.begin(), all.end(),
                        [](const Listed& listed) { return listed.is_file(); });
}

void ListEach(VerbRun& run, const ListOptions& given) {
  ListOptions options = given;
  options.walk.detail = options.details || options.newest_first
                            ? WalkDetail::kStatistics
                        : options.walk.recursive ? WalkDetail::kTypes
                                                 : WalkDetail::kNames;
  Lister lister(run, options);
  std::vector<Listed> all;  // to be sorted
  const size_t failures = run.output().failures();
  run.ForEachArgument([&](const std::string& uri) {
    const absl::StatusOr<FileSystemPtr> file_system = run.FileSystemFor(uri);
    if (!file_system.ok() && !options.sorts()) return file_system.status();
    if (!file_system.ok()) {
      all.push_back({uri, nullptr, file_system.status()});
      return absl::OkStatus();
    }
    Listed listed = {uri, *file_system, StatConfirmed(**file_system, uri)};
    if (!options.sorts()) return lister.List(listed);
    all.push_back(std::move(listed));
    return absl::OkStatus();
  });
  if (run.output().failures() > failures) return;  // it was interrupted
  Sort(all, options);
  for (const Listed& listed : all) {
    const absl::Status status = listed.file_system == nullptr
                                    ? listed.found.status()
                                    : lister.List(listed);
    if (status.ok()) continue;
    run.output().Fail(listed.uri, status);
    if (!run.options().continue_on_error || absl::IsCancelled(status)) return;
  }
}

}  // namespace

void AddLs(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<ListOptions>();
  CLI::App* const command =
      AddVerb(app, exit_code,
              {"ls",
               "List directories, one name per line",
               "URIs or local paths; for a file, its own name is printed",
               1,
               SIZE_MAX,
               {Op::kFilesystem_get_children, Op::kFilesystem_is_directory,
                Op::kFilesystem_stat}},
              [options](VerbRun& run) { ListEach(run, *options); });
  KeepShortHelpFree(*command);
  AddFlag(*command, "-l", options->details,
          "Show type, length in bytes and modification time");
  CLI::Option* const recursive =
      AddFlag(*command, "-R,--recursive", options->walk.recursive,
              "List recursively, each directory before its contents");
  AddFlag(*command, "-h,--human-readable", options->human,
          "With -l: print lengths with units, such as 1.5K");
  AddFlag(*command, "-1", options->is_plain,
          "Print one name per line, which is the default");
  Exclude(AddFlag(*command, "-t", options->newest_first,
                  "Sort by modification time, newest first"),
          {recursive});
  Exclude(
      AddFlag(*command, "-r,--reverse", options->reverses, "Reverse the order"),
      {recursive});
  AddJobsOption(*command, "plugin calls to make", options->walk.jobs);
}

}  // namespace fsload
