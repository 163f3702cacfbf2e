#include "tools/conformance/work_directory.h"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace fsload::conformance {
namespace {

using Json = nlohmann::json;

std::string JournalUri(const ConformanceOptions& options) {
  return WorkUri(options) + "/journal";
}

std::string HostName() {
  char name[256] = "";
  gethostname(name, sizeof(name) - 1);
  return name;
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

// What a journal holds; null if it is not one of ours.
Json OwnerIn(const std::string& journal) {
  const Json text = Json::parse(journal, nullptr, /*allow_exceptions=*/false);
  return text.is_object() && text.contains(kWorkDirectory)
             ? text[kWorkDirectory]
             : Json();
}

// Whether the process that a journal names, not `own`, still runs on this
// machine.
bool OwnerRuns(const Json& owner, int own) {
  if (!owner.is_object() || owner.value("host", "") != HostName()) return false;
  const int process = owner.value("process", 0);
  return process > 0 && process != own &&
         (kill(process, 0) == 0 || errno == EPERM);
}

}  // namespace

std::string WorkUri(const ConformanceOptions& options) {
  const bool slash = !options.root.empty() && options.root.back() == '/';
  return fmt::format("{}{}{}", options.root, slash ? "" : "/", kWorkDirectory);
}

std::string CaseUri(const ConformanceOptions& options,
                    const std::string& name) {
  return fmt::format("{}/{}", WorkUri(options), name);
}

std::string DeleteTree(const FileSystem& fs, const std::string& uri) {
  const auto names = fs.GetChildren(uri);
  if (absl::IsNotFound(names.status())) return "";
  std::string left;
  if (names.ok()) {
    for (const std::string& name : *names) {
      // A plugin that lies must not lead out of the directory.
      if (name.empty() || name == "." || name == ".." ||
          name.find('/') != std::string::npos) {
        continue;
      }
      const std::string child = uri + "/" + name;
      const auto is_directory = fs.IsDirectory(child);
      if (is_directory.ok() && *is_directory) {
        const std::string below = DeleteTree(fs, child);
        if (!below.empty()) left = below;
        continue;
      }
      const absl::Status status = fs.DeleteFile(child);
      if (!status.ok() && !absl::IsNotFound(status)) {
        left = fmt::format("{}: {}", child, std::string(status.message()));
      }
    }
  }
  const absl::Status status = fs.DeleteDir(uri);
  if (left.empty() && !status.ok() && !absl::IsNotFound(status) &&
      !absl::IsUnimplemented(status)) {
    left = fmt::format("{}: {}", uri, std::string(status.message()));
  }
  return left;
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
  MakeDirectory(fs, uri.substr(0, slash)).IgnoreError();
  const absl::Status again = fs.CreateDir(uri);
  return absl::IsAlreadyExists(again) ? absl::OkStatus() : again;
}

absl::Status TakeRoot(const FileSystem& fs, const ConformanceOptions& options,
                      int owner) {
  const auto names = fs.GetChildren(options.root);
  if (!names.ok() && !absl::IsNotFound(names.status())) return names.status();
  bool has_work = false;
  for (const std::string& name :
       names.ok() ? *names : std::vector<std::string>()) {
    if (name == kWorkDirectory || name == std::string(kWorkDirectory) + "/") {
      has_work = true;
      continue;
    }
    return absl::FailedPreconditionError(fmt::format(
        "{}: it is not empty ('{}' is in it), and conformance cases write and "
        "delete files; name an empty or new directory with --root",
        options.root, name));
  }
  if (has_work) {
    const auto journal = ReadSmallFile(fs, JournalUri(options));
    const Json former = journal.ok() ? OwnerIn(*journal) : Json();
    if (former.is_null()) {
      return absl::FailedPreconditionError(fmt::format(
          "{}: it has no journal of fsload, so it may be somebody's; delete it "
          "yourself, or name another directory with --root",
          WorkUri(options)));
    }
    if (OwnerRuns(former, owner)) {
      return absl::FailedPreconditionError(fmt::format(
          "{}: another run is using it: {}", WorkUri(options), *journal));
    }
    const std::string left = DeleteTree(fs, WorkUri(options));
    if (!left.empty()) {
      return absl::FailedPreconditionError(
          fmt::format("what an earlier run left cannot be deleted: {}", left));
    }
  }
  const absl::Status made = MakeDirectory(fs, WorkUri(options));
  if (!made.ok()) return made;
  auto file = fs.NewWritableFile(JournalUri(options));
  if (!file.ok()) return file.status();
  const Json journal = {
      {kWorkDirectory, {{"host", HostName()}, {"process", owner}}}};
  const absl::Status status = (*file)->Append(journal.dump());
  return status.ok() ? (*file)->Close() : status;
}

}  // namespace fsload::conformance
