// A library that a plugin brings: it says so when it is opened.
#include <cstdio>

namespace {

[[gnu::constructor]] void Start() {
  std::puts("brought");
  std::fflush(stdout);
}

}  // namespace
