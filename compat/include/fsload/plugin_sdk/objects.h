// The objects that the host's wrappers point to, and which operations of theirs
// a table has.
#ifndef FSLOAD_PLUGIN_SDK_OBJECTS_H_
#define FSLOAD_PLUGIN_SDK_OBJECTS_H_

#include <type_traits>

#include "fsload/plugin_sdk/boundary.h"
#include "fsload/plugin_sdk/interface.h"

namespace fsload {
namespace plugin {
namespace internal {
#pragma GCC visibility push(hidden)

inline void*& Slot(TF_RandomAccessFile* file) { return file->plugin_file; }
inline void*& Slot(TF_WritableFile* file) { return file->plugin_file; }
inline void*& Slot(TF_ReadOnlyMemoryRegion* region) {
  return region->plugin_memory_region;
}
inline void*& Slot(TF_Filesystem* filesystem) {
  return filesystem->plugin_filesystem;
}

// Returns the object of a wrapper.
template <typename T, typename Wrapper>
T& Self(const Wrapper* wrapper) {
  return *static_cast<T*>(Slot(const_cast<Wrapper*>(wrapper)));
}

// Deletes the object, as cleanup. An exception of its destructor is dropped.
template <typename T, typename Wrapper>
void Cleanup(Wrapper* wrapper) {
  T* const object = static_cast<T*>(Slot(wrapper));
  Slot(wrapper) = nullptr;
  GuardSilently([object] { delete object; });
}

// Sets an operation that the class has; others stay null, which leaves them
// to the host.
template <typename Operation, typename Function>
void SetIf(std::true_type, Function* slot) {
  *slot = Operation::Call;
}
template <typename Operation, typename Function>
void SetIf(std::false_type, Function*) {}

#pragma GCC visibility pop
}  // namespace internal
}  // namespace plugin
}  // namespace fsload

#endif  // FSLOAD_PLUGIN_SDK_OBJECTS_H_
