#include "loader/supervision/shared_messages.h"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

namespace fsload {

// Pages that are never written to use no memory.
struct SharedMessages::SharedBlock {
  // The default order; relaxed would do: each writer gets its own space, and
  // the text is read after the process has ended.
  std::atomic<size_t> used;
  char text[SharedMessages::kFileBytes - sizeof(std::atomic<size_t>)];
};

std::unique_ptr<SharedMessages> SharedMessages::Create() {
  static_assert(std::atomic<size_t>::is_always_lock_free,
                "two processes must not share a lock");
  const auto map = [](size_t bytes) {
    return mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  };
  void* const block = map(sizeof(SharedBlock));
  if (block == MAP_FAILED) return nullptr;
  void* const begun = map(sizeof(Mark));
  if (begun == MAP_FAILED) {
    munmap(block, sizeof(SharedBlock));
    return nullptr;
  }
  return std::unique_ptr<SharedMessages>(new SharedMessages(
      static_cast<SharedBlock*>(block), static_cast<Mark*>(begun)));
}

std::unique_ptr<SharedMessages> SharedMessages::OfFile(int fd) {
  static_assert(sizeof(SharedBlock) == kFileBytes);
  void* const block = mmap(nullptr, sizeof(SharedBlock), PROT_READ | PROT_WRITE,
                           MAP_SHARED, fd, 0);
  if (block == MAP_FAILED) return nullptr;
  return std::unique_ptr<SharedMessages>(
      new SharedMessages(static_cast<SharedBlock*>(block), nullptr));
}

SharedMessages::~SharedMessages() {
  munmap(block_, sizeof(SharedBlock));
  if (begun_ != nullptr) munmap(begun_, sizeof(Mark));
}

void SharedMessages::KeepFromLaterChildren() {
  madvise(block_, sizeof(SharedBlock), MADV_DONTFORK);
  madvise(begun_, sizeof(Mark), MADV_DONTFORK);
}

void SharedMessages::NoteBeginning() noexcept {
  if (begun_ == nullptr) return;
  begun_->store(true);
  munmap(std::exchange(begun_, nullptr), sizeof(Mark));
}

bool SharedMessages::begun() const {
  return begun_ == nullptr || begun_->load();
}

void SharedMessages::Append(std::string_view word,
                            std::string_view rest) noexcept {
  const size_t bytes = word.size() + rest.size() + 2;
  // Each writer reserves its own space, then fills it. A reader takes the text
  // after the writers' process has ended; before, it may find null bytes.
  size_t place = block_->used.load();
  do {
    if (place > sizeof(block_->text) || bytes > sizeof(block_->text) - place) {
      return;
    }
  } while (!block_->used.compare_exchange_weak(place, place + bytes));
  char* const line = block_->text + place;
  std::memcpy(line, word.data(), word.size());
  line[word.size()] = ' ';
  // A name chosen by the plugin may contain a newline, which would end the
  // message.
  std::replace_copy(rest.begin(), rest.end(), line + word.size() + 1, '\n',
                    ' ');
  line[bytes - 1] = '\n';
}

SharedMessage TakeMessage(std::string_view& text) {
  const size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  const size_t space = std::min(line.find(' '), line.size());
  return {line.substr(0, space), line.substr(std::min(space + 1, line.size()))};
}

std::string SharedMessages::Text() const {
  return {block_->text, std::min(block_->used.load(), sizeof(block_->text))};
}

}  // namespace fsload
