#include "tools/text/visible_text.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "third_party/fmt/format.h"

namespace fsload {

std::string VisibleLines(std::string_view text, std::string_view indent) {
  std::string lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    lines += Format("{}{}\n", indent, Visible(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

size_t Characters(std::string_view text) {
  return std::count_if(text.begin(), text.end(),
                       [](char byte) { return (byte & 0xc0) != 0x80; });
}

}  // namespace fsload
