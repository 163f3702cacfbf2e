// fsload cat.
#include <algorithm>
#include <memory>
#include <string>

#include "tools/files/run/source.h"
#include "tools/files/run/verb.h"
#include "tools/files/verbs/verbs.h"
#include "tools/text/output.h"
#include "tools/text/size_text.h"

namespace fsload {
namespace {

struct Part {
  uint64_t offset = 0;
  uint64_t count = kMostBytes;
};

absl::Status Cat(VerbRun& run, const std::string& uri, const Part& part) {
  absl::StatusOr<Source> source = Source::Open(run, uri);
  if (!source.ok()) return source.status();
  absl::Status status = source->Skip(part.offset);
  if (!status.ok()) return status;
  uint64_t left = part.count;
  std::string block(std::min<uint64_t>(left, kBlockBytes), '\0');
  for (uint64_t offset = part.offset; left > 0;) {
    const size_t wanted = std::min<uint64_t>(left, block.size());
    const absl::StatusOr<size_t> bytes = source->Read(block.data(), wanted);
    if (!bytes.ok()) return bytes.status();
    if (*bytes == 0) break;
    if (!run.output().Data(uri, offset, {block.data(), *bytes})) break;
    // Someone at a terminal, or following a log through a pipe, waits for it.
    if (source->is_standard_input() && !FlushOutput().ok()) break;
    offset += *bytes;
    left -= *bytes;
  }
  return absl::OkStatus();
}

}  // namespace

void AddCat(CLI::App& app, int& exit_code) {
  const auto part = std::make_shared<Part>();
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
      "BYTES", "Skip the first BYTES of each file");
  AddSizeOption(
      *command, "--count", [part](uint64_t bytes) { part->count = bytes; },
      "BYTES", "Write at most BYTES of each file");
}

}  // namespace fsload
