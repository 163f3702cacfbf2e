// Replaces operations of a plugin by wrappers that call the right ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>

#include "fsload/filesystem_interface.h"

namespace mutants {

using Fs = TF_FilesystemOps;
using In = TF_RandomAccessFileOps;
using Out = TF_WritableFileOps;
using Region = TF_ReadOnlyMemoryRegionOps;

// The operations of one scheme.
struct Tables {
  Fs fs;
  In in;
  Out out;
  Region region;
};

// The right operations of the mutated plugin; set before any mutant is applied,
// and constant from then on.
extern Tables g_right;

template <typename Function>
Function& Slot(Tables& tables, Function Fs::*slot) {
  return tables.fs.*slot;
}
template <typename Function>
Function& Slot(Tables& tables, Function In::*slot) {
  return tables.in.*slot;
}
template <typename Function>
Function& Slot(Tables& tables, Function Out::*slot) {
  return tables.out.*slot;
}
template <typename Function>
Function& Slot(Tables& tables, Function Region::*slot) {
  return tables.region.*slot;
}

// --- Ways to apply a mutant ---

template <auto slot, auto function>
void Put(Tables* tables) {
  Slot(*tables, slot) = function;
}

template <auto... changes>
void All(Tables* tables) {
  (changes(tables), ...);
}

template <auto slot, auto change, typename Function>
struct AfterCall;

template <auto slot, auto change, typename Result, typename... Arguments>
struct AfterCall<slot, change, Result (*)(Arguments...)> {
  static Result Call(Arguments... arguments) {
    TF_Status* status =
        std::get<sizeof...(Arguments) - 1>(std::tie(arguments...));
    if constexpr (std::is_void_v<Result>) {
      Slot(g_right, slot)(arguments...);
      change(status);
    } else {
      const Result result = Slot(g_right, slot)(arguments...);
      change(status);
      return result;
    }
  }
};

// Does `change(status)` after the right operation, whose last argument is its
// status.
template <auto slot, auto change>
void After(Tables* tables) {
  auto& function = Slot(*tables, slot);
  function = AfterCall<slot, change, std::decay_t<decltype(function)>>::Call;
}

// A call that a wrapper got. Wrappers take it by value, may change it, and pass
// it on with Right().
struct ReadCall {
  const TF_RandomAccessFile* file;
  uint64_t offset;
  size_t n;
  char* buffer;
  TF_Status* status;
  int64_t Right() const {
    return g_right.in.read(file, offset, n, buffer, status);
  }
};

template <int64_t (*wrapper)(ReadCall)>
void Reads(Tables* tables) {
  tables->in.read = [](const TF_RandomAccessFile* file, uint64_t offset,
                       size_t n, char* buffer, TF_Status* status) {
    return wrapper({file, offset, n, buffer, status});
  };
}

struct AppendCall {
  const TF_WritableFile* file;
  const char* buffer;
  size_t n;
  TF_Status* status;
  void Right() const { g_right.out.append(file, buffer, n, status); }
};

template <void (*wrapper)(AppendCall)>
void Appends(Tables* tables) {
  tables->out.append = [](const TF_WritableFile* file, const char* buffer,
                          size_t n, TF_Status* status) {
    wrapper({file, buffer, n, status});
  };
}

// create_dir, delete_file and others of one path.
struct PathCall {
  const TF_Filesystem* fs;
  const char* path;
  TF_Status* status;
  void (*right)(const TF_Filesystem*, const char*, TF_Status*);
  void Right() const { right(fs, path, status); }
};

template <auto slot, void (*wrapper)(PathCall)>
void OnPath(Tables* tables) {
  Slot(*tables, slot) = [](const TF_Filesystem* fs, const char* path,
                           TF_Status* status) {
    wrapper({fs, path, status, Slot(g_right, slot)});
  };
}

// rename_file and copy_file.
struct MoveCall {
  const TF_Filesystem* fs;
  const char* src;
  const char* dst;
  TF_Status* status;
  void (*right)(const TF_Filesystem*, const char*, const char*, TF_Status*);
  void Right() const { right(fs, src, dst, status); }
};

template <auto slot, void (*wrapper)(MoveCall)>
void Moves(Tables* tables) {
  Slot(*tables, slot) = [](const TF_Filesystem* fs, const char* src,
                           const char* dst, TF_Status* status) {
    wrapper({fs, src, dst, status, Slot(g_right, slot)});
  };
}

// Opens files; `File` is the wrapper of the interface.
template <typename File>
struct OpenCall {
  const TF_Filesystem* fs;
  const char* path;
  File* file;
  TF_Status* status;
  void (*right)(const TF_Filesystem*, const char*, File*, TF_Status*);
  void Right() const { right(fs, path, file, status); }
};
using OpenReadCall = OpenCall<TF_RandomAccessFile>;
using OpenWriteCall = OpenCall<TF_WritableFile>;
using OpenRegionCall = OpenCall<TF_ReadOnlyMemoryRegion>;

template <typename File>
File* OpenedBy(void (*)(const TF_Filesystem*, const char*, File*, TF_Status*));

template <auto slot, auto wrapper>
void Opens(Tables* tables) {
  using File = std::remove_pointer_t<decltype(OpenedBy(Slot(*tables, slot)))>;
  Slot(*tables, slot) = [](const TF_Filesystem* fs, const char* path,
                           File* file, TF_Status* status) {
    wrapper(OpenCall<File>{fs, path, file, status, Slot(g_right, slot)});
  };
}

// --- Changes of a status, for After ---

inline bool IsOk(const TF_Status* status) {
  return TF_GetCode(status) == TF_OK;
}
inline void Succeed(TF_Status* status) { TF_SetStatus(status, TF_OK, ""); }

template <TF_Code from, TF_Code to>
void Recode(TF_Status* status) {
  if (TF_GetCode(status) != from) return;
  TF_SetStatus(status, to, to == TF_OK ? "" : "the operation failed");
}

void LeakDescriptor(TF_Status* status);
void LeakDescriptorOnFailure(TF_Status* status);

}  // namespace mutants
