// The operations that open files, and the classes of what they open.
#ifndef FSLOAD_PLUGIN_SDK_OPENING_H_
#define FSLOAD_PLUGIN_SDK_OPENING_H_

#include <memory>
#include <string>
#include <type_traits>

#include "fsload/plugin_sdk/boundary.h"
#include "fsload/plugin_sdk/interface.h"
#include "fsload/plugin_sdk/methods.h"
#include "fsload/plugin_sdk/objects.h"
#include "fsload/plugin_sdk/returns.h"

namespace fsload {
namespace plugin {
namespace internal {
#pragma GCC visibility push(hidden)

template <typename Pointer>
struct Pointee {
  using Type = void;
};
template <typename F>
struct Pointee<std::unique_ptr<F>> {
  using Type = F;
};

// The class of the files that the method opens; void if T lacks the method.
template <typename Method, typename T, bool kHas = Has<Method, T>::value>
struct Opened {
  using Type = void;
};
template <typename Method, typename T>
struct Opened<Method, T, true> {
  using Type =
      typename Pointee<typename ReturnedBy<Method, T, Path>::Value>::Type;
  static_assert(
      sizeof(typename Method::template Returns<!std::is_void<Type>::value>) > 0,
      "");
};

template <typename Method, typename T>
using OpenedBy = typename Opened<Method, T>::Type;

// The class of writable files, which two methods open.
template <typename T>
struct WriterOf {
  using New = OpenedBy<NewWritableFileMethod, T>;
  using Appending = OpenedBy<NewAppendableFileMethod, T>;
  static_assert(std::is_void<New>::value || std::is_void<Appending>::value ||
                    std::is_same<New, Appending>::value,
                "NewWritableFile and NewAppendableFile return files of "
                "different classes; a file system has one");
  using Type =
      typename std::conditional<std::is_void<New>::value, Appending, New>::type;
};

inline Status CheckOpened(const void*, const void*) { return Status(); }

// Refuses an empty file, which has no region (L410).
template <typename F>
Status CheckOpened(const TF_ReadOnlyMemoryRegion*, F* region) {
  return region->size() > 0 ? Status()
                            : Status(TF_INVALID_ARGUMENT, "the file is empty");
}

template <typename T, typename Method>
struct OpenOperation {
  using File = OpenedBy<Method, T>;

  template <typename Wrapper>
  static void Call(const TF_Filesystem* filesystem, const char* path,
                   Wrapper* wrapper, TF_Status* status) {
    Guard(status, [&]() -> Status {
      auto opened = Invoke<std::unique_ptr<File>, Method>(Self<T>(filesystem),
                                                          std::string(path));
      if (!opened.ok()) return opened.status();
      if (*opened == nullptr) {
        return Status(TF_INTERNAL,
                      std::string(Method::Name()) + " returned a null pointer");
      }
      const Status usable = CheckOpened(wrapper, opened->get());
      if (usable.ok()) {
        Slot(wrapper) =
            const_cast<typename std::remove_cv<File>::type*>(opened->release());
      }
      return usable;
    });
  }
};

#pragma GCC visibility pop
}  // namespace internal
}  // namespace plugin
}  // namespace fsload

#endif  // FSLOAD_PLUGIN_SDK_OPENING_H_
