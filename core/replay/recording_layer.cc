#include "core/replay/recording_layer.h"

#include <cxxabi.h>

#include <chrono>
#include <utility>

#include "core/calls/missing_function.h"
#include "core/calls/plugin_call.h"
#include "core/replay/recorded_call.h"
#include "core/replay/redacted.h"
#include "core/tables/operations.h"

namespace fsload {
namespace {

void NotePayload(const char* key, const char*, void* misses) {
  if (std::string_view(key) == kMissingFunctionPayload) {
    *static_cast<bool*>(misses) = true;
  }
}

void NoteStatus(JournalCall& record, const TF_Status* status) {
  record.code = TF_GetCode(status);
  if (record.code == TF_OK) return;
  record.message = TF_Message(status);
  TF_ForEachPayload(status, &NotePayload, &record.misses);
}

// Of an operation without a status, as the boundary shows it.
void NoteCurrentException(JournalCall& record) {
  CodeAndText error = ErrorOfCurrentException();
  record.code = error.code;
  record.message = std::move(error.text);
  record.misses = error.missing_function;
}

}  // namespace

RecordingLayer::RecordingLayer(FileSystemPtr inner,
                               std::shared_ptr<Recorder> recorder,
                               JournalFile& file, uint64_t number)
    : Layer(std::move(inner)),
      recorder_(std::move(recorder)),
      file_(file),
      number_(number) {}

bool RecordingLayer::Has(Op op) const {
  return FunctionIn(tables(), op) != nullptr;
}

void RecordingLayer::Record(LayerCall& call) const {
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

}  // namespace fsload
