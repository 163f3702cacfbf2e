// A file system over another one: tables of fsload's own whose state is a
// Layer, through which each call passes on its way to the inner file system.
//
// Calls enter at the level of the tables, with canonical paths, and leave at
// the same level: an operation that the inner plugin lacks is null here too, so
// that fsload's defaults run above the layer and every call that they make
// passes it. The outer facade repairs what plugins deviate in; a second one in
// between would only repeat that. What the inner scheme brings along (traits,
// the allocator, its observer) stays in force.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/base/optimization.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/calls/op_call.h"
#include "core/file_system/plugin_file_system.h"
#include "core/tables/op_tables.h"
#include "core/tables/operations.h"
#include "core/wrappers/layer_call.h"
#include "fsload/file_system.h"
#include "fsload/internal/call_scope.h"
#include "fsload/tf_status.h"

namespace fsload {

// Base of what wraps a file system, which it owns. Thread-safe.
class Layer {
 public:
  // Wraps `inner`, which is not null.
  explicit Layer(FileSystemPtr inner)
      : inner_(std::move(inner)),
        root_(PluginFileSystem::Of(*inner_).Root()),
        tables_(TablesOf(*inner_)),
        ops_(PluginFileSystem::Of(*inner_).ops()) {}
  virtual ~Layer() = default;
  Layer(const Layer&) = delete;
  Layer& operator=(const Layer&) = delete;

  // Makes a call of an operation that has a status: usually Forward, with
  // something before or behind it. If the status is an error in the end, what
  // the inner file system opened is closed again.
  virtual void Pass(LayerCall& call) const = 0;

  // Does the same for an operation without a status, the cleanup of a file and
  // of the file system among them. An exception of the plugin passes through.
  virtual void PassPlainly(LayerCall& call) const { call.Forward(); }

  // Returns whether the layer's tables have `op`. Those of the inner file
  // system, but for paths_exist: asked for each path alone, each is a call of
  // its own.
  virtual bool Has(Op op) const;

  // Calls translate_name of the inner file system.
  virtual char* TranslateName(const char* uri) const;

  // Returns what is known of the file system that passes the layer.
  virtual PluginTraits Traits() const { return tables().traits; }

  // Ends the layer, with which the inner file system may end.
  void Release() { inner_.reset(); }

  const FileSystem& inner() const { return *inner_; }

  // Returns what stands for the URI of a call without a path.
  const std::string& root() const { return root_; }

  const PluginOps& ops() const { return ops_; }
  const SchemeTables& tables() const { return tables_; }

  // Calls `op` of the inner file system with a status that is TF_OK, as its
  // facade would, and leaves the result in `status`, one of fsload's own.
  // `call` gets the function and the TF_Status for it.
  template <Op op, typename Call>
  void CallInner(std::string_view uri, TF_Status* status,
                 const Call& call) const {
    StatusStorage& result = StorageOf(status);
    if (result.code != TF_OK) TF_SetStatus(status, TF_OK, "");
    if (ABSL_PREDICT_TRUE(TakesDirectCalls(tables()))) {
      CallDirectly(tables().status, result, [&] {
        static_cast<void>(call(FunctionOf<op>(tables()), status));
      });
      return;
    }
    CallStatus inner(tables().status);
    CallOpInto<op>(tables(), uri, inner, call);
    inner.CopyTo(status);
  }

  // Calls an operation that has no status. An exception of the plugin goes on
  // to the caller, whose boundary contains it.
  template <Op op, typename... Arguments>
  auto CallInnerPlainly(std::string_view uri, Arguments... arguments) const {
    const PlainCall call(tables(), op, uri);
    return FunctionOf<op>(tables())(arguments...);
  }

 private:
  // Marks the thread as inside the inner plugin, and shows the call to its
  // observer.
  class PlainCall final {
   public:
    PlainCall(const SchemeTables& tables, Op op, std::string_view uri);
    ~PlainCall();
    PlainCall(const PlainCall&) = delete;
    PlainCall& operator=(const PlainCall&) = delete;

   private:
    const SchemeTables& tables_;
    const Op op_;
    const std::string_view uri_;
    const CallScope::Mark mark_;
    const CallScope scope_;
    const int exceptions_;
    std::chrono::steady_clock::time_point start_;
  };

  FileSystemPtr inner_;
  const std::string root_;
  const SchemeTables& tables_;  // those of inner_, as are the next
  const PluginOps& ops_;
};

// Returns a file system whose calls pass `layer`, which lives as long as it and
// its files do. `what` it is, for its owner's name; "" leaves it the inner
// one's, and so is the scheme, unless `scheme` is given. No observer is told of
// its own init and cleanup. RESOURCE_EXHAUSTED if the kernel has no memory for
// its tables.
absl::StatusOr<FileSystemPtr> MakeLayered(
    std::unique_ptr<Layer> layer, std::string_view what = "",
    std::optional<std::string> scheme = std::nullopt);

// Returns the layer of a file system that MakeLayered made; null for another.
// Valid as long as the file system.
const Layer* LayerIn(const FileSystem& file_system);

// Returns INVALID_ARGUMENT for a null file system, which cannot be wrapped.
absl::Status CheckInner(const FileSystemPtr& inner, std::string_view what);

// Replaces the message of `status`, an error; its payloads stay.
void SetMessage(TF_Status* status, const std::string& message);

}  // namespace fsload
