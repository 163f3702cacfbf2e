#include "core/copies/confirmed_lookup.h"

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/strip.h"
#include "core/calls/plugin_call.h"
#include "core/calls/plugin_strings.h"
#include "core/files/open_op.h"
#include "core/paths/bucket.h"
#include "core/paths/listing_cache.h"
#include "core/paths/path.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

constexpr Op kStatOp = Op::kFilesystem_stat;

// In a directory that may be large, only a few files are checked one by one.
constexpr int kFewQuestions = 4;

// The http plugin reads the server's page with an error into the buffer, and
// reports another error if that is too small.
constexpr size_t kErrorPageBytes = size_t{1} << 20;

// The result of the second check. A name that differs only in case is the same
// name to some file systems, and another to most.
enum class Answer { kNothing, kOtherCase, kSomething };

// `said` is what the plugin said when it reported NOT_FOUND; "" if nothing.
absl::Status CannotTell(const PathArgument& path, std::string_view said,
                        const absl::Status& cause) {
  // Waiting does not help.
  if (absl::IsInvalidArgument(cause)) return cause;
  if (std::string(cause.message()).find(said) != std::string::npos) said = "";
  const std::string message = CallMessage(
      kStatOp, path.shown,
      Format("the plugin reported that it does not exist{}, but this "
             "could not be confirmed ({})",
             said.empty() ? "" : Format(" ({})", said),
             std::string(cause.message())));
  return absl::IsPermissionDenied(cause) || absl::IsUnauthenticated(cause)
             ? absl::PermissionDeniedError(message)
             : absl::UnavailableError(message);
}

// The plugin's own words in an error of stat at `path`.
std::string WordsOf(const absl::Status& status, const PathArgument& path) {
  const std::string end = CallMessage(kStatOp, "", "");
  absl::string_view words = absl::StripSuffix(status.message(), end);
  return std::string(absl::StripPrefix(words, std::string(path.shown) + ": "));
}

// Whether no directory is above `path`.
bool IsRoot(std::string_view path) {
  const std::string_view name = Basename(path);
  return name.empty() || name == "." || name == ".." || IsBucketRoot(path);
}

absl::StatusOr<Answer> AskByReading(const PluginOps& ops,
                                    const PathArgument& path, size_t bytes) {
  const auto file = kNewRandomAccessFile.Open(ops, path, nullptr);
  absl::Status status = file.status();
  std::string buffer(bytes, '\0');
  if (status.ok()) status = (*file)->Read(0, bytes, &buffer[0]).status();
  if (absl::IsNotFound(status)) return Answer::kNothing;
  if (!status.ok()) return status;
  return Answer::kSomething;
}

// Whether a directory that is not empty is there.
absl::StatusOr<Answer> AskByListing(const PluginOps& ops,
                                    const PathArgument& path) {
  const absl::StatusOr<std::vector<std::string>> names = ops.GetChildren(path);
  if (absl::IsNotFound(names.status())) return Answer::kNothing;
  if (!names.ok()) return names.status();
  return names->empty() ? Answer::kNothing : Answer::kSomething;
}

absl::StatusOr<Answer> AskByReadingAndListing(const PluginOps& ops,
                                              const PathArgument& path) {
  const absl::StatusOr<Answer> answer = AskByReading(ops, path, 1);
  // What cannot be read so may be a directory.
  const bool is_no_file = absl::IsFailedPrecondition(answer.status()) ||
                          (answer.ok() && *answer == Answer::kNothing);
  return is_no_file ? AskByListing(ops, path) : answer;
}

absl::StatusOr<Answer> List(const PluginOps& ops, const std::string& folder,
                            std::string_view name) {
  ListingCache& listed = ops.listing_cache();
  const ListingCache::Request request(listed, folder);
  const auto began = std::chrono::steady_clock::now();
  PluginStrings entries(ops.tables());
  const absl::StatusOr<std::vector<std::string_view>> names =
      ops.ViewChildren(PathArgument(folder), entries);
  if (absl::IsFailedPrecondition(names.status())) {
    const absl::StatusOr<FileStatistics> found = ops.Stat(PathArgument(folder));
    if (found.ok() && !found->is_directory) return Answer::kNothing;
  }
  if (!names.ok()) return names.status();
  listed.Remember(request, *names, std::chrono::steady_clock::now() - began);
  Answer answer = Answer::kNothing;
  for (const std::string_view each : *names) {
    if (each == name) return Answer::kSomething;
    if (IsSameButForCase(each, name)) answer = Answer::kOtherCase;
  }
  return answer;
}

