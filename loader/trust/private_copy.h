// A plugin's file as fsload loads it: a copy in memory that nobody else can
// change, with the few bytes overwritten that name its libraries.
#ifndef FSLOAD_LOADER_TRUST_PRIVATE_COPY_H_
#define FSLOAD_LOADER_TRUST_PRIVATE_COPY_H_

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/types/span.h"
#include "loader/rules/findings.h"

namespace fsload {

// One thread at a time. The copy's file descriptor must stay open for as long
// as the copy is loaded: the dynamic linker knows libraries by name, and a
// reused descriptor would have the name of this one.
class PrivateCopy final {
 public:
  // A copy of the file at `path`, which must be a regular file of at most 2
  // GiB. Never waits (a FIFO is refused). Null, and a finding, when it cannot
  // be had. A copy of a file that everybody may change is yielded too, with the
  // finding that says so.
  static std::unique_ptr<PrivateCopy> OfFile(const std::string& path,
                                             Findings& findings);

  // A copy of `bytes`; `name` is for debuggers and profilers.
  static std::unique_ptr<PrivateCopy> OfBytes(std::string_view name,
                                              absl::Span<const char> bytes,
                                              Findings& findings);

  // What this one was before anything was overwritten, copied once more. Null,
  // and a finding, when it cannot be had.
  std::unique_ptr<PrivateCopy> CopyOfOrigin(Findings& findings) const;

  ~PrivateCopy();
  PrivateCopy(const PrivateCopy&) = delete;
  PrivateCopy& operator=(const PrivateCopy&) = delete;

  // The contents, with what was overwritten; valid as long as the copy.
  absl::Span<const char> bytes() const { return {contents_, size_}; }

  // These bytes of the contents before anything was overwritten.
  std::string Original(size_t offset, size_t size) const;

  // Puts `text` at `offset`, inside the contents. Before Seal. False when the
  // system refuses.
  bool Overwrite(size_t offset, std::string_view text);

  // From here on nobody can change the contents. False when the system refuses.
  bool Seal();

  // What dlopen takes to open the copy. It names this process by number, for
  // gdb hangs on "self".
  std::string path() const;

  // Whether both began as copies of the same contents.
  bool HasSameOrigin(const PrivateCopy& other) const;

 private:
  struct Change {
    size_t offset;
    std::string original;
    size_t end() const { return offset + original.size(); }
  };

  PrivateCopy(std::string_view name, int fd) : name_(name), fd_(fd) {}
  static std::unique_ptr<PrivateCopy> New(std::string_view name,
                                          Findings& findings);
  bool Map(size_t size, Findings& findings);

  const std::string name_;
  const int fd_;
  const char* contents_ = nullptr;
  size_t size_ = 0;
  std::vector<Change> changes_;
};

// That the system refused `call`, with errno, which a copy needs.
void AddCopyRefusal(std::string_view call, Findings& findings);

}  // namespace fsload

#endif  // FSLOAD_LOADER_TRUST_PRIVATE_COPY_H_
