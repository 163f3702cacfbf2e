// The tables of the three kinds of open files, from their classes. The host's
// wrapper points to an object, which cleanup deletes.
#ifndef FSLOAD_PLUGIN_SDK_FILE_TABLES_H_
#define FSLOAD_PLUGIN_SDK_FILE_TABLES_H_

#include <cstddef>
#include <cstdint>
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

// --- Reading ---

// Reads until there are `n` bytes, or the method returns 0, at the end.
template <typename F>
Status ReadAll(F& file, uint64_t offset, size_t n, char* buffer, size_t* done) {
  while (*done < n) {
    const size_t left = n - *done;
    const auto got =
        Invoke<int64_t, ReadMethod>(file, offset + *done, left, buffer + *done);
    if (!got.ok()) return got.status();
    if (*got < 0 || static_cast<uint64_t>(*got) > left) {
      return Status(TF_INTERNAL, "Read returned " + std::to_string(*got) +
                                     " for " + std::to_string(left) + " bytes");
    }
    // L229: fewer bytes only at the end of the file.
    if (*got == 0)
      return Status(TF_OUT_OF_RANGE, "reached the end of the file");
    *done += static_cast<size_t>(*got);
  }
  return Status();
}

template <typename F>
int64_t Read(const TF_RandomAccessFile* file, uint64_t offset, size_t n,
             char* buffer, TF_Status* status) {
  size_t done = 0;
  const bool good = Guard(
      status, [&] { return ReadAll(Self<F>(file), offset, n, buffer, &done); });
  if (!good && TF_GetCode(status) != TF_OUT_OF_RANGE) return -1;
  return static_cast<int64_t>(done);
}

template <typename F>
TF_RandomAccessFileOps ReaderOps() {
  static_assert(sizeof(ReadMethod::NeededIn<F>) > 0, "");
  TF_RandomAccessFileOps ops = TF_RandomAccessFileOps();
  ops.cleanup = Cleanup<F>;
  ops.read = Read<F>;
  return ops;
}

// --- Writing ---

// Calls an Append that takes all bytes.
template <typename F>
Status AppendAll(F& file, const char* data, size_t n, std::true_type) {
  return Invoke<Nothing, AppendMethod>(file, data, n).status();
}

// Calls one that returns how many it took, as write(2) does.
template <typename F>
Status AppendAll(F& file, const char* data, size_t n, std::false_type) {
  while (n > 0) {
    const auto taken = Invoke<int64_t, AppendMethod>(file, data, n);
    if (!taken.ok()) return taken.status();
    if (*taken < 0 || static_cast<uint64_t>(*taken) > n) {
      return Status(TF_INTERNAL, "Append returned " + std::to_string(*taken) +
                                     " for " + std::to_string(n) + " bytes");
    }
    // L258: fewer bytes than there are.
    if (*taken == 0) {
      return Status(TF_RESOURCE_EXHAUSTED,
                    std::to_string(n) + " bytes could not be written");
    }
    data += *taken;
    n -= static_cast<size_t>(*taken);
  }
  return Status();
}

template <typename F>
void Append(const TF_WritableFile* file, const char* data, size_t n,
            TF_Status* status) {
  using Value =
      typename ReturnedBy<AppendMethod, F, const char*, size_t>::Value;
  Guard(status, [&] {
    return AppendAll(Self<F>(file), data, n,
                     typename std::is_same<Value, Nothing>::type());
  });
}

template <typename F>
struct TellOperation {
  static int64_t Call(const TF_WritableFile* file, TF_Status* status) {
    int64_t position = -1;
    Guard(status, [&]() -> Status {
      const auto told = Invoke<int64_t, TellMethod>(Self<F>(file));
      if (told.ok()) position = *told;
      return told.status();
    });
    return position;
  }
};

// flush, sync and close.
template <typename F, typename Method>
struct WriterOperation {
  static void Call(const TF_WritableFile* file, TF_Status* status) {
    Guard(status,
          [&] { return Invoke<Nothing, Method>(Self<F>(file)).status(); });
  }
};

template <typename F>
TF_WritableFileOps WriterOps() {
  static_assert(sizeof(AppendMethod::NeededIn<F>) > 0, "");
  // No host has a default, and a destructor cannot tell of an error.
  static_assert(sizeof(CloseMethod::NeededIn<F>) > 0, "");
  TF_WritableFileOps ops = TF_WritableFileOps();
  ops.cleanup = Cleanup<F>;
  ops.append = Append<F>;
  SetIf<TellOperation<F>>(Has<TellMethod, F>(), &ops.tell);
  SetIf<WriterOperation<F, FlushMethod>>(Has<FlushMethod, F>(), &ops.flush);
  SetIf<WriterOperation<F, SyncMethod>>(Has<SyncMethod, F>(), &ops.sync);
  ops.close = WriterOperation<F, CloseMethod>::Call;
  return ops;
}

// --- Memory regions ---

template <typename F>
const void* Data(const TF_ReadOnlyMemoryRegion* region) {
  const void* data = nullptr;
  GuardSilently([&] { data = Self<F>(region).data(); });
  return data;
}

template <typename F>
uint64_t Length(const TF_ReadOnlyMemoryRegion* region) {
  uint64_t length = 0;
  GuardSilently([&] { length = Self<F>(region).size(); });
  return length;
}

template <typename F>
TF_ReadOnlyMemoryRegionOps RegionOps() {
  static_assert(sizeof(dataMethod::NeededIn<F>) > 0, "");
  static_assert(sizeof(sizeMethod::NeededIn<F>) > 0, "");
  TF_ReadOnlyMemoryRegionOps ops = TF_ReadOnlyMemoryRegionOps();
  ops.cleanup = Cleanup<F>;
  ops.data = Data<F>;
  ops.length = Length<F>;
  return ops;
}

#pragma GCC visibility pop
}  // namespace internal
}  // namespace plugin
}  // namespace fsload

#endif  // FSLOAD_PLUGIN_SDK_FILE_TABLES_H_
