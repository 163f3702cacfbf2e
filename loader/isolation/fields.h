// The variable parts of a call between a program and its worker: numbers and
// texts, one after the other. The layout is that of this machine.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

namespace fsload {

// One thread at a time.
class FieldWriter final {
 public:
  void Number(uint64_t number) {
    bytes_.append(reinterpret_cast<const char*>(&number), sizeof(number));
  }

  // Adds a text, which may contain null bytes.
  void Text(std::string_view text) {
    Number(text.size());
    bytes_ += text;
  }

  // Does the same for one that may be null.
  void TextOrNull(const char* text) {
    Number(text == nullptr ? 0 : 1);
    if (text != nullptr) Text(text);
  }

  const std::string& bytes() const { return bytes_; }
  std::string Release() { return std::exchange(bytes_, {}); }

 private:
  std::string bytes_;
};

// Reads what a FieldWriter wrote, from bytes that may be anything: what is
// missing is 0, false or "", and then ok() is false. One thread at a time.
class FieldReader final {
 public:
  // Reads `bytes`, which must outlive the reader and what it returns.
  explicit FieldReader(std::string_view bytes) : left_(bytes) {}

  uint64_t Number() {
    uint64_t number = 0;
    const std::string_view taken = Take(sizeof(number));
    if (ok_) std::memcpy(&number, taken.data(), sizeof(number));
    return number;
  }

  bool Bool() { return Number() != 0; }
  std::string_view Text() { return Take(Number()); }

  // Returns a count of items of `bytes` bytes or more, which are left.
  uint64_t Count(uint64_t bytes) {
    const uint64_t count = Number();
    if (count <= left_.size() / bytes) return count;
    ok_ = false;
    return 0;
  }

  // Returns whether everything that was asked for was there.
  bool ok() const { return ok_; }
  bool AtEnd() const { return ok_ && left_.empty(); }

 private:
  std::string_view Take(uint64_t bytes) {
    if (bytes > left_.size()) {
      ok_ = false;
      left_ = {};
    }
    if (!ok_) return {};
    const std::string_view taken = left_.substr(0, bytes);
    left_.remove_prefix(bytes);
    return taken;
  }

  std::string_view left_;
  bool ok_ = true;
};

}  // namespace fsload
