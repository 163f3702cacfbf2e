// fsload cat.
#include <memory>
#include <string>

#include "tools/files/interruption.h"
#include "tools/files/verb.h"
#include "tools/files/verbs.h"
#include "tools/output.h"

namespace fsload {
namespace {

absl::Status Cat(const FileSystem& file_system, const std::string& uri) {
  constexpr size_t kBlock = size_t{1} << 20;
  const absl::StatusOr<std::unique_ptr<RandomAccessFile>> file =
      file_system.NewRandomAccessFile(uri);
  if (!file.ok()) return file.status();
  std::string block(kBlock, '\0');
  for (uint64_t offset = 0;;) {
    absl::Status status = CheckInterruption();
    if (!status.ok()) return status;
    const absl::StatusOr<size_t> bytes =
        (*file)->Read(offset, block.size(), block.data());
    if (!bytes.ok()) return bytes.status();
    const bool printed = Print({block.data(), *bytes});
    if (!printed || *bytes < block.size()) return absl::OkStatus();
    offset += *bytes;
  }
}

}  // namespace

void AddCat(CLI::App& app, int& exit_code) {
  AddVerb(app, exit_code,
          {"cat", "Write files to standard output", "URIs, or local paths"},
          [](VerbRun& run) { run.ForEachUri(Cat); });
}

}  // namespace fsload
