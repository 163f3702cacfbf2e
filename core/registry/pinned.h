// The file system of a scheme for the duration of one call.
#pragma once

#include <cstddef>
#include <string_view>

#include "absl/base/attributes.h"
#include "absl/base/optimization.h"
#include "absl/status/status.h"
#include "core/registry/scheme_map.h"
#include "core/threads/hazard_pointer.h"
#include "fsload/scheme_registry.h"

namespace fsload {

// A file system in use: it is not cleaned up while this object lives. Costs no
// shared counter. Belongs to the thread that made it.
class Pinned final {
 public:
  // Finds the file system of the scheme in the first `scheme_bytes` bytes of
  // `text`.
  ABSL_ATTRIBUTE_ALWAYS_INLINE Pinned(SchemeRegistry& registry,
                                      std::string_view text,
                                      size_t scheme_bytes)
      : reclaim_{registry} {
    const SchemeRegistry::Entry* const entry =
        slot_.Protect(registry.map_)->Find(text, scheme_bytes);
    // The map keeps the entry alive until the slot holds it.
    slot_.Hold(entry);
    reclaim_.entry = entry;
    if (entry != nullptr) file_system_ = entry->file_system.get();
  }
  Pinned(SchemeRegistry& registry, std::string_view scheme)
      : Pinned(registry, scheme, scheme.size()) {}

  Pinned(const Pinned&) = delete;
  Pinned& operator=(const Pinned&) = delete;

  // Returns null if no file system has the scheme.
  const FileSystem* get() const { return file_system_; }
  const FileSystem* operator->() const { return file_system_; }
  explicit operator bool() const { return file_system_ != nullptr; }

  // Returns NOT_FOUND: `registry` has nothing for `uri`; names the schemes it
  // has.
  static absl::Status NothingServes(const SchemeRegistry& registry,
                                    std::string_view uri) {
    return registry.NothingServes(uri);
  }

 private:
  // Runs after the slot is cleared.
  struct Reclaim {
    ~Reclaim() {
      // Not before the slot is cleared, as in HazardPointer::Protect: either
      // this sees that the entry waits, or the writer sees the slot empty.
      if (ABSL_PREDICT_FALSE(
              registry.pending_.load(std::memory_order_seq_cst))) {
        registry.FreeUnused(entry);
      }
    }
    SchemeRegistry& registry;
    const SchemeRegistry::Entry* entry = nullptr;  // may be freed already
  };

  Reclaim reclaim_;
  HazardPointer slot_;
  const FileSystem* file_system_ = nullptr;
};

}  // namespace fsload
