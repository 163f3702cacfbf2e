// The calls of a journal, found by their arguments.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "absl/status/status.h"
#include "core/replay/journal_line.h"
#include "fsload/replay.h"

namespace fsload {

// Returns "stat(s3://b/k)", or "read(s3://b/k, 0, 100)" of 100 bytes at offset
// 0.
std::string CallText(const JournalCall& call);

// Filled by one thread, and then used by any number.
class JournalContents final {
 public:
  explicit JournalContents(std::string name) : name_(std::move(name)) {}

  // Adds one line. INVALID_ARGUMENT if it is damaged, or not where it may be.
  absl::Status Add(std::string_view line);

  // Notes that the journal ends early.
  void EndsEarly(std::string why) { incomplete_ = std::move(why); }

  // Returns the answer to `asked`, of the scheme with this index, whose
  // arguments are redacted; null if there is none.
  const JournalCall* Answer(size_t scheme, const JournalCall& asked) const;

  // Returns the path for which the plugin of this scheme would take `uri`,
  // going by what it took for the names that were recorded: `uri` without its
  // host if that is true for all of them, else `uri`.
  std::string_view PathOf(size_t scheme, std::string_view uri) const;

  // Explains that a call has no answer.
  std::string NoAnswer(const JournalCall& asked) const;

  const std::string& name() const { return name_; }
  const std::string& incomplete() const { return incomplete_; }
  const std::vector<JournaledScheme>& schemes() const { return schemes_; }
  const std::vector<JournalFileSystem>& file_systems() const {
    return file_systems_;
  }

 private:
  struct Answers {
    std::vector<JournalCall> calls;  // without arguments, which are the key
    mutable std::atomic<size_t> next{0};
  };

  // What the names that a plugin translated have become.
  struct Translations {
    size_t paths = 0;  // without their hosts
    size_t others = 0;
  };

  absl::Status Take(JournalHeader header);
  absl::Status Take(JournalFileSystem file_system);
  absl::Status Take(JournalCall call);
  absl::Status Take(JournalStop stop);
  void NoteTranslation(size_t scheme, const JournalCall& call);

  const std::string name_;
  bool begun_ = false;
  std::string incomplete_;
  std::vector<JournaledScheme> schemes_;
  std::vector<JournalFileSystem> file_systems_;  // the first of each scheme
  std::map<uint64_t, size_t> scheme_of_;         // by number of file system
  std::map<size_t, Translations> translations_;  // by index of scheme
  std::unordered_map<std::string, Answers> answers_;
};

}  // namespace fsload
