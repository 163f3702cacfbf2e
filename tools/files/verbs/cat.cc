// fsload cat.
#include <memory>
#include <string>
#include <string_view>

#include "tools/files/run/source.h"
#include "tools/files/run/verb.h"
#include "tools/files/verbs/verbs.h"
#include "tools/text/output.h"
#include "tools/text/size_text.h"

namespace fsload {
namespace {

absl::Status Cat(VerbRun& run, const std::string& uri, const ByteRange& part) {
  absl::StatusOr<Source> source = Source::Open(run, uri, {part});
  if (!source.ok()) return source.status();
  for (uint64_t offset = part.offset;;) {
    const absl::StatusOr<std::string_view> bytes = source->Next();
    if (!bytes.ok()) return bytes.status();
    if (bytes->empty()) break;
    if (!run.output().Data(uri, offset, *bytes)) break;
    // Someone at a terminal, or following a log through a pipe, waits for it.
    if (source->is_stream() && !FlushOutput().ok()) break;
    offset += bytes->size();
  }
  return absl::OkStatus();
}

}  // namespace

void AddCat(CLI::App& app, int& exit_code) {
  const auto part = std::make_shared<ByteRange>(kWholeFile);
  CLI::App* const command = AddVerb(
      app, exit_code,
      {"cat",
       "Write files to standard output",
       "URIs or local paths; - for standard input",
       1,
       SIZE_MAX,
       {Op::kFilesystem_new_random_access_file, Op::kRandomAccessFile_read}},
      [part](VerbRun& run) {
        run.ForEachArgument(
            [&](const std::string& uri) { return Cat(run, uri, *part); });
      });
  AddSizeOption(
      *command, "--offset", [part](uint64_t bytes) { part->offset = bytes; },
      "BYTES", "Skip the first BYTES bytes of each file");
  AddSizeOption(
      *command, "--count", [part](uint64_t bytes) { part->length = bytes; },
      "BYTES", "Write at most BYTES bytes of each file");
}

}  // namespace fsload
