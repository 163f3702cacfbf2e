// fsload stat.
#include <string>

#include "core/file_system/confirmed_stat.h"
#include "core/walk/trailing_slash.h"
#include "third_party/fmt/format.h"
#include "tools/files/run/verb.h"
#include "tools/files/verbs/shown_time.h"
#include "tools/files/verbs/verbs.h"
#include "tools/text/name_text.h"

namespace fsload {
namespace {

void StatEach(VerbRun& run) {
  const bool several = run.uris().size() > 1;
  bool first = true;
  run.ForEachUri([&](const FileSystem& file_system, const std::string& uri) {
    const absl::StatusOr<FileStatistics> found =
        StatConfirmed(file_system, uri);
    if (!found.ok()) return found.status();
    const absl::Status fits = CheckTrailingSlash(file_system, uri);
    if (!fits.ok()) return fits;
    const char* const type = found->is_directory ? "directory" : "file";
    const ShownTime mtime = ShownTimeOf(file_system, *found);
    std::string text = several && !first ? "\n" : "";
    if (several) text += Format("uri     {}\n", NameText(uri));
    text += Format("type    {}\nlength  {}\nmtime   {}\n", type, found->length,
                   mtime.text);
    first = false;
    run.output().Result(text, "stat",
                        {{"uri", uri},
                         {"type", type},
                         {"length", found->length},
                         {"mtime", mtime.value}});
    return absl::OkStatus();
  });
}

}  // namespace

void AddStat(CLI::App& app, int& exit_code) {
  AddVerb(app, exit_code,
          {"stat",
           "Show type, length and modification time",
           "URIs or local paths",
           1,
           SIZE_MAX,
           {Op::kFilesystem_stat}},
          StatEach);
}

}  // namespace fsload
