#include "fsload/recorder.h"

#include <memory>
#include <string>
#include <utility>

#include "core/file_system/plugin_file_system.h"
#include "core/replay/journal_file.h"
#include "core/replay/recording_layer.h"
#include "core/tables/operations.h"
#include "core/wrappers/layer.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

JournalFileSystem Describe(const FileSystem& file_system, uint64_t number) {
  const SchemeTables& tables = TablesOf(file_system);
  JournalFileSystem description = {
      number, file_system.scheme(), file_system.plugin(), {}, tables.traits};
  for (const Operation& each : kOperations) {
    if (FunctionIn(tables, each.op) == nullptr) continue;
    description.operations.push_back(each.op);
  }
  return description;
}

}  // namespace

Recorder::Recorder(std::unique_ptr<JournalFile> file)
    : file_(std::move(file)) {}

Recorder::~Recorder() = default;

absl::StatusOr<std::shared_ptr<Recorder>> Recorder::Create(
    const std::string& path, uint64_t max_bytes) {
  absl::StatusOr<std::unique_ptr<JournalFile>> file =
      JournalFile::Create(path, max_bytes);
  if (!file.ok()) return file.status();
  return std::shared_ptr<Recorder>(new Recorder(*std::move(file)));
}

absl::Status Recorder::status() const { return file_->status(); }

absl::StatusOr<FileSystemPtr> RecordCalls(
    FileSystemPtr file_system, const std::shared_ptr<Recorder>& recorder) {
  const absl::Status checked = CheckInner(file_system, "RecordCalls");
  if (!checked.ok()) return checked;
  if (recorder == nullptr) {
    return InvalidArgumentError("RecordCalls: the recorder is null");
  }
  JournalFile& file = *recorder->file_;
  const uint64_t number = file.NewNumber();
  file.Add([&] { return Describe(*file_system, number); });
  std::string scheme = file_system->scheme();
  return MakeLayered(std::make_unique<RecordingLayer>(std::move(file_system),
                                                      recorder, file, number),
                     std::move(scheme), "");
}

}  // namespace fsload
