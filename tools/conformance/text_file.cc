#include "tools/conformance/text_file.h"

#include <cerrno>
#include <cstdio>
#include <string>

#include "absl/status/status.h"
#include "third_party/fmt/format.h"

namespace fsload::conformance {

constexpr size_t kMaxBytes = size_t{64} << 20;

absl::StatusOr<std::string> ReadTextFile(const std::string& path) {
  std::FILE* const file = std::fopen(path.c_str(), "rbe");
  if (file == nullptr) return absl::ErrnoToStatus(errno, path);
  std::string text;
  char block[4096];
  while (const size_t bytes = std::fread(block, 1, sizeof(block), file)) {
    text.append(block, bytes);
    if (text.size() > kMaxBytes) {
      std::fclose(file);
      return InvalidArgumentError(
          "{}: it is larger than 64 MiB, the most that is read", path);
    }
  }
  const int error = std::ferror(file) != 0 ? errno : 0;
  std::fclose(file);
  if (error != 0) return absl::ErrnoToStatus(error, path);
  return text;
}

}  // namespace fsload::conformance
