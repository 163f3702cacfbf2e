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

// Returns the same hash for all names that a plugin may take for one: of the
// name in lower case, without letters beyond ASCII and the ASCII letters before
// them, of which case and normal form make others ("E", and an accent).
// Ideographs, which have neither, stay, and so does the number of Greek and
// Cyrillic letters.
uint64_t HashOfFolded(const std::string& uri) {
  std::string folded;
  size_t letters = 0;  // where the last ASCII ones begin
  bool is_kept = false;
  for (size_t i = 0; i < uri.size(); ++i) {
    const auto byte = static_cast<unsigned char>(uri[i]);
    if (absl::ascii_isascii(byte)) {
      folded += absl::ascii_tolower(byte);
      if (!absl::ascii_isalpha(byte)) letters = folded.size();
      continue;
    }
    if (byte >= 0xC0) {  // the first byte of a letter
      const unsigned char next = i + 1 < uri.size() ? uri[i + 1] : 0;
      // From U+3400 to U+9FFF.
      is_kept =
          (byte == 0xE3 && next >= 0x90) || (byte >= 0xE4 && byte <= 0xE9);
      if (byte >= 0xCE && byte <= 0xD3) {  // from U+0380 to U+04FF
        folded += '?';
        letters = folded.size();
        continue;
      }
    }
    if (is_kept) {
      folded += uri[i];
      letters = folded.size();
    } else {
      folded.resize(letters);
    }
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
