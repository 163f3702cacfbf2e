#include "core/calls/translated_path.h"

#include <cstring>
#include <string_view>

#include "absl/base/attributes.h"
#include "core/calls/op_call.h"
#include "core/calls/plugin_call.h"
#include "core/paths/path.h"
#include "core/paths/uri.h"

namespace fsload {
namespace {

constexpr Op kOp = Op::kFilesystem_translate_name;

}  // namespace

ABSL_ATTRIBUTE_NOINLINE void TranslatedPath::Translate(
    const TF_Filesystem& filesystem, Op op, std::string_view uri) {
  if (uri.find('\0') != std::string_view::npos) {
    status_ = NullByteIn(op, "path", uri);
  } else if (tables_.filesystem.translate_name == nullptr) {
    TranslateByDefault(uri);
  } else {
    TranslateByPlugin(filesystem, uri);
  }
}

ABSL_ATTRIBUTE_NOINLINE void TranslatedPath::FreeOwned() {
  CallStatus ignored(tables_.status);
  CallPlugin(ignored, [&] { tables_.memory.free(owned_by_plugin_); });
}

char* TranslatedPath::Room(size_t bytes) {
  if (bytes <= kInlineBytes) return inline_;
  overflow_.reset(new char[bytes]);
  return overflow_.get();
}

void TranslatedPath::TranslateByDefault(std::string_view uri) {
  if (uri.empty()) return;
  const std::string_view path = ParseUri(uri).path;
  if (path.empty()) {
    path_ = "/";  // "file://host" is that host's root
    return;
  }
  char* const room = Room(path.size() + 2);
  room[CleanPathInto(path, room)] = '\0';
  path_ = room;
}

void TranslatedPath::TranslateByPlugin(const TF_Filesystem& filesystem,
                                       std::string_view uri) {
  char* const room = Room(uri.size() + 1);
  if (!uri.empty()) std::memcpy(room, uri.data(), uri.size());
  room[uri.size()] = '\0';
  char* translated = nullptr;
  status_ = CallOp<kOp>(tables_, uri, [&](auto translate_name, TF_Status*) {
    translated = translate_name(&filesystem, room);
  });
  if (!status_.ok()) return;
  if (translated == nullptr) {
    // L640: must not be null.
    status_ = Unusable(kOp, uri, "a path", "null");
  } else {
    path_ = translated;
    // L633 requires a new buffer; a pointer into ours is not the plugin's.
    const std::less_equal<const char*> not_after;
    const bool ours =
        not_after(room, translated) && not_after(translated, room + uri.size());
    if (!ours) owned_by_plugin_ = translated;
  }
}

}  // namespace fsload
