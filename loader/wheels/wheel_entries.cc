#include "loader/wheels/wheel_entries.h"

#include <fcntl.h>
#include <minizip/unzip.h>
#include <sha2.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "core/system/memory_file.h"
#include "loader/rules/findings.h"
#include "loader/trust/file_owners.h"
#include "loader/wheels/wheel_faults.h"
#include "loader/wheels/wheel_names.h"
#include "third_party/fmt/format.h"

namespace fsload {
namespace {

constexpr uint64_t kMaxEntries = 200'000;
constexpr uint64_t kMaxFileBytes = uint64_t{2} << 30;
constexpr uint64_t kMaxBytesInAll = uint64_t{8} << 30;

// Machine code shrinks to about a fifth; only data made for it shrinks this
// far. Small files may: a table of zeros is not an attack.
constexpr uint64_t kMaxRatio = 200;
constexpr uint64_t kMaxRatioInAll = 50;
constexpr uint64_t kFreeOfRatio = uint64_t{16} << 20;

constexpr size_t kBlock = size_t{1} << 20;
constexpr uint64_t kStored = 0;
constexpr uint64_t kEncryptedFlag = 1;
constexpr uint64_t kDirectoryHeader = 46;  // of an entry, before its name

absl::Status Refusal(const std::string& wheel, std::string_view problem,
                     RuleId rule = RuleId::kWheelWellFormed) {
  return AsWheelsFault(InvalidArgumentError("{}: {}", wheel, problem), rule);
}

absl::Status EntryRefusal(const std::string& wheel, std::string_view entry,
                          std::string_view problem,
                          RuleId rule = RuleId::kWheelWellFormed) {
  return AsWheelsFault(
      InvalidArgumentError("{}: cannot unpack '{}', {}", wheel, entry, problem),
      rule);
}

// Finds the directory of a zip file. Nothing if the file does not end with a
// complete end record, which a comment may follow (minizip reads truncated
// bytes as zeros), or if Python's zipfile, which pip uses, could find another
// one: minizip takes the last locator of a 64-bit record, Python only one
// directly before the end record, and the 64-bit record directly before that.
std::optional<WheelEntries::Directory> FindDirectory(int fd, off_t size) {
  constexpr size_t kSearched = 0xffff;  // by minizip
  constexpr size_t kRecord = 22;
  constexpr size_t kLocator = 20;
  constexpr size_t kRecord64 = 56;
  std::string end(std::min<off_t>(size, kSearched), '\0');
  const off_t before = size - static_cast<off_t>(end.size());
  const ssize_t got = pread(fd, end.data(), end.size(), before);
  if (got != static_cast<ssize_t>(end.size())) return std::nullopt;
  const auto number = [&end](size_t place, size_t bytes) {
    uint64_t value = 0;
    while (bytes-- > 0) {
      value = value << 8 | static_cast<unsigned char>(end[place + bytes]);
    }
    return value;
  };
  size_t last = end.rfind("PK\5\6");
  if (last == std::string::npos || end.size() - last < kRecord ||
      last + kRecord + number(last + 20, 2) != end.size() ||
      (before > 0 && last < kLocator)) {
    return std::nullopt;
  }
  uint64_t begin = number(last + 16, 4);
  uint64_t bytes = number(last + 12, 4);
  if (const size_t locator = end.rfind("PK\6\7");
      locator != std::string::npos) {
    if (locator + kLocator != last || locator < kRecord64) return std::nullopt;
    last = locator - kRecord64;
    if (end.compare(last, 4, "PK\6\6") != 0 || number(locator + 4, 4) != 0 ||
        number(locator + 8, 8) != before + last ||
        number(locator + 16, 4) != 1) {
      return std::nullopt;
    }
    begin = number(last + 48, 8);
    bytes = number(last + 40, 8);
  }
  if (begin + bytes != before + last) return std::nullopt;
  return WheelEntries::Directory{begin, begin + bytes};
}

}  // namespace

struct WheelEntries::Zip {
  Zip(unzFile opened, const struct stat& opened_file)
      : file(opened), status(opened_file) {}
  ~Zip() { unzClose(file); }
  Zip(const Zip&) = delete;
  Zip& operator=(const Zip&) = delete;

