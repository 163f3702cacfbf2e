// What a child process tells its parent, in memory that both share: here is no
// descriptor that a plugin could close and no pipe that could be full.
#ifndef FSLOAD_LOADER_SUPERVISION_SHARED_MESSAGES_H_
#define FSLOAD_LOADER_SUPERVISION_SHARED_MESSAGES_H_

#include <atomic>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace fsload {

// Made before the fork. May be written to from any thread and from a signal
// handler. What a wild write does to the contents, it does to the text alone.
class SharedMessages final {
 public:
  // Null when the system gives no memory.
  static std::unique_ptr<SharedMessages> Create();

  ~SharedMessages();
  SharedMessages(const SharedMessages&) = delete;
  SharedMessages& operator=(const SharedMessages&) = delete;

  // For the process that reads them, after the fork: what it forks later, for
  // others, gets none of this memory.
  void KeepFromLaterChildren();

  // For the process that writes, once: others' code may run from here on. What
  // this says, that code cannot change.
  void NoteBeginning() noexcept;
  bool begun() const;

  // Adds `word`, a space, `rest` and a line's end; nothing where they do not
  // fit. Line's ends in `rest` become spaces.
  void Append(std::string_view word, std::string_view rest) noexcept;

  // All lines so far, which a hostile plugin may have overwritten.
  std::string Text() const;

 private:
  struct Board;
  using Mark = std::atomic<bool>;
  SharedMessages(Board* board, Mark* begun) : board_(board), begun_(begun) {}

  Board* const board_;
  Mark* begun_;  // in memory of its own; null where it is out of reach
};

// One line of them.
struct SharedMessage {
  std::string_view word;
  std::string_view rest;
};

// Takes the first line away from `text`, which is not empty. Part of it.
SharedMessage TakeMessage(std::string_view& text);

}  // namespace fsload

#endif  // FSLOAD_LOADER_SUPERVISION_SHARED_MESSAGES_H_
