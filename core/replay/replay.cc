#include "fsload/replay.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "core/file_system/plugin_file_system.h"
#include "core/replay/journal_contents.h"
#include "core/replay/replaying.h"
#include "core/replay/replaying_tables.h"
#include "core/system/descriptor.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

constexpr int64_t kMaxJournalBytes = int64_t{4} << 30;
constexpr size_t kBlockBytes = size_t{1} << 20;

// Takes a journal piece by piece, and its lines one by one.
class LineReader {
 public:
  explicit LineReader(std::string name)
      : contents_(std::make_shared<JournalContents>(std::move(name))) {}

  absl::Status Take(std::string_view piece) {
    for (size_t end; (end = piece.find('\n')) != std::string_view::npos;) {
      absl::Status status = TakeLine(piece.substr(0, end));
      if (!status.ok()) return status;
      piece.remove_prefix(end + 1);
    }
    begun_ += piece;
    return begun_.size() <= kMaxLineBytes
               ? absl::OkStatus()
               : Damaged(InvalidArgumentError("it has more than {} bytes",
                                              kMaxLineBytes));
  }

  absl::StatusOr<std::shared_ptr<const JournalContents>> Finish() {
    if (lines_ == 0) {
      return Damaged(InvalidArgumentError("the file is empty"));
    }
    if (!begun_.empty()) {
      contents_->EndsEarly(
          Format("line {} (the last) is truncated", lines_ + 1));
    }
    return contents_;
  }

 private:
  absl::Status TakeLine(std::string_view end) {
    begun_ += end;
    const absl::Status status = contents_->Add(begun_);
    if (!status.ok()) return Damaged(status);
    ++lines_;
    begun_.clear();
    return status;
  }

  absl::Status Damaged(const absl::Status& why) const {
    if (lines_ == 0) {
      return InvalidArgumentError("{}: is not an fsload journal: {}",
                                  contents_->name(),
                                  std::string(why.message()));
    }
    return InvalidArgumentError("{}: line {} of the journal is damaged: {}",
                                contents_->name(), lines_ + 1,
                                std::string(why.message()));
  }

  const std::shared_ptr<JournalContents> contents_;
  size_t lines_ = 0;   // read
  std::string begun_;  // the line that has not ended
};

}  // namespace

Journal::Journal(std::shared_ptr<const JournalContents> contents)
    : contents_(std::move(contents)) {}

absl::StatusOr<Journal> Journal::Read(const std::string& path) {
  const auto error = [&path] { return absl::ErrnoToStatus(errno, path); };
  const Descriptor file = OpenToRead(path);
  if (!file.ok()) return error();
  struct stat found;
  if (fstat(file.get(), &found) != 0) return error();
  if (!S_ISREG(found.st_mode)) {
    return InvalidArgumentError("{}: is not a file", path);
  }
  if (found.st_size > kMaxJournalBytes) {
    return ResourceExhaustedError(
        "{}: the journal has {} bytes; at most {} can be replayed", path,
        found.st_size, kMaxJournalBytes);
  }
  LineReader reader(path);
  std::string block(kBlockBytes, '\0');
  for (;;) {
    const ssize_t bytes = read(file.get(), block.data(), block.size());
    if (bytes < 0 && errno == EINTR) continue;
    if (bytes < 0) return error();
    if (bytes == 0) break;
    const absl::Status status =
        reader.Take({block.data(), static_cast<size_t>(bytes)});
    if (!status.ok()) return status;
  }
  auto contents = reader.Finish();
  if (!contents.ok()) return contents.status();
  return Journal(*std::move(contents));
}

absl::StatusOr<Journal> Journal::Parse(std::string_view text,
                                       std::string name) {
  LineReader reader(std::move(name));
  const absl::Status status = reader.Take(text);
  if (!status.ok()) return status;
  auto contents = reader.Finish();
  if (!contents.ok()) return contents.status();
  return Journal(*std::move(contents));
}

const std::vector<JournaledScheme>& Journal::schemes() const {
  return contents_->schemes();
}

const std::string& Journal::incomplete() const {
  return contents_->incomplete();
}

absl::StatusOr<std::vector<FileSystemPtr>> Journal::Replay(
    OpObserver* observer) const {
  std::vector<FileSystemPtr> file_systems;
  for (size_t i = 0; i < contents_->file_systems().size(); ++i) {
    const JournalFileSystem& recorded = contents_->file_systems()[i];
    SchemeTables tables = ReplayingTables(recorded);
    tables.observer = observer;
    // No longer than there is room for, which the contents saw to.
    recorded.scheme.copy(tables.scheme, sizeof(tables.scheme) - 1);
    absl::StatusOr<OpTables> sealed = OpTables::SealOnce(tables);
    if (!sealed.ok()) return sealed.status();
    absl::StatusOr<FileSystemPtr> created = PluginFileSystem::Create(
        *std::move(sealed), recorded.scheme, recorded.plugin,
        {new Replaying{contents_, i, {}}});
    if (!created.ok()) return created.status();
    file_systems.push_back(*std::move(created));
  }
  return file_systems;
}

}  // namespace fsload