  const unzFile file;
  const struct stat status;  // of the wheel when it was opened
};

WheelEntries::WheelEntries(std::string path, Descriptor wheel,
                           std::unique_ptr<Zip> zip)
    : path_(std::move(path)), wheel_(std::move(wheel)), zip_(std::move(zip)) {}

WheelEntries::~WheelEntries() = default;

absl::StatusOr<std::unique_ptr<WheelEntries>> WheelEntries::Open(
    const std::string& path) {
  Descriptor wheel = OpenToRead(path);
  const int fd = wheel.get();
  struct stat file;
  if (!wheel.ok() || fstat(fd, &file) != 0) {
    return ErrnoError(errno, "{}: cannot be read", path);
  }
  if (!S_ISREG(file.st_mode)) return Refusal(path, "not a regular file");
  Findings owners;
  CheckOwners(fd, path, owners);
  if (!owners.all().empty()) {
    return absl::PermissionDeniedError(owners.all().front().message);
  }
  char magic[4] = {};
  const bool zip_like = pread(fd, magic, sizeof(magic), 0) == sizeof(magic) &&
                        std::memcmp(magic, "PK\3\4", sizeof(magic)) == 0;
  if (!zip_like) {
    return Refusal(path, "not a zip file; download the wheel again");
  }
  // The same file that was checked.
  const std::optional<Directory> directory = FindDirectory(fd, file.st_size);
  // It opens the file again, which may fail where the wheel is good.
  const std::string again = Format("/proc/self/fd/{}", fd);
  if (directory &&
      !Descriptor(open(again.c_str(), O_RDONLY | O_CLOEXEC)).ok()) {
    return ErrnoError(errno, "{}: cannot be read", path);
  }
  const unzFile opened = directory ? unzOpen64(again.c_str()) : nullptr;
  if (opened == nullptr) {
    return Refusal(path, Format("no central directory at the end of its {} "
                                "bytes; it is truncated or damaged, so "
                                "download the wheel again",
                                file.st_size));
  }
  auto entries = std::unique_ptr<WheelEntries>(new WheelEntries(
      path, std::move(wheel), std::make_unique<Zip>(opened, file)));
  if (absl::Status status = entries->ReadDirectory(*directory); !status.ok()) {
    return status;
  }
  return entries;
}

absl::Status WheelEntries::ReadDirectory(const Directory& directory) {
  uint64_t next = directory.begin;
  std::set<std::string> names;
  // Entries do not overlap: what they claim is not more than there is.
  uint64_t left = zip_->status.st_size;
  int result = unzGoToFirstFile(zip_->file);
  for (; result == UNZ_OK; result = unzGoToNextFile(zip_->file)) {
    if (names.size() == kMaxEntries) {
      return Refusal(path_, Format("has more than {} entries", kMaxEntries),
                     RuleId::kWheelWithinLimits);
    }
    unz_file_info64 info = {};
    unz64_file_pos place = {};
    std::string name(kMaxNameBytes + 1, '\0');
    if (unzGetCurrentFileInfo64(zip_->file, &info, name.data(), name.size(),
                                nullptr, 0, nullptr, 0) != UNZ_OK ||
        unzGetFilePos64(zip_->file, &place) != UNZ_OK ||
        place.pos_in_zip_directory != next) {
      break;
    }
    next += kDirectoryHeader + info.size_filename + info.size_file_extra +
            info.size_file_comment;
    name.resize(std::min<uint64_t>(info.size_filename, name.size()));
    std::string_view wrong = WrongWithName(name);
    if (wrong.empty()) wrong = WrongWithMode(info.external_fa);
    if (wrong.empty() && !names.insert(name).second) {
      wrong = "which is there twice";
    }
    if (!wrong.empty()) return EntryRefusal(path_, name, wrong);
    if (info.compressed_size > left) {
      return EntryRefusal(path_, name,
                          "with which entries have more packed bytes than the "
                          "wheel has",
                          RuleId::kWheelWithinLimits);
    }
    left -= info.compressed_size;
    if (name.back() == '/') continue;
    entries_.push_back({name, info.uncompressed_size, info.compressed_size,
                        (info.flag & kEncryptedFlag) != 0,
                        info.compression_method, place.pos_in_zip_directory,
                        place.num_of_file});
  }
  // Python reads the entries up to the end, however many are counted.
  if (result == UNZ_END_OF_LIST_OF_FILE && next == directory.end) {
    return absl::OkStatus();
  }
  return Refusal(
      path_, Format("its directory is damaged after entry {}", names.size()));
}

absl::StatusOr<std::string> WheelEntries::Sum() const {
  SHA2_CTX context;
  SHA256Init(&context);
  std::string block(kBlock, '\0');
  for (off_t offset = 0;;) {
    const ssize_t got = pread(wheel_.get(), block.data(), block.size(), offset);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      return ErrnoError(errno, "{}: cannot be read", path_);
    }
    if (got == 0) break;
    SHA256Update(&context, reinterpret_cast<const uint8_t*>(block.data()), got);
    offset += got;
  }
  char digits[SHA256_DIGEST_STRING_LENGTH];
  return std::string(SHA256End(&context, digits));
}

