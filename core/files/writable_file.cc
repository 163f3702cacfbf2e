#include "fsload/writable_file.h"

#include <fmt/format.h>

#include <exception>
#include <mutex>

#include "absl/base/attributes.h"
#include "absl/base/optimization.h"
#include "core/calls/direct_call.h"
#include "core/calls/file_cleanup.h"
#include "core/calls/op_call.h"
#include "core/tables/op_tables.h"
#include "fsload/filesystem_interface.h"
#include "fsload/op.h"

namespace fsload {
namespace {

// Held while a file is written out by a plugin that cannot write out two at
// once. Its shared buffers belong to the process, not to a file system.
std::unique_lock<std::mutex> UploadTurn(const SchemeTables& tables) {
  static std::mutex* const mutex = new std::mutex;  // outlives exit handlers
  return tables.traits.uploads_alone ? std::unique_lock(*mutex)
                                     : std::unique_lock<std::mutex>();
}

}  // namespace

const SchemeTables& WritableFile::tables() const {
  return static_cast<const SchemeTables&>(ops_);
}

WritableFile::~WritableFile() {
  if (!opened_) return;
  if (std::uncaught_exceptions() > exceptions_) Discard();
  if (!closed_ && tables().writable_file.close != nullptr) {
    const absl::Status status = Close();
    if (!status.ok()) LogError(status);
  }
  CleanUp(tables(), Op::kWritableFile_cleanup, uri(),
          tables().writable_file.cleanup,
          reinterpret_cast<TF_WritableFile*>(&plugin_file_));
}

ABSL_ATTRIBUTE_NOINLINE absl::Status WritableFile::AppendSlow(
    std::string_view data) {
  constexpr Op kOp = Op::kWritableFile_append;
  const auto append = tables().writable_file.append;
  if (closed_) return Closed(kOp);
  if (append == nullptr) return MissingOperations(kOp, uri(), {kOp});
  CallStatus status(tables().status);
  const char* const bytes = data.empty() ? "" : data.data();
  CallOp(tables(), kOp, uri(), status, [&]() -> int64_t {
    append(wrapper(), bytes, data.size(), status.get());
    return static_cast<int64_t>(data.size());
  });
  return status.ok() ? absl::OkStatus() : status.ToError(kOp, uri());
}

ABSL_ATTRIBUTE_NOINLINE absl::StatusOr<int64_t> WritableFile::TellSlow() const {
  constexpr Op kOp = Op::kWritableFile_tell;
  const auto tell = tables().writable_file.tell;
  if (closed_) return Closed(kOp);
  if (tell == nullptr) return MissingOperations(kOp, uri(), {kOp});
  CallStatus status(tables().status);
  int64_t position = -1;
  CallOp(tables(), kOp, uri(), status,
         [&] { position = tell(wrapper(), status.get()); });
  if (!status.ok()) return status.ToError(kOp, uri());
  if (position < 0) return ImpossiblePosition(position);
  return position;
}

ABSL_ATTRIBUTE_NOINLINE absl::Status WritableFile::AppendError(
    const StatusStorage& status) const {
  return ErrorOf(status, Op::kWritableFile_append, uri());
}

ABSL_ATTRIBUTE_NOINLINE absl::Status WritableFile::TellError(
    int64_t position, const StatusStorage& status) const {
  if (status.code == TF_OK) return ImpossiblePosition(position);
  return ErrorOf(status, Op::kWritableFile_tell, uri());
}

absl::Status WritableFile::ImpossiblePosition(int64_t position) const {
  return Unusable(Op::kWritableFile_tell, uri(), "a position of 0 or more",
                  fmt::format("{}", position));
}

absl::Status WritableFile::Flush() {
  return CallOrSkip(Op::kWritableFile_flush, tables().writable_file.flush);
}

absl::Status WritableFile::Sync() {
  return CallOrSkip(Op::kWritableFile_sync, tables().writable_file.sync);
}

absl::Status WritableFile::Close() {
  constexpr Op kOp = Op::kWritableFile_close;
  if (closed_) return Closed(kOp);
  closed_ = true;  // L295: never twice, even if it fails.
  if (tables().writable_file.close == nullptr) {
    return MissingOperations(kOp, uri(), {kOp});
  }
  const std::unique_lock<std::mutex> turn = UploadTurn(tables());
  CallStatus status(tables().status);
  CallOp(tables(), kOp, uri(), status,
         [&] { tables().writable_file.close(wrapper(), status.get()); });
  return status.ok() ? absl::OkStatus() : status.ToError(kOp, uri());
}

absl::Status WritableFile::Closed(Op op) const {
  return absl::FailedPreconditionError(
      CallMessage(op, uri(), "the file was closed before"));
}

// L278, L286: a missing operation does nothing.
absl::Status WritableFile::CallOrSkip(Op op, StatusOnly function) {
  if (closed_) return Closed(op);
  if (function == nullptr) return absl::OkStatus();
  const std::unique_lock<std::mutex> turn = UploadTurn(tables());
  CallStatus status(tables().status);
  CallOp(tables(), op, uri(), status,
         [&] { function(wrapper(), status.get()); });
  return status.ok() ? absl::OkStatus() : status.ToError(op, uri());
}

}  // namespace fsload
