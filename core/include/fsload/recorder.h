// Records the calls of file systems in a journal, from which
// fsload/replay.h answers the same calls without plugin or network.
#ifndef FSLOAD_RECORDER_H_
#define FSLOAD_RECORDER_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fsload/export.h"
#include "fsload/file_system.h"

namespace fsload {
class JournalFile;
}  // namespace fsload

namespace FSLOAD_API fsload {

// Writes one journal, whose format docs/replay.md describes. It contains paths,
// the contents that were read and appended, and messages of plugins, so only
// its owner may read the file. It does not contain values of configuration
// options, or passwords in URIs ("s3://user:password@host"). Thread-safe.
class Recorder final {
 public:
  // The default limit of a journal's size, in bytes.
  static constexpr uint64_t kMaxBytes = uint64_t{1} << 30;

  // Creates the file `path`. ALREADY_EXISTS if anything is there;
  // RESOURCE_EXHAUSTED if `max_bytes` has no room for the header; otherwise
  // fails as the kernel does.
  static absl::StatusOr<std::shared_ptr<Recorder>> Create(
      const std::string& path, uint64_t max_bytes = kMaxBytes);
  ~Recorder();
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  // Returns OK, or why recording has stopped: RESOURCE_EXHAUSTED at the limit
  // or for a call of more than 48 MiB; otherwise what the kernel said of a
  // write. The journal says so, too, and is valid up to there. In a forked
  // child FAILED_PRECONDITION: its calls are not recorded.
  absl::Status status() const;

 private:
  friend absl::StatusOr<FileSystemPtr> RecordCalls(
      FileSystemPtr file_system, const std::shared_ptr<Recorder>& recorder);

  explicit Recorder(std::unique_ptr<JournalFile> file);

  const std::unique_ptr<JournalFile> file_;
};

// Returns a file system with the scheme, plugin and observer of `file_system`,
// whose ownership it shares. It does the same, and each call that reaches the
// plugin becomes a line of the journal. The line is complete once the call
// returns, even if the process is killed then. Calls never fail because of the
// journal. INVALID_ARGUMENT if either is null; RESOURCE_EXHAUSTED if the kernel
// has no memory.
//
// As LoadOptions::wrap it records all calls of a plugin but init.
absl::StatusOr<FileSystemPtr> RecordCalls(
    FileSystemPtr file_system, const std::shared_ptr<Recorder>& recorder);

}  // namespace fsload

#endif  // FSLOAD_RECORDER_H_
