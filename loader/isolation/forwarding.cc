#include "loader/isolation/forwarding.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <new>
#include <utility>

#include "core/calls/failed_call.h"
#include "core/calls/lost_file.h"
#include "loader/isolation/option_fields.h"
#include "loader/isolation/payload_fields.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

// Returns `path` with the scheme `to` if it has `from`.
std::string WithScheme(std::string_view path, const std::string& from,
                       const std::string& to) {
  constexpr std::string_view kSeparator = "://";
  if (from == to || path.substr(0, from.size()) != from ||
      path.substr(from.size(), kSeparator.size()) != kSeparator) {
    return std::string(path);
  }
  return to + std::string(path.substr(from.size()));
}

// Returns whether the call sets options.
bool Configures(const WorkerCall& call) {
  const auto op = static_cast<Op>(call.op);
  return op == Op::kFilesystem_set_filesystem_configuration ||
         op == Op::kFilesystem_set_filesystem_configuration_option;
}

void* Allocate(size_t bytes) { return std::malloc(bytes); }

}  // namespace

const MemoryHooks kForwardedMemory = {&Allocate, &std::free};

// --- Schemes ---

std::string IsolatedScheme::ToPlugin(const char* path) const {
  return WithScheme(path, name, plugins_name);
}

std::string IsolatedScheme::FromPlugin(std::string_view path) const {
  return WithScheme(path, plugins_name, name);
}

// --- Calls ---

void ForwardedCall::Put(const char* path) {
  constexpr Op kOfName = Op::kFilesystem_get_filesystem_configuration_option;
  if (call_.op == static_cast<uint32_t>(kOfName)) {
    fields_.Text(path);
  } else {
    fields_.Text(scheme_.ToPlugin(path));
  }
}

void ForwardedCall::Put(const TF_TransactionToken* token) {
  ForwardedTransaction found = scheme_.tokens.Find(token);
  fields_.Number(found.number);
  of_token_ = std::move(found.process);
}

void ForwardedCall::Put(const TF_Filesystem_Option* option) {
  PutOption(*option, fields_);
  if (option->name != nullptr) options_ += option->name;
  options_ += '\0';
}

// A plugin may leave a status as it is.
void ForwardedCall::Put(TF_Status* status) {
  status_ = status;
  if (TF_GetCode(status) == TF_OK) return;
  call_.has_status = true;
  status_before_.Number(static_cast<uint64_t>(TF_GetCode(status)));
  status_before_.Text(TF_Message(status));
}

void ForwardedCall::Put(TF_FileStatistics* statistics) {
  fields_.Number(static_cast<uint64_t>(statistics->length));
  fields_.Number(static_cast<uint64_t>(statistics->mtime_nsec));
  fields_.Number(statistics->is_directory ? 1 : 0);
}

bool ForwardedCall::Make() {
  // Another process may have a transaction with the same number.
  if (of_token_ != nullptr && !of_token_->ended()) return MakeIn(of_token_);
  absl::StatusOr<std::shared_ptr<WorkerProcess>> process =
      of_token_ != nullptr
          ? UnavailableError(
                "the transaction was lost with the plugin's process")
          : scheme_.worker->Process();
  if (process.ok()) return MakeIn(*std::move(process));
  Report(process.status());
  return false;
}

bool ForwardedCall::MakeOn(const IsolatedFile& file) {
  call_.file = file.handle;
  writes_ = file.writable;
  on_file_ = true;
  return MakeIn(file.process);
}

bool ForwardedCall::MakeIn(std::shared_ptr<WorkerProcess> process) {
  process_ = std::move(process);
  call_.fields = status_before_.Release() + fields_.Release();
  const absl::Status status = process_->Call(call_, answer_);
  if (!status.ok()) {
    Report(status);
    return false;
  }
  answered_ = true;
  given_ = FieldReader(answer_.fields);
  if (answer_.code != TF_OK) {
    TakeStatus();
  } else if (call_.has_status) {
    TF_SetStatus(status_, TF_OK, "");
  }
  if (answer_.code == TF_OK && Configures(call_)) {
    const absl::Status kept = scheme_.worker->KeepConfiguration(
        *process_, call_, std::move(options_));
    if (!kept.ok()) Report(kept);
    answered_ = kept.ok();
  }
  errno = answer_.error;
  return answered_;
}

