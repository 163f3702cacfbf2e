// What the operations of a recorded file system find in plugin_filesystem.
#ifndef FSLOAD_CORE_REPLAY_RECORDING_H_
#define FSLOAD_CORE_REPLAY_RECORDING_H_

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

#include "core/replay/journal_file.h"
#include "core/tables/op_tables.h"
#include "fsload/file_system.h"
#include "fsload/filesystem_interface.h"

namespace fsload {

class Recorder;

// The numbers of transactions' tokens, in the order in which they occur: two
// runs have the same. Thread-safe.
class TokenNumbers final {
 public:
  uint64_t Of(const void* token);

  // The token is no more; another one may have its address.
  void Forget(const void* token);

 private:
  std::mutex mutex_;
  std::map<const void*, uint64_t> numbers_;
  uint64_t next_ = 1;
};

// The state of a recorded file system: its plugin_filesystem, deleted by its
// cleanup.
struct Recording {
  FileSystemPtr inner;  // owns what the next two refer to
  const SchemeTables& tables;
  const TF_Filesystem& filesystem;
  std::shared_ptr<Recorder> recorder;  // owns the file
  JournalFile& file;
  uint64_t number;  // of the file system in the journal
  TokenNumbers tokens;
};

inline Recording& RecordingOf(const TF_Filesystem* filesystem) {
  return *static_cast<Recording*>(filesystem->plugin_filesystem);
}

}  // namespace fsload

#endif  // FSLOAD_CORE_REPLAY_RECORDING_H_