// Whether the name of `path` is in its directory; NOT_FOUND if there is no such
// directory.
absl::StatusOr<Answer> AskFolder(const PluginOps& ops, const std::string& path,
                                 StatEffort effort) {
  const std::string folder = FolderOf(path);
  const std::string_view name = Basename(path);
  ListingCache& listed = ops.listing_cache();
  if (listed.MayHave(folder, name) == false) return Answer::kNothing;
  // Threads that ask while one lists ask for their name alone, if they can.
  const bool must_list = !ops.tables().traits.reading_tells;
  const bool may_list =
      must_list || listed.CountQuestion(folder) > kFewQuestions;
  if (may_list && listed.BeginListing(folder)) {
    const absl::Cleanup end = [&] { listed.EndListing(folder); };
    // Another thread may just have listed it.
    if (listed.MayHave(folder, name) == false) return Answer::kNothing;
    return List(ops, folder, name);
  }
  if (must_list) {
    listed.WaitForListing(folder);
    if (listed.MayHave(folder, name) == false) return Answer::kNothing;
    return List(ops, folder, name);
  }
  const PathArgument asked(path);
  return effort == StatEffort::kCheap ? AskByListing(ops, asked)
                                      : AskByReadingAndListing(ops, asked);
}

// Whether a listing that is remembered lacks `path`.
bool IsNotListed(const PluginOps& ops, const PathArgument& path) {
  const std::string_view whole = WithoutSlashes(path.canonical);
  if (IsRoot(whole)) return false;
  return ops.listing_cache().MayHave(FolderOf(whole), Basename(whole)) == false;
}

absl::StatusOr<Answer> AskRoot(const PluginOps& ops, std::string_view root) {
  const std::string path(root);
  const absl::Status status = ops.GetChildren(PathArgument(path)).status();
  if (absl::IsNotFound(status)) return Answer::kNothing;
  if (!status.ok()) return status;
  return Answer::kSomething;
}

// Whether `path`, which a listing has, cannot have anything below it.
bool IsFile(const PluginOps& ops, std::string_view path) {
  const absl::StatusOr<FileStatistics> found =
      ops.Stat(PathArgument(std::string(path)));
  return found.ok() && !found->is_directory;
}

absl::StatusOr<Answer> AskAgain(const PluginOps& ops, const PathArgument& path,
                                StatEffort effort) {
  const std::string_view whole = WithoutSlashes(path.canonical);
  // What lists a file may have this error, and others.
  absl::Status refused;
  for (std::string_view asked = whole;;) {
    absl::StatusOr<Answer> answer =
        IsRoot(asked) ? AskRoot(ops, asked)
                      : AskFolder(ops, std::string(asked), effort);
    if (absl::IsUnimplemented(answer.status())) {
      return AskByReading(ops, path, kErrorPageBytes);
    }
    if (answer.ok()) {
      const bool is_above = asked.size() < whole.size();
      if (!is_above || *answer != Answer::kSomething) return answer;
      if (IsFile(ops, asked)) return Answer::kNothing;
      return refused.ok() ? answer : refused;
    }
    if (absl::IsFailedPrecondition(answer.status())) {
      refused.Update(answer.status());
    } else if (!absl::IsNotFound(answer.status())) {
      return answer;
    }
    const std::string_view above = WithoutSlashes(Dirname(asked));
    if (above.empty() || above.size() >= asked.size()) {
      return refused.ok() ? Answer::kNothing : absl::StatusOr<Answer>(refused);
    }
    asked = above;
  }
}

}  // namespace

absl::StatusOr<std::optional<FileStatistics>> FindConfirmed(
    const PluginOps& ops, const PathArgument& path, StatEffort effort) {
  if (!PrefersReadToStat(ops.tables().traits)) {
    effort = StatEffort::kThorough;
  }
  if (effort == StatEffort::kCheap && IsNotListed(ops, path)) {
    return std::nullopt;
  }
  absl::StatusOr<FileStatistics> found = ops.Stat(path);
  if (found.ok()) return *found;
  if (!absl::IsNotFound(found.status())) return found.status();
  if (ops.tables().traits.is_exact) return std::nullopt;
  const absl::StatusOr<Answer> answer = AskAgain(ops, path, effort);
  if (!answer.ok()) {
    return CannotTell(path, WordsOf(found.status(), path), answer.status());
  }
  if (*answer == Answer::kNothing) return std::nullopt;
  // It may have appeared meanwhile.
  found = ops.Stat(path);
  if (found.ok()) return *found;
  if (*answer == Answer::kOtherCase && absl::IsNotFound(found.status())) {
    return std::nullopt;
  }
  // The gs plugin finds an empty directory only under the name of the empty
  // object that marks it.
  const std::string folder = std::string(WithoutSlashes(path.canonical)) + "/";
  found = ops.Stat(PathArgument(folder));
  if (found.ok() && (found->is_directory || found->length == 0)) {
    found->is_directory = true;
    return *found;
  }
  return CannotTell(
      path, "", UnavailableError("another operation of the plugin finds it"));
}

}  // namespace fsload