absl::Status WheelEntries::CheckUnpackable(const WheelEntry& entry) const {
  const auto refuse = [&](std::string_view problem) {
    return EntryRefusal(path_, entry.name, problem);
  };
  const auto refuse_size = [&](std::string_view problem) {
    return EntryRefusal(path_, entry.name, problem, RuleId::kWheelWithinLimits);
  };
  if (entry.encrypted) return refuse("which is encrypted");
  if (entry.method != kStored && entry.method != Z_DEFLATED) {
    return refuse(
        Format("packed by method {} instead of 8, deflate", entry.method));
  }
  if (entry.bytes > kMaxFileBytes) {
    return refuse_size(
        Format("of {} bytes; the limit is {}", entry.bytes, kMaxFileBytes));
  }
  if (entry.bytes > kFreeOfRatio &&
      entry.bytes / std::max<uint64_t>(entry.packed_bytes, 1) > kMaxRatio) {
    return refuse_size(
        Format("of {} bytes packed into {}, the ratio of a zip bomb",
               entry.bytes, entry.packed_bytes));
  }
  if (entry.bytes > kMaxBytesInAll - read_bytes_) {
    return refuse_size(Format("with which more than {} bytes would be unpacked",
                              kMaxBytesInAll));
  }
  return absl::OkStatus();
}

absl::Status WheelEntries::Read(const WheelEntry& entry,
                                const BlockSink& take) {
  if (absl::Status status = CheckUnpackable(entry); !status.ok()) return status;
  read_bytes_ += entry.bytes;
  const unz64_file_pos place = {entry.directory, entry.number};
  if (unzGoToFilePos64(zip_->file, &place) != UNZ_OK ||
      unzOpenCurrentFile(zip_->file) != UNZ_OK) {
    return EntryRefusal(path_, entry.name,
                        "whose place in the wheel is damaged or cut off");
  }
  const absl::Status status = ReadOpened(entry, take);
  // This compares the checksum with what was read.
  const int closed = unzCloseCurrentFile(zip_->file);
  if (!status.ok() || closed == UNZ_OK) return status;
  return EntryRefusal(path_, entry.name,
                      "whose contents do not have its checksum");
}

