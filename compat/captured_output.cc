#include "compat/captured_output.h"

#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>

namespace fsload {
namespace {

int Checked(int result) {
  if (result < 0) std::abort();
  return result;
}

}  // namespace

CapturedOutput::CapturedOutput(int descriptor)
    : descriptor_(descriptor),
      original_(Checked(dup(descriptor))),
      captured_(Checked(memfd_create("captured output", MFD_CLOEXEC))) {
  std::fflush(nullptr);
  Checked(dup2(captured_, descriptor_));
}

CapturedOutput::~CapturedOutput() {
  if (original_ >= 0) Stop();
  close(captured_);
}

std::string CapturedOutput::Stop() {
  std::fflush(nullptr);
  Checked(dup2(original_, descriptor_));
  close(original_);
  original_ = -1;
  std::string text;
  std::array<char, 4096> block;
  for (;;) {
    const auto at = static_cast<off_t>(text.size());
    const ssize_t read = pread(captured_, block.data(), block.size(), at);
    if (read <= 0) return text;
    text.append(block.data(), static_cast<size_t>(read));
  }
}

}  // namespace fsload
