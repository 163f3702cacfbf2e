// A plugin whose operations do what a test says.
//
// Its tables are C functions that find this object through plugin_filesystem,
// like those of anything that wraps another file system. What it hands out
// comes from a counting allocator.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "core/tables/op_tables.h"
#include "core/tables/operations.h"
#include "fsload/file_system.h"
#include "fsload/filesystem_interface.h"
#include "fsload/internal/mutex.h"

namespace fsload {

// The allocator of what scripted plugins hand out. Thread-safe.
class PluginMemory final {
 public:
  static void* Allocate(size_t bytes);
  static void Free(void* memory);
  static char* Duplicate(std::string_view text);

  // Returns a new array of copies, as get_children returns it; null strings
  // stay null.
  static char** DuplicateAll(const std::vector<const char*>& texts);

  // Returns the blocks that were not freed, plus the calls of Free with
  // anything else.
  static int live();
  static int wrong_frees();
};

// Must outlive the file systems over its tables. Set the script while no other
// thread uses one; operations may then run on any thread.
class ScriptedPlugin final {
 public:
  // The argument is null for an operation without a status.
  using Step = std::function<void(TF_Status*)>;

  struct Call {
    Op op;
    std::string path;  // "" for an operation without one
  };

  ScriptedPlugin();
  ~ScriptedPlugin();
  ScriptedPlugin(const ScriptedPlugin&) = delete;
  ScriptedPlugin& operator=(const ScriptedPlugin&) = delete;

  // Runs `step` in each call of `op`.
  void On(Op op, Step step) { steps_[static_cast<size_t>(op)] = step; }

  // Makes each call of `op` fail this way.
  void Fail(Op op, TF_Code code, std::string message);

  // Removes `op` from the tables.
  void Remove(Op op);

  absl::StatusOr<FileSystemPtr> TryCreate(std::string scheme = "scripted",
                                          std::string owner = "scripted.so");

  // Does the same; ends the test on failure.
  FileSystemPtr Create(std::string scheme = "scripted",
                       std::string owner = "scripted.so");

  // Returns how often `op` was called.
  int Count(Op op) const { return counts_[static_cast<size_t>(op)]; }

  // Returns the calls since the last time.
  std::vector<Call> TakeCalls();

  // Counts the call, checks its status, runs its step.
  void Enter(Op op, TF_Status* status, const char* path = "");

  // With the leaf operations and those of files; a test adds the others.
  SchemeTables tables;

  // Results of operations that return one besides the status.
  std::function<char*(const char* uri)> translate_name = [](const char* uri) {
    return PluginMemory::Duplicate(uri);
  };
  std::function<int(char*** entries, TF_Status*)> get_children =
      [](char*** entries, TF_Status*) {
        *entries = PluginMemory::DuplicateAll({"a", "b"});
        return 2;
      };
  std::function<int64_t(uint64_t offset, size_t n, char* buffer, TF_Status*)>
      read = [](uint64_t, size_t n, char*, TF_Status*) {
        return static_cast<int64_t>(n);
      };
  std::function<void(const char* buffer, size_t n)> append = [](const char*,
                                                                size_t) {};
  TF_FileStatistics statistics = {0, 0, false};
  int64_t position = 0;
  const void* data = "data";
  uint64_t length = 4;

  // Returns the provider's function, to check that a status is TF_OK on entry.
  TF_Code (*get_code)(const TF_Status*) = &TF_GetCode;

  // Whether TakeCalls records calls, which costs allocations.
  bool recording = true;

 private:
  std::array<Step, kOps> steps_;
  std::array<std::atomic<int>, kOps> counts_ = {};
  Mutex mutex_;
  std::vector<Call> calls_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace fsload