absl::Status WheelEntries::ReadOpened(const WheelEntry& entry,
                                      const BlockSink& take) {
  std::string block(kBlock, '\0');
  uint64_t total = 0;
  while (true) {
    const int got = unzReadCurrentFile(zip_->file, block.data(), block.size());
    if (got < 0) {
      return EntryRefusal(path_, entry.name, "whose contents are damaged");
    }
    if (got == 0) break;
    total += got;
    const absl::Status status =
        take(std::string_view(block.data(), static_cast<size_t>(got)));
    if (!status.ok()) return status;
  }
  if (total == entry.bytes) return absl::OkStatus();
  return EntryRefusal(
      path_, entry.name,
      Format("which is cut off: {} bytes of {} are there", total, entry.bytes));
}

// Many small files are no better than a large one.
absl::Status WheelEntries::CheckTotal(const WheelEntry& entry) const {
  const uint64_t bytes = unpacked_bytes_ + entry.bytes;
  const uint64_t from = unpacked_from_ + entry.packed_bytes;
  if (bytes <= kFreeOfRatio ||
      bytes / std::max<uint64_t>(from, 1) <= kMaxRatioInAll) {
    return absl::OkStatus();
  }
  return EntryRefusal(path_, entry.name,
                      Format("which brings the total to {} bytes from {} "
                             "packed ones, as zip bombs do",
                             bytes, from),
                      RuleId::kWheelWithinLimits);
}

absl::Status WheelEntries::Unpack(const WheelEntry& entry,
                                  const std::string& path) {
  absl::Status right = CheckUnpackable(entry);
  if (right.ok()) right = CheckTotal(entry);
  if (!right.ok()) return right;
  Descriptor to(open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
                     S_IRUSR | S_IWUSR));
  if (!to.ok()) {
    return AsCacheFault(ErrnoError(errno, "{}: cannot be created", path));
  }
  const auto no_room = [&](int error) {
    return AsCacheFault(absl::Status(
        absl::ErrnoToStatusCode(error),
        Format("{}: cannot unpack '{}', {} bytes, to '{}': {}; free some "
               "space, or set XDG_CACHE_HOME to a directory that has it",
               path_, entry.name, entry.bytes, path, strerror(error))));
  };
  size_t written = 0;
  absl::Status status = Read(entry, [&](std::string_view block) {
    if (!WriteAt(to.get(), block, written)) return no_room(errno);
    written += block.size();
    return absl::OkStatus();
  });
  if (const int error = to.Close(); error != 0 && status.ok()) {
    status = no_room(error);
  }
  if (!status.ok()) {
    unlink(path.c_str());
    return status;
  }
  unpacked_bytes_ += entry.bytes;
  unpacked_from_ += entry.packed_bytes;
  return status;
}

absl::StatusOr<bool> WheelEntries::Mentions(const WheelEntry& entry,
                                            std::string_view text) {
  bool found = false;
  std::string seam;  // the end of one block and the start of the next
  const auto has_it = [text](std::string_view bytes) {
    return bytes.find(text) != std::string_view::npos;
  };
  absl::Status status = Read(entry, [&](std::string_view block) {
    seam += block.substr(0, text.size() - 1);
    found |= has_it(seam) || has_it(block);
    seam = block.substr(block.size() - std::min(block.size(), text.size() - 1));
    return absl::OkStatus();
  });
  if (!status.ok()) return status;
  return found;
}

absl::Status WheelEntries::CheckUnchanged() const {
  struct stat file;
  const struct stat& before = zip_->status;
  if (fstat(wheel_.get(), &file) == 0 && file.st_size == before.st_size &&
      // The change time (ctime), which cannot be set, unlike the modification
      // time.
      file.st_ctim.tv_sec == before.st_ctim.tv_sec &&
      file.st_ctim.tv_nsec == before.st_ctim.tv_nsec) {
    return absl::OkStatus();
  }
  return AbortedError("{}: changed while it was unpacked; try again", path_);
}

}  // namespace fsload
