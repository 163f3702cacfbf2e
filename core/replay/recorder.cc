#include "fsload/recorder.h"

#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "core/file_system/plugin_file_system.h"
#include "core/replay/journal_file.h"
#include "core/replay/recording.h"
#include "core/replay/recording_tables.h"
#include "core/tables/operations.h"
#include "fsload/op_observer.h"

namespace fsload {
namespace {

JournalFileSystem Describe(const FileSystem& file_system, uint64_t number) {
  const SchemeTables& tables = TablesOf(file_system);
  JournalFileSystem description = {
      number, file_system.scheme(), file_system.owner(), {}, tables.traits};
  for (const Operation& each : kOperations) {
    if (FunctionIn(tables, each.op) == nullptr) continue;
    description.operations.push_back(each.op);
  }
  return description;
}

// An observer sees the init and the cleanup of what is recorded; those of the
// tables around it are no calls of a plugin.
class OncePerCall final : public OpObserver {
 public:
  explicit OncePerCall(OpObserver& observer) : observer_(observer) {}

  void OnStart(const OpStart& start) override {
    if (IsOfPlugin(start.op)) observer_.OnStart(start);
  }
  void OnCall(const OpCall& call) override {
    if (IsOfPlugin(call.op)) observer_.OnCall(call);
  }

 private:
  static bool IsOfPlugin(Op op) {
    return op != Op::kFilesystem_init && op != Op::kFilesystem_cleanup;
  }

  OpObserver& observer_;
};

// One for each observer. Never freed, as the last call that it sees frees
// everything else.
OpObserver* WithoutOwnCalls(OpObserver* observer) {
  if (observer == nullptr) return nullptr;
  static auto* const mutex = new std::mutex;
  static auto* const made =
      new std::map<OpObserver*, std::unique_ptr<OncePerCall>>;
  const std::lock_guard<std::mutex> lock(*mutex);
  std::unique_ptr<OncePerCall>& found = (*made)[observer];
  if (found == nullptr) found = std::make_unique<OncePerCall>(*observer);
  return found.get();
}

}  // namespace

Recorder::Recorder(std::unique_ptr<JournalFile> file)
    : file_(std::move(file)) {}

Recorder::~Recorder() = default;

absl::StatusOr<std::shared_ptr<Recorder>> Recorder::Create(
    const std::string& path, uint64_t most_bytes) {
  absl::StatusOr<std::unique_ptr<JournalFile>> file =
      JournalFile::Create(path, most_bytes);
  if (!file.ok()) return file.status();
  return std::shared_ptr<Recorder>(new Recorder(*std::move(file)));
}

absl::Status Recorder::status() const { return file_->status(); }

absl::StatusOr<FileSystemPtr> RecordCalls(
    FileSystemPtr file_system, const std::shared_ptr<Recorder>& recorder) {
  const PluginFileSystem& inner = PluginFileSystem::Of(*file_system);
  SchemeTables tables = RecordingTables(inner.tables());
  tables.observer = WithoutOwnCalls(tables.observer);
  const absl::StatusOr<std::vector<OpTables>> sealed =
      OpTables::Seal({&tables, 1});
  if (!sealed.ok()) return sealed.status();
  JournalFile& file = *recorder->file_;
  const uint64_t number = file.NewNumber();
  file.Add([&] { return Describe(*file_system, number); });
  return PluginFileSystem::Create(sealed->front(), inner.scheme(),
                                  inner.owner(),
                                  {new Recording{std::move(file_system),
                                                 inner.tables(),
                                                 inner.ops().filesystem(),
                                                 recorder,
                                                 file,
                                                 number,
                                                 {}}});
}

}  // namespace fsload
