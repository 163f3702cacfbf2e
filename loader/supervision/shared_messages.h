// Messages from a child process to its parent in shared memory: there is no
// descriptor that a plugin could close and no pipe that could fill up.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace fsload {

// Create it before the fork. May be written to from any thread and from a
// signal handler. A stray write can damage only the text.
class SharedMessages final {
 public:
  // Returns null if the system has no memory.
  static std::unique_ptr<SharedMessages> Create();

  // Does the same in a file of kFileBytes bytes or more, which another process
  // maps too, and without NoteBeginning. Such a file must not shrink.
  static constexpr size_t kFileBytes = size_t{16} << 20;
  static std::unique_ptr<SharedMessages> OfFile(int fd);

  ~SharedMessages();
  SharedMessages(const SharedMessages&) = delete;
  SharedMessages& operator=(const SharedMessages&) = delete;

  // Prepares the reading process, after the fork: its later children do not get
  // this memory.
  void KeepFromLaterChildren();

  // Prepares the writing process, once, before it runs untrusted code, which
  // cannot change this record.
  void NoteBeginning() noexcept;
  bool begun() const;

  // Appends `word`, a space, `rest` and a newline; nothing if they do not fit.
  // Newlines in `rest` become spaces.
  void Append(std::string_view word, std::string_view rest) noexcept;

  // Returns all lines so far, which a hostile plugin may have overwritten.
  std::string Text() const;

 private:
  struct SharedBlock;
  // The default order; relaxed would do: it is read when its writer has ended.
  using Mark = std::atomic<bool>;
  SharedMessages(SharedBlock* block, Mark* begun)
      : block_(block), begun_(begun) {}

  SharedBlock* const block_;
  Mark* begun_;  // in separate memory; null if out of reach
};

// One line.
struct SharedMessage {
  std::string_view word;
  std::string_view rest;
};

// Removes the first line from `text`, which is not empty, and returns it as a
// view into `text`.
SharedMessage TakeMessage(std::string_view& text);

}  // namespace fsload
