#include "loader/libraries/linker_cache.h"

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "loader/elf/file_bytes.h"
#include "loader/machine/machine.h"

namespace fsload {
namespace {

constexpr size_t kMaxBytes = size_t{64} << 20;

// The layout that glibc has written since 2.2, possibly after an older one.
constexpr std::string_view kMagic = "glibc-ld.so.cache1.1";
constexpr std::string_view kOldMagic = "ld.so-1.7.0";
constexpr size_t kOldHeaderBytes = 16;
constexpr size_t kOldCountOffset = 12;
constexpr size_t kOldEntryBytes = 12;
constexpr size_t kAlignment = 8;

struct Header {
  char magic[20];
  uint32_t entries;
  uint32_t string_bytes;
  uint8_t unused[20];
};
static_assert(sizeof(Header) == 48);

struct Entry {
  int32_t kind;
  uint32_t name;
  uint32_t path;
  uint32_t system_version;
  uint64_t processor;  // 0: any
};
static_assert(sizeof(Entry) == 24);

template <typename T>
bool ReadAt(std::string_view bytes, size_t offset, T& value) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof(T)) return false;
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return true;
}

}  // namespace

LinkerCache LinkerCache::OfFile(const std::string& path) {
  const std::unique_ptr<FileBytes> file = FileBytes::Open(path);
  if (file == nullptr || file->bytes().size() > kMaxBytes) {
    return LinkerCache("");
  }
  file->Fetch(0, file->bytes().size());
  return LinkerCache(std::string(file->bytes().data(), file->bytes().size()));
}

LinkerCache::LinkerCache(std::string contents)
    : contents_(std::move(contents)) {
  uint32_t old_entries = 0;
  if (contents_.compare(0, kOldMagic.size(), kOldMagic) == 0 &&
      ReadAt(contents_, kOldCountOffset, old_entries)) {
    begin_ = kOldHeaderBytes + uint64_t{old_entries} * kOldEntryBytes;
    begin_ = (begin_ + kAlignment - 1) / kAlignment * kAlignment;
  }
  Header header;
  if (ReadAt(contents_, begin_, header) &&
      std::string_view(header.magic, sizeof(header.magic)) == kMagic) {
    entries_ = header.entries;
  }
}

std::string_view LinkerCache::String(uint32_t offset) const {
  if (offset >= contents_.size() - begin_) return "";
  const std::string_view rest =
      std::string_view(contents_).substr(begin_ + offset);
  const size_t end = rest.find('\0');
  return end == std::string_view::npos ? "" : rest.substr(0, end);
}

std::optional<std::string> LinkerCache::Find(std::string_view name) const {
  for (size_t i = 0; i < entries_; ++i) {
    Entry entry;
    if (!ReadAt(contents_, begin_ + sizeof(Header) + i * sizeof(Entry),
                entry)) {
      break;
    }
    if (entry.kind != ThisMachine().linker_cache_kind || entry.processor != 0 ||
        String(entry.name) != name) {
      continue;
    }
    const std::string_view path = String(entry.path);
    if (!path.empty()) return std::string(path);
  }
  return std::nullopt;
}

}  // namespace fsload
