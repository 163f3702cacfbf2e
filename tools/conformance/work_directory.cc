#include "tools/conformance/work_directory.h"

#include <fmt/format.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_split.h"

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

// When process `id` started, in clock ticks since the machine did; "" if there
// is no such process. Numbers of processes are used again.
std::string StartOf(int id) {
  std::ifstream file(fmt::format("/proc/{}/stat", id));
  std::string text{std::istreambuf_iterator<char>(file), {}};
  // The name, in parentheses, may contain anything.
  text.erase(0, text.rfind(')') + 1);
  const std::vector<std::string> fields = absl::StrSplit(text, ' ');
  constexpr size_t kStart = 20;  // field 22 of proc(5), behind the name
  return fields.size() > kStart ? fields[kStart] : "";
}

// Whose a work directory is.
struct Owner {
  std::string host;
  int process = 0;
  std::string start;
  bool kept = false;  // with --keep
};

std::string JournalOf(const Owner& owner) {
  const Json journal = {{kWorkDirectory,
                         {{"host", owner.host},
                          {"process", owner.process},
                          {"start", owner.start},
                          {"kept", owner.kept}}}};
  return journal.dump() + "\n";
}

// What a journal says; nothing if it is not one of ours.
std::optional<Owner> OwnerIn(const std::string& journal) {
  const Json text = Json::parse(journal, nullptr, /*allow_exceptions=*/false);
  if (!text.is_object() || !text.contains(kWorkDirectory)) return std::nullopt;
  const Json& owner = text[kWorkDirectory];
  const auto is = [&](const char* key, Json::value_t type) {
    return owner.is_object() && owner.contains(key) &&
           owner[key].type() == type;
  };
  if (!is("host", Json::value_t::string) ||
      !is("process", Json::value_t::number_unsigned) ||
      !is("start", Json::value_t::string) ||
      !is("kept", Json::value_t::boolean)) {
    return std::nullopt;
  }
  return Owner{owner["host"], owner["process"], owner["start"], owner["kept"]};
}

// Why what `former` left must not be deleted; "" if it may be.
std::string WhyNotOver(const Owner& former) {
  if (former.kept) return "an earlier run kept it (--keep)";
  if (former.host != HostName()) {
    return fmt::format(
        "process {} of host '{}' is using it, or ended before it could delete "
        "it",
        former.process, former.host);
  }
  if (StartOf(former.process) == former.start) {
    return fmt::format("another run is using it: process {}", former.process);
  }
  return "";
}

// FAILED_PRECONDITION unless the directory at `uri` is an earlier run's, and
// that is over.
absl::Status CheckLeftBehind(const FileSystem& fs, const std::string& uri,
                             const absl::StatusOr<std::string>& journal) {
  if (!journal.ok()) {
    // A run may have ended before it wrote the journal.
    const auto names = fs.GetChildren(uri);
    if (names.ok() && names->empty()) return absl::OkStatus();
  }
  const auto former = journal.ok() ? OwnerIn(*journal) : std::optional<Owner>();
  const std::string why =
      former.has_value()
          ? WhyNotOver(*former)
          : "it has no journal of fsload, so it may be somebody's";
  if (why.empty()) return absl::OkStatus();
  return absl::AlreadyExistsError(fmt::format(
      "{}: {}; delete it yourself, or name another directory with --root", uri,
      why));
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
  const auto told = [&](const absl::Status& status) {
    return absl::IsNotFound(status) || absl::IsUnimplemented(status)
               ? ""
               : fmt::format("{}: {}", uri, std::string(status.message()));
  };
  // First as a file: a link is deleted, and what it leads to is not looked at.
  // Stores say OK for what is not there too.
  const absl::Status deleted = fs.DeleteFile(uri);
  const auto is_directory = fs.IsDirectory(uri);
  if (deleted.ok() && (!is_directory.ok() || !*is_directory)) return "";
  const auto names = fs.GetChildren(uri);
  if (!names.ok()) return told(deleted);
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
  if (left.empty() && !status.ok()) left = told(status);
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
  const absl::Status parent = MakeDirectory(fs, uri.substr(0, slash));
  const absl::Status again = fs.CreateDir(uri);
  if (absl::IsAlreadyExists(again)) return absl::OkStatus();
  return absl::IsNotFound(again) && !parent.ok() ? parent : again;
}

absl::Status TakeRoot(const FileSystem& fs, const ConformanceOptions& options,
                      int owner) {
  const std::string work = WorkUri(options);
  const auto names = fs.GetChildren(options.root);
  if (!names.ok() && !absl::IsNotFound(names.status())) return names.status();
  bool has_work = false;
  for (const std::string& name :
       names.ok() ? *names : std::vector<std::string>()) {
    if (name == kWorkDirectory || name == std::string(kWorkDirectory) + "/") {
      has_work = true;
      continue;
    }
    return absl::AlreadyExistsError(fmt::format(
        "{}: it is not empty ('{}' is in it), and conformance cases write and "
        "delete files; name an empty or new directory with --root",
        options.root, name));
  }
  // Whatever the listing says.
  const auto journal = ReadSmallFile(fs, JournalUri(options));
  if (has_work || journal.ok()) {
    const absl::Status free = CheckLeftBehind(fs, work, journal);
    if (!free.ok()) return free;
    const std::string left = DeleteTree(fs, work);
    if (!left.empty()) {
      return absl::FailedPreconditionError(
          fmt::format("what an earlier run left cannot be deleted: {}", left));
    }
  }
  if (!names.ok()) {
    const absl::Status root = MakeDirectory(fs, options.root);
    if (!root.ok()) return root;
  }
  const absl::Status made = fs.CreateDir(work);
  if (absl::IsAlreadyExists(made)) {
    const absl::Status free =
        CheckLeftBehind(fs, work, ReadSmallFile(fs, JournalUri(options)));
    if (!free.ok()) return free;
  } else if (!made.ok()) {
    return made;
  }
  const std::string mine =
      JournalOf({HostName(), owner, StartOf(owner), options.keep});
  auto file = fs.NewWritableFile(JournalUri(options));
  if (!file.ok()) return file.status();
  absl::Status status = (*file)->Append(mine);
  if (status.ok()) status = (*file)->Close();
  if (!status.ok()) return status;
  // Of two runs that began at once, the journal names one.
  const auto read = ReadSmallFile(fs, JournalUri(options));
  return read.ok() && *read != mine ? CheckLeftBehind(fs, work, read)
                                    : read.status();
}

}  // namespace fsload::conformance
