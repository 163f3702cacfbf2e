// Lists of strings for C, and strings that end in a null byte.
#pragma once

#include <array>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "fsload/c/base.h"

struct fsload_strings {
  std::vector<std::string> strings;
};

namespace fsload {

// `text` with a null byte behind it; short texts allocate nothing.
class Terminated final {
 public:
  explicit Terminated(std::string_view text) {
    if (text.size() < buffer_.size()) {
      std::memcpy(buffer_.data(), text.data(), text.size());
      buffer_[text.size()] = '\0';
    } else {
      text_ = text;
    }
  }
  Terminated(const Terminated&) = delete;
  Terminated& operator=(const Terminated&) = delete;

  const char* get() const {
    return text_.empty() ? buffer_.data() : text_.c_str();
  }

 private:
  std::array<char, 256> buffer_;
  std::string text_;
};

}  // namespace fsload
