// A plugin's file as fsload loads it: a private copy in memory, with only the
// bytes overwritten that name its libraries.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/types/span.h"
#include "core/system/descriptor.h"
#include "loader/rules/findings.h"

namespace fsload {

// One thread at a time. The copy's file descriptor must stay open for as long
// as the copy is loaded: the dynamic linker knows libraries by name, and a
// reused descriptor would have the same name.
class PrivateCopy final {
 public:
  // Returns a copy of the file at `path`, which must be a regular file of at
  // most 2 GiB. Never blocks (a FIFO is refused). Null, with a finding, on
  // failure. A copy of a world-writable file is returned too, with the finding
  // that says so.
  static std::unique_ptr<PrivateCopy> OfFile(const std::string& path,
                                             Findings& findings);

  // Returns a copy of `bytes`; `name` is for debuggers and profilers.
  static std::unique_ptr<PrivateCopy> OfBytes(std::string_view name,
                                              absl::Span<const char> bytes,
                                              Findings& findings);

  // Returns a new copy of the contents before anything was overwritten. Null,
  // with a finding, on failure.
  std::unique_ptr<PrivateCopy> CopyOfOrigin(Findings& findings) const;

  ~PrivateCopy();
  PrivateCopy(const PrivateCopy&) = delete;
  PrivateCopy& operator=(const PrivateCopy&) = delete;

  // Returns the contents as overwritten; valid as long as the copy.
  absl::Span<const char> bytes() const { return {contents_, size_}; }

  // Returns these bytes of the contents before anything was overwritten.
  std::string Original(size_t offset, size_t size) const;

  // Writes `text` at `offset`, inside the contents. Call before Seal. False if
  // the system refuses.
  bool Overwrite(size_t offset, std::string_view text);

  // Seals the contents, which nobody can change afterwards. Returns false if
  // the system refuses.
  bool Seal();

  // Returns the path for dlopen. It contains the number of this process,
  // because gdb hangs on "self".
  std::string path() const;

  // Returns what tells the file from another one that takes its place, or from
  // itself after a change (IsSameFile). "" if the contents never were a file.
  const std::string& file_identity() const { return file_identity_; }

  // Returns whether both were copied from the same contents.
  bool HasSameOrigin(const PrivateCopy& other) const;

 private:
  struct Change {
    size_t offset;
    std::string original;
    size_t end() const { return offset + original.size(); }
  };

  PrivateCopy(std::string_view name, Descriptor file)
      : name_(name), file_(std::move(file)) {}
  static std::unique_ptr<PrivateCopy> New(std::string_view name,
                                          Findings& findings);
  bool Map(size_t size, Findings& findings);

  const std::string name_;
  const Descriptor file_;
  std::string file_identity_;
  const char* contents_ = nullptr;
  size_t size_ = 0;
  std::vector<Change> changes_;
};

// Returns whether two identities of files are those of one file that was not
// written to between, as far as size, inode and times tell: the sizes are
// equal, and so are the change times or, as after chmod or another link to the
// file, inodes and modification times.
bool IsSameFile(std::string_view identity, std::string_view other);

// Adds the finding that the system refused `call`, with errno, which a copy
// needs.
void AddCopyRefusal(std::string_view call, Findings& findings);

}  // namespace fsload
