#include "tools/output.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>

#include "tools/visible_text.h"

namespace fsload {
namespace {

int write_error = 0;  // the first one's errno

// On standard error.
void PrintLine(std::string_view kind, std::string_view text) {
  const std::string line = fmt::format("fsload: {}: {}\n", kind, Visible(text));
  std::fwrite(line.data(), 1, line.size(), stderr);
}

}  // namespace

bool Print(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() &&
      write_error == 0) {
    write_error = errno;
  }
  return write_error == 0;
}

absl::Status FlushOutput() {
  if (std::fflush(stdout) != 0 && write_error == 0) write_error = errno;
  if (write_error == 0) return absl::OkStatus();
  const std::string message =
      fmt::format("standard output: {}; what was printed is not complete",
                  strerror(write_error));
  return write_error == EPIPE ? absl::UnavailableError(message)
                              : absl::InternalError(message);
}

void PrintError(const absl::Status& error) {
  PrintLine(absl::StatusCodeToString(error.code()),
            std::string(error.message()));
}

void PrintWarning(std::string_view text) { PrintLine("warning", text); }

}  // namespace fsload
