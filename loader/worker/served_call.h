// A call of a plugin's operation that a worker makes for its host.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "core/calls/plugin_call.h"
#include "fsload/file_system.h"
#include "loader/isolation/fields.h"
#include "loader/isolation/slots.h"
#include "loader/worker/open_objects.h"

namespace fsload {

// What the threads of a worker share. Thread-safe once the plugin is loaded.
struct WorkerObjects {
  // Returns null if there is no such scheme, or it was cleaned up.
  FileSystemPtr FileSystemAt(uint32_t scheme) const {
    const MutexLock lock(mutex);
    return scheme < file_systems.size() ? file_systems[scheme] : nullptr;
  }

  // Does the same, and forgets it.
  FileSystemPtr TakeFileSystem(uint32_t scheme) {
    const MutexLock lock(mutex);
    if (scheme >= file_systems.size()) return nullptr;
    return std::exchange(file_systems[scheme], nullptr);
  }

  mutable Mutex mutex;
  std::vector<FileSystemPtr> file_systems ABSL_GUARDED_BY(mutex);
  Numbered<OpenFile> files;
  NumberedTokens tokens;
};

// The host's request may be anything; a wrong one is answered with
// INVALID_ARGUMENT. One thread.
struct ServedCall {
  const SlotRequest& request;
  absl::Span<char> contents;  // written by the host, or to be read into
  FieldReader arguments;
  WorkerObjects& objects;

  // The status that the plugin finds.
  TF_Code before = TF_OK;
  std::string message_before = {};

  // The answer.
  StatusStorage status = {};
  int64_t result = 0;
  int error = 0;  // errno after the plugin's call
  FieldWriter fields = {};

  void Refuse(const char* why) {
    TF_SetStatus(status.get(), TF_INVALID_ARGUMENT, why);
  }
};

// Makes the call that `call.request` asks for. An exception of the plugin is
// its status.
void Serve(ServedCall& call);

}  // namespace fsload