// Sets the status to what kept the call from having an answer.
void ForwardedCall::Report(const absl::Status& error) {
  std::string message(error.message());
  // What is wrong may be another thing than the process, as its memory.
  const bool is_end = process_ != nullptr && process_->ended();
  if (writes_ && is_end) {
    message +=
        "; what was written to the file since it was last flushed or synced "
        "is lost";
  }
  const auto code = static_cast<TF_Code>(error.code());
  if (status_ == nullptr) throw FailedCall(code, message);
  TF_SetStatus(status_, code, message.c_str());
  if (is_end && on_file_) TF_SetPayload(status_, kFileLostPayload, "");
}

void ForwardedCall::TakeStatus() {
  const std::string message(given_.Text());
  if (status_ == nullptr) {
    throw FailedCall(answer_.code, message, answer_.misses);
  }
  TF_SetStatus(status_, answer_.code, message.c_str());
  TakePayloads(given_, status_);
}

void ForwardedCall::CheckFields() {
  if (!answered_ || given_.ok()) return;
  answered_ = false;
  Report(process_->RefuseAnswer("with too few fields"));
}

void ForwardedCall::Take(TF_FileStatistics* statistics) {
  if (!answered_) return;
  statistics->length = static_cast<int64_t>(given_.Number());
  statistics->mtime_nsec = static_cast<int64_t>(given_.Number());
  statistics->is_directory = given_.Bool();
}

void ForwardedCall::Take(uint64_t* number) {
  if (answered_) *number = given_.Number();
}

void ForwardedCall::Take(char*** entries) {
  if (!ok() || !given_.Bool()) return;
  // Those that the result counts: the facade frees no others.
  const uint64_t count =
      std::min(given_.Count(sizeof(uint64_t)),
               static_cast<uint64_t>(std::max<int64_t>(answer_.result, 0)));
  auto** const array = AllocateZeroed<char*>(kForwardedMemory, count + 1);
  if (array == nullptr) throw std::bad_alloc();
  for (uint64_t i = 0; i < count; ++i) {
    if (given_.Bool()) {
      array[i] = CopyText(kForwardedMemory, scheme_.FromPlugin(given_.Text()));
    }
  }
  if (!given_.ok()) {
    for (uint64_t i = 0; i < count; ++i) std::free(array[i]);
    std::free(array);
    return;
  }
  *entries = array;
  listed_ = static_cast<int64_t>(count);
}

void ForwardedCall::Take(TF_TransactionToken** token) {
  if (!ok()) return;
  const uint64_t number = given_.Number();
  TF_Filesystem* const owner = given_.Bool() ? scheme_.filesystem : nullptr;
  *token = number == 0 ? nullptr : scheme_.tokens.Of(process_, number, owner);
}

IsolatedFile* ForwardedCall::TakeFile(bool writable) {
  const uint64_t handle = given_.Number();
  if (!given_.ok()) return nullptr;
  return new IsolatedFile{scheme_, process_, handle, writable};
}

void ForwardedCall::Take(TF_RandomAccessFile* file) {
  if (ok()) file->plugin_file = TakeFile(/*writable=*/false);
}

void ForwardedCall::Take(TF_WritableFile* file) {
  if (ok()) file->plugin_file = TakeFile(/*writable=*/true);
}

// The contents are fetched at once: data and length have no status.
void ForwardedCall::Take(TF_ReadOnlyMemoryRegion* region) {
  if (!ok()) return;
  std::unique_ptr<IsolatedFile> opened(TakeFile(/*writable=*/false));
  if (opened == nullptr) return;
  opened->length = given_.Number();
  const bool has_data = given_.Bool();
  if (!given_.ok()) return;
  if (has_data && opened->length != 0) {
    auto contents =
        process_->FetchRegion(scheme_.index, opened->handle, opened->length);
    if (!contents.ok()) {
      Report(contents.status());
      if (process_->ended()) return;
      try {
        ForwardedCall(scheme_, Op::kReadOnlyMemoryRegion_cleanup)
            .MakeOn(*opened);
      } catch (const FailedCall&) {
        // There is nobody to tell: the operation has its error.
      }
      return;
    }
    opened->contents = *std::move(contents);
  }
  region->plugin_memory_region = opened.release();
}

char* ForwardedCall::TakeText() {
  if (!given_.Bool()) return nullptr;
  return CopyText(kForwardedMemory, scheme_.FromPlugin(given_.Text()));
}

}  // namespace fsload
