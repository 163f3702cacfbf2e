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

// fmt comes last: at -O0 its header has a pragma that makes g++ define
// __OPTIMIZE__ for whatever follows in a precompiled header, unless it is
// defined.
#ifdef __OPTIMIZE__
#include <fmt/format.h>
#else
#define __OPTIMIZE__ 1
#include <fmt/format.h>
#undef __OPTIMIZE__
#endif
