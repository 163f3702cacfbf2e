// fsload stat.
#include <fmt/format.h>

#include "tools/files/time_text.h"
#include "tools/files/verb.h"
#include "tools/files/verbs.h"

namespace fsload {

void AddStat(CLI::App& app, int& exit_code) {
  const auto show = [](VerbRun& run) {
    run.ForEachUri([&run](const FileSystem& file_system,
                          const std::string& uri) {
      const absl::StatusOr<FileStatistics> found = file_system.Stat(uri);
      if (!found.ok()) return found.status();
      const char* const type = found->is_directory ? "directory" : "file";
      const std::string mtime = TimeText(found->mtime_nsec);
      run.output().Result(fmt::format("type    {}\nlength  {}\nmtime   {}\n",
                                      type, found->length, mtime),
                          "stat",
                          {{"uri", uri},
                           {"type", type},
                           {"length", found->length},
                           {"mtime", mtime}});
      return absl::OkStatus();
    });
  };
  AddVerb(app, exit_code,
          {"stat", "Show what is at a path", "URIs, or local paths"}, show);
}

}  // namespace fsload
