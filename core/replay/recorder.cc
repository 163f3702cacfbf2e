#include "fsload/recorder.h"

#include <cxxabi.h>

#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include "core/calls/missing_function.h"
#include "core/calls/plugin_call.h"
#include "core/calls/status_payload.h"
#include "core/file_system/plugin_file_system.h"
#include "core/replay/journal_file.h"
#include "core/replay/recorded_call.h"
#include "core/replay/redacted.h"
#include "core/replay/token_numbers.h"
#include "core/tables/operations.h"
#include "core/wrappers/layer.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

JournalFileSystem Describe(const FileSystem& file_system, uint64_t number) {
  const SchemeTables& tables = TablesOf(file_system);
  JournalFileSystem description = {
      number, file_system.scheme(), file_system.plugin(), {}, tables.traits};
  description.traits.empty_listing_sets_errno = false;  // recorded as an error
  for (const Operation& each : kOperations) {
    if (FunctionIn(tables, each.op) == nullptr) continue;
    description.operations.push_back(each.op);
  }
  return description;
}

void NoteStatus(JournalCall& record, const TF_Status* status) {
  record.code = TF_GetCode(status);
  if (record.code == TF_OK) return;
  record.message = TF_Message(status);
  record.misses = HasPayload(status, kMissingFunctionPayload);
}

// Of an operation without a status, as the boundary shows it.
void NoteCurrentException(JournalCall& record) {
  CodeAndText error = ErrorOfCurrentException();
  record.code = error.code;
  record.message = std::move(error.text);
  record.misses = error.missing_function;
}

class RecordingLayer final : public Layer {
 public:
  // Records into `file`, which `recorder` owns; `number` is that of `inner` in
  // the journal.
  RecordingLayer(FileSystemPtr inner, std::shared_ptr<Recorder> recorder,
                 JournalFile& file, uint64_t number)
      : Layer(std::move(inner)),
        recorder_(std::move(recorder)),
        file_(file),
        number_(number) {}

  // Has all that the plugin has, as the journal says.
  bool Has(Op op) const override { return FunctionIn(tables(), op) != nullptr; }

  void Pass(LayerCall& call) const override { Record(call); }
  void PassPlainly(LayerCall& call) const override { Record(call); }

 private:
  void Record(LayerCall& call) const {
    if (!file_.IsOwn()) return call.Forward();
    RecordedCall record(call, number_, tokens_, file_);
    const auto start = std::chrono::steady_clock::now();
    const auto add = [&](const auto& note) {
      const auto end = std::chrono::steady_clock::now();
      file_.Add([&]() -> JournalLine {
        record.call.duration = std::chrono::nanoseconds(end - start).count();
        note();
        Redact(record.call);
        return std::move(record.call);
      });
    };
    try {
      call.Forward();
    } catch (const abi::__forced_unwind&) {
      throw;
    } catch (...) {
      add([&] { NoteCurrentException(record.call); });
      throw;
    }
    add([&] {
      if (call.status != nullptr) NoteStatus(record.call, call.status);
      record.NoteAnswer(call);
    });
  }

  const std::shared_ptr<Recorder> recorder_;
  JournalFile& file_;
  const uint64_t number_;
  mutable TokenNumbers tokens_;
};

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
  return MakeLayered(std::make_unique<RecordingLayer>(std::move(file_system),
                                                      recorder, file, number));
}

}  // namespace fsload
