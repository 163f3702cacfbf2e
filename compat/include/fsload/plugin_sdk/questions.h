// The operations of a file system that return a value, and the one that empties
// caches.
#ifndef FSLOAD_PLUGIN_SDK_QUESTIONS_H_
#define FSLOAD_PLUGIN_SDK_QUESTIONS_H_

#include <cstdint>
#include <string>

#include "fsload/plugin_sdk/boundary.h"
#include "fsload/plugin_sdk/interface.h"
#include "fsload/plugin_sdk/memory.h"
#include "fsload/plugin_sdk/methods.h"
#include "fsload/plugin_sdk/objects.h"
#include "fsload/plugin_sdk/returns.h"

namespace fsload {
namespace plugin {
namespace internal {
#pragma GCC visibility push(hidden)

// Stores the method's value for a path; `value` stays as it is on an error.
template <typename Method, typename T, typename Value>
void Ask(const TF_Filesystem* filesystem, const char* path, Value* value,
         TF_Status* status) {
  Guard(status, [&]() -> Status {
    const auto answer =
        Invoke<Value, Method>(Self<T>(filesystem), std::string(path));
    if (answer.ok()) *value = *answer;
    return answer.status();
  });
}

template <typename T, typename Method>
struct StatOperation {
  static void Call(const TF_Filesystem* filesystem, const char* path,
                   TF_FileStatistics* stats, TF_Status* status) {
    Ask<Method, T>(filesystem, path, stats, status);
  }
};

template <typename T, typename Method>
struct IsDirectoryOperation {
  static bool Call(const TF_Filesystem* filesystem, const char* path,
                   TF_Status* status) {
    bool is_directory = false;  // L592
    Ask<Method, T>(filesystem, path, &is_directory, status);
    return is_directory;
  }
};

template <typename T, typename Method>
struct GetFileSizeOperation {
  static int64_t Call(const TF_Filesystem* filesystem, const char* path,
                      TF_Status* status) {
    int64_t size = -1;
    Ask<Method, T>(filesystem, path, &size, status);
    return size;
  }
};

inline std::string AsArgument(const char* path) { return path; }
inline const TF_TransactionToken* AsArgument(const TF_TransactionToken* token) {
  return token;
}

// Returns the text that the method returns, for the host to free; null if there
// is none.
template <typename Method, typename T, typename Argument>
char* Text(const TF_Filesystem* filesystem, Argument argument) {
  char* copy = nullptr;
  GuardSilently([&] {
    const auto text =
        Invoke<std::string, Method>(Self<T>(filesystem), AsArgument(argument));
    if (text.ok()) copy = CopyString(*text);
  });
  return copy;
}

template <typename T, typename Method>
struct TranslateNameOperation {
  static char* Call(const TF_Filesystem* filesystem, const char* uri) {
    char* const name = Text<Method, T>(filesystem, uri);
    if (name != nullptr) return name;
    // L640: there is no way to fail. The operation that gets the URI as it
    // was can refuse it.
    char* copy = nullptr;
    GuardSilently([&] { copy = CopyString(uri); });
    return copy;
  }
};

template <typename T, typename Method>
struct FlushCachesOperation {
  static void Call(const TF_Filesystem* filesystem) {
    GuardSilently([&] { Invoke<Nothing, Method>(Self<T>(filesystem)); });
  }
};

#pragma GCC visibility pop
}  // namespace internal
}  // namespace plugin
}  // namespace fsload

#endif  // FSLOAD_PLUGIN_SDK_QUESTIONS_H_
