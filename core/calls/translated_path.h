// Translates a path argument for a plugin.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include "absl/base/optimization.h"
#include "absl/status/status.h"
#include "core/paths/path.h"
#include "core/tables/op_tables.h"
#include "core/tables/operations.h"

namespace fsload {

// The canonical, null-terminated form of a URI: the result of the plugin's
// translate_name, or by default its cleaned path (L163, L625-L649). fsload
// allocates nothing for up to kInlineBytes.
class TranslatedPath final {
 public:
  // Translates `uri`, whose scheme has `scheme_bytes` bytes, for a call of
  // `op`. `status` has the result: INVALID_ARGUMENT for an embedded null byte,
  // before any call; INTERNAL if the plugin throws or returns null. Everything
  // referred to must outlive this object.
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

  // Returns never null; valid if the status is OK, as long as this object.
  const char* c_str() const { return path_; }

 private:
  static constexpr size_t kInlineBytes = 320;

  void Translate(const TF_Filesystem& filesystem, Op op, std::string_view uri);
  void TranslateByDefault(std::string_view uri);
  void TranslateByPlugin(const TF_Filesystem& filesystem, std::string_view uri);
  void FreeOwned();

  // Returns room for `bytes` bytes, valid as long as this object.
  char* Room(size_t bytes);

  const SchemeTables& tables_;
  const char* path_ = "";
  char* owned_by_plugin_ = nullptr;
  absl::Status status_;
  std::unique_ptr<char[]> overflow_;
  char inline_[kInlineBytes];
};

}  // namespace fsload
