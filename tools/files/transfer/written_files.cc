#include "tools/files/transfer/written_files.h"

#include <string>

#include "absl/hash/hash.h"
#include "absl/strings/ascii.h"
#include "fsload/internal/mutex.h"

namespace fsload {
namespace {

// Not the time of change: to move another name of a file changes that.
uint64_t SignatureOf(const struct stat& file) {
  return absl::HashOf(file.st_dev, file.st_size, file.st_mtim.tv_sec,
                      file.st_mtim.tv_nsec);
}

uint64_t HashOfPath(const struct stat& folder, const std::string& name) {
  return absl::HashOf(folder.st_dev, folder.st_ino, name);
}

uint64_t HashOfFile(const struct stat& file) {
  return absl::HashOf(file.st_dev, file.st_ino, SignatureOf(file));
}

// The same for all names that a plugin may take for one: in lower case, without
// letters beyond ASCII and the ASCII letters before them, of which case and
// normal form make others ("E", and an accent).
uint64_t HashOfFolded(const std::string& uri) {
  std::string folded;
  size_t letters = 0;  // where the last ones begin
  for (const char byte : uri) {
    if (!absl::ascii_isascii(byte)) {
      folded.resize(letters);
      continue;
    }
    folded += absl::ascii_tolower(byte);
    if (!absl::ascii_isalpha(byte)) letters = folded.size();
  }
  return absl::HashOf(folded);
}

}  // namespace

void WrittenFiles::Counts::Add(uint64_t number) {
  if (all_.insert(number).second) return;
  more_.emplace(number, 1).first->second += 1;
}

void WrittenFiles::Counts::RemoveOne(uint64_t number) {
  const auto more = more_.find(number);
  if (more == more_.end()) {
    all_.erase(number);
  } else if (--more->second == 1) {
    more_.erase(more);
  }
}

Mutex& WrittenFiles::PuttingAt(const std::string& uri) {
  return putting_[HashOfFolded(uri) % putting_.size()];
}

bool WrittenFiles::AddName(const std::string& uri) {
  const MutexLock lock(mutex_);
  return names_.insert(HashOfFolded(uri)).second;
}

void WrittenFiles::Add(const struct stat& file) {
  const MutexLock lock(mutex_);
  files_[file.st_dev].Add(file.st_ino);
  signatures_.Add(SignatureOf(file));
}

void WrittenFiles::Remove(const struct stat& file) {
  const MutexLock lock(mutex_);
  files_[file.st_dev].RemoveOne(file.st_ino);
  signatures_.RemoveOne(SignatureOf(file));
}

void WrittenFiles::Remember(const struct stat& folder, const std::string& name,
                            const struct stat& file) {
  const MutexLock lock(mutex_);
  before_[HashOfPath(folder, name)] = HashOfFile(file);
}

bool WrittenFiles::HasNumber(const struct stat& file) const {
  const auto numbers = files_.find(file.st_dev);
  return numbers != files_.end() && numbers->second.Has(file.st_ino);
}

bool WrittenFiles::Has(const struct stat& folder, const std::string& name,
                       const struct stat& file) {
  const MutexLock lock(mutex_);
  const auto before = before_.find(HashOfPath(folder, name));
  if (before == before_.end()) return HasNumber(file);
  if (before->second == HashOfFile(file)) return false;
  return HasNumber(file) || signatures_.Has(SignatureOf(file));
}

bool WrittenFiles::Has(const struct stat& file) {
  const MutexLock lock(mutex_);
  return HasNumber(file) || signatures_.Has(SignatureOf(file));
}

}  // namespace fsload
