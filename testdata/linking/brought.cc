// A library that a plugin brings; it prints a line when it is opened.
#include <cstdio>

namespace {

[[gnu::constructor]] void Start() {
  std::puts("brought");
  std::fflush(stdout);
}

}  // namespace
