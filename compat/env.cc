#include "fsload/env.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <memory>
#include <string>

#include "compat/environment.h"
#include "compat/io_error.h"
#include "fsload/logging.h"

struct TF_Thread {
  pthread_t handle;
  std::string name;
  void (*work_func)(void*);
  void* param;
};

namespace {

using fsload::DescribeIoError;
using fsload::EnvironmentVariable;

constexpr size_t kThreadNameBytes = 15;  // what the kernel keeps

void* RunThread(void* argument) {
  auto* thread = static_cast<TF_Thread*>(argument);
  pthread_setname_np(pthread_self(),
                     thread->name.substr(0, kThreadNameBytes).c_str());
  thread->work_func(thread->param);
  return nullptr;
}

// The attributes for `options`, which the caller destroys; returns 0 or an
// errno.
int FillAttributes(const TF_ThreadOptions* options,
                   pthread_attr_t* attributes) {
  int error = 0;
  if (options != nullptr && options->stack_size != 0) {
    // The least differs between processors.
    error = pthread_attr_setstacksize(
        attributes, std::max<size_t>(options->stack_size, PTHREAD_STACK_MIN));
  }
  if (error == 0 && options != nullptr && options->guard_size != 0) {
    error = pthread_attr_setguardsize(attributes, options->guard_size);
  }
  return error;
}

int Start(const TF_ThreadOptions* options, TF_Thread* thread) {
  pthread_attr_t attributes;
  int error = pthread_attr_init(&attributes);
  if (error != 0) return error;
  error = FillAttributes(options, &attributes);
  if (error == 0) {
    error = pthread_create(&thread->handle, &attributes, RunThread, thread);
  }
  pthread_attr_destroy(&attributes);
  return error;
}

// Creates an empty file in `folder`; returns its name, empty on failure.
std::string MakeTempFile(const char* folder, const std::string& extension) {
  std::string name = std::string(folder) + "/fsload_XXXXXX" + extension;
  const int fd =
      mkostemps(name.data(), static_cast<int>(extension.size()), O_CLOEXEC);
  if (fd < 0) return "";
  close(fd);
  return name;
}

// Returns what the dynamic linker has found, and sets `status` to that.
void* Checked(void* found, TF_Status* status) {
  if (found != nullptr) {
    TF_SetStatus(status, TF_OK, nullptr);
    return found;
  }
  const char* error = dlerror();
  TF_SetStatus(status, TF_NOT_FOUND,
               error != nullptr ? error : "the symbol's value is null");
  return nullptr;
}

}  // namespace

char* TF_GetTempFileName(const char* extension) {
  const std::string suffix = extension == nullptr ? "" : extension;
  for (const char* variable : {"TEST_TMPDIR", "TMPDIR", "TMP"}) {
    const char* folder = EnvironmentVariable(variable);
    if (folder == nullptr) continue;
    const std::string name = MakeTempFile(folder, suffix);
    if (!name.empty()) return strdup(name.c_str());
  }
  return strdup(MakeTempFile("/tmp", suffix).c_str());
}

uint64_t TF_NowSeconds() {
  timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return now.tv_sec;
}

void TF_DefaultThreadOptions(TF_ThreadOptions* options) {
  *options = {0, 0, -1};
}

TF_Thread* TF_StartThread(const TF_ThreadOptions* options,
                          const char* thread_name, void (*work_func)(void*),
                          void* param) {
  auto thread = std::make_unique<TF_Thread>();
  thread->name = thread_name == nullptr ? "" : thread_name;
  thread->work_func = work_func;
  thread->param = param;
  const int error = Start(options, thread.get());
  if (error != 0) {
    TF_Log(TF_ERROR, "TF_StartThread(%s): %s", thread->name.c_str(),
           DescribeIoError(error).text.c_str());
    return nullptr;
  }
  return thread.release();
}

void TF_JoinThread(TF_Thread* thread) {
  if (thread == nullptr) return;
  pthread_join(thread->handle, nullptr);
  delete thread;
}

void* TF_LoadSharedLibrary(const char* library_filename, TF_Status* status) {
  dlerror();
  return Checked(dlopen(library_filename, RTLD_NOW | RTLD_LOCAL), status);
}

void* TF_GetSymbolFromLibrary(void* handle, const char* symbol_name,
                              TF_Status* status) {
  dlerror();
  return Checked(dlsym(handle, symbol_name), status);
}
