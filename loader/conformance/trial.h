// One run of a conformance case: what it calls, what it expects, and the record
// that a person reads when an expectation fails.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fsload/file_system.h"
#include "fsload/internal/mutex.h"
#include "fsload/op.h"
#include "loader/conformance/target.h"
#include "loader/conformance/trial_files.h"
#include "loader/conformance/trial_text.h"

namespace fsload::conformance {

// Where and how to run a case.
struct RunSetting {
  std::string root;    // URI of an existing, empty directory of its own
  uint64_t seed = 0;   // of what is random
  std::string replay;  // sequences to run instead (cases/random_sequence.h)
  // Sees each call that is recorded, as it is made; may be null.
  std::function<void(const std::string& call)> recorded;
  bool object_store = false;  // each call may be a request, and take long
};

// What a trial works on.
struct TrialSetting {
  Target& tested;
  Target& whole;                  // the same files with nothing hidden
  const FileSystem& file_system;  // what `tested` calls
  bool raw;                       // `tested` calls the tables
  const RunSetting& run;
};

// Paths are names in the trial's directory, "" for the directory itself. Calls
// are recorded. An expectation refers to the last recorded call, and does not
// end the case. One thread at a time, but for the quiet calls.
class Trial final {
 public:
  explicit Trial(const TrialSetting& setting) : setting_(setting) {}
  Trial(const Trial&) = delete;
  Trial& operator=(const Trial&) = delete;

  // Calls of what is tested.
  absl::StatusOr<std::unique_ptr<TrialReader>> Open(std::string_view name);
  absl::StatusOr<std::unique_ptr<TrialWriter>> Create(std::string_view name);
  absl::StatusOr<std::unique_ptr<TrialWriter>> OpenToAppend(
      std::string_view name);
  absl::StatusOr<std::unique_ptr<TrialRegion>> Map(std::string_view name);
  absl::Status PathExists(std::string_view name);
  std::vector<absl::Status> PathsExist(const Names& names);
  absl::StatusOr<FileStatistics> Stat(std::string_view name);
  absl::StatusOr<bool> IsDirectory(std::string_view name);
  absl::StatusOr<int64_t> GetFileSize(std::string_view name);
  absl::StatusOr<Names> GetChildren(std::string_view name);          // sorted
  absl::StatusOr<Names> GetMatchingPaths(std::string_view pattern);  // sorted
  absl::StatusOr<std::string> TranslateName(std::string_view name);
#define FSLOAD_ON_PATH(op, method) absl::Status method(std::string_view name);
#define FSLOAD_ON_PATHS(op, method) \
  absl::Status method(std::string_view src, std::string_view dst);
  FSLOAD_FOR_EACH_CHANGE(FSLOAD_ON_PATH, FSLOAD_ON_PATHS)
#undef FSLOAD_ON_PATHS
#undef FSLOAD_ON_PATH
  absl::Status DeleteRecursively(std::string_view name, Undeleted& undeleted);
  absl::Status FlushCaches();

  // Prepares a file, with nothing hidden. A plugin without the operations for
  // it is not at fault: the case is skipped. False: it cannot go on.
  bool Put(std::string_view name, std::string_view contents);
  bool PutDir(std::string_view name);

  // Does the same in the local file system, past the plugin, for cases that
  // need local files: a file with `contents` at `offset` and nothing before, a
  // symbolic link, and the mode of a path.
  bool PutSparse(std::string_view name, uint64_t offset,
                 std::string_view contents);
  bool PutLink(std::string_view name, const std::string& target);
  bool IsLink(std::string_view name) const;
  bool Forbid(std::string_view name, unsigned mode);

  // Checks what is there, with nothing hidden.
  void HasContents(std::string_view name, std::string_view contents);
  void HasNames(std::string_view name, Names names);  // sorted
  void HasNoFile(std::string_view name);

  // Checks the last call, as those that follow do; each returns whether it
  // holds.
  bool Ok(const absl::Status& status);
  template <typename T>
  bool Ok(const absl::StatusOr<T>& result) {
    return Ok(result.status());
  }
  bool Fails(const absl::Status& status,
             std::initializer_list<absl::StatusCode> codes);
  template <typename T>
  bool Fails(const absl::StatusOr<T>& result,
             std::initializer_list<absl::StatusCode> codes) {
    return Fails(result.status(), codes);
  }
  bool Yields(const absl::StatusOr<std::string>& result,
              std::string_view expected);
  bool Yields(const absl::StatusOr<Names>& result, const Names& expected);
  bool Yields(const absl::StatusOr<int64_t>& result, int64_t expected);
  bool Yields(const absl::StatusOr<bool>& result, bool expected);

  // Expects `holds`; otherwise `problem` is what is wrong. Any thread.
  bool Expect(bool holds, std::string_view problem);

  // Ends the case's claim to have tested anything.
  void Skip(std::string_view reason);

  std::string Uri(std::string_view name) const;
  std::string PatternUri(std::string_view pattern) const;
  const TrialSetting& setting() const { return setting_; }
  bool Has(Op op) const;  // in what is tested

  // Adds to the record. Any thread.
  void Record(const std::string& call, const absl::Status& status);
  void Record(const std::string& call, const std::string& result);

  // Adds to the record and returns `result`. Any thread.
  template <typename Result>
  Result Recorded(const std::string& call, Result result) {
    Record(call, Text(result));
    return result;
  }

  // Returns the sentences about what failed; empty: the case passed.
  std::vector<std::string> failures() const {
    const MutexLock lock(mutex_);
    return failures_;
  }
  std::vector<std::string> calls() const {
    const MutexLock lock(mutex_);
    return calls_;
  }
  const std::optional<std::string>& skipped() const { return skipped_; }

  // Sets a sequence of calls that fails, for RunSetting::replay.
  void SetSequence(std::string sequence) { sequence_ = std::move(sequence); }
  const std::string& sequence() const { return sequence_; }

 private:
  // Calls a method of what is tested with URIs, and records it as `op`.
  template <typename Result, typename... Given, typename... Name>
  Result Call(std::string_view op, Result (Target::*method)(Given...),
              const Name&... names);

  // Records what prepares the case. Returns whether the case can go on.
  bool Prepared(const std::string& call, const absl::Status& status);
  absl::StatusOr<std::string> LocalPath(std::string_view name) const;
  std::string LastCall() const;

  const TrialSetting setting_;
  mutable Mutex mutex_;
  std::vector<std::string> calls_ ABSL_GUARDED_BY(mutex_);
  std::vector<std::string> failures_ ABSL_GUARDED_BY(mutex_);
  std::optional<std::string> skipped_;
  std::string sequence_;
};

}  // namespace fsload::conformance
