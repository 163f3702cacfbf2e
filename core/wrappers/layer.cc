#include "core/wrappers/layer.h"

#include <chrono>
#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/wrappers/layer_tables.h"
#include "third_party/fmt/format.h"

namespace fsload {

bool Layer::Has(Op op) const {
  return op != Op::kFilesystem_paths_exist &&
         FunctionIn(tables(), op) != nullptr;
}

char* Layer::TranslateName(const char* uri) const {
  return CallInnerPlainly<Op::kFilesystem_translate_name>(
      uri, &ops().filesystem(), uri);
}

Layer::PlainCall::PlainCall(const SchemeTables& tables, Op op,
                            std::string_view uri)
    : tables_(tables),
      op_(op),
      uri_(uri),
      mark_(tables.status),
      scope_(mark_),
      exceptions_(std::uncaught_exceptions()) {
  if (tables_.observer == nullptr) return;
  ShowStartToObserver(tables_, op_, uri_);
  start_ = std::chrono::steady_clock::now();
}

Layer::PlainCall::~PlainCall() {
  if (tables_.observer == nullptr) return;
  const bool thrown = std::uncaught_exceptions() > exceptions_;
  ShowToObserver(tables_, op_, uri_, start_, -1, thrown ? TF_INTERNAL : TF_OK);
}

absl::StatusOr<FileSystemPtr> MakeLayered(std::unique_ptr<Layer> layer,
                                          std::string_view what,
                                          std::optional<std::string> scheme) {
  if (!scheme.has_value()) scheme = layer->inner().scheme();
  const std::string& plugin = layer->inner().plugin();
  absl::StatusOr<OpTables> sealed = OpTables::SealOnce(TablesFor(*layer));
  if (!sealed.ok()) return sealed.status();
  auto made = PluginFileSystem::Create(
      *std::move(sealed), *std::move(scheme),
      what.empty() ? plugin : Format("{} over {}", what, plugin),
      {layer.get()});
  if (made.ok()) layer.release();  // its cleanup deletes it
  return made;
}

absl::Status CheckInner(const FileSystemPtr& inner, std::string_view what) {
  if (inner != nullptr) return absl::OkStatus();
  return InvalidArgumentError("{}: the file system to wrap is null", what);
}

void SetMessage(TF_Status* status, const std::string& message) {
  std::map<std::string, std::string> payloads;
  TF_ForEachPayload(
      status,
      [](const char* key, const char* value, void* capture) {
        (*static_cast<decltype(payloads)*>(capture))[key] = value;
      },
      &payloads);
  TF_SetStatus(status, TF_GetCode(status), message.c_str());
  for (const auto& [key, value] : payloads) {
    TF_SetPayload(status, key.c_str(), value.c_str());
  }
}

}  // namespace fsload
