#include "fsload/writable_file.h"

#include <exception>

#include "absl/base/attributes.h"
#include "absl/base/optimization.h"
#include "core/calls/direct_call.h"
#include "core/calls/file_cleanup.h"
#include "core/calls/op_call.h"
#include "core/tables/op_tables.h"
#include "fsload/filesystem_interface.h"
#include "fsload/op.h"
#include "third_party/fmt/format.h"

namespace fsload {

const SchemeTables& WritableFile::tables() const {
  return static_cast<const SchemeTables&>(ops_);
}

WritableFile::~WritableFile() {
  if (!opened_) return;
  if (std::uncaught_exceptions() > exceptions_) Discard();
  if (!closed_ && FunctionOf<Op::kWritableFile_close>(tables()) != nullptr) {
    const absl::Status status = Close();
    if (!status.ok()) LogError(status);
  }
  CleanUp<Op::kWritableFile_cleanup>(
      tables(), uri(), reinterpret_cast<TF_WritableFile*>(&plugin_file_));
}

ABSL_ATTRIBUTE_NOINLINE absl::Status WritableFile::AppendSlow(
    std::string_view data) {
  constexpr Op kOp = Op::kWritableFile_append;
  if (closed_) return Closed(kOp);
  const char* const bytes = data.empty() ? "" : data.data();
  return CallOp<kOp>(tables(), uri(), [&](auto append, TF_Status* status) {
    append(wrapper(), bytes, data.size(), status);
    return static_cast<int64_t>(data.size());
  });
}

ABSL_ATTRIBUTE_NOINLINE absl::StatusOr<int64_t> WritableFile::TellSlow() const {
  constexpr Op kOp = Op::kWritableFile_tell;
  if (closed_) return Closed(kOp);
  int64_t position = -1;
  const absl::Status status =
      CallOp<kOp>(tables(), uri(), [&](auto tell, TF_Status* to_set) {
        position = tell(wrapper(), to_set);
      });
  if (!status.ok()) return status;
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
                  Format("{}", position));
}

template <Op op>
absl::Status WritableFile::WriteOut() {
  return CallOp<op>(tables(), uri(), [&](auto function, TF_Status* status) {
    function(wrapper(), status);
  });
}

// L278, L286: a missing flush or sync does nothing.
absl::Status WritableFile::Flush() {
  constexpr Op kOp = Op::kWritableFile_flush;
  return closed_ ? Closed(kOp) : WriteOut<kOp>();
}

absl::Status WritableFile::Sync() {
  constexpr Op kOp = Op::kWritableFile_sync;
  return closed_ ? Closed(kOp) : WriteOut<kOp>();
}

absl::Status WritableFile::Close() {
  constexpr Op kOp = Op::kWritableFile_close;
  if (closed_) return Closed(kOp);
  const absl::Status appended = tables().traits.forgets_empty_files
                                    ? AppendNothingIfEmpty()
                                    : absl::OkStatus();
  closed_ = true;  // L295: never twice, even if it fails.
  const absl::Status closed = WriteOut<kOp>();
  return appended.ok() ? closed : appended;
}

absl::Status WritableFile::AppendNothingIfEmpty() {
  const absl::StatusOr<int64_t> position = Tell();
  return position.ok() && *position == 0 ? Append("") : absl::OkStatus();
}

absl::Status WritableFile::Closed(Op op) const {
  return absl::FailedPreconditionError(
      CallMessage(op, uri(), "the file is already closed"));
}

}  // namespace fsload
