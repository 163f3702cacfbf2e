// Headers that most library sources include.

#include <absl/container/inlined_vector.h>
#include <absl/status/status.h>
#include <absl/status/statusor.h>
#include <absl/strings/str_cat.h>
#include <absl/time/time.h>
#include <absl/types/span.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

// Last, as at -O0 it would otherwise use a pragma to have g++ optimize its
// functions, after which a precompiled header defines __OPTIMIZE__ for all that
// follows.
#ifdef __OPTIMIZE__
#include <fmt/format.h>
#else
#define __OPTIMIZE__ 1
#include <fmt/format.h>
#undef __OPTIMIZE__
#endif
