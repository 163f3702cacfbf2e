// Mutants that are right in what they answer, and leave something behind each
// time.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <thread>

#include "testdata/mutants/changes.h"
#include "testdata/mutants/right_calls.h"
#include "testdata/posix/ops.h"

namespace mutants {
namespace {

// Volatile, so that the allocation is not optimized away.
void* volatile g_leaked;

void LeakBytes(TF_Status*) { g_leaked = std::malloc(24); }

void LeakMapping(TF_Status*) {
  g_leaked = mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

void LeakThread(TF_Status*) {
  std::thread([] {
    for (;;) pause();
  }).detach();
}

// Nobody waits for it.
void LeakChild(TF_Status*) {
  if (fork() == 0) _exit(0);
}

template <void (*leak)(TF_Status*)>
void IfItFailed(TF_Status* status) {
  if (!IsOk(status)) leak(status);
}

bool AllExistLeaking(const TF_Filesystem* fs, char** paths, int num_files,
                     TF_Status** statuses) {
  LeakBytes(nullptr);
  return g_right.fs.paths_exist(fs, paths, num_files, statuses);
}

char* TranslatesLeaking(const TF_Filesystem* fs, const char* uri) {
  LeakBytes(nullptr);
  return posix_plugin::TranslateName(fs, uri);
}

void CleansUpLeaking(TF_RandomAccessFile* file) {
  LeakBytes(nullptr);
  g_right.in.cleanup(file);
}

}  // namespace

Changes LeakingChanges() {
  return {
      {"posix.stat-leaks-bytes", After<&Fs::stat, LeakBytes>},
      {"posix.all-exist-leaks-bytes", Put<&Fs::paths_exist, AllExistLeaking>},
      {"posix.translate-leaks-bytes",
       Put<&Fs::translate_name, TranslatesLeaking>},
      {"posix.cleanup-leaks-bytes", Put<&In::cleanup, CleansUpLeaking>},
      {"posix.close-leaks-bytes", After<&Out::close, LeakBytes>},
      {"posix.rename-leaks-bytes", After<&Fs::rename_file, LeakBytes>},
      {"posix.delete-tree-leaks-bytes",
       After<&Fs::delete_recursively, LeakBytes>},
      {"posix.failed-open-leaks-bytes",
       After<&Fs::new_random_access_file, IfItFailed<LeakBytes>>},
      {"posix.failed-new-file-leaks-bytes",
       After<&Fs::new_writable_file, IfItFailed<LeakBytes>>},
      {"posix.failed-append-leaks-bytes",
       After<&Fs::new_appendable_file, IfItFailed<LeakBytes>>},
      {"posix.failed-list-leaks-bytes",
       After<&Fs::get_children, IfItFailed<LeakBytes>>},
      {"posix.failed-copy-leaks-bytes",
       After<&Fs::copy_file, IfItFailed<LeakBytes>>},
      {"posix.region-leaks-mapping",
       After<&Fs::new_read_only_memory_region_from_file, LeakMapping>},
      {"posix.create-dirs-leaks-mapping",
       After<&Fs::recursively_create_dir, LeakMapping>},
      {"posix.failed-region-leaks-mapping",
       After<&Fs::new_read_only_memory_region_from_file,
             IfItFailed<LeakMapping>>},
      {"posix.copy-leaks-thread", After<&Fs::copy_file, LeakThread>},
      {"posix.failed-rename-leaks-thread",
       After<&Fs::rename_file, IfItFailed<LeakThread>>},
      {"posix.delete-file-leaks-child", After<&Fs::delete_file, LeakChild>},
      {"posix.stat-leaks-descriptor", After<&Fs::stat, LeakDescriptor>},
      {"posix.failed-copy-leaks-descriptor",
       After<&Fs::copy_file, LeakDescriptorOnFailure>},
      {"posix.failed-rename-leaks-descriptor",
       After<&Fs::rename_file, LeakDescriptorOnFailure>},
      {"posix.failed-delete-tree-leaks-descriptor",
       After<&Fs::delete_recursively, LeakDescriptorOnFailure>},
  };
}

}  // namespace mutants
