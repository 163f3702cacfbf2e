#include "tools/files/verbs/file_headers.h"

#include "tools/text/name_text.h"

namespace fsload {

void ForEachWithHeader(
    VerbRun& run,
    const std::function<absl::Status(const std::string&, const std::string&)>&
        show) {
  const bool headers =
      run.uris().size() > 1 && !run.options().quiet && !run.output().json();
  std::string before = "==> ";
  run.ForEachArgument([&](const std::string& uri) {
    std::string header;
    if (headers) {
      header = before + (uri == "-" ? "standard input" : NameText(uri));
      header += " <==\n";
    }
    const absl::Status status = show(uri, header);
    if (status.ok()) before = "\n==> ";
    return status;
  });
}

}  // namespace fsload
