// The subcommands that work on files: what they have in common.
//
// A verb is a function of a VerbRun. It tells of its results and errors through
// run.output(), and its exit code is that of these errors.
#ifndef FSLOAD_TOOLS_FILES_RUN_VERB_H_
#define FSLOAD_TOOLS_FILES_RUN_VERB_H_

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "core/tables/operations.h"
#include "fsload/file_system.h"
#include "tools/cli/command_line.h"
#include "tools/files/output/explanation.h"
#include "tools/files/output/verb_output.h"
#include "tools/files/state/call_counts.h"
#include "tools/session/session.h"

namespace fsload {

// What all verbs have on their command lines.
struct VerbOptions {
  std::string plugin;
  std::vector<std::string> uris;  // one or more; "-" where the verb says so
  bool json = false;
  bool explain = false;
  bool quiet = false;
  bool in_process = false;
  bool continue_on_error = false;
  double op_deadline_seconds = 600;   // for one operation of a plugin; 0: none
  std::shared_ptr<CallCounts> calls;  // of plugins' operations, to --explain
};

// One run of a verb. May be used from any thread, once the verb has begun.
class VerbRun final {
 public:
  VerbRun(Session& session, const VerbOptions& options, VerbOutput& output)
      : session_(session), options_(options), output_(output) {}

  const VerbOptions& options() const { return options_; }
  VerbOutput& output() { return output_; }

  // The file system for `uri`, whose plugin is loaded where it is not yet. Only
  // from the thread that the verb began in.
  absl::StatusOr<FileSystemPtr> FileSystemFor(std::string_view uri);

  // Calls `work` for each of the command line's URIs, which may be "-", and
  // tells of its errors. Ends at the first one, unless --continue-on-error was
  // given, and where nothing can be written any more.
  void ForEachArgument(
      const std::function<absl::Status(const std::string& uri)>& work);

  // The same with the file system of each.
  void ForEachUri(
      const std::function<absl::Status(const FileSystem& file_system,
                                       const std::string& uri)>& work);

  // Whether what the verb did is atomic, in words for --explain; else those of
  // its VerbDescription.
  void SayAtomic(std::string words) { explanation_.atomic = std::move(words); }

  // What has been found out to --explain so far.
  Explanation& explanation() { return explanation_; }

 private:
  Session& session_;
  const VerbOptions& options_;
  VerbOutput& output_;
  Explanation explanation_;
};

using Verb = std::function<void(VerbRun&)>;

struct VerbDescription {
  const char* name;
  const char* description;
  const char* uris;  // what they are, for the help text
  size_t least_uris = 1;
  size_t most_uris = SIZE_MAX;

  // To --explain: the operations of file systems that it is made of, and
  // whether what it does is atomic.
  std::vector<Op> operations = {};
  const char* atomic = "nothing is changed";
};

// Adds the subcommand to `app`; `verb` is run when it was given. The options of
// its own are added to what this yields.
CLI::App* AddVerb(CLI::App& app, int& exit_code,
                  const VerbDescription& description, const Verb& verb);

// Adds -j to a verb's options: how many `things` it does at a time ("files"),
// into `jobs`, whose value is the default.
void AddJobsOption(CLI::App& command, const std::string& things, size_t& jobs);

}  // namespace fsload

#endif  // FSLOAD_TOOLS_FILES_RUN_VERB_H_
