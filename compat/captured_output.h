// For tests: what is written to standard output or standard error. One thread
// at a time may have one for the same descriptor.
#pragma once

#include <string>

namespace fsload {

class CapturedOutput {
 public:
  // Redirects `descriptor`, such as STDERR_FILENO.
  explicit CapturedOutput(int descriptor);
  ~CapturedOutput();

  CapturedOutput(const CapturedOutput&) = delete;
  CapturedOutput& operator=(const CapturedOutput&) = delete;

  // Ends the redirection and returns what was written meanwhile.
  std::string Stop();

 private:
  const int descriptor_;
  int original_;
  const int captured_;
};

}  // namespace fsload
