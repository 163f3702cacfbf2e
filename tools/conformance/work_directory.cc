#include "tools/conformance/work_directory.h"

#include <sys/stat.h>

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "third_party/fmt/format.h"
#include "tools/conformance/journal.h"

namespace fsload::conformance {
namespace {

std::string JournalUri(const ConformanceOptions& options) {
  return WorkUri(options) + "/journal";
}

absl::StatusOr<std::string> ReadSmallFile(const FileSystem& fs,
                                          const std::string& uri) {
  auto file = fs.NewRandomAccessFile(uri);
  if (!file.ok()) return file.status();
  std::string text(4096, '\0');
  const auto bytes = (*file)->Read(0, text.size(), text.data());
  if (!bytes.ok()) return bytes.status();
  text.resize(*bytes);
  return text;
}

absl::Status WriteSmallFile(const FileSystem& fs, const std::string& uri,
                            const std::string& text) {
  auto file = fs.NewWritableFile(uri);
  if (!file.ok()) return file.status();
  const absl::Status status = (*file)->Append(text);
  return status.ok() ? (*file)->Close() : status;
}

absl::Status Refused(const std::string& uri, const std::string& why) {
  return AlreadyExistsError(
      "{}: {}; delete it yourself, or name another directory with --root", uri,
      why);
}

absl::Status NoJournal(const std::string& work) {
  return Refused(work, "it has no journal of fsload, so it may be somebody's");
}

// OK if the journal of an earlier run says that it may be deleted.
absl::Status CheckOver(const std::string& work, const std::string& journal) {
  const auto owner = OwnerIn(journal);
  if (!owner.has_value()) return NoJournal(work);
  const std::string why = WhyNotOver(*owner);
  return why.empty() ? absl::OkStatus() : Refused(work, why);
}

// OK if there is nothing at `work`, or an empty directory: a run ended before
// it wrote its journal.
absl::Status CheckEmpty(const FileSystem& fs, const std::string& work) {
  const auto is_directory = fs.IsDirectory(work);
  const auto names = fs.GetChildren(work);
  const bool lists_none = names.ok() && names->empty();
  const bool is_there = !absl::IsNotFound(is_directory.status());
  if (!is_there && (lists_none || absl::IsNotFound(names.status()))) {
    return absl::OkStatus();
  }
  const bool is_right = is_directory.ok() && *is_directory && lists_none;
  return is_right ? absl::OkStatus() : NoJournal(work);
}

// `error`, that of listing `root`; in other words where `root` is a file.
absl::Status NotListed(const FileSystem& fs, const std::string& root,
                       const absl::Status& error) {
  const auto is_directory = fs.IsDirectory(root);
  if (!is_directory.ok() || *is_directory) return error;
  return absl::Status(
      error.code(),
      root + ": it is a file; name an empty or new directory with --root");
}

// Whether `uri` is a symbolic link of this machine, whatever the plugin says.
bool IsLocalLink(const FileSystem& fs, const std::string& uri) {
  const auto path = fs.TranslateName(uri);
  struct stat found;
  return path.ok() && lstat(path->c_str(), &found) == 0 &&
         S_ISLNK(found.st_mode);
}

// Whether the journal as read is not that of another run: a plugin that cannot
// read or write it has cases to fail.
bool IsOf(const absl::StatusOr<std::string>& journal, int process) {
  const auto found = journal.ok() ? OwnerIn(*journal) : std::nullopt;
  if (!found.has_value()) return true;
  const Owner own = OwnerHere(process, found->kept);
  return JournalOf(*found) == JournalOf(own);
}

}  // namespace

std::string WorkUri(const ConformanceOptions& options) {
  const bool slash = !options.root.empty() && options.root.back() == '/';
  return Format("{}{}{}", options.root, slash ? "" : "/", kWorkDirectory);
}

std::string CaseUri(const ConformanceOptions& options,
                    const std::string& name) {
  return Format("{}/{}", WorkUri(options), name);
}

std::string DeleteTree(const FileSystem& fs, const std::string& uri) {
  const auto as_text = [&](const absl::Status& status) {
    return absl::IsNotFound(status)
               ? ""
               : Format("{}: {}", uri, std::string(status.message()));
  };
  // First as a file: a link is deleted, and what it leads to is not looked at.
  // Stores say OK for what is not there too.
  const absl::Status deleted = fs.DeleteFile(uri);
  if (IsLocalLink(fs, uri)) return as_text(deleted);
  const auto is_directory = fs.IsDirectory(uri);
  if (deleted.ok() && (!is_directory.ok() || !*is_directory)) return "";
  const auto names = fs.GetChildren(uri);
  if (!names.ok()) return as_text(names.status());
  std::string left;
  for (std::string name : *names) {
    if (!name.empty() && name.back() == '/') name.pop_back();  // as stores do
    // A plugin that lies must not lead out of the directory.
    if (name.empty() || name == "." || name == ".." ||
        name.find('/') != std::string::npos) {
      continue;
    }
    const std::string below = DeleteTree(fs, uri + "/" + name);
    if (!below.empty()) left = below;
  }
  const absl::Status status = fs.DeleteDir(uri);
  return left.empty() && !status.ok() ? as_text(status) : left;
}

std::string DeleteWork(const FileSystem& fs, const ConformanceOptions& options,
                       int owner) {
  const auto journal = ReadSmallFile(fs, JournalUri(options));
  if (absl::IsNotFound(journal.status())) return "";
  const std::string work = WorkUri(options);
  if (!IsOf(journal, owner)) {
    return work + ": its journal is another run's by now";
  }
  return DeleteTree(fs, work);
}

absl::Status MakeDirectory(const FileSystem& fs, const std::string& uri) {
  const absl::Status made = fs.CreateDir(uri);
  if (absl::IsAlreadyExists(made)) return absl::OkStatus();
  const size_t scheme = uri.find("://");
  const size_t host = scheme == std::string::npos ? 0 : scheme + 3;
  const size_t slash = uri.rfind('/');
  // A host, or bucket, is not made: its name may be a mistake.
  if (made.ok() || slash == std::string::npos || slash <= uri.find('/', host)) {
    return made;
  }
  // Whatever the code: that is for a case to judge.
  const absl::Status parent = MakeDirectory(fs, uri.substr(0, slash));
  const absl::Status again = fs.CreateDir(uri);
  if (absl::IsAlreadyExists(again)) return absl::OkStatus();
  return absl::IsNotFound(again) && !parent.ok() ? parent : again;
}

absl::Status TakeRoot(const FileSystem& fs, const ConformanceOptions& options,
                      int owner) {
  const std::string work = WorkUri(options);
  const auto names = fs.GetChildren(options.root);
  if (!names.ok() && !absl::IsNotFound(names.status())) {
    return NotListed(fs, options.root, names.status());
  }
  bool is_listed = false;
  for (const std::string& name :
       names.ok() ? *names : std::vector<std::string>()) {
    if (name == kWorkDirectory || name == std::string(kWorkDirectory) + "/") {
      is_listed = true;
      continue;
    }
    return AlreadyExistsError(
        "{}: it is not empty ('{}' is in it), and conformance cases write and "
        "delete files; name an empty or new directory with --root",
        options.root, name);
  }
  if (IsLocalLink(fs, work)) return Refused(work, "it is a symbolic link");
  // Listings may be wrong: the journal is asked for in any case.
  const auto former = ReadSmallFile(fs, JournalUri(options));
  if (former.ok()) {
    const absl::Status over = CheckOver(work, *former);
    if (!over.ok()) return over;
    const std::string left = DeleteTree(fs, work);
    if (!left.empty()) {
      return Refused(work,
                     "what an earlier run left cannot be deleted: " + left);
    }
  } else if (!absl::IsNotFound(former.status()) || is_listed) {
    const absl::Status empty = CheckEmpty(fs, work);
    if (!empty.ok()) return empty;
  }
  absl::Status made = fs.CreateDir(work);
  // Whatever the code: that is for a case to judge.
  if (!made.ok() && !absl::IsAlreadyExists(made)) {
    const absl::Status root = MakeDirectory(fs, options.root);
    if (!root.ok()) return root;
    made = fs.CreateDir(work);
  }
  if (!made.ok() && !absl::IsAlreadyExists(made)) return made;
  if (!made.ok() && (former.ok() || !is_listed)) {
    return Refused(work, "another run has just begun there");
  }
  // Stores may create what is there.
  const auto found = fs.GetChildren(work);
  if (found.ok() && !found->empty()) return NoJournal(work);
  const absl::Status written = WriteSmallFile(
      fs, JournalUri(options), JournalOf(OwnerHere(owner, options.keep)));
  if (!written.ok()) return written;
  // A cache may still have what was deleted.
  const auto read = ReadSmallFile(fs, JournalUri(options));
  const bool is_former = read.ok() && former.ok() && *read == *former;
  return IsOf(read, owner) || is_former
             ? absl::OkStatus()
             : Refused(work, "another run has just begun there");
}

}  // namespace fsload::conformance
