// fsload ls.
#include <algorithm>
#include <string>
#include <vector>

#include "tools/files/verb.h"
#include "tools/files/verbs.h"

namespace fsload {

void AddList(CLI::App& app, int& exit_code) {
  const auto list = [](VerbRun& run) {
    run.ForEachUri(
        [&run](const FileSystem& file_system, const std::string& uri) {
          absl::StatusOr<std::vector<std::string>> children =
              file_system.GetChildren(uri);
          if (!children.ok()) return children.status();
          std::sort(children->begin(), children->end());
          for (const std::string& child : *children) {
            run.output().Result(child + "\n", "entry",
                                {{"uri", uri}, {"name", child}});
          }
          return absl::OkStatus();
        });
  };
  AddVerb(app, exit_code,
          {"ls", "List a directory, one name a line", "URIs, or local paths"},
          list);
}

}  // namespace fsload
