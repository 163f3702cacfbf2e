// What the subcommands that work on files share.
//
// A verb is a function of a VerbRun. It reports results and errors through
// run.output(), which determines its exit code.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "core/tables/operations.h"
#include "fsload/file_system.h"
#include "fsload/internal/mutex.h"
#include "tools/cli/command_line.h"
#include "tools/files/output/explanation.h"
#include "tools/files/output/verb_output.h"
#include "tools/files/run/reachability.h"
#include "tools/files/run/store_errors.h"
#include "tools/session/call_counts.h"
#include "tools/session/session.h"

namespace fsload {

// Command-line options of all verbs.
struct VerbOptions {
  std::string plugin;
  std::vector<std::string> arguments;  // as written; "-" if the verb accepts it
  bool literal = false;                // no argument is expanded
  bool json = false;
  bool explain = false;
  bool quiet = false;
  bool in_process = false;
  bool isolate = false;   // plugins run in processes of their own
  bool confined = false;  // and these are confined
  bool continue_on_error = false;
  std::string record;  // the journal to write; "": none
  std::string replay;  // the journal to answer from, instead of plugins
  size_t retries = 2;  // of one call of a plugin
  double op_timeout_seconds = 600;    // for one operation of a plugin; 0: none
  std::shared_ptr<CallCounts> calls;  // of plugins' operations, for --explain
};

// Which arguments of a verb are expanded (tools/files/names/expansion.h).
enum class Expands : uint8_t {
  kNothing,   // they name what is to be made
  kPatterns,  // nothing: they are patterns for the plugin
  kAll,
  kSources,  // all but the last
};

// Returns `failed`, for which nothing could be asked about a path, but never
// NOT_FOUND: what is missing is a plugin or a journal. FAILED_PRECONDITION
// then.
absl::Status CannotAsk(const absl::Status& failed);

// One run of a verb. Thread-safe once the verb has started.
class VerbRun final {
 public:
  VerbRun(Session& session, const VerbOptions& options, VerbOutput& output);
  ~VerbRun();
  VerbRun(const VerbRun&) = delete;
  VerbRun& operator=(const VerbRun&) = delete;

  // Finds out what the arguments of the command line name, before the verb
  // starts, and reports errors. False if it must not start.
  bool TakeArguments(Expands expands);

  const VerbOptions& options() const { return options_; }

  // Returns what the arguments name; "-" if the verb accepts it.
  const std::vector<std::string>& uris() const { return uris_; }

  // Returns how many sources the user named, all but the last of uris(), of
  // which some may be invalid. A pattern that could not be expanded counts as
  // several.
  size_t named_sources() const { return uris_.size() - 1 + missing_sources_; }

  // Returns the first argument that is a pattern of everything at the root of a
  // file system ("s3://bucket/*"), as written. May be called before
  // TakeArguments.
  std::optional<std::string> PatternOfAll(Expands expands) const;

  // Drops what a pattern matched inside of something else that it matched: for
  // verbs that take directories with their contents.
  void KeepOutermost();

  // Prints what patterns matched, for --verbose.
  void ReportMatches();

  VerbOutput& output() { return output_; }

  // Returns the file system for `uri`; loads its plugin if necessary. Only in
  // the thread that started the verb.
  absl::StatusOr<FileSystemPtr> FileSystemFor(std::string_view uri);

  // Calls `work` for each URI of the command line, which may be "-", and
  // reports its errors. Stops at the first error, unless --continue-on-error
  // was given, and when output fails.
  void ForEachArgument(
      const std::function<absl::Status(const std::string& uri)>& work);

  // Does the same, with the file system of each.
  void ForEachUri(
      const std::function<absl::Status(const FileSystem& file_system,
                                       const std::string& uri)>& work);

  // Says, for --explain, whether what the verb did is atomic; replaces the
  // words of its VerbDescription.
  void SayAtomic(std::string words) { explanation_.atomic = std::move(words); }

  // Returns what --explain will print so far.
  Explanation& explanation() { return explanation_; }

 private:
  // What a pattern of the command line matched: `count` of `uris_` from
  // `first` on.
  struct Matched {
    std::string pattern;
    size_t first;
    size_t count;
  };

  // Does what FileSystemFor does, for a pattern too.
  absl::StatusOr<FileSystemPtr> FileSystemOf(std::string_view uri);

  absl::Status TakeArgument(const std::string& text, Expands expands);

  // Returns `status`, unless something says more: that the server is gone, or
  // lacks the bucket, or that a variable is set which the plugin does not read.
  absl::Status Explain(std::string_view uri, const absl::Status& status);

  Session& session_;
  const VerbOptions& options_;
  VerbOutput& output_;
  Explanation explanation_;
  std::vector<std::string> uris_;
  std::vector<Matched> matched_;
  size_t missing_sources_ = 0;
  bool takes_patterns_ = false;
  ServerErrors server_errors_;
  StoreErrors store_errors_;

  Mutex mutex_;
  // In use, by scheme.
  std::map<std::string, FileSystemPtr, std::less<>> file_systems_
      ABSL_GUARDED_BY(mutex_);
};

using Verb = std::function<void(VerbRun&)>;

struct VerbDescription {
  const char* name;
  const char* description;
  const char* uris;  // what they are, for the help text
  size_t min_uris = 1;
  size_t max_uris = SIZE_MAX;

  // For --explain: the file system operations that it uses, and whether its
  // effect is atomic; null if it is read-only.
  std::vector<Op> operations = {};
  const char* atomic = nullptr;

  const char* operands = "uri";  // their name, or their names
  Expands expands = Expands::kAll;

  // Called before patterns are expanded. False ends the verb; it has then
  // reported why. Null: always true.
  std::function<bool(VerbRun&)> may_start = nullptr;
};

// Adds the subcommand to `app`; `verb` runs if it was given. The caller adds
// the verb's own options to the result.
CLI::App* AddVerb(CLI::App& app, int& exit_code,
                  const VerbDescription& description, const Verb& verb);

// Adds -j to a verb's options: how many `things` ("files to process") in
// parallel. Sets `jobs`, whose initial value is the default.
void AddJobsOption(CLI::App& command, const std::string& things, size_t& jobs);

}  // namespace fsload
