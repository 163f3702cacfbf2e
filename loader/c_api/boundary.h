// Where C calls C++: arguments are checked, statuses become errors, and
// exceptions end.
#pragma once

#include <cxxabi.h>

#include <exception>
#include <initializer_list>
#include <new>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fsload/c/base.h"
#include "fsload/c/observer.h"
#include "fsload/c/registry.h"
#include "fsload/file_system.h"
#include "fsload/op_observer.h"
#include "fsload/scheme_registry.h"

namespace fsload {

// One argument that must not be null.
struct Argument {
  const char* name;
  const void* value;
};

// Returns INVALID_ARGUMENT for the first of `arguments` that is null.
absl::Status RequireAll(const char* function,
                        std::initializer_list<Argument> arguments);

// Returns what a registry that C hands over stands for.
SchemeRegistry& RegistryOf(fsload_registry* registry);

// Does the same for an observer; returns null for null.
OpObserver* ObserverOf(const fsload_observer* observer);

// Returns the file system that serves `uri`; fails as fsload_check_uri does.
absl::StatusOr<FileSystemPtr> FileSystemFor(fsload_registry* registry,
                                            const char* uri);

fsload_code CodeOf(const absl::Status& status);

// Replaces *error, unless `error` is null, and returns its code.
// None of them throws: where there is no memory for the error, it says only
// that.
fsload_code SetError(fsload_error** error, const absl::Status& status) noexcept;
fsload_code SetOutOfMemory(fsload_error** error) noexcept;
fsload_code SetException(fsload_error** error, const char* what) noexcept;

// Returns the result of `body`, which returns an absl::Status. No exception
// leaves it but that by which a thread is cancelled or ended: the process would
// abort if that were stopped.
template <typename Body>
fsload_code AtBoundary(fsload_error** error, const Body& body) {
  try {
    return SetError(error, body());
  } catch (const abi::__forced_unwind&) {
    throw;
  } catch (const std::bad_alloc&) {
    return SetOutOfMemory(error);
  } catch (const std::exception& exception) {
    return SetException(error, exception.what());
  } catch (...) {
    return SetException(error, "an unknown exception");
  }
}

// Does the same once RequireAll has found all of `arguments`.
template <typename Body>
fsload_code AtBoundary(fsload_error** error, const char* function,
                       std::initializer_list<Argument> arguments,
                       const Body& body) {
  return AtBoundary(error, [&] {
    const absl::Status status = RequireAll(function, arguments);
    return status.ok() ? body() : status;
  });
}

}  // namespace fsload
