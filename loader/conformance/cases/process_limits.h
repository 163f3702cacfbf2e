// Limits of this process, for cases about operations that run into them.
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>

namespace fsload::conformance {

// A limit of this process, for as long as it exists.
class Limit final {
 public:
  Limit(__rlimit_resource_t resource, uint64_t most) : resource_(resource) {
    getrlimit(resource_, &before_);
    const rlimit small = {std::min<rlim_t>(most, before_.rlim_max),
                          before_.rlim_max};
    setrlimit(resource_, &small);
  }
  ~Limit() { setrlimit(resource_, &before_); }
  Limit(const Limit&) = delete;
  Limit& operator=(const Limit&) = delete;

 private:
  const __rlimit_resource_t resource_;
  rlimit before_;
};

// Files cannot grow beyond a size, as where a disk is full. What a program
// that is not told so dies by is ignored.
class FileSizeLimit final {
 public:
  explicit FileSizeLimit(uint64_t most)
      : handler_(signal(SIGXFSZ, SIG_IGN)), limit_(RLIMIT_FSIZE, most) {}
  ~FileSizeLimit() { signal(SIGXFSZ, handler_); }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;

 private:
  void (*const handler_)(int);
  const Limit limit_;
};

// Returns `most` more files can be opened.
inline Limit DescriptorLimit(uint64_t most) {
  const int next = open("/dev/null", O_RDONLY | O_CLOEXEC);
  close(next);
  return Limit(RLIMIT_NOFILE, next + most);
}

}  // namespace fsload::conformance
