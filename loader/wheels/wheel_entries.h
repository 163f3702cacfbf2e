// The files inside a wheel, which is a zip file. The wheel may be hostile:
// names, sizes and counts are limited before anything is written.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/system/descriptor.h"

namespace fsload {

// One file in it. Its name is a path relative to the folder it is unpacked to.
struct WheelEntry {
  std::string name;
  uint64_t bytes = 0;         // unpacked, as the wheel says
  uint64_t packed_bytes = 0;  // as stored in the wheel
  bool encrypted = false;
  uint64_t method = 0;     // packing method: 0 none, 8 deflate
  uint64_t directory = 0;  // its place in the wheel's directory, for minizip
  uint64_t number = 0;     // the same
};

// An open wheel. One thread at a time. INVALID_ARGUMENT is the wheel's fault
// (loader/wheels/wheel_faults.h) where it is named below.
class WheelEntries final {
 public:
  // Reads the directory of the wheel at `path`. NOT_FOUND and the like if it
  // cannot be read; PERMISSION_DENIED if anybody can change it
  // (loader/trust/file_owners.h); INVALID_ARGUMENT, naming the entry, if it is
  // not a zip file, is truncated, has a directory that pip would read in
  // another way, or has an entry whose name leads outside, that is a link or a
  // device, or that appears twice.
  static absl::StatusOr<std::unique_ptr<WheelEntries>> Open(
      const std::string& path);

  ~WheelEntries();
  WheelEntries(const WheelEntries&) = delete;
  WheelEntries& operator=(const WheelEntries&) = delete;

  // Where the directory is in the file.
  struct Directory {
    uint64_t begin;
    uint64_t end;
  };

  // Lists files only, in the wheel's order.
  const std::vector<WheelEntry>& all() const { return entries_; }

  // Returns the SHA-256 sum of the whole wheel, in hexadecimal.
  absl::StatusOr<std::string> Sum() const;

  // Unpacks `entry`, one of all(), to a new file at `path`, whose folder
  // exists. Limits: 2 GiB per file; per wheel, 8 GiB read, and 16 MiB or 50
  // times the packed size unpacked. INVALID_ARGUMENT for an entry that exceeds
  // them, is suspiciously well packed, encrypted, packed by an unknown method,
  // or damaged; the system's error if the file cannot be written. What was
  // written is then deleted.
  absl::Status Unpack(const WheelEntry& entry, const std::string& path);

  // Returns whether the contents of `entry`, one of all(), contain `text`,
  // which is not empty. Writes nothing; fails and counts towards the limits
  // like Unpack.
  absl::StatusOr<bool> Mentions(const WheelEntry& entry, std::string_view text);

  // Returns ABORTED if the wheel has changed since Open.
  absl::Status CheckUnchanged() const;

 private:
  struct Zip;
  WheelEntries(std::string path, Descriptor wheel, std::unique_ptr<Zip> zip);

  absl::Status ReadDirectory(const Directory& directory);
  absl::Status CheckUnpackable(const WheelEntry& entry) const;
  absl::Status CheckTotal(const WheelEntry& entry) const;

  // Calls `take` with the contents of `entry`, block by block, and stops at the
  // first error.
  using BlockSink = std::function<absl::Status(std::string_view block)>;
  absl::Status Read(const WheelEntry& entry, const BlockSink& take);
  absl::Status ReadOpened(const WheelEntry& entry, const BlockSink& take);

  const std::string path_;
  const Descriptor wheel_;
  const std::unique_ptr<Zip> zip_;
  std::vector<WheelEntry> entries_;
  uint64_t read_bytes_ = 0;  // of contents, so far

  // Unpacked so far.
  uint64_t unpacked_bytes_ = 0;
  uint64_t unpacked_from_ = 0;
};

}  // namespace fsload
