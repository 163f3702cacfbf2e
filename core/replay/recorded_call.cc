#include "core/replay/recorded_call.h"

#include <string_view>

#include "core/calls/missing_function.h"
#include "core/calls/plugin_call.h"
#include "core/replay/redacted.h"

namespace fsload {
namespace {

void LookForMissingFunction(const char* key, const char*, void* found) {
  if (std::string_view(key) == kMissingFunctionPayload) {
    *static_cast<bool*>(found) = true;
  }
}

}  // namespace

TF_Code StatusReader::Code(const TF_Status* status) const {
  return provider_.is_own() ? TF_GetCode(status) : provider_.get_code(status);
}

std::string StatusReader::Message(const TF_Status* status) const {
  const char* const text =
      provider_.is_own() ? TF_Message(status) : provider_.message(status);
  return text == nullptr ? "" : text;
}

bool StatusReader::IsOfMissingFunction(const TF_Status* status) const {
  bool found = false;
  if (provider_.is_own()) {
    TF_ForEachPayload(status, &LookForMissingFunction, &found);
  }
  return found;
}

void RecordedCall::AddContents(const char* bytes, size_t n) {
  if (n <= kMostLineBytes) {
    Add(std::string(bytes, n));
  } else {
    recording_.file.StopBefore(n);
  }
}

void RecordedCall::NoteContents(JournalCall& record, const void* bytes,
                                size_t n) const {
  if (bytes == nullptr) return;
  if (n <= kMostLineBytes) {
    record.bytes.assign(static_cast<const char*>(bytes), n);
  } else {
    recording_.file.StopBefore(n);
  }
}

// As the boundary shows it (core/calls/plugin_call.cc).
void RecordedCall::RecordException() {
  const auto end = std::chrono::steady_clock::now();
  recording_.file.Add([&] {
    call_.duration = std::chrono::nanoseconds(end - start_).count();
    try {
      throw;
    } catch (const MissingFunction& missing) {
      call_.code = TF_UNIMPLEMENTED;
      call_.message = missing.what();
      call_.misses = true;
    } catch (...) {
      call_.code = TF_INTERNAL;
      call_.message = "the plugin threw " + DescribeCurrentException();
    }
    return TakeLine();
  });
}

void RecordedCall::NoteStatus() {
  if (status_ == nullptr) return;
  const StatusReader reader(recording_.tables.status);
  call_.code = reader.Code(status_);
  if (call_.code == TF_OK) return;
  call_.message = reader.Message(status_);
  call_.misses = reader.IsOfMissingFunction(status_);
}

JournalLine RecordedCall::TakeLine() {
  Redact(call_);
  return std::move(call_);
}

}  // namespace fsload
