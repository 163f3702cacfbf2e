// fsload ls.
#include <fmt/format.h>

#include <memory>
#include <string>
#include <utility>

#include "tools/files/run/verb.h"
#include "tools/files/verbs/verbs.h"
#include "tools/files/walk/tree_walk.h"
#include "tools/text/name_text.h"
#include "tools/text/size_text.h"
#include "tools/text/time_text.h"

namespace fsload {
namespace {

struct ListOptions {
  bool details = false;
  bool human = false;
  WalkOptions walk;
};

class Lister {
 public:
  Lister(VerbRun& run, const ListOptions& options)
      : run_(run), options_(options), headers_(run.options().uris.size() > 1) {}

  absl::Status List(const FileSystem& file_system, const std::string& uri) {
    const absl::StatusOr<FileStatistics> found = file_system.Stat(uri);
    if (found.ok() && !found->is_directory) {
      Show({uri, uri, *found, {}}, WalkDetail::kStatistics);
      return absl::OkStatus();
    }
    bool empty = true;
    const auto begin = [&] {
      if (empty) ShowDirectory(uri);
      empty = false;
    };
    const absl::Status status = WalkTree(
        file_system, uri, options_.walk,
        [&](const WalkEntry& entry) {
          begin();
          return Show(entry, options_.walk.detail);
        },
        [&](const std::string& failed, const absl::Status& error) {
          begin();
          run_.output().Fail(failed, error);
        });
    // A plugin may list what it cannot describe, and the other way round. But
    // stores list nothing if nothing is there.
    if (!found.ok() && empty && !absl::IsUnimplemented(found.status()) &&
        !absl::IsUnimplemented(status)) {
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

  bool Show(const WalkEntry& entry, WalkDetail detail) {
    begun_ = true;
    const FileStatistics& found = *entry.found;
    const char* const type = found.is_directory ? "directory" : "file";
    JsonFields fields = {{"uri", entry.uri}, {"name", entry.path}};
    if (detail != WalkDetail::kNames) fields.emplace_back("type", type);
    std::string text = NameText(entry.path) + "\n";
    if (detail == WalkDetail::kStatistics) {
      const std::string mtime = TimeText(found.mtime_nsec);
      fields.emplace_back("length", found.length);
      fields.emplace_back("mtime", mtime);
      if (options_.details) {
        const std::string length =
            options_.human && found.length >= 0
                ? HumanSize(static_cast<uint64_t>(found.length))
                : fmt::format("{}", found.length);
        text = fmt::format("{:9}  {:>12}  {}  {}", type, length, mtime, text);
      }
    }
    return run_.output().Result(text, "entry", fields);
  }

  VerbRun& run_;
  const ListOptions& options_;
  const bool headers_;
  bool begun_ = false;  // something has been printed
};

void ListEach(VerbRun& run, const ListOptions& given) {
  ListOptions options = given;
  options.walk.detail = options.details          ? WalkDetail::kStatistics
                        : options.walk.recursive ? WalkDetail::kTypes
                                                 : WalkDetail::kNames;
  Lister lister(run, options);
  run.ForEachUri([&](const FileSystem& file_system, const std::string& uri) {
    return lister.List(file_system, uri);
  });
}

}  // namespace

void AddList(CLI::App& app, int& exit_code) {
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
  AddFlag(*command, "-R,--recursive", options->walk.recursive,
          "List recursively, each directory before its contents");
  AddFlag(*command, "-h,--human-readable", options->human,
          "With -l: print lengths like 1.5K");
  AddJobsOption(*command, "plugin calls", options->walk.jobs);
}

}  // namespace fsload
