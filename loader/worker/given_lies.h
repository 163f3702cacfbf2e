// Bytes that lying_worker.cc makes its answers of, in a file that it and its
// host map: for tests.
#ifndef FSLOAD_LOADER_WORKER_GIVEN_LIES_H_
#define FSLOAD_LOADER_WORKER_GIVEN_LIES_H_

#include <fcntl.h>
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
  std::atomic<uint64_t> lot;  // changes with the bytes
  std::atomic<uint64_t> size;
  char bytes[32768];

  // Maps the file, which is created if there is none. Null if that fails.
  static GivenLies* Map(const std::string& path) {
    const int file = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0) return nullptr;
    void* const mapped =
        ftruncate(file, sizeof(GivenLies)) != 0
            ? MAP_FAILED
            : mmap(nullptr, sizeof(GivenLies), PROT_READ | PROT_WRITE,
                   MAP_SHARED, file, 0);
    close(file);
    return mapped == MAP_FAILED ? nullptr : static_cast<GivenLies*>(mapped);
  }

  void Give(std::string_view given) {
    size = given.copy(bytes, sizeof(bytes));
    ++lot;
  }
};

// Takes the bytes, in order; from the first one when there are others.
class LieReader {
 public:
  explicit LieReader(const GivenLies* lies) : lies_(lies) {}

  bool AtEnd() {
    if (lies_ == nullptr) return true;
    if (lot_ != lies_->lot) at_ = 0;
    lot_ = lies_->lot;
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
  uint64_t lot_ = 0;
  size_t at_ = 0;
};

}  // namespace fsload

#endif  // FSLOAD_LOADER_WORKER_GIVEN_LIES_H_
