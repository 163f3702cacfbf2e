// Open files and regions, called by their tables.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "loader/conformance/table_call.h"
#include "loader/conformance/target.h"
#include "third_party/fmt/format.h"

namespace fsload::conformance {

// A file or region that a plugin opens, called by its table.
template <typename Base, typename Wrapper>
class TableFile : public Base {
 public:
  TableFile(const Plugin& plugin, std::string uri)
      : plugin_(plugin), uri_(std::move(uri)) {}

  Wrapper wrapper = {nullptr};
  bool opened = false;  // what was not opened is not cleaned up (L61)

 protected:
  const Plugin& plugin_;
  const std::string uri_;
};

class TableRead final : public TableFile<ReadTarget, TF_RandomAccessFile> {
 public:
  using TableFile::TableFile;
  ~TableRead() override {
    if (!opened) return;
    CleanUp(plugin_, Op::kRandomAccessFile_cleanup,
            plugin_.tables.random_access_file.cleanup, wrapper);
  }

  absl::StatusOr<size_t> Read(uint64_t offset, size_t n,
                              char* buffer) override {
    constexpr Op kOp = Op::kRandomAccessFile_read;
    const auto read = plugin_.tables.random_access_file.read;
    if (read == nullptr) return Missing(kOp);
    Call call(plugin_, kOp, uri_);
    const int64_t count =
        call.Do(read, const_cast<const TF_RandomAccessFile*>(&wrapper), offset,
                n, buffer);
    const bool at_end = call.code() == TF_OUT_OF_RANGE;
    if (call.code() == TF_OK && count != static_cast<int64_t>(n)) {
      call.Violation(
          Format("at offset {} returned TF_OK with {} of {} bytes "
                 "(L228)",
                 offset, count, n));
    } else if (at_end && (count < 0 || count >= static_cast<int64_t>(n))) {
      call.Violation(
          Format("at offset {} returned TF_OUT_OF_RANGE with {} of "
                 "{} bytes (L229-L230)",
                 offset, count, n));
    } else if (call.code() != TF_OK && !at_end && count != -1) {
      call.Violation(Format("failed and returned {}, not -1 (L231)", count));
    }
    if (call.code() != TF_OK && !at_end) return call.Result();
    if (count < 0 || count > static_cast<int64_t>(n)) {
      return InternalError("read returned {}", count);
    }
    return static_cast<size_t>(count);
  }
};

class TableWrite final : public TableFile<WriteTarget, TF_WritableFile> {
 public:
  using TableFile::TableFile;
  ~TableWrite() override {
    if (!opened) return;
    if (!closed_) Close().IgnoreError();
    CleanUp(plugin_, Op::kWritableFile_cleanup,
            plugin_.tables.writable_file.cleanup, wrapper);
  }

  absl::Status Append(std::string_view bytes) override {
    constexpr Op kOp = Op::kWritableFile_append;
    const auto append = plugin_.tables.writable_file.append;
    if (append == nullptr) return Missing(kOp);
    Call call(plugin_, kOp, uri_);
    // Exactly as long as it says, so that a sanitizer sees reads behind it.
    const std::vector<char> copy(bytes.begin(), bytes.end());
    call.Do(append, wrapper_as_const(), copy.data(), copy.size());
    return call.Result();
  }

  absl::StatusOr<int64_t> Tell() override {
    constexpr Op kOp = Op::kWritableFile_tell;
    const auto tell = plugin_.tables.writable_file.tell;
    if (tell == nullptr) return Missing(kOp);
    Call call(plugin_, kOp, uri_);
    const int64_t position = call.Do(tell, wrapper_as_const());
    if (call.code() == TF_OK) return position;
    if (position != -1) {
      call.Violation(Format("failed and returned {}, not -1 (L270)", position));
    }
    return call.Result();
  }

  absl::Status Flush() override {
    return Simple(Op::kWritableFile_flush, plugin_.tables.writable_file.flush);
  }
  absl::Status Sync() override {
    return Simple(Op::kWritableFile_sync, plugin_.tables.writable_file.sync);
  }
  absl::Status Close() override {
    closed_ = true;
    return Simple(Op::kWritableFile_close, plugin_.tables.writable_file.close);
  }

  void Abandon() override { closed_ = true; }

 private:
  const TF_WritableFile* wrapper_as_const() const { return &wrapper; }

  absl::Status Simple(Op op,
                      void (*function)(const TF_WritableFile*, TF_Status*)) {
    if (function == nullptr) return Missing(op);
    Call call(plugin_, op, uri_);
    call.Do(function, wrapper_as_const());
    return call.Result();
  }

  bool closed_ = false;
};

class TableRegion final
    : public TableFile<RegionTarget, TF_ReadOnlyMemoryRegion> {
 public:
  using TableFile::TableFile;
  ~TableRegion() override {
    if (!opened) return;
    CleanUp(plugin_, Op::kReadOnlyMemoryRegion_cleanup,
            plugin_.tables.read_only_memory_region.cleanup, wrapper);
  }

  std::string_view contents() override {
    const TF_ReadOnlyMemoryRegionOps& ops =
        plugin_.tables.read_only_memory_region;
    const auto length = static_cast<size_t>(ops.length(&wrapper));
    const auto* const data = static_cast<const char*>(ops.data(&wrapper));
    if (data == nullptr && length > 0) {
      plugin_.violation(Format(
          "data of a memory region is null, and length {} (L310)", length));
      return {};
    }
    return {data, length};
  }
};

}  // namespace fsload::conformance
