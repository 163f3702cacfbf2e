// Bytes that lying_worker.cc makes its answers of, in memory that its host
// shares with it: for tests.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace fsload {

// Begins FSLOAD_TEST_LIE; the path of the file follows.
inline constexpr std::string_view kGivenLies = "given ";

struct GivenLies {
  std::atomic<uint64_t> version;  // of the bytes
  std::atomic<uint64_t> size;
  char bytes[32768];

  // Maps an open file, which is as long afterwards. Null if that fails.
  static GivenLies* Map(int file) {
    if (ftruncate(file, sizeof(GivenLies)) != 0) return nullptr;
    void* const mapped = mmap(nullptr, sizeof(GivenLies),
                              PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    return mapped == MAP_FAILED ? nullptr : static_cast<GivenLies*>(mapped);
  }

  void Set(std::string_view given) {
    size = given.copy(bytes, sizeof(bytes));
    ++version;
  }
};

// Reads the bytes of a GivenLies in order, and begins again when they are set.
class LieReader {
 public:
  explicit LieReader(const GivenLies* lies) : lies_(lies) {}

  bool AtEnd() {
    if (lies_ == nullptr) return true;
    if (version_ != lies_->version) at_ = 0;
    version_ = lies_->version;
    return at_ >= lies_->size;
  }
  uint8_t Byte() {
    return AtEnd() ? 0 : static_cast<uint8_t>(lies_->bytes[at_++]);
  }
  std::string Text() {
    std::string text(Byte(), '\0');
    for (char& each : text) each = static_cast<char>(Byte());
    return text;
  }
  uint64_t Number() {
    uint64_t number = 0;
    for (int i = 0; i < 8; ++i) number = number << 8 | Byte();
    return number;
  }

 private:
  const GivenLies* const lies_;
  uint64_t version_ = 0;
  size_t at_ = 0;
};

}  // namespace fsload
