// The contents of a file as memory.
#ifndef FSLOAD_READ_ONLY_MEMORY_REGION_H_
#define FSLOAD_READ_ONLY_MEMORY_REGION_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "absl/status/status.h"
#include "fsload/export.h"
#include "fsload/internal/direct_call.h"
#include "fsload/internal/ref_counted.h"
#include "fsload/internal/trailing_text.h"

namespace fsload {
struct SchemeTables;
}  // namespace fsload

namespace FSLOAD_API fsload {

enum class Op : uint8_t;  // fsload/op.h

// Made by FileSystem::NewReadOnlyMemoryRegionFromFile, and keeps that file
// system alive. May be used from any number of threads (L402).
class ReadOnlyMemoryRegion final : public TrailingText {
 public:
  ~ReadOnlyMemoryRegion();
  ReadOnlyMemoryRegion(const ReadOnlyMemoryRegion&) = delete;
  ReadOnlyMemoryRegion& operator=(const ReadOnlyMemoryRegion&) = delete;

  // Returns the address of the first byte; may be null if length() is 0. The
  // plugin owns the memory, which is valid as long as this object (L310-L313).
  // Local files are mapped: reading what somebody has cut off meanwhile ends
  // the process with SIGBUS, unless the plugin is isolated, which gives a copy.
  const void* data() const { return data_; }

  // Returns the length in bytes (L315-L318).
  uint64_t length() const { return length_; }

  // Returns the URI as the opener wrote it; valid as long as this object.
  std::string_view uri() const { return TrailingString(this, uri_bytes_); }

 private:
  template <Op op, typename File, typename Wrapper>
  friend class OpenOp;

  // Uses `ops`, a part of SchemeTables.
  ReadOnlyMemoryRegion(const DirectOps& ops, std::string_view uri)
      : ops_(ops), uri_bytes_(uri.size()) {}

  const SchemeTables& tables() const;

  // Gets data and length from the plugin, once. INTERNAL for a length without
  // data.
  absl::Status Fetch();

  const DirectOps& ops_;
  void* plugin_file_ = nullptr;  // contents of a TF_ReadOnlyMemoryRegion
  RefPtr<const RefCounted> owner_;
  bool opened_ = false;
  const void* data_ = nullptr;
  uint64_t length_ = 0;
  const size_t uri_bytes_;
};

}  // namespace fsload

#endif  // FSLOAD_READ_ONLY_MEMORY_REGION_H_
