// Answers calls from a journal that fsload/recorder.h wrote, without the plugin
// and without a network.
#ifndef FSLOAD_REPLAY_H_
#define FSLOAD_REPLAY_H_

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "fsload/call_histogram.h"
#include "fsload/export.h"
#include "fsload/file_system.h"
#include "fsload/op_observer.h"

namespace fsload {
class JournalContents;
}  // namespace fsload

namespace FSLOAD_API fsload {

// What a journal has of one scheme.
struct JournaledScheme {
  std::string scheme;
  std::string plugin;    // as FileSystem::plugin
  CallStatistics calls;  // as they were when they were recorded
};

// A journal in memory. A value type, whose copies share it. Thread-safe.
class Journal final {
 public:
  // Reads the journal at `path`. Nothing in it is trusted. INVALID_ARGUMENT,
  // naming the line, if it is not a journal or damaged; RESOURCE_EXHAUSTED if
  // it is larger than 4 GiB; otherwise fails as the kernel does. A last line
  // that is incomplete, since its writer was killed, is ignored.
  static absl::StatusOr<Journal> Read(const std::string& path);

  // Does the same from `text`; `name` stands for it in messages.
  static absl::StatusOr<Journal> Parse(std::string_view text, std::string name);

  // Returns the schemes, in the order in which their recording began; also
  // those of which no call was recorded.
  const std::vector<JournaledScheme>& schemes() const;

  // Returns why calls at the end of the recording may be missing, as a sentence
  // without a full stop; "" if none are.
  const std::string& incomplete() const;

  // Returns a file system for each scheme, with the operations and the plugin
  // that the recorded one had. `observer`, which may be null, sees their calls
  // and must outlive them. RESOURCE_EXHAUSTED if the kernel has no memory.
  //
  // A call gets the answer that the same call, with the same arguments, got
  // when it was recorded. If it was made several times, the answers come in
  // their order, and then the last one again; the file systems made from one
  // Journal and its copies share this. Threads may make the calls in any order.
  // The random part of the names of fsload's temporary files does not matter. A
  // call that was not recorded is UNAVAILABLE, and so is what would return the
  // values of configuration options. Nothing is written: what is appended must
  // be what was appended before.
  absl::StatusOr<std::vector<FileSystemPtr>> Replay(
      OpObserver* observer = nullptr) const;

 private:
  explicit Journal(std::shared_ptr<const JournalContents> contents);

  std::shared_ptr<const JournalContents> contents_;
};

}  // namespace fsload

#endif  // FSLOAD_REPLAY_H_
