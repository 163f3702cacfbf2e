#include "tools/session/unfinished_work.h"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <new>
#include <string>
#include <string_view>
#include <vector>

namespace fsload {
namespace {

constexpr size_t kMaxNotes = 256;
constexpr size_t kMaxBytes = 4096;

}  // namespace

// A slot is claimed, then its text written, then published: a reader after a
// crash in between finds nothing. The default order; release and acquire are
// needed for `bytes`, whose reader then finds the words.
struct UnfinishedWork::SharedBlock {
  struct Slot {
    std::atomic<bool> taken;
    std::atomic<size_t> bytes;
    char words[kMaxBytes];
  };
  std::array<Slot, kMaxNotes> slots;
};

UnfinishedWork::SharedBlock* UnfinishedWork::block_ = nullptr;

void UnfinishedWork::Share() {
  if (block_ != nullptr) return;
  void* const memory =
      mmap(nullptr, sizeof(SharedBlock), PROT_READ | PROT_WRITE,
           MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory != MAP_FAILED) block_ = new (memory) SharedBlock;
}

UnfinishedWork::UnfinishedWork(std::string_view words) : slot_(kMaxNotes) {
  if (block_ == nullptr) return;
  for (size_t i = 0; i < kMaxNotes; ++i) {
    SharedBlock::Slot& slot = block_->slots[i];
    if (slot.taken.exchange(true)) continue;
    const size_t bytes = std::min(words.size(), kMaxBytes);
    std::memcpy(slot.words, words.data(), bytes);
    slot.bytes = bytes;
    slot_ = i;
    return;
  }
}

UnfinishedWork::~UnfinishedWork() {
  if (slot_ == kMaxNotes) return;
  block_->slots[slot_].bytes = 0;
  block_->slots[slot_].taken = false;
}

std::vector<std::string> UnfinishedWork::Left() {
  std::vector<std::string> left;
  if (block_ == nullptr) return left;
  for (const SharedBlock::Slot& slot : block_->slots) {
    const size_t bytes = std::min(slot.bytes.load(), kMaxBytes);
    if (bytes > 0) left.emplace_back(slot.words, bytes);
  }
  return left;
}

void IncompleteCopies::Add(std::string_view path) {
  files_.emplace_back(std::string(path) + " may be an incomplete copy of " +
                      target_);
}

}  // namespace fsload
