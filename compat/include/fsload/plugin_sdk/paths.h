// The operations of a file system on paths that return nothing or names:
// changes, whether something exists, and listings.
#ifndef FSLOAD_PLUGIN_SDK_PATHS_H_
#define FSLOAD_PLUGIN_SDK_PATHS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

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

// --- Changes ---

template <typename T, typename Method>
struct PathOperation {
  static void Call(const TF_Filesystem* filesystem, const char* path,
                   TF_Status* status) {
    Guard(status, [&] {
      return Invoke<Nothing, Method>(Self<T>(filesystem), std::string(path))
          .status();
    });
  }
};

template <typename T, typename Method>
struct TwoPathsOperation {
  static void Call(const TF_Filesystem* filesystem, const char* src,
                   const char* dst, TF_Status* status) {
    Guard(status, [&] {
      return Invoke<Nothing, Method>(Self<T>(filesystem), std::string(src),
                                     std::string(dst))
          .status();
    });
  }
};

template <typename T, typename Method>
struct DeleteRecursivelyOperation {
  static void Call(const TF_Filesystem* filesystem, const char* path,
                   uint64_t* undeleted_files, uint64_t* undeleted_dirs,
                   TF_Status* status) {
    *undeleted_files = 0;
    *undeleted_dirs = 0;
    const bool deleted = Guard(status, [&] {
      return Invoke<Nothing, Method>(Self<T>(filesystem), std::string(path),
                                     undeleted_files, undeleted_dirs)
          .status();
    });
    // L479-L484: what failed without a count could not start.
    if (deleted) *undeleted_files = *undeleted_dirs = 0;
    if (!deleted && *undeleted_files == 0 && *undeleted_dirs == 0) {
      *undeleted_dirs = 1;
    }
  }
};

// --- Existence ---

// Returns what PathExists returns for a path, or PathsExist for one of them, as
// a status.
inline Status Existence(bool exists) {
  return exists ? Status() : Status(TF_NOT_FOUND, "no such file or directory");
}
inline Status Existence(Nothing) { return Status(); }
template <typename Other>
Status Existence(const Other& status) {
  return ToStatus(status);
}

template <typename T, typename Method>
struct PathExistsOperation {
  static void Call(const TF_Filesystem* filesystem, const char* path,
                   TF_Status* status) {
    using Value = typename ReturnedBy<Method, T, Path>::Value;
    Guard(status, [&]() -> Status {
      const auto exists =
          Invoke<Value, Method>(Self<T>(filesystem), std::string(path));
      return exists.ok() ? Existence(*exists) : exists.status();
    });
  }
};

template <typename T, typename Method>
struct PathsExistOperation {
  static bool Call(const TF_Filesystem* filesystem, char** paths, int num_files,
                   TF_Status** statuses) {
    std::vector<Status> found;
    bool asked = false;
    const auto ask = [&] {
      return Ask(&Self<T>(filesystem), {paths, paths + num_files}, &found);
    };
    if (statuses == nullptr || num_files == 0) {
      GuardSilently([&] { asked = ask().ok(); });
    } else {
      asked = Guard(statuses[0], ask);
    }
    return asked ? Answer(found, statuses) : Fail(num_files, statuses);
  }

 private:
  static Status Ask(T* self, const std::vector<std::string>& paths,
                    std::vector<Status>* found) {
    using Value = typename ReturnedBy<Method, T, Strings>::Value;
    const auto exist = Invoke<Value, Method>(*self, paths);
    if (!exist.ok()) return exist.status();
    for (size_t i = 0; i < exist->size(); ++i) {
      // An element of std::vector<bool> is a bool only when asked for one.
      const typename Value::value_type& answer = (*exist)[i];
      found->push_back(Existence(answer));
    }
    if (found->size() == paths.size()) return Status();
    return Status(TF_INTERNAL, "PathsExist returned " +
                                   std::to_string(found->size()) +
                                   " answers for " +
                                   std::to_string(paths.size()) + " paths");
  }

  static bool Answer(const std::vector<Status>& found, TF_Status** statuses) {
    bool all = true;
    for (size_t i = 0; i < found.size(); ++i) {
      if (statuses != nullptr) SetStatus(found[i], statuses[i]);
      all = all && found[i].ok();
    }
    return all;
  }

  // Gives each path the status of the first.
  static bool Fail(int num_files, TF_Status** statuses) {
    for (int i = 1; statuses != nullptr && i < num_files; ++i) {
      TF_SetStatus(statuses[i], TF_GetCode(statuses[0]),
                   TF_Message(statuses[0]));
    }
    return false;
  }
};

// --- Listings ---

template <typename T, typename Method>
struct ListOperation {
  static int Call(const TF_Filesystem* filesystem, const char* path,
                  char*** entries, TF_Status* status) {
    int count = -1;
    Guard(status, [&]() -> Status {
      const auto names = Invoke<std::vector<std::string>, Method>(
          Self<T>(filesystem), std::string(path));
      if (!names.ok()) return names.status();
      return GiveStrings(*names, entries, &count);
    });
    return count;
  }
};

#pragma GCC visibility pop
}  // namespace internal
}  // namespace plugin
}  // namespace fsload

#endif  // FSLOAD_PLUGIN_SDK_PATHS_H_
