// A path argument on its way into a plugin.
#ifndef FSLOAD_CORE_CALLS_TRANSLATED_PATH_H_
#define FSLOAD_CORE_CALLS_TRANSLATED_PATH_H_

#include <cstddef>
#include <memory>
#include <string_view>

#include "absl/base/optimization.h"
#include "absl/status/status.h"
#include "core/paths/path.h"
#include "core/tables/op_tables.h"
#include "core/tables/operations.h"

namespace fsload {

// The canonical, null-terminated form of a URI: what the plugin's
// translate_name makes of it, or the default, its cleaned path (L163,
// L625-L649). Up to kInlineBytes allocate nothing of ours.
class TranslatedPath final {
 public:
  // Translates `uri`, whose scheme has `scheme_bytes` bytes, for a call of
  // `op`. The result is for `status` to tell: INVALID_ARGUMENT for an embedded
  // null byte, before any call; INTERNAL when the plugin throws or answers
  // null. Everything referred to outlives this object.
  TranslatedPath(const SchemeTables& tables, const TF_Filesystem& filesystem,
                 Op op, std::string_view uri, size_t scheme_bytes)
      : tables_(tables) {
    if (ABSL_PREDICT_TRUE(tables.filesystem.translate_name == nullptr &&
                          uri.size() + kCopySlack <= kInlineBytes)) {
      const size_t length = CopyCleanPath(uri, scheme_bytes, inline_);
      if (ABSL_PREDICT_TRUE(length != 0)) {
        inline_[length] = '\0';
        path_ = inline_;
        return;
      }
    }
    Translate(filesystem, op, uri);
  }
  ~TranslatedPath() {
    if (ABSL_PREDICT_FALSE(owned_by_plugin_ != nullptr)) FreeOwned();
  }
  TranslatedPath(const TranslatedPath&) = delete;
  TranslatedPath& operator=(const TranslatedPath&) = delete;

  const absl::Status& status() const { return status_; }

  // Never null; valid where the status is OK, as long as this object.
  const char* c_str() const { return path_; }

 private:
  static constexpr size_t kInlineBytes = 320;

  void Translate(const TF_Filesystem& filesystem, Op op, std::string_view uri);
  void TranslateByDefault(std::string_view uri);
  void TranslateByPlugin(const TF_Filesystem& filesystem, std::string_view uri);
  void FreeOwned();

  // Room for `bytes` bytes, as long as this object.
  char* Room(size_t bytes);

  const SchemeTables& tables_;
  const char* path_ = "";
  char* owned_by_plugin_ = nullptr;
  absl::Status status_;
  std::unique_ptr<char[]> overflow_;
  char inline_[kInlineBytes];
};

}  // namespace fsload

#endif  // FSLOAD_CORE_CALLS_TRANSLATED_PATH_H_
