// What wrappers do with the right operations of the mutated plugin, and what
// they remember of open files.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "testdata/mutants/wrapping.h"

namespace mutants {

using Names = std::vector<std::string>;

// A status of our own.
class OwnStatus {
 public:
  OwnStatus() : status_(TF_NewStatus()) {}
  ~OwnStatus() { TF_DeleteStatus(status_); }
  OwnStatus(const OwnStatus&) = delete;
  OwnStatus& operator=(const OwnStatus&) = delete;
  TF_Status* get() const { return status_; }
  bool ok() const { return IsOk(status_); }

 private:
  TF_Status* status_;
};

enum class Kind { kMissing, kFile, kDirectory };
Kind KindOf(const TF_Filesystem* fs, const std::string& path);

// The contents of a file; empty if it cannot be read.
std::string ReadFile(const TF_Filesystem* fs, const std::string& path);

// Makes or replaces a file.
void WriteFile(const TF_Filesystem* fs, const std::string& path,
               const std::string& bytes);

void DeleteFile(const TF_Filesystem* fs, const std::string& path);
void CreateParents(const TF_Filesystem* fs, const std::string& path);

// The names in a directory; none if it cannot be listed.
Names ListNames(const TF_Filesystem* fs, const std::string& path);

// Moves an array that an operation handed over to `names`.
Names TakeNames(char** entries, int count);

// "/a/b" is "b" in "/a".
std::string ParentOf(const std::string& path);
std::string NameOf(const std::string& path);
std::string Join(const std::string& directory, const std::string& name);

// What a wrapper knows of an open file.
struct FileState {
  const TF_Filesystem* fs = nullptr;
  std::string path;
  std::string bytes;
  uint64_t number = 0;
  bool flag = false;
};

// Of the file with this plugin_file. Thread-safe, unlike the state itself.
FileState& StateOf(const void* plugin_file);

// Calls the right operation, and starts a new state if that opened the file.
template <typename File>
bool OpenAndRemember(const OpenCall<File>& call) {
  call.Right();
  if (!IsOk(call.status)) return false;
  StateOf(*reinterpret_cast<void**>(call.file)) = {
      call.fs, call.path, {}, 0, false};
  return true;
}

inline void RememberRead(OpenReadCall call) { OpenAndRemember(call); }
inline void RememberWrite(OpenWriteCall call) { OpenAndRemember(call); }

// Files keep their states.
inline constexpr auto kRememberReads =
    Opens<&Fs::new_random_access_file, RememberRead>;
inline constexpr auto kRememberWrites =
    All<Opens<&Fs::new_writable_file, RememberWrite>,
        Opens<&Fs::new_appendable_file, RememberWrite>>;

}  // namespace mutants
